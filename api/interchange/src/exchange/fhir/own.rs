//! What a Questionnaire has no words for, as extensions of ours: `urn:regix:` and the name that the property has in a definition file. Other
//! systems pass over them; a form that went out so comes back as it was.

use std::collections::HashMap;

use domain::{fold::fold, register::ValueType};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::element::Element;
use crate::{
    exchange::{file::Properties, report::Note},
    import::{
        definition::{AttributeType, Definition, EnumItem, FieldDefinition, FormDefinition, RuleDefinition},
        formulas::{self, FormulaPlace},
    },
};

const PREFIX: &str = "urn:regix:";
/// Of a property that is a list or a table, as JSON.
const LIST: &str = "json:";
/// Of the field's type.
const TYPE: &str = "tip:";
/// An item that is not chosen any more, with its place among the others.
const WITHDRAWN: &str = "urn:regix:povucenaStavka";
const RULE: &str = "urn:regix:pravilo";
/// Of a field that has no code: what its file calls it.
pub const MARK: &str = "oznakaPolja";
/// On a text that says in words what an extension says too.
pub const IN_WORDS: &str = "urn:regix:recima";
/// The codes of items that have none are made of their names.
pub const MADE_CODES: &str = "urn:regix:stavka";

/// What a group or a text is here, where it is another thing than one would take it for.
pub const KIND: &str = "vrsta";

pub fn kind_of(item: Element) -> Option<ValueType> {
    item.extension(&format!("{PREFIX}{KIND}")).raw().as_str().and_then(ValueType::named)
}

/// A property as an extension.
pub fn extension(name: &str, value: &Value) -> Value {
    match value {
        Value::Bool(yes) => json!({ "url": format!("{PREFIX}{name}"), "valueBoolean": yes }),
        Value::Number(number) if number.is_i64() => json!({ "url": format!("{PREFIX}{name}"), "valueInteger": number }),
        Value::Number(number) => json!({ "url": format!("{PREFIX}{name}"), "valueDecimal": number }),
        Value::String(text) => json!({ "url": format!("{PREFIX}{name}"), "valueString": text }),
        other => json!({ "url": format!("{PREFIX}{LIST}{name}"), "valueString": other.to_string() }),
    }
}

pub fn extensions(properties: Properties, but: &[&str]) -> impl Iterator<Item = Value> {
    properties.into_iter().filter(|(name, _)| !but.contains(&name.as_str())).map(|(name, value)| extension(&name, &value))
}

pub fn type_extensions(properties: Properties, but: &[&str]) -> impl Iterator<Item = Value> {
    properties
        .into_iter()
        .filter(|(name, _)| !but.contains(&name.as_str()))
        .map(|(name, value)| extension(&format!("{TYPE}{name}"), &value))
}

pub fn withdrawn(place: usize, item: Properties) -> Value {
    let all = [("mesto".to_owned(), json!(place))].into_iter().chain(item).map(|(name, value)| extension(&name, &value));
    json!({ "url": WITHDRAWN, "extension": all.collect::<Vec<_>>() })
}

pub fn rule(properties: Properties) -> Value {
    json!({ "url": RULE, "extension": extensions(properties, &[]).collect::<Vec<_>>() })
}

/// The properties that an element has as extensions of ours, read.
pub fn properties(element: Element) -> Map<String, Value> {
    let own = |one: Element| {
        let name = one.raw()["url"].as_str()?.strip_prefix(PREFIX)?;
        let value = one.value();
        let read = match (name.strip_prefix(LIST), value.raw()) {
            (Some(_), Value::String(text)) => serde_json::from_str(text).ok()?,
            (None, plain @ (Value::Bool(_) | Value::Number(_) | Value::String(_))) => plain.clone(),
            _ => return None,
        };
        value.take();
        Some((name.strip_prefix(LIST).unwrap_or(name).to_owned(), read))
    };
    element.at("extension").each().filter_map(own).collect()
}

/// A field as our own file says it beside what FHIR says.
#[derive(Default)]
struct OwnField {
    field: Map<String, Value>,
    of_type: Map<String, Value>,
    /// By the name of the item.
    items: HashMap<String, Map<String, Value>>,
    withdrawn: Vec<Map<String, Value>>,
}

/// All that is read so, until the form is whole.
#[derive(Default)]
pub struct OwnProperties {
    form: Map<String, Value>,
    rules: Vec<Map<String, Value>>,
    /// By the code that the field got.
    fields: HashMap<String, OwnField>,
}

