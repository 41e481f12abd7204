//! Why a number is not there, as a sentence that stands in its place.
use statistics::Error;

use super::words::Words;
use crate::plan::Language;

/// What keeps an analysis, or one number of it, from being computed.
#[derive(Clone, Debug, PartialEq)]
pub enum Problem {
    NoColumn {
        column: String,
    },
    NotNumber {
        label: String,
        value: String,
    },
    NotEvent {
        label: String,
        value: String,
    },
    TooManyLevels {
        label: String,
        most: usize,
    },
    NotCount {
        column: String,
        value: String,
    },
    /// Nobody is in the category of reference, and there are categories that were not there when the analysis was made.
    LostReference {
        label: String,
        reference: String,
        new: Vec<String>,
    },
    Statistics(Error),
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        Problem::Statistics(error)
    }
}

impl Words {
    /// The sentence of a problem.
    pub fn problem(self, problem: &Problem) -> String {
        match (self.0, problem) {
            (Language::Serbian, Problem::NoColumn { column }) => format!("Upit ne vraća kolonu „{column}“."),
            (Language::English, Problem::NoColumn { column }) => format!("The query has no column “{column}”."),
            (Language::Serbian, Problem::NotNumber { label, value }) => format!("„{label}“ ima vrednost „{value}“, koja nije broj."),
            (Language::English, Problem::NotNumber { label, value }) => {
                format!("“{label}” has the value “{value}”, which is not a number.")
            }
            (Language::Serbian, Problem::NotEvent { label, value }) => {
                format!("„{label}“ ima vrednost „{value}“, koja nije ni da ni ne (prima se da/ne, true/false, 1/0; ili kolona:vrednost).")
            }
            (Language::English, Problem::NotEvent { label, value }) => {
                format!("“{label}” has the value “{value}”, which is neither yes nor no (da/ne, true/false, 1/0; or column:value).")
            }
            (Language::Serbian, Problem::TooManyLevels { label, most }) => {
                format!("„{label}“ ima više od {most} različitih vrednosti, pa nisu kategorije.")
            }
            (Language::English, Problem::TooManyLevels { label, most }) => {
                format!("“{label}” has more than {most} different values, so they are no categories.")
            }
            (Language::Serbian, Problem::NotCount { column, value }) => {
                format!("„{column}“ ima vrednost „{value}“, koja nije broj ljudi (ceo broj, nula ili veći).")
            }
            (Language::English, Problem::NotCount { column, value }) => {
                format!("“{column}” has the value “{value}”, which is no number of people (a whole number from zero on).")
            }
            (Language::Serbian, Problem::LostReference { label, reference, new }) => format!(
                "Ne računa se: „{label}“ nema referentnu kategoriju „{reference}“, a ima kategorije kojih nije bilo kada je analiza snimljena: {}. \
                 Otvorite analizu, izaberite referentnu kategoriju i snimite je ponovo.",
                new.join("; ")
            ),
            (Language::English, Problem::LostReference { label, reference, new }) => format!(
                "Not computed: “{label}” has no reference category “{reference}”, but categories that were not there when the analysis was saved: {}. \
                 Open the analysis, choose the reference category and save it again.",
                new.join("; ")
            ),
            (_, Problem::Statistics(error)) => self.error(error),
        }
    }

    /// The sentence of a calculation that has no answer.
    pub fn error(self, error: &Error) -> String {
        match self.0 {
            Language::Serbian => serbian(error),
            Language::English => english(error),
        }
    }
}

