//! A Questionnaire is read: groups as tabs and panels, questions as fields, `enableWhen` as a formula.

use std::collections::{BTreeSet, HashMap};

use domain::{
    attachment::{FileKind, FileLimits, MOST_FILES, MOST_MEGABYTES},
    register::{OtherUnit, ValueType},
};
use rust_decimal::{Decimal, prelude::ToPrimitive};
use serde_json::Value;

use super::{CONTROL, DECIMALS, FACTOR, HIGH, LEAST, LOW, MIME_TYPE, MOST, OFFSET, ORDINAL, SIZE, UNIT, UNIT_OPTION, WEIGHT};
use crate::exchange::{
    foreign::{self, Builder, Choice, Foreign, Kind, Known, NO_FILES_IN_ROWS, note, plain_code, together},
    pending::Ready,
    report::{CODE_TWICE, NO_FIRST_VALUE, Note, READ_ONLY, ROWS_IN_ROWS},
    translate::{self, Literal},
};

const DEEPEST: usize = 20;
const MOST_ITEMS: usize = 10_000;
const CARRIED_EXTENSIONS: [&str; 6] = [UNIT, UNIT_OPTION, LOW, HIGH, DECIMALS, CONTROL];
const CARRIED: [&str; 16] = [
    "linkId",
    "text",
    "type",
    "prefix",
    "required",
    "repeats",
    "enableWhen",
    "enableBehavior",
    "answerOption",
    "answerValueSet",
    "extension",
    "item",
    "initial",
    "readOnly",
    "code",
    "id",
];

/// Of the whole questionnaire: read, or of no meaning once it is read.
const OF_ROOT: [&str; 19] = [
    "resourceType",
    "id",
    "meta",
    "language",
    "text",
    "contained",
    "extension",
    "url",
    "identifier",
    "version",
    "name",
    "title",
    "status",
    "experimental",
    "date",
    "subjectType",
    "description",
    "jurisdiction",
    "item",
];

pub fn read(bytes: &[u8]) -> Result<Foreign, Note> {
    let text = foreign::text(bytes)?;
    let root: Value = serde_json::from_str(text)
        .map_err(|error| Note::new(format!("red {}, znak {}", error.line(), error.column()), "JSON nije ispravan."))?;
    if root["resourceType"] != "Questionnaire" {
        return Err(Note::new("resourceType", "Fajl nije FHIR Questionnaire."));
    }
    let word = |name: &str| root[name].as_str().unwrap_or_default();
    let code = [word("name"), word("id")].into_iter().find(|code| !code.is_empty()).unwrap_or_default();
    let name = [word("title"), word("name")].into_iter().find(|name| !name.is_empty()).unwrap_or(code);
    let mut builder = Builder::new(code, name);
    builder.form.opis = root["description"].as_str().map(str::to_owned);
    tell_of_root(&root, &mut builder);
    let mut reader = Items { builder, sets: value_sets(&root), conditions: Vec::new(), count: 0 };
    reader.all(&root["item"], "item", None, 0)?;
    Ok(together(vec![reader.finish()], None, Vec::new(), Vec::new()))
}

/// Of the questionnaire as a whole: what only its publisher needs, once, and each extension.
fn tell_of_root(root: &Value, builder: &mut Builder) {
    let strange = |name: &&String| !OF_ROOT.contains(&name.as_str());
    let names: Vec<&str> = root.as_object().into_iter().flatten().map(|(name, _)| name).filter(strange).map(String::as_str).collect();
    if !names.is_empty() {
        builder.lost(Note::of("Questionnaire", "podaci o izdanju upitnika se ne prenose", names.join(", ")));
    }
    for one in root["extension"].as_array().into_iter().flatten() {
        builder.lost(Note::of("Questionnaire", lost_extension(one), one.to_string()));
    }
}

