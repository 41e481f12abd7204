//! Findings kept as the rules find them: what is new begins, what is not found any more ends, and what was confirmed of a value stays so.

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::Date;
use sqlx::PgConnection;

use super::{
    course::{PatientCourse, courses},
    look::{Fault, faults},
    rule::{QualityKind, RuleSet},
};

/// What a look at some patients has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub patients: i64,
    pub entries: i64,
    pub begun: i64,
    pub ended: i64,
}

/// The next patients of a register, in the order of their ids, so that a resumed run knows where to continue.
pub async fn patients_after(db: &mut PgConnection, register: i64, last: i64, most: i64) -> sqlx::Result<Vec<i64>> {
    sqlx::query_scalar!(
        "select pacijent_id from patient_register where registar_id = $1 and pacijent_id > $2 order by pacijent_id limit $3",
        register,
        last,
        most
    )
    .fetch_all(db)
    .await
}

/// Looks at the patient of an entry that this transaction has written.
pub async fn settle_entry(tx: &mut PgConnection, patient: i64, register: i64, today: Date) -> sqlx::Result<()> {
    let is_due =
        sqlx::query_scalar!("delete from quality_due where pacijent_id = $1 and registar_id = $2 returning true", patient, register);
    // Nothing is due where the register has no rules.
    if is_due.fetch_optional(&mut *tx).await?.is_none() {
        return Ok(());
    }
    sqlx::query!("select pg_advisory_xact_lock(hashtextextended('quality', $1))", patient).execute(&mut *tx).await?;
    let mut rules = RuleSet::of(&mut *tx, register).await?;
    look_at(tx, &mut rules, &[patient], today).await?;
    Ok(())
}

/// Looks at no more than so many patients of whom something was written; gives how many. Whom somebody writes at this moment is left to the
/// next turn.
pub async fn settle_due(tx: &mut PgConnection, most: i64, today: Date) -> sqlx::Result<usize> {
    let rows = sqlx::query!(
        "select pacijent_id, registar_id from quality_due order by registar_id, pacijent_id limit $1 for update skip locked",
        most
    )
    .fetch_all(&mut *tx)
    .await?;
    let mut by_register: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
    for row in &rows {
        by_register.entry(row.registar_id).or_default().push(row.pacijent_id);
    }
    for (register, patients) in by_register {
        let mut rules = RuleSet::of(&mut *tx, register).await?;
        let free = free_of(&mut *tx, &patients).await?;
        look_at(&mut *tx, &mut rules, &free, today).await?;
        sqlx::query!("delete from quality_due where registar_id = $1 and pacijent_id = any ($2)", register, &free)
            .execute(&mut *tx)
            .await?;
    }
    Ok(rows.len())
}

/// Looks at these patients by the rules; gives also those whom somebody writes at this moment, who are not looked at.
pub async fn settle(tx: &mut PgConnection, rules: &mut RuleSet, patients: &[i64], today: Date) -> sqlx::Result<(Counts, Vec<i64>)> {
    let free = free_of(&mut *tx, patients).await?;
    let busy = patients.iter().copied().filter(|patient| !free.contains(patient)).collect();
    Ok((look_at(tx, rules, &free, today).await?, busy))
}

/// Those whom nobody else looks at now; they are held. Nobody is waited for: a transaction that writes many patients would wait for this one.
async fn free_of(tx: &mut PgConnection, patients: &[i64]) -> sqlx::Result<Vec<i64>> {
    sqlx::query_scalar!(
        r#"select id as "id!" from unnest($1::bigint[]) p (id) where pg_try_advisory_xact_lock(hashtextextended('quality', id)) order by id"#,
        patients
    )
    .fetch_all(tx)
    .await
}

