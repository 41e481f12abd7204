//! The resources of administration: each keeps the contract, and what it adds.

use accounts::rights::Right;
use serde_json::{Value, json};

use crate::{
    crud::{Contract, crud_contract},
    support::{TestApp, keys},
};

const REGISTER: &str = "insert into register (id, naziv) values (700, 'Registar')";
const FORM: &str = "insert into form (id, registar_id, naziv) values (700, 700, 'Formular')";
const SET: &str = "insert into attribute_type (id, naziv, tip_vrednosti_atributa) values (700, 'Stepen', 4)";
const CATEGORY: &str = "insert into report_category (id, naziv, numericka_vrednost) values (700, 'Klinički', 1)";
const TYPE: &str = "insert into report_type (id, naziv, numericka_vrednost, kategorija_id) values (700, 'Ishodi', 1, 700)";
const REPORT: &str = "insert into report (id, naziv, numericka_vrednost, jasper_fajl, tip_id) values (700, 'Ishod', 1, 'ishod', 700)";
const PARAMETER_TYPE: &str = "insert into report_parameter_type (id, naziv, tip_recnika) values (700, 'Datum', 2)";

#[tokio::test]
async fn roles_keep_the_contract() {
    crud_contract(Contract {
        // Whoever administers workers chooses among the roles.
        everyone_reads: true,
        required: vec![("ime", "Niste uneli naziv.", json!("Glavna sestra"))],
        change: ("numerickaVrednost", json!(4)),
        record: "aktivan drugiFaktor id ime mozeBitiOdgovoran numerickaVrednost opis pacijenti sveUstanove verzija",
        ..Contract::of("roles", "role", Right::Roles)
    })
    .await;
}

#[tokio::test]
async fn forms_keep_the_contract() {
    crud_contract(Contract {
        setup: &[REGISTER],
        required: vec![("naziv", "Niste uneli naziv.", json!("Pregled")), ("registarID", "Niste izabrali registar.", json!(700))],
        change: ("maksimalanBrojInstanciPoPacijentu", json!(3)),
        record: "aktivan id maksimalanBrojInstanciPoKontaktu maksimalanBrojInstanciPoPacijentu mozeSeInstancirati napomena \
                 naziv nazivEngleski opis prikazniRedosled registarID sifraVeza verzija",
        ..Contract::of("forms", "form", Right::Registers)
    })
    .await;
}

#[tokio::test]
async fn attribute_types_keep_the_contract() {
    crud_contract(Contract {
        required: vec![("naziv", "Niste uneli naziv.", json!("Puls")), ("tipVrednostiAtributa", "Niste izabrali tip vrednosti.", json!(2))],
        change: ("gornjaGranicaBrojneVrednosti", json!(220.5)),
        record: "aktivan decimaleBrojneVrednosti donjaGranicaBrojneVrednosti drugeJedinice gornjaGranicaBrojneVrednosti id imaPolja jedinica \
                 najviseFajlova najviseMegabajta napomena naziv nazivTipaVrednostiAtributa sirina tipVrednostiAtributa verzija visina \
                 vrsteFajlova",
        ..Contract::of("attribute-types", "attribute_type", Right::Registers)
    })
    .await;
}

#[tokio::test]
async fn quality_rules_keep_the_contract() {
    crud_contract(Contract {
        setup: &[REGISTER],
        required: vec![("naziv", "Niste uneli naziv.", json!("Obavezna polja")), ("registarID", "Niste izabrali registar.", json!(700))],
        change: ("poruka", json!("Dopunite unos.")),
        record: "aktivan dana donjaGranica drugoPoljeID formID formula gornjaGranica id naziv poljeID poruka razlika registarID tezina verzija vrsta",
        ..Contract::of("quality-rules", "quality_rule", Right::QualityRules)
    })
    .await;
}

