//! A worker's own board: its tiles, and the runs that they show.

use accounts::rights::Right;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{DATE, Field, Report, TEXT, add_screen, screen_of, succeed};
use crate::support::{TestApp, Worker};

fn tile(report: &Report, x: u16, values: Value) -> Value {
    json!({ "id": Uuid::now_v7(), "izvestajID": report.id, "registarID": null, "naslov": null, "blok": 0, "vrednosti": values,
            "x": x, "y": 0, "sirina": 4, "visina": 3 })
}

async fn save(worker: &Worker, version: i32, tiles: Vec<Value>, filters: Value) -> crate::support::Answer {
    worker.put("/api/board", json!({ "plocice": tiles, "filteri": filters, "verzija": version })).await
}

async fn refreshed(worker: &Worker, again: Value) -> Vec<Value> {
    let answer = worker.post("/api/board/refresh", json!({ "iznova": again })).await;
    answer.assert_status(200).json().as_array().unwrap().clone()
}

#[tokio::test]
async fn a_board_is_its_workers_and_two_windows_do_not_write_over_each_other() {
    let app = TestApp::new().await;
    let (lekar, admin) = (app.lekar().await, app.admin().await);
    let report = Report::plain(&app.db).await;
    assert_eq!(lekar.get("/api/board").await.json(), json!({ "plocice": [], "filteri": { "od": null, "do": null }, "verzija": 0 }));
    let tiles = vec![tile(&report, 0, json!({}))];
    assert_eq!(save(&lekar, 0, tiles.clone(), json!({})).await.assert_status(200).json()["verzija"], 1);
    save(&lekar, 0, tiles.clone(), json!({})).await.assert_status(409);
    assert_eq!(save(&lekar, 1, Vec::new(), json!({ "od": "2026-01-01" })).await.assert_status(200).json()["verzija"], 2);
    assert_eq!(admin.get("/api/board").await.json()["plocice"], json!([]));
    app.sestra().await.get("/api/board").await.assert_status(403);
}

#[tokio::test]
async fn tiles_that_overlap_lie_outside_or_could_name_a_patient_are_refused() {
    let app = TestApp::new().await;
    let lekar = app.lekar().await;
    let report = Report::with(&app.db, "ustanova", &[Field::new(TEXT, "rec", "Reč").optional()]).await;
    let refused = async |tiles: Vec<Value>, message: &str| {
        save(&lekar, 0, tiles, json!({})).await.assert_error(422, Some("plocice"), message);
    };
    refused(vec![tile(&report, 0, json!({})), tile(&report, 3, json!({}))], "Pločice se preklapaju.").await;
    refused(vec![tile(&report, 9, json!({}))], "Pločica ne staje na tablu.").await;
    let message = "Na tabli ne može da stoji „Reč”: taj parametar može da imenuje pacijenta.";
    refused(vec![tile(&report, 0, json!({ "rec": "Ana" }))], message).await;
    let many = (0..25).map(|_| tile(&report, 0, json!({}))).collect();
    refused(many, "Tabla prima najviše 24 pločica.").await;
    save(&lekar, 0, Vec::new(), json!({ "od": "31. januar" })).await.assert_error(422, Some("od"), "„31. januar” nije ispravan datum.");
}

