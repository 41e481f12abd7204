//! Taking over a patient whom another institution keeps: who may, what is told whom, and how the keeper ends it.

use serde_json::{Value, json};

use crate::support::{Answer, Person, TestApp, TestRegister, Worker};

const REASON: &str = "Upućen na dalje lečenje";
const DIFFERENT: &str = "Podaci se ne slažu. Proverite JMBG, LBO, datum rođenja, ime i prezime: svih pet mora da bude kao kod ustanove koja vodi \
                         pacijenta.";

/// A patient of one institution, with a doctor of it and one of the other.
struct Stage {
    app: TestApp,
    register: TestRegister,
    person: Person,
    keeper: Worker,
    taker: Worker,
}

impl Stage {
    async fn new() -> Self {
        let app = TestApp::new().await;
        let register = app.register().await;
        // Ids that no other number of an answer resembles.
        app.lay_out(&["alter table patient alter id restart with 731000001", "alter table entry alter id restart with 841000001"]).await;
        let person = app.person(&register, app.ustanova, 7).await;
        let keeper = app.worker("cuvar", &[], app.ustanova).await;
        let taker = app.worker("uzima", &[accounts::rights::Right::Log], app.druga_ustanova).await;
        Self { app, register, person, keeper, taker }
    }

    fn taking(&self) -> Value {
        let mut body = json!({ "razlog": REASON, "registarID": self.register.id });
        for name in ["ime", "prezime", "datumRodjenja", "jmbg", "lbo"] {
            body[name] = self.person.record[name].clone();
        }
        body
    }

    async fn take(&self) -> Answer {
        self.taker.post("/api/patient-takings", self.taking()).await
    }

    fn patient(&self, rest: &str) -> String {
        format!("/api/patients/{}{rest}", self.person.id)
    }

    async fn found(&self, criteria: Value) -> Value {
        let mut body = criteria;
        body["registarID"] = json!(self.register.id);
        self.taker.post("/api/search", body).await.json()["unosi"].clone()
    }

    async fn entry_of_taker(&self) -> i64 {
        let vrednosti = json!({ self.register.field("broj"): 5 });
        let saved = self
            .taker
            .post(
                "/api/entry-values",
                json!({
                    "tsaID": self.register.form, "registarID": self.register.id, "pacijentID": self.person.id, "vrednosti": vrednosti,
                    "radnikOdgovoran": self.taker.id, "datumUnosa": "2026-01-05",
                }),
            )
            .await;
        saved.assert_status(200).json()["snimljenUnosID"].as_i64().expect("an entry")
    }
}

