//! A helper that declares: it records its part while the template is rendered.
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use handlebars::{Context as Values, Handlebars, Helper, HelperDef, HelperResult, Output, RenderContext, RenderError, Renderable};

use super::call::Call;
use super::language::Word;

/// What the helpers of one rendering record into.
pub struct Shared<R>(Arc<Mutex<R>>);

impl<R> Shared<R> {
    pub fn new(recorder: R) -> Self {
        Self(Arc::new(Mutex::new(recorder)))
    }

    /// A recorder is only ever left half-written by a failure that also ends the rendering.
    pub fn lock(&self) -> MutexGuard<'_, R> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<R> Clone for Shared<R> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

pub type Record<R> = fn(&mut R, &Call) -> Result<(), RenderError>;

/// One with `close` also renders its block in between.
pub struct Declaration<R> {
    pub recorder: Shared<R>,
    pub word: &'static Word,
    pub open: Record<R>,
    pub close: Option<Record<R>>,
}

impl<R: Send> HelperDef for Declaration<R> {
    fn call<'reg: 'rc, 'rc>(
        &self,
        helper: &Helper<'rc>,
        registry: &'reg Handlebars<'reg>,
        values: &'rc Values,
        render: &mut RenderContext<'reg, 'rc>,
        out: &mut dyn Output,
    ) -> HelperResult {
        let call = Call::new(helper, self.word)?;
        (self.open)(&mut self.recorder.lock(), &call)?;
        if let Some(close) = self.close {
            if let Some(block) = call.block() {
                block.render(registry, values, render, out)?;
            }
            close(&mut self.recorder.lock(), &call)?;
        }
        Ok(())
    }
}
