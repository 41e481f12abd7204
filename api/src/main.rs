//! The command line of the API: serving, and the operations around it.

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "api", version, about = "Regix HTTP API")]
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
    Import(api::import::Command),
    /// Load the demo: two registers with data, accounts and reports. Only with REGIX_DEMO=1 and without other patients.
    Demo,
    /// Print the OpenAPI document.
    Openapi,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    domain::logging::init();
    match Cli::parse().command {
        Command::Serve => api::serve::run().await,
        Command::Migrate => api::migrate::run().await,
        Command::Import(command) => api::import::run(command).await,
        Command::Demo => api::demo::run().await,
        Command::Openapi => {
            println!("{}", api::openapi().to_pretty_json()?);
            Ok(())
        }
    }
}
