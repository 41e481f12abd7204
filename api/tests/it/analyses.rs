//! Cohorts and analyses without SQL: what they count, who sees them, what freezing keeps, and what is refused in words.

use std::{process::Command, time::Duration};

use accounts::rights::Right;
use domain::{
    db,
    report_screen::{ScreenSearch, SearchPart},
    report_sql::{Scope, Value as Cell, session_binds},
    testing::left_out,
};
use serde_json::{Value, json};
use statistics::{
    Level,
    column::{Binary, Factor, Numeric},
    compare::means::welch_anova,
    survival::{
        competing::CompetingFollowUp,
        follow_up::FollowUp,
        gray::gray,
        log_rank::{Weight, log_rank},
        restricted_mean::restricted_mean_difference,
    },
};

use crate::support::{Answer, TestApp, TestRegister, Worker};

/// A cohort of the first entry of each patient, with more of it.
fn cohort(register: &TestRegister, naziv: &str, more: Value) -> Value {
    let mut izbor = json!({ "registarID": register.id, "tipUnosaID": register.form, "unosi": "prvi" });
    for (name, value) in more.as_object().expect("an object") {
        izbor[name] = value.clone();
    }
    json!({ "naziv": naziv, "izbor": izbor })
}

fn field(register: &TestRegister, code: &str) -> Value {
    json!({ "izvor": "polje", "poljeID": register.fields[code] })
}

async fn made(worker: &Worker, path: &str, body: Value) -> Value {
    let answer = worker.post(path, body).await;
    assert_eq!(answer.status, 201, "{}", answer.text());
    answer.json()
}

fn refusal(answer: &Answer) -> Value {
    serde_json::from_str(&answer.text()).expect("a refusal")
}

async fn analysed(worker: &Worker, cohort: &Value, naziv: &str, izbor: Value) -> Value {
    made(worker, "/api/analyses", json!({ "naziv": naziv, "kohortaID": cohort["id"], "izbor": izbor })).await
}

/// What a run of the analysis delivers in this institution, or over all.
async fn rows(app: &TestApp, worker: &Worker, analysis: &Value, ustanova: Option<i64>) -> Vec<Vec<Cell>> {
    let upit: String = sqlx::query_scalar("select d.upit from report r join report_definition d on d.id = r.definicija_id where r.id = $1")
        .bind(analysis["izvestajID"].as_i64())
        .fetch_one(&app.db.owner)
        .await
        .expect("a live version");
    let scope = Scope { run: None, radnik_id: worker.id, ustanova_id: ustanova };
    let binds = session_binds(worker.id, ustanova.unwrap_or(app.ustanova), None);
    let found = app.state.report_db.small(scope, &upit, &binds, Duration::from_secs(20), 1_000).await;
    found.unwrap_or_else(|error| panic!("{upit}: {error}")).rows
}

fn texts(rows: &[Vec<Cell>], place: usize) -> Vec<Option<String>> {
    rows.iter().map(|row| row[place].clone().into_text()).collect()
}

/// Eight patients of the first institution and two of the second; two entries each, in January and in March, and the day of the event of the
/// even ones.
async fn ground(app: &TestApp) -> (TestRegister, Vec<i64>) {
    let register = app.register().await;
    let mut patients = Vec::new();
    for number in 0..10 {
        let home = if number < 8 { app.ustanova } else { app.druga_ustanova };
        let patient = app.patient(&register, "Ime", &format!("Prezime{number}"), home, number).await;
        for (month, broj) in [(1, number), (3, number + 10)] {
            let mut values =
                json!({ "broj": broj, "izbor": number % 2 == 0, "skup": [register.items[if number < 4 { "prva" } else { "druga" }]] });
            if number % 2 == 0 {
                values["datum"] = json!(format!("2026-0{month}-21"));
            }
            app.entry(&register, patient, home, &format!("2026-0{month}-01"), values).await;
        }
        patients.push(patient);
    }
    (register, patients)
}

