//! Questions about entries stand whatever a file brings in over them.

use super::{ANA, BOJAN, Case};

#[tokio::test]
async fn an_import_over_open_questions_loses_none() {
    let case = Case::new().await;
    let path = case.upload(&[ANA]).await;
    case.check(&path).await;
    assert_eq!(case.confirm(&path).await["status"], "done");
    let asking = "insert into question (unos_id, pacijent_id, ustanova_id, poreklo, dodeljen_id)
                  select e.id, e.pacijent_id, e.ustanova_id, 'nadzor', 1 from entry e";
    let first = "insert into question_message (upit_id, vrsta, tekst, stanje, dodeljen_id) select q.id, 'pitanje', 'Šta?', 'otvoren', 1 from question q";
    case.app.lay_out(&[asking, first]).await;
    let questions = async || -> Vec<(i64, i64, i64, String)> {
        sqlx::query_as("select id, unos_id, pacijent_id, stanje from question order by id").fetch_all(&case.app.db.owner).await.unwrap()
    };
    let before = questions().await;
    assert!(!before.is_empty());
    let path = case.upload(&[ANA, BOJAN]).await;
    case.check(&path).await;
    assert_eq!(case.confirm(&path).await["status"], "done");
    assert_eq!(questions().await, before);
}
