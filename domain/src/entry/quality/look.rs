//! What rules find in the entries of one patient. Nothing here asks the database.

use std::collections::BTreeMap;

use jiff::civil::Date;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::{
    course::{LookedEntry, PatientCourse},
    rule::{AskedForm, QualityKind, QualityRule},
};
use crate::{
    answer::Answer,
    entry::{
        computed::{ComputedEntry, blank_relevant, blank_required, compute, wrong_number},
        form::{EntryField, EntryForm},
        stale::UNIT_MARK,
        values::Values,
    },
    formula::{Formula, evaluate_with},
    register::ValueType,
};

/// What one rule finds about one field of one entry, or about the entry.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    pub rule: i64,
    pub entry: i64,
    pub field: Option<i64>,
    /// The other entry that was looked at.
    pub other: Option<i64>,
    /// What was looked at, as a sum.
    pub sum: String,
}

/// How many times more or less a number is that was typed in another unit.
const SLIPS: [f64; 3] = [10.0, 100.0, 1000.0];
/// How near to that the number must be: a quarter more or less is what a visit changes.
const SLIP_SPREAD: f64 = 1.25;

/// One entry, as all rules look at it.
struct Look<'a> {
    course: &'a PatientCourse,
    at: usize,
    entry: &'a LookedEntry,
    form: Option<&'a AskedForm>,
    /// None: no rule asks for what the form makes of it.
    computed: Option<ComputedEntry>,
    today: Date,
}

/// All faults of a patient's entries; of one rule, entry and field there is one.
pub fn faults(
    rules: &[QualityRule],
    course: &PatientCourse,
    form_of: impl Fn(i64) -> Option<std::sync::Arc<AskedForm>>,
    today: Date,
) -> Vec<Fault> {
    let mut found: BTreeMap<(i64, i64, Option<i64>), Fault> = BTreeMap::new();
    for (at, entry) in course.entries.iter().enumerate() {
        let form = form_of(entry.form_id);
        let of_form: Vec<&QualityRule> = rules.iter().filter(|rule| rule.is_of(entry.form_id)).collect();
        let computes =
            |rule: &&&QualityRule| matches!(rule.vrsta, QualityKind::Obavezno | QualityKind::Relevantno | QualityKind::PravilaFormulara);
        let computed = form
            .as_deref()
            .filter(|_| of_form.iter().any(|rule| computes(&rule)))
            .map(|form| compute(&form.form, entry.values.clone(), &course.around(at, entry.saved, &form.others)));
        let look = Look { course, at, entry, form: form.as_deref(), computed, today };
        let broken = look.broken_formulas();
        for rule in of_form {
            let mut hit = |field: Option<i64>, other: Option<i64>, seen: Value| {
                let fault = Fault { rule: rule.id, entry: entry.id, field, other, sum: sum(&seen) };
                found.insert((rule.id, entry.id, field), fault);
            };
            look.ask(rule, &broken, &mut hit);
        }
    }
    found.into_values().collect()
}

/// The same sum for the same answer, however the number is written.
fn sum(seen: &Value) -> String {
    fn plain(value: &Value) -> Value {
        match value {
            Value::Number(number) => number.as_f64().map_or_else(|| value.clone(), |number| json!(number)),
            Value::Array(items) => items.iter().map(plain).collect(),
            other => other.clone(),
        }
    }
    hex::encode(&Sha256::digest(plain(seen).to_string())[..16])
}

/// Where a rule hits: the field, the other entry, and what it has looked at.
type Hit<'h> = &'h mut dyn FnMut(Option<i64>, Option<i64>, Value);

