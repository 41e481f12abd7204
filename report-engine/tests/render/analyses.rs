//! Statistics in reports: over the Worcester Heart Attack Study as R computes them, and in words where there is nothing to compute.
use std::collections::HashMap;
use std::path::{Path, PathBuf};

use calamine::{Data, Reader, Xlsx, open_workbook};
use domain::report_screen::ScreenFile;
use report_engine::plan::{Format, Value};
use report_engine::render::{Cap, Limits, Overflow, RenderError, Target, render};
use report_engine::template::ReportTemplate;
use report_template::plan::{ColumnKind, DeliveredColumn, Mismatch};
use tokio_util::sync::CancellationToken;

use crate::support::{File, check_pdf, context, pdf_text, text, try_render};

fn golden(file: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden/statistika").join(file);
    std::fs::read_to_string(path).expect("a file of the golden folder")
}

/// The demo's study, as a query would deliver it.
fn whas() -> (Vec<String>, Vec<Vec<Value>>) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../api/demo/whas500.csv");
    let file = std::fs::read_to_string(path).expect("the demo's data");
    let mut lines = file.lines();
    let heads: Vec<&str> = lines.next().expect("heads").split(',').collect();
    let rows = lines.map(|line| {
        let cells: HashMap<&str, &str> = heads.iter().copied().zip(line.split(',')).collect();
        let number = |name: &str| cells[name].parse::<f64>().map_or(Value::Null, Value::Float);
        let pol = if cells["gender"] == "1" { "Ženski" } else { "Muški" };
        vec![
            number("age"),
            number("bmi"),
            number("chf"),
            Value::Bool(cells["sho"] == "1"),
            text(pol),
            number("sysbp"),
            number("hr"),
            number("lenfol"),
            number("fstat"),
            number("gender"),
        ]
    });
    let names = ["starost", "bmi", "srcana", "sok", "pol", "pritisak", "puls", "dana", "umro", "zena"].map(str::to_owned).to_vec();
    (names, rows.collect())
}

fn made(format: Format, source: &str, columns: &[String], rows: &[Vec<Value>]) -> File {
    try_render(source, &context(format), columns, rows.iter().cloned(), &Limits::default())
        .unwrap_or_else(|error| panic!("{}", error.message()))
}

fn csv_cells(path: &Path) -> Vec<String> {
    let written = std::fs::read_to_string(path).expect("readable");
    written.trim_start_matches('\u{FEFF}').lines().flat_map(|line| line.split(';')).map(|cell| cell.trim_matches('"').to_owned()).collect()
}

fn sheet_cells(path: &Path) -> Vec<Data> {
    let mut workbook: Xlsx<_> = open_workbook(path).expect("a workbook");
    let names = workbook.sheet_names();
    names
        .iter()
        .flat_map(|name| {
            workbook.worksheet_range(name).expect("the sheet").used_cells().map(|(_, _, cell)| cell.clone()).collect::<Vec<_>>()
        })
        .collect()
}

/// A number as Serbian writes it.
fn number(text: &str) -> Option<f64> {
    text.replace('.', "").replace(',', ".").parse().ok()
}

fn holds(cells: &[Data], wanted: &str) -> bool {
    let is = |cell: &Data| match cell {
        Data::String(text) => text.split(", ").any(|part| part == wanted) || text == wanted || text.starts_with(wanted),
        Data::Float(value) => number(wanted).is_some_and(|wanted| (wanted - value).abs() < 1e-9),
        Data::Int(value) => number(wanted) == Some(*value as f64),
        _ => false,
    };
    cells.iter().any(is)
}

#[test]
fn every_block_shows_in_every_format_what_r_computes_of_the_study() {
    let (columns, rows) = whas();
    let source = golden("sablon.hbs");
    let csv = csv_cells(&made(Format::Csv, &source, &columns, &rows).path);
    let workbook = sheet_cells(&made(Format::Xlsx, &source, &columns, &rows).path);
    let pdf = made(Format::Pdf, &source, &columns, &rows);
    check_pdf(&pdf.path);
    let page = pdf_text(&pdf.path);
    let page: Vec<&str> = page.split_whitespace().collect();
    let expected = golden("ocekivano.csv");
    let mut lacking = Vec::new();
    // A minus of what people read, where the table of R has a hyphen.
    let signed = |text: &str| text.replace(" -", " −").replace("[-", "[−");
    let people = |text: &str| signed(&format!(" {text}")).trim_start().to_owned();
    for (block, wanted) in expected.lines().skip(1).map(|line| line.split_once(';').expect("a block and a text")) {
        let in_csv = csv.iter().any(|cell| {
            cell == wanted
                || cell.starts_with(wanted)
                || cell.split(", ").any(|part| part == wanted)
                || number(cell).is_some_and(|cell| Some(cell) == number(wanted))
        });
        let whole = csv.join(";");
        if !in_csv && !whole.contains(wanted) {
            lacking.push(format!("{block}: {wanted} in CSV"));
        }
        if !holds(&workbook, wanted) && !holds(&workbook, &people(wanted)) {
            lacking.push(format!("{block}: {wanted} in XLSX"));
        }
        for token in people(wanted).split_whitespace() {
            if !page.iter().any(|word| word.trim_end_matches(',') == token.trim_end_matches(',')) {
                lacking.push(format!("{block}: {token} of {wanted} in PDF"));
            }
        }
    }
    assert!(lacking.is_empty(), "{lacking:#?}\n{csv:#?}");
    assert!(expected.contains("2,3285") && expected.contains("-0,03043"), "the textbook's coefficients");
}

