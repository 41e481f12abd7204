//! The structure of a PDF as a reader's program finds it: headings, tables with heads, rows and cells, figures, and nothing twice.
use std::collections::HashMap;

use lopdf::{Dictionary, Document, Object, ObjectId};
use report_engine::plan::{Format, Value};
use report_engine::render::Limits;

use crate::pdf::unicode;
use crate::support::{check_pdf, columns, context, pregledi, row, text, try_render};

pub struct Element {
    pub kind: String,
    /// Pages and numbers of its pieces.
    pieces: Vec<(ObjectId, i64)>,
    pub alt: Option<String>,
    span: i64,
    pub kids: Vec<Element>,
}

impl Element {
    fn count(&self, kind: &str) -> usize {
        usize::from(self.kind == kind) + self.kids.iter().map(|kid| kid.count(kind)).sum::<usize>()
    }

    fn all<'a>(&'a self, kind: &str, found: &mut Vec<&'a Element>) {
        if self.kind == kind {
            found.push(self);
        }
        self.kids.iter().for_each(|kid| kid.all(kind, found));
    }

    fn columns(&self) -> i64 {
        self.kids.iter().map(|cell| cell.span).sum()
    }
}

fn element(document: &Document, dictionary: &Dictionary, page: Option<ObjectId>) -> Element {
    let name = |key: &[u8]| dictionary.get(key).and_then(Object::as_name).map(|name| String::from_utf8_lossy(name).into_owned());
    let page = dictionary.get(b"Pg").and_then(Object::as_reference).ok().or(page);
    let kids = match dictionary.get(b"K") {
        Ok(Object::Array(kids)) => kids.clone(),
        Ok(one) => vec![one.clone()],
        Err(_) => Vec::new(),
    };
    let span = dictionary.get(b"A").and_then(Object::as_dict).and_then(|attributes| attributes.get(b"ColSpan")).and_then(Object::as_i64);
    let mut made = Element {
        kind: name(b"S").expect("a kind"),
        pieces: Vec::new(),
        alt: dictionary.get(b"Alt").and_then(Object::as_str).ok().map(unicode),
        span: span.unwrap_or(1),
        kids: Vec::new(),
    };
    for kid in kids {
        match kid {
            Object::Integer(piece) => made.pieces.push((page.expect("a page"), piece)),
            Object::Reference(id) => made.kids.push(element(document, document.get_dictionary(id).expect("an element"), page)),
            other => panic!("{other:?}"),
        }
    }
    made
}

pub fn structure(document: &Document) -> Element {
    let catalog = document.catalog().expect("a catalog");
    let marked = catalog.get(b"MarkInfo").and_then(Object::as_dict).and_then(|info| info.get(b"Marked"));
    assert!(matches!(marked, Ok(Object::Boolean(true))));
    let root = catalog.get(b"StructTreeRoot").and_then(Object::as_reference).expect("a structure");
    let root = document.get_dictionary(root).expect("the root");
    let id = root.get(b"K").and_then(Object::as_reference).expect("the document");
    element(document, document.get_dictionary(id).expect("the document"), None)
}

#[test]
fn every_piece_of_every_page_belongs_to_one_element_and_what_repeats_to_none() {
    let file = pregledi(Format::Pdf, 200);
    check_pdf(&file.path);
    let document = Document::load(&file.path).expect("a PDF");
    let whole = structure(&document);
    let mut told: HashMap<(ObjectId, i64), usize> = HashMap::new();
    fn collect(element: &Element, told: &mut HashMap<(ObjectId, i64), usize>) {
        element.pieces.iter().for_each(|piece| *told.entry(*piece).or_default() += 1);
        element.kids.iter().for_each(|kid| collect(kid, told));
    }
    collect(&whole, &mut told);
    assert!(told.values().all(|count| *count == 1));
    let mut marked = 0;
    for page in document.get_pages().into_values() {
        let content = String::from_utf8_lossy(&document.get_page_content(page).expect("content")).into_owned();
        let opened = content.matches("BDC").count() + content.matches("BMC").count();
        assert_eq!(opened, content.matches("EMC").count(), "what begins ends");
        for piece in content.split("/MCID ").skip(1) {
            let number = piece.split(">>").next().expect("a number").parse().expect("a number");
            assert_eq!(told.get(&(page, number)), Some(&1), "piece {number}");
            marked += 1;
        }
    }
    assert_eq!(marked, told.len());
}