#[tokio::test]
async fn all_five_and_a_reason_take_the_patient_and_leave_the_entries_with_the_keeper() {
    let stage = Stage::new().await;
    stage.taker.get(&stage.patient("")).await.assert_status(404);
    // Names as the search reads them.
    let mut taking = stage.taking();
    for name in ["ime", "prezime"] {
        taking[name] = json!(domain::fold::fold(taking[name].as_str().unwrap()).to_uppercase());
    }
    let taken = stage.taker.post("/api/patient-takings", taking).await;
    assert_eq!(taken.assert_status(200).json(), json!({ "id": stage.person.id }));
    let record = stage.taker.get(&stage.patient("")).await;
    assert_eq!(
        record.assert_status(200).json()["registri"],
        json!([{ "id": stage.register.id, "brojUnosa": 0, "status": "aktivan", "statusDan": null }])
    );
    let rows = stage.found(json!({ "jmbg": stage.person.record["jmbg"] })).await;
    assert_eq!((&rows[0]["pacijentID"], &rows[0]["poslednjiUnos"]), (&json!(stage.person.id), &Value::Null));

    let in_register = |rest: &str| stage.patient(&format!("/{rest}registarID={}", stage.register.id));
    let closed = async || {
        let entry = stage.person.entry;
        for path in
            [format!("/api/entry-display?haID={entry}"), format!("/api/entries/{entry}/view"), format!("/api/entries/{entry}/items")]
        {
            stage.taker.get(&path).await.assert_error(404, None, "Traženi podatak ne postoji.");
        }
        stage.taker.post("/api/entry-prints", json!({ "unosID": entry })).await.assert_status(404);
        for path in ["entries?", "latest-entries?", "chart?sifre=broj,tekst&", "trend?"] {
            let answer = stage.taker.get(&in_register(path)).await;
            let text = answer.assert_status(200).text().to_owned();
            assert!(!text.contains(&entry.to_string()) && !text.contains("majka") && !text.contains("2024-"), "{path}: {text}");
        }
    };
    closed().await;
    let own = stage.entry_of_taker().await;
    closed().await;
    stage.taker.get(&format!("/api/entry-display?haID={own}")).await.assert_status(200);
    assert_eq!(stage.taker.get(&stage.patient("")).await.json()["registri"][0]["brojUnosa"], 1);
    // A criterion would tell what the keeper's entry holds: by values, the patient is one of another institution.
    let by_value = json!({ "redPretrage": [{ "poljeID": stage.register.fields["broj"], "operator": "=", "vrednost": "7" }] });
    assert_eq!(stage.found(by_value.clone()).await, json!([]));
    stage.taker.patch(&stage.patient(""), json!({ "aktivan": false })).await.assert_status(403);

    // Where nothing is blurred between institutions, the search tells what the patient's page does.
    stage.app.lay_out(&["update parameter set vrednost = 'false' where naziv = 'blurPodatakaIzmedjuUstanova'"]).await;
    assert!(stage.taker.get(&in_register("entries?")).await.text().contains(&stage.person.entry.to_string()));
    assert_eq!(stage.found(by_value.clone()).await[0]["pacijentID"], stage.person.id);
    let plain = stage.found(json!({ "prezime": stage.person.record["prezime"] })).await;
    assert_ne!(plain[0]["prviUnos"], Value::Null, "{plain}");
    stage.app.lay_out(&["update parameter set vrednost = 'true' where naziv = 'blurPodatakaIzmedjuUstanova'"]).await;
    closed().await;

    stage.app.lay_out(&["update parameter set vrednost = 'true' where naziv = 'tudjiUnosiPreuzetogPacijenta'"]).await;
    stage.taker.get(&format!("/api/entry-display?haID={}", stage.person.entry)).await.assert_status(200);
    assert!(stage.taker.get(&in_register("entries?")).await.text().contains(&stage.person.entry.to_string()));
    assert_eq!(stage.found(by_value).await[0]["pacijentID"], stage.person.id);
    let change = json!({ "id": stage.person.entry });
    stage.taker.post("/api/delete-entry", change).await.assert_status(403);
    // The keeper reads what the other institution adds.
    stage.keeper.get(&format!("/api/entry-display?haID={own}")).await.assert_status(200);
}

#[tokio::test]
async fn whatever_is_wrong_is_answered_alike_counted_and_in_the_log() {
    let stage = Stage::new().await;
    let other = stage.app.person(&stage.register, stage.app.ustanova, 8).await;
    let mut wrong = Vec::new();
    for name in ["ime", "prezime", "datumRodjenja", "lbo", "jmbg"] {
        let mut body = stage.taking();
        body[name] = other.record[name].clone();
        wrong.push(body);
    }
    for body in &wrong {
        stage.taker.post("/api/patient-takings", body.clone()).await.assert_error(404, None, DIFFERENT);
    }
    // The sixth is refused, right or wrong, and says from when; another worker has a count of her own.
    let refused = stage.take().await;
    assert_eq!(refused.status, 429);
    assert!(refused.text().contains("Previše puta ste pogrešili podatke. Preuzimanje možete ponovo da pokušate od "), "{}", refused.text());
    let unknown = crate::support::record(400);
    let mut body = json!({ "razlog": REASON });
    for name in ["ime", "prezime", "datumRodjenja", "jmbg", "lbo"] {
        body[name] = unknown[name].clone();
    }
    let colleague = stage.app.worker("kolega", &[], stage.app.druga_ustanova).await;
    colleague.post("/api/patient-takings", body).await.assert_error(404, None, DIFFERENT);
    // The keeper sees in the patient's history who tried.
    let views = stage.keeper.get(&stage.patient("/views")).await.json();
    let tried = views["data"].as_array().unwrap().iter().filter(|view| view["akcija"] == "provera za preuzimanje").count();
    assert_eq!(tried, 4, "{views}");
    let with_address: i64 = sqlx::query_scalar("select count(adresa) from audit_log where akcija = 'provera za preuzimanje'")
        .fetch_one(&stage.app.db.owner)
        .await
        .unwrap();
    assert_eq!(with_address, 6, "where it came from is known also where there is no such patient");
    stage.app.lay_out(&["update patient_taking_attempt set vreme = vreme - interval '1 hour'"]).await;
    stage.take().await.assert_status(200);
}

