//! The CSV as Serbian Excel reads it.
use std::process::Command;

use calamine::{Data, Reader, Xlsx, open_workbook};
use domain::testing::left_out;
use report_engine::plan::{Format, Value};
use report_engine::render::{Cap, Limits, Overflow};

use crate::support::{PREGLEDI, columns, context, pregledi, row, text, texts, try_render};

fn records(path: &std::path::Path) -> Vec<Vec<String>> {
    let bytes = std::fs::read(path).expect("readable");
    let body = bytes.strip_prefix("\u{FEFF}".as_bytes()).expect("a byte order mark");
    let mut reader = csv::ReaderBuilder::new().delimiter(b';').has_headers(false).from_reader(body);
    reader.records().map(|record| record.expect("a record").iter().map(str::to_owned).collect()).collect()
}

#[test]
fn lines_are_flat_with_the_group_columns_in_front() {
    let file = pregledi(Format::Csv, 120);
    let records = records(&file.path);
    assert_eq!(records.len(), 121);
    let heads = ["Ustanova", "Pol", "Rb.", "Datum pregleda", "Ime i prezime", "JMBG", "Terapija", "DAS28", "Aktivnost", "Iznos (RSD)"];
    assert_eq!(records[0], heads);
    assert_eq!(records[1][..6], ["Klinički centar Srbije", "Ženski", "1", "01.01.2024.", "Đorđević Živana", "0101900000000\t"]);
    assert_eq!(records[1][7..], ["2,00", "umerena", "147664,08"]);
    assert_eq!(records[120][2], "120");
}

#[test]
fn formulas_in_texts_are_disarmed_and_negative_numbers_are_left_alone() {
    let source = r#"{{#report}}{{col "a" head="=Tekst"}}{{col "b" head="Broj"}}{{/report}}"#;
    let rows = vec![vec![text("=HYPERLINK(\"http://x\")"), Value::Int(-5)], vec![text("ime; \"prezime\"\nred"), Value::Null]];
    let records = records(&texts(Format::Csv, source, rows).path);
    assert_eq!(records, [["'=Tekst", "Broj"], ["'=HYPERLINK(\"http://x\")", "-5"], ["ime; \"prezime\"\nred", ""]]);
}

#[test]
fn a_report_for_programs_asks_for_texts_to_the_letter() {
    let source = r#"{{#report csv="sirovo"}}{{col "a" head="Telefon"}}{{col "b" head="JMBG"}}{{/report}}"#;
    let records = records(&texts(Format::Csv, source, vec![vec![text("+381641234567"), text("0101990710006")]]).path);
    assert_eq!(records[1], ["+381641234567", "0101990710006"]);
}

#[test]
fn a_cut_file_ends_with_the_note() {
    let limits = Limits { csv: Cap { rows: 5, overflow: Overflow::Cut }, ..Limits::default() };
    let file = try_render(PREGLEDI, &context(Format::Csv), &columns(), (0..9).map(row), &limits).expect("the report renders");
    let records = records(&file.path);
    assert!(file.rendered.truncated);
    assert_eq!(records.len(), 7);
    assert!(records[6][0].starts_with("# IZVEŠTAJ JE SKRAĆEN: prikazano je prvih 5 redova."));
}

#[test]
fn what_is_wrong_with_bands_totals_and_charts_is_refused_though_no_line_shows_them() {
    let sources = [
        r#"{{#report}}{{col "rb"}}{{#summary}}{{nema}}{{/summary}}{{/report}}"#,
        r#"{{#report}}{{#group by="pol"}}{{nema}}{{/group}}{{col "rb"}}{{/report}}"#,
        r#"{{#report}}{{#group by="pol"}}{{broj pol 2}}{{/group}}{{col "rb"}}{{/report}}"#,
        r#"{{#report}}{{col "pacijent" foot="sum"}}{{#summary}}x{{/summary}}{{/report}}"#,
        r#"{{#report}}{{col "rb"}}{{chart "bar" x="nema" y="rb"}}{{/report}}"#,
    ];
    for source in sources {
        for format in Format::ALL {
            let result = try_render(source, &context(format), &columns(), (0..3).map(row), &Limits::default());
            assert_eq!(result.err().map(|error| error.code().name()), Some("template"), "{format}: {source}");
        }
    }
}

/// What LibreOffice has in its cells when it opens the file as this program does without being asked: semicolons, UTF-8, kinds of cells
/// by their looks. None where it is not installed.
fn in_libreoffice(path: &std::path::Path) -> Option<Vec<Vec<Data>>> {
    let folder = tempfile::tempdir().expect("a folder");
    let profile = format!("-env:UserInstallation=file://{}/profil", folder.path().display());
    let ran = Command::new("soffice")
        .args([&profile, "--headless", "--infilter=CSV:59,34,76,1", "--convert-to", "xlsx", "--outdir"])
        .arg(folder.path())
        .arg(path)
        .output()
        .ok()?;
    let made = folder.path().join(path.with_extension("xlsx").file_name().expect("a name"));
    assert!(made.exists(), "{}", String::from_utf8_lossy(&ran.stderr));
    let mut book: Xlsx<_> = open_workbook(&made).expect("a workbook");
    let sheet = book.worksheet_range_at(0).expect("a sheet").expect("its cells");
    Some(sheet.rows().map(<[Data]>::to_vec).collect())
}

#[test]
fn the_zeros_of_a_jmbg_stay_where_libreoffice_opens_the_file() {
    let heads = r#"{{col "a" head="JMBG"}}{{col "b" head="Iznos"}}{{/report}}"#;
    let rows = || vec![vec![text("0101990710006"), Value::Int(7)]];
    let opened = |begin: &str| in_libreoffice(&texts(Format::Csv, &format!("{begin}{heads}"), rows()).path);
    let Some(safe) = opened("{{#report}}") else {
        left_out("opening a CSV in LibreOffice", "soffice is not on this machine");
        return;
    };
    assert_eq!(safe[1][0].to_string().trim_end(), "0101990710006");
    assert!(matches!(safe[1][0], Data::String(_)), "{:?}", safe[1]);
    assert_eq!(safe[1][1], Data::Float(7.0));
    let raw = opened(r#"{{#report csv="sirovo"}}"#).expect("as before");
    assert_eq!(raw[1][0], Data::Float(101_990_710_006.0), "why there are two ways of writing it");
}
