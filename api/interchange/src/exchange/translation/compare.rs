//! Comparisons: what a blank side gives is said as the source has it.

use super::{Blank, Level, Part, PartKind, Writer, options, quoted};
use crate::exchange::{
    expression::{Dialect, Node, Sign},
    known_field::Kind,
};

impl Writer<'_> {
    pub(super) fn comparison(&mut self, sign: Sign, left: &Node, right: &Node, blank: Blank) -> Result<Part, String> {
        if self.asks_for_blank(right) {
            return self.blank_side(sign, left);
        }
        if self.asks_for_blank(left) {
            return self.blank_side(sign, right);
        }
        match (left, right) {
            (Node::Ticked(key, option), literal) | (literal, Node::Ticked(key, option)) if is_literal(literal) => {
                return self.ticked(sign, key, option, literal);
            }
            _ => {}
        }
        if let Some(part) = self.of_options(sign, left, right, blank)? {
            return Ok(part);
        }
        let (mut one, mut other) = (self.any(left)?, self.any(right)?);
        if one.kind == PartKind::Number && matches!(right, Node::Text(_)) {
            other = self.number(right)?;
        }
        if other.kind == PartKind::Number && matches!(left, Node::Text(_)) {
            one = self.number(left)?;
        }
        let base = self.base(sign, &one, &other)?;
        Ok(self.guarded(base, sign, (&one, left), (&other, right), blank))
    }

    fn asks_for_blank(&self, node: &Node) -> bool {
        matches!(node, Node::Text(text) if text.trim().is_empty() || (self.dialect == Dialect::RedCap && text == "NaN"))
    }

    fn blank_side(&mut self, sign: Sign, node: &Node) -> Result<Part, String> {
        let part = match node {
            Node::Ticked(..) => return Err("opcija se poredi samo sa 1 ili 0".to_owned()),
            // Whatever is chosen of a set, it is not blank.
            Node::Field(key) => {
                let known = self.known(key)?;
                super::has_value(known)?;
                Part::single(format!("$({})", known.code), PartKind::Text, true)
            }
            _ => self.any(node)?,
        };
        match sign {
            Sign::Equal => Ok(Part::decided(part.isblank(), Level::Single)),
            Sign::Unequal => Ok(Part::decided(format!("!{}", part.isblank()), Level::Single)),
            _ => Err("poređenje sa praznim".to_owned()),
        }
    }

    fn ticked(&mut self, sign: Sign, key: &str, option: &str, literal: &Node) -> Result<Part, String> {
        let text = match literal {
            Node::Number(number) => number.to_string(),
            Node::Text(text) => text.trim().to_owned(),
            _ => String::new(),
        };
        let selected = options::selected(self.known(key)?, option)?;
        match (sign, text.as_str()) {
            (Sign::Equal, "1") | (Sign::Unequal, "0") => Ok(selected),
            (Sign::Equal, "0") | (Sign::Unequal, "1") => Ok(Part::decided(format!("!{}", selected.text), Level::Single)),
            _ => Err("opcija se poredi samo sa 1 ili 0".to_owned()),
        }
    }

    /// A comparison that reads one choice alone is told by the options for which the source has it hold.
    fn of_options(&mut self, sign: Sign, left: &Node, right: &Node, blank: Blank) -> Result<Option<Part>, String> {
        let node = Node::Binary(sign, Box::new(left.clone()), Box::new(right.clone()));
        let fields = node.fields();
        let [key] = fields.as_slice() else { return Ok(None) };
        let known = self.known(key)?;
        let literal = match (left, right) {
            (Node::Field(_), literal) | (literal, Node::Field(_)) if is_literal(literal) => Some(literal),
            _ => None,
        };
        match (&known.kind, literal) {
            (Kind::Set { multiple: true, .. }, Some(Node::Text(option))) if self.dialect == Dialect::XlsForm => {
                options::alone(known, option.trim(), sign).map(Some)
            }
            (Kind::Set { multiple: false, .. } | Kind::Choice, _) => {
                if let (Some(literal), Sign::Equal | Sign::Unequal) = (literal, sign)
                    && let Some(why) = options::unknown(known, literal)
                {
                    self.remark(&why);
                }
                Ok(options::truths(known, &node, self.dialect, self.calculates).map(|truths| {
                    if self.dialect == Dialect::RedCap && truths.blank && !matches!(sign, Sign::Unequal) {
                        self.remark("prazan odgovor REDCap ovde računa kao 0, pa je tako i preneto");
                    }
                    options::told(known, &truths, blank == Blank::Decided)
                }))
            }
            _ => Ok(None),
        }
    }

    fn base(&mut self, sign: Sign, one: &Part, other: &Part) -> Result<Part, String> {
        use PartKind as K;
        let sizes = !matches!(sign, Sign::Equal | Sign::Unequal);
        let days = |kind| matches!(kind, K::Date | K::Days);
        match (one.kind, other.kind) {
            (K::Text, K::Text) if sizes => return Err("poređenje tekstova po veličini".to_owned()),
            (kind, K::Text) if days(kind) => refuse_no_day(other)?,
            (K::Text, kind) if days(kind) => refuse_no_day(one)?,
            (kind, K::Number) | (K::Number, kind) if days(kind) => return Err("poređenje datuma sa brojem".to_owned()),
            _ => {}
        }
        let text = format!("{} {} {}", one.at(Level::Add), sign.written(), other.at(Level::Add));
        Ok(Part::of(text, Level::Compare, K::Number, one.may_be_blank || other.may_be_blank))
    }

    /// With what the source gives where a side is blank.
    fn guarded(&self, base: Part, sign: Sign, (one, left): (&Part, &Node), (other, right): (&Part, &Node), blank: Blank) -> Part {
        let on_one = self.with_one_blank(sign, (one, left), (other, right));
        let decided = blank == Blank::Decided;
        let sides: Vec<&Part> = [one, other].into_iter().filter(|part| part.may_be_blank).collect();
        match sides.as_slice() {
            [] => base,
            [side] if on_one => Part::decided(format!("{} or {}", side.isblank(), base.text), Level::Or),
            [side] if decided => Part::decided(format!("!{} and {}", side.isblank(), base.text), Level::And),
            [_] => base,
            _ => {
                let (a, b) = (one.isblank(), other.isblank());
                match (on_one, self.with_both_blank(sign, (one, left), (other, right))) {
                    (false, false) if decided => Part::decided(format!("!{a} and !{b} and {}", base.text), Level::And),
                    (false, false) => base,
                    (true, true) => Part::decided(format!("{a} or {b} or {}", base.text), Level::Or),
                    (false, true) if decided => Part::decided(format!("{a} and {b} or !{a} and !{b} and {}", base.text), Level::Or),
                    (false, true) => Part::of(format!("{a} and {b} or {}", base.text), Level::Or, PartKind::Number, true),
                    (true, false) => Part::decided(format!("!({a} and {b}) and ({a} or {b} or {})", base.text), Level::And),
                }
            }
        }
    }

    /// Where one side is blank and the other is not. A text or a day of REDCap is compared letter by letter, and an empty one comes first.
    fn with_one_blank(&self, sign: Sign, (one, left): (&Part, &Node), (other, _): (&Part, &Node)) -> bool {
        let by_letters = self.dialect == Dialect::RedCap && [one, other].iter().any(|part| part.kind == PartKind::Date);
        let blank_left = one.may_be_blank && !other.may_be_blank;
        match sign {
            Sign::Unequal => true,
            Sign::Less | Sign::AtMost => by_letters && blank_left && !is_literal(left),
            Sign::More | Sign::AtLeast => by_letters && other.may_be_blank && !one.may_be_blank,
            _ => false,
        }
    }

    /// Two blank answers are equal; what is computed of blanks is not a number, and equal to nothing.
    fn with_both_blank(&self, sign: Sign, (one, left): (&Part, &Node), (other, right): (&Part, &Node)) -> bool {
        let texts = one.kind == PartKind::Text && other.kind == PartKind::Text;
        let answers = texts || [left, right].iter().all(|node| matches!(node, Node::Field(_)));
        match (sign, self.dialect) {
            (Sign::Equal, _) => answers,
            (Sign::Unequal, _) => !answers,
            (Sign::AtMost | Sign::AtLeast, Dialect::RedCap) => answers,
            _ => false,
        }
    }
}

pub(super) fn is_literal(node: &Node) -> bool {
    matches!(node, Node::Number(_) | Node::Text(_)) || matches!(node, Node::Minus(of) if matches!(**of, Node::Number(_)))
}

/// A literal beside a day is a day.
fn refuse_no_day(part: &Part) -> Result<(), String> {
    let Some(text) = literal_text(part) else { return Ok(()) };
    text.parse::<jiff::civil::Date>().map(|_| ()).map_err(|_| format!("„{text}” nije datum"))
}

fn literal_text(part: &Part) -> Option<&str> {
    let inside = |quote: char| part.text.strip_prefix(quote)?.strip_suffix(quote);
    inside('"').or_else(|| inside('\''))
}

/// The text of a literal as a formula writes it.
pub(super) fn text_part(text: &str) -> Part {
    Part::single(quoted(text), PartKind::Text, false)
}
