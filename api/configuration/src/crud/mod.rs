//! The one generic part: what must never differ between records that are listed, made, changed and deleted alike.
//!
//! A resource brings its checked SQL and its rules (`Resource`); this module brings rights, paging, the merge of a
//! change into the record, the row lock, the transaction in the worker's name (triggers write the audit rows), and the
//! answers.

mod columns;
pub mod document;
mod fields;
mod list;
mod listing;
mod merge;

use std::{future::Future, marker::PhantomData};

use accounts::{
    auth::Actor,
    passwords,
    rights::{Access, Allowed, Area},
};
use axum::{
    extract::State,
    http::StatusCode,
    routing::{get, post},
};
use domain::db;
use jiff::civil::Date;
use platform::{
    deletion,
    error::{Error, Result},
    extract::{Json, Path, Query},
    last_change,
    page::Page,
    reading,
    routes::Routes,
    rows::{self, Row},
    state::AppState,
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};
use sqlx::{AssertSqlSafe, PgConnection};
use utoipa::{IntoParams, ToSchema};

pub use columns::{Column, ColumnFilters, Kind, ListColumns};
pub use fields::fields;
pub use list::{List, ListBind};
pub use listing::{ListQuery, Listing};

/// A kind of record. Every function is one or two statements; the order of `validate` is the order of the messages.
pub trait Resource: Sized + Send + Sync + 'static {
    /// What a client may send. A missing field has a default; `validate` refuses what must not be missing.
    type Input: Serialize + DeserializeOwned + ToSchema + Send + Sync;
    /// What a client is shown: a superset of `Input` but for its secrets.
    type Record: Serialize + ToSchema + Send;
    /// What narrows a list down, from the query: `NoScope`, or the record that the listed ones belong to.
    type Scope: DeserializeOwned + IntoParams + Send + Sync;

    /// The entity in paths: `/api/{NAME}`.
    const NAME: &'static str;
    const READ: Access;
    const WRITE: Access;
    const LIST: List;
    /// Columns that a record gets when it is made and keeps: what it belongs to.
    const FIXED: &'static [&'static str] = &[];
    /// The table, by which the log names the record.
    const TABLE: &'static str;

    /// Whether the worker may narrow a list down so.
    fn may_list(_: &Actor, _: &Self::Scope) -> Result<()> {
        Ok(())
    }

    /// What the list's statement names from `$7` on, in its order; the first one is the record that a scope narrows it down to.
    fn binds(_: &Actor, _: &Self::Scope) -> Vec<ListBind> {
        Vec::new()
    }

    /// The records with these ids, in any order.
    fn fetch(db: &mut PgConnection, actor: &Actor, ids: &[i64]) -> impl Future<Output = Result<Vec<(i64, Self::Record)>>> + Send;

    /// A single record as it is answered: with what a list does not ask for, and what a change is not merged into.
    fn told(_: &mut PgConnection, record: Self::Record) -> impl Future<Output = Result<Self::Record>> + Send {
        async { Ok(record) }
    }

    /// Locks a row that is in use, or one that was deleted, and gives its version; none when there is no such row.
    fn lock_row(tx: &mut PgConnection, id: i64, aktivan: bool) -> impl Future<Output = Result<Option<i32>>> + Send {
        async move {
            let statement = format!("select verzija from {} where id = $1 and aktivan = $2 for update", Self::TABLE);
            Ok(sqlx::query_scalar::<_, i32>(AssertSqlSafe(statement)).bind(id).bind(aktivan).fetch_optional(tx).await?)
        }
    }

    /// Deletes softly, or brings back.
    fn set_active(tx: &mut PgConnection, id: i64, aktivan: bool) -> impl Future<Output = Result<()>> + Send {
        async move {
            let statement = format!("update {} set aktivan = $2 where id = $1", Self::TABLE);
            sqlx::query(AssertSqlSafe(statement)).bind(id).bind(aktivan).execute(tx).await?;
            Ok(())
        }
    }

    /// Locks the row for a change.
    fn lock(tx: &mut PgConnection, id: i64) -> impl Future<Output = Result<Option<i32>>> + Send {
        Self::lock_row(tx, id, true)
    }

    /// What the database cannot say by itself. `today` is the date in Belgrade.
    fn validate(input: &Self::Input, today: Date) -> Result<()>;

    /// Properties that somebody else is asked about before they are changed.
    const EXAMINED: &'static [&'static str] = &[];

    /// What only somebody else can say of it: another server, another role of the database.
    fn examine(_: &AppState, _: &Actor, _: &Self::Input) -> impl Future<Output = Result<()>> + Send {
        async { Ok(()) }
    }

    /// The columns that are written of what was sent; its properties are columns by the same names.
    fn row(input: &Self::Input) -> impl Future<Output = Result<Row>> + Send {
        async { columns(input) }
    }

    fn insert(tx: &mut PgConnection, _: &Actor, input: Self::Input) -> impl Future<Output = Result<i64>> + Send {
        async move { insert_row::<Self>(tx, &input).await }
    }

    fn update(tx: &mut PgConnection, _: &Actor, id: i64, input: Self::Input) -> impl Future<Output = Result<()>> + Send {
        async move { update_row::<Self>(tx, id, &input).await }
    }

    /// Where the record is used: what would lose it, or be lost with it. As long as there is any it is not deleted.
    fn usages(_: &mut PgConnection, _: &Actor, _: &AppState, _id: i64) -> impl Future<Output = Result<Vec<String>>> + Send {
        async { Ok(Vec::new()) }
    }

    /// Ends what lives by the record, before it is deleted. `_told`: how much that is, as whoever asks for it was told.
    fn end(_: &mut PgConnection, _: &Actor, _id: i64, _told: Option<i64>) -> impl Future<Output = Result<()>> + Send {
        async { Ok(()) }
    }

    fn remove(tx: &mut PgConnection, _: &Actor, id: i64) -> impl Future<Output = Result<()>> + Send {
        Self::set_active(tx, id, false)
    }

    /// Brings a deleted record back. `_told`: how many stored results differ then, as whoever asks for it was told.
    fn bring_back(tx: &mut PgConnection, actor: &Actor, id: i64, _told: Option<i64>) -> impl Future<Output = Result<()>> + Send {
        async move {
            Self::set_active(tx, id, true).await?;
            Self::fits_again(tx, actor, id).await
        }
    }

    /// Whether what was brought back fits into what is there now, and the worker may bring it back. Asked after the change, within it.
    fn fits_again(_: &mut PgConnection, _: &Actor, _id: i64) -> impl Future<Output = Result<()>> + Send {
        async { Ok(()) }
    }
}

