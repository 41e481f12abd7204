//! Parameters (B §2.1): switches and numbers that the whole installation shares.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use utoipa::ToSchema;

use crate::{
    auth::Actor,
    crud::{self, Hit, Listing, NoScope, Resource},
    error::{Error, Result},
    rights::{Access, Right},
    text,
};

pub struct Parameter;

#[derive(Default, Serialize, Deserialize, ToSchema)]
#[schema(as = ParameterInput)]
#[serde(rename_all = "camelCase", default)]
pub struct Input {
    #[serde(deserialize_with = "text::required")]
    naziv: String,
    #[serde(deserialize_with = "text::required")]
    vrednost: String,
    #[serde(deserialize_with = "text::optional")]
    opis: Option<String>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = Parameter)]
#[serde(rename_all = "camelCase")]
pub struct Record {
    id: i64,
    naziv: String,
    vrednost: String,
    opis: Option<String>,
    aktivan: bool,
    verzija: i32,
}

impl Resource for Parameter {
    type Input = Input;
    type Record = Record;
    type Scope = NoScope;

    const NAME: &'static str = "parameters";
    const READ: Access = Access::AnyOf(&[Right::Parameters]);
    const WRITE: Access = Access::AnyOf(&[Right::Parameters]);
    const SORT: &'static [&'static str] = &["naziv", "vrednost", "opis"];

    crud::brought_back!("parameter");

    async fn page(db: &mut PgConnection, _: &Actor, listing: &Listing, _: &NoScope) -> Result<Vec<Hit>> {
        let hits = sqlx::query_as!(
            Hit,
            r#"
            select p.id, count(*) over () as "total!"
              from parameter p
             where p.aktivan = $1 and ($2::text is null or fold(concat_ws(' ', p.naziv, p.vrednost, p.opis)) like $2)
             order by case when not $4 then to_jsonb(p) -> $3 end, case when $4 then to_jsonb(p) -> $3 end desc, p.naziv, p.id
             limit $5 offset $6
            "#,
            listing.aktivan,
            listing.like,
            listing.sort,
            listing.descending,
            listing.limit,
            listing.offset
        );
        Ok(hits.fetch_all(db).await?)
    }

    async fn fetch(db: &mut PgConnection, _: &Actor, ids: &[i64]) -> Result<Vec<(i64, Record)>> {
        let rows = sqlx::query_as!(Record, "select id, naziv, vrednost, opis, aktivan, verzija from parameter where id = any($1)", ids);
        Ok(rows.fetch_all(db).await?.into_iter().map(|row| (row.id, row)).collect())
    }

    async fn lock(tx: &mut PgConnection, id: i64) -> Result<Option<i32>> {
        Ok(sqlx::query_scalar!("select verzija from parameter where id = $1 and aktivan for update", id).fetch_optional(tx).await?)
    }

    fn validate(input: &Input, _: Date) -> Result<()> {
        if input.naziv.is_empty() {
            return Err(Error::invalid("naziv", "Niste uneli naziv."));
        }
        if input.vrednost.is_empty() {
            return Err(Error::invalid("vrednost", "Niste uneli vrednost."));
        }
        if input.naziv == "brojRezultataUPretrazi" && !["50", "100", "200", "1000", "-1"].contains(&input.vrednost.as_str()) {
            return Err(Error::invalid("vrednost", "Broj rezultata može biti 50, 100, 200, 1000 ili -1 (svi)."));
        }
        Ok(())
    }

    /// The screens save a switch by its name (A §7, create-parameter): a parameter that exists is given the new value.
    async fn insert(tx: &mut PgConnection, actor: &Actor, input: Input) -> Result<i64> {
        let blurred = is_blurred(tx).await?;
        let id = sqlx::query_scalar!(
            "insert into parameter (naziv, vrednost, opis) values ($1, $2, $3)
             on conflict (naziv) where aktivan
             do update set vrednost = excluded.vrednost, opis = coalesce(excluded.opis, parameter.opis)
             returning id",
            input.naziv,
            input.vrednost,
            input.opis
        );
        let id = id.fetch_one(&mut *tx).await?;
        watch_blurring(tx, actor, blurred).await?;
        Ok(id)
    }

    async fn update(tx: &mut PgConnection, actor: &Actor, id: i64, input: Input) -> Result<()> {
        let blurred = is_blurred(tx).await?;
        sqlx::query!(
            "update parameter set naziv = $2, vrednost = $3, opis = $4 where id = $1",
            id,
            input.naziv,
            input.vrednost,
            input.opis
        )
        .execute(&mut *tx)
        .await?;
        watch_blurring(tx, actor, blurred).await
    }

    async fn fits_again(tx: &mut PgConnection, actor: &Actor, id: i64) -> Result<()> {
        let naziv = sqlx::query_scalar!("select naziv from parameter where id = $1", id).fetch_one(&mut *tx).await?;
        if naziv == "blurPodatakaIzmedjuUstanova" { watch_blurring(tx, actor, true).await } else { Ok(()) }
    }

    async fn remove(tx: &mut PgConnection, _: &Actor, id: i64) -> Result<()> {
        sqlx::query!("update parameter set aktivan = false where id = $1", id).execute(tx).await?;
        Ok(())
    }
}

/// Whether patients of other institutions are kept back, as every query of patients reads it.
async fn is_blurred(tx: &mut PgConnection) -> sqlx::Result<bool> {
    sqlx::query_scalar!(r#"select patients_are_blurred() as "blurred!""#).fetch_one(tx).await
}

/// Turning the blurring off opens every patient to every institution: that is giving rights, so it needs that right as well, and it
/// stands out in the log. Asked within the change, after it.
async fn watch_blurring(tx: &mut PgConnection, actor: &Actor, before: bool) -> Result<()> {
    if !before || is_blurred(tx).await? {
        return Ok(());
    }
    if !actor.prava.holds(Right::Roles) {
        return Err(Error::refused(
            "Isključivanje ovog parametra otvara pacijente svih ustanova svim radnicima. Za to vam nedostaje i pravo: „Uloge”.",
        ));
    }
    sqlx::query!(
        "insert into audit_log (radnik_id, klasa, akcija, opis) values ($1, 'parameter', 'otvaranje pacijenata', $2)",
        actor.radnik_id,
        "Isključeno je skrivanje pacijenata između ustanova: svi radnici vide pacijente svih ustanova."
    )
    .execute(tx)
    .await?;
    Ok(())
}
