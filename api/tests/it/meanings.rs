//! Meaning is not wording: what is only spelt otherwise stops nothing, what the publishing dialog says of stored results is what the
//! recomputation makes of them, and a version says who published it.

use std::collections::{BTreeMap, BTreeSet};

use accounts::rights::Right;
use base64::{Engine, prelude::BASE64_STANDARD};
use domain::{
    db,
    entry::{
        form::EntryForm,
        form_lock,
        recompute::{Counts, Versions, carry_out, patients_after},
    },
};
use serde_json::{Value, json};
use sqlx::AssertSqlSafe;

use crate::support::{TestApp, TestRegister, Worker};

const PATIENTS: i64 = 125;
/// Entries of a patient.
const EACH: i64 = 4;

struct Case {
    app: TestApp,
    register: TestRegister,
    doctor: Worker,
    mila: Worker,
}

impl Case {
    /// `broj` in mg, and `zbir` of it.
    async fn new() -> Self {
        let app = TestApp::new().await;
        let register = app.register().await;
        let doctor = app.worker("doktor", &[Right::Reports], app.ustanova).await;
        let mila = app.worker("mila", &[Right::Registers], app.ustanova).await;
        app.lay_out(&[
            "update form_field set formula_za_racunanje = '$(broj) + 1' where sifra = 'zbir'",
            "update form_field set formula_za_prikaz = '$(izbor) = 1' where sifra = 'skriveno'",
            "update attribute_type set jedinica = 'mg' where naziv = 'broj'",
        ])
        .await;
        Self { app, register, doctor, mila }
    }

    fn path(&self, more: &str) -> String {
        format!("/api/forms/{}/draft{more}", self.register.form)
    }

    async fn number(&self, sql: &str) -> i64 {
        sqlx::query_scalar(AssertSqlSafe(sql.to_owned()))
            .fetch_one(&self.app.db.owner)
            .await
            .unwrap_or_else(|error| panic!("{sql}: {error}"))
    }

    async fn write(&self, sql: String) {
        let mut tx = db::begin(&self.app.db.owner, db::SYSTEM_WORKER).await.unwrap();
        sqlx::query(AssertSqlSafe(sql.clone())).execute(&mut *tx).await.unwrap_or_else(|error| panic!("{sql}: {error}"));
        tx.commit().await.unwrap();
    }

    /// Entries of these patients by the form as it is configured now: every other patient has one item, and a text stands where `izbor` is
    /// not ticked, too.
    async fn fill(&self, patients: &[i64], month: i64) {
        let field = |code: &str| self.register.field(code);
        let patients = patients.iter().map(i64::to_string).collect::<Vec<_>>().join(",");
        self.write(format!(
            "insert into entry (pacijent_id, registar_id, tsa_id, ustanova_id, datum_unosa, vrednosti)
             select p.id, {register}, {form}, {ustanova}, make_date(2024, {month}, v::int),
                    jsonb_strip_nulls(jsonb_build_object(
                        '{broj}', case when n % 10 > 0 then n % 90 + 1 end, '{zbir}', case when n % 10 > 0 then n % 90 + 2 end,
                        '{skup}', jsonb_build_array(case when p.place % 2 = 0 then {prva} else {druga} end),
                        '{izbor}', n % 3 = 0, '{tekst}', case when n % 5 = 0 then 'nalaz' end,
                        '{skriveno}', case when n % 3 = 0 then 'vidi se' end))
               from unnest('{{{patients}}}'::bigint[]) with ordinality p (id, place) cross join generate_series(1, {EACH}) v
               cross join lateral (select (p.place - 1) * {EACH} + v as n) c order by p.place, v",
            register = self.register.id,
            form = self.register.form,
            ustanova = self.app.ustanova,
            broj = field("broj"),
            zbir = field("zbir"),
            skup = field("skup"),
            izbor = field("izbor"),
            tekst = field("tekst"),
            skriveno = field("skriveno"),
            prva = self.register.items["prva"],
            druga = self.register.items["druga"],
        ))
        .await;
    }

