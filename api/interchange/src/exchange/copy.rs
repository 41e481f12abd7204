//! Copies of registers and of forms: what a file of them would bring in under another name and code, with types of their own.

use accounts::rights::{Allowed, Right};
use axum::{extract::State, http::StatusCode};
use configuration::{
    admin::{form::Form, register::Register},
    crud::WriteAccess,
};
use domain::{db, register::rules, text};
use platform::{
    error::{Error, Result},
    extract::{Json, Path},
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    export::{self, Part},
    import::{self, StoredRegister},
    own_types,
};
use crate::import::definition::{Definition, code};

pub fn routes() -> Routes {
    Routes::new().routes(routes!(copy_register)).routes(routes!(copy_form))
}

/// What the copy is called.
#[derive(Deserialize, ToSchema)]
#[schema(as = CopyNames)]
#[serde(default)]
#[derive(Default)]
struct Names {
    #[serde(deserialize_with = "text::required")]
    naziv: String,
    #[serde(deserialize_with = "text::required")]
    sifra: String,
}

#[derive(Serialize, ToSchema)]
struct RegisterCopy {
    id: i64,
}

/// Rules of quality go along where the worker may make them.
#[utoipa::path(post, path = "/api/registers/{id}/copies", request_body = Names,
    responses((status = 201, body = RegisterCopy), (status = 409, description = "Naziv ili šifra već postoji")))]
async fn copy_register(
    State(state): State<AppState>,
    actor: Allowed<WriteAccess<Register>>,
    Path(id): Path<i64>,
    Json(names): Json<Names>,
) -> Result<(StatusCode, Json<RegisterCopy>)> {
    let names = filled(names)?;
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let mut definition = export::load(&mut tx, Part::Whole(id)).await?;
    let taken = sqlx::query_scalar!(r#"select exists (select from register where sifra = $1 and aktivan) as "taken!""#, names.sifra);
    refuse_taken(taken.fetch_one(&mut *tx).await?, "Registar sa tom šifrom već postoji.")?;
    let own = definition.register.as_mut().ok_or(Error::NotFound)?;
    let was = std::mem::replace(&mut own.sifra, names.sifra.clone());
    own.naziv = names.naziv;
    if !actor.prava.holds(Right::QualityRules) {
        definition.pravila_kvaliteta.clear();
    }
    own_types::rename(&mut tx, &mut definition, code(&was).unwrap_or_default(), &names.sifra).await?;
    let StoredRegister { register, .. } = import::store_copy(&mut tx, &definition, None).await?;
    tx.commit().await?;
    Ok((StatusCode::CREATED, Json(RegisterCopy { id: register })))
}

/// In the same register.
#[utoipa::path(post, path = "/api/forms/{id}/copies", request_body = Names,
    responses((status = 201, body = RegisterCopy), (status = 409, description = "Šifra već postoji")))]
async fn copy_form(
    State(state): State<AppState>,
    actor: Allowed<WriteAccess<Form>>,
    Path(id): Path<i64>,
    Json(names): Json<Names>,
) -> Result<(StatusCode, Json<RegisterCopy>)> {
    let names = filled(names)?;
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let register = sqlx::query_scalar!("select registar_id from form where id = $1 and aktivan for no key update", id);
    let register = register.fetch_optional(&mut *tx).await?.ok_or(Error::NotFound)?;
    let taken = sqlx::query_scalar!(
        r#"select exists (select from form where registar_id = $1 and sifra_veza = $2 and aktivan) as "taken!""#,
        register,
        names.sifra
    );
    refuse_taken(taken.fetch_one(&mut *tx).await?, "Formular sa tom šifrom već postoji u registru.")?;
    let mut definition: Definition = export::load(&mut tx, Part::Form(id)).await?;
    let form = definition.forms.first_mut().ok_or(Error::NotFound)?;
    let was = std::mem::replace(&mut form.sifra_veza, names.sifra.clone());
    form.naziv = names.naziv;
    own_types::rename(&mut tx, &mut definition, code(&was).unwrap_or_default(), &names.sifra).await?;
    let stored = import::store_copy(&mut tx, &definition, Some(register)).await?;
    tx.commit().await?;
    let id = stored.forms.first().copied().ok_or(Error::NotFound)?;
    Ok((StatusCode::CREATED, Json(RegisterCopy { id })))
}

fn filled(names: Names) -> Result<Names> {
    if names.naziv.is_empty() {
        return Err(Error::invalid("naziv", rules::NO_NAME));
    }
    if names.sifra.is_empty() || code(&names.sifra).is_none() {
        return Err(Error::invalid("sifra", rules::NO_CODE));
    }
    Ok(names)
}

fn refuse_taken(taken: bool, message: &'static str) -> Result<()> {
    if taken { Err(Error::Conflict { field: Some("sifra".into()), message: message.into() }) } else { Ok(()) }
}
