//! A patient gets another keeper: the keeper offers, with a reason, and the other institution accepts or declines. Entries stay whose they were.

use accounts::{
    audit::{Look, look, told},
    auth::Actor,
    rights::{Allowed, Patients, Transfer},
};
use axum::{extract::State, http::StatusCode};
use domain::{db, time};
use jiff::civil::Date;
use platform::{
    constraints::UNKNOWN_CHOICE,
    error::{Error, Result},
    extract::{Json, Path},
    page::Page,
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    access::{self, PatientAccess},
    agreement::{AgreementStatus, Declining, Party, TRANSFERS, reason},
};

pub fn routes() -> Routes {
    Routes::new()
        .routes(routes!(list, offer))
        .routes(routes!(institutions))
        .routes(routes!(waiting_count))
        .routes(routes!(accept))
        .routes(routes!(decline))
        .routes(routes!(withdraw))
}

/// Most that one list has.
const MOST: i64 = 500;

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PatientTransfer {
    id: i64,
    /// Offered to the own institution; otherwise by it.
    primljen: bool,
    #[serde(rename = "pacijentID")]
    pacijent_id: i64,
    ime_prezime: String,
    datum_rodjenja: Date,
    /// The other institution.
    ustanova: String,
    radnik: String,
    razlog: String,
    vreme: String,
    status: AgreementStatus,
    odgovorio: Option<String>,
    odgovoreno: Option<String>,
    razlog_odgovora: Option<String>,
}

/// Offers to the worker's institution and by it, those that wait first.
#[utoipa::path(get, path = "/api/patient-transfers", responses((status = 200, body = Page<PatientTransfer>)))]
async fn list(State(state): State<AppState>, actor: Allowed<Transfer>) -> Result<Json<Page<PatientTransfer>>> {
    let rows = sqlx::query!(
        r#"
        select t.id, t.za_ustanovu_id = $1 as "primljen!", t.pacijent_id, p.prezime || ' ' || p.ime as "ime_prezime!", p.datum_rodjenja,
               u.naziv as ustanova, w.prezime || ' ' || w.ime as "radnik!", t.razlog, t.vreme,
               t.status as "status: AgreementStatus", o.prezime || ' ' || o.ime as odgovorio, t.odgovoreno_at, t.razlog_odgovora, count(*) over () as "total!"
          from patient_transfer t join patient p on p.id = t.pacijent_id
          join institution u on u.id = case when t.za_ustanovu_id = $1 then t.ustanova_id else t.za_ustanovu_id end
          join worker w on w.id = t.radnik_id left join worker o on o.id = t.odgovorio_id
         where t.za_ustanovu_id = $1 or t.ustanova_id = $1
         order by t.status = 'ceka' desc, t.vreme desc, t.id desc
         limit $2
        "#,
        actor.ustanova_id,
        MOST
    )
    .fetch_all(&state.db)
    .await?;
    let shown: Vec<i64> = rows.iter().map(|row| row.pacijent_id).collect();
    let polja = vec![told("Rezultata", shown.len())];
    let seen = Look { klasa: "patient", akcija: "pregled spiska premeštanja", polja, pacijenti: &shown, ..Look::default() };
    look(&state.db, &actor, &seen).await?;
    let total = rows.first().map_or(0, |row| row.total);
    let data = rows.into_iter().map(|row| PatientTransfer {
        id: row.id,
        primljen: row.primljen,
        pacijent_id: row.pacijent_id,
        ime_prezime: row.ime_prezime,
        datum_rodjenja: row.datum_rodjenja.to_jiff(),
        ustanova: row.ustanova,
        radnik: row.radnik,
        razlog: row.razlog,
        vreme: time::server_text(row.vreme.to_jiff()),
        status: row.status,
        odgovorio: row.odgovorio,
        odgovoreno: row.odgovoreno_at.map(|at| time::server_text(at.to_jiff())),
        razlog_odgovora: row.razlog_odgovora,
    });
    Ok(Json(Page::of(data.collect(), total)))
}

#[derive(Serialize, ToSchema)]
struct NextKeeper {
    id: i64,
    naziv: String,
}

