//! A share of quality that is chosen: of those whom the conditions of the report name, for how many it is so. Of whom it cannot be told, because
//! a value is missing, is no part of the share, and how many they are is shown beside it.

use clinical::patients::search::criteria::{CriterionRow, Groups, Test};
use domain::{report_screen::SEARCH_COLUMN, report_sql::GROUP_COLUMN};
use platform::error::{Error, Result};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::{
    choice::{CheckedChoice, filters},
    form::{Field, Form},
    literal::string,
    query::{column, test},
    searches::{MOST_ROWS, days, jsonb, parts, within},
};

#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[schema(as = SimpleReportIndicator)]
#[serde(deny_unknown_fields)]
pub struct IndicatorChoice {
    /// For whom it is so: rows as those of the conditions, about the same entry.
    pub brojilac: Vec<CriterionRow>,
    pub broji: CountedUnit,
    /// The steps of the run chart.
    pub vreme: TimeStep,
    pub smer: BetterWhen,
    /// In percent.
    pub cilj: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum CountedUnit {
    /// Patients with such an entry, each once.
    Pacijente,
    Unose,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum TimeStep {
    Mesec,
    Kvartal,
    Godina,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum BetterWhen {
    Vise,
    Manje,
}

/// An indicator after it was held against its form.
pub struct Indicator<'a> {
    choice: &'a IndicatorChoice,
    groups: Groups,
    /// Fields whose values must be there before it can be told, of each group.
    needed: Vec<Vec<&'a Field>>,
}

impl<'a> Indicator<'a> {
    pub fn of(choice: Option<&'a IndicatorChoice>, form: &'a Form, of_all: bool) -> Result<Self> {
        let choice = choice.ok_or_else(|| Error::invalid("brojilac", NO_NUMERATOR))?;
        if choice.brojilac.is_empty() {
            return Err(Error::invalid("brojilac", NO_NUMERATOR));
        }
        if choice.cilj.is_some_and(|target| !(0.0..=100.0).contains(&target)) {
            return Err(Error::invalid("cilj", "Cilj je procenat, od 0 do 100."));
        }
        let groups = filters(&choice.brojilac, form, of_all, "brojilac")?;
        let needed = |group: &Vec<Test>| {
            let mut fields: Vec<&Field> = Vec::new();
            for field in group.iter().filter(|test| !asks_for_presence(test)).filter_map(|test| form.field(test.field().id)) {
                if !fields.contains(&field) {
                    fields.push(field);
                }
            }
            fields
        };
        let needed = groups.iter().map(needed).collect();
        Ok(Self { choice, groups, needed })
    }

    pub fn fields<'b>(&self, form: &'b Form) -> impl Iterator<Item = &'b Field> {
        self.groups.iter().flatten().filter_map(move |test| form.field(test.field().id))
    }

