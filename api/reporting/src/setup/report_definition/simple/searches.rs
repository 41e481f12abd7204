//! The searches that the numbers of a chosen report lead to: the same conditions and the value of the group, in the criteria of a search over one
//! entry. A condition that a search has no criterion for leaves the report without them: years of age at the visit, texts, fields that are not
//! searched by.

use clinical::patients::search::criteria::CriterionRow;
use domain::{register::ValueType, report_screen::SEARCH_COLUMN};
use serde_json::{Value, json};

use super::{
    choice::{By, CheckedChoice, Measure},
    form::{Field, Form},
    literal,
};

/// As many rows as a search takes.
pub const MOST_ROWS: usize = 20;

/// Columns of searches, each beside those of numbers that it is of; none where a search cannot say what is counted.
pub fn columns(chosen: &CheckedChoice, by: &[By], measures: &[Measure]) -> Vec<String> {
    let of_measure = |wanted: Measure| measures.iter().position(|measure| *measure == wanted).map(|place| place + 1);
    let counted = [(Measure::Patients, false), (Measure::Entries, true)];
    let columns = counted.into_iter().filter_map(|(measure, of_entries)| Some((of_measure(measure)?, of_entries))).flat_map(
        |(number, of_entries)| {
            let total = if by.is_empty() { None } else { search(chosen, &[], of_entries).map(|search| (search, format!("u{number}"))) };
            let part = search(chosen, by, of_entries).map(|search| (search, format!("m{number}")));
            part.into_iter().chain(total)
        },
    );
    columns.map(|(search, column)| format!("{search} as \"{SEARCH_COLUMN} {column}\"")).collect()
}

/// The criteria of a group, as an expression over what the query groups by.
fn search(chosen: &CheckedChoice, by: &[By], of_entries: bool) -> Option<String> {
    if chosen.age != (None, None) {
        return None;
    }
    let mut sex = chosen.male.map_or_else(|| "null".to_owned(), |male| male.to_string());
    let mut days = chosen.period.then(|| (":od::date".to_owned(), ":do::date".to_owned()));
    let mut values: Vec<GroupRows> = Vec::new();
    for (index, by) in by.iter().enumerate() {
        let name = format!("i.g{}", index + 1);
        match by {
            By::Age => return None,
            By::Sex if chosen.male.is_none() => sex = format!("case {name}_red when 1 then true when 2 then false end"),
            By::Sex => {}
            By::Month => days = Some(within(days, &name, &format!("({name} + interval '1 month - 1 day')::date"))),
            By::Year => days = Some(within(days, &format!("make_date({name}, 1, 1)"), &format!("make_date({name}, 12, 31)"))),
            By::Field(field) => values.push(GroupRows::of(field, &name)?),
        }
    }
    let [from, until] = self::days(days.as_ref());
    let entry = format!("jsonb_build_object('tipUnosaID', {}, 'od', {from}, 'do', {until}, 'svoj', {})", chosen.form.id, chosen.own);
    let rows = rows(chosen, &values)?;
    let search = format!(
        "jsonb_build_object('registarID', {}, 'pol', {sex}, 'unos', {entry}, 'uslovi', {rows}, 'unosi', {of_entries}, 'sveUstanove', {})::text",
        chosen.form.registar_id, chosen.of_all
    );
    Some(match by.iter().position(|by| *by == By::Sex) {
        // Whoever has no sex is not found by one.
        Some(place) if chosen.male.is_none() => format!("case when i.g{}_red is not null then {search} end", place + 1),
        _ => search,
    })
}

/// Days as a search has them, from and until.
pub fn days(days: Option<&(String, String)>) -> [String; 2] {
    let day = |day: Option<&String>| day.map_or_else(|| "null".to_owned(), |day| format!("to_char({day}, 'YYYY-MM-DD')"));
    [day(days.map(|(from, _)| from)), day(days.map(|(_, until)| until))]
}

