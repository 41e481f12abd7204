//! What a search asks for: the request's rows turned into typed tests before any SQL is written.

use std::collections::HashMap;

use domain::fold::fold;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::error::Error;

/// Most rows that one search may carry.
pub const MOST_ROWS: usize = 20;

/// The body of `POST /api/search` (A section 7).
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct SearchRequest {
    #[serde(rename = "registarID")]
    pub registar_id: i64,
    pub ime: String,
    pub prezime: String,
    /// Year of birth, inclusive.
    pub godina_od: Option<i64>,
    pub godina_do: Option<i64>,
    /// -1 any, 0 female, 1 male.
    pub pol: Option<i16>,
    pub jmbg: String,
    pub lbo: String,
    pub red_pretrage: Vec<CriterionRow>,
    pub svi_rezultati: bool,
    /// 50, 100, 200, 1000, or -1 for all.
    pub broj_rezultate_pretrage: Option<i32>,
}

/// One dynamic row. `operator` is one of `> < = != <= >=` for numbers and dates, `= != sadrzi neSadrzi pocinje zavrsava` for text,
/// `izabrano nijeIzabrano` for choices and sets.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct CriterionRow {
    /// `i` or `ili`; nothing on the first row.
    pub veza: Option<String>,
    #[serde(rename = "tipUnosaID")]
    pub tip_unosa_id: Option<i64>,
    #[serde(rename = "poljeID")]
    pub polje_id: Option<i64>,
    pub operator: Option<String>,
    pub vrednost: Option<String>,
}

impl CriterionRow {
    fn is_empty(&self) -> bool {
        let blank = |text: &Option<String>| text.as_deref().is_none_or(|t| t.trim().is_empty());
        self.polje_id.is_none() && blank(&self.operator) && blank(&self.vrednost)
    }
}

/// A searchable field of the register.
#[derive(Debug, Clone)]
pub struct SearchField {
    pub id: i64,
    pub form_id: i64,
    pub value_type: i16,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    Less,
    Greater,
    Equal,
    /// Has a value, and it is not this one.
    NotEqual,
    LessOrEqual,
    GreaterOrEqual,
}

impl Comparison {
    pub fn sql(self) -> &'static str {
        match self {
            Self::Less => "<",
            Self::Greater => ">",
            Self::Equal => "=",
            Self::NotEqual => "<>",
            Self::LessOrEqual => "<=",
            Self::GreaterOrEqual => ">=",
        }
    }

    fn parse(text: &str) -> Option<Self> {
        Some(match text {
            "<" => Self::Less,
            ">" => Self::Greater,
            "=" => Self::Equal,
            "!=" => Self::NotEqual,
            "<=" => Self::LessOrEqual,
            ">=" => Self::GreaterOrEqual,
            _ => return None,
        })
    }
}

/// One test of one field's projected values.
#[derive(Debug, Clone, PartialEq)]
pub enum Test {
    Number {
        field: i64,
        form: i64,
        comparison: Comparison,
        value: f64,
    },
    /// The set has a value, and this item is not in it.
    ItemAbsent {
        field: i64,
        form: i64,
        item: f64,
    },
    /// `pattern` is folded and escaped for LIKE.
    Text {
        field: i64,
        form: i64,
        pattern: String,
        negated: bool,
    },
}

impl Test {
    pub fn form(&self) -> i64 {
        match self {
            Self::Number { form, .. } | Self::ItemAbsent { form, .. } | Self::Text { form, .. } => *form,
        }
    }

    pub fn is_text(&self) -> bool {
        matches!(self, Self::Text { .. })
    }

    /// The lower, the sooner it is worth counting what the test would find: a number is counted in its index, a text needs its
    /// trigrams looked up whole, and what is not so is seldom few.
    pub fn dearness(&self) -> u8 {
        match self {
            Self::Number { comparison: Comparison::NotEqual, .. } => 2,
            Self::Number { .. } => 0,
            Self::Text { negated: false, .. } => 1,
            Self::Text { negated: true, .. } | Self::ItemAbsent { .. } => 3,
        }
    }
}

/// Rows joined by "and" within a group; groups joined by "or".
pub type Groups = Vec<Vec<Test>>;

/// Reads the rows against the register's searchable fields. AND binds before OR.
pub fn groups(rows: &[CriterionRow], fields: &HashMap<i64, SearchField>) -> Result<Groups, Error> {
    let incomplete = || Error::invalid("redPretrage", "Unesite preostale parametre pretrage.");
    let rows: Vec<&CriterionRow> = rows.iter().filter(|row| !row.is_empty()).collect();
    if rows.len() > MOST_ROWS {
        return Err(Error::invalid("redPretrage", format!("Pretraga može imati najviše {MOST_ROWS} redova.")));
    }
    let mut groups: Groups = Vec::new();
    for (index, row) in rows.iter().enumerate() {
        let (Some(field), Some(operator), Some(value)) = (row.polje_id, filled(&row.operator), filled(&row.vrednost)) else {
            return Err(incomplete());
        };
        let field = fields.get(&field).ok_or_else(|| Error::invalid("redPretrage", "Izabrana stavka nije deo pretrage ovog registra."))?;
        if row.tip_unosa_id.is_some_and(|form| form != field.form_id) {
            return Err(Error::invalid("redPretrage", "Izabrana stavka ne pripada izabranom tipu unosa."));
        }
        let test = test(field, operator, value)?;
        match (index, filled(&row.veza)) {
            (0, _) | (_, Some("ili")) => groups.push(vec![test]),
            (_, Some("i")) => groups.last_mut().expect("the first row opened a group").push(test),
            _ => return Err(incomplete()),
        }
    }
    Ok(groups)
}

