//! The items of a set as a data set tells them: by name, by code and by weight, which are never one for the other.
use std::collections::{BTreeMap, HashSet};

use domain::entry::form::Choice;

use super::{
    cell::{Cell, number},
    variables::{ItemLine, Kind},
};

pub const FILE: &str = "stavke.csv";
pub const HEADS: [&str; 6] = ["polje", "promenljiva", "sifra", "naziv", "tezina", "bira_se"];
const RETIRED: &str = " (više se ne bira)";

/// A line of the list of items.
pub fn line(ItemLine { field, variable, item }: &ItemLine) -> [String; 6] {
    let chosen = if item.aktivan { "da" } else { "ne" };
    let code = item.sifra.clone().unwrap_or_default();
    let weight = item.num_vrednost.map(|weight| number(weight, ",")).unwrap_or_default();
    [field.clone(), variable.clone(), code, item.naziv.trim().to_owned(), weight, chosen.to_owned()]
}

pub fn label(item: &Choice) -> String {
    if item.aktivan { item.naziv.trim().to_owned() } else { format!("{}{RETIRED}", item.naziv.trim()) }
}

/// Whether the label says no more than the text, but that the item is not chosen any more.
pub fn is_labelled_by_itself(text: &str, label: &str) -> bool {
    label.strip_suffix(RETIRED).unwrap_or(label) == text
}

/// What the variable of an item is called by.
pub fn short(item: &Choice) -> &str {
    item.sifra.as_deref().unwrap_or(&item.naziv)
}

/// As one of several in a cell.
pub fn text(cell: &Cell) -> String {
    match cell {
        Cell::Text(text) => text.clone(),
        Cell::Number(value) => number(*value, ","),
        Cell::Missing | Cell::Date(_) | Cell::Time(_) | Cell::Moment(_) => String::new(),
    }
}

pub fn names(items: &[Choice]) -> (Kind, BTreeMap<i64, Cell>) {
    let cells = items.iter().map(|item| (item.id, Cell::text(Some(&item.naziv))));
    (Kind::Texts(each_once(items, |item| Some(item.naziv.trim()))), cells.collect())
}

/// As numbers where all codes are: programs sort and compare them so.
pub fn codes(items: &[Choice]) -> (Kind, BTreeMap<i64, Cell>) {
    let told = each_once(items, |item| item.sifra.as_deref());
    let coded = || items.iter().filter(|item| item.sifra.is_some());
    let numbers: Option<Vec<f64>> = coded().map(|item| whole(item.sifra.as_deref()?)).collect();
    match numbers {
        Some(numbers) if told.len() == numbers.len() => {
            let cells = coded().zip(&numbers).map(|(item, code)| (item.id, Cell::Number(*code))).collect();
            (Kind::Codes(numbers.into_iter().zip(coded().map(label)).collect()), cells)
        }
        _ => (Kind::Texts(told), items.iter().map(|item| (item.id, Cell::text(item.sifra.as_deref()))).collect()),
    }
}

pub fn weights(items: &[Choice]) -> (Kind, BTreeMap<i64, Cell>) {
    (Kind::Number, items.iter().map(|item| (item.id, item.num_vrednost.map_or(Cell::Missing, Cell::Number))).collect())
}

/// What is written with what it is called; of two that are written alike the first.
fn each_once<'a>(items: &'a [Choice], of: impl Fn(&'a Choice) -> Option<&'a str>) -> Vec<(String, String)> {
    let mut seen = HashSet::new();
    let told = items.iter().filter_map(|item| Some((of(item)?, item)));
    told.filter(|(text, _)| seen.insert(*text)).map(|(text, item)| (text.to_owned(), label(item))).collect()
}

/// The number of a code that is written as a number is: `01` is none, since its zero would go.
fn whole(code: &str) -> Option<f64> {
    let number: i32 = code.parse().ok()?;
    (number.to_string() == code).then_some(f64::from(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(id: i64, naziv: &str, sifra: Option<&str>, weight: Option<f64>) -> Choice {
        Choice { id, naziv: naziv.to_owned(), sifra: sifra.map(str::to_owned), num_vrednost: weight, aktivan: true, ..Choice::default() }
    }

    #[test]
    fn codes_are_numbers_only_where_all_of_them_are_and_no_zero_goes() {
        let kind = |codes: &[&str]| {
            let items: Vec<Choice> = codes.iter().zip(1..).map(|(code, id)| item(id, &format!("s{id}"), Some(code), None)).collect();
            let (kind, cells) = self::codes(&items);
            (matches!(kind, Kind::Codes(_)), cells.into_values().map(|cell| text(&cell)).collect::<Vec<_>>())
        };
        assert_eq!(kind(&["0", "1", "-9"]), (true, vec!["0".into(), "1".into(), "-9".into()]));
        assert_eq!(kind(&["01", "02"]), (false, vec!["01".into(), "02".into()]));
        assert_eq!(kind(&["0", "UNK"]), (false, vec!["0".into(), "UNK".into()]));
        assert_eq!(kind(&["1", "1"]), (false, vec!["1".into(), "1".into()]), "a code that two items have tells neither");
    }

    #[test]
    fn equal_weights_stay_and_a_weight_that_is_not_there_is_blank() {
        let items = [item(1, "Blago", None, Some(1.0)), item(2, "Umereno", None, Some(1.0)), item(3, "Nepoznato", Some("nk"), None)];
        let (_, cells) = weights(&items);
        assert_eq!(cells.into_values().collect::<Vec<_>>(), [Cell::Number(1.0), Cell::Number(1.0), Cell::Missing]);
        let line = line(&ItemLine { field: "bol".into(), variable: "bol".into(), item: items[2].clone() });
        assert_eq!(line.join(";"), "bol;bol;nk;Nepoznato;;da");
    }
}
