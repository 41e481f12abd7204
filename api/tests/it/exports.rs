//! "Izvoz podataka": who may ask, what is refused and how, who gets the file, and what the log keeps of all that.

use accounts::rights::Right;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use sqlx::AssertSqlSafe;
use uuid::Uuid;

use crate::support::{TestApp, TestRegister, Worker};

const ARCHIVE: &[u8] = b"PK\x03\x04 podaci";

struct Case {
    app: TestApp,
    register: TestRegister,
}

impl Case {
    /// Two entries of two patients in the first institution, one in the second.
    async fn new() -> Self {
        let app = TestApp::new().await;
        app.lay_out(&["update parameter set vrednost = '1' where naziv = 'najmanjiIzvozBezIdentiteta'"]).await;
        let register = app.register().await;
        let first = app.patient(&register, "Ana", "Anić", app.ustanova, 7).await;
        let second = app.patient(&register, "Đorđe", "Šćepanović", app.ustanova, 8).await;
        app.entry(&register, first, app.ustanova, "2026-03-05", json!({ "broj": 5 })).await;
        app.entry(&register, first, app.ustanova, "2026-04-05", json!({ "broj": 6 })).await;
        app.entry(&register, second, app.druga_ustanova, "2026-03-05", json!({ "broj": 7 })).await;
        Self { app, register }
    }

    async fn exporter(&self) -> Worker {
        self.app.worker("izvoznik", &[Right::DataExport], self.app.ustanova).await
    }

    fn request(&self) -> Value {
        json!({
            "registarID": self.register.id, "tsaID": self.register.form, "red": "unos", "ustanove": [self.app.ustanova],
            "profil": "bez_identiteta", "razlog": "  Godišnja studija  ",
        })
    }

    fn with(&self, changes: Value) -> Value {
        let mut request = self.request();
        for (name, value) in changes.as_object().unwrap() {
            request[name] = value.clone();
        }
        request
    }

    async fn ask(&self, worker: &Worker, request: Value) -> Uuid {
        let answer = worker.post("/api/data-exports", request).await;
        answer.assert_status(202);
        answer.json()["izvozID"].as_str().unwrap().parse().unwrap()
    }

    /// Writes what an engine would.
    async fn succeed(&self, run: Uuid) {
        let path = format!("{run}.zip");
        std::fs::write(self.app.artifact_dir().join(&path), ARCHIVE).unwrap();
        sqlx::query("insert into report_artifact (run_id, format, path, bytes, sha256, rows) values ($1, 'ZIP', $2, $3, $4, 2)")
            .bind(run)
            .bind(path)
            .bind(ARCHIVE.len() as i64)
            .bind(Sha256::digest(ARCHIVE).to_vec())
            .execute(&self.app.db.owner)
            .await
            .unwrap();
        self.set(run, "status = 'succeeded', finished_at = now(), expires_at = now() + interval '7 days'").await;
    }

    async fn set(&self, run: Uuid, what: &str) {
        sqlx::query(AssertSqlSafe(format!("update report_run set {what} where id = $1")))
            .bind(run)
            .execute(&self.app.db.owner)
            .await
            .unwrap();
    }

    async fn change(&self, statement: &str, worker: &Worker) {
        let mut tx = domain::db::begin(&self.app.db.owner, 1).await.unwrap();
        sqlx::query(AssertSqlSafe(statement.to_owned())).bind(worker.id).execute(&mut *tx).await.unwrap();
        tx.commit().await.unwrap();
    }

    async fn deeds(&self) -> Vec<String> {
        self.app.log("data_export").await.into_iter().map(|row| row.akcija).collect()
    }

    /// What the newest line of the log tells, by its names.
    async fn told(&self, name: &str) -> Value {
        let polja: Value = sqlx::query_scalar("select polja from audit_log where klasa = 'data_export' order by id desc limit 1")
            .fetch_one(&self.app.db.owner)
            .await
            .unwrap();
        polja.as_array().unwrap().iter().find(|field| field["naziv"] == name).unwrap()["nova"].clone()
    }
}

