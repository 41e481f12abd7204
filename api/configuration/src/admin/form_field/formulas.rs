//! The formulas of a field among those of its form.

use domain::{
    entry::{form::EntryForm, rules::EntryRule},
    formula::{self, FormulaError, FormulaKind, Target},
    register::FieldProperties,
};
use platform::error::{Error, Result};
use serde_json::Value;

use super::warning::FormulaWarning;

/// The parsed formulas of a field, as they are stored.
#[derive(Default)]
pub struct Trees {
    pub prikaz: Option<Value>,
    pub racunanje: Option<Value>,
    pub obavezan: Option<Value>,
    pub warnings: Vec<FormulaWarning>,
}

/// Parses the field's formulas among those of the other fields: unknown codes and circles are refused with their place.
/// `beside` are fields of other forms that they or those name.
pub fn compile(form: &EntryForm, beside: Vec<formula::Field>, own: formula::Field, properties: &FieldProperties) -> Result<Trees> {
    let mut fields = form.formulas.clone();
    fields.extend(beside);
    let id = own.id;
    // What stands in it is a column once it repeats, and none any more once it does not.
    fields.iter_mut().filter(|field| field.parent == Some(id)).for_each(|field| field.sekcija = properties.ponavlja_se.then_some(id));
    fields.retain(|field| field.id != id);
    let parsed =
        |name, text: &Option<String>| text.as_deref().map(|text| formula::parse_among(text, &fields).map_err(at(name))).transpose();
    let racunanje = parsed(RACUNANJE, &properties.formula_za_racunanje)?;
    let prikaz = parsed(PRIKAZ, &properties.formula_za_prikaz)?;
    fields.push(formula::Field { racunanje, prikaz, ..own });
    let mut warnings = Vec::new();
    let mut compiled = |name, kind, text: &Option<String>| -> Result<Option<Value>> {
        let Some(text) = text else { return Ok(None) };
        let compiled = formula::compile(text, Target { field: id, kind }, &fields).map_err(at(name))?;
        warnings.extend(FormulaWarning::all_of(name, &compiled));
        Ok(Some(serde_json::to_value(compiled.formula).map_err(anyhow::Error::from)?))
    };
    let racunanje = compiled(RACUNANJE, FormulaKind::Calculation, &properties.formula_za_racunanje)?;
    let prikaz = compiled(PRIKAZ, FormulaKind::Display, &properties.formula_za_prikaz)?;
    let obavezan = match properties.obavezan_ako.as_deref() {
        None => None,
        Some(text) => {
            let compiled = formula::compile_conditions(&[text], &fields).into_iter().next().transpose().map_err(at(OBAVEZAN))?;
            warnings.extend(compiled.iter().flat_map(|compiled| FormulaWarning::all_of(OBAVEZAN, compiled)));
            compiled.map(|compiled| serde_json::to_value(compiled.formula)).transpose().map_err(anyhow::Error::from)?
        }
    };
    let examples = properties.primeri.as_deref().unwrap_or_default();
    if let Some(message) = formula::failing(&fields, id, examples).into_iter().next() {
        return Err(Error::invalid("primeri", message));
    }
    // Another type with other items, which formulas of other fields name.
    let own = fields.iter().find(|field| field.id == id);
    if let Some(problem) = own.and_then(|own| formula::items_missed_in(own, &fields)) {
        return Err(Error::invalid("tipAtributaID", problem));
    }
    if let Some(problem) = form.missed_by_conditions(&fields) {
        return Err(Error::invalid("tipAtributaID", problem));
    }
    if let Some(problem) = formula::misread_in(&fields) {
        return Err(Error::invalid("nadredjeniAtributUTipuSkupaID", problem.message));
    }
    // A circle that goes through what the field stands in.
    match formula::check_form(&fields).into_iter().find(|problem| problem.field == id) {
        Some(problem) => Err(Error::invalid("nadredjeniAtributUTipuSkupaID", problem.message)),
        None => Ok(Trees { prikaz, racunanje, obavezan, warnings }),
    }
}

pub const RACUNANJE: &str = "formulaZaRacunanje";
pub const PRIKAZ: &str = "formulaZaPrikaz";
pub const OBAVEZAN: &str = "obavezanAko";

fn at(field: &'static str) -> impl Fn(FormulaError) -> Error {
    move |error| Error::invalid(field, error.to_string())
}

/// Who else reads the code of this field, in words: a formula of another one, or a rule.
pub fn reader_of(form: &EntryForm, id: i64) -> Option<String> {
    let code = form.everything().find(|field| field.id == id)?.sifra.clone()?;
    let reads = |field: &formula::Field| field.formulas().chain(form.required_if.get(&field.id)).any(|formula| formula.reads(&code));
    let of_field = form.formulas.iter().find(|field| field.id != id && reads(field));
    if let Some(reader) = of_field.and_then(|reader| form.everything().find(|field| field.id == reader.id)) {
        return Some(format!("formula polja „{}”", reader.naziv));
    }
    let names = |rule: &&EntryRule| rule.formula.reads(&code) || rule.own.polje.as_ref() == Some(&code);
    form.rules.iter().find(names).map(|rule| format!("pravilo „{}”", rule.own.poruka))
}
