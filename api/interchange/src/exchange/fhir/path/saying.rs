//! An expression in the language of formulas here. Both languages pass a missing value on and both know "not known" beside yes and no, so most
//! of it is said as it stands.

use std::collections::{BTreeSet, HashMap};

use super::{Aspect, ItemTree, Path, Selection, Sign, meaning::is_running_sum, selection::AnswerTest};
use crate::exchange::fhir::condition::{Answers, Choosable, Question};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Number,
    Truth,
    Text,
    Nothing,
}

/// A piece of a formula.
struct Part {
    text: String,
    kind: Kind,
    /// It may have no value.
    may_be_blank: bool,
    /// It holds together without brackets.
    is_single: bool,
}

impl Part {
    fn single(text: impl Into<String>, kind: Kind, may_be_blank: bool) -> Self {
        Self { text: text.into(), kind, may_be_blank, is_single: true }
    }

    fn loose(text: impl Into<String>, kind: Kind, may_be_blank: bool) -> Self {
        Self { text: text.into(), kind, may_be_blank, is_single: false }
    }

    fn bracketed(&self) -> String {
        if self.is_single { self.text.clone() } else { format!("({})", self.text) }
    }

    /// As a condition that is yes or no.
    fn decided(&self) -> String {
        if self.may_be_blank { format!("coalesce({}, false)", self.text) } else { self.text.clone() }
    }
}

/// What the field holds that an expression computes.
#[derive(Clone, Copy, Debug)]
pub enum ResultKind<'a> {
    Number,
    Truth,
    Text,
    /// One of these options.
    Option(&'a [Choosable]),
}

/// A field whose values are taken together with others.
struct Term {
    text: String,
    /// It stands for its values in the rows of its section.
    of_rows: bool,
}

impl Term {
    /// Zero where it is blank; over rows their sum.
    fn added(&self) -> String {
        let Self { text, of_rows } = self;
        if *of_rows { format!("coalesce(sum(coalesce({text}, 0)), 0)") } else { format!("coalesce({text}, 0)") }
    }
}

fn texts(terms: &[Term]) -> String {
    terms.iter().map(|term| term.text.as_str()).collect::<Vec<_>>().join(", ")
}

#[derive(Clone, Copy)]
pub struct Saying<'a> {
    /// By `linkId`.
    pub questions: &'a HashMap<&'a str, Question>,
    pub tree: &'a ItemTree<'a>,
    /// Codes of fields some of whose options have a weight.
    pub weighed: &'a BTreeSet<String>,
    /// The section in whose row the expression stands.
    pub row: Option<&'a str>,
}

impl<'a> Saying<'a> {
    pub fn calculation(&self, path: &Path, kind: ResultKind<'_>) -> Result<String, String> {
        let part = match kind {
            ResultKind::Number => self.number(path)?,
            ResultKind::Truth => self.truth(path)?,
            ResultKind::Text => self.text(path)?,
            ResultKind::Option(options) => return self.option(path, options),
        };
        Ok(part.text)
    }

    /// An option of the field itself, by the name that its item has.
    fn option(&self, path: &Path, options: &[Choosable]) -> Result<String, String> {
        if let Some((_, codes)) = path.form_options() {
            let is_meant = |option: &&Choosable| codes.iter().any(|code| option.value["code"] == *code);
            let mut found = options.iter().filter(is_meant);
            return match (found.next(), found.next()) {
                (Some(one), None) => quoted(&one.item),
                _ => Err(format!("nema jedne opcije „{}”", codes.join(", "))),
            };
        }
        match path {
            Path::Empty => Ok("null".to_owned()),
            Path::Call(None, name, args) if name == "iif" => {
                let ([asked, then, rest @ ..], true) = (args.as_slice(), args.len() <= 3) else {
                    return Err("iif bez uslova i vrednosti".to_owned());
                };
                let (then, other) = (self.option(then, options)?, self.option(rest.first().unwrap_or(&Path::Empty), options)?);
                Ok(format!("if({}, {then}, {other})", self.truth(asked)?.decided()))
            }
            _ => Err("opcija koja nije iz upitnika".to_owned()),
        }
    }

    fn number(&self, path: &Path) -> Result<Part, String> {
        let part = self.part(path)?;
        match part.kind {
            Kind::Number | Kind::Nothing => Ok(part),
            Kind::Truth => Err("da ili ne kao broj".to_owned()),
            Kind::Text => Err("tekst kao broj".to_owned()),
        }
    }

    fn text(&self, path: &Path) -> Result<Part, String> {
        let part = self.part(path)?;
        match part.kind {
            Kind::Text | Kind::Nothing => Ok(part),
            Kind::Number | Kind::Truth => Err("broj, ili da ili ne, kao tekst".to_owned()),
        }
    }

    fn truth(&self, path: &Path) -> Result<Part, String> {
        let part = self.part(path)?;
        match part.kind {
            Kind::Truth | Kind::Nothing => Ok(part),
            Kind::Number | Kind::Text => Err("vrednost kao uslov".to_owned()),
        }
    }

