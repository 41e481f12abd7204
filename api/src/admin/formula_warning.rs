//! What the compiler of formulas warns of, told to whoever writes them: while they are written, and with the saved field.

use axum::extract::State;
use domain::{
    entry::form::Form,
    formula::{self, Compiled, FormulaKind, Target},
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sqlx::PgConnection;
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

use super::form_field::{FormField, Input, PRIKAZ, RACUNANJE, warnings_of_input};
use crate::{
    crud::{self, Write},
    error::Result,
    extract::Json,
    rights::Allowed,
    state::AppState,
};

/// It refuses nothing: the formula may be saved as it is.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct FormulaWarning {
    /// `formulaZaRacunanje` or `formulaZaPrikaz`
    polje: String,
    /// The character at which it was noticed, from 1.
    mesto: usize,
    poruka: String,
}

impl FormulaWarning {
    pub fn all_of(polje: &str, compiled: &Compiled) -> Vec<Self> {
        let warning = |warning: &formula::Warning| Self { polje: polje.into(), mesto: warning.position, poruka: warning.message.clone() };
        compiled.warnings.iter().map(warning).collect()
    }
}

/// Of the formulas of a saved field.
pub async fn of_saved(
    db: &mut PgConnection,
    form: i64,
    field: i64,
    racunanje: Option<&str>,
    prikaz: Option<&str>,
) -> Result<Vec<FormulaWarning>> {
    if racunanje.or(prikaz).is_none() {
        return Ok(Vec::new());
    }
    let Ok(form) = Form::load(db, form).await else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    for (polje, kind, text) in [(RACUNANJE, FormulaKind::Calculation, racunanje), (PRIKAZ, FormulaKind::Display, prikaz)] {
        let compiled = text.map(|text| formula::compile(text, Target { field, kind }, &form.formulas));
        if let Some(Ok(compiled)) = compiled {
            found.extend(FormulaWarning::all_of(polje, &compiled));
        }
    }
    Ok(found)
}

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(check))
}

#[derive(Serialize, ToSchema)]
struct Checked {
    upozorenja: Vec<FormulaWarning>,
}

/// A field as it would be saved, with its `id` unless it is new: what is warned of, or why it is refused. Nothing is saved.
#[utoipa::path(post, path = "/api/form-field-checks", request_body = Input, responses((status = 200, body = Checked)))]
async fn check(State(state): State<AppState>, _: Allowed<Write<FormField>>, Json(body): Json<Map<String, Value>>) -> Result<Json<Checked>> {
    let id = body.get("id").and_then(Value::as_i64);
    let input: Input = crud::read_fields(body)?;
    let upozorenja = warnings_of_input(&mut *state.db.acquire().await?, id, &input).await?;
    Ok(Json(Checked { upozorenja }))
}
