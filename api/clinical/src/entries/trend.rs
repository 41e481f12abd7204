//! A patient's course on the patient's page: what the charts of a register's forms follow, each with its unit and reference bounds.

use std::collections::{HashMap, HashSet};

use accounts::{audit::look_at_patient, auth::Actor};
use axum::extract::State;
use domain::{
    entry::chart::{self, ChartPoint, PointMark},
    register::{ChartLine, ValueType},
};
use jiff::civil::Date;
use platform::{
    error::Result,
    extract::{Json, Path, Query},
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::PgConnection;
use utoipa::{IntoParams, ToSchema};

use super::form::{EntryField, EntryForm};
use crate::patients::PatientAccess;

pub fn routes() -> Routes {
    Routes::new().routes(routes!(trend))
}

#[derive(Deserialize, IntoParams)]
struct TrendQuery {
    #[serde(rename = "registarID")]
    registar_id: i64,
}

#[derive(Serialize, ToSchema)]
struct Trend {
    linije: Vec<TrendLine>,
    podaci: Vec<TrendPoint>,
}

/// One of the charts' lines. Numbers are drawn on an axis of their own; what else a line follows, a therapy for example, is written
/// under them.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct TrendLine {
    oznaka: String,
    sifra: String,
    boja: String,
    tva_num_vrednost: ValueType,
    jedinica: Option<String>,
    decimale_brojne_vrednosti: Option<i16>,
    donja_referentna_brojna_vrednost: Option<f64>,
    gornja_referentna_brojna_vrednost: Option<f64>,
}

/// One entry's values by code; chosen items by their names in the entry's version of the form.
#[derive(Serialize, ToSchema)]
struct TrendPoint {
    naziv: String,
    date: Date,
    #[schema(value_type = Object)]
    vrednosti: Value,
    /// Marks of the values that do not compare with their neighbours, by code.
    zastareli: HashMap<String, PointMark>,
}

/// Lines of all charts of the register's forms, with the patient's values of them by date.
#[utoipa::path(get, path = "/api/patients/{id}/trend", params(TrendQuery), responses((status = 200, body = Trend)))]
async fn trend(State(state): State<AppState>, actor: Actor, Path(id): Path<i64>, Query(query): Query<TrendQuery>) -> Result<Json<Trend>> {
    let mut db = state.db.acquire().await?;
    PatientAccess::to(&mut db, &actor, id).await?;
    look_at_patient(&mut db, &actor, id).await?;
    let forms =
        sqlx::query_scalar!("select id from form where registar_id = $1 and aktivan order by prikazni_redosled, id", query.registar_id)
            .fetch_all(&mut *db)
            .await?;
    let mut fields = Vec::new();
    for form in forms {
        fields.extend(EntryForm::load(&mut db, form).await?.fields);
    }
    let followed = followed(&fields);
    let codes: Vec<String> = followed.iter().map(|(line, _)| line.sifra.clone()).collect();
    let points =
        if codes.is_empty() { Vec::new() } else { chart::points(&mut db, id, query.registar_id, &codes, actor.ustanova_id).await? };
    let has_items = followed.iter().any(|(_, field)| field.tva_num_vrednost == ValueType::Set);
    let items = if has_items { items_of(&mut db, &points).await? } else { HashMap::new() };
    let podaci = points
        .into_iter()
        .map(|ChartPoint { naziv, date, vrednosti, zastareli, form_version_id }| {
            let vrednosti = named(vrednosti, items.get(&form_version_id).map_or(&[], Vec::as_slice));
            TrendPoint { naziv, date, vrednosti, zastareli }
        })
        .collect();
    Ok(Json(Trend { linije: followed.into_iter().map(|(line, field)| line_of(line, field)).collect(), podaci }))
}

/// Each code that a chart follows, once, with the field that it names.
fn followed(fields: &[EntryField]) -> Vec<(ChartLine, &EntryField)> {
    let mut seen = HashSet::new();
    fields
        .iter()
        .filter(|field| field.tva_num_vrednost == ValueType::Chart)
        .flat_map(chart::lines)
        .filter(|line| seen.insert(line.sifra.clone()))
        .filter_map(|line| {
            let field = fields.iter().find(|field| field.tva_num_vrednost.holds_value() && field.sifra.as_deref() == Some(&line.sifra))?;
            Some((line, field))
        })
        .collect()
}

fn line_of(line: ChartLine, field: &EntryField) -> TrendLine {
    TrendLine {
        oznaka: line.oznaka,
        sifra: line.sifra,
        boja: line.boja,
        tva_num_vrednost: field.tva_num_vrednost,
        jedinica: field.tip_atributa.jedinica.clone(),
        decimale_brojne_vrednosti: field.tip_atributa.decimale_brojne_vrednosti,
        donja_referentna_brojna_vrednost: field.donja_referentna_brojna_vrednost,
        gornja_referentna_brojna_vrednost: field.gornja_referentna_brojna_vrednost,
    }
}

/// The fields of each version that an entry among the points keeps.
async fn items_of(db: &mut PgConnection, points: &[ChartPoint]) -> Result<HashMap<i64, Vec<EntryField>>> {
    let mut fields = HashMap::new();
    for version in points.iter().map(|point| point.form_version_id).collect::<HashSet<_>>() {
        fields.insert(version, EntryForm::fields_of(db, version).await?);
    }
    Ok(fields)
}

/// Chosen items by their names.
fn named(values: Value, fields: &[EntryField]) -> Value {
    let Value::Object(values) = values else { return values };
    let name = |code: &str, id: &Value| {
        let of_code = fields.iter().filter(|field| field.sifra.as_deref() == Some(code));
        of_code.flat_map(|field| &field.enum_stavke_sve).find(|item| id.as_i64() == Some(item.id)).map(|item| item.naziv.clone())
    };
    let shown = |code: &str, value: Value| match value {
        Value::Array(chosen) => Value::String(chosen.iter().filter_map(|id| name(code, id)).collect::<Vec<_>>().join(", ")),
        other => other,
    };
    values
        .into_iter()
        .map(|(code, value)| {
            let value = shown(&code, value);
            (code, value)
        })
        .collect::<serde_json::Map<_, _>>()
        .into()
}
