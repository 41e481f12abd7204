//! Report types (B §2.11): the second level of the tree of reports.

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

pub struct ReportType;

crud::fields! {
    shown as ReportType, sent as ReportTypeInput;
    text naziv: String,
    needed numericka_vrednost: i32,
    #[serde(rename = "kategorijaID", alias = "kategorija")]
    needed kategorija_id: i64,
    shown kategorija_naziv: String,
}

impl Resource for ReportType {
    type Input = Input;
    type Record = Record;
    type Scope = NoScope;

    const NAME: &'static str = "report-types";
    const READ: Access = Access::AnyOf(&[Right::ReportSetup]);
    const WRITE: Access = Access::AnyOf(&[Right::ReportSetup]);
    const TABLE: &'static str = "report_type";

    const LIST: List = List {
        from: "(select t.*, k.naziv as kategorija_naziv from report_type t join report_category k on k.id = t.kategorija_id)",
        columns: &[Column::text("naziv"), Column::number("numericka_vrednost"), Column::text("kategorija_naziv")],
        searched: "naziv, numericka_vrednost, kategorija_naziv",
        then: "naziv",
        of: None,
        but: None,
    };

    async fn fetch(db: &mut PgConnection, _: &Actor, ids: &[i64]) -> Result<Vec<(i64, Record)>> {
        let rows = sqlx::query_as!(
            Record,
            "select id, naziv, numericka_vrednost, kategorija_id, kategorija_naziv, aktivan, verzija from (select t.*, k.naziv as kategorija_naziv from report_type t join report_category k on k.id = t.kategorija_id) r where id = any($1)",
            ids
        );
        Ok(rows.fetch_all(db).await?.into_iter().map(|row| (row.id, row)).collect())
    }

    fn validate(input: &Input, _: Date) -> Result<()> {
        crud::required([
            (input.naziv.is_empty(), "naziv", rules::NO_NAME),
            (input.numericka_vrednost.is_none(), "numerickaVrednost", rules::NO_NUMBER),
            (input.kategorija_id.is_none(), "kategorijaID", "Niste izabrali kategoriju izveštaja."),
        ])
    }

    async fn usages(tx: &mut PgConnection, _: &Actor, _: &AppState, id: i64) -> Result<Vec<String>> {
        let names = sqlx::query_scalar!("select naziv from report where tip_id = $1 and aktivan order by naziv, id", id);
        Ok(Places::default().named("tip je izveštaja ", &names.fetch_all(tx).await?).all())
    }

    async fn fits_again(tx: &mut PgConnection, _: &Actor, id: i64) -> Result<()> {
        let there =
            sqlx::query_scalar!("select k.aktivan from report_type t join report_category k on k.id = t.kategorija_id where t.id = $1", id);
        crud::refuse_orphan(there.fetch_one(tx).await?, "Prvo vratite kategoriju ovog tipa izveštaja.")
    }
}
