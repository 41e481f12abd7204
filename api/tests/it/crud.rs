//! The contract of every resource, and what each of them adds to it.

use accounts::rights::Right;
use domain::time::server_text;
use jiff::Timestamp;
use serde_json::{Map, Value, json};

use crate::support::{Anonymous, TestApp, keys};

/// What holds for records that are listed, made, changed and deleted alike.
pub struct Contract {
    /// What must be there first.
    pub setup: &'static [&'static str],
    /// `/api/{name}`
    pub name: &'static str,
    /// The table, as the log names it.
    pub klasa: &'static str,
    pub right: Right,
    /// Whether workers without the right may read.
    pub everyone_reads: bool,
    /// The required fields in the order of their messages, each with a good value.
    pub required: Vec<(&'static str, &'static str, Value)>,
    /// A field that may be changed, and what to.
    pub change: (&'static str, Value),
    /// Names of its fields, sorted.
    pub record: &'static str,
    pub deleted_for_good: bool,
    /// Made by those only who reach every institution.
    pub everywhere: bool,
}

impl Contract {
    /// What most records are: closed to those without the right, deleted softly, made without others.
    pub fn of(name: &'static str, klasa: &'static str, right: Right) -> Self {
        let (required, change) = (Vec::new(), ("", Value::Null));
        Self {
            setup: &[],
            name,
            klasa,
            right,
            everyone_reads: false,
            required,
            change,
            record: "",
            deleted_for_good: false,
            everywhere: false,
        }
    }
}

