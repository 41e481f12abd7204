//! What of a patient leaves: with identity, everything as it is; without, a number that means nothing outside the file, dates moved by as
//! many days as were drawn for this patient, and a year of birth that tells nobody who is over 89 from another.
//!
//! Nothing of what is drawn is kept: two exports of the same patients cannot be laid side by side.
use domain::exports::{Profile, Row};
use jiff::{
    ToSpan,
    civil::{Date, DateTime},
};

use super::cell::Cell;

/// Days by which dates are moved, at most, to either side.
pub const FURTHEST: i32 = 182;
/// From this age on people are one group.
pub const OLDEST: i16 = 90;

/// The patient whose rows are being written: rows of one patient follow each other.
pub struct Patients {
    profil: Profile,
    today: Date,
    current: Option<i64>,
    /// How many patients there were so far: the study number of the present one.
    pub number: i64,
    /// Which of the patient's rows this is.
    pub visit: i64,
    shift: i32,
}

impl Patients {
    pub fn new(profil: Profile, today: Date) -> Self {
        Self { profil, today, current: None, number: 0, visit: 0, shift: 0 }
    }

    pub fn enter(&mut self, row: &Row) {
        if self.current != Some(row.pacijent_id) {
            self.current = Some(row.pacijent_id);
            self.number += 1;
            self.visit = 0;
            self.shift = if self.profil == Profile::BezIdentiteta { drawn() } else { 0 };
        }
        self.visit += 1;
    }

    pub fn date(&self, date: Option<Date>) -> Cell {
        date.and_then(|date| self.moved(date)).map_or(Cell::Missing, Cell::Date)
    }

    /// A date of a form. Where it is the day of birth, it would tell more than the year.
    pub fn date_of_form(&self, row: &Row, date: Date) -> Cell {
        if self.profil == Profile::BezIdentiteta && date == row.datum_rodjenja.to_jiff() { Cell::Missing } else { self.date(Some(date)) }
    }

    /// A moment of a form: its day as a date of the form, with its time of day.
    pub fn moment_of_form(&self, row: &Row, at: DateTime) -> Cell {
        match self.date_of_form(row, at.date()) {
            Cell::Date(date) => Cell::Moment(DateTime::from_parts(date, at.time())),
            other => other,
        }
    }

    /// Whole years on the day of the examination. Of somebody who passes 89 within the export the ages before are left out: from one of
    /// them and the days between, the others would follow.
    pub fn age(&self, row: &Row, on: Option<Date>) -> Cell {
        let Some(age) = on.and_then(|on| age(row.datum_rodjenja.to_jiff(), on)) else { return Cell::Missing };
        match self.profil {
            Profile::Identitet => Cell::count(age.into()),
            Profile::BezIdentiteta if age >= OLDEST => Cell::count(OLDEST.into()),
            Profile::BezIdentiteta if self.is_grouped(row) => Cell::Missing,
            Profile::BezIdentiteta => Cell::count(age.into()),
        }
    }

    /// An age that a field of the form holds, told as [`Self::age`] tells it.
    pub fn own_age(&self, row: &Row, cell: Cell) -> Cell {
        match cell {
            Cell::Number(age) if self.profil == Profile::BezIdentiteta && age >= f64::from(OLDEST) => Cell::count(OLDEST.into()),
            Cell::Number(_) if self.profil == Profile::BezIdentiteta && self.is_grouped(row) => Cell::Missing,
            cell => cell,
        }
    }

    /// The year of birth; for the group of the oldest, the latest that it can be.
    pub fn year_of_birth(&self, row: &Row) -> Cell {
        let born = row.datum_rodjenja.to_jiff();
        let year = match row.poslednji.map(jiff_sqlx::Date::to_jiff) {
            _ if !self.is_grouped(row) => born.year(),
            Some(last) => self.moved(last).unwrap_or(last).year() - OLDEST,
            None => self.today.year() - OLDEST,
        };
        Cell::count(year.into())
    }

    fn is_grouped(&self, row: &Row) -> bool {
        let last = row.poslednji.map_or(self.today, jiff_sqlx::Date::to_jiff);
        age(row.datum_rodjenja.to_jiff(), last).is_some_and(|age| age >= OLDEST)
    }

    fn moved(&self, date: Date) -> Option<Date> {
        date.checked_add(self.shift.days()).ok()
    }
}

/// Never none: a date that stays is a date of the record.
fn drawn() -> i32 {
    let days = rand::random_range(1..=FURTHEST);
    if rand::random() { days } else { -days }
}

