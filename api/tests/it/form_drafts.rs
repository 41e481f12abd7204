//! A form is edited as a draft and published: what is live stays until then, nobody overwrites anybody, faults are named, and an older
//! version comes back.

mod impact;
mod types;

use accounts::rights::Right;
use serde_json::{Value, json};

use crate::support::{Answer, TestApp, TestRegister, Worker};

struct Case {
    app: TestApp,
    register: TestRegister,
    doctor: Worker,
    mila: Worker,
    petar: Worker,
    patient: i64,
    entry: i64,
}

impl Case {
    /// broj 5, zbir 6 (broj + 1), skup prva; saved by version 1.
    async fn new() -> Self {
        let app = TestApp::new().await;
        let register = app.register().await;
        let doctor = app.worker("doktor", &[Right::Reports], app.ustanova).await;
        let mila = app.worker("mila", &[Right::Registers], app.ustanova).await;
        let petar = app.worker("petar", &[Right::Registers], app.ustanova).await;
        app.lay_out(&[
            "update form_field set formula_za_racunanje = '$(broj) + 1' where sifra = 'zbir'",
            "update form_field set formula_za_prikaz = '$(izbor) = 1' where sifra = 'skriveno'",
        ])
        .await;
        let patient = app.patient(&register, "Ana", "Anić", app.ustanova, 1).await;
        let values = json!({ "broj": 5, "zbir": 6, "skup": [register.items["prva"]] });
        let entry = app.entry(&register, patient, app.ustanova, "2024-05-01", values).await;
        Self { app, register, doctor, mila, petar, patient, entry }
    }

    fn path(&self, more: &str) -> String {
        format!("/api/forms/{}/draft{more}", self.register.form)
    }

    async fn begin(&self, who: &Worker) -> Draft {
        let answer = who.post(&self.path(""), json!({})).await;
        Draft::of(answer.assert_status(201).json())
    }

    async fn save(&self, who: &Worker, draft: &mut Draft) -> Value {
        let saved = self.try_save(who, draft).await.assert_status(200).json();
        draft.verzija = saved["verzija"].clone();
        saved
    }

    async fn try_save(&self, who: &Worker, draft: &Draft) -> Answer {
        who.put(&self.path(""), json!({ "verzija": draft.verzija, "dokument": draft.dokument })).await
    }

    async fn publish(&self, who: &Worker, draft: &Draft) -> Answer {
        self.publish_told(who, draft, None).await
    }

    async fn publish_told(&self, who: &Worker, draft: &Draft, told: Option<i64>) -> Answer {
        who.post(&self.path("/publish"), json!({ "verzija": draft.verzija, "potvrdjenoRezultata": told })).await
    }

    async fn fresh(&self) -> Value {
        let path = format!("/api/entry-display?tsaID={}&pacijentID={}", self.register.form, self.patient);
        self.doctor.get(&path).await.assert_status(200).json()
    }

    async fn kept(&self) -> Value {
        self.doctor.get(&format!("/api/entry-display?haID={}", self.entry)).await.assert_status(200).json()
    }

    async fn versions(&self) -> i64 {
        sqlx::query_scalar("select count(*) from form_version").fetch_one(&self.app.db.owner).await.unwrap()
    }

    async fn shown_order(&self) -> Vec<String> {
        sqlx::query_scalar(
            "select sifra from form_field where tip_skupa_atributa_id = $1 and aktivan and sifra is not null order by redosled, id",
        )
        .bind(self.register.form)
        .fetch_all(&self.app.db.owner)
        .await
        .unwrap()
    }
}

struct Draft {
    verzija: Value,
    dokument: Value,
    whole: Value,
}

impl Draft {
    fn of(whole: Value) -> Self {
        Self { verzija: whole["verzija"].clone(), dokument: whole["dokument"].clone(), whole }
    }

    fn list(&mut self, name: &str) -> &mut Vec<Value> {
        self.dokument[name].as_array_mut().expect("a list")
    }

