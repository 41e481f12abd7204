//! Where a configured thing is used, each place in words: "formular „Pregled” ima 412 unosa". Nothing is deleted that has any.

pub mod attribute_type;
pub mod enum_item;
pub mod form;
pub mod form_field;
pub mod institution;
pub mod register;

use std::path::Path;

use domain::text::number_of;
use platform::error::Result;
use sqlx::PgConnection;

/// As many are named; the rest are counted.
const NAMED: usize = 5;

/// Nobody sees them, and they may be brought back as long as what they belong to is there.
const DELETED_ENTRIES: [&str; 3] = ["obrisan unos", "obrisana unosa", "obrisanih unosa"];
const DELETED_PATIENTS: [&str; 3] = ["obrisanog pacijenta", "obrisana pacijenta", "obrisanih pacijenata"];

pub const SCHEDULES: [&str; 3] = ["zakazan izveštaj", "zakazana izveštaja", "zakazanih izveštaja"];

/// Gathers the places.
#[derive(Default)]
pub struct Places(Vec<String>);

impl Places {
    /// What there are so many of, in the words for one, two and five; nothing where there is none.
    pub fn counted(mut self, before: &str, count: i64, words: [&str; 3]) -> Self {
        if count > 0 {
            self.0.push(format!("{before}{}", number_of(count, words)));
        }
        self
    }

    /// Where there is something that is not named.
    pub fn noted(mut self, there_is: bool, what: &str) -> Self {
        if there_is {
            self.0.push(what.to_owned());
        }
        self
    }

    /// Things by name, after what they do.
    pub fn named(mut self, before: &str, names: &[String]) -> Self {
        if !names.is_empty() {
            let shown = names.iter().take(NAMED).map(|name| format!("„{name}”")).collect::<Vec<_>>().join(", ");
            let rest = if names.len() > NAMED { format!(" i još {}", names.len() - NAMED) } else { String::new() };
            self.0.push(format!("{before}{shown}{rest}"));
        }
        self
    }

    pub fn all(self) -> Vec<String> {
        self.0
    }
}

/// Names of reports whose query reads a thing of this code.
pub async fn reports_reading(db: &mut PgConnection, templates: &Path, code: Option<&str>) -> Result<Vec<String>> {
    let Some(code) = code.filter(|code| !code.is_empty()) else { return Ok(Vec::new()) };
    Ok(naming(report_queries(db, templates).await?, code))
}

/// Queries of initial values and of report parameters that name the code.
pub async fn queries_reading(db: &mut PgConnection, code: Option<&str>) -> Result<Vec<String>> {
    let Some(code) = code.filter(|code| !code.is_empty()) else { return Ok(Vec::new()) };
    Ok(naming(other_queries(db).await?, code))
}

fn naming(queries: Vec<(String, String)>, code: &str) -> Vec<String> {
    queries.into_iter().filter(|(_, sql)| names(sql, code)).map(|(name, _)| name).collect()
}

/// Whether a query names the code, as a text of SQL.
pub fn names(sql: &str, code: &str) -> bool {
    sql.contains(&format!("'{}'", code.replace('\'', "''")))
}

/// Whether a query reads the field by its id, as those of chosen reports do (`report_definition/simple/query.rs`).
pub fn reads_field(sql: &str, field: i64) -> bool {
    sql.contains(&format!("vrednosti -> '{field}'"))
}

/// Whether a query reads entries of the form by its id, likewise.
pub fn reads_form(sql: &str, form: i64) -> bool {
    let read = format!("u.tip_unosa_id = {form}");
    sql.match_indices(&read).any(|(at, _)| !sql[at + read.len()..].starts_with(|letter: char| letter.is_ascii_digit()))
}

/// Names of reports that read the form's entries by its id.
pub async fn reports_reading_form(db: &mut PgConnection, templates: &Path, form: i64) -> Result<Vec<String>> {
    Ok(report_queries(db, templates).await?.into_iter().filter(|(_, sql)| reads_form(sql, form)).map(|(name, _)| name).collect())
}

/// Names of reports that read the field, by this code, by its id or by both.
pub async fn reports_reading_field(db: &mut PgConnection, templates: &Path, field: i64, code: Option<&str>) -> Result<Vec<String>> {
    let code = code.filter(|code| !code.is_empty());
    let reads = |sql: &str| reads_field(sql, field) || code.is_some_and(|code| names(sql, code));
    Ok(report_queries(db, templates).await?.into_iter().filter(|(_, sql)| reads(sql)).map(|(name, _)| name).collect())
}

/// Names and queries of all reports.
pub async fn report_queries(db: &mut PgConnection, templates: &Path) -> Result<Vec<(String, String)>> {
    let reports = sqlx::query!(
        r#"select r.naziv, r.jasper_fajl, d.upit as "upit?" from report r left join report_definition d on d.id = r.definicija_id
            where r.aktivan order by r.naziv, r.id"#
    )
    .fetch_all(db)
    .await?;
    let mut queries = Vec::with_capacity(reports.len());
    for report in reports {
        // A report whose template is missing says so where it runs.
        let sql = match report.upit {
            Some(upit) => upit,
            None => {
                tokio::fs::read_to_string(templates.join("reports").join(format!("{}.sql", report.jasper_fajl))).await.unwrap_or_default()
            }
        };
        queries.push((report.naziv, sql));
    }
    Ok(queries)
}

/// Names and queries of first values and of report parameters.
pub async fn other_queries(db: &mut PgConnection) -> Result<Vec<(String, String)>> {
    let queries = sqlx::query!(
        r#"
        select q.naziv as "naziv!", q.upit as "upit!" from (
            select naziv, upit from report_parameter_type where aktivan
            union all
            select naziv, upit_inicijalna_vrednost from form_field where aktivan) q
         where q.upit is not null order by 1
        "#
    );
    Ok(queries.fetch_all(db).await?.into_iter().map(|query| (query.naziv, query.upit)).collect())
}

#[cfg(test)]
mod tests {
    use domain::text::ENTRIES;

    use super::*;

    #[test]
    fn a_chosen_report_reads_a_field_by_its_whole_id() {
        let sql = "case when jsonb_typeof(u.vrednosti -> '12') = 'number' then (u.vrednosti -> '12' #>> '{}')::numeric end";
        assert!(reads_field(sql, 12));
        assert!(!reads_field(sql, 1) && !reads_field(sql, 2) && !reads_field(sql, 123));
    }

    #[test]
    fn a_chosen_report_reads_a_form_by_its_whole_id() {
        assert!(reads_form("where u.tip_unosa_id = 12\n and true", 12) && reads_form("where u.tip_unosa_id = 12", 12));
        assert!(!reads_form("where u.tip_unosa_id = 12\n", 1) && !reads_form("where u.tip_unosa_id = 12\n", 2));
    }

    #[test]
    fn many_names_are_counted() {
        let names: Vec<String> = (1..=7).map(|n| n.to_string()).collect();
        assert_eq!(Places::default().named("tip polja ", &names).all(), ["tip polja „1”, „2”, „3”, „4”, „5” i još 2"]);
        assert!(Places::default().named("x", &[]).counted("y", 0, ENTRIES).all().is_empty());
    }
}
