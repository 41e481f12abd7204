//! What a plan asks of the columns of its query, found without any row: whoever writes a report is told all of it at once.
use serde_json::{Map, Value as Json};

use super::{
    Analysis, Band, Body, Chart, ChartKind, Column, Emphasis, Measure, Plan, ROWS, Ratio, Source, TablePlan, TemplateError, Value,
};

/// A column that a query delivers.
#[derive(Clone, Debug)]
pub struct DeliveredColumn {
    pub name: String,
    pub kind: ColumnKind,
}

/// What the values of a column are, as far as a template has to know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    Number,
    /// Days and moments.
    Time,
    Other,
}

/// What a plan and its query do not agree about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mismatch {
    /// The template names a column that the query does not deliver.
    Missing(String),
    /// The template adds up what is no number.
    NotNumeric(String),
    /// A band, a computed cell or a document cannot be filled.
    Template(TemplateError),
}

impl Plan {
    /// Every disagreement, in the order of the declarations, each once.
    pub fn mismatches(&self, columns: &[DeliveredColumn]) -> Vec<Mismatch> {
        let mut check = Check { columns, found: Vec::new() };
        match &self.body {
            Body::Table(table) => check.table(table),
            Body::Document(document) => {
                let names: Vec<String> = columns.iter().map(|column| column.name.clone()).collect();
                // As an empty report, and as one whose cells are all empty.
                for rows in [vec![], vec![vec![Value::Null; names.len()]]] {
                    if let Err(error) = document.blocks(&names, &rows) {
                        check.add(Mismatch::Template(error));
                    }
                }
            }
        }
        check.found
    }
}

struct Check<'a> {
    columns: &'a [DeliveredColumn],
    found: Vec<Mismatch>,
}

