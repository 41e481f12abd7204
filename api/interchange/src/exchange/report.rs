//! What an import tells before anything is stored, and after it.

use configuration::admin::form_draft::wording::Rename;
use platform::error::Impact;
use serde::Serialize;
use utoipa::ToSchema;

use super::{difference::Change, proof::Proof};

/// What the files of other systems have, and forms here do not.
pub const CODE_TWICE: &str = "opcija sa tom šifrom stoji više puta";
pub const READ_ONLY: &str = "polje samo za čitanje ovde se unosi";
pub const ROWS_IN_ROWS: &str = "ponavljanje u ponavljanju se ne prenosi, ni ono što je u njemu";
pub const NO_FIRST_VALUE: &str = "početna vrednost nije preneta";

/// Something said of a place in the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = ImportNote)]
pub struct Note {
    /// A line, a row with its column, or the path of a thing.
    pub mesto: String,
    pub poruka: String,
    /// What stands in the file.
    pub izvorno: Option<String>,
}

impl Note {
    pub fn new(place: impl Into<String>, message: impl Into<String>) -> Self {
        Self { mesto: place.into(), poruka: message.into(), izvorno: None }
    }

    pub fn of(place: impl Into<String>, message: impl Into<String>, original: impl Into<String>) -> Self {
        Self { izvorno: Some(original.into()), ..Self::new(place, message) }
    }

    /// Of a question of a kind that is not carried over.
    pub fn unknown_kind(place: impl Into<String>, kind: &str, question: impl Into<String>) -> Self {
        Self::of(place, format!("vrsta „{kind}” se ne prenosi"), question)
    }

    /// A defect as `place: what is wrong`.
    pub fn defect(text: &str) -> Self {
        match text.split_once(": ") {
            Some((place, message)) => Self::new(place, message),
            None => Self::new("", text),
        }
    }
}

#[derive(Debug, Default, Serialize, ToSchema)]
#[schema(as = ImportReport)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Sent with the confirmation: of another file, or once somebody has configured the register meanwhile, it is another one.
    pub otisak: String,
    /// While there are any nothing is stored.
    pub greske: Vec<Note>,
    /// What the file has and a form here cannot have.
    pub nemapirano: Vec<Note>,
    /// What is stored otherwise than one may expect.
    pub upozorenja: Vec<Note>,
    /// Expressions of the source that were tried beside their translation.
    pub dokaz: Proof,
    pub izmene: Vec<Change>,
    /// Items and units that the file writes otherwise: whoever confirms says what they mean.
    pub preimenovano: Vec<Rename>,
    /// What is there and not in the file: it stays.
    pub ostaje: Vec<String>,
    /// Stored results that become others: the confirmation names their number.
    pub uticaj: Impact,
    /// The form that the file speaks of alone, where it may become a draft of that form instead.
    pub formular_nacrta: Option<i64>,
}

/// The form whose draft was made.
#[derive(Debug, Serialize, ToSchema)]
pub struct DraftOfFile {
    pub formular: i64,
}

/// What was stored.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportedDefinition {
    #[serde(rename = "registarID")]
    pub registar_id: i64,
    /// Ids of the file's forms.
    pub formulari: Vec<i64>,
}
