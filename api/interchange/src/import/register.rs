//! Stores a register's definition: creates what is new, updates what differs, and switches off what is gone from the
//! file only when asked to.

use std::{
    collections::{HashMap, HashSet},
    time::Duration,
};

use configuration::admin::{
    examples,
    form_draft::order::{in_order, of_tree},
    impact::{Before, IMPORTED},
    other_forms,
};
use domain::{entry::rules::EntryRule, formula::Formula, register::RuleProperties};
use platform::{
    error::Impact,
    rows::{self, Changes, Row, Table, row},
};
use serde_json::json;
use sqlx::{PgConnection, types::Json};

use super::{
    definition::{AttributeType, Definition, FieldDefinition, FormDefinition, Register, code},
    formulas::{FieldFormulas, Formulas},
    known::{self, KnownForm},
    plans,
    quality_rules::{self, Places},
};

const REGISTERS: Table = Table { name: "register", key: &[], soft: true };
const TYPES: Table = Table { name: "attribute_type", key: &[], soft: true };
const ITEMS: Table = Table { name: "enum_item", key: &[], soft: true };
const FORMS: Table = Table { name: "form", key: &[], soft: true };
const FIELDS: Table = Table { name: "form_field", key: &[], soft: true };

/// Between two neighbours there is room for a field that an administrator adds on the screen.
const ORDER_STEP: i32 = 10;

#[derive(Debug)]
pub struct StoredRegister {
    pub register: i64,
    /// Ids of the file's forms, in its order.
    pub forms: Vec<i64>,
    pub changes: Changes,
    /// Active forms, fields and items that the file does not name; switched off when that was asked for.
    pub missing: Vec<String>,
    /// Stored results that the change makes others; they are marked.
    pub impact: Impact,
}

/// Why a definition without defects cannot be stored as things are.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct StorageRefusal(pub String);

fn refused(why: String) -> anyhow::Error {
    StorageRefusal(why).into()
}

/// How a definition is stored.
pub struct Manner {
    /// The register it belongs to; none: a new one, which the definition must describe.
    pub register: Option<i64>,
    /// Switches off what the file no longer names.
    pub deactivate_missing: bool,
    /// How long stored results are looked at.
    pub most: Duration,
}

/// Writes a definition that has no defects into the register of its code, or as a new one.
pub async fn store(
    tx: &mut PgConnection,
    definition: &Definition,
    formulas: &Formulas,
    deactivate_missing: bool,
) -> anyhow::Result<StoredRegister> {
    let Some(own) = &definition.register else { return Err(refused("fajl nema odeljak [register]".to_owned())) };
    let known = sqlx::query!("select id, aktivan from register where sifra = $1 order by aktivan desc, id desc", own.sifra)
        .fetch_all(&mut *tx)
        .await?;
    if known.iter().filter(|register| register.aktivan).count() > 1 {
        return Err(refused(format!("više aktivnih registara ima šifru „{}”", own.sifra)));
    }
    let register = known.first().map(|register| register.id);
    store_in(tx, definition, formulas, &Manner { register, deactivate_missing, most: IMPORTED }).await
}

/// Writes a definition that has no defects.
pub async fn store_in(
    tx: &mut PgConnection,
    definition: &Definition,
    formulas: &Formulas,
    manner: &Manner,
) -> anyhow::Result<StoredRegister> {
    let before = Before::of_register(tx, manner.register).await?;
    let (register, mut changes) = store_register(tx, definition.register.as_ref(), manner.register).await?;
    let types = store_types(tx, definition, register, &mut changes).await?;

    let known = known::forms(tx, register).await?;
    let form_ids = known::match_forms(&definition.forms, &known);
    let forms = store_forms(tx, register, definition, &form_ids, &known).await?;
    changes += forms.changes;
    let mut field_ids = vec![];
    let mut places = Places::default();
    for (form, form_id) in definition.forms.iter().zip(&forms.ids) {
        refuse_changed_kinds(tx, *form_id, form, &types).await?;
        let rules = formulas.rules.get(&form.sifra_veza).map_or(&[][..], Vec::as_slice);
        let fields = store_fields(tx, *form_id, form, formulas, &types).await?;
        changes += fields.changes;
        changes.updated += store_parents(tx, form, &fields.ids).await?;
        changes.updated += store_rules(tx, *form_id, form, rules).await?;
        places.forms.insert(&form.sifra_veza, *form_id);
        places
            .fields
            .extend(form.polja.iter().map(|field| (form.sifra_veza.as_str(), field.sifra.as_str())).zip(fields.ids.iter().copied()));
        field_ids.extend(fields.ids);
    }
    if let Some(own) = &definition.register {
        changes.updated += store_first_forms(tx, register, own, &definition.forms, &forms.ids).await?;
    }
    let plans = plans::store(tx, register, definition).await?;
    changes += plans.changes;
    let quality = quality_rules::store(tx, register, definition, &places).await?;
    changes += quality.changes;
    let whole = definition.register.is_some();
    let mut missing = missing(tx, register, (&forms.ids, &field_ids), &types, whole, manner.deactivate_missing).await?;
    missing.extend(plans.missing.into_iter().chain(quality.missing).filter(|_| whole));
    // Those of forms that the file does not name, too: they may share a type with it.
    for form in
        sqlx::query_scalar!("select id from form where registar_id = $1 and aktivan order by id", register).fetch_all(&mut *tx).await?
    {
        if let Some(why) = examples::failing(&mut *tx, form).await?.into_iter().next() {
            return Err(refused(why));
        }
    }
    if let Some(why) = other_forms::broken_reader(&mut *tx, register).await? {
        return Err(refused(why));
    }
    let impact = before.mark_all(tx, manner.most).await?;
    Ok(StoredRegister { register, forms: forms.ids, changes, missing, impact })
}

