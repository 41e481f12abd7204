//! The reports that are shipped: each plans, fills and renders in every format.
use std::path::PathBuf;

use jiff::civil::date;
use report_engine::plan::{Format, Value};
use report_engine::render::Limits;
use report_engine::template::{Context, ReportTemplate};
use rust_decimal::Decimal;

use crate::support::{File, check_pdf, context, pdf_text, text, try_render};

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../templates/reports")
}

fn shipped(name: &str, format: Format, columns: &str, rows: Vec<Vec<Value>>) -> File {
    let source = std::fs::read_to_string(folder().join(format!("{name}.hbs"))).expect("the template");
    let columns: Vec<String> = columns.split_whitespace().map(str::to_owned).collect();
    let context = Context { naziv: name.to_owned(), ..context(format) };
    try_render(&source, &context, &columns, rows.into_iter(), &Limits::default()).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Renders all formats and returns the text of the PDF.
fn rendered(name: &str, columns: &str, rows: &[Vec<Value>]) -> String {
    for format in [Format::Xlsx, Format::Csv] {
        assert_eq!(shipped(name, format, columns, rows.to_vec()).rendered.rows, rows.len() as u64);
    }
    let file = shipped(name, Format::Pdf, columns, rows.to_vec());
    check_pdf(&file.path);
    pdf_text(&file.path)
}

fn squeezed_line(shown: &str, start: &str) -> String {
    let line = shown.lines().find(|line| line.trim_start().starts_with(start));
    let line = line.unwrap_or_else(|| panic!("{start} in {shown}"));
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn every_shipped_template_has_its_query_and_plans_in_every_format() {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder()).expect("the folder of templates") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|extension| extension == "hbs") {
            assert!(path.with_extension("sql").exists(), "{} has no query", path.display());
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            let template = ReportTemplate::parse(&std::fs::read_to_string(&path).expect("readable"));
            for format in Format::ALL {
                template.as_ref().expect("a template").plan(&context(format)).expect("a plan");
            }
            names.push(name);
        }
    }
    names.sort();
    let wanted = [
        "aktivnost-bolesti-po-mesecima",
        "indikatori-infarkt",
        "indikatori-reumatoidni-artritis",
        "infarkt-statistika",
        "ishod-po-polu-i-dobi",
        "karton-pacijenta",
        "kvalitet-podataka",
        "lista-pacijenata",
        "nalazi-pravila",
        "popunjenost-unosa",
        "posete-po-ustanovama",
        "propustene-posete",
        "reumatoidni-artritis-statistika",
        "termini-pacijenta",
        "upiti-po-mesecima",
    ];
    assert_eq!(names, wanted);
}

#[test]
fn outcomes_by_sex_and_age_total_their_ratios_from_sums() {
    let row = |pol: &str, dob: &str, numbers: [i64; 6]| {
        let mut row = vec![text(pol), text(dob)];
        row.extend(numbers.map(Value::Int));
        row
    };
    let rows = [
        row("Muški", "do 59", [60, 50, 0, 1, 420, 60]),
        row("Muški", "80 i više", [10, 10, 2, 5, 120, 10]),
        row("Ženski", "do 59", [20, 20, 0, 0, 100, 20]),
        row("Ženski", "80 i više", [0, 0, 0, 0, 0, 0]),
    ];
    let shown = rendered("ishod-po-polu-i-dobi", "pol dob hospitalizacije pacijenti umrli_u_bolnici umrli_u_pracenju dani boravci", &rows);
    assert_eq!(squeezed_line(&shown, "do 59"), "do 59 60 50 0 0,0 1 2,0 7,0");
    assert_eq!(squeezed_line(&shown, "Ukupno – Muški"), "Ukupno – Muški 70 60 2 3,3 6 10,0 7,7");
    assert_eq!(squeezed_line(&shown, "Ukupno – Ženski"), "Ukupno – Ženski 20 20 0 0,0 0 0,0 5,0");
    assert_eq!(squeezed_line(&shown, "Ukupno oba pola"), "Ukupno oba pola 90 80 2 2,5 6 7,5 7,1");
    for wanted in
        ["umrli u bolnici i u toku praćenja", "Bolnička smrtnost po polu i dobi (%)", "Smrtnost u toku praćenja po polu i dobi (%)"]
    {
        assert!(shown.split_whitespace().collect::<Vec<_>>().join(" ").contains(wanted), "{wanted}: {shown}");
    }
    assert!(!shown.contains("Bolničko lečenje"), "follow-up deaths are no outcome of the stay");
}

