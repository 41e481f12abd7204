//! What of a plan's visits is wrong in its register: fields that are no dates there, forms of another register, conditions that do not parse.

use domain::{
    entry::form::EntryForm,
    formula::{Formula, compile_conditions},
};
use platform::error::{Error, Fault, Result};
use sqlx::PgConnection;

use super::{
    super::other_forms,
    item::{PlanItem, at, fault, faults},
};

/// The parsed condition of each visit; all that is wrong is an error.
pub async fn checked(db: &mut PgConnection, register: i64, items: &[PlanItem]) -> Result<Vec<Option<Formula>>> {
    let mut found = faults(items);
    let mut formulas = Vec::with_capacity(items.len());
    for (place, item) in items.iter().enumerate() {
        found.extend(in_register(&mut *db, register, place, item).await?);
        formulas.push(condition(&mut *db, place, item, &mut found).await?);
    }
    if found.is_empty() { Ok(formulas) } else { Err(Error::Faults(found)) }
}

async fn in_register(db: &mut PgConnection, register: i64, place: usize, item: &PlanItem) -> Result<Vec<Fault>> {
    let known = sqlx::query!(
        r#"select $2::bigint is null or exists (select from form_field f join form o on o.id = f.tip_skupa_atributa_id and o.aktivan
                     join attribute_type t on t.id = f.tip_atributa_id
                    where f.id = $2 and f.aktivan and o.registar_id = $1 and t.tip_vrednosti_atributa = type_number('datumski')
                      and not exists (select from form_field s where s.id = f.nadredjeni_atribut_u_tipu_skupa_id and s.ponavlja_se)) as "datum!",
                  not exists (select from unnest($3::bigint[]) w (id)
                               where not exists (select from form o where o.id = w.id and o.registar_id = $1 and o.aktivan)) as "formulari!",
                  $4::bigint is null or exists (select from form o where o.id = $4 and o.registar_id = $1 and o.aktivan) as "uslov!""#,
        register,
        item.sidro_polje_id,
        &item.formulari,
        item.uslov_form_id,
    )
    .fetch_one(db)
    .await?;
    let wrong = [
        (!known.datum, "sidroPoljeID", "To nije datumsko polje formulara ovog registra."),
        (!known.formulari, "formulari", "Formular nije iz ovog registra."),
        (!known.uslov, "uslovFormID", "Formular uslova nije iz ovog registra."),
    ];
    let told = wrong.into_iter().filter(|(is_wrong, ..)| *is_wrong);
    Ok(told.map(|(_, field, message)| fault(&at(place, field), message.to_owned())).collect())
}

async fn condition(db: &mut PgConnection, place: usize, item: &PlanItem, found: &mut Vec<Fault>) -> Result<Option<Formula>> {
    let (Some(text), Some(form)) = (item.uslov.as_deref(), item.uslov_form_id) else { return Ok(None) };
    // A form of another register was told already.
    let Ok(form) = EntryForm::load(&mut *db, form).await else { return Ok(None) };
    let fields = other_forms::all_fields(db, &form, [text]).await?;
    match compile_conditions(&[text], &fields).into_iter().next() {
        Some(Ok(compiled)) => Ok(Some(compiled.formula)),
        Some(Err(error)) => {
            found.push(fault(&at(place, "uslov"), error.message));
            Ok(None)
        }
        None => Ok(None),
    }
}
