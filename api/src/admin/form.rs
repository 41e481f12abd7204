//! Forms of a register (B §2.3): tip hijerarhije atributa, whose id is tsaID and thaID.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use utoipa::{IntoParams, ToSchema};

use crate::{
    admin::{
        impact::Before,
        usage::{self, ENTRIES, Places},
    },
    auth::Actor,
    crud::{self, Hit, Listing, Resource},
    error::{Error, Result},
    rights::{Access, Right},
    state::AppState,
    text,
};

pub struct Form;

#[derive(Serialize, Deserialize, ToSchema)]
#[schema(as = FormInput)]
#[serde(rename_all = "camelCase", default)]
pub struct Input {
    /// Fixed when the form is made.
    #[serde(rename = "registarID", alias = "registar")]
    registar_id: Option<i64>,
    #[serde(deserialize_with = "text::required")]
    naziv: String,
    #[serde(deserialize_with = "text::optional")]
    naziv_engleski: Option<String>,
    prikazni_redosled: i32,
    moze_se_instancirati: bool,
    #[serde(deserialize_with = "text::optional")]
    sifra_veza: Option<String>,
    #[serde(deserialize_with = "text::optional")]
    napomena: Option<String>,
    #[serde(deserialize_with = "text::optional")]
    opis: Option<String>,
    maksimalan_broj_instanci_po_kontaktu: Option<i32>,
    maksimalan_broj_instanci_po_pacijentu: Option<i32>,
}

impl Default for Input {
    fn default() -> Self {
        Self {
            registar_id: None,
            naziv: String::new(),
            naziv_engleski: None,
            prikazni_redosled: 0,
            moze_se_instancirati: true,
            sifra_veza: None,
            napomena: None,
            opis: None,
            maksimalan_broj_instanci_po_kontaktu: None,
            maksimalan_broj_instanci_po_pacijentu: None,
        }
    }
}

#[derive(Serialize, ToSchema)]
#[schema(as = Form)]
#[serde(rename_all = "camelCase")]
pub struct Record {
    id: i64,
    /// Fixed when the form is made.
    #[serde(rename = "registarID")]
    registar_id: i64,
    naziv: String,
    naziv_engleski: Option<String>,
    prikazni_redosled: i32,
    moze_se_instancirati: bool,
    sifra_veza: Option<String>,
    napomena: Option<String>,
    opis: Option<String>,
    maksimalan_broj_instanci_po_kontaktu: Option<i32>,
    maksimalan_broj_instanci_po_pacijentu: Option<i32>,
    aktivan: bool,
    verzija: i32,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Scope {
    /// Only the forms of this register.
    registar: Option<i64>,
}

impl Resource for Form {
    type Input = Input;
    type Record = Record;
    type Scope = Scope;

    const NAME: &'static str = "forms";
    const READ: Access = Access::AnyOf(&[Right::Registers]);
    const WRITE: Access = Access::AnyOf(&[Right::Registers]);
    const SORT: &'static [&'static str] = &["prikazni_redosled", "naziv", "naziv_engleski", "sifra_veza", "opis"];