#[tokio::test]
async fn enum_items_keep_the_contract() {
    crud_contract(Contract {
        setup: &[SET],
        required: vec![
            ("naziv", "Niste uneli naziv.", json!("Umeren")),
            ("numVrednost", "Niste uneli numeričku vrednost.", json!(1.5)),
            ("tipAtributaID", "Niste izabrali tip atributa.", json!(700)),
        ],
        change: ("redosled", json!(2)),
        record: "aktivan bezTezine id mozeSeIzabrati naziv numVrednost opcioni opis redosled sifraVeza tipAtributaID verzija",
        ..Contract::of("enum-items", "enum_item", Right::Registers)
    })
    .await;
}

#[tokio::test]
async fn report_categories_keep_the_contract() {
    crud_contract(Contract {
        required: vec![
            ("naziv", "Niste uneli naziv.", json!("Administrativni")),
            ("numerickaVrednost", "Niste uneli numeričku vrednost.", json!(2)),
        ],
        change: ("numerickaVrednost", json!(5)),
        record: "aktivan id naziv numerickaVrednost verzija",
        ..Contract::of("report-categories", "report_category", Right::ReportSetup)
    })
    .await;
}

#[tokio::test]
async fn report_types_keep_the_contract() {
    crud_contract(Contract {
        setup: &[CATEGORY],
        required: vec![
            ("naziv", "Niste uneli naziv.", json!("Popunjenost")),
            ("numerickaVrednost", "Niste uneli numeričku vrednost.", json!(2)),
            ("kategorijaID", "Niste izabrali kategoriju izveštaja.", json!(700)),
        ],
        change: ("naziv", json!("Popunjenost unosa")),
        record: "aktivan id kategorijaID kategorijaNaziv naziv numerickaVrednost verzija",
        ..Contract::of("report-types", "report_type", Right::ReportSetup)
    })
    .await;
}

#[tokio::test]
async fn reports_keep_the_contract() {
    crud_contract(Contract {
        setup: &[CATEGORY, TYPE],
        required: vec![
            ("naziv", "Niste uneli naziv.", json!("Lista pacijenata")),
            ("numerickaVrednost", "Niste uneli numeričku vrednost.", json!(2)),
            ("jasperFajl", "Niste uneli Jasper fajl.", json!("lista-pacijenata")),
            ("tipID", "Niste izabrali tip izveštaja.", json!(700)),
        ],
        change: ("prikazujeSe", json!(true)),
        record: "aktivan id jasperFajl najviseSekundi naziv neSaljiPrazan numerickaVrednost obim opis prikazujeSe prilogUMejlu \
                 registarID tipID tipNaziv verzija",
        ..Contract::of("reports", "report", Right::ReportSetup)
    })
    .await;
}

#[tokio::test]
async fn report_parameters_keep_the_contract() {
    crud_contract(Contract {
        setup: &[CATEGORY, TYPE, REPORT, PARAMETER_TYPE],
        required: vec![
            ("naziv", "Niste uneli naziv.", json!("Od datuma")),
            ("tipID", "Niste izabrali tip parametra.", json!(700)),
            ("requestNaziv", "Niste uneli naziv u zahtevu.", json!("odDatuma")),
            ("prikazniRedosled", "Niste uneli prikazni redosled.", json!(1)),
            ("izvestajID", "Niste izabrali izveštaj.", json!(700)),
        ],
        change: ("opcioni", json!(true)),
        record: "aktivan id izvestajID multiSelect naziv opcioni podrazumevano prikazniRedosled requestNaziv tipID tipNaziv \
                 verzija",
        ..Contract::of("report-parameters", "report_parameter", Right::ReportSetup)
    })
    .await;
}

#[tokio::test]
async fn report_parameter_types_keep_the_contract() {
    crud_contract(Contract {
        required: vec![("naziv", "Niste uneli naziv.", json!("Tekst")), ("tipRecnika", "Niste izabrali tip rečnika.", json!(1))],
        change: ("logged", json!(true)),
        record: "aktivan id link logged naziv sqlNumVrednost tipRecnika tipRecnikaNaziv upit verzija",
        ..Contract::of("report-parameter-types", "report_parameter_type", Right::ReportSetup)
    })
    .await;
}

