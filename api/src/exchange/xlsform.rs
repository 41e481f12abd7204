//! An XLSForm (.xlsx) as a form: groups as tabs and panels, questions as fields.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    io::{Cursor, Read},
};

use calamine::{DataRef, Reader, Xlsx};
use domain::register::ValueType;
use rust_decimal::Decimal;

use super::{
    foreign::{Builder, Choice, Foreign, Kind, note, together, yes_and_no},
    report::Note,
    translate::Dialect,
};

/// What a workbook may unpack to, and in how many parts: a small file can say much.
const MOST_UNPACKED: u64 = 64 << 20;
const MOST_PARTS: usize = 500;
const MOST_ROWS: u32 = 20_000;
const MOST_COLUMNS: u32 = 300;
const MOST_CELLS: usize = 300_000;
const LONGEST_CELL: usize = 20_000;
const DEEPEST: usize = 20;
/// A list of more options is a drop-down.
const MOST_RADIO: usize = 7;

/// A row of a sheet by its columns' names.
struct Row {
    sheet: &'static str,
    number: u32,
    cells: HashMap<String, String>,
}

impl Row {
    fn get(&self, column: &str) -> &str {
        self.cells.get(column).map(String::as_str).unwrap_or_default()
    }

    /// In the plain column, else in the first language that there is, Serbian before others.
    fn worded(&self, column: &str) -> &str {
        let plain = self.get(column);
        if !plain.is_empty() {
            return plain;
        }
        let prefix = format!("{column}::");
        let mut all: Vec<(&String, &String)> =
            self.cells.iter().filter(|(name, text)| name.starts_with(&prefix) && !text.is_empty()).collect();
        all.sort_by_key(|(name, _)| (!(name.contains("(sr") || name.contains("srpski") || name.contains("serbian")), *name));
        all.first().map(|(_, text)| text.as_str()).unwrap_or_default()
    }

    fn place(&self, column: &str) -> String {
        if column.is_empty() {
            format!("{}, red {}", self.sheet, self.number)
        } else {
            format!("{}, red {}, kolona „{column}”", self.sheet, self.number)
        }
    }

    fn is_yes(&self, column: &str) -> bool {
        matches!(self.get(column).to_lowercase().as_str(), "yes" | "true" | "true()" | "1" | "da")
    }

    fn is_no(&self, column: &str) -> bool {
        matches!(self.get(column).to_lowercase().as_str(), "" | "no" | "false" | "false()" | "0" | "ne")
    }
}

pub fn read(bytes: &[u8]) -> Result<Foreign, Note> {
    refuse_bomb(bytes)?;
    let mut book: Xlsx<_> = calamine::open_workbook_from_rs(Cursor::new(bytes)).map_err(|_| Note::new("", "Fajl nije ispravan .xlsx."))?;
    let survey = sheet(&mut book, "survey")?.ok_or_else(|| Note::new("", "Nema lista „survey”: fajl nije XLSForm."))?;
    let choices = sheet(&mut book, "choices")?.unwrap_or_default();
    let settings = sheet(&mut book, "settings")?.unwrap_or_default();
    let unmapped = other_sheets(&book);
    let setting = |name: &str| settings.first().map(|row| row.get(name).to_owned()).unwrap_or_default();
    let mut builder = Builder::new(&setting("form_id"), &setting("form_title"));
    let lists = lists(&choices, &mut builder);
    let mut survey_reader = Survey { builder, lists, open: Vec::new(), skipped: 0 };
    for row in &survey {
        survey_reader.row(row)?;
    }
    let mut builder = survey_reader.builder;
    tell_named_values(&mut builder);
    tell_columns(&mut builder, &survey);
    Ok(together(vec![builder], Some(Dialect::XlsForm), unmapped, Vec::new()))
}

