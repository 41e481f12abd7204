//! Tests of the crate from outside.
mod bad_input;
mod common;
mod golden;
mod golden_models;
mod properties;
mod references;
