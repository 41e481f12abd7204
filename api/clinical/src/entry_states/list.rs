//! The state of an entry, what it was before, its signatures, and what the worker may do next.

use accounts::{audit::look_at_patient, auth::Actor, rights::Right};
use axum::extract::State;
use domain::{db, entry::state::EntryState, time};
use platform::{
    error::Result,
    extract::{Json, Path},
    routes::{Routes, routes},
    state::AppState,
};
use serde::Serialize;
use utoipa::ToSchema;

use super::{LockKind, SignatureMeaning, StateDeed};
use crate::patients::PatientAccess;

pub fn routes() -> Routes {
    Routes::new().routes(routes!(states))
}

/// A row of the history.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct EntryStateRecord {
    id: i64,
    stanje: EntryState,
    radnja: StateDeed,
    razlog: Option<String>,
    radnik: String,
    vreme: String,
    /// Of a signature.
    znacenje: Option<SignatureMeaning>,
    /// The number of the version of the form that was signed.
    verzija_obrasca: Option<i32>,
    /// SHA-256 over the values, in hexadecimal.
    otisak: Option<String>,
    /// Whether the signature holds: nothing has ended it.
    vazi: bool,
    /// Whether the entry as it stands has the fingerprint that was signed.
    otisak_odgovara: bool,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct LockOver {
    vrsta: LockKind,
    radnik: String,
    vreme: String,
    razlog: String,
    do_dana: Option<String>,
}

/// What may be done with the entry by this worker now.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct StateDeeds {
    zavrsi: bool,
    potpisi: bool,
    zakljucaj: bool,
    vrati: bool,
    otkljucaj: bool,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct EntryStates {
    /// Locked where a period over it is.
    stanje: EntryState,
    verzija: i32,
    zakljucano: Option<LockOver>,
    /// The newest first.
    istorija: Vec<EntryStateRecord>,
    moze: StateDeeds,
}

#[utoipa::path(get, path = "/api/entries/{id}/states", params(("id" = i64, Path)), responses((status = 200, body = EntryStates)))]
async fn states(State(state): State<AppState>, actor: Actor, Path(id): Path<i64>) -> Result<Json<EntryStates>> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let entry = sqlx::query!(
        r#"select pacijent_id, ustanova_id, registar_id, datum_unosa, verzija, aktivan, state_of_entry(id) as "stanje!: EntryState" from entry where id = $1"#,
        id
    )
    .fetch_optional(&mut *tx)
    .await?;
    let (entry, access) = PatientAccess::to_entry(&mut tx, &actor, entry, |entry| (entry.pacijent_id, entry.ustanova_id)).await?;
    look_at_patient(&mut tx, &actor, entry.pacijent_id).await?;
    let rows = sqlx::query!(
        r#"select s.id, s.stanje as "stanje: EntryState", s.radnja as "radnja: StateDeed", s.razlog, w.ime || ' ' || w.prezime as "radnik!", s.vreme,
                  s.znacenje as "znacenje: SignatureMeaning", v.broj as "broj?",
                  encode(s.otisak, 'hex') as otisak, s.id in (select signatures_of_entry($1)) as "vazi!",
                  coalesce(s.otisak = entry_fingerprint(e), false) as "odgovara!"
             from entry_state s join entry e on e.id = s.unos_id join worker w on w.id = s.radnik_id
             left join form_version v on v.id = s.form_version_id
            where s.unos_id = $1 order by s.id desc"#,
        id
    )
    .fetch_all(&mut *tx)
    .await?;
    let lock = sqlx::query!(
        r#"select l.vrsta as "vrsta!: LockKind", w.ime || ' ' || w.prezime as "radnik!", l.vreme as "vreme!", l.razlog as "razlog!",
                  to_char(l.do_dana, 'DD.MM.YYYY.') as do_dana
             from lock_over($1, $2, $3, $4) l join worker w on w.id = l.radnik_id"#,
        id,
        entry.registar_id,
        entry.ustanova_id,
        entry.datum_unosa as _
    )
    .fetch_optional(&mut *tx)
    .await?;
    tx.commit().await?;
    let may = |right| access.change && entry.aktivan && actor.prava.holds(right);
    let (open, own_lock) = (lock.is_none(), lock.as_ref().is_some_and(|lock| lock.vrsta == LockKind::Unos));
    let moze = StateDeeds {
        zavrsi: may(Right::EntryFinishing) && open && entry.stanje == EntryState::URadu,
        potpisi: may(Right::EntrySigning) && open && matches!(entry.stanje, EntryState::Zavrsen | EntryState::Potpisan),
        zakljucaj: may(Right::EntryLocking) && open,
        vrati: may(Right::EntryFinishing) && open && matches!(entry.stanje, EntryState::Zavrsen | EntryState::Potpisan),
        otkljucaj: may(Right::EntryLocking) && own_lock,
    };
    let istorija = rows.into_iter().map(|row| EntryStateRecord {
        id: row.id,
        stanje: row.stanje,
        radnja: row.radnja,
        razlog: row.razlog,
        radnik: row.radnik,
        vreme: time::server_text(row.vreme.to_jiff()),
        znacenje: row.znacenje,
        verzija_obrasca: row.broj,
        otisak: row.otisak,
        vazi: row.vazi,
        otisak_odgovara: row.odgovara,
    });
    let istorija = istorija.collect();
    let zakljucano = lock.map(|lock| LockOver {
        vrsta: lock.vrsta,
        radnik: lock.radnik,
        vreme: time::server_text(lock.vreme.to_jiff()),
        razlog: lock.razlog,
        do_dana: lock.do_dana,
    });
    let stanje = if zakljucano.is_some() { EntryState::Zakljucan } else { entry.stanje };
    Ok(Json(EntryStates { stanje, verzija: entry.verzija, zakljucano, istorija, moze }))
}
