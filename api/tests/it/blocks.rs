//! The library of blocks: shipped ones at every door of forms, a hospital's own as files, editions, and what is no block.

use accounts::rights::Right;
use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::{Value, json};

use crate::support::{Answer, TestApp, Worker};

const OWN: &str = r#"
[block]
sifra = "itm"
naziv = "Indeks telesne mase"
izdanje = 1
oblast = "Opšte"
opis = "Masa kroz kvadrat visine"
izvor = "Quetelet 1832"
licenca = "Slobodno"

[[attributeTypes]]
naziv = "Panel"
tipVrednosti = "panel"

[[attributeTypes]]
naziv = "Masa"
tipVrednosti = "brojni"
donjaGranicaBrojneVrednosti = 20
gornjaGranicaBrojneVrednosti = 300

[[attributeTypes]]
naziv = "Visina"
tipVrednosti = "brojni"
donjaGranicaBrojneVrednosti = 100
gornjaGranicaBrojneVrednosti = 230

[[forms]]
sifraVeza = "itm"
naziv = "Indeks telesne mase"

[[forms.polja]]
sifra = "itmBlok"
naziv = "Telesna masa"
tipAtributa = "Panel"

[[forms.polja]]
sifra = "masa"
naziv = "Masa"
tipAtributa = "Masa"
nadredjeni = "itmBlok"

[[forms.polja]]
sifra = "visina"
naziv = "Visina"
tipAtributa = "Visina"
nadredjeni = "itmBlok"

[[forms.polja]]
sifra = "itm"
naziv = "ITM"
tipAtributa = "Masa"
nadredjeni = "itmBlok"
formulaZaRacunanje = "$(masa) / pow($(visina) / 100, 2)"
primeri = [{ ulazi = { masa = 80, visina = 200 }, rezultat = 20 }]
"#;

struct Case {
    app: TestApp,
    mila: Worker,
}

impl Case {
    async fn new() -> Self {
        let app = TestApp::new().await;
        let mila = app.worker("mila", &[Right::Registers], app.ustanova).await;
        Self { app, mila }
    }

    async fn keep(&self, text: &str) -> Answer {
        self.mila.post("/api/blocks", json!({ "imeFajla": "blok.toml", "sadrzaj": BASE64_STANDARD.encode(text) })).await
    }

    async fn listed(&self) -> Vec<(String, i64, bool)> {
        let rows = self.mila.get("/api/blocks").await.assert_status(200).json();
        let row = |row: &Value| {
            (row["sifra"].as_str().unwrap().to_owned(), row["izdanje"].as_i64().unwrap(), row["isporucen"].as_bool().unwrap())
        };
        rows.as_array().unwrap().iter().map(row).collect()
    }
}

#[tokio::test]
async fn shipped_blocks_are_listed_by_medicine_and_each_is_a_part_of_a_draft() {
    let case = Case::new().await;
    let all = case.listed().await;
    let codes: Vec<&str> = all.iter().map(|(sifra, ..)| sifra.as_str()).collect();
    assert_eq!(codes, ["cha2ds2vasc", "nihss", "mrs", "phq9", "basdai", "das28", "haqdi"]);
    for (sifra, ..) in &all {
        let block = case.mila.get(&format!("/api/blocks/{sifra}")).await.assert_status(200).json();
        let fields = block["dokument"]["polja"].as_array().unwrap();
        assert_eq!(fields[0]["blok"], json!(format!("{sifra}@1")), "{sifra}");
        assert!(fields.len() > 3 && fields.iter().all(|field| field["id"].as_i64().unwrap() < 0), "{sifra}");
    }
    case.mila.get("/api/blocks/nema").await.assert_status(404);
    case.mila.get("/api/blocks/nihss?izdanje=2").await.assert_status(404);
    case.mila.delete("/api/blocks/nihss").await.assert_status(404);
}

