//! Registering, changing and deleting patients, their history, and who may see them (A 2.6, 2.10, 5).

use accounts::rights::Right;
use domain::db;
use serde_json::{Value, json};

use crate::support::{Answer, TestApp};

fn person() -> Value {
    json!({
        "ime": "Živana", "prezime": "Đukić", "datumRodjenja": "1970-01-01", "jmbg": "0101970715003", "lbo": "12345678901",
        "polTrenutni": false, "kontaktTelefon": "011/1234567",
    })
}

fn refusal(answer: &Answer) -> Value {
    serde_json::from_str(&answer.text()).expect("JSON")
}

fn with(field: &str, value: Value) -> Value {
    let mut person = person();
    person[field] = value;
    person
}

/// Somebody else, of another JMBG and LBO.
fn another() -> Value {
    let mut another = with("jmbg", json!("0101970715011"));
    another["lbo"] = json!("22345678901");
    // Of the same name and birth date: whoever registers both has said that they are two.
    another["potvrde"] = json!(["slicanPacijent"]);
    another
}

#[tokio::test]
async fn each_missing_or_wrong_field_is_named_and_nothing_is_saved() {
    let app = TestApp::new().await;
    let lekar = app.lekar().await;
    for (field, value, message) in [
        ("ime", json!(" "), "Niste uneli ime."),
        ("prezime", Value::Null, "Niste uneli prezime."),
        ("datumRodjenja", Value::Null, "Niste uneli datum rođenja."),
        ("jmbg", json!(""), "Niste uneli JMBG."),
        ("ime", json!("Ž".repeat(101)), "Ime: najviše 100 znakova."),
        ("ime", json!("Živ\u{202e}ana"), "Ime: tekst sadrži nedozvoljen znak."),
        ("ime", json!(5), "Vrednost polja „ime” nije ispravna."),
        ("datumRodjenja", json!("1970-02-30"), "Vrednost polja „datumRodjenja” nije ispravna."),
        ("datumRodjenja", json!("2999-01-01"), "Datum rođenja mora biti između 1900. godine i današnjeg dana."),
        ("jmbg", json!("010197071500"), "JMBG mora imati tačno 13 cifara."),
        ("jmbg", json!("3102970715003"), "JMBG ne sadrži ispravan datum rođenja."),
        ("jmbg", json!("0101970715007"), "Kontrolna cifra u JMBG nije ispravna."),
        ("polTrenutni", json!("M"), "Vrednost polja „polTrenutni” nije ispravna."),
        ("medicinskaNapomena", json!("zvono\u{7}"), "Medicinska napomena: tekst sadrži nedozvoljen znak."),
        ("lbo", json!("123"), "LBO mora imati 11 cifara."),
        ("polTrenutni", Value::Null, "Niste izabrali pol."),
        ("kontaktTelefon", json!(""), "Niste uneli kontakt telefon."),
        ("kontaktTelefon", json!("011 12345"), "Kontakt telefon nije u formatu XXX/XXXXXXYY."),
        ("mobilniTelefon", json!("064/1"), "Mobilni telefon nije u formatu XXX/XXXXXXYY."),
        ("email", json!("nije"), "E-mail adresa nije ispravna."),
    ] {
        lekar.post("/api/patients", with(field, value)).await.assert_error(422, Some(field), message);
    }
    let saved: i64 = sqlx::query_scalar("select count(*) from patient").fetch_one(&app.db.owner).await.unwrap();
    assert_eq!(saved, 0);
}

