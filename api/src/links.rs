//! Links that transfer lists make and take away at once (B §4): rights of roles, roles and institutions of workers,
//! formats of reports. Making a link that exists and removing one that does not are no errors.

use accounts::{
    auth::Actor,
    ceiling, confirming, reach,
    rights::{Allowed, Rights},
};
use axum::{extract::State, http::StatusCode, routing::post};
use configuration::{
    admin::role::Role,
    crud::{self, Resource, WriteAccess},
};
use domain::db;
use platform::{
    error::{Error, Result},
    extract::Json,
    routes::{Route, Routes},
    state::AppState,
};
use reporting::{reports::end_left_behind, setup::report::Report};
use serde::{Deserialize, de::DeserializeOwned};
use sqlx::{AssertSqlSafe, PgConnection};
use utoipa::ToSchema;

use crate::worker::Worker;

pub fn routes() -> Routes {
    Routes::new()
        .routes(route::<RoleRight>("/api/role-rights"))
        .routes(route::<RoleRights>("/api/role-rights-delete"))
        .routes(route::<WorkerRole>("/api/worker-roles"))
        .routes(route::<WorkerRoles>("/api/worker-roles-delete"))
        .routes(route::<WorkerInstitution>("/api/worker-institutions"))
        .routes(route::<WorkerInstitutions>("/api/worker-institutions-delete"))
        .routes(route::<ReportFormatLink>("/api/report-format-links"))
        .routes(route::<ReportFormatLinks>("/api/report-format-links-delete"))
}

/// What is asked for: a link to make, or links to take away.
trait Change: DeserializeOwned + ToSchema + Send + 'static {
    /// Whoever may write these may link them.
    type Of: Resource;

    fn done(self, tx: &mut PgConnection, actor: &Actor) -> impl Future<Output = Result<()>> + Send;
}

fn route<C: Change>(path: &'static str) -> Route {
    crud::document::command::<C>(path, post(handle::<C>))
}

async fn handle<C: Change>(State(state): State<AppState>, actor: Allowed<WriteAccess<C::Of>>, Json(change): Json<C>) -> Result<StatusCode> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    change.done(&mut tx, &actor).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// A table of links, each of one record to another.
struct LinkTable {
    name: &'static str,
    one: &'static str,
    other: &'static str,
}

const ROLE_RIGHTS: LinkTable = LinkTable { name: "role_right", one: "uloga_id", other: "aplikativno_pravo_id" };
const WORKER_ROLES: LinkTable = LinkTable { name: "worker_role", one: "radnik_id", other: "uloga_id" };
const WORKER_INSTITUTIONS: LinkTable = LinkTable { name: "worker_institution", one: "radnik_id", other: "ustanova_id" };
const REPORT_FORMATS: LinkTable = LinkTable { name: "report_format_link", one: "izvestaj_id", other: "format_id" };

impl LinkTable {
    /// Makes a link; gives whether it is new.
    async fn make(&self, tx: &mut PgConnection, one: i64, other: i64) -> Result<bool> {
        let Self { name, one: of, other: what } = self;
        let statement = format!("insert into {name} ({of}, {what}) values ($1, $2) on conflict do nothing");
        let made = sqlx::query(AssertSqlSafe(statement)).bind(one).bind(other).execute(tx).await?;
        Ok(made.rows_affected() > 0)
    }

    async fn take(&self, tx: &mut PgConnection, one: i64, others: &[i64]) -> Result<()> {
        let Self { name, one: of, other: what } = self;
        let statement = format!("delete from {name} where {of} = $1 and {what} = any($2)");
        sqlx::query(AssertSqlSafe(statement)).bind(one).bind(others).execute(tx).await?;
        Ok(())
    }
}

#[derive(Deserialize, ToSchema)]
struct RoleRight {
    uloga: i64,
    #[serde(rename = "aplikativnoPravo")]
    pravo: i64,
}

impl Change for RoleRight {
    type Of = Role;

    async fn done(self, tx: &mut PgConnection, actor: &Actor) -> Result<()> {
        ceiling::over_right(&mut *tx, actor, self.pravo).await?;
        ceiling::over_changed_role(&mut *tx, actor, self.uloga).await?;
        if ROLE_RIGHTS.make(&mut *tx, self.uloga, self.pravo).await? {
            confirming::right_given(tx, actor, self.uloga, self.pravo).await?;
        }
        Ok(())
    }
}

#[derive(Deserialize, ToSchema)]
struct RoleRights {
    #[serde(rename = "ulogaID")]
    uloga: i64,
    #[serde(rename = "aplikativnaPravaID")]
    prava: Vec<i64>,
}

impl Change for RoleRights {
    type Of = Role;