impl Check<'_> {
    fn add(&mut self, mismatch: Mismatch) {
        if !self.found.contains(&mismatch) {
            self.found.push(mismatch);
        }
    }

    fn table(&mut self, table: &TablePlan) {
        if let Some(sections) = &table.sections {
            self.column(&sections.by);
            for section in &sections.list {
                self.band(section.heading.as_ref());
                self.table(&section.table);
            }
        }
        for group in &table.groups {
            self.column(&group.by);
            self.band(group.header.as_ref());
            self.band(group.footer.as_ref());
        }
        for column in &table.columns {
            match &column.source {
                Source::Field(name) => self.column(name),
                Source::Ratio(ratio) => self.ratio(ratio),
                Source::Computed(band) => self.band(Some(band)),
            }
            self.emphasis(column);
            if let Some(foot) = &column.foot {
                self.measure(foot);
            }
        }
        if let Some(cross) = &table.cross {
            self.column(&cross.by);
            cross.order_by.iter().for_each(|name| self.column(name));
            self.measure(&cross.value);
        }
        self.band(table.summary.as_ref());
        for chart in &table.charts {
            match chart.kind {
                ChartKind::Histogram => self.number(&chart.x),
                _ => self.column(&chart.x),
            }
            self.line(chart);
            if let Some(split) = &chart.series_by {
                self.column(split);
            }
            for series in &chart.series {
                self.measure(&series.measure);
                if let Some((low, high)) = &series.bounds {
                    self.measure(low);
                    self.measure(high);
                }
            }
        }
        table.analyses.iter().for_each(|analysis| self.analysis(analysis));
    }

    fn analysis(&mut self, analysis: &Analysis) {
        for (name, is_number) in analysis.columns() {
            self.column(name);
            let is_other = self.columns.iter().any(|column| column.name == name && column.kind != ColumnKind::Number);
            if is_number && is_other {
                let message = format!("Analiza „{}“ traži broj u koloni „{name}“, koja nije broj", analysis.word);
                self.add(Mismatch::Template(TemplateError::new(message)));
            }
        }
    }

    /// A line says that what lies along it goes on from one to the next.
    fn line(&mut self, chart: &Chart) {
        if chart.kind.is_joined() && self.is_of(&chart.x, ColumnKind::Other) {
            let (title, x) = (&chart.title, &chart.x);
            let message = format!(
                "Grafikon „{title}“ povlači liniju preko kolone „{x}“, koja nije ni broj ni datum: linija bi pokazala tok kojeg nema. Izaberite \
                 vrstu „bar“, ili neka upit vrati broj ili datum (na primer: date_trunc('month', dan)::date, uz bucket=\"month\")"
            );
            self.add(Mismatch::Template(TemplateError::new(message)));
        }
    }

    fn is_of(&self, name: &str, kind: ColumnKind) -> bool {
        self.columns.iter().any(|delivered| delivered.name == name && delivered.kind == kind)
    }

    fn emphasis(&mut self, column: &Column) {
        let Source::Field(name) = &column.source else { return };
        let needs_numbers = column.emphasis.as_ref().is_some_and(Emphasis::needs_numbers);
        if needs_numbers && self.columns.iter().any(|delivered| delivered.name == *name && delivered.kind != ColumnKind::Number) {
            self.add(Mismatch::Template(TemplateError::new(format!("Isticanje poredi po veličini kolonu „{name}“, koja nije broj"))));
        }
    }

    fn column(&mut self, name: &str) {
        if !self.columns.iter().any(|column| column.name == name) {
            self.add(Mismatch::Missing(name.to_owned()));
        }
    }

    fn number(&mut self, name: &str) {
        match self.columns.iter().find(|column| column.name == name) {
            None => self.add(Mismatch::Missing(name.to_owned())),
            Some(column) if column.kind != ColumnKind::Number => self.add(Mismatch::NotNumeric(name.to_owned())),
            Some(_) => {}
        }
    }

    fn measure(&mut self, measure: &Measure) {
        match measure {
            Measure::Sum(name) | Measure::Avg(name) => self.number(name),
            Measure::Min(name) | Measure::Max(name) => self.column(name),
            Measure::Count => {}
            Measure::Ratio(ratio) => self.ratio(ratio),
        }
    }

    fn ratio(&mut self, ratio: &Ratio) {
        for side in [&ratio.numerator, &ratio.denominator] {
            if side != ROWS || self.columns.iter().any(|column| column.name == ROWS) {
                self.number(side);
            }
        }
    }

    /// A band names its columns by paths; a trial with empty cells finds a name that is none of them.
    fn band(&mut self, band: Option<&Band>) {
        let Some(band) = band else { return };
        let before = self.found.len();
        let (mut data, mut sums, mut averages) = (Map::new(), Map::new(), Map::new());
        for path in band.paths() {
            match path.iter().map(String::as_str).collect::<Vec<_>>()[..] {
                ["zbir", name] => {
                    self.number(name);
                    sums.insert(name.to_owned(), Json::Null);
                }
                ["prosek", name] => {
                    self.number(name);
                    averages.insert(name.to_owned(), Json::Null);
                }
                [name, ..] if self.columns.iter().any(|column| column.name == name) => {
                    data.insert(name.to_owned(), Json::Null);
                }
                _ => {}
            }
        }
        data.extend([("n".to_owned(), 0.into()), ("zbir".to_owned(), sums.into()), ("prosek".to_owned(), averages.into())]);
        if self.found.len() == before
            && let Err(error) = band.fill(data)
        {
            self.add(Mismatch::Template(error));
        }
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;
    use crate::{
        plan::Format,
        template::{Context, ReportTemplate},
    };

    fn mismatches(template: &str, columns: &[(&str, bool)]) -> Vec<Mismatch> {
        let columns: Vec<DeliveredColumn> =
            columns.iter().map(|(name, numeric)| delivered(name, if *numeric { ColumnKind::Number } else { ColumnKind::Other })).collect();
        of_columns(template, &columns)
    }

    fn delivered(name: &str, kind: ColumnKind) -> DeliveredColumn {
        DeliveredColumn { name: name.to_owned(), kind }
    }

    fn of_columns(template: &str, columns: &[DeliveredColumn]) -> Vec<Mismatch> {
        let context = Context {
            naziv: "Proba".to_owned(),
            parametri: Vec::new(),
            ustanova: "Bolnica".to_owned(),
            radnik_ime_prezime: "Ana Anić".to_owned(),
            generisano: date(2026, 1, 1).at(8, 0, 0, 0),
            format: Format::Pdf,
            extra: Json::Null,
        };
        ReportTemplate::parse(template).expect("it parses").plan(&context).expect("it plans").mismatches(columns)
    }

    #[test]
    fn every_name_of_a_table_is_looked_up_and_told_once() {
        let template = r#"{{#report}}
            {{#group by="pol"}}{{pol}}{{/group}}{{#groupFoot by="pol"}}{{n}} {{zbir.umrli}}{{/groupFoot}}
            {{col "dob" head="Dob"}}{{col "umrli" foot="sum"}}{{ratio "umrli/pacijenti"}}
            {{#chart "bar" x="dob" seriesBy="mesec" y="avg:starost"}}{{/chart}}
        {{/report}}"#;
        let columns = [("pol", false), ("dob", false), ("umrli", true), ("pacijenti", true), ("mesec", false), ("starost", true)];
        assert_eq!(mismatches(template, &columns), []);
        let missing = |name: &str| Mismatch::Missing(name.to_owned());
        let nothing = mismatches(template, &[]);
        let named: Vec<Mismatch> = nothing.iter().filter(|found| !matches!(found, Mismatch::Template(_))).cloned().collect();
        assert_eq!(named, ["pol", "umrli", "dob", "pacijenti", "mesec", "starost"].map(missing));
        assert!(matches!(&nothing[1], Mismatch::Template(error) if error.line == Some(2)), "the header, where it stands: {nothing:?}");
        let texts = columns.map(|(name, _)| (name, false));
        let not_numeric = |name: &str| Mismatch::NotNumeric(name.to_owned());
        assert_eq!(mismatches(template, &texts), ["umrli", "pacijenti", "starost"].map(not_numeric));
    }

    #[test]
    fn the_rows_may_be_counted_in_a_ratio() {
        let template = r#"{{#report}}{{col "a" foot="a/count*100"}}{{ratio "count/a"}}{{/report}}"#;
        assert_eq!(mismatches(template, &[("a", true)]), []);
        assert_eq!(mismatches(template, &[("a", true), ("count", false)]), [Mismatch::NotNumeric("count".to_owned())]);
    }

    #[test]
    fn a_line_over_names_is_refused_with_advice() {
        let template = r#"{{#report}}{{col "x"}}{{chart "line" x="x" y="n" title="Tok"}}{{chart "bar" x="x" y="n"}}{{/report}}"#;
        let of = |kind| of_columns(template, &[delivered("x", kind), delivered("n", ColumnKind::Number)]);
        assert_eq!([of(ColumnKind::Number), of(ColumnKind::Time)], [vec![], vec![]]);
        let found = of(ColumnKind::Other);
        assert!(
            matches!(&found[..], [Mismatch::Template(error)] if error.message.contains("„Tok“") && error.message.contains("vrstu „bar“")),
            "{found:?}"
        );
    }

    #[test]
    fn a_histogram_is_of_numbers_and_steps_are_no_more_over_names_than_lines() {
        let histogram = r#"{{#report}}{{col "x"}}{{chart "histogram" x="x" title="Raspodela"}}{{/report}}"#;
        assert_eq!(mismatches(histogram, &[("x", true)]), []);
        assert_eq!(mismatches(histogram, &[("x", false)]), [Mismatch::NotNumeric("x".to_owned())]);
        let steps = r#"{{#report}}{{col "x"}}{{chart "step" x="x" y="n" low="a" high="b" title="Tok"}}{{/report}}"#;
        let found = mismatches(steps, &[("x", false), ("n", true), ("a", true)]);
        assert!(matches!(&found[..], [Mismatch::Template(_), Mismatch::Missing(name)] if name == "b"), "{found:?}");
    }

    #[test]
    fn only_numbers_are_emphasised_by_size() {
        let template = r#"{{#report}}{{col "a" emphasis=">= 5"}}{{col "b" emphasis="= visoka"}}{{ratio "a/c" emphasis="> 1"}}{{/report}}"#;
        assert_eq!(mismatches(template, &[("a", true), ("b", false), ("c", true)]), []);
        let told = mismatches(template, &[("a", false), ("b", false), ("c", true)]);
        assert!(matches!(&told[0], Mismatch::Template(error) if error.message.contains("kolonu „a“, koja nije broj")), "{told:?}");
    }

    #[test]
    fn a_misspelt_name_in_a_band_is_told_with_its_line() {
        let template = "{{#report}}\n{{col \"a\"}}\n{{#summary}}Ukupno {{zbirr.a}}{{/summary}}{{/report}}";
        let found = mismatches(template, &[("a", true)]);
        assert!(matches!(&found[..], [Mismatch::Template(error)] if error.line == Some(3)), "{found:?}");
    }

    #[test]
    fn a_document_is_tried_without_rows_and_with_an_empty_one() {
        let template = "{{#document}}{{#groups redovi by=\"unos\"}}{{heading prvi.obrazac}}{{/groups}}{{/document}}";
        assert_eq!(mismatches(template, &[("unos", true), ("obrazac", false)]), []);
        assert_eq!(mismatches(template, &[("unos", true)]).len(), 1);
    }
}
