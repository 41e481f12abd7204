//! A box that was shown and left without a tick is answered with No; a radio is blank until chosen.

use domain::db;
use serde_json::{Value, json};

use crate::support::{TestApp, TestRegister};

/// Boxes: `cek`; `cekUslovni`, shown while `izbor` holds; `cekUTabu` in a tab that waits behind the plus; `cekSkriven`, never shown.
const BOXES: &str = "
    with types as (insert into attribute_type (naziv, tip_vrednosti_atributa) values ('Segment', 11) returning id),
         tab as (insert into form_field (tip_skupa_atributa_id, tip_atributa_id, naziv, redosled, prikazuje_se)
                 select f.tip_skupa_atributa_id, types.id, 'tab', 50, false from types, form_field f where f.sifra = 'izbor' returning id)
    insert into form_field (tip_skupa_atributa_id, tip_atributa_id, naziv, sifra, redosled, pretrazuje_se, ima_cek_box, prikazuje_se,
                            nadredjeni_atribut_u_tipu_skupa_id, formula_za_prikaz_ast)
    select f.tip_skupa_atributa_id, f.tip_atributa_id, b.code, b.code, 60, true, true, b.code <> 'cekSkriven',
           case when b.code = 'cekUTabu' then tab.id end,
           case when b.code = 'cekUslovni' then (select formula_za_prikaz_ast from form_field where sifra = 'skriveno') end
      from form_field f, tab, (values ('cek'), ('cekUslovni'), ('cekUTabu'), ('cekSkriven')) b (code)
     where f.sifra = 'izbor'";

struct Case {
    app: TestApp,
    register: TestRegister,
    patient: i64,
}

impl Case {
    async fn new() -> Self {
        let app = TestApp::new().await;
        let mut register = app.register().await;
        let patient = app.patient(&register, "Ana", "Anić", app.ustanova, 1).await;
        let mut tx = db::begin(&app.db.owner, db::SYSTEM_WORKER).await.unwrap();
        sqlx::query(BOXES).execute(&mut *tx).await.unwrap();
        for code in ["cek", "cekUslovni", "cekUTabu", "cekSkriven"] {
            let id: i64 = sqlx::query_scalar("select id from form_field where sifra = $1").bind(code).fetch_one(&mut *tx).await.unwrap();
            register.fields.insert(code, id);
        }
        tx.commit().await.unwrap();
        Self { app, register, patient }
    }

    fn values(&self, by_code: Value) -> Value {
        let by_code = by_code.as_object().unwrap();
        by_code.iter().map(|(code, value)| (self.register.field(code), value.clone())).collect::<serde_json::Map<_, _>>().into()
    }

    fn request(&self, doctor: i64, by_code: Value) -> Value {
        json!({
            "tsaID": self.register.form, "registarID": self.register.id, "pacijentID": self.patient, "vrednosti": self.values(by_code),
            "radnikOdgovoran": doctor, "datumUnosa": "2026-03-05",
        })
    }
}

#[tokio::test]
async fn a_shown_box_without_a_tick_is_a_no_and_a_radio_is_blank() {
    let case = Case::new().await;
    let lekar = case.app.lekar().await;
    let saved = lekar.post("/api/entry-values", case.request(lekar.id, json!({ "broj": 1 }))).await.json();
    assert_eq!(saved["vrednosti"], case.values(json!({ "broj": 1, "zbir": 2, "cek": false })), "neither hidden nor unseen ones");
    assert_eq!(saved["ocisceno"], json!([]), "a box without its tick is nothing to be cleared");
    let shown = lekar.post("/api/entry-values", case.request(lekar.id, json!({ "broj": 1, "izbor": true, "cek": true }))).await.json();
    assert_eq!(shown["vrednosti"], case.values(json!({ "broj": 1, "zbir": 2, "izbor": true, "cek": true, "cekUslovni": false })));
    let searched: Vec<f64> = sqlx::query_scalar("select vrednost from value_num where polje_id = $1 order by unos_id")
        .bind(case.register.fields["cek"])
        .fetch_all(&case.app.db.owner)
        .await
        .unwrap();
    assert_eq!(searched, [0.0, 1.0], "a search and a report find the No as they find the Yes");
}

