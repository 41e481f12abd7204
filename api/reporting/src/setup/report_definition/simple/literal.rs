//! Texts, numbers and dates as they stand in a query that is made here, and texts as they stand in its template. What somebody typed gets
//! into either through this file only.

use domain::clock;
use jiff::civil::{Date, DateTime, Time};

/// A text of SQL, as `quote_literal` writes it: whatever the server is set to, it ends where it ends.
pub fn text(text: &str) -> String {
    let quoted = text.replace('\'', "''");
    // Without a space the E would lengthen a word that stands before it.
    if text.contains('\\') { format!(" E'{}'", quoted.replace('\\', "\\\\")) } else { format!("'{quoted}'") }
}

/// A number of SQL; none where it is none.
pub fn number(number: f64) -> Option<String> {
    number.is_finite().then(|| format!("'{number}'::numeric"))
}

/// A date of SQL; none where it is beyond what people mean.
pub fn date(date: Date) -> Option<String> {
    (1..=9999).contains(&date.year()).then(|| format!("'{date}'::date"))
}

/// A time of day of SQL.
pub fn time(time: Time) -> String {
    format!("'{}'::time", clock::time_stored(time))
}

/// A day with a time of SQL, of the years that people mean.
pub fn moment(at: DateTime) -> String {
    format!("'{}'::timestamp", clock::moment_stored(at))
}

/// A text in quotes as a parameter of a template's declaration.
pub fn string(text: &str) -> String {
    let quoted = serde_json::Value::from(text).to_string();
    let mut written = String::with_capacity(quoted.len());
    for letter in quoted.chars() {
        // The reader of templates counts brackets, and needs none of these to be seen as such.
        match letter {
            '{' | '}' | '(' | ')' | '[' | ']' if letter == '{' || letter == '}' || !is_balanced(text) => {
                written.push_str(&format!("\\u{:04x}", letter as u32));
            }
            _ => written.push(letter),
        }
    }
    written
}

fn is_balanced(text: &str) -> bool {
    [('(', ')'), ('[', ']')].iter().all(|(opens, closes)| {
        let mut depth = 0_i32;
        text.chars().all(|letter| {
            depth += i32::from(letter == *opens) - i32::from(letter == *closes);
            depth >= 0
        }) && depth == 0
    })
}

#[cfg(test)]
mod tests {
    use domain::report_sql::Statement;
    use proptest::prelude::*;
    use report_template::plan::Format;

    use super::*;
    use crate::setup::report_definition::check::trial_context;

    #[test]
    fn a_text_ends_where_it_ends() {
        assert_eq!(text("O'Hara"), "'O''Hara'");
        assert_eq!(text("\\'; drop table patient; --"), " E'\\\\''; drop table patient; --'");
        assert_eq!(text("$$ :od"), "'$$ :od'");
    }

    #[test]
    fn what_is_no_number_or_no_date_is_none() {
        assert_eq!(number(-5.4).as_deref(), Some("'-5.4'::numeric"));
        assert_eq!(number(1e21).as_deref(), Some("'1000000000000000000000'::numeric"));
        assert_eq!((number(f64::NAN), number(f64::INFINITY)), (None, None));
        assert_eq!(date(jiff::civil::date(2026, 3, 5)).as_deref(), Some("'2026-03-05'::date"));
        assert_eq!(date(jiff::civil::date(-44, 3, 15)), None);
    }

    #[test]
    fn a_string_of_a_template_holds_no_braces() {
        assert_eq!(string("Kreatinin (µmol/L)"), "\"Kreatinin (µmol/L)\"");
        assert_eq!(string("a \"b\" \\ {{c}}"), "\"a \\\"b\\\" \\\\ \\u007b\\u007bc\\u007d\\u007d\"");
        assert_eq!(string("a) b"), "\"a\\u0029 b\"");
    }

    proptest! {
        /// The scanner of statements, which is as strict as the server, finds one text and no bind in it.
        #[test]
        fn no_text_gets_out_of_its_quotes(typed in "[a-z0-9 '\"$\\\\:;/*\\-{}=+@\n]{0,40}") {
            let source = format!("select {} as a", text(&typed));
            let statement = Statement::scan(&source).expect("one statement");
            prop_assert_eq!(statement.sql(), &source);
            prop_assert!(statement.names().is_empty());
        }

        #[test]
        fn a_template_reads_the_string_that_was_meant(typed in "[a-zč0-9 '\"\\\\{}()\\[\\]=+@&<>\n]{0,40}") {
            let source = format!("{{{{#report}}}}{{{{title {}}}}}{{{{col \"a\"}}}}{{{{/report}}}}", string(&typed));
            let template = report_template::template::ReportTemplate::parse(&source).expect("a template");
            let plan = template.plan(&trial_context(String::new(), Format::Csv)).expect("a plan");
            prop_assert_eq!(plan.heading.naslov, typed);
        }
    }
}
