//! One attempt, in a thread and on a connection of its own: the calls keep their connections and their threads while a file is read and
//! compared. The state of the import is written in the transaction that writes the patients, under the fence: what was cancelled, taken
//! for broken, or done already stores nothing.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use accounts::{
    audit::{Look, deed_on_patient, look, told},
    auth::Actor,
};
use anyhow::Context;
use domain::{
    access::may_import,
    caller, db,
    parameters::{self, NUMBER_CHECKS},
    request_id,
};
use jiff::civil::Date;
use platform::state::AppState;
use sha2::{Digest, Sha256};
use sqlx::{ConnectOptions, Connection, PgConnection, PgPool, postgres::PgConnectOptions};
use tokio::sync::{oneshot, watch};

use super::{
    faulty,
    outcome::{self, ImportOutcome},
    own,
};
use crate::import::{
    data::{self, Failure, Request},
    fingerprint::Fingerprint,
    problems::{Problem, Problems, Stranger},
    progress::{Far, Progress},
    schema::RegisterName,
};

/// A statement of an import is long where the file is; nobody waits for a lock so long.
const SETTINGS: [(&str, &str); 2] = [("statement_timeout", "10min"), ("lock_timeout", "30s")];
/// How long nothing need be heard of an attempt until it counts as dead.
pub const LEASE_SECONDS: f64 = 30.0;
/// How often the lease is renewed and the progress told.
const HEARTBEAT: Duration = Duration::from_secs(1);

/// What is to be done, and for whom.
pub struct Attempt {
    pub id: i64,
    pub fence: i64,
    /// What the confirmed check has shown; none: it is a check, and everything is rolled back.
    pub shown: Option<Fingerprint>,
    /// The worker, for the institution of the import.
    pub actor: Actor,
    pub registar_id: i64,
    pub registar: String,
    pub izvor: String,
}

/// Returns at once.
pub fn start(state: &AppState, attempt: Attempt) {
    let far = Arc::new(Mutex::new(Far::default()));
    let (stop, mut stopped) = watch::channel(false);
    let (ended, end) = oneshot::channel::<()>();
    tokio::spawn(keep(state.db.clone(), attempt.id, attempt.fence, far.clone(), stop, end));
    let (url, today) = (state.config.database_url.clone(), state.today());
    let caller = caller::Caller { ustanova_id: attempt.actor.ustanova_id, ..caller::current() };
    let request = request_id::current().unwrap_or_default();
    let doing = async move {
        tokio::select! {
            () = carry_out(&url, &attempt, today, far) => {}
            // The connection closes, and with it the transaction.
            _ = stopped.wait_for(|stop| *stop) => tracing::info!(import = attempt.id, "an import was stopped"),
        }
        drop(ended);
    };
    std::thread::spawn(move || match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime.block_on(request_id::within(request, caller::within(caller, doing))),
        Err(error) => tracing::error!(cause = %error, "an import has no runtime; its lease will lapse"),
    });
}

/// Renews the lease and tells how far the attempt is, until it ends; stops it where it is not its own any more.
async fn keep(db: PgPool, id: i64, fence: i64, far: Arc<Mutex<Far>>, stop: watch::Sender<bool>, mut end: oneshot::Receiver<()>) {
    loop {
        tokio::select! {
            _ = &mut end => return,
            () = tokio::time::sleep(HEARTBEAT) => {}
        }
        let Far { step, done, total } = far.lock().expect("nobody panics who holds it").clone();
        let kept = sqlx::query!(
            "update data_import set lease_until = clock_timestamp() + make_interval(secs => $6), korak = $3, obradjeno = $4, ukupno = $5
              where id = $1 and fence = $2 and status in ('checking', 'importing')",
            id,
            fence,
            step,
            i64::try_from(done).unwrap_or(i64::MAX),
            i64::try_from(total).unwrap_or(i64::MAX),
            LEASE_SECONDS
        );
        match kept.execute(&db).await {
            Ok(kept) if kept.rows_affected() == 0 => {
                // Who has ended meanwhile hears nothing of it.
                let _ = stop.send(true);
                return;
            }
            Ok(_) => {}
            Err(error) => tracing::warn!(import = id, cause = %error, "the lease of an import was not renewed"),
        }
    }
}

