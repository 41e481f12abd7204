//! The query of an analysis. As that of a chosen report, it is put together from fixed pieces, ids and literals: nothing of anybody's words
//! stands in it.

use std::collections::BTreeSet;

use clinical::patients::search::criteria::Test;
use domain::{exports::WantedStates, report_sql::GROUP_COLUMN};
use platform::error::Result;

use super::{
    choice::{AnalysisScope, AnalysisView, Moment, TimeKind},
    cohort::{CohortSource, EntryChoice, OtherEntry},
    parts::{Event, Parts, Time},
    searches,
    variable::{Classes, Source, Variable},
};
use crate::setup::report_definition::simple::{
    choice::CheckedChoice,
    form::Field,
    literal,
    query::{AGE, column, test, value},
};

/// What is read of the entries of a cohort.
#[derive(Default)]
struct Reads<'a> {
    sex: bool,
    age: bool,
    fields: Vec<&'a Field>,
    /// Numbers of which the first and the last are read.
    moments: Vec<&'a Field>,
}

impl<'a> Reads<'a> {
    fn field(&mut self, field: &'a Field) {
        if !self.fields.iter().any(|known| known.id == field.id) {
            self.fields.push(field);
        }
    }

    fn variable(&mut self, variable: &Variable<'a>) {
        match variable.source {
            Source::Sex => self.sex = true,
            Source::Age => self.age = true,
            Source::Year => {}
            Source::Field(field) if variable.moment == Moment::Unos => self.field(field),
            Source::Field(field) => {
                if !self.moments.iter().any(|known| known.id == field.id) {
                    self.moments.push(field);
                }
            }
        }
    }

    fn of(parts: &Parts<'a>, chosen: &CheckedChoice<'a>) -> Self {
        let mut reads = Self::of_conditions(chosen);
        parts.columns().iter().for_each(|(_, variable)| reads.variable(variable));
        parts.event.iter().chain(&parts.competing).filter_map(|event| event.field).for_each(|field| reads.field(field));
        parts.time.iter().filter_map(|time| time.field).for_each(|field| reads.field(field));
        reads
    }

    fn of_conditions(chosen: &CheckedChoice<'a>) -> Self {
        let mut reads = Self { sex: chosen.male.is_some(), age: chosen.age != (None, None), ..Self::default() };
        chosen.filters.iter().flatten().filter_map(|test| chosen.form.field(test.field().id)).for_each(|field| reads.field(field));
        reads
    }
}

/// Rows of the analysis: one an entry of the cohort, or over all institutions one a group of patients.
pub fn query(parts: &Parts) -> Result<String> {
    let mut sql = push_all(parts)?;
    match parts.scope {
        AnalysisScope::Ustanova => {
            let chosen = parts.cohort.entries(parts.scope.obim())?;
            push_rows(&mut sql, parts, "", searches::columns(parts, &chosen));
        }
        AnalysisScope::Sve => push_groups(&mut sql, parts),
    }
    Ok(sql)
}

/// The rows of one institution, each with its patient before the columns.
pub fn query_of_patients(parts: &Parts) -> Result<String> {
    let mut sql = push_all(parts)?;
    push_rows(&mut sql, parts, "d.pacijent_id, ", Vec::new());
    Ok(sql)
}

fn push_all(parts: &Parts) -> Result<String> {
    let cohort = parts.cohort;
    let chosen = cohort.entries(parts.scope.obim())?;
    let reads = Reads::of(parts, &chosen);
    let mut sql = String::from("-- Analiza: ovaj upit je napravljen od izbora.\n");
    push_cohort(&mut sql, cohort, &chosen, &reads);
    for (other, form) in &cohort.others {
        let fields: Vec<&Field> = reads.fields.iter().copied().filter(|field| field.tip_unosa_id == form.id).collect();
        if !fields.is_empty() {
            push_other(&mut sql, cohort, form.id, other.unos, &fields);
        }
    }
    reads.moments.iter().for_each(|field| push_moments(&mut sql, cohort, field));
    push_data(&mut sql, parts, &reads);
    Ok(sql)
}

/// How many patients and entries the cohort has.
pub fn counts(cohort: &CohortSource) -> Result<String> {
    let chosen = cohort.entries("ustanova")?;
    let mut sql = String::new();
    push_cohort(&mut sql, cohort, &chosen, &Reads::of_conditions(&chosen));
    sql.push_str("\nselect count(distinct i.pacijent_id), count(*) from kohorta i");
    Ok(sql)
}

