//! Making a patient anonymous: nothing of who it was is left anywhere, what counts stays, and who may do it.

use accounts::rights::Right;
use domain::{
    db,
    fold::fold,
    process::{HeartbeatReport, Kind, Process},
};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::{
    held,
    reports::{Field, Report, SET, merge, succeed},
    support::{Person, TestApp, TestRegister, Worker, record},
};

const REASON: &str = "Zahtev po zakonu, broj 17";
/// What people typed into entries, drafts and reasons; a word that nothing else has.
const TYPED: [&str; 4] = ["zvrkokret prvi nalaz", "zvrkokret drugi nalaz", "zvrkokret u nacrtu", "zvrkokret obrisan"];

pub struct Case {
    pub app: TestApp,
    pub register: TestRegister,
    pub person: Person,
    pub keeper: Worker,
    pub colleague: Worker,
    other: Worker,
}

impl Case {
    pub async fn new() -> Self {
        let app = TestApp::new().await;
        let register = app.register().await;
        let person = app.person(&register, app.ustanova, 4321).await;
        let keeper = app.worker("cuvar", &[Right::Reports, Right::Log, Right::Anonymisation], app.ustanova).await;
        let colleague = app.worker("kolega", &[Right::Reports, Right::Log], app.ustanova).await;
        let other = app.worker("drugde", &[Right::Log, Right::Anonymisation], app.druga_ustanova).await;
        Process::new(Kind::ReportEngine, Uuid::now_v7()).heartbeat(&app.db.app, &HeartbeatReport::default()).await.unwrap();
        Self { app, register, person, keeper, colleague, other }
    }

    pub fn path(&self, rest: &str) -> String {
        format!("/api/patients/{}{rest}", self.person.id)
    }

    pub fn detail(&self, name: &str) -> String {
        self.person.record[name].as_str().expect("a text").to_owned()
    }

    pub fn request(&self) -> Value {
        json!({ "razlog": REASON, "potvrda": self.person.record["brojKartona"] })
    }

    pub async fn anonymise(&self) {
        self.keeper.post(&self.path("/anonymisation"), self.request()).await.assert_status(204);
    }

    pub async fn owner(&self, sql: &'static str) {
        let mut tx = db::begin(&self.app.db.owner, self.keeper.id).await.unwrap();
        sqlx::query(sql).bind(self.person.id).execute(&mut *tx).await.unwrap_or_else(|error| panic!("{sql}: {error}"));
        tx.commit().await.unwrap();
    }

    async fn save(&self, worker: &Worker, entry: Option<&Value>, text: &str, number: i64) -> Value {
        let values = json!({ self.register.field("broj"): number, self.register.field("tekst"): text, self.register.field("izbor"): true });
        let mut request = json!({
            "tsaID": self.register.form, "registarID": self.register.id, "pacijentID": self.person.id, "vrednosti": values,
            "radnikOdgovoran": worker.id, "datumUnosa": "2026-01-05", "kljuc": Uuid::now_v7(),
        });
        if let Some(entry) = entry {
            merge(&mut request, json!({ "unosID": entry["snimljenUnosID"], "verzija": entry["verzija"], "osnova": entry["vrednosti"] }));
        }
        worker.post("/api/entry-values", request).await.assert_status(200).json()
    }

    async fn search(&self, worker: &Worker, criteria: Value) -> Value {
        let mut body = criteria;
        body["registarID"] = json!(self.register.id);
        worker.post("/api/search", body).await.assert_status(200).json()["unosi"].clone()
    }

