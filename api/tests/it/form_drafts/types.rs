//! Whose a type is: a copied form has its own, a type is shared on purpose only, and what is deleted uses none.

use serde_json::{Value, json};

use super::{Case, Draft, by_code, faults};
use crate::support::Worker;

impl Case {
    async fn copy(&self, form: i64, sifra: &str) -> i64 {
        let path = format!("/api/forms/{form}/copies");
        let copied = self.mila.post(&path, json!({ "naziv": format!("Kopija {sifra}"), "sifra": sifra })).await;
        copied.assert_status(201).json()["id"].as_i64().unwrap()
    }

    async fn names_of_types(&self, form: i64) -> Vec<String> {
        sqlx::query_scalar(
            "select distinct t.naziv from form_field f join attribute_type t on t.id = f.tip_atributa_id
              where f.tip_skupa_atributa_id = $1 and f.aktivan order by 1",
        )
        .bind(form)
        .fetch_all(&self.app.db.owner)
        .await
        .unwrap()
    }

    async fn delete_form(&self, form: i64) {
        self.mila.delete(&format!("/api/forms/{form}")).await.assert_status(204);
    }

    /// A second form with a field of the set's type.
    async fn share_set(&self) {
        self.app
            .lay_out(&[
                "insert into form (id, registar_id, naziv) select 900, registar_id, 'Kontrola' from form limit 1",
                "insert into form_field (id, tip_skupa_atributa_id, tip_atributa_id, naziv, sifra, redosled, inicijalna_enum_stavka_id)
                 select 901, 900, tip_atributa_id, 'Isti skup', 'isti', 1, (select id from enum_item where naziv = 'druga')
                   from form_field where sifra = 'skup'",
            ])
            .await;
    }

    async fn set_type(&self) -> i64 {
        sqlx::query_scalar("select tip_atributa_id from form_field where sifra = 'skup'").fetch_one(&self.app.db.owner).await.unwrap()
    }

    async fn own_type(&self, who: &Worker, tip: i64, potvrdjeno: bool) -> crate::support::Answer {
        who.post(&self.path("/own-type"), json!({ "tip": tip, "potvrdjeno": potvrdjeno })).await
    }
}

async fn draft_of(case: &Case, form: i64) -> Draft {
    Draft::of(case.mila.post(&format!("/api/forms/{form}/draft"), json!({})).await.assert_status(201).json())
}

#[tokio::test]
async fn a_copied_form_and_its_original_lock_no_type_of_each_other() {
    let case = Case::new().await;
    case.app.lay_out(&["update form set sifra_veza = 'pregled'"]).await;
    let copy = case.copy(case.register.form, "kontrola").await;
    let original: Vec<String> = case.names_of_types(case.register.form).await;
    let named: Vec<String> = original.iter().map(|name| format!("{name} (kontrola)")).collect();
    assert_eq!(case.names_of_types(copy).await, named);
    let again = case.copy(copy, "otpust").await;
    assert_eq!(case.names_of_types(again).await[0], "broj (otpust)", "a copy of a copy is not named after both");
    for form in [case.register.form, copy] {
        assert_eq!(draft_of(&case, form).await.whole["zajednicki"], json!([]));
    }
    // What is changed in one stays there.
    let path = format!("/api/forms/{copy}/draft");
    let mut draft = Draft::of(case.mila.get(&path).await.json()["nacrt"].clone());
    draft.type_of("broj")["jedinica"] = json!("mg");
    draft.list("stavke")[0]["naziv"] = json!("prva kopije");
    let saved = case.mila.put(&path, json!({ "verzija": draft.verzija, "dokument": draft.dokument })).await.assert_status(200).json();
    assert_eq!(saved["greske"], json!([]));
    case.mila.post(&format!("{path}/publish"), json!({ "verzija": saved["verzija"] })).await.assert_status(200);
    let fresh = case.fresh().await;
    assert_eq!(by_code(&fresh, "broj").unwrap()["tipAtributa"]["jedinica"], Value::Null);
    assert_eq!(by_code(&fresh, "skup").unwrap()["enumStavkeSve"][0]["naziv"], "prva");
}