#[tokio::test]
async fn each_view_is_a_report_that_delivers_the_rows_of_its_cohort() {
    let app = TestApp::new().await;
    let (register, _) = ground(&app).await;
    let worker = app.worker("analiticarka", &[Right::Reports], app.ustanova).await;
    let condition = json!([{ "veza": null, "poljeID": register.fields["broj"], "operator": ">=", "vrednost": "2" }]);
    let body = cohort(&register, "Od dva", json!({ "filteri": condition }));
    let counted = worker.post("/api/cohort-count", body["izbor"].clone()).await.json();
    assert_eq!(counted, json!({ "pacijenata": 8, "unosa": 8 }), "the first passing entry of each: of two of them that of March");
    let cohort = made(&worker, "/api/cohorts", body).await;
    let broj = field(&register, "broj");

    let table = json!({ "prikaz": "tabela1", "po": { "izvor": "pol" }, "smd": true, "promenljive": [
        broj, field(&register, "izbor"), field(&register, "skup"),
        { "izvor": "polje", "poljeID": register.fields["broj"], "rezovi": [5, 10] },
        { "izvor": "polje", "poljeID": register.fields["broj"], "kvartili": true },
        { "izvor": "polje", "poljeID": register.fields["broj"], "trenutak": "promena" },
        { "izvor": "starost" }, { "izvor": "godina" }] });
    let found = rows(&app, &worker, &analysed(&worker, &cohort, "Tabela", table).await, Some(app.ustanova)).await;
    let mut numbers: Vec<String> = texts(&found, 0).into_iter().flatten().collect();
    numbers.sort();
    assert_eq!(numbers, ["10", "11", "2", "3", "4", "5", "6", "7"]);
    let cuts: Vec<String> = texts(&found, 3).into_iter().flatten().collect();
    assert_eq!(["< 5", "5 – < 10", "≥ 10"].map(|class| cuts.iter().filter(|one| *one == class).count()), [3, 3, 2]);
    assert_eq!(texts(&found, 4).into_iter().flatten().filter(|class| class == "1. četvrtina").count(), 2);
    assert!(texts(&found, 5).iter().all(|change| change.as_deref() == Some("10")), "each grew by ten");
    assert_eq!(texts(&found, 8).into_iter().flatten().filter(|sex| sex == "Muški").count(), 4);

    let event = json!({ "poljeID": register.fields["datum"] });
    let survival = json!({ "prikaz": "prezivljavanje", "po": field(&register, "skup"), "dogadjaj": event,
        "vreme": { "vrsta": "datumi", "jedinica": "dana", "cenzura": "2026-03-31" }, "vremena": [10, 30] });
    let found = rows(&app, &worker, &analysed(&worker, &cohort, "Kriva", survival).await, Some(app.ustanova)).await;
    let mut of_each: Vec<(bool, String)> =
        found.iter().map(|row| (row[1] == Cell::Bool(true), row[2].clone().into_text().unwrap())).collect();
    of_each.sort();
    // Of January: until the end of March; of March (0 and 1): the event after twenty days, or thirty until the end.
    assert_eq!(of_each.iter().filter(|(event, time)| *event && time == "20").count(), 4, "{of_each:?}");
    assert_eq!(of_each.iter().filter(|(event, _)| !event).map(|(_, time)| time.as_str()).collect::<Vec<_>>(), ["30", "89", "89", "89"]);

    // The death of one patient, and the loss of another, are told by their status.
    app.lay_out(&[
        "insert into patient_status (pacijent_id, status, dan, izvor, ustanova_id)
         select min(p.id), 'preminuo', date '2026-03-11', 'ustanova', min(p.ustanova_id) from patient p where p.prezime = 'Prezime2'",
        "insert into patient_status (pacijent_id, registar_id, status, dan, izvor, ustanova_id)
         select p.id, r.id, 'izgubljen', date '2026-03-02', 'ustanova', p.ustanova_id from patient p cross join register r where p.prezime = 'Prezime3'",
    ])
    .await;
    let death = json!({ "prikaz": "prezivljavanje", "dogadjaj": {}, "vreme": { "vrsta": "datumi", "cenzura": "2026-03-31" } });
    let found = rows(&app, &worker, &analysed(&worker, &cohort, "Smrt", death).await, Some(app.ustanova)).await;
    let mut of_each: Vec<(bool, String)> =
        found.iter().map(|row| (row[0] == Cell::Bool(true), row[1].clone().into_text().unwrap())).collect();
    of_each.sort();
    assert_eq!(of_each.iter().filter(|(event, _)| *event).map(|(_, time)| time.as_str()).collect::<Vec<_>>(), ["69"]);
    assert_eq!(of_each.iter().filter(|(event, time)| !event && time == "60").count(), 1, "{of_each:?}");

    let outcome = json!({ "poljeID": register.fields["izbor"] });
    let time = json!({ "vrsta": "polje", "poljeID": register.fields["zbir"] });
    let item = json!({ "poljeID": register.fields["skup"], "stavkaID": register.items["prva"] });
    for (naziv, izbor) in [
        ("Grupe", json!({ "prikaz": "poredjenje", "promenljive": [broj, field(&register, "skup")], "po": field(&register, "izbor") })),
        ("2x2", json!({ "prikaz": "poredjenje", "promenljive": [field(&register, "izbor")], "po": { "izvor": "pol" } })),
        (
            "Parovi",
            json!({ "prikaz": "poredjenje", "promenljive": [broj], "sa": { "izvor": "polje", "poljeID": register.fields["broj"], "trenutak": "poslednja" } }),
        ),
        (
            "Koks",
            json!({ "prikaz": "povezanost", "model": "koksova", "promenljive": [broj, { "izvor": "pol" }], "dogadjaj": outcome, "vreme": time }),
        ),
        ("Logistička", json!({ "prikaz": "povezanost", "model": "logisticka", "promenljive": [broj], "dogadjaj": item })),
        ("Linearna", json!({ "prikaz": "povezanost", "model": "linearna", "promenljive": [{ "izvor": "starost" }], "ishod": broj })),
        ("Tačnost", json!({ "prikaz": "tacnost", "promenljive": [broj, field(&register, "izbor")], "dogadjaj": item })),
        ("Stope", json!({ "prikaz": "stope", "dogadjaj": outcome, "vreme": time, "po": { "izvor": "pol" }, "na": 100 })),
        ("Raspodela", json!({ "prikaz": "raspodela", "promenljive": [broj, field(&register, "skup")], "jezik": "en" })),
        ("Kutije", json!({ "prikaz": "raspodela", "promenljive": [broj, field(&register, "skup")], "po": { "izvor": "pol" } })),
    ] {
        let analysis = analysed(&worker, &cohort, naziv, izbor).await;
        assert_eq!(rows(&app, &worker, &analysis, Some(app.ustanova)).await.len(), 8, "{naziv}");
    }

    // What competes with the event: by answers as they are, by days whichever came first.
    let competing = json!({ "poljeID": register.fields["skup"], "stavkaID": register.items["druga"] });
    let incidence =
        json!({ "prikaz": "prezivljavanje", "dogadjaj": outcome, "konkurentni": competing, "vreme": time, "po": { "izvor": "pol" } });
    let found = rows(&app, &worker, &analysed(&worker, &cohort, "Incidencija", incidence).await, Some(app.ustanova)).await;
    let both = found.iter().filter(|row| row[1] == Cell::Bool(true) && row[2] == Cell::Bool(true)).count();
    assert_eq!((found.len(), both), (8, 2), "{found:?}");
    let by_days = json!({ "prikaz": "prezivljavanje", "dogadjaj": event, "konkurentni": {}, "vreme": { "vrsta": "datumi", "cenzura": "2026-03-31" } });
    let found = rows(&app, &worker, &analysed(&worker, &cohort, "Incidencija po danima", by_days).await, Some(app.ustanova)).await;
    let mut ends: Vec<(bool, bool, String)> =
        found.iter().map(|row| (row[0] == Cell::Bool(true), row[1] == Cell::Bool(true), row[2].clone().into_text().unwrap())).collect();
    ends.sort();
    // Patient 2 had the event in January, before the death of March; patient 3 was lost on the second of March.
    assert!(ends.iter().all(|(event, other, _)| !(*event && *other)), "{ends:?}");
    assert_eq!(ends.iter().filter(|(event, ..)| *event).map(|(.., time)| time.as_str()).collect::<Vec<_>>(), ["20"; 4], "{ends:?}");
    assert_eq!(ends.iter().filter(|(event, other, time)| !event && !other && time == "60").count(), 1, "{ends:?}");

    // It is offered, run and scheduled as any report.
    let tree = worker.get("/api/report-categories/tree").await.json();
    let branch = tree["data"].as_array().unwrap().iter().find(|branch| branch["naziv"] == "Analize").expect("a branch of analyses");
    assert_eq!(branch["tipovi"][0]["izvestaji"].as_array().unwrap().len(), 15);
    let report = branch["tipovi"][0]["izvestaji"][0]["id"].clone();
    worker.get(&format!("/api/reports/{report}/parameters")).await.assert_status(200);
    let order = json!({ "siID": report, "checkZakazivanjeBuducnost": true, "ponavljanje": 1, "vreme": "08:00", "period": 0 });
    worker.post("/api/report-queue", order.clone()).await.assert_status(202);
    worker.post("/api/report-queue", json!({ "siID": report, "formati": ["CSV"] })).await.assert_status(202);
    let formats: Vec<Vec<String>> = sqlx::query_scalar("select formati from report_schedule union all select formati from report_run")
        .fetch_all(&app.db.owner)
        .await
        .expect("orders");
    assert_eq!(formats, [vec!["PDF", "XLSX", "CSV", "EKRAN"], vec!["CSV", "EKRAN"]], "its result is read where it was chosen");
}

