//! The rows of a survey, one after another.

use std::collections::{HashMap, HashSet};

use domain::{
    attachment::{FileKind, FileLimits},
    clock,
    register::ValueType,
};
use rust_decimal::Decimal;

use super::{
    question::{Bounds, above, bounds, parameter, question_type},
    sheet::Row,
};
use crate::exchange::{
    foreign::{Builder, NO_FILES_IN_ROWS, note},
    known_field::{Choice, ExpressionField, Kind},
    report::{NO_FIRST_VALUE, Note, READ_ONLY, ROWS_IN_ROWS},
    words::{NO_LABEL, group_name, yes_and_no},
};

const DEEPEST: usize = 20;
/// A list of more options is a drop-down.
const MOST_RADIO: usize = 7;

pub struct Survey {
    builder: Builder,
    lists: HashMap<String, Vec<Choice>>,
    open: Vec<Open>,
    /// How many are open within what is left out, itself among them.
    skipped: usize,
    /// The numbers of rows that became something.
    kept: HashSet<u32>,
}

/// A group that is open, known by its path from the root.
struct Open {
    path: String,
    role: Role,
    /// Of a group within a section: under which condition its fields show, where names say all of it.
    shown: String,
}

#[derive(Clone, Copy, PartialEq)]
enum Role {
    Group,
    Section,
    /// Within a section: its fields are the section's.
    Within,
}

impl Survey {
    pub fn new(builder: Builder, lists: HashMap<String, Vec<Choice>>) -> Self {
        Self { builder, lists, open: Vec::new(), skipped: 0, kept: HashSet::new() }
    }

    /// Once all rows are read.
    pub fn end(self) -> Result<(Builder, HashSet<u32>), Note> {
        if self.open.is_empty() && self.skipped == 0 {
            Ok((self.builder, self.kept))
        } else {
            Err(Note::new("list „survey”", "Grupa ili ponavljanje nema svoj kraj."))
        }
    }

    pub fn row(&mut self, row: &Row) -> Result<(), Note> {
        let kind = row.get("type").split_whitespace().collect::<Vec<_>>();
        let name = row.get("name");
        let plain = kind.join("_").to_lowercase();
        if kind.is_empty() {
            if !row.is_empty() {
                self.builder.lost(Note::of(row.place("type"), "red nema vrstu", name));
            }
            return Ok(());
        }
        if row.is_yes("disabled") {
            self.builder.lost(Note::of(row.place("disabled"), "red je isključen i ne prenosi se", name));
            return Ok(());
        }
        let begins = plain.starts_with("begin_");
        let ends = plain.starts_with("end_");
        match plain.as_str() {
            _ if self.skipped > 0 && begins => self.skipped += 1,
            _ if self.skipped > 0 && ends => self.skipped -= 1,
            _ if self.skipped > 0 => self.builder.lost(Note::of(row.place(""), "u ponavljanju koje se ne prenosi", name)),
            "begin_repeat" | "begin_lgroup" if self.section().is_some() => {
                self.skipped = 1;
                self.builder.lost(Note::of(row.place("type"), ROWS_IN_ROWS, name));
            }
            "begin_repeat" | "begin_lgroup" => self.repeat(row)?,
            "begin_group" if self.section().is_some() => self.within(row),
            "begin_group" => self.group(row)?,
            _ if begins => {
                self.skipped = 1;
                self.builder.lost(Note::of(row.place("type"), format!("„{}” se ne prenosi, ni ono što je u njemu", kind.join(" ")), name));
            }
            "end_group" | "end_repeat" | "end_lgroup" => {
                if self.open.pop().is_none() {
                    return Err(Note::new(row.place("type"), "Kraj grupe koja nije počela."));
                }
            }
            _ => self.question(row, &question_type(row.get("type"))),
        }
        Ok(())
    }

    /// The section that is open.
    fn section(&self) -> Option<&str> {
        self.open.iter().find(|open| open.role == Role::Section).map(|open| open.path.as_str())
    }

    /// What the next field stands in.
    fn parent(&self) -> Option<String> {
        self.open.iter().rev().find(|open| open.role != Role::Within).map(|open| open.path.clone())
    }

    /// The path of what stands next, from the root.
    fn path(&self, name: &str) -> String {
        format!("{}/{name}", self.open.last().map(|open| open.path.as_str()).unwrap_or_default())
    }

