//! The letters' templates, compiled once: subject, text and HTML.

use std::path::Path;

use anyhow::Context;
use handlebars::Handlebars;
use serde::Serialize;

/// Folders of the letters: about a finished report, about a fire of a schedule that made none, and to those whom that would have reached.
pub const REPORT: &str = "izvestaj";
pub const NOTICE: &str = "zastoj";
pub const ABSENCE: &str = "izostanak";
/// The weekly letter about visits.
pub const DIGEST: &str = "pregled";
/// About questions that wait.
pub const QUESTIONS: &str = "upiti";

/// The compiled letters.
pub struct Letters {
    /// Subject and text are not HTML: nothing is escaped in them.
    plain: Handlebars<'static>,
    html: Handlebars<'static>,
}

impl Letters {
    /// Compiles the templates of `<folder>/izvestaj`, about a report that is there, of `zastoj` and `izostanak`, about one that is not, of `pregled`, about
    /// visits of a week, and of `upiti`, about questions.
    pub fn load(folder: &Path) -> anyhow::Result<Self> {
        let mut plain = Handlebars::new();
        plain.register_escape_fn(handlebars::no_escape);
        plain.set_strict_mode(true);
        let mut html = Handlebars::new();
        html.set_strict_mode(true);
        for about in [REPORT, NOTICE, ABSENCE, DIGEST, QUESTIONS] {
            for name in ["subject", "text"] {
                add(&mut plain, folder, about, name)?;
            }
            add(&mut html, folder, about, "html")?;
        }
        Ok(Self { plain, html })
    }

    pub fn compose(&self, about: &str, page: &impl Serialize) -> anyhow::Result<LetterText> {
        Ok(LetterText {
            subject: self.plain.render(&format!("{about}/subject"), page)?.split_whitespace().collect::<Vec<_>>().join(" "),
            text: self.plain.render(&format!("{about}/text"), page)?,
            html: self.html.render(&format!("{about}/html"), page)?,
        })
    }
}

fn add(registry: &mut Handlebars<'static>, folder: &Path, about: &str, name: &str) -> anyhow::Result<()> {
    let name = format!("{about}/{name}");
    let path = folder.join(format!("{name}.hbs"));
    let source = std::fs::read_to_string(&path).with_context(|| format!("the letter template {}", path.display()))?;
    registry.register_template_string(&name, source).with_context(|| format!("the letter template {}", path.display()))
}

pub struct LetterText {
    pub subject: String,
    pub text: String,
    pub html: String,
}