#[tokio::test]
async fn a_role_of_a_known_name_is_refused() {
    let app = TestApp::new().await;
    let admin = app.admin().await;
    admin.post("/api/roles", json!({ "ime": "Šef odeljenja" })).await.assert_status(201);
    admin.post("/api/roles", json!({ "ime": "sef odeljenja" })).await.assert_error(409, Some("ime"), "Uloga sa tim nazivom već postoji.");
}

#[tokio::test]
async fn a_worker_has_an_address_that_reports_may_be_sent_to() {
    let app = TestApp::new().await;
    let admin = app.worker("glavni", &Right::ALL, app.ustanova).await;
    let worker = format!("/api/workers/{}", app.worker("sestra", &[], app.ustanova).await.id);
    for wrong in ["žarko@bolnica.rs", "a@b", "a@b.rs, c@d.rs"] {
        admin.patch(&worker, json!({ "email": wrong })).await.assert_error(422, Some("email"), "E-mail adresa nije ispravna.");
    }
    admin.patch(&worker, json!({ "email": "zarko@bolnica.rs" })).await.assert_status(200);
}

#[tokio::test]
async fn an_address_that_was_taken_once_refuses_no_other_change() {
    let app = TestApp::new().await;
    let admin = app.worker("glavni", &Right::ALL, app.ustanova).await;
    let sestra = app.sestra().await;
    let path = format!("/api/workers/{}", sestra.id);
    app.lay_out(&["update worker set email = 'žarko@bolnica.rs' where username = 'sestra'"]).await;
    for worker in [&admin, &sestra] {
        worker.patch(&path, json!({ "telefon": "011 555" })).await.assert_status(200);
        worker.patch(&path, json!({ "email": "žarko@bolnica.rs", "telefon": "011 556" })).await.assert_status(200);
        worker.patch(&path, json!({ "email": "živko@bolnica.rs" })).await.assert_error(422, Some("email"), "E-mail adresa nije ispravna.");
    }
    assert_eq!(admin.get(&path).await.json()["email"], "žarko@bolnica.rs");
}

#[tokio::test]
async fn a_right_given_to_a_role_opens_its_screen_to_the_workers_of_the_role() {
    let app = TestApp::new().await;
    let (admin, sestra) = (app.admin().await, app.sestra().await);
    let role = admin.post("/api/roles", json!({ "ime": "Urednik" })).await.json()["id"].clone();
    let numbers = |answer: Value| -> Vec<i64> {
        answer["data"].as_array().expect("a list").iter().map(|right| right["numerickaVrednost"].as_i64().expect("a number")).collect()
    };

    for _ in 0..2 {
        admin.post("/api/role-rights", json!({ "uloga": role, "aplikativnoPravo": 6 })).await.assert_status(204);
        admin.post("/api/worker-roles", json!({ "radnik": sestra.id, "uloga": role })).await.assert_status(204);
    }
    assert_eq!(numbers(admin.get(&format!("/api/application-rights?uloga={role}")).await.json()), [6]);
    let workers = admin.get(&format!("/api/roles/{role}/workers")).await.json();
    assert_eq!(workers, json!({ "data": [{ "id": sestra.id, "ime": "Sestra", "prezime": "Test" }], "total": 1 }));
    let roles = admin.get(&format!("/api/roles?radnik={}&filter=urednik", sestra.id)).await.json();
    assert_eq!(roles["total"], 1);
    sestra.get("/api/parameters").await.assert_status(200);

    admin.post("/api/role-rights-delete", json!({ "ulogaID": role, "aplikativnaPravaID": [6, 7] })).await.assert_status(204);
    sestra.get("/api/parameters").await.assert_status(403);
    admin.post("/api/worker-roles-delete", json!({ "radnikID": sestra.id, "ulogeID": [role] })).await.assert_status(204);
    assert_eq!(admin.get(&format!("/api/roles/{role}/workers")).await.json()["total"], 0);

    let deeds: Vec<String> = app.log("role_right").await.into_iter().filter(|l| l.radnik_id == Some(admin.id)).map(|l| l.akcija).collect();
    assert_eq!(deeds, ["kreiranje", "brisanje"]);
    admin.post("/api/worker-roles", json!({ "radnik": 0, "uloga": role })).await.assert_error(404, None, "Traženi podatak ne postoji.");
    let nothing = admin.post("/api/worker-roles", json!({ "radnik": sestra.id, "uloga": 0 })).await;
    nothing.assert_error(422, None, "Izabrana stavka ne postoji.");
}