#[tokio::test]
async fn a_type_of_a_deleted_form_or_register_is_nobody_elses() {
    let case = Case::new().await;
    case.share_set().await;
    let draft = case.begin(&case.mila).await;
    assert_eq!(draft.whole["zajednicki"], json!([{ "tip": case.set_type().await, "formulari": ["Kontrola"] }]));
    case.delete_form(900).await;
    let nacrt = case.mila.get(&case.path("")).await.json()["nacrt"].clone();
    assert_eq!(nacrt["zajednicki"], json!([]), "its only other form is deleted");
    let mut draft = Draft::of(nacrt);
    draft.list("stavke")[0]["naziv"] = json!("Prva");
    assert_eq!(faults(&case.save(&case.mila, &mut draft).await), [] as [&str; 0]);
    case.app.lay_out(&["update form set aktivan = true where id = 900", "update form_field set aktivan = false where id = 901"]).await;
    let saved = case.save(&case.mila, &mut draft).await;
    assert_eq!(saved["zajednicki"], json!([]), "its only other field is deleted");
}

#[tokio::test]
async fn a_chosen_type_is_told_to_be_shared() {
    let case = Case::new().await;
    case.app
        .lay_out(&[
            "insert into form (id, registar_id, naziv) select 900, registar_id, 'Kontrola' from form limit 1",
            "insert into attribute_type (id, naziv, tip_vrednosti_atributa) values (950, 'Napomena', 3)",
            "insert into form_field (tip_skupa_atributa_id, tip_atributa_id, naziv, redosled) values (900, 950, 'Napomena', 1)",
        ])
        .await;
    let mut draft = case.begin(&case.mila).await;
    draft.list("tipovi").push(json!({ "id": 950, "naziv": "Napomena", "tipVrednostiAtributa": 3 }));
    draft.set("tekst", "tipAtributaID", json!(950));
    let saved = case.save(&case.mila, &mut draft).await;
    assert_eq!(saved["zajednicki"], json!([{ "tip": 950, "formulari": ["Kontrola"] }]));
}

#[tokio::test]
async fn a_set_without_values_is_copied_in_the_draft() {
    let case = Case::new().await;
    case.share_set().await;
    case.app.lay_out(&["update entry set vrednosti = vrednosti - (select id::text from form_field where sifra = 'skup')"]).await;
    case.begin(&case.mila).await;
    let answer = case.own_type(&case.mila, case.set_type().await, false).await.assert_status(200).json();
    assert_eq!(answer, json!({ "nacin": "kopija", "formulari": ["Kontrola"] }));
}

#[tokio::test]
async fn a_set_with_values_stays_its_forms_and_the_others_get_the_copy() {
    let case = Case::new().await;
    case.share_set().await;
    let (tip, kept) = (case.set_type().await, case.kept().await);
    case.begin(&case.mila).await;
    let asked = case.own_type(&case.mila, tip, false).await.assert_status(200).json();
    assert_eq!(asked, json!({ "nacin": "izdvajanje", "formulari": ["Kontrola"] }));
    let other = async || -> (i64, String, String, i64) {
        sqlx::query_as(
            "select f.tip_atributa_id, t.naziv, i.naziv, i.tip_atributa_id from form_field f join attribute_type t on t.id = f.tip_atributa_id
               join enum_item i on i.id = f.inicijalna_enum_stavka_id where f.id = 901",
        )
        .fetch_one(&case.app.db.owner)
        .await
        .unwrap()
    };
    assert_eq!(other().await.0, tip, "nothing is done before it is confirmed");
    case.own_type(&case.mila, tip, true).await.assert_status(200);
    let (now, name, first, of) = other().await;
    assert!(now != tip && of == now, "the first value is an item of the copy");
    assert_eq!((name.as_str(), first.as_str()), ("skup (Kontrola)", "druga"));
    let items: Vec<String> = sqlx::query_scalar("select naziv from enum_item where tip_atributa_id = $1 and aktivan order by redosled")
        .bind(now)
        .fetch_all(&case.app.db.owner)
        .await
        .unwrap();
    assert_eq!(items, ["prva", "druga"]);
    assert_eq!(case.kept().await["vrednosti"], kept["vrednosti"]);
    let nacrt = case.mila.get(&case.path("")).await.json()["nacrt"].clone();
    assert_eq!((&nacrt["zajednicki"], &nacrt["izmenjeno"]), (&json!([]), &json!(false)));
    let mut draft = Draft::of(nacrt);
    draft.list("stavke").push(json!({ "id": -1, "tipAtributaID": tip, "naziv": "treća", "numVrednost": 3 }));
    assert_eq!(faults(&case.save(&case.mila, &mut draft).await), [] as [&str; 0]);
    case.publish(&case.mila, &draft).await.assert_status(200);
    assert_eq!(by_code(&case.fresh().await, "skup").unwrap()["enumStavkeSve"].as_array().unwrap().len(), 3);
}

