//! Proof by values: what an expression of another system gives on random answers, beside what its translation gives on the same ones.
//!
//! The other side is a closure over [`Answers`]: an evaluator of the source's own language that knows nothing of the translation
//! (docs/decisions/0062-imports-are-proven-by-values.md).

mod answers;
mod compare;
pub mod redcap;
pub mod xpath;

use std::collections::{BTreeSet, HashMap};

use domain::formula::{self, Context, FormulaSurroundings, Rows, Value};
use jiff::civil::Date;
use serde::Serialize;
use utoipa::ToSchema;

pub use self::answers::{Answer, Answers, Question, Questions};
use self::{answers::Generator, compare::ProofValue};

/// How many sets of answers each expression is tried on.
pub const TRIES: usize = 240;

/// The day on which both sides are evaluated.
pub const TODAY: Date = Date::constant(2026, 3, 16);

/// What the source gives.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    Holds(bool),
    Gives(Answer),
}

/// What the source's expression gives for some answers; none where its evaluator does not know a part of it.
pub type Meaning = dyn Fn(&Answers) -> Option<Outcome>;

/// A formula of ours that is to mean what the source means.
pub struct Claim<'a> {
    pub formula: &'a str,
    /// The code of the field whose value it calculates; none for a condition.
    pub result: Option<&'a str>,
    /// Codes of the fields that the source reads; those of the formula are added.
    pub reads: BTreeSet<String>,
    /// What the source compares with: answers are taken at these values and beside them.
    pub literals: Vec<Answer>,
    pub source: &'a Meaning,
    /// Whether both are about one row of a section, and name its columns as single values.
    pub in_row: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// The same on all answers. `longer`: the source's result has more decimals than an entry keeps.
    Proven {
        longer: bool,
    },
    Differs(Difference),
    /// The source's evaluator does not know it.
    Unknown,
}

/// The first answers on which both sides differ, in words.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    pub answers: String,
    source: ProofValue,
    here: ProofValue,
}

impl Difference {
    /// What it is called where a condition holds, and where it does not.
    pub fn words(&self, (holds, does_not): (&str, &str)) -> String {
        let Self { answers, source, here } = self;
        match (source, here) {
            (ProofValue::Yes(source), ProofValue::Yes(here)) => {
                let verb = |holding: &bool| if *holding { holds } else { does_not };
                format!("za odgovore {answers} izvor {}, a prevod {}", verb(source), verb(here))
            }
            _ => format!("za odgovore {answers} izvor daje {}, a prevod {}", source.words(), here.words()),
        }
    }
}

/// How many expressions of a file were tried, and what came of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = ImportProof)]
#[serde(rename_all = "camelCase")]
pub struct Proof {
    /// Expressions that give the same as in the source.
    pub dokazano: usize,
    /// Expressions that do not; they are not carried.
    pub razlicito: usize,
    /// Expressions that are carried though the source's evaluator does not know a part of them.
    pub nedokazano: usize,
    /// On how many sets of random answers each was tried.
    pub odgovora: usize,
}

impl Proof {
    pub fn add(&mut self, other: Self) {
        self.dokazano += other.dokazano;
        self.razlicito += other.razlicito;
        self.nedokazano += other.nedokazano;
        self.odgovora = self.odgovora.max(other.odgovora);
    }
}

/// Tries the claim on random answers, the same ones each time.
pub fn examine(questions: &Questions, claim: &Claim) -> Result<Verdict, String> {
    let parsed = questions.compiled(claim.formula, claim.in_row)?;
    let reads: BTreeSet<&str> = claim.reads.iter().map(String::as_str).chain(parsed.deps.iter().map(String::as_str)).collect();
    let result = claim.result.and_then(|code| questions.get(code));
    let mut generator = Generator::new(questions, &reads, &claim.literals);
    let mut longer = false;
    for at in 0..TRIES {
        let answers = generator.answers(at);
        let Some(outcome) = (claim.source)(&answers) else { return Ok(Verdict::Unknown) };
        let value = value_of(&parsed, questions, &answers);
        let (source, here) = match (&outcome, result) {
            (Outcome::Gives(answer), Some(result)) => (ProofValue::of_source(answer), ProofValue::of_result(&value, result)),
            (Outcome::Gives(answer), None) => (ProofValue::of_source(answer), ProofValue::of_condition(&value)),
            (Outcome::Holds(holds), _) => (ProofValue::Yes(*holds), ProofValue::of_condition(&value)),
        };
        if !source.equals(&here) {
            let answers = questions.words(&reads, &answers);
            return Ok(Verdict::Differs(Difference { answers, source, here }));
        }
        longer |= source.has_more_decimals();
    }
    Ok(Verdict::Proven { longer })
}

