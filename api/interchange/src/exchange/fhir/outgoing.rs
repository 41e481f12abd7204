//! A form is written as a Questionnaire: `linkId` is the field's code. What FHIR has words for is said in them; everything else of the form
//! stands in extensions of ours (`own`), and what another system would miss by them stands in words inside its question.

use std::collections::HashSet;

use domain::{
    clock, formula,
    register::{RuleKind, RuleProperties, ValueType},
};
use platform::error::{Error, Result};
use rust_decimal::{Decimal, prelude::ToPrimitive};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use super::{
    CONTROL, CONTROLS, DECIMALS, FACTOR, HIDDEN, HIGH, ITEM_WEIGHT, LOW, MIME_TYPE, MOST, OFFSET, ORDINAL, SIZE, UNIT, UNIT_OPTION,
    enable::Conditions, own, times,
};
use crate::{
    exchange::{file, foreign::plain_code},
    import::definition::{AttributeType, Definition, EnumItem, FieldDefinition, FormDefinition, code},
};

/// What a form is known by outside of its register.
#[derive(Debug, Default)]
pub struct Edition {
    /// The register's code, or its name where it has none.
    pub register: String,
    pub version: Option<i32>,
    /// The day of that version.
    pub date: Option<String>,
}

/// Properties that FHIR says, of a form, a field and a type: they have no extension.
const FORM_IN_FHIR: [&str; 2] = ["naziv", "opis"];
const FIELD_IN_FHIR: [&str; 11] = [
    "sifra",
    "naziv",
    "sifraVeza",
    "opcioni",
    "tipAtributa",
    "nadredjeni",
    "multiselect",
    "radioButton",
    "ponavljaSe",
    "najviseRedova",
    "inicijalnaEnumStavka",
];
const TYPE_IN_FHIR: [&str; 10] = [
    "tipVrednosti",
    "oznaka",
    "decimaleBrojneVrednosti",
    "donjaGranicaBrojneVrednosti",
    "gornjaGranicaBrojneVrednosti",
    "jedinica",
    "drugeJedinice",
    "vrsteFajlova",
    "najviseFajlova",
    "najviseMegabajta",
];
const ITEM_IN_FHIR: [&str; 4] = ["naziv", "numVrednost", "sifraVeza", "mozeSeIzabrati"];

pub fn questionnaire(definition: &Definition, edition: &Edition) -> Result<String> {
    let form = definition.forms.first().ok_or(Error::NotFound)?;
    let writer = Writer { form, types: &definition.attribute_types };
    let name = code(&form.sifra_veza).unwrap_or(&form.naziv);
    let rules = form.pravila.iter().map(|rule| own::rule(file::of_rule(rule)));
    let extensions: Vec<Value> = own::extensions(file::of_form(form), &FORM_IN_FHIR).chain(rules).collect();
    let mut root = json!({
        "resourceType": "Questionnaire",
        "extension": extensions,
        "url": address(&edition.register, name),
        "status": "active",
        "name": name,
        "title": form.naziv,
        "subjectType": ["Patient"],
        "item": writer.inside(None),
    });
    let said = [
        ("version", edition.version.map(|version| version.to_string())),
        ("date", edition.date.clone()),
        ("description", form.opis.clone()),
    ];
    for (name, value) in said {
        if let Some(value) = value {
            root[name] = json!(value);
        }
    }
    Ok(serde_json::to_string_pretty(&root).map_err(anyhow::Error::from)?)
}

/// The same for one form wherever it is exported, and needs no host: a UUID of version 8 made of the SHA-256 of `register/form`, by their
/// codes.
fn address(register: &str, form: &str) -> String {
    let hash = Sha256::digest(format!("{register}/{form}"));
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&hash[..16]);
    format!("urn:uuid:{}", uuid::Builder::from_custom_bytes(bytes).into_uuid())
}

pub struct Writer<'a> {
    pub form: &'a FormDefinition,
    pub types: &'a [AttributeType],
}

type Item = Map<String, Value>;

