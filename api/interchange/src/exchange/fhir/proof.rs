//! Conditions proven by values: each `enableWhen` against the formula that it became, on random answers. What differs is told and not carried.

use std::collections::{BTreeSet, HashMap};

use domain::formula;
use rust_decimal::prelude::ToPrimitive;
use serde_json::{Value, json};

use super::{
    condition::{self, Answers, Question},
    incoming::Claim,
    own::OwnProperties,
    semantics,
};
use crate::{
    exchange::{
        foreign::Foreign,
        proof::{self, Answer, Outcome, Verdict},
        report::Note,
        words::designer_note,
    },
    import::{
        definition::{AttributeType, Definition, FieldDefinition},
        formulas,
    },
};

const SHOWS: &str = "formulaZaPrikaz";
/// Of how many letters of conditions a form's answers are tried: a file that has more takes too long.
const MOST_TRIED: usize = 1_000_000;

/// Gives fields the conditions that are proven; those of a file of ours as they were written, where they still mean the same.
pub fn settle(foreign: &mut Foreign, own: &mut OwnProperties, questions: &HashMap<&str, Question>, claims: &[Claim]) {
    let asked = asked(&foreign.definition, questions);
    foreign.proof.odgovora = proof::TRIES;
    let fields = foreign.definition.forms.iter_mut().flat_map(|form| &mut form.polja);
    let mut fields: HashMap<String, &mut FieldDefinition> = fields.map(|field| (field.sifra.clone(), field)).collect();
    let mut letters = 0;
    for claim in claims {
        letters += claim.clauses.iter().map(|clause| clause.when.raw().to_string().len()).sum::<usize>();
        let Some(field) = fields.get_mut(&claim.code) else { continue };
        let tried = |formula: &str| match letters <= MOST_TRIED {
            true => examine(&asked, questions, claim, formula),
            false => Ok(Verdict::Unknown),
        };
        if let Some(formula) = own.shows(&claim.code) {
            match tried(formula) {
                Ok(Verdict::Proven { .. }) => {
                    foreign.proof.dokazano += 1;
                    continue;
                }
                Ok(Verdict::Unknown) => {
                    foreign.proof.nedokazano += 1;
                    continue;
                }
                _ => {}
            }
            let message = "uslov je u fajlu promenjen: važi enableWhen, a ne formula koja stoji uz njega";
            foreign.warnings.push(Note::of(&claim.place, message, formula));
            own.forget(&claim.code, SHOWS);
        }
        let proof = &mut foreign.proof;
        let proven = claim.formula.clone().and_then(|formula| match tried(&formula)? {
            Verdict::Proven { .. } => {
                proof.dokazano += 1;
                Ok(formula)
            }
            Verdict::Unknown => {
                proof.nedokazano += 1;
                Ok(formula)
            }
            Verdict::Differs(difference) => {
                proof.razlicito += 1;
                Err(difference.words(("prikazuje", "krije")))
            }
        });
        match proven {
            Ok(formula) => field.own.formula_za_prikaz = Some(formula),
            Err(why) => {
                let text: Vec<String> = claim.clauses.iter().map(|clause| clause.when.raw().to_string()).collect();
                let message = format!("uslov prikaza nije prenet ({why}); polje se prikazuje uvek");
                designer_note(&mut field.own, &format!("Nije preneto (uslov prikaza): {}", text.join(" ")));
                foreign.unmapped.push(Note::of(&claim.place, message, text.join(" ")));
            }
        }
    }
}

/// The questions of the form that conditions may read, as the proof asks them.
pub(super) fn asked(definition: &Definition, questions: &HashMap<&str, Question>) -> proof::Questions {
    let types: HashMap<&str, &AttributeType> = definition.attribute_types.iter().map(|known| (known.mark(), known)).collect();
    let by_code: HashMap<&str, &Question> = questions.values().map(|question| (question.code.as_str(), question)).collect();
    let question = |(field, seen): (&FieldDefinition, formula::Field)| {
        let known = by_code.get(field.sifra.as_str())?;
        let mut question = proof::Question::of(&field.own.naziv, seen);
        question.whole = types.get(field.tip_atributa.as_str())?.own.decimale_brojne_vrednosti == Some(0);
        if let Answers::Options { options } = &known.answers {
            question.codes = (0..options.len()).map(|at| at.to_string()).collect();
        }
        Some(question)
    };
    let form = definition.forms.first();
    form.into_iter().flat_map(|form| form.polja.iter().zip(formulas::fields(form, &types)).filter_map(question)).collect()
}

fn examine(asked: &proof::Questions, questions: &HashMap<&str, Question>, claim: &Claim, formula: &str) -> Result<Verdict, String> {
    let whens: Vec<(Vec<Value>, bool)> =
        claim.clauses.iter().map(|clause| (clause.when.each().map(|one| one.raw().clone()).collect(), clause.any)).collect();
    let all = || whens.iter().flat_map(|(when, _)| when);
    let links: BTreeSet<&str> = all().filter_map(|one| one["question"].as_str()).collect();
    let read: HashMap<String, Question> =
        links.into_iter().filter_map(|link| Some((link.to_owned(), questions.get(link)?.clone()))).collect();
    let literals = all().filter_map(|one| literal(one, &read)).collect();
    let reads = read.values().map(|question| question.code.clone()).collect();
    let source = move |answers: &proof::Answers| {
        let given: HashMap<&str, Vec<Value>> =
            read.iter().map(|(link, question)| (link.as_str(), as_response(question, answers.get(&question.code)))).collect();
        let all: Option<Vec<bool>> =
            whens.iter().map(|(when, any)| semantics::enabled(when, *any, |link| given.get(link).map(Vec::as_slice))).collect();
        Some(Outcome::Holds(!all?.contains(&false)))
    };
    proof::examine(asked, &proof::Claim { formula, result: None, reads, literals, source: &source, in_row: claim.row.is_some() })
}

/// What a condition compares with, as the field keeps it.
fn literal(when: &Value, read: &HashMap<String, Question>) -> Option<Answer> {
    let (_, answer) = when.as_object()?.iter().find(|(name, _)| name.starts_with("answer"))?;
    match &read.get(when["question"].as_str()?)?.answers {
        Answers::Number { unit } => condition::quantity(answer, unit.as_ref()).ok()??.to_f64().map(Answer::Number),
        Answers::Date => answer.as_str()?.parse().ok().map(Answer::Date),
        Answers::Text => answer.as_str().map(|text| Answer::Text(text.to_owned())),
        _ => None,
    }
}

/// An answer as a QuestionnaireResponse would have it.
pub(super) fn as_response(question: &Question, answer: Option<&Answer>) -> Vec<Value> {
    match (answer, &question.answers) {
        (Some(Answer::Yes(yes)), _) => vec![json!({ "valueBoolean": yes })],
        (Some(Answer::Number(number)), Answers::Number { unit: Some(unit) }) => {
            vec![json!({ "valueQuantity": { "value": number, "code": unit.code, "unit": unit.name } })]
        }
        (Some(Answer::Number(number)), _) => vec![json!({ "valueDecimal": number })],
        (Some(Answer::Text(text)), _) => vec![json!({ "valueString": text })],
        (Some(Answer::Date(day)), _) => vec![json!({ "valueDate": day.to_string() })],
        (Some(Answer::Options(chosen)), Answers::Options { options }) => {
            let option = |at: &String| at.parse().ok().and_then(|at: usize| options.get(at));
            chosen.iter().filter_map(option).map(|option| json!({ &option.kind: option.value })).collect()
        }
        _ => Vec::new(),
    }
}
