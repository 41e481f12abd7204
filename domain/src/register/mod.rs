//! A register as it is configured.

mod value_type;

pub use value_type::ValueType;
