//! An axis: what lies along it, where it begins and ends, and the words under it.
use crate::text;
use crate::times;

pub use crate::times::Tick;

/// An axis and its title.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Axis {
    /// Empty: none is written.
    pub title: String,
    pub scale: Scale,
}

/// What lies along an axis.
#[derive(Clone, Debug, PartialEq)]
pub enum Scale {
    /// Names at equal steps: the first from 0 to 1. Along y they run from the top down. `beside`: words at the far end of each, such as the
    /// estimate of a forest plot; empty where there are none.
    Categories { names: Vec<String>, beside: Vec<String> },
    /// Days since 1970 with their part of a day, see [`times`].
    Time,
    /// Numbers. The axis reaches at least from `least` to `greatest` where they are given, and further where values do.
    Numbers { steps: Steps, least: Option<f64>, greatest: Option<f64> },
}

/// How numbers lie along an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Steps {
    #[default]
    Linear,
    /// Equal ratios are equally far apart; above zero only.
    Log,
    /// Shares from 0 to 1, written as percents.
    Percent,
}

impl Default for Scale {
    fn default() -> Self {
        Scale::Numbers { steps: Steps::Linear, least: None, greatest: None }
    }
}

impl Axis {
    pub fn categories(title: &str, names: Vec<String>) -> Self {
        Axis { title: title.to_owned(), scale: Scale::Categories { names, beside: Vec::new() } }
    }

    pub fn time(title: &str) -> Self {
        Axis { title: title.to_owned(), scale: Scale::Time }
    }

    pub fn numbers(title: &str) -> Self {
        Axis { title: title.to_owned(), scale: Scale::default() }
    }

    /// Numbers from zero on, or from below it where values are.
    pub fn from_zero(title: &str) -> Self {
        Axis { title: title.to_owned(), scale: Scale::Numbers { steps: Steps::Linear, least: Some(0.0), greatest: Some(0.0) } }
    }

    pub fn log(title: &str) -> Self {
        Axis { title: title.to_owned(), scale: Scale::Numbers { steps: Steps::Log, least: None, greatest: None } }
    }

    /// Shares from 0 to 1.
    pub fn percent(title: &str) -> Self {
        Axis { title: title.to_owned(), scale: Scale::Numbers { steps: Steps::Percent, least: Some(0.0), greatest: Some(1.0) } }
    }

    /// Shares from 0 to as far as they reach, for those that are all small.
    pub fn percent_from_zero(title: &str) -> Self {
        Axis { title: title.to_owned(), scale: Scale::Numbers { steps: Steps::Percent, least: Some(0.0), greatest: Some(0.0) } }
    }

    /// Where a category lies.
    pub fn place_of(category: usize) -> f64 {
        category as f64 + 0.5
    }
}

/// About so many steps lie between the least and the greatest number of a wide axis.
pub const MOST_STEPS: usize = 12;
/// Share of an axis of time that is left free beside the first and the last value.
const ROOM: f64 = 0.03;

/// Where an axis begins and ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extent {
    pub low: f64,
    pub high: f64,
    /// Between the words of an axis of numbers; 0 where there is none.
    pub step: f64,
    pub is_log: bool,
}

impl Extent {
    /// Where a value lies, from 0 to 1.
    pub fn share(&self, value: f64) -> f64 {
        match self.is_log {
            true => (value.ln() - self.low.ln()) / (self.high.ln() - self.low.ln()),
            false => (value - self.low) / (self.high - self.low),
        }
    }
}

impl Axis {
    pub fn is_log(&self) -> bool {
        matches!(self.scale, Scale::Numbers { steps: Steps::Log, .. })
    }

    pub fn is_categories(&self) -> bool {
        matches!(self.scale, Scale::Categories { .. })
    }

    pub fn is_percent(&self) -> bool {
        matches!(self.scale, Scale::Numbers { steps: Steps::Percent, .. })
    }

    pub fn names(&self) -> &[String] {
        match &self.scale {
            Scale::Categories { names, .. } => names,
            _ => &[],
        }
    }

    pub fn beside(&self) -> &[String] {
        match &self.scale {
            Scale::Categories { beside, .. } => beside,
            _ => &[],
        }
    }

    /// How far it reaches at least.
    pub fn bounds(&self) -> Vec<f64> {
        match self.scale {
            Scale::Numbers { least, greatest, .. } => least.into_iter().chain(greatest).collect(),
            _ => Vec::new(),
        }
    }

