//! A rule as a schedule's row, and a request to make one, write it.

use std::sync::LazyLock;

use jiff::{
    civil::{Date, DateTime, Time},
    tz::{TimeZone, TimeZoneDatabase},
};

use super::{Kind, MonthdayPolicy, Monthdays, Rule, Weekdays};

/// The schedule's columns of the same names.
#[derive(Clone, Debug)]
pub struct RuleColumns {
    pub ponavljanje: i16,
    pub vreme_izvrsavanja_jednostruko: Option<DateTime>,
    pub vreme_izvrsavanja_visetruko: Option<Time>,
    pub vazi_od: Option<Date>,
    pub vazi_do: Option<Date>,
    pub period: Option<i16>,
    pub dan_nedelja: Vec<i16>,
    pub dan_mesec: Vec<i16>,
    pub politika_dana: String,
    pub vremenska_zona: String,
}

/// Why columns make no rule: the field as the request to schedule names it, and a sentence for the person.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {message}")]
pub struct RuleError {
    pub field: &'static str,
    pub message: String,
}

impl RuleColumns {
    pub fn rule(&self) -> Result<Rule, RuleError> {
        let zone = zone_named(&self.vremenska_zona)
            .ok_or_else(|| refuse("vremenskaZona", format!("Vremenska zona „{}” nije poznata.", self.vremenska_zona)))?;
        match self.ponavljanje {
            0 => {
                let local =
                    self.vreme_izvrsavanja_jednostruko.ok_or_else(|| refuse("datumVreme", "Niste uneli datum i vreme izvršavanja."))?;
                Ok(Rule { zone, kind: Kind::Once(local), valid_from: None, valid_to: None })
            }
            1 => {
                if let (Some(first), Some(last)) = (self.vazi_od, self.vazi_do)
                    && last < first
                {
                    return Err(refuse("periodDo", "Drugi datum ne sme biti pre prvog datuma."));
                }
                Ok(Rule { zone, kind: self.repeated()?, valid_from: self.vazi_od, valid_to: self.vazi_do })
            }
            _ => Err(refuse("ponavljanje", "Ponavljanje nije ispravno.")),
        }
    }

    fn repeated(&self) -> Result<Kind, RuleError> {
        let time = self.vreme_izvrsavanja_visetruko.ok_or_else(|| refuse("vreme", "Niste uneli vreme izvršavanja."))?;
        match self.period {
            Some(0) => Ok(Kind::Daily(time)),
            Some(1) => {
                let days = Weekdays::from_numbers(&self.dan_nedelja).ok_or_else(|| refuse("danNedelja", "Dan u nedelji nije ispravan."))?;
                if days.is_empty() {
                    return Err(refuse("danNedelja", "Izaberite bar jedan dan u nedelji."));
                }
                Ok(Kind::Weekly(days, time))
            }
            Some(2) => {
                let days = Monthdays::from_numbers(&self.dan_mesec).ok_or_else(|| refuse("danMesec", "Dan u mesecu nije ispravan."))?;
                if days.is_empty() {
                    return Err(refuse("danMesec", "Izaberite bar jedan dan u mesecu."));
                }
                let policy = match self.politika_dana.as_str() {
                    "skip" => MonthdayPolicy::Skip,
                    "last_day" => MonthdayPolicy::LastDay,
                    _ => return Err(refuse("politikaDana", "Izbor za kraće mesece nije ispravan.")),
                };
                Ok(Kind::Monthly(days, policy, time))
            }
            Some(_) => Err(refuse("period", "Period nije ispravan.")),
            None => Err(refuse("period", "Niste izabrali period.")),
        }
    }
}

/// An IANA zone of the database that is compiled in: what the server's operating system holds has no say.
pub fn zone_named(name: &str) -> Option<TimeZone> {
    static ZONES: LazyLock<TimeZoneDatabase> = LazyLock::new(TimeZoneDatabase::bundled);
    ZONES.get(name).ok()
}

fn refuse(field: &'static str, message: impl Into<String>) -> RuleError {
    RuleError { field, message: message.into() }
}
