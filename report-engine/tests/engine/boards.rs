//! A board that is run, scheduled and mailed: one PDF of the tiles that it has then, in their order, by what its owner may then.

use std::{collections::BTreeMap, process::Command};

use base64::{Engine, engine::general_purpose::STANDARD};
use domain::{jobs::Queue, report_sql::ParameterKind, runs::NewRun};
use lopdf::{Document, Object};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::{
    mailing::readable,
    world::{MailServer, Parameter, Report, World, eventually},
};

const TO: &str = "nacelnik@bolnica.test";
const COUNTED: &str = "select 'Pacijenata: ' || count(*) as a from pacijent";

/// A tile at its place, of a report and with what it asks for.
pub struct Tile<'a> {
    report: i64,
    place: (u16, u16),
    naslov: Option<&'a str>,
    question: Option<Value>,
}

pub fn tile(report: i64, place: (u16, u16)) -> Tile<'static> {
    Tile { report, place, naslov: None, question: Some(json!({ "registarID": null, "parametri": {}, "opis": [] })) }
}

/// The worker's board, and the report that is made of it.
pub async fn board(world: &World, tiles: &[Tile<'_>], which: &str) -> i64 {
    let (mut plocice, mut pitanja) = (Vec::new(), BTreeMap::new());
    for tile in tiles {
        let id = Uuid::now_v7();
        plocice.push(json!({ "id": id, "izvestajID": tile.report, "registarID": null, "naslov": tile.naslov, "blok": 0, "vrednosti": {},
                             "x": tile.place.0, "y": tile.place.1, "sirina": 4, "visina": 3 }));
        if let Some(question) = &tile.question {
            pitanja.insert(id.to_string(), question.clone());
        }
    }
    let mut tx = domain::db::begin(&world.db.owner, world.radnik).await.unwrap();
    let owner = if which == "moja" { (Some(world.radnik), None) } else { (None, Some(world.ustanova)) };
    sqlx::query("insert into board (radnik_id, ustanova_id, plocice, pitanja, izmenio_id) values ($1, $2, $3, $4, $5)")
        .bind(owner.0)
        .bind(owner.1)
        .bind(json!(plocice))
        .bind(json!(pitanja))
        .bind(world.radnik)
        .execute(&mut *tx)
        .await
        .unwrap();
    let report = sqlx::query_scalar(
        "insert into report (naziv, numericka_vrednost, jasper_fajl, prikazuje_se, najvise_sekundi, vlasnik_id, tabla)
         values ('Moja tabla', 0, 'tabla', true, 1800, $1, $2) returning id",
    )
    .bind(world.radnik)
    .bind(which)
    .fetch_one(&mut *tx)
    .await
    .unwrap();
    tx.commit().await.unwrap();
    report
}

pub fn ordered(world: &World, report: i64) -> NewRun {
    NewRun { formati: vec!["PDF".to_owned()], emails: vec![TO.to_owned()], ..world.new_run(report) }
}

/// What came to the recipient, and the PDF in it.
pub async fn letter(server: &MailServer) -> (String, Option<Vec<u8>>) {
    let content = eventually("the message comes", async || server.kept(TO).pop()).await.content;
    let attached = content.split_once("Content-Type: application/pdf").map(|(_, rest)| {
        let body = rest.split_once("\n\n").expect("a body").1;
        let encoded: String = body.split("\n--").next().expect("an end").split_whitespace().collect();
        STANDARD.decode(encoded).expect("base64")
    });
    (content, attached)
}

/// The words of each page.
pub fn pages(world: &World, pdf: &[u8]) -> Vec<String> {
    let path = world.folder.path().join("procitano.pdf");
    std::fs::write(&path, pdf).unwrap();
    let tool = std::env::var("PDFTOTEXT").unwrap_or_else(|_| "pdftotext".to_owned());
    let shown = Command::new(tool).arg("-layout").arg(&path).arg("-").output().expect("pdftotext");
    let text = String::from_utf8(shown.stdout).unwrap();
    text.split('\u{c}').map(|page| page.split_whitespace().collect::<Vec<_>>().join(" ")).filter(|page| !page.is_empty()).collect()
}

#[tokio::test]
async fn a_scheduled_board_comes_by_mail_as_one_pdf_with_its_tiles_in_order_and_once() {
    let server = MailServer::healthy();
    let world = World::with_mail(&server).await;
    world.patient("0101990710006").await;
    elsewhere(&world).await;
    let counted = world.report("broj", Report { sql: COUNTED, ..Report::default() }).await;
    let dated = world.report("dan", Report { sql: "select 'Od ' || to_char(:od::date, 'YYYY-MM-DD') as a", ..Report::default() }).await;
    world
        .parameter(dated, Parameter { kind: ParameterKind::Date, request: "od", upit: None, multi: false, fixed: None, logged: false })
        .await;
    let asked = json!({ "registarID": null, "parametri": { "od": { "dan": "pocetak-proslog-meseca" } },
                        "opis": [{ "naziv": "Od dana", "vrednost": "", "dan": "pocetak-proslog-meseca" }] });
    let tiles = [
        Tile { naslov: Some("Koliko ih je"), ..tile(counted, (0, 3)) },
        Tile { question: Some(asked), ..tile(dated, (4, 0)) },
        tile(counted, (0, 0)),
        // The same question as that of another tile: it stands in the file once.
        tile(counted, (8, 3)),
    ];
    let report = board(&world, &tiles, "moja").await;
    let schedule: i64 = sqlx::query_scalar(
        "insert into report_schedule (izvestaj_id, radnik_id, ustanova_id, ponavljanje, vreme_izvrsavanja_visetruko, period, formati, emails,
                                      sledece_izvrsavanje, sledece_lokalno)
         values ($1, $2, $3, 1, '00:30', 0, '{PDF}', array[$4], '2026-10-31T23:30:00Z', '2026-11-01 00:30') returning id",
    )
    .bind(report)
    .bind(world.radnik)
    .bind(world.ustanova)
    .bind(TO)
    .fetch_one(&world.db.owner)
    .await
    .unwrap();
    for fired in [1, 0] {
        let ticked = scheduler::fire::tick(&world.db.app, "2026-10-31T23:30:01Z".parse().unwrap()).await.unwrap();
        assert_eq!((ticked.fired, ticked.missed, ticked.refused), (fired, 0, 0), "a moment fires once");
    }
    let run = sqlx::query_scalar("select id from report_run where zakazivanje_id = $1").bind(schedule).fetch_one(&world.db.owner);
    let run: Uuid = run.await.unwrap();
    let _engine = world.engine(&[]);
    let ended = world.end(run).await;
    assert_eq!((ended.status.as_str(), ended.rows_done), ("succeeded", Some(2)), "{ended:?}");

    let (text, pdf) = letter(&server).await;
    let pdf = pdf.unwrap_or_else(|| panic!("an attachment: {text}"));
    let pages = pages(&world, &pdf);
    assert_eq!(pages.len(), 2, "{pages:?}");
    assert!(pages[0].contains("Izveštaj broj") && pages[0].contains("Pacijenata: 1"), "her institution's alone: {pages:?}");
    assert!(pages[1].contains("Izveštaj dan") && pages[1].contains("Od 2026-10-01"), "{pages:?}");
    assert!(pages[1].contains("Od dana: 01.10.2026. (početak prošlog meseca)"), "of the day that was due: {pages:?}");
    whole(&pdf, 2);
    assert_eq!(server.receipts().len(), 1);
    assert_eq!(world.files(run).await.len(), 1);
    assert!(readable(&text).contains("moja-tabla"), "{text}");
}

