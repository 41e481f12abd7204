//! "Ishod po polu i dobnoj grupi" on the demo's real data, in all three formats, against a calculation of its own from the study's file.

use std::{collections::BTreeMap, path::Path, process::Command};

use calamine::{Data, Reader, Xlsx, open_workbook};
use serde_json::json;

use crate::world::{Report, World};

const AGES: [&str; 4] = ["do 59", "60–69", "70–79", "80 i više"];

/// Sums over admissions; in this file each admission is another patient.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Sums {
    patients: i64,
    hospital_deaths: i64,
    deaths: i64,
    days: i64,
}

impl Sums {
    fn add(&mut self, other: Self) {
        self.patients += other.patients;
        self.hospital_deaths += other.hospital_deaths;
        self.deaths += other.deaths;
        self.days += other.days;
    }

    fn hospital_mortality(self) -> f64 {
        100.0 * self.hospital_deaths as f64 / self.patients as f64
    }

    fn mortality(self) -> f64 {
        100.0 * self.deaths as f64 / self.patients as f64
    }

    fn mean_days(self) -> f64 {
        self.days as f64 / self.patients as f64
    }
}

/// By sex and age, with the total of a sex under `""`, and of both under `("", "")`.
fn from_the_study() -> BTreeMap<(&'static str, &'static str), Sums> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../api/demo/whas500.csv");
    let mut sums: BTreeMap<_, Sums> = BTreeMap::new();
    for record in csv::Reader::from_path(file).expect("the study's file").records() {
        let record = record.expect("a record");
        let cell = |index: usize| record[index].parse::<f64>().expect("a number");
        let sex = if cell(2) == 0.0 { "Muški" } else { "Ženski" };
        let age = match cell(1) {
            age if age < 60.0 => AGES[0],
            age if age < 70.0 => AGES[1],
            age if age < 80.0 => AGES[2],
            _ => AGES[3],
        };
        let (days, followed, died) = (cell(14), cell(15), cell(16) == 1.0);
        let one = Sums { patients: 1, hospital_deaths: i64::from(died && followed <= days), deaths: i64::from(died), days: days as i64 };
        for key in [(sex, age), (sex, ""), ("", "")] {
            sums.entry(key).or_default().add(one);
        }
    }
    let all = sums[&("", "")];
    assert_eq!((all.patients, all.hospital_deaths, all.deaths), (500, 40, 215), "admissions, deaths in hospital and in follow-up");
    sums
}

/// `12,3` as the report writes it: half away from zero.
fn shown(number: f64) -> String {
    format!("{:.1}", (number * 10.0 + 0.5).floor() / 10.0).replace('.', ",")
}

fn number(cell: &Data) -> f64 {
    match cell {
        Data::Int(number) => *number as f64,
        Data::Float(number) => *number,
        other => panic!("a number was to be in the cell, not {other:?}"),
    }
}

#[tokio::test]
async fn its_figures_are_those_of_the_study_in_every_format() {
    let world = World::of_the_demo().await;
    let report = world.count("select id from report where jasper_fajl = 'ishod-po-polu-i-dobi'").await;
    let _engine = world.engine(&[]);
    let mut run = world.new_run(report);
    run.formati = ["PDF", "XLSX", "CSV"].map(str::to_owned).to_vec();
    run.parametri = json!({ "od": "1990-01-01", "do": "2100-01-01" });
    let run = world.ask(run).await;
    let ended = world.end(run).await;
    assert_eq!(ended.status, "succeeded", "{ended:?}");
    let expected = from_the_study();
    let folder = tempfile::tempdir().unwrap();
    for (format, content) in world.files(run).await {
        let path = folder.path().join(format!("ishod.{}", format.to_lowercase()));
        std::fs::write(&path, content).unwrap();
        match format.as_str() {
            "CSV" => check_csv(&path, &expected),
            "XLSX" => check_xlsx(&path, &expected),
            "PDF" => check_pdf(&path, &expected),
            other => panic!("{other}"),
        }
    }
}

fn close(found: f64, wanted: f64) {
    assert!((found - wanted).abs() < 1e-9, "{found} is not {wanted}");
}

fn check_csv(path: &Path, expected: &BTreeMap<(&str, &str), Sums>) {
    let text = std::fs::read_to_string(path).unwrap();
    for ((sex, age), sums) in expected.iter().filter(|((_, age), _)| !age.is_empty()) {
        let row = text.lines().find_map(|line| line.strip_prefix(&format!("{sex};{age};")));
        let row = row.unwrap_or_else(|| panic!("no row of {sex}, {age} in\n{text}"));
        let figures: Vec<f64> = row.split(';').map(|cell| cell.trim().replace(',', ".").parse().expect("a number")).collect();
        let [patients, hospital_deaths, deaths] = [sums.patients, sums.hospital_deaths, sums.deaths].map(|count| count as f64);
        let wanted = [patients, patients, hospital_deaths, sums.hospital_mortality(), deaths, sums.mortality(), sums.mean_days()];
        assert_eq!(figures.len(), wanted.len(), "{row}");
        figures.into_iter().zip(wanted).for_each(|(found, wanted)| close(found, wanted));
    }
}

