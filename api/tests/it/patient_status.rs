//! What became of a patient: a history in each register, and a death that is the patient's, whoever knows her and whatever writes.

use accounts::rights::Right;
use base64::{Engine, prelude::BASE64_STANDARD};
use domain::{
    db,
    report_sql::{Binds, Scope, Value as Cell},
};
use jiff::{Timestamp, ToSpan};
use serde_json::{Value, json};

use crate::{
    import_data,
    import_register::{DEFINITION, store},
    support::{Answer, TestApp, TestRegister, Worker},
};

/// A patient of the first institution, whom the second one knows by an entry.
struct Case {
    app: TestApp,
    register: TestRegister,
    patient: i64,
    doctor: Worker,
    elsewhere: Worker,
}

impl Case {
    async fn new() -> Self {
        let app = TestApp::new().await;
        let register = app.register().await;
        let patient = app.patient(&register, "Ana", "Anić", app.ustanova, 1).await;
        app.entry(&register, patient, app.druga_ustanova, "2024-02-01", json!({})).await;
        let doctor = app.worker("doktorka", &[Right::PatientStatus], app.ustanova).await;
        let elsewhere = app.worker("drugde", &[Right::PatientStatus], app.druga_ustanova).await;
        Self { app, register, patient, doctor, elsewhere }
    }

    fn path(&self, rest: &str) -> String {
        format!("/api/patients/{}{rest}", self.patient)
    }

    async fn record(&self, body: Value) -> Answer {
        self.doctor.post(&self.path("/statuses"), body).await
    }

    async fn died(&self, day: &str) -> i64 {
        let answer = self.record(death(day)).await;
        answer.assert_status(201).json()["id"].as_i64().expect("a row")
    }

    fn of_register(&self, status: &str, day: &str) -> Value {
        json!({ "status": status, "registarID": self.register.id, "dan": day, "izvor": "porodica" })
    }

    fn entry(&self, day: &str) -> Value {
        json!({
            "tsaID": self.register.form, "registarID": self.register.id, "pacijentID": self.patient, "radnikOdgovoran": self.doctor.id,
            "vrednosti": { self.register.field("broj"): 5 }, "datumUnosa": day,
        })
    }

    async fn save(&self, day: &str) -> Value {
        self.doctor.post("/api/entry-values", self.entry(day)).await.assert_status(200).json()
    }

    /// What holds in the register, by the patient's page.
    async fn holds(&self, worker: &Worker) -> (Value, Value) {
        let patient = worker.get(&self.path("")).await.json();
        (patient["registri"][0]["status"].clone(), patient["registri"][0]["statusDan"].clone())
    }

    async fn found(&self, worker: &Worker, status: Value) -> Vec<Value> {
        let found = worker.post("/api/search", json!({ "registarID": self.register.id, "status": status })).await.assert_status(200).json();
        found["unosi"].as_array().expect("rows").clone()
    }
}

fn death(day: &str) -> Value {
    json!({ "status": "preminuo", "dan": day, "izvor": "potvrda" })
}

const AFTER: &str = "Datum pregleda ne može biti posle smrti pacijenta (01.06.2024.). Ispravite datum, ili dan smrti na strani pacijenta.";

