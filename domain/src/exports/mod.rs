//! Exports of data: what one was asked to hold, as the api counts it and as an engine writes it.

mod day;
mod rows;
mod unnamed;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use sqlx::{PgConnection, PgExecutor};
use utoipa::ToSchema;
use uuid::Uuid;

pub use day::TellingDay;
pub use rows::{Count, Key, Row, count, rows, without_consent};
pub use unnamed::{UnnamedField, UnnamedFields};

use crate::{jobs::Queue, parameters};

/// Whether those whose data leave can be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, sqlx::Type)]
#[serde(rename_all = "snake_case")]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum Profile {
    /// Names, numbers, dates and texts as they are.
    Identitet,
    /// A study number, shifted dates, the year of birth, no texts.
    BezIdentiteta,
}

/// What a row of the data set is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, sqlx::Type)]
#[serde(rename_all = "snake_case")]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum RowOf {
    /// Every entry of the form.
    Unos,
    /// A patient: the latest entry of the form, or what the register knows of the patient.
    Pacijent,
}

/// Which entries, by what somebody has made of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema, sqlx::Type)]
#[serde(rename_all = "snake_case")]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum WantedStates {
    #[default]
    Svi,
    /// Finished, and signed with them.
    Zavrseni,
    /// With a signature that holds.
    Potpisani,
}

impl WantedStates {
    /// As the file's own page and the log say it.
    pub fn words(self) -> &'static str {
        match self {
            Self::Svi => "svi",
            Self::Zavrseni => "samo završeni i potpisani",
            Self::Potpisani => "samo potpisani",
        }
    }
}

/// Whose and which entries.
#[derive(Debug, Clone)]
pub struct Selection {
    pub registar_id: i64,
    /// None: the patients of the register.
    pub tsa_id: Option<i64>,
    pub red: RowOf,
    pub datum_od: Option<jiff::civil::Date>,
    pub datum_do: Option<jiff::civil::Date>,
    /// Entries of these institutions only.
    pub ustanove: Vec<i64>,
    pub profil: Profile,
    /// Only patients whom this search has shown.
    pub pretraga: Option<LoggedSearch>,
    /// All where the rows are the patients of the register.
    pub stanja: WantedStates,
}

/// A search, as the log holds it with the patients whom it has shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoggedSearch {
    pub zapis: i64,
    pub vreme: Timestamp,
}

/// An export as it is asked for.
#[derive(Debug, Clone)]
pub struct NewExport {
    pub run: Uuid,
    pub radnik_id: i64,
    pub selection: Selection,
    /// Chosen fields; none: all.
    pub polja: Option<Vec<i64>>,
    pub xlsx: bool,
    pub razlog: String,
    pub count: Count,
}

/// Writes the export and its run, which waits in the queue of what people wait for. `None`: the worker has sent this idempotency key
/// before, and nothing may be kept of this transaction.
pub async fn insert(conn: &mut PgConnection, new: &NewExport, client_key: Option<Uuid>) -> sqlx::Result<Option<Uuid>> {
    let selection = &new.selection;
    let id = sqlx::query_scalar!(
        "insert into data_export (registar_id, tsa_id, red, polja, datum_od, datum_do, ustanove, profil, xlsx, razlog, redova, pacijenata,
                                  pretraga_id, pretraga_vreme, stanja)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) returning id",
        selection.registar_id,
        selection.tsa_id,
        selection.red as RowOf,
        new.polja.as_deref() as Option<&[i64]>,
        selection.datum_od.map(jiff_sqlx::Date::from) as _,
        selection.datum_do.map(jiff_sqlx::Date::from) as _,
        &selection.ustanove,
        selection.profil as Profile,
        new.xlsx,
        new.razlog,
        new.count.redova,
        new.count.pacijenata,
        selection.pretraga.map(|search| search.zapis),
        selection.pretraga.map(|search| jiff_sqlx::Timestamp::from(search.vreme)) as _,
        selection.stanja as WantedStates
    )
    .fetch_one(&mut *conn)
    .await?;
    sqlx::query_scalar!(
        "insert into report_run (id, izvoz_id, radnik_id, ustanova_id, registar_id, client_key, queue, formati)
         values ($1, $2, $3, $4, $5, $6, $7, '{ZIP}')
         on conflict (radnik_id, client_key) do nothing
         returning id",
        new.run,
        id,
        new.radnik_id,
        selection.ustanove[0],
        selection.registar_id,
        client_key,
        Queue::Interactive.column()
    )
    .fetch_optional(conn)
    .await
}

