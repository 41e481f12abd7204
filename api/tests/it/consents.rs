//! What patients have agreed to: given and withdrawn, with the text of that day and the signed form; and each reader with and without it.

use accounts::rights::Right;
use domain::report_sql::{Binds, Notice, Scope, Value as Cell};
use serde_json::{Value, json};

use crate::support::{TestApp, TestRegister, Worker};

struct Case {
    app: TestApp,
    register: TestRegister,
    patient: i64,
    doctor: Worker,
}

impl Case {
    /// Two patients of a register that asks for research.
    async fn new() -> Self {
        let app = TestApp::new().await;
        app.lay_out(&["update parameter set vrednost = '1' where naziv in ('najmanjaTudjaGrupa', 'najmanjiIzvozBezIdentiteta')"]).await;
        let register = app.register().await;
        let patient = app.patient(&register, "Ana", "Anić", app.ustanova, 1).await;
        app.entry(&register, patient, app.ustanova, "2024-02-01", json!({ "broj": 5 })).await;
        let other = app.patient(&register, "Iva", "Ivić", app.ustanova, 2).await;
        app.entry(&register, other, app.ustanova, "2024-02-02", json!({ "broj": 6 })).await;
        let doctor = app.worker("doktorka", &[Right::Consents, Right::DataExport], app.ustanova).await;
        Self { app, register, patient, doctor }
    }

    fn path(&self, rest: &str) -> String {
        format!("/api/patients/{}{rest}", self.patient)
    }

    fn consent(&self, svrha: &str, dat: bool, dan: &str) -> Value {
        json!({ "registarID": self.register.id, "svrha": svrha, "dat": dat, "dan": dan })
    }

    async fn say(&self, svrha: &str, dat: bool, dan: &str) {
        self.doctor.post(&self.path("/consents"), self.consent(svrha, dat, dan)).await.assert_status(201);
    }

    async fn asks_for_research(&self) {
        self.app.lay_out(&["update register set pristanak_istrazivanje = true"]).await;
    }

    async fn over_all(&self, sql: &str) -> Cell {
        let scope = Scope { run: None, radnik_id: self.app.db.clinician().await, ustanova_id: None };
        let found = self.app.state.report_db.small(scope, sql, &Binds::new(), std::time::Duration::from_secs(20), 100).await;
        found.unwrap_or_else(|error| panic!("{sql}: {error}")).rows[0][0].clone()
    }

    async fn export(&self, profil: &str) -> Value {
        let request = json!({
            "registarID": self.register.id, "tsaID": self.register.form, "red": "unos", "ustanove": [self.app.ustanova], "profil": profil,
            "razlog": "Godišnja studija",
        });
        self.doctor.post("/api/data-exports", request).await.assert_status(202).json()
    }
}

#[tokio::test]
async fn a_consent_is_to_the_newest_text_and_nothing_of_it_is_changed() {
    let case = Case::new().await;
    let admin = case.app.admin().await;
    let texts = format!("/api/registers/{}/consent-texts", case.register.id);
    case.doctor.post(&texts, json!({ "svrha": "istrazivanje", "tekst": "Saglasan sam sa istraživanjem." })).await.assert_status(403);
    let short = "Tekst mora imati od 10 do 20.000 znakova.";
    admin.post(&texts, json!({ "svrha": "istrazivanje", "tekst": "kratko" })).await.assert_error(422, Some("tekst"), short);
    for (tekst, broj) in [("Saglasan sam sa istraživanjem.", 1), ("Saglasna sam, i sa arhiviranjem.", 2)] {
        let added = admin.post(&texts, json!({ "svrha": "istrazivanje", "tekst": tekst })).await.assert_status(201).json();
        assert_eq!(added["broj"], broj);
    }
    case.say("istrazivanje", true, "2024-03-01").await;
    case.say("istrazivanje", false, "2024-04-01").await;
    // Told late, of an earlier day: the later one holds.
    case.say("istrazivanje", true, "2024-03-15").await;
    let told = case.doctor.get(&case.path("/consents")).await.json();
    let state = told["registri"][0]["svrhe"].as_array().unwrap().iter().find(|state| state["svrha"] == "istrazivanje").unwrap().clone();
    assert_eq!((&state["dat"], &state["dan"], &state["tekstBroj"]), (&json!(false), &json!("2024-04-01"), &json!(2)));
    let versions: Vec<Value> = told["istorija"].as_array().unwrap().iter().map(|row| row["tekstBroj"].clone()).collect();
    assert_eq!(versions, [json!(2), Value::Null, json!(2)]);
    let listed = admin.get(&texts).await.json();
    let consented: Vec<Value> = listed["data"].as_array().unwrap().iter().map(|text| text["saglasnosti"].clone()).collect();
    assert_eq!(consented, [json!(1), json!(0)]);
    for statement in
        ["update patient_consent set dat = true", "delete from patient_consent", "update consent_text set tekst = tekst || '!'"]
    {
        let refused = sqlx::query(statement).execute(&case.app.db.app).await.unwrap_err();
        assert_eq!(refused.as_database_error().and_then(|error| error.code()).as_deref(), Some("42501"), "{statement}");
    }
    let future = "Dan mora biti između rođenja pacijenta i današnjeg dana.";
    let body = case.consent("kontakt", true, "2999-01-01");
    case.doctor.post(&case.path("/consents"), body).await.assert_error(422, Some("dan"), future);
    let nurse = case.app.sestra().await;
    nurse.post(&case.path("/consents"), case.consent("kontakt", true, "2024-03-01")).await.assert_status(403);
    assert_eq!(case.app.log("patient_consent").await.iter().filter(|row| row.akcija == "kreiranje").count(), 3);
}

