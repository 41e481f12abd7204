//! The query of a chosen report. It is put together from fixed pieces, ids, and literals of `literal`; nothing of a form's or a
//! designer's words stands in it.

use clinical::patients::search::criteria::{Test, date_of};
use domain::{
    clock,
    entry::stale,
    register::ValueType,
    report_sql::{GROUP_COLUMN, PATIENT_COLUMN},
};
use platform::error::{Error, Result};

use super::{
    choice::{By, Cell, CheckedChoice, Measure, Shows},
    form::Field,
    literal, searches,
};

const MISSING: &str = "'Bez podatka'";
/// Whole years on the day of the visit; over all institutions the difference of the years.
pub const AGE: &str =
    "coalesce(extract(year from age(u.datum_unosa, p.datum_rodjenja)), extract(year from u.datum_unosa) - p.godina_rodjenja)::int";
const COLLATION: &str = "collate \"sr-Latn-x-icu\"";

pub fn query(chosen: &CheckedChoice) -> String {
    let mut sql = String::from("-- Jednostavan izveštaj: ovaj upit je napravljen od izbora u dizajneru.\n");
    push_entries(&mut sql, chosen);
    match &chosen.shows {
        Shows::List(cells) => push_list(&mut sql, cells, tells_marks(chosen)),
        Shows::Indicator(indicator) => indicator.push_query(&mut sql, chosen),
        Shows::Groups { by, measures, .. } if by.is_empty() => {
            let lines = measures.iter().enumerate().map(|(index, measure)| format!("{} as m{}", whole(*measure), index + 1));
            let lines: Vec<String> = lines
                .chain(tells_marks(chosen).then(marks_of_group))
                .chain(guards(chosen, measures))
                .chain(searches::columns(chosen, by, measures))
                .collect();
            sql.push_str(&format!("select {}\n  from izabrani i\n", lines.join(",\n       ")));
        }
        Shows::Groups { by, measures, .. } => {
            let unprinted: Vec<String> = guards(chosen, measures).into_iter().chain(searches::columns(chosen, by, measures)).collect();
            push_groups(&mut sql, by, measures, tells_marks(chosen), &unprinted);
        }
    }
    sql
}

/// How many an indicator is of: of a choice without a period.
pub fn counts(chosen: &CheckedChoice) -> Result<String> {
    let Shows::Indicator(indicator) = &chosen.shows else {
        return Err(Error::invalid("prikaz", "Broje se pacijenti indikatora: izaberite prikaz „Indikator”."));
    };
    let mut sql = String::new();
    push_entries(&mut sql, chosen);
    indicator.push_counts(&mut sql);
    Ok(sql)
}

/// `unosi`: the entries with the values that are used; `izabrani`: those that pass the conditions.
fn push_entries(sql: &mut String, chosen: &CheckedChoice) {
    let mut columns = vec!["u.id".to_owned(), "u.pacijent_id".to_owned(), "u.datum_unosa".to_owned()];
    let uses = Uses::of(chosen);
    if matches!(chosen.shows, Shows::Indicator(_)) {
        columns.push("u.ustanova_id".to_owned());
    }
    if uses.institution {
        columns.push("s.naziv as ustanova".to_owned());
    }
    if uses.name {
        columns.push("p.ime_prezime".to_owned());
    }
    if uses.sex {
        columns.push("p.pol_trenutni as pol".to_owned());
    }
    if uses.age {
        columns.push(format!("{AGE} as starost"));
    }
    let numbers = uses.numbers();
    if !numbers.is_empty() {
        columns.extend(["z.oznaceno", "z.napomena"].map(str::to_owned));
    }
    columns.extend(uses.fields.iter().map(|field| format!("{} as {}", value(field), column(field.id))));
    sql.push_str("with unosi as (\n    select ");
    sql.push_str(&columns.join(",\n           "));
    sql.push_str("\n      from report.unos u\n");
    if uses.name || uses.sex || uses.age {
        sql.push_str("      left join report.pacijent p on p.id = u.pacijent_id\n");
    }
    if uses.institution {
        sql.push_str("      left join report.ustanova s on s.id = u.ustanova_id\n");
    }
    if !numbers.is_empty() {
        let fields = numbers.iter().map(|field| field.id.to_string()).collect::<Vec<_>>().join(", ");
        sql.push_str(&format!(
            "      left join (select unos_id, count(*) as oznaceno, {} as napomena\n                   \
             from report.zastareo where tip_unosa_id = {} and polje_id in ({fields}) group by unos_id) z on z.unos_id = u.id\n",
            words_of_marks(),
            chosen.form.id
        ));
    }
    sql.push_str(&format!("     where u.tip_unosa_id = {}\n", chosen.form.id));
    if chosen.own {
        sql.push_str("       and u.ustanova_id = :ustanovaID::bigint\n");
    }
    if chosen.period {
        sql.push_str("       and u.datum_unosa >= coalesce(:od::date, '-infinity') and u.datum_unosa <= coalesce(:do::date, 'infinity')\n");
    }
    sql.push_str("), izabrani as (\n    select * from unosi\n     where true\n");
    match chosen.male {
        Some(true) => sql.push_str("       and pol\n"),
        Some(false) => sql.push_str("       and not pol\n"),
        None => {}
    }
    if let Some(from) = chosen.age.0 {
        sql.push_str(&format!("       and starost >= {from}\n"));
    }
    if let Some(to) = chosen.age.1 {
        sql.push_str(&format!("       and starost <= {to}\n"));
    }
    if !chosen.filters.is_empty() {
        let group = |tests: &Vec<Test>| format!("({})", tests.iter().map(test).collect::<Vec<_>>().join(" and "));
        let groups: Vec<String> = chosen.filters.iter().map(group).collect();
        sql.push_str(&format!("       and ({})\n", groups.join("\n            or ")));
    }
    sql.push(')');
}

