//! Whose an account is: its worker's from its first sign-in on, whatever it is called later.

use accounts::rights::Right;
use serde_json::{Value, json};

use super::{Browser, Provider, site, with_token};

#[tokio::test]
async fn a_renamed_account_stays_its_workers_and_a_recycled_name_opens_nobodys_record() {
    let provider = Provider::start();
    let (app, router, ana) = site(&provider).await;
    let jelena = app.worker("jelena", &[Right::Reports], app.ustanova).await.id;
    let id = async |account: &str| {
        let token = Browser::new(&router).sign_in(account).await;
        with_token(&router, &token).get("/api/session").await.json()["id"].clone()
    };
    assert_eq!(id("ana").await, ana);
    // Ana is called Jelena at the provider now; the worker Jelena is somebody else.
    assert_eq!(id("jelena~ana").await, ana);
    let told = Browser::new(&router).through_provider("povratak=/", "ana~nova").await;
    assert_eq!(told["greska"], "odbijena", "somebody else who was given the name");
    assert_eq!(id("jelena").await, jelena);
    assert_eq!(id("ANA~ana").await, ana);
    let links = app.log("external_account").await;
    assert_eq!(
        links.iter().map(|line| (line.radnik_id, line.akcija.as_str())).collect::<Vec<_>>(),
        [(Some(ana), "kreiranje"), (Some(jelena), "kreiranje")]
    );
}

#[tokio::test]
async fn a_name_is_compared_as_the_sign_in_compares_it() {
    let provider = Provider::start();
    let (_app, router, ana) = site(&provider).await;
    let token = Browser::new(&router).sign_in("ANA").await;
    assert_eq!(with_token(&router, &token).get("/api/session").await.json()["id"], ana);
    let told = Browser::new(&router).through_provider("povratak=/", "an_").await;
    assert_eq!(told["greska"], "odbijena");
}

#[tokio::test]
async fn of_two_accounts_of_one_name_the_one_that_comes_first_is_linked() {
    let provider = Provider::start();
    let (_app, router, _) = site(&provider).await;
    let (mut first, mut second) = (Browser::new(&router), Browser::new(&router));
    let (one, other) = (first.through_provider("povratak=/", "ana").await, second.through_provider("povratak=/", "ana~druga").await);
    second.exchange(&other, json!({})).await.assert_status(200);
    let refusal = "Vaš nalog nije povezan sa radnikom koji može da se prijavi. Obratite se administratoru.";
    first.exchange(&one, json!({})).await.assert_error(403, None, refusal);
}

#[tokio::test]
async fn a_link_is_shown_and_taken_away_by_who_administers_workers_and_holds_no_less() {
    let provider = Provider::start();
    let (app, router, ana) = site(&provider).await;
    let (admin, clerk) = (app.admin().await, app.worker("kadrovi", &[Right::Workers], app.ustanova).await);
    let path = format!("/api/workers/{ana}");
    assert_eq!(admin.get(&path).await.json()["spoljniNalogOd"], Value::Null);
    let token = Browser::new(&router).sign_in("ana").await;
    let since = admin.get(&path).await.json()["spoljniNalogOd"].clone();
    assert_eq!(
        since.as_str().and_then(|since| since.parse::<jiff::Timestamp>().ok()).map(|at| at.as_second()),
        Some(app.state.clock.now().as_second())
    );

    let unlink = format!("{path}/external-account-unlink");
    let session = with_token(&router, &token);
    session.post(&unlink, json!({})).await.assert_error(403, None, "Nemate pravo na ovu radnju.");
    // The clerk does not hold the right to reports, Ana does.
    clerk.post(&unlink, json!({})).await.assert_status(403);
    session.get("/api/session").await.assert_status(200);

    admin.post(&unlink, json!({})).await.assert_status(204);
    session.get("/api/session").await.assert_status(401);
    assert_eq!(admin.get(&path).await.json()["spoljniNalogOd"], Value::Null);
    Browser::new(&router).sign_in("ana~nova").await;
    let told = Browser::new(&router).through_provider("povratak=/", "ana").await;
    assert_eq!(told["greska"], "odbijena", "the account that it was");
    admin.post("/api/workers/0/external-account-unlink", json!({})).await.assert_status(404);
}
