//! Whom a report may be mailed to: domains, numbers.

use serde_json::{Value, json};

use accounts::rights::Right;
use domain::db;

use super::{Report, merge, succeed};
use crate::support::{TestApp, Worker};

async fn order(worker: &Worker, mut request: Value, to: Value) -> crate::support::Answer {
    merge(&mut request, to);
    worker.post("/api/report-queue", request).await
}

async fn set(admin: &Worker, naziv: &str, vrednost: &str) {
    admin.post("/api/parameters", json!({ "naziv": naziv, "vrednost": vrednost })).await.assert_status(201);
}

#[tokio::test]
async fn an_address_outside_of_the_allowed_domains_is_refused_now_and_for_later() {
    let app = TestApp::new().await;
    let report = Report::plain(&app.db).await;
    let (lekar, admin) = (app.lekar().await, app.admin().await);
    set(&admin, "izvestajDomeniPrimalaca", "kcs.rs, .bolnica.rs").await;
    let message = "Adresa „ana@gmail.com” je na domenu „gmail.com”, na koji se izveštaji ne šalju. Dozvoljeni domeni: kcs.rs, bolnica.rs.";
    for request in [report.request(&lekar, json!({})), report.weekly(&lekar)] {
        let refused = order(&lekar, request.clone(), json!({ "emails": ["sef@kcs.rs", "ana@gmail.com"] })).await;
        refused.assert_error(422, Some("emails"), message);
        order(&lekar, request, json!({ "emails": ["sef@kcs.rs", "ana@lab.Bolnica.rs"] })).await.assert_status(202);
    }
    // A blank list allows every domain again.
    set(&admin, "izvestajDomeniPrimalaca", " ").await;
    order(&lekar, report.request(&lekar, json!({})), json!({ "emails": ["ana@gmail.com"] })).await.assert_status(202);
}

#[tokio::test]
async fn more_recipients_than_twenty_need_the_parameter() {
    let app = TestApp::new().await;
    let report = Report::plain(&app.db).await;
    let (lekar, admin) = (app.lekar().await, app.admin().await);
    let crowd: Vec<String> = (0..21).map(|n| format!("radnik{n}@kcs.rs")).collect();
    let refused = order(&lekar, report.request(&lekar, json!({})), json!({ "emails": crowd })).await;
    refused.assert_error(422, Some("emails"), "Izveštaj može da ima najviše 20 primalaca, a izabrano ih je 21.");
    set(&admin, "izvestajNajvisePrimalaca", "21").await;
    order(&lekar, report.request(&lekar, json!({})), json!({ "emails": crowd })).await.assert_status(202);
}

#[tokio::test]
async fn a_parameter_of_recipients_that_says_nothing_clear_is_not_saved() {
    let app = TestApp::new().await;
    let admin = app.admin().await;
    let no_domain = "„kcs” nije domen. Unesite domene kao „bolnica.rs”, razdvojene zarezom.";
    let no_number = "Unesite ceo broj od 1 do 500.";
    for (naziv, vrednost, message) in [
        ("izvestajDomeniPrimalaca", "kcs.rs, kcs", no_domain),
        ("izvestajNajvisePrimalaca", "0", no_number),
        ("izvestajNajvisePrimalaca", "501", no_number),
        ("izvestajNajvisePrimalaca", "mnogo", no_number),
        ("izvestajNajvisePrimalaca", "", "Niste uneli vrednost."),
    ] {
        let refused = admin.post("/api/parameters", json!({ "naziv": naziv, "vrednost": vrednost })).await;
        refused.assert_error(422, Some("vrednost"), message);
    }
}