    fn part(&self, path: &Path) -> Result<Part, String> {
        if let Some(chosen) = path.chosen() {
            return self.value(&chosen);
        }
        match path {
            Path::Number(number) => Ok(Part::single(number.to_string(), Kind::Number, false)),
            Path::Text(text) => Ok(Part::single(quoted(text)?, Kind::Text, false)),
            Path::Truth(truth) => Ok(Part::single(truth.to_string(), Kind::Truth, false)),
            Path::Empty => Ok(Part::single("null", Kind::Nothing, true)),
            Path::Minus(of) => {
                let part = self.number(of)?;
                Ok(Part::loose(format!("-{}", part.bracketed()), Kind::Number, part.may_be_blank))
            }
            Path::Binary(sign, left, right) => self.binary(*sign, left, right),
            Path::Call(None, name, args) if name == "iif" => self.choice(args),
            Path::Call(None, name, args) if name == "coalesce" => self.first_there(args),
            Path::Call(Some(of), name, args) => self.call(of, name, args),
            Path::Call(None, name, _) => Err(format!("nema funkcije „{name}”")),
            Path::Root | Path::Context | Path::Outer | Path::Form | Path::Name(_) | Path::Member(..) => {
                Err("deo odgovora koji se ne prenosi".to_owned())
            }
        }
    }

