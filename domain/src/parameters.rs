//! Parameters of the installation: the names that the programs read, what holds where nobody has saved one, and what a value may be. A
//! value that could not have been saved is read as none.

use std::collections::HashMap;

use sqlx::PgExecutor;

use crate::shown;

/// Rows of a search; -1 is all.
pub const RESULT_COUNTS: [i32; 5] = [50, 100, 200, 1000, -1];
pub const BAD_RESULT_COUNT: &str = "Broj rezultata može biti 50, 100, 200, 1000 ili -1 (svi).";

/// A text; what it may say is known where it is read.
pub struct Text {
    pub naziv: &'static str,
    pub unsaved: &'static str,
}

/// `true` or `false`.
pub struct Flag {
    pub naziv: &'static str,
    pub unsaved: bool,
}

/// A whole number.
pub struct Number {
    pub naziv: &'static str,
    pub unsaved: i32,
    allowed: AllowedValues,
}

enum AllowedValues {
    Between(i32, i32),
    /// And 0, with what it is for.
    OrZero(i32, i32, &'static str),
    /// So many rows as a search may have.
    ResultCount,
}

use AllowedValues::{Between, OrZero, ResultCount};

pub const APPLICATION: Text = text("nazivAplikacije", "Regix");
pub const SUBJECT: Text = text("izvestajNaslovPoruke", "{aplikacija}: {izvestaj} – {period}");
pub const OPENING: Text = text("izvestajTekstPoruke", "{vrsta} „{izvestaj}” je spreman.");
pub const FILE_NAME: Text = text("izvestajImeFajla", "{izvestaj}-{period}");
/// Of recipients; blank: all.
pub const DOMAINS: Text = text("izvestajDomeniPrimalaca", "");
/// What stands in front of a register's `logoPutanja`.
pub const LOGOS: Text = text("putanjaLogoaRegistara", "");
pub const TEXTS: [&Text; 6] = [&APPLICATION, &SUBJECT, &OPENING, &FILE_NAME, &DOMAINS, &LOGOS];

/// Read by the database too (`patients_are_blurred`).
pub const BLURRED: Flag = flag("blurPodatakaIzmedjuUstanova", true);
/// Whether who took a patient reads the entries of others; read by the database (`own_entries_only`).
pub const ENTRIES_OF_TAKEN: Flag = flag("tudjiUnosiPreuzetogPacijenta", false);
pub const AUTO_SIGN_IN: Flag = flag("autoPrijava", false);
/// Which criteria the search of patients shows, and whether it asks for the day of the examination.
pub const OF_SEARCH: [Flag; 8] = [
    flag("kriterijumIme", true),
    flag("kriterijumPrezime", true),
    flag("kriterijumJMBG", true),
    flag("kriterijumLBO", true),
    flag("kriterijumGodinaOd", true),
    flag("kriterijumGodinaDo", true),
    flag("kriterijumPol", true),
    flag("odabirDatumaPregledaPreUnosa", true),
];
/// Which optional fields a patient has on the screen.
pub const OF_PATIENT: [Flag; 7] = [
    flag("prikazPacijentImeRoditelja", false),
    flag("prikazPacijentPrikazJednogPola", false),
    flag("prikazPacijentRadnoMesto", false),
    flag("prikazPacijentStrucnaSprema", false),
    flag("prikazPacijentZanimanje", false),
    flag("prikazPacijentAdministrativnaNapomena", false),
    flag("prikazPacijentMedicinskaNapomena", false),
];

/// Rows of a search (A §9).
pub const RESULTS: Number = number("brojRezultataUPretrazi", 200, ResultCount);
/// Without a key, the mouse or a touch; a longer time would outlive the session. Read by the database too (`idle_since`).
pub const LOCK_MINUTES: Number = number("zakljucavanjeMinuta", 15, OrZero(1, 480, "da se ekran nikada ne zaključava"));
/// The smallest group of patients of other institutions that is shown as rows; 1: every one.
pub const LEAST_GROUP: Number = number("najmanjaTudjaGrupa", 5, Between(1, 100));
/// So many patients leave without identity at least.
pub const LEAST_EXPORT: Number = number("najmanjiIzvozBezIdentiteta", 5, Between(1, 1000));
/// Searches by values of a worker in an hour that reach patients of other institutions.
pub const SEARCHES_OF_OTHERS: Number = number("najvisePretragaTudjihNaSat", 200, Between(1, 100_000));
/// How often a worker may be wrong in an hour when she takes a patient over, and how many she may take in a day.
pub const WRONG_TAKINGS: Number = number("najvisePogresnihPreuzimanjaNaSat", 5, Between(1, 1000));
pub const TAKINGS: Number = number("najvisePreuzimanjaNaDan", 20, Between(1, 1000));
/// Different JMBG and LBO that a worker may ask about in an hour.
pub const NUMBER_CHECKS: Number = number("najviseProveraBrojevaNaSat", 100, Between(1, 10_000));
pub const RECIPIENTS: Number = number("izvestajNajvisePrimalaca", 20, Between(1, 500));
/// Rows of a report, within what the pages of a PDF can still be used for.
pub const PDF_ROWS: Number = number("izvestajNajviseRedovaPdf", 10_000, Between(1, 100_000));
/// Days that files of reports are kept.
pub const REPORT_DAYS: Number = number("danaCuvanjaIzvestaja", 30, Between(1, 9999));
/// Failed runs of a schedule in a row that pause it.
pub const FAILURES: Number = number("zakazivanjeNajviseNeuspeha", 5, OrZero(1, 9999, "da se zakazani izveštaj nikada ne pauzira"));
pub const EXPORT_ROWS: Number = number("izvozNajviseRedova", 500_000, Between(1, 5_000_000));
pub const EXPORT_DAYS: Number = number("danaCuvanjaIzvoza", 7, Between(1, 90));
/// Of a file of data that is imported by screen.
pub const IMPORT_MEGABYTES: Number = number("uvozNajviseMegabajta", 20, Between(1, 100));
/// The installation's ceiling for one file that is attached to an entry.
pub const FILE_MEGABYTES: Number = number("fajlNajviseMegabajta", 10, Between(1, 50));
/// That the log and the histories stay in the database; neither keeps less than five.
pub const LOG_YEARS: Number = number("cuvanjeDnevnikaGodina", 0, OrZero(5, 100, KEPT));
pub const HISTORY_YEARS: Number = number("cuvanjeIstorijeGodina", 0, OrZero(5, 100, KEPT));
/// Of the log, looks alone: earlier than the rest of it, and never earlier than the law lets them.
pub const LOOK_YEARS: Number = number("cuvanjeUvidaGodina", 0, OrZero(1, 100, "da se uvidi čuvaju koliko i ostali zapisi"));
pub const LEAST_LOOK_YEARS: Number = number("najmanjeGodinaUvida", 5, Between(1, 100));
pub const NUMBERS: [&Number; 20] = [
    &RESULTS,
    &LOCK_MINUTES,
    &LEAST_EXPORT,
    &LEAST_GROUP,
    &SEARCHES_OF_OTHERS,
    &WRONG_TAKINGS,
    &TAKINGS,
    &NUMBER_CHECKS,
    &RECIPIENTS,
    &PDF_ROWS,
    &REPORT_DAYS,
    &FAILURES,
    &EXPORT_ROWS,
    &EXPORT_DAYS,
    &IMPORT_MEGABYTES,
    &FILE_MEGABYTES,
    &LOG_YEARS,
    &HISTORY_YEARS,
    &LOOK_YEARS,
    &LEAST_LOOK_YEARS,
];

const KEPT: &str = "da se zapisi uvek čuvaju u bazi";

const fn text(naziv: &'static str, unsaved: &'static str) -> Text {
    Text { naziv, unsaved }
}

const fn flag(naziv: &'static str, unsaved: bool) -> Flag {
    Flag { naziv, unsaved }
}

const fn number(naziv: &'static str, unsaved: i32, allowed: AllowedValues) -> Number {
    Number { naziv, unsaved, allowed }
}

impl Number {
    /// No value is greater.
    pub const fn most(&self) -> i32 {
        match self.allowed {
            Between(_, most) | OrZero(_, most, _) => most,
            ResultCount => i32::MAX,
        }
    }

