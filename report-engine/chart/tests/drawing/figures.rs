//! Figures of a paper, for the other tests; `CHART_PICTURES=folder` writes each as SVG for who wants to look.
use report_chart::axis::{Scale, Steps};
use report_chart::summary::{box_plot, histogram};
use report_chart::{Axis, Boundaries, Direction, Figure, Interval, Legend, Mark, Point, RiskRow, RiskTable, Series, Size, Slice, to_svg};

pub fn series(names: &[&str]) -> Vec<Series> {
    names.iter().map(|name| Series { name: (*name).to_owned(), color: None }).collect()
}

/// The same numbers on every run, evenly between 0 and 1.
pub fn numbers(count: usize, seed: u64) -> Vec<f64> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    (0..count).map(|_| next()).collect()
}

/// Two curves with band, censor ticks and numbers at risk.
pub fn survival() -> Figure {
    let mut figure = Figure {
        title: "Preživljavanje po polu".to_owned(),
        x: Axis::numbers("Dani od prijema"),
        y: Axis::percent("Preživljavanje"),
        series: series(&["Muškarci", "Žene"]),
        notes: vec!["Log-rank: χ² = 3,97, p = 0,046. Traka: interval poverenja od 95 % (log-log). n = 500, bez podatka: 0.".to_owned()],
        ..Figure::default()
    };
    let mut rows = Vec::new();
    for (index, pace) in [(0, 0.012), (1, 0.017)] {
        let (mut at_risk, mut survival) = (250_u64, 1.0);
        let (mut points, mut bounds, mut censored, mut counts) = (vec![Point::new(0.0, 1.0)], Vec::new(), Vec::new(), Vec::new());
        bounds.push(Interval { at: 0.0, low: 1.0, high: 1.0 });
        for (step, chance) in numbers(120, 7 + index as u64).into_iter().enumerate() {
            let time = (step + 1) as f64 * 19.0 + chance * 9.0;
            counts.push((time, at_risk));
            if chance < 0.3 {
                censored.push(Point::new(time, survival));
                at_risk -= 1;
            } else {
                survival *= 1.0 - pace * chance;
                let wide = 0.02 + 0.0006 * step as f64;
                points.push(Point::new(time, survival));
                bounds.push(Interval { at: time, low: (survival - wide).max(0.0), high: (survival + wide).min(1.0) });
                at_risk -= 2;
            }
        }
        figure.marks.push(Mark::Band { series: index, bounds, stepped: true });
        figure.marks.push(Mark::Steps { series: index, points });
        figure.marks.push(Mark::Censored { series: index, points: censored });
        rows.push(RiskRow { series: index, name: None, counts });
    }
    figure.at_risk = Some(RiskTable { title: "Pod rizikom".to_owned(), rows });
    figure
}

pub fn forest() -> Figure {
    let names = ["Starost (10 godina)", "Pol: ženski", "Šok pri prijemu", "Srčana slabost", "BMI", "Atrijalna fibrilacija"];
    let estimates = [(1.62, 1.43, 1.84), (0.78, 0.58, 1.05), (5.1, 2.9, 8.96), (2.21, 1.65, 2.96), (0.95, 0.92, 0.99), (1.31, 0.94, 1.83)];
    let beside = estimates.map(|(hr, low, high)| format!("{hr:.2} ({low:.2} – {high:.2})").replace('.', ",")).to_vec();
    let bar = |(place, (_, low, high)): (usize, (f64, f64, f64))| Interval { at: Axis::place_of(place), low, high };
    let point = |(place, (hr, _, _)): (usize, (f64, f64, f64))| Point::new(hr, Axis::place_of(place));
    Figure {
        title: "Smrtnost: odnosi rizika (Cox)".to_owned(),
        x: Axis::log("HR (95 % IP)"),
        y: Axis { title: String::new(), scale: Scale::Categories { names: names.map(str::to_owned).to_vec(), beside } },
        series: series(&["HR"]),
        marks: vec![
            Mark::ReferenceLine { axis: Direction::X, at: 1.0, words: String::new() },
            Mark::ErrorBars { series: 0, along: Direction::X, bars: estimates.into_iter().enumerate().map(bar).collect() },
            Mark::Points { series: 0, points: estimates.into_iter().enumerate().map(point).collect() },
        ],
        ..Figure::default()
    }
}

pub fn roc() -> Figure {
    let mut points: Vec<Point> = (0..=40).map(|step| f64::from(step) / 40.0).map(|x| Point::new(x, x.powf(0.35))).collect();
    points.reverse();
    Figure {
        title: "ROC: HAQ i remisija".to_owned(),
        x: Axis::percent("1 – specifičnost"),
        y: Axis::percent("Osetljivost"),
        series: series(&["HAQ: AUC 0,74 (0,69 – 0,79)"]),
        marks: vec![
            Mark::ReferenceSegment { from: Point::new(0.0, 0.0), to: Point::new(1.0, 1.0), words: "bez moći".to_owned() },
            Mark::Line { series: 0, points, dots: false },
        ],
        legend: Legend::Always,
        ..Figure::default()
    }
}

