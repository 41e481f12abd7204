//! A block as a part of a form's draft: what the designer puts into a form in one step. Everything in it is new, so that it has ids below 0.

use std::collections::HashMap;

use configuration::admin::form_draft::document::{Document, DraftField, DraftItem, DraftRule, DraftType};
use platform::error::{Error, Result};

use super::root_of;
use crate::import::definition::{Definition, FieldDefinition};

pub fn document(definition: &Definition) -> Result<Document> {
    let (Some(form), Some(block)) = (definition.forms.first(), &definition.block) else { return Err(Error::NotFound) };
    let root = root_of(definition).ok_or(Error::NotFound)?;
    let types: HashMap<&str, i64> = definition.attribute_types.iter().map(|known| known.mark()).zip(new_ids()).collect();
    let fields: HashMap<&str, i64> = form.polja.iter().map(|field| field.sifra.as_str()).zip(new_ids()).collect();
    let mut made = Document { naziv: block.naziv.clone(), ..Document::default() };
    let mut ids = new_ids();
    for (known, id) in definition.attribute_types.iter().zip(new_ids()) {
        made.tipovi.push(DraftType { id, tip_vrednosti_atributa: known.tip_vrednosti, own: known.own.clone() });
        made.stavke.extend(known.stavke.iter().zip(ids.by_ref()).map(|(item, own)| DraftItem {
            id: own,
            tip_atributa_id: id,
            naziv: item.naziv.clone(),
            num_vrednost: item.num_vrednost,
            bez_tezine: item.num_vrednost.is_none(),
            opis: item.opis.clone(),
            opcioni: item.opcioni,
            sifra_veza: item.sifra_veza.clone(),
            moze_se_izabrati: item.moze_se_izabrati,
        }));
    }
    for (field, id) in form.polja.iter().zip(new_ids()) {
        let type_id = types.get(field.tip_atributa.as_str()).copied().ok_or(Error::NotFound)?;
        let mut own = field.own.clone();
        own.blok = (field.sifra == root.sifra).then(|| format!("{}@{}", block.sifra, block.izdanje));
        made.polja.push(DraftField {
            id,
            tip_atributa_id: type_id,
            nadredjeni: field.nadredjeni.as_deref().and_then(|code| fields.get(code).copied()),
            inicijalna_stavka: first_item(&made, type_id, field),
            own,
        });
    }
    made.pravila = form.pravila.iter().zip(new_ids()).map(|(rule, id)| DraftRule { id, own: rule.own.clone() }).collect();
    Ok(made)
}

fn new_ids() -> impl Iterator<Item = i64> {
    (1..).map(|count: i64| -count)
}

fn first_item(made: &Document, type_id: i64, field: &FieldDefinition) -> Option<i64> {
    let name = field.inicijalna_enum_stavka.as_ref()?;
    made.stavke.iter().find(|item| item.tip_atributa_id == type_id && item.naziv == *name).map(|item| item.id)
}