#[tokio::test]
async fn a_new_entry_begins_with_its_boxes_unticked() {
    let case = Case::new().await;
    let lekar = case.app.lekar().await;
    let path = format!("/api/entry-display?tsaID={}&pacijentID={}", case.register.form, case.patient);
    let fresh = lekar.get(&path).await.json();
    assert_eq!(fresh["vrednosti"], case.values(json!({ "cek": false, "cekUslovni": false })));
    // A choice that is drawn as neither is a box too; only a radio without one waits for an answer.
    case.app
        .lay_out(&["update form_field set ima_cek_box = false, radio_button = sifra = 'cekUslovni' where sifra in ('cek', 'cekUslovni')"])
        .await;
    assert_eq!(lekar.get(&path).await.json()["vrednosti"], case.values(json!({ "cek": false })));
    case.app.lay_out(&["update form_field set ima_cek_box = true where sifra = 'cekUslovni'"]).await;
    assert_eq!(lekar.get(&path).await.json()["vrednosti"], case.values(json!({ "cek": false, "cekUslovni": false })));
}

#[tokio::test]
async fn what_is_hidden_and_unticked_is_not_named_as_cleared_but_a_tick_is() {
    let case = Case::new().await;
    let lekar = case.app.lekar().await;
    let sent = json!({ "broj": 1, "cekUslovni": false, "cek": false });
    assert_eq!(lekar.post("/api/entry-values", case.request(lekar.id, sent)).await.json()["ocisceno"], json!([]));
    let sent = json!({ "broj": 1, "cekUslovni": true, "cek": false });
    let saved = lekar.post("/api/entry-values", case.request(lekar.id, sent)).await.json();
    assert_eq!(saved["ocisceno"], json!([case.register.fields["cekUslovni"]]));
}

#[tokio::test]
async fn entries_from_before_get_their_no_where_it_is_known_that_the_box_was_shown() {
    let case = Case::new().await;
    let lekar = case.app.lekar().await;
    let screen = case.app.entry(&case.register, case.patient, case.app.ustanova, "2026-03-05", json!({ "broj": 1 })).await;
    let ticked = case.app.entry(&case.register, case.patient, case.app.ustanova, "2026-03-06", json!({ "broj": 1, "cek": true })).await;
    let imported = case.app.entry(&case.register, case.patient, case.app.ustanova, "2026-03-07", json!({ "broj": 1 })).await;
    let mut tx = db::begin(&case.app.db.owner, db::SYSTEM_WORKER).await.unwrap();
    sqlx::query("insert into import_record (izvor, kljuc, pacijent_id, unos_id) values ('stari sistem', '1', $1, $2)")
        .bind(case.patient)
        .bind(imported)
        .execute(&mut *tx)
        .await
        .unwrap();
    sqlx::raw_sql(include_str!("../../../migrations/0024_tick_boxes.sql")).execute(&mut *tx).await.unwrap();
    tx.commit().await.unwrap();
    let stored = async |entry: i64| -> Value {
        sqlx::query_scalar("select vrednosti from entry where id = $1").bind(entry).fetch_one(&case.app.db.owner).await.unwrap()
    };
    assert_eq!(stored(screen).await, case.values(json!({ "broj": 1, "cek": false })), "hidden by a formula, unseen: these stay blank");
    assert_eq!(stored(ticked).await, case.values(json!({ "broj": 1, "cek": true })));
    assert_eq!(stored(imported).await, case.values(json!({ "broj": 1 })), "nobody was shown it");
    let path = format!("/api/entries/{screen}/archive?nizAutsID={}", case.register.field("cek"));
    let history = lekar.get(&path).await.json();
    assert_eq!((&history["data"][0]["logickaVrednost"], &history["data"][0]["radnikUpisao"]), (&json!(false), &json!("sistem Regix")));
    let told: String =
        sqlx::query_scalar("select opis from audit_log where akcija = 'migracija'").fetch_one(&case.app.db.owner).await.unwrap();
    assert!(told.starts_with("Polja za potvrdu bez oznake dobila su odgovor Ne: 1 vrednosti u 1 unosa."), "{told}");
}

#[tokio::test]
async fn a_box_that_was_put_on_the_form_after_the_save_stays_blank() {
    let case = Case::new().await;
    let entry = case.app.entry(&case.register, case.patient, case.app.ustanova, "2026-03-05", json!({ "broj": 1 })).await;
    let mut tx = db::begin(&case.app.db.owner, db::SYSTEM_WORKER).await.unwrap();
    sqlx::query("update form_field set vreme_kreiranja = now() + interval '1 second' where sifra = 'cek'").execute(&mut *tx).await.unwrap();
    sqlx::raw_sql(include_str!("../../../migrations/0024_tick_boxes.sql")).execute(&mut *tx).await.unwrap();
    tx.commit().await.unwrap();
    let stored: Value =
        sqlx::query_scalar("select vrednosti from entry where id = $1").bind(entry).fetch_one(&case.app.db.owner).await.unwrap();
    assert_eq!(stored, case.values(json!({ "broj": 1 })));
}