async fn carry_out(url: &str, attempt: &Attempt, today: Date, far: Arc<Mutex<Far>>) {
    let ended = async {
        let options: PgConnectOptions = url.parse()?;
        let mut connection = options.application_name("regix-api-uvoz").options(SETTINGS).connect().await?;
        let failed = match make(&mut connection, attempt, today, far).await {
            Ok(()) => return Ok(()),
            Err(failed) => failed,
        };
        tracing::error!(import = attempt.id, cause = format!("{failed:#}"), "an import failed; nothing of it is stored");
        fail(&mut connection, attempt, "Uvoz nije uspeo zbog greške u radu servera. Ništa nije upisano; pokušajte ponovo.").await
    };
    if let Err(error) = ended.await {
        tracing::error!(import = attempt.id, cause = format!("{error:#}"), "an import was not ended; its lease will lapse");
    }
}

async fn make(connection: &mut PgConnection, attempt: &Attempt, today: Date, far: Arc<Mutex<Far>>) -> anyhow::Result<()> {
    let content = own::content(connection, attempt.id).await.map_err(|error| anyhow::anyhow!("{error:?}"))?.context("the file is gone")?;
    let institution = attempt.actor.ustanova_id.context("an import has an institution")?;
    let source = format!("ustanova {institution}/{}", attempt.izvor);
    let request = Request {
        register: RegisterName::Id(attempt.registar_id),
        institution: Some(institution),
        mapping: &content.mapping,
        file: &content.bytes,
        source: &source,
        today,
    };
    let mut tx = connection.begin().await?;
    db::sign(&mut tx, attempt.actor.radnik_id).await?;
    let result = if may_import(&mut tx, attempt.actor.radnik_id, institution).await? {
        data::import(&mut tx, &request, &mut Progress::Told(far)).await
    } else {
        tx.rollback().await?;
        return fail(connection, attempt, "Nemate više pravo na uvoz, ili ne pripadate ustanovi. Ništa nije upisano.").await;
    };
    match result {
        Ok(found) if attempt.shown.as_ref() == Some(&found.fingerprint) => {
            write_hidden(&mut tx, attempt, &found.hidden).await?;
            let outcome = outcome::of_success(&found);
            log(&mut tx, attempt, "uvoz", &outcome, &content.bytes).await?;
            let found = Finding { outcome, defects: &[], hidden: &[], fingerprint: None, changed: None };
            if end(&mut tx, attempt, "done", &found).await? {
                sqlx::query!("delete from data_import_file where uvoz_id = $1", attempt.id).execute(&mut *tx).await?;
                tx.commit().await?;
            }
            Ok(())
        }
        Ok(found) => {
            tx.rollback().await?;
            let outcome = outcome::of_success(&found);
            let changed = attempt.shown.as_ref().and_then(|shown| found.fingerprint.difference_from(shown));
            let found = Finding { outcome, defects: &[], hidden: &found.hidden, fingerprint: Some(found.fingerprint.to_string()), changed };
            tell(connection, attempt, found, &content.bytes).await
        }
        Err(Failure::Defects(problems)) => {
            tx.rollback().await?;
            let Problems { ref defects, ref hidden, .. } = problems;
            let changed = attempt.shown.is_some().then(|| NOW_FAULTY.to_owned());
            let found = Finding { outcome: outcome::of_faults(&problems), defects, hidden, fingerprint: None, changed };
            tell(connection, attempt, found, &content.bytes).await
        }
        Err(Failure::Other(error)) => Err(error),
    }
}

const NOW_FAULTY: &str = "Od provere se nešto promenilo, pa fajl sada ima grešaka. Ništa nije upisano.";

/// What an attempt has found that wrote nothing.
struct Finding<'a> {
    outcome: ImportOutcome,
    defects: &'a [Problem],
    hidden: &'a [Stranger],
    fingerprint: Option<String>,
    /// Why a confirmed import is a check again.
    changed: Option<String>,
}

/// Keeps what was found; not without the rows of the log about those whom it has told of.
async fn tell(connection: &mut PgConnection, attempt: &Attempt, found: Finding<'_>, bytes: &[u8]) -> anyhow::Result<()> {
    let mut tx = connection.begin().await?;
    db::sign(&mut tx, attempt.actor.radnik_id).await?;
    if !counted(&mut tx, attempt, found.hidden).await? {
        tx.rollback().await?;
        let message = "Previše JMBG i LBO iz fajla već imaju pacijenti koje vaša ustanova ne poznaje. Za sat vremena ih je dozvoljeno saznati \
                       onoliko koliko kaže parametar, pa nalaz provere nije prikazan. Ništa nije upisano.";
        return fail(connection, attempt, message).await;
    }
    write_hidden(&mut tx, attempt, found.hidden).await?;
    log(&mut tx, attempt, if attempt.shown.is_none() { "provera" } else { "odbijen uvoz" }, &found.outcome, bytes).await?;
    if end(&mut tx, attempt, "checked", &found).await? {
        tx.commit().await?;
    }
    Ok(())
}

