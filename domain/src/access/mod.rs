//! Who may: asked by the api, the engines and the scheduler alike. What the database answers stands in `migrations/functions/access.sql`.

#[cfg(feature = "testing")]
pub mod cases;
mod no_reports;
mod rights;

use sqlx::PgConnection;

pub use no_reports::NoReports;
pub use rights::{Patients, REPORTS, Right, Rights};

/// What the worker's active roles give, whether the account is active or not.
pub async fn rights_of(db: &mut PgConnection, worker: i64) -> sqlx::Result<Rights> {
    let roles = sqlx::query!(
        r#"
        select r.pacijenti as "pacijenti!: Patients", r.sve_ustanove as "sve_ustanove!",
               rights_of_role(r.id) as "prava!"
          from active_roles($1) r
        "#,
        worker
    )
    .fetch_all(db)
    .await?;
    let all =
        roles.iter().fold(Rights::default(), |all, role| all.and(&Rights::new(&role.prava, role.pacijenti).reaching(role.sve_ustanove)));
    Ok(all.in_order())
}

/// Why the worker may have no reports of the institution; `None`: she is active, belongs to it, and holds a right to them.
pub async fn lacks_for_reports(db: &mut PgConnection, worker: i64, institution: i64) -> sqlx::Result<Option<NoReports>> {
    let numbers: Vec<i32> = REPORTS.iter().map(|right| right.number()).collect();
    let found = sqlx::query!(
        r#"select exists (select from worker where id = $1 and aktivan) as "account!",
                  exists (select from institution where id = $2 and aktivan) as "institution!",
                  works_at($1, $2) as "works!", holds_any($1, $3) as "holds!""#,
        worker,
        institution,
        &numbers
    )
    .fetch_one(db)
    .await?;
    let lacking = [
        (found.account, NoReports::Account),
        (found.institution, NoReports::Institution),
        (found.works, NoReports::Membership),
        (found.holds, NoReports::Right),
    ];
    Ok(lacking.into_iter().find(|(there, _)| !there).map(|(_, what)| what))
}

/// Whether the worker is active, belongs to the institution, and may put its board on a wall, which is one of reports.
pub async fn may_show_on_wall(db: &mut PgConnection, worker: i64, institution: i64) -> sqlx::Result<bool> {
    let reports: Vec<i32> = REPORTS.iter().map(|right| right.number()).collect();
    sqlx::query_scalar!(
        r#"select works_at($1, $2) and holds_any($1, $3) and holds_any($1, $4) as "may!""#,
        worker,
        institution,
        &[Right::WallDisplays.number()],
        &reports
    )
    .fetch_one(db)
    .await
}

/// Whether the worker is active, belongs to the institution, and has a role that opens patients.
pub async fn may_read_patients(db: &mut PgConnection, worker: i64, institution: i64) -> sqlx::Result<bool> {
    sqlx::query_scalar!(r#"select works_at($1, $2) and opens_patients($1) as "may!""#, worker, institution).fetch_one(db).await
}

/// Whether the worker is active, belongs to each of the institutions, and may take data of them out; with identity, patients must be
/// open to her too.
pub async fn may_export(db: &mut PgConnection, worker: i64, institutions: &[i64], with_identity: bool) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"select holds_any($1, $2) and not exists (select from unnest($3::bigint[]) u (id) where not works_at($1, u.id))
                  and (not $4::boolean or opens_patients($1)) as "may!""#,
        worker,
        &[Right::DataExport.number()],
        institutions,
        with_identity
    )
    .fetch_one(db)
    .await
}

/// Whether the worker is active, belongs to the institution, and may bring data into it from a file.
pub async fn may_import(db: &mut PgConnection, worker: i64, institution: i64) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"select works_at($1, $2) and holds_any($1, $3) and changes_patients($1) as "may!""#,
        worker,
        institution,
        &[Right::DataImport.number()]
    )
    .fetch_one(db)
    .await
}

// Each asks first what it asks about nobody's id too: what is hidden takes as long as what is not there.

/// Whether one of the institutions knows a patient, deleted or not.
pub async fn known_to_any(db: &mut PgConnection, institutions: &[i64], patient: i64) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"select exists (select from unnest($1::bigint[]) u (id) where knows_patient(u.id, $2)) and exists (select from patient where id = $2) as "known!""#,
        institutions,
        patient,
    )
    .fetch_one(db)
    .await
}

/// Whether an institution may read an entry that `holder` holds of the patient: it knows the patient, and where it took her over from
/// another, the entry is its own. One statement whichever of the two is false.
pub async fn knows_entry(db: &mut PgConnection, institution: Option<i64>, patient: i64, holder: i64) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"select knows_patient($2, $1) and exists (select from patient p where p.id = $1 and p.aktivan)
                  and ($2 is not distinct from $3::bigint or not reads_own_entries_only($2, $1)) as "known!""#,
        patient,
        institution,
        holder,
    )
    .fetch_one(db)
    .await
}

/// Whether an entry that `holder` holds is changed and deleted by who works for `institution`: it is nobody else's.
pub fn changes_entry(institution: Option<i64>, holder: i64) -> bool {
    institution == Some(holder)
}

/// Which patients an institution knows: those whom it registered, those of whom it holds an entry and those whom it took over; all of them
/// while the parameter `blurPodatakaIzmedjuUstanova` is off. False where there is no such patient, too: nobody learns from the answer which
/// of the two it is.
pub async fn knows_patient(db: &mut PgConnection, institution: Option<i64>, patient: i64) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"select knows_patient($2, $1) and exists (select from patient p where p.id = $1 and p.aktivan) as "known!""#,
        patient,
        institution,
    )
    .fetch_one(db)
    .await
}
