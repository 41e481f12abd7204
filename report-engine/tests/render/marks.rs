//! The pictures on top: the logo of the institution and what a template asks for.
use domain::picture::Image;
use lopdf::{Document, Object, Stream};
use report_engine::plan::{Format, Mark, TemplateError};
use report_engine::render::Limits;
use report_engine::template::ReportTemplate;

use crate::support::{PREGLEDI, check_pdf, columns, context, pdf_text, row, text, try_render, try_render_headed};
use crate::tags::structure;
use crate::xlsx::part;

const KARTICA: &str = r#"{{#document}}{{heading "Nalaz" level=1}}{{#each redovi}}{{field a "x"}}{{/each}}{{/document}}"#;

/// Of one colour, twice as wide as high.
fn mark(told: &str) -> Mark {
    let pixels = image_of([200, 30, 60], 60, 30);
    Mark { told: told.to_owned(), image: Image::read(&pixels).expect("a picture") }
}

/// A picture as a program of pictures writes it.
fn image_of(color: [u8; 3], width: u32, height: u32) -> Vec<u8> {
    let mut png = std::io::Cursor::new(Vec::new());
    image::RgbImage::from_pixel(width, height, image::Rgb(color)).write_to(&mut png, image::ImageFormat::Png).expect("a PNG");
    png.into_inner()
}

fn images(document: &Document) -> Vec<&Stream> {
    let streams = document.objects.values().filter_map(|object| object.as_stream().ok());
    streams.filter(|stream| matches!(stream.dict.get(b"Subtype"), Ok(Object::Name(name)) if name == b"Image")).collect()
}

/// The pictures that the operators of each page draw.
fn drawn(document: &Document) -> Vec<usize> {
    let content = |page| document.get_page_content(page).expect("a page");
    let count = |content: Vec<u8>| String::from_utf8_lossy(&content).matches("/M0 Do").count();
    document.page_iter().map(|page| count(content(page))).collect()
}

#[test]
fn a_logo_heads_the_first_page_of_a_table_and_is_told_in_words() {
    let marks = vec![mark("Logo ustanove Institut za reumatologiju")];
    let file = try_render_headed(PREGLEDI, &context(Format::Pdf), marks, &columns(), (0..200).map(row), &Limits::default());
    let file = file.expect("the report renders");
    check_pdf(&file.path);
    let document = Document::load(&file.path).expect("a PDF");
    let [image] = images(&document)[..] else { panic!("one picture") };
    let size = ["Width", "Height"].map(|name| image.dict.get(name.as_bytes()).and_then(Object::as_i64).expect("a number"));
    assert_eq!(size, [60, 30]);
    let pages = drawn(&document);
    assert_eq!((pages[0], pages[1..].iter().sum::<usize>()), (1, 0), "on the first page alone: {pages:?}");
    let first = &structure(&document).kids[0];
    assert_eq!(
        (first.kind.as_str(), first.alt.as_deref()),
        ("Figure", Some("Logo ustanove Institut za reumatologiju")),
        "it is told first"
    );
    assert!(pdf_text(&file.path).contains("Institut za reumatologiju"), "the name still stands beside it");
}

#[test]
fn a_logo_heads_the_first_page_of_a_document() {
    let rows = (0..200).map(|index| vec![text(&format!("Polje {index}"))]);
    let marks = vec![mark("Logo ustanove Čačak"), mark("Znak registra")];
    let file = try_render_headed(KARTICA, &context(Format::Pdf), marks, &["a".to_owned()], rows, &Limits::default()).expect("it renders");
    check_pdf(&file.path);
    let document = Document::load(&file.path).expect("a PDF");
    assert_eq!(images(&document).len(), 2);
    let pages = drawn(&document);
    assert_eq!((pages[0], pages[1..].iter().sum::<usize>()), (1, 0), "on the first page alone: {pages:?}");
    let told = hex::encode("Logo ustanove Čačak".encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<_>>());
    let first = document.page_iter().next().expect("a page");
    let content = String::from_utf8_lossy(&document.get_page_content(first).expect("a page")).into_owned();
    assert!(content.contains(&format!("/Span<</Alt<feff{told}>>>BDC")), "its words stand with it");
    let shown = pdf_text(&file.path);
    assert!(shown.contains("Nalaz") && shown.contains("Polje 199"), "{shown}");
}

#[test]
fn a_logo_stands_above_the_heading_of_a_sheet_with_its_words() {
    for source in [PREGLEDI, KARTICA] {
        let file = try_render_headed(
            source,
            &context(Format::Xlsx),
            vec![mark("Logo ustanove „Čačak”")],
            &[columns(), vec!["a".to_owned()]].concat(),
            (0..20).map(|index| [row(index), vec![text("x")]].concat()),
            &Limits::default(),
        );
        let file = file.expect("the report renders");
        let drawing = part(&file.path, "xl/drawings/drawing1.xml");
        assert!(drawing.contains("descr=\"Logo ustanove „Čačak”\""), "{drawing}");
        assert!(drawing.contains("<xdr:from><xdr:col>0</xdr:col>"), "{drawing}");
        let mut archive = zip::ZipArchive::new(std::fs::File::open(&file.path).expect("a file")).expect("a workbook");
        assert!(archive.by_name("xl/media/image1.png").is_ok());
        let sheet = part(&file.path, "xl/worksheets/sheet1.xml");
        assert!(sheet.contains("<row r=\"1\"") && sheet.contains("ht=\"45.75\""), "the first line is as high as the picture");
    }
}

#[test]
fn a_csv_knows_no_pictures() {
    let made = |marks| {
        let file = try_render_headed(PREGLEDI, &context(Format::Csv), marks, &columns(), (0..20).map(row), &Limits::default());
        std::fs::read(file.expect("the report renders").path).expect("readable")
    };
    assert_eq!(made(vec![mark("Logo")]), made(Vec::new()));
}

fn refused(source: &str) -> TemplateError {
    let plan = ReportTemplate::parse(source).and_then(|template| template.plan(&context(Format::Pdf)));
    plan.expect_err("the template is refused")
}

#[test]
fn a_template_names_a_picture_with_its_words() {
    let source = |attributes: &str| format!("{{{{#report {attributes}}}}}{{{{col \"a\"}}}}{{{{/report}}}}");
    let template = ReportTemplate::parse(&source("picture=\"znak-registra\" pictureAlt=\"Znak registra\"")).expect("a template");
    let named = template.plan(&context(Format::Pdf)).expect("a plan").heading.picture.expect("a picture");
    assert_eq!((named.name.as_str(), named.told.as_str()), ("znak-registra", "Znak registra"));
    assert!(refused(&source("picture=\"znak\"")).message.contains("pictureAlt"));
    assert!(refused(&source("picture=\"../tajna\" pictureAlt=\"x\"")).message.contains("../tajna"));
    // Only a run brings the picture itself.
    let bare = source("picture=\"znak\" pictureAlt=\"Znak\"");
    let file = try_render(&bare, &context(Format::Pdf), &["a".to_owned()], std::iter::once(vec![text("x")]), &Limits::default());
    assert!(images(&Document::load(&file.expect("it renders").path).expect("a PDF")).is_empty());
}
