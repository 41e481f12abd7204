//! Where an item of a set is used: by fields that begin with it, and by entries that have it.

use platform::error::Result;
use sqlx::PgConnection;

use super::Places;

pub async fn places(tx: &mut PgConnection, id: i64) -> Result<Vec<String>> {
    let used = sqlx::query!(
        r#"
        select f.naziv || ' (' || t.naziv || ')' as "name!",
               f.inicijalna_enum_stavka_id = i.id and f.id in (select polje_id from type_uses(array[i.tip_atributa_id])) as "initial?",
               (select count(*) from entry e
                 where e.tsa_id = f.tip_skupa_atributa_id and (e.vrednosti -> f.id::text @> to_jsonb(i.id) or rows_choose(e.vrednosti, f.id, i.id))) as "entries!"
          from enum_item i join form_field f on f.tip_atributa_id = i.tip_atributa_id join form t on t.id = f.tip_skupa_atributa_id
          join form_field_place m on m.polje_id = f.id
         where i.id = $1
         order by t.naziv, t.id, m.mesto
        "#,
        id
    )
    .fetch_all(tx)
    .await?;
    let initial: Vec<String> = used.iter().filter(|row| row.initial == Some(true)).map(|row| row.name.clone()).collect();
    let places = Places::default().named("početna je vrednost polja ", &initial);
    Ok(used
        .into_iter()
        .fold(places, |places, row| {
            places.counted(&format!("izabrana je u polju „{}” u ", row.name), row.entries, ["unosu", "unosa", "unosa"])
        })
        .all())
}
