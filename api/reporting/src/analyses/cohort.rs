//! A cohort: which entries of a register's patients an analysis is of.

use clinical::patients::search::criteria::CriterionRow;
use domain::{exports::WantedStates, time::date_text};
use jiff::civil::Date;
use platform::{
    error::{Error, Result},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::setup::report_definition::simple::{
    choice::{CheckedChoice, Choice, MeasureChoice, MeasureKind, View},
    form::{self, Field, Form},
};

/// Forms that are joined by the patient.
const MOST_OTHERS: usize = 4;

#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CohortChoice {
    #[serde(rename = "registarID")]
    pub registar_id: i64,
    /// The form whose entries are the rows.
    #[serde(rename = "tipUnosaID")]
    pub tip_unosa_id: i64,
    pub unosi: EntryChoice,
    /// Of which only these are looked at; of others the cohort knows nothing.
    #[serde(default)]
    pub stanja: WantedStates,
    /// Other forms of the register, of which each patient has one entry.
    #[serde(default)]
    pub drugi_formulari: Vec<OtherForm>,
    /// Only entries of the institution that runs it.
    #[serde(default)]
    pub samo_moja_ustanova: bool,
    /// Days of the visit, inclusive.
    #[schema(value_type = Option<String>, format = Date)]
    pub datum_od: Option<Date>,
    #[schema(value_type = Option<String>, format = Date)]
    pub datum_do: Option<Date>,
    /// Only men (true) or women.
    pub pol: Option<bool>,
    pub starost_od: Option<i16>,
    pub starost_do: Option<i16>,
    /// Years of birth, inclusive.
    pub rodjenje_od: Option<i16>,
    pub rodjenje_do: Option<i16>,
    /// As the rows of a search; each speaks about the entry itself.
    #[serde(default)]
    pub filteri: Vec<CriterionRow>,
}

/// Which of a patient's entries that pass are rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = CohortEntryChoice)]
#[serde(rename_all = "camelCase")]
pub enum EntryChoice {
    Prvi,
    Poslednji,
    Svi,
    /// The last of the patient, where it passes: as a search over the newest entry finds.
    Najnoviji,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = CohortOtherForm)]
#[serde(deny_unknown_fields)]
pub struct OtherForm {
    #[serde(rename = "tipUnosaID")]
    pub tip_unosa_id: i64,
    pub unos: OtherEntry,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = CohortOtherEntry)]
#[serde(rename_all = "camelCase")]
pub enum OtherEntry {
    Prvi,
    Poslednji,
}

/// A cohort with its forms, as queries are made of it.
pub struct CohortSource {
    pub choice: CohortChoice,
    pub form: Form,
    pub others: Vec<(OtherForm, Form)>,
    /// Its number and its day, where its members are frozen.
    pub frozen: Option<(i64, Date)>,
    conditions: Choice,
}

impl CohortSource {
    pub async fn load(state: &AppState, choice: CohortChoice, frozen: Option<(i64, Date)>) -> Result<Self> {
        let form = form_of(state, "tipUnosaID", choice.tip_unosa_id, choice.registar_id).await?;
        if choice.drugi_formulari.len() > MOST_OTHERS {
            return Err(Error::invalid("drugiFormulari", format!("Kohorta može da ima najviše {MOST_OTHERS} druga formulara.")));
        }
        let mut others: Vec<(OtherForm, Form)> = Vec::new();
        for other in &choice.drugi_formulari {
            if other.tip_unosa_id == choice.tip_unosa_id || others.iter().any(|(known, _)| known.tip_unosa_id == other.tip_unosa_id) {
                return Err(Error::invalid("drugiFormulari", "Isti formular je izabran dva puta."));
            }
            others.push((*other, form_of(state, "drugiFormulari", other.tip_unosa_id, choice.registar_id).await?));
        }
        if let (Some(from), Some(to)) = (choice.datum_od, choice.datum_do)
            && from > to
        {
            return Err(Error::invalid("datumDo", "Datum „do” je pre datuma „od”."));
        }
        for (field, day) in [("datumOd", choice.datum_od), ("datumDo", choice.datum_do)] {
            if day.is_some_and(|day| !(1900..=2200).contains(&day.year())) {
                return Err(Error::invalid(field, "Datum mora biti između 1900. i 2200. godine."));
            }
        }
        if let (Some(from), Some(to)) = (choice.rodjenje_od, choice.rodjenje_do)
            && from > to
        {
            return Err(Error::invalid("rodjenjeDo", "Godina rođenja „do” je pre godine „od”."));
        }
        for (field, year) in [("rodjenjeOd", choice.rodjenje_od), ("rodjenjeDo", choice.rodjenje_do)] {
            if year.is_some_and(|year| !(1850..=2200).contains(&year)) {
                return Err(Error::invalid(field, "Godina rođenja mora biti između 1850. i 2200."));
            }
        }
        let conditions = Choice {
            registar_id: choice.registar_id,
            tip_unosa_id: choice.tip_unosa_id,
            samo_moja_ustanova: choice.samo_moja_ustanova,
            period: false,
            pol: choice.pol,
            starost_od: choice.starost_od,
            starost_do: choice.starost_do,
            filteri: choice.filteri.clone(),
            prikaz: View::Grupe,
            grupe: Vec::new(),
            mere: vec![MeasureChoice { mera: MeasureKind::BrojUnosa, polje_id: None }],
            grafikon: None,
            kolone: Vec::new(),
            indikator: None,
        };
        let source = Self { choice, form, others, frozen, conditions };
        // What is wrong with the conditions is told where the cohort is made.
        source.entries("ustanova")?;
        Ok(source)
    }

