//! A patient's entries in a register: the tree of dated entries, and the newest one of each form (A 2.6, 2.7).

use std::collections::{HashMap, HashSet};

use accounts::{audit::look_at_patient, auth::Actor};
use axum::extract::State;
use domain::{
    db,
    entry::{
        chart::{self, PointMark},
        course,
        stale::{self, Stale},
    },
    register::ChartLine,
    report_screen::ScreenDrawing,
    time,
};
use jiff::civil::Date;
use platform::{
    error::{Error, Result},
    extract::{Json, Path, Query},
    routes::{Routes, routes},
    state::AppState,
};
use report_chart::Size;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use super::form::{EntryField, EntryForm};
use crate::patients::PatientAccess;

pub fn routes() -> Routes {
    Routes::new().routes(routes!(entries)).routes(routes!(latest)).routes(routes!(chart))
}

#[derive(Deserialize, IntoParams)]
struct RegisterQuery {
    #[serde(rename = "registarID")]
    registar_id: i64,
}

#[derive(Serialize, ToSchema)]
struct EntryTree {
    data: Vec<FormEntries>,
    total: usize,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct FormEntries {
    #[serde(rename = "tsaID")]
    tsa_id: i64,
    naziv: String,
    moze_se_instancirati: bool,
    max_instanci: Option<i32>,
    unosi: Vec<DatedEntry>,
}

#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct DatedEntry {
    id: i64,
    datum_unosa: Date,
    ustanova: String,
    popunjeni_relevantni: bool,
    /// Whether its version of the form would give or read one of its values otherwise.
    zastareo: bool,
    /// What rules have found and what is asked about it, still open: of entries of the worker's institution, whose they are.
    nalaza: i64,
    upita: i64,
}

/// Forms of the register with the patient's entries, newest first.
#[utoipa::path(get, path = "/api/patients/{id}/entries", params(RegisterQuery), responses((status = 200, body = EntryTree)))]
async fn entries(
    State(state): State<AppState>,
    actor: Actor,
    Path(id): Path<i64>,
    Query(query): Query<RegisterQuery>,
) -> Result<Json<EntryTree>> {
    let mut db = state.db.acquire().await?;
    PatientAccess::to(&mut db, &actor, id).await?;
    look_at_patient(&mut db, &actor, id).await?;
    let rows = sqlx::query!(
        r#"
        select f.id, f.naziv, f.moze_se_instancirati, f.maksimalan_broj_instanci_po_pacijentu,
               coalesce((select jsonb_agg(jsonb_build_object('id', e.id, 'datumUnosa', e.datum_unosa, 'ustanova', i.naziv,
                                                             'popunjeniRelevantni', e.popunjeni_relevantni,
                                                             'zastareo', exists (select from stale_result s join form_version v on v.id = e.form_version_id
                                                                                   where s.unos_id = e.id and (s.vreme <= v.napravljena or s.razlog <> 'jedinica')),
                                                             'nalaza', case when e.ustanova_id = $3 then
                                                                (select count(*) from open_finding n where n.unos_id = e.id) else 0 end,
                                                             'upita', case when e.ustanova_id = $3 then
                                                                (select count(*) from open_question q where q.unos_id = e.id) else 0 end) order by e.datum_unosa desc, e.id desc)
                           from entry e join institution i on i.id = e.ustanova_id
                          where e.pacijent_id = $1 and e.registar_id = $2 and e.tsa_id = f.id and e.aktivan
                            and (e.ustanova_id = $3 or not (select reads_own_entries_only($3, $1)))), '[]') as "unosi!: sqlx::types::Json<Vec<DatedEntry>>"
          from form f where f.registar_id = $2 and f.aktivan order by f.prikazni_redosled, f.id
        "#,
        id,
        query.registar_id,
        actor.ustanova_id
    )
    .fetch_all(&mut *db)
    .await?;
    let data: Vec<_> = rows
        .into_iter()
        .map(|row| FormEntries {
            tsa_id: row.id,
            naziv: row.naziv,
            moze_se_instancirati: row.moze_se_instancirati,
            max_instanci: row.maksimalan_broj_instanci_po_pacijentu,
            unosi: row.unosi.0,
        })
        .collect();
    Ok(Json(EntryTree { total: data.len(), data }))
}

