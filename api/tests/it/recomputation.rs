//! Stored results are recomputed when whoever publishes a form says so: the order, who may give it and see what of it, and what becomes
//! of a screen that was open meanwhile. What an engine does with it is tested with the engine.

use accounts::rights::Right;
use domain::db;
use serde_json::{Value, json};

use crate::support::{Answer, TestApp, TestRegister, Worker};

struct Case {
    app: TestApp,
    register: TestRegister,
    doctor: Worker,
    mila: Worker,
    patient: i64,
    entry: i64,
}

impl Case {
    /// broj 5, zbir 6 (broj + 1); saved by version 1.
    async fn new() -> Self {
        let app = TestApp::new().await;
        let register = app.register().await;
        let doctor = app.worker("doktor", &[Right::Reports], app.ustanova).await;
        let mila = app.worker("mila", &[Right::Registers], app.ustanova).await;
        app.lay_out(&[
            "update form_field set formula_za_racunanje = '$(broj) + 1' where sifra = 'zbir'",
            "update form_field set formula_za_prikaz = '$(izbor) = 1' where sifra = 'skriveno'",
        ])
        .await;
        let patient = app.patient(&register, "Ana", "Anić", app.ustanova, 1).await;
        let entry = app.entry(&register, patient, app.ustanova, "2024-05-01", json!({ "broj": 5, "zbir": 6 })).await;
        Self { app, register, doctor, mila, patient, entry }
    }

    fn path(&self, more: &str) -> String {
        format!("/api/forms/{}{more}", self.register.form)
    }

    /// The formula of `zbir` by a draft; gives the draft's version.
    async fn draft(&self, formula: &str) -> Value {
        let mut draft = self.mila.post(&self.path("/draft"), json!({})).await.assert_status(201).json();
        let field = draft["dokument"]["polja"].as_array_mut().unwrap().iter_mut().find(|field| field["sifra"] == "zbir").unwrap();
        field["formulaZaRacunanje"] = json!(formula);
        let saved = json!({ "verzija": draft["verzija"], "dokument": draft["dokument"] });
        self.mila.put(&self.path("/draft"), saved).await.assert_status(200).json()["verzija"].clone()
    }

    /// Likewise, and published; `preracunaj` is what whoever publishes chooses.
    async fn publish(&self, formula: &str, preracunaj: bool) -> Value {
        let verzija = self.draft(formula).await;
        let body = |told: Option<i64>| json!({ "verzija": verzija, "potvrdjenoRezultata": told, "preracunaj": preracunaj });
        let told = self.mila.post(&self.path("/draft/publish"), body(None)).await;
        let told: Value = serde_json::from_slice(&told.bytes).unwrap();
        let results = told["uticaj"]["rezultata"].as_i64().expect("results differ");
        self.mila.post(&self.path("/draft/publish"), body(Some(results))).await.assert_status(200).json()
    }

    async fn shown(&self) -> Value {
        self.mila.get(&self.path("/recomputations")).await.assert_status(200).json()
    }

    /// As an engine does with an entry whose results become others.
    async fn recompute(&self, id: i64, zbir: i64) {
        let mut tx = db::begin(&self.app.db.app, self.mila.id).await.unwrap();
        for sql in [
            "select set_config('app.recomputation', $1::bigint::text, true) where $2::jsonb is not null",
            "update recomputation set status = 'running', lease_until = now() + interval '1 minute' where id = $1 and $2::jsonb is not null",
            "update entry e set vrednosti = vrednosti || $2, form_version_id = r.form_version_id
               from recomputation r where r.id = $1 and e.tsa_id = r.form_id",
            "update recomputation set status = 'done', lease_until = null, vreme_zavrsetka = now() where id = $1 and $2::jsonb is not null",
        ] {
            sqlx::query(sql).bind(id).bind(json!({ (self.register.field("zbir")): zbir })).execute(&mut *tx).await.unwrap();
        }
        tx.commit().await.unwrap();
    }

