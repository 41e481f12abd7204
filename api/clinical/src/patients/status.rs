//! What became of a patient: the statuses of each register and the death, told with who said it, and a new one recorded. Nothing is changed
//! or removed: a correction is a row that says which one it corrects.

use accounts::{
    audit::deed_on_patient,
    auth::Actor,
    rights::{Allowed, PatientStatus as StatusArea, Patients, Right},
};
use axum::{extract::State, http::StatusCode};
use domain::{
    db,
    entry::form::{EntryField, EntryForm},
    register::{PatientStatus, StatusCause, causes},
    time,
};
use jiff::civil::Date;
use jiff_sqlx::ToSqlx;
use platform::{
    error::{Confirmation, Error, Result},
    extract::{Json, Path},
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use utoipa::ToSchema;

use super::{
    access::{self, PatientAccess},
    confirmations,
    record::today,
};

/// Entries lie after the day of the death.
const ENTRIES_AFTER: &str = "unosiPosleSmrti";
/// Entries that the question names; the others are counted.
const NAMED: usize = 5;
const LONGEST_NOTE: usize = 1000;
/// What a form says, the institution says.
const BY_FORM: &str = "ustanova";
/// What tells of a status: the institution itself, the family, the patient, a certificate, a public record, a file that was brought in.
const SOURCES: [&str; 6] = ["ustanova", "porodica", "pacijent", "potvrda", "evidencija", "uvoz"];

pub fn routes() -> Routes {
    Routes::new().routes(routes!(list, record))
}

/// Whether the worker may say what became of a patient.
pub fn may_record(actor: &Actor, access: PatientAccess) -> bool {
    access.change && actor.prava.holds(Right::PatientStatus)
}

/// The death as every institution that knows the patient is told of it.
#[derive(Debug, Serialize, ToSchema)]
pub struct PatientDeath {
    /// The row of the history.
    id: i64,
    dan: Date,
    uzrok: Option<String>,
    /// Who said it, where and when.
    radnik: String,
    ustanova: String,
    vreme: String,
}

impl PatientDeath {
    pub async fn of(db: &mut PgConnection, patient: i64) -> sqlx::Result<Option<Self>> {
        let row = sqlx::query!(
            r#"select s.id as "id!", s.dan as "dan!", s.uzrok, w.prezime || ' ' || w.ime as "radnik!", u.naziv as ustanova, s.vreme as "vreme!"
                 from status_in_force s join worker w on w.id = s.radnik_id join institution u on u.id = s.ustanova_id
                where s.pacijent_id = $1 and s.status = 'preminuo' order by s.id desc limit 1"#,
            patient
        )
        .fetch_optional(db)
        .await?;
        Ok(row.map(|row| Self {
            id: row.id,
            dan: row.dan.to_jiff(),
            uzrok: row.uzrok,
            radnik: row.radnik,
            ustanova: row.ustanova,
            vreme: time::server_text(row.vreme.to_jiff()),
        }))
    }
}

/// A row of the history.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct StatusRecord {
    id: i64,
    status: PatientStatus,
    /// None: of the patient, in every register.
    #[serde(rename = "registarID")]
    registar_id: Option<i64>,
    registar: Option<String>,
    dan: Date,
    uzrok_sifra: Option<String>,
    uzrok: Option<String>,
    izvor: String,
    napomena: Option<String>,
    #[serde(rename = "ispravljaID")]
    ispravlja_id: Option<i64>,
    /// What it corrects never was.
    ponisten: bool,
    /// Neither corrected nor taken back.
    vazi: bool,
    radnik: String,
    ustanova: String,
    vreme: String,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct RegisterCauses {
    #[serde(rename = "registarID")]
    registar_id: i64,
    naziv: String,
    uzroci: Vec<StatusCause>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Statuses {
    /// The newest first.
    istorija: Vec<StatusRecord>,
    /// Registers in which a status may be recorded, each with the causes that it lets choose.
    registri: Vec<RegisterCauses>,
    pravo_statusa: bool,
}

/// What became of the patient. Whoever took the patient over and reads only own entries reads the death and the own statuses.
#[utoipa::path(get, path = "/api/patients/{id}/statuses", params(("id" = i64, Path)), responses((status = 200, body = Statuses)))]
async fn list(State(state): State<AppState>, actor: Actor, Path(id): Path<i64>) -> Result<Json<Statuses>> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let access = PatientAccess::to(&mut tx, &actor, id).await?;
    let rows = sqlx::query!(
        r#"select s.id, s.status as "status: PatientStatus", s.registar_id, g.naziv as "registar?", s.dan, s.uzrok_sifra, s.uzrok, s.izvor, s.napomena,
                  s.ispravlja_id, s.ponisten, not s.ponisten and not exists (select from patient_status n where n.ispravlja_id = s.id) as "vazi!",
                  w.prezime || ' ' || w.ime as "radnik!", u.naziv as ustanova, s.vreme
             from patient_status s left join register g on g.id = s.registar_id join worker w on w.id = s.radnik_id
             join institution u on u.id = s.ustanova_id
            where s.pacijent_id = $1 and (s.registar_id is null or s.ustanova_id = $2 or not (select reads_own_entries_only($2, $1)))
            order by s.id desc"#,
        id,
        actor.ustanova_id
    )
    .fetch_all(&mut *tx)
    .await?;
    let registri = registers(&mut tx, &actor, id).await?;
    deed_on_patient(&mut tx, &actor, "patient_status", "pregled", id, id).await?;
    tx.commit().await?;
    let istorija = rows.into_iter().map(|row| StatusRecord {
        id: row.id,
        status: row.status,
        registar_id: row.registar_id,
        registar: row.registar,
        dan: row.dan.to_jiff(),
        uzrok_sifra: row.uzrok_sifra,
        uzrok: row.uzrok,
        izvor: row.izvor,
        napomena: row.napomena,
        ispravlja_id: row.ispravlja_id,
        ponisten: row.ponisten,
        vazi: row.vazi,
        radnik: row.radnik,
        ustanova: row.ustanova,
        vreme: time::server_text(row.vreme.to_jiff()),
    });
    Ok(Json(Statuses { istorija: istorija.collect(), registri, pravo_statusa: may_record(&actor, access) }))
}

/// The registers that the worker sees the patient in.
async fn registers(db: &mut PgConnection, actor: &Actor, patient: i64) -> Result<Vec<RegisterCauses>> {
    let rows = sqlx::query!(
        "select r.id, r.naziv, r.uzroci_statusa from registers_shown($2, $1) h (id) join register r on r.id = h.id and r.aktivan order by r.naziv, r.id",
        patient,
        actor.ustanova_id
    )
    .fetch_all(db)
    .await?;
    let causes_of = |text: Option<String>| causes(text.as_deref().unwrap_or_default()).unwrap_or_default();
    Ok(rows
        .into_iter()
        .map(|row| RegisterCauses { registar_id: row.id, naziv: row.naziv, uzroci: causes_of(row.uzroci_statusa) })
        .collect())
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct StatusInput {
    status: PatientStatus,
    /// The register whose status it is; of a death the one whose list of causes is chosen from.
    #[serde(rename = "registarID")]
    registar_id: Option<i64>,
    dan: Option<Date>,
    /// The code of a cause from the list of the register; required where it has causes for the status.
    uzrok: Option<String>,
    /// ustanova, porodica, pacijent, potvrda, evidencija or uvoz.
    izvor: Option<String>,
    /// Required where a row is corrected: why.
    napomena: Option<String>,
    /// The row in whose place this one stands.
    #[serde(rename = "ispravljaID")]
    ispravlja_id: Option<i64>,
    /// What is corrected never was.
    #[serde(default)]
    ponisten: bool,
    /// Names of what a person has confirmed, as a refusal listed them.
    #[serde(default)]
    potvrde: Vec<String>,
}

#[derive(Serialize, ToSchema)]
struct RecordedStatus {
    id: i64,
}

/// Records what became of the patient, or corrects what was recorded. A death before an entry is asked about.
#[utoipa::path(post, path = "/api/patients/{id}/statuses", params(("id" = i64, Path)), request_body = StatusInput,
    responses((status = 201, body = RecordedStatus)))]
