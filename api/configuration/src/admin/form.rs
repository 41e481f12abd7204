//! Forms of a register (B §2.3): tip hijerarhije atributa, whose id is tsaID and thaID.

use accounts::{
    auth::Actor,
    rights::{Access, Right},
};
use domain::register::rules;
use jiff::civil::Date;
use platform::{
    error::{Error, Result, refuse_first},
    state::AppState,
};
use sqlx::PgConnection;

use crate::{
    admin::{impact::Before, other_forms, usage},
    crud::{self, Column, List, ListBind, Resource},
};

pub struct Form;

/// Between two forms there is room for one more.
const ORDER_STEP: i32 = 10;

crud::fields! {
    shown as Form, sent as FormInput;
    /// Fixed when the form is made.
    #[serde(rename = "registarID", alias = "registar")]
    needed registar_id: i64,
    text naziv: String,
    text naziv_engleski: Option<String>,
    /// None: after the register's last form.
    needed prikazni_redosled: i32,
    moze_se_instancirati: bool = true,
    text sifra_veza: Option<String>,
    text napomena: Option<String>,
    text opis: Option<String>,
    maksimalan_broj_instanci_po_kontaktu: Option<i32>,
    maksimalan_broj_instanci_po_pacijentu: Option<i32>,
}

#[derive(serde::Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Scope {
    /// Only the forms of this register.
    #[serde(rename = "registar")]
    of: Option<i64>,
}

impl Resource for Form {
    type Input = Input;
    type Record = Record;
    type Scope = Scope;

    const NAME: &'static str = "forms";
    const READ: Access = Access::AnyOf(&[Right::Registers]);
    const WRITE: Access = Access::AnyOf(&[Right::Registers]);
    const TABLE: &'static str = "form";

    const FIXED: &'static [&'static str] = &["registar_id"];

    const LIST: List = List {
        from: "form",
        columns: &[
            Column::number("prikazni_redosled"),
            Column::text("naziv"),
            Column::text("naziv_engleski"),
            Column::text("sifra_veza"),
            Column::text("opis"),
        ],
        searched: "naziv, naziv_engleski, sifra_veza, opis",
        then: "naziv",
        of: Some("registar_id = $7"),
        but: None,
    };

    fn binds(_: &Actor, scope: &Scope) -> Vec<ListBind> {
        vec![ListBind::Id(scope.of)]
    }

    async fn fetch(db: &mut PgConnection, _: &Actor, ids: &[i64]) -> Result<Vec<(i64, Record)>> {
        let rows = sqlx::query_as!(Record, "select id, registar_id, naziv, naziv_engleski, prikazni_redosled, moze_se_instancirati, sifra_veza, napomena, opis,
                 maksimalan_broj_instanci_po_kontaktu, maksimalan_broj_instanci_po_pacijentu, aktivan, verzija from form r where id = any($1)", ids);
        Ok(rows.fetch_all(db).await?.into_iter().map(|row| (row.id, row)).collect())
    }

    fn validate(input: &Input, _: Date) -> Result<()> {
        let (per_contact, per_patient) = (input.maksimalan_broj_instanci_po_kontaktu, input.maksimalan_broj_instanci_po_pacijentu);
        refuse_first(rules::of_form(&input.naziv, per_contact, per_patient))?;
        crud::required([(input.registar_id.is_none(), "registarID", "Niste izabrali registar.")])
    }

    async fn insert(tx: &mut PgConnection, _: &Actor, input: Input) -> Result<i64> {
        let input = with_order(&mut *tx, input).await?;
        crud::insert_row::<Self>(tx, &input).await
    }

    async fn update(tx: &mut PgConnection, _: &Actor, id: i64, input: Input) -> Result<()> {
        let input = with_order(&mut *tx, input).await?;
        crud::update_row::<Self>(&mut *tx, id, &input).await?;
        other_forms::refuse_broken_readers_of(tx, id).await
    }

    async fn usages(tx: &mut PgConnection, _: &Actor, state: &AppState, id: i64) -> Result<Vec<String>> {
        usage::form::places(tx, &state.config.template_dir, id).await
    }

    async fn fits_again(tx: &mut PgConnection, _: &Actor, id: i64) -> Result<()> {
        let missing = sqlx::query!(
            r#"
            select r.aktivan as "register_there!",
                   (select t.naziv from form_field c join attribute_type t on t.id = c.tip_atributa_id join form_field_place m on m.polje_id = c.id
                     where c.tip_skupa_atributa_id = f.id and c.aktivan and not t.aktivan order by m.mesto limit 1) as kind
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
    async fn bring_back(tx: &mut PgConnection, actor: &Actor, id: i64, told: Option<i64>) -> Result<()> {
        let before = Before::of_form(tx, id).await?;
        Self::set_active(tx, id, true).await?;
        Self::fits_again(tx, actor, id).await?;
        other_forms::refuse_broken_readers_of(tx, id).await?;
        before.settle(tx, told).await
    }
}

/// A form without a number of order comes last.
async fn with_order(tx: &mut PgConnection, input: Input) -> Result<Input> {
    if input.prikazni_redosled.is_some() {
        return Ok(input);
    }
    let next = sqlx::query_scalar!(
        r#"select coalesce(max(prikazni_redosled), 0) + $2 as "next!" from form where registar_id = $1 and aktivan"#,
        input.registar_id,
        ORDER_STEP
    );
    Ok(Input { prikazni_redosled: Some(next.fetch_one(tx).await?), ..input })
}
