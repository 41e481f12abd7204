//! Times of day and moments at each door: a stroke register's minutes from the door to the needle are computed, kept, told, found and
//! reported, whatever the midnight between them.

use std::{
    collections::{BTreeMap, HashSet},
    time::Duration,
};

use accounts::rights::Right;
use base64::{Engine, prelude::BASE64_STANDARD};
use domain::report_sql::{Scope, Value as Cell, session_binds};
use serde_json::{Value, json};

use crate::{
    reports::{Report, merge},
    support::{Answer, TestApp, TestRegister, Worker},
};

const REGISTER: &str = r#"
[register]
sifra = "mozdani-udar"
naziv = "Moždani udar"

[[attributeTypes]]
naziv = "Datum i vreme"
tipVrednosti = "datumvreme"

[[attributeTypes]]
naziv = "Vreme"
tipVrednosti = "vreme"

[[attributeTypes]]
naziv = "Minuti"
tipVrednosti = "brojni"
decimaleBrojneVrednosti = 0
jedinica = "min"

[[forms]]
sifraVeza = "prijem"
naziv = "Prijem"
polja = [
    { sifra = "vrata", naziv = "Dolazak", tipAtributa = "Datum i vreme", pretrazujeSe = true, inicijalnaStringVrednost = "2026-03-05T08:00" },
    { sifra = "igla", naziv = "Početak trombolize", tipAtributa = "Datum i vreme", pretrazujeSe = true },
    { sifra = "budjenje", naziv = "Buđenje", tipAtributa = "Vreme", pretrazujeSe = true, formulaZaPrikaz = "$(vrata) != null" },
    { sifra = "vrataIgla", naziv = "Od vrata do igle", tipAtributa = "Minuti", pretrazujeSe = true, formulaZaRacunanje = "minutes_between($(vrata), $(igla))", primeri = [
        { naziv = "preko ponoći", ulazi = { vrata = "2026-11-20T23:50", igla = "2026-11-21T00:35" }, rezultat = 45 },
    ] },
]
pravila = [
    { polje = "igla", uslov = "$(igla) < $(vrata)", poruka = "Tromboliza je pre dolaska.", vrsta = "greska" },
]
"#;

struct Case {
    app: TestApp,
    register: TestRegister,
    mila: Worker,
    lekar: Worker,
    patient: i64,
}

impl Case {
    async fn new() -> Self {
        let app = TestApp::new().await;
        let mila = app.worker("mila", &[Right::Registers], app.ustanova).await;
        let (id, form) = bring(&mila, "prijem.toml", REGISTER, None).await;
        let mut fields = BTreeMap::new();
        for code in ["vrata", "igla", "budjenje", "vrataIgla"] {
            let field: i64 = sqlx::query_scalar("select id from form_field where tip_skupa_atributa_id = $1 and sifra = $2")
                .bind(form)
                .bind(code)
                .fetch_one(&app.db.owner)
                .await
                .unwrap();
            fields.insert(code, field);
        }
        let register = TestRegister { id, form, fields, items: BTreeMap::new() };
        let patient = app.patient(&register, "Ana", "Anić", app.ustanova, 1).await;
        let lekar = app.lekar().await.0;
        Self { app, register, mila, lekar, patient }
    }

    async fn save(&self, by_code: Value) -> Answer {
        let by_code = by_code.as_object().unwrap();
        let values: serde_json::Map<_, _> = by_code.iter().map(|(code, value)| (self.register.field(code), value.clone())).collect();
        let body = json!({
            "tsaID": self.register.form, "registarID": self.register.id, "pacijentID": self.patient, "vrednosti": values,
            "radnikOdgovoran": self.lekar.id, "datumUnosa": "2026-03-06",
        });
        self.lekar.post("/api/entry-values", body).await
    }