/// What was written: ids in the order of the file.
struct WrittenRows {
    ids: Vec<i64>,
    changes: Changes,
}

/// Inserts what has no id yet, and updates what differs of the others.
async fn write(tx: &mut PgConnection, table: &Table, rows: Vec<(Option<i64>, Row)>) -> sqlx::Result<WrittenRows> {
    let mut fresh = table.fresh_ids(&mut *tx, rows.iter().filter(|(id, _)| id.is_none()).count()).await?.into_iter();
    let (mut ids, mut old, mut new) = (vec![], vec![], vec![]);
    for (known, mut row) in rows {
        let id = known.or_else(|| fresh.next()).expect("one for each");
        row.insert("id".to_owned(), id.into());
        ids.push(id);
        if known.is_some() { old.push(row) } else { new.push(row) }
    }
    let updated = table.update(&mut *tx, &old).await?;
    let created = table.insert(tx, &new).await?;
    Ok(WrittenRows { ids, changes: Changes { created, updated } })
}

async fn store_register(tx: &mut PgConnection, own: Option<&Register>, known: Option<i64>) -> anyhow::Result<(i64, Changes)> {
    let Some(own) = own else {
        let known = known.ok_or_else(|| refused("fajl ne opisuje registar".to_owned()))?;
        return Ok((known, Changes::default()));
    };
    let wanted = row(json!({
        "sifra": code(&own.sifra),
        "naziv": own.naziv,
        "opis": own.opis,
        "naziv_prvi_unos": own.naziv_prvi_unos,
        "naziv_podrazumevani_unos": own.naziv_podrazumevani_unos,
        "broj_rezultata_u_pretrazi": own.broj_rezultata_u_pretrazi,
        "prikaz_tekucih_unosa_kod_pretrage": own.prikaz_tekucih_unosa_kod_pretrage,
        "logo_putanja": own.logo_putanja,
        "uzroci_statusa": own.uzroci_statusa,
        "pristanak_registar": own.pristanak_registar,
        "pristanak_istrazivanje": own.pristanak_istrazivanje,
        "pristanak_kontakt": own.pristanak_kontakt,
        "pristanak_razmena": own.pristanak_razmena,
    }));
    let written = write(tx, &REGISTERS, vec![(known, wanted)]).await?;
    Ok((written.ids[0], written.changes))
}

/// What fields need to know of their type: its id, and the ids of its items by name.
struct TypeIds {
    id: i64,
    items: HashMap<String, i64>,
}

/// Attribute types are shared by all registers, so a type that another register uses may be named but not changed.
async fn store_types(
    tx: &mut PgConnection,
    definition: &Definition,
    register: i64,
    changes: &mut Changes,
) -> anyhow::Result<HashMap<String, TypeIds>> {
    let mut types = HashMap::new();
    let mut taken = HashSet::new();
    for attribute_type in &definition.attribute_types {
        let known = known::type_of(tx, register, attribute_type, &mut taken).await?;
        let synced = write(tx, &TYPES, vec![(known, type_row(attribute_type)?)]).await?;
        let id = synced.ids[0];
        let items = store_items(tx, id, attribute_type).await?;
        let mut type_changes = synced.changes;
        type_changes += items.changes;
        if type_changes != Changes::default()
            && let Some(other) = other_register(tx, id, register).await?
        {
            return Err(refused(format!(
                "tip atributa „{}” koristi i registar „{other}”, a u fajlu je drugačiji; dajte tipu drugi naziv ili ga izmenite u administraciji",
                attribute_type.own.naziv
            )));
        }
        *changes += type_changes;
        let items = attribute_type.stavke.iter().map(|item| item.naziv.clone()).zip(items.ids).collect();
        types.insert(attribute_type.mark().to_owned(), TypeIds { id, items });
    }
    Ok(types)
}

