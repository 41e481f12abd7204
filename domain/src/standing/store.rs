//! The store of files, tried by writing one, the folder of templates, and the mail server, asked whether it is there.

use std::{io::Read, time::Duration};

use sqlx::{Connection, PgConnection};
use tokio::{io::AsyncReadExt, net::TcpStream};
use uuid::Uuid;

use super::{Finding, Ground, PATIENCE, Precondition, State, connect, within};
use crate::{artifacts::ArtifactStore, tls};

const CONTENT: &[u8] = b"proba";
/// A bucket has to be asked four times.
const STORE_PATIENCE: Duration = Duration::from_secs(20);

pub async fn ask(ground: &Ground) -> [Finding; 2] {
    let place = ground.artifacts.place();
    let tried = match tokio::time::timeout(STORE_PATIENCE, tried(&ground.artifacts)).await {
        Ok(Ok(())) => State::Good("written, read, removed".to_owned()),
        Ok(Err(error)) => State::Away(format!("{error:#}")),
        Err(_) => State::Away("no answer in time".to_owned()),
    };
    let shared = if matches!(tried, State::Good(_)) { shared(ground).await } else { State::Unasked };
    [Finding::new(Precondition::Store, &place, tried), Finding::new(Precondition::SharedStore, &place, shared)]
}

async fn tried(store: &ArtifactStore) -> anyhow::Result<()> {
    let name = format!(".proba-{}", Uuid::now_v7().simple());
    let draft = store.drafts()?.join(Uuid::now_v7().to_string());
    std::fs::write(&draft, CONTENT)?;
    store.keep(None, &draft, &name).await?;
    // Gone already where the store took it as it is.
    let _ = std::fs::remove_file(&draft);
    let mut read = Vec::new();
    if let Some(mut file) = store.open(&name).await? {
        file.read_to_end(&mut read)?;
    }
    store.remove(&name).await?;
    anyhow::ensure!(read == CONTENT, "what was written is not what is read");
    Ok(())
}

/// Whether the programs that live see the same store as this one, by the mark that it has.
async fn shared(ground: &Ground) -> State {
    let Some(seen) = ground.artifacts.look(false).await else { return State::Unasked };
    let Ok((mut connection, _)) = connect(&ground.database_url).await else { return State::Unasked };
    let asked = within(others(&mut connection, seen.mark)).await;
    let _ = connection.close().await;
    match asked {
        Ok((0, 0)) => State::Good("no other program lives".to_owned()),
        Ok((same, 0)) => State::Good(format!("{same} programs see the same")),
        Ok((_, apart)) => State::Away(format!("{apart} programs see another store")),
        // No schema yet.
        Err(_) => State::Unasked,
    }
}

async fn others(connection: &mut PgConnection, mark: Uuid) -> sqlx::Result<(i64, i64)> {
    sqlx::query_as(
        "select count(*) filter (where store = $1), count(*) filter (where store <> $1)
           from process where kind in ('api', 'report-engine') and seen_at > clock_timestamp() - interval '30 seconds'",
    )
    .bind(mark)
    .persistent(false)
    .fetch_one(connection)
    .await
}

/// Whether the folder holds what programs look for there.
pub fn templates(ground: &Ground) -> Finding {
    let Some(folder) = ground.template_dir.as_deref() else { return Finding::new(Precondition::Templates, "", State::Unasked) };
    let missing: Vec<&str> = ["reports", "email"].into_iter().filter(|name| !folder.join(name).is_dir()).collect();
    let state = match missing[..] {
        [] => State::Good("reports and email".to_owned()),
        _ => State::Doubtful(format!("there is no folder {} in it", missing.join(" and "))),
    };
    Finding::new(Precondition::Templates, &folder.display().to_string(), state)
}

/// Engines sign in there every few minutes; here it is asked whether anybody greets.
pub async fn mail(ground: &Ground) -> Finding {
    let Some(url) = ground.smtp_url.as_deref() else { return Finding::new(Precondition::Mail, "", State::Unasked) };
    let (encrypted, place) = address(url);
    if !is_of_mail(url) {
        let wrong = "it is no address of a mail server (smtp://…, smtp://…?tls=required or smtps://…)";
        return Finding::new(Precondition::Mail, &place, State::Wrong(wrong.to_owned()));
    }
    let state = match tokio::time::timeout(PATIENCE, greeting(encrypted, &place)).await {
        Ok(Ok(true)) => State::Good("it answers".to_owned()),
        Ok(Ok(false)) => State::Doubtful("what answers there greets as no mail server does".to_owned()),
        Ok(Err(error)) => State::Doubtful(format!("nobody answers: {error}")),
        Err(_) => State::Doubtful("no answer in time".to_owned()),
    };
    Finding::new(Precondition::Mail, &place, state)
}

async fn greeting(encrypted: bool, place: &str) -> std::io::Result<bool> {
    let mut stream = TcpStream::connect(place).await?;
    if encrypted {
        return Ok(true);
    }
    let mut code = [0; 3];
    stream.read_exact(&mut code).await?;
    Ok(&code == b"220")
}

/// Whether engines would take the address.
fn is_of_mail(url: &str) -> bool {
    let Ok((url, _)) = tls::authorities_file(url) else { return false };
    let (address, query) = url.split_once('?').unwrap_or((&url, ""));
    let scheme = address.split_once("://").map(|(scheme, _)| scheme);
    matches!((scheme, query), (Some("smtps"), _) | (Some("smtp"), "" | "tls=required"))
}

/// Whether it is encrypted from the first byte on, and host and port.
fn address(url: &str) -> (bool, String) {
    let (scheme, rest) = url.split_once("://").unwrap_or(("smtp", url));
    let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
    let place = rest.split('/').next().unwrap_or_default();
    let host = place.rsplit_once('@').map_or(place, |(_, host)| host);
    let encrypted = scheme == "smtps";
    let port = if encrypted {
        465
    } else if query.contains("tls=required") {
        587
    } else {
        25
    };
    let named = host.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
    (encrypted, if named { host.to_owned() } else { format!("{host}:{port}") })
}

#[cfg(test)]
mod tests {
    use super::{address, is_of_mail};

    #[test]
    fn an_address_that_engines_refuse_is_told_from_a_server_that_is_away() {
        for url in ["smtp://posta", "smtp://posta?tls=required", "smtps://posta?x=1", "smtp://posta?tls=required&sslrootcert=/a.pem"] {
            assert!(is_of_mail(url), "{url}");
        }
        for url in ["posta:25", "http://posta", "smtp+tls://posta", "smtp://posta?tls=yes"] {
            assert!(!is_of_mail(url), "{url}");
        }
    }

    #[test]
    fn a_mail_server_has_the_port_that_its_address_means() {
        for (url, expected) in [
            ("smtp://posta", (false, "posta:25")),
            ("smtp://u:p%40@posta:1025", (false, "posta:1025")),
            ("smtp://posta?tls=required", (false, "posta:587")),
            ("smtps://u:p@posta/?x=1", (true, "posta:465")),
        ] {
            assert_eq!(address(url), (expected.0, expected.1.to_owned()), "{url}");
        }
    }
}
