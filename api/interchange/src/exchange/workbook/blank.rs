//! The blank form: a label and a place for the answer, line by line, on A4.

use base64::{Engine, prelude::BASE64_STANDARD};
use domain::register::ValueType;
use rust_xlsxwriter::{Format, FormatAlign, FormatBorder, Image, Worksheet, XlsxError};

use super::{Form, fit, number};
use crate::import::definition::{AttributeType, FieldDefinition};

/// Narrow ones: a line joins some for its label and the others for the answer, a table shares them out.
const COLUMNS: u16 = 12;
const LABEL: u16 = 5;
const COLUMN_WIDTH: f64 = 7.5;
/// Letters that fit beside each other.
const LABEL_LETTERS: usize = 36;
const ANSWER_LETTERS: usize = 50;
/// In points; a row of Excel is not higher than 409.
const LINE: f64 = 16.0;
const HIGHEST: f64 = 400.0;
/// In pixels of the whole width.
const PICTURE: (f64, f64) = (680.0, 390.0);
const BLANK_ROWS: usize = 5;
/// Of a section as a table; one with more is drawn line by line.
const MOST_COLUMNS: usize = 6;
/// Options that stand each on its own line.
const MOST_LISTED: usize = 12;
const A4: u8 = 9;

pub fn draw(sheet: &mut Worksheet, form: &Form<'_>) -> Result<(), XlsxError> {
    sheet.set_name("formular")?;
    sheet.set_paper_size(A4);
    sheet.set_print_fit_to_pages(1, 0);
    let name: String = form.own.naziv.chars().take(100).collect();
    sheet.set_footer(format!("&L{}&R&P / &N", name.replace('&', "&&")));
    for column in 0..COLUMNS {
        sheet.set_column_width(column, COLUMN_WIDTH)?;
    }
    let mut page = Page { sheet, next: 0, formats: Formats::new() };
    page.whole(&form.own.naziv, Manner::Title)?;
    for label in ["Pacijent", "Datum pregleda", "Lekar"] {
        page.line(label, "", 1)?;
    }
    for field in form.all() {
        let around = form.around(field);
        let is_hidden = !field.own.prikazuje_se || around.iter().any(|holder| !holder.own.prikazuje_se);
        let is_drawn_with_holder = around.iter().any(|holder| holder.own.ponavlja_se || form.kind(holder) == Some(ValueType::Image));
        if let Some(known) = form.type_of(field).filter(|_| !is_hidden && !is_drawn_with_holder) {
            page.field(form, field, known)?;
        }
    }
    Ok(())
}

#[derive(Clone, Copy)]
enum Manner {
    Title,
    Tab,
    Panel,
    Heading,
}

struct Formats {
    title: Format,
    tab: Format,
    panel: Format,
    heading: Format,
    label: Format,
    answer: Format,
    head: Format,
}

impl Formats {
    fn new() -> Self {
        let text = || Format::new().set_text_wrap().set_align(FormatAlign::Top);
        Self {
            title: text().set_bold().set_font_size(15),
            tab: text().set_bold().set_font_size(13).set_border_bottom(FormatBorder::Medium),
            panel: text().set_bold().set_border_bottom(FormatBorder::Thin),
            heading: text().set_italic(),
            label: text(),
            answer: text().set_border(FormatBorder::Thin),
            head: text().set_bold().set_border(FormatBorder::Thin),
        }
    }
}

struct Page<'a> {
    sheet: &'a mut Worksheet,
    next: u32,
    formats: Formats,
}

