//! How well scores tell who has the outcome.
use statistics::accuracy::Diagnostic;
use statistics::model::roc::{Roc, compare_rocs, roc};
use statistics::{Estimate, Level};

use super::columns::{ColumnStore, Events, Numbers};
use super::table::{AnalysisTable, left, right};
use super::words::{Words, count, level_of, shortest, text};
use super::{Tables, figure};
use crate::plan::analysis::RocCurves;
use crate::plan::{Analysis, Language, Value};

pub fn tables(plan: &RocCurves, analysis: &Analysis, store: &ColumnStore) -> Tables {
    let words = Words(analysis.language);
    let level = level_of(analysis.level);
    let event = store.events(&plan.event)?;
    let mut scores = Vec::new();
    for score in &plan.scores {
        scores.push(store.numbers(score)?);
    }
    let interval = words.interval_name(analysis.level);
    let heads = vec![
        left(words.of("Skor", "Score")),
        right(words.of("Sa ishodom", "With the outcome")),
        right(words.of("Bez ishoda", "Without")),
        right(words.of("Nedostaje", "Missing")),
        right(format!("AUC [{interval}]")),
        right(words.of("Granica (Juden)", "Cut (Youden)")),
        right(format!("{} [{interval}]", words.of("Osetljivost", "Sensitivity"))),
        right(format!("{} [{interval}]", words.of("Specifičnost", "Specificity"))),
    ];
    let mut table = AnalysisTable::new("", heads);
    let mut curves = Vec::new();
    for score in &scores {
        table.rows.push(match roc(score.numeric(), event.binary(), level) {
            Ok(found) => {
                table.notes.extend(direction(&score.name, &found, words));
                let groups = [words.of("sa ishodom", "with the outcome"), words.of("bez ishoda", "without the outcome")];
                table.notes.extend(words.small_groups(groups.into_iter().zip([found.cases, found.controls])));
                let cells = row(score, &event, &found, words, level);
                curves.push((format!("{} (AUC {})", score.name, words.number(found.area.value, 3)), found));
                cells
            }
            Err(error) => {
                let sentence = words.error(&error);
                std::iter::once(text(&score.name))
                    .chain((0..7).map(|place| text(if place == 3 { sentence.as_str() } else { "–" })))
                    .collect()
            }
        });
    }
    table.notes.dedup();
    table.notes.push(
        words
            .of(
                "AUC: DeLongov interval. Granica: najveći zbir osetljivosti i specifičnosti (Juden), pozitivan je skor jednak njoj ili veći; \
                 birana je na istim podacima, pa su njena osetljivost i specifičnost (Vilsonov interval) optimistične.",
                "AUC: DeLong's interval. Cut: the greatest sum of sensitivity and specificity (Youden), a score of at least the cut is positive; \
                 it was chosen on the same data, so its sensitivity and specificity (Wilson's interval) are optimistic.",
            )
            .to_owned(),
    );
    table.figure = (!curves.is_empty()).then(|| figure::roc(&curves, words));
    let mut tables = vec![table];
    if scores.len() > 1 {
        tables.push(comparison(&scores, &event, words));
    }
    Ok(tables)
}

/// A score that is lower in those with the outcome reads the other way round.
fn direction(name: &str, found: &Roc, words: Words) -> Option<String> {
    (found.area.value < 0.5).then(|| match words.0 {
        Language::Serbian => format!("„{name}“: površina je ispod 0,5, pa na ishod ukazuju manje vrednosti."),
        Language::English => format!("“{name}”: the area is below 0.5, so lower values point to the outcome."),
    })
}

fn row(score: &Numbers, event: &Events, found: &Roc, words: Words, level: Level) -> Vec<Value> {
    let cut = found.youden.threshold;
    let test = cut.map(|cut| at_cut(score, event, cut));
    let told = |of: fn(Diagnostic, Level) -> statistics::Result<Estimate>| {
        let estimate = test.map(|test| of(test, level));
        text(estimate.map_or_else(|| "–".to_owned(), |one| one.map_or_else(|error| words.error(&error), |one| words.estimate(&one, 3))))
    };
    vec![
        text(&score.name),
        count(found.cases),
        count(found.controls),
        count(found.missing),
        text(words.estimate(&found.area, 3)),
        text(cut.map_or_else(|| "–".to_owned(), |cut| format!("≥ {}", shortest(cut)))),
        told(Diagnostic::sensitivity),
        told(Diagnostic::specificity),
    ]
}

fn at_cut(score: &Numbers, event: &Events, cut: f64) -> Diagnostic {
    let mut test = Diagnostic { true_positives: 0, false_positives: 0, false_negatives: 0, true_negatives: 0 };
    for (value, event) in score.values.iter().zip(&event.values) {
        let (Some(value), Some(event)) = (value, event) else { continue };
        *match (*value >= cut, event) {
            (true, true) => &mut test.true_positives,
            (true, false) => &mut test.false_positives,
            (false, true) => &mut test.false_negatives,
            (false, false) => &mut test.true_negatives,
        } += 1;
    }
    test
}

fn comparison(scores: &[Numbers], event: &Events, words: Words) -> AnalysisTable {
    let heads = vec![left(words.of("Skorovi", "Scores")), left("Test"), left(words.of("Rezultat", "Result"))];
    let mut table = AnalysisTable::new(words.of("Poređenje površina", "Comparison of areas"), heads);
    let first = &scores[0];
    for second in &scores[1..] {
        let (test, told) = match compare_rocs(first.numeric(), second.numeric(), event.binary()) {
            Ok(found) => (words.test(found.test), format!("{}, {}, n = {}", words.statistic(&found), words.p(found.p), found.n)),
            Err(error) => (words.test(statistics::Test::DeLong), words.error(&error)),
        };
        table.rows.push(vec![text(format!("{} – {}", first.name, second.name)), text(test), text(told)]);
    }
    table
}