    fn question(&self, link: &str) -> Result<&'a Question, String> {
        self.questions.get(link).ok_or_else(|| format!("nema stavke „{link}”"))
    }

    /// Whether the question stands for its values in all rows of its section.
    fn is_of_rows(&self, known: &Question, chosen: &Selection) -> bool {
        known.section.is_some() && (chosen.whole || !known.is_single(self.row))
    }

    /// The one question that is chosen, with one value.
    fn single(&self, chosen: &Selection) -> Result<&'a Question, String> {
        match self.questions(chosen)?[..] {
            [(_, known)] if self.is_of_rows(known, chosen) => Err(format!("„{}” stoji u sekciji koja se ponavlja", known.code)),
            [(_, known)] => Ok(known),
            _ => Err("više stavki kao jedna vrednost".to_owned()),
        }
    }

    /// The questions that are chosen, by their `linkId`; those that are not named only where they have what is asked of them.
    pub fn questions<'s>(&self, chosen: &'s Selection) -> Result<Vec<(&'s str, &'a Question)>, String>
    where
        'a: 's,
    {
        let links = chosen.links_in(self.tree);
        if chosen.is_named() {
            return links.into_iter().map(|link| Ok((link, self.question(link)?))).collect();
        }
        let is_weight = chosen.what == Aspect::Weights;
        let has = |known: &Question| match &known.answers {
            Answers::Nothing | Answers::Files => false,
            Answers::Options { .. } if is_weight => self.weighed.contains(known.code.as_str()),
            _ => !is_weight,
        };
        let known = |link: &'s str| self.questions.get(link).map(|known| (link, known));
        Ok(links.into_iter().filter_map(known).filter(|(_, known)| has(known)).collect())
    }

    fn value(&self, chosen: &Selection) -> Result<Part, String> {
        if chosen.test.is_some() {
            return Err("odgovori izabrani po vrednosti kao jedna vrednost".to_owned());
        }
        let known = self.single(chosen)?;
        let field = format!("$({})", known.code);
        match (&known.answers, chosen.what) {
            (Answers::Number { .. }, Aspect::Values) => Ok(Part::single(field, Kind::Number, true)),
            (Answers::Boolean, Aspect::Values) => Ok(Part::single(field, Kind::Truth, true)),
            (Answers::Text, Aspect::Values) => Ok(Part::single(field, Kind::Text, true)),
            (Answers::Options { options }, Aspect::Weights | Aspect::OneWeight) => {
                let codes: BTreeSet<&str> = options.iter().filter_map(|option| option.value["code"].as_str()).collect();
                if chosen.what == Aspect::OneWeight && codes.len() < options.len() {
                    return Err(format!("„{}” ima dve opcije iste šifre, ili opciju bez šifre", known.code));
                }
                Ok(Part::single(format!("$!({})", known.code), Kind::Number, true))
            }
            _ => Err(format!("odgovor na „{}” se ovde ne prenosi", known.code)),
        }
    }

    fn binary(&self, sign: Sign, left: &Path, right: &Path) -> Result<Part, String> {
        match sign {
            Sign::Or | Sign::And | Sign::Implies => {
                let (one, other) = (self.truth(left)?, self.truth(right)?);
                let may_be_blank = one.may_be_blank || other.may_be_blank;
                let (one, other) = (one.bracketed(), other.bracketed());
                let text = match sign {
                    Sign::Or => format!("{one} or {other}"),
                    Sign::And => format!("{one} and {other}"),
                    _ => format!("!{one} or {other}"),
                };
                Ok(Part::loose(text, Kind::Truth, may_be_blank))
            }
            Sign::Equal | Sign::Unequal => self.equal(sign, left, right),
            Sign::Xor => {
                let (one, other) = (self.truth(left)?, self.truth(right)?);
                let may_be_blank = one.may_be_blank || other.may_be_blank;
                Ok(Part::loose(format!("{} != {}", one.bracketed(), other.bracketed()), Kind::Truth, may_be_blank))
            }
            Sign::Less | Sign::AtMost | Sign::More | Sign::AtLeast => self.joined(written(sign), left, right, Kind::Truth),
            Sign::Add if self.is_text(left) || self.is_text(right) => {
                let (one, other) = (self.text(left)?, self.text(right)?);
                Ok(Part::single(format!("concat({}, {})", one.text, other.text), Kind::Text, one.may_be_blank || other.may_be_blank))
            }
            Sign::Add => self.joined("+", left, right, Kind::Number),
            Sign::Join => {
                let (one, other) = (self.text(left)?, self.text(right)?);
                Ok(Part::single(format!("join(\"\", {}, {})", one.text, other.text), Kind::Text, true))
            }
            Sign::Subtract => self.joined("-", left, right, Kind::Number),
            Sign::Multiply => self.joined("*", left, right, Kind::Number),
            Sign::Divide | Sign::Whole | Sign::Remainder => self.divided(sign, left, right),
            Sign::In => self.belongs(left, right),
            Sign::Contains => self.belongs_to_several(left, right),
            // What one of them has; two that differ are an error there, and nothing.
            Sign::Union => {
                let (one, other) = (self.part(left)?, self.part(right)?);
                if one.kind != other.kind || one.kind == Kind::Nothing {
                    return Err("skup vrednosti".to_owned());
                }
                Ok(Part::single(format!("coalesce({}, {})", one.text, other.text), one.kind, one.may_be_blank && other.may_be_blank))
            }
        }
    }

    fn is_text(&self, path: &Path) -> bool {
        self.part(path).is_ok_and(|part| part.kind == Kind::Text)
    }

    /// Whether the answer is one of some options; without one it is not known.
    fn belongs(&self, answer: &Path, codes: &Path) -> Result<Part, String> {
        let chosen = answer.chosen().filter(|chosen| chosen.what == Aspect::Codes && chosen.test.is_none());
        let (Some(chosen), Some(codes)) = (chosen, codes.texts()) else { return Err("skup vrednosti".to_owned()) };
        let known = self.single(&chosen)?;
        let items = items(known, &codes)?;
        if items.is_empty() {
            return Err(format!("„{}” nema te opcije", known.code));
        }
        Ok(Part::single(format!("if(isblank($({0})), null, anyof($({0}), {1}))", known.code, items.join(", ")), Kind::Truth, true))
    }

    /// Whether some answer is this option.
    fn belongs_to_several(&self, answers: &Path, code: &Path) -> Result<Part, String> {
        // `('a' | 'b') contains x` is `x in ('a' | 'b')`.
        if answers.texts().is_some() && code.chosen().is_some() {
            return self.belongs(code, answers);
        }
        let chosen = answers.chosen().filter(|chosen| chosen.what == Aspect::Codes && chosen.test.is_none());
        let (Some(chosen), Path::Text(code)) = (chosen, code) else { return Err("skup vrednosti".to_owned()) };
        let test = AnswerTest::Codes(vec![code.clone()]);
        any(&self.options_chosen(&Selection { test: None, ..chosen }, &test)?, true)
    }

    /// One condition for each option of each question that passes the test.
    fn options_chosen(&self, chosen: &Selection, test: &AnswerTest) -> Result<Vec<String>, String> {
        let AnswerTest::Codes(codes) = test else { return Err("odgovori izabrani po vrednosti".to_owned()) };
        let mut found = Vec::new();
        for (_, known) in self.questions(chosen)? {
            if self.is_of_rows(known, chosen) {
                return Err(format!("opcije u svim redovima („{}”)", known.code));
            }
            found.extend(items(known, codes)?.into_iter().map(|item| format!("selected($({}), {item})", known.code)));
        }
        if found.is_empty() { Err(format!("nema opcije „{}”", codes.join(", "))) } else { Ok(found) }
    }

    /// The first that has a value.
    fn first_there(&self, args: &[Path]) -> Result<Part, String> {
        let parts: Vec<Part> = args.iter().map(|arg| self.part(arg)).collect::<Result<_, _>>()?;
        let [first, rest @ ..] = parts.as_slice() else { return Err("coalesce bez vrednosti".to_owned()) };
        if rest.is_empty() || rest.iter().any(|part| part.kind != first.kind) {
            return Err("coalesce vrednosti dve vrste".to_owned());
        }
        let texts: Vec<&str> = parts.iter().map(|part| part.text.as_str()).collect();
        Ok(Part::single(format!("coalesce({})", texts.join(", ")), first.kind, parts.iter().all(|part| part.may_be_blank)))
    }

    fn joined(&self, sign: &str, left: &Path, right: &Path, kind: Kind) -> Result<Part, String> {
        let (one, other) = (self.number(left)?, self.number(right)?);
        Ok(Part::loose(format!("{} {sign} {}", one.bracketed(), other.bracketed()), kind, one.may_be_blank || other.may_be_blank))
    }

    /// By zero nothing is divided there.
    fn divided(&self, sign: Sign, left: &Path, right: &Path) -> Result<Part, String> {
        let (one, other) = (self.number(left)?, self.number(right)?);
        let (top, bottom) = (one.bracketed(), other.bracketed());
        let quotient = format!("{top} {} {bottom}", if sign == Sign::Remainder { "%" } else { "/" });
        let text = if sign == Sign::Whole { format!("if({quotient} < 0, ceil({quotient}), floor({quotient}))") } else { quotient };
        let is_never_zero = matches!(right, Path::Number(number) if *number != 0.0);
        if is_never_zero {
            let may_be_blank = one.may_be_blank || other.may_be_blank;
            return Ok(Part { is_single: sign == Sign::Whole, ..Part::loose(text, Kind::Number, may_be_blank) });
        }
        Ok(Part::single(format!("if({bottom} == 0, null, {text})"), Kind::Number, true))
    }

    fn equal(&self, sign: Sign, left: &Path, right: &Path) -> Result<Part, String> {
        for (chosen, literal) in [(left.chosen(), right), (right.chosen(), left)] {
            if let (Some(chosen), Path::Text(text)) = (chosen, literal)
                && let Ok(known) = self.single(&chosen)
                && let Answers::Options { options } = &known.answers
            {
                return chosen_option(known, options, chosen.what, text, sign);
            }
        }
        let (one, other) = (self.part(left)?, self.part(right)?);
        let is_text_to_empty = [left, right].iter().any(|path| matches!(path, Path::Text(text) if text.trim().is_empty()));
        if one.kind != other.kind || one.kind == Kind::Nothing || is_text_to_empty {
            return Err("poređenje vrednosti dve vrste, ili sa praznim".to_owned());
        }
        let written = if sign == Sign::Equal { "==" } else { "!=" };
        let text = format!("{} {written} {}", one.bracketed(), other.bracketed());
        Ok(Part::loose(text, Kind::Truth, one.may_be_blank || other.may_be_blank))
    }

    /// What is not known is no.
    fn choice(&self, args: &[Path]) -> Result<Part, String> {
        let ([asked, then, rest @ ..], true) = (args, args.len() <= 3) else { return Err("iif bez uslova i vrednosti".to_owned()) };
        let asked = self.truth(asked)?;
        let then = self.part(then)?;
        let other = self.part(rest.first().unwrap_or(&Path::Empty))?;
        let kind = match (then.kind, other.kind) {
            (Kind::Nothing, kind) | (kind, Kind::Nothing) => kind,
            (one, other) if one == other => one,
            _ => return Err("iif čas jedne, čas druge vrste".to_owned()),
        };
        let text = format!("if({}, {}, {})", asked.decided(), then.text, other.text);
        Ok(Part::single(text, kind, then.may_be_blank || other.may_be_blank))
    }

    fn call(&self, of: &Path, name: &str, args: &[Path]) -> Result<Part, String> {
        match (name, args) {
            ("exists" | "hasValue", []) => self.exists(of, true),
            ("empty", []) => self.exists(of, false),
            ("count", []) => self.count(of),
            ("sum", []) => self.sum(of, None),
            ("aggregate", [step, Path::Number(first)]) if is_running_sum(step) => self.sum(of, Some(*first)),
            ("min" | "max" | "avg", []) => {
                let terms = self.numbers(of)?;
                Ok(Part::single(format!("{name}({})", texts(&terms)), Kind::Number, true))
            }
            ("length", []) => {
                let part = self.text(of)?;
                Ok(Part::single(format!("length({})", part.text), Kind::Number, part.may_be_blank))
            }
            ("contains", [Path::Text(text)]) => {
                let part = self.text(of)?;
                Ok(Part::single(format!("contains({}, {})", part.text, quoted(text)?), Kind::Truth, part.may_be_blank))
            }
            ("toString", []) => {
                let part = self.part(of)?;
                match part.kind {
                    Kind::Text | Kind::Nothing => Ok(part),
                    Kind::Number => Ok(Part::single(format!("concat({})", part.text), Kind::Text, part.may_be_blank)),
                    Kind::Truth => Err("da ili ne kao tekst".to_owned()),
                }
            }
            ("not", []) => {
                let part = self.truth(of)?;
                Ok(Part::single(format!("!{}", part.bracketed()), Kind::Truth, part.may_be_blank))
            }
            ("toInteger" | "toDecimal", []) => self.number(of),
            ("round", []) => self.math("round", of, ""),
            ("round", [Path::Number(places)]) if (0.0..=10.0).contains(places) && places.fract() == 0.0 => {
                self.math("round", of, &format!(", {places}"))
            }
            ("abs" | "exp" | "floor", []) => self.math(name, of, ""),
            ("ceiling", []) => self.math("ceil", of, ""),
            // What has no logarithm and no root has no value.
            ("sqrt" | "ln", []) => Ok(Part { may_be_blank: true, ..self.math(name, of, "")? }),
            ("truncate", []) => {
                let part = self.number(of)?;
                let text = format!("if({0} < 0, ceil({0}), floor({0}))", part.bracketed());
                Ok(Part::single(text, Kind::Number, part.may_be_blank))
            }
            ("power", [by]) => {
                let (base, by) = (self.number(of)?, self.number(by)?);
                Ok(Part::single(format!("pow({}, {})", base.text, by.text), Kind::Number, true))
            }
            _ => Err(format!("nema funkcije „{name}”")),
        }
    }

    fn math(&self, name: &str, of: &Path, behind: &str) -> Result<Part, String> {
        let part = self.number(of)?;
        Ok(Part::single(format!("{name}({}{behind})", part.text), Kind::Number, part.may_be_blank))
    }

    /// The fields whose answers a path chooses.
    fn answers(&self, path: &Path) -> Result<Vec<Term>, String> {
        let chosen = path.chosen().ok_or("broj vrednosti koje nisu odgovori")?;
        if matches!(chosen.what, Aspect::Items | Aspect::Response) {
            return Err("stavke bez svojih odgovora".to_owned());
        }
        let found = self.questions(&chosen)?;
        let term = |(_, known): &(&str, &Question)| {
            let text = match (&known.answers, chosen.what) {
                (Answers::Options { .. }, Aspect::Weights | Aspect::OneWeight) => format!("$!({})", known.code),
                (Answers::Files | Answers::Nothing, _) => return Err(format!("„{}” nema vrednost", known.code)),
                _ => format!("$({})", known.code),
            };
            let of_rows = self.is_of_rows(known, &chosen);
            if of_rows && self.row.is_some() {
                return Err(format!("svi redovi iz reda („{}”)", known.code));
            }
            Ok(Term { text, of_rows })
        };
        let terms: Vec<Term> = found.iter().map(term).collect::<Result<_, _>>()?;
        if terms.is_empty() { Err("nijedna stavka nema takav odgovor".to_owned()) } else { Ok(terms) }
    }

    fn count(&self, of: &Path) -> Result<Part, String> {
        let test = of.chosen().and_then(|chosen| Some((chosen.test.clone()?, chosen)));
        let text = match test {
            None => format!("count({})", texts(&self.answers(of)?)),
            Some((AnswerTest::Compares(sign, number), _)) => {
                let terms = self.numbers(of)?;
                format!("coalesce(countif({} {number}, {}), 0)", written(sign), texts(&terms))
            }
            Some((test, chosen)) => format!("countif({})", self.options_chosen(&chosen, &test)?.join(", ")),
        };
        Ok(Part::single(text, Kind::Number, false))
    }

    fn exists(&self, of: &Path, yes: bool) -> Result<Part, String> {
        if let Path::Binary(Sign::Union, left, right) = of {
            let (one, other) = (self.exists(left, yes)?, self.exists(right, yes)?);
            let sign = if yes { "or" } else { "and" };
            return Ok(Part::loose(format!("{} {sign} {}", one.bracketed(), other.bracketed()), Kind::Truth, false));
        }
        let Some(chosen) = of.chosen() else {
            let part = self.part(of)?;
            let text = if yes { format!("!isblank({})", part.text) } else { format!("isblank({})", part.text) };
            return Ok(Part::single(text, Kind::Truth, false));
        };
        match &chosen.test {
            None => {}
            Some(AnswerTest::Compares(..)) => {
                let count = self.count(of)?.text;
                return Ok(Part::loose(format!("{count} {} 0", if yes { ">" } else { "==" }), Kind::Truth, false));
            }
            Some(test) => return any(&self.options_chosen(&chosen, test)?, yes),
        }
        let is_there = |Term { text, of_rows }: Term| match (of_rows, yes) {
            (true, true) => format!("(count({text}) > 0)"),
            (true, false) => format!("(count({text}) == 0)"),
            (false, true) => format!("!isblank({text})"),
            (false, false) => format!("isblank({text})"),
        };
        let each: Vec<String> = self.answers(of)?.into_iter().map(is_there).collect();
        let text = each.join(if yes { " or " } else { " and " });
        Ok(Part { is_single: each.len() == 1, ..Part::loose(text, Kind::Truth, false) })
    }

    /// The fields whose numbers, or weights, are taken together.
    fn numbers(&self, of: &Path) -> Result<Vec<Term>, String> {
        if let Path::Call(Some(first), name, args) = of
            && let ("combine", [other]) = (name.as_str(), args.as_slice())
        {
            return Ok(self.numbers(first)?.into_iter().chain(self.numbers(other)?).collect());
        }
        if matches!(of, Path::Binary(Sign::Union, ..)) {
            return Err("skup vrednosti: iste se broje jednom".to_owned());
        }
        let chosen = of.chosen().ok_or("zbir vrednosti koje nisu odgovori")?;
        let are_numbers = self.questions(&chosen)?.iter().all(|(_, known)| match &known.answers {
            Answers::Number { .. } => chosen.what == Aspect::Values,
            Answers::Options { .. } => matches!(chosen.what, Aspect::Weights | Aspect::OneWeight),
            _ => false,
        });
        if are_numbers { self.answers(of) } else { Err("zbir odgovora koji nisu brojevi".to_owned()) }
    }

    /// Of those that are there; without any there is no sum, unless it begins with a number.
    fn sum(&self, of: &Path, first: Option<f64>) -> Result<Part, String> {
        if of.chosen().is_some_and(|chosen| chosen.test.is_some()) {
            return Err("zbir odgovora izabranih po vrednosti".to_owned());
        }
        let terms = self.numbers(of)?;
        let each = terms.iter().map(Term::added).collect::<Vec<_>>().join(" + ");
        Ok(match (first, terms.as_slice()) {
            (Some(0.0), [_]) => Part::single(each, Kind::Number, false),
            (Some(0.0), _) => Part::loose(each, Kind::Number, false),
            (Some(first), _) => Part::loose(format!("{first} + {each}"), Kind::Number, false),
            (None, [one]) if !one.of_rows => Part::single(&one.text, Kind::Number, true),
            (None, several) => {
                let text = format!("if(count({}) == 0, null, {each})", texts(several));
                Part::single(text, Kind::Number, true)
            }
        })
    }
}

