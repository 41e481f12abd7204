//! What a run is about: its report, its template, the worker who asked, and the values of its parameters.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
    time::Duration,
};

use domain::{
    access, relative_day,
    report_sql::{Bind, Binds, Notice, ParameterKind, Scope, session_binds},
    runs::{self, Failure, Lease},
};
use jiff::civil::DateTime;
use serde::Deserialize;
use serde_json::Value as Json;
use sqlx::{PgPool, types::Json as Jsonb};
use uuid::Uuid;

use super::{
    failure::{self, Stop},
    logo::{self, Logo},
    runner::Runner,
};
use crate::{plan::Format, template::LoadedReport};

/// Everything that is read before the query starts.
pub struct Job {
    pub naziv: String,
    pub files: Arc<LoadedReport>,
    pub formats: Vec<Format>,
    pub binds: Binds,
    pub scope: Scope,
    pub time_limit: Duration,
    pub parametri: Vec<(String, String)>,
    /// What the files say beside their rows; the heading has them among the parameters.
    pub notices: Vec<String>,
    pub ustanova: String,
    pub radnik: String,
    pub generisano: DateTime,
    pub emails: Vec<String>,
    pub skip_empty: bool,
    /// A designer's trial: its first rows only.
    pub trial: bool,
    pub logo: Logo,
}

struct Row {
    izvestaj_id: i64,
    radnik_id: i64,
    ustanova_id: i64,
    registar_id: Option<i64>,
    parametri: Json,
    parametri_opis: Json,
    formati: Vec<String>,
    emails: Vec<String>,
    naziv: String,
    jasper_fajl: String,
    /// The version that the run has begun with, or the live one.
    definicija_id: Option<i64>,
    proba: bool,
    obim: String,
    aktivan: bool,
    /// Whose board it is; none: it is no board.
    tabla: Option<String>,
    ne_salji_prazan: bool,
    najvise_sekundi: i32,
    ustanova: String,
    radnik: String,
    now: jiff_sqlx::Timestamp,
}

/// What a run makes.
pub enum RunOrder {
    Report(Box<Job>),
    /// A board, of which each tile is a report of its own.
    Board(BoardOrder),
}

impl RunOrder {
    pub fn time_limit(&self) -> Duration {
        match self {
            Self::Report(job) => job.time_limit,
            Self::Board(order) => order.time_limit,
        }
    }

    /// Whom it is mailed to: nobody when it has no rows and the report says so.
    pub fn emails(self, rows: u64) -> Vec<String> {
        match self {
            Self::Report(job) if rows == 0 && job.skip_empty => Vec::new(),
            Self::Report(job) => job.emails,
            Self::Board(order) => order.emails,
        }
    }
}

/// A board at the moment of its run.
pub struct BoardOrder {
    /// The first ones stand above, from the left.
    pub tiles: Vec<BoardTile>,
    pub naziv: String,
    pub ustanova: String,
    pub radnik: String,
    pub generisano: DateTime,
    pub emails: Vec<String>,
    pub time_limit: Duration,
}

/// A tile of a board that is run.
pub struct BoardTile {
    /// As it is called on the board, or its report is.
    pub naslov: String,
    /// What it is to be made from; without it, why it is not.
    pub job: Result<Box<Job>, String>,
}

/// Reads the run and refuses what may not be executed (any more).
pub async fn ordered(runner: &Arc<Runner>, lease: Lease) -> Result<RunOrder, Stop> {
    let row = read(&runner.app, lease).await?;
    if !row.aktivan {
        return Err(failure::report_inactive().into());
    }
    if let Some(lacking) = access::lacks_for_reports(&mut *runner.app.acquire().await?, row.radnik_id, row.ustanova_id).await? {
        return Err(failure::unauthorised(lacking).into());
    }
    if let Some(which) = row.tabla.clone() {
        return Ok(RunOrder::Board(board(runner, lease, row, &which).await?));
    }
    let files = match row.definicija_id {
        Some(version) if runs::set_definition(&runner.app, lease, version).await? => load_version(runner, version).await?,
        Some(_) => return Err(Stop::Lost),
        None => load_files(runner, &row.jasper_fajl).await?,
    };
    Ok(RunOrder::Report(Box::new(job(runner, lease, row, files).await?)))
}

