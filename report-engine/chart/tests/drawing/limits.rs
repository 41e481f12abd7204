//! A hundred thousand points are drawn without what no eye sees.
use report_chart::drawing::Shape;
use report_chart::summary::box_plot;
use report_chart::{Axis, Figure, Interval, Mark, Point, Size, draw, to_svg};

use crate::figures::{numbers, series};

const SIZE: Size = Size { width: 800.0, height: 400.0, letters: 12.0 };
const MANY: usize = 100_000;
const MOST_BYTES: usize = 200_000;

fn figure(marks: Vec<Mark>) -> Figure {
    Figure { x: Axis::numbers("x"), y: Axis::numbers("y"), series: series(&["a", "b", "c"]), marks, ..Figure::default() }
}

fn noise(count: usize, seed: u64) -> Vec<Point> {
    numbers(count, seed).into_iter().enumerate().map(|(index, y)| Point::new(index as f64, y)).collect()
}

#[test]
fn a_chart_of_a_hundred_thousand_values_stays_small() {
    let bounds = |points: &[Point]| points.iter().map(|point| Interval { at: point.x, low: point.y - 0.1, high: point.y + 0.1 }).collect();
    let places = numbers(MANY, 3).into_iter().zip(numbers(MANY, 9)).map(|(x, y)| Point::new(x, y)).collect::<Vec<_>>();
    let boxes = vec![box_plot(0.5, &numbers(MANY, 1).iter().map(|share| 1.0 / (share + 1e-6)).collect::<Vec<_>>()).unwrap()];
    let third = |seed| noise(MANY / 3, seed);
    let figures = [
        figure(vec![Mark::Line { series: 0, points: noise(MANY, 1), dots: true }]),
        figure((0..3).map(|series| Mark::Line { series, points: third(series as u64), dots: false }).collect()),
        figure(vec![
            Mark::Band { series: 0, bounds: bounds(&third(4)), stepped: true },
            Mark::Steps { series: 0, points: third(4) },
            Mark::Censored { series: 0, points: third(4) },
        ]),
        figure(vec![Mark::Points { series: 0, points: places }]),
        Figure { x: Axis::categories("", vec!["svi".to_owned()]), ..figure(vec![Mark::Boxes { series: 0, boxes }]) },
    ];
    for (index, figure) in figures.iter().enumerate() {
        let svg = to_svg(figure, SIZE).unwrap();
        assert!(svg.len() < MOST_BYTES, "figure {index} has {} bytes", svg.len());
    }
}

#[test]
fn thinning_keeps_the_lowest_and_the_highest() {
    let mut points = noise(MANY, 2);
    points[31_416].y = 40.0;
    points[65_537].y = -40.0;
    let drawing = draw(&figure(vec![Mark::Line { series: 0, points, dots: false }]), SIZE).unwrap();
    let line = drawing.items.iter().find(|item| item.datum.as_ref().is_some_and(|datum| datum.kind == "line")).unwrap();
    let Shape::Path(path) = &line.shape else { panic!("a path") };
    let places = path.lines.concat();
    let (least, most) = places.iter().fold((f64::INFINITY, 0.0f64), |(least, most), (_, y)| (least.min(*y), most.max(*y)));
    assert!(most - least > 200.0, "from {least} to {most}");
}