async fn look_at(tx: &mut PgConnection, rules: &mut RuleSet, patients: &[i64], today: Date) -> sqlx::Result<Counts> {
    // A first run begins with a table that is empty: a plan made then, and kept by the connection, reads all of it for every batch.
    sqlx::query!("set local plan_cache_mode = force_custom_plan").execute(&mut *tx).await?;
    let courses = courses(&mut *tx, rules.registar_id, patients, rules.asks_other_entries()).await?;
    let forms: BTreeSet<i64> = courses.iter().flat_map(|course| &course.entries).map(|entry| entry.form_id).collect();
    let mut asked = BTreeMap::new();
    for form in forms {
        asked.insert(form, rules.form(&mut *tx, form).await?);
    }
    let found = |course: &PatientCourse| faults(&rules.rules, course, |form| asked.get(&form).cloned().flatten(), today);
    let found: Vec<Fault> = courses.iter().flat_map(found).collect();
    let (begun, ended) = write(tx, rules, patients, &found).await?;
    let entries = courses.iter().map(|course| course.entries.len() as i64).sum();
    Ok(Counts { patients: patients.len() as i64, entries, begun, ended })
}

/// Only what differs is written.
async fn write(tx: &mut PgConnection, rules: &RuleSet, patients: &[i64], found: &[Fault]) -> sqlx::Result<(i64, i64)> {
    let open = sqlx::query!(
        r#"select f.id, f.pravilo_id, f.unos_id, f.polje_id, f.otisak, r.vreme_poslednje_izmene > f.pocetak as "rule_is_newer!",
                  e.aktivan as "entry_is_there!", r.vrsta as "vrsta: QualityKind"
             from quality_finding f join quality_rule r on r.id = f.pravilo_id join entry e on e.id = f.unos_id
            where f.pacijent_id = any ($1) and f.kraj is null and r.registar_id = $2"#,
        patients,
        rules.registar_id
    )
    .fetch_all(&mut *tx)
    .await?;
    let mut news: BTreeMap<(i64, i64, Option<i64>), &Fault> =
        found.iter().map(|fault| ((fault.rule, fault.entry, fault.field), fault)).collect();
    let (mut ended, mut why) = (Vec::new(), Vec::new());
    for row in open {
        let key = (row.pravilo_id, row.unos_id, row.polje_id);
        if news.get(&key).is_some_and(|fault| fault.sum == row.otisak) {
            news.remove(&key);
            continue;
        }
        ended.push(row.id);
        why.push(match (row.entry_is_there, row.rule_is_newer) {
            (false, _) => "unos",
            (true, true) => "pravilo",
            (true, false) => "vrednost",
        });
    }
    sqlx::query!(
        "update quality_finding f set kraj = clock_timestamp(), razlog_kraja = n.razlog
           from unnest($1::bigint[], $2::text[]) n (id, razlog) where f.id = n.id and f.kraj is null",
        &ended,
        &why as &[&str]
    )
    .execute(&mut *tx)
    .await?;
    let (rule, entry): (Vec<i64>, Vec<i64>) = news.values().map(|fault| (fault.rule, fault.entry)).unzip();
    let (field, other): (Vec<Option<i64>>, Vec<Option<i64>>) = news.values().map(|fault| (fault.field, fault.other)).unzip();
    let sums: Vec<&str> = news.values().map(|fault| fault.sum.as_str()).collect();
    let begun = sqlx::query!(
        "insert into quality_finding (pravilo_id, unos_id, polje_id, drugi_unos_id, otisak, pacijent_id, ustanova_id, potvrdjen_at, potvrdio_id, napomena)
         select n.pravilo, n.unos, n.polje, n.drugi, n.otisak, e.pacijent_id, e.ustanova_id, c.potvrdjen_at, c.potvrdio_id, c.napomena
           from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::text[]) n (pravilo, unos, polje, drugi, otisak)
           join entry e on e.id = n.unos
           left join lateral (select o.potvrdjen_at, o.potvrdio_id, o.napomena from quality_finding o
                               where o.unos_id = n.unos and o.pravilo_id = n.pravilo and o.polje_id is not distinct from n.polje and o.otisak = n.otisak
                               order by o.id desc limit 1) c on true
             on conflict do nothing",
        &rule,
        &entry,
        &field as &[Option<i64>],
        &other as &[Option<i64>],
        &sums as &[&str]
    )
    .execute(tx)
    .await?;
    Ok((begun.rows_affected() as i64, ended.len() as i64))
}
