//! A form of another system on its way into a definition: codes, types and formulas as they are here, and a note of all that cannot be.

use std::collections::{HashMap, HashSet};

use domain::{
    attachment::FileLimits,
    fold::fold,
    register::{FieldProperties, OtherUnit, TypeProperties, ValueType},
};
use rust_decimal::Decimal;

use super::{
    report::Note,
    translate::{self, Dialect},
};
use crate::import::{
    definition::{AttributeType, Definition, EnumItem, FieldDefinition, FormDefinition},
    formulas,
};

#[derive(Debug, Default)]
pub struct Foreign {
    pub definition: Definition,
    pub unmapped: Vec<Note>,
    pub warnings: Vec<Note>,
}

/// A field as the other system's expressions know it.
#[derive(Clone, Debug)]
pub struct Known {
    pub code: String,
    pub kind: Kind,
}

#[derive(Clone, Debug)]
pub enum Kind {
    Number,
    Text,
    Date,
    Choice,
    /// Items by their code there, with their number here.
    Set {
        multiple: bool,
        items: Vec<(String, Decimal)>,
    },
    File,
    /// A group or a heading.
    Nothing,
}

/// An option of a list there.
#[derive(Clone, Debug)]
pub struct Choice {
    pub code: String,
    pub label: String,
    pub weight: Option<Decimal>,
}

#[derive(Clone, Copy, PartialEq)]
enum Property {
    Prikaz,
    Racunanje,
}

/// An expression that waits until all fields are known.
struct Pending {
    field: usize,
    property: Property,
    place: String,
    text: String,
    /// Already in the language of this house.
    ready: Option<Result<String, String>>,
}

/// One form that is being read.
#[derive(Default)]
pub struct Builder {
    pub form: FormDefinition,
    pub unmapped: Vec<Note>,
    pub warnings: Vec<Note>,
    types: Vec<AttributeType>,
    codes: HashSet<String>,
    known: HashMap<String, Known>,
    pending: Vec<Pending>,
}

impl Builder {
    pub fn new(code: &str, name: &str) -> Self {
        let sifra_veza = if code.trim().is_empty() || code.starts_with('-') { "formular".to_owned() } else { code.trim().to_owned() };
        let naziv = if name.trim().is_empty() { sifra_veza.clone() } else { name.trim().to_owned() };
        let form = FormDefinition { sifra_veza, naziv, moze_se_instancirati: true, ..FormDefinition::default() };
        Self { form, ..Self::default() }
    }

    pub fn lost(&mut self, note: Note) {
        self.unmapped.push(note);
    }

    pub fn is_known(&self, source: &str) -> bool {
        self.known.contains_key(source)
    }

    pub fn known(&self, source: &str) -> Option<&Known> {
        self.known.get(source)
    }

    /// Adds a field under a code of its own; gives its place.
    pub fn add(&mut self, source: &str, name: &str, type_name: String, kind: Kind, parent: Option<&str>, place: &str) -> usize {
        let code = self.code(source);
        if code != source && !matches!(kind, Kind::Nothing) {
            self.warnings.push(Note::of(place, format!("šifra postaje „{code}”"), source));
        }
        let naziv = if name.trim().is_empty() { source.to_owned() } else { one_line(name) };
        self.known.insert(source.to_owned(), Known { code: code.clone(), kind });
        let own = FieldProperties { naziv, sifra: Some(code.clone()), ..FieldProperties::default() };
        let nadredjeni = parent.and_then(|parent| self.known.get(parent)).map(|holder| holder.code.clone());
        self.form.polja.push(FieldDefinition { sifra: code, tip_atributa: type_name, nadredjeni, own, ..FieldDefinition::default() });
        self.form.polja.len() - 1
    }

    pub fn field(&mut self, at: usize) -> &mut FieldDefinition {
        &mut self.form.polja[at]
    }

    /// A condition, or a calculation, in the language of the other system.
    pub fn shows(&mut self, at: usize, place: &str, text: &str) {
        self.wait(at, Property::Prikaz, place, text, None);
    }

    pub fn calculates(&mut self, at: usize, place: &str, text: &str) {
        self.wait(at, Property::Racunanje, place, text, None);
    }

    /// A condition that was already translated, or why it could not be.
    pub fn shows_ready(&mut self, at: usize, place: &str, text: &str, ready: Result<String, String>) {
        self.wait(at, Property::Prikaz, place, text, Some(ready));
    }

