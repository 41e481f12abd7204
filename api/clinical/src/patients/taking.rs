//! Taking a patient whom another institution keeps into one's own view, and the keeper's list of those who were taken.
//!
//! Whoever takes must know all five: JMBG, LBO, birth date and both names. Whatever of them is wrong, and whether there is such a patient,
//! the answer is the same; every attempt is counted and stands in the log. The keeper sees who took and why, and may end it.

use accounts::{
    audit::{Look, deed_on_patient, look, told},
    auth::Actor,
    rights::Patients,
};
use axum::{extract::State, http::StatusCode};
use domain::{
    caller, db,
    fold::fold_name,
    jmbg,
    parameters::{self, TAKINGS, WRONG_TAKINGS},
    time,
};
use jiff::civil::Date;
use jiff_sqlx::ToSqlx;
use platform::{
    error::{self, Error, Result},
    extract::{Json, Path},
    page::Page,
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use utoipa::ToSchema;

use super::{
    access,
    agreement::{BAD_REASON, reason},
    record::{registering, require_register},
    validation::{NO_BIRTH_DATE, NO_FIRST_NAME, NO_JMBG, NO_LAST_NAME, NO_LBO},
};

const DIFFERENT: &str =
    "Podaci se ne slažu. Proverite JMBG, LBO, datum rođenja, ime i prezime: svih pet mora da bude kao kod ustanove koja vodi pacijenta.";
const ENDED: &str = "Ustanova koja vodi pacijenta je okončala ovo preuzimanje. Dogovorite se sa njom.";

pub fn routes() -> Routes {
    Routes::new().routes(routes!(take)).routes(routes!(list)).routes(routes!(unseen)).routes(routes!(seen)).routes(routes!(end))
}

#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
struct Taking {
    ime: String,
    prezime: String,
    datum_rodjenja: Option<Date>,
    jmbg: String,
    lbo: String,
    /// Why, at least ten characters: the keeper reads it.
    razlog: String,
    /// The register from which the patient is taken.
    #[serde(rename = "registarID")]
    registar_id: Option<i64>,
}

#[derive(Serialize, ToSchema)]
struct TakenOver {
    id: i64,
}

#[utoipa::path(post, path = "/api/patient-takings", request_body = Taking, responses((status = 200, body = TakenOver)))]
async fn take(State(state): State<AppState>, actor: Actor, Json(body): Json<Taking>) -> Result<Json<TakenOver>> {
    let institution = registering(&actor)?;
    check(&body)?;
    if let Some(register) = body.registar_id {
        require_register(&state.db, register).await?;
    }
    let attempt = begin(&state, &actor).await?;
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let Some(patient) = matching(&mut tx, &body).await? else {
        tx.rollback().await?;
        log_failure(&state, &actor, &body).await?;
        return Err(Error::missing(DIFFERENT));
    };
    if !domain::access::knows_patient(&mut tx, Some(institution), patient).await? {
        insert(&mut tx, &actor, institution, patient, &body).await?;
    }
    if let Some(register) = body.registar_id {
        sqlx::query!("select register_patient($1, $2)", patient, register).execute(&mut *tx).await?;
    }
    sqlx::query!("update patient_taking_attempt set uspelo = true where id = $1", attempt).execute(&mut *tx).await?;
    tx.commit().await?;
    Ok(Json(TakenOver { id: patient }))
}

/// What can be told wrong without asking whether there is such a patient.
fn check(body: &Taking) -> Result<()> {
    let faults = [
        (body.jmbg.trim().is_empty(), "jmbg", NO_JMBG),
        (body.lbo.trim().is_empty(), "lbo", NO_LBO),
        (body.datum_rodjenja.is_none(), "datumRodjenja", NO_BIRTH_DATE),
        (body.ime.trim().is_empty(), "ime", NO_FIRST_NAME),
        (body.prezime.trim().is_empty(), "prezime", NO_LAST_NAME),
        (reason(&body.razlog).is_err(), "razlog", BAD_REASON),
    ];
    let found: Vec<_> = faults
        .into_iter()
        .filter(|(wrong, ..)| *wrong)
        .map(|(_, field, message)| error::Fault { field: field.into(), message: message.into() })
        .collect();
    if found.is_empty() { Ok(()) } else { Err(Error::Faults(found)) }
}

/// Writes the attempt down as failed, or refuses it where there were too many.
async fn begin(state: &AppState, actor: &Actor) -> Result<i64> {
    let parameters = parameters::load(&state.db).await?;
    let (wrong, taken) = (parameters.number(&WRONG_TAKINGS), parameters.number(&TAKINGS));
    let mut tx = state.db.begin().await?;
    sqlx::query!("select pg_advisory_xact_lock(hashtextextended('patient_taking', $1))", actor.radnik_id).execute(&mut *tx).await?;
    sqlx::query!("delete from patient_taking_attempt where radnik_id = $1 and vreme < now() - interval '1 day'", actor.radnik_id)
        .execute(&mut *tx)
        .await?;
    let opens = sqlx::query!(
        r#"
        select (select vreme + interval '1 hour' from patient_taking_attempt
                 where radnik_id = $1 and not uspelo and vreme > now() - interval '1 hour' order by vreme desc offset $2 - 1 limit 1)
                   as "wrong: jiff_sqlx::Timestamp",
               (select vreme + interval '1 day' from patient_taking_attempt
                 where radnik_id = $1 and uspelo and vreme > now() - interval '1 day' order by vreme desc offset $3 - 1 limit 1)
                   as "taken: jiff_sqlx::Timestamp"
        "#,
        actor.radnik_id,
        i32::max(wrong, 1),
        i32::max(taken, 1),
    )
    .fetch_one(&mut *tx)
    .await?;
    let from = |at: jiff_sqlx::Timestamp| time::date_time_text(at.to_jiff().to_zoned(time::zone()).datetime());
    if let Some(at) = opens.wrong {
        return Err(Error::too_many(format!("Previše puta ste pogrešili podatke. Preuzimanje možete ponovo da pokušate od {}.", from(at))));
    }
    if let Some(at) = opens.taken {
        return Err(Error::too_many(format!(
            "Danas ste preuzeli {taken} pacijenata, koliko je najviše dozvoljeno. Sledećeg možete od {}.",
            from(at)
        )));
    }
    let id = sqlx::query_scalar!("insert into patient_taking_attempt (radnik_id) values ($1) returning id", actor.radnik_id)
        .fetch_one(&mut *tx)
        .await?;
    tx.commit().await?;
    Ok(id)
}

/// The patient with all five, names as the search reads them; those of a record that was merged into another one are that one's too.
async fn matching(db: &mut PgConnection, body: &Taking) -> sqlx::Result<Option<i64>> {
    sqlx::query_scalar!(
        r#"select coalesce(spojen_u_id, id) as "id!" from patient
          where (aktivan or spojen_u_id is not null) and jmbg = $1 and lbo = $2 and datum_rodjenja = $3
            and replace(ime_f, 'dj', 'd') = $4 and replace(prezime_f, 'dj', 'd') = $5
          order by aktivan desc limit 1"#,
        jmbg::plain(&body.jmbg),
        jmbg::plain(&body.lbo),
        body.datum_rodjenja.map(|date| date.to_sqlx()) as _,
        fold_name(body.ime.trim()),
        fold_name(body.prezime.trim()),
    )
    .fetch_optional(db)
    .await
}

/// A failed attempt stands in the log, at the patient whose JMBG was typed where there is one.
async fn log_failure(state: &AppState, actor: &Actor, body: &Taking) -> Result<()> {
    let mut db = state.db.acquire().await?;
    let holder = sqlx::query_scalar!("select holder_of_jmbg($1)", jmbg::plain(&body.jmbg));
    match holder.fetch_one(&mut *db).await? {
        Some(holder) => deed_on_patient(&mut db, actor, "patient", "provera za preuzimanje", holder, holder).await?,
        None => {
            sqlx::query!(
                "insert into audit_log (radnik_id, ustanova_id, adresa, klasa, akcija) values ($1, $2, $3, 'patient', 'provera za preuzimanje')",
                actor.radnik_id,
                actor.ustanova_id,
                caller::current().adresa
            )
            .execute(&mut *db)
            .await?;
        }
    }
    Ok(())
}

async fn insert(db: &mut PgConnection, actor: &Actor, institution: i64, patient: i64, body: &Taking) -> Result<()> {
    let taken = sqlx::query_scalar!(
        "insert into patient_taking (pacijent_id, ustanova_id, radnik_id, registar_id, razlog)
         values ($1, $2, $3, $4, $5)
         on conflict (ustanova_id, pacijent_id) do nothing returning id",
        patient,
        institution,
        actor.radnik_id,
        body.registar_id,
        body.razlog.trim(),
    );
    match taken.fetch_optional(db).await? {
        Some(_) => Ok(()),
        None => Err(Error::conflict(ENDED)),
    }
}

/// A patient of the worker's institution whom another one took.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct TakenPatient {
    id: i64,
    #[serde(rename = "pacijentID")]
    pacijent_id: i64,
    ime_prezime: String,
    datum_rodjenja: Date,
    /// Who took.
    ustanova: String,
    radnik: String,
    razlog: String,
    vreme: String,
    /// Nobody of the keeper has said yet that it was seen.
    novo: bool,
    okoncano: Option<String>,
    okoncao: Option<String>,
    razlog_okoncanja: Option<String>,
}