#[tokio::test]
async fn a_death_is_told_to_each_institution_that_knows_her_with_who_said_it() {
    let case = Case::new().await;
    assert_eq!(case.holds(&case.elsewhere).await, (json!("aktivan"), Value::Null));
    case.died("2024-06-01").await;
    for worker in [&case.doctor, &case.elsewhere] {
        let patient = worker.get(&case.path("")).await.json();
        let told = &patient["smrt"];
        assert_eq!(
            (&told["dan"], &told["radnik"], &told["ustanova"]),
            (&json!("2024-06-01"), &json!("Test Doktorka"), &json!("Klinika A"))
        );
        assert_eq!(case.holds(worker).await, (json!("preminuo"), json!("2024-06-01")));
    }
    // A register that she enters later has it too.
    let second = "insert into register (naziv) values ('Drugi registar')";
    case.app.lay_out(&[second, "select register_patient(p.id, r.id) from patient p, register r where r.naziv = 'Drugi registar'"]).await;
    let held: Vec<String> = sqlx::query_scalar("select distinct status from patient_register").fetch_all(&case.app.db.owner).await.unwrap();
    assert_eq!(held, ["preminuo"]);
    let again = "Smrt pacijenta je već zabeležena. Ispravite taj zapis.";
    case.elsewhere.post(&case.path("/statuses"), death("2024-06-02")).await.assert_error(409, Some("status"), again);
}

#[tokio::test]
async fn a_correction_and_an_undoing_keep_the_history_and_another_institution_may_make_them() {
    let case = Case::new().await;
    let first = case.died("2024-06-01").await;
    let mut corrected = death("2024-05-30");
    corrected["ispravljaID"] = json!(first);
    case.record(corrected.clone()).await.assert_error(422, Some("napomena"), "Napišite zašto se zapis ispravlja.");
    corrected["napomena"] = json!("Pogrešno prepisan dan");
    let second = case.record(corrected.clone()).await.assert_status(201).json()["id"].clone();
    case.record(corrected).await.assert_status(409);
    assert_eq!(case.holds(&case.doctor).await, (json!("preminuo"), json!("2024-05-30")));

    let undone = json!({ "status": "preminuo", "ispravljaID": second, "ponisten": true, "napomena": "Zamenjena sa drugom osobom" });
    case.elsewhere.post(&case.path("/statuses"), undone).await.assert_status(201);
    let patient = case.doctor.get(&case.path("")).await.json();
    assert_eq!((&patient["smrt"], &patient["registri"][0]["status"]), (&Value::Null, &json!("aktivan")));
    case.save("2024-07-01").await;

    let history = case.doctor.get(&case.path("/statuses")).await.json()["istorija"].clone();
    let rows: Vec<_> = history
        .as_array()
        .unwrap()
        .iter()
        .map(|row| {
            (row["dan"].as_str().unwrap(), row["vazi"].as_bool().unwrap(), row["ponisten"].as_bool().unwrap(), row["radnik"].clone())
        })
        .collect();
    assert_eq!(
        rows,
        [
            ("2024-05-30", false, true, json!("Test Drugde")),
            ("2024-05-30", false, false, json!("Test Doktorka")),
            ("2024-06-01", false, false, json!("Test Doktorka"))
        ]
    );
    // Neither the api nor anybody who writes as it changes or removes a row.
    for statement in ["update patient_status set dan = dan - 1", "delete from patient_status"] {
        let refused = sqlx::query(statement).execute(&case.app.db.app).await.unwrap_err();
        assert_eq!(refused.as_database_error().and_then(|error| error.code()).as_deref(), Some("42501"), "{statement}");
    }
    let log = case.app.log("patient_status").await;
    assert_eq!(log.iter().filter(|row| row.akcija == "kreiranje").count(), 3);
    let views = case.doctor.get(&case.path("/views")).await.json()["data"].clone();
    assert!(views.as_array().unwrap().iter().any(|view| view["klasa"] == "patient_status" && view["nacin"] == "otvaranje"));
}

#[tokio::test]
async fn the_latest_day_holds_in_a_register_and_a_death_above_all() {
    let case = Case::new().await;
    case.record(case.of_register("izgubljen", "2024-03-01")).await.assert_status(201);
    case.record(case.of_register("aktivan", "2024-04-01")).await.assert_status(201);
    // Told late, of an earlier day.
    case.record(case.of_register("premesten", "2024-02-15")).await.assert_status(201);
    assert_eq!(case.holds(&case.doctor).await, (json!("aktivan"), json!("2024-04-01")));
    case.record(case.of_register("povukaoSaglasnost", "2024-05-01")).await.assert_status(201);
    assert_eq!(case.holds(&case.elsewhere).await, (json!("povukaoSaglasnost"), json!("2024-05-01")));
    case.died("2024-04-15").await;
    assert_eq!(case.holds(&case.elsewhere).await, (json!("preminuo"), json!("2024-04-15")));
}