#[tokio::test]
async fn a_tile_shows_the_run_of_today_and_orders_one_where_the_question_is_another() {
    let app = TestApp::new().await;
    let lekar = app.lekar().await;
    let fields = [Field::new(DATE, "od", "Od").optional(), Field::new(DATE, "do", "Do").optional()];
    let report = Report::with(&app.db, "ustanova", &fields).await;
    let tiles = vec![tile(&report, 0, json!({})), tile(&report, 4, json!({ "od": "2026-03-01" }))];
    save(&lekar, 0, tiles.clone(), json!({})).await.assert_status(200);
    let first = refreshed(&lekar, json!([])).await;
    let runs: Vec<&str> = first.iter().map(|tile| tile["run"].as_str().expect("a run")).collect();
    assert_ne!(runs[0], runs[1]);
    let again = refreshed(&lekar, json!([])).await;
    assert_eq!([&again[0]["run"], &again[1]["run"]], [runs[0], runs[1]], "the same question of today is not asked again");
    let run: Uuid = runs[0].parse().unwrap();
    add_screen(&app, run, &screen_of(3)).await;
    succeed(&app, run, b"a\n").await;
    assert_eq!(refreshed(&lekar, json!([])).await[0]["run"], runs[0]);
    let anew = refreshed(&lekar, json!([tiles[0]["id"]])).await;
    assert_ne!(anew[0]["run"], runs[0], "made anew where that is asked for");

    // The period of the board is that of each tile whose report has one.
    save(&lekar, 1, tiles, json!({ "od": "2026-02-01", "do": "2026-02-28" })).await.assert_status(200);
    let narrowed = refreshed(&lekar, json!([])).await;
    assert_eq!(narrowed[0]["run"], narrowed[1]["run"], "both ask the same now");
    let asked: Value = sqlx::query_scalar("select parametri from report_run where id = $1::uuid")
        .bind(narrowed[0]["run"].as_str())
        .fetch_one(&app.db.owner)
        .await
        .unwrap();
    assert_eq!(asked, json!({ "od": "2026-02-01", "do": "2026-02-28" }));
    // A run of yesterday is of yesterday's data.
    app.lay_out(&["update report_run set created_at = now() - interval '2 days'"]).await;
    assert_ne!(refreshed(&lekar, json!([])).await[0]["run"], narrowed[0]["run"]);
}

#[tokio::test]
async fn more_tiles_than_the_queue_takes_wait_and_a_report_that_is_gone_says_so() {
    let app = TestApp::new().await;
    let lekar = app.lekar().await;
    let report = Report::with(&app.db, "ustanova", &[Field::new(DATE, "od", "Od").optional()]).await;
    let gone = Report::plain(&app.db).await;
    let mut tiles: Vec<Value> = (0..9)
        .map(|place| {
            let mut tile = tile(&report, (place % 3) * 4, json!({ "od": format!("2026-01-0{}", place + 1) }));
            tile["y"] = json!(place / 3 * 3);
            tile
        })
        .collect();
    let mut last = tile(&gone, 0, json!({}));
    last["y"] = json!(20);
    tiles.push(last);
    save(&lekar, 0, tiles, json!({})).await.assert_status(200);
    app.lay_out(&["update report set prikazuje_se = false where id = (select max(id) from report)"]).await;
    let shown = refreshed(&lekar, json!([])).await;
    assert_eq!(shown.iter().filter(|tile| tile["run"].is_string()).count(), 6);
    assert_eq!(shown.iter().filter(|tile| tile["ceka"] == true).count(), 3);
    assert_eq!(shown[9]["greska"], "Ovaj izveštaj više nije u ponudi.");
}

#[tokio::test]
async fn the_institutions_board_is_arranged_by_right_and_shows_each_her_own_runs() {
    let app = TestApp::new().await;
    let lekar = app.lekar().await;
    let arranger = app.worker("tabla", &[Right::Reports, Right::Boards], app.ustanova).await;
    let elsewhere = app.worker("drugde", &[Right::Reports, Right::Boards], app.druga_ustanova).await;
    let report = Report::with(&app.db, "ustanova", &[]).await;
    let body = |version: i32| json!({ "plocice": [tile(&report, 0, json!({}))], "filteri": {}, "verzija": version });
    lekar.put("/api/institution-board", body(0)).await.assert_status(403);
    arranger.put("/api/institution-board", body(0)).await.assert_status(200);
    assert_eq!(lekar.get("/api/institution-board").await.json()["plocice"].as_array().unwrap().len(), 1);
    assert_eq!(lekar.get("/api/board").await.json()["plocice"], json!([]), "her own is another one");
    assert_eq!(elsewhere.get("/api/institution-board").await.json()["verzija"], 0, "another institution has another board");
    elsewhere.put("/api/institution-board", body(1)).await.assert_status(409);

    let shown = async |worker: &Worker| {
        let answer = worker.post("/api/board/refresh", json!({ "iznova": [], "zajednicka": true })).await;
        answer.assert_status(200).json()[0]["run"].as_str().map(str::to_owned)
    };
    let (hers, arrangers) = (shown(&lekar).await.expect("a run"), shown(&arranger).await.expect("a run"));
    assert_ne!(hers, arrangers);
    lekar.get(&format!("/api/report-runs/{hers}/screen")).await.assert_status(200);
    lekar.get(&format!("/api/report-runs/{arrangers}/screen")).await.assert_status(404);
    assert_eq!(shown(&elsewhere).await, None, "there is nothing on theirs");
}

