//! Attribute types are shared on purpose only: where the file has one otherwise than a form outside of the file needs it, the file's gets a
//! name of its own, and a copy has types of its own.

use std::collections::HashSet;

use platform::error::Result;
use serde_json::Value;
use sqlx::PgConnection;

use super::{export, file, report::Note};
use crate::import::{
    definition::{AttributeType, Definition, code},
    known,
};

/// Names that are tried before the type is left to be refused.
const TRIES: usize = 20;

pub async fn set_apart(tx: &mut PgConnection, register: Option<i64>, sifra: &str, definition: &mut Definition) -> Result<Vec<Note>> {
    let register = register.unwrap_or_default();
    let known = known::forms(&mut *tx, register).await?;
    let forms: Vec<i64> = known::match_forms(&definition.forms, &known).into_iter().flatten().collect();
    let (mut taken, mut told) = (HashSet::new(), Vec::new());
    let suffix = code(sifra).or_else(|| definition.forms.first().and_then(|form| code(&form.sifra_veza))).unwrap_or("uvoz").to_owned();
    for own in &mut definition.attribute_types {
        let name = own.own.naziv.clone();
        for count in 1..=TRIES {
            let mut met = taken.clone();
            let same = known::type_of(&mut *tx, register, own, &mut met).await?;
            let Some(user) = clash(&mut *tx, own, same, &forms).await? else {
                taken = met;
                break;
            };
            if count == 1 {
                // Fields of the file go on naming it as they do.
                own.oznaka = Some(own.mark().to_owned());
                own.id = None;
            }
            own.own.naziv = if count == 1 { format!("{name} ({suffix})") } else { format!("{name} ({suffix} {count})") };
            if count == 1 {
                let message = format!("tip koristi i „{user}”, a u fajlu je drugačiji: ovde dobija naziv „{}”", own.own.naziv);
                told.push(Note::new(format!("attributeTypes.{}", own.mark()), message));
            }
        }
    }
    Ok(told)
}

/// The form outside of the file whose type would become another one.
async fn clash(tx: &mut PgConnection, own: &AttributeType, same: Option<i64>, forms: &[i64]) -> Result<Option<String>> {
    let Some(id) = same else { return Ok(None) };
    let user = sqlx::query_scalar!(
        r#"select formular as "form!" from type_uses(array[$1]::bigint[]) where form_id <> all ($2) order by form_id limit 1"#,
        id,
        forms
    )
    .fetch_optional(&mut *tx)
    .await?;
    if user.is_none() {
        return Ok(None);
    }
    let stored = export::types(tx, &[id]).await?;
    Ok(user.filter(|_| stored.first().is_none_or(|stored| content(stored) != content(own))))
}

/// Gives every type of a copy a name of the copy's own, which no stored type has: each becomes a new one with items of its own, and what is
/// changed in it changes nothing in what was copied. `was` is the code of that.
pub async fn rename(tx: &mut PgConnection, definition: &mut Definition, was: &str, sifra: &str) -> Result<()> {
    let stored = sqlx::query_scalar!("select distinct naziv from attribute_type").fetch_all(tx).await?;
    let mut taken: HashSet<String> = stored.into_iter().collect();
    for own in &mut definition.attribute_types {
        // Fields of the copy go on naming it as they do.
        own.oznaka = Some(own.mark().to_owned());
        own.id = None;
        own.stavke.iter_mut().for_each(|item| item.id = None);
        let base = base_name(&own.own.naziv, was);
        let mut name = format!("{base} ({sifra})");
        let mut count = 1;
        while !taken.insert(name.clone()) {
            count += 1;
            name = format!("{base} ({sifra} {count})");
        }
        own.own.naziv = name;
    }
    Ok(())
}

/// Without what an earlier copy has put behind it: `Bol (pregled)` and `Bol (pregled 2)` are `Bol`.
fn base_name<'a>(name: &'a str, was: &str) -> &'a str {
    let is_own = |mark: &str| {
        let rest = mark.strip_prefix(was).map(str::trim_start);
        rest.is_some_and(|rest| rest.chars().all(|letter| letter.is_ascii_digit()))
    };
    let parts = name.strip_suffix(')').and_then(|name| name.rsplit_once(" ("));
    parts.filter(|(base, mark)| !was.is_empty() && !base.is_empty() && is_own(mark)).map_or(name, |(base, _)| base)
}

/// A type as fields see it, whatever it is called in its file.
fn content(known: &AttributeType) -> Vec<Value> {
    let own = AttributeType { oznaka: None, ..known.clone() };
    let items = own.stavke.iter().map(|item| file::of_item(item).into_iter().collect());
    let mut all: Vec<Value> = vec![file::of_type(&own).into_iter().collect()];
    all.extend(items);
    all
}

#[cfg(test)]
mod tests {
    use super::base_name;

    #[test]
    fn a_copy_of_a_copy_has_one_mark() {
        assert_eq!(base_name("Bol (pregled)", "pregled"), "Bol");
        assert_eq!(base_name("Bol (pregled 2)", "pregled"), "Bol");
        assert_eq!(base_name("Bol (u mirovanju)", "pregled"), "Bol (u mirovanju)");
        assert_eq!(base_name("Bol", "pregled"), "Bol");
        assert_eq!(base_name("Bol (2)", ""), "Bol (2)", "what was copied has no code");
    }
}