/// Writes a new record.
pub async fn insert_row<R: Resource>(tx: &mut PgConnection, input: &R::Input) -> Result<i64> {
    Ok(rows::create(tx, R::TABLE, R::row(input).await?).await?)
}

/// Writes a changed record, where it differs.
pub async fn update_row<R: Resource>(tx: &mut PgConnection, id: i64, input: &R::Input) -> Result<()> {
    let mut row = R::row(input).await?;
    row.retain(|column, _| !R::FIXED.contains(&column.as_str()));
    Ok(rows::change(tx, R::TABLE, id, row).await?)
}

/// The columns that bear the names of the input's properties.
pub fn columns(input: &impl Serialize) -> Result<Row> {
    let mut row = rows::columns_of(input)?;
    TOLD_COLUMNS.iter().for_each(|column| drop(row.remove(*column)));
    Ok(row)
}

/// Puts a password's hash into the row in place of the password; where none was sent, the stored one stays.
pub async fn hash_password(row: &mut Row, sent: &str, column: &str) -> Result<()> {
    let password = row.remove(sent).and_then(|password| password.as_str().map(str::to_owned));
    if let Some(hash) = passwords::hash_if_given(password).await? {
        row.insert(column.to_owned(), hash.into());
    }
    Ok(())
}

/// Refuses the first that is missing: whether it is, the field, and the message.
pub fn required<const N: usize>(fields: [(bool, &'static str, &'static str); N]) -> Result<()> {
    match fields.into_iter().find(|(missing, ..)| *missing) {
        Some((_, field, message)) => Err(Error::invalid(field, message)),
        None => Ok(()),
    }
}

/// Refuses to bring back what belongs to something that is deleted itself.
pub fn refuse_orphan(there: bool, message: &'static str) -> Result<()> {
    if there { Ok(()) } else { Err(Error::conflict(message)) }
}

/// A list that nothing narrows down.
#[derive(serde::Deserialize, IntoParams)]
pub struct NoScope {}

/// Reading records of `R`.
pub struct ReadAccess<R>(PhantomData<R>);
/// Making, changing and deleting records of `R`.
pub struct WriteAccess<R>(PhantomData<R>);

impl<R: Resource> Area for ReadAccess<R> {
    const ACCESS: Access = R::READ;
}

impl<R: Resource> Area for WriteAccess<R> {
    const ACCESS: Access = R::WRITE;
}

/// List, create, read, change (PATCH and PUT alike) and delete.
pub fn routes<R: Resource>() -> Routes {
    list_route::<R>().merge(routes_but_list::<R>())
}

