//! A patient's course on the patient's page: what the charts of a register's forms follow, each with its unit and reference bounds.

use std::collections::{HashMap, HashSet};

use accounts::{audit::look_at_patient, auth::Actor};
use axum::extract::State;
use domain::{
    answer::Answer,
    entry::{
        chart::{self, ChartPoint, PointMark},
        course::{self, Course, Measure},
        value_text::answer_text,
    },
    register::{ChartLine, ValueType},
    report_screen::ScreenDrawing,
};
use jiff::civil::Date;
use platform::{
    error::Result,
    extract::{Json, Path, Query},
    routes::{Routes, routes},
    state::AppState,
};
use report_chart::{Size, layout, times};
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
    /// For a wide screen and for a narrow one, all lines over the same days; none where there is nothing to draw.
    crtezi: Vec<ScreenDrawing>,
}

/// In pixels.
const WIDTHS: [f64; 2] = [760.0, 340.0];
/// The height of a measure without the days under it, and of words that hold for a while.
const HEIGHTS: (f64, f64) = (84.0, 40.0);

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
    let with_names = |point: ChartPoint| {
        let vrednosti = named(point.vrednosti, items.get(&point.form_version_id).map_or(&[], Vec::as_slice));
        ChartPoint { vrednosti, ..point }
    };
    let points: Vec<ChartPoint> = points.into_iter().map(with_names).collect();
    let drawings = drawings(&followed, &points);
    let linije = followed.into_iter().zip(drawings).map(|((line, field), crtezi)| line_of(line, field, crtezi)).collect();
    let told =
        |point: ChartPoint| TrendPoint { naziv: point.naziv, date: point.date, vrednosti: point.vrednosti, zastareli: point.zastareli };
    Ok(Json(Trend { linije, podaci: points.into_iter().map(told).collect() }))
}

/// Of each line, over the days of all visits and beginning at one place, so that what lies below one another is of one day.
fn drawings(followed: &[(ChartLine, &EntryField)], points: &[ChartPoint]) -> Vec<Vec<ScreenDrawing>> {
    let days: Vec<f64> = points.iter().map(|point| times::of_day(point.date)).collect();
    let mut courses: Vec<Option<Course>> = followed.iter().map(|(line, field)| course_of(line, field, points, &days)).collect();
    let size = |course: &Course, width: f64| {
        let plot = if course.told.is_empty() { HEIGHTS.1 } else { HEIGHTS.0 };
        let letters = Size::screen(width, 0.0).letters;
        Size::screen(width, layout::height_for(&course.figure, width, letters, plot).ceil())
    };
    let left = |course: &Course| layout::left_of_plot(&course.figure, size(course, WIDTHS[0])).unwrap_or(0.0);
    let least_left = courses.iter().flatten().map(left).fold(0.0, f64::max);
    courses.iter_mut().flatten().for_each(|course| course.figure.least_left = least_left);
    let drawn = |course: Option<Course>| {
        let Some(course) = course else { return Vec::new() };
        WIDTHS.into_iter().filter_map(|width| course.drawn(size(&course, width))).collect()
    };
    courses.into_iter().map(drawn).collect()
}

fn course_of(line: &ChartLine, field: &EntryField, points: &[ChartPoint], days: &[f64]) -> Option<Course> {
    if field.tva_num_vrednost == ValueType::Number {
        let low = field.donja_referentna_brojna_vrednost;
        let of = Measure { unit: field.tip_atributa.jedinica.as_deref(), low, high: field.gornja_referentna_brojna_vrednost };
        return course::measure(line, points, of, days);
    }
    // A therapy that a later visit no longer names has ended: a visit of the same form without it says so.
    let has = |point: &&ChartPoint| point.vrednosti.get(&line.sifra).is_some();
    let forms: HashSet<&str> = points.iter().filter(has).map(|point| point.naziv.as_str()).collect();
    let of_forms = points.iter().filter(|point| forms.contains(point.naziv.as_str()));
    let texts: Vec<(Date, String)> =
        of_forms.map(|point| (point.date, point.vrednosti.get(&line.sifra).map_or_else(String::new, |value| text(field, value)))).collect();
    course::written(line, &texts, days)
}

/// Chosen items are named already.
fn text(field: &EntryField, value: &Value) -> String {
    match value {
        Value::String(names) if field.tva_num_vrednost == ValueType::Set => names.clone(),
        value => Answer::of(field.tva_num_vrednost, value).map_or_else(String::new, |answer| answer_text(field, &answer)),
    }
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

fn line_of(line: ChartLine, field: &EntryField, crtezi: Vec<ScreenDrawing>) -> TrendLine {
    TrendLine {
        oznaka: line.oznaka,
        sifra: line.sifra,
        boja: line.boja,
        tva_num_vrednost: field.tva_num_vrednost,
        jedinica: field.tip_atributa.jedinica.clone(),
        decimale_brojne_vrednosti: field.tip_atributa.decimale_brojne_vrednosti,
        donja_referentna_brojna_vrednost: field.donja_referentna_brojna_vrednost,
        gornja_referentna_brojna_vrednost: field.gornja_referentna_brojna_vrednost,
        crtezi,
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