async fn store_items(tx: &mut PgConnection, type_id: i64, attribute_type: &AttributeType) -> anyhow::Result<WrittenRows> {
    let known = known::items(tx, type_id).await?;
    let ids = known::match_items(&attribute_type.stavke, &known);
    let active = |id: &i64| known.iter().find(|item| item.id == *id && item.aktivan).map(|item| item.redosled);
    let was: Vec<Option<i32>> = ids.iter().map(|id| id.as_ref().and_then(active)).collect();
    let rows = attribute_type.stavke.iter().zip(in_order(&was, 0)).zip(&ids).map(|((item, redosled), id)| {
        let row = row(json!({
            "tip_atributa_id": type_id,
            "naziv": item.naziv,
            "num_vrednost": item.num_vrednost,
            "opis": item.opis,
            "opcioni": item.opcioni,
            "redosled": redosled,
            "sifra_veza": item.sifra_veza,
            "moze_se_izabrati": item.moze_se_izabrati,
        }));
        (*id, row)
    });
    Ok(write(tx, &ITEMS, rows.collect()).await?)
}

async fn store_forms(
    tx: &mut PgConnection,
    register: i64,
    definition: &Definition,
    ids: &[Option<i64>],
    known: &[KnownForm],
) -> sqlx::Result<WrittenRows> {
    let was: HashMap<i64, i32> = known.iter().filter(|form| form.aktivan).map(|form| (form.id, form.prikazni_redosled)).collect();
    let had: Vec<Option<i32>> = ids.iter().map(|id| id.and_then(|id| was.get(&id).copied())).collect();
    // A file of single forms says nothing of the others' places: what is there stays, what is new comes last.
    let orders = match definition.register {
        Some(_) => in_order(&had, 0),
        None => {
            let mut last = was.values().copied().max().unwrap_or(0);
            let mut next = || {
                last += ORDER_STEP;
                last
            };
            had.iter().map(|order| order.unwrap_or_else(&mut next)).collect()
        }
    };
    let rows = definition.forms.iter().zip(ids).zip(orders);
    write(tx, &FORMS, rows.map(|((form, id), order)| (*id, form_row(register, order, form))).collect()).await
}

async fn store_fields(
    tx: &mut PgConnection,
    form_id: i64,
    form: &FormDefinition,
    formulas: &Formulas,
    types: &HashMap<String, TypeIds>,
) -> anyhow::Result<WrittenRows> {
    let known = known::fields(tx, form_id).await?;
    let kinds: Vec<i64> = form.polja.iter().map(|field| types[&field.tip_atributa].id).collect();
    let ids = known::match_fields(form, &kinds, &known);
    let orders = field_orders(form, &ids, &known);
    let parsed =
        |field: &FieldDefinition| formulas.parsed.get(&(form.sifra_veza.clone(), field.sifra.clone())).cloned().unwrap_or_default();
    let rows = form.polja.iter().zip(&ids).zip(orders);
    let rows = rows.map(|((field, id), order)| Ok((*id, field_row(form_id, order, field, &parsed(field), types)?)));
    Ok(write(tx, &FIELDS, rows.collect::<anyhow::Result<_>>()?).await?)
}

/// Fields of a new form are numbered in the file's order; of one that is there, what stays in its place keeps its number.
fn field_orders(form: &FormDefinition, ids: &[Option<i64>], known: &[known::KnownField]) -> Vec<i32> {
    let was: HashMap<i64, i32> = known.iter().filter(|field| field.aktivan).map(|field| (field.id, field.redosled)).collect();
    if !ids.iter().flatten().any(|id| was.contains_key(id)) {
        return (1..).take(ids.len()).map(|place| place * ORDER_STEP).collect();
    }
    let place = |place: usize| -1 - i64::try_from(place).expect("a form has fewer fields");
    let stands = |at: usize| ids[at].unwrap_or_else(|| place(at));
    let by_code: HashMap<&str, usize> = form.polja.iter().enumerate().map(|(at, field)| (field.sifra.as_str(), at)).collect();
    let holder = |field: &FieldDefinition| field.nadredjeni.as_deref().and_then(|code| by_code.get(code)).map(|at| stands(*at));
    let orders = of_tree(form.polja.iter().enumerate().map(|(at, field)| (stands(at), holder(field))), &was);
    (0..ids.len()).map(|at| orders.get(&stands(at)).copied().unwrap_or_default()).collect()
}

