//! Items of a set attribute type (B §2.5).

use jiff::civil::Date;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use utoipa::{IntoParams, ToSchema};

use super::item_use;
use crate::{
    admin::{impact::Before, usage::Places},
    auth::Actor,
    crud::{self, Hit, Listing, Resource},
    error::{Error, Result},
    rights::{Access, Right},
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

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Scope {
    /// Only the items of this attribute type.
    #[serde(rename = "tipAtributa")]
    tip_atributa: Option<i64>,
}

impl Resource for EnumItem {
    type Input = Input;
    type Record = Record;
    type Scope = Scope;

    const NAME: &'static str = "enum-items";
    const READ: Access = Access::AnyOf(&[Right::Registers]);
    const WRITE: Access = Access::AnyOf(&[Right::Registers]);
    const SORT: &'static [&'static str] = &["redosled", "naziv", "num_vrednost", "opis", "sifra_veza"];

    const FIXED: &'static [&'static str] = &["tip_atributa_id"];

    crud::brought_back!("enum_item");

    async fn page(db: &mut PgConnection, _: &Actor, listing: &Listing, scope: &Scope) -> Result<Vec<Hit>> {
        let hits = sqlx::query_as!(
            Hit,
            r#"
            select e.id, count(*) over () as "total!"
              from enum_item e
             where e.aktivan = $1 and ($2::text is null or fold(concat_ws(' ', e.naziv, e.opis, e.sifra_veza)) like $2)
               and ($7::bigint is null or e.tip_atributa_id = $7)
             order by case when not $4 then to_jsonb(e) -> $3 end, case when $4 then to_jsonb(e) -> $3 end desc, e.naziv, e.id
             limit $5 offset $6
            "#,
            listing.aktivan,
            listing.like,
            listing.sort,
            listing.descending,
            listing.limit,
            listing.offset,
            scope.tip_atributa
        );
        Ok(hits.fetch_all(db).await?)
    }

    async fn fetch(db: &mut PgConnection, _: &Actor, ids: &[i64]) -> Result<Vec<(i64, Record)>> {
        let rows = sqlx::query_as!(
            Record,
            r#"
            select e.id, e.tip_atributa_id, e.naziv, e.num_vrednost, e.opis, e.opcioni, e.redosled, e.sifra_veza, e.moze_se_izabrati, e.aktivan,
                   e.verzija
              from enum_item e
             where e.id = any($1)
            "#,
            ids
        );
        Ok(rows.fetch_all(db).await?.into_iter().map(|row| (row.id, row)).collect())
    }

    async fn lock(tx: &mut PgConnection, id: i64) -> Result<Option<i32>> {
        Ok(sqlx::query_scalar!("select verzija from enum_item where id = $1 and aktivan for update", id).fetch_optional(tx).await?)
    }

    fn validate(input: &Input, _: Date) -> Result<()> {
        if input.naziv.is_empty() {
            return Err(Error::invalid("naziv", "Niste uneli naziv."));
        }
        if input.num_vrednost.is_none() {
            return Err(Error::invalid("numVrednost", "Niste uneli numeričku vrednost."));
        }
        if input.tip_atributa_id.is_none() {
            return Err(Error::invalid("tipAtributaID", "Niste izabrali tip atributa."));
        }
        Ok(())
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

    async fn usages(tx: &mut PgConnection, _: &AppState, id: i64) -> Result<Vec<String>> {
        let used = sqlx::query!(
            r#"
            select f.naziv || ' (' || t.naziv || ')' as "name!", f.inicijalna_enum_stavka_id = i.id as "initial?",
                   (select count(*) from entry e
                     where e.tsa_id = f.tip_skupa_atributa_id and e.vrednosti -> f.id::text @> to_jsonb(i.id)) as "entries!"
              from enum_item i join form_field f on f.tip_atributa_id = i.tip_atributa_id join form t on t.id = f.tip_skupa_atributa_id
             where i.id = $1
             order by t.naziv, f.redosled, f.id
            "#,
            id
        )
        .fetch_all(tx)
        .await?;
        let initial: Vec<String> = used.iter().filter(|row| row.initial == Some(true)).map(|row| row.name.clone()).collect();
        let places = Places::default().named("početna je vrednost polja ", &initial);
        Ok(used
            .into_iter()
            .fold(places, |places, row| {
                places.counted(&format!("izabrana je u polju „{}” u ", row.name), row.entries, ["unosu", "unosa", "unosa"])
            })
            .all())
    }

    async fn fits_again(tx: &mut PgConnection, _: &Actor, id: i64) -> Result<()> {
        let there =
            sqlx::query_scalar!("select t.aktivan from enum_item i join attribute_type t on t.id = i.tip_atributa_id where i.id = $1", id);
        if there.fetch_one(tx).await? { Ok(()) } else { Err(Error::conflict("Prvo vratite tip atributa ove stavke.")) }
    }

    async fn remove(tx: &mut PgConnection, _: &Actor, id: i64) -> Result<()> {
        item_use::refuse_removal(&mut *tx, id).await?;
        sqlx::query!("update enum_item set aktivan = false where id = $1", id).execute(tx).await?;
        Ok(())
    }
}
