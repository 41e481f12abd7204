//! The PDF as a reader sees it.
use lopdf::{Document, Object};
use proptest::prelude::*;
use report_engine::plan::{Format, Value};
use report_engine::render::{Cap, Limits, Overflow};

use crate::support::{PREGLEDI, check_pdf, columns, context, pdf_text, pdfminer_text, pregledi, row, squeezed, text, texts, try_render};

const ONE_COLUMN: &str = r#"{{#report page="A4"}}{{col "a" head="Tekst"}}{{/report}}"#;

#[test]
fn heading_parameters_origin_and_page_numbers_are_there() {
    let file = pregledi(Format::Pdf, 120);
    check_pdf(&file.path);
    let pages = file.rendered.pages.expect("a PDF has pages");
    let shown = pdf_text(&file.path);
    for wanted in [
        "Pregledi reumatologije",
        "Institut za reumatologiju",
        "Od: 01.01.2024.",
        "Ustanove: Klinički centar Srbije, Institut za reumatologiju",
        "Generisano: 05.03.2026. 07:04",
        "Korisnik: Živana Đorđević",
        "Ћирић Љиљана",
    ] {
        assert!(shown.contains(wanted), "{wanted}");
    }
    for page in 1..=pages {
        assert!(shown.contains(&format!("Strana {page} od {pages}")), "page {page}");
    }
    assert_eq!(shown.matches("Ime i prezime").count() as u32, pages - 1, "heads on every page but the chart's");
}

#[test]
fn every_row_appears_once_and_in_order() {
    let file = pregledi(Format::Pdf, 700);
    check_pdf(&file.path);
    let shown = pdf_text(&file.path);
    let numbers: Vec<i64> =
        shown.lines().filter(|line| line.contains("01019")).filter_map(|line| line.split_whitespace().next()?.parse().ok()).collect();
    assert_eq!(numbers, (1..=700).collect::<Vec<_>>());
}

#[test]
fn pdfminer_reads_a_table_whole() {
    let Some(extracted) = pdfminer_text(&pregledi(Format::Pdf, 120).path) else { return };
    for wanted in ["Pregledi reumatologije", "Korisnik: Živana Đorđević", "Ћирић Љиљана", "Klinički centar Srbije", "Iznos (RSD)"]
    {
        assert!(extracted.contains(wanted), "{wanted} in {extracted}");
    }
    for index in 0..120 {
        let Value::Text(jmbg) = &row(index)[5] else { panic!("a text") };
        assert!(extracted.contains(jmbg.as_str()), "{jmbg}");
        let amount = report_engine::plan::show(&row(index)[8], None);
        assert!(extracted.contains(&amount), "{amount}");
    }
    assert!(!extracted.contains("(cid:"), "a letter without a way back to Unicode: {extracted}");
}

#[test]
fn subtotals_and_the_grand_total_agree_with_the_rows() {
    let shown = pdf_text(&pregledi(Format::Pdf, 120).path);
    let sum = |from: i64, to: i64| -> rust_decimal::Decimal { (from..to).map(|index| row(index)[8].as_decimal().expect("a number")).sum() };
    let line = |start: &str| {
        let found = shown.lines().find(|line| line.trim_start().starts_with(start));
        found.unwrap_or_else(|| panic!("{start}")).to_owned()
    };
    let serbian = |number| report_engine::plan::show(&Value::Decimal(number), None);
    assert!(line("Ukupno Ženski: 25 pregleda").ends_with(&serbian(sum(0, 25))));
    assert!(line("Ukupno Klinički centar Srbije: 50 pregleda").ends_with(&serbian(sum(0, 50))));
    assert!(line("Ukupno: 120 pregleda").ends_with(&serbian(sum(0, 120))));
}

#[test]
fn the_headers_of_open_groups_are_repeated_on_the_next_page() {
    let shown = pdf_text(&pregledi(Format::Pdf, 60).path);
    assert!(shown.contains("Klinički centar Srbije (nastavak)"));
    assert!(shown.contains("Pol: Ženski (nastavak)"));
}

#[test]
fn charts_are_drawn_with_serbian_words() {
    let shown = pdf_text(&pregledi(Format::Pdf, 120).path);
    for wanted in ["Prosečan DAS28 po mesecima", "Najveći DAS28", "01.2024."] {
        assert!(shown.contains(wanted), "{wanted}");
    }
}

