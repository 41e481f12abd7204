//! Consents that a file brings: each a row of the history, once, and refused in words where it cannot be one.

use accounts::rights::Right;
use serde_json::{Value, json};

use super::Case;

const HEADER: &str = "Ime;Prezime;JMBG;LBO;Telefon;Istraživanje;Dan;Verzija\n";
const ANA: &str = "Ana;Đurić;0101990715000;12345678901;011/1234567;";
const BOJAN: &str = "Bojan;Žikić;0202980710000;12345678902;021/123456;";

/// The case, its worker one who records consents, and two versions of the text of research, the second of today.
async fn case() -> Case {
    let mut case = Case::new().await;
    case.worker = case.app.worker("uvozi saglasnosti", &[Right::DataImport, Right::Consents], case.app.ustanova).await;
    let texts = format!("/api/registers/{}/consent-texts", case.register);
    let admin = case.app.admin().await;
    for tekst in ["Saglasan sam sa istraživanjem.", "Saglasna sam, i sa arhiviranjem."] {
        admin.post(&texts, json!({ "svrha": "istrazivanje", "tekst": tekst })).await.assert_status(201);
    }
    case.app.lay_out(&["update consent_text set vreme = '2024-01-01' where broj = 1"]).await;
    case
}

/// Sends the rows with their columns mapped; the import's path.
async fn upload(case: &Case, rows: &[&str]) -> String {
    let sent = case.send(&case.worker, format!("{HEADER}{}", rows.concat()), case.app.ustanova).await.assert_status(201).json();
    let path = format!("/api/data-imports/{}", sent["id"]);
    let mut mapping = case.worker.get(&format!("{path}/mapping")).await.assert_status(200).json()["mapiranje"].clone();
    mapping["entries"] = json!([]);
    for (field, column) in
        [("saglasnostIstrazivanje", "Istraživanje"), ("saglasnostIstrazivanjeDan", "Dan"), ("saglasnostIstrazivanjeTekst", "Verzija")]
    {
        mapping["patient"]["fields"][field] = json!(column);
    }
    case.worker.put(&format!("{path}/mapping"), json!({ "mapiranje": mapping, "izvor": "papiri" })).await.assert_status(200);
    path
}

async fn told(case: &Case, path: &str) -> Vec<String> {
    let found = case.check(path).await;
    let faults = found["ishod"]["greske"].as_array().unwrap_or_else(|| panic!("{found}"));
    faults.iter().map(Value::to_string).collect()
}

#[tokio::test]
async fn a_file_of_consents_is_a_history_and_each_row_that_is_wrong_is_told() {
    let case = case().await;
    let row = |of: &str, told: &str| format!("{of}{told}\n");
    let wrong = [
        row(ANA, "data;;"),
        row(ANA, ";01.03.2024.;"),
        row(ANA, "možda;01.03.2024.;"),
        row(ANA, "data;01.03.2999.;"),
        row(ANA, "data;01.03.1980.;"),
        row(ANA, "povučena;01.04.2024.;1"),
        row(ANA, "data;01.05.2024.;7"),
        row(ANA, "data;02.05.2024.;"),
        row(ANA, "povučena;02.05.2024.;"),
    ];
    let path = upload(&case, &wrong.each_ref().map(String::as_str)).await;
    let faults = told(&case, &path).await.join("\n");
    for word in [
        "saglasnost i njen dan idu zajedno",
        "ne kaže da li je saglasnost data ili povučena",
        "dan je u budućnosti",
        "dan je pre rođenja pacijenta",
        "verzija teksta se navodi samo uz datu saglasnost",
        "registar za ovu svrhu nema tekst verzije",
        "saglasnost istog dana je drugačija u redu",
    ] {
        assert!(faults.contains(word), "{word}: {faults}");
    }

    // Her two rows are two rows of the history, in the order of their days; the text is that of the day, or the one that is named.
    let rows = [row(ANA, "povučena;01.04.2024.;"), row(ANA, "data;01.03.2024.;"), row(BOJAN, "da;05.03.2024.;2")];
    for _ in 0..2 {
        let path = upload(&case, &rows.each_ref().map(String::as_str)).await;
        let found = case.check(&path).await;
        assert_eq!(found["ishod"]["gresaka"], 0, "{found}");
        assert_eq!(case.confirm(&path).await["status"], "done");
    }
    let stored = "select string_agg(concat_ws(' ', p.ime, c.dat, c.dan, t.broj, c.radnik_id = (select id from worker where username = 'uvozi saglasnosti')), ', '
                                    order by c.id)
                    from patient_consent c join patient p on p.id = c.pacijent_id left join consent_text t on t.id = c.tekst_id";
    assert_eq!(case.text(stored).await.unwrap(), "Ana t 2024-03-01 1 t, Bojan t 2024-03-05 2 t, Ana f 2024-04-01 t");
    let ana = case.text("select id::text from patient where ime = 'Ana'").await.unwrap();
    let page = case.worker.get(&format!("/api/patients/{ana}/consents")).await.json();
    let days: Vec<&Value> = page["istorija"].as_array().unwrap().iter().map(|row| &row["dan"]).collect();
    assert_eq!(days, [&json!("2024-04-01"), &json!("2024-03-01")]);
    let research = page["registri"][0]["svrhe"].as_array().unwrap().iter().find(|state| state["svrha"] == "istrazivanje").unwrap();
    assert_eq!((&research["dat"], &research["dan"]), (&json!(false), &json!("2024-04-01")));
    let readers = "select string_agg(p.ime, ' ') from patient_register r join patient p on p.id = r.pacijent_id where r.za_istrazivanje";
    assert_eq!(case.text(readers).await.as_deref(), Some("Bojan"));

    // Another word of a day that is recorded is refused, as are days before a birth that only the database knows.
    let path = upload(&case, &[&row(ANA, "povučena;01.03.2024.;")]).await;
    let faults = told(&case, &path).await.join("\n");
    assert!(faults.contains("zabeleženo da je saglasnost data"), "{faults}");
}

#[tokio::test]
async fn whoever_may_not_record_consents_brings_none_in() {
    let mut case = case().await;
    case.worker = case.app.worker("samo uvozi", &[Right::DataImport], case.app.ustanova).await;
    let path = upload(&case, &[&format!("{ANA}data;01.03.2024.;\n")]).await;
    let faults = told(&case, &path).await.join("\n");
    assert!(faults.contains("nemate pravo da beležite saglasnosti pacijenata"), "{faults}");
    // Blank cells say nothing, and ask for no right.
    let path = upload(&case, &[&format!("{ANA};;\n")]).await;
    assert_eq!(case.check(&path).await["ishod"]["gresaka"], 0);
}
