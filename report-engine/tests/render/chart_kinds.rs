//! Kinds of charts that show rows, and what charts are read against: steps, points, histograms, boxes, bands, references, scales.
use calamine::{Data, Reader, Xlsx, open_workbook};
use report_engine::plan::{Format, Value};
use report_engine::render::{Limits, RenderError};

use crate::support::{File, check_pdf, context, pdf_text, text, try_render};
use crate::xlsx::part;

const COLUMNS: [&str; 5] = ["grupa", "dan", "s", "od", "do"];

type Row = (&'static str, i64, f64, f64, f64);

fn render(format: Format, chart: &str, rows: &[Row]) -> Result<File, RenderError> {
    let source = format!("{{{{#report}}}}{{{{col \"grupa\"}}}}{chart}{{{{/report}}}}");
    let columns = COLUMNS.map(str::to_owned);
    let rows = rows.iter().map(|(group, day, share, low, high)| {
        vec![text(group), Value::Int(*day), Value::Float(*share), Value::Float(*low), Value::Float(*high)]
    });
    try_render(&source, &context(format), &columns, rows, &Limits::default())
}

fn made(format: Format, chart: &str, rows: &[Row]) -> File {
    let file = render(format, chart, rows).unwrap_or_else(|error| panic!("{chart}: {}", error.message()));
    // For who wants to look.
    if let Some(folder) = std::env::var_os("CHART_PICTURES") {
        let name: String = chart.chars().filter(char::is_ascii_alphanumeric).take(60).collect();
        let path = std::path::Path::new(&folder).join(format!("{name}.{}", format.extension()));
        std::fs::copy(&file.path, path).expect("a folder to look into");
    }
    file
}

const ROWS: [Row; 6] = [
    ("Žene", 0, 1.0, 1.0, 1.0),
    ("Žene", 30, 0.9, 0.8, 0.95),
    ("Žene", 400, 0.6, 0.4, 0.7),
    ("Muškarci", 0, 1.0, 1.0, 1.0),
    ("Muškarci", 55, 0.8, 0.7, 0.85),
    ("Muškarci", 380, 0.5, 0.3, 0.65),
];
const SURVIVAL: &str = r#"{{chart "step" x="dan" seriesBy="grupa" y="s" low="od" high="do" scale="percent" title="Preživljavanje" xTitle="Dani" reference="0,5 medijana"}}"#;

#[test]
fn steps_with_a_band_are_drawn_on_an_axis_of_percents() {
    let file = made(Format::Pdf, SURVIVAL, &ROWS);
    check_pdf(&file.path);
    let shown = pdf_text(&file.path);
    for wanted in ["Preživljavanje", "Muškarci", "Žene", "0%", "100%", "Dani", "medijana"] {
        assert!(shown.contains(wanted), "{wanted} in {shown}");
    }
}

#[test]
fn a_workbook_doubles_the_points_of_steps_and_has_the_ends_of_a_band() {
    let file = made(Format::Xlsx, SURVIVAL, &ROWS);
    let chart = part(&file.path, "xl/charts/chart1.xml");
    assert!(chart.contains("<c:scatterChart>"), "{chart}");
    // A band's two ends and the steps of each of two series, and the reference.
    assert_eq!(chart.matches("<c:ser>").count(), 7, "{chart}");
    let mut workbook: Xlsx<_> = open_workbook(&file.path).unwrap();
    let sheet = workbook.worksheet_range("Grafikoni").unwrap();
    let head = sheet.rows().nth(1).unwrap().iter().position(|cell| *cell == Data::String("Žene".to_owned())).expect("the steps of Žene");
    let column = |at: usize| -> Vec<f64> {
        sheet.rows().skip(2).map_while(|row| if let Data::Float(number) = row[at] { Some(number) } else { None }).collect()
    };
    assert_eq!((column(head - 1), column(head)), (vec![0.0, 30.0, 30.0, 400.0, 400.0], vec![1.0, 1.0, 0.9, 0.9, 0.6]));
}

#[test]
fn error_bars_stand_about_bars_and_points() {
    let bar = r#"{{chart "bar" x="grupa" y="avg:s" low="min:od" high="max:do" title="Udeo"}}"#;
    check_pdf(&made(Format::Pdf, bar, &ROWS).path);
    let chart = part(&made(Format::Xlsx, bar, &ROWS).path, "xl/charts/chart1.xml");
    for wanted in ["<c:errBars>", "<c:barChart>", "<c:min val=\"0\"/>"] {
        assert!(chart.contains(wanted), "{wanted} in {chart}");
    }
    let points = r#"{{chart "points" x="dan" y="s" low="od" high="do" title="Tačke"}}"#;
    check_pdf(&made(Format::Pdf, points, &ROWS).path);
    let chart = part(&made(Format::Xlsx, points, &ROWS).path, "xl/charts/chart1.xml");
    for wanted in ["<c:errBars>", "<c:scatterChart>", "<c:symbol val=\"circle\"/>"] {
        assert!(chart.contains(wanted), "{wanted} in {chart}");
    }
}

#[test]
fn every_row_is_a_point_though_several_have_one_x() {
    let rows = [("a", 5, 1.0, 0.0, 0.0), ("a", 5, 2.0, 0.0, 0.0), ("a", 5, 2.0, 0.0, 0.0)];
    let file = made(Format::Xlsx, r#"{{chart "points" x="dan" y="s" title="Tačke"}}"#, &rows);
    let mut workbook: Xlsx<_> = open_workbook(&file.path).unwrap();
    let sheet = workbook.worksheet_range("Grafikoni").unwrap();
    let shown: Vec<(f64, f64)> = sheet
        .rows()
        .skip(2)
        .filter_map(|row| match (&row[0], &row[1]) {
            (Data::Float(x), Data::Float(y)) => Some((*x, *y)),
            _ => None,
        })
        .collect();
    assert_eq!(shown, [(5.0, 1.0), (5.0, 2.0), (5.0, 2.0)]);
}

#[test]
fn a_histogram_counts_rows_by_bins() {
    let rows: Vec<Row> = (0..100).map(|day| ("a", day, 0.0, 0.0, 0.0)).collect();
    for (bins, wanted) in [("bins=\"4\"", vec![25.0; 4]), ("bins=\"width:30\"", vec![30.0, 30.0, 30.0, 10.0]), ("", vec![20.0; 5])] {
        let chart = format!("{{{{chart \"histogram\" x=\"dan\" {bins} title=\"Raspodela\" reference=\"65 granica\"}}}}");
        let file = made(Format::Xlsx, &chart, &rows);
        let mut workbook: Xlsx<_> = open_workbook(&file.path).unwrap();
        let sheet = workbook.worksheet_range("Grafikoni").unwrap();
        let counts: Vec<f64> =
            sheet.rows().skip(2).map_while(|row| if let Data::Float(count) = row[1] { Some(count) } else { None }).collect();
        assert_eq!(counts, wanted, "{bins}");
        let shown = pdf_text(&made(Format::Pdf, &chart, &rows).path);
        assert!(shown.contains("Raspodela") && shown.contains("granica"), "{shown}");
    }
}

#[test]
fn boxes_tell_their_n_and_stand_over_names() {
    let rows: Vec<Row> = (1..=9).map(|day| ("Žene", day, if day == 9 { 30.0 } else { day as f64 }, 0.0, 0.0)).collect();
    let chart = r#"{{chart "box" x="grupa" y="s" title="Kutije" yTitle="Skor"}}"#;
    let file = made(Format::Pdf, chart, &rows);
    check_pdf(&file.path);
    let shown = pdf_text(&file.path);
    assert!(shown.contains("n=9") || shown.contains("n = 9"), "{shown}");
    let file = made(Format::Xlsx, chart, &rows);
    let mut workbook: Xlsx<_> = open_workbook(&file.path).unwrap();
    let row: Vec<Data> = workbook.worksheet_range("Grafikoni").unwrap().rows().nth(2).unwrap()[1..8].to_vec();
    assert_eq!(row, [3.0, 1.0, 5.0, 8.0, 7.0, 9.0, 1.0].map(Data::Float));
    let chart = part(&file.path, "xl/charts/chart1.xml");
    assert!(chart.contains("<c:grouping val=\"stacked\"/>") && chart.matches("<c:errBars>").count() == 2, "{chart}");
    let below: Vec<Row> = rows.iter().map(|(group, day, score, low, high)| (*group, *day, score - 4.0, *low, *high)).collect();
    let chart = part(&made(Format::Xlsx, r#"{{chart "box" x="grupa" y="s" title="Ispod nule"}}"#, &below).path, "xl/charts/chart1.xml");
    assert!(chart.contains("<c:upDownBars>") && chart.contains("<c:hiLowLines"), "{chart}");
}

#[test]
fn a_logarithm_of_zero_is_told_in_the_place_of_the_chart() {
    let chart = r#"{{chart "line" x="dan" y="s" scale="log" title="CRP"}}"#;
    let rows = [("a", 1, 5.0, 0.0, 0.0), ("a", 2, 0.0, 0.0, 0.0)];
    let wanted = "Grafikon „CRP“ nije nacrtan: logaritamska osa ne prikazuje nulu i negativne brojeve, a među vrednostima je 0.";
    let shown = pdf_text(&made(Format::Pdf, chart, &rows).path);
    assert!(shown.split_whitespace().collect::<Vec<_>>().join(" ").contains(wanted), "{shown}");
    let file = made(Format::Xlsx, chart, &rows);
    let mut workbook: Xlsx<_> = open_workbook(&file.path).unwrap();
    assert_eq!(workbook.worksheet_range("Grafikoni").unwrap().get_value((1, 0)), Some(&Data::String(wanted.to_owned())));
    let positive = [("a", 1, 5.0, 0.0, 0.0), ("a", 2, 500.0, 0.0, 0.0)];
    let shown = pdf_text(&made(Format::Pdf, chart, &positive).path);
    assert!(shown.contains("500") && !shown.contains("nije nacrtan"), "{shown}");
}

#[test]
fn what_a_kind_does_not_take_is_refused_in_words() {
    for (chart, wanted) in [
        (r#"{{chart "histogram" x="dan" y="s"}}"#, "ne prima „y“"),
        (r#"{{chart "bar" x="grupa" y="s" bins="5"}}"#, "samo za vrstu „histogram“"),
        (r#"{{chart "histogram" x="dan" bins="mnogo"}}"#, "„width:5“"),
        (r#"{{chart "box" x="grupa" y="avg:s"}}"#, "prima samo kolone"),
        (r#"{{chart "line" x="dan" y="s" low="od"}}"#, "zajedno"),
        (r#"{{chart "pie" x="grupa" y="s" low="od" high="do"}}"#, "samo za vrste „line“"),
        (r#"{{chart "bar" x="grupa" y="s" scale="log"}}"#, "visina stubića počinje od nule"),
        (r#"{{chart "line" x="dan" y="s" reference="visoko"}}"#, "„reference“"),
        (r#"{{chart "line" x="dan" y="s" scale="kvadrat"}}"#, "već: linear, log, percent"),
    ] {
        match render(Format::Pdf, chart, &ROWS) {
            Ok(_) => panic!("{chart} is made"),
            Err(error) => assert!(error.message().contains(wanted), "{chart}: {}", error.message()),
        }
    }
}
