//! The Worcester Heart Attack Study with invented people: the columns of its file, and those that a register needs too.

use anyhow::Context;
use jiff::{
    ToSpan,
    civil::{Date, date},
};

use super::{
    dice::Dice,
    people::{COLUMNS, People},
};

/// 500 real admissions; see `api/demo/README.md`.
pub const STUDY: &str = include_str!("../../../demo/whas500.csv");

/// Admissions fall into five years from here, unless the patient was followed for longer than is left of them.
const FIRST_YEAR: i16 = 2021;
const DAYS: u64 = 1826;
/// By then every follow-up has ended: nothing of the demo lies in the future.
const LAST_DAY: Date = date(2025, 12, 31);

/// The study's file with patients, admission dates, institutions and responsible doctors.
pub fn file(people: &mut People) -> anyhow::Result<Vec<u8>> {
    let mut study = csv::Reader::from_reader(STUDY.as_bytes());
    let header = study.headers()?.clone();
    let column = |name: &str| header.iter().position(|known| known == name).with_context(|| format!("no column {name}"));
    let (id, age, gender, followed) = (column("id")?, column("age")?, column("gender")?, column("lenfol")?);
    let mut file = csv::Writer::from_writer(vec![]);
    file.write_record(header.iter().chain(COLUMNS).chain(["datumPrijema", "ustanova", "odgovoran"]))?;
    for row in study.records() {
        let row = row?;
        let number: u64 = row[id].parse()?;
        let mut dice = Dice::of("prijem", number);
        let admitted = admitted(date(FIRST_YEAR, 1, 1) + i64::try_from(dice.below(DAYS))?.days(), row[followed].parse()?);
        let (institution, doctor) = match dice.below(100) {
            0..45 => ("KCS", "lekar"),
            45..65 => ("IRH", "lekar2"),
            _ => ("KCV", "lekar"),
        };
        let person = people.person("kardiologija", number, institution, &row[gender] == "0", row[age].parse::<f64>()? as i16, admitted);
        let admission = [admitted.to_string(), institution.to_owned(), doctor.to_owned()];
        file.write_record(row.iter().map(str::to_owned).chain(person.cells()).chain(admission))?;
    }
    Ok(file.into_inner()?)
}

/// That day of the newest year from which the patient could be followed for so many days.
fn admitted(day: Date, followed: i64) -> Date {
    let mut of_years = (0..).map(|years: i32| day - years.years());
    of_years.find(|admitted| *admitted + followed.days() <= LAST_DAY).expect("an end of every follow-up")
}
