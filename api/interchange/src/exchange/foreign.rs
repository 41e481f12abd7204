//! A form of another system on its way into a definition: codes, types and formulas as they are here, and a note of all that cannot be.

use std::collections::{HashMap, HashSet};

use domain::{
    attachment::FileLimits,
    fold::fold,
    register::{DEFAULT_ROWS, FieldProperties, MOST_ROWS, OtherUnit, TypeProperties, ValueType},
};
use rust_decimal::Decimal;

pub use super::words::{note, plain_code};
use super::{
    expression::Dialect,
    known_field::{Choice, ExpressionField, Kind},
    pending::Pending,
    proof::Proof,
    report::Note,
    words::{LONGEST_NAME, designer_note, one_line},
};
use crate::import::definition::{AttributeType, Definition, EnumItem, FieldDefinition, FormDefinition};

#[derive(Debug, Default)]
pub struct Foreign {
    pub definition: Definition,
    pub unmapped: Vec<Note>,
    pub warnings: Vec<Note>,
    pub proof: Proof,
}

/// UTF-8 without zeroes, which the database cannot keep.
pub fn text(bytes: &[u8]) -> Result<&str, Note> {
    let text = std::str::from_utf8(bytes).map_err(|_| Note::new("", "Fajl nije u kodnom rasporedu UTF-8."))?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}

/// Of a question that keeps files, in a section that repeats.
pub const NO_FILES_IN_ROWS: &str = "fajl u ponavljanju se ne prenosi: kolone sekcije drže samo vrednosti";

/// One form that is being read.
#[derive(Default)]
pub struct Builder {
    pub form: FormDefinition,
    pub unmapped: Vec<Note>,
    pub warnings: Vec<Note>,
    pub(super) types: Vec<AttributeType>,
    codes: HashSet<String>,
    pub(super) known: HashMap<String, ExpressionField>,
    /// Sections that repeat, as the other system names them.
    sections: HashSet<String>,
    pub(super) pending: Vec<Pending>,
    /// Fields whose type their calculation tells.
    pub(super) typed_by_result: Vec<usize>,
    pub(super) proof: Proof,
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

    /// Something of a field that is not carried: its words stay where only the designer reads them.
    pub fn lost_of(&mut self, at: usize, note: Note) {
        let Note { poruka, izvorno, .. } = &note;
        let words = izvorno.as_ref().map_or_else(|| poruka.clone(), |words| format!("{poruka}: {words}"));
        designer_note(&mut self.form.polja[at].own, &words);
        self.unmapped.push(note);
    }

    /// The option that a field begins with, by its code; whether there is such a one.
    pub fn begins_with(&mut self, at: usize, code: &str) -> bool {
        let own = self.types.iter().find(|known| known.own.naziv == self.form.polja[at].tip_atributa);
        let item = own.and_then(|own| own.stavke.iter().find(|item| item.sifra_veza.as_deref() == Some(code)));
        self.form.polja[at].inicijalna_enum_stavka = item.map(|item| item.naziv.clone());
        self.form.polja[at].inicijalna_enum_stavka.is_some()
    }

    /// The smallest that a number may be, where its bounds do not say it.
    pub fn set_least(&mut self, key: &str, least: Option<f64>) {
        if let Some(known) = self.known.get_mut(key) {
            known.least = least;
        }
    }

    /// The codes of yes and no of a choice.
    pub fn set_words(&mut self, key: &str, (yes, no): (String, String)) {
        if let Some(known) = self.known.get_mut(key) {
            known.truths = Some((yes, no));
        }
    }

    pub fn is_known(&self, source: &str) -> bool {
        self.known.contains_key(source)
    }

    pub fn known(&self, source: &str) -> Option<&ExpressionField> {
        self.known.get(source)
    }

    /// Adds a field under a code of its own; gives its place.
    pub fn add(&mut self, source: &str, name: &str, type_name: String, kind: Kind, parent: Option<&str>, place: &str) -> usize {
        self.add_at(source, (source, name), type_name, kind, parent, place)
    }

    /// The same, where another field may have its name: expressions know it by `key`, and its code is made of its name.
    pub fn add_at(
        &mut self,
        key: &str,
        (source, name): (&str, &str),
        type_name: String,
        kind: Kind,
        parent: Option<&str>,
        place: &str,
    ) -> usize {
        let code = self.code(source);
        if code != source && !matches!(kind, Kind::Nothing) {
            self.warnings.push(Note::of(place, format!("šifra postaje „{code}”"), source));
        }
        let (naziv, whole) = self.named(if name.trim().is_empty() { source } else { name }, &type_name, place);
        let column = parent.is_some_and(|parent| self.is_section(parent));
        self.known.insert(
            key.to_owned(),
            ExpressionField { code: code.clone(), kind, column, holder: parent.map(str::to_owned), ..ExpressionField::default() },
        );
        let own = FieldProperties { naziv, napomena_dizajnera: whole, sifra: Some(code.clone()), ..FieldProperties::default() };
        let nadredjeni = parent.and_then(|parent| self.known.get(parent)).map(|holder| holder.code.clone());
        self.form.polja.push(FieldDefinition { sifra: code, tip_atributa: type_name, nadredjeni, own, ..FieldDefinition::default() });
        self.form.polja.len() - 1
    }

