//! A request for an export: checked, counted, and put into the queue.

use accounts::{
    auth::Actor,
    rights::{Allowed, DataExport},
};
use axum::{extract::State, http::StatusCode};
use domain::{
    access, db,
    entry::form::EntryForm,
    exports::{self, Count, LoggedSearch, NewExport, Profile, RowOf, Selection, TellingDay, UnnamedFields, WantedStates},
    register::{ValueType, rules},
    shown,
};
use jiff::civil::Date;
use platform::{
    error::{Error, Result},
    extract::Json,
    period::{day, in_order},
    routes::{Routes, routes},
    run_order::{KEY_USED_UP, announce, one_order_at_a_time, refuse_flood},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use utoipa::ToSchema;
use uuid::Uuid;

use super::trail::{self, ExportAction, Subject};
use crate::patients::search;

/// Letters of a reason.
const REASON: std::ops::RangeInclusive<usize> = 10..=500;

pub fn routes() -> Routes {
    Routes::new().routes(routes!(submit))
}

#[derive(Deserialize, ToSchema)]
struct ExportRequest {
    #[serde(rename = "registarID")]
    registar_id: i64,
    /// Absent: the patients of the register.
    #[serde(rename = "tsaID")]
    tsa_id: Option<i64>,
    red: RowOf,
    /// Chosen fields; absent: all.
    polja: Option<Vec<i64>>,
    /// The first and the last day of examinations, `YYYY-MM-DD`.
    od: Option<String>,
    #[serde(rename = "do")]
    do_: Option<String>,
    ustanove: Vec<i64>,
    profil: Profile,
    /// An Excel workbook as well.
    #[serde(default)]
    xlsx: bool,
    razlog: String,
    /// Only patients whom this search of the worker's own has shown, by the number that its answer gave.
    pretraga: Option<i64>,
    /// Entries that somebody has finished, or signed, only.
    #[serde(default)]
    stanja: WantedStates,
    /// The same key sent twice makes one export.
    kljuc: Option<Uuid>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ExportAccepted {
    #[serde(rename = "izvozID")]
    izvoz_id: Uuid,
    redova: i64,
    pacijenata: i64,
    /// Patients who are left out because they have not agreed to research.
    bez_saglasnosti: i64,
}

#[utoipa::path(
    post, path = "/api/data-exports", tag = "izvoz", request_body = ExportRequest,
    responses((status = 202, body = ExportAccepted), (status = 403, description = "Nema pravo na ustanovu ili na identitet"),
              (status = 422, description = "Polje i poruka"), (status = 429, description = "Previše otvorenih izveštaja"))
)]
async fn submit(
    State(state): State<AppState>,
    actor: Allowed<DataExport>,
    Json(request): Json<ExportRequest>,
) -> Result<(StatusCode, Json<ExportAccepted>)> {
    if let Some(accepted) = earlier(&mut *state.db.acquire().await?, &actor, request.kljuc).await? {
        return Ok((StatusCode::ACCEPTED, Json(accepted)));
    }
    let (kljuc, order) = (request.kljuc, check(&state, &actor, request).await?);
    let id = order.new.run;
    let without = order.without_consent;
    let (worker, institution, count) = (order.new.radnik_id, order.new.selection.ustanove[0], order.new.count);
    let mut tx = db::begin(&state.db, worker).await?;
    one_order_at_a_time(&mut tx, worker).await?;
    if exports::insert(&mut tx, &order.new, kljuc).await?.is_none() {
        drop(tx);
        let first = earlier(&mut *state.db.acquire().await?, &actor, kljuc).await?;
        return Ok((StatusCode::ACCEPTED, Json(first.ok_or_else(|| Error::conflict(KEY_USED_UP))?)));
    }
    if without > 0 {
        sqlx::query!("update data_export set bez_saglasnosti = $2 where id = (select izvoz_id from report_run where id = $1)", id, without)
            .execute(&mut *tx)
            .await?;
    }
    refuse_flood(&mut tx, worker, institution).await?;
    trail::record(&mut tx, worker, ExportAction::Ask, &order.subject, None).await?;
    tx.commit().await?;
    tokio::spawn(announce(state.clone(), id));
    let accepted = ExportAccepted { izvoz_id: id, redova: count.redova, pacijenata: count.pacijenata, bez_saglasnosti: without };
    Ok((StatusCode::ACCEPTED, Json(accepted)))
}

