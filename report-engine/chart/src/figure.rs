//! What a chart shows, whatever draws it: its axes, its series and the marks on them, by value.
use thiserror::Error;

use crate::axis::{Axis, Scale};
use crate::palette::Rgb;

/// A chart. Marks are drawn areas first, then lines, then points and words, whatever their order here.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figure {
    /// Empty: none is written.
    pub title: String,
    pub x: Axis,
    pub y: Axis,
    /// A second axis of numbers, for lines of another magnitude.
    pub right: Option<RightAxis>,
    /// Places that x reaches over besides its values: of charts below one another that share their time.
    pub shared_x: Vec<f64>,
    /// The plot begins at least so far from the left, in letters: of charts below one another.
    pub least_left: f64,
    /// What marks belong to; colour, dash and shape of a marker follow from the place here.
    pub series: Vec<Series>,
    pub marks: Vec<Mark>,
    pub legend: Legend,
    /// Lines of small words under the chart: test, n, missing, kind of interval.
    pub notes: Vec<String>,
    /// Numbers at risk under the axis, at the places that it names.
    pub at_risk: Option<RiskTable>,
}

/// An axis along the right side, and the series whose lines and rings are read on it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RightAxis {
    pub axis: Axis,
    pub series: Vec<usize>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    pub name: String,
    /// `None`: that of its place.
    pub color: Option<Rgb>,
}

/// Where the names of the series stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Legend {
    /// Above the plot, each with its line and marker; none for a single series.
    #[default]
    Above,
    /// Above, of a single series too.
    Always,
    /// At the end of each line where the chart is wide enough, else above.
    Direct,
    Hidden,
}

/// A place by value. A category lies at its index plus a half ([`Axis::place_of`]), a day at its days since 1970 ([`crate::times`]).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    pub x: f64,
    pub y: f64,
}

impl Point {
    pub const fn new(x: f64, y: f64) -> Self {
        Point { x, y }
    }
}

/// Points in the order of x. Those of one x keep the order in which they came; where all came from right to left, as thresholds of a ROC curve
/// may, they are turned round as a whole, so that upright parts of the curve do not jag.
pub fn in_order(points: &[Point]) -> Vec<Point> {
    let mut sorted = points.to_vec();
    let runs_back = sorted.windows(2).any(|pair| pair[0].x > pair[1].x) && sorted.windows(2).all(|pair| pair[0].x >= pair[1].x);
    if runs_back {
        sorted.reverse();
    }
    sorted.sort_by(|left, right| left.x.total_cmp(&right.x));
    sorted
}

/// From low to high along one axis, at a place on the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    pub at: f64,
    pub low: f64,
    pub high: f64,
}

/// The axis along which something runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    X,
    Y,
}

/// What is drawn. `series` is a place in [`Figure::series`].
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    /// Points joined in the order of x; where a value is missing, a line ends and another mark begins the next. `dots`: a marker at each.
    Line {
        series: usize,
        points: Vec<Point>,
        dots: bool,
    },
    /// A value holds from its x to that of the next point: survival.
    Steps {
        series: usize,
        points: Vec<Point>,
    },
    /// The area between low and high along y. `stepped`: bounds hold as those of [`Mark::Steps`].
    Band {
        series: usize,
        bounds: Vec<Interval>,
        stepped: bool,
    },
    /// Whiskers from low to high, along `along`, at a place on the other axis: of a forest plot along x.
    ErrorBars {
        series: usize,
        along: Direction,
        bars: Vec<Interval>,
    },
    Points {
        series: usize,
        points: Vec<Point>,
    },
    /// Small upright ticks on a curve.
    Censored {
        series: usize,
        points: Vec<Point>,
    },
    /// Hollow markers in the place of those of a line: values that stand out. `is_dashed`: values that do not compare with the others.
    Rings {
        series: usize,
        points: Vec<Point>,
        is_dashed: bool,
    },
    /// Words that hold from one place of x to another, in boxes side by side: a therapy.
    Stretches {
        series: usize,
        stretches: Vec<Stretch>,
    },
    /// Bars from zero at the categories of x; several series stand side by side.
    Bars {
        series: usize,
        bars: Vec<Point>,
    },
    /// Bars on one another, what is below zero downwards.
    Stacked {
        series: usize,
        bars: Vec<Point>,
    },
    /// Bars without gaps over an axis of numbers, as high as their count.
    Histogram {
        series: usize,
        bins: Vec<Bin>,
    },
    /// Boxes by Tukey at the categories of x; several series stand side by side.
    Boxes {
        series: usize,
        boxes: Vec<BoxPlot>,
    },
    /// A line across the plot at a value of the axis, with words beside it.
    ReferenceLine {
        axis: Direction,
        at: f64,
        words: String,
    },
    /// A shaded range of the axis, with words in it.
    ReferenceRange {
        axis: Direction,
        from: f64,
        to: f64,
        words: String,
    },
    /// A straight line between two places: the diagonal of a ROC curve.
    ReferenceSegment {
        from: Point,
        to: Point,
        words: String,
    },
    /// Parts of a whole; nothing else is drawn in its figure, and the axes are not.
    Pie {
        slices: Vec<Slice>,
    },
}

