//! Pages of A4 on which texts, lines and boxes are put from the top to the bottom, as a PDF.

use std::{collections::BTreeMap, io::Write};

use domain::picture::Photo;
use flate2::{Compression, write::ZlibEncoder};
use pdf_writer::{
    Content, Filter, Finish, Name, Pdf, Rect, Ref, Str, TextStr,
    types::{CidFontType, FontFlags, SystemInfo, UnicodeCmap},
};
use ttf_parser::Face;

/// In points, as everything here.
const PAGE: (f32, f32) = (595.28, 841.89);
const MARGIN: f32 = 48.0;
const FOOT: f32 = 30.0;
pub const WIDTH: f32 = PAGE.0 - 2.0 * MARGIN;
/// What one page holds.
pub const HEIGHT: f32 = PAGE.1 - 2.0 * MARGIN;
const FOOT_SIZE: f32 = 8.0;

const REGULAR: &[u8] = include_bytes!("../../../../../report-engine/fonts/DejaVuSans-serbian.ttf");
const BOLD: &[u8] = include_bytes!("../../../../../report-engine/fonts/DejaVuSans-Bold-serbian.ttf");
const IDENTITY: SystemInfo = SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"Identity"), supplement: 0 };
const UCS: SystemInfo = SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"UCS"), supplement: 0 };

/// How a text is set.
#[derive(Clone, Copy)]
pub struct Manner {
    pub size: f32,
    pub is_bold: bool,
    /// 0 is black.
    pub grey: f32,
}

impl Manner {
    pub const fn plain(size: f32) -> Self {
        Self { size, is_bold: false, grey: 0.0 }
    }

    pub const fn bold(size: f32) -> Self {
        Self { size, is_bold: true, grey: 0.0 }
    }

    pub const fn muted(size: f32) -> Self {
        Self { size, is_bold: false, grey: 0.35 }
    }

    /// From one line to the next.
    pub fn leading(self) -> f32 {
        self.size * 1.35
    }
}

struct Typeface {
    face: Face<'static>,
    data: &'static [u8],
    name: &'static str,
    /// Of the glyphs in use, the letter of each.
    used: BTreeMap<u16, char>,
}

impl Typeface {
    fn new(data: &'static [u8], name: &'static str) -> anyhow::Result<Self> {
        Ok(Self { face: Face::parse(data, 0)?, data, name, used: BTreeMap::new() })
    }

    fn glyph(&self, letter: char) -> u16 {
        let found = self.face.glyph_index(letter).or_else(|| self.face.glyph_index('?'));
        found.map_or(0, |glyph| glyph.0)
    }

    /// In thousandths of the size.
    fn width_of(&self, glyph: u16) -> f32 {
        let advance = self.face.glyph_hor_advance(ttf_parser::GlyphId(glyph)).unwrap_or_default();
        f32::from(advance) * 1000.0 / f32::from(self.face.units_per_em())
    }
}

/// A picture that a page shows.
struct PagePicture {
    id: Ref,
    photo: Photo,
}

pub struct Paper {
    regular: Typeface,
    bold: Typeface,
    pages: Vec<Content>,
    pictures: Vec<PagePicture>,
    /// Where the next thing begins, from the bottom of the page.
    y: f32,
    foot: String,
}

impl Paper {
    pub fn new(foot: &str) -> anyhow::Result<Self> {
        let mut paper = Self {
            regular: Typeface::new(REGULAR, "DejaVuSans")?,
            bold: Typeface::new(BOLD, "DejaVuSans-Bold")?,
            pages: Vec::new(),
            pictures: Vec::new(),
            y: 0.0,
            foot: foot.to_owned(),
        };
        paper.turn();
        Ok(paper)
    }

    fn turn(&mut self) {
        self.pages.push(Content::new());
        self.y = PAGE.1 - MARGIN;
    }

    /// Makes sure that so much fits below each other: what is one field stands on one page.
    pub fn keep(&mut self, height: f32) {
        if self.y - height < MARGIN && self.y < PAGE.1 - MARGIN {
            self.turn();
        }
    }

    pub fn skip(&mut self, height: f32) {
        self.y -= height;
    }

    fn typeface(&mut self, manner: Manner) -> &mut Typeface {
        if manner.is_bold { &mut self.bold } else { &mut self.regular }
    }

    pub fn width(&mut self, manner: Manner, text: &str) -> f32 {
        let typeface = self.typeface(manner);
        text.chars().map(|letter| typeface.width_of(typeface.glyph(letter))).sum::<f32>() * manner.size / 1000.0
    }

