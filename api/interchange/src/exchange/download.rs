//! A file that a browser keeps.

use axum::{
    http::header,
    response::{IntoResponse, Response},
};
use domain::file_name::slug;

/// The ending of a name, and the type of the content.
pub type FileKind = (&'static str, &'static str);

pub const TOML: FileKind = ("toml", "application/toml; charset=utf-8");
pub const JSON: FileKind = ("json", "application/fhir+json; charset=utf-8");
pub const XLSX: FileKind = ("xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet");
pub const PDF: FileKind = ("pdf", "application/pdf");

pub fn attachment(name: &str, (extension, content_type): FileKind, content: impl IntoResponse) -> Response {
    let headers = [
        (header::CONTENT_TYPE, content_type.to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{}.{extension}\"", slug(name))),
    ];
    (headers, content).into_response()
}