/// What is said of an entry's marked values, each with its field and in the words of `Stale::words`.
fn words_of_marks() -> String {
    let [unit, no_unit, unchecked, form, other] =
        [stale::OTHER_UNIT, stale::NO_UNIT, stale::UNCHECKED_RESULT, stale::OTHER_FORM, stale::OTHER_RESULT].map(literal::text);
    format!(
        "string_agg(polje || ': ' || case razlog when 'jedinica' then coalesce({unit} || nullif(btrim(jedinica), ''), {no_unit})
                                         when 'neprovereno' then {unchecked} when 'drugi_formular' then {form} else {other} end, '; ' order by polje, polje_id)"
    )
}

/// What is read of an entry.
#[derive(Default)]
struct Uses<'a> {
    fields: Vec<&'a Field>,
    name: bool,
    sex: bool,
    age: bool,
    institution: bool,
}

impl<'a> Uses<'a> {
    fn of(chosen: &CheckedChoice<'a>) -> Self {
        let mut uses = Self { sex: chosen.male.is_some(), age: chosen.age != (None, None), ..Self::default() };
        chosen.filters.iter().flatten().filter_map(|test| chosen.form.field(test.field().id)).for_each(|field| uses.field(field));
        match &chosen.shows {
            Shows::List(cells) => {
                for cell in cells {
                    match cell {
                        Cell::Field(field) => uses.field(field),
                        Cell::Patient => uses.name = true,
                        Cell::Sex => uses.sex = true,
                        Cell::Age => uses.age = true,
                        Cell::Institution => uses.institution = true,
                        Cell::Date => {}
                    }
                }
            }
            Shows::Groups { by, measures, .. } => {
                for by in by {
                    match by {
                        By::Field(field) => uses.field(field),
                        By::Sex => uses.sex = true,
                        By::Age => uses.age = true,
                        By::Month | By::Year => {}
                    }
                }
                measures.iter().filter_map(|measure| measure.field()).for_each(|field| uses.field(field));
            }
            Shows::Indicator(indicator) => indicator.fields(chosen.form).for_each(|field| uses.field(field)),
        }
        uses
    }

    /// Fields of which a value may be marked: of a former unit or by a former formula.
    fn numbers(&self) -> Vec<&'a Field> {
        self.fields.iter().copied().filter(|field| field.tip_vrednosti == ValueType::Number).collect()
    }

    fn field(&mut self, field: &'a Field) {
        if !self.fields.contains(&field) {
            self.fields.push(field);
        }
    }
}

/// Whether the report says of its rows which of their values are marked (`napomena`).
pub fn tells_marks(chosen: &CheckedChoice) -> bool {
    !Uses::of(chosen).numbers().is_empty()
}

pub fn column(field: i64) -> String {
    format!("p{field}")
}

