//! What leaves its trace in the log without changing a row: sign-in, log-out, viewing. Changes are logged by triggers.

use sqlx::PgConnection;

/// Signing in and out, as the log viewer names it.
#[derive(Debug, Clone, Copy)]
pub enum SessionDeed {
    SignedIn,
    SignInFailed,
    SignedOut,
}

impl SessionDeed {
    fn akcija(self) -> &'static str {
        match self {
            Self::SignedIn => "prijava",
            Self::SignInFailed => "neuspešna prijava",
            Self::SignedOut => "odjava",
        }
    }
}

/// Logs a deed of the worker, who is none when the account that was tried does not exist.
pub async fn session(db: &mut PgConnection, radnik_id: Option<i64>, deed: SessionDeed) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into audit_log (radnik_id, klasa, akcija, red_id) values ($1, 'session', $2, $1::bigint::text)",
        radnik_id,
        deed.akcija()
    )
    .execute(db)
    .await?;
    Ok(())
}