#[tokio::test]
async fn a_cohort_takes_finished_or_signed_entries_alone() {
    let app = TestApp::new().await;
    let (register, _) = ground(&app).await;
    let worker = app.worker("analiticarka", &[Right::Reports], app.ustanova).await;
    let count = async |more: Value| worker.post("/api/cohort-count", cohort(&register, "", more)["izbor"].clone()).await.json();
    // Finished: one by a hand and one behind a lock; a lock alone finishes nothing, and of what went back into work nothing holds.
    app.lay_out(&[
        "insert into entry_state (unos_id, stanje, radnja, znacenje, form_version_id)
         select e.id, 'potpisan', 'potpis', 'autor', e.form_version_id from entry e order by e.id limit 3",
        "insert into entry_state (unos_id, stanje, radnja, razlog)
         select e.id, case o.n when 2 then 'zakljucan' else 'uRadu' end, case o.n when 2 then 'zakljucavanje' else 'vracanje' end, 'Kraj kvartala'
           from (values (2), (3)) o (n), lateral (select id from entry order by id limit 1 offset o.n - 1) e",
        "insert into entry_state (unos_id, stanje, radnja)
         select e.id, 'zavrsen', 'zavrsavanje' from (select id from entry order by id limit 1 offset 3) e",
        "insert into entry_state (unos_id, stanje, radnja, razlog)
         select e.id, 'zakljucan', 'zakljucavanje', 'Kraj kvartala' from (select id from entry order by id limit 1 offset 4) e",
    ])
    .await;
    for (states, entries) in [("svi", 16), ("zavrseni", 3), ("potpisani", 2)] {
        let counted = count(json!({ "unosi": "svi", "stanja": states })).await;
        assert_eq!(counted["unosa"], entries, "{states}: {counted}");
    }
    let signed = made(&worker, "/api/cohorts", cohort(&register, "Potpisani", json!({ "unosi": "svi", "stanja": "potpisani" }))).await;
    let table = json!({ "prikaz": "tabela1", "promenljive": [field(&register, "broj")] });
    let analysis = analysed(&worker, &signed, "Potpisani", table).await;
    assert_eq!(rows(&app, &worker, &analysis, Some(app.ustanova)).await.len(), 2);
}

#[tokio::test]
async fn a_cohort_of_a_search_has_whom_the_search_finds() {
    let app = TestApp::new().await;
    let (register, _) = ground(&app).await;
    let worker = app.worker("analiticarka", &[Right::Reports], app.ustanova).await;
    let at_least = |value: &str| json!([{ "veza": null, "poljeID": register.fields["broj"], "operator": ">=", "vrednost": value }]);
    let count = async |more: Value| worker.post("/api/cohort-count", cohort(&register, "", more)["izbor"].clone()).await.json();
    // Of March each has ten more than of January: the newest entry of five of eight is at least thirteen, and of nobody less than ten.
    assert_eq!(count(json!({ "unosi": "najnoviji", "filteri": at_least("13") })).await, json!({ "pacijenata": 5, "unosa": 5 }));
    let less = json!([{ "veza": null, "poljeID": register.fields["broj"], "operator": "<", "vrednost": "10" }]);
    assert_eq!(count(json!({ "unosi": "najnoviji", "filteri": less })).await["pacijenata"], 0);
    assert_eq!(count(json!({ "unosi": "poslednji", "filteri": less })).await["pacijenata"], 8, "an older entry passes");
    let all = count(json!({ "unosi": "najnoviji" })).await["pacijenata"].as_i64().unwrap();
    let years: Vec<i32> = sqlx::query_scalar(
        "select extract(year from p.datum_rodjenja)::int from patient p where p.ustanova_id = $1 and p.datum_rodjenja is not null",
    )
    .bind(app.ustanova)
    .fetch_all(&app.db.owner)
    .await
    .expect("years of birth");
    let oldest = years.iter().min().expect("somebody");
    let born = count(json!({ "unosi": "najnoviji", "rodjenjeDo": oldest })).await["pacijenata"].as_i64().unwrap();
    assert_eq!(born, years.iter().filter(|year| *year == oldest).count() as i64);
    assert_eq!((all, count(json!({ "unosi": "svi", "rodjenjeOd": 2200 })).await["pacijenata"].clone()), (8, json!(0)));
    let odd = worker.post("/api/cohorts", cohort(&register, "Obrnuta", json!({ "rodjenjeOd": 1990, "rodjenjeDo": 1980 }))).await;
    assert_eq!(refusal(&odd)["field"], "rodjenjeDo");

    // It is a cohort like any other: an analysis takes it, and says in its result whom it has.
    let found =
        made(&worker, "/api/cohorts", cohort(&register, "Iz pretrage", json!({ "unosi": "najnoviji", "filteri": at_least("13") }))).await;
    let table = json!({ "prikaz": "tabela1", "promenljive": [field(&register, "broj")] });
    let analysis = analysed(&worker, &found, "Iz pretrage", table).await;
    let mut numbers: Vec<String> = texts(&rows(&app, &worker, &analysis, Some(app.ustanova)).await, 0).into_iter().flatten().collect();
    numbers.sort();
    assert_eq!(numbers, ["13", "14", "15", "16", "17"]);
}

