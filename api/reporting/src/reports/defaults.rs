//! The value that a report's parameter offers at first, checked where it is configured: what no worker could send would fail at each of
//! her orders.

use domain::{
    relative_day::RelativeDay,
    report_sql::ParameterKind,
    typed::{NumberReading, typed_number},
    years::{YEARS_OF_LIFE, outside},
};

use super::values::{self, parse_date};

fn is_meant(day: &str) -> bool {
    parse_date(day).is_some_and(|day| outside(&YEARS_OF_LIFE, day).is_none())
}

/// Why a parameter of this kind cannot have the default; none where it can. What a set offers is known only to its query, and only for
/// the worker who asks.
pub fn fault(kind: ParameterKind, podrazumevano: &str) -> Option<String> {
    match kind {
        ParameterKind::Date if RelativeDay::named(podrazumevano).is_none() && !is_meant(podrazumevano) => Some(format!(
            "Podrazumevana vrednost datuma mora biti datum (na primer 2026-01-31) ili jedna od reči: {}.",
            RelativeDay::ALL.map(RelativeDay::word).join(", ")
        )),
        ParameterKind::Number if !matches!(typed_number(podrazumevano), NumberReading::Number(_)) => {
            Some("Podrazumevana vrednost numeričkog parametra mora biti broj.".to_owned())
        }
        ParameterKind::Text => {
            values::fault_of_text(podrazumevano).map(|why| format!("Podrazumevana vrednost tekstualnog parametra {why}"))
        }
        _ => None,
    }
}
