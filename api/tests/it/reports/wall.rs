//! The institution's board on a wall: who makes a display, what its link shows, when it ends, and that it opens nothing else.

use accounts::rights::Right;
use axum::{
    body::Body,
    http::{Request, header},
};
use serde_json::{Value, json};
use tower::ServiceExt;
use uuid::Uuid;

use super::{Report, add_screen, screen_of, succeed};
use crate::support::{Answer, TestApp, Worker};

const CLOSED: &str = "Ova veza ne prikazuje tablu. Novu daje ko u ustanovi ima pravo „Prikazi na zidu”.";

/// A board with a tile of each report, arranged and put on a wall by one worker.
struct Stage {
    app: TestApp,
    maker: Worker,
    display: i64,
    token: String,
}

impl Stage {
    async fn new(reports: impl AsyncFnOnce(&TestApp) -> Vec<Report>) -> Self {
        let app = TestApp::new().await;
        let maker = app.worker("zidar", &[Right::Reports, Right::Boards, Right::WallDisplays], app.ustanova).await;
        let tiles: Vec<Value> = reports(&app)
            .await
            .iter()
            .zip(0..)
            .map(|(report, place)| {
                json!({ "id": Uuid::now_v7(), "izvestajID": report.id, "registarID": null, "naslov": null, "blok": 0, "vrednosti": {},
                        "x": 0, "y": place * 3, "sirina": 6, "visina": 3 })
            })
            .collect();
        maker.put("/api/institution-board", json!({ "plocice": tiles, "filteri": {}, "verzija": 0 })).await.assert_status(200);
        let made = maker.post("/api/wall-displays", json!({ "naziv": " Hodnik " })).await.assert_status(201).json();
        Self { display: made["id"].as_i64().unwrap(), token: made["token"].as_str().unwrap().to_owned(), app, maker }
    }

    async fn of_own_report() -> Self {
        Self::new(async |app| vec![Report::with(&app.db, "ustanova", &[]).await]).await
    }

    async fn shown(&self) -> Answer {
        call(&self.app, "POST", "/api/wall", &format!("Bearer {}", self.token)).await
    }

    async fn tile(&self) -> Value {
        self.shown().await.json()["plocice"][0].clone()
    }

    /// The run that was ordered last ends, and an engine has said whether its rows can name somebody.
    async fn end_run(&self, bez_imena: Option<bool>) -> Uuid {
        let run: Uuid = sqlx::query_scalar("select id from report_run where radnik_id = $1 order by created_at desc limit 1")
            .bind(self.maker.id)
            .fetch_one(&self.app.db.owner)
            .await
            .expect("a run");
        add_screen(&self.app, run, &screen_of(120)).await;
        succeed(&self.app, run, b"a\n").await;
        sqlx::query("update report_run set bez_imena = $2 where id = $1")
            .bind(run)
            .bind(bez_imena)
            .execute(&self.app.db.owner)
            .await
            .unwrap();
        run
    }

    async fn runs(&self) -> i64 {
        sqlx::query_scalar("select count(*) from report_run").fetch_one(&self.app.db.owner).await.unwrap()
    }
}

/// What the link shows.
pub async fn board_of(app: &TestApp, token: &str) -> Value {
    call(app, "POST", "/api/wall", &format!("Bearer {token}")).await.json()
}

async fn call(app: &TestApp, method: &str, path: &str, authorization: &str) -> Answer {
    let request = Request::builder()
        .method(method)
        .uri(path)
        .header(header::AUTHORIZATION, authorization)
        .header(header::CONTENT_TYPE, "application/json")
        .body(Body::from("{}"))
        .expect("a well-formed request");
    Answer::read(app.router().oneshot(request).await.expect("the router answers")).await
}