pub async fn crud_contract(contract: Contract) {
    let Contract { setup, name, klasa, right, everyone_reads, required, change, record, deleted_for_good, everywhere } = contract;
    let app = TestApp::new().await;
    app.lay_out(setup).await;
    let writer = app.worker("pisar", &[right], app.ustanova).await;
    if everywhere {
        app.lay_out(&["update role set sve_ustanove = true where ime = 'Uloga radnika pisar'"]).await;
    }
    let others: Vec<Right> = Right::ALL.into_iter().filter(|other| *other != right).collect();
    let reader = app.worker("citalac", &others, app.ustanova).await;
    let list = format!("/api/{name}");

    // The first thing that is missing is named, and only it.
    let mut body = Map::new();
    for (field, message, value) in required {
        writer.post(&list, Value::Object(body.clone())).await.assert_error(422, Some(field), message);
        body.insert(field.to_owned(), value);
    }
    let created = writer.post(&list, Value::Object(body.clone())).await;
    created.assert_status(201);
    let created = created.json();
    assert_eq!(keys(&created).join(" "), record, "{name}");
    let id = created["id"].as_i64().expect("an id");
    let one = format!("{list}/{id}");
    assert_eq!(writer.get(&one).await.json(), created);
    for (field, value) in &body {
        assert_eq!(&created[field], value, "{field}");
    }

    // Listed, found by a part of a text, and counted.
    let part = body.values().find_map(Value::as_str).expect("a text field").to_uppercase();
    let listed = writer.get(&format!("{list}?page=0&size=50000000&aktivan=true")).await.json();
    assert!(listed["data"].as_array().expect("a list").contains(&created), "{name} is listed");
    let found = writer.get(&format!("{list}?filter={}", url_encoded(&part))).await.json();
    assert_eq!((&found["data"], &found["total"]), (&json!([created]), &json!(1)), "{name} by {part}");
    assert_eq!(writer.get(&format!("{list}?filter=nema-ga-nigde")).await.json(), json!({ "data": [], "total": 0 }));

    // Sorted and narrowed down by all that its description names: the statement is put together when it is asked.
    for query in queries_of(&list) {
        writer.get(&format!("{list}?{query}")).await.assert_status(200);
    }

    // Changed in one field; the others stay; PUT is the same.
    let (field, value) = change;
    let mut expected = created.clone();
    expected[field] = value.clone();
    expected["verzija"] = json!(created["verzija"].as_i64().expect("a version") + 1);
    assert_eq!(writer.patch(&one, json!({ field: value })).await.json(), expected, "{name}");
    assert_eq!(writer.put(&one, expected.clone()).await.json()[field], value);
    let stale = writer.patch(&one, json!({ field: value, "verzija": 0 })).await;
    let stale = stale.refusal(409);
    assert_eq!(stale["message"], "Podatak je u međuvremenu izmenjen. Učitajte ga ponovo.");
    assert_eq!(stale["izmena"]["radnik"], "Test Pisar", "{name} says who has changed it");
    assert!(stale["izmena"]["vreme"].is_string());

    // Closed without the right, before anything is said about the body.
    let reading = if everyone_reads { 200 } else { 403 };
    reader.get(&list).await.assert_status(reading);
    reader.get(&one).await.assert_status(reading);
    for (method, path) in [("POST", &list), ("PATCH", &one), ("PUT", &one), ("DELETE", &one)] {
        reader.call(method, path, Some(json!({}))).await.assert_error(403, None, "Nemate pravo na ovu radnju.");
    }

    // Deleted: gone from the list, not to be changed any more.
    let (mut begun, mut ended) = (String::new(), String::new());
    if deleted_for_good {
        writer.delete(&one).await.assert_status(204);
        writer.get(&one).await.assert_status(404);
    } else {
        begun = server_text(Timestamp::now());
        let deleted = writer.patch(&one, json!({ "aktivan": false })).await.json();
        ended = server_text(Timestamp::now());
        assert_eq!(deleted["aktivan"], false);
        let gone = writer.get(&format!("{list}?aktivan=false")).await.json();
        assert!(gone["data"].as_array().expect("a list").contains(&deleted), "{name} is listed among the deleted");
    }
    let left = writer.get(&format!("{list}?filter={}", url_encoded(&part))).await.json();
    assert_eq!(left["total"], 0, "deleted {name} disappears from the list");
    for (method, path) in [("PATCH", &one), ("DELETE", &one)] {
        writer.call(method, path, Some(json!({ field: value }))).await.assert_error(404, None, "Traženi podatak ne postoji.");
    }

    // Brought back by who may delete, and by nothing that says more than that; listed with who deleted it.
    let mut deeds = vec!["kreiranje", "izmena", "brisanje"];
    if !deleted_for_good {
        let gone = writer.get(&format!("{list}?aktivan=false&filter={}", url_encoded(&part))).await.json();
        assert_eq!(gone["brisanja"][0]["radnik"], "Test Pisar", "{name} {gone}");
        let when = gone["brisanja"][0]["vreme"].as_str().expect("a time");
        assert!((begun.as_str()..=ended.as_str()).contains(&when), "{name} was deleted at {when}, not from {begun} to {ended}");
        reader.patch(&one, json!({ "aktivan": true })).await.assert_status(403);
        writer.patch(&one, json!({ "aktivan": true, "verzija": 0 })).await.assert_status(409);
        writer.patch(&one, json!({ "aktivan": true, field: value })).await.assert_status(404);
        let back = writer.patch(&one, json!({ "aktivan": true })).await.json();
        assert_eq!((&back["aktivan"], &back["id"]), (&json!(true), &json!(id)), "{name}");
        assert_eq!(writer.get(&list).await.json()["brisanja"], Value::Null);
        assert_eq!(writer.get(&one).await.json(), back);
        deeds.push("izmena");
    }

    // Everything is in the log under the writer's name.
    let log: Vec<String> = app
        .log(klasa)
        .await
        .into_iter()
        .filter(|line| line.red_id.as_deref() == Some(id.to_string().as_str()) && line.radnik_id == Some(writer.id))
        .map(|line| line.akcija)
        .collect();
    assert_eq!(log, deeds, "{name}");
}

/// Each column of a list in both orders and as a filter, and the record that the list is narrowed down to.
fn queries_of(list: &str) -> Vec<String> {
    let document = serde_json::to_value(api::openapi()).expect("plain data");
    let parameters = document["paths"][list]["get"]["parameters"].as_array().expect("parameters");
    let mut queries = Vec::new();
    for parameter in parameters {
        let name = parameter["name"].as_str().expect("a name");
        if let Some(column) = name.strip_prefix("filter.") {
            let schema = &parameter["schema"];
            let value = schema["enum"][0].as_str().unwrap_or(if schema["type"] == "boolean" { "true" } else { "a" });
            queries.extend([format!("sort={column}"), format!("sort=-{column}"), format!("{name}={value}")]);
        } else if !["page", "size", "sort", "filter", "aktivan"].contains(&name) {
            queries.push(format!("{name}=1"));
        }
    }
    queries
}

fn url_encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

#[tokio::test]
async fn parameters_keep_the_contract() {
    crud_contract(Contract {
        required: vec![("naziv", "Niste uneli naziv.", json!("noviParametar")), ("vrednost", "Niste uneli vrednost.", json!("7"))],
        change: ("opis", json!("Čemu služi")),
        record: "aktivan id naziv opis verzija vrednost",
        ..Contract::of("parameters", "parameter", Right::Parameters)
    })
    .await;
}