#[tokio::test]
async fn a_day_lies_between_birth_and_today_and_a_death_before_entries_is_asked_about() {
    let case = Case::new().await;
    let today = Timestamp::now().to_zoned(domain::time::zone()).date();
    let tomorrow = today + 1.day();
    let future = format!("Dan ne može biti u budućnosti (danas je {}).", domain::time::date_text(today));
    case.record(death(&tomorrow.to_string())).await.assert_error(422, Some("dan"), &future);
    let unborn = "Dan ne može biti pre rođenja pacijenta (01.01.1951.).";
    case.record(death("1950-12-31")).await.assert_error(422, Some("dan"), unborn);
    case.record(json!({ "status": "izgubljen", "dan": "2024-01-01", "izvor": "porodica" })).await.assert_error(
        422,
        Some("registarID"),
        "Niste izabrali registar.",
    );
    case.save("2024-03-05").await;
    let asked = case.record(death("2024-02-15")).await.refusal(422);
    let text = asked["potvrde"][0]["tekst"].as_str().unwrap();
    assert!(
        text.contains("„Pregled” 05.03.2024.") && text.contains("ispravite datume tih unosa") && text.contains("ispravite dan smrti"),
        "{text}"
    );
    let mut meant = death("2024-02-15");
    meant["potvrde"] = json!([asked["potvrde"][0]["oznaka"]]);
    case.record(meant).await.assert_status(201);
    // Past the api the database refuses the same.
    for (day, rule) in [(tomorrow.to_string(), "patient_status_dan_to_today"), ("1950-12-31".to_owned(), "patient_status_dan_from_birth")] {
        let mut tx = db::begin(&case.app.db.app, case.doctor.id).await.unwrap();
        let refused = sqlx::query(
            "insert into patient_status (pacijent_id, registar_id, status, dan, izvor, ustanova_id) values ($1, $2, 'izgubljen', $3::date, 'porodica', $4)",
        )
        .bind(case.patient)
        .bind(case.register.id)
        .bind(day)
        .bind(case.app.ustanova)
        .execute(&mut *tx)
        .await
        .unwrap_err();
        assert_eq!(refused.as_database_error().and_then(|error| error.constraint()), Some(rule));
    }
    let born = json!({ "datumRodjenja": "2024-02-20", "jmbg": "0101970710001", "lbo": "12345678901", "potvrde": ["jmbgNeslaganje"] });
    case.doctor.patch(&case.path(""), born).await.assert_status(422);
}

#[tokio::test]
async fn a_cause_is_one_of_the_registers_list_where_it_has_one() {
    let case = Case::new().await;
    case.app.lay_out(&["update register set uzroci_statusa = E'preminuo; I21; Akutni infarkt\\nizgubljen; SELI; Odselio se'"]).await;
    let lost = case.of_register("izgubljen", "2024-03-01");
    case.record(lost.clone()).await.assert_error(422, Some("uzrok"), "Niste izabrali uzrok.");
    let with = |cause: &str| {
        let mut body = lost.clone();
        body["uzrok"] = json!(cause);
        body
    };
    case.record(with("I21")).await.assert_error(422, Some("uzrok"), "Izabrani uzrok nije na listi ovog registra.");
    case.record(with("SELI")).await.assert_status(201);
    let mut died = death("2024-06-01");
    died["registarID"] = json!(case.register.id);
    died["uzrok"] = json!("I21");
    case.record(died).await.assert_status(201);
    // The words stay as they were chosen.
    case.app.lay_out(&["update register set uzroci_statusa = null"]).await;
    assert_eq!(case.elsewhere.get(&case.path("")).await.json()["smrt"]["uzrok"], "Akutni infarkt");
    let admin = case.app.admin().await;
    let bad = json!({ "uzrociStatusa": "umro; I21; Infarkt" });
    let refused = admin.patch(&format!("/api/registers/{}", case.register.id), bad).await.refusal(422);
    assert_eq!(refused["field"], "uzrociStatusa");
}