/// Whether some of the conditions holds, or none.
fn any(conditions: &[String], yes: bool) -> Result<Part, String> {
    let all = conditions.join(" or ");
    Ok(match (conditions.len(), yes) {
        (1, true) => Part::single(all, Kind::Truth, false),
        (1, false) => Part::single(format!("!{all}"), Kind::Truth, false),
        (_, true) => Part::loose(all, Kind::Truth, false),
        (_, false) => Part::single(format!("!({all})"), Kind::Truth, false),
    })
}

fn written(sign: Sign) -> &'static str {
    match sign {
        Sign::Less => "<",
        Sign::AtMost => "<=",
        Sign::More => ">",
        Sign::AtLeast => ">=",
        Sign::Unequal => "!=",
        _ => "==",
    }
}

/// The items of a question with one of these codes, as a formula names them.
fn items(known: &Question, codes: &[String]) -> Result<Vec<String>, String> {
    let Answers::Options { options } = &known.answers else { return Err(format!("„{}” nema opcije", known.code)) };
    let is_it = |option: &&Choosable| codes.iter().any(|code| option.value["code"] == *code);
    options.iter().filter(is_it).map(|option| quoted(option.code.as_deref().unwrap_or(&option.item))).collect()
}

/// Whether this option is chosen; without an answer it is not known.
fn chosen_option(known: &Question, options: &[Choosable], what: Aspect, text: &str, sign: Sign) -> Result<Part, String> {
    let is_it = |option: &&Choosable| match what {
        Aspect::Codes => option.value["code"] == text,
        Aspect::Displays => option.value["display"] == text,
        Aspect::Values => option.value == text,
        Aspect::Response | Aspect::Items | Aspect::Answers | Aspect::Weights | Aspect::OneWeight => false,
    };
    let found = options.iter().find(is_it).ok_or_else(|| format!("„{}” nema opciju „{text}”", known.code))?;
    let item = quoted(found.code.as_deref().unwrap_or(&found.item))?;
    let not = if sign == Sign::Equal { "" } else { "!" };
    Ok(Part::single(format!("if(isblank($({0})), null, {not}selected($({0}), {item}))", known.code), Kind::Truth, true))
}