async fn record(
    State(state): State<AppState>,
    actor: Allowed<StatusArea>,
    Path(id): Path<i64>,
    Json(body): Json<StatusInput>,
) -> Result<(StatusCode, Json<RecordedStatus>)> {
    access::require(&actor, Patients::Izmena)?;
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    PatientAccess::to(&mut tx, &actor, id).await?.require_change()?;
    // Entries that are being written are waited for: the question is about all there are.
    sqlx::query!("select id from patient where id = $1 for update", id).fetch_one(&mut *tx).await?;
    let corrected = match body.ispravlja_id {
        Some(row) => Some(in_force(&mut tx, id, row).await?),
        None => None,
    };
    let note = body.napomena.as_deref().map(str::trim).filter(|note| !note.is_empty());
    if note.is_some_and(|note| note.chars().count() > LONGEST_NOTE) {
        return Err(Error::invalid("napomena", "Napomena može imati najviše 1.000 znakova."));
    }
    if corrected.is_some() && note.is_none() {
        return Err(Error::invalid("napomena", "Napišite zašto se zapis ispravlja."));
    }
    let news = match (&corrected, body.ponisten) {
        (Some(before), true) => News { dan: before.dan, cause: before.cause.clone(), izvor: before.izvor.clone() },
        (None, true) => return Err(Error::invalid("ispravljaID", "Poništava se samo zapis koji postoji.")),
        _ => news(&mut tx, &actor, id, &body, corrected.as_ref()).await?,
    };
    day_of_life(&mut tx, id, news.dan, today(&state)).await?;
    let asked = match body.status == PatientStatus::Preminuo && !body.ponisten {
        true => entries_after(&mut tx, &actor, id, news.dan).await?,
        false => None,
    };
    let confirmed = confirmations::demand(asked.into_iter().collect(), &body.potvrde)?;
    let register = body.registar_id.filter(|_| body.status != PatientStatus::Preminuo);
    let said = NewRow { register, status: body.status, note, corrects: body.ispravlja_id, undone: body.ponisten, by: None };
    let row = insert(&mut tx, &actor, id, said, news).await?;
    confirmations::log(&mut tx, &[id], &confirmed).await?;
    tx.commit().await?;
    Ok((StatusCode::CREATED, Json(RecordedStatus { id: row })))
}