impl Writer<'_> {
    pub fn kind(&self, field: &FieldDefinition) -> Option<&AttributeType> {
        self.types.iter().find(|known| known.mark() == field.tip_atributa)
    }

    fn inside(&self, holder: Option<&str>) -> Vec<Value> {
        let own = self.form.polja.iter().filter(|field| field.nadredjeni.as_deref() == holder);
        own.flat_map(|field| self.item(field)).collect()
    }

    /// The field, and what is said of a text beside it.
    fn item(&self, field: &FieldDefinition) -> Vec<Value> {
        let Some(known) = self.kind(field).filter(|_| self.is_of_this_form(field)) else { return Vec::new() };
        let own = &field.own;
        let mut item = Map::new();
        let mut extensions = Vec::new();
        item.insert("linkId".into(), json!(field.sifra));
        item.insert("text".into(), json!(own.naziv));
        if let Some(code) = &own.sifra_veza {
            item.insert("code".into(), json!([{ "code": code }]));
        }
        let kind = self.typed(field, known, &mut item, &mut extensions);
        item.insert("type".into(), json!(kind));
        if own.ponavlja_se {
            item.insert("repeats".into(), json!(true));
            extensions.extend(own.najvise_redova.map(|most| json!({ "url": MOST, "valueInteger": most })));
        }
        if !own.opcioni {
            item.insert("required".into(), json!(true));
        }
        if own.formula_za_racunanje.is_some() {
            item.insert("readOnly".into(), json!(true));
        }
        let mut words: Vec<Value> = self.shown_when(field, &mut item).into_iter().collect();
        words.extend(self.words(field, known));
        let mut within = match kind {
            "group" => self.inside(Some(&field.sifra)),
            _ => own.napomena.iter().filter(|_| kind != "display").map(|text| note(&field.sifra, text)).collect(),
        };
        let beside = if kind == "display" {
            words
        } else {
            // In a group what is said of it stands first, in a question after its note.
            let at = if kind == "group" { 0 } else { within.len() };
            within.splice(at..at, words);
            Vec::new()
        };
        if !within.is_empty() {
            item.insert("item".into(), json!(within));
        }
        extensions.extend(self.own_extensions(field, known, kind));
        if !extensions.is_empty() {
            item.insert("extension".into(), json!(extensions));
        }
        [Value::Object(item)].into_iter().chain(beside).collect()
    }

    /// A chart may draw fields of other forms, which a file of one form does not have.
    fn is_of_this_form(&self, field: &FieldDefinition) -> bool {
        let is_here = |code: &String| self.form.polja.iter().any(|other| other.sifra == *code);
        field.own.grafik.iter().flatten().all(|line| is_here(&line.sifra))
    }

    /// The type of the item, with what it takes.
    fn typed(&self, field: &FieldDefinition, known: &AttributeType, item: &mut Item, extensions: &mut Vec<Value>) -> &'static str {
        let own = &field.own;
        match known.tip_vrednosti {
            ValueType::Tab | ValueType::Panel | ValueType::Image => "group",
            ValueType::Heading => "display",
            ValueType::Separator | ValueType::Chart => {
                extensions.push(json!({ "url": HIDDEN, "valueBoolean": true }));
                "display"
            }
            ValueType::Choice => {
                // A box is answered from the beginning, buttons are not.
                let first = own.inicijalna_boolean_vrednost.or((!own.radio_button).then_some(false));
                item.extend(first.map(|first| ("initial".to_owned(), json!([{ "valueBoolean": first }]))));
                if !own.radio_button {
                    extensions.push(control("check-box"));
                }
                "boolean"
            }
            ValueType::Date => {
                item.extend(first_day(field).map(|day| ("initial".to_owned(), json!([{ "valueDate": day }]))));
                "date"
            }
            ValueType::Time => {
                item.extend(first_time(field).map(|time| ("initial".to_owned(), json!([{ "valueTime": time }]))));
                "time"
            }
            ValueType::Moment => {
                item.extend(first_moment(field).map(|at| ("initial".to_owned(), json!([{ "valueDateTime": at }]))));
                "dateTime"
            }
            ValueType::File => {
                if known.own.file_limits().count() > 1 {
                    item.insert("repeats".into(), json!(true));
                }
                extensions.extend(file_extensions(known));
                "attachment"
            }
            ValueType::Text => {
                item.extend(own.inicijalna_string_vrednost.as_ref().map(|text| ("initial".to_owned(), json!([{ "valueString": text }]))));
                if known.own.visina.unwrap_or(1) > 1 { "text" } else { "string" }
            }
            ValueType::Number => {
                extensions.extend(number_extensions(known));
                let is_whole = known.own.decimale_brojne_vrednosti == Some(0);
                if let Some(first) = own.inicijalna_brojna_vrednost.filter(|_| own.image_coordinate_x.is_none()) {
                    item.insert("initial".into(), json!([number("value", first, is_whole)]));
                }
                if is_whole { "integer" } else { "decimal" }
            }
            ValueType::Set => {
                let offered = known.stavke.iter().filter(|one| one.moze_se_izabrati);
                let options: Vec<Value> = offered.map(|one| option(known, one, field.inicijalna_enum_stavka.as_ref())).collect();
                item.insert("answerOption".into(), json!(options));
                if own.multiselect {
                    item.insert("repeats".into(), json!(true));
                }
                if own.radio_button {
                    extensions.push(control("radio-button"));
                }
                "choice"
            }
        }
    }

    /// What FHIR has no words for.
    fn own_extensions(&self, field: &FieldDefinition, known: &AttributeType, kind: &str) -> Vec<Value> {
        let mut but: Vec<&str> = FIELD_IN_FHIR.to_vec();
        let is_question = !["group", "display"].contains(&kind);
        let said_as_initial = match known.tip_vrednosti {
            ValueType::Choice => Some("inicijalnaBooleanVrednost").filter(|_| field.own.radio_button),
            ValueType::Number => Some("inicijalnaBrojnaVrednost").filter(|_| field.own.image_coordinate_x.is_none()),
            ValueType::Text => Some("inicijalnaStringVrednost"),
            ValueType::Date => Some("inicijalnaStringVrednost").filter(|_| first_day(field).is_some()),
            ValueType::Time => Some("inicijalnaStringVrednost").filter(|_| first_time(field).is_some()),
            ValueType::Moment => Some("inicijalnaStringVrednost").filter(|_| first_moment(field).is_some()),
            _ => None,
        };
        but.extend(said_as_initial);
        but.extend(Some("napomena").filter(|_| is_question));
        let mut found: Vec<Value> = own::extensions(file::of_field(field), &but).collect();
        found.extend(own::type_extensions(file::of_type(known), &TYPE_IN_FHIR));
        let usual = match kind {
            "group" if field.nadredjeni.is_none() && !field.own.ponavlja_se => Some(ValueType::Tab),
            "group" => Some(ValueType::Panel),
            "display" => Some(ValueType::Heading),
            _ => None,
        };
        if usual.is_some_and(|usual| usual != known.tip_vrednosti) {
            found.push(own::extension(own::KIND, &json!(known.tip_vrednosti.name())));
        }
        if code(&field.sifra).is_none() {
            found.push(own::extension(own::MARK, &json!(field.sifra)));
        }
        let withdrawn = known.stavke.iter().enumerate().filter(|(_, item)| !item.moze_se_izabrati);
        found.extend(withdrawn.map(|(place, item)| own::withdrawn(place, file::of_item(item))));
        found
    }

    /// Sets `enableWhen` where it can say the condition; else gives a text that does.
    fn shown_when(&self, field: &FieldDefinition, item: &mut Item) -> Option<Value> {
        let text = field.own.formula_za_prikaz.as_deref()?;
        let said = formula::parse(text).ok().and_then(|formula| self.conditions(&formula.expr));
        let (when, any) = match said {
            Some(Conditions::All(when)) => (when, false),
            Some(Conditions::Any(when)) => (when, true),
            None => {
                let words = format!("„{}” se prikazuje kada je tačno: {text}", field.own.naziv);
                return Some(in_words(&field.sifra, "uslov", words));
            }
        };
        if when.len() > 1 {
            item.insert("enableBehavior".into(), json!(if any { "any" } else { "all" }));
        }
        item.insert("enableWhen".into(), json!(when));
        None
    }

    /// What another system would miss of a field.
    fn words(&self, field: &FieldDefinition, known: &AttributeType) -> Vec<Value> {
        let own = &field.own;
        let is_question = known.tip_vrednosti.holds_value();
        let mut said = Vec::new();
        let mut say = |what: &str, text: Option<String>| said.extend(text.map(|text| in_words(&field.sifra, what, text)));
        say("napomena", own.napomena.clone().filter(|_| !is_question));
        say("racunanje", own.formula_za_racunanje.as_ref().map(|text| format!("Računa se: {text}")));
        say("obavezno", own.obavezan_ako.as_ref().map(|text| format!("Obavezno kada je tačno: {text}")));
        say("prethodna", own.prikazi_prethodnu.then(|| "Uz polje se vidi prethodna vrednost".to_owned()));
        say("referentne", reference(own.donja_referentna_brojna_vrednost, own.gornja_referentna_brojna_vrednost));
        said.extend(self.rules(field));
        said
    }

    /// Rules are conditions of our own language, which a constraint's FHIRPath is not: they stand in words inside the field beside which
    /// they are told, else inside the first that they read.
    fn rules(&self, field: &FieldDefinition) -> impl Iterator<Item = Value> {
        let read = |rule: &RuleProperties| {
            let deps = formula::parse(&rule.uslov).map_or(Vec::new(), |formula| formula.deps);
            let first = self.form.polja.iter().find(|field| !field.own.ponavlja_se && deps.contains(&field.sifra))?;
            Some(first.sifra.clone())
        };
        let place = move |rule: &RuleProperties| rule.polje.clone().or_else(|| read(rule));
        let own = self.form.pravila.iter().map(|rule| &rule.own).enumerate();
        own.filter(move |(_, rule)| place(rule).as_ref() == Some(&field.sifra)).map(|(number, rule)| {
            let kind = match rule.vrsta {
                RuleKind::Greska => "Greška",
                RuleKind::Upozorenje => "Upozorenje",
            };
            let text = format!("{kind} kada je tačno: {} – {}", rule.uslov, rule.poruka);
            in_words(&field.sifra, &format!("pravilo_{}", number + 1), text)
        })
    }
}

