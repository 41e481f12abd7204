//! Forms and fields of a register that rules may be about, for whoever makes rules and configures no forms.

use accounts::rights::{Allowed, QualitySetup};
use axum::extract::State;
use domain::register::ValueType;
use platform::{
    error::Result,
    extract::{Json, Path},
    page::Page,
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use sqlx::types::Json as JsonColumn;
use utoipa::ToSchema;

pub fn routes() -> Routes {
    Routes::new().routes(routes!(of_register))
}

#[derive(Serialize, ToSchema)]
struct RuledForm {
    id: i64,
    naziv: String,
    #[schema(value_type = Vec<RuledField>)]
    polja: JsonColumn<Vec<RuledField>>,
}

/// A field that holds a value of the entry.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct RuledField {
    id: i64,
    naziv: String,
    sifra: Option<String>,
    tva_num_vrednost: ValueType,
}

#[utoipa::path(get, path = "/api/registers/{id}/quality-fields", responses((status = 200, body = Page<RuledForm>)))]
async fn of_register(State(state): State<AppState>, _: Allowed<QualitySetup>, Path(register): Path<i64>) -> Result<Json<Page<RuledForm>>> {
    let forms = sqlx::query_as!(
        RuledForm,
        r#"select o.id, o.naziv,
                  coalesce((select jsonb_agg(jsonb_build_object('id', f.id, 'naziv', f.naziv, 'sifra', f.sifra,
                                                                'tvaNumVrednost', t.tip_vrednosti_atributa) order by f.redosled, f.id)
                              from form_field f join attribute_type t on t.id = f.tip_atributa_id
                              left join form_field s on s.id = f.nadredjeni_atribut_u_tipu_skupa_id and s.ponavlja_se
                             where f.tip_skupa_atributa_id = o.id and f.aktivan and s.id is null and holds_value(t.tip_vrednosti_atributa)), '[]')
                      as "polja!: JsonColumn<Vec<RuledField>>"
             from form o where o.registar_id = $1 and o.aktivan order by o.prikazni_redosled, o.id"#,
        register
    );
    Ok(Json(Page::all(forms.fetch_all(&state.db).await?)))
}
