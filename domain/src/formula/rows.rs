//! Rows of sections that repeat, as formulas read them: an argument of a function of many that names columns stands for its value in each
//! row; a column has no value outside of them. A column's own formula reads the cells of its row.

use std::collections::{BTreeSet, HashMap};

use serde_json::Value as Json;

use super::{Context, Expr, Field, FormulaError, Function, Value, eval, form_and_field};

pub(super) const ROW_COUNT: &str = "Piše se brojRedova($(šifra)), sa šifrom sekcije koja se ponavlja ili njenog polja.";

const NO_ROW: &str = "„redniBrojReda” ima samo red sekcije: piše se u formuli njenog polja, ili u funkciji nad redovima.";

/// The cells of one row, by the codes of their columns.
pub type Row = HashMap<String, Value>;

/// A row, and its place among those of its section, from 0.
#[derive(Clone, Copy, Debug)]
pub struct RowAt<'a> {
    pub cells: &'a Row,
    pub place: usize,
}

/// What stands in the sections of a form.
#[derive(Debug, Default)]
pub struct Rows {
    /// By code: of a column the section that it stands in, of a section itself.
    section_of: HashMap<String, i64>,
    by_section: HashMap<i64, Vec<Row>>,
}

impl Rows {
    /// A section with its rows, as the entry holds them; none where it does not show.
    pub(super) fn take(&mut self, section: &Field, stored: Option<&Json>) {
        if let Some(code) = &section.sifra {
            self.section_of.insert(code.clone(), section.id);
        }
        self.by_section.insert(section.id, vec![Row::new(); cells(stored).count()]);
    }

    /// A column of a section whose rows were taken.
    pub(super) fn fill(&mut self, column: &Field, section: i64, stored: Option<&Json>) {
        let Some(code) = &column.sifra else { return };
        self.section_of.insert(code.clone(), section);
        let id = column.id.to_string();
        for (row, cells) in self.by_section.entry(section).or_default().iter_mut().zip(cells(stored)) {
            row.insert(code.clone(), cells.get(&id).map_or(Value::Blank, |cell| column.value(cell)));
        }
    }

    /// What a column of calculated or hidden cells comes to, one value a row.
    pub(super) fn fill_with(&mut self, column: &Field, section: i64, values: Vec<Value>) {
        let Some(code) = &column.sifra else { return };
        self.section_of.insert(code.clone(), section);
        for (row, value) in self.by_section.entry(section).or_default().iter_mut().zip(values) {
            row.insert(code.clone(), value);
        }
    }

    /// The rows of a section as they are known until now, in their order.
    pub(super) fn in_section(&self, section: i64) -> impl Iterator<Item = RowAt<'_>> {
        self.by_section.get(&section).into_iter().flatten().enumerate().map(|(place, cells)| RowAt { cells, place })
    }

    fn of(&self, code: &str) -> &[Row] {
        self.section_of.get(code).and_then(|section| self.by_section.get(section)).map_or(&[], Vec::as_slice)
    }
}

/// The cells of each row of a stored value.
pub(super) fn cells(stored: Option<&Json>) -> impl Iterator<Item = &Json> {
    stored.and_then(Json::as_array).into_iter().flatten().filter_map(|row| row.get("v").filter(|cells| cells.is_object()))
}

/// How many rows the section of this code, or of this column, has.
pub(super) fn count(expr: &Expr, context: &Context) -> f64 {
    match expr {
        Expr::Field { code, .. } => context.rows.of(code).len() as f64,
        _ => 0.0,
    }
}

/// The values that an argument of many stands for, each with whether it is passed over while it is blank. A section without rows is one
/// blank that is.
pub(super) fn each(arg: &Expr, context: &Context) -> Vec<(Value, bool)> {
    let values = if context.of_column { None } else { in_rows(arg, context) };
    match values {
        None => vec![(eval::evaluate(arg, context), arg.may_be_passed_over())],
        Some(values) if values.is_empty() => vec![(Value::Blank, true)],
        Some(values) => values.into_iter().map(|value| (value, arg.may_be_passed_over())).collect(),
    }
}

/// The value of `arg` in each row; `None` where it reads no column.
pub(super) fn in_rows(arg: &Expr, context: &Context) -> Option<Vec<Value>> {
    if context.rows.section_of.is_empty() {
        return None;
    }
    let code = arg.first_column(&|code| context.rows.section_of.contains_key(code), context.of_column)?;
    let value = |(place, cells)| eval::evaluate(arg, &Context { row: Some(RowAt { cells, place }), ..*context });
    Some(context.rows.of(code).iter().enumerate().map(value).collect())
}

/// Of `nekiRed` and `svakiRed`: one row equal to `decisive` decides; else one blank makes the answer blank. No row is "some".
pub(super) fn decided(arg: &Expr, context: &Context, decisive: bool) -> Option<bool> {
    let values = in_rows(arg, context).unwrap_or_default();
    if values.is_empty() {
        return decisive.then_some(false);
    }
    let truths: Vec<Option<bool>> = values.iter().map(Value::as_truth).collect();
    if truths.contains(&Some(decisive)) {
        return Some(decisive);
    }
    (!truths.contains(&None)).then_some(!decisive)
}

impl Function {
    /// Whether it takes values that may be those of rows, and not one of each argument.
    pub(super) fn is_over_rows(self) -> bool {
        self.is_of_many() || self.is_extreme() || matches!(self, Self::Sum | Self::Count | Self::Countif | Self::Join) || self.is_of_rows()
    }

    /// Whether it is asked of nothing but rows.
    pub(super) fn is_of_rows(self) -> bool {
        matches!(self, Self::FirstRow | Self::LastRow | Self::AnyRow | Self::EveryRow)
    }
}

