//! A document of a version that the form has had. A version keeps what entries see; what only the administration asks is taken from
//! today's rows of the same ids, which are never deleted.

use std::collections::{HashMap, HashSet};

use domain::entry::form::{Choice, EntryField, EntryForm, FormError};
use platform::{error::Result, rows::Row};
use rust_decimal::{Decimal, prelude::FromPrimitive};
use sqlx::{PgConnection, types::Json};

use super::{
    against::entries_with,
    document::{Document, DraftField, DraftItem, DraftRule, DraftType},
    live::{self, Live},
};
use crate::admin::usage::Places;

pub struct VersionDraft {
    pub document: Document,
    /// What could not become what it was, as sentences.
    pub notes: Vec<String>,
}

pub async fn document(db: &mut PgConnection, form: i64, broj: i32, live: &Live) -> Result<VersionDraft> {
    let version = sqlx::query_scalar!("select id from form_version where form_id = $1 and broj = $2", form, broj)
        .fetch_optional(&mut *db)
        .await?
        .ok_or(FormError::Missing)?;
    let version = EntryForm::of_version(&mut *db, version).await?;
    let mut today = rows_of_fields(&mut *db, version.everything().map(|field| field.id).collect()).await?;
    let mut document = Document { naziv: version.naziv.clone(), ..Document::default() };
    document.polja = version.everything().map(|field| as_it_was(field, today.remove(&field.id).unwrap_or_default())).collect();
    document.pravila = version.rules.iter().map(|rule| DraftRule { id: rule.id, own: rule.own.clone() }).collect();
    let mut notes = Vec::new();
    drop_examples(&mut document, &mut notes);
    take_types(&mut *db, form, &version, &mut document, &mut notes).await?;
    keep_filled(db, form, live, &mut document, &mut notes).await?;
    Ok(VersionDraft { document: document.tidy(), notes })
}

/// Examples are today's; where nothing was calculated then, they have no formula to stand with.
fn drop_examples(document: &mut Document, notes: &mut Vec<String>) {
    for field in document.polja.iter_mut().filter(|field| field.own.formula_za_racunanje.is_none()) {
        if field.own.primeri.take().is_some() {
            notes.push(format!("Primeri polja „{}” nisu preuzeti: u toj verziji se polje ne računa.", field.own.naziv));
        }
    }
}

/// Deleted ones too: they come back with their values.
pub async fn rows_of_fields(db: &mut PgConnection, ids: Vec<i64>) -> Result<HashMap<i64, DraftField>> {
    let rows = sqlx::query_scalar!(
        r#"select to_jsonb(f) - '{formula_za_prikaz_ast,formula_za_racunanje_ast,obavezan_ako_ast}'::text[] as "row!: Json<Row>"
             from form_field f where f.id = any ($1)"#,
        &ids
    );
    let fields: Vec<DraftField> = live::records(rows.fetch_all(db).await?)?;
    Ok(fields.into_iter().map(|field| (field.id, field)).collect())
}

fn as_it_was(field: &EntryField, mut today: DraftField) -> DraftField {
    today.id = field.id;
    today.tip_atributa_id = field.izvor.tip_atributa_id;
    today.nadredjeni = field.naredjeni_auts;
    field.restore(&mut today.own);
    today
}

/// The types of its fields as they were, but for those that other forms have too.
async fn take_types(db: &mut PgConnection, form: i64, version: &EntryForm, document: &mut Document, notes: &mut Vec<String>) -> Result<()> {
    let ids: Vec<i64> = version.everything().map(|field| field.izvor.tip_atributa_id).collect();
    let shared = live::shared_types(&mut *db, form, &ids).await?;
    let today = live::types(&mut *db, &ids).await?;
    let items = version.everything().flat_map(|field| &field.enum_stavke_sve).map(|item| item.id).collect();
    let items = rows_of_items(db, items).await?;
    let mut done = HashSet::new();
    for field in version.everything() {
        let type_id = field.izvor.tip_atributa_id;
        if !done.insert(type_id) {
            continue;
        }
        let Some(stored) = today.tipovi.iter().find(|known| known.id == type_id) else { continue };
        let own_items: Vec<DraftItem> = today.stavke.iter().filter(|item| item.tip_atributa_id == type_id).cloned().collect();
        let known = type_as_it_was(stored, field);
        let were = items_as_they_were(&field.enum_stavke_sve, &items, &own_items);
        match shared.get(&type_id) {
            Some(others) => {
                if known != *stored || were != own_items {
                    let users = Places::default().named("koristi ga i formular ", others).all().concat();
                    notes.push(format!("Tip „{}” ostaje kakav je danas: {users}.", stored.own.naziv));
                }
                document.tipovi.push(stored.clone());
                document.stavke.extend(own_items);
            }
            None => {
                document.tipovi.push(known);
                document.stavke.extend(were);
            }
        }
    }
    Ok(())
}