    fn field(&mut self, code: &str) -> &mut Value {
        self.list("polja").iter_mut().find(|field| field["sifra"] == code).expect("a field of this code")
    }

    fn set(&mut self, code: &str, name: &str, value: Value) {
        self.field(code)[name] = value;
    }

    fn remove(&mut self, code: &str) {
        self.list("polja").retain(|field| field["sifra"] != code);
    }

    fn type_of(&mut self, code: &str) -> &mut Value {
        let id = self.field(code)["tipAtributaID"].clone();
        self.list("tipovi").iter_mut().find(|known| known["id"] == id).expect("its type")
    }

    /// A panel with a number and its double, of types of their own.
    fn add_panel(&mut self) {
        self.list("tipovi").extend([
            json!({ "id": -1, "naziv": "Panel", "tipVrednostiAtributa": 8 }),
            json!({ "id": -2, "naziv": "Glukoza", "tipVrednostiAtributa": 2, "jedinica": "mmol/l", "gornjaGranicaBrojneVrednosti": 50 }),
        ]);
        self.list("polja").extend([
            json!({ "id": -1, "naziv": "Laboratorija", "tipAtributaID": -1 }),
            json!({ "id": -2, "naziv": "Glukoza", "sifra": "glukoza", "tipAtributaID": -2, "nadredjeniAtributUTipuSkupaID": -1 }),
            json!({ "id": -3, "naziv": "Dvostruko", "sifra": "dvostruko", "tipAtributaID": -2, "nadredjeniAtributUTipuSkupaID": -1,
                    "formulaZaRacunanje": "$(glukoza) * 2" }),
        ]);
    }
}

fn by_code<'a>(shown: &'a Value, code: &str) -> Option<&'a Value> {
    shown["autsiArray"].as_array().unwrap().iter().find(|field| field["sifra"] == code)
}

/// Of a refusal.
fn body(refused: &Answer) -> Value {
    serde_json::from_slice(&refused.bytes).expect("JSON")
}

fn faults(saved: &Value) -> Vec<String> {
    let fault = |fault: &Value| {
        format!("{}.{}: {}", fault["naziv"].as_str().unwrap(), fault["svojstvo"].as_str().unwrap(), fault["poruka"].as_str().unwrap())
    };
    saved["greske"].as_array().unwrap().iter().map(fault).collect()
}

#[tokio::test]
async fn what_is_live_stays_until_a_draft_is_published_and_that_makes_one_version() {
    let case = Case::new().await;
    let (fresh, kept) = (case.fresh().await, case.kept().await);
    let mut draft = case.begin(&case.mila).await;
    draft.add_panel();
    draft.set("broj", "naziv", json!("Šećer"));
    let saved = case.save(&case.mila, &mut draft).await;
    assert_eq!(faults(&saved), [""; 0]);
    assert_eq!(saved["formule"]["-3"]["racunanje"]["deps"], json!(["glukoza"]), "the preview computes by it");
    assert_eq!(case.fresh().await, fresh, "a draft changes nothing");
    assert_eq!(case.versions().await, 1);

    let published = case.publish(&case.mila, &draft).await.assert_status(200).json();
    assert_eq!((&published["broj"], case.versions().await), (&json!(2), 2));
    let now = case.fresh().await;
    assert_eq!(by_code(&now, "broj").unwrap()["naziv"], "Šećer");
    let (glucose, twice) = (by_code(&now, "glukoza").unwrap(), by_code(&now, "dvostruko").unwrap());
    assert_eq!((&glucose["tipAtributa"]["jedinica"], &glucose["naredjeniAUTS"]), (&json!("mmol/l"), &twice["naredjeniAUTS"]));
    let panel = now["autsiArray"].as_array().unwrap().iter().find(|field| field["id"] == glucose["naredjeniAUTS"]).expect("its panel");
    assert_eq!((&panel["naziv"], &panel["tvaNumVrednost"]), (&json!("Laboratorija"), &json!(8)));
    assert_eq!((&now["obrazac"]["verzija"], &now["obrazac"]["novija"]), (&json!(2), &Value::Null));
    let after = case.kept().await;
    assert_eq!(after["autsiArray"], kept["autsiArray"], "an entry of before keeps its form");
    assert_eq!(after["obrazac"]["novija"], json!(2));
    let state = case.mila.get(&case.path("")).await.assert_status(200).json();
    assert_eq!(state, json!({ "nacrt": null, "drugi": [] }), "the draft has ended");
}

