//! One variable by groups, or two measurements of the same rows.
use statistics::compare::correlation::{Correlation, pearson, spearman};
use statistics::compare::means::{MeanDifference, paired_t, student_t, welch_t};
use statistics::compare::ranks::signed_rank;
use statistics::compare::table::{Continuity, CrossTable, mcnemar, mcnemar_exact};
use statistics::describe::{QuantileType, Summary, summarise_values};
use statistics::{Level, TestResult};

use super::columns::{ColumnStore, Events, Levels, Numbers, VariableData};
use super::figure;
use super::table::{AnalysisTable, left, right};
use super::table_one::{of_levels, of_numbers};
use super::words::{Words, count, fixed, level_of, p_cell, places_of, share, text};
use super::{Problem, Tables};
use crate::plan::analysis::{ComparedWith, Comparison, EventColumn, GroupTest, Grouping, LabelledColumn, PairTest, Show};
use crate::plan::{Analysis, Value};

pub fn tables(plan: &Comparison, analysis: &Analysis, store: &ColumnStore) -> Tables {
    let words = Words(analysis.language);
    let level = level_of(analysis.level);
    match &plan.with {
        ComparedWith::Groups(by) => by_groups(plan, by, store, words, level),
        ComparedWith::Column { second, test: PairTest::McNemar } => changed_answers(plan, second, store, words),
        ComparedWith::Column { second, test } => pairs(plan, second, *test, store, words, level),
    }
}

fn by_groups(plan: &Comparison, by: &Grouping, store: &ColumnStore, words: Words, level: Level) -> Tables {
    let groups = store.levels(by)?;
    let (mut described, test) = match store.variable(&plan.value)? {
        VariableData::Numbers(numbers) => {
            (numbers_by(&numbers, &groups, by, words, level), number_test(plan, &numbers, &groups, words, level))
        }
        VariableData::Levels(levels) => (levels_by(&levels, &groups, by, words), level_test(plan, &levels, &groups, words)),
    };
    described.notes.extend(words.left_out(groups.missing(), &by.label));
    described.notes.extend(words.small_levels(&groups));
    Ok(vec![described, test])
}

fn summary_heads(first: String, words: Words) -> AnalysisTable {
    let heads = vec![
        left(first),
        right("n"),
        right(words.of("Nedostaje", "Missing")),
        right(words.of("Srednja vrednost (SD)", "Mean (SD)")),
        right(words.of("Medijana [Q1; Q3]", "Median [Q1; Q3]")),
        right(words.of("Najmanje", "Least")),
        right(words.of("Najveće", "Greatest")),
    ];
    AnalysisTable::new("", heads)
}

fn summary_row(name: &str, values: Vec<f64>, missing: usize, words: Words, level: Level) -> Vec<Value> {
    let n = values.len();
    let mut row = vec![text(name), count(n), count(missing)];
    match summarise_values(name, values, missing, level, QuantileType::default()) {
        Ok(summary) => row.extend(summary_cells(&summary, words)),
        Err(_) => row.extend((0..4).map(|_| text(words.of("nema podataka", "no data")))),
    }
    row
}

fn summary_cells(summary: &Summary, words: Words) -> [Value; 4] {
    let places = places_of(summary.mean.abs().max(summary.sd.unwrap_or(0.0)));
    let number = |value: f64| fixed(value, places);
    let spread = summary.sd.map_or_else(|| words.of("SD se ne računa od jedne vrednosti", "no SD of one value").to_owned(), number);
    [
        text(format!("{} ({spread})", number(summary.mean))),
        text(format!("{} [{}; {}]", number(summary.median), number(summary.quartiles.low), number(summary.quartiles.high))),
        text(number(summary.min)),
        text(number(summary.max)),
    ]
}

