//! Charts over months and days that a query writes as texts: they stand in the order of the rows and at equal steps, and a month without a
//! row is not there at all. The check plans a query and reads no row, so what a text holds is told by the expression that makes it.

use report_template::plan::{Body, Chart, ColumnKind, DeliveredColumn, Plan, TablePlan};

/// What is odd about the charts of a plan, in words.
pub fn odd(plan: &Plan, upit: &str, columns: &[DeliveredColumn]) -> Vec<String> {
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

/// The names that the query gives to months and days written as texts: `to_char(…, 'YYYY-MM') as mesec`, `extract(month from …)::text as mesec`.
fn written(upit: &str) -> Vec<String> {
    let lower = upit.to_lowercase();
    let calls = lower.match_indices("to_char(").map(|(at, call)| &lower[at + call.len()..]);
    let formats = calls.filter_map(|rest| name_of(rest).filter(|(format, _)| is_of_calendar(format)).map(|(_, name)| name));
    let words = lower.match_indices(" as ").map(|(at, word)| (expression(&lower[..at]), name_in(&lower[at + word.len()..])));
    let parts = words.filter(|(expression, _)| takes_a_date_apart(expression)).filter_map(|(_, name)| name);
    let mut names: Vec<String> = formats.chain(parts).map(str::to_owned).collect();
    names.dedup();
    names
}

/// The expression that ends here: back to the comma or the word before it.
fn expression(before: &str) -> &str {
    let (mut depth, mut quoted) = (0, false);
    for (at, letter) in before.char_indices().rev() {
        match letter {
            '\'' => quoted = !quoted,
            ')' if !quoted => depth += 1,
            '(' if !quoted && depth == 0 => return &before[at + 1..],
            '(' if !quoted => depth -= 1,
            ',' if !quoted && depth == 0 => return &before[at + 1..],
            's' if !quoted && depth == 0 && before[at..].starts_with("select") => return &before[at + "select".len()..],
            _ => {}
        }
    }
    before
}

/// Whether an expression is a part of a date, or a date as a text. What chooses by a date gives words of its own.
fn takes_a_date_apart(expression: &str) -> bool {
    let has = |words: &[&str]| words.iter().any(|word| expression.contains(word));
    let part = ["month", "day", "week", "quarter"].iter().any(|part| has(&[&format!("extract({part} "), &format!("date_part('{part}'")]));
    let cut = has(&["left(", "right(", "substr", "split_part(", "::text", "||", "concat", "format(", "cast("]);
    // A format is read as such, and a year is one.
    let whole = has(&["datum", "::date", "date_trunc("]) && !has(&["to_char(", "extract(year ", "date_part('year'"]);
    !expression.contains("case ") && (part || cut && whole)
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
    name_in(after.strip_prefix("as ").unwrap_or(after)).map(|name| (format, name))
}

/// The name that stands here.
fn name_in(after: &str) -> Option<&str> {
    let after = after.trim_start();
    let name = after
        .strip_prefix('"')
        .map_or_else(|| after.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next(), |quoted| quoted.split('"').next());
    name.filter(|name| !name.is_empty())
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
            "select extract(month from u.datum_unosa)::text as mesec from report.unos u",
            "select count(*) as n, date_part('year', u.datum_unosa) || '-' || lpad(date_part('month', u.datum_unosa)::text, 2, '0') as mesec from unos u",
            "select left(u.datum_unosa::text, 7) as \"mesec\", count(*) from report.unos u group by 1",
            "select substring(cast(u.datum_unosa as text) from 1 for 7) as mesec from report.unos u",
            "select concat(extract(year from dan), '/', extract(month from dan)) as mesec from (select u.datum_unosa as dan from unos u) x",
            "select date_trunc('month', u.datum_unosa)::date::text as mesec from report.unos u",
        ] {
            assert_eq!(written(upit), ["mesec"], "{upit}");
        }
        for upit in [
            "select to_char(broj, '990D0') as mesec from report.broj",
            "select to_char(u.datum_unosa, 'YYYY') as mesec from report.unos u",
            "select date_trunc('month', u.datum_unosa)::date as mesec from report.unos u",
            "select to_char(now(), 'HH24:MI:SS') as mesec",
            "select to_char(u.datum_unosa, oblik) as mesec from report.unos u",
            "select case when extract(month from u.datum_unosa) < 7 then 'prvo' else 'drugo' end as polugodje from report.unos u",
            "select extract(year from u.datum_unosa)::text as godina, left(s.naziv, 7) as mesec from report.unos u join report.ustanova s on true",
            "select u.datum_unosa as mesec, 'x' || 'y' as slova from report.unos u",
            "select to_char(u.datum_unosa, 'YYYY-MM'",
        ] {
            assert_eq!(written(upit), [""; 0], "{upit}");
        }
    }
}
