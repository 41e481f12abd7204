//! Parameters of a report (B §2.11): what the request asks the worker for.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use utoipa::{IntoParams, ToSchema};

use crate::{
    auth::Actor,
    crud::{self, Hit, Listing, Resource},
    error::{Error, Result},
    rights::{Access, Right},
    text,
};

pub struct ReportParameter;

#[derive(Default, Serialize, Deserialize, ToSchema)]
#[schema(as = ReportParameterInput)]
#[serde(rename_all = "camelCase", default)]
pub struct Input {
    /// Fixed when the parameter is made.
    #[serde(rename = "izvestajID", alias = "izvestaj")]
    izvestaj_id: Option<i64>,
    #[serde(deserialize_with = "text::required")]
    naziv: String,
    #[serde(rename = "tipID", alias = "tip")]
    tip_id: Option<i64>,
    /// The name in the request and in the SQL of the template.
    #[serde(deserialize_with = "text::required")]
    request_naziv: String,
    prikazni_redosled: Option<i32>,
    opcioni: bool,
    multi_select: bool,
    /// A hidden parameter's fixed value; for the others the value offered at first.
    #[serde(deserialize_with = "text::optional")]
    podrazumevano: Option<String>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = ReportParameter)]
#[serde(rename_all = "camelCase")]
pub struct Record {
    id: i64,
    /// Fixed when the parameter is made.
    #[serde(rename = "izvestajID")]
    izvestaj_id: i64,
    naziv: String,
    #[serde(rename = "tipID")]
    tip_id: i64,
    tip_naziv: String,
    /// The name in the request and in the SQL of the template.
    request_naziv: String,
    prikazni_redosled: i32,
    opcioni: bool,
    multi_select: bool,
    /// A hidden parameter's fixed value; for the others the value offered at first.
    podrazumevano: Option<String>,
    aktivan: bool,
    verzija: i32,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Scope {
    /// Only the parameters of this report.
    izvestaj: Option<i64>,
}

impl Resource for ReportParameter {
    type Input = Input;
    type Record = Record;
    type Scope = Scope;

    const NAME: &'static str = "report-parameters";
    const READ: Access = Access::AnyOf(&[Right::ReportSetup]);
    const WRITE: Access = Access::AnyOf(&[Right::ReportSetup]);
    const SORT: &'static [&'static str] = &["prikazni_redosled", "naziv", "request_naziv", "tip_naziv"];

    const FIXED: &'static [&'static str] = &["izvestaj_id"];

    crud::brought_back!("report_parameter");

    async fn page(db: &mut PgConnection, _: &Actor, listing: &Listing, scope: &Scope) -> Result<Vec<Hit>> {
        let hits = sqlx::query_as!(
            Hit,
            r#"
            select p.id, count(*) over () as "total!"
              from (select p.*, t.naziv as tip_naziv from report_parameter p join report_parameter_type t on t.id = p.tip_id) p
             where p.aktivan = $1 and ($2::text is null or fold(concat_ws(' ', p.naziv, p.request_naziv, p.tip_naziv)) like $2)
               and ($7::bigint is null or p.izvestaj_id = $7)
             order by case when not $4 then to_jsonb(p) -> $3 end, case when $4 then to_jsonb(p) -> $3 end desc, p.naziv, p.id
             limit $5 offset $6
            "#,
            listing.aktivan,
            listing.like,
            listing.sort,
            listing.descending,
            listing.limit,
            listing.offset,
            scope.izvestaj
        );
        Ok(hits.fetch_all(db).await?)
    }

    async fn fetch(db: &mut PgConnection, _: &Actor, ids: &[i64]) -> Result<Vec<(i64, Record)>> {
        let rows = sqlx::query_as!(
            Record,
            r#"
            select p.id, p.izvestaj_id, p.naziv, p.tip_id,
                   (select naziv from report_parameter_type where id = p.tip_id) as "tip_naziv!", p.request_naziv,
                   p.prikazni_redosled, p.opcioni, p.multi_select, p.podrazumevano, p.aktivan, p.verzija
              from report_parameter p
             where p.id = any($1)
            "#,
            ids
        );
        Ok(rows.fetch_all(db).await?.into_iter().map(|row| (row.id, row)).collect())
    }

    async fn lock(tx: &mut PgConnection, id: i64) -> Result<Option<i32>> {
        Ok(sqlx::query_scalar!("select verzija from report_parameter where id = $1 and aktivan for update", id).fetch_optional(tx).await?)
    }

    fn validate(input: &Input, _: Date) -> Result<()> {
        if input.naziv.is_empty() {
            return Err(Error::invalid("naziv", "Niste uneli naziv."));
        }
        if input.tip_id.is_none() {
            return Err(Error::invalid("tipID", "Niste izabrali tip parametra."));
        }
        if input.request_naziv.is_empty() {
            return Err(Error::invalid("requestNaziv", "Niste uneli naziv u zahtevu."));
        }
        if input.prikazni_redosled.is_none() {
            return Err(Error::invalid("prikazniRedosled", "Niste uneli prikazni redosled."));
        }
        if input.izvestaj_id.is_none() {
            return Err(Error::invalid("izvestajID", "Niste izabrali izveštaj."));
        }
        Ok(())
    }

    async fn fits_again(tx: &mut PgConnection, _: &Actor, id: i64) -> Result<()> {
        let there = sqlx::query_scalar!(
            r#"select t.aktivan and i.aktivan as "there!" from report_parameter p join report_parameter_type t on t.id = p.tip_id
                 join report i on i.id = p.izvestaj_id where p.id = $1"#,
            id
        );
        if there.fetch_one(tx).await? { Ok(()) } else { Err(Error::conflict("Prvo vratite izveštaj i tip ovog parametra.")) }
    }

    async fn remove(tx: &mut PgConnection, _: &Actor, id: i64) -> Result<()> {
        sqlx::query!("update report_parameter set aktivan = false where id = $1", id).execute(tx).await?;
        Ok(())
    }
}