#[tokio::test]
async fn what_is_missing_is_told_by_its_field_and_costs_no_attempt() {
    let stage = Stage::new().await;
    for _ in 0..6 {
        let mut body = stage.taking();
        body["razlog"] = json!("kratko");
        stage.taker.post("/api/patient-takings", body).await.assert_error(422, Some("razlog"), "Razlog mora imati od 10 do 1.000 znakova.");
    }
    stage.take().await.assert_status(200);
    // Once more is no fault, and writes nothing.
    stage.take().await.assert_status(200);
    assert_eq!(stage.keeper.get("/api/patient-takings").await.json()["total"], 1);
}

#[tokio::test]
async fn the_keeper_is_told_and_ends_it_for_good() {
    let stage = Stage::new().await;
    stage.take().await.assert_status(200);
    assert_eq!(stage.keeper.get("/api/patient-takings/unseen").await.json(), json!({ "broj": 1 }));
    let row = stage.keeper.get("/api/patient-takings").await.json()["data"][0].clone();
    assert_eq!((&row["pacijentID"], &row["razlog"], &row["novo"]), (&json!(stage.person.id), &json!(REASON), &json!(true)));
    assert_eq!((&row["radnik"], &row["okoncano"]), (&json!("Test Uzima"), &Value::Null));
    let taking = |deed: &str| format!("/api/patient-takings/{}/{deed}", row["id"]);
    // Nobody but the keeper sees it or ends it.
    for path in [taking("seen"), taking("end")] {
        stage.taker.post(&path, json!({ "razlog": REASON })).await.assert_status(404);
    }
    assert_eq!(stage.taker.get("/api/patient-takings").await.json()["total"], 0);
    stage.keeper.post(&taking("seen"), json!({})).await.assert_status(204);
    assert_eq!(stage.keeper.get("/api/patient-takings/unseen").await.json(), json!({ "broj": 0 }));
    stage.keeper.post(&taking("end"), json!({ "razlog": "ne" })).await.assert_status(422);
    stage.taker.get(&stage.patient("")).await.assert_status(200);
    stage.keeper.post(&taking("end"), json!({ "razlog": "Pacijent se leči kod nas" })).await.assert_status(204);
    stage.taker.get(&stage.patient("")).await.assert_error(404, None, "Traženi podatak ne postoji.");
    assert_eq!(stage.found(json!({ "jmbg": stage.person.record["jmbg"] })).await, json!([]));
    stage.take().await.assert_error(409, None, "Ustanova koja vodi pacijenta je okončala ovo preuzimanje. Dogovorite se sa njom.");
    stage.keeper.post(&taking("end"), json!({ "razlog": "Pacijent se leči kod nas" })).await.assert_status(409);
    let ended = stage.keeper.get("/api/patient-takings").await.json()["data"][0].clone();
    assert_eq!((&ended["razlogOkoncanja"], &ended["okoncao"]), (&json!("Pacijent se leči kod nas"), &json!("Test Cuvar")));
}

