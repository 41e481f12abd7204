//! The workbook as a spreadsheet program reads it.
use calamine::{Data, Reader, Xlsx, open_workbook};
use report_engine::plan::{Format, Value};
use report_engine::render::{Cap, Limits, Overflow};

use crate::support::{PREGLEDI, columns, context, pregledi, row, text, texts, try_render};

fn sheet(path: &std::path::Path, name: &str) -> Vec<Vec<Data>> {
    let mut workbook: Xlsx<_> = open_workbook(path).expect("a workbook");
    let range = workbook.worksheet_range(name).expect("the sheet");
    range.rows().map(<[Data]>::to_vec).collect()
}

fn starting_with<'a>(rows: &'a [Vec<Data>], start: &str) -> &'a [Data] {
    let found = rows.iter().find(|row| row[0].to_string().starts_with(start));
    found.unwrap_or_else(|| panic!("a row starting with {start}"))
}

#[test]
fn cells_keep_their_types() {
    let rows = sheet(&pregledi(Format::Xlsx, 60).path, "Izveštaj");
    let head = rows.iter().position(|row| row[2] == Data::String("Rb.".to_owned())).expect("the head");
    let first = rows[head + 1..].iter().find(|row| row[2] == Data::Float(1.0)).expect("the first row");
    let Data::DateTime(date) = &first[3] else { panic!("a date, not {:?}", first[3]) };
    assert_eq!(date.as_f64(), 45292.0, "the first of January 2024");
    assert_eq!(first[4], Data::String("Đorđević Živana".to_owned()));
    assert_eq!(first[5], Data::String("0101900000000".to_owned()), "JMBG is a text");
    assert_eq!(first[7], Data::Float(2.0));
    assert_eq!(first[9], Data::Float(147_664.08));
}

#[test]
fn headings_groups_and_typed_subtotals_are_written() {
    let rows = sheet(&pregledi(Format::Xlsx, 60).path, "Izveštaj");
    assert_eq!(rows[0][0], Data::String("Pregledi reumatologije".to_owned()));
    starting_with(&rows, "Od: 01.01.2024.");
    starting_with(&rows, "Generisano: 05.03.2026. 07:04, Živana Đorđević");
    starting_with(&rows, "Pol: Ženski");
    let total = starting_with(&rows, "Ukupno: 60 pregleda");
    let sum: rust_decimal::Decimal = (0..60).map(|index| row(index)[8].as_decimal().expect("a number")).sum();
    let Data::Float(shown) = total[9] else { panic!("a number, not {:?}", total[9]) };
    assert_eq!(rust_decimal::Decimal::try_from(shown).expect("a decimal"), sum);
}

#[test]
fn charts_are_native_and_stand_beside_their_numbers() {
    let file = pregledi(Format::Xlsx, 60);
    let rows = sheet(&file.path, "Grafikoni");
    assert_eq!(rows[0][0], Data::String("Prosečan DAS28 po mesecima".to_owned()));
    assert_eq!(rows[1][1..3], [Data::String("DAS28-ESR".to_owned()), Data::String("Najveći DAS28".to_owned())]);
    assert_eq!(rows[2][0], Data::String("01.2024.".to_owned()));
    let bytes = std::fs::read(&file.path).expect("readable");
    assert!(bytes.windows(21).any(|window| window == b"xl/charts/chart1.xml\0" || window.starts_with(b"xl/charts/chart1.xml")));
}

#[test]
fn no_text_ever_becomes_a_formula() {
    let source = r#"{{#report}}{{col "a" head="=1+1"}}{{/report}}"#;
    let wanted = [
        "=1+1",
        "+1",
        "-1",
        "@x",
        "čćžšđ Ћ",
        "0101900000000",
        "00123",
        "http://primer.rs",
        "red\nred",
        "漢",
        "R&D <b> \"da\"",
        " razmaci ",
    ];
    let file = texts(Format::Xlsx, source, wanted.iter().map(|cell| vec![text(cell)]).collect());
    let mut workbook: Xlsx<_> = open_workbook(&file.path).expect("a workbook");
    let formulas = workbook.worksheet_formula("Izveštaj").expect("the sheet");
    assert!(formulas.cells().all(|(_, _, formula)| formula.is_empty()));
    let rows = sheet(&file.path, "Izveštaj");
    let shown: Vec<String> = rows[rows.len() - wanted.len()..].iter().map(|row| row[0].to_string()).collect();
    assert_eq!(shown, wanted);
}

