//! The pages of a flowing document through genpdf: lines come already broken and divided, so nothing can be dropped.
use std::collections::{BTreeSet, HashMap};

use genpdf::fonts::{FontCache, FontData, FontFamily};
use genpdf::render::Area;
use genpdf::style::{Color, Style};
use genpdf::{Context, Document, Element, Margins, Mm, PageDecorator, Position, RenderResult, Size};

use super::drawing::{Drawing, Length};
use super::finish::{self, OnPage};
use super::frame::Frame;
use super::layout::{Layout, Line, Measure, Role, paginate};
use crate::plan::{Block, Format, Plan};
use crate::render::clean::one_line;
use crate::render::error::RenderError;
use crate::render::feed::FileFacts;
use crate::render::file::{OutFile, explain};
use crate::render::look::{self, CUT, MARK_HEIGHT, REPLACEMENT, Rgb, made_at};

const MARGIN_X: f64 = 16.0;
const MARGIN_TOP: f64 = 20.0;
const MARGIN_BOTTOM: f64 = 20.0;
const MILLIMETRES_PER_POINT: f64 = 25.4 / 72.0;
/// Between the pictures on top and the first line.
const MARK_ROOM: f64 = 2.0;
/// Kerning may widen a line a little beyond the sum of its letters.
const KERNING_ROOM: f64 = 0.6;

/// The whole document is in memory until it is written.
const MOST_PAGES: usize = 1000;

const INK: Color = color(look::INK);
const MUTED: Color = color(look::MUTED);
const ACCENT: Color = color(look::ACCENT);
const WARNING: Color = color(look::WARNING);
const HAIRLINE: Color = color((190, 200, 208));

const fn color((red, green, blue): Rgb) -> Color {
    Color::Rgb(red, green, blue)
}

pub fn write(plan: &Plan, blocks: &[Block], cut: Option<&str>, file: OutFile, limit: u64) -> Result<FileFacts, RenderError> {
    let heading = &plan.heading;
    let generated = made_at(heading.generisano);
    let frame = Frame {
        landscape: plan.page.landscape,
        size: plan.page.size.round() as u8,
        title: heading.naslov.clone(),
        author: heading.radnik_ime_prezime.clone(),
        marks: heading.marks.clone(),
        generisano: heading.generisano,
        running: heading.naslov.clone(),
        made: format!("Regix · {generated}"),
    };
    set(&frame, file, limit, |layout| {
        layout.heading(heading, generated.trim_start_matches("Generisano: "));
        blocks.iter().for_each(|block| layout.block(block));
        if let Some(note) = cut {
            layout.warning(note);
        }
    })
}

/// Sets what `fill` lays out, page by page, and keeps the file.
pub fn set(frame: &Frame, mut file: OutFile, limit: u64, fill: impl FnOnce(&mut Layout<'_, Ruler<'_>>)) -> Result<FileFacts, RenderError> {
    let mut document = Document::new(family()?);
    let (width, height) = if frame.landscape { (297.0, 210.0) } else { (210.0, 297.0) };
    document.set_paper_size(Size::new(width, height));
    document.set_minimal_conformance();
    document.set_font_size(frame.size);

    let mut ruler = Ruler::new(document.font_cache(), frame.size);
    let mut layout = Layout::new(&mut ruler, micrometres(width - 2.0 * MARGIN_X - KERNING_ROOM));
    if !frame.marks.is_empty() {
        layout.marks(micrometres(MARK_HEIGHT * MILLIMETRES_PER_POINT + MARK_ROOM));
    }
    fill(&mut layout);
    let mut lines = layout.into_lines();
    if let Some(note) = ruler.note_of_missing() {
        let mut layout = Layout::new(&mut ruler, micrometres(width - 2.0 * MARGIN_X - KERNING_ROOM));
        layout.warning(&note);
        lines.extend(layout.into_lines());
    }
    let missing_glyphs: Vec<char> = ruler.missing.iter().copied().collect();
    let pages = paginate(lines, micrometres(height - MARGIN_TOP - MARGIN_BOTTOM));
    let total = pages.len();
    if total > MOST_PAGES {
        return Err(RenderError::TooLarge { format: Format::Pdf, limit });
    }

    let photos = on_pages(&pages, height);
    let (running, made) = (one_line(&frame.running).into_owned(), one_line(&frame.made).into_owned());
    document.set_page_decorator(Decorator { running, made, page: 0, total, width, height });
    document.push(Pages { pages: pages.into_iter(), size: frame.size });
    let mut bytes = Vec::new();
    document.render(&mut bytes).map_err(refused)?;
    let corner = (MARGIN_X / MILLIMETRES_PER_POINT, (height - MARGIN_TOP) / MILLIMETRES_PER_POINT);
    let finished = finish::finish(&bytes, frame, corner, &photos).map_err(refused)?;
    std::io::Write::write_all(&mut file, &finished).map_err(|error| explain(error, Format::Pdf, limit))?;
    let bytes = file.keep().map_err(|error| explain(error, Format::Pdf, limit))?;
    Ok(FileFacts { bytes, pages: Some(total as u32), missing_glyphs })
}

