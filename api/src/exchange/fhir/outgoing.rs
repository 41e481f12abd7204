//! A form is written as a Questionnaire: `linkId` is the field's code. A condition that `enableWhen` cannot say stands as a text inside its
//! question.

use domain::{
    formula::{self, Expr, Function},
    register::{RuleKind, RuleProperties, ValueType},
};
use rust_decimal::{Decimal, prelude::ToPrimitive};
use serde_json::{Map, Value, json};

use super::{CONTROL, CONTROLS, DECIMALS, FACTOR, HIGH, LOW, MIME_TYPE, MOST, OFFSET, ORDINAL, SIZE, UNIT, UNIT_OPTION};
use crate::{
    error::{Error, Result},
    import::definition::{AttributeType, Definition, EnumItem, FieldDefinition, FormDefinition, code},
};

pub fn questionnaire(definition: &Definition) -> Result<String> {
    let form = definition.forms.first().ok_or(Error::NotFound)?;
    let writer = Writer { form, types: &definition.attribute_types };
    let mut root = json!({
        "resourceType": "Questionnaire",
        "status": "draft",
        "name": code(&form.sifra_veza).unwrap_or(&form.naziv),
        "title": form.naziv,
        "subjectType": ["Patient"],
        "item": writer.inside(None),
    });
    if let Some(opis) = &form.opis {
        root["description"] = json!(opis);
    }
    Ok(serde_json::to_string_pretty(&root).map_err(anyhow::Error::from)?)
}

struct Writer<'a> {
    form: &'a FormDefinition,
    types: &'a [AttributeType],
}