/// A row of the history beside what it says.
struct NewRow<'a> {
    /// None: of a death.
    register: Option<i64>,
    status: PatientStatus,
    note: Option<&'a str>,
    corrects: Option<i64>,
    undone: bool,
    /// The entry and the field that said it.
    by: Option<(i64, i64)>,
}

async fn insert(db: &mut PgConnection, actor: &Actor, patient: i64, row: NewRow<'_>, news: News) -> Result<i64> {
    let (code, name) = news.cause.unzip();
    let (entry, field) = row.by.unzip();
    Ok(sqlx::query_scalar!(
        "insert into patient_status (pacijent_id, registar_id, status, dan, uzrok_sifra, uzrok, izvor, napomena, ispravlja_id, ponisten, ustanova_id,
                                     unos_id, polje_id)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) returning id",
        patient,
        row.register,
        row.status.name(),
        news.dan.to_sqlx() as _,
        code,
        name,
        news.izvor,
        row.note,
        row.corrects,
        row.undone,
        actor.ustanova()?,
        entry,
        field,
    )
    .fetch_one(db)
    .await?)
}

/// In the history: where it was said.
pub fn note_of_field(form: &EntryForm, field: &EntryField) -> String {
    format!("Iz formulara „{}”, polje „{}”.", form.naziv, field.naziv)
}

/// What a field of an entry says of its patient.
pub struct FieldStatus {
    pub patient: i64,
    pub register: i64,
    pub entry: i64,
    pub field: i64,
    pub status: PatientStatus,
    /// Where it was said, in words.
    pub note: String,
}