    /// Everything that people do with a patient, in every place that keeps it.
    pub async fn live(&self) -> Vec<Uuid> {
        let (keeper, id) = (&self.keeper, self.person.id);
        // The record had another address before, and another surname.
        keeper.patch(&self.path(""), json!({ "adresa": "Zvrkokretska 99", "prezime": "Vabrnokez" })).await.assert_status(200);
        keeper.patch(&self.path(""), json!({ "prezime": self.person.record["prezime"] })).await.assert_status(200);
        let entry = self.save(keeper, None, TYPED[0], 5).await;
        let entry = self.save(keeper, Some(&entry), TYPED[1], 6).await;
        let gone = self.save(keeper, None, TYPED[3], 7).await;
        keeper.post("/api/delete-entry", json!({ "id": gone["snimljenUnosID"] })).await.assert_status(204);
        let draft = json!({ "pacijentID": id, "sadrzaj": { "tekst": TYPED[2] } });
        keeper.put("/api/entry-drafts/nacrt", draft).await.assert_status(204);
        // Looked for by who knows the patient, and by who does not; by an officer, too.
        for worker in [keeper, &self.other] {
            self.search(worker, json!({ "ime": self.detail("ime"), "prezime": self.detail("prezime") })).await;
            self.search(worker, json!({ "lbo": &self.detail("lbo")[..10] })).await;
            let row = json!({ "poljeID": self.register.fields["tekst"], "operator": "sadrzi", "vrednost": format!("majka {}", self.detail("imeRoditelja")) });
            self.search(worker, json!({ "redPretrage": [row] })).await;
            worker.get(&format!("/api/looks/patients?filter={}", fold(&self.detail("prezime")))).await.assert_status(200);
        }
        // Taken by another institution for a reason that names her, which the keeper has ended.
        let mut taking = json!({ "razlog": format!("{} je kod nas, {}", self.detail("prezime"), self.digits().join(", ")), "registarID": self.register.id });
        for name in ["ime", "prezime", "datumRodjenja", "jmbg", "lbo"] {
            taking[name] = self.person.record[name].clone();
        }
        self.other.post("/api/patient-takings", taking).await.assert_status(200);
        let taking = keeper.get("/api/patient-takings").await.json()["data"][0]["id"].clone();
        let end = json!({ "razlog": format!("{} se nije složila", self.detail("ime")) });
        keeper.post(&format!("/api/patient-takings/{taking}/end"), end).await.assert_status(204);
        // What became of her was told by somebody whom it names.
        self.owner(
            "insert into patient_status (pacijent_id, registar_id, status, dan, izvor, napomena, ustanova_id)
             select p.id, (select min(id) from register), 'izgubljen', '2026-01-10', 'porodica', 'Kaže muž od ' || p.prezime, p.ustanova_id
               from patient p where p.id = $1",
        )
        .await;
        self.owner(
            "insert into patient_consent (pacijent_id, registar_id, svrha, dat, dan, napomena, ustanova_id)
             select p.id, (select min(id) from register), 'kontakt', true, '2026-01-10', 'Potpisala ' || p.ime || ' ' || p.prezime, p.ustanova_id
               from patient p where p.id = $1",
        )
        .await;
        self.owner(
            "with q as (insert into question (unos_id, pacijent_id, ustanova_id, poreklo, dodeljen_id, rok)
                        select max(e.id), e.pacijent_id, p.ustanova_id, 'nadzor', 1, '2026-01-10' from entry e join patient p on p.id = e.pacijent_id
                         where p.id = $1 group by e.pacijent_id, p.ustanova_id returning id)
             insert into question_message (upit_id, vrsta, tekst, stanje, dodeljen_id)
             select q.id, 'pitanje', 'Da li je to ' || p.ime || ' ' || p.prezime || '?', 'otvoren', 1 from q, patient p where p.id = $1",
        )
        .await;
        let mut runs = vec![self.report().await];
        runs.push(self.print(&entry).await);
        self.owner("insert into import_record (izvor, kljuc, pacijent_id) select 'kartoteka', p.jmbg, p.id from patient p where p.id = $1")
            .await;
        self.owner(
            "insert into recipient_group (naziv, emails) select 'Naši', array[p.email, 'neko@primer.rs'] from patient p where p.id = $1",
        )
        .await;
        runs
    }

    /// A report about the patient, which was mailed to her by an address that somebody typed; and the same by a schedule.
    async fn report(&self) -> Uuid {
        let query = "select id, prezime || ' ' || ime as naziv from pacijent order by id";
        let fields = [Field::new(SET, "pacijent", "Pacijent").query(query).of_patients().logged()];
        let report = Report::with(&self.app.db, "ustanova", &fields).await;
        let asked = json!({ "parametri": { "pacijent": self.person.id.to_string() }, "emails": [self.detail("email")] });
        let mut request = report.request(&self.keeper, json!({}));
        merge(&mut request, asked.clone());
        let run = self.keeper.post("/api/report-queue", request).await.assert_status(202).json()["izvestajID"].clone();
        let mut weekly = report.weekly(&self.keeper);
        merge(&mut weekly, asked);
        self.keeper.post("/api/report-queue", weekly).await.assert_status(202);
        let run: Uuid = run.as_str().unwrap().parse().unwrap();
        succeed(&self.app, run, format!("ime\n{}\n", self.detail("prezime")).as_bytes()).await;
        for (table, columns) in [
            ("report_delivery", "run_id, address, message_id) select $1, email, '<a@b>'"),
            ("report_recipient", "run_id, adresa, redosled) select $1, email, 0"),
        ] {
            let sql = format!("insert into {table} ({columns} from patient where id = $2 on conflict do nothing");
            sqlx::query(sqlx::AssertSqlSafe(sql)).bind(run).bind(self.person.id).execute(&self.app.db.owner).await.unwrap();
        }
        run
    }

    async fn print(&self, entry: &Value) -> Uuid {
        let asked = self.keeper.post("/api/entry-prints", json!({ "unosID": entry["snimljenUnosID"] })).await.assert_status(202).json();
        let run: Uuid = asked["stampaID"].as_str().unwrap().parse().unwrap();
        succeed(&self.app, run, self.detail("jmbg").as_bytes()).await;
        run
    }

    /// The telephones as somebody types them without their slash.
    fn digits(&self) -> [String; 2] {
        ["kontaktTelefon", "mobilniTelefon"].map(|name| self.detail(name).replace('/', ""))
    }

    /// Everything by which the person could be found, folded.
    pub fn secrets(&self) -> Vec<String> {
        let words = ["ime", "prezime", "imeRoditelja"].map(|name| self.detail(name));
        let typed = TYPED.map(str::to_owned).into_iter().chain(["Zvrkokretska".to_owned(), "Vabrnokez".to_owned()]);
        self.person.identity.iter().cloned().chain(words).chain(self.digits()).chain(typed).map(|secret| fold(&secret)).collect()
    }

    /// Where each detail is found: `table.column: detail`, files of the store, Redis.
    pub async fn found(&self) -> Vec<String> {
        let (mut secrets, mut places) = (self.secrets(), held::in_database(&self.app.db).await);
        // A sum of a number is as good as the number, which has so few digits; a file's sum is not, even where a test's file is a number only.
        let sums = ["jmbg", "lbo"].map(|name| hex::encode(Sha256::digest(self.detail(name))));
        secrets.extend(sums.iter().cloned());
        places.retain(|(place, text)| !place.starts_with("report_artifact.") || !sums.iter().any(|sum| text.contains(sum)));
        places.extend(held::in_store(&self.app).await);
        places.extend(held::in_redis().await);
        let found = |text: &str| secrets.iter().filter(|secret| text.contains(secret.as_str())).cloned().collect::<Vec<_>>();
        let mut places: Vec<String> =
            places.iter().flat_map(|(place, text)| found(text).into_iter().map(move |secret| format!("{place}: {secret}"))).collect();
        places.sort();
        places.dedup();
        places
    }
}