    /// A draft that `change` makes of the live form; its number.
    async fn draft(&self, change: impl FnOnce(&mut Value)) -> Value {
        let mut draft = self.mila.post(&self.path(""), json!({})).await.assert_status(201).json();
        change(&mut draft["dokument"]);
        let saved = json!({ "verzija": draft["verzija"], "dokument": draft["dokument"] });
        self.mila.put(&self.path(""), saved).await.assert_status(200).json()["verzija"].clone()
    }

    /// What the dialog says where nothing or `said` is said of meanings.
    async fn impact(&self, said: &str) -> Value {
        self.mila.get(&format!("{}{said}", self.path("/impact"))).await.assert_status(200).json()
    }

    async fn publish(&self, verzija: &Value, more: Value) -> Value {
        let mut body = json!({ "verzija": verzija });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let answer = self.mila.post(&self.path("/publish"), body.clone()).await;
        let told: Value = serde_json::from_slice(&answer.bytes).unwrap();
        if told["uticaj"].is_null() {
            return answer.assert_status(200).json();
        }
        body["potvrdjenoRezultata"] = told["uticaj"]["rezultata"].clone();
        self.mila.post(&self.path("/publish"), body).await.assert_status(200).json()
    }

    /// As an engine does it.
    async fn recompute(&self, id: i64) -> Counts {
        self.write(format!("update recomputation set status = 'running', lease_until = now() + interval '1 hour' where id = {id}")).await;
        let version = self.number(&format!("select form_version_id from recomputation where id = {id}")).await;
        let newest = EntryForm::of_version(&mut self.app.db.owner.acquire().await.unwrap(), version).await.unwrap();
        let (mut versions, mut last, mut sum) = (Versions::below(newest), 0, Counts::default());
        loop {
            let patients = patients_after(&mut self.app.db.app.acquire().await.unwrap(), &versions.newest, last, 50).await.unwrap();
            let Some(newest) = patients.last() else { break };
            last = *newest;
            for patient in patients {
                let mut tx = db::begin(&self.app.db.app, self.mila.id).await.unwrap();
                let named = "select set_config('app.recomputation', $1, true)";
                sqlx::query(named).bind(id.to_string()).execute(&mut *tx).await.unwrap();
                form_lock::share(&mut tx, self.register.form).await.unwrap();
                let counts = carry_out(&mut tx, id, &mut versions, patient).await.unwrap();
                tx.commit().await.unwrap();
                sum.examined += counts.examined;
                sum.changed += counts.changed;
                sum.taken += counts.taken;
                sum.left += counts.left;
            }
        }
        let end = "update recomputation set status = 'done', lease_until = null, vreme_zavrsetka = now() where id";
        self.write(format!("{end} = {id}")).await;
        sum
    }

    async fn results(&self) -> BTreeMap<i64, Value> {
        let rows: Vec<(i64, Value)> = sqlx::query_as("select id, coalesce(vrednosti -> $1, 'null') from entry where aktivan")
            .bind(self.register.field("zbir"))
            .fetch_all(&self.app.db.owner)
            .await
            .unwrap();
        rows.into_iter().collect()
    }

