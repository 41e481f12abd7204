//! Charts over months and days that a query writes as texts: they stand in the order of the rows and at equal steps, and a month without a
//! row is not there at all. The check plans a query and reads no row, so what a text holds is told by the format that makes it.

use report_template::plan::{Body, Chart, ColumnKind, Delivered, Plan, TablePlan};

/// What is odd about the charts of a plan, in words.
pub fn odd(plan: &Plan, upit: &str, columns: &[Delivered]) -> Vec<String> {
    let Body::Table(table) = &plan.body else { return Vec::new() };
    let named = written(upit);
    let is_text = |name: &str| columns.iter().any(|column| column.name == name && column.kind == ColumnKind::Other);
    let is_odd = |chart: &&Chart| is_text(&chart.x) && named.contains(&chart.x);
    charts(table).filter(is_odd).map(told).collect()
}

pub const ADVICE: &str = "Neka upit vrati datum, a grafikon kaže koliki je korak: date_trunc('month', dan)::date uz bucket=\"month\", ili dan uz \
                          bucket=\"day\".";

fn told(chart: &Chart) -> String {
    format!(
        "Grafikon „{}” stoji nad kolonom „{}”, u kojoj su meseci ili dani upisani kao tekst: stoje redom kojim stižu, a meseca bez reda nema.",
        chart.title, chart.x
    )
}

fn charts(table: &TablePlan) -> impl Iterator<Item = &Chart> {
    let sections = table.sections.iter().flat_map(|sections| &sections.list).flat_map(|section| &section.table.charts);
    table.charts.iter().chain(sections)
}

/// The names that the query gives to months and days written as texts: `to_char(…, 'YYYY-MM') as mesec`.
fn written(upit: &str) -> Vec<String> {
    let lower = upit.to_lowercase();
    let calls = lower.match_indices("to_char(").map(|(at, call)| &lower[at + call.len()..]);
    calls.filter_map(|rest| name_of(rest).filter(|(format, _)| is_of_calendar(format)).map(|(_, name)| name.to_owned())).collect()
}

/// The format of a call whose arguments begin here, and the name of its result.
fn name_of(rest: &str) -> Option<(&str, &str)> {
    let (mut depth, mut quoted, mut end) = (1, false, None);
    for (at, letter) in rest.char_indices() {
        match letter {
            '\'' => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            end = Some(at);
            break;
        }
    }
    let end = end?;
    let format = rest[..end].trim_end().strip_suffix('\'')?.rsplit_once('\'')?.1;
    let after = rest[end + 1..].trim_start();
    let after = after.strip_prefix("as ").map_or(after, str::trim_start);
    let name = after
        .strip_prefix('"')
        .map_or_else(|| after.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next(), |quoted| quoted.split('"').next());
    name.filter(|name| !name.is_empty()).map(|name| (format, name))
}

/// Whether a format writes months or days, of which the year is one that is written beside them or the whole axis's.
fn is_of_calendar(format: &str) -> bool {
    ["mm", "mon", "dd", "iw", "ww", "q"].iter().any(|part| format.contains(part)) && !format.contains("hh")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn months_and_days_are_told_by_the_format_that_writes_them() {
        for upit in [
            "select to_char(u.datum_unosa, 'YYYY-MM') as mesec, count(*) as n from report.unos u group by 1",
            "select to_char(date_trunc('month', u.datum_unosa), 'TMMonth YYYY') mesec from report.unos u",
            "with m as (select to_char((u.datum_unosa)::date, 'DD.MM.') as \"mesec\" from report.unos u) select mesec from m",
            "select to_char(u.datum_unosa, 'YYYY-\"Q\"Q') AS mesec from report.unos u",
        ] {
            assert_eq!(written(upit), ["mesec"], "{upit}");
        }
        for upit in [
            "select to_char(broj, '990D0') as mesec from report.broj",
            "select to_char(u.datum_unosa, 'YYYY') as mesec from report.unos u",
            "select date_trunc('month', u.datum_unosa)::date as mesec from report.unos u",
            "select to_char(now(), 'HH24:MI:SS') as mesec",
            "select to_char(u.datum_unosa, oblik) as mesec from report.unos u",
            "select to_char(u.datum_unosa, 'YYYY-MM'",
        ] {
            assert_eq!(written(upit), [""; 0], "{upit}");
        }
    }
}
