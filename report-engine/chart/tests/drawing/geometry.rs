//! Values lie where they are, words stand apart.
use report_chart::axis::{Extent, Steps};
use report_chart::drawing::{Path, Place, Shape, Word};
use report_chart::{Axis, Direction, Drawing, Figure, Interval, Mark, Point, RightAxis, Scale, Size, draw, spots};

use crate::figures::{SIZES, all, series, survival};

const SIZE: Size = Size { width: 800.0, height: 400.0, letters: 12.0 };

fn line(points: &[(f64, f64)]) -> Mark {
    Mark::Line { series: 0, points: points.iter().map(|(x, y)| Point::new(*x, *y)).collect(), dots: false }
}

fn figure(marks: Vec<Mark>) -> Figure {
    Figure { x: Axis::numbers(""), y: Axis::from_zero(""), series: series(&["a", "b"]), marks, ..Figure::default() }
}

fn of_kind(drawing: &Drawing, kind: &str) -> Vec<Path> {
    let is_of = |item: &&report_chart::drawing::Item| item.datum.as_ref().is_some_and(|datum| datum.kind == kind);
    let path = |item: &report_chart::drawing::Item| match &item.shape {
        Shape::Path(path) => path.clone(),
        Shape::Word(word) => panic!("a path, not {word:?}"),
    };
    drawing.items.iter().filter(is_of).map(path).collect()
}

fn places(drawing: &Drawing, kind: &str) -> Vec<Place> {
    of_kind(drawing, kind).into_iter().flat_map(|path| path.lines.concat()).collect()
}

#[test]
fn points_lie_by_value_and_in_order_whatever_order_they_come_in() {
    let drawing = draw(&figure(vec![line(&[(100.0, 1.0), (0.0, 3.0), (10.0, 2.0)])]), SIZE).unwrap();
    let places = places(&drawing, "line");
    let gaps = [places[1].0 - places[0].0, places[2].0 - places[1].0];
    assert!((gaps[1] / gaps[0] - 9.0).abs() < 1e-9, "{places:?}");
    assert!((places[1].1 - places[0].1 - (places[2].1 - places[1].1)).abs() < 1e-9, "{places:?}");
}

#[test]
fn upright_parts_of_a_curve_do_not_jag_whichever_way_they_come() {
    let mut roc = [(0.0, 0.0), (0.0, 0.6), (0.5, 0.6), (0.5, 0.9), (1.0, 0.9), (1.0, 1.0)];
    for _ in 0..2 {
        let places = places(&draw(&figure(vec![line(&roc)]), SIZE).unwrap(), "line");
        assert!(places.windows(2).all(|pair| pair[0].0 <= pair[1].0 && pair[0].1 >= pair[1].1), "{places:?}");
        roc.reverse();
    }
}

#[test]
fn equal_places_of_two_series_lie_on_one_another() {
    let second = Mark::Line { series: 1, points: vec![Point::new(7.0, 1.0), Point::new(3.0, 1.0)], dots: false };
    let drawing = draw(&figure(vec![line(&[(3.0, 1.0), (5.0, 2.0), (7.0, 1.0)]), second]), SIZE).unwrap();
    let paths = of_kind(&drawing, "line");
    assert_eq!((paths[0].lines[0][0], paths[0].lines[0][2]), (paths[1].lines[0][0], paths[1].lines[0][1]));
    assert_ne!(paths[0].stroke.unwrap().dash, paths[1].stroke.unwrap().dash, "told apart without colours");
}

#[test]
fn a_value_of_steps_holds_until_the_next_one() {
    let steps = Mark::Steps { series: 0, points: [(0.0, 1.0), (4.0, 0.5), (8.0, 0.25)].map(|(x, y)| Point::new(x, y)).to_vec() };
    let places = places(&draw(&figure(vec![steps]), SIZE).unwrap(), "step");
    assert_eq!(places.len(), 5);
    assert!(places.windows(2).all(|pair| pair[0].0 == pair[1].0 || pair[0].1 == pair[1].1), "right angles: {places:?}");
}

#[test]
fn bands_lie_under_lines_and_their_ends_about_the_values() {
    let drawing = draw(&survival(), SIZE).unwrap();
    let kinds: Vec<&str> = drawing.items.iter().filter_map(|item| item.datum.as_ref().map(|datum| datum.kind)).collect();
    let last_band = kinds.iter().rposition(|kind| *kind == "band").unwrap();
    let first_line = kinds.iter().position(|kind| *kind == "step").unwrap();
    assert!(last_band < first_line, "{kinds:?}");
}

