//! What a questionnaire computes or shows by FHIRPath, carried where the formula gives the same on random answers. What is not carried is told as
//! everything else that nobody read.

use std::collections::{BTreeSet, HashMap};

use domain::register::FieldProperties;
use rust_decimal::prelude::ToPrimitive;
use serde_json::Value;

use super::{
    condition::{Answers, Choosable, Question},
    element::Element,
    own::OwnProperties,
    path::{self, Answered, Aspect, ItemTree, Path, Response, ResultKind, Saying, Selection, VariableText},
    proof,
};
use crate::{
    exchange::{
        foreign::Foreign,
        proof::{self as values, Answer, Outcome, Verdict},
        report::Note,
    },
    import::{
        definition::{Definition, FieldDefinition},
        formulas::{self, FormulaPlace},
    },
};

/// Of how many letters of expressions a form's answers are tried: a file that has more takes too long.
const MOST_TRIED: usize = 100_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Property {
    Computes,
    Shows,
}

impl Property {
    fn name(self) -> &'static str {
        match self {
            Self::Computes => "formulaZaRacunanje",
            Self::Shows => "formulaZaPrikaz",
        }
    }

    fn of(self, own: &mut FieldProperties) -> &mut Option<String> {
        match self {
            Self::Computes => &mut own.formula_za_racunanje,
            Self::Shows => &mut own.formula_za_prikaz,
        }
    }
}

/// A field that is computed, or shows under a condition.
pub struct Calculation<'a> {
    pub code: String,
    pub property: Property,
    pub place: String,
    /// The section in whose row the field stands.
    pub row: Option<String>,
    pub item: Element<'a>,
    /// The expression with its language.
    pub value: Element<'a>,
}

/// An expression with a name.
pub struct Variable<'a> {
    pub value: Element<'a>,
    /// The section that repeats in which it stands: it is there for its rows only.
    pub section: Option<String>,
}

impl Variable<'_> {
    fn name(&self) -> Option<&str> {
        self.value.raw()["name"].as_str()
    }

    /// Whether an expression of this row sees it.
    fn is_for(&self, row: Option<&str>) -> bool {
        self.section.as_deref().is_none_or(|section| row == Some(section))
    }
}

/// A formula that gives what the expression gives, and the names of the variables in it.
struct Computation {
    formula: String,
    variables: BTreeSet<String>,
}

/// Of a questionnaire.
pub struct QuestionnaireParts<'a> {
    /// By `linkId`.
    pub questions: &'a HashMap<&'a str, Question>,
    /// Its items, each with the one that it stands in.
    pub tree: Vec<(&'a str, Option<&'a str>)>,
    /// Expressions with names, those of the whole first.
    pub variables: &'a [Variable<'a>],
}

/// The expressions that one of this row may name; its own come before those around it.
fn named<'v>(variables: &'v [Variable<'_>], row: Option<&str>) -> HashMap<&'v str, VariableText<'v>> {
    let mut found = HashMap::new();
    let seen = variables.iter().filter(|one| one.is_for(row) && is_path(one.value.raw()));
    let (own, around): (Vec<&Variable<'_>>, Vec<&Variable<'_>>) = seen.partition(|one| one.section.is_some());
    for one in own.into_iter().chain(around) {
        if let (Some(name), Some(text)) = (one.name(), one.value.raw()["expression"].as_str()) {
            found.entry(name).or_insert(VariableText { text, is_outer: row.is_some() && one.section.is_none() });
        }
    }
    found
}