#[tokio::test]
async fn an_export_is_asked_for_followed_and_fetched_by_its_worker_alone_and_the_log_says_why() {
    let case = Case::new().await;
    let (worker, other) = (case.exporter().await, case.app.worker("drugi", &[Right::DataExport], case.app.ustanova).await);
    let answer = worker.post("/api/data-exports", case.request()).await;
    answer.assert_status(202);
    assert_eq!((&answer.json()["redova"], &answer.json()["pacijenata"]), (&json!(2), &json!(1)));
    let run: Uuid = answer.json()["izvozID"].as_str().unwrap().parse().unwrap();
    assert_eq!(case.deeds().await, ["zahtev za izvoz"]);
    for (name, value) in [
        ("Razlog", json!("Godišnja studija")),
        ("Redova", json!(2)),
        ("Pacijenata", json!(1)),
        ("Profil", json!("bez identiteta")),
        ("Ustanove", json!("Klinika A")),
    ] {
        assert_eq!(case.told(name).await, value, "{name}");
    }

    let file = format!("/api/data-exports/{run}/file");
    worker.get(&file).await.assert_status(404);
    case.succeed(run).await;
    let list = worker.get("/api/data-exports").await.json();
    let row = &list["data"][0];
    assert_eq!(
        (&row["spreman"], &row["registar"], &row["obrazac"], &row["razlog"], &row["ustanove"], &row["bajtova"]),
        (
            &json!(true),
            &json!("Probni registar"),
            &json!("Pregled"),
            &json!("Godišnja studija"),
            &json!(["Klinika A"]),
            &json!(ARCHIVE.len())
        )
    );
    let answer = worker.get(&file).await;
    answer.assert_status(200);
    assert_eq!(answer.bytes, ARCHIVE);
    assert_eq!((answer.header("content-type"), answer.header("cache-control")), (Some("application/zip"), Some("private, no-store")));
    assert!(answer.header("content-disposition").unwrap().contains("filename=\"izvoz-probni-registar--pregled-"));
    assert_eq!((case.deeds().await.pop().as_deref(), case.told("Razlog").await), (Some("preuzimanje"), json!("Godišnja studija")));

    // Whoever else holds the right has no part in it, and it is no report of anybody.
    assert_eq!(other.get("/api/data-exports").await.json()["data"], json!([]));
    other.get(&file).await.assert_status(404);
    other.post(&format!("/api/data-exports/{run}/cancel"), json!({})).await.assert_status(404);
    other.delete(&format!("/api/data-exports/{run}")).await.assert_status(404);
    let admin = case.app.admin().await;
    admin.get(&file).await.assert_status(404);
    admin.get(&format!("/api/report-runs/{run}")).await.assert_status(404);

    worker.delete(&format!("/api/data-exports/{run}")).await.assert_status(204);
    worker.get(&file).await.assert_status(404);
    assert_eq!(worker.get("/api/data-exports").await.json(), json!({ "data": [], "total": 0 }));
}

#[tokio::test]
async fn who_leaves_the_institution_or_loses_the_right_loses_the_file_and_the_log_says_so() {
    let case = Case::new().await;
    let worker = case.exporter().await;
    case.app.join(&worker, case.app.druga_ustanova).await;
    let open = case.ask(&worker, case.with(json!({ "profil": "identitet" }))).await;
    let run = case.ask(&worker, case.with(json!({ "ustanove": [case.app.ustanova, case.app.druga_ustanova] }))).await;
    case.succeed(run).await;
    case.succeed(open).await;
    let (file, named) = (format!("/api/data-exports/{run}/file"), format!("/api/data-exports/{open}/file"));
    worker.get(&file).await.assert_status(200);
    worker.get(&named).await.assert_status(200);

    case.change(&format!("delete from worker_institution where radnik_id = $1 and ustanova_id = {}", case.app.druga_ustanova), &worker)
        .await;
    worker.get(&file).await.assert_status(403);
    assert_eq!((case.deeds().await.pop().as_deref(), case.told("Redova").await), (Some("odbijanje izvoza"), json!(3)));
    worker.get(&named).await.assert_status(200);

    case.change("update role set pacijenti = 'ne' where id in (select uloga_id from worker_role where radnik_id = $1)", &worker).await;
    worker.get(&named).await.assert_status(403);
    case.change("delete from role_right where uloga_id in (select uloga_id from worker_role where radnik_id = $1)", &worker).await;
    for path in [&named, "/api/data-exports", "/api/data-export-options", &format!("/api/data-export-options/{}", case.register.form)] {
        worker.get(path).await.assert_status(403);
    }
}