impl Look<'_> {
    /// Rules by formula whose condition holds: it says what is wrong, as a rule of a form does.
    fn broken_formulas(&self) -> Vec<(i64, &Formula)> {
        let Some(asked) = self.form.filter(|asked| !asked.formulas.is_empty()) else { return Vec::new() };
        let conditions: Vec<&Formula> = asked.formulas.iter().map(|(_, formula)| formula).collect();
        let around = self.course.around(self.at, self.today, &asked.others);
        let (_, hold) = evaluate_with(&asked.form.formulas, &self.entry.values, &conditions, &around);
        asked.formulas.iter().zip(hold).filter(|(_, holds)| *holds).map(|((id, formula), _)| (*id, formula)).collect()
    }

    fn ask(&self, rule: &QualityRule, broken: &[(i64, &Formula)], hit: Hit<'_>) {
        match rule.vrsta {
            QualityKind::Obavezno => self.blank(rule, hit),
            QualityKind::Relevantno => self.blank_relevant(rule, hit),
            QualityKind::Granice => self.out_of_bounds(rule, hit),
            QualityKind::Skok => self.jump(rule, hit),
            QualityKind::Jedinica => self.unit_slip(rule, hit),
            QualityKind::Redosled => self.dates_in_order(rule, hit),
            QualityKind::PosleSmrti => self.days(rule, hit, self.course.died, |day, died| day > died),
            QualityKind::PreRodjenja => self.days(rule, hit, self.course.about.born, |day, born| day < born),
            QualityKind::PosleDanas => self.days(rule, hit, Some(self.today), |day, today| day > today),
            QualityKind::IstiDan => self.same_day(hit),
            QualityKind::Zastareo => self.stale(rule, hit),
            QualityKind::PravilaFormulara => self.form_rules(hit),
            QualityKind::Formula => {
                if let (Some((_, formula)), Some(asked)) = (broken.iter().find(|(id, _)| *id == rule.id), self.form) {
                    hit(rule.polje_id, None, self.seen_by(formula, &asked.form));
                }
            }
        }
    }

    fn blank(&self, rule: &QualityRule, hit: Hit<'_>) {
        let (Some(asked), Some(computed)) = (self.form, &self.computed) else { return };
        match rule.polje_id {
            Some(field) if !computed.hidden.contains(&field) && !self.entry.values.contains_key(&field) => {
                hit(Some(field), None, Value::Null);
            }
            Some(_) => {}
            None => blank_required(&asked.form, computed).for_each(|field| hit(Some(field.id), None, Value::Null)),
        }
    }

    fn blank_relevant(&self, rule: &QualityRule, hit: Hit<'_>) {
        let (Some(asked), Some(computed)) = (self.form, &self.computed) else { return };
        for field in blank_relevant(&asked.form, computed).into_iter().filter(|field| rule.polje_id.is_none_or(|own| own == *field)) {
            hit(Some(field), None, Value::Null);
        }
    }

    /// Numbers that were entered in another unit than today's are not compared: they are marked as such.
    fn number(&self, entry: &LookedEntry, field: i64) -> Option<f64> {
        if entry.marks.get(&field).is_some_and(|mark| mark == UNIT_MARK) {
            return None;
        }
        Answer::number(ValueType::Number, entry.values.get(&field)?)
    }

    fn out_of_bounds(&self, rule: &QualityRule, hit: Hit<'_>) {
        let Some(asked) = self.form else { return };
        let numbers = |field: &&EntryField| {
            field.tva_num_vrednost == ValueType::Number
                && rule.polje_id.is_none_or(|own| own == field.id)
                // A result is what it is, unless the rule names it.
                && (!field.is_calculated() || rule.polje_id.is_some())
        };
        for field in asked.form.fields.iter().filter(numbers) {
            let Some(number) = self.number(self.entry, field.id) else { continue };
            let is_out = match (rule.donja_granica, rule.gornja_granica) {
                (None, None) => wrong_number(field, number, false).is_some(),
                (low, high) => low.is_some_and(|low| number < low) || high.is_some_and(|high| number > high),
            };
            if is_out {
                hit(Some(field.id), None, json!([number]));
            }
        }
    }

    /// The last number of the field on an earlier day.
    fn number_before(&self, field: i64) -> Option<(&LookedEntry, f64)> {
        let earlier = self.course.before(self.at).rev().filter(|other| other.examined < self.entry.examined);
        earlier.filter_map(|other| Some((other, self.number(other, field)?))).next()
    }

    fn jump(&self, rule: &QualityRule, hit: Hit<'_>) {
        let (Some(field), Some(most)) = (rule.polje_id, rule.razlika) else { return };
        let Some(number) = self.number(self.entry, field) else { return };
        let Some((other, before)) = self.number_before(field) else { return };
        let days = (self.entry.examined - other.examined).get_days();
        if rule.dana.is_none_or(|within| days <= within) && (number - before).abs() > most {
            hit(Some(field), Some(other.id), json!([number, before]));
        }
    }

    fn unit_slip(&self, rule: &QualityRule, hit: Hit<'_>) {
        let Some(field) = rule.polje_id else { return };
        let Some(number) = self.number(self.entry, field) else { return };
        let Some((other, before)) = self.number_before(field) else { return };
        let asked = self.form.and_then(|asked| asked.form.fields.iter().find(|one| one.id == field));
        let units = asked.into_iter().flat_map(|one| &one.tip_atributa.druge_jedinice).map(|unit| unit.cinilac);
        let factors = SLIPS.into_iter().chain(units.filter(|factor| *factor > 0.0).map(|factor| factor.max(factor.recip())));
        // A factor within the spread of one would find each change.
        let mut factors = factors.filter(|factor| *factor > SLIP_SPREAD * SLIP_SPREAD);
        let ratio = number / before;
        let is_near = |factor: f64| {
            let times = if ratio >= 1.0 { ratio / factor } else { ratio * factor };
            (SLIP_SPREAD.recip()..=SLIP_SPREAD).contains(&times)
        };
        if number > 0.0 && before > 0.0 && factors.any(is_near) {
            hit(Some(field), Some(other.id), json!([number, before]));
        }
    }

    fn day(&self, field: i64) -> Option<Date> {
        let value = self.entry.values.get(&field)?;
        Answer::of(ValueType::Date, value).or_else(|| Answer::of(ValueType::Moment, value))?.day()
    }

    fn dates_in_order(&self, rule: &QualityRule, hit: Hit<'_>) {
        let (Some(one), Some(other)) = (rule.polje_id, rule.drugo_polje_id) else { return };
        let (Some(first), Some(second)) = (self.day(one), self.day(other)) else { return };
        if second < first {
            hit(Some(one), None, json!([first.to_string(), second.to_string()]));
        }
    }

    /// The entry's day, or the date of the rule's field, against a day of the patient's.
    fn days(&self, rule: &QualityRule, hit: Hit<'_>, limit: Option<Date>, is_wrong: impl Fn(Date, Date) -> bool) {
        let day = match rule.polje_id {
            Some(field) => self.day(field),
            None => Some(self.entry.examined),
        };
        if let (Some(day), Some(limit)) = (day, limit)
            && is_wrong(day, limit)
        {
            // Of today only the day counts: it would be another finding tomorrow.
            let against = if limit == self.today { Value::Null } else { json!(limit.to_string()) };
            hit(rule.polje_id, None, json!([day.to_string(), against]));
        }
    }

    fn same_day(&self, hit: Hit<'_>) {
        if let Some(other) = self.course.before(self.at).find(|other| other.examined == self.entry.examined) {
            hit(None, Some(other.id), json!([self.entry.examined.to_string(), other.id]));
        }
    }

    fn stale(&self, rule: &QualityRule, hit: Hit<'_>) {
        let marked = self.entry.marks.iter().filter(|(field, mark)| *mark != UNIT_MARK && rule.polje_id.is_none_or(|own| own == **field));
        for (field, mark) in marked {
            hit(Some(*field), None, json!([self.entry.values.get(field), mark]));
        }
    }

    fn form_rules(&self, hit: Hit<'_>) {
        let (Some(asked), Some(computed)) = (self.form, &self.computed) else { return };
        let mut by_field: BTreeMap<Option<i64>, Vec<Value>> = BTreeMap::new();
        for rule in asked.form.rules.iter().filter(|rule| computed.broken.contains(&rule.id)) {
            let seen = self.seen_by(&rule.formula, &asked.form);
            by_field.entry(rule.field(&asked.form).map(|field| field.id)).or_default().push(json!([rule.id, seen]));
        }
        by_field.into_iter().for_each(|(field, seen)| hit(field, None, Value::Array(seen)));
    }

    /// The values that a formula reads, the day where it asks for it, and the visit before.
    fn seen_by(&self, formula: &Formula, form: &EntryForm) -> Value {
        let read = |values: &Values, codes: &[String]| -> Vec<Value> {
            let ids = codes.iter().filter_map(|code| form.formulas.iter().find(|field| field.sifra.as_ref() == Some(code)));
            ids.map(|field| values.get(&field.sekcija.unwrap_or(field.id)).cloned().unwrap_or(Value::Null)).collect()
        };
        let before = self.course.before(self.at).rfind(|other| other.examined < self.entry.examined);
        let day = formula.asks_for_the_day().then(|| self.entry.examined.to_string());
        json!([read(&self.entry.values, &formula.deps), day, before.map(|before| read(&before.values, &formula.prev))])
    }
}