    /// The same of the case's own entry alone.
    async fn recompute_one(&self, id: i64, zbir: i64) {
        let mut tx = db::begin(&self.app.db.app, self.mila.id).await.unwrap();
        for sql in [
            "select set_config('app.recomputation', $1::bigint::text, true) where $2::jsonb is not null and $3 > 0",
            "update recomputation set status = 'running', lease_until = now() + interval '1 minute' where id = $1 and $2::jsonb is not null and $3 > 0",
            "update entry e set vrednosti = vrednosti || $2, form_version_id = r.form_version_id from recomputation r where r.id = $1 and e.id = $3",
        ] {
            sqlx::query(sql)
                .bind(id)
                .bind(json!({ (self.register.field("zbir")): zbir }))
                .bind(self.entry)
                .execute(&mut *tx)
                .await
                .unwrap();
        }
        tx.commit().await.unwrap();
    }

    async fn opened(&self) -> Value {
        self.doctor.get(&format!("/api/entry-display?haID={}", self.entry)).await.assert_status(200).json()
    }

    /// From a screen that had loaded this.
    async fn save(&self, opened: &Value, broj: i64) -> Answer {
        let values = json!({ (self.register.field("broj")): broj });
        let body = json!({
            "unosID": self.entry, "tsaID": self.register.form, "registarID": self.register.id, "pacijentID": self.patient,
            "vrednosti": values, "osnova": { (self.register.field("broj")): 5 }, "verzija": opened["verzija"],
            "obrazac": opened["obrazac"]["otisak"], "radnikOdgovoran": self.doctor.id, "datumUnosa": "2024-05-01",
        });
        self.doctor.post("/api/entry-values", body).await
    }

    async fn left(&self, id: i64, entry: i64) {
        let mut tx = db::begin(&self.app.db.owner, self.mila.id).await.unwrap();
        sqlx::query(
            "insert into recomputation_entry (preracunavanje_id, unos_id, ishod, razlog, polje_id, form_version_id, vreme)
             select $1, e.id, 'ostavljen', 'pravilo', $3, e.form_version_id, now() from entry e where e.id = $2",
        )
        .bind(id)
        .bind(entry)
        .bind(self.register.fields["broj"])
        .execute(&mut *tx)
        .await
        .unwrap();
        sqlx::query("update recomputation set ostavljeno = ostavljeno + 1 where id = $1").bind(id).execute(&mut *tx).await.unwrap();
        tx.commit().await.unwrap();
    }
}

#[tokio::test]
async fn publishing_recomputes_nothing_unless_it_is_said() {
    let case = Case::new().await;
    let published = case.publish("$(broj) + 100", false).await;
    assert_eq!(published, json!({ "broj": 2, "preracunavanje": null }));
    assert_eq!(
        case.shown().await,
        json!({ "oznaceno": 1, "ostaje": 0, "potpisano": 0, "data": [] }),
        "the result is marked, and nothing else"
    );

    let published = case.publish("$(broj) + 200", true).await;
    let shown = case.shown().await;
    let (first, asked) = (&shown["data"][0], published["preracunavanje"].as_i64().expect("it begins"));
    assert_eq!((&first["id"], &first["verzija"], &first["status"]), (&json!(asked), &json!(3), &json!("queued")));
    assert_eq!((&first["ukupno"], &first["pregledano"]), (&json!(1), &json!(0)));
    let log = case.app.log("recomputation").await;
    assert_eq!((log.len(), log[0].radnik_id, log[0].akcija.as_str()), (1, Some(case.mila.id), "kreiranje"));

    // The next version takes its place, whether it recomputes or not.
    case.publish("$(broj) + 300", false).await;
    assert_eq!(case.shown().await["data"][0]["status"], "superseded");
}

#[tokio::test]
async fn what_is_still_marked_may_be_recomputed_later_once_at_a_time_and_cancelled() {
    let case = Case::new().await;
    let nothing = case.mila.post(&case.path("/recomputations"), json!({})).await;
    nothing.assert_error(409, None, "Nema snimljenih rezultata koje današnje formule daju drugačije.");
    case.mila.post("/api/forms/999/recomputations", json!({})).await.assert_status(404);
    case.publish("$(broj) + 100", false).await;
    let asked = case.mila.post(&case.path("/recomputations"), json!({})).await.assert_status(201).json();
    let again = case.mila.post(&case.path("/recomputations"), json!({})).await;
    again.assert_error(409, None, "Preračunavanje ovog formulara je već u toku.");
    let cancel = format!("/api/recomputations/{}/cancel", asked["id"]);
    case.doctor.post(&cancel, json!({})).await.assert_status(403);
    case.mila.post(&cancel, json!({})).await.assert_status(204);
    case.mila.post(&cancel, json!({})).await.assert_error(409, None, "Preračunavanje je već završeno.");
    case.mila.post("/api/recomputations/999/cancel", json!({})).await.assert_status(404);
    assert_eq!(case.shown().await["data"][0]["status"], "cancelled");
    let log: Vec<String> = case.app.log("recomputation").await.into_iter().map(|row| row.akcija).collect();
    assert_eq!(log, ["kreiranje", "otkazivanje"]);
    case.mila.post(&case.path("/recomputations"), json!({})).await.assert_status(201);
}