fn age(born: Date, on: Date) -> Option<i16> {
    let before_birthday = (on.month(), on.day()) < (born.month(), born.day());
    (on >= born).then(|| on.year() - born.year() - i16::from(before_birthday))
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use jiff_sqlx::ToSqlx;

    use super::*;

    fn row(patient: i64, born: Date, last: Option<Date>) -> Row {
        Row {
            zastareli: sqlx::types::Json(Vec::new()),
            pacijent_id: patient,
            unos_id: None,
            poseta_id: None,
            datum_unosa: last.map(ToSqlx::to_sqlx),
            ustanova_id: None,
            vrednosti: None,
            prvi: None,
            poslednji: last.map(ToSqlx::to_sqlx),
            broj: None,
            status: None,
            status_dan: None,
            datum_rodjenja: born.to_sqlx(),
            pol_trenutni: true,
            jmbg: None,
            lbo: None,
            broj_kartona: None,
            prezime: None,
            ime: None,
        }
    }

    fn day(cell: &Cell) -> Date {
        match cell {
            Cell::Date(date) => *date,
            other => panic!("no date: {other:?}"),
        }
    }

    #[test]
    fn all_dates_of_a_patient_move_alike_and_those_of_another_otherwise() {
        let mut patients = Patients::new(Profile::BezIdentiteta, date(2026, 11, 20));
        let (first, second) = (date(2024, 2, 28), date(2025, 7, 1));
        let mut shifts = std::collections::BTreeSet::new();
        for patient in 0..200 {
            let row = row(patient, date(1960, 5, 5), Some(second));
            patients.enter(&row);
            let moved = (day(&patients.date(Some(first))), day(&patients.date_of_form(&row, second)));
            assert_eq!(moved.1.since(moved.0).unwrap().get_days(), second.since(first).unwrap().get_days());
            let days = moved.0.since(first).unwrap().get_days();
            assert!(days != 0 && days.abs() <= FURTHEST, "{days}");
            let moment = patients.moment_of_form(&row, second.at(23, 50, 0, 0));
            assert_eq!(moment, Cell::Moment(moved.1.at(23, 50, 0, 0)), "a moment is moved with the days, not its time");
            shifts.insert(days);
            assert_eq!(patients.number, patient + 1);
        }
        assert!(shifts.len() > 60, "{} different shifts of 200", shifts.len());
    }

    #[test]
    fn nobody_over_89_is_told_from_another() {
        let mut patients = Patients::new(Profile::BezIdentiteta, date(2026, 11, 20));
        let last = date(2026, 3, 1);
        let years: Vec<(Cell, Cell)> = [date(1936, 2, 28), date(1915, 1, 1), date(1936, 3, 2)]
            .into_iter()
            .enumerate()
            .map(|(patient, born)| {
                let row = row(patient as i64, born, Some(last));
                patients.enter(&row);
                patients.shift = 0;
                (patients.year_of_birth(&row), patients.age(&row, Some(last)))
            })
            .collect();
        assert_eq!(years[0], years[1], "90 and 111 years");
        assert_eq!(years[0], (Cell::Number(1936.0), Cell::Number(90.0)));
        assert_eq!(years[2], (Cell::Number(1936.0), Cell::Number(89.0)), "89 years are as they are");
        let passing = row(9, date(1936, 2, 28), Some(last));
        patients.enter(&passing);
        assert_eq!(patients.age(&passing, Some(date(2024, 3, 1))), Cell::Missing, "88 two years before 90 would tell the age");
        let typed = [104.0, 88.0].map(|age| patients.own_age(&passing, Cell::Number(age)));
        assert_eq!(typed, [Cell::Number(90.0), Cell::Missing], "an age that the form holds is told as the computed one");
        let younger = row(10, date(1950, 2, 28), Some(last));
        assert_eq!(patients.own_age(&younger, Cell::Number(76.0)), Cell::Number(76.0));
    }

    #[test]
    fn the_day_of_birth_is_no_date_of_a_form_and_with_identity_all_is_as_it_was() {
        let born = date(1930, 5, 5);
        let row = row(1, born, Some(date(2026, 1, 1)));
        let mut hidden = Patients::new(Profile::BezIdentiteta, date(2026, 11, 20));
        hidden.enter(&row);
        assert_eq!(hidden.date_of_form(&row, born), Cell::Missing);
        let mut open = Patients::new(Profile::Identitet, date(2026, 11, 20));
        open.enter(&row);
        assert_eq!(open.date_of_form(&row, born), Cell::Date(born));
        assert_eq!(open.age(&row, Some(date(2026, 1, 1))), Cell::Number(95.0));
    }
}