#[tokio::test]
async fn what_is_not_whole_is_refused_in_words() {
    let app = TestApp::new().await;
    let (register, _) = ground(&app).await;
    let worker = app.worker("analiticarka", &[Right::Reports], app.ustanova).await;
    let cohort = made(&worker, "/api/cohorts", cohort(&register, "Svi", json!({}))).await;
    let (broj, izbor) = (field(&register, "broj"), json!({ "poljeID": register.fields["izbor"] }));
    let text = field(&register, "tekst");
    let model = |more: Value| {
        let mut choice = json!({ "prikaz": "povezanost", "model": "koksova", "promenljive": [{ "izvor": "pol" }, broj], "dogadjaj": izbor,
            "vreme": { "vrsta": "polje", "poljeID": register.fields["broj"] } });
        more.as_object().expect("an object").iter().for_each(|(name, value)| choice[name] = value.clone());
        choice
    };
    for (choice, place, told) in [
        (json!({ "prikaz": "tabela1" }), "promenljive", "bar jednu promenljivu"),
        (json!({ "prikaz": "tabela1", "promenljive": [broj, broj] }), "promenljive", "dva puta"),
        (json!({ "prikaz": "tabela1", "promenljive": [text] }), "promenljive", "nije broj, izbor ni skup"),
        (json!({ "prikaz": "tabela1", "promenljive": [broj], "po": broj }), "po", "deli grupe"),
        (json!({ "prikaz": "tabela1", "promenljive": [{ "izvor": "pol" }], "po": broj }), "po", "podelite ga na klase"),
        (json!({ "prikaz": "poredjenje", "promenljive": [broj] }), "po", "grupe koje se porede"),
        (json!({ "prikaz": "prezivljavanje", "dogadjaj": izbor }), "vreme", "događaj bez vremena"),
        (
            json!({ "prikaz": "prezivljavanje", "vreme": { "vrsta": "polje", "poljeID": register.fields["broj"] } }),
            "dogadjaj",
            "Izaberite događaj",
        ),
        (json!({ "prikaz": "prezivljavanje", "dogadjaj": izbor, "vreme": { "vrsta": "datumi" } }), "dogadjaj", "datumsko polje"),
        (json!({ "prikaz": "povezanost", "promenljive": [broj] }), "model", "Izaberite model"),
        (json!({ "prikaz": "povezanost", "model": "linearna", "promenljive": [broj], "ishod": broj }), "ishod", "i ishod i prediktor"),
        (json!({ "prikaz": "tacnost", "promenljive": [{ "izvor": "pol" }], "dogadjaj": izbor }), "promenljive", "broj ili odgovor da/ne"),
        (
            json!({ "prikaz": "prezivljavanje", "dogadjaj": izbor, "konkurentni": izbor, "vreme": { "vrsta": "polje", "poljeID": register.fields["broj"] } }),
            "konkurentni",
            "i događaj i konkurentski događaj",
        ),
        (
            json!({ "prikaz": "prezivljavanje", "dogadjaj": izbor, "konkurentni": {}, "vreme": { "vrsta": "polje", "poljeID": register.fields["broj"] } }),
            "konkurentni",
            "kao i događaj",
        ),
        (
            json!({ "prikaz": "prezivljavanje", "dogadjaj": izbor, "konkurentni": { "poljeID": register.fields["skup"], "stavkaID": register.items["prva"] },
                "vreme": { "vrsta": "polje", "poljeID": register.fields["broj"] }, "doVremena": 9 }),
            "doVremena",
            "uklonite jedno",
        ),
        (
            json!({ "prikaz": "prezivljavanje", "dogadjaj": izbor, "vreme": { "vrsta": "polje", "poljeID": register.fields["broj"] }, "doVremena": 0 }),
            "doVremena",
            "veće od 0",
        ),
        (
            json!({ "prikaz": "tacnost", "promenljive": [broj, field(&register, "zbir")], "dogadjaj": izbor, "granice": [1] }),
            "granice",
            "jedan brojni test",
        ),
        (model(json!({ "proizvodi": [{ "prva": 0, "druga": 2 }] })), "proizvodi", "dva izabrana prediktora"),
        (model(json!({ "proizvodi": [{ "prva": 1, "druga": 1 }] })), "proizvodi", "„broj” je naveden dva puta"),
        (model(json!({ "proizvodi": [{ "prva": 0, "druga": 1 }, { "prva": 1, "druga": 0 }] })), "proizvodi", "izabrana dva puta"),
        (model(json!({ "slojevi": { "izvor": "starost" } })), "slojevi", "podelite ga na klase"),
        (model(json!({ "slojevi": { "izvor": "pol" } })), "slojevi", "unutar sloja je uvek isti"),
        (model(json!({ "promenljive": [{ "izvor": "pol", "referenca": "Female" }] })), "promenljive", "Muški; Ženski"),
        (model(json!({ "promenljive": [{ "izvor": "starost", "referenca": "60" }] })), "promenljive", "je broj"),
        (
            json!({ "prikaz": "tabela1", "promenljive": [{ "izvor": "polje", "poljeID": register.fields["broj"], "rezovi": [5, 5] }] }),
            "promenljive",
            "bez ponavljanja",
        ),
        (json!({ "prikaz": "tabela1", "promenljive": [{ "izvor": "polje", "poljeID": 999_999 }] }), "promenljive", "više nije"),
        (json!({ "prikaz": "tabela1", "promenljive": [{ "izvor": "pol" }], "obim": "sve" }), "obim", "ko podešava izveštaje"),
    ] {
        let answer = worker.post("/api/analyses", json!({ "naziv": "Pogrešna", "kohortaID": cohort["id"], "izbor": choice })).await;
        assert_eq!(answer.status, 422, "{choice} {}", answer.text());
        let refusal = refusal(&answer);
        assert_eq!(refusal["field"], place, "{refusal}");
        assert!(refusal["message"].as_str().unwrap().contains(told), "{refusal}");
    }
    let nobody = worker.post("/api/analyses", json!({ "naziv": "", "kohortaID": cohort["id"], "izbor": { "prikaz": "tabela1" } })).await;
    assert_eq!(refusal(&nobody)["field"], "naziv");
    // Words of the chooser stay words, in the query and in the template.
    let naziv = "Prazno'; drop table patient; -- {{#each}} \"";
    let odd = json!({ "prikaz": "tabela1", "promenljive": [{ "izvor": "pol", "naziv": naziv }] });
    let analysis = analysed(&worker, &cohort, naziv, odd).await;
    assert_eq!(rows(&app, &worker, &analysis, Some(app.ustanova)).await.len(), 8);
}