/// What is left where the list has a handler of its own.
pub fn routes_but_list<R: Resource>() -> Routes {
    Routes::new().routes(document::create::<R>(post(create_handler::<R>))).merge(one_routes::<R>())
}

/// Only the list and the creation, where a single record has handlers of its own.
pub fn routes_but_one<R: Resource>() -> Routes {
    list_route::<R>().routes(document::create::<R>(post(create_handler::<R>)))
}

fn list_route<R: Resource>() -> Routes {
    Routes::new().routes(document::list::<R>(get(list_handler::<R>)))
}

fn one_routes<R: Resource>() -> Routes {
    let handlers = get(read_handler::<R>).patch(update_handler::<R>).put(update_handler::<R>).delete(delete_handler::<R>);
    Routes::new().routes(document::one::<R>(handlers))
}

async fn list_handler<R: Resource>(
    State(state): State<AppState>,
    actor: Allowed<ReadAccess<R>>,
    Query(query): Query<ListQuery>,
    Query(filters): Query<ColumnFilters<R>>,
    Query(scope): Query<R::Scope>,
) -> Result<Json<Page<R::Record>>> {
    list::<R>(&state, &actor, &query.resolve(&filters)?, &scope).await.map(Json)
}

async fn create_handler<R: Resource>(
    State(state): State<AppState>,
    actor: Allowed<WriteAccess<R>>,
    Json(body): Json<Map<String, Value>>,
) -> Result<(StatusCode, Json<R::Record>)> {
    Ok((StatusCode::CREATED, Json(create::<R>(&state, &actor, body).await?)))
}

async fn read_handler<R: Resource>(
    State(state): State<AppState>,
    actor: Allowed<ReadAccess<R>>,
    Path(id): Path<i64>,
) -> Result<Json<R::Record>> {
    read::<R>(&mut *state.db.acquire().await?, &actor, id).await.map(Json)
}

async fn update_handler<R: Resource>(
    State(state): State<AppState>,
    actor: Allowed<WriteAccess<R>>,
    Path(id): Path<i64>,
    Json(patch): Json<Map<String, Value>>,
) -> Result<Json<R::Record>> {
    update::<R>(&state, &actor, id, patch).await.map(Json)
}

async fn delete_handler<R: Resource>(
    State(state): State<AppState>,
    actor: Allowed<WriteAccess<R>>,
    Path(id): Path<i64>,
) -> Result<StatusCode> {
    delete::<R>(&state, &actor, id).await?;
    Ok(StatusCode::NO_CONTENT)
}

pub async fn list<R: Resource>(state: &AppState, actor: &Actor, listing: &Listing, scope: &R::Scope) -> Result<Page<R::Record>> {
    let mut db = state.db.acquire().await?;
    R::may_list(actor, scope)?;
    let hits = list::page::<R>(&mut db, actor, listing, scope).await?;
    let total = match hits.first() {
        Some(hit) => hit.total,
        // A page behind the last one: its total is that of the first.
        None if listing.offset > 0 => {
            list::page::<R>(&mut db, actor, &listing.first_row(), scope).await?.first().map_or(0, |hit| hit.total)
        }
        None => 0,
    };
    let ids: Vec<i64> = hits.iter().map(|hit| hit.id).collect();
    let mut records = R::fetch(&mut db, actor, &ids).await?;
    records.sort_by_key(|(id, _)| ids.iter().position(|listed| listed == id));
    let brisanja = if listing.aktivan { None } else { Some(deletion::of(&mut db, R::TABLE, &ids).await?) };
    let data: Vec<_> = records.into_iter().map(|(_, record)| record).collect();
    Ok(Page { data, total, brisanja, skraceno: listing.cuts(total) })
}

pub async fn read<R: Resource>(db: &mut PgConnection, actor: &Actor, id: i64) -> Result<R::Record> {
    let record = as_stored::<R>(&mut *db, actor, id).await?;
    R::told(db, record).await
}

async fn as_stored<R: Resource>(db: &mut PgConnection, actor: &Actor, id: i64) -> Result<R::Record> {
    R::fetch(db, actor, &[id]).await?.pop().map(|(_, record)| record).ok_or(Error::NotFound)
}

pub async fn create<R: Resource>(state: &AppState, actor: &Actor, body: Map<String, Value>) -> Result<R::Record> {
    let input: R::Input = reading::fields_of_body(body)?;
    R::validate(&input, state.today())?;
    R::examine(state, actor, &input).await?;
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let id = R::insert(&mut tx, actor, input).await?;
    let record = read::<R>(&mut tx, actor, id).await?;
    tx.commit().await?;
    Ok(record)
}