#[tokio::test]
async fn what_does_not_change_is_not_written() {
    let case = Case::new().await;
    let mut draft = case.begin(&case.mila).await;
    case.publish(&case.mila, &draft).await.assert_error(409, None, "Nacrt ne menja ništa.");
    draft.set("tekst", "naziv", json!("Nalaz"));
    case.save(&case.mila, &mut draft).await;
    case.publish(&case.mila, &draft).await.assert_status(200);
    let written: Vec<(String, String, String)> = sqlx::query_as(
        "select klasa, akcija, coalesce(polja -> 0 ->> 'naziv', opis, '') from audit_log where radnik_id = $1 and klasa like 'form%' order by id",
    )
    .bind(case.mila.id)
    .fetch_all(&case.app.db.owner)
    .await
    .unwrap();
    let told: Vec<_> = written.iter().map(|(klasa, akcija, what)| (klasa.as_str(), akcija.as_str(), what.as_str())).collect();
    assert_eq!(
        told.iter().filter(|(klasa, ..)| *klasa != "form_draft").collect::<Vec<_>>(),
        [&("form_field", "izmena", "naziv"), &("form", "objavljivanje", "verzija 2")]
    );
    assert_eq!(told.iter().filter(|(klasa, ..)| *klasa == "form_draft").map(|row| row.1).collect::<Vec<_>>(), ["kreiranje", "brisanje"]);
    let logged: i64 = sqlx::query_scalar("select count(*) from audit_log where klasa = 'form_draft' and polja::text like '%skriveno%'")
        .fetch_one(&case.app.db.owner)
        .await
        .unwrap();
    assert_eq!(logged, 0, "the log does not hold whole documents");
}

#[tokio::test]
async fn faults_are_named_by_code_and_property_and_nothing_is_published_with_them() {
    let case = Case::new().await;
    let mut draft = case.begin(&case.mila).await;
    draft.set("zbir", "formulaZaRacunanje", json!("$(broj) + $(nema)"));
    draft.set("tekst", "naziv", json!(" "));
    draft.set("datum", "sifra", json!("broj"));
    draft.set("izbor", "nadredjeniAtributUTipuSkupaID", json!(case.register.fields["tekst"]));
    draft.type_of("skup")["naziv"] = json!("");
    draft.list("stavke")[1]["numVrednost"] = json!(null);
    let saved = case.save(&case.mila, &mut draft).await;
    assert_eq!(
        faults(&saved),
        [
            ".naziv: Niste uneli naziv.",
            "druga.numVrednost: Niste uneli numeričku vrednost.",
            "tekst.naziv: Niste uneli naziv.",
            "izbor.nadredjeniAtributUTipuSkupaID: Nadređeno polje mora biti panel, slika ili tab.",
            "broj.sifra: Polje sa tom šifrom već postoji u formularu.",
            "zbir.formulaZaRacunanje: Nepoznata šifra polja „nema”.",
        ]
    );
    assert_eq!(saved["greske"][5]["mesto"], 11);
    let refused = case.publish(&case.mila, &draft).await;
    refused.assert_status(422);
    let answer = body(&refused);
    assert_eq!(answer["greske"].as_array().unwrap().len(), 6);
    assert_eq!(
        answer["greske"][5],
        json!({ "field": "zbir.formulaZaRacunanje", "message": "zbir: Nepoznata šifra polja „nema”. (mesto 11)" })
    );
    let again = case.mila.get(&case.path("")).await.json();
    assert_eq!(faults(&again["nacrt"]), faults(&saved), "it is kept with its faults");
}

