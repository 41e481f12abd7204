//! Whether the examples kept with a formula come out, computed as an entry is. What is expected is rounded as a result is stored, so a
//! score that its paper gives with more decimals is the same score.

use std::collections::BTreeMap;

use jiff::civil::Date;
use serde_json::{Map, Value as Json, json};

use super::{Field, FormulaSurroundings, Patient, Previous, evaluate_form};
use crate::{
    answer::Answer,
    register::{Circumstances, Example, Given, ValueType},
    shown,
    years::{YEARS, YEARS_OF_LIFE, outside},
};

/// What was expected and what came, as the field stores them.
#[derive(Debug, PartialEq)]
struct Outcome {
    expected: Json,
    actual: Json,
}

/// The examples of a field that do not come out, each in one sentence. `fields` are all of the form with their formulas.
pub fn failing(fields: &[Field], field: i64, examples: &[Example]) -> Vec<String> {
    let Some(own) = fields.iter().find(|known| known.id == field).filter(|known| known.racunanje.is_some()) else { return Vec::new() };
    let told = |(at, example): (usize, &Example)| {
        let called = example.called(at);
        match outcome(fields, own, example) {
            Err(why) => Some(format!("{called}: {why}")),
            Ok(outcome) => Some(format!("{called}: {}", outcome.difference(own)?)),
        }
    };
    examples.iter().enumerate().filter_map(told).collect()
}

fn outcome(fields: &[Field], own: &Field, example: &Example) -> Result<Outcome, String> {
    let mut fields = fields.to_vec();
    let mut entered = BTreeMap::new();
    for (code, typed) in &example.ulazi {
        let field = named(&mut fields, code)?;
        if field.id == own.id {
            return Err("rezultat polja se ne navodi među ulazima.".to_owned());
        }
        if field.sekcija.is_some() {
            return Err(format!("polje „{code}” je u sekciji koja se ponavlja, pa se navodi u redovima."));
        }
        entered.insert(field.id, entered_in(field, typed)?);
        // What is given is not computed.
        field.racunanje = None;
    }
    let mut sections: BTreeMap<i64, Vec<Json>> = BTreeMap::new();
    // A column of a row is computed in the last one that is given.
    let blank = Given::new();
    let given: Vec<&Given> =
        if own.sekcija.is_some() && example.redovi.is_empty() { vec![&blank] } else { example.redovi.iter().collect() };
    for row in given {
        let mut cells: BTreeMap<i64, Map<String, Json>> = BTreeMap::new();
        for (code, typed) in row {
            let field = named(&mut fields, code)?;
            if field.id == own.id {
                return Err("rezultat polja se ne navodi u redovima.".to_owned());
            }
            let Some(section) = field.sekcija else { return Err(format!("polje „{code}” nije u sekciji koja se ponavlja.")) };
            cells.entry(section).or_default().insert(field.id.to_string(), entered_in(field, typed)?);
            // What is given is not computed, in any row.
            field.racunanje = None;
        }
        cells.extend(own.sekcija.filter(|section| !cells.contains_key(section)).map(|section| (section, Map::new())));
        for (section, cells) in cells {
            let rows = sections.entry(section).or_default();
            rows.push(json!({ "id": rows.len() + 1, "v": cells }));
        }
    }
    entered.extend(sections.into_iter().map(|(section, rows)| (section, Json::Array(rows))));
    let mut before = BTreeMap::new();
    for (code, typed) in &example.prethodno {
        let field = named(&mut fields, code)?;
        before.insert(field.id, entered_in(field, typed)?);
    }
    if !before.is_empty() && example.okolnosti.prethodni_datum.is_none() {
        return Err("uz vrednosti prethodnog unosa navodi se i njegov datum.".to_owned());
    }
    let known = &example.okolnosti;
    meant(known)?;
    if known.prethodni_datum.is_some_and(|before| known.datum_pregleda.is_none_or(|day| before >= day)) {
        return Err("datum prethodnog unosa mora biti pre datuma pregleda.".to_owned());
    }
    let expected = match &example.rezultat {
        Json::Null => Json::Null,
        typed => own.result(&own.value(&stored(own, typed)?)),
    };
    let mut done = evaluate_form(&fields, &entered, &around(&example.okolnosti, before));
    let actual = match own.sekcija {
        Some(section) => {
            let rows = done.values.remove(&section).unwrap_or_default();
            let last = rows.as_array().and_then(|rows| rows.last());
            last.and_then(|row| row.get("v")?.get(own.id.to_string())).cloned().unwrap_or_default()
        }
        None => done.values.remove(&own.id).unwrap_or_default(),
    };
    Ok(Outcome { expected, actual })
}

