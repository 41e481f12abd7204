//! Whether the mail server is there: as the last message found it and, where none is sent, a look every few minutes.

use sqlx::PgPool;

use super::{mailer::Mail, queue::Reply};

/// Seconds between looks at a server that answers, and at one that does not.
const LOOK_SECONDS: f64 = 300.0;
const LOOK_SECONDS_DOWN: f64 = 60.0;

/// What a dialogue told of the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServerState {
    /// It took the message, or said why it does not.
    Answers,
    /// It does not greet, encrypt or let the installation sign in.
    ShutOut,
    /// It lets in, and then falls silent or takes nothing from this installation.
    TakesNothing,
}

impl ServerState {
    /// The value of `mail_server.fault`.
    fn fault(self) -> Option<&'static str> {
        match self {
            Self::Answers => None,
            Self::ShutOut => Some("greeting"),
            Self::TakesNothing => Some("message"),
        }
    }
}

/// Notes what a message has found.
pub async fn note(app: &PgPool, reply: &Reply) -> sqlx::Result<()> {
    let Some(state) = reply.server else { return Ok(()) };
    write(app, state, reply).await
}

/// Looks at the server where nobody has asked it anything for some time: of several engines one does. Being let in does not mend what a
/// message has found, as long as one that failed waits.
pub async fn look(mail: &Mail) -> sqlx::Result<()> {
    let due = sqlx::query!(
        r#"update mail_server set checked_at = clock_timestamp()
            where checked_at < clock_timestamp() - make_interval(secs => case when fault is null then $1::float8 else $2 end)
        returning fault is not distinct from 'message' and exists (
            select from report_delivery where status in ('pending', 'sending', 'uncertain') and next_attempt_at < 'infinity' and attempts > 0)
            as "unmended!""#,
        LOOK_SECONDS,
        LOOK_SECONDS_DOWN
    )
    .fetch_optional(&mail.app)
    .await?;
    let Some(due) = due else { return Ok(()) };
    let reply = mail.server.look().await;
    match reply.server {
        Some(ServerState::Answers) if due.unmended => Ok(()),
        Some(state) => write(&mail.app, state, &reply).await,
        None => Ok(()),
    }
}

/// A server that takes nothing is not up because it lets in, so that the graver fault stays until a message goes through.
async fn write(app: &PgPool, state: ServerState, reply: &Reply) -> sqlx::Result<()> {
    sqlx::query!(
        "update mail_server
            set fault = case when $1::text is not null and fault = 'message' then fault else $1 end,
                down_since = case when $1 is not null then coalesce(down_since, clock_timestamp()) end,
                answered_at = case when $1 is null then clock_timestamp() else answered_at end,
                checked_at = clock_timestamp(), code = $2, answer = $3",
        state.fault(),
        reply.code,
        masked(reply, state),
    )
    .execute(app)
    .await?;
    Ok(())
}

/// The answer as operators may read it: our own words, what the server says before any recipient was named without addresses, and of an
/// answer about a recipient its number alone.
fn masked(reply: &Reply, state: ServerState) -> Option<String> {
    let words = reply.text.split_whitespace();
    let text = match (reply.code, state) {
        (None, _) => reply.text.clone(),
        (Some(_), ServerState::ShutOut) => words.map(|word| if word.contains('@') { "•••" } else { word }).collect::<Vec<_>>().join(" "),
        (Some(_), _) => words.map(|word| word.trim_matches([':', ';', ','])).find(|word| is_enhanced(word)).unwrap_or_default().to_owned(),
    };
    (!text.is_empty()).then_some(text)
}

/// `5.1.1`, as RFC 3463 has it.
fn is_enhanced(word: &str) -> bool {
    let parts: Vec<&str> = word.split('.').collect();
    parts.len() == 3 && parts.iter().all(|part| (1..=3).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_told_without_anybodys_address() {
        let told = |code, text: &str, state| masked(&Reply { code, text: text.to_owned(), server: Some(state) }, state);
        let unknown = "permanent error (550): 5.1.1 <ana@bolnica.rs>: Ana Anić unknown";
        assert_eq!(told(Some(550), unknown, ServerState::Answers).as_deref(), Some("5.1.1"));
        assert_eq!(told(Some(250), "kept for ana", ServerState::Answers), None);
        let shut = "permanent error (535): 5.7.8 regix@bolnica.rs may not sign in";
        assert_eq!(told(Some(535), shut, ServerState::ShutOut).as_deref(), Some("permanent error (535): 5.7.8 ••• may not sign in"));
        let silent = "E-mail server nije odgovorio na vreme (povezivanje).";
        assert_eq!(told(None, silent, ServerState::TakesNothing).as_deref(), Some(silent));
    }
}
