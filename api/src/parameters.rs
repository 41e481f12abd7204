//! System parameters as screens and the rest of the API read them: active ones, by name.

use accounts::rights::{Allowed, Maintenance};
use axum::extract::State;
use domain::parameters::{self, LOGOS, NUMBERS, RESULTS, TEXTS};
use platform::{
    error::{Error, Result},
    extract::{Json, Path},
    routes::{Routes, routes},
    state::AppState,
};
use serde::Serialize;
use utoipa::ToSchema;

pub fn routes() -> Routes {
    Routes::new()
        .routes(routes!(by_name))
        .routes(routes!(of_search))
        .routes(routes!(of_patient))
        .routes(routes!(of_reports))
        .routes(routes!(known))
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

/// A parameter that is read, whether it is saved or not.
#[derive(Serialize, ToSchema)]
struct KnownParameter {
    naziv: String,
    /// What holds: what is saved, or where nothing is or could not be saved again, what holds unsaved.
    vazi: String,
    /// What a number may be, in words.
    dozvoljeno: Option<String>,
}

#[utoipa::path(get, path = "/api/parameter/poznati", responses((status = 200, body = [KnownParameter])))]
async fn known(State(state): State<AppState>, _: Allowed<Maintenance>) -> Result<Json<Vec<KnownParameter>>> {
    let parameters = parameters::load(&state.db).await?;
    let of = |naziv: &str, vazi: String, dozvoljeno| KnownParameter { naziv: naziv.to_owned(), vazi, dozvoljeno };
    let texts = TEXTS.into_iter().map(|text| of(text.naziv, parameters.text(text).to_owned(), None));
    let flags = parameters::flags().map(|flag| of(flag.naziv, parameters.flag(&flag).to_string(), None));
    let numbers = NUMBERS.into_iter().map(|number| of(number.naziv, parameters.number(number).to_string(), Some(number.words())));
    Ok(Json(texts.chain(flags).chain(numbers).collect()))
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
    let parameters = parameters::load(&state.db).await?;
    let shown = |naziv| parameters.is_on(naziv);
    Ok(Json(SearchParameters {
        kriterijum_ime: shown("kriterijumIme"),
        kriterijum_prezime: shown("kriterijumPrezime"),
        kriterijum_jmbg: shown("kriterijumJMBG"),
        kriterijum_lbo: shown("kriterijumLBO"),
        kriterijum_godina_od: shown("kriterijumGodinaOd"),
        kriterijum_godina_do: shown("kriterijumGodinaDo"),
        kriterijum_pol: shown("kriterijumPol"),
        odabir_datuma_pregleda_pre_unosa: shown("odabirDatumaPregledaPreUnosa"),
        broj_rezultata_u_pretrazi: parameters.number(&RESULTS),
        putanja_logoa_registara: parameters.text(&LOGOS).to_owned(),
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
    let parameters = parameters::load(&state.db).await?;
    let shown = |naziv| parameters.is_on(naziv);
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
