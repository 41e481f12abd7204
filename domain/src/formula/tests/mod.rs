//! `domain/formula-cases.json` is read here and by the browser's tests; `domain/formula-generated.json` holds what the
//! browser needs of it: the trees, and sums of results over random inputs. `REGENERATE=1 cargo test -p domain formula`
//! writes the second file anew.

mod agreement;
mod cases;
mod language;
mod warnings;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::*;
use crate::register::ValueType;

#[derive(Deserialize)]
struct Cases {
    today: jiff::civil::Date,
    examined: jiff::civil::Date,
    patient: PatientCase,
    previous: PreviousCase,
    evaluate: Vec<EvaluateCase>,
    refused: Vec<RefusedCase>,
    forms: Vec<FormCase>,
    random: Vec<RandomCase>,
}

#[derive(Deserialize)]
struct PatientCase {
    born: jiff::civil::Date,
    male: bool,
}

/// The previous entry, by the ids of the fields.
#[derive(Deserialize)]
struct PreviousCase {
    examined: jiff::civil::Date,
    values: BTreeMap<i64, Json>,
}

/// A formula over a few fields, whose result is that of a calculated field of type `tip`.
#[derive(Deserialize)]
struct EvaluateCase {
    name: String,
    formula: String,
    #[serde(default)]
    values: BTreeMap<String, Json>,
    /// Types of fields whose value does not tell it: 4 with its items, 5.
    #[serde(default)]
    fields: BTreeMap<String, FieldSpec>,
    #[serde(default = "number")]
    tip: ValueType,
    #[serde(default)]
    items: Vec<Item>,
    result: Json,
}

impl EvaluateCase {
    /// The fields that it reads, and what they hold.
    fn inputs(&self) -> (Vec<Field>, BTreeMap<i64, Json>) {
        let spec = |code: &String, value: &Json| match self.fields.get(code) {
            Some(spec) => (spec.tip, spec.items.clone()),
            None => (
                match value {
                    Json::Bool(_) => ValueType::Choice,
                    Json::String(_) => ValueType::Text,
                    _ => ValueType::Number,
                },
                Vec::new(),
            ),
        };
        let mut fields = Vec::new();
        let mut entered = BTreeMap::new();
        for (id, (code, value)) in (1..).zip(&self.values) {
            let (tip_vrednosti, items) = spec(code, value);
            fields.push(Field { id, sifra: Some(code.clone()), tip_vrednosti, items, ..Field::default() });
            entered.insert(id, value.clone());
        }
        (fields, entered)
    }
}

#[derive(Deserialize)]
struct FieldSpec {
    tip: ValueType,
    #[serde(default)]
    items: Vec<Item>,
}

#[derive(Deserialize)]
struct RefusedCase {
    formula: String,
    position: usize,
    message: String,
}

#[derive(Deserialize)]
struct FormCase {
    name: String,
    fields: Vec<FormField>,
    steps: Vec<FormStep>,
}

#[derive(Deserialize)]
struct FormField {
    id: i64,
    sifra: Option<String>,
    parent: Option<i64>,
    tip: ValueType,
    #[serde(default)]
    items: Vec<Item>,
    racunanje: Option<String>,
    prikaz: Option<String>,
    sekcija: Option<i64>,
}

#[derive(Deserialize)]
struct FormStep {
    /// None: the form stands without surroundings but the day.
    #[serde(default)]
    around: Option<StepAround>,
    entered: BTreeMap<i64, Json>,
    values: BTreeMap<i64, Json>,
    hidden: Vec<i64>,
}

#[derive(Deserialize)]
struct StepAround {
    examined: Option<jiff::civil::Date>,
    patient: Option<PatientCase>,
    previous: Option<PreviousCase>,
    /// Those before it, oldest first.
    #[serde(default)]
    earlier: Vec<PreviousCase>,
    /// Other forms of the register.
    #[serde(default)]
    others: Vec<OtherFormCase>,
}

#[derive(Deserialize)]
struct OtherFormCase {
    fields: Vec<FormField>,
    entries: Vec<PreviousCase>,
}

impl OtherFormCase {
    fn other_form(&self) -> OtherForm {
        OtherForm {
            form: 9,
            fields: self.fields.iter().map(FormField::field).collect(),
            entries: self.entries.iter().map(PreviousCase::previous).collect(),
        }
    }
}

impl PatientCase {
    fn patient(&self) -> Patient {
        Patient { born: Some(self.born), male: Some(self.male), male_at_birth: Some(!self.male) }
    }
}

impl PreviousCase {
    fn previous(&self) -> Previous {
        Previous { examined: self.examined, values: self.values.clone() }
    }
}

