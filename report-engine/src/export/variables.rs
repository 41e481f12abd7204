//! The columns of a data set: what each is called, what it says of a row, and what programs are told of it.
use std::collections::{BTreeMap, HashSet};

use domain::{
    answer::Answer,
    entry::{
        files,
        form::{Choice, EntryField, EntryForm},
    },
    exports::{Export, Profile, Row, RowOf},
    register::{PatientStatus, ValueType},
};
use serde_json::Value;

use super::{cell::Cell, items, names::Names, profile::Patients, sections};

/// What a variable holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    Number,
    Date,
    Time,
    Moment,
    Text,
    /// A number for each of these.
    Codes(Vec<(f64, String)>),
    /// A text for each of these, with what it is called.
    Texts(Vec<(String, String)>),
}

#[derive(Clone, Debug)]
pub struct Variable {
    pub ime: String,
    pub naziv: String,
    pub kind: Kind,
    pub jedinica: Option<String>,
    pub granice: (Option<f64>, Option<f64>),
    /// The field's code, and the tabs and panels it lies in.
    pub sifra: Option<String>,
    pub mesto: String,
    source: Source,
}

/// Where the value of a row comes from.
#[derive(Clone, Debug)]
enum Source {
    Study,
    Patient,
    Jmbg,
    Lbo,
    Card,
    Surname,
    Name,
    Born,
    YearOfBirth,
    Sex,
    Status,
    StatusDay,
    Institution,
    Entry,
    /// The visit that the entry belongs to.
    OwnVisit,
    Visit,
    Day,
    Age,
    First,
    Last,
    Entries,
    /// A field's value by its key.
    Field(String, ValueType),
    /// A field that holds an age, of which the oldest are one group.
    OwnAge(String),
    /// How many files a field has.
    Files(String),
    /// What is said of the one item that was chosen.
    Chosen(String, BTreeMap<i64, Cell>),
    /// The same of all items that were chosen, in their order.
    Joined(String, BTreeMap<i64, String>),
    /// Whether an item was chosen.
    Item(String, i64),
    /// Which of these fields' values, by the names of their variables, do not compare with the others.
    Marked(BTreeMap<i64, String>),
}

/// The columns, and the items of the sets among the fields.
pub struct Variables {
    pub columns: Vec<Variable>,
    pub items: Vec<ItemLine>,
}

/// An item, and the variable in which it is told.
#[derive(Clone, Debug)]
pub struct ItemLine {
    pub field: String,
    pub variable: String,
    pub item: Choice,
}

impl Variables {
    /// The columns of an export. `several` are the fields of which some entry holds more than one item, whatever the form says today.
    pub fn of(export: &Export, form: Option<&EntryForm>, several: &HashSet<i64>) -> Self {
        let mut made = Making { names: Names::default(), variables: Vec::new(), items: Vec::new() };
        made.of_patient(export);
        match form {
            Some(form) => {
                made.of_entry(export);
                for field in fields_in_order(form) {
                    let chosen = export.polja.as_ref().is_none_or(|chosen| chosen.contains(&field.id));
                    let named = export.selection.profil == Profile::Identitet;
                    if chosen && (named || !export.unnamed.is_left_out(field.id)) {
                        made.of_field(form, field, several.contains(&field.id), (named, export.unnamed.is_capped(field.id)));
                    }
                }
                made.of_marks();
            }
            None => made.of_register(),
        }
        made.of_sections(export, form);
        Self { columns: made.variables, items: made.items }
    }

    /// The cells of one row.
    pub fn cells(&self, row: &Row, patients: &Patients, cells: &mut Vec<Cell>) {
        cells.clear();
        cells.extend(self.columns.iter().map(|variable| cell(&variable.source, row, patients)));
    }
}

struct Making {
    names: Names,
    variables: Vec<Variable>,
    items: Vec<ItemLine>,
}

impl Making {
    fn add(&mut self, ime: &str, naziv: &str, kind: Kind, source: Source) {
        let ime = self.names.take(ime);
        self.variables.push(Variable {
            ime,
            naziv: naziv.to_owned(),
            kind,
            jedinica: None,
            granice: (None, None),
            sifra: None,
            mesto: String::new(),
            source,
        });
    }

