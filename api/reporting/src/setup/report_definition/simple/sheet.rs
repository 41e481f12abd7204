//! The template of a chosen report. Names of fields stand in it as quoted strings of `literal`.

use domain::register::ValueType;

use super::{
    choice::{By, Cell, ChartKind, CheckedChoice, Measure, Shows},
    form::Field,
    literal::string,
    query::tells_marks,
};

/// Columns that a page has room for upright.
const UPRIGHT: usize = 6;
/// Blank where no value of the row is by a former formula or in a former unit.
const MARKS: &str = "  {{col \"napomena\" head=\"Napomena\" width=90}}\n";
const MOST_DECIMALS: usize = 10;
/// Over all institutions days of birth are not known.
const YEARS_HEAD: &str = "Uzrast po kalendarskoj godini";

pub fn sheet(chosen: &CheckedChoice) -> String {
    let columns = match &chosen.shows {
        Shows::List(cells) => cells.len(),
        Shows::Groups { by, measures, .. } => by.len() + measures.len(),
        Shows::Indicator(_) => 0,
    };
    let marks = if tells_marks(chosen) { MARKS } else { "" };
    let page = if columns > UPRIGHT { "A4-landscape" } else { "A4" };
    let mut out = format!("{{{{#report page=\"{page}\" size=9}}}}\n  {{{{subtitle {}}}}}\n", string(&subtitle(chosen)));
    match &chosen.shows {
        Shows::List(cells) => {
            for (index, cell) in cells.iter().enumerate() {
                let (head, width) = cell_head(*cell);
                out.push_str(&format!("  {{{{col \"k{}\" head={} width={width}}}}}\n", index + 1, string(&head)));
            }
            out.push_str(marks);
            out.push_str("  {{#summary}}Ukupno redova: {{broj n 0}}{{/summary}}\n");
        }
        Shows::Indicator(indicator) => indicator.push_block(&mut out, chosen),
        Shows::Groups { by, measures, chart } => {
            push_groups(&mut out, by, chosen.of_all);
            for (index, measure) in measures.iter().enumerate() {
                // The total is that of all entries, which the query delivers in every row.
                let foot = if by.is_empty() { String::new() } else { format!(" foot=\"max:u{}\"", index + 1) };
                let format = mask(*measure).map(|mask| format!(" format=\"{mask}\"")).unwrap_or_default();
                out.push_str(&format!(
                    "  {{{{col \"m{}\" head={} width=80 align=\"right\"{format}{foot}}}}}\n",
                    index + 1,
                    string(&measure_head(*measure))
                ));
            }
            out.push_str(marks);
            if !by.is_empty() {
                out.push_str("  {{#summary}}Ukupno{{/summary}}\n");
            }
            if let Some((kind, measure)) = chart {
                push_chart(&mut out, *kind, by, *measure, &measure_head(measures[*measure]));
            }
        }
    }
    out.push_str("{{/report}}\n");
    out
}

/// What the rows are, and which.
fn subtitle(chosen: &CheckedChoice) -> String {
    let mut said = format!("{} – {}", chosen.form.registar, chosen.form.naziv);
    if let Some(conditions) = chosen.conditions() {
        said.push_str(&format!(". Uslovi: {conditions}"));
    }
    if matches!(&chosen.shows, Shows::Groups { by, .. } if by.iter().any(|by| by.set().is_some_and(|field| field.multiselect))) {
        said.push_str(". Unos sa više izabranih stavki broji se kod svake");
    }
    said
}

fn push_groups(out: &mut String, by: &[By], of_all: bool) {
    let head = |by: By| string(&group_head(by, of_all));
    if let [outer, inner] = by {
        let label = match outer {
            By::Month => "{{datum g1 \"MM.yyyy.\"}}",
            _ => "{{g1}}",
        };
        out.push_str(&format!(
            "  {{{{#group by=\"g1\" head={}}}}}{{{{spoji {} \": \"}}}}{label}{{{{/group}}}}\n",
            head(*outer),
            head(*outer)
        ));
        push_group_column(out, "g2", *inner, of_all);
    } else if let [only] = by {
        push_group_column(out, "g1", *only, of_all);
    }
}

