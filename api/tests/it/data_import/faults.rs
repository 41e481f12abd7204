//! What is wrong with a file: counted by kind, and given back as a file of its faulty rows.

use serde_json::json;

use super::{ANA, BOJAN, Case};

#[tokio::test]
async fn faults_are_counted_by_kind_and_their_rows_come_as_a_file() {
    let case = Case::new().await;
    let other = "Ceca;Perić;0303970715005;12345678903;011/1234567;08.05.2024.;nula;ne;;Uredan\n";
    let path = case.upload(&[ANA, &BOJAN.replace("80,0", "brzo"), other]).await;
    let found = case.check(&path).await["ishod"].clone();
    let faults = found["greske"].as_array().unwrap();
    let number = faults.iter().find(|kind| kind["poruka"] == "„…” nije broj").unwrap();
    assert_eq!((&number["kolona"], &number["broj"], &number["redovi"]), (&json!("Puls"), &json!(2), &json!([3, 4])), "{found}");
    assert_eq!(found["redovaSaGreskom"], 2);
    assert!(!found.to_string().contains("brzo"), "what a cell says stays in the file: {found}");

    let answer = case.worker.get(&format!("{path}/faulty-rows")).await;
    let text = answer.text();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 3, "{text}");
    assert!(lines[0].starts_with("\u{FEFF}Ime;Prezime;JMBG;") && lines[0].ends_with(";greška"), "{text}");
    assert!(lines[1].starts_with("Bojan;Žikić;") && lines[1].contains("Puls: „brzo” nije broj"), "{text}");
    assert!(answer.header("content-disposition").unwrap().contains(".csv"));
}

#[tokio::test]
async fn a_rules_own_numbers_are_told_and_a_cells_are_not() {
    let case = Case::new().await;
    let path = case.upload(&[&ANA.replace("72,5", "500"), &BOJAN.replace("80,0", "70,55")]).await;
    let found = case.check(&path).await["ishod"].clone();
    let told: Vec<&str> = found["greske"].as_array().unwrap().iter().map(|kind| kind["poruka"].as_str().unwrap()).collect();
    for wanted in ["Stavka sa nazivom: Puls nije u opsegu (20) - (300)", "„…” ima više decimala nego što polje dozvoljava (1)"] {
        assert!(told.iter().any(|message| message.starts_with(wanted)), "{wanted} is missing in {told:#?}");
    }
    assert!(!found.to_string().contains("70,55") && !found.to_string().contains("500"), "{found}");
    let again = case.upload(&[ANA, &BOJAN.replace("0202980710000", "0101990715000")]).await;
    let found = case.check(&again).await["ishod"].clone();
    assert!(found.to_string().contains("u redu …"), "of which row it is spoken is of one row only: {found}");
}

#[tokio::test]
async fn the_file_of_faulty_rows_is_mended_and_sent_again() {
    let case = Case::new().await;
    let path = case.upload(&[ANA, &BOJAN.replace("80,0", "brzo")]).await;
    case.check(&path).await;
    let mended = case.worker.get(&format!("{path}/faulty-rows")).await.text().replace(";brzo;", ";80,0;");
    let answer = case.send(&case.worker, mended, case.app.ustanova).await;
    let again = format!("/api/data-imports/{}", answer.json()["id"]);
    let found = case.check(&again).await;
    assert_eq!((&found["ishod"]["gresaka"], &found["ishod"]["novihPacijenata"]), (&json!(0), &json!(1)), "{found}");
    assert_eq!(case.confirm(&again).await["status"], "done");
    assert_eq!(case.text("select jmbg from patient").await.as_deref(), Some("0202980710000"), "zeros in front stay");
}

#[tokio::test]
async fn nothing_in_the_file_of_faulty_rows_is_a_formula() {
    let case = Case::new().await;
    let path = case.upload(&[&ANA.replace("Ana;", "=HYPERLINK(\"x\");").replace("72,5", "@loše")]).await;
    case.check(&path).await;
    let text = case.worker.get(&format!("{path}/faulty-rows")).await.text();
    let row = text.lines().nth(1).unwrap();
    assert!(row.starts_with("\"'=HYPERLINK(\"\"x\"\")\"") && row.contains(";'@loše;"), "{text}");
}

#[tokio::test]
async fn what_is_no_file_to_import_is_refused_before_it_is_kept() {
    let case = Case::new().await;
    let cases: [(&[u8], &str); 4] = [
        (b"PK\x03\x04\x00\x00", "Fajl nije CSV. U programu za tabele ga snimite kao CSV (UTF-8)."),
        (b"ime;jmbg\n", "Fajl nema nijedan red ispod zaglavlja."),
        (b"ime;ime\na;b\n", "red 1, kolona „ime”: kolona stoji više puta u zaglavlju"),
        (b"ime;\na;b\n", "U zaglavlju fajla neka kolona nema naziv."),
    ];
    for (file, message) in cases {
        case.send(&case.worker, file, case.app.ustanova).await.assert_error(422, Some("sadrzaj"), message);
    }
    case.app.lay_out(&["update parameter set vrednost = '1' where naziv = 'uvozNajviseMegabajta'"]).await;
    let long = "a;b\n".to_owned() + &"1;2\n".repeat(300_000);
    let too_long = "Fajl je veći od 1 MB, koliko je dozvoljeno.";
    case.send(&case.worker, long, case.app.ustanova).await.assert_error(422, Some("sadrzaj"), too_long);
    assert_eq!(case.rows().await.3, 0);
}

#[tokio::test]
async fn how_large_a_file_may_be_is_a_parameter_within_bounds() {
    let case = Case::new().await;
    let admin = case.app.admin().await;
    for (wrong, right) in [("0", "100"), ("101", "1")] {
        let parameter = |value: &str| json!({ "naziv": "uvozNajviseMegabajta", "vrednost": value });
        let id: i64 = sqlx::query_scalar("select id from parameter where naziv = 'uvozNajviseMegabajta'")
            .fetch_one(&case.app.db.owner)
            .await
            .unwrap();
        admin.patch(&format!("/api/parameters/{id}"), parameter(wrong)).await.assert_error(
            422,
            Some("vrednost"),
            "Unesite ceo broj od 1 do 100.",
        );
        admin.patch(&format!("/api/parameters/{id}"), parameter(right)).await.assert_status(200);
    }
}

#[tokio::test]
async fn a_file_may_be_larger_than_any_other_body() {
    let case = Case::new().await;
    let file = format!("ime;napomena\nAna;{}\n", "a".repeat(5 << 20));
    case.send(&case.worker, file, case.app.ustanova).await.assert_status(201);
}