#[tokio::test]
async fn a_registered_patient_is_read_changed_and_keeps_its_history() {
    let app = TestApp::new().await;
    let lekar = app.lekar().await;
    let id = lekar.post("/api/patients", person()).await.assert_status(201).json()["id"].as_i64().unwrap();
    let path = format!("/api/patients/{id}");
    let before = lekar.get(&path).await.json();
    assert_eq!((&before["prezime"], &before["verzija"], &before["pravoIzmene"]), (&json!("Đukić"), &json!(1), &json!(true)));
    let after = lekar.patch(&path, json!({ "prezime": "Đukić-Babić", "verzija": 1 })).await.json();
    assert_eq!((&after["prezime"], &after["ime"], &after["verzija"]), (&json!("Đukić-Babić"), &json!("Živana"), &json!(2)));
    lekar.patch(&path, json!({ "ime": "Ana", "verzija": 1 })).await.assert_status(409);
    lekar.patch(&path, json!({ "aktivan": false, "verzija": 1 })).await.assert_status(409);
    lekar.patch(&path, json!({ "datumRodjenja": "01.01.1970." })).await.assert_error(
        422,
        Some("datumRodjenja"),
        "Vrednost polja „datumRodjenja” nije ispravna.",
    );
    let archive = lekar.get(&format!("{path}/archive")).await.json();
    let surnames: Vec<&Value> = archive["data"].as_array().unwrap().iter().map(|row| &row["prezime"]).collect();
    assert_eq!(surnames, ["Đukić-Babić", "Đukić"]);
    assert_eq!(archive["data"][0]["vremePrestankaVazenja"], Value::Null);
    let sestra = app.sestra().await;
    sestra.patch(&path, json!({ "ime": "Živka" })).await.assert_status(200);
    let archive = lekar.get(&format!("{path}/archive")).await.json();
    let who = |row: &Value| (row["radnikUpisao"].clone(), row["radnik"].clone());
    let name = async |id: i64| -> Value {
        let name: String =
            sqlx::query_scalar("select prezime || ' ' || ime from worker where id = $1").bind(id).fetch_one(&app.db.owner).await.unwrap();
        json!(name)
    };
    let (one, other) = (name(lekar.id).await, name(sestra.id).await);
    let states: Vec<_> = archive["data"].as_array().unwrap().iter().map(who).collect();
    assert_eq!(
        states,
        [(other.clone(), Value::Null), (one.clone(), other), (one.clone(), one)],
        "who wrote each state, and who replaced it"
    );
    let views = lekar.get(&format!("{path}/views")).await.json();
    assert_eq!(views["data"].as_array().unwrap().len(), 3, "the page and its history were looked at: {views}");
}

#[tokio::test]
async fn what_the_jmbg_contradicts_is_saved_only_when_somebody_confirms_it_and_the_log_says_who() {
    let app = TestApp::new().await;
    let lekar = app.lekar().await;
    let mut odd = with("datumRodjenja", json!("1971-01-01"));
    let refused = lekar.post("/api/patients", odd.clone()).await;
    let asked = json!([{ "oznaka": "jmbgNeslaganje", "tekst": "Datum rođenja se ne slaže sa JMBG." }]);
    assert_eq!((refused.status, &refusal(&refused)["potvrde"]), (422, &asked));
    odd["potvrde"] = json!(["nesto drugo"]);
    lekar.post("/api/patients", odd.clone()).await.assert_status(422);
    odd["potvrde"] = json!(["jmbgNeslaganje"]);
    let id = lekar.post("/api/patients", odd).await.assert_status(201).json()["id"].as_i64().unwrap();

    // What contradicts the JMBG already is asked of again only when it is touched.
    let path = format!("/api/patients/{id}");
    lekar.patch(&path, json!({ "adresa": "Nova 2" })).await.assert_status(200);
    lekar.patch(&path, json!({ "polTrenutni": true })).await.assert_status(422);
    assert_eq!(lekar.get(&path).await.json()["polTrenutni"], false);
    lekar.patch(&path, json!({ "polTrenutni": true, "potvrde": ["jmbgNeslaganje"] })).await.assert_status(200);
    lekar.patch(&path, json!({ "polTrenutni": false, "datumRodjenja": "1970-01-01" })).await.assert_status(200);

    let confirmed: Vec<(Option<i64>, Option<i64>, String)> =
        sqlx::query_as("select radnik_id, pacijent_id, opis from audit_log where klasa = 'patient' and akcija = 'potvrda' order by id")
            .fetch_all(&app.db.owner)
            .await
            .unwrap();
    let by_lekar = |what: &str| (Some(lekar.id), Some(id), format!("Potvrđeno pre čuvanja: {what}"));
    assert_eq!(
        confirmed,
        [by_lekar("Datum rođenja se ne slaže sa JMBG."), by_lekar("Datum rođenja se ne slaže sa JMBG. Pol se ne slaže sa JMBG."),]
    );
}

