//! Schedules: kept, shown beforehand, changed, deleted, by their owner only.

use jiff::{SignedDuration, ToSpan};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Field, Report, SET, log_of, merge};
use crate::support::{TestApp, Worker, keys};

async fn send(worker: &Worker, mut request: Value, change: Value) -> crate::support::Answer {
    merge(&mut request, change);
    worker.post("/api/report-queue", request).await
}

#[tokio::test]
async fn a_schedule_is_kept_listed_and_described() {
    let app = TestApp::new().await;
    let report = Report::plain(&app.db).await;
    let lekar = app.lekar().await;
    let answer = send(&lekar, report.weekly(&lekar), json!({ "emails": ["ana@kcs.rs"], "danNedelja": [5, 2, 5] })).await;
    answer.assert_status(202);
    assert_eq!(answer.keys(), ["zakazivanjeID"]);
    let id = answer.json()["zakazivanjeID"].as_i64().unwrap();

    let listed = lekar.get(&format!("/api/report-schedules?izvestaj={}", report.id)).await.json();
    assert_eq!(listed["total"], 1);
    let schedule = &listed["data"][0];
    assert_eq!(schedule, &lekar.get(&format!("/api/report-schedules/{id}")).await.json());
    assert_eq!(
        keys(schedule),
        [
            "danMesec",
            "danNedelja",
            "emails",
            "formati",
            "grupe",
            "izvestajID",
            "naziv",
            "opis",
            "parametri",
            "parametriOpis",
            "pauziranoOd",
            "period",
            "politikaDana",
            "ponavljanje",
            "primaoci",
            "razlogPauze",
            "registarID",
            "sledeceIzvrsavanje",
            "ustanova",
            "vaziDo",
            "vaziOd",
            "vremeIzvrsavanjaJednostruko",
            "vremeIzvrsavanjaVisetruko",
            "vremenskaZona",
            "zakazivanjeID",
        ]
    );
    assert_eq!(schedule["danNedelja"], json!([2, 5]));
    assert_eq!(schedule["vremeIzvrsavanjaVisetruko"], "07:30");
    assert_eq!(schedule["formati"], json!(["PDF", "XLSX", "CSV"]));
    assert_eq!(schedule["opis"], "svakog ponedeljka i četvrtka u 07:30");
    let preview = lekar.post("/api/report-schedules/preview", {
        let mut request = report.weekly(&lekar);
        request["danNedelja"] = json!([2, 5]);
        request
    });
    let preview = preview.await.json();
    assert_eq!(preview["sledeca"].as_array().unwrap().len(), 5);
    assert_eq!(preview["sledeca"][0], schedule["sledeceIzvrsavanje"]);
    assert_eq!((preview["zona"].clone(), preview["upozorenje"].clone()), (json!("Europe/Belgrade"), json!(null)));
    assert_eq!(log_of(&app, "report_schedule").await[0].0, "kreiranje");
    assert_eq!(lekar.get(&format!("/api/report-schedules?izvestaj={}", report.id + 1)).await.json()["total"], 0);
}

#[tokio::test]
async fn the_next_time_is_told_by_the_clock_of_the_schedules_own_zone() {
    let app = TestApp::new().await;
    let report = Report::plain(&app.db).await;
    let lekar = app.lekar().await;
    let mut request = report.weekly(&lekar);
    merge(&mut request, json!({ "vreme": "07:30", "vremenskaZona": "America/New_York" }));
    let id = lekar.post("/api/report-queue", request.clone()).await.json()["zakazivanjeID"].clone();
    let kept = lekar.get(&format!("/api/report-schedules/{id}")).await.json();
    assert_eq!(kept["vremenskaZona"], "America/New_York");
    let next = kept["sledeceIzvrsavanje"].as_str().unwrap();
    assert!(next.ends_with(" 07:30"), "{next}");
    let preview = lekar.post("/api/report-schedules/preview", request).await.json();
    assert_eq!((&preview["sledeca"][0], &preview["zona"]), (&kept["sledeceIzvrsavanje"], &json!("America/New_York")));
}

