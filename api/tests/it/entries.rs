//! Saving entries: every rule of A section 5 on the server, two people in one entry, retries, history.

use serde_json::{Value, json};

use crate::support::{TestApp, TestRegister};

struct Case {
    app: TestApp,
    register: TestRegister,
    patient: i64,
}

impl Case {
    async fn new() -> Self {
        let app = TestApp::new().await;
        let register = app.register().await;
        let patient = app.patient(&register, "Ana", "Anić", app.ustanova, 1).await;
        Self { app, register, patient }
    }

    /// Values by field id from values by code.
    fn values(&self, by_code: Value) -> Value {
        by_code
            .as_object()
            .unwrap()
            .iter()
            .map(|(code, value)| (self.register.field(code), value.clone()))
            .collect::<serde_json::Map<_, _>>()
            .into()
    }

    /// Changes the form as its designer does.
    async fn change(&self, sql: &'static str) {
        let mut tx = domain::db::begin(&self.app.db.owner, 1).await.unwrap();
        sqlx::query(sql).execute(&mut *tx).await.unwrap();
        tx.commit().await.unwrap();
    }

    fn request(&self, doctor: i64, by_code: Value) -> Value {
        json!({
            "tsaID": self.register.form, "registarID": self.register.id, "pacijentID": self.patient, "vrednosti": self.values(by_code),
            "radnikOdgovoran": doctor, "datumUnosa": "2026-03-05",
        })
    }
}

#[tokio::test]
async fn a_saved_entry_holds_what_was_typed_what_was_calculated_and_nothing_hidden() {
    let case = Case::new().await;
    let lekar = case.app.lekar().await;
    let typed = json!({ "broj": 41, "izbor": false, "skriveno": "nestaje", "zbir": 999, "skup": [case.register.items["druga"]] });
    let saved = lekar.post("/api/entry-values", case.request(lekar.id, typed)).await.json();
    let expected = case.values(json!({ "broj": 41, "izbor": false, "zbir": 42, "skup": [case.register.items["druga"]] }));
    assert_eq!(saved["vrednosti"], expected);
    assert_eq!(saved["ocisceno"], json!([case.register.fields["skriveno"]]));
    assert_eq!(saved["nepopunjeniRelevantni"], json!([case.register.fields["tekst"]]));
    let shown = lekar.get(&format!("/api/entry-display?haID={}", saved["snimljenUnosID"])).await.json();
    assert_eq!(shown["vrednosti"], expected);
    assert_eq!((&shown["pravoIzmene"], &shown["tsa"]["datumUnosa"]), (&json!(true), &json!("2026-03-05")));
}

#[tokio::test]
async fn each_rule_refuses_with_its_message() {
    let case = Case::new().await;
    let lekar = case.app.lekar().await;
    let field = |code: &str| case.register.field(code);
    let whole = json!({ "broj": 5 });
    for (change, at, message) in [
        (json!({ "vrednosti": {} }), field("broj"), "Niste uneli stavku sa nazivom: broj.".to_owned()),
        (json!({ "vrednosti": { field("broj"): 101 } }), field("broj"), "Stavka sa nazivom: broj nije u opsegu (0) - (100)".to_owned()),
        (json!({ "vrednosti": { field("broj"): "5" } }), field("broj"), "Stavka sa nazivom: broj nije ispravna.".to_owned()),
        (
            json!({ "vrednosti": { field("broj"): 5, field("datum"): "2206-03-05" } }),
            field("datum"),
            "Stavka sa nazivom: datum nije između 1920. i 2030. godine.".to_owned(),
        ),
        (json!({ "datumUnosa": null }), "datumUnosa".to_owned(), "Niste uneli datum pregleda.".to_owned()),
        (json!({ "datumUnosa": "-000026-03-05" }), "datumUnosa".to_owned(), "Datum pregleda nije između 1920. i 2030. godine.".to_owned()),
        (
            json!({ "radnikOdgovoran": null }),
            "radnikOdgovoran".to_owned(),
            "Niste uneli ordinirajućeg lekara koji je odgovoran za kreiranje.".to_owned(),
        ),
        (
            json!({ "vrednosti": { field("broj"): 5, "999999": 1 } }),
            "999999".to_owned(),
            "Formular je u međuvremenu izmenjen. Učitajte unos ponovo.".to_owned(),
        ),
    ] {
        let mut request = case.request(lekar.id, whole.clone());
        request.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        lekar.post("/api/entry-values", request).await.assert_error(422, Some(&at), &message);
    }
}