#[tokio::test]
async fn administrators_do_not_take_the_right_to_give_rights_from_themselves() {
    let app = TestApp::new().await;
    let (admin, sestra) = (app.admin().await, app.sestra().await);
    let role = admin.get(&format!("/api/roles?radnik={}", admin.id)).await.json()["data"][0]["id"].clone();
    let all = admin.get(&format!("/api/application-rights?uloga={role}")).await.json();
    let right =
        all["data"].as_array().expect("a list").iter().find(|right| right["numerickaVrednost"] == 2).expect("the right")["id"].clone();

    let message = "Ne možete sebi oduzeti pravo „Uloge”. To može samo drugi administrator.";
    let no_right = json!({ "ulogaID": role, "aplikativnaPravaID": [right] });
    admin.post("/api/role-rights-delete", no_right.clone()).await.assert_error(409, None, message);
    let no_role = json!({ "radnikID": admin.id, "ulogeID": [role] });
    admin.post("/api/worker-roles-delete", no_role.clone()).await.assert_error(409, None, message);
    let in_use = admin.delete(&format!("/api/roles/{role}")).await;
    in_use.assert_status(409);
    assert!(in_use.text().contains("ulogu ima radnik „Test Admin”"), "{}", in_use.text());
    assert_eq!(admin.get(&format!("/api/application-rights?uloga={role}")).await.json(), all, "nothing of it was done");

    let other = admin.post("/api/roles", json!({ "ime": "Drugi administrator", "sveUstanove": true })).await.json()["id"].clone();
    for right in all["data"].as_array().expect("a list") {
        admin.post("/api/role-rights", json!({ "uloga": other, "aplikativnoPravo": right["id"] })).await.assert_status(204);
    }
    admin.post("/api/worker-roles", json!({ "radnik": sestra.id, "uloga": other })).await.assert_status(204);
    sestra.post("/api/worker-roles-delete", no_role).await.assert_status(204);
    admin.get("/api/roles").await.assert_status(403);
    sestra.post("/api/role-rights-delete", no_right).await.assert_status(204);
}

#[tokio::test]
async fn the_last_worker_who_may_give_rights_keeps_the_role_and_the_account() {
    let app = TestApp::new().await;
    let (admin, sestra, lekar) = (app.admin().await, app.sestra().await, app.lekar().await);
    // Everything but the right to give rights, so that nothing of the administrator but that one right is beyond it.
    let staff = admin.post("/api/roles", json!({ "ime": "Kadrovska služba", "sveUstanove": true })).await.json()["id"].clone();
    for right in [1, 3, 4, 5, 6, 7, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 24, 25, 26, 27, 28, 29, 30, 31] {
        admin.post("/api/role-rights", json!({ "uloga": staff, "aplikativnoPravo": right })).await.assert_status(204);
    }
    admin.post("/api/worker-roles", json!({ "radnik": sestra.id, "uloga": staff })).await.assert_status(204);
    let role = admin.get(&format!("/api/roles?radnik={}", admin.id)).await.json()["data"][0]["id"].clone();
    let (account, no_role) = (format!("/api/workers/{}", admin.id), json!({ "radnikID": admin.id, "ulogeID": [role] }));

    let above = "Ovaj radnik ima prava koja vi nemate. Nedostaje vam: „Uloge”.";
    sestra.post("/api/worker-roles-delete", no_role.clone()).await.assert_error(403, None, above);
    sestra.delete(&account).await.assert_error(403, None, above);
    sestra.patch(&account, json!({ "aktivan": false })).await.assert_error(403, None, above);
    let last = "Ne možete sebi oduzeti pravo „Uloge”. To može samo drugi administrator.";
    admin.post("/api/worker-roles-delete", no_role.clone()).await.assert_error(409, None, last);

    admin.post("/api/worker-roles", json!({ "radnik": lekar.id, "uloga": role })).await.assert_status(204);
    lekar.post("/api/worker-roles-delete", no_role).await.assert_status(204);
    admin.get("/api/roles").await.assert_status(403);
    lekar.delete(&account).await.assert_status(204);
    lekar.get("/api/roles").await.assert_status(200);
}

