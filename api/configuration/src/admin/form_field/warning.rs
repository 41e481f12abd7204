//! What the compiler of formulas warns of, told to whoever writes them: while they are written, and with the saved field.

use accounts::rights::Allowed;
use axum::extract::State;
use domain::{
    formula::{self, CompiledFormula, FormulaKind, Target},
    register::{FieldProperties, rules},
};
use platform::{
    error::{Error, Result},
    extract::Json,
    reading,
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sqlx::PgConnection;
use utoipa::ToSchema;

use super::{
    FormField, Input, fit, form_of,
    formulas::{OBAVEZAN, PRIKAZ, RACUNANJE},
    near::{self, FieldDependencies, Readers},
};
use crate::{admin::other_forms, crud::WriteAccess};

/// It refuses nothing: the formula may be saved as it is.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct FormulaWarning {
    /// `formulaZaRacunanje`, `formulaZaPrikaz` or `obavezanAko`
    polje: String,
    /// The character at which it was noticed, from 1.
    mesto: usize,
    poruka: String,
}

impl FormulaWarning {
    pub fn all_of(field: &str, compiled: &CompiledFormula) -> Vec<Self> {
        let warning = |warning: &formula::Warning| Self { polje: field.into(), mesto: warning.position, poruka: warning.message.clone() };
        compiled.warnings.iter().map(warning).collect()
    }
}

/// Of the formulas of a saved field.
pub async fn of_saved(db: &mut PgConnection, form: i64, field: i64, own: &FieldProperties) -> Result<Vec<FormulaWarning>> {
    let (racunanje, prikaz) = (own.formula_za_racunanje.as_deref(), own.formula_za_prikaz.as_deref());
    let obavezan = own.obavezan_ako.as_deref();
    if racunanje.or(prikaz).or(obavezan).is_none() {
        return Ok(Vec::new());
    }
    let Ok(form) = near::part(&mut *db, form, field, &FieldDependencies::default(), Readers::Direct).await else { return Ok(Vec::new()) };
    let texts = [racunanje, prikaz, obavezan].into_iter().flatten();
    let Ok(fields) = other_forms::all_fields(db, &form, texts).await else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    for (polje, kind, text) in [(RACUNANJE, FormulaKind::Calculation, racunanje), (PRIKAZ, FormulaKind::Display, prikaz)] {
        let compiled = text.map(|text| formula::compile(text, Target { field, kind }, &fields));
        if let Some(Ok(compiled)) = compiled {
            found.extend(FormulaWarning::all_of(polje, &compiled));
        }
    }
    let obavezan = obavezan.and_then(|text| formula::compile_conditions(&[text], &fields).pop());
    if let Some(Ok(compiled)) = obavezan {
        found.extend(FormulaWarning::all_of(OBAVEZAN, &compiled));
    }
    Ok(found)
}

pub fn routes() -> Routes {
    Routes::new().routes(routes!(check))
}

#[derive(Serialize, ToSchema)]
struct FieldCheck {
    upozorenja: Vec<FormulaWarning>,
}

/// A field as it would be saved, with its `id` unless it is new: what is warned of, or why it is refused. Nothing is saved.
#[utoipa::path(post, path = "/api/form-field-checks", request_body = Input, responses((status = 200, body = FieldCheck)))]
async fn check(
    State(state): State<AppState>,
    _: Allowed<WriteAccess<FormField>>,
    Json(body): Json<Map<String, Value>>,
) -> Result<Json<FieldCheck>> {
    let id = body.get("id").and_then(Value::as_i64);
    let input: Input = reading::fields_of_body(body)?;
    let mut db = state.db.acquire().await?;
    let form = match (id, input.tip_skupa_atributa_id) {
        (Some(id), _) => form_of(&mut db, id).await?,
        (None, Some(form)) => form,
        (None, None) => return Err(Error::invalid("tipSkupaAtributaID", rules::NO_FORM)),
    };
    let around = near::part(&mut db, form, id.unwrap_or(fit::NEW), &input.wanted(), Readers::Direct).await?;
    let upozorenja = fit::into_form(&mut db, &around, id.unwrap_or(fit::NEW), &input).await?.warnings;
    Ok(Json(FieldCheck { upozorenja }))
}
