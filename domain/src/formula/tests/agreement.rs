//! Sums of results over random inputs, which the browser's tests compute again: equal sums, equal doubles. The generator,
//! the mapping and the hash are a few lines of 32-bit arithmetic that `agreement.test.ts` repeats.

use std::collections::HashMap;

use super::*;

const BLOCKS: usize = 20;
const BLOCK: usize = 500;

/// mulberry32.
struct Random(u32);

impl Random {
    fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_add(0x6d2b_79f5);
        let mut t = self.0;
        t = (t ^ (t >> 15)).wrapping_mul(t | 1);
        t ^= t.wrapping_add((t ^ (t >> 7)).wrapping_mul(t | 61));
        t ^ (t >> 14)
    }

    /// From -1 to 1.
    fn signed(&mut self) -> f64 {
        (f64::from(self.next()) - 2147483648.0) / 2147483648.0
    }

    /// Any double at all.
    fn bits(&mut self) -> f64 {
        let high = self.next();
        f64::from_bits((u64::from(high) << 32) | u64::from(self.next()))
    }
}

/// A function's result for the next random values.
type Drawn = fn(&mut Random) -> f64;

/// FNV-1a over the two halves of a double; a blank and what is not a number are all ones.
fn mixed(sum: u32, number: Option<f64>) -> u32 {
    let bits = number.filter(|number| !number.is_nan()).map_or(u64::MAX, f64::to_bits);
    [(bits >> 32) as u32, bits as u32].into_iter().fold(sum, |sum, half| (sum ^ half).wrapping_mul(0x0100_0193))
}

fn blocks(seed: u32, mut result: impl FnMut(&mut Random) -> Option<f64>) -> Vec<u32> {
    let mut random = Random(seed);
    (0..BLOCKS).map(|_| (0..BLOCK).fold(0x811c_9dc5, |sum, _| mixed(sum, result(&mut random)))).collect()
}

pub(super) fn sums(cases: &Cases) -> BTreeMap<String, Vec<u32>> {
    let mut sums = BTreeMap::new();
    for (seed, case) in (1..).zip(&cases.random) {
        sums.insert(case.name.clone(), blocks(seed, |random| evaluated(case, random, &cases.around())));
    }
    let functions: [(&str, Drawn); 9] = [
        ("exp", |random| ieee::exp(random.signed() * 750.0)),
        ("exp of any", |random| ieee::exp(random.bits())),
        ("ln", |random| ieee::ln(random.signed().abs() * 1000.0)),
        ("ln of any", |random| ieee::ln(random.bits().abs())),
        ("log10 of any", |random| ieee::log10(random.bits().abs())),
        ("pow", |random| ieee::pow(random.signed().abs() * 200.0, random.signed() * 12.0)),
        ("pow of any", |random| ieee::pow(random.bits(), random.bits())),
        ("round of thousandths", |random| round::half_away(random.signed().trunc() + f64::from(random.next() % 2_000_001) / 1000.0, 2)),
        ("round of any", |random| round::half_away(random.bits(), 2)),
    ];
    for (seed, (name, function)) in (1001..).zip(functions) {
        sums.insert(name.into(), blocks(seed, |random| Some(function(random))));
    }
    sums
}

fn evaluated(case: &RandomCase, random: &mut Random, around: &Around) -> Option<f64> {
    let formula = parse(&case.formula).unwrap();
    let mut values = HashMap::new();
    for input in &case.inputs {
        let blank = random.next() % 1000 < input.blank;
        let scale = 10_i64.pow(input.decimals);
        let steps = u32::try_from((input.high - input.low) * scale + 1).unwrap();
        let drawn = (input.low * scale + i64::from(random.next() % steps)) as f64 / scale as f64;
        values.insert(input.code.clone(), if blank { Value::Blank } else { Value::Number(drawn) });
    }
    let field = Field { tip_vrednosti: ValueType::Number, ..Field::default() };
    let previous = before(around);
    field.result(&evaluate(&formula.expr, &Context { values: &values, previous: &previous, around })).as_f64()
}

