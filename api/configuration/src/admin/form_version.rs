//! The versions that a form has had: how many entries keep each, and what two of them have otherwise. Nothing here shows a patient.

use accounts::rights::Allowed;
use axum::extract::State;
use clinical::entries::form_version::day;
use domain::{
    entry::{
        difference::Difference,
        form::{EntryForm, FormError},
        version::{Publication, publications},
    },
    time::server_text,
};
use jiff::civil::Date;
use platform::{
    error::{Error, Result},
    extract::{Json, Path, Query},
    page::Page,
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::{admin::form::Form, crud::WriteAccess};

pub fn routes() -> Routes {
    Routes::new().routes(routes!(versions)).routes(routes!(differences))
}

#[derive(Serialize, ToSchema)]
#[schema(as = KeptVersion)]
struct Version {
    id: i64,
    broj: i32,
    od: Date,
    /// When it was made.
    vreme: String,
    /// Its publications, oldest first; none of a version that the form's other screens or a file made.
    objave: Vec<Publication>,
    /// Entries that keep it, deleted ones not among them.
    unosa: i64,
}

/// Newest first.
#[utoipa::path(get, path = "/api/forms/{id}/versions", responses((status = 200, body = Page<Version>)))]
async fn versions(State(state): State<AppState>, _: Allowed<WriteAccess<Form>>, Path(id): Path<i64>) -> Result<Json<Page<Version>>> {
    let mut db = state.db.acquire().await?;
    let rows = sqlx::query!(
        r#"with kept as (select form_version_id, count(*) as unosa from entry where tsa_id = $1 and aktivan group by 1)
           select v.id, v.broj, v.napravljena, coalesce(k.unosa, 0) as "unosa!"
             from form_version v left join kept k on k.form_version_id = v.id
            where v.form_id = $1 order by v.broj desc"#,
        id
    )
    .fetch_all(&mut *db)
    .await?;
    let mut published = publications(&mut db, &rows.iter().map(|row| row.id).collect::<Vec<_>>()).await?;
    let versions = rows.into_iter().map(|row| Version {
        id: row.id,
        broj: row.broj,
        od: day(row.napravljena.to_jiff()),
        vreme: server_text(row.napravljena.to_jiff()),
        objave: published.remove(&row.id).unwrap_or_default(),
        unosa: row.unosa,
    });
    Ok(Json(Page::all(versions.collect())))
}

#[derive(Deserialize, IntoParams)]
struct Between {
    /// Number of the older version.
    starija: i32,
    /// Number of the newer one; none: the form as it is configured today.
    novija: Option<i32>,
}

#[utoipa::path(get, path = "/api/forms/{id}/version-differences", params(Between), responses((status = 200, body = Difference)))]
async fn differences(
    State(state): State<AppState>,
    _: Allowed<WriteAccess<Form>>,
    Path(id): Path<i64>,
    Query(between): Query<Between>,
) -> Result<Json<Difference>> {
    let mut db = state.db.acquire().await?;
    let older = numbered(&mut db, id, between.starija).await?;
    let newer = match between.novija {
        Some(broj) => numbered(&mut db, id, broj).await?,
        None => EntryForm::load(&mut db, id).await?,
    };
    Ok(Json(Difference::between(&older, &newer)))
}

async fn numbered(db: &mut sqlx::PgConnection, form: i64, broj: i32) -> Result<EntryForm> {
    let id = sqlx::query_scalar!("select id from form_version where form_id = $1 and broj = $2", form, broj)
        .fetch_optional(&mut *db)
        .await?
        .ok_or(FormError::Missing)?;
    EntryForm::of_version(db, id).await.map_err(Error::from)
}
