//! `api import`: a register's definition from a file, and patients with their entries from CSV with a mapping.

pub mod check;
mod closed;
pub(crate) mod consent;
pub(crate) mod csv_file;
pub mod data;
mod dates;
pub mod definition;
pub(crate) mod drafts;
pub mod fingerprint;
pub mod formulas;
pub(crate) mod item_texts;
pub mod known;
mod limits;
pub mod mapping;
pub(crate) mod mapping_check;
mod matching;
pub(crate) mod patient;
mod plans;
pub mod problems;
pub mod progress;
pub mod proposal;
mod quality_rules;
pub mod register;
pub mod schema;
mod shared_lbo;
pub(crate) mod sheet;
pub(crate) mod status;
mod surroundings;
pub(crate) mod values;
pub mod write;

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::{Args, Subcommand};
use configuration::admin::queries::{Author, FirstValues};
use domain::{db, environment, report_sql::ReportDb};
use sqlx::PgPool;

use self::{
    data::{Failure, Request},
    definition::Definition,
    fingerprint::Fingerprint,
    formulas::Formulas,
    mapping::Mapping,
    problems::{Problem, listing},
    schema::RegisterName,
};

#[derive(Subcommand)]
pub enum Command {
    /// Create or update a register by its definition (TOML).
    Register(RegisterArgs),
    /// Bring in patients and entries from a CSV file by a mapping (TOML); all or nothing, safe to run twice.
    Data(DataArgs),
}

#[derive(Args)]
pub struct RegisterArgs {
    file: PathBuf,
    /// Say what would change, and change nothing.
    #[arg(long)]
    dry_run: bool,
    /// Switch off forms, fields and items that the file does not name; without this they are only listed.
    #[arg(long)]
    deactivate_missing: bool,
    /// How many stored results differ after the change, as this command has said: it is refused while there are any and this is not
    /// their number.
    #[arg(long)]
    confirm_results: Option<i64>,
    /// The fingerprint that a dry run has shown: nothing is written where the file, the register or what would change is otherwise now.
    #[arg(long)]
    expect: Option<String>,
    /// Username of the worker in whose name this is written; the system worker otherwise.
    #[arg(long)]
    worker: Option<String>,
}

#[derive(Args)]
pub struct DataArgs {
    file: PathBuf,
    /// Code (`sifra`) of the register.
    #[arg(long)]
    register: String,
    #[arg(long)]
    mapping: PathBuf,
    /// Do everything, list every defect, and write nothing.
    #[arg(long)]
    dry_run: bool,
    /// Name of the source: its records are known by it when they come again; the file's name otherwise.
    #[arg(long)]
    source: Option<String>,
    /// The fingerprint that a dry run has shown: nothing is written where the file, the register or what would be written is otherwise now.
    #[arg(long)]
    expect: Option<String>,
    /// Username of the worker in whose name this is written; the system worker otherwise.
    #[arg(long)]
    worker: Option<String>,
    /// How many defects to print; the rest are counted.
    #[arg(long, default_value_t = 100)]
    show: usize,
}

pub async fn run(command: Command) -> anyhow::Result<()> {
    let owner = db::pool(&db::required("OWNER_DATABASE_URL")?, "regix-import", 2).await.context("the database does not answer")?;
    match command {
        Command::Register(args) => import_register(&owner, &args).await,
        Command::Data(args) => import_data(&owner, &args).await,
    }
}

async fn import_register(owner: &PgPool, args: &RegisterArgs) -> anyhow::Result<()> {
    let text = read_text(&args.file)?;
    let folder = args.file.parent().unwrap_or(Path::new("."));
    let definition = definition::parse(&text, |name| Ok(std::fs::read(folder.join(name))?))
        .with_context(|| format!("{} nije ispravna definicija", args.file.display()))?;
    let worker = worker(owner, args.worker.as_deref()).await?;
    let queries = queries(owner, worker, &definition).await?;
    let formulas = checked(&definition, &queries)?;
    let mut tx = db::begin(owner, worker).await?;
    let stood = register_fingerprint(&mut tx, &definition).await?;
    let stored = register::store(&mut tx, &definition, &formulas, args.deactivate_missing).await?;
    let differs = (stored.impact.rezultata > 0).then(|| stored.impact.message());
    if let (Some(message), false) = (&differs, args.dry_run || args.confirm_results == Some(stored.impact.rezultata)) {
        bail!("ništa nije upisano. {message} (--confirm-results {})", stored.impact.rezultata);
    }
    let told = format!("{:?}", (&stored.changes, &stored.missing, stored.impact.rezultata));
    let found = Fingerprint::new(&text, stood, told);
    hold(&found, args.expect.as_deref())?;
    finish(tx, args.dry_run).await?;
    let naziv = definition.register.as_ref().map(|register| register.naziv.as_str()).unwrap_or_default();
    println!("Registar „{naziv}”: novih {}, izmenjenih {}", stored.changes.created, stored.changes.updated);
    if !stored.missing.is_empty() {
        let what = if args.deactivate_missing {
            "Isključeno, jer nije u fajlu"
        } else {
            "Nije u fajlu (ostaje; --deactivate-missing isključuje)"
        };
        println!("{what}:");
        stored.missing.iter().for_each(|missing| println!("  {missing}"));
    }
    differs.iter().for_each(|message| println!("{message} (--confirm-results {})", stored.impact.rezultata));
    say_dry(args.dry_run, &found);
    Ok(())
}

