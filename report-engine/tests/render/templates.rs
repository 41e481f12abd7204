//! What the author of a template is told, and what a template cannot do.
use report_engine::plan::Format;
use report_engine::plan::TemplateError;
use report_engine::render::{Limits, RenderError};
use report_engine::template::ReportTemplate;

use crate::support::{columns, context, pdf_text, row, text, texts, try_render};

fn fault(source: &str) -> TemplateError {
    let planned = ReportTemplate::parse(source).and_then(|template| template.plan(&context(Format::Pdf)));
    planned.expect_err("the template is faulty")
}

#[track_caller]
fn assert_fault(source: &str, message: &str, place: Option<(usize, usize)>) {
    let fault = fault(source);
    assert!(fault.message.contains(message), "{fault}");
    assert_eq!(fault.line.zip(fault.column), place, "{fault}");
}

#[test]
fn faults_are_told_in_serbian_with_their_place() {
    assert_fault("{{#report}}\n  {{col \"a\"\n{{/report}}", "Neispravna sintaksa", Some((3, 2)));
    assert_fault("{{#report}}\n{{#if true}}x{{/each}}{{/report}}", "Otvoren je blok „if“, a zatvara se „each“", Some((2, 14)));
    assert_fault("{{#report}}\n  {{kol \"a\"}}\n{{/report}}", "Nepoznata naredba „kol“", Some((2, 3)));
    assert_fault("{{#report}}\n{{title nepoznato}}{{/report}}", "Promenljiva „nepoznato“ ne postoji", Some((2, 1)));
    assert_fault("{{#report}}{{col \"a\" widht=10}}{{/report}}", "ne poznaje parametar „widht“", Some((1, 12)));
    assert_fault("{{#report}}{{col \"a\" format=\"#0\"}}{{/report}}", "ne razume format „#0“", Some((1, 12)));
    assert_fault("{{#report page=\"A5\"}}{{col \"a\"}}{{/report}}", "ne prihvata „A5“", Some((1, 1)));
    assert_fault("{{#report}}{{/report}}", "nijednu kolonu", None);
    assert_fault("{{#report}}{{col \"a\" emphasis=\"> visoka\"}}{{/report}}", "ne razume emphasis „> visoka“", Some((1, 12)));
    assert_fault("{{#report}}{{cross \"a\" value=\"b\"}}{{/report}}", "bar jednu kolonu „col“", Some((1, 12)));
    assert_fault("{{#report}}{{col \"a\"}}{{cross \"b\" value=\"avg:c\"}}{{/report}}", "ne računa prosek", Some((1, 23)));
    assert_fault("{{#report}}{{col \"a\" foot=\"sum\"}}{{cross \"b\" value=\"c\"}}{{/report}}", "bez „foot“", None);
    let added = "{{#report}}{{col \"a\"}}{{cross \"b\" value=\"c\"}}{{#summary}}{{zbir.c}}{{/summary}}{{/report}}";
    assert_fault(added, "nema „zbir“", None);
    assert_fault("{{#report}}{{#section by=\"a\"}}{{/section}}{{/report}}", "nema nijednu kolonu", Some((1, 12)));
    assert_fault("{{#report}}{{#section}}{{col \"a\"}}{{/section}}{{/report}}", "traži parametar „by“", Some((1, 12)));
    let twice = "{{#report}}{{#section by=\"a\"}}{{col \"a\"}}{{/section}}{{#section}}{{col \"a\"}}{{/section}}{{/report}}";
    assert_fault(twice, "bez „value“ stoji samo jednom", Some((1, 54)));
    let outside = "{{#report}}{{#section by=\"a\"}}{{col \"a\"}}{{/section}}{{col \"b\"}}{{/report}}";
    assert_fault(outside, "stoje samo u odeljcima", None);
    assert_fault("{{#report}}{{col \"a\"}}{{#sectionHead}}x{{/sectionHead}}{{/report}}", "samo u bloku „section“", Some((1, 23)));
    assert_fault("{{#report}}{{chart \"pie\" x=\"a\" y=\"avg:b\"}}{{/report}}", "ostale mere se ne sabiraju", Some((1, 12)));
    assert_fault("{{#report}}{{chart \"stacked\" x=\"a\" y=\"b/c\"}}{{/report}}", "ostale mere se ne sabiraju", Some((1, 12)));
    assert_fault("{{#report}}{{chart \"pie\" x=\"a\" y=\"b\" seriesBy=\"c\"}}{{/report}}", "samo jednu seriju", Some((1, 12)));
    assert_fault("{{#report}}zalutali tekst{{col \"a\"}}{{/report}}", "Tekst van naredbi: „zalutali tekst“", None);
    assert_fault("{{col \"a\"}}", "stoji samo u bloku „report“", Some((1, 1)));
    assert_fault("", "ni „report“ ni „document“", None);
}

