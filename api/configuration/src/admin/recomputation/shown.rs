//! How far recomputations of a form have come, and which entries stay as they are: numbers to who configures the form, the entries
//! themselves only to who may open the patients.

use axum::extract::State;
use domain::{entry::recompute::Reason, time::server_text};
use platform::{
    error::{Error, Result},
    extract::{Json, Path, Query},
    page::{Page, Paging},
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use sqlx::{PgConnection, types::Json as Jsonb};
use utoipa::ToSchema;

use super::{Designer, Status};

/// The newest of them that are shown.
const SHOWN: i64 = 10;

pub fn routes() -> Routes {
    Routes::new().routes(routes!(of_form)).routes(routes!(entries))
}

#[derive(Serialize, ToSchema)]
struct Recomputations {
    /// Entries with results that today's formulas give otherwise, or may.
    oznaceno: i64,
    /// Of those, entries that the newest version was told to recompute and left, and of which nothing has changed since: another
    /// recomputation would leave them again.
    ostaje: i64,
    /// Of the marked entries, those that are signed and not locked: a recomputation takes them only where it ends their signatures.
    potpisano: i64,
    /// Newest first.
    data: Vec<Recomputation>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Recomputation {
    id: i64,
    /// Number of the version by which it is done.
    verzija: i32,
    status: Status,
    radnik: String,
    vreme: String,
    zavrseno: Option<String>,
    /// Asked to stop, and not stopped yet.
    otkazuje_se: bool,
    ukupno: i64,
    pregledano: i64,
    /// Entries with another result.
    promenjeno: i64,
    /// Entries that are in the version now, with the results that they had.
    prevedeno: i64,
    /// Entries that stay as they are.
    ostavljeno: i64,
    /// Entries whose signatures have ended.
    potpisa: i64,
    /// Why they end; none: what is signed stays as it is.
    razlog_potpisa: Option<String>,
    #[schema(value_type = Vec<LeftEntries>)]
    razlozi: Jsonb<Vec<LeftEntries>>,
}

/// How many entries stay as they are for one reason.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = RecomputationLeft)]
struct LeftEntries {
    razlog: Reason,
    /// The field that it is about, as it is called today.
    polje: Option<String>,
    unosa: i64,
}

/// Entries of the form with a result that is marked.
pub async fn marked(db: &mut PgConnection, form: i64) -> sqlx::Result<i64> {
    sqlx::query_scalar!(
        r#"select count(*) as "count!" from entry e join patient p on p.id = e.pacijent_id
            where e.tsa_id = $1 and e.aktivan and p.aktivan and p.anonimizovan_at is null
              and exists (select from stale_result s where s.unos_id = e.id and s.razlog <> 'jedinica')"#,
        form
    )
    .fetch_one(db)
    .await
}

/// Of the marked entries, those that a recomputation by the newest version left, where nothing that it weighed is another since: no mark, no
/// entry of the patient in this form, not the patient. What was left as signed is taken by one that ends signatures.
pub async fn left_for_good(db: &mut PgConnection, form: i64, ends_signatures: bool) -> sqlx::Result<i64> {
    sqlx::query_scalar!(
        r#"select count(*) as "count!" from entry e join patient p on p.id = e.pacijent_id
            where e.tsa_id = $1 and e.aktivan and p.aktivan and p.anonimizovan_at is null
              and exists (select from stale_result s where s.unos_id = e.id and s.razlog <> 'jedinica')
              and exists (select from recomputation_entry l join recomputation r on r.id = l.preracunavanje_id
                           where l.unos_id = e.id and l.ishod = 'ostavljen' and (l.razlog <> 'stavka' or l.po_znacenju) and not ($2 and l.razlog = 'potpisan')
                             and r.form_version_id = (select id from form_version where form_id = $1 order by broj desc limit 1)
                             and p.vreme_poslednje_izmene <= l.vreme
                             and not exists (select from stale_result s
                                              where s.unos_id = e.id and s.razlog <> 'jedinica' and s.vreme > l.vreme)
                             and not exists (select from entry o
                                              where o.pacijent_id = p.id and o.tsa_id = $1
                                                and greatest(o.datum_kreiranja, o.datum_izmene) > l.vreme))"#,
        form,
        ends_signatures
    )
    .fetch_one(db)
    .await
}

/// Of the marked entries, those with a signature that holds and no lock over it.
async fn signed(db: &mut PgConnection, form: i64) -> sqlx::Result<i64> {
    sqlx::query_scalar!(
        r#"select count(*) as "count!" from entry e join patient p on p.id = e.pacijent_id
            where e.tsa_id = $1 and e.aktivan and p.aktivan and p.anonimizovan_at is null
              and exists (select from stale_result s where s.unos_id = e.id and s.razlog <> 'jedinica')
              and signature_of_entry(e.id) is not null
              and not exists (select from lock_over(e.id, e.registar_id, e.ustanova_id, e.datum_unosa))"#,
        form
    )
    .fetch_one(db)
    .await
}

#[utoipa::path(get, path = "/api/forms/{id}/recomputations", responses((status = 200, body = Recomputations)))]
async fn of_form(State(state): State<AppState>, _: Designer, Path(id): Path<i64>) -> Result<Json<Recomputations>> {
    let mut db = state.db.acquire().await?;
    let rows = sqlx::query!(
        r#"select r.id, v.broj, r.status as "status: Status", w.prezime || ' ' || w.ime as "radnik!", r.vreme_kreiranja, r.vreme_zavrsetka, r.cancel_requested_at,
                  r.ukupno, r.pregledano, r.promenjeno, r.prevedeno, r.ostavljeno, r.potpisa, r.razlog_potpisa,
                  coalesce((select jsonb_agg(jsonb_build_object('razlog', l.razlog, 'polje', f.naziv, 'unosa', l.unosa) order by l.unosa desc, f.naziv)
                              from (select razlog, polje_id, count(*) as unosa from recomputation_entry
                                     where preracunavanje_id = r.id and ishod = 'ostavljen' group by 1, 2) l
                              left join form_field f on f.id = l.polje_id), '[]') as "razlozi!: Jsonb<Vec<LeftEntries>>"
             from recomputation r join form_version v on v.id = r.form_version_id join worker w on w.id = r.radnik_id
            where r.form_id = $1 order by r.id desc limit $2"#,
        id,
        SHOWN
    )
    .fetch_all(&mut *db)
    .await?;
    let data = rows.into_iter().map(|row| Recomputation {
        id: row.id,
        verzija: row.broj,
        otkazuje_se: row.status == Status::Running && row.cancel_requested_at.is_some(),
        status: row.status,
        radnik: row.radnik,
        vreme: server_text(row.vreme_kreiranja.to_jiff()),
        zavrseno: row.vreme_zavrsetka.map(|at| server_text(at.to_jiff())),
        ukupno: row.ukupno,
        pregledano: row.pregledano,
        promenjeno: row.promenjeno,
        prevedeno: row.prevedeno,
        ostavljeno: row.ostavljeno,
        potpisa: row.potpisa,
        razlog_potpisa: row.razlog_potpisa,
        razlozi: row.razlozi,
    });
    let data = data.collect();
    Ok(Json(Recomputations {
        oznaceno: marked(&mut db, id).await?,
        ostaje: left_for_good(&mut db, id, false).await?,
        potpisano: signed(&mut db, id).await?,
        data,
    }))
}

/// An entry that stays as it is.
#[derive(Serialize, ToSchema)]
#[schema(as = RecomputationLeftEntry)]
#[serde(rename_all = "camelCase")]
struct LeftEntry {
    #[serde(rename = "unosID")]
    unos_id: i64,
    razlog: Reason,
    polje: Option<String>,
}

/// Of patients whom the worker's institution does not know there are none; whoever opens no patients is told the number alone.
#[utoipa::path(get, path = "/api/recomputations/{id}/entries", params(Paging), responses((status = 200, body = Page<LeftEntry>)))]
async fn entries(
    State(state): State<AppState>,
    actor: Designer,
    Path(id): Path<i64>,
    Query(paging): Query<Paging>,
) -> Result<Json<Page<LeftEntry>>> {
    let mut db = state.db.acquire().await?;
    let total = sqlx::query_scalar!("select ostavljeno from recomputation where id = $1", id).fetch_optional(&mut *db).await?;
    let total = total.ok_or(Error::NotFound)?;
    if !actor.prava.open_patients() {
        return Ok(Json(Page::of(Vec::new(), total)));
    }
    let data = sqlx::query_as!(
        LeftEntry,
        r#"select l.unos_id, l.razlog as "razlog!: Reason", f.naziv as "polje?"
             from recomputation_entry l join entry e on e.id = l.unos_id join patient p on p.id = e.pacijent_id
             left join form_field f on f.id = l.polje_id
            where l.preracunavanje_id = $1 and l.ishod = 'ostavljen' and e.aktivan and p.aktivan and knows_patient($2, p.id)
              and (e.ustanova_id = $2 or not reads_own_entries_only($2, p.id))
            order by l.unos_id limit $3 offset $4"#,
        id,
        actor.ustanova_id,
        paging.limit(),
        paging.offset()
    )
    .fetch_all(&mut *db)
    .await?;
    Ok(Json(Page::of(data, total)))
}
