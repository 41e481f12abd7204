//! Stub while the house is laid out.
fn main() {}
