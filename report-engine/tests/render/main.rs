//! Reports rendered to files and read back by other programs.
mod pdf;
mod support;