/// What is lost with an extension, in words where it is a usual one.
fn lost_extension(one: &Value) -> String {
    let url = one["url"].as_str().unwrap_or_default();
    let name = url.rsplit(['/', '-']).next().unwrap_or_default();
    match name {
        "variable" => {
            let variable = one["valueExpression"]["name"].as_str().unwrap_or_default();
            format!("izraz „{variable}” nije prenet (variable)")
        }
        "calculatedExpression" => format!("računanje nije preneto ({name}); polje se unosi ručno"),
        "initialExpression" => format!("početna vrednost nije preneta ({name})"),
        "enableWhenExpression" => format!("uslov prikaza nije prenet ({name}); polje se prikazuje uvek"),
        "constraint" | "targetConstraint" => format!("ograničenje nije preneto ({name}); ne proverava se"),
        "hidden" if one["valueBoolean"] == true => "polje je tamo skriveno, a ovde se prikazuje (hidden)".to_owned(),
        _ => format!("proširenje se ne prenosi: {url}"),
    }
}

/// Contained value sets by `#id`.
fn value_sets(root: &Value) -> HashMap<String, Vec<Choice>> {
    let contained = root["contained"].as_array().into_iter().flatten().filter(|one| one["resourceType"] == "ValueSet");
    let set = |one: &Value| {
        let included =
            one["compose"]["include"].as_array().into_iter().flatten().flat_map(|part| part["concept"].as_array().into_iter().flatten());
        let expanded = one["expansion"]["contains"].as_array().into_iter().flatten();
        let choices: Vec<Choice> = included.chain(expanded).map(coding).collect();
        Some((format!("#{}", one["id"].as_str()?), choices))
    };
    contained.filter_map(set).collect()
}

fn coding(one: &Value) -> Choice {
    let word = |name: &str| one[name].as_str().unwrap_or_default().to_owned();
    let weight = weight(one);
    Choice { code: if word("code").is_empty() { word("display") } else { word("code") }, label: word("display"), weight }
}

/// What an option or a concept weighs, where it says so: its code says nothing of that.
fn weight(one: &Value) -> Option<Decimal> {
    [ORDINAL, WEIGHT].into_iter().find_map(|url| extension(one, url).and_then(number))
}

/// The value of an extension, whatever its type.
fn extension<'a>(of: &'a Value, url: &str) -> Option<&'a Value> {
    let found = of["extension"].as_array()?.iter().find(|one| one["url"] == url)?;
    found.as_object()?.iter().find(|(name, _)| name.starts_with("value")).map(|(_, value)| value)
}

fn number(value: &Value) -> Option<Decimal> {
    value.as_number().and_then(|number| number.to_string().parse().ok())
}

/// A condition that waits until all items are known.
struct Condition {
    field: usize,
    place: String,
    when: Vec<Value>,
    any: bool,
}

struct Items {
    builder: Builder,
    sets: HashMap<String, Vec<Choice>>,
    conditions: Vec<Condition>,
    count: usize,
}

impl Items {
    fn all(&mut self, items: &Value, place: &str, parent: Option<&str>, depth: usize) -> Result<(), Note> {
        if depth > DEEPEST {
            return Err(Note::new(place, format!("Stavke su dublje od {DEEPEST} nivoa.")));
        }
        for (at, item) in items.as_array().into_iter().flatten().enumerate() {
            self.count += 1;
            if self.count > MOST_ITEMS {
                return Err(Note::new(place, format!("Fajl ima više od {MOST_ITEMS} stavki.")));
            }
            self.one(item, &format!("{place}[{at}]"), parent, depth)?;
        }
        Ok(())
    }

