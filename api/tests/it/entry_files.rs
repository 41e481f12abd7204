//! Files of an entry: sent, judged by what is in them, taken by a save, joined, told of, found, given out, and gone.

use std::{
    fs,
    io::{self, Read},
};

use accounts::rights::Right;
use api::backup::{self, Places};
use axum::body::{Body, Bytes};
use base64::{Engine, prelude::BASE64_STANDARD};
use domain::testing::{self, S3Server};
use futures::stream;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{Answer, Person, TestApp, TestRegister, Worker};

const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

struct Case {
    app: TestApp,
    register: TestRegister,
    doctor: Worker,
    colleague: Worker,
    stranger: Worker,
    designer: Worker,
    person: Person,
    field: String,
}

fn png() -> Vec<u8> {
    BASE64_STANDARD.decode(PNG).unwrap()
}

/// A whole PDF; `text` makes one differ from another.
fn pdf(text: &str) -> Vec<u8> {
    let body = format!("%PDF-1.4\n% {text}\n1 0 obj\n<<>>\nendobj\n");
    format!("{body}xref\n0 1\ntrailer\n<<>>\nstartxref\n{}\n%%EOF\n", body.len()).into_bytes()
}

impl Case {
    /// The field as a designer makes it: up to two PDFs or PNG pictures.
    async fn new() -> Self {
        let app = TestApp::new().await;
        let register = app.register().await;
        app.lay_out(&["update form_field set opcioni = true"]).await;
        let doctor = app.worker("doktor", &[Right::Reports, Right::Anonymisation, Right::Log], app.ustanova).await;
        let colleague = app.worker("kolega", &[Right::Reports], app.ustanova).await;
        let stranger = app.worker("drugde", &[Right::Reports], app.druga_ustanova).await;
        let designer = app.worker("urednik", &[Right::Registers, Right::Parameters], app.ustanova).await;
        let person = app.person(&register, app.ustanova, 4321).await;
        let mut case = Self { app, register, doctor, colleague, stranger, designer, person, field: String::new() };
        let kind = json!({ "naziv": "Nalazi", "tipVrednostiAtributa": 13, "vrsteFajlova": ["pdf", "png"], "najviseFajlova": 2 });
        let kind = case.designer.post("/api/attribute-types", kind).await.json()["id"].clone();
        let made = case.make("nalaz", &kind, json!({ "naziv": "Nalaz", "pretrazujeSe": true })).await;
        case.field = made.json()["id"].to_string();
        case
    }

    async fn make(&self, code: &str, kind: &Value, properties: Value) -> Answer {
        let mut body = json!({ "tipSkupaAtributaID": self.register.form, "tipAtributaID": kind, "sifra": code, "redosled": 100 });
        crate::reports::merge(&mut body, properties);
        self.designer.post("/api/form-fields", body).await
    }

    fn address(&self, name: &str) -> String {
        format!("/api/entry-files?pacijentID={}&tsaID={}&poljeID={}&naziv={name}", self.person.id, self.register.form, self.field)
    }

    async fn send(&self, worker: &Worker, name: &str, content: Vec<u8>) -> Value {
        worker.upload(&self.address(name), content).await.assert_status(201).json()
    }

    fn body(&self, worker: &Worker, files: &[&Value]) -> Value {
        json!({
            "tsaID": self.register.form, "registarID": self.register.id, "pacijentID": self.person.id, "vrednosti": { &self.field: files },
            "radnikOdgovoran": worker.id, "datumUnosa": "2026-01-05", "kljuc": Uuid::now_v7(),
        })
    }

    async fn save(&self, worker: &Worker, files: &[&Value]) -> Answer {
        worker.post("/api/entry-values", self.body(worker, files)).await
    }

    /// An edit of what was loaded.
    async fn edit(&self, worker: &Worker, loaded: &Value, files: &[&Value]) -> Answer {
        worker.post("/api/entry-values", self.edited(worker, loaded, files)).await
    }