pub fn settle(foreign: &mut Foreign, own: &OwnProperties, asked: QuestionnaireParts<'_>, calculations: &[Calculation<'_>]) {
    let QuestionnaireParts { questions, tree, variables } = asked;
    let weights = weights(&foreign.definition);
    let has_weight = |(code, weights): (&'_ String, &'_ Vec<Option<f64>>)| weights.iter().any(Option::is_some).then(|| code.clone());
    let weighed: BTreeSet<String> = weights.iter().filter_map(has_weight).collect();
    let tree = ItemTree(tree);
    let saying = Saying { questions, tree: &tree, weighed: &weighed, row: None };
    let trial = Trial { asked: proof::asked(&foreign.definition, questions), weights, saying };
    let computed = calculations.iter().filter(|one| one.property == Property::Computes);
    let mut waiting: BTreeSet<&str> = computed.map(|one| one.code.as_str()).collect();
    let mut carried: Vec<(&Calculation<'_>, Computation)> = Vec::new();
    let mut letters = 0;
    for one in calculations.iter().filter(|one| !own.has(&one.code, one.property.name()) && is_path(one.value.raw())) {
        let text = one.value.raw()["expression"].as_str().unwrap_or_default();
        letters += text.len();
        if letters > MOST_TRIED {
            break;
        }
        if has(&foreign.definition, one) {
            continue;
        }
        match trial.carried(one, text, &named(variables, one.row.as_deref()), &waiting) {
            Ok(found) => {
                // What is computed of others comes after them, so that none waits for itself.
                if one.property == Property::Computes {
                    waiting.remove(one.code.as_str());
                }
                set(&mut foreign.definition, one, Some(found.formula.clone()));
                carried.push((one, found));
            }
            Err(Failure { why, differs }) => {
                if differs {
                    foreign.proof.razlicito += 1;
                    foreign.warnings.push(Note::of(&one.place, format!("izraz nije prenet: {why}"), text));
                }
            }
        }
    }
    drop_faulty(&mut foreign.definition, &mut carried);
    let is_used = |one: &&Variable<'_>| {
        let name = one.name().unwrap_or_default();
        carried.iter().any(|(by, found)| one.is_for(by.row.as_deref()) && found.variables.contains(name))
    };
    variables.iter().filter(is_used).for_each(|one| one.value.take());
    for (one, _) in &carried {
        one.value.take();
        if one.property == Property::Computes {
            one.item.at("readOnly").flag();
        }
    }
    foreign.proof.dokazano += carried.len();
    foreign.proof.odgovora = values::TRIES;
}

fn is_path(value: &Value) -> bool {
    value["language"] == "text/fhirpath"
}

/// Formulas that cannot be in the form, as those of fields that would wait for themselves.
fn drop_faulty(definition: &mut Definition, carried: &mut Vec<(&Calculation<'_>, Computation)>) {
    while !carried.is_empty() {
        let faulty = formulas::compile(definition).faulty;
        if faulty.is_empty() {
            return;
        }
        let is_faulty = |one: &Calculation<'_>| {
            let is_of = |whose: &FormulaPlace| matches!(whose, FormulaPlace::Field(code, name) if *code == one.code && *name == one.property.name());
            faulty.iter().any(|fault| is_of(&fault.whose))
        };
        let named = carried.iter().position(|(one, _)| is_faulty(one));
        let (one, _) = carried.remove(named.unwrap_or(carried.len() - 1));
        set(definition, one, None);
    }
}

/// Whether `enableWhen` has told it already.
fn has(definition: &Definition, one: &Calculation<'_>) -> bool {
    let mut fields = definition.forms.iter().flat_map(|form| &form.polja);
    let field = fields.find(|field| field.sifra == one.code);
    one.property == Property::Shows && field.is_some_and(|field| field.own.formula_za_prikaz.is_some())
}

fn set(definition: &mut Definition, one: &Calculation<'_>, formula: Option<String>) {
    let mut fields = definition.forms.iter_mut().flat_map(|form| &mut form.polja);
    if let Some(field) = fields.find(|field| field.sifra == one.code) {
        *one.property.of(&mut field.own) = formula;
    }
}

/// Of the items of each field, in their order, by its code.
fn weights(definition: &Definition) -> HashMap<String, Vec<Option<f64>>> {
    let of = |field: &FieldDefinition| {
        let known = definition.attribute_types.iter().find(|known| known.mark() == field.tip_atributa)?;
        Some(known.stavke.iter().map(|item| item.num_vrednost.and_then(|weight| weight.to_f64())).collect())
    };
    let fields = definition.forms.iter().flat_map(|form| &form.polja);
    fields.filter_map(|field| Some((field.sifra.clone(), of(field)?))).collect()
}

struct Failure {
    why: String,
    differs: bool,
}

impl From<String> for Failure {
    fn from(why: String) -> Self {
        Self { why, differs: false }
    }
}

struct Trial<'a> {
    asked: values::Questions,
    weights: HashMap<String, Vec<Option<f64>>>,
    saying: Saying<'a>,
}

/// What the questions of each selection of an expression are, by `linkId`.
type Read = Vec<(Selection, Vec<(String, Question)>)>;

