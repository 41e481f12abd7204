//! What the database has against a document: values that would be lost or read otherwise, types that other forms share, ids that are
//! not this form's.

use std::{
    collections::{HashMap, HashSet},
    path::Path,
};

use domain::{
    register::{ValueType, rules},
    text::number_of,
};
use platform::error::Result;
use sqlx::PgConnection;

use super::{
    check::{Fault, Place},
    document::{Document, DraftField},
    live::{self, Live},
};
use crate::admin::usage::{self, Places};

/// In how many entries.
const IN_ENTRIES: [&str; 3] = ["unosu", "unosa", "unosa"];

/// `templates`: reports that name a removed field are looked for too.
pub async fn faults(db: &mut PgConnection, form: i64, document: &Document, live: &Live, templates: Option<&Path>) -> Result<Vec<Fault>> {
    let mut found = strangers(&mut *db, form, document).await?;
    found.extend(other_kinds(&mut *db, form, document, live).await?);
    found.extend(other_places(&mut *db, form, document, live).await?);
    found.extend(shared(&mut *db, form, document, live).await?);
    found.extend(removed_fields(&mut *db, form, document, live, templates).await?);
    found.extend(removed_items(db, document, live).await?);
    Ok(found)
}

/// Ids that are none of this form's: of its fields, of types that there are, of items of those.
async fn strangers(db: &mut PgConnection, form: i64, document: &Document) -> Result<Vec<Fault>> {
    let stored = |ids: Vec<i64>| ids.into_iter().filter(|id| *id > 0).collect::<Vec<_>>();
    let fields = stored(document.polja.iter().map(|field| field.id).collect());
    let types = stored(document.tipovi.iter().map(|known| known.id).collect());
    let items = stored(document.stavke.iter().map(|item| item.id).collect());
    let own = sqlx::query!(
        r#"select 'polje' as "gde!", id as "id!", tip_skupa_atributa_id as "u!" from form_field where id = any ($2) and tip_skupa_atributa_id = $1
           union all
           select 'tip', t.id, 0 from attribute_type t where t.id = any ($3)
              and (t.aktivan or exists (select from form_field f where f.tip_atributa_id = t.id and f.tip_skupa_atributa_id = $1))
           union all select 'stavka', id, tip_atributa_id from enum_item where id = any ($4)"#,
        form,
        &fields,
        &types,
        &items
    )
    .fetch_all(db)
    .await?;
    let own: HashMap<(&str, i64), i64> = own.iter().map(|row| ((row.gde.as_str(), row.id), row.u)).collect();
    let is_own = |gde: &'static str, id: i64| id < 0 || own.contains_key(&(gde, id));
    let twice = |ids: Vec<i64>| {
        let mut met = HashSet::new();
        ids.into_iter().filter(move |id| !met.insert(*id) || *id == 0).collect::<HashSet<i64>>()
    };
    let fields_twice = twice(document.polja.iter().map(|field| field.id).collect());
    let foreign = document.polja.iter().filter(|field| !is_own("polje", field.id) || fields_twice.contains(&field.id));
    let mut found: Vec<Fault> =
        foreign.map(|field| Fault::of_field(field, "id", "Polje nije iz ovog formulara. Učitajte nacrt ponovo.")).collect();
    let types = document.tipovi.iter().filter(|known| !is_own("tip", known.id));
    found.extend(types.map(|known| Fault::of_type(known, "id", rules::UNKNOWN_TYPE)));
    let is_its_types = |id: i64, type_id: i64| id < 0 || own.get(&("stavka", id)) == Some(&type_id);
    let items = document.stavke.iter().filter(|item| !is_its_types(item.id, item.tip_atributa_id));
    found.extend(items.map(|item| Fault::of_item(item, "id", "Stavka nije iz ovog skupa. Učitajte nacrt ponovo.")));
    Ok(found)
}

