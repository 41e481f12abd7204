//! What another version of a form has that one has not: in words, for whoever decides between them.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::{
    form::{Choice, EntryField, EntryForm},
    meaning::{same_item, same_unit, unit},
    rules::EntryRule,
    value_text::value_text,
    values::Values,
};
use crate::{
    attachment::FileLimits,
    formula::{FormulaSurroundings, evaluate_form},
    register::{OtherUnit, RuleProperties, ValueType},
    shown,
};

/// From an older version to a newer one. Fields that arrange the screen are among them.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct Difference {
    /// The form's own name.
    pub naziv: Option<Change>,
    pub dodata: Vec<NamedField>,
    pub uklonjena: Vec<NamedField>,
    pub izmenjena: Vec<ChangedField>,
    pub pravila: Vec<ChangedRule>,
}

/// A rule that is another, in words; none: it was not there, or is not any more.
#[derive(Debug, PartialEq, Serialize, ToSchema)]
pub struct ChangedRule {
    pub staro: Option<String>,
    pub novo: Option<String>,
}

#[derive(Debug, PartialEq, Serialize, ToSchema)]
pub struct NamedField {
    pub polje: i64,
    pub naziv: String,
}

#[derive(Debug, PartialEq, Serialize, ToSchema)]
pub struct ChangedField {
    pub polje: i64,
    /// As the newer version calls it.
    pub naziv: String,
    pub promene: Vec<Change>,
}

/// What is another, from what to what; none: there was or is nothing. Without both it only is another: a layout, a picture.
#[derive(Debug, PartialEq, Serialize, ToSchema)]
#[schema(as = FormChange)]
#[serde(rename_all = "camelCase")]
pub struct Change {
    pub sta: Aspect,
    pub staro: Option<String>,
    pub novo: Option<String>,
    /// Whether a unit or items are only spelt otherwise, and mean what they meant.
    pub samo_pravopis: bool,
}

/// What about a field may be another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Aspect {
    Naziv,
    Tip,
    Jedinica,
    DrugeJedinice,
    Opseg,
    Decimale,
    Stavke,
    Racunanje,
    Prikaz,
    Obavezno,
    ObaveznoAko,
    Referentne,
    Ponavljanje,
    Fajlovi,
    PrethodnaVrednost,
    PostavljaStatus,
    Izgled,
}

impl Difference {
    pub fn between<'a>(older: &'a EntryForm, newer: &'a EntryForm) -> Self {
        let by_id = |form: &'a EntryForm| -> BTreeMap<i64, &'a EntryField> { form.everything().map(|field| (field.id, field)).collect() };
        let (was, now) = (by_id(older), by_id(newer));
        let named = |field: &EntryField| NamedField { polje: field.id, naziv: field.naziv.clone() };
        let missing_in = |form: &EntryForm, other: &BTreeMap<i64, &EntryField>| -> Vec<NamedField> {
            form.everything().filter(|field| !other.contains_key(&field.id)).map(named).collect()
        };
        let changed = newer.everything().filter_map(|field| {
            let promene = changes(was.get(&field.id)?, field);
            (!promene.is_empty()).then(|| ChangedField { polje: field.id, naziv: field.naziv.clone(), promene })
        });
        Self {
            naziv: change(Aspect::Naziv, Some(older.naziv.clone()), Some(newer.naziv.clone())),
            dodata: missing_in(newer, &was),
            uklonjena: missing_in(older, &now),
            izmenjena: changed.collect(),
            pravila: rules(older, newer),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.naziv.is_none() && self.dodata.is_empty() && self.uklonjena.is_empty() && self.izmenjena.is_empty() && self.pravila.is_empty()
    }
}

/// In the order of the newer version, then those that are gone.
fn rules(older: &EntryForm, newer: &EntryForm) -> Vec<ChangedRule> {
    let told = |rule: &EntryRule| {
        let RuleProperties { uslov, poruka, vrsta, polje } = &rule.own;
        let beside = polje.as_deref().map(|code| format!(" (uz polje {code})")).unwrap_or_default();
        format!("{} ako je {uslov}: {poruka}{beside}", vrsta.name())
    };
    let in_form = |form: &EntryForm, id: i64| form.rules.iter().find(|rule| rule.id == id).map(told);
    let now = newer.rules.iter().map(|rule| rule.id);
    let gone = older.rules.iter().map(|rule| rule.id).filter(|id| !newer.rules.iter().any(|rule| rule.id == *id));
    let pairs = now.chain(gone).map(|id| ChangedRule { staro: in_form(older, id), novo: in_form(newer, id) });
    pairs.filter(|pair| pair.staro != pair.novo).collect()
}

