//! The texts to which patients consent, of a register and a purpose, in versions: a text is not changed, another one comes after it.

use accounts::{
    auth::Actor,
    rights::{Allowed, RegisterSetup},
};
use axum::{extract::State, http::StatusCode};
use domain::{db, time};
use platform::{
    constraints::UNKNOWN_CHOICE,
    error::{Error, Result},
    extract::{Json, Path},
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Purpose;

/// Letters of a text.
const LETTERS: std::ops::RangeInclusive<usize> = 10..=20_000;

pub fn routes() -> Routes {
    Routes::new().routes(routes!(list, add))
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ConsentText {
    id: i64,
    svrha: Purpose,
    broj: i32,
    tekst: String,
    radnik: String,
    vreme: String,
    /// How many patients have consented to it.
    saglasnosti: i64,
}

#[derive(Debug, Serialize, ToSchema)]
struct ConsentTexts {
    data: Vec<ConsentText>,
}

/// All versions, the newest of each purpose first.
#[utoipa::path(get, path = "/api/registers/{id}/consent-texts", params(("id" = i64, Path)), responses((status = 200, body = ConsentTexts)))]
async fn list(State(state): State<AppState>, _actor: Allowed<RegisterSetup>, Path(id): Path<i64>) -> Result<Json<ConsentTexts>> {
    let rows = sqlx::query!(
        r#"select t.id, t.svrha as "svrha: Purpose", t.broj, t.tekst, w.prezime || ' ' || w.ime as "radnik!", t.vreme,
                  (select count(distinct c.pacijent_id) from patient_consent c where c.tekst_id = t.id) as "saglasnosti!"
             from consent_text t join worker w on w.id = t.radnik_id where t.registar_id = $1 order by t.svrha, t.broj desc"#,
        id
    )
    .fetch_all(&state.db)
    .await?;
    let data = rows.into_iter().map(|row| ConsentText {
        id: row.id,
        svrha: row.svrha,
        broj: row.broj,
        tekst: row.tekst,
        radnik: row.radnik,
        vreme: time::server_text(row.vreme.to_jiff()),
        saglasnosti: row.saglasnosti,
    });
    Ok(Json(ConsentTexts { data: data.collect() }))
}

#[derive(Debug, Deserialize, ToSchema)]
struct ConsentTextInput {
    svrha: Purpose,
    tekst: String,
}

#[derive(Serialize, ToSchema)]
struct AddedConsentText {
    id: i64,
    broj: i32,
}

#[utoipa::path(post, path = "/api/registers/{id}/consent-texts", params(("id" = i64, Path)), request_body = ConsentTextInput,
    responses((status = 201, body = AddedConsentText)))]
async fn add(
    State(state): State<AppState>,
    actor: Allowed<RegisterSetup>,
    Path(id): Path<i64>,
    Json(body): Json<ConsentTextInput>,
) -> Result<(StatusCode, Json<AddedConsentText>)> {
    let text = body.tekst.trim();
    if !LETTERS.contains(&text.chars().count()) {
        return Err(Error::invalid("tekst", "Tekst mora imati od 10 do 20.000 znakova."));
    }
    let actor: &Actor = &actor;
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let known = sqlx::query_scalar!("select id from register where id = $1 and aktivan", id).fetch_optional(&mut *tx).await?;
    known.ok_or_else(|| Error::malformed(UNKNOWN_CHOICE))?;
    let row = sqlx::query!(
        "insert into consent_text (registar_id, svrha, broj, tekst) values ($1, $2, 0, $3) returning id, broj",
        id,
        body.svrha.name(),
        text
    )
    .fetch_one(&mut *tx)
    .await?;
    tx.commit().await?;
    Ok((StatusCode::CREATED, Json(AddedConsentText { id: row.id, broj: row.broj })))
}