/// People with two ends, whom R's packages `cmprsk` and `survival` have counted (`statistics/tests/golden`).
fn followed() -> Vec<Vec<Value>> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("statistics/tests/golden/follow.csv");
    let file = std::fs::read_to_string(path).expect("the golden data");
    let mut lines = file.lines();
    let heads: Vec<&str> = lines.next().expect("heads").split(',').collect();
    let rows = lines.map(|line| {
        let cells: HashMap<&str, &str> = heads.iter().copied().zip(line.split(',')).collect();
        let number = |name: &str| cells[name].parse::<f64>().map_or(Value::Null, Value::Float);
        let is = |cause: &str| Value::Bool(cells["cause"] == cause);
        vec![number("time"), is("1"), is("2"), number("arm")]
    });
    rows.collect()
}

#[test]
fn a_competing_event_gives_the_incidence_and_the_test_of_r_in_every_format() {
    let rows = followed();
    let block = r#"{{#survival time="t" event="e" competing="c" by="g" at="20, 40" unit="meseci"}}{{variable "e" label="Recidiv"}}{{variable "c" label="Druga smrt"}}{{/survival}}"#;
    let shown = told(block, "t e c g", &rows);
    for (format, shown) in ["CSV", "XLSX", "PDF"].into_iter().zip(shown) {
        // Of cmprsk 2.2-12: cuminc and timepoints; of survival: survfit with several states.
        for wanted in ["0,174 [", "0,365 [", "0,107 [", "0,319 [", "0,129 [", "0,285 [", "0,078 [", "0,189 [", "0,095 [", "0,267 ["] {
            assert!(says(&shown, wanted), "{format}: {wanted}\n{shown}");
        }
        for wanted in
            ["χ²(2) = 0,921, p = 0,631", "χ²(2) = 1,550, p = 0,461", "Grejov test: Druga smrt", "po Olenu i Johansenu", "Broj pod rizikom"]
        {
            assert!(says(&shown, wanted), "{format}: {wanted}\n{shown}");
        }
        assert!(!shown.contains("NaN"), "{format}\n{shown}");
    }
    // Without groups the curve of each event is drawn, as data; the words are English where the template asks.
    let source = report(r#"{{survival time="t" event="e" competing="c" language="en"}}"#);
    let file = made(Format::Screen, &source, &columns("t e c g"), &rows);
    let mut screen =
        ScreenFile::open(std::fs::File::open(&file.path).expect("the file")).expect("readable").expect("a report on the screen");
    let charts: Vec<_> = (0..screen.contents().blokovi.len()).filter_map(|place| screen.chart(place).expect("readable")).collect();
    let [chart] = &charts[..] else { panic!("{charts:?}") };
    assert_eq!(chart.naslov, "Cumulative incidence");
    let svg = chart.svg.as_deref().expect("a drawing");
    assert_eq!(svg.matches("data-kind=\"step\"").count(), 2);
    // Who is at risk is at risk of both events, and is called by neither.
    assert!(svg.contains(">All</text>") && svg.matches(">e</text>").count() == 1, "{svg}");
}

#[test]
fn cuts_of_a_score_are_told_as_asked_or_thinned_with_the_best_among_them() {
    let rows: Vec<Vec<Value>> =
        (0..200).map(|row| vec![Value::Float(f64::from(row) / 2.0), Value::Bool(row % 7 == 0 || row > 140)]).collect();
    for shown in told(r#"{{roc score="x" event="e" cuts="12,5; 300"}}"#, "x e", &rows) {
        for wanted in ["≥ 12,5", "≥ 300", "Granice: x", "PPV", "NPV"] {
            assert!(says(&shown, wanted), "{wanted}: {shown}");
        }
        assert!(!says(&shown, "Prikazano je"), "{shown}");
    }
    let [csv, ..] = told(r#"{{roc score="x" event="e"}}"#, "x e", &rows);
    assert!(csv.contains(" od 200 granica.") && csv.contains("≥ 70 (Juden)"), "{csv}");
    // Nobody is positive at 300, so that nobody's prediction is told.
    let [csv, ..] = told(r#"{{roc score="x" event="e" cuts="300"}}"#, "x e", &rows);
    let line = csv.lines().find(|line| line.contains("≥ 300")).expect("the cut");
    assert!(line.contains("0;0;") && line.contains("–"), "{line}");
}

#[test]
fn a_category_that_came_later_is_named_and_takes_no_other_reference_in_silence() {
    let model = |declared: &str| {
        format!(
            r#"{{{{#regression kind="linear" outcome="y" vars="g"}}}}{{{{variable "g" label="Stadijum" {declared}}}}}{{{{/regression}}}}"#
        )
    };
    let of = |names: &[&str]| -> Vec<Vec<Value>> {
        (0..40_u32).map(|row| vec![Value::Float(f64::from(row * row % 17)), text(names[row as usize % names.len()])]).collect()
    };
    let renamed = of(&["Prvi stadijum", "II", "III"]);
    for declared in [r#"order="I; II; III" complete=true"#, r#"order="I; II; III" complete=true reference="I""#] {
        for shown in told(&model(declared), "y g", &renamed) {
            assert!(
                says(
                    &shown,
                    "„Stadijum“ nema referentnu kategoriju „I“, a ima kategorije kojih nije bilo kada je analiza snimljena: Prvi stadijum"
                ),
                "{shown}"
            );
        }
    }
    let added = of(&["I", "II", "IV"]);
    for shown in told(&model(r#"order="I; II; III" complete=true reference="II""#), "y g", &added) {
        assert!(
            says(&shown, "Stadijum: II (referentna)")
                && says(&shown, "„Stadijum“ ima kategorije kojih nije bilo kada je analiza snimljena: IV"),
            "{shown}"
        );
    }
    for shown in told(&model(r#"order="I; II; III" complete=true"#), "y g", &of(&["II", "III"])) {
        assert!(says(&shown, "u kategoriji „I“ („Stadijum“) nema nijednog reda, pa je referentna „II“"), "{shown}");
    }
    for shown in told(&model(r#"order="I; II; III" complete=true reference="I" "#), "y g", &of(&["II", "III"])) {
        assert!(says(&shown, "u kategoriji „I“ („Stadijum“) nema nijednog reda."), "{shown}");
    }
}

fn columns(names: &str) -> Vec<String> {
    names.split(' ').map(str::to_owned).collect()
}

fn report(block: &str) -> String {
    format!("{{{{#report size=8}}}}{block}{{{{/report}}}}")
}

/// The texts of a block in each format.
fn told(block: &str, names: &str, rows: &[Vec<Value>]) -> [String; 3] {
    let source = report(block);
    let columns = columns(names);
    let csv = std::fs::read_to_string(&made(Format::Csv, &source, &columns, rows).path).expect("readable");
    let cells: Vec<String> = sheet_cells(&made(Format::Xlsx, &source, &columns, rows).path).iter().map(ToString::to_string).collect();
    let pdf = made(Format::Pdf, &source, &columns, rows);
    check_pdf(&pdf.path);
    let page = pdf_text(&pdf.path).split_whitespace().collect::<Vec<_>>().join(" ");
    [csv, cells.join("\n"), page]
}

/// On a page the words of a cell stand between those of its neighbours.
fn says(shown: &str, wanted: &str) -> bool {
    shown.contains(wanted) || wanted.split_whitespace().all(|word| shown.split_whitespace().any(|known| known.contains(word)))
}

fn numbers(list: &[&[f64]]) -> Vec<Vec<Value>> {
    list.iter().map(|row| row.iter().map(|number| Value::Float(*number)).collect()).collect()
}

#[test]
fn what_cannot_be_computed_is_a_sentence_in_the_place_of_its_number() {
    let times = |rows: &[(f64, f64)]| rows.iter().map(|(time, event)| vec![Value::Float(*time), Value::Float(*event)]).collect::<Vec<_>>();
    let survival = r#"{{survival time="t" event="e"}}"#;
    let mut lost = times(&[(1.0, 1.0), (2.0, 0.0)]);
    lost.push(vec![Value::Null, Value::Int(1)]);
    let cases: Vec<(&str, &str, Vec<Vec<Value>>, &str)> = vec![
        (survival, "t e", times(&[(1.0, 1.0), (-2.0, 0.0)]), "vreme u redu 2 je negativno"),
        (survival, "t e", lost, "red 3 ima događaj, a nema vreme"),
        (survival, "t e", times(&[(1.0, 0.0), (2.0, 0.0)]), "svi su cenzurisani"),
        (survival, "t e", times(&[(1.0, 2.0)]), "nije ni da ni ne"),
        (r#"{{survival time="t" event="e" by="g"}}"#, "t e g", numbers(&[&[1.0, 1.0, 1.0], &[2.0, 1.0, 1.0]]), "„g“ ima 1 grupa"),
        (r#"{{survival time="t" event="e" by="g"}}"#, "t e g", numbers(&[&[1.0, 0.0, 1.0], &[2.0, 0.0, 2.0]]), "niko nije imao događaj"),
        (
            r#"{{tableOne by="g" vars="x"}}"#,
            "x g",
            numbers(&[&[5.0, 1.0], &[5.0, 1.0], &[5.0, 2.0], &[5.0, 2.0]]),
            "ima svuda istu vrednost",
        ),
        (r#"{{tableOne by="g" vars="x"}}"#, "x g", numbers(&[&[5.0, 1.0], &[6.0, 1.0]]), "potrebne su tačno dve"),
        (r#"{{compare value="x" by="g"}}"#, "x g", numbers(&[&[5.0, 1.0], &[6.0, 2.0]]), "potrebno je najmanje 2"),
        (r#"{{compare value="x" with="y"}}"#, "x y", numbers(&[&[1.0, 2.0], &[2.0, 3.0]]), "ima svuda istu vrednost"),
        (r#"{{compare value="x" with="y" test="mcnemar"}}"#, "x y", numbers(&[&[1.0, 1.0], &[0.0, 0.0]]), "zbog nule u tabeli"),
        (
            r#"{{twoByTwo row="x" column="y"}}"#,
            "x y",
            numbers(&[&[1.0, 1.0], &[1.0, 1.0]]),
            "zbog nule u tabeli nije određeno: odnos šansi",
        ),
        (
            r#"{{regression kind="cox" time="t" event="e" vars="x"}}"#,
            "t e x",
            numbers(&[&[1.0, 1.0, 4.0], &[2.0, 1.0, 4.0]]),
            "„x“ ima svuda istu vrednost",
        ),
        (
            r#"{{regression kind="cox" time="t" event="e" vars="x"}}"#,
            "t e x",
            numbers(&[&[1.0, 0.0, 4.0], &[2.0, 0.0, 5.0]]),
            "svi su cenzurisani",
        ),
        (
            r#"{{regression kind="linear" outcome="t" vars="x, y"}}"#,
            "t x y",
            numbers(&[&[1.0, 1.0, 2.0], &[2.0, 2.0, 4.0], &[3.0, 3.0, 6.0], &[5.0, 4.0, 8.0], &[7.0, 5.0, 10.0]]),
            "sledi iz ostalih prediktora",
        ),
        (
            r#"{{regression kind="logistic" outcome="e" vars="x"}}"#,
            "e x",
            numbers(&[&[1.0, 1.0], &[1.0, 2.0], &[1.0, 3.0]]),
            "„e“ ima svuda istu vrednost",
        ),
        (r#"{{roc score="x" event="e"}}"#, "e x", numbers(&[&[1.0, 1.0], &[1.0, 2.0]]), "„e“ ima svuda istu vrednost"),
        (r#"{{survival time="t" event="e" until="5"}}"#, "t e", times(&[(1.0, 1.0), (2.0, 0.0)]), "završava pre vremena 5"),
        (
            r#"{{survival time="t" event="e" by="g" until="1"}}"#,
            "t e g",
            numbers(&[&[1.0, 0.0, 1.0], &[2.0, 0.0, 2.0]]),
            "niko nije imao događaj",
        ),
        (
            r#"{{survival time="t" event="e" competing="c" at="9"}}"#,
            "t e c",
            numbers(&[&[1.0, 1.0, 0.0], &[2.0, 0.0, 0.0]]),
            "praćenje se ranije završava",
        ),
        (
            r#"{{survival time="t" event="e" competing="c" by="g"}}"#,
            "t e c g",
            numbers(&[&[1.0, 0.0, 0.0, 1.0], &[2.0, 0.0, 0.0, 2.0]]),
            "niko nije imao događaj",
        ),
        (
            r#"{{survival time="t" event="e" competing="c" by="g"}}"#,
            "t e c g",
            numbers(&[&[1.0, 1.0, 0.0, 1.0], &[2.0, 0.0, 1.0, 1.0]]),
            "„g“ ima 1 grupa",
        ),
        (r#"{{survival time="t" event="e" competing="c"}}"#, "t e c", numbers(&[&[-1.0, 1.0, 0.0]]), "vreme u redu 1 je negativno"),
        (r#"{{survival time="t" event="e" competing="c"}}"#, "t e c", vec![vec![Value::Null, Value::Int(1), Value::Int(0)]], "nema vreme"),
        (r#"{{survival time="t" event="e" competing="c"}}"#, "t e c", numbers(&[&[1.0, 1.0, 3.0]]), "nije ni da ni ne"),
        (
            r#"{{survival time="t" event="e" competing="c"}}"#,
            "t e c",
            numbers(&[&[1.0, 1.0, 1.0], &[2.0, 0.0, 1.0]]),
            "redova sa oba događaja: 1",
        ),
        (
            r#"{{survival time="t" event="e" competing="c"}}"#,
            "t e c",
            vec![vec![Value::Float(1.0), Value::Int(0), Value::Null]],
            "ima 0 vrednosti",
        ),
        (r#"{{rate events="e" time="t"}}"#, "t e", times(&[(-1.0, 0.0)]), "vreme u redu 1 je negativno"),
        (r#"{{rate events="e" time="t"}}"#, "t e", times(&[(0.0, 0.0)]), "„vreme praćenja“ je van dozvoljenih vrednosti"),
    ];
    for (block, names, rows, wanted) in cases {
        for (format, shown) in ["CSV", "XLSX", "PDF"].into_iter().zip(told(block, names, &rows)) {
            assert!(says(&shown, wanted), "{block}, {format}: {wanted}\n{shown}");
            assert!(!shown.contains("NaN") && !shown.contains("inf"), "{block}, {format}\n{shown}");
        }
    }
}

#[test]
fn a_separated_covariate_is_told_and_has_no_number() {
    let rows: Vec<Vec<Value>> = (0..40).map(|row| vec![Value::Int(i64::from(row >= 20)), Value::Int(row)]).collect();
    for shown in told(r#"{{regression kind="logistic" outcome="e" vars="x"}}"#, "e x", &rows) {
        assert!(says(&shown, "„x“ potpuno razdvaja ishod") && says(&shown, "bez granice"), "{shown}");
    }
}

#[test]
fn no_rows_at_all_are_said() {
    for block in [
        r#"{{tableOne vars="x"}}"#,
        r#"{{compare value="x" by="g"}}"#,
        r#"{{twoByTwo row="e" column="g"}}"#,
        r#"{{survival time="x" event="e"}}"#,
        r#"{{regression kind="cox" time="x" event="e" vars="g"}}"#,
        r#"{{roc score="x" event="e"}}"#,
        r#"{{rate events="e" time="x"}}"#,
    ] {
        for shown in told(block, "x e g", &[]) {
            assert!(says(&shown, "Nema podataka za zadate uslove."), "{block}: {shown}");
        }
    }
}

#[test]
fn missing_values_small_groups_and_tests_are_named() {
    let mut rows: Vec<Vec<Value>> =
        (0..12).map(|row| vec![Value::Float(f64::from(row) * 1.5), text("lek A"), text(["I", "II"][row as usize % 2])]).collect();
    rows.extend((0..6).map(|row| vec![Value::Float(f64::from(row)), text("lek B"), text("I")]));
    rows.push(vec![Value::Null, text("lek B"), Value::Null]);
    rows.push(vec![Value::Float(f64::NAN), text("lek A"), text(" ")]);
    rows.push(vec![Value::Float(7.0), Value::Null, text("I")]);
    let block = r#"{{#tableOne by="g" vars="x, s" smd=true}}{{variable "x" label="Bol"}}{{variable "s" label="Stepen"}}{{/tableOne}}"#;
    for shown in told(block, "x g s", &rows) {
        for wanted in [
            "lek A (n = 13)",
            "lek B (n = 7)",
            "2 (10,0 %)",
            "grupa „lek B“ ima samo 7",
            "Izostavljeno zbog nedostajućih podataka (g): 1.",
            "a – Velčov t-test",
            "Fišerov egzaktni test",
            "Stepen: II",
            "6 (50,0 %)",
            "0 (0,0 %)",
            "nisu korigovane",
        ] {
            assert!(says(&shown, wanted), "{wanted}: {shown}");
        }
    }
}

#[test]
fn words_are_english_where_the_template_asks() {
    let rows: Vec<Vec<Value>> =
        (0..30).map(|row| vec![Value::Float(f64::from(row % 7)), Value::Bool(row % 3 == 0), Value::Float(f64::from(row))]).collect();
    for shown in told(
        r#"{{survival time="t" event="e" language="en" level=90}}{{compare value="x" by="e" language="en" show="median"}}"#,
        "x e t",
        &rows,
    ) {
        for wanted in ["Kaplan and Meier; 90 % CI: Greenwood, log-log", "Numbers at risk", "Mann-Whitney test", "Missing"] {
            assert!(says(&shown, wanted), "{wanted}: {shown}");
        }
        assert!(!shown.contains("Preživljavanje"), "{shown}");
    }
}

#[test]
fn an_event_may_be_a_named_value_and_groups_have_the_order_of_the_template() {
    let ishod = ["umro", "živ", "umro", "preveden", "živ", "umro"];
    let rows: Vec<Vec<Value>> = (0..60)
        .map(|row: i64| vec![Value::Int(row + 1), text(ishod[row as usize % 6]), text(["kasno", "rano", "srednje"][row as usize % 3])])
        .collect();
    let block =
        r#"{{#survival time="t" event="i:umro" by="g"}}{{variable "g" label="Grupa lečenja" order="rano, srednje, kasno"}}{{/survival}}"#;
    let [csv, ..] = told(block, "t i g", &rows);
    let lines: Vec<&str> = csv.lines().collect();
    let place = |start: &str| lines.iter().position(|line| line.starts_with(start)).unwrap_or_else(|| panic!("{start}: {csv}"));
    assert!(place("rano;20;0") < place("srednje;20;20") && place("srednje;20;20") < place("kasno;20;10"), "{csv}");
    assert!(csv.contains("Događaj: i: umro"), "{csv}");
}

#[test]
fn more_rows_than_are_kept_fail_and_name_the_block() {
    let limits = Limits { analyses: Cap { rows: 5, overflow: Overflow::Fail }, ..Limits::default() };
    for format in Format::ALL {
        let rows = (0..6).map(|row| vec![Value::Int(row), Value::Int(row % 2)]);
        let source = report(r#"{{survival time="t" event="e"}}"#);
        let error = try_render(&source, &context(format), &columns("t e"), rows, &limits).err().expect("it is refused");
        assert_eq!(error.code().name(), "too_large");
        assert!(error.message().starts_with("Statistika (survival) obuhvatila bi više od 5 redova"), "{}", error.message());
    }
    let trial = Limits::trial();
    let rows = (0..51).map(|row| vec![Value::Int(row), Value::Int(row % 2)]);
    let file =
        try_render(&report(r#"{{survival time="t" event="e"}}"#), &context(Format::Csv), &columns("t e"), rows, &trial).expect("a trial");
    assert!(file.rendered.truncated, "a trial says that it is one");
}

#[test]
fn a_million_rows_are_counted_and_one_more_is_refused() {
    let source = report(r#"{{survival time="t" event="e"}}"#);
    let rows = |many: i64| (0..many).map(|row| vec![Value::Int(row % 1000), Value::Int(row % 2)]);
    let file = try_render(&source, &context(Format::Csv), &columns("t e"), rows(1_000_000), &Limits::default()).expect("a million");
    assert!(std::fs::read_to_string(&file.path).expect("readable").contains("Svi;1000000;500000;500000"));
    let error = try_render(&source, &context(Format::Csv), &columns("t e"), rows(1_000_001), &Limits::default()).err().expect("too many");
    assert!(error.message().contains("više od 1.000.000 redova"), "{}", error.message());
}

/// Of the process so far, which runs this test alone.
fn peak_kibibytes() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux");
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).expect("the peak of the resident set");
    line.split_whitespace().nth(1).and_then(|number| number.parse().ok()).expect("a number")
}

#[test]
fn a_million_rows_with_competing_events_restricted_means_and_cuts_end_in_numbers_or_words_and_take_memory_in_proportion() {
    let source = report(
        r#"{{survival time="t" event="e" competing="c" by="g" at="100" title="Incidencija"}}
           {{survival time="t" event="e" by="g" until="100" title="RMST"}}{{roc score="x" event="e" cuts="-5, 10, 2000" title="Granice"}}"#,
    );
    let names = columns("t e c g x");
    // Every time is another one, so that curves have as many steps as there are rows.
    let row = |row: i64| {
        let (time, score) = (Value::Float(row as f64 / 1000.0), Value::Int(row * 7919 % 1009));
        vec![time, Value::Bool(row % 3 == 0), Value::Bool(row % 3 == 1), Value::Int(row % 4), score]
    };
    let made = |rows: &mut dyn Iterator<Item = Vec<Value>>| {
        let file = try_render(&source, &context(Format::Csv), &names, rows, &Limits::default()).expect("it ends");
        std::fs::read_to_string(&file.path).expect("readable")
    };
    let empty = peak_kibibytes();
    made(&mut (0..200_000).map(row));
    let fifth = peak_kibibytes() - empty;
    let shown = made(&mut (0..1_000_000).map(row));
    let whole = peak_kibibytes() - empty;
    assert!(whole < 6.0 * fifth + 20_000.0, "{fifth} KiB of a fifth, {whole} KiB of all");
    for wanted in ["0;e;250000;83334", "Grejov test", "n = 1000000", "RMST", "≥ -5;", "≥ 10;", "≥ 2.000;"] {
        assert!(shown.contains(wanted), "{wanted} in {shown}");
    }
    assert!(!shown.contains("NaN") && !shown.contains("inf"), "{shown}");

    let bad = |place: usize, value: Value| {
        let mut last = row(999_999);
        last[place] = value;
        made(&mut (0..999_999).map(row).chain([last]))
    };
    let negative = bad(0, Value::Float(-1.0));
    assert_eq!(negative.matches("vreme u redu 1000000 je negativno").count(), 2, "{negative}");
    let both = bad(1, Value::Null);
    assert!(both.contains("Izostavljeno zbog nedostajućih podataka (vreme, događaji ili grupa): 1."), "{both}");
    let odd = bad(1, Value::Int(7));
    assert_eq!(odd.matches("nije ni da ni ne").count(), 3, "{odd}");
    let late = source.replace("until=\"100\"", "until=\"5000\"");
    let file = try_render(&late, &context(Format::Csv), &names, (0..1_000_000).map(row), &Limits::default()).expect("it ends");
    let shown = std::fs::read_to_string(&file.path).expect("readable");
    assert!(shown.contains("završava pre vremena 5.000"), "{shown}");
}

#[test]
fn answers_are_called_as_an_english_order_calls_them() {
    let rows: Vec<Vec<Value>> = (0..40).map(|row| vec![Value::Float(f64::from(row * row % 17)), Value::Bool(row % 3 == 0)]).collect();
    let declared = r#"{{variable "g" label="Smoker" order="No; Yes" complete=true}}"#;
    let model = format!(r#"{{{{#regression kind="linear" outcome="y" vars="g" language="en"}}}}{declared}{{{{/regression}}}}"#);
    let table = format!(r#"{{{{#tableOne vars="g" language="en"}}}}{declared}{{{{/tableOne}}}}"#);
    for shown in told(&model, "y g", &rows) {
        assert!(says(&shown, "Smoker: No (reference)") && says(&shown, "Smoker: Yes") && !says(&shown, "Not computed"), "{shown}");
    }
    let [csv, ..] = told(&table, "y g", &rows);
    assert!(csv.contains("Yes") && !csv.contains("Da") && !csv.contains("were not there"), "{csv}");
}

#[test]
fn groups_and_strata_of_categories_that_came_later_are_told() {
    let blocks = [
        r#"{{#tableOne vars="t" by="g"}}{{variable "g" DECLARED}}{{/tableOne}}"#,
        r#"{{#tableOne vars="g"}}{{variable "g" DECLARED}}{{/tableOne}}"#,
        r#"{{#compare value="t" by="g"}}{{variable "g" DECLARED}}{{/compare}}"#,
        r#"{{#survival time="t" event="e" by="g"}}{{variable "g" DECLARED}}{{/survival}}"#,
        r#"{{#survival time="t" event="e" competing="c" by="g"}}{{variable "g" DECLARED}}{{/survival}}"#,
        r#"{{#rate events="e" time="t" by="g"}}{{variable "g" DECLARED}}{{/rate}}"#,
        r#"{{#regression kind="cox" time="t" event="e" vars="x" strata="g"}}{{variable "g" DECLARED}}{{/regression}}"#,
    ];
    let row = |row: i64| {
        let stage = ["I", "II", "Treći"][row as usize % 3];
        let time = Value::Float((row * 37 % 101) as f64 + 1.0);
        vec![time, Value::Bool(row % 4 == 0), Value::Bool(row % 4 == 1), Value::Int(row * 13 % 29), text(stage)]
    };
    let rows: Vec<Vec<Value>> = (0..90).map(row).collect();
    let wanted = "Upozorenje: „Stadijum“ ima kategorije kojih nije bilo kada je analiza snimljena: Treći.";
    for block in blocks {
        let of = |declared: &str| told(&block.replace("DECLARED", declared), "t e c x g", &rows);
        for shown in of(r#"label="Stadijum" order="I; II; III" complete=true"#) {
            assert!(says(&shown, wanted), "{block}\n{shown}");
        }
        for declared in [r#"label="Stadijum" order="I; II; Treći; IV" complete=true"#, r#"label="Stadijum" order="I; II""#] {
            assert!(!of(declared)[0].contains("kojih nije bilo"), "{block}, {declared}");
        }
    }
}

#[test]
fn a_row_may_stand_for_many() {
    let grouped = [("A", true, 30), ("A", false, 10), ("B", true, 12), ("B", false, 28)];
    let rows: Vec<Vec<Value>> = grouped.iter().map(|(group, event, n)| vec![text(group), Value::Bool(*event), Value::Int(*n)]).collect();
    let each: Vec<Vec<Value>> =
        rows.iter().flat_map(|row| std::iter::repeat_n(row.clone(), row[2].as_f64().unwrap_or(0.0) as usize)).collect();
    let block = r#"{{twoByTwo row="g:A" column="e"}}"#;
    let counted = block.replace("}}", r#" count="n"}}"#);
    assert_eq!(told(block, "g e n", &each)[0], told(&counted, "g e n", &rows)[0]);
    let mut withheld = rows.clone();
    withheld[0][2] = Value::Null;
    assert!(told(&counted, "g e n", &withheld)[0].contains("0 (0,0 %)"), "a number that is withheld counts nobody");
    withheld[0][2] = Value::Float(1.5);
    for shown in told(&counted, "g e n", &withheld) {
        assert!(says(&shown, "„n“ ima vrednost „1,5“, koja nije broj ljudi"), "{shown}");
    }
}

#[test]
fn the_order_of_the_rows_changes_nothing() {
    let (columns, rows) = whas();
    let source = golden("sablon.hbs");
    let of = |rows: Vec<Vec<Value>>| std::fs::read_to_string(&made(Format::Csv, &source, &columns, &rows).path).expect("readable");
    let backwards: Vec<Vec<Value>> = rows.iter().rev().cloned().collect();
    assert_eq!(of(rows), of(backwards));
}

#[test]
fn rows_and_statistics_stand_in_one_report_and_formats_agree() {
    let source = r#"{{#report}}{{col "x" head="Broj" foot="sum"}}{{#summary}}Svega{{/summary}}{{note "Kraj."}}{{tableOne vars="x"}}{{roc score="x" event="e"}}{{/report}}"#;
    let columns = columns("x e");
    let rows: Vec<Vec<Value>> = (0..20).map(|row| vec![Value::Int(row), Value::Bool(row > 11)]).collect();
    let folder = tempfile::tempdir().expect("a folder");
    let template = ReportTemplate::parse(source).expect("a template");
    let targets = [Format::Pdf, Format::Xlsx, Format::Csv, Format::Screen].map(|format| {
        let plan = template.plan(&context(format)).expect("a plan");
        Target {
            plan,
            path: folder.path().join(format!("i.{}", format.extension())),
            notices: vec!["Napomena svih.".to_owned()],
            start: None,
        }
    });
    let outcomes =
        render(targets.to_vec(), &columns, rows.into_iter().map(Ok), &Limits::default(), &CancellationToken::new()).expect("files");
    for outcome in &outcomes {
        assert_eq!(outcome.result.as_ref().expect("a file").rows, 20);
        let shown = match outcome.format {
            Format::Pdf => pdf_text(&outcome.path),
            Format::Xlsx => sheet_cells(&outcome.path).iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"),
            Format::Csv | Format::Screen => std::fs::read_to_string(&outcome.path).expect("readable"),
        };
        assert!(shown.contains("9,50 (5,92)") && shown.contains("1,000"), "{}: {shown}", outcome.format);
        if outcome.format == Format::Csv {
            let last = shown.lines().last().expect("a line");
            assert!(last.starts_with("# Napomena svih."), "{shown}");
            assert!(shown.contains("\r\n# Tabela 1;"), "{shown}");
        }
    }
}

#[test]
fn slips_in_declarations_are_told_in_words() {
    for (block, wanted) in [
        (r#"{{tableOne by="g" vras="x"}}"#, "ne poznaje parametar „vras“"),
        (r#"{{tableOne by="g"}}"#, "traži bar jednu kolonu"),
        (r#"{{tableOne vars="x" smd=true}}"#, "uz „smd“ traži „by“"),
        (r#"{{tableOne vars="x:modus"}}"#, "ne prihvata „modus“"),
        (r#"{{variable "x"}}"#, "stoji samo u bloku analize"),
        (r#"{{#tableOne vars="x"}}{{variable "y" label="Y"}}{{variable "y"}}{{/tableOne}}"#, "je već navedena za „y“"),
        (r#"{{#survival time="t" event="e"}}{{variable "y" label="Y"}}{{/survival}}"#, "ne koristi kolonu „y“"),
        (r#"{{survival time="t"}}"#, "traži parametar „event“"),
        (r#"{{survival time="t" event="e" at="juče"}}"#, "ne prima „juče“"),
        (r#"{{survival time="t" event="e:"}}"#, "ne razume „event“"),
        (r#"{{survival time="t" event="e" level=20}}"#, "traži „level“ od 50"),
        (r#"{{survival time="t" event="e" until="0"}}"#, "jedno vreme veće od 0"),
        (r#"{{survival time="t" event="e" until="1; 2"}}"#, "jedno vreme veće od 0"),
        (r#"{{survival time="t" event="e" competing="c" until="9"}}"#, "uz „competing“ ne prima „until“"),
        (r#"{{survival time="t" event="e" competing="c" test="gehan"}}"#, "uz „competing“ ne prima „test“"),
        (r#"{{survival time="t" event="e" competing="c" entry="u"}}"#, "uz „competing“ ne prima „entry“"),
        (r#"{{roc score="x" event="e" cuts="malo"}}"#, "za „cuts“ ne prima „malo“"),
        (r#"{{roc score="x, y" event="e" cuts="1"}}"#, "uz jedan skor"),
        (r#"{{compare value="x"}}"#, "traži „by“ (grupe) ili „with“"),
        (r#"{{compare value="x" by="g" with="y"}}"#, "ili „by“ (grupe) ili „with“"),
        (r#"{{regression vars="x"}}"#, "traži „kind“"),
        (r#"{{regression kind="cox" time="t" event="e"}}"#, "traži parametar „vars“"),
        (r#"{{twoByTwo row="x"}}"#, "traži parametar „column“"),
        (r#"{{tableOne vars="x" language="fr"}}"#, "ne prihvata „fr“"),
        (r#"{{col "a"}}{{cross "b" value="n"}}{{tableOne vars="x"}}"#, "Uz „cross“ ne stoje analize"),
        (r#"{{#group by="a"}}{{/group}}{{tableOne vars="x"}}"#, "nema grupa ni zbirova"),
        (r#"{{#section by="a"}}{{col "a"}}{{tableOne vars="x"}}{{/section}}"#, "ne prima analize"),
    ] {
        let error = ReportTemplate::parse(&report(block)).expect("it parses").plan(&context(Format::Pdf)).expect_err(block);
        assert!(error.message.contains(wanted), "{block}: {error}");
    }
}

#[test]
fn columns_of_statistics_are_looked_up_before_any_row() {
    let source = report(r#"{{survival time="t" event="e" by="g"}}{{tableOne vars="x:median"}}"#);
    let plan = ReportTemplate::parse(&source).expect("it parses").plan(&context(Format::Pdf)).expect("it plans");
    let delivered = |name: &str, kind| DeliveredColumn { name: name.to_owned(), kind };
    let whole = [("t", ColumnKind::Number), ("e", ColumnKind::Other), ("g", ColumnKind::Other), ("x", ColumnKind::Number)];
    assert_eq!(plan.mismatches(&whole.map(|(name, kind)| delivered(name, kind))), []);
    let found = plan.mismatches(&[delivered("t", ColumnKind::Other), delivered("e", ColumnKind::Other), delivered("x", ColumnKind::Time)]);
    assert!(found.contains(&Mismatch::Missing("g".to_owned())), "{found:?}");
    let words: Vec<&str> =
        found.iter().filter_map(|one| if let Mismatch::Template(error) = one { Some(error.message.as_str()) } else { None }).collect();
    assert_eq!(
        words,
        ["Analiza „survival“ traži broj u koloni „t“, koja nije broj", "Analiza „tableOne“ traži broj u koloni „x“, koja nije broj"]
    );
    let error = try_render(&source, &context(Format::Csv), &columns("t e x"), std::iter::empty(), &Limits::default()).err();
    assert!(matches!(&error, Some(RenderError::UnknownColumn { column }) if column == "g"), "{error:?}");
}

#[test]
fn curves_forests_and_boxes_are_drawn_where_the_template_does_not_leave_them_out() {
    let (columns, rows) = whas();
    let source = golden("sablon.hbs");
    let page = pdf_text(&made(Format::Pdf, &source, &columns, &rows).path);
    for wanted in ["Pod rizikom", "1 − specifičnost", "HR (95 % IP)", "OR (95 % IP)", "Bez događaja"] {
        assert!(page.contains(wanted), "{wanted}: {page}");
    }
    let sheets = |source: &str| {
        let workbook: Xlsx<_> = open_workbook(&made(Format::Xlsx, source, &columns, &rows).path).expect("a workbook");
        workbook.sheet_names()
    };
    assert!(sheets(&source).contains(&"Grafikoni".to_owned()));
    let bare = report(r#"{{survival time="dana" event="umro" figure=false}}{{roc score="starost" event="umro" figure=false}}"#);
    assert!(!sheets(&bare).contains(&"Grafikoni".to_owned()));
}

#[test]
fn the_screen_has_tables_and_drawings_as_data() {
    let (columns, rows) = whas();
    let source = r#"{{#report}}
  {{#survival time="dana" event="umro" by="pol" unit="dana" title="Preživljavanje"}}{{variable "pol" label="Pol"}}{{/survival}}
  {{#tableOne vars="bmi, pol" tests=false}}{{variable "bmi" label="BMI"}}{{/tableOne}}
  {{chart "histogram" x="bmi" title="BMI" height=220}}
  {{chart "box" x="pol" y="starost" label="Starost" title="Starost po polu" height=220}}
  {{chart "bar" x="pol" y="count" label="Broj" title="Pol" height=220}}
{{/report}}"#;
    let file = made(Format::Screen, source, &columns, &rows);
    let mut screen =
        ScreenFile::open(std::fs::File::open(&file.path).expect("the file")).expect("readable").expect("a report on the screen");
    let blocks = screen.contents().blokovi.clone();
    let charts: Vec<_> = (0..blocks.len()).filter_map(|place| screen.chart(place).expect("readable")).collect();
    let titles: Vec<&str> = charts.iter().map(|chart| chart.naslov.as_str()).collect();
    assert_eq!(titles, ["Preživljavanje", "BMI", "Starost po polu", "Pol"]);
    for chart in &charts {
        assert_eq!(chart.crtezi.len(), 2, "{chart:?}");
        let svg = chart.svg.as_deref().expect("a drawing to take away");
        assert!(svg.starts_with("<svg") && svg.contains("data-kind=") && svg.contains(&chart.naslov), "{svg}");
        assert!(!chart.redovi.is_empty(), "{chart:?}");
    }
    let first = screen.lines(0, 0, usize::MAX).expect("readable").expect("a table");
    assert!(first.iter().any(|line| line.celije.contains(&"Muški".to_owned())) && !blocks[0].napomene.is_empty(), "{first:?}");
    assert!(blocks[0].statistika);
    let methods: Vec<&str> = blocks.iter().filter_map(|block| block.metoda.as_deref()).collect();
    assert_eq!(methods, ["prezivljavanje", "tabela1"], "once for each analysis, for the guide");
    // The charts of rows that are not shown stand in every format.
    for format in Format::ALL {
        made(format, source, &columns, &rows);
    }
    check_pdf(&made(Format::Pdf, source, &columns, &rows).path);
}
