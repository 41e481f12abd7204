//! Items of a set attribute type (B §2.5).

use jiff::civil::Date;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use utoipa::{IntoParams, ToSchema};

use crate::{
    auth::Actor,
    crud::{Hit, Listing, Resource},
    error::{Error, Result},
    rights::{Access, Right},
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
}

impl Default for Input {
    fn default() -> Self {
        Self { tip_atributa_id: None, naziv: String::new(), num_vrednost: None, opis: None, opcioni: true, redosled: 0, sifra_veza: None }
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
            select e.id, e.tip_atributa_id, e.naziv, e.num_vrednost, e.opis, e.opcioni, e.redosled, e.sifra_veza, e.aktivan,
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
        let id = sqlx::query_scalar!(
            "insert into enum_item (tip_atributa_id, naziv, num_vrednost, opis, opcioni, redosled, sifra_veza)
             values ($1, $2, $3, $4, $5, $6, $7) returning id",
            input.tip_atributa_id,
            input.naziv,
            input.num_vrednost,
            input.opis,
            input.opcioni,
            input.redosled,
            input.sifra_veza
        );
        Ok(id.fetch_one(tx).await?)
    }

    async fn update(tx: &mut PgConnection, _: &Actor, id: i64, input: Input) -> Result<()> {
        sqlx::query!(
            "update enum_item
                set naziv = $2, num_vrednost = $3, opis = $4, opcioni = $5, redosled = $6, sifra_veza = $7
              where id = $1",
            id,
            input.naziv,
            input.num_vrednost,
            input.opis,
            input.opcioni,
            input.redosled,
            input.sifra_veza
        )
        .execute(tx)
        .await?;
        Ok(())
    }

    async fn remove(tx: &mut PgConnection, _: &Actor, id: i64) -> Result<()> {
        sqlx::query!("update enum_item set aktivan = false where id = $1", id).execute(tx).await?;
        Ok(())
    }
}