/// Where the pictures of files come to lie, in points from the lower left corner of their page.
fn on_pages(pages: &[Vec<Line>], height: f64) -> Vec<OnPage> {
    let points = |length: Length| f64::from(length) / 1000.0 / MILLIMETRES_PER_POINT;
    let mut found = Vec::new();
    for (page, lines) in pages.iter().enumerate() {
        let mut above: Length = 0;
        for line in lines {
            if let Some(framed) = &line.photo {
                let (left, top) = (MARGIN_X / MILLIMETRES_PER_POINT, (height - MARGIN_TOP) / MILLIMETRES_PER_POINT - points(above));
                let size = (points(framed.width), points(framed.height));
                found.push(OnPage { page, left, bottom: top - size.1, size, told: framed.told.clone(), photo: framed.photo.clone() });
            }
            above += line.height;
        }
    }
    found
}

fn refused(error: impl std::fmt::Display) -> RenderError {
    RenderError::Writer { format: Format::Pdf, detail: error.to_string() }
}

/// The cut typeface; genpdf asks for four faces, the slanted ones are never used.
fn family() -> Result<FontFamily<FontData>, RenderError> {
    let regular = FontData::new(CUT.regular.to_vec(), None).map_err(refused)?;
    let bold = FontData::new(CUT.bold.to_vec(), None).map_err(refused)?;
    Ok(FontFamily { regular: regular.clone(), bold: bold.clone(), italic: regular, bold_italic: bold })
}

fn style(role: Role, size: u8) -> Style {
    let plain = Style::new().with_font_size(size).with_line_spacing(1.25);
    match role {
        Role::Title => plain.bold().with_font_size(size + 7).with_color(INK),
        Role::Institution => plain.bold().with_color(ACCENT),
        Role::Heading(1) => plain.bold().with_font_size(size + 3).with_color(ACCENT),
        Role::Heading(2) => plain.bold().with_font_size(size + 1).with_color(INK),
        Role::Heading(_) => plain.bold().with_color(MUTED),
        Role::Label => plain.with_color(MUTED),
        Role::Value | Role::Body => plain.with_color(INK),
        Role::TableHead => plain.bold().with_color(ACCENT),
        Role::Note => plain.with_font_size(size - 1).with_color(MUTED),
        Role::Warning => plain.bold().with_color(WARNING),
    }
}

fn micrometres(millimetres: f64) -> Length {
    (millimetres * 1000.0).round() as Length
}

fn millimetres(length: Length) -> Mm {
    Mm::from(f64::from(length) / 1000.0)
}

/// Measures characters with the document's fonts, each but once, and notes the ones they lack.
pub struct Ruler<'a> {
    fonts: &'a FontCache,
    size: u8,
    widths: HashMap<(Role, char), Length>,
    covered: HashMap<char, bool>,
    missing: BTreeSet<char>,
}

impl<'a> Ruler<'a> {
    fn new(fonts: &'a FontCache, size: u8) -> Self {
        Ruler { fonts, size, widths: HashMap::new(), covered: HashMap::new(), missing: BTreeSet::new() }
    }

    fn has(&mut self, character: char) -> bool {
        let fonts = self.fonts;
        *self.covered.entry(character).or_insert_with(|| {
            let family = fonts.default_font_family();
            [family.regular, family.bold].into_iter().all(|font| fonts.get_rt_font(font).glyph(character).id().0 != 0)
        })
    }

    /// Names the characters by number, since they cannot be shown.
    fn note_of_missing(&self) -> Option<String> {
        let numbers: Vec<String> = self.missing.iter().map(|letter| format!("U+{:04X}", u32::from(*letter))).collect();
        (!numbers.is_empty()).then(|| format!("Na mestu znakova kojih nema u pismu dokumenta stoji {REPLACEMENT}: {}.", numbers.join(", ")))
    }
}

impl Measure for Ruler<'_> {
    fn width(&mut self, role: Role, character: char) -> Length {
        let (fonts, size) = (self.fonts, self.size);
        *self.widths.entry((role, character)).or_insert_with(|| {
            let width: f64 = style(role, size).char_width(fonts, character).into();
            micrometres(width)
        })
    }

    fn line_height(&self, role: Role) -> Length {
        let height: f64 = style(role, self.size).line_height(self.fonts).into();
        micrometres(height)
    }

    fn covered(&mut self, text: &str) -> String {
        let shown = text.chars().map(|character| {
            if character == '\n' || self.has(character) {
                return character;
            }
            self.missing.insert(character);
            REPLACEMENT
        });
        shown.collect()
    }
}