#[tokio::test]
async fn only_whoever_holds_the_right_and_changes_the_patient_records_a_status() {
    let case = Case::new().await;
    let nurse = case.app.sestra().await;
    nurse.post(&case.path("/statuses"), death("2024-06-01")).await.assert_status(403);
    assert_eq!(nurse.get(&case.path("/statuses")).await.json()["pravoStatusa"], false);
    case.app.lay_out(&["update role set pacijenti = 'uvid' where ime = 'Uloga radnika doktorka'"]).await;
    case.record(death("2024-06-01")).await.assert_status(403);
    let third = crate::support::institution(&case.app.db, "Klinika C").await;
    let stranger = case.app.worker("strana", &[Right::PatientStatus], third).await;
    stranger.post(&case.path("/statuses"), death("2024-06-01")).await.assert_status(404);
    stranger.get(&case.path("/statuses")).await.assert_status(404);
}

#[tokio::test]
async fn an_entry_after_the_death_is_refused_on_every_route() {
    let case = Case::new().await;
    let own = case.save("2024-05-01").await;
    let deleted = case.save("2024-07-01").await;
    case.doctor.post("/api/delete-entry", json!({ "id": deleted["snimljenUnosID"] })).await.assert_status(204);
    case.died("2024-06-01").await;
    let refused = |answer: Answer| {
        answer.assert_error(422, Some("datumUnosa"), AFTER);
    };

    // A new one, told before the form is filled too.
    refused(case.doctor.post("/api/entry-values", case.entry("2024-06-02")).await);
    let query = format!("pacijentID={}&thaID={}&datumUnosa=2024-06-02", case.patient, case.register.form);
    let told = case.doctor.get(&format!("/api/entry-count?{query}")).await.json();
    assert_eq!((&told["isValid"], &told["poruka"]), (&json!(false), &json!(AFTER)));
    // Of the other institution, which knows her too.
    let mut elsewhere = case.entry("2024-06-02");
    elsewhere["radnikOdgovoran"] = json!(case.elsewhere.id);
    refused(case.elsewhere.post("/api/entry-values", elsewhere).await);
    // Moved to such a day.
    let mut moved = case.entry("2024-06-02");
    moved["unosID"] = own["snimljenUnosID"].clone();
    moved["verzija"] = own["verzija"].clone();
    refused(case.doctor.post("/api/entry-values", moved).await);
    // A draft that is taken up stays a draft.
    let key = format!("novi-{}-{}.prozor", case.patient, case.register.form);
    let draft = json!({ "pacijentID": case.patient, "sadrzaj": { "datumUnosa": "2024-06-02" } });
    case.doctor.put(&format!("/api/entry-drafts/{key}"), draft).await.assert_status(204);
    let mut taken_up = case.entry("2024-06-02");
    taken_up["nacrti"] = json!([key]);
    refused(case.doctor.post("/api/entry-values", taken_up).await);
    let drafts = case.doctor.get(&format!("/api/entry-drafts?pacijentID={}", case.patient)).await.json();
    assert_eq!(drafts["data"].as_array().map(Vec::len), Some(1));
    // One that was deleted is not brought back.
    let back = case.doctor.post("/api/restore-entry", json!({ "id": deleted["snimljenUnosID"] })).await;
    back.assert_error(
        422,
        Some("datumUnosa"),
        "Datum pregleda ne može biti posle smrti pacijenta. Ispravite datum, ili dan smrti na strani pacijenta.",
    );
    // Whatever else writes as the application.
    let mut tx = db::begin(&case.app.db.app, case.doctor.id).await.unwrap();
    let raw =
        sqlx::query("insert into entry (pacijent_id, registar_id, tsa_id, datum_unosa, ustanova_id) values ($1, $2, $3, '2024-06-02', $4)")
            .bind(case.patient)
            .bind(case.register.id)
            .bind(case.register.form)
            .bind(case.app.ustanova)
            .execute(&mut *tx)
            .await
            .unwrap_err();
    drop(tx);
    assert_eq!(raw.as_database_error().and_then(|error| error.constraint()), Some("entry_datum_unosa_to_death"));
    // The day itself is hers.
    case.save("2024-06-01").await;
}