impl Page<'_> {
    fn field(&mut self, form: &Form<'_>, field: &FieldDefinition, known: &AttributeType) -> Result<(), XlsxError> {
        let name = &field.own.naziv;
        match known.tip_vrednosti {
            ValueType::Tab => self.whole(name, Manner::Tab),
            ValueType::Panel if field.own.ponavlja_se => {
                self.whole(name, Manner::Panel)?;
                self.table(form, field)
            }
            ValueType::Panel => self.whole(name, Manner::Panel),
            ValueType::Heading => self.whole(name, Manner::Heading),
            ValueType::Image => {
                self.whole(name, Manner::Panel)?;
                self.picture(field)
            }
            ValueType::Chart | ValueType::Separator => Ok(()),
            _ => {
                let (answer, lines) = answer(field, known);
                self.line(&label(form, field), &answer, lines)
            }
        }
    }

    fn whole(&mut self, text: &str, manner: Manner) -> Result<(), XlsxError> {
        let format = match manner {
            Manner::Title => &self.formats.title,
            Manner::Tab => &self.formats.tab,
            Manner::Panel => &self.formats.panel,
            Manner::Heading => &self.formats.heading,
        };
        self.sheet.merge_range(self.next, 0, self.next, COLUMNS - 1, &fit(text), format)?;
        let lines = lines_of(text, LABEL_LETTERS + ANSWER_LETTERS);
        self.sheet.set_row_height(self.next, (LINE * (lines as f64 + 0.5)).min(HIGHEST))?;
        self.next += 1;
        Ok(())
    }

    fn line(&mut self, label: &str, answer: &str, lines: usize) -> Result<(), XlsxError> {
        let lines = lines.max(lines_of(label, LABEL_LETTERS));
        self.sheet.merge_range(self.next, 0, self.next, LABEL - 1, &fit(label), &self.formats.label)?;
        self.sheet.merge_range(self.next, LABEL, self.next, COLUMNS - 1, &fit(answer), &self.formats.answer)?;
        self.sheet.set_row_height(self.next, (LINE * (lines as f64 + 0.25)).min(HIGHEST))?;
        self.next += 1;
        Ok(())
    }

    /// Blank rows under the names of the columns.
    fn table(&mut self, form: &Form<'_>, section: &FieldDefinition) -> Result<(), XlsxError> {
        let is_column = |field: &&FieldDefinition| {
            let holds = form.kind(field).is_some_and(ValueType::holds_value);
            holds && field.own.prikazuje_se && form.around(field).iter().any(|holder| holder.sifra == section.sifra)
        };
        let columns: Vec<&FieldDefinition> = form.all().filter(is_column).collect();
        if columns.len() > MOST_COLUMNS {
            for row in 1..=2 {
                self.whole(&format!("{row}."), Manner::Heading)?;
                for (field, known) in columns.iter().filter_map(|field| Some((field, form.type_of(field)?))) {
                    let (answer, lines) = answer(field, known);
                    self.line(&label(form, field), &answer, lines)?;
                }
            }
            return Ok(());
        }
        let names: Vec<String> = columns.iter().map(|field| label(form, field)).collect();
        self.row(&names, 2, true)?;
        for _ in 0..BLANK_ROWS {
            self.row(&vec![String::new(); columns.len()], 1, false)?;
        }
        Ok(())
    }

    fn row(&mut self, cells: &[String], lines: usize, is_head: bool) -> Result<(), XlsxError> {
        let Ok(count @ 1..) = u16::try_from(cells.len()) else { return Ok(()) };
        let format = if is_head { &self.formats.head } else { &self.formats.answer };
        let mut from = 0;
        for (at, text) in (0_u16..).zip(cells) {
            let span = COLUMNS / count + u16::from(at < COLUMNS % count);
            self.sheet.merge_range(self.next, from, self.next, from + span - 1, &fit(text), format)?;
            from += span;
        }
        self.sheet.set_row_height(self.next, LINE * (lines as f64 + 0.5))?;
        self.next += 1;
        Ok(())
    }

    /// What is touched on it is marked by hand.
    fn picture(&mut self, field: &FieldDefinition) -> Result<(), XlsxError> {
        let bytes = field.own.background_image.as_deref().and_then(|text| BASE64_STANDARD.decode(text).ok());
        let Some(image) = bytes.and_then(|bytes| Image::new_from_buffer(&bytes).ok()) else { return Ok(()) };
        let image = image.set_scale_to_size(PICTURE.0, PICTURE.1, true).set_alt_text(field.own.naziv.chars().take(100).collect::<String>());
        self.sheet.set_row_height(self.next, HIGHEST * 0.75)?;
        self.sheet.insert_image(self.next, 0, &image)?;
        self.next += 1;
        Ok(())
    }
}

fn label(form: &Form<'_>, field: &FieldDefinition) -> String {
    let star = if field.own.opcioni { "" } else { " *" };
    let asked = field.own.formula_za_prikaz.as_deref().map(|formula| format!("\nsamo ako: {}", form.told(formula)));
    format!("{}{star}{}", field.own.naziv, asked.unwrap_or_default())
}

/// What stands in the place for the answer, and how many lines it needs.
fn answer(field: &FieldDefinition, known: &AttributeType) -> (String, usize) {
    if field.own.formula_za_racunanje.is_some() {
        return ("(računa se)".to_owned(), 1);
    }
    let (day, time) = ("____ . ____ . ________ .", "____ : ____");
    let text = match known.tip_vrednosti {
        ValueType::Choice => "☐ Da      ☐ Ne".to_owned(),
        ValueType::Set => options(known),
        ValueType::Number => measure(known),
        ValueType::Date => day.to_owned(),
        ValueType::Time => time.to_owned(),
        ValueType::Moment => format!("{day}      {time}"),
        ValueType::File => "(prilaže se)".to_owned(),
        _ => String::new(),
    };
    let lines = if known.tip_vrednosti == ValueType::Text { 2 } else { lines_of(&text, ANSWER_LETTERS) };
    (text, lines)
}

fn options(known: &AttributeType) -> String {
    let boxes: Vec<String> = known.stavke.iter().filter(|item| item.moze_se_izabrati).map(|item| format!("☐ {}", item.naziv)).collect();
    boxes.join(if boxes.len() > MOST_LISTED { "    " } else { "\n" })
}

/// The unit and the bounds, behind the place for the number.
fn measure(known: &AttributeType) -> String {
    let own = &known.own;
    let bounds = match (own.donja_granica_brojne_vrednosti, own.gornja_granica_brojne_vrednosti) {
        (Some(low), Some(high)) => format!("({}–{})", number(low), number(high)),
        (Some(low), None) => format!("(od {})", number(low)),
        (None, Some(high)) => format!("(do {})", number(high)),
        (None, None) => String::new(),
    };
    let behind = [own.jedinica.clone().unwrap_or_default(), bounds].join("  ");
    format!("____________  {}", behind.trim()).trim_end().to_owned()
}

fn lines_of(text: &str, letters: usize) -> usize {
    text.lines().map(|line| line.chars().count().div_ceil(letters).max(1)).sum::<usize>().max(1)
}