#[tokio::test]
async fn what_a_recomputation_left_is_not_offered_again_until_something_changes() {
    let case = Case::new().await;
    let asked = case.publish("$(broj) + 100", true).await["preracunavanje"].as_i64().unwrap();
    case.left(asked, case.entry).await;
    case.mila.post(&format!("/api/recomputations/{asked}/cancel"), json!({})).await.assert_status(204);
    let shown = case.shown().await;
    assert_eq!((&shown["oznaceno"], &shown["ostaje"]), (&json!(1), &json!(1)));
    let again = case.mila.post(&case.path("/recomputations"), json!({})).await;
    again.assert_error(409, None, "Preračunavanje je ove unose već ostavilo kakvi jesu, a od tada se ništa nije promenilo.");
    // Another entry of the patient, which a formula may read.
    case.app.entry(&case.register, case.patient, case.app.ustanova, "2024-04-01", json!({ "broj": 1, "zbir": 101 })).await;
    assert_eq!(case.shown().await["ostaje"], json!(0));
    case.mila.post(&case.path("/recomputations"), json!({})).await.assert_status(201);
}

#[tokio::test]
async fn a_screen_that_was_open_is_told_and_nothing_is_saved_over_what_was_recomputed() {
    let case = Case::new().await;
    let opened = case.opened().await;
    let asked = case.publish("$(broj) + 100", true).await["preracunavanje"].as_i64().unwrap();
    case.recompute(asked, 105).await;
    let refused = case.save(&opened, 7).await;
    refused.assert_status(409);
    let refused: Value = serde_json::from_slice(&refused.bytes).unwrap();
    assert!(refused["message"].as_str().unwrap().contains("Formular je izmenjen dok ste ga popunjavali"), "{refused}");
    let now = case.opened().await;
    assert_eq!(refused["noviObrazac"], now["obrazac"]["otisak"], "the screen goes on in the newest form");
    assert_eq!(now["vrednosti"][case.register.field("zbir")], 105);
    let saved = case.save(&now, 7).await.assert_status(200).json();
    assert_eq!(saved["vrednosti"][case.register.field("zbir")], 107);
}

#[tokio::test]
async fn a_result_is_marked_in_the_history_until_it_is_recomputed() {
    let case = Case::new().await;
    let path = format!("/api/entries/{}/archive?nizAutsID={}", case.entry, case.register.field("zbir"));
    let marked = async || case.doctor.get(&path).await.assert_status(200).json()["data"][0]["zastareo"].clone();
    assert_eq!(marked().await, json!(false));
    case.publish("$(broj) + 50", false).await;
    assert_eq!(marked().await, json!(true));
    let asked = case.mila.post(&case.path("/recomputations"), json!({})).await.assert_status(201).json();
    case.recompute(asked["id"].as_i64().unwrap(), 55).await;
    assert_eq!(marked().await, json!(false));
}

#[tokio::test]
async fn the_history_tells_a_recomputation_from_a_correction() {
    let case = Case::new().await;
    let asked = case.publish("$(broj) + 100", true).await["preracunavanje"].as_i64().unwrap();
    case.recompute(asked, 105).await;
    let now = case.opened().await;
    case.save(&now, 7).await.assert_status(200);
    let path = format!("/api/entries/{}/archive?nizAutsID={}", case.entry, case.register.field("zbir"));
    let archive = case.doctor.get(&path).await.assert_status(200).json();
    let told = |change: &Value| (change["staro"]["vrednost"].clone(), change["novo"]["vrednost"].clone(), change["preracunato"] == true);
    let changes: Vec<_> = archive["promene"].as_array().unwrap().iter().map(told).collect();
    assert_eq!(changes, [(json!(105), json!(107), false), (json!(6), json!(105), true)]);
    let values: Vec<_> =
        archive["data"].as_array().unwrap().iter().map(|row| (row["brojnaVrednost"].clone(), row["preracunato"] == true)).collect();
    assert_eq!(values, [(json!(107.0), false), (json!(105.0), true), (json!(6.0), false)]);
    let view = case.doctor.get(&format!("/api/entries/{}/view", case.entry)).await.assert_status(200).json();
    let over = &view["prelasci"][0];
    assert_eq!((&over["sa"], &over["na"], &over["preracunato"]), (&json!(1), &json!(2), &json!(true)));
}