    /// The number that a value says; `None`: it is none, or out of bounds.
    pub fn read(&self, vrednost: &str) -> Option<i32> {
        vrednost.trim().parse().ok().filter(|number| match self.allowed {
            Between(least, most) => (least..=most).contains(number),
            OrZero(least, most, _) => *number == 0 || (least..=most).contains(number),
            ResultCount => RESULT_COUNTS.contains(number),
        })
    }

    /// What may be saved: `ceo broj od 1 do 480, ili 0 da se ekran nikada ne zaključava`.
    pub fn words(&self) -> String {
        let between = |least, most| format!("ceo broj od {} do {}", shown::number(f64::from(least)), shown::number(f64::from(most)));
        match self.allowed {
            Between(least, most) => between(least, most),
            OrZero(least, most, zero) => format!("{}, ili 0 {zero}", between(least, most)),
            ResultCount => RESULT_COUNTS.map(|count| count.to_string()).join(", "),
        }
    }

    fn refusal(&self, vrednost: &str) -> Option<String> {
        self.read(vrednost).is_none().then(|| match self.allowed {
            ResultCount => BAD_RESULT_COUNT.to_owned(),
            _ => format!("Unesite {}.", self.words()),
        })
    }
}

/// Every switch of the installation.
pub fn flags() -> impl Iterator<Item = Flag> {
    [BLURRED, ENTRIES_OF_TAKEN, AUTO_SIGN_IN].into_iter().chain(OF_SEARCH).chain(OF_PATIENT)
}

/// Why a parameter of this name may not have the value. Of texts nothing is known here.
pub fn refusal(naziv: &str, vrednost: &str) -> Option<String> {
    if let Some(number) = NUMBERS.into_iter().find(|number| number.naziv == naziv) {
        return number.refusal(vrednost);
    }
    let is_flag = flags().any(|flag| flag.naziv == naziv);
    (is_flag && !["true", "false"].contains(&vrednost.trim())).then(|| "Unesite true ili false.".to_owned())
}

/// The active parameters.
#[derive(Default)]
pub struct Parameters(HashMap<String, String>);

pub async fn load(db: impl PgExecutor<'_>) -> sqlx::Result<Parameters> {
    let rows = sqlx::query!("select naziv, vrednost from parameter where aktivan").fetch_all(db).await?;
    Ok(rows.into_iter().map(|row| (row.naziv, row.vrednost)).collect())
}

impl FromIterator<(String, String)> for Parameters {
    fn from_iter<I: IntoIterator<Item = (String, String)>>(saved: I) -> Self {
        Self(saved.into_iter().collect())
    }
}

impl Parameters {
    /// As they were without one of them.
    pub fn without(mut self, naziv: &str) -> Self {
        self.0.remove(naziv);
        self
    }

