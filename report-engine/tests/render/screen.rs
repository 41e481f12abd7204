//! What the screen shows: the lines of the PDF with its groups, the numbers of the CSV, charts whose values can be pointed at.
use std::fs::File;

use domain::report_screen::{ScreenBlockKind, ScreenFile, ScreenLine, ScreenLineKind};
use report_engine::plan::{Format, Value};
use report_engine::render::{Cap, Limits, Overflow, Target, render};
use report_engine::template::ReportTemplate;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::support::{File as Rendered, PREGLEDI, columns, context, pregledi, row, text, texts, try_render};

fn opened(file: &Rendered) -> ScreenFile<File> {
    ScreenFile::open(File::open(&file.path).expect("the file")).expect("readable").expect("a report on the screen")
}

fn all_lines(file: &mut ScreenFile<File>, block: usize) -> Vec<ScreenLine> {
    file.lines(block, 0, usize::MAX).expect("readable").expect("a block of lines")
}

#[test]
fn groups_stand_where_their_extents_say_and_keep_their_totals_when_folded() {
    let mut file = opened(&pregledi(Format::Screen, 230));
    let block = file.contents().blokovi[0].clone();
    let lines = all_lines(&mut file, 0);
    assert_eq!(lines.len() as u64, block.linija);
    assert_eq!(lines.iter().filter(|line| line.vrsta == ScreenLineKind::Red).count(), 230);
    // Five institutions of fifty rows, each with two sexes of twenty-five, the last of both cut.
    assert_eq!(block.grupe.iter().filter(|group| group.nivo == 0).count(), 5);
    assert_eq!(block.grupe.iter().filter(|group| group.nivo == 1).count(), 10);
    for group in &block.grupe {
        let header = &lines[group.od as usize];
        assert_eq!((header.vrsta, header.nivo, header.tekst.as_str()), (ScreenLineKind::Grupa, group.nivo, group.tekst.as_str()));
        let last = &lines[group.do_linije as usize - 1];
        assert_eq!((last.vrsta, last.nivo, Some(last)), (ScreenLineKind::Zbir, group.nivo, group.zbir.as_ref()));
    }
    assert_eq!(lines.last().expect("lines").vrsta, ScreenLineKind::Ukupno);
    let sides: Vec<bool> = block.kolone.iter().map(|column| column.desno).collect();
    assert_eq!(sides, [true, false, false, false, false, true, false, true], "numbers on the right");
}

#[test]
fn a_chart_has_its_values_at_their_places_for_a_wide_screen_and_for_a_narrow_one() {
    let mut file = opened(&pregledi(Format::Screen, 230));
    assert_eq!(file.contents().blokovi[1].vrsta, ScreenBlockKind::Grafikon);
    let chart = file.chart(1).expect("readable").expect("a chart");
    assert_eq!((chart.naslov.as_str(), chart.odbijeno.as_deref()), ("Prosečan DAS28 po mesecima", None));
    assert_eq!(chart.serije.iter().map(|series| series.naziv.as_str()).collect::<Vec<_>>(), ["DAS28-ESR", "Najveći DAS28"]);
    assert_eq!(chart.crtezi.iter().map(|drawing| drawing.sirina).collect::<Vec<_>>(), [860.0, 330.0]);
    for drawing in &chart.crtezi {
        assert_eq!(drawing.mesta.len(), chart.redovi.len(), "each value of the table has a place");
        assert!(drawing.mesta.iter().all(|spot| spot.x <= drawing.sirina && spot.y <= drawing.visina && !spot.tekst.is_empty()));
        assert!(drawing.oblici.iter().any(|shape| shape.serija.as_deref() == Some("DAS28-ESR")));
    }
}

