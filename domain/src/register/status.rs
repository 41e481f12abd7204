//! What becomes of a patient in a register, and the causes that a register lets its workers choose.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::refusal::Refusal;

/// What holds of a patient in a register; a death holds in all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema, sqlx::Type)]
#[serde(rename_all = "camelCase")]
#[sqlx(type_name = "text", rename_all = "camelCase")]
pub enum PatientStatus {
    Aktivan,
    Izgubljen,
    Preminuo,
    PovukaoSaglasnost,
    Premesten,
}

impl PatientStatus {
    pub const ALL: [Self; 5] = [Self::Aktivan, Self::Izgubljen, Self::Preminuo, Self::PovukaoSaglasnost, Self::Premesten];

    /// As it is stored.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Aktivan => "aktivan",
            Self::Izgubljen => "izgubljen",
            Self::Preminuo => "preminuo",
            Self::PovukaoSaglasnost => "povukaoSaglasnost",
            Self::Premesten => "premesten",
        }
    }

    /// As people read it.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Aktivan => "aktivan",
            Self::Izgubljen => "izgubljen iz praćenja",
            Self::Preminuo => "preminuo",
            Self::PovukaoSaglasnost => "povukao saglasnost",
            Self::Premesten => "premešten",
        }
    }

    /// By which sets of data tell it.
    pub const fn code(self) -> f64 {
        match self {
            Self::Aktivan => 1.0,
            Self::Izgubljen => 2.0,
            Self::Preminuo => 3.0,
            Self::PovukaoSaglasnost => 4.0,
            Self::Premesten => 5.0,
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.name() == name)
    }
}

/// A cause that may be chosen with a status.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct StatusCause {
    pub status: PatientStatus,
    pub sifra: String,
    pub naziv: String,
}

/// The causes of a register, one a line: status, code and name, parted by semicolons.
pub fn causes(text: &str) -> Result<Vec<StatusCause>, String> {
    let mut causes: Vec<StatusCause> = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let parts: Vec<&str> = line.splitn(3, ';').map(str::trim).collect();
        let [status, sifra, naziv] = parts[..] else {
            return Err(format!("Red „{line}” nema tri dela. Napišite: status; šifra; naziv."));
        };
        let Some(status) = PatientStatus::from_name(status) else {
            let known = PatientStatus::ALL.map(PatientStatus::name).join(", ");
            return Err(format!("Status „{status}” ne postoji. Mogući su: {known}."));
        };
        if sifra.is_empty() || naziv.is_empty() {
            return Err(format!("Red „{line}” nema šifru ili naziv uzroka."));
        }
        if causes.iter().any(|cause| cause.status == status && cause.sifra == sifra) {
            return Err(format!("Šifra „{sifra}” stoji više puta za isti status."));
        }
        causes.push(StatusCause { status, sifra: sifra.to_owned(), naziv: naziv.to_owned() });
    }
    Ok(causes)
}

/// Why the causes of a register cannot be read.
pub fn bad_causes(text: Option<&str>) -> Option<Refusal> {
    let message = causes(text?).err()?;
    Some(Refusal::new("uzrociStatusa", message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cause_is_a_status_a_code_and_a_name() {
        let read = causes("preminuo; I21; Akutni infarkt; prednjeg zida\n\n izgubljen;SELI;Odselio se ").unwrap();
        let told: Vec<_> = read.iter().map(|cause| (cause.status, cause.sifra.as_str(), cause.naziv.as_str())).collect();
        assert_eq!(
            told,
            [(PatientStatus::Preminuo, "I21", "Akutni infarkt; prednjeg zida"), (PatientStatus::Izgubljen, "SELI", "Odselio se")]
        );
        for (text, part) in [
            ("preminuo I21", "nema tri dela"),
            ("umro; I21; Infarkt", "ne postoji"),
            ("preminuo; ; Infarkt", "nema šifru"),
            ("preminuo; I21; a\npreminuo; I21; b", "više puta"),
        ] {
            let refused = bad_causes(Some(text)).expect(text);
            assert!(refused.property == "uzrociStatusa" && refused.message.contains(part), "{}", refused.message);
        }
        assert!(bad_causes(None).is_none() && bad_causes(Some("")).is_none());
        for status in PatientStatus::ALL {
            assert_eq!(serde_json::to_value(status).unwrap(), status.name());
            assert_eq!(PatientStatus::from_name(status.name()), Some(status));
        }
    }
}
