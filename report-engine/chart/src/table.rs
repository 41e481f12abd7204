//! A figure in words and as a table of its numbers, for who does not see it.
use crate::figure::{Direction, Figure, Interval, Mark, Point};
use crate::text;

/// Values that a description names.
const MOST_NAMED: usize = 60;

/// The numbers of a figure, a row a value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    pub heads: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

/// What the chart is of, and its values where they are few enough to listen to.
pub fn description(figure: &Figure) -> String {
    let mut out = format!("{}: {}.", kind(figure), figure.title);
    if figure.marks.iter().map(count_of).sum::<usize>() <= MOST_NAMED {
        for (name, values) in named_values(figure) {
            out.push_str(&format!(" {name}: {}.", values.join("; ")));
        }
    }
    out
}

fn count_of(mark: &Mark) -> usize {
    match mark {
        Mark::Pie { slices } => slices.len(),
        Mark::Boxes { boxes, .. } => boxes.len(),
        Mark::Histogram { bins, .. } => bins.len(),
        mark => points_of(mark).map_or(0, <[Point]>::len),
    }
}

fn kind(figure: &Figure) -> &'static str {
    let has = |is_of: fn(&Mark) -> bool| figure.marks.iter().any(is_of);
    match () {
        () if has(|mark| matches!(mark, Mark::Pie { .. })) => "Kružni grafikon",
        () if has(|mark| matches!(mark, Mark::Bars { .. } | Mark::Stacked { .. })) => "Stubičasti grafikon",
        () if has(|mark| matches!(mark, Mark::Boxes { .. })) => "Kutijasti grafikon",
        () if has(|mark| matches!(mark, Mark::Histogram { .. })) => "Histogram",
        () if has(|mark| matches!(mark, Mark::Steps { .. })) => "Stepenasti grafikon",
        () if has(|mark| matches!(mark, Mark::Line { .. })) => "Linijski grafikon",
        () if has(|mark| matches!(mark, Mark::Stretches { .. })) => "Vremenska traka",
        () => "Tačkasti grafikon",
    }
}

/// Of each series its values in words, in the order of x.
fn named_values(figure: &Figure) -> Vec<(String, Vec<String>)> {
    if let Some(slices) = figure.pie() {
        let decimals = if slices.iter().all(|slice| slice.value.fract() == 0.0) { 0 } else { 2 };
        let values = slices.iter().map(|slice| format!("{} {}", slice.name, text::number(slice.value, decimals)));
        return vec![(figure.series.first().map_or_else(String::new, |series| series.name.clone()), values.collect())];
    }
    let all_whole = figure.marks.iter().filter_map(points_of).flatten().all(|point| point.y.fract() == 0.0);
    let y = |value: f64| match figure.y.is_percent() || figure.y.is_categories() {
        true => figure.y.told(value),
        false => text::number(value, if all_whole { 0 } else { 2 }),
    };
    let of = |(place, series): (usize, &crate::figure::Series)| {
        let mut points: Vec<Point> =
            figure.marks.iter().filter(|mark| mark.series() == Some(place)).filter_map(points_of).flatten().copied().collect();
        points.sort_by(|left, right| left.x.total_cmp(&right.x));
        let mut values: Vec<String> = points.iter().map(|point| format!("{} {}", figure.x.told(point.x), y(point.y))).collect();
        for mark in figure.marks.iter().filter(|mark| mark.series() == Some(place)) {
            match mark {
                Mark::Boxes { boxes, .. } => values
                    .extend(boxes.iter().map(|one| format!("{} n {}, medijana {}", figure.x.told(one.at), one.n, text::short(one.median)))),
                Mark::Stretches { stretches, .. } => {
                    values.extend(stretches.iter().map(|one| format!("{} {}", figure.x.told(one.from), one.words)));
                }
                Mark::Histogram { bins, .. } => {
                    values.extend(bins.iter().map(|bin| format!("{}–{} {}", text::short(bin.from), text::short(bin.to), bin.count)));
                }
                _ => {}
            }
        }
        (!values.is_empty()).then(|| (series.name.clone(), values))
    };
    figure.series.iter().enumerate().filter_map(of).collect()
}

fn points_of(mark: &Mark) -> Option<&[Point]> {
    match mark {
        Mark::Line { points, .. } | Mark::Steps { points, .. } | Mark::Points { points, .. } => Some(points),
        Mark::Bars { bars, .. } | Mark::Stacked { bars, .. } => Some(bars),
        _ => None,
    }
}

/// All numbers, those of one mark together.
pub fn table(figure: &Figure) -> Table {
    let heads = ["Serija", "Mesto", "Vrednost", "Od", "Do"].map(str::to_owned).to_vec();
    let mut rows = Vec::new();
    for mark in &figure.marks {
        let name = mark.series().and_then(|series| figure.series.get(series)).map_or("", |series| series.name.as_str());
        let mut push = |place: String, value: String, from: String, to: String| rows.push(vec![name.to_owned(), place, value, from, to]);
        let none = String::new;
        let (x, y) = (|value: f64| figure.x.told(value), |value: f64| figure.y.told(value));
        match mark {
            Mark::Pie { slices } => slices.iter().for_each(|slice| push(slice.name.clone(), text::short(slice.value), none(), none())),
            Mark::Band { bounds, .. } => bounds.iter().for_each(|one| push(x(one.at), none(), y(one.low), y(one.high))),
            Mark::ErrorBars { along, bars, .. } => {
                let row = |one: &Interval| match along {
                    Direction::Y => (x(one.at), y(one.low), y(one.high)),
                    Direction::X => (y(one.at), x(one.low), x(one.high)),
                };
                bars.iter().map(row).for_each(|(place, low, high)| push(place, none(), low, high));
            }
            Mark::Stretches { stretches, .. } => stretches.iter().for_each(|one| {
                push(x(one.from), one.words.clone(), x(one.from), one.to.map(x).unwrap_or_default());
            }),
            Mark::Histogram { bins, .. } => {
                bins.iter().for_each(|bin| push(none(), bin.count.to_string(), text::short(bin.from), text::short(bin.to)));
            }
            Mark::Boxes { boxes, .. } => {
                boxes.iter().for_each(|one| push(x(one.at), y(one.median), y(one.first_quartile), y(one.third_quartile)));
            }
            mark => points_of(mark).unwrap_or_default().iter().for_each(|point| push(x(point.x), y(point.y), none(), none())),
        }
    }
    Table { heads, rows }
}
