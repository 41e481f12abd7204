//! A document as entries would see it once it is published: to compare it with the form that is live.

use std::collections::HashMap;

use domain::{
    entry::form::{Choice, EntryField, EntryForm, FieldType, FormError, Source},
    register::{DEFAULT_ROWS, ValueType},
};
use rust_decimal::{Decimal, prelude::ToPrimitive};
use serde::Serialize;
use serde_json::Value;

use super::{
    check::Checked,
    document::{Document, DraftField, DraftType},
    live::Live,
    order,
};
use crate::error::Result;

pub fn entry_form(form: i64, document: &Document, checked: &Checked, live: &Live) -> Result<EntryForm> {
    let orders = order::of_fields(document, &live.fields);
    let (types, items) = (document.types(), document.items());
    let nothing = DraftType::default();
    let choices: HashMap<i64, Vec<Choice>> = items
        .into_iter()
        .map(|(type_id, items)| {
            let choice = |item: &super::document::DraftItem| Choice {
                id: item.id,
                naziv: item.naziv.clone(),
                num_vrednost: float(item.num_vrednost).unwrap_or_default(),
                aktivan: item.moze_se_izabrati,
            };
            (type_id, items.into_iter().map(choice).collect())
        })
        .collect();
    let mut fields = Vec::with_capacity(document.polja.len());
    for field in &document.polja {
        let own = types.get(&field.tip_atributa_id).copied().unwrap_or(&nothing);
        let mut shown = entry_field(field, own, orders.get(&field.id).copied().unwrap_or_default());
        shown.enum_stavke_sve = choices.get(&field.tip_atributa_id).cloned().unwrap_or_default();
        if let Some(parsed) = checked.formulas.get(&field.id) {
            shown.formula_za_prikaz = tree(parsed.prikaz.as_ref())?;
            shown.formula_za_racunanje = tree(parsed.racunanje.as_ref())?;
            shown.obavezan_ako = tree(parsed.obavezan.as_ref())?;
        }
        fields.push(shown);
    }
    fields.sort_by_key(|field| (field.redosled, field.id));
    let rules = checked.rules.clone();
    Ok(EntryForm::of_fields(form, document.naziv.clone(), fields, rules).map_err(|error: FormError| anyhow::Error::from(error))?)
}

fn entry_field(field: &DraftField, own: &DraftType, redosled: i32) -> EntryField {
    let of = &field.own;
    EntryField {
        id: field.id,
        sifra: of.sifra.clone(),
        naziv: of.naziv.clone(),
        redosled,
        tva_num_vrednost: own.tip_vrednosti_atributa,
        naredjeni_auts: field.nadredjeni,
        opciono: of.opcioni,
        relevantno: of.relevantni,
        prikazuje_se: of.prikazuje_se,
        prikazi_prethodnu: of.prikazi_prethodnu,
        ima_cek_box: of.ima_cek_box,
        radio_button: of.radio_button,
        multiselect: of.multiselect,
        vertikalni_prikaz: of.vertikalni_prikaz,
        ispisuje_se_labela: of.ispisuje_se_labela,
        inicijalna_brojna_vrednost: of.image_coordinate_x.and_then(|_| float(of.inicijalna_brojna_vrednost)),
        gornja_referentna_brojna_vrednost: float(of.gornja_referentna_brojna_vrednost),
        donja_referentna_brojna_vrednost: float(of.donja_referentna_brojna_vrednost),
        background_image: of.background_image.clone(),
        image_coordinate_x: float(of.image_coordinate_x),
        image_coordinate_y: float(of.image_coordinate_y),
        napomena: of.napomena.clone(),
        html_info: of.html_info.clone(),
        grafik: of.grafik.as_ref().and_then(|lines| serde_json::to_value(lines).ok()),
        tip_atributa: FieldType {
            donja_granica_brojne_vrednosti: float(own.own.donja_granica_brojne_vrednosti),
            gornja_granica_brojne_vrednosti: float(own.own.gornja_granica_brojne_vrednosti),
            decimale_brojne_vrednosti: own.own.decimale_brojne_vrednosti,
            jedinica: own.own.jedinica.clone(),
            druge_jedinice: own.own.druge_jedinice.clone(),
            sirina: own.own.sirina,
            visina: own.own.visina,
            fajlovi: (own.tip_vrednosti_atributa == ValueType::File).then(|| own.own.file_limits()),
        },
        izvor: Source {
            tip_atributa_id: field.tip_atributa_id,
            formula_za_prikaz: of.formula_za_prikaz.clone(),
            formula_za_racunanje: of.formula_za_racunanje.clone(),
            obavezan_ako: of.obavezan_ako.clone(),
        },
        najvise_redova: of.ponavlja_se.then(|| of.najvise_redova.unwrap_or(DEFAULT_ROWS)),
        ..EntryField::default()
    }
}

fn float(number: Option<Decimal>) -> Option<f64> {
    number.and_then(|number| number.to_f64())
}

fn tree(formula: Option<&impl Serialize>) -> Result<Option<Value>> {
    Ok(formula.map(serde_json::to_value).transpose()?)
}
