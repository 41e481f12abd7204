//! The formulas of a field among those of its form.

use domain::{
    entry::form::{EntryField, EntryForm},
    formula::{self, FormulaError, FormulaKind, Target},
    register::FieldProperties,
};
use serde_json::Value;

use super::warning::FormulaWarning;
use crate::error::{Error, Result};

/// The parsed formulas of a field, as they are stored.
#[derive(Default)]
pub struct Trees {
    pub prikaz: Option<Value>,
    pub racunanje: Option<Value>,
    pub warnings: Vec<FormulaWarning>,
}

/// Parses the field's formulas among those of the other fields: unknown codes and circles are refused with their place.
pub fn compile(mut fields: Vec<formula::Field>, own: formula::Field, properties: &FieldProperties) -> Result<Trees> {
    let id = own.id;
    fields.retain(|field| field.id != id);
    let parsed = |name, text: &Option<String>| text.as_deref().map(|text| formula::parse(text).map_err(at(name))).transpose();
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
    // Another type with other items, which formulas of other fields name.
    let own = fields.iter().find(|field| field.id == id);
    if let Some(problem) = own.and_then(|own| formula::items_missed_in(own, &fields)) {
        return Err(Error::invalid("tipAtributaID", problem));
    }
    // A circle that goes through what the field stands in.
    match formula::check_form(&fields).into_iter().find(|problem| problem.field == id) {
        Some(problem) => Err(Error::invalid("nadredjeniAtributUTipuSkupaID", problem.message)),
        None => Ok(Trees { prikaz, racunanje, warnings }),
    }
}

pub const RACUNANJE: &str = "formulaZaRacunanje";
pub const PRIKAZ: &str = "formulaZaPrikaz";

fn at(field: &'static str) -> impl Fn(FormulaError) -> Error {
    move |error| Error::invalid(field, error.to_string())
}

/// Another field whose formula reads the code of this one.
pub fn reader_of(form: &EntryForm, id: i64) -> Option<&EntryField> {
    let code = form.by_id().get(&id)?.sifra.clone()?;
    let reads = |field: &formula::Field| field.formulas().any(|formula| formula.reads(&code));
    let reader = form.formulas.iter().find(|field| field.id != id && reads(field))?;
    form.fields.iter().find(|field| field.id == reader.id)
}