#[derive(Serialize, ToSchema)]
struct LatestEntries {
    data: Vec<LatestEntry>,
    total: usize,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct LatestEntry {
    #[serde(rename = "tsaID")]
    tsa_id: i64,
    unos_naziv: String,
    #[serde(rename = "snimljenUnosID")]
    snimljen_unos_id: Option<i64>,
    datum_unosa: Option<Date>,
    moze_se_instancirati: bool,
    autsi: Vec<EntryField>,
    #[schema(value_type = Object)]
    vrednosti: Value,
    zastareli: Vec<Stale>,
}

/// The newest entry of each form of the register, with the fields of its version that it fills and the tabs, panels and pictures that
/// they lie in.
#[utoipa::path(get, path = "/api/patients/{id}/latest-entries", params(RegisterQuery), responses((status = 200, body = LatestEntries)))]
async fn latest(
    State(state): State<AppState>,
    actor: Actor,
    Path(id): Path<i64>,
    Query(query): Query<RegisterQuery>,
) -> Result<Json<LatestEntries>> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    PatientAccess::to(&mut tx, &actor, id).await?;
    look_at_patient(&mut tx, &actor, id).await?;
    let forms = sqlx::query!(
        r#"
        select f.id, f.naziv, f.moze_se_instancirati, e.id as "unos_id?", e.datum_unosa as "datum_unosa?", e.vrednosti as "vrednosti?",
               e.form_version_id as "form_version_id?"
          from form f
          left join lateral (select id, datum_unosa, vrednosti, form_version_id from entry
                              where pacijent_id = $1 and registar_id = $2 and tsa_id = f.id and aktivan and datum_unosa <= today()
                                and (ustanova_id = $3 or not (select reads_own_entries_only($3, $1)))
                              order by datum_unosa desc, id desc limit 1) e on true
         where f.registar_id = $2 and f.aktivan order by f.prikazni_redosled, f.id
        "#,
        id,
        query.registar_id,
        actor.ustanova_id
    )
    .fetch_all(&mut *tx)
    .await?;
    let mut marks = stale::of_entries(&mut tx, &forms.iter().filter_map(|row| row.unos_id).collect::<Vec<_>>()).await?;
    let mut data = Vec::with_capacity(forms.len());
    for row in forms {
        let mut fields = match row.form_version_id {
            Some(version) => EntryForm::fields_of(&mut tx, version).await?,
            None => Vec::new(),
        };
        tell_apart(&mut fields);
        let values = row.vrednosti.unwrap_or_else(|| Value::Object(serde_json::Map::new()));
        data.push(LatestEntry {
            tsa_id: row.id,
            unos_naziv: row.naziv,
            snimljen_unos_id: row.unos_id,
            datum_unosa: row.datum_unosa.map(|date| date.to_jiff()),
            moze_se_instancirati: row.moze_se_instancirati,
            autsi: filled(fields, &values),
            vrednosti: values,
            zastareli: row.unos_id.and_then(|id| marks.remove(&id)).unwrap_or_default(),
        });
    }
    tx.commit().await?;
    Ok(Json(LatestEntries { total: data.len(), data }))
}

/// The fields that hold a value, and what they lie in, without pictures.
fn filled(fields: Vec<EntryField>, values: &Value) -> Vec<EntryField> {
    let parents: HashMap<i64, Option<i64>> = fields.iter().map(|field| (field.id, field.naredjeni_auts)).collect();
    let mut kept = HashSet::new();
    for field in fields.iter().filter(|field| field.holds_value() && values.get(field.id.to_string()).is_some()) {
        let mut at = Some(field.id);
        while let Some(id) = at.filter(|id| kept.insert(*id)) {
            at = parents.get(&id).copied().flatten();
        }
    }
    let plain = |field: EntryField| EntryField { background_image: None, ..field };
    fields.into_iter().filter(|field| kept.contains(&field.id)).map(plain).collect()
}