#[tokio::test]
async fn no_row_and_no_file_tells_who_it_was() {
    let case = Case::new().await;
    case.live().await;
    let before = case.found().await;
    // The same look finds every detail, in each of the places that keep them.
    for secret in case.secrets() {
        assert!(before.iter().any(|place| place.ends_with(&secret)), "{secret} was never anywhere");
    }
    for place in [
        "audit_log",
        "entry",
        "entry_draft",
        "entry_save",
        "import_record",
        "name_word",
        "patient",
        "patient_history",
        "patient_register",
        "patient_status",
        "patient_taking",
        "recipient_group",
        "report_delivery",
        "report_recipient",
        "report_run",
        "report_schedule",
        "value_history",
        "value_text",
    ] {
        assert!(before.iter().any(|found| found.starts_with(&format!("{place}."))), "nothing of it was in {place}: {before:#?}");
    }
    case.anonymise().await;
    assert_eq!(case.found().await, Vec::<String>::new());
}

#[tokio::test]
async fn what_counts_stays_and_the_record_is_read_only() {
    let case = Case::new().await;
    case.live().await;
    let count = async |sql: &'static str| -> i64 { sqlx::query_scalar(sql).fetch_one(&case.app.db.owner).await.unwrap() };
    let (log, history) = (count("select count(*) from audit_log").await, count("select count(*) from value_history").await);
    case.anonymise().await;
    assert!(count("select count(*) from audit_log").await > log && count("select count(*) from value_history").await >= history);

    // The record, as a colleague opens it later.
    let colleague = &case.colleague;
    let record = colleague.get(&case.path("")).await.assert_status(200).json();
    assert_eq!((&record["prezime"], &record["ime"], &record["jmbg"]), (&json!("Anonimizovan"), &json!("pacijent"), &Value::Null));
    let year = format!("{}-01-01", &case.person.record["datumRodjenja"].as_str().unwrap()[..4]);
    assert_eq!((&record["datumRodjenja"], &record["polTrenutni"], &record["adresa"]), (&json!(year), &json!(true), &Value::Null));
    assert!(record["anonimizovan"].is_string());
    for right in ["pravoIzmene", "pravoBrisanja", "pravoAnonimizacije"] {
        assert_eq!(record[right], false, "{right}");
    }
    // Entries keep their numbers, choices, sets and dates, and nobody's words.
    let entries: Vec<(Value, String, bool)> =
        sqlx::query_as("select vrednosti, datum_unosa::text, aktivan from entry where pacijent_id = $1 order by id")
            .bind(case.person.id)
            .fetch_all(&case.app.db.owner)
            .await
            .unwrap();
    let (number, text) = (case.register.field("broj"), case.register.field("tekst"));
    let told: Vec<_> = entries.iter().map(|(values, date, active)| (&values[&number], date.as_str(), *active)).collect();
    assert_eq!(told, [(&json!(21), "2024-02-11", true), (&json!(6), "2026-01-05", true), (&json!(7), "2026-01-05", false)]);
    assert!(entries.iter().all(|(values, ..)| values.get(&text).is_none() && values.as_object().unwrap().len() >= 2));
    // Found by what counts, and not by who it was.
    let by_value = json!({ "redPretrage": [{ "poljeID": case.register.fields["broj"], "operator": "=", "vrednost": "6" }] });
    assert_eq!(case.search(colleague, by_value).await[0]["pacijentID"], case.person.id);
    for criteria in [
        json!({ "ime": case.detail("ime") }),
        json!({ "prezime": case.detail("prezime") }),
        json!({ "jmbg": case.detail("jmbg") }),
        json!({ "lbo": case.detail("lbo") }),
    ] {
        assert_eq!(case.search(colleague, criteria).await, json!([]));
    }
    // Nothing is written any more.
    let message = "Pacijent je anonimizovan: podaci se više ne menjaju.";
    colleague.patch(&case.path(""), json!({ "adresa": "Nova 1" })).await.assert_error(403, None, message);
    case.keeper.patch(&case.path(""), json!({ "aktivan": false })).await.assert_error(403, None, message);
    let values = json!({ "tsaID": case.register.form, "registarID": case.register.id, "pacijentID": case.person.id,
                         "vrednosti": { number: 5 }, "radnikOdgovoran": colleague.id, "datumUnosa": "2026-01-06" });
    colleague.post("/api/entry-values", values).await.assert_error(403, None, message);
    let draft = json!({ "pacijentID": case.person.id, "sadrzaj": {} });
    colleague.put("/api/entry-drafts/novi", draft).await.assert_error(403, None, message);
    case.keeper.post("/api/delete-entry", json!({ "id": case.person.entry })).await.assert_error(403, None, message);
    case.keeper.post(&case.path("/anonymisation"), case.request()).await.assert_error(409, None, "Pacijent je već anonimizovan.");
    // The same person comes again, as a new one.
    let mut again = case.person.record.clone();
    again["prezime"] = json!("Novak");
    merge(&mut again, json!({ "potvrde": ["jmbgNeslaganje"] }));
    case.keeper.post("/api/patients", again).await.assert_status(201);
}

