//! The patient's card, a flowing document, in the three formats.
use jiff::civil::date;
use report_engine::plan::{Format, Value};
use report_engine::render::Limits;

use crate::support::{File, check_pdf, context, pdf_text, pdfminer_text, squeezed, text, try_render};

const KARTON: &str = include_str!("../../../templates/reports/karton-pacijenta.hbs");

fn columns() -> Vec<String> {
    let names = "pacijent_id ime prezime ime_roditelja datum_rodjenja jmbg lbo broj_kartona pol adresa kontakt_telefon \
                 mobilni_telefon email zanimanje medicinska_napomena maticna_ustanova unos_id registar obrazac datum_unosa \
                 ustanova lekar polje vrednost";
    names.split_whitespace().map(str::to_owned).collect()
}

fn row(unos: i64, polje: &str, vrednost: &str) -> Vec<Value> {
    let patient = ["Živana", "Đorđević-Petrović", "Šćepan"].map(text);
    let rest = ["0507955715123", "12345678901", "K-17/2024", "Ženski", "Bulevar kralja Aleksandra 73", "011/3615-555"].map(text);
    let mut row = vec![Value::Int(7)];
    row.extend(patient);
    row.push(Value::Date(date(1955, 7, 5)));
    row.extend(rest);
    row.extend([Value::Null, text("zivana@primer.rs"), Value::Null, Value::Null, text("Institut za reumatologiju")]);
    row.extend([Value::Int(unos), text("Reumatologija"), text("Pregled"), Value::Date(date(2026, 1, 1 + unos as i8))]);
    row.extend([text("Klinički centar Srbije"), Value::Null, text(polje), text(vrednost)]);
    row
}

fn card(format: Format, rows: Vec<Vec<Value>>) -> File {
    let context = report_engine::template::Context { naziv: "Karton pacijenta – Đorđević".to_owned(), ..context(format) };
    try_render(KARTON, &context, &columns(), rows.into_iter(), &Limits::default()).expect("the card renders")
}

#[test]
fn the_card_shows_patient_entries_and_values() {
    let file = card(Format::Pdf, vec![row(1, "DAS28-ESR", "3,25"), row(1, "Nalaz", "uredan"), row(2, "CDAI", "12,5")]);
    check_pdf(&file.path);
    let shown = pdf_text(&file.path);
    for wanted in [
        "Karton pacijenta – Đorđević",
        "Đorđević-Petrović Živana",
        "05.07.1955.",
        "0507955715123",
        "Pregled – 02.01.2026.",
        "Pregled – 03.01.2026.",
        "DAS28-ESR",
        "3,25",
        "Strana 1 od 1",
    ] {
        assert!(shown.contains(wanted), "{wanted} in {shown}");
    }
    assert!(file.rendered.bytes < 80_000, "{} bytes", file.rendered.bytes);
}

#[test]
fn long_cards_turn_pages_and_lose_nothing() {
    let rows: Vec<_> = (0..400).map(|index| row(index / 40, &format!("Polje{index}"), &format!("vrednost{index}"))).collect();
    let file = card(Format::Pdf, rows);
    check_pdf(&file.path);
    let pages = file.rendered.pages.expect("a PDF has pages");
    assert!(pages > 5);
    let shown = pdf_text(&file.path);
    assert!(shown.contains(&format!("Strana {pages} od {pages}")));
    for index in 0..400 {
        assert_eq!(shown.split_whitespace().filter(|word| *word == format!("vrednost{index}")).count(), 1, "{index}");
    }
}

#[test]
fn long_words_and_foreign_letters_are_never_lost() {
    let long = "imunosupresivnoterapijskopraćenje".repeat(9);
    let file = card(Format::Pdf, vec![row(1, "Nalaz", &long), row(1, "Pismo", "Ћирилица, ěščř, 漢"), row(1, "Kontrola", "a\u{8}b\tc")]);
    check_pdf(&file.path);
    let shown = pdf_text(&file.path);
    let squeezed = squeezed(&shown);
    assert!(squeezed.contains(&long));
    assert!(shown.contains("Ћирилица, ěščř, \u{FFFD}"));
    assert!(shown.contains("U+6F22"), "the note names the missing character");
    assert!(shown.contains("ab c"));
    assert_eq!(file.rendered.missing_glyphs, ['漢']);
}

