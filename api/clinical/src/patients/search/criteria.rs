//! What a search asks for: the request's rows turned into typed tests before any SQL is written.

use std::collections::HashMap;

use domain::{
    clock,
    entry::state::EntryState,
    fold::fold,
    register::{PatientStatus, ValueType},
    typed::{NumberReading, ambiguous, typed_number},
    years::{YEARS, outside},
};
use platform::error::Error;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{entry_frame::EntryFrame, order::ResultOrder, own_entry::OpenMatter};

/// Most rows that one search may carry.
pub const MOST_ROWS: usize = 20;
/// Empty rows are passed over, within reason.
const MOST_SENT_ROWS: usize = 100;
/// Longest value of a row.
const MOST_LETTERS: usize = 200;

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
    /// What holds of the patient in the register; none: whatever it is.
    pub status: Option<PatientStatus>,
    pub jmbg: String,
    pub lbo: String,
    /// Of one entry that the worker's institution has made in the register: its state, what is open about it, from and up to which day it is.
    pub stanje_unosa: Option<EntryState>,
    pub otvoreno: Option<OpenMatter>,
    pub unos_od: Option<jiff::civil::Date>,
    pub unos_do: Option<jiff::civil::Date>,
    pub red_pretrage: Vec<CriterionRow>,
    /// Which entries the rows of `redPretrage` speak about; without it, as the register is set.
    pub opseg_uslova: Option<EntryScope>,
    /// Which entry there must be, and the rows of `redPretrage` hold in; of the scope `istiUnos`.
    pub unos_uslova: Option<EntryFrame>,
    pub svi_rezultati: bool,
    /// 50, 100, 200, 1000, or -1 for all.
    pub broj_rezultate_pretrage: Option<i32>,
    /// None: those with the newest entry first.
    pub redosled: Option<ResultOrder>,
}

/// Which of a patient's entries a criterion speaks about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum EntryScope {
    /// The newest entry of the criterion's form, up to today.
    NajnovijiUnos,
    /// Any entry, and all criteria that "and" joins hold in that one.
    IstiUnos,
    /// Any entry, for each criterion on its own.
    BiloKojiUnos,
}

/// One dynamic row. `operator` is one of `> < = != <= >=` for numbers, dates, times and moments, `= != sadrzi neSadrzi pocinje zavrsava` for text,
/// `izabrano nijeIzabrano` for choices and sets, `popunjeno nijePopunjeno` for all. The last four need no value but a set's item.
/// `nijeIzabrano` and `nijePopunjeno` find whom `izabrano` and `popunjeno` do not, among those who have an entry of the item's form.
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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SearchField {
    pub id: i64,
    pub form_id: i64,
    pub value_type: ValueType,
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
        field: SearchField,
        comparison: Comparison,
        value: f64,
    },
    /// `pattern` is folded and escaped for LIKE.
    Text {
        field: SearchField,
        pattern: String,
        negated: bool,
    },
    /// The field has a value.
    Filled(SearchField),
    /// There is an entry of the form, and the test does not hold.
    Without(Box<Test>),
}

impl Test {
    pub fn field(&self) -> &SearchField {
        match self {
            Self::Number { field, .. } | Self::Text { field, .. } | Self::Filled(field) => field,
            Self::Without(test) => test.field(),
        }
    }

    pub fn form(&self) -> i64 {
        self.field().form_id
    }

    pub fn is_text(&self) -> bool {
        self.field().value_type == ValueType::Text
    }

    /// The lower, the sooner it is worth counting what the test would find: a number is counted in its index, a text needs its
    /// trigrams looked up whole, and what is not so is seldom few.
    pub fn dearness(&self) -> u8 {
        match self {
            Self::Number { comparison: Comparison::NotEqual, .. } | Self::Filled(_) => 2,
            Self::Number { .. } => 0,
            Self::Text { negated: false, .. } => 1,
            Self::Text { negated: true, .. } | Self::Without(_) => 3,
        }
    }
}

/// Rows joined by "and" within a group; groups joined by "or".
pub type Groups = Vec<Vec<Test>>;