impl Cases {
    fn around(&self) -> FormulaSurroundings {
        FormulaSurroundings {
            today: self.today,
            examined: Some(self.examined),
            patient: Some(self.patient.patient()),
            previous: Some(self.previous.previous()),
            earlier: Vec::new(),
            others: Vec::new(),
        }
    }
}

impl FormStep {
    fn around(&self, cases: &Cases) -> FormulaSurroundings {
        let Some(around) = &self.around else { return FormulaSurroundings::on(cases.today) };
        FormulaSurroundings {
            today: cases.today,
            examined: around.examined,
            patient: around.patient.as_ref().map(PatientCase::patient),
            previous: around.previous.as_ref().map(PreviousCase::previous),
            earlier: around.earlier.iter().map(PreviousCase::previous).collect(),
            others: around.others.iter().map(OtherFormCase::other_form).collect(),
        }
    }
}

#[derive(Deserialize)]
struct RandomCase {
    name: String,
    formula: String,
    inputs: Vec<RandomInput>,
}

/// Decimal numbers between two bounds; `blank` of a thousand are blank.
#[derive(Deserialize)]
struct RandomInput {
    code: String,
    low: i64,
    high: i64,
    decimals: u32,
    blank: u32,
}

fn number() -> ValueType {
    ValueType::Number
}

fn cases() -> Cases {
    serde_json::from_str(include_str!("../../../formula-cases.json")).expect("the table of cases reads")
}

/// The tree that travelled through its stored form, as it does in the product.
fn stored(text: &str) -> Formula {
    stored_among(text, &[])
}

/// The same, with texts that are codes of items of these fields.
fn stored_among(text: &str, fields: &[Field]) -> Formula {
    let formula = items::parse_among(text, fields).unwrap_or_else(|error| panic!("{text}: {error}"));
    serde_json::from_str(&serde_json::to_string(&formula).unwrap()).unwrap()
}

impl FormField {
    fn field(&self) -> Field {
        Field {
            id: self.id,
            sifra: self.sifra.clone(),
            parent: self.parent,
            tip_vrednosti: self.tip,
            items: self.items.clone(),
            racunanje: self.racunanje.as_deref().map(stored),
            prikaz: self.prikaz.as_deref().map(stored),
            sekcija: self.sekcija,
            ..Field::default()
        }
    }
}

fn numeric(id: i64, sifra: &str) -> Field {
    Field { id, sifra: Some(sifra.into()), tip_vrednosti: ValueType::Number, ..Field::default() }
}

fn calculated(id: i64, sifra: &str, formula: &str) -> Field {
    Field { racunanje: Some(stored(formula)), ..numeric(id, sifra) }
}

fn calculation(field: i64) -> Target {
    Target { field, kind: FormulaKind::Calculation }
}

fn display(field: i64) -> Target {
    Target { field, kind: FormulaKind::Display }
}

/// What the browser's tests read.
#[derive(Serialize, Deserialize, PartialEq)]
struct Generated {
    /// By the text of the formula.
    trees: BTreeMap<String, Json>,
    /// By name; one sum for each block of inputs.
    sums: BTreeMap<String, Vec<u32>>,
    /// Names of all that may be called, in small letters.
    functions: Vec<String>,
}

#[test]
#[ignore = "long: thousands of random formulas"]
fn what_the_browsers_tests_read_is_fresh() {
    let cases = cases();
    let in_forms = cases.forms.iter().flat_map(|form| &form.fields).flat_map(|field| [&field.racunanje, &field.prikaz]).flatten();
    let tree = |formula: Formula| serde_json::to_value(formula).unwrap();
    let texts = in_forms.chain(cases.random.iter().map(|case| &case.formula));
    let mut trees: BTreeMap<String, Json> = texts.map(|text| (text.clone(), tree(parse(text).unwrap()))).collect();
    for case in &cases.evaluate {
        let own = tree(stored_among(&case.formula, &case.inputs().0));
        let other = trees.insert(case.formula.clone(), own.clone()).filter(|other| *other != own);
        assert!(other.is_none(), "two trees of one text: {}", case.formula);
    }
    let functions = function::CALLABLE.iter().map(|(name, ..)| (*name).to_owned()).collect();
    let fresh = Generated { trees, sums: agreement::sums(&cases), functions };

    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/formula-generated.json");
    if std::env::var_os("REGENERATE").is_some() {
        std::fs::write(path, serde_json::to_string_pretty(&fresh).unwrap() + "\n").unwrap();
    }
    let kept: Generated = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    assert!(kept == fresh, "formula-generated.json is stale, or results changed: REGENERATE=1 cargo test -p domain formula");
}