#[tokio::test]
async fn a_circle_is_told_at_each_formula_on_it() {
    let case = Case::new().await;
    let mut draft = case.begin(&case.mila).await;
    draft.set("zbir", "formulaZaRacunanje", json!("$(krug) + 1"));
    draft.list("polja").push(json!({ "id": -1, "naziv": "Krug", "sifra": "krug", "tipAtributaID": 0, "formulaZaRacunanje": "$(zbir)" }));
    let number = draft.field("broj")["tipAtributaID"].clone();
    draft.set("krug", "tipAtributaID", number);
    let told = faults(&case.save(&case.mila, &mut draft).await);
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told[0].starts_with("zbir.formulaZaRacunanje: Formule se vrte u krug: zbir → krug → zbir."), "{told:?}");
}

#[tokio::test]
async fn two_designers_have_drafts_of_their_own_and_the_second_takes_over_what_the_first_has_published() {
    let case = Case::new().await;
    let (mut hers, mut his) = (case.begin(&case.mila).await, case.begin(&case.petar).await);
    case.mila.post(&case.path(""), json!({})).await.assert_error(409, None, "Već imate nacrt ovog formulara.");
    hers.set("broj", "naziv", json!("Šećer"));
    his.set("tekst", "naziv", json!("Nalaz"));
    his.set("broj", "napomena", json!("naše"));
    case.save(&case.mila, &mut hers).await;
    case.save(&case.petar, &mut his).await;
    let state = case.petar.get(&case.path("")).await.json();
    assert_eq!(state["drugi"][0]["radnik"], "Test Mila");
    assert_eq!(state["nacrt"]["dokument"], his.dokument, "nobody has overwritten it");

    case.publish(&case.mila, &hers).await.assert_status(200);
    let message = "Formular je izmenjen otkad je nacrt napravljen: „Šećer”. Preuzmite izmene, pa objavite.";
    case.publish(&case.petar, &his).await.assert_error(409, None, message);
    assert_eq!(case.save(&case.petar, &mut his).await["izmenjeno"], true);
    let changes = case.petar.get(&case.path("/changes")).await.assert_status(200).json();
    assert_eq!(changes["tudje"], json!([{ "gde": "polje", "naziv": "Šećer", "vrsta": "izmenjeno", "svojstva": ["naziv"] }]));
    assert_eq!(changes["sukobi"], json!([]));
    let taken = case.petar.post(&case.path("/rebase"), json!({ "verzija": his.verzija })).await;
    let his = Draft::of(taken.assert_status(200).json());
    assert_eq!(his.whole["izmenjeno"], false);
    case.publish(&case.petar, &his).await.assert_status(200);
    let now = case.fresh().await;
    let (number, text) = (by_code(&now, "broj").unwrap(), by_code(&now, "tekst").unwrap());
    assert_eq!((&number["naziv"], &number["napomena"], &text["naziv"]), (&json!("Šećer"), &json!("naše"), &json!("Nalaz")));
}

#[tokio::test]
async fn where_both_have_changed_one_thing_a_person_says_whose_it_is() {
    for (prefers, name) in [("moje", "iz nacrta"), ("njihovo", "uživo")] {
        let case = Case::new().await;
        let mut draft = case.begin(&case.mila).await;
        draft.set("broj", "naziv", json!("iz nacrta"));
        case.save(&case.mila, &mut draft).await;
        // The screens and calls of the specification go on changing the live form.
        let field = format!("/api/form-fields/{}", case.register.field("broj"));
        case.petar.patch(&field, json!({ "naziv": "uživo" })).await.assert_status(200);
        case.publish(&case.mila, &draft).await.assert_status(409);
        let message = "Isto je menjano u nacrtu i u formularu: „iz nacrta”. Izaberite čija izmena ostaje.";
        case.mila.post(&case.path("/rebase"), json!({ "verzija": draft.verzija })).await.assert_error(409, None, message);
        let taken = case.mila.post(&case.path("/rebase"), json!({ "verzija": draft.verzija, "sukobi": prefers })).await;
        let mut draft = Draft::of(taken.assert_status(200).json());
        assert_eq!(draft.field("broj")["naziv"], name);
    }
}