async fn other_register(tx: &mut PgConnection, type_id: i64, register: i64) -> sqlx::Result<Option<String>> {
    sqlx::query_scalar!(
        "select r.naziv from type_uses(array[$1]::bigint[]) u join register r on r.id = u.registar_id where r.id <> $2 order by r.id limit 1",
        type_id,
        register
    )
    .fetch_optional(tx)
    .await
}

/// Saved values keep the shape of their field's type, and a set's values the ids of its items.
async fn refuse_changed_kinds(
    tx: &mut PgConnection,
    form_id: i64,
    form: &FormDefinition,
    types: &HashMap<String, TypeIds>,
) -> anyhow::Result<()> {
    let codes: Vec<String> = form.polja.iter().map(|field| field.sifra.clone()).collect();
    let type_ids: Vec<i64> = form.polja.iter().map(|field| types[&field.tip_atributa].id).collect();
    let changed = sqlx::query_scalar!(
        r#"select f.sifra as "sifra!" from unnest($2::text[], $3::bigint[]) as w(sifra, tip_id)
           join form_field f on f.tip_skupa_atributa_id = $1 and f.sifra = w.sifra
           join attribute_type was on was.id = f.tip_atributa_id
           join attribute_type wanted on wanted.id = w.tip_id
          where was.id <> wanted.id and (was.tip_vrednosti_atributa <> wanted.tip_vrednosti_atributa or was.tip_vrednosti_atributa = type_number('skupovni'))
            and exists (select from entry e where e.tsa_id = $1 and entry_holds(e.vrednosti, f.id))"#,
        form_id,
        &codes,
        &type_ids
    )
    .fetch_all(tx)
    .await?;
    if !changed.is_empty() {
        let fields = changed.join(", ");
        return Err(refused(format!(
            "formular „{}”: polja {fields} imaju snimljene vrednosti, pa im se tip ne može promeniti",
            form.naziv
        )));
    }
    Ok(())
}

async fn store_parents(tx: &mut PgConnection, form: &FormDefinition, ids: &[i64]) -> sqlx::Result<u64> {
    let by_code: HashMap<&str, i64> = form.polja.iter().map(|field| field.sifra.as_str()).zip(ids.iter().copied()).collect();
    let parents: Vec<Option<i64>> =
        form.polja.iter().map(|field| field.nadredjeni.as_deref().and_then(|code| by_code.get(code).copied())).collect();
    let updated = sqlx::query!(
        "update form_field f set nadredjeni_atribut_u_tipu_skupa_id = w.parent
           from unnest($1::bigint[], $2::bigint[]) as w(id, parent)
          where f.id = w.id and f.nadredjeni_atribut_u_tipu_skupa_id is distinct from w.parent",
        ids,
        &parents as _
    )
    .execute(tx)
    .await?;
    Ok(updated.rows_affected())
}