#[tokio::test]
async fn what_only_one_giver_of_rights_holds_is_not_lost_for_good() {
    let app = TestApp::new().await;
    let (admin, other) = (app.admin().await, app.worker("drugi", &Right::ALL, app.ustanova).await);
    let role = async |of: i64| admin.get(&format!("/api/roles?radnik={of}")).await.json()["data"][0]["id"].as_i64().expect("a role");
    let (mine, theirs) = (role(admin.id).await, role(other.id).await);
    other.patch(&format!("/api/roles/{theirs}"), json!({ "pacijenti": "uvid" })).await.assert_status(200);
    let lost = "Posle ove izmene više niko ne bi mogao da da pravo: „Pacijenti: izmena”. Prvo ga dajte drugom radniku sa pravom „Uloge”.";
    admin.patch(&format!("/api/roles/{mine}"), json!({ "pacijenti": "uvid" })).await.assert_error(409, None, lost);
    other.post("/api/role-rights-delete", json!({ "ulogaID": theirs, "aplikativnaPravaID": [6] })).await.assert_status(204);
    let lost = "Posle ove izmene više niko ne bi mogao da da pravo: „Parametri”. Prvo ga dajte drugom radniku sa pravom „Uloge”.";
    admin.post("/api/role-rights-delete", json!({ "ulogaID": mine, "aplikativnaPravaID": [6] })).await.assert_error(409, None, lost);
}

#[tokio::test]
async fn a_worker_leaves_an_institution_but_not_the_one_worked_for() {
    let app = TestApp::new().await;
    let (admin, sestra) = (app.admin().await, app.sestra().await);
    admin.post("/api/worker-institutions", json!({ "radnik": sestra.id, "ustanova": app.druga_ustanova })).await.assert_status(204);
    let mine = format!("/api/institutions?radnik={}", sestra.id);
    assert_eq!(sestra.get(&mine).await.json()["total"], 2);
    let refused = admin.post("/api/worker-institutions-delete", json!({ "radnikID": sestra.id, "ustanoveID": [app.ustanova] })).await;
    refused.assert_error(409, None, "Radnik radi u ovoj ustanovi. Prvo mu promenite ustanovu.");
    let left = json!({ "radnikID": sestra.id, "ustanoveID": [app.druga_ustanova] });
    admin.post("/api/worker-institutions-delete", left).await.assert_status(204);
    assert_eq!(sestra.get(&mine).await.json()["total"], 1);
}

#[tokio::test]
async fn the_warning_is_saved_shown_and_deleted() {
    let app = TestApp::new().await;
    let (admin, sestra) = (app.admin().await, app.sestra().await);
    admin.post("/api/save-warning", json!({ "message": "  " })).await.assert_error(422, Some("message"), "Niste uneli tekst upozorenja.");
    admin.post("/api/save-warning", json!({ "message": "Večeras od 22 h sistem ne radi." })).await.assert_status(204);
    assert_eq!(sestra.get("/api/warning").await.json()["message"], "Večeras od 22 h sistem ne radi.");
    sestra.post("/api/save-warning", json!({ "message": "x" })).await.assert_status(403);
    admin.post("/api/delete-warning", json!({})).await.assert_status(204);
    assert_eq!(sestra.get("/api/warning").await.json()["message"], "");
    let deeds: Vec<Option<i64>> = app.log("warning").await.into_iter().map(|line| line.radnik_id).collect();
    assert_eq!(deeds, [Some(admin.id), Some(admin.id)]);
}

