//! What is checked and changed in a parsed template before it is ever run: depth, partials, loops.
//!
//! A template cannot take the engine down: nesting is bounded before the parser recurses, partials form no cycle, and
//! each turn of a loop and each call of a partial is counted by a hidden step.
use std::collections::{BTreeMap, BTreeSet};

use handlebars::Path;
use handlebars::Template;
use handlebars::template::{DecoratorTemplate, HelperTemplate, Parameter, TemplateElement};

use crate::plan::TemplateError;

/// The helper that counts a turn of a loop or a call of a partial.
pub const STEP: &str = "__korak";

const MAX_SOURCE: usize = 256 * 1024;
const MAX_NESTING: usize = 40;

/// Refuses sources so large or so deeply nested that parsing them could exhaust the stack.
pub fn source_is_bounded(source: &str) -> Result<(), TemplateError> {
    if source.len() > MAX_SOURCE {
        return Err(TemplateError::new("Šablon je veći od 256 KB"));
    }
    let mut depths = [0usize; 4];
    let mut previous = ' ';
    for (line_index, line) in source.lines().enumerate() {
        for (column, letter) in line.chars().enumerate() {
            let step = match (previous, letter) {
                ('{', '#') => Some((0, true)),
                ('{', '/') => Some((0, false)),
                (_, '(') => Some((1, true)),
                (_, ')') => Some((1, false)),
                (_, '[') => Some((2, true)),
                (_, ']') => Some((2, false)),
                (_, '{') => Some((3, true)),
                (_, '}') => Some((3, false)),
                _ => None,
            };
            if let Some((kind, opens)) = step {
                let depth = &mut depths[kind];
                *depth = if opens { *depth + 1 } else { depth.saturating_sub(1) };
                if *depth > MAX_NESTING {
                    let message = format!("Blokovi su ugnežđeni dublje od {MAX_NESTING}");
                    return Err(TemplateError::at(message, line_index + 1, column + 1));
                }
            }
            previous = letter;
        }
    }
    Ok(())
}

/// Takes the inline partials out of the template, refuses cycles among them, and adds the counted step to every loop
/// and every partial.
pub fn prepare(template: &mut Template) -> Result<BTreeMap<String, Template>, TemplateError> {
    let mut partials = BTreeMap::new();
    take_partials(template, &mut partials)?;
    let step = Template::compile(&format!("{{{{{STEP}}}}}"))?;
    for body in partials.values_mut() {
        count_loops(body, &step);
        put_first(body, &step);
    }
    count_loops(template, &step);
    refuse_unknown_and_cyclic_partials(template, &partials)?;
    Ok(partials)
}

fn take_partials(template: &mut Template, found: &mut BTreeMap<String, Template>) -> Result<(), TemplateError> {
    let elements = std::mem::take(&mut template.elements);
    let mapping = std::mem::take(&mut template.mapping);
    for (mut element, place) in elements.into_iter().zip(mapping) {
        if let TemplateElement::DecoratorBlock(block) | TemplateElement::DecoratorExpression(block) = &mut element {
            let (name, mut body) = inline_definition(block)
                .ok_or_else(|| TemplateError::at("Dozvoljen je samo blok {{#*inline \"ime\"}}", place.0, place.1))?;
            take_partials(&mut body, found)?;
            if found.insert(name.clone(), body).is_some() {
                let message = format!("Delimični šablon „{name}“ je definisan dva puta");
                return Err(TemplateError::at(message, place.0, place.1));
            }
            continue;
        }
        if let Some(block) = as_helper_mut(&mut element) {
            for inner in [&mut block.template, &mut block.inverse].into_iter().flatten() {
                take_partials(inner, found)?;
            }
        }
        template.elements.push(element);
        template.mapping.push(place);
    }
    Ok(())
}

fn inline_definition(block: &mut DecoratorTemplate) -> Option<(String, Template)> {
    if block.name.as_name() != Some("inline") {
        return None;
    }
    let name = match block.params.first()? {
        Parameter::Literal(name) => name.as_str()?.to_owned(),
        _ => return None,
    };
    Some((name, block.template.take()?))
}

