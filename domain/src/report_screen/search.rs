//! The search that shows the patients whom a number of a report counts. A query gives it in a column that is not printed, as JSON: `pretraga m1`
//! beside the column `m1`. It names nobody: neither a name nor a number of a person nor a text has a place in it.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Before the names of the columns that a column of searches is of.
pub const SEARCH_COLUMN: &str = "pretraga";
/// As many rows as a search takes.
const MOST_ROWS: usize = 20;
const LONGEST_VALUE: usize = 40;
/// Those that compare no text.
const OPERATORS: [&str; 10] = ["<", ">", "=", "!=", "<=", ">=", "izabrano", "nijeIzabrano", "popunjeno", "nijePopunjeno"];

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ScreenSearch {
    #[serde(rename = "registarID")]
    pub registar_id: i64,
    /// Only men (true) or women.
    #[serde(default)]
    pub pol: Option<bool>,
    /// The entry that was counted, in which the criteria hold.
    pub unos: ScreenSearchEntry,
    #[serde(default)]
    pub uslovi: Vec<ScreenSearchRow>,
    /// The number counts entries, and the search shows patients.
    #[serde(default)]
    pub unosi: bool,
    /// The number counts patients of all institutions, and the search shows those whom the reader's knows.
    #[serde(default)]
    pub sve_ustanove: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ScreenSearchEntry {
    #[serde(rename = "tipUnosaID")]
    pub tip_unosa_id: i64,
    #[serde(default)]
    #[schema(value_type = Option<String>, format = Date)]
    pub od: Option<Date>,
    #[serde(default, rename = "do")]
    #[schema(value_type = Option<String>, format = Date)]
    pub do_dana: Option<Date>,
    /// Of the reader's own institution.
    #[serde(default)]
    pub svoj: bool,
    /// The one entry of a patient that is looked at; none: any that passes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub izbor: Option<ScreenSearchPick>,
}

/// Which entry of a patient is looked at: the first or the last that passes all of this.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ScreenSearchPick {
    pub koji: ScreenPickedEntry,
    #[serde(default)]
    #[schema(value_type = Option<String>, format = Date)]
    pub od: Option<Date>,
    #[serde(default, rename = "do")]
    #[schema(value_type = Option<String>, format = Date)]
    pub do_dana: Option<Date>,
    #[serde(default)]
    pub svoj: bool,
    #[serde(default)]
    pub uslovi: Vec<ScreenSearchRow>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum ScreenPickedEntry {
    Prvi,
    Poslednji,
}

/// What a value adds to the search of the whole: `pretraga v1` beside the column `v1` of an analysis.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchPart {
    #[serde(default)]
    pub pol: Option<bool>,
    #[serde(default)]
    pub uslovi: Vec<ScreenSearchRow>,
}

/// As a row of a search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ScreenSearchRow {
    #[serde(default)]
    pub veza: Option<String>,
    #[serde(rename = "poljeID")]
    pub polje_id: i64,
    pub operator: String,
    #[serde(default)]
    pub vrednost: Option<String>,
}

/// A number of a line that leads to a search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ScreenCellSearch {
    /// Its place among the cells.
    pub kolona: u16,
    pub pretraga: ScreenSearch,
}

impl ScreenSearch {
    /// What a query says; none where it says something else, or something that could name somebody.
    pub fn read(text: &str) -> Option<Self> {
        let search: Self = serde_json::from_str(text).ok()?;
        let of_pick = search.unos.izbor.as_ref().map_or(&[] as &[ScreenSearchRow], |pick| pick.uslovi.as_slice());
        (are_rows(&search.uslovi) && are_rows(of_pick)).then_some(search)
    }

    /// With what a value adds; none where both together are no search.
    pub fn and(mut self, part: &SearchPart) -> Option<Self> {
        match (self.pol, part.pol) {
            (Some(one), Some(other)) if one != other => return None,
            (one, other) => self.pol = one.or(other),
        }
        // What holds beside each part that "or" joins.
        let mut rows = Vec::new();
        let mut own = self.uslovi.into_iter().peekable();
        loop {
            let mut is_first = true;
            while let Some(row) = own.next_if(|row| is_first || row.veza.as_deref() != Some("ili")) {
                rows.push(ScreenSearchRow { veza: Some(if is_first { "ili" } else { "i" }.to_owned()), ..row });
                is_first = false;
            }
            for row in &part.uslovi {
                rows.push(ScreenSearchRow { veza: Some(if is_first { "ili" } else { "i" }.to_owned()), ..row.clone() });
                is_first = false;
            }
            if own.peek().is_none() {
                break;
            }
        }
        self.uslovi = rows;
        are_rows(&self.uslovi).then_some(self)
    }
}