/// A rule is known again by its condition, or else by its message.
async fn store_rules(tx: &mut PgConnection, form_id: i64, form: &FormDefinition, formulas: &[Formula]) -> anyhow::Result<u64> {
    let stored = sqlx::query_scalar!(r#"select pravila as "pravila: Json<Vec<EntryRule>>" from form where id = $1"#, form_id);
    let stored = stored.fetch_one(&mut *tx).await?.0;
    let known: Vec<i64> = stored.iter().map(|rule| rule.id).collect();
    let mut left = stored;
    let rules: Vec<EntryRule> = form
        .pravila
        .iter()
        .zip(formulas)
        .map(|(rule, formula)| {
            let same = |by: fn(&RuleProperties) -> &String| left.iter().position(|known| by(&known.own) == by(&rule.own));
            let place = same(|own| &own.uslov).or_else(|| same(|own| &own.poruka));
            let id = place.map_or(0, |place| left.remove(place).id);
            EntryRule { id, own: rule.own.clone(), formula: formula.clone() }
        })
        .collect();
    let pravila = rows::rules(&rules, &known)?;
    let updated = sqlx::query!("update form set pravila = $2 where id = $1 and pravila <> $2", form_id, pravila).execute(tx).await?;
    Ok(updated.rows_affected())
}

async fn store_first_forms(
    tx: &mut PgConnection,
    register: i64,
    own: &Register,
    forms: &[FormDefinition],
    ids: &[i64],
) -> sqlx::Result<u64> {
    let named = |code: &Option<String>| {
        let at = forms.iter().position(|form| Some(&form.sifra_veza) == code.as_ref())?;
        Some(ids[at])
    };
    let updated = sqlx::query!(
        "update register r set prvi_tip_hijerarhije_atributa_id = $2, podrazumevani_tip_hijerarhije_atributa_id = $3
          where r.id = $1 and (r.prvi_tip_hijerarhije_atributa_id, r.podrazumevani_tip_hijerarhije_atributa_id)
                is distinct from ($2::bigint, $3::bigint)",
        register,
        named(&own.prvi_tip_hijerarhije_atributa),
        named(&own.podrazumevani_tip_hijerarhije_atributa)
    )
    .execute(tx)
    .await?;
    Ok(updated.rows_affected())
}

/// Active forms, fields and items of the register that the file does not name. One that is not `whole` speaks of its own forms only.
async fn missing(
    tx: &mut PgConnection,
    register: i64,
    (forms, fields): (&[i64], &[i64]),
    types: &HashMap<String, TypeIds>,
    whole: bool,
    deactivate: bool,
) -> sqlx::Result<Vec<String>> {
    let type_ids: Vec<i64> = types.values().map(|known| known.id).collect();
    let items: Vec<i64> = types.values().flat_map(|known| known.items.values().copied()).collect();
    let found = sqlx::query!(
        r#"select 'form' as "tabela!", id as "id!", 'formular „' || naziv || '”' as "opis!"
             from form where registar_id = $1 and aktivan and id <> all ($2) and $6
           union all
           select 'form_field', f.id, 'polje „' || f.naziv || '” formulara „' || t.naziv || '”'
             from form_field f join form t on t.id = f.tip_skupa_atributa_id
            where t.registar_id = $1 and f.aktivan and t.aktivan and f.id <> all ($3) and ($6 or t.id = any ($2))
           union all
           select 'enum_item', i.id, 'stavka „' || i.naziv || '” tipa „' || t.naziv || '”'
             from enum_item i join attribute_type t on t.id = i.tip_atributa_id
            where t.id = any ($4) and i.aktivan and i.id <> all ($5)
            order by 3"#,
        register,
        forms,
        fields,
        &type_ids,
        &items,
        whole
    )
    .fetch_all(&mut *tx)
    .await?;
    if deactivate {
        let of = |table: &str| found.iter().filter(|row| row.tabela == table).map(|row| row.id).collect::<Vec<_>>();
        sqlx::query!("update form_field set aktivan = false where id = any ($1)", &of("form_field")).execute(&mut *tx).await?;
        sqlx::query!("update enum_item set aktivan = false where id = any ($1)", &of("enum_item")).execute(&mut *tx).await?;
        sqlx::query!("update form set aktivan = false where id = any ($1)", &of("form")).execute(&mut *tx).await?;
    }
    Ok(found.into_iter().map(|row| row.opis).collect())
}

fn type_row(attribute_type: &AttributeType) -> anyhow::Result<Row> {
    let mut row = rows::columns_of(&attribute_type.own)?;
    row.insert("tip_vrednosti_atributa".to_owned(), json!(attribute_type.tip_vrednosti));
    Ok(row)
}

fn form_row(register: i64, order: i32, form: &FormDefinition) -> Row {
    row(json!({
        "registar_id": register,
        "sifra_veza": code(&form.sifra_veza),
        "naziv": form.naziv,
        "naziv_engleski": form.naziv_engleski,
        "prikazni_redosled": order,
        "moze_se_instancirati": form.moze_se_instancirati,
        "napomena": form.napomena,
        "opis": form.opis,
        "maksimalan_broj_instanci_po_kontaktu": form.maksimalan_broj_instanci_po_kontaktu,
        "maksimalan_broj_instanci_po_pacijentu": form.maksimalan_broj_instanci_po_pacijentu,
    }))
}

fn field_row(
    form_id: i64,
    order: i32,
    field: &FieldDefinition,
    formulas: &FieldFormulas,
    types: &HashMap<String, TypeIds>,
) -> anyhow::Result<Row> {
    let known = &types[&field.tip_atributa];
    let mut wanted = rows::columns_of(&field.own)?;
    wanted.extend(row(json!({
        "tip_skupa_atributa_id": form_id,
        "tip_atributa_id": known.id,
        "redosled": order,
        "inicijalna_enum_stavka_id": field.inicijalna_enum_stavka.as_ref().map(|item| known.items[item]),
        "formula_za_prikaz_ast": formulas.prikaz,
        "formula_za_racunanje_ast": formulas.racunanje,
        "obavezan_ako_ast": formulas.obavezan,
    })));
    Ok(wanted)
}