#[test]
fn disease_activity_by_month_draws_its_means() {
    let columns = "mesec pregledi pacijenti zbir_das28se broj_das28se zbir_das28crp broj_das28crp zbir_cdai broj_cdai \
                   zbir_sdai broj_sdai zbir_haq broj_haq";
    let rows: Vec<Vec<Value>> = (1..=14)
        .map(|month: i8| {
            let mesec = date(2024 + i16::from((month - 1) / 12), (month - 1) % 12 + 1, 1);
            let mut row = vec![Value::Date(mesec), Value::Int(10), Value::Int(9)];
            for measure in 0..5i64 {
                row.extend([Value::Decimal(Decimal::new(300 + measure * 100 - i64::from(month) * 7, 1)), Value::Int(10)]);
            }
            row
        })
        .collect();
    let shown = rendered("aktivnost-bolesti-po-mesecima", columns, &rows);
    assert_eq!(squeezed_line(&shown, "01.2024."), "01.2024. 10 9 2,93 3,93 4,9 5,9 6,93");
    assert_eq!(squeezed_line(&shown, "Ceo period"), "Ceo period 140 2,48 3,48 4,5 5,5 6,48");
    for wanted in ["Prosečan DAS28 po mesecima", "Prosečni CDAI i SDAI po mesecima", "Prosečan HAQ-DI po mesecima"] {
        assert!(shown.contains(wanted), "{wanted}");
    }
}

#[test]
fn completeness_by_institution_adds_up() {
    let row = |ustanova: &str, month: i8, numbers: [i64; 4]| {
        let mut row = vec![text(ustanova), Value::Date(date(2025, month, 1))];
        row.extend(numbers.map(Value::Int));
        row
    };
    let rows = [
        row("Institut za reumatologiju", 1, [10, 5, 100, 80]),
        row("Institut za reumatologiju", 2, [30, 30, 300, 300]),
        row("Klinički centar Srbije", 2, [1, 0, 10, 0]),
    ];
    let shown = rendered("popunjenost-unosa", "ustanova mesec unosi potpuni polja popunjena", &rows);
    assert_eq!(squeezed_line(&shown, "Ukupno"), "Ukupno 40 35 87,5 400 380 95,0");
    assert_eq!(squeezed_line(&shown, "Sve ustanove"), "Sve ustanove 41 35 85,4 410 380 92,7");
}

#[test]
fn the_list_of_patients_keeps_long_names_and_identifiers() {
    let name = "Đorđević-Petrović-Hadžistefanović Aleksandra Ljiljana";
    let row = vec![
        Value::Int(1),
        text(name),
        text("0101955710005"),
        Value::Date(date(1955, 1, 1)),
        text("Ženski"),
        text("064/1234567"),
        text("K-1"),
        text("Klinički centar Vojvodine"),
        Value::Date(date(2026, 2, 3)),
        Value::Int(12),
        text("DAS28-ESR 3,25; CDAI 12,5; SE 34 mm/h"),
    ];
    let columns = "rb ime_prezime jmbg datum_rodjenja pol telefon broj_kartona ustanova poslednji_unos unosa poslednje";
    let shown = rendered("lista-pacijenata", columns, &[row]);
    for part in ["Đorđević-Petrović-", "Hadžistefanović", "0101955710005", "064/1234567", "03.02.2026.", "Ukupno pacijenata: 1"] {
        assert!(shown.contains(part), "{part} in {shown}");
    }
}