#[tokio::test]
async fn a_board_is_mailed_and_scheduled_by_a_report_that_is_hers_alone() {
    let app = TestApp::new().await;
    let (lekar, admin) = (app.lekar().await, app.admin().await);
    let empty = "Tabla nema nijednu pločicu sa izveštajem. Dodajte bar jednu, pa je onda šaljite.";
    lekar.post("/api/board/report", json!({})).await.assert_error(422, None, empty);
    let fields = [Field::new(DATE, "od", "Od").optional(), Field::new(DATE, "do", "Do").optional()];
    let report = Report::with(&app.db, "ustanova", &fields).await;
    let tiles = vec![tile(&report, 0, json!({ "do": "2026-03-01" }))];
    save(&lekar, 0, tiles.clone(), json!({ "od": "pocetak-meseca" })).await.assert_status(200);

    let made = lekar.post("/api/board/report", json!({})).await.assert_status(200).json()["izvestajID"].as_i64().unwrap();
    assert_eq!(lekar.post("/api/board/report", json!({})).await.json()["izvestajID"], made, "made once");
    let form = lekar.get(&format!("/api/reports/{made}/parameters")).await.json();
    assert_eq!((&form["izvestaj"]["naziv"], &form["izvestaj"]["tabla"]), (&json!("Moja tabla"), &json!(true)));
    assert_eq!(form["formati"].as_array().unwrap().len(), 1);
    admin.get(&format!("/api/reports/{made}/parameters")).await.assert_status(404);
    let tree = lekar.get("/api/report-categories/tree").await.text();
    assert!(!tree.contains("Moja tabla"), "it is reached from its board: {tree}");

    // What its tiles ask for is kept as it was checked, with days by the day of asking.
    let asked: Value = sqlx::query_scalar("select pitanja from board").fetch_one(&app.db.owner).await.unwrap();
    let asked = &asked[tiles[0]["id"].as_str().unwrap()];
    assert_eq!(asked["parametri"], json!({ "od": { "dan": "pocetak-meseca" }, "do": "2026-03-01" }));
    assert_eq!((&asked["opis"][1]["naziv"], &asked["opis"][1]["vrednost"]), (&json!("Do"), &json!("01.03.2026.")));

    let order = Report { id: made }.weekly(&lekar);
    let on_screen = "Tabla se na ekranu gleda kao tabla. Kao izveštaj se pravi samo u formatu PDF.";
    let mut refused = order.clone();
    refused["formati"] = json!(["EKRAN"]);
    lekar.post("/api/report-queue", refused).await.assert_error(422, Some("formati"), on_screen);
    admin.post("/api/report-queue", Report { id: made }.weekly(&admin)).await.assert_status(404);
    let mut order = order;
    order["formati"] = json!(["PDF"]);
    lekar.post("/api/report-queue", order).await.assert_status(202);
    assert_eq!(lekar.get("/api/report-schedules").await.json()["data"][0]["naziv"], "Moja tabla");

    // A board cannot stand on a board.
    let itself = tile(&Report { id: made }, 4, json!({}));
    save(&lekar, 1, vec![itself], json!({})).await.assert_error(422, Some("plocice"), "Tabla ne može da stoji na tabli.");
}

