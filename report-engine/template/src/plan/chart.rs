//! A chart as a template declares it: what lies along its axes, its measures, and what they are read against.
use domain::shown::with_hyphens;

use super::Measure;

#[derive(Clone, Debug)]
pub struct Chart {
    pub kind: ChartKind,
    pub title: String,
    pub x: String,
    pub bucket: Bucket,
    /// Splits each measure into one series per value of this column.
    pub series_by: Option<String>,
    pub series: Vec<Series>,
    pub x_title: Option<String>,
    pub y_title: Option<String>,
    pub scale: ChartScale,
    pub bins: Bins,
    pub references: Vec<Reference>,
    pub height: f32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChartKind {
    Line,
    /// A line whose values hold until the next one.
    Step,
    Bar,
    /// Bars whose series stand on one another.
    Stacked,
    /// Shares of a whole.
    Pie,
    /// A point for each row.
    Points,
    /// How many rows have a value of x in each of its bins.
    Histogram,
    /// Quartiles and extremes of the rows of each x.
    Box,
}

impl ChartKind {
    /// Its values add up to a whole that is seen, so they must be ones that may be added.
    pub fn adds_up(self) -> bool {
        matches!(self, ChartKind::Stacked | ChartKind::Pie)
    }

    /// It says that what lies along x goes on from one to the next.
    pub fn is_joined(self) -> bool {
        matches!(self, ChartKind::Line | ChartKind::Step)
    }

    /// It shows the rows themselves and adds none of them up.
    pub fn is_of_rows(self) -> bool {
        matches!(self, ChartKind::Points | ChartKind::Histogram | ChartKind::Box)
    }
}

/// How the values of the x column are gathered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bucket {
    Value,
    Day,
    Month,
    Year,
}

/// How values lie along y.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ChartScale {
    #[default]
    Linear,
    Log,
    /// Shares from 0 to 1, written as percents.
    Percent,
}

#[derive(Clone, Debug)]
pub struct Series {
    pub label: String,
    pub measure: Measure,
    /// The ends of a band about a line, or of the error bars of bars and points.
    pub bounds: Option<(Measure, Measure)>,
}

/// How a histogram is cut.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Bins {
    /// By the rule of Freedman and Diaconis.
    #[default]
    Rule,
    Count(usize),
    Width(f64),
}

impl Bins {
    /// Reads `20` (so many), `width:5` or `fd`.
    pub fn parse(text: &str) -> Option<Self> {
        match text.trim() {
            "fd" => Some(Bins::Rule),
            text => match text.strip_prefix("width:") {
                Some(width) => number(width).filter(|width| *width > 0.0).map(Bins::Width),
                None => text.parse().ok().filter(|count| (1..=200).contains(count)).map(Bins::Count),
            },
        }
    }
}

/// A value or a range that the values of a chart are read against, with its words.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    pub from: f64,
    /// The end of a range; `None`: a single value.
    pub to: Option<f64>,
    pub words: String,
}

impl Reference {
    /// Reads `2,6 remisija; 3,2..5,1 umerena aktivnost`; `None` where one of them begins with no number.
    pub fn parse_list(text: &str) -> Option<Vec<Self>> {
        text.split(';').map(str::trim).filter(|part| !part.is_empty()).map(Reference::parse).collect()
    }

    fn parse(text: &str) -> Option<Self> {
        let (place, words) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let words = words.trim().to_owned();
        match place.split_once("..") {
            None => Some(Reference { from: number(place)?, to: None, words }),
            Some((from, to)) => {
                let (from, to) = (number(from)?, number(to)?);
                (from <= to).then_some(Reference { from, to: Some(to), words })
            }
        }
    }
}

/// With a decimal comma or point.
fn number(text: &str) -> Option<f64> {
    let text = with_hyphens(text);
    let is_plain = text.chars().all(|letter| letter.is_ascii_digit() || matches!(letter, '-' | '.' | ','));
    text.replace(',', ".").parse().ok().filter(|number: &f64| is_plain && number.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_values_and_ranges_with_words() {
        let read = Reference::parse_list("2,6 remisija; 3.2..5,1 umerena aktivnost;0; −1,5..-1 pad").expect("a list");
        let of = |from, to, words: &str| Reference { from, to, words: words.to_owned() };
        assert_eq!(
            read,
            [of(2.6, None, "remisija"), of(3.2, Some(5.1), "umerena aktivnost"), of(0.0, None, ""), of(-1.5, Some(-1.0), "pad")]
        );
        for nonsense in ["remisija", "5..2 obrnuto", "inf", "NaN x", "1e5", "1..", "2,6 a; b"] {
            assert_eq!(Reference::parse_list(nonsense), None, "{nonsense}");
        }
    }

    #[test]
    fn bins_are_a_count_a_width_or_a_rule() {
        assert_eq!(["fd", "20", "width:2,5"].map(|text| Bins::parse(text).unwrap()), [Bins::Rule, Bins::Count(20), Bins::Width(2.5)]);
        for nonsense in ["", "0", "201", "width:0", "width:-1", "width:", "pet"] {
            assert_eq!(Bins::parse(nonsense), None, "{nonsense}");
        }
    }
}
