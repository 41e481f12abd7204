//! Indicators: their share, feasibility and target, their course, and hospitals in a funnel without names.
use domain::report_screen::{
    ScreenBlockKind::{self, Grafikon, Tabela},
    ScreenFile,
};
use report_engine::plan::{Format, Value};
use report_engine::render::Limits;
use serde_json::json;

use crate::support::{context, text, try_render};

const TEMPLATE: &str = r#"{{#report}}
  {{#indicator numerator="ispunili" denominator="poznati" eligible="podobni" excluded="iskljuceni" by="godina" unit="ustanova" own="moja" target=60
     direction="higher" title="Pregled na vreme"}}
    {{variable "ispunili" label="Pregledani"}}{{variable "poznati" label="Sa podatkom"}}{{variable "iskljuceni" label="Isključeni"}}
    {{variable "godina" label="Godina"}}
  {{/indicator}}
{{/report}}"#;

fn names() -> Vec<String> {
    ["godina", "ustanova", "moja", "ispunili", "poznati", "podobni", "iskljuceni"].map(str::to_owned).to_vec()
}

fn row(godina: Option<&str>, ustanova: Option<(&str, bool)>, numbers: [Option<i64>; 4]) -> Vec<Value> {
    let mut row = vec![
        godina.map_or(Value::Null, text),
        ustanova.map_or(Value::Null, |(name, _)| text(name)),
        ustanova.map_or(Value::Null, |(_, own)| Value::Bool(own)),
    ];
    row.extend(numbers.map(|number| number.map_or(Value::Null, Value::Int)));
    row
}

fn rows() -> Vec<Vec<Value>> {
    let mut rows: Vec<Vec<Value>> =
        (2015..2027).map(|year| row(Some(&format!("{year}.")), None, [Some(year - 2010), Some(20), Some(25), Some(1)])).collect();
    rows.push(row(None, Some(("f00", false)), [Some(40), Some(100), Some(110), Some(2)]));
    rows.push(row(None, Some(("a11", true)), [Some(95), Some(100), Some(110), Some(2)]));
    rows.push(row(None, Some(("b22", false)), [None, Some(40), Some(45), Some(0)]));
    rows.push(row(None, None, [Some(135), Some(200), Some(250), Some(4)]));
    rows
}

fn csv(rows: Vec<Vec<Value>>) -> String {
    let file = try_render(TEMPLATE, &context(Format::Csv), &names(), rows.into_iter(), &Limits::default()).expect("it renders");
    std::fs::read_to_string(&file.path).expect("readable")
}

#[test]
fn the_share_is_of_the_row_of_all_with_its_feasibility_and_target() {
    let shown = csv(rows());
    // Wilson's interval of 135 of 200.
    for line in [
        "\"Udeo, % [95 % IP]\";67,5 [60,7; 73,6]".replace('"', ""),
        "Pregledani;135".to_owned(),
        "Sa podatkom;200".to_owned(),
        "Isključeni;4".to_owned(),
        "Izvodljivost: može da se kaže;200 (80,0 %)".to_owned(),
        "Cilj;≥ 60,0 %".to_owned(),
        "Cilj ispunjen;da".to_owned(),
    ] {
        assert!(shown.replace('"', "").contains(&line), "{line} in {shown}");
    }
}

#[test]
fn other_hospitals_have_letters_and_those_that_are_withheld_are_counted_only() {
    let shown = csv(rows());
    assert!(shown.contains("Vaša ustanova") && shown.contains("Ustanova B"), "{shown}");
    for hidden in ["f00", "a11", "b22", "Ustanova C"] {
        assert!(!shown.contains(hidden), "{hidden} in {shown}");
    }
    assert!(shown.contains("Ustanova čiji su brojevi premali da bi se prikazali: 1."), "{shown}");
    assert!(shown.contains("iznad granice 99,8 %") && shown.contains("ispod granice 99,8 %"), "{shown}");
}

#[test]
fn a_course_that_only_rises_is_told_to_be_no_chance() {
    let shown = csv(rows());
    assert!(shown.contains("Kretanje nije samo slučajno (Anhøj 2014)."), "{shown}");
    let still: Vec<Vec<Value>> = (2015..2027)
        .map(|year| row(Some(&format!("{year}.")), None, [Some(if year % 2 == 0 { 12 } else { 8 }), Some(20), Some(20), Some(0)]))
        .collect();
    assert!(csv(still).contains("Kretanje može biti slučajno (Anhøj 2014)."));
}

#[test]
fn limits_are_exact_for_the_size_of_a_hospital() {
    use statistics::Level;
    use statistics::rates::funnel::{FunnelMethod, funnel_limits};
    // Two hospitals of one hundred, 135 of 200 between them.
    let limits = funnel_limits(0.675, 100, Level::P95, FunnelMethod::ExactBinomial).expect("limits");
    let percent = |share: f64| format!("{:.1}", share * 100.0).replace('.', ",");
    let wanted = format!("{}–{}", percent(limits.low), percent(limits.high));
    assert!(csv(rows()).contains(&wanted), "{wanted}");
}