/// Most that one list has.
const MOST: i64 = 500;

/// Patients of the worker's institution whom others took, the newest first.
#[utoipa::path(get, path = "/api/patient-takings", responses((status = 200, body = Page<TakenPatient>)))]
async fn list(State(state): State<AppState>, actor: Actor) -> Result<Json<Page<TakenPatient>>> {
    let rows = sqlx::query!(
        r#"
        select t.id, t.pacijent_id, p.prezime || ' ' || p.ime as "ime_prezime!", p.datum_rodjenja, i.naziv as ustanova,
               w.prezime || ' ' || w.ime as "radnik!", t.razlog, t.vreme, t.vidjeno_at is null as "novo!", t.okoncano_at,
               o.prezime || ' ' || o.ime as okoncao, t.razlog_okoncanja, count(*) over () as "total!"
          from patient_taking t join patient p on p.id = t.pacijent_id and p.aktivan join institution i on i.id = t.ustanova_id
          join worker w on w.id = t.radnik_id left join worker o on o.id = t.okoncao_id
         where p.ustanova_id = $1
         order by t.vreme desc, t.id desc
         limit $2
        "#,
        actor.ustanova_id,
        MOST
    )
    .fetch_all(&state.db)
    .await?;
    let shown: Vec<i64> = rows.iter().map(|row| row.pacijent_id).collect();
    let polja = vec![told("Rezultata", shown.len())];
    look(&state.db, &actor, &Look { klasa: "patient", akcija: "pregled spiska preuzetih", polja, pacijenti: &shown, ..Look::default() })
        .await?;
    let total = rows.first().map_or(0, |row| row.total);
    let data = rows.into_iter().map(|row| TakenPatient {
        id: row.id,
        pacijent_id: row.pacijent_id,
        ime_prezime: row.ime_prezime,
        datum_rodjenja: row.datum_rodjenja.to_jiff(),
        ustanova: row.ustanova,
        radnik: row.radnik,
        razlog: row.razlog,
        vreme: time::server_text(row.vreme.to_jiff()),
        novo: row.novo,
        okoncano: row.okoncano_at.map(|at| time::server_text(at.to_jiff())),
        okoncao: row.okoncao,
        razlog_okoncanja: row.razlog_okoncanja,
    });
    Ok(Json(Page::of(data.collect(), total)))
}

