//! A document becomes the live form: its rows are written as definition files write theirs, what is new gets its id, what is gone is
//! switched off.

use std::collections::{HashMap, HashSet};

use platform::{
    error::Result,
    rows::{self, Row, Table, row},
};
use serde_json::{Value, json};
use sqlx::PgConnection;

use super::{
    check::{DraftCheck, ParsedFormulas},
    document::{Document, DraftField, DraftItem, DraftType},
    live::{Live, shared_types},
    order,
    wording::{Wording, same_units},
};

pub const TYPES: Table = Table { name: "attribute_type", key: &[], soft: true };
pub const ITEMS: Table = Table { name: "enum_item", key: &[], soft: true };
const FIELDS: Table = Table { name: "form_field", key: &[], soft: true };

/// Ids in the database by those of the document.
type Ids = HashMap<i64, i64>;

/// Locks what a publication writes, each before the lock of the form that whoever changes it takes after it.
pub async fn lock(tx: &mut PgConnection, form: i64) -> Result<()> {
    sqlx::query!("select id from form where id = $1 and aktivan for no key update", form).fetch_optional(&mut *tx).await?;
    sqlx::query!(
        "select t.id from attribute_type t where t.id in (select tip_atributa_id from form_field where tip_skupa_atributa_id = $1)
          order by t.id for no key update",
        form
    )
    .fetch_all(&mut *tx)
    .await?;
    sqlx::query!(
        "select i.id from enum_item i where i.tip_atributa_id in (select tip_atributa_id from form_field where tip_skupa_atributa_id = $1)
          order by i.id for no key update",
        form
    )
    .fetch_all(tx)
    .await?;
    Ok(())
}

/// Writes a document that has no faults.
pub async fn write(
    tx: &mut PgConnection,
    form: i64,
    document: &Document,
    checked: &DraftCheck,
    live: &Live,
    wording: &Wording,
) -> Result<()> {
    wording.say(&mut *tx).await?;
    let pravila = rows::rules(&checked.rules, &live.document.pravila.iter().map(|rule| rule.id).collect::<Vec<_>>())?;
    sqlx::query!(
        "update form set naziv = $2, pravila = $3 where id = $1 and (naziv, pravila) is distinct from ($2, $3)",
        form,
        document.naziv,
        pravila
    )
    .execute(&mut *tx)
    .await?;
    let types = write_types(&mut *tx, form, document, live).await?;
    for (was, now) in same_units(&live.document, document, wording) {
        sqlx::query!("select take_meaning($1, $2)", was, types.get(&now)).fetch_one(&mut *tx).await?;
    }
    let items = write_items(&mut *tx, document, live, &types).await?;
    write_fields(tx, form, document, &checked.formulas, live, (&types, &items)).await
}

/// Those that are new, and those that only this form has.
async fn write_types(tx: &mut PgConnection, form: i64, document: &Document, live: &Live) -> Result<Ids> {
    let was = live.document.types();
    let shared = shared_types(&mut *tx, form, &was.keys().copied().collect::<Vec<_>>()).await?;
    let own = document.tipovi.iter().filter(|known| known.id < 0 || (was.contains_key(&known.id) && !shared.contains_key(&known.id)));
    let mut wanted = Vec::new();
    for known in own {
        wanted.push((known.id, type_row(known)?));
    }
    store(tx, &TYPES, wanted).await
}

pub fn type_row(known: &DraftType) -> Result<Row> {
    let mut columns = rows::columns_of(&known.own)?;
    columns.insert("tip_vrednosti_atributa".to_owned(), json!(known.tip_vrednosti_atributa));
    Ok(columns)
}

async fn write_items(tx: &mut PgConnection, document: &Document, live: &Live, types: &Ids) -> Result<Ids> {
    let mut wanted = Vec::new();
    for (type_id, items) in document.items() {
        let Some(stored_type) = types.get(&type_id) else { continue };
        let was: Vec<Option<i32>> = items.iter().map(|item| live.items.get(&item.id).copied()).collect();
        for (item, redosled) in items.into_iter().zip(order::in_order(&was, 0)) {
            wanted.push((item.id, item_row(item, *stored_type, redosled)));
        }
    }
    let kept: HashSet<i64> = document.stavke.iter().map(|item| item.id).collect();
    let gone = live.document.stavke.iter().filter(|item| types.contains_key(&item.tip_atributa_id) && !kept.contains(&item.id));
    let gone: Vec<i64> = gone.map(|item| item.id).collect();
    sqlx::query!("update enum_item set aktivan = false where id = any ($1) and aktivan", &gone).execute(&mut *tx).await?;
    store(tx, &ITEMS, wanted).await
}

