//! What a worker begins the day with: counts of visits, the own drafts, schedules of reports that failed, likely pairs. Each count opens its list.

use accounts::{
    audit::{Look, look, told},
    auth::Actor,
};
use axum::extract::State;
use domain::{access::knows_patient, time};
use jiff::civil::Date;
use platform::{
    error::Result,
    extract::Json,
    routes::{Routes, routes},
    state::AppState,
};
use serde::Serialize;
use sqlx::PgConnection;
use utoipa::ToSchema;

use super::lists::{COUNTED, VisitList, count};
use crate::patients::pairs;

pub fn routes() -> Routes {
    Routes::new().routes(routes!(my_day))
}

/// Drafts that are listed.
const MOST_DRAFTS: i64 = 30;

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct MyDay {
    dan: Date,
    /// Of patients whose doctor the worker is.
    moje: VisitCounts,
    /// Of the institution.
    ustanove: VisitCounts,
    /// Newest first.
    nacrti: Vec<DraftOfDay>,
    /// Own schedules that are paused after failures, or whose last run failed within a week.
    neuspela_zakazivanja: i64,
    /// Pairs of patients who are likely one person, as *Spajanje pacijenata* lists them; none for those who merge nobody.
    verovatni_parovi: i64,
}

/// Up to 1000; more are told as 1001.
#[derive(Default, Serialize, ToSchema)]
struct VisitCounts {
    danas: i64,
    otvorene: i64,
    kasni: i64,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct DraftOfDay {
    /// Of the draft: the entry, or the form and the patient.
    kljuc: String,
    #[serde(rename = "pacijentID")]
    pacijent_id: i64,
    ime_prezime: String,
    izmenjeno: String,
}

#[utoipa::path(get, path = "/api/my-day", responses((status = 200, body = MyDay)))]
async fn my_day(State(state): State<AppState>, actor: Actor) -> Result<Json<MyDay>> {
    let mut db = state.db.acquire().await?;
    let dan = sqlx::query_scalar!(r#"select today() as "today!""#).fetch_one(&mut *db).await?.to_jiff();
    let nacrti = drafts(&mut db, &actor).await?;
    if !nacrti.is_empty() {
        let shown: Vec<i64> = nacrti.iter().map(|draft| draft.pacijent_id).collect();
        let polja = vec![told("Rezultata", shown.len())];
        look(&mut *db, &actor, &Look { klasa: "patient", akcija: "pregled spiska nacrta", polja, pacijenti: &shown, ..Look::default() })
            .await?;
    }
    Ok(Json(MyDay {
        dan,
        moje: counts(&mut db, &actor, Some(actor.radnik_id)).await?,
        ustanove: counts(&mut db, &actor, None).await?,
        nacrti,
        neuspela_zakazivanja: failed_schedules(&mut db, &actor).await?,
        verovatni_parovi: pairs::count(&mut db, &actor).await?,
    }))
}

async fn counts(db: &mut PgConnection, actor: &Actor, doctor: Option<i64>) -> sqlx::Result<VisitCounts> {
    let Some(institution) = actor.ustanova_id else { return Ok(VisitCounts::default()) };
    let most = i64::from(COUNTED) + 1;
    Ok(VisitCounts {
        danas: count(&mut *db, VisitList::Danas, institution, doctor, None, None).await?.min(most),
        otvorene: count(&mut *db, VisitList::Otvorene, institution, doctor, None, None).await?.min(most),
        kasni: count(db, VisitList::Kasni, institution, doctor, None, None).await?.min(most),
    })
}

/// None about a patient whom the worker does not see any more.
async fn drafts(db: &mut PgConnection, actor: &Actor) -> Result<Vec<DraftOfDay>> {
    let rows = sqlx::query!(
        r#"select d.kljuc, d.pacijent_id, p.prezime || ' ' || p.ime as "ime_prezime!", d.izmenjeno
             from entry_draft d join patient p on p.id = d.pacijent_id and p.aktivan
            where d.radnik_id = $1 order by d.izmenjeno desc, d.kljuc limit $2"#,
        actor.radnik_id,
        MOST_DRAFTS
    )
    .fetch_all(&mut *db)
    .await?;
    let mut drafts = Vec::with_capacity(rows.len());
    for row in rows {
        if knows_patient(&mut *db, actor.ustanova_id, row.pacijent_id).await? {
            let izmenjeno = time::server_text(row.izmenjeno.to_jiff());
            drafts.push(DraftOfDay { kljuc: row.kljuc, pacijent_id: row.pacijent_id, ime_prezime: row.ime_prezime, izmenjeno });
        }
    }
    Ok(drafts)
}

async fn failed_schedules(db: &mut PgConnection, actor: &Actor) -> sqlx::Result<i64> {
    sqlx::query_scalar!(
        r#"select count(*) as "n!" from report_schedule s
            where s.radnik_id = $1 and s.aktivan
              and (s.razlog_pauze is not null
                   or exists (select from (select r.status, r.created_at from report_run r where r.zakazivanje_id = s.id and r.deleted_at is null
                                            order by r.created_at desc limit 1) l
                               where l.status in ('failed', 'missed') and l.created_at > now() - interval '7 days'))"#,
        actor.radnik_id
    )
    .fetch_one(db)
    .await
}
