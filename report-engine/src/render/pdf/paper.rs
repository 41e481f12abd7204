//! The pages of a report: heading on the first, a running head on the others, `Strana x od y` on all of them.
//!
//! The number of pages and whether the result was cut are known only at the end; both are form objects that every page
//! draws and that are written last, so no page is laid out twice.
use std::io;

use pdf_writer::{Filter, Finish, Name, Rect, Ref};

use super::content::{Content, TextStyle, Unit, points, push_text, scaled};
use super::font::{Fonts, Weight};
use super::look;
use super::objects::Objects;
use super::tags::{Tag, Tags};
use super::{embed, marks, metadata};
use crate::plan::{Heading, Mark, PageSetup};
use crate::render::clean::legible;
use crate::render::feed::FileFacts;
use crate::render::file::OutFile;
use crate::render::look::made_at;

const MARGIN_X: Unit = 3600;
const MARGIN_TOP: Unit = 3400;
const MARGIN_BOTTOM: Unit = 4000;
const RUNNING_HEAD: Unit = 1300;
/// Rows of a table whose cells are elements of their own.
const MOST_TOLD_ROWS: u32 = 2_000;

pub struct Paper {
    pub fonts: Fonts,
    pub content: Content,
    /// The place where the next thing goes, from the top of the page.
    pub y: Unit,
    objects: Objects,
    width: Unit,
    height: Unit,
    /// The size of the pages that name none.
    usual: (Unit, Unit),
    heading: Heading,
    marks: Vec<marks::PlacedMark>,
    made: String,
    tags: Tags,
    /// Rows of the present table so far.
    told_rows: u32,
    /// The rows of this page are told as one cell, which is still open.
    in_page_cell: bool,
    page: Ref,
    page_tree: Ref,
    total_form: Ref,
    cut_form: Ref,
    pages: Vec<Ref>,
    stream: Vec<u8>,
}

impl Paper {
    pub fn begin(heading: &Heading, setup: PageSetup, file: OutFile) -> io::Result<Self> {
        let mut objects = Objects::begin(file)?;
        let (width, height) = setup.dimensions();
        let (width, height) = (points(width), points(height));
        let page = objects.reserve();
        let mut paper = Paper {
            tags: Tags::begin(&mut objects, page),
            told_rows: 0,
            in_page_cell: false,
            page,
            fonts: Fonts::new(),
            content: Content::new(height),
            y: MARGIN_TOP,
            page_tree: objects.reserve(),
            total_form: objects.reserve(),
            cut_form: objects.reserve(),
            objects,
            width,
            height,
            usual: (width, height),
            heading: heading.clone(),
            marks: Vec::new(),
            made: made_at(heading.generisano),
            pages: Vec::new(),
            stream: Vec::new(),
        };
        paper.marks = marks::embed(&mut paper.objects, &heading.marks)?;
        paper.draw_heading()?;
        Ok(paper)
    }

    pub fn left(&self) -> Unit {
        MARGIN_X
    }

    pub fn right(&self) -> Unit {
        self.width - MARGIN_X
    }

    pub fn inner_width(&self) -> Unit {
        self.width - 2 * MARGIN_X
    }

    /// What is left of the page below the present place.
    pub fn room(&self) -> Unit {
        self.height - MARGIN_BOTTOM - self.y
    }

    /// The room of a new page below its running head.
    pub fn whole_room(&self) -> Unit {
        self.height - MARGIN_BOTTOM - MARGIN_TOP - RUNNING_HEAD
    }

    /// Ends the page and begins the next one below its running head.
    pub fn turn(&mut self) -> io::Result<()> {
        self.end_page()?;
        self.y = MARGIN_TOP;
        self.draw_running_head();
        Ok(())
    }

    /// Marks what is drawn from here to [`Paper::end_piece`] as one element.
    pub fn begin_piece(&mut self, tag: Tag) -> io::Result<()> {
        let piece = self.tags.leaf(&mut self.objects, tag)?;
        self.content.begin_piece(tag.name(), piece);
        Ok(())
    }

    pub fn end_piece(&mut self) {
        self.content.end_piece();
    }

    /// An element of a row without any text.
    pub fn blank_piece(&mut self, tag: Tag) -> io::Result<()> {
        self.tags.blank(&mut self.objects, tag)
    }

    pub fn begin_table(&mut self) -> io::Result<()> {
        self.told_rows = 0;
        self.tags.begin_table(&mut self.objects)
    }

    pub fn end_table(&mut self) -> io::Result<()> {
        self.end_page_cell()?;
        self.tags.end_table(&mut self.objects)
    }

