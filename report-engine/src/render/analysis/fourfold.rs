//! A 2x2 table with its measures and their intervals.
use statistics::accuracy::Diagnostic;
use statistics::agreement::kappa;
use statistics::compare::fisher::fisher_exact;
use statistics::compare::table::{Continuity, CrossTable, chi_squared};
use statistics::two_by_two::TwoByTwo;
use statistics::{Estimate, Factor, Level, TestResult};

use super::Tables;
use super::columns::{ColumnStore, Events};
use super::compare::{agreement, refused_row};
use super::table::{AnalysisTable, left, right};
use super::words::{Words, count, fixed, level_of, share, text};
use crate::plan::analysis::{EventColumn, FourfoldMeasures, FourfoldTable};
use crate::plan::{Analysis, Value};

pub fn tables(plan: &FourfoldTable, analysis: &Analysis, store: &ColumnStore) -> Tables {
    let words = Words(analysis.language);
    let level = level_of(analysis.level);
    let (row, column) = (store.events(&plan.row)?, store.events(&plan.column)?);
    if plan.show == FourfoldMeasures::Agreement {
        let (described, mut rows) = agreement(&row, &column, words)?;
        rows.splice(0..0, kappa_rows(&row, &column, words, level));
        let mut measures = measures_table(words, level);
        measures.heads.truncate(2);
        measures.rows = rows;
        return Ok(vec![described, measures]);
    }
    let (a, b) = (codes(&row), codes(&column));
    let answers = [words.yes_no(true), words.yes_no(false)];
    let factor = |name, codes| Factor { name, levels: &answers, codes };
    let cross = CrossTable::of(factor(&row.name, &a), factor(&column.name, &b))?;
    let [[yes_yes, yes_no], [no_yes, no_no]] = [0, 1].map(|row: usize| [cross.counts[row][0], cross.counts[row][1]]);
    let described = counts_table(plan, &cross, words);
    let mut measures = measures_table(words, level);
    match plan.show {
        FourfoldMeasures::Accuracy => {
            let test = Diagnostic { true_positives: yes_yes, false_positives: yes_no, false_negatives: no_yes, true_negatives: no_no };
            measures.rows = accuracy_rows(test, words, level);
            measures.notes.push(
                words
                    .of("Prediktivne vrednosti važe samo pri ovoj učestalosti stanja.", "Predictive values hold at this prevalence only.")
                    .to_owned(),
            );
        }
        _ => {
            let table = TwoByTwo { exposed_events: yes_yes, exposed_others: yes_no, unexposed_events: no_yes, unexposed_others: no_no };
            measures.rows = effect_rows(table, words, level);
            measures.rows.extend(test_rows(&cross, words));
        }
    }
    Ok(vec![described, measures])
}

fn codes(events: &Events) -> Vec<Option<u32>> {
    events.values.iter().map(|event| event.map(|event| u32::from(!event))).collect()
}

/// `Ishod: umro`, or `Umro: da`
fn answer(column: &EventColumn, yes: bool, words: Words) -> String {
    match (&column.value, yes) {
        (Some(value), true) => format!("{}: {value}", column.label),
        (Some(_), false) => format!("{}: {}", column.label, words.of("ostalo", "other")),
        (None, yes) => format!("{}: {}", column.label, words.yes_no(yes)),
    }
}

fn counts_table(plan: &FourfoldTable, cross: &CrossTable, words: Words) -> AnalysisTable {
    let heads = vec![
        left(words.of("Redovi (procenti u redu)", "Rows (percents of the row)")),
        right(answer(&plan.column, true, words)),
        right(answer(&plan.column, false, words)),
        right(words.of("Ukupno", "Total")),
    ];
    let mut table = AnalysisTable::new("", heads);
    let mut total = [0usize; 2];
    for (index, yes) in [true, false].into_iter().enumerate() {
        let counts: Vec<usize> = cross.counts[index].iter().map(|count| *count as usize).collect();
        let whole = counts[0] + counts[1];
        total = [total[0] + counts[0], total[1] + counts[1]];
        let name = answer(&plan.row, yes, words);
        table.rows.push(vec![text(name), text(share(counts[0], whole)), text(share(counts[1], whole)), count(whole)]);
    }
    let whole = total[0] + total[1];
    table.rows.push(vec![text(words.of("Ukupno", "Total")), text(share(total[0], whole)), text(share(total[1], whole)), count(whole)]);
    let both = format!("{}, {}", plan.row.label, plan.column.label);
    table.notes.extend(words.left_out(cross.missing, &both));
    let groups = [true, false].map(|yes| answer(&plan.row, yes, words));
    let sizes = [0, 1].map(|row: usize| cross.counts[row].iter().sum::<u64>() as usize);
    table.notes.extend(words.small_groups(groups.iter().map(String::as_str).zip(sizes)));
    table
}

