//! What leaves of those whom a search has shown.

use domain::exports::{LoggedSearch, Profile, RowOf};
use uuid::Uuid;

use crate::exporting::{self, column, small_register, table, text};
use crate::world::World;

#[tokio::test]
async fn an_export_of_a_search_holds_those_whom_it_has_shown_and_no_other() {
    let (world, _) = World::to_export().await;
    let source = small_register(&world).await;
    let _engine = world.engine(&[]);
    let mut new = world.entries(&source, Profile::Identitet);
    let (zapis, vreme): (i64, jiff_sqlx::Timestamp) = sqlx::query_as(
        "with search as (insert into audit_log (radnik_id, ustanova_id, klasa, akcija, red_id, opis)
                         values ($1, $2, 'patient_search', 'pretraga', $3::text, '') returning id, vreme_pristupa),
              shown as (insert into audit_log_patient (vreme_pristupa, log_id, pacijent_id)
                        select s.vreme_pristupa, s.id, (select max(pacijent_id) from entry where tsa_id = $4 and ustanova_id = $2) from search s)
         select id, vreme_pristupa from search",
    )
    .bind(world.radnik)
    .bind(world.ustanova)
    .bind(source.registar)
    .bind(source.form)
    .fetch_one(&world.db.owner)
    .await
    .unwrap();
    let vreme = vreme.to_jiff();
    new.selection.pretraga = Some(LoggedSearch { zapis, vreme });
    let files = world.exported(world.ask_export(new.clone()).await).await;
    let table = table(&files);
    let days: Vec<&str> = table[1..].iter().map(|row| row[column(&table, "datum_pregleda")].as_str()).collect();
    assert_eq!(days, ["2025-11-30"], "one of the two patients");
    let shown = domain::time::date_time_text(vreme.to_zoned(domain::time::zone()).datetime());
    assert!(text(&files, "PROCITAJ.txt").contains(&format!("samo oni koje je prikazala pretraga od {shown}")));

    new.run = Uuid::now_v7();
    (new.selection.tsa_id, new.selection.red) = (None, RowOf::Pacijent);
    let files = world.exported(world.ask_export(new).await).await;
    assert_eq!(exporting::table(&files).len(), 2, "a head and a patient");
}