#[derive(Serialize, ToSchema)]
struct UnseenTakings {
    broj: i64,
}

/// How many patients of the worker's institution others took without anybody having seen it yet.
#[utoipa::path(get, path = "/api/patient-takings/unseen", responses((status = 200, body = UnseenTakings)))]
async fn unseen(State(state): State<AppState>, actor: Actor) -> Result<Json<UnseenTakings>> {
    let broj = sqlx::query_scalar!(
        r#"select count(*) as "n!" from patient_taking t join patient p on p.id = t.pacijent_id and p.aktivan
            where p.ustanova_id = $1 and t.vidjeno_at is null and t.okoncano_at is null"#,
        actor.ustanova_id
    );
    Ok(Json(UnseenTakings { broj: broj.fetch_one(&state.db).await? }))
}

/// Somebody of the keeper has seen that the patient was taken.
#[utoipa::path(post, path = "/api/patient-takings/{id}/seen", params(("id" = i64, Path)), responses((status = 204)))]
async fn seen(State(state): State<AppState>, actor: Actor, Path(id): Path<i64>) -> Result<StatusCode> {
    access::require(&actor, Patients::Izmena)?;
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    held(&mut tx, &actor, id).await?;
    sqlx::query!("update patient_taking set vidjeno_at = now() where id = $1 and vidjeno_at is null", id).execute(&mut *tx).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
struct Objection {
    /// Why, at least ten characters.
    razlog: String,
}

/// The keeper objects: the other institution does not see the patient any more, but for entries of its own.
#[utoipa::path(post, path = "/api/patient-takings/{id}/end", params(("id" = i64, Path)), request_body = Objection,
    responses((status = 204)))]
async fn end(State(state): State<AppState>, actor: Actor, Path(id): Path<i64>, Json(body): Json<Objection>) -> Result<StatusCode> {
    access::require(&actor, Patients::Izmena)?;
    let why = reason(&body.razlog)?;
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    if held(&mut tx, &actor, id).await? {
        return Err(Error::conflict("Ovo preuzimanje je već okončano."));
    }
    sqlx::query!(
        "update patient_taking set okoncano_at = now(), okoncao_id = $2, razlog_okoncanja = $3, vidjeno_at = coalesce(vidjeno_at, now()) where id = $1",
        id,
        actor.radnik_id,
        why,
    )
    .execute(&mut *tx)
    .await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Locks a taking of a patient of the worker's institution; whether it has ended.
async fn held(db: &mut PgConnection, actor: &Actor, id: i64) -> Result<bool> {
    let ended = sqlx::query_scalar!(
        r#"select t.okoncano_at is not null as "ended!" from patient_taking t join patient p on p.id = t.pacijent_id
            where t.id = $1 and p.ustanova_id = $2 for update of t"#,
        id,
        actor.ustanova_id
    );
    ended.fetch_optional(db).await?.ok_or(Error::NotFound)
}