    fn one(&mut self, item: &Value, place: &str, parent: Option<&str>, depth: usize) -> Result<(), Note> {
        let link = item["linkId"].as_str().unwrap_or_default().to_owned();
        let place = format!("{place} (linkId „{link}”)");
        let text = item["text"].as_str().unwrap_or_default();
        let kind = item["type"].as_str().unwrap_or_default();
        if link.is_empty() || self.builder.is_known(&link) {
            self.builder.lost(Note::of(place, "stavka nema linkId, ili ga ima i druga", text));
            return Ok(());
        }
        if let Some(section) = parent.filter(|parent| self.builder.is_section(parent)) {
            match kind {
                "group" if is_section(item) => {
                    self.builder.lost(Note::of(&place, ROWS_IN_ROWS, text));
                    return Ok(());
                }
                "group" => {
                    self.builder.warnings.push(Note::of(&place, "grupa u ponavljanju: njena polja su kolone sekcije", text));
                    if !item["enableWhen"].is_null() {
                        let message = "uslov grupe u ponavljanju se ne prenosi";
                        self.builder.lost(Note::of(&place, message, item["enableWhen"].to_string()));
                    }
                    return self.all(&item["item"], &place, Some(section), depth + 1);
                }
                "display" => {
                    self.builder.lost(Note::of(&place, "napomena u ponavljanju se ne prenosi: sekcija ima samo kolone", text));
                    return Ok(());
                }
                "attachment" => {
                    self.builder.lost(Note::of(&place, NO_FILES_IN_ROWS, text));
                    return Ok(());
                }
                _ => {}
            }
        }
        let Some(at) = self.typed(item, kind, &link, &place, parent) else {
            return self.inside(item, &place, parent, depth);
        };
        self.common(item, &link, &place, at);
        self.inside(item, &place, if kind == "group" { Some(link.as_str()) } else { parent }, depth)?;
        Ok(())
    }

    /// What stands in an item; in a question a text to be shown is its help.
    fn inside(&mut self, item: &Value, place: &str, parent: Option<&str>, depth: usize) -> Result<(), Note> {
        if item["type"] == "group" {
            return self.all(&item["item"], place, parent, depth + 1);
        }
        let link = item["linkId"].as_str().unwrap_or_default();
        let own = self.builder.known(link).map(|known| known.code.clone());
        let at = self.builder.form.polja.iter().position(|field| Some(&field.sifra) == own.as_ref());
        let (help, others): (Vec<Value>, Vec<Value>) =
            item["item"].as_array().cloned().unwrap_or_default().into_iter().partition(|one| one["type"] == "display" && at.is_some());
        for one in help {
            if let Some(at) = at {
                note(&mut self.builder.field(at).own, one["text"].as_str().unwrap_or_default());
            }
        }
        if !others.is_empty() {
            self.builder.warnings.push(Note::new(place, "stavke unutar pitanja stoje iza njega"));
        }
        self.all(&Value::Array(others), place, parent, depth + 1)
    }

    fn typed(&mut self, item: &Value, kind: &str, link: &str, place: &str, parent: Option<&str>) -> Option<usize> {
        let text = [item["prefix"].as_str().unwrap_or_default(), item["text"].as_str().unwrap_or_default()].join(" ");
        let name = if text.trim().is_empty() { link.to_owned() } else { text };
        let builder = &mut self.builder;
        let (type_name, known) = match kind {
            "group" if is_section(item) => {
                let most = extension(item, MOST).and_then(Value::as_i64).and_then(|most| i32::try_from(most).ok());
                return Some(builder.section(link, &name, parent, most, place));
            }
            "group" if parent.is_none() => (builder.plain_type("Segment", ValueType::Tab), Kind::Nothing),
            "group" => (builder.plain_type("Panel", ValueType::Panel), Kind::Nothing),
            "display" => (builder.plain_type("Naslov", ValueType::Heading), Kind::Nothing),
            "boolean" => (builder.plain_type("Da/Ne", ValueType::Choice), Kind::Choice),
            "integer" | "decimal" | "quantity" => (number_type(builder, item, kind), Kind::Number),
            "attachment" => (file_type(builder, item), Kind::File),
            "date" => (builder.plain_type("Datum", ValueType::Date), Kind::Date),
            "string" => (builder.text_type(false), Kind::Text),
            "text" => (builder.text_type(true), Kind::Text),
            "choice" | "open-choice" => return self.choice(item, kind, link, &name, place, parent),
            other => {
                builder.lost(Note::unknown_kind(place, other, name));
                return None;
            }
        };
        let code_was = builder.form.polja.len();
        builder.add(link, &name, type_name, known, parent, place);
        if kind == "boolean" {
            builder.field(code_was).own.radio_button = true;
        }
        Some(code_was)
    }