#[tokio::test]
async fn lists_are_narrowed_down_to_what_they_belong_to_and_sorted_by_their_order() {
    let app = TestApp::new().await;
    app.lay_out(&[REGISTER, "insert into register (id, naziv) values (701, 'Drugi')"]).await;
    let admin = app.admin().await;
    for (naziv, red, registar) in [("Deseti", 10, 700), ("Drugi", 2, 700), ("Tuđi", 1, 701)] {
        // The screens send the scope of their list under its own name.
        admin.post("/api/forms", json!({ "naziv": naziv, "prikazniRedosled": red, "registar": registar })).await.assert_status(201);
    }
    let forms = admin.get("/api/forms?registar=700").await.json();
    let names: Vec<&str> = forms["data"].as_array().expect("a list").iter().map(|form| form["naziv"].as_str().expect("a name")).collect();
    assert_eq!(names, ["Drugi", "Deseti"]);
}

#[tokio::test]
async fn bounds_and_limits_that_make_no_sense_are_refused_by_their_field() {
    let app = TestApp::new().await;
    app.lay_out(&[REGISTER]).await;
    let admin = app.admin().await;
    let cases = [
        (
            "/api/attribute-types",
            json!({ "naziv": "x", "tipVrednostiAtributa": 2, "donjaGranicaBrojneVrednosti": 5, "gornjaGranicaBrojneVrednosti": 4 }),
            "donjaGranicaBrojneVrednosti",
            "Donja granica ne sme biti veća od gornje.",
        ),
        (
            "/api/attribute-types",
            json!({ "naziv": "x", "tipVrednostiAtributa": 2, "decimaleBrojneVrednosti": 11 }),
            "decimaleBrojneVrednosti",
            "Broj decimala može biti od 0 do 10.",
        ),
        (
            "/api/forms",
            json!({ "naziv": "x", "registarID": 700, "maksimalanBrojInstanciPoPacijentu": 0 }),
            "maksimalanBrojInstanciPoPacijentu",
            "Broj mora biti veći od nule.",
        ),
        (
            "/api/registers",
            json!({ "naziv": "x", "brojRezultataUPretrazi": 7 }),
            "brojRezultataUPretrazi",
            "Broj rezultata može biti 50, 100, 200, 1000 ili -1 (svi).",
        ),
    ];
    for (path, body, field, message) in cases {
        admin.post(path, body).await.assert_error(422, Some(field), message);
    }
    let unknown = admin.post("/api/attribute-types", json!({ "naziv": "x", "tipVrednostiAtributa": 10 })).await;
    unknown.assert_error(422, Some("tipVrednostiAtributa"), "Vrednost polja „tipVrednostiAtributa” nije ispravna.");
}

#[tokio::test]
async fn an_attribute_type_in_use_keeps_its_kind_of_value() {
    let app = TestApp::new().await;
    let field = "insert into form_field (tip_skupa_atributa_id, tip_atributa_id, naziv, redosled) values (700, 700, 'Stepen', 1)";
    app.lay_out(&[REGISTER, FORM, SET, field]).await;
    let admin = app.admin().await;
    admin.patch("/api/attribute-types/700", json!({ "naziv": "Stepen bola" })).await.assert_status(200);
    let refused = admin.patch("/api/attribute-types/700", json!({ "tipVrednostiAtributa": 2 })).await;
    refused.assert_error(409, Some("tipVrednostiAtributa"), "Tip vrednosti se ne može menjati jer se tip atributa koristi u formularima.");
}

#[tokio::test]
async fn the_query_of_a_parameter_type_is_one_statement_or_a_known_name() {
    let app = TestApp::new().await;
    let admin = app.admin().await;
    let post = async |kind: i32, upit: Value| {
        admin.post("/api/report-parameter-types", json!({ "naziv": "x", "tipRecnika": kind, "upit": upit })).await
    };
    post(4, json!(null)).await.assert_error(422, Some("upit"), "Niste uneli upit.");
    let two = post(4, json!("select 1, 'a';\nselect 2, 'b'")).await;
    two.assert_error(422, Some("upit"), "Upit nije ispravan: dozvoljena je samo jedna naredba (red 2).");
    post(4, json!("select id, naziv from ustanova")).await.assert_status(201);
    post(6, json!("patientID")).await.assert_error(422, Some("upit"), "Upit mora biti radnikID, ustanovaID ili registarID.");
    post(6, json!("ustanovaID")).await.assert_status(201);
}