    fn wait(&mut self, field: usize, property: Property, place: &str, text: &str, ready: Option<Result<String, String>>) {
        self.pending.push(Pending { field, property, place: place.to_owned(), text: text.to_owned(), ready });
    }

    /// The plain code of it, and no other field's.
    fn code(&mut self, source: &str) -> String {
        let base = plain_code(source);
        let mut code = base.clone();
        let mut count = 1;
        while !self.codes.insert(fold(&code)) {
            count += 1;
            code = format!("{base}_{count}");
        }
        code
    }

    pub fn plain_type(&mut self, name: &str, kind: ValueType) -> String {
        self.typed(name, kind, TypeProperties::default())
    }

    pub fn text_type(&mut self, long: bool) -> String {
        let (name, sirina, visina) = if long { ("Tekst (više redova)", 60, 4) } else { ("Tekst (jedan red)", 40, 1) };
        self.typed(name, ValueType::Text, TypeProperties { sirina: Some(sirina), visina: Some(visina), ..TypeProperties::default() })
    }

    /// Files of these kinds; named by all that it says.
    pub fn file_type(&mut self, limits: FileLimits) -> String {
        let FileLimits { vrste_fajlova, najvise_fajlova, najvise_megabajta } = limits;
        let mut name = match vrste_fajlova.as_deref() {
            None => "Fajl".to_owned(),
            Some(kinds) => format!("Fajl ({})", kinds.iter().map(|kind| kind.code()).collect::<Vec<_>>().join(", ")),
        };
        name.extend(najvise_fajlova.map(|most| format!(", najviše {most}")));
        name.extend(najvise_megabajta.map(|most| format!(", do {most} MB")));
        self.typed(
            &name,
            ValueType::File,
            TypeProperties { vrste_fajlova, najvise_fajlova, najvise_megabajta, ..TypeProperties::default() },
        )
    }

    /// Named by all that it says, so that two alike are one.
    pub fn number_type(&mut self, decimals: Option<i16>, bounds: (Option<Decimal>, Option<Decimal>), unit: Option<&str>) -> String {
        self.number_type_in(decimals, bounds, unit, Vec::new())
    }

    /// The same, with the other units in which it may be typed.
    pub fn number_type_in(
        &mut self,
        decimals: Option<i16>,
        bounds: (Option<Decimal>, Option<Decimal>),
        unit: Option<&str>,
        druge_jedinice: Vec<OtherUnit>,
    ) -> String {
        let mut name = match decimals {
            Some(0) => "Ceo broj".to_owned(),
            Some(count) => format!("Broj ({count} dec.)"),
            None => "Broj".to_owned(),
        };
        let shown = |bound: Decimal| bound.normalize().to_string();
        match bounds {
            (Some(low), Some(high)) => name += &format!(" od {} do {}", shown(low), shown(high)),
            (Some(low), None) => name += &format!(" od {}", shown(low)),
            (None, Some(high)) => name += &format!(" do {}", shown(high)),
            (None, None) => {}
        }
        name.extend(unit.map(|unit| format!(" [{unit}]")));
        name.extend(druge_jedinice.iter().map(|other| format!(" [{} × {}]", other.jedinica, other.cinilac)));
        let own = TypeProperties {
            decimale_brojne_vrednosti: decimals,
            donja_granica_brojne_vrednosti: bounds.0,
            gornja_granica_brojne_vrednosti: bounds.1,
            jedinica: unit.map(str::to_owned),
            druge_jedinice,
            ..TypeProperties::default()
        };
        self.typed(&name, ValueType::Number, own)
    }