fn change(sta: Aspect, staro: Option<String>, novo: Option<String>) -> Option<Change> {
    (staro != novo).then_some(Change { sta, staro, novo, samo_pravopis: false })
}

fn changes(was: &EntryField, now: &EntryField) -> Vec<Change> {
    let pair = |sta, of: fn(&EntryField) -> Option<String>| change(sta, of(was), of(now));
    let mut found: Vec<Change> = [
        pair(Aspect::Naziv, |field| Some(field.naziv.clone())),
        pair(Aspect::Tip, |field| Some(field.tva_num_vrednost.name().to_owned())),
        pair(Aspect::Jedinica, |field| unit(field).map(str::to_owned))
            .map(|change| Change { samo_pravopis: same_unit(was, now), ..change }),
        pair(Aspect::DrugeJedinice, other_units),
        pair(Aspect::Opseg, |field| {
            range(field.tip_atributa.donja_granica_brojne_vrednosti, field.tip_atributa.gornja_granica_brojne_vrednosti)
        }),
        pair(Aspect::Decimale, |field| field.tip_atributa.decimale_brojne_vrednosti.map(|most| most.to_string())),
        pair(Aspect::Obavezno, |field| Some(if field.opciono { "neobavezno" } else { "obavezno" }.to_owned())),
        pair(Aspect::Referentne, |field| range(field.donja_referentna_brojna_vrednost, field.gornja_referentna_brojna_vrednost)),
        pair(Aspect::PrethodnaVrednost, |field| field.prikazi_prethodnu.then(|| "prikazuje se uz polje".to_owned())),
        pair(Aspect::PostavljaStatus, |field| field.postavlja_status.map(|status| status.words().to_owned())),
        pair(Aspect::Ponavljanje, |field| field.najvise_redova.map(|most| format!("ponavlja se, najviše redova: {most}"))),
        pair(Aspect::Fajlovi, |field| field.tip_atributa.fajlovi.as_ref().map(FileLimits::told)),
    ]
    .into_iter()
    .flatten()
    .collect();
    found.extend(items(&was.enum_stavke_sve, &now.enum_stavke_sve));
    found.extend(formula(Aspect::Racunanje, [was, now], |field| (&field.formula_za_racunanje, &field.izvor.formula_za_racunanje)));
    found.extend(formula(Aspect::Prikaz, [was, now], |field| (&field.formula_za_prikaz, &field.izvor.formula_za_prikaz)));
    found.extend(formula(Aspect::ObaveznoAko, [was, now], |field| (&field.obavezan_ako, &field.izvor.obavezan_ako)));
    if looks(was) != looks(now) {
        found.push(Change { sta: Aspect::Izgled, staro: None, novo: None, samo_pravopis: false });
    }
    found
}

/// Each with what makes a number of the own unit of it: `mg/dL × 0,02586`.
fn other_units(field: &EntryField) -> Option<String> {
    let told = |unit: &OtherUnit| {
        let offset = match unit.pomeraj {
            0.0 => String::new(),
            by if by < 0.0 => format!(" − {}", shown::number(-by)),
            by => format!(" + {}", shown::number(by)),
        };
        format!("{} × {}{offset}", unit.jedinica, shown::number(unit.cinilac))
    };
    let all: Vec<String> = field.tip_atributa.druge_jedinice.iter().map(told).collect();
    (!all.is_empty()).then(|| all.join("; "))
}

fn range(low: Option<f64>, high: Option<f64>) -> Option<String> {
    match (low, high) {
        (Some(low), Some(high)) => Some(format!("{} – {}", shown::number(low), shown::number(high))),
        (Some(low), None) => Some(format!("od {}", shown::number(low))),
        (None, Some(high)) => Some(format!("do {}", shown::number(high))),
        (None, None) => None,
    }
}

/// Items that are only spelt otherwise, and apart from them those that are another: each with its number, since formulas read it.
fn items(was: &[Choice], now: &[Choice]) -> Vec<Change> {
    let number = |item: &Choice| (item.num_vrednost, item.aktivan);
    let is_respelt = |one: &Choice, other: &Choice| same_item(one, other) && one.naziv != other.naziv && number(one) == number(other);
    let (mut older, mut newer, mut names) = (was.to_vec(), now.to_vec(), Vec::new());
    newer.retain(|item| {
        let Some(at) = older.iter().position(|before| is_respelt(before, item)) else { return true };
        names.push((older.remove(at).naziv, item.naziv.clone()));
        false
    });
    let (before, after): (Vec<_>, Vec<_>) = names.into_iter().unzip();
    let respelt = change(Aspect::Stavke, Some(before.join("; ")), Some(after.join("; ")));
    let respelt = respelt.map(|change| Change { samo_pravopis: true, ..change });
    respelt.into_iter().chain(other_items(&older, &newer)).collect()
}