    fn edited(&self, worker: &Worker, loaded: &Value, files: &[&Value]) -> Value {
        let mut body = self.body(worker, files);
        let mut edited = loaded["vrednosti"].clone();
        edited[&self.field] = body["vrednosti"][&self.field].clone();
        crate::reports::merge(
            &mut body,
            json!({ "unosID": loaded["snimljenUnosID"], "verzija": loaded["verzija"], "osnova": loaded["vrednosti"], "vrednosti": edited,
                    "radnikOdgovoran": loaded["radnikOdgovoran"], "osnovaDatumUnosa": "2026-01-05",
                    "osnovaRadnikOdgovoran": loaded["radnikOdgovoran"] }),
        );
        body
    }

    fn names(&self, saved: &Value) -> Vec<String> {
        let files = saved["vrednosti"][&self.field].as_array().cloned().unwrap_or_default();
        files.iter().map(|file| file["naziv"].as_str().unwrap().to_owned()).collect()
    }

    async fn read(&self, worker: &Worker, file: &Value) -> Answer {
        worker.get(&format!("/api/entry-files/{}?prikaz=true", file["id"])).await
    }

    async fn refused(&self, name: &str, content: Vec<u8>, message: &str) {
        self.doctor.upload(&self.address(name), content).await.assert_error(422, Some(&self.field), message);
    }

    async fn count(&self, query: &'static str) -> i64 {
        sqlx::query_scalar(query).fetch_one(&self.app.db.owner).await.unwrap()
    }

    async fn path(&self, file: &Value) -> std::path::PathBuf {
        let path: String = sqlx::query_scalar("select putanja from entry_file where id = $1")
            .bind(file["id"].as_i64().unwrap())
            .fetch_one(&self.app.db.owner)
            .await
            .unwrap();
        self.app.artifact_dir().join(path)
    }
}

#[tokio::test]
async fn a_file_is_sent_saved_and_opened_by_whoever_may_open_the_entry() {
    let case = Case::new().await;
    let file = case.send(&case.doctor, "..%2Fnalaz%20%C5%A1.PDF", pdf("prvi")).await;
    assert_eq!((&file["naziv"], &file["tip"]), (&json!("nalaz š.PDF"), &json!("pdf")));
    case.read(&case.doctor, &file).await.assert_status(200);
    case.read(&case.colleague, &file).await.assert_status(404);
    let saved = case.save(&case.doctor, &[&json!({ "id": file["id"], "naziv": "lažno.exe", "velicina": 1 })]).await.json();
    assert_eq!(saved["vrednosti"][&case.field], json!([file]), "what is known of it, not what was sent");

    let answer = case.read(&case.colleague, &file).await;
    assert_eq!(answer.assert_status(200).bytes, pdf("prvi"));
    let header = |name: &str| answer.header(name).unwrap_or_default().to_owned();
    assert_eq!(header("content-type"), "application/pdf");
    assert_eq!(header("content-security-policy"), "sandbox; default-src 'none'");
    assert_eq!((header("x-content-type-options"), header("cache-control")), ("nosniff".into(), "private, no-store".into()));
    assert!(header("content-disposition").starts_with("inline; filename=\"nalaz-s.pdf\""), "{}", header("content-disposition"));
    let attached = case.colleague.get(&format!("/api/entry-files/{}", file["id"])).await;
    assert!(attached.header("content-disposition").unwrap().starts_with("attachment"));
    let looks = case.app.log("entry").await;
    let seen = |look: &&crate::support::Logged| look.akcija == "pregled fajla" && look.radnik_id == Some(case.colleague.id);
    assert_eq!(looks.iter().filter(seen).count(), 2);

    let (hidden, missing) = (case.read(&case.stranger, &file).await, case.stranger.get("/api/entry-files/987654321").await);
    assert_eq!((hidden.status, hidden.text()), (404, missing.text()));
    case.stranger.upload(&case.address("a.pdf"), pdf("tuđ")).await.assert_status(404);
    case.app.anonymous().upload(&case.address("a.pdf"), pdf("ničiji")).await.assert_status(401);
}

#[tokio::test]
async fn a_small_picture_is_a_look_at_its_patient_and_no_opening_of_the_file() {
    let case = Case::new().await;
    let picture = case.send(&case.doctor, "a.png", png()).await;
    case.save(&case.doctor, &[&picture]).await.assert_status(200);
    let path = format!("/api/entry-files/{}?umanjeno=true", picture["id"]);
    let small = case.colleague.get(&path).await;
    assert_eq!(small.assert_status(200).header("content-type"), Some("image/jpeg"));
    assert!(small.bytes.starts_with(b"\xff\xd8\xff"));
    assert!(case.app.log("entry").await.iter().all(|look| look.akcija != "pregled fajla"));
    assert!(case.app.log("patient").await.iter().any(|look| look.radnik_id == Some(case.colleague.id)));
    case.stranger.get(&path).await.assert_status(404);
}

