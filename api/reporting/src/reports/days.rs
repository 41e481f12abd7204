//! The days and periods that a date parameter may be given by the day of asking, with the dates that they mean today.

use accounts::rights::{Allowed, Reports};
use axum::extract::State;
use domain::{
    relative_day::RelativeDay::{self, *},
    time,
};
use jiff::tz::TimeZone;
use platform::{
    error::{Error, Result},
    extract::{Json, Query},
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

pub fn routes() -> Routes {
    Routes::new().routes(routes!(days))
}

#[derive(Serialize, ToSchema)]
struct RelativeDays {
    dani: Vec<RelativeDate>,
    /// Two days each, for a report that asks for `od` and `do`.
    periodi: Vec<RelativePeriod>,
}

#[derive(Serialize, ToSchema)]
struct RelativeDate {
    dan: RelativeDay,
    naziv: &'static str,
    /// `YYYY-MM-DD`: what it means today.
    datum: String,
}

#[derive(Serialize, ToSchema)]
struct RelativePeriod {
    naziv: &'static str,
    od: RelativeDay,
    #[serde(rename = "do")]
    to: RelativeDay,
}

const PERIODS: [(&str, RelativeDay, RelativeDay); 16] = [
    ("juče", Juce, Juce),
    ("poslednjih 7 dana", PreSedamDana, Juce),
    ("poslednjih 30 dana", PreTridesetDana, Juce),
    ("poslednjih 12 meseci", PreDvanaestMeseci, Juce),
    ("prošla nedelja", PocetakProsleNedelje, KrajProsleNedelje),
    ("prošli mesec", PocetakProslogMeseca, KrajProslogMeseca),
    ("prošli kvartal", PocetakProslogKvartala, KrajProslogKvartala),
    ("prošla godina", PocetakProsleGodine, KrajProsleGodine),
    ("ova nedelja", PocetakNedelje, KrajNedelje),
    ("ovaj mesec", PocetakMeseca, KrajMeseca),
    ("ovaj kvartal", PocetakKvartala, KrajKvartala),
    ("ova godina", PocetakGodine, KrajGodine),
    ("od početka nedelje", PocetakNedelje, Danas),
    ("od početka meseca", PocetakMeseca, Danas),
    ("od početka kvartala", PocetakKvartala, Danas),
    ("od početka godine", PocetakGodine, Danas),
];

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct DaysQuery {
    /// The zone by whose day they are told, as `Europe/Belgrade`: that of a schedule. Without it the server's.
    zona: Option<String>,
}

#[utoipa::path(get, path = "/api/report-days", tag = "izvestaji", params(DaysQuery), responses((status = 200, body = RelativeDays)))]
async fn days(State(state): State<AppState>, _: Allowed<Reports>, Query(query): Query<DaysQuery>) -> Result<Json<RelativeDays>> {
    let zone = match query.zona {
        Some(name) => TimeZone::get(&name).map_err(|_| Error::invalid("zona", "Nepoznata vremenska zona."))?,
        None => time::zone(),
    };
    let today = state.clock.now().to_zoned(zone).date();
    let dani = RelativeDay::ALL.map(|dan| RelativeDate { dan, naziv: dan.label(), datum: dan.on(today).to_string() });
    let periodi = PERIODS.map(|(naziv, od, to)| RelativePeriod { naziv, od, to });
    Ok(Json(RelativeDays { dani: dani.into(), periodi: periodi.into() }))
}
