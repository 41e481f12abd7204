use serde_json::json;

use super::*;
use crate::{
    entry::{
        form::{Choice, FieldType},
        stale::EnteredUnit,
    },
    formula::{self, FormulaKind, Target},
    register::ValueType,
};

fn number(id: i64) -> EntryField {
    EntryField {
        id,
        sifra: Some(format!("p{id}")),
        tva_num_vrednost: ValueType::Number,
        prikazuje_se: true,
        opciono: true,
        ..EntryField::default()
    }
}

fn set(id: i64, items: &[(i64, &str)]) -> EntryField {
    let choice = |(id, naziv): &(i64, &str)| Choice {
        id: *id,
        naziv: (*naziv).to_owned(),
        num_vrednost: Some(*id as f64),
        aktivan: true,
        ..Choice::default()
    };
    EntryField { tva_num_vrednost: ValueType::Set, enum_stavke_sve: items.iter().map(choice).collect(), ..number(id) }
}

fn tree(text: &str, kind: FormulaKind) -> Option<Value> {
    let known = [1, 2].map(|id| formula::Field {
        id,
        sifra: Some(format!("p{id}")),
        tip_vrednosti: ValueType::Number,
        ..formula::Field::default()
    });
    Some(serde_json::to_value(formula::compile(text, Target { field: 9, kind }, &known).unwrap().formula).unwrap())
}

/// Field 9 is calculated.
fn form(otisak: &str, mut fields: Vec<EntryField>, text: &str) -> EntryForm {
    fields.push(EntryField { formula_za_racunanje: tree(text, FormulaKind::Calculation), ..number(9) });
    EntryForm { otisak: otisak.to_owned(), ..EntryForm::of_fields(1, "Pregled".to_owned(), fields, Vec::new()).unwrap() }
}

fn values(of: &[(i64, Value)]) -> Values {
    of.iter().cloned().collect()
}

fn verdict(kept: &EntryForm, newest: &EntryForm, stored: &[(i64, Value)]) -> Verdict {
    weigh(kept, newest, &values(stored), &FormulaSurroundings::default(), &EnteredUnits::new())
}

fn taken(of: &[(i64, Value)]) -> Verdict {
    Verdict::Taken { values: values(of), relevant_filled: true }
}

fn left(reason: Reason, field: i64) -> Verdict {
    Verdict::Left { reason, field: Some(field) }
}

#[test]
fn only_results_become_others_and_a_result_that_is_the_same_keeps_its_spelling() {
    let (kept, newest) = (form("a", vec![number(1)], "$(p1) + 1"), form("b", vec![number(1)], "$(p1) + 2"));
    assert_eq!(verdict(&kept, &newest, &[(1, json!(5)), (9, json!(6))]), taken(&[(1, json!(5)), (9, json!(7))]));
    assert_eq!(verdict(&kept, &newest, &[(1, json!(5)), (9, json!(7.0))]), taken(&[(1, json!(5)), (9, json!(7.0))]));
    assert_eq!(verdict(&kept, &newest, &[(9, json!(6))]), taken(&[]), "what cannot be computed any more is blank");
}

#[test]
fn an_entry_of_the_newest_version_with_its_results_is_right() {
    let newest = form("b", vec![number(1)], "$(p1) + 2");
    assert_eq!(verdict(&newest, &newest, &[(1, json!(5)), (9, json!(7))]), Verdict::Right);
    assert_eq!(verdict(&newest, &newest, &[(1, json!(5)), (9, json!(6))]), taken(&[(1, json!(5)), (9, json!(7))]));
}