/// Reads the rows against the register's searchable fields. AND binds before OR.
pub fn groups(rows: &[CriterionRow], fields: &HashMap<i64, SearchField>) -> Result<Groups, Error> {
    let incomplete = || Error::invalid("redPretrage", "Unesite preostale parametre pretrage.");
    if rows.len() > MOST_SENT_ROWS {
        return Err(Error::invalid("redPretrage", format!("Pretraga može imati najviše {MOST_ROWS} redova.")));
    }
    let rows: Vec<&CriterionRow> = rows.iter().filter(|row| !row.is_empty()).collect();
    if rows.len() > MOST_ROWS {
        return Err(Error::invalid("redPretrage", format!("Pretraga može imati najviše {MOST_ROWS} redova.")));
    }
    let mut groups: Groups = Vec::new();
    for (index, row) in rows.iter().enumerate() {
        let (Some(field), Some(operator)) = (row.polje_id, filled(&row.operator)) else { return Err(incomplete()) };
        let field = fields.get(&field).ok_or_else(|| Error::invalid("redPretrage", "Izabrana stavka nije deo pretrage ovog registra."))?;
        if row.tip_unosa_id.is_some_and(|form| form != field.form_id) {
            return Err(Error::invalid("redPretrage", "Izabrana stavka ne pripada izabranom formularu."));
        }
        let test = match (field.value_type, operator) {
            (_, "popunjeno") => Test::Filled(*field),
            (_, "nijePopunjeno") => Test::Without(Box::new(Test::Filled(*field))),
            (ValueType::Choice, "izabrano") => chosen(field, 1.0),
            (ValueType::Choice, "nijeIzabrano") => Test::Without(Box::new(chosen(field, 1.0))),
            _ => {
                let value = filled(&row.vrednost).ok_or_else(incomplete)?;
                let name = format!("Uslov {}: vrednost", index + 1);
                test(field, operator, bounded(value, MOST_LETTERS, "redPretrage", &name)?)?
            }
        };
        match (index, filled(&row.veza)) {
            (0, _) | (_, Some("ili")) => groups.push(vec![test]),
            (_, Some("i")) => groups.last_mut().expect("the first row opened a group").push(test),
            _ => return Err(incomplete()),
        }
    }
    Ok(groups)
}

/// The text, where it is no longer than `most` and something that can be looked for.
pub fn bounded<'a>(text: &'a str, most: usize, field: &'static str, name: &str) -> Result<&'a str, Error> {
    if text.chars().nth(most).is_some() {
        return Err(Error::invalid(field, format!("{name} u pretrazi sme da ima najviše {most} znakova.")));
    }
    if text.contains('\0') {
        return Err(Error::invalid(field, format!("{name} u pretrazi sadrži znak koji ne može da se traži.")));
    }
    Ok(text)
}

fn filled(text: &Option<String>) -> Option<&str> {
    text.as_deref().map(str::trim).filter(|text| !text.is_empty())
}

/// The item of a set, or the 1 of a choice.
fn chosen(field: &SearchField, item: f64) -> Test {
    Test::Number { field: *field, comparison: Comparison::Equal, value: item }
}

/// Criteria that speak about one entry are of one form.
pub fn of_one_form(groups: &Groups) -> Result<(), Error> {
    if groups.iter().all(|group| group.iter().all(|test| test.form() == group[0].form())) {
        return Ok(());
    }
    Err(Error::invalid(
        "redPretrage",
        "Uslovi povezani sa „i” treba da važe u istom unosu, pa moraju biti sa istog formulara. Izaberite druge stavke ili drugi opseg uslova.",
    ))
}

fn test(field: &SearchField, operator: &str, value: &str) -> Result<Test, Error> {
    let unknown = || Error::invalid("redPretrage", "Operator ne odgovara vrsti izabrane stavke.");
    let number = |comparison, value| Test::Number { field: *field, comparison, value };
    match field.value_type {
        ValueType::Number => {
            let comparison = Comparison::parse(operator).ok_or_else(unknown)?;
            match typed_number(value) {
                NumberReading::Number(value) => Ok(number(comparison, value)),
                NumberReading::Either { .. } => Err(Error::invalid("redPretrage", ambiguous("Vrednost", value))),
                NumberReading::Blank | NumberReading::Unreadable => {
                    Err(Error::invalid("redPretrage", "Vrednost u pretrazi mora biti broj."))
                }
            }
        }
        ValueType::Text => {
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
            Ok(Test::Text { field: *field, pattern, negated })
        }
        ValueType::Set => {
            let item = value.parse::<i64>().map_err(|_| Error::invalid("redPretrage", "Izaberite stavku skupa."))? as f64;
            match operator {
                "izabrano" => Ok(chosen(field, item)),
                "nijeIzabrano" => Ok(Test::Without(Box::new(chosen(field, item)))),
                _ => Err(unknown()),
            }
        }
        ValueType::Date => {
            let comparison = Comparison::parse(operator).ok_or_else(unknown)?;
            let date: jiff::civil::Date =
                value.parse().map_err(|_| Error::invalid("redPretrage", "Vrednost u pretrazi mora biti datum."))?;
            if let Some(why) = outside(&YEARS, date) {
                return Err(Error::invalid("redPretrage", format!("Datum u pretrazi {why}.")));
            }
            Ok(number(comparison, days_since_epoch(date) as f64))
        }
        ValueType::Time => {
            let comparison = Comparison::parse(operator).ok_or_else(unknown)?;
            let time = clock::time_in(value)
                .ok_or_else(|| Error::invalid("redPretrage", "Vrednost u pretrazi mora biti vreme, na primer 08:30."))?;
            Ok(number(comparison, clock::minutes_of(time) as f64))
        }
        ValueType::Moment => {
            let comparison = Comparison::parse(operator).ok_or_else(unknown)?;
            let at =
                clock::moment_in(value).ok_or_else(|| Error::invalid("redPretrage", "Vrednost u pretrazi mora biti datum sa vremenom."))?;
            if let Some(why) = outside(&YEARS, at.date()) {
                return Err(Error::invalid("redPretrage", format!("Datum u pretrazi {why}.")));
            }
            Ok(number(comparison, clock::wall_minutes(at) as f64))
        }
        ValueType::Choice => Err(unknown()),
        _ => Err(Error::invalid("redPretrage", "Izabrana stavka se ne pretražuje.")),
    }
}