fn filled(text: &Option<String>) -> Option<&str> {
    text.as_deref().map(str::trim).filter(|text| !text.is_empty())
}

fn test(field: &SearchField, operator: &str, value: &str) -> Result<Test, Error> {
    let unknown = || Error::invalid("redPretrage", "Operator ne odgovara vrsti izabrane stavke.");
    let (id, form) = (field.id, field.form_id);
    let number = |comparison, value| Test::Number { field: id, form, comparison, value };
    match field.value_type {
        1 => match operator {
            "izabrano" => Ok(number(Comparison::Equal, 1.0)),
            "nijeIzabrano" => Ok(number(Comparison::Equal, 0.0)),
            _ => Err(unknown()),
        },
        2 => {
            let comparison = Comparison::parse(operator).ok_or_else(unknown)?;
            let value = value.replace(',', ".").parse::<f64>().ok().filter(|v| v.is_finite());
            let value = value.ok_or_else(|| Error::invalid("redPretrage", "Vrednost u pretrazi mora biti broj."))?;
            Ok(number(comparison, value))
        }
        3 => {
            let text = escape_like(&fold(value));
            let (pattern, negated) = match operator {
                "=" => (text, false),
                "!=" => (text, true),
                "sadrzi" => (format!("%{text}%"), false),
                "neSadrzi" => (format!("%{text}%"), true),
                "pocinje" => (format!("{text}%"), false),
                "zavrsava" => (format!("%{text}"), false),
                _ => return Err(unknown()),
            };
            Ok(Test::Text { field: id, form, pattern, negated })
        }
        4 => {
            let item = value.parse::<i64>().map_err(|_| Error::invalid("redPretrage", "Izaberite stavku skupa."))? as f64;
            match operator {
                "izabrano" => Ok(number(Comparison::Equal, item)),
                "nijeIzabrano" => Ok(Test::ItemAbsent { field: id, form, item }),
                _ => Err(unknown()),
            }
        }
        5 => {
            let comparison = Comparison::parse(operator).ok_or_else(unknown)?;
            let date: jiff::civil::Date =
                value.parse().map_err(|_| Error::invalid("redPretrage", "Vrednost u pretrazi mora biti datum."))?;
            Ok(number(comparison, days_since_epoch(date) as f64))
        }
        _ => Err(Error::invalid("redPretrage", "Izabrana stavka se ne pretražuje.")),
    }
}

/// Days from 1970-01-01, as the projection stores dates.
fn days_since_epoch(date: jiff::civil::Date) -> i32 {
    date.since(jiff::civil::date(1970, 1, 1)).expect("days between dates fit").get_days()
}

pub fn escape_like(text: &str) -> String {
    text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields() -> HashMap<i64, SearchField> {
        (1..=5).map(|t| (i64::from(t), SearchField { id: i64::from(t), form_id: 10, value_type: t })).collect()
    }

    fn row(link: Option<&str>, field: i64, operator: &str, value: &str) -> CriterionRow {
        CriterionRow {
            veza: link.map(str::to_owned),
            polje_id: Some(field),
            operator: Some(operator.into()),
            vrednost: Some(value.into()),
            ..CriterionRow::default()
        }
    }

    #[test]
    fn and_binds_before_or() {
        let rows = [row(None, 2, ">", "1"), row(Some("i"), 1, "izabrano", "1"), row(Some("ili"), 3, "sadrzi", "Žuč")];
        let groups = groups(&rows, &fields()).unwrap();
        assert_eq!(groups.iter().map(Vec::len).collect::<Vec<_>>(), [2, 1]);
        assert_eq!(groups[1][0], Test::Text { field: 3, form: 10, pattern: "%zuc%".into(), negated: false });
    }

    #[test]
    fn a_row_after_the_first_needs_its_link() {
        let rows = [row(None, 2, ">", "1"), row(None, 2, "<", "3")];
        assert!(groups(&rows, &fields()).is_err());
    }

    #[test]
    fn an_empty_row_is_passed_over_and_a_half_filled_one_refused() {
        assert_eq!(groups(&[CriterionRow::default()], &fields()).unwrap(), Groups::new());
        assert!(groups(&[CriterionRow { polje_id: Some(2), ..CriterionRow::default() }], &fields()).is_err());
    }

    #[test]
    fn wildcards_that_somebody_types_are_plain_letters() {
        let rows = [row(None, 3, "pocinje", "50%_a\\")];
        let groups = groups(&rows, &fields()).unwrap();
        assert_eq!(groups[0][0], Test::Text { field: 3, form: 10, pattern: "50\\%\\_a\\\\%".into(), negated: false });
    }

    #[test]
    fn an_operator_of_another_type_is_refused() {
        for (field, operator, value) in [(1, ">", "1"), (2, "sadrzi", "1"), (3, "<", "a"), (4, "=", "1"), (5, "pocinje", "2020-01-01")] {
            assert!(groups(&[row(None, field, operator, value)], &fields()).is_err(), "{field} {operator}");
        }
    }

    #[test]
    fn dates_become_days() {
        let groups = groups(&[row(None, 5, ">=", "1970-01-31")], &fields()).unwrap();
        assert_eq!(groups[0][0], Test::Number { field: 5, form: 10, comparison: Comparison::GreaterOrEqual, value: 30.0 });
    }
}