    fn name_of_group(&self, row: &Row) -> Result<String, Note> {
        if self.open.len() >= DEEPEST {
            return Err(Note::new(row.place("type"), format!("Grupe su dublje od {DEEPEST} nivoa.")));
        }
        Ok(if row.get("name").is_empty() { format!("grupa_{}", row.number) } else { row.get("name").to_owned() })
    }

    /// A second group of one name in the same group is apart from the first.
    fn path_of_group(&self, name: &str, row: &Row) -> String {
        let path = self.path(name);
        if self.open.iter().any(|open| open.path == path) || self.builder.is_known(&path) { format!("{path}#{}", row.number) } else { path }
    }

    fn begin(&mut self, row: &Row, path: String, role: Role) {
        self.kept.insert(row.number);
        self.open.push(Open { path, role, shown: String::new() });
    }

    fn group(&mut self, row: &Row) -> Result<(), Note> {
        let name = self.name_of_group(row)?;
        let path = self.path_of_group(&name, row);
        let (type_name, kind) = if self.open.is_empty() { ("Segment", ValueType::Tab) } else { ("Panel", ValueType::Panel) };
        let type_name = self.builder.plain_type(type_name, kind);
        let label = group_name(row.worded("label"), &name, &self.builder.form.naziv);
        let at = self.builder.add_at(&path, (&name, &label), type_name, Kind::Nothing, self.parent().as_deref(), &row.place(""));
        self.shown(row, at);
        note(&mut self.builder.field(at).own, row.worded("hint"));
        self.begin(row, path, Role::Group);
        Ok(())
    }

    fn repeat(&mut self, row: &Row) -> Result<(), Note> {
        let name = self.name_of_group(row)?;
        let path = self.path_of_group(&name, row);
        let count = row.get("repeat_count");
        let most = count.parse().ok();
        let parent = self.parent();
        let label = group_name(row.worded("label"), &name, &self.builder.form.naziv);
        let at = self.builder.section_at(&path, (&name, &label), parent.as_deref(), most, &row.place("repeat_count"));
        if !count.is_empty() && most.is_none() {
            self.builder.lost_of(at, Note::of(row.place("repeat_count"), "broj redova koji se računa se ne prenosi", count));
        }
        self.shown(row, at);
        self.begin(row, path, Role::Section);
        Ok(())
    }

    /// A group in a section has no place of its own: a section is a table.
    fn within(&mut self, row: &Row) {
        let name = row.get("name");
        self.builder.warnings.push(Note::of(row.place("type"), "grupa u ponavljanju: njena polja su kolone sekcije", name));
        let relevant = row.get("relevant");
        // A path leads elsewhere from each of its fields.
        let is_named = !relevant.contains("..") && !relevant.contains("./");
        if !relevant.is_empty() && !is_named {
            self.builder.lost(Note::of(row.place("relevant"), "uslov grupe u ponavljanju se ne prenosi", relevant));
        }
        // Its label has nowhere to stand.
        row.worded("label");
        let path = self.path(if name.is_empty() { "grupa" } else { name });
        self.begin(row, path, Role::Within);
        if let Some(open) = self.open.last_mut().filter(|_| is_named) {
            open.shown = relevant.to_owned();
        }
    }

    fn shown(&mut self, row: &Row, at: usize) {
        let around = self.open.iter().map(|open| open.shown.as_str());
        let all: Vec<&str> = around.chain([row.get("relevant")]).filter(|text| !text.is_empty()).collect();
        match all.as_slice() {
            [] => {}
            [one] => self.builder.shows(at, &row.place("relevant"), one),
            several => {
                let text = several.iter().map(|text| format!("({text})")).collect::<Vec<_>>().join(" and ");
                self.builder.shows(at, &row.place("relevant"), &text);
            }
        }
    }

