//! Types that a form shares with others: a draft does not change them. How a field gets a type of its own.

use std::path::Path as FilePath;

use axum::extract::State;
use domain::{db, register::ValueType};
use platform::{
    error::{Error, Result},
    extract::{Json, Path},
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use utoipa::ToSchema;

use super::{
    Designer,
    document::Document,
    live::{self, Live},
    order, publish,
};
use crate::admin::{
    impact::Before,
    usage::{self, Places},
};

pub fn routes() -> Routes {
    Routes::new().routes(routes!(own_type))
}

/// A type that is not the draft's to change.
#[derive(Serialize, ToSchema)]
pub struct SharedType {
    tip: i64,
    /// Names of the other forms that have it.
    formulari: Vec<String>,
}

/// Those of a document: what other forms use, and what the draft has chosen from elsewhere.
pub async fn of_document(db: &mut PgConnection, form: i64, document: &Document, live: &Live) -> Result<Vec<SharedType>> {
    let stored: Vec<i64> = document.tipovi.iter().map(|known| known.id).filter(|id| *id > 0).collect();
    let own = live.document.types();
    let mut users = live::shared_types(db, form, &stored).await?;
    let shared = stored.into_iter().filter_map(|tip| match users.remove(&tip) {
        Some(formulari) => Some(SharedType { tip, formulari }),
        None => (!own.contains_key(&tip)).then(|| SharedType { tip, formulari: Vec::new() }),
    });
    Ok(shared.collect())
}

/// How a field gets a type of its own.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[schema(as = OwnTypeManner)]
#[serde(rename_all = "camelCase")]
enum Manner {
    /// The draft makes a copy and publishes it.
    Kopija,
    /// Entries of the form hold items of the set, so it stays theirs, and fields of other forms get the copy: at once, whatever becomes of
    /// the draft.
    Izdvajanje,
}

#[derive(Deserialize, ToSchema)]
#[schema(as = OwnTypeAsked)]
struct OwnTypeRequest {
    tip: i64,
    /// Whether the designer knows that other forms get the copy.
    #[serde(default)]
    potvrdjeno: bool,
}

#[derive(Serialize, ToSchema)]
#[schema(as = OwnTypeAnswer)]
struct Answer {
    nacin: Manner,
    /// Names of the other forms.
    formulari: Vec<String>,
}

/// How the form comes to have a type for itself; where others are to get the copy, that is done once it is confirmed.
#[utoipa::path(post, path = "/api/forms/{id}/draft/own-type", request_body = OwnTypeRequest,
    responses((status = 200, body = Answer), (status = 409, description = "Tip ima vrednosti i u drugim formularima")))]
async fn own_type(
    State(state): State<AppState>,
    actor: Designer,
    Path(id): Path<i64>,
    Json(asked): Json<OwnTypeRequest>,
) -> Result<Json<Answer>> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    sqlx::query_scalar!("select id from form where id = $1 and aktivan for no key update", id)
        .fetch_optional(&mut *tx)
        .await?
        .ok_or(Error::NotFound)?;
    let formulari = live::shared_types(&mut tx, id, &[asked.tip]).await?.remove(&asked.tip).unwrap_or_default();
    if formulari.is_empty() || !holds_items(&mut tx, id, asked.tip).await? {
        return Ok(Json(Answer { nacin: Manner::Kopija, formulari }));
    }
    refuse_held(&mut tx, id, asked.tip, &state.config.template_dir).await?;
    if asked.potvrdjeno {
        leave_to_form(&mut tx, id, asked.tip, &formulari).await?;
        tx.commit().await?;
    }
    Ok(Json(Answer { nacin: Manner::Izdvajanje, formulari }))
}

/// Whether entries of the form hold items of the type: a copy has others.
async fn holds_items(tx: &mut PgConnection, form: i64, type_id: i64) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"select exists (select from form_field f join attribute_type t on t.id = f.tip_atributa_id and t.tip_vrednosti_atributa = $3
                            join entry e on e.tsa_id = f.tip_skupa_atributa_id and entry_holds(e.vrednosti, f.id)
                           where f.tip_skupa_atributa_id = $1 and f.tip_atributa_id = $2 and f.aktivan) as "held!""#,
        form,
        type_id,
        ValueType::Set.number()
    )
    .fetch_one(tx)
    .await
}

/// Fields of other forms are given other items only where nothing names those that they have.
async fn refuse_held(tx: &mut PgConnection, form: i64, type_id: i64, templates: &FilePath) -> Result<()> {
    let others = sqlx::query!(
        r#"select polje_id as "field!", formular as "form!",
                  exists (select from entry e where e.tsa_id = form_id and entry_holds(e.vrednosti, polje_id)) as "held!"
             from type_uses(array[$1]::bigint[]) where form_id <> $2 order by formular, form_id, polje_id"#,
        type_id,
        form
    )
    .fetch_all(&mut *tx)
    .await?;
    let mut holding: Vec<String> = others.iter().filter(|other| other.held).map(|other| other.form.clone()).collect();
    holding.dedup();
    let queries = usage::report_queries(&mut *tx, templates).await?;
    let reads = |sql: &str| others.iter().any(|other| usage::reads_field(sql, other.field));
    let reports: Vec<String> = queries.into_iter().filter(|(_, sql)| reads(sql)).map(|(name, _)| name).collect();
    let places = Places::default().named("unosi formulara ", &holding).named("izveštaj ", &reports).all();
    if places.is_empty() {
        return Ok(());
    }
    Err(Error::conflict(format!(
        "Stavke ovog skupa imaju unosi oba formulara ili ih čita izveštaj ({}), pa skup ostaje zajednički. Menja se za sve formulare u tipovima \
         atributa; drugačiji skup može da ima novo polje.",
        places.join("; ")
    )))
}

/// The type stays the form's, and fields of other forms get one copy of it, with all of its items.
async fn leave_to_form(tx: &mut PgConnection, form: i64, type_id: i64, others: &[String]) -> Result<()> {
    let before = Before::of_type(&mut *tx, type_id).await?;
    let Document { tipovi, stavke, .. } = live::types(&mut *tx, &[type_id]).await?;
    let own = tipovi.into_iter().next().ok_or(Error::NotFound)?;
    let mut copy = own.clone();
    copy.own.naziv = match others {
        [only] => format!("{} ({only})", own.own.naziv),
        _ => format!("{} (zajednički)", own.own.naziv),
    };
    let made = publish::store(&mut *tx, &publish::TYPES, vec![(-1, publish::type_row(&copy)?)]).await?;
    let new_type = made.get(&-1).copied().unwrap_or_default();
    let orders = order::in_order(&vec![None; stavke.len()], 0);
    let items = stavke.iter().zip(orders).map(|(item, redosled)| (-item.id, publish::item_row(item, new_type, redosled)));
    let made = publish::store(&mut *tx, &publish::ITEMS, items.collect()).await?;
    let (old, new): (Vec<i64>, Vec<i64>) = made.into_iter().map(|(copied, item)| (-copied, item)).unzip();
    sqlx::query!(
        "update form_field f set tip_atributa_id = $3, inicijalna_enum_stavka_id =
                (select p.now from unnest($4::bigint[], $5::bigint[]) p (was, now) where p.was = f.inicijalna_enum_stavka_id)
          where f.id in (select polje_id from type_uses(array[$1]::bigint[]) where form_id <> $2)",
        type_id,
        form,
        new_type,
        &old,
        &new
    )
    .execute(&mut *tx)
    .await?;
    before.settle(tx, None).await
}
