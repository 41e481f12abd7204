//! Expressions that wait until all fields of a form are known: said here, proven on random answers, and carried or told.

use std::collections::HashMap;

use domain::register::{LONGEST_MESSAGE, RuleKind, RuleProperties, ValueType};
use rust_decimal::prelude::ToPrimitive;

use super::{
    expression::{self, Dialect, Node, Reference},
    foreign::Builder,
    known_field::{ExpressionField, Kind},
    proof::{self, Claim, Difference, Meaning, Question, Questions, Verdict},
    report::Note,
    translation::{self, Fields, Manner, ResultKind, Translation},
};
use crate::import::{
    definition::{AttributeType, Definition, RuleDefinition},
    formulas::{self, FormulaPlace},
};

const LONGER: &str = "rezultat se čuva sa dve decimale, a u izvoru ih ima više";

/// Of how many letters of expressions a form's answers are tried: a file that has more takes too long.
const MOST_TRIED: usize = 1_000_000;

/// How long a chain of calculations may be that tell each other's kind.
const MOST_PASSES: usize = 20;

#[derive(Clone, Copy, PartialEq)]
enum Property {
    Prikaz,
    Racunanje,
    Obavezan,
    /// What must hold of the field; a rule of the form tells where it does not.
    Pravilo,
}

/// An expression that waits until all fields are known.
pub struct Pending {
    field: usize,
    property: Property,
    place: String,
    text: String,
    /// What a rule tells.
    message: String,
}

/// A formula that is carried.
struct CarriedFormula {
    formula: String,
    remarks: Vec<String>,
    proven: bool,
}

/// Why one is not.
struct Failure {
    why: String,
    differs: bool,
}

impl From<String> for Failure {
    fn from(why: String) -> Self {
        Self { why, differs: false }
    }
}

impl Failure {
    fn of(found: &Difference, property: Property) -> Self {
        let verbs = match property {
            Property::Prikaz => ("prikazuje", "krije"),
            Property::Obavezan => ("traži", "ne traži"),
            Property::Pravilo => ("odbija", "prihvata"),
            Property::Racunanje => ("daje „da”", "daje „ne”"),
        };
        Self { why: found.words(verbs), differs: true }
    }
}

impl Builder {
    /// A condition, or a calculation, in the language of the other system.
    pub fn shows(&mut self, at: usize, place: &str, text: &str) {
        self.wait(at, Property::Prikaz, (place, text), String::new());
    }

    pub fn calculates(&mut self, at: usize, place: &str, text: &str) {
        self.wait(at, Property::Racunanje, (place, text), String::new());
    }

    /// Where a value is required.
    pub fn asks(&mut self, at: usize, place: &str, text: &str) {
        self.wait(at, Property::Obavezan, (place, text), String::new());
    }

    /// A calculation whose field holds whatever comes of it.
    pub fn gives(&mut self, at: usize, place: &str, text: &str) {
        self.typed_by_result.push(at);
        self.calculates(at, place, text);
    }

    /// What must hold of a value once there is one, and what is told where it does not.
    pub fn holds(&mut self, at: usize, place: &str, text: &str, message: &str) {
        let label = &self.form.polja[at].own.naziv;
        let message = if message.is_empty() { format!("Vrednost polja „{label}” nije dozvoljena.") } else { message.to_owned() };
        self.wait(at, Property::Pravilo, (place, text), message.chars().take(LONGEST_MESSAGE).collect());
    }

    fn wait(&mut self, field: usize, property: Property, (place, text): (&str, &str), message: String) {
        self.pending.push(Pending { field, property, place: place.to_owned(), text: text.to_owned(), message });
    }

