//! The words of a declaration as its helper reads them: parameters by place, attributes by name, the block.
use handlebars::{Helper, RenderError, Template};
use serde_json::Value as Json;

use super::functions::{plain, refusal, refuse_missing};
use super::language::Word;

/// One call of a declaring helper.
pub struct Call<'a, 'rc> {
    helper: &'a Helper<'rc>,
}

impl<'a, 'rc> Call<'a, 'rc> {
    /// Refuses unknown variables and attributes, so that a slip of the pen is not ignored.
    pub fn new(helper: &'a Helper<'rc>, word: &Word) -> Result<Self, RenderError> {
        refuse_missing(helper)?;
        let unknown = helper.hash().keys().find(|name| !word.knows(name));
        match unknown {
            Some(name) => Err(refusal(format!("Naredba „{}“ ne poznaje parametar „{name}“", helper.name()))),
            None => Ok(Call { helper }),
        }
    }

    pub fn name(&self) -> &str {
        self.helper.name()
    }

    pub fn block(&self) -> Option<&'rc Template> {
        self.helper.template()
    }

    /// The block, which this declaration must have.
    pub fn required_block(&self) -> Result<&'rc Template, RenderError> {
        self.block().ok_or_else(|| self.refuse("mora biti blok"))
    }

    /// The text of every parameter in order.
    pub fn texts(&self) -> Vec<String> {
        self.helper.params().iter().map(|given| plain(given.value())).collect()
    }

    pub fn param(&self, index: usize) -> Result<String, RenderError> {
        let given = self.helper.param(index);
        given.map(|given| plain(given.value())).ok_or_else(|| self.refuse(&format!("traži {}. parametar", index + 1)))
    }

    /// The attribute `name` as text.
    pub fn text(&self, name: &str) -> Option<String> {
        let given = self.helper.hash_get(name).map(|given| given.value())?;
        (!given.is_null()).then(|| plain(given))
    }

    pub fn required_text(&self, name: &str) -> Result<String, RenderError> {
        self.text(name).ok_or_else(|| self.refuse(&format!("traži parametar „{name}“")))
    }

    /// The attribute `name` as a number within `range`.
    pub fn number(&self, name: &str, range: std::ops::RangeInclusive<f32>) -> Result<Option<f32>, RenderError> {
        let Some(text) = self.text(name) else { return Ok(None) };
        let number = text.parse().ok().filter(|number| range.contains(number));
        let bounds = format!("traži „{name}“ od {} do {}", range.start(), range.end());
        number.map(Some).ok_or_else(|| self.refuse(&bounds))
    }

    pub fn flag(&self, name: &str) -> bool {
        self.helper.hash_get(name).is_some_and(|given| given.value() == &Json::Bool(true))
    }

    /// The attribute `name` as one of `choices`.
    pub fn choice<T: Copy>(&self, name: &str, choices: &[(&str, T)]) -> Result<Option<T>, RenderError> {
        let Some(text) = self.text(name) else { return Ok(None) };
        self.choose(name, &text, choices).map(Some)
    }

    pub fn choose<T: Copy>(&self, name: &str, text: &str, choices: &[(&str, T)]) -> Result<T, RenderError> {
        let found = choices.iter().find(|(spelling, _)| *spelling == text);
        found.map(|(_, choice)| *choice).ok_or_else(|| {
            let spellings: Vec<&str> = choices.iter().map(|(spelling, _)| *spelling).collect();
            self.refuse(&format!("za „{name}“ ne prihvata „{text}“, već: {}", spellings.join(", ")))
        })
    }

    pub fn refuse(&self, what: &str) -> RenderError {
        refusal(format!("Naredba „{}“ {what}", self.helper.name()))
    }
}