#[tokio::test]
async fn a_file_is_what_is_in_it_and_everything_else_is_refused_in_words() {
    let case = Case::new().await;
    let picture = case.send(&case.doctor, "nalaz.pdf", png()).await;
    assert_eq!((&picture["naziv"], &picture["tip"]), (&json!("nalaz.pdf.png"), &json!("png")));
    case.refused("a.pdf", b"MZ\x90\0\x03".to_vec(), "Nalaz: Fajl je program, a takvi se ne prilažu.").await;
    case.refused("a.pdf", b"<html><script>".to_vec(), "Nalaz: Fajl je veb-strana, SVG slika ili XML, a takvi se ne prilažu.").await;
    case.refused("a.png", b"<svg xmlns=''>".to_vec(), "Nalaz: Fajl je SVG slika, a takvi se ne prilažu.").await;
    case.refused("a.pdf", b"%PDF-1.4 samo naslov".to_vec(), "Nalaz: PDF je oštećen ili nije ceo.").await;
    case.refused("a.png", png()[..30].to_vec(), "Nalaz: Slika je oštećena ili je prevelika da se prikaže.").await;
    let code = pdf("x").into_iter().chain(b"\n".to_vec()).collect::<Vec<_>>();
    let code = String::from_utf8(code).unwrap().replace("<<>>\nendobj", "<</S/JavaScript/JS(app.alert(1))>>\nendobj");
    let moved = code.find("xref").unwrap();
    let code = code
        .replace(&format!("startxref\n{}", pdf("x").windows(4).position(|part| part == b"xref").unwrap()), &format!("startxref\n{moved}"));
    let said = "Nalaz: PDF sadrži program (JavaScript), a takvi se ne prilažu. Odštampajte ga kao običan PDF, pa priložite taj.";
    case.refused("a.pdf", code.into_bytes(), said).await;
    case.refused("a.txt", b"tekst".to_vec(), "Nalaz: Fajl je običan tekst, a polje prima: PDF, PNG slika.").await;
    case.refused("a.pdf", Vec::new(), "Nalaz: Fajl je prazan.").await;
    assert_eq!(case.count("select count(*) from entry_file").await, 1);
}

#[tokio::test]
async fn a_file_is_no_larger_than_the_installation_allows() {
    let case = Case::new().await;
    let parameter: i64 =
        sqlx::query_scalar("select id from parameter where naziv = 'fajlNajviseMegabajta'").fetch_one(&case.app.db.owner).await.unwrap();
    let address = format!("/api/parameters/{parameter}");
    let set = |value: &'static str| case.designer.patch(&address, json!({ "vrednost": value }));
    set("51").await.assert_error(422, Some("vrednost"), "Unesite ceo broj od 1 do 50.");
    set("1").await.assert_status(200);
    let mut large = pdf("veliki");
    large.resize(large.len() + (1 << 20), b'%');
    case.refused("a.pdf", large, "Nalaz: Fajl je veći od 1 MB, koliko je dozvoljeno.").await;
    assert!(fs::read_dir(case.app.artifact_dir().join("u-izradi")).unwrap().next().is_none(), "nothing is left of it");
}

#[tokio::test]
async fn what_was_cut_off_on_its_way_is_nothing() {
    let case = Case::new().await;
    let pieces = [Ok(Bytes::from(pdf("pola"))), Err(io::Error::new(io::ErrorKind::ConnectionReset, "the browser has gone"))];
    let body = Body::from_stream(stream::iter(pieces));
    case.doctor.upload(&case.address("a.pdf"), body).await.assert_error(422, None, "Slanje fajla je prekinuto. Pokušajte ponovo.");
    assert_eq!(case.count("select count(*) from entry_file").await, 0);
    assert!(fs::read_dir(case.app.artifact_dir().join("u-izradi")).unwrap().next().is_none());
}

