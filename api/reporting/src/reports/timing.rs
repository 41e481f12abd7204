//! When a request wants its report: the fields of a schedule, read into a rule of recurrence.

use domain::recurrence::{self, Fire, Rule, RuleColumns};
use domain::time;
use jiff::{
    Timestamp,
    civil::{DateTime, Time},
};
use platform::error::{Error, Result};
use serde::Deserialize;
use utoipa::ToSchema;

use super::values::parse_date;

/// A month that lacks a chosen day goes without it.
const SKIP: &str = "skip";

#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[schema(as = ReportTiming)]
#[serde(rename_all = "camelCase", default)]
pub struct Timing {
    /// 0 once at `datumVreme`, 1 repeatedly at `vreme`.
    pub ponavljanje: i16,
    /// `YYYY-MM-DD HH:mm` by the clock of `vremenskaZona`.
    pub datum_vreme: Option<String>,
    /// `HH:mm`
    pub vreme: Option<String>,
    /// First and last day, inclusive: `YYYY-MM-DD`.
    pub period_od: Option<String>,
    pub period_do: Option<String>,
    /// 0 day, 1 week, 2 month.
    pub period: Option<i16>,
    /// 1 Sunday to 7 Saturday.
    pub dan_nedelja: Vec<i16>,
    pub dan_mesec: Vec<i16>,
    /// `skip` or `last_day`: what a month does that lacks a chosen day.
    pub politika_dana: Option<String>,
    pub vremenska_zona: Option<String>,
}

impl Timing {
    /// The rule, and the columns that keep it. Fields that belong to the other kind of repetition are left out.
    pub fn rule(&self) -> Result<(RuleColumns, Rule)> {
        let mut stored = match self.ponavljanje {
            0 => self.once()?,
            _ => self.repeated()?,
        };
        let rule = stored.rule().map_err(|error| Error::invalid(error.field, error.message))?;
        // As the database of zones spells it.
        stored.vremenska_zona = rule.zone.iana_name().unwrap_or(time::ZONE).to_owned();
        Ok((stored, rule))
    }

    fn once(&self) -> Result<RuleColumns> {
        let local = read(&self.datum_vreme, "datumVreme", "Datum i vreme izvršavanja nisu ispravni.", parse_date_time)?;
        Ok(RuleColumns { vreme_izvrsavanja_jednostruko: local, ..self.columns() })
    }

    fn repeated(&self) -> Result<RuleColumns> {
        let mut columns = RuleColumns {
            vreme_izvrsavanja_visetruko: read(&self.vreme, "vreme", "Vreme izvršavanja nije ispravno.", parse_time)?,
            vazi_od: read(&self.period_od, "periodOd", "Datum početka nije ispravan.", parse_date)?,
            vazi_do: read(&self.period_do, "periodDo", "Datum kraja nije ispravan.", parse_date)?,
            period: self.period,
            ..self.columns()
        };
        match self.period {
            Some(1) => columns.dan_nedelja = in_order(&self.dan_nedelja),
            Some(2) => {
                columns.dan_mesec = in_order(&self.dan_mesec);
                columns.politika_dana = given(&self.politika_dana).unwrap_or(SKIP).to_owned();
            }
            _ => {}
        }
        Ok(columns)
    }

    fn columns(&self) -> RuleColumns {
        RuleColumns {
            ponavljanje: self.ponavljanje,
            vreme_izvrsavanja_jednostruko: None,
            vreme_izvrsavanja_visetruko: None,
            vazi_od: None,
            vazi_do: None,
            period: None,
            dan_nedelja: Vec::new(),
            dan_mesec: Vec::new(),
            politika_dana: SKIP.to_owned(),
            vremenska_zona: given(&self.vremenska_zona).unwrap_or(time::ZONE).to_owned(),
        }
    }
}

/// The first fire after `now`, or why there is none.
pub fn first_fire(stored: &RuleColumns, rule: &Rule, now: Timestamp) -> Result<Fire> {
    recurrence::next_after(rule, now).ok_or_else(|| match stored.period {
        None => Error::invalid("datumVreme", "Vreme izvršavanja je u prošlosti."),
        Some(2) if stored.vazi_do.is_none_or(|last| last >= now.to_zoned(rule.zone.clone()).date()) => never("danMesec"),
        Some(_) => never("periodDo"),
    })
}

fn never(field: &'static str) -> Error {
    Error::invalid(field, "Zakazivanje nikada ne bi bilo izvršeno.")
}

fn in_order(days: &[i16]) -> Vec<i16> {
    let mut days = days.to_vec();
    days.sort_unstable();
    days.dedup();
    days
}

fn given(text: &Option<String>) -> Option<&str> {
    text.as_deref().map(str::trim).filter(|text| !text.is_empty())
}

/// A blank field is an absent one.
fn read<T>(text: &Option<String>, field: &'static str, message: &'static str, parse: fn(&str) -> Option<T>) -> Result<Option<T>> {
    given(text).map(|text| parse(text).ok_or_else(|| Error::invalid(field, message))).transpose()
}

fn parse_date_time(text: &str) -> Option<DateTime> {
    let (date, time) = text.split_once([' ', 'T'])?;
    Some(parse_date(date)?.to_datetime(parse_time(time)?))
}

