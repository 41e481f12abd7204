//! Whether the schema is the program's own. While an upgrade goes from program to program, programs of two versions meet one schema: it says
//! itself (`serves_programs_from`) how old they may be.

use sqlx::{Executor, PgConnection, Row};

use super::{State, within};
use crate::schema;

pub async fn ask(connection: &mut PgConnection) -> State {
    match within(look(connection)).await {
        Ok(found) => judge(&found, schema::newest()),
        Err(state) => state,
    }
}

/// What the database says of its schema.
#[derive(Debug)]
struct Version {
    /// The newest migration; none where there has been none.
    migration: Option<i64>,
    /// Whether one has begun and not ended.
    unfinished: bool,
    /// Whether the newest definitions of functions are the program's.
    is_ours: bool,
    /// Whether the program's have been there.
    was_ours: bool,
    /// The migration of the oldest programs that it serves; none where it does not say.
    serves_from: Option<i64>,
}

async fn look(connection: &mut PgConnection) -> sqlx::Result<Version> {
    let there = connection
        .fetch_one(sqlx::raw_sql(
            "select to_regclass('public._sqlx_migrations') is not null and to_regclass('public.applied_definitions') is not null,
                    to_regproc('public.serves_programs_from') is not null",
        ))
        .await?;
    if !there.try_get::<bool, _>(0)? {
        return Ok(Version { migration: None, unfinished: false, is_ours: false, was_ours: false, serves_from: None });
    }
    let row = sqlx::query(
        "select max(version) filter (where success) as migration, bool_or(not success) as unfinished,
                (select sha256 from applied_definitions order by vreme desc limit 1) = $1 as is_ours,
                exists (select from applied_definitions where sha256 = $1) as was_ours
           from _sqlx_migrations",
    )
    .bind(schema::fingerprint())
    .persistent(false)
    .fetch_one(&mut *connection)
    .await?;
    let serves_from = if there.try_get(1)? {
        let row = connection.fetch_one(sqlx::raw_sql("select public.serves_programs_from()")).await?;
        Some(i64::from(row.try_get::<i32, _>(0)?))
    } else {
        None
    };
    Ok(Version {
        migration: row.try_get("migration")?,
        unfinished: row.try_get::<Option<bool>, _>("unfinished")?.unwrap_or_default(),
        is_ours: row.try_get::<Option<bool>, _>("is_ours")?.unwrap_or_default(),
        was_ours: row.try_get("was_ours")?,
        serves_from,
    })
}

fn judge(found: &Version, ours: i64) -> State {
    let Some(migration) = found.migration else { return State::Wrong("the database has no schema of Regix yet".to_owned()) };
    if found.unfinished {
        return State::Wrong("a migration was begun and not ended".to_owned());
    }
    if migration < ours {
        return State::Wrong(format!("the schema is older ({migration:04}) than this program ({ours:04})"));
    }
    if migration == ours {
        return match (found.is_ours, found.was_ours) {
            (true, _) => State::Good(format!("{migration:04}")),
            (false, true) => State::Good(format!("{migration:04}, with functions of a newer program")),
            (false, false) => State::Wrong(format!("the functions of the schema ({migration:04}) are not this program's")),
        };
    }
    match found.serves_from {
        Some(from) if from <= ours => {
            State::Good(format!("{migration:04}, which serves programs from {from:04} on; this one is {ours:04}"))
        }
        Some(from) => {
            State::Wrong(format!("this program ({ours:04}) is older than those that the schema ({migration:04}) serves, from {from:04} on"))
        }
        None => State::Wrong(format!("this program ({ours:04}) is older than the schema ({migration:04})")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(migration: i64) -> Version {
        Version { migration: Some(migration), unfinished: false, is_ours: true, was_ours: true, serves_from: Some(88) }
    }

    fn is_good(found: &Version) -> bool {
        matches!(judge(found, 90), State::Good(_))
    }

    #[test]
    fn a_schema_serves_its_own_program_and_those_that_it_names() {
        assert!(is_good(&version(90)));
        assert!(is_good(&Version { is_ours: false, ..version(90) }), "functions of a newer program of the same migration");
        assert!(!is_good(&Version { is_ours: false, was_ours: false, ..version(90) }), "functions that nobody has brought up to date");
        assert!(!is_good(&version(89)), "older");
        assert!(is_good(&Version { is_ours: false, ..version(93) }), "newer, and it serves from 88 on");
        assert!(!is_good(&Version { serves_from: Some(91), ..version(93) }));
        assert!(!is_good(&Version { serves_from: None, ..version(93) }));
        assert!(!is_good(&Version { unfinished: true, ..version(90) }));
        assert!(!is_good(&Version { migration: None, ..version(0) }));
    }
}
