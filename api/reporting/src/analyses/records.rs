//! Saved analyses: each owns a report, which is run, scheduled, mailed and opened as any other, by whoever sees the analysis.

use accounts::{
    auth::Actor,
    rights::{Allowed, Reports},
};
use axum::{extract::State, http::StatusCode};
use domain::{db, text};
use platform::{
    error::{Error, Result},
    extract::{Json, Path, Query},
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use sqlx::{PgConnection, types::Json as Jsonb};
use utoipa::{IntoParams, ToSchema};

use super::{
    choice::AnalysisChoice,
    cohorts::{UsableCohort, refuse_name},
    compile::{FILE, compile},
};
use crate::{reports::ending, setup::report_definition::store::Texts};

pub fn routes() -> Routes {
    Routes::new().routes(routes!(list, create)).routes(routes!(update, delete))
}

const MOST_ANALYSES: i64 = 500;

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Analysis {
    id: i64,
    naziv: String,
    #[serde(rename = "kohortaID")]
    kohorta_id: i64,
    kohorta: String,
    /// The report that is run.
    #[serde(rename = "izvestajID")]
    izvestaj_id: i64,
    izbor: AnalysisChoice,
    deljena: bool,
    /// Whether the caller may change it.
    moja: bool,
    vlasnik: String,
    verzija: i32,
}

#[derive(Deserialize, ToSchema)]
struct AnalysisInput {
    #[serde(default, deserialize_with = "text::required")]
    naziv: String,
    #[serde(rename = "kohortaID")]
    kohorta_id: i64,
    izbor: AnalysisChoice,
    #[serde(default)]
    deljena: bool,
    /// Of the analysis as the caller saw it; not read of a new one.
    #[serde(default)]
    verzija: i32,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SavedAnalysis {
    id: i64,
    #[serde(rename = "izvestajID")]
    izvestaj_id: i64,
    verzija: i32,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
struct AnalysisEnding {
    /// How many schedules end with it, as the caller was told.
    potvrdjeno_zakazivanja: Option<i64>,
}

#[utoipa::path(get, path = "/api/analyses", tag = "analize", responses((status = 200, body = [Analysis])))]
async fn list(State(state): State<AppState>, actor: Allowed<Reports>) -> Result<Json<Vec<Analysis>>> {
    let rows = sqlx::query!(
        r#"select a.id, a.naziv, a.kohorta_id, k.naziv as kohorta, a.izvestaj_id, a.izbor as "izbor: Jsonb<AnalysisChoice>", a.deljena,
                  a.radnik_id = $1 as "moja!", w.ime || ' ' || w.prezime as "vlasnik!", a.verzija
             from analysis a join cohort k on k.id = a.kohorta_id join worker w on w.id = a.radnik_id
            where a.aktivan and sees_owned($1, a.radnik_id, case when a.deljena then a.ustanova_id end)
            order by a.naziv, a.id"#,
        actor.radnik_id
    );
    let analyses = rows.fetch_all(&state.db).await?.into_iter().map(|row| Analysis {
        id: row.id,
        naziv: row.naziv,
        kohorta_id: row.kohorta_id,
        kohorta: row.kohorta,
        izvestaj_id: row.izvestaj_id,
        izbor: row.izbor.0,
        deljena: row.deljena,
        moja: row.moja,
        vlasnik: row.vlasnik,
        verzija: row.verzija,
    });
    Ok(Json(analyses.collect()))
}

#[utoipa::path(post, path = "/api/analyses", tag = "analize", request_body = AnalysisInput,
    responses((status = 201, body = SavedAnalysis), (status = 422, description = "Polje i poruka")))]
async fn create(
    State(state): State<AppState>,
    actor: Allowed<Reports>,
    Json(input): Json<AnalysisInput>,
) -> Result<(StatusCode, Json<SavedAnalysis>)> {
    refuse_name(&input.naziv)?;
    let institution = actor.ustanova()?;
    let cohort = UsableCohort::find(&state, &actor, input.kohorta_id).await?;
    let texts = compile(&state, &actor, &cohort.source, (&input.naziv, &cohort.naziv), &input.izbor).await?;
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let own = sqlx::query_scalar!(r#"select count(*) as "n!" from analysis where radnik_id = $1 and aktivan"#, actor.radnik_id);
    if own.fetch_one(&mut *tx).await? >= MOST_ANALYSES {
        return Err(Error::too_many(format!("Već imate {MOST_ANALYSES} analiza. Obrišite one koje više nisu potrebne.")));
    }
    refuse_taken(&mut tx, &actor, None, &input.naziv).await?;
    let izvestaj_id = sqlx::query_scalar!(
        "insert into report (naziv, numericka_vrednost, jasper_fajl, prikazuje_se, registar_id, obim, vlasnik_id, vlasnik_ustanova_id)
         values ($1, 0, $2, true, $3, $4, $5, $6) returning id",
        input.naziv,
        FILE,
        cohort.source.choice.registar_id,
        input.izbor.obim.obim(),
        actor.radnik_id,
        input.deljena.then_some(institution)
    )
    .fetch_one(&mut *tx)
    .await?;
    sqlx::query!("insert into report_format_link (izvestaj_id, format_id) select $1, id from report_format where aktivan", izvestaj_id)
        .execute(&mut *tx)
        .await?;
    publish(&mut tx, actor.radnik_id, izvestaj_id, &texts).await?;
    let saved = sqlx::query!(
        "insert into analysis (naziv, kohorta_id, izvestaj_id, radnik_id, ustanova_id, deljena, izbor) values ($1, $2, $3, $4, $5, $6, $7)
         returning id, verzija",
        input.naziv,
        input.kohorta_id,
        izvestaj_id,
        actor.radnik_id,
        institution,
        input.deljena,
        Jsonb(&input.izbor) as _
    )
    .fetch_one(&mut *tx)
    .await?;
    tx.commit().await?;
    Ok((StatusCode::CREATED, Json(SavedAnalysis { id: saved.id, izvestaj_id, verzija: saved.verzija })))
}

/// The next run, a scheduled one too, is of what it is now.
#[utoipa::path(put, path = "/api/analyses/{id}", tag = "analize", params(("id" = i64, Path)), request_body = AnalysisInput,
    responses((status = 200, body = SavedAnalysis), (status = 409, description = "Neko ju je u međuvremenu izmenio"), (status = 422, description = "Polje i poruka")))]
