//! Reports rendered to files and read back by other programs.
mod csv;
mod document;
mod limits;
mod pdf;
mod queries;
mod shipped;
mod support;
mod templates;
mod xlsx;
