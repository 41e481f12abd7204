//! A worker's own list: who is here today, whose doctor the worker is, what was typed and not saved, and who was opened lately. Each is a
//! count with the first of its patients, all of them known to the worker's institution.

use accounts::{
    audit::{Look, look, told},
    auth::Actor,
};
use axum::extract::State;
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

/// So many patients of a list are named.
const MOST: i64 = 50;
/// Of whom a worker opened lately, no more than so many are told.
const MOST_RECENT: i64 = 12;
/// So many rows of the log are read for them.
const MOST_OPENINGS: i64 = 500;

pub fn routes() -> Routes {
    Routes::new().routes(routes!(worklist))
}

#[derive(Serialize, ToSchema)]
struct Worklist {
    /// Whose visit at the worker's institution is of today.
    danas: PatientGroup,
    /// Whose visits of the last year name the worker as their doctor.
    moji: PatientGroup,
    /// Of whom the worker has drafts.
    nesnimljeno: PatientGroup,
    /// Whom the worker opened in the last thirty days, the newest first.
    nedavni: PatientGroup,
}

#[derive(Serialize, ToSchema)]
struct PatientGroup {
    broj: i64,
    /// The first of them.
    pacijenti: Vec<ListedPatient>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ListedPatient {
    #[serde(rename = "pacijentID")]
    pacijent_id: i64,
    ime_prezime: String,
    datum_rodjenja: Date,
    /// Of the visit, the draft or the opening.
    dan: Date,
}

struct Row {
    id: i64,
    ime_prezime: String,
    datum_rodjenja: jiff_sqlx::Date,
    dan: jiff_sqlx::Date,
    svih: i64,
}

impl PatientGroup {
    fn of(rows: Vec<Row>) -> Self {
        let broj = rows.first().map_or(0, |row| row.svih);
        let pacijenti = rows.into_iter().map(|row| ListedPatient {
            pacijent_id: row.id,
            ime_prezime: row.ime_prezime,
            datum_rodjenja: row.datum_rodjenja.to_jiff(),
            dan: row.dan.to_jiff(),
        });
        Self { broj, pacijenti: pacijenti.collect() }
    }
}

#[utoipa::path(get, path = "/api/worklist", responses((status = 200, body = Worklist)))]
async fn worklist(State(state): State<AppState>, actor: Actor) -> Result<Json<Worklist>> {
    let mut db = state.db.acquire().await?;
    let (worker, institution) = (actor.radnik_id, actor.ustanova()?);
    let list = Worklist {
        danas: PatientGroup::of(here_today(&mut db, institution).await?),
        moji: PatientGroup::of(own(&mut db, worker, institution).await?),
        nesnimljeno: PatientGroup::of(unsaved(&mut db, worker, institution).await?),
        nedavni: PatientGroup::of(recent(&mut db, worker, institution).await?),
    };
    let groups = [&list.danas, &list.moji, &list.nesnimljeno, &list.nedavni];
    let shown: Vec<i64> = groups.iter().flat_map(|group| &group.pacijenti).map(|patient| patient.pacijent_id).collect();
    if !shown.is_empty() {
        let polja = vec![told("Rezultata", shown.len())];
        let listed = Look { klasa: "patient", akcija: "pregled spiska moje liste", polja, pacijenti: &shown, ..Look::default() };
        look(&mut *db, &actor, &listed).await?;
    }
    Ok(Json(list))
}

async fn here_today(db: &mut PgConnection, institution: i64) -> sqlx::Result<Vec<Row>> {
    sqlx::query_as!(
        Row,
        r#"select p.id, p.prezime || ' ' || p.ime as "ime_prezime!", p.datum_rodjenja as "datum_rodjenja: _", today() as "dan!: jiff_sqlx::Date",
                  count(*) over () as "svih!"
             from patient p
            where p.aktivan and p.id in (select v.pacijent_id from visit v
                    where v.ustanova_id = $1 and v.datum = today() and exists (select from entry e where e.poseta_id = v.id and e.aktivan))
            order by p.prezime_f, p.ime_f, p.id limit $2"#,
        institution,
        MOST
    )
    .fetch_all(db)
    .await
}

async fn own(db: &mut PgConnection, worker: i64, institution: i64) -> sqlx::Result<Vec<Row>> {
    sqlx::query_as!(
        Row,
        r#"select p.id, p.prezime || ' ' || p.ime as "ime_prezime!", p.datum_rodjenja as "datum_rodjenja: _", v.dan as "dan!: jiff_sqlx::Date",
                  count(*) over () as "svih!"
             from (select v.pacijent_id, max(v.datum) as dan from visit v
                    where v.radnik_odgovoran_id = $1 and v.ustanova_id = $2 and v.datum between today() - 365 and today()
                      and exists (select from entry e where e.poseta_id = v.id and e.aktivan)
                    group by v.pacijent_id) v
             join patient p on p.id = v.pacijent_id and p.aktivan
            order by v.dan desc, p.id limit $3"#,
        worker,
        institution,
        MOST
    )
    .fetch_all(db)
    .await
}

async fn unsaved(db: &mut PgConnection, worker: i64, institution: i64) -> sqlx::Result<Vec<Row>> {
    sqlx::query_as!(
        Row,
        r#"select p.id, p.prezime || ' ' || p.ime as "ime_prezime!", p.datum_rodjenja as "datum_rodjenja: _",
                  (d.dan at time zone 'Europe/Belgrade')::date as "dan!: jiff_sqlx::Date", count(*) over () as "svih!"
             from (select pacijent_id, max(izmenjeno) as dan from entry_draft where radnik_id = $1 group by pacijent_id) d
             join patient p on p.id = d.pacijent_id and p.aktivan
            where knows_patient($2, p.id)
            order by d.dan desc, p.id limit $3"#,
        worker,
        institution,
        MOST
    )
    .fetch_all(db)
    .await
}

async fn recent(db: &mut PgConnection, worker: i64, institution: i64) -> sqlx::Result<Vec<Row>> {
    sqlx::query_as!(
        Row,
        r#"select p.id, p.prezime || ' ' || p.ime as "ime_prezime!", p.datum_rodjenja as "datum_rodjenja: _",
                  (l.dan at time zone 'Europe/Belgrade')::date as "dan!: jiff_sqlx::Date", count(*) over () as "svih!"
             from (select pacijent_id, max(vreme_pristupa) as dan
                     from (select pacijent_id, vreme_pristupa from audit_log
                            where radnik_id = $1 and ustanova_id = $2 and pacijent_id is not null and akcija = 'pregled'
                              and vreme_pristupa > now() - interval '30 days'
                            order by vreme_pristupa desc limit $3) opened
                    group by pacijent_id) l
             join patient p on p.id = l.pacijent_id and p.aktivan
            where knows_patient($2, p.id)
            order by l.dan desc, p.id limit $4"#,
        worker,
        institution,
        MOST_OPENINGS,
        MOST_RECENT
    )
    .fetch_all(db)
    .await
}
