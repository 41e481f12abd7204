//! What a mailed report says of itself and what its files are called: texts of the installation, with placeholders.

use std::fmt::Write;

use jiff::Timestamp;
use sqlx::PgExecutor;

use crate::{
    file_name::{slug, told_apart},
    parameters::{self, APPLICATION, FILE_NAME, OPENING, Parameters, SUBJECT, Text},
    period::Period,
    text::in_one_line,
};

/// Letters of a subject and of a file's name, as they are typed.
const LONGEST_LINE: usize = 200;
const LONGEST_TEXT: usize = 2000;
/// Letters of one value in a file's name, so that what follows it has its place.
const LONGEST_IN_FILE_NAME: usize = 90;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Placeholder {
    Izvestaj,
    Period,
    Ustanova,
    Posiljalac,
    Aplikacija,
    Vrsta,
}

const PLACEHOLDERS: [(&str, Placeholder); 6] = [
    ("izvestaj", Placeholder::Izvestaj),
    ("period", Placeholder::Period),
    ("ustanova", Placeholder::Ustanova),
    ("posiljalac", Placeholder::Posiljalac),
    ("aplikacija", Placeholder::Aplikacija),
    ("vrsta", Placeholder::Vrsta),
];

/// What is wrong with the text of a parameter, as it is told to who saves it. Other parameters are never wrong.
pub fn refusal(naziv: &str, value: &str) -> Option<String> {
    let (what, longest) = match naziv {
        _ if naziv == SUBJECT.naziv => ("Naslov poruke", LONGEST_LINE),
        _ if naziv == OPENING.naziv => ("Tekst poruke", LONGEST_TEXT),
        _ if naziv == FILE_NAME.naziv => ("Ime fajla", LONGEST_LINE),
        _ => return None,
    };
    if naziv != OPENING.naziv && value.chars().any(char::is_control) {
        return Some(format!("{what} mora biti u jednom redu."));
    }
    if value.chars().count() > longest {
        return Some(format!("{what} može imati najviše {longest} znakova."));
    }
    match Template::parse(value).err()? {
        Wrong::Unknown(name) => {
            let name: String = name.chars().take(40).collect();
            let known: Vec<String> = PLACEHOLDERS.iter().map(|(name, _)| format!("{{{name}}}")).collect();
            Some(format!("Oznaka „{{{name}}}” ne postoji. Možete upotrebiti: {}.", known.join(", ")))
        }
        Wrong::Brace => Some("Vitičaste zagrade stoje samo oko oznake, na primer {izvestaj}.".to_owned()),
    }
}

/// The installation's texts.
#[derive(Debug)]
pub struct Wording {
    subject: Template,
    text: Template,
    file_name: Template,
    aplikacija: String,
}

/// The run that is spoken of.
pub struct About<'a> {
    pub izvestaj: &'a str,
    pub period: Option<Period>,
    pub ustanova: &'a str,
    pub posiljalac: &'a str,
    pub zakazan: bool,
    /// When its files were made.
    pub made: Option<Timestamp>,
}

impl Default for Wording {
    fn default() -> Self {
        Self::of_saved(&Parameters::default())
    }
}

impl Wording {
    pub async fn load(db: impl PgExecutor<'_>) -> sqlx::Result<Self> {
        Ok(Self::of_saved(&parameters::load(db).await?))
    }

    /// What the installation is called.
    pub fn aplikacija(&self) -> &str {
        &self.aplikacija
    }

    /// A text that could not have been saved by the screen says what it says by default.
    fn of_saved(saved: &Parameters) -> Self {
        let of = |text: &Text| {
            let value = saved.text(text);
            Template::parse(if refusal(text.naziv, value).is_none() { value } else { text.unsaved }).unwrap_or_default()
        };
        Self { subject: of(&SUBJECT), text: of(&OPENING), file_name: of(&FILE_NAME), aplikacija: saved.text(&APPLICATION).to_owned() }
    }

    /// In one line, and never blank.
    pub fn subject(&self, about: &About) -> String {
        let value = |placeholder| self.value(about, placeholder);
        let subject = Some(self.subject.render(value)).filter(|subject| !subject.is_empty());
        let subject = subject.unwrap_or_else(|| Self::default().subject.render(value));
        in_one_line(&subject).chars().take(LONGEST_LINE).collect()
    }