/// The value of a field, null where there is none. A value of another kind, from before the field's type was changed, is none.
pub fn value(field: &Field) -> String {
    let stored = format!("u.vrednosti -> '{}'", field.id);
    let of = |kind: &str, value: String| format!("case when jsonb_typeof({stored}) = '{kind}' then {value} end");
    let text = format!("({stored} #>> '{{}}')");
    match field.tip_vrednosti {
        ValueType::Number => of("number", format!("{text}::numeric")),
        ValueType::Choice => of("boolean", format!("{text}::boolean")),
        ValueType::Date => of("string", format!("nullif({text}, '')::date")),
        ValueType::Time => of("string", format!("nullif({text}, '')::time")),
        ValueType::Moment => of("string", format!("nullif({text}, '')::timestamp")),
        ValueType::Set => of("array", format!("nullif({stored}, '[]')")),
        _ => of("string", format!("nullif(btrim({text}), '')")),
    }
}

/// Whether the columns of an entry pass it.
pub fn test(test: &Test) -> String {
    let column = column(test.field().id);
    match test {
        Test::Filled(_) => format!("{column} is not null"),
        Test::Without(inner) => format!("({}) is not true", self::test(inner)),
        Test::Text { pattern, negated, .. } => {
            format!("report.fold({column}) {}like {}", if *negated { "not " } else { "" }, literal::text(pattern))
        }
        Test::Number { field, value, .. } if field.value_type == ValueType::Choice => format!("{column} = {}", *value == 1.0),
        Test::Number { field, value, .. } if field.value_type == ValueType::Set => {
            format!("exists (select from jsonb_array_elements_text({column}) t (stavka) where t.stavka::bigint = {})", *value as i64)
        }
        Test::Number { field, comparison, value } => {
            let literal = match field.value_type {
                ValueType::Date => date_of(*value).and_then(literal::date),
                ValueType::Time => Some(literal::time(clock::time_at(*value as i64))),
                ValueType::Moment => clock::at_wall_minutes(*value as i64).map(literal::moment),
                _ => literal::number(*value),
            };
            format!("{column} {} {}", comparison.sql(), literal.unwrap_or_else(|| "null".to_owned()))
        }
    }
}

/// How many values of a group are marked.
fn marks_of_group() -> String {
    "case when sum(i.oznaceno) > 0 then 'Po ranijoj formuli ili jedinici: ' || sum(i.oznaceno) end as napomena".to_owned()
}

/// Over all institutions: whose data a group holds, and whose a measure, which neither shows nor lacks few. A share of answers is also the
/// number of those who gave the other.
fn guards(chosen: &CheckedChoice, measures: &[Measure]) -> Vec<String> {
    if !chosen.of_all {
        return Vec::new();
    }
    let patients = |of: String, rest: String| format!("array_agg(distinct i.pacijent_id){of} as \"{GROUP_COLUMN}{rest}\"");
    let has_totals = matches!(&chosen.shows, Shows::Groups { by, .. } if !by.is_empty());
    let totals: Vec<String> = (1..=measures.len()).map(|number| format!("u{number}")).collect();
    let mut guards = vec![patients(String::new(), if has_totals { format!(" / {}", totals.join(" ")) } else { String::new() })];
    for (index, measure) in measures.iter().enumerate() {
        let number = index + 1;
        let cells = if has_totals { format!(" m{number} / u{number}") } else { format!(" m{number}") };
        let Some(column) = measure.field().map(|field| column(field.id)) else { continue };
        let tests = match measure {
            Measure::ShareOfYes(_) => vec![format!("i.{column}"), format!("not i.{column}")],
            _ => vec![format!("i.{column} is not null")],
        };
        guards.extend(tests.into_iter().map(|test| patients(format!(" filter (where {test})"), cells.clone())));
    }
    guards
}

fn push_list(sql: &mut String, cells: &[Cell], tells_marks: bool) {
    let mut lines: Vec<String> = cells.iter().enumerate().map(|(index, cell)| format!("{} as k{}", shown(cell), index + 1)).collect();
    lines.extend(tells_marks.then(|| "i.napomena".to_owned()));
    if cells.iter().any(|cell| matches!(cell, Cell::Patient)) {
        // Not printed: by it the record of looks knows whom the list names.
        lines.push(format!("i.{PATIENT_COLUMN}"));
    }
    sql.push_str(&format!("\nselect {}\n  from izabrani i\n", lines.join(",\n       ")));
    let collation = if matches!(cells.first(), Some(cell) if is_text(cell)) { format!(" {COLLATION}") } else { String::new() };
    // An output column's name cannot stand in an expression.
    let first = cells.first().map_or_else(|| "i.id".to_owned(), shown);
    sql.push_str(&format!(" order by {first}{collation} nulls last, i.datum_unosa, i.id\n"));
}

