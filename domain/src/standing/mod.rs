//! What a program stands on: one list of preconditions, asked by every program before it works, by `api check`, and again while it runs. A
//! server that is there and wrong is refused; one that is not there yet is waited for.

mod database;
mod pooler;
mod precondition;
mod redis;
mod report_role;
mod schema_version;
mod store;
mod table;
mod watch;

use std::{fmt, path::PathBuf, time::Duration};

use sqlx::{Connection, PgConnection, postgres::PgConnectOptions};

pub use precondition::{Precondition, Weight};
pub use table::{checked, described};
pub use watch::{Watch, period};

use crate::{artifacts::ArtifactStore, config::Config, db};

/// How long a server may be silent before it counts as away.
const PATIENCE: Duration = Duration::from_secs(5);
const SHORTEST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(10);

/// The places that a program stands on, as its settings name them.
#[derive(Clone)]
pub struct Ground {
    pub database_url: String,
    /// None: the program makes no reports.
    pub report_database_url: Option<String>,
    pub redis_url: String,
    pub artifacts: ArtifactStore,
    /// None: the program reads no templates.
    pub template_dir: Option<PathBuf>,
    /// None: the program sends no mail.
    pub smtp_url: Option<String>,
}

/// How one precondition is met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// Met; what was seen.
    Good(String),
    /// It works, and not as it should.
    Doubtful(String),
    /// Nobody answers, or not yet: the same again later may find it.
    Away(String),
    /// It is there, and no waiting mends it.
    Wrong(String),
    /// What comes before it is not met, or the program has no such place.
    Unasked,
}

/// What was found of one precondition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub precondition: Precondition,
    pub state: State,
    /// Host and port, where there is one; never user or password.
    pub place: String,
}

impl Finding {
    fn new(precondition: Precondition, place: &str, state: State) -> Self {
        Self { precondition, state, place: place.to_owned() }
    }

    /// Whether the program can do its work as far as this goes.
    pub fn holds(&self) -> bool {
        matches!(self.state, State::Good(_) | State::Doubtful(_) | State::Unasked)
    }

    /// Whether somebody should look into it.
    pub fn warns(&self) -> bool {
        !self.holds() || matches!(self.state, State::Doubtful(_))
    }

    /// Whether whoever works on this ground does harm, or nothing.
    pub fn forbids(&self) -> bool {
        matches!(self.state, State::Wrong(_)) && self.precondition.weight() == Weight::Vital
    }
}

impl fmt::Display for Finding {
    /// One sentence: setting, place, what is wrong, what to do.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (setting, place) = (self.precondition.setting(), &self.place);
        match &self.state {
            State::Good(seen) => write!(out, "{setting} ({place}): {seen}"),
            State::Unasked => write!(out, "{setting} ({place}): not asked"),
            State::Doubtful(seen) | State::Away(seen) | State::Wrong(seen) => {
                write!(out, "{setting} ({place}): {seen}; {}", self.precondition.remedy())
            }
        }
    }
}

impl Ground {
    pub fn of(config: &Config, smtp_url: Option<String>) -> Self {
        Self {
            database_url: config.database_url.clone(),
            report_database_url: Some(config.report_database_url.clone()),
            redis_url: config.redis_url.clone(),
            artifacts: config.artifacts.clone(),
            template_dir: Some(config.template_dir.clone()),
            smtp_url,
        }
    }

    /// Asks everything.
    pub async fn ask(&self) -> Vec<Finding> {
        let (databases, redis, store, mail) =
            tokio::join!(self.ask_databases(), redis::ask(&self.redis_url), store::ask(self), store::mail(self));
        databases.into_iter().chain(redis).chain(store).chain([store::templates(self), mail]).collect()
    }

    /// Asks what calls need: the databases and who the program is there.
    pub async fn ask_databases(&self) -> Vec<Finding> {
        let mut findings = database::ask(&self.database_url).await;
        let ready = findings.iter().all(Finding::holds);
        findings.extend(report_role::ask(self, ready).await);
        findings
    }

    /// Returns once the program may work. Refuses ground that is there and wrong; waits for what is not there yet.
    pub async fn stand(&self) -> anyhow::Result<()> {
        let mut pause = SHORTEST_PAUSE;
        loop {
            let findings = self.ask().await;
            let refused: Vec<String> =
                findings.iter().filter(|finding| matches!(finding.state, State::Wrong(_))).map(Finding::to_string).collect();
            anyhow::ensure!(refused.is_empty(), "{}", refused.join("\n"));
            // The site goes on without reports: a replica that is away makes them late.
            let awaited = |finding: &Finding| matches!(finding.state, State::Away(_)) && finding.precondition.is_of_the_database();
            for finding in findings.iter().filter(|finding| matches!(finding.state, State::Away(_) | State::Doubtful(_))) {
                tracing::warn!("{finding}");
            }
            if !findings.iter().any(awaited) {
                return Ok(());
            }
            tracing::warn!(seconds = pause.as_secs(), "waiting for the database");
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }
}

/// A place without user and password.
fn place_of(options: &PgConnectOptions) -> String {
    match options.get_socket() {
        Some(socket) => format!("{}/{}", socket.display(), options.get_database().unwrap_or_default()),
        None => format!("{}:{}/{}", options.get_host(), options.get_port(), options.get_database().unwrap_or_default()),
    }
}

/// A connection of its own, beside all pools.
async fn connect(url: &str) -> Result<(PgConnection, String), (State, String)> {
    let options = match db::options(url) {
        Ok(options) => options.application_name("regix-podloga"),
        Err(_) => return Err((State::Wrong("it is no address of PostgreSQL".to_owned()), "?".to_owned())),
    };
    let place = place_of(&options);
    match within(PgConnection::connect_with(&options)).await {
        Ok(connection) => Ok((connection, place)),
        Err(state) => Err((state, place)),
    }
}

/// What is asked of a database, and what its failure means.
async fn within<T>(asked: impl Future<Output = sqlx::Result<T>>) -> Result<T, State> {
    match tokio::time::timeout(PATIENCE, asked).await {
        Ok(Ok(answer)) => Ok(answer),
        Ok(Err(error)) => Err(failure(&error)),
        Err(_) => Err(State::Away("no answer in time".to_owned())),
    }
}

fn failure(error: &sqlx::Error) -> State {
    match error {
        sqlx::Error::Database(said) => {
            let code = said.code().unwrap_or_default();
            let text = said.message();
            match &*code {
                // The password, the role or the way in; the database.
                "28P01" | "28000" | "3D000" => State::Wrong(format!("the server refuses: {text}")),
                code if code.starts_with("42") => State::Wrong(format!("the server refuses what every program asks: {text}")),
                _ => State::Away(format!("the server says: {text}")),
            }
        }
        // A proxy with nobody behind it closes where PostgreSQL says whether it encrypts; another kind of server says something else.
        sqlx::Error::Protocol(text) if text.contains("SSLRequest: 0x00") => State::Away("the connection is closed at once".to_owned()),
        sqlx::Error::Protocol(_) => State::Wrong("what answers there is no PostgreSQL".to_owned()),
        sqlx::Error::Tls(_) => State::Wrong(format!("the encryption fails: {error}")),
        sqlx::Error::Configuration(_) => State::Wrong("the address cannot be used".to_owned()),
        _ => State::Away(format!("nobody answers: {error}")),
    }
}
