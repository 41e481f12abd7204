//! Report categories (B §2.11): the first level of the tree of reports.

use accounts::{
    auth::Actor,
    rights::{Access, Right},
};
use configuration::{
    admin::usage::Places,
    crud::{self, Column, List, NoScope, Resource},
};
use domain::register::rules;
use jiff::civil::Date;
use platform::{error::Result, state::AppState};
use sqlx::PgConnection;

pub struct ReportCategory;

crud::fields! {
    shown as ReportCategory, sent as ReportCategoryInput;
    text naziv: String,
    needed numericka_vrednost: i32,
}

impl Resource for ReportCategory {
    type Input = Input;
    type Record = Record;
    type Scope = NoScope;

    const NAME: &'static str = "report-categories";
    const READ: Access = Access::AnyOf(&[Right::ReportSetup]);
    const WRITE: Access = Access::AnyOf(&[Right::ReportSetup]);
    const TABLE: &'static str = "report_category";

    const LIST: List = List {
        from: "report_category",
        columns: &[Column::text("naziv"), Column::number("numericka_vrednost")],
        searched: "naziv, numericka_vrednost",
        then: "naziv",
        of: None,
        but: None,
    };

    async fn fetch(db: &mut PgConnection, _: &Actor, ids: &[i64]) -> Result<Vec<(i64, Record)>> {
        let rows = sqlx::query_as!(
            Record,
            "select id, naziv, numericka_vrednost, aktivan, verzija from report_category r where id = any($1)",
            ids
        );
        Ok(rows.fetch_all(db).await?.into_iter().map(|row| (row.id, row)).collect())
    }

    fn validate(input: &Input, _: Date) -> Result<()> {
        crud::required([
            (input.naziv.is_empty(), "naziv", rules::NO_NAME),
            (input.numericka_vrednost.is_none(), "numerickaVrednost", rules::NO_NUMBER),
        ])
    }

    async fn usages(tx: &mut PgConnection, _: &Actor, _: &AppState, id: i64) -> Result<Vec<String>> {
        let names = sqlx::query_scalar!("select naziv from report_type where kategorija_id = $1 and aktivan order by naziv, id", id);
        Ok(Places::default().named("kategorija je tipa izveštaja ", &names.fetch_all(tx).await?).all())
    }
}
