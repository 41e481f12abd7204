//! A visit of a plan as it is configured: from which day it is counted, how wide its window is, and by which forms it is done.

use domain::{formula::Formula, text};
use platform::{
    error::{Fault, Result},
    rows::{self, Row},
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

/// From which day a visit is counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = VisitAnchor)]
pub enum Anchor {
    /// The patient's inclusion.
    #[default]
    Ukljucenje,
    /// The newest value of a date field.
    Datum,
    /// The visit before it in the plan: when it was, or is to be.
    Prethodna,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = VisitOffsetUnit)]
pub enum Unit {
    Dan,
    Nedelja,
    #[default]
    Mesec,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
#[schema(as = VisitPlanItem)]
pub struct PlanItem {
    /// Names the visit through the versions of its plan.
    pub sifra: String,
    pub naziv: String,
    pub sidro: Anchor,
    /// The date field, where the visit is counted from one.
    #[serde(rename = "sidroPoljeID")]
    pub sidro_polje_id: Option<i64>,
    pub pomeraj: i32,
    pub jedinica: Unit,
    /// Days before and after the target.
    pub prozor_pre: i32,
    pub prozor_posle: i32,
    /// Days after the window on which the visit is still waited for.
    pub ceka_dana: i32,
    /// None: once.
    pub ponavlja_meseci: Option<i32>,
    /// Months from the day it is counted from; none: without an end.
    pub ponavlja_do_meseci: Option<i32>,
    /// Forms by which an entry is this visit; none: any of the register.
    pub formulari: Vec<i64>,
    /// Where it does not hold, the visit is not planned.
    #[serde(deserialize_with = "text::optional")]
    pub uslov: Option<String>,
    /// The form whose last entry the condition reads.
    #[serde(rename = "uslovFormID")]
    pub uslov_form_id: Option<i64>,
}

impl Default for PlanItem {
    fn default() -> Self {
        Self {
            sifra: String::new(),
            naziv: String::new(),
            sidro: Anchor::default(),
            sidro_polje_id: None,
            pomeraj: 0,
            jedinica: Unit::default(),
            prozor_pre: 14,
            prozor_posle: 14,
            ceka_dana: 90,
            ponavlja_meseci: None,
            ponavlja_do_meseci: None,
            formulari: Vec::new(),
            uslov: None,
            uslov_form_id: None,
        }
    }
}

const MOST_ITEMS: usize = 60;

/// What of the visits is wrong by itself, whatever the register has.
pub fn faults(items: &[PlanItem]) -> Vec<Fault> {
    let mut found = Vec::new();
    if items.is_empty() {
        found.push(fault("stavke", "Plan mora imati bar jednu posetu.".to_owned()));
    }
    if items.len() > MOST_ITEMS {
        found.push(fault("stavke", format!("Plan može imati najviše {MOST_ITEMS} poseta.")));
    }
    for (place, item) in items.iter().enumerate() {
        let last = place + 1 == items.len();
        let is_taken = items[..place].iter().any(|other| other.sifra == item.sifra);
        let code = item.sifra.len() <= 40
            && !item.sifra.is_empty()
            && item.sifra.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte));
        let wrong = [
            (!code, "sifra", "Šifra posete ima od 1 do 40 slova, cifara, crtica i donjih crta."),
            (is_taken, "sifra", "Poseta sa tom šifrom već postoji u planu."),
            (!(1..=120).contains(&item.naziv.trim().chars().count()), "naziv", "Naziv posete ima od 1 do 120 znakova."),
            (place == 0 && item.sidro == Anchor::Prethodna, "sidro", "Prva poseta plana nema prethodnu od koje bi se računala."),
            (
                (item.sidro == Anchor::Datum) != item.sidro_polje_id.is_some(),
                "sidroPoljeID",
                "Izaberite datumsko polje od kojeg se računa.",
            ),
            (!(0..=3650).contains(&item.pomeraj), "pomeraj", "Pomeraj je od 0 do 3650."),
            (!(0..=180).contains(&item.prozor_pre), "prozorPre", "Prozor je od 0 do 180 dana pre termina."),
            (!(0..=180).contains(&item.prozor_posle), "prozorPosle", "Prozor je od 0 do 180 dana posle termina."),
            (!(0..=365).contains(&item.ceka_dana), "cekaDana", "Poseta se čeka od 0 do 365 dana posle prozora."),
            (item.ponavlja_meseci.is_some_and(|months| !(1..=120).contains(&months)), "ponavljaMeseci", "Ponavlja se na 1 do 120 meseci."),
            (item.ponavlja_meseci.is_some() && !last, "ponavljaMeseci", "Poseta koja se ponavlja mora biti poslednja u planu."),
            (
                item.ponavlja_do_meseci.is_some_and(|months| item.ponavlja_meseci.is_none() || !(1..=1200).contains(&months)),
                "ponavljaDoMeseci",
                "Kraj ponavljanja je od 1 do 1200 meseci, za posetu koja se ponavlja.",
            ),
            (
                item.uslov.is_some() != item.uslov_form_id.is_some(),
                "uslov",
                "Uslov se piše nad jednim formularom: unesite oba ili nijedno.",
            ),
        ];
        let told = wrong.into_iter().filter(|(is_wrong, ..)| *is_wrong);
        found.extend(told.map(|(_, field, message)| fault(&at(place, field), message.to_owned())));
    }
    found
}

/// The name of a property of a visit of the plan.
pub fn at(place: usize, field: &str) -> String {
    format!("stavke.{place}.{field}")
}

pub fn fault(field: &str, message: String) -> Fault {
    Fault { field: field.to_owned().into(), message: message.into() }
}

/// The columns of an item of a version, in its place.
pub fn columns(item: &PlanItem, place: usize, formula: Option<&Formula>) -> Result<Row> {
    let mut columns = rows::columns_of(item).map_err(anyhow::Error::from)?;
    columns.extend(rows::row(json!({ "redosled": place + 1, "uslov_ast": formula })));
    Ok(columns)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(sifra: &str) -> PlanItem {
        PlanItem { sifra: sifra.to_owned(), naziv: sifra.to_owned(), ..PlanItem::default() }
    }

    #[test]
    fn a_plain_plan_has_no_faults() {
        assert_eq!(faults(&[item("M0"), PlanItem { pomeraj: 3, ponavlja_meseci: Some(6), ..item("M3") }]).len(), 0);
    }

    #[test]
    fn what_repeats_comes_last_and_the_first_has_nothing_before_it() {
        let fields = |items: &[PlanItem]| faults(items).iter().map(|fault| fault.field.to_string()).collect::<Vec<_>>();
        assert_eq!(fields(&[]), ["stavke"]);
        assert_eq!(fields(&[PlanItem { ponavlja_meseci: Some(6), ..item("A") }, item("B")]), ["stavke.0.ponavljaMeseci"]);
        assert_eq!(fields(&[PlanItem { sidro: Anchor::Prethodna, ..item("A") }]), ["stavke.0.sidro"]);
        assert_eq!(fields(&[item("A"), item("A")]), ["stavke.1.sifra"]);
        assert_eq!(fields(&[PlanItem { prozor_pre: 181, ..item("A") }]), ["stavke.0.prozorPre"]);
    }
}
