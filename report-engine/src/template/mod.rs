//! Report templates: one Handlebars file a report, which declares what the report is and prints nothing itself.
//!
//! A template is rendered once for each run and format; its helpers record a [`Plan`], past which the rows stream.
mod band;
mod call;
mod check;
mod declare;
mod document;
mod error;
mod functions;

use std::collections::BTreeMap;
use std::sync::Arc;

use handlebars::{RenderContext, Renderable, Template};
use jiff::civil::DateTime;
use serde_json::{Map, Value as Json, json};
use sha2::{Digest, Sha256};

pub use band::Band;
pub use document::{Block, DocumentBody};
pub use error::TemplateError;

use crate::render::{Format, Plan};
use band::Surroundings;
use functions::{BoundedOutput, Budget};

/// What a template knows before any row is read.
#[derive(Clone, Debug)]
pub struct Context {
    /// The report's name in the catalogue.
    pub naziv: String,
    /// What was asked for, as label and text, in the order of the form.
    pub parametri: Vec<(String, String)>,
    pub ustanova: String,
    pub radnik_ime_prezime: String,
    /// Local time of the report.
    pub generisano: DateTime,
    pub format: Format,
    /// Further values for the template, under `extra`.
    pub extra: Json,
}

impl Context {
    fn to_map(&self) -> Map<String, Json> {
        let parametri = self.parametri.iter().map(|(naziv, vrednost)| json!({ "naziv": naziv, "vrednost": vrednost }));
        let values = [
            ("naziv", json!(self.naziv)),
            ("parametri", parametri.collect()),
            ("ustanova", json!(self.ustanova)),
            ("radnik", json!(self.radnik_ime_prezime)),
            ("generisano", json!(self.generisano.to_string())),
            ("format", json!(self.format.extension())),
            ("extra", self.extra.clone()),
        ];
        values.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }
}

/// A parsed and checked template. Cheap to share; parse once and keep it for as long as the file's hash stays.
#[derive(Clone, Debug)]
pub struct ReportTemplate {
    name: String,
    template: Template,
    partials: BTreeMap<String, Template>,
    sha256: [u8; 32],
}

impl ReportTemplate {
    pub fn parse(name: &str, source: &str) -> Result<Self, TemplateError> {
        check::source_is_bounded(source)?;
        let mut template = Template::compile(source)?;
        let partials = check::prepare(&mut template)?;
        let sha256 = Sha256::digest(source.as_bytes()).into();
        Ok(ReportTemplate { name: name.to_owned(), template, partials, sha256 })
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// The hash of the source text.
    pub fn sha256(&self) -> &[u8; 32] {
        &self.sha256
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
