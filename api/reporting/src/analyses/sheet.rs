//! The template of an analysis. Names of fields and of analyses stand in it as quoted strings of `literal`.

use super::{
    choice::{AnalysisScope, AnalysisView, ModelChoice, ShownAs},
    parts::Parts,
    variable::Variable,
};
use crate::setup::report_definition::simple::literal::string;

/// `cohort` is what it is called.
pub fn sheet(parts: &Parts, naziv: &str, cohort: &str) -> platform::error::Result<String> {
    let told = format!("{}: {cohort}. {}", parts.language.of("Kohorta", "Cohort"), parts.cohort.told(parts.scope.obim())?);
    let mut out =
        format!("{{{{#report page=\"A4-landscape\" size=8}}}}\n  {{{{title {}}}}}\n  {{{{subtitle {}}}}}\n", string(naziv), string(&told));
    match parts.view {
        AnalysisView::Tabela1 if parts.scope == AnalysisScope::Sve => push_tables_of_groups(&mut out, parts),
        AnalysisView::Tabela1 => push_table_one(&mut out, parts, true),
        AnalysisView::Poredjenje => push_comparisons(&mut out, parts),
        AnalysisView::Prezivljavanje => push_survival(&mut out, parts),
        AnalysisView::Povezanost => push_regression(&mut out, parts),
        AnalysisView::Tacnost => push_accuracy(&mut out, parts),
        AnalysisView::Stope => push_rates(&mut out, parts),
        AnalysisView::Raspodela => push_distributions(&mut out, parts),
    }
    out.push_str("{{/report}}\n");
    Ok(out)
}

/// A block with what its columns are called.
fn push_block(out: &mut String, word: &str, attributes: &str, declared: &[String]) {
    out.push_str(&format!("  {{{{#{word} {attributes}}}}}\n"));
    declared.iter().for_each(|line| out.push_str(&format!("    {line}\n")));
    out.push_str(&format!("  {{{{/{word}}}}}\n"));
}

fn declared(column: &str, variable: &Variable) -> String {
    let show = match variable.show {
        Some(ShownAs::Prosek) => " show=\"mean\"",
        Some(ShownAs::Medijana) => " show=\"median\"",
        Some(ShownAs::Kategorija) => " show=\"category\"",
        None => "",
    };
    let reference = variable.reference.as_ref().map(|name| format!(" reference={}", string(name))).unwrap_or_default();
    // All categories of this day: one that comes later, or has another name then, is told.
    let order = variable.order().map(|names| format!(" order={} complete=true", string(&names.join("; ")))).unwrap_or_default();
    format!("{{{{variable \"{column}\" label={}{show}{reference}{order}}}}}", string(&variable.label))
}

fn named(column: &str, label: &str) -> String {
    format!("{{{{variable \"{column}\" label={}}}}}", string(label))
}

impl Parts<'_> {
    fn words(&self) -> &'static str {
        self.language.of("language=\"sr\"", "language=\"en\"")
    }

    fn grouping(&self) -> &'static str {
        if self.by.is_some() { " by=\"po\"" } else { "" }
    }

    fn declared_group(&self) -> Option<String> {
        self.by.as_ref().map(|by| declared("po", by))
    }

    fn declared_variables(&self) -> Vec<String> {
        self.variables.iter().enumerate().map(|(index, variable)| declared(&format!("v{}", index + 1), variable)).collect()
    }

    fn listed(&self) -> String {
        (1..=self.variables.len()).map(|number| format!("v{number}")).collect::<Vec<_>>().join(", ")
    }

    /// Event and time, as attributes and in words.
    fn follow_up(&self) -> (String, Vec<String>) {
        let unit = self.time.as_ref().map_or("", |time| time.unit.words(self.language));
        let censored = self.censored_on().map(|day| format!(" censoredOn={}", string(&day))).unwrap_or_default();
        let declared = vec![
            named("dogadjaj", self.event.as_ref().map_or("", |event| &event.label)),
            named("vreme", self.language.of("Praćenje", "Follow-up")),
        ];
        (format!("unit=\"{unit}\"{censored}"), declared)
    }
}