fn numbers_by(numbers: &Numbers, groups: &Levels, by: &Grouping, words: Words, level: Level) -> AnalysisTable {
    let mut table = summary_heads(format!("{}: {}", by.label, numbers.name), words);
    let mut drawn = Vec::new();
    for (code, name) in groups.names.iter().enumerate() {
        let of_group = || numbers.values.iter().zip(&groups.codes).filter(move |(_, group)| **group == Some(code as u32));
        let values: Vec<f64> = of_group().filter_map(|(value, _)| *value).collect();
        let missing = of_group().count() - values.len();
        if let Ok(summary) = summarise_values(name, values.clone(), missing, level, QuantileType::default()) {
            drawn.push((name.clone(), values.clone(), summary));
        }
        table.rows.push(summary_row(name, values, missing, words, level));
    }
    table.figure = (!drawn.is_empty()).then(|| figure::boxes(drawn, &by.label, &numbers.name));
    table.notes.push(words.of("Kvartili su tipa 7 (Hajndman i Fan).", "Quartiles are of type 7 (Hyndman and Fan).").to_owned());
    table
}

fn levels_by(levels: &Levels, groups: &Levels, by: &Grouping, words: Words) -> AnalysisTable {
    let heads = std::iter::once(left(format!("{}: {}", by.label, levels.name)))
        .chain([right("n"), right(words.of("Nedostaje", "Missing"))])
        .chain(levels.names.iter().map(right));
    let mut table = AnalysisTable::new("", heads.collect());
    for (code, name) in groups.names.iter().enumerate() {
        let of_group =
            || levels.codes.iter().zip(&groups.codes).filter(move |(_, group)| **group == Some(code as u32)).map(|(level, _)| *level);
        let known = of_group().flatten().count();
        let mut row = vec![text(name), count(known), count(of_group().count() - known)];
        row.extend((0..levels.names.len() as u32).map(|level| match known {
            0 => text(words.of("nema podataka", "no data")),
            known => text(share(of_group().filter(|one| *one == Some(level)).count(), known)),
        }));
        table.rows.push(row);
    }
    table
}

/// A table of a test: what was measured, and its value.
pub fn test_table(words: Words) -> AnalysisTable {
    AnalysisTable::new(words.of("Test", "Test"), vec![left(words.of("Mera", "Measure")), left(words.of("Vrednost", "Value"))])
}

/// The rows that every test has.
pub fn test_rows(result: &TestResult, words: Words) -> Vec<Vec<Value>> {
    vec![
        vec![text("Test"), text(words.test(result.test))],
        vec![text(words.of("Statistika", "Statistic")), text(words.statistic(result))],
        vec![text("p"), p_cell(result.p)],
        vec![text("n"), count(result.n)],
        vec![text(words.of("Nedostaje", "Missing")), count(result.missing)],
    ]
}

/// A test that could not be made, in words.
pub fn refused_row(sentence: String, words: Words) -> Vec<Value> {
    vec![text(words.of("Test", "Test")), text(sentence)]
}