#[tokio::test]
async fn everything_that_is_wrong_with_a_record_is_told_at_once_in_the_order_of_the_form() {
    let app = TestApp::new().await;
    let lekar = app.lekar().await;
    let answer = lekar.post("/api/patients", json!({ "prezime": "Đukić", "jmbg": "123", "email": "nije" })).await;
    let body = refusal(answer.assert_status(422));
    assert_eq!((&body["field"], &body["message"]), (&json!("ime"), &json!("Niste uneli ime.")));
    let fields: Vec<&Value> = body["greske"].as_array().unwrap().iter().map(|fault| &fault["field"]).collect();
    assert_eq!(fields, ["ime", "datumRodjenja", "jmbg", "lbo", "polTrenutni", "kontaktTelefon", "email"]);
}

#[tokio::test]
async fn numbers_are_taken_with_spaces_dots_and_dashes_between_their_digits() {
    let app = TestApp::new().await;
    let lekar = app.lekar().await;
    let register = app.register().await;
    let mut typed = with("jmbg", json!(" 0101970 71 5003 "));
    typed["lbo"] = json!("123-456.789 01");
    typed["registarID"] = json!(register.id);
    typed["kontaktTelefon"] = json!("0641234567");
    typed["mobilniTelefon"] = json!("+381 64 123-45-67");
    let id = lekar.post("/api/patients", typed).await.assert_status(201).json()["id"].as_i64().unwrap();
    let stored = lekar.get(&format!("/api/patients/{id}")).await.json();
    assert_eq!((&stored["jmbg"], &stored["lbo"]), (&json!("0101970715003"), &json!("12345678901")));
    assert_eq!((&stored["kontaktTelefon"], &stored["mobilniTelefon"]), (&json!("064/1234567"), &json!("064/1234567")));
    let path = format!("/api/patients/{id}");
    let changed = lekar.patch(&path, json!({ "mobilniTelefon": "(063) 765.4321" })).await.json();
    assert_eq!(changed["mobilniTelefon"], "063/7654321");
    lekar.patch(&path, json!({ "mobilniTelefon": "12345" })).await.assert_status(422);
    let alike = lekar.post("/api/patients/duplicates", json!({ "jmbg": "0101970 715003" })).await.json();
    assert_eq!(alike["data"][0]["razlog"], "jmbg");
    let found = lekar.post("/api/search", json!({ "registarID": register.id, "jmbg": "0101970-715003", "lbo": "123 456" })).await.json();
    assert_eq!(found["unosi"][0]["pacijentID"], id);
}

#[tokio::test]
async fn whether_a_jmbg_is_taken_is_told_last_and_who_was_told_is_logged() {
    let app = TestApp::new().await;
    let (lekar, other) = (app.lekar().await, app.worker("drugi", &[], app.druga_ustanova).await);
    let id = lekar.post("/api/patients", person()).await.json()["id"].as_i64().unwrap();
    let free = with("jmbg", json!("0101970715011"));
    // What could not be saved anyway is refused alike, whether there is such a patient or not.
    for spoil in [json!({ "registarID": 987_654_321 }), json!({ "ime": "" }), json!({ "polTrenutni": true })] {
        let spoiled = |mut record: Value| {
            record.as_object_mut().unwrap().extend(spoil.as_object().unwrap().clone());
            record
        };
        let (taken, not_taken) =
            (other.post("/api/patients", spoiled(person())).await, other.post("/api/patients", spoiled(free.clone())).await);
        assert_eq!((taken.status, taken.text()), (422, not_taken.text()), "{spoil}");
    }
    let told = async || app.log("patient").await.into_iter().filter(|line| line.akcija == "provera JMBG").collect::<Vec<_>>();
    assert!(told().await.is_empty());
    other.post("/api/patients", person()).await.assert_error(409, Some("jmbg"), "Pacijent sa tim JMBG već postoji.");
    let mine = other.post("/api/patients", another()).await.json()["id"].as_i64().unwrap();
    other.patch(&format!("/api/patients/{mine}"), json!({ "jmbg": "0101970715003" })).await.assert_status(409);
    let lines: Vec<_> = told().await.into_iter().map(|line| (line.radnik_id, line.red_id)).collect();
    assert_eq!(lines, [(Some(other.id), Some(id.to_string())), (Some(other.id), Some(id.to_string()))]);
}

