//! Who may: asked by the api, the engines and the scheduler alike. What the database answers stands in `migrations/functions/access.sql`.

#[cfg(feature = "testing")]
pub mod cases;
mod rights;

use sqlx::PgConnection;

pub use rights::{Patients, REPORTS, Right, Rights};

/// What the worker's active roles give, whether the account is active or not.
pub async fn rights_of(db: &mut PgConnection, radnik: i64) -> sqlx::Result<Rights> {
    let roles = sqlx::query!(
        r#"
        select r.pacijenti as "pacijenti!: Patients",
               array(select a.numericka_vrednost from role_right g join application_right a on a.id = g.aplikativno_pravo_id
                      where g.uloga_id = r.id order by 1) as "prava!"
          from active_roles($1) r
        "#,
        radnik
    )
    .fetch_all(db)
    .await?;
    let all = roles.iter().fold(Rights::default(), |all, role| all.and(&Rights::new(&role.prava, role.pacijenti)));
    Ok(all.in_order())
}

/// Whether the worker is active, belongs to the institution, and may have reports of it.
pub async fn may_run_reports(db: &mut PgConnection, radnik: i64, ustanova: i64) -> sqlx::Result<bool> {
    let numbers: Vec<i32> = REPORTS.iter().map(|right| right.number()).collect();
    sqlx::query_scalar!(r#"select works_at($1, $2) and holds_any($1, $3) as "may!""#, radnik, ustanova, &numbers).fetch_one(db).await
}

/// Whether the worker is active, belongs to the institution, and has a role that opens patients.
pub async fn may_read_patients(db: &mut PgConnection, radnik: i64, ustanova: i64) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"select works_at($1, $2) and exists (select from active_roles($1) r where r.pacijenti <> 'ne') as "may!""#,
        radnik,
        ustanova
    )
    .fetch_one(db)
    .await
}

/// Which patients an institution knows: those whom it registered and those of whom it holds an entry; all of them while the
/// parameter `blurPodatakaIzmedjuUstanova` is off. False where there is no such patient, too: nobody learns from the answer which of
/// the two it is.
pub async fn knows_patient(db: &mut PgConnection, ustanova: Option<i64>, pacijent: i64) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"select exists (select from patient p where p.id = $1 and p.aktivan) and knows_patient($2, $1) as "known!""#,
        pacijent,
        ustanova,
    )
    .fetch_one(db)
    .await
}
