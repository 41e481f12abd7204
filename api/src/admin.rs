//! What administrators configure: one file a resource.

pub mod institution;
pub mod parameter;
pub mod register;
pub mod sponsor;
pub mod worker;