#[tokio::test]
async fn a_signed_form_is_kept_with_the_consent_and_opened_by_whoever_sees_it() {
    let case = Case::new().await;
    let sent = |patient: i64| format!("/api/consent-files?pacijentID={patient}&naziv=obrazac.txt");
    let file = case.doctor.upload(&sent(case.patient), "Potpisano.").await.assert_status(201).json()["id"].clone();
    let mut body = case.consent("kontakt", true, "2024-03-01");
    body["fajlID"] = file.clone();
    case.doctor.post(&case.path("/consents"), body.clone()).await.assert_status(201);
    // Once taken it is nobody else's.
    case.doctor.post(&case.path("/consents"), body).await.assert_status(422);
    let told = case.doctor.get(&case.path("/consents")).await.json();
    assert_eq!(told["istorija"][0]["fajl"], "obrazac.txt");
    let path = format!("/api/consent-files/{file}");
    assert_eq!(case.doctor.get(&path).await.assert_status(200).text(), "Potpisano.");
    let stranger = case.app.worker("strana", &[Right::Consents], case.app.druga_ustanova).await;
    stranger.get(&path).await.assert_status(404);
    stranger.upload(&sent(case.patient), "Potpisano.").await.assert_status(404);
    case.doctor.get(&format!("/api/entry-files/{file}")).await.assert_status(404);
    // The scheduler gives up what nothing took, and not this.
    case.app.lay_out(&["update entry_file set vreme = vreme - interval '2 days'", "select give_up_entry_files()"]).await;
    case.doctor.get(&path).await.assert_status(200);
}

#[tokio::test]
async fn whoever_withdraws_from_the_register_is_asked_about_the_status() {
    let case = Case::new().await;
    let asked = "Izaberite da li pacijent zbog povlačenja dobija status „povukao saglasnost”.";
    let mut body = case.consent("registar", false, "2024-03-01");
    case.doctor.post(&case.path("/consents"), body.clone()).await.assert_error(422, Some("statusPovukao"), asked);
    body["statusPovukao"] = json!(false);
    case.doctor.post(&case.path("/consents"), body.clone()).await.assert_status(201);
    let status = async || case.doctor.get(&case.path("")).await.json()["registri"][0]["status"].clone();
    assert_eq!(status().await, "aktivan");
    body["statusPovukao"] = json!(true);
    case.doctor.post(&case.path("/consents"), body).await.assert_status(201);
    assert_eq!(status().await, "povukaoSaglasnost");
}

#[tokio::test]
async fn a_report_over_all_institutions_leaves_out_who_has_not_agreed_and_says_so() {
    let case = Case::new().await;
    let counts = [
        "select count(*) from pacijent",
        "select count(*) from unos",
        "select count(*) from pacijent_registar",
        "select count(distinct unos_id) from vrednost",
    ];
    let notices =
        async || Notice::of_all(&case.app.db.app, "", "").await.unwrap().into_iter().map(|one| one.sentence()).collect::<Vec<_>>();
    for sql in counts {
        assert_eq!(case.over_all(sql).await, Cell::Int(2), "{sql}: the register stands on the law");
    }
    assert!(notices().await.is_empty());
    // Who says no is left out, even where nobody is asked.
    case.say("istrazivanje", false, "2024-03-01").await;
    for sql in counts {
        assert_eq!(case.over_all(sql).await, Cell::Int(1), "{sql}");
    }
    case.asks_for_research().await;
    for sql in counts {
        assert_eq!(case.over_all(sql).await, Cell::Int(0), "{sql}: nobody has agreed");
    }
    let said = "Saglasnost: izostavljeno pacijenata koji nisu dali saglasnost za istraživanje: 2.";
    assert_eq!(notices().await, [said]);
    case.say("istrazivanje", true, "2024-04-01").await;
    for sql in counts {
        assert_eq!(case.over_all(sql).await, Cell::Int(1), "{sql}");
    }
    // Of few it is not told whether there are any.
    case.app.lay_out(&["update parameter set vrednost = '5' where naziv = 'najmanjaTudjaGrupa'"]).await;
    assert!(notices().await.iter().any(|said| said.ends_with("manje od 5.")));
    // Her own institution reads her for her care.
    let scope = Scope { run: None, radnik_id: case.app.db.clinician().await, ustanova_id: Some(case.app.ustanova) };
    let own =
        case.app.state.report_db.small(scope, "select count(*) from unos", &Binds::new(), std::time::Duration::from_secs(20), 1).await;
    assert_eq!(own.unwrap().rows[0][0], Cell::Int(2));
}

#[tokio::test]
async fn an_export_without_identity_leaves_out_who_has_not_agreed_and_says_how_many() {
    let case = Case::new().await;
    let told = |export: Value| (export["redova"].clone(), export["bezSaglasnosti"].clone());
    assert_eq!(told(case.export("bez_identiteta").await), (json!(2), json!(0)));
    case.asks_for_research().await;
    case.say("istrazivanje", true, "2024-04-01").await;
    assert_eq!(told(case.export("bez_identiteta").await), (json!(1), json!(1)));
    // With identity it is the institution's own data, for the care of its patients.
    assert_eq!(told(case.export("identitet").await), (json!(2), json!(0)));
    case.say("istrazivanje", false, "2024-05-01").await;
    let request = json!({
        "registarID": case.register.id, "red": "pacijent", "ustanove": [case.app.ustanova], "profil": "bez_identiteta", "razlog": "Godišnja studija",
    });
    case.doctor.post("/api/data-exports", request).await.assert_status(422);
}