    pub fn begin_row(&mut self) {
        self.tags.begin_row(&mut self.objects);
    }

    /// Begins a row over `span` columns; returns whether its cells are told one by one. Beyond so many rows nobody listens to a table
    /// cell by cell, and what each of them costs would slow the file down: there the rows of a page are one cell.
    pub fn begin_line(&mut self, span: u16) -> io::Result<bool> {
        if self.told_rows < MOST_TOLD_ROWS || !self.tags.is_in_table() {
            self.told_rows += 1;
            self.begin_row();
            return Ok(true);
        }
        if !self.in_page_cell {
            self.begin_row();
            self.begin_piece(Tag::Cell(span))?;
            self.in_page_cell = true;
        }
        Ok(false)
    }

    fn end_page_cell(&mut self) -> io::Result<()> {
        if std::mem::take(&mut self.in_page_cell) {
            self.end_piece();
            self.end_row()?;
        }
        Ok(())
    }

    pub fn end_row(&mut self) -> io::Result<()> {
        self.tags.end_row(&mut self.objects)
    }

    pub fn is_in_row(&self) -> bool {
        self.tags.is_in_row()
    }

    /// Draws foreign operators as a figure of which `told` is the description.
    pub fn figure(&mut self, operators: &[u8], told: &str) -> io::Result<()> {
        let piece = self.tags.figure(&mut self.objects, told)?;
        self.content.picture(MARGIN_X, self.y, operators, piece);
        Ok(())
    }

    /// Ends the page and begins one of another shape.
    pub fn turn_to(&mut self, setup: PageSetup) -> io::Result<()> {
        self.end_page()?;
        let (width, height) = setup.dimensions();
        (self.width, self.height) = (points(width), points(height));
        self.content.set_height(self.height);
        self.y = MARGIN_TOP;
        self.draw_running_head();
        Ok(())
    }

    /// Writes the fonts, the page tree and the metadata.
    pub fn finish(mut self, is_cut: bool) -> io::Result<FileFacts> {
        self.end_page()?;
        let resources = self.objects.reserve();
        let total = self.pages.len().to_string();
        self.write_form(self.total_form, resources, look::FOOT, &total)?;
        let mark = if is_cut { "SKRAĆEN IZVEŠTAJ" } else { "" };
        self.write_form(self.cut_form, resources, look::CUT_MARK, mark)?;

        let fonts = embed::embed(&mut self.objects, &self.fonts)?;
        let drawn = self.marks.iter().map(|mark| (mark.name.as_str(), mark.id));
        let drawn: Vec<(&str, Ref)> = [("T", self.total_form), ("N", self.cut_form)].into_iter().chain(drawn).collect();
        self.objects.write(resources, |chunk| {
            let mut dictionary = chunk.indirect(resources).start::<pdf_writer::writers::Resources>();
            let mut entry = dictionary.fonts();
            for (name, id) in &fonts {
                entry.pair(Name(name.as_bytes()), *id);
            }
            entry.finish();
            let mut entry = dictionary.x_objects();
            for (name, id) in drawn {
                entry.pair(Name(name.as_bytes()), id);
            }
        })?;
        let (tree, pages) = (self.page_tree, &self.pages);
        let paper = media_box(self.usual);
        self.objects.write(tree, |chunk| {
            let mut node = chunk.pages(tree);
            node.media_box(paper).count(pages.len() as i32).kids(pages.iter().copied());
            node.pair(Name(b"Resources"), resources);
        })?;
        let structure = self.tags.finish(&mut self.objects)?;
        let (catalog, info) = metadata::write_catalog(&mut self.objects, &self.heading, tree, structure)?;
        let identity = metadata::identity(&self.heading);
        Ok(FileFacts {
            bytes: self.objects.finish(catalog, info, &identity)?,
            pages: Some(self.pages.len() as u32),
            missing_glyphs: self.fonts.missing(),
        })
    }

    fn end_page(&mut self) -> io::Result<()> {
        self.end_page_cell()?;
        self.draw_foot();
        let mut stream = std::mem::take(&mut self.stream);
        self.content.take(&mut stream);
        let data = self.objects.deflate(&stream)?;
        self.stream = stream;
        let [content, next] = std::array::from_fn(|_| self.objects.reserve());
        let (page, key) = (self.page, self.tags.page_key());
        self.tags.turn(&mut self.objects, next)?;
        self.page = next;
        self.objects.write(content, |chunk| {
            chunk.stream(content, &data).filter(Filter::FlateDecode);
        })?;
        self.objects.recycle(data);
        let tree = self.page_tree;
        let size = (self.width, self.height);
        let is_usual = size == self.usual;
        self.objects.write(page, |chunk| {
            let mut page = chunk.page(page);
            page.parent(tree).contents(content).struct_parents(key);
            page.tab_order(pdf_writer::types::TabOrder::StructureOrder);
            if !is_usual {
                page.media_box(media_box(size));
            }
        })?;
        self.pages.push(page);
        Ok(())
    }

