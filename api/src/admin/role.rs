//! Roles (B §2.6): what gives workers their rights.

use domain::access;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use utoipa::{IntoParams, ToSchema};

use crate::{
    admin::usage::Places,
    auth::Actor,
    ceiling,
    crud::{self, Hit, Listing, Resource},
    error::{Error, Result},
    rights::{Access, Patients, Right},
    state::AppState,
    text,
};

pub struct Role;

#[derive(Default, Serialize, Deserialize, ToSchema)]
#[schema(as = RoleInput)]
#[serde(rename_all = "camelCase", default)]
pub struct Input {
    #[serde(deserialize_with = "text::required")]
    ime: String,
    #[serde(deserialize_with = "text::optional")]
    opis: Option<String>,
    numericka_vrednost: Option<i32>,
    /// Who holds it may be named as the doctor responsible for an entry.
    moze_biti_odgovoran: bool,
    /// What the role opens of patients.
    pacijenti: Patients,
}

#[derive(Serialize, ToSchema)]
#[schema(as = Role)]
#[serde(rename_all = "camelCase")]
pub struct Record {
    id: i64,
    ime: String,
    opis: Option<String>,
    numericka_vrednost: Option<i32>,
    moze_biti_odgovoran: bool,
    pacijenti: Patients,
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

    crud::brought_back!("role");

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
            select r.id, r.ime, r.opis, r.numericka_vrednost, r.moze_biti_odgovoran, r.pacijenti as "pacijenti: Patients", r.aktivan, r.verzija
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

    async fn insert(tx: &mut PgConnection, actor: &Actor, input: Input) -> Result<i64> {
        ceiling::over_patients(tx, actor, input.pacijenti).await?;
        let id = sqlx::query_scalar!(
            "insert into role (ime, opis, numericka_vrednost, moze_biti_odgovoran, pacijenti)
             values ($1, $2, $3, $4, $5) returning id",
            input.ime,
            input.opis,
            input.numericka_vrednost,
            input.moze_biti_odgovoran,
            input.pacijenti as Patients
        );
        Ok(id.fetch_one(tx).await?)
    }

    async fn update(tx: &mut PgConnection, actor: &Actor, id: i64, input: Input) -> Result<()> {
        ceiling::over_role(tx, actor, id).await?;
        ceiling::over_patients(tx, actor, input.pacijenti).await?;
        let before = ceiling::givable(tx).await?;
        sqlx::query!(
            "update role
                set ime = $2, opis = $3, numericka_vrednost = $4, moze_biti_odgovoran = $5, pacijenti = $6
              where id = $1",
            id,
            input.ime,
            input.opis,
            input.numericka_vrednost,
            input.moze_biti_odgovoran,
            input.pacijenti as Patients
        )
        .execute(&mut *tx)
        .await?;
        ceiling::refuse_last_loss(tx, &before).await
    }

    async fn usages(tx: &mut PgConnection, _: &AppState, id: i64) -> Result<Vec<String>> {
        let workers = sqlx::query_scalar!(
            r#"select w.prezime || ' ' || w.ime as "name!" from worker_role l join worker w on w.id = l.radnik_id and w.aktivan
                where l.uloga_id = $1 order by 1, w.id"#,
            id
        );
        Ok(Places::default().named("ulogu ima radnik ", &workers.fetch_all(tx).await?).all())
    }

    /// Who brings a role back gives what it gives.
    async fn fits_again(tx: &mut PgConnection, actor: &Actor, id: i64) -> Result<()> {
        ceiling::over_role(tx, actor, id).await
    }

    async fn remove(tx: &mut PgConnection, actor: &Actor, id: i64) -> Result<()> {
        ceiling::over_role(tx, actor, id).await?;
        let before = ceiling::givable(tx).await?;
        sqlx::query!("update role set aktivan = false where id = $1", id).execute(&mut *tx).await?;
        refuse_own_loss(tx, actor).await?;
        ceiling::refuse_last_loss(tx, &before).await
    }
}

/// Nobody takes away from oneself the right to give rights: it might be the last one that anybody has. Asked after the change, within it.
pub async fn refuse_own_loss(tx: &mut PgConnection, actor: &Actor) -> Result<()> {
    if !actor.prava.holds(Right::Roles) {
        return Ok(());
    }
    ceiling::lock(tx).await?;
    if access::rights_of(tx, actor.radnik_id).await?.holds(Right::Roles) {
        Ok(())
    } else {
        Err(Error::conflict("Ne možete sebi oduzeti pravo „Uloge”. To može samo drugi administrator."))
    }
}