impl Trial<'_> {
    /// `waiting`: fields that are computed, and are not yet.
    fn carried(
        &self,
        one: &Calculation<'_>,
        text: &str,
        variables: &HashMap<&str, VariableText<'_>>,
        waiting: &BTreeSet<&str>,
    ) -> Result<Computation, Failure> {
        let saying = Saying { row: one.row.as_deref(), ..self.saying };
        let known = saying.questions.values().find(|known| known.code == one.code);
        let kind = match (one.property, known.map(|known| &known.answers)) {
            (Property::Shows, _) | (_, Some(Answers::Boolean)) => ResultKind::Truth,
            (_, Some(Answers::Number { .. })) => ResultKind::Number,
            (_, Some(Answers::Text)) => ResultKind::Text,
            (_, Some(Answers::Options { options })) => ResultKind::Option(options),
            _ => return Err("računa se samo broj, tekst, opcija, ili da ili ne".to_owned().into()),
        };
        let mut used = BTreeSet::new();
        let path = path::parse(text, variables, &mut used)?;
        let formula = saying.calculation(&path, kind)?;
        let read = read(saying, &path);
        let mut reads = read.iter().flat_map(|(_, questions)| questions);
        if one.property == Property::Computes && reads.any(|(_, known)| waiting.contains(known.code.as_str())) {
            return Err("čita polje koje se ne računa".to_owned().into());
        }
        let options = if let ResultKind::Option(options) = kind { options } else { &[] };
        match self.examine(one, path, &formula, (read, options))? {
            Verdict::Proven { .. } => Ok(Computation { formula, variables: used }),
            Verdict::Differs(found) => {
                let verbs = if one.property == Property::Shows { ("prikazuje", "krije") } else { ("daje „da”", "daje „ne”") };
                Err(Failure { why: found.words(verbs), differs: true })
            }
            Verdict::Unknown => Err("izraz se ne prenosi".to_owned().into()),
        }
    }

    /// The concepts that are offered by the questions whose options an expression names.
    fn offered(&self, path: &Path) -> HashMap<String, Vec<Value>> {
        let mut found = HashMap::new();
        path.walk(&mut |node| {
            let Some((link, _)) = node.form_options() else { return };
            if let Some(Answers::Options { options }) = self.saying.questions.get(link.as_str()).map(|known| &known.answers) {
                found.insert(link, options.iter().map(|option| option.value.clone()).collect());
            }
        });
        found
    }

    /// `own`: the options of a field that holds one.
    fn examine(&self, one: &Calculation<'_>, path: Path, formula: &str, (read, own): (Read, &[Choosable])) -> Result<Verdict, String> {
        let mut literals = Vec::new();
        path.walk(&mut |node| match node {
            Path::Number(number) => literals.push(Answer::Number(*number)),
            Path::Text(text) => literals.push(Answer::Text(text.clone())),
            _ => {}
        });
        let reads = read.iter().flat_map(|(_, questions)| questions).map(|(_, known)| known.code.clone()).collect();
        let weights = self.weights.clone();
        let shows = one.property == Property::Shows;
        let (offered, own) = (self.offered(&path), own.to_vec());
        let source = move |answers: &values::Answers| {
            let one = |known: &Question| answered(known, answers.get(&known.code), weights.get(&known.code).map_or(&[], Vec::as_slice));
            let given = |chosen: &Selection| {
                let (_, questions) = read.iter().find(|(known, _)| known == chosen)?;
                Some(questions.iter().flat_map(|(_, known)| one(known)).collect())
            };
            let options = |link: &str| offered.get(link).cloned();
            let found = path::result(&path, &Response { answers: &given, options: &options })?;
            if shows {
                return Some(Outcome::Holds(found == Some(Value::Bool(true))));
            }
            let answer = match found {
                None => Answer::Blank,
                Some(Value::Bool(yes)) => Answer::Yes(yes),
                Some(Value::Number(number)) => Answer::Number(number.as_f64()?),
                Some(Value::String(text)) => Answer::Text(text),
                Some(concept) => Answer::Options(vec![own.iter().position(|option| option.value == concept)?.to_string()]),
            };
            Some(Outcome::Gives(answer))
        };
        values::examine(
            &self.asked,
            &values::Claim {
                formula,
                result: (!shows).then_some(one.code.as_str()),
                reads,
                literals,
                source: &source,
                in_row: one.row.is_some(),
            },
        )
    }
}