#[tokio::test]
async fn an_import_brings_no_entry_after_the_death() {
    let app = TestApp::new().await;
    let register = store(&app.db, DEFINITION, false).await.unwrap().register;
    app.lay_out(&["insert into institution (naziv, sifra) values ('Bolnica', 'BOL')"]).await;
    let worker = app.worker("uvoznica", &[Right::DataImport], app.ustanova).await;
    import_data::import(&app.db, import_data::MAPPING, import_data::file(&[import_data::ANA])).await.unwrap();
    app.lay_out(&[
        "insert into patient_status (pacijent_id, status, dan, izvor, ustanova_id)
                       select id, 'preminuo', '2024-06-01', 'potvrda', ustanova_id from patient",
        // Known to the worker's institution.
        "insert into patient_taking (pacijent_id, ustanova_id, radnik_id, razlog) select p.id, u.id, 1, 'Na daljem lečenju'
           from patient p, institution u where u.naziv = 'Klinika A'",
    ])
    .await;
    let defect =
        "datum pregleda je posle smrti pacijenta, koja je u bazi 01.06.2024.: ispravite datum u fajlu, ili dan smrti na strani pacijenta";
    // By the command, a new entry and the day of one that is there.
    let new = import_data::ANA.replace("2024-05-06", "2024-06-07");
    let refused = import_data::import(&app.db, import_data::MAPPING, import_data::file(&[&new])).await.unwrap_err();
    assert!(refused.len() == 1 && refused[0].contains(defect) && refused[0].contains("datum"), "{refused:?}");
    // By the screen.
    let file = "Ime;Prezime;JMBG;LBO;Telefon;Datum pregleda;Puls;Puši;Koliko puši;Nalaz\n\
                Ana;Đurić;0101990715000;12345678901;011/1234567;07.06.2024.;72,5;da;kutiju;Uredan\n";
    let body =
        json!({ "registarID": register, "ustanovaID": app.ustanova, "fajl": "stari sistem.csv", "sadrzaj": BASE64_STANDARD.encode(file) });
    let id = worker.post("/api/data-imports", body).await.assert_status(201).json()["id"].clone();
    let path = format!("/api/data-imports/{id}");
    worker.post(&format!("{path}/check"), json!({})).await.assert_status(204);
    let checked = loop {
        let import = worker.get(&path).await.json();
        if import["status"] != "checking" {
            break import;
        }
        tokio::task::yield_now().await;
    };
    assert!(checked["ishod"]["gresaka"] == 1 && checked.to_string().contains("posle smrti pacijenta"), "{checked}");
    let entries: i64 = sqlx::query_scalar("select count(*) from entry").fetch_one(&app.db.owner).await.unwrap();
    assert_eq!(entries, 1);
}

