//! What somebody else changed in the live form since a draft was taken from it, and the draft with those changes in it. Where both have
//! changed one property of one thing, a person says whose it is.

use std::collections::{HashMap, HashSet};

use platform::error::Result;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::{check::Place, document::Document};

type Record = Map<String, Value>;

/// Whose property stands where both have changed it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Prefers {
    Moje,
    Njihovo,
}

/// One thing that is another one, and in what; without properties it was added or removed as a whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = DraftChange)]
pub struct Change {
    pub gde: Place,
    pub naziv: String,
    pub vrsta: Kind,
    pub svojstva: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = DraftChangeKind)]
#[serde(rename_all = "camelCase")]
pub enum Kind {
    Dodato,
    Uklonjeno,
    Izmenjeno,
    Premesteno,
}

pub struct RebasedDraft {
    pub document: Document,
    /// What both have changed.
    pub clashes: Vec<Change>,
}

/// What `now` has otherwise than `was`.
pub fn changes(was: &Document, now: &Document) -> Result<Vec<Change>> {
    let mut found = name_change(was, now);
    for (gde, was, now) in lists(was, now)? {
        let before = by_id(&was);
        let after = by_id(&now);
        for record in &now {
            let Some(old) = before.get(&id_of(record)) else {
                found.push(whole(gde, record, Kind::Dodato));
                continue;
            };
            let svojstva: Vec<String> = record.keys().filter(|key| record.get(*key) != old.get(*key)).cloned().collect();
            if !svojstva.is_empty() {
                found.push(Change { svojstva, ..whole(gde, record, Kind::Izmenjeno) });
            }
        }
        found.extend(was.iter().filter(|record| !after.contains_key(&id_of(record))).map(|record| whole(gde, record, Kind::Uklonjeno)));
        let common = |these: &[Record], those: &HashMap<i64, &Record>| {
            ids(these).into_iter().filter(|id| those.contains_key(id)).collect::<Vec<_>>()
        };
        if common(&was, &after) != common(&now, &before) {
            found.push(Change { gde, naziv: String::new(), vrsta: Kind::Premesteno, svojstva: Vec::new() });
        }
    }
    Ok(found)
}

fn name_change(was: &Document, now: &Document) -> Vec<Change> {
    let change = || Change { gde: Place::Formular, naziv: now.naziv.clone(), vrsta: Kind::Izmenjeno, svojstva: vec!["naziv".to_owned()] };
    (was.naziv != now.naziv).then(change).into_iter().collect()
}

pub fn rebase(base: &Document, mine: &Document, theirs: &Document, prefers: Prefers) -> Result<RebasedDraft> {
    let mut clashes = Vec::new();
    let naziv = match (mine.naziv == base.naziv, theirs.naziv == base.naziv) {
        (true, _) => &theirs.naziv,
        (false, true) => &mine.naziv,
        (false, false) if mine.naziv == theirs.naziv => &mine.naziv,
        (false, false) => {
            clashes.extend(name_change(theirs, mine));
            if prefers == Prefers::Moje { &mine.naziv } else { &theirs.naziv }
        }
    };
    let mut merged = |gde, of: fn(&Document) -> Result<Vec<Record>>| -> Result<Vec<Record>> {
        let three = ThreeWayList { gde, base: of(base)?, mine: of(mine)?, theirs: of(theirs)?, prefers };
        Ok(three.merged(&mut clashes))
    };
    let polja = typed(merged(Place::Polje, |document| records(&document.polja))?)?;
    let tipovi = typed(merged(Place::Tip, |document| records(&document.tipovi))?)?;
    let stavke = typed(merged(Place::Stavka, |document| records(&document.stavke))?)?;
    let pravila = typed(merged(Place::Pravilo, |document| records(&document.pravila))?)?;
    Ok(RebasedDraft { document: Document { naziv: naziv.clone(), polja, tipovi, stavke, pravila }.tidy(), clashes })
}

/// A list of records three times.
struct ThreeWayList {
    gde: Place,
    base: Vec<Record>,
    mine: Vec<Record>,
    theirs: Vec<Record>,
    prefers: Prefers,
}