#[tokio::test]
async fn two_patients_share_an_lbo_only_when_somebody_confirms_it_and_nobody_learns_who_the_other_is() {
    let app = TestApp::new().await;
    let (lekar, other) = (app.lekar().await, app.worker("drugi", &[Right::Log], app.druga_ustanova).await);
    let id = lekar.post("/api/patients", person()).await.json()["id"].as_i64().unwrap();
    let same = || json!({ "lbo": "12345678901" });
    let shared = |mut record: Value| {
        record.as_object_mut().unwrap().extend(same().as_object().unwrap().clone());
        record
    };
    let asked =
        json!([{ "oznaka": "istiLBO", "tekst": "Uneti LBO već ima drugi pacijent. Proverite broj: dva pacijenta nemaju isti LBO." }]);
    // One that is refused for another reason does not learn it, and neither does one that contradicts the JMBG.
    other.post("/api/patients", person()).await.assert_error(409, Some("jmbg"), "Pacijent sa tim JMBG već postoji.");
    let mut odd = shared(another());
    odd["polTrenutni"] = json!(true);
    assert_eq!(refusal(&other.post("/api/patients", odd).await)["potvrde"][0]["oznaka"], "jmbgNeslaganje");
    let told = async || app.log("patient").await.into_iter().filter(|line| line.akcija == "provera LBO").collect::<Vec<_>>();
    assert_eq!(told().await, []);

    let (here, there) = (lekar.post("/api/patients", shared(another())).await, other.post("/api/patients", shared(another())).await);
    assert_eq!((here.status, there.status, here.text()), (422, 422, there.text()), "the same words, whoever the other patient is");
    assert_eq!(refusal(&there)["potvrde"], asked);
    let lines: Vec<_> = told().await.into_iter().map(|line| (line.radnik_id, line.red_id)).collect();
    assert_eq!(lines, [(Some(lekar.id), Some(id.to_string())), (Some(other.id), Some(id.to_string()))]);
    let saved: i64 = sqlx::query_scalar("select count(*) from patient").fetch_one(&app.db.owner).await.unwrap();
    assert_eq!(saved, 1);

    // A change is asked too, and only one that changes the LBO.
    let mine = other.post("/api/patients", another()).await.json()["id"].as_i64().unwrap();
    let path = format!("/api/patients/{mine}");
    assert_eq!(refusal(other.patch(&path, same()).await.assert_status(422))["potvrde"], asked);
    assert_eq!(other.get(&path).await.json()["lbo"], "22345678901");
    other.patch(&path, json!({ "lbo": "123-456.789 01", "potvrde": ["istiLBO"] })).await.assert_status(200);
    other.patch(&path, json!({ "lbo": "12345678901", "adresa": "Nova 2" })).await.assert_status(200);

    // And so is one who comes back.
    let path = format!("/api/patients/{id}");
    lekar.patch(&path, json!({ "aktivan": false })).await.assert_status(200);
    assert_eq!(refusal(lekar.patch(&path, json!({ "aktivan": true })).await.assert_status(422))["potvrde"], asked);
    lekar.get(&path).await.assert_status(404);
    lekar.patch(&path, json!({ "aktivan": true, "potvrde": ["istiLBO"] })).await.assert_status(200);
    let confirmed: Vec<(Option<i64>, Option<i64>, String)> =
        sqlx::query_as("select radnik_id, pacijent_id, opis from audit_log where klasa = 'patient' and akcija = 'potvrda' order by id")
            .fetch_all(&app.db.owner)
            .await
            .unwrap();
    let said = format!("Potvrđeno pre čuvanja: {}", asked[0]["tekst"].as_str().unwrap());
    assert_eq!(confirmed, [(Some(other.id), Some(mine), said.clone()), (Some(lekar.id), Some(id), said)]);
}

