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
        let names_nobody = |row: &ScreenSearchRow| {
            let value = row.vrednost.as_deref().unwrap_or_default();
            let is_of_numbers = value.bytes().all(|byte| byte.is_ascii_digit() || b",.:-T ".contains(&byte));
            OPERATORS.contains(&row.operator.as_str())
                && matches!(row.veza.as_deref(), None | Some("i" | "ili"))
                && value.len() <= LONGEST_VALUE
                && is_of_numbers
        };
        (search.uslovi.len() <= MOST_ROWS && search.uslovi.iter().all(names_nobody)).then_some(search)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

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
        let mut many = whole.clone();
        many["uslovi"] = json!(vec![json!({ "poljeID": 9, "operator": "popunjeno" }); MOST_ROWS + 1]);
        assert_eq!((ScreenSearch::read(&many.to_string()), ScreenSearch::read("nije JSON")), (None, None));
    }
}