fn push_table_one(out: &mut String, parts: &Parts, tests: bool) {
    let smd = if parts.smd && parts.by.is_some() { " smd=true" } else { "" };
    let tests = if tests { "" } else { " tests=false" };
    let declared: Vec<String> = parts.declared_group().into_iter().chain(parts.declared_variables()).collect();
    push_block(out, "tableOne", &format!("vars=\"{}\"{}{smd}{tests} {}", parts.listed(), parts.grouping(), parts.words()), &declared);
}

/// Each variable has its own cells, and is a table of its own.
fn push_tables_of_groups(out: &mut String, parts: &Parts) {
    for (index, variable) in parts.variables.iter().enumerate() {
        let number = index + 1;
        let declared: Vec<String> = parts.declared_group().into_iter().chain([declared(&format!("v{number}"), variable)]).collect();
        let attributes =
            format!("vars=\"v{number}\"{} count=\"n{number}\" title={} {}", parts.grouping(), string(&variable.label), parts.words());
        push_block(out, "tableOne", &attributes, &declared);
    }
}

fn push_comparisons(out: &mut String, parts: &Parts) {
    if let Some(second) = &parts.second {
        let median = if parts.variables[0].show == Some(ShownAs::Medijana) { " show=\"median\"" } else { "" };
        let declared = [named("v1", &parts.variables[0].label), named("sa", &second.label)];
        return push_block(out, "compare", &format!("value=\"v1\" with=\"sa\"{median} {}", parts.words()), &declared);
    }
    for (index, variable) in parts.variables.iter().enumerate() {
        let column = format!("v{}", index + 1);
        let declared: Vec<String> = [declared(&column, variable)].into_iter().chain(parts.declared_group()).collect();
        let attributes = format!("value=\"{column}\" by=\"po\" title={} {}", string(&variable.label), parts.words());
        push_block(out, "compare", &attributes, &declared);
        let Some(by) = parts.by.as_ref().filter(|by| by.is_yes_or_no() && variable.is_yes_or_no()) else { continue };
        let row = parts.language.of("po:Da", "po:Yes");
        let title = format!("{} / {}", by.label, variable.label);
        let declared = [named("po", &by.label), named(&column, &variable.label)];
        let attributes = format!("row=\"{row}\" column=\"{column}\" title={} {}", string(&title), parts.words());
        push_block(out, "twoByTwo", &attributes, &declared);
    }
}

fn push_survival(out: &mut String, parts: &Parts) {
    let (follow_up, mut declared) = parts.follow_up();
    declared.extend(parts.declared_group());
    let at: Vec<String> = parts.times.iter().map(f64::to_string).collect();
    let at = if at.is_empty() { String::new() } else { format!(" at=\"{}\"", at.join(", ")) };
    let mut more = at;
    if let Some(competing) = &parts.competing {
        more.push_str(" competing=\"konkurentni\"");
        declared.push(named("konkurentni", &competing.label));
    }
    more.extend(parts.until.map(|time| format!(" until=\"{time}\"")));
    let attributes = format!("time=\"vreme\" event=\"dogadjaj\"{}{more} {follow_up} {}", parts.grouping(), parts.words());
    push_block(out, "survival", &attributes, &declared);
}