#[tokio::test]
async fn a_wording_that_nobody_can_fill_in_is_not_saved() {
    let app = TestApp::new().await;
    let (admin, lekar) = (app.admin().await, app.lekar().await);
    let known = "Možete upotrebiti: {izvestaj}, {period}, {ustanova}, {posiljalac}, {aplikacija}, {vrsta}.";
    let braces = "Vitičaste zagrade stoje samo oko oznake, na primer {izvestaj}.";
    let long = "š".repeat(201);
    for (naziv, vrednost, message) in [
        ("izvestajNaslovPoruke", "{izvestaj} – {datum}", format!("Oznaka „{{datum}}” ne postoji. {known}")),
        ("izvestajTekstPoruke", "{Pacijent}", format!("Oznaka „{{Pacijent}}” ne postoji. {known}")),
        ("izvestajImeFajla", "{izvestaj}-{jmbg}", format!("Oznaka „{{jmbg}}” ne postoji. {known}")),
        ("izvestajNaslovPoruke", "{izvestaj", braces.to_owned()),
        ("izvestajNaslovPoruke", "Izveštaj\r\nBcc: x@y.rs", "Naslov poruke mora biti u jednom redu.".to_owned()),
        ("izvestajNaslovPoruke", &long, "Naslov poruke može imati najviše 200 znakova.".to_owned()),
        ("izvestajImeFajla", "a\nb", "Ime fajla mora biti u jednom redu.".to_owned()),
        ("izvestajTekstPoruke", " ", "Niste uneli vrednost.".to_owned()),
    ] {
        let refused = admin.post("/api/parameters", json!({ "naziv": naziv, "vrednost": vrednost })).await;
        refused.assert_error(422, Some("vrednost"), &message);
    }
    // The other way of saving asks the same, and who may not save parameters may not save these.
    let saved = admin.post("/api/parameters", json!({ "naziv": "izvestajTekstPoruke", "vrednost": "Poštovani,\n{vrsta} stiže." })).await;
    saved.assert_status(201);
    let record = saved.json();
    let mut change = json!({ "naziv": "izvestajTekstPoruke", "vrednost": "{datum}" });
    merge(&mut change, json!({ "verzija": record["verzija"] }));
    let refused = admin.put(&format!("/api/parameters/{}", record["id"]), change).await;
    refused.assert_error(422, Some("vrednost"), &format!("Oznaka „{{datum}}” ne postoji. {known}"));
    lekar.post("/api/parameters", json!({ "naziv": "izvestajTekstPoruke", "vrednost": "x" })).await.assert_status(403);
}

/// Whom the run was made for: address, and the worker's name where one was meant.
async fn meant(worker: &Worker, run: &str) -> Vec<(String, Option<String>)> {
    let shown = worker.get(&format!("/api/report-runs/{run}")).await.json();
    let recipients = shown["primaoci"].as_array().expect("recipients").clone();
    recipients.iter().map(|one| (one["adresa"].as_str().unwrap().to_owned(), one["radnik"].as_str().map(str::to_owned))).collect()
}

async fn colleague(app: &TestApp, username: &str, ustanova: i64) -> Worker {
    let worker = app.worker(username, &[Right::Reports], ustanova).await;
    let mut tx = db::begin(&app.db.owner, db::SYSTEM_WORKER).await.unwrap();
    let email = format!("{username}@kcs.rs");
    sqlx::query("update worker set email = $1 where id = $2").bind(email).bind(worker.id).execute(&mut *tx).await.unwrap();
    tx.commit().await.unwrap();
    worker
}

async fn group(admin: &Worker, body: Value) -> i64 {
    let made = admin.post("/api/recipient-groups", body).await;
    made.assert_status(201);
    made.json()["id"].as_i64().unwrap()
}

#[tokio::test]
async fn workers_groups_and_typed_addresses_are_mailed_each_address_once() {
    let app = TestApp::new().await;
    let report = Report::plain(&app.db).await;
    let (lekar, admin) = (app.lekar().await, app.admin().await);
    let (ana, mika) = (colleague(&app, "ana", app.ustanova).await, colleague(&app, "mika", app.ustanova).await);
    let chosen =
        group(&admin, json!({ "naziv": "Kolegijum", "radnici": [mika.id, ana.id], "emails": ["Sef@kcs.rs", "drugi@kcs.rs"] })).await;
    let to = json!({ "emails": ["sef@kcs.rs"], "primaoci": [ana.id, ana.id], "grupe": [chosen] });
    let run = order(&lekar, report.request(&lekar, json!({})), to).await.json()["izvestajID"].as_str().unwrap().to_owned();
    let one = |address: &str, name: Option<&str>| (address.to_owned(), name.map(str::to_owned));
    assert_eq!(
        meant(&lekar, &run).await,
        [one("sef@kcs.rs", None), one("ana@kcs.rs", Some("Ana Test")), one("drugi@kcs.rs", None), one("mika@kcs.rs", Some("Mika Test"))]
    );
}