impl Writer<'_> {
    fn kind(&self, field: &FieldDefinition) -> Option<&AttributeType> {
        self.types.iter().find(|known| known.mark() == field.tip_atributa)
    }

    fn inside(&self, holder: Option<&str>) -> Vec<Value> {
        let own = self.form.polja.iter().filter(|field| field.nadredjeni.as_deref() == holder);
        own.filter_map(|field| self.item(field)).map(Value::Object).collect()
    }

    /// None of what only arranges the screen: separators and charts.
    fn item(&self, field: &FieldDefinition) -> Option<Map<String, Value>> {
        let known = self.kind(field)?;
        let own = &field.own;
        let mut item = Map::new();
        let mut extensions = Vec::new();
        item.insert("linkId".into(), json!(field.sifra));
        item.insert("text".into(), json!(own.naziv));
        if let Some(code) = &own.sifra_veza {
            item.insert("code".into(), json!([{ "code": code }]));
        }
        let kind = match known.tip_vrednosti {
            ValueType::Tab | ValueType::Panel | ValueType::Image => "group",
            ValueType::Heading => "display",
            ValueType::Separator | ValueType::Chart => return None,
            ValueType::Choice => "boolean",
            ValueType::Date => "date",
            ValueType::File => {
                if known.own.file_limits().count() > 1 {
                    item.insert("repeats".into(), json!(true));
                }
                extensions.extend(file_extensions(known));
                "attachment"
            }
            ValueType::Text if known.own.visina.unwrap_or(1) > 1 => "text",
            ValueType::Text => "string",
            ValueType::Number => {
                extensions.extend(number_extensions(known));
                if known.own.decimale_brojne_vrednosti == Some(0) { "integer" } else { "decimal" }
            }
            ValueType::Set => {
                item.insert("answerOption".into(), known.stavke.iter().map(option).collect());
                if own.multiselect {
                    item.insert("repeats".into(), json!(true));
                }
                if own.radio_button {
                    extensions.push(
                        json!({ "url": CONTROL, "valueCodeableConcept": { "coding": [{ "system": CONTROLS, "code": "radio-button" }] } }),
                    );
                }
                "choice"
            }
        };
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
        let mut within = if kind == "group" { self.inside(Some(&field.sifra)) } else { Vec::new() };
        within.splice(0..0, self.conditions(field, &mut item));
        if kind != "display" {
            within.extend(self.said(field));
        }
        if !within.is_empty() && kind != "display" {
            item.insert("item".into(), json!(within));
        }
        if !extensions.is_empty() {
            item.insert("extension".into(), json!(extensions));
        }
        Some(item)
    }

    /// Sets `enableWhen` where it can say the condition; else gives a text that does.
    fn conditions(&self, field: &FieldDefinition, item: &mut Map<String, Value>) -> Option<Value> {
        let text = field.own.formula_za_prikaz.as_deref()?;
        let simple = formula::parse(text).ok().and_then(|formula| self.when(&formula.expr));
        let Some((when, any)) = simple else {
            return Some(display(&field.sifra, "uslov", format!("Prikazuje se kada je tačno: {text}")));
        };
        if when.len() > 1 {
            item.insert("enableBehavior".into(), json!(if any { "any" } else { "all" }));
        }
        item.insert("enableWhen".into(), json!(when));
        None
    }

    /// What is said of a field beside its name.
    fn said(&self, field: &FieldDefinition) -> Vec<Value> {
        let note = field.own.napomena.clone().map(|text| display(&field.sifra, "napomena", text));
        let computed = field.own.formula_za_racunanje.as_ref();
        let computed = computed.map(|text| display(&field.sifra, "racunanje", format!("Računa se: {text}")));
        let asked = own_words(&field.sifra, field.own.obavezan_ako.as_deref());
        let before = field.own.prikazi_prethodnu;
        let before = before.then(|| display(&field.sifra, "prethodna", "Uz polje se vidi prethodna vrednost".to_owned()));
        let mut said: Vec<Value> = note.into_iter().chain(computed).chain(asked).chain(before).collect();
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
            display(&field.sifra, &format!("pravilo_{}", number + 1), format!("{kind} kada je tačno: {} – {}", rule.uslov, rule.poruka))
        })
    }

    /// Parts joined by one word, and whether any of them is enough.
    fn when(&self, expr: &Expr) -> Option<(Vec<Value>, bool)> {
        for (function, any) in [(Function::And, false), (Function::Or, true)] {
            let mut parts = Vec::new();
            flatten(expr, function, &mut parts);
            if parts.len() > 1 {
                let all: Option<Vec<Value>> = parts.into_iter().map(|part| self.part(part)).collect();
                return all.map(|all| (all, any));
            }
        }
        self.part(expr).map(|one| (vec![one], false))
    }

    fn part(&self, expr: &Expr) -> Option<Value> {
        match expr {
            Expr::Field { code, .. } => self.answer(code, "=", &Expr::Number { v: 1.0, at: 0 }),
            Expr::Call { f, args, .. } => match (f, args.as_slice()) {
                (Function::Selected, [Expr::Field { code, .. }, value]) => self.answer(code, "=", value),
                (Function::Not, [Expr::Call { f: Function::Selected, args, .. }]) => match args.as_slice() {
                    [Expr::Field { code, .. }, value] => self.answer(code, "!=", value),
                    _ => None,
                },
                (Function::Isblank, [Expr::Field { code, .. }]) => {
                    Some(json!({ "question": code, "operator": "exists", "answerBoolean": false }))
                }
                (Function::Not, [Expr::Call { f: Function::Isblank, args, .. }]) => match args.as_slice() {
                    [Expr::Field { code, .. }] => Some(json!({ "question": code, "operator": "exists", "answerBoolean": true })),
                    _ => None,
                },
                (sign, [Expr::Field { code, .. } | Expr::Item { code, .. }, value]) => self.answer(code, signed(*sign)?, value),
                _ => None,
            },
            Expr::Number { .. } | Expr::Text { .. } | Expr::Code { .. } | Expr::Item { .. } => None,
        }
    }

    fn answer(&self, code: &str, sign: &str, value: &Expr) -> Option<Value> {
        let field = self.form.polja.iter().find(|field| field.sifra == code)?;
        let known = self.kind(field)?;
        let mut when = json!({ "question": code, "operator": sign });
        match (known.tip_vrednosti, value) {
            (ValueType::Choice, Expr::Number { v, .. }) if ["=", "!="].contains(&sign) => when["answerBoolean"] = json!(*v != 0.0),
            (ValueType::Number, Expr::Number { v, .. }) if known.own.decimale_brojne_vrednosti == Some(0) && v.fract() == 0.0 => {
                when["answerInteger"] = json!(*v as i64);
            }
            (ValueType::Number, Expr::Number { v, .. }) => when["answerDecimal"] = json!(v),
            (ValueType::Set, value) if ["=", "!="].contains(&sign) => {
                let find = |same: &dyn Fn(&EnumItem) -> bool| known.stavke.iter().find(|item| same(item));
                let item = match value {
                    Expr::Number { v, .. } => find(&|item| item.num_vrednost.and_then(|weight| weight.to_f64()) == Some(*v)),
                    Expr::Text { v, .. } => find(&|item| item.sifra_veza.as_ref() == Some(v)).or_else(|| find(&|item| item.naziv == *v)),
                    _ => None,
                };
                when["answerCoding"] = coding(item?);
            }
            (ValueType::Text, Expr::Text { v, .. }) => when["answerString"] = json!(v),
            (ValueType::Date, Expr::Text { v, .. }) => when["answerDate"] = json!(v),
            _ => return None,
        }
        Some(when)
    }
}

