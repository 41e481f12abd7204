//! A disk that takes no more: the run says so and ends, and the engine goes on with the next.

use domain::exports::Profile;
use serde_json::json;

use crate::exporting::{many_entries, small_register};
use crate::world::{Report, World};

const WIDE: &str = "select x as a, repeat(md5(x::text), 8) as b from generate_series(1, :redova::int) x";
const TEMPLATE: &str = r#"{{#report}}{{col "a" head="A"}}{{col "b" head="B"}}{{/report}}"#;

#[tokio::test]
async fn a_run_for_which_the_disk_has_no_room_fails_in_words_and_the_engine_goes_on() {
    let world = World::new().await;
    let report = world.report("velik", Report { sql: WIDE, template: TEMPLATE, ..Report::default() }).await;
    world.text_parameter(report, "redova").await;
    let _engine = world.engine_with_small_files();
    for format in ["XLSX", "CSV", "PDF"] {
        let mut run = world.new_run(report);
        run.parametri = json!({ "redova": "8000" });
        run.formati = vec![format.to_owned()];
        let run = world.ask(run).await;
        let ended = world.end(run).await;
        let told = (ended.status.as_str(), ended.error_code.as_deref(), ended.error_text.as_deref());
        let words = "Na disku servera nema mesta za izveštaj. Obratite se administratoru.";
        assert_eq!(told, ("failed", Some("storage"), Some(words)), "{format}: {ended:?}");
        assert_eq!((ended.attempt, ended.crash_count), (1, 0), "{format} is not tried again: {ended:?}");
    }
    assert_eq!(world.count("select count(*) from report_artifact").await, 0);
    assert!(world.published().is_empty(), "no file is left: {:?}", world.published());
    let mut small = world.new_run(report);
    small.parametri = json!({ "redova": "5" });
    small.formati = ["XLSX", "CSV", "PDF"].map(str::to_owned).to_vec();
    let small = world.ask(small).await;
    assert_eq!(world.end(small).await.status, "succeeded");
    assert_eq!(world.files(small).await.len(), 3);
}

#[tokio::test]
async fn an_export_for_which_the_disk_has_no_room_fails_in_words_and_the_engine_goes_on() {
    let (world, _) = World::to_export().await;
    let (large, small) = (many_entries(&world, 10_000).await, small_register(&world).await);
    let _engine = world.engine_with_small_files();
    for xlsx in [true, false] {
        let mut new = world.entries(&large, Profile::BezIdentiteta);
        new.xlsx = xlsx;
        let ended = world.end(world.ask_export(new).await).await;
        let told = (ended.status.as_str(), ended.error_code.as_deref(), ended.error_text.as_deref());
        let words = "Na disku servera nema mesta za izvoz. Obratite se administratoru.";
        assert_eq!(told, ("failed", Some("storage"), Some(words)), "with a workbook: {xlsx}: {ended:?}");
        assert_eq!((ended.attempt, ended.crash_count), (1, 0), "it is not tried again: {ended:?}");
    }
    assert_eq!(world.count("select count(*) from report_artifact").await, 0);
    assert!(world.published().is_empty(), "no file is left: {:?}", world.published());
    let files = world.exported(world.ask_export(world.entries(&small, Profile::Identitet)).await).await;
    assert!(files.contains_key("podaci.csv") && files.contains_key("podaci.xlsx"));
}
