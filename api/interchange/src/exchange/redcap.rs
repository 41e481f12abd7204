//! A REDCap data dictionary (CSV) as forms: one form an instrument, a section header as a panel.

use std::{
    cell::RefCell,
    collections::{BTreeMap, HashMap, HashSet},
};

use domain::{attachment::FileLimits, register::ValueType};
use rust_decimal::Decimal;

use super::{
    expression::Dialect,
    foreign::{Builder, Foreign, note, together},
    known_field::{Choice, Kind},
    report::{CODE_TWICE, Note},
    words::{designer_note, name_of_options, titled, unit},
};
use crate::import::{
    csv_file::{CsvFile, Record},
    mapping::{Delimiter, Encoding},
};

const MOST_ROWS: usize = 10_000;

/// Columns by the names of the file's header and of REDCap's own export by its API.
const COLUMNS: [(&str, &str, &str); 18] = [
    ("name", "variable / field name", "field_name"),
    ("form", "form name", "form_name"),
    ("section", "section header", "section_header"),
    ("type", "field type", "field_type"),
    ("label", "field label", "field_label"),
    ("choices", "choices, calculations, or slider labels", "select_choices_or_calculations"),
    ("note", "field note", "field_note"),
    ("validation", "text validation type or show slider number", "text_validation_type_or_show_slider_number"),
    ("min", "text validation min", "text_validation_min"),
    ("max", "text validation max", "text_validation_max"),
    ("identifier", "identifier?", "identifier"),
    ("branching", "branching logic (show field only if...)", "branching_logic"),
    ("required", "required field?", "required_field"),
    ("alignment", "custom alignment", "custom_alignment"),
    ("number", "question number (surveys only)", "question_number"),
    ("matrix", "matrix group name", "matrix_group_name"),
    ("ranking", "matrix ranking?", "matrix_ranking"),
    ("annotation", "field annotation", "field_annotation"),
];
/// What is told once of a file, whichever rows have it.
const LOOKS: [(&str, &str, &str); 3] = [
    ("alignment", "Custom Alignment", "poravnanje"),
    ("number", "Question Number (surveys only)", "broj pitanja u anketi"),
    ("ranking", "Matrix Ranking?", "rangiranje u matrici"),
];
const NEEDED: [&str; 3] = ["name", "form", "type"];

struct Row {
    place: String,
    cells: HashMap<&'static str, String>,
    /// What was asked of the row: whatever else it has is not carried.
    read: RefCell<HashSet<&'static str>>,
}

impl Row {
    fn get(&self, column: &'static str) -> &str {
        self.read.borrow_mut().insert(column);
        self.cells.get(column).map(String::as_str).unwrap_or_default()
    }

    /// What it has and nobody asked for, by the names of REDCap's own header.
    fn unread(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let read = self.read.borrow().clone();
        COLUMNS.iter().filter_map(move |(column, long, _)| {
            let text = self.cells.get(column).filter(|text| !text.is_empty() && !read.contains(column))?;
            Some((*long, text.as_str()))
        })
    }

    fn at(&self, column: &str) -> String {
        format!("{}, kolona „{column}”", self.place)
    }
}

/// A dictionary's rows, what of it does not map, and what whoever reads it should know.
#[derive(Default)]
struct Rows {
    found: Vec<Row>,
    unmapped: Vec<Note>,
    warnings: Vec<Note>,
}