fn push_group_column(out: &mut String, name: &str, by: By, of_all: bool) {
    let format = match by {
        By::Month => " format=\"MM.yyyy.\"",
        By::Year => " format=\"0\" align=\"left\"",
        _ => "",
    };
    out.push_str(&format!("  {{{{col \"{name}\" head={} width=140{format}}}}}\n", string(&group_head(by, of_all))));
}

/// Time lies along the axis; the other grouping tells the series apart.
fn push_chart(out: &mut String, kind: ChartKind, by: &[By], measure: usize, head: &str) {
    let along = by.iter().position(By::is_time).unwrap_or(0);
    let series = if by.len() == 2 { format!(" seriesBy=\"g{}\"", 2 - along) } else { String::new() };
    let bucket = if by[along] == By::Month { " bucket=\"month\"" } else { "" };
    let kind = match kind {
        ChartKind::Stubici => "bar",
        ChartKind::Linija => "line",
        ChartKind::Naslagani => "stacked",
        ChartKind::Pita => "pie",
    };
    let number = measure + 1;
    out.push_str(&format!(
        "  {{{{#chart \"{kind}\" x=\"g{}\"{bucket}{series} title={} height=220}}}}\n    {{{{series \"m{number}\" label={}}}}}\n  {{{{/chart}}}}\n",
        along + 1,
        string(head),
        string(head)
    ));
}

fn group_head(by: By, of_all: bool) -> String {
    match by {
        By::Field(field) => field.head(),
        By::Age if of_all => YEARS_HEAD.to_owned(),
        By::Sex => "Pol".to_owned(),
        By::Age => "Starost (godine)".to_owned(),
        By::Month => "Mesec".to_owned(),
        By::Year => "Godina".to_owned(),
    }
}

fn measure_head(measure: Measure) -> String {
    let of = |field: &Field, what: &str| format!("{}, {what}", field.head());
    match measure {
        Measure::Entries => "Broj unosa".to_owned(),
        Measure::Patients => "Broj pacijenata".to_owned(),
        Measure::Share => "Udeo unosa (%)".to_owned(),
        Measure::Filled(field) => format!("{}, broj popunjenih", field.naziv),
        Measure::Mean(field) => of(field, "srednja vrednost"),
        Measure::Median(field) => of(field, "medijana"),
        Measure::Least(field) => of(field, "minimum"),
        Measure::Greatest(field) => of(field, "maksimum"),
        Measure::ShareOfYes(field) => format!("{}, udeo „Da” (%)", field.naziv),
    }
}

/// A mean has one decimal more than what it is of; a median and extremes show what they are.
fn mask(measure: Measure) -> Option<String> {
    match measure {
        Measure::Entries | Measure::Patients | Measure::Filled(_) => Some("#.##0".to_owned()),
        Measure::Share | Measure::ShareOfYes(_) => Some("0,0".to_owned()),
        Measure::Mean(field) => {
            let decimals = field.decimale.map_or(2, |decimals| usize::try_from(decimals).unwrap_or(0) + 1);
            Some(format!("#.##0,{}", "0".repeat(decimals.min(MOST_DECIMALS))))
        }
        Measure::Median(_) | Measure::Least(_) | Measure::Greatest(_) => None,
    }
}

fn cell_head(cell: Cell) -> (String, u32) {
    match cell {
        Cell::Patient => ("Pacijent".to_owned(), 140),
        Cell::Date => ("Datum".to_owned(), 75),
        Cell::Institution => ("Ustanova".to_owned(), 130),
        Cell::Sex => ("Pol".to_owned(), 50),
        Cell::Age => ("Starost".to_owned(), 50),
        Cell::Field(field) => {
            let width = match field.tip_vrednosti {
                ValueType::Text | ValueType::Set => 130,
                ValueType::Date => 75,
                ValueType::Moment => 95,
                _ => 70,
            };
            (field.head(), width)
        }
    }
}
