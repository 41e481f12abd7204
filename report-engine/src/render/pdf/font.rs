//! The report's typeface: which glyph a character has, how wide it is, and the one-byte code it is written with.
//!
//! A PDF font addressed by one byte holds 255 glyphs, so a face is cut into as many such pages as the text needs; the
//! pages fill up in the order in which characters are first used, and each is embedded as a subset at the end.
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use subsetter::GlyphRemapper;
use ttf_parser::GlyphId;

use crate::render::direction::{may_turn, visual};
use crate::render::look::{REPLACEMENT, WHOLE};
use crate::render::wrap::wrap;

/// Characters below this are looked up in a table, the rest in a map.
const DIRECT: usize = 0x2800;
const CODES_PER_PAGE: usize = 255;
/// Codes that stand for no glyph: in a literal string they would have to be escaped.
const UNUSED: [usize; 4] = [b'\r' as usize, b'(' as usize, b')' as usize, b'\\' as usize];
/// Blanks of odd widths, of which a page takes those that its text has not to fill the unused codes.
const FILLERS: std::ops::RangeInclusive<char> = '\u{2000}'..='\u{200A}';

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    Regular,
    Bold,
}

impl Weight {
    /// The letter that begins the resource names of this weight.
    pub fn letter(self) -> u8 {
        match self {
            Weight::Regular => b'R',
            Weight::Bold => b'B',
        }
    }
}

/// Neighbouring characters of one font page.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    pub page: u8,
    pub start: usize,
    pub end: usize,
    /// The character that the font lacks, when the run shows the replacement sign for it.
    pub stands_for: Option<char>,
}

pub struct Fonts {
    regular: Face,
    bold: Face,
    missing: BTreeSet<char>,
}

impl Fonts {
    pub fn new() -> Self {
        let regular = Face::new(WHOLE.regular, "DejaVuSans");
        let bold = Face::new(WHOLE.bold, "DejaVuSans-Bold");
        Fonts { regular, bold, missing: BTreeSet::new() }
    }

    pub fn face(&mut self, weight: Weight) -> &mut Face {
        match weight {
            Weight::Regular => &mut self.regular,
            Weight::Bold => &mut self.bold,
        }
    }

    /// Every face with the weight it serves.
    pub fn faces(&self) -> [(Weight, &Face); 2] {
        [(Weight::Regular, &self.regular), (Weight::Bold, &self.bold)]
    }

    /// Characters that were asked for and are not in the typeface.
    pub fn missing(&self) -> Vec<char> {
        self.missing.iter().copied().collect()
    }

    /// The width of a text in thousandths of its size.
    pub fn width(&mut self, weight: Weight, text: &str) -> u32 {
        let face = self.face(weight);
        text.chars().map(|character| u32::from(face.glyph(character).width)).sum()
    }

    /// Appends the lines of `text` for a place of `width` thousandths of its size.
    pub fn wrap(&mut self, weight: Weight, text: &str, width: u32, lines: &mut Vec<Range<usize>>) {
        let face = self.face(weight);
        wrap(text, width, lines, |character| u32::from(face.glyph(character).width));
    }

    /// Replaces `codes` by those of a text of which every letter is on the first page of its weight; returns its width in thousandths of
    /// its size. Nothing where a letter is not, has not been seen before, or may run from right to left: [`Fonts::encode`] draws all.
    pub fn encode_plain(&mut self, weight: Weight, text: &str, codes: &mut Vec<u8>) -> Option<u32> {
        let face = self.face(weight);
        let (mut width, mut is_plain, mut count) = (0, true, 0);
        codes.resize(text.len(), 0);
        let mut put = |glyph: Glyph| {
            width += u32::from(glyph.width);
            is_plain &= glyph.is_plain;
            codes[count] = glyph.code;
            count += 1;
        };
        if may_turn(text) {
            return None;
        }
        if text.is_ascii() {
            text.bytes().for_each(|byte| put(face.table[usize::from(byte)]));
        } else {
            text.chars().for_each(|character| put(face.table.get(character as usize).copied().unwrap_or(UNKNOWN)));
        }
        codes.truncate(count);
        is_plain.then_some(width)
    }

