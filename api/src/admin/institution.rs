//! Institutions (B §2.7). Everyone may read them; what signs an institution in is for administrators only.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use utoipa::{IntoParams, ToSchema};

use crate::{
    admin::usage::{ENTRIES, PATIENTS, Places},
    auth::Actor,
    crud::{self, Hit, Listing, Resource},
    error::{Error, Result},
    passwords,
    rights::{Access, Right},
    state::AppState,
    text,
};

pub struct Institution;

#[derive(Default, Serialize, Deserialize, ToSchema)]
#[schema(as = InstitutionInput)]
#[serde(rename_all = "camelCase", default)]
pub struct Input {
    #[serde(deserialize_with = "text::required")]
    naziv: String,
    #[serde(deserialize_with = "text::optional")]
    sifra: Option<String>,
    #[serde(deserialize_with = "text::optional")]
    adresa: Option<String>,
    #[serde(deserialize_with = "text::optional")]
    telefon: Option<String>,
    #[serde(deserialize_with = "text::optional")]
    username: Option<String>,
    /// Never shown; left out, it stays as it is.
    password: Option<String>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = Institution)]
#[serde(rename_all = "camelCase")]
pub struct Record {
    id: i64,
    naziv: String,
    sifra: Option<String>,
    adresa: Option<String>,
    telefon: Option<String>,
    username: Option<String>,
    aktivan: bool,
    verzija: i32,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Scope {
    /// Only the institutions that this worker belongs to.
    radnik: Option<i64>,
}

const WRITERS: &[Right] = &[Right::Institutions];

impl Resource for Institution {
    type Input = Input;
    type Record = Record;
    type Scope = Scope;

    const NAME: &'static str = "institutions";
    const READ: Access = Access::Everyone;
    const WRITE: Access = Access::AnyOf(WRITERS);
    const SORT: &'static [&'static str] = &["naziv", "sifra", "adresa", "telefon"];

    crud::brought_back!("institution");

    async fn page(db: &mut PgConnection, actor: &Actor, listing: &Listing, scope: &Scope) -> Result<Vec<Hit>> {
        if scope.radnik.is_some_and(|radnik| radnik != actor.radnik_id) {
            actor.require_any(&[Right::Institutions, Right::Workers])?;
        }
        let hits = sqlx::query_as!(
            Hit,
            r#"
            select u.id, count(*) over () as "total!"
              from institution u
             where u.aktivan = $1 and ($2::text is null or fold(concat_ws(' ', u.naziv, u.sifra, u.adresa, u.telefon)) like $2)
               and ($7::bigint is null or exists (select from worker_institution l where l.ustanova_id = u.id and l.radnik_id = $7))
             order by case when not $4 then to_jsonb(u) -> $3 end, case when $4 then to_jsonb(u) -> $3 end desc, u.naziv, u.id
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

    async fn fetch(db: &mut PgConnection, actor: &Actor, ids: &[i64]) -> Result<Vec<(i64, Record)>> {
        let administers = actor.prava.holds_any(WRITERS);
        let rows = sqlx::query_as!(
            Record,
            "select id, naziv, sifra, adresa, telefon, case when $2 then username end as username, aktivan, verzija
               from institution where id = any($1)",
            ids,
            administers
        );
        Ok(rows.fetch_all(db).await?.into_iter().map(|row| (row.id, row)).collect())
    }

    async fn lock(tx: &mut PgConnection, id: i64) -> Result<Option<i32>> {
        Ok(sqlx::query_scalar!("select verzija from institution where id = $1 and aktivan for update", id).fetch_optional(tx).await?)
    }

    fn validate(input: &Input, _: Date) -> Result<()> {
        if input.naziv.is_empty() { Err(Error::invalid("naziv", "Niste uneli naziv.")) } else { Ok(()) }
    }

    async fn insert(tx: &mut PgConnection, _: &Actor, input: Input) -> Result<i64> {
        let password_hash = passwords::hash_if_given(input.password).await?;
        let id = sqlx::query_scalar!(
            "insert into institution (naziv, sifra, adresa, telefon, username, password_hash) values ($1, $2, $3, $4, $5, $6) returning id",
            input.naziv,
            input.sifra,
            input.adresa,
            input.telefon,
            input.username,
            password_hash
        );
        Ok(id.fetch_one(tx).await?)
    }

    async fn update(tx: &mut PgConnection, _: &Actor, id: i64, input: Input) -> Result<()> {
        let password_hash = passwords::hash_if_given(input.password).await?;
        sqlx::query!(
            "update institution
                set naziv = $2, sifra = $3, adresa = $4, telefon = $5, username = $6, password_hash = coalesce($7, password_hash)
              where id = $1",
            id,
            input.naziv,
            input.sifra,
            input.adresa,
            input.telefon,
            input.username,
            password_hash
        )
        .execute(tx)
        .await?;
        Ok(())
    }

    /// A worker of a deleted institution would work for nobody, unseen; its patients and entries would have nobody.
    async fn usages(tx: &mut PgConnection, _: &AppState, id: i64) -> Result<Vec<String>> {
        let used = sqlx::query!(
            r#"
            select array(select w.prezime || ' ' || w.ime from worker w
                          where w.aktivan and (w.ustanova_id = $1
                                or exists (select from worker_institution l where l.radnik_id = w.id and l.ustanova_id = $1))
                          order by 1) as "workers!: Vec<String>",
                   (select count(*) from patient where ustanova_id = $1) as "patients!",
                   (select count(*) from entry where ustanova_id = $1 and aktivan) as "entries!",
                   (select count(*) from report_schedule where ustanova_id = $1 and aktivan) as "schedules!"
            "#,
            id
        )
        .fetch_one(tx)
        .await?;
        Ok(Places::default()
            .named("u ustanovi radi radnik ", &used.workers)
            .counted("ustanova ima ", used.patients, PATIENTS)
            .counted("ustanova ima ", used.entries, ENTRIES)
            .counted("za nju ima ", used.schedules, ["zakazan izveštaj", "zakazana izveštaja", "zakazanih izveštaja"])
            .all())
    }

    async fn remove(tx: &mut PgConnection, _: &Actor, id: i64) -> Result<()> {
        sqlx::query!("update institution set aktivan = false where id = $1", id).execute(tx).await?;
        Ok(())
    }
}
