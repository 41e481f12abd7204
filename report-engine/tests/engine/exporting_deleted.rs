//! What was deleted leaves with no export.

use domain::exports::Profile;
use sqlx::AssertSqlSafe;

use crate::{exporting::table, world::World};

#[tokio::test]
async fn a_deleted_entry_and_the_entries_of_a_deleted_patient_leave_with_no_export() {
    let (world, source) = World::to_export().await;
    let _engine = world.engine(&[]);
    let rows = async || table(&world.exported(world.ask_export(world.entries(&source, Profile::Identitet)).await).await).len() - 1;
    let before = rows().await;
    let of_export = format!("from entry e where e.tsa_id = {} and e.ustanova_id = {} and e.aktivan", source.form, world.ustanova);
    let run = async |sql: String| {
        let mut tx = domain::db::begin(&world.db.owner, domain::db::SYSTEM_WORKER).await.unwrap();
        sqlx::query(AssertSqlSafe(sql)).execute(&mut *tx).await.unwrap();
        tx.commit().await.unwrap();
    };
    run(format!("update entry set aktivan = false where id = (select min(e.id) {of_export})")).await;
    assert_eq!(rows().await, before - 1);
    let (patient, of_patient): (i64, i64) =
        sqlx::query_as(AssertSqlSafe(format!("select e.pacijent_id, count(*) {of_export} group by 1 order by 1 desc limit 1")))
            .fetch_one(&world.db.owner)
            .await
            .unwrap();
    run(format!("update patient set aktivan = false where id = {patient}")).await;
    assert_eq!(rows().await, before - 1 - usize::try_from(of_patient).unwrap());
}
