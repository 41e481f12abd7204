//! Whether a formula fits its form: its codes exist, and nothing depends on itself.

use super::{Expr, Field, Formula, FormulaError, form, parse, range};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormulaKind {
    /// `formulaZaRacunanje`
    Calculation,
    /// `formulaZaPrikaz`
    Display,
}

/// Whose formula is being saved.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    pub field: i64,
    pub kind: FormulaKind,
}

/// A formula that may be saved.
#[derive(Clone, Debug)]
pub struct Compiled {
    pub formula: Formula,
    /// For the designer of the form; they refuse nothing.
    pub warnings: Vec<Warning>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// A character of the formula, from 1.
    pub position: usize,
    pub message: String,
}

/// A field whose stored formulas do not fit the form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub field: i64,
    pub message: String,
}

/// Parses `text` as a formula of `target`. `fields` are all active fields of the form with the target as it will be saved
/// (its code, parent, type); the target's own formula of this kind is the one in `text`, whatever `fields` says.
pub fn compile(text: &str, target: Target, fields: &[Field]) -> Result<Compiled, FormulaError> {
    let formula = parse(text)?;
    let mut references = Vec::new();
    formula.expr.walk(&mut |node| {
        if let Expr::Field { code, at } | Expr::Item { code, at } = node {
            references.push((code.as_str(), *at));
        }
    });
    for &(code, at) in &references {
        match fields.iter().find(|field| field.sifra.as_deref() == Some(code)) {
            None => return Err(FormulaError::new(at, format!("Nepoznata šifra polja „{code}”."))),
            Some(field) if field.tip_vrednosti > 5 => {
                return Err(FormulaError::new(at, format!("Polje „{code}” nema vrednost.")));
            }
            Some(_) => {}
        }
    }

    let mut fields = fields.to_vec();
    if let Some(field) = fields.iter_mut().find(|field| field.id == target.field) {
        match target.kind {
            FormulaKind::Calculation => field.racunanje = Some(formula.clone()),
            FormulaKind::Display => field.prikaz = Some(formula.clone()),
        }
    }
    if let Some(circle) = circle_through(target.field, &fields) {
        // The place is the first code of this formula that lies on the circle.
        let on_circle = |code: &str| circle.iter().any(|&field| fields[field].sifra.as_deref() == Some(code));
        let at = references.iter().find(|(code, _)| on_circle(code)).map_or(1, |(_, at)| *at);
        return Err(FormulaError::new(at, circle_message(&circle, &fields)));
    }
    Ok(Compiled { warnings: range::warnings(&formula.expr, &fields), formula })
}

/// What is wrong with the stored formulas of a form: after a code, a parent or a field itself was changed or taken away.
pub fn check_form(fields: &[Field]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for field in fields {
        for code in [&field.racunanje, &field.prikaz].into_iter().flatten().flat_map(|formula| &formula.deps) {
            if !fields.iter().any(|other| other.sifra.as_ref() == Some(code)) {
                let message = format!("Formula polja „{}” koristi nepoznatu šifru „{code}”.", name(field));
                problems.push(Problem { field: field.id, message });
            }
        }
        if let Some(circle) = circle_through(field.id, fields) {
            problems.push(Problem { field: field.id, message: circle_message(&circle, fields) });
        }
    }
    problems
}

/// The fields, as indices, on a way from the field `id` back to itself, beginning with it.
fn circle_through(id: i64, fields: &[Field]) -> Option<Vec<usize>> {
    fn search(at: usize, goal: usize, waits_for: &[Vec<usize>], met: &mut [bool], way: &mut Vec<usize>) -> bool {
        way.push(at);
        for &next in &waits_for[at] {
            if next == goal || (!std::mem::replace(&mut met[next], true) && search(next, goal, waits_for, met, way)) {
                return true;
            }
        }
        way.pop();
        false
    }
    let goal = fields.iter().position(|field| field.id == id)?;
    let mut way = Vec::new();
    search(goal, goal, &form::dependencies(fields), &mut vec![false; fields.len()], &mut way).then_some(way)
}

fn circle_message(circle: &[usize], fields: &[Field]) -> String {
    let names: Vec<String> = circle.iter().chain(&circle[..1]).map(|&field| name(&fields[field])).collect();
    format!("Formule se vrte u krug: {}.", names.join(" → "))
}

fn name(field: &Field) -> String {
    field.sifra.clone().unwrap_or_else(|| format!("#{}", field.id))
}
