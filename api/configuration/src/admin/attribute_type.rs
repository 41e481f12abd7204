//! Attribute types (B §2.5): what kind of value a form field holds, its bounds and its unit.

use accounts::{
    auth::Actor,
    rights::{Access, Right},
};
use domain::register::{TypeProperties, ValueType, rules};
use jiff::civil::Date;
use platform::{
    error::{Error, Result, refuse_first},
    rows::{self, Row},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use utoipa::ToSchema;

use crate::{
    admin::{form_draft::wording::Wording, impact::Before, usage},
    crud::{self, Column, List, NoScope, Resource},
};

pub struct AttributeType;

#[derive(Default, Serialize, Deserialize, ToSchema)]
#[schema(as = AttributeTypeInput)]
#[serde(rename_all = "camelCase", default)]
pub struct Input {
    tip_vrednosti_atributa: Option<ValueType>,
    #[serde(flatten)]
    own: TypeProperties,
    /// How many stored results differ after the change, as whoever asks for it was told.
    potvrdjeno_rezultata: Option<i64>,
    /// Whether another unit is the same one, only spelt otherwise.
    samo_pravopis: bool,
}

#[derive(Serialize, Deserialize, ToSchema)]
#[schema(as = AttributeType)]
#[serde(rename_all = "camelCase")]
pub struct Record {
    id: i64,
    tip_vrednosti_atributa: ValueType,
    naziv_tipa_vrednosti_atributa: String,
    /// Whether a field of a form is of it.
    ima_polja: bool,
    #[serde(flatten)]
    own: TypeProperties,
    aktivan: bool,
    verzija: i32,
}

impl Resource for AttributeType {
    type Input = Input;
    type Record = Record;
    type Scope = NoScope;

    const NAME: &'static str = "attribute-types";
    const READ: Access = Access::AnyOf(&[Right::Registers]);
    const WRITE: Access = Access::AnyOf(&[Right::Registers]);
    const TABLE: &'static str = "attribute_type";

    const LIST: List = List {
        from: "(select t.*, v.naziv as naziv_tipa_vrednosti_atributa, exists (select from type_uses(array[t.id])) as ima_polja
                 from attribute_type t join value_type v on v.num_vrednost = t.tip_vrednosti_atributa)",
        columns: &[
            Column::text("naziv"),
            Column::text("naziv_tipa_vrednosti_atributa"),
            Column::text("jedinica"),
            Column::yes_no("ima_polja"),
            Column::text("napomena"),
        ],
        searched: "naziv, naziv_tipa_vrednosti_atributa, jedinica, napomena",
        then: "naziv",
        of: None,
        but: None,
    };

    async fn fetch(db: &mut PgConnection, _: &Actor, ids: &[i64]) -> Result<Vec<(i64, Record)>> {
        let rows = sqlx::query!(
            r#"select t.id, to_jsonb(t) || jsonb_build_object('naziv_tipa_vrednosti_atributa', v.naziv,
                          'ima_polja', exists (select from type_uses(array[t.id]))) as "row!: sqlx::types::Json<Row>"
                 from attribute_type t join value_type v on v.num_vrednost = t.tip_vrednosti_atributa where t.id = any($1)"#,
            ids
        );
        rows.fetch_all(db).await?.into_iter().map(|row| Ok((row.id, rows::record_of(row.row.0)?))).collect()
    }

    fn validate(input: &Input, _: Date) -> Result<()> {
        refuse_first(input.own.refusals())?;
        crud::required([(input.tip_vrednosti_atributa.is_none(), "tipVrednostiAtributa", "Niste izabrali tip vrednosti.")])?;
        refuse_first(input.tip_vrednosti_atributa.and_then(|kind| input.own.refusals_of(kind)))
    }

    async fn update(tx: &mut PgConnection, _: &Actor, id: i64, input: Input) -> Result<()> {
        refuse_another_kind(&mut *tx, id, input.tip_vrednosti_atributa).await?;
        let before = Before::of_type(&mut *tx, id).await?;
        let iste_jedinice = if input.samo_pravopis { vec![id] } else { Vec::new() };
        Wording { iste_jedinice, ..Wording::default() }.say(&mut *tx).await?;
        crud::update_row::<Self>(&mut *tx, id, &input).await?;
        before.settle(tx, input.potvrdjeno_rezultata).await
    }

    async fn usages(tx: &mut PgConnection, _: &Actor, _: &AppState, id: i64) -> Result<Vec<String>> {
        usage::attribute_type::places(tx, id).await
    }
}

async fn refuse_another_kind(tx: &mut PgConnection, id: i64, kind: Option<ValueType>) -> Result<()> {
    let used = sqlx::query_scalar!(
        r#"
        select exists (select from attribute_type t join form_field f on f.tip_atributa_id = t.id
                        where t.id = $1 and t.tip_vrednosti_atributa is distinct from $2) as "used!"
        "#,
        id,
        kind.map(ValueType::number)
    )
    .fetch_one(tx)
    .await?;
    if !used {
        return Ok(());
    }
    Err(Error::Conflict { field: Some("tipVrednostiAtributa".into()), message: rules::KIND_IN_USE.into() })
}
