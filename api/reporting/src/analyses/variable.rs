//! A variable of an analysis, held against the forms of its cohort: what it reads, and what it is called and cut into.

use domain::{register::ValueType, shown};
use platform::error::{Error, Result};

use super::{
    choice::{LabelLanguage, Moment, ShownAs, VariableChoice, VariableSource},
    cohort::CohortSource,
};
use crate::setup::report_definition::simple::{
    form::Field,
    query::{column, items},
};

const MOST_CUTS: usize = 9;
const LONGEST_NAME: usize = 100;

pub struct Variable<'a> {
    pub source: Source<'a>,
    pub moment: Moment,
    pub classes: Classes,
    pub show: Option<ShownAs>,
    pub label: String,
    /// The category that a model compares others with.
    pub reference: Option<String>,
    /// Whether its field is of the form whose entries are the rows.
    is_of_rows: bool,
    language: LabelLanguage,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Source<'a> {
    Sex,
    Age,
    Year,
    Field(&'a Field),
}

#[derive(Clone, PartialEq)]
pub enum Classes {
    None,
    Cuts(Vec<f64>),
    Quartiles,
}

impl<'a> Variable<'a> {
    /// `part` is what of the analysis it stands for, as a refusal names it.
    pub fn of(cohort: &'a CohortSource, choice: &VariableChoice, part: &'static str, language: LabelLanguage) -> Result<Self> {
        let refuse = |message: String| Error::invalid(part, message);
        let source = match (choice.izvor, choice.polje_id) {
            (VariableSource::Polje, Some(id)) => {
                Source::Field(cohort.field(id).ok_or_else(|| refuse("Izabrano polje više nije na formularima kohorte.".to_owned()))?)
            }
            (VariableSource::Polje, None) => return Err(refuse("Izaberite polje.".to_owned())),
            (_, Some(_)) => return Err(refuse("Samo promenljiva od polja ima polje.".to_owned())),
            (VariableSource::Pol, None) => Source::Sex,
            (VariableSource::Starost, None) => Source::Age,
            (VariableSource::Godina, None) => Source::Year,
        };
        let label = match (&choice.naziv, source) {
            (Some(name), _) if name.chars().count() > LONGEST_NAME => {
                return Err(refuse(format!("Naziv u tabeli je duži od {LONGEST_NAME} znakova.")));
            }
            (Some(name), _) => name.clone(),
            (None, Source::Sex) => language.of("Pol", "Sex").to_owned(),
            (None, Source::Age) => language.of("Starost (godine)", "Age (years)").to_owned(),
            (None, Source::Year) => language.of("Godina unosa", "Year of entry").to_owned(),
            (None, Source::Field(field)) => format!("{}{}", field.head(), moment_words(choice.trenutak, language)),
        };
        let is_of_rows = matches!(source, Source::Field(field) if field.tip_unosa_id == cohort.form.id);
        let variable = Self {
            source,
            moment: choice.trenutak,
            classes: classes(choice, &label, part)?,
            show: choice.prikaz,
            label,
            reference: choice.referenca.clone(),
            is_of_rows,
            language,
        };
        variable.refuse_odd(part)?;
        Ok(variable)
    }