/// Every entry that the cohort reads, and whether it is one of its rows.
pub fn members(cohort: &CohortSource) -> Result<String> {
    let chosen = cohort.entries("ustanova")?;
    let mut sql = String::new();
    push_cohort(&mut sql, cohort, &chosen, &Reads::of_conditions(&chosen));
    let forms: Vec<String> =
        std::iter::once(cohort.form.id).chain(cohort.others.iter().map(|(_, form)| form.id)).map(|id| id.to_string()).collect();
    sql.push_str(&format!(
        "\nselect u.id, u.id in (select i.id from kohorta i) as clan\n  from report.unos u\n where u.tip_unosa_id in ({}) and u.pacijent_id in \
         (select i.pacijent_id from kohorta i)\n order by u.id",
        forms.join(", ")
    ));
    Ok(sql)
}

/// `unosi`: entries with what is read of them; `kohorta`: those that are its rows.
fn push_cohort(sql: &mut String, cohort: &CohortSource, chosen: &CheckedChoice, reads: &Reads) {
    let mut columns = vec!["u.id".to_owned(), "u.pacijent_id".to_owned(), "u.datum_unosa".to_owned()];
    if reads.sex {
        columns.push("p.pol_trenutni as pol".to_owned());
    }
    let born = [(">=", cohort.choice.rodjenje_od), ("<=", cohort.choice.rodjenje_do)];
    let reads_birth = born.iter().any(|(_, year)| year.is_some());
    if reads.age {
        columns.push(format!("{AGE} as starost"));
    }
    let own = reads.fields.iter().filter(|field| field.tip_unosa_id == cohort.form.id);
    columns.extend(own.map(|field| format!("{} as {}", value(field), column(field.id))));
    sql.push_str(&format!("with unosi as (\n    select {}\n      from report.unos u\n", columns.join(",\n           ")));
    if reads.sex || reads.age || reads_birth {
        sql.push_str("      left join report.pacijent p on p.id = u.pacijent_id\n");
    }
    sql.push_str(&format!("     where u.tip_unosa_id = {}\n", cohort.form.id));
    if let Some((id, _)) = cohort.frozen {
        sql.push_str(&format!("       and u.id in (select k.unos_id from report.clan_kohorte k where k.kohorta_id = {id} and k.clan)\n"));
        sql.push_str("), kohorta as (\n    select * from unosi\n)");
        return;
    }
    sql.push_str(match cohort.choice.stanja {
        WantedStates::Svi => "",
        WantedStates::Zavrseni => "       and u.zavrsen\n",
        WantedStates::Potpisani => "       and u.potpisan\n",
    });
    if chosen.own {
        sql.push_str("       and u.ustanova_id = :ustanovaID::bigint\n");
    }
    for (sign, year) in born {
        if let Some(year) = year {
            sql.push_str(&format!("       and p.godina_rodjenja {sign} {year}\n"));
        }
    }
    for (sign, day) in [(">=", cohort.choice.datum_od), ("<=", cohort.choice.datum_do)] {
        if let Some(day) = day.and_then(literal::date) {
            sql.push_str(&format!("       and u.datum_unosa {sign} {day}\n"));
        }
    }
    if cohort.choice.unosi == EntryChoice::Najnoviji {
        sql.push_str("), najnoviji as (\n    select distinct on (pacijent_id) * from unosi where datum_unosa <= report.danas() order by pacijent_id, datum_unosa desc, id desc\n");
        sql.push_str("), ispunjeni as (\n    select * from najnoviji\n     where true\n");
    } else {
        sql.push_str("), ispunjeni as (\n    select * from unosi\n     where true\n");
    }
    match chosen.male {
        Some(true) => sql.push_str("       and pol\n"),
        Some(false) => sql.push_str("       and not pol\n"),
        None => {}
    }
    for (sign, age) in [(">=", chosen.age.0), ("<=", chosen.age.1)] {
        if let Some(age) = age {
            sql.push_str(&format!("       and starost {sign} {age}\n"));
        }
    }
    if !chosen.filters.is_empty() {
        let group = |tests: &Vec<Test>| format!("({})", tests.iter().map(test).collect::<Vec<_>>().join(" and "));
        let groups: Vec<String> = chosen.filters.iter().map(group).collect();
        sql.push_str(&format!("       and ({})\n", groups.join("\n            or ")));
    }
    let order = match cohort.choice.unosi {
        EntryChoice::Svi | EntryChoice::Najnoviji => return sql.push_str("), kohorta as (\n    select * from ispunjeni\n)"),
        EntryChoice::Prvi => "datum_unosa, id",
        EntryChoice::Poslednji => "datum_unosa desc, id desc",
    };
    sql.push_str(&format!("), kohorta as (\n    select distinct on (pacijent_id) * from ispunjeni order by pacijent_id, {order}\n)"));
}