#[tokio::test]
async fn a_number_keeps_to_one_bound_alone_and_to_the_decimals_of_its_type() {
    let case = Case::new().await;
    let lekar = case.app.lekar().await;
    let field = case.register.field("broj");
    let save = async |number: Value| lekar.post("/api/entry-values", case.request(lekar.id, json!({ "broj": number }))).await;
    case.change(
        "update attribute_type set donja_granica_brojne_vrednosti = 1, gornja_granica_brojne_vrednosti = null where naziv = 'broj'",
    )
    .await;
    save(json!(0)).await.assert_error(422, Some(&field), "Stavka sa nazivom: broj nije u opsegu (1) - (9.007.199.254.740.991)");
    save(json!(1)).await.assert_status(200);
    case.change(
        "update attribute_type set donja_granica_brojne_vrednosti = null, gornja_granica_brojne_vrednosti = 2.5 where naziv = 'broj'",
    )
    .await;
    save(json!(2.6)).await.assert_error(422, Some(&field), "Stavka sa nazivom: broj nije u opsegu (−9.007.199.254.740.991) - (2,5)");
    case.change("update attribute_type set gornja_granica_brojne_vrednosti = null, decimale_brojne_vrednosti = 0 where naziv = 'broj'")
        .await;
    save(json!(6.6)).await.assert_error(422, Some(&field), "Stavka sa nazivom: broj mora biti ceo broj.");
    assert_eq!(save(json!(6.0)).await.json()["vrednosti"][&field], json!(6), "6.0 and 6 are one number");
    case.change("update attribute_type set decimale_brojne_vrednosti = 2 where naziv = 'broj'").await;
    save(json!(2.675)).await.assert_error(422, Some(&field), "Stavka sa nazivom: broj može imati najviše 2 decimale.");
    save(json!(2.67)).await.assert_status(200);
}

#[tokio::test]
async fn two_people_keep_both_edits_and_see_a_clash_of_the_same_field() {
    let case = Case::new().await;
    let (lekar, sestra) = (case.app.lekar().await, case.app.sestra().await);
    let first = lekar.post("/api/entry-values", case.request(lekar.id, json!({ "broj": 1, "tekst": "staro" }))).await.json();
    let edit = |values: Value| {
        let mut request = case.request(lekar.id, values);
        request["unosID"] = first["snimljenUnosID"].clone();
        request["verzija"] = first["verzija"].clone();
        request["osnova"] = first["vrednosti"].clone();
        request
    };
    lekar.post("/api/entry-values", edit(json!({ "broj": 2, "tekst": "staro" }))).await.assert_status(200);
    let joined = sestra.post("/api/entry-values", edit(json!({ "broj": 1, "tekst": "novo" }))).await.json();
    assert_eq!(joined["vrednosti"], case.values(json!({ "broj": 2, "tekst": "novo", "zbir": 3 })));
    let clash = sestra.post("/api/entry-values", edit(json!({ "broj": 7, "tekst": "staro" }))).await;
    let body: Value = serde_json::from_slice(&clash.assert_status(409).bytes).unwrap();
    assert_eq!(body["sukobi"], json!([{ "polje": case.register.field("broj"), "naziv": "broj", "moje": 7, "njihovo": 2 }]));
    assert!(body["izmena"]["radnik"].as_str().is_some_and(|who| who.starts_with("Test ")) && body["izmena"]["vreme"].is_string(), "{body}");
    assert_eq!(body["spojeno"][case.register.field("tekst")], json!("novo"));
}