fn reference(low: Option<Decimal>, high: Option<Decimal>) -> Option<String> {
    let shown = |bound: Decimal| domain::shown::number(bound.to_f64().unwrap_or_default());
    match (low, high) {
        (Some(low), Some(high)) => Some(format!("Referentne vrednosti: od {} do {}", shown(low), shown(high))),
        (Some(low), None) => Some(format!("Referentne vrednosti: od {}", shown(low))),
        (None, Some(high)) => Some(format!("Referentne vrednosti: do {}", shown(high))),
        (None, None) => None,
    }
}

fn first_day(field: &FieldDefinition) -> Option<&String> {
    field.own.inicijalna_string_vrednost.as_ref().filter(|day| day.len() == 10 && day.parse::<jiff::civil::Date>().is_ok())
}

fn first_time(field: &FieldDefinition) -> Option<String> {
    field.own.inicijalna_string_vrednost.as_deref().and_then(clock::time_in).map(times::time_text)
}

fn first_moment(field: &FieldDefinition) -> Option<String> {
    times::moment_text(clock::moment_in(field.own.inicijalna_string_vrednost.as_deref()?)?)
}

fn control(code: &str) -> Value {
    json!({ "url": CONTROL, "valueCodeableConcept": { "coding": [{ "system": CONTROLS, "code": code }] } })
}