#[tokio::test]
async fn a_save_takes_only_files_of_its_own_and_of_its_entry() {
    let case = Case::new().await;
    let theirs = case.send(&case.colleague, "njihov.pdf", pdf("njihov")).await;
    let gone = "Nalaz: fajl „njihov.pdf” više nije dostupan. Uklonite ga i priložite ponovo.";
    case.save(&case.doctor, &[&theirs]).await.assert_error(422, Some(&case.field), gone);
    let saved = case.save(&case.colleague, &[&theirs]).await.json();
    case.save(&case.colleague, &[&theirs]).await.assert_error(422, Some(&case.field), gone);
    let mine = case.send(&case.doctor, "moj.pdf", pdf("moj")).await;
    let without = case.edit(&case.doctor, &saved, &[&mine]).await.json();
    assert_eq!(case.names(&without), ["moj.pdf"]);
    let again = case.edit(&case.doctor, &without, &[&mine, &theirs]).await.json();
    assert_eq!(case.names(&again), ["moj.pdf", "njihov.pdf"], "a file that the entry had comes back");
    let third = case.send(&case.doctor, "treci.pdf", pdf("treći")).await;
    let too_many = "Stavka sa nazivom: Nalaz prima najviše fajlova: 2.";
    case.edit(&case.doctor, &again, &[&mine, &theirs, &third]).await.assert_error(422, Some(&case.field), too_many);
    case.edit(&case.doctor, &again, &[&mine, &mine]).await.assert_status(422);
    let kept = sqlx::query("update entry_file set naziv = 'x.pdf' where unos_id is not null").execute(&case.app.db.app).await;
    assert!(kept.is_err(), "the application changes no file of an entry");
    assert!(sqlx::query("delete from entry_file where unos_id is not null").execute(&case.app.db.app).await.is_err());
}

#[tokio::test]
async fn a_save_that_is_sent_twice_is_done_once() {
    let case = Case::new().await;
    let file = case.send(&case.doctor, "a.pdf", pdf("a")).await;
    let body = case.body(&case.doctor, &[&file]);
    let first = case.doctor.post("/api/entry-values", body.clone()).await.json();
    assert_eq!(case.doctor.post("/api/entry-values", body).await.json(), first);
}

#[tokio::test]
async fn files_of_two_people_are_joined_until_there_are_too_many() {
    let case = Case::new().await;
    let files = [case.send(&case.doctor, "prvi.pdf", pdf("1")).await, case.send(&case.doctor, "drugi.png", png()).await];
    let loaded = case.save(&case.doctor, &[&files[0]]).await.json();
    let theirs = case.send(&case.colleague, "treci.pdf", pdf("3")).await;
    case.edit(&case.colleague, &loaded, &[&theirs]).await.assert_status(200);
    let joined = case.edit(&case.doctor, &loaded, &[&files[0], &files[1]]).await.json();
    assert_eq!(case.names(&joined), ["treci.pdf", "drugi.png"], "one was taken out, two were added");

    let one = case.edit(&case.doctor, &joined, &[]).await.json();
    let (mine, more) = (case.send(&case.doctor, "a.pdf", pdf("a")).await, case.send(&case.colleague, "b.pdf", pdf("b")).await);
    let another = case.send(&case.colleague, "c.pdf", pdf("c")).await;
    case.edit(&case.colleague, &one, &[&more, &another]).await.assert_status(200);
    let clash = case.edit(&case.doctor, &one, &[&mine]).await.refusal(409);
    assert_eq!(clash["sukobi"][0]["moje"], json!([mine]));
    assert_eq!(clash["sukobi"][0]["njihovo"], json!([more, another]));
}

#[tokio::test]
async fn the_history_tells_of_files_and_opens_those_that_were_taken_out() {
    let case = Case::new().await;
    let first = case.send(&case.doctor, "prvi.pdf", pdf("1")).await;
    let saved = case.save(&case.doctor, &[&first]).await.json();
    let second = case.send(&case.doctor, "drugi.png", png()).await;
    case.edit(&case.doctor, &saved, &[&second]).await.assert_status(200);
    let path = format!("/api/entries/{}/archive?nizAutsID={}", saved["snimljenUnosID"], case.field);
    let archive = case.colleague.get(&path).await.json();
    let (old, size) = (pdf("1").len(), png().len());
    assert_eq!(
        archive["promene"][0]["redovi"],
        json!([format!("uklonjen fajl prvi.pdf ({old} B)"), format!("dodat fajl drugi.png ({size} B)")])
    );
    assert_eq!(archive["data"][1]["tekstVrednost"], format!("prvi.pdf ({old} B)"));
    assert_eq!(archive["data"][1]["fajlovi"], json!([first]));
    case.read(&case.colleague, &first).await.assert_status(200);
}