/// Unpacks every part and counts: what a packed file says of its size need not be so.
fn refuse_bomb(bytes: &[u8]) -> Result<(), Note> {
    let no_book = || Note::new("", "Fajl nije ispravan .xlsx.");
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).map_err(|_| no_book())?;
    let too_big = || Note::new("", "Fajl se raspakuje u previše podataka.");
    if archive.len() > MOST_PARTS {
        return Err(too_big());
    }
    let mut left = MOST_UNPACKED;
    for at in 0..archive.len() {
        let part = archive.by_index(at).map_err(|_| no_book())?;
        let read = std::io::copy(&mut part.take(left + 1), &mut std::io::sink()).map_err(|_| no_book())?;
        left = left.checked_sub(read).ok_or_else(too_big)?;
    }
    Ok(())
}

fn other_sheets<R: Read + std::io::Seek>(book: &Xlsx<R>) -> Vec<Note> {
    let known = ["survey", "choices", "settings"];
    let others = book.sheet_names().into_iter().filter(|name| !known.contains(&name.to_lowercase().as_str()));
    others.map(|name| Note::of(format!("list „{name}”"), "list se ne prenosi", name.clone())).collect()
}

/// Cell by cell, never as a rectangle: one cell far away would make it huge.
fn sheet<R: Read + std::io::Seek>(book: &mut Xlsx<R>, wanted: &'static str) -> Result<Option<Vec<Row>>, Note> {
    let Some(name) = book.sheet_names().into_iter().find(|name| name.to_lowercase() == wanted) else { return Ok(None) };
    let unread = || Note::new(format!("list „{wanted}”"), "List se ne može pročitati.");
    let mut reader = book.worksheet_cells_reader(&name).map_err(|_| unread())?;
    let mut cells: BTreeMap<u32, BTreeMap<u32, String>> = BTreeMap::new();
    let mut count = 0;
    while let Some(cell) = reader.next_cell().map_err(|_| unread())? {
        let text = shown(cell.get_value());
        if text.is_empty() {
            continue;
        }
        let (row, column) = cell.get_position();
        count += 1;
        if row >= MOST_ROWS || column >= MOST_COLUMNS || count > MOST_CELLS || text.len() > LONGEST_CELL {
            let place = format!("list „{wanted}”, red {}", row.saturating_add(1));
            return Err(Note::new(
                place,
                format!("List je prevelik: najviše {MOST_ROWS} redova, {MOST_COLUMNS} kolona i {LONGEST_CELL} znakova u ćeliji."),
            ));
        }
        cells.entry(row).or_default().insert(column, text);
    }
    let mut rows = cells.into_iter();
    let Some((_, header)) = rows.next() else { return Ok(Some(Vec::new())) };
    let header: BTreeMap<u32, String> = header.into_iter().map(|(column, name)| (column, plain_header(&name))).collect();
    let row = |(number, cells): (u32, BTreeMap<u32, String>)| {
        let cells = cells.into_iter().filter_map(|(column, text)| Some((header.get(&column)?.clone(), text)));
        Row { sheet: wanted, number: number + 1, cells: cells.collect() }
    };
    Ok(Some(rows.map(row).collect()))
}

/// A column's name as the specification has it: older forms write one colon before a language, spaces, and other words.
fn plain_header(name: &str) -> String {
    let name = name.trim().to_lowercase();
    let (base, language) = match name.split_once(':') {
        Some((base, language)) => (base.trim(), Some(language.trim_start_matches(':').trim())),
        None => (name.as_str(), None),
    };
    let base = base.split_whitespace().collect::<Vec<_>>().join("_");
    let base = match base.as_str() {
        "caption" => "label",
        "command" => "type",
        "relevance" => "relevant",
        "calculate" => "calculation",
        "constraint_msg" | "constraining_message" => "constraint_message",
        "requiredmsg" | "required_msg" => "required_message",
        "readonly" => "read_only",
        "list_name" | "name" | "value" => return base,
        other => other,
    };
    language.map_or_else(|| base.to_owned(), |language| format!("{base}::{language}"))
}

