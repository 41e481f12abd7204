//! The formula language: calculated fields and display conditions of a form. Parsed once, when a field is saved, into a
//! small tree; the server evaluates the tree here, the browser the same tree by the same rules, equal to the last digit.
//!
//! `docs/formulas.md` describes the language. What must hold in both interpreters:
//! - A value is blank, a number, a text, a date, or the chosen items of a set. A choice is 1 or 0. A text of white space,
//!   an empty set and a result that is not a number are blank.
//! - An item of a set may have no weight: a set is then no number while such an item is chosen.
//! - A blank operand makes the result blank. The exceptions: `isblank`, `count` and `selected` always answer; `min`, `max`,
//!   `avg`, `median` and `sd` pass over blank fields; `&&` and `||` answer when the other side decides; `if` looks at the
//!   chosen branch only. `sum` needs all of its values: leaving one out would count it as 0.
//! - Numbers are IEEE 754 doubles, of which 15 digits count: comparisons, `floor`, `ceil`, `round` and `%` see no more, and
//!   a sum keeps none beyond those of its larger side. `exp ln log10 pow` are those of FreeBSD's msun on both sides, not the platform's: of
//!   glibc's and V8's results about one in a hundred differs in the 15th digit (`exp(4.22)` is 68.0334842894197 and 68.0334842894196). The final result is rounded by [`round`]; an infinite one is 0.

mod around;
mod check;
mod eval;
mod example;
mod form;
mod function;
mod items;
mod kind;
mod lex;
mod many;
mod parse;
mod range;
pub mod round;
mod rows;
mod text;
mod value;

#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

pub use around::{FormulaSurroundings, OtherForm, Patient, Previous};
pub use check::{
    CompiledField, CompiledFormula, FormulaKind, FormulaTexts, Problem, Target, Warning, check_form, compile, compile_conditions,
    compile_form, items_missed_in, misread_in, missing_for,
};
pub use eval::{Context, evaluate};
pub use example::failing;
pub use form::{Evaluation, Field, Item, evaluate_form, evaluate_with};
pub use function::Function;
pub use items::{ItemName, NamedItem, parse_among};
pub use parse::{form_and_field, parse};
pub use rows::{RowAt, Rows};
pub use value::Value;

/// A parsed formula as it is stored and sent to the browser: `{"v":1,"deps":["se"],"expr":{…}}`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Formula {
    /// The version of this shape.
    pub v: u8,
    /// Codes of the fields that the formula reads, sorted, each once.
    pub deps: Vec<String>,
    /// Codes of the fields whose values in the previous entry it reads, sorted, each once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub prev: Vec<String>,
    /// Codes of fields of other forms, `form.code`, that it reads in the entry of the same day, sorted, each once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub far: Vec<String>,
    /// Those that it reads in entries of earlier days, likewise.
    #[serde(default, rename = "farPrev", skip_serializing_if = "Vec::is_empty")]
    pub far_prev: Vec<String>,
    /// Codes of the sets whose items it names by their own codes, sorted, each once: a version of the form then keeps those codes.
    #[serde(default, rename = "byCode", skip_serializing_if = "Vec::is_empty")]
    pub by_code: Vec<String>,
    pub expr: Expr,
}

impl Formula {
    /// Whether it names the field with this code, in this entry or in earlier ones; of another form by `form.code`.
    pub fn reads(&self, code: &str) -> bool {
        self.deps.iter().chain(&self.prev).chain(self.of_other_forms()).any(|known| known == code)
    }

    /// Codes of fields of other forms, `form.code`: of the same day first, then of earlier ones.
    pub fn of_other_forms(&self) -> impl Iterator<Item = &String> {
        self.far.iter().chain(&self.far_prev)
    }

    /// Whether it asks for the day of the examination, or for what depends on it.
    pub fn asks_for_the_day(&self) -> bool {
        !self.far.is_empty() || self.asks_for_previous() || self.calls(|function| function == Function::Examined)
    }

    /// Whether it asks for anything of the previous entry.
    pub fn asks_for_previous(&self) -> bool {
        self.asks_for_history() || self.calls(|function| matches!(function, Function::Previous | Function::PreviousDate))
    }

    /// Whether it asks for more earlier entries than the previous one.
    pub fn asks_for_history(&self) -> bool {
        self.calls(|function| function.is_of_history() || function == Function::VisitNumber)
    }

    fn calls(&self, is_asked: impl Fn(Function) -> bool) -> bool {
        let mut found = false;
        self.expr.walk(&mut |node| found |= matches!(node, Expr::Call { f, .. } if is_asked(*f)));
        found
    }
}

/// A node of the tree. `at` is the node's place in the text (a character, from 1); it is known only after parsing.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "t", rename_all = "camelCase")]
pub enum Expr {
    Number {
        v: f64,
        #[serde(skip)]
        at: usize,
    },
    Text {
        v: String,
        #[serde(skip)]
        at: usize,
    },
    /// A text that names an item of a set by its code, which the set had when the formula was saved.
    Code {
        v: String,
        #[serde(skip)]
        at: usize,
    },
    /// `$(code)`, or `$(form.code)`.
    Field {
        code: String,
        #[serde(skip)]
        at: usize,
    },
    /// `$!(code)`: the weight of the chosen item.
    Item {
        code: String,
        #[serde(skip)]
        at: usize,
    },
    /// Operators are functions too.
    Call {
        f: Function,
        args: Vec<Expr>,
        #[serde(skip)]
        at: usize,
    },
}

/// Why a text is not a formula, for the person who wrote it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message} (mesto {position})")]
pub struct FormulaError {
    /// The character at which it was noticed, from 1; one past the end when the text ends too early.
    pub position: usize,
    pub message: String,
}

impl FormulaError {
    fn new(position: usize, message: impl Into<String>) -> Self {
        Self { position, message: message.into() }
    }
}
