//! Report categories (B §2.11): the first level of the tree of reports.

use accounts::{auth::Actor, rights::Right};
use configuration::{
    admin::usage::Places,
    crud::{self, NoScope, Resource},
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
    crud::resource!("report-categories", table "report_category", scope NoScope, right Right::ReportSetup);

    crud::selected! {
        select "id, naziv, numericka_vrednost, aktivan, verzija",
        from "report_category",
        columns [text "naziv", number "numericka_vrednost"],
        searched "naziv, numericka_vrednost", then "naziv"
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
