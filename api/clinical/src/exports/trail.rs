//! What the log keeps of an export: who took what out, why, and how much; and who was refused it.

use domain::exports::{Count, Profile, WantedStates};
use platform::{
    error::{Error, Result},
    number_mask::mask_numbers,
};
use serde_json::json;
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

#[derive(Clone, Copy)]
pub enum ExportAction {
    Ask,
    Refuse,
    Download,
    Cancel,
    Delete,
}

impl ExportAction {
    fn akcija(self) -> &'static str {
        match self {
            Self::Ask => "zahtev za izvoz",
            Self::Refuse => "odbijanje izvoza",
            Self::Download => "preuzimanje",
            Self::Cancel => "otkazivanje",
            Self::Delete => "brisanje",
        }
    }
}

/// An export as the log names it.
pub struct Subject {
    /// None: it was refused before there was any.
    pub id: Option<Uuid>,
    /// Register and form.
    pub naziv: String,
    pub profil: Profile,
    pub ustanove: Vec<i64>,
    pub razlog: String,
    /// Only those whom a search has shown.
    pub pretraga: bool,
    pub stanja: WantedStates,
    /// None: it was refused before it was counted.
    pub count: Option<Count>,
}

pub async fn record(tx: &mut PgConnection, worker: i64, deed: ExportAction, subject: &Subject, note: Option<&str>) -> sqlx::Result<()> {
    let institutions: Vec<String> =
        sqlx::query_scalar!("select naziv from institution where id = any ($1) order by id", &subject.ustanove).fetch_all(&mut *tx).await?;
    let profile = match subject.profil {
        Profile::Identitet => "sa identitetom",
        Profile::BezIdentiteta => "bez identiteta",
    };
    let told = [
        ("Razlog", json!(mask_numbers(&subject.razlog))),
        ("Profil", json!(profile)),
        ("Ustanove", json!(institutions.join(", "))),
        ("Pacijenti", json!(if subject.pretraga { "samo oni koje je prikazala pretraga" } else { "svi" })),
        ("Unosi", json!(subject.stanja.words())),
        ("Redova", json!(subject.count.map(|count| count.redova))),
        ("Pacijenata", json!(subject.count.map(|count| count.pacijenata))),
    ];
    let polja: Vec<_> = told.into_iter().map(|(naziv, nova)| json!({ "naziv": naziv, "stara": null, "nova": nova })).collect();
    let opis = note.map_or_else(|| subject.naziv.clone(), |note| format!("{}: {note}", subject.naziv));
    let row = sqlx::query!(
        r#"insert into audit_log (radnik_id, klasa, akcija, red_id, opis, polja) values ($1, 'data_export', $2, $3, $4, $5)
           returning vreme_pristupa as "moment!", id"#,
        worker,
        deed.akcija(),
        subject.id.map(|id| id.to_string()),
        opis,
        json!(polja)
    )
    .fetch_one(&mut *tx)
    .await?;
    if let (ExportAction::Download, Some(run)) = (deed, subject.id) {
        sqlx::query!("select log_patients_of_run($1, $2, $3)", row.moment as _, row.id, run).fetch_one(tx).await?;
    }
    Ok(())
}

/// Logs that the worker was refused, whatever becomes of the call, and gives the refusal.
pub async fn refuse<T>(db: &PgPool, worker: i64, subject: &Subject, refusal: Error) -> Result<T> {
    let message = refusal.body().message;
    let mut tx = domain::db::begin(db, worker).await?;
    record(&mut tx, worker, ExportAction::Refuse, subject, Some(&message)).await?;
    tx.commit().await?;
    Err(refusal)
}
