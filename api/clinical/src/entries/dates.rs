//! The day of an examination: between the patient's birth and today, and not after the death, whoever sets it. The database holds the rule too.

use domain::{
    time::date_text,
    years::{YEARS, outside},
};
use jiff::civil::Date;
use platform::error::{Error, Result};
use sqlx::PgConnection;

pub const NO_DATE: &str = "Niste uneli datum pregleda.";

/// Why an examination cannot have been on that day.
fn fault(date: Date, born: Date, today: Date) -> Option<String> {
    if let Some(why) = outside(&YEARS, date) {
        return Some(format!("Datum pregleda {why}."));
    }
    if date > today {
        return Some(format!("Datum pregleda ne može biti u budućnosti (danas je {}).", date_text(today)));
    }
    (date < born).then(|| format!("Datum pregleda ne može biti pre rođenja pacijenta ({}).", date_text(born)))
}

/// The day of an entry; one that stays as it was stored is not asked about again.
pub async fn examined(db: &mut PgConnection, patient: i64, date: Option<Date>, stored: Option<Date>, today: Date) -> Result<Date> {
    let date = date.ok_or_else(|| Error::invalid("datumUnosa", NO_DATE))?;
    if stored == Some(date) {
        return Ok(date);
    }
    match refusal(db, patient, date, today).await? {
        Some(message) => Err(Error::invalid("datumUnosa", message)),
        None => Ok(date),
    }
}

/// Why the patient cannot have been examined on that day.
pub async fn refusal(db: &mut PgConnection, patient: i64, date: Date, today: Date) -> sqlx::Result<Option<String>> {
    let life = sqlx::query!(r#"select datum_rodjenja, death_day(id) as "death: jiff_sqlx::Date" from patient where id = $1"#, patient)
        .fetch_one(db)
        .await?;
    let death = life.death.map(|death| death.to_jiff());
    Ok(fault(date, life.datum_rodjenja.to_jiff(), today).or_else(|| death.filter(|death| date > *death).map(after_death)))
}

fn after_death(death: Date) -> String {
    format!("Datum pregleda ne može biti posle smrti pacijenta ({}). Ispravite datum, ili dan smrti na strani pacijenta.", date_text(death))
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn an_examination_lies_between_birth_and_today() {
        let said = |day| fault(day, date(1970, 2, 1), date(2026, 11, 22));
        assert_eq!(said(date(2026, 11, 22)), None);
        assert_eq!(said(date(1970, 2, 1)), None);
        assert_eq!(said(date(2026, 11, 23)).as_deref(), Some("Datum pregleda ne može biti u budućnosti (danas je 22.11.2026.)."));
        assert_eq!(said(date(1970, 1, 31)).as_deref(), Some("Datum pregleda ne može biti pre rođenja pacijenta (01.02.1970.)."));
        assert_eq!(said(date(1919, 1, 1)).as_deref(), Some("Datum pregleda nije između 1920. i 2030. godine."));
    }
}
