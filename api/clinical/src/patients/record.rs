//! A patient's record: read, registered, changed, deleted softly (A 2.6).

use accounts::{
    audit::{self, deed_on_patient},
    auth::Actor,
    rights::{Patients, Right},
};
use axum::{extract::State, http::StatusCode};
use domain::{db, jmbg, register::PatientStatus, time};
use jiff::{Timestamp, civil::Date};
use jiff_sqlx::ToSqlx;
use platform::{
    constraints::UNKNOWN_CHOICE,
    error::{Confirmation, Error, Result},
    extract::{Json, Path},
    reading::fields_of_body,
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sqlx::{PgConnection, PgExecutor, Postgres, Transaction};
use utoipa::ToSchema;

use super::{
    access::{self, PatientAccess},
    birth_date, confirmations, deleted, duplicates, number_checks,
    status::{self, PatientDeath},
    validation::{self, filled},
};

pub fn routes() -> Routes {
    Routes::new().routes(routes!(register)).routes(routes!(read, change))
}

/// What is told of a record that is no longer as it was loaded.
pub(super) const CHANGED: &str = "Neko je u međuvremenu izmenio podatke o pacijentu. Učitajte ih ponovo.";

/// What a form sends; the names are the specification's.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct PatientInput {
    pub ime: Option<String>,
    pub prezime: Option<String>,
    pub ime_roditelja: Option<String>,
    pub datum_rodjenja: Option<Date>,
    pub jmbg: Option<String>,
    pub lbo: Option<String>,
    /// True male, false female.
    pub pol_trenutni: Option<bool>,
    pub pol_na_rodjenju: Option<bool>,
    pub adresa: Option<String>,
    pub broj_kartona: Option<String>,
    pub kontakt_telefon: Option<String>,
    pub email: Option<String>,
    pub mobilni_telefon: Option<String>,
    pub zanimanje: Option<String>,
    pub strucna_sprema: Option<String>,
    pub radno_mesto: Option<String>,
    pub medicinska_napomena: Option<String>,
    pub administrativna_napomena: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Patient {
    id: i64,
    #[serde(flatten)]
    record: PatientInput,
    aktivan: bool,
    verzija: i32,
    vreme_kreiranja: String,
    vreme_poslednje_izmene: String,
    /// Since when nobody knows who it is; of the birth only the year is left.
    anonimizovan: Option<String>,
    /// Whether this worker may change and delete the record, and make the patient anonymous.
    pravo_izmene: bool,
    pravo_brisanja: bool,
    pravo_anonimizacije: bool,
    /// Whether this worker may say what became of the patient.
    pravo_statusa: bool,
    /// Whether this worker may record a consent.
    pravo_saglasnosti: bool,
    /// None: no death is recorded.
    smrt: Option<PatientDeath>,
    /// Registers that hold the patient, the one of the newest entry first.
    registri: Vec<PatientRegister>,
}

/// What a change of a record may say beside its fields.
#[derive(Debug, Deserialize, ToSchema)]
#[expect(dead_code, reason = "a change is merged as JSON; this describes it")]
struct PatientChange {
    #[serde(flatten)]
    patient: PatientInput,
    verzija: Option<i32>,
    aktivan: Option<bool>,
    potvrde: Option<Vec<String>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ConfirmedOddities {
    potvrde: Vec<String>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PatientRegister {
    id: i64,
    /// None where the patient was only registered.
    broj_unosa: i32,
    /// What holds of the patient in the register, and since when; a death in every one.
    status: PatientStatus,
    status_dan: Option<Date>,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Registration {
    #[serde(flatten)]
    patient: PatientInput,
    /// The register from which the patient is registered.
    #[serde(rename = "registarID")]
    registar_id: Option<i64>,
    /// Names of the oddities that a person has confirmed, as a refusal listed them.
    #[serde(default)]
    potvrde: Vec<String>,
}

#[derive(Serialize, ToSchema)]
struct RegisteredPatient {
    id: i64,
}

impl PatientInput {
    /// With the numbers as they are stored, however they were typed.
    pub fn with_plain_numbers(mut self) -> Self {
        for number in [&mut self.jmbg, &mut self.lbo].into_iter().flatten() {
            *number = jmbg::plain(number);
        }
        for phone in [&mut self.kontakt_telefon, &mut self.mobilni_telefon].into_iter().flatten() {
            *phone = validation::phone_text(phone);
        }
        self
    }
}

/// Refuses a register that is deleted or not there.
pub(super) async fn require_register(db: impl PgExecutor<'_>, register: i64) -> Result<()> {
    let known = sqlx::query_scalar!("select id from register where id = $1 and aktivan", register).fetch_optional(db).await?;
    known.map(drop).ok_or_else(|| Error::malformed(UNKNOWN_CHOICE))
}

/// The institution for which the worker may register patients.
pub(super) fn registering(actor: &Actor) -> Result<i64> {
    access::require(actor, Patients::Izmena)?;
    actor.ustanova()
}

#[utoipa::path(post, path = "/api/patients", request_body = Registration, responses((status = 201, body = RegisteredPatient)))]
async fn register(
    State(state): State<AppState>,
    actor: Actor,
    Json(body): Json<Map<String, Value>>,
) -> Result<(StatusCode, Json<RegisteredPatient>)> {
    let institution = registering(&actor)?;
    let Registration { patient, registar_id, potvrde } = fields_of_body(body)?;
    let patient = patient.with_plain_numbers();
    validation::check(&patient, today(&state))?;
    number_checks::count(&state, &actor, [&patient.jmbg, &patient.lbo].into_iter().flatten()).await?;
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    confirmations::hold_lbo(&mut tx, &patient.lbo.iter().cloned().collect::<Vec<_>>()).await?;
    // Whether the JMBG or the LBO is taken is told last: a request that could not be saved anyway must not learn it.
    if let Some(register) = registar_id {
        require_register(&mut *tx, register).await?;
    }
    let mut confirmed = confirmations::demand(confirmations::of_jmbg(&patient, None).into_iter().collect(), &potvrde)?;
    let id = match insert(&mut tx, &patient, institution).await {
        Ok(id) => id,
        Err(refusal) => {
            drop(tx);
            return Err(log_taken(&state, &actor, text(&patient.jmbg), refusal).await?);
        }
    };
    let (tx, lbo) = demand_own_lbo(&state, &actor, tx, id, &potvrde).await?;
    confirmed.extend(lbo);
    let (mut tx, similar) = demand_unlike(&state, &actor, tx, id, &[], &potvrde).await?;
    confirmed.extend(similar);
    if let Some(register) = registar_id {
        sqlx::query!("select register_patient($1, $2)", id, register).execute(&mut *tx).await?;
    }
    confirmations::log(&mut tx, &[id], &confirmed).await?;
    tx.commit().await?;
    Ok((StatusCode::CREATED, Json(RegisteredPatient { id })))
}

/// A refusal because the JMBG is taken tells that there is such a patient: who was told it is in the log. Gives the refusal back.
async fn log_taken(state: &AppState, actor: &Actor, jmbg: Option<&str>, refusal: Error) -> Result<Error> {
    if matches!(&refusal, Error::Conflict { field: Some(field), .. } if field == "jmbg") {
        let mut db = state.db.acquire().await?;
        let holder = sqlx::query_scalar!("select holder_of_jmbg($1)", jmbg);
        if let Some(holder) = holder.fetch_one(&mut *db).await? {
            deed_on_patient(&mut db, actor, "patient", "provera JMBG", holder, holder).await?;
        }
    }
    Ok(refusal)
}

/// Asks about patients who are alike, and were not `before` the record was changed. A question that is not answered yet undoes the
/// write, and the record of looks has those who were told of.
async fn demand_unlike(
    state: &AppState,
    actor: &Actor,
    mut tx: Transaction<'static, Postgres>,
    id: i64,
    before: &[i64],
    potvrde: &[String],
) -> Result<(Transaction<'static, Postgres>, Vec<Confirmation>)> {
    let mut similar = duplicates::alike(&mut tx, actor.ustanova()?, id).await?;
    similar.retain(|other| !before.contains(other));
    if similar.is_empty() {
        return Ok((tx, Vec::new()));
    }
    match confirmations::demand(vec![confirmations::alike()], potvrde) {
        Ok(confirmed) => Ok((tx, confirmed)),
        Err(refusal) => {
            tx.rollback().await?;
            let mut db = state.db.acquire().await?;
            let similar =
                audit::Look { klasa: "patient", akcija: "pregled spiska sličnih", pacijenti: &similar, ..audit::Look::default() };
            audit::look(&mut *db, actor, &similar).await?;
            Err(refusal)
        }
    }
}

/// Asks about an LBO that somebody else has too. A question that is not answered yet undoes the write, and is in the log of each of
/// those who have the LBO.
async fn demand_own_lbo(
    state: &AppState,
    actor: &Actor,
    mut tx: Transaction<'static, Postgres>,
    id: i64,
    potvrde: &[String],
) -> Result<(Transaction<'static, Postgres>, Vec<Confirmation>)> {
    let Some((asked, others)) = confirmations::of_lbo(&mut tx, id).await? else { return Ok((tx, Vec::new())) };
    match confirmations::demand(vec![asked], potvrde) {
        Ok(confirmed) => Ok((tx, confirmed)),
        Err(refusal) => {
            tx.rollback().await?;
            let mut db = state.db.acquire().await?;
            for other in others {
                deed_on_patient(&mut db, actor, "patient", "provera LBO", other, other).await?;
            }
            Err(refusal)
        }
    }
}

#[utoipa::path(get, path = "/api/patients/{id}", responses((status = 200, body = Patient)))]
async fn read(State(state): State<AppState>, actor: Actor, Path(id): Path<i64>) -> Result<Json<Patient>> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let access = PatientAccess::to(&mut tx, &actor, id).await?;
    let patient = load(&mut tx, &actor, id, access).await?;
    deed_on_patient(&mut tx, &actor, "patient", "pregled", id, id).await?;
    tx.commit().await?;
    Ok(Json(patient))
}

/// A JSON merge on the record; `{"aktivan": false}` deletes it softly, `{"aktivan": true}` brings it back. `verzija`, where sent, must
/// be the one that was read, and `potvrde` names the oddities that a person has confirmed.
#[utoipa::path(patch, path = "/api/patients/{id}", request_body = PatientChange, responses((status = 200, body = Patient)))]
async fn change(
    State(state): State<AppState>,
    actor: Actor,
    Path(id): Path<i64>,
    Json(mut body): Json<Map<String, Value>>,
) -> Result<Json<Patient>> {
    let ConfirmedOddities { potvrde } =
        fields_of_body(body.remove("potvrde").map(|given| ("potvrde".to_owned(), given)).into_iter().collect())?;
    if brings_back(&body) {
        // Asked whoever it is: the refusal must not tell whether there is such a patient.
        let institution = deleted::may_restore(&actor)?;
        let mut tx = db::begin(&state.db, actor.radnik_id).await?;
        if let Some(numbers) = deleted::find(&mut tx, institution, id).await? {
            return bring_back(&state, &actor, tx, id, &numbers, body.get("verzija").and_then(Value::as_i64), &potvrde).await;
        }
    }
    let given = ["jmbg", "lbo"].into_iter().filter_map(|name| body.get(name)?.as_str()).map(jmbg::plain).collect::<Vec<_>>();
    number_checks::count_changed(&state, &actor, id, &given).await?;
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    if let Some(lbo) = body.get("lbo").and_then(Value::as_str) {
        confirmations::hold_lbo(&mut tx, &[jmbg::plain(lbo)]).await?;
    }
    // Nothing is locked of a patient whom the worker may not see.
    let access = PatientAccess::to(&mut tx, &actor, id).await?;
    access.require_change()?;
    let locked = sqlx::query!("select id from patient where id = $1 and aktivan for update", id).fetch_optional(&mut *tx).await?;
    locked.ok_or(Error::HiddenPatient(id))?;
    let current = load(&mut tx, &actor, id, access).await?;
    if body.get("verzija").is_some_and(|version| version != current.verzija) {
        return Err(Error::conflict(CHANGED));
    }
    if body.get("aktivan") == Some(&Value::Bool(false)) {
        access.require_delete()?;
        keeper_alone(&mut tx, &actor, id).await?;
        sqlx::query!("update patient set aktivan = false where id = $1", id).execute(&mut *tx).await?;
        tx.commit().await?;
        return Ok(Json(Patient { aktivan: false, ..current }));
    }
    let patient = merged(&current.record, body)?.with_plain_numbers();
    validation::check(&patient, today(&state))?;
    if let Some(born) = patient.datum_rodjenja.filter(|born| Some(*born) > current.record.datum_rodjenja) {
        birth_date::not_after_entries(&mut tx, id, born).await?;
    }
    let asked = confirmations::of_jmbg(&patient, Some(&current.record)).into_iter().collect();
    let mut confirmed = confirmations::demand(asked, &potvrde)?;
    let is_renamed = who(&patient) != who(&current.record);
    let alike = if is_renamed { duplicates::alike(&mut tx, actor.ustanova()?, id).await? } else { Vec::new() };
    if let Err(refusal) = update(&mut tx, id, &patient).await {
        drop(tx);
        return Err(log_taken(&state, &actor, text(&patient.jmbg), refusal).await?);
    }
    if patient.lbo != current.record.lbo {
        let lbo;
        (tx, lbo) = demand_own_lbo(&state, &actor, tx, id, &potvrde).await?;
        confirmed.extend(lbo);
    }
    if is_renamed {
        let similar;
        (tx, similar) = demand_unlike(&state, &actor, tx, id, &alike, &potvrde).await?;
        confirmed.extend(similar);
    }
    confirmations::log(&mut tx, &[id], &confirmed).await?;
    let patient = load(&mut tx, &actor, id, access).await?;
    tx.commit().await?;
    Ok(Json(patient))
}

/// By what a patient is like another.
fn who(record: &PatientInput) -> (Option<&str>, Option<&str>, Option<Date>) {
    (text(&record.ime), text(&record.prezime), record.datum_rodjenja)
}

/// Nothing else is asked for than that a deleted record comes back.
fn brings_back(body: &Map<String, Value>) -> bool {
    body.get("aktivan") == Some(&Value::Bool(true)) && body.keys().all(|name| name == "aktivan" || name == "verzija")
}

/// Brings a deleted record back, where nobody has the JMBG meanwhile, and who has the LBO or is alike is confirmed.
async fn bring_back(
    state: &AppState,
    actor: &Actor,
    mut tx: Transaction<'static, Postgres>,
    id: i64,
    numbers: &deleted::Numbers,
    verzija: Option<i64>,
    potvrde: &[String],
) -> Result<Json<Patient>> {
    confirmations::hold_lbo(&mut tx, std::slice::from_ref(&numbers.lbo)).await?;
    if let Err(refusal) = deleted::restore(&mut tx, id, verzija).await {
        drop(tx);
        return Err(log_taken(state, actor, Some(&numbers.jmbg), refusal).await?);
    }
    let (tx, mut confirmed) = demand_own_lbo(state, actor, tx, id, potvrde).await?;
    let (mut tx, similar) = demand_unlike(state, actor, tx, id, &[], potvrde).await?;
    confirmed.extend(similar);
    confirmations::log(&mut tx, &[id], &confirmed).await?;
    let access = PatientAccess::to(&mut tx, actor, id).await?;
    let patient = load(&mut tx, actor, id, access).await?;
    tx.commit().await?;
    Ok(Json(patient))
}

/// Who took a patient over does not delete the record of the keeper.
async fn keeper_alone(db: &mut PgConnection, actor: &Actor, id: i64) -> Result<()> {
    let took = sqlx::query_scalar!(
        r#"select exists (select from patient_taking where ustanova_id = $1 and pacijent_id = $2) as "took!""#,
        actor.ustanova_id,
        id
    );
    match took.fetch_one(db).await? {
        true => Err(Error::refused("Pacijenta vodi druga ustanova, od koje je preuzet. Samo ona može da ga obriše.")),
        false => Ok(()),
    }
}

pub(super) fn today(state: &AppState) -> Date {
    state.clock.now().to_zoned(time::zone()).date()
}

fn merged(current: &PatientInput, change: Map<String, Value>) -> Result<PatientInput> {
    let Value::Object(mut record) = serde_json::to_value(current).map_err(anyhow::Error::from)? else {
        unreachable!("a struct serialises to an object");
    };
    record.extend(change);
    fields_of_body(record)
}

/// Blank texts are stored as nothing: a blank never becomes a value.
fn text(text: &Option<String>) -> Option<&str> {
    filled(text)
}

async fn insert(db: &mut PgConnection, p: &PatientInput, institution: i64) -> Result<i64> {
    let id = sqlx::query_scalar!(
        r#"
        insert into patient (ime, prezime, ime_roditelja, datum_rodjenja, jmbg, lbo, pol_trenutni, pol_na_rodjenju, adresa, broj_kartona,
                             kontakt_telefon, email, mobilni_telefon, zanimanje, strucna_sprema, radno_mesto, medicinska_napomena,
                             administrativna_napomena, ustanova_id)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)
        returning id
        "#,
        text(&p.ime),
        text(&p.prezime),
        text(&p.ime_roditelja),
        p.datum_rodjenja.map(|date| date.to_sqlx()) as _,
        text(&p.jmbg),
        text(&p.lbo),
        p.pol_trenutni,
        p.pol_na_rodjenju.or(p.pol_trenutni),
        text(&p.adresa),
        text(&p.broj_kartona),
        text(&p.kontakt_telefon),
        text(&p.email),
        text(&p.mobilni_telefon),
        text(&p.zanimanje),
        text(&p.strucna_sprema),
        text(&p.radno_mesto),
        text(&p.medicinska_napomena),
        text(&p.administrativna_napomena),
        institution,
    )
    .fetch_one(db)
    .await?;
    Ok(id)
}

async fn update(db: &mut PgConnection, id: i64, p: &PatientInput) -> Result<()> {
    sqlx::query!(
        r#"
        update patient
           set ime = $2, prezime = $3, ime_roditelja = $4, datum_rodjenja = $5, jmbg = $6, lbo = $7, pol_trenutni = $8, pol_na_rodjenju = $9,
               adresa = $10, broj_kartona = $11, kontakt_telefon = $12, email = $13, mobilni_telefon = $14, zanimanje = $15,
               strucna_sprema = $16, radno_mesto = $17, medicinska_napomena = $18, administrativna_napomena = $19
         where id = $1
        "#,
        id,
        text(&p.ime),
        text(&p.prezime),
        text(&p.ime_roditelja),
        p.datum_rodjenja.map(|date| date.to_sqlx()) as _,
        text(&p.jmbg),
        text(&p.lbo),
        p.pol_trenutni,
        p.pol_na_rodjenju,
        text(&p.adresa),
        text(&p.broj_kartona),
        text(&p.kontakt_telefon),
        text(&p.email),
        text(&p.mobilni_telefon),
        text(&p.zanimanje),
        text(&p.strucna_sprema),
        text(&p.radno_mesto),
        text(&p.medicinska_napomena),
        text(&p.administrativna_napomena),
    )
    .execute(db)
    .await?;
    Ok(())
}

/// A number that every patient has but an anonymous one.
fn some(number: String) -> Option<String> {
    Some(number).filter(|number| !number.is_empty())
}

/// The row of a patient, deleted or not.
pub(super) struct PatientRow {
    pub record: PatientInput,
    pub aktivan: bool,
    pub verzija: i32,
    pub kreiran: Timestamp,
    pub izmenjen: Timestamp,
    pub anonimizovan: Option<Timestamp>,
    pub ustanova_id: i64,
}

impl PatientRow {
    pub(super) async fn load(db: impl PgExecutor<'_>, id: i64) -> sqlx::Result<Option<Self>> {
        let row = sqlx::query!(
            r#"
            select ime, prezime, ime_roditelja, datum_rodjenja, jmbg, lbo, pol_trenutni, pol_na_rodjenju, adresa, broj_kartona, kontakt_telefon,
                   email, mobilni_telefon, zanimanje, strucna_sprema, radno_mesto, medicinska_napomena, administrativna_napomena, aktivan, verzija,
                   vreme_kreiranja, vreme_poslednje_izmene, anonimizovan_at, ustanova_id
              from patient where id = $1
            "#,
            id
        )
        .fetch_optional(db)
        .await?;
        Ok(row.map(|row| Self {
            record: PatientInput {
                ime: Some(row.ime),
                prezime: Some(row.prezime),
                ime_roditelja: row.ime_roditelja,
                datum_rodjenja: Some(row.datum_rodjenja.to_jiff()),
                jmbg: some(row.jmbg),
                lbo: some(row.lbo),
                pol_trenutni: Some(row.pol_trenutni),
                pol_na_rodjenju: row.pol_na_rodjenju,
                adresa: row.adresa,
                broj_kartona: row.broj_kartona,
                kontakt_telefon: some(row.kontakt_telefon),
                email: row.email,
                mobilni_telefon: row.mobilni_telefon,
                zanimanje: row.zanimanje,
                strucna_sprema: row.strucna_sprema,
                radno_mesto: row.radno_mesto,
                medicinska_napomena: row.medicinska_napomena,
                administrativna_napomena: row.administrativna_napomena,
            },
            aktivan: row.aktivan,
            verzija: row.verzija,
            kreiran: row.vreme_kreiranja.to_jiff(),
            izmenjen: row.vreme_poslednje_izmene.to_jiff(),
            anonimizovan: row.anonimizovan_at.map(|at| at.to_jiff()),
            ustanova_id: row.ustanova_id,
        }))
    }
}

async fn load(db: &mut PgConnection, actor: &Actor, id: i64, access: PatientAccess) -> Result<Patient> {
    let row = PatientRow::load(&mut *db, id).await?.filter(|row| row.aktivan).ok_or(Error::NotFound)?;
    let registers = sqlx::query!(
        r#"select r.id, case when o.own then n.unosa else h.broj_unosa end as "broj_unosa!", h.status as "status: PatientStatus", h.status_dan
             from patient_register h join register r on r.id = h.registar_id and r.aktivan
            cross join (select reads_own_entries_only($2, $1) as own) o
            cross join lateral (select count(*)::int as unosa from entry e
                                 where o.own and e.pacijent_id = h.pacijent_id and e.registar_id = h.registar_id and e.aktivan
                                   and e.ustanova_id = $2) n
            where h.pacijent_id = $1
              and (not o.own or n.unosa > 0
                   or exists (select from patient_taking t where t.ustanova_id = $2 and t.pacijent_id = $1 and t.registar_id = r.id))
            order by h.poslednji_unos_datum desc nulls last, h.poslednji_unos_id desc, r.id"#,
        id,
        actor.ustanova_id
    )
    .fetch_all(&mut *db)
    .await?;
    let registri = registers.into_iter().map(|row| PatientRegister {
        id: row.id,
        broj_unosa: row.broj_unosa,
        status: row.status,
        status_dan: row.status_dan.map(|day| day.to_jiff()),
    });
    let smrt = PatientDeath::of(&mut *db, id).await?;
    Ok(Patient {
        id,
        record: row.record,
        aktivan: row.aktivan,
        verzija: row.verzija,
        vreme_kreiranja: time::server_text(row.kreiran),
        vreme_poslednje_izmene: time::server_text(row.izmenjen),
        anonimizovan: row.anonimizovan.map(time::server_text),
        pravo_izmene: access.change,
        pravo_brisanja: access.delete,
        pravo_anonimizacije: access.change && access::may_anonymise(actor, row.ustanova_id),
        pravo_statusa: status::may_record(actor, access),
        pravo_saglasnosti: access.change && actor.prava.holds(Right::Consents),
        smrt,
        registri: registri.collect(),
    })
}