fn is_text(cell: &Cell) -> bool {
    match cell {
        Cell::Field(field) => matches!(field.tip_vrednosti, ValueType::Text | ValueType::Set | ValueType::Choice),
        Cell::Patient | Cell::Institution | Cell::Sex => true,
        Cell::Date | Cell::Age => false,
    }
}

/// A cell of a list.
fn shown(cell: &Cell) -> String {
    match cell {
        Cell::Patient => "i.ime_prezime".to_owned(),
        Cell::Date => "i.datum_unosa".to_owned(),
        Cell::Institution => "i.ustanova".to_owned(),
        Cell::Sex => "case when i.pol then 'Muški' when not i.pol then 'Ženski' end".to_owned(),
        Cell::Age => "i.starost".to_owned(),
        Cell::Field(field) => {
            let column = column(field.id);
            match field.tip_vrednosti {
                ValueType::Number => format!("trim_scale(i.{column})"),
                ValueType::Choice => format!("case when i.{column} then 'Da' when not i.{column} then 'Ne' end"),
                ValueType::Set => items(&format!("i.{column}")),
                _ => format!("i.{column}"),
            }
        }
    }
}

/// The names of the items of a set, in their order.
pub fn items(column: &str) -> String {
    format!(
        "(select string_agg(coalesce(n.naziv, 'Obrisana stavka ' || x.id), ', ' order by n.redosled, x.id)\n          from (select distinct \
         t.stavka::bigint as id from jsonb_array_elements_text({column}) t (stavka)) x left join report.stavka n on n.id = x.id)"
    )
}

/// `redovi`: an entry for each group that it stands in; `ukupno`: the same measures over all of them, which no sum of groups would give.
fn push_groups(sql: &mut String, by: &[By], measures: &[Measure], tells_marks: bool, unprinted: &[String]) {
    let groups: Vec<Group> = by.iter().enumerate().map(|(index, by)| Group::of(*by, index + 1)).collect();
    sql.push_str(", redovi as (\n    select i.*");
    for group in &groups {
        for (name, expression) in &group.columns {
            sql.push_str(&format!(",\n           {expression} as {name}"));
        }
    }
    sql.push_str("\n      from izabrani i\n");
    for group in &groups {
        sql.push_str(&group.join);
    }
    sql.push_str("), ukupno as (\n    select count(*) as unosa");
    for (index, measure) in measures.iter().enumerate() {
        sql.push_str(&format!(",\n           {} as u{}", whole(*measure), index + 1));
    }
    sql.push_str("\n      from izabrani i\n)\nselect ");
    let entries = if by.iter().any(|by| by.set().is_some()) { "count(distinct i.id)" } else { "count(*)" };
    let mut lines: Vec<String> = groups.iter().map(|group| format!("i.{}", group.name)).collect();
    let measured =
        measures.iter().enumerate().map(|(index, measure)| format!("{} as m{}, k.u{}", part(*measure, entries), index + 1, index + 1));
    lines.extend(measured);
    lines.extend(tells_marks.then(marks_of_group));
    lines.extend_from_slice(unprinted);
    sql.push_str(&lines.join(",\n       "));
    sql.push_str("\n  from redovi i\n cross join ukupno k\n group by ");
    let mut keys: Vec<String> = groups.iter().flat_map(|group| group.columns.iter().map(|(name, _)| format!("i.{name}"))).collect();
    keys.push("k.unosa".to_owned());
    keys.extend((1..=measures.len()).map(|index| format!("k.u{index}")));
    sql.push_str(&keys.join(", "));
    let order: Vec<String> = groups.iter().flat_map(|group| group.order.clone()).collect();
    sql.push_str(&format!("\n order by {}\n", order.join(", ")));
}

/// How entries are put into groups: what tells groups apart, their name, their order.
struct Group {
    name: String,
    columns: Vec<(String, String)>,
    order: Vec<String>,
    join: String,
}