fn serbian(error: &Error) -> String {
    match error {
        Error::NotFinite { variable, row } => format!("„{}“ u redu {} nije konačan broj.", serbian_name(variable), row + 1),
        Error::LengthsDiffer { variable, rows, expected } => {
            format!("„{}“ ima {rows} redova, a očekuje se {expected}.", serbian_name(variable))
        }
        Error::UnknownLevel { variable, row } => format!("„{}“ u redu {} ima nepoznatu kategoriju.", serbian_name(variable), row + 1),
        Error::TooFew { variable, n, needed } => {
            format!("Ne računa se: „{}“ ima {n} vrednosti, a potrebno je najmanje {needed}.", serbian_name(variable))
        }
        Error::Constant { variable } => format!("Ne računa se: „{}“ ima svuda istu vrednost.", serbian_name(variable)),
        Error::GroupCount { variable, groups, needed } => {
            let needed = if *needed == "exactly two" { "tačno dve" } else { "najmanje dve" };
            format!("Ne računa se: „{}“ ima {groups} grupa sa vrednostima, a potrebne su {needed}.", serbian_name(variable))
        }
        Error::EmptyLevel { variable, level } => {
            format!("Ne računa se: u kategoriji „{level}“ („{}“) nema nijednog reda.", serbian_name(variable))
        }
        Error::EventWithoutTime { variable, row } => {
            format!("Ne računa se: red {} ima događaj, a nema vreme („{}“).", row + 1, serbian_name(variable))
        }
        Error::NegativeTime { variable, row } => {
            format!("Ne računa se: vreme u redu {} je negativno („{}“).", row + 1, serbian_name(variable))
        }
        Error::EntryAfterExit { variable, row } => {
            format!("Ne računa se: praćenje u redu {} počinje kada se i završava, ili posle toga („{}“).", row + 1, serbian_name(variable))
        }
        Error::NoEvents { variable } => format!("Ne računa se: niko nije imao događaj („{}“), svi su cenzurisani.", serbian_name(variable)),
        Error::BeyondFollowUp { time, .. } => format!("Praćenje se završava pre vremena {}.", domain::shown::number(*time)),
        Error::ZeroCell { measure } => format!("Ne računa se: zbog nule u tabeli nije određeno: {}.", serbian_measure(measure)),
        Error::OutOfRange { variable, .. } => format!("Ne računa se: „{}“ je van dozvoljenih vrednosti.", serbian_name(variable)),
        Error::TooMuchWork { measure } => format!("Ne računa se: tabela je prevelika za {}.", serbian_measure(measure)),
        Error::Collinear { covariate } => format!("Ne računa se: „{}“ sledi iz ostalih prediktora.", serbian_name(covariate)),
        Error::NotConverged { iterations } => format!("Ne računa se: model nije konvergirao posle {iterations} koraka."),
    }
}

fn english(error: &Error) -> String {
    match error {
        Error::EventWithoutTime { variable, row } => format!("Not computed: row {} has an event without a time ({variable}).", row + 1),
        Error::NegativeTime { variable, row } => format!("Not computed: the time of row {} is negative ({variable}).", row + 1),
        Error::EntryAfterExit { variable, row } => {
            format!("Not computed: row {} enters at or after the end of its follow-up ({variable}).", row + 1)
        }
        Error::NoEvents { variable } => format!("Not computed: nobody had the event ({variable}), all are censored."),
        Error::NotFinite { variable, row } => format!("Not computed: row {} of {variable} is not a finite number.", row + 1),
        Error::UnknownLevel { variable, row } => format!("Not computed: row {} of {variable} has an unknown category.", row + 1),
        error => format!("Not computed: {error}."),
    }
}

/// The names of what the calculations call their own.
fn serbian_name(variable: &str) -> &str {
    match variable {
        "rows" | "groups" => "redovi tabele",
        "columns" => "kolone tabele",
        "complete rows" => "potpuni redovi",
        "covariates" => "prediktori",
        "person-time" => "vreme praćenja",
        "level" => "nivo poverenja",
        "time" => "vreme",
        name => name,
    }
}

fn serbian_measure(measure: &str) -> &str {
    match measure {
        "the odds ratio" => "odnos šansi",
        "the risk ratio" => "odnos rizika",
        "the rate ratio" => "odnos stopa",
        "the likelihood ratio" => "odnos verodostojnosti",
        "McNemar's test" => "MekNemarov test",
        "Fisher's exact test" => "Fišerov egzaktni test",
        "Dobson's interval" => "Dobsonov interval",
        measure => measure,
    }
}
