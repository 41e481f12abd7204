//! A register as it is configured: what its fields hold, and what the screens of the administration and a definition file may say of
//! them. Both refuse the same with the same words.

mod attribute_type;
mod chart_line;
mod example;
mod export_mark;
mod field;
mod form_rule;
mod other_unit;
pub mod rules;
mod status;
mod tree;
mod value_type;

pub use attribute_type::TypeProperties;
pub use chart_line::ChartLine;
pub use example::{Circumstances, Example, Given};
pub use export_mark::{ExportMark, UnnamedOutput};
pub use field::{BAD_MOST_ROWS, DEFAULT_ROWS, FieldProperties, MOST_ROWS, TYPES_WITH};
pub use form_rule::{LONGEST_MESSAGE, RuleKind, RuleProperties};
pub use other_unit::{OtherUnit, TypedIn};
pub use status::{PatientStatus, StatusCause, bad_causes, causes};
pub use tree::in_tree_order;
pub use value_type::ValueType;