    fn write_form(&mut self, id: Ref, resources: Ref, style: TextStyle, text: &str) -> io::Result<()> {
        let mut operators = Vec::new();
        push_text(&mut operators, &mut self.fonts, style, "1 0 0 1 0 0", text);
        let width = scaled(self.fonts.width(style.weight, text), style.size) as f32 / 100.0;
        self.objects.write(id, |chunk| {
            let mut form = chunk.form_xobject(id, &operators);
            form.bbox(Rect::new(0.0, -style.size, width + 1.0, style.size));
            form.pair(Name(b"Resources"), resources);
        })
    }

    /// Institution, title, subtitle and parameters, with a rule below.
    fn draw_heading(&mut self) -> io::Result<()> {
        let heading = self.heading.clone();
        let by = format!("Korisnik: {}", heading.radnik_ime_prezime);
        let (left, right) = (MARGIN_X, self.right());
        let half = self.inner_width() / 2 - 400;
        let (beside_marks, below_marks) = self.draw_marks(&heading.marks)?;
        let mut lower = self.y + 800;
        self.begin_piece(Tag::Paragraph)?;
        // Beside its logo the name of the institution still has room to be read.
        let least = half / 3;
        for line in self.wrapped(look::INSTITUTION, &heading.ustanova, (half - beside_marks).max(least)) {
            self.content.text(&mut self.fonts, look::INSTITUTION, left + beside_marks, lower, &line);
            lower += 1150;
        }
        self.end_piece();
        lower = lower.max(below_marks);
        self.begin_piece(Tag::Paragraph)?;
        let mut beside = self.y + 800;
        let made = self.made.clone();
        for line in std::iter::once(made).chain(self.wrapped(look::SMALL, &by, half)) {
            self.content.text_right(&mut self.fonts, look::SMALL, right, beside, &line);
            beside += 1050;
        }
        self.end_piece();
        self.y = lower.max(beside) - 1000;
        self.tagged(Tag::Heading(1), look::TITLE, &heading.naslov, 2000)?;
        if let Some(podnaslov) = &heading.podnaslov {
            self.paragraph(look::SUBTITLE, podnaslov, 1350)?;
        }
        self.draw_parameters(&heading.parametri)?;
        self.y += 400;
        self.content.rule(MARGIN_X, self.y, self.inner_width(), 120, look::ACCENT);
        self.y += 900;
        Ok(())
    }

    /// The pictures from the left edge on; gives the room that they take beside the text, and the place below them.
    fn draw_marks(&mut self, heading: &[Mark]) -> io::Result<(Unit, Unit)> {
        let (mut x, mut below) = (0, self.y);
        for (mark, placed) in heading.iter().zip(&self.marks) {
            let piece = self.tags.figure(&mut self.objects, &mark.told)?;
            self.content.image(&placed.name, (MARGIN_X + x, self.y), placed.size, piece);
            x += placed.size.0 + marks::GAP;
            below = below.max(self.y + placed.size.1 + 1400);
        }
        Ok((x, below))
    }

    /// Label and value of each parameter, one after the other on as many lines as they need.
    fn draw_parameters(&mut self, parametri: &[(String, String)]) -> io::Result<()> {
        if parametri.is_empty() {
            return Ok(());
        }
        self.y += 300;
        let mut x = MARGIN_X;
        let mut is_first = true;
        for (naziv, vrednost) in parametri {
            let label = format!("{naziv}: ");
            let label_width = self.width_of(look::LABEL, &label);
            let item_width = label_width + self.width_of(look::VALUE, vrednost);
            let fits = x + item_width <= self.right();
            if is_first || !fits {
                self.next_line(1150)?;
                x = MARGIN_X;
            }
            is_first = false;
            if item_width <= self.inner_width() {
                self.begin_piece(Tag::Paragraph)?;
                self.content.text(&mut self.fonts, look::LABEL, x, self.y, &label);
                self.content.text(&mut self.fonts, look::VALUE, x + label_width, self.y, vrednost);
                self.end_piece();
                x += item_width + 1600;
            } else {
                self.begin_piece(Tag::Paragraph)?;
                self.content.text(&mut self.fonts, look::LABEL, MARGIN_X, self.y, naziv);
                self.end_piece();
                self.paragraph(look::VALUE, vrednost, 1150)?;
                is_first = true;
            }
        }
        Ok(())
    }

