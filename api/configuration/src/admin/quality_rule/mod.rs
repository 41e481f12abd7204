//! Rules of quality of a register: what is looked for in what was entered, and the runs that look.

mod check;
mod fields;
mod run;

use accounts::{
    auth::Actor,
    rights::{Access, Right},
};
use domain::entry::quality::{QualityKind, Severity};
use jiff::civil::Date;
use platform::{
    error::{Error, Result},
    routes::Routes,
    rows::Row,
};
use rust_decimal::Decimal;
use sqlx::PgConnection;

use crate::crud::{self, Column, List, ListBind, Resource};

pub struct QualityRule;

crud::fields! {
    shown as QualityRule, sent as QualityRuleInput;
    /// Fixed when the rule is made.
    #[serde(rename = "registarID", alias = "registar")]
    needed registar_id: i64,
    /// None: of every form of the register.
    #[serde(rename = "formID")]
    form_id: Option<i64>,
    text naziv: String,
    /// What is told beside the field; none: as the kind has it.
    text poruka: Option<String>,
    vrsta: QualityKind,
    tezina: Severity,
    /// None: each field that the kind can be about, or the entry's day.
    #[serde(rename = "poljeID")]
    polje_id: Option<i64>,
    /// The later one of two dates.
    #[serde(rename = "drugoPoljeID")]
    drugo_polje_id: Option<i64>,
    #[schema(value_type = Option<f64>)]
    donja_granica: Option<Decimal>,
    #[schema(value_type = Option<f64>)]
    gornja_granica: Option<Decimal>,
    /// The greatest change from one visit to the next.
    #[schema(value_type = Option<f64>)]
    razlika: Option<Decimal>,
    /// In so many days; none: whenever the one before was.
    dana: Option<i32>,
    text formula: Option<String>,
}

#[derive(serde::Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Scope {
    /// Only the rules of this register.
    #[serde(rename = "registar")]
    of: Option<i64>,
}

pub fn routes() -> Routes {
    Routes::new().merge(crud::routes::<QualityRule>()).merge(run::routes()).merge(fields::routes())
}

impl Resource for QualityRule {
    type Input = Input;
    type Record = Record;
    type Scope = Scope;

    const NAME: &'static str = "quality-rules";
    const READ: Access = Access::AnyOf(&[Right::QualityRules]);
    const WRITE: Access = Access::AnyOf(&[Right::QualityRules]);
    const TABLE: &'static str = "quality_rule";

    const FIXED: &'static [&'static str] = &["registar_id"];

    const LIST: List = List {
        from: "quality_rule",
        columns: &[Column::text("naziv"), Column::text("vrsta"), Column::text("tezina"), Column::text("poruka")],
        searched: "naziv, poruka",
        then: "naziv",
        of: Some("registar_id = $7"),
        but: None,
    };

    fn binds(_: &Actor, scope: &Scope) -> Vec<ListBind> {
        vec![ListBind::Id(scope.of)]
    }

    async fn fetch(db: &mut PgConnection, _: &Actor, ids: &[i64]) -> Result<Vec<(i64, Record)>> {
        let rows = sqlx::query_as!(
            Record,
            r#"select id, registar_id, form_id, naziv, poruka, vrsta as "vrsta: QualityKind", tezina as "tezina: Severity", polje_id,
                      drugo_polje_id, donja_granica, gornja_granica, razlika, dana, formula, aktivan, verzija
                 from quality_rule where id = any($1)"#,
            ids
        );
        Ok(rows.fetch_all(db).await?.into_iter().map(|row| (row.id, row)).collect())
    }

    fn validate(input: &Input, _: Date) -> Result<()> {
        check::shape(input)
    }

    async fn insert(tx: &mut PgConnection, _: &Actor, input: Input) -> Result<i64> {
        check::fits(&mut *tx, &input).await?;
        let id = crud::insert_row::<Self>(&mut *tx, &input).await?;
        look_again(tx, input.registar_id).await?;
        Ok(id)
    }

    async fn update(tx: &mut PgConnection, _: &Actor, id: i64, input: Input) -> Result<()> {
        // A rule stays with its register, whatever was sent.
        let register = sqlx::query_scalar!("select registar_id from quality_rule where id = $1", id).fetch_one(&mut *tx).await?;
        let input = Input { registar_id: Some(register), ..input };
        check::fits(&mut *tx, &input).await?;
        crud::update_row::<Self>(&mut *tx, id, &input).await?;
        look_again(tx, Some(register)).await
    }

    async fn fits_again(tx: &mut PgConnection, _: &Actor, id: i64) -> Result<()> {
        let there = sqlx::query!("select g.aktivan, g.id from quality_rule r join register g on g.id = r.registar_id where r.id = $1", id)
            .fetch_one(&mut *tx)
            .await?;
        crud::refuse_orphan(there.aktivan, "Prvo vratite registar ovog pravila.")?;
        look_again(tx, Some(there.id)).await
    }
}

/// The columns of a rule that a file has, where the administration would take it.
pub async fn checked_row(tx: &mut PgConnection, input: &Input) -> Result<Row> {
    check::shape(input)?;
    check::fits(tx, input).await?;
    crud::columns(input)
}

/// The patients of the register are looked at anew, in the transaction that changes its rules.
pub async fn look_again(tx: &mut PgConnection, register: Option<i64>) -> Result<()> {
    let register = register.ok_or(Error::NotFound)?;
    sqlx::query!("select order_quality_run($1)", register).fetch_one(tx).await?;
    Ok(())
}
