//! An attempt is taken once, ends once, and stores all or nothing: cancelled, killed, refused, repeated.

use std::time::{Duration, Instant};

use serde_json::json;
use sqlx::{Connection, PgConnection};

use super::{ANA, BOJAN, Case, LONGEST};

/// Keeps the imports from going on, as a long one of the command does.
const HOLD: &str = "select pg_advisory_xact_lock(7231840003)";

async fn held(case: &Case) -> PgConnection {
    let mut holder = PgConnection::connect(&case.app.db.app_url).await.unwrap();
    sqlx::raw_sql("begin").execute(&mut holder).await.unwrap();
    sqlx::raw_sql(HOLD).execute(&mut holder).await.unwrap();
    holder
}

#[tokio::test]
async fn nothing_is_brought_in_before_it_was_checked_without_a_fault() {
    let case = Case::new().await;
    let unready = "Uvesti se može samo fajl koji je proveren i nema grešaka.";
    let path = case.upload(&[ANA, &BOJAN.replace("80,0", "900")]).await;
    case.worker.post(&format!("{path}/confirm"), json!({})).await.assert_error(409, None, unready);
    let found = case.check(&path).await;
    assert_eq!((&found["status"], &found["ishod"]["gresaka"]), (&json!("checked"), &json!(1)), "{found}");
    case.worker.post(&format!("{path}/confirm"), json!({})).await.assert_error(409, None, unready);
    assert_eq!(case.rows().await, (0, 0, 0, 1));
}

#[tokio::test]
async fn another_mapping_is_to_be_checked_again() {
    let case = Case::new().await;
    let path = case.upload(&[ANA]).await;
    case.check(&path).await;
    let mapping = case.worker.get(&format!("{path}/mapping")).await.json()["mapiranje"].clone();
    case.worker.put(&format!("{path}/mapping"), json!({ "mapiranje": mapping, "izvor": "drugi" })).await.assert_status(200);
    case.worker.post(&format!("{path}/confirm"), json!({})).await.assert_status(409);
    assert_eq!(case.worker.get(&path).await.json()["status"], "open");
}

#[tokio::test]
async fn what_has_changed_since_the_check_keeps_all_of_it_out() {
    let case = Case::new().await;
    let path = case.upload(&[ANA, BOJAN]).await;
    assert_eq!(case.check(&path).await["ishod"]["gresaka"], 0);
    case.app.lay_out(&["update attribute_type set gornja_granica_brojne_vrednosti = 75 where naziv = 'Puls'"]).await;
    let refused = case.confirm(&path).await;
    assert_eq!((&refused["status"], &refused["ishod"]["gresaka"]), (&json!("checked"), &json!(1)), "{refused}");
    assert_eq!(case.rows().await, (0, 0, 0, 1), "not even the row without a fault");
    assert_eq!(case.app.log("data_import").await.last().unwrap().akcija, "odbijen uvoz");
}

#[tokio::test]
async fn the_second_of_two_confirmations_does_nothing() {
    let case = Case::new().await;
    let path = case.upload(&[ANA, BOJAN]).await;
    case.check(&path).await;
    let confirm = format!("{path}/confirm");
    let shown = case.shown(&path).await;
    let (one, other) = tokio::join!(case.worker.post(&confirm, shown.clone()), case.worker.post(&confirm, shown));
    let mut answers = [one.status, other.status];
    answers.sort_unstable();
    assert_eq!(answers, [204, 409]);
    assert_eq!(case.rest(&path).await["status"], "done");
    case.worker.post(&confirm, json!({})).await.assert_error(409, None, "Uvoz je završen.");
    assert_eq!(case.rows().await, (2, 2, 4, 0));
}

