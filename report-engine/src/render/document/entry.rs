//! The print of a filled entry: who, when and by whom, then the parts of its form with their answers.
use std::path::Path;

use domain::picture::Photo;
use jiff::civil::DateTime;

use super::drawing::Length;
use super::frame::Frame;
use super::layout::{EMPTY, GUTTER, LABEL_PERCENT, Layout, Measure, Role, SPACE};
use super::{chart, pdf, photo};
use crate::plan::{Mark, push_moment};
use crate::render::chart::Picture;
use crate::render::error::RenderError;
use crate::render::file::OutFile;
use crate::render::target::RenderedFile;

/// An entry in the words that its reader sees.
#[derive(Clone, Debug)]
pub struct EntryDocument {
    /// The institution that made the entry.
    pub ustanova: String,
    pub registar: String,
    pub obrazac: String,
    /// Label and value, two beside each other.
    pub podaci: Vec<[(&'static str, String); 2]>,
    pub parts: Vec<EntryPart>,
    /// The file's title, repeated at the head of later pages.
    pub naslov: String,
    /// Who prints it.
    pub radnik: String,
    pub generisano: DateTime,
    /// The logo of the institution that made the entry.
    pub marks: Vec<Mark>,
}

#[derive(Clone, Debug)]
pub enum EntryPart {
    Heading {
        level: u8,
        text: String,
    },
    Rule,
    Answer {
        label: Option<String>,
        value: Option<String>,
        reference: Option<Reference>,
        /// What today's configuration would give or read otherwise.
        mark: Option<String>,
    },
    Chart(Box<Picture>),
    /// A picture among the files of an answer; why it is not printed, in words, where it is not.
    Photo {
        file: i64,
        name: String,
        photo: Result<Photo, String>,
    },
    /// The rows of a section that repeats.
    Table {
        heads: Vec<String>,
        rows: Vec<Vec<String>>,
    },
}

/// The range in which a number is usual.
#[derive(Clone, Debug)]
pub struct Reference {
    pub text: String,
    pub outside: bool,
}

const SIZE: u8 = 9;
/// Where the range begins, as a share of the line.
const REFERENCE_PERCENT: Length = 72;
/// Labels of the data on top, and the start of their second column.
const DATUM_LABEL_PERCENT: Length = 17;
const SECOND_DATUM_PERCENT: Length = 51;
/// Air under an answer.
const LEADING: Length = 500;

/// Prints an entry to a file of at most `limit` bytes.
pub fn print_entry(document: &EntryDocument, path: &Path, limit: u64) -> Result<RenderedFile, RenderError> {
    let mut made = String::from("Štampano ");
    push_moment(&mut made, document.generisano);
    let frame = Frame {
        landscape: false,
        size: SIZE,
        title: document.naslov.clone(),
        author: document.radnik.clone(),
        marks: document.marks.clone(),
        generisano: document.generisano,
        running: document.naslov.clone(),
        made: format!("{made}, {} · Regix", document.radnik),
    };
    let finished = pdf::set(&frame, OutFile::create(path, limit)?, limit, |layout| {
        head(layout, document);
        document.parts.iter().for_each(|shown| part(layout, shown));
    })?;
    let answers = document.parts.iter().filter(|part| matches!(part, EntryPart::Answer { .. })).count();
    Ok(RenderedFile {
        rows: answers as u64,
        bytes: finished.bytes,
        pages: finished.pages,
        truncated: false,
        missing_glyphs: finished.missing_glyphs,
    })
}

fn head<M: Measure>(layout: &mut Layout<'_, M>, document: &EntryDocument) {
    layout.text(Role::Institution, &document.ustanova);
    layout.text(Role::Title, &document.obrazac);
    layout.text(Role::Heading(3), &document.registar);
    layout.rule();
    layout.space(SPACE / 2);
    let (label, second) = (layout.width * DATUM_LABEL_PERCENT / 100, layout.width * SECOND_DATUM_PERCENT / 100);
    for [left, right] in &document.podaci {
        let shown = |value: &str| if value.trim().is_empty() { EMPTY.to_owned() } else { value.to_owned() };
        let (left_value, right_value) = (shown(&left.1), if right.0.is_empty() { String::new() } else { shown(&right.1) });
        let rows = layout.columns(&[
            (0, label - GUTTER, Role::Label, left.0),
            (label, second - label - GUTTER, Role::Value, &left_value),
            (second, label - GUTTER, Role::Label, right.0),
            (second + label, layout.width - second - label, Role::Value, &right_value),
        ]);
        layout.lines.extend(rows);
    }
    layout.rule();
    layout.space(SPACE);
}

fn part<M: Measure>(layout: &mut Layout<'_, M>, part: &EntryPart) {
    match part {
        EntryPart::Heading { level, text } => {
            layout.section(*level, text);
            layout.space(LEADING);
        }
        EntryPart::Rule => {
            layout.space(SPACE / 2);
            layout.rule();
        }
        EntryPart::Answer { label, value, reference, mark } => {
            answer(layout, label.as_deref(), value.as_deref(), reference.as_ref(), mark.as_deref());
        }
        EntryPart::Table { heads, rows } => layout.table(heads, rows),
        EntryPart::Photo { name, photo: Ok(photo), .. } => photo::lay_out(layout, name, photo),
        EntryPart::Photo { name, photo: Err(why), .. } => layout.text(Role::Warning, &format!("Slika „{name}” nije odštampana: {why}")),
        EntryPart::Chart(shown) => {
            layout.space(SPACE);
            chart::lay_out(layout, shown);
            layout.space(SPACE);
        }
    }
}

/// Label, value, range: each wrapped to its own width, the value over all that the others leave. A mark stands under the value.
fn answer<M: Measure>(
    layout: &mut Layout<'_, M>,
    label: Option<&str>,
    value: Option<&str>,
    reference: Option<&Reference>,
    mark: Option<&str>,
) {
    let split = if label.is_some() { layout.width * LABEL_PERCENT / 100 } else { 0 };
    let range = layout.width * REFERENCE_PERCENT / 100;
    let end = if reference.is_some() { range - GUTTER } else { layout.width };
    let outside = reference.is_some_and(|reference| reference.outside);
    let mut columns = Vec::with_capacity(3);
    if let Some(label) = label {
        columns.push((0, split - GUTTER, Role::Label, label));
    }
    columns.push((split, end - split, if outside { Role::Warning } else { Role::Value }, value.unwrap_or(EMPTY)));
    if let Some(reference) = reference {
        columns.push((range, layout.width - range, Role::Note, reference.text.as_str()));
    }
    let mut rows = layout.columns(&columns);
    if let Some(mark) = mark {
        rows.iter_mut().for_each(|line| line.keep_with_next = true);
        rows.extend(layout.columns(&[(split, layout.width - split, Role::Note, mark)]));
    }
    if let Some(last) = rows.last_mut() {
        last.height += LEADING;
    }
    layout.lines.extend(rows);
}
