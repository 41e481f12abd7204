//! Series are told apart by who does not see colours, and their colours stand out from white.
use report_chart::palette::{Rgb, SERIES, dash, luminance, marker};

/// Linear parts of red, green and blue as a dichromat sees them (Machado, Oliveira and Fernandes 2009, severity 1).
const SIGHTS: [(&str, [[f64; 3]; 3]); 4] = [
    ("all colours", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
    ("protanopia", [[0.152_286, 1.052_583, -0.204_868], [0.114_503, 0.786_281, 0.099_216], [-0.003_882, -0.048_116, 1.051_998]]),
    ("deuteranopia", [[0.367_322, 0.860_646, -0.227_968], [0.280_085, 0.672_501, 0.047_413], [-0.011_820, 0.042_940, 0.968_881]]),
    ("tritanopia", [[1.255_528, -0.076_749, -0.178_779], [-0.078_411, 0.930_809, 0.147_602], [0.004_733, 0.691_367, 0.303_900]]),
];
/// A difference in CIE Lab from which two colours are told apart on paper side by side without doubt.
const LEAST_DIFFERENCE: f64 = 12.0;
/// WCAG asks for so much between a shape and its ground.
const LEAST_CONTRAST: f64 = 3.0;

fn linear(color: Rgb) -> [f64; 3] {
    [color.0, color.1, color.2].map(|byte| {
        let share = f64::from(byte) / 255.0;
        if share <= 0.040_45 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
    })
}

fn seen(color: Rgb, sight: &[[f64; 3]; 3]) -> [f64; 3] {
    let parts = linear(color);
    sight.map(|row| row.iter().zip(parts).map(|(weight, part)| weight * part).sum::<f64>().clamp(0.0, 1.0))
}

fn lab([red, green, blue]: [f64; 3]) -> [f64; 3] {
    let x = (0.412_456 * red + 0.357_576 * green + 0.180_437 * blue) / 0.950_47;
    let y = 0.212_673 * red + 0.715_152 * green + 0.072_175 * blue;
    let z = (0.019_334 * red + 0.119_192 * green + 0.950_304 * blue) / 1.088_83;
    let [x, y, z] = [x, y, z].map(|part: f64| if part > 0.008_856 { part.cbrt() } else { 7.787 * part + 16.0 / 116.0 });
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

#[test]
fn every_two_colours_differ_for_every_sight() {
    for (sight, matrix) in SIGHTS {
        for (index, left) in SERIES.iter().enumerate() {
            for right in &SERIES[index + 1..] {
                let (one, other) = (lab(seen(*left, &matrix)), lab(seen(*right, &matrix)));
                let difference = one.iter().zip(other).map(|(one, other)| (one - other).powi(2)).sum::<f64>().sqrt();
                assert!(difference >= LEAST_DIFFERENCE, "{left:?} and {right:?} differ by {difference:.1} for {sight}");
            }
        }
    }
}

#[test]
fn every_colour_stands_out_from_white() {
    for color in SERIES {
        let contrast = 1.05 / (luminance(color) + 0.05);
        assert!(contrast >= LEAST_CONTRAST, "{color:?} has {contrast:.2}");
    }
}

#[test]
fn every_two_series_differ_in_dash_and_in_marker() {
    for left in 0..8 {
        for right in left + 1..8 {
            assert_ne!(dash(left), dash(right));
            assert_ne!(marker(left, (0.0, 0.0), 1.0), marker(right, (0.0, 0.0), 1.0));
        }
    }
}
