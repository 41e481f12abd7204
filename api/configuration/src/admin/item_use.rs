//! An item of a set that a formula names, in `selected(…)` and the like: it keeps the code, name or number by which it is named.

use domain::{
    entry::form::{EntryForm, FormError},
    formula::{Item, ItemName},
};
use platform::error::{Error, Result};
use rust_decimal::{Decimal, prelude::ToPrimitive};
use sqlx::PgConnection;

use super::other_forms;

/// Refuses another code, name or number for an item that a formula names by it, with the place of the formula.
pub async fn refuse_change(tx: &mut PgConnection, item: i64, name: &str, num: Option<Decimal>, code: Option<&str>) -> Result<()> {
    let used = uses(tx, item).await?;
    if let Some(place) = used.by_name.filter(|_| used.name != name) {
        return Err(Error::invalid("naziv", format!("Naziv se ne može promeniti: „{}” stoji u formuli {place}.", used.name)));
    }
    if let Some(place) = used.by_code.filter(|_| used.code.as_deref() != code) {
        let code = used.code.unwrap_or_default();
        return Err(Error::invalid("sifraVeza", format!("Šifra se ne može promeniti: „{code}” stoji u formuli {place}.")));
    }
    if let Some(place) = used.by_number.filter(|_| used.num != num) {
        let number = used.num.unwrap_or_default().normalize();
        return Err(Error::invalid("numVrednost", format!("Broj se ne može promeniti: {number} stoji u formuli {place}.")));
    }
    Ok(())
}

/// Refuses to delete an item that a formula names.
pub async fn refuse_removal(tx: &mut PgConnection, item: i64) -> Result<()> {
    let used = uses(tx, item).await?;
    match used.by_code.or(used.by_name).or(used.by_number) {
        Some(place) => Err(Error::conflict(format!("Stavka se ne može obrisati: stoji u formuli {place}."))),
        None => Ok(()),
    }
}

struct Uses {
    name: String,
    num: Option<Decimal>,
    code: Option<String>,
    /// Where a formula names it, in words.
    by_code: Option<String>,
    by_name: Option<String>,
    by_number: Option<String>,
}

async fn uses(tx: &mut PgConnection, item: i64) -> Result<Uses> {
    let row = sqlx::query!("select naziv, num_vrednost, sifra_veza, tip_atributa_id from enum_item where id = $1", item)
        .fetch_one(&mut *tx)
        .await?;
    let forms = sqlx::query_scalar!(
        r#"select distinct u.form_id as "form!" from type_uses(array[$1]::bigint[]) u join form_field f on f.id = u.polje_id and f.sifra is not null
            union select r.id from form r
            where r.aktivan and exists (select from type_uses(array[$1]::bigint[]) u join form o on o.id = u.form_id
                                          where o.registar_id = r.registar_id)
              and (exists (select from form_field_read n where n.form_id = r.id and strpos(n.sifra, '.') > 0)
                   or jsonb_path_exists(r.pravila, '$[*].formula.far[*]') or jsonb_path_exists(r.pravila, '$[*].formula.farPrev[*]'))
            order by 1"#,
        row.tip_atributa_id
    )
    .fetch_all(&mut *tx)
    .await?;
    let num = row.num_vrednost.and_then(|num| num.to_f64());
    let own = Item { id: item, num, name: row.naziv.clone(), code: row.sifra_veza.clone() };
    let mut uses = Uses { name: row.naziv, num: row.num_vrednost, code: row.sifra_veza, by_code: None, by_name: None, by_number: None };
    for id in forms {
        let form = match EntryForm::load(&mut *tx, id).await {
            Err(FormError::Missing) => continue,
            form => form?,
        };
        let fields = other_forms::all_fields(&mut *tx, &form, []).await?;
        let is_its_set = |code: &str| {
            let set = fields.iter().find(|field| field.sifra.as_deref() == Some(code));
            set.is_some_and(|set| set.items.iter().any(|known| known.id == item))
        };
        let of_fields = form.fields.iter().zip(&form.formulas).flat_map(|(field, formulas)| {
            let place = format!("polja „{}”", field.naziv);
            formulas.formulas().chain(form.required_if.get(&field.id)).map(move |formula| (place.clone(), formula))
        });
        let of_rules = form.rules.iter().map(|rule| (format!("pravila „{}”", rule.own.poruka), &rule.formula));
        for (owner, formula) in of_fields.chain(of_rules) {
            for named in formula.items().into_iter().filter(|named| is_its_set(named.code)) {
                if !named.is(&own) {
                    continue;
                }
                let place = format!("{owner} (formular „{}”)", form.naziv);
                let used = match named.item {
                    ItemName::Code(_) => &mut uses.by_code,
                    ItemName::Name(_) => &mut uses.by_name,
                    ItemName::Number(_) => &mut uses.by_number,
                };
                used.get_or_insert(place);
            }
        }
    }
    Ok(uses)
}