#[tokio::test]
async fn a_link_shows_the_first_lines_of_the_makers_run_of_today() {
    let stage = Stage::of_own_report().await;
    let first = stage.tile().await;
    assert_eq!((&first["ceka"], &first["blok"], &first["naslov"]), (&json!(true), &Value::Null, &json!("Izveštaj o đacima")));
    assert_eq!(stage.tile().await["ceka"], true, "what is under way is not ordered again");
    assert_eq!(stage.runs().await, 1);
    let run = stage.end_run(Some(true)).await;
    let board = stage.shown().await.json();
    assert_eq!((&board["ustanova"], &board["naziv"]), (&json!("Klinika A"), &json!("Hodnik")));
    let tile = &board["plocice"][0];
    assert_eq!((tile["linije"].as_array().unwrap().len(), &tile["linije"][1]["celije"]), (100, &json!(["Đak 0", "0"])));
    assert_eq!((&tile["blok"]["linija"], &tile["blok"]["grupe"], &tile["ceka"]), (&json!(121), &json!([]), &json!(false)));
    assert_eq!(tile["vreme"].as_str().unwrap().len(), "2026-11-30 07:00".len());
    // The maker's board shows the same run.
    let hers = stage.maker.post("/api/board/refresh", json!({ "iznova": [], "zajednicka": true })).await.json();
    assert_eq!(hers[0]["run"], json!(run));
    let list = stage.maker.get("/api/wall-displays").await.json();
    assert_eq!((&list[0]["naziv"], &list[0]["radnik"], &list[0]["vazi"]), (&json!("Hodnik"), &json!("Zidar Test"), &json!(true)));
    assert!(list[0]["poslednjiPrikaz"].is_string());
}

#[tokio::test]
async fn a_chart_comes_with_its_drawing_and_nothing_to_take_away() {
    let stage = Stage::of_own_report().await;
    stage.tile().await;
    stage.end_run(Some(true)).await;
    stage.app.lay_out(&["update board set plocice = jsonb_set(plocice, '{0,blok}', '1')"]).await;
    let tile = stage.tile().await;
    assert_eq!((&tile["grafikon"]["naslov"], &tile["grafikon"]["svg"]), (&json!("Po polu"), &Value::Null));
    assert_eq!((&tile["linije"], &tile["blok"]["vrsta"]), (&json!([]), &json!("grafikon")));
}

#[tokio::test]
async fn a_report_that_can_name_a_patient_or_is_of_all_is_not_shown() {
    let stage = Stage::new(async |app| vec![Report::with(&app.db, "ustanova", &[]).await, Report::plain(&app.db).await]).await;
    let of_all = stage.shown().await.json()["plocice"][1].clone();
    assert_eq!(of_all["greska"], "Izveštaj obuhvata sve ustanove, pa se ne prikazuje na zidu.");
    assert_eq!(stage.runs().await, 1, "and is not ordered");
    // An engine of before has not said: that is as if it could.
    for said in [Some(false), None] {
        stage.app.lay_out(&["delete from report_artifact", "update report_run set status = 'queued'"]).await;
        stage.end_run(said).await;
        let tile = stage.tile().await;
        assert_eq!(tile["greska"], "Izveštaj može da imenuje pacijente, pa se ne prikazuje na zidu.");
        assert_eq!((&tile["linije"], &tile["blok"], &tile["vreme"]), (&json!([]), &Value::Null, &Value::Null));
    }
    // What named somebody yesterday is not made for a wall today.
    stage.app.lay_out(&["update report_run set bez_imena = false, created_at = now() - interval '2 days'"]).await;
    assert_eq!(stage.tile().await["greska"], "Izveštaj može da imenuje pacijente, pa se ne prikazuje na zidu.");
    assert_eq!(stage.runs().await, 1);
}

#[tokio::test]
async fn what_failed_is_ordered_anew_after_five_minutes() {
    let stage = Stage::of_own_report().await;
    stage.tile().await;
    stage.app.lay_out(&["update report_run set status = 'failed', finished_at = now(), error_text = 'nije uspelo'"]).await;
    assert_eq!(stage.tile().await["greska"], "Izveštaj nije napravljen. Pokušava se ponovo.");
    assert_eq!(stage.runs().await, 1);
    stage.app.lay_out(&["update report_run set created_at = now() - interval '6 minutes'"]).await;
    assert_eq!(stage.tile().await["ceka"], true);
    assert_eq!(stage.runs().await, 2);
}