fn type_as_it_was(stored: &DraftType, field: &EntryField) -> DraftType {
    let mut known = stored.clone();
    field.tip_atributa.restore(&mut known.own);
    known
}

/// Items that came later are not chosen any more; those that were retired then and are deleted now stay deleted.
fn items_as_they_were(were: &[Choice], rows: &HashMap<i64, DraftItem>, today: &[DraftItem]) -> Vec<DraftItem> {
    let is_there = |id: i64| today.iter().any(|item| item.id == id);
    let mut items: Vec<DraftItem> = were
        .iter()
        .filter(|choice| choice.aktivan || is_there(choice.id))
        .filter_map(|choice| {
            let mut item = rows.get(&choice.id)?.clone();
            item.naziv = choice.naziv.clone();
            item.num_vrednost = choice.num_vrednost.and_then(Decimal::from_f64);
            item.bez_tezine = choice.num_vrednost.is_none();
            item.sifra_veza = choice.sifra.clone().or(item.sifra_veza);
            item.moze_se_izabrati = choice.aktivan;
            Some(item)
        })
        .collect();
    let later = today.iter().filter(|item| !were.iter().any(|choice| choice.id == item.id));
    items.extend(later.cloned().map(|item| DraftItem { moze_se_izabrati: false, ..item }));
    items
}

pub async fn rows_of_items(db: &mut PgConnection, ids: Vec<i64>) -> Result<HashMap<i64, DraftItem>> {
    let rows = sqlx::query_scalar!(
        r#"select to_jsonb(i) || jsonb_build_object('bez_tezine', i.num_vrednost is null) as "row!: Json<Row>"
             from enum_item i where i.id = any ($1)"#,
        &ids
    );
    let items: Vec<DraftItem> = live::records(rows.fetch_all(db).await?)?;
    Ok(items.into_iter().map(|item| (item.id, item)).collect())
}

/// Fields that came later and have values stay, unseen: nothing is taken away that entries hold.
async fn keep_filled(db: &mut PgConnection, form: i64, live: &Live, document: &mut Document, notes: &mut Vec<String>) -> Result<()> {
    let known: HashSet<i64> = document.polja.iter().map(|field| field.id).collect();
    let later: Vec<&DraftField> = live.document.polja.iter().filter(|field| !known.contains(&field.id)).collect();
    let filled = entries_with(db, form, &later.iter().map(|field| field.id).collect::<Vec<_>>()).await?;
    let there: HashSet<i64> = known.iter().chain(filled.keys()).copied().collect();
    let (mut types, mut names) = (HashSet::new(), Vec::new());
    for field in later.into_iter().filter(|field| filled.contains_key(&field.id)) {
        names.push(format!("„{}”", field.own.naziv));
        types.insert(field.tip_atributa_id);
        document.polja.push(unseen(field, &there));
    }
    let has = document.types().keys().copied().collect::<HashSet<i64>>();
    let mut missing = live.document.clone();
    missing.tipovi.retain(|known| types.contains(&known.id) && !has.contains(&known.id));
    missing.stavke.retain(|item| missing.tipovi.iter().any(|known| known.id == item.tip_atributa_id));
    document.take_types(&missing);
    if !names.is_empty() {
        notes.push(format!("Posle te verzije su dodata i imaju vrednosti, pa ostaju u formularu i ne prikazuju se: {}.", names.join(", ")));
    }
    Ok(())
}

fn unseen(field: &DraftField, known: &HashSet<i64>) -> DraftField {
    let mut field = field.clone();
    if field.nadredjeni.is_some_and(|outer| !known.contains(&outer)) {
        field.nadredjeni = None;
        (field.own.image_coordinate_x, field.own.image_coordinate_y) = (None, None);
    }
    let own = &mut field.own;
    (own.prikazuje_se, own.opcioni, own.relevantni, own.prikazi_prethodnu) = (false, true, false, false);
    (own.formula_za_prikaz, own.formula_za_racunanje, own.obavezan_ako, own.primeri) = (None, None, None, None);
    field
}
