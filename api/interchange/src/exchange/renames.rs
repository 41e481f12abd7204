//! Items and units that a file writes otherwise (docs/decisions/0065-meaning-is-not-wording.md).

use configuration::admin::form_draft::wording::{Rename, RenamedThing};
use domain::register::ValueType;

use crate::import::definition::{AttributeType, Definition};

/// Read before and after the file was brought in.
pub fn renames_between(before: &Definition, after: &Definition) -> Vec<Rename> {
    let mut found = Vec::new();
    for known in &after.attribute_types {
        let Some(was) = before.attribute_types.iter().find(|was| was.id.is_some() && was.id == known.id) else { continue };
        let fields = after.forms.iter().flat_map(|form| &form.polja).filter(|field| field.tip_atributa == known.mark());
        let polja: Vec<String> = fields.map(|field| field.own.naziv.clone()).collect();
        let mut tell = |vrsta, id: Option<i64>, staro: Option<String>, novo: Option<String>| {
            let rename = |id| Rename { vrsta, id, polja: polja.clone(), staro: staro.clone(), novo: novo.clone() };
            found.extend(id.filter(|_| staro != novo).map(rename));
        };
        let unit = |of: &AttributeType| of.own.jedinica.as_deref().map(str::trim).filter(|unit| !unit.is_empty()).map(str::to_owned);
        if known.tip_vrednosti == ValueType::Number {
            tell(RenamedThing::Jedinica, known.id, unit(was), unit(known));
        }
        for item in &known.stavke {
            if let Some(was) = was.stavke.iter().find(|was| was.id == item.id) {
                tell(RenamedThing::Stavka, item.id, Some(was.naziv.clone()), Some(item.naziv.clone()));
            }
        }
    }
    found
}
