//! Items of a set attribute type (B §2.5).

use domain::register::rules;
use jiff::civil::Date;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use utoipa::ToSchema;

use super::item_use;
use crate::{
    admin::{impact::Before, usage},
    auth::Actor,
    crud::{self, Resource},
    error::Result,
    rights::Right,
    state::AppState,
    text,
};

pub struct EnumItem;

#[derive(Serialize, Deserialize, ToSchema)]
#[schema(as = EnumItemInput)]
#[serde(rename_all = "camelCase", default)]
pub struct Input {
    /// Fixed when the item is made.
    #[serde(rename = "tipAtributaID", alias = "tipAtributa")]
    tip_atributa_id: Option<i64>,
    #[serde(deserialize_with = "text::required")]
    naziv: String,
    #[schema(value_type = Option<f64>)]
    num_vrednost: Option<Decimal>,
    #[serde(deserialize_with = "text::optional")]
    opis: Option<String>,
    opcioni: bool,
    redosled: i32,
    #[serde(deserialize_with = "text::optional")]
    sifra_veza: Option<String>,
    /// No: entries that have it keep it, and no other gets it.
    moze_se_izabrati: bool,
    /// How many stored results differ after the change, as whoever asks for it was told.
    potvrdjeno_rezultata: Option<i64>,
}

impl Default for Input {
    fn default() -> Self {
        Self {
            tip_atributa_id: None,
            naziv: String::new(),
            num_vrednost: None,
            opis: None,
            opcioni: true,
            redosled: 0,
            sifra_veza: None,
            moze_se_izabrati: true,
            potvrdjeno_rezultata: None,
        }
    }
}

#[derive(Serialize, ToSchema)]
#[schema(as = EnumItem)]
#[serde(rename_all = "camelCase")]
pub struct Record {
    id: i64,
    /// Fixed when the item is made.
    #[serde(rename = "tipAtributaID")]
    tip_atributa_id: i64,
    naziv: String,
    #[schema(value_type = f64)]
    num_vrednost: Decimal,
    opis: Option<String>,
    opcioni: bool,
    redosled: i32,
    sifra_veza: Option<String>,
    /// No: entries that have it keep it, and no other gets it.
    moze_se_izabrati: bool,
    aktivan: bool,
    verzija: i32,
}

crud::scope!("tipAtributa", "Only the items of this attribute type.");

impl Resource for EnumItem {
    crud::resource!("enum-items", table "enum_item", scope Scope, right Right::Registers);

    const FIXED: &'static [&'static str] = &["tip_atributa_id"];

    crud::selected! {
        select "id, tip_atributa_id, naziv, num_vrednost, opis, opcioni, redosled, sifra_veza, moze_se_izabrati, aktivan, verzija",
        from "enum_item",
        columns [number "redosled", text "naziv", number "num_vrednost", text "opis", text "sifra_veza", yes_no "opcioni"],
        searched "naziv, opis, sifra_veza", then "naziv",
        of "tip_atributa_id = $7"
    }

    fn validate(input: &Input, _: Date) -> Result<()> {
        crud::required([
            (input.naziv.is_empty(), "naziv", rules::NO_NAME),
            (input.num_vrednost.is_none(), "numVrednost", rules::NO_NUMBER),
            (input.tip_atributa_id.is_none(), "tipAtributaID", rules::NO_TYPE),
        ])
    }

    async fn insert(tx: &mut PgConnection, _: &Actor, input: Input) -> Result<i64> {
        // A calculated set may have asked for an item that it did not have.
        let before = Before::of_type(&mut *tx, input.tip_atributa_id.unwrap_or_default()).await?;
        let id = crud::insert_row::<Self>(&mut *tx, &input).await?;
        before.settle(tx, input.potvrdjeno_rezultata).await?;
        Ok(id)
    }

    async fn update(tx: &mut PgConnection, _: &Actor, id: i64, input: Input) -> Result<()> {
        item_use::refuse_change(&mut *tx, id, &input.naziv, input.num_vrednost).await?;
        let type_id = sqlx::query_scalar!("select tip_atributa_id from enum_item where id = $1", id).fetch_one(&mut *tx).await?;
        let before = Before::of_type(&mut *tx, type_id).await?;
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
