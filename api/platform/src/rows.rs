//! How a record of the configuration is written, whether a screen or a file describes it: new rows inserted, those that differ
//! updated, the rest left untouched, so that a second run writes nothing.

use domain::entry::rules::EntryRule;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};
use sqlx::{AssertSqlSafe, PgConnection, Row as _};

/// The wanted columns of a row with their values, made by `row`. Rows of one call have the same columns.
pub type Row = Map<String, Value>;

/// The row of a JSON object whose keys are columns. They are written into statements, so they come from the code only,
/// never from a file.
pub fn row(columns: Value) -> Row {
    let Value::Object(columns) = columns else { unreachable!("a row is made of an object") };
    columns
}

/// The row of a record, whose names are those of the API: `tipAtributaID` is the column `tip_atributa_id`, `passwordWS` is `password_ws`.
pub fn columns_of(record: &impl Serialize) -> serde_json::Result<Row> {
    let fields: Map<String, Value> = serde_json::from_value(serde_json::to_value(record)?)?;
    Ok(fields.into_iter().map(|(name, value)| (column_of(&name), value)).collect())
}

fn column_of(name: &str) -> String {
    let mut column = String::new();
    for letter in name.replace("ID", "Id").replace("WS", "Ws").chars() {
        if letter.is_uppercase() {
            column.push('_');
        }
        column.extend(letter.to_lowercase());
    }
    column
}

/// The record of a row, by the same names.
pub fn record_of<T: DeserializeOwned>(row: Row) -> serde_json::Result<T> {
    serde_json::from_value(row.into_iter().map(|(column, value)| (name_of(&column), value)).collect())
}

/// The name in the API of a column.
pub fn name_of(column: &str) -> String {
    let mut words = column.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| match word {
        "id" => name + "ID",
        _ => name + &word[..1].to_uppercase() + &word[1..],
    })
}

/// The rules of a form as their column has them. What is new gets a number that no other of its form has.
pub fn rules(rules: &[EntryRule], known: &[i64]) -> serde_json::Result<Value> {
    let mut last = rules.iter().map(|rule| rule.id).chain(known.iter().copied()).max().unwrap_or_default().max(0);
    let mut numbered = rules.to_vec();
    for rule in numbered.iter_mut().filter(|rule| rule.id <= 0) {
        last += 1;
        rule.id = last;
    }
    serde_json::to_value(numbered)
}

/// Inserts one row, and gives its id. The table's name comes from the code only.
pub async fn create(tx: &mut PgConnection, table: &'static str, mut row: Row) -> sqlx::Result<i64> {
    let table = Table { name: table, key: &[], soft: false };
    let id = table.next_id(tx).await?;
    row.insert("id".to_owned(), id.into());
    table.insert(tx, &[row]).await?;
    Ok(id)
}

/// Updates one row, where it differs.
pub async fn change(tx: &mut PgConnection, table: &'static str, id: i64, mut row: Row) -> sqlx::Result<()> {
    row.insert("id".to_owned(), id.into());
    Table { name: table, key: &[], soft: false }.update(tx, &[row]).await.map(drop)
}

/// A table whose rows a file describes.
pub struct Table {
    pub name: &'static str,
    /// Columns that name a row.
    pub key: &'static [&'static str],
    /// Has `aktivan`: an inactive row is found by its key too, and becomes active again.
    pub soft: bool,
}

#[derive(Default)]
pub struct SyncResult {
    /// Ids in the order of the given rows.
    pub ids: Vec<i64>,
    pub changes: Changes,
}

#[derive(Default, Clone, Copy, PartialEq, Eq, Debug)]
pub struct Changes {
    pub created: u64,
    pub updated: u64,
}

impl std::ops::AddAssign for Changes {
    fn add_assign(&mut self, other: Self) {
        self.created += other.created;
        self.updated += other.updated;
    }
}

impl Table {
    /// Finds `rows` by their key, inserts the new ones and updates the others. Columns that they do not name keep their
    /// value, or get their default.
    pub async fn sync(&self, tx: &mut PgConnection, mut rows: Vec<Row>) -> sqlx::Result<SyncResult> {
        if rows.is_empty() {
            return Ok(SyncResult::default());
        }
        let known = self.known_ids(tx, &rows).await?;
        let mut ids = vec![];
        for (row, known) in rows.iter_mut().zip(&known) {
            let id = match known {
                Some(id) => *id,
                None => self.next_id(tx).await?,
            };
            row.insert("id".to_owned(), id.into());
            ids.push(id);
        }
        let (old, new): (Vec<_>, Vec<_>) = rows.into_iter().zip(known).partition(|(_, known)| known.is_some());
        let rows = |part: Vec<(Row, Option<i64>)>| part.into_iter().map(|(row, _)| row).collect::<Vec<_>>();
        let updated = self.update(tx, &rows(old)).await?;
        let created = self.insert(tx, &rows(new)).await?;
        Ok(SyncResult { ids, changes: Changes { created, updated } })
    }

