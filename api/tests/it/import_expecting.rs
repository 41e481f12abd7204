//! `api import` with `--expect`: what a dry run has shown is what is written, or nothing is.

use std::process::Command;

use domain::db;

use crate::{
    import_data::{ANA, BOJAN, MAPPING, database, file, rows},
    import_register::DEFINITION,
};

/// The fingerprint that a dry run has printed.
fn fingerprint(said: &str) -> &str {
    said.split("Otisak provere: ").nth(1).and_then(|rest| rest.split_whitespace().next()).unwrap_or_else(|| panic!("{said}"))
}

#[tokio::test]
async fn the_commands_write_what_their_dry_run_has_shown_and_nothing_else() {
    let db = database().await;
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("mapiranje.toml"), MAPPING).unwrap();
    std::fs::write(path("podaci.csv"), file(&[ANA, BOJAN])).unwrap();
    let run = |what: &[&str], file: &str, extra: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_api"));
        command.arg("import").args(what).args(extra).arg(path(file));
        if what[0] == "data" {
            command.arg("--mapping").arg(path("mapiranje.toml"));
        }
        let output = command.env("OWNER_DATABASE_URL", &db.owner_url).env("REPORT_DATABASE_URL", "").output().unwrap();
        (output.status.success(), String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap())
    };
    let data = ["data", "--register", "proba"];
    let (_, said) = run(&data, "podaci.csv", &["--dry-run"]);
    let shown = fingerprint(&said).to_owned();
    // Another file, another register, another outcome.
    std::fs::write(path("drugi.csv"), file(&[ANA])).unwrap();
    let (ok, said) = run(&data, "drugi.csv", &["--expect", &shown]);
    assert!(!ok && said.contains("Od provere se promenilo: fajl ili način na koji se čita"), "{said}");
    assert_eq!((rows(&db).await.0, rows(&db).await.1), (0, 0));
    let (ok, said) = run(&data, "podaci.csv", &["--expect", &shown]);
    assert!(ok && said.contains("unosa novih 2"), "{said}");
    let (ok, said) = run(&data, "podaci.csv", &["--expect", &shown]);
    assert!(!ok && said.contains("ono što bi bilo upisano") && !said.contains("podešavanja"), "{said}");

    std::fs::write(path("registar.toml"), DEFINITION.replace("naziv = \"Pregled\"", "naziv = \"Pregled na klinici\"")).unwrap();
    let (_, said) = run(&["register"], "registar.toml", &["--dry-run"]);
    let shown = fingerprint(&said).to_owned();
    let mut tx = db::begin(&db.owner, db::SYSTEM_WORKER).await.unwrap();
    sqlx::query("update form set napomena = 'Pregled na klinici'").execute(&mut *tx).await.unwrap();
    tx.commit().await.unwrap();
    let (ok, said) = run(&["register"], "registar.toml", &["--expect", &shown]);
    assert!(!ok && said.contains("podešavanja registra, formulara ili stavki"), "{said}");
    let (_, said) = run(&["register"], "registar.toml", &["--dry-run"]);
    let shown = fingerprint(&said).to_owned();
    let (ok, said) = run(&["register"], "registar.toml", &["--expect", &shown]);
    assert!(ok, "{said}");
}