#[tokio::test]
async fn an_import_records_what_became_of_its_patients_once() {
    let app = TestApp::new().await;
    store(&app.db, DEFINITION, false).await.unwrap();
    app.lay_out(&["insert into institution (naziv, sifra) values ('Bolnica', 'BOL')"]).await;
    let mapping = import_data::MAPPING.replace(
        "[[entries]]",
        "datumSmrti = \"umro\"\nstatus = { column = \"ishod\", translate = { \"L\" = \"izgubljen\" } }\nstatusDan = \"kada\"\n[[entries]]",
    );
    let file = |died: &str| {
        let header = import_data::file(&[]).replace('\n', ",umro,ishod,kada\n");
        let rows = [(import_data::ANA, format!(",{died},,")), (import_data::BOJAN, ",,L,2024-08-01".to_owned())];
        header + &rows.map(|(row, told)| row.replace('\n', &format!("{told}\n"))).concat()
    };
    let early = import_data::import(&app.db, &mapping, file("2024-05-01")).await.unwrap_err();
    assert!(early.len() == 1 && early[0].contains("smrt je pre pregleda od 06.05.2024."), "{early:?}");
    for _ in 0..2 {
        import_data::import(&app.db, &mapping, file("2024-06-01")).await.unwrap();
    }
    let recorded: Vec<(String, String, String, bool)> = sqlx::query_as(
        "select p.ime, s.status, s.dan::text, s.registar_id is null from patient_status s join patient p on p.id = s.pacijent_id order by p.ime",
    )
    .fetch_all(&app.db.owner)
    .await
    .unwrap();
    let told = |ime: &str, status: &str, day: &str, everywhere| (ime.to_owned(), status.to_owned(), day.to_owned(), everywhere);
    assert_eq!(recorded, [told("Ana", "preminuo", "2024-06-01", true), told("Bojan", "izgubljen", "2024-08-01", false)]);
    let other = import_data::import(&app.db, &mapping, file("2024-06-02")).await.unwrap_err();
    assert!(other.len() == 1 && other[0].contains("u bazi je zabeležena smrt 01.06.2024."), "{other:?}");
}

