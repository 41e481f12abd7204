//! The command line of the API: serving, and the operations around it.

use std::{path::PathBuf, sync::LazyLock};

use clap::{Parser, Subcommand};

/// The version alone is that of many releases.
static VERSION: LazyLock<String> = LazyLock::new(|| format!("{}, schema {}", env!("CARGO_PKG_VERSION"), domain::schema::newest()));

#[derive(Parser)]
#[command(name = "api", version = VERSION.as_str(), about = "Regix HTTP API")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Serve the API and the web application.
    Serve,
    /// Bring the database to this version's schema; set up roles and the first administrator.
    Migrate,
    /// Bring in a register's definition, or patients and entries.
    #[command(subcommand)]
    Import(interchange::import::Command),
    /// Ask everything that the programs stand on, and say of each thing how it is and what to do; ends with 1 where something is not so.
    Check {
        /// Print the list as a table for documents instead, and ask nobody.
        #[arg(long)]
        table: bool,
    },
    /// Load the demo: two registers with data, accounts and reports. Only with REGIX_DEMO=1 and without other patients.
    Demo,
    /// Write the whole installation, database, reports' files and templates, into one new file.
    Backup { file: PathBuf },
    /// Bring a backup back into an empty database and an empty ARTIFACT_DIR.
    Restore { file: PathBuf },
    /// Restore a backup, or the newest of a folder, into a database that is thrown away again, and hold it against what was backed up.
    Rehearse { path: PathBuf },
    /// Move old months of the log and of histories into files, and read such files back.
    #[command(subcommand)]
    Archive(api::archive::Command),
    /// Print the OpenAPI document.
    Openapi,
    /// Read one file of a stranger from standard input, for the api that serves.
    #[command(subcommand, hide = true)]
    Parse(api::parse::Task),
}

fn main() -> anyhow::Result<()> {
    match Cli::parse().command {
        // Before anything else of the process is there: it has little memory, and nothing to tell but its answer.
        Command::Parse(task) => api::parse::run(task),
        command => run(command),
    }
}

#[tokio::main]
async fn run(command: Command) -> anyhow::Result<()> {
    let _traces = domain::logging::init("api")?;
    match command {
        Command::Serve => api::serve::run().await,
        Command::Migrate => api::migrate::run().await,
        Command::Check { table } => api::check::run(table).await,
        Command::Import(command) => interchange::import::run(command).await,
        Command::Demo => interchange::demo::run().await,
        Command::Backup { file } => api::backup::run_backup(&file).await,
        Command::Restore { file } => api::backup::run_restore(&file).await,
        Command::Rehearse { path } => api::backup::run_rehearsal(&path).await,
        Command::Archive(command) => api::archive::run(command).await,
        Command::Parse(_) => unreachable!("it is carried out without a runtime"),
        Command::Openapi => {
            println!("{}", api::openapi().to_pretty_json()?);
            Ok(())
        }
    }
}