#[tokio::test]
async fn formats_are_linked_to_a_report_and_unlinked_in_bulk() {
    let app = TestApp::new().await;
    app.lay_out(&[CATEGORY, TYPE, REPORT]).await;
    let admin = app.admin().await;
    let all = admin.get("/api/report-formats").await.json();
    assert_eq!((&all["total"], keys(&all["data"][0])), (&json!(3), vec!["id".into(), "naziv".into(), "nazivKratki".into()]));
    for format in [1, 2, 3, 3] {
        admin.post("/api/report-format-links", json!({ "izvestaj": 700, "format": format })).await.assert_status(204);
    }
    admin.post("/api/report-format-links-delete", json!({ "statistickiIzvestajID": 700, "formatiID": [1, 3] })).await.assert_status(204);
    let left = admin.get("/api/report-formats?izvestaj=700").await.json();
    assert_eq!((&left["total"], &left["data"][0]["nazivKratki"]), (&json!(1), &json!("XLSX")));
}

#[tokio::test]
async fn value_types_and_kinds_of_parameters_are_the_specifications() {
    let app = TestApp::new().await;
    let admin = app.admin().await;
    for (path, expected) in [
        ("/api/value-types", &[1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15][..]),
        ("/api/report-parameter-kinds", &[1, 2, 3, 4, 5, 6][..]),
    ] {
        let answer = admin.get(path).await.json();
        let numbers: Vec<i64> =
            answer["data"].as_array().expect("a list").iter().map(|row| row["numVrednost"].as_i64().expect("a number")).collect();
        assert_eq!(numbers, expected, "{path}");
    }
}

#[tokio::test]
async fn a_pdf_has_no_more_rows_than_its_pages_can_be_used_for() {
    let app = TestApp::new().await;
    let admin = app.admin().await;
    let parameter = |vrednost: &str| json!({ "naziv": "izvestajNajviseRedovaPdf", "vrednost": vrednost });
    for wrong in ["0", "100001", "mnogo", "10.000"] {
        let answer = admin.post("/api/parameters", parameter(wrong)).await;
        answer.assert_error(422, Some("vrednost"), "Unesite ceo broj od 1 do 100.000.");
    }
    admin.post("/api/parameters", parameter("25000")).await.assert_status(201);
}

#[tokio::test]
async fn what_belongs_to_something_deleted_comes_back_after_it() {
    let app = TestApp::new().await;
    let admin = app.admin().await;
    app.lay_out(&[
        SET,
        "insert into enum_item (id, tip_atributa_id, naziv, num_vrednost, redosled, aktivan) values (700, 700, 'prvi', 1, 1, false)",
        CATEGORY,
        TYPE,
        REPORT,
        PARAMETER_TYPE,
        "insert into report_parameter (id, izvestaj_id, naziv, prikazni_redosled, request_naziv, tip_id)
         values (700, 700, 'Od', 1, 'od', 700)",
        "insert into institution (id, naziv) values (700, 'Stara')",
        "insert into worker (id, username, ime, prezime, ustanova_id) values (700, 'stari', 'Stari', 'Radnik', 700)",
        "update report_parameter set aktivan = false where id = 700",
        "update report set aktivan = false where id = 700",
        "update report_type set aktivan = false where id = 700",
        "update report_category set aktivan = false where id = 700",
        "update report_parameter_type set aktivan = false where id = 700",
        "update attribute_type set aktivan = false where id = 700",
        "update worker set aktivan = false where id = 700",
        "update institution set aktivan = false where id = 700",
    ])
    .await;
    let back = async |resource: &str| admin.patch(&format!("/api/{resource}/700"), json!({ "aktivan": true })).await;
    for (child, parents, message) in [
        ("enum-items", vec!["attribute-types"], "Prvo vratite tip atributa ove stavke."),
        ("reports", vec![], "Prvo vratite tip ovog izveštaja."),
        ("report-types", vec!["report-categories"], "Prvo vratite kategoriju ovog tipa izveštaja."),
        ("report-parameters", vec!["reports", "report-parameter-types"], "Prvo vratite izveštaj i tip ovog parametra."),
        ("workers", vec!["institutions"], "Prvo vratite ustanovu ovog radnika."),
    ] {
        back(child).await.assert_error(409, None, message);
        for parent in &parents {
            back(child).await.assert_error(409, None, message);
            back(parent).await.assert_status(200);
        }
        if !parents.is_empty() {
            back(child).await.assert_status(200);
        }
    }
}

