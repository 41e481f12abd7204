//! A template that was read and checked, and how it makes a plan.
use std::collections::BTreeMap;
use std::sync::Arc;

use handlebars::{RenderContext, Renderable, Template};
use serde_json::{Map, Value as Json};

use super::band::Surroundings;
use super::context::Context;
use super::functions::{self, BoundedOutput, Budget};
use super::{check, declare};
use crate::plan::{Plan, TemplateError};

/// A parsed and checked template. Parse it once and keep it for as long as the file stays the same.
#[derive(Clone, Debug)]
pub struct ReportTemplate {
    template: Template,
    partials: BTreeMap<String, Template>,
}

impl ReportTemplate {
    pub fn parse(source: &str) -> Result<Self, TemplateError> {
        check::source_is_bounded(source)?;
        let mut template = Template::compile(source)?;
        let partials = check::prepare(&mut template)?;
        Ok(ReportTemplate { template, partials })
    }

    /// Runs the declarations for one run in one format.
    pub fn plan(&self, context: &Context) -> Result<Plan, TemplateError> {
        let values = context.to_map();
        let surroundings = Arc::new(self.surroundings(&values));
        let recorder = declare::Recorder::shared(context, surroundings);
        let mut registry = functions::registry(&self.partials, Budget::new());
        declare::register(&mut registry, &recorder);

        let mut out = BoundedOutput::new(64 * 1024);
        let context = handlebars::Context::from(Json::Object(values));
        self.template.render(&registry, &context, &mut RenderContext::new(None), &mut out)?;
        let printed = out.into_text();
        if let Some(stray) = printed.lines().find(|line| !line.trim().is_empty()) {
            return Err(TemplateError::new(format!("Tekst van naredbi: „{}“", stray.trim())));
        }
        declare::finish(&recorder)
    }

    fn surroundings(&self, values: &Map<String, Json>) -> Surroundings {
        let budget = Budget::new();
        Surroundings { registry: functions::registry(&self.partials, budget.clone()), budget, context: values.clone() }
    }
}