#[tokio::test]
async fn a_cohort_and_its_analyses_are_their_owners_or_the_institutions_that_shares_them() {
    let app = TestApp::new().await;
    let (register, _) = ground(&app).await;
    let owner = app.worker("vlasnica", &[Right::Reports], app.ustanova).await;
    let colleague = app.worker("koleginica", &[Right::Reports], app.ustanova).await;
    let stranger = app.worker("strankinja", &[Right::Reports, Right::ReportSetup], app.druga_ustanova).await;
    let body = cohort(&register, "Moja", json!({}));
    let cohort = made(&owner, "/api/cohorts", body.clone()).await;
    let choice = json!({ "prikaz": "tabela1", "promenljive": [field(&register, "broj")] });
    let analysis = analysed(&owner, &cohort, "Moja analiza", choice.clone()).await;
    let (of_cohort, of_analysis) = (format!("/api/cohorts/{}", cohort["id"]), format!("/api/analyses/{}", analysis["id"]));
    let input = json!({ "naziv": "Tuđa", "kohortaID": cohort["id"], "izbor": choice, "verzija": 1 });
    let report = analysis["izvestajID"].clone();

    for other in [&colleague, &stranger] {
        for list in ["/api/cohorts", "/api/analyses"] {
            assert_eq!(other.get(list).await.json(), json!([]), "{list}");
        }
        let tree = other.get("/api/report-categories/tree").await.json();
        assert!(!tree.to_string().contains("Moja analiza"), "{tree}");
        other.put(&of_cohort, body.clone()).await.assert_status(404);
        other.delete(&of_cohort).await.assert_status(404);
        other.post(&format!("{of_cohort}/freeze"), json!({})).await.assert_status(404);
        other.delete(&format!("{of_cohort}/freeze")).await.assert_status(404);
        other.put(&of_analysis, input.clone()).await.assert_status(422);
        other.delete(&of_analysis).await.assert_status(404);
        other.post("/api/analyses", input.clone()).await.assert_status(422);
        other.get(&format!("/api/reports/{report}/parameters")).await.assert_status(404);
        other.post("/api/report-queue", json!({ "siID": report })).await.assert_status(404);
    }
    // Whoever sets reports up sets up those of administrators.
    stranger.get(&format!("/api/reports/{report}/definition")).await.assert_status(404);
    stranger.get(&format!("/api/reports/{report}")).await.assert_status(404);
    stranger.delete(&format!("/api/reports/{report}")).await.assert_status(404);
    let listed = stranger.get("/api/reports?filter=Moja").await.json();
    assert_eq!(listed["total"], 0, "{listed}");

    let mut shared = body.clone();
    shared["deljena"] = json!(true);
    shared["verzija"] = json!(1);
    owner.put(&of_cohort, shared.clone()).await.assert_status(204);
    owner.put(&of_cohort, shared).await.assert_status(409);
    let mut of_all = input.clone();
    of_all["naziv"] = json!("Moja analiza");
    of_all["deljena"] = json!(true);
    owner.put(&of_analysis, of_all).await.assert_status(200);

    let seen = colleague.get("/api/analyses").await.json();
    assert_eq!((seen[0]["moja"].clone(), seen[0]["naziv"].clone()), (json!(false), json!("Moja analiza")));
    colleague.put(&of_cohort, body.clone()).await.assert_status(403);
    colleague.delete(&of_analysis).await.assert_status(403);
    colleague.post("/api/report-queue", json!({ "siID": report })).await.assert_status(202);
    let theirs = analysed(&colleague, &cohort, "Koleginicina", choice).await;
    let found = owner.get("/api/analyses").await.json();
    assert_eq!(found.as_array().unwrap().len(), 1, "hers is hers alone");
    for list in ["/api/cohorts", "/api/analyses"] {
        assert_eq!(stranger.get(list).await.json(), json!([]), "{list}");
    }
    stranger.post("/api/report-queue", json!({ "siID": report })).await.assert_status(404);
    // Numbers are of the institution that asks, whoever made the question.
    assert_eq!(rows(&app, &stranger, &analysis, Some(app.druga_ustanova)).await.len(), 2);
    // What others use stays shared and stays there.
    let mut alone = body;
    alone["verzija"] = json!(2);
    owner.put(&of_cohort, alone).await.assert_status(409);
    owner.delete(&of_cohort).await.assert_status(409);
    colleague.delete(&format!("/api/analyses/{}", theirs["id"])).await.assert_status(204);
    owner.delete(&of_cohort).await.assert_status(409);
    owner.delete(&of_analysis).await.assert_status(204);
    owner.delete(&of_cohort).await.assert_status(204);
    owner.post("/api/report-queue", json!({ "siID": report })).await.assert_status(404);

    let logged = app.log("cohort").await;
    assert!(logged.len() >= 3, "made, shared, deleted");
}

#[tokio::test]
async fn a_frozen_cohort_keeps_its_entries_and_loses_who_is_made_anonymous() {
    let app = TestApp::new().await;
    let (register, patients) = ground(&app).await;
    let worker = app.worker("vlasnica", &[Right::Reports], app.ustanova).await;
    let body = cohort(&register, "Zamrznuta", json!({ "unosi": "poslednji" }));
    let cohort = made(&worker, "/api/cohorts", body.clone()).await;
    let choice = json!({ "prikaz": "tabela1", "promenljive": [
        field(&register, "broj"), { "izvor": "polje", "poljeID": register.fields["broj"], "trenutak": "poslednja" }] });
    let analysis = analysed(&worker, &cohort, "Zamrznuta analiza", choice).await;
    let freeze = format!("/api/cohorts/{}/freeze", cohort["id"]);
    worker.post(&freeze, json!({})).await.assert_status(204);
    worker.post(&freeze, json!({})).await.assert_status(409);

    // A later entry, and a patient who comes, change nothing.
    app.entry(&register, patients[0], app.ustanova, "2026-05-01", json!({ "broj": 99 })).await;
    let late = app.patient(&register, "Ime", "Kasni", app.ustanova, 50).await;
    app.entry(&register, late, app.ustanova, "2026-05-01", json!({ "broj": 98 })).await;
    let numbers = |found: &[Vec<Cell>]| {
        let mut all: Vec<String> = found.iter().flatten().filter_map(|cell| cell.clone().into_text()).collect();
        all.sort();
        all
    };
    let found = rows(&app, &worker, &analysis, Some(app.ustanova)).await;
    assert_eq!(found.len(), 8);
    assert!(!numbers(&found).iter().any(|number| number == "99" || number == "98"), "{found:?}");
    let listed = worker.get("/api/cohorts").await.json();
    assert_eq!(listed[0]["clanova"], 8);
    assert!(listed[0]["zamrznuta"].as_str().unwrap().ends_with('.'), "{listed}");

    // Its conditions stay as they are; its name may change.
    let mut other = body.clone();
    other["verzija"] = listed[0]["verzija"].clone();
    other["izbor"]["pol"] = json!(true);
    worker.put(&format!("/api/cohorts/{}", cohort["id"]), other).await.assert_status(409);

    // Of another institution it has nobody, whoever reads by its number.
    assert_eq!(rows(&app, &worker, &analysis, Some(app.druga_ustanova)).await.len(), 0);

    // Who is taken out of the members by an erasure is out of each later run.
    let mut tx = db::begin(&app.db.owner, db::SYSTEM_WORKER).await.unwrap();
    sqlx::query("delete from cohort_member m using entry e where e.id = m.unos_id and e.pacijent_id = $1")
        .bind(patients[1])
        .execute(&mut *tx)
        .await
        .unwrap();
    tx.commit().await.unwrap();
    assert_eq!(rows(&app, &worker, &analysis, Some(app.ustanova)).await.len(), 7);

    worker.delete(&freeze).await.assert_status(204);
    let found = rows(&app, &worker, &analysis, Some(app.ustanova)).await;
    assert_eq!(found.len(), 9);
    assert!(numbers(&found).iter().any(|number| number == "99"));
}

