//! Each value of a drawing can be pointed at.
use report_chart::layout::MOST_SPOTS;
use report_chart::{Axis, Figure, Mark, Point, Size, draw, spots};

use crate::figures::{pie, series, survival};

const SIZE: Size = Size { width: 800.0, height: 400.0, letters: 12.0 };

#[test]
fn points_of_a_line_have_a_spot_each_where_the_line_is_drawn() {
    let points: Vec<Point> = [(3.0, 2.0), (1.0, 5.0), (2.0, 4.0)].map(|(x, y)| Point::new(x, y)).to_vec();
    let figure = Figure {
        x: Axis::numbers(""),
        y: Axis::numbers(""),
        series: series(&["DAS28"]),
        marks: vec![Mark::Line { series: 0, points, dots: false }],
        ..Figure::default()
    };
    let drawing = draw(&figure, SIZE).unwrap();
    let found = spots(&figure, &drawing).unwrap();
    assert_eq!(found.iter().map(|spot| spot.told.as_str()).collect::<Vec<_>>(), ["DAS28, 1: 5", "DAS28, 2: 4", "DAS28, 3: 2"]);
    let line = drawing.items.iter().find(|item| item.datum.as_ref().is_some_and(|datum| datum.kind == "line")).unwrap();
    let report_chart::drawing::Shape::Path(path) = &line.shape else { panic!("a path") };
    assert_eq!(found.iter().map(|spot| spot.at).collect::<Vec<_>>(), path.lines[0], "where the line has its corners");
}

#[test]
fn slices_and_curves_have_their_words_and_no_drawing_has_too_many() {
    let pie = pie();
    let slices = spots(&pie, &draw(&pie, SIZE).unwrap()).unwrap();
    assert!(slices.iter().any(|spot| spot.told == "STEMI: 153 (29,9%)"), "{slices:?}");
    let figure = survival();
    let drawing = draw(&figure, SIZE).unwrap();
    let found = spots(&figure, &drawing).unwrap();
    let of = |name: &str| found.iter().filter(|spot| spot.series == name).count();
    assert!(of("Muškarci") > 10 && of("Žene") > 10);
    assert!(found.iter().all(|spot| spot.at.0 >= 0.0 && spot.at.0 <= SIZE.width && spot.at.1 >= 0.0 && spot.at.1 <= SIZE.height));
    let long = Figure {
        series: series(&["a"]),
        x: Axis::numbers(""),
        y: Axis::numbers(""),
        marks: vec![Mark::Line { series: 0, points: (0..50_000).map(|x| Point::new(f64::from(x), 1.0)).collect(), dots: false }],
        ..Figure::default()
    };
    assert!(spots(&long, &draw(&long, SIZE).unwrap()).unwrap().len() <= MOST_SPOTS);
}