fn boxes_of(words: &[&Word]) -> Vec<(f64, f64, f64, f64)> {
    let of = |word: &&Word| {
        let ((left, right), (above, below)) = (word.span(), (word.at.1 - word.size * 0.7, word.at.1));
        (left, right, above, below)
    };
    words.iter().filter(|word| !word.is_turned).map(of).collect()
}

#[test]
fn no_words_touch_and_all_are_within_the_drawing() {
    for (name, figure) in all() {
        for (place, size) in SIZES {
            let drawing = draw(&figure, size).unwrap();
            let words: Vec<&Word> = drawing.words().collect();
            let boxes = boxes_of(&words);
            for (index, one) in boxes.iter().enumerate() {
                assert!(one.0 > -0.5 && one.1 < size.width + 0.5 && one.2 > -0.5 && one.3 < size.height + 0.5, "{name} {place}: {one:?}");
                for other in &boxes[index + 1..] {
                    let touch = one.0 < other.1 && other.0 < one.1 && one.2 < other.3 && other.2 < one.3;
                    let texts: Vec<&str> = words.iter().filter(|word| !word.is_turned).map(|word| word.text.as_str()).collect();
                    assert!(!touch, "{name} {place}: {one:?} and {other:?} among {texts:?}");
                }
            }
        }
    }
}

#[test]
fn the_first_and_the_last_word_of_an_axis_are_always_there() {
    for width in [200.0, 390.0, 800.0, 1600.0] {
        let size = Size { width, ..SIZE };
        let words = |figure: &Figure| -> Vec<String> { draw(figure, size).unwrap().words().map(|word| word.text.clone()).collect() };
        let days: Vec<(f64, f64)> = (1..=40).map(|day| (f64::from(day) * 59.0 - 2.0, 1.0)).collect();
        let shown = words(&figure(vec![line(&days)]));
        assert!(
            shown.iter().any(|word| word == "0")
                && ["2400", "2500", "3000", "4000", "5000"].iter().any(|last| shown.iter().any(|word| word == last)),
            "{width}: {shown:?}"
        );
        let names: Vec<String> = (1..=30).map(|number| format!("Ustanova {number}")).collect();
        let bars = (0..30).map(|place| Point::new(Axis::place_of(place), 1.0)).collect();
        let figure = Figure { x: Axis::categories("", names), ..figure(vec![Mark::Bars { series: 0, bars }]) };
        let shown = words(&figure);
        let has = |number: u32| {
            shown.iter().any(|word| word.starts_with("Usta") && (word.ends_with(&format!(" {number}")) || word.ends_with('…')))
        };
        assert!(has(1) && has(30), "{width}: {shown:?}");
    }
}

#[test]
fn a_logarithmic_axis_refuses_zero_and_below_in_words() {
    for value in [0.0, -2.0] {
        let figure = Figure { y: Axis::log(""), ..figure(vec![line(&[(1.0, 5.0), (2.0, value)])]) };
        let fault = draw(&figure, SIZE).unwrap_err().to_string();
        assert!(fault.contains("logaritamska osa") && fault.contains(if value == 0.0 { " 0" } else { "−2" }), "{fault}");
    }
    let bars = Figure {
        x: Axis::categories("", vec!["a".into()]),
        y: Axis::log(""),
        ..figure(vec![Mark::Bars { series: 0, bars: vec![Point::new(0.5, 2.0)] }])
    };
    assert!(draw(&bars, SIZE).unwrap_err().to_string().contains("stubić"));
}

#[test]
fn no_data_one_value_and_negative_numbers_are_drawn_in_peace() {
    let empty = draw(&figure(vec![line(&[])]), SIZE).unwrap();
    assert!(empty.words().any(|word| word.text == "Nema podataka za grafikon."));
    for points in [&[(5.0, 5.0)][..], &[(0.0, 0.0)], &[(-3.0, -7.0), (-1.0, -2.0)], &[(1.0, 2.0), (1.0, 3.0)]] {
        let drawing = draw(&figure(vec![line(points)]), SIZE).unwrap();
        let within = |(x, y): &Place| (0.0..=SIZE.width).contains(x) && (0.0..=SIZE.height).contains(y);
        assert!(places(&drawing, "line").iter().all(within), "{points:?}");
    }
}