#[tokio::test]
async fn histories_and_log_stay_with_who_and_when() {
    let case = Case::new().await;
    case.live().await;
    case.anonymise().await;
    let (keeper, colleague) = (&case.keeper, &case.colleague);
    let archive = colleague.get(&case.path("/archive")).await.assert_status(200).json();
    assert!(archive["total"].as_i64().unwrap() >= 4, "the states are counted as before");
    assert_eq!(archive["data"][0]["radnikUpisao"], "Test Cuvar");
    let entries = colleague.get(&case.path(&format!("/entries?registarID={}", case.register.id))).await;
    entries.assert_status(200);
    let changed: i64 = sqlx::query_scalar("select max(id) from entry where pacijent_id = $1 and aktivan")
        .bind(case.person.id)
        .fetch_one(&case.app.db.owner)
        .await
        .unwrap();
    let values = colleague.get(&format!("/api/entries/{changed}/archive?nizAutsID={}", case.register.field("tekst"))).await.json();
    let texts: Vec<_> = values["data"].as_array().unwrap().iter().map(|row| (&row["tekstVrednost"], &row["radnik"])).collect();
    assert_eq!(texts, [(&json!("•••"), &json!("Test Cuvar")), (&json!("•••"), &json!("Test Cuvar"))]);
    let numbers = colleague.get(&format!("/api/entries/{changed}/archive?nizAutsID={}", case.register.field("broj"))).await.json();
    assert_eq!((&numbers["data"][0]["brojnaVrednost"], &numbers["data"][1]["brojnaVrednost"]), (&json!(6.0), &json!(5.0)));

    // The log says who, when and why; the reason is the only text of it.
    let log = keeper.get("/api/log?datumOd=2020-01-01&akcijeArray=anonimizacija").await.json();
    assert_eq!(log["data"].as_array().unwrap().len(), 1);
    let row = &log["data"][0];
    assert_eq!((&row["radnik"], &row["opis"], &row["klasa"]), (&json!("Test Cuvar"), &json!(REASON), &json!("patient")));
    assert_eq!(row["pacijenti"][0]["imePrezime"], "Anonimizovan pacijent");
    let dangerous = keeper.get("/api/log?datumOd=2020-01-01&akcijeArray=opasna%20izmena").await.json();
    assert_eq!(dangerous["data"][0]["opis"], "Pacijent se trajno anonimizuje.");
    // An officer reads who looked, and finds nobody by the name.
    let officer = case.app.worker("poverenik", &[Right::Looks], case.app.ustanova).await;
    let name = fold(&case.detail("prezime"));
    assert_eq!(officer.get(&format!("/api/looks/patients?filter={name}")).await.json()["data"], json!([]));
    let looks = officer.get(&format!("/api/looks?datumOd=2020-01-01&pacijentID={}", case.person.id)).await.assert_status(200).json();
    assert!(looks["data"].as_array().unwrap().len() > 3);
    let views = colleague.get(&case.path("/views")).await.assert_status(200).json();
    assert!(views["total"].as_i64().unwrap() > 3);
}