#[tokio::test]
async fn after_the_end_an_institution_keeps_its_own_entries_and_no_others() {
    let stage = Stage::new().await;
    stage.take().await.assert_status(200);
    let own = stage.entry_of_taker().await;
    stage.app.lay_out(&["update parameter set vrednost = 'true' where naziv = 'tudjiUnosiPreuzetogPacijenta'"]).await;
    let row = stage.keeper.get("/api/patient-takings").await.json()["data"][0].clone();
    let end = format!("/api/patient-takings/{}/end", row["id"]);
    stage.keeper.post(&end, json!({ "razlog": "Pacijent se leči kod nas" })).await.assert_status(204);
    stage.taker.get(&format!("/api/entry-display?haID={own}")).await.assert_status(200);
    stage.taker.get(&format!("/api/entry-display?haID={}", stage.person.entry)).await.assert_status(404);
    let mut report = stage.app.db.app.acquire().await.unwrap();
    sqlx::query("insert into report_scope (pid, radnik_id, ustanova_id) values (pg_backend_pid(), 1, $1)")
        .bind(stage.app.druga_ustanova)
        .execute(&mut *report)
        .await
        .unwrap();
    let seen: Vec<i64> = sqlx::query_scalar("select id from report.unos").fetch_all(&mut *report).await.unwrap();
    assert_eq!(seen, [own], "reports of the institution count its own entries");
    let values: Vec<i64> = sqlx::query_scalar("select unos_id from report.broj").fetch_all(&mut *report).await.unwrap();
    assert!(!values.contains(&stage.person.entry));
}

/// With and without the consent, at each door of values: what is opened to whoever takes a patient is hers to close.
#[tokio::test]
async fn entries_of_others_are_read_by_the_taker_only_while_the_patient_agrees_to_exchange() {
    let stage = Stage::new().await;
    stage.take().await.assert_status(200);
    stage.app.lay_out(&["update parameter set vrednost = 'true' where naziv = 'tudjiUnosiPreuzetogPacijenta'"]).await;
    let clerk = stage.app.worker("belezi", &[accounts::rights::Right::Consents], stage.app.ustanova).await;
    let says = async |purpose: &str, dat: bool, day: &str| {
        let body = json!({ "registarID": stage.register.id, "svrha": purpose, "dat": dat, "dan": day });
        clerk.post(&stage.patient("/consents"), body).await.assert_status(201);
    };
    let entry = stage.person.entry;
    let by_value = json!({ "redPretrage": [{ "poljeID": stage.register.fields["broj"], "operator": "=", "vrednost": "7" }] });
    let opens = async |open: bool| {
        let status = if open { 200 } else { 404 };
        for path in [format!("/api/entry-display?haID={entry}"), format!("/api/entries/{entry}/view")] {
            stage.taker.get(&path).await.assert_status(status);
        }
        let print = stage.taker.post("/api/entry-prints", json!({ "unosID": entry })).await;
        assert_eq!(print.status == 404, !open, "the print: {}", print.status);
        for path in ["entries?", "latest-entries?"] {
            let listed = stage.taker.get(&stage.patient(&format!("/{path}registarID={}", stage.register.id))).await;
            assert_eq!(listed.assert_status(200).text().contains(&entry.to_string()), open, "{path}");
        }
        assert_eq!(stage.taker.get(&stage.patient("")).await.json()["registri"][0]["brojUnosa"], i64::from(open));
        assert_eq!(stage.found(by_value.clone()).await.as_array().unwrap().len(), usize::from(open), "the search");
        // The keeper treats her, whatever she says of others.
        stage.keeper.get(&format!("/api/entry-display?haID={entry}")).await.assert_status(200);
    };
    opens(true).await;
    says("istrazivanje", false, "2025-01-01").await;
    opens(true).await;
    says("razmena", false, "2025-02-01").await;
    opens(false).await;
    says("razmena", true, "2025-03-01").await;
    opens(true).await;
    stage.app.lay_out(&["update register set pristanak_razmena = true"]).await;
    opens(true).await;
    stage.app.lay_out(&["delete from patient_consent where svrha = 'razmena'"]).await;
    // The register asks, and she was not asked.
    opens(false).await;
    stage.app.lay_out(&["update register set pristanak_razmena = false"]).await;
    opens(true).await;

    // Reports of the institution, once it has an entry of its own and they speak of her.
    let own = stage.entry_of_taker().await;
    let counted = async || {
        let mut report = stage.app.db.app.begin().await.unwrap();
        sqlx::query("insert into report_scope (pid, radnik_id, ustanova_id) values (pg_backend_pid(), 1, $1)")
            .bind(stage.app.druga_ustanova)
            .execute(&mut *report)
            .await
            .unwrap();
        let entries: Vec<i64> = sqlx::query_scalar("select id from report.unos order by id").fetch_all(&mut *report).await.unwrap();
        let values: Vec<i64> =
            sqlx::query_scalar("select distinct unos_id from report.broj order by 1").fetch_all(&mut *report).await.unwrap();
        assert!(values.iter().all(|value| entries.contains(value)), "{values:?} of {entries:?}");
        entries
    };
    assert_eq!(counted().await, [entry, own]);
    says("razmena", false, "2025-04-01").await;
    assert_eq!(counted().await, [own]);
    stage.taker.get(&format!("/api/entry-display?haID={own}")).await.assert_status(200);
}

