//! PostgreSQL's own programs. The password goes to them by the environment, which other users of the machine do not see.

use std::{path::PathBuf, process::Stdio};

use anyhow::{Context, ensure};
use domain::{db, environment, tls};
use sqlx::postgres::{PgConnectOptions, PgSslMode};
use tokio::process::Command;

/// `pg_dump` or `pg_restore`, signed in to the database of `url`. The folder is `PG_BIN`, or else wherever the shell finds it.
pub fn program(name: &str, url: &str) -> anyhow::Result<Command> {
    let options: PgConnectOptions = url.parse().context("OWNER_DATABASE_URL is not a PostgreSQL URL")?;
    let folder = environment::optional("PG_BIN", "");
    let path = if folder.is_empty() { PathBuf::from(name) } else { PathBuf::from(folder).join(name) };
    let mut command = Command::new(path);
    command
        .env("PGHOST", options.get_host())
        .env("PGPORT", options.get_port().to_string())
        .env("PGUSER", options.get_username())
        .env("PGDATABASE", options.get_database().context("OWNER_DATABASE_URL names no database")?)
        .env("PGPASSWORD", db::credentials(url)?.1)
        .stdin(Stdio::null())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    if let Some(mode) = demanded(options.get_ssl_mode()) {
        command.env("PGSSLMODE", mode);
    }
    if let Some(authorities) = tls::authorities_file(url)?.1 {
        command.env("PGSSLROOTCERT", authorities);
    }
    Ok(command)
}

/// What an address demands of encryption, as PostgreSQL's programs name it.
fn demanded(mode: PgSslMode) -> Option<&'static str> {
    match mode {
        PgSslMode::Disable => Some("disable"),
        PgSslMode::Require => Some("require"),
        PgSslMode::VerifyCa => Some("verify-ca"),
        PgSslMode::VerifyFull => Some("verify-full"),
        PgSslMode::Allow | PgSslMode::Prefer => None,
    }
}

/// Fails with what the program said. It names tables and roles, and may quote a row: that is for the operator's eyes, not for a log.
pub fn check(name: &str, output: &std::process::Output) -> anyhow::Result<()> {
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{name} failed ({}):\n{}", output.status, said.trim());
    Ok(())
}