#[tokio::test]
async fn files_that_name_her_end_and_what_waits_is_not_made_or_mailed() {
    let case = Case::new().await;
    let runs = case.live().await;
    // One that is being made at this moment, of the same institution.
    let plain = Report::with(&case.app.db, "ustanova", &[]).await.run(&case.keeper).await;
    begin(&case.app, plain).await;
    let preview = case.keeper.get(&case.path("/anonymisation")).await.assert_status(200).json();
    assert_eq!((&preview["fajlova"], &preview["isporuka"], &preview["potvrda"]), (&json!(2), &json!(1), &json!("brojKartona")));
    assert_eq!((&preview["unosa"], &preview["tekstova"], &preview["nacrta"]), (&json!(3), &json!(3), &json!(1)));
    assert_eq!(preview["prepreka"], Value::Null);
    case.anonymise().await;

    let download = case.keeper.get(&format!("/api/report-runs/{}/download?format=CSV", runs[0])).await;
    download.assert_status(410);
    case.keeper.get(&format!("/api/entry-prints/{}/file", runs[1])).await.assert_status(410);
    assert_eq!(std::fs::read_dir(case.app.artifact_dir()).unwrap().count(), 0, "the files are gone at once");
    let deliveries: Vec<(String, String)> =
        sqlx::query_as("select status, address from report_delivery").fetch_all(&case.app.db.owner).await.unwrap();
    assert!(deliveries.iter().all(|(status, address)| status == "failed" && address.starts_with("uklonjena adresa")), "{deliveries:?}");
    let group: Vec<String> = sqlx::query_scalar("select unnest(emails) from recipient_group").fetch_all(&case.app.db.owner).await.unwrap();
    assert_eq!(group, ["neko@primer.rs"]);

    assert!(is_expired_at_its_end(&case.app, plain).await, "what was being made has seen who it was");
    let next = Report::with(&case.app.db, "ustanova", &[]).await.run(&case.keeper).await;
    begin(&case.app, next).await;
    assert!(!is_expired_at_its_end(&case.app, next).await, "what is made afterwards names nobody, and is kept");
}