/// A patient of another institution, whom the world's does not know.
async fn elsewhere(world: &World) {
    let mut tx = domain::db::begin(&world.db.owner, domain::db::SYSTEM_WORKER).await.unwrap();
    sqlx::raw_sql(
        "with u as (insert into institution (naziv) values ('Druga') returning id)
         insert into patient (ime, prezime, datum_rodjenja, jmbg, lbo, pol_trenutni, kontakt_telefon, ustanova_id)
         select 'Sava', 'Tuđi', '1990-01-01', '0101990710022', '19907100220', true, '011/123456', id from u",
    )
    .execute(&mut *tx)
    .await
    .unwrap();
    tx.commit().await.unwrap();
}

/// One file, as readers and their programs find it: an outline of the tiles, and the structure of all pages.
fn whole(pdf: &[u8], tiles: i64) {
    let document = Document::load_mem(pdf).expect("a PDF");
    let catalog = document.catalog().unwrap();
    let outlines = document.get_dictionary(catalog.get(b"Outlines").unwrap().as_reference().unwrap()).unwrap();
    assert_eq!(outlines.get(b"Count").unwrap().as_i64().unwrap(), tiles);
    let structure = document.get_dictionary(catalog.get(b"StructTreeRoot").unwrap().as_reference().unwrap()).unwrap();
    let tops = structure.get(b"K").unwrap().as_array().unwrap();
    assert_eq!(tops.len() as i64, tiles);
    for top in tops {
        let top = document.get_dictionary(top.as_reference().unwrap()).unwrap();
        assert_eq!(top.get(b"S").unwrap().as_name().unwrap(), b"Document");
    }
    let numbers = structure.get(b"ParentTree").unwrap().as_dict().unwrap().get(b"Nums").unwrap().as_array().unwrap();
    let keys: Vec<i64> = numbers.chunks(2).map(|pair| pair[0].as_i64().unwrap()).collect();
    let of_pages: Vec<i64> = document
        .page_iter()
        .map(|page| document.get_dictionary(page).unwrap().get(b"StructParents").and_then(Object::as_i64).unwrap())
        .collect();
    assert_eq!(keys, of_pages, "each page finds its own elements");
}

