//! Which entry and which value made a patient a hit, of each criterion.

use std::collections::HashMap;

use domain::{answer::Answer, clock, register::ValueType, time};
use serde::Serialize;
use serde_json::Value;
use sqlx::{FromRow, PgConnection, Postgres, QueryBuilder};
use utoipa::ToSchema;

use super::{
    compile::Search,
    criteria::{EntryScope, Test, date_of},
    own_entry::{self, OwnEntryMatch},
    probes,
};

const NEWEST: &str = " order by e.datum_unosa desc, e.id desc limit 1";
/// Letters of a text that are shown of it.
const MOST_LETTERS: usize = 200;

/// What a criterion found: the newest of the entries that pass it, and the value there.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = SearchMatch)]
pub struct Match {
    /// Which row of the request that was not empty, from 0.
    uslov: i32,
    #[serde(rename = "poljeID")]
    polje_id: i64,
    /// None where the criterion says that no entry is so.
    #[serde(rename = "unosID")]
    unos_id: Option<i64>,
    unos_datum: Option<String>,
    vrednost: Option<Value>,
}

/// What was found of a patient.
#[derive(Debug, Default)]
pub struct PatientMatches {
    pub pogodak: Vec<Match>,
    pub own_entry: Option<OwnEntryMatch>,
}

#[derive(FromRow)]
struct Row {
    pacijent_id: i64,
    uslov: i32,
    unos_id: Option<i64>,
    datum_unosa: Option<jiff_sqlx::Date>,
    vrednost: Option<Value>,
}

/// The matches of these patients.
pub async fn of(db: &mut PgConnection, search: &Search, patients: &[i64]) -> sqlx::Result<HashMap<i64, PatientMatches>> {
    if patients.is_empty() {
        return Ok(HashMap::new());
    }
    let mut found: HashMap<i64, PatientMatches> = HashMap::new();
    for (patient, pogodak) in of_values(db, search, patients).await? {
        found.entry(patient).or_default().pogodak = pogodak;
    }
    for (patient, entry) in own_entry::matches(db, search, patients).await? {
        found.entry(patient).or_default().own_entry = Some(entry);
    }
    Ok(found)
}

/// Of criteria that "or" joins, only those that hold as a whole.
async fn of_values(db: &mut PgConnection, search: &Search, patients: &[i64]) -> sqlx::Result<HashMap<i64, Vec<Match>>> {
    if search.groups.is_empty() {
        return Ok(HashMap::new());
    }
    let rows: Vec<Row> = statement(search, patients).build_query_as().fetch_all(db).await?;
    let tests: Vec<&Test> = search.groups.iter().flatten().collect();
    let mut found: HashMap<i64, Vec<Match>> = HashMap::new();
    for row in rows {
        found.entry(row.pacijent_id).or_default().push(Match {
            uslov: row.uslov,
            polje_id: tests[row.uslov as usize].field().id,
            unos_id: row.unos_id,
            unos_datum: row.datum_unosa.map(|date| time::date_text(date.to_jiff())),
            vrednost: row.vrednost.and_then(|value| stored(tests[row.uslov as usize].field().value_type, value)).map(shortened),
        });
    }
    for matches in found.values_mut() {
        matches.sort_unstable_by_key(|one| one.uslov);
        let mut first = 0;
        for group in &search.groups {
            let of_group = first..first + group.len() as i32;
            if matches.iter().filter(|one| of_group.contains(&one.uslov)).count() < group.len() {
                matches.retain(|one| !of_group.contains(&one.uslov));
            }
            first = of_group.end;
        }
    }
    Ok(found)
}

/// Whether the match is read where the number is found, without its entry: each page counts two hundred times.
fn is_projected(search: &Search, test: &Test) -> bool {
    let as_stored =
        [ValueType::Choice, ValueType::Number, ValueType::Date, ValueType::Time, ValueType::Moment].contains(&test.field().value_type);
    search.scope == EntryScope::BiloKojiUnos && as_stored
}