#[tokio::test]
async fn a_draft_that_was_saved_elsewhere_is_not_overwritten() {
    let case = Case::new().await;
    let mut one = case.begin(&case.mila).await;
    let other = Draft::of(one.whole.clone());
    case.save(&case.mila, &mut one).await;
    let message = "Nacrt je u međuvremenu snimljen na drugom mestu. Učitajte ga ponovo.";
    case.try_save(&case.mila, &other).await.assert_error(409, None, message);
    case.publish(&case.mila, &other).await.assert_error(409, None, message);
    case.mila.delete(&case.path("")).await.assert_status(204);
    let gone = "Nacrt više ne postoji: objavljen je ili odbačen.";
    case.try_save(&case.mila, &one).await.assert_error(404, None, gone);
    case.mila.delete(&case.path("")).await.assert_status(404);
}

#[tokio::test]
async fn what_entries_hold_is_not_taken_away() {
    let case = Case::new().await;
    let mut draft = case.begin(&case.mila).await;
    draft.remove("skup");
    draft.remove("datum");
    let told = faults(&case.save(&case.mila, &mut draft).await);
    assert_eq!(
        told,
        ["skup.id: Polje „skup” se ne može ukloniti: ima vrednost u 1 unosu. Vratite ga; umesto uklanjanja može da se ne prikazuje."]
    );
    case.publish(&case.mila, &draft).await.assert_status(422);
    case.mila.delete(&case.path("")).await.assert_status(204);
    let mut draft = case.begin(&case.mila).await;
    draft.list("stavke").retain(|item| item["naziv"] != "prva");
    let told = faults(&case.save(&case.mila, &mut draft).await);
    assert_eq!(told, ["prva.id: Stavka „prva” se ne može ukloniti: izabrana je u 1 unosu. Umesto toga može da se više ne bira."]);
    case.mila.delete(&case.path("")).await.assert_status(204);
    let mut draft = case.begin(&case.mila).await;
    draft.remove("datum");
    case.save(&case.mila, &mut draft).await;
    case.publish(&case.mila, &draft).await.assert_status(200);
    assert_eq!(by_code(&case.fresh().await, "datum"), None);
}

#[tokio::test]
async fn a_field_with_values_keeps_its_kind() {
    let case = Case::new().await;
    let mut draft = case.begin(&case.mila).await;
    let text = draft.field("tekst")["tipAtributaID"].clone();
    draft.set("broj", "tipAtributaID", text);
    draft.set("zbir", "formulaZaRacunanje", Value::Null);
    let told = faults(&case.save(&case.mila, &mut draft).await);
    assert_eq!(told, ["broj.tipAtributaID: Polje ima snimljene vrednosti, pa mu se tip ne može promeniti."]);
}

#[tokio::test]
async fn a_type_that_another_form_has_is_not_a_drafts_to_change() {
    let case = Case::new().await;
    case.app
        .lay_out(&[
            "insert into form (id, registar_id, naziv) select 900, registar_id, 'Kontrola' from form limit 1",
            "insert into form_field (tip_skupa_atributa_id, tip_atributa_id, naziv, redosled) select 900, tip_atributa_id, 'Isti tip', 1 from form_field where sifra = 'broj'",
        ])
        .await;
    let mut draft = case.begin(&case.mila).await;
    let shared = draft.field("broj")["tipAtributaID"].clone();
    assert_eq!(draft.whole["zajednicki"], json!([{ "tip": shared, "formulari": ["Kontrola"] }]));
    draft.type_of("broj")["jedinica"] = json!("mg");
    let told = faults(&case.save(&case.mila, &mut draft).await);
    assert_eq!(told, ["broj.naziv: Tip koristi i formular „Kontrola”: menja se u tipovima atributa, ili polje dobija svoj tip."]);
    case.publish(&case.mila, &draft).await.assert_status(422);
}