/// The field's note, which another system may change.
fn note(code: &str, text: &str) -> Value {
    json!({ "linkId": format!("{code}_napomena"), "type": "display", "text": text })
}

/// What an extension says too.
fn in_words(code: &str, what: &str, text: String) -> Value {
    let mark = json!([{ "url": own::IN_WORDS, "valueBoolean": true }]);
    json!({ "linkId": format!("{code}_{what}"), "type": "display", "text": text, "extension": mark })
}

/// `valueInteger` or `valueDecimal`.
fn number(prefix: &str, number: Decimal, is_whole: bool) -> Value {
    match number.to_i64().filter(|_| is_whole && number.fract().is_zero()) {
        Some(number) => json!({ format!("{prefix}Integer"): number }),
        None => json!({ format!("{prefix}Decimal"): number }),
    }
}

fn number_extensions(known: &AttributeType) -> Vec<Value> {
    let own = &known.own;
    let is_whole = own.decimale_brojne_vrednosti == Some(0);
    let bound = |url: &str, bound: Option<Decimal>| {
        let mut extension = number("value", bound?, is_whole);
        extension["url"] = json!(url);
        Some(extension)
    };
    let unit = own.jedinica.as_ref().map(|unit| json!({ "url": UNIT, "valueCoding": { "display": unit } }));
    let decimals = own.decimale_brojne_vrednosti.filter(|_| !is_whole).map(|count| json!({ "url": DECIMALS, "valueInteger": count }));
    let others = own.druge_jedinice.iter().map(|unit| {
        let factors = json!([{ "url": FACTOR, "valueDecimal": unit.cinilac }, { "url": OFFSET, "valueDecimal": unit.pomeraj }]);
        json!({ "url": UNIT_OPTION, "valueCoding": { "extension": factors, "display": unit.jedinica } })
    });
    [bound(LOW, own.donja_granica_brojne_vrednosti), bound(HIGH, own.gornja_granica_brojne_vrednosti), unit, decimals]
        .into_iter()
        .flatten()
        .chain(others)
        .collect()
}

