//! Redis, which wakes the engines: whether it answers, is one that takes tasks, and keeps them.

use ::redis::{AsyncConnectionConfig, ErrorKind, RedisError, aio::MultiplexedConnection};

use super::{Finding, PATIENCE, Precondition, State};
use crate::tls;

pub async fn ask(url: &str) -> [Finding; 2] {
    let place = place_of(url);
    let [answers, keeps] = match tokio::time::timeout(PATIENCE, look(url)).await {
        Ok(states) => states,
        Err(_) => [State::Away("no answer in time".to_owned()), State::Unasked],
    };
    [Finding::new(Precondition::Redis, &place, answers), Finding::new(Precondition::RedisMemory, &place, keeps)]
}

async fn look(url: &str) -> [State; 2] {
    let client = match tls::redis_client(url) {
        Ok(client) => client,
        Err(error) => return [State::Wrong(format!("{error:#}")), State::Unasked],
    };
    let config = AsyncConnectionConfig::new().set_connection_timeout(Some(PATIENCE)).set_response_timeout(Some(PATIENCE));
    let mut connection = match client.get_multiplexed_async_connection_with_config(&config).await {
        Ok(connection) => connection,
        Err(error) => return [failure(&error), State::Unasked],
    };
    match info(&mut connection).await {
        Ok(info) => {
            let answers = answers(&info);
            let keeps = if matches!(answers, State::Good(_)) { keeps(&info) } else { State::Unasked };
            [answers, keeps]
        }
        Err(error) => [failure(&error), State::Unasked],
    }
}

async fn info(connection: &mut MultiplexedConnection) -> Result<String, RedisError> {
    ::redis::cmd("INFO").query_async(connection).await
}

fn failure(error: &RedisError) -> State {
    let said = error.detail().map_or_else(|| error.to_string(), str::to_owned);
    match error.kind() {
        ErrorKind::AuthenticationFailed => State::Wrong("Redis refuses the password".to_owned()),
        _ if ["NOAUTH", "WRONGPASS", "NOPERM"].into_iter().any(|code| error.code() == Some(code)) => {
            State::Wrong("Redis refuses the password".to_owned())
        }
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

fn keeps(info: &str) -> State {
    match (told(info, "maxmemory"), told(info, "maxmemory_policy")) {
        (Some("0"), _) | (_, Some("noeviction")) => State::Good("noeviction".to_owned()),
        (_, policy) => State::Doubtful(format!("what waits may be thrown away ({})", policy.unwrap_or("no policy told"))),
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
    use super::*;

    #[test]
    fn what_takes_no_tasks_is_told_from_what_does() {
        assert!(matches!(answers("redis_version:7.0\r\nredis_mode:standalone\r\nrole:master\r\n"), State::Good(_)));
        assert!(matches!(answers("redis_mode:sentinel\r\n"), State::Wrong(_)));
        assert!(matches!(answers("redis_mode:cluster\r\nrole:master\r\n"), State::Wrong(_)));
        assert!(matches!(answers("redis_mode:standalone\r\nrole:slave\r\n"), State::Away(_)));
        assert!(matches!(keeps("maxmemory:0\r\nmaxmemory_policy:allkeys-lru\r\n"), State::Good(_)));
        assert!(matches!(keeps("maxmemory:1000\r\nmaxmemory_policy:allkeys-lru\r\n"), State::Doubtful(_)));
        assert_eq!(place_of("rediss://:tajna@redis:6379/0?sslrootcert=/a"), "redis:6379");
    }
}