/// The whole content: one page of lines at each call.
struct Pages {
    pages: std::vec::IntoIter<Vec<Line>>,
    size: u8,
}

impl Element for Pages {
    fn render(&mut self, context: &Context, area: Area<'_>, _: Style) -> Result<RenderResult, genpdf::error::Error> {
        let mut y: Length = 0;
        for line in self.pages.next().unwrap_or_default() {
            for piece in line.pieces.iter().filter(|piece| !piece.text.is_empty()) {
                let place = Position::new(millimetres(piece.x), millimetres(y));
                print(&area, context, place, style(piece.role, self.size), &piece.text)?;
            }
            if let Some(drawing) = &line.drawing {
                draw(drawing, y, &area, context, self.size)?;
            }
            y += line.height;
            if line.rule_below {
                let level = millimetres(y - 400);
                let ends = vec![Position::new(0, level), Position::new(area.size().width, level)];
                area.draw_line(ends, Style::new().with_color(HAIRLINE));
            }
        }
        Ok(RenderResult { size: area.size(), has_more: self.pages.len() > 0 })
    }
}

/// A picture whose upper edge lies at `y`.
fn draw(drawing: &Drawing, y: Length, area: &Area<'_>, context: &Context, size: u8) -> Result<(), genpdf::error::Error> {
    for stroke in &drawing.strokes {
        let points = stroke.points.iter().map(|(x, below)| Position::new(millimetres(*x), millimetres(y + below)));
        area.draw_line(points.collect(), Style::new().with_color(color(stroke.color)));
    }
    for word in &drawing.words {
        let place = Position::new(millimetres(word.x), millimetres(y + word.y));
        print(area, context, place, style(Role::Note, size), &word.text)?;
    }
    Ok(())
}

/// Prints or fails: text that does not fit must never vanish.
fn print(area: &Area<'_>, context: &Context, place: Position, style: Style, text: &str) -> Result<(), genpdf::error::Error> {
    if area.print_str(&context.font_cache, place, style, text)? {
        return Ok(());
    }
    Err(genpdf::error::Error::new("a line lies outside its page", genpdf::error::ErrorKind::PageSizeExceeded))
}

/// What the foot of a page leaves to its number.
const PAGE_NUMBER_ROOM: f64 = 40.0;

/// Running head and `Strana x od y` around the content of each page.
struct Decorator {
    running: String,
    made: String,
    page: usize,
    total: usize,
    width: f64,
    height: f64,
}

impl PageDecorator for Decorator {
    fn decorate_page<'a>(&mut self, context: &Context, mut area: Area<'a>, _: Style) -> Result<Area<'a>, genpdf::error::Error> {
        self.page += 1;
        let small = Style::new().with_font_size(7).with_color(MUTED);
        let inner = self.width - 2.0 * MARGIN_X;
        let rule = |y: f64| vec![Position::new(MARGIN_X, y), Position::new(self.width - MARGIN_X, y)];
        if self.page > 1 {
            let text = shortened(&self.running, inner, small, context);
            print(&area, context, Position::new(MARGIN_X, 11.0), small, &text)?;
            area.draw_line(rule(15.5), Style::new().with_color(HAIRLINE));
        }
        let foot = self.height - 13.0;
        area.draw_line(rule(foot - 1.5), Style::new().with_color(HAIRLINE));
        let page = format!("Strana {} od {}", self.page, self.total);
        print(&area, context, Position::new(MARGIN_X, foot), small, &page)?;
        let made = shortened(&self.made, inner - PAGE_NUMBER_ROOM, small, context);
        let made_width: f64 = small.str_width(&context.font_cache, &made).into();
        print(&area, context, Position::new(self.width - MARGIN_X - made_width, foot), small, &made)?;
        area.add_margins(Margins::trbl(MARGIN_TOP, MARGIN_X, MARGIN_BOTTOM, MARGIN_X));
        Ok(area)
    }
}

/// The title on one line; its whole text stands on the first page.
fn shortened(text: &str, width: f64, style: Style, context: &Context) -> String {
    let mut used = 0.0;
    let fits = |character: &char| {
        used += f64::from(style.char_width(&context.font_cache, *character));
        used < width - 4.0
    };
    let kept: String = text.chars().take_while(fits).collect();
    if kept.len() == text.len() { kept } else { format!("{kept}…") }
}