#[tokio::test]
async fn entries_of_another_institution_are_neither_counted_nor_asked_for() {
    let case = Case::new().await;
    let worker = case.exporter().await;
    for institutions in [json!([case.app.druga_ustanova]), json!([case.app.ustanova, case.app.druga_ustanova]), json!([999_999])] {
        let answer = worker.post("/api/data-exports", case.with(json!({ "ustanove": institutions }))).await;
        answer.assert_error(403, None, "Izvoziti možete samo podatke ustanova kojima pripadate.");
    }
    assert_eq!(case.deeds().await, ["odbijanje izvoza"; 3], "each refusal is a line of the log");
    let runs: i64 = sqlx::query_scalar("select count(*) from report_run").fetch_one(&case.app.db.owner).await.unwrap();
    assert_eq!(runs, 0);
    let own = worker.get("/api/data-export-options").await.json();
    assert_eq!(own["ustanove"], json!([{ "id": case.app.ustanova, "naziv": "Klinika A" }]));
    // Both patients of the register are the institution's own; the visit of the second is another's.
    let register = case.with(json!({ "tsaID": null, "red": "pacijent" }));
    assert_eq!(worker.post("/api/data-exports", register.clone()).await.json()["redova"], json!(2));
    let mut seen = register;
    seen["od"] = json!("2026-01-01");
    assert_eq!(worker.post("/api/data-exports", seen).await.json()["redova"], json!(1));
}

#[tokio::test]
async fn identity_needs_a_role_that_opens_patients() {
    let case = Case::new().await;
    let worker = case.exporter().await;
    case.change("update role set pacijenti = 'ne' where id in (select uloga_id from worker_role where radnik_id = $1)", &worker).await;
    assert_eq!(worker.get("/api/data-export-options").await.json()["identitet"], json!(false));
    let answer = worker.post("/api/data-exports", case.with(json!({ "profil": "identitet" }))).await;
    answer.assert_error(403, None, "Vaša uloga ne otvara pacijente: možete izvoziti samo podatke bez identiteta.");
    assert_eq!(case.deeds().await, ["odbijanje izvoza"]);
    case.ask(&worker, case.request()).await;
}

#[tokio::test]
async fn what_is_wrong_with_a_request_is_said_by_its_field() {
    let case = Case::new().await;
    let worker = case.exporter().await;
    let (text, number) = (case.register.fields["tekst"], case.register.fields["broj"]);
    for (changes, field, message) in [
        (json!({ "razlog": "kratko" }), "razlog", "Upišite razlog izvoza, od 10 do 500 znakova."),
        (json!({ "razlog": "x".repeat(501) }), "razlog", "Upišite razlog izvoza, od 10 do 500 znakova."),
        (json!({ "registarID": 999_999, "tsaID": null, "red": "pacijent" }), "registarID", "Registar ne postoji."),
        (json!({ "tsaID": 999_999 }), "tsaID", "Formular ne pripada izabranom registru."),
        (json!({ "tsaID": null }), "red", "Bez izabranog formulara jedan red je pacijent."),
        (json!({ "ustanove": [] }), "ustanove", "Izaberite bar jednu ustanovu."),
        (json!({ "polja": [] }), "polja", "Izaberite bar jedno polje."),
        (json!({ "polja": [number, 999_999] }), "polja", "Neko od izabranih polja ne postoji na formularu. Osvežite stranicu."),
        (json!({ "polja": [text] }), "polja", "Polje „tekst” je slobodan tekst, koji se bez identiteta ne izvozi."),
        (json!({ "od": "5.3.2026." }), "od", "Datum od nije ispravan datum."),
        (json!({ "od": "2026-03-05", "do": "2026-03-04" }), "do", "Datum do ne sme biti pre datuma od."),
        (json!({ "od": "2027-01-01" }), "od", "Nema nijednog reda za izabrani period i ustanove."),
    ] {
        worker.post("/api/data-exports", case.with(changes)).await.assert_error(422, Some(field), message);
    }
    assert_eq!(case.deeds().await, Vec::<String>::new());
    let admin = case.app.admin().await;
    for (name, wrong) in [("izvozNajviseRedova", "0"), ("izvozNajviseRedova", "mnogo"), ("danaCuvanjaIzvoza", "91")] {
        let answer = admin.post("/api/parameters", json!({ "naziv": name, "vrednost": wrong })).await;
        answer.assert_status(422);
    }
    admin.post("/api/parameters", json!({ "naziv": "izvozNajviseRedova", "vrednost": "1" })).await.assert_status(201);
    let answer = worker.post("/api/data-exports", case.request()).await;
    answer.assert_error(422, Some("od"), "Izvoz bi imao 2 redova, a dozvoljeno je najviše 1. Suzite period ili ustanove.");
    assert_eq!((case.deeds().await, case.told("Redova").await), (vec!["odbijanje izvoza".to_owned()], json!(2)));
}