#[tokio::test]
async fn a_single_execution_must_lie_ahead() {
    let app = TestApp::new().await;
    let report = Report::plain(&app.db).await;
    let lekar = app.lekar().await;
    let here = app.state.clock.now().to_zoned(domain::time::zone());
    let text = |at: jiff::Zoned| at.strftime("%Y-%m-%d %H:%M").to_string();
    let once = json!({ "ponavljanje": 0, "vreme": null, "period": null, "danNedelja": [] });
    let mut request = report.weekly(&lekar);
    merge(&mut request, once);
    let past = send(&lekar, request.clone(), json!({ "datumVreme": text(&here - 1.minute()) })).await;
    past.assert_error(422, Some("datumVreme"), "Vreme izvršavanja je u prošlosti.");
    merge(&mut request, json!({ "datumVreme": text(&here - 1.minute()) }));
    lekar.post("/api/report-schedules/preview", request.clone()).await.assert_status(422);
    let ahead = text(&here + 2.hours());
    let id = send(&lekar, request, json!({ "datumVreme": ahead })).await.json()["zakazivanjeID"].clone();
    let kept = lekar.get(&format!("/api/report-schedules/{id}")).await.json();
    assert_eq!(kept["vremeIzvrsavanjaJednostruko"], json!(ahead));
    assert_eq!(kept["sledeceIzvrsavanje"], json!(ahead));
    assert_eq!((kept["period"].clone(), kept["vremeIzvrsavanjaVisetruko"].clone()), (json!(null), json!(null)));
}

#[tokio::test]
async fn what_makes_no_rule_is_refused_at_its_field() {
    let app = TestApp::new().await;
    let report = Report::plain(&app.db).await;
    let lekar = app.lekar().await;
    let never = "Zakazivanje nikada ne bi bilo izvršeno.";
    let cases = [
        (json!({ "vreme": "" }), "vreme", "Niste uneli vreme izvršavanja."),
        (json!({ "vreme": "7:30" }), "vreme", "Vreme izvršavanja nije ispravno."),
        (json!({ "danNedelja": [] }), "danNedelja", "Izaberite bar jedan dan u nedelji."),
        (json!({ "danNedelja": [0] }), "danNedelja", "Dan u nedelji nije ispravan."),
        (json!({ "period": 2 }), "danMesec", "Izaberite bar jedan dan u mesecu."),
        (json!({ "period": 2, "danMesec": [32] }), "danMesec", "Dan u mesecu nije ispravan."),
        (json!({ "period": null }), "period", "Niste izabrali period."),
        (json!({ "periodOd": "2099-05-02", "periodDo": "2099-05-01" }), "periodDo", "Drugi datum ne sme biti pre prvog datuma."),
        (json!({ "periodDo": "2020-01-01" }), "periodDo", never),
        (json!({ "period": 2, "danMesec": [31], "periodOd": "2099-02-01", "periodDo": "2099-02-28" }), "danMesec", never),
        (json!({ "vremenskaZona": "Mars/Olimp" }), "vremenskaZona", "Vremenska zona „Mars/Olimp” nije poznata."),
        (json!({ "emails": ["nije"] }), "emails", "Adresa „nije” nije ispravna."),
    ];
    for (change, field, message) in cases {
        send(&lekar, report.weekly(&lekar), change).await.assert_error(422, Some(field), message);
    }
    assert_eq!(lekar.get("/api/report-schedules").await.json()["total"], 0);
}

#[tokio::test]
async fn days_that_february_lacks_are_warned_of_before_saving() {
    let app = TestApp::new().await;
    let report = Report::plain(&app.db).await;
    let lekar = app.lekar().await;
    let preview = async |change: Value| {
        let mut request = report.weekly(&lekar);
        merge(&mut request, change);
        lekar.post("/api/report-schedules/preview", request).await.json()
    };
    let skipping = preview(json!({ "period": 2, "danMesec": [31] })).await;
    assert_eq!(skipping["upozorenje"], "U mesecima koji nemaju 31. dan taj dan se preskače.");
    let days: Vec<&str> = skipping["sledeca"].as_array().unwrap().iter().map(|at| &at.as_str().unwrap()[8..10]).collect();
    assert_eq!(days, ["31"; 5]);
    let last = preview(json!({ "period": 2, "danMesec": [31], "politikaDana": "last_day" })).await;
    assert_eq!(last["upozorenje"], json!(null));
    let never = preview(json!({ "period": 2, "danMesec": [31], "periodOd": "2099-02-01", "periodDo": "2099-02-28" })).await;
    assert_eq!((never["sledeca"].clone(), never["upozorenje"].is_string()), (json!([]), true));
}

