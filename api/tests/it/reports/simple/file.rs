//! A choice goes out as a file and comes in elsewhere: with its conditions, in another register and on another server, and what does not fit is
//! told in words.

use serde_json::{Value, json};

use super::{super::Report, choice, condition, merge, save};
use crate::support::{TestApp, TestRegister, Worker};

/// Of those whose set has the first item, for how many the number is low.
fn indicator(register: &TestRegister) -> Value {
    let first = register.items["prva"].to_string();
    choice(
        register,
        json!({
            "prikaz": "indikator", "pol": true, "starostOd": 20, "period": true,
            "filteri": [condition(register, None, "skup", "izabrano", &first), condition(register, Some("i"), "izbor", "popunjeno", "")],
            "indikator": { "brojilac": [condition(register, None, "broj", "<", "4,5"), condition(register, Some("ili"), "broj", "=", "9")],
                           "broji": "pacijente", "vreme": "kvartal", "smer": "vise", "cilj": 60 },
        }),
    )
}

async fn exported(worker: &Worker, report: &Report, broj: i32) -> String {
    worker.get(&format!("/api/reports/{}/definitions/{broj}/file", report.id)).await.assert_status(200).text()
}

async fn read(worker: &Worker, report: &Report, fajl: &str, form: Option<i64>) -> crate::support::Answer {
    worker.post(&format!("/api/reports/{}/simple-definition-file", report.id), json!({ "fajl": fajl, "tipUnosaID": form })).await
}

async fn kept(worker: &Worker, report: &Report, broj: i32) -> Value {
    worker.get(&format!("/api/reports/{}/definitions/{broj}", report.id)).await.assert_status(200).json()["izbor"].clone()
}

/// With patients of whom the indicator can be told.
async fn filled(app: &TestApp) -> TestRegister {
    let register = app.register().await;
    for number in 0..4 {
        let patient = app.patient(&register, "Ime", "Prezime", app.ustanova, number).await;
        let values = json!({ "broj": number, "izbor": true, "skup": [register.items["prva"]] });
        app.entry(&register, patient, app.ustanova, "2026-02-10", values).await;
    }
    register
}

#[tokio::test]
async fn a_chosen_indicator_comes_with_its_conditions_into_another_server_and_is_a_choice_there() {
    let here = TestApp::new().await;
    let (admin, report) = (here.admin().await, Report::with(&here.db, "ustanova", &[]).await);
    let register = filled(&here).await;
    save(&admin, &report, &indicator(&register), 0).await;
    let file = exported(&admin, &report, 1).await;

    // Another server has other numbers for all.
    let there = TestApp::new().await;
    let theirs = filled_elsewhere(&there).await;
    let (designer, other) = (there.admin().await, Report::with(&there.db, "ustanova", &[]).await);
    assert_ne!(register.fields, theirs.fields);
    let came = read(&designer, &other, &file, Some(theirs.form)).await.assert_status(200).json();
    save(&designer, &other, &came, 0).await;
    let mut chosen = indicator(&theirs);
    let rows = |rows: &mut Value| rows.as_array_mut().unwrap().iter_mut().for_each(|row| merge(row, json!({ "tipUnosaID": null })));
    rows(&mut chosen["filteri"]);
    rows(&mut chosen["indikator"]["brojilac"]);
    let came_choice = kept(&designer, &other, 1).await;
    assert_eq!((&came_choice["filteri"], &came_choice["indikator"]["brojilac"]), (&chosen["filteri"], &chosen["indikator"]["brojilac"]));
    let again = save(&designer, &other, &indicator(&theirs), 1).await;
    assert_eq!(again["broj"], 1, "what is chosen there is the same version");

    // It is changed by conditions, and goes out again.
    let mut changed = came.clone();
    changed["indikator"]["brojilac"] = json!([condition(&theirs, None, "broj", ">=", "2")]);
    assert_eq!(save(&designer, &other, &changed, 1).await["broj"], 2);
    let again = exported(&designer, &other, 2).await;
    let back = read(&admin, &report, &again, Some(register.form)).await.assert_status(200).json();
    let mut wanted = kept(&admin, &report, 1).await;
    wanted["indikator"]["brojilac"] = json!([condition(&register, None, "broj", ">=", "2")]);
    merge(&mut wanted["indikator"]["brojilac"][0], json!({ "tipUnosaID": null }));
    assert_eq!(back, wanted);
    assert_eq!(kept_versions(&admin, &report).await, 1, "nothing is kept by reading");
}

/// The same fields with other numbers, of a register and a form that are called otherwise.
async fn filled_elsewhere(app: &TestApp) -> TestRegister {
    let mut tx = domain::db::begin(&app.db.owner, domain::db::SYSTEM_WORKER).await.unwrap();
    for table in ["register", "form", "form_field", "enum_item"] {
        let sql = "select setval(pg_get_serial_sequence($1, 'id'), 70000)";
        sqlx::query(sql).bind(table).execute(&mut *tx).await.unwrap();
    }
    tx.commit().await.unwrap();
    let register = filled(app).await;
    let mut tx = domain::db::begin(&app.db.owner, domain::db::SYSTEM_WORKER).await.unwrap();
    for sql in ["update register set naziv = 'Drugi registar' where id = $1", "update form set naziv = 'Kontrola' where registar_id = $1"] {
        sqlx::query(sql).bind(register.id).execute(&mut *tx).await.unwrap();
    }
    tx.commit().await.unwrap();
    register
}