/// An engine takes the run.
async fn begin(app: &TestApp, run: Uuid) {
    let taken = "update report_run set status = 'running', started_at = clock_timestamp(), fence = 7, lease_until = now() + interval '1 hour' where id = $1";
    sqlx::query(taken).bind(run).execute(&app.db.owner).await.unwrap();
}

async fn is_expired_at_its_end(app: &TestApp, run: Uuid) -> bool {
    let lease = domain::runs::Lease { run, fence: 7, attempt: 1 };
    assert!(domain::runs::finish_succeeded(&app.db.app, lease, &[], &[], 1, false, None).await.unwrap());
    let expired = sqlx::query_scalar("select expires_at <= clock_timestamp() from report_run where id = $1").bind(run);
    expired.fetch_one(&app.db.owner).await.unwrap()
}

#[tokio::test]
async fn only_the_keeper_with_the_right_the_number_a_reason_and_the_password() {
    let case = Case::new().await;
    let (keeper, other, path) = (&case.keeper, &case.other, case.path("/anonymisation"));
    let unchanged = async || {
        assert_eq!(keeper.get(&case.path("")).await.json()["prezime"], case.person.record["prezime"]);
    };
    case.colleague.post(&path, case.request()).await.assert_status(403);
    case.colleague.get(&path).await.assert_status(403);
    other.post(&path, case.request()).await.assert_status(404);
    other.get(&path).await.assert_status(404);
    // Who took the patient over knows her, and does not keep her.
    case.owner(
        "insert into patient_taking (pacijent_id, ustanova_id, radnik_id, razlog)
                select $1, u.id, 1, 'Na daljem lečenju' from institution u where u.naziv = 'Klinika B'",
    )
    .await;
    let of_keeper = "Pacijenta vodi druga ustanova. Samo ona može da ga anonimizuje.";
    other.post(&path, case.request()).await.assert_error(403, None, of_keeper);

    for (request, field, message) in [
        (json!({ "razlog": "kratko", "potvrda": case.person.record["brojKartona"] }), "razlog", "Razlog mora imati od 10 do 500 znakova."),
        (json!({ "razlog": REASON, "potvrda": "K-1" }), "potvrda", "Uneti broj nije broj ovog pacijenta."),
        (json!({ "razlog": REASON }), "potvrda", "Uneti broj nije broj ovog pacijenta."),
    ] {
        keeper.post(&path, request).await.assert_error(422, Some(field), message);
    }
    let others = "Podatke o pacijentu imaju i druge ustanove (njih 1). Tada ga anonimizuje samo radnik čija uloga obuhvata sve ustanove.";
    keeper.post(&path, case.request()).await.assert_error(409, None, others);
    assert_eq!(keeper.get(&path).await.json()["prepreka"], others);
    unchanged().await;
    case.app.lay_out(&["update role set sve_ustanove = true where ime = 'Uloga radnika cuvar'"]).await;

    let named =
        json!({ "razlog": format!("Zahtev koji je podnela {}", case.detail("prezime")), "potvrda": case.person.record["brojKartona"] });
    let message = "Razlog ne sme da sadrži podatke po kojima se pacijent prepoznaje.";
    keeper.post(&path, named).await.assert_error(422, Some("razlog"), message);
    case.app.lay_out(&["update session set potvrdjeno_at = null"]).await;
    let asked = keeper.post(&path, case.request()).await;
    asked.assert_status(428);
    assert!(asked.text().contains("Pacijent se trajno anonimizuje."));
    unchanged().await;
    case.app.lay_out(&["update session set potvrdjeno_at = now()"]).await;
    case.anonymise().await;
    // Who took the patient over sees what the keeper sees.
    assert_eq!(other.get(&case.path("")).await.json()["prezime"], "Anonimizovan");
}