#[test]
fn partials_may_be_shared_but_never_recurse() {
    let shared = r#"{{#*inline "mere"}}{{col "a" head="A"}}{{/inline}}{{#report}}{{> mere}}{{/report}}"#;
    assert!(ReportTemplate::parse(shared).and_then(|template| template.plan(&context(Format::Csv))).is_ok());
    let cycle = r#"{{#*inline "a"}}{{> b}}{{/inline}}{{#*inline "b"}}{{> a}}{{/inline}}{{#report}}{{> a}}{{/report}}"#;
    assert!(fault(cycle).message.contains("poziva sam sebe"));
    assert!(fault("{{#report}}{{> nema}}{{/report}}").message.contains("„nema“ ne postoji"));
    assert!(fault("{{#report}}{{> (lookup extra \"x\")}}{{/report}}").message.contains("ne postoji"));
}

#[test]
fn deep_large_and_endless_templates_are_refused() {
    let deep = format!("{}x{}", "{{#if true}}".repeat(5000), "{{/if}}".repeat(5000));
    assert!(fault(&deep).message.contains("ugnežđeni"));
    let parens = format!("{{{{#report}}}}{{{{title {}1{}}}}}{{{{/report}}}}", "(eq 1 ".repeat(5000), ")".repeat(5000));
    assert!(fault(&parens).message.contains("ugnežđeni"));
    assert!(fault(&"x".repeat(300_000)).message.contains("256 KB"));
    // Three items, nested twelve deep, are half a million turns without a single letter of output.
    let loops = format!("{}{}", "{{#each ../parametri}}".repeat(12), "{{/each}}".repeat(12)).replacen("../", "", 1);
    let loops = loops.replace("../parametri", "@root.parametri");
    assert!(fault(&format!("{{{{#report}}}}{loops}{{{{/report}}}}")).message.contains("previše koraka"));
    let doubling: String =
        (1..30).map(|n| format!("{{{{#*inline \"p{n}\"}}}}{{{{> p{}}}}}{{{{> p{}}}}}{{{{/inline}}}}", n - 1, n - 1)).collect();
    let laughs = format!("{{{{#*inline \"p0\"}}}}{{{{/inline}}}}{doubling}{{{{#report}}}}{{{{> p29}}}}{{{{/report}}}}");
    assert!(fault(&laughs).message.contains("previše koraka"));
}

#[test]
fn a_template_that_prints_without_end_is_stopped() {
    let source =
        format!("{{{{#report}}}}{{{{col \"a\"}}}}{{{{#computed head=\"x\"}}}}{}{{{{/computed}}}}{{{{/report}}}}", "y".repeat(70_000));
    let result = try_render(&source, &context(Format::Csv), &["a".to_owned()], std::iter::once(vec![text("x")]), &Limits::default());
    assert!(matches!(result, Err(RenderError::Template(error)) if error.message.contains("previše teksta")));
}

#[test]
fn names_that_the_query_does_not_deliver_are_found_before_any_row() {
    let render = |source: &str| try_render(source, &context(Format::Pdf), &columns(), (0..3).map(row), &Limits::default()).err();
    let unknown = render(r#"{{#report}}{{col "nema"}}{{/report}}"#);
    assert!(matches!(unknown, Some(RenderError::UnknownColumn { column }) if column == "nema"));
    let unknown = render(r#"{{#report}}{{col "rb" foot="sum"}}{{chart "bar" x="nema" y="rb"}}{{/report}}"#);
    assert!(matches!(unknown, Some(RenderError::UnknownColumn { column }) if column == "nema"));
    let band = render("{{#report}}{{col \"rb\"}}\n{{#summary}}{{nema}}{{/summary}}{{/report}}");
    assert!(matches!(band, Some(RenderError::Template(error)) if error.line == Some(2)));
    let text = render(r#"{{#report}}{{col "pacijent" foot="sum"}}{{#summary}}x{{/summary}}{{/report}}"#);
    assert!(matches!(text, Some(RenderError::NotNumeric { column }) if column == "pacijent"));
}

#[test]
fn a_template_can_differ_by_format_and_by_parameters() {
    let source = r#"{{#report}}{{col "a" head="A"}}{{#if (eq format "csv")}}{{col "a" head="Samo u CSV"}}{{/if}}{{#each parametri}}{{#if (eq naziv "Od")}}{{title "Od " vrednost}}{{/if}}{{/each}}{{/report}}"#;
    let pdf = pdf_text(&texts(Format::Pdf, source, vec![vec![text("x")]]).path);
    assert!(pdf.contains("Od 01.01.2024.") && !pdf.contains("Samo u CSV"));
    let csv = std::fs::read_to_string(texts(Format::Csv, source, vec![vec![text("x")]]).path).expect("readable");
    assert!(csv.contains("Samo u CSV"));
}

#[test]
fn values_are_never_escaped_for_html() {
    let source = r#"{{#report}}{{#computed head="C"}}{{a}} & <b>{{/computed}}{{/report}}"#;
    let csv = std::fs::read_to_string(texts(Format::Csv, source, vec![vec![text("\"<i>&")]]).path).expect("readable");
    assert!(csv.contains("<i>& & <b>"), "{csv}");
}