    /// The text in lines that are no wider than this; a word that is wider is parted.
    pub fn lines(&mut self, manner: Manner, text: &str, width: f32) -> Vec<String> {
        let mut found = Vec::new();
        for part in text.lines() {
            let mut line = String::new();
            for word in part.split_whitespace() {
                let longer = if line.is_empty() { word.to_owned() } else { format!("{line} {word}") };
                if self.width(manner, &longer) <= width {
                    line = longer;
                    continue;
                }
                if !line.is_empty() {
                    found.push(std::mem::take(&mut line));
                }
                for letter in word.chars() {
                    line.push(letter);
                    if self.width(manner, &line) > width && line.chars().count() > 1 {
                        line.pop();
                        found.push(std::mem::replace(&mut line, letter.to_string()));
                    }
                }
            }
            found.push(line);
        }
        if found.is_empty() { vec![String::new()] } else { found }
    }

    /// One line at this distance from the left margin, its base so much below where the paper stands.
    pub fn put(&mut self, manner: Manner, text: &str, x: f32, below: f32) {
        let (x, y) = (MARGIN + x, self.y - below);
        let typeface = self.typeface(manner);
        let mut codes = Vec::with_capacity(text.len() * 2);
        for letter in text.chars() {
            let glyph = typeface.glyph(letter);
            typeface.used.entry(glyph).or_insert(letter);
            codes.extend(glyph.to_be_bytes());
        }
        self.write(manner, &codes, x, y);
    }

    fn write(&mut self, manner: Manner, codes: &[u8], x: f32, y: f32) {
        let Some(page) = self.pages.last_mut() else { return };
        let font: &[u8] = if manner.is_bold { b"B" } else { b"R" };
        page.set_fill_gray(manner.grey);
        page.begin_text().set_font(Name(font), manner.size).set_text_matrix([1.0, 0.0, 0.0, 1.0, x, y]).show(Str(codes));
        page.end_text();
    }

    /// Lines one below the other; gives how high they are.
    pub fn put_lines(&mut self, manner: Manner, lines: &[String], x: f32, below: f32) -> f32 {
        for (at, line) in lines.iter().enumerate() {
            self.put(manner, line, x, below + manner.size + at as f32 * manner.leading());
        }
        lines.len() as f32 * manner.leading()
    }

    /// A line to write on, or one that parts.
    pub fn rule(&mut self, from: f32, to: f32, below: f32, thickness: f32) {
        let y = self.y - below;
        let Some(page) = self.pages.last_mut() else { return };
        page.set_stroke_gray(0.3).set_line_width(thickness);
        page.move_to(MARGIN + from, y).line_to(MARGIN + to, y).stroke();
    }

    /// A box to tick, or a cell of a table; its upper edge so much below where the paper stands.
    pub fn frame(&mut self, x: f32, below: f32, width: f32, height: f32) {
        let y = self.y - below - height;
        let Some(page) = self.pages.last_mut() else { return };
        page.set_stroke_gray(0.3).set_line_width(0.7).rect(MARGIN + x, y, width, height).stroke();
    }

    /// As wide as the paper, or lower where it would be higher than this.
    pub fn picture(&mut self, bytes: &[u8], most: f32) -> bool {
        let Some(photo) = Photo::read(bytes, 1600) else { return false };
        let (wide, high) = (photo.width as f32, photo.height as f32);
        let scale = (WIDTH / wide).min(most / high);
        let (width, height) = (wide * scale, high * scale);
        self.keep(height);
        let name = format!("P{}", self.pictures.len());
        let y = self.y - height;
        if let Some(page) = self.pages.last_mut() {
            page.save_state().transform([width, 0.0, 0.0, height, MARGIN, y]).x_object(Name(name.as_bytes())).restore_state();
        }
        self.pictures.push(PagePicture { id: Ref::new(10 + self.pictures.len() as i32), photo });
        self.skip(height);
        true
    }

