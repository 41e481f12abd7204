//! What the engine reads from its environment, beside what every process reads.

use std::time::Duration;

use domain::{
    config::Config,
    environment::{required, within},
    runs::KNOWN_VERSION,
};

#[derive(Clone)]
pub struct Settings {
    pub common: Config,
    /// Runs that this process executes at one time.
    pub concurrency: usize,
    /// How long a job stays this engine's without a heartbeat.
    pub lease: Duration,
    /// Between heartbeats.
    pub heartbeat_interval: Duration,
    /// Between sweeps of lapsed leases.
    pub sweep: Duration,
    /// Between looks at PostgreSQL for what Redis did not announce.
    pub poll: Duration,
    /// How long a stopping engine lets its runs finish before it gives them back.
    pub shutdown: Duration,
    /// Between looks at what the engine stands on.
    pub standing: Duration,
    pub mail: MailSettings,
    /// The version of things that this engine knows.
    pub knows: i32,
}

#[derive(Clone)]
pub struct MailSettings {
    /// `smtp://user:password@host:port?tls=required`, `smtps://…`, or plain `smtp://host:port` inside a trusted network.
    pub smtp_url: String,
    pub from: String,
    /// Messages that this process sends at one time.
    pub concurrency: usize,
    /// How long one reply of the mail server is waited for.
    pub timeout: Duration,
    /// Stretches or shrinks every delay between attempts.
    pub delay_scale: f64,
}

impl Settings {
    pub fn from_env() -> anyhow::Result<Self> {
        let lease = seconds("ENGINE_LEASE_SECONDS", 60.0, 1.0)?;
        Ok(Self {
            common: Config::from_env()?,
            concurrency: within("ENGINE_CONCURRENCY", 2_usize, 1, 64)?,
            lease,
            heartbeat_interval: lease / 4,
            sweep: seconds("ENGINE_SWEEP_SECONDS", 15.0, 0.05)?,
            poll: seconds("ENGINE_POLL_SECONDS", 10.0, 0.05)?,
            shutdown: seconds("ENGINE_SHUTDOWN_SECONDS", 30.0, 0.0)?,
            standing: domain::standing::period()?,
            knows: knows()?,
            mail: MailSettings {
                smtp_url: required("SMTP_URL")?,
                from: required("MAIL_FROM")?,
                concurrency: within("ENGINE_MAIL_CONCURRENCY", 2_usize, 1, 64)?,
                timeout: seconds("ENGINE_SMTP_TIMEOUT_SECONDS", 30.0, 0.1)?,
                delay_scale: within("ENGINE_MAIL_DELAY_SCALE", 1.0, 0.000_001, 1000.0)?,
            },
        })
    }
}

/// Tests have an engine pass for an older or a newer one. Release builds know what they know.
fn knows() -> anyhow::Result<i32> {
    if cfg!(debug_assertions) { within("ENGINE_KNOWS", KNOWN_VERSION, 0, i32::MAX) } else { Ok(KNOWN_VERSION) }
}

/// An hour at most: longer than that nobody waits for what an engine does again and again.
fn seconds(name: &str, default: f64, least: f64) -> anyhow::Result<Duration> {
    Ok(Duration::from_secs_f64(within(name, default, least, 3600.0)?))
}