#[tokio::test]
async fn institutions_keep_the_contract() {
    crud_contract(Contract {
        everyone_reads: true,
        required: vec![("naziv", "Niste uneli naziv.", json!("Dečja klinika"))],
        change: ("telefon", json!("011/123456")),
        record: "administrira adresa aktivan id menja naziv sifra telefon username verzija",
        everywhere: true,
        ..Contract::of("institutions", "institution", Right::Institutions)
    })
    .await;
}

#[tokio::test]
async fn sponsors_keep_the_contract() {
    crud_contract(Contract {
        everyone_reads: true,
        required: vec![
            ("name", "Niste uneli naziv.", json!("Fondacija Šanac")),
            ("code", "Niste uneli šifru.", json!("fs-1")),
            ("displayOrder", "Niste uneli prikazni redosled.", json!(3)),
        ],
        change: ("websiteUrl", json!("https://primer.rs")),
        record: "address code description displayOrder id logo name note phone verzija websiteUrl",
        deleted_for_good: true,
        ..Contract::of("sponsors", "sponsor", Right::Registers)
    })
    .await;
}

#[tokio::test]
async fn registers_keep_the_contract() {
    crud_contract(Contract {
        everyone_reads: true,
        required: vec![("naziv", "Niste uneli naziv.", json!("Neurologija"))],
        change: ("brojRezultataUPretrazi", json!(1000)),
        record: "aktivan brojRezultataUPretrazi id logoPutanja naziv nazivPodrazumevaniUnos nazivPrviUnos opis \
                 podrazumevaniTipHijerarhijeAtributaID prikazTekucihUnosaKodPretrage pristanakIstrazivanje pristanakKontakt pristanakRazmena \
                 pristanakRegistar prviTipHijerarhijeAtributaID sifra uzrociStatusa verzija",
        ..Contract::of("registers", "register", Right::Registers)
    })
    .await;
}

#[tokio::test]
async fn saving_a_known_parameter_by_name_changes_it() {
    let app = TestApp::new().await;
    let admin = app.admin().await;
    let before = admin.get("/api/parameters?filter=kriterijumPol").await.json();
    let saved = admin.post("/api/parameters", json!({ "naziv": "kriterijumPol", "vrednost": "false" })).await.json();
    assert_eq!(saved["id"], before["data"][0]["id"]);
    assert_eq!(saved["opis"], before["data"][0]["opis"], "what is not sent stays");
    let after = admin.get("/api/parameters?filter=kriterijumPol").await.json();
    assert_eq!((&after["total"], &after["data"][0]["vrednost"]), (&json!(1), &json!("false")));
}

#[tokio::test]
async fn the_number_of_results_takes_the_choices_of_the_specification_only() {
    let app = TestApp::new().await;
    let admin = app.admin().await;
    for vrednost in ["50", "100", "200", "1000", "-1"] {
        admin.post("/api/parameters", json!({ "naziv": "brojRezultataUPretrazi", "vrednost": vrednost })).await.assert_status(201);
    }
    let refused = admin.post("/api/parameters", json!({ "naziv": "brojRezultataUPretrazi", "vrednost": "7" })).await;
    refused.assert_error(422, Some("vrednost"), "Broj rezultata može biti 50, 100, 200, 1000 ili -1 (svi).");
}

#[tokio::test]
async fn a_register_without_a_number_of_results_follows_the_parameter_however_often_it_is_saved() {
    let app = TestApp::new().await;
    let admin = app.admin().await;
    let mut register = admin.post("/api/registers", json!({ "naziv": "Neurologija" })).await.assert_status(201).json();
    let path = format!("/api/registers/{}", register["id"]);
    let usual = async |count: &str| {
        admin.post("/api/parameters", json!({ "naziv": "brojRezultataUPretrazi", "vrednost": count })).await.assert_status(201);
        admin.get(&format!("{path}/search-setup")).await.json()["brojRezultataUPretrazi"].clone()
    };
    assert_eq!(usual("200").await, json!(200));
    for count in [1000, 50] {
        register = admin.patch(&path, register).await.assert_status(200).json();
        assert_eq!(register["brojRezultataUPretrazi"], json!(null));
        assert_eq!(usual(&count.to_string()).await, json!(count));
    }
    register["brojRezultataUPretrazi"] = json!(100);
    let mut own = admin.patch(&path, register).await.assert_status(200).json();
    assert_eq!(usual("1000").await, json!(100), "its own number, whatever the parameter");
    own["brojRezultataUPretrazi"] = json!(null);
    admin.patch(&path, own).await.assert_status(200);
    assert_eq!(usual("1000").await, json!(1000));
}