/// The whole way of the designer: a block in a draft, published, filled in by a doctor.
#[tokio::test]
async fn a_block_in_a_draft_is_published_and_computes_what_its_source_has_published() {
    let case = Case::new().await;
    let register = case.app.register().await;
    case.app.lay_out(&["update form_field set opcioni = true"]).await;
    let path = format!("/api/forms/{}/draft", register.form);
    let draft = case.mila.post(&path, json!({})).await.assert_status(201).json();
    let block = case.mila.get("/api/blocks/nihss").await.json();
    let mut document = draft["dokument"].clone();
    for part in ["polja", "tipovi", "stavke", "pravila"] {
        let added = block["dokument"][part].as_array().unwrap().clone();
        document[part].as_array_mut().unwrap().extend(added);
    }
    let saved = case.mila.put(&path, json!({ "verzija": draft["verzija"], "dokument": document })).await.assert_status(200).json();
    assert_eq!(saved["greske"], json!([]));
    case.mila.post(&format!("{path}/publish"), json!({ "verzija": saved["verzija"] })).await.assert_status(200);

    let fields: Vec<(i64, String, Option<String>)> = sqlx::query_as(
        "select id, sifra, blok from form_field where tip_skupa_atributa_id = $1 and sifra like 'nihss%' and aktivan order by id",
    )
    .bind(register.form)
    .fetch_all(&case.app.db.owner)
    .await
    .unwrap();
    assert_eq!(fields.iter().filter_map(|(_, _, blok)| blok.as_deref()).collect::<Vec<_>>(), ["nihss@1"]);
    let patient = case.app.patient(&register, "Ana", "Anić", case.app.ustanova, 1).await;
    let doctor = case.app.lekar().await;
    let mut values = serde_json::Map::new();
    for (id, sifra, _) in fields.iter().filter(|(_, sifra, _)| !["nihss", "nihssBlok", "nihssTezina"].contains(&sifra.as_str())) {
        let worst: i64 = sqlx::query_scalar(
            "select i.id from form_field f join enum_item i on i.tip_atributa_id = f.tip_atributa_id and i.aktivan
              where f.id = $1 order by i.num_vrednost desc nulls last limit 1",
        )
        .bind(id)
        .fetch_one(&case.app.db.owner)
        .await
        .unwrap_or_else(|error| panic!("{sifra}: {error}"));
        values.insert(id.to_string(), json!([worst]));
    }
    let body = json!({ "tsaID": register.form, "registarID": register.id, "pacijentID": patient, "vrednosti": values,
        "radnikOdgovoran": doctor.id, "datumUnosa": "2026-03-05" });
    let entry = doctor.post("/api/entry-values", body).await.assert_status(200).json();
    let of = |code: &str| &entry["vrednosti"][fields.iter().find(|(_, sifra, _)| sifra == code).unwrap().0.to_string()];
    assert_eq!(of("nihss"), &json!(42));
    let worst: String = sqlx::query_scalar("select naziv from enum_item where id = $1")
        .bind(of("nihssTezina")[0].as_i64())
        .fetch_one(&case.app.db.owner)
        .await
        .unwrap();
    assert_eq!(worst, "Težak");
}

/// FHIR has no word for it; ours is an extension, which another house of ours reads.
#[tokio::test]
async fn a_block_of_a_form_knows_its_edition_after_a_way_through_fhir() {
    let case = Case::new().await;
    let register = case.app.register().await;
    let path = format!("/api/forms/{}/draft", register.form);
    let draft = case.mila.post(&path, json!({})).await.assert_status(201).json();
    let block = case.mila.get("/api/blocks/nihss").await.json();
    let mut document = draft["dokument"].clone();
    for part in ["polja", "tipovi", "stavke", "pravila"] {
        let added = block["dokument"][part].as_array().unwrap().clone();
        document[part].as_array_mut().unwrap().extend(added);
    }
    let saved = case.mila.put(&path, json!({ "verzija": draft["verzija"], "dokument": document })).await.assert_status(200).json();
    case.mila.post(&format!("{path}/publish"), json!({ "verzija": saved["verzija"] })).await.assert_status(200);
    let out = case.mila.get(&format!("/api/forms/{}/definition?oblik=fhir", register.form)).await.assert_status(200).text();

    let other = Case::new().await;
    let mut sent = json!({ "imeFajla": "upitnik.json", "sadrzaj": BASE64_STANDARD.encode(&out), "naziv": "Nazad", "sifra": "nazad" });
    let report = other.mila.post("/api/definition-checks", sent.clone()).await.assert_status(200).json();
    assert_eq!(report["greske"], json!([]));
    sent["otisak"] = report["otisak"].clone();
    let stored = other.mila.post("/api/definition-imports", sent).await.assert_status(201).json();
    let blocks: Vec<String> =
        sqlx::query_scalar("select sifra || ' ' || blok from form_field where tip_skupa_atributa_id = $1 and blok is not null and aktivan")
            .bind(stored["formulari"][0].as_i64().unwrap())
            .fetch_all(&other.app.db.owner)
            .await
            .unwrap();
    assert_eq!(blocks, ["nihssBlok nihss@1"]);
}

