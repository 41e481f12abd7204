//! A dozen reports as they were when somebody last looked at them: the text of the PDF, the cells of the workbook, the CSV.
//! A report that changes on purpose is renewed by `RENEW_GOLDEN=1`, and its difference is read in the commit.
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use calamine::{Data, Reader, Xlsx, open_workbook};
use domain::report_screen::{ScreenBlockKind, ScreenFile, ScreenLine, ScreenLineKind};
use domain::shown::with_hyphens;
use report_engine::plan::{Format, Value};
use report_engine::render::Limits;
use report_engine::template::Context;
use rust_decimal::{Decimal, RoundingStrategy};

use crate::support::{File, check_pdf, context, pdf_text, squeezed, try_render};

/// Each has its data beside what is made of it, and its template there or among the shipped ones.
const REPORTS: [(&str, Option<&str>); 12] = [
    ("aktivnost-bolesti-po-mesecima", Some("reports/aktivnost-bolesti-po-mesecima")),
    ("grafikoni", None),
    ("ishod-po-polu-i-dobi", Some("reports/ishod-po-polu-i-dobi")),
    ("karton-pacijenta", Some("reports/karton-pacijenta")),
    ("lista-pacijenata", Some("reports/lista-pacijenata")),
    ("odeljci", None),
    ("popunjenost-unosa", Some("reports/popunjenost-unosa")),
    ("pregledi", None),
    ("start-grupe", Some("start/2-grupe")),
    ("start-lista", Some("start/1-lista")),
    ("start-meseci", Some("start/3-meseci")),
    ("ukrstena-tabela", None),
];
/// Differences that are told of one file.
const MOST_TOLD: usize = 12;

#[test]
fn a_dozen_reports_are_what_they_were() {
    let renews = std::env::var_os("RENEW_GOLDEN").is_some();
    let mut told = String::new();
    for (name, shipped) in REPORTS {
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
        for (format, file) in [(Format::Pdf, "pdf.txt"), (Format::Xlsx, "xlsx.txt"), (Format::Csv, "csv.txt")] {
            let made = made(&folder, name, shipped, format);
            let path = folder.join(file);
            if renews {
                std::fs::write(&path, made).expect("writable");
                continue;
            }
            let kept = std::fs::read_to_string(&path).unwrap_or_default();
            told.push_str(&difference(&format!("{name}/{file}"), &kept, &made));
        }
    }
    assert!(told.is_empty(), "{told}RENEW_GOLDEN=1 keeps what is made now");
}

/// The same numbers on the screen, on paper and in the CSV: the three that are made from one plan in different ways.
#[test]
fn the_screen_shows_what_the_pdf_and_the_csv_hold() {
    for (name, shipped) in REPORTS {
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
        let file = rendered(&folder, name, shipped, Format::Screen);
        let mut screen =
            ScreenFile::open(std::fs::File::open(&file.path).expect("the file")).expect("readable").expect("a report on the screen");
        let blocks = screen.contents().blokovi.clone();
        let mut lines: Vec<ScreenLine> = Vec::new();
        for (place, block) in blocks.iter().enumerate().filter(|(_, block)| block.vrsta != ScreenBlockKind::Grafikon) {
            let all = screen.lines(place, 0, usize::MAX).expect("readable").expect("a block of lines");
            assert_eq!(all.len() as u64, block.linija, "{name}");
            lines.extend(all);
        }
        let pdf = made(&folder, name, shipped, Format::Pdf);
        let words: Vec<&str> = pdf.split_whitespace().collect();
        for cell in lines.iter().flat_map(|line| &line.celije).filter(|cell| number_of(cell).is_some()) {
            assert!(cell.split_whitespace().all(|part| words.contains(&part)), "{name}: {cell} is not in the PDF");
        }
        let csv = made(&folder, name, shipped, Format::Csv);
        if blocks.iter().any(|block| block.vrsta == ScreenBlockKind::Tekst) {
            let csv = squeezed(&csv);
            for cell in lines.iter().flat_map(|line| line.celije.iter().chain([&line.tekst])) {
                assert!(csv.contains(&squeezed(cell)), "{name}: {cell} is not in the CSV");
            }
            continue;
        }
        let heads: Vec<Vec<&str>> = blocks.iter().map(|block| block.kolone.iter().map(|column| column.naslov.as_str()).collect()).collect();
        let rows: Vec<Vec<String>> = rows_of(&csv).into_iter().filter(|row| !is_head(row, &heads)).collect();
        let shown: Vec<&ScreenLine> = lines.iter().filter(|line| line.vrsta == ScreenLineKind::Red).collect();
        assert_eq!(rows.len(), shown.len(), "{name}: rows");
        for (row, line) in rows.iter().zip(shown) {
            // Its group columns stand in front of those that the screen has.
            let own = &row[row.len() - line.celije.len()..];
            for (field, cell) in own.iter().zip(&line.celije) {
                assert!(is_same(field, cell), "{name}: {field} in the CSV, {cell} on the screen");
            }
        }
    }
}

/// The number that a cell shows, with its decimals.
fn number_of(cell: &str) -> Option<Decimal> {
    let digits = cell.trim_end_matches(['%', ' ']);
    let is_number = digits.chars().any(|letter| letter.is_ascii_digit())
        && digits.chars().all(|letter| letter.is_ascii_digit() || matches!(letter, '.' | ',' | '-'))
        && !digits.ends_with('.');
    is_number.then(|| digits.replace('.', "").replace(',', ".").parse().ok()).flatten()
}

