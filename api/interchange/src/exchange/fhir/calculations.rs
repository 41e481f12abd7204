//! What a questionnaire computes or shows by FHIRPath, carried where the formula gives the same on random answers. What is not carried is told as
//! everything else that nobody read.

use std::collections::{BTreeSet, HashMap};

use domain::register::FieldProperties;
use rust_decimal::prelude::ToPrimitive;
use serde_json::Value;

use super::{
    condition::{Answers, Question},
    element::Element,
    own::OwnProperties,
    path::{self, Answered, Aspect, Path, Saying},
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
    pub item: Element<'a>,
    /// The expression with its language.
    pub value: Element<'a>,
}

/// A formula that gives what the expression gives, and the names of the variables in it.
struct Computation {
    formula: String,
    variables: BTreeSet<String>,
}

/// `variables`: expressions with names, those of the whole first.
pub fn settle(
    foreign: &mut Foreign,
    own: &OwnProperties,
    questions: &HashMap<&str, Question>,
    variables: &[Element<'_>],
    calculations: &[Calculation<'_>],
) {
    let mut texts: HashMap<&str, &str> = HashMap::new();
    for one in variables.iter().map(|one| one.raw()).filter(|one| is_path(one)) {
        if let (Some(name), Some(text)) = (one["name"].as_str(), one["expression"].as_str()) {
            texts.entry(name).or_insert(text);
        }
    }
    let trial = Trial { asked: proof::asked(&foreign.definition, questions), weights: weights(&foreign.definition), questions };
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
        match trial.carried(one, text, &texts, &waiting) {
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
    let used: BTreeSet<&String> = carried.iter().flat_map(|(_, found)| &found.variables).collect();
    for one in variables.iter().filter(|one| one.raw()["name"].as_str().is_some_and(|name| used.contains(&name.to_owned()))) {
        one.take();
    }
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
    questions: &'a HashMap<&'a str, Question>,
}

impl Trial<'_> {
    /// `waiting`: fields that are computed, and are not yet.
    fn carried(
        &self,
        one: &Calculation<'_>,
        text: &str,
        variables: &HashMap<&str, &str>,
        waiting: &BTreeSet<&str>,
    ) -> Result<Computation, Failure> {
        let known = self.questions.values().find(|known| known.code == one.code && !known.is_column);
        let is_truth = match (one.property, known.map(|known| &known.answers)) {
            (Property::Shows, _) | (_, Some(Answers::Boolean)) => true,
            (_, Some(Answers::Number { .. })) => false,
            _ => return Err("računa se samo broj, ili da ili ne".to_owned().into()),
        };
        let mut used = BTreeSet::new();
        let path = path::parse(text, variables, &mut used)?;
        let formula = Saying(self.questions).calculation(&path, is_truth)?;
        let read = self.read(&path);
        if one.property == Property::Computes && read.values().any(|known| waiting.contains(known.code.as_str())) {
            return Err("čita polje koje se ne računa".to_owned().into());
        }
        match self.examine(one, path, &formula, read)? {
            Verdict::Proven { .. } => Ok(Computation { formula, variables: used }),
            Verdict::Differs(found) => {
                let verbs = if one.property == Property::Shows { ("prikazuje", "krije") } else { ("daje „da”", "daje „ne”") };
                Err(Failure { why: found.words(verbs), differs: true })
            }
            Verdict::Unknown => Err("izraz se ne prenosi".to_owned().into()),
        }
    }

    /// The questions whose answers it chooses, by `linkId`.
    fn read(&self, path: &Path) -> HashMap<String, Question> {
        let mut found = HashMap::new();
        path.walk(&mut |node| match node.chosen() {
            Some(chosen) if chosen.links.is_some() => {
                let known = |link: &String| Some((link.clone(), self.questions.get(link.as_str())?.clone()));
                found.extend(chosen.links.iter().flatten().filter_map(known));
            }
            Some(chosen) if chosen.what == Aspect::Weights => {
                let has_options = |known: &Question| !known.is_column && matches!(known.answers, Answers::Options { .. });
                let all = self.questions.iter().filter(|(_, known)| has_options(known));
                found.extend(all.map(|(link, known)| ((*link).to_owned(), known.clone())));
            }
            _ => {}
        });
        found
    }

    fn examine(&self, one: &Calculation<'_>, path: Path, formula: &str, read: HashMap<String, Question>) -> Result<Verdict, String> {
        let mut literals = Vec::new();
        path.walk(&mut |node| match node {
            Path::Number(number) => literals.push(Answer::Number(*number)),
            Path::Text(text) => literals.push(Answer::Text(text.clone())),
            _ => {}
        });
        let reads = read.values().map(|known| known.code.clone()).collect();
        let weights = self.weights.clone();
        let shows = one.property == Property::Shows;
        let source = move |answers: &values::Answers| {
            let one = |known: &Question| answered(known, answers.get(&known.code), weights.get(&known.code).map_or(&[], Vec::as_slice));
            let given = |link: Option<&str>| match link {
                Some(link) => read.get(link).map(one).unwrap_or_default(),
                None => read.values().flat_map(one).collect(),
            };
            let found = path::result(&path, &given)?;
            if shows {
                return Some(Outcome::Holds(found == Some(Value::Bool(true))));
            }
            let answer = match found {
                None => Answer::Blank,
                Some(Value::Bool(yes)) => Answer::Yes(yes),
                Some(Value::Number(number)) => Answer::Number(number.as_f64()?),
                Some(Value::String(text)) => Answer::Text(text),
                Some(_) => return None,
            };
            Some(Outcome::Gives(answer))
        };
        values::examine(
            &self.asked,
            &values::Claim { formula, result: (!shows).then_some(one.code.as_str()), reads, literals, source: &source },
        )
    }
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
    use serde_json::{Value, json};

    use crate::exchange::{fhir::read, foreign::Foreign};

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

    #[test]
    fn what_cannot_be_carried_is_told_and_typed_by_hand() {
        let foreign = brought(json!([
            chosen("p1"),
            computed("sam", "integer", "%resource.item.where(linkId = 'sam').answer.value + 1"),
            computed("tudj", "integer", "%resource.item.where(linkId = 'p1').answer.value.replaceMatches('a', 'b')"),
            computed("reci", "string", "'a'"),
        ]));
        assert_eq!([formula(&foreign, "sam"), formula(&foreign, "tudj"), formula(&foreign, "reci")], [None; 3]);
        let told = foreign.unmapped.iter().filter(|note| note.poruka.contains("calculatedExpression")).count();
        assert_eq!((told, foreign.proof.dokazano), (3, 0));
    }
}