    fn question(&mut self, row: &Row, kind: &[&str]) {
        let name = row.get("name");
        if name.is_empty() {
            return self.builder.lost(Note::of(row.place("name"), "pitanje nema šifru", row.get("type")));
        }
        let path = self.path(name);
        if self.builder.is_known(&path) {
            return self.builder.lost(Note::of(row.place("name"), "polje sa tom šifrom već postoji u toj grupi", name));
        }
        let bounds = self.bounds(row, kind[0]);
        let Some(at) = self.typed(row, (kind, &path), bounds.unwrap_or_default()) else { return };
        self.kept.insert(row.number);
        if bounds.is_none() && kind[0] == "decimal" {
            self.builder.set_least(&path, above(row.get("constraint")));
        }
        let holds = self.builder.known(&path).is_some_and(|known| !matches!(known.kind, Kind::Nothing));
        let own = &mut self.builder.field(at).own;
        own.opcioni = !(holds && row.is_yes("required"));
        note(own, row.worded("hint"));
        note(own, row.worded("guidance_hint"));
        self.shown(row, at);
        if !row.get("calculation").is_empty() {
            let (place, text) = (row.place("calculation"), row.get("calculation"));
            if kind[0] == "calculate" { self.builder.gives(at, &place, text) } else { self.builder.calculates(at, &place, text) }
        }
        if holds && !row.is_yes("required") && !row.is_no("required") {
            self.builder.asks(at, &row.place("required"), row.get("required"));
        }
        let constraint = row.get("constraint");
        if !constraint.is_empty() && bounds.is_none() {
            self.builder.holds(at, &row.place("constraint"), constraint, row.worded("constraint_message"));
        } else if !constraint.is_empty() && !row.worded("constraint_message").is_empty() {
            let message = "poruka uz granice se ne prenosi: granice imaju svoju";
            self.builder.lost_of(at, Note::of(row.place("constraint_message"), message, row.worded("constraint_message")));
        }
        self.first_value(row, &path, at);
        if !row.get("choice_filter").is_empty() {
            let message = "filter opcija se ne prenosi: nude se sve";
            self.builder.lost_of(at, Note::of(row.place("choice_filter"), message, row.get("choice_filter")));
        }
        if !row.get("parameters").is_empty() && (kind[0] != "range" || parameter(row, "step").is_some_and(|step| step != Decimal::ONE)) {
            let message = if kind[0] == "range" { "korak skale se ne prenosi" } else { "podešavanja pitanja se ne prenose" };
            self.builder.lost_of(at, Note::of(row.place("parameters"), message, row.get("parameters")));
        }
        if row.is_yes("read_only") && row.get("calculation").is_empty() {
            self.builder.lost_of(at, Note::of(row.place("read_only"), READ_ONLY, name));
        }
    }

    fn typed(&mut self, row: &Row, (kind, path): (&[&str], &str), bounds: Bounds) -> Option<usize> {
        let (name, label, place) = (row.get("name"), label_of(row), row.place(""));
        let (parent, in_section) = (self.parent(), self.section().is_some());
        let parent = parent.as_deref();
        let builder = &mut self.builder;
        let (type_name, known) = match kind[0] {
            "note" if in_section => {
                builder.lost(Note::of(place, "napomena u ponavljanju se ne prenosi: sekcija ima samo kolone", label));
                return None;
            }
            "image" | "file" if in_section => {
                builder.lost(Note::of(row.place("type"), NO_FILES_IN_ROWS, name));
                return None;
            }
            "range" if parameter(row, "step").is_some_and(|step| !step.fract().is_zero()) => {
                (builder.number_type(None, bounds, None), Kind::Number)
            }
            "integer" | "int" | "range" => (builder.number_type(Some(0), bounds, None), Kind::Number),
            "decimal" => (builder.number_type(None, bounds, None), Kind::Number),
            "calculate" => (builder.number_type(Some(2), (None, None), None), Kind::Number),
            "text" | "string" => (builder.text_type(row.get("appearance").contains("multiline")), Kind::Text),
            "date" => (builder.plain_type("Datum", ValueType::Date), Kind::Date),
            "time" => (builder.plain_type("Vreme", ValueType::Time), Kind::Clock),
            "datetime" => (builder.plain_type("Datum i vreme", ValueType::Moment), Kind::Clock),
            "image" => {
                let pictures = Some(vec![FileKind::Jpeg, FileKind::Png]);
                (builder.file_type(FileLimits { vrste_fajlova: pictures, najvise_fajlova: Some(1), ..FileLimits::default() }), Kind::File)
            }
            "file" => (builder.file_type(FileLimits { najvise_fajlova: Some(1), ..FileLimits::default() }), Kind::File),
            "note" => (builder.plain_type("Naslov", ValueType::Heading), Kind::Nothing),
            "acknowledge" | "trigger" => (builder.plain_type("Da/Ne", ValueType::Choice), Kind::Choice),
            select @ ("select_one" | "select_multiple") => {
                let select = select == "select_multiple";
                return self.select(row, path, select, kind.get(1).copied(), parent);
            }
            other => {
                builder.lost(Note::unknown_kind(row.place("type"), other, name));
                return None;
            }
        };
        let at = builder.add_at(path, (name, label), type_name, known, parent, &place);
        if matches!(kind[0], "acknowledge" | "trigger") {
            builder.field(at).own.ima_cek_box = true;
        }
        Some(at)
    }