fn value_of(parsed: &formula::Formula, questions: &Questions, answers: &Answers) -> Value {
    let values: HashMap<String, Value> = answers.iter().map(|(code, answer)| (code.clone(), questions.value(code, answer))).collect();
    let (none, around, rows) = (HashMap::new(), FormulaSurroundings::on(TODAY), Rows::default());
    formula::evaluate(
        &parsed.expr,
        &Context { values: &values, previous: &none, earlier: &[], around: &around, rows: &rows, row: None, of_column: false },
    )
}

#[cfg(test)]
mod tests {
    use domain::{formula::Field, register::ValueType};

    use super::*;

    fn questions() -> Questions {
        let field = |code: &str, kind| Field { sifra: Some(code.to_owned()), tip_vrednosti: kind, ..Field::default() };
        let question = |code: &str, kind| Question { whole: true, ..Question::of(code, field(code, kind)) };
        [question("a", ValueType::Number), question("x", ValueType::Number)].into_iter().collect()
    }

    fn tried(formula: &str, result: Option<&str>, literals: &[f64], source: &Meaning) -> Verdict {
        let literals = literals.iter().map(|number| Answer::Number(*number)).collect();
        examine(&questions(), &Claim { formula, result, reads: BTreeSet::from(["a".to_owned()]), literals, source, in_row: false }).unwrap()
    }

    fn number(answers: &Answers) -> f64 {
        answers["a"].number().unwrap_or(f64::NAN)
    }

    #[test]
    fn a_condition_that_hides_what_the_source_shows_is_found() {
        let source = |answers: &Answers| Some(Outcome::Holds(number(answers) != 5.0));
        let Verdict::Differs(found) = tried("$(a) != 5", None, &[5.0], &source) else { panic!("a blank one is another") };
        assert_eq!(found.words(("prikazuje", "krije")), "za odgovore „a”: prazno izvor prikazuje, a prevod krije");
        assert_eq!(tried("isblank($(a)) or $(a) != 5", None, &[5.0], &source), Verdict::Proven { longer: false });
        let Verdict::Differs(found) = tried("isblank($(a)) or $(a) > 5", None, &[5.0], &source) else { panic!("beside the literal") };
        assert!(found.answers.contains("„a”:"), "{found:?}");
    }

    #[test]
    fn a_result_is_compared_as_it_is_and_more_decimals_are_told() {
        let third = |answers: &Answers| Some(Outcome::Gives(Answer::Number(number(answers) / 3.0)));
        assert_eq!(tried("$(a) / 3", Some("x"), &[], &third), Verdict::Proven { longer: true });
        let infinite = |answers: &Answers| Some(Outcome::Gives(Answer::Number(1.0 / number(answers))));
        let Verdict::Differs(found) = tried("1 / $(a)", Some("x"), &[0.0], &infinite) else { panic!("an infinite result is none") };
        assert_eq!(found.words(("", "")), "za odgovore „a”: 0 izvor daje prazno, a prevod 0");
        assert_eq!(tried("1", Some("x"), &[], &|_| None), Verdict::Unknown);
    }

    #[test]
    fn the_same_claim_is_tried_on_the_same_answers() {
        let seen = std::cell::RefCell::new(Vec::new());
        let gather = |answers: &Answers| {
            seen.borrow_mut().push(answers.clone());
            Some(Outcome::Holds(true))
        };
        let questions = questions();
        let reads = BTreeSet::from(["a"]);
        let mut first = Generator::new(&questions, &reads, &[Answer::Number(18.0)]);
        let mut second = Generator::new(&questions, &reads, &[Answer::Number(18.0)]);
        for at in 0..TRIES {
            let answers = first.answers(at);
            assert_eq!(answers, second.answers(at));
            gather(&answers);
        }
        let all = seen.into_inner();
        for wanted in [Answer::Blank, Answer::Number(17.0), Answer::Number(18.0), Answer::Number(19.0)] {
            assert!(all.iter().any(|answers| answers["a"] == wanted), "{wanted:?}");
        }
    }
}