/// `to`: where the words cease to hold; without it they hold as far as the axis reaches.
#[derive(Clone, Debug, PartialEq)]
pub struct Stretch {
    pub from: f64,
    pub to: Option<f64>,
    pub words: String,
}

/// A bin of a histogram, from `from` on and below `to`; the last one holds `to` too.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bin {
    pub from: f64,
    pub to: f64,
    pub count: u64,
}

/// How a histogram is cut: by count of bins, by width, or by the rule of Freedman and Diaconis.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Boundaries {
    Count(usize),
    Width(f64),
    #[default]
    FreedmanDiaconis,
}

/// Quartiles (type 7), whiskers to the last values within 1.5 interquartile ranges, and what lies beyond.
#[derive(Clone, Debug, PartialEq)]
pub struct BoxPlot {
    /// Its place on x.
    pub at: f64,
    pub n: usize,
    pub low: f64,
    pub first_quartile: f64,
    pub median: f64,
    pub third_quartile: f64,
    pub high: f64,
    pub outliers: Vec<f64>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Slice {
    pub name: String,
    pub value: f64,
}

/// Numbers at risk, a row a series.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RiskTable {
    /// `Pod rizikom`
    pub title: String,
    pub rows: Vec<RiskRow>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct RiskRow {
    pub series: usize,
    /// `None`: that of its series.
    pub name: Option<String>,
    /// How many were at risk just before each time at which their number changes, by time. At a time in between, as many as at the next
    /// one here; after the last, none.
    pub counts: Vec<(f64, u64)>,
}

impl RiskRow {
    /// What it is called in `figure`.
    pub fn name<'a>(&'a self, figure: &'a Figure) -> &'a str {
        self.name.as_deref().unwrap_or(&figure.series[self.series].name)
    }

    /// How many are at risk at `time`: those whose own end is not before it.
    pub fn at(&self, time: f64) -> u64 {
        let next = self.counts.partition_point(|(at, _)| *at < time);
        self.counts.get(next).map_or(0, |(_, count)| *count)
    }
}

/// Why a figure is not drawn, in the words of a reader.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum Fault {
    #[error("logaritamska osa ne prikazuje nulu i negativne brojeve, a među vrednostima je {value}")]
    NotPositive { value: String },
    #[error("među vrednostima grafikona ima onih koje nisu broj ili su beskonačne")]
    NotFinite,
    #[error("oznaka serije {0} ne postoji u grafikonu")]
    UnknownSeries(usize),
    #[error("donja granica je iznad gornje")]
    Reversed,
    #[error("delovi kruga ne mogu biti negativni")]
    NegativeSlice,
    #[error("logaritamska osa ne nosi stubiće: visina stubića počinje od nule")]
    BarsOnLog,
    #[error("vrednost stoji van kategorija svoje ose")]
    NoCategory,
    #[error("stubići i kutije stoje nad kategorijama")]
    BarsNeedCategories,
    #[error("širina korpi histograma mora biti veća od nule, i da ih ne bude više od {0}")]
    TooManyBins(usize),
    #[error("ima više od {0} vrednosti, a deo njih bi pokazao drugu raspodelu")]
    TooManyValues(usize),
    #[error("desna osa je osa brojeva")]
    RightWithoutNumbers,
    #[error("grafikon je premali da bi se nacrtao")]
    TooSmall,
}