/// As boards were saved before a board could be mailed.
#[tokio::test]
async fn a_board_saved_before_it_could_be_mailed_learns_what_its_tiles_ask_when_it_is() {
    let app = TestApp::new().await;
    let lekar = app.lekar().await;
    let fields = [Field::new(DATE, "od", "Od").optional(), Field::new(DATE, "do", "Do").optional()];
    let report = Report::with(&app.db, "ustanova", &fields).await;
    let tiles = vec![tile(&report, 0, json!({ "do": "2026-03-01" })), tile(&report, 4, json!({}))];
    save(&lekar, 0, tiles.clone(), json!({ "od": "2026-01-01" })).await.assert_status(200);
    let known = async || -> (Value, i32) {
        sqlx::query_as("select pitanja, verzija from board where radnik_id = $1").bind(lekar.id).fetch_one(&app.db.owner).await.unwrap()
    };
    let (asked, version) = known().await;
    assert_eq!(asked.as_object().map(serde_json::Map::len), Some(2), "{asked}");
    app.lay_out(&["update board set pitanja = '{}'"]).await;
    lekar.post("/api/board/report", json!({})).await.assert_status(200);
    assert_eq!(known().await, (asked.clone(), version), "as if it had been saved, and nobody's board changed");
    // What was checked when the board was saved stays; what is missing is added.
    app.lay_out(&["update board set pitanja = (select jsonb_object_agg(key, '{\"parametri\": {\"do\": \"2026-02-02\"}}'::jsonb)
                     from (select key from jsonb_each(board.pitanja) order by key limit 1) one)"])
        .await;
    lekar.post("/api/board/report", json!({})).await.assert_status(200);
    let (mixed, _) = known().await;
    let first = tiles.iter().filter_map(|tile| tile["id"].as_str()).min().unwrap();
    for (id, question) in mixed.as_object().unwrap() {
        let wanted = if id == first { json!({ "parametri": { "do": "2026-02-02" } }) } else { asked[id].clone() };
        assert_eq!(*question, wanted, "{mixed}");
    }
}

#[tokio::test]
async fn a_list_stands_beside_reports_and_is_in_no_run_and_on_no_wall() {
    let app = TestApp::new().await;
    let worker = app.worker("zidar", &[Right::Reports, Right::Boards, Right::WallDisplays], app.ustanova).await;
    let list = |spisak: &str, x: u16| json!({ "id": Uuid::now_v7(), "spisak": spisak, "naslov": null, "blok": 0, "vrednosti": {}, "x": x, "y": 0, "sirina": 3, "visina": 3 });
    let report = Report::with(&app.db, "ustanova", &[]).await;
    let mut both = tile(&report, 0, json!({}));
    both["spisak"] = json!("mojDan");
    save(&worker, 0, vec![both], json!({})).await.assert_error(422, Some("plocice"), "Pločica je ili izveštaj ili spisak.");
    let whole = "Pločica pretrage navodi pretragu i njen registar.";
    save(&worker, 0, vec![list("pretraga", 0)], json!({})).await.assert_error(422, Some("plocice"), whole);
    save(&worker, 0, vec![list("pacijenti", 0)], json!({})).await.assert_status(422);

    let lists = vec![list("koKasni", 0), list("mojDan", 3), list("upiti", 6)];
    save(&worker, 0, lists.clone(), json!({})).await.assert_status(200);
    assert_eq!(refreshed(&worker, json!([])).await, Vec::<Value>::new(), "nothing is made for it");
    let none = "Tabla nema nijednu pločicu sa izveštajem. Dodajte bar jednu, pa je onda šaljite.";
    worker.post("/api/board/report", json!({})).await.assert_error(422, None, none);

    let shared = json!({ "plocice": lists[..1], "filteri": {}, "verzija": 0 });
    worker.put("/api/institution-board", shared).await.assert_status(200);
    let display = worker.post("/api/wall-displays", json!({ "naziv": "Hodnik" })).await.assert_status(201).json();
    let wall = super::wall::board_of(&app, display["token"].as_str().unwrap()).await;
    assert_eq!(wall["plocice"][0]["greska"], "Spisak za rad vidi samo ko je prijavljen, pa se ne prikazuje na zidu.");
}

/// What the engine says of a run's rows when it has planned them.
async fn planned(app: &TestApp, runs: &[Uuid], shared: bool) {
    let mut tx = domain::db::begin(&app.db.owner, domain::db::SYSTEM_WORKER).await.unwrap();
    sqlx::query("update report_run set deljiv = $2, bez_imena = $2 where id = any ($1)")
        .bind(runs)
        .bind(shared)
        .execute(&mut *tx)
        .await
        .unwrap();
    tx.commit().await.unwrap();
}

async fn runs_of_today(app: &TestApp) -> Vec<Uuid> {
    sqlx::query_scalar("select id from report_run where created_at > now() - interval '1 day' order by created_at, id")
        .fetch_all(&app.db.owner)
        .await
        .unwrap()
}

/// Twelve questions of one report, on a board of each.
async fn twelve(report: &Report, workers: &[Worker]) {
    for worker in workers {
        let tiles = (0..12).map(|place: u16| {
            let mut tile = tile(report, place % 3 * 4, json!({ "od": format!("2026-01-{:02}", place + 1) }));
            tile["y"] = json!(place / 3 * 3);
            tile
        });
        save(worker, 0, tiles.collect(), json!({})).await.assert_status(200);
    }
}

#[tokio::test]
async fn forty_who_ask_the_same_cause_one_run_a_question_and_each_reads_it() {
    let app = TestApp::new().await;
    let report = Report::with(&app.db, "ustanova", &[Field::new(DATE, "od", "Od").optional()]).await;
    let mut colleagues = Vec::new();
    for number in 0..40 {
        colleagues.push(app.worker(&format!("koleginica{number}"), &[Right::Reports], app.ustanova).await);
    }
    let elsewhere = app.worker("drugde", &[Right::Reports], app.druga_ustanova).await;
    twelve(&report, &colleagues).await;
    twelve(&report, std::slice::from_ref(&elsewhere)).await;
    // What was made of it before is known to be the same for everybody there.
    refreshed(&colleagues[0], json!([])).await;
    planned(&app, &runs_of_today(&app).await, true).await;
    app.lay_out(&["update report_run set created_at = now() - interval '2 days', status = 'cancelled', finished_at = now()"]).await;

    let shown = futures::future::join_all(colleagues.iter().map(|worker| refreshed(worker, json!([])))).await;
    let runs = runs_of_today(&app).await;
    assert_eq!(runs.len(), 12, "one of a question, whoever comes first");
    let ordered: usize = shown.iter().flatten().filter(|tile| tile["run"].is_string()).count();
    assert_eq!(ordered, 12, "each who asked later waits for it");
    assert!(shown.iter().flatten().all(|tile| tile["run"].is_string() || tile["ceka"] == true), "{shown:?}");
    let theirs = refreshed(&elsewhere, json!([])).await;
    assert!(
        theirs.iter().filter(|tile| tile["run"].is_string()).all(|tile| !runs.iter().any(|run| tile["run"] == json!(run))),
        "{theirs:?}"
    );

    for run in &runs {
        add_screen(&app, *run, &screen_of(3)).await;
        succeed(&app, *run, b"a\n").await;
    }
    planned(&app, &runs, true).await;
    let before = runs_of_today(&app).await.len();
    let shown = futures::future::join_all(colleagues.iter().map(|worker| refreshed(worker, json!([])))).await;
    for tiles in &shown {
        let of_tiles: Vec<&Value> = tiles.iter().map(|tile| &tile["run"]).collect();
        assert_eq!(of_tiles, shown[0].iter().map(|tile| &tile["run"]).collect::<Vec<_>>());
    }
    assert_eq!(runs_of_today(&app).await.len(), before, "nothing is made twice");
    let screen = format!("/api/report-runs/{}/screen", runs[0]);
    for colleague in [&colleagues[0], &colleagues[39]] {
        colleague.get(&screen).await.assert_status(200);
    }
    elsewhere.get(&screen).await.assert_status(404);
    app.sestra().await.get(&screen).await.assert_status(403);
    // Anew is anew, and one's own.
    let first = shown[1][0]["id"].clone();
    let anew = refreshed(&colleagues[1], json!([first])).await;
    assert_ne!(anew[0]["run"], shown[1][0]["run"]);
    // Whom the report is not offered to any more does not read a colleague's.
    app.lay_out(&["update report set prikazuje_se = false"]).await;
    let hers: Option<i64> =
        sqlx::query_scalar("select radnik_id from report_run where id = $1").bind(runs[0]).fetch_one(&app.db.owner).await.unwrap();
    let other = colleagues.iter().find(|worker| Some(worker.id) != hers).expect("somebody else");
    other.get(&screen).await.assert_status(404);
}

#[tokio::test]
async fn a_run_that_names_somebody_or_asks_who_reads_is_its_owners_alone() {
    let app = TestApp::new().await;
    let report = Report::with(&app.db, "ustanova", &[Field::new(DATE, "od", "Od").optional()]).await;
    let [one, other] =
        [app.worker("prva", &[Right::Reports], app.ustanova).await, app.worker("druga", &[Right::Reports], app.ustanova).await];
    for worker in [&one, &other] {
        save(worker, 0, vec![tile(&report, 0, json!({}))], json!({})).await.assert_status(200);
    }
    let hers: Uuid = refreshed(&one, json!([])).await[0]["run"].as_str().unwrap().parse().unwrap();
    add_screen(&app, hers, &screen_of(3)).await;
    succeed(&app, hers, b"a\n").await;
    planned(&app, &[hers], false).await;
    let shown = refreshed(&other, json!([])).await;
    assert!(shown[0]["run"].is_string() && shown[0]["run"] != json!(hers), "{shown:?}");
    other.get(&format!("/api/report-runs/{hers}/screen")).await.assert_status(404);
}