#[tokio::test]
async fn one_that_waits_is_cancelled_an_open_one_is_not_removed_an_old_one_is_gone() {
    let case = Case::new().await;
    let worker = case.exporter().await;
    let run = case.ask(&worker, case.request()).await;
    let path = format!("/api/data-exports/{run}");
    worker.delete(&path).await.assert_error(409, None, "Izvoz se još izrađuje. Prvo ga otkažite.");
    worker.post(&format!("{path}/cancel"), json!({})).await.assert_status(204);
    worker.post(&format!("{path}/cancel"), json!({})).await.assert_error(409, None, "Izvoz je već završen.");
    assert_eq!(worker.get("/api/data-exports").await.json()["data"][0]["status"], "cancelled");
    let old = case.ask(&worker, case.request()).await;
    case.succeed(old).await;
    case.set(old, "expires_at = now()").await;
    worker.get(&format!("/api/data-exports/{old}/file")).await.assert_error(410, None, "Izvoz je istekao. Zatražite ga ponovo.");

    let key = json!({ "kljuc": "018f3b1e-0000-7000-8000-000000000001" });
    let first = worker.post("/api/data-exports", case.with(key.clone())).await.json();
    assert_eq!(worker.post("/api/data-exports", case.with(key)).await.json(), first, "the same key makes one export");
    let asked = case.deeds().await.into_iter().filter(|deed| deed == "zahtev za izvoz").count();
    let kept: i64 = sqlx::query_scalar("select count(*) from data_export").fetch_one(&case.app.db.owner).await.unwrap();
    assert_eq!((asked, kept), (3, 3));
}

/// A store may take its time: the file stands behind a pipe here, whose other end says when it comes.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_that_comes_slowly_holds_no_connection() {
    let case = Case::new().await;
    let worker = case.exporter().await;
    let run = case.ask(&worker, case.request()).await;
    case.succeed(run).await;
    let pipe = case.app.artifact_dir().join(format!("{run}.zip"));
    std::fs::remove_file(&pipe).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());

    let (_, caller) = case.app.with_one_connection();
    let caller = caller.with_token(worker.token.clone());
    let path = format!("/api/data-exports/{run}/file");
    let meanwhile = async {
        // A pipe opens when both of its ends are there: the api is at the file.
        let mut file = tokio::task::spawn_blocking(move || std::fs::OpenOptions::new().write(true).open(pipe)).await.unwrap().unwrap();
        let others = caller.get("/api/warning").await;
        std::io::Write::write_all(&mut file, ARCHIVE).unwrap();
        others
    };
    let (_, others) = tokio::join!(caller.get(&path), meanwhile);
    others.assert_status(200);
}