pub fn read(bytes: &[u8]) -> Result<Foreign, Note> {
    let Rows { found: rows, mut unmapped, warnings } = rows(bytes)?;
    let mut forms: Vec<(String, Builder)> = Vec::new();
    let mut panels: HashMap<String, String> = HashMap::new();
    for row in &rows {
        let form = row.get("form").to_owned();
        if !forms.iter().any(|(name, _)| *name == form) {
            forms.push((form.clone(), Builder::new(&form, &titled(&form))));
        }
        let (_, builder) = forms.iter_mut().find(|(name, _)| *name == form).expect("it was just added");
        field(builder, row, panels.entry(form).or_default());
    }
    let of_looks = |name: &str| LOOKS.iter().any(|(_, told, _)| told.to_lowercase() == name);
    for row in &rows {
        let Some((_, builder)) = forms.iter_mut().find(|(name, _)| *name == row.get("form")) else { continue };
        if builder.is_known(row.get("name")) {
            for (name, text) in row.unread().filter(|(name, _)| !of_looks(name)) {
                builder.lost(Note::of(row.at(name), "to se kod ove vrste polja ne prenosi", text));
            }
        }
    }
    for (column, name, what) in LOOKS {
        if let Some(first) = rows.iter().find(|row| !matches!(row.get(column), "" | "n")) {
            unmapped.push(Note::of(first.at(name), format!("{what} se ne prenosi (prvi put ovde)"), first.get(column)));
        }
    }
    Ok(together(forms.into_iter().map(|(_, builder)| builder).collect(), Some(Dialect::RedCap), unmapped, warnings))
}

fn rows(bytes: &[u8]) -> Result<Rows, Note> {
    let file = CsvFile::read(bytes, Encoding::Auto, Delimiter::Auto).ok().filter(|file| file.encoding != Encoding::Windows1250);
    let file = file.ok_or_else(|| Note::new("", "Fajl nije u kodnom rasporedu UTF-8."))?;
    let mut records = file.records.into_iter();
    let header = records.next().ok_or_else(|| Note::new("red 1", "Zaglavlje se ne može pročitati."))?.cells;
    let mut places: BTreeMap<usize, &'static str> = BTreeMap::new();
    let Rows { mut found, mut unmapped, mut warnings } = Rows::default();
    for (at, name) in header.iter().enumerate() {
        let plain = name.trim().to_lowercase();
        match COLUMNS.iter().find(|(_, long, short)| plain == *long || plain == *short) {
            Some((column, ..)) => {
                places.insert(at, column);
            }
            None if plain.is_empty() => {}
            None => unmapped.push(Note::of("red 1", "kolona se ne prenosi", name)),
        }
    }
    // REDCap itself reads its columns by their places: a first one under another name is the fields' all the same.
    if header.len() == COLUMNS.len() && places.len() == COLUMNS.len() - 1 && !places.contains_key(&0) {
        places.insert(0, "name");
        unmapped.clear();
        warnings.push(Note::of("red 1", "prva kolona nema ime po kom se zna: čita se kao šifra polja", &header[0]));
    }
    if let Some((_, long, _)) = COLUMNS.iter().find(|(column, ..)| NEEDED.contains(column) && !places.values().any(|known| known == column))
    {
        return Err(Note::new("red 1", format!("Nema kolone „{long}”: fajl nije REDCap rečnik podataka.")));
    }
    for Record { cells: record, .. } in records {
        let line = record.position().map(|position| position.line()).unwrap_or_default();
        if found.len() >= MOST_ROWS {
            return Err(Note::new(format!("red {line}"), format!("Fajl ima više od {MOST_ROWS} polja.")));
        }
        let cells = places.iter().filter_map(|(at, column)| Some((*column, record.get(*at)?.trim().to_owned())));
        let row = Row { place: format!("red {line}"), cells: cells.collect(), read: RefCell::default() };
        if row.get("name").is_empty() || row.get("form").is_empty() {
            unmapped.push(Note::of(row.place, "red nema šifru polja ili ime formulara", record.iter().collect::<Vec<_>>().join(" | ")));
            continue;
        }
        found.push(row);
    }
    Ok(Rows { found, unmapped, warnings })
}

