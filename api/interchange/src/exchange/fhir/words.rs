//! What is lost, in words: of each thing that nobody read.

use std::collections::BTreeMap;

use serde_json::Value;

use super::element::{Element, UnreadValue};
use crate::exchange::report::{NO_FIRST_VALUE, Note, READ_ONLY};

/// Names, translations and addresses of concepts, which a file repeats everywhere: told once with how many of them there are.
const COUNTED: [&str; 9] =
    ["_text", "_valueString", "_display", "_prefix", "definition", "designation", "display", "version", "userSelected"];

/// Of an item.
pub fn of_item(item: Element, place: &str) -> Vec<Note> {
    item.unread(&["item"]).into_iter().map(|one| said(one, place)).collect()
}

/// What is said of an expression that is lost, for the form's designer.
pub fn expression(note: &Note) -> Option<String> {
    let value: Value = serde_json::from_str(note.izvorno.as_ref()?).ok()?;
    let text = value["valueExpression"]["expression"].as_str()?;
    Some(format!("Nije preneto: {text}"))
}

/// Of the questionnaire as a whole: what only its publisher needs, once, and each extension.
pub fn of_root(root: Element) -> Vec<Note> {
    let (mut names, mut notes) = (Vec::new(), Vec::new());
    for one in root.unread(&["item", "contained"]) {
        if one.path.starts_with("extension") || one.path.starts_with("modifierExtension") || one.path == "implicitRules" {
            notes.push(said(one, "Questionnaire"));
        } else {
            names.push(one.path.split(['.', '[']).next().unwrap_or_default().to_owned());
        }
    }
    names.dedup();
    if !names.is_empty() {
        notes.insert(0, Note::of("Questionnaire", "podaci o izdanju upitnika se ne prenose", names.join(", ")));
    }
    notes
}

/// Of the resources that stand in the file.
pub fn of_contained(contained: Element) -> Vec<Note> {
    let (mut about, mut notes) = (Vec::new(), Vec::new());
    for (at, one) in contained.each().enumerate() {
        let word = |name: &str| one.raw()[name].as_str().unwrap_or_default();
        let place = format!("contained[{at}] ({} „{}”)", word("resourceType"), word("id"));
        let is_set = word("resourceType") == "ValueSet";
        let unread = one.unread(&["resourceType"]);
        let is_used =
            ["expansion", "compose"].into_iter().any(|name| one.at(name).is_there() && !unread.iter().any(|part| part.path == name));
        if !is_set || !is_used {
            let message =
                if is_set { "skup vrednosti se ne prenosi: nijedno pitanje ga ne koristi" } else { "zapis u upitniku se ne prenosi" };
            notes.push(Note::new(place, message));
            continue;
        }
        for part in unread {
            match part.path.split(['.', '[']).next() {
                Some("expansion" | "compose" | "extension" | "modifierExtension") => notes.push(said(part, &place)),
                other => about.extend(other.map(str::to_owned)),
            }
        }
    }
    about.sort();
    about.dedup();
    if !about.is_empty() {
        notes.insert(0, Note::of("contained", "podaci o izdanju skupova vrednosti se ne prenose", about.join(", ")));
    }
    notes
}

/// What stands often in one file is told once, with the first place and how many there are.
pub fn counted(notes: Vec<Note>) -> Vec<Note> {
    let is_counted = |note: &Note| COUNTED.iter().any(|name| note.poruka.contains(&format!("„{name}”")));
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for note in notes.iter().filter(|note| is_counted(note)) {
        *counts.entry(note.poruka.clone()).or_default() += 1;
    }
    let mut found: Vec<Note> = Vec::new();
    for mut note in notes {
        let Some(count) = counts.get(&note.poruka).copied().filter(|count| *count > 1) else {
            found.push(note);
            continue;
        };
        if found.iter().any(|known| known.poruka.starts_with(&note.poruka)) {
            continue;
        }
        note.mesto = format!("{} i još {}", note.mesto, count - 1);
        found.push(note);
    }
    found
}

fn said(one: UnreadValue, place: &str) -> Note {
    let UnreadValue { path, name, value } = one;
    let inner = path.split('.').next_back().unwrap_or_default();
    let place = if path == inner && name != "[]" && !path.contains('[') { place.to_owned() } else { format!("{place}, {path}") };
    let text = value.to_string();
    if path.starts_with("modifierExtension") {
        let url = value["url"].as_str().unwrap_or_default();
        return Note::of(place, format!("proširenje koje menja značenje se ne prenosi (modifierExtension): {url}"), text);
    }
    if name == "[]" {
        return Note::of(place, of_extension(value), text);
    }
    let message = match name.as_str() {
        "initial" | "initialSelected" => NO_FIRST_VALUE.to_owned(),
        "readOnly" => READ_ONLY.to_owned(),
        "repeats" => "više odgovora na jedno pitanje se ne prenosi: ovde je jedan".to_owned(),
        "code" => "prenosi se samo prva šifra pojma (code)".to_owned(),
        "enableWhen" => "uslov prikaza nije prenet: polje se prikazuje uvek (enableWhen)".to_owned(),
        "maxLength" => "najveća dužina odgovora se ne proverava (maxLength)".to_owned(),
        "required" => "obavezna grupa se ne prenosi: obavezna su samo polja u njoj (required)".to_owned(),
        "implicitRules" => "pravila izvan fajla se ne prenose (implicitRules)".to_owned(),
        other => format!("svojstvo „{other}” se ne prenosi"),
    };
    Note::of(place, message, text)
}

/// What is lost with an extension, in words where it is a usual one.
fn of_extension(one: &Value) -> String {
    let url = one["url"].as_str().unwrap_or_default();
    let name = url.rsplit(['/', '-']).next().unwrap_or_default();
    let control = one["valueCodeableConcept"]["coding"][0]["code"].as_str();
    match name {
        "variable" => {
            let variable = one["valueExpression"]["name"].as_str().unwrap_or_default();
            format!("izraz „{variable}” nije prenet (variable)")
        }
        "calculatedExpression" => format!("računanje nije preneto ({name}); polje se unosi ručno"),
        "initialExpression" => format!("početna vrednost nije preneta ({name})"),
        "enableWhenExpression" => format!("uslov prikaza nije prenet ({name}); polje se prikazuje uvek"),
        "constraint" | "targetConstraint" => format!("ograničenje nije preneto ({name}); ne proverava se"),
        "minValue" | "maxValue" => format!("granica nije preneta ({name}); ne proverava se"),
        "minOccurs" | "maxOccurs" => format!("broj odgovora nije prenet ({name}); ne proverava se"),
        "maxDecimalPlaces" => format!("broj decimala nije prenet ({name})"),
        "regex" | "minLength" => format!("oblik odgovora nije prenet ({name}); ne proverava se"),
        "unit" | "unitOption" | "unitValueSet" => format!("jedinica nije preneta ({name})"),
        "ordinalValue" | "itemWeight" => format!("težina nije preneta ({name})"),
        "optionExclusive" => format!("opcija koja isključuje druge nije preneta ({name})"),
        "mimeType" => format!("vrsta fajla nije preneta ({name})"),
        "maxSize" => format!("najveća veličina fajla nije preneta ({name})"),
        "sliderStepValue" => format!("korak klizača nije prenet ({name})"),
        "hidden" if one["valueBoolean"] == true => "polje je tamo skriveno, a ovde se prikazuje (hidden)".to_owned(),
        "itemControl" => format!("prikaz se ne prenosi: {}", control.unwrap_or(name)),
        _ => format!("proširenje se ne prenosi: {url}"),
    }
}
