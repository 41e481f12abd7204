//! What a report's parameter is (A 2.12), by the numbers of `report_parameter_kind`: in the database, in the API and on the screen.

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, sqlx::Type)]
#[serde(try_from = "i16", into = "i16")]
#[repr(i16)]
pub enum ParameterKind {
    Text = 1,
    Date = 2,
    /// Its value is the default that the report's configuration names.
    Hidden = 3,
    /// Chosen from what the query of its type finds.
    Set = 4,
    Number = 5,
    /// Its value is what the server knows of who asks.
    DynamicHidden = 6,
}

impl ParameterKind {
    pub const ALL: [Self; 6] = [Self::Text, Self::Date, Self::Hidden, Self::Set, Self::Number, Self::DynamicHidden];

    pub fn number(self) -> i16 {
        self as i16
    }

    /// Whether a person fills it in; the values of the others are the server's.
    pub fn is_shown(self) -> bool {
        !matches!(self, Self::Hidden | Self::DynamicHidden)
    }
}

impl From<ParameterKind> for i16 {
    fn from(kind: ParameterKind) -> Self {
        kind.number()
    }
}

impl TryFrom<i16> for ParameterKind {
    type Error = String;

    fn try_from(number: i16) -> Result<Self, String> {
        Self::ALL.into_iter().find(|known| known.number() == number).ok_or_else(|| format!("there is no kind of parameter {number}"))
    }
}
