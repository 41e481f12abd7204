//! Versions of reports as they are kept: written, never changed, one of them live.

use std::path::Path;

use domain::{db, report_sql::ParameterKind};
use platform::{
    error::{Error, Result},
    state::AppState,
};
use report_template::template::{LoadError, Templates};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use sqlx::{PgConnection, PgPool};
use utoipa::ToSchema;

/// Bytes that a query or a template may have.
const LONGEST_TEXT: usize = 256 * 1024;

/// A query and the template for what it delivers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = ReportTexts)]
pub struct Texts {
    pub upit: String,
    pub sablon: String,
}

impl Texts {
    pub fn refuse_too_long(&self) -> Result<()> {
        for (field, text) in [("upit", &self.upit), ("sablon", &self.sablon)] {
            if text.len() > LONGEST_TEXT {
                return Err(Error::invalid(field, format!("Tekst je duži od {} KB.", LONGEST_TEXT / 1024)));
            }
            if text.contains('\0') {
                return Err(Error::invalid(field, "Tekst sadrži znak koji ne može da se snimi."));
            }
        }
        Ok(())
    }
}

/// A report that is not deleted, shown to others or not yet.
pub struct Report {
    pub id: i64,
    pub naziv: String,
    pub obim: String,
    pub registar_id: Option<i64>,
    pub jasper_fajl: String,
    /// The number of the live version; 0: the files.
    pub objavljena: i32,
}

impl Report {
    pub async fn find(db: &PgPool, id: i64) -> Result<Self> {
        sqlx::query_as!(
            Self,
            r#"select r.id, r.naziv, r.obim, r.registar_id, r.jasper_fajl, coalesce(d.broj, 0) as "objavljena!"
                 from report r left join report_definition d on d.id = r.definicija_id
                where r.id = $1 and r.aktivan and r.vlasnik_id is null"#,
            id
        )
        .fetch_optional(db)
        .await?
        .ok_or(Error::NotFound)
    }
}

/// A version to be kept.
pub struct NewVersion<'a> {
    pub texts: &'a Texts,
    /// What the texts were made of; none: they were typed.
    pub izbor: Option<&'a Json>,
    pub napomena: Option<&'a str>,
    /// The newest version when the writing began.
    pub osnova: i32,
    /// The report shall ask for a period.
    pub period: bool,
}

/// The parameters of a period, as `docs/reports.md` has them.
pub const PERIOD: [&str; 2] = ["od", "do"];

pub struct VersionHead {
    pub broj: i32,
    pub izabrana: bool,
    pub radnik: String,
    pub vreme: jiff_sqlx::Timestamp,
    pub napomena: Option<String>,
}

/// Newest first.
pub async fn versions(db: &PgPool, report: i64) -> sqlx::Result<Vec<VersionHead>> {
    sqlx::query_as!(
        VersionHead,
        r#"select d.broj, d.izbor is not null as "izabrana!", w.ime || ' ' || w.prezime as "radnik!", d.vreme_kreiranja as "vreme: jiff_sqlx::Timestamp", d.napomena
             from report_definition d join worker w on w.id = d.radnik_id where d.izvestaj_id = $1 order by d.broj desc"#,
        report
    )
    .fetch_all(db)
    .await
}

/// `requestNaziv` and name of each parameter, in their order.
pub async fn parameters(db: &PgPool, report: i64) -> sqlx::Result<Vec<(String, String)>> {
    let rows = sqlx::query!(
        "select request_naziv, naziv from report_parameter where izvestaj_id = $1 and aktivan order by prikazni_redosled, id",
        report
    );
    Ok(rows.fetch_all(db).await?.into_iter().map(|row| (row.request_naziv, row.naziv)).collect())
}

/// The texts of a version; of 0, those of the files.
pub async fn texts(state: &AppState, report: &Report, broj: i32) -> Result<Texts> {
    if broj == 0 {
        return file_texts(state, &report.jasper_fajl).await?.ok_or(Error::NotFound);
    }
    sqlx::query_as!(Texts, "select upit, sablon from report_definition where izvestaj_id = $1 and broj = $2", report.id, broj)
        .fetch_optional(&state.db)
        .await?
        .ok_or(Error::NotFound)
}

/// What the version was made of; none where it was typed.
pub async fn izbor(db: &PgPool, report: i64, broj: i32) -> sqlx::Result<Option<Json>> {
    let found = sqlx::query_scalar!("select izbor from report_definition where izvestaj_id = $1 and broj = $2", report, broj);
    Ok(found.fetch_optional(db).await?.flatten())
}

/// The texts of the files that are the starting stock; none where the report has none.
pub async fn file_texts(state: &AppState, jasper_fajl: &str) -> Result<Option<Texts>> {
    read_files(&state.config.template_dir.join("reports"), jasper_fajl).await
}

pub async fn read_files(folder: &Path, name: &str) -> Result<Option<Texts>> {
    let (templates, name) = (Templates::new(folder.to_owned()), name.to_owned());
    let read = tokio::task::spawn_blocking(move || templates.texts(&name)).await.map_err(anyhow::Error::from)?;
    match read {
        Ok((upit, sablon)) => Ok(Some(Texts { upit, sablon })),
        Err(LoadError::Missing(_)) => Ok(None),
        Err(error) => Err(anyhow::Error::from(error).into()),
    }
}

