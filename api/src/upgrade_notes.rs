//! What an upgrade has changed for whom: shown to those who can see to it, until they did or put it away.

use std::collections::HashMap;

use accounts::{
    auth::Actor,
    reach,
    rights::{Allowed, Patients, Right, UpgradeNotes},
};
use axum::{extract::State, http::StatusCode};
use domain::{
    db,
    report_sql::{HOW_TO_GROUP, ReportSqlError, Scope, UNGROUPED},
    text::number_of,
};
use platform::{
    error::{Error, Result},
    extract::Json,
    page::Page,
    routes::{Routes, routes},
    state::AppState,
};
use reporting::setup::report_definition;
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use utoipa::ToSchema;

/// Of each kind; the others come up as these are seen to.
const MOST: i64 = 100;

pub fn routes() -> Routes {
    Routes::new().routes(routes!(list)).routes(routes!(dismiss))
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = UpgradeNoteKind)]
#[serde(rename_all = "lowercase")]
enum Kind {
    /// A role that opens patients, or reaches institutions, as the upgrade decided.
    Uloga,
    /// A role whose right to institutions reaches the own ones only.
    Ustanove,
    /// An account of the demo that must change its password.
    Demo,
    /// A schedule that fails, since its report names patients and its owner opens none.
    Zakazivanje,
    /// A report over all institutions that is refused, for its rows do not say whose data they hold.
    Izvestaj,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Uloga => "uloga",
            Self::Ustanove => "ustanove",
            Self::Demo => "demo",
            Self::Zakazivanje => "zakazivanje",
            Self::Izvestaj => "izvestaj",
        }
    }

    /// Who can see to it.
    fn is_for(self, actor: &Actor) -> bool {
        match self {
            Self::Uloga | Self::Ustanove => actor.prava.holds(Right::Roles),
            Self::Demo => actor.prava.holds(Right::Workers),
            Self::Izvestaj => actor.prava.holds(Right::ReportSetup),
            Self::Zakazivanje => actor.prava.holds_any(&[Right::Roles, Right::Workers, Right::ReportSetup]),
        }
    }
}

#[derive(Serialize, ToSchema)]
struct UpgradeNote {
    vrsta: Kind,
    /// Of the role, the worker, the schedule or the report.
    id: i64,
    naziv: String,
    opis: String,
}

#[utoipa::path(get, path = "/api/upgrade-notes", responses((status = 200, body = Page<UpgradeNote>)))]
async fn list(State(state): State<AppState>, actor: Allowed<UpgradeNotes>) -> Result<Json<Page<UpgradeNote>>> {
    let mut notes = Vec::new();
    if Kind::Uloga.is_for(&actor) {
        notes.extend(roles(&state).await?);
    }
    if Kind::Demo.is_for(&actor) {
        notes.extend(accounts(&state, &actor).await?);
    }
    if Kind::Zakazivanje.is_for(&actor) {
        notes.extend(schedules(&state, &actor).await?);
    }
    if Kind::Izvestaj.is_for(&actor) {
        notes.extend(reports(&state, &actor).await?);
    }
    Ok(Json(Page::all(notes)))
}

async fn roles(state: &AppState) -> Result<Vec<UpgradeNote>> {
    let found = sqlx::query!(
        r#"select n.vrsta = 'ustanove' as "institutions!", r.id, r.ime, r.pacijenti as "pacijenti: Patients", r.sve_ustanove
             from upgrade_note n join role r on r.id = n.red_id and r.aktivan and r.verzija = n.zatecena_verzija
            where n.vrsta in ('uloga', 'ustanove') and n.sklonjeno_at is null order by n.vrsta, fold(r.ime), r.id limit $1"#,
        2 * MOST
    );
    let note = |vrsta, id, naziv, opis: &str| UpgradeNote { vrsta, id, naziv, opis: opis.to_owned() };
    let told = found.fetch_all(&state.db).await?.into_iter().map(|role| {
        if role.institutions {
            return note(Kind::Ustanove, role.id, role.ime, "Menja od sada samo ustanove kojima radnik pripada.");
        }
        let opens = match role.pacijenti {
            Patients::Ne => "Ne otvara pacijente.",
            Patients::Uvid => "Otvara pacijente za čitanje.",
            Patients::Izmena => "Otvara pacijente za izmenu.",
        };
        let reaches = if role.sve_ustanove { " Administrira radnike svih ustanova." } else { "" };
        note(Kind::Uloga, role.id, role.ime, &format!("{opens}{reaches}"))
    });
    Ok(told.collect())
}

async fn accounts(state: &AppState, actor: &Actor) -> Result<Vec<UpgradeNote>> {
    let found = sqlx::query!(
        r#"select w.id, w.username as "username!" from upgrade_note n join worker w on w.id = n.red_id and w.aktivan
            where n.vrsta = 'demo' and n.sklonjeno_at is null and not w.demo_nalog and w.verzija = n.zatecena_verzija
              and w.id in (select radnik_id from workers_in_reach($1)) order by w.username"#,
        actor.radnik_id
    );
    let opis = "Lozinka je ista kao korisničko ime, pa se pri prvoj prijavi menja. Pokaznu instalaciju osvežava „api demo”.";
    let note = |id, naziv| UpgradeNote { vrsta: Kind::Demo, id, naziv, opis: opis.to_owned() };
    Ok(found.fetch_all(&state.db).await?.into_iter().map(|worker| note(worker.id, worker.username)).collect())
}