#[tokio::test]
async fn the_date_and_the_doctor_are_merged_as_fields_are() {
    let case = Case::new().await;
    let (lekar, sestra) = (case.app.lekar().await, case.app.sestra().await);
    let first = lekar.post("/api/entry-values", case.request(lekar.id, json!({ "broj": 1 }))).await.json();
    let edit = |change: Value| {
        let mut request = case.request(lekar.id, json!({ "broj": 1 }));
        request.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        for (asked, said) in [
            ("unosID", "snimljenUnosID"),
            ("verzija", "verzija"),
            ("osnova", "vrednosti"),
            ("osnovaDatumUnosa", "datumUnosa"),
            ("osnovaRadnikOdgovoran", "radnikOdgovoran"),
        ] {
            request[asked] = first[said].clone();
        }
        request
    };
    lekar.post("/api/entry-values", edit(json!({ "datumUnosa": "2026-03-06" }))).await.assert_status(200);
    let joined = sestra.post("/api/entry-values", edit(json!({ "radnikOdgovoran": sestra.id }))).await.json();
    assert_eq!((&joined["datumUnosa"], &joined["radnikOdgovoran"]), (&json!("2026-03-06"), &json!(sestra.id)));
    let clash = sestra.post("/api/entry-values", edit(json!({ "datumUnosa": "2026-03-07" }))).await;
    let body: Value = serde_json::from_slice(&clash.assert_status(409).bytes).unwrap();
    let date = json!({ "polje": "datumUnosa", "naziv": "Datum pregleda", "moje": "2026-03-07", "njihovo": "2026-03-06" });
    assert_eq!((&body["field"], &body["sukobi"]), (&json!("datumUnosa"), &json!([date])));
    assert_eq!((&body["datumUnosa"], &body["radnikOdgovoran"]), (&json!("2026-03-06"), &json!(sestra.id)));
}

#[tokio::test]
async fn a_saved_doctor_who_may_not_be_chosen_any_more_is_shown_and_kept() {
    let case = Case::new().await;
    let lekar = case.app.lekar().await;
    let left = case.app.worker("otišao", &[], case.app.ustanova).await;
    let first = lekar.post("/api/entry-values", case.request(left.id, json!({ "broj": 1 }))).await.json();
    case.app.lay_out(&["update worker set aktivan = false where username = 'otišao'"]).await;
    let shown = lekar.get(&format!("/api/entry-display?haID={}", first["snimljenUnosID"])).await.json();
    let options = shown["radniciOdgovorni"].as_array().unwrap();
    assert!(options.contains(&json!({ "id": left.id, "imePrezime": "Test Otišao", "dostupan": false })), "{options:?}");
    let mut request = case.request(left.id, json!({ "broj": 2 }));
    request["unosID"] = first["snimljenUnosID"].clone();
    request["verzija"] = first["verzija"].clone();
    assert_eq!(lekar.post("/api/entry-values", request).await.json()["radnikOdgovoran"], json!(left.id));
    let refused = "Izabrani radnik u ovoj ustanovi ne može biti odgovorni lekar.";
    lekar.post("/api/entry-values", case.request(left.id, json!({ "broj": 2 }))).await.assert_error(422, Some("radnikOdgovoran"), refused);
}

#[tokio::test]
async fn a_doctor_who_begins_an_entry_is_its_responsible_one_where_she_may_be_and_sees_where_its_fields_stand() {
    let case = Case::new().await;
    let (admin, lekar) = (case.app.admin().await, case.app.lekar().await);
    let fresh = format!("/api/entry-display?tsaID={}&pacijentID={}", case.register.form, case.patient);
    let begun = lekar.get(&fresh).await.json();
    assert_eq!(begun["tsa"]["radnikOdgovoran"], json!(lekar.id));
    let placed = ["panelAutsiArray", "autsSegmenti"].map(|name| begun[name].is_array());
    assert!(placed == [true; 2] && begun["getAUTSPoSegmentima"].is_object(), "{begun}");
    let saved = lekar.post("/api/entry-values", case.request(admin.id, json!({ "broj": 1 }))).await.json();
    let opened = lekar.get(&format!("/api/entry-display?haID={}", saved["snimljenUnosID"])).await.json();
    assert_eq!(opened["tsa"]["radnikOdgovoran"], json!(admin.id), "what is saved stays");
    assert_eq!(opened["autsSegmenti"], begun["autsSegmenti"]);

    let roles = admin.get(&format!("/api/roles?radnik={}", lekar.id)).await.json();
    let role = &roles["data"][0];
    let closed = json!({ "mozeBitiOdgovoran": false, "verzija": role["verzija"] });
    admin.patch(&format!("/api/roles/{}", role["id"]), closed).await.assert_status(200);
    assert_eq!(lekar.get(&fresh).await.json()["tsa"]["radnikOdgovoran"], json!(null));
}

