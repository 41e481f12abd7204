//! The course of a patient as the screen and the print draw it: values by their days, on the axes on which they compare.
use std::collections::HashMap;

use domain::entry::chart::{ChartPoint, PointMark};
use domain::entry::course::{Course, Measure, chart, measure, not_drawn, written};
use domain::entry::stale::UNIT_MARK;
use domain::register::ChartLine;
use jiff::civil::Date;
use report_chart::{Mark, Size, Stretch, times};
use serde_json::{Value, json};

fn point(day: &str, vrednosti: Value) -> ChartPoint {
    ChartPoint { date: day.parse().unwrap(), vrednosti, naziv: String::new(), zastareli: HashMap::new(), form_version_id: 1 }
}

fn marked(day: &str, vrednosti: Value, code: &str, razlog: &str) -> ChartPoint {
    let mark = PointMark { razlog: razlog.to_owned(), jedinica: Some("g".to_owned()) };
    ChartPoint { zastareli: HashMap::from([(code.to_owned(), mark)]), ..point(day, vrednosti) }
}

fn line(oznaka: &str, sifra: &str) -> ChartLine {
    ChartLine { oznaka: oznaka.to_owned(), sifra: sifra.to_owned(), boja: "#2563eb".to_owned() }
}

fn points_of(course: &Course, series: usize) -> Vec<(f64, f64)> {
    let own = |mark: &Mark| match mark {
        Mark::Line { series: own, points, .. } if *own == series => Some(points.clone()),
        _ => None,
    };
    course.figure.marks.iter().find_map(own).unwrap().into_iter().map(|point| (point.x, point.y)).collect()
}

#[test]
fn visits_stand_by_their_days_in_order_and_say_their_values_as_they_are_stored() {
    let visits = [
        point("1970-04-01", json!({ "das": 3.00005 })),
        point("1970-01-01", json!({ "das": 5 })),
        point("1970-01-03", json!({ "das": 4.5 })),
    ];
    let course = chart(&[line("DAS28", "das"), line("Nema", "nema")], &visits);
    assert_eq!(points_of(&course, 0), [(0.0, 5.0), (2.0, 4.5), (90.0, 3.00005)]);
    assert_eq!(course.told, ["DAS28, 01.01.1970.: 5", "DAS28, 03.01.1970.: 4,5", "DAS28, 01.04.1970.: 3,00005"]);
    assert_eq!(course.figure.series.len(), 1, "a line without a value is none");
    let drawn = course.drawn(Size::screen(800.0, 400.0)).unwrap();
    assert_eq!((drawn.sirina, drawn.visina), (800.0, 400.0));
    assert_eq!(drawn.mesta.iter().map(|spot| spot.tekst.clone()).collect::<Vec<_>>(), course.told);
    let [first, second, third] = &drawn.mesta[..] else { panic!("{:?}", drawn.mesta) };
    assert!((third.x - first.x) / (second.x - first.x) > 44.0, "two days are a fortyfifth of ninety");
}

#[test]
fn a_number_of_another_unit_is_not_drawn_and_one_of_a_former_formula_is_ringed() {
    let visits = [
        marked("2025-01-01", json!({ "masa": 72_000 }), "masa", UNIT_MARK),
        marked("2025-02-01", json!({ "masa": 73 }), "masa", "formula"),
        point("2025-03-01", json!({ "masa": 74 })),
    ];
    let course = chart(&[line("Masa", "masa")], &visits);
    assert_eq!(points_of(&course, 0).iter().map(|(_, value)| *value).collect::<Vec<_>>(), [73.0, 74.0]);
    let rings: Vec<usize> = course
        .figure
        .marks
        .iter()
        .filter_map(|mark| if let Mark::Rings { points, is_dashed: true, .. } = mark { Some(points.len()) } else { None })
        .collect();
    assert_eq!(rings, [1]);
    assert_eq!(course.told[0], "Masa, 01.02.2025.: 73 (Današnja formula daje drugi rezultat)");
    assert_eq!(not_drawn(&[line("Masa", "masa")], &visits).as_deref(), Some("U drugoj jedinici, zato nije nacrtano: 1."));
    let text = [point("2025-01-01", json!({ "terapija": "Metotreksat" })), point("2025-02-01", json!({ "terapija": 3 }))];
    assert!(!chart(&[line("Terapija", "terapija")], &text).figure.has_values(), "what is no number has no line");
}