impl ThreeWayList {
    fn merged(&self, clashes: &mut Vec<Change>) -> Vec<Record> {
        let (base, mine, theirs) = (by_id(&self.base), by_id(&self.mine), by_id(&self.theirs));
        let mut kept: HashMap<i64, Record> = HashMap::new();
        for id in self.everyone() {
            let record = match (base.get(&id), mine.get(&id), theirs.get(&id)) {
                (_, None, None) => continue,
                (None, Some(one), None) | (None, None, Some(one)) => (*one).clone(),
                (Some(was), Some(own), None) => match self.kept_by_one(was, own, Prefers::Moje, clashes) {
                    Some(record) => record,
                    None => continue,
                },
                (Some(was), None, Some(their)) => match self.kept_by_one(was, their, Prefers::Njihovo, clashes) {
                    Some(record) => record,
                    None => continue,
                },
                (was, Some(own), Some(their)) => self.of_both(was.copied(), own, their, clashes),
            };
            kept.insert(id, record);
        }
        self.ordered().into_iter().filter_map(|id| kept.remove(&id)).collect()
    }

    /// One side has removed it: it is gone, unless the other has changed it meanwhile.
    fn kept_by_one(&self, was: &Record, now: &Record, by: Prefers, clashes: &mut Vec<Change>) -> Option<Record> {
        if was == now {
            return None;
        }
        clashes.push(whole(self.gde, now, Kind::Uklonjeno));
        (self.prefers == by).then(|| now.clone())
    }

    fn of_both(&self, was: Option<&Record>, own: &Record, their: &Record, clashes: &mut Vec<Change>) -> Record {
        let mut merged = own.clone();
        let mut both = Vec::new();
        for (key, theirs) in their {
            let (old, mine) = (was.and_then(|was| was.get(key)), own.get(key));
            if mine == Some(theirs) || old == Some(theirs) {
                continue;
            }
            if mine != old {
                both.push(key.clone());
                if self.prefers == Prefers::Moje {
                    continue;
                }
            }
            merged.insert(key.clone(), theirs.clone());
        }
        if !both.is_empty() {
            clashes.push(Change { svojstva: both, ..whole(self.gde, own, Kind::Izmenjeno) });
        }
        merged
    }

    fn everyone(&self) -> Vec<i64> {
        let mut met = HashSet::new();
        [&self.mine, &self.theirs].into_iter().flatten().map(id_of).filter(|id| met.insert(*id)).collect()
    }

    /// The order of whoever has changed it, mine where both have; what only the other has comes after what it follows there.
    fn ordered(&self) -> Vec<i64> {
        let known: HashSet<i64> = self.base.iter().map(id_of).collect();
        let mine: Vec<i64> = ids(&self.mine);
        let is_mine: HashSet<i64> = mine.iter().copied().collect();
        let untouched =
            mine.iter().filter(|id| known.contains(id)).copied().eq(ids(&self.base).into_iter().filter(|id| is_mine.contains(id)));
        let (lead, follow) = if untouched { (ids(&self.theirs), mine) } else { (mine, ids(&self.theirs)) };
        let mut order = lead;
        let mut placed: HashSet<i64> = order.iter().copied().collect();
        let mut before: Option<i64> = None;
        for id in follow {
            if placed.insert(id) {
                let at = before.and_then(|before| order.iter().position(|other| *other == before)).map_or(0, |place| place + 1);
                order.insert(at, id);
            }
            before = Some(id);
        }
        order
    }
}

/// A kind of records, as they were and as they are.
type Pair = (Place, Vec<Record>, Vec<Record>);

fn lists(was: &Document, now: &Document) -> Result<[Pair; 4]> {
    Ok([
        (Place::Polje, records(&was.polja)?, records(&now.polja)?),
        (Place::Tip, records(&was.tipovi)?, records(&now.tipovi)?),
        (Place::Stavka, records(&was.stavke)?, records(&now.stavke)?),
        (Place::Pravilo, records(&was.pravila)?, records(&now.pravila)?),
    ])
}

fn records(list: &impl Serialize) -> Result<Vec<Record>> {
    Ok(serde_json::from_value(serde_json::to_value(list)?)?)
}

fn typed<T: DeserializeOwned>(records: Vec<Record>) -> Result<Vec<T>> {
    Ok(serde_json::from_value(Value::Array(records.into_iter().map(Value::Object).collect()))?)
}

fn id_of(record: &Record) -> i64 {
    record.get("id").and_then(Value::as_i64).unwrap_or_default()
}

fn ids(records: &[Record]) -> Vec<i64> {
    records.iter().map(id_of).collect()
}

fn by_id(records: &[Record]) -> HashMap<i64, &Record> {
    records.iter().map(|record| (id_of(record), record)).collect()
}