fn push_regression(out: &mut String, parts: &Parts) {
    let numbered = parts.variables.iter().enumerate();
    let mut declared_columns: Vec<String> = numbered.map(|(index, variable)| declared(&format!("v{}", index + 1), variable)).collect();
    let attributes = match parts.model {
        Some(ModelChoice::Linearna) => {
            declared_columns.extend(parts.outcome.as_ref().map(|outcome| named("ishod", &outcome.label)));
            "kind=\"linear\" outcome=\"ishod\"".to_owned()
        }
        Some(ModelChoice::Koksova) => {
            let (follow_up, of_time) = parts.follow_up();
            declared_columns.extend(of_time);
            declared_columns.extend(parts.strata.as_ref().map(|strata| declared("sloj", strata)));
            let strata = if parts.strata.is_some() { " strata=\"sloj\"" } else { "" };
            format!("kind=\"cox\" time=\"vreme\" event=\"dogadjaj\"{strata} {follow_up}")
        }
        Some(ModelChoice::Logisticka) | None => {
            declared_columns.extend(parts.event.as_ref().map(|event| named("dogadjaj", &event.label)));
            "kind=\"logistic\" outcome=\"dogadjaj\"".to_owned()
        }
    };
    let products: String = parts.products.iter().map(|product| format!(", v{}*v{}", product.prva + 1, product.druga + 1)).collect();
    let attributes = format!("{attributes} vars=\"{}{products}\" {}", parts.listed(), parts.words());
    push_block(out, "regression", &attributes, &declared_columns);
}

fn push_accuracy(out: &mut String, parts: &Parts) {
    let event = named("dogadjaj", parts.event.as_ref().map_or("", |event| &event.label));
    let numbered = || parts.variables.iter().enumerate().map(|(index, variable)| (format!("v{}", index + 1), variable));
    let scores: Vec<(String, &Variable)> = numbered().filter(|(_, variable)| variable.is_number()).collect();
    if !scores.is_empty() {
        let listed: Vec<&str> = scores.iter().map(|(column, _)| column.as_str()).collect();
        let declared: Vec<String> = scores.iter().map(|(column, variable)| named(column, &variable.label)).chain([event.clone()]).collect();
        let cuts: Vec<String> = parts.cuts.iter().map(f64::to_string).collect();
        let cuts = if cuts.is_empty() { String::new() } else { format!(" cuts=\"{}\"", cuts.join(", ")) };
        push_block(out, "roc", &format!("score=\"{}\" event=\"dogadjaj\"{cuts} {}", listed.join(", "), parts.words()), &declared);
    }
    for (column, variable) in numbered().filter(|(_, variable)| !variable.is_number()) {
        let attributes =
            format!("row=\"{column}\" column=\"dogadjaj\" show=\"accuracy\" title={} {}", string(&variable.label), parts.words());
        push_block(out, "twoByTwo", &attributes, &[named(&column, &variable.label), event.clone()]);
    }
}

fn push_rates(out: &mut String, parts: &Parts) {
    let unit = parts.time.as_ref().map_or("", |time| time.unit.words(parts.language));
    let (_, mut declared) = parts.follow_up();
    declared.extend(parts.declared_group());
    let attributes = format!("events=\"dogadjaj\" time=\"vreme\"{} per={} unit=\"{unit}\" {}", parts.grouping(), parts.per, parts.words());
    push_block(out, "rate", &attributes, &declared);
}

/// Table 1 without tests, and a drawing of each variable.
fn push_distributions(out: &mut String, parts: &Parts) {
    push_table_one(out, parts, false);
    for (index, variable) in parts.variables.iter().enumerate() {
        let (column, label) = (format!("v{}", index + 1), string(&variable.label));
        let drawn = match (variable.is_number(), parts.by.is_some()) {
            (true, true) => format!("\"box\" x=\"po\" y=\"{column}\" label={label} title={label}"),
            (true, false) => format!("\"histogram\" x=\"{column}\" title={label}"),
            (false, true) => format!("\"grouped\" x=\"{column}\" y=\"count\" seriesBy=\"po\" title={label}"),
            (false, false) => {
                format!("\"bar\" x=\"{column}\" y=\"count\" label={} title={label}", string(parts.language.of("Broj", "Number")))
            }
        };
        out.push_str(&format!("  {{{{chart {drawn} height=220}}}}\n"));
    }
}