    /// A set of these options; the type's name, and the options as expressions know them.
    pub fn set_type(&mut self, name: &str, choices: &[Choice], multiple: bool) -> (String, Kind) {
        let numeric: Option<Vec<Decimal>> = choices.iter().map(|one| one.weight.or_else(|| one.code.parse().ok())).collect();
        let numbers = numeric.unwrap_or_else(|| (1..=choices.len()).map(Decimal::from).collect());
        let mut names = HashSet::new();
        let items: Vec<EnumItem> = choices
            .iter()
            .zip(&numbers)
            .map(|(one, number)| {
                let label = one_line(if one.label.trim().is_empty() { &one.code } else { &one.label });
                let naziv = if names.insert(fold(&label)) { label } else { format!("{label} ({})", one.code) };
                EnumItem {
                    id: None,
                    naziv,
                    num_vrednost: *number,
                    opis: None,
                    opcioni: true,
                    sifra_veza: Some(one.code.clone()).filter(|code| !code.trim().is_empty()),
                    moze_se_izabrati: true,
                }
            })
            .collect();
        let known = choices.iter().map(|one| one.code.clone()).zip(numbers).collect();
        let kind = Kind::Set { multiple, items: known };
        let same = |known: &&AttributeType| {
            known.tip_vrednosti == ValueType::Set
                && known.stavke.len() == items.len()
                && known
                    .stavke
                    .iter()
                    .zip(&items)
                    .all(|(a, b)| (&a.naziv, a.num_vrednost, &a.sifra_veza) == (&b.naziv, b.num_vrednost, &b.sifra_veza))
        };
        if let Some(known) = self.types.iter().find(same) {
            return (known.own.naziv.clone(), kind);
        }
        let name = self.free_name(name);
        let own = TypeProperties { naziv: name.clone(), ..TypeProperties::default() };
        self.types.push(AttributeType { tip_vrednosti: ValueType::Set, stavke: items, own, ..AttributeType::default() });
        (name, kind)
    }

    fn free_name(&self, name: &str) -> String {
        let is_taken = |name: &str| self.types.iter().any(|known| fold(&known.own.naziv) == fold(name));
        let mut free = name.to_owned();
        let mut count = 1;
        while is_taken(&free) {
            count += 1;
            free = format!("{name} ({count})");
        }
        free
    }

    fn typed(&mut self, name: &str, kind: ValueType, own: TypeProperties) -> String {
        if !self.types.iter().any(|known| known.own.naziv == name) {
            let own = TypeProperties { naziv: name.to_owned(), ..own };
            self.types.push(AttributeType { tip_vrednosti: kind, own, ..AttributeType::default() });
        }
        name.to_owned()
    }

    /// The form with its formulas; those that cannot be stay as words in their field's note.
    fn finish(mut self, dialect: Option<Dialect>) -> (FormDefinition, Vec<AttributeType>, Vec<Note>, Vec<Note>) {
        let pending = std::mem::take(&mut self.pending);
        for one in &pending {
            let translated = match (&one.ready, dialect) {
                (Some(ready), _) => ready.clone().map(|text| (text, Vec::new())),
                (None, Some(dialect)) => translate::expression(&one.text, dialect, &self.known),
                (None, None) => Err("izraz se ne prenosi".to_owned()),
            };
            match translated {
                Ok((text, remarks)) => {
                    self.warnings.extend(remarks.into_iter().map(|remark| Note::of(one.place.clone(), remark, one.text.clone())));
                    let own = &mut self.form.polja[one.field].own;
                    match one.property {
                        Property::Prikaz => own.formula_za_prikaz = Some(text),
                        Property::Racunanje => own.formula_za_racunanje = Some(text),
                    }
                }
                Err(why) => self.leave_words(one, &why),
            }
        }
        self.drop_faulty(&pending);
        self.settle_loose();
        (self.form, self.types, self.unmapped, self.warnings)
    }

    /// What was translated and yet cannot be here: an unknown code, a circle.
    fn drop_faulty(&mut self, pending: &[Pending]) {
        loop {
            let definition = Definition { register: None, attribute_types: self.types.clone(), forms: vec![self.form.clone()] };
            let faulty = formulas::compile(&definition).faulty;
            if faulty.is_empty() {
                return;
            }
            for one in faulty {
                let Some(at) = self.form.polja.iter().position(|field| field.sifra == one.field) else { continue };
                let property = if one.property == "formulaZaPrikaz" { Property::Prikaz } else { Property::Racunanje };
                let own = &mut self.form.polja[at].own;
                match property {
                    Property::Prikaz => own.formula_za_prikaz = None,
                    Property::Racunanje => own.formula_za_racunanje = None,
                }
                if let Some(source) = pending.iter().find(|source| source.field == at && source.property == property) {
                    self.leave_words(source, &one.message);
                }
            }
        }
    }

    fn leave_words(&mut self, one: &Pending, why: &str) {
        let (what, then) = match one.property {
            Property::Prikaz => ("uslov prikaza", "polje se prikazuje uvek"),
            Property::Racunanje => ("računanje", "polje se unosi ručno"),
        };
        self.unmapped.push(Note::of(one.place.clone(), format!("{what} nije preneto ({why}); {then}"), one.text.clone()));
        note(&mut self.form.polja[one.field].own, &format!("Nije preneto ({what}): {}", one.text));
    }

