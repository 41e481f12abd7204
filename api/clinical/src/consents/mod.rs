//! What patients have agreed to: given and withdrawn, by register and purpose, with the text of that day and the signed form. Nothing is changed:
//! a consent that ends is a row of its own.

mod file;
mod text;

use accounts::{
    audit::deed_on_patient,
    auth::Actor,
    rights::{Allowed, Consents as ConsentArea, Patients, Right},
};
use axum::{extract::State, http::StatusCode, middleware};
use domain::{db, time};
use jiff::civil::Date;
use jiff_sqlx::ToSqlx;
use platform::{
    error::{Error, Result},
    extract::{Json, Path},
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use utoipa::ToSchema;

use crate::patients::{PatientAccess, require, require_patients};

const LONGEST_NOTE: usize = 1000;

pub fn routes() -> Routes {
    Routes::new()
        .routes(routes!(list, record))
        .merge(file::routes())
        .route_layer(middleware::from_fn(require_patients))
        .merge(text::routes())
}

/// For what a patient is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, sqlx::Type)]
#[serde(rename_all = "camelCase")]
#[sqlx(type_name = "text", rename_all = "camelCase")]
pub enum Purpose {
    /// To be in the register at all.
    Registar,
    Istrazivanje,
    Kontakt,
    Razmena,
}

impl Purpose {
    pub const ALL: [Self; 4] = [Self::Registar, Self::Istrazivanje, Self::Kontakt, Self::Razmena];

    /// As it is stored.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Registar => "registar",
            Self::Istrazivanje => "istrazivanje",
            Self::Kontakt => "kontakt",
            Self::Razmena => "razmena",
        }
    }
}

/// What holds for one purpose.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PurposeState {
    svrha: Purpose,
    /// Whether the register asks for it; without asking nothing is closed until the patient says so.
    trazi: bool,
    /// None: nothing was said.
    dat: Option<bool>,
    dan: Option<Date>,
    /// The newest text.
    #[serde(rename = "tekstID")]
    tekst_id: Option<i64>,
    tekst_broj: Option<i32>,
    tekst: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct RegisterConsents {
    #[serde(rename = "registarID")]
    registar_id: i64,
    naziv: String,
    svrhe: Vec<PurposeState>,
}

/// One time that it was given or withdrawn.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ConsentRecord {
    id: i64,
    #[serde(rename = "registarID")]
    registar_id: i64,
    registar: String,
    svrha: Purpose,
    dat: bool,
    dan: Date,
    tekst_broj: Option<i32>,
    napomena: Option<String>,
    /// The signed form.
    #[serde(rename = "fajlID")]
    fajl_id: Option<i64>,
    fajl: Option<String>,
    radnik: String,
    ustanova: String,
    vreme: String,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PatientConsents {
    registri: Vec<RegisterConsents>,
    /// The newest first.
    istorija: Vec<ConsentRecord>,
    pravo_saglasnosti: bool,
}

/// What the patient has agreed to, in the registers that the worker sees her in.
#[utoipa::path(get, path = "/api/patients/{id}/consents", params(("id" = i64, Path)), responses((status = 200, body = PatientConsents)))]
async fn list(State(state): State<AppState>, actor: Actor, Path(id): Path<i64>) -> Result<Json<PatientConsents>> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let access = PatientAccess::to(&mut tx, &actor, id).await?;
    let registri = registers(&mut tx, &actor, id).await?;
    let istorija = history(&mut tx, &actor, id).await?;
    deed_on_patient(&mut tx, &actor, "patient_consent", "pregled", id, id).await?;
    tx.commit().await?;
    let pravo_saglasnosti = access.change && actor.prava.holds(Right::Consents);
    Ok(Json(PatientConsents { registri, istorija, pravo_saglasnosti }))
}

async fn registers(db: &mut PgConnection, actor: &Actor, patient: i64) -> Result<Vec<RegisterConsents>> {
    let rows = sqlx::query!(
        r#"select r.id, r.naziv, s.svrha as "svrha!: Purpose",
                  case s.svrha when 'registar' then r.pristanak_registar when 'istrazivanje' then r.pristanak_istrazivanje
                               when 'kontakt' then r.pristanak_kontakt else r.pristanak_razmena end as "trazi!",
                  c.dat as "dat?", c.dan as "dan?", t.id as "tekst_id?", t.broj as "broj?", t.tekst as "tekst?"
             from registers_shown($2, $1) h (id) join register r on r.id = h.id and r.aktivan
            cross join unnest($3::text[]) with ordinality s (svrha, red)
             left join lateral (select c.dat, c.dan from patient_consent c
                                 where c.pacijent_id = $1 and c.registar_id = r.id and c.svrha = s.svrha order by c.dan desc, c.id desc limit 1) c on true
             left join lateral (select t.id, t.broj, t.tekst from consent_text t
                                 where t.registar_id = r.id and t.svrha = s.svrha order by t.broj desc limit 1) t on true
            order by r.naziv, r.id, s.red"#,
        patient,
        actor.ustanova_id,
        &Purpose::ALL.map(|purpose| purpose.name().to_owned())[..]
    )
    .fetch_all(db)
    .await?;
    let mut registers: Vec<RegisterConsents> = Vec::new();
    for row in rows {
        if registers.last().is_none_or(|last| last.registar_id != row.id) {
            registers.push(RegisterConsents { registar_id: row.id, naziv: row.naziv.clone(), svrhe: Vec::new() });
        }
        if let Some(register) = registers.last_mut() {
            register.svrhe.push(PurposeState {
                svrha: row.svrha,
                trazi: row.trazi,
                dat: row.dat,
                dan: row.dan.map(|day| day.to_jiff()),
                tekst_id: row.tekst_id,
                tekst_broj: row.broj,
                tekst: row.tekst,
            });
        }
    }
    Ok(registers)
}

