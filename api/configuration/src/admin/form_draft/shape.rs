//! A document as entries would see it once it is published: to compare it with the form that is live.

use std::collections::HashMap;

use domain::entry::form::{Choice, EntryField, EntryForm, FormError};
use platform::error::Result;
use rust_decimal::{Decimal, prelude::ToPrimitive};
use serde::Serialize;
use serde_json::Value;

use super::{
    check::DraftCheck,
    document::{Document, DraftItem, DraftType},
    live::Live,
    order,
};

pub fn entry_form(form: i64, document: &Document, checked: &DraftCheck, live: &Live) -> Result<EntryForm> {
    let orders = order::of_fields(document, &live.fields);
    let (types, items) = (document.types(), document.items());
    let nothing = DraftType::default();
    let choices: HashMap<i64, Vec<Choice>> = items
        .into_iter()
        .map(|(type_id, items)| {
            let choice = |item: &DraftItem| Choice {
                id: item.id,
                naziv: item.naziv.clone(),
                num_vrednost: float(item.num_vrednost),
                sifra: item.sifra_veza.clone(),
                aktivan: item.moze_se_izabrati,
                // Said only at publishing.
                znacenje: None,
            };
            (type_id, items.into_iter().map(choice).collect())
        })
        .collect();
    let mut fields = Vec::with_capacity(document.polja.len());
    for field in &document.polja {
        let own = types.get(&field.tip_atributa_id).copied().unwrap_or(&nothing);
        let mut shown = EntryField::configured(&field.own, field.tip_atributa_id, own.tip_vrednosti_atributa, &own.own);
        shown.id = field.id;
        shown.naredjeni_auts = field.nadredjeni;
        shown.redosled = orders.get(&field.id).copied().unwrap_or_default();
        shown.enum_stavke_sve = choices.get(&field.tip_atributa_id).cloned().unwrap_or_default();
        if let Some(parsed) = checked.formulas.get(&field.id) {
            shown.formula_za_prikaz = tree(parsed.prikaz.as_ref())?;
            shown.formula_za_racunanje = tree(parsed.racunanje.as_ref())?;
            shown.obavezan_ako = tree(parsed.obavezan.as_ref())?;
        }
        fields.push(shown);
    }
    let rules = checked.rules.clone();
    Ok(EntryForm::of_fields(form, document.naziv.clone(), fields, rules).map_err(|error: FormError| anyhow::Error::from(error))?)
}

fn float(number: Option<Decimal>) -> Option<f64> {
    number.and_then(|number| number.to_f64())
}

fn tree(formula: Option<&impl Serialize>) -> Result<Option<Value>> {
    Ok(formula.map(serde_json::to_value).transpose()?)
}
