//! Workers (B §2.2), and a worker's own profile (A §2.11): one record, changed by two kinds of people.

mod fit;
mod membership;
mod profile;

use accounts::{
    auth::{self, Actor},
    ceiling, confirming, passwords, reach,
    rights::{Access, Right},
};
use configuration::crud::{self, Column, List, ListBind, Resource};
use domain::{db::SYSTEM_WORKER, text};
use jiff::civil::Date;
use platform::{
    error::{Error, Result},
    rows::{self, Row},
};
use reporting::reports::end_left_behind;
use sqlx::PgConnection;

pub use self::profile::routes;

/// The look of the screens of who has chosen none.
const DEFAULT_THEME: &str = "regix";

pub struct Worker;

crud::fields! {
    shown as Worker, sent as WorkerInput;
    text username: String,
    /// Taken on create only; later it is changed by `worker-password-change`.
    sent password: String,
    text ime: String,
    text prezime: String,
    shown ime_prezime: String,
    text lbo: Option<String>,
    text jmbg: Option<String>,
    /// The primary institution; the worker becomes a member of it.
    #[serde(rename = "ustanovaID")]
    explained ustanova_id: Option<i64>,
    shown ustanova_naziv: Option<String>,
    #[schema(value_type = Option<String>, format = Date)]
    datum_rodjenja: Option<jiff_sqlx::Date>,
    /// The password for web services; never shown; left out, it stays as it is.
    #[serde(rename = "passwordWS")]
    sent password_ws: Option<String>,
    /// True: male.
    explained pol: Option<bool>,
    text adresa: Option<String>,
    text email: Option<String>,
    text telefon: Option<String>,
    text sifra: Option<String>,
    #[serde(deserialize_with = "text::optional")]
    sent theme: Option<String>,
    shown theme: String,
    /// Since when an account of the hospital's provider of sign-ins is hers.
    #[schema(value_type = Option<String>, format = DateTime)]
    shown spoljni_nalog_od: Option<jiff_sqlx::Timestamp>,
}

#[derive(serde::Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Scope {
    /// Only the members of this institution.
    #[serde(rename = "ustanova")]
    of: Option<i64>,
}

impl Resource for Worker {
    type Input = Input;
    type Record = Record;
    type Scope = Scope;

    const NAME: &'static str = "workers";
    const READ: Access = Access::AnyOf(&[Right::Workers]);
    const WRITE: Access = Access::AnyOf(&[Right::Workers]);
    const TABLE: &'static str = "worker";

