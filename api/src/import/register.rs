//! Stores a register's definition: creates what is new, updates what differs, and switches off what is gone from the
//! file only when asked to.

use std::collections::HashMap;

use anyhow::bail;
use serde_json::json;
use sqlx::PgConnection;

use super::{
    definition::{AttributeType, Definition, FieldDefinition, FormDefinition},
    formulas::{Formulas, Parsed},
};
use crate::{
    admin::impact::Before,
    error::Impact,
    rows::{self, Changes, Row, Table, row},
};

const REGISTERS: Table = Table { name: "register", key: &["sifra"], soft: true };
const TYPES: Table = Table { name: "attribute_type", key: &["naziv", "tip_vrednosti_atributa"], soft: true };
const ITEMS: Table = Table { name: "enum_item", key: &["tip_atributa_id", "num_vrednost"], soft: true };
const FORMS: Table = Table { name: "form", key: &["registar_id", "sifra_veza"], soft: true };
const FIELDS: Table = Table { name: "form_field", key: &["tip_skupa_atributa_id", "sifra"], soft: true };

/// Between two neighbours there is room for a field that an administrator adds on the screen.
const ORDER_STEP: usize = 10;

#[derive(Debug)]
pub struct Stored {
    pub register_id: i64,
    pub changes: Changes,
    /// Active forms, fields and items that the file does not name; switched off when that was asked for.
    pub missing: Vec<String>,
    /// Stored results that the change makes others; they are marked.
    pub impact: Impact,
}

/// Writes a definition that has no defects. `deactivate_missing` switches off what the file no longer names.
pub async fn store(
    tx: &mut PgConnection,
    definition: &Definition,
    formulas: &Formulas,
    deactivate_missing: bool,
) -> anyhow::Result<Stored> {
    let before = Before::of_register(tx, &definition.register.sifra).await?;
    let (register_id, mut changes) = store_register(tx, definition).await?;
    let types = store_types(tx, definition, register_id, &mut changes).await?;

    let form_rows = definition.forms.iter().enumerate().map(|(place, form)| form_row(register_id, place, form)).collect();
    let forms = FORMS.sync(tx, form_rows).await?;
    changes += forms.changes;
    let mut field_ids = vec![];
    for (form, form_id) in definition.forms.iter().zip(&forms.ids) {
        refuse_changed_kinds(tx, *form_id, form, &types).await?;
        let formulas =
            |field: &FieldDefinition| formulas.parsed.get(&(form.sifra_veza.clone(), field.sifra.clone())).cloned().unwrap_or_default();
        let rows = form.polja.iter().enumerate();
        let rows = rows.map(|(place, field)| field_row(*form_id, place, field, &formulas(field), &types)).collect::<anyhow::Result<_>>()?;
        let fields = FIELDS.sync(tx, rows).await?;
        changes += fields.changes;
        changes.updated += store_parents(tx, form, &fields.ids).await?;
        field_ids.extend(fields.ids);
    }
    changes.updated += store_first_forms(tx, register_id, definition).await?;
    let missing = missing(tx, register_id, &forms.ids, &field_ids, &types, deactivate_missing).await?;
    let impact = before.mark_all(tx).await?;
    Ok(Stored { register_id, changes, missing, impact })
}

