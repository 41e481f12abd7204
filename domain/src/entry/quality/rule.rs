//! Rules of a register as they are looked by, with the forms of today that they ask.

use std::{collections::BTreeMap, sync::Arc};

use rust_decimal::prelude::ToPrimitive;
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use utoipa::ToSchema;

use crate::{
    entry::{
        form::{EntryForm, FormError},
        other_forms,
    },
    formula::{Field, Formula, OtherForm, compile_conditions},
};

/// What a rule looks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema, sqlx::Type)]
#[serde(rename_all = "camelCase")]
#[sqlx(type_name = "text", rename_all = "camelCase")]
pub enum QualityKind {
    /// A required field is blank, or the one that the rule names.
    #[default]
    Obavezno,
    /// A relevant field is blank.
    Relevantno,
    /// A number is out of its bounds as they are today, or out of the rule's own.
    Granice,
    /// A number differs more from the visit before than it may.
    Skok,
    /// A number looks as if it were typed in another unit than the one of the visit before.
    Jedinica,
    /// The later one of two dates is before the other.
    Redosled,
    PosleSmrti,
    PreRodjenja,
    PosleDanas,
    /// Another entry of the form is of the same day.
    IstiDan,
    /// A stored result that today's formula gives otherwise.
    Zastareo,
    /// Rules of the form that do not hold.
    PravilaFormulara,
    Formula,
}

impl QualityKind {
    pub const ALL: [Self; 13] = [
        Self::Obavezno,
        Self::Relevantno,
        Self::Granice,
        Self::Skok,
        Self::Jedinica,
        Self::Redosled,
        Self::PosleSmrti,
        Self::PreRodjenja,
        Self::PosleDanas,
        Self::IstiDan,
        Self::Zastareo,
        Self::PravilaFormulara,
        Self::Formula,
    ];

    /// As the database and files call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Obavezno => "obavezno",
            Self::Relevantno => "relevantno",
            Self::Granice => "granice",
            Self::Skok => "skok",
            Self::Jedinica => "jedinica",
            Self::Redosled => "redosled",
            Self::PosleSmrti => "posleSmrti",
            Self::PreRodjenja => "preRodjenja",
            Self::PosleDanas => "posleDanas",
            Self::IstiDan => "istiDan",
            Self::Zastareo => "zastareo",
            Self::PravilaFormulara => "pravilaFormulara",
            Self::Formula => "formula",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Whether it asks how the form is configured today.
    fn asks_the_form(self) -> bool {
        matches!(self, Self::Obavezno | Self::Relevantno | Self::Granice | Self::Jedinica | Self::PravilaFormulara | Self::Formula)
    }

    /// Whether it looks at other entries of the patient.
    pub(super) fn asks_other_entries(self) -> bool {
        matches!(self, Self::Skok | Self::Jedinica | Self::IstiDan | Self::PravilaFormulara | Self::Formula | Self::Obavezno)
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema, sqlx::Type)]
#[serde(rename_all = "camelCase")]
#[sqlx(type_name = "text", rename_all = "camelCase")]
#[schema(as = QualitySeverity)]
pub enum Severity {
    Greska,
    #[default]
    Upozorenje,
}

impl Severity {
    pub const ALL: [Self; 2] = [Self::Greska, Self::Upozorenje];

    /// As the database and files call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Greska => "greska",
            Self::Upozorenje => "upozorenje",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|severity| severity.name() == name)
    }
}

#[derive(Clone, Debug, Default)]
pub struct QualityRule {
    pub id: i64,
    /// None: of every form of the register.
    pub form_id: Option<i64>,
    pub vrsta: QualityKind,
    pub polje_id: Option<i64>,
    pub drugo_polje_id: Option<i64>,
    pub donja_granica: Option<f64>,
    pub gornja_granica: Option<f64>,
    pub razlika: Option<f64>,
    pub dana: Option<i32>,
    pub formula: Option<String>,
}

impl QualityRule {
    pub(super) fn is_of(&self, form: i64) -> bool {
        self.form_id.is_none_or(|own| own == form)
    }
}

/// The active rules of a register.
pub struct RuleSet {
    pub registar_id: i64,
    pub rules: Vec<QualityRule>,
    forms: BTreeMap<i64, Option<Arc<AskedForm>>>,
}