    async fn found(&self, code: &str, operator: &str, value: &str) -> usize {
        let row = json!({ "poljeID": self.register.fields[code], "operator": operator, "vrednost": value });
        let body = json!({ "registarID": self.register.id, "redPretrage": [row] });
        self.lekar.post("/api/search", body).await.assert_status(200).json()["unosi"].as_array().unwrap().len()
    }
}

/// Imports a definition; gives its register and its first form.
async fn bring(mila: &Worker, name: &str, text: &str, register: Option<i64>) -> (i64, i64) {
    let mut sent = json!({ "imeFajla": name, "sadrzaj": BASE64_STANDARD.encode(text), "registarID": register });
    if name.ends_with(".json") {
        (sent["naziv"], sent["sifra"]) = (json!("Nazad"), json!("nazad"));
    }
    let report = mila.post("/api/definition-checks", sent.clone()).await.assert_status(200).json();
    assert_eq!((&report["greske"], &report["nemapirano"]), (&json!([]), &json!([])));
    sent["otisak"] = report["otisak"].clone();
    let stored = mila.post("/api/definition-imports", sent).await.assert_status(201).json();
    (stored["registarID"].as_i64().unwrap(), stored["formulari"][0].as_i64().unwrap())
}

#[tokio::test]
async fn door_to_needle_is_computed_across_midnight_and_found() {
    let case = Case::new().await;
    let saved = case.save(json!({ "vrata": "2026-03-05T23:50", "igla": "2026-03-06 00:35", "budjenje": "06:10" })).await;
    let saved = saved.assert_status(200).json();
    let value = |code: &str| saved["vrednosti"][case.register.field(code)].clone();
    assert_eq!((value("igla"), value("budjenje"), value("vrataIgla")), (json!("2026-03-06T00:35"), json!("06:10"), json!(45)));
    for (code, operator, value, hits) in [
        ("vrataIgla", "<=", "60", 1),
        ("vrata", "=", "2026-03-05T23:50", 1),
        ("vrata", ">", "2026-03-05T23:50", 0),
        ("vrata", ">=", "2026-03-05 23:50", 1),
        ("budjenje", "<", "06:11", 1),
        ("budjenje", "=", "06:10", 1),
        ("budjenje", ">", "06:10", 0),
        ("budjenje", "popunjeno", "", 1),
    ] {
        assert_eq!(case.found(code, operator, value).await, hits, "{code} {operator} {value}");
    }
    for (code, value, message) in [
        ("budjenje", "6:10", "Vrednost u pretrazi mora biti vreme, na primer 08:30."),
        ("vrata", "2026-03-05", "Vrednost u pretrazi mora biti datum sa vremenom."),
        ("vrata", "2206-03-05T08:00", "Datum u pretrazi nije između 1920. i 2030. godine."),
    ] {
        let row = json!({ "poljeID": case.register.fields[code], "operator": "=", "vrednost": value });
        let body = json!({ "registarID": case.register.id, "redPretrage": [row] });
        case.lekar.post("/api/search", body).await.assert_error(422, Some("redPretrage"), message);
    }
}

#[tokio::test]
async fn what_is_no_time_is_refused_with_its_field() {
    let case = Case::new().await;
    let field = |code: &str| case.register.field(code);
    for (values, code, message) in [
        (json!({ "vrata": "2026-03-05" }), "vrata", "Stavka sa nazivom: Dolazak nije datum sa vremenom."),
        (json!({ "vrata": "2026-03-05T24:00" }), "vrata", "Stavka sa nazivom: Dolazak nije datum sa vremenom."),
        (json!({ "vrata": "2206-03-05T08:00" }), "vrata", "Stavka sa nazivom: Dolazak nije između 1920. i 2030. godine."),
        (json!({ "vrata": "2026-03-05T08:00", "budjenje": "8:05" }), "budjenje", "Stavka sa nazivom: Buđenje nije vreme oblika HH:MM."),
        (json!({ "vrata": "2026-03-05T08:00", "budjenje": 8 }), "budjenje", "Stavka sa nazivom: Buđenje nije ispravna."),
    ] {
        case.save(values).await.assert_error(422, Some(&field(code)), message);
    }
    let refused = case.save(json!({ "vrata": "2026-03-05T08:00", "igla": "2026-03-05T07:59" })).await;
    refused.assert_error(422, Some(&field("igla")), "Početak trombolize: Tromboliza je pre dolaska.");
}

