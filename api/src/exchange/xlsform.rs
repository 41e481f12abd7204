//! An XLSForm (.xlsx) as a form: groups as tabs and panels, questions as fields.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    io::{Cursor, Read},
};

use calamine::{DataRef, Reader, Xlsx};
use domain::{
    attachment::{FileKind, FileLimits},
    register::ValueType,
};
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
    let mut survey_reader = Survey { builder, lists, open: Vec::new(), in_repeat: 0 };
    for row in &survey {
        survey_reader.row(row)?;
    }
    let mut builder = survey_reader.builder;
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
    let header: BTreeMap<u32, String> = header.into_iter().map(|(column, name)| (column, name.trim().to_lowercase())).collect();
    let row = |(number, cells): (u32, BTreeMap<u32, String>)| {
        let cells = cells.into_iter().filter_map(|(column, text)| Some((header.get(&column)?.clone(), text)));
        Row { sheet: wanted, number: number + 1, cells: cells.collect() }
    };
    Ok(Some(rows.map(row).collect()))
}

fn shown(value: &DataRef<'_>) -> String {
    match value {
        DataRef::Int(number) => number.to_string(),
        DataRef::Float(number) => number.to_string(),
        DataRef::String(text) => text.trim().to_owned(),
        DataRef::SharedString(text) => text.trim().to_owned(),
        DataRef::Bool(yes) => (if *yes { "true" } else { "false" }).to_owned(),
        DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => text.clone(),
        DataRef::DateTime(_) | DataRef::Error(_) | DataRef::Empty => String::new(),
    }
}

