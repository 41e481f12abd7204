//! What Handlebars finds wrong with a template, in Serbian.
use handlebars::{RenderErrorReason, TemplateErrorReason};

use crate::plan::TemplateError;

impl From<handlebars::TemplateError> for TemplateError {
    fn from(error: handlebars::TemplateError) -> Self {
        let message = match error.reason() {
            TemplateErrorReason::MismatchingClosedHelper(opened, closing)
            | TemplateErrorReason::MismatchingClosedDecorator(opened, closing) => {
                format!("Otvoren je blok „{opened}“, a zatvara se „{closing}“")
            }
            TemplateErrorReason::InvalidParam(parameter) => format!("Neispravan parametar „{parameter}“"),
            TemplateErrorReason::NestedSubexpression => "Ugnežđeni podizraz nije dozvoljen".to_owned(),
            _ => "Neispravna sintaksa: proverite zagrade {{ }}, navodnike i zatvaranje blokova".to_owned(),
        };
        let (line, column) = error.pos().unzip();
        TemplateError { message, line, column }
    }
}

impl From<handlebars::RenderError> for TemplateError {
    fn from(error: handlebars::RenderError) -> Self {
        TemplateError { message: explain(error.reason()), line: error.line_no, column: error.column_no }
    }
}

fn explain(reason: &RenderErrorReason) -> String {
    match reason {
        RenderErrorReason::MissingVariable(Some(name)) => format!("Promenljiva „{name}“ ne postoji"),
        RenderErrorReason::MissingVariable(None) => "Promenljiva ne postoji".to_owned(),
        RenderErrorReason::HelperNotFound(name) => format!("Nepoznata naredba „{name}“"),
        RenderErrorReason::PartialNotFound(name) => format!("Delimični šablon „{name}“ ne postoji"),
        RenderErrorReason::ParamNotFoundForIndex(helper, index) => {
            format!("Naredbi „{helper}“ nedostaje {}. parametar", index + 1)
        }
        RenderErrorReason::ParamNotFoundForName(helper, name) => {
            format!("Naredbi „{helper}“ nedostaje parametar „{name}“")
        }
        RenderErrorReason::BlockContentRequired => "Naredba mora biti blok".to_owned(),
        RenderErrorReason::Other(message) => message.clone(),
        RenderErrorReason::NestedError(error) => {
            let nested = error.downcast_ref::<handlebars::RenderError>();
            nested.map_or_else(|| error.to_string(), |inner| explain(inner.reason()))
        }
        RenderErrorReason::IOError(error) => error.to_string(),
        _ => "Šablon se ne može izvršiti".to_owned(),
    }
}