    fn refuse_odd(&self, part: &'static str) -> Result<()> {
        let refuse = |message: String| Err(Error::invalid(part, message));
        if let Source::Field(field) = self.source
            && !matches!(field.tip_vrednosti, ValueType::Number | ValueType::Choice | ValueType::Set)
        {
            return refuse(format!("Polje „{}” nije broj, izbor ni skup, pa nije promenljiva analize.", field.naziv));
        }
        if self.moment != Moment::Unos && !(self.is_number_field() && self.is_of_rows) {
            return refuse(format!(
                "Prva vrednost, poslednja i promena postoje za brojna polja formulara kohorte, a „{}” to nije.",
                self.label
            ));
        }
        if self.classes != Classes::None && !(self.is_number_field() || self.source == Source::Age) {
            return refuse(format!("Na klase se dele brojevi, a „{}” nije broj.", self.label));
        }
        if let Some(reference) = &self.reference {
            if self.is_number() && self.show != Some(ShownAs::Kategorija) {
                return refuse(format!("Referentna kategorija postoji za kategorije, a „{}” je broj.", self.label));
            }
            if reference.chars().count() > LONGEST_NAME {
                return refuse(format!("„{}”: referentna kategorija je duža od {LONGEST_NAME} znakova.", self.label));
            }
            if let Some(names) = self.order()
                && !names.contains(reference)
            {
                return refuse(format!(
                    "„{}” nema kategoriju „{reference}”. Kao referentnu izaberite jednu od ovih: {}.",
                    self.label,
                    names.join("; ")
                ));
            }
        }
        if matches!(self.show, Some(ShownAs::Prosek | ShownAs::Medijana)) && !self.is_number() {
            return refuse(format!("Prosek i medijana postoje za brojeve, a „{}” se prikazuje po kategorijama.", self.label));
        }
        Ok(())
    }

    /// Whether it is of the entry that is a row.
    pub fn is_of_rows(&self) -> bool {
        self.is_of_rows
    }

    fn is_number_field(&self) -> bool {
        matches!(self.source, Source::Field(field) if field.tip_vrednosti == ValueType::Number)
    }

    /// Whether its cells are numbers, and not categories.
    pub fn is_number(&self) -> bool {
        self.classes == Classes::None && (self.is_number_field() || self.source == Source::Age)
    }

    pub fn is_yes_or_no(&self) -> bool {
        matches!(self.source, Source::Field(field) if field.tip_vrednosti == ValueType::Choice)
    }

    /// What tells it from another.
    pub fn is_like(&self, other: &Variable) -> bool {
        self.source == other.source && self.moment == other.moment && self.classes == other.classes
    }

    /// Categories in their order; none: as they are found.
    pub fn order(&self) -> Option<Vec<String>> {
        let names = match (&self.classes, self.source) {
            (Classes::Cuts(cuts), _) => class_names(cuts),
            (Classes::Quartiles, _) => self.quartile_names().map(str::to_owned).to_vec(),
            (Classes::None, Source::Sex) => self.sexes().map(str::to_owned).to_vec(),
            (Classes::None, Source::Field(field)) => match field.tip_vrednosti {
                ValueType::Choice => self.answers().map(str::to_owned).to_vec(),
                ValueType::Set if !field.multiselect => field.stavke.iter().map(|item| item.naziv.clone()).collect(),
                _ => return None,
            },
            (Classes::None, _) => return None,
        };
        (names.len() > 1 && names.iter().all(|name| !name.contains(';'))).then_some(names)
    }

    fn sexes(&self) -> [&'static str; 2] {
        [self.language.of("Muški", "Male"), self.language.of("Ženski", "Female")]
    }

    /// The "no" is first: others are compared with it.
    fn answers(&self) -> [&'static str; 2] {
        [self.language.of("Ne", "No"), self.language.of("Da", "Yes")]
    }

    fn quartile_names(&self) -> [&'static str; 4] {
        match self.language {
            LabelLanguage::Sr => ["1. četvrtina", "2. četvrtina", "3. četvrtina", "4. četvrtina"],
            LabelLanguage::En => ["1st quarter", "2nd quarter", "3rd quarter", "4th quarter"],
        }
    }

    /// What of a row of the cohort it reads.
    pub fn raw(&self) -> String {
        match self.source {
            Source::Sex => "i.pol".to_owned(),
            Source::Age => "i.starost".to_owned(),
            Source::Year => "extract(year from i.datum_unosa)::int".to_owned(),
            Source::Field(field) => match self.moment {
                Moment::Unos if self.is_of_rows => format!("i.{}", column(field.id)),
                Moment::Unos => format!("f{}.{}", field.tip_unosa_id, column(field.id)),
                Moment::Prva => format!("m{}.prva", field.id),
                Moment::Poslednja => format!("m{}.poslednja", field.id),
                Moment::Promena => format!("m{}.promena", field.id),
            },
        }
    }

