//! Items and units that a draft writes otherwise: whoever publishes says which of them are only spelt otherwise and which mean
//! another thing (docs/decisions/0065-meaning-is-not-wording.md).

use std::collections::{BTreeMap, BTreeSet};

use domain::register::ValueType;
use platform::error::Result;
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use utoipa::ToSchema;

use super::{
    against::entries_with,
    document::{Document, DraftType},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum RenamedThing {
    Stavka,
    Jedinica,
}

/// Something that is written otherwise, and that entries hold.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Rename {
    pub vrsta: RenamedThing,
    /// Of the item, or of the type that has the unit.
    pub id: i64,
    /// Names of the fields that have it.
    pub polja: Vec<String>,
    /// None: the type had or has no unit.
    pub staro: Option<String>,
    pub novo: Option<String>,
}

/// What somebody says of meanings. An item that is not named stays the same one, a unit that is not named becomes another one.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Wording {
    /// Items whose new name is another answer.
    pub druge_stavke: Vec<i64>,
    /// Types whose unit is only spelt otherwise.
    pub iste_jedinice: Vec<i64>,
}

impl Wording {
    /// Said before the change, in its transaction: the database keeps what each text means.
    pub async fn say(&self, tx: &mut PgConnection) -> Result<()> {
        let list = |ids: &[i64]| format!("{{{}}}", ids.iter().map(i64::to_string).collect::<Vec<_>>().join(","));
        sqlx::query!(
            "select set_config('app.other_items', $1, true) as items, set_config('app.same_units', $2, true) as units",
            list(&self.druge_stavke),
            list(&self.iste_jedinice)
        )
        .fetch_one(tx)
        .await?;
        Ok(())
    }
}

/// What a draft writes otherwise of what entries hold.
pub async fn renames(db: &mut PgConnection, form: i64, live: &Document, document: &Document) -> Result<Vec<Rename>> {
    let (mut found, mut fields) = (Vec::new(), BTreeSet::new());
    for (rename, of) in items(live, document).into_iter().chain(units(live, document)) {
        fields.extend(of.iter().copied());
        found.push((rename, of));
    }
    let held = entries_with(db, form, &fields.into_iter().collect::<Vec<_>>()).await?;
    let is_held = |(_, of): &(Rename, Vec<i64>)| of.iter().any(|field| held.contains_key(field));
    Ok(found.into_iter().filter(is_held).map(|(rename, _)| rename).collect())
}

/// Each with the fields that have it.
fn items(live: &Document, document: &Document) -> Vec<(Rename, Vec<i64>)> {
    let mut found = Vec::new();
    for item in &document.stavke {
        let Some(was) = live.stavke.iter().find(|was| was.id == item.id && was.naziv != item.naziv) else { continue };
        let fields = document.polja.iter().filter(|field| field.tip_atributa_id == item.tip_atributa_id);
        let (ids, polja) = fields.map(|field| (field.id, field.own.naziv.clone())).unzip();
        let (staro, novo) = (Some(was.naziv.clone()), Some(item.naziv.clone()));
        found.push((Rename { vrsta: RenamedThing::Stavka, id: item.id, polja, staro, novo }, ids));
    }
    found
}

fn units(live: &Document, document: &Document) -> Vec<(Rename, Vec<i64>)> {
    let mut found: BTreeMap<i64, (Rename, Vec<i64>)> = BTreeMap::new();
    for (field, was, now) in moved(live, document).into_iter().filter(|(_, was, now)| unit(was) != unit(now)) {
        let rename = || Rename { vrsta: RenamedThing::Jedinica, id: now.id, polja: Vec::new(), staro: unit(was), novo: unit(now) };
        let (rename, ids) = found.entry(now.id).or_insert_with(|| (rename(), Vec::new()));
        ids.push(field);
        rename.polja.extend(document.field(field).map(|field| field.own.naziv.clone()));
    }
    found.into_values().collect()
}