    /// Publishes with a recomputation, and holds the run to what the dialog said. The entries that stayed, by their reason.
    async fn hold_to_the_dialog(&self, verzija: &Value, said: &str, more: Value) -> BTreeMap<String, i64> {
        let impact = self.impact(said).await;
        assert_eq!((&impact["pregledano"], &impact["sledeci"]), (&impact["unosa"], &Value::Null));
        let promise = &impact["preracunavanje"];
        let before = self.results().await;
        let mut more = more;
        more["preracunaj"] = json!(true);
        let asked = self.publish(verzija, more).await["preracunavanje"].as_i64().expect("it begins");
        let marked = self.number("select count(*) from stale_result where razlog = 'formula'").await;
        let counts = self.recompute(asked).await;
        let list = |name: &str| promise[name].as_array().unwrap().clone();
        let promised = (promise["promenjeno"].as_i64(), promise["prevedeno"].as_i64(), Some(list("ostavljeno").len() as i64));
        assert_eq!((Some(counts.changed), Some(counts.taken), Some(counts.left)), promised);
        assert_eq!(json!(counts.examined), impact["unosa"]);
        let after = self.results().await;
        let changed: BTreeSet<i64> = after.iter().filter(|(id, value)| before[id] != **value).map(|(id, _)| *id).collect();
        let named: BTreeSet<i64> = list("rezultati").iter().map(|one| one["unos"].as_i64().unwrap()).collect();
        assert_eq!(changed, named, "each result that changes, and no other");
        let left: Vec<(i64, String)> = sqlx::query_as(
            "select unos_id, razlog from recomputation_entry where preracunavanje_id = $1 and ishod = 'ostavljen' order by 1",
        )
        .bind(asked)
        .fetch_all(&self.app.db.owner)
        .await
        .unwrap();
        let mut told: Vec<(i64, String)> =
            list("ostavljeno").iter().map(|one| (one["unos"].as_i64().unwrap(), one["razlog"].as_str().unwrap().to_owned())).collect();
        told.sort();
        assert_eq!(left, told, "who stays, and why");
        assert!(marked >= impact["rezultati"].as_array().unwrap().len() as i64, "those of deleted entries are marked too");
        let mut reasons = BTreeMap::new();
        for (_, reason) in left {
            *reasons.entry(reason).or_insert(0) += 1;
        }
        reasons
    }
}

fn set(document: &mut Value, code: &str, name: &str, value: Value) {
    document["polja"].as_array_mut().unwrap().iter_mut().find(|field| field["sifra"] == code).unwrap()[name] = value;
}

fn set_type(document: &mut Value, code: &str, name: &str, value: Value) {
    let id = document["polja"].as_array().unwrap().iter().find(|field| field["sifra"] == code).unwrap()["tipAtributaID"].clone();
    document["tipovi"].as_array_mut().unwrap().iter_mut().find(|known| known["id"] == id).unwrap()[name] = value;
}

fn rename(document: &mut Value, item: i64, name: &str) {
    document["stavke"].as_array_mut().unwrap().iter_mut().find(|known| known["id"] == item).unwrap()["naziv"] = json!(name);
}

fn count(reasons: &BTreeMap<String, i64>, reason: &str) -> i64 {
    reasons.get(reason).copied().unwrap_or_default()
}