#[test]
fn the_longest_cell_survives_and_a_longer_one_is_marked() {
    let source = r#"{{#report}}{{col "a" head="Tekst"}}{{/report}}"#;
    let (longest, longer) = ("č".repeat(32_767), "ž".repeat(32_768));
    let rows = sheet(&texts(Format::Xlsx, source, vec![vec![text(&longest)], vec![text(&longer)]]).path, "Izveštaj");
    assert_eq!(rows[rows.len() - 2][0], Data::String(longest));
    assert!(rows[rows.len() - 1][0].to_string().ends_with("… [skraćeno]"));
}

#[test]
fn values_that_differ_in_kind_within_a_column_keep_their_own_formats() {
    let source = r#"{{#report}}{{col "a" head="Razno"}}{{/report}}"#;
    let date = jiff::civil::date(2026, 3, 5);
    let values = [Value::Int(7), Value::Null, Value::Date(date), text("0.10"), Value::Decimal(rust_decimal::Decimal::new(10, 2))];
    let rows = sheet(&texts(Format::Xlsx, source, values.into_iter().map(|value| vec![value]).collect()).path, "Izveštaj");
    let shown: Vec<&Data> = rows[rows.len() - 5..].iter().map(|row| &row[0]).collect();
    assert_eq!((shown[0], shown[1]), (&Data::Float(7.0), &Data::Empty));
    assert!(matches!(shown[2], Data::DateTime(date) if date.as_f64() == 46086.0), "{:?}", shown[2]);
    assert_eq!((shown[3], shown[4]), (&Data::String("0.10".to_owned()), &Data::Float(0.1)));
}

#[test]
fn dates_before_the_calendar_of_excel_stay_readable() {
    let source = r#"{{#report}}{{col "a" head="Datum"}}{{/report}}"#;
    let date = jiff::civil::date(1899, 12, 31);
    let file = texts(Format::Xlsx, source, vec![vec![Value::Date(date)]]);
    let rows = sheet(&file.path, "Izveštaj");
    assert_eq!(rows.last().expect("a row")[0], Data::String("31.12.1899.".to_owned()));
}

#[test]
fn a_cut_workbook_says_so_in_the_sheet_and_on_a_note() {
    let limits = Limits { xlsx: Cap { rows: 5, overflow: Overflow::Cut }, ..Limits::default() };
    let file = try_render(PREGLEDI, &context(Format::Xlsx), &columns(), (0..9).map(row), &limits).expect("the report renders");
    assert!(file.rendered.truncated);
    starting_with(&sheet(&file.path, "Izveštaj"), "IZVEŠTAJ JE SKRAĆEN: prikazano je prvih 5 redova.");
    starting_with(&sheet(&file.path, "Napomena"), "IZVEŠTAJ JE SKRAĆEN");
}

/// A part of the file, as it is stored.
pub fn part(path: &std::path::Path, name: &str) -> String {
    let mut archive = zip::ZipArchive::new(std::fs::File::open(path).expect("a file")).expect("a workbook");
    std::io::read_to_string(archive.by_name(name).expect("the part")).expect("its text")
}