#[tokio::test]
async fn over_all_institutions_an_analysis_counts_groups_and_hides_small_ones() {
    let app = TestApp::new().await;
    let register = app.register().await;
    for number in 0..20 {
        let patient = app.patient(&register, "Ime", &format!("Prezime{number}"), app.druga_ustanova, number).await;
        // Two of twenty are above ten.
        let broj = if number < 2 { 50 } else { 1 };
        app.entry(&register, patient, app.druga_ustanova, "2026-01-01", json!({ "broj": broj })).await;
    }
    let worker = app.worker("podesava", &[Right::Reports, Right::ReportSetup], app.ustanova).await;
    let cohort = made(&worker, "/api/cohorts", cohort(&register, "Svuda", json!({}))).await;
    let classes = json!({ "izvor": "polje", "poljeID": register.fields["broj"], "rezovi": [10] });
    let all = |promenljive: Value| json!({ "prikaz": "tabela1", "promenljive": promenljive, "obim": "sve" });
    let refused = json!({ "naziv": "Brojevi", "kohortaID": cohort["id"], "izbor": all(json!([field(&register, "broj")])) });
    assert!(refusal(&worker.post("/api/analyses", refused).await)["message"].as_str().unwrap().contains("klase"));
    let curve = json!({ "prikaz": "prezivljavanje", "obim": "sve" });
    let refused = json!({ "naziv": "Kriva", "kohortaID": cohort["id"], "izbor": curve });
    assert!(refusal(&worker.post("/api/analyses", refused).await)["message"].as_str().unwrap().contains("samo Tabela 1"));

    let analysis = analysed(&worker, &cohort, "Svuda", all(json!([classes, { "izvor": "pol" }]))).await;
    let found = rows(&app, &worker, &analysis, None).await;
    let told: Vec<String> = found.iter().flatten().filter_map(|cell| cell.clone().into_text()).collect();
    assert!(told.contains(&"< 10".to_owned()) && told.contains(&"Muški".to_owned()), "{told:?}");
    assert!(!told.contains(&"≥ 10".to_owned()), "two patients are no row: {told:?}");
    let upit: String = sqlx::query_scalar("select d.upit from report_definition d where d.izvestaj_id = $1")
        .bind(analysis["izvestajID"].as_i64())
        .fetch_one(&app.db.owner)
        .await
        .unwrap();
    for identity in ["ime_prezime", "jmbg", "datum_rodjenja"] {
        assert!(!upit.contains(identity), "{upit}");
    }
}

/// The numbers that R prints behind a name; none where there is no R, or only what Debian calls its core.
fn numbers_of_r(script: &str) -> Option<Vec<(String, Vec<f64>)>> {
    let asked = Command::new("Rscript").args(["-e", "quit(status = 1L - requireNamespace('survival', quietly = TRUE))"]).output();
    let missing = match asked {
        Err(_) => Some("it is not on this machine"),
        Ok(asked) if !asked.status.success() => Some("its package survival is not on this machine"),
        Ok(_) => None,
    };
    if let Some(why) = missing {
        left_out("an analysis by R", why);
        return None;
    }
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), script).expect("written");
    let ran =
        Command::new("Rscript").arg("--vanilla").arg(file.path()).current_dir(std::env::temp_dir()).output().expect("R answered before");
    let told = String::from_utf8_lossy(&ran.stdout).into_owned();
    assert!(ran.status.success(), "{told}{}", String::from_utf8_lossy(&ran.stderr));
    let line = |line: &str| {
        let mut parts = line.split('\t');
        let name = parts.next()?.trim().to_owned();
        Some((name, parts.filter_map(|part| part.trim().parse().ok()).collect()))
    };
    Some(told.lines().filter_map(line).collect())
}