pub fn item_row(item: &DraftItem, type_id: i64, redosled: i32) -> Row {
    row(json!({
        "tip_atributa_id": type_id,
        "naziv": item.naziv,
        "num_vrednost": item.num_vrednost,
        "opis": item.opis,
        "opcioni": item.opcioni,
        "sifra_veza": item.sifra_veza,
        "moze_se_izabrati": item.moze_se_izabrati,
        "redosled": redosled,
    }))
}

async fn write_fields(
    tx: &mut PgConnection,
    form: i64,
    document: &Document,
    formulas: &std::collections::BTreeMap<i64, ParsedFormulas>,
    live: &Live,
    (types, items): (&Ids, &Ids),
) -> Result<()> {
    make_room_for_codes(&mut *tx, document, live).await?;
    let orders = order::of_fields(document, &live.fields);
    let fresh = document.polja.iter().filter(|field| field.id < 0);
    let ids = FIELDS.fresh_ids(&mut *tx, fresh.clone().count()).await?;
    let new: Ids = fresh.map(|field| field.id).zip(ids).collect();
    let stored = |id: i64| new.get(&id).copied().unwrap_or(id);
    let mut wanted = Vec::new();
    for field in &document.polja {
        let parsed = formulas.get(&field.id).cloned().unwrap_or_default();
        let mut columns = rows::columns_of(&field.own)?;
        columns.extend(row(json!({
            "id": stored(field.id),
            "tip_skupa_atributa_id": form,
            "tip_atributa_id": types.get(&field.tip_atributa_id).copied().unwrap_or(field.tip_atributa_id),
            "nadredjeni_atribut_u_tipu_skupa_id": field.nadredjeni.map(stored),
            "inicijalna_enum_stavka_id": field.inicijalna_stavka.map(|item| items.get(&item).copied().unwrap_or(item)),
            "redosled": orders.get(&field.id),
            "formula_za_prikaz_ast": parsed.prikaz,
            "formula_za_racunanje_ast": parsed.racunanje,
            "obavezan_ako_ast": parsed.obavezan,
        })));
        wanted.push((field.id, columns));
    }
    let (new, old): (Vec<_>, Vec<_>) = wanted.into_iter().partition(|(id, _)| *id < 0);
    let rows = |part: Vec<(i64, Row)>| part.into_iter().map(|(_, row)| row).collect::<Vec<_>>();
    // New ones first: those that were there may be moved into them.
    FIELDS.insert(&mut *tx, &rows(new)).await?;
    FIELDS.update(tx, &rows(old)).await?;
    Ok(())
}

/// Removed fields are switched off, and codes that go over to another field are let go of first: a code is one field's at a time.
async fn make_room_for_codes(tx: &mut PgConnection, document: &Document, live: &Live) -> Result<()> {
    let kept: HashMap<i64, &DraftField> = document.polja.iter().map(|field| (field.id, field)).collect();
    let (mut gone, mut freed) = (Vec::new(), Vec::new());
    for field in &live.document.polja {
        match kept.get(&field.id) {
            None => gone.push(field.id),
            Some(now) if now.own.sifra != field.own.sifra => {
                let taken = |other: &&DraftField| other.id != field.id && other.own.sifra.is_some() && other.own.sifra == field.own.sifra;
                if document.polja.iter().any(|other| taken(&other)) {
                    freed.push(field.id);
                }
            }
            Some(_) => {}
        }
    }
    sqlx::query!("update form_field set aktivan = false where id = any ($1) and aktivan", &gone).execute(&mut *tx).await?;
    sqlx::query!("update form_field set sifra = null where id = any ($1)", &freed).execute(tx).await?;
    Ok(())
}

/// Inserts what is new and updates what differs; gives the ids in the database.
pub async fn store(tx: &mut PgConnection, table: &Table, wanted: Vec<(i64, Row)>) -> Result<Ids> {
    let fresh = table.fresh_ids(&mut *tx, wanted.iter().filter(|(id, _)| *id < 0).count()).await?;
    let mut fresh = fresh.into_iter();
    let (mut ids, mut new, mut old) = (Ids::new(), Vec::new(), Vec::new());
    for (id, mut columns) in wanted {
        let stored = if id < 0 { fresh.next().unwrap_or_default() } else { id };
        ids.insert(id, stored);
        columns.insert("id".to_owned(), Value::from(stored));
        if id < 0 { new.push(columns) } else { old.push(columns) }
    }
    table.update(&mut *tx, &old).await?;
    table.insert(tx, &new).await?;
    Ok(ids)
}