    /// Its cell, of the column that holds what it reads. A group is told in words.
    pub fn cell(&self, column: &str, is_group: bool) -> String {
        match (&self.classes, self.source) {
            (Classes::Cuts(cuts), _) => {
                let mut sql = String::from("case");
                let names = class_names(cuts);
                for (cut, name) in cuts.iter().zip(&names) {
                    sql.push_str(&format!(" when d.{column} < '{cut}'::numeric then '{name}'"));
                }
                format!("{sql} when d.{column} is not null then '{}' end", names[cuts.len()])
            }
            (Classes::Quartiles, _) => {
                let [first, second, third, fourth] = self.quartile_names();
                format!(
                    "case when d.{column} <= g.{column}[1] then '{first}' when d.{column} <= g.{column}[2] then '{second}' when d.{column} <= \
                     g.{column}[3] then '{third}' when d.{column} is not null then '{fourth}' end"
                )
            }
            (Classes::None, Source::Sex) => {
                let [male, female] = self.sexes();
                format!("case when d.{column} then '{male}' when not d.{column} then '{female}' end")
            }
            (Classes::None, Source::Age) => format!("d.{column}"),
            (Classes::None, Source::Year) => format!("d.{column}::text"),
            (Classes::None, Source::Field(field)) => match field.tip_vrednosti {
                ValueType::Choice if is_group => {
                    let [no, yes] = self.answers();
                    format!("case when d.{column} then '{yes}' when not d.{column} then '{no}' end")
                }
                ValueType::Choice => format!("d.{column}"),
                ValueType::Set => items(&format!("d.{column}")),
                _ if is_group => format!("report.tekst_broja(d.{column})"),
                _ => format!("trim_scale(d.{column})"),
            },
        }
    }
}

fn moment_words(moment: Moment, language: LabelLanguage) -> &'static str {
    match moment {
        Moment::Unos => "",
        Moment::Prva => language.of(", prva vrednost", ", first value"),
        Moment::Poslednja => language.of(", poslednja vrednost", ", last value"),
        Moment::Promena => language.of(", promena od prve vrednosti", ", change from the first value"),
    }
}

fn classes(choice: &VariableChoice, label: &str, part: &'static str) -> Result<Classes> {
    let refuse = |message: String| Err(Error::invalid(part, message));
    let cuts = &choice.rezovi;
    match (cuts.is_empty(), choice.kvartili) {
        (true, false) => Ok(Classes::None),
        (true, true) => Ok(Classes::Quartiles),
        (false, true) => refuse(format!("„{label}”: izaberite ili granice klasa ili četvrtine.")),
        (false, false) if cuts.len() > MOST_CUTS => refuse(format!("„{label}”: najviše {MOST_CUTS} granica.")),
        (false, false) if cuts.iter().any(|cut| !cut.is_finite()) || !cuts.is_sorted_by(|a, b| a < b) => {
            refuse(format!("„{label}”: granice klasa se navode od najmanje do najveće, bez ponavljanja."))
        }
        (false, false) => Ok(Classes::Cuts(cuts.clone())),
    }
}

/// One more than cuts. Signs, so that they are of both languages.
fn class_names(cuts: &[f64]) -> Vec<String> {
    let told = |cut: f64| shown::number(cut);
    let between = cuts.windows(2).map(|pair| format!("{} – < {}", told(pair[0]), told(pair[1])));
    let first = cuts.first().map(|cut| format!("< {}", told(*cut)));
    let last = cuts.last().map(|cut| format!("≥ {}", told(*cut)));
    first.into_iter().chain(between).chain(last).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_between_cuts_and_beyond_them() {
        assert_eq!(class_names(&[60.0, 70.5]), ["< 60", "60 – < 70,5", "≥ 70,5"]);
    }
}