    fn of_patient(&mut self, export: &Export) {
        match export.selection.profil {
            Profile::Identitet => {
                self.add("pacijent_id", "Broj pacijenta", Kind::Number, Source::Patient);
                self.add("jmbg", "JMBG", Kind::Text, Source::Jmbg);
                self.add("lbo", "LBO", Kind::Text, Source::Lbo);
                self.add("broj_kartona", "Broj kartona", Kind::Text, Source::Card);
                self.add("prezime", "Prezime", Kind::Text, Source::Surname);
                self.add("ime", "Ime", Kind::Text, Source::Name);
                self.add("datum_rodjenja", "Datum rođenja", Kind::Date, Source::Born);
            }
            Profile::BezIdentiteta => {
                self.add("ispitanik", "Broj ispitanika, važi samo u ovom izvozu", Kind::Number, Source::Study);
                let label = "Godina rođenja; za starije od 89 godina najkasnija moguća";
                self.add("godina_rodjenja", label, Kind::Number, Source::YearOfBirth);
            }
        }
        self.add("pol", "Pol", codes(&[(1.0, "Muški"), (2.0, "Ženski")]), Source::Sex);
        let statuses = PatientStatus::ALL.into_iter().map(|status| (status.code(), status.words().to_owned())).collect();
        self.add("status", "Status pacijenta u registru", Kind::Codes(statuses), Source::Status);
        self.add("status_dan", "Dan od kog status važi; za preminule dan smrti", Kind::Date, Source::StatusDay);
    }

    fn of_entry(&mut self, export: &Export) {
        let institutions = export.ustanove.iter().map(|(id, naziv)| (*id as f64, naziv.clone())).collect();
        self.add("ustanova", "Ustanova unosa", Kind::Codes(institutions), Source::Institution);
        if export.selection.profil == Profile::Identitet {
            self.add("unos_id", "Broj unosa", Kind::Number, Source::Entry);
            self.add("poseta_id", "Broj posete: isti je za sve formulare jednog dana", Kind::Number, Source::OwnVisit);
        }
        if export.selection.red == RowOf::Unos {
            self.add("redni_broj", "Redni broj unosa pacijenta u ovom izvozu", Kind::Number, Source::Visit);
        }
        self.add("datum_pregleda", "Datum pregleda", Kind::Date, Source::Day);
        let age = match export.selection.profil {
            Profile::Identitet => "Starost na dan pregleda",
            Profile::BezIdentiteta => "Starost na dan pregleda; 90 je 90 i više",
        };
        self.add("starost", age, Kind::Number, Source::Age);
    }

    fn of_register(&mut self) {
        self.add("prvi_pregled", "Datum prvog unosa", Kind::Date, Source::First);
        self.add("poslednji_pregled", "Datum poslednjeg unosa", Kind::Date, Source::Last);
        self.add("broj_unosa", "Broj unosa", Kind::Number, Source::Entries);
        self.add("starost", "Starost na dan poslednjeg unosa", Kind::Number, Source::Age);
    }

    /// What a later formula gives otherwise, or was entered in another unit, is told beside the values.
    fn of_marks(&mut self) {
        let mut names: BTreeMap<i64, String> = BTreeMap::new();
        for variable in &self.variables {
            // The first of several variables of a field is called as the field.
            if let Source::Field(key, _) | Source::OwnAge(key) | Source::Chosen(key, _) | Source::Joined(key, _) = &variable.source
                && let Ok(field) = key.parse()
            {
                names.entry(field).or_insert_with(|| variable.ime.clone());
            }
        }
        if !names.is_empty() {
            self.add("ranije", "Promenljive po ranijoj formuli ili u drugoj jedinici", Kind::Text, Source::Marked(names));
        }
    }

    fn of_field(&mut self, form: &EntryForm, field: &EntryField, several: bool, (named, capped): (bool, bool)) {
        let wanted = field.sifra.clone().unwrap_or_else(|| field.naziv.chars().take(40).collect());
        let key = field.id.to_string();
        let mesto = place(form, field);
        let described = |variable: &mut Variable| {
            variable.sifra = field.sifra.clone();
            variable.mesto = mesto.clone();
            variable.jedinica = field.tip_atributa.jedinica.clone().filter(|unit| !unit.trim().is_empty());
            variable.granice = (field.tip_atributa.donja_granica_brojne_vrednosti, field.tip_atributa.gornja_granica_brojne_vrednosti);
        };
        let first = self.variables.len();
        match field.tva_num_vrednost {
            ValueType::Choice => self.add(&wanted, &field.naziv, yes_no(), Source::Field(key, ValueType::Choice)),
            ValueType::Number if capped => {
                self.add(&wanted, &format!("{}; 90 je 90 i više", field.naziv), Kind::Number, Source::OwnAge(key));
            }
            ValueType::Number => self.add(&wanted, &field.naziv, Kind::Number, Source::Field(key, ValueType::Number)),
            ValueType::Text => self.add(&wanted, &field.naziv, Kind::Text, Source::Field(key, ValueType::Text)),
            ValueType::Date => self.add(&wanted, &field.naziv, Kind::Date, Source::Field(key, ValueType::Date)),
            ValueType::Time => self.add(&wanted, &field.naziv, Kind::Time, Source::Field(key, ValueType::Time)),
            ValueType::Moment => self.add(&wanted, &field.naziv, Kind::Moment, Source::Field(key, ValueType::Moment)),
            ValueType::File => {
                self.add(
                    &format!("{wanted}_broj_fajlova"),
                    &format!("{}: broj fajlova", field.naziv),
                    Kind::Number,
                    Source::Files(key.clone()),
                );
                if named {
                    self.add(&wanted, &field.naziv, Kind::Text, Source::Field(key, ValueType::File));
                }
            }
            ValueType::Set => self.of_set(&wanted, field, field.multiselect || several),
            _ => {}
        }
        self.variables[first..].iter_mut().for_each(described);
    }