#[test]
fn a_word_wider_than_its_column_is_split_and_kept_whole_in_the_text() {
    let source = r#"{{#report}}{{col "a" head="Kratko" width=10}}{{col "b" head="Dugo" width=200}}{{/report}}"#;
    let long = "nepromočivootorinolaringološkoispitivanje".repeat(4);
    let file = texts(Format::Pdf, source, vec![vec![text(&long), text("kraj")]]);
    check_pdf(&file.path);
    assert!(squeezed(&pdf_text(&file.path).replace("kraj", "")).contains(&long));
}

#[test]
fn a_table_of_more_columns_than_a_page_shows_legibly_says_so_above_them() {
    let told = |many: usize| {
        let columns: Vec<String> = (0..many).map(|index| format!("k{index}")).collect();
        let heads: String = columns.iter().map(|name| format!(r#"{{{{col "{name}" head="{name}"}}}}"#)).collect();
        let source = format!("{{{{#report}}}}{heads}{{{{/report}}}}");
        let row = (0..many).map(|index| Value::Int(index as i64)).collect();
        let file = try_render(&source, &context(Format::Pdf), &columns, std::iter::once(row), &Limits::default()).expect("it renders");
        check_pdf(&file.path);
        pdf_text(&file.path).contains(&format!("Ova tabela ima {many} kolona, više nego što na stranicu čitljivo staje"))
    };
    assert!(told(200));
    assert!(!told(10));
}

#[test]
fn a_row_taller_than_a_page_runs_on_over_the_pages() {
    let words: Vec<String> = (0..6000).map(|index| format!("reč{index}")).collect();
    let file = texts(Format::Pdf, ONE_COLUMN, vec![vec![text(&words.join(" "))], vec![text("poslednji")]]);
    check_pdf(&file.path);
    let shown = pdf_text(&file.path);
    assert!(file.rendered.pages.expect("a PDF has pages") > 2);
    let found: Vec<&str> = shown.split_whitespace().filter(|word| word.starts_with("reč")).collect();
    assert_eq!(found, words);
    assert!(shown.contains("poslednji"));
    for page in shown.split('\u{c}').filter(|page| !page.trim().is_empty()) {
        assert!(page.matches("reč").count() + page.matches("poslednji").count() > 0, "no page without rows: {page}");
    }
}

#[test]
fn a_group_header_is_never_parted_from_its_first_row() {
    let source = r#"{{#report page="A4" size=9}}{{#group by="a"}}Grupa {{a}}{{/group}}{{col "b" head="Tekst"}}{{/report}}"#;
    let rows: Vec<Vec<Value>> = (0..200)
        .map(|index| vec![Value::Int(index), text(&format!("red{index} {}", "dugačak tekst ".repeat(index as usize * 7 % 60)))])
        .collect();
    let shown = pdf_text(&texts(Format::Pdf, source, rows).path);
    let lines: Vec<&str> = shown.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    for (index, line) in lines.iter().enumerate().filter(|(_, line)| line.starts_with("Grupa")) {
        let number = line.trim_start_matches("Grupa ");
        assert!(lines[index + 1].starts_with(&format!("red{number}")), "{line} is followed by {}", lines[index + 1]);
    }
}

#[test]
fn a_total_is_never_alone_on_a_page() {
    let source = r#"{{#report page="A4"}}{{#group by="a"}}Grupa {{a}}{{/group}}{{col "b" head="Broj" foot="sum"}}
        {{#groupFoot by="a"}}Zbir grupe{{/groupFoot}}{{#summary}}Zbir svega{{/summary}}{{/report}}"#;
    let mut turned = 0;
    for count in 30..100 {
        let rows = (0..count).map(|number| vec![text("x"), Value::Int(1000 + number)]).collect();
        let file = texts(Format::Pdf, source, rows);
        let shown = pdf_text(&file.path);
        let pages: Vec<&str> = shown.trim_end_matches('\u{c}').split('\u{c}').collect();
        let last = pages.last().expect("a page");
        assert!(last.contains("Zbir grupe") && last.contains("Zbir svega"), "{count} rows");
        assert!(last.contains(&(1000 + count - 1).to_string()), "{count} rows: the totals have lost their row");
        turned += usize::from(pages.len() > 1 && !last.contains(&(1000 + count - 2).to_string()));
    }
    assert!(turned > 0, "no count of rows has met the end of a page");
}

#[test]
fn fifty_columns_of_long_texts_keep_every_letter() {
    let columns: String = (0..50).map(|index| format!("{{{{col \"{}\" head=\"{index}\"}}}}", column_name(index))).collect();
    let source = format!("{{{{#report page=\"A4-landscape\" size=6}}}}{columns}{{{{/report}}}}");
    let names: Vec<String> = (0..50).map(column_name).collect();
    let rows = std::iter::once((0..50).map(|_| text(&"ж".repeat(600))).collect());
    let file = try_render(&source, &context(Format::Pdf), &names, rows, &Limits::default()).expect("the report renders");
    check_pdf(&file.path);
    assert_eq!(pdf_text(&file.path).matches('ж').count(), 50 * 600);
}

fn column_name(index: usize) -> String {
    format!("k{index}")
}

#[test]
fn a_long_institution_and_long_parameters_are_never_cut() {
    let mut context = context(Format::Pdf);
    let words = |start: &str, count: usize| -> Vec<String> { (0..count).map(|index| format!("{start}{index}")).collect() };
    context.ustanova = words("ustanova", 30).join(" ");
    context.naziv = words("naslov", 60).join(" ");
    context.parametri = vec![("Ustanove".to_owned(), words("vrednost", 900).join(", ")), ("Do".to_owned(), "31.12.2025.".to_owned())];
    let rows = std::iter::once(vec![text("x")]);
    let file = try_render(ONE_COLUMN, &context, &["a".to_owned()], rows, &Limits::default()).expect("the report renders");
    check_pdf(&file.path);
    let shown = pdf_text(&file.path);
    for word in words("ustanova", 30).into_iter().chain(words("naslov", 60)).chain(words("vrednost", 900)) {
        assert!(shown.split([' ', ',', '\n', '\u{c}']).any(|shown| shown == word), "{word}");
    }
    assert!(shown.contains("Do: 31.12.2025."));
}

#[test]
fn more_characters_than_one_font_page_holds_are_all_readable() {
    let all: String = (0x21..0x7F)
        .chain(0xA1..0xAD)
        .chain(0xAE..0x180)
        .chain(0x391..0x3A2)
        .chain(0x3A3..0x3CA)
        .chain(0x400..0x460)
        .filter_map(char::from_u32)
        .collect();
    let file = texts(Format::Pdf, ONE_COLUMN, vec![vec![text(&all)]]);
    check_pdf(&file.path);
    assert_eq!(file.rendered.missing_glyphs, Vec::<char>::new());
    assert!(squeezed(&pdf_text(&file.path)).contains(&all));
}

#[test]
fn a_character_that_the_font_lacks_is_shown_noted_and_extractable() {
    let file = texts(Format::Pdf, ONE_COLUMN, vec![vec![text("pre漢posle")]]);
    check_pdf(&file.path);
    assert_eq!(file.rendered.missing_glyphs, ['漢']);
    let shown = pdf_text(&file.path);
    assert!(shown.contains("pre漢posle"), "{shown}");
    assert!(shown.contains("Pismo izveštaja nema neke znakove"));
}

#[test]
fn title_language_and_archive_marks_are_set() {
    let file = pregledi(Format::Pdf, 3);
    let document = Document::load(&file.path).expect("a PDF");
    let info = document.trailer.get(b"Info").and_then(Object::as_reference).expect("info");
    let info = document.get_object(info).and_then(Object::as_dict).expect("a dictionary");
    assert_eq!(unicode(info.get(b"Title").and_then(Object::as_str).expect("a title")), "Pregledi reumatologije");
    assert_eq!(unicode(info.get(b"Author").and_then(Object::as_str).expect("an author")), "Živana Đorđević");
    let catalog = document.catalog().expect("a catalog");
    assert_eq!(unicode(catalog.get(b"Lang").and_then(Object::as_str).expect("a language")), "sr-Latn-RS");
    assert!(catalog.has(b"OutputIntents"));
    let bytes = std::fs::read(&file.path).expect("readable");
    let bytes = String::from_utf8_lossy(&bytes);
    for wanted in ["<pdfaid:part>2</pdfaid:part>", ">Živana Đorđević</rdf:li>", "/ID[<"] {
        assert!(bytes.contains(wanted), "{wanted}");
    }
}

pub fn unicode(bytes: &[u8]) -> String {
    match bytes.strip_prefix(&[0xFE, 0xFF]) {
        Some(rest) => {
            let units: Vec<u16> = rest.chunks_exact(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]])).collect();
            String::from_utf16(&units).expect("UTF-16")
        }
        None => String::from_utf8(bytes.to_vec()).expect("ASCII"),
    }
}

#[test]
fn fonts_are_embedded_as_subsets_with_a_way_back_to_unicode() {
    let file = pregledi(Format::Pdf, 3);
    let document = Document::load(&file.path).expect("a PDF");
    let dictionaries = || document.objects.values().filter_map(|object| object.as_dict().ok());
    let is_type = |wanted: &'static [u8]| {
        move |dictionary: &&lopdf::Dictionary| dictionary.get(b"Type").and_then(Object::as_name).is_ok_and(|name| name == wanted)
    };
    let fonts: Vec<_> = dictionaries().filter(is_type(b"Font")).filter(|font| font.has(b"DescendantFonts")).collect();
    assert_eq!(fonts.len(), 2);
    assert!(fonts.iter().all(|font| font.has(b"ToUnicode")));
    assert!(dictionaries().filter(is_type(b"FontDescriptor")).all(|descriptor| descriptor.has(b"FontFile2")));
    assert!(file.rendered.bytes < 60_000, "{} bytes", file.rendered.bytes);
}