async fn job(runner: &Arc<Runner>, lease: Lease, row: Row, files: Arc<LoadedReport>) -> Result<Job, Stop> {
    let formats = row.formati.iter().map(|name| name.parse::<Format>()).collect::<Result<_, _>>();
    let formats: Vec<Format> = formats.map_err(|unknown| failure::unknown_format(&unknown.0))?;
    let binds = binds(runner, &row).await?;
    let sees_all = row.obim == "sve";
    let mut parametri = described(&row.parametri_opis);
    let notices = if sees_all { Notice::of_all(&runner.app, files.statement.sql(), &files.source).await? } else { Vec::new() };
    parametri.extend(notices.iter().map(|notice| (notice.naziv.to_owned(), notice.vrednost.clone())));
    Ok(Job {
        naziv: row.naziv,
        files,
        formats,
        binds,
        scope: Scope { run: Some(lease.run), radnik_id: row.radnik_id, ustanova_id: (!sees_all).then_some(row.ustanova_id) },
        time_limit: Duration::from_secs(u64::try_from(row.najvise_sekundi).unwrap_or(1)),
        parametri,
        notices: notices.iter().map(Notice::sentence).collect(),
        ustanova: row.ustanova,
        radnik: row.radnik,
        generisano: row.now.to_jiff().to_zoned(domain::time::zone()).datetime(),
        emails: row.emails,
        skip_empty: row.ne_salji_prazan,
        trial: row.proba,
        // What is of all institutions is headed by none.
        logo: if sees_all { Logo::None } else { logo::of(&runner.app, row.ustanova_id).await? },
    })
}

async fn read(app: &PgPool, lease: Lease) -> sqlx::Result<Row> {
    sqlx::query_as!(
        Row,
        r#"select t.id as izvestaj_id, r.radnik_id, r.ustanova_id, r.registar_id, r.parametri, r.parametri_opis, r.formati, r.emails,
                  t.naziv, t.jasper_fajl, coalesce(r.definicija_id, t.definicija_id) as definicija_id, r.proba, t.obim, t.aktivan, t.tabla, t.ne_salji_prazan, t.najvise_sekundi, u.naziv as ustanova,
                  w.ime || ' ' || w.prezime as "radnik!", now() as "now!: jiff_sqlx::Timestamp"
             from report_run r
             join report t on t.id = r.izvestaj_id
             join institution u on u.id = r.ustanova_id
             join worker w on w.id = r.radnik_id
            where r.id = $1"#,
        lease.run,
    )
    .fetch_one(app)
    .await
}

/// A version never changes: what was compiled once serves every later run, and what is published is there for the next one.
async fn load_version(runner: &Arc<Runner>, id: i64) -> Result<Arc<LoadedReport>, Stop> {
    if let Some(loaded) = runner.templates.version(id) {
        return Ok(loaded);
    }
    let version = sqlx::query!("select upit, sablon from report_definition where id = $1", id).fetch_one(&runner.app).await?;
    let templates = runner.templates.clone();
    let loaded = tokio::task::spawn_blocking(move || templates.compile_version(id, &version.sablon, &version.upit));
    let loaded = loaded.await.map_err(|panic| Stop::panicked(&panic))?;
    loaded.map_err(|error| failure::template(&error).into())
}

async fn load_files(runner: &Arc<Runner>, name: &str) -> Result<Arc<LoadedReport>, Stop> {
    let (templates, name) = (runner.templates.clone(), name.to_owned());
    let loaded = tokio::task::spawn_blocking(move || templates.load(&name));
    let loaded = loaded.await.map_err(|panic| Stop::panicked(&panic))?;
    loaded.map_err(|error| failure::template(&error).into())
}

const OFF_OFFER: &str = "Ovaj izveštaj više nije u ponudi.";
const NOT_ASKED: &str = "Pločici nedostaju vrednosti parametara. Uredite je na tabli i snimite tablu.";

/// Of a tile, what the board keeps.
#[derive(Debug, Deserialize)]
struct StoredTile {
    id: Uuid,
    /// None: a list, which only whoever is signed in sees.
    #[serde(rename = "izvestajID", default)]
    izvestaj_id: Option<i64>,
    #[serde(default)]
    naslov: Option<String>,
    x: u16,
    y: u16,
}

/// What a tile asks for, as it was checked when the board was saved.
#[derive(Clone, Debug, Deserialize)]
struct StoredQuestion {
    #[serde(rename = "registarID")]
    registar_id: Option<i64>,
    parametri: Json,
    opis: Json,
}

