//! Stores the rules of quality of a definition: one is known by its name, and of those with one name by its form.

use std::collections::HashMap;

use configuration::admin::quality_rule;
use domain::fold::fold;
use platform::{
    error::Error,
    rows::{Changes, Row, Table},
};
use serde_json::json;
use sqlx::PgConnection;

use super::{
    definition::{Definition, QualityRuleDefinition},
    register::StorageRefusal,
};

const RULES: Table = Table { name: "quality_rule", key: &[], soft: true };

/// The forms and fields of the file by their codes: what has no code of its own is named within the file alone.
#[derive(Default)]
pub struct Places<'a> {
    pub forms: HashMap<&'a str, i64>,
    /// By the codes of the form and of the field.
    pub fields: HashMap<(&'a str, &'a str), i64>,
}

/// What was written, and the rules of the register that the file does not name.
pub struct StoredRules {
    pub changes: Changes,
    pub missing: Vec<String>,
}

struct KnownRule {
    id: i64,
    naziv: String,
    form_id: Option<i64>,
}

/// Written when the forms and fields of the definition are. Where anything was, the register is looked at anew.
pub async fn store(tx: &mut PgConnection, register: i64, definition: &Definition, places: &Places<'_>) -> anyhow::Result<StoredRules> {
    let known = sqlx::query_as!(
        KnownRule,
        "select id, naziv, form_id from quality_rule where registar_id = $1 and aktivan order by id for update",
        register
    );
    let mut left = known.fetch_all(&mut *tx).await?;
    let mut changes = Changes::default();
    for rule in &definition.pravila_kvaliteta {
        let (input, form) = input(&mut *tx, register, rule, places).await?;
        let mut row = quality_rule::checked_row(&mut *tx, &input).await.map_err(|error| refusal(rule, error))?;
        let id = taken(&mut left, rule, form);
        changes += write(&mut *tx, id, &mut row).await?;
    }
    if changes != Changes::default() {
        quality_rule::look_again(tx, Some(register))
            .await
            .map_err(|error| anyhow::anyhow!("the register is not looked at anew: {error:?}"))?;
    }
    let mut missing: Vec<String> = left.into_iter().map(|rule| format!("pravilo kvaliteta „{}”", rule.naziv)).collect();
    missing.sort();
    Ok(StoredRules { changes, missing })
}

async fn write(tx: &mut PgConnection, known: Option<i64>, row: &mut Row) -> sqlx::Result<Changes> {
    let id = match known {
        Some(id) => id,
        None => RULES.fresh_ids(&mut *tx, 1).await?[0],
    };
    row.insert("id".to_owned(), id.into());
    let rows = std::slice::from_ref(row);
    Ok(match known {
        Some(_) => Changes { updated: RULES.update(tx, rows).await?, created: 0 },
        None => Changes { created: RULES.insert(tx, rows).await?, updated: 0 },
    })
}

/// The rule of that name that no other of the file has taken; one of the same form before the others.
fn taken(left: &mut Vec<KnownRule>, rule: &QualityRuleDefinition, form: Option<i64>) -> Option<i64> {
    let is_named = |known: &KnownRule| fold(&known.naziv) == fold(&rule.naziv);
    let at = left.iter().position(|known| is_named(known) && known.form_id == form).or_else(|| left.iter().position(is_named))?;
    Some(left.remove(at).id)
}

/// The rule as the administration is sent it, with ids in the place of codes.
async fn input(
    tx: &mut PgConnection,
    register: i64,
    rule: &QualityRuleDefinition,
    places: &Places<'_>,
) -> anyhow::Result<(quality_rule::Input, Option<i64>)> {
    let form_id = match rule.formular.as_deref() {
        Some(code) => Some(form(&mut *tx, register, rule, code, places).await?),
        None => None,
    };
    let mut fields = [None; 2];
    for (id, code) in fields.iter_mut().zip([&rule.polje, &rule.drugo_polje]) {
        if let Some(code) = code {
            *id = Some(field(&mut *tx, rule, (form_id, code), places).await?);
        }
    }
    let sent = json!({
        "registarID": register,
        "formID": form_id,
        "naziv": rule.naziv,
        "poruka": rule.poruka,
        "vrsta": rule.vrsta,
        "tezina": rule.tezina,
        "poljeID": fields[0],
        "drugoPoljeID": fields[1],
        "donjaGranica": rule.donja_granica,
        "gornjaGranica": rule.gornja_granica,
        "razlika": rule.razlika,
        "dana": rule.dana,
        "formula": rule.formula,
    });
    Ok((serde_json::from_value(sent)?, form_id))
}

async fn form(tx: &mut PgConnection, register: i64, rule: &QualityRuleDefinition, code: &str, places: &Places<'_>) -> anyhow::Result<i64> {
    if let Some(id) = places.forms.get(code) {
        return Ok(*id);
    }
    let id = sqlx::query_scalar!(
        "select id from form where registar_id = $1 and aktivan and sifra_veza = $2 order by id limit 1",
        register,
        code
    );
    let found = id.fetch_optional(tx).await?;
    found.ok_or_else(|| refused(rule, &format!("registar nema formular sa šifrom „{code}”")))
}

async fn field(
    tx: &mut PgConnection,
    rule: &QualityRuleDefinition,
    (form, code): (Option<i64>, &str),
    places: &Places<'_>,
) -> anyhow::Result<i64> {
    let in_file = rule.formular.as_deref().and_then(|form| places.fields.get(&(form, code)));
    if let Some(id) = in_file {
        return Ok(*id);
    }
    let id = sqlx::query_scalar!(
        "select id from form_field where tip_skupa_atributa_id = $1 and aktivan and sifra = $2 order by id limit 1",
        form,
        code
    );
    let found = id.fetch_optional(tx).await?;
    found.ok_or_else(|| {
        let form = rule.formular.as_deref().unwrap_or_default();
        refused(rule, &format!("formular „{form}” nema polje sa šifrom „{code}”"))
    })
}

fn refused(rule: &QualityRuleDefinition, why: &str) -> anyhow::Error {
    StorageRefusal(format!("pravilo kvaliteta „{}”: {why}", rule.naziv)).into()
}

/// What the administration refuses of the rule, in words; everything else is an error.
fn refusal(rule: &QualityRuleDefinition, error: Error) -> anyhow::Error {
    match error {
        Error::Invalid { message, .. } => refused(rule, &message),
        Error::Internal(cause) => cause,
        other => anyhow::anyhow!("the rule was not stored: {other:?}"),
    }
}