#[tokio::test]
async fn two_institutions_of_one_name_are_refused_whatever_the_letters() {
    let app = TestApp::new().await;
    let admin = app.admin().await;
    admin.post("/api/institutions", json!({ "naziv": "Klinika Čačak" })).await.assert_status(201);
    let twin = admin.post("/api/institutions", json!({ "naziv": "KLINIKA CACAK" })).await;
    twin.assert_error(409, Some("naziv"), "Ustanova sa tim nazivom već postoji.");
}

#[tokio::test]
async fn an_institutions_credentials_are_shown_to_its_administrators_only_and_the_password_to_nobody() {
    let app = TestApp::new().await;
    let (admin, sestra) = (app.admin().await, app.sestra().await);
    let made = admin.post("/api/institutions", json!({ "naziv": "Dom", "username": "servis", "password": "tajna" })).await.json();
    assert_eq!(made["username"], "servis");
    let one = format!("/api/institutions/{}", made["id"]);
    assert_eq!(sestra.get(&one).await.json()["username"], json!(null));
    assert!(!admin.get(&one).await.text().contains("tajna"));
    admin.patch(&one, json!({ "telefon": "1" })).await.assert_status(200);
    let hash: String =
        sqlx::query_scalar("select password_hash from institution where naziv = 'Dom'").fetch_one(&app.db.owner).await.expect("a hash");
    assert!(hash.starts_with("$argon2id$"), "a change that does not send a password keeps it");
}

#[tokio::test]
async fn an_institution_with_workers_is_not_deleted() {
    let app = TestApp::new().await;
    let admin = app.admin().await;
    let refused = admin.delete(&format!("/api/institutions/{}", app.ustanova)).await;
    refused.assert_status(409);
    assert!(refused.text().contains("u ustanovi radi radnik „Test Admin”"), "{}", refused.text());
    admin.delete(&format!("/api/institutions/{}", app.druga_ustanova)).await.assert_status(204);
}

#[tokio::test]
async fn a_sponsor_is_public_and_its_logo_is_a_picture() {
    let app = TestApp::new().await;
    let admin = app.admin().await;
    let sponsor = |code: &str, order: i32, logo: &str| json!({ "name": code, "code": code, "displayOrder": order, "logo": logo });
    admin
        .post(
            "/api/sponsors",
            sponsor("drugi", 2, "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="),
        )
        .await
        .assert_status(201);
    admin
        .post("/api/sponsors", sponsor("prvi", 1, "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAICRAEAOw=="))
        .await
        .assert_status(201);
    admin.post("/api/sponsors", sponsor("deseti", 10, "")).await.assert_status(201);
    let refused = admin.post("/api/sponsors", sponsor("treći", 3, "PHN2Zz48L3N2Zz4=")).await;
    refused.assert_error(422, Some("logo"), "Dozvoljene su samo slike.");
    let bad_site = admin.patch("/api/sponsors/1", json!({ "websiteUrl": "javascript:alert(1)" })).await;
    bad_site.assert_error(422, Some("websiteUrl"), "Adresa sajta mora početi sa http:// ili https://.");

    let secrets = "update sponsor set note = 'ugovor', phone = '011', address = 'Ulica', description = 'opis'";
    app.lay_out(&[secrets]).await;
    let shown = async |caller: &Anonymous| caller.get("/api/sponsors").await.json()["data"][0].clone();
    let sestra = app.sestra().await;
    let worker = app.another_session(&sestra).await;
    for field in ["note", "phone", "address", "description"] {
        assert_eq!(shown(&app.anonymous()).await[field], json!(null), "{field} is nobody's outside");
        assert_ne!(shown(&worker).await[field], json!(null), "{field} is there for workers");
    }
    assert_eq!(app.anonymous().get("/api/sponsors?filter=opis").await.json()["total"], 0);
    let listed = app.anonymous().get("/api/sponsors").await.json();
    let names: Vec<&str> = listed["data"].as_array().expect("a list").iter().map(|s| s["name"].as_str().expect("a name")).collect();
    assert_eq!(names, ["prvi", "drugi", "deseti"], "in their display order, as numbers");
}