    fn choice(&mut self, item: &Value, kind: &str, link: &str, name: &str, place: &str, parent: Option<&str>) -> Option<usize> {
        let choices = self.options(item, place);
        if choices.is_empty() {
            let original = item["answerValueSet"].as_str().unwrap_or(name);
            self.builder.lost(Note::of(place, "izbor nema opcije u samom fajlu", original));
            return None;
        }
        if kind == "open-choice" {
            self.builder.lost(Note::of(place, "slobodan odgovor uz izbor se ne prenosi", name));
        }
        let multiple = item["repeats"] == true;
        let (type_name, known) = self.builder.set_type(&format!("Izbor {}", plain_code(link)), &choices, multiple);
        let at = self.builder.add(link, name, type_name, known, parent, place);
        let control = extension(item, CONTROL).map(|value| value["coding"][0]["code"].as_str().unwrap_or_default().to_owned());
        let own = &mut self.builder.field(at).own;
        (own.multiselect, own.radio_button) = (multiple, !multiple && control.as_deref() == Some("radio-button"));
        Some(at)
    }

    fn options(&mut self, item: &Value, place: &str) -> Vec<Choice> {
        let mut found: Vec<Choice> = Vec::new();
        for one in item["answerOption"].as_array().into_iter().flatten() {
            let choice = if one["valueCoding"].is_object() {
                let inner = coding(&one["valueCoding"]);
                Choice { weight: weight(one).or(inner.weight), ..inner }
            } else if let Some(text) = one["valueString"].as_str() {
                Choice { code: text.to_owned(), label: text.to_owned(), weight: weight(one) }
            } else if let Some(number) = number(&one["valueInteger"]) {
                Choice { code: number.to_string(), label: number.to_string(), weight: Some(number) }
            } else {
                self.builder.lost(Note::of(place, "opcija te vrste se ne prenosi", one.to_string()));
                continue;
            };
            if found.iter().any(|known| known.code == choice.code) {
                self.builder.lost(Note::of(place, CODE_TWICE, choice.code));
                continue;
            }
            found.push(choice);
        }
        let set = item["answerValueSet"].as_str().and_then(|name| self.sets.get(name));
        if found.is_empty() { set.cloned().unwrap_or_default() } else { found }
    }