/// `HH:mm`; seconds are taken only when they are zero.
fn parse_time(text: &str) -> Option<Time> {
    let text = text.strip_suffix(":00").filter(|rest| rest.len() == 5).unwrap_or(text);
    let (hour, minute) = text.split_once(':')?;
    let digits =
        |part: &str| (part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_digit())).then(|| part.parse::<i8>().ok()).flatten();
    Time::new(digits(hour)?, digits(minute)?, 0, 0).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now() -> Timestamp {
        "2026-11-20T10:00:00Z".parse().unwrap()
    }

    fn weekly() -> Timing {
        Timing { ponavljanje: 1, vreme: Some("07:30".into()), period: Some(1), dan_nedelja: vec![5, 2, 2], ..Timing::default() }
    }

    fn refused(timing: &Timing) -> (String, String) {
        let outcome = timing.rule().and_then(|(stored, rule)| first_fire(&stored, &rule, now()));
        let Err(Error::Invalid { field: Some(field), message }) = outcome else { panic!("{outcome:?}") };
        (field.into_owned(), message.into_owned())
    }

    #[test]
    fn weekdays_are_kept_once_and_in_order() {
        let (stored, rule) = weekly().rule().unwrap();
        assert_eq!(stored.dan_nedelja, [2, 5]);
        assert_eq!(stored.vremenska_zona, "Europe/Belgrade");
        // 23 November 2026 is a Monday; 07:30 in Belgrade is 06:30 UTC in winter.
        assert_eq!(first_fire(&stored, &rule, now()).unwrap().at, "2026-11-23T06:30:00Z".parse().unwrap());
    }

    #[test]
    fn a_single_time_in_the_past_is_refused() {
        let past = Timing { datum_vreme: Some("2026-11-20 10:59".into()), ..Timing::default() };
        assert_eq!(refused(&past), ("datumVreme".into(), "Vreme izvršavanja je u prošlosti.".into()));
        let coming = Timing { datum_vreme: Some("2026-11-20 11:01".into()), ..Timing::default() };
        let (stored, rule) = coming.rule().unwrap();
        assert!(first_fire(&stored, &rule, now()).is_ok());
    }

    #[test]
    fn what_a_single_execution_does_not_use_is_not_kept() {
        let mixed = Timing { datum_vreme: Some("2027-01-01 08:00".into()), ponavljanje: 0, ..weekly() };
        let (stored, _) = mixed.rule().unwrap();
        assert_eq!((stored.period, stored.dan_nedelja.len(), stored.vreme_izvrsavanja_visetruko), (None, 0, None));
    }

    #[test]
    fn the_first_missing_field_is_named() {
        let field = |timing: Timing| refused(&timing).0;
        assert_eq!(field(Timing::default()), "datumVreme");
        assert_eq!(field(Timing { datum_vreme: Some("20.11.2026. 10:00".into()), ..Timing::default() }), "datumVreme");
        assert_eq!(field(Timing { vreme: Some(" ".into()), ..weekly() }), "vreme");
        assert_eq!(field(Timing { vreme: Some("25:00".into()), ..weekly() }), "vreme");
        assert_eq!(field(Timing { period: None, ..weekly() }), "period");
        assert_eq!(field(Timing { dan_nedelja: vec![], ..weekly() }), "danNedelja");
        assert_eq!(field(Timing { dan_nedelja: vec![8], ..weekly() }), "danNedelja");
        assert_eq!(field(Timing { period: Some(2), ..weekly() }), "danMesec");
        assert_eq!(field(Timing { period_do: Some("2026-02-30".into()), ..weekly() }), "periodDo");
        assert_eq!(field(Timing { vremenska_zona: Some("Evropa/Beograd".into()), ..weekly() }), "vremenskaZona");
        assert_eq!(field(Timing { ponavljanje: 2, ..weekly() }), "ponavljanje");
        let monthly = Timing { period: Some(2), dan_mesec: vec![3], ..weekly() };
        assert_eq!(field(Timing { politika_dana: Some("nekako".into()), ..monthly }), "politikaDana");
    }

    #[test]
    fn only_a_monthly_rule_keeps_what_is_done_with_missing_days() {
        let stored = |timing: Timing| timing.rule().unwrap().0;
        assert_eq!(stored(Timing { politika_dana: Some("nekako".into()), ..weekly() }).politika_dana, "skip");
        let monthly = Timing { period: Some(2), dan_mesec: vec![31], politika_dana: Some("last_day".into()), ..weekly() };
        assert_eq!(stored(monthly).politika_dana, "last_day");
    }

    #[test]
    fn a_zone_is_kept_as_its_database_spells_it() {
        let (stored, _) = Timing { vremenska_zona: Some("europe/london".into()), ..weekly() }.rule().unwrap();
        assert_eq!(stored.vremenska_zona, "Europe/London");
    }

    #[test]
    fn an_end_before_its_start_is_refused() {
        let backwards = Timing { period_od: Some("2026-12-10".into()), period_do: Some("2026-12-09".into()), ..weekly() };
        assert_eq!(refused(&backwards).0, "periodDo");
    }

    #[test]
    fn a_rule_that_never_fires_is_refused() {
        let february = Timing {
            period: Some(2),
            dan_mesec: vec![31],
            period_od: Some("2027-02-01".into()),
            period_do: Some("2027-02-28".into()),
            ..weekly()
        };
        assert_eq!(refused(&february), ("danMesec".into(), "Zakazivanje nikada ne bi bilo izvršeno.".into()));
        let last_day = Timing { politika_dana: Some("last_day".into()), ..february };
        let (stored, rule) = last_day.rule().unwrap();
        assert!(first_fire(&stored, &rule, now()).is_ok());
        let over = Timing { period_do: Some("2026-11-19".into()), ..weekly() };
        assert_eq!(refused(&over).0, "periodDo");
    }
}