impl OwnProperties {
    /// Of the form; gives whether the file is one of ours.
    pub fn read_form(&mut self, root: Element) -> bool {
        self.form = properties(root);
        self.rules = root.extensions(RULE).map(properties).collect();
        !self.form.is_empty()
    }

    pub fn read_field(&mut self, code: &str, item: Element, options: &[(String, Element)]) {
        let (of_type, field): (Map<_, _>, Map<_, _>) = properties(item).into_iter().partition(|(name, _)| name.starts_with(TYPE));
        let of_type = of_type.into_iter().filter_map(|(name, value)| Some((name.strip_prefix(TYPE)?.to_owned(), value))).collect();
        let items = options.iter().map(|(name, option)| (name.clone(), properties(*option))).collect();
        let withdrawn = item.extensions(WITHDRAWN).map(properties).collect();
        self.fields.insert(code.to_owned(), OwnField { field, of_type, items, withdrawn });
    }

    pub fn is_known(&self, code: &str) -> bool {
        self.fields.contains_key(code)
    }

    pub fn has(&self, code: &str, property: &str) -> bool {
        self.fields.get(code).is_some_and(|own| own.field.contains_key(property))
    }

    /// What the file calls the fields that have no code.
    pub fn marks(&self) -> Vec<String> {
        let marks = self.fields.values().filter_map(|own| own.field.get(MARK)?.as_str());
        marks.map(str::to_owned).collect()
    }

    /// The display formula as the form has it, where the file says one.
    pub fn shows(&self, code: &str) -> Option<&str> {
        self.fields.get(code)?.field.get("formulaZaPrikaz")?.as_str()
    }

    /// What is not taken over after all.
    pub fn forget(&mut self, code: &str, property: &str) {
        if let Some(own) = self.fields.get_mut(code) {
            own.field.remove(property);
        }
    }

    /// Gives the form what it had where it was written; tells what it cannot have.
    pub fn give_to(mut self, definition: &mut Definition) -> Vec<Note> {
        let mut notes = Vec::new();
        let Some(mut form) = definition.forms.pop() else { return notes };
        let mut marks = HashMap::new();
        for field in &mut form.polja {
            let Some(own) = self.fields.remove(&field.sifra) else { continue };
            notes.extend(own.give_to(field, &mut definition.attribute_types, &mut marks));
        }
        name_by_marks(&mut form, &marks);
        let rules = std::mem::take(&mut self.rules).into_iter();
        form.pravila.extend(rules.filter_map(|rule| serde_json::from_value(Value::Object(rule)).ok().map(RuleDefinition::of)));
        let mut properties = self.form;
        let mark = properties.remove("sifraVeza");
        if let Some(mark) = mark.as_ref().and_then(Value::as_str) {
            form.sifra_veza = mark.to_owned();
        }
        give_form(&mut form, properties);
        let is_used = |known: &AttributeType| form.polja.iter().any(|field| field.tip_atributa == known.mark());
        definition.attribute_types.retain(is_used);
        definition.forms.push(form);
        drop_faulty(definition, &mut notes);
        notes
    }
}

fn give_form(form: &mut FormDefinition, properties: Map<String, Value>) {
    let text = |name: &str| properties.get(name).and_then(Value::as_str).map(str::to_owned);
    let number = |name: &str| properties.get(name).and_then(Value::as_i64).and_then(|number| i32::try_from(number).ok());
    form.naziv_engleski = text("nazivEngleski");
    form.napomena = text("napomena");
    form.moze_se_instancirati = properties.get("mozeSeInstancirati").and_then(Value::as_bool).unwrap_or(true);
    form.maksimalan_broj_instanci_po_kontaktu = number("maksimalanBrojInstanciPoKontaktu");
    form.maksimalan_broj_instanci_po_pacijentu = number("maksimalanBrojInstanciPoPacijentu");
}