/// Days of a month or a year that the period has too.
pub fn within(period: Option<(String, String)>, first: &str, last: &str) -> (String, String) {
    match period {
        Some((from, until)) => (format!("greatest({first}, {from})"), format!("least({last}, {until})")),
        None => (first.to_owned(), last.to_owned()),
    }
}

/// Rows of a search for the value of a group: an expression that is an array, and how many they are at most.
struct GroupRows {
    sql: String,
    most: usize,
}

impl GroupRows {
    fn of(field: &Field, name: &str) -> Option<Self> {
        if !field.pretrazuje_se {
            return None;
        }
        let rows = |operators: &[&str]| {
            let rows: Vec<Value> =
                operators.iter().map(|operator| json!({ "veza": "i", "poljeID": field.id, "operator": operator })).collect();
            jsonb(&Value::from(rows))
        };
        let with = |operator: &str, value: &str| {
            format!(
                "jsonb_build_array(jsonb_build_object('veza', 'i', 'poljeID', {}, 'operator', '{operator}', 'vrednost', {value}))",
                field.id
            )
        };
        let missing = rows(&["nijePopunjeno"]);
        match field.tip_vrednosti {
            ValueType::Choice => Some(Self {
                sql: format!(
                    "case {name}_red when 1 then {} when 2 then {} else {missing} end",
                    rows(&["izabrano"]),
                    rows(&["popunjeno", "nijeIzabrano"])
                ),
                most: 2,
            }),
            ValueType::Set => Some(Self {
                sql: format!(
                    "case when {name}_stavka is null then {missing} else {} end",
                    with("izabrano", &format!("{name}_stavka::text"))
                ),
                most: 1,
            }),
            // With a comma: a point before three digits could part thousands.
            ValueType::Number => Some(Self {
                sql: format!(
                    "case when {name}_red is null then {missing} else {} end",
                    with("=", &format!("replace(trim_scale({name}_red)::text, '.', ',')"))
                ),
                most: 1,
            }),
            _ => None,
        }
    }
}

/// The conditions in the rows of a search, by the parts that "or" joins; none where a search has no criterion for one of them.
pub fn parts(form: &Form, rows: &[CriterionRow]) -> Option<Vec<Vec<Value>>> {
    let is_searched = |row: &CriterionRow| {
        let field = row.polje_id.and_then(|id| form.field(id));
        field.is_some_and(|field| field.pretrazuje_se && field.tip_vrednosti != ValueType::Text)
    };
    if !rows.iter().all(is_searched) {
        return None;
    }
    let mut parts: Vec<Vec<Value>> = Vec::new();
    for row in rows {
        let opens = parts.is_empty() || row.veza.as_deref().map(str::trim) == Some("ili");
        let veza = if opens { "ili" } else { "i" };
        let value = row.vrednost.as_deref().map(str::trim).filter(|value| !value.is_empty());
        let told = json!({ "veza": veza, "poljeID": row.polje_id, "operator": row.operator.as_deref().map(str::trim), "vrednost": value });
        match parts.last_mut() {
            Some(part) if !opens => part.push(told),
            _ => parts.push(vec![told]),
        }
    }
    Some(parts)
}

/// The conditions and the values of the groups, which hold beside each part that "or" joins.
fn rows(chosen: &CheckedChoice, values: &[GroupRows]) -> Option<String> {
    let mut parts = parts(chosen.form, chosen.rows)?;
    let of_values: usize = values.iter().map(|rows| rows.most).sum();
    if parts.iter().map(|part| part.len() + of_values).sum::<usize>().max(of_values) > MOST_ROWS {
        return None;
    }
    if parts.is_empty() {
        parts.push(Vec::new());
    }
    let part = |part: Vec<Value>| {
        let arrays = std::iter::once(jsonb(&Value::from(part))).chain(values.iter().map(|rows| format!("({})", rows.sql)));
        arrays.collect::<Vec<_>>().join(" || ")
    };
    Some(parts.into_iter().map(part).collect::<Vec<_>>().join(" || "))
}

pub fn jsonb(value: &Value) -> String {
    format!("{}::jsonb", literal::text(&value.to_string()))
}
