//! Reports and parameters whose queries name patients and do not say whom: the record of looks would know nobody.

use accounts::rights::Right;
use serde_json::{Value, json};

use super::{Field, Report, SET};
use crate::support::{TestApp, Worker};

const TEMPLATE: &str = "{{#report}}\n{{col \"x\"}}\n{{/report}}";
const WITHOUT: &str = "Upit čita ko su pacijenti, a ne vraća kolonu „pacijent_id”.";

/// Reads names under other names, in texts, in sums, behind conditions: whatever comes of it, nobody would know whom it has shown.
const NAMING: [&str; 9] = [
    "select ime_prezime as x from report.pacijent",
    "select jmbg as x, 1 as pacijent from report.pacijent",
    "select p.x from (select upper(prezime) || ' ' || lbo as x from pacijent) p",
    "select string_agg(ime, ', ') as x from pacijent",
    "select count(*) as x from pacijent where starts_with(jmbg, '0101')",
    "select count(distinct jmbg) as x from pacijent",
    "select u.id as x from unos u join pacijent p on p.id = u.pacijent_id order by p.prezime",
    "select coalesce(adresa, mobilni_telefon, email, broj_kartona, medicinska_napomena) as x from pacijent",
    "with p as (select * from pacijent) select p::text as x from p",
];

/// Counts and describes without naming, names with the patient beside, or reads nobody.
const HARMLESS: [&str; 6] = [
    "select count(*) as x from pacijent",
    "select extract(year from age(danas(), datum_rodjenja))::int as x, count(*) as broj from pacijent group by 1",
    "select zanimanje as x, strucna_sprema, radno_mesto, count(*) as broj from pacijent group by 1, 2, 3",
    "select ime_prezime as x, id as pacijent_id from pacijent",
    "select count(distinct u.pacijent_id) as x from unos u join pacijent p on p.id = u.pacijent_id where p.pol_trenutni",
    "select naziv as x from ustanova",
];

async fn check(worker: &Worker, report: &Report, upit: &str) -> Value {
    let texts = json!({ "upit": upit, "sablon": TEMPLATE });
    worker.post(&format!("/api/reports/{}/definition-check", report.id), texts).await.assert_status(200).json()
}

#[tokio::test]
async fn a_query_that_names_patients_says_whom_or_is_no_report() {
    let app = TestApp::new().await;
    let without = app.worker("dizajnerka", &[Right::ReportSetup], app.ustanova).await;
    app.lay_out(&["update role set pacijenti = 'ne' where ime = 'Uloga radnika dizajnerka'"]).await;
    let (of_one, of_all) = (Report::with(&app.db, "ustanova", &[]).await, Report::with(&app.db, "sve", &[]).await);
    let admin = app.admin().await;
    for designer in [&*admin, &without] {
        for upit in NAMING {
            let found = check(designer, &of_one, upit).await;
            assert_eq!(found["greske"][0]["poruka"], WITHOUT, "{upit}: {found}");
            assert!(found["greske"][0]["savet"].as_str().is_some_and(|advice| advice.contains("pacijent_id")), "{found}");
            let found = check(designer, &of_all, upit).await;
            let ungrouped = "Upit čita pacijente svih ustanova, a ne kaže koje pacijente drži koji red.";
            assert_eq!(
                found["greske"][0]["poruka"], ungrouped,
                "over all institutions nobody is named, and no row is one patient's: {upit}"
            );
        }
        for upit in HARMLESS {
            assert_eq!(check(designer, &of_one, upit).await["greske"], json!([]), "{upit}");
        }
    }
}