#[tokio::test]
async fn ids_of_another_form_are_refused() {
    let case = Case::new().await;
    case.app
        .lay_out(&[
            "insert into form (id, registar_id, naziv) select 900, registar_id, 'Kontrola' from form limit 1",
            "insert into form_field (id, tip_skupa_atributa_id, tip_atributa_id, naziv, redosled) select 901, 900, tip_atributa_id, 'Tuđe', 1 from form_field where sifra = 'tekst'",
        ])
        .await;
    let mut draft = case.begin(&case.mila).await;
    let kind = draft.field("tekst")["tipAtributaID"].clone();
    draft.list("polja").push(json!({ "id": 901, "naziv": "Moje", "tipAtributaID": kind }));
    assert_eq!(faults(&case.save(&case.mila, &mut draft).await), ["Moje.id: Polje nije iz ovog formulara. Učitajte nacrt ponovo."]);
    case.publish(&case.mila, &draft).await.assert_status(422);
    let name: String = sqlx::query_scalar("select naziv from form_field where id = 901").fetch_one(&case.app.db.owner).await.unwrap();
    assert_eq!(name, "Tuđe");
}

#[tokio::test]
async fn codes_may_change_places_and_moved_fields_stand_where_they_were_put() {
    let case = Case::new().await;
    let mut draft = case.begin(&case.mila).await;
    draft.set("tekst", "sifra", json!("privremeno"));
    draft.set("datum", "sifra", json!("tekst"));
    draft.set("privremeno", "sifra", json!("datum"));
    let first = draft.list("polja").remove(0);
    draft.list("polja").push(first);
    case.save(&case.mila, &mut draft).await;
    case.publish(&case.mila, &draft).await.assert_status(200);
    assert_eq!(case.shown_order().await, ["broj", "datum", "skup", "tekst", "zbir", "skriveno", "izbor"]);
    let moved: i64 = sqlx::query_scalar(
        "select count(*) from audit_log where klasa = 'form_field' and polja @> '[{\"naziv\": \"redosled\"}]' and akcija = 'izmena'",
    )
    .fetch_one(&case.app.db.owner)
    .await
    .unwrap();
    assert_eq!(moved, 1, "only the moved one has another number");
}

#[tokio::test]
async fn an_older_version_is_taken_back_with_what_entries_hold_since() {
    let case = Case::new().await;
    let mut draft = case.begin(&case.mila).await;
    draft.add_panel();
    draft.set("broj", "naziv", json!("Šećer"));
    draft.set("broj", "pretrazujeSe", json!(false));
    draft.remove("datum");
    case.save(&case.mila, &mut draft).await;
    case.publish(&case.mila, &draft).await.assert_status(200);
    let filled =
        "update entry set vrednosti = vrednosti || jsonb_build_object((select id::text from form_field where sifra = 'glukoza'), 7)";
    case.app.lay_out(&[filled]).await;

    let older = case.petar.post(&case.path(""), json!({ "verzija": 1 })).await;
    let mut older = Draft::of(older.assert_status(201).json());
    assert_eq!(
        older.whole["napomene"],
        json!(["Posle te verzije su dodata i imaju vrednosti, pa ostaju u formularu i ne prikazuju se: „Glukoza”."])
    );
    assert_eq!(
        (older.field("broj")["naziv"].clone(), older.field("broj")["pretrazujeSe"].clone()),
        (json!("broj"), json!(false)),
        "what no version keeps is today's"
    );
    assert_eq!(older.field("glukoza")["prikazujeSe"], false);
    assert_eq!(older.whole["greske"], json!([]));
    let published = case.publish(&case.petar, &older).await.assert_status(200).json();
    assert_eq!(published["broj"], 3);
    let back = case.fresh().await;
    let date = by_code(&back, "datum").expect("it is back");
    assert_eq!(date["id"].as_i64(), Some(case.register.fields["datum"]), "the same field, with its values");
    assert_eq!((by_code(&back, "dvostruko"), &by_code(&back, "broj").unwrap()["naziv"]), (None, &json!("broj")));
    let compared = case.mila.get(&format!("/api/forms/{}/version-differences?starija=1&novija=3", case.register.form)).await.json();
    assert_eq!((&compared["uklonjena"], &compared["izmenjena"]), (&json!([]), &json!([])));
    case.mila.post(&case.path(""), json!({ "verzija": 99 })).await.assert_status(404);
}

