//! Sections: tables of their own in one report, upright and across, each with its heading and totals.
use calamine::{Data, Reader, Xlsx, open_workbook};
use report_engine::plan::{Format, Value};
use report_engine::render::{Limits, RenderError};

use crate::support::{File, check_pdf, context, pdf_text, text, try_render};

/// The rows of `deo` 1 are one table, those of every other value are repeated tables of another shape.
const SOURCE: &str = r#"{{#report page="A4" size=9}}
  {{#section by="deo" value="1"}}{{#sectionHead}}Pregled{{/sectionHead}}
    {{col "dob" head="Dob"}}{{col "broj" head="Broj" foot="sum"}}{{#summary}}Svega{{/summary}}
    {{chart "bar" x="dob" y="broj" title="Po dobi"}}{{/section}}
  {{#section page="A4-landscape"}}{{#sectionHead}}Registar: {{deo}}{{/sectionHead}}
    {{#group by="pol" head="Pol"}}{{pol}}{{/group}}
    {{col "dob" head="Dob"}}{{col "broj" head="Broj" foot="sum"}}{{#summary}}Svega {{deo}}, redova {{n}}{{/summary}}
    {{note "Samo poslednji pregled."}}{{/section}}
{{/report}}"#;

type Row = (&'static str, &'static str, &'static str, i64);
const ROWS: [Row; 6] = [
    ("1", "", "do 39", 12),
    ("1", "", "40+", 33),
    ("RA", "Muški", "do 39", 1),
    ("RA", "Ženski", "40+", 2),
    ("IM: a/b", "Muški", "40+", 4),
    ("RA", "Muški", "40+", 8),
];

fn made(format: Format, source: &str, rows: &[Row]) -> Result<File, RenderError> {
    let columns = ["deo", "pol", "dob", "broj"].map(str::to_owned);
    let rows = rows.iter().map(|(deo, pol, dob, broj)| vec![text(deo), text(pol), text(dob), Value::Int(*broj)]);
    try_render(source, &context(format), &columns, rows, &Limits::default())
}

#[test]
fn each_section_begins_a_page_of_its_own_shape_with_its_heading_and_totals() {
    let file = made(Format::Pdf, SOURCE, &ROWS).expect("it renders");
    check_pdf(&file.path);
    let shown = pdf_text(&file.path);
    let pages: Vec<String> = shown.split('\u{c}').map(|page| page.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    for (page, wanted) in pages.iter().zip([
        vec!["Pregled", "Svega 45", "Po dobi – Pregled"],
        vec!["Registar: RA", "Svega RA, redova 2 3", "Samo poslednji pregled."],
        vec!["Registar: IM: a/b", "Svega IM: a/b, redova 1 4"],
        vec!["Registar: RA", "Svega RA, redova 1 8", "Strana 4 od 4"],
    ]) {
        wanted.iter().for_each(|wanted| assert!(page.contains(wanted), "{wanted} in {page}"));
    }
    let document = lopdf::Document::load(&file.path).expect("a PDF");
    let is_across = |id: lopdf::ObjectId| document.get_dictionary(id).expect("a page").has(b"MediaBox");
    let across: Vec<bool> = document.get_pages().into_values().map(is_across).collect();
    assert_eq!(across, [false, true, true, true]);
}

#[test]
fn a_workbook_has_a_sheet_for_each_of_them() {
    let file = made(Format::Xlsx, SOURCE, &ROWS).expect("it renders");
    let mut workbook: Xlsx<_> = open_workbook(&file.path).expect("a workbook");
    assert_eq!(workbook.sheet_names(), ["Pregled", "Registar RA", "Registar IM a b", "Registar RA (2)", "Grafikoni"]);
    for (name, sum) in [("Pregled", 45.0), ("Registar RA", 3.0), ("Registar RA (2)", 8.0)] {
        let sheet = workbook.worksheet_range(name).expect("the sheet");
        let last = sheet.rows().rfind(|row| row[0].to_string().starts_with("Svega")).expect("the summary");
        assert_eq!(last.last(), Some(&Data::Float(sum)), "{name}");
        let formulas = workbook.worksheet_formula(name).expect("the sheet");
        assert_eq!(formulas.cells().filter(|(_, _, formula)| formula.starts_with("SUBTOTAL(9,")).count(), 1, "{name}");
    }
}

#[test]
fn csv_is_one_table_where_the_columns_are_the_same() {
    let file = made(Format::Csv, SOURCE, &ROWS).expect("it renders");
    let written = std::fs::read_to_string(&file.path).expect("readable");
    let lines: Vec<&str> = written.trim_start_matches('\u{FEFF}').lines().collect();
    let wanted = [
        "deo;Dob;Broj",
        "1;do 39;12",
        "1;40+;33",
        ";;;",
        "deo;Pol;Dob;Broj",
        "RA;Muški;do 39;1",
        "RA;Ženski;40+;2",
        "IM: a/b;Muški;40+;4",
        "RA;Muški;40+;8",
    ];
    assert_eq!(lines, wanted);
}

#[test]
fn a_value_without_a_section_fails_and_says_so() {
    let source = SOURCE.replace("{{#section page=", "{{#section value=\"RA\" page=");
    for format in Format::ALL {
        let error = made(format, &source, &ROWS).err().expect("it is refused");
        assert_eq!(error.message(), "Šablon izveštaja nema odeljak za vrednost „IM: a/b“ kolone „deo“, koju upit vraća.");
    }
    let shown = pdf_text(&made(Format::Pdf, SOURCE, &[]).expect("it renders").path);
    assert!(shown.contains("Nema podataka"), "{shown}");
}

#[test]
fn more_sections_than_a_workbook_takes_fail_and_do_not_in_the_other_formats() {
    let names: Vec<&'static str> = (0..201).map(|number| &*format!("R{number}").leak()).collect();
    let rows: Vec<Row> = names.iter().map(|name| (*name, "Muški", "40+", 1)).collect();
    assert!(matches!(made(Format::Xlsx, SOURCE, &rows), Err(RenderError::TooManySections { limit: 200, .. })));
    assert_eq!(made(Format::Pdf, SOURCE, &rows).expect("it renders").rendered.pages, Some(201));
}

#[test]
fn names_in_any_section_are_found_before_any_row() {
    let source = SOURCE.replace(
        "{{col \"dob\" head=\"Dob\"}}{{col \"broj\" head=\"Broj\" foot=\"sum\"}}{{#summary}}Svega {{deo}}",
        "{{col \"nema\"}}{{#summary}}x",
    );
    assert!(matches!(made(Format::Csv, &source, &[]), Err(RenderError::UnknownColumn { column }) if column == "nema"));
}