    /// The form with its formulas; the words of those that cannot be stay in the designer's note of their field.
    pub(super) fn finish(mut self, dialect: Option<Dialect>) -> Self {
        let pending = std::mem::take(&mut self.pending);
        if dialect == Some(Dialect::XlsForm) {
            self.settle_results(&pending);
        }
        self.tell_least();
        let questions = self.questions();
        let mut carried: HashMap<usize, bool> = HashMap::new();
        let mut ruling = Vec::new();
        let mut tried = 0;
        for (at, one) in pending.iter().enumerate() {
            tried += one.text.len();
            let questions = Some(&questions).filter(|_| tried <= MOST_TRIED);
            match self.carried(one, dialect, questions) {
                Ok(CarriedFormula { formula, remarks, proven }) => {
                    self.warnings.extend(remarks.into_iter().map(|remark| Note::of(one.place.clone(), remark, one.text.clone())));
                    carried.insert(at, proven);
                    let field = &mut self.form.polja[one.field];
                    match one.property {
                        Property::Prikaz => field.own.formula_za_prikaz = Some(formula),
                        Property::Racunanje => field.own.formula_za_racunanje = Some(formula),
                        Property::Obavezan => field.own.obavezan_ako = Some(formula),
                        Property::Pravilo => {
                            let (poruka, polje) = (one.message.clone(), Some(field.sifra.clone()));
                            let own = RuleProperties { uslov: formula, poruka, vrsta: RuleKind::Greska, polje };
                            self.form.pravila.push(RuleDefinition::of(own));
                            ruling.push(at);
                        }
                    }
                }
                Err(Failure { why, differs }) => {
                    self.proof.razlicito += usize::from(differs);
                    self.leave_words(one, &why);
                }
            }
        }
        for dropped in self.drop_faulty(&pending, ruling) {
            carried.remove(&dropped);
        }
        self.proof.dokazano = carried.values().filter(|proven| **proven).count();
        self.proof.nedokazano = carried.len() - self.proof.dokazano;
        self.proof.odgovora = proof::TRIES;
        self.drop_empty_sections();
        self.tell_nothing_left();
        self.settle_loose();
        self
    }

    /// A calculation of XLSForm tells what its field holds; one may read another, so they are asked until nothing changes.
    fn settle_results(&mut self, pending: &[Pending]) {
        let calculated: Vec<&Pending> =
            pending.iter().filter(|one| one.property == Property::Racunanje && self.typed_by_result.contains(&one.field)).collect();
        for _ in 0..calculated.len().min(MOST_PASSES) {
            let mut changed = false;
            for one in &calculated {
                let code = self.form.polja[one.field].sifra.clone();
                let Some(key) = self.known.iter().find(|(_, known)| known.code == code).map(|(key, _)| key.clone()) else { continue };
                // What it does not find is a text, as the answers of hidden fields are.
                let resolve =
                    |reference: &Reference| Ok(expression::resolve(reference, Dialect::XlsForm, &key, &self.known).unwrap_or_default());
                let Ok(node) = expression::parse(&one.text, Dialect::XlsForm, &resolve) else { continue };
                let kind = translation::kind_of(&node, &self.known).unwrap_or(ResultKind::Text);
                changed |= self.hold(one.field, &key, kind);
            }
            if !changed {
                return;
            }
        }
    }

    /// Makes the field hold results of this kind; whether it did not before.
    fn hold(&mut self, at: usize, key: &str, kind: ResultKind) -> bool {
        let (type_name, kind, truths) = match kind {
            ResultKind::Number => (self.number_type(Some(2), (None, None), None), Kind::Number, None),
            ResultKind::Text => (self.text_type(false), Kind::Text, None),
            ResultKind::Date => (self.plain_type("Datum", ValueType::Date), Kind::Date, None),
            ResultKind::Truth => (self.plain_type("Da/Ne", ValueType::Choice), Kind::Choice, Some(("true".to_owned(), "false".to_owned()))),
        };
        let field = &mut self.form.polja[at];
        let changed = field.tip_atributa != type_name;
        field.tip_atributa = type_name;
        if let Some(known) = self.known.get_mut(key) {
            (known.kind, known.truths) = (kind, truths);
        }
        changed
    }

    /// What bounds say of a number, which expressions may count on.
    fn tell_least(&mut self) {
        let types: HashMap<&str, &AttributeType> = self.types.iter().map(|known| (known.own.naziv.as_str(), known)).collect();
        for field in &self.form.polja {
            let bound = types.get(field.tip_atributa.as_str()).and_then(|known| known.own.donja_granica_brojne_vrednosti);
            let least = bound.or(field.own.donja_referentna_brojna_vrednost).and_then(|least| least.to_f64());
            if let Some(known) = self.known.values_mut().find(|known| known.code == field.sifra) {
                known.least = least.or(known.least);
            }
        }
    }

