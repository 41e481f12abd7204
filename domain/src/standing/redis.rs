//! Redis, which wakes the engines: whether it answers, is one that takes tasks, and keeps them, in its memory and on its disk.

use std::collections::HashMap;

use ::redis::{AsyncConnectionConfig, ErrorKind, RedisError, aio::MultiplexedConnection};

use super::{Finding, PATIENCE, Precondition, State};
use crate::tls;

pub async fn ask(url: &str) -> [Finding; 3] {
    let place = place_of(url);
    let [answers, memory, disk] = match tokio::time::timeout(PATIENCE, look(url)).await {
        Ok(states) => states,
        Err(_) => alone(State::Away("no answer in time".to_owned())),
    };
    [
        Finding::new(Precondition::Redis, &place, answers),
        Finding::new(Precondition::RedisMemory, &place, memory),
        Finding::new(Precondition::RedisDisk, &place, disk),
    ]
}

/// What comes after it is not asked.
fn alone(answers: State) -> [State; 3] {
    [answers, State::Unasked, State::Unasked]
}

async fn look(url: &str) -> [State; 3] {
    let client = match tls::redis_client(url) {
        Ok(client) => client,
        Err(error) => return alone(State::Wrong(format!("{error:#}"))),
    };
    let config = AsyncConnectionConfig::new().set_connection_timeout(Some(PATIENCE)).set_response_timeout(Some(PATIENCE));
    let mut connection = match client.get_multiplexed_async_connection_with_config(&config).await {
        Ok(connection) => connection,
        Err(error) => return alone(failure(&error)),
    };
    match info(&mut connection).await {
        Ok(info) => {
            let answers = answers(&info);
            if !matches!(answers, State::Good(_)) {
                return alone(answers);
            }
            let snapshots = snapshots(&mut connection).await;
            [answers, in_memory(&info), on_disk(&info, snapshots.as_deref())]
        }
        Err(error) => alone(failure(&error)),
    }
}

async fn info(connection: &mut MultiplexedConnection) -> Result<String, RedisError> {
    ::redis::cmd("INFO").query_async(connection).await
}

/// When it writes snapshots, in its own words; none where it may not be asked, as a provider's.
async fn snapshots(connection: &mut MultiplexedConnection) -> Option<String> {
    let told: HashMap<String, String> = ::redis::cmd("CONFIG").arg("GET").arg("save").query_async(connection).await.ok()?;
    told.get("save").cloned()
}

fn failure(error: &RedisError) -> State {
    let said = error.detail().map_or_else(|| error.to_string(), str::to_owned);
    match error.kind() {
        ErrorKind::AuthenticationFailed => State::Wrong("Redis refuses the password".to_owned()),
        _ if ["NOAUTH", "WRONGPASS", "NOPERM"].into_iter().any(|code| error.code() == Some(code)) => {
            State::Wrong("Redis refuses the password".to_owned())
        }
        // A Redis that is being started hangs up too, so that this may mend itself.
        _ if error.is_connection_dropped() && !error.is_connection_refusal() => {
            State::Away("somebody takes the connection and hangs up: another program, or a Redis with TLS (rediss://)".to_owned())
        }
        ErrorKind::Parse | ErrorKind::UnexpectedReturnType => State::Away("what answers is another program".to_owned()),
        _ => State::Away(format!("nobody answers: {said}")),
    }
}

fn told<'a>(info: &'a str, name: &str) -> Option<&'a str> {
    info.lines().filter_map(|line| line.split_once(':')).find(|(key, _)| *key == name).map(|(_, value)| value.trim())
}

fn answers(info: &str) -> State {
    match (told(info, "redis_mode"), told(info, "role")) {
        (Some("sentinel"), _) => State::Wrong("it is a Sentinel, which knows where Redis is and takes no tasks".to_owned()),
        (Some("cluster"), _) => State::Wrong("it is a node of a cluster, which spreads what belongs together".to_owned()),
        (_, Some("slave")) => State::Away("it is a replica, which takes no tasks".to_owned()),
        _ => State::Good(format!("Redis {}", told(info, "redis_version").unwrap_or("answers"))),
    }
}

fn in_memory(info: &str) -> State {
    match told(info, "maxmemory_policy") {
        Some("noeviction") => State::Good("noeviction".to_owned()),
        // Also where its memory has no bound yet: whoever gives it one would not think of this.
        policy => {
            State::Doubtful(format!("what waits may be thrown away once its memory is full ({})", policy.unwrap_or("no policy told")))
        }
    }
}