#[tokio::test]
async fn the_patients_of_an_own_search_are_exported_alone_and_nobody_exports_anothers() {
    let case = Case::new().await;
    let (worker, other) = (case.exporter().await, case.app.worker("drugi", &[Right::DataExport], case.app.ustanova).await);
    case.app.join(&worker, case.app.druga_ustanova).await;
    let search = async |worker: &Worker, prezime: &str| {
        let asked = json!({ "registarID": case.register.id, "prezime": prezime });
        worker.post("/api/search", asked).await.assert_status(200).json()["zapis"].clone()
    };
    let both = json!([case.app.ustanova, case.app.druga_ustanova]);
    let counted = async |zapis: &Value, ustanove: &Value| {
        let answer = worker.post("/api/data-exports", case.with(json!({ "pretraga": zapis, "ustanove": ustanove }))).await;
        answer.assert_status(202);
        (answer.json()["redova"].clone(), answer.json()["pacijenata"].clone())
    };
    let (ana, all) = (search(&worker, "Anić").await, search(&worker, "").await);
    assert_eq!(counted(&ana, &both).await, (json!(2), json!(1)));
    assert_eq!(case.told("Pacijenti").await, "samo oni koje je prikazala pretraga");
    assert_eq!(worker.get("/api/data-exports").await.json()["data"][0]["pretraga"], true);
    assert_eq!(counted(&all, &both).await, (json!(3), json!(2)));
    assert_eq!(counted(&all, &json!([case.app.ustanova])).await, (json!(2), json!(1)), "the institutions bound it as ever");

    let too_old = "Rezultati su zastareli. Pretražite ponovo, pa izvezite.";
    let asked = case.with(json!({ "pretraga": ana }));
    other.post("/api/data-exports", asked.clone()).await.assert_error(422, Some("pretraga"), too_old);
    case.app.lay_out(&["insert into register (id, naziv) values (700, 'Drugi registar')"]).await;
    let asked_there = case.with(json!({ "pretraga": ana, "registarID": 700, "tsaID": null, "red": "pacijent" }));
    worker.post("/api/data-exports", asked_there).await.assert_error(422, Some("registarID"), "Pretraga je bila u drugom registru.");
    let nobody = search(&worker, "Nepostojeći").await;
    let none = "Nema nijednog reda za izabrani period i ustanove među pacijentima pretrage.";
    worker.post("/api/data-exports", case.with(json!({ "pretraga": nobody }))).await.assert_error(422, Some("od"), none);
    case.app.lay_out(&["update audit_log set vreme_pristupa = vreme_pristupa - interval '25 hours' where klasa = 'patient_search'"]).await;
    worker.post("/api/data-exports", asked).await.assert_error(422, Some("pretraga"), too_old);
}

#[tokio::test]
async fn no_day_is_to_be_had_by_asking_and_few_patients_do_not_leave_without_identity() {
    let case = Case::new().await;
    let worker = case.exporter().await;
    let whole = "Bez identiteta se bira period celih godina, od 01.01. do 31.12.: po danu bi se saznao pravi datum pregleda.";
    for (changes, field) in [
        (json!({ "od": "2026-03-05", "do": "2026-03-05" }), "od"),
        (json!({ "od": "2026-01-02" }), "od"),
        (json!({ "do": "2026-12-30" }), "do"),
        (json!({ "od": "2026-01-01", "do": "2026-03-31" }), "do"),
    ] {
        worker.post("/api/data-exports", case.with(changes)).await.assert_error(422, Some(field), whole);
    }
    case.ask(&worker, case.with(json!({ "od": "2026-01-01", "do": "2026-12-31" }))).await;
    case.ask(&worker, case.with(json!({ "od": "2026-03-05", "do": "2026-03-05", "profil": "identitet" }))).await;

    // Neither by a search: whose form has that date would be known.
    let rows = json!([{ "poljeID": case.register.fields["datum"], "operator": "!=", "vrednost": "2026-03-05" }]);
    let asked = json!({ "registarID": case.register.id, "redPretrage": rows });
    let by_day = worker.post("/api/search", asked).await.assert_status(200).json()["zapis"].clone();
    let told = "Pretraga je tražila datum, pa se njeni pacijenti ne izvoze bez identiteta: po njemu bi se saznao pravi datum.";
    worker.post("/api/data-exports", case.with(json!({ "pretraga": by_day }))).await.assert_error(422, Some("pretraga"), told);

    // Few are refused as none are, before they are told of.
    case.app.lay_out(&["update parameter set vrednost = '2' where naziv = 'najmanjiIzvozBezIdentiteta'"]).await;
    let few = "Bez identiteta izlaze podaci najmanje 2 pacijenata. Proširite period ili ustanove.";
    for changes in [json!({}), json!({ "od": "2030-01-01" })] {
        worker.post("/api/data-exports", case.with(changes)).await.assert_error(422, Some("od"), few);
    }
    case.ask(&worker, case.with(json!({ "profil": "identitet" }))).await;
    case.ask(&worker, case.with(json!({ "tsaID": null, "red": "pacijent" }))).await;
}