/// Days from 1970-01-01, as the projection stores dates.
fn days_since_epoch(date: jiff::civil::Date) -> i32 {
    date.since(jiff::civil::date(1970, 1, 1)).expect("days between dates fit").get_days()
}

/// The date of a projected one.
pub fn date_of(days: f64) -> Option<jiff::civil::Date> {
    jiff::civil::date(1970, 1, 1).checked_add(jiff::Span::new().try_days(days as i64).ok()?).ok()
}

pub fn escape_like(text: &str) -> String {
    text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Its id is the number of its type.
    fn field(number: i64) -> SearchField {
        SearchField { id: number, form_id: 10, value_type: (number as i16).try_into().unwrap() }
    }

    fn fields() -> HashMap<i64, SearchField> {
        (1..=5).map(|number| (number, field(number))).collect()
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
        assert_eq!(groups[1][0], Test::Text { field: field(3), pattern: "%zuc%".into(), negated: false });
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
        assert_eq!(groups[0][0], Test::Text { field: field(3), pattern: "50\\%\\_a\\\\%".into(), negated: false });
    }

    #[test]
    fn what_is_not_chosen_or_filled_is_the_complement_and_needs_no_value() {
        let bare = |field, operator| CriterionRow { vrednost: None, ..row(None, field, operator, "") };
        let whole = |bare| groups(&[bare], &fields()).unwrap().remove(0).remove(0);
        let chosen = Test::Number { field: field(1), comparison: Comparison::Equal, value: 1.0 };
        assert_eq!(whole(bare(1, "izabrano")), chosen);
        assert_eq!(whole(bare(1, "nijeIzabrano")), Test::Without(Box::new(chosen)));
        for number in 1..=5 {
            let filled = Test::Filled(field(number));
            assert_eq!(whole(bare(number, "popunjeno")), filled);
            assert_eq!(whole(bare(number, "nijePopunjeno")), Test::Without(Box::new(filled)));
        }
        assert!(groups(&[bare(4, "izabrano")], &fields()).is_err(), "a set needs its item");
    }

    #[test]
    fn criteria_of_one_entry_are_of_one_form() {
        let fields =
            HashMap::from([(1, 10), (2, 20)].map(|(id, form_id)| (id, SearchField { id, form_id, value_type: ValueType::Number })));
        let two = |link| groups(&[row(None, 1, ">", "1"), row(Some(link), 2, ">", "1")], &fields).unwrap();
        assert!(of_one_form(&two("i")).is_err());
        assert!(of_one_form(&two("ili")).is_ok());
    }

    #[test]
    fn an_operator_of_another_type_is_refused() {
        for (field, operator, value) in [(1, ">", "1"), (2, "sadrzi", "1"), (3, "<", "a"), (4, "=", "1"), (5, "pocinje", "2020-01-01")] {
            assert!(groups(&[row(None, field, operator, value)], &fields()).is_err(), "{field} {operator}");
        }
    }

    #[test]
    fn a_date_is_of_the_years_that_an_entry_can_have() {
        let of = |value: &str| groups(&[row(None, 5, ">=", value)], &fields()).err().map(|error| format!("{error:?}"));
        for value in ["0001-01-01", "1919-12-31", "2206-03-05"] {
            assert!(of(value).is_some_and(|told| told.contains("Datum u pretrazi nije između 1920. i 2030. godine.")), "{value}");
        }
        assert_eq!([of("1920-01-01"), of("2030-12-31")], [None, None]);
    }

    #[test]
    fn dates_become_days() {
        let groups = groups(&[row(None, 5, ">=", "1970-01-31")], &fields()).unwrap();
        assert_eq!(groups[0][0], Test::Number { field: field(5), comparison: Comparison::GreaterOrEqual, value: 30.0 });
    }
}
