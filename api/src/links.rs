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
    crud::{self, Resource, Write},
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
use sqlx::PgConnection;
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

async fn handle<C: Change>(State(state): State<AppState>, actor: Allowed<Write<C::Of>>, Json(change): Json<C>) -> Result<StatusCode> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    change.done(&mut tx, &actor).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// A body by its fields in JSON, what it links, and what is done.
macro_rules! change {
    ($body:ident { $($name:tt $field:ident: $type:ty),+ } of $of:ty, |$link:ident, $tx:ident, $actor:pat_param| $done:expr) => {
        #[derive(Deserialize, ToSchema)]
        struct $body {
            $(#[serde(rename = $name)] $field: $type),+
        }

        impl Change for $body {
            type Of = $of;

            async fn done(self, $tx: &mut PgConnection, $actor: &Actor) -> Result<()> {
                let $link = self;
                $done
            }
        }
    };
}

/// Makes a link, which may be a dangerous change where it is new.
macro_rules! make {
    ($tx:ident, $table:tt, $of:tt = $one:expr, $what:tt = $other:expr $(, $actor:ident watched by $watch:path)?) => {{
        let sql =
            sqlx::query!("insert into " + $table + " (" + $of + ", " + $what + ") values ($1, $2) on conflict do nothing", $one, $other);
        match sql.execute(&mut *$tx).await?.rows_affected() {
            $(1.. => $watch($tx, $actor, $one, $other).await,)?
            _ => Ok(()),
        }
    }};
}

macro_rules! take {
    ($tx:expr, $table:tt, $of:tt = $one:expr, $what:tt = $others:expr) => {{
        let sql = sqlx::query!("delete from " + $table + " where " + $of + " = $1 and " + $what + " = any($2)", $one, &$others);
        sql.execute($tx).await?;
        Ok::<(), Error>(())
    }};
}

change!(RoleRight { "uloga" uloga: i64, "aplikativnoPravo" pravo: i64 } of Role, |link, tx, actor| {
    ceiling::over_right(&mut *tx, actor, link.pravo).await?;
    ceiling::over_changed_role(&mut *tx, actor, link.uloga).await?;
    make!(tx, "role_right", "uloga_id" = link.uloga, "aplikativno_pravo_id" = link.pravo, actor watched by confirming::right_given)
});

change!(RoleRights { "ulogaID" uloga: i64, "aplikativnaPravaID" prava: Vec<i64> } of Role, |links, tx, actor| {
    ceiling::over_changed_role(&mut *tx, actor, links.uloga).await?;
    let before = ceiling::givable(&mut *tx).await?;
    take!(&mut *tx, "role_right", "uloga_id" = links.uloga, "aplikativno_pravo_id" = links.prava)?;
    refuse_loss(tx, actor, &before).await
});

change!(WorkerRole { "radnik" radnik: i64, "uloga" uloga: i64 } of Worker, |link, tx, actor| {
    reach::require_worker(&mut *tx, actor, link.radnik).await?;
    ceiling::over_role(&mut *tx, actor, link.uloga).await?;
    make!(tx, "worker_role", "radnik_id" = link.radnik, "uloga_id" = link.uloga, actor watched by confirming::role_given)
});

change!(WorkerRoles { "radnikID" radnik: i64, "ulogeID" uloge: Vec<i64> } of Worker, |links, tx, actor| {
    ceiling::over_worker(&mut *tx, actor, links.radnik).await?;
    let before = ceiling::givable(&mut *tx).await?;
    take!(&mut *tx, "worker_role", "radnik_id" = links.radnik, "uloga_id" = links.uloge)?;
    refuse_loss(tx, actor, &before).await
});

change!(WorkerInstitution { "radnik" radnik: i64, "ustanova" ustanova: i64 } of Worker, |link, tx, actor| {
    ceiling::over_worker(&mut *tx, actor, link.radnik).await?;
    reach::require_institution(&mut *tx, actor, "ustanova", link.ustanova).await?;
    make!(tx, "worker_institution", "radnik_id" = link.radnik, "ustanova_id" = link.ustanova, actor watched by confirming::access_given)
});

change!(WorkerInstitutions { "radnikID" radnik: i64, "ustanoveID" ustanove: Vec<i64> } of Worker, |links, tx, actor| {
    ceiling::over_worker(&mut *tx, actor, links.radnik).await?;
    let primary = sqlx::query_scalar!("select ustanova_id from worker where id = $1 for update", links.radnik);
    let primary = primary.fetch_optional(&mut *tx).await?.ok_or(Error::NotFound)?;
    if primary.is_some_and(|primary| links.ustanove.contains(&primary)) {
        return Err(Error::conflict("Radnik radi u ovoj ustanovi. Prvo mu promenite ustanovu."));
    }
    for institution in &links.ustanove {
        reach::require_institution(&mut *tx, actor, "ustanoveID", *institution).await?;
    }
    take!(&mut *tx, "worker_institution", "radnik_id" = links.radnik, "ustanova_id" = links.ustanove)?;
    end_left_behind(tx, actor.radnik_id, links.radnik).await
});

change!(ReportFormatLink { "izvestaj" izvestaj: i64, "format" format: i64 } of Report, |link, tx, _| {
    make!(tx, "report_format_link", "izvestaj_id" = link.izvestaj, "format_id" = link.format)
});

change!(ReportFormatLinks { "statistickiIzvestajID" izvestaj: i64, "formatiID" formati: Vec<i64> } of Report, |links, tx, _| {
    take!(tx, "report_format_link", "izvestaj_id" = links.izvestaj, "format_id" = links.formati)
});

/// After rights were taken away.
async fn refuse_loss(tx: &mut PgConnection, actor: &Actor, before: &Rights) -> Result<()> {
    ceiling::refuse_own_loss(&mut *tx, actor).await?;
    ceiling::refuse_last_loss(tx, before).await
}
