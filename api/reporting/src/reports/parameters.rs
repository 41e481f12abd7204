//! What the parameters tab of a chosen report shows.

use accounts::rights::{Allowed, Reports};
use axum::extract::State;
use platform::{
    error::Result,
    extract::{Json, Path},
    routes::{Routes, routes},
    state::AppState,
};
use serde::Serialize;
use utoipa::ToSchema;

use super::definition::{Parameter, Report};

pub fn routes() -> Routes {
    Routes::new().routes(routes!(parameters))
}

#[derive(Serialize, ToSchema)]
struct ReportToGenerate {
    izvestaj: ReportHead,
    formati: Vec<ReportFormatChoice>,
    parametri: Vec<ReportParameterField>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ReportHead {
    id: i64,
    naziv: String,
    opis: Option<String>,
    /// Whether recipients get the files themselves, and not only a link.
    prilog_u_mejlu: bool,
    /// The register that it is of; none: any.
    #[serde(rename = "registarID")]
    registar_id: Option<i64>,
    /// The worker must choose a register.
    trazi_registar: bool,
    /// It is a board, which is made as a PDF and is looked at as a board.
    tabla: bool,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ReportFormatChoice {
    naziv: String,
    naziv_kratki: String,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ReportParameterField {
    id: i64,
    naziv: String,
    request_naziv: String,
    prikazni_redosled: i32,
    opcioni: bool,
    multi_select: bool,
    tip: ReportParameterFieldType,
    /// The value offered at first; hidden parameters show none.
    podrazumevano: Option<String>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ReportParameterFieldType {
    id: i64,
    naziv: String,
    /// 1 text, 2 date, 3 hidden, 4 set, 5 number, 6 dynamic hidden.
    sql_num_vrednost: i16,
    link: Option<String>,
}

#[utoipa::path(get, path = "/api/reports/{id}/parameters", tag = "izvestaji", params(("id" = i64, Path)), responses((status = 200, body = ReportToGenerate)))]
async fn parameters(State(state): State<AppState>, actor: Allowed<Reports>, Path(id): Path<i64>) -> Result<Json<ReportToGenerate>> {
    let report = Report::open_to(&state.db, &actor, id).await?;
    let trazi_registar = report.needs_register(&state.config.template_dir).await;
    Ok(Json(ReportToGenerate {
        izvestaj: ReportHead {
            id,
            naziv: report.naziv,
            opis: report.opis,
            prilog_u_mejlu: report.prilog_u_mejlu,
            registar_id: report.registar_id,
            trazi_registar,
            tabla: report.is_board,
        },
        formati: report
            .formati
            .into_iter()
            .map(|format| ReportFormatChoice { naziv: format.naziv, naziv_kratki: format.naziv_kratki })
            .collect(),
        parametri: report.parametri.into_iter().map(field).collect(),
    }))
}

fn field(parameter: Parameter) -> ReportParameterField {
    ReportParameterField {
        id: parameter.id,
        naziv: parameter.naziv,
        request_naziv: parameter.request_naziv,
        prikazni_redosled: parameter.prikazni_redosled,
        opcioni: parameter.opcioni,
        multi_select: parameter.multi_select,
        podrazumevano: parameter.podrazumevano.filter(|_| parameter.kind.is_shown()),
        tip: ReportParameterFieldType {
            id: parameter.tip_id,
            naziv: parameter.tip_naziv,
            sql_num_vrednost: parameter.kind.number(),
            link: parameter.link,
        },
    }
}