    /// The axis over `values`, with about so many steps at the most. Numbers begin and end at round ones.
    pub fn extent(&self, values: &[f64], most: usize) -> Extent {
        let all = || values.iter().copied().chain(self.bounds());
        let (low, high) = all().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
        let plain = |low, high| Extent { low, high, step: 0.0, is_log: false };
        match &self.scale {
            Scale::Categories { names, .. } => plain(0.0, names.len().max(1) as f64),
            Scale::Time if low > high => plain(0.0, 1.0),
            Scale::Time if high - low < 1e-9 => plain(low - 0.5, high + 0.5),
            Scale::Time => plain(low - (high - low) * ROOM, high + (high - low) * ROOM),
            Scale::Numbers { steps: Steps::Log, .. } => log_extent(low, high),
            Scale::Numbers { steps, .. } => {
                let (low, high) = spread(low, high);
                let high = if *steps == Steps::Percent && high <= 1.0 + 1e-9 { high.min(1.0) } else { high };
                let step = round_step((high - low) / most.max(1) as f64);
                Extent { low: (low / step + 1e-9).floor() * step, high: (high / step - 1e-9).ceil() * step, step, is_log: false }
            }
        }
    }

    /// The words along it. `places`: where values lie, by size; a few days are written themselves.
    pub fn ticks(&self, extent: &Extent, places: &[f64], most: usize) -> Vec<Tick> {
        match &self.scale {
            Scale::Categories { names, .. } => {
                let tick = |(place, name): (usize, &String)| Tick { at: Axis::place_of(place), label: name.clone() };
                names.iter().enumerate().map(tick).collect()
            }
            Scale::Time => times::ticks(places, most),
            Scale::Numbers { steps: Steps::Log, .. } => log_ticks(extent.low, extent.high, most),
            Scale::Numbers { steps, .. } => {
                let count = ((extent.high - extent.low) / extent.step).round() as usize;
                let first = (extent.low / extent.step).round();
                let at = |place: usize| (first + place as f64) * extent.step;
                (0..=count).map(at).map(|at| Tick { at, label: label(at, extent.step, *steps) }).collect()
            }
        }
    }

    /// A value of this axis as a reader meets it in words.
    pub fn told(&self, value: f64) -> String {
        match &self.scale {
            Scale::Categories { names, .. } if value >= 0.0 => names.get(value.floor() as usize).cloned().unwrap_or_default(),
            Scale::Categories { .. } => String::new(),
            Scale::Time => times::told(value),
            Scale::Numbers { steps: Steps::Percent, .. } => {
                let text = text::number(value * 100.0, 1);
                format!("{}%", text.strip_suffix(",0").unwrap_or(&text))
            }
            Scale::Numbers { .. } => text::short(value),
        }
    }
}

fn label(at: f64, step: f64, steps: Steps) -> String {
    match steps {
        Steps::Percent => format!("{}%", text::on_axis(at * 100.0, step * 100.0)),
        _ => text::on_axis(at, step),
    }
}

/// Ends that are apart: of no values 0 and 1, of a single one a little to both sides.
fn spread(low: f64, high: f64) -> (f64, f64) {
    if low > high {
        return (0.0, 1.0);
    }
    if high - low > 1e-300 && high - low > high.abs().max(low.abs()) * 1e-12 {
        return (low, high);
    }
    // A lone zero is the beginning of its axis.
    if low.abs() < 1e-300 {
        return (0.0, 1.0);
    }
    let room = (low.abs() * 0.05).max(if low.abs() < 1.0 { 0.0 } else { 0.5 });
    (low - room, high + room)
}

/// The least of 1, 2, 5 times a power of ten that is not below `step`.
pub fn round_step(step: f64) -> f64 {
    let power = 10f64.powf(step.log10().floor());
    let at_least = step * (1.0 - 1e-9);
    [1.0, 2.0, 5.0].map(|factor| factor * power).into_iter().find(|round| *round >= at_least).unwrap_or(10.0 * power)
}

/// From the 1, 2 or 5 times a power of ten below the least to that above the greatest.
fn log_extent(low: f64, high: f64) -> Extent {
    let (low, high) = if low > high || low <= 0.0 { (1.0, 10.0) } else { (low, high) };
    let up = round_step(high);
    let below = round_step(low);
    let down = if below <= low * (1.0 + 1e-9) { below } else { next_below(below) };
    let (down, up) = if down < up { (down, up) } else { (next_below(down), next_above(up)) };
    Extent { low: down, high: up, step: 0.0, is_log: true }
}

fn next_above(round: f64) -> f64 {
    round_step(round * 1.5)
}

fn next_below(round: f64) -> f64 {
    round_step(round * 0.35)
}

