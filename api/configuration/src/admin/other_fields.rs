//! Fields of the register's other forms, as a formula of this form may name them: offered while one is written.

use accounts::rights::Allowed;
use axum::extract::State;
use domain::register::ValueType;
use platform::{
    error::Result,
    extract::{Json, Path},
    page::Page,
    routes::{Routes, routes},
    state::AppState,
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{admin::form::Form, crud::WriteAccess};

pub fn routes() -> Routes {
    Routes::new().routes(routes!(other_fields))
}

#[derive(Serialize, ToSchema)]
struct OtherField {
    /// The form's code, a dot and the field's.
    sifra: String,
    naziv: String,
    formular: String,
    tip: ValueType,
}

/// Those that hold a value of the entry; a form without a code that is a name is not among them.
#[utoipa::path(get, path = "/api/forms/{id}/other-fields", responses((status = 200, body = Page<OtherField>)))]
async fn other_fields(State(state): State<AppState>, _: Allowed<WriteAccess<Form>>, Path(id): Path<i64>) -> Result<Json<Page<OtherField>>> {
    let fields = sqlx::query_as!(
        OtherField,
        r#"
        select o.sifra_veza || '.' || f.sifra as "sifra!", f.naziv, o.naziv as formular, t.tip_vrednosti_atributa as "tip: ValueType"
          from form own join form o on o.registar_id = own.registar_id and o.id <> own.id and o.aktivan
          join form_field f on f.tip_skupa_atributa_id = o.id and f.aktivan and f.sifra is not null
          join attribute_type t on t.id = f.tip_atributa_id join form_field_place m on m.polje_id = f.id
         where own.id = $1 and o.sifra_veza ~ '^[A-Za-z_][A-Za-z0-9_]*$' and holds_value(t.tip_vrednosti_atributa)
           and t.tip_vrednosti_atributa <> type_number('fajl')
           and not exists (select from form_field s where s.id = f.nadredjeni_atribut_u_tipu_skupa_id and s.ponavlja_se)
         order by o.prikazni_redosled, o.id, m.mesto
        "#,
        id
    )
    .fetch_all(&state.db)
    .await?;
    Ok(Json(Page::all(fields)))
}