fn check_xlsx(path: &Path, expected: &BTreeMap<(&str, &str), Sums>) {
    let mut book: Xlsx<_> = open_workbook(path).unwrap();
    let name = book.sheet_names()[0].clone();
    let sheet = book.worksheet_range(&name).unwrap();
    for ((sex, age), sums) in expected.iter().filter(|((_, age), _)| !age.is_empty()) {
        let row = sheet
            .rows()
            .find(|row| row.first() == Some(&Data::String((*sex).to_owned())) && row.get(1) == Some(&Data::String((*age).to_owned())))
            .unwrap_or_else(|| panic!("no row of {sex}, {age}: {sheet:?}"));
        close(number(&row[3]), sums.patients as f64);
        close(number(&row[4]), sums.hospital_deaths as f64);
        close(number(&row[5]), sums.hospital_mortality());
        close(number(&row[6]), sums.deaths as f64);
        close(number(&row[7]), sums.mortality());
        close(number(&row[8]), sums.mean_days());
    }
}

fn check_pdf(path: &Path, expected: &BTreeMap<(&str, &str), Sums>) {
    let tool = std::env::var("PDFTOTEXT").unwrap_or_else(|_| "pdftotext".to_owned());
    let output = Command::new(&tool).arg("-layout").arg(path).arg("-").output().unwrap_or_else(|error| panic!("{tool} must run: {error}"));
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<String> = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    for ((sex, age), sums) in expected {
        let label = match (*sex, *age) {
            ("", _) => "Ukupno oba pola".to_owned(),
            (sex, "") => format!("Ukupno – {sex}"),
            (_, age) => age.to_owned(),
        };
        let (in_hospital, in_all) = (shown(sums.hospital_mortality()), shown(sums.mortality()));
        let row = format!(
            "{label} {0} {0} {1} {in_hospital} {2} {in_all} {3}",
            sums.patients,
            sums.hospital_deaths,
            sums.deaths,
            shown(sums.mean_days())
        );
        assert!(lines.contains(&row), "{row} in\n{text}");
    }
}

/// NaN and the infinities, as a real and as a numeric: blank in every format, and a sum, an average and a chart go on without them.
#[tokio::test]
async fn what_is_no_number_is_blank_in_every_format_and_fails_none() {
    let world = World::new().await;
    let template = r#"{{#report}}{{col "ime" head="Ime"}}{{col "a" head="A" foot="sum"}}{{col "b" head="B" foot="avg"}}{{#summary}}Ukupno{{/summary}}
        {{chart "bar" x="ime" y="a" title="Po imenu" height=150}}{{/report}}"#;
    let sql = "select ime, v::float8 as a, v::numeric as b from (values ('nema', 'NaN'), ('gore', 'Infinity'), ('dole', '-Infinity'), ('dva', '2'), ('tri', '3')) t (ime, v)";
    let report = world.report("praznine", Report { template, sql, ..Report::default() }).await;
    let mut run = world.new_run(report);
    run.formati = ["CSV", "PDF", "XLSX"].map(str::to_owned).to_vec();
    let run = world.ask(run).await;
    let _engine = world.engine(&[]);
    let ended = world.end(run).await;
    assert_eq!((ended.status.as_str(), ended.error_code.as_deref()), ("succeeded", None), "{ended:?}");
    for (format, content) in world.files(run).await {
        let path = world.folder.path().join(format!("praznine.{}", format.to_lowercase()));
        std::fs::write(&path, &content).unwrap();
        let text = match format.as_str() {
            "CSV" => String::from_utf8(content).unwrap(),
            "PDF" => {
                String::from_utf8(Command::new("pdftotext").arg("-layout").arg(&path).arg("-").output().expect("pdftotext").stdout).unwrap()
            }
            _ => {
                let mut book: Xlsx<_> = open_workbook(&path).expect("a workbook");
                let cells = book.worksheet_range("Izveštaj").expect("the sheet");
                cells.rows().map(|row| format!("{}\n", row.iter().map(ToString::to_string).collect::<Vec<_>>().join(";"))).collect()
            }
        };
        for word in ["NaN", "nan", "inf", "Infinity"] {
            assert!(!text.contains(word), "{word} in {format}: {text}");
        }
        match format.as_str() {
            "CSV" => assert!(text.contains("nema;;\r\n") && text.contains("dva;2;2\r\n"), "{text}"),
            "PDF" => assert!(text.lines().any(|line| line.contains("Ukupno") && line.contains('5') && line.contains("2,5")), "{text}"),
            _ => assert!(text.contains("nema;;\n"), "{text}"),
        }
    }
}