#[tokio::test]
async fn a_worker_takes_no_more_patients_a_day_than_the_parameter_says() {
    let stage = Stage::new().await;
    stage.app.lay_out(&["update parameter set vrednost = '1' where naziv = 'najvisePreuzimanjaNaDan'"]).await;
    stage.take().await.assert_status(200);
    let next = stage.app.person(&stage.register, stage.app.ustanova, 9).await;
    let mut body = stage.taking();
    for name in ["ime", "prezime", "datumRodjenja", "jmbg", "lbo"] {
        body[name] = next.record[name].clone();
    }
    stage.taker.post("/api/patient-takings", body).await.assert_status(429);
}

#[tokio::test]
async fn looks_at_the_keepers_entries_are_told_the_taker_as_looks_and_no_more() {
    let stage = Stage::new().await;
    stage.take().await.assert_status(200);
    stage.keeper.get(&format!("/api/entries/{}/view", stage.person.entry)).await.assert_status(200);
    let own = stage.entry_of_taker().await;
    stage.taker.get(&format!("/api/entries/{own}/view")).await.assert_status(200);
    let views = async |worker: &Worker| worker.get(&stage.patient("/views")).await.assert_status(200).json()["data"].clone();
    let (told, whole) = (views(&stage.taker).await, views(&stage.keeper).await);
    let deeds = |views: &Value| -> Vec<(String, String, String)> {
        let text = |row: &Value, name: &str| row[name].as_str().unwrap_or_default().to_owned();
        let rows = views.as_array().unwrap().iter();
        rows.map(|row| (text(row, "ustanova"), text(row, "klasa"), text(row, "akcija")))
            .filter(|row| row.2 != "provera za preuzimanje")
            .collect()
    };
    let row = |ustanova: &str, klasa: &str, akcija: &str| (ustanova.to_owned(), klasa.to_owned(), akcija.to_owned());
    assert_eq!(deeds(&told), [row("Klinika B", "entry", "pregled istorije"), row("Klinika A", "patient", "pregled")]);
    assert_eq!(deeds(&whole), [row("Klinika B", "entry", "pregled istorije"), row("Klinika A", "entry", "pregled istorije")]);
}

#[tokio::test]
async fn a_failed_taking_of_nobodys_number_is_in_the_log_with_the_address() {
    let stage = Stage::new().await;
    let mut taking = stage.taking();
    taking["jmbg"] = crate::support::record(99)["jmbg"].clone();
    stage.taker.post("/api/patient-takings", taking).await.assert_status(404);
    let adresa: Option<String> = sqlx::query_scalar("select adresa from audit_log where akcija = 'provera za preuzimanje'")
        .fetch_one(&stage.app.db.owner)
        .await
        .unwrap();
    assert_eq!(adresa.as_deref(), Some("127.0.0.1"));
}