#[tokio::test]
async fn the_script_of_r_repeats_the_numbers_and_leaves_as_an_export_without_identity_does() {
    let app = TestApp::new().await;
    let (register, _) = ground(&app).await;
    let reader = app.worker("bez-izvoza", &[Right::Reports], app.ustanova).await;
    let worker = app.worker("analiticarka", &[Right::Reports, Right::DataExport], app.ustanova).await;
    let stranger = app.worker("strankinja", &[Right::Reports, Right::DataExport], app.druga_ustanova).await;
    let mut shared = cohort(&register, "Svi", json!({ "unosi": "svi" }));
    shared["deljena"] = json!(true);
    let all = made(&worker, "/api/cohorts", shared).await;
    let event = json!({ "poljeID": register.fields["izbor"] });
    let time = json!({ "vrsta": "polje", "poljeID": register.fields["broj"] });
    let curve = json!({ "prikaz": "prezivljavanje", "dogadjaj": event, "vreme": time, "po": field(&register, "skup"), "vremena": [5] });
    let curve = analysed(&worker, &all, "Kriva", curve).await;
    let path = format!("/api/analyses/{}/r-script", curve["id"]);
    reader.get(&path).await.assert_status(403);
    stranger.get(&path).await.assert_status(404);
    let answer = worker.get(&path).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let script = answer.text();
    for identity in ["Prezime", "2026-0", "pacijent_id"] {
        assert!(!script.contains(identity), "{identity} in {script}");
    }

    let found = rows(&app, &worker, &curve, Some(app.ustanova)).await;
    let codes: Vec<Option<u32>> = found.iter().map(|row| Some(u32::from(row[0] == Cell::Text("druga".into())))).collect();
    let events: Vec<Option<bool>> = found.iter().map(|row| Some(row[1] == Cell::Bool(true))).collect();
    let times: Vec<Option<f64>> = found.iter().map(|row| row[2].as_f64()).collect();
    let by = Factor { name: "skup", levels: &["prva", "druga"], codes: &codes };
    let data = FollowUp::new(Numeric { name: "vreme", values: &times }, Binary { name: "dogadjaj", values: &events });
    let ours = log_rank(&data, by, None, Weight::LogRank).expect("a test");
    let near = |theirs: f64, ours: f64, what: &str| assert!((theirs - ours).abs() < 1e-6, "{what}: R {theirs}, ours {ours}");
    let Some(theirs) = numbers_of_r(&script) else { return };
    let of = |theirs: &[(String, Vec<f64>)], name: &str| {
        theirs.iter().find(|(known, _)| known.contains(name)).unwrap_or_else(|| panic!("{name} in {theirs:?}")).1.clone()
    };
    let tested = of(&theirs, "log-rang");
    near(tested[0], ours.test.statistic, "the log-rank statistic");
    near(tested[1], ours.test.p, "its p");

    let table = json!({ "prikaz": "tabela1", "po": field(&register, "skup"), "promenljive": [
        field(&register, "broj"), field(&register, "izbor"), { "izvor": "starost" }, { "izvor": "pol" }] });
    let table = analysed(&worker, &all, "Tabela", table).await;
    let script = worker.get(&format!("/api/analyses/{}/r-script", table["id"])).await.text();
    let theirs = numbers_of_r(&script).expect("R was there");
    let ours = welch_anova(Numeric { name: "broj", values: &times }, by).expect("a test");
    near(of(&theirs, "p (Velč)")[0], ours.p, "Welch's p");

    // Restricted means and their difference, and the incidence beside a competing event.
    let restricted =
        json!({ "prikaz": "prezivljavanje", "dogadjaj": event, "vreme": time, "po": field(&register, "skup"), "doVremena": 3 });
    let restricted = analysed(&worker, &all, "RMST", restricted).await;
    let theirs = numbers_of_r(&worker.get(&format!("/api/analyses/{}/r-script", restricted["id"])).await.text()).expect("R was there");
    let ours = restricted_mean_difference(&data, by, 3.0, Level::P95).expect("a difference");
    let told = of(&theirs, "RMST druga - prva");
    near(-told[0], ours.difference.value, "the difference of restricted means");
    near(told[1], ours.difference.se.expect("its error"), "its standard error");
    near(told[2], ours.test.p, "its p");
    let competing = json!({ "poljeID": register.fields["skup"], "stavkaID": register.items["druga"] });
    let incidence = json!({ "prikaz": "prezivljavanje", "dogadjaj": event, "konkurentni": competing, "vreme": time, "vremena": [5],
        "po": { "izvor": "pol" } });
    let incidence = analysed(&worker, &all, "Incidencija", incidence).await;
    let found = rows(&app, &worker, &incidence, Some(app.ustanova)).await;
    let causes: Vec<Option<u32>> =
        found.iter().map(|row| Some(if row[1] == Cell::Bool(true) { 1 } else { u32::from(row[2] == Cell::Bool(true)) * 2 })).collect();
    let men: Vec<Option<u32>> = found.iter().map(|row| Some(u32::from(row[0] == Cell::Text("Muški".into())))).collect();
    let times: Vec<Option<f64>> = found.iter().map(|row| row[3].as_f64()).collect();
    let cause = Factor { name: "uzrok", levels: &["", "događaj", "drugi"], codes: &causes };
    let followed = CompetingFollowUp { time: Numeric { name: "vreme", values: &times }, cause, entry: None };
    let ours = gray(&followed, 1, Factor { name: "pol", levels: &["Ženski", "Muški"], codes: &men }).expect("a test");
    let script = worker.get(&format!("/api/analyses/{}/r-script", incidence["id"])).await.text();
    let theirs = numbers_of_r(&script).expect("R was there");
    assert!(theirs.iter().any(|(name, values)| name.contains("F(5)") && values.len() == 2), "{theirs:?}");
    let tested = of(&theirs, "Grejov test, uzrok 1");
    near(tested[0], ours.statistic, "Gray's statistic");
    near(tested[1], ours.p, "its p");
    let ours = gray(&followed, 2, Factor { name: "pol", levels: &["Ženski", "Muški"], codes: &men }).expect("a test");
    near(of(&theirs, "Grejov test, uzrok 2")[0], ours.statistic, "Gray's statistic of what competes");

    // Each view runs to its end.
    let broj = field(&register, "broj");
    for (naziv, izbor) in [
        (
            "Koks",
            json!({ "prikaz": "povezanost", "model": "koksova", "promenljive": [{ "izvor": "starost" }], "dogadjaj": event, "vreme": time }),
        ),
        (
            "Slojevi",
            json!({ "prikaz": "povezanost", "model": "koksova", "dogadjaj": event, "vreme": time, "slojevi": field(&register, "skup"),
                "promenljive": [{ "izvor": "pol", "referenca": "Ženski" }, { "izvor": "starost" }], "proizvodi": [{ "prva": 0, "druga": 1 }] }),
        ),
        ("Logistička", json!({ "prikaz": "povezanost", "model": "logisticka", "promenljive": [{ "izvor": "pol" }], "dogadjaj": event })),
        ("Linearna", json!({ "prikaz": "povezanost", "model": "linearna", "promenljive": [{ "izvor": "starost" }], "ishod": broj })),
        ("Tačnost", json!({ "prikaz": "tacnost", "promenljive": [broj], "dogadjaj": event, "granice": [5, 12.5] })),
        ("Stope", json!({ "prikaz": "stope", "dogadjaj": event, "vreme": time, "po": { "izvor": "pol" } })),
        ("Raspodela", json!({ "prikaz": "raspodela", "promenljive": [broj, { "izvor": "pol" }] })),
        ("Kutije", json!({ "prikaz": "raspodela", "promenljive": [broj], "po": { "izvor": "pol" } })),
        (
            "Parovi",
            json!({ "prikaz": "poredjenje", "promenljive": [broj], "sa": { "izvor": "polje", "poljeID": register.fields["broj"], "trenutak": "poslednja" } }),
        ),
    ] {
        let analysis = analysed(&worker, &all, naziv, izbor).await;
        let answer = worker.get(&format!("/api/analyses/{}/r-script", analysis["id"])).await;
        assert_eq!(answer.status, 200, "{naziv}: {}", answer.text());
        numbers_of_r(&answer.text());
    }
    // A part of a date, and few patients, do not leave.
    let year = analysed(&worker, &all, "Godine", json!({ "prikaz": "tabela1", "promenljive": [{ "izvor": "godina" }] })).await;
    worker.get(&format!("/api/analyses/{}/r-script", year["id"])).await.assert_status(409);
    let few = made(
        &worker,
        "/api/cohorts",
        cohort(
            &register,
            "Malo",
            json!({ "filteri": [
        { "veza": null, "poljeID": register.fields["broj"], "operator": "<", "vrednost": "3" }] }),
        ),
    )
    .await;
    let few = analysed(&worker, &few, "Malo", json!({ "prikaz": "tabela1", "promenljive": [broj] })).await;
    let refused = worker.get(&format!("/api/analyses/{}/r-script", few["id"])).await;
    assert_eq!(refused.status, 409, "{}", refused.text());
    assert!(app.log("analysis").await.iter().any(|row| row.akcija == "preuzimanje"), "whom it took out is logged");
}

#[tokio::test]
async fn a_model_has_products_strata_and_the_reference_that_were_chosen() {
    let app = TestApp::new().await;
    let (register, _) = ground(&app).await;
    let worker = app.worker("analiticarka", &[Right::Reports], app.ustanova).await;
    let all = made(&worker, "/api/cohorts", cohort(&register, "Svi", json!({ "unosi": "svi" }))).await;
    let model = json!({ "prikaz": "povezanost", "model": "koksova", "dogadjaj": { "poljeID": register.fields["izbor"] },
        "vreme": { "vrsta": "polje", "poljeID": register.fields["broj"] }, "slojevi": field(&register, "skup"),
        "promenljive": [{ "izvor": "pol", "referenca": "Ženski" }, { "izvor": "starost" }], "proizvodi": [{ "prva": 0, "druga": 1 }] });
    let analysis = analysed(&worker, &all, "Model", model.clone()).await;
    let listed = worker.get("/api/analyses").await.json();
    assert_eq!(listed[0]["izbor"]["proizvodi"], json!([{ "prva": 0, "druga": 1 }]), "{listed}");
    let sheet = "select d.sablon from report r join report_definition d on d.id = r.definicija_id where r.id = $1";
    let sheet: String = sqlx::query_scalar(sheet).bind(analysis["izvestajID"].as_i64()).fetch_one(&app.db.owner).await.expect("a template");
    for told in ["vars=\"v1, v2, v1*v2\"", "strata=\"sloj\"", "reference=\"Ženski\""] {
        assert!(sheet.contains(told), "{told} in {sheet}");
    }
    let found = rows(&app, &worker, &analysis, Some(app.ustanova)).await;
    let mut strata: Vec<String> = texts(&found, 2).into_iter().flatten().collect();
    strata.dedup();
    assert!(strata.iter().all(|name| name == "prva" || name == "druga") && strata.len() > 1, "{strata:?}");

    // Another view and another model read none of it.
    for other in [json!({ "prikaz": "tabela1" }), json!({ "model": "logisticka" })] {
        let mut choice = model.clone();
        other.as_object().expect("an object").iter().for_each(|(name, value)| choice[name] = value.clone());
        let analysis = analysed(&worker, &all, &format!("Bez slojeva {other}"), choice).await;
        let upit = "select d.upit from report r join report_definition d on d.id = r.definicija_id where r.id = $1";
        let upit: String = sqlx::query_scalar(upit).bind(analysis["izvestajID"].as_i64()).fetch_one(&app.db.owner).await.expect("a query");
        assert!(!upit.contains("sloj"), "{upit}");
    }
}