fn lists(rows: &[Row], builder: &mut Builder) -> HashMap<String, Vec<Choice>> {
    let mut lists: HashMap<String, Vec<Choice>> = HashMap::new();
    for row in rows {
        let list = if row.get("list_name").is_empty() { row.get("list name") } else { row.get("list_name") };
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
const CARRIED: [&str; 14] = [
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
    "readonly",
];

/// Each other column that says something, once.
fn tell_columns(builder: &mut Builder, survey: &[Row]) {
    let mut told = HashSet::new();
    for row in survey {
        let mut names: Vec<&String> = row.cells.keys().collect();
        names.sort();
        for name in names {
            let base = name.split("::").next().unwrap_or(name);
            let language = name.contains("::") && ["label", "hint"].contains(&base);
            let is_lost = !CARRIED.contains(&base) || (language && row.worded(base) != row.get(name));
            if is_lost && told.insert(name.clone()) {
                builder.lost(Note::of(row.place(name), "kolona se ne prenosi (prvi put ovde)", row.get(name)));
            }
        }
    }
}

struct Survey {
    builder: Builder,
    lists: HashMap<String, Vec<Choice>>,
    /// Names of the groups that are open.
    open: Vec<String>,
    /// How many are open within a repeat, itself among them.
    in_repeat: usize,
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
        match plain.as_str() {
            "begin_repeat" | "begin_group" if self.in_repeat > 0 => self.in_repeat += 1,
            "begin_repeat" => {
                self.in_repeat = 1;
                self.builder.lost(Note::of(row.place("type"), "ponavljanje se ne prenosi, ni ono što je u njemu", name));
            }
            "end_repeat" | "end_group" if self.in_repeat > 0 => self.in_repeat -= 1,
            "end_group" => {
                if self.open.pop().is_none() {
                    return Err(Note::new(row.place("type"), "Kraj grupe koja nije počela."));
                }
            }
            _ if self.in_repeat > 0 => self.builder.lost(Note::of(row.place(""), "u ponavljanju: ne prenosi se", name)),
            "begin_group" => self.group(row)?,
            _ => self.question(row, &kind),
        }
        Ok(())
    }

    fn group(&mut self, row: &Row) -> Result<(), Note> {
        if self.open.len() >= DEEPEST {
            return Err(Note::new(row.place("type"), format!("Grupe su dublje od {DEEPEST} nivoa.")));
        }
        let name = if row.get("name").is_empty() { format!("grupa_{}", row.number) } else { row.get("name").to_owned() };
        let (type_name, kind) = if self.open.is_empty() { ("Segment", ValueType::Tab) } else { ("Panel", ValueType::Panel) };
        let type_name = self.builder.plain_type(type_name, kind);
        let at =
            self.builder.add(&name, row.worded("label"), type_name, Kind::Nothing, self.open.last().map(String::as_str), &row.place(""));
        if !row.get("relevant").is_empty() {
            self.builder.shows(at, &row.place("relevant"), row.get("relevant"));
        }
        self.open.push(name);
        Ok(())
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
        let Some(at) = self.typed(row, kind, bounds) else { return };
        let holds = self.builder.known(name).is_some_and(|known| !matches!(known.kind, Kind::Nothing));
        let own = &mut self.builder.field(at).own;
        own.opcioni = !(holds && row.is_yes("required"));
        note(own, row.worded("hint"));
        note(own, row.worded("guidance_hint"));
        if !row.get("relevant").is_empty() {
            self.builder.shows(at, &row.place("relevant"), row.get("relevant"));
        }
        if !row.get("calculation").is_empty() {
            self.builder.calculates(at, &row.place("calculation"), row.get("calculation"));
        }
        self.first_value(row, at);
        if !row.get("choice_filter").is_empty() {
            let message = "filter opcija se ne prenosi: nude se sve";
            self.builder.lost(Note::of(row.place("choice_filter"), message, row.get("choice_filter")));
        }
        if (row.is_yes("read_only") || row.is_yes("readonly")) && row.get("calculation").is_empty() {
            self.builder.lost(Note::of(row.place("read_only"), "polje samo za čitanje ovde se unosi", name));
        }
    }

    fn typed(&mut self, row: &Row, kind: &[&str], bounds: (Option<Decimal>, Option<Decimal>)) -> Option<usize> {
        let (name, label, place) = (row.get("name"), row.worded("label"), row.place(""));
        let parent = self.open.last().cloned();
        let parent = parent.as_deref();
        let builder = &mut self.builder;
        let (type_name, known) = match kind[0].to_lowercase().as_str() {
            "integer" | "int" | "range" => (builder.number_type(Some(0), bounds, None), Kind::Number),
            "decimal" => (builder.number_type(None, bounds, None), Kind::Number),
            "calculate" => (builder.number_type(Some(2), (None, None), None), Kind::Number),
            "text" | "string" => (builder.text_type(row.get("appearance").contains("multiline")), Kind::Text),
            "date" => (builder.plain_type("Datum", ValueType::Date), Kind::Date),
            "image" => {
                let pictures = vec![FileKind::Jpeg, FileKind::Png];
                (
                    builder.file_type(FileLimits { vrste_fajlova: Some(pictures), najvise_fajlova: Some(1), ..FileLimits::default() }),
                    Kind::File,
                )
            }
            "file" => (builder.file_type(FileLimits { najvise_fajlova: Some(1), ..FileLimits::default() }), Kind::File),
            "note" => (builder.plain_type("Naslov", ValueType::Heading), Kind::Nothing),
            "acknowledge" | "trigger" => (builder.plain_type("Da/Ne", ValueType::Choice), Kind::Choice),
            select @ ("select_one" | "select_multiple") => {
                return self.select(row, select == "select_multiple", kind.get(1).copied(), parent);
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

    /// `. >= 0 and . <= 120`, or a range's start and end.
    fn bounds(&mut self, row: &Row, kind: &str) -> (Option<Decimal>, Option<Decimal>) {
        let text = row.get("constraint");
        if text.is_empty() {
            return (None, None);
        }
        let whole = matches!(kind, "integer" | "int" | "range");
        let number = whole || kind == "decimal";
        let read = number.then(|| bounds(text, whole)).flatten();
        if read.is_none() {
            self.builder.lost(Note::of(row.place("constraint"), "ograničenje nije preneto: prenose se samo granice brojeva", text));
        }
        read.unwrap_or_default()
    }

    fn first_value(&mut self, row: &Row, at: usize) {
        let text = row.get("default");
        if text.is_empty() {
            return;
        }
        let known = self.builder.known(row.get("name")).map(|known| known.kind.clone());
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

fn bounds(text: &str, whole: bool) -> Option<(Option<Decimal>, Option<Decimal>)> {
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
}
