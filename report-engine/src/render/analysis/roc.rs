//! How well scores tell who has the outcome.
use statistics::accuracy::Diagnostic;
use statistics::model::roc::{Roc, compare_rocs, roc};
use statistics::{Estimate, Level};

use super::columns::{ColumnStore, Events, Numbers};
use super::table::{AnalysisTable, left, right};
use super::words::{Words, count, decimal, level_of, shortest, text};
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
    let mut cut_tables = Vec::new();
    for score in &scores {
        table.rows.push(match roc(score.numeric(), event.binary(), level) {
            Ok(found) => {
                table.notes.extend(direction(&score.name, &found, words));
                let groups = [words.of("sa ishodom", "with the outcome"), words.of("bez ishoda", "without the outcome")];
                table.notes.extend(words.small_groups(groups.into_iter().zip([found.cases, found.controls])));
                let cells = row(score, &event, &found, words, level);
                cut_tables.push(cut_points(score, &event, &found, plan, analysis, words));
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
    tables.extend(cut_tables);
    Ok(tables)
}

/// Cuts that are told where the template names none.
const USUAL_CUTS: usize = 15;

/// What each cut of a score gives: those that are named, or some of all at equal distances with Youden's among them.
fn cut_points(score: &Numbers, event: &Events, found: &Roc, plan: &RocCurves, analysis: &Analysis, words: Words) -> AnalysisTable {
    let level = level_of(analysis.level);
    let interval = words.interval_name(analysis.level);
    let heads = vec![
        right(words.of("Granica", "Cut")),
        right("TP"),
        right("FP"),
        right("FN"),
        right("TN"),
        right(format!("{} [{interval}]", words.of("Osetljivost", "Sensitivity"))),
        right(format!("{} [{interval}]", words.of("Specifičnost", "Specificity"))),
        right(format!("PPV [{interval}]")),
        right(format!("NPV [{interval}]")),
        right(words.of("J (Juden)", "J (Youden)")),
    ];
    let title = match words.0 {
        Language::Serbian => format!("Granice: {}", score.name),
        Language::English => format!("Cut-points: {}", score.name),
    };
    let mut table = AnalysisTable::new(&title, heads);
    let known: Vec<f64> = found.points.iter().rev().filter_map(|point| point.threshold).collect();
    let cuts = if plan.cuts.is_empty() { thinned(&known, found.youden.threshold) } else { plan.cuts.clone() };
    for (cut, test) in cuts.iter().zip(at_cuts(score, event, &cuts)) {
        let told = |of: fn(Diagnostic, Level) -> statistics::Result<Estimate>| {
            text(of(test, level).map_or_else(|_| "–".to_owned(), |one| words.estimate(&one, 3)))
        };
        let shares = Diagnostic::sensitivity(test, level).ok().zip(Diagnostic::specificity(test, level).ok());
        let youden =
            shares.map_or_else(|| text("–"), |(sensitivity, specificity)| decimal(words, sensitivity.value + specificity.value - 1.0, 3));
        let best = if Some(*cut) == found.youden.threshold { words.of(" (Juden)", " (Youden)") } else { "" };
        let counts = [test.true_positives, test.false_positives, test.false_negatives, test.true_negatives];
        let mut row = vec![text(format!("≥ {}{best}", domain::shown::number(*cut)))];
        row.extend(counts.map(|number| count(usize::try_from(number).unwrap_or(usize::MAX))));
        row.extend([
            told(Diagnostic::sensitivity),
            told(Diagnostic::specificity),
            told(Diagnostic::positive_predictive_value),
            told(Diagnostic::negative_predictive_value),
            youden,
        ]);
        table.rows.push(row);
    }
    table.notes.push(
        words
            .of(
                "TP i FP: pozitivni sa ishodom i bez njega; FN i TN: negativni sa ishodom i bez njega. PPV i NPV važe za učestalost ishoda u ovim podacima. \
                 Intervali su Vilsonovi; crta: niko nije pozitivan, ili niko negativan.",
                "TP and FP: positive with the outcome and without; FN and TN: negative with it and without. PPV and NPV hold for the prevalence of these \
                 data. Wilson's intervals; a dash: nobody is positive, or nobody negative.",
            )
            .to_owned(),
    );
    if plan.cuts.is_empty() && known.len() > cuts.len() {
        table.notes.push(match words.0 {
            Language::Serbian => format!("Prikazano je {} od {} granica.", cuts.len(), known.len()),
            Language::English => format!("{} of {} cut-points are shown.", cuts.len(), known.len()),
        });
    }
    table
}

/// Some of the ascending cuts, the best among them.
fn thinned(known: &[f64], best: Option<f64>) -> Vec<f64> {
    if known.len() <= USUAL_CUTS {
        return known.to_vec();
    }
    let mut cuts: Vec<f64> = (0..USUAL_CUTS).map(|place| known[place * (known.len() - 1) / (USUAL_CUTS - 1)]).collect();
    cuts.extend(best);
    cuts.sort_by(f64::total_cmp);
    cuts.dedup();
    cuts
}

/// The test of each of the ascending cuts, in one pass over the rows.
fn at_cuts(score: &Numbers, event: &Events, cuts: &[f64]) -> Vec<Diagnostic> {
    // How many are at least the first `place` cuts, and no more.
    let (mut with, mut without) = (vec![0_u64; cuts.len() + 1], vec![0_u64; cuts.len() + 1]);
    for (value, event) in score.values.iter().zip(&event.values) {
        let (Some(value), Some(event)) = (value, event) else { continue };
        let place = cuts.partition_point(|cut| *cut <= *value);
        if *event { with[place] += 1 } else { without[place] += 1 }
    }
    let after = |counts: &[u64], place: usize| (counts[place + 1..].iter().sum::<u64>(), counts[..=place].iter().sum::<u64>());
    (0..cuts.len())
        .map(|place| {
            let ((true_positives, false_negatives), (false_positives, true_negatives)) = (after(&with, place), after(&without, place));
            Diagnostic { true_positives, false_positives, false_negatives, true_negatives }
        })
        .collect()
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
    let test = cut.and_then(|cut| at_cuts(score, event, &[cut]).pop());
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