    /// What the mail begins with, line by line.
    pub fn text(&self, about: &About) -> Vec<String> {
        self.text.render(|placeholder| self.value(about, placeholder)).lines().map(str::to_owned).collect()
    }

    /// Without its extension. It names the period as files are sorted, and where there is none, when it was made.
    pub fn file_name(&self, about: &About) -> String {
        slug(&self.file_name.render(|placeholder| {
            let value = match placeholder {
                Placeholder::Period => told_apart(about.period, about.made),
                other => self.value(about, other),
            };
            value.chars().take(LONGEST_IN_FILE_NAME).collect()
        }))
    }

    fn value(&self, about: &About, placeholder: Placeholder) -> String {
        match placeholder {
            Placeholder::Izvestaj => in_one_line(about.izvestaj),
            Placeholder::Period => about.period.map(Period::words).unwrap_or_default(),
            Placeholder::Ustanova => in_one_line(about.ustanova),
            Placeholder::Posiljalac => in_one_line(about.posiljalac),
            Placeholder::Aplikacija => in_one_line(&self.aplikacija),
            Placeholder::Vrsta => if about.zakazan { "Zakazani izveštaj" } else { "Izveštaj" }.to_owned(),
        }
    }
}

/// Words and placeholders in their order.
#[derive(Default)]
struct Template(Vec<Part>);

enum Part {
    Words(String),
    Value(Placeholder),
}

enum Wrong<'a> {
    Unknown(&'a str),
    Brace,
}

impl Template {
    fn parse(text: &str) -> Result<Self, Wrong<'_>> {
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some(at) = rest.find(['{', '}']) {
            let (words, placeholder) = rest.split_at(at);
            let (name, after) = placeholder.strip_prefix('{').and_then(|inner| inner.split_once('}')).ok_or(Wrong::Brace)?;
            if name.contains('{') {
                return Err(Wrong::Brace);
            }
            let (_, known) = PLACEHOLDERS.iter().find(|(known, _)| *known == name).ok_or(Wrong::Unknown(name))?;
            parts.extend([Part::Words(words.to_owned()), Part::Value(*known)]);
            rest = after;
        }
        parts.push(Part::Words(rest.to_owned()));
        Ok(Self(parts))
    }

    /// A value is written as it is: what looks like a placeholder in it is none. `NOTHING` marks where there was no value.
    fn render(&self, value: impl Fn(Placeholder) -> String) -> String {
        let mut whole = String::new();
        for part in &self.0 {
            match part {
                Part::Words(words) => {
                    let words = words.replace([NOTHING, '\r'], "");
                    // A period ends with a dot, and so may the sentence.
                    whole.push_str(if whole.ends_with('.') { words.strip_prefix('.').unwrap_or(&words) } else { &words });
                }
                Part::Value(placeholder) => match value(*placeholder).trim() {
                    "" => whole.push(NOTHING),
                    value => whole.push_str(value),
                },
            }
        }
        tidy(&without_nothing(whole))
    }
}

impl std::fmt::Debug for Template {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|part| match part {
            Part::Words(words) => to.write_str(words),
            Part::Value(placeholder) => {
                let name = PLACEHOLDERS.iter().find(|(_, known)| known == placeholder).map_or("", |(name, _)| name);
                to.write_char('{').and_then(|()| to.write_str(name)).and_then(|()| to.write_char('}'))
            }
        })
    }
}

const NOTHING: char = '\0';

/// Takes out the marks of missing values with what stood between them and their neighbours, so that no dash or comma is left hanging.
fn without_nothing(mut text: String) -> String {
    while let Some((before, after)) = text.split_once(NOTHING) {
        let (mut before, mut after) = (before, after);
        while let Some(inside) = in_brackets(before, after) {
            (before, after) = inside;
        }
        let (head, tail) = (before.trim_end_matches(is_separator), after.trim_start_matches(is_separator));
        let (left, right) = (&before[head.len()..], &after[..after.len() - tail.len()]);
        let at_an_edge = head.is_empty() || head.ends_with('\n') || tail.is_empty() || tail.starts_with('\n');
        let says = |between: &str| !between.trim().is_empty();
        let between = match () {
            () if at_an_edge || right.is_empty() && tail.starts_with(['.', '!', '?', ')', ']', '”']) => "",
            () if says(left) || !says(right) && !left.is_empty() => left,
            () => right,
        };
        text = format!("{head}{between}{tail}");
    }
    text
}