#[tokio::test]
async fn a_version_that_names_patients_and_does_not_say_whom_is_neither_published_nor_tried_out() {
    let app = TestApp::new().await;
    let (admin, report) = (app.admin().await, Report::with(&app.db, "ustanova", &[]).await);
    let definitions = format!("/api/reports/{}/definitions", report.id);
    let save = async |upit: &str, osnova: i32| {
        let body = json!({ "upit": upit, "sablon": TEMPLATE, "osnova": osnova });
        admin.post(&definitions, body).await.assert_status(200).json()
    };
    assert_eq!(save(NAMING[0], 0).await["provera"]["greske"][0]["poruka"], WITHOUT, "it is kept, and its designer told");
    let refused = admin.post(&format!("{definitions}/1/publish"), json!({ "objavljena": 0 })).await.assert_status(422).text();
    assert!(refused.contains(WITHOUT), "{refused}");
    let refused = admin.post(&format!("{definitions}/1/trial"), json!({ "parametri": {} })).await.assert_status(422).text();
    assert!(refused.contains(WITHOUT), "{refused}");
    assert_eq!(admin.get("/api/report-runs").await.json()["total"], 0);

    save(HARMLESS[3], 1).await;
    admin.post(&format!("{definitions}/2/trial"), json!({ "parametri": {} })).await.assert_status(202);
    admin.post(&format!("{definitions}/2/publish"), json!({ "objavljena": 0 })).await.assert_status(204);
}

#[tokio::test]
async fn a_parameter_whose_options_name_patients_says_that_its_values_are_patients() {
    let app = TestApp::new().await;
    let admin = app.admin().await;
    let send = async |upit: &str, link: Value| {
        let body = json!({ "naziv": "Pacijent", "tipRecnika": 4, "upit": upit, "link": link });
        admin.post("/api/report-parameter-types", body).await
    };
    const NAMES: &str = "select id, ime_prezime from pacijent where ustanova_id = :ustanovaID::bigint";
    let message = "Upit čita ko su pacijenti. Upišite vezu „pacijent”, a prva kolona upita neka bude broj pacijenta: \
                   po njoj evidencija uvida zna koga je parametar ponudio.";
    send(NAMES, Value::Null).await.assert_error(422, Some("link"), message);
    send("select id, naziv from ustanova", Value::Null).await.assert_status(201);
    let id = send(NAMES, json!("pacijent")).await.assert_status(201).json()["id"].clone();
    let changed = admin.patch(&format!("/api/report-parameter-types/{id}"), json!({ "link": null })).await;
    changed.assert_error(422, Some("link"), message);
}

#[tokio::test]
async fn options_of_before_that_name_patients_stand_in_the_log_as_of_all_who_could_be() {
    let app = TestApp::new().await;
    let (lekar, register) = (app.lekar().await, app.register().await);
    app.person(&register, app.ustanova, 1).await;
    let report = Report::with(
        &app.db,
        "ustanova",
        &[
            Field::new(SET, "ime", "Ime").query("select ime_prezime from pacijent"),
            Field::new(SET, "ko", "Pacijent").query("select id, ime_prezime from pacijent").of_patients(),
            Field::new(SET, "gde", "Ustanova").query("select id, naziv from ustanova"),
        ],
    )
    .await;
    for name in ["ime", "ko", "gde"] {
        let id = report.parameter_id(&app.db, name).await;
        lekar.get(&format!("/api/report-parameters/{id}/options")).await.assert_status(200);
    }
    // As the officer reads it, newest first.
    let officer = app.worker("poverenica", &[Right::Looks], app.ustanova).await;
    let looks = officer.get(&format!("/api/looks?datumOd=2020-01-01&nacin=izbor&radnikID={}", lekar.id)).await.json();
    let told: Vec<_> = looks["data"].as_array().unwrap().iter().map(|row| (row["opis"].as_str(), row["brojPacijenata"].as_i64())).collect();
    let unknown = Some(
        "Ne može se dokazati koje pacijente vrednosti imenuju: upisani su svi koje je parametar mogao da pokaže, osim onih koji su za njega \
         već upisani u poslednjih sat vremena.",
    );
    assert_eq!(told, [(None, Some(0)), (None, Some(1)), (unknown, Some(1))]);
}
