//! The searches that a query says beside its numbers: of cells, of the total and of the marks of a chart, on the screen alone.
use std::fs::File;

use domain::report_screen::{ScreenFile, ScreenLine, ScreenSearch};
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
