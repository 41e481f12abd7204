//! Files in an export: how many there are, and what they are called only where people are.

use domain::exports::Profile;
use serde_json::json;

use crate::{
    exporting::{table, text},
    printing::file_field,
    world::World,
};

#[tokio::test]
async fn files_are_counted_and_named_only_where_patients_are() {
    let (world, source) = World::to_export().await;
    let entry = world.demo_entry().await;
    let field = file_field(&world, entry).await;
    let file = |id: i64, naziv: &str| json!({ "id": id, "naziv": naziv, "tip": "pdf", "velicina": 10, "sha256": "" });
    let files = json!({ field.to_string(): [file(1, "Petrović nalaz.pdf"), file(2, "drugi.pdf")] });
    let planting = "update entry set vrednosti = vrednosti || $2, form_version_id = make_form_version(tsa_id) where id = $1";
    world.write(planting, entry, files).await;
    let _engine = world.engine(&[]);
    let exported = async |profile| world.exported(world.ask_export(world.entries(&source, profile)).await).await;

    let named = exported(Profile::Identitet).await;
    let rows = table(&named);
    let column = |name: &str| rows[0].iter().position(|head| head == name).unwrap_or_else(|| panic!("no {name} in {:?}", rows[0]));
    let (count, names) = (column("prilozi_broj_fajlova"), column("prilozi"));
    let told: Vec<(&str, &str)> = rows[1..].iter().map(|row| (row[count].as_str(), row[names].as_str())).collect();
    assert!(told.contains(&("2", "Petrović nalaz.pdf, drugi.pdf")), "{told:?}");
    assert!(told.iter().filter(|one| **one == ("0", "")).count() == told.len() - 1, "{told:?}");

    let without = exported(Profile::BezIdentiteta).await;
    assert!(table(&without)[0].contains(&"prilozi_broj_fajlova".to_owned()));
    assert!(!table(&without)[0].contains(&"prilozi".to_owned()));
    for name in without.keys().filter(|name| !name.ends_with(".xlsx")) {
        assert!(!text(&without, name).contains("nalaz.pdf"), "{name} names a file");
    }
}