impl OwnField {
    fn give_to(self, field: &mut FieldDefinition, types: &mut Vec<AttributeType>, marks: &mut HashMap<String, String>) -> Option<Note> {
        let Self { field: mut own, of_type, items, withdrawn } = self;
        own.remove(KIND);
        if let Some(mark) = own.remove(MARK).as_ref().and_then(Value::as_str) {
            marks.insert(field.sifra.clone(), mark.to_owned());
        }
        let told =
            merged(&mut field.own, own).map(|fault| Note::of(field.sifra.clone(), "svojstvo iz sopstvenog zapisa nije preneto", fault));
        let Some(name) = of_type.get("naziv").and_then(Value::as_str).map(str::to_owned) else { return told };
        let Some(mut known) = types.iter().find(|known| known.mark() == field.tip_atributa).cloned() else { return told };
        // What our file does not say has its default.
        (known.own.sirina, known.own.visina, known.own.napomena) = (None, None, None);
        if let Some(fault) = merged(&mut known.own, of_type) {
            return Some(Note::of(field.sifra.clone(), "svojstvo tipa iz sopstvenog zapisa nije preneto", fault));
        }
        for item in &mut known.stavke {
            if let Some(own) = items.get(&item.naziv) {
                item.opis = own.get("opis").and_then(Value::as_str).map(str::to_owned);
                item.opcioni = own.get("opcioni").and_then(Value::as_bool).unwrap_or(true);
            }
        }
        for item in withdrawn {
            let place = item.get("mesto").and_then(Value::as_u64).and_then(|place| usize::try_from(place).ok()).unwrap_or(usize::MAX);
            if let Some(item) = withdrawn_item(item) {
                known.stavke.insert(place.min(known.stavke.len()), item);
            }
        }
        known.oznaka = None;
        let same = |other: &&AttributeType| fold(&other.own.naziv) == fold(&name) && other.own == known.own && same_items(other, &known);
        field.tip_atributa = match types.iter().find(same) {
            Some(other) => other.mark().to_owned(),
            None => {
                let count = types.iter().filter(|other| fold(&other.own.naziv) == fold(&name)).count();
                // Two types of one name are told apart by a mark that stands in the file only.
                known.oznaka = (count > 0).then(|| format!("{name} #{}", count + 1));
                let mark = known.mark().to_owned();
                types.push(known);
                mark
            }
        };
        told
    }
}

fn same_items(one: &AttributeType, other: &AttributeType) -> bool {
    let item = |item: &EnumItem| (item.naziv.clone(), item.num_vrednost, item.sifra_veza.clone(), item.opis.clone(), item.moze_se_izabrati);
    one.tip_vrednosti == other.tip_vrednosti && one.stavke.iter().map(item).eq(other.stavke.iter().map(item))
}

fn withdrawn_item(mut own: Map<String, Value>) -> Option<EnumItem> {
    own.remove("mesto");
    own.insert("mozeSeIzabrati".to_owned(), false.into());
    serde_json::from_value(Value::Object(own)).ok()
}

/// The record with these properties put over its own; what is wrong with them where they are refused.
fn merged<T: serde::Serialize + DeserializeOwned>(own: &mut T, properties: Map<String, Value>) -> Option<String> {
    if properties.is_empty() {
        return None;
    }
    let shown = Value::Object(properties.clone()).to_string();
    let read = serde_json::to_value(&*own).and_then(|value| {
        let mut all = value.as_object().cloned().unwrap_or_default();
        all.extend(properties);
        serde_json::from_value(Value::Object(all))
    });
    match read {
        Ok(read) => {
            *own = read;
            None
        }
        Err(_) => Some(shown),
    }
}

/// Fields without a code are named as the file of the register names them.
fn name_by_marks(form: &mut FormDefinition, marks: &HashMap<String, String>) {
    for field in &mut form.polja {
        if let Some(mark) = marks.get(&field.sifra) {
            field.sifra.clone_from(mark);
            field.own.sifra = None;
        }
        if let Some(mark) = field.nadredjeni.as_ref().and_then(|holder| marks.get(holder)) {
            field.nadredjeni = Some(mark.clone());
        }
    }
}

/// Formulas of a file that was changed elsewhere may name what is not there any more.
fn drop_faulty(definition: &mut Definition, notes: &mut Vec<Note>) {
    loop {
        let mut faulty = formulas::compile(definition).faulty;
        // Rules from the end, so that the places of the others stay what they are.
        faulty.sort_by_key(|one| std::cmp::Reverse(if let FormulaPlace::Rule(at) = one.whose { at } else { 0 }));
        let Some(form) = definition.forms.first_mut().filter(|_| !faulty.is_empty()) else { return };
        for one in faulty {
            let (place, text) = match &one.whose {
                FormulaPlace::Rule(at) => ("pravilo".to_owned(), Some(form.pravila.remove(*at).own.uslov)),
                FormulaPlace::Field(code, property) => {
                    let Some(field) = form.polja.iter_mut().find(|field| field.sifra == *code) else { continue };
                    let text = match *property {
                        "formulaZaPrikaz" => field.own.formula_za_prikaz.take(),
                        "formulaZaRacunanje" => {
                            field.own.primeri = None;
                            field.own.formula_za_racunanje.take()
                        }
                        _ => field.own.obavezan_ako.take(),
                    };
                    (code.clone(), text)
                }
            };
            notes.push(Note::of(place, format!("formula nije preneta: {}", one.message), text.unwrap_or_default()));
        }
    }
}
