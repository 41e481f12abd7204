//! Charts of a whole and its parts: pies and stacked bars, on the page and in the workbook.
use calamine::{Data, DataType, Reader, Xlsx, open_workbook};
use report_engine::plan::{Format, Value};
use report_engine::render::Limits;

use crate::support::{File, check_pdf, context, pdf_text, text, try_render};
use crate::xlsx::part;

fn chart(format: Format, chart: &str, rows: &[(&str, &str, i64)]) -> File {
    let source = format!("{{{{#report}}}}{{{{col \"dob\"}}}}{chart}{{{{/report}}}}");
    let columns = ["dob", "pol", "broj"].map(str::to_owned);
    let rows = rows.iter().map(|(dob, pol, broj)| vec![text(dob), text(pol), Value::Int(*broj)]);
    try_render(&source, &context(format), &columns, rows, &Limits::default()).expect("it renders")
}

const PIE: &str = r#"{{chart "pie" x="dob" y="broj" title="Po dobi"}}"#;
const STACKED: &str = r#"{{chart "stacked" x="dob" seriesBy="pol" y="broj" title="Po dobi i polu"}}"#;
const ROWS: [(&str, &str, i64); 4] =
    [("do 39", "Muški", 10), ("do 39", "Ženski", 20), ("40 i više", "Muški", 30), ("40 i više", "Ženski", 40)];

#[test]
fn a_pie_tells_numbers_and_shares_of_its_parts() {
    let file = chart(Format::Pdf, PIE, &ROWS);
    check_pdf(&file.path);
    let shown = pdf_text(&file.path);
    for wanted in ["Po dobi", "do 39: 30 (30,0%)", "40 i više: 70 (70,0%)"] {
        assert!(shown.contains(wanted), "{wanted} in {shown}");
    }
}

#[test]
fn the_smallest_parts_of_a_pie_become_one_and_what_is_below_zero_is_told() {
    let names: Vec<String> = (1..=10).map(|number| format!("d{number}")).collect();
    let mut rows: Vec<(&str, &str, i64)> = names.iter().zip(1..).map(|(name, number)| (name.as_str(), "", number * 10)).collect();
    rows.push(("manjak", "", -5));
    let shown = pdf_text(&chart(Format::Pdf, PIE, &rows).path);
    assert!(shown.contains("d4: 40 (7,3%)") && shown.contains("Ostalo (3): 60 (10,9%)"), "{shown}");
    assert!(!shown.contains("d3: "), "{shown}");
    assert!(shown.contains("Po dobi (bez negativnih vrednosti)") && !shown.contains("manjak:"), "{shown}");
}

#[test]
fn stacked_bars_carry_their_parts_and_their_whole() {
    let file = chart(Format::Pdf, STACKED, &ROWS);
    check_pdf(&file.path);
    let shown = pdf_text(&file.path);
    let numbers: Vec<&str> = shown.split_whitespace().filter(|word| ["10", "20", "30", "40", "70"].contains(word)).collect();
    for wanted in ["10", "20", "30", "40", "70"] {
        assert!(numbers.contains(&wanted), "{wanted} in {shown}");
    }
    assert!(shown.contains("Muški") && shown.contains("Ženski"), "{shown}");
}

#[test]
fn a_chart_of_a_workbook_prints_on_one_page_alone_where_its_numbers_would_take_more() {
    for (values, alone) in [(8, false), (90, true)] {
        let names: Vec<String> = (0..values).map(|number| format!("v{number:02}")).collect();
        let rows: Vec<(&str, &str, i64)> = names.iter().map(|name| (name.as_str(), "Muški", 5)).collect();
        let file = chart(Format::Xlsx, STACKED, &rows);
        let sheet = part(&file.path, "xl/worksheets/sheet2.xml");
        assert!(sheet.contains("fitToPage=\"1\"") && sheet.contains("<pageSetup"), "{sheet}");
        assert!(!sheet.contains("fitToHeight=\"0\"") && !sheet.contains("fitToWidth=\"0\""), "as many pages as one: {sheet}");
        assert_eq!(part(&file.path, "xl/workbook.xml").contains("_xlnm.Print_Area"), alone, "{values} values");
    }
}

#[test]
fn a_workbook_has_them_as_native_charts_of_its_numbers() {
    for (declared, mark, beside) in [(PIE, "<c:pieChart>", 30.0), (STACKED, "<c:grouping val=\"stacked\"/>", 10.0)] {
        let file = chart(Format::Xlsx, declared, &ROWS);
        let mut archive = zip::ZipArchive::new(std::fs::File::open(&file.path).expect("a file")).expect("an archive");
        let xml = std::io::read_to_string(archive.by_name("xl/charts/chart1.xml").expect("a chart")).expect("text");
        assert!(xml.contains(mark), "{mark} in {xml}");
        let mut workbook: Xlsx<_> = open_workbook(&file.path).expect("a workbook");
        let sheet = workbook.worksheet_range("Grafikoni").expect("the sheet");
        assert_eq!(sheet.get_value((2, 1)), Some(&Data::Float(beside)));
    }
}

const LINE: &str = r#"{{chart "line" x="dan" bucket="value" seriesBy="grupa" y="avg:s" title="Preživljavanje"}}"#;

fn line(format: Format, rows: &[(i64, &str, f64)]) -> File {
    let source = format!("{{{{#report}}}}{{{{col \"dan\"}}}}{LINE}{{{{/report}}}}");
    let columns = ["dan", "grupa", "s"].map(str::to_owned);
    let rows = rows.iter().map(|(day, group, share)| vec![Value::Int(*day), text(group), Value::Float(*share)]);
    try_render(&source, &context(format), &columns, rows, &Limits::default()).expect("it renders")
}

#[test]
fn lines_of_a_workbook_share_one_axis_of_numbers_whatever_order_their_values_come_in() {
    let file = line(Format::Xlsx, &[(2358, "Žene", 0.1), (30, "Žene", 0.9), (7, "Muškarci", 1.0)]);
    let mut workbook: Xlsx<_> = open_workbook(&file.path).unwrap();
    let places: Vec<f64> = workbook.worksheet_range("Grafikoni").unwrap().rows().filter_map(|row| row[0].get_float()).collect();
    assert_eq!(places, [7.0, 30.0, 2358.0]);
    let chart = part(&file.path, "xl/charts/chart1.xml");
    for wanted in ["<c:scatterChart>", "<c:min val=\"0\"/>", "<c:max val=\"2400\"/>", "<c:majorUnit val=\"200\"/>"] {
        assert!(chart.contains(wanted), "{wanted} in {chart}");
    }
    for symbol in ["circle", "square"] {
        assert_eq!(
            chart.matches(&format!("<c:symbol val=\"{symbol}\"/>")).count(),
            1,
            "a line of one value is seen, and each its way: {chart}"
        );
    }
}

#[test]
fn a_line_over_numbers_has_round_ones_from_before_the_first_to_after_the_last_under_it() {
    let days: Vec<(i64, &str, f64)> = (1..=40).map(|day| (day * 59 - 2, "Žene", 1.0 / day as f64)).collect();
    let shown = pdf_text(&line(Format::Pdf, &days).path);
    let under: Vec<&str> = shown.lines().find(|line| line.contains("1000")).unwrap_or_default().split_whitespace().collect();
    assert_eq!((under.first(), under.get(1), under.last()), (Some(&"0"), Some(&"200"), Some(&"2400")), "{shown}");
}
