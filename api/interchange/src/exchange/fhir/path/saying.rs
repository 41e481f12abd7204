//! An expression in the language of formulas here. Both languages pass a missing value on and both know "not known" beside yes and no, so most
//! of it is said as it stands.

use std::collections::HashMap;

use super::{Aspect, Path, Selection, Sign};
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

/// The questions by `linkId`.
pub struct Saying<'a>(pub &'a HashMap<&'a str, Question>);

impl Saying<'_> {
    /// As the value of a number, or of yes and no.
    pub fn calculation(&self, path: &Path, is_truth: bool) -> Result<String, String> {
        let part = if is_truth { self.truth(path)? } else { self.number(path)? };
        Ok(part.text)
    }

    fn number(&self, path: &Path) -> Result<Part, String> {
        let part = self.part(path)?;
        match part.kind {
            Kind::Number | Kind::Nothing => Ok(part),
            Kind::Truth => Err("da ili ne kao broj".to_owned()),
            Kind::Text => Err("tekst kao broj".to_owned()),
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
            Path::Call(Some(of), name, args) => self.call(of, name, args),
            Path::Call(None, name, _) => Err(format!("nema funkcije „{name}”")),
            Path::Root | Path::Name(_) | Path::Member(..) => Err("deo odgovora koji se ne prenosi".to_owned()),
        }
    }

    fn question(&self, link: &str) -> Result<&Question, String> {
        let known = self.0.get(link).ok_or_else(|| format!("nema stavke „{link}”"))?;
        if known.is_column { Err(format!("„{}” stoji u sekciji koja se ponavlja", known.code)) } else { Ok(known) }
    }

    /// The questions that are chosen; without names those whose options have weights.
    fn questions(&self, chosen: &Selection) -> Result<Vec<&Question>, String> {
        if let Some(links) = &chosen.links {
            return links.iter().map(|link| self.question(link)).collect();
        }
        if chosen.what != Aspect::Weights {
            return Err("sve stavke odjednom".to_owned());
        }
        let is_option = |known: &&Question| !known.is_column && matches!(known.answers, Answers::Options { .. });
        let mut found: Vec<&Question> = self.0.values().filter(is_option).collect();
        found.sort_by(|one, other| one.code.cmp(&other.code));
        Ok(found)
    }

    /// What a path chooses, as one value.
    fn value(&self, chosen: &Selection) -> Result<Part, String> {
        let [known] = self.questions(chosen)?[..] else { return Err("više stavki kao jedna vrednost".to_owned()) };
        let field = format!("$({})", known.code);
        match (&known.answers, chosen.what) {
            (Answers::Number { .. }, Aspect::Values) => Ok(Part::single(field, Kind::Number, true)),
            (Answers::Boolean, Aspect::Values) => Ok(Part::single(field, Kind::Truth, true)),
            (Answers::Text, Aspect::Values) => Ok(Part::single(field, Kind::Text, true)),
            (Answers::Options { .. }, Aspect::Weights) => Ok(Part::single(format!("$!({})", known.code), Kind::Number, true)),
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
            Sign::Less | Sign::AtMost | Sign::More | Sign::AtLeast => {
                let written = match sign {
                    Sign::Less => "<",
                    Sign::AtMost => "<=",
                    Sign::More => ">",
                    _ => ">=",
                };
                self.joined(written, left, right, Kind::Truth)
            }
            Sign::Add => self.joined("+", left, right, Kind::Number),
            Sign::Subtract => self.joined("-", left, right, Kind::Number),
            Sign::Multiply => self.joined("*", left, right, Kind::Number),
            Sign::Divide | Sign::Whole | Sign::Remainder => self.divided(sign, left, right),
            Sign::In | Sign::Union => Err("skup vrednosti".to_owned()),
        }
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
                && let [known] = self.questions(&chosen)?[..]
                && let Answers::Options { options } = &known.answers
            {
                return option(known, options, chosen.what, text, sign);
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
            ("count", []) => {
                let terms = self.answers(of)?;
                Ok(Part::single(format!("count({})", terms.join(", ")), Kind::Number, false))
            }
            ("sum", []) => self.sum(of),
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
    fn answers(&self, path: &Path) -> Result<Vec<String>, String> {
        let chosen = path.chosen().ok_or("broj vrednosti koje nisu odgovori")?;
        if chosen.what == Aspect::Items {
            return Err("stavke bez svojih odgovora".to_owned());
        }
        let found = self.questions(&chosen)?;
        let term = |known: &&Question| match (&known.answers, chosen.what) {
            (Answers::Options { .. }, Aspect::Weights) => Ok(format!("$!({})", known.code)),
            (Answers::Files | Answers::Nothing, _) => Err(format!("„{}” nema vrednost", known.code)),
            _ => Ok(format!("$({})", known.code)),
        };
        found.iter().map(term).collect()
    }

    fn exists(&self, of: &Path, yes: bool) -> Result<Part, String> {
        if path_is_computed(of) {
            let part = self.part(of)?;
            let text = if yes { format!("!isblank({})", part.text) } else { format!("isblank({})", part.text) };
            return Ok(Part::single(text, Kind::Truth, false));
        }
        let each = self.answers(of)?.into_iter().map(|term| if yes { format!("!isblank({term})") } else { format!("isblank({term})") });
        let each: Vec<String> = each.collect();
        let text = each.join(if yes { " or " } else { " and " });
        Ok(Part { is_single: each.len() == 1, ..Part::loose(text, Kind::Truth, false) })
    }

    /// Of those that are there; without any there is no sum.
    fn sum(&self, of: &Path) -> Result<Part, String> {
        let chosen = of.chosen().ok_or("zbir vrednosti koje nisu odgovori")?;
        let are_numbers = self.questions(&chosen)?.iter().all(|known| match &known.answers {
            Answers::Number { .. } => chosen.what == Aspect::Values,
            Answers::Options { .. } => chosen.what == Aspect::Weights,
            _ => false,
        });
        let terms = self.answers(of)?;
        match terms.as_slice() {
            _ if !are_numbers => Err("zbir odgovora koji nisu brojevi".to_owned()),
            [] => Err("zbir bez ijedne stavke".to_owned()),
            [one] => Ok(Part::single(one, Kind::Number, true)),
            several => {
                let each: Vec<String> = several.iter().map(|term| format!("coalesce({term}, 0)")).collect();
                let text = format!("if(count({}) == 0, null, {})", several.join(", "), each.join(" + "));
                Ok(Part::single(text, Kind::Number, true))
            }
        }
    }
}

fn path_is_computed(path: &Path) -> bool {
    path.chosen().is_none()
}

/// Whether this option is chosen; without an answer it is not known.
fn option(known: &Question, options: &[Choosable], what: Aspect, text: &str, sign: Sign) -> Result<Part, String> {
    let is_it = |option: &&Choosable| match what {
        Aspect::Codes => option.value["code"] == text,
        Aspect::Displays => option.value["display"] == text,
        Aspect::Values => option.value == text,
        Aspect::Items | Aspect::Answers | Aspect::Weights => false,
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
    use std::collections::BTreeSet;

    use serde_json::json;

    use super::*;
    use crate::exchange::fhir::path::parse;

    fn questions() -> HashMap<&'static str, Question> {
        let option = |code: &str, display: &str| Choosable {
            kind: "valueCoding".to_owned(),
            value: json!({ "code": code, "display": display }),
            item: display.to_owned(),
            code: Some(code.to_owned()),
        };
        let options = || Answers::Options { options: vec![option("N", "Nikad"), option("D", "Svaki dan")] };
        let question = |code: &str, answers| Question { code: code.to_owned(), answers, is_column: false };
        HashMap::from([
            ("/a", question("a", Answers::Number { unit: None })),
            ("/b", question("b", Answers::Number { unit: None })),
            ("/c", question("c", Answers::Boolean)),
            ("/p", question("p", options())),
            ("/q", question("q", options())),
            ("/r", Question { is_column: true, ..question("r", Answers::Text) }),
        ])
    }

    fn said(text: &str, is_truth: bool) -> Result<String, String> {
        let of = |link: &str| format!("%resource.item.where(linkId='/{link}').answer.value");
        let all = ["a", "b", "c", "p", "q", "r"].map(|link| (link, of(link)));
        let variables = all.iter().map(|(name, text)| (*name, text.as_str())).collect();
        Saying(&questions()).calculation(&parse(text, &variables, &mut BTreeSet::new())?, is_truth)
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
            ("-%a div 2", "if((-$(a)) / 2 < 0, ceil((-$(a)) / 2), floor((-$(a)) / 2))"),
        ] {
            assert_eq!(said(source, false).as_deref(), Ok(formula), "{source}");
        }
        for (source, formula) in [
            ("%p.code = 'D'", "if(isblank($(p)), null, selected($(p), \"D\"))"),
            ("%p.display != 'Nikad'", "if(isblank($(p)), null, !selected($(p), \"N\"))"),
            ("%a > 5 and %c", "($(a) > 5) and $(c)"),
            ("%c = true or %a.empty()", "($(c) == true) or isblank($(a))"),
            ("(%a > %b).not()", "!($(a) > $(b))"),
            ("%c implies %a >= 1", "!$(c) or ($(a) >= 1)"),
        ] {
            assert_eq!(said(source, true).as_deref(), Ok(formula), "{source}");
        }
    }

    #[test]
    fn what_is_not_said_says_why() {
        for (source, why) in [
            ("%p + 1", "odgovor na „p” se ovde ne prenosi"),
            ("iif(%p.code = 'X', 1, 2)", "„p” nema opciju „X”"),
            ("%r", "„r” stoji u sekciji koja se ponavlja"),
            ("%a | %b", "skup vrednosti"),
            ("%a.replaceMatches('a', 'b')", "nema funkcije „replaceMatches”"),
            ("%resource.item.where(linkId='/x').answer.value", "nema stavke „/x”"),
            ("iif(%c, 1, 'a')", "iif čas jedne, čas druge vrste"),
            ("%c", "da ili ne kao broj"),
        ] {
            assert_eq!(said(source, false), Err(why.to_owned()), "{source}");
        }
    }
}