/// What the same key has made before.
async fn earlier(db: &mut PgConnection, actor: &Actor, kljuc: Option<Uuid>) -> sqlx::Result<Option<ExportAccepted>> {
    sqlx::query_as!(
        ExportAccepted,
        "select r.id as izvoz_id, d.redova, d.pacijenata, d.bez_saglasnosti from report_run r join data_export d on d.id = r.izvoz_id
          where r.radnik_id = $1 and r.client_key = $2",
        actor.radnik_id,
        kljuc
    )
    .fetch_optional(db)
    .await
}

/// A request whose every part was checked, and that was counted.
struct Order {
    new: NewExport,
    subject: Subject,
    without_consent: i64,
}

async fn check(state: &AppState, actor: &Actor, request: ExportRequest) -> Result<Order> {
    let mut db = state.db.acquire().await?;
    let form = form(&mut db, &request).await?;
    let naziv = name(&mut db, request.registar_id, form.as_ref()).await?;
    let unnamed = unnamed(&mut db, &request).await?;
    let polja = fields(form.as_ref(), &request, &unnamed)?;
    if form.is_none() && request.stanja != WantedStates::Svi {
        return Err(Error::invalid("stanja", "Stanje se bira kada se izvozi formular."));
    }
    let (datum_od, datum_do) = period(&request)?;
    let razlog = reason(&request.razlog)?;
    let pretraga = searched(&mut db, actor, &request).await?;
    let mut institutions = request.ustanove;
    institutions.sort_unstable();
    institutions.dedup();
    if institutions.is_empty() {
        return Err(Error::invalid("ustanove", "Izaberite bar jednu ustanovu."));
    }
    let mut subject = Subject {
        id: None,
        naziv,
        profil: request.profil,
        ustanove: institutions.clone(),
        razlog: razlog.clone(),
        pretraga: pretraga.is_some(),
        stanja: request.stanja,
        count: None,
    };
    let refused = if !access::may_export(&mut db, actor.radnik_id, &institutions, false).await? {
        Some(Error::refused("Izvoziti možete samo podatke ustanova kojima pripadate."))
    } else if !access::may_export(&mut db, actor.radnik_id, &institutions, request.profil == Profile::Identitet).await? {
        Some(Error::refused("Vaša uloga ne otvara pacijente: možete izvoziti samo podatke bez identiteta."))
    } else {
        None
    };
    if let Some(refusal) = refused {
        drop(db);
        return trail::refuse(&state.db, actor.radnik_id, &subject, refusal).await;
    }
    let selection = Selection {
        registar_id: request.registar_id,
        tsa_id: request.tsa_id,
        red: request.red,
        datum_od,
        datum_do,
        ustanove: institutions,
        profil: request.profil,
        pretraga,
        stanja: request.stanja,
    };
    if let Some(telling) = TellingDay::of(&mut *db, &selection).await? {
        return Err(Error::invalid(telling.field(), telling.text()));
    }
    let count = exports::count(&mut db, &selection).await?;
    let without_consent = exports::without_consent(&mut db, &selection).await?;
    let most = exports::most_rows(&mut *db).await?;
    let least = exports::least_patients(&mut *db).await?;
    drop(db);
    subject.count = Some(count);
    if request.profil == Profile::BezIdentiteta && least > 1 && count.pacijenata < least {
        // None is said like few.
        return Err(Error::invalid(
            "od",
            format!("Bez identiteta izlaze podaci najmanje {least} pacijenata. Proširite period ili ustanove."),
        ));
    }
    if count.redova == 0 {
        let of_search = if subject.pretraga { " među pacijentima pretrage" } else { "" };
        return Err(Error::invalid("od", format!("Nema nijednog reda za izabrani period i ustanove{of_search}.")));
    }
    if count.redova > most {
        let refusal = Error::invalid("od", too_many(count, most));
        return trail::refuse(&state.db, actor.radnik_id, &subject, refusal).await;
    }
    let new = NewExport { run: Uuid::now_v7(), radnik_id: actor.radnik_id, selection, polja, xlsx: request.xlsx, razlog, count };
    subject.id = Some(new.run);
    Ok(Order { new, subject, without_consent })
}

