//! The structure of the document, for those who have it read aloud and for programs that take its tables out: headings, tables with
//! heads, rows and cells, figures with a description, in reading order. What repeats on every page is no part of it.
//!
//! Each element is written as soon as it ends and only its number is kept, so memory grows by some bytes a cell.
use std::io::{self, Write as _};

use pdf_writer::{Ref, TextStr};

use super::content::push_integer;
use super::objects::Objects;

/// What an element is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tag {
    Heading(u8),
    Paragraph,
    /// The head of a column.
    Head,
    /// A cell over so many columns.
    Cell(u16),
}

impl Tag {
    pub fn name(self) -> &'static str {
        match self {
            Tag::Heading(1) => "H1",
            Tag::Heading(_) => "H2",
            Tag::Paragraph => "P",
            Tag::Head => "TH",
            Tag::Cell(_) => "TD",
        }
    }

    fn attributes(self) -> Option<String> {
        match self {
            Tag::Head => Some("<</O/Table/Scope/Column>>".to_owned()),
            Tag::Cell(span) if span > 1 => Some(format!("<</O/Table/ColSpan {span}>>")),
            _ => None,
        }
    }
}

/// An element whose children are still coming.
struct Open {
    id: Ref,
    kids: Vec<Ref>,
}

pub struct Tags {
    root: Ref,
    document: Open,
    table: Option<Open>,
    row: Option<Open>,
    /// The page under way, and the element of each marked piece of it.
    page: Ref,
    pieces: Vec<Ref>,
    /// The elements of the pages before.
    pages: Vec<Ref>,
}

impl Tags {
    pub fn begin(objects: &mut Objects, page: Ref) -> Self {
        let root = objects.reserve();
        let document = Open { id: objects.reserve(), kids: Vec::new() };
        Tags { root, document, table: None, row: None, page, pieces: Vec::new(), pages: Vec::new() }
    }

    /// The key under which the page finds its elements.
    pub fn page_key(&self) -> i32 {
        self.pages.len() as i32
    }

    /// The number of the next piece of the page, which is one element of its own.
    pub fn leaf(&mut self, objects: &mut Objects, tag: Tag) -> io::Result<usize> {
        let id = objects.reserve();
        let parent = self.parent(id);
        let (piece, page) = (self.pieces.len(), self.page.get());
        self.pieces.push(id);
        objects.pack(id, |out| {
            push_start(out, tag.name(), parent);
            out.extend_from_slice(b"/Pg ");
            push_integer(out, page);
            out.extend_from_slice(b" 0 R/K ");
            push_integer(out, piece);
            push_attributes(out, tag)
        })?;
        Ok(piece)
    }

    /// An element without any content: a blank cell.
    pub fn blank(&mut self, objects: &mut Objects, tag: Tag) -> io::Result<()> {
        let id = objects.reserve();
        let parent = self.parent(id);
        objects.pack(id, |out| {
            push_start(out, tag.name(), parent);
            push_attributes(out, tag)
        })
    }

    /// A picture with its description.
    pub fn figure(&mut self, objects: &mut Objects, told: &str) -> io::Result<usize> {
        let id = objects.reserve();
        self.document.kids.push(id);
        let (piece, page, parent) = (self.pieces.len(), self.page, self.document.id);
        self.pieces.push(id);
        objects.write(id, |chunk| {
            let mut element = chunk.indirect(id).dict();
            element.pair(pdf_writer::Name(b"S"), pdf_writer::Name(b"Figure")).pair(pdf_writer::Name(b"P"), parent);
            element.pair(pdf_writer::Name(b"Pg"), page).pair(pdf_writer::Name(b"K"), piece as i32);
            element.pair(pdf_writer::Name(b"Alt"), TextStr(told));
        })?;
        Ok(piece)
    }

    pub fn begin_table(&mut self, objects: &mut Objects) -> io::Result<()> {
        self.end_table(objects)?;
        let id = objects.reserve();
        self.document.kids.push(id);
        self.table = Some(Open { id, kids: Vec::new() });
        Ok(())
    }

    pub fn end_table(&mut self, objects: &mut Objects) -> io::Result<()> {
        match self.table.take() {
            Some(table) => write_branch(objects, &table, "Table", self.document.id),
            None => Ok(()),
        }
    }

    /// Begins a row where a table is under way; other lines of text are paragraphs.
    pub fn begin_row(&mut self, objects: &mut Objects) {
        if let Some(table) = &mut self.table {
            let id = objects.reserve();
            table.kids.push(id);
            self.row = Some(Open { id, kids: Vec::new() });
        }
    }

    pub fn end_row(&mut self, objects: &mut Objects) -> io::Result<()> {
        match (self.row.take(), &self.table) {
            (Some(row), Some(table)) => write_branch(objects, &row, "TR", table.id),
            _ => Ok(()),
        }
    }

    pub fn is_in_table(&self) -> bool {
        self.table.is_some()
    }

    pub fn is_in_row(&self) -> bool {
        self.row.is_some()
    }

    /// Ends the page; `next` is the one after it.
    pub fn turn(&mut self, objects: &mut Objects, next: Ref) -> io::Result<()> {
        let id = objects.reserve();
        let pieces = std::mem::take(&mut self.pieces);
        objects.pack(id, |out| {
            push_references(out, &pieces);
            Ok(())
        })?;
        self.pages.push(id);
        self.page = next;
        Ok(())
    }

    /// Writes what is left; returns the root of the structure.
    pub fn finish(mut self, objects: &mut Objects) -> io::Result<Ref> {
        self.end_table(objects)?;
        write_branch(objects, &self.document, "Document", self.root)?;
        let (document, pages) = (self.document.id, &self.pages);
        objects.pack(self.root, |out| {
            write!(out, "<</Type/StructTreeRoot/K {} 0 R/ParentTreeNextKey {}/ParentTree<</Nums[", document.get(), pages.len())?;
            for (key, id) in pages.iter().enumerate() {
                write!(out, "{key} {} 0 R ", id.get())?;
            }
            out.extend_from_slice(b"]>>>>");
            Ok(())
        })?;
        Ok(self.root)
    }

    fn parent(&mut self, child: Ref) -> Ref {
        let parent = self.row.as_mut().unwrap_or(&mut self.document);
        parent.kids.push(child);
        parent.id
    }
}

fn push_attributes(out: &mut Vec<u8>, tag: Tag) -> io::Result<()> {
    if let Some(attributes) = tag.attributes() {
        write!(out, "/A{attributes}")?;
    }
    out.extend_from_slice(b">>");
    Ok(())
}

fn write_branch(objects: &mut Objects, open: &Open, name: &str, parent: Ref) -> io::Result<()> {
    objects.pack(open.id, |out| {
        push_start(out, name, parent);
        out.extend_from_slice(b"/K");
        push_references(out, &open.kids);
        out.extend_from_slice(b">>");
        Ok(())
    })
}

fn push_start(out: &mut Vec<u8>, name: &str, parent: Ref) {
    out.extend_from_slice(b"<</S/");
    out.extend_from_slice(name.as_bytes());
    out.extend_from_slice(b"/P ");
    push_integer(out, parent.get());
    out.extend_from_slice(b" 0 R");
}

fn push_references(out: &mut Vec<u8>, references: &[Ref]) {
    out.push(b'[');
    for reference in references {
        push_integer(out, reference.get());
        out.extend_from_slice(b" 0 R ");
    }
    out.push(b']');
}
