//! The shared table of cases.

use super::*;

#[test]
fn every_case_of_the_table_evaluates_as_it_says() {
    let cases = cases();
    for case in &cases.evaluate {
        let spec = |code: &String, value: &Json| match case.fields.get(code) {
            Some(spec) => (spec.tip, spec.items.clone()),
            None => (
                match value {
                    Json::Bool(_) => ValueType::Choice,
                    Json::String(_) => ValueType::Text,
                    _ => ValueType::Number,
                },
                Vec::new(),
            ),
        };
        let mut fields = Vec::new();
        let mut entered = BTreeMap::new();
        for (id, (code, value)) in (1..).zip(&case.values) {
            let (tip_vrednosti, items) = spec(code, value);
            fields.push(Field { id, sifra: Some(code.clone()), tip_vrednosti, items, ..Field::default() });
            entered.insert(id, value.clone());
        }
        let racunanje = Some(stored(&case.formula));
        fields.push(Field { id: 0, tip_vrednosti: case.tip, items: case.items.clone(), racunanje, ..Field::default() });
        let result = &evaluate_form(&fields, &entered, &cases.around()).values[&0];
        assert_eq!(result, &case.result, "{}: {}", case.name, case.formula);
    }
    assert!(cases.evaluate.len() > 100, "the table holds {} cases only", cases.evaluate.len());
}

#[test]
fn every_refused_formula_names_its_place() {
    for case in cases().refused {
        let error = parse(&case.formula).expect_err(&case.formula);
        assert_eq!((error.position, error.message.as_str()), (case.position, case.message.as_str()), "{}", case.formula);
    }
}

#[test]
fn every_form_of_the_table_calculates_and_hides_as_it_says() {
    let cases = cases();
    for form in &cases.forms {
        let fields: Vec<Field> = form.fields.iter().map(FormField::field).collect();
        for (number, step) in form.steps.iter().enumerate() {
            let done = evaluate_form(&fields, &step.entered, &step.around(&cases));
            assert_eq!(done.values, step.values, "{} {number}: values", form.name);
            assert_eq!(done.hidden.into_iter().collect::<Vec<_>>(), step.hidden, "{} {number}: hidden", form.name);
        }
    }
}
