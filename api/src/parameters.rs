//! System parameters as screens and the rest of the API read them: active ones, by name.

use std::{collections::HashMap, str::FromStr};

use axum::extract::State;
use serde::Serialize;
use sqlx::PgExecutor;
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::{
    error::{Error, Result},
    extract::{Json, Path},
    state::AppState,
};

/// Rows of a search where no parameter says (A §9).
const DEFAULT_RESULTS: i32 = 200;

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(by_name)).routes(routes!(of_search)).routes(routes!(of_patient)).routes(routes!(of_reports))
}

#[derive(Serialize, ToSchema)]
struct NamedValue {
    naziv: String,
    vrednost: String,
}

#[utoipa::path(get, path = "/api/parameters/by-name/{naziv}", params(("naziv" = String, Path)), responses((status = 200, body = NamedValue)))]
async fn by_name(State(state): State<AppState>, Path(naziv): Path<String>) -> Result<Json<NamedValue>> {
    let found = sqlx::query_as!(NamedValue, "select naziv, vrednost from parameter where naziv = $1 and aktivan", naziv);
    found.fetch_optional(&state.db).await?.ok_or(Error::NotFound).map(Json)
}

/// Which criteria the register search shows, and how it behaves.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SearchParameters {
    kriterijum_ime: bool,
    kriterijum_prezime: bool,
    #[serde(rename = "kriterijumJMBG")]
    kriterijum_jmbg: bool,
    #[serde(rename = "kriterijumLBO")]
    kriterijum_lbo: bool,
    kriterijum_godina_od: bool,
    kriterijum_godina_do: bool,
    kriterijum_pol: bool,
    odabir_datuma_pregleda_pre_unosa: bool,
    /// 50, 100, 200, 1000 or -1 for all.
    broj_rezultata_u_pretrazi: i32,
    /// What stands in front of a register's `logoPutanja`.
    putanja_logoa_registara: String,
}

#[utoipa::path(get, path = "/api/parameter/registri", responses((status = 200, body = SearchParameters)))]
async fn of_search(State(state): State<AppState>) -> Result<Json<SearchParameters>> {
    let parameters = load(&state.db).await?;
    let shown = |naziv| parameters.flag(naziv, true);
    Ok(Json(SearchParameters {
        kriterijum_ime: shown("kriterijumIme"),
        kriterijum_prezime: shown("kriterijumPrezime"),
        kriterijum_jmbg: shown("kriterijumJMBG"),
        kriterijum_lbo: shown("kriterijumLBO"),
        kriterijum_godina_od: shown("kriterijumGodinaOd"),
        kriterijum_godina_do: shown("kriterijumGodinaDo"),
        kriterijum_pol: shown("kriterijumPol"),
        odabir_datuma_pregleda_pre_unosa: shown("odabirDatumaPregledaPreUnosa"),
        broj_rezultata_u_pretrazi: parameters.number("brojRezultataUPretrazi", DEFAULT_RESULTS),
        putanja_logoa_registara: parameters.text("putanjaLogoaRegistara").unwrap_or_default().to_owned(),
    }))
}

/// Which optional fields a patient has on the screen.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PatientParameters {
    prikaz_pacijent_ime_roditelja: bool,
    prikaz_pacijent_prikaz_jednog_pola: bool,
    prikaz_pacijent_radno_mesto: bool,
    prikaz_pacijent_strucna_sprema: bool,
    prikaz_pacijent_zanimanje: bool,
    prikaz_pacijent_administrativna_napomena: bool,
    prikaz_pacijent_medicinska_napomena: bool,
}

#[utoipa::path(get, path = "/api/parameter/pacijent", responses((status = 200, body = PatientParameters)))]
async fn of_patient(State(state): State<AppState>) -> Result<Json<PatientParameters>> {
    let parameters = load(&state.db).await?;
    let shown = |naziv| parameters.flag(naziv, false);
    Ok(Json(PatientParameters {
        prikaz_pacijent_ime_roditelja: shown("prikazPacijentImeRoditelja"),
        prikaz_pacijent_prikaz_jednog_pola: shown("prikazPacijentPrikazJednogPola"),
        prikaz_pacijent_radno_mesto: shown("prikazPacijentRadnoMesto"),
        prikaz_pacijent_strucna_sprema: shown("prikazPacijentStrucnaSprema"),
        prikaz_pacijent_zanimanje: shown("prikazPacijentZanimanje"),
        prikaz_pacijent_administrativna_napomena: shown("prikazPacijentAdministrativnaNapomena"),
        prikaz_pacijent_medicinska_napomena: shown("prikazPacijentMedicinskaNapomena"),
    }))
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ReportParameters {
    /// The site's address, as links in e-mails carry it.
    ip_adresa: String,
}

#[utoipa::path(get, path = "/api/parameter/izvestaji", responses((status = 200, body = ReportParameters)))]
async fn of_reports(State(state): State<AppState>) -> Json<ReportParameters> {
    Json(ReportParameters { ip_adresa: state.config.public_url.clone() })
}

/// The active parameters. A missing or unreadable value falls back to what the reader says.
pub struct Parameters(HashMap<String, String>);

pub async fn load(db: impl PgExecutor<'_>) -> sqlx::Result<Parameters> {
    let rows = sqlx::query!("select naziv, vrednost from parameter where aktivan").fetch_all(db).await?;
    Ok(Parameters(rows.into_iter().map(|row| (row.naziv, row.vrednost)).collect()))
}

impl Parameters {
    /// As they were without one of them.
    pub fn without(mut self, naziv: &str) -> Self {
        self.0.remove(naziv);
        self
    }

    /// The value, unless it is absent or blank.
    pub fn text(&self, naziv: &str) -> Option<&str> {
        self.0.get(naziv).map(|vrednost| vrednost.trim()).filter(|vrednost| !vrednost.is_empty())
    }

    pub fn flag(&self, naziv: &str, default: bool) -> bool {
        match self.text(naziv) {
            Some("true") => true,
            Some("false") => false,
            _ => default,
        }
    }

    pub fn number<N: FromStr>(&self, naziv: &str, default: N) -> N {
        self.text(naziv).and_then(|vrednost| vrednost.parse().ok()).unwrap_or(default)
    }
}