    /// Appends the codes of `text` and the runs they fall into; returns the width.
    pub fn encode(&mut self, weight: Weight, text: &str, out: &mut Vec<u8>, runs: &mut Vec<Run>) -> u32 {
        let mut width = 0;
        let face = match weight {
            Weight::Regular => &mut self.regular,
            Weight::Bold => &mut self.bold,
        };
        let mut run = Run { page: 0, start: out.len(), end: out.len(), stands_for: None };
        for character in visual(text).chars() {
            let glyph = face.glyph(character);
            width += u32::from(glyph.width);
            let stands_for = glyph.is_replacement.then_some(character);
            if glyph.page != run.page || stands_for.is_some() || run.stands_for.is_some() {
                close_run(runs, &mut run, out.len());
                run.page = glyph.page;
                run.stands_for = stands_for;
                self.missing.extend(stands_for);
            }
            out.push(glyph.code);
        }
        close_run(runs, &mut run, out.len());
        width
    }
}

fn close_run(runs: &mut Vec<Run>, run: &mut Run, end: usize) {
    run.end = end;
    if run.start < run.end {
        runs.push(*run);
    }
    run.start = end;
}

#[derive(Clone, Copy)]
pub struct Glyph {
    /// Advance in thousandths of the text size.
    pub width: u16,
    page: u8,
    /// 0 marks an empty place of the table.
    code: u8,
    is_replacement: bool,
    /// Its own glyph, on the first page.
    is_plain: bool,
}

const UNKNOWN: Glyph = Glyph { width: 0, page: 0, code: 0, is_replacement: false, is_plain: false };

/// One weight of the typeface.
pub struct Face {
    pub name: &'static str,
    pub data: &'static [u8],
    pub parsed: ttf_parser::Face<'static>,
    pub pages: Vec<FontPage>,
    table: Vec<Glyph>,
    others: HashMap<char, Glyph>,
    /// The code each glyph already has: several characters may share a glyph.
    codes: HashMap<u16, (u8, u8)>,
}

/// Up to 255 glyphs that are embedded as one font.
pub struct FontPage {
    pub glyphs: GlyphRemapper,
    /// Character and width by code; code 0 is the missing glyph and stays unused, as do those of [`UNUSED`], without a character.
    pub codes: Vec<(char, u16)>,
}

impl FontPage {
    fn new() -> Self {
        FontPage { glyphs: GlyphRemapper::new(), codes: vec![('\0', 0)] }
    }
}

impl Face {
    fn new(data: &'static [u8], name: &'static str) -> Self {
        let parsed = ttf_parser::Face::parse(data, 0).expect("the embedded font is a valid font file");
        Face {
            name,
            data,
            parsed,
            pages: vec![FontPage::new()],
            table: vec![UNKNOWN; DIRECT],
            others: HashMap::new(),
            codes: HashMap::new(),
        }
    }

    #[inline]
    pub fn glyph(&mut self, character: char) -> Glyph {
        match self.table.get(character as usize) {
            Some(glyph) if glyph.code != 0 => *glyph,
            _ => self.find(character),
        }
    }

    #[cold]
    fn find(&mut self, character: char) -> Glyph {
        if let Some(glyph) = self.others.get(&character) {
            return *glyph;
        }
        let own = self.parsed.glyph_index(character);
        let glyph_id = own.or_else(|| self.parsed.glyph_index(REPLACEMENT)).unwrap_or(GlyphId(0));
        let advance = self.parsed.glyph_hor_advance(glyph_id).unwrap_or(0);
        let width = (f32::from(advance) * 1000.0 / f32::from(self.parsed.units_per_em())).round() as u16;
        let shown = if own.is_some() { character } else { REPLACEMENT };
        let (page, code) = self.code(glyph_id.0, shown, width);
        let is_replacement = own.is_none();
        let glyph = Glyph { width, page, code, is_replacement, is_plain: page == 0 && !is_replacement };
        match self.table.get_mut(character as usize) {
            Some(place) => *place = glyph,
            None => {
                self.others.insert(character, glyph);
            }
        }
        glyph
    }

