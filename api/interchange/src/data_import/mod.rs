//! Patients and entries brought in by screen: a file is sent, mapped, checked, and written whole or not at all
//! (docs/decisions/0053-a-file-is-imported-by-screen.md). What reads and writes is the command's own code (`crate::import`).

mod edit;
mod faulty;
mod outcome;
mod own;
mod preview;
mod runs;
mod saved;
mod shown;
mod upload;
mod work;

use accounts::{
    auth::Actor,
    rights::{Allowed, DataImport, Patients},
};
use clinical::patients::require;
use platform::{error::Result, routes::Routes};

/// Who may bring data in. Each call asks `may` as well.
type Importer = Allowed<DataImport>;

pub fn routes() -> Routes {
    Routes::new()
        .merge(upload::routes())
        .merge(shown::routes())
        .merge(edit::routes())
        .merge(saved::routes())
        .merge(runs::routes())
        .merge(faulty::routes())
}

/// What is brought in becomes patients and entries, so it needs a role that opens patients to change.
fn may(actor: &Actor) -> Result<()> {
    require(actor, Patients::Izmena)
}
