//! Items of a set attribute type (B §2.5).

use accounts::{
    auth::Actor,
    rights::{Access, Right},
};
use domain::register::rules;
use jiff::civil::Date;
use platform::{error::Result, rows::Row, state::AppState};
use rust_decimal::Decimal;
use sqlx::PgConnection;

use super::item_use;
use crate::{
    admin::{form_draft::wording::Wording, impact::Before, usage},
    crud::{self, Column, List, ListBind, Resource},
};

pub struct EnumItem;

crud::fields! {
    shown as EnumItem, sent as EnumItemInput;
    /// Fixed when the item is made.
    #[serde(rename = "tipAtributaID", alias = "tipAtributa")]
    needed tip_atributa_id: i64,
    text naziv: String,
    /// Its weight; null where it has none.
    #[schema(value_type = Option<f64>)]
    num_vrednost: Option<Decimal>,
    /// That it has no weight is said, so that a number that was forgotten is asked for.
    bez_tezine: bool,
    text opis: Option<String>,
    opcioni: bool = true,
    redosled: i32,
    text sifra_veza: Option<String>,
    /// No: entries that have it keep it, and no other gets it.
    moze_se_izabrati: bool = true,
    /// How many stored results differ after the change, as whoever asks for it was told.
    sent potvrdjeno_rezultata: Option<i64>,
    /// Whether another name is another answer; else the item is only spelt otherwise.
    sent drugo_znacenje: bool,
}

#[derive(serde::Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Scope {
    /// Only the items of this attribute type.
    #[serde(rename = "tipAtributa")]
    of: Option<i64>,
}

impl Resource for EnumItem {
    type Input = Input;
    type Record = Record;
    type Scope = Scope;

    const NAME: &'static str = "enum-items";
    const READ: Access = Access::AnyOf(&[Right::Registers]);
    const WRITE: Access = Access::AnyOf(&[Right::Registers]);
    const TABLE: &'static str = "enum_item";

    const FIXED: &'static [&'static str] = &["tip_atributa_id"];

    const LIST: List = List {
        from: "enum_item",
        columns: &[
            Column::number("redosled"),
            Column::text("naziv"),
            Column::number("num_vrednost"),
            Column::text("opis"),
            Column::text("sifra_veza"),
            Column::yes_no("opcioni"),
        ],
        searched: "naziv, opis, sifra_veza",
        then: "naziv",
        of: Some("tip_atributa_id = $7"),
        but: None,
    };

    fn binds(_: &Actor, scope: &Scope) -> Vec<ListBind> {
        vec![ListBind::Id(scope.of)]
    }

    async fn fetch(db: &mut PgConnection, _: &Actor, ids: &[i64]) -> Result<Vec<(i64, Record)>> {
        let rows = sqlx::query_as!(
            Record,
            r#"select id, tip_atributa_id, naziv, num_vrednost, num_vrednost is null as "bez_tezine!", opis, opcioni, redosled, sifra_veza,
                  moze_se_izabrati, aktivan, verzija from enum_item r where id = any($1)"#,
            ids
        );
        Ok(rows.fetch_all(db).await?.into_iter().map(|row| (row.id, row)).collect())
    }

    fn validate(input: &Input, _: Date) -> Result<()> {
        crud::required([
            (input.naziv.is_empty(), "naziv", rules::NO_NAME),
            (input.num_vrednost.is_none() && !input.bez_tezine, "numVrednost", rules::NO_NUMBER),
            (input.num_vrednost.is_some() && input.bez_tezine, "numVrednost", rules::NUMBER_AND_NONE),
            (input.tip_atributa_id.is_none(), "tipAtributaID", rules::NO_TYPE),
        ])
    }

    async fn row(input: &Input) -> Result<Row> {
        let mut row = crud::columns(input)?;
        row.remove("bez_tezine");
        Ok(row)
    }

    async fn insert(tx: &mut PgConnection, _: &Actor, input: Input) -> Result<i64> {
        // A calculated set may have asked for an item that it did not have.
        let before = Before::of_type(&mut *tx, input.tip_atributa_id.unwrap_or_default()).await?;
        let id = crud::insert_row::<Self>(&mut *tx, &input).await?;
        before.settle(tx, input.potvrdjeno_rezultata).await?;
        Ok(id)
    }

    async fn update(tx: &mut PgConnection, _: &Actor, id: i64, input: Input) -> Result<()> {
        item_use::refuse_change(&mut *tx, id, &input.naziv, input.num_vrednost, input.sifra_veza.as_deref()).await?;
        let type_id = sqlx::query_scalar!("select tip_atributa_id from enum_item where id = $1", id).fetch_one(&mut *tx).await?;
        let before = Before::of_type(&mut *tx, type_id).await?;
        let druge_stavke = if input.drugo_znacenje { vec![id] } else { Vec::new() };
        Wording { druge_stavke, ..Wording::default() }.say(&mut *tx).await?;
        crud::update_row::<Self>(&mut *tx, id, &input).await?;
        before.settle(tx, input.potvrdjeno_rezultata).await
    }

    async fn usages(tx: &mut PgConnection, _: &Actor, _: &AppState, id: i64) -> Result<Vec<String>> {
        usage::enum_item::places(tx, id).await
    }

    async fn fits_again(tx: &mut PgConnection, _: &Actor, id: i64) -> Result<()> {
        let there =
            sqlx::query_scalar!("select t.aktivan from enum_item i join attribute_type t on t.id = i.tip_atributa_id where i.id = $1", id);
        crud::refuse_orphan(there.fetch_one(tx).await?, "Prvo vratite tip atributa ove stavke.")
    }

    async fn remove(tx: &mut PgConnection, _: &Actor, id: i64) -> Result<()> {
        item_use::refuse_removal(&mut *tx, id).await?;
        Self::set_active(tx, id, false).await
    }
}