    fn select(&mut self, row: &Row, path: &str, multiple: bool, list: Option<&str>, parent: Option<&str>) -> Option<usize> {
        let (name, label, place) = (row.get("name"), label_of(row), row.place(""));
        let Some(choices) = list.and_then(|list| self.lists.get(list)).cloned() else {
            self.builder.lost(Note::of(row.place("type"), "lista opcija ne postoji", row.get("type")));
            return None;
        };
        if row.get("type").contains("or_other") {
            self.builder.lost(Note::of(row.place("type"), "opcija „drugo” (or_other) se ne prenosi", name));
        }
        if let Some(words) = yes_and_no(&choices).filter(|_| !multiple) {
            let type_name = self.builder.plain_type("Da/Ne", ValueType::Choice);
            let at = self.builder.add_at(path, (name, label), type_name, Kind::Choice, parent, &place);
            self.builder.set_words(path, words);
            self.builder.field(at).own.radio_button = true;
            return Some(at);
        }
        let (type_name, known) = self.builder.set_type(&format!("Izbor {}", list.unwrap_or_default()), &choices, multiple);
        let at = self.builder.add_at(path, (name, label), type_name, known, parent, &place);
        let appearance = row.get("appearance");
        let own = &mut self.builder.field(at).own;
        own.multiselect = multiple;
        own.radio_button =
            !multiple && choices.len() <= MOST_RADIO && !appearance.contains("minimal") && !appearance.contains("autocomplete");
        Some(at)
    }

    /// `. >= 0 and . <= 120`, or a range's start and end; none where the constraint says something else.
    fn bounds(&mut self, row: &Row, kind: &str) -> Option<Bounds> {
        let text = row.get("constraint");
        if text.is_empty() && kind == "range" {
            return Some((parameter(row, "start"), parameter(row, "end")));
        }
        let whole = matches!(kind, "integer" | "int" | "range");
        if text.is_empty() || !(whole || kind == "decimal") {
            return None;
        }
        bounds(text, whole)
    }

    fn first_value(&mut self, row: &Row, path: &str, at: usize) {
        let text = row.get("default");
        if text.is_empty() {
            return;
        }
        let known = self.builder.known(path).filter(|known| !known.column).map(|known| known.kind.clone());
        let taken = match known {
            Some(Kind::Number) => {
                let own = &mut self.builder.field(at).own;
                text.parse().map(|number| own.inicijalna_brojna_vrednost = Some(number)).is_ok()
            }
            Some(Kind::Choice) => match self.builder.known(path).map(ExpressionField::words) {
                Some((yes, no)) if text == yes || text == no => {
                    let begins = text == yes;
                    self.builder.field(at).own.inicijalna_boolean_vrednost = Some(begins);
                    true
                }
                _ => false,
            },
            Some(Kind::Set { multiple: false, .. }) => self.builder.begins_with(at, text),
            Some(Kind::Clock) => {
                let moment = || clock::moment_in(text).map(clock::moment_stored);
                let first = if row.get("type").trim().eq_ignore_ascii_case("time") {
                    clock::written_time(text).map(clock::time_stored)
                } else {
                    moment()
                };
                let is_there = first.is_some();
                self.builder.field(at).own.inicijalna_string_vrednost = first;
                is_there
            }
            Some(Kind::Text) if !text.contains(['$', '(']) => {
                self.builder.field(at).own.inicijalna_string_vrednost = Some(text.to_owned());
                true
            }
            _ => false,
        };
        if !taken {
            self.builder.lost_of(at, Note::of(row.place("default"), NO_FIRST_VALUE, text));
        }
    }
}

/// Some forms say in words that there is none.
fn label_of(row: &Row) -> &str {
    Some(row.worded("label")).filter(|label| *label != NO_LABEL).unwrap_or_default()
}
