//! What a search asks of one entry that the worker's institution has made in the register: its state, what is open about it, its day. All of it
//! holds of the same entry. Whoever is found so is known to the institution: nothing is told of another's entries.

use std::collections::HashMap;

use domain::{
    entry::state::EntryState,
    time,
    years::{YEARS, outside},
};
use jiff::civil::Date;
use jiff_sqlx::ToSqlx;
use platform::error::Error;
use serde::{Deserialize, Serialize};
use sqlx::{FromRow, PgConnection, Postgres, QueryBuilder};
use utoipa::ToSchema;

use super::compile::Search;

type Builder = QueryBuilder<Postgres>;

/// Whether a lock of the register and the institution is over the entry's day.
const PERIOD_LOCKED: &str = "exists (select from period_lock l where l.registar_id = e.registar_id and l.ustanova_id = e.ustanova_id \
                             and l.otkljucano_at is null and l.do_dana >= e.datum_unosa)";
const QUESTIONED: &str = " and e.id in (select u.unos_id from open_question u)";
const FOUND_WRONG: &str = " and e.id in (select n.unos_id from open_finding n)";

/// What waits for somebody about an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum OpenMatter {
    /// A question.
    Upit,
    /// A finding of a rule of quality.
    Nalaz,
    Oba,
}

impl OpenMatter {
    /// As the log says it.
    pub fn words(self) -> &'static str {
        match self {
            Self::Upit => "upit",
            Self::Nalaz => "nalaz",
            Self::Oba => "upit i nalaz",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OwnEntryCriteria {
    /// As the entry's page has it: locked where a period over it is.
    pub stanje: Option<EntryState>,
    pub otvoreno: Option<OpenMatter>,
    pub od: Option<Date>,
    pub do_dana: Option<Date>,
}

impl OwnEntryCriteria {
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Refuses days in the wrong order, and whoever works in no institution: there are no entries of one's own.
    pub fn check(&self, institution: Option<i64>) -> Result<(), Error> {
        for (day, field, which) in [(self.od, "unosOd", "od"), (self.do_dana, "unosDo", "do")] {
            if let Some(why) = day.and_then(|day| outside(&YEARS, day)) {
                return Err(Error::invalid(field, format!("Dan unosa „{which}” {why}.")));
            }
        }
        if let (Some(from), Some(until)) = (self.od, self.do_dana)
            && from > until
        {
            return Err(Error::invalid("unosDo", "Dan unosa „do” ne sme biti pre dana „od”."));
        }
        if institution.is_none() && !self.is_empty() {
            return Err(Error::invalid("stanjeUnosa", "Po unosima se traži u ustanovi u kojoj radite, a vi niste ni u jednoj."));
        }
        Ok(())
    }

    /// `from entry e where …`: the entries that are so.
    fn push_entries(&self, q: &mut Builder, search: &Search) {
        q.push(" from entry e where e.registar_id = ").push_bind(search.register);
        q.push(" and e.ustanova_id = ").push_bind(search.institution).push(" and e.aktivan");
        if let Some(from) = self.od {
            q.push(" and e.datum_unosa >= ").push_bind(from.to_sqlx());
        }
        if let Some(until) = self.do_dana {
            q.push(" and e.datum_unosa <= ").push_bind(until.to_sqlx());
        }
        match self.stanje {
            None => {}
            // Most entries have no state of their own yet.
            Some(EntryState::URadu) => {
                q.push(" and not exists (select from last_entry_state s where s.unos_id = e.id and s.stanje <> 'uRadu')");
                q.push(" and not ").push(PERIOD_LOCKED);
            }
            Some(EntryState::Zakljucan) => {
                q.push(" and (").push(PERIOD_LOCKED).push(" or (");
                push_last_state(q, EntryState::Zakljucan);
                q.push("))");
            }
            Some(state) => {
                q.push(" and ");
                push_last_state(q, state);
                q.push(" and not ").push(PERIOD_LOCKED);
            }
        }
        if matches!(self.otvoreno, Some(OpenMatter::Upit | OpenMatter::Oba)) {
            q.push(QUESTIONED);
        }
        if matches!(self.otvoreno, Some(OpenMatter::Nalaz | OpenMatter::Oba)) {
            q.push(FOUND_WRONG);
        }
    }

    /// Whether the patient has such an entry.
    pub fn push_probe(&self, q: &mut Builder, search: &Search, patient: &str) {
        q.push("(select true");
        self.push_entries(q, search);
        q.push(" and e.pacijent_id = ").push(patient).push(" limit 1)");
    }

    /// The patients who have one, some of them more than once.
    pub fn push_set(&self, q: &mut Builder, search: &Search) {
        q.push("select e.pacijent_id");
        self.push_entries(q, search);
    }
}

/// Whether the entry's last state is this one: rows of that state are few, and are where a set of such entries begins.
fn push_last_state(q: &mut Builder, state: EntryState) {
    q.push("e.id in (select s.unos_id from last_entry_state s where s.stanje = ").push_bind(state.name()).push(")");
}

/// The newest entry of a patient that is as it was asked for, and how many there are.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OwnEntryMatch {
    #[serde(rename = "unosID")]
    unos_id: i64,
    unos_datum: String,
    formular: String,
    stanje: EntryState,
    ukupno: i64,
}

#[derive(FromRow)]
struct Row {
    pacijent_id: i64,
    unos_id: i64,
    datum_unosa: jiff_sqlx::Date,
    formular: String,
    stanje: EntryState,
    ukupno: i64,
}

/// Of these patients; nothing where no entry was asked for.
pub async fn matches(db: &mut PgConnection, search: &Search, patients: &[i64]) -> sqlx::Result<HashMap<i64, OwnEntryMatch>> {
    let Some(criteria) = &search.own_entry else { return Ok(HashMap::new()) };
    let mut q = Builder::new("select p.id as pacijent_id, m.* from unnest(");
    q.push_bind(patients.to_vec()).push("::bigint[]) p(id) cross join lateral (");
    q.push("select e.id as unos_id, e.datum_unosa, (select f.naziv from form f where f.id = e.tsa_id) as formular, ");
    q.push("case when ").push(PERIOD_LOCKED).push(" then 'zakljucan' else state_of_entry(e.id) end as stanje, count(*) over () as ukupno");
    criteria.push_entries(&mut q, search);
    q.push(" and e.pacijent_id = p.id order by e.datum_unosa desc, e.id desc limit 1) m");
    let rows: Vec<Row> = q.build_query_as().fetch_all(db).await?;
    let found = rows.into_iter().map(|row| {
        let entry = OwnEntryMatch {
            unos_id: row.unos_id,
            unos_datum: time::date_text(row.datum_unosa.to_jiff()),
            formular: row.formular,
            stanje: row.stanje,
            ukupno: row.ukupno,
        };
        (row.pacijent_id, entry)
    });
    Ok(found.collect())
}