#[tokio::test]
async fn a_link_that_is_asked_for_too_often_within_a_minute_is_told_to_wait() {
    let stage = Stage::of_own_report().await;
    // A minute that is far from its end, so that it does not pass under the test: of the row, not of the clock.
    let mut answers = Vec::new();
    for _ in 0..70 {
        let answer = stage.shown().await;
        let refused = answer.status == 429;
        answers.push(answer);
        if refused {
            break;
        }
    }
    let refused = answers.pop().expect("some were asked");
    refused.assert_error(429, None, "Ova veza prikaza je u poslednjem minutu otvarana previše puta. Pokušava se ponovo za minut.");
    assert!((30..60).contains(&answers.len()), "at most two minutes were under way: {}", answers.len());
    for answer in &answers {
        answer.assert_status(200);
    }
    let counted = "select poziva from wall_display";
    let count = async || sqlx::query_scalar::<_, i32>(counted).fetch_one(&stage.app.db.owner).await.unwrap();
    assert_eq!(count().await, 30, "what is refused is not written");
    // The next minute begins anew.
    stage.app.lay_out(&["update wall_display set minut = minut - interval '1 minute'"]).await;
    stage.shown().await.assert_status(200);
    assert_eq!(count().await, 1);
}

#[tokio::test]
async fn a_link_ends_with_its_display_or_with_what_its_maker_may() {
    let ends: [&[&str]; 6] = [
        &["update worker set aktivan = false where username = 'zidar'"],
        &["update institution set aktivan = false where naziv = 'Klinika A'"],
        &["delete from role_right where aplikativno_pravo_id = 25"],
        &["delete from role_right where aplikativno_pravo_id = 1"],
        &[
            "delete from worker_institution where radnik_id = (select id from worker where username = 'zidar')",
            "update worker set ustanova_id = (select id from institution where naziv = 'Klinika B') where username = 'zidar'",
        ],
        &["update wall_display set opozvan_at = now()"],
    ];
    let stage = Stage::of_own_report().await;
    for statements in ends {
        stage.shown().await.assert_status(200);
        let mut tx = domain::db::begin(&stage.app.db.owner, domain::db::SYSTEM_WORKER).await.unwrap();
        for statement in statements {
            sqlx::query(*statement).execute(&mut *tx).await.unwrap();
        }
        tx.commit().await.unwrap();
        stage.shown().await.assert_error(401, None, CLOSED);
        let back = [
            "update worker set aktivan = true, ustanova_id = (select id from institution where naziv = 'Klinika A') where username = 'zidar'",
            "update institution set aktivan = true",
            "insert into role_right select r.id, n from role r, unnest(array[1, 25]) n where r.ime = 'Uloga radnika zidar' on conflict do nothing",
            "update wall_display set opozvan_at = null",
        ];
        stage.app.lay_out(&back).await;
    }
    for authorization in ["Bearer nepoznat".to_owned(), stage.token.clone(), format!("Regix {}", stage.token), String::new()] {
        call(&stage.app, "POST", "/api/wall", &authorization).await.assert_error(401, None, CLOSED);
    }
    call(&stage.app, "POST", &format!("/api/wall?token={}", stage.token), "").await.assert_error(401, None, CLOSED);
    call(&stage.app, "POST", "/api/wall", &format!("Regix {}", stage.maker.token)).await.assert_error(401, None, CLOSED);
    call(&stage.app, "POST", "/api/wall", &format!("Bearer {}", stage.maker.token)).await.assert_error(401, None, CLOSED);
}