impl FieldStatus {
    fn row(&self, corrects: Option<i64>, undone: bool) -> NewRow<'_> {
        let register = (self.status != PatientStatus::Preminuo).then_some(self.register);
        NewRow { register, status: self.status, note: Some(&self.note), corrects, undone, by: Some((self.entry, self.field)) }
    }

    /// The row that the field has told, while it holds.
    async fn told(&self, db: &mut PgConnection) -> Result<Option<(i64, News)>> {
        sqlx::query!("select id from patient where id = $1 for update", self.patient).fetch_one(&mut *db).await?;
        let row = sqlx::query!(
            r#"select s.id as "id!", s.dan as "dan!", s.uzrok_sifra, s.uzrok, s.izvor as "izvor!" from status_in_force s
                where s.pacijent_id = $1 and s.unos_id = $2 and s.polje_id = $3 and s.status = $4 order by s.id desc limit 1"#,
            self.patient,
            self.entry,
            self.field,
            self.status.name()
        )
        .fetch_optional(db)
        .await?;
        Ok(row.map(|row| (row.id, News { dan: row.dan.to_jiff(), cause: row.uzrok_sifra.zip(row.uzrok), izvor: row.izvor })))
    }
}

/// Records the day, in place of the one that the field told before; or says why not. What a person has said of the same on the patient's page
/// stands: the entry does not speak against it.
pub async fn tell_by_field(db: &mut PgConnection, actor: &Actor, said: &FieldStatus, day: Date, today: Date) -> Result<Option<String>> {
    let told = said.told(db).await?;
    let others = sqlx::query_scalar!(
        r#"select s.dan as "dan!" from status_in_force s
            where s.pacijent_id = $1 and s.status = $2 and (s.registar_id is null or s.registar_id = $3) and s.id is distinct from $4 order by s.id desc"#,
        said.patient,
        said.status.name(),
        said.register,
        told.as_ref().map(|(id, _)| *id)
    );
    let others: Vec<Date> = others.fetch_all(&mut *db).await?.into_iter().map(|day| day.to_jiff()).collect();
    if let (PatientStatus::Preminuo, Some(other)) = (said.status, others.iter().find(|other| **other != day)) {
        let other = time::date_text(*other);
        return Ok(Some(format!("smrt je već zabeležena ({other}). Ispravite ovaj dan, ili zapis na strani pacijenta.")));
    }
    if others.contains(&day) {
        // It is known already; what the field told before was another day.
        if let Some((before, news)) = told {
            insert(db, actor, said.patient, said.row(Some(before), true), news).await?;
        }
        return Ok(None);
    }
    if let Err(Error::Invalid { message, .. }) = day_of_life(db, said.patient, day, today).await {
        return Ok(Some(message.to_string()));
    }
    if said.status == PatientStatus::Preminuo
        && let Some(asked) = entries_after(db, actor, said.patient, day).await?
    {
        return Ok(Some(asked.tekst.to_string()));
    }
    let (corrects, cause) = told.map_or((None, None), |(before, news)| (Some(before), news.cause));
    let news = News { dan: day, cause, izvor: BY_FORM.into() };
    insert(db, actor, said.patient, said.row(corrects, false), news).await?;
    Ok(None)
}

/// Takes back what the field told. What a person has corrected since is that person's, and stays.
pub async fn take_back_by_field(db: &mut PgConnection, actor: &Actor, said: &FieldStatus) -> Result<()> {
    if let Some((before, news)) = said.told(db).await? {
        insert(db, actor, said.patient, said.row(Some(before), true), news).await?;
    }
    Ok(())
}

/// What is said, as it is stored.
struct News {
    dan: Date,
    /// Code and name.
    cause: Option<(String, String)>,
    izvor: String,
}

/// The row that is corrected, of this patient, while it holds.
async fn in_force(db: &mut PgConnection, patient: i64, row: i64) -> Result<News> {
    let found = sqlx::query!(
        r#"select s.dan as "dan!", s.uzrok_sifra, s.uzrok, s.izvor as "izvor!" from status_in_force s where s.id = $1 and s.pacijent_id = $2"#,
        row,
        patient
    )
    .fetch_optional(db)
    .await?;
    let found = found.ok_or_else(|| Error::conflict("Tog zapisa više nema u važećim: neko ga je ispravio. Učitajte istoriju ponovo."))?;
    Ok(News { dan: found.dan.to_jiff(), cause: found.uzrok_sifra.zip(found.uzrok), izvor: found.izvor })
}