#[tokio::test]
async fn an_upload_that_no_save_took_goes_after_a_day_unless_a_draft_names_it() {
    let case = Case::new().await;
    let file = case.send(&case.doctor, "a.pdf", pdf("a")).await;
    let given_up = || async { sqlx::query_scalar::<_, i64>("select give_up_entry_files()").fetch_one(&case.app.db.app).await.unwrap() };
    assert_eq!(given_up().await, 0);
    case.app.lay_out(&["update entry_file set vreme = vreme - interval '25 hours'"]).await;
    let draft = json!({ "pacijentID": case.person.id, "sadrzaj": { "vrednosti": { &case.field: [file] } } });
    case.doctor.put("/api/entry-drafts/nov", draft).await.assert_status(204);
    assert_eq!(given_up().await, 0, "a draft keeps it");
    case.read(&case.doctor, &file).await.assert_status(200);
    case.doctor.delete("/api/entry-drafts/nov").await.assert_status(204);
    assert_eq!(given_up().await, 1);
    case.read(&case.doctor, &file).await.assert_status(404);
    case.save(&case.doctor, &[&file]).await.assert_status(422);
}

#[tokio::test]
async fn a_search_finds_entries_with_files_and_files_by_their_names() {
    let case = Case::new().await;
    let file = case.send(&case.doctor, "Magnetna%20rezonanca.pdf", pdf("a")).await;
    let found = async |operator: &str, value: &str| {
        let row = json!({ "poljeID": case.field.parse::<i64>().unwrap(), "operator": operator, "vrednost": value });
        let body = json!({ "registarID": case.register.id, "redPretrage": [row] });
        case.doctor.post("/api/search", body).await.assert_status(200).json()["unosi"].as_array().unwrap().len()
    };
    assert_eq!((found("popunjeno", "").await, found("nijePopunjeno", "").await), (0, 1));
    let saved = case.save(&case.doctor, &[&file]).await.json();
    assert_eq!((found("popunjeno", "").await, found("sadrzi", "rezonanc").await, found("sadrzi", "skener").await), (1, 1, 0));
    case.edit(&case.doctor, &saved, &[]).await.assert_status(200);
    assert_eq!(found("popunjeno", "").await, 0);
}

#[tokio::test]
async fn reports_read_kinds_and_sizes_and_names_only_where_texts_are_seen() {
    let case = Case::new().await;
    let file = case.send(&case.doctor, "Petrovic.pdf", pdf("a")).await;
    case.save(&case.doctor, &[&file]).await.assert_status(200);
    let report = async |ustanova: Option<i64>, identity: bool| -> Vec<(Option<String>, String, i64)> {
        let mut report = case.app.db.app.acquire().await.unwrap();
        sqlx::query("delete from report_scope where pid = pg_backend_pid()").execute(&mut *report).await.unwrap();
        sqlx::query("insert into report_scope (pid, radnik_id, ustanova_id, identitet) values (pg_backend_pid(), 1, $1, $2)")
            .bind(ustanova)
            .bind(identity)
            .execute(&mut *report)
            .await
            .unwrap();
        sqlx::query_as("select naziv, vrsta, velicina from report.fajl").fetch_all(&mut *report).await.unwrap()
    };
    let size = file["velicina"].as_i64().unwrap();
    assert_eq!(report(Some(case.app.ustanova), true).await, [(Some("Petrovic.pdf".to_owned()), "pdf".to_owned(), size)]);
    assert_eq!(report(Some(case.app.ustanova), false).await, [(None, "pdf".to_owned(), size)]);
    assert_eq!(report(None, false).await, [(None, "pdf".to_owned(), size)]);
    assert!(report(Some(case.app.druga_ustanova), true).await.is_empty());
}