/// Whoever signs in is known by the name alone, in the log and in every list.
#[tokio::test]
async fn a_username_that_looks_like_anothers_is_refused() {
    let app = TestApp::new().await;
    let admin = app.admin().await;
    let make = async |username: &str| {
        let worker = json!({ "username": username, "ime": "Nova", "prezime": "Sestra", "password": "zeleni vagon peva", "ustanovaID": app.ustanova });
        admin.post("/api/workers", worker).await
    };
    make("pac").await.assert_status(201);
    let like = "Korisničko ime izgleda isto kao „pac”, koje već postoji.";
    make("рас").await.assert_error(422, Some("username"), like);
    make("РАС").await.assert_error(422, Some("username"), like);
    make("рac").await.assert_error(422, Some("username"), "Korisničko ime meša latinicu sa drugim pismom.");
    make("pac\u{200B}").await.assert_error(422, Some("username"), "Korisničko ime ima znak koji se ne vidi.");
    make("марко").await.assert_status(201);
    let other = make("druga").await.assert_status(201).json();
    let renamed = admin.patch(&format!("/api/workers/{}", other["id"]), json!({ "username": "рас" })).await;
    renamed.assert_error(422, Some("username"), like);
}

/// Whoever orders one of two reports of one name orders either.
#[tokio::test]
async fn two_reports_of_one_name_are_not_in_one_register() {
    let app = TestApp::new().await;
    let admin = app.admin().await;
    app.lay_out(&[
        "insert into report_category (naziv, numericka_vrednost) values ('Sve', 1)",
        "insert into report_type (naziv, numericka_vrednost, kategorija_id) select 'Sve', 1, id from report_category",
        "insert into register (naziv, sifra) values ('Prvi', 'prvi')",
    ])
    .await;
    let id = async |statement: &'static str| -> i64 { sqlx::query_scalar(statement).fetch_one(&app.db.owner).await.unwrap() };
    let (kind, register) = (id("select id from report_type").await, id("select id from register where sifra = 'prvi'").await);
    let make = async |naziv: &str, number: i32, register: Option<i64>| {
        let report = json!({ "naziv": naziv, "numerickaVrednost": number, "jasperFajl": "spisak", "tipID": kind, "registarID": register });
        admin.post("/api/reports", report).await
    };
    let taken = "Izveštaj sa tim nazivom već postoji u tom registru.";
    let first = make("Spisak žena", 1, Some(register)).await.assert_status(201).json();
    make("spisak  žena".replace("  ", " ").as_str(), 2, Some(register)).await.assert_error(409, Some("naziv"), taken);
    make("Spisak žena", 3, None).await.assert_status(201);
    make("Spisak žena", 4, None).await.assert_error(409, Some("naziv"), taken);
    let other = make("Drugi", 5, Some(register)).await.assert_status(201).json();
    let renamed = admin.patch(&format!("/api/reports/{}", other["id"]), json!({ "naziv": "SPISAK ZENA" })).await;
    renamed.assert_error(409, Some("naziv"), taken);
    // One that is saved as it was is not asked about, and one that was deleted comes back to its own name only while nobody else has it.
    admin.patch(&format!("/api/reports/{}", first["id"]), json!({ "naziv": "Spisak žena", "opis": "Isti" })).await.assert_status(200);
    admin.delete(&format!("/api/reports/{}", first["id"])).await.assert_status(204);
    make("Spisak žena", 6, Some(register)).await.assert_status(201);
    let back = admin.patch(&format!("/api/reports/{}", first["id"]), json!({ "aktivan": true })).await;
    back.assert_error(409, Some("naziv"), taken);
}
