//! Parameters (B §2.1): switches and numbers that the whole installation shares.

mod walls;

use accounts::{
    auth::Actor,
    rights::{Access, Right},
};
use domain::{
    mail_address::AllowedDomains,
    parameters::{self, DOMAINS},
    report_wording,
};
use jiff::civil::Date;
use platform::error::{Error, Result};
use sqlx::PgConnection;

use crate::crud::{self, Column, List, NoScope, Resource};

pub struct Parameter;

crud::fields! {
    shown as Parameter, sent as ParameterInput;
    text naziv: String,
    text vrednost: String,
    text opis: Option<String>,
}

impl Resource for Parameter {
    type Input = Input;
    type Record = Record;
    type Scope = NoScope;

    const NAME: &'static str = "parameters";
    const READ: Access = Access::AnyOf(&[Right::Parameters]);
    const WRITE: Access = Access::AnyOf(&[Right::Parameters]);
    const TABLE: &'static str = "parameter";

    const LIST: List = List {
        from: "parameter",
        columns: &[Column::text("naziv"), Column::text("vrednost"), Column::text("opis")],
        searched: "naziv, vrednost, opis",
        then: "naziv",
        of: None,
        but: None,
    };

    async fn fetch(db: &mut PgConnection, _: &Actor, ids: &[i64]) -> Result<Vec<(i64, Record)>> {
        let rows = sqlx::query_as!(Record, "select id, naziv, vrednost, opis, aktivan, verzija from parameter r where id = any($1)", ids);
        Ok(rows.fetch_all(db).await?.into_iter().map(|row| (row.id, row)).collect())
    }

    fn validate(input: &Input, _: Date) -> Result<()> {
        let may_be_blank = input.naziv == DOMAINS.naziv;
        crud::required([
            (input.naziv.is_empty(), "naziv", "Niste uneli naziv."),
            (input.vrednost.is_empty() && !may_be_blank, "vrednost", "Niste uneli vrednost."),
        ])?;
        match refusal(&input.naziv, &input.vrednost) {
            Some(refusal) => Err(Error::invalid("vrednost", refusal)),
            None => Ok(()),
        }
    }

    /// The screens save a switch by its name (A §7, create-parameter): a parameter that exists is given the new value.
    async fn insert(tx: &mut PgConnection, actor: &Actor, input: Input) -> Result<i64> {
        let before = parameters::load(&mut *tx).await?;
        let id = sqlx::query_scalar!(
            "insert into parameter (naziv, vrednost, opis) values ($1, $2, $3)
             on conflict (naziv) where aktivan
             do update set vrednost = excluded.vrednost, opis = coalesce(excluded.opis, parameter.opis)
             returning id",
            input.naziv,
            input.vrednost,
            input.opis
        );
        let id = id.fetch_one(&mut *tx).await?;
        walls::watch(tx, actor, id, &before).await?;
        Ok(id)
    }

    async fn update(tx: &mut PgConnection, actor: &Actor, id: i64, input: Input) -> Result<()> {
        let before = parameters::load(&mut *tx).await?;
        crud::update_row::<Self>(&mut *tx, id, &input).await?;
        walls::watch(tx, actor, id, &before).await
    }

    async fn remove(tx: &mut PgConnection, actor: &Actor, id: i64) -> Result<()> {
        let before = parameters::load(&mut *tx).await?;
        Self::set_active(&mut *tx, id, false).await?;
        walls::watch(tx, actor, id, &before).await
    }

    async fn fits_again(tx: &mut PgConnection, actor: &Actor, id: i64) -> Result<()> {
        let naziv = sqlx::query_scalar!("select naziv from parameter where id = $1", id).fetch_one(&mut *tx).await?;
        let before = parameters::load(&mut *tx).await?.without(&naziv);
        walls::watch(tx, actor, id, &before).await
    }
}

/// Why a parameter of this name may not have the value.
fn refusal(naziv: &str, vrednost: &str) -> Option<String> {
    if naziv != DOMAINS.naziv {
        return parameters::refusal(naziv, vrednost).or_else(|| report_wording::refusal(naziv, vrednost));
    }
    let wrong: String = AllowedDomains::parse(vrednost).err()?.chars().take(80).collect();
    Some(format!("„{wrong}” nije domen. Unesite domene kao „bolnica.rs”, razdvojene zarezom."))
}
