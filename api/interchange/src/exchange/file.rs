//! A definition as the text of a file: TOML in a fixed order, so that the same register gives the same bytes. What has its default is left
//! out.

use std::fmt::Write;

use domain::register::{FieldProperties, TypeProperties};
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::import::definition::{
    AttributeType, Definition, EnumItem, FieldDefinition, FormDefinition, PlanDefinition, QualityRuleDefinition, Register, RuleDefinition,
    VisitDefinition,
};

pub type Properties = Vec<(String, Value)>;

pub fn text(definition: &Definition) -> String {
    let mut out = String::new();
    if let Some(block) = &definition.block {
        table(&mut out, "[block]", but(plain(block), &Map::new()));
    }
    if let Some(register) = &definition.register {
        table(&mut out, "[register]", of_register(register));
    }
    for known in &definition.attribute_types {
        let mut properties = of_type(known);
        if !known.stavke.is_empty() {
            properties.push(("stavke".to_owned(), known.stavke.iter().map(|item| object(of_item(item))).collect()));
        }
        table(&mut out, "[[attributeTypes]]", properties);
    }
    for form in &definition.forms {
        table(&mut out, "[[forms]]", of_form(form));
        for field in &form.polja {
            table(&mut out, "[[forms.polja]]", of_field(field));
        }
        for rule in &form.pravila {
            table(&mut out, "[[forms.pravila]]", of_rule(rule));
        }
    }
    for plan in &definition.planovi {
        table(&mut out, "[[planovi]]", of_plan(plan));
        for visit in &plan.posete {
            table(&mut out, "[[planovi.posete]]", of_visit(visit));
        }
    }
    for rule in &definition.pravila_kvaliteta {
        table(&mut out, "[[pravilaKvaliteta]]", of_quality_rule(rule));
    }
    out
}

fn table(out: &mut String, heading: &str, properties: Properties) {
    if !out.is_empty() {
        out.push('\n');
    }
    out.push_str(heading);
    out.push('\n');
    for (name, value) in properties {
        writeln!(out, "{name} = {}", written(&value)).expect("a text takes everything");
    }
}

/// A value as TOML writes it. A whole number needs no point.
pub fn written(value: &Value) -> String {
    match value {
        Value::String(text) => quoted(text),
        Value::Array(list) if list.iter().any(Value::is_object) => {
            let lines: String = list.iter().map(|one| format!("    {},\n", written(one))).collect();
            format!("[\n{lines}]")
        }
        Value::Array(list) => format!("[{}]", list.iter().map(written).collect::<Vec<_>>().join(", ")),
        Value::Object(one) => {
            let pairs: Vec<String> = order(one).into_iter().map(|(name, value)| format!("{name} = {}", written(value))).collect();
            format!("{{ {} }}", pairs.join(", "))
        }
        Value::Number(number) => whole(number).map_or_else(|| number.to_string(), |whole| whole.to_string()),
        other => other.to_string(),
    }
}

/// A basic string on one line: every editor and every version reads it alike.
fn quoted(text: &str) -> String {
    let mut out = String::from('"');
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            control if control.is_control() => write!(out, "\\u{:04X}", u32::from(control)).expect("a text takes everything"),
            plain => out.push(plain),
        }
    }
    out.push('"');
    out
}

fn whole(number: &serde_json::Number) -> Option<i64> {
    let float = number.as_f64()?;
    // What a double counts exactly.
    (float.fract() == 0.0 && float.abs() < 9e15).then_some(float as i64)
}

const FIRST: [&str; 8] = ["oznaka", "sifra", "sifraVeza", "naziv", "numVrednost", "tipVrednosti", "tipAtributa", "nadredjeni"];

/// What names a thing first, then the rest by name.
fn order(one: &Map<String, Value>) -> Vec<(&str, &Value)> {
    let first = FIRST.into_iter().filter_map(|name| Some((name, one.get(name)?)));
    let rest = one.iter().filter(|(name, _)| !FIRST.contains(&name.as_str())).map(|(name, value)| (name.as_str(), value));
    first.chain(rest).collect()
}

fn object(properties: Properties) -> Value {
    Value::Object(properties.into_iter().collect())
}

fn plain(value: &impl Serialize) -> Map<String, Value> {
    match serde_json::to_value(value) {
        Ok(Value::Object(map)) => map,
        _ => Map::new(),
    }
}

/// Without what has its default.
fn but(mut own: Map<String, Value>, defaults: &Map<String, Value>) -> Properties {
    own.retain(|name, value| !value.is_null() && defaults.get(name) != Some(value));
    order(&own).into_iter().map(|(name, value)| (name.to_owned(), value.clone())).collect()
}

pub fn of_register(register: &Register) -> Properties {
    let unasked = json!({
        "prikazTekucihUnosaKodPretrage": false, "pristanakRegistar": false, "pristanakIstrazivanje": false, "pristanakKontakt": false,
        "pristanakRazmena": false,
    });
    but(plain(register), &plain(&unasked))
}

/// Without its items.
pub fn of_type(known: &AttributeType) -> Properties {
    let mut own = plain(&known.own);
    own.insert("tipVrednosti".to_owned(), known.tip_vrednosti.name().into());
    own.extend(known.oznaka.clone().map(|mark| ("oznaka".to_owned(), mark.into())));
    but(own, &plain(&TypeProperties::default()))
}

pub fn of_item(item: &EnumItem) -> Properties {
    let EnumItem { id: _, naziv, num_vrednost, opis, opcioni, sifra_veza, moze_se_izabrati } = item;
    let own = json!({ "naziv": naziv, "numVrednost": num_vrednost, "opis": opis, "opcioni": opcioni, "sifraVeza": sifra_veza,
        "mozeSeIzabrati": moze_se_izabrati });
    but(plain(&own), &plain(&json!({ "opcioni": true, "mozeSeIzabrati": true })))
}

/// Without its fields.
pub fn of_form(form: &FormDefinition) -> Properties {
    let own = json!({
        "sifraVeza": form.sifra_veza,
        "naziv": form.naziv,
        "nazivEngleski": form.naziv_engleski,
        "mozeSeInstancirati": form.moze_se_instancirati,
        "napomena": form.napomena,
        "opis": form.opis,
        "maksimalanBrojInstanciPoKontaktu": form.maksimalan_broj_instanci_po_kontaktu,
        "maksimalanBrojInstanciPoPacijentu": form.maksimalan_broj_instanci_po_pacijentu,
    });
    but(plain(&own), &plain(&json!({ "mozeSeInstancirati": true })))
}

/// Without its visits.
pub fn of_plan(plan: &PlanDefinition) -> Properties {
    but(plain(plan), &plain(&json!({ "podrazumevani": false })))
}

pub fn of_visit(visit: &VisitDefinition) -> Properties {
    but(plain(visit), &plain(&VisitDefinition::default()))
}

pub fn of_quality_rule(rule: &QualityRuleDefinition) -> Properties {
    but(plain(rule), &plain(&QualityRuleDefinition::default()))
}

pub fn of_rule(rule: &RuleDefinition) -> Properties {
    but(plain(&rule.own), &Map::new())
}

pub fn of_field(field: &FieldDefinition) -> Properties {
    let mut own = plain(&field.own);
    own.insert("sifra".to_owned(), field.sifra.clone().into());
    own.insert("tipAtributa".to_owned(), field.tip_atributa.clone().into());
    own.insert("nadredjeni".to_owned(), field.nadredjeni.clone().into());
    own.insert("inicijalnaEnumStavka".to_owned(), field.inicijalna_enum_stavka.clone().into());
    but(own, &plain(&FieldProperties::default()))
}