    /// What can be answered to each field.
    fn questions(&self) -> Questions {
        let types: HashMap<&str, &AttributeType> = self.types.iter().map(|known| (known.own.naziv.as_str(), known)).collect();
        let known: HashMap<&str, &ExpressionField> = self.known.values().map(|known| (known.code.as_str(), known)).collect();
        let seen = formulas::fields(&self.form, &types);
        let question = |(field, seen): (&crate::import::definition::FieldDefinition, domain::formula::Field)| {
            let mut question = Question::of(&field.own.naziv, seen);
            question.whole = types[field.tip_atributa.as_str()].own.decimale_brojne_vrednosti == Some(0);
            let bound = |bound: Option<rust_decimal::Decimal>| bound.and_then(|bound| bound.to_f64());
            question.low = known.get(field.sifra.as_str()).and_then(|known| known.least);
            question.high = question.high.or(bound(field.own.gornja_referentna_brojna_vrednost));
            if let Some(Kind::Set { items, .. }) = known.get(field.sifra.as_str()).map(|known| &known.kind) {
                question.codes = items.iter().map(|(code, _)| code.clone()).collect();
            }
            question
        };
        self.form.polja.iter().zip(seen).map(question).collect()
    }

    fn carried(&self, one: &Pending, dialect: Option<Dialect>, questions: Option<&Questions>) -> Result<CarriedFormula, Failure> {
        let field = &self.form.polja[one.field];
        let known = self.known.iter().find(|(_, known)| known.code == field.sifra);
        let in_row = known.is_some_and(|(_, known)| known.column);
        if in_row && matches!(one.property, Property::Obavezan | Property::Pravilo) {
            return Err("polje stoji u sekciji koja se ponavlja".to_owned().into());
        }
        let is_set = known.is_some_and(|(_, known)| matches!(known.kind, Kind::Set { .. }));
        if one.property == Property::Racunanje && is_set {
            return Err("odgovor iz liste se ne računa".to_owned().into());
        }
        if one.property == Property::Racunanje && known.is_some_and(|(_, known)| matches!(known.kind, Kind::Clock)) {
            return Err("vreme se ovde ne računa iz prenetog izraza".to_owned().into());
        }
        let always = known.is_some_and(|(_, known)| matches!(known.kind, Kind::Choice)) || field.own.formula_za_racunanje.is_some();
        if one.property == Property::Obavezan && always {
            return Err("polje da ili ne i polje koje se računa nisu obavezni pod uslovom".to_owned().into());
        }
        let Some(dialect) = dialect else { return Err("izraz se ne prenosi".to_owned().into()) };
        let own = known.map(|(key, _)| key.as_str()).unwrap_or_default();
        let is_rule = one.property == Property::Pravilo;
        let node = expression::parse(&one.text, dialect, &|reference| {
            if *reference == Reference::Own && !is_rule {
                return Err("znak „.”".to_owned());
            }
            expression::resolve(reference, dialect, own, &self.known)
        })?;
        let expression = Expression { node, dialect, property: one.property, code: &field.sifra, fields: &self.known, in_row };
        expression.carried(self.result_kind(&field.tip_atributa), questions)
    }

    fn result_kind(&self, type_name: &str) -> ResultKind {
        match self.types.iter().find(|known| known.own.naziv == type_name).map(|known| known.tip_vrednosti) {
            Some(ValueType::Text) => ResultKind::Text,
            Some(ValueType::Date) => ResultKind::Date,
            Some(ValueType::Choice) => ResultKind::Truth,
            _ => ResultKind::Number,
        }
    }

    /// What was translated and yet cannot be here: a circle, a formula that is too long. `ruling`: which pending ones the rules come from.
    /// Gives those that were dropped.
    fn drop_faulty(&mut self, pending: &[Pending], mut ruling: Vec<usize>) -> Vec<usize> {
        let mut dropped = Vec::new();
        loop {
            let definition = Definition {
                block: None,
                register: None,
                attribute_types: self.types.clone(),
                forms: vec![self.form.clone()],
                planovi: Vec::new(),
                pravila_kvaliteta: Vec::new(),
            };
            let mut faulty = formulas::compile(&definition).faulty;
            if faulty.is_empty() {
                return dropped;
            }
            // Rules from the end, so that the places of the others stay what they are.
            faulty.sort_by_key(|one| std::cmp::Reverse(if let FormulaPlace::Rule(at) = one.whose { at } else { 0 }));
            for one in faulty {
                let source = match &one.whose {
                    FormulaPlace::Rule(at) => {
                        self.form.pravila.remove(*at);
                        Some(ruling.remove(*at))
                    }
                    FormulaPlace::Field(code, property) => {
                        let Some(at) = self.form.polja.iter().position(|field| field.sifra == *code) else { continue };
                        let own = &mut self.form.polja[at].own;
                        let (text, property) = match *property {
                            "formulaZaPrikaz" => (&mut own.formula_za_prikaz, Property::Prikaz),
                            "formulaZaRacunanje" => (&mut own.formula_za_racunanje, Property::Racunanje),
                            _ => (&mut own.obavezan_ako, Property::Obavezan),
                        };
                        *text = None;
                        pending.iter().position(|source| source.field == at && source.property == property)
                    }
                };
                if let Some(source) = source.and_then(|at| pending.get(at).map(|one| (at, one))) {
                    dropped.push(source.0);
                    self.leave_words(source.1, &one.message);
                }
            }
        }
    }