#[tokio::test]
async fn of_two_who_save_the_same_lbo_at_once_one_is_asked() {
    let app = TestApp::new().await;
    let (lekar, other) = (app.lekar().await, app.worker("drugi", &[], app.druga_ustanova).await);
    let mut mine = another();
    mine["lbo"] = json!("12345678901");
    // Both have been let in, and neither has written: whoever comes first holds the number.
    let mut gate = app.db.owner.begin().await.unwrap();
    sqlx::query("lock table patient in share mode").execute(&mut *gate).await.unwrap();
    let open = async {
        let waiting = "select count(*) from pg_locks where not granted and database = (select oid from pg_database where datname = current_database())";
        while sqlx::query_scalar::<_, i64>(waiting).fetch_one(&app.db.owner).await.unwrap() < 2 {
            tokio::task::yield_now().await;
        }
        gate.commit().await.unwrap();
    };
    let (one, two, ()) = tokio::join!(lekar.post("/api/patients", person()), other.post("/api/patients", mine), open);
    let mut answers = [one.status, two.status];
    answers.sort_unstable();
    assert_eq!(answers, [201, 422]);
}

#[tokio::test]
async fn who_has_an_lbo_is_found_by_an_index() {
    let app = TestApp::new().await;
    let mut tx = app.db.owner.begin().await.unwrap();
    sqlx::query("set local enable_seqscan = off").execute(&mut *tx).await.unwrap();
    let plan: Vec<String> = sqlx::query_scalar("explain select o.id from patient o where o.lbo = '12345678901' and o.aktivan")
        .fetch_all(&mut *tx)
        .await
        .unwrap();
    assert!(plan.join("\n").contains("patient_lbo_prefix"), "{plan:?}");
}

#[tokio::test]
async fn one_jmbg_is_one_active_patient() {
    let app = TestApp::new().await;
    let lekar = app.lekar().await;
    let id = lekar.post("/api/patients", person()).await.json()["id"].as_i64().unwrap();
    lekar.post("/api/patients", person()).await.assert_error(409, Some("jmbg"), "Pacijent sa tim JMBG već postoji.");
    lekar.patch(&format!("/api/patients/{id}"), json!({ "aktivan": false })).await.assert_status(200);
    lekar.get(&format!("/api/patients/{id}")).await.assert_status(404);
    lekar.post("/api/patients", person()).await.assert_status(201);
}

#[tokio::test]
async fn likely_duplicates_are_shown_and_of_other_institutions_only_the_same_jmbg_is_counted() {
    let app = TestApp::new().await;
    let lekar = app.lekar().await;
    let id = lekar.post("/api/patients", person()).await.json()["id"].as_i64().unwrap();
    let other = app.worker("drugi", &[], app.druga_ustanova).await;
    let likeness = json!({ "ime": "Zivana", "prezime": "Djukić", "datumRodjenja": "1970-01-01", "jmbg": "", "lbo": "12345678901" });
    let mine = lekar.post("/api/patients/duplicates", likeness.clone()).await.json();
    assert_eq!((&mine["data"][0]["pacijentID"], &mine["data"][0]["razlog"]), (&json!(id), &json!("lbo")));
    let nothing = json!({ "data": [], "uDrugimUstanovama": 0 });
    assert_eq!(other.post("/api/patients/duplicates", likeness).await.json(), nothing, "a likeness would tell who is a patient elsewhere");
    let one = json!({ "data": [], "uDrugimUstanovama": 1 });
    assert_eq!(other.post("/api/patients/duplicates", json!({ "jmbg": "0101970715003" })).await.json(), one);
    let tried: Vec<_> = app.log("patient").await.into_iter().filter(|line| line.akcija == "provera JMBG").collect();
    assert_eq!(tried.iter().map(|line| line.radnik_id).collect::<Vec<_>>(), [Some(other.id)]);
    other.post("/api/patients", person()).await.assert_error(409, Some("jmbg"), "Pacijent sa tim JMBG već postoji.");
}

