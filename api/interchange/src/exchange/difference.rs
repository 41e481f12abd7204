//! What an import makes of a register, thing by thing: two definitions of it, read before and after.

use std::collections::{HashMap, HashSet};

use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::file::{self, Properties};
use crate::import::definition::{Definition, RuleDefinition, VisitDefinition};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, ToSchema)]
#[schema(as = ImportedThing)]
#[serde(rename_all = "camelCase")]
pub enum Thing {
    Registar,
    Formular,
    Polje,
    Tip,
    Stavka,
    Plan,
    PraviloKvaliteta,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = ImportedChangeKind)]
#[serde(rename_all = "camelCase")]
pub enum Kind {
    Novo,
    Izmenjeno,
}

#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[schema(as = ImportedChange)]
#[serde(rename_all = "camelCase")]
pub struct Change {
    pub vrsta: Kind,
    pub gde: Thing,
    /// What it stands in: the form of a field, the type of an item.
    pub u: Option<String>,
    pub naziv: String,
    pub sifra: Option<String>,
    /// Of what was there before.
    pub svojstva: Vec<Property>,
}

/// A property from one value to another, as texts.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[schema(as = ImportedProperty)]
pub struct Property {
    pub svojstvo: String,
    pub od: Option<String>,
    pub na: Option<String>,
}

struct Record {
    gde: Thing,
    id: Option<i64>,
    u: Option<String>,
    naziv: String,
    sifra: Option<String>,
    properties: Properties,
    /// What stands in it, in its order.
    holds: Vec<Option<i64>>,
}

/// What a value may show of itself; a picture is long.
const LONGEST: usize = 200;

pub fn between(before: Option<&Definition>, after: &Definition) -> Vec<Change> {
    let was: Vec<Record> = before.map(records).unwrap_or_default();
    let was: HashMap<(Thing, Option<i64>), &Record> = was.iter().map(|record| ((record.gde, record.id), record)).collect();
    let change = |record: Record| {
        let Some(old) = was.get(&(record.gde, record.id)) else { return Some(told(Kind::Novo, record, Vec::new())) };
        let mut changed = differing(&old.properties, &record.properties);
        if is_moved(&old.holds, &record.holds) {
            changed.push(Property { svojstvo: "redosled".to_owned(), od: None, na: None });
        }
        (!changed.is_empty()).then(|| told(Kind::Izmenjeno, record, changed))
    };
    records(after).into_iter().filter_map(change).collect()
}

fn told(vrsta: Kind, record: Record, svojstva: Vec<Property>) -> Change {
    let Record { gde, u, naziv, sifra, .. } = record;
    Change { vrsta, gde, u, naziv, sifra, svojstva }
}

/// Whether those that are in both stand otherwise.
fn is_moved(was: &[Option<i64>], now: &[Option<i64>]) -> bool {
    let common = |these: &[Option<i64>], those: &[Option<i64>]| {
        let known: HashSet<&Option<i64>> = those.iter().collect();
        these.iter().filter(|id| known.contains(id)).copied().collect::<Vec<_>>()
    };
    common(was, now) != common(now, was)
}

fn differing(was: &Properties, now: &Properties) -> Vec<Property> {
    let value = |of: &Properties, name: &str| of.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
    let mut names: Vec<&String> = now.iter().map(|(name, _)| name).collect();
    names.extend(was.iter().map(|(name, _)| name).filter(|name| value(now, name).is_none()));
    let differs = names.into_iter().filter(|name| value(was, name) != value(now, name));
    differs.map(|name| Property { svojstvo: name.clone(), od: value(was, name).map(shown), na: value(now, name).map(shown) }).collect()
}

fn shown(value: Value) -> String {
    let text = match value {
        Value::String(text) => text,
        Value::Bool(yes) => (if yes { "da" } else { "ne" }).to_owned(),
        other => file::written(&other),
    };
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// A rule among the properties of its form, by its condition.
fn rule(rule: &RuleDefinition) -> (String, Value) {
    (format!("pravilo {}", rule.own.uslov), file::written(&Value::Object(file::of_rule(rule).into_iter().collect())).into())
}

/// A visit among the properties of its plan, by its code.
fn visit(visit: &VisitDefinition) -> (String, Value) {
    (format!("poseta {}", visit.sifra), file::written(&Value::Object(file::of_visit(visit).into_iter().collect())).into())
}

fn records(definition: &Definition) -> Vec<Record> {
    let mut found = Vec::new();
    if let Some(own) = &definition.register {
        let holds = definition.forms.iter().map(|form| form.id).collect();
        let (naziv, sifra) = (own.naziv.clone(), Some(own.sifra.clone()));
        found.push(Record { gde: Thing::Registar, id: None, u: None, naziv, sifra, properties: file::of_register(own), holds });
    }
    for form in &definition.forms {
        let holds = form.polja.iter().map(|field| field.id).collect();
        let (naziv, sifra) = (form.naziv.clone(), Some(form.sifra_veza.clone()));
        let mut properties = file::of_form(form);
        properties.extend(form.pravila.iter().map(rule));
        found.push(Record { gde: Thing::Formular, id: form.id, u: None, naziv, sifra, properties, holds });
        for field in &form.polja {
            let (u, naziv, sifra) = (Some(form.naziv.clone()), field.own.naziv.clone(), Some(field.sifra.clone()));
            found.push(Record { gde: Thing::Polje, id: field.id, u, naziv, sifra, properties: file::of_field(field), holds: Vec::new() });
        }
    }
    for known in &definition.attribute_types {
        let holds = known.stavke.iter().map(|item| item.id).collect();
        let naziv = known.own.naziv.clone();
        found.push(Record { gde: Thing::Tip, id: known.id, u: None, naziv, sifra: None, properties: file::of_type(known), holds });
        for item in &known.stavke {
            let (u, naziv, sifra) = (Some(known.own.naziv.clone()), item.naziv.clone(), item.sifra_veza.clone());
            found.push(Record { gde: Thing::Stavka, id: item.id, u, naziv, sifra, properties: file::of_item(item), holds: Vec::new() });
        }
    }
    for plan in &definition.planovi {
        let mut properties = file::of_plan(plan);
        properties.extend(plan.posete.iter().map(visit));
        let (naziv, sifra) = (plan.naziv.clone(), Some(plan.sifra.clone()));
        found.push(Record { gde: Thing::Plan, id: plan.id, u: None, naziv, sifra, properties, holds: Vec::new() });
    }
    for rule in &definition.pravila_kvaliteta {
        let (naziv, properties) = (rule.naziv.clone(), file::of_quality_rule(rule));
        found.push(Record { gde: Thing::PraviloKvaliteta, id: rule.id, u: None, naziv, sifra: None, properties, holds: Vec::new() });
    }
    found
}