fn on_disk(info: &str, snapshots: Option<&str>) -> State {
    let failed = |name| told(info, name).is_some_and(|status| status != "ok");
    match (told(info, "aof_enabled"), snapshots) {
        (Some("1"), _) if failed("aof_last_write_status") => State::Doubtful("its last write to the disk failed".to_owned()),
        (Some("1"), _) => State::Good("appendonly".to_owned()),
        (_, Some("")) => State::Doubtful("what waits is gone once it is started again (neither appendonly nor save)".to_owned()),
        (_, Some(_)) if failed("rdb_last_bgsave_status") => State::Doubtful("its last snapshot failed".to_owned()),
        (_, Some(save)) => State::Good(format!("snapshots (save {save})")),
        (_, None) => State::Unasked,
    }
}

/// Host and port, without what stands before them.
fn place_of(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let place = rest.split(['/', '?']).next().unwrap_or_default();
    place.rsplit_once('@').map_or(place, |(_, host)| host).to_owned()
}

#[cfg(test)]
mod tests {
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt},
        net::TcpListener,
    };

    use super::*;

    /// What is said of a program that answers to each connection with these bytes and hangs up.
    async fn said_of(answer: &'static [u8]) -> State {
        let program = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("redis://{}", program.local_addr().unwrap());
        let answering = tokio::spawn(async move {
            loop {
                let (mut caller, _) = program.accept().await.unwrap();
                let _asked = caller.read(&mut [0; 64]).await;
                let _answered = caller.write_all(answer).await;
            }
        });
        let [finding, ..] = ask(&url).await;
        answering.abort();
        finding.state
    }

    #[tokio::test]
    async fn another_program_at_its_address_is_told_from_nobody() {
        for answer in [b"".as_slice(), b"HTTP/1.1 400 Bad Request\r\n\r\n", b"E\0\0\0\x0bSFATAL\0\0"] {
            let State::Away(words) = said_of(answer).await else { panic!("{answer:?}") };
            assert!(words.contains("another program"), "{words}");
        }
        let free = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
        let [finding, ..] = ask(&format!("redis://{free}")).await;
        assert!(matches!(finding.state, State::Away(words) if words.starts_with("nobody answers")));
    }

    #[test]
    fn what_takes_no_tasks_is_told_from_what_does() {
        assert!(matches!(answers("redis_version:7.0\r\nredis_mode:standalone\r\nrole:master\r\n"), State::Good(_)));
        assert!(matches!(answers("redis_mode:sentinel\r\n"), State::Wrong(_)));
        assert!(matches!(answers("redis_mode:cluster\r\nrole:master\r\n"), State::Wrong(_)));
        assert!(matches!(answers("redis_mode:standalone\r\nrole:slave\r\n"), State::Away(_)));
        assert_eq!(place_of("rediss://:tajna@redis:6379/0?sslrootcert=/a"), "redis:6379");
    }

    #[test]
    fn what_is_kept_in_memory_and_on_disk_is_told_by_its_settings() {
        assert!(matches!(in_memory("maxmemory:1000\r\nmaxmemory_policy:noeviction\r\n"), State::Good(_)));
        assert!(matches!(in_memory("maxmemory:0\r\nmaxmemory_policy:allkeys-lru\r\n"), State::Doubtful(_)));
        assert!(matches!(in_memory("maxmemory:0\r\n"), State::Doubtful(_)));
        for (info, snapshots, good) in [
            ("aof_enabled:1\r\naof_last_write_status:ok\r\n", Some(""), true),
            ("aof_enabled:1\r\naof_last_write_status:err\r\n", Some("3600 1"), false),
            ("aof_enabled:0\r\nrdb_last_bgsave_status:ok\r\n", Some("3600 1 300 100"), true),
            ("aof_enabled:0\r\nrdb_last_bgsave_status:err\r\n", Some("3600 1 300 100"), false),
            ("aof_enabled:0\r\nrdb_last_bgsave_status:ok\r\n", Some(""), false),
        ] {
            assert_eq!(matches!(on_disk(info, snapshots), State::Good(_)), good, "{info} {snapshots:?}");
        }
        assert_eq!(on_disk("aof_enabled:0\r\n", None), State::Unasked, "a provider's may not be asked");
    }
}