    /// The bytes of the file, with the number of each page at its foot.
    pub fn finish(mut self, title: &str) -> anyhow::Result<Vec<u8>> {
        let count = self.pages.len();
        let mut pages = std::mem::take(&mut self.pages);
        let manner = Manner::muted(FOOT_SIZE);
        let foot = self.foot.clone();
        let name = self.lines(manner, &foot, WIDTH - 90.0).into_iter().next().unwrap_or_default();
        for (at, page) in pages.drain(..).enumerate() {
            let number = format!("Strana {} od {count}", at + 1);
            let width = self.width(manner, &number);
            self.pages.push(page);
            self.y = FOOT;
            self.put(manner, &name, 0.0, 0.0);
            self.put(manner, &number, WIDTH - width, 0.0);
        }
        let mut pdf = Pdf::new();
        let [catalog, tree, info, regular, bold] = [1, 2, 3, 4, 5].map(Ref::new);
        let mut next = 10 + self.pictures.len() as i32;
        let mut fresh = || {
            next += 1;
            Ref::new(next)
        };
        let kids: Vec<(Ref, Ref)> = (0..count).map(|_| (fresh(), fresh())).collect();
        pdf.catalog(catalog).pages(tree).lang(TextStr("sr-Latn-RS"));
        pdf.document_info(info).title(TextStr(title)).producer(TextStr(concat!("Regix ", env!("CARGO_PKG_VERSION"))));
        pdf.pages(tree).kids(kids.iter().map(|(page, _)| *page)).count(i32::try_from(count)?);
        for ((id, content), drawn) in kids.iter().zip(std::mem::take(&mut self.pages)) {
            let mut page = pdf.page(*id);
            page.parent(tree).media_box(Rect::new(0.0, 0.0, PAGE.0, PAGE.1)).contents(*content);
            let mut resources = page.resources();
            resources.fonts().pair(Name(b"R"), regular).pair(Name(b"B"), bold);
            let mut pictures = resources.x_objects();
            for (at, one) in self.pictures.iter().enumerate() {
                pictures.pair(Name(format!("P{at}").as_bytes()), one.id);
            }
            pictures.finish();
            resources.finish();
            page.finish();
            pdf.stream(*content, &deflated(&drawn.finish())?).filter(Filter::FlateDecode);
        }
        for PagePicture { id, photo } in &self.pictures {
            let mut image = pdf.image_xobject(*id, &photo.jpeg);
            image.width(i32::try_from(photo.width)?).height(i32::try_from(photo.height)?);
            image.color_space().device_rgb();
            image.bits_per_component(8);
            image.filter(Filter::DctDecode);
        }
        for (id, typeface) in [(regular, &self.regular), (bold, &self.bold)] {
            embed(&mut pdf, id, typeface, &mut fresh)?;
        }
        Ok(pdf.finish())
    }
}

fn deflated(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes)?;
    encoder.finish()
}

fn embed(pdf: &mut Pdf, id: Ref, typeface: &Typeface, fresh: &mut impl FnMut() -> Ref) -> anyhow::Result<()> {
    let [descendant, descriptor, file, to_unicode] = std::array::from_fn(|_| fresh());
    let (face, base) = (&typeface.face, Name(typeface.name.as_bytes()));
    let data = deflated(typeface.data)?;
    pdf.stream(file, &data).filter(Filter::FlateDecode).pair(Name(b"Length1"), i32::try_from(typeface.data.len())?);
    let mut map = UnicodeCmap::<u16>::new(Name(b"Regix-Unicode"), UCS);
    for (glyph, letter) in &typeface.used {
        map.pair(*glyph, *letter);
    }
    let data = deflated(map.finish().as_slice())?;
    pdf.cmap(to_unicode, &data).filter(Filter::FlateDecode);
    let scale = 1000.0 / f32::from(face.units_per_em());
    let scaled = |units: i16| f32::from(units) * scale;
    let bounds = face.global_bounding_box();
    let mut written = pdf.font_descriptor(descriptor);
    written.name(base).flags(FontFlags::SYMBOLIC).italic_angle(0.0);
    written.bbox(Rect::new(scaled(bounds.x_min), scaled(bounds.y_min), scaled(bounds.x_max), scaled(bounds.y_max)));
    written.ascent(scaled(face.ascender())).descent(scaled(face.descender())).cap_height(scaled(face.capital_height().unwrap_or(0)));
    written.stem_v(if face.is_bold() { 140.0 } else { 80.0 }).font_file2(file);
    written.finish();
    let mut cid = pdf.cid_font(descendant);
    cid.subtype(CidFontType::Type2).base_font(base).system_info(IDENTITY).font_descriptor(descriptor);
    cid.default_width(0.0).cid_to_gid_map_predefined(Name(b"Identity"));
    cid.widths().consecutive(0, (0..face.number_of_glyphs()).map(|glyph| typeface.width_of(glyph)));
    cid.finish();
    pdf.type0_font(id).base_font(base).encoding_predefined(Name(b"Identity-H")).descendant_font(descendant).to_unicode(to_unicode);
    Ok(())
}