/// Texts of formulas have no way to write their own quotes.
fn quoted(text: &str) -> Result<String, String> {
    match (text.contains('"'), text.contains('\'')) {
        (false, _) => Ok(format!("\"{text}\"")),
        (true, false) => Ok(format!("'{text}'")),
        (true, true) => Err(format!("tekst sa obe vrste navodnika: {text}")),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::exchange::fhir::path::{VariableText, parse};

    fn questions() -> HashMap<&'static str, Question> {
        let option = |code: &str, display: &str| Choosable {
            kind: "valueCoding".to_owned(),
            value: json!({ "code": code, "display": display }),
            item: display.to_owned(),
            code: Some(code.to_owned()),
        };
        let options = || Answers::Options { options: vec![option("N", "Nikad"), option("D", "Svaki dan")] };
        let question = |code: &str, answers| Question { code: code.to_owned(), answers, section: None };
        let column = |code: &str, answers| Question { section: Some("s".to_owned()), ..question(code, answers) };
        HashMap::from([
            ("/a", question("a", Answers::Number { unit: None })),
            ("/b", question("b", Answers::Number { unit: None })),
            ("/c", question("c", Answers::Boolean)),
            ("/p", question("p", options())),
            ("/q", question("q", options())),
            ("/r", column("r", Answers::Text)),
            ("/x", column("x", Answers::Number { unit: None })),
            ("/y", column("y", Answers::Number { unit: None })),
        ])
    }

    fn said(text: &str, kind: ResultKind<'_>) -> Result<String, String> {
        said_in(None, text, kind)
    }

    fn said_in(row: Option<&str>, text: &str, kind: ResultKind<'_>) -> Result<String, String> {
        let of = |link: &str| format!("%resource.item.where(linkId='/{link}').answer.value");
        let all = ["a", "b", "c", "p", "q", "r"].map(|link| (link, of(link)));
        let named = |text| VariableText { text, is_outer: true };
        let mut variables: HashMap<&str, VariableText<'_>> = all.iter().map(|(name, text)| (*name, named(text.as_str()))).collect();
        variables.insert("cell", VariableText { text: "item.where(linkId='/x').answer.value", is_outer: false });
        variables.insert("rows", named("item.where(linkId='/x').answer.value"));
        let tree = ItemTree(["/a", "/b", "/c", "/p", "/q"].map(|link| (link, None)).to_vec());
        let weighed = ["p", "q"].map(str::to_owned).into();
        let saying = Saying { questions: &questions(), tree: &tree, weighed: &weighed, row };
        saying.calculation(&parse(text, &variables, &mut BTreeSet::new())?, kind)
    }

    #[test]
    fn a_row_reads_its_own_cells_and_others_take_rows_together() {
        let (x, rows) = ("item.where(linkId='/x').answer.value", "%resource.item.where(linkId='/s').item.where(linkId='/x').answer.value");
        for (source, formula) in [
            (format!("{x} * %context.item.where(linkId='/y').answer.value"), "$(x) * $(y)"),
            ("%cell * %a".to_owned(), "$(x) * $(a)"),
            (format!("iif({x}.exists(), {x}, 0)"), "if(!isblank($(x)), $(x), 0)"),
        ] {
            assert_eq!(said_in(Some("s"), &source, ResultKind::Number).as_deref(), Ok(formula), "{source}");
        }
        for (source, formula) in [
            (format!("{rows}.sum()"), "if(count($(x)) == 0, null, coalesce(sum(coalesce($(x), 0)), 0))"),
            (format!("{rows}.aggregate($this + $total, 0)"), "coalesce(sum(coalesce($(x), 0)), 0)"),
            (format!("{rows}.count()"), "count($(x))"),
            (format!("{rows}.max() + 1"), "max($(x)) + 1"),
            ("%rows.where($this > 5).count()".to_owned(), "coalesce(countif(> 5, $(x)), 0)"),
            (format!("iif({rows}.exists(), 1, 0)"), "if((count($(x)) > 0), 1, 0)"),
        ] {
            assert_eq!(said(&source, ResultKind::Number).as_deref(), Ok(formula), "{source}");
        }
        let (alone, all) = ("„x” stoji u sekciji koja se ponavlja", "svi redovi iz reda („x”)");
        for (row, source, why) in [
            (None, rows.to_owned(), alone),
            (Some("s"), rows.to_owned(), alone),
            (Some("s"), "%rows + 1".to_owned(), alone),
            (Some("s"), format!("{rows}.sum()"), all),
            (Some("t"), x.to_owned(), alone),
        ] {
            assert_eq!(said_in(row, &source, ResultKind::Number), Err(why.to_owned()), "{row:?} {source}");
        }
    }

    #[test]
    fn an_option_is_said_by_the_name_of_its_item() {
        let options = match &questions()["/p"].answers {
            Answers::Options { options } => options.clone(),
            _ => Vec::new(),
        };
        let of = |code: &str| format!("%questionnaire.item.where(linkId='/p').answerOption.value.where(code='{code}')");
        let source = format!("iif(%a > 5, {}, {{}})", of("D"));
        let expected = "if(coalesce($(a) > 5, false), \"Svaki dan\", null)";
        assert_eq!(said(&source, ResultKind::Option(&options)).as_deref(), Ok(expected));
        assert_eq!(said(&of("X"), ResultKind::Option(&options)), Err("nema jedne opcije „X”".to_owned()));
    }

    #[test]
    fn scores_are_said_in_formulas() {
        for (source, formula) in [
            ("%a + %b * 2", "$(a) + ($(b) * 2)"),
            ("(%a / (%b / 100).power(2)).round(1)", "round(if(pow($(b) / 100, 2) == 0, null, $(a) / pow($(b) / 100, 2)), 1)"),
            ("iif(%a > 5, 1, {})", "if(coalesce($(a) > 5, false), 1, null)"),
            ("iif(%c.exists(), 2, 3)", "if(!isblank($(c)), 2, 3)"),
            ("%p.ordinal() + %q.weight()", "$!(p) + $!(q)"),
            (
                "%resource.descendants().where(linkId in ('/p' | '/q')).answer.value.ordinal().sum()",
                "if(count($!(p), $!(q)) == 0, null, coalesce($!(p), 0) + coalesce($!(q), 0))",
            ),
            ("%resource.item.answer.value.ordinal().sum()", "if(count($!(p), $!(q)) == 0, null, coalesce($!(p), 0) + coalesce($!(q), 0))"),
            ("%resource.item.where(linkId='/p' or linkId='/a').answer.count()", "count($(p), $(a))"),
            ("%resource.item.where(linkId != '/p').answer.weight().sum()", "$!(q)"),
            (
                "%resource.item.where(linkId in ('/p' | '/q')).answer.value.ordinal().aggregate($this + $total, 0)",
                "coalesce($!(p), 0) + coalesce($!(q), 0)",
            ),
            ("%resource.item.answer.value.ordinal().where($this >= 2).count()", "coalesce(countif(>= 2, $!(p), $!(q)), 0)"),
            (
                "%resource.item.where(linkId in ('/p' | '/q')).answer.where(value.code = 'D').count()",
                "countif(selected($(p), \"D\"), selected($(q), \"D\"))",
            ),
            ("%p.ordinal().combine(%q.ordinal()).max()", "max($!(p), $!(q))"),
            ("coalesce(%a, %b, 0)", "coalesce($(a), $(b), 0)"),
            ("%a | %b", "coalesce($(a), $(b))"),
            ("-%a div 2", "if((-$(a)) / 2 < 0, ceil((-$(a)) / 2), floor((-$(a)) / 2))"),
        ] {
            assert_eq!(said(source, ResultKind::Number).as_deref(), Ok(formula), "{source}");
        }
        for (source, formula) in [
            ("%p.code = 'D'", "if(isblank($(p)), null, selected($(p), \"D\"))"),
            ("%p.display != 'Nikad'", "if(isblank($(p)), null, !selected($(p), \"N\"))"),
            ("%a > 5 and %c", "($(a) > 5) and $(c)"),
            ("%c = true or %a.empty()", "($(c) == true) or isblank($(a))"),
            ("(%a > %b).not()", "!($(a) > $(b))"),
            ("%c implies %a >= 1", "!$(c) or ($(a) >= 1)"),
            ("%c xor %a > 1", "$(c) != ($(a) > 1)"),
            ("%p.code in ('D' | 'N')", "if(isblank($(p)), null, anyof($(p), \"N\", \"D\"))"),
            ("%p.code contains 'D'", "selected($(p), \"D\")"),
            ("'D'.combine('N') contains %p.code", "if(isblank($(p)), null, anyof($(p), \"N\", \"D\"))"),
            ("%p.exists(code = 'D')", "selected($(p), \"D\")"),
            ("(%a | %b).exists()", "!isblank($(a)) or !isblank($(b))"),
        ] {
            assert_eq!(said(source, ResultKind::Truth).as_deref(), Ok(formula), "{source}");
        }
    }

    #[test]
    fn a_text_is_put_together_of_its_parts() {
        for (source, formula) in [
            ("iif(%a < 5, 'blago', 'te\u{17e}ko')", "if(coalesce($(a) < 5, false), \"blago\", \"te\u{17e}ko\")"),
            ("'a' + 'b'", "concat(\"a\", \"b\")"),
            ("'zbir ' & %a.toString()", "join(\"\", \"zbir \", concat($(a)))"),
        ] {
            assert_eq!(said(source, ResultKind::Text).as_deref(), Ok(formula), "{source}");
        }
        assert_eq!(said("%a", ResultKind::Text), Err("broj, ili da ili ne, kao tekst".to_owned()));
    }

    #[test]
    fn what_is_not_said_says_why() {
        for (source, why) in [
            ("%p + 1", "odgovor na „p” se ovde ne prenosi"),
            ("iif(%p.code = 'X', 1, 2)", "„p” nema opciju „X”"),
            ("%r", "„r” stoji u sekciji koja se ponavlja"),
            ("%a | %c", "skup vrednosti"),
            ("(%a | %b).sum()", "skup vrednosti: iste se broje jednom"),
            ("%resource.item.where(linkId != '/p').answer.value.sum()", "zbir odgovora koji nisu brojevi"),
            ("%a.replaceMatches('a', 'b')", "nema funkcije „replaceMatches”"),
            ("%resource.item.where(linkId='/z').answer.value", "nema stavke „/z”"),
            ("iif(%c, 1, 'a')", "iif čas jedne, čas druge vrste"),
            ("%c", "da ili ne kao broj"),
        ] {
            assert_eq!(said(source, ResultKind::Number), Err(why.to_owned()), "{source}");
        }
    }
}