/// What .config/deny.toml says of RUSTSEC-2026-0187: the one PDF that is read again is our own, and what people have typed is no object of it.
#[test]
fn typed_brackets_are_texts_and_nest_no_objects() {
    let nested = format!("{}{}{}", "[".repeat(12_000), "<<".repeat(12_000), "(".repeat(12_000));
    let context = report_engine::template::Context { naziv: "[".repeat(12_000), ..context(Format::Pdf) };
    let rows = vec![row(1, "Nalaz", &nested)];
    let file = try_render(KARTON, &context, &columns(), rows.into_iter(), &Limits::default()).expect("the card renders");
    check_pdf(&file.path);
    // Over several pages, with their headings between.
    assert!(pdf_text(&file.path).matches('[').count() >= 12_000);
}

#[test]
fn the_title_of_the_file_is_readable() {
    let file = card(Format::Pdf, vec![row(1, "Nalaz", "uredan")]);
    let document = lopdf::Document::load(&file.path).expect("a PDF");
    let info = document.trailer.get(b"Info").and_then(lopdf::Object::as_reference).expect("info");
    let info = document.get_object(info).and_then(lopdf::Object::as_dict).expect("a dictionary");
    let title = info.get(b"Title").and_then(lopdf::Object::as_str).expect("a title");
    let units: Vec<u16> = title[2..].chunks_exact(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]])).collect();
    assert_eq!(String::from_utf16(&units).expect("UTF-16"), "Karton pacijenta – Đorđević");
}

#[test]
fn an_unknown_patient_is_said_to_be_unknown() {
    let shown = pdf_text(&card(Format::Pdf, Vec::new()).path);
    assert!(shown.contains("Pacijent nije pronađen ili nije dostupan vašoj ustanovi."));
}

#[test]
fn the_card_is_a_sheet_and_a_list_of_pairs_too() {
    let rows = || vec![row(1, "Nalaz", "=1+1"), row(1, "CDAI", "12,5")];
    let csv = std::fs::read_to_string(card(Format::Csv, rows()).path).expect("readable");
    assert!(csv.contains("JMBG;0507955715123\t\r\n"), "{csv}");
    assert!(csv.contains("Nalaz;'=1+1\r\n"));
    use calamine::Reader;
    let mut workbook: calamine::Xlsx<_> = calamine::open_workbook(card(Format::Xlsx, rows()).path).expect("a workbook");
    let range = workbook.worksheet_range("Izveštaj").expect("the sheet");
    let pairs: Vec<(String, String)> = range.rows().map(|row| (row[0].to_string(), row[1].to_string())).collect();
    assert!(pairs.contains(&("JMBG".to_owned(), "0507955715123".to_owned())));
    assert!(pairs.contains(&("Nalaz".to_owned(), "=1+1".to_owned())));
}

#[test]
fn pdfminer_reads_a_card_whole() {
    let rows: Vec<_> = (0..60).map(|index| row(index / 20, &format!("Polje{index}"), &format!("šđčćž{index} vrednost"))).collect();
    let Some(extracted) = pdfminer_text(&card(Format::Pdf, rows).path) else { return };
    // It puts boxes into an order of its own guess.
    for wanted in ["Đorđević-Petrović Živana", "0507955715123", "Pregled – 01.01.2026.", "Pregled – 02.01.2026.", "Pregled – 03.01.2026."]
    {
        assert!(extracted.contains(wanted), "{wanted} in {extracted}");
    }
    for index in 0..60 {
        assert!(extracted.contains(&format!("šđčćž{index} vrednost")), "{index} in {extracted}");
    }
    assert!(!extracted.contains("(cid:"), "a letter without a way back to Unicode");
}