    /// Text over the whole width, wrapped, from the present place down.
    pub fn paragraph(&mut self, style: TextStyle, text: &str, leading: Unit) -> io::Result<()> {
        self.tagged(Tag::Paragraph, style, text, leading)
    }

    /// As [`Paper::paragraph`], as another element; one on each page that it runs over.
    pub fn tagged(&mut self, tag: Tag, style: TextStyle, text: &str, leading: Unit) -> io::Result<()> {
        let text = legible(text);
        let mut lines = Vec::new();
        let limit = (self.inner_width() as f32 * 10.0 / style.size) as u32;
        self.fonts.wrap(style.weight, &text, limit, &mut lines);
        let mut is_open = false;
        for line in lines {
            if is_open && self.room() < leading {
                self.end_piece();
                is_open = false;
            }
            self.next_line(leading)?;
            if !is_open {
                self.begin_piece(tag)?;
                is_open = true;
            }
            self.content.text(&mut self.fonts, style, MARGIN_X, self.y, &text[line]);
        }
        if is_open {
            self.end_piece();
        }
        Ok(())
    }

    fn next_line(&mut self, leading: Unit) -> io::Result<()> {
        if self.room() < leading {
            self.turn()?;
        }
        self.y += leading;
        Ok(())
    }

    fn draw_running_head(&mut self) {
        let half = self.inner_width() / 2 - 500;
        let naslov = self.shortened(look::RUNNING, &self.heading.naslov.clone(), half);
        let institution = self.shortened(look::SMALL, &self.heading.ustanova.clone(), half);
        let right = self.right();
        self.content.begin_artifact();
        self.content.text(&mut self.fonts, look::RUNNING, MARGIN_X, self.y, &naslov);
        self.content.text_right(&mut self.fonts, look::SMALL, right, self.y, &institution);
        self.content.end_piece();
        self.content.rule(MARGIN_X, self.y + 500, self.inner_width(), 50, look::HAIRLINE);
        self.y += RUNNING_HEAD;
    }

    fn draw_foot(&mut self) {
        let line = self.height - MARGIN_BOTTOM + 1000;
        let baseline = line + 1100;
        self.content.rule(MARGIN_X, line, self.inner_width(), 50, look::HAIRLINE);
        let page = format!("Strana {} od ", self.pages.len() + 1);
        self.content.begin_artifact();
        let width = self.content.text(&mut self.fonts, look::FOOT, MARGIN_X, baseline, &page);
        self.content.form("T", MARGIN_X + width, baseline);
        self.content.form("N", self.width / 2 - 3500, baseline);
        let made = format!("Regix · {}", self.made);
        let right = self.right();
        self.content.text_right(&mut self.fonts, look::FOOT, right, baseline, &made);
        self.content.end_piece();
    }

    pub fn width_of(&mut self, style: TextStyle, text: &str) -> Unit {
        scaled(self.fonts.width(style.weight, text), style.size)
    }

    /// The lines of a text within a width.
    fn wrapped(&mut self, style: TextStyle, text: &str, width: Unit) -> Vec<String> {
        let text = legible(text);
        let mut lines = Vec::new();
        self.fonts.wrap(style.weight, &text, (width as f32 * 10.0 / style.size) as u32, &mut lines);
        lines.into_iter().map(|line| text[line].to_owned()).collect()
    }

    /// The text on one line, ended by dots where the place is too narrow. Only for repeated lines, never for data.
    pub fn shortened(&mut self, style: TextStyle, text: &str, width: Unit) -> String {
        let text = legible(text).replace('\n', " ");
        if self.width_of(style, &text) <= width {
            return text;
        }
        let mut lines = Vec::new();
        let dots = self.width_of(style, "…");
        let limit = ((width - dots).max(0) as f32 * 10.0 / style.size) as u32;
        self.fonts.wrap(style.weight, &text, limit, &mut lines);
        format!("{}…", &text[lines[0].clone()])
    }

    /// Bold face for measuring heads.
    pub fn longest_word(&mut self, weight: Weight, size: f32, text: &str) -> Unit {
        let words = text.split([' ', '\n', '-', '/']);
        words.map(|word| scaled(self.fonts.width(weight, word), size)).max().unwrap_or(0)
    }
}

fn media_box((width, height): (Unit, Unit)) -> Rect {
    Rect::new(0.0, 0.0, width as f32 / 100.0, height as f32 / 100.0)
}