fn shown(value: &DataRef<'_>) -> String {
    match value {
        DataRef::Int(number) => number.to_string(),
        DataRef::Float(number) => number.to_string(),
        DataRef::String(text) => text.trim().to_owned(),
        DataRef::SharedString(text) => text.trim().to_owned(),
        DataRef::Bool(yes) => (if *yes { "true" } else { "false" }).to_owned(),
        DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => text.clone(),
        DataRef::DateTime(moment) if moment.is_datetime() => {
            let (year, month, day, ..) = moment.to_ymd_hms_milli();
            format!("{year:04}-{month:02}-{day:02}")
        }
        DataRef::DateTime(moment) => moment.as_f64().to_string(),
        DataRef::Error(_) | DataRef::Empty => String::new(),
    }
}

fn lists(rows: &[Row], builder: &mut Builder) -> HashMap<String, Vec<Choice>> {
    let mut lists: HashMap<String, Vec<Choice>> = HashMap::new();
    for row in rows {
        let list = row.get("list_name");
        let code = if row.get("name").is_empty() { row.get("value") } else { row.get("name") };
        if list.is_empty() || code.is_empty() {
            builder.lost(Note::of(row.place(""), "opcija nema listu ili šifru", row.worded("label")));
            continue;
        }
        let known = lists.entry(list.to_owned()).or_default();
        if known.iter().any(|choice| choice.code == code) {
            builder.lost(Note::of(row.place("name"), "opcija sa tom šifrom stoji više puta u listi", code));
            continue;
        }
        known.push(Choice { code: code.to_owned(), label: row.worded("label").to_owned(), weight: None });
    }
    lists
}

/// Columns of the survey that are carried over, or told row by row.
const CARRIED: [&str; 18] = [
    "type",
    "name",
    "label",
    "hint",
    "required",
    "relevant",
    "constraint",
    "calculation",
    "appearance",
    "default",
    "guidance_hint",
    "choice_filter",
    "read_only",
    "constraint_message",
    "repeat_count",
    "parameters",
    "disabled",
    "required_message",
];

/// Each other column that says something, once.
fn tell_columns(builder: &mut Builder, survey: &[Row]) {
    let mut told = HashSet::new();
    for row in survey {
        let mut names: Vec<&String> = row.cells.keys().collect();
        names.sort();
        for name in names {
            let base = name.split("::").next().unwrap_or(name);
            let language = name.contains("::") && ["label", "hint", "constraint_message"].contains(&base);
            let is_lost = !CARRIED.contains(&base) || base == "required_message" || (language && row.worded(base) != row.get(name));
            if is_lost && told.insert(name.clone()) {
                builder.lost(Note::of(row.place(name), "kolona se ne prenosi (prvi put ovde)", row.get(name)));
            }
        }
    }
}

/// Names that stand for another field's value are read as they are written.
fn tell_named_values(builder: &mut Builder) {
    let named = builder.form.polja.iter().filter(|field| field.own.naziv.contains("${"));
    let told =
        named.map(|field| Note::of(&field.sifra, "naziv pominje vrednost drugog polja: ovde stoji kako je napisan", &field.own.naziv));
    let told: Vec<Note> = told.collect();
    told.into_iter().for_each(|note| builder.lost(note));
}

struct Survey {
    builder: Builder,
    lists: HashMap<String, Vec<Choice>>,
    open: Vec<Open>,
    /// How many are open within what is left out, itself among them.
    skipped: usize,
}

/// A group that is open.
enum Open {
    Group(String),
    Section(String),
    /// Within a section: its fields are the section's.
    Within,
}