#[tokio::test]
async fn whom_a_worker_may_choose_is_offered_and_anybody_else_is_refused() {
    let app = TestApp::new().await;
    let report = Report::plain(&app.db).await;
    let (lekar, admin, sestra) = (app.lekar().await, app.admin().await, app.sestra().await);
    let ana = colleague(&app, "ana", app.ustanova).await;
    let strana = colleague(&app, "strana", app.druga_ustanova).await;
    let nema = app.worker("nema", &[], app.ustanova).await;
    let tudja = group(&admin, json!({ "naziv": "Druga kuća", "ustanovaID": app.druga_ustanova, "emails": ["x@kcs.rs"] })).await;
    group(&admin, json!({ "naziv": "Svi načelnici", "emails": ["y@kcs.rs"] })).await;

    let offered = lekar.get("/api/report-recipients?trazi=").await.json();
    let workers: Vec<i64> = offered["radnici"].as_array().unwrap().iter().map(|one| one["id"].as_i64().unwrap()).collect();
    assert!(workers.contains(&ana.id) && !workers.contains(&strana.id) && !workers.contains(&nema.id), "{offered}");
    assert_eq!(offered["grupe"].as_array().unwrap().iter().map(|one| &one["naziv"]).collect::<Vec<_>>(), ["Svi načelnici"]);
    assert_eq!(lekar.get("/api/report-recipients?trazi=NACELNICI").await.json()["grupe"][0]["clanova"], 1);
    sestra.get("/api/report-recipients?trazi=").await.assert_status(403);

    let gone = "Izabrani radnik više nema nalog ili nije u vašoj ustanovi. Uklonite ga iz primalaca.";
    let silent = "Nema Test: u nalogu nema ispravne e-mail adrese. Uklonite ovog primaoca.";
    let foreign = "Izabrana grupa primalaca više ne postoji ili nije za vašu ustanovu. Uklonite je iz primalaca.";
    for (to, message) in [
        (json!({ "primaoci": [strana.id] }), gone),
        (json!({ "primaoci": [999_999] }), gone),
        (json!({ "primaoci": [nema.id] }), silent),
        (json!({ "grupe": [tudja] }), foreign),
    ] {
        order(&lekar, report.request(&lekar, json!({})), to).await.assert_error(422, Some("emails"), message);
    }
}

#[tokio::test]
async fn a_group_that_a_schedule_is_mailed_to_is_not_deleted() {
    let app = TestApp::new().await;
    let report = Report::plain(&app.db).await;
    let (lekar, admin) = (app.lekar().await, app.admin().await);
    let chosen = group(&admin, json!({ "naziv": "Kolegijum", "emails": ["sef@kcs.rs"] })).await;
    let made = order(&lekar, report.weekly(&lekar), json!({ "grupe": [chosen] })).await.json();
    let refused = admin.delete(&format!("/api/recipient-groups/{chosen}")).await;
    assert_eq!(refused.status, 409, "{}", refused.text());
    assert!(refused.text().contains("prima zakazani izveštaj „Izveštaj o đacima (Lekar Test)”"), "{}", refused.text());
    let schedule = format!("/api/report-schedules/{}", made["zakazivanjeID"]);
    assert_eq!(lekar.get(&schedule).await.json()["grupe"], json!([{ "id": chosen, "naziv": "Kolegijum", "dostupan": true }]));
    lekar.delete(&schedule).await.assert_status(204);
    admin.delete(&format!("/api/recipient-groups/{chosen}")).await.assert_status(204);
}

