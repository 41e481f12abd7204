//! Items of sets as formulas name them: by code, by name or by number. A text that is an item's code becomes one when the formula is
//! compiled; any other is a name. So a text that is the code of one item and the name of another means the first, and what is stored of
//! a formula says which it means.

use super::{Expr, Field, Formula, FormulaError, Function, Item, Warning, parse};
use crate::register::ValueType;

/// An item of a set as a formula names it, in `selected(…)`, `anyof(…)`, beside an equality sign or in a row of a table.
#[derive(Clone, Copy, Debug)]
pub struct NamedItem<'a> {
    /// Of the set.
    pub code: &'a str,
    pub item: ItemName<'a>,
    pub(super) at: usize,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ItemName<'a> {
    Code(&'a str),
    Name(&'a str),
    Number(f64),
}

impl NamedItem<'_> {
    pub fn is(&self, item: &Item) -> bool {
        match self.item {
            ItemName::Code(wanted) => item.code.as_deref() == Some(wanted),
            ItemName::Name(wanted) => wanted == item.name,
            ItemName::Number(wanted) => item.num == Some(wanted),
        }
    }

    /// The set that has no such item.
    pub(super) fn missing_from<'f>(&self, fields: &'f [Field]) -> Option<&'f Field> {
        let set = set_of(fields, self.code)?;
        (!set.items.iter().any(|item| self.is(item))).then_some(set)
    }

    /// That a code is the name of another item too.
    fn doubtful(&self, set: &Field) -> Option<Warning> {
        let ItemName::Code(code) = self.item else { return None };
        let coded = set.items.iter().find(|item| self.is(item))?;
        let is_name_too = set.items.iter().any(|item| item.name == code && item.id != coded.id);
        let message = format!("„{code}” je šifra stavke „{}” i naziv druge stavke: važi šifra.", coded.name);
        is_name_too.then_some(Warning { position: self.at, message })
    }
}

/// The item that a text names: by its code, else by its name.
pub(super) fn called<'a>(items: &'a [Item], text: &str) -> Option<&'a Item> {
    let coded = items.iter().find(|item| item.code.as_deref() == Some(text));
    coded.or_else(|| items.iter().find(|item| item.name == text))
}

/// A formula among these fields: its texts that are codes of items are told apart from those that are names.
pub fn parse_among(text: &str, fields: &[Field]) -> Result<Formula, FormulaError> {
    let mut formula = parse(text)?;
    resolve(&mut formula.expr, fields);
    let named = formula.items().into_iter().filter(|named| matches!(named.item, ItemName::Code(_)));
    let mut by_code: Vec<String> = named.map(|named| named.code.to_owned()).collect();
    by_code.sort();
    by_code.dedup();
    formula.by_code = by_code;
    Ok(formula)
}

/// What is warned of in how a formula names items.
pub(super) fn warnings(formula: &Formula, fields: &[Field]) -> Vec<Warning> {
    formula.items().into_iter().filter_map(|named| named.doubtful(set_of(fields, named.code)?)).collect()
}

fn resolve(expr: &mut Expr, fields: &[Field]) {
    let Expr::Call { f, args, .. } = expr else { return };
    args.iter_mut().for_each(|arg| resolve(arg, fields));
    let is_code = |place: &Place<'_>, text: &str| {
        let set = set_of(fields, place.set);
        // An item that is called by its code is known by its name, as before it had a code.
        set.and_then(|set| called(&set.items, text)).is_some_and(|item| item.code.as_deref() == Some(text) && item.name != text)
    };
    let coded: Vec<(usize, bool)> = places(*f, args)
        .into_iter()
        .filter(|place| matches!(place.of(args), Some(Expr::Text { v, .. }) if is_code(place, v)))
        .map(|place| (place.argument, place.in_row))
        .collect();
    for (argument, in_row) in coded {
        let node = match (&mut args[argument], in_row) {
            (Expr::Call { args, .. }, true) => &mut args[0],
            (node, _) => node,
        };
        if let Expr::Text { v, at } = node {
            *node = Expr::Code { v: std::mem::take(v), at: *at };
        }
    }
}