#[tokio::test]
async fn over_three_publications_the_recomputation_does_what_the_dialog_says_to_the_number() {
    let case = Case::new().await;
    let (prva, druga) = (case.register.items["prva"], case.register.items["druga"]);
    let mut patients = Vec::new();
    for number in 1..=PATIENTS + 2 {
        patients.push(case.app.patient(&case.register, "Ana", "Anić", case.app.ustanova, number).await);
    }
    let (first, later) = patients.split_at(PATIENTS as usize);
    case.fill(first, 1).await;
    assert_eq!(case.number("select count(*) from entry").await, 500);
    case.write("update entry set aktivan = false where id in (select id from entry order by id limit 3)".to_owned()).await;
    case.write(format!("update patient set aktivan = false where id = {}", first[10])).await;

    // Version 2: an item spelt otherwise, and another unit.
    let verzija = case
        .draft(|document| {
            rename(document, prva, "Prva");
            set_type(document, "broj", "jedinica", json!("g"));
            set(document, "zbir", "formulaZaRacunanje", json!("$(broj) + 2"));
        })
        .await;
    let reasons = case.hold_to_the_dialog(&verzija, "", json!({})).await;
    let with_number = "select count(*) from entry e join patient p on p.id = e.pacijent_id where e.aktivan and p.aktivan and e.vrednosti ?";
    let numbers = case.number(&format!("{with_number} '{}'", case.register.field("broj"))).await;
    assert_eq!(reasons, BTreeMap::from([("jedinica".to_owned(), numbers)]), "the spelling of the item stops nothing");

    // Entries of version 2, in grams.
    case.fill(later, 2).await;

    // Version 3: the unit is back, one item means another thing, a field is hidden, a bound and a rule come, and formulas read the entry before.
    let verzija = case
        .draft(|document| {
            set_type(document, "broj", "jedinica", json!("mg"));
            set_type(document, "broj", "gornjaGranicaBrojneVrednosti", json!(80));
            rename(document, druga, "Druga sasvim");
            set(document, "tekst", "formulaZaPrikaz", json!("$(izbor) = 1"));
            set(document, "zbir", "formulaZaRacunanje", json!("$(broj) + if(isblank(prethodno($(zbir))), 0, prethodno($(zbir)))"));
            let rule = json!({ "id": -1, "uslov": "$(broj) = 33", "poruka": "Ne može 33", "vrsta": "greska" });
            document["pravila"].as_array_mut().unwrap().push(rule);
        })
        .await;
    let said = format!("?drugeStavke={druga}");
    let reasons = case.hold_to_the_dialog(&verzija, &said, json!({ "drugeStavke": [druga] })).await;
    let in_grams = case
        .number(&format!(
            "select count(*) from entry where pacijent_id = any ('{{{},{}}}') and vrednosti ? '{}' and vrednosti -> '{}' @> '{prva}'",
            later[0],
            later[1],
            case.register.field("broj"),
            case.register.field("skup")
        ))
        .await;
    assert_eq!(count(&reasons, "jedinica"), in_grams, "numbers of the first version are in the newest unit again: {reasons:?}");
    for reason in ["stavka", "skriveno", "pravilo", "prethodni"] {
        assert!(count(&reasons, reason) > 0, "{reason}: {reasons:?}");
    }

    // Version 4: the items are called as at first, and nothing is hidden or forbidden any more.
    let verzija = case
        .draft(|document| {
            rename(document, prva, "prva");
            rename(document, druga, "druga");
            set_type(document, "broj", "gornjaGranicaBrojneVrednosti", json!(100));
            set(document, "tekst", "formulaZaPrikaz", Value::Null);
            set(document, "zbir", "formulaZaRacunanje", json!("$(broj) + 3"));
            document["pravila"] = json!([]);
        })
        .await;
    let said = format!("?drugeStavke={druga}");
    let reasons = case.hold_to_the_dialog(&verzija, &said, json!({ "drugeStavke": [druga] })).await;
    let in_grams = case
        .number(&format!(
            "select count(*) from entry where pacijent_id = any ('{{{},{}}}') and vrednosti ? '{}'",
            later[0],
            later[1],
            case.register.field("broj")
        ))
        .await;
    assert_eq!(reasons, BTreeMap::from([("jedinica".to_owned(), in_grams)]), "what came back means what it meant");
    let wrong = format!(
        "select count(*) from entry e join patient p on p.id = e.pacijent_id join form_version v on v.id = e.form_version_id
        where e.aktivan and p.aktivan and v.broj = 4 and (vrednosti -> '{}')::numeric <> (vrednosti -> '{}')::numeric + 3",
        case.register.field("zbir"),
        case.register.field("broj")
    );
    assert_eq!(case.number(&wrong).await, 0);
    assert_eq!(
        case.number("select count(*) from entry e join form_version v on v.id = e.form_version_id where v.broj = 1").await,
        3 + EACH,
        "deleted ones stay as they were"
    );
}