/// What is around a pair of brackets or quotes with nothing in it.
fn in_brackets<'a>(before: &'a str, after: &'a str) -> Option<(&'a str, &'a str)> {
    let (before, after) = (before.trim_end_matches(' '), after.trim_start_matches(' '));
    [('(', ')'), ('[', ']'), ('„', '”'), ('"', '"')]
        .into_iter()
        .find_map(|(open, close)| before.strip_suffix(open).zip(after.strip_prefix(close)))
}

fn is_separator(letter: char) -> bool {
    " \t-–—,;:|/·•".contains(letter)
}

/// Single spaces, no blanks at the ends of lines, and no two empty lines together.
fn tidy(text: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines().map(in_one_line) {
        if !line.is_empty() || lines.last().is_some_and(|last| !last.is_empty()) {
            lines.push(line);
        }
    }
    lines.join("\n").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const SUBJECT: &str = parameters::SUBJECT.naziv;
    const TEXT: &str = parameters::OPENING.naziv;
    const FILE_NAME: &str = parameters::FILE_NAME.naziv;

    fn saved(naziv: &str, value: &str) -> Wording {
        Wording::of_saved(&[(naziv.to_owned(), value.to_owned())].into_iter().collect())
    }

    fn october() -> Option<Period> {
        Period::of_values(&json!({ "od": "2026-10-01", "do": "2026-10-31" }))
    }

    fn about(period: Option<Period>) -> About<'static> {
        About {
            izvestaj: "Ishod po polu",
            period,
            ustanova: "Klinički centar",
            posiljalac: "Željka Đurić",
            zakazan: false,
            made: "2026-11-20T13:05:00Z".parse().ok(),
        }
    }

    fn wording(naziv: &str, value: &str) -> Wording {
        assert_eq!(refusal(naziv, value), None, "{value}");
        saved(naziv, value)
    }

    #[test]
    fn nothing_saved_says_what_was_always_said() {
        let wording = Wording::default();
        assert_eq!(wording.subject(&about(october())), "Regix: Ishod po polu – oktobar 2026.");
        assert_eq!(wording.subject(&about(None)), "Regix: Ishod po polu");
        assert_eq!(wording.text(&about(None)), ["Izveštaj „Ishod po polu” je spreman."]);
        let scheduled = About { zakazan: true, ..about(None) };
        assert_eq!(wording.text(&scheduled), ["Zakazani izveštaj „Ishod po polu” je spreman."]);
        assert_eq!(wording.file_name(&about(october())), "ishod-po-polu-2026-10");
        assert_eq!(wording.file_name(&about(None)), "ishod-po-polu-2026-11-20-14-05");
        assert_eq!(saved("nazivAplikacije", "eRegistri").subject(&about(None)), "eRegistri: Ishod po polu");
    }

    #[test]
    fn a_missing_value_takes_its_separators_along() {
        for (template, without, with) in [
            ("{izvestaj} – {period} – {ustanova}", "Ishod po polu – Klinički centar", "Ishod po polu – oktobar 2026. – Klinički centar"),
            ("{period}: {izvestaj}", "Ishod po polu", "oktobar 2026.: Ishod po polu"),
            ("{izvestaj} ({period})", "Ishod po polu", "Ishod po polu (oktobar 2026.)"),
            (
                "{izvestaj} ( „{period}” ), {ustanova}",
                "Ishod po polu, Klinički centar",
                "Ishod po polu ( „oktobar 2026.” ), Klinički centar",
            ),
            ("{izvestaj} {period}, {ustanova}", "Ishod po polu, Klinički centar", "Ishod po polu oktobar 2026., Klinički centar"),
            ("{izvestaj}, {period}. Hvala", "Ishod po polu. Hvala", "Ishod po polu, oktobar 2026. Hvala"),
            ("{izvestaj} {period} stiže", "Ishod po polu stiže", "Ishod po polu oktobar 2026. stiže"),
            ("{izvestaj} - {period}{period} / {period}", "Ishod po polu", "Ishod po polu - oktobar 2026.oktobar 2026. / oktobar 2026."),
            ("{ustanova}  —  {izvestaj}", "Klinički centar — Ishod po polu", "Klinički centar — Ishod po polu"),
        ] {
            let wording = wording(SUBJECT, template);
            assert_eq!(wording.subject(&about(None)), without, "{template}");
            assert_eq!(wording.subject(&about(october())), with, "{template}");
        }
        assert_eq!(wording(SUBJECT, "{period} – {period}").subject(&about(None)), "Regix: Ishod po polu", "a subject is never blank");
        assert_eq!(wording(FILE_NAME, "{ustanova}_{izvestaj}").file_name(&about(october())), "klinicki-centar_ishod-po-polu");
    }

    #[test]
    fn a_text_keeps_its_lines() {
        let wording = wording(TEXT, "Poštovani,\r\n\r\n{period}\n\n\nstiže „{izvestaj}” – {period}\nSrdačno, {posiljalac}");
        let without = ["Poštovani,", "", "stiže „Ishod po polu”", "Srdačno, Željka Đurić"];
        assert_eq!(wording.text(&about(None)), without);
        assert_eq!(wording.text(&about(october()))[2..5], ["oktobar 2026.", "", "stiže „Ishod po polu” – oktobar 2026."]);
    }

    #[test]
    fn a_value_brings_no_line_no_placeholder_and_no_endless_name() {
        let long = "ž".repeat(500);
        for odd in ["Ishod\r\nBcc: x@y.rs", "Ishod\u{2028}Bcc: x@y.rs", "Ishod {period}\0", &long] {
            let about = About { izvestaj: odd, ..about(october()) };
            let wording = wording(SUBJECT, "{izvestaj} / {period}");
            let subject = wording.subject(&about);
            assert!(!subject.contains(['\r', '\n', '\0', '\u{2028}']) && subject.chars().count() <= LONGEST_LINE, "{subject:?}");
            assert!(!subject.contains("Ishod oktobar"), "{subject}");
            let name = wording.file_name(&about);
            assert!(name.ends_with("-2026-10") && name.len() <= 200, "{name}");
        }
    }

    #[test]
    fn what_nobody_can_fill_in_is_refused_by_its_name() {
        let known = "Možete upotrebiti: {izvestaj}, {period}, {ustanova}, {posiljalac}, {aplikacija}, {vrsta}.";
        for naziv in [SUBJECT, TEXT, FILE_NAME] {
            for name in ["datum", "", " izvestaj ", "Izvestaj"] {
                assert_eq!(refusal(naziv, &format!("x {{{name}}}")), Some(format!("Oznaka „{{{name}}}” ne postoji. {known}")));
            }
            for text in ["{izvestaj", "izvestaj}", "{{izvestaj}}", "{", "} {izvestaj}"] {
                assert_eq!(
                    refusal(naziv, text).as_deref(),
                    Some("Vitičaste zagrade stoje samo oko oznake, na primer {izvestaj}."),
                    "{text}"
                );
            }
        }
        assert_eq!(refusal("nazivAplikacije", "{datum}"), None);
    }

    #[test]
    fn a_subject_and_a_name_are_one_line_of_bounded_length() {
        for (naziv, what) in [(SUBJECT, "Naslov poruke"), (FILE_NAME, "Ime fajla")] {
            assert_eq!(refusal(naziv, "a\nb"), Some(format!("{what} mora biti u jednom redu.")));
            assert_eq!(refusal(naziv, &"š".repeat(200)), None);
            assert_eq!(refusal(naziv, &"š".repeat(201)), Some(format!("{what} može imati najviše 200 znakova.")));
        }
        assert_eq!(refusal(TEXT, "a\nb"), None);
        assert_eq!(refusal(TEXT, &"š".repeat(2001)).as_deref(), Some("Tekst poruke može imati najviše 2000 znakova."));
    }

    #[test]
    fn a_stored_text_that_cannot_be_read_counts_as_none() {
        for value in ["", " ", "{datum}", "a\nBcc: x@y.rs"] {
            let wording = saved(SUBJECT, value);
            assert_eq!(wording.subject(&about(None)), "Regix: Ishod po polu", "{value:?}");
        }
    }
}