impl Figure {
    /// Refuses what cannot be drawn truly.
    pub fn check(&self) -> Result<(), Fault> {
        self.marks.iter().try_for_each(|mark| self.check_mark(mark))?;
        if let Some(row) = self.at_risk.iter().flat_map(|table| &table.rows).find(|row| row.series >= self.series.len()) {
            return Err(Fault::UnknownSeries(row.series));
        }
        let has_bars = self.marks.iter().any(|mark| matches!(mark, Mark::Bars { .. } | Mark::Stacked { .. }));
        if has_bars && self.y.is_log() {
            return Err(Fault::BarsOnLog);
        }
        if self.right.as_ref().is_some_and(|right| right.axis.is_log() || !matches!(right.axis.scale, Scale::Numbers { .. })) {
            return Err(Fault::RightWithoutNumbers);
        }
        for (axis, direction) in [(&self.x, Direction::X), (&self.y, Direction::Y)] {
            let shared = move || self.shared_x.iter().copied().filter(move |_| direction == Direction::X);
            let values = || self.marks.iter().flat_map(move |mark| mark.values(direction)).chain(axis.bounds()).chain(shared());
            // What cannot be told from zero or has no room on any axis is no number of a chart.
            let has_size = |value: f64| value.abs() < 1e300 && (!axis.is_log() || value <= 0.0 || value > 1e-300);
            if !values().all(has_size) {
                return Err(Fault::NotFinite);
            }
            let categories = axis.names().len() as f64;
            if axis.is_categories() && values().any(|value| !(0.0..=categories).contains(&value)) {
                return Err(Fault::NoCategory);
            }
            if let Some(value) = values().find(|value| axis.is_log() && *value <= 0.0) {
                return Err(Fault::NotPositive { value: crate::text::short(value) });
            }
        }
        Ok(())
    }

    fn check_mark(&self, mark: &Mark) -> Result<(), Fault> {
        if let Some(series) = mark.series().filter(|series| *series >= self.series.len()) {
            return Err(Fault::UnknownSeries(series));
        }
        let reversed = |bounds: &[Interval]| bounds.iter().any(|one| one.low > one.high);
        match mark {
            Mark::Band { bounds, .. } | Mark::ErrorBars { bars: bounds, .. } if reversed(bounds) => Err(Fault::Reversed),
            Mark::ReferenceRange { from, to, .. } if from > to => Err(Fault::Reversed),
            Mark::Histogram { bins, .. } if bins.iter().any(|bin| bin.from > bin.to) => Err(Fault::Reversed),
            Mark::Bars { .. } | Mark::Stacked { .. } | Mark::Boxes { .. } if !self.x.is_categories() => Err(Fault::BarsNeedCategories),
            Mark::Pie { slices } if slices.iter().any(|slice| !slice.value.is_finite()) => Err(Fault::NotFinite),
            Mark::Pie { slices } if slices.iter().any(|slice| slice.value < 0.0) => Err(Fault::NegativeSlice),
            _ => Ok(()),
        }
    }

    /// Whether values of the series are read on the right.
    pub fn is_right(&self, series: usize) -> bool {
        self.right.as_ref().is_some_and(|right| right.series.contains(&series))
    }

    /// Whether there is anything to see.
    pub fn has_values(&self) -> bool {
        self.marks.iter().any(|mark| !mark.is_reference() && !mark.is_empty())
    }

    pub fn pie(&self) -> Option<&[Slice]> {
        self.marks.iter().find_map(|mark| match mark {
            Mark::Pie { slices } => Some(slices.as_slice()),
            _ => None,
        })
    }
}