/// Where a call names an item.
struct Place<'a> {
    /// The set that is asked.
    set: &'a str,
    /// The argument that names the item, or the row of a table that does.
    argument: usize,
    in_row: bool,
}

impl Place<'_> {
    fn of<'a>(&self, args: &'a [Expr]) -> Option<&'a Expr> {
        match (&args[self.argument], self.in_row) {
            (Expr::Call { args, .. }, true) => args.first(),
            (node, _) => Some(node),
        }
    }
}

fn places(f: Function, args: &[Expr]) -> Vec<Place<'_>> {
    let is_text = |expr: &Expr| matches!(expr, Expr::Text { .. } | Expr::Code { .. });
    let (set, arguments, in_row): (_, Vec<usize>, _) = match (f, args) {
        (Function::Selected | Function::Anyof, [set, ..]) => (set, (1..args.len()).collect(), false),
        (Function::Eq | Function::Ne, [set, named]) if is_text(named) => (set, vec![1], false),
        (Function::Eq | Function::Ne, [named, set]) if is_text(named) => (set, vec![0], false),
        (Function::Lookup, [looked_up, ..]) => {
            let equals = |at: &usize| matches!(&args[*at], Expr::Call { f: Function::Eq | Function::Ne, .. } if args[*at].is_row());
            (looked_up, (1..args.len()).step_by(2).filter(equals).collect(), true)
        }
        _ => return Vec::new(),
    };
    let Some(set) = field_of(set) else { return Vec::new() };
    arguments.into_iter().map(|argument| Place { set, argument, in_row }).collect()
}

impl Formula {
    /// The items that it names: what they are called must not change under it.
    pub fn items(&self) -> Vec<NamedItem<'_>> {
        let mut items = Vec::new();
        self.expr.walk(&mut |node| {
            let Expr::Call { f, args, .. } = node else { return };
            items.extend(places(*f, args).into_iter().filter_map(|place| {
                let (item, at) = match place.of(args)? {
                    Expr::Code { v, at } => (ItemName::Code(v), *at),
                    // A row of a table may be one that no item fits.
                    _ if place.in_row => return None,
                    Expr::Text { v, at } => (ItemName::Name(v), *at),
                    Expr::Number { v, at } => (ItemName::Number(*v), *at),
                    _ => return None,
                };
                Some(NamedItem { code: place.set, item, at })
            }));
        });
        items
    }
}

fn set_of<'f>(fields: &'f [Field], code: &str) -> Option<&'f Field> {
    fields.iter().find(|field| field.tip_vrednosti == ValueType::Set && field.sifra.as_deref() == Some(code))
}

pub(super) fn field_of(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Field { code, .. } | Expr::Item { code, .. } => Some(code),
        Expr::Call { f, args, .. } if f.is_of_before() || matches!(f, Function::FirstRow | Function::LastRow) => field_of(args.first()?),
        _ => None,
    }
}

pub(super) fn no_such_item(named: &NamedItem, set: &Field) -> String {
    const SHOWN: usize = 10;
    let wanted = match named.item {
        ItemName::Code(code) => format!("stavku sa šifrom „{code}”"),
        ItemName::Name(name) => format!("stavku „{name}”"),
        ItemName::Number(number) => format!("stavku sa brojem {number}"),
    };
    let told = |item: &Item| item.num.map_or_else(|| item.name.clone(), |num| format!("{} ({num})", item.name));
    let known: Vec<String> = set.items.iter().take(SHOWN).map(told).collect();
    let more = if set.items.len() > SHOWN { " …" } else { "" };
    format!("Polje „{}” nema {wanted}. Stavke: {}{more}.", named.code, known.join(", "))
}
