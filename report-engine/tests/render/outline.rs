//! Groups of a sheet fold away under their totals, as an analyst expects them.
use calamine::{Data, Reader, Xlsx, open_workbook};
use report_engine::plan::{Format, Value};

use crate::support::{File, pregledi, text, texts};
use crate::xlsx::part;

/// The level of each line that has cells, beside what stands first in it.
fn levels(file: &File) -> Vec<(u8, String)> {
    let xml = part(&file.path, "xl/worksheets/sheet1.xml");
    let mut workbook: Xlsx<_> = open_workbook(&file.path).expect("a workbook");
    let range = workbook.worksheet_range_at(0).expect("a sheet").expect("a sheet");
    let rows = xml.split("<row ").skip(1).map(|row| {
        let head = row.split_once('>').expect("a row").0;
        let value = |name: &str| head.split_once(&format!("{name}=\"")).map(|(_, rest)| rest.split_once('"').expect("a value").0);
        let number: u32 = value("r").expect("its number").parse().expect("a number");
        let level = value("outlineLevel").map_or(0, |level| level.parse().expect("a level"));
        let first = (0..4).filter_map(|column| range.get_value((number - 1, column))).find(|cell| !matches!(cell, Data::Empty));
        (level, first.map(ToString::to_string).unwrap_or_default())
    });
    rows.collect()
}

#[test]
fn rows_fold_under_their_subtotal_and_inner_groups_under_the_outer_one() {
    let file = pregledi(Format::Xlsx, 60);
    let lines = levels(&file);
    let of = |start: &str| -> Vec<u8> { lines.iter().filter(|(_, first)| first.starts_with(start)).map(|(level, _)| *level).collect() };
    // Headers and totals of the sexes stand a level below those of the institutions; rows have the institution first.
    assert_eq!(of("Pol: "), [1, 1, 1], "{lines:?}");
    assert_eq!(of("Ukupno Ženski"), [1, 1]);
    assert_eq!(of("Ukupno Klinički"), [0]);
    assert_eq!(of("Ukupno: 60"), [0], "the whole never folds");
    assert_eq!(lines.iter().filter(|(level, _)| *level == 2).count(), 60, "every row");
    let xml = part(&file.path, "xl/worksheets/sheet1.xml");
    assert!(xml.contains("outlineLevelRow=\"2\""), "Excel shows the margin with the levels");
    assert!(!xml.contains("hidden=\"1\""), "all of it is open at first");
}

fn grouped(source: &str, groups: i64, rows: i64) -> File {
    let row = |group: i64| move |index: i64| vec![text(&format!("Grupa {group}")), Value::Int(index)];
    texts(Format::Xlsx, source, (0..groups).flat_map(|group| (0..rows).map(row(group))).collect())
}

#[test]
fn groups_without_a_total_fold_under_their_header() {
    let file = grouped(r#"{{#report}}{{#group by="a"}}Zaglavlje {{a}}{{/group}}{{col "b" head="B"}}{{/report}}"#, 3, 2);
    let xml = part(&file.path, "xl/worksheets/sheet1.xml");
    assert!(xml.contains("summaryBelow=\"0\"") && xml.contains("outlineLevelRow=\"1\""), "the sign stands at the header");
    let folded = levels(&file).iter().filter(|(level, _)| *level == 1).count();
    assert_eq!(folded, 6);
}

#[test]
fn a_table_without_groups_has_nothing_to_fold() {
    let file = grouped(r#"{{#report}}{{col "a" head="A"}}{{col "b" head="B" foot="sum"}}{{#summary}}Ukupno{{/summary}}{{/report}}"#, 3, 2);
    assert!(levels(&file).iter().all(|(level, _)| *level == 0));
}

#[test]
fn a_long_sheet_folds_to_its_end_and_leaves_nothing_beside_it() {
    let source = r#"{{#report}}{{#group by="a"}}{{/group}}{{col "b" head="B" foot="sum"}}{{#groupFoot}}Ukupno{{/groupFoot}}{{/report}}"#;
    let file = grouped(source, 60, 1_000);
    let lines = levels(&file);
    let of = |level: u8| lines.iter().filter(|(found, _)| *found == level).count();
    assert_eq!(of(1), 60_000);
    assert_eq!(lines.iter().filter(|(level, first)| *level == 0 && first == "Ukupno").count(), 60);
    let beside = std::fs::read_dir(file.path.parent().expect("its folder")).expect("a folder").count();
    assert_eq!(beside, 1, "the workbook alone");
}