#[tokio::test]
async fn a_unit_said_to_be_only_spelt_otherwise_marks_nothing_and_is_the_same_over_several_versions() {
    let case = Case::new().await;
    let patient = case.app.patient(&case.register, "Ana", "Anić", case.app.ustanova, 1).await;
    let entry = case.app.entry(&case.register, patient, case.app.ustanova, "2024-05-01", json!({ "broj": 5, "zbir": 6 })).await;
    let mut kind = 0;
    let verzija = case
        .draft(|document| {
            let field = document["polja"].as_array().unwrap().iter().find(|field| field["sifra"] == "broj").unwrap();
            kind = field["tipAtributaID"].as_i64().unwrap();
            set_type(document, "broj", "jedinica", json!("Mg"));
            set(document, "zbir", "formulaZaRacunanje", json!("$(broj) + 2"));
        })
        .await;
    let changes = case.mila.get(&case.path("/changes")).await.assert_status(200).json();
    let asked = json!([{ "vrsta": "jedinica", "id": kind, "polja": ["broj"], "staro": "mg", "novo": "Mg" }]);
    assert_eq!(changes["preimenovano"], asked);
    let another = case.impact("").await;
    assert_eq!((another["jedinice"].as_array().unwrap().len(), &another["preracunavanje"]["promenjeno"]), (1, &json!(0)));
    let same = case.impact(&format!("?isteJedinice={kind}")).await;
    assert_eq!((same["jedinice"].as_array().unwrap().len(), &same["preracunavanje"]["promenjeno"]), (0, &json!(1)));
    case.publish(&verzija, json!({ "isteJedinice": [kind] })).await;
    assert_eq!(case.number("select count(*) from stale_result where razlog = 'jedinica'").await, 0);

    let newer = case.doctor.get(&format!("/api/entries/{entry}/newer-form")).await.assert_status(200).json();
    let change = &newer["razlike"]["izmenjena"][0]["promene"][0];
    assert_eq!((&change["sta"], &change["samoPravopis"]), (&json!("jedinica"), &json!(true)));

    // By the screens of types: first another unit, then back.
    let path = format!("/api/attribute-types/{kind}");
    case.mila.patch(&path, json!({ "jedinica": "g", "potvrdjenoRezultata": 1 })).await.assert_status(200);
    assert_eq!(case.number("select count(*) from stale_result where razlog = 'jedinica' and jedinica = 'Mg'").await, 1);
    case.mila.patch(&path, json!({ "jedinica": "mg" })).await.assert_status(200);
    assert_eq!(case.number("select count(*) from stale_result where razlog = 'jedinica'").await, 0, "mg is what Mg was");
    case.mila.patch(&path, json!({ "jedinica": "miligram", "samoPravopis": true })).await.assert_status(200);
    assert_eq!(case.number("select count(*) from stale_result where razlog = 'jedinica'").await, 0);
}

