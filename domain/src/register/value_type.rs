//! What a form field holds. The numbers are the specification's, and the API's; the names are those of definition files and of SQL
//! (`type_number('brojni')`).

use serde::{Deserialize, Serialize};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, Type},
};

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, sqlx::Type)]
#[serde(try_from = "i16", into = "i16")]
#[repr(i16)]
pub enum ValueType {
    #[default]
    Choice = 1,
    Number = 2,
    Text = 3,
    Set = 4,
    Date = 5,
    Heading = 6,
    Separator = 7,
    Panel = 8,
    Image = 9,
    Tab = 11,
    Chart = 12,
    /// Ours, not the specification's, from here on.
    File = 13,
    /// A time of day.
    Time = 14,
    /// A day with a time.
    Moment = 15,
}

impl ValueType {
    pub const ALL: [Self; 14] = [
        Self::Choice,
        Self::Number,
        Self::Text,
        Self::Set,
        Self::Date,
        Self::Heading,
        Self::Separator,
        Self::Panel,
        Self::Image,
        Self::Tab,
        Self::Chart,
        Self::File,
        Self::Time,
        Self::Moment,
    ];
    /// What other fields may stand in.
    pub const HOLDERS: [Self; 3] = [Self::Panel, Self::Image, Self::Tab];

    pub fn number(self) -> i16 {
        self as i16
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Choice => "izborni",
            Self::Number => "brojni",
            Self::Text => "tekstualni",
            Self::Set => "skupovni",
            Self::Date => "datumski",
            Self::Heading => "naslov",
            Self::Separator => "separator",
            Self::Panel => "panel",
            Self::Image => "slikovni",
            Self::Tab => "tab",
            Self::Chart => "grafik",
            Self::File => "fajl",
            Self::Time => "vreme",
            Self::Moment => "datumvreme",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.name() == name)
    }

    /// Whether a field of it has a value in an entry; the others arrange the screen.
    pub fn holds_value(self) -> bool {
        matches!(self, Self::Choice | Self::Number | Self::Text | Self::Set | Self::Date | Self::File | Self::Time | Self::Moment)
    }

    pub fn holds_fields(self) -> bool {
        Self::HOLDERS.contains(&self)
    }
}

impl From<ValueType> for i16 {
    fn from(value_type: ValueType) -> Self {
        value_type.number()
    }
}

impl TryFrom<i16> for ValueType {
    type Error = String;

    fn try_from(number: i16) -> Result<Self, String> {
        Self::ALL.into_iter().find(|known| known.number() == number).ok_or_else(|| format!("there is no value type {number}"))
    }
}

impl PartialSchema for ValueType {
    fn schema() -> RefOr<Schema> {
        let meaning = Self::ALL.map(|known| format!("{} {}", known.number(), known.name())).join(", ");
        let numbers = Self::ALL.map(Self::number);
        ObjectBuilder::new().schema_type(Type::Integer).enum_values(Some(numbers)).description(Some(meaning)).into()
    }
}

impl ToSchema for ValueType {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_names_lead_back_to_their_type() {
        for known in ValueType::ALL {
            assert_eq!(ValueType::try_from(known.number()), Ok(known));
            assert_eq!(ValueType::named(known.name()), Some(known));
        }
        assert!(ValueType::try_from(10).is_err(), "the specification leaves 10 out");
        assert_eq!(ValueType::named("Brojni"), None);
    }
}
