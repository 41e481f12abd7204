//! The list as tables: of one look, for whoever runs `api check`, and as such, for the documents.

use std::fmt::Write;

use super::{Finding, Precondition, State, Weight};

/// What was found, a line each, with what to do below those that are not met.
pub fn checked(findings: &[Finding]) -> String {
    let mut text = String::new();
    for finding in findings {
        let (mark, seen) = match &finding.state {
            State::Good(seen) => ("ok", seen.as_str()),
            State::Doubtful(seen) => ("warning", seen.as_str()),
            State::Away(seen) => ("AWAY", seen.as_str()),
            State::Wrong(seen) => ("WRONG", seen.as_str()),
            State::Unasked => ("-", "not asked"),
        };
        let (name, setting) = (finding.precondition.name(), finding.precondition.setting());
        let place = if finding.place.is_empty() { setting.to_owned() } else { format!("{setting} ({})", finding.place) };
        // A text takes whatever is written to it.
        let _ = writeln!(text, "{mark:<8} {name}\n         {place}: {seen}");
        if !matches!(finding.state, State::Good(_) | State::Unasked) {
            let _ = writeln!(text, "         → {}", finding.precondition.remedy());
        }
    }
    text
}

/// The list in Markdown, as `docs/running.md` has it.
pub fn described() -> String {
    let mut text = String::from("| must be so | setting | where it is not | what to do |\n|---|---|---|---|\n");
    for precondition in Precondition::ALL {
        let setting = precondition.setting().split(" or ").map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" or ");
        let consequence = match precondition.weight() {
            Weight::Vital => "no program starts; a running api is not ready",
            Weight::Needed => "told; one that is there and refuses keeps programs from starting",
            Weight::Told => "told",
        };
        let _ = writeln!(text, "| {} | {setting} | {consequence} | {} |", precondition.name(), precondition.remedy());
    }
    text
}