impl Expr {
    /// Its arguments: those that have one value, and those that may stand for the values of rows. In a column's formula only functions
    /// that are asked of nothing but rows have such.
    fn parts(f: Function, args: &[Expr], of_column: bool) -> (&[Expr], &[Expr]) {
        let single = match f {
            _ if of_column && !f.is_of_rows() => args.len(),
            Function::Join => 1,
            Function::Countif => usize::from(args.first().is_some_and(Self::is_row)),
            _ if f.is_over_rows() => 0,
            _ => args.len(),
        };
        args.split_at(single.min(args.len()))
    }

    /// The first column that it reads and no function inside it goes over.
    pub(super) fn first_column<'a>(&'a self, is_column: &impl Fn(&str) -> bool, of_column: bool) -> Option<&'a str> {
        match self {
            Self::Field { code, .. } | Self::Item { code, .. } => is_column(code).then_some(code),
            Self::Number { .. } | Self::Text { .. } | Self::Code { .. } => None,
            Self::Call { f, .. } if *f == Function::RowCount || f.is_of_before() => None,
            Self::Call { f, args, .. } => Self::parts(*f, args, of_column).0.iter().find_map(|arg| arg.first_column(is_column, of_column)),
        }
    }
}

/// Which codes of a form are those of columns and of sections.
#[derive(Default)]
pub(super) struct Sections<'a> {
    /// The section of each column.
    of_column: HashMap<&'a str, i64>,
    own: BTreeSet<&'a str>,
}

impl<'a> Sections<'a> {
    pub(super) fn of(fields: &'a [Field]) -> Self {
        let ids: BTreeSet<i64> = fields.iter().filter_map(|field| field.sekcija).collect();
        let coded = || fields.iter().filter_map(|field| Some((field.sifra.as_deref()?, field)));
        Self {
            of_column: coded().filter_map(|(code, field)| Some((code, field.sekcija?))).collect(),
            own: coded().filter(|(_, field)| ids.contains(&field.id)).map(|(code, _)| code).collect(),
        }
    }

    pub(super) fn is_section(&self, code: &str) -> bool {
        self.own.contains(code)
    }

    fn section_of(&self, code: &str) -> Option<i64> {
        self.of_column.get(code).copied()
    }

    /// What a formula reads of rows otherwise than they can be read. `own`: the section whose column it is a formula of.
    pub(super) fn misread_by(&self, expr: &Expr, own: Option<i64>) -> Option<FormulaError> {
        self.misread(expr, own, own.is_some())
    }

    /// `row`: the section in whose rows `expr` stands.
    fn misread(&self, expr: &Expr, row: Option<i64>, of_column: bool) -> Option<FormulaError> {
        match expr {
            Expr::Number { .. } | Expr::Text { .. } | Expr::Code { .. } => None,
            Expr::Field { code, at } | Expr::Item { code, at } => {
                let section = self.section_of(code);
                if section.is_some() && form_and_field(code).is_some() {
                    let message = format!("Redovi drugog formulara se ne čitaju: polje „{code}” je u sekciji koja se ponavlja.");
                    return Some(FormulaError::new(*at, message));
                }
                if self.is_section(code) {
                    let message = format!("Sekcija „{code}” nema svoju vrednost; broj njenih redova je brojRedova($({code})).");
                    Some(FormulaError::new(*at, message))
                } else if section.is_some() && row.is_none() {
                    Some(FormulaError::new(*at, in_each_row(code)))
                } else if section.is_some() && section != row {
                    let message = format!("Polje „{code}” je u drugoj sekciji: u jednom redu čitaju se samo polja iste sekcije.");
                    Some(FormulaError::new(*at, message))
                } else {
                    None
                }
            }
            Expr::Call { f: Function::RowCount, args, at } => match &args[..] {
                [Expr::Field { code, .. }]
                    if form_and_field(code).is_none() && (self.is_section(code) || self.section_of(code).is_some()) =>
                {
                    None
                }
                _ => Some(FormulaError::new(*at, ROW_COUNT)),
            },
            Expr::Call { f: Function::RowNumber, at, .. } => row.is_none().then(|| FormulaError::new(*at, NO_ROW)),
            Expr::Call { f, args, .. } if f.is_of_before() => args.iter().find_map(|arg| match arg {
                Expr::Field { code, at } | Expr::Item { code, at } if self.section_of(code).is_some() || self.is_section(code) => {
                    let message = format!("Redovi prethodnog unosa se ne čitaju: polje „{code}” je u sekciji koja se ponavlja.");
                    Some(FormulaError::new(*at, message))
                }
                _ => None,
            }),
            Expr::Call { f, args, at } => {
                let (single, many) = Expr::parts(*f, args, of_column);
                let of_single = || single.iter().find_map(|arg| self.misread(arg, row, of_column));
                let of_many = || {
                    many.iter().find_map(|arg| {
                        let column = arg.first_column(&|code| self.section_of(code).is_some(), of_column);
                        let section = column.and_then(|code| self.section_of(code));
                        if section.is_none() && f.is_of_rows() {
                            return Some(FormulaError::new(*at, "Ova funkcija čita redove: navedite polje iz sekcije koja se ponavlja."));
                        }
                        self.misread(arg, section.or(row), of_column)
                    })
                };
                of_single().or_else(of_many)
            }
        }
    }
}

fn in_each_row(code: &str) -> String {
    format!(
        "Polje „{code}” ima vrednost u svakom redu sekcije. Čita se funkcijom nad redovima: sum($({code})), avg, min, max, count, \
         prviRed, poslednjiRed, nekiRed($({code}) > 0)."
    )
}
