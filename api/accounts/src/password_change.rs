//! Changing a password: one's own with the old one, that of anyone in reach as an administrator (A §2.11, B §2.2).

use axum::{extract::State, http::StatusCode};
use domain::db;
use platform::{
    error::{Error, Result},
    extract::Json,
    http::ClientAddress,
    routes::{Routes, routes},
    state::AppState,
};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::{
    auth::{self, Actor},
    ceiling, confirming, password_rules, passwords, reach,
    rights::Right,
    throttle,
};

pub fn own_routes() -> Routes {
    Routes::new().routes(routes!(change_password))
}

#[derive(Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
struct PasswordChange {
    #[serde(rename = "radnikID")]
    radnik_id: i64,
    /// Not asked of an administrator.
    stara_lozinka: String,
    nova_lozinka: String,
    potvrda_lozinke: String,
    is_admin: bool,
}

#[utoipa::path(post, path = "/api/worker-password-change", request_body = PasswordChange, responses((status = 204)))]
async fn change_password(
    State(state): State<AppState>,
    actor: Actor,
    ClientAddress(address): ClientAddress,
    Json(change): Json<PasswordChange>,
) -> Result<StatusCode> {
    if change.is_admin {
        if actor.duty.is_some() {
            return Err(Error::Forbidden);
        }
        actor.require(Right::Workers)?;
    } else if change.radnik_id != actor.radnik_id {
        return Err(Error::Forbidden);
    }
    validate(&change)?;
    if change.is_admin {
        reach::require_worker(&mut *state.db.acquire().await?, &actor, change.radnik_id).await?;
    }
    let worker = sqlx::query!("select username, ime, prezime, password_hash from worker where id = $1 and aktivan", change.radnik_id)
        .fetch_optional(&state.db)
        .await?
        .ok_or(Error::NotFound)?;
    password_rules::require("novaLozinka", &change.nova_lozinka, &[&worker.username, &worker.ime, &worker.prezime])?;
    let attempt = match change.is_admin {
        true => None,
        // Guessing the old password is guessing the password.
        false => Some(throttle::begin(&state.db, &worker.username, address, state.clock.now()).await?),
    };
    if let Some(attempt) = &attempt
        && !passwords::verify(change.stara_lozinka, worker.password_hash).await?
    {
        attempt.failed(&mut *state.db.acquire().await?).await?;
        return Err(Error::invalid("staraLozinka", "Stara lozinka nije ispravna."));
    }

    let password_hash = passwords::hash(change.nova_lozinka).await?;
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    if let Some(attempt) = attempt {
        attempt.succeeded(&mut tx).await?;
    }
    if change.is_admin {
        ceiling::over_worker(&mut tx, &actor, change.radnik_id).await?;
        reach::require_all_of(&mut tx, &actor, change.radnik_id).await?;
        confirming::dangerous(&mut tx, &actor, "worker", change.radnik_id, "Radniku se menja lozinka.").await?;
    }
    // A password that somebody else knows is changed before anything else.
    let given = change.radnik_id != actor.radnik_id;
    sqlx::query!(
        "update worker set password_hash = $2, mora_promeniti_lozinku = $3, demo_nalog = false where id = $1",
        change.radnik_id,
        password_hash,
        given
    )
    .execute(&mut *tx)
    .await?;
    // Only the session that made the change goes on.
    auth::end_sessions(&mut tx, change.radnik_id, Some(&actor.session)).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

fn validate(change: &PasswordChange) -> Result<()> {
    if !change.is_admin && change.stara_lozinka.is_empty() {
        return Err(Error::invalid("staraLozinka", "Niste uneli staru lozinku."));
    }
    if change.nova_lozinka.trim().is_empty() {
        return Err(Error::invalid("novaLozinka", "Niste uneli novu lozinku."));
    }
    if change.potvrda_lozinke.is_empty() {
        return Err(Error::invalid("potvrdaLozinke", "Niste uneli potvrdu lozinke."));
    }
    if change.nova_lozinka != change.potvrda_lozinke {
        return Err(Error::invalid("potvrdaLozinke", "Nova lozinka i potvrda lozinke nisu iste."));
    }
    if !change.is_admin && change.nova_lozinka == change.stara_lozinka {
        return Err(Error::invalid("novaLozinka", "Nova lozinka mora biti drugačija od stare."));
    }
    Ok(())
}