fn other_items(was: &[Choice], now: &[Choice]) -> Option<Change> {
    let told = |item: &Choice| {
        let retired = if item.aktivan { "" } else { ", ne bira se više" };
        let weight = item.num_vrednost.map_or_else(|| "bez težine".to_owned(), shown::number);
        format!("{} ({weight}{retired})", item.naziv)
    };
    let others = |these: &[Choice], those: &[Choice]| {
        let is_there = |item: &Choice| those.iter().any(|other| other.id == item.id && told(other) == told(item));
        let names: Vec<String> = these.iter().filter(|item| !is_there(item)).map(told).collect();
        (!names.is_empty()).then(|| names.join("; "))
    };
    change(Aspect::Stavke, others(was, now), others(now, was))
}

/// Another tree is another formula; it is told by its text, where there is one.
fn formula(sta: Aspect, [was, now]: [&EntryField; 2], of: fn(&EntryField) -> (&Option<Value>, &Option<String>)) -> Option<Change> {
    let ((old_tree, old), (new_tree, new)) = (of(was), of(now));
    (old_tree != new_tree).then(|| Change { sta, staro: old.clone(), novo: new.clone(), samo_pravopis: false })
}

/// Everything else that shows.
fn looks(field: &EntryField) -> EntryField {
    let mut field = field.clone();
    field.naziv = String::new();
    field.tva_num_vrednost = ValueType::default();
    field.tip_atributa.jedinica = None;
    field.tip_atributa.znacenje_jedinice = None;
    field.tip_atributa.druge_jedinice = Vec::new();
    field.tip_atributa.donja_granica_brojne_vrednosti = None;
    field.tip_atributa.gornja_granica_brojne_vrednosti = None;
    field.tip_atributa.decimale_brojne_vrednosti = None;
    field.tip_atributa.fajlovi = None;
    field.donja_referentna_brojna_vrednost = None;
    field.gornja_referentna_brojna_vrednost = None;
    field.enum_stavke_sve = Vec::new();
    field.formula_za_racunanje = None;
    field.formula_za_prikaz = None;
    field.opciono = false;
    field.najvise_redova = None;
    field.prikazi_prethodnu = false;
    field.postavlja_status = None;
    field.kolone = Vec::new();
    field.obavezan_ako = None;
    field.initial = super::form::Initial::default();
    field.izvor = super::form::Source::default();
    field
}

/// A stored value, or a result, that is another by the newer version.
#[derive(Debug, PartialEq, Serialize, ToSchema)]
pub struct OtherResult {
    pub polje: i64,
    pub naziv: String,
    /// With its unit; none: blank.
    pub staro: Option<String>,
    pub novo: Option<String>,
}

/// Results that the newer version gives otherwise, in its order.
pub fn other_results(older: &EntryForm, newer: &EntryForm, stored: &Values, around: &FormulaSurroundings) -> Vec<OtherResult> {
    let results = evaluate_form(&newer.formulas, stored, around).values;
    let was = older.by_id();
    let text = |field: &EntryField, value: Option<&Value>| value.and_then(|value| value_text(field, value));
    let calculated = newer.fields.iter().filter(|field| field.has_results());
    let other = calculated.filter_map(|field| {
        let old = text(was.get(&field.id).copied().unwrap_or(field), stored.get(&field.id));
        let new = text(field, results.get(&field.id));
        (old != new).then(|| OtherResult { polje: field.id, naziv: field.naziv.clone(), staro: old, novo: new })
    });
    other.collect()
}

/// Values that the newer version has no field for: they stay stored.
pub fn without_field(older: &EntryForm, newer: &EntryForm, stored: &Values) -> Vec<OtherResult> {
    let now = newer.by_id();
    let gone = older.fields.iter().filter(|field| field.holds_value() && !now.contains_key(&field.id));
    let values = gone.filter_map(|field| {
        let staro = Some(value_text(field, stored.get(&field.id)?)?);
        Some(OtherResult { polje: field.id, naziv: field.naziv.clone(), staro, novo: None })
    });
    values.collect()
}

#[cfg(test)]
mod tests;