/// All of 1, 2 and 5 times the powers of ten, or the powers alone and every so many of them where there are more than `most`.
fn log_ticks(low: f64, high: f64, most: usize) -> Vec<Tick> {
    let mut all = vec![low];
    while let Some(last) = all.last().copied().filter(|last| *last < high * (1.0 - 1e-6)) {
        all.push(next_above(last));
    }
    let is_power = |at: f64| (at.log10() - at.log10().round()).abs() < 1e-6;
    let last = all.len() - 1;
    if all.len() > most.max(2) {
        let powers = all.iter().enumerate().filter(|(place, at)| *place == 0 || *place == last || is_power(**at));
        all = powers.map(|(_, at)| *at).collect();
    }
    all.into_iter().map(|at| Tick { at, label: text::short_power(at) }).collect()
}

/// The first, the last and as many in between as stand apart: `widths` with the room that each needs. Returns places in `centres`.
pub fn apart(centres: &[f64], widths: &[f64]) -> Vec<usize> {
    let Some(last) = centres.len().checked_sub(1) else { return Vec::new() };
    let mut chosen = vec![0];
    let right = |place: usize| centres[place] + widths[place] / 2.0;
    let left = |place: usize| centres[place] - widths[place] / 2.0;
    for place in 1..last {
        let before = chosen[chosen.len() - 1];
        if left(place) >= right(before) && right(place) <= left(last) {
            chosen.push(place);
        }
    }
    if last > 0 {
        chosen.push(last);
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis, values: &[f64], most: usize) -> String {
        let ticks = axis.ticks(&axis.extent(values, most), values, most);
        ticks.into_iter().map(|tick| tick.label).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn an_axis_of_numbers_begins_and_ends_at_round_ones() {
        assert_eq!(labels(&Axis::numbers(""), &[1.0, 2358.0], 12), "0 200 400 600 800 1000 1200 1400 1600 1800 2000 2200 2400");
        assert_eq!(labels(&Axis::numbers(""), &[-0.3, 1.4], 12), "−0,4 −0,2 0 0,2 0,4 0,6 0,8 1,0 1,2 1,4");
        assert_eq!(labels(&Axis::from_zero(""), &[62.0], 5), "0 20 40 60 80");
        assert_eq!(labels(&Axis::from_zero(""), &[-3.0, 4.0], 5), "−4 −2 0 2 4");
        assert_eq!(labels(&Axis::percent(""), &[0.2], 5), "0% 20% 40% 60% 80% 100%");
        assert_eq!(labels(&Axis::percent_from_zero(""), &[0.08, 0.165], 5), "0% 5% 10% 15% 20%");
        assert_eq!(labels(&Axis::percent_from_zero(""), &[0.97], 5), "0% 20% 40% 60% 80% 100%");
    }

    #[test]
    fn no_values_one_value_and_extremes_still_have_an_axis() {
        for values in [&[][..], &[0.0], &[7.0], &[-7.0], &[1e-310], &[1e299], &[-1e299, 1e299], &[0.0, 1e-290], &[1e15, 1e15 + 1.0]] {
            let extent = Axis::numbers("").extent(values, 5);
            assert!(extent.low < extent.high && extent.low.is_finite() && extent.high.is_finite(), "{values:?}: {extent:?}");
            assert!(values.iter().all(|value| (-1e-9..=1.0 + 1e-9).contains(&extent.share(*value))), "{values:?}: {extent:?}");
            let ticks = Axis::numbers("").ticks(&extent, values, 5);
            assert!((2..=12).contains(&ticks.len()), "{values:?}: {ticks:?}");
        }
    }

    #[test]
    fn a_logarithmic_axis_has_round_ratios() {
        assert_eq!(labels(&Axis::log(""), &[0.3, 4.0], 12), "0,2 0,5 1 2 5");
        assert_eq!(labels(&Axis::log(""), &[0.002, 900.0], 6), "0,002 0,01 0,1 1 10 100 1000");
        assert_eq!(labels(&Axis::log(""), &[1.0], 6), "0,5 1 2");
        let extent = Axis::log("").extent(&[0.1, 10.0], 12);
        assert!((extent.share(1.0) - 0.5).abs() < 1e-12);
    }

    #[test]
    fn first_and_last_words_stay_and_none_overlap() {
        let centres: Vec<f64> = (0..40).map(|place| f64::from(place) * 10.0).collect();
        let chosen = apart(&centres, &[24.0; 40]);
        assert_eq!((chosen.first(), chosen.last()), (Some(&0), Some(&39)));
        assert!(chosen.windows(2).all(|pair| centres[pair[1]] - centres[pair[0]] >= 24.0), "{chosen:?}");
        assert_eq!(apart(&[5.0], &[100.0]), [0]);
        assert!(apart(&[], &[]).is_empty());
    }
}
