//! A data set as one archive: the data, a codebook, and scripts that read both into R and SPSS.
//!
//! ```text
//! Variables::of(&Export, form, …) -> names, labels, codes of the columns
//! write(&DataSet, rows, …) -> one ZIP, written row by row
//! ```
//! Memory does not grow with the rows: each goes from the query into the archive and is forgotten.
mod archive;
mod cell;
mod codebook;
mod items;
mod names;
mod profile;
mod r;
mod readme;
mod sections;
mod spss;
mod variables;
mod workbook;

pub use archive::{DataSet, ExportResult, Fault, write};
pub use sections::Sections;
pub use variables::{Kind, Variable, Variables};