fn number_test(plan: &Comparison, numbers: &Numbers, groups: &Levels, words: Words, level: Level) -> AnalysisTable {
    let texts = groups.texts();
    let (x, by) = (numbers.numeric(), groups.factor(&texts));
    let filled =
        groups.names.iter().enumerate().filter(|(code, _)| {
            numbers.values.iter().zip(&groups.codes).any(|(value, group)| value.is_some() && *group == Some(*code as u32))
        });
    let named: Vec<&str> = filled.map(|(_, name)| name.as_str()).collect();
    let test = plan.value.test.unwrap_or(match (plan.value.show == Some(Show::Median), named.len()) {
        (false, ..=2) => GroupTest::Welch,
        (false, _) => GroupTest::WelchAnova,
        (true, ..=2) => GroupTest::MannWhitney,
        (true, _) => GroupTest::Kruskal,
    });
    let mut table = test_table(words);
    let difference: Option<statistics::Result<MeanDifference>> = match test {
        GroupTest::Welch => Some(welch_t(x, by, level)),
        GroupTest::Student => Some(student_t(x, by, level)),
        _ => None,
    };
    match difference {
        Some(Ok(found)) => {
            table.rows = test_rows(&found.test, words);
            let of_whom = match named[..] {
                [first, second] => format!("{first} − {second}"),
                _ => String::new(),
            };
            table.rows.push(difference_row(
                &format!("{} ({of_whom})", words.of("Razlika srednjih vrednosti", "Difference of means")),
                &found,
                words,
            ));
        }
        Some(Err(error)) => table.rows.push(refused_row(words.error(&error), words)),
        None => match of_numbers(test, x, by, level) {
            Ok(Some(result)) => table.rows = test_rows(&result, words),
            Ok(None) => {
                let sentence = words.of(
                    "Ne računa se: traženi test je za kategorije, a promenljiva su brojevi.",
                    "Not computed: the test is one of categories, and the variable is of numbers.",
                );
                table.rows.push(refused_row(sentence.to_owned(), words));
            }
            Err(error) => table.rows.push(refused_row(words.error(&error), words)),
        },
    }
    table
}

fn difference_row(name: &str, found: &MeanDifference, words: Words) -> Vec<Value> {
    let difference = &found.difference;
    let places = places_of(difference.value).max(2);
    let interval = words.interval_name(difference.interval.level.value());
    let told = format!("{} ({interval}, {})", words.estimate(difference, places), words.method(difference.interval.method));
    vec![text(name), text(told)]
}

fn level_test(plan: &Comparison, levels: &Levels, groups: &Levels, words: Words) -> AnalysisTable {
    let (texts, names) = (levels.texts(), groups.texts());
    let mut table = test_table(words);
    match of_levels(plan.value.test, levels.factor(&texts), groups.factor(&names)) {
        Ok((result, remark)) => {
            table.rows = test_rows(&result, words);
            table.notes.extend(remark.map(|(serbian, english)| format!("{}, {}.", words.test(result.test), words.of(serbian, english))));
        }
        Err(error) => table.rows.push(refused_row(words.error(&error), words)),
    }
    table
}

fn pairs(plan: &Comparison, second: &LabelledColumn, test: PairTest, store: &ColumnStore, words: Words, level: Level) -> Tables {
    let first = LabelledColumn { column: plan.value.column.clone(), label: plan.value.label.clone() };
    let (first, second) = (store.numbers(&first)?, store.numbers(second)?);
    let complete: Vec<(f64, f64)> = first.values.iter().zip(&second.values).filter_map(|(a, b)| Some(((*a)?, (*b)?))).collect();
    let missing = store.rows() - complete.len();
    let mut described = summary_heads(words.of("Merenje (potpuni parovi)", "Measurement (complete pairs)").to_owned(), words);
    let difference = format!("{} − {}", first.name, second.name);
    let columns: [(&str, Vec<f64>); 3] = [
        (first.name.as_str(), complete.iter().map(|(a, _)| *a).collect()),
        (second.name.as_str(), complete.iter().map(|(_, b)| *b).collect()),
        (difference.as_str(), complete.iter().map(|(a, b)| a - b).collect()),
    ];
    for (name, values) in columns {
        described.rows.push(summary_row(name, values, missing, words, level));
    }
    described.notes.extend(words.left_out(missing, words.of("par nije potpun", "the pair is not complete")));
    described.notes.extend(words.small_groups([(words.of("potpuni parovi", "complete pairs"), complete.len())].into_iter()));
    let mut table = test_table(words);
    match pair_rows(test, &first, &second, words, level) {
        Ok(rows) => table.rows = rows,
        Err(error) => table.rows.push(refused_row(words.error(&error), words)),
    }
    Ok(vec![described, table])
}