#[tokio::test]
async fn only_who_holds_a_role_that_may_answer_for_entries_is_offered_and_taken() {
    let case = Case::new().await;
    let (admin, lekar, sestra) = (case.app.admin().await, case.app.lekar().await, case.app.sestra().await);
    let offered = async || -> Vec<i64> {
        let fresh = format!("/api/entry-display?tsaID={}&pacijentID={}", case.register.form, case.patient);
        let display = lekar.get(&fresh).await.json();
        display["radniciOdgovorni"].as_array().unwrap().iter().map(|option| option["id"].as_i64().unwrap()).collect()
    };
    let saved = lekar.post("/api/entry-values", case.request(sestra.id, json!({ "broj": 1 }))).await.json();
    assert!(offered().await.contains(&sestra.id));

    let roles = admin.get(&format!("/api/roles?radnik={}", sestra.id)).await.json();
    let role = &roles["data"][0];
    assert_eq!(role["mozeBitiOdgovoran"], json!(true));
    let path = format!("/api/roles/{}", role["id"]);
    admin.patch(&path, json!({ "mozeBitiOdgovoran": false, "verzija": role["verzija"] })).await.assert_status(200);
    assert!(!offered().await.contains(&sestra.id), "her only role does not let her");
    let refused = "Izabrani radnik u ovoj ustanovi ne može biti odgovorni lekar.";
    let mut request = case.request(sestra.id, json!({ "broj": 2 }));
    lekar.post("/api/entry-values", request.clone()).await.assert_error(422, Some("radnikOdgovoran"), refused);

    // What an entry says already may stay, and goes once it was changed.
    request["unosID"] = saved["snimljenUnosID"].clone();
    request["verzija"] = saved["verzija"].clone();
    let kept = lekar.post("/api/entry-values", request.clone()).await.json();
    assert_eq!(kept["radnikOdgovoran"], json!(sestra.id));
    request["verzija"] = kept["verzija"].clone();
    request["radnikOdgovoran"] = json!(lekar.id);
    let changed = lekar.post("/api/entry-values", request.clone()).await.json();
    request["verzija"] = changed["verzija"].clone();
    request["radnikOdgovoran"] = json!(sestra.id);
    lekar.post("/api/entry-values", request).await.assert_error(422, Some("radnikOdgovoran"), refused);

    // A role that was deleted gives nothing, whatever it says.
    let second = admin.post("/api/roles", json!({ "ime": "Lekari", "mozeBitiOdgovoran": true })).await.json();
    admin.post("/api/worker-roles", json!({ "radnik": sestra.id, "uloga": second["id"] })).await.assert_status(204);
    assert!(offered().await.contains(&sestra.id));
    case.app.lay_out(&["update role set aktivan = false where ime = 'Lekari'"]).await;
    assert!(!offered().await.contains(&sestra.id));
    case.app.lay_out(&["update role set moze_biti_odgovoran = false"]).await;
    let mut alone = case.request(lekar.id, json!({ "broj": 1 }));
    alone["radnikOdgovoran"] = Value::Null;
    let saved = lekar.post("/api/entry-values", alone).await.assert_status(200).json();
    assert_eq!(saved["radnikOdgovoran"], Value::Null, "nobody is asked for where nobody may answer");
}

#[tokio::test]
async fn a_value_of_a_field_that_the_form_does_not_ask_any_more_stays() {
    let case = Case::new().await;
    let lekar = case.app.lekar().await;
    let first = lekar.post("/api/entry-values", case.request(lekar.id, json!({ "broj": 1, "tekst": "ostaje" }))).await.json();
    case.app.lay_out(&["update form_field set aktivan = false where sifra = 'tekst'"]).await;
    let mut request = case.request(lekar.id, json!({ "broj": 2 }));
    request["unosID"] = first["snimljenUnosID"].clone();
    request["verzija"] = first["verzija"].clone();
    let newest = format!("/api/entry-display?haID={}&najnoviji=true", first["snimljenUnosID"]);
    request["obrazac"] = lekar.get(&newest).await.json()["obrazac"]["otisak"].clone();
    let saved = lekar.post("/api/entry-values", request).await.json();
    assert_eq!(saved["vrednosti"], case.values(json!({ "broj": 2, "tekst": "ostaje", "zbir": 3 })));
}

#[tokio::test]
async fn a_retried_save_makes_one_entry() {
    let case = Case::new().await;
    let lekar = case.app.lekar().await;
    let mut request = case.request(lekar.id, json!({ "broj": 1 }));
    request["kljuc"] = json!("018f3b1e-0000-7000-8000-000000000001");
    let (first, second) =
        (lekar.post("/api/entry-values", request.clone()).await.json(), lekar.post("/api/entry-values", request).await.json());
    assert_eq!(first["snimljenUnosID"], second["snimljenUnosID"]);
}