fn count_loops(template: &mut Template, step: &Template) {
    for element in &mut template.elements {
        let Some(block) = as_helper_mut(element) else { continue };
        let is_loop = matches!(&block.name, Parameter::Name(name) if name == "each" || name == "groups");
        for inner in [&mut block.template, &mut block.inverse].into_iter().flatten() {
            count_loops(inner, step);
            if is_loop {
                put_first(inner, step);
            }
        }
    }
}

fn put_first(body: &mut Template, step: &Template) {
    body.elements.splice(0..0, step.elements.iter().cloned());
    body.mapping.splice(0..0, step.mapping.iter().cloned());
}

fn refuse_unknown_and_cyclic_partials(template: &Template, partials: &BTreeMap<String, Template>) -> Result<(), TemplateError> {
    let mut visit = PartialVisit { partials, open: Vec::new(), done: BTreeSet::new() };
    visit.template(template)?;
    partials.keys().try_for_each(|name| visit.partial(name, (1, 1)))
}

/// A walk along the calls of partials, which remembers the ones it is inside of.
struct PartialVisit<'a> {
    partials: &'a BTreeMap<String, Template>,
    open: Vec<String>,
    done: BTreeSet<String>,
}

impl PartialVisit<'_> {
    fn template(&mut self, template: &Template) -> Result<(), TemplateError> {
        for (element, place) in template.elements.iter().zip(&template.mapping) {
            match element {
                TemplateElement::PartialBlock(_) => {
                    return Err(TemplateError::at("Delimični šablon sa blokom nije dozvoljen", place.0, place.1));
                }
                TemplateElement::PartialExpression(call) => {
                    let name = call.name.as_name().unwrap_or_default();
                    self.partial(name, (place.0, place.1))?;
                }
                _ => {
                    let inner = as_helper(element).into_iter().flat_map(|block| [&block.template, &block.inverse]);
                    inner.flatten().try_for_each(|inner| self.template(inner))?;
                }
            }
        }
        Ok(())
    }

    fn partial(&mut self, name: &str, place: (usize, usize)) -> Result<(), TemplateError> {
        if self.done.contains(name) {
            return Ok(());
        }
        if self.open.iter().any(|open| open == name) {
            let message = format!("Delimični šablon „{name}“ poziva sam sebe");
            return Err(TemplateError::at(message, place.0, place.1));
        }
        let Some(body) = self.partials.get(name) else {
            let message = format!("Delimični šablon „{name}“ ne postoji u ovom fajlu");
            return Err(TemplateError::at(message, place.0, place.1));
        };
        self.open.push(name.to_owned());
        self.template(body)?;
        self.open.pop();
        self.done.insert(name.to_owned());
        Ok(())
    }
}

/// Every path a template reads, cut at its dots; what it finds inside loops belongs to their items and may be too much.
pub fn paths(template: &Template) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    collect_paths(template, &mut found);
    found
}

fn collect_paths(template: &Template, found: &mut Vec<Vec<String>>) {
    for element in &template.elements {
        let Some(block) = as_helper(element) else { continue };
        collect_from_call(block, found);
        for inner in [&block.template, &block.inverse].into_iter().flatten() {
            collect_paths(inner, found);
        }
    }
}

fn collect_from_call(call: &HelperTemplate, found: &mut Vec<Vec<String>>) {
    for parameter in std::iter::once(&call.name).chain(&call.params).chain(call.hash.values()) {
        match parameter {
            Parameter::Name(name) => found.push(cut(name)),
            Parameter::Path(Path::Relative((_, raw))) => found.push(cut(raw)),
            Parameter::Subexpression(inner) => {
                if let Some(inner) = as_helper(inner.as_element()) {
                    collect_from_call(inner, found);
                }
            }
            _ => {}
        }
    }
}

fn cut(path: &str) -> Vec<String> {
    path.split(['.', '/']).filter(|part| !part.is_empty() && *part != "this").map(str::to_owned).collect()
}

fn as_helper(element: &TemplateElement) -> Option<&HelperTemplate> {
    match element {
        TemplateElement::Expression(call) | TemplateElement::HtmlExpression(call) | TemplateElement::HelperBlock(call) => Some(call),
        _ => None,
    }
}

fn as_helper_mut(element: &mut TemplateElement) -> Option<&mut HelperTemplate> {
    match element {
        TemplateElement::Expression(call) | TemplateElement::HtmlExpression(call) | TemplateElement::HelperBlock(call) => Some(call),
        _ => None,
    }
}