#[tokio::test]
async fn a_tile_whose_report_is_not_hers_any_more_says_so_and_the_others_are_there() {
    let server = MailServer::healthy();
    let world = World::with_mail(&server).await;
    let [counted, hidden, broken] = [
        world.report("broj", Report { sql: COUNTED, ..Report::default() }).await,
        world.report("skriven", Report::default()).await,
        world.report("pokvaren", Report { sql: "select nema_je as a from ustanova", ..Report::default() }).await,
    ];
    let tiles = [tile(hidden, (0, 0)), tile(broken, (4, 0)), tile(counted, (8, 0)), Tile { question: None, ..tile(counted, (0, 3)) }];
    let report = board(&world, &tiles, "ustanove").await;
    let mut tx = domain::db::begin(&world.db.owner, domain::db::SYSTEM_WORKER).await.unwrap();
    sqlx::query("update report set prikazuje_se = false where id = $1").bind(hidden).execute(&mut *tx).await.unwrap();
    tx.commit().await.unwrap();
    let _engine = world.engine(&[]);
    let run = world.ask(ordered(&world, report)).await;
    assert_eq!(world.end(run).await.status, "succeeded");
    let (_, pdf) = letter(&server).await;
    let pages = pages(&world, &pdf.expect("an attachment"));
    assert_eq!(pages.len(), 4, "{pages:?}");
    assert!(pages[0].contains("Ovaj izveštaj više nije u ponudi."), "{pages:?}");
    assert!(pages[1].contains("Upit izveštaja nije uspeo."), "{pages:?}");
    assert!(pages[2].contains("Pacijenata: 0"), "{pages:?}");
    assert!(pages[3].contains("Pločici nedostaju vrednosti parametara."), "{pages:?}");
}

#[tokio::test]
async fn a_board_that_can_name_somebody_comes_as_a_link_and_the_log_has_whom_it_shows() {
    let server = MailServer::healthy();
    let world = World::with_mail(&server).await;
    let patient = world.patient("0101990710006").await;
    let counted = world.report("broj", Report { sql: COUNTED, ..Report::default() }).await;
    let named = world.report("spisak", Report { sql: "select ime as a, id as pacijent_id from pacijent", ..Report::default() }).await;
    let report = board(&world, &[tile(named, (0, 0)), tile(counted, (4, 0))], "moja").await;
    let _engine = world.engine(&[]);
    let run = world.ask(ordered(&world, report)).await;
    assert_eq!(world.end(run).await.status, "succeeded");
    let (text, pdf) = letter(&server).await;
    assert!(pdf.is_none() && readable(&text).contains(&format!("/izvestaji/{run}")), "{text}");
    let shown: Vec<i64> = sqlx::query_scalar(
        "select p from audit_log l cross join patients_of_log(l.vreme_pristupa, l.id, l.pacijent_id) p where l.akcija = 'izrada izveštaja'",
    )
    .fetch_all(&world.db.owner)
    .await
    .unwrap();
    assert_eq!(shown, [patient]);
}

#[tokio::test]
async fn a_board_whose_owner_may_no_longer_or_that_is_empty_or_fails_as_a_whole_is_mailed_to_nobody() {
    let server = MailServer::healthy();
    let world = World::with_mail(&server).await;
    let broken = world.report("pokvaren", Report { sql: "select nema_je as a from ustanova", ..Report::default() }).await;
    let report = board(&world, &[tile(broken, (0, 0))], "moja").await;
    let _engine = world.engine(&[]);
    let ended = async |statement: &'static str| {
        let mut tx = domain::db::begin(&world.db.owner, domain::db::SYSTEM_WORKER).await.unwrap();
        sqlx::query(statement).execute(&mut *tx).await.unwrap();
        tx.commit().await.unwrap();
        let run = NewRun { queue: Queue::Scheduled, ..ordered(&world, report) };
        let run = world.ask(run).await;
        let ended = world.end(run).await;
        (ended.status, ended.error_code.unwrap_or_default())
    };
    let failed = |code: &str| ("failed".to_owned(), code.to_owned());
    assert_eq!(ended("select 1").await, failed("query"));
    assert_eq!(ended("update board set plocice = '[]'").await, failed("gone"));
    assert_eq!(ended("delete from role_right").await, failed("unauthorised"));
    assert!(server.receipts().iter().all(|receipt| !receipt.content.contains("application/pdf")));
}

#[tokio::test]
async fn an_engine_that_knows_no_boards_leaves_them_to_others() {
    let world = World::new().await;
    let counted = world.report("broj", Report::default()).await;
    let report = board(&world, &[tile(counted, (0, 0))], "moja").await;
    let run = world.insert(&ordered(&world, report)).await;
    assert_eq!(world.count(&format!("select needs::bigint from report_run where id = '{run}'")).await, i64::from(domain::runs::BOARDS));
    let claimed = domain::runs::claim_next(&world.db.app, Queue::Interactive.column(), "stari", domain::runs::BOARDS - 1, 30.0).await;
    assert!(claimed.unwrap().is_none());
}