impl Survey {
    fn row(&mut self, row: &Row) -> Result<(), Note> {
        let kind = row.get("type").split_whitespace().collect::<Vec<_>>();
        let name = row.get("name");
        let plain = kind.join("_").to_lowercase();
        if kind.is_empty() {
            if !row.cells.is_empty() {
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
                self.builder.lost(Note::of(row.place("type"), "ponavljanje u ponavljanju se ne prenosi, ni ono što je u njemu", name));
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
        self.open.iter().find_map(|open| if let Open::Section(name) = open { Some(name.as_str()) } else { None })
    }

    /// What the next field stands in.
    fn parent(&self) -> Option<String> {
        self.open.iter().rev().find_map(|open| match open {
            Open::Group(name) | Open::Section(name) => Some(name.clone()),
            Open::Within => None,
        })
    }

    fn name_of_group(&self, row: &Row) -> Result<String, Note> {
        if self.open.len() >= DEEPEST {
            return Err(Note::new(row.place("type"), format!("Grupe su dublje od {DEEPEST} nivoa.")));
        }
        Ok(if row.get("name").is_empty() { format!("grupa_{}", row.number) } else { row.get("name").to_owned() })
    }

    fn group(&mut self, row: &Row) -> Result<(), Note> {
        let name = self.name_of_group(row)?;
        let (type_name, kind) = if self.open.is_empty() { ("Segment", ValueType::Tab) } else { ("Panel", ValueType::Panel) };
        let type_name = self.builder.plain_type(type_name, kind);
        let at = self.builder.add(&name, row.worded("label"), type_name, Kind::Nothing, self.parent().as_deref(), &row.place(""));
        self.shown(row, at);
        self.open.push(Open::Group(name));
        Ok(())
    }

    fn repeat(&mut self, row: &Row) -> Result<(), Note> {
        let name = self.name_of_group(row)?;
        let count = row.get("repeat_count");
        let most = count.parse().ok();
        if !count.is_empty() && most.is_none() {
            self.builder.lost(Note::of(row.place("repeat_count"), "broj redova koji se računa se ne prenosi", count));
        }
        let parent = self.parent();
        let at = self.builder.section(&name, row.worded("label"), parent.as_deref(), most, &row.place("repeat_count"));
        self.shown(row, at);
        self.open.push(Open::Section(name));
        Ok(())
    }

    /// A group in a section has no place of its own: a section is a table.
    fn within(&mut self, row: &Row) {
        let name = row.get("name");
        self.builder.warnings.push(Note::of(row.place("type"), "grupa u ponavljanju: njena polja su kolone sekcije", name));
        if !row.get("relevant").is_empty() {
            self.builder.lost(Note::of(row.place("relevant"), "uslov grupe u ponavljanju se ne prenosi", row.get("relevant")));
        }
        self.open.push(Open::Within);
    }

    fn shown(&mut self, row: &Row, at: usize) {
        if !row.get("relevant").is_empty() {
            self.builder.shows(at, &row.place("relevant"), row.get("relevant"));
        }
    }

    fn question(&mut self, row: &Row, kind: &[&str]) {
        let name = row.get("name");
        if name.is_empty() {
            return self.builder.lost(Note::of(row.place("name"), "pitanje nema šifru", row.get("type")));
        }
        if self.builder.is_known(name) {
            return self.builder.lost(Note::of(row.place("name"), "polje sa tom šifrom već postoji", name));
        }
        let bounds = self.bounds(row, kind[0]);
        let Some(at) = self.typed(row, kind, bounds.unwrap_or_default()) else { return };
        let holds = self.builder.known(name).is_some_and(|known| !matches!(known.kind, Kind::Nothing));
        let own = &mut self.builder.field(at).own;
        own.opcioni = !(holds && row.is_yes("required"));
        note(own, row.worded("hint"));
        note(own, row.worded("guidance_hint"));
        self.shown(row, at);
        if !row.get("calculation").is_empty() {
            self.builder.calculates(at, &row.place("calculation"), row.get("calculation"));
        }
        if holds && !row.is_yes("required") && !row.is_no("required") {
            self.builder.asks(at, &row.place("required"), row.get("required"));
        }
        let constraint = row.get("constraint");
        if !constraint.is_empty() && bounds.is_none() {
            self.builder.holds(at, &row.place("constraint"), constraint, row.worded("constraint_message"));
        } else if !constraint.is_empty() && !row.worded("constraint_message").is_empty() {
            let message = "poruka uz granice se ne prenosi: granice imaju svoju";
            self.builder.lost(Note::of(row.place("constraint_message"), message, row.worded("constraint_message")));
        }
        self.first_value(row, at);
        if !row.get("choice_filter").is_empty() {
            let message = "filter opcija se ne prenosi: nude se sve";
            self.builder.lost(Note::of(row.place("choice_filter"), message, row.get("choice_filter")));
        }
        if row.is_yes("read_only") && row.get("calculation").is_empty() {
            self.builder.lost(Note::of(row.place("read_only"), "polje samo za čitanje ovde se unosi", name));
        }
    }

    fn typed(&mut self, row: &Row, kind: &[&str], bounds: Bounds) -> Option<usize> {
        let (name, label, place) = (row.get("name"), row.worded("label"), row.place(""));
        let (parent, in_section) = (self.parent(), self.section().is_some());
        let parent = parent.as_deref();
        let builder = &mut self.builder;
        let (type_name, known) = match kind[0] {
            "note" if in_section => {
                builder.lost(Note::of(place, "napomena u ponavljanju se ne prenosi: sekcija ima samo kolone", label));
                return None;
            }
            "range" if step(row).is_some_and(|step| !step.fract().is_zero()) => (builder.number_type(None, bounds, None), Kind::Number),
            "integer" | "int" | "range" => (builder.number_type(Some(0), bounds, None), Kind::Number),
            "decimal" => (builder.number_type(None, bounds, None), Kind::Number),
            "calculate" => (builder.number_type(Some(2), (None, None), None), Kind::Number),
            "text" | "string" => (builder.text_type(row.get("appearance").contains("multiline")), Kind::Text),
            "date" => (builder.plain_type("Datum", ValueType::Date), Kind::Date),
            "note" => (builder.plain_type("Naslov", ValueType::Heading), Kind::Nothing),
            "acknowledge" | "trigger" => (builder.plain_type("Da/Ne", ValueType::Choice), Kind::Choice),
            select @ ("select_one" | "select_multiple") => {
                let select = select == "select_multiple";
                return self.select(row, select, kind.get(1).copied(), parent);
            }
            other => {
                builder.lost(Note::of(row.place("type"), format!("vrsta „{other}” se ne prenosi"), name));
                return None;
            }
        };
        let at = builder.add(name, label, type_name, known, parent, &place);
        if matches!(kind[0], "acknowledge" | "trigger") {
            builder.field(at).own.ima_cek_box = true;
        }
        Some(at)
    }

    fn select(&mut self, row: &Row, multiple: bool, list: Option<&str>, parent: Option<&str>) -> Option<usize> {
        let (name, label, place) = (row.get("name"), row.worded("label"), row.place(""));
        let Some(choices) = list.and_then(|list| self.lists.get(list)).cloned() else {
            self.builder.lost(Note::of(row.place("type"), "lista opcija ne postoji", row.get("type")));
            return None;
        };
        if row.get("type").contains("or_other") {
            self.builder.lost(Note::of(row.place("type"), "opcija „drugo” (or_other) se ne prenosi", name));
        }
        if !multiple && yes_and_no(&choices) {
            let type_name = self.builder.plain_type("Da/Ne", ValueType::Choice);
            let at = self.builder.add(name, label, type_name, Kind::Choice, parent, &place);
            self.builder.field(at).own.radio_button = true;
            return Some(at);
        }
        let (type_name, known) = self.builder.set_type(&format!("Izbor {}", list.unwrap_or_default()), &choices, multiple);
        let at = self.builder.add(name, label, type_name, known, parent, &place);
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

    fn first_value(&mut self, row: &Row, at: usize) {
        let text = row.get("default");
        if text.is_empty() {
            return;
        }
        let known = self.builder.known(row.get("name")).filter(|known| !known.column).map(|known| known.kind.clone());
        let own = &mut self.builder.field(at).own;
        let taken = match known {
            Some(Kind::Number) => text.parse().map(|number| own.inicijalna_brojna_vrednost = Some(number)).is_ok(),
            Some(Kind::Text) if !text.contains(['$', '(']) => {
                own.inicijalna_string_vrednost = Some(text.to_owned());
                true
            }
            _ => false,
        };
        if !taken {
            self.builder.lost(Note::of(row.place("default"), "početna vrednost nije preneta", text));
        }
    }
}

type Bounds = (Option<Decimal>, Option<Decimal>);

/// `start=0 end=10 step=1` of a range.
fn parameter(row: &Row, name: &str) -> Option<Decimal> {
    let separated = |letter: char| letter.is_whitespace() || letter == ';' || letter == ',';
    let mut all = row.get("parameters").split(separated).filter_map(|one| one.split_once('='));
    all.find(|(known, _)| known.trim().eq_ignore_ascii_case(name)).and_then(|(_, value)| value.trim().parse().ok())
}

fn step(row: &Row) -> Option<Decimal> {
    parameter(row, "step")
}

/// The kind of a question and its list, as the specification names them; older forms say the same in other words.
fn question_type(text: &str) -> Vec<&str> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let plain = words.join(" ").to_lowercase();
    let old = [
        ("select all that apply from ", "select_multiple"),
        ("select all that apply ", "select_multiple"),
        ("select multiple from ", "select_multiple"),
        ("select multiple ", "select_multiple"),
        ("select one from ", "select_one"),
        ("select one ", "select_one"),
        ("select1 ", "select_one"),
    ];
    if let Some((prefix, kind)) = old.into_iter().find(|(prefix, _)| plain.starts_with(prefix)) {
        let taken = prefix.split_whitespace().count();
        return [&[kind], &words[taken..]].concat();
    }
    let known = ["integer", "int", "decimal", "range", "text", "string", "date", "note", "calculate", "acknowledge", "trigger"];
    let known = known.into_iter().chain(["select_one", "select_multiple"]).find(|known| words[0].eq_ignore_ascii_case(known));
    match known {
        Some(known) => [&[known], &words[1..]].concat(),
        None => words,
    }
}

fn bounds(text: &str, whole: bool) -> Option<Bounds> {
    let (mut low, mut high) = (None, None);
    for part in text.split(" and ") {
        let part = part.trim().trim_start_matches('(').trim_end_matches(')').replace(' ', "");
        let rest = part.strip_prefix('.')?;
        let signs = [">=", "<=", ">", "<"];
        let sign = signs.into_iter().find(|sign| rest.starts_with(sign))?;
        let number: Decimal = rest[sign.len()..].parse().ok()?;
        match sign {
            ">=" => low = Some(number),
            "<=" => high = Some(number),
            // Among whole numbers the next one is the bound.
            ">" if whole => low = Some(number.floor() + Decimal::ONE),
            "<" if whole => high = Some(number.ceil() - Decimal::ONE),
            _ => return None,
        }
    }
    Some((low, high))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_of_numbers_are_read_and_nothing_else() {
        let of = |text: &str, whole| bounds(text, whole).map(|(low, high)| [low, high].map(|bound| bound.map(|bound| bound.to_string())));
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(of(". >= 0 and . <= 120", true), Some([some("0"), some("120")]));
        assert_eq!(of("(. > 0) and (. < 10)", true), Some([some("1"), some("9")]));
        assert_eq!(of(".>=0.5", false), Some([some("0.5"), None]));
        assert_eq!(of(". > 0", false), None, "a decimal has no next one");
        assert_eq!(of(". <= today()", false), None);
        assert_eq!(of(". >= 0 or . = 99", true), None);
    }

    #[test]
    fn what_older_forms_write_is_known() {
        for (old, now) in [
            ("label:English", "label::english"),
            ("Label::Srpski (sr)", "label::srpski (sr)"),
            ("constraint message", "constraint_message"),
            ("relevance", "relevant"),
            ("read only", "read_only"),
            ("list name", "list_name"),
            ("media::audio::chinese", "media::audio::chinese"),
        ] {
            assert_eq!(plain_header(old), now);
        }
        for (old, now) in [
            ("select one from yes_no", vec!["select_one", "yes_no"]),
            ("Select_one yes_no or_other", vec!["select_one", "yes_no", "or_other"]),
            ("select all that apply from a b", vec!["select_multiple", "a", "b"]),
            ("phone number", vec!["phone", "number"]),
        ] {
            assert_eq!(question_type(old), now);
        }
    }
}