    pub fn text(&self, text: &Text) -> &str {
        self.saved(text.naziv).unwrap_or(text.unsaved)
    }

    pub fn flag(&self, flag: &Flag) -> bool {
        match self.saved(flag.naziv) {
            Some("true") => true,
            Some("false") => false,
            _ => flag.unsaved,
        }
    }

    /// The switch of this name.
    pub fn is_on(&self, naziv: &str) -> bool {
        let known = flags().find(|flag| flag.naziv == naziv);
        debug_assert!(known.is_some(), "{naziv} is in no list of switches");
        known.is_some_and(|flag| self.flag(&flag))
    }

    pub fn number(&self, number: &Number) -> i32 {
        self.saved(number.naziv).and_then(|vrednost| number.read(vrednost)).unwrap_or(number.unsaved)
    }

    /// The value, unless it is absent or blank.
    fn saved(&self, naziv: &str) -> Option<&str> {
        self.0.get(naziv).map(|vrednost| vrednost.trim()).filter(|vrednost| !vrednost.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(naziv: &str, vrednost: &str) -> Parameters {
        [(naziv.to_owned(), vrednost.to_owned())].into_iter().collect()
    }

    #[test]
    fn a_number_is_whole_and_within_its_bounds() {
        assert_eq!(["1", " 25000 ", "100000"].map(|value| PDF_ROWS.read(value)), [Some(1), Some(25_000), Some(100_000)]);
        assert_eq!(["0", "100001", "-1", "", "mnogo", "10.000"].map(|value| PDF_ROWS.read(value)), [None; 6]);
        assert_eq!(["0", "5", "100", "4", "101"].map(|value| LOG_YEARS.read(value)), [Some(0), Some(5), Some(100), None, None]);
        assert_eq!(["-1", "50", "51"].map(|value| RESULTS.read(value)), [Some(-1), Some(50), None]);
    }

    #[test]
    fn what_holds_unsaved_could_be_saved() {
        for number in NUMBERS {
            assert_eq!(number.read(&number.unsaved.to_string()), Some(number.unsaved), "{}", number.naziv);
        }
    }

    #[test]
    fn no_two_parameters_have_one_name() {
        let texts = TEXTS.into_iter().map(|text| text.naziv);
        let mut names: Vec<_> = texts.chain(flags().map(|flag| flag.naziv)).chain(NUMBERS.map(|number| number.naziv)).collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all);
    }

    #[test]
    fn a_value_that_could_not_be_saved_is_read_as_none() {
        for (vrednost, read) in [("90", 90), (" 1 ", 1), ("91", 7), ("0", 7), ("sedam", 7), ("", 7)] {
            assert_eq!(with(EXPORT_DAYS.naziv, vrednost).number(&EXPORT_DAYS), read, "{vrednost}");
        }
        assert_eq!(["da", "TRUE", "", " false "].map(|value| with(BLURRED.naziv, value).flag(&BLURRED)), [true, true, true, false]);
        assert_eq!(
            ["", "  ", " Registar "].map(|value| with(APPLICATION.naziv, value).text(&APPLICATION).to_owned()),
            ["Regix", "Regix", "Registar"]
        );
    }

    #[test]
    fn a_refusal_tells_what_may_be_saved() {
        assert_eq!(refusal("zakljucavanjeMinuta", "481").unwrap(), "Unesite ceo broj od 1 do 480, ili 0 da se ekran nikada ne zaključava.");
        assert_eq!(refusal("izvozNajviseRedova", "mnogo").unwrap(), "Unesite ceo broj od 1 do 5.000.000.");
        assert_eq!(refusal("brojRezultataUPretrazi", "7").unwrap(), BAD_RESULT_COUNT);
        assert_eq!(refusal("autoPrijava", "da").unwrap(), "Unesite true ili false.");
        for (naziv, vrednost) in [("zakljucavanjeMinuta", "0"), ("autoPrijava", "true"), ("nesto", "da"), ("nazivAplikacije", "480")] {
            assert_eq!(refusal(naziv, vrednost), None, "{naziv}");
        }
    }
}