fn pair_rows(test: PairTest, first: &Numbers, second: &Numbers, words: Words, level: Level) -> statistics::Result<Vec<Vec<Value>>> {
    let (a, b) = (first.numeric(), second.numeric());
    Ok(match test {
        PairTest::SignedRank => {
            let found = signed_rank(a, b)?;
            let mut rows = test_rows(&found.test, words);
            rows.push(vec![
                text(words.of("Parova bez razlike (izostavljeni iz rangova)", "Pairs without a difference (not ranked)")),
                count(found.zeros),
            ]);
            rows
        }
        PairTest::Pearson => correlation_rows(&pearson(a, b, level)?, words),
        PairTest::Spearman => correlation_rows(&spearman(a, b, level)?, words),
        PairTest::PairedT | PairTest::McNemar => {
            let found = paired_t(a, b, level)?;
            let mut rows = test_rows(&found.test, words);
            rows.push(difference_row(words.of("Srednja razlika (prvo − drugo)", "Mean difference (first − second)"), &found, words));
            rows
        }
    })
}

fn correlation_rows(found: &Correlation, words: Words) -> Vec<Vec<Value>> {
    let mut rows = test_rows(&found.test, words);
    let interval = found.interval.as_ref();
    let told = interval.map(|interval| {
        format!(" {} ({}, {})", words.interval(interval, 3), words.interval_name(interval.level.value()), words.method(interval.method))
    });
    let told = format!("{}{}", fixed(found.coefficient, 3), told.unwrap_or_default());
    rows.insert(1, vec![text(words.of("Koeficijent", "Coefficient")), text(told)]);
    rows
}

fn changed_answers(plan: &Comparison, second: &LabelledColumn, store: &ColumnStore, words: Words) -> Tables {
    let column = |column: &str, label: &str| EventColumn { column: column.to_owned(), label: label.to_owned(), value: None };
    let first = store.events(&column(&plan.value.column, &plan.value.label))?;
    let second = store.events(&column(&second.column, &second.label))?;
    let (described, rows) = agreement(&first, &second, words)?;
    let mut table = test_table(words);
    table.rows = rows;
    Ok(vec![described, table])
}

/// The table of two answers of the same rows, and the test of those who changed.
pub fn agreement(first: &Events, second: &Events, words: Words) -> Result<(AnalysisTable, Vec<Vec<Value>>), Problem> {
    let codes = |events: &Events| -> Vec<Option<u32>> { events.values.iter().map(|event| event.map(|event| u32::from(!event))).collect() };
    let (a, b) = (codes(first), codes(second));
    let answers = [words.yes_no(true), words.yes_no(false)];
    let factor = |name, codes| statistics::Factor { name, levels: &answers, codes };
    let cross = CrossTable::of(factor(&first.name, &a), factor(&second.name, &b))?;
    let heads = vec![
        left(&first.name),
        right(format!("{}: {}", second.name, answers[0])),
        right(format!("{}: {}", second.name, answers[1])),
        right(words.of("Ukupno", "Total")),
    ];
    let mut described = AnalysisTable::new("", heads);
    for (answer, counts) in answers.iter().zip(&cross.counts) {
        let whole = counts.iter().sum::<u64>() as usize;
        described.rows.push(vec![text(*answer), count(counts[0] as usize), count(counts[1] as usize), count(whole)]);
    }
    described.notes.extend(words.left_out(cross.missing, words.of("jedan od odgovora", "one of the answers")));
    let (only_first, only_second) = (cross.counts[0][1], cross.counts[1][0]);
    let mut rows = Vec::new();
    for result in [mcnemar_exact(only_first, only_second), mcnemar(only_first, only_second, Continuity::Yates)] {
        match result {
            Ok(result) => {
                rows.push(vec![text(words.test(result.test)), text(format!("{}, {}", words.statistic(&result), words.p(result.p)))]);
            }
            Err(error) => rows.push(refused_row(words.error(&error), words)),
        }
    }
    rows.push(vec![text(words.of("Promenili odgovor", "Changed the answer")), count((only_first + only_second) as usize)]);
    Ok((described, rows))
}
