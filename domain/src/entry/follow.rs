//! Results that are made of another form's entry follow it: whoever writes an entry computes anew what reads it, and what was written past
//! the screens is computed soon after by the scheduler (docs/decisions/0147-results-follow-the-other-form.md). Each entry is computed by the
//! version that it keeps, and nothing of it changes but results that are made of other forms. A signed or locked entry stays as it is, and its
//! results are marked.

use std::collections::BTreeSet;

use sqlx::PgConnection;

use super::{
    form::{EntryForm, FormError},
    recompute::{Followed, Versions, courses},
    values::to_json,
};

/// How often the entries of a patient are gone through: what one writes another may read, on a later day or in a form that comes after.
/// Circles are refused, so a turn in which nothing changes is the last.
const MOST_TURNS: usize = 20;

/// Computes anew what reads an entry of the patient that this transaction has written; nothing is done where no form of the register reads
/// another.
pub async fn follow(tx: &mut PgConnection, patient: i64, register: i64) -> Result<(), FormError> {
    let is_due =
        sqlx::query_scalar!("delete from follow_due where pacijent_id = $1 and registar_id = $2 returning true", patient, register);
    if is_due.fetch_optional(&mut *tx).await?.is_none() {
        return Ok(());
    }
    follow_patient(tx, patient, register).await
}

/// The same of no more than so many patients of whom something was written; gives how many. Whom somebody writes at this moment is left to
/// the next turn.
pub async fn follow_due(tx: &mut PgConnection, most: i64) -> Result<usize, FormError> {
    let rows = sqlx::query!(
        "delete from follow_due d using (select pacijent_id, registar_id from follow_due order by registar_id, pacijent_id limit $1
                                            for update skip locked) n
          where d.pacijent_id = n.pacijent_id and d.registar_id = n.registar_id returning d.pacijent_id, d.registar_id",
        most
    )
    .fetch_all(&mut *tx)
    .await?;
    for row in &rows {
        follow_patient(&mut *tx, row.pacijent_id, row.registar_id).await?;
    }
    Ok(rows.len())
}

async fn follow_patient(tx: &mut PgConnection, patient: i64, register: i64) -> Result<(), FormError> {
    let readers = sqlx::query_scalar!(
        "select f.id from form f
          where f.registar_id = $1 and f.aktivan and exists (select from form_field_read n where n.form_id = f.id and strpos(n.sifra, '.') > 0)
            and exists (select from entry e where e.pacijent_id = $2 and e.tsa_id = f.id and e.aktivan)
          order by f.id",
        register,
        patient
    )
    .fetch_all(&mut *tx)
    .await?;
    if readers.is_empty() {
        return Ok(());
    }
    // In the order of their ids, as others lock several.
    sqlx::query!("select id from entry where pacijent_id = $1 and tsa_id = any ($2) and aktivan order by id for update", patient, &readers)
        .fetch_all(&mut *tx)
        .await?;
    let mut forms = Vec::new();
    let ids = readers.clone();
    for form in readers {
        forms.push(Versions::below(EntryForm::load(&mut *tx, form).await?));
    }
    set_following(&mut *tx, "1").await?;
    let mut marked = BTreeSet::new();
    for _ in 0..MOST_TURNS {
        let mut wrote = false;
        marked.clear();
        for versions in &mut forms {
            wrote |= follow_form(&mut *tx, versions, patient, &mut marked).await?;
        }
        if !wrote {
            break;
        }
    }
    set_following(&mut *tx, "").await?;
    // What was read may be again what it was.
    sqlx::query!(
        "delete from stale_result s using entry e
          where e.id = s.unos_id and e.pacijent_id = $1 and e.tsa_id = any ($2) and s.razlog = 'drugi_formular'",
        patient,
        &ids
    )
    .execute(&mut *tx)
    .await?;
    mark(tx, marked).await?;
    Ok(())
}

/// Whether a result became another.
async fn follow_form(
    tx: &mut PgConnection,
    versions: &mut Versions,
    patient: i64,
    marked: &mut BTreeSet<(i64, i64)>,
) -> Result<bool, FormError> {
    let mut wrote = false;
    for course in courses(&mut *tx, &versions.newest, &[patient]).await? {
        for (entry, followed) in course.entries.iter().zip(course.follow(&mut *tx, versions).await?) {
            match followed {
                Followed::Right => {}
                Followed::Closed(fields) => marked.extend(fields.into_iter().map(|field| (entry.id, field))),
                Followed::Changed { values, relevant_filled } => {
                    sqlx::query!(
                        "update entry set vrednosti = $2, popunjeni_relevantni = $3 where id = $1",
                        entry.id,
                        to_json(&values),
                        relevant_filled
                    )
                    .execute(&mut *tx)
                    .await?;
                    wrote = true;
                }
            }
        }
    }
    Ok(wrote)
}

async fn set_following(tx: &mut PgConnection, on: &str) -> sqlx::Result<()> {
    sqlx::query!("select set_config('app.following', $1, true)", on).fetch_one(tx).await?;
    Ok(())
}

/// Results of signed and locked entries that would be others.
async fn mark(tx: &mut PgConnection, marked: BTreeSet<(i64, i64)>) -> sqlx::Result<()> {
    let (entries, fields): (Vec<i64>, Vec<i64>) = marked.into_iter().unzip();
    sqlx::query!(
        "insert into stale_result (unos_id, polje_id, razlog)
         select * from (select unnest($1::bigint[]), unnest($2::bigint[]), 'drugi_formular') n on conflict (unos_id, polje_id) do nothing",
        &entries,
        &fields
    )
    .execute(tx)
    .await?;
    Ok(())
}
