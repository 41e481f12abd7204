//! Tests of the crate from outside.
mod bad_input;
mod charts;
mod common;
mod golden;
mod golden_models;
mod golden_tiny;
mod properties;
mod references;