/// Institutions to which a patient may be offered: all but the own.
#[utoipa::path(get, path = "/api/patient-transfers/institutions", responses((status = 200, body = Page<NextKeeper>)))]
async fn institutions(State(state): State<AppState>, actor: Allowed<Transfer>) -> Result<Json<Page<NextKeeper>>> {
    let rows = sqlx::query_as!(
        NextKeeper,
        "select id, naziv from institution where aktivan and id is distinct from $1 order by naziv, id",
        actor.ustanova_id
    );
    Ok(Json(Page::all(rows.fetch_all(&state.db).await?)))
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct WaitingAgreements {
    /// Merges that were proposed to the own institution.
    spajanja: i64,
    /// Patients who were offered to it.
    premestanja: i64,
}

/// How much waits for an answer of the worker's institution.
#[utoipa::path(get, path = "/api/patient-transfers/waiting", responses((status = 200, body = WaitingAgreements)))]
async fn waiting_count(State(state): State<AppState>, actor: Actor) -> Result<Json<WaitingAgreements>> {
    let counted = sqlx::query_as!(
        WaitingAgreements,
        r#"select (select count(*) from patient_merge_proposal q where q.za_ustanovu_id = $1 and q.status = 'ceka') as "spajanja!",
                  (select count(*) from patient_transfer t where t.za_ustanovu_id = $1 and t.status = 'ceka') as "premestanja!""#,
        actor.ustanova_id
    );
    Ok(Json(counted.fetch_one(&state.db).await?))
}

#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
struct TransferOffer {
    #[serde(rename = "pacijentID")]
    pacijent_id: i64,
    /// To whom.
    #[serde(rename = "ustanovaID")]
    ustanova_id: i64,
    /// Why, at least ten characters: the other institution reads it.
    razlog: String,
}

#[derive(Serialize, ToSchema)]
struct OfferedTransfer {
    id: i64,
}

/// Offers a patient of the own institution to another one.
#[utoipa::path(post, path = "/api/patient-transfers", request_body = TransferOffer, responses((status = 200, body = OfferedTransfer)))]
async fn offer(State(state): State<AppState>, actor: Allowed<Transfer>, Json(body): Json<TransferOffer>) -> Result<Json<OfferedTransfer>> {
    access::require(&actor, Patients::Izmena)?;
    let own = actor.ustanova()?;
    let why = reason(&body.razlog)?;
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    PatientAccess::to(&mut tx, &actor, body.pacijent_id).await?.require_change()?;
    let keeper = sqlx::query_scalar!("select ustanova_id from patient where id = $1 and aktivan for update", body.pacijent_id);
    if keeper.fetch_optional(&mut *tx).await?.ok_or(Error::NotFound)? != own {
        return Err(Error::refused("Pacijenta vodi druga ustanova. Samo ona može da ga ponudi."));
    }
    let other = sqlx::query_scalar!("select id from institution where id = $1 and aktivan and id <> $2", body.ustanova_id, own);
    let other = other.fetch_optional(&mut *tx).await?.ok_or_else(|| Error::invalid("ustanovaID", UNKNOWN_CHOICE))?;
    let id = sqlx::query_scalar!(
        "insert into patient_transfer (pacijent_id, ustanova_id, za_ustanovu_id, razlog) values ($1, $2, $3, $4) on conflict do nothing returning id",
        body.pacijent_id,
        own,
        other,
        why
    );
    let id = id.fetch_optional(&mut *tx).await?.ok_or_else(|| Error::conflict("Ovaj pacijent je već ponuđen i čeka se odgovor."))?;
    tx.commit().await?;
    Ok(Json(OfferedTransfer { id }))
}

/// The other institution becomes the keeper.
#[utoipa::path(post, path = "/api/patient-transfers/{id}/accept", params(("id" = i64, Path)), responses((status = 204)))]
async fn accept(State(state): State<AppState>, actor: Allowed<Transfer>, Path(id): Path<i64>) -> Result<StatusCode> {
    access::require(&actor, Patients::Izmena)?;
    let own = actor.ustanova()?;
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    TRANSFERS.lock_waiting(&mut tx, &actor, id, Party::Asked).await?;
    let offer = sqlx::query!("select pacijent_id, ustanova_id from patient_transfer where id = $1", id).fetch_one(&mut *tx).await?;
    // Before the keeper changes: plans follow the keeper, and ask who took the patient over.
    TRANSFERS.answer(&mut tx, &actor, id, AgreementStatus::Prihvacen, None).await?;
    let changed = sqlx::query!(
        "update patient set ustanova_id = $2 where id = $1 and ustanova_id = $3 and aktivan and anonimizovan_at is null",
        offer.pacijent_id,
        own,
        offer.ustanova_id
    );
    if changed.execute(&mut *tx).await?.rows_affected() == 0 {
        return Err(Error::conflict("Pacijent je u međuvremenu obrisan, anonimizovan ili ga vodi druga ustanova. Odbijte ponudu."));
    }
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The other institution does not become the keeper, and says why.
#[utoipa::path(post, path = "/api/patient-transfers/{id}/decline", params(("id" = i64, Path)), request_body = Declining,
    responses((status = 204)))]
async fn decline(
    State(state): State<AppState>,
    actor: Allowed<Transfer>,
    Path(id): Path<i64>,
    Json(body): Json<Declining>,
) -> Result<StatusCode> {
    TRANSFERS.decline(&state, &actor, id, &body).await
}

/// The keeper takes the offer back.
#[utoipa::path(post, path = "/api/patient-transfers/{id}/withdraw", params(("id" = i64, Path)), responses((status = 204)))]
async fn withdraw(State(state): State<AppState>, actor: Allowed<Transfer>, Path(id): Path<i64>) -> Result<StatusCode> {
    TRANSFERS.withdraw(&state, &actor, id).await
}
