//! Numbers below zero: people read a minus in every format, and what programs read has a hyphen.
use calamine::{Data, Reader, Xlsx, open_workbook};
use domain::report_screen::ScreenFile;
use report_engine::plan::{Format, Value};
use report_engine::render::Limits;

use crate::support::{File, check_pdf, context, pdf_text, text, try_render};

const SOURCE: &str = r#"{{#report}}{{col "g" head="Grupa"}}{{col "x" head="Promena" format="0,0" foot="sum"}}
  {{compare value="x" by="g" title="Poređenje"}}
  {{chart "bar" x="g" y="sum:x" label="Zbir" title="Promena po grupi" height=220}}{{/report}}"#;

/// A falls and B rises, so that the mean, the difference, its interval and the axis are below zero.
fn made(format: Format) -> File {
    let rows = (0..12).map(|row| {
        let of = f64::from(row % 5) / 2.0;
        vec![text(if row < 6 { "A" } else { "B" }), Value::Float(if row < 6 { -4.5 - of } else { 1.0 + of })]
    });
    let columns = ["g", "x"].map(str::to_owned);
    try_render(SOURCE, &context(format), &columns, rows, &Limits::default()).unwrap_or_else(|error| panic!("{}", error.message()))
}

/// Whether a sign of this kind stands before a digit.
fn has(text: &str, sign: char) -> bool {
    let follows = |place: usize| text[place + sign.len_utf8()..].starts_with(|next: char| next.is_ascii_digit());
    let stands = |place: usize| !text[..place].ends_with(|before: char| before.is_alphanumeric());
    text.match_indices(sign).any(|(place, _)| follows(place) && stands(place))
}

#[test]
fn people_read_a_minus_in_every_format_and_programs_a_hyphen() {
    let pdf = made(Format::Pdf);
    check_pdf(&pdf.path);
    let page = pdf_text(&pdf.path);
    assert!(page.contains("−4,5") && page.contains("[−"), "{page}");
    assert!(!has(&page, '-'), "{page}");

    let screen = made(Format::Screen);
    let mut screen =
        ScreenFile::open(std::fs::File::open(&screen.path).expect("the file")).expect("readable").expect("a report on the screen");
    let blocks = screen.contents().blokovi.len();
    let (mut cells, mut charts) = (String::new(), 0);
    for block in 0..blocks {
        for line in screen.lines(block, 0, usize::MAX).expect("readable").unwrap_or_default() {
            cells.push_str(&format!("{} {}\n", line.tekst, line.celije.join(" ")));
        }
        let Some(chart) = screen.chart(block).expect("readable") else { continue };
        charts += 1;
        let svg = chart.svg.as_deref().expect("a drawing to take away");
        let words: String =
            svg.split("<text").skip(1).filter_map(|word| word.split_once('>')?.1.split('<').next()).collect::<Vec<_>>().join("\n");
        assert!(has(&words, '−') && !has(&words, '-'), "{words}");
        assert!(svg.contains("A,-") || svg.contains("\"-") || svg.contains(",-"), "its data are read by programs: {svg}");
        assert!(!svg.split("data-values=\"").skip(1).any(|data| data.split('"').next().is_some_and(|data| data.contains('−'))), "{svg}");
        let table = chart.redovi.concat().join("\n");
        assert!(has(&table, '−') && !has(&table, '-'), "{table}");
    }
    assert!(charts > 0 && has(&cells, '−') && !has(&cells, '-'), "{cells}");

    let mut workbook: Xlsx<_> = open_workbook(&made(Format::Xlsx).path).expect("a workbook");
    let (mut numbers, mut words) = (Vec::new(), String::new());
    for name in workbook.sheet_names() {
        for (_, _, cell) in workbook.worksheet_range(&name).expect("the sheet").used_cells() {
            match cell {
                Data::Float(number) => numbers.push(*number),
                Data::String(text) => words.push_str(&format!("{text}\n")),
                _ => {}
            }
        }
    }
    assert!(numbers.contains(&-4.5), "numbers of a sheet are numbers: {numbers:?}");
    assert!(has(&words, '−') && !has(&words, '-'), "{words}");

    let written = std::fs::read_to_string(made(Format::Csv).path).expect("readable");
    assert!(has(&written, '-') && !has(&written, '−'), "{written}");
    assert!(written.contains("A;-4,5") && written.contains("[-"), "{written}");
}