    fn leave_words(&mut self, one: &Pending, why: &str) {
        let (what, is_not, then) = match one.property {
            Property::Prikaz => ("uslov prikaza", "nije prenet", "polje se prikazuje uvek"),
            Property::Racunanje => ("računanje", "nije preneto", "polje se unosi ručno"),
            Property::Obavezan => ("uslov obaveznosti", "nije prenet", "polje nije obavezno"),
            Property::Pravilo => ("ograničenje", "nije preneto", "ne proverava se"),
        };
        self.unmapped.push(Note::of(one.place.clone(), format!("{what} {is_not} ({why}); {then}"), one.text.clone()));
        super::words::designer_note(&mut self.form.polja[one.field].own, &format!("Nije preneto ({what}): {}", one.text));
    }
}

/// Nothing is proven of what comes after a file's share of the work.
fn examined(questions: Option<&Questions>, claim: &Claim) -> Result<Verdict, String> {
    questions.map_or(Ok(Verdict::Unknown), |questions| proof::examine(questions, claim))
}

/// An expression of XLSForm or REDCap with all that it names.
struct Expression<'a> {
    node: Node,
    dialect: Dialect,
    property: Property,
    /// Of the field whose expression it is.
    code: &'a str,
    fields: &'a Fields,
    /// Whether that field is a column of a section.
    in_row: bool,
}

impl Expression<'_> {
    /// Said plainly; exactly where that differs from the source.
    fn carried(&self, kind: ResultKind, questions: Option<&Questions>) -> Result<CarriedFormula, Failure> {
        let source = self.meaning();
        let mut failure = None;
        for manner in [Manner::Plain, Manner::Exact] {
            let Translation { formula, mut remarks } = self.said(manner, kind)?;
            let result = (self.property == Property::Racunanje).then_some(self.code);
            let reads = self.node.fields().into_iter().filter_map(|key| Some(self.fields.get(key)?.code.clone())).collect();
            let claim =
                Claim { formula: &formula, result, reads, literals: self.node.literals(), source: source.as_ref(), in_row: self.in_row };
            match examined(questions, &claim)? {
                Verdict::Differs(found) => failure = failure.or(Some(found)),
                verdict => {
                    if verdict == (Verdict::Proven { longer: true }) && kind == ResultKind::Number && result.is_some() {
                        remarks.push(LONGER.to_owned());
                    }
                    return Ok(CarriedFormula { formula, remarks, proven: matches!(verdict, Verdict::Proven { .. }) });
                }
            }
        }
        Err(failure.map_or_else(|| Failure::from("izraz se ne prenosi".to_owned()), |found| Failure::of(&found, self.property)))
    }

    fn said(&self, manner: Manner, kind: ResultKind) -> Result<Translation, String> {
        let Self { node, dialect, fields, .. } = self;
        match self.property {
            Property::Prikaz | Property::Obavezan => translation::condition(node, *dialect, fields, manner),
            Property::Racunanje => translation::calculation(node, *dialect, fields, manner, kind),
            Property::Pravilo => {
                let said = translation::constraint(node, *dialect, fields, manner, self.code)?;
                Ok(Translation { formula: format!("!isblank($({})) and !({})", self.code, said.formula), ..said })
            }
        }
    }

    /// What the source gives, by an evaluator that knows nothing of the translation.
    fn meaning(&self) -> Box<Meaning> {
        let read = |key: &&str| Some(((*key).to_owned(), self.fields.get(*key)?.clone()));
        let fields: Fields = self.node.fields().iter().filter_map(read).collect();
        let (node, property, own) = (self.node.clone(), self.property, self.code.to_owned());
        match self.dialect {
            Dialect::XlsForm => {
                let source = proof::xpath::Source { node, fields };
                Box::new(move |answers| match property {
                    Property::Racunanje => source.result(answers),
                    Property::Pravilo => source.broken(&own, answers),
                    Property::Prikaz | Property::Obavezan => source.condition(answers),
                })
            }
            Dialect::RedCap => {
                let source = proof::redcap::Source { node, fields, calculates: property == Property::Racunanje };
                Box::new(move |answers| match property {
                    Property::Racunanje => source.result(answers),
                    _ => source.condition(answers),
                })
            }
        }
    }
}