#[test]
fn totals_are_formulas_that_leave_other_totals_out_and_carry_their_result() {
    let file = pregledi(Format::Xlsx, 60);
    let mut workbook: Xlsx<_> = open_workbook(&file.path).expect("a workbook");
    let formulas = workbook.worksheet_formula("Izveštaj").expect("the sheet");
    let cells: Vec<(usize, usize, String)> = formulas
        .used_cells()
        .map(|(row, column, formula)| (row, column, formula.clone()))
        .filter(|(_, _, formula)| !formula.is_empty())
        .collect();
    // Three runs of one sex, two institutions and the whole: a mean and a sum each.
    assert_eq!(cells.len(), 12, "{cells:?}");
    assert!(cells.iter().all(|(_, _, formula)| formula.starts_with("SUBTOTAL(")), "{cells:?}");
    let rows = sheet(&file.path, "Izveštaj");
    let first = formulas.start().expect("formulas").0 as usize;
    let whole = cells.last().expect("the whole");
    assert_eq!(whole.1 + formulas.start().expect("formulas").1 as usize, 9);
    let total = &rows[whole.0 + first];
    let head = rows.iter().position(|row| row[2] == Data::String("Rb.".to_owned())).expect("the head");
    assert_eq!(whole.2, format!("SUBTOTAL(9,J{}:J{})", head + 2, whole.0 + first), "from the first line to the last before it");
    let shown = rows[head + 1..whole.0 + first].iter().filter(|row| matches!(row[2], Data::Float(_)));
    let sum: f64 = shown.map(|row| if let Data::Float(number) = row[9] { number } else { panic!("{:?}", row[9]) }).sum();
    let Data::Float(result) = total[9] else { panic!("{:?}", total[9]) };
    assert!((result - sum).abs() < 0.005, "{result} and {sum}");
}

#[test]
fn the_heads_filter_all_lines_but_the_total() {
    let file = pregledi(Format::Xlsx, 60);
    let xml = part(&file.path, "xl/worksheets/sheet1.xml");
    let rows = sheet(&file.path, "Izveštaj");
    let head = rows.iter().position(|row| row[2] == Data::String("Rb.".to_owned())).expect("the head");
    let whole = rows.iter().position(|row| row[0].to_string().starts_with("Ukupno: 60")).expect("the total");
    assert!(xml.contains(&format!("<autoFilter ref=\"A{}:J{whole}\"", head + 1)), "the total stays below the filter");
}

#[test]
fn heads_of_numbers_and_dates_stand_to_the_right() {
    let source = r#"{{#report}}{{col "a" head="Tekst"}}{{col "b" head="Broj"}}{{col "c" head="Prazno" format="0,0"}}{{col "d" head="Dan"}}{{/report}}"#;
    let day = Value::Date(jiff::civil::date(2026, 10, 5));
    let file = texts(Format::Xlsx, source, vec![vec![text("x"), Value::Int(1), Value::Null, day]]);
    let xml = part(&file.path, "xl/worksheets/sheet1.xml");
    let rows = sheet(&file.path, "Izveštaj");
    let head = rows.iter().position(|row| row[0] == Data::String("Tekst".to_owned())).expect("the head") + 1;
    let style = |cell: &str| {
        let (_, rest) = xml.split_once(&format!("<c r=\"{cell}{head}\" s=\"")).expect("the cell");
        rest.split_once('"').expect("its style").0.to_owned()
    };
    let styles = part(&file.path, "xl/styles.xml");
    let (_, formats) = styles.split_once("<cellXfs").expect("the formats of cells");
    let formats: Vec<&str> = formats.split_once("</cellXfs>").expect("their end").0.split("<xf ").skip(1).collect();
    let right = |cell: &str| formats[style(cell).parse::<usize>().expect("a number")].contains("<alignment horizontal=\"right\"");
    assert_eq!(["A", "B", "C", "D"].map(right), [false, true, true, true]);
}

#[test]
fn what_is_no_number_is_blank() {
    let source = r#"{{#report}}{{col "a" head="A"}}{{col "b" head="B"}}{{/report}}"#;
    let file = texts(Format::Xlsx, source, vec![vec![text("x"), Value::Float(f64::NAN)], vec![text("y"), Value::Float(f64::INFINITY)]]);
    let rows = sheet(&file.path, "Izveštaj");
    for row in &rows[rows.len() - 2..] {
        assert_eq!(row.get(1).unwrap_or(&Data::Empty), &Data::Empty);
    }
}