    /// The conditions on its entries, held against the form.
    pub fn entries(&self, obim: &str) -> Result<CheckedChoice<'_>> {
        self.conditions.against(&self.form, obim)
    }

    /// A field of its form, or of one that is joined.
    pub fn field(&self, id: i64) -> Option<&Field> {
        self.form.field(id).or_else(|| self.others.iter().find_map(|(_, form)| form.field(id)))
    }

    /// What it is of, for whoever reads the result.
    pub fn told(&self, obim: &str) -> Result<String> {
        let which = match self.choice.unosi {
            EntryChoice::Prvi => "prvi unos svakog pacijenta",
            EntryChoice::Poslednji => "poslednji unos svakog pacijenta",
            EntryChoice::Svi => "svi unosi",
            EntryChoice::Najnoviji => "najnoviji unos svakog pacijenta, ako ispunjava uslove",
        };
        let states = match self.choice.stanja {
            WantedStates::Svi => "",
            WantedStates::Zavrseni => "; samo završeni i potpisani unosi",
            WantedStates::Potpisani => "; samo potpisani unosi",
        };
        let mut told = format!("{} – {}, {which}{states}", self.form.registar, self.form.naziv);
        for (other, form) in &self.others {
            let which = match other.unos {
                OtherEntry::Prvi => "prvi",
                OtherEntry::Poslednji => "poslednji",
            };
            told.push_str(&format!("; {}: {which} unos", form.naziv));
        }
        match (self.choice.datum_od, self.choice.datum_do) {
            (Some(from), Some(to)) => told.push_str(&format!("; od {} do {}", date_text(from), date_text(to))),
            (Some(from), None) => told.push_str(&format!("; od {}", date_text(from))),
            (None, Some(to)) => told.push_str(&format!("; do {}", date_text(to))),
            (None, None) => {}
        }
        match (self.choice.rodjenje_od, self.choice.rodjenje_do) {
            (Some(from), Some(to)) => told.push_str(&format!("; rođeni od {from}. do {to}.")),
            (Some(from), None) => told.push_str(&format!("; rođeni od {from}.")),
            (None, Some(to)) => told.push_str(&format!("; rođeni do {to}.")),
            (None, None) => {}
        }
        if let Some(conditions) = self.entries(obim)?.conditions() {
            told.push_str(&format!(". Uslovi: {conditions}"));
        }
        if let Some((_, day)) = self.frozen {
            told.push_str(&format!(". Zamrznuta {}", date_text(day)));
        }
        Ok(told)
    }
}

async fn form_of(state: &AppState, place: &'static str, id: i64, register: i64) -> Result<Form> {
    let form = form::find(&state.db, id).await.map_err(|error| match error {
        Error::NotFound => Error::invalid(place, "Izabrani formular više ne postoji. Izaberite drugi."),
        other => other,
    })?;
    if form.registar_id != register {
        return Err(Error::invalid(place, "Izabrani formular ne pripada izabranom registru."));
    }
    Ok(form)
}
