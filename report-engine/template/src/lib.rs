//! Reports as they are declared: a template, the plan that it makes, and what the plan asks of the query.
pub mod plan;
pub mod template;
