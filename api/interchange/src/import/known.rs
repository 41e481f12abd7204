//! What is there already of what a definition names: by which things of a file are known again. An item is known by its link code, else by
//! its name, else by its number where nothing else has it (docs/decisions/0051-items-are-known-by-code-or-name.md).

use std::collections::HashSet;

use domain::fold::fold;
use rust_decimal::Decimal;
use sqlx::PgConnection;

use super::definition::{AttributeType, EnumItem, FormDefinition, code};

pub struct KnownForm {
    pub id: i64,
    pub naziv: String,
    pub sifra_veza: Option<String>,
    pub prikazni_redosled: i32,
    pub aktivan: bool,
}

/// Those in use first; the newest of those that are switched off.
pub async fn forms(tx: &mut PgConnection, register: i64) -> sqlx::Result<Vec<KnownForm>> {
    sqlx::query_as!(
        KnownForm,
        "select id, naziv, sifra_veza, prikazni_redosled, aktivan from form where registar_id = $1
          order by aktivan desc, case when aktivan then prikazni_redosled end, case when aktivan then id end, id desc",
        register
    )
    .fetch_all(tx)
    .await
}

/// By its code; one without a code by its name.
pub fn match_forms(wanted: &[FormDefinition], known: &[KnownForm]) -> Vec<Option<i64>> {
    let mut taken = HashSet::new();
    let found = wanted.iter().map(|form| {
        let same = |known: &&KnownForm| match code(&form.sifra_veza) {
            Some(code) => known.sifra_veza.as_deref() == Some(code),
            None => known.sifra_veza.is_none() && known.aktivan && fold(&known.naziv) == fold(&form.naziv),
        };
        known.iter().filter(same).map(|known| known.id).find(|id| taken.insert(*id))
    });
    found.collect()
}

pub struct KnownField {
    pub id: i64,
    pub sifra: Option<String>,
    pub naziv: String,
    pub tip_atributa_id: i64,
    pub redosled: i32,
    pub aktivan: bool,
}

pub async fn fields(tx: &mut PgConnection, form: i64) -> sqlx::Result<Vec<KnownField>> {
    sqlx::query_as!(
        KnownField,
        "select id, sifra, naziv, tip_atributa_id, redosled, aktivan from form_field join form_field_place on polje_id = id
          where tip_skupa_atributa_id = $1 order by aktivan desc, case when aktivan then mesto end, id desc",
        form
    )
    .fetch_all(tx)
    .await
}

/// By its code; one without a code by its name and type, each in turn. `types`: ids of the types of the wanted ones.
pub fn match_fields(form: &FormDefinition, types: &[i64], known: &[KnownField]) -> Vec<Option<i64>> {
    let mut taken = HashSet::new();
    let found = form.polja.iter().zip(types).map(|(field, type_id)| {
        let same = |known: &&KnownField| match code(&field.sifra) {
            Some(code) => known.sifra.as_deref() == Some(code),
            None => known.sifra.is_none() && known.aktivan && known.naziv == field.own.naziv && known.tip_atributa_id == *type_id,
        };
        known.iter().filter(same).map(|known| known.id).find(|id| taken.insert(*id))
    });
    found.collect()
}

/// The very type where it was read from this database, else that of its name and kind which the register uses, else the newest one that
/// there is; each once.
pub async fn type_of(tx: &mut PgConnection, register: i64, wanted: &AttributeType, taken: &mut HashSet<i64>) -> sqlx::Result<Option<i64>> {
    if let Some(own) = wanted.id.filter(|id| taken.insert(*id)) {
        return Ok(Some(own));
    }
    let known = sqlx::query_scalar!(
        r#"select t.id from attribute_type t
            cross join lateral (select exists (select from type_uses(array[t.id]) u where u.registar_id = $3) as is_own) used
            where t.naziv = $1 and t.tip_vrednosti_atributa = $2
            order by used.is_own desc, case when used.is_own then t.id end, t.aktivan desc, t.id desc"#,
        wanted.own.naziv,
        wanted.tip_vrednosti.number(),
        register
    )
    .fetch_all(tx)
    .await?;
    Ok(known.into_iter().find(|id| taken.insert(*id)))
}