    /// A name, and all of it where it is too long for one. What a heading says is its name.
    fn named(&mut self, text: &str, type_name: &str, place: &str) -> (String, Option<String>) {
        let plain = one_line(text);
        if plain != text.split_whitespace().collect::<Vec<_>>().join(" ") {
            self.lost(Note::of(place, "oblikovanje i veze u nazivu se ne prenose: ostaju samo reči", text));
        }
        let is_heading = self.types.iter().any(|known| known.own.naziv == type_name && known.tip_vrednosti == ValueType::Heading);
        if is_heading || plain.chars().count() <= LONGEST_NAME {
            return (plain, None);
        }
        self.warnings.push(Note::of(place, "dug naziv je skraćen; ceo stoji u napomeni dizajnera", plain.as_str()));
        let begin: String = plain.chars().take(LONGEST_NAME).collect();
        let words = begin.rsplit_once(' ').map_or(begin.as_str(), |(words, _)| words);
        (format!("{words}…"), Some(plain))
    }

    pub fn field(&mut self, at: usize) -> &mut FieldDefinition {
        &mut self.form.polja[at]
    }

    pub fn is_section(&self, source: &str) -> bool {
        self.sections.contains(source)
    }

    /// A panel whose fields are the columns of rows. `most`: how many of them there may be, where the other system says it.
    pub fn section(&mut self, source: &str, name: &str, parent: Option<&str>, most: Option<i32>, place: &str) -> usize {
        self.section_at(source, (source, name), parent, most, place)
    }

    pub fn section_at(&mut self, key: &str, named: (&str, &str), parent: Option<&str>, most: Option<i32>, place: &str) -> usize {
        let type_name = self.plain_type("Panel", ValueType::Panel);
        let at = self.add_at(key, named, type_name, Kind::Nothing, parent, place);
        self.sections.insert(key.to_owned());
        if let Some(most) = most.filter(|most| !(1..=MOST_ROWS).contains(most)) {
            let message = format!("najviše redova sekcije je od 1 do {MOST_ROWS}; ovde ih je {DEFAULT_ROWS}");
            self.lost(Note::of(place, message, most.to_string()));
        }
        let own = &mut self.field(at).own;
        own.ponavlja_se = true;
        own.najvise_redova = most.filter(|most| (1..=MOST_ROWS).contains(most));
        at
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
        let mut names = HashSet::new();
        let items: Vec<EnumItem> = choices
            .iter()
            .map(|one| {
                let label = one_line(if one.label.trim().is_empty() { &one.code } else { &one.label });
                let naziv = if names.insert(fold(&label)) { label } else { format!("{label} ({})", one.code) };
                EnumItem {
                    id: None,
                    naziv,
                    num_vrednost: one.weight,
                    opis: None,
                    opcioni: true,
                    sifra_veza: Some(one.code.clone()).filter(|code| !code.trim().is_empty()),
                    moze_se_izabrati: true,
                }
            })
            .collect();
        let known = choices.iter().map(|one| (one.code.clone(), one.weight)).collect();
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

    /// The names of a type's items, in their order.
    pub fn items(&self, type_name: &str) -> Vec<String> {
        let known = self.types.iter().find(|known| known.own.naziv == type_name);
        known.into_iter().flat_map(|known| &known.stavke).map(|item| item.naziv.clone()).collect()
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

    /// A table without a column says nothing.
    pub(super) fn drop_empty_sections(&mut self) {
        let holders: HashSet<String> = self.form.polja.iter().filter_map(|field| field.nadredjeni.clone()).collect();
        let is_empty = |field: &FieldDefinition| field.own.ponavlja_se && !holders.contains(&field.sifra);
        let told = self.form.polja.iter().filter(|field| is_empty(field));
        let message = "sekcija koja se ponavlja nema nijednu kolonu koja se prenosi, pa se ni ona ne prenosi";
        self.unmapped.extend(told.map(|field| Note::new(format!("„{}”", field.own.naziv), message)));
        self.form.polja.retain(|field| !is_empty(field));
    }

    /// Types of what was dropped, and a form of which nothing is left.
    pub(super) fn tell_nothing_left(&mut self) {
        let fields = &self.form.polja;
        self.types.retain(|known| fields.iter().any(|field| field.tip_atributa == known.own.naziv));
        if fields.is_empty() {
            self.unmapped.push(Note::new(format!("„{}”", self.form.naziv), "formular nema nijedno polje koje se prenosi: biće prazan"));
        }
    }

    /// Where a form has tabs, what stands beside them gets one too.
    pub(super) fn settle_loose(&mut self) {
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
    let (mut definition, mut proof) = (Definition::default(), Proof::default());
    for builder in builders {
        let Builder { mut form, types, unmapped: lost, warnings: told, proof: own, .. } = builder.finish(dialect);
        proof.add(own);
        for mut known in types {
            let was = known.own.naziv.clone();
            let alike = |other: &AttributeType| {
                other.tip_vrednosti == known.tip_vrednosti
                    && other.own == known.own
                    && other
                        .stavke
                        .iter()
                        .map(|item| (&item.naziv, item.num_vrednost, &item.sifra_veza))
                        .eq(known.stavke.iter().map(|item| (&item.naziv, item.num_vrednost, &item.sifra_veza)))
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
    Foreign { definition, unmapped, warnings, proof }
}