    /// The name of what was chosen, its code and its weight, each in a column of its own; where several are chosen, whether each is, too.
    /// A code or a weight that no item has is no column.
    fn of_set(&mut self, wanted: &str, field: &EntryField, several: bool) {
        let all = &field.enum_stavke_sve;
        let key = field.id.to_string();
        let columns = [
            (wanted.to_owned(), field.naziv.clone(), items::names(all)),
            (format!("{wanted}_sifra"), format!("{}: šifra", field.naziv), items::codes(all)),
            (format!("{wanted}_tezina"), format!("{}: težina", field.naziv), items::weights(all)),
        ];
        let main = self.variables.len();
        for (name, label, (kind, cells)) in columns {
            if cells.values().all(|cell| *cell == Cell::Missing) && name != wanted {
                continue;
            }
            if several {
                let texts = cells.into_iter().map(|(id, cell)| (id, items::text(&cell))).collect();
                self.add(&name, &label, Kind::Text, Source::Joined(key.clone(), texts));
            } else {
                self.add(&name, &label, kind, Source::Chosen(key.clone(), cells));
            }
        }
        let main = self.variables[main].ime.clone();
        for item in all {
            let mut variable = main.clone();
            if several {
                let label = format!("{}: {}", field.naziv, items::label(item));
                self.add(&format!("{wanted}_{}", items::short(item)), &label, yes_no(), Source::Item(key.clone(), item.id));
                variable.clone_from(&self.variables[self.variables.len() - 1].ime);
            }
            self.items.push(ItemLine { field: wanted.to_owned(), variable, item: item.clone() });
        }
    }

    /// Items of the columns of sections, whose values have a file of their own.
    fn of_sections(&mut self, export: &Export, form: Option<&EntryForm>) {
        let all = form.into_iter().flat_map(|form| &form.fields).filter(|field| field.is_section());
        let chosen = all.filter(|section| export.polja.as_ref().is_none_or(|chosen| chosen.contains(&section.id)));
        let columns = chosen.filter(|section| !export.unnamed.is_left_out(section.id)).flat_map(|section| &section.kolone);
        for column in columns.filter(|column| !export.unnamed.is_left_out(column.id)) {
            let field = column.sifra.clone().unwrap_or_else(|| column.naziv.clone());
            let line = |item: &Choice| ItemLine { field: field.clone(), variable: sections::FILE.to_owned(), item: item.clone() };
            self.items.extend(column.enum_stavke_sve.iter().map(line));
        }
    }
}

fn codes(pairs: &[(f64, &str)]) -> Kind {
    Kind::Codes(pairs.iter().map(|(code, label)| (*code, (*label).to_owned())).collect())
}

fn yes_no() -> Kind {
    codes(&[(0.0, "Ne"), (1.0, "Da")])
}

/// Fields that hold a value, as the screen has them: those of a tab or panel stand together.
fn fields_in_order(form: &EntryForm) -> Vec<&EntryField> {
    let known: HashSet<i64> = form.fields.iter().map(|field| field.id).collect();
    let mut inside: BTreeMap<Option<i64>, Vec<&EntryField>> = BTreeMap::new();
    for field in &form.fields {
        inside.entry(field.naredjeni_auts.filter(|parent| known.contains(parent))).or_default().push(field);
    }
    let mut ordered = Vec::new();
    let mut open: Vec<&EntryField> = inside.remove(&None).unwrap_or_default().into_iter().rev().collect();
    while let Some(field) = open.pop() {
        if field.holds_value() {
            ordered.push(field);
        }
        // Taken out: a ring of parents, which the administration refuses, would have no end.
        open.extend(inside.remove(&Some(field.id)).unwrap_or_default().into_iter().rev());
    }
    ordered
}

fn place(form: &EntryForm, field: &EntryField) -> String {
    let mut names = Vec::new();
    let mut parent = field.naredjeni_auts;
    while let Some(holder) = parent.and_then(|id| form.fields.iter().find(|one| one.id == id)) {
        names.push(holder.naziv.as_str());
        parent = holder.naredjeni_auts.filter(|_| names.len() < 20);
    }
    names.reverse();
    names.join(" / ")
}