/// An administrator of reports without the reach of all institutions, at hospital A; the groups of B are none of her business.
#[tokio::test]
async fn groups_of_other_institutions_are_neither_seen_nor_changed_nor_joined() {
    let app = TestApp::new().await;
    let admin = app.admin().await;
    let strana = colleague(&app, "strana", app.druga_ustanova).await;
    let ana = colleague(&app, "ana", app.ustanova).await;
    let theirs = group(&admin, json!({ "naziv": "Kuća B", "ustanovaID": app.druga_ustanova, "radnici": [strana.id] })).await;
    let all = group(&admin, json!({ "naziv": "Svi", "emails": ["svi@kcs.rs"] })).await;
    let local = app.worker("lokalna", &[Right::Reports, Right::ReportSetup], app.ustanova).await;
    let own = group(&local, json!({ "naziv": "Kuća A", "ustanovaID": app.ustanova, "radnici": [ana.id] })).await;

    let seen = local.get("/api/recipient-groups?aktivan=true").await.json();
    assert_eq!((seen["total"].as_i64(), seen["data"][0]["id"].as_i64()), (Some(1), Some(own)), "{seen}");
    for group in [theirs, all] {
        let path = format!("/api/recipient-groups/{group}");
        local.get(&path).await.assert_status(404);
        local.patch(&path, json!({ "emails": ["moj@posta.rs"] })).await.assert_status(404);
        local.patch(&path, json!({ "aktivan": false })).await.assert_status(404);
        local.delete(&path).await.assert_status(404);
        admin.delete(&path).await.assert_status(204);
        local.patch(&path, json!({ "aktivan": true })).await.assert_status(404);
        admin.patch(&path, json!({ "aktivan": true })).await.assert_status(200);
    }
    let path = format!("/api/recipient-groups/{own}");
    let closed = "Ne administrirate izabranu ustanovu.";
    let of_all = "Izaberite ustanovu. Grupu za sve ustanove pravi administrator svih ustanova.";
    for (body, field, message) in [
        (json!({ "ustanovaID": app.druga_ustanova }), "ustanovaID", closed),
        (json!({ "ustanovaID": null }), "ustanovaID", of_all),
        (json!({ "radnici": [ana.id, strana.id] }), "radnici", "Izabrani radnik ne postoji."),
    ] {
        local.patch(&path, body).await.assert_error(422, Some(field), message);
    }
    let offered = local.get("/api/recipient-group-workers?trazi=").await.json();
    let ids: Vec<i64> = offered["radnici"].as_array().unwrap().iter().map(|one| one["id"].as_i64().unwrap()).collect();
    assert!(ids.contains(&ana.id) && !ids.contains(&strana.id), "{offered}");
}

#[tokio::test]
async fn who_joins_a_group_of_a_schedule_and_what_is_attached_asks_for_the_password() {
    let app = TestApp::new().await;
    let report = Report::plain(&app.db).await;
    let (lekar, admin) = (app.lekar().await, app.admin().await);
    let chosen = group(&admin, json!({ "naziv": "Kolegijum", "emails": ["sef@kcs.rs", "drugi@kcs.rs"] })).await;
    let path = format!("/api/recipient-groups/{chosen}");
    app.lay_out(&["update session set potvrdjeno_at = null"]).await;
    admin.patch(&path, json!({ "emails": ["sef@kcs.rs", "drugi@kcs.rs", "treci@kcs.rs"] })).await.assert_status(200);
    order(&lekar, report.weekly(&lekar), json!({ "grupe": [chosen] })).await.assert_status(202);
    admin.patch(&path, json!({ "emails": ["sef@kcs.rs", "moj@posta.rs"] })).await.assert_status(428);
    admin.patch(&path, json!({ "emails": ["sef@kcs.rs"] })).await.assert_status(200);
    admin.patch(&format!("/api/reports/{}", report.id), json!({ "prilogUMejlu": true })).await.assert_status(428);
}

