//! The logo of the institution heads what a run makes for it, and no other; a picture that is not there is told, never left out unseen.

use std::io::Cursor;

use image::{ImageFormat, Rgb, RgbImage};
use lopdf::{Document, Object};
use uuid::Uuid;

use crate::world::{Report, World};

const PICTURED: &str = r#"{{#report picture="znak" pictureAlt="Znak registra"}}{{col "a" head="A"}}{{/report}}"#;

pub fn png(width: u32) -> Vec<u8> {
    let mut png = Cursor::new(Vec::new());
    RgbImage::from_pixel(width, 20, Rgb([10, 90, 160])).write_to(&mut png, ImageFormat::Png).unwrap();
    png.into_inner()
}

/// Widths of the pictures of a PDF.
pub fn pictures(pdf: &[u8]) -> Vec<i64> {
    let document = Document::load_mem(pdf).expect("a PDF");
    let streams = document.objects.values().filter_map(|object| object.as_stream().ok());
    let images = streams.filter(|stream| matches!(stream.dict.get(b"Subtype"), Ok(Object::Name(name)) if name == b"Image"));
    let mut widths: Vec<i64> = images.map(|image| image.dict.get(b"Width").and_then(Object::as_i64).expect("a width")).collect();
    widths.sort_unstable();
    widths
}

impl World {
    pub async fn keep_logo(&self, ustanova: i64, slika: &[u8]) {
        let mut tx = domain::db::begin(&self.db.owner, self.radnik).await.unwrap();
        let kept = "insert into institution_logo (id, slika) values ($1, $2) on conflict (id) do update set slika = excluded.slika";
        sqlx::query(kept).bind(ustanova).bind(slika).execute(&mut *tx).await.unwrap();
        tx.commit().await.unwrap();
    }

    async fn ask_all_formats(&self, report: i64) -> Uuid {
        let mut run = self.new_run(report);
        run.formati = ["PDF", "XLSX", "CSV"].map(str::to_owned).to_vec();
        self.ask(run).await
    }

    async fn pdf(&self, run: Uuid) -> Vec<u8> {
        let ended = self.end(run).await;
        assert_eq!((ended.status.as_str(), ended.error_text.as_deref()), ("succeeded", None), "{ended:?}");
        let files = self.files(run).await;
        files.into_iter().find(|(format, _)| format == "PDF").expect("a PDF").1
    }
}

#[tokio::test]
async fn the_logo_of_the_institution_heads_its_runs_and_no_report_over_all() {
    let world = World::new().await;
    let own = world.report("svoj", Report::default()).await;
    let all = world.report("svi", Report { obim: "sve", ..Report::default() }).await;
    let _engine = world.engine(&[]);
    let before = world.ask_all_formats(own).await;
    assert_eq!(pictures(&world.pdf(before).await), [0; 0], "none was kept");
    world.keep_logo(world.ustanova, &png(40)).await;
    let (with, over_all) = (world.ask_all_formats(own).await, world.ask_all_formats(all).await);
    assert_eq!(pictures(&world.pdf(with).await), [40]);
    assert_eq!(pictures(&world.pdf(over_all).await), [0; 0], "what is of all institutions is headed by none");
    let xlsx = world.files(with).await.into_iter().find(|(format, _)| format == "XLSX").expect("a workbook").1;
    let mut archive = zip::ZipArchive::new(Cursor::new(xlsx)).unwrap();
    let drawing = std::io::read_to_string(archive.by_name("xl/drawings/drawing1.xml").unwrap()).unwrap();
    assert!(drawing.contains("descr=\"Logo ustanove Klinika\""), "{drawing}");
}

#[tokio::test]
async fn the_logo_of_another_institution_is_on_nothing_here() {
    let world = World::new().await;
    let mut tx = domain::db::begin(&world.db.owner, world.radnik).await.unwrap();
    let other: i64 = sqlx::query_scalar("insert into institution (naziv) values ('Druga') returning id").fetch_one(&mut *tx).await.unwrap();
    tx.commit().await.unwrap();
    world.keep_logo(other, &png(40)).await;
    let report = world.report("svoj", Report::default()).await;
    let _engine = world.engine(&[]);
    let run = world.ask_all_formats(report).await;
    assert_eq!(pictures(&world.pdf(run).await), [0; 0]);
}

#[tokio::test]
async fn a_broken_logo_is_told_of_in_the_heading() {
    let world = World::new().await;
    world.keep_logo(world.ustanova, b"<svg/>").await;
    let report = world.report("svoj", Report::default()).await;
    let engine = world.engine(&[]);
    let run = world.ask_all_formats(report).await;
    let pdf = world.pdf(run).await;
    assert_eq!(pictures(&pdf), [0; 0]);
    let path = world.folder.path().join("izvestaj.pdf");
    std::fs::write(&path, pdf).unwrap();
    let shown = std::process::Command::new("pdftotext").arg("-layout").arg(&path).arg("-").output().expect("pdftotext");
    let shown = String::from_utf8(shown.stdout).unwrap();
    assert!(shown.contains("Logo ustanove: ne može da se prikaže"), "{shown}");
    assert!(engine.log().contains("the logo of an institution cannot be read"));
}

#[tokio::test]
async fn a_template_brings_a_picture_of_the_server_or_fails_and_says_which() {
    let world = World::new().await;
    let report = world.report("sa-slikom", Report { template: PICTURED, ..Report::default() }).await;
    world.keep_logo(world.ustanova, &png(40)).await;
    let _engine = world.engine(&[]);
    let missing = world.ask_all_formats(report).await;
    let ended = world.end(missing).await;
    let words = "Šablon izveštaja traži sliku „znak”, koje na serveru nema ili se ne može pročitati. Obratite se administratoru.";
    assert_eq!((ended.status.as_str(), ended.error_text.as_deref()), ("failed", Some(words)), "{ended:?}");
    let folder = world.folder.path().join("templates/pictures");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("znak.png"), png(30)).unwrap();
    let run = world.ask_all_formats(report).await;
    assert_eq!(pictures(&world.pdf(run).await), [30, 40], "the logo and the template's own");
}