#[test]
fn the_first_lines_are_told_while_the_others_are_on_their_way() {
    let folder = tempfile::tempdir().expect("a folder");
    let (start, mut told) = mpsc::unbounded_channel();
    let plan = ReportTemplate::parse(PREGLEDI).expect("a template").plan(&context(Format::Screen)).expect("a plan");
    let target = Target { plan, path: folder.path().join("i.ekran"), notices: Vec::new(), start: Some(start) };
    let mut seen = None;
    let rows = (0..5_000).map(|index| {
        if index == 400 {
            seen = told.try_recv().ok();
        }
        Ok(row(index))
    });
    render(vec![target], &columns(), rows, &Limits::default(), &CancellationToken::new()).expect("it renders");
    let seen = seen.expect("before the four hundredth row");
    assert_eq!((seen.linije.len(), seen.sadrzaj.blokovi.len(), seen.sadrzaj.blokovi[0].linija), (100, 1, 100));
    assert!(seen.sadrzaj.blokovi[0].grupe.is_empty(), "nobody knows yet where they end");
    assert_eq!(seen.linije[0].vrsta, ScreenLineKind::Grupa);
}

#[test]
fn a_hundred_thousand_rows_are_read_from_anywhere() {
    let source = "{{#report}}{{col \"a\" head=\"Broj\" format=\"#.##0\"}}{{col \"b\" head=\"Reč\"}}{{/report}}";
    let names = ["a", "b"].map(str::to_owned);
    let rows = (0..100_000).map(|index| vec![Value::Int(index), text("reč")]);
    let file = try_render(source, &context(Format::Screen), &names, rows, &Limits::default()).expect("it renders");
    let mut file = opened(&file);
    assert_eq!(file.contents().blokovi[0].linija, 100_000);
    let lines = file.lines(0, 99_990, 100).expect("readable").expect("a table");
    assert_eq!((lines.len(), lines[9].celije.clone()), (10, vec!["99.999".to_owned(), "reč".to_owned()]));
}

#[test]
fn what_is_cut_says_so_and_texts_are_as_they_came() {
    let limits = Limits { screen: Cap { rows: 5, overflow: Overflow::Cut }, ..Limits::default() };
    let file = try_render(PREGLEDI, &context(Format::Screen), &columns(), (0..9).map(row), &limits).expect("it renders");
    assert!(file.rendered.truncated);
    let cut = opened(&file).contents().skraceno.clone().expect("it says so");
    assert!(cut.starts_with("IZVEŠTAJ JE SKRAĆEN: prikazano je prvih 5 redova"), "{cut}");
    let source = "{{#report}}{{col \"a\" head=\"A\"}}{{/report}}";
    let nasty = "=1+1<script>\u{8}\r\nred";
    let mut file = opened(&texts(Format::Screen, source, vec![vec![text(nasty)]]));
    assert_eq!(all_lines(&mut file, 0)[0].celije, ["=1+1<script>\nred"], "nothing computes here, and React escapes");
}

#[test]
fn a_document_has_its_words_as_lines_and_its_tables_as_blocks() {
    let source = "{{#document}}{{heading \"Naslov\"}}{{paragraph \"Pasus\"}}{{#groups redovi by=\"a\"}}{{field \"Ime\" prvi.a}}{{/groups}}{{/document}}";
    let mut file = opened(&texts(Format::Screen, source, vec![vec![text("Ana")], vec![text("Eva")]]));
    assert_eq!(file.contents().blokovi[0].vrsta, ScreenBlockKind::Tekst);
    let lines = all_lines(&mut file, 0);
    let told: Vec<(ScreenLineKind, &str, Option<&String>)> =
        lines.iter().map(|line| (line.vrsta, line.tekst.as_str(), line.celije.first())).collect();
    let (ana, eva) = ("Ana".to_owned(), "Eva".to_owned());
    assert_eq!(
        told,
        [
            (ScreenLineKind::Naslov, "Naslov", None),
            (ScreenLineKind::Pasus, "Pasus", None),
            (ScreenLineKind::Polje, "Ime", Some(&ana)),
            (ScreenLineKind::Polje, "Ime", Some(&eva)),
        ]
    );
}