#[tokio::test]
async fn a_file_that_is_broken_or_does_not_fit_is_refused_in_words_and_nothing_is_kept() {
    let app = TestApp::new().await;
    let (admin, report) = (app.admin().await, Report::with(&app.db, "ustanova", &[]).await);
    let register = filled(&app).await;
    save(&admin, &report, &indicator(&register), 0).await;
    let file = exported(&admin, &report, 1).await;
    let parsed: Value = serde_json::from_str(&file).expect("JSON");
    let broken = |change: &dyn Fn(&mut Value)| {
        let mut broken = parsed.clone();
        change(&mut broken);
        broken.to_string()
    };
    let place_of = |code: &str| parsed["polja"].as_array().unwrap().iter().position(|field| field["sifra"] == code).expect("the field");
    let (number, set) = (place_of("broj"), place_of("skup"));
    let cases = [
        (file[..file.len() / 2].to_owned(), "Fajl nije izbor izveštaja, ili je oštećen. Izaberite fajl koji pravi dugme „Preuzmi izbor”."),
        ("ime;prezime".to_owned(), "Fajl nije izbor izveštaja, ili je oštećen."),
        (broken(&|file| file["vrsta"] = json!("registar")), "Fajl je „registar”, a ne izbor izveštaja."),
        (broken(&|file| file["izdanje"] = json!(99)), "Fajl je napravila novija verzija programa"),
        (broken(&|file| file["izbor"]["upit"] = json!("select 1")), "Fajl je menjan ili oštećen: red 1, znak "),
        (broken(&|file| file["registar"] = json!({ "sifra": null, "naziv": "Nema ga" })), "Ovde nema registra „Nema ga” iz fajla."),
        (broken(&|file| file["formular"] = json!({ "sifra": null, "naziv": "Nema ga" })), "Registar nema formular „Nema ga” iz fajla."),
        (
            broken(&|file| file["polja"][number]["sifra"] = json!("nestalo")),
            "Fajl ne odgovara formularu „Pregled”: nema polja „broj” (šifra „nestalo”).",
        ),
        (broken(&|file| file["polja"][number]["tip"] = json!(3)), "polje „broj” ovde prima drugu vrstu vrednosti."),
        (broken(&|file| file["polja"][number]["jedinica"] = json!("g/L")), "polje „broj” je u fajlu u „g/L”, a ovde bez jedinice."),
        (
            broken(&|file| {
                let items = file["polja"][set]["stavke"].as_array_mut().unwrap();
                items.iter_mut().for_each(|item| item["naziv"] = json!("Nestala"));
            }),
            "polje „skup” nema stavku „Nestala”.",
        ),
        (broken(&|file| file["polja"] = json!([])), "fajl ne kaže kako se zove polje br. "),
    ];
    for (fajl, message) in cases {
        let refused = read(&admin, &report, &fajl, None).await.refusal(422);
        assert_eq!(refused["field"], "fajl", "{refused}");
        assert!(refused["message"].as_str().unwrap().contains(message), "{message}: {refused}");
    }
    // What the conditions themselves have wrong is told as it is of a choice.
    let odd = broken(&|file| file["izbor"]["indikator"]["brojilac"][0]["vrednost"] = json!("dva"));
    read(&admin, &report, &odd, None).await.assert_error(422, Some("brojilac"), "Uslov 1: vrednost mora biti broj.");
    let beyond = broken(&|file| file["izbor"]["indikator"]["cilj"] = json!(200));
    read(&admin, &report, &beyond, None).await.assert_error(422, Some("cilj"), "Cilj je procenat, od 0 do 100.");
    assert_eq!(kept_versions(&admin, &report).await, 1, "nothing was kept");
    let doctor = app.lekar().await;
    doctor.post(&format!("/api/reports/{}/simple-definition-file", report.id), json!({ "fajl": file })).await.assert_status(403);
    doctor.get(&format!("/api/reports/{}/definitions/1/file", report.id)).await.assert_status(403);
    // A version that was typed has no choice.
    let typed = json!({ "upit": "select 1 as a", "sablon": "{{#report}}{{col \"a\"}}{{/report}}", "osnova": 1 });
    admin.post(&format!("/api/reports/{}/definitions", report.id), typed).await.assert_status(200);
    admin.get(&format!("/api/reports/{}/definitions/2/file", report.id)).await.assert_status(404);
}

async fn kept_versions(worker: &Worker, report: &Report) -> usize {
    let design = worker.get(&format!("/api/reports/{}/definition", report.id)).await.assert_status(200).json();
    design["verzije"].as_array().unwrap().len()
}