#[test]
fn what_would_be_read_otherwise_is_left() {
    let kept = form("a", vec![number(1), set(2, &[(1, "blag"), (2, "težak")])], "$(p1) + 1");
    let stored = [(1, json!(5)), (2, json!([2])), (9, json!(6))];
    let against = |fields: Vec<EntryField>| verdict(&kept, &form("b", fields, "$(p1) + 2"), &stored);
    let same_set = || set(2, &[(1, "blag"), (2, "težak")]);
    let in_grams = EntryField { tip_atributa: FieldType { jedinica: Some("g".to_owned()), ..FieldType::default() }, ..number(1) };
    let calculated = EntryField { formula_za_racunanje: tree("3", FormulaKind::Calculation), ..number(1) };
    assert_eq!(against(vec![number(1)]), left(Reason::BezPolja, 2));
    assert_eq!(against(vec![number(1), number(2)]), left(Reason::Tip, 2));
    assert_eq!(against(vec![calculated, same_set()]), left(Reason::Racunanje, 1));
    assert_eq!(against(vec![in_grams, same_set()]), left(Reason::Jedinica, 1));
    assert_eq!(against(vec![number(1), set(2, &[(1, "blag")])]), left(Reason::Stavka, 2), "the chosen item is gone");
    let with_meaning = |id: i64| {
        let mut field = set(2, &[(1, "blag"), (2, "srednji")]);
        let item = field.enum_stavke_sve.iter_mut().find(|item| item.id == id).unwrap();
        item.znacenje = Some("srednji".to_owned());
        field
    };
    assert_eq!(against(vec![number(1), with_meaning(2)]), left(Reason::Stavka, 2), "it means another thing");
    assert!(matches!(against(vec![number(1), with_meaning(1)]), Verdict::Taken { .. }), "another one was not chosen");
}

#[test]
fn what_would_be_hidden_or_break_a_rule_is_left_unless_it_did_before() {
    let bounded =
        |high| EntryField { tip_atributa: FieldType { gornja_granica_brojne_vrednosti: Some(high), ..FieldType::default() }, ..number(1) };
    let stored = [(1, json!(5)), (9, json!(6))];
    let kept = form("a", vec![number(1), number(2)], "$(p1) + 1");
    let hidden = EntryField { formula_za_prikaz: tree("$(p2) > 0", FormulaKind::Display), ..number(1) };
    assert_eq!(verdict(&kept, &form("b", vec![hidden, number(2)], "$(p1) + 2"), &stored), left(Reason::Skriveno, 1));
    assert_eq!(verdict(&kept, &form("b", vec![bounded(4.0), number(2)], "$(p1) + 2"), &stored), left(Reason::Pravilo, 1));
    let asked_for = EntryField { opciono: false, ..number(2) };
    assert_eq!(verdict(&kept, &form("b", vec![number(1), asked_for], "$(p1) + 2"), &stored), left(Reason::Pravilo, 2));
    let narrow = form("a", vec![bounded(3.0), number(2)], "$(p1) + 1");
    assert_eq!(verdict(&narrow, &form("b", vec![bounded(4.0), number(2)], "$(p1) + 2"), &stored), taken(&[(1, json!(5)), (9, json!(7))]));
}

#[test]
fn a_number_that_is_marked_as_entered_in_another_unit_gives_no_new_result() {
    let (kept, newest) = (form("a", vec![number(1)], "$(p1) + 1"), form("b", vec![number(1)], "$(p1) + 2"));
    let stored = values(&[(1, json!(5)), (9, json!(6))]);
    let marked = |id: i64| EnteredUnits::from([(id, EnteredUnit { jedinica: Some("g".to_owned()), znacenje: "g".to_owned() })]);
    assert_eq!(weigh(&kept, &newest, &stored, &FormulaSurroundings::default(), &marked(1)), left(Reason::Jedinica, 1));
    assert_eq!(
        weigh(&kept, &newest, &stored, &FormulaSurroundings::default(), &marked(9)),
        taken(&[(1, json!(5)), (9, json!(7))]),
        "a result is computed anew"
    );
}

