//! Which entry and which value made a patient a hit, of each criterion.

use std::collections::HashMap;

use domain::time;
use serde::Serialize;
use serde_json::Value;
use sqlx::{FromRow, PgConnection, Postgres, QueryBuilder};
use utoipa::ToSchema;

use super::{
    compile::Search,
    criteria::{EntryScope, Test},
    probes,
};

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

#[derive(FromRow)]
struct Row {
    pacijent_id: i64,
    uslov: i32,
    unos_id: Option<i64>,
    datum_unosa: Option<jiff_sqlx::Date>,
    vrednost: Option<Value>,
}

/// The matches of these patients. Of criteria that "or" joins, only those that hold as a whole.
pub async fn of(db: &mut PgConnection, search: &Search, patients: &[i64]) -> sqlx::Result<HashMap<i64, Vec<Match>>> {
    if search.groups.is_empty() || patients.is_empty() {
        return Ok(HashMap::new());
    }
    let rows: Vec<Row> = statement(search, patients).build_query_as().fetch_all(db).await?;
    let tests: Vec<&Test> = search.groups.iter().flatten().collect();
    let mut found: HashMap<i64, Vec<Match>> = HashMap::new();
    for row in rows {
        found.entry(row.pacijent_id).or_default().push(Match {
            uslov: row.uslov,
            polje_id: tests[row.uslov as usize].field(),
            unos_id: row.unos_id,
            unos_datum: row.datum_unosa.map(|date| time::date_text(date.to_jiff())),
            vrednost: row.vrednost.map(shortened),
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
        return probes::push_any(q, test, search.register, "p.id");
    }
    q.push("f.id as unos_id, f.datum_unosa, (select t.vrednosti -> ").push_bind(test.field().to_string());
    q.push(" from entry t where t.id = f.id) as vrednost from (");
    if search.scope == EntryScope::NajnovijiUnos {
        q.push("select e.id, e.datum_unosa from ");
        probes::push_newest_entry(q, search.register, test.form(), "p.id");
        q.push(" e where ");
        probes::push_in_entry(q, test);
    } else {
        q.push("select e.id, e.datum_unosa");
        probes::push_entries(q, search.register, test.form(), "p.id");
        let asked = if search.scope == EntryScope::IstiUnos { group } else { std::slice::from_ref(test) };
        for test in asked {
            q.push(" and ");
            probes::push_in_entry(q, test);
        }
        q.push(" order by e.datum_unosa desc, e.id desc limit 1");
    }
    q.push(") f");
}
