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
        ("exp", |random| libm::exp(random.signed() * 750.0)),
        ("exp of any", |random| libm::exp(random.bits())),
        ("ln", |random| libm::log(random.signed().abs() * 1000.0)),
        ("ln of any", |random| libm::log(random.bits().abs())),
        ("log10 of any", |random| libm::log10(random.bits().abs())),
        ("pow", |random| libm::pow(random.signed().abs() * 200.0, random.signed() * 12.0)),
        ("pow of any", |random| libm::pow(random.bits(), random.bits())),
        ("round of thousandths", |random| round::half_away(random.signed().trunc() + f64::from(random.next() % 2_000_001) / 1000.0, 2)),
        ("round of any", |random| round::half_away(random.bits(), 2)),
    ];
    for (seed, (name, function)) in (1001..).zip(functions) {
        sums.insert(name.into(), blocks(seed, |random| Some(function(random))));
    }
    sums
}

fn evaluated(case: &RandomCase, random: &mut Random, around: &FormulaSurroundings) -> Option<f64> {
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
    field
        .result(&evaluate(
            &formula.expr,
            &Context {
                values: &values,
                previous: &previous,
                earlier: std::slice::from_ref(&previous),
                around,
                rows: &Rows::default(),
                row: None,
                of_column: false,
            },
        ))
        .as_f64()
}

/// The numbers of the table's previous entry, under the codes of the inputs.
fn before(around: &FormulaSurroundings) -> HashMap<String, Value> {
    let previous = around.previous.as_ref().expect("the table has one");
    let codes = ["a", "b", "c", "d"];
    codes.iter().zip(&previous.values).map(|(code, (_, value))| ((*code).to_owned(), Value::Number(value.as_f64().unwrap()))).collect()
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