/// Days that the form itself would refuse prove nothing.
fn meant(known: &Circumstances) -> Result<(), String> {
    let days = [
        ("dan na koji se računa", known.danas, &YEARS),
        ("datum pregleda", known.datum_pregleda, &YEARS),
        ("datum rođenja", known.datum_rodjenja, &YEARS_OF_LIFE),
        ("datum prethodnog unosa", known.prethodni_datum, &YEARS),
    ];
    let wrong = days.into_iter().find_map(|(called, day, years)| Some(format!("{called} {}.", outside(years, day?)?)));
    wrong.map_or(Ok(()), Err)
}

/// What is entered, as the form would take it.
fn entered_in(field: &Field, typed: &Json) -> Result<Json, String> {
    let typed = stored(field, typed)?;
    let day = Answer::of(field.tip_vrednosti, &typed).and_then(|answer| answer.day());
    match day.and_then(|day| outside(&YEARS, day)) {
        Some(why) => Err(format!("vrednost polja „{}” {why}.", field.sifra.as_deref().unwrap_or_default())),
        None => Ok(typed),
    }
}

fn named<'f>(fields: &'f mut [Field], code: &str) -> Result<&'f mut Field, String> {
    let found = fields.iter_mut().find(|field| field.sifra.as_deref() == Some(code) && field.tip_vrednosti.holds_value());
    found.ok_or_else(|| format!("nema polja sa šifrom „{code}”."))
}

/// Today is the day of the examination where it is not said, and the day on which nothing depends where neither is.
fn around(known: &Circumstances, before: BTreeMap<i64, Json>) -> FormulaSurroundings {
    let today = known.danas.or(known.datum_pregleda).unwrap_or(Date::constant(2000, 1, 1));
    FormulaSurroundings {
        today,
        examined: known.datum_pregleda,
        patient: Some(Patient { born: known.datum_rodjenja, male: known.pol, male_at_birth: known.pol_na_rodjenju }),
        previous: known.prethodni_datum.map(|examined| Previous { examined, values: before }),
        earlier: Vec::new(),
        // What they held is among the inputs.
        others: Vec::new(),
    }
}

/// A value as a person writes it, as the field stores it.
fn stored(field: &Field, typed: &Json) -> Result<Json, String> {
    let code = field.sifra.as_deref().unwrap_or_default();
    let wrong = |what: &str| Err(format!("vrednost polja „{code}” nije {what}."));
    match field.tip_vrednosti {
        // Items are written by their names.
        ValueType::Set => match typed {
            Json::Array(items) => items.iter().map(|item| chosen(field, code, item)).collect(),
            Json::String(_) | Json::Number(_) => Ok(json!([chosen(field, code, typed)?])),
            _ => wrong("stavka skupa"),
        },
        kind if Answer::of(kind, typed).is_some() => Ok(typed.clone()),
        ValueType::Choice => wrong("„da” ili „ne”"),
        ValueType::Number => wrong("broj"),
        ValueType::Text => wrong("tekst"),
        ValueType::Date => wrong("datum"),
        ValueType::Time => wrong("vreme oblika HH:MM"),
        ValueType::Moment => wrong("datum sa vremenom"),
        _ => wrong("stavka skupa"),
    }
}

fn chosen(field: &Field, code: &str, item: &Json) -> Result<Json, String> {
    let found = match item.as_str() {
        // The designer writes names.
        Some(text) => {
            let coded = || field.items.iter().find(|known| known.code.as_deref() == Some(text));
            field.items.iter().find(|known| known.name == text).or_else(coded)
        }
        None => field.items.iter().find(|known| known.num.is_some() && known.num == item.as_f64()),
    };
    let called = || item.as_str().map_or_else(|| format!("sa brojem {item}"), |name| format!("„{name}”"));
    found.map(|known| json!(known.id)).ok_or_else(|| format!("polje „{code}” nema stavku {}.", called()))
}