    fn common(&mut self, item: &Value, link: &str, place: &str, at: usize) {
        let holds = self.builder.known(link).is_some_and(|known| !matches!(known.kind, Kind::Nothing));
        let own = &mut self.builder.field(at).own;
        let least = extension(item, LEAST).and_then(Value::as_i64);
        own.opcioni = !(holds && (item["required"] == true || least.is_some_and(|least| least > 0)));
        own.sifra_veza = item["code"][0]["code"].as_str().map(str::to_owned);
        if let Some(when) = item["enableWhen"].as_array() {
            let any = item["enableBehavior"] == "any";
            self.conditions.push(Condition { field: at, place: place.to_owned(), when: when.clone(), any });
        }
        let kind = item["type"].as_str().unwrap_or_default();
        if item["repeats"] == true && !["group", "choice", "open-choice", "attachment"].contains(&kind) {
            self.builder.lost(Note::new(place, "više odgovora na jedno pitanje se ne prenosi: ovde je jedan"));
        }
        if item["readOnly"] == true {
            self.builder.lost(Note::new(place, READ_ONLY));
        }
        if !item["initial"].is_null() && !self.first_value(item, link, at) {
            self.builder.lost(Note::of(place, NO_FIRST_VALUE, item["initial"].to_string()));
        }
        if item["code"].as_array().is_some_and(|codes| codes.len() > 1) {
            self.builder.lost(Note::of(place, "prenosi se samo prva šifra pojma (code)", item["code"].to_string()));
        }
        let strange: Vec<&String> =
            item.as_object().into_iter().flatten().map(|(name, _)| name).filter(|name| !CARRIED.contains(&name.as_str())).collect();
        for name in strange {
            self.builder.lost(Note::of(place, format!("svojstvo „{name}” se ne prenosi"), item[name].to_string()));
        }
        for one in item["extension"].as_array().into_iter().flatten() {
            let url = one["url"].as_str().unwrap_or_default();
            let carried = match url {
                MOST => ["group", "attachment"].contains(&kind),
                LEAST => !self.builder.is_section(link) && least.is_some_and(|least| least <= 1),
                MIME_TYPE | SIZE => kind == "attachment",
                _ => CARRIED_EXTENSIONS.contains(&url),
            };
            if !carried || (url == UNIT_OPTION && !is_own_unit(item, one) && other_unit(one).is_none()) {
                let text = one.to_string();
                note(&mut self.builder.field(at).own, &expression_of(one).map(|text| format!("Nije preneto: {text}")).unwrap_or_default());
                self.builder.lost(Note::of(place, lost_extension(one), text));
            }
        }
    }

    fn first_value(&mut self, item: &Value, link: &str, at: usize) -> bool {
        let Some([first]) = item["initial"].as_array().map(Vec::as_slice) else { return false };
        let kind = self.builder.known(link).filter(|known| !known.column).map(|known| known.kind.clone());
        let own = &mut self.builder.field(at).own;
        match kind {
            Some(Kind::Number) => {
                own.inicijalna_brojna_vrednost = number(&first["valueInteger"]).or_else(|| number(&first["valueDecimal"]));
                own.inicijalna_brojna_vrednost.is_some()
            }
            Some(Kind::Text) => {
                own.inicijalna_string_vrednost = first["valueString"].as_str().map(str::to_owned);
                own.inicijalna_string_vrednost.is_some()
            }
            Some(Kind::Choice) => {
                own.inicijalna_boolean_vrednost = first["valueBoolean"].as_bool();
                own.inicijalna_boolean_vrednost.is_some()
            }
            _ => false,
        }
    }

    fn finish(mut self) -> Builder {
        for condition in std::mem::take(&mut self.conditions) {
            let Condition { field, place, when, any } = condition;
            let parts: Result<Vec<String>, String> = when.iter().map(|one| enabled(one, |link| self.builder.known(link))).collect();
            let joined = parts.map(|parts| {
                let formula = parts.join(if any { " or " } else { " and " });
                Ready { formula, reads: BTreeSet::new(), literals: Vec::new(), source: Box::new(|_| None) }
            });
            let text = Value::Array(when.clone()).to_string();
            self.builder.shows_ready(field, &place, &text, joined);
        }
        self.builder
    }
}

fn number_type(builder: &mut Builder, item: &Value, kind: &str) -> String {
    let bound = |url| extension(item, url).and_then(number);
    let decimals = extension(item, DECIMALS)
        .and_then(Value::as_i64)
        .and_then(|count| i16::try_from(count).ok())
        .filter(|count| (0..=10).contains(count));
    let unit = extension(item, UNIT).and_then(|unit| unit["display"].as_str().or(unit["code"].as_str()));
    let others = item["extension"].as_array().into_iter().flatten().filter_map(other_unit).collect();
    builder.number_type_in(if kind == "integer" { Some(0) } else { decimals }, (bound(LOW), bound(HIGH)), unit, others)
}

/// A file may list the field's own unit among those to choose from.
fn is_own_unit(item: &Value, option: &Value) -> bool {
    let name = |coding: &Value| coding["display"].as_str().or(coding["code"].as_str()).map(str::to_owned);
    extension(item, UNIT).is_some_and(|own| name(own) == name(&option["valueCoding"]))
}