#[test]
fn every_format_has_the_same_numbers_and_the_screen_the_figures() {
    let file = try_render(TEMPLATE, &context(Format::Screen), &names(), rows().into_iter(), &Limits::default()).expect("it renders");
    let mut screen =
        ScreenFile::open(std::fs::File::open(&file.path).expect("the file")).expect("readable").expect("a report on the screen");
    let kinds: Vec<ScreenBlockKind> = screen.contents().blokovi.iter().map(|block| block.vrsta).collect();
    assert_eq!(kinds, [Tabela, Tabela, Grafikon, Tabela, Grafikon]);
    let funnel = screen.chart(4).expect("readable").expect("a chart");
    assert_eq!(funnel.odbijeno, None);
    assert!(funnel.redovi.iter().any(|row| row[0] == "Vaša ustanova" && row[1] == "100" && row[2] == "95%"), "{:?}", funnel.redovi);
    let csv = csv(rows());
    for block in [0, 1, 3] {
        for line in screen.lines(block, 0, 100).expect("readable").expect("a table") {
            for cell in line.celije {
                assert!(csv.contains(&cell), "{cell} is in the CSV");
            }
        }
    }
    for format in [Format::Pdf, Format::Xlsx] {
        try_render(TEMPLATE, &context(format), &names(), rows().into_iter(), &Limits::default()).expect("it renders");
    }
}

#[test]
fn nothing_at_all_is_said() {
    let shown = csv(vec![row(None, None, [Some(0), Some(0), Some(0), Some(0)])]);
    assert!(shown.contains("Pregledani;0"), "{shown}");
    assert!(csv(Vec::new()).contains("Nema podataka za zadate uslove."));
    let withheld =
        csv(vec![row(Some("2025."), None, [None, Some(9), Some(9), Some(0)]), row(None, None, [None, Some(9), Some(9), Some(0)])]);
    assert!(withheld.contains("2025.;–;–;–") && withheld.contains("brojevi su premali da bi se prikazali"), "{withheld}");
}

/// The search of everything, of a year or of one's own hospital; `other` tells searches apart.
fn search(own: bool, other: i64) -> Value {
    text(&json!({ "registarID": 4, "unos": { "tipUnosaID": other, "svoj": own }, "sveUstanove": true }).to_string())
}

#[test]
fn months_and_ones_own_hospital_lead_to_whom_they_count_and_nobody_elses_do() {
    let mut names = names();
    names.extend(["pretraga ispunili", "pretraga poznati", "pretraga iskljuceni"].map(str::to_owned));
    let all = rows().into_iter().enumerate().map(|(place, mut row)| {
        let own = row[2] == Value::Bool(true);
        // A query that says a search of another hospital is not followed.
        row.extend([1, 2, 3].map(|which| search(own, place as i64 * 10 + which)));
        row
    });
    let file = try_render(TEMPLATE, &context(Format::Screen), &names, all, &Limits::default()).expect("it renders");
    let mut screen =
        ScreenFile::open(std::fs::File::open(&file.path).expect("the file")).expect("readable").expect("a report on the screen");
    let mut led = |block: usize| -> Vec<(String, Vec<(u16, i64)>)> {
        let lines = screen.lines(block, 0, 100).expect("readable").expect("a table");
        let searches = |line: &domain::report_screen::ScreenLine| {
            line.pretrage.iter().map(|one| (one.kolona, one.pretraga.unos.tip_unosa_id)).collect::<Vec<_>>()
        };
        lines.iter().map(|line| (line.celije[0].clone(), searches(line))).collect()
    };
    let summary = led(0);
    let of = |name: &str| summary.iter().find(|(cell, _)| cell == name).map(|(_, searches)| searches.clone()).unwrap_or_default();
    assert_eq!((of("Pregledani"), of("Sa podatkom"), of("Isključeni")), (vec![(1, 151)], vec![(1, 152)], vec![(1, 153)]));
    assert!(summary.iter().filter(|(_, searches)| !searches.is_empty()).count() == 3, "{summary:?}");
    let years = led(1);
    assert_eq!(years.len(), 12);
    assert!(
        years.iter().enumerate().all(|(place, (_, led))| *led == [(1, place as i64 * 10 + 1), (2, place as i64 * 10 + 2)]),
        "{years:?}"
    );
    let hospitals = led(3);
    assert_eq!(hospitals[0], ("Vaša ustanova".to_owned(), vec![(1, 132)]));
    assert!(hospitals[1..].iter().all(|(_, searches)| searches.is_empty()), "{hospitals:?}");
    let course = screen.chart(2).expect("readable").expect("a chart");
    assert_eq!(course.crtezi[0].mesta.iter().filter(|spot| spot.pretraga.is_some()).count(), 12);
    let funnel = screen.chart(4).expect("readable").expect("a chart");
    let own: Vec<i64> = funnel.crtezi[0].mesta.iter().filter_map(|spot| Some(spot.pretraga.as_ref()?.unos.tip_unosa_id)).collect();
    assert_eq!(own, [132], "the point of one's own hospital alone");
}

#[test]
fn what_is_withheld_or_counts_nobody_leads_nowhere() {
    let mut names = names();
    names.extend(["pretraga ispunili", "pretraga poznati"].map(str::to_owned));
    let mut led = row(Some("2025."), None, [None, Some(9), Some(9), Some(0)]);
    led.extend([search(false, 1), search(false, 2)]);
    let mut nobody = row(None, None, [Some(0), Some(9), Some(9), Some(0)]);
    nobody.extend([search(false, 3), search(false, 4)]);
    let file =
        try_render(TEMPLATE, &context(Format::Screen), &names, vec![led, nobody].into_iter(), &Limits::default()).expect("it renders");
    let mut screen =
        ScreenFile::open(std::fs::File::open(&file.path).expect("the file")).expect("readable").expect("a report on the screen");
    let mut searches = |block: usize| -> Vec<i64> {
        let lines = screen.lines(block, 0, 100).expect("readable").expect("a table");
        lines.iter().flat_map(|line| line.pretrage.iter().map(|one| one.pretraga.unos.tip_unosa_id)).collect()
    };
    assert_eq!(searches(0), [4], "nine are there, and none of them is in the numerator");
    assert_eq!(searches(1), Vec::<i64>::new());
}
