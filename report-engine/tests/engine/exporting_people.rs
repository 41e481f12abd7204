//! What an export says of the people in it beside their entries: what became of them, and who is left out for want of consent.

use domain::exports::Profile;

use crate::{
    exporting::{column, small_register, table, text},
    world::World,
};

#[tokio::test]
async fn a_status_leaves_with_its_day_and_without_identity_with_a_moved_one() {
    let (world, _) = World::to_export().await;
    let source = small_register(&world).await;
    let _engine = world.engine(&[]);
    let died = "insert into patient_status (pacijent_id, status, dan, izvor, ustanova_id)
                select e.pacijent_id, 'preminuo', '2026-02-20', 'potvrda', e.ustanova_id from entry e
                 where e.tsa_id = $1 and e.ustanova_id = ($2::text)::bigint order by e.pacijent_id, e.datum_unosa limit 1";
    let mut tx = domain::db::begin(&world.db.owner, world.radnik).await.unwrap();
    sqlx::query(died).bind(source.form).bind(world.ustanova.to_string()).execute(&mut *tx).await.unwrap();
    tx.commit().await.unwrap();
    for (profile, day) in [(Profile::Identitet, Some("2026-02-20")), (Profile::BezIdentiteta, None)] {
        let table = table(&world.exported(world.ask_export(world.entries(&source, profile)).await).await);
        let (status, since) = (column(&table, "status"), column(&table, "status_dan"));
        let told: Vec<(&str, &str)> = table[1..].iter().map(|row| (row[status].as_str(), row[since].as_str())).collect();
        let dead: Vec<_> = told.iter().filter(|(status, _)| *status == "3").collect();
        assert!(!dead.is_empty() && told.iter().all(|(status, since)| (*status == "1") == since.is_empty()), "{told:?}");
        match day {
            Some(day) => assert!(dead.iter().all(|(_, since)| *since == day), "{told:?}"),
            None => assert!(dead.iter().all(|(_, since)| *since != "2026-02-20"), "{told:?}"),
        }
    }
}

#[tokio::test]
async fn who_has_not_agreed_to_research_is_not_in_the_file_and_is_counted() {
    let (world, _) = World::to_export().await;
    let source = small_register(&world).await;
    let _engine = world.engine(&[]);
    let all = table(&world.exported(world.ask_export(world.entries(&source, Profile::BezIdentiteta)).await).await).len();
    let mut tx = domain::db::begin(&world.db.owner, world.radnik).await.unwrap();
    sqlx::query(
        "insert into patient_consent (pacijent_id, registar_id, svrha, dat, dan, ustanova_id)
         select e.pacijent_id, e.registar_id, 'istrazivanje', false, '2026-03-01', e.ustanova_id from entry e
          where e.tsa_id = $1 and e.ustanova_id = $2 and e.datum_unosa = '2025-11-30'",
    )
    .bind(source.form)
    .bind(world.ustanova)
    .execute(&mut *tx)
    .await
    .unwrap();
    tx.commit().await.unwrap();
    let files = world.exported(world.ask_export(world.entries(&source, Profile::BezIdentiteta)).await).await;
    assert!(table(&files).len() < all);
    assert!(text(&files, "PROCITAJ.txt").contains("Izostavljeno: 1 pacijenata koji nisu dali saglasnost za istraživanje."));
    let named = world.exported(world.ask_export(world.entries(&source, Profile::Identitet)).await).await;
    assert_eq!(table(&named).len(), all);
}