/// Of a frozen cohort only what it read on its day.
fn only_frozen(cohort: &CohortSource) -> String {
    cohort.frozen.map_or_else(String::new, |(id, _)| {
        format!("\n       and u.id in (select k.unos_id from report.clan_kohorte k where k.kohorta_id = {id})")
    })
}

/// The entry of another form that a patient has.
fn push_other(sql: &mut String, cohort: &CohortSource, form: i64, which: OtherEntry, fields: &[&Field]) {
    let columns: Vec<String> = fields.iter().map(|field| format!("{} as {}", value(field), column(field.id))).collect();
    let order = match which {
        OtherEntry::Prvi => "u.datum_unosa, u.id",
        OtherEntry::Poslednji => "u.datum_unosa desc, u.id desc",
    };
    sql.push_str(&format!(
        ", f{form} as (\n    select distinct on (u.pacijent_id) u.pacijent_id,\n           {}\n      from report.unos u\n     where u.tip_unosa_id = \
         {form}{}\n     order by u.pacijent_id, {order}\n)",
        columns.join(",\n           "),
        only_frozen(cohort)
    ));
}

/// A patient's first and last value of a number.
fn push_moments(sql: &mut String, cohort: &CohortSource, field: &Field) {
    sql.push_str(&format!(
        ", m{} as (\n    select x.pacijent_id, (array_agg(x.v order by x.datum_unosa, x.id))[1] as prva,\n           (array_agg(x.v order by \
         x.datum_unosa desc, x.id desc))[1] as poslednja,\n           case when count(*) > 1 then (array_agg(x.v order by x.datum_unosa desc, x.id \
         desc))[1] - (array_agg(x.v order by x.datum_unosa, x.id))[1] end as promena\n      from (select u.id, u.pacijent_id, u.datum_unosa, {} as v \
         from report.unos u\n     where u.tip_unosa_id = {}{}) x\n     where x.v is not null\n     group by x.pacijent_id\n)",
        field.id,
        value(field),
        field.tip_unosa_id,
        only_frozen(cohort)
    ));
}

/// `podaci`: what every column of the analysis reads; `granice`: quartiles, of those that are cut by them.
fn push_data(sql: &mut String, parts: &Parts, reads: &Reads) {
    let mut columns = vec!["i.id".to_owned(), "i.pacijent_id".to_owned(), "i.datum_unosa".to_owned()];
    columns.extend(parts.columns().iter().map(|(name, variable)| format!("{} as {name}", variable.raw())));
    let of = |field: &Field| {
        if field.tip_unosa_id == parts.cohort.form.id {
            format!("i.{}", column(field.id))
        } else {
            format!("f{}.{}", field.tip_unosa_id, column(field.id))
        }
    };
    match (&parts.event, &parts.time) {
        (Some(event), Some(time)) if time.kind == TimeKind::Datumi => {
            let day = |event: &Event| event.field.map_or_else(|| "s.dan".to_owned(), of);
            let (end, start) = (day(event), time.field.map_or_else(|| "i.datum_unosa".to_owned(), of));
            let mut last = time.censored_on.and_then(literal::date).unwrap_or_else(|| "report.danas()".to_owned());
            if parts.reads_status() {
                // Whoever is lost, has moved or has withdrawn was followed until then.
                last =
                    format!("least({last}, case when r.status in ('izgubljen', 'premesten', 'povukaoSaglasnost') then r.status_dan end)");
            }
            let Some(other) = parts.competing.as_ref().map(day) else {
                columns.push(format!("case when {start} is not null then coalesce({end} <= {last}, false) end as dogadjaj"));
                columns.push(format!("trim_scale(round((least({end}, {last}) - {start}) / {}, 4)) as vreme", time.unit.days()));
                return push_joined(sql, parts, reads, &columns);
            };
            // What came first counts; of one day the event.
            columns.push(format!(
                "case when {start} is not null then coalesce({end} <= {last} and ({other} is null or {end} <= {other}), false) end as dogadjaj"
            ));
            columns.push(format!(
                "case when {start} is not null then coalesce({other} <= {last} and ({end} is null or {other} < {end}), false) end as konkurentni"
            ));
            columns.push(format!("trim_scale(round((least({end}, {other}, {last}) - {start}) / {}, 4)) as vreme", time.unit.days()));
        }
        (event, time) => {
            let cell = |event: &Event, name: &str| Some(format!("{} as {name}", event_cell(event.item, &of(event.field?))));
            columns.extend(event.iter().filter_map(|event| cell(event, "dogadjaj")));
            columns.extend(parts.competing.iter().filter_map(|event| cell(event, "konkurentni")));
            columns.extend(time.iter().filter_map(|time: &Time| Some(format!("{} as vreme", of(time.field?)))));
        }
    }
    push_joined(sql, parts, reads, &columns);
}