/// What the server says of the definition's queries, under the role that will run them; where this command does not know it, that is said.
async fn queries(owner: &PgPool, worker: i64, definition: &Definition) -> anyhow::Result<FirstValues> {
    if definition.queries().next().is_none() {
        return Ok(FirstValues::default());
    }
    let url = environment::optional("REPORT_DATABASE_URL", "");
    if url.is_empty() {
        println!("  upozorenje: upiti početnih vrednosti nisu provereni, jer REPORT_DATABASE_URL nije zadat");
        return Ok(FirstValues::default());
    }
    let author = Author { radnik_id: worker, ustanova_id: None, today: today() };
    let looked = FirstValues::look(&ReportDb::new(owner.clone(), &url, 1)?, &author, definition.queries()).await;
    looked.map_err(|cause| anyhow::anyhow!("upiti nisu provereni, jer baza izveštaja ne odgovara: {cause:?}"))
}

/// Prints every defect of a definition; its formulas when there is none.
fn checked(definition: &Definition, queries: &FirstValues) -> anyhow::Result<Formulas> {
    let mut defects = check::defects(definition);
    defects.extend(check::of_queries(definition, queries));
    // Formulas are read over codes and types, so those must be right first.
    let formulas = if defects.is_empty() { formulas::compile(definition) } else { Formulas::default() };
    defects.extend(formulas.defects.iter().cloned());
    defects.iter().for_each(|defect| println!("  {defect}"));
    formulas.warnings.iter().for_each(|warning| println!("  upozorenje: {warning}"));
    if !defects.is_empty() {
        bail!("ništa nije upisano: grešaka u definiciji {}", defects.len());
    }
    Ok(formulas)
}

async fn import_data(owner: &PgPool, args: &DataArgs) -> anyhow::Result<()> {
    let mapping =
        Mapping::parse(&read_text(&args.mapping)?).with_context(|| format!("{} nije ispravno mapiranje", args.mapping.display()))?;
    let file = std::fs::read(&args.file).with_context(|| format!("fajl {} se ne može pročitati", args.file.display()))?;
    let name = args.file.file_name().unwrap_or_default().to_string_lossy();
    let request = Request {
        register: RegisterName::Code(&args.register),
        institution: None,
        mapping: &mapping,
        file: &file,
        source: args.source.as_deref().unwrap_or(&name),
        today: today(),
    };
    let mut tx = db::begin(owner, worker(owner, args.worker.as_deref()).await?).await?;
    match data::import(&mut tx, &request, &mut progress::watched()).await {
        Ok(outcome) => {
            hold(&outcome.fingerprint, args.expect.as_deref())?;
            finish(tx, args.dry_run).await?;
            show("Upozorenja", &outcome.warnings, args.show);
            println!("Uvoz: {outcome}");
            say_dry(args.dry_run, &outcome.fingerprint);
            Ok(())
        }
        Err(Failure::Defects(problems)) => {
            show("Upozorenja", &problems.warnings, args.show);
            show("Greške", &problems.defects, args.show);
            bail!("ništa nije upisano: grešaka u fajlu {}", problems.defects.len())
        }
        Err(Failure::Other(error)) => Err(error.context("uvoz nije uspeo; ništa nije upisano")),
    }
}

fn show(title: &str, problems: &[Problem], count: usize) {
    if !problems.is_empty() {
        print!("{title} ({}):\n{}", problems.len(), listing(problems, count));
    }
}

fn say_dry(dry_run: bool, found: &Fingerprint) {
    if dry_run {
        println!("Proba: ništa nije upisano.\nOtisak provere: {found} (--expect upisuje samo ako je i tada sve isto)");
    }
}

/// Refuses what is otherwise than the dry run that somebody has looked at.
fn hold(found: &Fingerprint, expected: Option<&str>) -> anyhow::Result<()> {
    match expected.and_then(|expected| found.difference_from(&Fingerprint::parse(expected))) {
        Some(difference) => bail!("{difference}"),
        None => Ok(()),
    }
}

/// How the register that the definition names is configured; blank where there is none yet.
async fn register_fingerprint(tx: &mut sqlx::PgConnection, definition: &Definition) -> sqlx::Result<String> {
    let Some(own) = &definition.register else { return Ok(String::new()) };
    let there = sqlx::query_scalar!("select id from register where sifra = $1 and aktivan", own.sifra).fetch_optional(&mut *tx).await?;
    match there {
        Some(register) => fingerprint::configuration(tx, register).await,
        None => Ok(String::new()),
    }
}

async fn finish(tx: sqlx::Transaction<'static, sqlx::Postgres>, dry_run: bool) -> sqlx::Result<()> {
    if dry_run { tx.rollback().await } else { tx.commit().await }
}

fn read_text(path: &Path) -> anyhow::Result<String> {
    std::fs::read_to_string(path).with_context(|| format!("fajl {} se ne može pročitati", path.display()))
}

/// The date on Belgrade's calendar.
pub fn today() -> jiff::civil::Date {
    jiff::Timestamp::now().to_zoned(domain::time::zone()).date()
}

/// The worker who writes.
async fn worker(owner: &PgPool, username: Option<&str>) -> anyhow::Result<i64> {
    let Some(username) = username else { return Ok(db::SYSTEM_WORKER) };
    sqlx::query_scalar!("select id from worker where lower(username) = lower($1) and aktivan", username)
        .fetch_optional(owner)
        .await?
        .with_context(|| format!("nema aktivnog radnika „{username}”"))
}
