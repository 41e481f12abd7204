//! The PDF as a reader sees it.
use report_engine::render::Format;

use crate::support::{check_pdf, pdf_text, pregledi};

#[test]
fn the_report_shows_its_heading_rows_and_totals() {
    let file = pregledi(Format::Pdf, 120);
    check_pdf(&file.path);
    let text = pdf_text(&file.path);
    if let Ok(folder) = std::env::var("KEEP_PDF") {
        std::fs::copy(&file.path, format!("{folder}/pregledi.pdf")).expect("copied");
    }
    for wanted in ["Pregledi reumatologije", "Generisano: 05.03.2026. 07:04", "Đorđević Živana", "Strana 1 od"] {
        assert!(text.contains(wanted), "{wanted} in {text}");
    }
}