/// A unit without what makes a number of it one of the field's own is none to type in.
fn other_unit(one: &Value) -> Option<OtherUnit> {
    let coding = (one["url"] == UNIT_OPTION).then(|| &one["valueCoding"])?;
    let number = |url| extension(coding, url).and_then(Value::as_f64);
    let jedinica = coding["display"].as_str().or(coding["code"].as_str())?.to_owned();
    Some(OtherUnit { jedinica, cinilac: number(FACTOR)?, pomeraj: number(OFFSET).unwrap_or_default() })
}

/// Some tools say of every group that it repeats, and beside it that there is one at most: that one is a group.
fn is_section(item: &Value) -> bool {
    item["repeats"] == true && extension(item, MOST).and_then(Value::as_i64) != Some(1)
}

/// Kinds of files that are not known here are left out; where none is known, every kind is taken.
fn file_type(builder: &mut Builder, item: &Value) -> String {
    let all = item["extension"].as_array().into_iter().flatten();
    let types = all.filter(|one| one["url"] == MIME_TYPE).filter_map(|one| one["valueCode"].as_str());
    let is = |kind: &FileKind, name: &str| kind.content_type().split(';').next() == Some(name);
    let mut kinds: Vec<FileKind> = types.filter_map(|name| FileKind::ALL.into_iter().find(|kind| is(kind, name))).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let whole = |url| extension(item, url).and_then(number).and_then(|number| number.ceil().to_i32());
    let count = if item["repeats"] == true { whole(MOST).filter(|most| (1..=MOST_FILES).contains(most)) } else { Some(1) };
    let size = whole(SIZE).filter(|most| (1..=MOST_MEGABYTES).contains(most));
    builder.file_type(FileLimits { vrste_fajlova: (!kinds.is_empty()).then_some(kinds), najvise_fajlova: count, najvise_megabajta: size })
}

/// What an extension computes, in its own words.
fn expression_of(extension: &Value) -> Option<&str> {
    extension["valueExpression"]["expression"].as_str().or(extension["valueString"].as_str())
}

/// One part of a condition, in the language of formulas here.
fn enabled<'a>(one: &Value, known: impl Fn(&str) -> Option<&'a Known>) -> Result<String, String> {
    let link = one["question"].as_str().unwrap_or_default();
    let field = known(link).ok_or_else(|| format!("nema stavke „{link}”"))?;
    if matches!(field.kind, Kind::File) {
        return Err(translate::holds_files(&field.code));
    }
    let sign = match one["operator"].as_str().unwrap_or_default() {
        "exists" if one["answerBoolean"] == true => return Ok(format!("!isblank($({}))", field.code)),
        "exists" => return Ok(format!("isblank($({}))", field.code)),
        "=" => "==",
        sign @ ("!=" | ">" | "<" | ">=" | "<=") => sign,
        other => return Err(format!("nepoznat operator „{other}”")),
    };
    let answer = one.as_object().and_then(|one| one.iter().find(|(name, _)| name.starts_with("answer"))).map(|(_, value)| value);
    let literal = match answer {
        Some(Value::Bool(yes)) => Literal::Number(i32::from(*yes).to_string()),
        Some(Value::Number(number)) => Literal::Number(number.to_string()),
        Some(Value::String(text)) => Literal::Text(text.clone()),
        Some(quantity) if quantity["value"].is_number() => Literal::Number(quantity["value"].to_string()),
        Some(coded) => Literal::Text(coded["code"].as_str().or(coded["display"].as_str()).ok_or("odgovor te vrste")?.to_owned()),
        None => return Err("uslov nema odgovor".to_owned()),
    };
    let part = translate::compared(field, sign, &literal, true)?;
    Ok(if part.contains(" or ") { format!("({part})") } else { part })
}