/// Counts the numbers that the worker is about to be told of, beside those that she has typed on the screens.
async fn counted(tx: &mut PgConnection, attempt: &Attempt, hidden: &[Stranger]) -> anyhow::Result<bool> {
    let mut asked: Vec<Vec<u8>> = hidden.iter().map(|one| Sha256::digest(&one.number).to_vec()).collect();
    asked.sort_unstable();
    asked.dedup();
    let most = parameters::load(&mut *tx).await?.number(&NUMBER_CHECKS);
    if asked.is_empty() {
        return Ok(true);
    }
    if i64::try_from(asked.len())? > i64::from(most) {
        return Ok(false);
    }
    let opens = sqlx::query_scalar!(
        r#"select count_number_checks($1, $2, $3) as "opens: jiff_sqlx::Timestamp""#,
        attempt.actor.radnik_id,
        &asked,
        most
    );
    Ok(opens.fetch_one(tx).await?.is_none())
}

async fn write_hidden(tx: &mut PgConnection, attempt: &Attempt, hidden: &[Stranger]) -> sqlx::Result<()> {
    for one in hidden {
        deed_on_patient(&mut *tx, &attempt.actor, "patient", one.deed, one.holder, one.holder).await?;
    }
    Ok(())
}

/// Who brought in what: numbers and the file's sum, no names.
async fn log(tx: &mut PgConnection, attempt: &Attempt, akcija: &str, outcome: &ImportOutcome, bytes: &[u8]) -> sqlx::Result<()> {
    let institution =
        sqlx::query_scalar!("select naziv from institution where id = $1", attempt.actor.ustanova_id).fetch_one(&mut *tx).await?;
    let sum: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    let polja = vec![
        told("Ustanova", institution),
        told("SHA-256 fajla", sum),
        told("Redova", outcome.redova),
        told("Novih pacijenata", outcome.novih_pacijenata),
        told("Poznatih pacijenata", outcome.poznatih_pacijenata),
        told("Novih unosa", outcome.novih_unosa),
        told("Poznatih unosa", outcome.poznatih_unosa),
        told("Grešaka", outcome.gresaka),
    ];
    let (red_id, opis) = (Some(attempt.id.to_string()), Some(format!("Registar: {}", attempt.registar)));
    look(tx, &attempt.actor, &Look { klasa: "data_import", akcija, red_id, opis, polja, ..Look::default() }).await?;
    Ok(())
}

/// Whether the attempt was still its own, and has ended.
async fn end(tx: &mut PgConnection, attempt: &Attempt, status: &str, found: &Finding<'_>) -> anyhow::Result<bool> {
    let ended = sqlx::query!(
        "update data_import
            set status = $3, lease_until = null, ishod = $4, otisak = $5, prekid = case when $6::text is not null then 'promenjeno' end,
                prekid_poruka = $6, vreme_izmene = clock_timestamp()
          where id = $1 and fence = $2 and status in ('checking', 'importing')",
        attempt.id,
        attempt.fence,
        status,
        serde_json::to_value(&found.outcome)?,
        found.fingerprint,
        found.changed
    );
    if ended.execute(&mut *tx).await?.rows_affected() == 0 {
        return Ok(false);
    }
    sqlx::query!("update data_import_file set greske = $2 where uvoz_id = $1", attempt.id, faulty::kept(found.defects)?)
        .execute(tx)
        .await?;
    Ok(true)
}

/// The import is as it was before the attempt, and says why.
async fn fail(connection: &mut PgConnection, attempt: &Attempt, message: &str) -> anyhow::Result<()> {
    sqlx::query!(
        "update data_import set status = 'open', lease_until = null, prekid = 'neuspeo', prekid_poruka = $3, vreme_izmene = clock_timestamp()
          where id = $1 and fence = $2 and status in ('checking', 'importing')",
        attempt.id,
        attempt.fence,
        message
    )
    .execute(connection)
    .await?;
    Ok(())
}