fn measures_table(words: Words, level: Level) -> AnalysisTable {
    let heads = vec![
        left(words.of("Mera", "Measure")),
        left(format!("{} [{}]", words.of("Vrednost", "Value"), words.interval_name(level.value()))),
        left(words.of("Vrsta intervala", "Kind of interval")),
    ];
    AnalysisTable::new(words.of("Mere", "Measures"), heads)
}

fn row(name: &str, estimate: statistics::Result<Estimate>, places: u32, words: Words) -> Vec<Value> {
    match estimate {
        Ok(estimate) => vec![text(name), text(words.estimate(&estimate, places)), text(words.method(estimate.interval.method))],
        Err(error) => vec![text(name), text(words.error(&error)), text("–")],
    }
}

fn effect_rows(table: TwoByTwo, words: Words, level: Level) -> Vec<Vec<Value>> {
    vec![
        row(words.of("Odnos šansi (OR)", "Odds ratio"), table.odds_ratio(level), 2, words),
        row(words.of("Odnos šansi (OR), egzaktno", "Odds ratio, exact"), table.odds_ratio_exact(level), 2, words),
        row(words.of("Odnos rizika (RR)", "Risk ratio"), table.risk_ratio(level), 2, words),
        row(words.of("Razlika rizika", "Risk difference"), table.risk_difference(level), 3, words),
    ]
}

fn accuracy_rows(test: Diagnostic, words: Words, level: Level) -> Vec<Vec<Value>> {
    vec![
        row(words.of("Osetljivost", "Sensitivity"), test.sensitivity(level), 3, words),
        row(words.of("Specifičnost", "Specificity"), test.specificity(level), 3, words),
        row(words.of("Pozitivna prediktivna vrednost", "Positive predictive value"), test.positive_predictive_value(level), 3, words),
        row(words.of("Negativna prediktivna vrednost", "Negative predictive value"), test.negative_predictive_value(level), 3, words),
        row(words.of("Tačnost", "Accuracy"), test.accuracy(level), 3, words),
        row(words.of("Učestalost stanja", "Prevalence"), test.prevalence(level), 3, words),
        row(words.of("Pozitivni odnos verodostojnosti", "Positive likelihood ratio"), test.positive_likelihood_ratio(level), 2, words),
        row(words.of("Negativni odnos verodostojnosti", "Negative likelihood ratio"), test.negative_likelihood_ratio(level), 2, words),
    ]
}

fn test_rows(cross: &CrossTable, words: Words) -> Vec<Vec<Value>> {
    let plain = chi_squared(cross, Continuity::None);
    let mut rows = vec![
        test_row(plain.as_ref().map(|found| found.test).map_err(Clone::clone), words),
        test_row(chi_squared(cross, Continuity::Yates).map(|found| found.test), words),
        test_row(fisher_exact(cross), words),
    ];
    if let Ok(found) = plain {
        let doubtful = if found.smallest_expected < 5.0 {
            words.of("ispod 5: hi-kvadrat je nepouzdan, čita se Fišerov", "below 5: chi-squared is doubtful, read Fisher's")
        } else {
            "–"
        };
        rows.push(vec![
            text(words.of("Najmanji očekivani broj", "Smallest expected count")),
            text(fixed(found.smallest_expected, 2)),
            text(doubtful),
        ]);
    }
    rows
}

fn test_row(result: statistics::Result<TestResult>, words: Words) -> Vec<Value> {
    match result {
        Ok(result) => vec![text(words.test(result.test)), text(words.p(result.p)), text(words.statistic(&result))],
        Err(error) => [refused_row(words.error(&error), words), vec![text("–")]].concat(),
    }
}

fn kappa_rows(first: &Events, second: &Events, words: Words, level: Level) -> Vec<Vec<Value>> {
    let (a, b) = (codes(first), codes(second));
    let answers = [words.yes_no(true), words.yes_no(false)];
    let factor = |name, codes| Factor { name, levels: &answers, codes };
    let name = words.test(statistics::Test::Kappa);
    match kappa(factor(&first.name, &a), factor(&second.name, &b), level) {
        Ok(found) => vec![
            vec![
                text(name),
                text(format!(
                    "{}, {}, {}",
                    words.estimate(&found.kappa, 3),
                    words.method(found.kappa.interval.method),
                    words.p(found.test.p)
                )),
            ],
            vec![text(words.of("Opaženo slaganje", "Observed agreement")), text(fixed(found.observed, 3))],
            vec![text(words.of("Slaganje po slučaju", "Agreement by chance")), text(fixed(found.by_chance, 3))],
        ],
        Err(error) => vec![vec![text(name), text(words.error(&error))]],
    }
}