    /// Inserts rows that carry their id.
    pub async fn insert(&self, tx: &mut PgConnection, rows: &[Row]) -> sqlx::Result<u64> {
        let Some(columns) = columns(rows) else { return Ok(0) };
        let statement = format!(
            "insert into {name} ({columns}) select {columns} from jsonb_populate_recordset(null::{name}, $1)",
            name = self.name,
            columns = columns.join(", ")
        );
        Ok(sqlx::query(AssertSqlSafe(statement)).bind(json(rows)).execute(tx).await?.rows_affected())
    }

    /// Updates those of the rows, found by their id, that differ from what is stored.
    pub async fn update(&self, tx: &mut PgConnection, rows: &[Row]) -> sqlx::Result<u64> {
        let Some(columns) = columns(rows) else { return Ok(0) };
        let of = |row: &str| columns.iter().map(|column| format!("{row}.{column}")).collect::<Vec<_>>().join(", ");
        let mut set: Vec<_> = columns.iter().filter(|column| *column != "id").map(|column| format!("{column} = w.{column}")).collect();
        let mut differs = format!("({}) is distinct from ({})", of("t"), of("w"));
        if self.soft {
            set.push("aktivan = true".to_owned());
            differs.push_str(" or not t.aktivan");
        }
        // The ids are named once more: PostgreSQL takes the set for a hundred rows, and would read the whole table for one of them.
        let statement = format!(
            "update {name} t set {set} from jsonb_populate_recordset(null::{name}, $1) w where t.id = w.id and t.id = any ($2) and ({differs})",
            name = self.name,
            set = set.join(", ")
        );
        let ids: Vec<i64> = rows.iter().filter_map(|row| row["id"].as_i64()).collect();
        Ok(sqlx::query(AssertSqlSafe(statement)).bind(json(rows)).bind(ids).execute(tx).await?.rows_affected())
    }

    async fn known_ids(&self, tx: &mut PgConnection, rows: &[Row]) -> sqlx::Result<Vec<Option<i64>>> {
        let same = self.key.iter().map(|column| format!("t.{column} = w.{column}")).collect::<Vec<_>>().join(" and ");
        let order = if self.soft { "t.aktivan desc, t.id desc" } else { "t.id desc" };
        let statement = format!(
            "select (select t.id from {name} t where {same} order by {order} limit 1) as id
               from jsonb_populate_recordset(null::{name}, $1) with ordinality w order by w.ordinality",
            name = self.name
        );
        let found = sqlx::query(AssertSqlSafe(statement)).bind(json(rows)).fetch_all(tx).await?;
        found.iter().map(|row| row.try_get("id")).collect()
    }

    /// Ids for so many new rows.
    pub async fn fresh_ids(&self, tx: &mut PgConnection, count: usize) -> sqlx::Result<Vec<i64>> {
        let mut ids = Vec::with_capacity(count);
        for _ in 0..count {
            ids.push(self.next_id(&mut *tx).await?);
        }
        Ok(ids)
    }

    async fn next_id(&self, tx: &mut PgConnection) -> sqlx::Result<i64> {
        sqlx::query_scalar!(r#"select nextval(pg_get_serial_sequence($1, 'id')) as "id!""#, self.name).fetch_one(tx).await
    }
}

fn columns(rows: &[Row]) -> Option<Vec<String>> {
    Some(rows.first()?.keys().cloned().collect())
}

fn json(rows: &[Row]) -> Value {
    Value::Array(rows.iter().cloned().map(Value::Object).collect())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn names_of_the_api_and_columns_lead_to_each_other() {
        for (name, column) in [
            ("naziv", "naziv"),
            ("tipAtributaID", "tip_atributa_id"),
            ("imageCoordinateX", "image_coordinate_x"),
            ("upitInicijalnaVrednost", "upit_inicijalna_vrednost"),
        ] {
            assert_eq!((column_of(name), name_of(column)), (column.to_owned(), name.to_owned()));
        }
        let record = row(json!({ "tipAtributaID": 7, "htmlInfo": null }));
        assert_eq!(record_of::<Row>(columns_of(&record).unwrap()).unwrap(), record);
    }
}