/// An export that a run makes.
#[derive(Debug, Clone)]
pub struct Export {
    pub id: i64,
    pub radnik_id: i64,
    /// Who asked.
    pub radnik: String,
    pub selection: Selection,
    pub polja: Option<Vec<i64>>,
    pub xlsx: bool,
    pub razlog: String,
    pub registar: String,
    pub obrazac: Option<String>,
    pub ustanove: Vec<(i64, String)>,
    /// Of an export without identity.
    pub unnamed: UnnamedFields,
}

/// What a run exports. `None`: it makes something else.
pub async fn of_run(db: &mut PgConnection, run: Uuid) -> sqlx::Result<Option<Export>> {
    let row = sqlx::query!(
        r#"select d.id, d.registar_id, d.tsa_id, d.red as "red: RowOf", d.polja, d.datum_od as "datum_od: jiff_sqlx::Date",
                  d.datum_do as "datum_do: jiff_sqlx::Date", d.ustanove, d.profil as "profil: Profile", d.stanja as "stanja: WantedStates", d.xlsx, d.razlog,
                  d.pretraga_id, d.pretraga_vreme as "pretraga_vreme: jiff_sqlx::Timestamp", r.radnik_id, w.ime || ' ' || w.prezime as "radnik!", g.naziv as registar, f.naziv as "obrazac?"
             from report_run r
             join data_export d on d.id = r.izvoz_id
             join worker w on w.id = r.radnik_id
             join register g on g.id = d.registar_id
             left join form f on f.id = d.tsa_id
            where r.id = $1"#,
        run
    )
    .fetch_optional(&mut *db)
    .await?;
    let Some(row) = row else { return Ok(None) };
    let institutions =
        sqlx::query!("select id, naziv from institution where id = any ($1) order by id", &row.ustanove).fetch_all(&mut *db).await?;
    let unnamed = match (row.profil, row.tsa_id) {
        (Profile::BezIdentiteta, Some(form)) => UnnamedFields::of(&mut *db, form).await?,
        _ => UnnamedFields::default(),
    };
    Ok(Some(Export {
        id: row.id,
        radnik_id: row.radnik_id,
        radnik: row.radnik,
        selection: Selection {
            registar_id: row.registar_id,
            tsa_id: row.tsa_id,
            red: row.red,
            datum_od: row.datum_od.map(jiff_sqlx::Date::to_jiff),
            datum_do: row.datum_do.map(jiff_sqlx::Date::to_jiff),
            ustanove: row.ustanove,
            profil: row.profil,
            pretraga: row.pretraga_id.zip(row.pretraga_vreme).map(|(zapis, vreme)| LoggedSearch { zapis, vreme: vreme.to_jiff() }),
            stanja: row.stanja,
        },
        polja: row.polja,
        xlsx: row.xlsx,
        razlog: row.razlog,
        registar: row.registar,
        obrazac: row.obrazac,
        ustanove: institutions.into_iter().map(|one| (one.id, one.naziv)).collect(),
        unnamed,
    }))
}

/// Notes what the finished file holds.
pub async fn set_count(db: impl PgExecutor<'_>, id: i64, count: Count) -> sqlx::Result<()> {
    sqlx::query!("update data_export set redova = $2, pacijenata = $3 where id = $1", id, count.redova, count.pacijenata)
        .execute(db)
        .await?;
    Ok(())
}

/// Patients that leave without identity at least.
pub async fn least_patients(db: impl PgExecutor<'_>) -> sqlx::Result<i64> {
    Ok(parameters::load(db).await?.number(&parameters::LEAST_EXPORT).into())
}

/// Rows that one export may have.
pub async fn most_rows(db: impl PgExecutor<'_>) -> sqlx::Result<i64> {
    Ok(parameters::load(db).await?.number(&parameters::EXPORT_ROWS).into())
}