#[tokio::test]
async fn a_save_that_is_delivered_late_once_more_undoes_nothing() {
    let case = Case::new().await;
    let lekar = case.app.lekar().await;
    let first = lekar.post("/api/entry-values", case.request(lekar.id, json!({ "broj": 1 }))).await.json();
    let edit = |key: u8, from: &Value, broj: i64| {
        let mut request = case.request(lekar.id, json!({ "broj": broj }));
        request["unosID"] = first["snimljenUnosID"].clone();
        request["verzija"] = from["verzija"].clone();
        request["osnova"] = from["vrednosti"].clone();
        request["kljuc"] = json!(format!("018f3b1e-0000-7000-8000-0000000000{key:02}"));
        request
    };
    let mine = edit(1, &first, 2);
    let second = lekar.post("/api/entry-values", mine.clone()).await.json();
    lekar.post("/api/entry-values", edit(2, &second, 1)).await.assert_status(200);
    let again = lekar.post("/api/entry-values", mine).await.json();
    assert_eq!((&again["verzija"], &again["vrednosti"]), (&json!(3), &case.values(json!({ "broj": 1, "zbir": 2 }))));
}

#[tokio::test]
async fn a_save_into_a_deleted_entry_is_told_so() {
    let case = Case::new().await;
    let lekar = case.app.lekar().await;
    let mut request = case.request(lekar.id, json!({ "broj": 1 }));
    request["kljuc"] = json!("018f3b1e-0000-7000-8000-000000000001");
    let saved = lekar.post("/api/entry-values", request.clone()).await.json();
    for _ in 0..2 {
        lekar.post("/api/delete-entry", json!({ "id": saved["snimljenUnosID"] })).await.assert_status(204);
    }
    lekar.post("/api/entry-values", request).await.assert_error(410, None, "Unos je u međuvremenu obrisan.");
}

