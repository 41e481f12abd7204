//! Files of strangers are read in a child process with limits: what takes too much is refused, and nobody computes on.

use std::{
    io::{Cursor, Write},
    os::unix::fs::PermissionsExt,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use accounts::rights::Right;
use base64::{Engine, prelude::BASE64_STANDARD};
use platform::{
    parsers::{Input, Parsers},
    state::Parts,
};
use serde_json::{Value, json};
use zip::{ZipWriter, write::SimpleFileOptions};

use crate::support::{TestApp, Worker};

/// The longest that an answer and the end of a child may take; alone they take a second.
const LONGEST: Duration = Duration::from_secs(60);

/// Processes that this one has started and that have not ended.
fn children() -> Vec<String> {
    let of_this = |stat: &str| {
        let rest: Vec<&str> = stat.rsplit_once(')').map(|(_, rest)| rest.split_whitespace().collect()).unwrap_or_default();
        rest.first().is_some_and(|state| *state != "Z") && rest.get(1).and_then(|parent| parent.parse().ok()) == Some(std::process::id())
    };
    let processes = std::fs::read_dir("/proc").unwrap().filter_map(|entry| Some(entry.ok()?.path().join("stat")));
    processes.filter_map(|stat| std::fs::read_to_string(stat).ok()).filter(|stat| of_this(stat)).collect()
}

/// Waits for the end of every child.
async fn until_nobody_computes() {
    let begun = Instant::now();
    while !children().is_empty() {
        assert!(begun.elapsed() < LONGEST, "{:?}", children());
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// A workbook of one sheet "survey".
fn workbook(sheet: &str) -> Vec<u8> {
    let parts = [
        (
            "[Content_Types].xml",
            r#"<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>"#,
        ),
        (
            "_rels/.rels",
            r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>"#,
        ),
        (
            "xl/workbook.xml",
            r#"<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="survey" sheetId="1" r:id="rId1"/></sheets></workbook>"#,
        ),
        (
            "xl/_rels/workbook.xml.rels",
            r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>"#,
        ),
        ("xl/worksheets/sheet1.xml", sheet),
    ];
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in parts {
        zip.start_file(name, SimpleFileOptions::default()).unwrap();
        zip.write_all(content.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// Faults of the report on a file.
async fn faults(worker: &Worker, name: &str, content: &[u8]) -> Vec<String> {
    let body = json!({ "naziv": "Novi", "sifra": "novi", "imeFajla": name, "sadrzaj": BASE64_STANDARD.encode(content) });
    let begun = Instant::now();
    let report = worker.post("/api/definition-checks", body).await.assert_status(200).json();
    assert!(begun.elapsed() < LONGEST, "{name}: {:?}", begun.elapsed());
    report["greske"].as_array().unwrap().iter().map(|fault| fault["poruka"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn files_that_keep_a_parser_busy_are_refused_within_seconds_and_nobody_computes_on() {
    let app = TestApp::new().await;
    let designer = app.worker("urednik", &[Right::Registers], app.ustanova).await;
    let attributes: String = (0..400_000).map(|n| format!(" a{n}=\"\"")).collect();
    let many = format!("<worksheet><sheetData><row><c{attributes} r=\"A1\" t=\"str\"><v>type</v></c></row></sheetData></worksheet>");
    let nested = |open: &str, close: &str| format!("{}{}", open.repeat(200_000), close.repeat(200_000));
    let logic = format!("{}[a] = '1'{}", "(".repeat(200_000), ")".repeat(200_000));
    let redcap = format!(
        "Variable / Field Name,Form Name,Section Header,Field Type,Field Label,\"Choices, Calculations, OR Slider Labels\",Branching Logic (Show field only if...)\n\
         a,f,,text,A,,\nb,f,,text,B,,\"{logic}\"\n"
    );
    let formula = format!(
        "[[attributeTypes]]\nnaziv = \"Broj\"\ntipVrednosti = \"brojni\"\n[[forms]]\nsifraVeza = \"f\"\nnaziv = \"F\"\n\
         [[forms.polja]]\nsifra = \"a\"\nnaziv = \"A\"\ntipAtributa = \"Broj\"\nformulaZaPrikaz = \"{}1{}\"\n",
        "(".repeat(200_000),
        ")".repeat(200_000)
    );
    for (name, content) in [
        ("atributi.xlsx", workbook(&many)),
        ("dubina.xlsx", workbook(&format!("<worksheet><sheetData>{}</sheetData></worksheet>", nested("<row>", "</row>")))),
        ("dubina.json", nested("[", "]").into_bytes()),
        ("pitanja.json", format!("{{\"resourceType\":\"Questionnaire\",\"item\":{}}}", nested("[{\"item\":", "}]")).into_bytes()),
        ("dubina.toml", format!("a = {}", nested("[", "]")).into_bytes()),
        ("tabele.toml", format!("a = {}", nested("{a=", "}")).into_bytes()),
        ("formula.toml", formula.into_bytes()),
        ("uslov.csv", redcap.into_bytes()),
    ] {
        let said = faults(&designer, name, &content).await;
        assert_eq!(said.is_empty(), ["atributi.xlsx", "dubina.xlsx", "uslov.csv"].contains(&name), "{name}: {said:?}");
        until_nobody_computes().await;
    }
    assert!(!faults(&designer, "nije.toml", b"nije toml").await.is_empty(), "the api answers on");
}

#[tokio::test]
async fn a_child_that_takes_too_long_is_stopped() {
    let parsers = Parsers::of(env!("CARGO_BIN_EXE_api").into(), Duration::from_millis(1));
    let read: Option<Value> = parsers.read(&["attachment"], Input::Bytes(b"tekst".to_vec())).await.unwrap();
    assert_eq!(read, None);
    until_nobody_computes().await;
    let parsers = Parsers::of(env!("CARGO_BIN_EXE_api").into(), LONGEST);
    let read: Option<Value> = parsers.read(&["attachment"], Input::Bytes(b"tekst".to_vec())).await.unwrap();
    assert_eq!(read, Some(json!({ "Ok": "txt" })));
}

#[tokio::test]
async fn whoever_stops_waiting_stops_the_child() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("nikad");
    std::fs::write(&program, "#!/bin/sh\nwhile :; do :; done\n").unwrap();
    std::fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).unwrap();
    let parsers = Parsers::of(program, Duration::from_secs(600));
    {
        let reading = parsers.read::<Value>(&["attachment"], Input::Bytes(vec![0; 1 << 20]));
        tokio::pin!(reading);
        while children().is_empty() {
            assert!(tokio::time::timeout(Duration::from_millis(20), &mut reading).await.is_err());
        }
    }
    until_nobody_computes().await;
}

#[tokio::test]
async fn a_child_has_little_time_and_memory() {
    let mut child =
        Command::new(env!("CARGO_BIN_EXE_api")).args(["parse", "attachment"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let begun = Instant::now();
    let limits = loop {
        let limits = std::fs::read_to_string(format!("/proc/{}/limits", child.id())).unwrap();
        let limit = |name: &str| {
            let line = limits.lines().find_map(|line| line.strip_prefix(name)).unwrap();
            line.split_whitespace().next().unwrap().to_owned()
        };
        let found = ["Max open files", "Max file size", "Max core file size", "Max address space", "Max cpu time"].map(limit);
        // The last that it sets for itself.
        if found[0] == "16" {
            break found;
        }
        assert!(begun.elapsed() < LONGEST, "{found:?}");
        std::thread::sleep(Duration::from_millis(10));
    };
    assert_eq!(limits, ["16", "0", "0", "1073741824", "10"]);
    child.stdin.take().unwrap().write_all("Nalaz: uredan.".as_bytes()).unwrap();
    assert_eq!(child.wait_with_output().unwrap().stdout, b"{\"Ok\":\"txt\"}");
}

/// Passwords of the database stand in the api's environment: a child that a file has taken over finds none.
#[tokio::test]
async fn a_child_has_nothing_of_the_apis_environment_nor_its_folder() {
    domain::environment::required("TEST_DATABASE_URL").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("kazuje");
    std::fs::write(&program, "#!/bin/sh\nprintf '[\"%s\",\"%s\"]' \"${TEST_DATABASE_URL-none}\" \"$(pwd)\"\n").unwrap();
    std::fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).unwrap();
    let told: Option<Value> = Parsers::of(program, LONGEST).read(&["attachment"], Input::Bytes(Vec::new())).await.unwrap();
    assert_eq!(told, Some(json!(["none", "/"])));
}

#[tokio::test]
async fn files_of_data_are_read_few_at_a_time() {
    let app = TestApp::new().await;
    let register = app.register().await;
    let importer = app.worker("uvoznica", &[Right::DataImport], app.ustanova).await;
    let parsers = Parsers::of(env!("CARGO_BIN_EXE_api").into(), Duration::from_millis(50));
    let held = [parsers.sheet().await.unwrap(), parsers.sheet().await.unwrap()];
    let caller = app.with_parts(Parts { parsers, ..Parts::clone(&app.state) }).with_token(importer.token.clone());
    let content = BASE64_STANDARD.encode("Ime;Prezime\nAna;Anić\n");
    let body = json!({ "registarID": register.id, "ustanovaID": app.ustanova, "fajl": "spisak.csv", "sadrzaj": content });
    let refused = caller.post("/api/data-imports", body.clone()).await;
    refused.assert_error(503, None, "Server upravo čita druge fajlove. Pokušajte ponovo za koji trenutak.");
    drop(held);
    let path = format!("/api/data-imports/{}/mapping", caller.post("/api/data-imports", body).await.assert_status(201).json()["id"]);
    caller.get(&path).await.assert_status(200);
}
