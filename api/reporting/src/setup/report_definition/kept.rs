//! A version of a report that is kept, typed or chosen, and what is wrong with it.

use accounts::auth::Actor;
use platform::{
    error::{Error, Result},
    extract::Json,
    state::AppState,
};
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    check::{self, Check},
    store::{self, NewVersion, Report},
};

const LONGEST_NOTE: usize = 500;

#[derive(Serialize, ToSchema)]
pub struct SavedReportVersion {
    broj: i32,
    provera: Check,
}

pub async fn keep(state: &AppState, actor: &Actor, report: &Report, version: NewVersion<'_>) -> Result<Json<SavedReportVersion>> {
    if version.napomena.is_some_and(|napomena| napomena.chars().count() > LONGEST_NOTE) {
        return Err(Error::invalid("napomena", format!("Napomena je duža od {LONGEST_NOTE} znakova.")));
    }
    let texts = version.texts;
    let broj = store::save(state, actor.radnik_id, report.id, version).await?;
    let provera = check::check(state, actor, report, texts).await?;
    Ok(Json(SavedReportVersion { broj, provera }))
}