impl SearchPart {
    /// What a query says; none where it says something else, or something that could name somebody.
    pub fn read(text: &str) -> Option<Self> {
        let part: Self = serde_json::from_str(text).ok()?;
        are_rows(&part.uslovi).then_some(part)
    }
}

/// Whether they are rows of a search that name nobody.
fn are_rows(rows: &[ScreenSearchRow]) -> bool {
    let names_nobody = |row: &ScreenSearchRow| {
        let value = row.vrednost.as_deref().unwrap_or_default();
        let is_of_numbers = value.bytes().all(|byte| byte.is_ascii_digit() || b",.:-T ".contains(&byte));
        OPERATORS.contains(&row.operator.as_str())
            && matches!(row.veza.as_deref(), None | Some("i" | "ili"))
            && value.len() <= LONGEST_VALUE
            && is_of_numbers
    };
    rows.len() <= MOST_ROWS && rows.iter().all(names_nobody)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn criteria_are_read_and_what_could_name_somebody_is_none() {
        let whole = json!({ "registarID": 4, "pol": true, "unos": { "tipUnosaID": 7, "od": "2026-01-01", "do": null, "svoj": true },
                            "uslovi": [{ "veza": null, "poljeID": 9, "operator": ">=", "vrednost": "2,60" }] });
        let search = ScreenSearch::read(&whole.to_string()).expect("a search");
        assert_eq!(
            (search.registar_id, search.pol, search.unos.svoj, search.unos.od),
            (4, Some(true), true, Some(jiff::civil::date(2026, 1, 1)))
        );
        assert_eq!(search.uslovi[0].vrednost.as_deref(), Some("2,60"));
        for (name, value) in [("jmbg", json!("0101950710006")), ("prezime", json!("Anić"))] {
            let mut odd = whole.clone();
            odd[name] = value;
            assert_eq!(ScreenSearch::read(&odd.to_string()), None, "{name}");
        }
        for (operator, value) in [("sadrzi", "12"), ("=", "Anić"), ("=", "1111111111111111111111111111111111111111111")] {
            let mut odd = whole.clone();
            odd["uslovi"] = json!([{ "poljeID": 9, "operator": operator, "vrednost": value }]);
            assert_eq!(ScreenSearch::read(&odd.to_string()), None, "{operator} {value}");
        }
        let mut picked = whole.clone();
        picked["unos"]["izbor"] = json!({ "koji": "prvi", "uslovi": [{ "poljeID": 9, "operator": "popunjeno" }] });
        assert!(ScreenSearch::read(&picked.to_string()).is_some());
        picked["unos"]["izbor"]["uslovi"][0]["vrednost"] = json!("Anić");
        assert_eq!(ScreenSearch::read(&picked.to_string()), None);
        let mut many = whole.clone();
        many["uslovi"] = json!(vec![json!({ "poljeID": 9, "operator": "popunjeno" }); MOST_ROWS + 1]);
        assert_eq!((ScreenSearch::read(&many.to_string()), ScreenSearch::read("nije JSON")), (None, None));
    }

    #[test]
    fn a_part_holds_beside_each_of_those_that_or_joins() {
        let row = |veza: Option<&str>, polje: i64| json!({ "veza": veza, "poljeID": polje, "operator": "popunjeno" });
        let of = |rows: Value| {
            let whole = json!({ "registarID": 4, "unos": { "tipUnosaID": 7 }, "uslovi": rows });
            ScreenSearch::read(&whole.to_string()).expect("a search")
        };
        let part = SearchPart::read(&json!({ "pol": true, "uslovi": [row(None, 9)] }).to_string()).expect("a part");
        let told = |search: ScreenSearch| -> Vec<(String, i64)> {
            search.uslovi.into_iter().map(|row| (row.veza.unwrap_or_default(), row.polje_id)).collect()
        };
        let joined = of(json!([row(None, 1), row(Some("i"), 2), row(Some("ili"), 3)])).and(&part).expect("a search");
        assert_eq!(joined.pol, Some(true));
        let wanted = [("ili", 1), ("i", 2), ("i", 9), ("ili", 3), ("i", 9)].map(|(veza, polje)| (veza.to_owned(), polje));
        assert_eq!(told(joined), wanted);
        assert_eq!(told(of(json!([])).and(&part).expect("a search")), [("ili".to_owned(), 9)]);
        assert!(of(json!([])).and(&SearchPart::default()).expect("a search").uslovi.is_empty());
        let women = ScreenSearch { pol: Some(false), ..of(json!([])) };
        assert_eq!(women.and(&part), None, "nobody is both");
        assert_eq!(of(json!(vec![row(Some("ili"), 1); 11])).and(&part), None, "more rows than a search takes");
    }
}