    /// All values that must be there, each once.
    fn all_needed(&self) -> Vec<&'a Field> {
        let mut all: Vec<&Field> = Vec::new();
        for field in self.needed.iter().flatten() {
            if !all.contains(field) {
                all.push(field);
            }
        }
        all
    }

    /// Whether it is so of the entry: a blank is no finding.
    fn is_so(&self) -> String {
        let group = |(tests, needed): (&Vec<Test>, &Vec<&Field>)| {
            let tests = tests.iter().map(test).chain(needed.iter().map(|field| filled(field)));
            format!("({})", tests.collect::<Vec<_>>().join(" and "))
        };
        self.groups.iter().zip(&self.needed).map(group).collect::<Vec<_>>().join(" or ")
    }

    fn is_known(&self) -> String {
        let all = self.all_needed();
        if all.is_empty() {
            return "true".to_owned();
        }
        all.into_iter().map(filled).collect::<Vec<_>>().join(" and ")
    }

    fn count(&self, of: &str) -> String {
        match self.choice.broji {
            CountedUnit::Pacijente => format!("count(distinct i.pacijent_id) filter (where {of})"),
            CountedUnit::Unose => format!("count(*) filter (where {of})"),
        }
    }

    /// `ocenjeni`: the chosen entries with what is told of each.
    fn push_judged(&self, sql: &mut String) {
        sql.push_str(&format!(
            ", ocenjeni as (\n    select i.*, coalesce({so}, false) as ispunjen, coalesce({so}, false) or coalesce({}, false) as zna\n      from izabrani i\n)",
            self.is_known(),
            so = self.is_so(),
        ));
    }

    /// How many there are, of how many it can be told, and for how many it is so.
    pub fn push_counts(&self, sql: &mut String) {
        self.push_judged(sql);
        let counts = ["true", "i.zna", "i.ispunjen"].map(|of| self.count(of)).join(", ");
        sql.push_str(&format!("\nselect {counts}, count(*) filter (where i.zna), count(*) from ocenjeni i"));
    }

    /// Sums by time, over all institutions also by hospital, and of all.
    pub fn push_query(&self, sql: &mut String, chosen: &CheckedChoice) {
        let step = self.choice.vreme;
        self.push_judged(sql);
        let hospital = if chosen.of_all { ", i.ustanova_id" } else { "" };
        let mut lines = vec![format!("date_trunc('{}', i.datum_unosa)::date as pocetak", step.unit())];
        if chosen.of_all {
            lines.push("i.ustanova_id".to_owned());
        }
        sql.push_str(", svrstani as (\n    select i.pacijent_id, i.ispunjen, i.zna, ");
        sql.push_str(&format!("{}\n      from ocenjeni i\n), zbir as (\n    select i.pocetak{hospital},\n           ", lines.join(", ")));
        let mut sums = vec![
            format!("{} as podobni", self.count("true")),
            format!("{} as imenilac", self.count("i.zna")),
            format!("{} as brojilac", self.count("i.ispunjen")),
        ];
        if chosen.of_all {
            // Whose data a row holds, whom its numbers count, and who of the row is not in them.
            let patients = |of: &str, cells: &str| format!("array_agg(distinct i.pacijent_id){of} as \"{GROUP_COLUMN}{cells}\"");
            sums.push(patients("", ""));
            sums.push(patients(" filter (where i.ispunjen)", " brojilac"));
            sums.push(patients(" filter (where i.zna and not i.ispunjen)", " brojilac "));
            sums.push(patients(" filter (where not i.zna)", " podobni"));
        }
        let sets = if chosen.of_all { "((i.pocetak), (i.ustanova_id), ())" } else { "((i.pocetak), ())" };
        sql.push_str(&format!("{}\n      from svrstani i\n     group by grouping sets {sets}\n)\nselect ", sums.join(",\n           ")));
        let mut cells = vec![format!("to_char(z.pocetak, '{}') as vreme", step.mask())];
        if chosen.of_all {
            // A digest that names nobody, another for each reader and each day: letters follow its order.
            cells.push(
                "case when z.ustanova_id is not null then md5(:radnikID::text || ' ' || z.ustanova_id::text || ' ' || current_date::text) end as ustanova"
                    .to_owned(),
            );
            cells.push("z.ustanova_id = :ustanovaID::bigint as moja".to_owned());
        }
        cells.push("z.*".to_owned());
        cells.extend(self.searches(chosen));
        let order = if chosen.of_all { "z.pocetak nulls last, ustanova nulls last" } else { "z.pocetak nulls last" };
        sql.push_str(&format!("{}\n  from zbir z\n order by {order}\n", cells.join(",\n       ")));
    }

    /// The searches of both numbers; none of a number whose conditions a search has no criteria for.
    fn searches(&self, chosen: &CheckedChoice) -> Vec<String> {
        if chosen.age != (None, None) {
            return Vec::new();
        }
        let Some(conditions) = parts(chosen.form, chosen.rows) else { return Vec::new() };
        let Some(so) = parts(chosen.form, &self.choice.brojilac) else { return Vec::new() };
        if self.all_needed().iter().any(|field| !field.pretrazuje_se) {
            return Vec::new();
        }
        let present = |field: &&Field| json!({ "veza": "i", "poljeID": field.id, "operator": "popunjeno" });
        let so: Vec<Vec<Value>> = so
            .into_iter()
            .zip(self.groups.iter().zip(&self.needed))
            .map(|(mut rows, (tests, needed))| {
                // Other tests hold of what is there alone.
                let passes_blank =
                    |field: &&&Field| tests.iter().any(|test| matches!(test, Test::Without(_)) && test.field().id == field.id);
                rows.extend(needed.iter().filter(passes_blank).map(present));
                rows
            })
            .collect();
        let all_present: Vec<Value> = self.all_needed().iter().map(present).collect();
        let known = if self.needed.iter().all(|needed| needed.len() == self.all_needed().len()) {
            vec![all_present]
        } else {
            so.iter().cloned().chain([all_present]).collect()
        };
        let columns = [("brojilac", so), ("imenilac", known)];
        let told = columns.into_iter().filter_map(|(name, rows)| {
            let rows = joined(&conditions, &rows)?;
            Some(format!("{} as \"{SEARCH_COLUMN} {name}\"", self.search(chosen, &rows)))
        });
        told.collect()
    }

    fn search(&self, chosen: &CheckedChoice, rows: &[Value]) -> String {
        let step = self.choice.vreme;
        let period = chosen.period.then(|| (":od::date".to_owned(), ":do::date".to_owned()));
        let within_step = within(period.clone(), "z.pocetak", &format!("(z.pocetak + interval '{} - 1 day')::date", step.length()));
        let by_step = days(Some(&within_step));
        let whole = days(period.as_ref());
        let own = if chosen.of_all { "z.ustanova_id is not null".to_owned() } else { chosen.own.to_string() };
        let day = |place: usize| format!("case when z.pocetak is null then {} else {} end", whole[place], by_step[place]);
        let sex = chosen.male.map_or_else(|| "null".to_owned(), |male| male.to_string());
        let search = format!(
            "jsonb_build_object('registarID', {}, 'pol', {sex}, 'unos', jsonb_build_object('tipUnosaID', {}, 'od', {}, 'do', {}, 'svoj', {own}), 'uslovi', \
             {}, 'unosi', {}, 'sveUstanove', {})::text",
            chosen.form.registar_id,
            chosen.form.id,
            day(0),
            day(1),
            jsonb(&Value::from(rows.to_vec())),
            self.choice.broji == CountedUnit::Unose,
            chosen.of_all
        );
        // Of another hospital's numbers nobody is led to whom they count.
        if chosen.of_all {
            format!("case when z.ustanova_id is null or z.ustanova_id = :ustanovaID::bigint then {search} end")
        } else {
            search
        }
    }

    /// Its block of the template.
    pub fn push_block(&self, out: &mut String, chosen: &CheckedChoice) {
        let said = chosen.said_rows(&self.groups, &self.choice.brojilac);
        let counted = match self.choice.broji {
            CountedUnit::Pacijente => "Pacijenti",
            CountedUnit::Unose => "Unosi",
        };
        let unit = if chosen.of_all { " unit=\"ustanova\" own=\"moja\"" } else { "" };
        let target = self.choice.cilj.map(|target| format!(" target={target}")).unwrap_or_default();
        let direction = match self.choice.smer {
            BetterWhen::Vise => "higher",
            BetterWhen::Manje => "lower",
        };
        out.push_str(&format!(
            "  {{{{#indicator numerator=\"brojilac\" denominator=\"imenilac\" eligible=\"podobni\" by=\"vreme\"{unit} direction=\"{direction}\"{target} \
             title={}}}}}\n    {{{{variable \"brojilac\" label={}}}}}{{{{variable \"imenilac\" label={}}}}}{{{{variable \"vreme\" label={}}}}}\n  {{{{/indicator}}}}\n",
            string(&said),
            string(&format!("{counted} kod kojih jeste")),
            string(&format!("{counted} za koje može da se kaže")),
            string(self.choice.vreme.name()),
        ));
    }
}