fn whole(gde: Place, record: &Record, vrsta: Kind) -> Change {
    let named = if gde == Place::Pravilo { "poruka" } else { "naziv" };
    let naziv = record.get(named).and_then(Value::as_str).unwrap_or_default().to_owned();
    Change { gde, naziv, vrsta, svojstva: Vec::new() }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn document(fields: Value) -> Document {
        serde_json::from_value(json!({ "naziv": "Pregled", "polja": fields })).unwrap()
    }

    fn merged(base: Value, mine: Value, theirs: Value, prefers: Prefers) -> (Vec<(i64, String)>, Vec<Kind>) {
        let RebasedDraft { document, clashes } = rebase(&document(base), &document(mine), &document(theirs), prefers).unwrap();
        let fields = document.polja.into_iter().map(|field| (field.id, field.own.naziv)).collect();
        (fields, clashes.into_iter().map(|clash| clash.vrsta).collect())
    }

    fn named(fields: &[(i64, &str)]) -> Vec<(i64, String)> {
        fields.iter().map(|(id, naziv)| (*id, (*naziv).to_owned())).collect()
    }

    #[test]
    fn what_one_side_changes_is_taken_and_nothing_clashes() {
        let base = json!([{ "id": 1, "naziv": "a", "napomena": "x" }, { "id": 2, "naziv": "b" }, { "id": 3, "naziv": "c" }]);
        let mine = json!([{ "id": 1, "naziv": "A", "napomena": "x" }, { "id": 2, "naziv": "b" }, { "id": -1, "naziv": "moje" }, { "id": 3, "naziv": "c" }]);
        let theirs = json!([{ "id": 4, "naziv": "njihovo" }, { "id": 1, "naziv": "a", "napomena": "y" }, { "id": 2, "naziv": "b" }]);
        let RebasedDraft { document, clashes } = rebase(&document(base), &document(mine), &document(theirs), Prefers::Moje).unwrap();
        assert_eq!(clashes, []);
        let first = document.field(1).unwrap();
        assert_eq!((first.own.naziv.as_str(), first.own.napomena.as_deref()), ("A", Some("y")), "another property of the same field");
        assert_eq!(document.polja.iter().map(|field| field.id).collect::<Vec<_>>(), [4, 1, 2, -1]);
    }

    #[test]
    fn what_both_change_is_told_and_goes_to_who_is_preferred() {
        let base = json!([{ "id": 1, "naziv": "a" }]);
        let (mine, theirs) = (json!([{ "id": 1, "naziv": "moje" }]), json!([{ "id": 1, "naziv": "njihovo" }]));
        let of = |prefers| merged(base.clone(), mine.clone(), theirs.clone(), prefers);
        assert_eq!(of(Prefers::Moje), (named(&[(1, "moje")]), vec![Kind::Izmenjeno]));
        assert_eq!(of(Prefers::Njihovo), (named(&[(1, "njihovo")]), vec![Kind::Izmenjeno]));
        let gone = |prefers| merged(base.clone(), mine.clone(), json!([]), prefers);
        assert_eq!(gone(Prefers::Moje), (named(&[(1, "moje")]), vec![Kind::Uklonjeno]));
        assert_eq!(gone(Prefers::Njihovo), (vec![], vec![Kind::Uklonjeno]));
        assert_eq!(merged(base.clone(), base.clone(), json!([]), Prefers::Moje), (vec![], vec![]), "nobody has changed what is gone");
    }

    #[test]
    fn the_order_is_that_of_who_has_moved_something() {
        let base = json!([{ "id": 1, "naziv": "a" }, { "id": 2, "naziv": "b" }, { "id": 3, "naziv": "c" }]);
        let moved = json!([{ "id": 3, "naziv": "c" }, { "id": 1, "naziv": "a" }, { "id": 2, "naziv": "b" }]);
        let order = |mine: &Value, theirs: &Value| {
            merged(base.clone(), mine.clone(), theirs.clone(), Prefers::Moje).0.into_iter().map(|(id, _)| id).collect::<Vec<_>>()
        };
        assert_eq!(order(&base, &moved), [3, 1, 2]);
        assert_eq!(order(&moved, &base), [3, 1, 2]);
    }

    #[test]
    fn changes_are_told_by_name() {
        let was = document(json!([{ "id": 1, "naziv": "a" }, { "id": 2, "naziv": "b" }]));
        let now = document(json!([{ "id": 1, "naziv": "A", "opcioni": false }, { "id": 3, "naziv": "c" }]));
        let told: Vec<_> = changes(&was, &now).unwrap().into_iter().map(|change| (change.naziv, change.vrsta, change.svojstva)).collect();
        assert_eq!(
            told,
            [
                ("A".to_owned(), Kind::Izmenjeno, vec!["naziv".to_owned(), "opcioni".to_owned()]),
                ("c".to_owned(), Kind::Dodato, vec![]),
                ("b".to_owned(), Kind::Uklonjeno, vec![]),
            ]
        );
    }
}
