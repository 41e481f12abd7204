use serde_json::json;

use super::*;
use crate::{
    entry::form::{FieldType, Source},
    formula::{self, FormulaKind, Target},
    register::PatientStatus,
};

fn number(id: i64, naziv: &str) -> EntryField {
    EntryField {
        id,
        naziv: naziv.to_owned(),
        sifra: Some(format!("p{id}")),
        tva_num_vrednost: ValueType::Number,
        prikazuje_se: true,
        opciono: true,
        ..EntryField::default()
    }
}

fn form(fields: Vec<EntryField>) -> EntryForm {
    EntryForm { id: 1, naziv: "Pregled".to_owned(), fields, ..EntryForm::default() }
}

fn item(id: i64, naziv: &str, num_vrednost: f64) -> Choice {
    Choice { id, naziv: naziv.to_owned(), num_vrednost: Some(num_vrednost), aktivan: true, ..Choice::default() }
}

fn told(was: EntryField, now: EntryField) -> Vec<(Aspect, Option<String>, Option<String>)> {
    let difference = Difference::between(&form(vec![was]), &form(vec![now]));
    assert!(difference.dodata.is_empty() && difference.uklonjena.is_empty());
    difference.izmenjena.into_iter().flat_map(|field| field.promene).map(|change| (change.sta, change.staro, change.novo)).collect()
}

fn text(text: &str) -> Option<String> {
    Some(text.to_owned())
}

#[test]
fn two_that_are_alike_differ_in_nothing() {
    assert!(Difference::between(&form(vec![number(1, "Masa")]), &form(vec![number(1, "Masa")])).is_empty());
}

#[test]
fn fields_that_came_and_went_are_named_by_the_version_that_has_them() {
    let difference =
        Difference::between(&form(vec![number(1, "Masa"), number(2, "Visina")]), &form(vec![number(2, "Visina"), number(3, "Puls")]));
    assert_eq!(difference.uklonjena, [NamedField { polje: 1, naziv: "Masa".to_owned() }]);
    assert_eq!(difference.dodata, [NamedField { polje: 3, naziv: "Puls".to_owned() }]);
    assert_eq!(difference.izmenjena, []);
}

#[test]
fn a_form_that_is_renamed_says_so() {
    let renamed = EntryForm { naziv: "Kontrola".to_owned(), ..form(vec![]) };
    let change = Difference::between(&form(vec![]), &renamed).naziv.expect("a change");
    assert_eq!((change.staro, change.novo), (text("Pregled"), text("Kontrola")));
}

#[test]
fn a_name_a_unit_bounds_and_decimals_are_told_from_what_to_what() {
    let was = number(1, "Glukoza");
    let of = |jedinica: Option<&str>, low, high, decimals| FieldType {
        jedinica: jedinica.map(str::to_owned),
        donja_granica_brojne_vrednosti: low,
        gornja_granica_brojne_vrednosti: high,
        decimale_brojne_vrednosti: decimals,
        ..FieldType::default()
    };
    let was = EntryField { tip_atributa: of(Some("mmol/L"), Some(0.0), Some(50.5), Some(1)), ..was };
    let now = EntryField { naziv: "Šećer u krvi".to_owned(), tip_atributa: of(Some(" mg/dL"), None, Some(900.0), None), ..was.clone() };
    let expected = [
        (Aspect::Naziv, text("Glukoza"), text("Šećer u krvi")),
        (Aspect::Jedinica, text("mmol/L"), text("mg/dL")),
        (Aspect::Opseg, text("0 – 50,5"), text("do 900")),
        (Aspect::Decimale, text("1"), None),
    ];
    assert_eq!(told(was, now), expected);
}

#[test]
fn white_space_around_a_unit_is_no_change_of_it() {
    let with =
        |unit: &str| EntryField { tip_atributa: FieldType { jedinica: Some(unit.to_owned()), ..FieldType::default() }, ..number(1, "x") };
    assert_eq!(told(with("mmol/L"), with(" mmol/L ")), []);
    assert_eq!(told(with(" "), number(1, "x")), []);
}

#[test]
fn only_items_that_are_another_are_told_with_their_numbers() {
    let set = |items: &[Choice]| EntryField { tva_num_vrednost: ValueType::Set, enum_stavke_sve: items.to_vec(), ..number(1, "Stadijum") };
    let was = set(&[item(1, "rani", 1.0), item(2, "srednji", 2.0), item(3, "kasni", 3.0)]);
    let retired = Choice { aktivan: false, ..item(3, "kasni", 3.0) };
    let umereni = Choice { znacenje: text("umereni"), ..item(2, "umereni", 2.0) };
    let now = set(&[item(1, "rani", 1.0), umereni, retired.clone(), item(4, "terminalni", 4.0)]);
    let expected = (Aspect::Stavke, text("srednji (2); kasni (3)"), text("umereni (2); kasni (3, ne bira se više); terminalni (4)"));
    assert_eq!(told(was.clone(), now), [expected]);
    let weighed = set(&[item(1, "rani", 1.0)]);
    let unweighed = set(&[Choice { num_vrednost: None, ..item(1, "rani", 1.0) }]);
    assert_eq!(told(weighed.clone(), unweighed), [(Aspect::Stavke, text("rani (1)"), text("rani (bez težine)"))]);
    let coded = set(&[Choice { sifra: Some("r".to_owned()), ..item(1, "rani", 1.0) }]);
    assert_eq!(told(weighed, coded), [], "a version may not know the codes");
    let respelt = set(&[item(1, "Rani", 1.0), item(2, "srednji", 2.0), retired]);
    let difference = Difference::between(&form(vec![was]), &form(vec![respelt]));
    let changes: Vec<_> =
        difference.izmenjena[0].promene.iter().map(|one| (one.samo_pravopis, one.staro.clone(), one.novo.clone())).collect();
    assert_eq!(changes, [(true, text("rani"), text("Rani")), (false, text("kasni (3)"), text("kasni (3, ne bira se više)"))]);
}