pub struct KnownItem {
    pub id: i64,
    pub naziv: String,
    pub num_vrednost: Option<Decimal>,
    pub sifra_veza: Option<String>,
    pub redosled: i32,
    pub aktivan: bool,
}

pub async fn items(tx: &mut PgConnection, type_id: i64) -> sqlx::Result<Vec<KnownItem>> {
    sqlx::query_as!(
        KnownItem,
        "select id, naziv, num_vrednost, sifra_veza, redosled, aktivan from enum_item where tip_atributa_id = $1
          order by aktivan desc, id desc",
        type_id
    )
    .fetch_all(tx)
    .await
}

pub fn match_items(wanted: &[EnumItem], known: &[KnownItem]) -> Vec<Option<i64>> {
    let mut found: Vec<Option<i64>> = vec![None; wanted.len()];
    let mut taken = HashSet::new();
    let mut pass = |same: &dyn Fn(&EnumItem, &KnownItem) -> bool, only_one: bool| {
        for (place, item) in wanted.iter().enumerate() {
            if found[place].is_none() {
                let mut candidates = known.iter().filter(|known| !taken.contains(&known.id) && same(item, known));
                let first = candidates.next();
                let alone = !only_one || candidates.next().is_none();
                found[place] = first.filter(|_| alone).map(|known| known.id);
                taken.extend(found[place]);
            }
        }
    };
    pass(&|item, known| item.sifra_veza.is_some() && item.sifra_veza == known.sifra_veza, false);
    pass(&|item, known| fold(&item.naziv) == fold(&known.naziv), false);
    // What is left and has the number of nothing else that is left was renamed.
    let renamed = |item: &EnumItem, known: &KnownItem| {
        known.aktivan
            && item.num_vrednost.is_some()
            && item.num_vrednost == known.num_vrednost
            && (item.sifra_veza.is_none() || known.sifra_veza.is_none())
            && wanted.iter().filter(|other| other.num_vrednost == item.num_vrednost).count() == 1
    };
    pass(&renamed, true);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(naziv: &str, number: i64, sifra_veza: Option<&str>) -> EnumItem {
        EnumItem {
            id: None,
            naziv: naziv.to_owned(),
            num_vrednost: Some(number.into()),
            opis: None,
            opcioni: true,
            sifra_veza: sifra_veza.map(str::to_owned),
            moze_se_izabrati: true,
        }
    }

    fn known(id: i64, naziv: &str, number: i64, sifra_veza: Option<&str>) -> KnownItem {
        let sifra_veza = sifra_veza.map(str::to_owned);
        KnownItem { id, naziv: naziv.to_owned(), num_vrednost: Some(number.into()), sifra_veza, redosled: 10, aktivan: true }
    }

    #[test]
    fn an_item_is_known_by_its_code_then_by_its_name_then_by_its_number() {
        let there = [known(1, "Ne", 0, None), known(2, "Da", 1, None), known(3, "Nepoznato", 9, Some("nk"))];
        let of = |wanted: &[EnumItem]| match_items(wanted, &there);
        assert_eq!(of(&[item("Ne", 0, None), item("da", 5, None)]), [Some(1), Some(2)], "another weight");
        assert_eq!(of(&[item("Ne", 0, None), item("Potvrdno", 1, None)]), [Some(1), Some(2)], "another name");
        assert_eq!(of(&[item("Bez podatka", 7, Some("nk"))]), [Some(3)], "another name and weight under one code");
        assert_eq!(of(&[item("Potvrdno", 5, None)]), [None], "another one");
        let unweighed = |naziv: &str| EnumItem { num_vrednost: None, ..item(naziv, 0, None) };
        let there_too = [KnownItem { num_vrednost: None, ..known(4, "Odbija", 0, None) }];
        assert_eq!(match_items(&[unweighed("Bez odgovora")], &there_too), [None], "none is no weight that two have");
        assert_eq!(match_items(&[unweighed("Odbija")], &there_too), [Some(4)], "one without a weight");
        assert_eq!(of(&[item("Možda", 1, None), item("Da", 1, None)]), [None, Some(2)], "equal weights are told apart by name");
        assert_eq!(of(&[item("Da", 0, None), item("Ne", 1, None)]), [Some(2), Some(1)], "weights that were exchanged");
    }
}
