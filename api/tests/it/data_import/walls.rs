//! Whose an import is, and what it tells of patients whom the institution does not know.

use accounts::rights::Right;
use serde_json::json;

use super::{ANA, BOJAN, Case};

/// Ana is a patient of the other institution.
const ELSEWHERE: &str = "insert into patient (ime, prezime, datum_rodjenja, jmbg, lbo, pol_trenutni, kontakt_telefon, ustanova_id)
    select 'Ana', 'Tajna', '1990-01-01', '0101990715000', '12345678901', false, '011/7654321', id from institution where naziv = 'Klinika B'";

#[tokio::test]
async fn an_import_is_its_workers_alone() {
    let case = Case::new().await;
    let colleague = case.app.worker("koleginica", &[Right::DataImport], case.app.ustanova).await;
    let elsewhere = case.app.worker("drugde", &Right::ALL, case.app.druga_ustanova).await;
    let path = case.upload(&[ANA]).await;
    let mapping = case.worker.get(&format!("{path}/mapping")).await.json()["mapiranje"].clone();
    case.worker.post(&format!("{path}/saved-mapping"), json!({ "naziv": "Naše" })).await.assert_status(200);
    case.check(&path).await;
    for other in [&colleague, &elsewhere] {
        assert_eq!(other.get("/api/data-imports").await.json(), json!([]));
        for (method, end) in [
            ("GET", ""),
            ("GET", "/mapping"),
            ("GET", "/mapping-file"),
            ("GET", "/faulty-rows"),
            ("DELETE", ""),
            ("POST", "/check"),
            ("POST", "/confirm"),
            ("POST", "/cancel"),
        ] {
            other.call(method, &format!("{path}{end}"), (method == "POST").then(|| json!({}))).await.assert_status(404);
        }
        other.put(&format!("{path}/mapping"), json!({ "mapiranje": mapping, "izvor": "x" })).await.assert_status(404);
        other.post(&format!("{path}/saved-mapping"), json!({ "naziv": "x" })).await.assert_status(404);
    }
    let saved: i64 = sqlx::query_scalar("select id from import_mapping").fetch_one(&case.app.db.owner).await.unwrap();
    elsewhere.delete(&format!("/api/import-mappings/{saved}")).await.assert_status(404);
    assert_eq!(case.worker.get(&path).await.json()["status"], "checked");
}

#[tokio::test]
async fn data_come_in_only_for_an_institution_of_the_worker_and_only_where_patients_may_be_changed() {
    let case = Case::new().await;
    let refused = "Uvoziti možete samo za ustanovu kojoj pripadate.";
    case.send(&case.worker, ANA, case.app.druga_ustanova).await.assert_error(
        422,
        Some("sadrzaj"),
        "Fajl nema nijedan red ispod zaglavlja.",
    );
    case.send(&case.worker, [ANA, BOJAN].concat(), case.app.druga_ustanova).await.assert_status(422);
    let whole = format!("{}{ANA}", super::HEADER);
    case.send(&case.worker, &whole, case.app.druga_ustanova).await.assert_error(422, Some("ustanovaID"), refused);
    case.app.lay_out(&["update role set pacijenti = 'uvid' where ime = 'Uloga radnika uvoznica'"]).await;
    let reader = "Vaša uloga otvara pacijente samo za čitanje.";
    case.send(&case.worker, &whole, case.app.ustanova).await.assert_error(403, None, reader);
    case.worker.get("/api/data-imports").await.assert_error(403, None, reader);
}

#[tokio::test]
async fn who_leaves_the_institution_leaves_the_import() {
    let case = Case::new().await;
    let path = case.upload(&[ANA]).await;
    case.check(&path).await;
    case.app
        .lay_out(&[
            "delete from worker_institution where radnik_id = (select id from worker where username = 'uvoznica')",
            "update worker set ustanova_id = (select id from institution where naziv = 'Klinika B') where username = 'uvoznica'",
        ])
        .await;
    case.worker.get(&path).await.assert_status(404);
    case.worker.post(&format!("{path}/confirm"), json!({})).await.assert_status(404);
}

#[tokio::test]
async fn a_patient_known_elsewhere_is_told_as_a_screen_tells_it_and_not_more() {
    let case = Case::new().await;
    case.app.lay_out(&[ELSEWHERE]).await;
    let path = case.upload(&[&ANA.replace("06.05.2024.", "06.05.1980."), BOJAN]).await;
    let found = case.check(&path).await["ishod"].clone();
    let faults = found["greske"].as_array().unwrap();
    let told = faults.iter().find(|kind| kind["kolona"] == "JMBG").unwrap();
    assert_eq!((&told["poruka"], &told["broj"]), (&json!("Pacijent sa tim JMBG već postoji."), &json!(1)), "{found}");
    assert!(!faults.iter().any(|kind| kind["kolona"] == "LBO"), "once is enough: {found}");
    assert!(!found.to_string().contains("Tajna"), "{found}");
    assert_eq!((&found["poznatihPacijenata"], &found["novihPacijenata"]), (&json!(0), &json!(1)));
    let file = case.worker.get(&format!("{path}/faulty-rows")).await.text();
    assert!(file.contains("JMBG: Pacijent sa tim JMBG već postoji.") && !file.contains("Tajna"), "{file}");
    // Whoever was told of a patient is in the log of that patient.
    let logged = "select string_agg(l.akcija || ' ' || p.prezime, ',') from audit_log l join patient p on p.id = l.pacijent_id
                   where l.akcija like 'provera%'";
    assert_eq!(case.text(logged).await.as_deref(), Some("provera JMBG Tajna"));
}

