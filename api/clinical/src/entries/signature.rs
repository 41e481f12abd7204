//! The signature that holds over an entry, for those who are about to end it.

use platform::error::Error;
use sqlx::PgConnection;

/// By whom and when an entry is signed.
pub struct SignatureInForce {
    radnik: String,
    vreme: String,
}

impl SignatureInForce {
    pub async fn of(db: &mut PgConnection, entry: i64) -> sqlx::Result<Option<Self>> {
        sqlx::query_as!(
            Self,
            r#"select w.ime || ' ' || w.prezime as "radnik!", to_char(s.vreme at time zone 'Europe/Belgrade', 'DD.MM.YYYY. HH24:MI') as "vreme!"
                 from entry_state s join worker w on w.id = s.radnik_id where s.id = signature_of_entry($1)"#,
            entry
        )
        .fetch_optional(db)
        .await
    }

    /// A save would end it, and whoever saves has not said so.
    pub fn asks(&self) -> Error {
        Error::Conflict {
            field: Some("potvrdjenKrajPotpisa".into()),
            message: format!(
                "Unos je potpisao radnik {} ({}). Ako snimite izmenu, potpis prestaje da važi. Potvrdite da to želite.",
                self.radnik, self.vreme
            )
            .into(),
        }
    }
}