#[tokio::test]
async fn files_of_an_anonymous_patient_are_gone_from_the_store_and_from_the_history() {
    let case = Case::new().await;
    let (old, new) = (case.send(&case.doctor, "zvrkokret.pdf", pdf("1")).await, case.send(&case.doctor, "zvrkokret.png", png()).await);
    let waiting = case.send(&case.doctor, "zvrkokret2.png", png()).await;
    let saved = case.save(&case.doctor, &[&old]).await.json();
    case.edit(&case.doctor, &saved, &[&new]).await.assert_status(200);
    let paths = [case.path(&old).await, case.path(&new).await, case.path(&waiting).await];
    assert!(paths.iter().all(|path| path.exists()));
    let preview = case.doctor.get(&format!("/api/patients/{}/anonymisation", case.person.id)).await.json();
    assert_eq!(preview["fajlova"], 3);
    let request = json!({ "razlog": "Zahtev po zakonu, broj 17", "potvrda": case.person.record["brojKartona"] });
    case.doctor.post(&format!("/api/patients/{}/anonymisation", case.person.id), request).await.assert_status(204);
    assert!(!paths.iter().any(|path| path.exists()), "the content of all of them");
    for file in [&old, &new, &waiting] {
        case.read(&case.doctor, file).await.assert_status(404);
    }
    for place in [
        "select count(*) from entry where vrednosti::text ~ 'zvrkokret'",
        "select count(*) from value_history where vrednost::text ~ 'zvrkokret'",
        "select count(*) from audit_log where polja::text ~ 'zvrkokret'",
        "select count(*) from value_text where vrednost_f ~ 'zvrkokret'",
        "select count(*) from entry_save where poslato::text ~ 'zvrkokret'",
        "select count(*) from entry_file where naziv ~ 'zvrkokret'",
    ] {
        assert_eq!(case.count(place).await, 0, "{place}");
    }
    case.doctor.upload(&case.address("a.pdf"), pdf("novi")).await.assert_status(403);
}

#[tokio::test]
async fn a_field_with_files_has_no_formula_no_first_value_and_stands_in_no_row() {
    let case = Case::new().await;
    let kind: i64 =
        sqlx::query_scalar("select tip_atributa_id from form_field where sifra = 'nalaz'").fetch_one(&case.app.db.owner).await.unwrap();
    let refused = async |properties: Value, field: &str| {
        let mut body = json!({ "naziv": "Drugi" });
        crate::reports::merge(&mut body, properties);
        assert_eq!(case.make("drugi", &json!(kind), body).await.refusal(422)["field"], field);
    };
    refused(json!({ "formulaZaRacunanje": "1" }), "formulaZaRacunanje").await;
    refused(json!({ "inicijalnoPoslednjaPopunjenaVrednost": true }), "naziv").await;
    let shown = json!({ "formulaZaPrikaz": "!isblank($(nalaz))" });
    let number: i64 =
        sqlx::query_scalar("select tip_atributa_id from form_field where sifra = 'broj'").fetch_one(&case.app.db.owner).await.unwrap();
    let mut body = json!({ "naziv": "Uslovljeno" });
    crate::reports::merge(&mut body, shown);
    let refusal = case.make("uslovljeno", &json!(number), body).await.refusal(422);
    assert!(refusal["message"].as_str().unwrap().contains("drži fajlove"), "{refusal}");
    let wrong = json!({ "naziv": "Loš", "tipVrednostiAtributa": 13, "vrsteFajlova": [], "najviseFajlova": 2 });
    assert_eq!(case.designer.post("/api/attribute-types", wrong).await.refusal(422)["field"], "vrsteFajlova");
}