/// The numbers of the table's previous entry, under the codes of the inputs.
fn before(around: &Around) -> HashMap<String, Value> {
    let previous = around.previous.as_ref().expect("the table has one");
    let codes = ["a", "b", "c", "d"];
    codes.iter().zip(&previous.values).map(|(code, (_, value))| ((*code).to_owned(), Value::Number(value.as_f64().unwrap()))).collect()
}

/// Units in the last place between two doubles.
fn apart(a: f64, b: f64) -> u64 {
    if a == b || (a.is_nan() && b.is_nan()) { 0 } else { a.to_bits().abs_diff(b.to_bits()) }
}

#[test]
fn our_functions_stay_within_one_last_digit_of_the_platforms() {
    let mut random = Random(7);
    for _ in 0..100_000 {
        let (x, wide, y) = (random.signed() * 700.0, random.bits().abs(), random.signed() * 12.0);
        let base = random.signed().abs() * 200.0;
        assert!(apart(ieee::exp(x), x.exp()) <= 1, "exp {x}");
        assert!(apart(ieee::ln(wide), wide.ln()) <= 1, "ln {wide}");
        assert!(apart(ieee::log10(wide), wide.log10()) <= 1, "log10 {wide}");
        assert!(apart(ieee::pow(base, y), base.powf(y)) <= 1, "pow {base} {y}");
    }
}

#[test]
fn special_values_follow_the_platforms() {
    let special =
        [0.0, -0.0, 1.0, -1.0, 2.0, -2.0, 3.0, -3.0, 0.5, -0.5, 1e300, -1e300, 5e-324, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
    for x in special {
        assert!(apart(ieee::exp(x), x.exp()) <= 1, "exp {x}: {}", ieee::exp(x));
        assert!(apart(ieee::ln(x), x.ln()) <= 1, "ln {x}: {}", ieee::ln(x));
        assert!(apart(ieee::log10(x), x.log10()) <= 1, "log10 {x}: {}", ieee::log10(x));
        for y in special {
            let (ours, theirs) = (ieee::pow(x, y), x.powf(y));
            assert!(apart(ours, theirs) <= 1, "pow {x} {y}: {ours} and {theirs}");
        }
    }
    assert_eq!(ieee::pow(10.0, 2.0), 100.0);
    assert_eq!(ieee::pow(5.0, 3.0), 125.0);
    assert_eq!(ieee::exp(0.0), 1.0);
    assert_eq!(ieee::log10(1000.0), 3.0);
}

#[test]
fn rounding_is_that_of_a_person_with_a_pencil() {
    let table = [
        (1.005, 1.01),
        (2.675, 2.68),
        (-1.005, -1.01),
        (0.125, 0.13),
        (0.135, 0.14),
        (1.0049999, 1.0),
        (0.004, 0.0),
        (-0.004, 0.0),
        (0.005, 0.01),
        (-0.005, -0.01),
        (9.995, 10.0),
        (99.999, 100.0),
        (0.7 + 0.305, 1.01),
        (1.1 + 2.2, 3.3),
        (123456.785, 123456.79),
        (1e20, 1e20),
        (5e-324, 0.0),
        (1e15 + 0.5, 1e15),
        (-0.0, 0.0),
    ];
    for (number, expected) in table {
        let rounded = round::half_away(number, 2);
        assert_eq!(rounded, expected, "{number}");
        assert!(rounded.is_sign_positive() || rounded != 0.0, "{number} gives a negative zero");
    }
    assert_eq!(round::half_away(2.5, 0), 3.0);
    assert_eq!(round::half_away(-2.5, 0), -3.0);
    assert_eq!(round::half_away(0.5, 0), 1.0);
    assert_eq!(round::half_away(0.05, 0), 0.0);
    for (number, text) in [(0.05, "0.05"), (120.0, "120"), (-3.5, "-3.5"), (1e21, "1000000000000000000000"), (12.345, "12.35")] {
        assert_eq!(round::decimal_text(number, 2), text);
    }
}
