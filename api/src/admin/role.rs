//! Roles (B §2.6): what gives workers their rights.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use utoipa::{IntoParams, ToSchema};

use crate::{
    auth::{self, Actor},
    crud::{Hit, Listing, Resource},
    error::{Error, Result},
    rights::{Access, Right},
    text,
};

pub struct Role;

/// Changes that may take rights away wait for each other, or two administrators could shut out each other.
const RIGHTS_LOCK: i64 = 7_231_840_004;

#[derive(Default, Serialize, Deserialize, ToSchema)]
#[schema(as = RoleInput)]
#[serde(rename_all = "camelCase", default)]
pub struct Input {
    #[serde(deserialize_with = "text::required")]
    ime: String,
    #[serde(deserialize_with = "text::optional")]
    opis: Option<String>,
    numericka_vrednost: Option<i32>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = Role)]
#[serde(rename_all = "camelCase")]
pub struct Record {
    id: i64,
    ime: String,
    opis: Option<String>,
    numericka_vrednost: Option<i32>,
    aktivan: bool,
    verzija: i32,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Scope {
    /// Only the roles of this worker.
    radnik: Option<i64>,
}

impl Resource for Role {
    type Input = Input;
    type Record = Record;
    type Scope = Scope;

    const NAME: &'static str = "roles";
    const READ: Access = Access::AnyOf(&[Right::Roles, Right::Workers]);
    const WRITE: Access = Access::AnyOf(&[Right::Roles]);
    const SORT: &'static [&'static str] = &["ime", "opis", "numericka_vrednost"];

    async fn page(db: &mut PgConnection, _: &Actor, listing: &Listing, scope: &Scope) -> Result<Vec<Hit>> {
        let hits = sqlx::query_as!(
            Hit,
            r#"
            select r.id, count(*) over () as "total!"
              from role r
             where r.aktivan = $1 and ($2::text is null or fold(concat_ws(' ', r.ime, r.opis)) like $2)
               and ($7::bigint is null or exists (select from worker_role l where l.uloga_id = r.id and l.radnik_id = $7))
             order by case when not $4 then to_jsonb(r) -> $3 end, case when $4 then to_jsonb(r) -> $3 end desc, r.ime, r.id
             limit $5 offset $6
            "#,
            listing.aktivan,
            listing.like,
            listing.sort,
            listing.descending,
            listing.limit,
            listing.offset,
            scope.radnik
        );
        Ok(hits.fetch_all(db).await?)
    }

    async fn fetch(db: &mut PgConnection, _: &Actor, ids: &[i64]) -> Result<Vec<(i64, Record)>> {
        let rows = sqlx::query_as!(
            Record,
            r#"
            select r.id, r.ime, r.opis, r.numericka_vrednost, r.aktivan, r.verzija
              from role r
             where r.id = any($1)
            "#,
            ids
        );
        Ok(rows.fetch_all(db).await?.into_iter().map(|row| (row.id, row)).collect())
    }

    async fn lock(tx: &mut PgConnection, id: i64) -> Result<Option<i32>> {
        Ok(sqlx::query_scalar!("select verzija from role where id = $1 and aktivan for update", id).fetch_optional(tx).await?)
    }

    fn validate(input: &Input, _: Date) -> Result<()> {
        if input.ime.is_empty() {
            return Err(Error::invalid("ime", "Niste uneli naziv."));
        }
        Ok(())
    }

    async fn insert(tx: &mut PgConnection, _: &Actor, input: Input) -> Result<i64> {
        let id = sqlx::query_scalar!(
            "insert into role (ime, opis, numericka_vrednost)
             values ($1, $2, $3) returning id",
            input.ime,
            input.opis,
            input.numericka_vrednost
        );
        Ok(id.fetch_one(tx).await?)
    }

    async fn update(tx: &mut PgConnection, _: &Actor, id: i64, input: Input) -> Result<()> {
        sqlx::query!(
            "update role
                set ime = $2, opis = $3, numericka_vrednost = $4
              where id = $1",
            id,
            input.ime,
            input.opis,
            input.numericka_vrednost
        )
        .execute(tx)
        .await?;
        Ok(())
    }

    async fn remove(tx: &mut PgConnection, actor: &Actor, id: i64) -> Result<()> {
        sqlx::query!("update role set aktivan = false where id = $1", id).execute(&mut *tx).await?;
        refuse_own_loss(tx, actor).await
    }
}

/// Nobody takes away from oneself the right to give rights: it might be the last one that anybody has. Asked after the change, within it.
pub async fn refuse_own_loss(tx: &mut PgConnection, actor: &Actor) -> Result<()> {
    if !actor.prava.holds(Right::Roles) {
        return Ok(());
    }
    sqlx::query!("select pg_advisory_xact_lock($1)", RIGHTS_LOCK).execute(&mut *tx).await?;
    if auth::rights_of(tx, actor.radnik_id).await?.holds(Right::Roles) {
        Ok(())
    } else {
        Err(Error::conflict("Ne možete sebi oduzeti pravo „Uloge”. To može samo drugi administrator."))
    }
}

/// Whether any active worker has the right to give rights. Until this transaction ends, no other one takes it from anybody.
pub async fn somebody_gives_rights(tx: &mut PgConnection) -> Result<bool> {
    sqlx::query!("select pg_advisory_xact_lock($1)", RIGHTS_LOCK).execute(&mut *tx).await?;
    let held = sqlx::query_scalar!(
        r#"
        select exists (select from worker w
                         join worker_role l on l.radnik_id = w.id
                         join role r on r.id = l.uloga_id and r.aktivan
                         join role_right p on p.uloga_id = r.id
                         join application_right a on a.id = p.aplikativno_pravo_id
                        where w.aktivan and a.numericka_vrednost = $1) as "held!"
        "#,
        Right::Roles.number()
    );
    Ok(held.fetch_one(tx).await?)
}

/// Who administers workers without that right does not take it from the last one who has it. Asked after the change, within it.
pub async fn refuse_last_loss(tx: &mut PgConnection, held_before: bool) -> Result<()> {
    if held_before && !somebody_gives_rights(tx).await? {
        return Err(Error::conflict("Ovo je poslednji radnik sa pravom „Uloge”. Prvo ga dajte drugom radniku."));
    }
    Ok(())
}
