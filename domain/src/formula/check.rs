//! Whether a formula fits its form: its codes exist, and nothing depends on itself.

use std::collections::{BTreeMap, HashMap};

use super::{
    Expr, Field, Formula, FormulaError, form,
    items::{self, no_such_item, parse_among},
    kind, range,
    rows::Sections,
};
use crate::register::ValueType;

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
pub struct CompiledFormula {
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
pub fn compile(text: &str, target: Target, fields: &[Field]) -> Result<CompiledFormula, FormulaError> {
    let formula = parse_among(text, fields)?;
    let mut fields = fields.to_vec();
    if let Some(field) = fields.iter_mut().find(|field| field.id == target.field) {
        match target.kind {
            FormulaKind::Calculation => field.racunanje = Some(formula.clone()),
            FormulaKind::Display => field.prikaz = Some(formula.clone()),
        }
    }
    Whole::of(&fields).check(formula, target)
}

/// The formulas of one field as somebody wrote them.
#[derive(Clone, Copy, Debug, Default)]
pub struct FormulaTexts<'a> {
    pub racunanje: Option<&'a str>,
    pub prikaz: Option<&'a str>,
}

/// What became of them; none where there was nothing written.
#[derive(Debug, Default)]
pub struct CompiledField {
    pub racunanje: Option<Result<CompiledFormula, FormulaError>>,
    pub prikaz: Option<Result<CompiledFormula, FormulaError>>,
}

/// Parses and checks all formulas of a form together, in the order of the fields, which keep those that can be parsed.
pub fn compile_form(fields: &mut [Field], written: &[FormulaTexts<'_>]) -> Vec<CompiledField> {
    let among: &[Field] = fields;
    let parsed: Vec<_> = written
        .iter()
        .map(|of| (of.racunanje.map(|text| parse_among(text, among)), of.prikaz.map(|text| parse_among(text, among))))
        .collect();
    // Circles show only when every formula is known, so all are parsed before any is checked.
    for (field, (racunanje, prikaz)) in fields.iter_mut().zip(&parsed) {
        let known = |one: &Option<Result<Formula, FormulaError>>| one.as_ref().and_then(|formula| formula.as_ref().ok()).cloned();
        (field.racunanje, field.prikaz) = (known(racunanje), known(prikaz));
    }
    let whole = Whole::of(fields);
    let compiled = |field: &Field, kind, one: Option<Result<Formula, FormulaError>>| {
        one.map(|formula| whole.check(formula?, Target { field: field.id, kind }))
    };
    let pairs = fields.iter().zip(parsed);
    pairs
        .map(|(field, (racunanje, prikaz))| CompiledField {
            racunanje: compiled(field, FormulaKind::Calculation, racunanje),
            prikaz: compiled(field, FormulaKind::Display, prikaz),
        })
        .collect()
}

/// Parses and checks conditions that are no field's value, rules of the form for one. `fields` have their formulas.
pub fn compile_conditions(texts: &[&str], fields: &[Field]) -> Vec<Result<CompiledFormula, FormulaError>> {
    let whole = Whole::of(fields);
    texts.iter().map(|text| whole.check(parse_among(text, fields)?, Target { field: NO_FIELD, kind: FormulaKind::Display })).collect()
}

/// What a stored condition names that the form does not have.
pub fn missing_for(condition: &Formula, fields: &[Field]) -> Option<String> {
    let sections = Sections::of(fields);
    let holds = |code: &str| fields.iter().any(|field| field.sifra.as_deref() == Some(code) && field.tip_vrednosti.holds_value());
    let known = |code: &&String| holds(code) || sections.is_section(code);
    if let Some(code) = condition.deps.iter().chain(&condition.prev).chain(condition.of_other_forms()).find(|code| !known(code)) {
        return Some(format!("nepoznata šifra „{code}”"));
    }
    if let Some(misread) = sections.misread_by(&condition.expr, None) {
        return Some(misread.message);
    }
    condition.items().into_iter().find_map(|named| Some(no_such_item(&named, named.missing_from(fields)?)))
}

/// Stands for the field of a condition, which has none.
const NO_FIELD: i64 = i64::MIN;

/// A form with all of its formulas: looked up by code, and asked for circles, without reading all fields for each of them.
struct Whole<'a> {
    fields: &'a [Field],
    by_code: HashMap<&'a str, &'a Field>,
    waits_for: Vec<Vec<usize>>,
    /// Fields that cannot be computed: on a circle, or waiting for one.
    stuck: BTreeMap<i64, usize>,
    sections: Sections<'a>,
}

impl<'a> Whole<'a> {
    fn of(fields: &'a [Field]) -> Self {
        let mut by_code = HashMap::new();
        for field in fields {
            if let Some(code) = field.sifra.as_deref() {
                by_code.entry(code).or_insert(field);
            }
        }
        let waits_for = form::dependencies(fields);
        let stuck = stuck(&waits_for).into_iter().map(|index| (fields[index].id, index)).collect();
        Self { fields, by_code, waits_for, stuck, sections: Sections::of(fields) }
    }