#[tokio::test]
async fn a_set_whose_items_two_forms_hold_stays_shared_and_says_why() {
    let case = Case::new().await;
    case.share_set().await;
    case.app
        .lay_out(&[
            "insert into entry (pacijent_id, registar_id, tsa_id, datum_unosa, ustanova_id, vrednosti)
             select pacijent_id, registar_id, 900, datum_unosa, ustanova_id, jsonb_build_object('901', jsonb_build_array((select id from enum_item where naziv = 'prva')))
               from entry limit 1",
        ])
        .await;
    case.begin(&case.mila).await;
    let refused = case.own_type(&case.mila, case.set_type().await, true).await;
    refused.assert_error(
        409,
        None,
        "Stavke ovog skupa imaju unosi oba formulara ili ih čita izveštaj (unosi formulara „Kontrola”), pa skup ostaje zajednički. \
         Menja se za sve formulare u tipovima atributa; drugačiji skup može da ima novo polje.",
    );
}

#[tokio::test]
async fn types_without_fields_are_found_and_removed_in_one_step() {
    let case = Case::new().await;
    case.app
        .lay_out(&[
            "insert into attribute_type (id, naziv, tip_vrednosti_atributa) values (950, 'Suvišan', 3), (951, 'U nacrtu', 3), (952, 'Čuvan', 3)",
            "insert into form_field (tip_skupa_atributa_id, tip_atributa_id, naziv, sifra, redosled, aktivan)
             select id, 952, 'Obrisano', 'obrisano', 99, false from form",
            "update entry set vrednosti = vrednosti || jsonb_build_object((select id::text from form_field where sifra = 'obrisano'), 'a')",
        ])
        .await;
    let mut draft = case.begin(&case.mila).await;
    draft.list("tipovi").push(json!({ "id": 951, "naziv": "U nacrtu", "tipVrednostiAtributa": 3 }));
    draft.list("polja").push(json!({ "id": -1, "naziv": "Novo", "tipAtributaID": 951 }));
    case.save(&case.mila, &mut draft).await;
    let unused = case.mila.get("/api/unused-attribute-types").await.assert_status(200).json();
    let names: Vec<&str> = unused["data"].as_array().unwrap().iter().map(|row| row["naziv"].as_str().unwrap()).collect();
    assert_eq!(names, ["Suvišan"], "not the draft's, nor one whose deleted field has values");
    let listed = case.mila.get("/api/attribute-types?filter.imaPolja=false").await.assert_status(200).json();
    assert_eq!(listed["total"], 3, "{listed}");
    let broj: i64 =
        sqlx::query_scalar("select tip_atributa_id from form_field where sifra = 'broj'").fetch_one(&case.app.db.owner).await.unwrap();
    let refused = case.mila.post("/api/unused-attribute-types-delete", json!({ "tipovi": [950, broj] })).await;
    refused.assert_error(409, None, "Tip „broj” se u međuvremenu koristi. Pogledajte spisak ponovo.");
    case.mila.post("/api/unused-attribute-types-delete", json!({ "tipovi": [950] })).await.assert_status(204);
    assert_eq!(case.mila.get("/api/unused-attribute-types").await.json()["total"], 0);
    let log = case.app.log("attribute_type").await;
    let removed = log.last().unwrap();
    assert_eq!((removed.akcija.as_str(), removed.red_id.as_deref()), ("brisanje", Some("950")));
}

#[tokio::test]
async fn a_deleted_form_comes_back_only_with_its_types() {
    let case = Case::new().await;
    let copy = case.copy(case.register.form, "kontrola").await;
    case.delete_form(copy).await;
    let unused = case.mila.get("/api/unused-attribute-types").await.json();
    let ids: Vec<i64> = unused["data"].as_array().unwrap().iter().map(|row| row["id"].as_i64().unwrap()).collect();
    assert_eq!(ids.len(), 7, "types of the deleted copy");
    case.mila.post("/api/unused-attribute-types-delete", json!({ "tipovi": ids })).await.assert_status(204);
    let back = case.mila.patch(&format!("/api/forms/{copy}"), json!({ "aktivan": true })).await;
    back.assert_error(409, None, "Prvo vratite tip atributa „izbor (kontrola)”: ima ga polje ovog formulara.");
}

#[tokio::test]
async fn new_forms_come_after_the_last_one() {
    let case = Case::new().await;
    let sent = |more: Value| {
        let mut form = json!({ "registarID": case.register.id, "naziv": "Novi" });
        form.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        form
    };
    let made = async |more| case.mila.post("/api/forms", sent(more)).await.assert_status(201).json()["prikazniRedosled"].clone();
    assert_eq!(made(json!({})).await, 10);
    assert_eq!(made(json!({ "prikazniRedosled": 35 })).await, 35);
    assert_eq!(made(json!({ "prikazniRedosled": null })).await, 45);
}
