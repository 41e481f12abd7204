//! Notes under a table of statistics: what each test was, who is missing, which groups are small.
use super::columns::Levels;
use super::words::Words;
use crate::plan::Language;
use crate::plan::analysis::FollowUpColumns;

/// Groups of fewer rows are warned of.
const SMALL: usize = 10;

/// Letters by which cells point to notes, each note once.
#[derive(Default)]
pub struct Footnotes(Vec<String>);

impl Footnotes {
    /// The letter of a note: `a`, `b`, after `z` `aa`.
    pub fn letter(&mut self, note: &str) -> String {
        let place = self.0.iter().position(|known| known == note).unwrap_or_else(|| {
            self.0.push(note.to_owned());
            self.0.len() - 1
        });
        letter(place)
    }

    pub fn lines(&self) -> impl Iterator<Item = String> {
        self.0.iter().enumerate().map(|(place, note)| format!("{} – {note}", letter(place)))
    }
}

fn letter(place: usize) -> String {
    let last = char::from(b'a' + (place % 26) as u8);
    if place < 26 { last.to_string() } else { format!("{}{last}", letter(place / 26 - 1)) }
}

impl Words {
    /// A sentence for each small group.
    pub fn small_groups<'a>(self, groups: impl Iterator<Item = (&'a str, usize)>) -> Vec<String> {
        let small = groups.filter(|(_, n)| *n > 0 && *n < SMALL);
        small
            .map(|(name, n)| match self.0 {
                Language::Serbian => format!("Upozorenje: grupa „{name}“ ima samo {n} (manje od {SMALL}); njeni brojevi su nepouzdani."),
                Language::English => format!("Warning: the group “{name}” has only {n} (fewer than {SMALL}); its numbers are unreliable."),
            })
            .collect()
    }

    pub fn small_levels(self, levels: &Levels) -> Vec<String> {
        self.small_groups(levels.names.iter().map(String::as_str).zip(levels.counts()))
    }

    /// Categories that were not there when the analysis was saved.
    pub fn new_categories(self, label: &str, new: &[String]) -> Option<String> {
        (!new.is_empty()).then(|| match self.0 {
            Language::Serbian => {
                format!("Upozorenje: „{label}“ ima kategorije kojih nije bilo kada je analiza snimljena: {}.", new.join("; "))
            }
            Language::English => {
                format!("Warning: “{label}” has categories that were not there when the analysis was saved: {}.", new.join("; "))
            }
        })
    }

    /// Rows that are left out for a missing value.
    pub fn left_out(self, missing: usize, of_what: &str) -> Option<String> {
        (missing > 0).then(|| match self.0 {
            Language::Serbian => format!("Izostavljeno zbog nedostajućih podataka ({of_what}): {missing}."),
            Language::English => format!("Left out for missing data ({of_what}): {missing}."),
        })
    }

    /// The day up to which everybody was followed; a day ends with a full stop of its own.
    pub fn censored_on(self, follow_up: &FollowUpColumns) -> Option<String> {
        let day = follow_up.censored_on.as_ref()?;
        let stop = if day.ends_with('.') { "" } else { "." };
        Some(format!("{}: {day}{stop}", self.of("Dan cenzurisanja", "Censoring day")))
    }

    pub fn not_adjusted(self) -> String {
        self.of(
            "p vrednosti su dvostrane i nisu korigovane za višestruko testiranje.",
            "p-values are two-sided and not adjusted for multiple testing.",
        )
        .to_owned()
    }
}