    /// Where a form has tabs, what stands beside them gets one too.
    fn settle_loose(&mut self) {
        let tabs: HashSet<&str> =
            self.types.iter().filter(|known| known.tip_vrednosti == ValueType::Tab).map(|known| known.own.naziv.as_str()).collect();
        let is_loose = |field: &FieldDefinition| field.nadredjeni.is_none() && !tabs.contains(field.tip_atributa.as_str());
        let has_tab = self.form.polja.iter().any(|field| tabs.contains(field.tip_atributa.as_str()));
        let loose: Vec<usize> = self.form.polja.iter().enumerate().filter(|(_, field)| is_loose(field)).map(|(at, _)| at).collect();
        if !has_tab || loose.is_empty() {
            return;
        }
        let first = loose[0];
        let type_name = self.plain_type("Segment", ValueType::Tab);
        let added = self.add("opste", "Opšte", type_name, Kind::Nothing, None, "");
        let tab = self.form.polja.remove(added);
        loose.iter().for_each(|at| self.form.polja[*at].nadredjeni = Some(tab.sifra.clone()));
        self.form.polja.insert(first, tab);
    }
}

/// All forms of a file; types of one name and content are one.
pub fn together(builders: Vec<Builder>, dialect: Option<Dialect>, mut unmapped: Vec<Note>, mut warnings: Vec<Note>) -> Foreign {
    let mut definition = Definition::default();
    for builder in builders {
        let (mut form, types, lost, told) = builder.finish(dialect);
        for mut known in types {
            let was = known.own.naziv.clone();
            let alike = |other: &AttributeType| {
                other.tip_vrednosti == known.tip_vrednosti
                    && other.own == known.own
                    && other
                        .stavke
                        .iter()
                        .map(|item| (&item.naziv, item.num_vrednost))
                        .eq(known.stavke.iter().map(|item| (&item.naziv, item.num_vrednost)))
            };
            match definition.attribute_types.iter().find(|other| fold(&other.own.naziv) == fold(&was)) {
                Some(other) if alike(other) => {}
                Some(_) => {
                    known.own.naziv = format!("{was} ({})", form.sifra_veza);
                    form.polja
                        .iter_mut()
                        .filter(|field| field.tip_atributa == was)
                        .for_each(|field| field.tip_atributa = known.own.naziv.clone());
                    definition.attribute_types.push(known);
                }
                None => definition.attribute_types.push(known),
            }
        }
        definition.forms.push(form);
        unmapped.extend(lost);
        warnings.extend(told);
    }
    Foreign { definition, unmapped, warnings }
}

/// What a code may be: English letters, digits and underscores, none of them a digit at the beginning.
pub fn plain_code(source: &str) -> String {
    let plain = |letter: char| match letter {
        ascii if ascii.is_ascii_alphanumeric() => ascii.to_string(),
        ascii if ascii.is_ascii() => "_".to_owned(),
        other => fold(&other.to_string()).chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' }).collect(),
    };
    let code: String = source.chars().map(plain).collect();
    let begins = code.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    if begins { code } else { format!("f_{code}") }
}

/// Adds a sentence to what is said of the field.
pub fn note(own: &mut FieldProperties, text: &str) {
    let text = text.trim();
    if !text.is_empty() {
        own.napomena = Some(own.napomena.take().map_or_else(|| text.to_owned(), |before| format!("{before}\n{text}")));
    }
}

/// A name on one line, without the tags that other systems allow in it.
pub fn one_line(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, tag)) = rest.split_once('<') {
        plain.push_str(before);
        match tag.split_once('>') {
            Some((name, after)) if name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '/') => {
                plain.push(' ');
                rest = after;
            }
            _ => {
                plain.push('<');
                rest = tag;
            }
        }
    }
    plain.push_str(rest);
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether two options say yes and no, and which code is yes.
pub fn yes_and_no(choices: &[Choice]) -> bool {
    let yes = ["yes", "da", "true", "1", "y"];
    let no = ["no", "ne", "false", "0", "n"];
    let labels = ["yes", "da", "no", "ne", "true", "false", "tačno", "netačno"];
    let (is, spoken) = (|list: &[&str], code: &str| list.contains(&code.to_lowercase().as_str()), &labels);
    choices.len() == 2
        && choices.iter().any(|one| is(&yes, &one.code))
        && choices.iter().any(|one| is(&no, &one.code))
        && choices.iter().all(|one| is(spoken, one.label.trim()) || one.label.trim().is_empty())
}