/// A form as it is configured today, and the formulas of rules that fit it.
pub(super) struct AskedForm {
    pub form: EntryForm,
    /// By the id of the rule. One that does not fit the form any more finds nothing.
    pub formulas: Vec<(i64, Formula)>,
    /// The fields of other forms that its formulas and those of rules name.
    pub others: Vec<OtherForm>,
}

impl AskedForm {
    pub(super) async fn of(db: &mut PgConnection, form: EntryForm, rules: &[QualityRule]) -> sqlx::Result<Self> {
        let asked: Vec<(i64, &str)> =
            rules.iter().filter(|rule| rule.is_of(form.id)).filter_map(|rule| Some((rule.id, rule.formula.as_deref()?))).collect();
        let texts: Vec<&str> = asked.iter().map(|(_, text)| *text).collect();
        let mut codes = other_forms::codes_in(&form);
        codes.extend(other_forms::codes_in_texts(texts.iter().copied()));
        let others = other_forms::fields(db, form.registar_id, form.id, &codes).await?;
        let fields: Vec<Field> = form.formulas.iter().chain(others.iter().flat_map(|other| &other.fields)).cloned().collect();
        let compiled = compile_conditions(&texts, &fields);
        let formulas = asked.iter().zip(compiled).filter_map(|((id, _), compiled)| Some((*id, compiled.ok()?.formula))).collect();
        Ok(Self { form, formulas, others })
    }
}

impl RuleSet {
    pub async fn of(db: &mut PgConnection, register: i64) -> sqlx::Result<Self> {
        let rows = sqlx::query!(
            r#"select id, form_id, vrsta as "vrsta: QualityKind", polje_id, drugo_polje_id, donja_granica, gornja_granica, razlika, dana, formula
                 from quality_rule where registar_id = $1 and aktivan order by id"#,
            register
        )
        .fetch_all(db)
        .await?;
        let rules = rows.into_iter().map(|row| QualityRule {
            id: row.id,
            form_id: row.form_id,
            vrsta: row.vrsta,
            polje_id: row.polje_id,
            drugo_polje_id: row.drugo_polje_id,
            donja_granica: row.donja_granica.and_then(|number| number.to_f64()),
            gornja_granica: row.gornja_granica.and_then(|number| number.to_f64()),
            razlika: row.razlika.and_then(|number| number.to_f64()),
            dana: row.dana,
            formula: row.formula,
        });
        Ok(Self { registar_id: register, rules: rules.collect(), forms: BTreeMap::new() })
    }

    /// The form of an entry, where a rule asks it; read once. None: no rule asks it, or it is not shown any more.
    pub(super) async fn form(&mut self, db: &mut PgConnection, id: i64) -> sqlx::Result<Option<Arc<AskedForm>>> {
        if let Some(known) = self.forms.get(&id) {
            return Ok(known.clone());
        }
        let is_asked = self.rules.iter().any(|rule| rule.is_of(id) && rule.vrsta.asks_the_form());
        let form = match is_asked {
            true => match EntryForm::load(&mut *db, id).await {
                Ok(form) => Some(Arc::new(AskedForm::of(db, form, &self.rules).await?)),
                Err(FormError::Database(error)) => return Err(error),
                Err(FormError::Missing) => None,
                Err(FormError::Formula { field, cause }) => {
                    tracing::error!(form = id, field, %cause, "a stored formula cannot be read; rules of quality pass over the form");
                    None
                }
            },
            false => None,
        };
        self.forms.insert(id, form.clone());
        Ok(form)
    }

    /// Whether a rule looks at more than one entry of a patient.
    pub(super) fn asks_other_entries(&self) -> bool {
        self.rules.iter().any(|rule| rule.vrsta.asks_other_entries())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{QualityKind, Severity};

    #[test]
    fn files_call_kinds_and_severities_as_the_api_does() {
        for kind in QualityKind::ALL {
            assert_eq!((json!(kind), QualityKind::named(kind.name())), (json!(kind.name()), Some(kind)));
        }
        for severity in Severity::ALL {
            assert_eq!((json!(severity), Severity::named(severity.name())), (json!(severity.name()), Some(severity)));
        }
    }
}