fn field(builder: &mut Builder, row: &Row, panel: &mut String) {
    let name = row.get("name");
    if builder.is_known(name) {
        return builder.lost(Note::of(&row.place, "polje sa tom šifrom već postoji u formularu", name));
    }
    if !row.get("section").is_empty() {
        *panel = format!("panel_{name}");
        let type_name = builder.plain_type("Panel", ValueType::Panel);
        builder.add(panel, row.get("section"), type_name, Kind::Nothing, None, &row.place);
    }
    let parent = Some(panel.as_str()).filter(|panel| !panel.is_empty());
    let Some(at) = typed(builder, row, parent) else { return };
    if !row.get("branching").is_empty() {
        builder.shows(at, &row.at("Branching Logic"), row.get("branching"));
    }
    let holds = builder.known(name).is_some_and(|known| !matches!(known.kind, Kind::Nothing));
    builder.field(at).own.opcioni = !(holds && row.get("required") == "y");
    if row.get("identifier") == "y" {
        builder.lost(Note::of(row.at("Identifier?"), "oznaka ličnog podatka se ne prenosi", name));
    }
    if !row.get("matrix").is_empty() {
        builder.warnings.push(Note::of(row.at("Matrix Group Name"), "polje matrice postaje zasebno polje", row.get("matrix")));
    }
    annotated(builder, row, at);
}

fn annotated(builder: &mut Builder, row: &Row, at: usize) {
    let annotation = row.get("annotation");
    if annotation.contains('@') {
        builder.lost_of(at, Note::of(row.at("Field Annotation"), "oznake radnji (@…) se ne prenose", annotation));
    } else {
        designer_note(&mut builder.field(at).own, annotation);
    }
}

fn typed(builder: &mut Builder, row: &Row, parent: Option<&str>) -> Option<usize> {
    let (name, label, place) = (row.get("name"), row.get("label"), row.place.as_str());
    let help = row.get("note");
    let at = match row.get("type") {
        "text" => return text(builder, row, parent),
        "notes" => {
            let type_name = builder.text_type(true);
            builder.add(name, label, type_name, Kind::Text, parent, place)
        }
        "calc" => {
            let type_name = builder.number_type(Some(2), (None, None), unit(help));
            let at = builder.add(name, label, type_name, Kind::Number, parent, place);
            builder.calculates(at, &row.at("Choices, Calculations"), row.get("choices"));
            if unit(help).is_some() {
                return Some(at);
            }
            at
        }
        kind @ ("dropdown" | "radio" | "checkbox") => {
            let choices = choices(builder, row);
            if choices.is_empty() {
                builder.lost(Note::of(row.at("Choices"), "polje izbora nema nijednu opciju", name));
                return None;
            }
            let (type_name, known) = builder.set_type(&name_of_options(&choices), &choices, kind == "checkbox");
            let at = builder.add(name, label, type_name, known, parent, place);
            // A list here is searched by typing anyway.
            if !matches!(row.get("validation"), "" | "autocomplete") {
                builder.lost_of(at, Note::of(row.at("Text Validation Type"), "provera izbora se ne prenosi", row.get("validation")));
            }
            let own = &mut builder.field(at).own;
            (own.multiselect, own.radio_button) = (kind == "checkbox", kind == "radio");
            at
        }
        "yesno" | "truefalse" => {
            let type_name = builder.plain_type("Da/Ne", ValueType::Choice);
            let at = builder.add(name, label, type_name, Kind::Choice, parent, place);
            builder.field(at).own.radio_button = true;
            at
        }
        "slider" => {
            let end = |column, usual: i32| row.get(column).parse::<Decimal>().unwrap_or(usual.into());
            let type_name = builder.number_type(Some(0), (Some(end("min", 0)), Some(end("max", 100))), None);
            let at = builder.add(name, label, type_name, Kind::Number, parent, place);
            if !row.get("choices").is_empty() {
                note(&mut builder.field(at).own, row.get("choices"));
                builder.warnings.push(Note::of(row.at("Choices"), "krajevi skale stoje u napomeni polja", row.get("choices")));
            }
            at
        }
        "file" => {
            if row.get("validation") == "signature" {
                builder.warnings.push(Note::of(row.at("Text Validation Type"), "potpis rukom ovde je fajl koji se prilaže", name));
            }
            let type_name = builder.file_type(FileLimits { najvise_fajlova: Some(1), ..FileLimits::default() });
            builder.add(name, label, type_name, Kind::File, parent, place)
        }
        "descriptive" => {
            let type_name = builder.plain_type("Naslov", ValueType::Heading);
            builder.add(name, label, type_name, Kind::Nothing, parent, place)
        }
        other => {
            builder.lost(Note::of(row.at("Field Type"), format!("vrsta polja „{other}” se ne prenosi"), name));
            return None;
        }
    };
    note(&mut builder.field(at).own, help);
    Some(at)
}