    const FIXED: &'static [&'static str] = &["registar_id"];

    crud::brought_back!("form");

    async fn page(db: &mut PgConnection, _: &Actor, listing: &Listing, scope: &Scope) -> Result<Vec<Hit>> {
        let hits = sqlx::query_as!(
            Hit,
            r#"
            select f.id, count(*) over () as "total!"
              from form f
             where f.aktivan = $1 and ($2::text is null or fold(concat_ws(' ', f.naziv, f.naziv_engleski, f.sifra_veza, f.opis)) like $2)
               and ($7::bigint is null or f.registar_id = $7)
             order by case when not $4 then to_jsonb(f) -> $3 end, case when $4 then to_jsonb(f) -> $3 end desc, f.naziv, f.id
             limit $5 offset $6
            "#,
            listing.aktivan,
            listing.like,
            listing.sort,
            listing.descending,
            listing.limit,
            listing.offset,
            scope.registar
        );
        Ok(hits.fetch_all(db).await?)
    }

    async fn fetch(db: &mut PgConnection, _: &Actor, ids: &[i64]) -> Result<Vec<(i64, Record)>> {
        let rows = sqlx::query_as!(
            Record,
            r#"
            select f.id, f.registar_id, f.naziv, f.naziv_engleski, f.prikazni_redosled, f.moze_se_instancirati, f.sifra_veza,
                   f.napomena, f.opis, f.maksimalan_broj_instanci_po_kontaktu, f.maksimalan_broj_instanci_po_pacijentu,
                   f.aktivan, f.verzija
              from form f
             where f.id = any($1)
            "#,
            ids
        );
        Ok(rows.fetch_all(db).await?.into_iter().map(|row| (row.id, row)).collect())
    }

    async fn lock(tx: &mut PgConnection, id: i64) -> Result<Option<i32>> {
        Ok(sqlx::query_scalar!("select verzija from form where id = $1 and aktivan for update", id).fetch_optional(tx).await?)
    }

    fn validate(input: &Input, _: Date) -> Result<()> {
        if input.naziv.is_empty() {
            return Err(Error::invalid("naziv", "Niste uneli naziv."));
        }
        if input.registar_id.is_none() {
            return Err(Error::invalid("registarID", "Niste izabrali registar."));
        }
        Ok(())
    }

    async fn usages(tx: &mut PgConnection, state: &AppState, id: i64) -> Result<Vec<String>> {
        let used = sqlx::query!(
            r#"
            select f.naziv, f.sifra_veza, (select count(*) from entry e where e.tsa_id = f.id and e.aktivan) as "entries!",
                   (select count(*) from entry e where e.tsa_id = f.id and not e.aktivan) as "deleted!",
                   array(select r.naziv from register r
                          where r.aktivan and f.id in (r.prvi_tip_hijerarhije_atributa_id, r.podrazumevani_tip_hijerarhije_atributa_id)
                          order by r.naziv) as "registers!: Vec<String>",
                   array(select c.sifra from form_field c where c.tip_skupa_atributa_id = f.id and c.aktivan and c.sifra is not null) as "codes!: Vec<String>"
              from form f where f.id = $1
            "#,
            id
        )
        .fetch_one(&mut *tx)
        .await?;
        let before = format!("formular „{}” ima ", used.naziv);
        let places = Places::default()
            .counted(&before, used.entries, ENTRIES)
            .counted(&before, used.deleted, ["obrisan unos", "obrisana unosa", "obrisanih unosa"])
            .named("prvi ili podrazumevani unos je registra ", &used.registers);
        // A report that reads a code of the form may be about another form with the same code: only what has entries is read.
        let mut reports = usage::reports_reading(&mut *tx, &state.config.template_dir, used.sifra_veza.as_deref()).await?;
        if used.entries > 0 {
            for code in &used.codes {
                reports.extend(usage::reports_reading(&mut *tx, &state.config.template_dir, Some(code)).await?);
            }
        }
        reports.sort();
        reports.dedup();
        Ok(places.named("čita ga izveštaj ", &reports).all())
    }

    async fn fits_again(tx: &mut PgConnection, _: &Actor, id: i64) -> Result<()> {
        let missing = sqlx::query!(
            r#"
            select r.aktivan as "register_there!",
                   (select t.naziv from form_field c join attribute_type t on t.id = c.tip_atributa_id
                     where c.tip_skupa_atributa_id = f.id and c.aktivan and not t.aktivan order by c.redosled limit 1) as kind
              from form f join register r on r.id = f.registar_id where f.id = $1
            "#,
            id
        )
        .fetch_one(tx)
        .await?;
        match missing.kind {
            _ if !missing.register_there => Err(Error::conflict("Prvo vratite registar ovog formulara.")),
            Some(kind) => Err(Error::conflict(format!("Prvo vratite tip atributa „{kind}”: ima ga polje ovog formulara."))),
            None => Ok(()),
        }
    }

    /// What lies in it may have changed while it was away.
    async fn before_return(tx: &mut PgConnection, id: i64) -> Result<Option<Before>> {
        Ok(Some(Before::of_form(tx, id).await?))
    }

    async fn remove(tx: &mut PgConnection, _: &Actor, id: i64) -> Result<()> {
        sqlx::query!("update form set aktivan = false where id = $1", id).execute(tx).await?;
        Ok(())
    }
}
