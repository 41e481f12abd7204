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
/// Signatures that are listed.
const MOST_SIGNATURES: i64 = 30;

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
    /// Own signatures that a recomputation has ended, of entries that nobody has signed since; newest first.
    prestali_potpisi: Vec<EndedSignature>,
    /// How many of them there are.
    prestalih_potpisa: i64,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct EndedSignature {
    #[serde(rename = "unosID")]
    unos_id: i64,
    ime_prezime: String,
    formular: String,
    datum_unosa: Date,
    /// Who ordered the recomputation, when it came to the entry, and why signatures were to end.
    radnik: String,
    vreme: String,
    razlog: String,
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
    let (prestali_potpisi, prestalih_potpisa) = ended_signatures(&mut db, &actor).await?;
    Ok(Json(MyDay {
        dan,
        moje: counts(&mut db, &actor, Some(actor.radnik_id)).await?,
        ustanove: counts(&mut db, &actor, None).await?,
        nacrti,
        neuspela_zakazivanja: failed_schedules(&mut db, &actor).await?,
        verovatni_parovi: pairs::count(&mut db, &actor).await?,
        prestali_potpisi,
        prestalih_potpisa,
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

/// In entries of the worker's institution, of patients who are there.
async fn ended_signatures(db: &mut PgConnection, actor: &Actor) -> Result<(Vec<EndedSignature>, i64)> {
    let rows = sqlx::query!(
        r#"select e.id, e.pacijent_id, p.prezime || ' ' || p.ime as "ime_prezime!", f.naziv as formular, e.datum_unosa, w.prezime || ' ' || w.ime as "radnik!",
                  k.vreme, k.razlog as "razlog!", count(*) over () as "total!"
             from entry_state k
             join entry e on e.id = k.unos_id and e.aktivan and e.ustanova_id = $2
             join patient p on p.id = e.pacijent_id and p.aktivan join form f on f.id = e.tsa_id join worker w on w.id = k.radnik_id
            where k.radnja = 'preracunavanje' and k.razlog is not null
              and k.unos_id in (select s.unos_id from entry_state s where s.radnja = 'potpis' and s.radnik_id = $1)
              -- It held until then, and the entry has none since.
              and exists (select from entry_state s where s.unos_id = k.unos_id and s.id < k.id and s.radnja = 'potpis' and s.radnik_id = $1
                             and not exists (select from entry_state m where m.unos_id = k.unos_id and m.id > s.id and m.id < k.id and m.stanje = 'uRadu'))
              and not exists (select from entry_state l where l.unos_id = k.unos_id and l.id > k.id and l.radnja = 'potpis')
            order by k.id desc limit $3"#,
        actor.radnik_id,
        actor.ustanova_id,
        MOST_SIGNATURES
    )
    .fetch_all(&mut *db)
    .await?;
    let shown: Vec<i64> = rows.iter().map(|row| row.pacijent_id).collect();
    if !shown.is_empty() {
        let polja = vec![told("Rezultata", shown.len())];
        let seen = Look { klasa: "entry", akcija: "pregled spiska unosa", polja, pacijenti: &shown, ..Look::default() };
        look(db, actor, &seen).await?;
    }
    let total = rows.first().map_or(0, |row| row.total);
    let ended = rows.into_iter().map(|row| EndedSignature {
        unos_id: row.id,
        ime_prezime: row.ime_prezime,
        formular: row.formular,
        datum_unosa: row.datum_unosa.to_jiff(),
        radnik: row.radnik,
        vreme: time::server_text(row.vreme.to_jiff()),
        razlog: row.razlog,
    });
    Ok((ended.collect(), total))
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
