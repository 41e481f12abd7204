//! An SVG is read back as the data that it shows.
use report_chart::{Axis, Figure, Mark, Point, Size, to_svg};

use crate::figures::{pie, series, survival};

const SIZE: Size = Size { width: 800.0, height: 400.0, letters: 12.0 };

/// The values of the attribute in every element that has it.
fn attributes<'a>(svg: &'a str, name: &str) -> Vec<&'a str> {
    let begin = format!(" {name}=\"");
    svg.split(&begin).skip(1).map(|rest| rest.split('"').next().unwrap()).collect()
}

#[test]
fn values_are_beside_the_shapes_that_show_them() {
    let points = [(0.0, 1.0), (0.1 + 0.2, -2.5), (1e-7, 3.0)].map(|(x, y)| Point::new(x, y)).to_vec();
    let figure = Figure {
        x: Axis::numbers(""),
        y: Axis::numbers(""),
        series: series(&["DAS28"]),
        marks: vec![Mark::Line { series: 0, points: points.clone(), dots: false }],
        ..Figure::default()
    };
    let svg = to_svg(&figure, SIZE).unwrap();
    assert_eq!((attributes(&svg, "data-kind"), attributes(&svg, "data-series")), (vec!["line"], vec!["DAS28"]));
    let mut read: Vec<(f64, f64)> = Vec::new();
    for pair in attributes(&svg, "data-values")[0].split(' ') {
        let (x, y) = pair.split_once(',').unwrap();
        read.push((x.parse().unwrap(), y.parse().unwrap()));
    }
    let mut wanted: Vec<(f64, f64)> = points.iter().map(|point| (point.x, point.y)).collect();
    wanted.sort_by(|left, right| left.0.total_cmp(&right.0));
    assert_eq!(read, wanted);
}

#[test]
fn a_curve_is_read_back_with_its_band_and_its_censored() {
    let figure = survival();
    let svg = to_svg(&figure, SIZE).unwrap();
    assert_eq!(attributes(&svg, "data-kind"), ["band", "band", "step", "step", "censored", "censored"]);
    let Mark::Steps { points, .. } = &figure.marks[1] else { panic!("steps") };
    let wanted: Vec<String> = points.iter().map(|point| format!("{},{}", point.x, point.y)).collect();
    assert_eq!(attributes(&svg, "data-values")[2], wanted.join(" "));
    assert!(svg.contains("<title>Preživljavanje po polu</title>") && svg.contains("<desc>Stepenasti grafikon:"));
}

#[test]
fn bars_and_slices_tell_their_own_value() {
    let svg = to_svg(&pie(), SIZE).unwrap();
    assert_eq!((attributes(&svg, "data-x"), attributes(&svg, "data-y")), (vec!["STEMI", "NSTEMI", "Drugo"], vec!["153", "347", "12"]));
    assert!(svg.contains("<title>STEMI: 153 (29,9%)</title>"), "{svg}");
}

#[test]
fn texts_are_escaped() {
    let nasty = "</text><script>alert(\"1\")</script> & \u{1}'\n";
    let mut figure = pie();
    figure.title = nasty.to_owned();
    figure.notes = vec![nasty.to_owned()];
    if let Mark::Pie { slices } = &mut figure.marks[0] {
        slices[0].name = nasty.to_owned();
    }
    let svg = to_svg(&figure, SIZE).unwrap();
    assert!(!svg.contains("<script") && !svg.contains('\u{1}') && svg.contains("&lt;script&gt;") && svg.contains("&amp;"), "{svg}");
    assert_eq!(svg.matches("<text").count(), svg.matches("</text>").count());
}