#[tokio::test]
async fn what_becomes_of_a_field_without_identity_is_said_and_what_does_not_leave_is_not_chosen() {
    let case = Case::new().await;
    let worker = case.exporter().await;
    let number = case.register.fields["broj"];
    let said = async || {
        let fields = worker.get(&format!("/api/data-export-options/{}", case.register.form)).await.json();
        let field = fields["polja"].as_array().unwrap().iter().find(|field| field["id"] == number).unwrap().clone();
        (field["bezIdentiteta"].clone(), field["poNazivu"].clone())
    };
    assert_eq!(said().await, (json!("izlazi"), json!(false)));
    case.app.lay_out(&["update form_field set naziv = 'Godina dijagnoze' where sifra = 'broj'"]).await;
    assert_eq!(said().await, (json!("izostavlja_se"), json!(true)), "nobody has marked it");
    let refused = "Polje „Godina dijagnoze” je podatak o ličnosti ili deo datuma, koji se bez identiteta ne izvozi.";
    let asked = case.with(json!({ "polja": [number] }));
    worker.post("/api/data-exports", asked.clone()).await.assert_error(422, Some("polja"), refused);
    let admin = case.app.admin().await;
    let field = admin.get(&format!("/api/form-fields/{number}")).await.json();
    let mark = json!({ "oznakaIzvoza": "nista", "verzija": field["verzija"] });
    admin.patch(&format!("/api/form-fields/{number}"), mark).await.assert_status(200);
    assert_eq!(said().await, (json!("izlazi"), json!(false)), "its designer says that it is none of these");
    case.ask(&worker, asked).await;
}

#[tokio::test]
async fn an_export_that_is_made_tells_its_worker_how_many_rows_are_done_of_how_many() {
    let case = Case::new().await;
    let worker = case.exporter().await;
    let run = case.ask(&worker, case.request()).await;
    let told = async || {
        let list = worker.get("/api/data-exports").await.json();
        let row = &list["data"][0];
        (row["status"].clone(), row["uradjeno"].clone(), row["redova"].clone())
    };
    assert_eq!(told().await, (json!("queued"), Value::Null, json!(2)));
    let db = &case.app.db.app;
    let lease = domain::runs::claim(db, run, "engine", domain::runs::KNOWN_VERSION, 60.0).await.unwrap().expect("it waits").lease();
    assert_eq!(told().await, (json!("running"), Value::Null, json!(2)));
    assert!(domain::runs::progress(db, lease, "render", Some(1)).await.unwrap());
    assert_eq!(told().await, (json!("running"), json!(1), json!(2)));
    assert!(domain::runs::progress(db, lease, "store", None).await.unwrap());
    assert_eq!(told().await, (json!("running"), json!(1), json!(2)), "the next stage does not forget it");
}

#[tokio::test]
async fn only_finished_or_only_signed_entries_leave_where_that_is_asked_for() {
    let case = Case::new().await;
    let worker = case.exporter().await;
    case.app
        .lay_out(&[
            "insert into entry_state (unos_id, stanje, radnja) select min(id), 'zavrsen', 'zavrsavanje' from entry",
            "insert into entry_state (unos_id, stanje, radnja, znacenje) select min(id) + 1, 'potpisan', 'potpis', 'autor' from entry",
            "insert into entry_state (unos_id, stanje, radnja, razlog) select min(id) + 1, 'zakljucan', 'zakljucavanje', 'Kraj kvartala' from entry",
        ])
        .await;
    for (states, rows) in [("svi", 2), ("zavrseni", 2), ("potpisani", 1)] {
        let answer = worker.post("/api/data-exports", case.with(json!({ "stanja": states }))).await;
        assert_eq!(answer.assert_status(202).json()["redova"], json!(rows), "{states}");
    }
    // A signature that a change has ended is none.
    case.app
        .lay_out(&[
            "insert into entry_state (unos_id, stanje, radnja, razlog) select min(id) + 1, 'potpisan', 'otkljucavanje', 'Ispravka' from entry",
            "update entry set vrednosti = '{}' where id = (select min(id) + 1 from entry)",
        ])
        .await;
    let answer = worker.post("/api/data-exports", case.with(json!({ "stanja": "potpisani" }))).await;
    assert_eq!(answer.status, 422, "{}", answer.text());
    let answer = worker.post("/api/data-exports", case.with(json!({ "stanja": "zavrseni" }))).await;
    assert_eq!(answer.assert_status(202).json()["redova"], json!(1));
    let patients = case.with(json!({ "stanja": "potpisani", "tsaID": null, "red": "pacijent" }));
    worker.post("/api/data-exports", patients).await.assert_error(422, Some("stanja"), "Stanje se bira kada se izvozi formular.");
}