#[tokio::test]
async fn the_surest_likeness_is_shown_first() {
    let app = TestApp::new().await;
    let lekar = app.lekar().await;
    lekar.post("/api/patients", person()).await.assert_status(201);
    let namesake =
        json!({ "ime": "Živana", "prezime": "Đukić", "datumRodjenja": "1970-01-01", "jmbg": "0101970715011", "lbo": "22345678901" });
    let mut other = person();
    other.as_object_mut().unwrap().extend(namesake.as_object().unwrap().clone());
    other["potvrde"] = json!(["slicanPacijent"]);
    lekar.post("/api/patients", other).await.assert_status(201);
    let likeness =
        json!({ "ime": "Živana", "prezime": "Đukić", "datumRodjenja": "1970-01-01", "jmbg": "0101970715011", "lbo": "12345678901" });
    let found = lekar.post("/api/patients/duplicates", likeness).await.json();
    let reasons: Vec<&Value> = found["data"].as_array().unwrap().iter().map(|row| &row["razlog"]).collect();
    assert_eq!(reasons, ["jmbg", "lbo"]);
}

/// A date is easily written a day off, or with day and month in each other's place.
#[tokio::test]
async fn a_birth_date_that_is_nearly_the_same_is_a_likeness_and_a_registration_asks_whoever_sends_it() {
    let app = TestApp::new().await;
    let lekar = app.lekar().await;
    let mut first = person();
    first["datumRodjenja"] = json!("1970-03-05");
    first["potvrde"] = json!(["jmbgNeslaganje"]);
    let id = lekar.post("/api/patients", first).await.assert_status(201).json()["id"].clone();
    let reason = async |born: &str, ime: &str| {
        let likeness = json!({ "ime": ime, "prezime": "Đukić", "datumRodjenja": born });
        lekar.post("/api/patients/duplicates", likeness).await.json()["data"][0]["razlog"].clone()
    };
    for (born, expected) in [("1970-03-05", "ime"), ("1970-03-04", "datum"), ("1970-03-06", "datum"), ("1970-05-03", "datum")] {
        assert_eq!(reason(born, "Živana").await, json!(expected), "{born}");
        assert_eq!(reason(born, "Milorad").await, Value::Null, "another name, {born}");
    }
    assert_eq!(reason("1970-03-07", "Živana").await, Value::Null);

    let mut near = another();
    near["datumRodjenja"] = json!("1970-05-03");
    near["potvrde"] = json!(["jmbgNeslaganje"]);
    let refused = refusal(lekar.post("/api/patients", near.clone()).await.assert_status(422));
    let asked = json!([{
        "oznaka": "slicanPacijent",
        "tekst": "Već postoji pacijent sličnog imena, rođen istog ili bliskog datuma. Proverite da li je to ista osoba.",
    }]);
    assert_eq!(refused["potvrde"], asked);
    let told = "select p.pacijent_id from audit_log l join audit_log_patient p on p.log_id = l.id order by l.id desc limit 1";
    let last: i64 = sqlx::query_scalar(told).fetch_one(&app.db.owner).await.unwrap();
    assert_eq!(json!(last), id);
    // Nobody is asked about whom her institution does not know.
    let elsewhere = app.worker("drugi", &[], app.druga_ustanova).await;
    let mut unknown = near.clone();
    unknown["jmbg"] = json!("0101970715038");
    unknown["lbo"] = json!("32345678901");
    elsewhere.post("/api/patients", unknown).await.assert_status(201);
    near["potvrde"] = json!(["jmbgNeslaganje", "slicanPacijent"]);
    lekar.post("/api/patients", near).await.assert_status(201);
    let confirmed = "select count(*) from audit_log where akcija = 'potvrda' and opis like '%sličnog imena%'";
    assert_eq!(sqlx::query_scalar::<_, i64>(confirmed).fetch_one(&app.db.owner).await.unwrap(), 1);
}