/// Saved values keep the shape of their field's type, and a set's values the ids of its items.
async fn other_kinds(db: &mut PgConnection, form: i64, document: &Document, live: &Live) -> Result<Vec<Fault>> {
    let (now, was) = (document.types(), live.document.types());
    let kind = |types: &HashMap<i64, &super::document::DraftType>, id: i64| types.get(&id).map(|known| known.tip_vrednosti_atributa);
    let changed: Vec<&DraftField> = document
        .polja
        .iter()
        .filter(|field| {
            live.document.field(field.id).is_some_and(|stored| {
                let before = kind(&was, stored.tip_atributa_id);
                stored.tip_atributa_id != field.tip_atributa_id
                    && (before != kind(&now, field.tip_atributa_id) || before == Some(ValueType::Set))
            })
        })
        .collect();
    let counts = entries_with(db, form, &changed.iter().map(|field| field.id).collect::<Vec<_>>()).await?;
    let held = changed.into_iter().filter(|field| counts.contains_key(&field.id));
    let mut found: Vec<Fault> = held.map(|field| Fault::of_field(field, "tipAtributaID", rules::TYPE_IN_USE)).collect();
    let turned = document
        .tipovi
        .iter()
        .filter(|known| was.get(&known.id).is_some_and(|stored| stored.tip_vrednosti_atributa != known.tip_vrednosti_atributa));
    found.extend(turned.map(|known| Fault::of_type(known, "tipVrednostiAtributa", rules::KIND_IN_USE)));
    Ok(found)
}

/// A panel with values begins or ceases to repeat no more, and no field with values comes into a section that repeats or leaves it.
async fn other_places(db: &mut PgConnection, form: i64, document: &Document, live: &Live) -> Result<Vec<Fault>> {
    let section_of = |document: &Document, field: &DraftField| {
        document.field(field.nadredjeni?).filter(|outer| outer.own.ponavlja_se).map(|outer| outer.id)
    };
    let stored = |field: &DraftField| live.document.field(field.id);
    let moved = |field: &&DraftField| stored(field).is_some_and(|was| section_of(&live.document, was) != section_of(document, field));
    let turned = |field: &&DraftField| stored(field).is_some_and(|was| was.own.ponavlja_se != field.own.ponavlja_se);
    let asked: Vec<i64> = document.polja.iter().filter(|field| moved(field) || turned(field)).map(|field| field.id).collect();
    let counts = entries_with(db, form, &asked).await?;
    let told = |field: &DraftField| {
        let count = number_of(*counts.get(&field.id)?, IN_ENTRIES);
        Some(if turned(&field) {
            Fault::of_field(field, "ponavljaSe", format!("Sekcija ima redove u {count}, pa mora i dalje da se ponavlja."))
        } else {
            let message = format!("Polje ima vrednosti u {count}, pa ne može ni u sekciju koja se ponavlja ni iz nje.");
            Fault::of_field(field, "nadredjeniAtributUTipuSkupaID", message)
        })
    };
    Ok(document.polja.iter().filter_map(told).collect())
}

async fn shared(db: &mut PgConnection, form: i64, document: &Document, live: &Live) -> Result<Vec<Fault>> {
    let was = live.document.types();
    let changed: Vec<_> = document
        .tipovi
        .iter()
        .filter(|known| was.contains_key(&known.id) && document.has_type_otherwise(&live.document, known.id))
        .collect();
    let ids: Vec<i64> = changed.iter().map(|known| known.id).collect();
    let shared = live::shared_types(db, form, &ids).await?;
    let told = |known: &&super::document::DraftType| {
        let others = Places::default().named("Tip koristi i formular ", shared.get(&known.id)?).all().concat();
        let message = format!("{others}: menja se u tipovima atributa, ili polje dobija svoj tip.");
        Some(Fault::of_type(known, "naziv", message))
    };
    Ok(changed.iter().filter_map(told).collect())
}