#[tokio::test]
async fn entries_that_stay_as_they_are_are_named_only_to_who_may_open_them() {
    let case = Case::new().await;
    let asked = case.publish("$(broj) + 100", true).await["preracunavanje"].as_i64().unwrap();
    case.left(asked, case.entry).await;
    let path = format!("/api/recomputations/{asked}/entries");
    let named = json!([{ "unosID": case.entry, "razlog": "pravilo", "polje": "broj" }]);
    assert_eq!(case.mila.get(&path).await.assert_status(200).json(), json!({ "data": named, "total": 1 }));

    let stranger = case.app.worker("stranac", &[Right::Registers], case.app.druga_ustanova).await;
    assert_eq!(
        stranger.get(&path).await.assert_status(200).json(),
        json!({ "data": [], "total": 1 }),
        "of a patient whom it does not know"
    );
    let clerk = case.app.worker("referent", &[Right::Registers], case.app.ustanova).await;
    case.app.lay_out(&["update role set pacijenti = 'ne' where id in (select uloga_id from worker_role l join worker w on w.id = l.radnik_id where w.username = 'referent')"]).await;
    assert_eq!(clerk.get(&path).await.assert_status(200).json(), json!({ "data": [], "total": 1 }), "who opens no patients");
    let reasons = json!([{ "razlog": "pravilo", "polje": "broj", "unosa": 1 }]);
    assert_eq!(clerk.get(&case.path("/recomputations")).await.assert_status(200).json()["data"][0]["razlozi"], reasons);
    case.doctor.get(&path).await.assert_status(403);
    case.mila.get("/api/recomputations/999/entries").await.assert_status(404);
}

/// The entry is signed by the doctor, and two more of other patients are not.
async fn signed() -> Case {
    let case = Case::new().await;
    for number in [2, 3] {
        let patient = case.app.patient(&case.register, "Iva", "Ivić", case.app.ustanova, number).await;
        case.app.entry(&case.register, patient, case.app.ustanova, "2024-05-01", json!({ "broj": 5, "zbir": 6 })).await;
    }
    let mut tx = db::begin(&case.app.db.owner, case.doctor.id).await.unwrap();
    for sql in [
        "insert into entry_state (unos_id, stanje, radnja) values ($1, 'zavrsen', 'zavrsavanje')",
        "insert into entry_state (unos_id, stanje, radnja, znacenje) values ($1, 'potpisan', 'potpis', 'autor')",
    ] {
        sqlx::query(sql).bind(case.entry).execute(&mut *tx).await.unwrap();
    }
    tx.commit().await.unwrap();
    case
}

#[tokio::test]
async fn a_publication_says_how_many_signatures_it_would_end_and_does_what_was_chosen() {
    let mut case = signed().await;
    let told = async |case: &Case, ends: bool| {
        let path = case.path(&format!("/draft/impact?zavrsiPotpise={ends}"));
        let told = case.mila.get(&path).await.assert_status(200).json()["preracunavanje"].clone();
        let left: Vec<Value> = told["ostavljeno"].as_array().unwrap().iter().map(|left| left["razlog"].clone()).collect();
        (told["potpisa"].clone(), told["promenjeno"].clone(), left)
    };
    let verzija = case.draft("$(broj) + 100").await;
    assert_eq!(told(&case, false).await, (json!(1), json!(2), vec![json!("potpisan")]));
    assert_eq!(told(&case, true).await, (json!(1), json!(3), vec![]));

    let body = |razlog: &str| json!({ "verzija": verzija, "potvrdjenoRezultata": 3, "preracunaj": true, "zavrsiPotpise": true, "razlogPotpisa": razlog });
    let publish = case.path("/draft/publish");
    let refused = case.mila.post(&publish, body("Ispravljena formula")).await.refusal(403);
    assert!(refused["message"].as_str().unwrap().contains("Zaključavanje unosa"), "{refused}");
    // The draft is its author's: she gets the right.
    let mila = case.app.worker("zakljucava", &[Right::Registers, Right::EntryLocking], case.app.ustanova).await;
    let verzija = {
        case.mila = mila;
        case.draft("$(broj) + 100").await
    };
    let body = |razlog: &str, preracunaj: bool| json!({ "verzija": verzija, "potvrdjenoRezultata": 3, "preracunaj": preracunaj, "zavrsiPotpise": true, "razlogPotpisa": razlog });
    let reason = "Napišite zašto potpisi prestaju da važe, od 3 do 500 znakova.";
    case.mila.post(&publish, body("  ", true)).await.assert_error(422, Some("razlogPotpisa"), reason);
    case.mila.post(&publish, body("Ispravljena formula", true)).await.assert_status(200);
    let shown = case.shown().await;
    assert_eq!((&shown["potpisano"], &shown["data"][0]["razlogPotpisa"]), (&json!(1), &json!("Ispravljena formula")), "{shown}");
    assert_eq!(case.app.log("recomputation").await.len(), 1);
}