/// Readers that know no code maps but by name (pdfminer) find the text by it.
#[test]
fn the_code_map_has_the_name_by_which_readers_know_it() {
    let document = Document::load(&pregledi(Format::Pdf, 3).path).expect("a PDF");
    let maps = document.objects.values().filter_map(|object| object.as_stream().ok()?.dict.get(b"CMapName").ok()?.as_name().ok());
    assert!(maps.into_iter().any(|name| name == b"OneByteIdentityH"));
}

#[test]
fn a_result_without_rows_says_so() {
    let file = pregledi(Format::Pdf, 0);
    check_pdf(&file.path);
    assert!(pdf_text(&file.path).contains("Nema podataka za zadate uslove."));
}

#[test]
fn a_cut_result_says_so_on_every_page_and_at_its_end() {
    let limits = Limits { pdf: Cap { rows: 40, overflow: Overflow::Cut }, ..Limits::default() };
    let rows = (0..60).map(row);
    let file = try_render(PREGLEDI, &context(Format::Pdf), &columns(), rows, &limits).expect("the report renders");
    check_pdf(&file.path);
    assert!(file.rendered.truncated);
    assert_eq!(file.rendered.rows, 40);
    let shown = pdf_text(&file.path);
    assert!(shown.contains("IZVEŠTAJ JE SKRAĆEN: prikazano je prvih 40 redova."));
    assert_eq!(shown.matches("SKRAĆEN IZVEŠTAJ").count() as u32, file.rendered.pages.expect("a PDF has pages"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Letters of both scripts, signs, controls, decomposed letters, formulas and words without an end.
    #[test]
    fn any_text_survives_to_the_extracted_text(cells in prop::collection::vec("([a-zčćžšđČĆŽŠĐљњћђџ0-9=+\\-@(){}\\\\/\u{1}\u{8}\t\n €–„“]|[cszCSZ]\u{30C}){1,160}", 1..12)) {
        let rows = cells.iter().map(|cell| vec![text(cell)]).collect();
        let file = texts(Format::Pdf, ONE_COLUMN, rows);
        check_pdf(&file.path);
        let shown = squeezed(&pdf_text(&file.path));
        for cell in &cells {
            use unicode_normalization::UnicodeNormalization;
            let wanted: String = cell.chars().filter(|letter| !letter.is_control() || letter.is_whitespace()).nfc().filter(|letter| !letter.is_whitespace()).collect();
            prop_assert!(shown.contains(&wanted), "{:?} in {}", wanted, shown);
        }
    }
}

#[test]
fn a_script_from_right_to_left_is_drawn_in_its_order() {
    // Twice: letters that a page has seen already are drawn in another way.
    let file = texts(Format::Pdf, ONE_COLUMN, vec![vec![text("Ime שלום 12")], vec![text("Ime שלום 12")]]);
    check_pdf(&file.path);
    assert_eq!(file.rendered.missing_glyphs, Vec::<char>::new());
    let Some(drawn) = pdfminer_text(&file.path) else { return };
    assert_eq!(drawn.matches("םולש").count(), 2, "as it lies on the page from the left: {drawn}");
}
