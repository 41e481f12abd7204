//! Columns from files, for tests.
use statistics::{Binary, Factor, Interval, Numeric, TestResult};
use std::collections::HashMap;
use std::path::Path;

pub struct Table(HashMap<String, Vec<Option<f64>>>);

impl Table {
    /// Columns of numbers; `NA` and nothing are missing. The path is from the crate's folder.
    pub fn read(path: &str) -> Table {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
        let mut reader = csv::Reader::from_path(file).unwrap();
        let names: Vec<String> = reader.headers().unwrap().iter().map(String::from).collect();
        let mut columns: HashMap<String, Vec<Option<f64>>> = names.iter().map(|name| (name.clone(), Vec::new())).collect();
        for record in reader.records() {
            for (name, text) in names.iter().zip(record.unwrap().iter()) {
                columns.get_mut(name).unwrap().push(text.parse().ok());
            }
        }
        Table(columns)
    }

    pub fn numeric<'a>(&'a self, name: &'a str) -> Numeric<'a> {
        Numeric { name, values: &self.0[name] }
    }

    /// Only the first rows of a column.
    pub fn head<'a>(&'a self, name: &'a str, rows: usize) -> Numeric<'a> {
        Numeric { name, values: &self.0[name][..rows] }
    }

    pub fn codes(&self, name: &str) -> Vec<Option<u32>> {
        self.0[name].iter().map(|value| value.map(|value| value as u32)).collect()
    }

    pub fn flags(&self, name: &str) -> Vec<Option<bool>> {
        self.0[name].iter().map(|value| value.map(|value| value != 0.0)).collect()
    }
}

pub const LEVELS: [&str; 5] = ["0", "1", "2", "3", "4"];

pub fn factor<'a>(name: &'a str, codes: &'a [Option<u32>], levels: usize) -> Factor<'a> {
    Factor { name, levels: &LEVELS[..levels], codes }
}

pub fn binary<'a>(name: &'a str, values: &'a [Option<bool>]) -> Binary<'a> {
    Binary { name, values }
}

/// Within a relative distance, or an absolute one near zero.
pub fn assert_near(actual: f64, expected: f64, tolerance: f64, what: &str) {
    let distance = (actual - expected).abs();
    assert!(distance <= tolerance * expected.abs().max(1e-3) || actual == expected, "{what}: {actual} instead of {expected}");
}

/// Lines of `results.csv`: a case, a key and a value.
pub struct Golden(HashMap<(String, String), Option<f64>>);

impl Golden {
    pub fn read() -> Golden {
        Golden::read_file("results.csv")
    }

    fn read_file(name: &str) -> Golden {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
        let mut reader = csv::Reader::from_path(path).unwrap();
        let records = reader.records().map(|record| record.unwrap());
        Golden(records.map(|record| ((record[0].into(), record[1].into()), record[2].parse().ok())).collect())
    }

    /// What is in `python.csv` is what R says too; how many lines there are.
    pub fn check_second_opinion(&self) -> usize {
        let second = Golden::read_file("python.csv");
        for ((case, key), value) in &second.0 {
            let value = value.unwrap_or_else(|| panic!("{case} {key} is no number"));
            self.check_within(case, key, value, 1e-6);
        }
        second.0.len()
    }

    /// `None` where R says that it is not available.
    pub fn get(&self, case: &str, key: &str) -> Option<f64> {
        *self.0.get(&(case.into(), key.into())).unwrap_or_else(|| panic!("{case} {key} is not in results.csv"))
    }

    pub fn check(&self, case: &str, key: &str, actual: f64) {
        self.check_within(case, key, actual, 1e-9);
    }

    pub fn check_within(&self, case: &str, key: &str, actual: f64, tolerance: f64) {
        let expected = self.get(case, key).unwrap_or_else(|| panic!("{case} {key} is NA, not {actual}"));
        assert_near(actual, expected, tolerance, &format!("{case} {key}"));
    }

    /// Keys with numbers from one on.
    pub fn check_all(&self, case: &str, key: &str, actual: &[f64]) {
        for (index, value) in actual.iter().enumerate() {
            self.check(case, &format!("{key}{}", index + 1), *value);
        }
        assert!(!self.0.contains_key(&(case.into(), format!("{key}{}", actual.len() + 1))), "{case} {key}: R has more");
    }

    pub fn check_test(&self, case: &str, test: &TestResult) {
        self.check(case, "statistic", test.statistic);
        self.check(case, "p", test.p);
    }

    pub fn check_interval(&self, case: &str, key: &str, interval: Interval) {
        for (end, bound) in [("1", interval.low), ("2", interval.high)] {
            let expected = self.get(case, &format!("{key}{end}"));
            match (bound, expected.filter(|value| value.is_finite())) {
                (Some(bound), Some(expected)) => assert_near(bound, expected, 1e-7, &format!("{case} {key}{end}")),
                (bound, expected) => assert_eq!(bound, expected, "{case} {key}{end}"),
            }
        }
    }
}
