//! `./dev bench oracle`: whether the time of an answer tells what is hidden from what is not there. The same calls are made in turns, about
//! a patient, an entry, a number and an account of both kinds. It fails where the medians of one are further from the other's than
//! nothing explains; how far those of a call and itself are from each other is said beside it.

#[path = "../tests/it/support/mod.rs"]
#[allow(dead_code, unused_imports, reason = "the measurement needs a part of what the tests do")]
mod support;

use std::{process::ExitCode, time::Instant};

use accounts::rights::Right;
use serde_json::{Value, json};

use crate::support::{Anonymous, Person, TestApp, Worker, record};

/// Calls of each kind. Those of the sign-in hash a password each.
const ROUNDS: usize = 400;
const SIGN_INS: usize = 60;
/// A row more or a statement more is a fifth to a half of such a call.
const BOUND: f64 = 1.15;
const TRIES: usize = 3;

/// A call, and the same of what nobody has.
struct Case {
    name: &'static str,
    hidden: Call,
    missing: Call,
}

#[derive(Clone)]
struct Call {
    method: &'static str,
    path: String,
    body: Option<Value>,
}

fn call(method: &'static str, path: String, body: Option<Value>) -> Call {
    Call { method, path, body }
}

fn cases(register: i64, foreign: &Person, deleted: &Person) -> Vec<Case> {
    const NOTHING: i64 = 987_654_321;
    let nobody = record(999);
    let of = |name, make: &dyn Fn(i64) -> Call, hidden| Case { name, hidden: make(hidden), missing: make(NOTHING) };
    let search = |jmbg: &Value| call("POST", "/api/search".to_owned(), Some(json!({ "registarID": register, "jmbg": jmbg })));
    vec![
        of("patient", &|id| call("GET", format!("/api/patients/{id}"), None), foreign.id),
        of("patient, changed", &|id| call("PATCH", format!("/api/patients/{id}"), Some(json!({ "zanimanje": "pekar" }))), foreign.id),
        of(
            "deleted patient, brought back",
            &|id| call("PATCH", format!("/api/patients/{id}"), Some(json!({ "aktivan": true }))),
            deleted.id,
        ),
        of("entry", &|id| call("GET", format!("/api/entry-display?haID={id}"), None), foreign.entry),
        of("entry, its history", &|id| call("GET", format!("/api/entries/{id}/view"), None), foreign.entry),
        of("entry, deleted", &|id| call("POST", "/api/delete-entry".to_owned(), Some(json!({ "id": id }))), foreign.entry),
        Case { name: "search by JMBG", hidden: search(&foreign.record["jmbg"]), missing: search(&nobody["jmbg"]) },
    ]
}

async fn timed(caller: &Anonymous, call: &Call) -> f64 {
    let begin = Instant::now();
    caller.call(call.method, &call.path, call.body.clone()).await;
    begin.elapsed().as_secs_f64() * 1000.0
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Both medians, in milliseconds, each turn beginning with the other one.
async fn in_turns(doctor: &Worker, one: &Call, other: &Call) -> (f64, f64) {
    let (mut of_one, mut of_other) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        if round % 2 == 0 {
            of_one.push(timed(doctor, one).await);
        }
        of_other.push(timed(doctor, other).await);
        if round % 2 == 1 {
            of_one.push(timed(doctor, one).await);
        }
    }
    (median(of_one), median(of_other))
}

/// A wrong password of accounts that there are and of others, each tried once, from an address of its own: nothing waits.
async fn sign_ins(app: &TestApp) -> (f64, f64) {
    let (mut known, mut unknown) = (Vec::new(), Vec::new());
    for number in 0..SIGN_INS {
        let worker = app.worker(&format!("nalog{number}"), &[], app.ustanova).await;
        app.set_password(&worker, "zeleni vagon peva").await;
        for (times, name, network) in [(&mut known, "nalog", 1), (&mut unknown, "niko", 2)] {
            let caller = app.anonymous().at_address(&format!("10.{network}.0.{number}"));
            let body = json!({ "username": format!("{name}{number}"), "password": "pogrešna lozinka" });
            times.push(timed(&caller, &call("POST", "/api/login".to_owned(), Some(body))).await);
        }
    }
    (median(known), median(unknown))
}

fn is_alike(name: &str, (hidden, missing): (f64, f64), itself: Option<f64>) -> bool {
    let ratio = hidden / missing;
    let alike = (1.0 / BOUND..=BOUND).contains(&ratio);
    let noise = itself.map_or_else(String::new, |itself| format!("   with itself {itself:.3}"));
    println!("{name:<32} {hidden:7.2} ms {missing:7.2} ms   {ratio:.3}{noise}{}", if alike { "" } else { "   NOT ALIKE" });
    alike
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let app = TestApp::new().await;
    let register = app.register().await;
    for number in 10..200 {
        app.person(&register, if number % 2 == 0 { app.ustanova } else { app.druga_ustanova }, number).await;
    }
    let (foreign, deleted) = (app.person(&register, app.druga_ustanova, 1).await, app.person(&register, app.druga_ustanova, 2).await);
    let mut tx = domain::db::begin(&app.db.owner, domain::db::SYSTEM_WORKER).await.expect("a transaction");
    sqlx::query("update patient set aktivan = false where id = $1").bind(deleted.id).execute(&mut *tx).await.expect("deleted");
    tx.commit().await.expect("committed");
    let doctor = app.worker("lekarka", &[Right::Reports], app.ustanova).await;
    println!("{:<32} {:>10} {:>10}   ratio", "", "hidden", "not there");
    let mut alike = true;
    for case in cases(register.id, &foreign, &deleted) {
        let mut tried = false;
        for _ in 0..TRIES {
            let (one, again) = in_turns(&doctor, &case.missing, &case.missing).await;
            tried = is_alike(case.name, in_turns(&doctor, &case.hidden, &case.missing).await, Some(one / again));
            if tried {
                break;
            }
        }
        alike &= tried;
    }
    alike &= is_alike("sign-in", sign_ins(&app).await, None);
    if alike { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
