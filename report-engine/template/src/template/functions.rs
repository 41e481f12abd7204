//! The helpers that compute a text, usable anywhere in a template, and the bounds on what running a template may cost.
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use handlebars::{
    BlockContext, Context, Handlebars, Helper, HelperDef, HelperResult, Output, RenderContext, RenderErrorReason, Renderable, Template,
    no_escape,
};
use jiff::civil::{Date, DateTime};
use serde_json::{Value as Json, json};

use super::{check, language};
use crate::plan::{CellFormat, NumberFormat, Value, show};

/// Turns of loops that one rendering of a template or band may take.
const MAX_STEPS: u32 = 100_000;

/// How many turns of loops the rendering under way may still take.
#[derive(Clone)]
pub struct Budget(Arc<AtomicU32>);

impl Budget {
    pub fn new() -> Self {
        Budget(Arc::new(AtomicU32::new(MAX_STEPS)))
    }

    pub fn renew(&self) {
        self.0.store(MAX_STEPS, Ordering::Relaxed);
    }
}

/// A registry that is strict, escapes nothing, logs nothing and knows `datum`, `broj`, `spoji`, `groups`.
pub fn registry(partials: &BTreeMap<String, Template>, budget: Budget) -> Handlebars<'static> {
    let mut registry = Handlebars::new();
    registry.set_strict_mode(true);
    registry.set_prevent_indent(true);
    registry.register_escape_fn(no_escape);
    registry.unregister_helper("log");
    registry.register_helper(language::DATUM.name, Box::new(datum));
    registry.register_helper(language::BROJ.name, Box::new(broj));
    registry.register_helper(language::SPOJI.name, Box::new(spoji));
    registry.register_helper(language::GROUPS.name, Box::new(Groups));
    registry.register_helper(check::STEP, Box::new(Steps(budget)));
    for (name, partial) in partials {
        registry.register_template(name, partial.clone());
    }
    registry
}

/// A text buffer that refuses to outgrow its limit.
pub struct BoundedOutput {
    text: String,
    limit: usize,
}

impl BoundedOutput {
    pub fn new(limit: usize) -> Self {
        BoundedOutput { text: String::new(), limit }
    }

    pub fn into_text(self) -> String {
        self.text
    }
}

impl Output for BoundedOutput {
    fn write(&mut self, segment: &str) -> std::io::Result<()> {
        if self.text.len() + segment.len() > self.limit {
            return Err(std::io::Error::other("Šablon ispisuje previše teksta"));
        }
        self.text.push_str(segment);
        Ok(())
    }
}

/// An error of a helper of ours, already in Serbian.
pub fn refusal(message: impl Into<String>) -> handlebars::RenderError {
    RenderErrorReason::Other(message.into()).into()
}

struct Steps(Budget);

impl HelperDef for Steps {
    fn call<'reg: 'rc, 'rc>(
        &self,
        _: &Helper<'rc>,
        _: &'reg Handlebars<'reg>,
        _: &'rc Context,
        _: &mut RenderContext<'reg, 'rc>,
        _: &mut dyn Output,
    ) -> HelperResult {
        let taken = self.0.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
        taken.map(|_| ()).map_err(|_| refusal("Petlje u šablonu imaju previše koraka"))
    }
}

/// `{{datum x}}` or `{{datum x "MM.yyyy."}}`: an ISO date or moment as Serbian text; nothing for null.
fn datum(call: &Helper<'_>, _: &Handlebars<'_>, _: &Context, _: &mut RenderContext<'_, '_>, out: &mut dyn Output) -> HelperResult {
    let Some(iso) = param(call, 0)?.as_str() else { return Ok(()) };
    let value = parse_moment(iso).ok_or_else(|| refusal(format!("„{iso}“ nije datum")))?;
    let format = match call.param(1).and_then(|mask| mask.value().as_str()) {
        Some(mask) => Some(mask_of(mask)?),
        None => None,
    };
    out.write(&show(&value, format.as_ref()))?;
    Ok(())
}