#[test]
fn another_formula_is_told_by_its_text_and_one_that_is_written_otherwise_is_none() {
    let with = |tree: i64, text: &str| EntryField {
        formula_za_racunanje: Some(json!({ "v": tree })),
        izvor: Source { formula_za_racunanje: Some(text.to_owned()), ..Source::default() },
        ..number(1, "Zbir")
    };
    assert_eq!(told(with(1, "$(a)+1"), with(2, "$(a)+2")), [(Aspect::Racunanje, text("$(a)+1"), text("$(a)+2"))]);
    assert_eq!(told(with(1, "$(a)+1"), with(1, "$(a) + 1")), []);
    let plain = EntryField { formula_za_racunanje: None, izvor: Source::default(), ..with(1, "") };
    assert_eq!(told(with(1, "$(a)"), plain), [(Aspect::Racunanje, text("$(a)"), None)]);
}

#[test]
fn a_display_formula_and_what_is_required_are_told() {
    let was = number(1, "Masa");
    let now = EntryField { opciono: false, formula_za_prikaz: Some(json!({ "v": 1 })), ..was.clone() };
    assert_eq!(told(was, now), [(Aspect::Obavezno, text("neobavezno"), text("obavezno")), (Aspect::Prikaz, None, None)]);
}

#[test]
fn a_status_that_a_date_sets_is_told_in_words() {
    let date = |status| EntryField { tva_num_vrednost: ValueType::Date, postavlja_status: status, ..number(1, "Datum smrti") };
    let (none, died, lost) = (date(None), date(Some(PatientStatus::Preminuo)), date(Some(PatientStatus::Izgubljen)));
    assert_eq!(told(none, died.clone()), [(Aspect::PostavljaStatus, None, text("preminuo"))]);
    assert_eq!(told(died, lost), [(Aspect::PostavljaStatus, text("preminuo"), text("izgubljen iz praćenja"))]);
}

#[test]
fn whatever_else_shows_is_a_change_of_looks() {
    let was = number(1, "Masa");
    for now in [
        EntryField { redosled: 7, ..was.clone() },
        EntryField { naredjeni_auts: Some(9), ..was.clone() },
        EntryField { html_info: text("<b>x</b>"), ..was.clone() },
        EntryField { prikazuje_se: false, ..was.clone() },
    ] {
        assert_eq!(told(was.clone(), now), [(Aspect::Izgled, None, None)]);
    }
}

/// `p1` entered, `p2` calculated by the formula.
fn calculating(text: &str, unit: &str) -> EntryForm {
    let mut zbir = number(2, "Zbir");
    zbir.tip_atributa.jedinica = Some(unit.to_owned());
    let known = [1, 2].map(|id| formula::Field {
        id,
        sifra: Some(format!("p{id}")),
        tip_vrednosti: ValueType::Number,
        ..formula::Field::default()
    });
    let compiled = formula::compile(text, Target { field: 2, kind: FormulaKind::Calculation }, &known).expect("a formula").formula;
    zbir.formula_za_racunanje = Some(serde_json::to_value(&compiled).expect("a tree"));
    let mut formulas = known.to_vec();
    formulas[1].racunanje = Some(compiled);
    EntryForm { formulas, ..form(vec![number(1, "Broj"), zbir]) }
}

#[test]
fn results_that_would_be_others_are_told_with_both_values() {
    let stored = Values::from([(1, json!(5)), (2, json!(6))]);
    let around = FormulaSurroundings::default();
    let (older, same) = (calculating("$(p1) + 1", "mg"), calculating("$(p1) + 1", "mg"));
    assert_eq!(other_results(&older, &same, &stored, &around), []);
    let newer = calculating("$(p1) * 2.5", "mg");
    let other = OtherResult { polje: 2, naziv: "Zbir".to_owned(), staro: text("6 mg"), novo: text("12,5 mg") };
    assert_eq!(other_results(&older, &newer, &stored, &around), [other]);
    let other = OtherResult { polje: 2, naziv: "Zbir".to_owned(), staro: None, novo: text("12,5 mg") };
    assert_eq!(other_results(&older, &newer, &Values::from([(1, json!(5))]), &around), [other]);
}

#[test]
fn a_value_without_a_field_is_told_in_the_words_of_the_version_that_had_it() {
    let mut masa = number(1, "Masa");
    masa.tip_atributa.jedinica = text("kg");
    let (older, newer) = (form(vec![masa, number(2, "Prazno")]), form(vec![]));
    let gone = OtherResult { polje: 1, naziv: "Masa".to_owned(), staro: text("70,5 kg"), novo: None };
    assert_eq!(without_field(&older, &newer, &Values::from([(1, json!(70.5))])), [gone]);
}
