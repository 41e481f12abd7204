//! Institutions (B §2.7). Everyone may read them; what signs an institution in is for administrators only. They are changed by those who
//! belong to them, made and brought back by administrators of all institutions.

use accounts::{
    auth::Actor,
    reach,
    rights::{Access, Right},
};
use domain::register::rules;
use jiff::civil::Date;
use platform::{error::Result, rows::Row, state::AppState};
use sqlx::PgConnection;

use crate::{
    admin::usage,
    crud::{self, Column, List, ListBind, Resource},
};

pub struct Institution;

crud::fields! {
    shown as Institution, sent as InstitutionInput;
    text naziv: String,
    text sifra: Option<String>,
    text adresa: Option<String>,
    text telefon: Option<String>,
    text username: Option<String>,
    /// Never shown; left out, it stays as it is.
    sent password: Option<String>,
    /// The caller administers its workers: a worker may be sent there by her.
    shown administrira: bool,
    /// The caller may change and delete it.
    shown menja: bool,
}

#[derive(serde::Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Scope {
    /// Only the institutions that this worker belongs to.
    #[serde(rename = "radnik")]
    of: Option<i64>,
}

impl Resource for Institution {
    type Input = Input;
    type Record = Record;
    type Scope = Scope;

    const NAME: &'static str = "institutions";
    const READ: Access = Access::Everyone;
    const WRITE: Access = Access::AnyOf(&[Right::Institutions]);
    const TABLE: &'static str = "institution";

    const LIST: List = List {
        from: "(select u.*, $9 and administers_institution($8, u.id) as administrira from institution u)",
        columns: &[
            Column::text("naziv"),
            Column::text("sifra"),
            Column::text("adresa"),
            Column::text("telefon"),
            Column::yes_no("administrira"),
        ],
        searched: "naziv, sifra, adresa, telefon",
        then: "naziv",
        of: Some(
            "$7 in (select radnik_id from workers_in_reach($8))
            and exists (select from worker_institution l where l.ustanova_id = r.id and l.radnik_id = $7)",
        ),
        but: None,
    };

    fn binds(actor: &Actor, scope: &Scope) -> Vec<ListBind> {
        vec![ListBind::Id(scope.of), ListBind::Id(Some(actor.radnik_id)), ListBind::Flag(actor.prava.holds(Right::Workers))]
    }

    async fn fetch(db: &mut PgConnection, actor: &Actor, ids: &[i64]) -> Result<Vec<(i64, Record)>> {
        let rows = sqlx::query_as!(
            Record,
            r#"select id, naziv, sifra, adresa, telefon, case when $2 then username end as username,
                  ($3 and administers_institution($4, id)) as "administrira!",
                  ($2 and administers_institution($4, id)) as "menja!", aktivan, verzija
             from institution where id = any($1)"#,
            ids,
            actor.prava.holds(Right::Institutions),
            actor.prava.holds(Right::Workers),
            actor.radnik_id
        );
        Ok(rows.fetch_all(db).await?.into_iter().map(|row| (row.id, row)).collect())
    }

    fn may_list(actor: &Actor, scope: &Scope) -> Result<()> {
        match scope.of {
            Some(radnik) if radnik != actor.radnik_id => actor.require_any(&[Right::Institutions, Right::Workers]),
            _ => Ok(()),
        }
    }

    fn validate(input: &Input, _: Date) -> Result<()> {
        crud::required([(input.naziv.is_empty(), "naziv", rules::NO_NAME)])
    }

    async fn row(input: &Input) -> Result<Row> {
        let mut row = crud::columns(input)?;
        crud::hash_password(&mut row, "password", "password_hash").await?;
        Ok(row)
    }

    async fn insert(tx: &mut PgConnection, actor: &Actor, input: Input) -> Result<i64> {
        reach::require_everywhere(tx, actor, "Novu ustanovu upisuje administrator svih ustanova.").await?;
        crud::insert_row::<Self>(tx, &input).await
    }

    async fn update(tx: &mut PgConnection, actor: &Actor, id: i64, input: Input) -> Result<()> {
        reach::require_own_institution(tx, actor, id).await?;
        crud::update_row::<Self>(tx, id, &input).await
    }

    async fn fits_again(tx: &mut PgConnection, actor: &Actor, _: i64) -> Result<()> {
        reach::require_everywhere(tx, actor, "Obrisanu ustanovu vraća administrator svih ustanova.").await
    }

    /// A worker of a deleted institution would work for nobody, unseen; its patients and entries would have nobody.
    async fn usages(tx: &mut PgConnection, actor: &Actor, _: &AppState, id: i64) -> Result<Vec<String>> {
        reach::require_own_institution(&mut *tx, actor, id).await?;
        usage::institution::places(tx, id).await
    }
}