    const LIST: List = List {
        from: "(select w.id, w.aktivan, w.prezime, w.ime, w.datum_rodjenja, w.username, u.naziv as ustanova_naziv, w.sifra, w.adresa
                 from worker w left join institution u on u.id = w.ustanova_id)",
        columns: &[
            Column::text("prezime"),
            Column::text("ime"),
            Column::date("datum_rodjenja"),
            Column::text("username"),
            Column::text("ustanova_naziv"),
            Column::text("sifra"),
            Column::text("adresa"),
        ],
        searched: "ime, prezime, ime, username, ustanova_naziv, sifra, adresa",
        then: "prezime, ime",
        of: Some("exists (select from worker_institution l where l.radnik_id = r.id and l.ustanova_id = $7)"),
        but: Some("id <> $8 and ((select administers_all($9)) or id in (select radnik_id from workers_in_reach($9)))"),
    };

    fn binds(actor: &Actor, scope: &Scope) -> Vec<ListBind> {
        vec![ListBind::Id(scope.of), ListBind::Id(Some(SYSTEM_WORKER)), ListBind::Id(Some(actor.radnik_id))]
    }

    async fn fetch(db: &mut PgConnection, actor: &Actor, ids: &[i64]) -> Result<Vec<(i64, Record)>> {
        let rows = sqlx::query_as!(
            Record,
            r#"select w.id, w.username, w.ime, w.prezime, w.ime || ' ' || w.prezime as "ime_prezime!", w.lbo, w.jmbg, w.ustanova_id,
                  (select naziv from institution where id = w.ustanova_id) as ustanova_naziv, w.datum_rodjenja, w.pol, w.adresa, w.email,
                  w.telefon, w.sifra, w.theme,
                  (select min(povezan_at) from external_account where radnik_id = w.id) as "spoljni_nalog_od: jiff_sqlx::Timestamp",
                  w.aktivan, w.verzija
             from worker w
            where w.id = any($1) and w.id <> $2 and w.id in (select radnik_id from workers_in_reach($3))"#,
            ids,
            SYSTEM_WORKER,
            actor.radnik_id
        );
        Ok(rows.fetch_all(db).await?.into_iter().map(|row| (row.id, row)).collect())
    }

    fn validate(input: &Input, today: Date) -> Result<()> {
        crud::required([
            (input.username.is_empty(), "username", "Niste uneli korisničko ime."),
            (input.ime.is_empty(), "ime", "Niste uneli ime."),
            (input.prezime.is_empty(), "prezime", "Niste uneli prezime."),
        ])?;
        fit::refuse_wrong(input, today)
    }

    async fn row(input: &Input) -> Result<Row> {
        let mut row = crud::columns(input)?;
        row.remove("password");
        crud::hash_password(&mut row, "password_ws", "password_ws_hash").await?;
        if input.theme.is_none() {
            row.insert("theme".to_owned(), DEFAULT_THEME.into());
        }
        Ok(row)
    }

    async fn insert(tx: &mut PgConnection, actor: &Actor, input: Input) -> Result<i64> {
        fit::refuse_new(&mut *tx, &input).await?;
        membership::refuse_nowhere(&mut *tx, actor, input.ustanova_id).await?;
        let mut row = Self::row(&input).await?;
        row.insert("password_hash".to_owned(), passwords::hash(input.password).await?.into());
        row.insert("mora_promeniti_lozinku".to_owned(), true.into());
        let id = rows::create(&mut *tx, Self::TABLE, row).await?;
        membership::join(tx, actor, id, input.ustanova_id).await?;
        Ok(id)
    }

    async fn update(tx: &mut PgConnection, actor: &Actor, id: i64, input: Input) -> Result<()> {
        ceiling::over_worker(tx, actor, id).await?;
        fit::refuse_way_in(tx, actor, id, &input).await?;
        membership::change(tx, actor, id, input.ustanova_id).await?;
        crud::update_row::<Self>(&mut *tx, id, &input).await?;
        end_left_behind(tx, actor.radnik_id, id).await
    }

    /// Who brings a worker back gives the rights of all the worker's roles.
    async fn fits_again(tx: &mut PgConnection, actor: &Actor, id: i64) -> Result<()> {
        let there = sqlx::query_scalar!(
            r#"select coalesce(u.aktivan, true) as "there!" from worker w left join institution u on u.id = w.ustanova_id where w.id = $1"#,
            id
        );
        let there = there.fetch_one(&mut *tx).await?;
        ceiling::over_worker(tx, actor, id).await?;
        reach::require_all_of(tx, actor, id).await?;
        crud::refuse_orphan(there, "Prvo vratite ustanovu ovog radnika.")?;
        confirming::worker_returned(tx, actor, id).await
    }

    /// A deactivated worker is signed out everywhere at once.
    async fn remove(tx: &mut PgConnection, actor: &Actor, id: i64) -> Result<()> {
        if actor.radnik_id == id {
            return Err(Error::conflict("Ne možete obrisati sopstveni nalog."));
        }
        ceiling::over_worker(tx, actor, id).await?;
        reach::require_all_of(tx, actor, id).await?;
        let before = ceiling::givable(tx).await?;
        Self::set_active(tx, id, false).await?;
        auth::end_sessions(tx, id, None).await?;
        ceiling::refuse_last_loss(tx, &before).await
    }
}