#[tokio::test]
async fn the_preview_speaks_by_the_clock_of_the_chosen_zone() {
    let app = TestApp::new().await;
    let report = Report::plain(&app.db).await;
    let lekar = app.lekar().await;
    let mut request = report.weekly(&lekar);
    merge(&mut request, json!({ "period": 0, "vremenskaZona": "America/New_York", "vreme": "09:15" }));
    let preview = lekar.post("/api/report-schedules/preview", request).await.json();
    assert_eq!(preview["zona"], "America/New_York");
    assert!(preview["sledeca"].as_array().unwrap().iter().all(|at| at.as_str().unwrap().ends_with(" 09:15")), "{preview}");
}

#[tokio::test]
async fn the_owner_changes_a_schedule_and_its_next_time_with_it() {
    let app = TestApp::new().await;
    let report = Report::plain(&app.db).await;
    let lekar = app.lekar().await;
    let id = send(&lekar, report.weekly(&lekar), json!({})).await.json()["zakazivanjeID"].as_i64().unwrap();
    let change = json!({ "zakazivanjeIzvestajaIzmenaID": id, "period": 0, "vreme": "23:59", "danNedelja": [], "formati": ["PDF"] });
    let answer = send(&lekar, report.weekly(&lekar), change.clone()).await;
    assert_eq!(answer.json(), json!({ "zakazivanjeID": id }));
    let kept = lekar.get(&format!("/api/report-schedules/{id}")).await.json();
    assert_eq!(
        (kept["opis"].clone(), kept["formati"].clone(), kept["danNedelja"].clone()),
        (json!("svakog dana u 23:59"), json!(["PDF"]), json!([]))
    );
    assert!(kept["sledeceIzvrsavanje"].as_str().unwrap().ends_with("23:59"), "{kept}");
    let log: Vec<String> = log_of(&app, "report_schedule").await.into_iter().map(|row| row.0).collect();
    assert_eq!(log, ["kreiranje", "izmena"]);

    let bad = json!({ "zakazivanjeIzvestajaIzmenaID": id, "vreme": "" });
    send(&lekar, report.weekly(&lekar), bad).await.assert_error(422, Some("vreme"), "Niste uneli vreme izvršavanja.");
    let another = Report::plain(&app.db).await;
    let moved = send(&lekar, another.weekly(&lekar), json!({ "zakazivanjeIzvestajaIzmenaID": id })).await;
    moved.assert_error(422, Some("siID"), "Zakazivanje pripada drugom izveštaju.");

    let admin = app.admin().await;
    send(&admin, report.weekly(&admin), change).await.assert_status(404);
    assert_eq!(lekar.get(&format!("/api/report-schedules/{id}")).await.json(), kept, "nobody else changed it");
}

#[tokio::test]
async fn only_the_owner_sees_and_deletes_a_schedule() {
    let app = TestApp::new().await;
    let report = Report::plain(&app.db).await;
    let (lekar, admin) = (app.lekar().await, app.admin().await);
    let id = send(&lekar, report.weekly(&lekar), json!({})).await.json()["zakazivanjeID"].as_i64().unwrap();
    let path = format!("/api/report-schedules/{id}");
    assert_eq!(admin.get("/api/report-schedules").await.json()["total"], 0);
    admin.get(&path).await.assert_status(404);
    admin.delete(&path).await.assert_status(404);

    lekar.delete(&path).await.assert_status(204);
    lekar.delete(&path).await.assert_status(404);
    lekar.get(&path).await.assert_status(404);
    assert_eq!(lekar.get("/api/report-schedules").await.json()["total"], 0);
    send(&lekar, report.weekly(&lekar), json!({ "zakazivanjeIzvestajaIzmenaID": id })).await.assert_status(404);
    let next: Option<jiff_sqlx::Timestamp> = sqlx::query_scalar("select sledece_izvrsavanje from report_schedule where id = $1")
        .bind(id)
        .fetch_one(&app.db.owner)
        .await
        .unwrap();
    assert!(next.is_none(), "a deleted schedule has no next time");
    assert_eq!(log_of(&app, "report_schedule").await[1].0, "brisanje");
}

