//! Random answers to the questions of a form: blanks, each option, and values at and beside what expressions compare with.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use domain::{
    formula::{self, Field, Formula, Item, Value},
    register::ValueType,
};
use jiff::{ToSpan, civil::Date};

use super::TODAY;

/// By the code that the field has here.
pub type Answers = BTreeMap<String, Answer>;

#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    Blank,
    Number(f64),
    Text(String),
    Date(Date),
    Yes(bool),
    /// What is chosen of a set, by the source's codes, in the order of the list; never empty.
    Options(Vec<String>),
}

impl Answer {
    pub fn number(&self) -> Option<f64> {
        if let Self::Number(number) = self { Some(*number) } else { None }
    }
}

/// What can be answered to a field.
#[derive(Clone, Debug)]
pub struct Question {
    pub label: String,
    /// As formulas see it.
    pub field: Field,
    /// The source's codes of its items, in their order.
    pub codes: Vec<String>,
    /// Only whole numbers.
    pub whole: bool,
    pub low: Option<f64>,
    pub high: Option<f64>,
}

impl Question {
    pub fn of(label: &str, field: Field) -> Self {
        let (low, high) = (field.donja_granica, field.gornja_granica);
        Self { label: label.to_owned(), field, codes: Vec::new(), whole: false, low, high }
    }
}

#[derive(Clone, Debug, Default)]
pub struct Questions {
    by_code: HashMap<String, Question>,
}

impl FromIterator<Question> for Questions {
    fn from_iter<T: IntoIterator<Item = Question>>(questions: T) -> Self {
        let by_code = questions.into_iter().filter_map(|question| Some((question.field.sifra.clone()?, question)));
        Self { by_code: by_code.collect() }
    }
}

impl Questions {
    pub fn get(&self, code: &str) -> Option<&Question> {
        self.by_code.get(code)
    }

    /// The formula, its items known by what these fields have.
    pub fn compiled(&self, formula: &str, in_row: bool) -> Result<Formula, String> {
        let named = formula::parse(formula).map_err(|error| error.to_string())?.deps;
        let mut fields: Vec<Field> = named.iter().filter_map(|code| self.get(code)).map(|question| question.field.clone()).collect();
        // A section is one by its columns.
        let is_in = |question: &&Question| {
            let column = &question.field;
            fields.iter().any(|field| column.sekcija == Some(field.id)) && !fields.iter().any(|field| field.id == column.id)
        };
        let columns: Vec<Field> = self.by_code.values().filter(is_in).map(|question| question.field.clone()).collect();
        fields.extend(columns);
        // Whether a column may be read so is asked once its form is whole.
        if in_row {
            return formula::parse_among(formula, &fields).map_err(|error| error.to_string());
        }
        match formula::compile_conditions(&[formula], &fields).pop() {
            Some(Ok(compiled)) => Ok(compiled.formula),
            Some(Err(error)) => Err(error.to_string()),
            None => Err("prazan izraz".to_owned()),
        }
    }

    /// An answer as formulas see it.
    pub fn value(&self, code: &str, answer: &Answer) -> Value {
        match answer {
            Answer::Blank => Value::Blank,
            Answer::Number(number) => Value::number(*number),
            Answer::Text(text) => Value::text(text),
            Answer::Date(day) => Value::Date(*day),
            Answer::Yes(yes) => Value::Number(f64::from(u8::from(*yes))),
            Answer::Options(chosen) => self.get(code).map_or(Value::Blank, |question| Value::items(items(question, chosen))),
        }
    }

    pub fn words(&self, reads: &BTreeSet<&str>, answers: &Answers) -> String {
        let said = |code: &&str| {
            let label = self.get(code).map_or(*code, |question| question.label.as_str());
            let answer = answers.get(*code).map_or_else(|| "prazno".to_owned(), words);
            format!("„{label}”: {answer}")
        };
        if reads.is_empty() { "bez ijednog polja".to_owned() } else { reads.iter().map(said).collect::<Vec<_>>().join(", ") }
    }
}

fn items(question: &Question, chosen: &[String]) -> Vec<Item> {
    let all = question.codes.iter().zip(&question.field.items);
    all.filter(|(code, _)| chosen.contains(code)).map(|(_, item)| item.clone()).collect()
}

pub fn words(answer: &Answer) -> String {
    match answer {
        Answer::Blank => "prazno".to_owned(),
        Answer::Number(number) => domain::shown::number(*number),
        Answer::Text(text) => format!("„{text}”"),
        Answer::Date(day) => format!("{:02}.{:02}.{:04}.", day.day(), day.month(), day.year()),
        Answer::Yes(yes) => domain::shown::yes_no(*yes).to_lowercase(),
        Answer::Options(chosen) => chosen.iter().map(|code| format!("„{code}”")).collect::<Vec<_>>().join(" i "),
    }
}