/// Whether the newest entry passes in all likelihood, so that no other is looked up.
fn is_common(test: &Test) -> bool {
    matches!(test, Test::Text { negated: true, .. } | Test::Filled(_))
}

/// A value as the entry stores it; a projected one is a number whatever its type.
fn stored(value_type: ValueType, value: Value) -> Option<Value> {
    let Some(number) = value.as_f64() else { return Some(value) };
    let answer = match value_type {
        ValueType::Choice => Answer::Choice(number == 1.0),
        ValueType::Date => Answer::Date(date_of(number)?),
        ValueType::Time => Answer::Time(clock::time_at(number as i64)),
        ValueType::Moment => Answer::Moment(clock::at_wall_minutes(number as i64)?),
        _ => return Some(value),
    };
    Some(answer.into())
}

fn shortened(value: Value) -> Value {
    match value {
        Value::String(text) => match text.char_indices().nth(MOST_LETTERS) {
            Some((end, _)) => Value::String(format!("{}…", &text[..end])),
            None => Value::String(text),
        },
        other => other,
    }
}

fn statement(search: &Search, patients: &[i64]) -> QueryBuilder<Postgres> {
    let mut q = QueryBuilder::new("select p.id as pacijent_id, m.* from unnest(");
    q.push_bind(patients.to_vec()).push("::bigint[]) p(id) cross join lateral (");
    let mut index = 0;
    for group in &search.groups {
        for test in group {
            q.push(if index == 0 { "(select " } else { " union all (select " }).push(index).push(" as uslov, ");
            push_match(&mut q, search, group, test);
            q.push(")");
            index += 1;
        }
    }
    q.push(") m");
    q
}

fn push_match(q: &mut QueryBuilder<Postgres>, search: &Search, group: &[Test], test: &Test) {
    if search.scope == EntryScope::BiloKojiUnos && matches!(test, Test::Without(_)) {
        q.push("null::bigint as unos_id, null::date as datum_unosa, null::jsonb as vrednost where ");
        // Who was found by the only group passes all of its tests.
        if search.groups.len() == 1 {
            q.push("true");
        } else {
            probes::push_any(q, test, search.register, "p.id");
        }
        return;
    }
    if is_projected(search, test) {
        q.push("f.unos_id, f.datum_unosa, to_jsonb(f.vrednost) as vrednost from (select v.unos_id, v.datum_unosa, v.vrednost");
        probes::push_matching(q, test);
        q.push(" and v.pacijent_id = p.id offset 0) f order by f.datum_unosa desc, f.unos_id desc limit 1");
        return;
    }
    q.push("f.id as unos_id, f.datum_unosa, f.vrednosti -> ").push_bind(test.field().id.to_string());
    q.push(" as vrednost from (select e.id, e.datum_unosa, e.vrednosti");
    match search.scope {
        EntryScope::NajnovijiUnos => {
            q.push(" from ");
            probes::push_newest_entry(q, search.register, test.form(), "p.id");
            q.push(" e where ");
            probes::push_in_entry(q, test);
        }
        EntryScope::IstiUnos => push_newest_that_passes(q, search, group),
        EntryScope::BiloKojiUnos if is_common(test) => push_newest_that_passes(q, search, std::slice::from_ref(test)),
        // The values that pass are fewer than the patient's entries.
        EntryScope::BiloKojiUnos => {
            q.push(" from (select v.unos_id");
            probes::push_matching(q, test);
            q.push(" and v.pacijent_id = p.id offset 0) v join entry e on e.id = v.unos_id").push(NEWEST);
        }
    }
    q.push(") f");
}

/// The newest of the patient's entries in which all of these hold.
fn push_newest_that_passes(q: &mut QueryBuilder<Postgres>, search: &Search, tests: &[Test]) {
    match &search.frame {
        Some(frame) => frame.push_entries(q, search.register, search.institution, "p.id"),
        None => probes::push_entries(q, search.register, tests[0].form(), "p.id"),
    }
    for test in tests {
        q.push(" and ");
        probes::push_in_entry(q, test);
    }
    q.push(NEWEST);
}
