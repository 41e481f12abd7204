//! The cell formats of a workbook: made once, picked by column, kind of value and weight of the line.
use std::collections::HashMap;

use domain::shown::decimals;
use rust_xlsxwriter::{Color, Format, FormatAlign, FormatBorder, Workbook};

use crate::plan::{CellFormat, Column, Value};

pub const WARNING_COLOR: Color = Color::RGB(0xA8_1C_1C);
const WARNING_FILL: Color = Color::RGB(0xFC_EB_E9);
const ACCENT: Color = Color::RGB(0x1B_56_7A);
const HEAD_FILL: Color = Color::RGB(0xE4_ED_F3);
const GROUP_FILL: Color = Color::RGB(0xEC_F2_F6);
const MUTED: Color = Color::RGB(0x60_6A_74);
/// More decimals than that come only from divisions.
const MAX_DECIMALS: u32 = 10;

/// What a line of the sheet is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Weight {
    Body,
    /// A cell of a body that catches the eye.
    Emphasis,
    Plain,
    Group,
    Subtotal,
    Summary,
    Warning,
}

/// What a cell is shown as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    Text,
    Whole,
    Decimals(u8),
    Date,
    Moment,
    /// By the mask that its column declares.
    Masked,
}

pub struct Formats {
    pub title: Format,
    pub note: Format,
    pub wrapped_note: Format,
    pub head: Format,
    pub head_right: Format,
    plain: Format,
    group: Format,
    warning: Format,
    subtotal_label: Format,
    summary_label: Format,
    body: Kinds,
    emphasis: Kinds,
    subtotal: Kinds,
    summary: Kinds,
    masks: Vec<Option<CellFormat>>,
}

/// The formats of one weight.
struct Kinds {
    text: Format,
    whole: Format,
    /// By number of decimals.
    decimals: Vec<Format>,
    date: Format,
    moment: Format,
    /// By column: its mask, or plain text.
    masked: Vec<Format>,
}

impl Formats {
    pub fn new(columns: &[Column]) -> Self {
        let base = Format::new().set_align(FormatAlign::Top);
        let bold = Format::new().set_bold();
        let emphasis = base.clone().set_bold().set_font_color(WARNING_COLOR).set_background_color(WARNING_FILL);
        let subtotal = bold.clone().set_border_top(FormatBorder::Thin);
        let summary = bold.clone().set_background_color(HEAD_FILL).set_border_top(FormatBorder::Medium);
        let head = bold.clone().set_font_color(ACCENT).set_background_color(HEAD_FILL).set_text_wrap();
        let head = head.set_border_bottom(FormatBorder::Thin).set_align(FormatAlign::Bottom);
        Formats {
            title: bold.clone().set_font_size(14),
            note: Format::new().set_font_color(MUTED),
            wrapped_note: Format::new().set_font_color(MUTED).set_text_wrap().set_align(FormatAlign::Top),
            head_right: head.clone().set_align(FormatAlign::Right),
            head: head.set_indent(1),
            plain: Format::new(),
            group: bold.clone().set_background_color(GROUP_FILL),
            warning: bold.set_font_color(WARNING_COLOR),
            subtotal_label: subtotal.clone(),
            summary_label: summary.clone(),
            emphasis: Kinds::new(&emphasis, columns),
            body: Kinds::new(&base, columns),
            subtotal: Kinds::new(&subtotal, columns),
            summary: Kinds::new(&summary, columns),
            masks: columns.iter().map(|column| column.format.clone()).collect(),
        }
    }

    /// The format of a text over the whole width.
    pub fn band(&self, weight: Weight) -> &Format {
        match weight {
            Weight::Body | Weight::Emphasis | Weight::Plain => &self.plain,
            Weight::Group => &self.group,
            Weight::Warning => &self.warning,
            Weight::Subtotal => &self.subtotal_label,
            Weight::Summary => &self.summary_label,
        }
    }

    /// The format of a text that may run over several lines.
    pub fn text(&self) -> &Format {
        &self.body.text
    }

    /// The format of a number outside every column: all its decimals, but two of a division's endless ones.
    pub fn number(&self, number: f64) -> &Format {
        let all = decimals(number);
        &self.body.decimals[if all > MAX_DECIMALS as usize { 2 } else { all }]
    }

    /// Of a day, and of a moment where it has a part of a day.
    pub fn time(&self, days: f64) -> &Format {
        if days.fract() == 0.0 { &self.body.date } else { &self.body.moment }
    }