fn unit(known: &DraftType) -> Option<String> {
    known.own.jedinica.as_deref().map(str::trim).filter(|unit| !unit.is_empty()).map(str::to_owned)
}

/// Number fields that are of the type that they had, or get a new one, with what that was and what it is. A type that other forms have is
/// as those have it, and what its unit means is not said here.
fn moved<'a>(live: &'a Document, document: &'a Document) -> Vec<(i64, &'a DraftType, &'a DraftType)> {
    let (was, now) = (live.types(), document.types());
    let pair = |id: i64| {
        let (before, after) = (was.get(&live.field(id)?.tip_atributa_id)?, now.get(&document.field(id)?.tip_atributa_id)?);
        let is_number = |known: &DraftType| known.tip_vrednosti_atributa == ValueType::Number;
        (is_number(before) && is_number(after) && (before.id == after.id || after.id < 0)).then_some((id, *before, *after))
    };
    document.polja.iter().filter_map(|field| pair(field.id)).collect()
}

/// New types whose unit means what that of the type before them does, with that one: what is spelt alike, and what was said to be.
pub fn same_units(live: &Document, document: &Document, wording: &Wording) -> Vec<(i64, i64)> {
    let moved = moved(live, document).into_iter().filter(|(_, _, now)| now.id < 0);
    let is_same = |was: &DraftType, now: &DraftType| unit(was) == unit(now) || wording.iste_jedinice.contains(&now.id);
    moved.filter(|(_, was, now)| is_same(was, now)).map(|(_, was, now)| (was.id, now.id)).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn document(unit: &str, type_id: i64, item: &str) -> Document {
        serde_json::from_value(json!({
            "naziv": "Pregled",
            "polja": [{ "id": 1, "naziv": "Doza", "tipAtributaID": type_id }, { "id": 2, "naziv": "Stepen", "tipAtributaID": 20 }],
            "tipovi": [
                { "id": type_id, "naziv": "Doza", "tipVrednostiAtributa": 2, "jedinica": unit },
                { "id": 20, "naziv": "Stepen", "tipVrednostiAtributa": 4 },
            ],
            "stavke": [{ "id": 7, "tipAtributaID": 20, "naziv": item, "numVrednost": 1 }],
        }))
        .unwrap()
    }

    #[test]
    fn items_and_units_that_are_written_otherwise_are_told_with_their_fields() {
        let (was, now) = (document("mg", 10, "blag"), document(" g ", 10, "Blag"));
        let told: Vec<_> = items(&was, &now).into_iter().chain(units(&was, &now)).collect();
        let text = |text: &str| Some(text.to_owned());
        let rename = |vrsta, id, field: &str, staro, novo| Rename { vrsta, id, polja: vec![field.to_owned()], staro, novo };
        let item = rename(RenamedThing::Stavka, 7, "Stepen", text("blag"), text("Blag"));
        let of_type = rename(RenamedThing::Jedinica, 10, "Doza", text("mg"), text("g"));
        assert_eq!(told, [(item, vec![2]), (of_type, vec![1])]);
        assert_eq!(units(&was, &document("mg ", 10, "blag")), []);
    }

    #[test]
    fn a_field_that_gets_a_type_of_its_own_keeps_what_its_unit_means_where_it_is_spelt_alike_or_said_so() {
        let was = document("mg", 10, "blag");
        assert_eq!(same_units(&was, &document("mg", -1, "blag"), &Wording::default()), [(10, -1)]);
        assert_eq!(same_units(&was, &document("Mg", -1, "blag"), &Wording::default()), []);
        let said = Wording { iste_jedinice: vec![-1], ..Wording::default() };
        assert_eq!(same_units(&was, &document("Mg", -1, "blag"), &said), [(10, -1)]);
        assert_eq!(units(&was, &document("Mg", -1, "blag"))[0].0.id, -1);
        assert_eq!(units(&was, &document("Mg", 99, "blag")), [], "a type that is there already is not the draft's");
    }
}