fn text(builder: &mut Builder, row: &Row, parent: Option<&str>) -> Option<usize> {
    let (name, label, place, help) = (row.get("name"), row.get("label"), row.place.as_str(), row.get("note"));
    let validation = row.get("validation");
    let decimals = match validation {
        "integer" => Some(Some(0)),
        "number" | "number_comma_decimal" => Some(None),
        one if one.starts_with("number_") => {
            one.trim_start_matches("number_").split("dp").next().and_then(|count| count.parse().ok()).map(Some)
        }
        _ => None,
    };
    if let Some(decimals) = decimals {
        let type_name = builder.number_type(decimals, (None, None), unit(help));
        let at = builder.add(name, label, type_name, Kind::Number, parent, place);
        bounds(builder, row, at);
        if unit(help).is_none() {
            note(&mut builder.field(at).own, help);
        }
        return Some(at);
    }
    let clock = match validation {
        "time" | "time_hh_mm_ss" => Some(("Vreme", ValueType::Time)),
        one if one.starts_with("datetime_") => Some(("Datum i vreme", ValueType::Moment)),
        _ => None,
    };
    if let Some((type_name, kind)) = clock {
        if validation == "time_hh_mm_ss" || validation.starts_with("datetime_seconds_") {
            let message = "sekunde se ne čuvaju: polje prima sate i minute";
            builder.lost(Note::of(row.at("Text Validation Type"), message, validation));
        }
        let type_name = builder.plain_type(type_name, kind);
        let at = builder.add(name, label, type_name, Kind::Clock, parent, place);
        bounded_otherwise(builder, row);
        note(&mut builder.field(at).own, help);
        return Some(at);
    }
    let at = if validation.starts_with("date_") {
        let type_name = builder.plain_type("Datum", ValueType::Date);
        let at = builder.add(name, label, type_name, Kind::Date, parent, place);
        bounded_otherwise(builder, row);
        at
    } else {
        let type_name = builder.text_type(false);
        let at = builder.add(name, label, type_name, Kind::Text, parent, place);
        if !validation.is_empty() {
            let message = "provera teksta se ne prenosi; polje je običan tekst";
            builder.lost(Note::of(row.at("Text Validation Type"), message, validation));
        }
        bounded_otherwise(builder, row);
        at
    };
    note(&mut builder.field(at).own, help);
    Some(at)
}

/// REDCap warns of a value out of these and takes it: they are reference values here.
fn bounds(builder: &mut Builder, row: &Row, at: usize) {
    for (column, name) in [("min", "Text Validation Min"), ("max", "Text Validation Max")] {
        let text = row.get(column);
        if text.is_empty() {
            continue;
        }
        match text.replace(',', ".").parse::<Decimal>() {
            Ok(number) if column == "min" => builder.field(at).own.donja_referentna_brojna_vrednost = Some(number),
            Ok(number) => builder.field(at).own.gornja_referentna_brojna_vrednost = Some(number),
            Err(_) => builder.lost(Note::of(row.at(name), "granica nije broj", text)),
        }
    }
}

fn bounded_otherwise(builder: &mut Builder, row: &Row) {
    for (column, name) in [("min", "Text Validation Min"), ("max", "Text Validation Max")] {
        if !row.get(column).is_empty() {
            builder.lost(Note::of(row.at(name), "granicu ima samo brojno polje", row.get(column)));
        }
    }
}

