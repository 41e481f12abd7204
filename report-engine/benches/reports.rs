//! `./dev bench reports`: what a row of a report costs, against the least that it could cost on this machine now.
//!
//! Each case runs in a process of its own, so that its peak memory is its own. The floor of a format is the same rows
//! plus the compression or writing of the same bytes, measured in turn with it; of each the least counts, since a busy neighbour only
//! ever adds. The program fails when a format costs more than its bound allows or its memory grows with the rows. Where `JASPER_JARS` names the jars of JasperReports and there is Java,
//! the same report is made by it too (`jasper.groovy`), in a JVM
//! that has made it before, and the program fails when ours is not as many times cheaper as promised.
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

use jiff::ToSpan;
use jiff::civil::date;
use libdeflater::{CompressionLvl, Compressor};
use report_engine::plan::CellFormat;
use report_engine::plan::{Format, Value, show, write_value};
use report_engine::render::{Cap, Limits, Overflow, Target, render};
use report_engine::template::{Context, ReportTemplate};
use rust_decimal::Decimal;
use tokio_util::sync::CancellationToken;

const COLUMNS: [&str; 11] = ["odeljenje", "rb", "datum", "pacijent", "dijagnoza", "starost", "das28", "crp", "se", "terapija", "iznos"];
const PLAIN: &str = r##"{{#report page="A4-landscape" size=7}}
  {{#group by="odeljenje" head="Odeljenje"}}Odeljenje: {{odeljenje}}{{/group}}
  {{col "rb" head="Rb." width=40}}
  {{col "datum" head="Datum" width=60 format="dd.MM.yyyy."}}
  {{col "pacijent" head="Pacijent" width=130}}
  {{col "dijagnoza" head="Dijagnoza" width=60}}
  {{col "starost" head="Starost" width=45}}
  {{col "das28" head="DAS28" width=45 format="0,00" foot="avg"}}
  {{col "crp" head="CRP" width=45 format="0,0"}}
  {{col "se" head="SE" width=40}}
  {{col "terapija" head="Terapija" width=150}}
  {{#IZRACUNATO}}
  {{col "iznos" head="Iznos (RSD)" width=90 format="#.##0,00" foot="sum"}}
  {{#groupFoot}}Ukupno za {{odeljenje}}: {{n}} pregleda{{/groupFoot}}
  {{#summary}}Ukupno: {{n}} pregleda{{/summary}}
{{/report}}"##;
const COMPUTED: &str = r#"{{#computed head="Aktivnost" width=60}}{{#if (gt das28 5.1)}}visoka{{else}}umerena{{/if}}{{/computed}}"#;
const SIZES: [u64; 3] = [1_000, 10_000, 100_000];
/// Times the cost of the floor that a format may cost at the largest size, and the times that JasperReports has to cost more there.
const BOUNDS: [(&str, f64, f64); 3] = [("pdf", 1.5, 50.0), ("xlsx", 1.5, 18.0), ("csv", 1.3, 55.0)];
const COMPUTED_BOUND: f64 = 2.5;
/// The MiB that memory may grow by.
const GROWTH_BOUND: f64 = 16.0;
const TURNS: usize = 15;
/// The kernel counts in hundredths of a second.
const MEASURED: Duration = Duration::from_secs(1);

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match &arguments[..] {
        [flag, case, rows] if flag == "--case" => {
            run_case(case, rows.parse().expect("a number of rows"));
            ExitCode::SUCCESS
        }
        // Cargo itself passes `--bench`.
        _ => compare(),
    }
}

/// What one case used.
#[derive(Clone, Copy)]
struct Cost {
    seconds: f64,
    mebibytes: f64,
    bytes: u64,
}

fn compare() -> ExitCode {
    let mut is_good = true;
    let (cpu, floor, jasper) = ("CPU s", "donja s", "Jasper s");
    println!(
        "{:<8}{:>9}{cpu:>12}{floor:>12}{:>9}{:>10}{:>11}{jasper:>12}{:>11}",
        "format", "redova", "odnos", "RSS MiB", "bajtova", "Jasper/naš"
    );
    if Jasper::find().is_none() {
        println!("JasperReports nije izmeren: nema Jave ili njegovih biblioteka (JASPER_JARS).");
    }
    for (format, bound, times) in BOUNDS {
        let mut least_memory = f64::INFINITY;
        for rows in SIZES {
            let [cost, floor] = least([format, &format!("{format}-floor")], rows);
            let ratio = cost.seconds / floor.seconds;
            print!(
                "{format:<8}{rows:>9}{:>12.4}{:>12.4}{ratio:>8.2}x{:>10.1}{:>11}",
                cost.seconds, floor.seconds, cost.mebibytes, cost.bytes
            );
            let jasper = Jasper::find().map(|jasper| jasper.seconds(format, rows));
            match jasper {
                Some(seconds) => println!("{seconds:>12.4}{:>10.1}x", seconds / cost.seconds),
                None => println!(),
            }
            least_memory = least_memory.min(cost.mebibytes);
            if rows == SIZES[2] {
                is_good &= holds(&format!("{format}: cena prema donjoj granici"), ratio, bound);
                is_good &= holds(&format!("{format}: rast memorije (MiB)"), cost.mebibytes - least_memory, GROWTH_BOUND);
                if let Some(seconds) = jasper {
                    is_good &= reaches(&format!("{format}: JasperReports prema nama"), seconds / cost.seconds, times);
                }
            }
        }
    }
    let [computed, plain] = least(["pdf-computed", "pdf"], SIZES[1]);
    let ratio = computed.seconds / plain.seconds;
    is_good &= holds("šablon: jedna izračunata kolona", ratio, COMPUTED_BOUND);
    if is_good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// JasperReports, where this machine has it.
struct Jasper {
    classes: String,
}

impl Jasper {
    fn find() -> Option<Self> {
        let jars = std::fs::read_dir(std::env::var_os("JASPER_JARS")?).ok()?;
        let jars = jars.filter_map(|jar| jar.ok()?.path().to_str().map(str::to_owned));
        // The older of its two Groovys would hide the newer one.
        let jars: Vec<String> = jars.filter(|jar| jar.ends_with(".jar") && !jar.contains("/groovy-2")).collect();
        let there = Command::new("java").arg("-version").output().is_ok_and(|output| output.status.success());
        (there && !jars.is_empty()).then(|| Jasper { classes: jars.join(":") })
    }

    /// Processor time of one report.
    fn seconds(&self, format: &str, rows: u64) -> f64 {
        let folder = tempfile::tempdir().expect("a folder");
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/jasper.groovy");
        let mut java = Command::new("java");
        java.args(["-Xmx8g", "-cp", &self.classes, "groovy.ui.GroovyMain", script, format, &rows.to_string()]);
        let output = java.arg(folder.path().join("izvestaj")).output().expect("Java runs");
        let told = String::from_utf8_lossy(&output.stdout).into_owned();
        let seconds = told.lines().last().and_then(|line| line.split(' ').next()?.parse().ok());
        seconds.unwrap_or_else(|| panic!("JasperReports: {told}{}", String::from_utf8_lossy(&output.stderr)))
    }
}

fn holds(what: &str, measured: f64, bound: f64) -> bool {
    let is_good = measured <= bound;
    println!("  {} {what}: {measured:.2} (granica {bound})", if is_good { "✓" } else { "✗" });
    is_good
}

fn reaches(what: &str, measured: f64, wanted: f64) -> bool {
    let is_good = measured >= wanted;
    println!("  {} {what}: {measured:.1}x (najmanje {wanted}x)", if is_good { "✓" } else { "✗" });
    is_good
}

/// What each of two cases costs at the least, and the most memory that it took, in turn.
fn least(cases: [&str; 2], rows: u64) -> [Cost; 2] {
    let better =
        |best: Cost, other: Cost| Cost { seconds: best.seconds.min(other.seconds), mebibytes: best.mebibytes.max(other.mebibytes), ..best };
    (1..TURNS).fold(cases.map(|case| measure(case, rows)), |[one, other], _| {
        [better(one, measure(cases[0], rows)), better(other, measure(cases[1], rows))]
    })
}

fn measure(case: &str, rows: u64) -> Cost {
    let program = std::env::current_exe().expect("this program has a path");
    let output = Command::new(program).args(["--case", case, &rows.to_string()]).output().expect("the case runs");
    assert!(output.status.success(), "{case}: {}", String::from_utf8_lossy(&output.stderr));
    let line = String::from_utf8(output.stdout).expect("text");
    let numbers: Vec<f64> = line.split_whitespace().map(|word| word.parse().expect("a number")).collect();
    Cost { seconds: numbers[0], mebibytes: numbers[1], bytes: numbers[2] as u64 }
}

/// Repeats the case until the clock of the process is fine enough, and prints seconds a time, peak MiB and bytes.
fn run_case(case: &str, rows: u64) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("izvestaj");
    let work: Box<dyn Fn() -> u64> = match case {
        "pdf" => rendering(Format::Pdf, &PLAIN.replace("{{#IZRACUNATO}}", ""), rows, &path),
        "pdf-computed" => rendering(Format::Pdf, &PLAIN.replace("{{#IZRACUNATO}}", COMPUTED), rows, &path),
        "xlsx" => rendering(Format::Xlsx, &PLAIN.replace("{{#IZRACUNATO}}", ""), rows, &path),
        "csv" => rendering(Format::Csv, &PLAIN.replace("{{#IZRACUNATO}}", ""), rows, &path),
        "pdf-floor" => pdf_floor(rows, &path),
        "xlsx-floor" => Box::new(move || sheet_floor(rows)),
        "csv-floor" => Box::new(move || csv_floor(rows, &path)),
        other => panic!("no case {other}"),
    };
    let bytes = work();
    let start = cpu_time();
    let mut times = 0;
    while times == 0 || cpu_time() - start < MEASURED {
        work();
        times += 1;
    }
    let seconds = (cpu_time() - start).as_secs_f64() / f64::from(times);
    println!("{seconds} {} {bytes}", peak_mebibytes());
}

fn rendering(format: Format, source: &str, rows: u64, path: &Path) -> Box<dyn Fn() -> u64> {
    let template = ReportTemplate::parse(source).expect("a template");
    let context = Context {
        naziv: "Pregledi reumatologije".to_owned(),
        parametri: vec![("Od".to_owned(), "01.01.2024.".to_owned())],
        ustanova: "Institut za reumatologiju".to_owned(),
        radnik_ime_prezime: "Živana Đorđević".to_owned(),
        generisano: date(2026, 3, 5).at(7, 4, 0, 0),
        format,
        extra: serde_json::Value::Null,
    };
    let cap = Cap { rows: u64::MAX, overflow: Overflow::Fail };
    let limits = Limits { pdf: cap, xlsx: cap, csv: cap, ..Limits::default() };
    let columns = COLUMNS.map(str::to_owned);
    let path = path.to_owned();
    Box::new(move || {
        let targets = vec![Target { plan: template.plan(&context).expect("a plan"), path: path.clone(), notices: Vec::new(), start: None }];
        let rows = (0..rows as i64).map(|index| Ok(row(index)));
        let outcomes = render(targets, &columns, rows, &limits, &CancellationToken::new()).expect("it renders");
        outcomes.into_iter().map(|outcome| outcome.result.expect("a file").bytes).sum()
    })
}

/// The rows as they come, their cells as text, and the compression of the very streams that the real writer makes, each at its level.
fn pdf_floor(rows: u64, path: &Path) -> Box<dyn Fn() -> u64> {
    rendering(Format::Pdf, &PLAIN.replace("{{#IZRACUNATO}}", ""), rows, path)();
    let streams = deflated_streams(&std::fs::read(path).expect("a PDF"));
    let masks = ["", "", "dd.MM.yyyy.", "", "", "", "0,00", "0,0", "", "", "#.##0,00"];
    let formats = masks.map(CellFormat::parse);
    Box::new(move || {
        let mut cell = String::new();
        for index in 0..rows as i64 {
            for (value, format) in row(index).iter().zip(&formats) {
                cell.clear();
                write_value(&mut cell, value, format.as_ref());
                std::hint::black_box(&cell);
            }
        }
        let [mut pages, mut packs] = [6, 5].map(|level| Compressor::new(CompressionLvl::new(level).expect("a level")));
        streams.iter().map(|(is_pack, data)| deflated(if *is_pack { &mut packs } else { &mut pages }, data)).sum()
    })
}

/// What the compressed streams of a PDF of ours hold, and whether each is a pack of small objects or their table.
fn deflated_streams(pdf: &[u8]) -> Vec<(bool, Vec<u8>)> {
    let mut streams = Vec::new();
    let mut rest = pdf;
    while let Some(begin) = find(rest, b">>\nstream\n") {
        let (head, body) = (String::from_utf8_lossy(&rest[..begin]).into_owned(), &rest[begin + 10..]);
        let length = head.rsplit_once("/Length ").expect("a length").1;
        let digits = length.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(length.len());
        let (stream, after) = body.split_at(length[..digits].parse().expect("a number"));
        if length.contains("FlateDecode") {
            streams.push((head.contains("/ObjStm") || head.contains("/XRef"), inflated(stream)));
        }
        rest = after;
    }
    streams
}

fn find(text: &[u8], wanted: &[u8]) -> Option<usize> {
    text.windows(wanted.len()).position(|window| window == wanted)
}

fn inflated(stream: &[u8]) -> Vec<u8> {
    let mut data = vec![0; 1 << 22];
    let length = libdeflater::Decompressor::new().zlib_decompress(stream, &mut data).expect("a whole stream of at most four megabytes");
    data.truncate(length);
    data
}

/// Hand-written sheet XML, compressed at the level that the workbook uses.
fn sheet_floor(rows: u64) -> u64 {
    let mut compressor = Compressor::new(CompressionLvl::new(2).expect("level 2"));
    let mut xml = Vec::with_capacity(1 << 20);
    let mut bytes = 0;
    for index in 0..rows as i64 {
        let _ = write!(xml, "<row r=\"{}\">", index + 1);
        for (column, value) in row(index).iter().enumerate() {
            let letter = char::from(b'A' + column as u8);
            let _ = match value.as_f64() {
                Some(number) => write!(xml, "<c r=\"{letter}{}\" s=\"{column}\"><v>{number}</v></c>", index + 1),
                None => {
                    let cell = show(value, None);
                    write!(xml, "<c r=\"{letter}{}\" t=\"inlineStr\"><is><t>{cell}</t></is></c>", index + 1)
                }
            };
        }
        xml.extend_from_slice(b"</row>");
        if xml.len() > 1_000_000 {
            bytes += deflated(&mut compressor, &xml);
            xml.clear();
        }
    }
    bytes + deflated(&mut compressor, &xml)
}

fn csv_floor(rows: u64, path: &PathBuf) -> u64 {
    let mut file = std::io::BufWriter::new(std::fs::File::create(path).expect("a file"));
    let mut line = String::new();
    let mut bytes = 0;
    for index in 0..rows as i64 {
        line.clear();
        for value in row(index) {
            write_value(&mut line, &value, None);
            line.push(';');
        }
        bytes += line.len() as u64;
        file.write_all(line.as_bytes()).expect("it writes");
    }
    bytes
}

fn deflated(compressor: &mut Compressor, data: &[u8]) -> u64 {
    let mut out = vec![0; compressor.zlib_compress_bound(data.len())];
    compressor.zlib_compress(data, &mut out).expect("there is room") as u64
}

fn row(index: i64) -> Vec<Value> {
    const NAMES: [&str; 6] = ["Đorđević Živana", "Petrović Milica", "Čolić Šćepan", "Živković Žarko", "Nikolić Aleksandra", "Šušnjar Đuro"];
    const THERAPIES: [&str; 3] = ["Metotreksat 15 mg nedeljno", "Adalimumab 40 mg", "Leflunomid 20 mg dnevno"];
    let pick = |list: &[&str]| Value::Text(list[(index * 7 % list.len() as i64) as usize].to_owned());
    let number = |scale: u32, modulus: i64| Value::Decimal(Decimal::new(index * 7919 % modulus, scale));
    vec![
        Value::Text(format!("Odeljenje {}", index / 50)),
        Value::Int(index + 1),
        Value::Date(date(2024, 1, 1).saturating_add((index % 700).days())),
        pick(&NAMES),
        Value::Text(format!("M05.{}", index % 10)),
        Value::Int(20 + index % 70),
        number(2, 800),
        number(1, 900),
        Value::Int(index % 90),
        pick(&THERAPIES),
        number(2, 30_000_000),
    ]
}

/// User and system time of the whole process, from the kernel's own account.
fn cpu_time() -> Duration {
    const TICKS_PER_SECOND: u64 = 100;
    let stat = std::fs::read_to_string("/proc/self/stat").expect("Linux tells of processes");
    let after_name = stat.rsplit_once(')').expect("a name in parentheses").1;
    let fields: Vec<&str> = after_name.split_whitespace().collect();
    let ticks: u64 = fields[11..13].iter().map(|field| field.parse::<u64>().expect("ticks")).sum();
    Duration::from_millis(ticks * 1000 / TICKS_PER_SECOND)
}

fn peak_mebibytes() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux tells of processes");
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).expect("the peak of the resident set");
    let kibibytes: f64 = line.split_whitespace().nth(1).expect("a number").parse().expect("a number");
    kibibytes / 1024.0
}