async fn news(db: &mut PgConnection, actor: &Actor, patient: i64, body: &StatusInput, corrected: Option<&News>) -> Result<News> {
    let death = body.status == PatientStatus::Preminuo;
    let registers = registers(db, actor, patient).await?;
    let register = match body.registar_id {
        Some(register) => Some(
            registers
                .into_iter()
                .find(|one| one.registar_id == register)
                .ok_or_else(|| Error::invalid("registarID", "Pacijent nije u izabranom registru."))?,
        ),
        None if death => None,
        None => return Err(Error::invalid("registarID", "Niste izabrali registar.")),
    };
    let dan = body.dan.ok_or_else(|| Error::invalid("dan", "Niste uneli dan."))?;
    let izvor = body.izvor.clone().filter(|source| SOURCES.contains(&source.as_str()));
    let izvor = izvor.ok_or_else(|| Error::invalid("izvor", "Niste izabrali izvor podatka."))?;
    let offered: Vec<_> = register.into_iter().flat_map(|one| one.uzroci).filter(|cause| cause.status == body.status).collect();
    let code = body.uzrok.as_deref().map(str::trim).filter(|code| !code.is_empty());
    let cause = match code {
        Some(code) => {
            let chosen = offered.into_iter().find(|cause| cause.sifra == code).map(|cause| (cause.sifra, cause.naziv));
            // What was chosen once stays, whatever the list says today.
            let before = corrected.and_then(|before| before.cause.clone()).filter(|(before, _)| before == code);
            Some(chosen.or(before).ok_or_else(|| Error::invalid("uzrok", "Izabrani uzrok nije na listi ovog registra."))?)
        }
        None if offered.is_empty() => None,
        None => return Err(Error::invalid("uzrok", "Niste izabrali uzrok.")),
    };
    Ok(News { dan, cause, izvor })
}

/// Refuses a day on which nothing can have become of the patient.
async fn day_of_life(db: &mut PgConnection, patient: i64, day: Date, today: Date) -> Result<()> {
    let born = sqlx::query_scalar!("select datum_rodjenja from patient where id = $1", patient).fetch_one(db).await?.to_jiff();
    if day > today {
        return Err(Error::invalid("dan", format!("Dan ne može biti u budućnosti (danas je {}).", time::date_text(today))));
    }
    if day < born {
        return Err(Error::invalid("dan", format!("Dan ne može biti pre rođenja pacijenta ({}).", time::date_text(born))));
    }
    Ok(())
}

/// Asked where entries lie after the death: which they are, and how either is mended. Of entries that the worker does not read nothing is told.
async fn entries_after(db: &mut PgConnection, actor: &Actor, patient: i64, death: Date) -> Result<Option<Confirmation>> {
    let rows = sqlx::query!(
        r#"select f.naziv, e.datum_unosa from entry e join form f on f.id = e.tsa_id
            where e.pacijent_id = $1 and e.aktivan and e.datum_unosa > $2
              and (e.ustanova_id = $3 or not (select reads_own_entries_only($3, $1)))
            order by e.datum_unosa, e.id"#,
        patient,
        death.to_sqlx() as _,
        actor.ustanova_id
    )
    .fetch_all(db)
    .await?;
    if rows.is_empty() {
        return Ok(None);
    }
    let named: Vec<String> =
        rows.iter().take(NAMED).map(|row| format!("„{}” {}", row.naziv, time::date_text(row.datum_unosa.to_jiff()))).collect();
    let more = rows.len().saturating_sub(NAMED);
    // A date ends with a point of its own.
    let more = if more > 0 { format!(" i još {more}.") } else { String::new() };
    let text = format!(
        "Posle tog dana postoje unosi: {}{more} Ako je dan smrti tačan, ispravite datume tih unosa ili ih obrišite; ako nije, ispravite dan smrti.",
        named.join(", ")
    );
    Ok(Some(Confirmation { oznaka: ENTRIES_AFTER.into(), tekst: text.into() }))
}
