//! Cross-tables: a column's values become columns, with their totals, and nothing of them is lost.
use calamine::{Data, Reader, Xlsx, open_workbook};
use jiff::civil::date;
use report_engine::plan::{Format, Value};
use report_engine::render::{Cap, Limits, Overflow, RenderError};

use crate::support::{File, check_pdf, context, pdf_text, text, try_render};

const SOURCE: &str = r#"{{#report size=9}}{{#group by="registar" head="Registar"}}{{registar}}{{/group}}
  {{col "dob" head="Dob"}}{{cross "mesec" value="broj" headFormat="MM.yyyy." total="Svi meseci"}}
  {{#groupFoot}}Ukupno {{registar}}, redova {{n}}{{/groupFoot}}{{#summary}}Svega{{/summary}}
  {{chart "bar" x="dob" y="broj" title="Po dobi"}}{{/report}}"#;

type Row = (&'static str, &'static str, Option<i8>, i64, i64);

/// The rows of a line are neighbours only for the first of them.
const ROWS: [Row; 7] = [
    ("RA", "do 39", Some(2), 12, 4),
    ("RA", "do 39", Some(2), 20, 4),
    ("RA", "40+", Some(1), 33, 10),
    ("RA", "do 39", Some(1), 2, 1),
    ("RA", "40+", None, 5, 5),
    ("IM", "do 39", Some(5), 71, 2),
    ("IM", "do 39", Some(1), 62, 1),
];

fn made(format: Format, source: &str, rows: &[Row], limits: &Limits) -> Result<File, RenderError> {
    let columns = ["registar", "dob", "mesec", "broj", "umrli"].map(str::to_owned);
    let rows = rows.iter().map(|(registar, dob, mesec, broj, umrli)| {
        let mesec = mesec.map_or(Value::Null, |month| Value::Date(date(2026, month, 1)));
        vec![text(registar), text(dob), mesec, Value::Int(*broj), Value::Int(*umrli)]
    });
    try_render(source, &context(format), &columns, rows, limits)
}

fn csv(source: &str, rows: &[Row]) -> Vec<String> {
    let file = made(Format::Csv, source, rows, &Limits::default()).expect("it renders");
    let written = std::fs::read_to_string(&file.path).expect("readable");
    written.trim_start_matches('\u{FEFF}').lines().map(str::to_owned).collect()
}

#[test]
fn values_become_columns_in_their_order_and_cells_without_a_row_stay_blank() {
    let wanted = [
        "Registar;Dob;01.2026.;02.2026.;05.2026.;bez podatka;Svi meseci",
        "RA;do 39;2;32;;;34",
        "RA;40+;33;;;5;38",
        "IM;do 39;62;;71;;133",
    ];
    assert_eq!(csv(SOURCE, &ROWS), wanted);
}

#[test]
fn lines_groups_and_the_whole_have_their_totals_on_the_page() {
    let file = made(Format::Pdf, SOURCE, &ROWS, &Limits::default()).expect("it renders");
    check_pdf(&file.path);
    let shown = pdf_text(&file.path);
    let lines: Vec<String> = shown.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    for wanted in
        ["Dob 01.2026. 02.2026. 05.2026. bez podatka Svi meseci", "do 39 2 32 34", "Ukupno RA, 35 32 5 72", "Svega 97 32 71 5 205"]
    {
        assert!(lines.iter().any(|line| line == wanted), "{wanted} in {lines:#?}");
    }
    assert!(shown.contains("Po dobi") && shown.contains("167"), "the chart adds up the rows, not the lines: {shown}");
}

#[test]
fn a_workbook_adds_the_columns_up_by_formulas() {
    let file = made(Format::Xlsx, SOURCE, &ROWS, &Limits::default()).expect("it renders");
    let mut workbook: Xlsx<_> = open_workbook(&file.path).expect("a workbook");
    let sheet = workbook.worksheet_range("Izveštaj").expect("the sheet");
    let last = sheet.rows().rfind(|row| row[0] == Data::String("Svega".to_owned())).expect("the summary");
    assert_eq!(last[2..], [97.0, 32.0, 71.0, 5.0, 205.0].map(Data::Float));
    let formulas = workbook.worksheet_formula("Izveštaj").expect("the sheet");
    assert_eq!(formulas.cells().filter(|(_, _, formula)| formula.starts_with("SUBTOTAL(9,")).count(), 12, "blank totals have none");
    assert!(workbook.sheet_names().contains(&"Grafikoni".to_owned()));
}

#[test]
fn a_ratio_is_one_of_sums_in_cells_and_totals() {
    let source = r#"{{#report}}{{col "registar" head="R"}}{{cross "dob" value="umrli/broj*100" format="0,0" orderBy="umrli" total="Svi"}}{{#summary}}Svega{{/summary}}{{/report}}"#;
    assert_eq!(csv(source, &ROWS[..5]), ["R;do 39;40+;Svi", "RA;26,4705882353;39,4736842105;33,3333333333"]);
    let each = source.replace("umrli/broj*100", "umrli/count");
    assert_eq!(csv(&each, &ROWS[..4]), ["R;do 39;40+;Svi", "RA;3;10;4,75"], "over the rows of each");
    let shown = pdf_text(&made(Format::Pdf, source, &ROWS, &Limits::default()).expect("it renders").path);
    assert!(shown.contains("26,5") && shown.split_whitespace().collect::<Vec<_>>().join(" ").contains("Svega 7,2 39,5 13,2"), "{shown}");
}

#[test]
fn more_values_than_allowed_fail_and_say_so() {
    let narrow = SOURCE.replace("total=", "limit=3 total=");
    for format in Format::ALL {
        let error = made(format, &narrow, &ROWS, &Limits::default()).err().expect("it is refused");
        assert_eq!(error.code().name(), "too_large");
        assert!(error.message().starts_with("Kolona „mesec“ ima više od 3 različitih vrednosti"), "{}", error.message());
    }
    let limits = Limits { pdf: Cap { rows: 2, overflow: Overflow::Fail }, ..Limits::default() };
    assert!(matches!(made(Format::Pdf, SOURCE, &ROWS, &limits), Err(RenderError::TooManyRows { limit: 2, .. })), "three lines");
    let limits = Limits { cross: Cap { rows: 6, overflow: Overflow::Fail }, ..Limits::default() };
    assert!(matches!(made(Format::Pdf, SOURCE, &ROWS, &limits), Err(RenderError::TooManyRows { limit: 6, .. })), "seven rows");
}

#[test]
fn without_rows_it_says_so() {
    let shown = pdf_text(&made(Format::Pdf, SOURCE, &[], &Limits::default()).expect("it renders").path);
    assert!(shown.contains("Nema podataka"), "{shown}");
    assert_eq!(csv(SOURCE, &[]), ["Registar;Dob"]);
}

#[test]
fn names_of_a_cross_table_are_found_before_any_row() {
    for (source, name) in [
        ("{{cross \"nema\" value=\"broj\"}}", "nema"),
        ("{{cross \"dob\" value=\"nista\"}}", "nista"),
        ("{{cross \"dob\" value=\"broj\" orderBy=\"red\"}}", "red"),
    ] {
        let source = format!("{{{{#report}}}}{{{{col \"registar\"}}}}{source}{{{{/report}}}}");
        let error = made(Format::Csv, &source, &[], &Limits::default()).err();
        assert!(matches!(&error, Some(RenderError::UnknownColumn { column }) if column == name), "{error:?}");
    }
}