/// Nothing is taken away that has values or is read by somebody.
async fn removed_fields(
    db: &mut PgConnection,
    form: i64,
    document: &Document,
    live: &Live,
    templates: Option<&Path>,
) -> Result<Vec<Fault>> {
    let kept: HashSet<i64> = document.polja.iter().map(|field| field.id).collect();
    let removed: Vec<&DraftField> = live.document.polja.iter().filter(|field| !kept.contains(&field.id)).collect();
    let counts = entries_with(&mut *db, form, &removed.iter().map(|field| field.id).collect::<Vec<_>>()).await?;
    let charts = |code: &str| -> Vec<String> {
        let draws = |field: &&DraftField| field.own.grafik.iter().flatten().any(|line| line.sifra == code);
        document.polja.iter().filter(draws).map(|field| field.own.naziv.clone()).collect()
    };
    let still_named: HashSet<&str> = document.polja.iter().filter_map(|field| field.own.sifra.as_deref()).collect();
    let mut found = Vec::new();
    for field in removed {
        let count = counts.get(&field.id).copied().unwrap_or_default();
        let mut places = Places::default().counted("ima vrednost u ", count, IN_ENTRIES);
        // Another field that has its code now is what the others find.
        let mut code = field.own.sifra.as_deref().filter(|code| !still_named.contains(code));
        if let Some(code) = code {
            places = places.named("crta ga grafik ", &charts(code));
        }
        if let Some(templates) = templates {
            if let Some(named) = code
                && elsewhere(&mut *db, form, named).await?
            {
                code = None;
            }
            let reports = usage::reports_reading_field(&mut *db, templates, field.id, code).await?;
            let queries = usage::queries_reading(&mut *db, code).await?;
            places = places.named("čita ga izveštaj ", &reports).named("čita ga upit ", &queries);
        }
        let places = places.all();
        if !places.is_empty() {
            let message = format!(
                "Polje „{}” se ne može ukloniti: {}. Vratite ga; umesto uklanjanja može da se ne prikazuje.",
                field.own.naziv,
                places.join("; ")
            );
            found.push(Fault::of_field(field, "id", message));
        }
    }
    Ok(found)
}

/// Reports name a field by its code alone: while another form has it too, they still find one.
async fn elsewhere(db: &mut PgConnection, form: i64, code: &str) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"select exists (select from form_field where sifra = $1 and aktivan and tip_skupa_atributa_id <> $2) as "elsewhere!""#,
        code,
        form
    )
    .fetch_one(db)
    .await
}

async fn removed_items(db: &mut PgConnection, document: &Document, live: &Live) -> Result<Vec<Fault>> {
    let kept: HashSet<i64> = document.stavke.iter().map(|item| item.id).collect();
    let types: HashSet<i64> = document.tipovi.iter().map(|known| known.id).collect();
    let stored = live.document.stavke.iter();
    let mut found = Vec::new();
    for item in stored.filter(|item| types.contains(&item.tip_atributa_id) && !kept.contains(&item.id)) {
        let count = sqlx::query_scalar!(
            r#"select count(*) as "count!" from form_field f join entry e on e.tsa_id = f.tip_skupa_atributa_id
                where f.tip_atributa_id = $1 and (e.vrednosti -> f.id::text @> to_jsonb($2::bigint) or rows_choose(e.vrednosti, f.id, $2))"#,
            item.tip_atributa_id,
            item.id
        )
        .fetch_one(&mut *db)
        .await?;
        if count > 0 {
            let message = format!(
                "Stavka „{}” se ne može ukloniti: izabrana je u {}. Umesto toga može da se više ne bira.",
                item.naziv,
                number_of(count, IN_ENTRIES)
            );
            found.push(Fault { gde: Place::Stavka, ..Fault::of_item(item, "id", message) });
        }
    }
    Ok(found)
}

/// How many entries have a value of each field; none of those without any.
pub async fn entries_with(db: &mut PgConnection, form: i64, fields: &[i64]) -> sqlx::Result<HashMap<i64, i64>> {
    let asked: Vec<i64> = fields.iter().copied().filter(|id| *id > 0).collect();
    if asked.is_empty() {
        return Ok(HashMap::new());
    }
    let counts = sqlx::query!(
        r#"select f as "field!", count(*) as "count!" from unnest($2::bigint[]) u (f) join entry e on e.tsa_id = $1 and entry_holds(e.vrednosti, f)
            group by f"#,
        form,
        &asked
    );
    Ok(counts.fetch_all(db).await?.into_iter().map(|row| (row.field, row.count)).collect())
}
