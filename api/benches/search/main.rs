//! `./dev bench search`: the product's search, entry load, save, monthly report and quality rules on 50,000 and on 500,000 patients, and how
//! their cost grows. Pages touched are the gate; times are advice on a shared machine. `--small` measures the small size
//! only, `--only Q3` the operations whose name begins so, `--plan` writes the plans into the server's log.

mod calls;
mod cases;
mod chance;
mod entries;
mod layout;
mod measure;
mod operations;
mod people;
mod rules;
mod states;
mod store;
mod table;
mod visits;

use std::process::ExitCode;

use domain::environment;
use sqlx::{Connection, PgConnection};

use crate::{
    store::{Size, Store},
    table::Table,
};

const SIZES: [Size; 2] = [Size { name: "S", patients: 50_000 }, Size { name: "L", patients: 500_000 }];

/// What the command line asks for.
#[derive(Default)]
struct BenchOptions {
    small: bool,
    only: Option<String>,
    plans: bool,
    /// A size whose "all" search this process runs alone, for its memory.
    all: Option<usize>,
}

#[tokio::main]
async fn main() -> anyhow::Result<ExitCode> {
    let mut asked = BenchOptions::default();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--small" => asked.small = true,
            "--only" => asked.only = arguments.next(),
            "--plan" => asked.plans = true,
            "--all-of" => asked.all = arguments.next().and_then(|place| place.parse().ok()),
            "--bench" => {} // Cargo's own.
            other => anyhow::bail!("unknown argument {other}; there are --small, --only NAME, --plan"),
        }
    }
    let cluster = environment::required("BENCH_DATABASE_URL")?;
    if let Some(size) = asked.all {
        operations::all_alone(&Store::open(&cluster, SIZES[size]).await?).await?;
        return Ok(ExitCode::SUCCESS);
    }
    explain(&cluster, asked.plans).await?;
    let mut table = Table::default();
    for (place, size) in SIZES.into_iter().enumerate().take(if asked.small { 1 } else { 2 }) {
        let store = Store::open(&cluster, size).await?;
        operations::measure(&store, size, place, asked.only.as_deref(), &mut table).await?;
        store.owner.close().await;
    }
    explain(&cluster, false).await?;
    Ok(if table.close() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Lets the server log the plan of every statement, or not.
async fn explain(cluster: &str, plans: bool) -> anyhow::Result<()> {
    let mut db = PgConnection::connect(cluster).await?;
    for statement in [
        if plans { "alter system set auto_explain.log_min_duration = 0" } else { "alter system reset auto_explain.log_min_duration" },
        "select pg_reload_conf()",
    ] {
        sqlx::query(statement).execute(&mut db).await?;
    }
    Ok(())
}