async fn history(db: &mut PgConnection, actor: &Actor, patient: i64) -> Result<Vec<ConsentRecord>> {
    let rows = sqlx::query!(
        r#"select c.id, c.registar_id, r.naziv as registar, c.svrha as "svrha: Purpose", c.dat, c.dan, t.broj as "broj?", c.napomena,
                  f.id as "fajl_id?", f.naziv as "fajl?", w.prezime || ' ' || w.ime as "radnik!", u.naziv as ustanova, c.vreme
             from patient_consent c join register r on r.id = c.registar_id join worker w on w.id = c.radnik_id
             join institution u on u.id = c.ustanova_id left join consent_text t on t.id = c.tekst_id
             left join entry_file f on f.saglasnost_id = c.id and f.sacuvan and not f.uklanja_se
            where c.pacijent_id = $1 and c.registar_id in (select * from registers_shown($2, $1))
            order by c.id desc"#,
        patient,
        actor.ustanova_id
    )
    .fetch_all(db)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| ConsentRecord {
            id: row.id,
            registar_id: row.registar_id,
            registar: row.registar,
            svrha: row.svrha,
            dat: row.dat,
            dan: row.dan.to_jiff(),
            tekst_broj: row.broj,
            napomena: row.napomena,
            fajl_id: row.fajl_id,
            fajl: row.fajl,
            radnik: row.radnik,
            ustanova: row.ustanova,
            vreme: time::server_text(row.vreme.to_jiff()),
        })
        .collect())
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ConsentInput {
    #[serde(rename = "registarID")]
    registar_id: i64,
    svrha: Purpose,
    /// Given, or withdrawn.
    dat: bool,
    dan: Option<Date>,
    /// The version to which it was given; the newest one where the register has texts and none is named.
    #[serde(rename = "tekstID")]
    tekst_id: Option<i64>,
    napomena: Option<String>,
    /// The signed form, as it was sent before.
    #[serde(rename = "fajlID")]
    fajl_id: Option<i64>,
    /// Asked where the consent to the register is withdrawn: whether the patient gets the status of that.
    status_povukao: Option<bool>,
}

#[derive(Serialize, ToSchema)]
struct RecordedConsent {
    id: i64,
}

#[utoipa::path(post, path = "/api/patients/{id}/consents", params(("id" = i64, Path)), request_body = ConsentInput,
    responses((status = 201, body = RecordedConsent)))]
async fn record(
    State(state): State<AppState>,
    actor: Allowed<ConsentArea>,
    Path(id): Path<i64>,
    Json(body): Json<ConsentInput>,
) -> Result<(StatusCode, Json<RecordedConsent>)> {
    require(&actor, Patients::Izmena)?;
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    PatientAccess::to(&mut tx, &actor, id).await?.require_change()?;
    let known = registers(&mut tx, &actor, id).await?.into_iter().find(|register| register.registar_id == body.registar_id);
    let known = known.ok_or_else(|| Error::invalid("registarID", "Pacijent nije u izabranom registru."))?;
    let day = body.dan.ok_or_else(|| Error::invalid("dan", "Niste uneli dan."))?;
    let note = body.napomena.as_deref().map(str::trim).filter(|note| !note.is_empty());
    if note.is_some_and(|note| note.chars().count() > LONGEST_NOTE) {
        return Err(Error::invalid("napomena", "Napomena može imati najviše 1.000 znakova."));
    }
    let newest = known.svrhe.iter().find(|purpose| purpose.svrha == body.svrha).and_then(|purpose| purpose.tekst_id);
    let text = if body.dat { body.tekst_id.or(newest) } else { None };
    let leaves = body.svrha == Purpose::Registar && !body.dat;
    if leaves && body.status_povukao.is_none() {
        return Err(Error::invalid("statusPovukao", "Izaberite da li pacijent zbog povlačenja dobija status „povukao saglasnost”."));
    }
    let ustanova = actor.ustanova()?;
    let row = sqlx::query_scalar!(
        "insert into patient_consent (pacijent_id, registar_id, svrha, dat, dan, tekst_id, napomena, ustanova_id)
         values ($1, $2, $3, $4, $5, $6, $7, $8) returning id",
        id,
        body.registar_id,
        body.svrha.name(),
        body.dat,
        day.to_sqlx() as _,
        text,
        note,
        ustanova
    )
    .fetch_one(&mut *tx)
    .await?;
    if let Some(file) = body.fajl_id {
        file::take(&mut tx, &actor, id, row, file).await?;
    }
    if leaves && body.status_povukao == Some(true) {
        sqlx::query!(
            "insert into patient_status (pacijent_id, registar_id, status, dan, izvor, ustanova_id)
             values ($1, $2, 'povukaoSaglasnost', $3, 'pacijent', $4)",
            id,
            body.registar_id,
            day.to_sqlx() as _,
            ustanova
        )
        .execute(&mut *tx)
        .await?;
    }
    tx.commit().await?;
    Ok((StatusCode::CREATED, Json(RecordedConsent { id: row })))
}