fn own_words(code: &str, asked: Option<&str>) -> Option<Value> {
    asked.map(|text| display(code, "obavezno", format!("Obavezno kada je tačno: {text}")))
}

fn flatten<'a>(expr: &'a Expr, function: Function, parts: &mut Vec<&'a Expr>) {
    match expr {
        Expr::Call { f, args, .. } if *f == function => args.iter().for_each(|part| flatten(part, function, parts)),
        other => parts.push(other),
    }
}

fn signed(function: Function) -> Option<&'static str> {
    match function {
        Function::Eq => Some("="),
        Function::Ne => Some("!="),
        Function::Lt => Some("<"),
        Function::Le => Some("<="),
        Function::Gt => Some(">"),
        Function::Ge => Some(">="),
        _ => None,
    }
}

fn display(code: &str, what: &str, text: String) -> Value {
    json!({ "linkId": format!("{code}_{what}"), "type": "display", "text": text })
}

fn number_extensions(known: &AttributeType) -> Vec<Value> {
    let own = &known.own;
    let whole = own.decimale_brojne_vrednosti == Some(0);
    let bound = |url: &str, bound: Option<Decimal>| {
        let number = bound?;
        Some(match number.to_i64().filter(|_| whole && number.fract().is_zero()) {
            Some(number) => json!({ "url": url, "valueInteger": number }),
            None => json!({ "url": url, "valueDecimal": number }),
        })
    };
    let unit = own.jedinica.as_ref().map(|unit| json!({ "url": UNIT, "valueCoding": { "display": unit } }));
    let decimals = own.decimale_brojne_vrednosti.filter(|_| !whole).map(|count| json!({ "url": DECIMALS, "valueInteger": count }));
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

fn coding(item: &EnumItem) -> Value {
    let number = || item.num_vrednost.map(|weight| weight.normalize().to_string());
    let code = item.sifra_veza.clone().or_else(number).unwrap_or_else(|| item.naziv.clone());
    json!({ "code": code, "display": item.naziv })
}

fn option(item: &EnumItem) -> Value {
    match item.num_vrednost {
        Some(weight) => json!({ "extension": [{ "url": ORDINAL, "valueDecimal": weight }], "valueCoding": coding(item) }),
        None => json!({ "valueCoding": coding(item) }),
    }
}