#[tokio::test]
async fn an_item_that_is_only_spelt_otherwise_is_the_same_answer_at_every_door() {
    let case = Case::new().await;
    let prva = case.register.items["prva"];
    let patient = case.app.patient(&case.register, "Ana", "Anić", case.app.ustanova, 1).await;
    let entry =
        case.app.entry(&case.register, patient, case.app.ustanova, "2024-05-01", json!({ "broj": 5, "zbir": 6, "skup": [prva] })).await;
    let shown = async || case.doctor.get(&format!("/api/entry-display?haID={entry}")).await.assert_status(200).json();
    let word = |shown: &Value| {
        let fields = shown["autsiArray"].as_array().unwrap();
        let items = fields.iter().find(|field| field["sifra"] == "skup").unwrap()["enumStavkeSve"].as_array().unwrap().clone();
        items.into_iter().find(|item| item["id"] == prva).unwrap()["naziv"].clone()
    };
    let verzija = case
        .draft(|document| {
            rename(document, prva, "Prva");
            set(document, "zbir", "formulaZaRacunanje", json!("$(broj) + 2"));
        })
        .await;
    let published = case.publish(&verzija, json!({ "preracunaj": true })).await;

    let field = case.register.field("skup");
    let history = format!("/api/entries/{entry}/archive?nizAutsID={field}");
    let history = async || case.doctor.get(&history).await.assert_status(200).json()["data"][0]["nabrojivaVrednost"].clone();
    let before = shown().await;
    assert_eq!((word(&before), &before["vrednosti"][&field]), (json!("prva"), &json!([prva])), "an old entry keeps its words");
    assert_eq!(history().await, json!("prva"));
    let newer = case.doctor.get(&format!("/api/entries/{entry}/newer-form")).await.assert_status(200).json();
    let change = &newer["razlike"]["izmenjena"][0]["promene"][0];
    assert_eq!((&change["staro"], &change["novo"], &change["samoPravopis"]), (&json!("prva"), &json!("Prva"), &json!(true)));
    let search = json!({
        "registarID": case.register.id, "opsegUslova": "biloKojiUnos", "sviRezultati": true,
        "redPretrage": [{ "tipUnosaID": case.register.form, "poljeID": case.register.fields["skup"], "operator": "izabrano", "vrednost": prva.to_string() }],
    });
    let found = async || case.doctor.post("/api/search", search.clone()).await.assert_status(200).json()["unosi"].as_array().map(Vec::len);
    let found_before = found().await;
    let definition = case.mila.get(&format!("/api/forms/{}/definition", case.register.form)).await.assert_status(200).text();
    assert!(definition.contains("\"Prva\""), "a file has today's words");
    let told = format!("select count(*) from report.stavka where id = {prva} and naziv = 'Prva'");
    assert_eq!(case.number(&told).await, 1, "and so do reports");

    let counts = case.recompute(published["preracunavanje"].as_i64().unwrap()).await;
    assert_eq!((counts.changed, counts.left), (1, 0));
    let after = shown().await;
    assert_eq!(
        (word(&after), &after["vrednosti"][&field]),
        (json!("Prva"), &json!([prva])),
        "taken over, it has the new words and the same value"
    );
    assert_eq!(after["vrednosti"][case.register.field("zbir")], json!(7));
    assert_eq!(found().await, found_before);
    // The value was never changed, and its history says so.
    let changes = format!("select count(*) from value_history where unos_id = {entry} and polje_id = {field}");
    assert_eq!(case.number(&changes).await, 0);
}

#[tokio::test]
async fn an_item_renamed_on_its_screen_is_the_same_answer_until_it_is_said_to_be_another() {
    let case = Case::new().await;
    let prva = case.register.items["prva"];
    let patient = case.app.patient(&case.register, "Ana", "Anić", case.app.ustanova, 1).await;
    case.app.entry(&case.register, patient, case.app.ustanova, "2024-05-01", json!({ "broj": 5, "zbir": 6, "skup": [prva] })).await;
    let path = format!("/api/enum-items/{prva}");
    let left = async || {
        let draft = json!({ "verzija": case.draft(|document| set(document, "zbir", "formulaZaRacunanje", json!("$(broj) + 9"))).await });
        let impact = case.impact("").await;
        case.mila.delete(&case.path("")).await.assert_status(204);
        assert!(draft["verzija"].is_number());
        impact["preracunavanje"]["ostavljeno"].as_array().unwrap().iter().map(|one| one["razlog"].clone()).collect::<Vec<_>>()
    };
    case.mila.patch(&path, json!({ "naziv": "Prva" })).await.assert_status(200);
    assert_eq!(left().await, Vec::<Value>::new());
    case.mila.patch(&path, json!({ "naziv": "Sasvim druga", "drugoZnacenje": true })).await.assert_status(200);
    assert_eq!(left().await, [json!("stavka")]);
    case.mila.patch(&path, json!({ "naziv": "prva", "drugoZnacenje": true })).await.assert_status(200);
    assert_eq!(left().await, Vec::<Value>::new(), "it is called as it was when it was chosen");
}