fn too_many(count: Count, most: i64) -> String {
    format!(
        "Izvoz bi imao {} redova, a dozvoljeno je najviše {}. Suzite period ili ustanove.",
        shown::number(count.redova as f64),
        shown::number(most as f64)
    )
}

async fn form(db: &mut PgConnection, request: &ExportRequest) -> Result<Option<EntryForm>> {
    let Some(id) = request.tsa_id else {
        if request.red == RowOf::Unos {
            return Err(Error::invalid("red", "Bez izabranog formulara jedan red je pacijent."));
        }
        return Ok(None);
    };
    match EntryForm::load(db, id).await {
        Ok(form) if form.registar_id == request.registar_id => Ok(Some(form)),
        Ok(_) | Err(domain::entry::form::FormError::Missing) => Err(Error::invalid("tsaID", "Formular ne pripada izabranom registru.")),
        Err(error) => Err(error.into()),
    }
}

async fn name(db: &mut PgConnection, register: i64, form: Option<&EntryForm>) -> Result<String> {
    let naziv = sqlx::query_scalar!("select naziv from register where id = $1 and aktivan", register)
        .fetch_optional(db)
        .await?
        .ok_or_else(|| Error::invalid("registarID", rules::UNKNOWN_REGISTER))?;
    Ok(match form {
        Some(form) => format!("{naziv}, {}", form.naziv),
        None => format!("{naziv}, pacijenti registra"),
    })
}

async fn searched(db: &mut PgConnection, actor: &Actor, request: &ExportRequest) -> Result<Option<LoggedSearch>> {
    let Some(zapis) = request.pretraga else { return Ok(None) };
    match search::own(db, actor, zapis).await? {
        Some(own) if own.registar_id == request.registar_id => Ok(Some(LoggedSearch { zapis, vreme: own.vreme })),
        Some(_) => Err(Error::invalid("registarID", "Pretraga je bila u drugom registru.")),
        None => Err(Error::invalid("pretraga", search::TOO_OLD)),
    }
}

async fn unnamed(db: &mut PgConnection, request: &ExportRequest) -> sqlx::Result<UnnamedFields> {
    match (request.profil, request.tsa_id) {
        (Profile::BezIdentiteta, Some(form)) => UnnamedFields::of(db, form).await,
        _ => Ok(UnnamedFields::default()),
    }
}

fn fields(form: Option<&EntryForm>, request: &ExportRequest, unnamed: &UnnamedFields) -> Result<Option<Vec<i64>>> {
    let Some(chosen) = &request.polja else { return Ok(None) };
    let Some(form) = form else { return Ok(None) };
    if chosen.is_empty() {
        return Err(Error::invalid("polja", "Izaberite bar jedno polje."));
    }
    let by_id = form.by_id();
    for id in chosen {
        let Some(field) = by_id.get(id).filter(|field| field.holds_value()) else {
            return Err(Error::invalid("polja", "Neko od izabranih polja ne postoji na formularu. Osvežite stranicu."));
        };
        if request.profil == Profile::BezIdentiteta && field.tva_num_vrednost == ValueType::Text {
            return Err(Error::invalid("polja", format!("Polje „{}” je slobodan tekst, koji se bez identiteta ne izvozi.", field.naziv)));
        }
        if unnamed.is_left_out(*id) {
            let why = "je podatak o ličnosti ili deo datuma, koji se bez identiteta ne izvozi";
            return Err(Error::invalid("polja", format!("Polje „{}” {why}.", field.naziv)));
        }
    }
    Ok(Some(chosen.clone()))
}

fn period(request: &ExportRequest) -> Result<(Option<Date>, Option<Date>)> {
    let (from, until) = (day(request.od.as_deref(), "od", "Datum od")?, day(request.do_.as_deref(), "do", "Datum do")?);
    in_order(from, until, "do")?;
    Ok((from, until))
}

fn reason(text: &str) -> Result<String> {
    let text = text.trim();
    if REASON.contains(&text.chars().count()) {
        Ok(text.to_owned())
    } else {
        Err(Error::invalid("razlog", format!("Upišite razlog izvoza, od {} do {} znakova.", REASON.start(), REASON.end())))
    }
}