#[tokio::test]
async fn the_same_key_makes_one_schedule() {
    let app = TestApp::new().await;
    let report = Report::plain(&app.db).await;
    let lekar = app.lekar().await;
    let mut request = report.weekly(&lekar);
    request["kljuc"] = json!(Uuid::now_v7());
    let sent = (0..4).map(|_| lekar.post("/api/report-queue", request.clone()));
    let ids: Vec<Value> = futures::future::join_all(sent).await.iter().map(|answer| answer.json()["zakazivanjeID"].clone()).collect();
    assert!(ids.iter().all(|id| *id == ids[0] && id.is_i64()), "{ids:?}");
    assert_eq!(lekar.get("/api/report-schedules").await.json()["total"], 1);

    // A retry that comes after the time itself is still answered as the first try was.
    let here = app.state.clock.now().to_zoned(domain::time::zone()) + 2.minutes();
    merge(&mut request, json!({ "kljuc": Uuid::now_v7(), "ponavljanje": 0, "datumVreme": here.strftime("%Y-%m-%d %H:%M").to_string() }));
    let first = lekar.post("/api/report-queue", request.clone()).await.json();
    app.advance(SignedDuration::from_mins(5));
    assert_eq!(lekar.post("/api/report-queue", request).await.json(), first);
}

#[tokio::test]
async fn a_schedule_keeps_its_institution_when_its_hour_is_edited_from_another_one() {
    let app = TestApp::new().await;
    let upit = "select :ustanovaID, naziv from ustanova where id = :ustanovaID::bigint";
    let report = Report::with(&app.db, "ustanova", &[Field::new(SET, "gde", "Gde").query(upit)]).await;
    let lekar = app.lekar().await;
    let here = json!({ "parametri": { "gde": app.ustanova.to_string() } });
    let id = send(&lekar, report.weekly(&lekar), here.clone()).await.json()["zakazivanjeID"].as_i64().unwrap();
    app.join(&lekar, app.druga_ustanova).await;
    app.lay_out(&["update worker set ustanova_id = (select id from institution where naziv = 'Klinika B') where username = 'lekar'"]).await;

    let parameter = report.parameter_id(&app.db, "gde").await;
    let offered = async |query: &str| {
        lekar.get(&format!("/api/report-parameters/{parameter}/options{query}")).await.json()["data"][0]["label"].clone()
    };
    assert_eq!(offered("").await, "Klinika B");
    assert_eq!(offered(&format!("?zakazivanjeID={id}")).await, "Klinika A", "what is edited is offered its own institution's values");
    let mut edit = report.weekly(&lekar);
    merge(&mut edit, json!({ "zakazivanjeIzvestajaIzmenaID": id, "vreme": "09:15" }));
    send(&lekar, edit.clone(), here.clone()).await.assert_status(202);
    let kept: i64 =
        sqlx::query_scalar("select ustanova_id from report_schedule where id = $1").bind(id).fetch_one(&app.db.owner).await.unwrap();
    assert_eq!(kept, app.ustanova);
    let card = lekar.get(&format!("/api/report-schedules/{id}")).await.json();
    assert_eq!((&card["ustanova"], &card["vremeIzvrsavanjaVisetruko"]), (&json!("Klinika A"), &json!("09:15")));

    app.lay_out(&["delete from worker_institution where ustanova_id = (select id from institution where naziv = 'Klinika A')"]).await;
    let message = "Zakazivanje je ustanove „Klinika A”, a vi više niste njen radnik. Možete samo da ga obrišete.";
    send(&lekar, edit, here).await.assert_error(403, None, message);
}
