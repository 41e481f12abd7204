//! What the rendering tests share: a report of synthetic examinations, and ways to render and read files back.
use std::path::{Path, PathBuf};
use std::process::Command;

use domain::testing::left_out;
use jiff::civil::date;
use report_engine::plan::{Format, Mark, Value};
use report_engine::render::{Limits, Outcome, RenderError, RenderedFile, Target, render};
use report_engine::template::{Context, ReportTemplate};
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

pub const PREGLEDI: &str = r##"{{#report page="A4-landscape" size=8}}
  {{subtitle "Pregledi po ustanovi i polu"}}
  {{#group by="ustanova" head="Ustanova"}}{{ustanova}}{{/group}}
  {{#group by="pol" head="Pol"}}Pol: {{pol}}{{/group}}
  {{col "rb" head="Rb." width=30}}
  {{col "datum" head="Datum pregleda" width=60 format="dd.MM.yyyy."}}
  {{col "pacijent" head="Ime i prezime" width=130}}
  {{col "jmbg" head="JMBG" width=80}}
  {{col "terapija" head="Terapija" width=150}}
  {{col "das28" head="DAS28" width=50 format="0,00" foot="avg"}}
  {{#computed head="Aktivnost" width=60}}{{#if (gt das28 5.1)}}visoka{{else}}umerena{{/if}}{{/computed}}
  {{col "iznos" head="Iznos (RSD)" width=80 format="#.##0,00" foot="sum"}}
  {{#groupFoot by="pol"}}Ukupno {{pol}}: {{n}} pregleda{{/groupFoot}}
  {{#groupFoot by="ustanova"}}Ukupno {{ustanova}}: {{n}} pregleda, prosečan DAS28 {{broj prosek.das28 2}}{{/groupFoot}}
  {{#summary}}Ukupno: {{n}} pregleda, {{broj zbir.iznos 2}} RSD{{/summary}}
  {{#chart "line" x="datum" bucket="month" title="Prosečan DAS28 po mesecima" yTitle="DAS28" height=180}}
    {{series "avg:das28" label="DAS28-ESR"}}
    {{series "max:das28" label="Najveći DAS28"}}
  {{/chart}}
{{/report}}"##;

pub fn columns() -> Vec<String> {
    ["ustanova", "pol", "rb", "datum", "pacijent", "jmbg", "terapija", "das28", "iznos"].map(str::to_owned).to_vec()
}

/// Synthetic examinations, grouped by institution and sex in runs of 50 and 25.
pub fn row(index: i64) -> Vec<Value> {
    const USTANOVE: [&str; 3] = ["Klinički centar Srbije", "Institut za reumatologiju", "Klinički centar Vojvodine"];
    const IMENA: [&str; 5] = ["Đorđević Živana", "Petrović-Jovanović Milica Aleksandra", "Čolić Šćepan", "Ћирић Љиљана", "Nađ Žužana"];
    const TERAPIJE: [&str; 3] = [
        "Metotreksat 15 mg nedeljno, folna kiselina 5 mg",
        "Adalimumab 40 mg/14 dana",
        "Leflunomid 20 mg; pratiti transaminaze, krvnu sliku i arterijski pritisak na četiri nedelje",
    ];
    let pick = |list: &[&str], by: i64| Value::Text(list[(by % list.len() as i64) as usize].to_owned());
    vec![
        pick(&USTANOVE, index / 50),
        pick(&["Ženski", "Muški"], index / 25),
        Value::Int(index + 1),
        Value::Date(date(2024, 1, 1).saturating_add(jiff::ToSpan::days(index * 7 % 700))),
        pick(&IMENA, index),
        Value::Text(format!("01019{:08}", index * 7919 % 100_000_000)),
        pick(&TERAPIJE, index * 7),
        Value::Decimal(rust_decimal::Decimal::new(200 + index * 37 % 520, 2)),
        Value::Decimal(rust_decimal::Decimal::new(14_766_408 + index * 7919 % 900_000, 2)),
    ]
}

pub fn context(format: Format) -> Context {
    Context {
        naziv: "Pregledi reumatologije".to_owned(),
        parametri: vec![
            ("Od".to_owned(), "01.01.2024.".to_owned()),
            ("Do".to_owned(), "31.12.2025.".to_owned()),
            ("Ustanove".to_owned(), "Klinički centar Srbije, Institut za reumatologiju".to_owned()),
        ],
        ustanova: "Institut za reumatologiju".to_owned(),
        radnik_ime_prezime: "Živana Đorđević".to_owned(),
        generisano: date(2026, 3, 5).at(7, 4, 0, 0),
        format,
        extra: serde_json::json!({}),
    }
}

/// A rendered file in a folder of its own.
pub struct File {
    pub path: PathBuf,
    pub rendered: RenderedFile,
    _folder: TempDir,
}

/// Renders one format with the given context and limits.
pub fn try_render(
    source: &str,
    context: &Context,
    columns: &[String],
    rows: impl Iterator<Item = Vec<Value>>,
    limits: &Limits,
) -> Result<File, RenderError> {
    try_render_headed(source, context, Vec::new(), columns, rows, limits)
}

/// As [`try_render`], with these pictures on top.
pub fn try_render_headed(
    source: &str,
    context: &Context,
    marks: Vec<Mark>,
    columns: &[String],
    rows: impl Iterator<Item = Vec<Value>>,
    limits: &Limits,
) -> Result<File, RenderError> {
    let mut plan = ReportTemplate::parse(source)?.plan(context)?;
    plan.heading.marks = marks;
    let folder = tempfile::tempdir()?;
    let path = folder.path().join(format!("izvestaj.{}", context.format.extension()));
    let targets = vec![Target { plan, path: path.clone(), notices: Vec::new(), start: None }];
    let outcomes = render(targets, columns, rows.map(Ok), limits, &CancellationToken::new())?;
    let Outcome { result, .. } = outcomes.into_iter().next().expect("one target gives one outcome");
    match result {
        Ok(rendered) => Ok(File { path, rendered, _folder: folder }),
        Err(error) => {
            assert!(!path.exists(), "a failed rendering leaves no file");
            Err(error)
        }
    }
}

/// Renders `count` synthetic examinations.
pub fn pregledi(format: Format, count: i64) -> File {
    let rows = (0..count).map(row);
    try_render(PREGLEDI, &context(format), &columns(), rows, &Limits::default()).expect("the report renders")
}

/// Renders a table of text columns `a`, `b`, … from one line of heads.
pub fn texts(format: Format, source: &str, rows: Vec<Vec<Value>>) -> File {
    let width = rows.first().map_or(1, Vec::len);
    let columns: Vec<String> = (0..width).map(|index| char::from(b'a' + index as u8).to_string()).collect();
    try_render(source, &context(format), &columns, rows.into_iter(), &Limits::default()).expect("the report renders")
}

pub fn text(value: &str) -> Value {
    Value::Text(value.to_owned())
}

/// The text of a PDF in reading order of the page, by poppler's pdftotext.
pub fn pdf_text(path: &Path) -> String {
    let tool = std::env::var("PDFTOTEXT").unwrap_or_else(|_| "pdftotext".to_owned());
    let output = Command::new(&tool).arg("-layout").arg(path).arg("-").output();
    let output = output.unwrap_or_else(|error| panic!("{tool} must run (set PDFTOTEXT): {error}"));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("pdftotext writes UTF-8")
}

/// The text of a PDF as pdfminer.six extracts it, which `PDFMINER` names the folder of; None where it does not.
pub fn pdfminer_text(path: &Path) -> Option<String> {
    let Ok(folder) = std::env::var("PDFMINER") else {
        left_out("reading our PDFs by pdfminer", "PDFMINER does not name its folder");
        return None;
    };
    let program = "import sys; from pdfminer.high_level import extract_text; sys.stdout.buffer.write(extract_text(sys.argv[1]).encode())";
    let output = Command::new("python3").env("PYTHONPATH", folder).args(["-c", program]).arg(path).output().expect("python3 runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8(output.stdout).expect("UTF-8"))
}

/// The text without any blanks: what survives every way of wrapping.
pub fn squeezed(text: &str) -> String {
    text.chars().filter(|character| !character.is_whitespace()).collect()
}

/// Checks the syntax of the file, by qpdf.
pub fn check_pdf(path: &Path) {
    let tool = std::env::var("QPDF").unwrap_or_else(|_| "qpdf".to_owned());
    let output = Command::new(&tool).arg("--check").arg(path).output();
    let output = output.unwrap_or_else(|error| panic!("{tool} must run (set QPDF): {error}"));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}
