//! Parameters of a report (B §2.11): what the request asks the worker for.

mod fit;

use accounts::{
    auth::Actor,
    rights::{Access, Right},
};
use configuration::crud::{self, Column, List, ListBind, Resource};
use domain::register::rules;
use jiff::civil::Date;
use platform::error::Result;
use sqlx::PgConnection;

pub struct ReportParameter;

crud::fields! {
    shown as ReportParameter, sent as ReportParameterInput;
    /// Fixed when the parameter is made.
    #[serde(rename = "izvestajID", alias = "izvestaj")]
    needed izvestaj_id: i64,
    text naziv: String,
    #[serde(rename = "tipID", alias = "tip")]
    needed tip_id: i64,
    shown tip_naziv: String,
    /// The name in the request and in the SQL of the template.
    text request_naziv: String,
    needed prikazni_redosled: i32,
    opcioni: bool,
    multi_select: bool,
    /// A hidden parameter's fixed value; for the others the value offered at first.
    text podrazumevano: Option<String>,
}

#[derive(serde::Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Scope {
    /// Only the parameters of this report.
    #[serde(rename = "izvestaj")]
    of: Option<i64>,
}

impl Resource for ReportParameter {
    type Input = Input;
    type Record = Record;
    type Scope = Scope;

    const NAME: &'static str = "report-parameters";
    const READ: Access = Access::AnyOf(&[Right::ReportSetup]);
    const WRITE: Access = Access::AnyOf(&[Right::ReportSetup]);
    const TABLE: &'static str = "report_parameter";

    const FIXED: &'static [&'static str] = &["izvestaj_id"];

    const LIST: List = List {
        from: "(select p.*, t.naziv as tip_naziv from report_parameter p join report_parameter_type t on t.id = p.tip_id)",
        columns: &[
            Column::number("prikazni_redosled"),
            Column::text("naziv"),
            Column::text("request_naziv"),
            Column::text("tip_naziv"),
            Column::yes_no("opcioni"),
            Column::yes_no("multi_select"),
        ],
        searched: "naziv, request_naziv, tip_naziv",
        then: "naziv",
        of: Some("izvestaj_id = $7"),
        but: None,
    };

    fn binds(_: &Actor, scope: &Scope) -> Vec<ListBind> {
        vec![ListBind::Id(scope.of)]
    }

    async fn fetch(db: &mut PgConnection, _: &Actor, ids: &[i64]) -> Result<Vec<(i64, Record)>> {
        let rows = sqlx::query_as!(Record, "select id, izvestaj_id, naziv, tip_id, tip_naziv, request_naziv, prikazni_redosled, opcioni, multi_select, podrazumevano, aktivan,
                 verzija from (select p.*, t.naziv as tip_naziv from report_parameter p join report_parameter_type t on t.id = p.tip_id) r where id = any($1)", ids);
        Ok(rows.fetch_all(db).await?.into_iter().map(|row| (row.id, row)).collect())
    }

    fn validate(input: &Input, _: Date) -> Result<()> {
        crud::required([
            (input.naziv.is_empty(), "naziv", rules::NO_NAME),
            (input.tip_id.is_none(), "tipID", "Niste izabrali tip parametra."),
            (input.request_naziv.is_empty(), "requestNaziv", "Niste uneli naziv u zahtevu."),
            (input.prikazni_redosled.is_none(), "prikazniRedosled", rules::NO_ORDER),
            (input.izvestaj_id.is_none(), "izvestajID", "Niste izabrali izveštaj."),
        ])?;
        fit::refuse_servers_name(&input.request_naziv)
    }

    async fn insert(tx: &mut PgConnection, _: &Actor, input: Input) -> Result<i64> {
        fit::refuse_default(&mut *tx, &input).await?;
        crud::insert_row::<Self>(tx, &input).await
    }

    async fn update(tx: &mut PgConnection, _: &Actor, id: i64, input: Input) -> Result<()> {
        fit::refuse_default(&mut *tx, &input).await?;
        crud::update_row::<Self>(tx, id, &input).await
    }

    async fn fits_again(tx: &mut PgConnection, _: &Actor, id: i64) -> Result<()> {
        let there = sqlx::query_scalar!(
            r#"select t.aktivan and i.aktivan as "there!" from report_parameter p join report_parameter_type t on t.id = p.tip_id
                 join report i on i.id = p.izvestaj_id where p.id = $1"#,
            id
        );
        crud::refuse_orphan(there.fetch_one(&mut *tx).await?, "Prvo vratite izveštaj i tip ovog parametra.")?;
        let stored = sqlx::query!("select tip_id, podrazumevano from report_parameter where id = $1", id).fetch_one(&mut *tx).await?;
        fit::refuse_default(tx, &Input { tip_id: Some(stored.tip_id), podrazumevano: stored.podrazumevano, ..Input::default() }).await
    }
}
