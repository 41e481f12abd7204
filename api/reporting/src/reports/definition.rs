//! A report as its configuration defines it: its parameters in their order, and the formats it may be made in.

use std::path::Path;

use accounts::{auth::Actor, rights::Right};
use domain::{
    report_screen,
    report_sql::{ParameterKind, Statement},
};
use platform::error::{Error, Result};
use sqlx::PgPool;

/// The bind that holds the register of a report.
const REGISTER: &str = "registarID";

#[derive(Clone, Debug)]
pub struct Parameter {
    pub id: i64,
    pub naziv: String,
    pub request_naziv: String,
    pub prikazni_redosled: i32,
    pub opcioni: bool,
    pub multi_select: bool,
    pub podrazumevano: Option<String>,
    pub kind: ParameterKind,
    pub tip_id: i64,
    pub tip_naziv: String,
    pub upit: Option<String>,
    pub link: Option<String>,
}

#[derive(Clone, Debug)]
pub struct Format {
    pub naziv: String,
    pub naziv_kratki: String,
}

#[derive(Clone, Debug)]
pub struct Report {
    pub id: i64,
    pub naziv: String,
    pub opis: Option<String>,
    pub registar_id: Option<i64>,
    jasper_fajl: String,
    /// The query of its live version; none: that of its file.
    upit: Option<String>,
    pub obim: String,
    pub prilog_u_mejlu: bool,
    /// Of an analysis, whose result is read where it was chosen.
    is_analysis: bool,
    /// Of a board, which is made of its tiles.
    pub is_board: bool,
    pub formati: Vec<Format>,
    pub parametri: Vec<Parameter>,
}

impl Report {
    /// The report as the tree offers it to the worker: active, shown, in an active branch; or an analysis that she sees. Others do not exist
    /// for its callers.
    pub async fn load(db: &PgPool, worker: i64, id: i64) -> Result<Self> {
        Self::find(db, worker, id, false).await
    }

    /// As it stands while it is written: active, shown to others or not yet, in every format. `upit`: the query that is being written.
    pub async fn in_design(db: &PgPool, worker: i64, id: i64, upit: Option<String>) -> Result<Self> {
        let report = Self::find(db, worker, id, true).await?;
        let formati = sqlx::query_as!(Format, "select naziv, naziv_kratki from report_format where aktivan order by id");
        Ok(Self { upit: upit.or(report.upit), formati: formati.fetch_all(db).await?, ..report })
    }

    /// As the worker may see it: whoever configures reports tries one out before others are shown it.
    pub async fn open_to(db: &PgPool, actor: &Actor, id: i64) -> Result<Self> {
        match Self::load(db, actor.radnik_id, id).await {
            Err(Error::NotFound) if actor.require(Right::ReportSetup).is_ok() => Self::in_design(db, actor.radnik_id, id, None).await,
            loaded => loaded,
        }
    }

    async fn find(db: &PgPool, worker: i64, id: i64, hidden_too: bool) -> Result<Self> {
        let head = sqlx::query!(
            r#"select r.naziv, r.opis, r.registar_id, r.jasper_fajl, d.upit as "upit?", r.obim, r.prilog_u_mejlu, r.vlasnik_id is not null and r.tabla is null as "is_analysis!",
                      r.tabla is not null as "is_board!"
               from report r left join report_type t on t.id = r.tip_id left join report_category c on c.id = t.kategorija_id
               left join report_definition d on d.id = r.definicija_id
              where r.id = $1 and r.aktivan
                and case when r.vlasnik_id is not null then sees_owned($3, r.vlasnik_id, r.vlasnik_ustanova_id)
                         else $2 or r.prikazuje_se and t.aktivan and c.aktivan end"#,
            id,
            hidden_too,
            worker
        )
        .fetch_optional(db)
        .await?
        .ok_or(Error::NotFound)?;
        Ok(Self {
            id,
            naziv: head.naziv,
            opis: head.opis,
            registar_id: head.registar_id,
            jasper_fajl: head.jasper_fajl,
            upit: head.upit,
            obim: head.obim,
            prilog_u_mejlu: head.prilog_u_mejlu,
            is_analysis: head.is_analysis,
            is_board: head.is_board,
            formati: formats(db, id).await?,
            parametri: parameters(db, id).await?,
        })
    }

