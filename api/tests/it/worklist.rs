//! A worker's own list, the field that searches all registers, and searches that are kept: within what the institution knows.

use accounts::rights::Right;
use serde_json::{Value, json};

use crate::support::{TestApp, TestRegister, Worker};

struct Case {
    app: TestApp,
    register: TestRegister,
    lekar: Worker,
    ana: i64,
    stranger: i64,
}

impl Case {
    async fn new() -> Self {
        let app = TestApp::new().await;
        let register = app.register().await;
        let ana = app.patient(&register, "Ana", "Đorđević", app.ustanova, 1).await;
        let stranger = app.patient(&register, "Ana", "Đorđević", app.druga_ustanova, 2).await;
        app.lay_out(&["update patient set broj_kartona = 'KBC-0077' where id = (select min(id) from patient)"]).await;
        let lekar = app.worker("lekar", &[Right::Reports], app.ustanova).await;
        Self { app, register, lekar, ana, stranger }
    }

    async fn found(&self, worker: &Worker, typed: &str) -> Vec<i64> {
        let answer = worker.post("/api/patient-lookups", json!({ "tekst": typed })).await.assert_status(200).json();
        answer["pacijenti"].as_array().unwrap().iter().map(|patient| patient["pacijentID"].as_i64().unwrap()).collect()
    }

    async fn saved(&self, day: &str) {
        let body = json!({ "tsaID": self.register.form, "registarID": self.register.id, "pacijentID": self.ana,
                           "vrednosti": { self.register.field("broj"): 1 }, "radnikOdgovoran": self.lekar.id, "datumUnosa": day });
        self.lekar.post("/api/entry-values", body).await.assert_status(200);
    }
}

#[tokio::test]
async fn one_field_finds_a_known_patient_by_name_number_and_card_and_no_other() {
    let case = Case::new().await;
    for typed in ["Đorđević", "djordjev ana", "ana dordevic", "0000000000001", "00000000001", "kbc-0077"] {
        assert_eq!(case.found(&case.lekar, typed).await, [case.ana], "{typed}");
    }
    let other = case.app.worker("drugde", &[], case.app.druga_ustanova).await;
    for typed in ["Đorđević", "0000000000002"] {
        assert_eq!(case.found(&other, typed).await, [case.stranger], "{typed}");
    }
    for typed in ["KBC-0077", "0000000000001"] {
        assert_eq!(case.found(&other, typed).await, Vec::<i64>::new(), "{typed}");
    }
    case.lekar.post("/api/patient-lookups", json!({ "tekst": "a%" })).await.assert_error(
        422,
        Some("tekst"),
        "Unesite bar tri slova ili cifre.",
    );
    assert_eq!(case.found(&case.lekar, "%%ana%%").await, [case.ana], "what is typed is no pattern");
    // The log has who was shown, and no whole number.
    let logged: Vec<(Value, i64)> = sqlx::query_as(
        "select l.polja, (select count(*) from audit_log_patient p where p.log_id = l.id and p.vreme_pristupa = l.vreme_pristupa)
           from audit_log l where l.klasa = 'patient_search' and l.radnik_id = $1 order by l.id",
    )
    .bind(case.lekar.id)
    .fetch_all(&case.app.db.owner)
    .await
    .unwrap();
    assert_eq!(logged[3].0[0]["nova"], json!("•••"));
    assert_eq!((logged[0].0[0]["nova"].clone(), logged[0].1), (json!("Đorđević"), 1));
}

#[tokio::test]
async fn the_list_counts_who_is_here_whose_doctor_one_is_who_waits_and_whom_one_opened() {
    let case = Case::new().await;
    let list = async || case.lekar.get("/api/worklist").await.assert_status(200).json();
    let counts = |list: &Value| ["danas", "moji", "nesnimljeno", "nedavni"].map(|group| list[group]["broj"].as_i64().unwrap());
    assert_eq!(counts(&list().await), [0; 4]);
    let today: String = sqlx::query_scalar("select today()::text").fetch_one(&case.app.db.owner).await.unwrap();
    case.saved(&today).await;
    let draft = json!({ "pacijentID": case.ana, "sadrzaj": {} });
    case.lekar.put(&format!("/api/entry-drafts/novi-{}-1.a", case.ana), draft).await.assert_status(204);
    case.lekar.get(&format!("/api/patients/{}", case.ana)).await.assert_status(200);
    let told = list().await;
    assert_eq!(counts(&told), [1; 4]);
    assert_eq!(told["moji"]["pacijenti"][0]["imePrezime"], json!("Đorđević Ana"));
    // A colleague has the visits of today, and nothing that is another's own.
    let sestra = case.app.sestra().await;
    assert_eq!(counts(&sestra.get("/api/worklist").await.json()), [1, 0, 0, 0]);
    let other = case.app.worker("drugde", &[], case.app.druga_ustanova).await;
    assert_eq!(counts(&other.get("/api/worklist").await.json()), [0; 4]);
    // Who was deleted is on no list.
    case.app.lay_out(&["update patient set aktivan = false where prezime = 'Đorđević'"]).await;
    assert_eq!(counts(&list().await), [0; 4]);
}

#[tokio::test]
async fn a_search_is_kept_for_oneself_or_shared_within_the_institution_and_names_nobody() {
    let case = Case::new().await;
    let row = |code: &str, value: &str| json!({ "poljeID": case.register.fields[code], "operator": "=", "vrednost": value });
    let save = |naziv: &str, deljena: bool, upit: Value| {
        let body = json!({ "registarID": case.register.id, "naziv": naziv, "deljena": deljena, "upit": upit });
        case.lekar.post("/api/saved-searches", body)
    };
    for upit in [
        json!({ "ime": "Ana" }),
        json!({ "jmbg": "0101" }),
        json!({ "redovi": [row("tekst", "Ana")] }),
        json!({ "redovi": [{ "poljeID": 0 }] }),
    ] {
        save("Skrivena", false, upit).await.assert_status(422);
    }
    let own = save("Visok broj", false, json!({ "redovi": [row("broj", "5")], "godinaOd": 1950 })).await.assert_status(200).json();
    save("Naša", true, json!({ "pol": 1 })).await.assert_status(200);
    save("Naša", true, json!({ "pol": 0 })).await.assert_status(200);
    let path = format!("/api/saved-searches?registarID={}", case.register.id);
    let names = |list: Value| list["data"].as_array().unwrap().iter().map(|one| one["naziv"].clone()).collect::<Vec<_>>();
    let mine = case.lekar.get(&path).await.json();
    assert_eq!((names(mine.clone()), &mine["data"][0]["upit"]["pol"]), (vec![json!("Naša"), json!("Visok broj")], &json!(0)));
    let sestra = case.app.sestra().await;
    assert_eq!(names(sestra.get(&path).await.json()), [json!("Naša")]);
    let other = case.app.worker("drugde", &[], case.app.druga_ustanova).await;
    assert_eq!(names(other.get(&path).await.json()), Vec::<Value>::new());
    let address = format!("/api/saved-searches/{}", own["id"]);
    sestra.delete(&address).await.assert_status(404);
    case.lekar.delete(&address).await.assert_status(204);
    assert_eq!(names(case.lekar.get(&path).await.json()), [json!("Naša")]);
}