#[tokio::test]
async fn the_application_alone_makes_nobody_anonymous_and_brings_nobody_back() {
    let case = Case::new().await;
    let refused = async |sql: &str| {
        let mut tx = db::begin(&case.app.db.app, case.colleague.id).await.unwrap();
        let id = case.person.id;
        let done = sqlx::query(sqlx::AssertSqlSafe(sql.replace("$1", &id.to_string()))).execute(&mut *tx).await;
        assert!(done.is_err(), "{sql}");
    };
    // A colleague without the right, with the session of one who has it and without.
    refused("select anonymise_patient($1, 'Zahtev po zakonu', (select token_hash from session order by id limit 1))").await;
    refused("update patient set anonimizovan_at = now() where id = $1").await;
    refused("select anonymise_log($1, '-infinity', 'infinity', '{}', null)").await;
    refused("update audit_log set polja = '[]' where pacijent_id = $1").await;
    case.anonymise().await;
    refused("update patient set ime = 'Ana' where id = $1").await;
    refused("update patient set anonimizovan_at = null where id = $1").await;
    refused("update entry set vrednosti = '{}' where pacijent_id = $1").await;
    refused("delete from patient_erasure where pacijent_id = $1").await;
}

#[tokio::test]
async fn others_keep_what_is_theirs() {
    let case = Case::new().await;
    // A sister of the same surname and with the same telephone.
    let sister = case.app.patient(&case.register, "Milunka", &case.detail("prezime"), case.app.ustanova, 77).await;
    let phone = case.detail("kontaktTelefon");
    let numbers = record(78);
    let change =
        json!({ "kontaktTelefon": phone, "adresa": case.detail("adresa"), "jmbg": numbers["jmbg"], "potvrde": ["jmbgNeslaganje"] });
    case.keeper.patch(&format!("/api/patients/{sister}"), change).await.assert_status(200);
    case.search(&case.keeper, json!({ "prezime": "Milunovska" })).await;
    let log = async || -> Vec<(i64, Value)> {
        sqlx::query_as("select id, polja from audit_log where pacijent_id = $1 or klasa = 'patient_search' order by id")
            .bind(sister)
            .fetch_all(&case.app.db.owner)
            .await
            .unwrap()
    };
    let before = log().await;
    case.live().await;
    case.anonymise().await;
    let after = log().await;
    assert_eq!(after[..before.len()], before[..], "the log of the sister tells what it told");
    let record = case.keeper.get(&format!("/api/patients/{sister}")).await.json();
    assert_eq!((&record["prezime"], &record["kontaktTelefon"]), (&case.person.record["prezime"], &json!(phone)));
    assert_eq!(case.search(&case.keeper, json!({ "prezime": case.detail("prezime") })).await[0]["pacijentID"], sister);
}

