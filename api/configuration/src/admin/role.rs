//! Roles (B §2.6): what gives workers their rights.

mod opening;

use accounts::{
    auth::Actor,
    ceiling, confirming, reach,
    rights::{Access, Patients, Right, Rights},
};
use domain::register::rules;
use jiff::civil::Date;
use platform::{error::Result, state::AppState};
use sqlx::PgConnection;

use crate::{
    admin::usage::Places,
    crud::{self, Column, List, ListBind, Resource},
};

pub struct Role;

crud::fields! {
    shown as Role, sent as RoleInput;
    text ime: String,
    text opis: Option<String>,
    numericka_vrednost: Option<i32>,
    /// Who holds it may be named as the doctor responsible for an entry.
    explained moze_biti_odgovoran: bool,
    /// Who holds it signs in in two steps.
    explained drugi_faktor: bool,
    /// What the role opens of patients.
    explained pacijenti: Patients,
    /// Who holds it administers the workers of every institution, not those of the own ones alone.
    explained sve_ustanove: bool,
}

impl Input {
    /// What it gives besides its rights.
    fn opening(&self) -> Rights {
        Rights::new(&[], self.pacijenti).reaching(self.sve_ustanove)
    }
}

#[derive(serde::Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Scope {
    /// Only the roles of this worker.
    #[serde(rename = "radnik")]
    of: Option<i64>,
}

impl Resource for Role {
    type Input = Input;
    type Record = Record;
    type Scope = Scope;

    const NAME: &'static str = "roles";
    const READ: Access = Access::AnyOf(&[Right::Roles, Right::Workers]);
    const WRITE: Access = Access::AnyOf(&[Right::Roles]);
    const TABLE: &'static str = "role";

    const LIST: List = List {
        from: "role",
        columns: &[
            Column::text("ime"),
            Column::choice("pacijenti", &["ne", "uvid", "izmena"]),
            Column::text("opis"),
            Column::number("numericka_vrednost"),
            Column::yes_no("sve_ustanove"),
        ],
        searched: "ime, opis",
        then: "ime",
        of: Some(
            "$7 in (select radnik_id from workers_in_reach($8)) and exists (select from worker_role l where l.uloga_id = r.id and l.radnik_id = $7)",
        ),
        but: None,
    };

    fn binds(actor: &Actor, scope: &Scope) -> Vec<ListBind> {
        vec![ListBind::Id(scope.of), ListBind::Id(Some(actor.radnik_id))]
    }

    async fn fetch(db: &mut PgConnection, _: &Actor, ids: &[i64]) -> Result<Vec<(i64, Record)>> {
        let rows = sqlx::query_as!(
            Record,
            r#"select id, ime, opis, numericka_vrednost, moze_biti_odgovoran, drugi_faktor, pacijenti as "pacijenti: Patients", sve_ustanove, aktivan, verzija from role r where id = any($1)"#,
            ids
        );
        Ok(rows.fetch_all(db).await?.into_iter().map(|row| (row.id, row)).collect())
    }

    fn validate(input: &Input, _: Date) -> Result<()> {
        crud::required([(input.ime.is_empty(), "ime", rules::NO_NAME)])
    }

    async fn insert(tx: &mut PgConnection, actor: &Actor, input: Input) -> Result<i64> {
        ceiling::over_opening(tx, actor, &input.opening()).await?;
        let id = crud::insert_row::<Self>(&mut *tx, &input).await?;
        opening::watch(tx, actor, id, &Rights::default(), &input.opening()).await?;
        Ok(id)
    }

    async fn update(tx: &mut PgConnection, actor: &Actor, id: i64, input: Input) -> Result<()> {
        ceiling::over_changed_role(tx, actor, id).await?;
        ceiling::over_opening(tx, actor, &input.opening()).await?;
        let before = ceiling::givable(tx).await?;
        let opened = opening::of(tx, id).await?;
        let asked_twice = sqlx::query_scalar!("select drugi_faktor from role where id = $1", id).fetch_one(&mut *tx).await?;
        crud::update_row::<Self>(&mut *tx, id, &input).await?;
        ceiling::refuse_last_loss(tx, &before).await?;
        if asked_twice && !input.drugi_faktor {
            confirming::dangerous(&mut *tx, actor, "role", id, "Uloga više ne traži prijavu u dva koraka.").await?;
        }
        opening::watch(tx, actor, id, &opened, &input.opening()).await
    }

    async fn usages(tx: &mut PgConnection, actor: &Actor, _: &AppState, id: i64) -> Result<Vec<String>> {
        reach::require_holders(&mut *tx, actor, id).await?;
        let workers = sqlx::query_scalar!(
            r#"select w.prezime || ' ' || w.ime as "name!" from worker_role l join worker w on w.id = l.radnik_id and w.aktivan
                where l.uloga_id = $1 order by 1, w.id"#,
            id
        );
        Ok(Places::default().named("ulogu ima radnik ", &workers.fetch_all(tx).await?).all())
    }

    /// Who brings a role back gives what it gives.
    async fn fits_again(tx: &mut PgConnection, actor: &Actor, id: i64) -> Result<()> {
        ceiling::over_changed_role(tx, actor, id).await?;
        if ceiling::given_by(tx, id).await?.is_nothing() {
            return Ok(());
        }
        confirming::dangerous(tx, actor, "role", id, "Vraća se obrisana uloga, sa svime što daje.").await
    }

    async fn remove(tx: &mut PgConnection, actor: &Actor, id: i64) -> Result<()> {
        ceiling::over_changed_role(tx, actor, id).await?;
        let before = ceiling::givable(tx).await?;
        Self::set_active(&mut *tx, id, false).await?;
        ceiling::refuse_own_loss(tx, actor).await?;
        ceiling::refuse_last_loss(tx, &before).await
    }
}
