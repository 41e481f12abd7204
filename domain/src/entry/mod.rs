//! A filled form: read, and laid out as the entry screen shows it. The api and the report engine see an entry through this alone.

pub mod around;
pub mod boxes;
pub mod changes;
pub mod chart;
pub mod computed;
pub mod difference;
pub mod field;
pub mod files;
pub mod form;
pub mod form_lock;
pub mod meaning;
pub mod outline;
pub mod plan_condition;
pub mod previous;
pub mod quality;
pub mod recompute;
pub mod rows;
pub mod rules;
pub mod settle;
pub mod stale;
pub mod summary;
pub mod units;
pub mod value_text;
pub mod values;
pub mod version;
pub mod visit_state;