#[tokio::test]
async fn times_are_told_by_history_and_reports_and_begin_as_the_form_says() {
    let case = Case::new().await;
    let new = format!("/api/entry-display?tsaID={}&pacijentID={}", case.register.form, case.patient);
    let display = case.lekar.get(&new).await.assert_status(200).json();
    assert_eq!(display["vrednosti"][case.register.field("vrata")], json!("2026-03-05T08:00"), "{display}");
    let saved = case.save(json!({ "vrata": "2026-03-05T23:50", "igla": "2026-03-06T00:35", "budjenje": "06:10" })).await.json();
    let entry = saved["snimljenUnosID"].as_i64().unwrap();
    let fields = ["vrata", "budjenje"].map(|code| case.register.field(code)).join(",");
    let told = case.lekar.get(&format!("/api/entries/{entry}/archive?nizAutsID={fields}")).await.assert_status(200).json();
    let texts: Vec<&Value> = told["data"].as_array().unwrap().iter().map(|row| &row["tekstVrednost"]).collect();
    assert_eq!(texts, [&json!("05.03.2026. 23:50"), &json!("06:10")]);

    let mut report = case.app.db.app.acquire().await.unwrap();
    sqlx::query("insert into report_scope (pid, radnik_id, ustanova_id) values (pg_backend_pid(), 1, $1)")
        .bind(case.app.ustanova)
        .execute(&mut *report)
        .await
        .unwrap();
    let rows: Vec<(String, String, String, Option<f64>)> = sqlx::query_as(
        "select f.sifra, v.tekst, f.vrsta, extract(epoch from coalesce(v.trenutak - '2026-03-05'::timestamp, v.vreme::interval))::float8 / 60
           from report.vrednost v join report.polje f on f.id = v.polje_id where v.unos_id = $1 and f.sifra <> 'vrataIgla' order by v.redosled",
    )
    .bind(entry)
    .fetch_all(&mut *report)
    .await
    .unwrap();
    let row = |sifra: &str, tekst: &str, vrsta: &str, minutes: f64| (sifra.to_owned(), tekst.to_owned(), vrsta.to_owned(), Some(minutes));
    assert_eq!(
        rows,
        [
            row("vrata", "05.03.2026. 23:50", "datumvreme", 1430.0),
            row("igla", "06.03.2026. 00:35", "datumvreme", 1475.0),
            row("budjenje", "06:10", "vreme", 370.0),
        ]
    );
}

#[tokio::test]
async fn a_time_and_a_moment_stay_of_an_anonymous_patient_but_for_the_day_of_birth() {
    let case = Case::new().await;
    let stays: Vec<bool> = sqlx::query_scalar(
        "select is_anonymous_value(to_jsonb(v), '{1951-01-01}') from unnest(array['08:05', '2026-03-05T08:05', '1951-01-01T08:05', 'u 08:05']) with ordinality u (v, n)
          order by n",
    )
    .fetch_all(&case.app.db.owner)
    .await
    .unwrap();
    assert_eq!(stays, [true, true, false, false]);
}