/// Kinds are told where the type chooses among them.
fn file_extensions(known: &AttributeType) -> Vec<Value> {
    let limits = known.own.file_limits();
    let kinds = limits.vrste_fajlova.iter().flatten().filter_map(|kind| kind.content_type().split(';').next());
    let mut told: Vec<Value> = kinds.map(|name| json!({ "url": MIME_TYPE, "valueCode": name })).collect();
    told.extend(limits.najvise_megabajta.map(|most| json!({ "url": SIZE, "valueDecimal": most })));
    told.extend(limits.najvise_fajlova.filter(|most| *most > 1).map(|most| json!({ "url": MOST, "valueInteger": most })));
    told
}

/// An item without a code has one made of its name, in a system that says so.
pub fn coding(known: &AttributeType, item: &EnumItem) -> Value {
    match &item.sifra_veza {
        Some(code) => json!({ "code": code, "display": item.naziv }),
        None => json!({ "system": own::MADE_CODES, "code": made_code(known, item), "display": item.naziv }),
    }
}

/// Its name as a code, and its number among those that come to the same one.
fn made_code(known: &AttributeType, item: &EnumItem) -> String {
    let made = |item: &EnumItem| plain_code(&item.naziv).to_lowercase();
    let own = made(item);
    let before = known.stavke.iter().take_while(|other| other.naziv != item.naziv);
    let mut taken: HashSet<String> = HashSet::new();
    let same = before.filter(|other| other.sifra_veza.is_none() && made(other) == own).count();
    taken.extend(known.stavke.iter().filter_map(|other| other.sifra_veza.clone()));
    let numbered = (same + 1..).map(|count| if count == 1 { own.clone() } else { format!("{own}_{count}") });
    numbered.into_iter().find(|code| !taken.contains(code)).unwrap_or_default()
}

fn option(known: &AttributeType, item: &EnumItem, first: Option<&String>) -> Value {
    // The same weight by its name in R4 and by that in R5.
    let weighs = |weight: Decimal| [ORDINAL, ITEM_WEIGHT].map(|url| json!({ "url": url, "valueDecimal": weight }));
    let mut extensions: Vec<Value> = item.num_vrednost.into_iter().flat_map(weighs).collect();
    extensions.extend(own::extensions(file::of_item(item), &ITEM_IN_FHIR));
    let mut option = json!({ "valueCoding": coding(known, item) });
    if !extensions.is_empty() {
        option["extension"] = json!(extensions);
    }
    if first == Some(&item.naziv) {
        option["initialSelected"] = json!(true);
    }
    option
}
