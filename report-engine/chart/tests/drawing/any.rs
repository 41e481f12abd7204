//! Whatever is drawn, by whatever values and at whatever size: a drawing without nonsense, or words.
use report_chart::axis::Steps;
use report_chart::summary::{box_plot, histogram};
use report_chart::{
    Axis, Boundaries, Direction, Figure, Interval, Legend, Mark, Point, RightAxis, RiskRow, RiskTable, Scale, Size, Slice, Stretch, to_svg,
};

use crate::figures::{numbers, series};

const VALUES: [f64; 16] =
    [0.0, -0.0, 1.0, -1.0, 0.1, 0.3, 2.5, 37.0, 100.0, 20_000.0, 1e-310, 5e15, 1e299, -1e299, f64::NAN, f64::INFINITY];

/// Picks by a row of numbers between 0 and 1.
struct Picks {
    numbers: Vec<f64>,
    at: usize,
}

impl Picks {
    fn below(&mut self, count: usize) -> usize {
        self.at = (self.at + 1) % self.numbers.len();
        (self.numbers[self.at] * count as f64) as usize
    }

    /// Mostly ordinary numbers, so that most figures are drawn.
    fn value(&mut self) -> f64 {
        let most = [8, 10, 11, VALUES.len()][self.below(4)];
        VALUES[self.below(most)]
    }

    fn points(&mut self) -> Vec<Point> {
        (0..self.below(7)).map(|_| Point::new(self.value(), self.value())).collect()
    }

    fn intervals(&mut self) -> Vec<Interval> {
        let mut one = || {
            let (at, low, wide) = (self.value(), self.value(), self.value());
            Interval { at, low, high: low + wide.abs() }
        };
        (0..3).map(|_| one()).collect()
    }

    fn values(&mut self) -> Vec<f64> {
        (0..self.below(30)).map(|_| self.value()).collect()
    }

    fn bars(&mut self) -> Vec<Point> {
        (0..self.below(5)).map(|place| Point::new(Axis::place_of(place), self.value())).collect()
    }

    fn mark(&mut self) -> Mark {
        let series = self.below(3);
        match self.below(16) {
            0 => Mark::Line { series, points: self.points(), dots: true },
            1 => Mark::Steps { series, points: self.points() },
            2 => Mark::Band { series, bounds: self.intervals(), stepped: true },
            3 => Mark::Band { series, bounds: self.intervals(), stepped: false },
            4 => Mark::ErrorBars { series, along: [Direction::X, Direction::Y][self.below(2)], bars: self.intervals() },
            5 => Mark::Points { series, points: self.points() },
            6 => Mark::Censored { series, points: self.points() },
            7 => Mark::Bars { series, bars: self.bars() },
            8 => Mark::Stacked { series, bars: self.bars() },
            9 => Mark::Histogram { series, bins: histogram(&self.values(), Boundaries::default()).unwrap_or_default() },
            10 => Mark::Boxes { series, boxes: box_plot(0.5, &self.values()).into_iter().collect() },
            11 => Mark::ReferenceLine { axis: [Direction::X, Direction::Y][self.below(2)], at: self.value(), words: "granica".to_owned() },
            12 => {
                let from = self.value();
                Mark::ReferenceRange { axis: Direction::Y, from, to: from + 1.0, words: "opseg".to_owned() }
            }
            13 => Mark::Rings { series, points: self.points(), is_dashed: self.below(2) == 0 },
            14 => {
                let stretch =
                    |value: f64| Stretch { from: value, to: (value > 0.2).then_some(value + 1.0), words: "Metotreksat".to_owned() };
                Mark::Stretches { series, stretches: self.values().into_iter().map(stretch).collect() }
            }
            _ => Mark::ReferenceSegment { from: Point::new(0.0, 0.0), to: Point::new(self.value(), self.value()), words: String::new() },
        }
    }

    fn axis(&mut self) -> Axis {
        let names = ["Prva", "Druga kategorija", "Sasvim duga treća kategorija sa mnogo reči", ""].map(str::to_owned).to_vec();
        let scale = match self.below(6) {
            0 => Scale::Categories { names: names.clone(), beside: names },
            1 => Scale::Time,
            2 => Scale::Numbers { steps: Steps::Log, least: None, greatest: None },
            3 => Scale::Numbers { steps: Steps::Percent, least: Some(0.0), greatest: Some(1.0) },
            4 => Scale::Categories { names: Vec::new(), beside: Vec::new() },
            _ => Scale::default(),
        };
        Axis { title: ["", "Naslov ose"][self.below(2)].to_owned(), scale }
    }
}

#[test]
fn anything_is_drawn_or_refused_in_words() {
    let mut picks = Picks { numbers: numbers(100_003, 17), at: 0 };
    let mut drawn = 0;
    for round in 0..6_000 {
        let mut figure = Figure {
            title: ["", "Naslov"][picks.below(2)].to_owned(),
            x: picks.axis(),
            y: picks.axis(),
            series: series(&["prva", "druga", "treća serija dugačkog imena"]),
            marks: (0..=picks.below(4)).map(|_| picks.mark()).collect(),
            legend: [Legend::Above, Legend::Always, Legend::Direct, Legend::Hidden][picks.below(4)],
            notes: vec!["Napomena.".to_owned(); picks.below(2)],
            ..Figure::default()
        };
        if picks.below(4) == 0 {
            figure.right = Some(RightAxis { axis: picks.axis(), series: vec![picks.below(3)] });
        }
        if picks.below(4) == 0 {
            figure.shared_x = picks.values();
            figure.least_left = [0.0, 4.0, 60.0][picks.below(3)];
        }
        if picks.below(5) == 0 {
            let counts = vec![(1.0, 12_000), (37.0, 3)];
            figure.at_risk = Some(RiskTable { title: "Pod rizikom".to_owned(), rows: vec![RiskRow { series: 1, name: None, counts }] });
        }
        if picks.below(20) == 0 {
            let slices = picks.values().into_iter().map(|value| Slice { name: "deo".to_owned(), value }).collect();
            figure.marks = vec![Mark::Pie { slices }];
        }
        let size = Size {
            width: [90.0, 390.0, 800.0][picks.below(3)],
            height: [60.0, 300.0][picks.below(2)],
            letters: [7.5, 12.0][picks.below(2)],
        };
        match to_svg(&figure, size) {
            Ok(svg) => {
                drawn += 1;
                assert!(!svg.contains("NaN") && !svg.contains("\"inf"), "round {round}: {figure:?}\n{svg}");
            }
            Err(fault) => assert!(!fault.to_string().is_empty(), "round {round}"),
        }
    }
    assert!(drawn > 300, "only {drawn} are drawn");
}