#[tokio::test]
async fn lists_are_paged_and_sorted_both_ways_with_the_total_of_all_pages() {
    let app = TestApp::new().await;
    let admin = app.admin().await;
    for naziv in ["Žitište", "Čačak", "Cetinje", "Ćuprija", "Zemun"] {
        admin.post("/api/institutions", json!({ "naziv": format!("Dom {naziv}") })).await.assert_status(201);
    }
    let names = |answer: Value| -> Vec<String> {
        answer["data"].as_array().expect("a list").iter().map(|r| r["naziv"].as_str().expect("a name").replace("Dom ", "")).collect()
    };
    let page = |page: u32, sort: &str| format!("/api/institutions?filter=dom&page={page}&size=2&sort={sort}");
    let first = admin.get(&page(0, "naziv")).await.json();
    assert_eq!(first["total"], 5);
    let beyond = admin.get(&page(9, "naziv")).await.json();
    assert_eq!(beyond, json!({ "data": [], "total": 5 }), "behind the last page the total is still told");

    let up = names(admin.get("/api/institutions?filter=dom&sort=naziv").await.json());
    let mut down = names(admin.get("/api/institutions?filter=dom&sort=-naziv").await.json());
    down.reverse();
    assert_eq!(up, down);
    let mut pages = names(first);
    pages.extend(names(admin.get(&page(1, "naziv")).await.json()));
    pages.extend(names(admin.get(&page(2, "naziv")).await.json()));
    assert_eq!(pages, up);
    admin.get("/api/institutions?sort=passwordHash").await.assert_error(422, Some("sort"), "Po ovoj koloni se ne može sortirati.");
    admin.get("/api/institutions?page=x").await.assert_error(422, Some("page"), "Parametar „page” nije ispravan.");
}

#[tokio::test]
async fn a_body_that_is_no_json_and_a_sign_that_no_text_holds_are_refused() {
    let app = TestApp::new().await;
    let admin = app.admin().await;
    admin.post("/api/institutions", json!("tekst")).await.assert_error(422, None, "Poslati podaci nisu ispravni.");
    admin.post("/api/institutions", json!({ "naziv": "a\u{0}b" })).await.assert_error(422, None, "Tekst sadrži nedozvoljen znak.");
    admin.post("/api/institutions", json!({ "naziv": ["a"] })).await.assert_error(
        422,
        Some("naziv"),
        "Vrednost polja „naziv” nije ispravna.",
    );
}

#[tokio::test]
async fn a_new_worker_gets_a_password_and_the_membership_of_the_institution() {
    let app = TestApp::new().await;
    let admin = app.admin().await;
    let mut body = Map::new();
    let steps = [
        ("username", "Niste uneli korisničko ime.", json!("nova")),
        ("ime", "Niste uneli ime.", json!("Nova")),
        ("prezime", "Niste uneli prezime.", json!("Sestra")),
        ("password", "Niste uneli šifru.", json!("tanjir-kiša-olovka")),
    ];
    for (field, message, value) in steps {
        admin.post("/api/workers", Value::Object(body.clone())).await.assert_error(422, Some(field), message);
        body.insert(field.to_owned(), value);
    }
    body.insert("ustanovaID".to_owned(), json!(app.druga_ustanova));
    let made = admin.post("/api/workers", Value::Object(body.clone())).await;
    made.assert_status(201);
    assert!(!made.text().contains("tanjir"));
    let made = made.json();
    let institutions = admin.get(&format!("/api/institutions?radnik={}", made["id"])).await.json();
    assert_eq!(institutions["data"][0]["id"], json!(app.druga_ustanova));
    app.anonymous().post("/api/login", json!({ "username": "nova", "password": "tanjir-kiša-olovka" })).await.assert_status(200);

    let twin = admin.post("/api/workers", Value::Object(body)).await;
    twin.assert_error(409, Some("username"), "Radnik sa tim korisničkim imenom već postoji.");
    app.sestra().await.post("/api/workers", json!({})).await.assert_error(403, None, "Nemate pravo na ovu radnju.");
}

#[tokio::test]
async fn workers_are_listed_with_their_institution_and_without_the_system() {
    let app = TestApp::new().await;
    let admin = app.admin().await;
    app.worker("cveta", &[], app.druga_ustanova).await;
    let found = admin.get("/api/workers?filter=klinika%20b").await.json();
    assert_eq!((&found["total"], &found["data"][0]["username"]), (&json!(1), &json!("cveta")));
    let members = admin.get(&format!("/api/workers?ustanova={}", app.ustanova)).await.json();
    assert_eq!((&members["total"], &members["data"][0]["username"]), (&json!(1), &json!("admin")));
    assert_eq!(admin.get("/api/workers?aktivan=false").await.json()["total"], 0);
    app.lekar().await.get("/api/workers").await.assert_error(403, None, "Nemate pravo na ovu radnju.");
}