    /// Whether somebody must choose a register: the report is of none, and its query or one of its parameters asks for it.
    pub async fn needs_register(&self, templates: &Path) -> bool {
        if self.registar_id.is_some() {
            return false;
        }
        let asks = |sql: &str| Statement::scan(sql).is_ok_and(|statement| statement.names().iter().any(|name| name == REGISTER));
        let filled = |parameter: &Parameter| parameter.upit.as_deref().map_or(parameter.request_naziv.as_str(), str::trim) == REGISTER;
        let by_parameter = self.parametri.iter().any(|parameter| match parameter.kind {
            ParameterKind::Set => parameter.upit.as_deref().is_some_and(asks),
            ParameterKind::DynamicHidden => filled(parameter) && !parameter.opcioni,
            _ => false,
        });
        if let Some(upit) = &self.upit {
            return by_parameter || asks(upit);
        }
        // A query that is not there is told by the run.
        let query = tokio::fs::read_to_string(templates.join("reports").join(format!("{}.sql", self.jasper_fajl))).await;
        by_parameter || query.is_ok_and(|sql| asks(&sql))
    }

    /// Whether its rows are those of all institutions.
    pub fn is_of_all(&self) -> bool {
        self.obim == "sve"
    }

    pub fn parameter(&self, request_naziv: &str) -> Option<&Parameter> {
        self.parametri.iter().find(|parameter| parameter.request_naziv == request_naziv)
    }

    /// The formats to make: those asked for, in the report's order, or all of them where none was asked for. Whoever asks for the screen gets
    /// it last, and of an analysis everybody does; it is no format of the report's own, since every report can be read there.
    pub fn formats_for(&self, asked: Option<&[String]>) -> Result<Vec<String>> {
        let all = || self.formati.iter().map(|format| format.naziv_kratki.clone());
        let is_screen = |name: &str| name.eq_ignore_ascii_case(report_screen::FORMAT);
        let on_screen = self.is_analysis || asked.is_some_and(|asked| asked.iter().any(|name| is_screen(name)));
        if on_screen && self.is_board {
            return Err(Error::invalid("formati", "Tabla se na ekranu gleda kao tabla. Kao izveštaj se pravi samo u formatu PDF."));
        }
        let screen = on_screen.then(|| report_screen::FORMAT.to_owned());
        let Some(asked) = asked else { return self.some_formats(all().collect()).map(|files| files.into_iter().chain(screen).collect()) };
        let known = |name: &str| is_screen(name) || self.formati.iter().any(|format| format.naziv_kratki.eq_ignore_ascii_case(name));
        if let Some(unknown) = asked.iter().find(|name| !known(name)) {
            let unknown: String = unknown.chars().take(20).collect();
            return Err(Error::invalid("formati", format!("Format „{unknown}” nije dozvoljen za ovaj izveštaj.")));
        }
        let files = all().filter(|format| asked.iter().any(|name| name.eq_ignore_ascii_case(format)));
        self.some_formats(files.chain(screen).collect())
    }

    fn some_formats(&self, formats: Vec<String>) -> Result<Vec<String>> {
        match formats.is_empty() {
            true if self.formati.is_empty() => Err(Error::invalid("formati", "Izveštaj nema nijedan format.")),
            true => Err(Error::invalid("formati", "Izaberite bar jedan format.")),
            false => Ok(formats),
        }
    }
}

async fn formats(db: &PgPool, report: i64) -> sqlx::Result<Vec<Format>> {
    sqlx::query_as!(
        Format,
        "select f.naziv, f.naziv_kratki
           from report_format f join report_format_link l on l.format_id = f.id
          where l.izvestaj_id = $1 and f.aktivan order by f.id",
        report
    )
    .fetch_all(db)
    .await
}

async fn parameters(db: &PgPool, report: i64) -> sqlx::Result<Vec<Parameter>> {
    sqlx::query_as!(
        Parameter,
        r#"select p.id, p.naziv, p.request_naziv, p.prikazni_redosled, p.opcioni, p.multi_select, p.podrazumevano,
                  t.tip_recnika as "kind: ParameterKind", t.id as tip_id, t.naziv as tip_naziv, t.upit, t.link
             from report_parameter p join report_parameter_type t on t.id = p.tip_id
            where p.izvestaj_id = $1 and p.aktivan order by p.prikazni_redosled, p.id"#,
        report
    )
    .fetch_all(db)
    .await
}
