//! Attribute types that nothing uses: found, and removed in one step.

use accounts::rights::Allowed;
use axum::{extract::State, http::StatusCode};
use domain::db;
use platform::{
    error::{Error, Result},
    extract::Json,
    page::Page,
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{admin::attribute_type::AttributeType, crud::WriteAccess};

pub fn routes() -> Routes {
    Routes::new().routes(routes!(list)).routes(routes!(remove))
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct UnusedType {
    id: i64,
    naziv: String,
    naziv_tipa_vrednosti_atributa: String,
}

/// Types of no field, no draft and no stored value.
#[utoipa::path(get, path = "/api/unused-attribute-types", responses((status = 200, body = Page<UnusedType>)))]
async fn list(State(state): State<AppState>, _: Allowed<WriteAccess<AttributeType>>) -> Result<Json<Page<UnusedType>>> {
    let rows = sqlx::query_as!(
        UnusedType,
        r#"select t.id, t.naziv, v.naziv as naziv_tipa_vrednosti_atributa
             from attribute_type t join value_type v on v.num_vrednost = t.tip_vrednosti_atributa
            where t.id in (select unused_types()) order by t.naziv collate "sr-Latn-x-icu", t.id"#
    );
    Ok(Json(Page::all(rows.fetch_all(&state.db).await?)))
}

#[derive(Deserialize, ToSchema)]
struct UnusedTypes {
    /// Ids of those that the administrator saw.
    tipovi: Vec<i64>,
}

/// Removes them all, or none: a type that has come into use is not removed unseen.
#[utoipa::path(post, path = "/api/unused-attribute-types-delete", request_body = UnusedTypes,
    responses((status = 204), (status = 409, description = "Neki tip se u međuvremenu koristi")))]
async fn remove(
    State(state): State<AppState>,
    actor: Allowed<WriteAccess<AttributeType>>,
    Json(seen): Json<UnusedTypes>,
) -> Result<StatusCode> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    // A field that is given one of them meanwhile reads its row.
    let locked = sqlx::query_scalar!("select id from attribute_type where id = any ($1) and aktivan order by id for update", &seen.tipovi);
    let locked = locked.fetch_all(&mut *tx).await?;
    let used = sqlx::query_scalar!(
        "select naziv from attribute_type where id = any ($1) and id not in (select unused_types()) order by naziv, id limit 1",
        &locked
    );
    if let Some(naziv) = used.fetch_optional(&mut *tx).await? {
        return Err(Error::conflict(format!("Tip „{naziv}” se u međuvremenu koristi. Pogledajte spisak ponovo.")));
    }
    sqlx::query!("update attribute_type set aktivan = false where id = any ($1)", &locked).execute(&mut *tx).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