/// `1, Yes | 2, No`.
fn choices(builder: &mut Builder, row: &Row) -> Vec<Choice> {
    let mut found: Vec<Choice> = Vec::new();
    for one in row.get("choices").split('|').map(str::trim).filter(|one| !one.is_empty()) {
        let (code, label) = one.split_once(',').unwrap_or((one, one));
        let (code, label) = (code.trim().to_owned(), label.trim().to_owned());
        if found.iter().any(|known| known.code == code) {
            builder.lost(Note::of(row.at("Choices"), CODE_TWICE, one));
            continue;
        }
        found.push(Choice::coded(code, label));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "\"Variable / Field Name\",\"Form Name\",\"Section Header\",\"Field Type\",\"Field Label\",\"Choices, Calculations, OR Slider Labels\",\"Field Note\",\"Text Validation Type OR Show Slider Number\",\"Text Validation Min\",\"Text Validation Max\",Identifier?,\"Branching Logic (Show field only if...)\",\"Required Field?\",\"Custom Alignment\",\"Question Number (surveys only)\",\"Matrix Group Name\",\"Matrix Ranking?\",\"Field Annotation\"\n";

    fn of(rows: &str) -> Foreign {
        read(format!("{HEADER}{rows}").as_bytes()).unwrap()
    }

    #[test]
    fn a_dictionary_becomes_forms_with_their_formulas() {
        let read = of("record_id,demographics,,text,Study ID,,,,,,,,,,,,,\n\
             height,demographics,Measures,text,Height,,cm,number,130,215,,,y,,,,,\n\
             weight,demographics,,text,Weight,,kg,integer,35,200,,,,,,,,\n\
             bmi,demographics,,calc,BMI,\"round(([weight]*10000)/([height]*[height]),1)\",,,,,,,,,,,,\n\
             smoker,habits,,yesno,Smoker,,,,,,,,,,,,,\n\
             packs,habits,,radio,Packs,\"1, One | 2, Two\",,,,,,[smoker] = '1',y,,,,,\n");
        let [demographics, habits] = read.definition.forms.as_slice() else { panic!("{:?}", read.definition.forms.len()) };
        assert_eq!((demographics.naziv.as_str(), habits.sifra_veza.as_str()), ("Demographics", "habits"));
        let field = |code: &str| demographics.polja.iter().chain(&habits.polja).find(|field| field.sifra == code).unwrap();
        assert_eq!(field("bmi").own.formula_za_racunanje.as_deref(), Some("round($(weight) * 10000 / ($(height) * $(height)), 1)"));
        assert_eq!(field("packs").own.formula_za_prikaz.as_deref(), Some("selected($(smoker), true)"));
        assert_eq!((field("height").nadredjeni.as_deref(), field("height").own.opcioni), (Some("panel_height"), false));
        assert_eq!(field("weight").own.gornja_referentna_brojna_vrednost, Some(200.into()));
        assert_eq!(read.unmapped, []);
    }

    #[test]
    fn what_does_not_map_is_told_with_its_row_and_column() {
        let read = of("scan,images,,sql,Scan,,,,,,,,,,,,,\n\
             age,images,,calc,Age,\"datediff([dob],'today','y')\",,,,,,,,,,,,@HIDDEN\n");
        let told: Vec<_> = read.unmapped.iter().map(|note| (note.mesto.as_str(), note.poruka.as_str())).collect();
        assert_eq!(
            told,
            [
                ("red 2, kolona „Field Type”", "vrsta polja „sql” se ne prenosi"),
                ("red 3, kolona „Field Annotation”", "oznake radnji (@…) se ne prenose"),
                ("red 3, kolona „Choices, Calculations”", "računanje nije preneto (nema polja „dob”); polje se unosi ručno"),
            ]
        );
        let note = read.definition.forms[0].polja[0].own.napomena_dizajnera.clone().unwrap();
        assert!(note.contains("datediff([dob],'today','y')"), "{note}");
        assert!(super::read(b"a,b\n1,2\n").unwrap_err().poruka.contains("nije REDCap"));
    }
}
