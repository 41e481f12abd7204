//! How many entries of a form a patient may have, and has (A section 7).

use axum::extract::State;
use jiff::civil::Date;
use jiff_sqlx::ToSqlx;
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::{
    auth::Actor,
    error::{Error, Result},
    extract::{Json, Query},
    patients::Access,
    state::AppState,
};

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(entry_count))
}

#[derive(Deserialize, IntoParams)]
struct CountQuery {
    #[serde(rename = "pacijentID")]
    pacijent_id: i64,
    #[serde(rename = "thaID")]
    tha_id: i64,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct EntryCount {
    /// One more entry may be made.
    is_valid: bool,
    max_instanci: Option<i32>,
    broj_unosa: i64,
}

#[utoipa::path(get, path = "/api/entry-count", params(CountQuery), responses((status = 200, body = EntryCount)))]
async fn entry_count(State(state): State<AppState>, actor: Actor, Query(query): Query<CountQuery>) -> Result<Json<EntryCount>> {
    let mut db = state.db.acquire().await?;
    Access::to(&mut db, &actor, query.pacijent_id).await?;
    let form = sqlx::query!(
        "select moze_se_instancirati, maksimalan_broj_instanci_po_pacijentu from form where id = $1 and aktivan",
        query.tha_id
    )
    .fetch_optional(&mut *db)
    .await?
    .ok_or(Error::NotFound)?;
    let has = entries_of(&mut db, query.pacijent_id, query.tha_id, None).await?;
    let most = form.maksimalan_broj_instanci_po_pacijentu;
    Ok(Json(EntryCount {
        is_valid: form.moze_se_instancirati && most.is_none_or(|most| has < i64::from(most)),
        max_instanci: most,
        broj_unosa: has,
    }))
}

/// On one day, or in all.
pub async fn entries_of(db: &mut PgConnection, pacijent: i64, form: i64, day: Option<Date>) -> sqlx::Result<i64> {
    sqlx::query_scalar!(
        r#"select count(*) as "n!" from entry where pacijent_id = $1 and tsa_id = $2 and aktivan and ($3::date is null or datum_unosa = $3)"#,
        pacijent,
        form,
        day.map(ToSqlx::to_sqlx) as _,
    )
    .fetch_one(db)
    .await
}