#[test]
fn an_item_or_a_unit_that_is_only_spelt_otherwise_stops_nothing() {
    let in_unit = |text: &str, znacenje: Option<&str>| EntryField {
        tip_atributa: FieldType { jedinica: Some(text.to_owned()), znacenje_jedinice: znacenje.map(str::to_owned), ..FieldType::default() },
        ..number(1)
    };
    let kept = form("a", vec![in_unit("mg", None), set(2, &[(1, "blag"), (2, "tezak")])], "$(p1) + 1");
    let stored = [(1, json!(5)), (2, json!([2])), (9, json!(6))];
    let result = taken(&[(1, json!(5)), (2, json!([2])), (9, json!(7))]);
    let against = |unit: EntryField| verdict(&kept, &form("b", vec![unit, set(2, &[(1, "blag"), (2, "težak")])], "$(p1) + 2"), &stored);
    assert_eq!(against(in_unit("mg", None)), result);
    assert_eq!(against(in_unit("Mg", Some("mg"))), result);
    assert_eq!(against(in_unit("g", None)), left(Reason::Jedinica, 1));
    assert_eq!(against(in_unit("mg", Some("mg (2)"))), left(Reason::Jedinica, 1), "another unit of the same text");
}

#[test]
fn files_are_no_items_that_a_version_could_lack() {
    let scan = || EntryField { tva_num_vrednost: ValueType::File, ..number(3) };
    let (kept, newest) = (form("a", vec![number(1), scan()], "$(p1) + 1"), form("b", vec![number(1), scan()], "$(p1) + 2"));
    let files = json!([{ "id": 1, "naziv": "nalaz.pdf", "tip": "pdf", "velicina": 1536, "sha256": "ab" }]);
    let stored = |result: i64| [(1, json!(5)), (3, files.clone()), (9, json!(result))];
    assert_eq!(verdict(&kept, &newest, &stored(6)), taken(&stored(7)));
}

#[test]
fn a_number_that_was_entered_in_the_newest_unit_under_another_version_is_right() {
    let in_unit =
        |text: &str| EntryField { tip_atributa: FieldType { jedinica: Some(text.to_owned()), ..FieldType::default() }, ..number(1) };
    let (kept, newest) = (form("b", vec![in_unit("g")], "$(p1) + 1"), form("c", vec![in_unit("mg")], "$(p1) + 2"));
    let stored = values(&[(1, json!(5)), (9, json!(6))]);
    let entered = EnteredUnits::from([(1, EnteredUnit { jedinica: Some("mg".to_owned()), znacenje: "mg".to_owned() })]);
    assert_eq!(weigh(&kept, &newest, &stored, &FormulaSurroundings::default(), &entered), taken(&[(1, json!(5)), (9, json!(7))]));
}

#[test]
fn results_of_rows_become_others_and_a_cell_that_would_be_lost_leaves_its_entry_as_it_is() {
    let parsed = |text: &str| Some(serde_json::to_value(formula::parse(text).unwrap()).unwrap());
    let column = |id, racunanje: Option<&str>, prikaz: Option<&str>| EntryField {
        naredjeni_auts: Some(20),
        formula_za_racunanje: racunanje.and_then(parsed),
        formula_za_prikaz: prikaz.and_then(parsed),
        ..number(id)
    };
    let section = || EntryField { najvise_redova: Some(5), tva_num_vrednost: ValueType::Panel, ..number(20) };
    let of = |otisak: &str, text: &str, prikaz: Option<&str>| {
        form(otisak, vec![number(1), section(), column(21, None, prikaz), column(22, Some(text), None)], "$(p1)")
    };
    let rows = |result: Value| (20, json!([{ "id": 3, "v": { "21": 5, "22": result } }]));
    let (kept, newest) = (of("a", "$(p21) + 1", None), of("b", "$(p21) * 2", None));
    assert_eq!(verdict(&kept, &newest, &[rows(json!(6))]), taken(&[rows(json!(10))]));
    assert_eq!(verdict(&newest, &newest, &[rows(json!(10.0))]), Verdict::Right);
    assert_eq!(verdict(&kept, &of("b", "$(p21) * 2", Some("$(p21) > 9")), &[rows(json!(6))]), left(Reason::Skriveno, 20));
    let typed = form("a", vec![number(1), section(), column(21, None, None), column(22, None, None)], "$(p1)");
    assert_eq!(verdict(&typed, &newest, &[rows(json!(6))]), left(Reason::Racunanje, 20));
}
