//! Charts of a measure over months.
use statistics::rates::control::{Signal, individuals_chart, run_chart};
use statistics::{Error, Numeric};

fn column(values: &[f64]) -> Vec<Option<f64>> {
    values.iter().copied().map(Some).collect()
}

#[test]
fn limits_are_of_the_moving_range() {
    let values = column(&[10.0, 12.0, 11.0, 13.0, 9.0, 11.0]);
    let chart = individuals_chart(Numeric { name: "x", values: &values }).unwrap();
    assert_eq!((chart.centre, chart.mean_moving_range), (11.0, 2.2));
    assert!((chart.high - (11.0 + 2.66 * 2.2)).abs() < 1e-12 && (chart.low - (11.0 - 2.66 * 2.2)).abs() < 1e-12);
    assert!(chart.points.iter().all(|point| point.signals.is_empty()));
    let values = column(&[10.0, 10.1, 10.0, 9.9, 10.0, 30.0]);
    let chart = individuals_chart(Numeric { name: "x", values: &values }).unwrap();
    assert_eq!(chart.points[5].signals, [Signal::OutsideLimits]);
}

#[test]
fn seven_on_one_side_and_seven_that_rise_are_signals() {
    let mut values = column(&[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]);
    values.insert(3, None);
    let chart = individuals_chart(Numeric { name: "x", values: &values }).unwrap();
    assert_eq!(chart.missing, 1);
    let marked = |signal| chart.points.iter().filter(|point| point.signals.contains(&signal)).map(|point| point.row).collect::<Vec<_>>();
    assert_eq!(marked(Signal::Trend), [6, 7, 8, 9, 10, 11, 12, 13]);
    assert_eq!(marked(Signal::Shift), [0, 1, 2, 4, 5, 6, 7, 8], "eight below the mean");
}

#[test]
fn a_constant_measure_has_no_signals() {
    let values = column(&[4.0; 12]);
    let x = Numeric { name: "x", values: &values };
    assert!(individuals_chart(x).unwrap().points.iter().all(|point| point.signals.is_empty()));
    assert_eq!(run_chart(x).unwrap_err(), Error::TooFew { variable: "x".into(), n: 0, needed: 10 });
    assert!(matches!(individuals_chart(Numeric { name: "x", values: &values[..1] }), Err(Error::TooFew { .. })));
}

#[test]
fn a_long_run_beside_the_median_is_a_signal() {
    let step: Vec<f64> = (0..20).map(|month| if month < 10 { 1.0 } else { 2.0 } + f64::from(month % 3) / 10.0).collect();
    let values = column(&step);
    let chart = run_chart(Numeric { name: "x", values: &values }).unwrap();
    assert_eq!((chart.useful, chart.longest_run, chart.longest_run_limit, chart.crossings, chart.crossings_limit), (20, 10, 7, 1, 6));
    assert!(chart.has_signal());
    let zigzag: Vec<f64> = (0..20).map(|month| f64::from(month % 2)).collect();
    let values = column(&zigzag);
    assert!(!run_chart(Numeric { name: "x", values: &values }).unwrap().has_signal());
}