#[tokio::test]
async fn what_was_left_as_signed_is_taken_later_by_whoever_ends_signatures_and_the_signer_is_told() {
    let mut case = signed().await;
    let first = case.publish("$(broj) + 100", true).await["preracunavanje"].as_i64().unwrap();
    let mut tx = db::begin(&case.app.db.owner, case.mila.id).await.unwrap();
    for sql in [
        "insert into recomputation_entry (preracunavanje_id, unos_id, ishod, razlog, form_version_id, vreme)
         select $1, e.id, 'ostavljen', 'potpisan', e.form_version_id, now() from entry e where e.id = $2",
        "delete from stale_result where unos_id <> $2 and $1 > 0",
        "update recomputation set status = 'done', vreme_zavrsetka = now() where id = $1 and $2 > 0",
    ] {
        sqlx::query(sql).bind(first).bind(case.entry).execute(&mut *tx).await.unwrap();
    }
    tx.commit().await.unwrap();
    let shown = case.shown().await;
    assert_eq!((&shown["oznaceno"], &shown["ostaje"], &shown["potpisano"]), (&json!(1), &json!(1), &json!(1)), "{shown}");
    let path = case.path("/recomputations");
    case.mila.post(&path, json!({})).await.assert_status(409);
    let ends = json!({ "zavrsiPotpise": true, "razlogPotpisa": "Ispravljena formula" });
    case.mila.post(&path, ends.clone()).await.assert_status(403);
    case.mila = case.app.worker("zakljucava", &[Right::Registers, Right::EntryLocking], case.app.ustanova).await;
    let ordered = case.mila.post(&path, ends).await.assert_status(201).json()["id"].as_i64().unwrap();
    let day = async |worker: &Worker| {
        let day = worker.get("/api/my-day").await.assert_status(200).json();
        (day["prestalihPotpisa"].clone(), day["prestaliPotpisi"][0].clone())
    };
    assert_eq!(day(&case.doctor).await, (json!(0), Value::Null));
    case.recompute_one(ordered, 105).await;
    let states = case.doctor.get(&format!("/api/entries/{}/states", case.entry)).await.assert_status(200).json();
    let row = &states["istorija"][0];
    assert_eq!(
        (&states["stanje"], &row["radnja"], &row["razlog"], &row["radnik"], &states["istorija"][1]["vazi"]),
        (&json!("uRadu"), &json!("preracunavanje"), &json!("Ispravljena formula"), &json!("Zakljucava Test"), &json!(false)),
        "{states}"
    );
    let (count, told) = day(&case.doctor).await;
    assert_eq!((&count, &told["unosID"], &told["razlog"]), (&json!(1), &json!(case.entry), &json!("Ispravljena formula")), "{told}");
    // Whose signature it was not is not told, nor who looks from another institution.
    assert_eq!(day(&case.mila).await.0, json!(0));
    let mut tx = db::begin(&case.app.db.owner, case.doctor.id).await.unwrap();
    sqlx::query("insert into entry_state (unos_id, stanje, radnja, znacenje) values ($1, 'potpisan', 'potpis', 'autor')")
        .bind(case.entry)
        .execute(&mut *tx)
        .await
        .unwrap();
    tx.commit().await.unwrap();
    assert_eq!(day(&case.doctor).await.0, json!(0), "it is signed again");
}
