//! Where a type of attributes is used.

use platform::error::Result;
use sqlx::PgConnection;

use super::Places;

pub async fn places(tx: &mut PgConnection, id: i64) -> Result<Vec<String>> {
    let fields = sqlx::query_scalar!(
        r#"select f.naziv || ' (' || u.formular || ')' as "name!" from type_uses(array[$1]::bigint[]) u
             join form_field f on f.id = u.polje_id join form_field_place m on m.polje_id = f.id order by u.formular, u.form_id, m.mesto"#,
        id
    );
    let kept = sqlx::query_scalar!(
        r#"select count(*) as "kept!" from form_field f
            where f.tip_atributa_id = $1 and f.id not in (select polje_id from type_uses(array[$1]::bigint[]))
              and exists (select from entry e where e.tsa_id = f.tip_skupa_atributa_id and entry_holds(e.vrednosti, f.id))"#,
        id
    );
    let (fields, kept) = (fields.fetch_all(&mut *tx).await?, kept.fetch_one(tx).await?);
    let words = ["obrisano polje sa vrednostima", "obrisana polja sa vrednostima", "obrisanih polja sa vrednostima"];
    Ok(Places::default().named("tip je polja ", &fields).counted("ima ga ", kept, words).all())
}