/// Answers one after another; the same ones for the same questions and literals.
pub struct Generator<'a> {
    asked: Vec<(&'a str, Option<&'a Question>)>,
    literals: &'a [Answer],
    random: Random,
}

impl<'a> Generator<'a> {
    pub fn new(questions: &'a Questions, reads: &BTreeSet<&'a str>, literals: &'a [Answer]) -> Self {
        let asked = reads.iter().map(|code| (*code, questions.get(code))).collect();
        Self { asked, literals, random: Random(0x5eed) }
    }

    /// First all blank, then each of them alone blank, and each alone answered, then any.
    pub fn answers(&mut self, at: usize) -> Answers {
        let count = self.asked.len();
        let blank = |one: usize, random: &mut Random| match at {
            0 => true,
            at if at <= count => one + 1 == at,
            at if at <= 2 * count => one + 1 != at - count,
            _ => random.below(5) == 0,
        };
        let mut found = Answers::new();
        for (one, (code, question)) in self.asked.clone().into_iter().enumerate() {
            let answer = match question {
                Some(question) if !blank(one, &mut self.random) => self.answer(question),
                _ => Answer::Blank,
            };
            found.insert(code.to_owned(), answer);
        }
        found
    }

    fn answer(&mut self, question: &Question) -> Answer {
        match question.field.tip_vrednosti {
            ValueType::Number => Answer::Number(self.number(question)),
            ValueType::Text => Answer::Text(self.text()),
            ValueType::Date => self.day().map_or(Answer::Blank, Answer::Date),
            ValueType::Choice => Answer::Yes(self.random.below(2) == 1),
            ValueType::Set if question.codes.is_empty() => Answer::Blank,
            ValueType::Set => Answer::Options(self.options(question)),
            _ => Answer::Blank,
        }
    }

    fn number(&mut self, question: &Question) -> f64 {
        let (low, high) = (question.low.unwrap_or(-20.0), question.high.unwrap_or(200.0));
        let (low, high) = if low <= high {
            (low, high)
        } else if question.low.is_some() {
            (low, low + 200.0)
        } else {
            (high - 200.0, high)
        };
        let mut near: Vec<f64> = vec![0.0, 1.0, low, high];
        let step = if question.whole { 1.0 } else { 0.5 };
        for number in self.literals.iter().filter_map(Answer::number) {
            near.extend([number, number - 1.0, number + 1.0, number - step, number + step]);
        }
        if !question.whole {
            near.extend([-2.5, 2.5, -0.5]);
        }
        near.retain(|number| (low..=high).contains(number) && (!question.whole || number.fract() == 0.0));
        if !near.is_empty() && self.random.below(5) < 3 {
            return near[self.random.below(near.len())];
        }
        let width = high - low;
        let number = low + width * (self.random.below(10_001) as f64) / 10_000.0;
        let places = [0, 1, 2][self.random.below(3)];
        let scale = if question.whole { 1.0 } else { 10_f64.powi(places) };
        ((number * scale).round() / scale).clamp(low, high)
    }

    fn text(&mut self) -> String {
        let literals = self.literals.iter().filter_map(|literal| match literal {
            Answer::Text(text) if !text.trim().is_empty() => Some(text.clone()),
            Answer::Number(number) => Some(number.to_string()),
            _ => None,
        });
        let near: Vec<String> = literals.chain(["x".to_owned(), "neki tekst".to_owned(), "7".to_owned()]).collect();
        near[self.random.below(near.len())].clone()
    }

    fn day(&mut self) -> Option<Date> {
        let literals = self.literals.iter().filter_map(|literal| if let Answer::Date(day) = literal { Some(*day) } else { None });
        let near: Vec<Date> = literals.chain([TODAY]).collect();
        let from = near[self.random.below(near.len())];
        let numbers: Vec<i64> = self.literals.iter().filter_map(Answer::number).map(|number| number as i64).collect();
        let by = match self.random.below(4) {
            0 => self.random.below(3) as i64 - 1,
            1 if !numbers.is_empty() => {
                let number = numbers[self.random.below(numbers.len())].clamp(-40_000, 40_000);
                let sign = if self.random.below(2) == 0 { 1 } else { -1 };
                sign * number + self.random.below(3) as i64 - 1
            }
            1 | 2 => self.random.below(600) as i64 - 300,
            _ => -(self.random.below(33_000) as i64),
        };
        from.checked_add(by.days()).ok()
    }

    fn options(&mut self, question: &Question) -> Vec<String> {
        let any = self.random.below(question.codes.len());
        let is_chosen: Vec<bool> =
            (0..question.codes.len()).map(|at| at == any || (question.field.multiple && self.random.below(3) == 0)).collect();
        question.codes.iter().zip(is_chosen).filter(|(_, is_chosen)| *is_chosen).map(|(code, _)| code.clone()).collect()
    }
}

/// SplitMix64: the same numbers on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, most: usize) -> usize {
        (self.next() % most.max(1) as u64) as usize
    }
}
