//! How the texts of a file name the items of a set: by code first, then by name; by weight only where the mapping says so and every item
//! has one (docs/decisions/0064-options-of-a-file-are-known-by-code.md).

use domain::{
    entry::form::{Choice, EntryField},
    fold::fold,
};
use rust_decimal::prelude::ToPrimitive;

use super::{problems::Message, values::decimal};

/// Items that a message names; a list may have thousands.
const MOST_NAMED: usize = 40;

/// The items of a field, and by what else than their names a column names them.
#[derive(Clone, Copy)]
pub struct ItemTexts<'a> {
    field: &'a EntryField,
    /// The mapping says that the column has weights.
    by_weight: bool,
}

impl<'a> ItemTexts<'a> {
    pub fn new(field: &'a EntryField, by_weight: bool) -> Self {
        Self { field, by_weight }
    }

    /// Items that may still be chosen.
    pub fn offered(self) -> impl Iterator<Item = &'a Choice> {
        self.field.enum_stavke_sve.iter().filter(|item| item.aktivan)
    }

    /// Of those that may be chosen, the first without a weight.
    pub fn weightless(self) -> Option<&'a Choice> {
        self.offered().find(|item| item.num_vrednost.is_none())
    }

    pub fn all_have_codes(self) -> bool {
        self.offered().all(|item| code(item).is_some())
    }

    /// The ids of the items that a cell names, `mark` between them.
    pub fn read(self, text: &str, mark: char) -> Result<Vec<i64>, Message> {
        let mut ids = vec![];
        for part in self.parts(text, mark) {
            let item = self.find(part)?.ok_or_else(|| Message::of_cell(part, format!("nije među stavkama: {}", self.listed())))?;
            if !ids.contains(&item.id) {
                ids.push(item.id);
            }
        }
        if ids.len() > 1 && !self.field.multiselect {
            return Err(format!("polje „{}” prima samo jednu stavku", self.field.naziv).into());
        }
        Ok(ids)
    }

    /// The texts of a cell that name an item each: the cell is one where an item is called so, mark and all.
    pub fn parts(self, text: &str, mark: char) -> Vec<&str> {
        let is_one = || self.offered().any(|item| code(item) == Some(text) || fold(&item.naziv) == fold(text));
        if !text.contains(mark) || is_one() {
            return vec![text];
        }
        text.split(mark).map(str::trim).filter(|part| !part.is_empty()).collect()
    }

    /// The item that is meant; none where no item is called so.
    pub fn find(self, text: &str) -> Result<Option<&'a Choice>, Message> {
        let coded = only(text, "šifra", self.coded(text))?;
        if let Some(item) = coded.filter(|item| !item.aktivan) {
            return Err(Message::of_cell(text, format!("je šifra stavke „{}”, koja se više ne bira", item.naziv)));
        }
        let weighing = if self.by_weight && self.weightless().is_none() { only(text, "težina", self.weighing(text))? } else { None };
        match (coded, weighing) {
            (Some(coded), Some(other)) if coded.id != other.id => {
                let what = format!("je šifra stavke „{}”, a težina stavke „{}”: prevedite je u mapiranju", coded.naziv, other.naziv);
                Err(Message::of_cell(text, what))
            }
            (Some(item), _) | (None, Some(item)) => Ok(Some(item)),
            (None, None) => only(text, "naziv", self.named(text)),
        }
    }

    /// Items whose code is the name of another: such a text is read as the code.
    pub fn doubtful(self) -> impl Iterator<Item = (&'a str, &'a Choice)> {
        let coded = self.offered().filter_map(|item| Some((code(item)?, item)));
        coded.filter(move |(code, item)| {
            let folded = fold(code);
            self.offered().any(|other| other.id != item.id && fold(&other.naziv) == folded)
        })
    }

    /// The codes as they stand, else in other letters, else as the same number: a table may write 1 as 1.0. Those that may not be chosen
    /// any more only where no other has the code.
    fn coded(self, text: &str) -> Vec<&'a Choice> {
        let exact = self.with_code(|code| code == text);
        if !exact.is_empty() || self.field.enum_stavke_sve.iter().all(|item| code(item).is_none()) {
            return exact;
        }
        let folded = fold(text);
        let alike = self.with_code(|code| fold(code) == folded);
        match decimal(text, '.') {
            Some(number) if alike.is_empty() => self.with_code(|code| decimal(code, '.') == Some(number)),
            _ => alike,
        }
    }

    fn with_code(self, is_meant: impl Fn(&str) -> bool) -> Vec<&'a Choice> {
        let found: Vec<&Choice> = self.field.enum_stavke_sve.iter().filter(|item| code(item).is_some_and(&is_meant)).collect();
        let offered: Vec<&Choice> = found.iter().copied().filter(|item| item.aktivan).collect();
        if offered.is_empty() { found } else { offered }
    }

    fn weighing(self, text: &str) -> Vec<&'a Choice> {
        let number = decimal(text, '.').or_else(|| decimal(text, ',')).and_then(|number| number.to_f64());
        self.offered().filter(|item| number.is_some() && item.num_vrednost == number).collect()
    }

    /// In any spelling that folds to the name, where none is spelled so.
    fn named(self, text: &str) -> Vec<&'a Choice> {
        let exact: Vec<&Choice> = self.offered().filter(|item| item.naziv == text).collect();
        if exact.is_empty() {
            let folded = fold(text);
            return self.offered().filter(|item| fold(&item.naziv) == folded).collect();
        }
        exact
    }

    /// What a column may say.
    fn listed(self) -> String {
        let by_weight = self.by_weight && self.weightless().is_none();
        let told = |item: &Choice| match (by_weight.then_some(item.num_vrednost).flatten(), code(item)) {
            (Some(weight), _) => format!("{weight} = {}", item.naziv),
            (None, Some(code)) if fold(code) != fold(&item.naziv) => format!("{code} = {}", item.naziv),
            _ => item.naziv.clone(),
        };
        let more = self.offered().count().saturating_sub(MOST_NAMED);
        let mut names: Vec<String> = self.offered().take(MOST_NAMED).map(told).collect();
        if more > 0 {
            names.push(format!("… i još {more}"));
        }
        names.join(", ")
    }
}

