//! Rows made into marks: bins of a histogram and boxes by Tukey.
use crate::figure::{Bin, Boundaries, BoxPlot, Fault};

/// More bins than a page shows apart.
pub const MOST_BINS: usize = 400;
/// Whiskers reach to the last value within so many interquartile ranges.
const FENCE: f64 = 1.5;

/// Bins over `values`, which are sorted inside; none of no value. A single value has one bin.
pub fn histogram(values: &[f64], boundaries: Boundaries) -> Result<Vec<Bin>, Fault> {
    if values.iter().any(|value| !value.is_finite() || value.abs() > 1e300) {
        return Err(Fault::NotFinite);
    }
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let [low, .., high] = sorted[..] else {
        return Ok(sorted.first().map(|only| Bin { from: only - 0.5, to: only + 0.5, count: 1 }).into_iter().collect());
    };
    let span = high - low;
    if span <= low.abs().max(high.abs()) * 1e-12 {
        return Ok(vec![Bin { from: low - 0.5, to: low + 0.5, count: sorted.len() as u64 }]);
    }
    let (from, width) = match boundaries {
        Boundaries::Count(0) => return Err(Fault::TooManyBins(MOST_BINS)),
        Boundaries::Count(count) => (low, span / count as f64),
        Boundaries::Width(width) if width > 0.0 && width.is_finite() => ((low / width + 1e-9).floor() * width, width),
        Boundaries::Width(_) => return Err(Fault::TooManyBins(MOST_BINS)),
        Boundaries::FreedmanDiaconis => {
            // Round, so that the ends of bins can be read off the axis.
            let width = round_width(freedman_diaconis(&sorted), span);
            ((low / width + 1e-9).floor() * width, width)
        }
    };
    let count = ((high - from) / width - 1e-9).ceil().max(1.0);
    if count > MOST_BINS as f64 {
        return Err(Fault::TooManyBins(MOST_BINS));
    }
    let count = count as usize;
    let edge = |index: usize| from + index as f64 * width;
    let mut bins: Vec<Bin> = (0..count).map(|index| Bin { from: edge(index), to: edge(index + 1), count: 0 }).collect();
    for value in sorted {
        let guess = (((value - from) / width) as usize).min(count - 1);
        // The edges decide: a quotient may be a hair off.
        let place = match guess {
            guess if guess > 0 && value < bins[guess].from => guess - 1,
            guess if guess + 1 < count && value >= bins[guess + 1].from => guess + 1,
            guess => guess,
        };
        bins[place].count += 1;
    }
    Ok(bins)
}

/// Twice the interquartile range over the cube root of n; where the range is nil, Sturges' count of bins.
fn freedman_diaconis(sorted: &[f64]) -> f64 {
    let n = sorted.len() as f64;
    let range = quartile(sorted, 0.75) - quartile(sorted, 0.25);
    let span = sorted[sorted.len() - 1] - sorted[0];
    if range > 0.0 { 2.0 * range / n.cbrt() } else { span / (n.log2().ceil() + 1.0) }
}

fn round_width(width: f64, span: f64) -> f64 {
    // To the nearest round one and not to the next above, which would be up to three times as wide.
    crate::axis::round_step(width.max(span / (MOST_BINS as f64 / 3.0)) / 1.6)
}

/// The box of `values` at `at`; `None` of no value or of one that is no number.
pub fn box_plot(at: f64, values: &[f64]) -> Option<BoxPlot> {
    if values.is_empty() || values.iter().any(|value| !value.is_finite()) {
        return None;
    }
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let (first, third) = (quartile(&sorted, 0.25), quartile(&sorted, 0.75));
    let reach = FENCE * (third - first);
    let is_within = |value: &&f64| **value >= first - reach && **value <= third + reach;
    let low = sorted.iter().find(is_within).copied().unwrap_or(first).min(first);
    let high = sorted.iter().rev().find(is_within).copied().unwrap_or(third).max(third);
    let outliers = sorted.iter().copied().filter(|value| *value < low || *value > high).collect();
    Some(BoxPlot { at, n: sorted.len(), low, first_quartile: first, median: quartile(&sorted, 0.5), third_quartile: third, high, outliers })
}

/// A quantile of sorted values by type 7 of Hyndman and Fan, as in R.
fn quartile(sorted: &[f64], share: f64) -> f64 {
    let place = (sorted.len() - 1) as f64 * share;
    let below = sorted[place.floor() as usize];
    let above = sorted[place.ceil() as usize];
    below + (above - below) * place.fract()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(values: &[f64], boundaries: Boundaries) -> Vec<u64> {
        histogram(values, boundaries).unwrap().iter().map(|bin| bin.count).collect()
    }

    #[test]
    fn bins_are_cut_by_count_width_or_rule_and_lose_nobody() {
        let values: Vec<f64> = (0..100).map(f64::from).collect();
        assert_eq!(counts(&values, Boundaries::Count(4)), [25, 25, 25, 25]);
        assert_eq!(counts(&values, Boundaries::Width(30.0)), [30, 30, 30, 10]);
        // 2 * 49.5 / 100^(1/3) = 21.3, and the round width nearest to it is 20.
        assert_eq!(counts(&values, Boundaries::FreedmanDiaconis), [20, 20, 20, 20, 20]);
        assert_eq!(counts(&[0.1, 0.2, 0.3, 0.3, 0.7], Boundaries::Width(0.1)).iter().sum::<u64>(), 5);
    }

    #[test]
    fn few_and_equal_values_have_one_bin_and_nonsense_is_refused() {
        assert!(histogram(&[], Boundaries::default()).unwrap().is_empty());
        assert_eq!(counts(&[4.0], Boundaries::default()), [1]);
        assert_eq!(counts(&[4.0; 9], Boundaries::Count(3)), [9]);
        assert_eq!(counts(&[1.0, 1.0, 1.0, 1.0, 9.0], Boundaries::default()).iter().sum::<u64>(), 5);
        for boundaries in
            [Boundaries::Count(0), Boundaries::Width(0.0), Boundaries::Width(-1.0), Boundaries::Width(1e-9), Boundaries::Count(9999)]
        {
            assert!(histogram(&[1.0, 2.0], boundaries).is_err(), "{boundaries:?}");
        }
        assert_eq!(histogram(&[1.0, f64::NAN], Boundaries::default()), Err(Fault::NotFinite));
    }

    #[test]
    fn a_box_is_tukeys() {
        let made = box_plot(0.5, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 30.0]).unwrap();
        assert_eq!((made.n, made.first_quartile, made.median, made.third_quartile), (9, 3.0, 5.0, 7.0));
        assert_eq!((made.low, made.high, made.outliers.as_slice()), (1.0, 8.0, &[30.0][..]));
        let one = box_plot(0.5, &[2.0]).unwrap();
        assert_eq!((one.low, one.median, one.high), (2.0, 2.0, 2.0));
        assert_eq!(box_plot(0.5, &[]), None);
    }
}