#[tokio::test]
async fn a_group_says_what_is_wrong_with_it() {
    let app = TestApp::new().await;
    let admin = app.admin().await;
    for (body, field, message) in [
        (json!({ "emails": ["a@kcs.rs"] }), "naziv", "Niste uneli naziv."),
        (json!({ "naziv": "G" }), "emails", "Grupa nema nijednog člana. Izaberite radnike ili upišite adrese."),
        (json!({ "naziv": "G", "emails": ["a@kcs.rs", "ana"] }), "emails", "Adresa „ana” nije ispravna."),
        (json!({ "naziv": "G", "radnici": [999_999] }), "radnici", "Izabrani radnik ne postoji."),
    ] {
        admin.post("/api/recipient-groups", body).await.assert_error(422, Some(field), message);
    }
    app.lekar().await.get("/api/recipient-groups").await.assert_status(403);
}

/// A finished run that was mailed to `ana` and to `x@posta.rs`.
async fn mailed(app: &TestApp, report: &Report, lekar: &Worker, ana: &Worker) -> String {
    let to = json!({ "emails": ["x@posta.rs"], "primaoci": [ana.id] });
    let run = order(lekar, report.request(lekar, json!({})), to).await.json()["izvestajID"].as_str().unwrap().to_owned();
    succeed(app, run.parse().unwrap(), b"pol;broj\n").await;
    for (address, status, code, text) in [("ana@kcs.rs", "sent", 250, "kept"), ("x@posta.rs", "failed", 550, "no such user")] {
        sqlx::query(
            "insert into report_delivery (run_id, address, message_id, status, smtp_code, smtp_text, sent_at)
             values ($1::uuid, $2, '<a.b@regix.test>', $3, $4, $5, now())",
        )
        .bind(&run)
        .bind(address)
        .bind(status)
        .bind(code)
        .bind(text)
        .execute(&app.db.owner)
        .await
        .unwrap();
    }
    run
}

#[tokio::test]
async fn the_requester_sees_who_opened_it_and_what_the_server_answered() {
    let app = TestApp::new().await;
    let report = Report::plain(&app.db).await;
    let lekar = app.lekar().await;
    let ana = colleague(&app, "ana", app.ustanova).await;
    let run = mailed(&app, &report, &lekar, &ana).await;
    let path = format!("/api/report-runs/{run}");
    let before = lekar.get(&path).await.json();
    assert_eq!((&before["primaoci"][1]["radnik"], &before["primaoci"][1]["otvaranja"]), (&json!("Ana Test"), &json!(0)));
    assert_eq!(before["primaoci"][0]["opis"], "Primalac sa tom adresom ne postoji ili ne prima poštu. Odgovor servera: no such user");
    assert_eq!((&before["primaoci"][0]["imaNalog"], &before["primaoci"][1]["imaNalog"]), (&json!(false), &json!(true)));

    // Looks that follow one another are one opening; the requester's own are none.
    for _ in 0..3 {
        let shown = ana.get(&path).await.json();
        assert_eq!(shown["primaoci"], json!([]), "who else got it is the requester's to know");
    }
    // The account is meant, whatever its address is meanwhile.
    app.lay_out(&["update worker set email = 'ana@nova.rs' where username = 'ana'"]).await;
    ana.get(&path).await.assert_status(200);
    let after = lekar.get(&path).await.json();
    assert_eq!(after["primaoci"][1]["otvaranja"], 1);
    assert!(after["primaoci"][1]["otvoreno"].is_string(), "{after}");
    let later = "update report_recipient set poslednje_otvaranje = now() - interval '11 minutes' where otvaranja > 0";
    sqlx::query(later).execute(&app.db.owner).await.unwrap();
    ana.get(&format!("{path}/download?format=CSV")).await.assert_status(200);
    assert_eq!(lekar.get(&path).await.json()["primaoci"][1]["otvaranja"], 2);
}