    fn check(&self, formula: Formula, target: Target) -> Result<CompiledFormula, FormulaError> {
        let mut references = Vec::new();
        formula.expr.walk(&mut |node| {
            if let Expr::Field { code, at } | Expr::Item { code, at } = node {
                references.push((code.as_str(), *at));
            }
        });
        for &(code, at) in &references {
            match self.by_code.get(code) {
                None => return Err(FormulaError::new(at, format!("Nepoznata šifra polja „{code}”."))),
                Some(field) if field.tip_vrednosti == ValueType::File => {
                    return Err(FormulaError::new(at, format!("Polje „{code}” drži fajlove, pa ga formula ne čita.")));
                }
                Some(field) if !field.tip_vrednosti.holds_value() && !self.sections.is_section(code) => {
                    return Err(FormulaError::new(at, format!("Polje „{code}” nema vrednost.")));
                }
                Some(_) => {}
            }
        }
        let own = self.fields.iter().find(|field| field.id == target.field);
        if let Some(misread) = self.sections.misread_by(&formula.expr, own.and_then(|own| own.sekcija)) {
            return Err(misread);
        }
        if let Some((named, field)) = formula.items().into_iter().find_map(|named| Some((named, named.missing_from(self.fields)?))) {
            return Err(FormulaError::new(named.at, no_such_item(&named, field)));
        }
        if let Some(circle) = self.circle_through(target.field) {
            // The place is the first code of this formula that lies on the circle.
            let on_circle = |code: &str| circle.iter().any(|&field| self.fields[field].sifra.as_deref() == Some(code));
            let at = references.iter().find(|(code, _)| on_circle(code)).map_or(1, |(_, at)| *at);
            return Err(FormulaError::new(at, circle_message(&circle, self.fields)));
        }
        let mut warnings = range::warnings(&formula.expr, self.fields, own.is_some_and(|own| own.sekcija.is_some()));
        warnings.extend(kind::warnings(&formula.expr, target, self.fields));
        warnings.extend(items::warnings(&formula, self.fields));
        warnings.sort_by_key(|warning| warning.position);
        Ok(CompiledFormula { warnings, formula })
    }

    /// The fields, as indices, on a way from the field `id` back to itself, beginning with it.
    fn circle_through(&self, id: i64) -> Option<Vec<usize>> {
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
        let goal = *self.stuck.get(&id)?;
        let mut way = Vec::new();
        search(goal, goal, &self.waits_for, &mut vec![false; self.fields.len()], &mut way).then_some(way)
    }
}

/// What is left when everything is computed that waits for nothing uncomputed.
fn stuck(waits_for: &[Vec<usize>]) -> Vec<usize> {
    let mut waiting: Vec<usize> = waits_for.iter().map(Vec::len).collect();
    let mut readers = vec![Vec::new(); waits_for.len()];
    for (reader, of) in waits_for.iter().enumerate() {
        of.iter().for_each(|&read| readers[read].push(reader));
    }
    let mut free: Vec<usize> = (0..waiting.len()).filter(|&field| waiting[field] == 0).collect();
    while let Some(done) = free.pop() {
        for &reader in &readers[done] {
            waiting[reader] -= 1;
            if waiting[reader] == 0 {
                free.push(reader);
            }
        }
    }
    (0..waiting.len()).filter(|&field| waiting[field] > 0).collect()
}

/// What a formula of another field names of this set that the set does not have, in words.
pub fn items_missed_in(set: &Field, fields: &[Field]) -> Option<String> {
    let own = std::slice::from_ref(set);
    fields.iter().filter(|field| field.id != set.id).find_map(|field| {
        let missed = field.formulas().flat_map(Formula::items).find(|named| named.missing_from(own).is_some())?;
        Some(format!("Formula polja „{}”: {}", name(field), no_such_item(&missed, set)))
    })
}

/// The first formula that reads rows as they cannot be read, in words: after a field came into a section that repeats, or left it.
pub fn misread_in(fields: &[Field]) -> Option<Problem> {
    let sections = Sections::of(fields);
    fields.iter().find_map(|field| {
        let misread = field.formulas().find_map(|formula| sections.misread_by(&formula.expr, field.sekcija))?;
        Some(Problem { field: field.id, message: format!("Formula polja „{}”: {}", name(field), misread.message) })
    })
}

/// What is wrong with the stored formulas of a form: after a code, a parent or a field itself was changed or taken away.
pub fn check_form(fields: &[Field]) -> Vec<Problem> {
    let whole = Whole::of(fields);
    let mut problems = Vec::new();
    for field in fields {
        for code in field.formulas().flat_map(|formula| formula.deps.iter().chain(&formula.prev).chain(formula.of_other_forms())) {
            if !whole.by_code.contains_key(code.as_str()) {
                let message = format!("Formula polja „{}” koristi nepoznatu šifru „{code}”.", name(field));
                problems.push(Problem { field: field.id, message });
            }
        }
        for (named, set) in field.formulas().flat_map(Formula::items).filter_map(|named| Some((named, named.missing_from(fields)?))) {
            let message = format!("Formula polja „{}”: {}", name(field), no_such_item(&named, set));
            problems.push(Problem { field: field.id, message });
        }
        if let Some(misread) = field.formulas().find_map(|formula| whole.sections.misread_by(&formula.expr, field.sekcija)) {
            let message = format!("Formula polja „{}”: {}", name(field), misread.message);
            problems.push(Problem { field: field.id, message });
        }
        if let Some(circle) = whole.circle_through(field.id) {
            problems.push(Problem { field: field.id, message: circle_message(&circle, fields) });
        }
    }
    problems
}

fn circle_message(circle: &[usize], fields: &[Field]) -> String {
    let names: Vec<String> = circle.iter().chain(&circle[..1]).map(|&field| name(&fields[field])).collect();
    format!("Formule se vrte u krug: {}.", names.join(" → "))
}

fn name(field: &Field) -> String {
    field.sifra.clone().unwrap_or_else(|| format!("#{}", field.id))
}