/// `podaci` of these columns, with the tables that they read.
fn push_joined(sql: &mut String, parts: &Parts, reads: &Reads, columns: &[String]) {
    sql.push_str(&format!(", podaci as (\n    select {}\n      from kohorta i\n", columns.join(",\n           ")));
    let forms: BTreeSet<i64> = reads.fields.iter().map(|field| field.tip_unosa_id).filter(|id| *id != parts.cohort.form.id).collect();
    for form in forms {
        sql.push_str(&format!("      left join f{form} on f{form}.pacijent_id = i.pacijent_id\n"));
    }
    if parts.reads_status() {
        sql.push_str(&format!(
            "      left join report.status s on s.pacijent_id = i.pacijent_id and s.status = 'preminuo' and s.vazi\n      \
             left join report.pacijent_registar r on r.pacijent_id = i.pacijent_id and r.registar_id = {}\n",
            parts.cohort.form.registar_id
        ));
    }
    for field in &reads.moments {
        sql.push_str(&format!("      left join m{0} on m{0}.pacijent_id = i.pacijent_id\n", field.id));
    }
    sql.push(')');
    let cut: Vec<String> = parts
        .columns()
        .iter()
        .filter(|(_, variable)| variable.classes == Classes::Quartiles)
        .map(|(name, _)| format!("percentile_cont(array[0.25, 0.5, 0.75]) within group (order by {name}) as {name}"))
        .collect();
    if !cut.is_empty() {
        sql.push_str(&format!(", granice as (\n    select {}\n      from podaci\n)", cut.join(",\n           ")));
    }
}

fn event_cell(item: Option<i64>, column: &str) -> String {
    match item {
        Some(item) => format!(
            "case when {column} is not null then exists (select from jsonb_array_elements_text({column}) t (stavka) where t.stavka::bigint = {item}) end"
        ),
        None => column.to_owned(),
    }
}

/// `unprinted` stands behind the columns of the analysis.
fn push_rows(sql: &mut String, parts: &Parts, first: &str, unprinted: Vec<String>) {
    // A drawing has words on its axis.
    let in_words =
        |name: &str, variable: &Variable| matches!(name, "po" | "sloj") || (parts.view == AnalysisView::Raspodela && !variable.is_number());
    let mut cells: Vec<String> =
        parts.columns().iter().map(|(name, variable)| format!("{} as {name}", variable.cell(name, in_words(name, variable)))).collect();
    cells.extend(parts.event.iter().map(|_| "d.dogadjaj".to_owned()));
    cells.extend(parts.competing.iter().map(|_| "d.konkurentni".to_owned()));
    cells.extend(parts.time.iter().map(|_| "d.vreme".to_owned()));
    cells.extend(unprinted);
    sql.push_str(&format!("\nselect {first}{}\n  from podaci d\n", cells.join(",\n       ")));
    if parts.columns().iter().any(|(_, variable)| variable.classes == Classes::Quartiles) {
        sql.push_str(" cross join granice g\n");
    }
    sql.push_str(" order by d.datum_unosa, d.id\n");
}

/// For each variable the sizes of its cells, each saying whose data it holds: `n1` counts those of `v1`.
fn push_groups(sql: &mut String, parts: &Parts) {
    let count = parts.variables.len();
    let by = parts.by.as_ref().map(|by| by.cell("po", true));
    for (index, variable) in parts.variables.iter().enumerate() {
        sql.push_str(if index == 0 { "\nselect " } else { "\nunion all\nselect " });
        let cell = variable.cell(&format!("v{}", index + 1), true);
        let mut cells: Vec<String> = by.iter().map(|by| format!("{by} as po")).collect();
        for place in 0..count {
            let (value, size) = if place == index { (cell.as_str(), "count(*)") } else { ("null::text", "null::bigint") };
            cells.push(format!("{value} as v{}", place + 1));
            cells.push(format!("{size} as n{}", place + 1));
        }
        cells.push(format!("array_agg(distinct d.pacijent_id) as {GROUP_COLUMN}"));
        sql.push_str(&format!("{}\n  from podaci d\n group by ", cells.join(",\n       ")));
        sql.push_str(&by.iter().cloned().chain([cell]).collect::<Vec<_>>().join(", "));
    }
    sql.push('\n');
}