#[tokio::test]
async fn the_search_finds_by_status_and_tells_it_of_known_patients_only() {
    let case = Case::new().await;
    let other = case.app.patient(&case.register, "Iva", "Ivić", case.app.ustanova, 2).await;
    for number in 3..8 {
        case.app.patient(&case.register, "Tuđa", "Tuđić", case.app.druga_ustanova, number).await;
    }
    case.app
        .lay_out(&["insert into patient_status (pacijent_id, status, dan, izvor, ustanova_id)
                     select id, 'preminuo', '2024-03-01', 'potvrda', ustanova_id from patient where prezime = 'Tuđić'"])
        .await;
    case.died("2024-06-01").await;
    let names = |rows: &[Value]| {
        let mut names: Vec<String> = rows.iter().filter_map(|row| row["imePrezime"].as_str().map(str::to_owned)).collect();
        names.sort();
        names
    };
    let all = case.found(&case.doctor, Value::Null).await;
    assert_eq!((all.len(), names(&all)), (7, vec!["Anić Ana".to_owned(), "Ivić Iva".to_owned()]));
    let dead = case.found(&case.doctor, json!("preminuo")).await;
    assert_eq!((dead.len(), names(&dead)), (6, vec!["Anić Ana".to_owned()]));
    for row in &dead {
        let told = if row["blurPodataka"] == true { (Value::Null, Value::Null) } else { (json!("preminuo"), json!("01.06.2024.")) };
        assert_eq!((row["status"].clone(), row["statusDan"].clone()), told);
    }
    let alive = case.found(&case.doctor, json!("aktivan")).await;
    assert_eq!(alive.iter().map(|row| row["pacijentID"].clone()).collect::<Vec<_>>(), [json!(other)]);
    // Fewer of others than the least group are none.
    case.app
        .lay_out(&["insert into patient_status (pacijent_id, status, dan, izvor, napomena, ispravlja_id, ponisten, ustanova_id)
                     select pacijent_id, status, dan, izvor, 'greška', id, true, ustanova_id from patient_status
                      where pacijent_id = (select min(id) from patient where prezime = 'Tuđić')"])
        .await;
    assert_eq!(case.found(&case.doctor, json!("preminuo")).await.len(), 1);
    let named =
        case.doctor.post("/api/search", json!({ "registarID": case.register.id, "prezime": "Ivić", "status": "preminuo" })).await.json();
    assert_eq!(named["unosi"], json!([]));
    let looked = case.app.log("patient_search").await;
    assert!(!looked.is_empty());
}

#[tokio::test]
async fn reports_read_the_day_and_the_status_over_all_institutions_too() {
    let case = Case::new().await;
    case.app.lay_out(&["update parameter set vrednost = '1' where naziv = 'najmanjaTudjaGrupa'"]).await;
    case.record(case.of_register("izgubljen", "2024-03-01")).await.assert_status(201);
    case.died("2024-06-01").await;
    let clinician = case.app.db.clinician().await;
    let one = async |institution: Option<i64>, sql: &str| {
        let scope = Scope { run: None, radnik_id: clinician, ustanova_id: institution };
        let found = case.app.state.report_db.small(scope, sql, &Binds::new(), std::time::Duration::from_secs(20), 100).await;
        found.unwrap_or_else(|error| panic!("{sql}: {error}")).rows
    };
    for institution in [Some(case.app.ustanova), Some(case.app.druga_ustanova), None] {
        // Event and time, as an analysis of survival takes them.
        let survival = "select r.status, p.datum_smrti - r.prvi_unos_datum as dana, p.datum_smrti is not null as umro
                          from pacijent p join pacijent_registar r on r.pacijent_id = p.id";
        let rows = one(institution, survival).await;
        assert_eq!(rows.len(), 1);
        assert_eq!((&rows[0][0], &rows[0][1]), (&Cell::Text("preminuo".into()), &Cell::Int(121)), "{institution:?}");
        let history = one(institution, "select count(*) filter (where vazi), count(distinct status) from status").await;
        assert_eq!((&history[0][0], &history[0][1]), (&Cell::Int(2), &Cell::Int(2)), "{institution:?}");
    }
}

#[tokio::test]
async fn another_hospital_reads_causes_as_they_were_chosen_and_chooses_from_todays_list() {
    let case = Case::new().await;
    case.app.lay_out(&["update register set uzroci_statusa = 'preminuo; I21; Akutni infarkt\npreminuo; X; Drugo'"]).await;
    let mut died = death("2024-06-01");
    (died["registarID"], died["uzrok"]) = (json!(case.register.id), json!("I21"));
    let row = case.record(died).await.assert_status(201).json()["id"].clone();
    case.app.lay_out(&["update register set uzroci_statusa = 'preminuo; I21; Infarkt miokarda\npreminuo; C; Karcinom'"]).await;
    let seen = case.elsewhere.get(&case.path("/statuses")).await.json();
    assert_eq!(seen["istorija"][0]["uzrok"], "Akutni infarkt");
    let offered: Vec<&Value> = seen["registri"][0]["uzroci"].as_array().unwrap().iter().map(|cause| &cause["naziv"]).collect();
    assert_eq!(offered, ["Infarkt miokarda", "Karcinom"]);
    // Its own correction is from the list of today, or keeps what was chosen.
    let corrected = |uzrok: &str| {
        let mut body = death("2024-06-02");
        (body["registarID"], body["uzrok"]) = (json!(case.register.id), json!(uzrok));
        (body["ispravljaID"], body["napomena"]) = (row.clone(), json!("Po potvrdi"));
        body
    };
    assert_eq!(case.elsewhere.post(&case.path("/statuses"), corrected("X")).await.refusal(422)["field"], "uzrok");
    case.elsewhere.post(&case.path("/statuses"), corrected("C")).await.assert_status(201);
    assert_eq!(case.doctor.get(&case.path("")).await.json()["smrt"]["uzrok"], "Karcinom");
}