fn cell(source: &Source, row: &Row, patients: &Patients) -> Cell {
    let day = |date: Option<jiff_sqlx::Date>| date.map(jiff_sqlx::Date::to_jiff);
    match source {
        Source::Study => Cell::count(patients.number),
        Source::Patient => Cell::count(row.pacijent_id),
        Source::Jmbg => Cell::text(row.jmbg.as_deref()),
        Source::Lbo => Cell::text(row.lbo.as_deref()),
        Source::Card => Cell::text(row.broj_kartona.as_deref()),
        Source::Surname => Cell::text(row.prezime.as_deref()),
        Source::Name => Cell::text(row.ime.as_deref()),
        Source::Born => Cell::Date(row.datum_rodjenja.to_jiff()),
        Source::YearOfBirth => patients.year_of_birth(row),
        Source::Sex => Cell::Number(if row.pol_trenutni { 1.0 } else { 2.0 }),
        Source::Status => row.status.map_or(Cell::Missing, |status| Cell::Number(status.code())),
        Source::StatusDay => day(row.status_dan).map_or(Cell::Missing, |date| patients.date_of_form(row, date)),
        Source::Institution => row.ustanova_id.map_or(Cell::Missing, Cell::count),
        Source::Entry => row.unos_id.map_or(Cell::Missing, Cell::count),
        Source::OwnVisit => row.poseta_id.map_or(Cell::Missing, Cell::count),
        Source::Visit => Cell::count(patients.visit),
        Source::Day => patients.date(day(row.datum_unosa)),
        Source::Age => patients.age(row, day(row.datum_unosa.or(row.poslednji))),
        Source::First => patients.date(day(row.prvi)),
        Source::Last => patients.date(day(row.poslednji)),
        Source::Entries => row.broj.map_or(Cell::Missing, Cell::count),
        Source::Field(key, kind) => stored(row, key).map_or(Cell::Missing, |value| of_value(value, *kind, row, patients)),
        Source::OwnAge(key) => {
            stored(row, key).map_or(Cell::Missing, |value| patients.own_age(row, of_value(value, ValueType::Number, row, patients)))
        }
        Source::Files(key) => Cell::count(files::of(stored(row, key)).len() as i64),
        Source::Chosen(key, said) => chosen_items(row, key).first().and_then(|id| said.get(id)).cloned().unwrap_or(Cell::Missing),
        Source::Joined(key, said) => {
            let texts: Vec<&str> = chosen_items(row, key).iter().filter_map(|id| said.get(id)).map(String::as_str).collect();
            if texts.iter().all(|text| text.is_empty()) { Cell::Missing } else { Cell::Text(texts.join("|")) }
        }
        Source::Marked(names) => marked(row, names),
        Source::Item(key, item) => match &chosen_items(row, key)[..] {
            [] => Cell::Missing,
            chosen => Cell::Number(f64::from(u8::from(chosen.contains(item)))),
        },
    }
}

fn marked(row: &Row, names: &BTreeMap<i64, String>) -> Cell {
    let told = row.zastareli.iter().filter_map(|(field, reason, unit)| {
        let name = names.get(field)?;
        Some(match reason.as_str() {
            "jedinica" => format!("{name} ({})", unit.as_deref().unwrap_or("bez jedinice")),
            _ => name.clone(),
        })
    });
    let told: Vec<String> = told.collect();
    if told.is_empty() { Cell::Missing } else { Cell::Text(told.join("; ")) }
}

fn stored<'a>(row: &'a Row, key: &str) -> Option<&'a Value> {
    row.vrednosti.as_ref()?.get(key)
}

fn chosen_items(row: &Row, key: &str) -> Vec<i64> {
    match stored(row, key).and_then(|value| Answer::of(ValueType::Set, value)) {
        Some(Answer::Set(chosen)) => chosen,
        _ => Vec::new(),
    }
}

/// What does not fit its field's type is missing, as every screen has it.
pub(super) fn of_value(value: &Value, kind: ValueType, row: &Row, patients: &Patients) -> Cell {
    match Answer::of(kind, value) {
        Some(Answer::Choice(yes)) => Cell::Number(f64::from(u8::from(yes))),
        Some(Answer::Number(number)) => Cell::Number(number),
        Some(Answer::Text(text)) => Cell::text(Some(text)),
        Some(Answer::Date(date)) => patients.date_of_form(row, date),
        Some(Answer::Time(time)) => Cell::Time(time),
        Some(Answer::Moment(at)) => patients.moment_of_form(row, at),
        None if kind == ValueType::File => {
            let files = files::of(Some(value));
            Cell::text(Some(&files.iter().map(|file| file.naziv.as_str()).collect::<Vec<_>>().join(", ")))
        }
        Some(Answer::Set(_)) | None => Cell::Missing,
    }
}
