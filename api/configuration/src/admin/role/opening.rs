//! What a role gives besides its rights: patients, and the workers of every institution.

use accounts::{
    auth::Actor,
    confirming,
    rights::{Patients, Rights},
};
use platform::error::Result;
use sqlx::PgConnection;

/// What the role gives now besides its rights.
pub async fn of(tx: &mut PgConnection, id: i64) -> sqlx::Result<Rights> {
    let role = sqlx::query!(r#"select pacijenti as "pacijenti: Patients", sve_ustanove from role where id = $1"#, id);
    let role = role.fetch_one(tx).await?;
    Ok(Rights::new(&[], role.pacijenti).reaching(role.sve_ustanove))
}

/// A role that opens more than it did is a dangerous change.
pub async fn watch(tx: &mut PgConnection, actor: &Actor, id: i64, before: &Rights, after: &Rights) -> Result<()> {
    let more = before.lack(after);
    let patients = match more.pacijenti {
        Patients::Ne => None,
        Patients::Uvid => Some("Uloga otvara pacijente: čitanje."),
        Patients::Izmena => Some("Uloga otvara pacijente: čitanje i izmena."),
    };
    let everywhere = more.sve_ustanove.then_some("Uloga administrira radnike svih ustanova.");
    for what in patients.into_iter().chain(everywhere) {
        confirming::dangerous(&mut *tx, actor, "role", id, what).await?;
    }
    Ok(())
}