pub fn boxes() -> Figure {
    let names = ["Do 49 godina", "50–64 godine", "65–79 godina", "80 i više"];
    let plots = |seed: u64| {
        let one = |(place, _): (usize, &&str)| {
            let mut values: Vec<f64> =
                numbers(60 + place * 30, seed + place as u64).iter().map(|share| 18.0 + share.powi(2) * 14.0).collect();
            values.extend([44.0, 45.5]);
            box_plot(Axis::place_of(place), &values)
        };
        names.iter().enumerate().filter_map(one).collect()
    };
    Figure {
        title: "BMI po dobi i polu".to_owned(),
        x: Axis::categories("", names.map(str::to_owned).to_vec()),
        y: Axis::numbers("BMI (kg/m²)"),
        series: series(&["Muškarci", "Žene"]),
        marks: vec![
            Mark::ReferenceRange { axis: Direction::Y, from: 18.5, to: 25.0, words: "poželjno".to_owned() },
            Mark::Boxes { series: 0, boxes: plots(3) },
            Mark::Boxes { series: 1, boxes: plots(11) },
        ],
        ..Figure::default()
    }
}

pub fn bins() -> Figure {
    let values: Vec<f64> = numbers(500, 5).chunks(5).map(|five| 30.0 + five.iter().sum::<f64>() * 13.0).collect();
    Figure {
        title: "Starost pri prijemu".to_owned(),
        x: Axis::numbers("Godine"),
        y: Axis::from_zero("Pacijenti"),
        series: series(&["Broj"]),
        marks: vec![
            Mark::Histogram { series: 0, bins: histogram(&values, Boundaries::FreedmanDiaconis).unwrap() },
            Mark::ReferenceLine { axis: Direction::X, at: 65.0, words: "65 godina".to_owned() },
        ],
        ..Figure::default()
    }
}

/// Visits two days, a month and more than a year apart.
pub fn visits() -> Figure {
    let days = [20_000.0, 20_002.0, 20_035.0, 20_125.0, 20_610.0, 20_640.0];
    let line = |series, scores: [f64; 6]| Mark::Line {
        series,
        points: days.iter().zip(scores).map(|(day, score)| Point::new(*day, score)).collect(),
        dots: true,
    };
    Figure {
        title: "Tok bolesti".to_owned(),
        x: Axis::time(""),
        y: Axis::from_zero("Skor"),
        series: series(&["DAS28", "HAQ", "CDAI"]),
        marks: vec![
            Mark::ReferenceRange { axis: Direction::Y, from: 0.0, to: 2.6, words: "remisija".to_owned() },
            line(0, [5.8, 5.6, 4.9, 3.2, 2.4, 2.5]),
            line(1, [1.9, 1.8, 1.5, 0.9, 0.5, 0.4]),
            line(2, [9.4, 9.1, 7.7, 5.2, 3.1, 2.9]),
        ],
        legend: Legend::Direct,
        ..Figure::default()
    }
}

pub fn grouped() -> Figure {
    let bars = |series, heights: [f64; 4]| {
        let bars = heights.iter().enumerate().map(|(place, height)| Point::new(Axis::place_of(place), *height)).collect();
        Mark::Bars { series, bars }
    };
    Figure {
        title: "Odgovor po terapiji".to_owned(),
        x: Axis::categories("", ["Metotreksat", "Sulfasalazin", "Biološka terapija", "Bez terapije"].map(str::to_owned).to_vec()),
        y: Axis::from_zero("Promena DAS28"),
        series: series(&["6 meseci", "12 meseci", "24 meseca"]),
        marks: vec![bars(0, [1.2, 0.9, 2.1, -0.3]), bars(1, [1.5, 1.0, 2.4, -0.2]), bars(2, [1.4, 0.8, 2.6, 0.1])],
        ..Figure::default()
    }
}

pub fn stacked() -> Figure {
    let mut figure = grouped();
    figure.title = "Unosi po ustanovama".to_owned();
    figure.y = Axis { title: String::new(), scale: Scale::Numbers { steps: Steps::Linear, least: Some(0.0), greatest: Some(0.0) } };
    for mark in &mut figure.marks {
        let Mark::Bars { series, bars } = mark else { continue };
        let bars = bars.iter().map(|bar| Point::new(bar.x, (bar.y.abs() * 100.0).round())).collect();
        *mark = Mark::Stacked { series: *series, bars };
    }
    figure
}

pub fn pie() -> Figure {
    let slice = |(name, value): (&str, f64)| Slice { name: name.to_owned(), value };
    Figure {
        title: "Dijagnoze".to_owned(),
        series: series(&["Broj"]),
        marks: vec![Mark::Pie { slices: [("STEMI", 153.0), ("NSTEMI", 347.0), ("Drugo", 12.0)].map(slice).to_vec() }],
        ..Figure::default()
    }
}

pub fn all() -> [(&'static str, Figure); 9] {
    [
        ("survival", survival()),
        ("forest", forest()),
        ("roc", roc()),
        ("boxes", boxes()),
        ("bins", bins()),
        ("visits", visits()),
        ("grouped", grouped()),
        ("stacked", stacked()),
        ("pie", pie()),
    ]
}

/// A4 within its margins, a wide screen and a phone.
pub const SIZES: [(&str, Size); 3] = [
    ("a4", Size { width: 515.0, height: 280.0, letters: 7.5 }),
    ("wide", Size { width: 800.0, height: 460.0, letters: 12.0 }),
    ("phone", Size { width: 390.0, height: 360.0, letters: 12.0 }),
];

#[test]
fn every_figure_is_drawn_at_every_size() {
    let folder = std::env::var_os("CHART_PICTURES").map(std::path::PathBuf::from);
    for (name, figure) in all() {
        for (place, size) in SIZES {
            let svg = to_svg(&figure, size).unwrap_or_else(|fault| panic!("{name} at {place}: {fault}"));
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{name} at {place}");
            if let Some(folder) = &folder {
                std::fs::write(folder.join(format!("{name}-{place}.svg")), svg).unwrap();
            }
        }
    }
}
