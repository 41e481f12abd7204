//! Rows of sections that repeat: a file of their own in the archive of an export.

use std::collections::BTreeMap;

use domain::exports::Profile;
use serde_json::json;

use crate::exporting::{Files, Source, small_register, table, text};
use crate::world::World;

/// A section with a text, a number and a set, and an entry with two rows of it.
async fn with_rows(world: &World, source: &Source) -> i64 {
    let mut tx = domain::db::begin(&world.db.owner, domain::db::SYSTEM_WORKER).await.unwrap();
    let section: i64 = sqlx::query_scalar(
        "insert into form_field (tip_skupa_atributa_id, tip_atributa_id, naziv, redosled, sifra, ponavlja_se)
         select $1, id, 'Terapija', 20, 'terapija', true from attribute_type where naziv = 'm panel' returning id",
    )
    .bind(source.form)
    .fetch_one(&mut *tx)
    .await
    .unwrap();
    let mut columns = BTreeMap::new();
    for (code, kind) in [("lek", "m tekst"), ("doza", "m broj"), ("od", "m datum"), ("put", "m jedan")] {
        let id: i64 = sqlx::query_scalar(
            "insert into form_field (tip_skupa_atributa_id, tip_atributa_id, naziv, redosled, sifra, nadredjeni_atribut_u_tipu_skupa_id)
             select $1, id, $2, 21, $2, $3 from attribute_type where naziv = $4 returning id",
        )
        .bind(source.form)
        .bind(code)
        .bind(section)
        .bind(kind)
        .fetch_one(&mut *tx)
        .await
        .unwrap();
        columns.insert(code, id.to_string());
    }
    let item: i64 = sqlx::query_scalar(
        "select i.id from enum_item i join attribute_type t on t.id = i.tip_atributa_id where t.naziv = 'm jedan' and i.naziv = 'druga'",
    )
    .fetch_one(&mut *tx)
    .await
    .unwrap();
    let rows = json!([{ "id": 5, "v": { &columns["lek"]: "=1+1", &columns["doza"]: 7.5, &columns["put"]: [item] } },
                      { "id": 9, "v": { &columns["doza"]: 0, &columns["od"]: "2025-01-01" } }]);
    sqlx::query(
        "update entry e set vrednosti = e.vrednosti || jsonb_build_object($1::text, $2::jsonb)
          where e.id = (select id from entry where tsa_id = $3 and datum_unosa = '2026-02-05')",
    )
    .bind(section.to_string())
    .bind(rows)
    .bind(source.form)
    .execute(&mut *tx)
    .await
    .unwrap();
    tx.commit().await.unwrap();
    section
}

#[tokio::test]
async fn rows_of_sections_are_in_a_file_of_their_own_and_nobody_misses_them_without_being_told() {
    let (world, _) = World::to_export().await;
    let source = small_register(&world).await;
    let section = with_rows(&world, &source).await;
    let _engine = world.engine(&[]);
    let lines =
        |files: &Files| -> Vec<String> { text(files, "redovi.csv").trim_start_matches('\u{feff}').lines().map(str::to_owned).collect() };

    let files = world.exported(world.ask_export(world.entries(&source, Profile::Identitet)).await).await;
    let heads = "red_podataka;sekcija;red;polje;vrednost;sifra_vrednosti;tezina_vrednosti";
    assert_eq!(
        lines(&files),
        [
            heads,
            "2;terapija;1;lek;'=1+1;;",
            "2;terapija;1;doza;7,5;;",
            "2;terapija;1;put;druga;;2",
            "2;terapija;2;doza;0;;",
            "2;terapija;2;od;2025-01-01;;"
        ]
    );
    assert!(text(&files, "PROCITAJ.txt").contains("redovi.csv"));
    assert!(!table(&files)[0].join(";").contains("terapija"));

    let files = world.exported(world.ask_export(world.entries(&source, Profile::BezIdentiteta)).await).await;
    let told = lines(&files);
    assert_eq!(told.len(), 5, "{told:?}");
    assert!(told.iter().all(|line| !line.contains("lek") && !line.contains("2025-01-01")), "no text, and days are moved: {told:?}");

    let mut chosen = world.entries(&source, Profile::Identitet);
    chosen.polja = Some(Vec::new());
    let files = world.exported(world.ask_export(chosen).await).await;
    assert!(!files.contains_key("redovi.csv"));
    assert!(text(&files, "PROCITAJ.txt").contains("redova ovih sekcija koje se ponavljaju ovde nema: Terapija"));

    let mut chosen = world.entries(&source, Profile::Identitet);
    chosen.polja = Some(vec![section]);
    let files = world.exported(world.ask_export(chosen).await).await;
    assert_eq!(lines(&files).len(), 6, "a section that was chosen is there");
    assert!(!text(&files, "PROCITAJ.txt").contains("PAŽNJA: izabrana su polja"));
}