impl Outcome {
    /// What is another than expected, in words; none where nothing is.
    fn difference(&self, field: &Field) -> Option<String> {
        let Self { expected, actual } = self;
        let said = |value: &Json| words(field, value);
        let apart = match (expected.as_f64(), actual.as_f64()) {
            (Some(one), Some(other)) if one == other => return None,
            (Some(one), Some(other)) => {
                format!(" (razlika {})", shown::number(super::round::half_away(other - one, super::round::PLACES)))
            }
            _ if expected == actual => return None,
            _ => String::new(),
        };
        let told = format!("očekuje se {}, a formula daje {}{apart}", said(expected), said(actual));
        // A day ends with a point of its own.
        Some(if told.ends_with('.') { told } else { told + "." })
    }
}

fn words(field: &Field, stored: &Json) -> String {
    match stored {
        Json::Bool(yes) => shown::yes_no(*yes).to_owned(),
        Json::Number(number) => shown::number(number.as_f64().unwrap_or_default()),
        Json::String(_) if matches!(field.tip_vrednosti, ValueType::Date | ValueType::Time | ValueType::Moment) => {
            super::text::of(&field.value(stored)).unwrap_or_default()
        }
        Json::String(text) => format!("„{text}”"),
        Json::Array(_) => super::text::of(&field.value(stored)).map_or_else(|| "prazno".to_owned(), |names| format!("„{names}”")),
        _ => "prazno".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formula::{Item, parse};

    fn field(id: i64, code: &str, kind: ValueType) -> Field {
        Field { id, sifra: Some(code.to_owned()), tip_vrednosti: kind, ..Field::default() }
    }

    fn calculated(id: i64, code: &str, kind: ValueType, text: &str) -> Field {
        Field { racunanje: Some(parse(text).unwrap()), ..field(id, code, kind) }
    }

    fn told(fields: &[Field], code: &str, example: Json) -> Vec<String> {
        let id = fields.iter().find(|field| field.sifra.as_deref() == Some(code)).unwrap().id;
        failing(fields, id, &[serde_json::from_value(example).unwrap()])
    }

    #[test]
    fn what_is_expected_is_rounded_as_a_result_is_stored() {
        let fields = [field(1, "a", ValueType::Number), calculated(2, "x", ValueType::Number, "$(a) / 3")];
        for rezultat in [json!(3.33), json!(3.3333), json!(3.334)] {
            assert_eq!(told(&fields, "x", json!({ "ulazi": { "a": 10 }, "rezultat": rezultat })), [""; 0], "{rezultat}");
        }
        let off = told(&fields, "x", json!({ "ulazi": { "a": 10 }, "rezultat": 3.34 }));
        assert_eq!(off, ["Primer 1: očekuje se 3,34, a formula daje 3,33 (razlika −0,01)."]);
        assert_eq!(told(&fields, "x", json!({ "rezultat": null })), [""; 0]);
    }

    #[test]
    fn a_value_that_its_field_cannot_hold_is_told_and_none_is_a_blank_one() {
        let items = vec![Item { id: 7, num: Some(1.0), name: "metotreksat".into(), ..Item::default() }];
        let fields = [
            field(1, "broj", ValueType::Number),
            field(2, "tekst", ValueType::Text),
            field(3, "izbor", ValueType::Choice),
            field(4, "dan", ValueType::Date),
            field(7, "sat", ValueType::Time),
            field(8, "prijem", ValueType::Moment),
            Field { items, ..field(5, "lek", ValueType::Set) },
            calculated(6, "x", ValueType::Number, "if(isblank($(broj)) && isblank($(dan)) && isblank($(lek)), 1, 0)"),
        ];
        let with = |code: &str, value: Json| told(&fields, "x", json!({ "ulazi": { code: value }, "rezultat": 1 }));
        for code in ["broj", "tekst", "izbor", "dan", "lek"] {
            assert_eq!(with(code, Json::Null), [""; 0], "{code}");
        }
        let refused = [
            ("broj", json!("5"), "broj"),
            ("tekst", json!(5), "tekst"),
            ("izbor", json!(1), "„da” ili „ne”"),
            ("dan", json!("2026-02-30"), "datum"),
            ("dan", json!(20), "datum"),
            ("dan", json!("0206-02-03"), "između 1920. i 2030. godine"),
            ("dan", json!("2206-02-03"), "između 1920. i 2030. godine"),
            ("sat", json!("24:00"), "vreme oblika HH:MM"),
            ("sat", json!(8), "vreme oblika HH:MM"),
            ("prijem", json!("2026-02-28"), "datum sa vremenom"),
            ("prijem", json!("2206-02-03T08:00"), "između 1920. i 2030. godine"),
            ("lek", json!(true), "stavka skupa"),
        ];
        for (code, value, wanted) in refused {
            assert_eq!(with(code, value), [format!("Primer 1: vrednost polja „{code}” nije {wanted}.")]);
        }
        let zero = told(&fields, "x", json!({ "ulazi": { "dan": "2026-02-28" }, "rezultat": 0 }));
        assert_eq!(zero, [""; 0]);
    }

    #[test]
    fn days_around_an_example_are_of_years_that_can_be_meant() {
        let fields = [calculated(1, "x", ValueType::Number, "1")];
        let of = |known: &str, day: &str| told(&fields, "x", json!({ "okolnosti": { known: day }, "rezultat": 1 }));
        for (known, called, years) in [
            ("danas", "dan na koji se računa", "1920"),
            ("datumPregleda", "datum pregleda", "1920"),
            ("datumRodjenja", "datum rođenja", "1900"),
            ("prethodniDatum", "datum prethodnog unosa", "1920"),
        ] {
            assert_eq!(of(known, "0001-01-01"), [format!("Primer 1: {called} nije između {years}. i 2030. godine.")]);
        }
        assert_eq!(of("datumRodjenja", "1905-01-01"), [""; 0]);
    }

    #[test]
    fn a_difference_is_told_as_the_field_shows_its_values() {
        let of = |kind, formula: &str, result: Json| told(&[calculated(1, "x", kind, formula)], "x", json!({ "rezultat": result }));
        assert_eq!(of(ValueType::Choice, "1 > 2", json!(true)), ["Primer 1: očekuje se Da, a formula daje Ne."]);
        assert_eq!(of(ValueType::Date, "today()", json!("2000-01-02")), ["Primer 1: očekuje se 02.01.2000., a formula daje 01.01.2000."]);
        assert_eq!(of(ValueType::Text, "'b'", json!("a")), ["Primer 1: očekuje se „a”, a formula daje „b”."]);
        assert_eq!(of(ValueType::Number, "age_days(today(), today())", json!(0)), [""; 0], "a day lies no days back from itself");
    }

    #[test]
    fn the_previous_entry_is_before_the_examination() {
        let fields = [field(1, "a", ValueType::Number), calculated(2, "x", ValueType::Number, "prethodno($(a))")];
        let of = |before: &str, day: Json| {
            let okolnosti = json!({ "prethodniDatum": before, "datumPregleda": day });
            told(&fields, "x", json!({ "prethodno": { "a": 5 }, "okolnosti": okolnosti, "rezultat": 5 }))
        };
        let refused = ["Primer 1: datum prethodnog unosa mora biti pre datuma pregleda."];
        assert_eq!(of("2026-02-27", json!("2026-02-28")), [""; 0]);
        assert_eq!(of("2026-02-28", json!("2026-02-28")), refused);
        assert_eq!(of("2026-02-27", Json::Null), refused);
    }

    #[test]
    fn a_calculated_input_is_computed_unless_it_is_given() {
        let fields = [
            field(1, "a", ValueType::Number),
            calculated(2, "b", ValueType::Number, "$(a) * 2"),
            calculated(3, "x", ValueType::Text, "if($(b) > 5, \"visoka\", \"niska\")"),
        ];
        assert_eq!(told(&fields, "x", json!({ "ulazi": { "a": 3 }, "rezultat": "visoka" })), [""; 0]);
        assert_eq!(told(&fields, "x", json!({ "ulazi": { "a": 3, "b": 1 }, "rezultat": "niska" })), [""; 0]);
        let own = told(&fields, "x", json!({ "ulazi": { "x": "niska" }, "rezultat": "niska" }));
        assert_eq!(own, ["Primer 1: rezultat polja se ne navodi među ulazima."]);
    }

    #[test]
    fn an_example_says_the_days_and_the_patient() {
        let text = "age(pacijent.datumRodjenja, datumPregleda) + if(pacijent.pol, 100, 0) + prethodno($(a)) + ($(a) - prethodno($(a))) * 0";
        let fields = [field(1, "a", ValueType::Number), calculated(2, "x", ValueType::Number, text)];
        let mut example = json!({ "ulazi": { "a": 1 }, "prethodno": { "a": 5 }, "rezultat": 145,
            "okolnosti": { "datumPregleda": "2026-02-28", "datumRodjenja": "1986-02-28", "pol": true, "prethodniDatum": "2025-01-01" } });
        assert_eq!(told(&fields, "x", example.clone()), [""; 0]);
        example["okolnosti"]["prethodniDatum"] = Json::Null;
        assert_eq!(told(&fields, "x", example.clone()), ["Primer 1: uz vrednosti prethodnog unosa navodi se i njegov datum."]);
        example["okolnosti"]["prethodniDatum"] = json!("2025-01-01");
        example["okolnosti"]["pol"] = Json::Null;
        assert_eq!(told(&fields, "x", example), ["Primer 1: očekuje se 145, a formula daje prazno."]);
        let today = [calculated(2, "x", ValueType::Date, "today() + 1")];
        let of = |okolnosti: Json| told(&today, "x", json!({ "okolnosti": okolnosti, "rezultat": "2026-03-01" }));
        assert_eq!([of(json!({ "danas": "2026-02-28" })), of(json!({ "datumPregleda": "2026-02-28" }))], [[""; 0], [""; 0]]);
    }

    #[test]
    fn rows_and_items_are_named_as_a_person_names_them() {
        let items = vec![
            Item { id: 7, num: Some(1.0), name: "metotreksat".into(), ..Item::default() },
            Item { id: 8, num: Some(3.0), name: "leflunomid".into(), ..Item::default() },
        ];
        let column = |field: Field| Field { sekcija: Some(1), parent: Some(1), ..field };
        let fields = [
            field(1, "terapija", ValueType::Panel),
            column(Field { items: items.clone(), ..field(2, "lek", ValueType::Set) }),
            column(field(3, "doza", ValueType::Number)),
            Field { items, ..calculated(4, "prvi", ValueType::Set, "prviRed($(lek))") },
            calculated(5, "x", ValueType::Number, "sum($(doza)) + countif(selected($(lek), 3)) * 100"),
        ];
        let redovi = json!([{ "lek": "metotreksat", "doza": 5 }, { "lek": [3], "doza": 10 }]);
        assert_eq!(told(&fields, "x", json!({ "redovi": redovi, "rezultat": 115 })), [""; 0]);
        assert_eq!(told(&fields, "prvi", json!({ "redovi": redovi, "rezultat": "metotreksat" })), [""; 0]);
        let other = told(&fields, "prvi", json!({ "redovi": redovi, "rezultat": "leflunomid" }));
        assert_eq!(other, ["Primer 1: očekuje se „leflunomid”, a formula daje „metotreksat”."]);
        let typed = told(&fields, "x", json!({ "ulazi": { "doza": 5 }, "rezultat": 5 }));
        assert_eq!(typed, ["Primer 1: polje „doza” je u sekciji koja se ponavlja, pa se navodi u redovima."]);
        let unknown = told(&fields, "x", json!({ "redovi": [{ "lek": "aspirin" }], "rezultat": 0 }));
        assert_eq!(unknown, ["Primer 1: polje „lek” nema stavku „aspirin”."]);
    }
}