#[tokio::test]
async fn a_publication_waits_for_a_field_that_is_being_saved_and_is_then_refused() {
    let case = Case::new().await;
    let mut draft = case.begin(&case.mila).await;
    draft.set("tekst", "naziv", json!("Nalaz"));
    case.save(&case.mila, &mut draft).await;
    let field = format!("/api/form-fields/{}", case.register.field("datum"));
    let (published, patched) = tokio::join!(case.publish(&case.mila, &draft), case.petar.patch(&field, json!({ "naziv": "Dan" })));
    patched.assert_status(200);
    let now = case.fresh().await;
    assert_eq!(by_code(&now, "datum").unwrap()["naziv"], "Dan", "what was saved beside a publication is not lost");
    match published.status {
        200 => assert_eq!(by_code(&now, "tekst").unwrap()["naziv"], "Nalaz"),
        status => assert_eq!((status, &by_code(&now, "tekst").unwrap()["naziv"]), (409, &json!("tekst"))),
    }
}

#[tokio::test]
async fn the_name_of_todays_form_is_kept_and_renewed_with_every_change_of_it() {
    let case = Case::new().await;
    let name = async || {
        let kept: String =
            sqlx::query_scalar("select form_today_fingerprint($1)").bind(case.register.form).fetch_one(&case.app.db.owner).await.unwrap();
        let made: String = sqlx::query_scalar("select form_fingerprint(form_description($1))")
            .bind(case.register.form)
            .fetch_one(&case.app.db.owner)
            .await
            .unwrap();
        assert_eq!(kept, made);
        kept
    };
    let mut names = vec![name().await];
    for change in [
        "update form set naziv = 'Drugi'",
        "update form_field set naziv = 'Drugo' where sifra = 'broj'",
        "update attribute_type set jedinica = 'mg' where naziv = 'broj'",
        "update enum_item set naziv = 'prvih' where naziv = 'prva'",
        "insert into enum_item (tip_atributa_id, naziv, num_vrednost) select tip_atributa_id, 'treća', 3 from enum_item limit 1",
        "insert into form_field (tip_skupa_atributa_id, tip_atributa_id, naziv, redosled) select tip_skupa_atributa_id, tip_atributa_id, 'Novo', 99 from form_field limit 1",
        "delete from enum_item where naziv = 'treća'",
        "delete from form_field where naziv = 'Novo'",
    ] {
        case.app.lay_out(&[change]).await;
        names.push(name().await);
    }
    names.dedup();
    assert_eq!(names.len(), 9, "each change has another name");
}

#[tokio::test]
async fn a_name_that_is_made_while_the_form_changes_is_none_of_the_changed_form() {
    let case = Case::new().await;
    let (owner, form) = (&case.app.db.owner, case.register.form);
    let kept = async || -> String { sqlx::query_scalar("select form_today_fingerprint($1)").bind(form).fetch_one(owner).await.unwrap() };
    case.app.lay_out(&["update form_field set naziv = 'Nulto' where sifra = 'broj'"]).await;
    let mut writer = domain::db::begin(owner, domain::db::SYSTEM_WORKER).await.unwrap();
    sqlx::query("update form_field set naziv = 'Drugo' where sifra = 'broj'").execute(&mut *writer).await.unwrap();
    // It does not wait for who configures, and is answered by the form as it is until then.
    let before = kept().await;
    writer.commit().await.unwrap();
    let after = kept().await;
    assert_ne!(before, after);
    let made: String = sqlx::query_scalar("select form_fingerprint(form_description($1))").bind(form).fetch_one(owner).await.unwrap();
    assert_eq!(after, made);
}
