//! Functions of both languages that formulas here have, or can be said in them.

use super::{Blank, Level, Manner, Part, PartKind, Writer, compare::is_literal, is_part, number_text, options, quoted};
use crate::exchange::{
    expression::{Dialect, Node},
    known_field::Kind,
};

impl Writer<'_> {
    pub(super) fn call(&mut self, name: &str, args: &[Node], node: &Node) -> Result<Part, String> {
        let xlsform = self.dialect == Dialect::XlsForm;
        match (name, args) {
            ("not" | "true" | "false" | "boolean" | "selected" | "is-selected" | "isblankormissingcode" | "isnumber", _) => {
                self.truth_as_number(node)
            }
            ("if", [asked, then, otherwise]) => {
                let asked = self.condition(asked, Blank::Decided)?;
                let (then, otherwise) = (self.any(then)?, self.any(otherwise)?);
                let kind = branches(&then, &otherwise)?;
                let may_be_blank = then.may_be_blank || otherwise.may_be_blank;
                Ok(Part::single(format!("if({}, {}, {})", asked.text, then.text, otherwise.text), kind, may_be_blank))
            }
            ("round", [_] | [_, Node::Number(_)]) => self.rounded(args),
            ("roundup" | "rounddown", [_] | [_, Node::Number(_)]) if !xlsform => {
                self.scaled(if name == "roundup" { "ceil" } else { "floor" }, args, "")
            }
            ("int", [one]) if xlsform => {
                let part = self.number(one)?;
                if self.is_never_negative(one) {
                    return Ok(called("floor", &[part]));
                }
                let text = format!("if({0} < 0, ceil({0}), floor({0}))", part.at(Level::Add));
                Ok(Part::single(text, PartKind::Number, part.may_be_blank))
            }
            ("floor", [one]) if xlsform => Ok(called("floor", &[self.number(one)?])),
            ("ceiling", [one]) if xlsform => Ok(called("ceil", &[self.number(one)?])),
            // A root or a logarithm of what has none is blank.
            ("sqrt" | "log10", [one]) => Ok(blankable(called(name, &[self.number(one)?]))),
            ("abs" | "exp", [one]) => Ok(called(name, &[self.number(one)?])),
            ("log", [one]) => Ok(blankable(called("ln", &[self.number(one)?]))),
            ("log", [one, base]) if !xlsform => {
                let (one, base) = (self.number(one)?, self.number(base)?);
                Ok(blankable(Part::of(format!("ln({}) / ln({})", one.text, base.text), Level::Multiply, PartKind::Number, true)))
            }
            ("pow", [base, exponent]) => Ok(blankable(called("pow", &[self.number(base)?, self.number(exponent)?]))),
            ("min" | "max", [_, ..]) if xlsform => self.all_needed(name, args),
            ("min" | "max", [_, ..]) => self.extreme(name, args),
            ("mean", [_, ..]) if !xlsform => self.of_many("avg", args),
            ("median", [_, ..]) if !xlsform => self.of_many("median", args),
            ("stdev", [_, ..]) if !xlsform => self.of_many("sd", args),
            ("sum", [_, ..]) if !xlsform => self.sum(args),
            ("datediff", [from, to, Node::Text(unit), rest @ ..]) if !xlsform => self.days_apart(from, to, unit, rest),
            ("number", [one]) if xlsform => self.number(one),
            ("string-length", [one]) if xlsform => self.letters(one),
            ("contains", [_, Node::Text(sought)]) if is_part(self.dialect, sought) => self.truth_as_number(node),
            ("string", [_]) | ("concat", [_, ..]) if xlsform => self.text(node),
            ("coalesce", [one, other]) if xlsform => {
                let (one, other) = (self.any(one)?, self.any(other)?);
                let kind = branches(&one, &other)?;
                Ok(Part::single(format!("if({}, {}, {})", one.isblank(), other.text, one.text), kind, other.may_be_blank))
            }
            ("count-selected", [Node::Field(key)]) if xlsform => {
                let known = self.known(key)?;
                let codes = options::codes(known);
                if codes.is_empty() || !matches!(known.kind, Kind::Set { .. }) {
                    return Err(format!("„{}” nema opcije", known.code));
                }
                let parts: Vec<String> =
                    codes.iter().map(|code| options::selected(known, code).map(|part| part.text)).collect::<Result<_, _>>()?;
                Ok(Part::of(parts.join(" + "), Level::Add, PartKind::Number, false))
            }
            ("today", []) => Ok(Part::single("today()", PartKind::Date, false)),
            ("now", []) if xlsform => Ok(Part::single("today()", PartKind::Date, false)),
            ("date" | "date-time", [one]) if xlsform => self.day(one, PartKind::Date),
            ("decimal-date-time", [one]) if xlsform => self.day(one, PartKind::Days),
            ("format-date" | "format-date-time", [one, Node::Text(shape)]) if xlsform && shape == "%Y-%m-%d" => {
                self.day(one, PartKind::Date)
            }
            _ => Err(format!("nema funkcije „{name}”")),
        }
    }

    /// A blank text has none.
    fn letters(&mut self, node: &Node) -> Result<Part, String> {
        let part = self.words(node)?;
        let length = format!("length({})", part.text);
        let text = if part.may_be_blank { format!("if({}, 0, {length})", part.isblank()) } else { length };
        Ok(Part::single(text, PartKind::Number, false))
    }

    /// Whether a text holds a part of one; a blank one holds none.
    pub(super) fn contains(&mut self, node: &Node, sought: &str, blank: Blank) -> Result<Part, String> {
        let part = self.words(node)?;
        let text = format!("contains({}, {})", part.text, quoted(sought));
        if part.may_be_blank && blank == Blank::Decided {
            return Ok(Part::decided(format!("!{} and {text}", part.isblank()), Level::And));
        }
        Ok(Part::single(text, PartKind::Number, part.may_be_blank))
    }

    /// A text whose letters matter: a number or a day is written in other letters there.
    fn words(&mut self, node: &Node) -> Result<Part, String> {
        let part = match node {
            Node::Field(key) if !matches!(self.known(key)?.kind, Kind::Text) => None,
            _ => Some(self.text(node)?).filter(|part| part.kind == PartKind::Text),
        };
        part.ok_or_else(|| "slova vrednosti koja nije tekst".to_owned())
    }

    fn day(&mut self, node: &Node, kind: PartKind) -> Result<Part, String> {
        if let Node::Text(text) = node {
            return match text.trim().parse::<jiff::civil::Date>() {
                Ok(day) => Ok(Part::single(format!("\"{day}\""), kind, false)),
                Err(_) => Err(format!("„{text}” nije datum")),
            };
        }
        let part = self.any(node)?;
        match part.kind {
            PartKind::Date | PartKind::Days | PartKind::Nothing => Ok(Part { kind, ..part }),
            PartKind::Number | PartKind::Text => Err("vrednost nije datum".to_owned()),
        }
    }

    /// XPath rounds a tie up, formulas here away from zero: the same but for negative numbers.
    fn rounded(&mut self, args: &[Node]) -> Result<Part, String> {
        let exact = self.manner == Manner::Exact && self.dialect == Dialect::XlsForm && !self.is_never_negative(&args[0]);
        if exact {
            return self.scaled("floor", args, " + 0.5");
        }
        let parts: Vec<Part> = args.iter().map(|arg| self.number(arg)).collect::<Result<_, _>>()?;
        Ok(called("round", &parts))
    }

    /// `floor(x * 100 + 0.5) / 100`.
    fn scaled(&mut self, function: &str, args: &[Node], add: &str) -> Result<Part, String> {
        let part = self.number(&args[0])?;
        let places = match args.get(1) {
            Some(Node::Number(places)) if (0.0..=10.0).contains(places) && places.fract() == 0.0 => *places as i32,
            None => 0,
            _ => return Err("zaokruživanje na taj broj mesta".to_owned()),
        };
        if places == 0 {
            return Ok(Part::single(format!("{function}({}{add})", part.at(Level::Add)), PartKind::Number, part.may_be_blank));
        }
        let scale = number_text(10_f64.powi(places));
        let text = format!("{function}({} * {scale}{add}) / {scale}", part.at(Level::Multiply));
        Ok(Part::of(text, Level::Multiply, PartKind::Number, part.may_be_blank))
    }

    fn numbers(&mut self, args: &[Node]) -> Result<Vec<Part>, String> {
        args.iter().map(|arg| self.number(arg)).collect()
    }

    /// Without one of them there is no result: XPath passes over nothing.
    fn all_needed(&mut self, name: &str, args: &[Node]) -> Result<Part, String> {
        let parts = self.numbers(args)?;
        let blanks: Vec<String> = parts.iter().filter(|part| part.may_be_blank).map(Part::isblank).collect();
        let plain = called(name, &parts);
        if blanks.is_empty() {
            return Ok(plain);
        }
        Ok(Part::single(format!("if({}, null, {})", blanks.join(" or "), plain.text), PartKind::Number, true))
    }

    fn of_many(&mut self, name: &str, args: &[Node]) -> Result<Part, String> {
        Ok(blankable(called(name, &self.numbers(args)?)))
    }

    /// REDCap passes over blanks, and a constant is a value like others.
    fn extreme(&mut self, name: &str, args: &[Node]) -> Result<Part, String> {
        let parts = self.numbers(args)?;
        let constants: Vec<Part> = args.iter().zip(&parts).filter(|(arg, _)| is_literal(arg)).map(|(_, part)| part.clone()).collect();
        let others: Vec<&Part> = args.iter().zip(&parts).filter(|(arg, _)| !is_literal(arg)).map(|(_, part)| part).collect();
        let plain = called(name, &parts);
        match (constants.as_slice(), others.as_slice()) {
            ([], _) | (_, []) => Ok(blankable(plain)),
            (constants, others) => {
                let there: Vec<&str> = others.iter().map(|part| part.text.as_str()).collect();
                let alone = called(name, constants);
                Ok(Part::single(format!("if(count({}) == 0, {}, {})", there.join(", "), alone.text, plain.text), PartKind::Number, false))
            }
        }
    }

    /// REDCap adds the values that are there; without any there is no sum.
    fn sum(&mut self, args: &[Node]) -> Result<Part, String> {
        let parts = self.numbers(args)?;
        if parts.iter().any(|part| !part.may_be_blank) {
            let text = parts.iter().map(or_nothing).collect::<Vec<_>>().join(" + ");
            return Ok(Part::of(text, Level::Add, PartKind::Number, false));
        }
        let there: Vec<&str> = parts.iter().map(|part| part.text.as_str()).collect();
        let text = parts.iter().map(or_nothing).collect::<Vec<_>>().join(" + ");
        Ok(Part::single(format!("if(count({}) == 0, null, {text})", there.join(", ")), PartKind::Number, true))
    }

    /// By REDCap's own lengths of a month and of a year.
    fn days_apart(&mut self, from: &Node, to: &Node, unit: &str, rest: &[Node]) -> Result<Part, String> {
        let mut day = |node: &Node| match node {
            Node::Text(text) if text == "today" => Ok(Part::single("today()", PartKind::Date, false)),
            Node::Text(_) => self.day(node, PartKind::Date),
            _ => self.any(node).and_then(|part| if part.kind == PartKind::Date { Ok(part) } else { Err("datediff bez datuma".to_owned()) }),
        };
        let (from, to) = (day(from)?, day(to)?);
        let may_be_blank = from.may_be_blank || to.may_be_blank;
        let is_true =
            |node: &Node| matches!(node, Node::Call(name, _) if name == "true") || matches!(node, Node::Text(text) if text == "true");
        let days = format!("days_between({}, {})", from.text, to.text);
        let days = if rest.iter().any(is_true) { days } else { format!("abs({days})") };
        let by = match unit {
            "y" => " / 365.2425",
            "M" => " / 30.44",
            "d" => "",
            "h" => " * 24",
            "m" => " * 1440",
            "s" => " * 86400",
            _ => return Err(format!("datediff u jedinici „{unit}”")),
        };
        let level = if by.is_empty() { Level::Single } else { Level::Multiply };
        Ok(Part::of(format!("{days}{by}"), level, PartKind::Number, may_be_blank))
    }
}

fn or_nothing(part: &Part) -> String {
    if part.may_be_blank { format!("if({}, 0, {})", part.isblank(), part.text) } else { part.at(Level::Add) }
}

fn called(name: &str, parts: &[Part]) -> Part {
    let texts: Vec<&str> = parts.iter().map(|part| part.text.as_str()).collect();
    Part::single(format!("{name}({})", texts.join(", ")), PartKind::Number, parts.iter().any(|part| part.may_be_blank))
}

fn blankable(part: Part) -> Part {
    Part { may_be_blank: true, ..part }
}

/// What both branches give.
fn branches(one: &Part, other: &Part) -> Result<PartKind, String> {
    match (one.kind, other.kind) {
        (PartKind::Nothing, kind) | (kind, PartKind::Nothing) => Ok(kind),
        (kind, same) if kind == same => Ok(kind),
        (PartKind::Date | PartKind::Days, _) | (_, PartKind::Date | PartKind::Days) => Err("čas datum, čas nešto drugo".to_owned()),
        _ => Ok(PartKind::Text),
    }
}