    /// What a value is in its column.
    pub fn kind(&self, column: usize, value: &Value) -> Kind {
        let mask = self.masks.get(column).and_then(Option::as_ref);
        match (value, mask) {
            (Value::Text(_) | Value::Bool(_) | Value::Null, _) => Kind::Text,
            (Value::Int(_) | Value::Decimal(_) | Value::Float(_), Some(CellFormat::Number(_))) => Kind::Masked,
            (Value::Date(_) | Value::DateTime(_), Some(CellFormat::Date(_))) => Kind::Masked,
            (Value::Int(_), _) => Kind::Whole,
            (Value::Decimal(decimal), _) => Kind::Decimals(decimal.scale().min(MAX_DECIMALS) as u8),
            (Value::Float(number), _) => Kind::Decimals(decimals(*number).min(MAX_DECIMALS as usize) as u8),
            (Value::Date(_), _) => Kind::Date,
            (Value::DateTime(_), _) => Kind::Moment,
        }
    }

    pub fn of(&self, column: usize, kind: Kind, weight: Weight) -> &Format {
        let kinds = match weight {
            Weight::Subtotal => &self.subtotal,
            Weight::Summary => &self.summary,
            Weight::Emphasis => &self.emphasis,
            _ => &self.body,
        };
        match kind {
            Kind::Text => &kinds.text,
            Kind::Whole => &kinds.whole,
            Kind::Decimals(count) => &kinds.decimals[usize::from(count)],
            Kind::Date => &kinds.date,
            Kind::Moment => &kinds.moment,
            Kind::Masked => &kinds.masked[column],
        }
    }
}

impl Kinds {
    fn new(base: &Format, columns: &[Column]) -> Self {
        // A number ends where the next column begins: without a gap 72 and 1.954 read as one.
        let text = base.clone().set_text_wrap().set_indent(1);
        let masked = |column: &Column| match &column.format {
            Some(mask) => base.clone().set_num_format(mask.excel()),
            None => text.clone(),
        };
        let by_decimals = (0..=MAX_DECIMALS as usize).map(|count| {
            let mask = if count == 0 { "#,##0".to_owned() } else { format!("#,##0.{}", "0".repeat(count)) };
            base.clone().set_num_format(mask)
        });
        Kinds {
            masked: columns.iter().map(masked).collect(),
            whole: base.clone().set_num_format("0"),
            decimals: by_decimals.collect(),
            date: base.clone().set_num_format("dd\\.mm\\.yyyy\\."),
            moment: base.clone().set_num_format("dd\\.mm\\.yyyy\\.\\ hh:mm"),
            text,
        }
    }
}

/// The numbers by which cells name their formats: the workbook gives them in the order in which it learns of the formats, and all of
/// them that cells name pass here.
#[derive(Default)]
pub struct Styles {
    known: HashMap<Format, u32>,
    cells: HashMap<(Weight, Kind, usize), u32>,
    bands: HashMap<Weight, u32>,
}

impl Styles {
    /// The formats of another table; those of the workbook stay.
    pub fn turn(&mut self) {
        self.cells.clear();
        self.bands.clear();
    }

    pub fn of(&mut self, workbook: &mut Workbook, formats: &Formats, cell: (usize, Kind, Weight)) -> u32 {
        let (column, kind, weight) = cell;
        match self.cells.get(&(weight, kind, column)) {
            Some(number) => *number,
            None => {
                let number = self.learn(workbook, formats.of(column, kind, weight));
                *self.cells.entry((weight, kind, column)).or_insert(number)
            }
        }
    }

    pub fn band(&mut self, workbook: &mut Workbook, formats: &Formats, weight: Weight) -> u32 {
        match self.bands.get(&weight) {
            Some(number) => *number,
            None => {
                let number = self.learn(workbook, formats.band(weight));
                *self.bands.entry(weight).or_insert(number)
            }
        }
    }

    fn learn(&mut self, workbook: &mut Workbook, format: &Format) -> u32 {
        if *format == Format::default() {
            return 0;
        }
        if let Some(number) = self.known.get(format) {
            return *number;
        }
        workbook.register_format(format);
        // The format of every cell that names none is the first.
        let number = self.known.len() as u32 + 1;
        self.known.insert(format.clone(), number);
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_outside_every_column_is_shown_with_all_its_decimals() {
        let formats = Formats::new(&[]);
        for (number, mask) in
            [(7.0, "#,##0"), (23.15, "#,##0.00"), (0.004, "#,##0.000"), (12.345_678, "#,##0.000000"), (10.0 / 3.0, "#,##0.00")]
        {
            assert_eq!(formats.number(number), &Format::new().set_align(FormatAlign::Top).set_num_format(mask), "{number}");
        }
    }
}