/// The other doors: a record that is changed into a likeness, and one that comes back beside it.
#[tokio::test]
async fn a_change_and_a_return_that_make_two_alike_ask_and_one_that_leaves_them_as_they_are_does_not() {
    let app = TestApp::new().await;
    let lekar = app.lekar().await;
    lekar.post("/api/patients", person()).await.assert_status(201);
    let mut other = another();
    other["ime"] = json!("Milorad");
    other["potvrde"] = json!(["jmbgNeslaganje"]);
    let id = lekar.post("/api/patients", other).await.assert_status(201).json()["id"].as_i64().unwrap();
    let path = format!("/api/patients/{id}");
    let asks = async |change: Value| refusal(lekar.patch(&path, change).await.assert_status(422))["potvrde"][0]["oznaka"].clone();
    assert_eq!(asks(json!({ "ime": "Živanna" })).await, json!("slicanPacijent"));
    assert_eq!(lekar.get(&path).await.json()["ime"], "Milorad", "a question undoes what was written");
    let looked = "select count(*) from audit_log where akcija = 'pregled spiska sličnih'";
    assert_eq!(sqlx::query_scalar::<_, i64>(looked).fetch_one(&app.db.owner).await.unwrap(), 1);
    lekar.patch(&path, json!({ "ime": "Živanna", "potvrde": ["slicanPacijent"] })).await.assert_status(200);
    // They were alike before, and somebody has said that they are two.
    lekar.patch(&path, json!({ "ime": "Živana", "adresa": "Nova 2" })).await.assert_status(200);

    lekar.patch(&path, json!({ "aktivan": false })).await.assert_status(200);
    assert_eq!(asks(json!({ "aktivan": true })).await, json!("slicanPacijent"));
    lekar.get(&path).await.assert_status(404);
    lekar.patch(&path, json!({ "aktivan": true, "potvrde": ["slicanPacijent"] })).await.assert_status(200);
    lekar.get(&path).await.assert_status(200);
}

#[tokio::test]
async fn of_many_looks_the_last_hundred_are_listed_and_all_are_counted() {
    let app = TestApp::new().await;
    let lekar = app.lekar().await;
    let id = lekar.post("/api/patients", person()).await.json()["id"].as_i64().unwrap();
    sqlx::query(
        "insert into audit_log (radnik_id, klasa, akcija, red_id, pacijent_id) select $1, 'patient', 'pregled', $2::text, $2 from generate_series(1, 120)",
    )
    .bind(lekar.id)
    .bind(id)
    .execute(&app.db.owner)
    .await
    .unwrap();
    let views = lekar.get(&format!("/api/patients/{id}/views")).await.json();
    assert_eq!((views["data"].as_array().unwrap().len(), &views["total"]), (100, &json!(120)));
}

#[tokio::test]
async fn deleting_asks_for_a_right_and_registering_for_a_role() {
    let app = TestApp::new().await;
    let (lekar, sestra) = (app.lekar().await, app.sestra().await);
    let id = lekar.post("/api/patients", person()).await.json()["id"].as_i64().unwrap();
    let read = sestra.get(&format!("/api/patients/{id}")).await.json();
    assert_eq!((&read["pravoIzmene"], &read["pravoBrisanja"]), (&json!(true), &json!(false)));
    sestra.patch(&format!("/api/patients/{id}"), json!({ "aktivan": false })).await.assert_status(403);
    sestra.patch(&format!("/api/patients/{id}"), json!({ "adresa": "Nova 1" })).await.assert_status(200);
}

