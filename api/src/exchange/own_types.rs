//! Attribute types are shared: where the file has one otherwise than a form outside of the file needs it, the file's gets a name of its own.

use std::collections::HashSet;

use serde_json::Value;
use sqlx::PgConnection;

use super::{export, file, report::Note};
use crate::{
    error::Result,
    import::{
        definition::{AttributeType, Definition, code},
        known,
    },
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
        "select o.naziv from form_field f join form o on o.id = f.tip_skupa_atributa_id
          where f.tip_atributa_id = $1 and f.aktivan and o.aktivan and f.tip_skupa_atributa_id <> all ($2) limit 1",
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

/// A type as fields see it, whatever it is called in its file.
fn content(known: &AttributeType) -> Vec<Value> {
    let own = AttributeType { oznaka: None, ..known.clone() };
    let items = own.stavke.iter().map(|item| file::of_item(item).into_iter().collect());
    let mut all: Vec<Value> = vec![file::of_type(&own).into_iter().collect()];
    all.extend(items);
    all
}
