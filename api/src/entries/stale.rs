//! Marks on stored values (`admin::impact` sets them): told of the entries that a search found, said before a save replaces a marked
//! value, and gone with the save.

use axum::extract::State;
use domain::{
    entry::{
        difference::unit,
        stale::{Stale, of_entry},
    },
    register::ValueType,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::PgConnection;
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

use super::{form::EntryForm, form_version::other_units, merge::alike, values::Values};
use crate::{
    auth::Actor,
    error::{Error, Result},
    extract::Json,
    state::AppState,
};

/// Entries that one call may ask about.
const MOST_ENTRIES: usize = 10_000;

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(of_found))
}

#[derive(Deserialize, ToSchema)]
struct StaleRequest {
    /// Ids of entries, at most 10,000.
    unosi: Vec<i64>,
}

#[derive(Serialize, ToSchema)]
struct StaleResults {
    data: Vec<StaleResult>,
    total: usize,
}

/// A mark on one stored value of one entry.
#[derive(Serialize, ToSchema)]
struct StaleResult {
    #[serde(rename = "unosID")]
    unos_id: i64,
    #[serde(flatten)]
    mark: Stale,
}

/// Marks of these entries. Of a patient whom the worker's institution does not know, as of no patient, there are none.
#[utoipa::path(post, path = "/api/stale-results", request_body = StaleRequest, responses((status = 200, body = StaleResults)))]
async fn of_found(State(state): State<AppState>, actor: Actor, Json(request): Json<StaleRequest>) -> Result<Json<StaleResults>> {
    if request.unosi.len() > MOST_ENTRIES {
        return Err(Error::invalid("unosi", "Jednim pozivom se može pitati za najviše 10.000 unosa."));
    }
    let rows = sqlx::query!(
        "select s.unos_id, s.polje_id, s.razlog, s.jedinica
           from stale_result s join entry e on e.id = s.unos_id join patient p on p.id = e.pacijent_id
          where s.unos_id = any ($1) and e.aktivan and p.aktivan and knows_patient($2, p.id)
            and (e.ustanova_id = $2 or not reads_own_entries_only($2, p.id))
          order by s.unos_id, s.polje_id",
        &request.unosi,
        actor.ustanova_id
    )
    .fetch_all(&state.db)
    .await?;
    let data: Vec<StaleResult> = rows
        .into_iter()
        .map(|row| StaleResult { unos_id: row.unos_id, mark: Stale { polje: row.polje_id, razlog: row.razlog, jedinica: row.jedinica } })
        .collect();
    Ok(Json(StaleResults { total: data.len(), data }))
}

/// A marked result that a save would replace.
#[derive(Debug, Serialize, ToSchema)]
pub struct Rewritten {
    polje: i64,
    naziv: String,
    #[schema(value_type = Object)]
    sacuvano: Option<Value>,
    #[schema(value_type = Object)]
    danas: Option<Value>,
}

/// 409: whoever saves has not been told that results change because the form is another now.
#[derive(Debug, Serialize, ToSchema)]
pub struct RewrittenAnswer {
    message: String,
    field: Option<String>,
    rezultati: Vec<Rewritten>,
}

pub async fn rewritten(
    db: &mut PgConnection,
    entry: i64,
    form: &EntryForm,
    stored: &Values,
    computed: &Values,
) -> sqlx::Result<Option<RewrittenAnswer>> {
    let fields = form.by_id();
    let marks = of_entry(db, entry).await?.into_iter().filter(|mark| mark.razlog != "jedinica");
    let changed = marks.filter(|mark| !alike(stored.get(&mark.polje), computed.get(&mark.polje)));
    let rezultati: Vec<Rewritten> = changed
        .filter_map(|mark| {
            let naziv = fields.get(&mark.polje)?.naziv.clone();
            Some(Rewritten {
                polje: mark.polje,
                naziv,
                sacuvano: stored.get(&mark.polje).cloned(),
                danas: computed.get(&mark.polje).cloned(),
            })
        })
        .collect();
    let message = "Formular je promenjen od poslednjeg snimanja, pa će se snimanjem promeniti i rezultati:".to_owned();
    Ok((!rezultati.is_empty()).then_some(RewrittenAnswer { message, field: None, rezultati }))
}

/// A save computed every result anew by the entry's version: the marks that this version already knew of are settled, but what was
/// entered in another unit stays marked until it is entered anew. `kept` is the version that the entry was taken from.
pub async fn settle(
    db: &mut PgConnection,
    entry: i64,
    form: &EntryForm,
    kept: Option<&EntryForm>,
    before: Option<&Values>,
    saved: &Values,
) -> sqlx::Result<()> {
    let results: Vec<i64> = form.fields.iter().filter(|field| field.is_calculated()).map(|field| field.id).collect();
    sqlx::query!(
        "delete from stale_result s using entry e, form_version v
          where s.unos_id = $1 and e.id = s.unos_id and v.id = e.form_version_id and s.vreme <= v.napravljena
            and (s.razlog <> 'jedinica' or s.polje_id = any ($2))",
        entry,
        &results
    )
    .execute(&mut *db)
    .await?;
    let same = |id: &i64| alike(before.and_then(|before| before.get(id)), saved.get(id));
    if let Some(kept) = kept {
        let (fields, units): (Vec<i64>, Vec<Option<String>>) =
            other_units(kept, form, saved).filter(|(id, _)| same(id)).map(|(id, unit)| (id, unit.map(str::to_owned))).unzip();
        // As old as the version, which reads them in its own unit.
        sqlx::query!(
            "insert into stale_result (unos_id, polje_id, razlog, jedinica, vreme)
             select e.id, m.id, 'jedinica', m.jedinica, v.napravljena
               from entry e join form_version v on v.id = e.form_version_id cross join unnest($2::bigint[], $3::text[]) m (id, jedinica)
              where e.id = $1
                 on conflict (unos_id, polje_id) do update set razlog = 'jedinica', jedinica = excluded.jedinica, vreme = excluded.vreme",
            entry,
            &fields,
            &units as &[Option<String>]
        )
        .execute(&mut *db)
        .await?;
    }
    other_than_today(db, entry, form, saved, same).await
}

/// What is entered in an older version is marked where today's form has another unit: lists and searches show both beside each other.
async fn other_than_today(
    db: &mut PgConnection,
    entry: i64,
    form: &EntryForm,
    saved: &Values,
    same: impl Fn(&i64) -> bool,
) -> sqlx::Result<()> {
    let numbers = form.fields.iter().filter(|field| field.tva_num_vrednost == ValueType::Number);
    let (fields, units): (Vec<i64>, Vec<Option<String>>) = numbers
        .filter(|field| saved.contains_key(&field.id) && !same(&field.id))
        .map(|field| (field.id, unit(field).map(str::to_owned)))
        .unzip();
    sqlx::query!(
        "insert into stale_result (unos_id, polje_id, razlog, jedinica)
         select $1, f.id, 'jedinica', m.jedinica
           from unnest($2::bigint[], $3::text[]) m (id, jedinica)
           join form_field f on f.id = m.id and f.aktivan join attribute_type t on t.id = f.tip_atributa_id
          where coalesce(btrim(t.jedinica), '') <> coalesce(m.jedinica, '')
             on conflict (unos_id, polje_id) do nothing",
        entry,
        &fields,
        &units as &[Option<String>]
    )
    .execute(db)
    .await?;
    Ok(())
}