impl Mark {
    pub fn series(&self) -> Option<usize> {
        match self {
            Mark::Line { series, .. }
            | Mark::Steps { series, .. }
            | Mark::Band { series, .. }
            | Mark::ErrorBars { series, .. }
            | Mark::Points { series, .. }
            | Mark::Censored { series, .. }
            | Mark::Rings { series, .. }
            | Mark::Stretches { series, .. }
            | Mark::Bars { series, .. }
            | Mark::Stacked { series, .. }
            | Mark::Histogram { series, .. }
            | Mark::Boxes { series, .. } => Some(*series),
            Mark::ReferenceLine { .. } | Mark::ReferenceRange { .. } | Mark::ReferenceSegment { .. } | Mark::Pie { .. } => None,
        }
    }

    pub fn is_reference(&self) -> bool {
        matches!(self, Mark::ReferenceLine { .. } | Mark::ReferenceRange { .. } | Mark::ReferenceSegment { .. })
    }

    pub fn is_empty(&self) -> bool {
        match self {
            Mark::Pie { slices } => slices.iter().all(|slice| slice.value <= 0.0),
            mark => mark.values(Direction::Y).is_empty(),
        }
    }

    /// All values that the axis has to reach over; of bars on one another see [`stack_ends`].
    pub fn values(&self, axis: Direction) -> Vec<f64> {
        let of = |point: &Point| if axis == Direction::X { point.x } else { point.y };
        let ends = |one: &Interval, along: Direction| if along == axis { vec![one.low, one.high] } else { vec![one.at] };
        match self {
            Mark::Line { points, .. }
            | Mark::Steps { points, .. }
            | Mark::Points { points, .. }
            | Mark::Censored { points, .. }
            | Mark::Rings { points, .. } => points.iter().map(of).collect(),
            Mark::Stretches { stretches, .. } if axis == Direction::X => {
                stretches.iter().flat_map(|one| [Some(one.from), one.to]).flatten().collect()
            }
            Mark::Stretches { stretches, .. } => stretches.iter().map(|_| 0.5).collect(),
            Mark::Bars { bars, .. } => bars.iter().map(of).chain((axis == Direction::Y && !bars.is_empty()).then_some(0.0)).collect(),
            Mark::Stacked { bars, .. } => bars.iter().map(of).collect(),
            Mark::Band { bounds, .. } => bounds.iter().flat_map(|one| ends(one, Direction::Y)).collect(),
            Mark::ErrorBars { bars, along, .. } => bars.iter().flat_map(|one| ends(one, *along)).collect(),
            Mark::Histogram { bins, .. } if axis == Direction::X => bins.iter().flat_map(|bin| [bin.from, bin.to]).collect(),
            Mark::Histogram { bins, .. } => bins.iter().flat_map(|bin| [0.0, bin.count as f64]).collect(),
            Mark::Boxes { boxes, .. } if axis == Direction::X => boxes.iter().map(|one| one.at).collect(),
            Mark::Boxes { boxes, .. } => boxes.iter().flat_map(|one| [one.low, one.high].into_iter().chain(one.outliers.clone())).collect(),
            Mark::ReferenceLine { axis: own, at, .. } => (*own == axis).then_some(*at).into_iter().collect(),
            Mark::ReferenceRange { axis: own, from, to, .. } if *own == axis => vec![*from, *to],
            Mark::ReferenceSegment { from, to, .. } => vec![of(from), of(to)],
            Mark::ReferenceRange { .. } | Mark::Pie { .. } => Vec::new(),
        }
    }
}

/// The lower and the upper end of each stack of bars.
pub fn stack_ends(marks: &[Mark]) -> Vec<f64> {
    let mut stacks: Vec<(f64, f64, f64)> = Vec::new();
    for bar in marks.iter().filter_map(Mark::stacked).flatten() {
        let place = match stacks.iter().position(|(at, _, _)| *at == bar.x) {
            Some(place) => place,
            None => {
                stacks.push((bar.x, 0.0, 0.0));
                stacks.len() - 1
            }
        };
        let (_, down, up) = &mut stacks[place];
        *(if bar.y < 0.0 { down } else { up }) += bar.y;
    }
    stacks.into_iter().flat_map(|(_, down, up)| [down, up]).collect()
}

impl Mark {
    fn stacked(&self) -> Option<&[Point]> {
        match self {
            Mark::Stacked { bars, .. } => Some(bars),
            _ => None,
        }
    }
}