/// A name that the form has several times is followed by that of the panel around the item.
pub(super) fn tell_apart(fields: &mut [EntryField]) {
    let panels: HashMap<i64, String> = fields.iter().map(|field| (field.id, field.naziv.clone())).collect();
    let mut times: HashMap<String, usize> = HashMap::new();
    for field in fields.iter().filter(|field| field.holds_value()) {
        *times.entry(field.naziv.clone()).or_default() += 1;
    }
    for field in fields.iter_mut().filter(|field| times.get(&field.naziv).is_some_and(|times| *times > 1)) {
        if let Some(panel) = field.naredjeni_auts.and_then(|panel| panels.get(&panel)) {
            field.naziv = format!("{} ({panel})", field.naziv);
        }
    }
}

#[derive(Deserialize, IntoParams)]
struct ChartQuery {
    #[serde(rename = "registarID")]
    registar_id: i64,
    /// Field codes, a comma between them.
    sifre: String,
    /// What is drawn, as JSON: lines with `oznaka`, `sifra` and `boja`, as the form that is open has them.
    linije: Option<String>,
}

/// The specification's size, and one for a narrow screen on which letters stay as large.
const SIZES: [(f64, f64); 2] = [(800.0, 400.0), (340.0, 300.0)];
/// Beyond so many lines nobody reads a chart.
const MOST_LINES: usize = 50;

impl ChartQuery {
    fn lines(&self) -> Result<Vec<ChartLine>> {
        let Some(linije) = &self.linije else { return Ok(Vec::new()) };
        let lines: Option<Vec<ChartLine>> = serde_json::from_str(linije).ok();
        lines.filter(|lines| lines.len() <= MOST_LINES).ok_or_else(|| {
            Error::invalid("linije", format!("Linije grafika su JSON niz od najviše {MOST_LINES} članova sa oznakom, šifrom i bojom."))
        })
    }
}

#[derive(Serialize, ToSchema)]
struct ChartData {
    podaci: Vec<ChartPoint>,
    /// The chart of the lines that were asked for, for a wide screen and for a narrow one; none where there is nothing to draw.
    crtezi: Vec<ScreenDrawing>,
}

/// One entry's values of the asked codes.
#[derive(Serialize, ToSchema)]
struct ChartPoint {
    naziv: String,
    date: Date,
    datum: String,
    #[schema(value_type = Object)]
    vrednosti: Value,
    /// Marks of the values that do not compare with their neighbours, by code.
    zastareli: HashMap<String, PointMark>,
}

/// Values of fields over the patient's entries, by date, and the chart of them.
#[utoipa::path(get, path = "/api/patients/{id}/chart", params(ChartQuery), responses((status = 200, body = ChartData)))]
async fn chart(
    State(state): State<AppState>,
    actor: Actor,
    Path(id): Path<i64>,
    Query(query): Query<ChartQuery>,
) -> Result<Json<ChartData>> {
    let lines = query.lines()?;
    let mut db = state.db.acquire().await?;
    PatientAccess::to(&mut db, &actor, id).await?;
    look_at_patient(&mut db, &actor, id).await?;
    let codes: Vec<String> = query.sifre.split(',').map(|code| code.trim().to_owned()).filter(|code| !code.is_empty()).collect();
    let points = chart::points(&mut db, id, query.registar_id, &codes, actor.ustanova_id).await?;
    let course = course::chart(&lines, &points);
    let drawn = |(width, height)| course.drawn(Size::screen(width, height));
    let crtezi = if course.figure.has_values() { SIZES.into_iter().filter_map(drawn).collect() } else { Vec::new() };
    let podaci = points.into_iter().map(|point| ChartPoint {
        naziv: point.naziv,
        date: point.date,
        datum: time::date_text(point.date),
        vrednosti: point.vrednosti,
        zastareli: point.zastareli,
    });
    Ok(Json(ChartData { podaci: podaci.collect(), crtezi }))
}
