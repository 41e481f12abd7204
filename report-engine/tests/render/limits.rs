//! Caps, several formats at once, cancellation and failing rows: what is left on the disk afterwards.
use report_engine::plan::{Format, Value};
use report_engine::render::{Cap, Limits, Outcome, Overflow, RenderError, Target, render};
use report_engine::template::ReportTemplate;
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

use crate::support::{PREGLEDI, columns, context, row, try_render};

fn targets(folder: &TempDir) -> Vec<Target> {
    let template = ReportTemplate::parse(PREGLEDI).expect("a template");
    let target = |format: Format| Target {
        plan: template.plan(&context(format)).expect("a plan"),
        path: folder.path().join(format.extension()),
        notices: Vec::new(),
        start: None,
    };
    Format::ALL.map(target).into()
}

fn left_in(folder: &TempDir) -> usize {
    std::fs::read_dir(folder.path()).expect("a folder").count()
}

#[test]
fn too_many_rows_for_a_pdf_fail_early_and_the_other_formats_go_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let limits = Limits { pdf: Cap { rows: 50, overflow: Overflow::Fail }, ..Limits::default() };
    let outcomes = render(targets(&folder), &columns(), (0..80).map(|index| Ok(row(index))), &limits, &CancellationToken::new());
    let outcomes = outcomes.expect("the run goes on");
    let failed = |outcome: &Outcome| match &outcome.result {
        Err(error) => Some((error.code().name(), error.message())),
        Ok(rendered) => {
            assert_eq!((rendered.rows, rendered.truncated), (80, false));
            assert_eq!(std::fs::metadata(&outcome.path).expect("a file").len(), rendered.bytes);
            None
        }
    };
    let results: Vec<_> = outcomes.iter().map(failed).collect();
    let advice = "Izveštaj ima više od 50 redova, koliko staje u PDF. Suzite period ili izaberite XLSX ili CSV.";
    assert_eq!(results, [Some(("too_many_rows", advice.to_owned())), None, None]);
    assert_eq!(left_in(&folder), 2);
}

#[test]
fn rows_are_not_read_on_when_no_format_takes_more() {
    let limits = Limits { pdf: Cap { rows: 10, overflow: Overflow::Fail }, ..Limits::default() };
    let rows = (0..).map(|index| {
        assert!(index <= 10, "reading stops at the cap");
        row(index)
    });
    let result = try_render(PREGLEDI, &context(Format::Pdf), &columns(), rows, &limits);
    assert!(matches!(result, Err(RenderError::TooManyRows { format: Format::Pdf, limit: 10 })));
}

#[test]
fn a_file_that_outgrows_its_limit_fails_in_every_format() {
    let limits = Limits { bytes: 20_000, ..Limits::default() };
    for format in Format::ALL {
        let result = try_render(PREGLEDI, &context(format), &columns(), (0..3000).map(row), &limits);
        assert!(matches!(result, Err(RenderError::TooLarge { .. })), "{format}");
    }
}

#[test]
fn cancelling_leaves_no_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let cancel = CancellationToken::new();
    let rows = (0..1000).map(|index| {
        if index == 500 {
            cancel.cancel();
        }
        Ok(row(index))
    });
    let result = render(targets(&folder), &columns(), rows, &Limits::default(), &cancel);
    assert!(matches!(result, Err(RenderError::Cancelled)));
    assert_eq!(left_in(&folder), 0);
}

#[test]
fn an_error_of_the_rows_comes_back_as_it_was_and_leaves_no_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let rows = (0..10).map(|index| if index == 5 { Err(RenderError::source("veza je pala")) } else { Ok(row(index)) });
    let result = render(targets(&folder), &columns(), rows, &Limits::default(), &CancellationToken::new());
    assert!(matches!(result, Err(RenderError::Source(error)) if error.to_string() == "veza je pala"));
    assert_eq!(left_in(&folder), 0);
}

#[test]
fn a_ratio_in_a_footer_is_a_ratio_of_sums() {
    let source = r#"{{#report}}{{#group by="g"}}{{g}}{{/group}}{{ratio "umrli/svi*100" head="%" format="0,0"}}{{col "g"}}{{#groupFoot}}Grupa{{/groupFoot}}{{#summary}}Ukupno{{/summary}}{{/report}}"#;
    let columns = ["g", "umrli", "svi"].map(str::to_owned);
    let line = |g: &str, umrli: i64, svi: i64| vec![Value::Text(g.to_owned()), Value::Int(umrli), Value::Int(svi)];
    let rows = [line("A", 1, 1), line("A", 0, 99), line("B", 0, 0)];
    let file = try_render(source, &context(Format::Pdf), &columns, rows.into_iter(), &Limits::default()).expect("renders");
    let shown = crate::support::pdf_text(&file.path);
    let totals: Vec<&str> = shown.lines().filter(|line| line.contains("Grupa") || line.contains("Ukupno")).map(str::trim).collect();
    assert_eq!(totals, ["Grupa 1,0", "Grupa", "Ukupno 1,0"]);
}