#[tokio::test]
async fn a_hospitals_own_block_comes_as_a_file_and_goes_as_one_by_editions() {
    let case = Case::new().await;
    case.keep(OWN).await.assert_status(201);
    assert!(case.listed().await.contains(&("itm".to_owned(), 1, false)));
    case.keep(OWN).await.assert_error(409, None, "Blok „Indeks telesne mase” već ima izdanje 1: povećajte izdanje u fajlu.");
    let second = OWN.replace("izdanje = 1", "izdanje = 2").replace("naziv = \"ITM\"", "naziv = \"ITM, kg/m²\"");
    case.keep(&second).await.assert_status(201);
    let all = case.listed().await;
    assert_eq!(all.iter().filter(|(sifra, ..)| sifra == "itm").collect::<Vec<_>>(), [&("itm".to_owned(), 2, false)]);
    let name = |block: Value| block["dokument"]["polja"][3]["naziv"].clone();
    assert_eq!(name(case.mila.get("/api/blocks/itm").await.json()), json!("ITM, kg/m²"));
    assert_eq!(name(case.mila.get("/api/blocks/itm?izdanje=1").await.json()), json!("ITM"));

    // Into another house, as it went out of this one.
    let file = case.mila.get("/api/blocks/itm/file").await.assert_status(200).text();
    let other = Case::new().await;
    other.keep(&file).await.assert_status(201);
    assert_eq!(other.mila.get("/api/blocks/itm/file").await.text(), file);

    case.mila.delete("/api/blocks/itm").await.assert_status(204);
    case.mila.get("/api/blocks/itm").await.assert_status(404);
    let told: i64 =
        sqlx::query_scalar("select count(*) from audit_log where klasa = 'form_block'").fetch_one(&case.app.db.owner).await.unwrap();
    assert_eq!(told, 4, "two editions came and went");
}

#[tokio::test]
async fn what_is_no_block_is_refused_with_its_place() {
    let case = Case::new().await;
    for (text, message) in [
        (
            OWN.split_once("[[attributeTypes]]").map(|(_, rest)| format!("[[attributeTypes]]{rest}")).unwrap(),
            "[block]: fajl nema zaglavlje bloka",
        ),
        (
            OWN.replace("sifra = \"itm\"\nnaziv = \"Indeks telesne mase\"\nizdanje", "sifra = \"ITM\"\nnaziv = \"x\"\nizdanje"),
            "block.sifra: mala slova, cifre i crtica, od slova",
        ),
        (OWN.replace("licenca = \"Slobodno\"", "licenca = \" \""), "block.licenca: nije upisano"),
        (OWN.replace("nadredjeni = \"itmBlok\"\n", ""), "forms.polja: sva polja bloka stoje u jednom, koje je panel ili tab"),
        (OWN.replace("rezultat = 20", "rezultat = 21"), "forms.itm.itm.primeri: Primer 1: očekuje se 21, a formula daje 20 (razlika −1)."),
        (
            OWN.replace("$(visina) / 100", "$(visinaa) / 100"),
            "forms.itm.itm.formulaZaRacunanje: Nepoznata šifra polja „visinaa”. (mesto 15)",
        ),
    ] {
        case.keep(&text).await.assert_error(422, Some("sadrzaj"), message);
    }
    let shipped = OWN.replacen("sifra = \"itm\"", "sifra = \"nihss\"", 1);
    case.keep(&shipped).await.assert_error(409, None, "Blok sa tom šifrom dolazi sa programom: izaberite drugu šifru.");
    let doctor = case.app.lekar().await;
    doctor.get("/api/blocks").await.assert_status(403);
}
