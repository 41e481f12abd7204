//! Cohorts and analyses without SQL, by whoever has the right to reports. What is chosen becomes a query and a template of an ordinary report
//! that only its owner, or her institution, is offered.

mod choice;
mod cohort;
mod cohorts;
mod compile;
mod members;
mod parts;
mod query;
mod records;
mod script;
mod searches;
mod sheet;
mod variable;

use accounts::rights::{Allowed, Reports};
use axum::extract::State;
use platform::{
    error::Result,
    extract::{Json, Path},
    routes::{Routes, routes},
    state::AppState,
};

use crate::setup::report_definition::simple::form::{self, Form, Register};

pub fn routes() -> Routes {
    Routes::new()
        .routes(routes!(registers))
        .routes(routes!(one_form))
        .merge(cohorts::routes())
        .merge(records::routes())
        .merge(script::routes())
}

#[utoipa::path(get, path = "/api/analysis-registers", tag = "analize", responses((status = 200, body = [Register])))]
async fn registers(State(state): State<AppState>, _: Allowed<Reports>) -> Result<Json<Vec<Register>>> {
    Ok(Json(form::registers(&state.db).await?))
}

#[utoipa::path(get, path = "/api/analysis-forms/{id}", tag = "analize", params(("id" = i64, Path)), responses((status = 200, body = Form)))]
async fn one_form(State(state): State<AppState>, _: Allowed<Reports>, Path(id): Path<i64>) -> Result<Json<Form>> {
    form::find(&state.db, id).await.map(Json)
}
