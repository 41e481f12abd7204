//! Values: fields, literals, arithmetic.

use super::{Blank, Level, Manner, Part, PartKind, Writer, compare::text_part, has_value, number_text, options};
use crate::exchange::{
    expression::{Dialect, Node, RowsAsked, Sign},
    known_field::{ExpressionField, Kind},
};

impl Writer<'_> {
    /// As whatever it is.
    pub(super) fn any(&mut self, node: &Node) -> Result<Part, String> {
        match node {
            Node::Number(number) => Ok(Part::single(number_text(*number), PartKind::Number, false)),
            Node::Text(text) if text.trim().is_empty() => Ok(Part::single("null", PartKind::Nothing, true)),
            Node::Text(text) => Ok(text_part(text)),
            Node::Field(key) => {
                let known = self.known(key)?;
                self.field(known)
            }
            Node::Ticked(..) => self.truth_as_number(node),
            Node::Minus(of) => {
                let part = self.number(of)?;
                Ok(Part::of(format!("-{}", part.at(Level::Single)), Level::Sign, PartKind::Number, part.may_be_blank))
            }
            Node::Binary(sign, ..) if sign.compares() || matches!(sign, Sign::Or | Sign::And) => self.truth_as_number(node),
            Node::Binary(sign, left, right) => self.arithmetic(*sign, left, right),
            Node::Call(name, args) => self.call(name, args, node),
            Node::Rows(asked, key) => self.rows(*asked, key),
        }
    }

    /// A sum there counts no rows as 0.
    fn rows(&self, asked: RowsAsked, key: &str) -> Result<Part, String> {
        let known = self.known(key)?;
        let code = &known.code;
        Ok(match asked {
            RowsAsked::Place => Part::single("redniBrojReda", PartKind::Number, false),
            RowsAsked::Count => Part::single(format!("brojRedova($({code}))"), PartKind::Number, false),
            RowsAsked::Sum if matches!(known.kind, Kind::Number) => {
                Part::single(format!("if(brojRedova($({code})) == 0, 0, sum($({code})))"), PartKind::Number, true)
            }
            RowsAsked::Sum => return Err(format!("zbir polja „{code}”, koje nije broj")),
        })
    }

    fn field(&self, known: &ExpressionField) -> Result<Part, String> {
        has_value(known)?;
        let plain = |kind| Ok(Part::single(format!("$({})", known.code), kind, known.code != self.answered));
        match &known.kind {
            Kind::Number => plain(PartKind::Number),
            Kind::Text => plain(PartKind::Text),
            Kind::Date => plain(PartKind::Date),
            _ if self.dialect == Dialect::RedCap || options::are_numbers(known) => options::number(known),
            _ => options::text(known),
        }
    }

    /// A condition where a value is asked for.
    pub(super) fn truth_as_number(&mut self, node: &Node) -> Result<Part, String> {
        let part = self.condition(node, Blank::Decided)?;
        Ok(Part::single(format!("if({}, 1, 0)", part.text), PartKind::Number, false))
    }

    /// As a number; a text that is none is blank, as in the source.
    pub(super) fn number(&mut self, node: &Node) -> Result<Part, String> {
        if let Node::Field(key) = node {
            let known = self.known(key)?;
            if matches!(known.kind, Kind::Set { .. } | Kind::Choice) {
                return options::number(known);
            }
        }
        let part = self.any(node)?;
        match (part.kind, node) {
            (PartKind::Date | PartKind::Days, _) => Err("dan kao broj".to_owned()),
            (PartKind::Text, Node::Text(text)) if text.trim().parse::<f64>().is_err() => Err(format!("„{text}” nije broj")),
            (PartKind::Text, Node::Text(text)) => Ok(Part::single(text.trim(), PartKind::Number, false)),
            _ => Ok(part),
        }
    }

    pub(super) fn text(&mut self, node: &Node) -> Result<Part, String> {
        match node {
            // A space is a part of a text that is put together.
            Node::Text(text) if !text.is_empty() => Ok(text_part(text)),
            Node::Field(key) => {
                let known = self.known(key)?;
                if matches!(known.kind, Kind::Set { .. } | Kind::Choice) { options::text(known) } else { self.any(node) }
            }
            Node::Call(name, args) => match (name.as_str(), args.as_slice()) {
                ("if", [asked, then, otherwise]) => {
                    let asked = self.condition(asked, Blank::Decided)?;
                    let (then, otherwise) = (self.text(then)?, self.text(otherwise)?);
                    let may_be_blank = then.may_be_blank || otherwise.may_be_blank;
                    Ok(Part::single(format!("if({}, {}, {})", asked.text, then.text, otherwise.text), PartKind::Text, may_be_blank))
                }
                ("coalesce", [one, other]) => {
                    let (one, other) = (self.text(one)?, self.text(other)?);
                    Ok(Part::single(format!("if({}, {}, {})", one.isblank(), other.text, one.text), PartKind::Text, other.may_be_blank))
                }
                ("string", [one]) => self.text(one),
                ("concat", all) => {
                    let parts: Vec<String> = all.iter().map(|one| self.text(one).map(|part| part.text)).collect::<Result<_, _>>()?;
                    Ok(Part::single(format!("join(\"\", {})", parts.join(", ")), PartKind::Text, true))
                }
                _ => self.any(node),
            },
            _ => self.any(node),
        }
    }

    pub(super) fn date(&mut self, node: &Node) -> Result<Part, String> {
        let part = self.any(node)?;
        match part.kind {
            PartKind::Date | PartKind::Nothing | PartKind::Text => Ok(part),
            PartKind::Days | PartKind::Number => Err("broj dana od 1970, a ne datum".to_owned()),
        }
    }

    fn arithmetic(&mut self, sign: Sign, left: &Node, right: &Node) -> Result<Part, String> {
        use PartKind as K;
        if matches!(sign, Sign::Add | Sign::Subtract) && self.dialect == Dialect::XlsForm {
            let (one, other) = (self.any(left)?, self.any(right)?);
            let days = |part: &Part| matches!(part.kind, K::Date | K::Days);
            let kind = match (days(&one), days(&other), sign) {
                (false, false, _) => None,
                (true, true, Sign::Subtract) => Some(K::Number),
                (true, false, _) | (false, true, Sign::Add) => Some(K::Days),
                _ => return Err("dan kao broj".to_owned()),
            };
            if let Some(kind) = kind {
                if [&one, &other].iter().any(|part| part.kind == K::Text) {
                    return Err("dan kao broj".to_owned());
                }
                return Ok(joined(sign, &one, &other, kind));
            }
        }
        let (one, other) = (self.number(left)?, self.number(right)?);
        match sign {
            Sign::Power => {
                let text = format!("pow({}, {})", one.text, other.text);
                Ok(Part::single(text, K::Number, one.may_be_blank || other.may_be_blank))
            }
            Sign::Divide if self.manner == Manner::Exact && !self.is_never_zero(right) => {
                let text = format!("if({} == 0, null, {} / {})", other.at(Level::Add), one.at(Level::Multiply), other.at(Level::Sign));
                Ok(Part::single(text, K::Number, true))
            }
            // 0 / 0, and what no number divides, is blank.
            Sign::Divide | Sign::Remainder => Ok(Part { may_be_blank: true, ..joined(sign, &one, &other, K::Number) }),
            _ => Ok(joined(sign, &one, &other, K::Number)),
        }
    }

    fn is_never_zero(&self, node: &Node) -> bool {
        match node {
            Node::Number(number) => *number != 0.0,
            Node::Field(key) => self.fields.get(key).is_some_and(|known| known.least.is_some_and(|least| least > 0.0)),
            Node::Binary(Sign::Multiply, left, right) => self.is_never_zero(left) && self.is_never_zero(right),
            _ => false,
        }
    }

    pub(super) fn is_never_negative(&self, node: &Node) -> bool {
        match node {
            Node::Number(_) => true,
            Node::Field(key) => self.fields.get(key).is_some_and(|known| known.least.is_some_and(|least| least >= 0.0)),
            Node::Binary(Sign::Add | Sign::Multiply | Sign::Divide, left, right) => {
                self.is_never_negative(left) && self.is_never_negative(right)
            }
            Node::Call(name, args) => match name.as_str() {
                "abs" | "sqrt" | "exp" | "count-selected" | "string-length" => true,
                "round" | "int" | "floor" | "number" => args.first().is_some_and(|one| self.is_never_negative(one)),
                _ => false,
            },
            _ => false,
        }
    }
}

fn joined(sign: Sign, one: &Part, other: &Part, kind: PartKind) -> Part {
    let level = if matches!(sign, Sign::Add | Sign::Subtract) { Level::Add } else { Level::Multiply };
    // What stands behind a minus or a division holds together more tightly.
    let behind = match sign {
        Sign::Add => Level::Add,
        Sign::Subtract | Sign::Multiply => Level::Multiply,
        _ => Level::Sign,
    };
    let text = format!("{} {} {}", one.at(level), sign.written(), other.at(behind));
    Part::of(text, level, kind, one.may_be_blank || other.may_be_blank)
}