#[tokio::test]
async fn whoever_holds_the_right_ends_the_displays_of_her_institution_and_of_no_other() {
    let stage = Stage::of_own_report().await;
    let path = format!("/api/wall-displays/{}", stage.display);
    let elsewhere = stage.app.worker("drugde", &[Right::Reports, Right::WallDisplays], stage.app.druga_ustanova).await;
    assert_eq!(elsewhere.get("/api/wall-displays").await.json(), json!([]));
    elsewhere.delete(&path).await.assert_status(404);
    stage.app.lekar().await.get("/api/wall-displays").await.assert_status(403);
    // Theirs shows their own board, on which there is nothing.
    let made = elsewhere.post("/api/wall-displays", json!({ "naziv": "Sala" })).await.json();
    let theirs = call(&stage.app, "POST", "/api/wall", &format!("Bearer {}", made["token"].as_str().unwrap())).await.json();
    assert_eq!((&theirs["ustanova"], &theirs["plocice"]), (&json!("Klinika B"), &json!([])));
    let colleague = stage.app.worker("kolega", &[Right::WallDisplays], stage.app.ustanova).await;
    colleague.post("/api/wall-displays", json!({ "naziv": "Sala" })).await.assert_error(
        422,
        None,
        "Prikaz na zidu prikazuje izveštaje: potrebno je i pravo „Izveštaji”.",
    );
    colleague.delete(&path).await.assert_status(204);
    colleague.delete(&path).await.assert_status(404);
    stage.shown().await.assert_error(401, None, CLOSED);
    assert_eq!(stage.maker.get("/api/wall-displays").await.json(), json!([]));
    let message = "Naziv prikaza ima od 1 do 120 znakova: mesto na kom stoji.";
    stage.maker.post("/api/wall-displays", json!({ "naziv": "  " })).await.assert_error(422, Some("naziv"), message);
}

#[tokio::test]
async fn the_token_is_told_once_and_stands_nowhere() {
    let stage = Stage::of_own_report().await;
    stage.shown().await.assert_status(200);
    stage.maker.delete(&format!("/api/wall-displays/{}", stage.display)).await.assert_status(204);
    let told = stage.maker.get("/api/wall-displays").await.text();
    let rows: String = sqlx::query_scalar(
        "select string_agg(t, ' ') from (select to_jsonb(a)::text t from audit_log a union all select to_jsonb(d)::text from wall_display d
           union all select to_jsonb(r)::text from report_run r union all select to_jsonb(s)::text from session s) all_of_them",
    )
    .fetch_one(&stage.app.db.owner)
    .await
    .unwrap();
    assert!(!told.contains(&stage.token) && !rows.contains(&stage.token));
    let logged: Vec<String> = sqlx::query_scalar("select polja::text from audit_log where klasa = 'wall_display' order by id")
        .fetch_all(&stage.app.db.owner)
        .await
        .unwrap();
    assert_eq!(logged.len(), 2, "that it was made and revoked, and not that it was looked at: {logged:?}");
    let hash: String =
        sqlx::query_scalar("select encode(token_hash, 'hex') from wall_display").fetch_one(&stage.app.db.owner).await.unwrap();
    assert!(logged.iter().all(|row| !row.contains(&hash)));
    let mut acts: Vec<String> = stage.app.log("wall_display").await.into_iter().map(|row| row.akcija).collect();
    acts.sort();
    assert_eq!(acts, ["izmena", "kreiranje"]);
}

#[tokio::test]
async fn no_other_call_takes_the_token_of_a_display() {
    let stage = Stage::of_own_report().await;
    let document: Value = serde_json::from_slice(&stage.app.anonymous().get("/api/openapi.json").await.bytes).unwrap();
    let mut asked = 0;
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, described) in item.as_object().unwrap() {
            // Those without a session are open to anyone, and show nobody who is signed in more than they show her.
            if described["security"].as_array().is_none_or(Vec::is_empty) {
                continue;
            }
            let path: String = path
                .split('/')
                .map(|part| if part.starts_with('{') { Uuid::nil().to_string() } else { part.to_owned() })
                .collect::<Vec<_>>()
                .join("/");
            for scheme in ["Bearer", "Regix"] {
                let answer = call(&stage.app, &method.to_uppercase(), &path, &format!("{scheme} {}", stage.token)).await;
                assert_eq!(answer.status, 401, "{method} {path} {scheme}: {}", answer.text());
                asked += 1;
            }
        }
    }
    assert!(asked > 300, "{asked}");
    stage.shown().await.assert_status(200);
}
