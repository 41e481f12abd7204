//! The searches that the cells of an analysis lead to: in the query's column `pretraga` that of the whole cohort, and beside a column of categories
//! what each of them adds to it. What a search has no criterion for leaves the analysis, or the variable, without them: a frozen cohort, states
//! of entries, years of birth, age at the visit; the year of an entry, quartiles, several items at once, values of other forms and moments.

use domain::{exports::WantedStates, register::ValueType, report_screen::SEARCH_COLUMN};
use jiff::civil::Date;
use serde_json::{Value, json};

use super::{
    choice::{AnalysisScope, AnalysisView, Moment},
    cohort::EntryChoice,
    parts::Parts,
    variable::{Classes, Source, Variable},
};
use crate::setup::report_definition::simple::{
    choice::CheckedChoice,
    literal,
    searches::{MOST_ROWS, jsonb, parts as rows_of},
};

/// Columns of searches, of the views whose tables count rows of the cohort.
pub fn columns(parts: &Parts, chosen: &CheckedChoice) -> Vec<String> {
    let counts = matches!(parts.view, AnalysisView::Tabela1 | AnalysisView::Prezivljavanje) && parts.scope == AnalysisScope::Ustanova;
    let Some(whole) = whole(parts, chosen).filter(|_| counts) else { return Vec::new() };
    let columns = parts.columns();
    let of_values = columns.iter().filter_map(|(name, variable)| Some(format!("{} as \"{SEARCH_COLUMN} {name}\"", part(variable, name)?)));
    std::iter::once(format!("{whole} as {SEARCH_COLUMN}")).chain(of_values).collect()
}

/// The search of the cohort's patients, by the entry of each that is a row.
fn whole(parts: &Parts, chosen: &CheckedChoice) -> Option<String> {
    let cohort = parts.cohort;
    let choice = &cohort.choice;
    if cohort.frozen.is_some()
        || choice.stanja != WantedStates::Svi
        || choice.rodjenje_od.is_some()
        || choice.rodjenje_do.is_some()
        || chosen.age != (None, None)
    {
        return None;
    }
    let rows: Vec<Value> = rows_of(chosen.form, chosen.rows)?.into_iter().flatten().collect();
    if rows.len() > MOST_ROWS {
        return None;
    }
    let day = |day: Option<Date>| day.map(|day| day.to_string());
    let entry = |rows: &[Value]| json!({ "od": day(choice.datum_od), "do": day(choice.datum_do), "svoj": chosen.own, "uslovi": rows });
    let picked = |which: &str, rows: &[Value]| {
        let mut pick = entry(rows);
        pick["koji"] = json!(which);
        json!({ "tipUnosaID": chosen.form.id, "izbor": pick })
    };
    let (unos, uslovi) = match choice.unosi {
        EntryChoice::Svi => {
            let entry = json!({ "tipUnosaID": chosen.form.id, "od": day(choice.datum_od), "do": day(choice.datum_do), "svoj": chosen.own });
            (entry, rows)
        }
        EntryChoice::Prvi => (picked("prvi", &rows), Vec::new()),
        EntryChoice::Poslednji => (picked("poslednji", &rows), Vec::new()),
        EntryChoice::Najnoviji => (picked("poslednji", &[]), rows),
    };
    let of_entries = choice.unosi == EntryChoice::Svi;
    let search =
        jsonb(&json!({ "registarID": chosen.form.registar_id, "pol": chosen.male, "unos": unos, "uslovi": uslovi, "unosi": of_entries }));
    Some(match choice.unosi {
        // Up to today.
        EntryChoice::Najnoviji => {
            let last = choice.datum_do.and_then(literal::date).unwrap_or_else(|| "null::date".to_owned());
            format!("jsonb_set({search}, '{{unos,izbor,do}}', to_jsonb(to_char(least({last}, report.danas()), 'YYYY-MM-DD')))::text")
        }
        _ => format!("({search})::text"),
    })
}

/// What a value of the column adds; null where it is missing, and where no search could tell it from another.
fn part(variable: &Variable, name: &str) -> Option<String> {
    let column = format!("d.{name}");
    let field = match variable.source {
        Source::Sex => {
            let of = |male: bool| literal::text(&json!({ "pol": male }).to_string());
            return Some(format!("case when {column} then {} when not {column} then {} end", of(true), of(false)));
        }
        Source::Field(field) if field.pretrazuje_se && variable.moment == Moment::Unos && variable.is_of_rows() => field,
        _ => return None,
    };
    let row = |operator: &str, value: Option<String>| json!({ "veza": "i", "poljeID": field.id, "operator": operator, "vrednost": value });
    let told = |rows: Vec<Value>| literal::text(&json!({ "uslovi": rows }).to_string());
    let with = |operator: &str, value: &str| {
        format!(
            "jsonb_build_object('uslovi', jsonb_build_array(jsonb_build_object('veza', 'i', 'poljeID', {}, 'operator', '{operator}', 'vrednost', \
             {value})))::text",
            field.id
        )
    };
    match (field.tip_vrednosti, &variable.classes) {
        (ValueType::Choice, Classes::None) => {
            let (yes, no) = (told(vec![row("izabrano", None)]), told(vec![row("popunjeno", None), row("nijeIzabrano", None)]));
            Some(format!("case when {column} then {yes} when not {column} then {no} end"))
        }
        (ValueType::Set, Classes::None) if !field.multiselect => {
            Some(format!("case when jsonb_array_length({column}) = 1 then {} end", with("izabrano", &format!("({column} ->> 0)"))))
        }
        // With a comma: a point before three digits could part thousands.
        (ValueType::Number, Classes::None) => Some(format!(
            "case when {column} is not null then {} end",
            with("=", &format!("replace(trim_scale({column})::text, '.', ',')"))
        )),
        (ValueType::Number, Classes::Cuts(cuts)) => {
            let typed = |cut: f64| Some(cut.to_string().replace('.', ","));
            let mut sql = String::from("case");
            for (index, cut) in cuts.iter().enumerate() {
                let from = index.checked_sub(1).map(|before| row(">=", typed(cuts[before])));
                let rows = from.into_iter().chain([row("<", typed(*cut))]).collect();
                sql.push_str(&format!(" when {column} < '{cut}'::numeric then {}", told(rows)));
            }
            let last = told(vec![row(">=", typed(*cuts.last()?))]);
            Some(format!("{sql} when {column} is not null then {last} end"))
        }
        _ => None,
    }
}