/// The tiles that the board has now, each with the rights that its owner has now. The same question is asked once.
async fn board(runner: &Arc<Runner>, lease: Lease, row: Row, which: &str) -> Result<BoardOrder, Stop> {
    let kept = sqlx::query!(
        r#"select plocice as "plocice: Jsonb<Vec<StoredTile>>", pitanja as "pitanja: Jsonb<HashMap<Uuid, StoredQuestion>>",
                  coalesce((select fire_local from report_run where id = $4)::date, (now() at time zone 'Europe/Belgrade')::date)
                      as "danas!: jiff_sqlx::Date"
             from board where case $1 when 'moja' then radnik_id = $2 else ustanova_id = $3 end"#,
        which,
        row.radnik_id,
        row.ustanova_id,
        lease.run
    )
    .fetch_optional(&runner.app)
    .await?;
    let (mut stored, questions, today) = match kept {
        Some(kept) => (kept.plocice.0, kept.pitanja.0, kept.danas.to_jiff()),
        None => return Err(failure::empty_board().into()),
    };
    stored.sort_by_key(|tile| (tile.y, tile.x));
    let (mut tiles, mut asked) = (Vec::new(), HashSet::new());
    for tile in stored {
        let Some(izvestaj_id) = tile.izvestaj_id else { continue };
        let question = questions.get(&tile.id).map(|known| StoredQuestion {
            registar_id: known.registar_id,
            parametri: relative_day::values_on(&known.parametri, today),
            opis: relative_day::described_on(&known.opis, today),
        });
        let same = (izvestaj_id, question.as_ref().map(|known| (known.registar_id, known.parametri.to_string())));
        if asked.insert(same) {
            tiles.push(board_tile(runner, lease, &row, (izvestaj_id, tile.naslov), question).await?);
        }
    }
    if tiles.is_empty() {
        return Err(failure::empty_board().into());
    }
    Ok(BoardOrder {
        tiles,
        naziv: row.naziv,
        ustanova: row.ustanova,
        radnik: row.radnik,
        generisano: row.now.to_jiff().to_zoned(domain::time::zone()).datetime(),
        emails: row.emails,
        time_limit: Duration::from_secs(u64::try_from(row.najvise_sekundi).unwrap_or(1)),
    })
}

/// A tile as its owner may have it now: a report that is on offer no more, or that lacks something, is told of in its place.
async fn board_tile(
    runner: &Arc<Runner>,
    lease: Lease,
    row: &Row,
    (izvestaj_id, naslov): (i64, Option<String>),
    question: Option<StoredQuestion>,
) -> Result<BoardTile, Stop> {
    let report = sqlx::query!(
        r#"select r.naziv, r.jasper_fajl, r.definicija_id, r.obim, r.najvise_sekundi, r.registar_id,
                  exists (select from register g where g.id = coalesce(r.registar_id, $3) and g.aktivan) as "registar_aktivan!"
             from report r left join report_type t on t.id = r.tip_id left join report_category c on c.id = t.kategorija_id
            where r.id = $1 and r.aktivan and r.tabla is null
              and case when r.vlasnik_id is not null then sees_owned($2, r.vlasnik_id, r.vlasnik_ustanova_id)
                       else r.prikazuje_se and t.aktivan and c.aktivan end"#,
        izvestaj_id,
        row.radnik_id,
        question.as_ref().and_then(|known| known.registar_id)
    )
    .fetch_optional(&runner.app)
    .await?;
    let told = |naslov: String, why: &str| Ok(BoardTile { naslov, job: Err(why.to_owned()) });
    let Some(report) = report else { return told(naslov.unwrap_or_else(|| "Pločica".to_owned()), OFF_OFFER) };
    let naslov = naslov.unwrap_or_else(|| report.naziv.clone());
    let Some(question) = question else { return told(naslov, NOT_ASKED) };
    let registar_id = report.registar_id.or(question.registar_id);
    if registar_id.is_some() && !report.registar_aktivan {
        return told(naslov, OFF_OFFER);
    }
    let of_tile = Row {
        izvestaj_id,
        registar_id,
        parametri: question.parametri,
        parametri_opis: question.opis,
        formati: vec![Format::Pdf.to_string()],
        emails: Vec::new(),
        naziv: report.naziv,
        jasper_fajl: report.jasper_fajl,
        definicija_id: report.definicija_id,
        proba: false,
        obim: report.obim,
        tabla: None,
        ne_salji_prazan: false,
        najvise_sekundi: report.najvise_sekundi,
        ustanova: row.ustanova.clone(),
        radnik: row.radnik.clone(),
        ..*row
    };
    let files = match of_tile.definicija_id {
        Some(version) => load_version(runner, version).await,
        None => load_files(runner, &of_tile.jasper_fajl).await,
    };
    let made = match files {
        Ok(files) => job(runner, lease, of_tile, files).await,
        Err(stop) => Err(stop),
    };
    match made {
        Ok(job) => Ok(BoardTile { naslov, job: Ok(Box::new(job)) }),
        Err(Stop::Failed(failure)) => told(naslov, &failure.text),
        Err(stop) => Err(stop),
    }
}

struct Parameter {
    naziv: String,
    request_naziv: String,
    multi_select: bool,
    podrazumevano: Option<String>,
    kind: ParameterKind,
    upit: Option<String>,
}