impl TimeStep {
    fn unit(self) -> &'static str {
        match self {
            Self::Mesec => "month",
            Self::Kvartal => "quarter",
            Self::Godina => "year",
        }
    }

    fn length(self) -> &'static str {
        match self {
            Self::Mesec => "1 month",
            Self::Kvartal => "3 months",
            Self::Godina => "1 year",
        }
    }

    /// As text, so that it sorts as time does.
    fn mask(self) -> &'static str {
        match self {
            Self::Mesec => "YYYY-MM",
            Self::Kvartal => "YYYY/Q",
            Self::Godina => "YYYY.",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Mesec => "Mesec unosa",
            Self::Kvartal => "Kvartal unosa",
            Self::Godina => "Godina unosa",
        }
    }
}

const NO_NUMERATOR: &str = "Izaberite bar jedan uslov brojioca: za koga od pacijenata iz imenioca jeste tako.";

/// A test of whether a value is there: it can be told of every entry.
fn asks_for_presence(test: &Test) -> bool {
    match test {
        Test::Filled(_) => true,
        Test::Without(inner) => asks_for_presence(inner),
        Test::Number { .. } | Test::Text { .. } => false,
    }
}

fn filled(field: &Field) -> String {
    format!("{} is not null", column(field.id))
}

/// Each part of one beside each part of the other, as rows; none where they are more than a search takes.
fn joined(one: &[Vec<Value>], other: &[Vec<Value>]) -> Option<Vec<Value>> {
    let whole = [Vec::new()];
    let one = if one.is_empty() { &whole[..] } else { one };
    let mut rows: Vec<Value> = Vec::new();
    for first in one {
        for second in other {
            for (place, row) in first.iter().chain(second).enumerate() {
                let mut row = row.clone();
                row["veza"] = json!(if place == 0 { "ili" } else { "i" });
                rows.push(row);
            }
            // A part without a row would be of everybody.
            if first.is_empty() && second.is_empty() && one.len() * other.len() > 1 {
                return None;
            }
        }
    }
    (rows.len() <= MOST_ROWS).then_some(rows)
}
