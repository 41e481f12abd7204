//! RecordPair records side by side before they are merged: where they differ, what moves, what stands in the way.

use accounts::{
    audit::deed_on_patient,
    auth::Actor,
    rights::{Allowed, Merging},
};
use axum::extract::State;
use domain::{db, jmbg, time};
use jiff::civil::Date;
use platform::{
    error::{Error, Result},
    extract::{Json, Query},
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use utoipa::{IntoParams, ToSchema};

use super::{PatientInput, RecordPair, Side, as_map, obstacles, proposals};

pub fn routes() -> Routes {
    Routes::new().routes(routes!(preview))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct PreviewQuery {
    #[serde(rename = "pacijentID")]
    pacijent_id: i64,
    /// The other record, by its id or its JMBG.
    drugi: String,
    /// A proposal to the own institution that is looked at.
    #[serde(rename = "predlogID")]
    predlog_id: Option<i64>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct MergePreview {
    pobednik: MergeSide,
    gubitnik: MergeSide,
    /// Fields in which the two differ, in the record's order.
    razlike: Vec<String>,
    /// How many rows of each table would move from the second record to the first.
    premesta: Vec<MovedRows>,
    /// Why it cannot be done now; none: it can.
    prepreke: Vec<String>,
    /// Forms of which both together have more entries than may be: they are kept all the same.
    sukobi: Vec<MergeConflict>,
    /// The institution that is asked; none: this worker may do it at once.
    saglasnost: Option<String>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct MergeSide {
    id: i64,
    ustanova: String,
    verzija: i32,
    vreme_kreiranja: String,
    unosa: i64,
    podaci: PatientInput,
}

#[derive(Serialize, ToSchema)]
struct MovedRows {
    tabela: String,
    redova: i64,
}

#[derive(Serialize, ToSchema)]
struct MergeConflict {
    formular: String,
    /// The day that has too many; none: the patient has.
    dan: Option<Date>,
    broj: i64,
    najvise: i32,
}

impl From<Side> for MergeSide {
    fn from(side: Side) -> Self {
        Self {
            id: side.id,
            ustanova: side.ustanova,
            verzija: side.verzija,
            vreme_kreiranja: time::server_text(side.kreiran),
            unosa: side.unosa,
            podaci: side.record,
        }
    }
}

/// RecordPair records side by side. A patient whom the institution does not know is answered as one who is not there.
#[utoipa::path(get, path = "/api/patient-merges/preview", params(PreviewQuery), responses((status = 200, body = MergePreview)))]
async fn preview(State(state): State<AppState>, actor: Allowed<Merging>, Query(query): Query<PreviewQuery>) -> Result<Json<MergePreview>> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let other = other(&mut tx, &query.drugi).await?;
    let (two, asked) = match query.predlog_id {
        Some(id) => {
            proposals::require_of_pair(&mut tx, &actor, id, query.pacijent_id, other).await?;
            (RecordPair::load(&mut tx, query.pacijent_id, other).await?, None)
        }
        None => {
            let two = RecordPair::known(&mut tx, &actor, query.pacijent_id, other).await?;
            let asked = two.to_agree(&actor)?.map(|(_, name)| name.to_owned());
            (two, asked)
        }
    };
    let answer = shown(&mut tx, &actor, two, asked).await?;
    tx.commit().await?;
    Ok(Json(answer))
}

/// The record that was typed by its number.
async fn other(db: &mut PgConnection, typed: &str) -> Result<i64> {
    let number = jmbg::plain(typed);
    if number.len() == 13 {
        let holder = sqlx::query_scalar!("select holder_of_jmbg($1)", number).fetch_one(db).await?;
        return holder.ok_or(Error::HiddenPatient(0));
    }
    number.parse().map_err(|_| Error::invalid("drugi", "Unesite JMBG ili broj drugog kartona."))
}

async fn shown(db: &mut PgConnection, actor: &Actor, two: RecordPair, asked: Option<String>) -> Result<MergePreview> {
    let (left, gone) = (two.left.id, two.gone.id);
    for id in [left, gone] {
        deed_on_patient(db, actor, "patient", "pregled pre spajanja", id, id).await?;
    }
    let (mine, theirs) = (as_map(&two.left.record)?, as_map(&two.gone.record)?);
    let razlike = mine.iter().filter(|(field, value)| theirs.get(*field) != Some(*value)).map(|(field, _)| field.clone()).collect();
    let premesta = sqlx::query_as!(MovedRows, r#"select tabela as "tabela!", redova as "redova!" from merge_counts($1)"#, gone);
    let premesta = premesta.fetch_all(&mut *db).await?;
    let conflicts = sqlx::query!(
        r#"select formular as "formular!", dan as "dan: jiff_sqlx::Date", broj as "broj!", najvise as "najvise!" from merge_conflicts($1, $2)"#,
        left,
        gone
    );
    let sukobi = conflicts.fetch_all(&mut *db).await?.into_iter().map(|row| MergeConflict {
        formular: row.formular,
        dan: row.dan.map(|day| day.to_jiff()),
        broj: row.broj,
        najvise: row.najvise,
    });
    let sukobi = sukobi.collect();
    let prepreke = obstacles(db, left, gone).await?;
    Ok(MergePreview { pobednik: two.left.into(), gubitnik: two.gone.into(), razlike, premesta, prepreke, sukobi, saglasnost: asked })
}