pub fn code(item: &Choice) -> Option<&str> {
    item.sifra.as_deref().map(str::trim).filter(|code| !code.is_empty())
}

/// The one item that is found; several are no answer.
fn only<'a>(text: &str, what: &str, found: Vec<&'a Choice>) -> Result<Option<&'a Choice>, Message> {
    match found[..] {
        [] => Ok(None),
        [item] => Ok(Some(item)),
        _ => {
            let names: Vec<&str> = found.iter().map(|item| item.naziv.as_str()).collect();
            Err(Message::of_cell(text, format!("je {what} više stavki: {}", names.join(", "))))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Items by id, name, code, weight, and whether they may be chosen.
    type Told = (i64, &'static str, Option<&'static str>, Option<f64>, bool);

    fn field(items: &[Told]) -> EntryField {
        let item = |(id, naziv, sifra, num_vrednost, aktivan): &Told| Choice {
            id: *id,
            naziv: (*naziv).to_owned(),
            sifra: sifra.map(str::to_owned),
            num_vrednost: *num_vrednost,
            aktivan: *aktivan,
            ..Choice::default()
        };
        EntryField {
            naziv: "Bol".to_owned(),
            multiselect: true,
            enum_stavke_sve: items.iter().map(item).collect(),
            ..EntryField::default()
        }
    }

    #[test]
    fn codes_come_before_names_and_weights() {
        let pain = field(&[
            (1, "None", Some("0"), Some(0.0), true),
            (2, "Mild", Some("1"), Some(1.0), true),
            (3, "Severe", Some("2"), Some(2.0), true),
            (4, "Unknown", Some("UNK"), None, true),
        ]);
        for by_weight in [false, true] {
            let read = |text: &str| ItemTexts::new(&pain, by_weight).read(text, '|');
            assert_eq!((read("1"), read("1.0"), read("unk"), read("mild")), (Ok(vec![2]), Ok(vec![2]), Ok(vec![4]), Ok(vec![2])));
            assert_eq!(read("0|2"), Ok(vec![1, 3]));
            let other = read("3").unwrap_err();
            assert_eq!(other.text(), "„3” nije među stavkama: 0 = None, 1 = Mild, 2 = Severe, UNK = Unknown");
        }
    }

    #[test]
    fn weights_are_read_where_the_mapping_says_so_and_every_item_has_one() {
        let items = field(&[(1, "Ne", None, Some(0.0), true), (2, "Da", None, Some(1.5), true), (3, "Staro", None, None, false)]);
        let read = |text: &str, by_weight| ItemTexts::new(&items, by_weight).read(text, '|');
        assert_eq!((read("1.50", true), read("1,5", true), read("Da", true)), (Ok(vec![2]), Ok(vec![2]), Ok(vec![2])));
        assert_eq!(read("7", true).unwrap_err().text(), "„7” nije među stavkama: 0 = Ne, 1.5 = Da");
        assert_eq!(read("0", false).unwrap_err().text(), "„0” nije među stavkama: Ne, Da");

        let same = field(&[(1, "Blago", None, Some(1.0), true), (2, "Umereno", None, Some(1.0), true)]);
        let read = ItemTexts::new(&same, true).read("1", '|').unwrap_err();
        assert_eq!(read.text(), "„1” je težina više stavki: Blago, Umereno");
    }

    #[test]
    fn a_code_that_is_the_weight_of_another_item_is_refused_where_weights_are_asked_for() {
        let items = field(&[(1, "Nema", Some("1"), Some(0.0), true), (2, "Blago", Some("2"), Some(1.0), true)]);
        assert_eq!(ItemTexts::new(&items, false).read("1", '|'), Ok(vec![1]));
        let refused = ItemTexts::new(&items, true).read("1", '|').unwrap_err();
        assert_eq!(refused.text(), "„1” je šifra stavke „Nema”, a težina stavke „Blago”: prevedite je u mapiranju");
        assert_eq!(refused.kind(), "„…” je šifra stavke „Nema”, a težina stavke „Blago”: prevedite je u mapiranju");
    }

    #[test]
    fn a_code_that_is_the_name_of_another_item_is_read_as_the_code_and_known_as_doubtful() {
        let items = field(&[(1, "2", Some("1"), None, true), (2, "3+", Some("2"), None, true)]);
        let texts = ItemTexts::new(&items, false);
        assert_eq!((texts.read("2", '|'), texts.read("3+", '|')), (Ok(vec![2]), Ok(vec![2])));
        assert_eq!(texts.doubtful().map(|(text, item)| (text, item.id)).collect::<Vec<_>>(), [("2", 2)]);
    }

    #[test]
    fn what_may_not_be_chosen_any_more_gives_its_code_to_nobody() {
        let old = (1, "Staro", Some("1"), None, false);
        let refused = ItemTexts::new(&field(&[old, (2, "1", None, None, true)]), false).read("1", '|').unwrap_err();
        assert_eq!(refused.text(), "„1” je šifra stavke „Staro”, koja se više ne bira");
        let both = field(&[old, (2, "Novo", Some("1"), None, true)]);
        assert_eq!(ItemTexts::new(&both, false).read("1", '|'), Ok(vec![2]), "the new one has the code now");
    }

    #[test]
    fn a_name_with_the_mark_in_it_is_one_item() {
        let items = field(&[(1, "Da | redovno", None, None, true), (2, "Ne", None, None, true)]);
        let texts = ItemTexts::new(&items, false);
        assert_eq!((texts.read("da | redovno", '|'), texts.read("Ne|Ne", '|')), (Ok(vec![1]), Ok(vec![2])));
    }
}
