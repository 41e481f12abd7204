//! What one institution asks of another about a patient, answered once: to merge two records, or to keep the patient. Each kind waits in a
//! table of its own, with the same columns for its answer.

use accounts::{auth::Actor, rights::Patients};
use axum::http::StatusCode;
use domain::db;
use platform::{
    error::{Error, Result},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use sqlx::{AssertSqlSafe, PgConnection, Postgres};
use utoipa::ToSchema;

use super::access;

/// Characters of a reason.
const SHORTEST_REASON: usize = 10;
const LONGEST_REASON: usize = 1000;
pub(super) const BAD_REASON: &str = "Razlog mora imati od 10 do 1.000 znakova.";

/// A reason as it is stored.
pub(super) fn reason(text: &str) -> Result<&str> {
    let text = text.trim();
    match text.chars().count() {
        SHORTEST_REASON..=LONGEST_REASON => Ok(text),
        _ => Err(Error::invalid("razlog", BAD_REASON)),
    }
}

/// How it stands with what one institution has asked of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema, sqlx::Type)]
#[serde(rename_all = "snake_case")]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub(super) enum AgreementStatus {
    Ceka,
    Prihvacen,
    Odbijen,
    Povucen,
}

#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
pub(super) struct Declining {
    /// Why, at least ten characters: whoever asked reads it.
    razlog: String,
}

/// On which side of an agreement the own institution is.
#[derive(Clone, Copy)]
pub(super) enum Party {
    Asked,
    Asking,
}

/// A kind of agreements.
pub(super) struct Agreements {
    table: &'static str,
    /// What is told of one that waits no more.
    answered: &'static str,
}

pub(super) const MERGES: Agreements = Agreements { table: "patient_merge_proposal", answered: "Na ovaj predlog je već odgovoreno." };
pub(super) const TRANSFERS: Agreements = Agreements { table: "patient_transfer", answered: "Na ovu ponudu je već odgovoreno." };

impl Agreements {
    /// Locks one that waits until the answer is written. What has been answered is told so, what is of others is not there.
    pub(super) async fn lock_waiting(&self, tx: &mut PgConnection, actor: &Actor, id: i64, own: Party) -> Result<()> {
        let institution = match own {
            Party::Asked => "za_ustanovu_id",
            Party::Asking => "ustanova_id",
        };
        let statement = format!("select status from {} where id = $1 and {institution} = $2 for update", self.table);
        let status = sqlx::query_scalar::<Postgres, AgreementStatus>(AssertSqlSafe(statement)).bind(id).bind(actor.ustanova_id);
        match status.fetch_optional(tx).await? {
            None => Err(Error::NotFound),
            Some(AgreementStatus::Ceka) => Ok(()),
            Some(_) => Err(Error::conflict(self.answered)),
        }
    }

    /// Writes the answer to one that was locked.
    pub(super) async fn answer(
        &self,
        tx: &mut PgConnection,
        actor: &Actor,
        id: i64,
        status: AgreementStatus,
        why: Option<&str>,
    ) -> Result<()> {
        let statement = format!(
            "update {} set status = $2, odgovorio_id = $3, odgovoreno_at = clock_timestamp(), razlog_odgovora = $4 where id = $1",
            self.table
        );
        sqlx::query(AssertSqlSafe(statement)).bind(id).bind(status).bind(actor.radnik_id).bind(why).execute(tx).await?;
        Ok(())
    }

    /// The institution that was asked does not agree, and says why.
    pub(super) async fn decline(&self, state: &AppState, actor: &Actor, id: i64, body: &Declining) -> Result<StatusCode> {
        access::require(actor, Patients::Izmena)?;
        let why = reason(&body.razlog)?;
        let mut tx = db::begin(&state.db, actor.radnik_id).await?;
        self.lock_waiting(&mut tx, actor, id, Party::Asked).await?;
        self.answer(&mut tx, actor, id, AgreementStatus::Odbijen, Some(why)).await?;
        tx.commit().await?;
        Ok(StatusCode::NO_CONTENT)
    }

    /// The institution that asked takes it back.
    pub(super) async fn withdraw(&self, state: &AppState, actor: &Actor, id: i64) -> Result<StatusCode> {
        access::require(actor, Patients::Izmena)?;
        let mut tx = db::begin(&state.db, actor.radnik_id).await?;
        self.lock_waiting(&mut tx, actor, id, Party::Asking).await?;
        self.answer(&mut tx, actor, id, AgreementStatus::Povucen, None).await?;
        tx.commit().await?;
        Ok(StatusCode::NO_CONTENT)
    }
}
