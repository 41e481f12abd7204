//! Days told by the day on which somebody asks, as a schedule that goes on for years has to name them: "first day of the last month"
//! is another date at each run. A value of a report's date parameter is either such a word or a date.

use jiff::{
    ToSpan,
    civil::{Date, Weekday},
};
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use utoipa::ToSchema;

use crate::time::date_text;

const DAY: &str = "dan";

/// A schedule's values as they are on `today`: the days that it keeps as words become dates.
pub fn values_on(values: &Json, today: Date) -> Json {
    let Some(values) = values.as_object() else { return values.clone() };
    let resolved = |value: &Json| RelativeDay::of_stored(value).map_or_else(|| value.clone(), |day| day.on(today).to_string().into());
    values.iter().map(|(name, value)| (name.clone(), resolved(value))).collect::<serde_json::Map<_, _>>().into()
}

/// The same of its values as people read them: a list of `naziv` and `vrednost`, with `dan` where the value is such a day.
pub fn described_on(described: &Json, today: Date) -> Json {
    let mut described = described.clone();
    for item in described.as_array_mut().into_iter().flatten() {
        if let Some(day) = RelativeDay::of_stored(item) {
            item["vrednost"] = day.text_on(today).into();
        }
    }
    described
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RelativeDay {
    Danas,
    Juce,
    #[serde(rename = "pre-7-dana")]
    PreSedamDana,
    #[serde(rename = "pre-30-dana")]
    PreTridesetDana,
    #[serde(rename = "pre-12-meseci")]
    PreDvanaestMeseci,
    PocetakNedelje,
    KrajNedelje,
    PocetakProsleNedelje,
    KrajProsleNedelje,
    PocetakMeseca,
    KrajMeseca,
    PocetakProslogMeseca,
    KrajProslogMeseca,
    PocetakKvartala,
    KrajKvartala,
    PocetakProslogKvartala,
    KrajProslogKvartala,
    PocetakGodine,
    KrajGodine,
    PocetakProsleGodine,
    KrajProsleGodine,
}

impl RelativeDay {
    pub const ALL: [Self; 21] = [
        Self::Danas,
        Self::Juce,
        Self::PreSedamDana,
        Self::PreTridesetDana,
        Self::PreDvanaestMeseci,
        Self::PocetakNedelje,
        Self::KrajNedelje,
        Self::PocetakProsleNedelje,
        Self::KrajProsleNedelje,
        Self::PocetakMeseca,
        Self::KrajMeseca,
        Self::PocetakProslogMeseca,
        Self::KrajProslogMeseca,
        Self::PocetakKvartala,
        Self::KrajKvartala,
        Self::PocetakProslogKvartala,
        Self::KrajProslogKvartala,
        Self::PocetakGodine,
        Self::KrajGodine,
        Self::PocetakProsleGodine,
        Self::KrajProsleGodine,
    ];

    /// The word that stands for it in requests and in the database.
    pub fn word(self) -> &'static str {
        match self {
            Self::Danas => "danas",
            Self::Juce => "juce",
            Self::PreSedamDana => "pre-7-dana",
            Self::PreTridesetDana => "pre-30-dana",
            Self::PreDvanaestMeseci => "pre-12-meseci",
            Self::PocetakNedelje => "pocetak-nedelje",
            Self::KrajNedelje => "kraj-nedelje",
            Self::PocetakProsleNedelje => "pocetak-prosle-nedelje",
            Self::KrajProsleNedelje => "kraj-prosle-nedelje",
            Self::PocetakMeseca => "pocetak-meseca",
            Self::KrajMeseca => "kraj-meseca",
            Self::PocetakProslogMeseca => "pocetak-proslog-meseca",
            Self::KrajProslogMeseca => "kraj-proslog-meseca",
            Self::PocetakKvartala => "pocetak-kvartala",
            Self::KrajKvartala => "kraj-kvartala",
            Self::PocetakProslogKvartala => "pocetak-proslog-kvartala",
            Self::KrajProslogKvartala => "kraj-proslog-kvartala",
            Self::PocetakGodine => "pocetak-godine",
            Self::KrajGodine => "kraj-godine",
            Self::PocetakProsleGodine => "pocetak-prosle-godine",
            Self::KrajProsleGodine => "kraj-prosle-godine",
        }
    }

    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|day| day.word() == word)
    }

    /// As people read it.
    pub fn label(self) -> &'static str {
        match self {
            Self::Danas => "danas",
            Self::Juce => "juče",
            Self::PreSedamDana => "pre 7 dana",
            Self::PreTridesetDana => "pre 30 dana",
            Self::PreDvanaestMeseci => "pre 12 meseci",
            Self::PocetakNedelje => "početak ove nedelje",
            Self::KrajNedelje => "kraj ove nedelje",
            Self::PocetakProsleNedelje => "početak prošle nedelje",
            Self::KrajProsleNedelje => "kraj prošle nedelje",
            Self::PocetakMeseca => "početak ovog meseca",
            Self::KrajMeseca => "kraj ovog meseca",
            Self::PocetakProslogMeseca => "početak prošlog meseca",
            Self::KrajProslogMeseca => "kraj prošlog meseca",
            Self::PocetakKvartala => "početak ovog kvartala",
            Self::KrajKvartala => "kraj ovog kvartala",
            Self::PocetakProslogKvartala => "početak prošlog kvartala",
            Self::KrajProslogKvartala => "kraj prošlog kvartala",
            Self::PocetakGodine => "početak ove godine",
            Self::KrajGodine => "kraj ove godine",
            Self::PocetakProsleGodine => "početak prošle godine",
            Self::KrajProsleGodine => "kraj prošle godine",
        }
    }

    /// The date that is meant by who asks on `today`. Weeks begin on Monday; where a month has no such day, its last one is meant.
    pub fn on(self, today: Date) -> Date {
        let month = today.first_of_month();
        let quarter = month.saturating_sub((i32::from(month.month() - 1) % 3).months());
        let week = today.saturating_sub(i32::from(today.weekday().since(Weekday::Monday)).days());
        let year = today.first_of_year();
        match self {
            Self::Danas => today,
            Self::Juce => today.saturating_sub(1.day()),
            Self::PreSedamDana => today.saturating_sub(7.days()),
            Self::PreTridesetDana => today.saturating_sub(30.days()),
            Self::PreDvanaestMeseci => today.saturating_sub(12.months()),
            Self::PocetakNedelje => week,
            Self::KrajNedelje => week.saturating_add(6.days()),
            Self::PocetakProsleNedelje => week.saturating_sub(7.days()),
            Self::KrajProsleNedelje => week.saturating_sub(1.day()),
            Self::PocetakMeseca => month,
            Self::KrajMeseca => month.last_of_month(),
            Self::PocetakProslogMeseca => month.saturating_sub(1.month()),
            Self::KrajProslogMeseca => month.saturating_sub(1.day()),
            Self::PocetakKvartala => quarter,
            Self::KrajKvartala => quarter.saturating_add(2.months()).last_of_month(),
            Self::PocetakProslogKvartala => quarter.saturating_sub(3.months()),
            Self::KrajProslogKvartala => quarter.saturating_sub(1.day()),
            Self::PocetakGodine => year,
            Self::KrajGodine => today.last_of_year(),
            Self::PocetakProsleGodine => year.saturating_sub(1.year()),
            Self::KrajProsleGodine => year.saturating_sub(1.day()),
        }
    }

    /// How a schedule keeps it among its values, where a word alone could be a text.
    pub fn stored(self) -> Json {
        json!({ DAY: self.word() })
    }

    /// What a schedule has kept; none where it is a value like any other.
    pub fn of_stored(value: &Json) -> Option<Self> {
        Self::named(value.get(DAY)?.as_str()?)
    }

    /// The date with what was asked for: `01.10.2026. (početak prošlog meseca)`.
    pub fn text_on(self, today: Date) -> String {
        format!("{} ({})", date_text(self.on(today)), self.label())
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::{RelativeDay::*, *};

    #[test]
    fn a_word_leads_to_its_day_and_back() {
        for day in RelativeDay::ALL {
            assert_eq!(RelativeDay::named(day.word()), Some(day));
            assert_eq!(serde_json::to_value(day).unwrap(), day.word());
        }
        assert_eq!(RelativeDay::named("2026-11-23"), None);
        assert_eq!(RelativeDay::named("Danas"), None);
    }

    #[test]
    fn days_are_counted_from_the_day_of_asking() {
        let monday = date(2026, 11, 23);
        for (day, meant) in [
            (Danas, monday),
            (Juce, date(2026, 11, 22)),
            (PreSedamDana, date(2026, 11, 16)),
            (PreTridesetDana, date(2026, 10, 24)),
            (PreDvanaestMeseci, date(2025, 11, 23)),
            (PocetakNedelje, monday),
            (KrajNedelje, date(2026, 11, 29)),
            (PocetakProsleNedelje, date(2026, 11, 16)),
            (KrajProsleNedelje, date(2026, 11, 22)),
            (PocetakMeseca, date(2026, 11, 1)),
            (KrajMeseca, date(2026, 11, 30)),
            (PocetakProslogMeseca, date(2026, 10, 1)),
            (KrajProslogMeseca, date(2026, 10, 31)),
            (PocetakKvartala, date(2026, 10, 1)),
            (KrajKvartala, date(2026, 12, 31)),
            (PocetakProslogKvartala, date(2026, 7, 1)),
            (KrajProslogKvartala, date(2026, 9, 30)),
            (PocetakGodine, date(2026, 1, 1)),
            (KrajGodine, date(2026, 12, 31)),
            (PocetakProsleGodine, date(2025, 1, 1)),
            (KrajProsleGodine, date(2025, 12, 31)),
        ] {
            assert_eq!(day.on(monday), meant, "{}", day.word());
        }
    }

    #[test]
    fn the_turn_of_a_year_a_sunday_and_a_short_february_are_known() {
        let new_year = date(2028, 1, 1);
        assert_eq!(KrajProslogMeseca.on(new_year), date(2027, 12, 31));
        assert_eq!(PocetakProslogKvartala.on(new_year), date(2027, 10, 1));
        assert_eq!(PocetakNedelje.on(date(2026, 11, 29)), date(2026, 11, 23));
        assert_eq!(KrajNedelje.on(date(2026, 11, 29)), date(2026, 11, 29));
        assert_eq!(KrajNedelje.on(date(2027, 12, 31)), date(2028, 1, 2));
        assert_eq!(KrajKvartala.on(date(2028, 2, 29)), date(2028, 3, 31));
        assert_eq!(KrajKvartala.on(date(2028, 8, 31)), date(2028, 9, 30));
        assert_eq!(PocetakProslogMeseca.on(date(2027, 3, 31)), date(2027, 2, 1));
        assert_eq!(KrajProslogMeseca.on(date(2028, 3, 31)), date(2028, 2, 29));
        assert_eq!(PreDvanaestMeseci.on(date(2028, 2, 29)), date(2027, 2, 28));
    }

    #[test]
    fn what_a_schedule_keeps_becomes_dates_and_nothing_else_does() {
        let kept = json!({ "od": PocetakProslogMeseca.stored(), "do": "2026-12-31", "opis": "danas", "odeljenja": ["1"], "prazno": null });
        let (first, later) = (date(2026, 11, 23), date(2027, 1, 1));
        assert_eq!(
            values_on(&kept, first),
            json!({ "od": "2026-10-01", "do": "2026-12-31", "opis": "danas", "odeljenja": ["1"], "prazno": null })
        );
        assert_eq!(values_on(&kept, later)["od"], "2026-12-01");
        let described = json!([{ "naziv": "Od", "vrednost": "početak prošlog meseca", "dan": "pocetak-proslog-meseca" },
            { "naziv": "Opis", "vrednost": "danas" }]);
        let read = described_on(&described, first);
        assert_eq!(read[0]["vrednost"], "01.10.2026. (početak prošlog meseca)");
        assert_eq!(read[1], described[1]);
    }

    #[test]
    fn the_text_has_the_date_and_what_was_asked_for() {
        assert_eq!(PocetakProslogMeseca.text_on(date(2026, 11, 23)), "01.10.2026. (početak prošlog meseca)");
    }
}