#[test]
fn lines_of_another_magnitude_have_the_axis_on_the_right() {
    let visits =
        [point("2025-03-05", json!({ "haq": 1, "das": 2, "crp": 99 })), point("2026-03-05", json!({ "haq": 2, "das": 5, "crp": 3 }))];
    let lines = [line("HAQ", "haq"), line("DAS28", "das"), line("CRP", "crp")];
    let course = chart(&lines, &visits);
    assert_eq!(course.figure.right.as_ref().unwrap().series, [2]);
    let drawn = course.drawn(Size::screen(800.0, 400.0)).unwrap();
    let height = |place: usize| (drawn.mesta[place * 2].y - drawn.mesta[place * 2 + 1].y).abs();
    assert!(height(0) > 40.0 && height(1) > 100.0 && height(2) > 200.0, "{:?}", drawn.mesta);
    let words: Vec<&str> = drawn.oblici.iter().filter_map(|shape| shape.tekst.as_deref()).collect();
    assert!(words.contains(&"CRP (desna osa)") && words.contains(&"100") && words.contains(&"DAS28"), "{words:?}");
    assert_eq!(chart(&lines[..2], &visits).figure.right, None, "HAQ and DAS28 share one");
    assert_eq!(chart(&[], &visits).figure.right, None);
}

#[test]
fn a_measure_has_its_bounds_shaded_as_far_as_its_axis_and_what_is_outside_ringed() {
    let visits = [point("2025-03-05", json!({ "crp": 12 })), point("2026-03-05", json!({ "crp": 3 }))];
    let of = Measure { unit: Some("mg/L"), low: None, high: Some(5.0) };
    let course = measure(&line("CRP", "crp"), &visits, of, &[0.0, 30_000.0]).unwrap();
    let Mark::ReferenceRange { from, to, .. } = course.figure.marks[0] else { panic!("{:?}", course.figure.marks) };
    assert_eq!((from, to), (0.0, 5.0));
    let Mark::Rings { points, is_dashed: false, .. } = &course.figure.marks[2] else { panic!("{:?}", course.figure.marks) };
    assert_eq!(points.iter().map(|point| point.y).collect::<Vec<_>>(), [12.0]);
    assert_eq!(course.told, ["CRP, 05.03.2025.: 12 mg/L", "CRP, 05.03.2026.: 3 mg/L"]);
    assert_eq!(measure(&line("Drugo", "drugo"), &visits, of, &[]), None);
    // Whatever the values: what is shaded ends where the axis ends.
    for (value, high) in [(4.0, 16.0), (5.0, 25.0), (61.0, 74.0), (0.8, 99.0), (3.0, 3.0), (-2.5, -1.9)] {
        let visit = [point("2025-03-05", json!({ "crp": value }))];
        let course = measure(&line("CRP", "crp"), &visit, Measure { high: Some(high), ..of }, &[]).unwrap();
        let Mark::ReferenceRange { from, to, .. } = course.figure.marks[0] else { panic!("{:?}", course.figure.marks) };
        let extent = course.figure.y.extent(&[from, to, value], 3);
        assert!((extent.low - from).abs() < 1e-9 && to == high, "{value}, {high}: {from} – {to}, {extent:?}");
    }
}

#[test]
fn a_therapy_holds_until_the_visit_that_has_another_and_the_last_one_to_the_end() {
    let at = |day: &str, text: &str| (day.parse::<Date>().unwrap(), text.to_owned());
    let texts = [at("2025-01-01", "Metotreksat"), at("2025-04-01", "Metotreksat"), at("2025-07-01", ""), at("2025-10-01", "Leflunomid")];
    let day = |text: &str| times::of_day(text.parse().unwrap());
    let stretch = |from: &str, to: Option<&str>, words: &str| Stretch { from: day(from), to: to.map(day), words: words.to_owned() };
    let expected = vec![stretch("2025-01-01", Some("2025-07-01"), "Metotreksat"), stretch("2025-10-01", None, "Leflunomid")];
    let drawn = written(&line("Terapija", "t"), &texts, &[day("2025-01-01"), day("2026-01-01")]).unwrap();
    assert_eq!(drawn.figure.marks, [Mark::Stretches { series: 0, stretches: expected }]);
    let drawn = drawn.drawn(Size::screen(760.0, 80.0)).unwrap();
    let told: Vec<&str> = drawn.mesta.iter().map(|spot| spot.tekst.as_str()).collect();
    assert_eq!(told, ["Terapija, 01.01.2025. – 01.07.2025.: Metotreksat", "Terapija, 01.10.2025.: Leflunomid"]);
    assert!(drawn.oblici.iter().any(|shape| shape.tekst.as_deref() == Some("Metotreksat")));
    assert_eq!(written(&line("Terapija", "t"), &[at("2025-01-01", "")], &[]), None);
}

#[test]
fn a_colour_that_is_none_is_grey() {
    let visit = [point("2025-03-05", json!({ "crp": 4 }))];
    let color = |boja: &str| {
        let line = ChartLine { boja: boja.to_owned(), ..line("CRP", "crp") };
        chart(&[line], &visit).figure.series[0].color
    };
    assert_eq!(color("#2563eb"), Some((0x25, 0x63, 0xEB)));
    assert_eq!([color("crvena"), color("#žž")], [Some((90, 90, 90)); 2]);
}
