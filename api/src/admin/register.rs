//! Registers (B §2.3): everyone reads the list that opens them, administrators configure them.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use utoipa::ToSchema;

use crate::{
    admin::usage::{self, ENTRIES, PATIENTS, Places},
    auth::Actor,
    crud::{self, Hit, Listing, NoScope, Resource},
    error::{Error, Result},
    rights::{Access, Right},
    state::AppState,
    text,
};

/// Rows of a search where the register does not say (A §3).
const DEFAULT_RESULTS: i32 = 200;

pub struct Register;

#[derive(Serialize, Deserialize, ToSchema)]
#[schema(as = RegisterInput)]
#[serde(rename_all = "camelCase", default)]
pub struct Input {
    #[serde(deserialize_with = "text::required")]
    naziv: String,
    #[serde(deserialize_with = "text::optional")]
    sifra: Option<String>,
    #[serde(deserialize_with = "text::optional")]
    opis: Option<String>,
    #[serde(deserialize_with = "text::optional")]
    naziv_prvi_unos: Option<String>,
    /// The form of a first entry.
    #[serde(rename = "prviTipHijerarhijeAtributaID")]
    prvi_tip_hijerarhije_atributa_id: Option<i64>,
    #[serde(deserialize_with = "text::optional")]
    naziv_podrazumevani_unos: Option<String>,
    /// The form that is chosen at first.
    #[serde(rename = "podrazumevaniTipHijerarhijeAtributaID")]
    podrazumevani_tip_hijerarhije_atributa_id: Option<i64>,
    /// 50, 100, 200, 1000 or -1 for all.
    broj_rezultata_u_pretrazi: i32,
    prikaz_tekucih_unosa_kod_pretrage: bool,
    #[serde(deserialize_with = "text::optional")]
    logo_putanja: Option<String>,
}

impl Default for Input {
    fn default() -> Self {
        Self {
            naziv: String::new(),
            sifra: None,
            opis: None,
            naziv_prvi_unos: None,
            prvi_tip_hijerarhije_atributa_id: None,
            naziv_podrazumevani_unos: None,
            podrazumevani_tip_hijerarhije_atributa_id: None,
            broj_rezultata_u_pretrazi: DEFAULT_RESULTS,
            prikaz_tekucih_unosa_kod_pretrage: false,
            logo_putanja: None,
        }
    }
}

#[derive(Serialize, ToSchema)]
#[schema(as = Register)]
#[serde(rename_all = "camelCase")]
pub struct Record {
    id: i64,
    naziv: String,
    sifra: Option<String>,
    opis: Option<String>,
    naziv_prvi_unos: Option<String>,
    #[serde(rename = "prviTipHijerarhijeAtributaID")]
    prvi_tip_hijerarhije_atributa_id: Option<i64>,
    naziv_podrazumevani_unos: Option<String>,
    #[serde(rename = "podrazumevaniTipHijerarhijeAtributaID")]
    podrazumevani_tip_hijerarhije_atributa_id: Option<i64>,
    broj_rezultata_u_pretrazi: i32,
    prikaz_tekucih_unosa_kod_pretrage: bool,
    logo_putanja: Option<String>,
    aktivan: bool,
    verzija: i32,
}

impl Resource for Register {
    type Input = Input;
    type Record = Record;
    type Scope = NoScope;

    const NAME: &'static str = "registers";
    const READ: Access = Access::Everyone;
    const WRITE: Access = Access::AnyOf(&[Right::Registers]);
    const SORT: &'static [&'static str] = &["naziv", "sifra", "opis"];

    crud::brought_back!("register");

    async fn page(db: &mut PgConnection, _: &Actor, listing: &Listing, _: &NoScope) -> Result<Vec<Hit>> {
        let hits = sqlx::query_as!(
            Hit,
            r#"
            select r.id, count(*) over () as "total!"
              from register r
             where r.aktivan = $1 and ($2::text is null or fold(concat_ws(' ', r.naziv, r.sifra, r.opis)) like $2)
             order by case when not $4 then to_jsonb(r) -> $3 end, case when $4 then to_jsonb(r) -> $3 end desc, r.naziv, r.id
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
        let rows = sqlx::query_as!(
            Record,
            r#"
            select id, naziv, sifra, opis, naziv_prvi_unos, prvi_tip_hijerarhije_atributa_id, naziv_podrazumevani_unos,
                   podrazumevani_tip_hijerarhije_atributa_id, coalesce(broj_rezultata_u_pretrazi, $2) as "broj_rezultata_u_pretrazi!",
                   prikaz_tekucih_unosa_kod_pretrage, logo_putanja, aktivan, verzija
              from register where id = any($1)
            "#,
            ids,
            DEFAULT_RESULTS
        );
        Ok(rows.fetch_all(db).await?.into_iter().map(|row| (row.id, row)).collect())
    }

    async fn lock(tx: &mut PgConnection, id: i64) -> Result<Option<i32>> {
        Ok(sqlx::query_scalar!("select verzija from register where id = $1 and aktivan for update", id).fetch_optional(tx).await?)
    }

    fn validate(input: &Input, _: Date) -> Result<()> {
        if input.naziv.is_empty() { Err(Error::invalid("naziv", "Niste uneli naziv.")) } else { Ok(()) }
    }

    async fn usages(tx: &mut PgConnection, state: &AppState, id: i64) -> Result<Vec<String>> {
        let used = sqlx::query!(
            r#"
            select r.sifra,
                   (select count(*) from patient_register h join patient p on p.id = h.pacijent_id and p.aktivan where h.registar_id = r.id) as "patients!",
                   (select count(*) from entry e where e.registar_id = r.id and e.aktivan) as "entries!",
                   array(select i.naziv from report i where i.registar_id = r.id and i.aktivan order by i.naziv) as "reports!: Vec<String>",
                   (select count(*) from report_schedule s where s.registar_id = r.id and s.aktivan) as "schedules!"
              from register r where r.id = $1
            "#,
            id
        )
        .fetch_one(&mut *tx)
        .await?;
        let mut reports = used.reports;
        reports.extend(usage::reports_reading(&mut *tx, &state.config.template_dir, used.sifra.as_deref()).await?);
        reports.sort();
        reports.dedup();
        Ok(Places::default()
            .counted("registar ima ", used.patients, PATIENTS)
            .counted("registar ima ", used.entries, ENTRIES)
            .named("čita ga izveštaj ", &reports)
            .counted("za njega ima ", used.schedules, ["zakazan izveštaj", "zakazana izveštaja", "zakazanih izveštaja"])
            .all())
    }

    async fn remove(tx: &mut PgConnection, _: &Actor, id: i64) -> Result<()> {
        sqlx::query!("update register set aktivan = false where id = $1", id).execute(tx).await?;
        Ok(())
    }
}
