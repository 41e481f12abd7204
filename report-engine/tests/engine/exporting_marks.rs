//! What of a form's own fields leaves without identity: by their marks, by their names where nobody has marked them, and for how many.

use domain::exports::Profile;
use sqlx::AssertSqlSafe;

use crate::exporting::{column, small_register, table, text};
use crate::world::World;

pub async fn change(world: &World, sql: &str) {
    let mut tx = domain::db::begin(&world.db.owner, domain::db::SYSTEM_WORKER).await.unwrap();
    sqlx::raw_sql(AssertSqlSafe(sql.to_owned())).execute(&mut *tx).await.unwrap_or_else(|error| panic!("{sql}: {error}"));
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn a_marked_field_leaves_as_its_mark_says_and_an_unmarked_one_as_it_looks() {
    let (world, _) = World::to_export().await;
    let source = small_register(&world).await;
    // An old woman whose form says how old she is.
    change(
        &world,
        "update form_field set naziv = 'Uzrast na prijemu' where sifra = 'CRP';
         update entry e set vrednosti = jsonb_set(e.vrednosti, array[f.id::text], '104') from form_field f
          where f.sifra = 'CRP' and e.tsa_id = f.tip_skupa_atributa_id and e.datum_unosa = '2026-01-05'",
    )
    .await;
    let _engine = world.engine(&[]);
    let asked = async || world.exported(world.ask_export(world.entries(&source, Profile::BezIdentiteta)).await).await;
    let files = asked().await;
    let rows = table(&files);
    let age = column(&rows, "crp");
    let ages: Vec<&str> = rows[1..].iter().map(|row| row[age].as_str()).filter(|age| !age.is_empty()).collect();
    assert!(ages.contains(&"90") && !ages.contains(&"104"), "{ages:?}");
    assert!(text(&files, "PROCITAJ.txt").contains("Uzrast na prijemu: najviše 90"), "nobody has marked it, and that is told");
    assert!(text(&files, "sifarnik.csv").contains("Uzrast na prijemu; 90 je 90 i više"));

    for (mark, leaves, told) in [("uzrast", true, false), ("identitet", false, false), ("datum", false, false), ("nista", true, false)] {
        change(&world, &format!("update form_field set oznaka_izvoza = '{mark}' where sifra = 'CRP'")).await;
        let files = asked().await;
        assert_eq!(table(&files)[0].iter().any(|head| head == "crp"), leaves, "{mark}");
        assert_eq!(text(&files, "PROCITAJ.txt").contains("Uzrast na prijemu"), told, "{mark}");
        let old = table(&files).iter().skip(1).flatten().any(|cell| cell == "104");
        assert_eq!(old, mark == "nista", "{mark}");
    }
    // With identity nothing is left out.
    let files = world.exported(world.ask_export(world.entries(&source, Profile::Identitet)).await).await;
    assert!(table(&files).iter().flatten().any(|cell| cell == "104"));
    // A set that tells who somebody is takes its items with it.
    change(&world, "update form_field set oznaka_izvoza = 'identitet' where sifra = 'stadijum'").await;
    let files = asked().await;
    assert!(!table(&files)[0].iter().any(|head| head.starts_with("stadijum")));
}

#[tokio::test]
async fn fewer_patients_than_the_least_are_no_export_whatever_was_counted() {
    let (world, _) = World::to_export().await;
    let source = small_register(&world).await;
    let _engine = world.engine(&[]);
    for (least, succeeds) in [(2, true), (3, false)] {
        change(&world, &format!("update parameter set vrednost = '{least}' where naziv = 'najmanjiIzvozBezIdentiteta'")).await;
        let ended = world.end(world.ask_export(world.entries(&source, Profile::BezIdentiteta)).await).await;
        let told = if succeeds { ("succeeded", None) } else { ("failed", Some("too_small")) };
        assert_eq!((ended.status.as_str(), ended.error_code.as_deref()), told, "{least}");
        let named = world.end(world.ask_export(world.entries(&source, Profile::Identitet)).await).await;
        assert_eq!(named.status, "succeeded", "with identity nobody is hidden");
    }
}
