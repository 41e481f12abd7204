//! The entry of which the criteria of a search speak, where a report counted it: of one form, within days, of the institution's own making or of
//! anybody's. There must be one, and all criteria hold in it. Only patients whom the institution knows are found so: of others nobody asks on
//! which day they came.

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
    criteria::{EntryScope, Groups, Test},
    probes,
};

type Builder = QueryBuilder<Postgres>;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
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
}

impl EntryFrame {
    /// Refuses criteria that do not speak of one entry of this form, and days in the wrong order.
    pub fn check(&self, scope: EntryScope, groups: &Groups, institution: Option<i64>) -> Result<(), Error> {
        let refuse = |message: &str| Err(Error::invalid("unosUslova", message.to_owned()));
        if scope != EntryScope::IstiUnos {
            return refuse("Uslovi o jednom unosu važe uz opseg „u istom unosu”. Izaberite taj opseg, ili uklonite izbor unosa.");
        }
        if groups.iter().flatten().any(|test| test.form() != self.tip_unosa_id) {
            return refuse("Uslovi moraju biti sa formulara na koji se pretraga odnosi. Uklonite izbor unosa, ili druge stavke.");
        }
        for (day, which) in [(self.od, "od"), (self.do_dana, "do")] {
            if let Some(why) = day.and_then(|day| outside(&YEARS, day)) {
                return refuse(&format!("Dan unosa „{which}” {why}."));
            }
        }
        if let (Some(from), Some(until)) = (self.od, self.do_dana)
            && from > until
        {
            return refuse("Dan unosa „do” ne sme biti pre dana „od”.");
        }
        if institution.is_none() {
            return refuse("Po unosima se traži u ustanovi u kojoj radite, a vi niste ni u jednoj.");
        }
        Ok(())
    }

    /// As the log says its days and its maker.
    pub fn words(&self) -> String {
        let day = |word: &str, day: Option<Date>| day.map(|day| format!("{word} {}", time::date_text(day)));
        let own = self.svoj.then(|| "u svojoj ustanovi".to_owned());
        [day("od", self.od), day("do", self.do_dana), own].into_iter().flatten().collect::<Vec<_>>().join(", ")
    }

    /// ` and …`: whether the entry `e` is such a one.
    pub fn push_conditions(&self, q: &mut Builder, institution: i64) {
        if let Some(from) = self.od {
            q.push(" and e.datum_unosa >= ").push_bind(from.to_sqlx());
        }
        if let Some(until) = self.do_dana {
            q.push(" and e.datum_unosa <= ").push_bind(until.to_sqlx());
        }
        if self.svoj {
            q.push(" and e.ustanova_id = ").push_bind(institution);
        }
    }

    /// Whether the patient has such an entry in which all tests of a group hold.
    pub fn push_probe(&self, q: &mut Builder, group: &[Test], register: i64, institution: i64, patient: &str) {
        q.push("(select true");
        probes::push_entries(q, register, self.tip_unosa_id, patient);
        self.push_conditions(q, institution);
        for test in group {
            q.push(" and ");
            probes::push_in_entry(q, test);
        }
        q.push(" limit 1)");
    }
}
