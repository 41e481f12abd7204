//! Queries of first values and of options are planned before they are kept, by the server, under the role that runs them and with the
//! names that a run gives them; no row is read. Whoever writes one is told in PostgreSQL's own words, with the place.

use std::{collections::BTreeMap, time::Duration};

use accounts::auth::Actor;
use clinical::entries::initial;
use domain::report_sql::{Binds, Place, ReportDb, ReportSqlError, ResultColumn, Scope, Statement, is_readable};
use jiff::civil::Date;
use platform::{
    error::{Error, Result},
    state::AppState,
};

/// The time that the server has to plan all of them.
const PLANNING: Duration = Duration::from_secs(10);
const NOT_ASKED: &str = "Upit nije proveren: baza izveštaja trenutno ne odgovara. Pokušajte ponovo.";
const TOO_LONG: &str = "Upit nije proveren: server nije uspeo da ga isplanira u predviđenom vremenu.";

/// What is wrong with queries of first values, by their text.
#[derive(Debug, Default)]
pub struct FirstValues(BTreeMap<String, String>);

/// Whose queries they would be.
pub struct Author {
    pub radnik_id: i64,
    pub ustanova_id: Option<i64>,
    pub today: Date,
}

impl FirstValues {
    /// Asks with a connection of its own: whoever holds one meanwhile keeps it from everybody. Texts that do not scan are told elsewhere.
    pub async fn look(db: &ReportDb, author: &Author, texts: impl IntoIterator<Item = &str>) -> Result<Self> {
        let binds = initial::binds(author.radnik_id, author.ustanova_id, None, None, author.today);
        let mut found = BTreeMap::new();
        let (mut asked, mut statements) = (Vec::new(), Vec::new());
        for text in texts {
            let Ok(statement) = Statement::scan(text) else { continue };
            match unknown_bind(&statement, &binds) {
                Some(fault) => {
                    found.insert(text.to_owned(), fault);
                }
                None if !asked.contains(&text) => {
                    asked.push(text);
                    statements.push(statement);
                }
                None => {}
            }
        }
        if statements.is_empty() {
            return Ok(Self(found));
        }
        let scope = Scope { run: None, radnik_id: author.radnik_id, ustanova_id: Some(author.ustanova_id.unwrap_or_default()) };
        let planned = db.plan_each(scope, "regix-provera", PLANNING, &statements, &binds);
        let planned = match tokio::time::timeout(PLANNING + Duration::from_secs(1), planned).await {
            Ok(Ok(planned)) => planned,
            Ok(Err(error)) => {
                told(error)?;
                return Ok(Self::unknown(asked));
            }
            Err(_) => return Ok(Self::unknown(asked)),
        };
        for (text, planned) in asked.into_iter().zip(planned) {
            let fault = match planned {
                Ok(columns) => fault_of_columns(&columns, 1, "početna vrednost je jedna kolona"),
                Err(error) => Some(told(error)?),
            };
            found.extend(fault.map(|fault| (text.to_owned(), fault)));
        }
        Ok(Self(found))
    }

    pub async fn of(state: &AppState, actor: &Actor, texts: impl IntoIterator<Item = &str>) -> Result<Self> {
        let author = Author { radnik_id: actor.radnik_id, ustanova_id: actor.ustanova_id, today: state.today() };
        Self::look(&state.report_db, &author, texts).await
    }

    /// Where whoever asks must be answered, though the server is not: nothing is known of any of them.
    pub fn unknown<'t>(texts: impl IntoIterator<Item = &'t str>) -> Self {
        Self(texts.into_iter().map(|text| (text.to_owned(), NOT_ASKED.to_owned())).collect())
    }

    pub fn fault(&self, text: Option<&str>) -> Option<&str> {
        self.0.get(text?).map(String::as_str)
    }
}

/// What would have no value where the query is asked.
pub fn unknown_bind(statement: &Statement, binds: &Binds) -> Option<String> {
    let name = statement.names().iter().find(|name| !binds.contains_key(*name))?;
    let place = in_words(statement.first_use(name));
    let known: Vec<String> = binds.keys().map(|name| format!(":{name}")).collect();
    Some(format!("Upit nije ispravan: ne postoji „:{name}”{place}. Postoje {}.", known.join(", ")))
}

/// What the server says of a query, for whoever wrote it; an error where it says nothing.
pub fn told(error: ReportSqlError) -> Result<String> {
    match error {
        ReportSqlError::Passing(error) => Err(Error::from(anyhow::Error::from(error))),
        ReportSqlError::Refused(said) | ReportSqlError::NoIdentity(said) | ReportSqlError::Query(said) => {
            let place = in_words(said.place);
            let hint = said.hint_for_author().map(|hint| format!(" {hint}")).unwrap_or_default();
            Ok(format!("Upit nije ispravan: {}{place}.{hint}", said.for_author()))
        }
        error => {
            tracing::warn!(cause = %error, "the query of a designer could not be planned");
            Ok(TOO_LONG.to_owned())
        }
    }
}

fn in_words(place: Option<Place>) -> String {
    place.map(|Place { line, column }| format!(" (red {line}, kolona {column})")).unwrap_or_default()
}

/// What no reader of the rows could use: more columns than it reads, or a value that it cannot read.
pub fn fault_of_columns(columns: &[ResultColumn], most: usize, reads: &str) -> Option<String> {
    if columns.len() > most {
        let names: Vec<String> = columns.iter().map(|column| format!("„{}”", column.name)).collect();
        return Some(format!("Upit nije ispravan: {reads}, a upit vraća {}: {}.", columns.len(), names.join(", ")));
    }
    let unreadable = columns.iter().find(|column| !is_readable(&column.kind))?;
    let kind = unreadable.kind.to_lowercase();
    Some(format!("Upit nije ispravan: kolona „{}” je tipa {kind}, koji se ne čita. Pretvorite je u tekst (::text).", unreadable.name))
}
