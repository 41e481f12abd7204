//! The entry of which the criteria of a search speak, where a report counted it: of one form, within days, of the institution's own making or of
//! anybody's. There must be one, and all criteria hold in it. Only patients whom the institution knows are found so: of others nobody asks on
//! which day they came.
//!
//! Where a report looks at one entry of each patient, the frame says which (`izbor`): the first or the last of those that pass. Everything else
//! then speaks of that one.

use domain::{
    time,
    years::{YEARS, outside},
};
use jiff::civil::Date;
use jiff_sqlx::ToSqlx;
use platform::error::Error;
use serde::{Deserialize, Serialize};
use sqlx::{Postgres, QueryBuilder};
use utoipa::ToSchema;

use super::{
    criteria::{CriterionRow, EntryScope, Groups, Test},
    probes,
};

type Builder = QueryBuilder<Postgres>;

#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EntryFrame {
    #[serde(rename = "tipUnosaID")]
    pub tip_unosa_id: i64,
    #[serde(default)]
    pub od: Option<Date>,
    #[serde(default, rename = "do")]
    pub do_dana: Option<Date>,
    /// Made by the institution that the worker works for now.
    #[serde(default)]
    pub svoj: bool,
    /// The one entry of a patient that is looked at; none: any that passes.
    #[serde(default)]
    pub izbor: Option<EntryPick>,
}

/// Which entry of a patient is looked at: the first or the last of the form that passes all of this.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EntryPick {
    pub koji: PickedEntry,
    #[serde(default)]
    pub od: Option<Date>,
    #[serde(default, rename = "do")]
    pub do_dana: Option<Date>,
    #[serde(default)]
    pub svoj: bool,
    /// As the rows of a search.
    #[serde(default)]
    pub uslovi: Vec<CriterionRow>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum PickedEntry {
    Prvi,
    Poslednji,
}

/// A frame whose criteria were held against the register.
#[derive(Debug, Clone)]
pub struct CheckedFrame {
    pub frame: EntryFrame,
    /// What the entry that is looked at is chosen by.
    pub picked_by: Groups,
}

impl EntryPick {
    fn words(&self) -> String {
        let which = match self.koji {
            PickedEntry::Prvi => "prvi",
            PickedEntry::Poslednji => "poslednji",
        };
        format!("gleda se {which} unos {}", days(self.od, self.do_dana, self.svoj)).trim_end().to_owned()
    }
}

impl EntryFrame {
    /// Refuses criteria that do not speak of one entry of this form, and days in the wrong order.
    pub fn check(self, scope: EntryScope, groups: &Groups, picked_by: Groups, institution: Option<i64>) -> Result<CheckedFrame, Error> {
        let refuse = |message: &str| Err(Error::invalid("unosUslova", message.to_owned()));
        if scope != EntryScope::IstiUnos {
            return refuse("Uslovi o jednom unosu važe uz opseg „u istom unosu”. Izaberite taj opseg, ili uklonite izbor unosa.");
        }
        if groups.iter().chain(&picked_by).flatten().any(|test| test.form() != self.tip_unosa_id) {
            return refuse("Uslovi moraju biti sa formulara na koji se pretraga odnosi. Uklonite izbor unosa, ili druge stavke.");
        }
        let of_pick = self.izbor.as_ref().map(|pick| (pick.od, pick.do_dana));
        for (from, until) in std::iter::once((self.od, self.do_dana)).chain(of_pick) {
            for (day, which) in [(from, "od"), (until, "do")] {
                if let Some(why) = day.and_then(|day| outside(&YEARS, day)) {
                    return refuse(&format!("Dan unosa „{which}” {why}."));
                }
            }
            if let (Some(from), Some(until)) = (from, until)
                && from > until
            {
                return refuse("Dan unosa „do” ne sme biti pre dana „od”.");
            }
        }
        if institution.is_none() {
            return refuse("Po unosima se traži u ustanovi u kojoj radite, a vi niste ni u jednoj.");
        }
        Ok(CheckedFrame { frame: self, picked_by })
    }

    /// As the log says its days and its maker, and which entry is looked at.
    pub fn words(&self) -> String {
        let pick = self.izbor.as_ref().map(EntryPick::words).unwrap_or_default();
        let said = [days(self.od, self.do_dana, self.svoj), pick];
        said.into_iter().filter(|one| !one.is_empty()).collect::<Vec<_>>().join("; ")
    }
}

fn days(from: Option<Date>, until: Option<Date>, own: bool) -> String {
    let day = |word: &str, day: Option<Date>| day.map(|day| format!("{word} {}", time::date_text(day)));
    let own = own.then(|| "u svojoj ustanovi".to_owned());
    [day("od", from), day("do", until), own].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// ` and …`: whether the entry `e` lies within the days and is of whose making it must be.
fn push_days(q: &mut Builder, from: Option<Date>, until: Option<Date>, own: Option<i64>) {
    if let Some(from) = from {
        q.push(" and e.datum_unosa >= ").push_bind(from.to_sqlx());
    }
    if let Some(until) = until {
        q.push(" and e.datum_unosa <= ").push_bind(until.to_sqlx());
    }
    if let Some(institution) = own {
        q.push(" and e.ustanova_id = ").push_bind(institution);
    }
}

impl CheckedFrame {
    /// ` from … where …`: the entries `e` of a patient that are as they must be.
    pub fn push_entries(&self, q: &mut Builder, register: i64, institution: i64, patient: &str) {
        let frame = &self.frame;
        match &frame.izbor {
            None => probes::push_entries(q, register, frame.tip_unosa_id, patient),
            Some(pick) => {
                q.push(" from (select e.id, e.pacijent_id, e.datum_unosa, e.ustanova_id, e.vrednosti");
                probes::push_entries(q, register, frame.tip_unosa_id, patient);
                push_days(q, pick.od, pick.do_dana, pick.svoj.then_some(institution));
                for (index, group) in self.picked_by.iter().enumerate() {
                    q.push(if index == 0 { " and ((" } else { ") or (" });
                    for (place, test) in group.iter().enumerate() {
                        q.push(if place == 0 { "" } else { " and " });
                        probes::push_in_entry(q, test);
                    }
                }
                q.push(if self.picked_by.is_empty() { "" } else { "))" });
                q.push(match pick.koji {
                    PickedEntry::Prvi => " order by e.datum_unosa, e.id limit 1) e where true",
                    PickedEntry::Poslednji => " order by e.datum_unosa desc, e.id desc limit 1) e where true",
                });
            }
        }
        push_days(q, frame.od, frame.do_dana, frame.svoj.then_some(institution));
    }

    /// Whether the patient has such an entry in which all tests of a group hold.
    pub fn push_probe(&self, q: &mut Builder, group: &[Test], register: i64, institution: i64, patient: &str) {
        q.push("(select true");
        self.push_entries(q, register, institution, patient);
        for test in group {
            q.push(" and ");
            probes::push_in_entry(q, test);
        }
        q.push(" limit 1)");
    }
}
