//! Where a type of attributes is used.

use sqlx::PgConnection;

use super::Places;
use crate::error::Result;

pub async fn places(tx: &mut PgConnection, id: i64) -> Result<Vec<String>> {
    let fields = sqlx::query_scalar!(
        r#"select f.naziv || ' (' || t.naziv || ')' as "name!" from form_field f
             join form t on t.id = f.tip_skupa_atributa_id and t.aktivan
            where f.tip_atributa_id = $1 and f.aktivan order by t.naziv, f.redosled, f.id"#,
        id
    );
    let kept = sqlx::query_scalar!(
        r#"select count(*) as "kept!" from form_field f where f.tip_atributa_id = $1 and not f.aktivan
              and exists (select from entry e where e.tsa_id = f.tip_skupa_atributa_id and entry_holds(e.vrednosti, f.id))"#,
        id
    );
    let (fields, kept) = (fields.fetch_all(&mut *tx).await?, kept.fetch_one(tx).await?);
    let words = ["obrisano polje sa vrednostima", "obrisana polja sa vrednostima", "obrisanih polja sa vrednostima"];
    Ok(Places::default().named("tip je polja ", &fields).counted("ima ga ", kept, words).all())
}