/// Merges the patch into the record as it stands now. `{"aktivan": false}` deletes (here, not with `DELETE`, it can be confirmed that
/// something ends with the record), and `{"aktivan": true}` brings back what was
/// deleted; a `verzija` that is not the current one is refused.
pub async fn update<R: Resource>(state: &AppState, actor: &Actor, id: i64, patch: Map<String, Value>) -> Result<R::Record> {
    examine_change::<R>(state, actor, id, &patch).await?;
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    if brings_back(&patch)
        && let Some(verzija) = R::lock_row(&mut tx, id, false).await?
    {
        refuse_stale::<R>(&mut tx, id, &patch, verzija).await?;
        R::bring_back(&mut tx, actor, id, patch.get(TOLD).and_then(Value::as_i64)).await?;
        let record = read::<R>(&mut tx, actor, id).await?;
        tx.commit().await?;
        return Ok(record);
    }
    let verzija = R::lock(&mut tx, id).await?.ok_or(Error::NotFound)?;
    refuse_stale::<R>(&mut tx, id, &patch, verzija).await?;
    let fields = merge::fields(&as_stored::<R>(&mut tx, actor, id).await?)?;
    let deletes = patch.get("aktivan") == Some(&Value::Bool(false)) && fields.contains_key("aktivan");
    if deletes {
        refuse_in_use::<R>(&mut tx, actor, state, id).await?;
        R::end(&mut tx, actor, id, patch.get(TOLD_ENDING).and_then(Value::as_i64)).await?;
        R::remove(&mut tx, actor, id).await?;
    } else {
        let input: R::Input = reading::fields_of_body(merge::merged(fields, patch))?;
        R::validate(&input, state.today())?;
        R::update(&mut tx, actor, id, input).await?;
    }
    let record = read::<R>(&mut tx, actor, id).await?;
    tx.commit().await?;
    Ok(record)
}

pub async fn delete<R: Resource>(state: &AppState, actor: &Actor, id: i64) -> Result<()> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    R::lock(&mut tx, id).await?.ok_or(Error::NotFound)?;
    refuse_in_use::<R>(&mut tx, actor, state, id).await?;
    R::end(&mut tx, actor, id, None).await?;
    R::remove(&mut tx, actor, id).await?;
    tx.commit().await?;
    Ok(())
}

/// Before the transaction: who is asked takes a connection too, and would wait for those that are held meanwhile.
async fn examine_change<R: Resource>(state: &AppState, actor: &Actor, id: i64, patch: &Map<String, Value>) -> Result<()> {
    let deletes = patch.get("aktivan") == Some(&Value::Bool(false));
    if deletes || !R::EXAMINED.iter().any(|name| patch.contains_key(*name)) {
        return Ok(());
    }
    let stored = as_stored::<R>(&mut *state.db.acquire().await?, actor, id).await?;
    let input: R::Input = reading::fields_of_body(merge::merged(merge::fields(&stored)?, patch.clone()))?;
    R::validate(&input, state.today())?;
    R::examine(state, actor, &input).await
}

/// Nobody's change is overwritten by who has not seen it.
async fn refuse_stale<R: Resource>(tx: &mut PgConnection, id: i64, patch: &Map<String, Value>, verzija: i32) -> Result<()> {
    match merge::is_stale(patch, verzija) {
        true => Err(Error::Stale(last_change::last(tx, R::TABLE, id).await?)),
        false => Ok(()),
    }
}

/// A whole record that a screen sends back says `aktivan` too: only what asks for nothing else brings a record back.
fn brings_back(patch: &Map<String, Value>) -> bool {
    patch.get("aktivan") == Some(&Value::Bool(true)) && patch.keys().all(|name| ["aktivan", "verzija", TOLD].contains(&name.as_str()))
}

/// How many stored results differ after the change, as whoever asks for it was told.
const TOLD: &str = "potvrdjenoRezultata";
/// How many schedules end with what is taken away, likewise.
const TOLD_ENDING: &str = "potvrdjenoZakazivanja";
const TOLD_COLUMNS: [&str; 4] = ["potvrdjeno_rezultata", "potvrdjeno_zakazivanja", "drugo_znacenje", "samo_pravopis"];

async fn refuse_in_use<R: Resource>(tx: &mut PgConnection, actor: &Actor, state: &AppState, id: i64) -> Result<()> {
    let places = R::usages(tx, actor, state, id).await?;
    if places.is_empty() { Ok(()) } else { Err(Error::InUse(places)) }
}