/// Locks the report: one designer at a time numbers or publishes its versions.
async fn lock(tx: &mut PgConnection, report: i64) -> Result<()> {
    let there = sqlx::query_scalar!("select id from report where id = $1 and aktivan and vlasnik_id is null for no key update", report);
    there.fetch_optional(tx).await?.map(drop).ok_or(Error::NotFound)
}

/// Writes the next version and gives its number. What was typed stays on the screen of who is refused.
pub async fn save(state: &AppState, worker: i64, report: i64, new: NewVersion<'_>) -> Result<i32> {
    let mut tx = db::begin(&state.db, worker).await?;
    lock(&mut tx, report).await?;
    let newest = sqlx::query!(
        r#"select d.broj, d.upit, d.sablon, d.izbor, d.radnik_id, w.ime || ' ' || w.prezime as "radnik!"
             from report_definition d join worker w on w.id = d.radnik_id
            where d.izvestaj_id = $1 order by d.broj desc limit 1"#,
        report
    )
    .fetch_optional(&mut *tx)
    .await?;
    let last = newest.as_ref().map_or(0, |newest| newest.broj);
    if let Some(newest) = &newest {
        let same = newest.upit == new.texts.upit && newest.sablon == new.texts.sablon && newest.izbor.as_ref() == new.izbor;
        if same && new.napomena.is_none() {
            add_period(&mut tx, report, new.period).await?;
            tx.commit().await?;
            return Ok(newest.broj);
        }
        if newest.broj != new.osnova {
            let who = if newest.radnik_id == worker { "vi" } else { newest.radnik.as_str() };
            return Err(Error::Conflict {
                field: Some("osnova".into()),
                message: format!(
                    "U međuvremenu je snimljena verzija {} (snimio: {who}). Vaš tekst je ostao u uređivaču: pogledajte tu verziju, pa \
                     svoju snimite kao novu.",
                    newest.broj
                )
                .into(),
            });
        }
    }
    add_period(&mut tx, report, new.period).await?;
    let broj = sqlx::query_scalar!(
        "insert into report_definition (izvestaj_id, broj, upit, sablon, izbor, napomena, radnik_id)
         values ($1, $2, $3, $4, $5, $6, $7) returning broj",
        report,
        last + 1,
        new.texts.upit,
        new.texts.sablon,
        new.izbor,
        new.napomena,
        worker
    )
    .fetch_one(&mut *tx)
    .await?;
    tx.commit().await?;
    Ok(broj)
}

/// Gives the report what it lacks of the two dates of a period. One that is there stays as it is, and must be a date.
async fn add_period(tx: &mut PgConnection, report: i64, asked: bool) -> Result<()> {
    if !asked {
        return Ok(());
    }
    for (request_naziv, naziv) in PERIOD.into_iter().zip(["Od", "Do"]) {
        let there = sqlx::query!(
            r#"select p.naziv, p.multi_select, t.tip_recnika as "kind: ParameterKind" from report_parameter p
                 join report_parameter_type t on t.id = p.tip_id where p.izvestaj_id = $1 and p.request_naziv = $2 and p.aktivan"#,
            report,
            request_naziv
        );
        if let Some(there) = there.fetch_optional(&mut *tx).await? {
            if there.kind != ParameterKind::Date || there.multi_select {
                return Err(Error::invalid(
                    "period",
                    format!(
                        "Izveštaj već ima parametar „{}” (:{request_naziv}) koji nije datum. Promenite ga na tabu „Parametri”, pa izaberite period.",
                        there.naziv
                    ),
                ));
            }
            continue;
        }
        sqlx::query!(
            r#"with known as (select id from report_parameter_type where tip_recnika = $4 and aktivan order by id limit 1),
                    made as (insert into report_parameter_type (naziv, tip_recnika) select 'Datum', $4 where not exists (select from known) returning id)
               insert into report_parameter (izvestaj_id, naziv, prikazni_redosled, opcioni, request_naziv, tip_id)
               select $1, $2, coalesce((select max(prikazni_redosled) from report_parameter where izvestaj_id = $1 and aktivan), 0) + 1, true, $3, id
                 from (select id from known union all select id from made) as kind"#,
            report,
            naziv,
            request_naziv,
            ParameterKind::Date as ParameterKind
        )
        .execute(&mut *tx)
        .await?;
    }
    Ok(())
}

/// Makes the version live, where `seen` still is.
pub async fn publish(state: &AppState, worker: i64, report: i64, broj: i32, seen: i32) -> Result<()> {
    let mut tx = db::begin(&state.db, worker).await?;
    lock(&mut tx, report).await?;
    let live = sqlx::query_scalar!(
        r#"select coalesce((select d.broj from report_definition d where d.id = r.definicija_id), 0) as "broj!" from report r where r.id = $1"#,
        report
    )
    .fetch_one(&mut *tx)
    .await?;
    if live != seen {
        let what = if live == 0 { "vraćen izveštaj iz fajla".to_owned() } else { format!("objavljena verzija {live}") };
        return Err(Error::conflict(format!("U međuvremenu je {what}. Pogledajte je, pa objavite svoju ako treba.")));
    }
    sqlx::query!(
        "update report set definicija_id = (select id from report_definition where izvestaj_id = $1 and broj = $2) where id = $1",
        report,
        broj
    )
    .execute(&mut *tx)
    .await?;
    tx.commit().await?;
    Ok(())
}
