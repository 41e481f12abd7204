//! All that an installation holds, as folded texts by their place: every column of every table, files of the store, Redis.

use std::path::Path;

use domain::{environment, fold::fold, testing::TestDb};
use redis::AsyncCommands;

use crate::support::TestApp;

/// Every column of every table, as `table.column`. Bytes count as the text that they are, and as their hexadecimal digits.
pub async fn in_database(db: &TestDb) -> Vec<(String, String)> {
    let columns: Vec<(String, String, String)> = sqlx::query_as(
        "select c.relname::text, a.attname::text, format_type(a.atttypid, a.atttypmod)
           from pg_class c join pg_attribute a on a.attrelid = c.oid
          where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace and a.attnum > 0 and not a.attisdropped
          order by c.relname, a.attname",
    )
    .fetch_all(&db.owner)
    .await
    .unwrap();
    let mut held = Vec::new();
    for of_table in columns.chunk_by(|(one, ..), (other, ..)| one == other) {
        let text = |(_, column, kind): &(String, String, String)| {
            let more = if kind == "bytea" { format!(" || ' ' || coalesce(text_of_file(t.{column}), '')") } else { String::new() };
            format!("coalesce(string_agg(to_jsonb(t.{column})::text{more}, e'\\n'), '')")
        };
        let sql = format!("select array[{}] from {} t", of_table.iter().map(text).collect::<Vec<_>>().join(", "), of_table[0].0);
        let texts: Vec<String> = sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).fetch_one(&db.owner).await.unwrap();
        held.extend(of_table.iter().zip(texts).map(|((table, column, _), text)| (format!("{table}.{column}"), fold(&text))));
    }
    held
}

/// Every file of the store and its name, but for those that the scheduler is told to remove.
pub async fn in_store(app: &TestApp) -> Vec<(String, String)> {
    let going: Vec<String> = sqlx::query_scalar("select putanja from entry_file where uklanja_se").fetch_all(&app.db.owner).await.unwrap();
    let mut held = Vec::new();
    let mut folders = vec![app.artifact_dir().to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let name = name_in(app.artifact_dir(), &path);
            if path.is_dir() {
                folders.push(path);
            } else if !going.contains(&name) {
                held.push(("files.content".to_owned(), fold(&String::from_utf8_lossy(&std::fs::read(&path).unwrap()))));
                held.push(("files.name".to_owned(), fold(&name)));
            }
        }
    }
    held
}

fn name_in(folder: &Path, path: &Path) -> String {
    path.strip_prefix(folder).unwrap().to_string_lossy().into_owned()
}

/// Every key and what it holds.
pub async fn in_redis() -> Vec<(String, String)> {
    let client = redis::Client::open(environment::required("TEST_REDIS_URL").unwrap()).unwrap();
    let mut redis = client.get_multiplexed_async_connection().await.unwrap();
    let keys: Vec<String> = redis.keys("*").await.unwrap();
    let mut held = Vec::new();
    for key in keys {
        let kind: String = redis::cmd("TYPE").arg(&key).query_async(&mut redis).await.unwrap();
        let read: (&str, &[&str]) = match kind.as_str() {
            "string" => ("GET", &[]),
            "list" => ("LRANGE", &["0", "-1"]),
            "set" => ("SMEMBERS", &[]),
            "hash" => ("HGETALL", &[]),
            "zset" => ("ZRANGE", &["0", "-1"]),
            "stream" => ("XRANGE", &["-", "+"]),
            // It has gone meanwhile: another test's.
            _ => continue,
        };
        let value: redis::Value = redis::cmd(read.0).arg(&key).arg(read.1).query_async(&mut redis).await.unwrap_or(redis::Value::Nil);
        held.push(("redis".to_owned(), fold(&format!("{key} {value:?}"))));
    }
    held
}
