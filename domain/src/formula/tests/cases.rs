//! The shared table of cases.

use super::*;

#[test]
fn every_case_of_the_table_evaluates_as_it_says() {
    let cases = cases();
    for case in &cases.evaluate {
        let (mut fields, entered) = case.inputs();
        let racunanje = Some(stored_among(&case.formula, &fields));
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