#[tokio::test]
async fn a_run_is_mailed_again_to_one_and_once_however_often_the_button_is_pressed() {
    let app = TestApp::new().await;
    let report = Report::plain(&app.db).await;
    let (lekar, admin) = (app.lekar().await, app.admin().await);
    let ana = colleague(&app, "ana", app.ustanova).await;
    let run = mailed(&app, &report, &lekar, &ana).await;
    let path = format!("/api/report-runs/{run}/send");
    let again = json!({ "adresa": "ana@kcs.rs", "redniBroj": 1 });
    for other in [&*admin, &ana] {
        other.post(&path, again.clone()).await.assert_status(404);
    }
    let pressed = futures::future::join_all((0..3).map(|_| lekar.post(&path, again.clone()))).await;
    assert!(pressed.iter().all(|answer| answer.status == 202));
    let rows: Vec<(String, i32, String)> =
        sqlx::query_as("select address, redni_broj, message_id from report_delivery where run_id = $1::uuid order by address, redni_broj")
            .bind(&run)
            .fetch_all(&app.db.owner)
            .await
            .unwrap();
    let row = |address: &str, number, id: &str| (address.to_owned(), number, id.to_owned());
    assert_eq!(
        rows,
        [row("ana@kcs.rs", 1, "<a.b@regix.test>"), row("ana@kcs.rs", 2, "<a.b.p2@regix.test>"), row("x@posta.rs", 1, "<a.b@regix.test>")]
    );
    let busy = "Slanje na ovu adresu još traje. Sačekajte da se završi.";
    lekar.post(&path, json!({ "adresa": "ana@kcs.rs", "redniBroj": 2 })).await.assert_error(409, None, busy);
    let unknown = "Ovaj izveštaj nije poslat na tu adresu.";
    lekar.post(&path, json!({ "adresa": "z@kcs.rs", "redniBroj": 0 })).await.assert_error(422, Some("adresa"), unknown);

    // What is allowed is asked anew.
    set(&admin, "izvestajDomeniPrimalaca", "kcs.rs").await;
    lekar.post(&path, json!({ "adresa": "x@posta.rs", "redniBroj": 1 })).await.assert_status(422);
    app.lay_out(&["update report_run set expires_at = now()"]).await;
    lekar.post(&path, json!({ "adresa": "x@posta.rs", "redniBroj": 1 })).await.assert_status(410);
    app.lay_out(&["delete from role_right where uloga_id = (select id from role where ime = 'Uloga radnika lekar')"]).await;
    lekar.post(&path, json!({ "adresa": "x@posta.rs", "redniBroj": 1 })).await.assert_status(403);
}

/// A link is opened with an account only: addresses that no colleague has are asked about, whoever else has them, and not where the file
/// itself is attached.
#[tokio::test]
async fn a_link_for_an_address_without_account_is_asked_about_first() {
    let app = TestApp::new().await;
    let lekar = app.lekar().await;
    let colleague = app.worker("koleginica", &[Right::Reports], app.ustanova).await;
    let elsewhere = app.worker("daleko", &[Right::Reports], app.druga_ustanova).await;
    for (id, email) in [(colleague.id, "Koleginica@kcs.rs"), (elsewhere.id, "daleko@kcs.rs")] {
        let mut tx = domain::db::begin(&app.db.owner, domain::db::SYSTEM_WORKER).await.unwrap();
        sqlx::query("update worker set email = $2 where id = $1").bind(id).bind(email).execute(&mut *tx).await.unwrap();
        tx.commit().await.unwrap();
    }
    let report = Report::plain(&app.db).await;
    let ask =
        async |request: Value, emails: Value, asked: bool| order(&lekar, request, json!({ "emails": emails, "bezNaloga": asked })).await;
    for request in [report.request(&lekar, json!({})), report.weekly(&lekar)] {
        ask(request.clone(), json!(["koleginica@KCS.rs"]), false).await.assert_status(202);
        for stranger in ["daleko@kcs.rs", "niko@kcs.rs"] {
            let refused = ask(request.clone(), json!(["koleginica@kcs.rs", stranger]), false).await;
            let message = format!("Adresu „{stranger}” nema niko od vaših kolega, a link otvara samo ko ima nalog.");
            refused.assert_error(422, Some("bezNaloga"), &message);
        }
        ask(request, json!(["niko@kcs.rs"]), true).await.assert_status(202);
    }
    app.lay_out(&["update report set prilog_u_mejlu = true"]).await;
    ask(report.request(&lekar, json!({})), json!(["niko@kcs.rs"]), false).await.assert_status(202);
}