/// Whose report is refused to their owner is asked of the server, as a run would ask it: once for each report, for all of these owners
/// are told no identity.
async fn schedules(state: &AppState, actor: &Actor) -> Result<Vec<UpgradeNote>> {
    let waiting = sqlx::query!(
        r#"select s.id, s.radnik_id, s.ustanova_id, s.izvestaj_id, r.naziv, w.prezime || ' ' || w.ime as "radnik!"
             from report_schedule s join report r on r.id = s.izvestaj_id and r.aktivan and r.obim <> 'sve'
             join worker w on w.id = s.radnik_id and w.aktivan
            where s.aktivan and (s.sledece_izvrsavanje is not null or s.pauzirano_od is not null)
              and not opens_patients(w.id)
              and w.id in (select radnik_id from workers_in_reach($1))
              and not exists (select from upgrade_note n where n.vrsta = 'zakazivanje' and n.red_id = s.id and n.sklonjeno_at is not null)
            order by fold(r.naziv), fold(w.prezime), s.id limit $2"#,
        actor.radnik_id,
        MOST
    );
    let mut refused = HashMap::new();
    let mut notes = Vec::new();
    for schedule in waiting.fetch_all(&state.db).await? {
        let known = match refused.get(&schedule.izvestaj_id) {
            Some(known) => *known,
            None => {
                let scope = Scope { run: None, radnik_id: schedule.radnik_id, ustanova_id: Some(schedule.ustanova_id) };
                let refusal = report_definition::refusal(state, actor, scope, schedule.izvestaj_id).await?;
                matches!(refusal, Some(ReportSqlError::NoIdentity(_)))
            }
        };
        refused.insert(schedule.izvestaj_id, known);
        if known {
            notes.push(UpgradeNote {
                vrsta: Kind::Zakazivanje,
                id: schedule.id,
                naziv: format!("{}, {}", schedule.naziv, schedule.radnik),
                opis: "Izveštaj imenuje pacijente, a uloge radnika ih ne otvaraju, pa izrada neće uspeti. Dodelite ulogu koja otvara \
                       pacijente, ili neka ga zakaže radnik koji ih otvara."
                    .to_owned(),
            });
        }
    }
    Ok(notes)
}

/// Asked of the server as well: which report is refused depends on its query, on its scope and on the least group of today.
async fn reports(state: &AppState, actor: &Actor) -> Result<Vec<UpgradeNote>> {
    let found = sqlx::query!(
        r#"select r.id, r.naziv,
                  (select count(*) from report_schedule s
                    where s.izvestaj_id = r.id and s.aktivan and (s.sledece_izvrsavanje is not null or s.pauzirano_od is not null)) as "zakazano!"
             from report r
            where r.aktivan and r.obim = 'sve' and r.vlasnik_id is null
              and not exists (select from upgrade_note n where n.vrsta = 'izvestaj' and n.red_id = r.id and n.sklonjeno_at is not null)
            order by fold(r.naziv), r.id limit $1"#,
        MOST
    );
    let mut notes = Vec::new();
    for report in found.fetch_all(&state.db).await? {
        let scope = Scope { run: None, radnik_id: actor.radnik_id, ustanova_id: None };
        let refusal = report_definition::refusal(state, actor, scope, report.id).await?;
        if matches!(refusal, Some(ReportSqlError::Ungrouped)) {
            let planned = match report.zakazano {
                0 => String::new(),
                many => format!(
                    " Zakazan je ({}), a vlasnik to saznaje pri prvoj izradi.",
                    number_of(many, ["raspored", "rasporeda", "rasporeda"])
                ),
            };
            let opis = format!("Izveštaj {UNGROUPED} {HOW_TO_GROUP}{planned}");
            notes.push(UpgradeNote { vrsta: Kind::Izvestaj, id: report.id, naziv: report.naziv, opis });
        }
    }
    Ok(notes)
}

#[derive(Deserialize, ToSchema)]
struct UpgradeNoteKey {
    vrsta: Kind,
    id: i64,
}

/// Puts a note away, for everybody.
#[utoipa::path(post, path = "/api/upgrade-notes-dismiss", request_body = UpgradeNoteKey, responses((status = 204)))]
async fn dismiss(State(state): State<AppState>, actor: Allowed<UpgradeNotes>, Json(key): Json<UpgradeNoteKey>) -> Result<StatusCode> {
    if !key.vrsta.is_for(&actor) {
        return Err(Error::Forbidden);
    }
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    if key.vrsta == Kind::Zakazivanje {
        keep_schedule(&mut tx, &actor, key.id).await?;
    }
    if key.vrsta == Kind::Izvestaj {
        keep_report(&mut tx, key.id).await?;
    }
    let put_away = sqlx::query!(
        "update upgrade_note set sklonio_id = $3, sklonjeno_at = now() where vrsta = $1 and red_id = $2 and sklonjeno_at is null",
        key.vrsta.name(),
        key.id,
        actor.radnik_id
    );
    if put_away.execute(&mut *tx).await?.rows_affected() == 0 {
        return Err(Error::NotFound);
    }
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The row of a schedule whose owner is within reach.
async fn keep_schedule(tx: &mut PgConnection, actor: &Actor, id: i64) -> Result<()> {
    let owner = sqlx::query_scalar!("select radnik_id from report_schedule where id = $1", id).fetch_optional(&mut *tx).await?;
    reach::require_worker(&mut *tx, actor, owner.ok_or(Error::NotFound)?).await?;
    sqlx::query!("insert into upgrade_note (vrsta, red_id) values ('zakazivanje', $1) on conflict do nothing", id).execute(tx).await?;
    Ok(())
}

async fn keep_report(tx: &mut PgConnection, id: i64) -> Result<()> {
    let row =
        sqlx::query!("insert into upgrade_note (vrsta, red_id) select 'izvestaj', id from report where id = $1 on conflict do nothing", id);
    row.execute(tx).await?;
    Ok(())
}