fn is_same(field: &str, cell: &str) -> bool {
    let field = field.trim_end_matches('\t');
    // People read a minus, programs a hyphen.
    let cell = &*with_hyphens(cell);
    if field == cell || field.strip_prefix('\'') == Some(cell) {
        return true;
    }
    let exact = |text: &str| text.replace(',', ".").parse::<Decimal>().ok();
    match (exact(field), number_of(cell)) {
        (Some(exact), Some(shown)) => exact.round_dp_with_strategy(shown.scale(), RoundingStrategy::MidpointAwayFromZero) == shown,
        _ => squeezed(field) == squeezed(cell),
    }
}

/// The lines of a CSV that are data, blank ones and notes left out.
fn rows_of(text: &str) -> Vec<Vec<String>> {
    let text = text.trim_start_matches('\u{feff}');
    let mut reader = csv::ReaderBuilder::new().delimiter(b';').has_headers(false).flexible(true).from_reader(text.as_bytes());
    let rows = reader.records().map(|record| record.expect("a line").iter().map(str::to_owned).collect::<Vec<_>>());
    rows.filter(|row| row.iter().any(|field| !field.is_empty()) && !row[0].starts_with("# ")).collect()
}

/// Whether a line of a CSV is the heads of a table, behind those of its groups.
fn is_head(row: &[String], heads: &[Vec<&str>]) -> bool {
    heads.iter().any(|heads| !heads.is_empty() && row.len() >= heads.len() && row[row.len() - heads.len()..] == heads[..])
}

fn made(folder: &Path, name: &str, shipped: Option<&str>, format: Format) -> String {
    let file = rendered(folder, name, shipped, format);
    match format {
        Format::Pdf => {
            check_pdf(&file.path);
            pdf_text(&file.path)
        }
        Format::Xlsx => cells(&file.path),
        Format::Csv => std::fs::read_to_string(&file.path).expect("readable").replace("\r\n", "\n"),
        Format::Screen => unreachable!("it is read a piece at a time"),
    }
}

fn rendered(folder: &Path, name: &str, shipped: Option<&str>, format: Format) -> File {
    let template = match shipped {
        Some(shipped) => PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../templates").join(format!("{shipped}.hbs")),
        None => folder.join("sablon.hbs"),
    };
    let source = std::fs::read_to_string(template).expect("the template");
    let (columns, rows) = data(&std::fs::read_to_string(folder.join("podaci.csv")).expect("the data"));
    let context = Context { naziv: name.replace('-', " "), ..context(format) };
    let file = try_render(&source, &context, &columns, rows.into_iter(), &Limits::default());
    file.unwrap_or_else(|error| panic!("{name}: {}", error.message()))
}

/// A first line of names with their kinds, `i n d t`, and a line a row.
fn data(text: &str) -> (Vec<String>, Vec<Vec<Value>>) {
    let mut lines = text.lines();
    let heads: Vec<(&str, &str)> = lines.next().expect("heads").split(';').map(|head| head.split_once(':').expect("a kind")).collect();
    let cell = |(text, (_, kind)): (&str, &(&str, &str))| match (text, *kind) {
        ("", _) => Value::Null,
        (text, "i") => Value::Int(text.parse().expect("a whole number")),
        (text, "n") => Value::Decimal(text.parse().expect("a number")),
        (text, "d") => Value::Date(text.parse().expect("a date")),
        (text, _) => Value::Text(text.to_owned()),
    };
    let rows = lines.map(|line| line.split(';').zip(&heads).map(cell).collect()).collect();
    (heads.iter().map(|(name, _)| (*name).to_owned()).collect(), rows)
}

/// The cells of each sheet that hold something, and the formulas among them with their results.
fn cells(path: &Path) -> String {
    let mut workbook: Xlsx<_> = open_workbook(path).expect("a workbook");
    let mut out = String::new();
    for name in workbook.sheet_names() {
        let _ = writeln!(out, "## {name}");
        let range = workbook.worksheet_range(&name).expect("the sheet");
        let formulas = workbook.worksheet_formula(&name).expect("the sheet");
        let (top, left) = range.start().unwrap_or_default();
        for (row, column, cell) in range.used_cells() {
            let (row, column) = (top + row as u32, left + column as u32);
            let shown = match cell {
                Data::String(text) => format!("{text:?}"),
                Data::DateTime(moment) => format!("datum {}", moment.as_f64()),
                other => other.to_string(),
            };
            let formula = formulas.get_value((row, column)).filter(|formula| !formula.is_empty());
            let formula = formula.map(|formula| format!("={formula} → ")).unwrap_or_default();
            let _ = writeln!(out, "{}{} {formula}{shown}", char::from(b'A' + column as u8), row + 1);
        }
    }
    out
}

/// The lines in which two texts differ.
fn difference(name: &str, kept: &str, made: &str) -> String {
    if kept == made {
        return String::new();
    }
    let (kept, made): (Vec<&str>, Vec<&str>) = (kept.lines().collect(), made.lines().collect());
    let mut told = format!("{name}:\n");
    let differing = (0..kept.len().max(made.len())).filter(|line| kept.get(*line) != made.get(*line));
    for line in differing.take(MOST_TOLD) {
        let _ = writeln!(told, "  {}: - {}\n  {0}: + {}", line + 1, kept.get(line).unwrap_or(&""), made.get(line).unwrap_or(&""));
    }
    told
}
