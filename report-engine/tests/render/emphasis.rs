//! Cells that catch the eye, and notes under a table.
use report_engine::plan::{Format, Value};
use report_engine::render::Limits;

use crate::support::{File, check_pdf, context, pdf_text, text, try_render};

const SOURCE: &str = r#"{{#report}}{{col "ime" head="Ime"}}{{col "das28" head="DAS28" emphasis="> 5,1"}}
  {{note "Istaknut je DAS28 veći od 5,1."}}{{note ""}}{{note "Izvor: " ustanova}}{{/report}}"#;

fn made(format: Format, rows: &[(&str, Value)]) -> File {
    let columns = ["ime", "das28"].map(str::to_owned);
    let rows = rows.iter().map(|(ime, das28)| vec![text(ime), das28.clone()]);
    try_render(SOURCE, &context(format), &columns, rows, &Limits::default()).expect("it renders")
}

fn rows() -> [(&'static str, Value); 4] {
    [("Ana", Value::Int(5)), ("Đuro", Value::Float(5.2)), ("Žika", Value::Null), ("Čeda", Value::Float(6.0))]
}

#[test]
fn cells_that_meet_the_condition_are_bold_on_a_shade() {
    let file = made(Format::Pdf, &rows());
    check_pdf(&file.path);
    let document = lopdf::Document::load(&file.path).expect("a PDF");
    let page = *document.get_pages().values().next().expect("a page");
    let content = String::from_utf8_lossy(&document.get_page_content(page).expect("content")).into_owned();
    let (_, shaded) = content.split_once("0.99 0.92 0.91 rg").expect("the shade");
    let text_begins = shaded.find("BT").expect("text");
    assert_eq!(shaded[..text_begins].matches(" re f").count(), 2, "{shaded}");
    assert!(content.contains("0.66 0.11 0.11 rg"), "dark red");
}

#[test]
fn a_workbook_gives_them_a_format_of_their_own() {
    let file = made(Format::Xlsx, &rows());
    let mut archive = zip::ZipArchive::new(std::fs::File::open(&file.path).expect("a file")).expect("an archive");
    let xml = std::io::read_to_string(archive.by_name("xl/worksheets/sheet1.xml").expect("a sheet")).expect("text");
    let style_of = |number: &str| {
        let (before, _) = xml.split_once(&format!("<v>{number}</v>")).unwrap_or_else(|| panic!("{number} in {xml}"));
        let cell = before.rsplit_once("<c ").expect("a cell").1;
        cell.split_once("s=\"").map(|(_, style)| style.split_once('"').expect("its end").0.to_owned())
    };
    assert!(style_of("5.2").is_some() && style_of("6").is_some());
    assert_ne!(style_of("5"), style_of("6"));
    assert_eq!(xml.matches("<row r=\"14\"").count(), 1, "each row once, also one that was made higher");
}

#[test]
fn notes_stand_under_the_table_and_not_in_csv() {
    let shown = pdf_text(&made(Format::Pdf, &rows()).path);
    let place = |wanted: &str| shown.find(wanted).unwrap_or_else(|| panic!("{wanted} in {shown}"));
    assert!(place("Čeda") < place("Istaknut je DAS28 veći od 5,1.") && place("5,1.") < place("Izvor: Institut za reumatologiju"));
    let empty = pdf_text(&made(Format::Pdf, &[]).path);
    assert!(empty.contains("Nema podataka") && empty.contains("Izvor: Institut"), "{empty}");
    let file = made(Format::Xlsx, &rows());
    let mut workbook: calamine::Xlsx<_> = calamine::open_workbook(&file.path).expect("a workbook");
    let sheet = calamine::Reader::worksheet_range(&mut workbook, "Izveštaj").expect("the sheet");
    let last = sheet.rows().next_back().expect("a row")[0].to_string();
    assert_eq!(last, "Izvor: Institut za reumatologiju");
    let csv = std::fs::read_to_string(made(Format::Csv, &rows()).path).expect("readable");
    assert!(!csv.contains("Istaknut"), "{csv}");
}