#[test]
fn what_is_no_number_or_no_series_is_refused() {
    for value in [f64::NAN, f64::INFINITY, f64::MAX] {
        assert!(draw(&figure(vec![line(&[(1.0, value)])]), SIZE).unwrap_err().to_string().contains("nisu broj"));
        assert!(draw(&figure(vec![line(&[(value, 1.0)])]), SIZE).is_err());
    }
    assert!(draw(&figure(vec![Mark::Points { series: 2, points: vec![Point::new(0.0, 0.0)] }]), SIZE).is_err());
    let reversed = Mark::Band { series: 0, bounds: vec![Interval { at: 0.0, low: 2.0, high: 1.0 }], stepped: false };
    assert!(draw(&figure(vec![reversed]), SIZE).is_err());
    for (width, height) in [(0.0, 400.0), (f64::NAN, 400.0), (60.0, 400.0), (800.0, 10.0), (1e9, 400.0)] {
        assert!(draw(&survival(), Size { width, height, letters: 12.0 }).is_err(), "{width} x {height}");
    }
}

#[test]
fn a_reference_beyond_the_values_widens_the_axis() {
    let reference = Mark::ReferenceLine { axis: Direction::Y, at: 90.0, words: "granica".to_owned() };
    let drawing = draw(&figure(vec![line(&[(1.0, 5.0), (2.0, 6.0)]), reference]), SIZE).unwrap();
    assert!(places(&drawing, "reference").iter().all(|(_, y)| *y > 0.0));
    assert!(drawing.words().any(|word| word.text == "granica") && drawing.words().any(|word| word.text == "100"));
}

#[test]
fn numbers_at_risk_are_those_at_the_words_of_the_axis() {
    let figure = survival();
    let drawing = draw(&figure, SIZE).unwrap();
    let table = figure.at_risk.as_ref().unwrap();
    let words: Vec<&Word> = drawing.words().collect();
    let under = |text: &str| words.iter().find(|word| word.text == text).map(|word| word.span());
    for at in [0.0, 1000.0, 2000.0] {
        let label = report_chart::text::on_axis(at, 500.0);
        let (left, right) = under(&label).unwrap_or_else(|| panic!("{label} among {words:?}"));
        let middle = f64::midpoint(left, right);
        let wanted = table.rows[0].at(at).to_string();
        let is_there = words.iter().any(|word| word.text == wanted && (f64::midpoint(word.span().0, word.span().1) - middle).abs() < 1.0);
        assert!(is_there, "{wanted} under {label}");
    }
    assert_eq!((table.rows[0].at(0.0), table.rows[0].at(1e9)), (250, 0));
}

#[test]
fn shares_lie_between_nothing_and_all() {
    let axis = Axis { title: String::new(), scale: Scale::Numbers { steps: Steps::Percent, least: Some(0.0), greatest: Some(1.0) } };
    assert_eq!(axis.extent(&[0.2, 0.4], 5), Extent { low: 0.0, high: 1.0, step: 0.2, is_log: false });
}

#[test]
fn a_second_axis_is_read_by_its_own_series_alone() {
    let right = RightAxis { axis: Axis::from_zero(""), series: vec![1] };
    let marks = vec![
        line(&[(1.0, 2.0), (2.0, 4.0)]),
        Mark::Line { series: 1, points: vec![Point::new(1.0, 200.0), Point::new(2.0, 400.0)], dots: true },
    ];
    let drawing = draw(&Figure { right: Some(right), ..figure(marks) }, SIZE).expect("drawn");
    let all = of_kind(&drawing, "line");
    assert_eq!(all[0].lines, all[1].lines, "two magnitudes, one course");
    let words: Vec<&str> = drawing.words().map(|word| word.text.as_str()).collect();
    assert!(words.contains(&"4") && words.contains(&"400") && words.contains(&"b (desna osa)"), "{words:?}");
    let axis = RightAxis { axis: Axis::time(""), series: vec![0] };
    let refused = draw(&Figure { right: Some(axis), ..figure(vec![line(&[(1.0, 2.0)])]) }, SIZE);
    assert_eq!(refused.unwrap_err().to_string(), "desna osa je osa brojeva");
}

#[test]
fn charts_below_one_another_share_their_days_and_begin_at_one_place() {
    let of = |value: f64| Figure { x: Axis::time(""), shared_x: vec![0.0, 100.0], least_left: 6.0, ..figure(vec![line(&[(50.0, value)])]) };
    let place = |value: f64| spots(&of(value), &draw(&of(value), Size::screen(400.0, 200.0)).expect("drawn")).expect("spots")[0].at.0;
    assert!((place(3.0) - place(123_456.0)).abs() < 1e-9);
}