    /// The page and code of a glyph. Characters of one glyph (a hyphen and a soft hyphen) are told apart for
    /// extraction, as far as there is room: each gets its own page then.
    fn code(&mut self, glyph: u16, character: char, width: u16) -> (u8, u8) {
        if let Some((page, code)) = self.codes.get(&glyph) {
            let known = self.pages[usize::from(*page)].codes[usize::from(*code)].0;
            if known == character {
                return (*page, *code);
            }
        }
        let room = self.pages.iter().position(|page| page.codes.len() <= CODES_PER_PAGE && page.glyphs.get(glyph).is_none());
        let page = room.unwrap_or_else(|| {
            self.pages.push(FontPage::new());
            self.pages.len() - 1
        });
        let font_page = &mut self.pages[page];
        while UNUSED.contains(&font_page.codes.len()) {
            let mut fillers = FILLERS.filter_map(|blank| self.parsed.glyph_index(blank));
            let filler = fillers.find(|filler| filler.0 != glyph && font_page.glyphs.get(filler.0).is_none());
            font_page.glyphs.remap(filler.expect("the typeface has more such blanks than unused codes").0);
            font_page.codes.push(('\0', 0));
        }
        let code = font_page.glyphs.remap(glyph) as u8;
        font_page.codes.push((character, width));
        self.codes.insert(glyph, (page as u8, code));
        (page as u8, code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn serbian_letters_of_both_scripts_have_glyphs() {
        let mut fonts = Fonts::new();
        fonts.width(Weight::Bold, "čćžšđČĆŽŠĐ „ljiljan“ – љњћђџЉЊЋЂЏ");
        fonts.encode(Weight::Regular, "čćžšđČĆŽŠĐ „ljiljan“ – љњћђџЉЊЋЂЏ", &mut Vec::new(), &mut Vec::new());
        assert!(fonts.missing().is_empty());
    }

    #[test]
    fn more_than_255_characters_open_a_second_page() {
        let mut fonts = Fonts::new();
        let many: String = (0x20u32..0x7f).chain(0xa1..0xad).chain(0xae..0x180).chain(0x400..0x460).filter_map(char::from_u32).collect();
        let (mut bytes, mut runs) = (Vec::new(), Vec::new());
        fonts.encode(Weight::Regular, &many, &mut bytes, &mut runs);
        assert!(runs.iter().any(|run| run.page == 1));
        let codes: usize = fonts.face(Weight::Regular).pages.iter().map(|page| page.codes.len() - 1).sum();
        assert!(codes >= many.chars().count());
    }

    #[test]
    fn a_character_without_glyph_is_noted_and_stood_in_for() {
        let mut fonts = Fonts::new();
        let (mut bytes, mut runs) = (Vec::new(), Vec::new());
        fonts.encode(Weight::Regular, "a漢b", &mut bytes, &mut runs);
        assert_eq!(fonts.missing(), ['漢']);
        assert_eq!(runs.iter().map(|run| run.stands_for).collect::<Vec<_>>(), [None, Some('漢'), None]);
    }

    #[test]
    fn no_code_has_to_be_escaped_and_each_is_the_place_of_its_glyph() {
        let mut fonts = Fonts::new();
        let many: String =
            (0x20u32..0x7f).chain(0xa1..0x180).chain(0x400..0x460).chain(0x2000..0x200b).filter_map(char::from_u32).collect();
        let (mut codes, mut runs) = (Vec::new(), Vec::new());
        fonts.encode(Weight::Bold, &many, &mut codes, &mut runs);
        assert!(!codes.iter().any(|code| UNUSED.contains(&usize::from(*code))));
        for page in &fonts.face(Weight::Bold).pages {
            assert_eq!(page.codes.len(), usize::from(page.glyphs.num_gids()));
            assert!(page.codes.len() <= CODES_PER_PAGE + 1);
        }
    }

    #[test]
    fn a_plain_text_has_the_codes_that_encoding_gives_it() {
        let mut fonts = Fonts::new();
        let (mut codes, mut plain, mut runs) = (Vec::new(), Vec::new(), Vec::new());
        let text = "Živana (72) \\ M05.1";
        assert_eq!(fonts.encode_plain(Weight::Regular, text, &mut plain), None, "no letter has been seen");
        let width = fonts.encode(Weight::Regular, text, &mut codes, &mut runs);
        assert_eq!(fonts.encode_plain(Weight::Regular, text, &mut plain), Some(width));
        assert_eq!(plain, codes);
        for strange in ["a漢", "a\nb"] {
            fonts.encode(Weight::Regular, strange, &mut codes, &mut runs);
            assert_eq!(fonts.encode_plain(Weight::Regular, strange, &mut plain), None);
        }
    }
}
