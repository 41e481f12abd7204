//! Marks on stored values once an entry was computed anew, by a save or by a recomputation.

use sqlx::PgConnection;

use super::{
    form::EntryForm,
    meaning::{unit, unit_meaning},
    stale::{EnteredUnits, entered_units},
    values::{Values, alike},
};
use crate::register::ValueType;

/// Numbers that were entered in another unit than the newer version reads them in: in that of the entry's version, or in the one that a
/// mark of the entry names.
pub fn other_units<'a>(
    kept: &'a EntryForm,
    newest: &'a EntryForm,
    stored: &'a Values,
    entered: &'a EnteredUnits,
) -> impl Iterator<Item = (i64, Option<&'a str>)> {
    let now = newest.by_id();
    kept.fields
        .iter()
        .filter(move |field| field.tva_num_vrednost == ValueType::Number && !field.is_calculated() && stored.contains_key(&field.id))
        .filter_map(move |field| {
            let now = now.get(&field.id)?;
            let (text, meaning) = match entered.get(&field.id) {
                Some(entered) => (entered.jedinica.as_deref(), entered.znacenje.as_str()),
                None => (unit(field), unit_meaning(field)),
            };
            (unit_meaning(now) != meaning).then_some((field.id, text))
        })
}

/// Every result was computed anew by the entry's version: the marks that this version already knew of are settled, but what was
/// entered in another unit stays marked until it is entered anew. `kept` is the version that the entry was taken from.
pub async fn settle(
    db: &mut PgConnection,
    entry: i64,
    form: &EntryForm,
    kept: Option<&EntryForm>,
    before: Option<&Values>,
    saved: &Values,
) -> sqlx::Result<()> {
    let results: Vec<i64> = form.fields.iter().filter(|field| field.is_calculated()).map(|field| field.id).collect();
    sqlx::query!(
        "delete from stale_result s using entry e, form_version v
          where s.unos_id = $1 and e.id = s.unos_id and v.id = e.form_version_id and (s.vreme <= v.napravljena or s.razlog = 'drugi_formular')
            and (s.razlog <> 'jedinica' or s.polje_id = any ($2))",
        entry,
        &results
    )
    .execute(&mut *db)
    .await?;
    let same = |id: &i64| alike(before.and_then(|before| before.get(id)), saved.get(id));
    if let Some(kept) = kept {
        let entered = entered_units(&mut *db, entry).await?;
        let (fields, units): (Vec<i64>, Vec<Option<String>>) =
            other_units(kept, form, saved, &entered).filter(|(id, _)| same(id)).map(|(id, unit)| (id, unit.map(str::to_owned))).unzip();
        // What was entered in the unit that the version has is marked no more, unless today's is another one.
        let right: Vec<i64> = entered.into_keys().filter(|id| !fields.contains(id)).collect();
        sqlx::query!(
            "delete from stale_result s using unit_mark m
              where s.unos_id = $1 and s.polje_id = any ($2) and s.razlog = 'jedinica'
                and m.unos_id = s.unos_id and m.polje_id = s.polje_id and m.znacenje = m.danas",
            entry,
            &right
        )
        .execute(&mut *db)
        .await?;
        // As old as the version, which reads them in its own unit.
        sqlx::query!(
            "insert into stale_result (unos_id, polje_id, razlog, jedinica, vreme)
             select e.id, m.id, 'jedinica', m.jedinica, v.napravljena
               from entry e join form_version v on v.id = e.form_version_id cross join unnest($2::bigint[], $3::text[]) m (id, jedinica)
              where e.id = $1
                 on conflict (unos_id, polje_id) do update set razlog = 'jedinica', jedinica = excluded.jedinica, vreme = excluded.vreme",
            entry,
            &fields,
            &units as &[Option<String>]
        )
        .execute(&mut *db)
        .await?;
    }
    other_than_today(db, entry, form, saved, same).await
}

/// What is entered in an older version is marked where today's form has another unit: lists and searches show both beside each other.
async fn other_than_today(
    db: &mut PgConnection,
    entry: i64,
    form: &EntryForm,
    saved: &Values,
    same: impl Fn(&i64) -> bool,
) -> sqlx::Result<()> {
    let numbers = form.fields.iter().filter(|field| field.tva_num_vrednost == ValueType::Number);
    let numbers: Vec<_> = numbers.filter(|field| saved.contains_key(&field.id) && !same(&field.id)).collect();
    let fields: Vec<i64> = numbers.iter().map(|field| field.id).collect();
    let units: Vec<Option<String>> = numbers.iter().map(|field| unit(field).map(str::to_owned)).collect();
    let meanings: Vec<String> = numbers.iter().map(|field| unit_meaning(field).to_owned()).collect();
    sqlx::query!(
        "insert into stale_result (unos_id, polje_id, razlog, jedinica)
         select $1, f.id, 'jedinica', m.jedinica
           from unnest($2::bigint[], $3::text[], $4::text[]) m (id, jedinica, znacenje)
           join form_field f on f.id = m.id and f.aktivan join attribute_type t on t.id = f.tip_atributa_id
          where meaning_of('attribute_type', t.id, coalesce(btrim(t.jedinica), '')) <> m.znacenje
             on conflict (unos_id, polje_id) do nothing",
        entry,
        &fields,
        &units as &[Option<String>],
        &meanings
    )
    .execute(db)
    .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::entry::{
        form::{EntryField, FieldType},
        stale::EnteredUnit,
    };

    fn number(id: i64, jedinica: Option<&str>) -> EntryField {
        let tip_atributa = FieldType { jedinica: jedinica.map(str::to_owned), ..FieldType::default() };
        EntryField { id, tva_num_vrednost: ValueType::Number, tip_atributa, ..EntryField::default() }
    }

    fn form(fields: Vec<EntryField>) -> EntryForm {
        EntryForm { fields, ..EntryForm::default() }
    }

    #[test]
    fn entered_numbers_are_in_the_unit_of_their_version_and_neither_results_nor_blanks_or_texts_are() {
        let text = EntryField { tva_num_vrednost: ValueType::Text, ..number(4, Some("mg")) };
        let result = EntryField { formula_za_racunanje: Some(json!(1)), ..number(5, Some("mg")) };
        let kept = form(vec![
            number(1, Some("mg")),
            number(2, None),
            number(3, Some("mg")),
            text,
            result,
            number(6, Some("g")),
            number(7, Some("mg")),
        ]);
        let newest = form((1..=6).map(|id| number(id, Some("g"))).collect());
        let stored: Values = [1, 2, 4, 5, 6, 7].map(|id| (id, json!(1))).into();
        let none = EnteredUnits::new();
        let marked: Vec<_> = other_units(&kept, &newest, &stored, &none).collect();
        assert_eq!(marked, [(1, Some("mg")), (2, None)], "3 is blank, 6 in the same unit, 7 is not asked for any more");
        let unit = |unit: &str| EnteredUnit { jedinica: Some(unit.to_owned()), znacenje: unit.to_owned() };
        let entered = EnteredUnits::from([(1, unit("g")), (6, unit("kg"))]);
        let marked: Vec<_> = other_units(&kept, &newest, &stored, &entered).collect();
        assert_eq!(marked, [(2, None), (6, Some("kg"))], "a mark knows better than the version");
    }
}