impl Group {
    fn of(by: By, number: usize) -> Self {
        let (name, rank) = (format!("g{number}"), format!("g{number}_red"));
        let mut join = String::new();
        let (label, ranked) = match by {
            // A day of the month and a year are there always.
            By::Month => return Self::plain(name, "date_trunc('month', i.datum_unosa)::date"),
            By::Year => return Self::plain(name, "extract(year from i.datum_unosa)::int"),
            By::Sex => (yes_no("i.pol", "Muški", "Ženski"), "case when i.pol then 1 when not i.pol then 2 end".to_owned()),
            By::Age => {
                (format!("coalesce((i.starost / 10 * 10) || '–' || (i.starost / 10 * 10 + 9), {MISSING})"), "i.starost / 10".to_owned())
            }
            By::Field(field) => {
                let column = format!("i.{}", column(field.id));
                match field.tip_vrednosti {
                    ValueType::Choice => (yes_no(&column, "Da", "Ne"), format!("case when {column} then 1 when not {column} then 2 end")),
                    ValueType::Set => {
                        join = format!(
                            "      left join lateral (select distinct t.stavka::bigint as id from jsonb_array_elements_text({column}) t (stavka)) x{number} on true\n      \
                             left join report.stavka n{number} on n{number}.id = x{number}.id\n"
                        );
                        let key = format!("{name}_stavka");
                        let label = format!("coalesce(n{number}.naziv, 'Obrisana stavka ' || x{number}.id, {MISSING})");
                        return Self {
                            columns: vec![
                                (name.clone(), label),
                                (rank.clone(), format!("n{number}.redosled")),
                                (key.clone(), format!("x{number}.id")),
                            ],
                            order: vec![format!("i.{rank} nulls last"), format!("i.{key} nulls last")],
                            name,
                            join,
                        };
                    }
                    ValueType::Number => (format!("coalesce(report.tekst_broja({column}), {MISSING})"), column),
                    _ => (format!("coalesce({column}, {MISSING})"), format!("({column} is null)")),
                }
            }
        };
        let collated = format!("i.{name} {COLLATION}");
        Self {
            columns: vec![(name.clone(), label), (rank.clone(), ranked)],
            order: vec![format!("i.{rank} nulls last"), collated],
            name,
            join,
        }
    }

    fn plain(name: String, expression: &str) -> Self {
        Self { columns: vec![(name.clone(), expression.to_owned())], order: vec![format!("i.{name}")], name, join: String::new() }
    }
}

fn yes_no(column: &str, yes: &str, no: &str) -> String {
    format!("case when {column} then '{yes}' when not {column} then '{no}' else {MISSING} end")
}

/// A measure of a group.
fn part(measure: Measure, entries: &str) -> String {
    match measure {
        Measure::Entries => entries.to_owned(),
        Measure::Share => format!("{entries} * 100.0 / nullif(k.unosa, 0)"),
        Measure::Filled(field) if entries != "count(*)" => {
            format!("count(distinct i.id) filter (where i.{} is not null)", column(field.id))
        }
        measure => whole(measure),
    }
}

/// A measure of all entries.
fn whole(measure: Measure) -> String {
    let of = |field: &Field| format!("i.{}", column(field.id));
    match measure {
        Measure::Entries => "count(*)".to_owned(),
        Measure::Patients => "count(distinct i.pacijent_id)".to_owned(),
        Measure::Share => "case when count(*) > 0 then 100.0 end".to_owned(),
        Measure::Filled(field) => format!("count({})", of(field)),
        Measure::Mean(field) => format!("trim_scale(round(avg({}), 10))", of(field)),
        Measure::Median(field) => {
            format!("trim_scale(round((percentile_cont(0.5) within group (order by {}))::numeric, 10))", of(field))
        }
        Measure::Least(field) => extreme("min", field),
        Measure::Greatest(field) => extreme("max", field),
        Measure::ShareOfYes(field) => {
            let column = of(field);
            format!("count(*) filter (where {column}) * 100.0 / nullif(count({column}), 0)")
        }
    }
}

fn extreme(function: &str, field: &Field) -> String {
    let found = format!("{function}(i.{})", column(field.id));
    if field.tip_vrednosti == ValueType::Number { format!("trim_scale({found})") } else { found }
}