#[tokio::test]
async fn an_lbo_of_a_patient_elsewhere_is_told_and_logged() {
    let case = Case::new().await;
    case.app.lay_out(&[ELSEWHERE]).await;
    let path = case.upload(&[&BOJAN.replace("12345678902", "12345678901")]).await;
    let found = case.check(&path).await["ishod"].clone();
    assert_eq!(found["greske"][0]["poruka"], "isti LBO ima drugi pacijent u bazi", "{found}");
    assert_eq!(
        case.text("select string_agg(akcija, ',') from audit_log where akcija like 'provera %'").await.as_deref(),
        Some("provera LBO")
    );
}

#[tokio::test]
async fn namesakes_elsewhere_are_not_told_at_all() {
    let case = Case::new().await;
    case.app
        .lay_out(&["insert into patient (ime, prezime, datum_rodjenja, jmbg, lbo, pol_trenutni, kontakt_telefon, ustanova_id)
                    select 'Ana', 'Đurić', '1990-01-01', '0101990715019', '12345678909', false, '011/7654321', id from institution where naziv = 'Klinika B'"])
        .await;
    let path = case.upload(&[ANA]).await;
    let found = case.check(&path).await["ishod"].clone();
    assert_eq!((&found["upozorenja"], &found["gresaka"]), (&json!([]), &json!(0)), "{found}");
    case.app.lay_out(&["update patient set ustanova_id = (select id from institution where naziv = 'Klinika A')"]).await;
    let found = case.check(&path).await["ishod"].clone();
    assert!(found["upozorenja"][0]["poruka"].as_str().unwrap().starts_with("u bazi postoji pacijent sličnog imena"), "{found}");
}

#[tokio::test]
async fn a_file_with_the_number_of_a_record_that_is_gone_is_of_the_one_that_is_left() {
    let case = Case::new().await;
    let path = case.upload(&[ANA, BOJAN]).await;
    case.check(&path).await;
    case.confirm(&path).await;
    let ids: Vec<i64> = sqlx::query_scalar("select id from patient order by ime").fetch_all(&case.app.db.owner).await.unwrap();
    let body = json!({ "pobednikID": ids[0], "gubitnikID": ids[1], "razlog": "Ista osoba, dva kartona", "potvrde": ["jmbgNeslaganje"] });
    case.app.admin().await.post("/api/patient-merges", body).await.assert_status(201);
    // The same file again, and one that nobody has the keys of.
    for file in [BOJAN.to_owned(), BOJAN.replace("07.05.2024.", "08.05.2024.")] {
        let path = case.upload(&[&file]).await;
        let found = case.check(&path).await["ishod"].clone();
        assert_eq!(
            (&found["poznatihPacijenata"], &found["novihPacijenata"], &found["gresaka"]),
            (&json!(1), &json!(0), &json!(0)),
            "{found}"
        );
        assert_eq!(case.confirm(&path).await["status"], "done");
    }
    let whose = case.text("select string_agg(distinct p.ime, ',') from entry e join patient p on p.id = e.pacijent_id").await;
    assert_eq!(whose.as_deref(), Some("Ana"));
    assert_eq!(case.text("select p.jmbg from patient p where p.aktivan").await.as_deref(), Some("0101990715000"));
}

/// As on the screen: a name with a letter more, and a birth date a day off or with day and month swapped.
#[tokio::test]
async fn a_patient_of_a_file_who_is_nearly_another_is_told_before_anything_is_written() {
    let case = Case::new().await;
    case.app
        .lay_out(&["insert into patient (ime, prezime, datum_rodjenja, jmbg, lbo, pol_trenutni, kontakt_telefon, ustanova_id)
                    select 'Anna', 'Đurić', '1990-02-01', '0101990715019', '12345678909', false, '011/7654321', id from institution where naziv = 'Klinika A'"])
        .await;
    for moved in [
        "update patient set datum_rodjenja = '1990-01-02'",
        "update patient set datum_rodjenja = '1990-01-01'",
        "update patient set datum_rodjenja = '1989-12-31'",
    ] {
        case.app.lay_out(&[moved]).await;
        let found = case.check(&case.upload(&[ANA]).await).await["ishod"].clone();
        let told = found["upozorenja"][0]["poruka"].as_str().unwrap_or_default().starts_with("u bazi postoji pacijent sličnog imena");
        assert!(told, "{moved}: {found}");
    }
    case.app.lay_out(&["update patient set datum_rodjenja = '1990-01-03'"]).await;
    let found = case.check(&case.upload(&[ANA]).await).await["ishod"].clone();
    assert_eq!(found["upozorenja"], json!([]), "{found}");
}

#[tokio::test]
async fn numbers_of_others_that_a_file_may_learn_within_an_hour_are_counted() {
    let case = Case::new().await;
    case.app.lay_out(&[ELSEWHERE, "update parameter set vrednost = '1' where naziv = 'najviseProveraBrojevaNaSat'"]).await;
    let path = case.upload(&[ANA]).await;
    assert_eq!(case.check(&path).await["ishod"]["gresaka"], 1);
    assert_eq!(case.check(&path).await["ishod"]["gresaka"], 1, "the same number again is the same question");
    let other = case.upload(&[&BOJAN.replace("12345678902", "12345678901")]).await;
    let refused = case.check(&other).await;
    assert_eq!((&refused["status"], &refused["prekid"], &refused["ishod"]), (&json!("open"), &json!("neuspeo"), &json!(null)), "{refused}");
    assert_eq!(case.rows().await, (1, 0, 0, 2));
}