async fn update(
    State(state): State<AppState>,
    actor: Allowed<Reports>,
    Path(id): Path<i64>,
    Json(input): Json<AnalysisInput>,
) -> Result<Json<SavedAnalysis>> {
    refuse_name(&input.naziv)?;
    let cohort = UsableCohort::find(&state, &actor, input.kohorta_id).await?;
    let texts = compile(&state, &actor, &cohort.source, (&input.naziv, &cohort.naziv), &input.izbor).await?;
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let own = OwnAnalysis::lock(&mut tx, &actor, id).await?;
    if own.verzija != input.verzija {
        return Err(Error::conflict("Analiza je u međuvremenu izmenjena. Otvorite je ponovo."));
    }
    refuse_taken(&mut tx, &actor, Some(id), &input.naziv).await?;
    if own.deljena && !input.deljena {
        let others = sqlx::query_scalar!(
            r#"select count(*) as "n!" from report_schedule where izvestaj_id = $1 and aktivan and radnik_id <> $2"#,
            own.izvestaj_id,
            actor.radnik_id
        );
        if others.fetch_one(&mut *tx).await? > 0 {
            return Err(Error::conflict("Analizu su zakazali drugi radnici ustanove, pa ostaje podeljena."));
        }
    }
    sqlx::query!(
        "update report set naziv = $2, registar_id = $3, obim = $4, vlasnik_ustanova_id = $5 where id = $1",
        own.izvestaj_id,
        input.naziv,
        cohort.source.choice.registar_id,
        input.izbor.obim.obim(),
        input.deljena.then_some(own.ustanova_id)
    )
    .execute(&mut *tx)
    .await?;
    publish(&mut tx, actor.radnik_id, own.izvestaj_id, &texts).await?;
    let verzija = sqlx::query_scalar!(
        "update analysis set naziv = $2, kohorta_id = $3, deljena = $4, izbor = $5 where id = $1 returning verzija",
        id,
        input.naziv,
        input.kohorta_id,
        input.deljena,
        Jsonb(&input.izbor) as _
    )
    .fetch_one(&mut *tx)
    .await?;
    tx.commit().await?;
    Ok(Json(SavedAnalysis { id, izvestaj_id: own.izvestaj_id, verzija }))
}

/// Its report goes with it; results that were made stay until they expire.
#[utoipa::path(delete, path = "/api/analyses/{id}", tag = "analize", params(("id" = i64, Path), AnalysisEnding),
    responses((status = 204), (status = 409, description = "Ima zakazivanja")))]