#[tokio::test]
async fn files_that_were_there_before_narrower_limits_stay_and_new_ones_are_held_to_them() {
    let case = Case::new().await;
    let (old, picture) = (case.send(&case.doctor, "a.pdf", pdf("a")).await, case.send(&case.doctor, "a.png", png()).await);
    let fresh = [case.send(&case.doctor, "b.pdf", pdf("b")).await, case.send(&case.doctor, "b.png", png()).await];
    let saved = case.save(&case.doctor, &[&old, &picture]).await.json();
    let kind: i64 =
        sqlx::query_scalar("select tip_atributa_id from form_field where sifra = 'nalaz'").fetch_one(&case.app.db.owner).await.unwrap();

    let path = format!("/api/forms/{}/draft", case.register.form);
    let mut draft = case.designer.post(&path, json!({})).await.assert_status(201).json();
    let types = draft["dokument"]["tipovi"].as_array_mut().unwrap();
    let narrowed = types.iter_mut().find(|known| known["id"] == kind).unwrap();
    crate::reports::merge(narrowed, json!({ "vrsteFajlova": ["pdf"], "najviseFajlova": 1 }));
    let body = json!({ "verzija": draft["verzija"], "dokument": draft["dokument"] });
    case.designer.put(&path, body).await.assert_status(200);
    let impact = case.designer.get(&format!("{path}/impact")).await.assert_status(200).json();
    assert_eq!(impact["fajlovi"], json!([{ "unos": saved["snimljenUnosID"], "polje": "Nalaz" }]));
    let live = json!({ "vrsteFajlova": ["pdf"], "najviseFajlova": 1 });
    case.designer.patch(&format!("/api/attribute-types/{kind}"), live).await.assert_status(200);

    let newest: String =
        sqlx::query_scalar("select form_today_fingerprint($1)").bind(case.register.form).fetch_one(&case.app.db.owner).await.unwrap();
    let mut to_newest = case.edited(&case.doctor, &saved, &[&old, &picture]);
    to_newest["obrazac"] = json!(newest);
    let as_it_was = case.doctor.post("/api/entry-values", to_newest).await.assert_status(200).json();
    let more = "Stavka sa nazivom: Nalaz prima najviše fajlova: 1.";
    case.edit(&case.doctor, &as_it_was, &[&old, &picture, &fresh[0]]).await.assert_error(422, Some(&case.field), more);
    let other_kind = "Nalaz, „b.png”: Fajl je PNG slika, a polje prima: PDF.";
    case.edit(&case.doctor, &as_it_was, &[&old, &fresh[1]]).await.assert_error(422, Some(&case.field), other_kind);
    let fewer = case.edit(&case.doctor, &as_it_was, &[&picture]).await.assert_status(200).json();
    assert_eq!(case.names(&fewer), ["a.png"]);
}

#[tokio::test]
async fn a_copy_holds_the_files_of_entries_and_of_their_history_and_brings_them_to_a_bucket() {
    let (case, s3, folder) = (Case::new().await, S3Server::start().await, tempfile::tempdir().unwrap());
    let (old, new) = (case.send(&case.doctor, "a.pdf", pdf("a")).await, case.send(&case.doctor, "b.pdf", pdf("b")).await);
    let saved = case.save(&case.doctor, &[&old]).await.json();
    case.edit(&case.doctor, &saved, &[&new]).await.assert_status(200);
    let (template_dir, file) = (folder.path().join("templates"), folder.path().join("regix.backup"));
    fs::create_dir_all(template_dir.join("reports")).unwrap();
    let from = Places { owner_url: case.app.db.owner_url.clone(), artifacts: case.app.state.config.artifacts.clone(), template_dir };
    let made = backup::make(&from, &file).await.expect("a backup");
    assert_eq!((made.artifacts, made.missing.len()), (2, 0));

    let (there, store) = (testing::empty_database().await, s3.store("izvestaji", folder.path().join("here")));
    let to = Places { owner_url: there.owner_url.clone(), artifacts: store.clone(), template_dir: folder.path().join("there") };
    assert_eq!(backup::restore(&to, &file).await.expect("a restoration").artifacts, 2);
    for (which, content) in [(&old, pdf("a")), (&new, pdf("b"))] {
        let path: String = sqlx::query_scalar("select putanja from entry_file where id = $1")
            .bind(which["id"].as_i64())
            .fetch_one(&there.owner)
            .await
            .unwrap();
        let mut brought = Vec::new();
        store.open(&path).await.unwrap().expect("the file is there").read_to_end(&mut brought).unwrap();
        assert_eq!(brought, content);
    }
    let again = testing::empty_database().await;
    let full = Places { owner_url: again.owner_url.clone(), ..to };
    assert!(backup::restore(&full, &file).await.is_err(), "a store that holds files of entries is not empty");
}