#[tokio::test]
async fn items_of_one_name_are_told_apart_by_their_panels() {
    let app = TestApp::new().await;
    let lekar = app.lekar().await;
    let register = app.register().await;
    let patient = app.patient(&register, "Ana", "Anić", app.ustanova, 1).await;
    let mut tx = db::begin(&app.db.owner, db::SYSTEM_WORKER).await.unwrap();
    for (code, panel) in [("broj", "Hod"), ("tekst", "Stisak")] {
        sqlx::query(
            "with kind as (insert into attribute_type (naziv, tip_vrednosti_atributa) values ($2, 8) returning id),
                  panel as (insert into form_field (tip_skupa_atributa_id, tip_atributa_id, naziv, redosled) select $3, id, $2, 50 from kind returning id)
             update form_field set naziv = 'Pomagalo', nadredjeni_atribut_u_tipu_skupa_id = (select id from panel) where id = $1",
        )
        .bind(register.fields[code])
        .bind(panel)
        .bind(register.form)
        .execute(&mut *tx)
        .await
        .unwrap();
    }
    tx.commit().await.unwrap();
    let entry = app.entry(&register, patient, app.ustanova, "2026-03-05", json!({ "broj": 1, "tekst": "a", "izbor": true })).await;
    let names = |list: Value, name: &str| -> Vec<String> {
        list["data"].as_array().unwrap().iter().map(|row| row[name].as_str().unwrap().to_owned()).collect()
    };
    let of_panels = |mut names: Vec<String>| {
        names.retain(|name| name == "izbor" || name.starts_with("Pomagalo"));
        names
    };
    let told = ["izbor", "Pomagalo (Hod)", "Pomagalo (Stisak)"];
    assert_eq!(of_panels(names(lekar.get(&format!("/api/entries/{entry}/items")).await.json(), "naziv")), told);
    let asked = format!("{},{}", register.field("tekst"), register.field("izbor"));
    let rows = names(lekar.get(&format!("/api/entries/{entry}/archive?nizAutsID={asked}")).await.json(), "nazivAtributa");
    assert_eq!(rows, ["izbor", "Pomagalo (Stisak)"]);
    let latest = lekar.get(&format!("/api/patients/{patient}/latest-entries?registarID={}", register.id)).await.json();
    assert_eq!(of_panels(names(json!({ "data": latest["data"][0]["autsi"] }), "naziv")), told);
    let setup = lekar.get(&format!("/api/registers/{}/search-setup", register.id)).await.json();
    assert_eq!(of_panels(names(json!({ "data": setup["polja"] }), "naziv")), told);
}

#[tokio::test]
async fn a_patient_names_the_registers_he_is_in_the_one_of_the_newest_entry_first() {
    let app = TestApp::new().await;
    let lekar = app.lekar().await;
    let registered = app.register().await;
    let patient = app.patient(&registered, "Ana", "Anić", app.ustanova, 1).await;
    let mut registers = vec![registered];
    for (name, date) in [("Stariji", "2025-03-05"), ("Noviji", "2026-03-05")] {
        let mut tx = db::begin(&app.db.owner, db::SYSTEM_WORKER).await.unwrap();
        let rename = "update register set naziv = $1 where id = $2";
        sqlx::query(rename).bind(format!("Pre: {name}")).bind(registers.last().unwrap().id).execute(&mut *tx).await.unwrap();
        tx.commit().await.unwrap();
        let register = app.register().await;
        app.entry(&register, patient, app.ustanova, date, json!({ "broj": 1 })).await;
        registers.push(register);
    }
    let [registered, older, newer] = [0, 1, 2].map(|number| registers[number].id);
    let read = lekar.get(&format!("/api/patients/{patient}")).await.json();
    let of = |id: i64, entries: i32| json!({ "id": id, "brojUnosa": entries, "status": "aktivan", "statusDan": null });
    assert_eq!(read["registri"], json!([of(newer, 1), of(older, 1), of(registered, 0)]));
}