async fn delete(
    State(state): State<AppState>,
    actor: Allowed<Reports>,
    Path(id): Path<i64>,
    Query(asked): Query<AnalysisEnding>,
) -> Result<StatusCode> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let own = OwnAnalysis::lock(&mut tx, &actor, id).await?;
    ending::end_all(&mut tx, actor.radnik_id, own.izvestaj_id, asked.potvrdjeno_zakazivanja).await?;
    sqlx::query!("update report set aktivan = false where id = $1", own.izvestaj_id).execute(&mut *tx).await?;
    sqlx::query!("update analysis set aktivan = false where id = $1", id).execute(&mut *tx).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Makes the analyses of a cohort anew, which has changed in this transaction. What no analysis of it could be made of is refused.
pub async fn recompile(state: &AppState, actor: &Actor, tx: &mut PgConnection, cohort: i64) -> Result<()> {
    let analyses = sqlx::query!(
        r#"select a.naziv, a.izvestaj_id, a.izbor as "izbor: Jsonb<AnalysisChoice>", a.radnik_id from analysis a
            where a.kohorta_id = $1 and a.aktivan order by a.id for update"#,
        cohort
    );
    let analyses = analyses.fetch_all(&mut *tx).await?;
    if analyses.is_empty() {
        return Ok(());
    }
    let usable = UsableCohort::within(&mut *tx, state, cohort).await?;
    for analysis in analyses {
        let made = compile(state, actor, &usable.source, (&analysis.naziv, &usable.naziv), &analysis.izbor).await;
        let texts = made.map_err(|error| match error {
            Error::Invalid { message, .. } if analysis.radnik_id == actor.radnik_id => {
                Error::conflict(format!("Takva kohorta ne odgovara analizi „{}”: {message}", analysis.naziv))
            }
            Error::Invalid { .. } => Error::conflict("Takva kohorta ne odgovara analizi drugog radnika, koja je koristi."),
            other => other,
        })?;
        publish(&mut *tx, actor.radnik_id, analysis.izvestaj_id, &texts).await?;
        sqlx::query!("update report set registar_id = $2 where id = $1", analysis.izvestaj_id, usable.source.choice.registar_id)
            .execute(&mut *tx)
            .await?;
    }
    Ok(())
}

/// The next version of its report, live at once; the same texts are the version that is live.
async fn publish(tx: &mut PgConnection, worker: i64, report: i64, texts: &Texts) -> Result<()> {
    let definition = sqlx::query_scalar!(
        r#"with live as (select d.id from report r join report_definition d on d.id = r.definicija_id
                          where r.id = $1 and d.upit = $2 and d.sablon = $3),
                made as (insert into report_definition (izvestaj_id, broj, upit, sablon, radnik_id)
                         select $1, coalesce((select max(broj) from report_definition where izvestaj_id = $1), 0) + 1, $2, $3, $4
                          where not exists (select from live) returning id)
           select coalesce((select id from made), (select id from live)) as "id!""#,
        report,
        texts.upit,
        texts.sablon,
        worker
    )
    .fetch_one(&mut *tx)
    .await?;
    sqlx::query!("update report set definicija_id = $2 where id = $1 and definicija_id is distinct from $2", report, definition)
        .execute(&mut *tx)
        .await?;
    Ok(())
}

/// An analysis of the caller's, locked until the transaction ends.
struct OwnAnalysis {
    izvestaj_id: i64,
    ustanova_id: i64,
    deljena: bool,
    verzija: i32,
}

impl OwnAnalysis {
    async fn lock(tx: &mut PgConnection, actor: &Actor, id: i64) -> Result<Self> {
        let row = sqlx::query!(
            "select radnik_id, izvestaj_id, ustanova_id, deljena, verzija from analysis
              where id = $1 and aktivan and sees_owned($2, radnik_id, case when deljena then ustanova_id end) for update",
            id,
            actor.radnik_id
        );
        let row = row.fetch_optional(tx).await?.ok_or(Error::NotFound)?;
        if row.radnik_id != actor.radnik_id {
            return Err(Error::refused("Analizu menja samo onaj ko ju je napravio."));
        }
        Ok(Self { izvestaj_id: row.izvestaj_id, ustanova_id: row.ustanova_id, deljena: row.deljena, verzija: row.verzija })
    }
}

async fn refuse_taken(tx: &mut PgConnection, actor: &Actor, id: Option<i64>, naziv: &str) -> Result<()> {
    let taken = sqlx::query_scalar!(
        r#"select exists (select from analysis where radnik_id = $1 and aktivan and id is distinct from $2 and fold(naziv) = fold($3)) as "taken!""#,
        actor.radnik_id,
        id,
        naziv
    );
    match taken.fetch_one(tx).await? {
        true => Err(Error::Conflict { field: Some("naziv".into()), message: "Već imate analizu sa tim nazivom.".into() }),
        false => Ok(()),
    }
}
