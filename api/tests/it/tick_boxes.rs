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