#[tokio::test]
async fn what_comes_back_from_a_file_is_anonymous_too() {
    let case = Case::new().await;
    case.live().await;
    // What is about the patient happened twelve years ago; a name that found nobody is not known to be hers any more.
    case.app
        .lay_out(&[
            "update audit_log l set vreme_pristupa = vreme_pristupa - interval '12 years'
              where pacijent_id is not null or exists (select from audit_log_patient p where p.vreme_pristupa = l.vreme_pristupa and p.log_id = l.id)",
            "update audit_log_patient set vreme_pristupa = vreme_pristupa - interval '12 years'",
            "update value_history set vreme_prestanka_vazenja = vreme_prestanka_vazenja - interval '12 years'",
            "update patient_history set vreme_prestanka_vazenja = vreme_prestanka_vazenja - interval '12 years'",
            "update parameter set vrednost = '10' where naziv like 'cuvanje%Godina'",
            // Somebody had entered the day of her birth.
            "update value_history h set vrednost = to_jsonb(p.datum_rodjenja::text) from patient p
              where p.id = h.pacijent_id and jsonb_typeof(h.vrednost) = 'number'",
        ])
        .await;
    let folder = tempfile::tempdir().unwrap();
    let made = api::archive::make(&case.app.db.owner_url, folder.path(), Some("cuvar")).await.expect("months are moved");
    assert_eq!(made.len(), 3, "looks, the rest of the log, histories: {made:?}");
    let files = made.iter().map(|file| std::fs::read_to_string(folder.path().join(&file.name)).unwrap());
    assert!(files.map(|text| fold(&text)).any(|text| text.contains(&fold(&case.detail("jmbg")))), "the files were made before");
    case.anonymise().await;
    for file in &made {
        api::archive::read(&case.app.db.owner_url, &folder.path().join(&file.name), Some("cuvar"), false).await.expect("it is read back");
    }
    assert_eq!(case.found().await, Vec::<String>::new());
    let born = sqlx::query_scalar::<_, i64>("select count(*) from value_history where vrednost = to_jsonb($1::text)");
    assert_eq!(
        born.bind(case.detail("datumRodjenja")).fetch_one(&case.app.db.owner).await.unwrap(),
        0,
        "the day is of the year that stays"
    );
    let log: Vec<Option<i64>> =
        sqlx::query_scalar("select radnik_id from audit_log where klasa = 'archive_file'").fetch_all(&case.app.db.owner).await.unwrap();
    assert_eq!(log, [Some(case.keeper.id); 6], "each made and read back");
}

#[tokio::test]
async fn a_deleted_patient_is_made_anonymous_by_the_keeper_and_is_listed_no_more() {
    let case = Case::new().await;
    case.keeper.patch(&case.path(""), json!({ "aktivan": false })).await.assert_status(200);
    let listed = async || case.keeper.get("/api/deleted-patients").await.json()["total"].clone();
    assert_eq!(listed().await, 1);
    let absent = case.other.get(&case.path("/anonymisation")).await;
    absent.assert_error(404, None, "Traženi podatak ne postoji.");
    case.other.post(&case.path("/anonymisation"), case.request()).await.assert_status(404);
    let preview = case.keeper.get(&case.path("/anonymisation")).await.json();
    assert_eq!((&preview["potvrda"], &preview["unosa"]), (&json!("brojKartona"), &json!(1)));
    case.anonymise().await;
    assert_eq!(listed().await, 0);
    case.keeper.get(&case.path("/anonymisation")).await.assert_status(404);
    case.keeper.patch(&case.path(""), json!({ "aktivan": true })).await.assert_status(404);
    let left: (String, bool) =
        sqlx::query_as("select ime, aktivan from patient where id = $1").bind(case.person.id).fetch_one(&case.app.db.owner).await.unwrap();
    assert_eq!(left, ("pacijent".to_owned(), false));
}