/// Patients of the search that these texts of the query add up to.
async fn found(worker: &Worker, whole: &str, parts: &[&str]) -> usize {
    let whole = ScreenSearch::read(whole).unwrap_or_else(|| panic!("the screen reads it not: {whole}"));
    let search = parts.iter().try_fold(whole, |search, part| search.and(&SearchPart::read(part)?)).expect("a search");
    let search = serde_json::to_value(search).expect("JSON");
    let body = json!({ "registarID": search["registarID"], "pol": search["pol"].as_bool().map_or(-1, i16::from), "opsegUslova": "istiUnos",
                       "unosUslova": search["unos"], "redPretrage": search["uslovi"], "sviRezultati": true });
    worker.post("/api/search", body).await.assert_status(200).json()["unosi"].as_array().expect("patients").len()
}

/// As each cell of the table is made: rows of one group and one value, all of which say the same search.
#[tokio::test]
async fn each_cell_of_table_1_is_as_many_as_the_search_that_it_leads_to_finds() {
    let app = TestApp::new().await;
    let (register, _) = ground(&app).await;
    let worker = app.worker("analiticarka", &[Right::Reports], app.ustanova).await;
    let broj = register.fields["broj"];
    let table = json!({ "prikaz": "tabela1", "po": { "izvor": "pol" }, "promenljive": [
        field(&register, "izbor"), field(&register, "skup"),
        { "izvor": "polje", "poljeID": broj, "rezovi": [5, 10.5] }, { "izvor": "polje", "poljeID": broj, "prikaz": "kategorija" },
        { "izvor": "godina" }, { "izvor": "starost" }] });
    let condition = json!([{ "veza": null, "poljeID": broj, "operator": ">=", "vrednost": "2" },
                           { "veza": "ili", "poljeID": register.fields["izbor"], "operator": "izabrano", "vrednost": null }]);
    let (mut compared, mut cells) = (0, 0);
    for unosi in ["prvi", "poslednji", "najnoviji"] {
        for more in [json!({}), json!({ "filteri": condition, "samoMojaUstanova": true }), json!({ "datumDo": "2026-02-01", "pol": true })]
        {
            let mut more = more;
            more["unosi"] = json!(unosi);
            let cohort = made(&worker, "/api/cohorts", cohort(&register, &format!("{unosi} {compared}"), more)).await;
            let analysis = analysed(&worker, &cohort, &format!("Tabela {unosi} {compared}"), table.clone()).await;
            let (columns, rows) = delivered(&app, &worker, &analysis, app.ustanova).await;
            let place = |name: &str| columns.iter().position(|column| column == name);
            let text = |row: &[Cell], place: usize| row[place].clone().into_text();
            let whole = place("pretraga").expect("the search of all");
            assert!(rows.iter().all(|row| text(row, whole) == text(&rows[0], whole)), "one search of all");
            assert_eq!(found(&worker, &text(&rows[0], whole).unwrap(), &[]).await, rows.len());
            let unsaid = ["v2", "v5", "v6"].map(|name| place(&format!("pretraga {name}")));
            assert_eq!(unsaid, [None; 3], "no search asks for several items at once, a year, or an age at the visit");
            for variable in ["v1", "v3", "v4"] {
                let [value, part, sex] =
                    [variable.to_owned(), format!("pretraga {variable}"), "pretraga po".to_owned()].map(|name| place(&name).unwrap());
                let mut of_cell = std::collections::BTreeMap::<_, Vec<&Vec<Cell>>>::new();
                for row in &rows {
                    of_cell.entry((text(row, sex), text(row, value))).or_default().push(row);
                }
                for ((sex, _), of) in of_cell {
                    let parts: std::collections::BTreeSet<String> = of.iter().filter_map(|row| text(row, part)).collect();
                    let part = parts.into_iter().next().expect("a value leads to a search");
                    let count = found(&worker, &text(of[0], whole).unwrap(), &[&sex.unwrap(), &part]).await;
                    assert_eq!(count, of.len(), "{unosi} {variable} {part}");
                    cells += 1;
                }
            }
            compared += 1;
        }
    }
    assert!(cells > 60, "{cells}");

    // A cohort that no search can say leads nowhere.
    for more in [json!({ "stanja": "zavrseni" }), json!({ "rodjenjeOd": 1950 }), json!({ "starostOd": 18 })] {
        let cohort = made(&worker, "/api/cohorts", cohort(&register, &format!("Bez veze {more}"), more)).await;
        let analysis = analysed(&worker, &cohort, &format!("Tabela {}", cohort["id"]), table.clone()).await;
        let (columns, _) = delivered(&app, &worker, &analysis, app.ustanova).await;
        assert!(columns.iter().all(|column| !column.starts_with("pretraga")), "{columns:?}");
    }
}

/// The columns of an analysis, and its rows in this institution.
async fn delivered(app: &TestApp, worker: &Worker, analysis: &Value, ustanova: i64) -> (Vec<String>, Vec<Vec<Cell>>) {
    let upit: String = sqlx::query_scalar("select d.upit from report r join report_definition d on d.id = r.definicija_id where r.id = $1")
        .bind(analysis["izvestajID"].as_i64())
        .fetch_one(&app.db.owner)
        .await
        .expect("a live version");
    let scope = Scope { run: None, radnik_id: worker.id, ustanova_id: Some(ustanova) };
    let binds = session_binds(worker.id, ustanova, None);
    let found = app.state.report_db.small(scope, &upit, &binds, Duration::from_secs(20), 1_000).await;
    let found = found.unwrap_or_else(|error| panic!("{upit}: {error}"));
    (found.columns, found.rows)
}