/// What an expression reads.
fn read(saying: Saying<'_>, path: &Path) -> Read {
    let questions = |chosen: &Selection| {
        let found = saying.questions(chosen).ok()?;
        Some(found.into_iter().map(|(link, known)| (link.to_owned(), known.clone())).collect())
    };
    let all = path.selections().into_iter().filter(|chosen| !matches!(chosen.what, Aspect::Items | Aspect::Response));
    all.filter_map(|chosen| Some((chosen.clone(), questions(&chosen)?))).collect()
}

/// As a response has it, with the weights of what is chosen.
fn answered(known: &Question, answer: Option<&Answer>, weights: &[Option<f64>]) -> Vec<Answered> {
    let chosen: Vec<Option<f64>> = match answer {
        Some(Answer::Options(chosen)) => {
            chosen.iter().map(|at| at.parse().ok().and_then(|at: usize| weights.get(at).copied().flatten())).collect()
        }
        _ => Vec::new(),
    };
    let response = proof::as_response(known, answer);
    let inner = response.iter().filter_map(|one| one.as_object()?.values().next());
    inner.enumerate().map(|(at, value)| Answered { value: value.clone(), weight: chosen.get(at).copied().flatten() }).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use domain::formula::{self, Context, Field, FormulaSurroundings, Rows};
    use serde_json::{Value, json};

    use crate::{
        exchange::{fhir::read, foreign::Foreign, proof::TODAY},
        import::formulas,
    };

    const CALCULATED: &str = "http://hl7.org/fhir/uv/sdc/StructureDefinition/sdc-questionnaire-calculatedExpression";

    fn option(code: &str, weight: i64) -> Value {
        json!({ "valueCoding": { "code": code, "display": format!("Odgovor {code}"),
            "extension": [{ "url": "http://hl7.org/fhir/StructureDefinition/ordinalValue", "valueDecimal": weight }] } })
    }

    fn chosen(link: &str) -> Value {
        json!({ "linkId": link, "text": format!("Pitanje {link}"), "type": "choice", "answerOption": [option("N", 0), option("P", 1), option("D", 3)] })
    }

    fn computed(link: &str, kind: &str, text: &str) -> Value {
        json!({ "linkId": link, "text": format!("Rezultat {link}"), "type": kind, "readOnly": true,
            "extension": [{ "url": CALCULATED, "valueExpression": { "language": "text/fhirpath", "expression": text } }] })
    }

    fn brought(items: Value) -> Foreign {
        let variable = |name: &str, text: &str| {
            json!({ "url": "http://hl7.org/fhir/StructureDefinition/variable",
                "valueExpression": { "name": name, "language": "text/fhirpath", "expression": text } })
        };
        let file = json!({ "resourceType": "Questionnaire", "title": "Skor", "status": "active", "extension": [
            variable("kg", "item.where(linkId = 'kg').answer.value"),
            variable("m", "item.where(linkId = 'cm').answer.value / 100"),
        ], "item": items });
        read(file.to_string().as_bytes()).unwrap_or_else(|note| panic!("{note:?}"))
    }

    fn formula<'a>(foreign: &'a Foreign, code: &str) -> Option<&'a str> {
        let field = foreign.definition.forms[0].polja.iter().find(|field| field.sifra == code);
        field.unwrap_or_else(|| panic!("no {code}")).own.formula_za_racunanje.as_deref()
    }

    #[test]
    fn a_score_of_weights_is_carried_and_proven() {
        let sum = "%resource.item.where(linkId in ('p1' | 'p2')).answer.value.ordinal().sum()";
        let foreign = brought(json!([
            chosen("p1"),
            chosen("p2"),
            computed("zbir", "integer", sum),
            computed("tezak", "boolean", "%resource.item.where(linkId = 'zbir').answer.value >= 3"),
        ]));
        assert_eq!(formula(&foreign, "zbir"), Some("if(count($!(p1), $!(p2)) == 0, null, coalesce($!(p1), 0) + coalesce($!(p2), 0))"));
        assert_eq!(formula(&foreign, "tezak"), Some("$(zbir) >= 3"));
        assert_eq!((foreign.proof.dokazano, foreign.proof.razlicito), (2, 0));
        let told: Vec<&str> = foreign.unmapped.iter().map(|note| note.poruka.as_str()).collect();
        assert!(!told.iter().any(|told| told.contains("računanje") || told.contains("samo za čitanje")), "{told:?}");
    }

    #[test]
    fn a_condition_shows_a_field_or_a_group() {
        let shown = |link: &str, kind: &str, text: &str| {
            json!({ "linkId": link, "text": format!("Stavka {link}"), "type": kind, "extension": [
                { "url": "http://hl7.org/fhir/uv/sdc/StructureDefinition/sdc-questionnaire-enableWhenExpression",
                  "valueExpression": { "language": "text/fhirpath", "expression": text } }] })
        };
        let answer = "%resource.item.where(linkId = 'p1').answer";
        let foreign = brought(json!([
            chosen("p1"),
            shown("jeste", "string", &format!("{answer}.value.code = 'D'")),
            shown("ima", "integer", &format!("{answer}.exists() and {answer}.value.ordinal() < 3")),
            shown("nema", "integer", &format!("{answer}.value.code ~ 'D'")),
        ]));
        let formula =
            |code: &str| foreign.definition.forms[0].polja.iter().find(|field| field.sifra == code).unwrap().own.formula_za_prikaz.clone();
        assert_eq!(formula("jeste").as_deref(), Some("if(isblank($(p1)), null, selected($(p1), \"D\"))"));
        assert_eq!(formula("ima").as_deref(), Some("!isblank($(p1)) and ($!(p1) < 3)"));
        assert_eq!(formula("nema"), None);
        assert_eq!(foreign.unmapped.iter().filter(|note| note.poruka.contains("enableWhenExpression")).count(), 1);
    }

    #[test]
    fn variables_stand_for_their_expressions() {
        let number = |link: &str| json!({ "linkId": link, "text": link, "type": "decimal" });
        let foreign = brought(json!([number("kg"), number("cm"), computed("bmi", "decimal", "(%kg / %m.power(2)).round(1)")]));
        let expected = "round(if(pow($(cm) / 100, 2) == 0, null, $(kg) / pow($(cm) / 100, 2)), 1)";
        assert_eq!(formula(&foreign, "bmi"), Some(expected));
        assert!(!foreign.unmapped.iter().any(|note| note.poruka.contains("variable")), "{:?}", foreign.unmapped);
    }

    const VARIABLE: &str = "http://hl7.org/fhir/StructureDefinition/variable";

    /// A question of a published questionnaire: its options weigh 0, 1, 2 and so on, by the extension of R4 or of R5.
    fn scored(link: &str, codes: &[&str], extension: &str) -> Value {
        let option = |(weight, code): (usize, &&str)| {
            json!({ "valueCoding": { "system": "http://loinc.org", "code": code, "display": format!("Odgovor {code}") },
                "extension": [{ "url": format!("http://hl7.org/fhir/StructureDefinition/{extension}"), "valueDecimal": weight }] })
        };
        let options: Vec<Value> = codes.iter().enumerate().map(option).collect();
        json!({ "linkId": link, "text": format!("Pitanje {link}"), "type": "choice", "answerOption": options })
    }

    fn questionnaire(variables: &[(String, String)], items: Value) -> Foreign {
        let variable = |(name, text): &(String, String)| json!({ "url": VARIABLE, "valueExpression": { "name": name, "language": "text/fhirpath", "expression": text } });
        let extension: Vec<Value> = variables.iter().map(variable).collect();
        let file =
            json!({ "resourceType": "Questionnaire", "title": "Upitnik", "status": "active", "extension": extension, "item": items });
        read(file.to_string().as_bytes()).unwrap_or_else(|note| panic!("{note:?}"))
    }

    /// What the form gives for these weights of its questions, in their order; none where nobody has answered.
    fn total(foreign: &Foreign, code: &str, weights: &[Option<f64>]) -> formula::Value {
        let form = &foreign.definition.forms[0];
        let types = foreign.definition.attribute_types.iter().map(|known| (known.mark(), known)).collect();
        let fields: Vec<Field> = formulas::fields(form, &types);
        let mut left = weights.iter();
        let mut values = HashMap::new();
        for field in fields.iter().filter(|field| !field.items.is_empty()) {
            let Some(wanted) = left.next().copied().flatten() else { continue };
            let item = field.items.iter().find(|item| item.num == Some(wanted)).unwrap_or_else(|| panic!("no item of {wanted}"));
            values.insert(field.sifra.clone().unwrap(), formula::Value::items(vec![item.clone()]));
        }
        let all = form.polja.iter().filter_map(|field| Some((field.sifra.as_str(), field.own.formula_za_racunanje.as_deref()?)));
        let mut found = formula::Value::Blank;
        for (sifra, text) in all {
            let compiled = formula::compile_conditions(&[text], &fields).pop().unwrap().unwrap_or_else(|error| panic!("{text}: {error}"));
            let (none, around, rows) = (HashMap::new(), FormulaSurroundings::on(TODAY), Rows::default());
            let context =
                Context { values: &values, previous: &none, earlier: &[], around: &around, rows: &rows, row: None, of_column: false };
            let value = formula::evaluate(&compiled.formula.expr, &context);
            values.insert(sifra.to_owned(), value.clone());
            if sifra == code {
                found = value;
            }
        }
        found
    }

    /// The form of LOINC 44249-1 as LHC-Forms write it: weights are looked up in the questionnaire, what nobody has answered counts for nothing.
    /// Published: 0 to 27, and 5, 10, 15 and 20 begin mild, moderate, moderately severe and severe (Kroenke 2001).
    #[test]
    fn phq_9_computes_its_published_total_and_severity() {
        let codes = ["LA6568-5", "LA6569-3", "LA6570-1", "LA6571-9"];
        let links: Vec<String> = (1..=9).map(|at| format!("/q{at}")).collect();
        let mut variables: Vec<(String, String)> =
            vec![("scoreExt".to_owned(), "'http://hl7.org/fhir/StructureDefinition/ordinalValue'".to_owned())];
        for (at, link) in links.iter().enumerate() {
            let text = format!(
                "%questionnaire.item.where(linkId = '{link}').answerOption.where(valueCoding.code=%resource.item.where(linkId = \
                 '{link}').answer.valueCoding.code).extension.where(url=%scoreExt).valueDecimal"
            );
            variables.push((format!("q{at}"), text));
        }
        let each = |text: fn(usize) -> String, between: &str| (0..9).map(text).collect::<Vec<_>>().join(between);
        variables.push(("any".to_owned(), each(|at| format!("%q{at}.exists()"), " or ")));
        let sum = format!("iif(%any, {}, {{}})", each(|at| format!("iif(%q{at}.exists(), %q{at}, 0)"), " + "));
        let total_of = "%resource.item.where(linkId = 'zbir').answer.value";
        let words = format!(
            "iif({total_of}.empty(), {{}}, iif({total_of} < 5, 'minimalna', iif({total_of} < 10, 'blaga', iif({total_of} < 15, 'umerena', \
             iif({total_of} < 20, 'umereno teška', 'teška')))))"
        );
        let often = format!(
            "%resource.item.where(linkId in ({})).answer.value.ordinal().where($this >= 2).count()",
            links.iter().map(|link| format!("'{link}'")).collect::<Vec<_>>().join(" | ")
        );
        let mut items: Vec<Value> = links.iter().map(|link| scored(link, &codes, "ordinalValue")).collect();
        items.extend([computed("zbir", "decimal", &sum), computed("tezina", "string", &words), computed("cesto", "integer", &often)]);
        let foreign = questionnaire(&variables, Value::Array(items));
        assert_eq!((foreign.proof.dokazano, foreign.proof.razlicito), (3, 0), "{:?}", foreign.unmapped);
        let told: Vec<&str> = foreign.unmapped.iter().map(|note| note.poruka.as_str()).collect();
        assert!(!told.iter().any(|told| told.contains("računanje") || told.contains("variable")), "{told:?}");
        let published: [([i8; 9], f64, &str, f64); 5] = [
            ([0; 9], 0.0, "minimalna", 0.0),
            ([1, 1, 1, 1, 1, 0, 0, 0, 0], 5.0, "blaga", 0.0),
            ([2, 2, 2, 1, 1, 1, 1, 0, 0], 10.0, "umerena", 3.0),
            ([2, 2, 3, 3, 2, 1, 1, 1, 0], 15.0, "umereno teška", 5.0),
            ([3; 9], 27.0, "teška", 9.0),
        ];
        for (answers, sum, words, often) in published {
            let weights = answers.map(|answer| Some(f64::from(answer)));
            assert_eq!(total(&foreign, "zbir", &weights), formula::Value::Number(sum));
            assert_eq!(total(&foreign, "tezina", &weights), formula::Value::text(words));
            assert_eq!(total(&foreign, "cesto", &weights), formula::Value::Number(often));
        }
        assert_eq!(total(&foreign, "zbir", &[None; 9]), formula::Value::Blank);
        assert_eq!(total(&foreign, "zbir", &[Some(3.0), None, Some(2.0)]), formula::Value::Number(5.0));
    }

    /// All but the total are added, with the function of SDC and the weights of R5. Published: 0 to 21, 10 and more is a positive screen
    /// (Spitzer 2006).
    #[test]
    fn gad_7_adds_the_weights_of_all_but_its_total() {
        let codes = ["LA6568-5", "LA6569-3", "LA18938-3", "LA18939-1"];
        let mut items: Vec<Value> = (1..=7).map(|at| scored(&format!("g{at}"), &codes, "itemWeight")).collect();
        items.push(computed("zbir", "integer", "%resource.item.where(linkId != 'zbir').answer.weight().sum()"));
        let screen = "%resource.item.where(linkId = 'zbir').answer.valueInteger";
        items.push(computed("pozitivno", "boolean", &format!("{screen} >= 10")));
        let foreign = questionnaire(&[], Value::Array(items));
        assert_eq!((foreign.proof.dokazano, foreign.proof.razlicito), (2, 0), "{:?}", foreign.unmapped);
        for (answers, sum, positive) in
            [([0; 7], 0.0, 0.0), ([2, 2, 2, 1, 1, 1, 0], 9.0, 0.0), ([2, 2, 2, 1, 1, 1, 1], 10.0, 1.0), ([3; 7], 21.0, 1.0)]
        {
            let weights = answers.map(|answer| Some(f64::from(answer)));
            assert_eq!(total(&foreign, "zbir", &weights), formula::Value::Number(sum));
            assert_eq!(total(&foreign, "pozitivno", &weights), formula::Value::Number(positive));
        }
    }

    /// None without all five of its signs (Apgar 1953), in a group; the questions of the other group are not in the sum.
    #[test]
    fn apgar_is_computed_of_one_group_and_only_whole() {
        let codes = ["A", "B", "C"];
        let signs: Vec<Value> = (1..=5).map(|at| scored(&format!("s{at}"), &codes, "itemWeight")).collect();
        let group = |link: &str, items: Value| json!({ "linkId": link, "text": link, "type": "group", "item": items });
        let in_group = "%resource.item.where(linkId = 'apgar').item.answer";
        let whole = format!("iif({in_group}.value.count() = 5, {in_group}.select($this.weight()).aggregate($this + $total, 0), {{}})");
        let foreign = questionnaire(
            &[],
            json!([
                group("apgar", Value::Array(signs)),
                group("drugo", json!([scored("x", &codes, "itemWeight")])),
                computed("zbir", "integer", &whole)
            ]),
        );
        assert_eq!((foreign.proof.dokazano, foreign.proof.razlicito), (1, 0), "{:?}", foreign.unmapped);
        assert_eq!(total(&foreign, "zbir", &[Some(2.0); 6]), formula::Value::Number(10.0));
        assert_eq!(total(&foreign, "zbir", &[Some(2.0), Some(1.0), Some(2.0), Some(2.0), Some(1.0)]), formula::Value::Number(8.0));
        assert_eq!(total(&foreign, "zbir", &[Some(2.0), None, Some(2.0), Some(2.0), Some(2.0)]), formula::Value::Blank);
    }

    /// A section with variables of its own, a condition between its questions, and what is taken together of its rows from outside.
    #[test]
    fn a_group_that_repeats_computes_in_its_rows_and_is_summed_outside() {
        let number = |link: &str| json!({ "linkId": link, "text": link, "type": "decimal" });
        let variable = |name: &str, text: &str| json!({ "url": VARIABLE, "valueExpression": { "name": name, "language": "text/fhirpath", "expression": text } });
        let rows = "%resource.item.where(linkId = 'lek').item.where(linkId = 'dnevno').answer.value";
        let foreign = brought(json!([
            number("kg"),
            { "linkId": "lek", "text": "Lek", "type": "group", "repeats": true,
              "extension": [variable("doza", "item.where(linkId = 'doza').answer.value"), variable("kg", "%context.item.where(linkId = 'puta').answer.value")],
              "item": [
                  number("doza"), number("puta"),
                  computed("dnevno", "decimal", "%doza * %kg"),
                  computed("poKg", "decimal", "%doza / %resource.item.where(linkId = 'kg').answer.value"),
                  computed("svih", "decimal", &format!("{rows}.sum()")),
                  { "linkId": "razlog", "text": "Razlog", "type": "string",
                    "enableWhen": [{ "question": "doza", "operator": ">", "answerDecimal": 10 }] },
              ] },
            computed("ukupno", "decimal", &format!("{rows}.sum()")),
            computed("van", "decimal", "%doza"),
        ]));
        assert_eq!(
            formula(&foreign, "dnevno"),
            Some("$(doza) * $(puta)"),
            "a variable of the section comes before one of its name around it"
        );
        assert_eq!(formula(&foreign, "poKg"), Some("if($(kg) == 0, null, $(doza) / $(kg))"));
        assert_eq!(formula(&foreign, "ukupno"), Some("if(count($(dnevno)) == 0, null, coalesce(sum(coalesce($(dnevno), 0)), 0))"));
        assert_eq!(
            ["svih", "van"].map(|code| formula(&foreign, code)),
            [None; 2],
            "all rows from within one, and a variable of the rows outside"
        );
        let shown =
            |code: &str| foreign.definition.forms[0].polja.iter().find(|field| field.sifra == code).unwrap().own.formula_za_prikaz.clone();
        assert_eq!(shown("razlog").as_deref(), Some("$(doza) > 10"));
        assert_eq!((foreign.proof.dokazano, foreign.proof.razlicito), (4, 0));
    }

    /// The option that a risk is, of the questionnaire's own; and what one of several expressions has.
    #[test]
    fn an_option_is_computed_and_one_of_several_values_is_taken() {
        let of = |code: &str| format!("%questionnaire.item.where(linkId = 'rizik').answerOption.value.where(code = '{code}')");
        let answer = "%resource.item.where(linkId = 'p1').answer.value";
        let mut risk =
            computed("rizik", "choice", &format!("iif({answer}.exists(), iif({answer}.code = 'D', {}, {}), {{}})", of("D"), of("N")));
        risk["answerOption"] = json!([option("N", 0), option("D", 1)]);
        let foreign = brought(json!([
            chosen("p1"),
            { "linkId": "a", "text": "A", "type": "integer" },
            risk,
            computed("jedno", "decimal", "iif(item.where(linkId = 'a').answer.value > 5, 1, {}) | iif(item.where(linkId = 'a').answer.value <= 5, 2, {})"),
        ]));
        let expected = "if(!isblank($(p1)), if(coalesce(if(isblank($(p1)), null, selected($(p1), \"D\")), false), \"Odgovor D\", \"Odgovor N\"), null)";
        assert_eq!(formula(&foreign, "rizik"), Some(expected));
        assert!(formula(&foreign, "jedno").is_some_and(|formula| formula.starts_with("coalesce(if(")), "{:?}", formula(&foreign, "jedno"));
        assert_eq!((foreign.proof.dokazano, foreign.proof.razlicito), (2, 0), "{:?}", foreign.warnings);
    }

    #[test]
    fn what_cannot_be_carried_is_told_and_typed_by_hand() {
        let foreign = brought(json!([
            chosen("p1"),
            computed("sam", "integer", "%resource.item.where(linkId = 'sam').answer.value + 1"),
            computed("tudj", "integer", "%resource.item.where(linkId = 'p1').answer.value.replaceMatches('a', 'b')"),
            computed("reci", "date", "today()"),
            computed("razlicite", "integer", "(%resource.item.where(linkId = 'p1').answer.value.ordinal() | 1).sum()"),
        ]));
        assert_eq!(["sam", "tudj", "reci", "razlicite"].map(|code| formula(&foreign, code)), [None; 4]);
        let told = foreign.unmapped.iter().filter(|note| note.poruka.contains("calculatedExpression")).count();
        assert_eq!((told, foreign.proof.dokazano), (4, 0));
    }
}