#[test]
fn a_table_has_its_heads_once_and_rows_of_as_many_columns() {
    let file = pregledi(Format::Pdf, 200);
    let document = Document::load(&file.path).expect("a PDF");
    let whole = structure(&document);
    assert_eq!((whole.kind.as_str(), whole.count("H1"), whole.count("Table"), whole.count("TH")), ("Document", 1, 1, 8));
    let mut rows = Vec::new();
    whole.all("TR", &mut rows);
    assert!(rows.iter().all(|row| row.columns() == 8), "{:?}", rows.iter().map(|row| row.columns()).collect::<Vec<_>>());
    // Heads, 200 rows, the headers and totals of eight and four groups, and the summary.
    assert_eq!(rows.len(), 1 + 200 + 2 * (8 + 4) + 1);
    let mut figures = Vec::new();
    whole.all("Figure", &mut figures);
    assert!(figures[0].alt.as_deref().is_some_and(|alt| alt.starts_with("Linijski grafikon: Prosečan DAS28 po mesecima.")));
}

#[test]
fn a_very_long_table_is_told_page_by_page_after_its_first_rows() {
    let source = r#"{{#report size=5}}{{col "rb" head="Rb."}}{{col "jmbg" head="JMBG"}}{{col "pol" head="Pol"}}{{col "das28" head="DAS28"}}{{/report}}"#;
    let limits = Limits { pdf: report_engine::render::Cap { rows: 20_000, ..Limits::default().pdf }, ..Limits::default() };
    let file = try_render(source, &context(Format::Pdf), &columns(), (0..15_000).map(row), &limits).expect("it renders");
    check_pdf(&file.path);
    let document = Document::load(&file.path).expect("a PDF");
    let pages = document.get_pages().len();
    let whole = structure(&document);
    let mut rows = Vec::new();
    whole.all("TR", &mut rows);
    assert!(rows.iter().all(|row| row.columns() == 4));
    let by_page = rows.iter().filter(|row| row.kids.len() == 1).count();
    assert_eq!(rows.len(), 1 + 2_000 + by_page, "heads, the rows that are told cell by cell, and the others page by page");
    assert!(by_page > 50 && by_page < pages, "{by_page} of {pages}");
}

#[test]
fn the_description_of_a_small_chart_names_its_values() {
    let source = r#"{{#report}}{{col "a" head="A"}}{{chart "pie" x="a" y="b" label="Broj" title="Po dobi"}}{{/report}}"#;
    let rows = [("do 39", 3), ("40+", 1)].map(|(a, b)| vec![text(a), Value::Int(b)]);
    let names = ["a", "b"].map(str::to_owned);
    let file = try_render(source, &context(Format::Pdf), &names, rows.into_iter(), &Limits::default()).expect("it renders");
    let document = Document::load(&file.path).expect("a PDF");
    let whole = structure(&document);
    let mut figures = Vec::new();
    whole.all("Figure", &mut figures);
    assert_eq!(figures[0].alt.as_deref(), Some("Kružni grafikon: Po dobi. Broj: do 39 3; 40+ 1."));
}

#[test]
#[ignore = "long: a PDF of 65,000 objects"]
fn more_objects_than_one_table_of_places_holds_are_all_found() {
    let heads: String = (0..40).map(|_| "{{col \"rb\" head=\"R\"}}").collect();
    let source = format!("{{{{#report page=\"A4-landscape\" size=5}}}}{heads}{{{{/report}}}}");
    let rows = (0..1_700).map(row);
    let file = try_render(&source, &context(Format::Pdf), &columns(), rows, &Limits::default()).expect("it renders");
    check_pdf(&file.path);
    let document = Document::load(&file.path).expect("a PDF");
    assert!(document.max_id > 1 << 16, "{}", document.max_id);
}
