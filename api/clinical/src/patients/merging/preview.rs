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
    /// Entries of one record after the death that the other one knows: they stay as they are, and one of the two days is wrong.
    posle_smrti: Vec<EntryAfterDeath>,
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
struct EntryAfterDeath {
    formular: String,
    dan: Date,
    /// The day of the death.
    smrt: Date,
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
    let posle_smrti = after_death(&mut *db, actor, left, gone).await?;
    let prepreke = obstacles(db, left, gone).await?;
    Ok(MergePreview {
        pobednik: two.left.into(),
        gubitnik: two.gone.into(),
        razlike,
        premesta,
        prepreke,
        sukobi,
        posle_smrti,
        saglasnost: asked,
    })
}

/// Of entries that the worker does not read nothing is told.
async fn after_death(db: &mut PgConnection, actor: &Actor, left: i64, gone: i64) -> sqlx::Result<Vec<EntryAfterDeath>> {
    let rows = sqlx::query!(
        r#"select f.naziv, e.datum_unosa, d.dan as "dan!" from (values ($1::bigint, $2::bigint), ($2, $1)) two (dead, other)
            cross join lateral (select death_day(two.dead) as dan) d
             join entry e on e.pacijent_id = two.other and e.aktivan and e.datum_unosa > d.dan
             join form f on f.id = e.tsa_id
            where e.ustanova_id = $3 or not (select reads_own_entries_only($3, two.other))
            order by e.datum_unosa, e.id"#,
        left,
        gone,
        actor.ustanova_id
    );
    let told = |naziv, day: jiff_sqlx::Date, death: jiff_sqlx::Date| EntryAfterDeath {
        formular: naziv,
        dan: day.to_jiff(),
        smrt: death.to_jiff(),
    };
    Ok(rows.fetch_all(db).await?.into_iter().map(|row| told(row.naziv, row.datum_unosa, row.dan)).collect())
}