#[tokio::test]
async fn a_file_that_renames_asks_what_it_means() {
    let case = Case::new().await;
    let patient = case.app.patient(&case.register, "Ana", "Anić", case.app.ustanova, 1).await;
    case.app.entry(&case.register, patient, case.app.ustanova, "2024-05-01", json!({ "broj": 5, "zbir": 6 })).await;
    let file = case.mila.get(&format!("/api/forms/{}/definition", case.register.form)).await.assert_status(200).text();
    let file = file.replace("\"mg\"", "\"Mg\"");
    let mut sent = json!({ "imeFajla": "a.toml", "sadrzaj": BASE64_STANDARD.encode(file), "registarID": case.register.id });
    let report = case.mila.post("/api/definition-checks", sent.clone()).await.assert_status(200).json();
    let asked = &report["preimenovano"][0];
    assert_eq!((&asked["vrsta"], &asked["staro"], &asked["novo"]), (&json!("jedinica"), &json!("mg"), &json!("Mg")), "{report}");
    assert_eq!(report["uticaj"]["rezultata"], json!(1), "another unit until somebody says otherwise");
    sent["isteJedinice"] = json!([asked["id"]]);
    let report = case.mila.post("/api/definition-checks", sent.clone()).await.assert_status(200).json();
    assert_eq!(report["uticaj"]["rezultata"], json!(0));
    sent["otisak"] = report["otisak"].clone();
    case.mila.post("/api/definition-imports", sent).await.assert_status(201);
    assert_eq!(case.number("select count(*) from stale_result").await, 0);
}

#[tokio::test]
async fn a_version_says_when_it_was_published_by_whom_and_why() {
    let case = Case::new().await;
    let patient = case.app.patient(&case.register, "Ana", "Anić", case.app.ustanova, 1).await;
    let entry = case.app.entry(&case.register, patient, case.app.ustanova, "2024-05-01", json!({ "broj": 5, "zbir": 6 })).await;
    let verzija = case.draft(|document| set(document, "tekst", "naziv", json!("Nalaz lekara"))).await;
    let long = case.mila.post(&case.path("/publish"), json!({ "verzija": verzija, "napomena": "x".repeat(1001) })).await;
    long.assert_error(422, Some("napomena"), "Napomena može imati najviše 1000 znakova.");
    case.publish(&verzija, json!({ "napomena": "  Jasniji naziv  " })).await;
    let versions = case.mila.get(&format!("/api/forms/{}/versions", case.register.form)).await.assert_status(200).json();
    let (newest, first) = (&versions["data"][0], &versions["data"][1]);
    assert_eq!((&first["broj"], &first["objave"]), (&json!(1), &json!([])), "the first entry made it");
    let publication = &newest["objave"][0];
    assert_eq!(
        (&publication["napomena"], publication["vreme"].as_str().map(str::len)),
        (&json!("Jasniji naziv"), newest["vreme"].as_str().map(str::len))
    );
    assert!(publication["radnik"].as_str().unwrap().len() > 1);
    let newer = case.doctor.get(&format!("/api/entries/{entry}/newer-form")).await.assert_status(200).json();
    assert_eq!(newer["objave"][0], *publication);
    let draft = case.mila.post(&case.path(""), json!({ "verzija": 2 })).await.assert_status(201).json();
    assert_eq!((&draft["izvor"]["broj"], &draft["izvor"]["objave"][0]), (&json!(2), publication));
}

#[tokio::test]
async fn a_draft_with_faults_is_refused_with_all_of_them_and_their_places() {
    let case = Case::new().await;
    let verzija = case
        .draft(|document| {
            set(document, "tekst", "naziv", json!(""));
            set(document, "zbir", "formulaZaRacunanje", json!("$(nema) + 1"));
        })
        .await;
    let refused = case.mila.post(&case.path("/publish"), json!({ "verzija": verzija })).await;
    let refused = refused.refusal(422);
    let faults: Vec<_> = refused["greskeNacrta"]
        .as_array()
        .unwrap()
        .iter()
        .map(|fault| (fault["gde"].clone(), fault["id"].clone(), fault["svojstvo"].clone()))
        .collect();
    let field = |code: &str| json!(case.register.fields[code]);
    let expected = [(json!("polje"), field("tekst"), json!("naziv")), (json!("polje"), field("zbir"), json!("formulaZaRacunanje"))];
    assert_eq!(faults, expected);
    case.mila.get(&case.path("/impact")).await.assert_status(422);
}
