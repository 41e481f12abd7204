//! A piece of a template that is filled later with data: a group's header, a footer, a computed cell, a document.
use std::fmt;
use std::sync::Arc;

use handlebars::{Context, Handlebars, RenderContext, Renderable, Template};
use serde_json::{Map, Value as Json};

use super::check;
use super::functions::{BoundedOutput, Budget};
use crate::plan::{Fill, TemplateError};

/// Bytes that a header, a footer or a cell may have.
const MAX_BAND: usize = 64 * 1024;

/// What the bands of one plan share: the registry and the values known before any row.
pub struct Surroundings {
    pub registry: Handlebars<'static>,
    pub budget: Budget,
    pub context: Map<String, Json>,
}

impl fmt::Debug for Surroundings {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Surroundings")
    }
}

#[derive(Clone, Debug)]
pub struct Piece {
    template: Template,
    paths: Vec<Vec<String>>,
    /// The values of the surroundings that this band reads.
    known: Map<String, Json>,
    surroundings: Arc<Surroundings>,
}

impl Piece {
    pub fn new(template: Template, surroundings: Arc<Surroundings>) -> Self {
        let paths = check::paths(&template);
        let is_read = |name: &String| paths.iter().any(|path| path.first() == Some(name));
        let known = surroundings.context.iter().filter(|(name, _)| is_read(name));
        let known = known.map(|(name, value)| (name.clone(), value.clone())).collect();
        Piece { template, paths, known, surroundings }
    }

    /// A copy of the registry, for a document to add its own helpers to.
    pub fn registry(&self) -> Handlebars<'static> {
        self.surroundings.registry.clone()
    }

    /// As [`Fill::fill`], with another registry and another bound on the text.
    pub fn fill_with(&self, registry: &Handlebars<'_>, data: Map<String, Json>, limit: usize) -> Result<String, TemplateError> {
        let mut values = self.known.clone();
        values.extend(data);
        let context = Context::from(Json::Object(values));
        let mut out = BoundedOutput::new(limit);
        self.surroundings.budget.renew();
        self.template.render(registry, &context, &mut RenderContext::new(None), &mut out)?;
        Ok(out.into_text().trim().to_owned())
    }
}

impl Fill for Piece {
    fn paths(&self) -> &[Vec<String>] {
        &self.paths
    }

    fn fill(&self, data: Map<String, Json>) -> Result<String, TemplateError> {
        self.fill_with(&self.surroundings.registry, data, MAX_BAND)
    }
}