    async fn done(self, tx: &mut PgConnection, actor: &Actor) -> Result<()> {
        ceiling::over_changed_role(&mut *tx, actor, self.uloga).await?;
        let before = ceiling::givable(&mut *tx).await?;
        ROLE_RIGHTS.take(&mut *tx, self.uloga, &self.prava).await?;
        refuse_loss(tx, actor, &before).await
    }
}

#[derive(Deserialize, ToSchema)]
struct WorkerRole {
    radnik: i64,
    uloga: i64,
}

impl Change for WorkerRole {
    type Of = Worker;

    async fn done(self, tx: &mut PgConnection, actor: &Actor) -> Result<()> {
        reach::require_worker(&mut *tx, actor, self.radnik).await?;
        ceiling::over_role(&mut *tx, actor, self.uloga).await?;
        if WORKER_ROLES.make(&mut *tx, self.radnik, self.uloga).await? {
            confirming::role_given(tx, actor, self.radnik, self.uloga).await?;
        }
        Ok(())
    }
}

#[derive(Deserialize, ToSchema)]
struct WorkerRoles {
    #[serde(rename = "radnikID")]
    radnik: i64,
    #[serde(rename = "ulogeID")]
    uloge: Vec<i64>,
}

impl Change for WorkerRoles {
    type Of = Worker;

    async fn done(self, tx: &mut PgConnection, actor: &Actor) -> Result<()> {
        ceiling::over_worker(&mut *tx, actor, self.radnik).await?;
        let before = ceiling::givable(&mut *tx).await?;
        WORKER_ROLES.take(&mut *tx, self.radnik, &self.uloge).await?;
        refuse_loss(tx, actor, &before).await
    }
}

#[derive(Deserialize, ToSchema)]
struct WorkerInstitution {
    radnik: i64,
    ustanova: i64,
}

impl Change for WorkerInstitution {
    type Of = Worker;

    async fn done(self, tx: &mut PgConnection, actor: &Actor) -> Result<()> {
        ceiling::over_worker(&mut *tx, actor, self.radnik).await?;
        reach::require_institution(&mut *tx, actor, "ustanova", self.ustanova).await?;
        if WORKER_INSTITUTIONS.make(&mut *tx, self.radnik, self.ustanova).await? {
            confirming::access_given(tx, actor, self.radnik, self.ustanova).await?;
        }
        Ok(())
    }
}

#[derive(Deserialize, ToSchema)]
struct WorkerInstitutions {
    #[serde(rename = "radnikID")]
    radnik: i64,
    #[serde(rename = "ustanoveID")]
    ustanove: Vec<i64>,
}

impl Change for WorkerInstitutions {
    type Of = Worker;

    async fn done(self, tx: &mut PgConnection, actor: &Actor) -> Result<()> {
        ceiling::over_worker(&mut *tx, actor, self.radnik).await?;
        let primary = sqlx::query_scalar!("select ustanova_id from worker where id = $1 for update", self.radnik);
        let primary = primary.fetch_optional(&mut *tx).await?.ok_or(Error::NotFound)?;
        if primary.is_some_and(|primary| self.ustanove.contains(&primary)) {
            return Err(Error::conflict("Radnik radi u ovoj ustanovi. Prvo mu promenite ustanovu."));
        }
        for institution in &self.ustanove {
            reach::require_institution(&mut *tx, actor, "ustanoveID", *institution).await?;
        }
        WORKER_INSTITUTIONS.take(&mut *tx, self.radnik, &self.ustanove).await?;
        end_left_behind(tx, actor.radnik_id, self.radnik).await
    }
}

#[derive(Deserialize, ToSchema)]
struct ReportFormatLink {
    izvestaj: i64,
    format: i64,
}

impl Change for ReportFormatLink {
    type Of = Report;

    async fn done(self, tx: &mut PgConnection, _: &Actor) -> Result<()> {
        REPORT_FORMATS.make(tx, self.izvestaj, self.format).await?;
        Ok(())
    }
}

#[derive(Deserialize, ToSchema)]
struct ReportFormatLinks {
    #[serde(rename = "statistickiIzvestajID")]
    izvestaj: i64,
    #[serde(rename = "formatiID")]
    formati: Vec<i64>,
}

impl Change for ReportFormatLinks {
    type Of = Report;

    async fn done(self, tx: &mut PgConnection, _: &Actor) -> Result<()> {
        REPORT_FORMATS.take(tx, self.izvestaj, &self.formati).await
    }
}

/// After rights were taken away.
async fn refuse_loss(tx: &mut PgConnection, actor: &Actor, before: &Rights) -> Result<()> {
    ceiling::refuse_own_loss(&mut *tx, actor).await?;
    ceiling::refuse_last_loss(tx, before).await
}
