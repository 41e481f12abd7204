//! The searches that a query says beside its numbers: of cells, of the total and of the marks of a chart, on the screen alone.
use std::fs::File;

use domain::report_screen::{ScreenColumn, ScreenFile, ScreenLine, ScreenSearch};
use report_engine::plan::{Format, Value};
use report_engine::render::Limits;
use serde_json::json;

use crate::support::{context, text, try_render};

const SOURCE: &str = r#"{{#report}}
  {{col "g1" head="Pol"}}{{col "m1" head="Pacijenata" foot="max:u1"}}{{col "m2" head="Prosek"}}
  {{#summary}}Ukupno{{/summary}}
  {{#chart "bar" x="g1" title="Po polu" height=120}}{{series "m1" label="Pacijenata"}}{{/chart}}
{{/report}}"#;

fn search(pol: bool, everywhere: bool) -> String {
    json!({ "registarID": 4, "pol": pol, "unos": { "tipUnosaID": 7 }, "uslovi": [], "sveUstanove": everywhere }).to_string()
}

fn shown(rows: &[[Value; 6]]) -> (Vec<ScreenLine>, Vec<String>, Vec<Option<ScreenSearch>>) {
    let names = ["g1", "m1", "u1", "m2", "pretraga m1", "pretraga u1"].map(str::to_owned);
    let rows = rows.iter().map(|row| row.to_vec());
    let file = try_render(SOURCE, &context(Format::Screen), &names, rows, &Limits::default()).expect("it renders");
    let mut file = ScreenFile::open(File::open(&file.path).expect("the file")).expect("readable").expect("a report on the screen");
    let notes = file.contents().blokovi[0].napomene.clone();
    let lines = file.lines(0, 0, usize::MAX).expect("readable").expect("lines");
    let chart = file.chart(1).expect("readable").expect("a chart");
    (lines, notes, chart.crtezi[0].mesta.iter().map(|spot| spot.pretraga.clone()).collect())
}

fn row(name: &str, number: Option<i64>, search: &str) -> [Value; 6] {
    let number = number.map_or(Value::Null, Value::Int);
    [text(name), number, Value::Int(9), Value::Int(3), text(search), text(&self::search(true, false))]
}

#[test]
fn a_cell_a_total_and_a_mark_lead_where_the_query_says() {
    let (lines, notes, marks) = shown(&[row("Muški", Some(5), &search(true, false)), row("Ženski", Some(4), &search(false, false))]);
    let told: Vec<Vec<(u16, Option<bool>)>> =
        lines.iter().map(|line| line.pretrage.iter().map(|one| (one.kolona, one.pretraga.pol)).collect()).collect();
    assert_eq!(told, [vec![(1, Some(true))], vec![(1, Some(false))], vec![(1, Some(true))]]);
    assert_eq!(marks.iter().map(|search| search.as_ref().and_then(|search| search.pol)).collect::<Vec<_>>(), [Some(true), Some(false)]);
    assert_eq!(notes, ["Podvučeni brojevi otvaraju pretragu sa istim uslovima."]);
}

#[test]
fn a_number_that_is_kept_back_or_whose_search_nobody_can_read_leads_nowhere() {
    let named = json!({ "registarID": 4, "prezime": "Anić", "unos": { "tipUnosaID": 7 } }).to_string();
    let (lines, _, marks) = shown(&[row("Muški", None, &search(true, true)), row("Ženski", Some(4), &named)]);
    assert!(lines[..2].iter().all(|line| line.pretrage.is_empty()), "{lines:?}");
    assert_eq!(marks.into_iter().flatten().count(), 0);
}

#[test]
fn a_number_of_all_institutions_says_why_the_search_shows_another() {
    let (_, notes, _) = shown(&[row("Muški", Some(5), &search(true, true))]);
    assert!(notes.iter().any(|note| note.contains("pacijenti svih ustanova")), "{notes:?}");
}

#[test]
fn a_mark_of_rows_with_different_searches_leads_nowhere() {
    let (_, _, marks) = shown(&[row("Muški", Some(5), &search(true, false)), row("Muški", Some(4), &search(false, false))]);
    assert_eq!(marks, [None]);
}

const TABLE: &str = r#"{{#report}}
  {{#tableOne vars="v1" by="po" tests=false}}{{variable "po" label="Pol"}}{{variable "v1" label="Ishod"}}{{/tableOne}}
  {{#survival time="vreme" event="dogadjaj" by="po"}}{{variable "po" label="Pol"}}{{/survival}}
{{/report}}"#;

/// Rows of single patients: sex, outcome, time and event, with the search of all and what each value adds.
fn of_patients(rows: &[(&str, Option<&str>, f64)]) -> (Vec<ScreenLine>, Vec<ScreenLine>, Vec<ScreenColumn>) {
    let names = ["po", "v1", "vreme", "dogadjaj", "pretraga", "pretraga po", "pretraga v1"].map(str::to_owned);
    let whole = json!({ "registarID": 4, "unos": { "tipUnosaID": 7 } }).to_string();
    let rows = rows.iter().map(|(sex, outcome, time)| {
        let of_sex = json!({ "pol": *sex == "Muški" }).to_string();
        let field = outcome.map(|outcome| json!({ "uslovi": [{ "poljeID": outcome.len(), "operator": "izabrano" }] }).to_string());
        let optional = |told: Option<&str>| told.map_or(Value::Null, text);
        vec![
            text(sex),
            optional(*outcome),
            Value::Float(*time),
            Value::Bool(outcome.is_some()),
            text(&whole),
            text(&of_sex),
            optional(field.as_deref()),
        ]
    });
    let rows: Vec<Vec<Value>> = rows.collect();
    let file = try_render(TABLE, &context(Format::Screen), &names, rows.into_iter(), &Limits::default()).expect("it renders");
    let mut file = ScreenFile::open(File::open(&file.path).expect("the file")).expect("readable").expect("a report on the screen");
    let heads = file.contents().blokovi[0].kolone.clone();
    let mut lines = |block: usize| file.lines(block, 0, usize::MAX).expect("readable").expect("lines");
    (lines(0), lines(1), heads)
}

fn told(line: &ScreenLine) -> Vec<(u16, Option<bool>, Vec<i64>)> {
    let rows = |search: &ScreenSearch| search.uslovi.iter().map(|row| row.polje_id).collect();
    line.pretrage.iter().map(|one| (one.kolona, one.pretraga.pol, rows(&one.pretraga))).collect()
}

#[test]
fn a_cell_of_table_1_leads_to_those_of_its_group_who_have_its_value() {
    let (table, curves, heads) =
        of_patients(&[("Muški", Some("živ"), 4.0), ("Muški", Some("umro"), 2.0), ("Ženski", Some("umro"), 3.0), ("Ženski", None, 5.0)]);
    let line = |name: &str| table.iter().find(|line| line.celije[0].contains(name)).map(told).unwrap_or_default();
    assert_eq!(line("umro"), [(1, None, vec![4]), (2, Some(true), vec![4]), (3, Some(false), vec![4])]);
    assert_eq!(line("živ"), [(1, None, vec!["živ".len() as i64]), (2, Some(true), vec!["živ".len() as i64])], "no woman is");
    assert_eq!(line("n (%)"), Vec::new());
    // The n of a head leads to all of its group, and that of all to all.
    let led: Vec<(&str, Option<Option<bool>>)> =
        heads.iter().map(|head| (head.naslov.as_str(), head.pretraga.as_ref().map(|search| search.pol))).collect();
    let wanted = [("Svi (n = 4)", Some(None)), ("Muški (n = 2)", Some(Some(true))), ("Ženski (n = 2)", Some(Some(false)))];
    assert_eq!(led[1..4], wanted);
    assert!(led[0].1.is_none() && led[4..].iter().all(|(_, search)| search.is_none()), "{led:?}");
    assert_eq!(curves.iter().map(told).collect::<Vec<_>>(), [vec![(1, Some(true), vec![])], vec![(1, Some(false), vec![])]]);
}

#[test]
fn a_cell_whose_rows_say_different_searches_leads_nowhere() {
    // Two values of one name: as where a deleted item is called like another.
    let names = ["v1", "pretraga", "pretraga v1"].map(str::to_owned);
    let source = r#"{{#report}}{{#tableOne vars="v1"}}{{variable "v1" label="Ishod"}}{{/tableOne}}{{/report}}"#;
    let part = |field: i64| json!({ "uslovi": [{ "poljeID": field, "operator": "popunjeno" }] }).to_string();
    let whole = json!({ "registarID": 4, "unos": { "tipUnosaID": 7 } }).to_string();
    let rows = [1, 2].map(|field| vec![text("isto"), text(&whole), text(&part(field))]);
    let file = try_render(source, &context(Format::Screen), &names, rows.into_iter(), &Limits::default()).expect("it renders");
    let mut file = ScreenFile::open(File::open(&file.path).expect("the file")).expect("readable").expect("a report on the screen");
    let lines = file.lines(0, 0, usize::MAX).expect("readable").expect("lines");
    assert!(lines.iter().all(|line| line.pretrage.is_empty()), "{lines:?}");
}