async fn store_register(tx: &mut PgConnection, definition: &Definition) -> anyhow::Result<(i64, Changes)> {
    let register = &definition.register;
    let same = sqlx::query_scalar!(r#"select count(*) as "n!" from register where sifra = $1 and aktivan"#, register.sifra)
        .fetch_one(&mut *tx)
        .await?;
    if same > 1 {
        bail!("više aktivnih registara ima šifru „{}”", register.sifra);
    }
    let wanted = row(json!({
        "sifra": register.sifra,
        "naziv": register.naziv,
        "opis": register.opis,
        "naziv_prvi_unos": register.naziv_prvi_unos,
        "naziv_podrazumevani_unos": register.naziv_podrazumevani_unos,
        "broj_rezultata_u_pretrazi": register.broj_rezultata_u_pretrazi,
        "prikaz_tekucih_unosa_kod_pretrage": register.prikaz_tekucih_unosa_kod_pretrage,
        "logo_putanja": register.logo_putanja,
    }));
    let synced = REGISTERS.sync(tx, vec![wanted]).await?;
    Ok((synced.ids[0], synced.changes))
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
    register_id: i64,
    changes: &mut Changes,
) -> anyhow::Result<HashMap<String, TypeIds>> {
    let mut types = HashMap::new();
    for attribute_type in &definition.attribute_types {
        let synced = TYPES.sync(tx, vec![type_row(attribute_type)?]).await?;
        let id = synced.ids[0];
        let rows = attribute_type.stavke.iter().enumerate().map(|(place, item)| {
            row(json!({
                "tip_atributa_id": id,
                "naziv": item.naziv,
                "num_vrednost": item.num_vrednost,
                "opis": item.opis,
                "opcioni": item.opcioni,
                "redosled": (place + 1) * ORDER_STEP,
                "sifra_veza": item.sifra_veza,
            }))
        });
        let items = ITEMS.sync(tx, rows.collect()).await?;
        let mut type_changes = synced.changes;
        type_changes += items.changes;
        if type_changes != Changes::default()
            && let Some(other) = other_register(tx, id, register_id).await?
        {
            bail!(
                "tip atributa „{}” koristi i registar „{other}”, a u fajlu je drugačiji; dajte tipu drugi naziv ili ga izmenite u administraciji",
                attribute_type.own.naziv
            );
        }
        *changes += type_changes;
        let items = attribute_type.stavke.iter().map(|item| item.naziv.clone()).zip(items.ids).collect();
        types.insert(attribute_type.own.naziv.clone(), TypeIds { id, items });
    }
    Ok(types)
}

async fn other_register(tx: &mut PgConnection, type_id: i64, register_id: i64) -> sqlx::Result<Option<String>> {
    sqlx::query_scalar!(
        "select r.naziv from form_field f join form t on t.id = f.tip_skupa_atributa_id join register r on r.id = t.registar_id
          where f.tip_atributa_id = $1 and f.aktivan and r.id <> $2 limit 1",
        type_id,
        register_id
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
            and exists (select from entry e where e.tsa_id = $1 and e.vrednosti ? f.id::text)"#,
        form_id,
        &codes,
        &type_ids
    )
    .fetch_all(tx)
    .await?;
    if !changed.is_empty() {
        bail!("formular „{}”: polja {} imaju sačuvane vrednosti, pa im se vrsta ne može promeniti", form.naziv, changed.join(", "));
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

async fn store_first_forms(tx: &mut PgConnection, register_id: i64, definition: &Definition) -> sqlx::Result<u64> {
    let updated = sqlx::query!(
        "update register r set prvi_tip_hijerarhije_atributa_id = w.prvi, podrazumevani_tip_hijerarhije_atributa_id = w.podrazumevani
           from (select (select id from form where registar_id = $1 and sifra_veza = $2 and aktivan) as prvi,
                        (select id from form where registar_id = $1 and sifra_veza = $3 and aktivan) as podrazumevani) w
          where r.id = $1 and (r.prvi_tip_hijerarhije_atributa_id, r.podrazumevani_tip_hijerarhije_atributa_id)
                is distinct from (w.prvi, w.podrazumevani)",
        register_id,
        definition.register.prvi_tip_hijerarhije_atributa,
        definition.register.podrazumevani_tip_hijerarhije_atributa
    )
    .execute(tx)
    .await?;
    Ok(updated.rows_affected())
}

/// Active forms, fields and items of the register that the file does not name.
async fn missing(
    tx: &mut PgConnection,
    register_id: i64,
    forms: &[i64],
    fields: &[i64],
    types: &HashMap<String, TypeIds>,
    deactivate: bool,
) -> sqlx::Result<Vec<String>> {
    let type_ids: Vec<i64> = types.values().map(|known| known.id).collect();
    let items: Vec<i64> = types.values().flat_map(|known| known.items.values().copied()).collect();
    let found = sqlx::query!(
        r#"select 'form' as "tabela!", id as "id!", 'formular „' || naziv || '”' as "opis!"
             from form where registar_id = $1 and aktivan and id <> all ($2)
           union all
           select 'form_field', f.id, 'polje „' || f.naziv || '” formulara „' || t.naziv || '”'
             from form_field f join form t on t.id = f.tip_skupa_atributa_id
            where t.registar_id = $1 and f.aktivan and t.aktivan and f.id <> all ($3)
           union all
           select 'enum_item', i.id, 'stavka „' || i.naziv || '” tipa „' || t.naziv || '”'
             from enum_item i join attribute_type t on t.id = i.tip_atributa_id
            where t.id = any ($4) and i.aktivan and i.id <> all ($5)
            order by 3"#,
        register_id,
        forms,
        fields,
        &type_ids,
        &items
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

fn form_row(register_id: i64, place: usize, form: &FormDefinition) -> Row {
    row(json!({
        "registar_id": register_id,
        "sifra_veza": form.sifra_veza,
        "naziv": form.naziv,
        "naziv_engleski": form.naziv_engleski,
        "prikazni_redosled": (place + 1) * ORDER_STEP,
        "moze_se_instancirati": form.moze_se_instancirati,
        "napomena": form.napomena,
        "opis": form.opis,
        "maksimalan_broj_instanci_po_kontaktu": form.maksimalan_broj_instanci_po_kontaktu,
        "maksimalan_broj_instanci_po_pacijentu": form.maksimalan_broj_instanci_po_pacijentu,
    }))
}

fn field_row(
    form_id: i64,
    place: usize,
    field: &FieldDefinition,
    formulas: &Parsed,
    types: &HashMap<String, TypeIds>,
) -> anyhow::Result<Row> {
    let known = &types[&field.tip_atributa];
    let mut wanted = rows::columns_of(&field.own)?;
    wanted.extend(row(json!({
        "tip_skupa_atributa_id": form_id,
        "tip_atributa_id": known.id,
        "redosled": (place + 1) * ORDER_STEP,
        "inicijalna_enum_stavka_id": field.inicijalna_enum_stavka.as_ref().map(|item| known.items[item]),
        "formula_za_prikaz_ast": formulas.prikaz,
        "formula_za_racunanje_ast": formulas.racunanje,
    })));
    Ok(wanted)
}
