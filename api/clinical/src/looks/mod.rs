//! "Evidencija uvida": who looked at whose data, for the officer of data protection, by a right of its own. An officer is shown what was
//! done for her institutions; patients whom none of them knows are counted, never named. That she looked is a row as well.

mod list;
mod pick;
pub mod shown;
mod unusual;

use accounts::{auth::Actor, rights::Right};
use domain::access;
use platform::{error::Result, routes::Routes};
use sqlx::PgConnection;

pub fn routes() -> Routes {
    Routes::new().merge(list::routes()).merge(pick::routes()).merge(unusual::routes())
}

/// For which institutions the worker reads the log: an officer for all hers, whoever reads the log of changes for the present one.
pub async fn institutions(db: &mut PgConnection, actor: &Actor) -> sqlx::Result<Vec<i64>> {
    if actor.prava.holds(Right::Looks) {
        return sqlx::query_scalar!("select id from institution u where works_at($1, u.id) order by id", actor.radnik_id)
            .fetch_all(db)
            .await;
    }
    Ok(actor.ustanova_id.into_iter().collect())
}

/// Refuses a patient whom none of the institutions knows, as one who does not exist. Deleted ones are asked about as well.
pub async fn require_known(db: &mut PgConnection, institutions: &[i64], patient: i64) -> Result<()> {
    if access::known_to_any(db, institutions, patient).await? { Ok(()) } else { Err(platform::error::Error::HiddenPatient(patient)) }
}
