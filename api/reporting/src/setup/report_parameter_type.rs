//! Types of report parameters (B §2.11): their widget, and the query behind it.

mod fit;

use accounts::{
    auth::Actor,
    rights::{Access, Right},
};
use configuration::{
    admin::usage::Places,
    crud::{self, Column, List, NoScope, Resource},
};
use domain::{register::rules, report_sql::ParameterKind};
use jiff::civil::Date;
use platform::{error::Result, state::AppState};
use sqlx::PgConnection;

pub struct ReportParameterType;

crud::fields! {
    shown as ReportParameterType, sent as ReportParameterTypeInput;
    text naziv: String,
    /// 1 textual, 2 date, 3 hidden, 4 set, 5 numeric, 6 dynamic hidden.
    needed tip_recnika: ParameterKind as i16,
    shown tip_recnika_naziv: String,
    shown sql_num_vrednost: i16,
    /// Of a set: the query of its options. Of a dynamic hidden one: radnikID, ustanovaID or registarID.
    text upit: Option<String>,
    text link: Option<String>,
    /// Whether the parameter's value is written to the log.
    logged: bool,
}

impl Resource for ReportParameterType {
    type Input = Input;
    type Record = Record;
    type Scope = NoScope;

    const NAME: &'static str = "report-parameter-types";
    const READ: Access = Access::AnyOf(&[Right::ReportSetup]);
    const WRITE: Access = Access::AnyOf(&[Right::ReportSetup]);
    const TABLE: &'static str = "report_parameter_type";

    const LIST: List = List {
        from: "(select t.*, k.naziv as tip_recnika_naziv
                 from report_parameter_type t join report_parameter_kind k on k.num_vrednost = t.tip_recnika)",
        columns: &[
            Column::text("naziv"),
            Column::text("tip_recnika_naziv"),
            Column::number("sql_num_vrednost"),
            Column::text("upit"),
            Column::yes_no("logged"),
        ],
        searched: "naziv, tip_recnika_naziv, upit",
        then: "naziv",
        of: None,
        but: None,
    };

    async fn fetch(db: &mut PgConnection, _: &Actor, ids: &[i64]) -> Result<Vec<(i64, Record)>> {
        let rows = sqlx::query_as!(
            Record,
            r#"select id, naziv, tip_recnika as "tip_recnika: ParameterKind", tip_recnika_naziv, sql_num_vrednost as "sql_num_vrednost!", upit,
                   link, logged, aktivan, verzija from (select t.*, k.naziv as tip_recnika_naziv
                 from report_parameter_type t join report_parameter_kind k on k.num_vrednost = t.tip_recnika) r where id = any($1)"#,
            ids
        );
        Ok(rows.fetch_all(db).await?.into_iter().map(|row| (row.id, row)).collect())
    }

    fn validate(input: &Input, _: Date) -> Result<()> {
        crud::required([
            (input.naziv.is_empty(), "naziv", rules::NO_NAME),
            (input.tip_recnika.is_none(), "tipRecnika", "Niste izabrali tip rečnika."),
        ])?;
        fit::validate_query(input)
    }

    const EXAMINED: &'static [&'static str] = &["tipRecnika", "upit", "link"];

    async fn examine(state: &AppState, actor: &Actor, input: &Input) -> Result<()> {
        fit::refuse_unplanned(state, actor, input).await
    }

    async fn update(tx: &mut PgConnection, _: &Actor, id: i64, input: Input) -> Result<()> {
        fit::refuse_of_defaults(&mut *tx, id, &input).await?;
        crud::update_row::<Self>(tx, id, &input).await
    }

    async fn usages(tx: &mut PgConnection, _: &Actor, _: &AppState, id: i64) -> Result<Vec<String>> {
        let names = sqlx::query_scalar!(
            r#"select p.naziv || ' (' || i.naziv || ')' as "name!" from report_parameter p
                 join report i on i.id = p.izvestaj_id and i.aktivan where p.tip_id = $1 and p.aktivan order by 1"#,
            id
        );
        Ok(Places::default().named("tip je parametra ", &names.fetch_all(tx).await?).all())
    }
}
