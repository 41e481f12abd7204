//! The rules of a form over one entry: which are broken, and which of those refuse its save.

use std::collections::BTreeSet;

use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    computed::ComputedEntry,
    form::{EntryField, EntryForm},
    values::{Values, alike},
};
use crate::{
    formula::Formula,
    register::{RuleKind, RuleProperties},
};

/// A rule as the form's description has it.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct EntryRule {
    /// Within its form.
    pub id: i64,
    #[serde(flatten)]
    pub own: RuleProperties,
    /// The parsed condition.
    #[schema(value_type = Object)]
    pub formula: Formula,
}

impl EntryRule {
    /// The field beside which its message stands.
    pub fn field<'a>(&self, form: &'a EntryForm) -> Option<&'a EntryField> {
        let code = self.own.polje.as_deref()?;
        form.fields.iter().find(|field| field.sifra.as_deref() == Some(code))
    }

    /// As a person reads it who is refused by it.
    pub fn told(&self, form: &EntryForm) -> String {
        match self.field(form) {
            Some(field) => format!("{}: {}", field.naziv, self.own.poruka),
            None => self.own.poruka.clone(),
        }
    }
}

/// Broken rules that refuse a save, in their order.
pub fn errors<'a>(form: &'a EntryForm, computed: &'a ComputedEntry) -> impl Iterator<Item = &'a EntryRule> {
    form.rules.iter().filter(|rule| rule.own.vrsta == RuleKind::Greska && computed.broken.contains(&rule.id))
}

/// The first broken rule that refuses the save. Of an entry that is there already, only those are held to it that read something that is
/// another now: nobody is stopped by what stands as it was stored.
pub fn refusing<'a>(
    form: &'a EntryForm,
    computed: &'a ComputedEntry,
    stored: Option<(&Values, Date)>,
    date: Option<Date>,
) -> Option<&'a EntryRule> {
    errors(form, computed).find(|rule| {
        let Some((before, day)) = stored else { return true };
        let read = FormulaReads::by(form, &rule.formula);
        let changed = |id: &i64| !alike(before.get(id), computed.values.get(id));
        (read.the_day && date != Some(day)) || read.fields.iter().any(changed)
    })
}

/// What a formula is made of, by way of results too: the fields that people fill.
#[derive(Default)]
struct FormulaReads {
    fields: BTreeSet<i64>,
    the_day: bool,
    results: BTreeSet<i64>,
}

impl FormulaReads {
    fn by(form: &EntryForm, formula: &Formula) -> Self {
        let mut read = Self::default();
        read.add(form, formula);
        read
    }

    fn add(&mut self, form: &EntryForm, formula: &Formula) {
        self.the_day |= formula.asks_for_the_day();
        for field in form.formulas.iter().filter(|field| field.sifra.as_ref().is_some_and(|code| formula.deps.contains(code))) {
            match &field.racunanje {
                Some(inner) if self.results.insert(field.id) => self.add(form, inner),
                Some(_) => {}
                None => {
                    // Of a column the rows that it stands in.
                    self.fields.insert(field.sekcija.unwrap_or(field.id));
                }
            }
        }
    }
}