#[tokio::test]
async fn a_form_with_times_goes_out_and_in_by_file_and_by_fhir() {
    let case = Case::new().await;
    let file = case.mila.get(&format!("/api/registers/{}/definition", case.register.id)).await.assert_status(200).text();
    assert!(file.contains("tipVrednosti = \"datumvreme\"") && file.contains("tipVrednosti = \"vreme\""), "{file}");
    let out = case.mila.get(&format!("/api/forms/{}/definition?oblik=fhir", case.register.form)).await.assert_status(200).text();
    let form: Value = serde_json::from_str(&out).unwrap();
    let kinds: Vec<&Value> = form["item"].as_array().unwrap().iter().map(|item| &item["type"]).collect();
    assert_eq!(kinds, ["dateTime", "dateTime", "time", "integer"]);
    assert_eq!(form["item"][0]["initial"][0]["valueDateTime"], json!("2026-03-05T08:00:00+01:00"));
    let (_, back) = bring(&case.mila, "nazad.json", &out, None).await;
    let text = case.mila.get(&format!("/api/forms/{back}/definition")).await.assert_status(200).text();
    for kept in ["datumvreme", "\"vreme\"", "minutes_between($(vrata), $(igla))", "2026-03-05T08:00"] {
        assert!(text.contains(kept), "{kept} is missing in\n{text}");
    }
}

/// A report that is chosen and not written has them as what they are: its columns are sorted by the clock, and so are the least and the greatest.
#[tokio::test]
async fn a_chosen_report_lists_times_and_knows_the_earliest_and_the_latest() {
    let case = Case::new().await;
    let admin = case.app.admin().await;
    let report = Report::with(&case.app.db, "ustanova", &[]).await;
    for (vrata, igla, budjenje) in [
        ("2026-03-05T23:50", "2026-03-06T00:35", "06:10"),
        ("2026-03-04T09:05", "2026-03-04T10:00", "23:59"),
        ("2026-03-04T09:04", "", "00:01"),
    ] {
        case.save(json!({ "vrata": vrata, "igla": igla, "budjenje": budjenje })).await.assert_status(200);
    }
    let rows = async |more: Value| {
        let mut izbor = json!({ "registarID": case.register.id, "tipUnosaID": case.register.form, "samoMojaUstanova": true });
        merge(&mut izbor, more);
        let path = format!("/api/reports/{}/simple-definition-check", report.id);
        let made = admin.post(&path, izbor).await.assert_status(200).json();
        assert_eq!(made["provera"]["greske"], json!([]), "{made}");
        let scope = Scope { run: None, radnik_id: case.app.db.clinician().await, ustanova_id: Some(case.app.ustanova) };
        let (sql, binds) = (made["upit"].as_str().unwrap(), session_binds(1, case.app.ustanova, None));
        case.app.state.report_db.small(scope, sql, &binds, Duration::from_secs(20), 100).await.unwrap().rows
    };
    let field = |code: &str| json!({ "kolona": "polje", "poljeID": case.register.fields[code] });
    let listed = rows(json!({ "prikaz": "lista", "kolone": [field("vrata"), field("budjenje")] })).await;
    let moment = |text: &str| Cell::DateTime(text.parse().unwrap());
    let time = |text: &str| Cell::Text(text.to_owned());
    let told: HashSet<String> = listed.iter().map(|row| format!("{:?}", &row[..2])).collect();
    let expected = [("2026-03-05T23:50", "06:10"), ("2026-03-04T09:05", "23:59"), ("2026-03-04T09:04", "00:01")];
    assert_eq!(told, expected.map(|(at, clock)| format!("{:?}", [moment(at), time(clock)])).into());
    let of = |code: &str, mera: &str| json!({ "mera": mera, "poljeID": case.register.fields[code] });
    let mere = json!([
        of("vrata", "minimum"),
        of("vrata", "maksimum"),
        of("igla", "minimum"),
        of("budjenje", "minimum"),
        of("budjenje", "maksimum")
    ]);
    let found = rows(json!({ "prikaz": "grupe", "mere": mere })).await;
    let [row] = &found[..] else { panic!("{found:?}") };
    let extremes = [moment("2026-03-04T09:04"), moment("2026-03-05T23:50"), moment("2026-03-04T10:00"), time("00:01"), time("23:59")];
    assert_eq!(row[row.len() - 5..], extremes, "{row:?}");
}