/// The values by name. Hidden ones are the server's whatever the request said; those of the session stand above all.
async fn binds(runner: &Runner, row: &Row) -> Result<Binds, Stop> {
    let parameters = sqlx::query_as!(
        Parameter,
        r#"select p.naziv, p.request_naziv, p.multi_select, p.podrazumevano, k.tip_recnika as "kind: ParameterKind", k.upit
             from report_parameter p join report_parameter_type k on k.id = p.tip_id
            where p.izvestaj_id = $1 and p.aktivan order by p.prikazni_redosled, p.id"#,
        row.izvestaj_id,
    )
    .fetch_all(&runner.app)
    .await?;
    let session = session_binds(row.radnik_id, row.ustanova_id, row.registar_id);
    let mut binds = Binds::new();
    for parameter in &parameters {
        let bind = match parameter.kind {
            ParameterKind::Hidden => fixed(parameter.podrazumevano.clone(), parameter.multi_select),
            ParameterKind::DynamicHidden => {
                let source = parameter.upit.as_deref().map_or(parameter.request_naziv.as_str(), str::trim);
                match session.get(source) {
                    Some(Bind::Text(text)) => fixed(text.clone(), parameter.multi_select),
                    _ => fixed(None, parameter.multi_select),
                }
            }
            ParameterKind::Text | ParameterKind::Date | ParameterKind::Set | ParameterKind::Number => {
                given(row.parametri.get(&parameter.request_naziv), parameter.multi_select)
                    .map_err(|_| failure::bad_value(&parameter.naziv))?
            }
        };
        binds.insert(parameter.request_naziv.clone(), bind);
    }
    binds.extend(session);
    Ok(binds)
}

/// A value of the server's own.
fn fixed(text: Option<String>, multi: bool) -> Bind {
    if multi { Bind::List(text.map(|text| vec![text])) } else { Bind::Text(text) }
}

struct BadValue;

/// A value as the request carries it: a text, a list of texts, or nothing; an empty list asks for nothing as well.
fn given(value: Option<&Json>, multi: bool) -> Result<Bind, BadValue> {
    let scalar = |value: &Json| match value {
        Json::String(text) => Ok(text.clone()),
        Json::Number(number) => Ok(number.to_string()),
        Json::Bool(flag) => Ok(flag.to_string()),
        _ => Err(BadValue),
    };
    match (value, multi) {
        (None | Some(Json::Null), false) => Ok(Bind::Text(None)),
        (None | Some(Json::Null), true) => Ok(Bind::List(None)),
        (Some(Json::Array(items)), true) if items.is_empty() => Ok(Bind::List(None)),
        (Some(Json::Array(items)), true) => Ok(Bind::List(Some(items.iter().map(scalar).collect::<Result<_, _>>()?))),
        (Some(Json::Array(items)), false) => match items.as_slice() {
            [] => Ok(Bind::Text(None)),
            [one] => Ok(Bind::Text(Some(scalar(one)?))),
            _ => Err(BadValue),
        },
        (Some(Json::String(text)), _) if text.is_empty() => given(None, multi),
        (Some(value), false) => Ok(Bind::Text(Some(scalar(value)?))),
        (Some(value), true) => Ok(Bind::List(Some(vec![scalar(value)?]))),
    }
}

fn described(opis: &Json) -> Vec<(String, String)> {
    let field = |item: &Json, name: &str| item.get(name).and_then(Json::as_str).unwrap_or_default().to_owned();
    opis.as_array().into_iter().flatten().map(|item| (field(item, "naziv"), field(item, "vrednost"))).collect()
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Stop::Failed(failure)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn bind(value: Json, multi: bool) -> Option<Bind> {
        given(Some(&value), multi).ok()
    }

    #[test]
    fn nothing_asked_for_is_null_in_the_shape_of_the_parameter() {
        for nothing in [Json::Null, json!(""), json!([])] {
            assert_eq!(bind(nothing.clone(), false), Some(Bind::Text(None)));
            assert_eq!(bind(nothing, true), Some(Bind::List(None)));
        }
    }

    #[test]
    fn one_value_and_a_list_of_one_mean_the_same() {
        assert_eq!(bind(json!("7"), true), Some(Bind::List(Some(vec!["7".to_owned()]))));
        assert_eq!(bind(json!(["7"]), false), Some(Bind::Text(Some("7".to_owned()))));
        assert_eq!(bind(json!(7), false), Some(Bind::Text(Some("7".to_owned()))));
    }

    #[test]
    fn shapes_that_mean_nothing_are_refused() {
        assert_eq!(bind(json!(["7", "8"]), false), None);
        assert_eq!(bind(json!({ "a": 1 }), false), None);
        assert_eq!(bind(json!([["7"]]), true), None);
    }
}
