//! `api check`: what the programs stand on, asked once and told as a table.

use anyhow::ensure;
use domain::{
    config::Config,
    environment, metrics,
    standing::{self, Ground},
};

use crate::{identity_provider, proxies::Proxies};

pub async fn run(table: bool) -> anyhow::Result<()> {
    if table {
        print!("{}", standing::described());
        return Ok(());
    }
    let findings = ground()?.ask().await;
    print!("{}", standing::checked(&findings));
    let failing = findings.iter().filter(|finding| !finding.holds()).count();
    ensure!(failing == 0, "{failing} of {} are not as they must be", findings.len());
    println!("All settings can be read, and what they name is as it must be.");
    Ok(())
}

/// Every setting that programs read, and the places that they name. Whose of them is wrong is named.
fn ground() -> anyhow::Result<Ground> {
    let config = Config::from_env()?;
    Proxies::parse(&environment::optional("BEHIND_PROXY", ""))?;
    identity_provider::Settings::from_env()?;
    metrics::address()?;
    let mail = environment::optional("SMTP_URL", "");
    Ok(Ground::of(&config, (!mail.is_empty()).then_some(mail)))
}
