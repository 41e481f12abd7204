//! Reports rendered to files and read back by other programs.
mod charts;
mod cross;
mod csv;
mod document;
mod emphasis;
mod golden;
mod limits;
mod pdf;
mod queries;
mod sections;
mod shipped;
mod support;
mod tags;
mod templates;
mod xlsx;