#[tokio::test]
async fn how_far_an_attempt_is_can_be_read_while_it_goes_on() {
    let case = Case::new().await;
    let path = case.upload(&[ANA, BOJAN]).await;
    // Its patients are written, and what is remembered of them waits.
    let mut holder = case.app.db.owner.begin().await.unwrap();
    sqlx::query("lock table import_record in share mode").execute(&mut *holder).await.unwrap();
    case.worker.post(&format!("{path}/check"), json!({})).await.assert_status(204);
    let begun = Instant::now();
    let far = loop {
        let import = case.worker.get(&path).await.json();
        assert_eq!(import["status"], "checking", "{import}");
        if import["korak"] == "Upis pacijenata" {
            break json!([import["obradjeno"], import["ukupno"]]);
        }
        assert!(begun.elapsed() < LONGEST, "{import}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    assert_eq!(far, json!([2, 2]));
    holder.rollback().await.unwrap();
    assert_eq!(case.rest(&path).await["status"], "checked");
}

#[tokio::test]
async fn a_cancelled_import_stores_nothing_and_says_so() {
    let case = Case::new().await;
    let path = case.upload(&[ANA, BOJAN]).await;
    case.check(&path).await;
    let (holder, shown) = (held(&case).await, case.shown(&path).await);
    case.worker.post(&format!("{path}/confirm"), shown).await.assert_status(204);
    case.worker.delete(&path).await.assert_error(409, None, "Provera ili uvoz je u toku. Sačekajte ili otkažite.");
    case.worker.post(&format!("{path}/cancel"), json!({})).await.assert_status(204);
    drop(holder);
    let import = case.worker.get(&path).await.json();
    assert_eq!((&import["status"], &import["prekid"]), (&json!("open"), &json!("otkazan")), "{import}");
    // Whoever still carries it out has lost it: a check after it finds nobody there.
    let found = case.check(&path).await;
    assert_eq!((&found["ishod"]["novihPacijenata"], case.rows().await), (&json!(2), (0, 0, 0, 1)), "{found}");
    case.worker.post(&format!("{path}/cancel"), json!({})).await.assert_status(409);
}

#[tokio::test]
async fn an_import_whose_api_has_gone_is_told_as_broken_and_its_late_end_stores_nothing() {
    let case = Case::new().await;
    let path = case.upload(&[ANA, BOJAN]).await;
    case.check(&path).await;
    let (holder, shown) = (held(&case).await, case.shown(&path).await);
    case.worker.post(&format!("{path}/confirm"), shown).await.assert_status(204);
    // In one transaction: whoever carries it out renews the lease each second.
    let lapse = "update data_import set lease_until = now() - interval '1 second' where status = 'importing'";
    case.app.lay_out(&[lapse, "select sweep_data_imports()"]).await;
    let import = case.worker.get(&path).await.json();
    assert_eq!((&import["status"], &import["prekid"]), (&json!("open"), &json!("prekinut")), "{import}");
    drop(holder);
    let found = case.check(&path).await;
    assert_eq!((&found["ishod"]["novihPacijenata"], case.rows().await), (&json!(2), (0, 0, 0, 1)), "{found}");
}

#[tokio::test]
async fn one_import_at_a_time_and_the_others_are_told_to_wait() {
    let case = Case::new().await;
    let (first, second) = (case.upload(&[ANA]).await, case.upload(&[BOJAN]).await);
    let holder = held(&case).await;
    case.worker.post(&format!("{first}/check"), json!({})).await.assert_status(204);
    let busy = "Upravo se izvršava drugi uvoz. Pokušajte ponovo za koji minut.";
    case.worker.post(&format!("{second}/check"), json!({})).await.assert_error(409, None, busy);
    drop(holder);
    assert_eq!(case.rest(&first).await["status"], "checked");
    assert_eq!(case.check(&second).await["status"], "checked");
}

#[tokio::test]
async fn who_has_lost_the_right_meanwhile_brings_nothing_in() {
    let case = Case::new().await;
    let path = case.upload(&[ANA]).await;
    case.check(&path).await;
    case.app.lay_out(&["update role set pacijenti = 'uvid' where ime = 'Uloga radnika uvoznica'"]).await;
    case.worker.post(&format!("{path}/confirm"), json!({})).await.assert_status(403);
    assert_eq!(case.rows().await, (0, 0, 0, 1));
}