#[tokio::test]
async fn history_shows_every_earlier_value_even_of_what_was_hidden() {
    let case = Case::new().await;
    let lekar = case.app.lekar().await;
    let first =
        lekar.post("/api/entry-values", case.request(lekar.id, json!({ "broj": 1, "izbor": true, "skriveno": "tajna" }))).await.json();
    let mut request = case.request(lekar.id, json!({ "broj": 2, "izbor": false, "skriveno": "tajna" }));
    request["unosID"] = first["snimljenUnosID"].clone();
    request["verzija"] = first["verzija"].clone();
    lekar.post("/api/entry-values", request).await.assert_status(200);
    let entry = &first["snimljenUnosID"];
    let asked = format!("{},{}", case.register.field("broj"), case.register.field("skriveno"));
    let rows = lekar.get(&format!("/api/entries/{entry}/archive?nizAutsID={asked}")).await.json();
    let rows: Vec<(&Value, &Value, bool)> = rows["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (&row["brojnaVrednost"], &row["tekstVrednost"], row["vremePrestankaVazenja"].is_null()))
        .collect();
    assert_eq!(rows, [(&json!(2.0), &Value::Null, true), (&json!(1.0), &Value::Null, false), (&Value::Null, &json!("tajna"), false)]);
    lekar.get(&format!("/api/entries/{entry}/archive?nizAutsID=")).await.assert_error(
        422,
        Some("nizAutsID"),
        "Morate izabrati bar jednu stavku unosa.",
    );
}

#[tokio::test]
async fn history_names_who_wrote_a_value_and_who_replaced_it() {
    let case = Case::new().await;
    let (lekar, sestra) = (case.app.lekar().await, case.app.sestra().await);
    let first = lekar.post("/api/entry-values", case.request(lekar.id, json!({ "broj": 10.5, "tekst": "isti" }))).await.json();
    let edit = |saved: &Value, values: Value| {
        let mut request = case.request(lekar.id, values);
        request["unosID"] = saved["snimljenUnosID"].clone();
        request["verzija"] = saved["verzija"].clone();
        request
    };
    let second = sestra.post("/api/entry-values", edit(&first, json!({ "broj": 22, "tekst": "isti", "izbor": true }))).await.json();
    lekar.post("/api/entry-values", edit(&second, json!({ "broj": 22, "tekst": "isti" }))).await.assert_status(200);
    let (one, other) = (name_of(&case, lekar.id).await, name_of(&case, sestra.id).await);
    let asked: Vec<String> = ["broj", "tekst", "izbor"].map(|code| case.register.field(code)).into();
    let path = format!("/api/entries/{}/archive?nizAutsID={}", first["snimljenUnosID"], asked.join(","));
    let history = lekar.get(&path).await.json();
    let mut rows: Vec<Value> = history["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| json!([row["nazivAtributa"], row["brojnaVrednost"], row["radnikUpisao"], row["radnik"]]))
        .collect();
    rows.sort_by_key(ToString::to_string);
    assert_eq!(
        rows,
        [
            json!(["broj", 10.5, one, other]),
            json!(["broj", 22.0, other, null]),
            json!(["izbor", null, other, one]),
            json!(["tekst", null, one, null]),
        ]
    );
    let changes: Vec<Value> = history["promene"]
        .as_array()
        .unwrap()
        .iter()
        .map(|change| json!([change["nazivAtributa"], change["staro"]["vrednost"], change["novo"]["vrednost"], change["radnik"]]))
        .collect();
    assert_eq!(
        changes,
        [json!(["izbor", true, null, one]), json!(["izbor", null, true, other]), json!(["broj", 10.5, 22, other])],
        "newest first; what was typed first is no change"
    );
}

/// As histories name a worker.
async fn name_of(case: &Case, worker: i64) -> String {
    sqlx::query_scalar("select prezime || ' ' || ime from worker where id = $1").bind(worker).fetch_one(&case.app.db.owner).await.unwrap()
}

#[tokio::test]
async fn the_per_patient_maximum_holds() {
    let case = Case::new().await;
    let lekar = case.app.lekar().await;
    case.change("update form set maksimalan_broj_instanci_po_pacijentu = 1").await;
    let request = case.request(lekar.id, json!({ "broj": 1 }));
    lekar.post("/api/entry-values", request.clone()).await.assert_status(200);
    lekar.post("/api/entry-values", request).await.assert_refusal(
        422,
        Some("tsaID"),
        "Nije moguće kreirati unos jer premašuje maksimalan broj mogućih kreiranih po pacijentu 1",
    );
    let count = lekar.get(&format!("/api/entry-count?pacijentID={}&thaID={}", case.patient, case.register.form)).await.json();
    let poruka = "Nije moguće kreirati unos jer premašuje maksimalan broj mogućih kreiranih po pacijentu 1";
    assert_eq!(count, json!({ "isValid": false, "poruka": poruka, "maxInstanci": 1, "brojUnosa": 1, "postojeci": [] }));
}

#[tokio::test]
async fn the_maximum_of_one_day_holds_for_two_at_once_and_leaves_other_days_free() {
    let case = Case::new().await;
    let lekar = case.app.lekar().await;
    case.change("update form set maksimalan_broj_instanci_po_kontaktu = 1").await;
    let request = case.request(lekar.id, json!({ "broj": 1 }));
    let both = [lekar.post("/api/entry-values", request.clone()), lekar.post("/api/entry-values", request.clone())];
    let [first, second] = futures::future::join_all(both).await.try_into().ok().unwrap();
    let refused = if first.status == 200 { second } else { first };
    refused.assert_refusal(422, Some("datumUnosa"), "Za taj dan već postoji unos. Otvorite ga.");
    let mut another = request;
    another["datumUnosa"] = json!("2026-03-06");
    lekar.post("/api/entry-values", another).await.assert_status(200);
}

#[tokio::test]
async fn the_maximum_of_one_day_is_told_before_the_save_and_holds_for_an_entry_that_moves() {
    let case = Case::new().await;
    let lekar = case.app.lekar().await;
    case.app.entry(&case.register, case.patient, case.app.ustanova, "2026-03-06", json!({ "broj": 1 })).await;
    let first = lekar.post("/api/entry-values", case.request(lekar.id, json!({ "broj": 1 }))).await.json();
    case.change("update form set maksimalan_broj_instanci_po_kontaktu = 1").await;
    let poruka = "Za taj dan već postoji unos. Otvorite ga.";
    let asked = async |more: String| {
        let path = format!("/api/entry-count?pacijentID={}&thaID={}{more}", case.patient, case.register.form);
        lekar.get(&path).await.json()["poruka"].clone()
    };
    let id = &first["snimljenUnosID"];
    assert_eq!(asked("&datumUnosa=2026-03-06".into()).await, json!(poruka));
    assert_eq!(asked("&datumUnosa=2026-03-07".into()).await, Value::Null);
    assert_eq!(asked(format!("&datumUnosa=2026-03-06&unosID={id}")).await, json!(poruka));
    assert_eq!(asked(format!("&datumUnosa=2026-03-05&unosID={id}")).await, Value::Null);
    let moved_to = |date: &str| {
        let mut request = case.request(lekar.id, json!({ "broj": 1 }));
        request["unosID"] = id.clone();
        request["datumUnosa"] = json!(date);
        request["osnova"] = case.values(json!({ "broj": 1 }));
        request["osnovaDatumUnosa"] = json!("2026-03-05");
        request["osnovaRadnikOdgovoran"] = json!(lekar.id);
        request
    };
    lekar.post("/api/entry-values", moved_to("2026-03-06")).await.assert_refusal(422, Some("datumUnosa"), poruka);
    lekar.post("/api/entry-values", moved_to("2026-03-05")).await.assert_status(200);
    lekar.post("/api/entry-values", moved_to("2026-03-07")).await.assert_status(200);
}

#[tokio::test]
async fn a_deletion_does_not_take_what_somebody_changed_since_the_entry_was_opened() {
    let case = Case::new().await;
    let (lekar, sestra) = (case.app.lekar().await, case.app.sestra().await);
    let opened = lekar.post("/api/entry-values", case.request(lekar.id, json!({ "broj": 1 }))).await.json();
    let id = &opened["snimljenUnosID"];
    let mut change = case.request(lekar.id, json!({ "broj": 2 }));
    change["unosID"] = id.clone();
    change["verzija"] = opened["verzija"].clone();
    let changed = sestra.post("/api/entry-values", change).await.json();
    let delete = async |verzija: &Value| lekar.post("/api/delete-entry", json!({ "id": id, "verzija": verzija })).await;
    delete(&opened["verzija"]).await.assert_error(
        409,
        None,
        "Neko je izmenio unos otkad ste ga otvorili, pa nije obrisan. Pogledajte izmene pre brisanja.",
    );
    assert_eq!(lekar.get(&format!("/api/entry-display?haID={id}")).await.json()["vrednosti"], changed["vrednosti"]);
    // The same call again, after its answer was lost, is no fault.
    for _ in 0..2 {
        delete(&changed["verzija"]).await.assert_status(204);
    }
}

#[tokio::test]
async fn what_lies_in_a_panel_that_is_not_shown_is_not_asked_for() {
    let case = Case::new().await;
    let lekar = case.app.lekar().await;
    let wanted = async || lekar.post("/api/entry-values", case.request(lekar.id, json!({}))).await;
    for (kind, shown) in [(8, true), (8, false), (11, false)] {
        case.change("delete from form_field where sifra = 'okvir'").await;
        let mut tx = domain::db::begin(&case.app.db.owner, 1).await.unwrap();
        sqlx::query(
            "with t as (insert into attribute_type (naziv, tip_vrednosti_atributa) values ('okvir' || gen_random_uuid(), $1) returning id),
                  p as (insert into form_field (tip_skupa_atributa_id, tip_atributa_id, naziv, redosled, sifra, prikazuje_se)
                        select $2, t.id, 'okvir', 0, 'okvir', $3 from t returning id)
             update form_field set nadredjeni_atribut_u_tipu_skupa_id = p.id from p where sifra in ('broj', 'tekst')",
        )
        .bind(kind)
        .bind(case.register.form)
        .bind(shown)
        .execute(&mut *tx)
        .await
        .unwrap();
        tx.commit().await.unwrap();
        let answer = wanted().await;
        if kind == 8 && !shown {
            assert_eq!(answer.assert_status(200).json()["nepopunjeniRelevantni"], json!([]));
        } else {
            answer.assert_error(422, Some(&case.register.field("broj")), "Niste uneli stavku sa nazivom: broj.");
        }
        case.change("update form_field set nadredjeni_atribut_u_tipu_skupa_id = null").await;
    }
}

#[tokio::test]
async fn a_retired_item_stays_where_it_was_chosen_and_is_chosen_nowhere_anew() {
    let case = Case::new().await;
    let lekar = case.app.lekar().await;
    let [first, second] = ["prva", "druga"].map(|item| case.register.items[item]);
    let both = json!({ "broj": 1, "skup": [first, second] });
    let saved = lekar.post("/api/entry-values", case.request(lekar.id, both.clone())).await.json();
    case.change("update enum_item set aktivan = false where naziv = 'druga'").await;
    case.change("update form_field set inicijalno_poslednja_popunjena_vrednost = true where sifra = 'skup'").await;

    let mut again = case.request(lekar.id, json!({ "broj": 2, "skup": [first, second] }));
    again["unosID"] = saved["snimljenUnosID"].clone();
    again["verzija"] = saved["verzija"].clone();
    lekar.post("/api/entry-values", again).await.assert_status(200);

    let fresh = format!("/api/entry-display?tsaID={}&pacijentID={}", case.register.form, case.patient);
    assert_eq!(lekar.get(&fresh).await.json()["vrednosti"], case.values(json!({ "skup": [first] })));
    lekar.post("/api/entry-values", case.request(lekar.id, both)).await.assert_error(
        422,
        Some(&case.register.field("skup")),
        "Stavka sa nazivom: skup sadrži vrednost „druga”, koja se više ne koristi.",
    );
}

#[tokio::test]
async fn another_institution_may_neither_change_nor_delete() {
    let case = Case::new().await;
    let (lekar, other) =
        (case.app.lekar().await, case.app.worker("drugi", &[accounts::rights::Right::Reports], case.app.druga_ustanova).await);
    let saved = lekar.post("/api/entry-values", case.request(lekar.id, json!({ "broj": 1 }))).await.json();
    let id = &saved["snimljenUnosID"];
    other.get(&format!("/api/entry-display?haID={id}")).await.assert_status(404);
    other.post("/api/delete-entry", json!({ "id": id })).await.assert_status(404);
    // Known by an entry of its own, it reads, and still may not change what is another's.
    case.app.entry(&case.register, case.patient, case.app.druga_ustanova, "2026-01-01", json!({ "broj": 9 })).await;
    let shown = other.get(&format!("/api/entry-display?haID={id}")).await.json();
    assert_eq!((&shown["pravoIzmene"], &shown["pravoBrisanja"]), (&json!(false), &json!(false)));
    let mut request = case.request(other.id, json!({ "broj": 2 }));
    request["unosID"] = id.clone();
    request["verzija"] = saved["verzija"].clone();
    other.post("/api/entry-values", request).await.assert_status(403);
    lekar.post("/api/delete-entry", json!({ "id": id })).await.assert_status(204);
    lekar.get(&format!("/api/entry-display?haID={id}")).await.assert_status(404);
}

#[tokio::test]
async fn who_answers_for_an_entry_is_shown_and_stays_although_they_work_elsewhere_now() {
    let case = Case::new().await;
    let (lekar, sestra) = (case.app.lekar().await, case.app.sestra().await);
    let saved = lekar.post("/api/entry-values", case.request(sestra.id, json!({ "broj": 1 }))).await.json();
    let mut tx = domain::db::begin(&case.app.db.owner, domain::db::SYSTEM_WORKER).await.unwrap();
    sqlx::query("update worker set ustanova_id = $2 where id = $1")
        .bind(sestra.id)
        .bind(case.app.druga_ustanova)
        .execute(&mut *tx)
        .await
        .unwrap();
    sqlx::query("delete from worker_institution where radnik_id = $1").bind(sestra.id).execute(&mut *tx).await.unwrap();
    tx.commit().await.unwrap();

    let offered = |display: Value| -> Vec<i64> {
        display["radniciOdgovorni"].as_array().unwrap().iter().map(|option| option["id"].as_i64().unwrap()).collect()
    };
    let shown = lekar.get(&format!("/api/entry-display?haID={}", saved["snimljenUnosID"])).await.json();
    assert!(offered(shown).contains(&sestra.id));
    let fresh = lekar.get(&format!("/api/entry-display?tsaID={}&pacijentID={}", case.register.form, case.patient)).await.json();
    assert!(!offered(fresh).contains(&sestra.id));

    let mut again = case.request(sestra.id, json!({ "broj": 2 }));
    lekar.post("/api/entry-values", again.clone()).await.assert_error(
        422,
        Some("radnikOdgovoran"),
        "Izabrani radnik u ovoj ustanovi ne može biti odgovorni lekar.",
    );
    again["unosID"] = saved["snimljenUnosID"].clone();
    again["verzija"] = saved["verzija"].clone();
    lekar.post("/api/entry-values", again).await.assert_status(200);
}