/// `{{broj x}}`, `{{broj x 2}}` or `{{broj x "#.##0,00"}}`: a number as Serbian text; nothing for null.
fn broj(call: &Helper<'_>, _: &Handlebars<'_>, _: &Context, _: &mut RenderContext<'_, '_>, out: &mut dyn Output) -> HelperResult {
    let number = param(call, 0)?;
    if number.is_null() {
        return Ok(());
    }
    let value = parse_number(number).ok_or_else(|| refusal(format!("„{number}“ nije broj")))?;
    let format = match call.param(1).map(|given| given.value()) {
        Some(Json::String(mask)) => Some(mask_of(mask)?),
        Some(decimals) => {
            let decimals = decimals.as_u64().filter(|decimals| *decimals <= 12);
            let decimals = decimals.ok_or_else(|| refusal("Broj decimala je od 0 do 12"))?;
            Some(CellFormat::Number(NumberFormat { grouped: true, decimals: decimals as u8, suffix: String::new() }))
        }
        None => None,
    };
    out.write(&show(&value, format.as_ref()))?;
    Ok(())
}

/// `{{spoji a b c}}`: the texts one after the other; null is nothing.
fn spoji(call: &Helper<'_>, _: &Handlebars<'_>, _: &Context, _: &mut RenderContext<'_, '_>, out: &mut dyn Output) -> HelperResult {
    refuse_missing(call)?;
    for given in call.params() {
        out.write(&plain(given.value()))?;
    }
    Ok(())
}

/// Refuses a call that names a variable which is not there: strict mode itself minds only what is printed.
pub fn refuse_missing(call: &Helper<'_>) -> Result<(), handlebars::RenderError> {
    let missing = call.params().iter().chain(call.hash().values()).find(|given| given.is_value_missing());
    match missing {
        Some(given) => {
            let name = given.relative_path().map_or("", String::as_str);
            Err(refusal(format!("Promenljiva „{name}“ ne postoji")))
        }
        None => Ok(()),
    }
}

/// A value as the text that a declaration takes it for.
pub fn plain(value: &Json) -> String {
    match value {
        Json::Null => String::new(),
        Json::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn param<'a>(call: &'a Helper<'_>, index: usize) -> Result<&'a Json, handlebars::RenderError> {
    refuse_missing(call)?;
    let found = call.param(index).map(|given| given.value());
    found.ok_or_else(|| refusal(format!("Naredbi „{}“ nedostaje {}. parametar", call.name(), index + 1)))
}

fn mask_of(mask: &str) -> Result<CellFormat, handlebars::RenderError> {
    CellFormat::parse(mask).ok_or_else(|| refusal(format!("Neispravan format „{mask}“")))
}

fn parse_moment(iso: &str) -> Option<Value> {
    if let Ok(moment) = iso.parse::<DateTime>() {
        let is_date_only = iso.len() <= "2026-01-31".len();
        return Some(if is_date_only { Value::Date(moment.date()) } else { Value::DateTime(moment) });
    }
    iso.parse::<Date>().ok().map(Value::Date)
}

fn parse_number(number: &Json) -> Option<Value> {
    match number {
        Json::Number(number) => number.as_i64().map(Value::Int).or_else(|| number.as_f64().map(Value::Float)),
        Json::String(text) => text.parse().ok().map(Value::Decimal),
        _ => None,
    }
}

/// `{{#groups redovi by="unos"}}`: runs the block once for each run of neighbouring items with the same `by`; inside,
/// `prvi` is the first item and `redovi` are all of them.
struct Groups;

impl HelperDef for Groups {
    fn call<'reg: 'rc, 'rc>(
        &self,
        call: &Helper<'rc>,
        registry: &'reg Handlebars<'reg>,
        context: &'rc Context,
        render: &mut RenderContext<'reg, 'rc>,
        out: &mut dyn Output,
    ) -> HelperResult {
        let items = param(call, 0)?.as_array().ok_or_else(|| refusal("Naredba „groups“ traži niz"))?;
        let by = call.hash_get("by").and_then(|by| by.value().as_str());
        let by = by.ok_or_else(|| refusal("Naredbi „groups“ nedostaje parametar „by“"))?;
        let body = call.template().ok_or(RenderErrorReason::BlockContentRequired)?;
        for run in items.chunk_by(|left, right| left.get(by) == right.get(by)) {
            if run[0].get(by).is_none() {
                return Err(refusal(format!("Promenljiva „{by}“ ne postoji")));
            }
            let mut block = BlockContext::new();
            block.set_base_value(json!({ "prvi": run[0], "redovi": run }));
            render.push_block(block);
            let result = body.render(registry, context, render, out);
            render.pop_block();
            result?;
        }
        Ok(())
    }
}
