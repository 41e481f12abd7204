//! Whom a report lets read more.

use accounts::{auth::Actor, confirming};
use configuration::crud::Resource;
use platform::error::Result;
use sqlx::PgConnection;

use super::{Input, Report};

/// `obim` of a report over all institutions.
pub const EVERYWHERE: &str = "sve";
const OPENED: &str = "Izveštaj čita podatke svih ustanova.";
const ATTACHED: &str = "Fajlovi izveštaja se šalju u prilogu e-maila i otvaraju se bez prijave.";

/// A report that reads more than it did, or is attached where it was linked, is a dangerous change.
pub async fn watch(tx: &mut PgConnection, actor: &Actor, id: i64, input: &Input, (everywhere, attached): (bool, bool)) -> Result<()> {
    if input.obim == EVERYWHERE && !everywhere {
        confirming::dangerous(&mut *tx, actor, Report::TABLE, id, OPENED).await?;
    }
    if input.prilog_u_mejlu && !attached {
        confirming::dangerous(tx, actor, Report::TABLE, id, ATTACHED).await?;
    }
    Ok(())
}
