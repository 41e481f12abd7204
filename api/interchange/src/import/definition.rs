//! A register's definition as a file: register, attribute types with their items, forms, fields. Keys are the
//! specification's own words; things are named by their codes, never by database ids.

use std::collections::BTreeMap;

use anyhow::{Context, bail};
use base64::{Engine, engine::general_purpose::STANDARD};
use configuration::admin::visit_plan::item::{Anchor, Unit};
use domain::{
    entry::quality::Severity,
    register::{FieldProperties, RuleProperties, TypeProperties, ValueType},
};
use rust_decimal::Decimal;
use serde::{
    Deserialize, Deserializer, Serialize,
    de::{Error as _, IgnoredAny},
};
use utoipa::ToSchema;

#[derive(Deserialize, Debug, Default)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Definition {
    /// Of a block of the library; whoever brings the file into a register passes over it.
    pub block: Option<BlockHeading>,
    /// None in a file of single forms: they are brought into a register that is named otherwise.
    pub register: Option<Register>,
    #[serde(default)]
    pub attribute_types: Vec<AttributeType>,
    #[serde(default)]
    pub forms: Vec<FormDefinition>,
    #[serde(default)]
    pub planovi: Vec<PlanDefinition>,
    #[serde(default)]
    pub pravila_kvaliteta: Vec<QualityRuleDefinition>,
}

impl Definition {
    /// The queries of first values.
    pub fn queries(&self) -> impl Iterator<Item = &str> {
        self.forms.iter().flat_map(|form| &form.polja).filter_map(|field| field.own.upit_inicijalna_vrednost.as_deref())
    }
}

/// What a block says of itself.
#[derive(Deserialize, Serialize, Debug, Clone, PartialEq, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BlockHeading {
    /// Names the block; forms remember it with the edition.
    pub sifra: String,
    pub naziv: String,
    /// Counts from 1; a change of the block is an edition.
    pub izdanje: i32,
    /// Of medicine.
    pub oblast: String,
    pub opis: String,
    /// Who published what the block computes.
    pub izvor: String,
    pub licenca: String,
    /// What a licence keeps out of the block.
    pub nedostaje: Option<String>,
}

#[derive(Deserialize, Serialize, Debug, Clone, Default)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Register {
    /// `-`: it has none, and is named by who brings the file in.
    pub sifra: String,
    pub naziv: String,
    pub opis: Option<String>,
    pub naziv_prvi_unos: Option<String>,
    /// `sifraVeza` of the form that the first entry is made with.
    pub prvi_tip_hijerarhije_atributa: Option<String>,
    pub naziv_podrazumevani_unos: Option<String>,
    pub podrazumevani_tip_hijerarhije_atributa: Option<String>,
    pub broj_rezultata_u_pretrazi: Option<i32>,
    #[serde(default)]
    pub prikaz_tekucih_unosa_kod_pretrage: bool,
    pub logo_putanja: Option<String>,
    /// Causes of statuses, one a line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uzroci_statusa: Option<String>,
    #[serde(default)]
    pub pristanak_registar: bool,
    #[serde(default)]
    pub pristanak_istrazivanje: bool,
    #[serde(default)]
    pub pristanak_kontakt: bool,
    #[serde(default)]
    pub pristanak_razmena: bool,
}

#[derive(Deserialize, Debug, Clone, Default)]
#[serde(rename_all = "camelCase")]
pub struct AttributeType {
    /// Its id where it was read from the database.
    #[serde(skip)]
    pub id: Option<i64>,
    #[serde(deserialize_with = "named")]
    pub tip_vrednosti: ValueType,
    /// By what fields name it, where another type of the file has its name.
    pub oznaka: Option<String>,
    /// Only for sets; in the order in which they are shown.
    #[serde(default)]
    pub stavke: Vec<EnumItem>,
    #[serde(flatten)]
    pub own: TypeProperties,
    #[serde(flatten)]
    pub unknown: Unknown,
}

impl AttributeType {
    /// By what fields of the file name it.
    pub fn mark(&self) -> &str {
        self.oznaka.as_deref().unwrap_or(&self.own.naziv)
    }
}

#[derive(Deserialize, Debug, Clone)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EnumItem {
    /// Its id where it was read from the database.
    #[serde(skip)]
    pub id: Option<i64>,
    /// With `sifraVeza` it names the item within its type when the file is read again (docs/decisions/0051-*.md).
    pub naziv: String,
    /// Its weight; one that has none says none.
    pub num_vrednost: Option<Decimal>,
    pub opis: Option<String>,
    #[serde(default = "yes")]
    pub opcioni: bool,
    pub sifra_veza: Option<String>,
    #[serde(default = "yes")]
    pub moze_se_izabrati: bool,
}

#[derive(Deserialize, Debug, Clone, Default)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FormDefinition {
    /// Its id where it was read from the database.
    #[serde(skip)]
    pub id: Option<i64>,
    /// Names the form within its register when the file is read again; `-1` and so on: it has none, and is known by its name.
    pub sifra_veza: String,
    pub naziv: String,
    pub naziv_engleski: Option<String>,
    #[serde(default = "yes")]
    pub moze_se_instancirati: bool,
    pub napomena: Option<String>,
    pub opis: Option<String>,
    pub maksimalan_broj_instanci_po_kontaktu: Option<i32>,
    pub maksimalan_broj_instanci_po_pacijentu: Option<i32>,
    #[serde(default)]
    pub polja: Vec<FieldDefinition>,
    #[serde(default)]
    pub pravila: Vec<RuleDefinition>,
}

#[derive(Deserialize, Debug, Clone, Default)]
#[serde(rename_all = "camelCase")]
pub struct FieldDefinition {
    /// Its id where it was read from the database.
    #[serde(skip)]
    pub id: Option<i64>,
    /// Names the field within its form when the file is read again; `-1` and so on: it has none, and is known by its name and type.
    pub sifra: String,
    pub tip_atributa: String,
    /// Code of the tab, panel or image that holds the field.
    pub nadredjeni: Option<String>,
    /// Name of an item of the field's type.
    pub inicijalna_enum_stavka: Option<String>,
    #[serde(flatten)]
    pub own: FieldProperties,
    #[serde(flatten)]
    pub unknown: Unknown,
}

/// A visit plan of the register. A version of it is what a file brings: one that is as it was stays the newest.
#[derive(Deserialize, Serialize, Debug, Clone, Default, PartialEq)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PlanDefinition {
    /// Its id where it was read from the database.
    #[serde(skip)]
    pub id: Option<i64>,
    /// Names the plan within its register when the file is read again.
    pub sifra: String,
    pub naziv: String,
    #[serde(default)]
    pub podrazumevani: bool,
    #[serde(default, skip_serializing)]
    pub posete: Vec<VisitDefinition>,
}

/// A rule of quality of the register, with codes in the place of ids.
#[derive(Deserialize, Serialize, Debug, Clone)]
#[serde(rename_all = "camelCase", default)]
pub struct QualityRuleDefinition {
    /// Its id where it was read from the database.
    #[serde(skip)]
    pub id: Option<i64>,
    /// Names the rule within its register when the file is read again.
    pub naziv: String,
    /// Code of the form; none: of every form of the register.
    pub formular: Option<String>,
    /// As `QualityKind` calls it; what it does not know is refused with the name of the rule.
    pub vrsta: String,
    /// As `Severity` calls it.
    pub tezina: String,
    pub poruka: Option<String>,
    /// Codes of fields of the form.
    pub polje: Option<String>,
    pub drugo_polje: Option<String>,
    pub donja_granica: Option<Decimal>,
    pub gornja_granica: Option<Decimal>,
    pub razlika: Option<Decimal>,
    pub dana: Option<i32>,
    pub formula: Option<String>,
    #[serde(flatten, skip_serializing)]
    pub unknown: Unknown,
}

impl Default for QualityRuleDefinition {
    fn default() -> Self {
        Self {
            id: None,
            naziv: String::new(),
            formular: None,
            vrsta: String::new(),
            tezina: Severity::default().name().to_owned(),
            poruka: None,
            polje: None,
            drugo_polje: None,
            donja_granica: None,
            gornja_granica: None,
            razlika: None,
            dana: None,
            formula: None,
            unknown: Unknown::default(),
        }
    }
}

/// As `PlanItem`, with codes in the place of ids.
#[derive(Deserialize, Serialize, Debug, Clone, PartialEq)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct VisitDefinition {
    pub sifra: String,
    pub naziv: String,
    pub sidro: Anchor,
    /// Codes of the form and of the field, with a dot between them.
    pub sidro_polje: Option<String>,
    pub pomeraj: i32,
    pub jedinica: Unit,
    pub prozor_pre: i32,
    pub prozor_posle: i32,
    pub ceka_dana: i32,
    pub ponavlja_meseci: Option<i32>,
    pub ponavlja_do_meseci: Option<i32>,
    /// Codes of forms.
    pub formulari: Vec<String>,
    pub uslov: Option<String>,
    /// Code of the form whose last entry the condition reads.
    pub uslov_formular: Option<String>,
}

impl Default for VisitDefinition {
    fn default() -> Self {
        Self {
            sifra: String::new(),
            naziv: String::new(),
            sidro: Anchor::default(),
            sidro_polje: None,
            pomeraj: 0,
            jedinica: Unit::default(),
            prozor_pre: 14,
            prozor_posle: 14,
            ceka_dana: 90,
            ponavlja_meseci: None,
            ponavlja_do_meseci: None,
            formulari: Vec::new(),
            uslov: None,
            uslov_formular: None,
        }
    }
}

/// Stands for a code that a thing of the administration does not have; no code begins so.
const NONE: char = '-';

/// The code itself; none where it only names the thing within its file.
pub fn code(mark: &str) -> Option<&str> {
    (!mark.starts_with(NONE)).then_some(mark)
}

#[derive(Deserialize, Debug, Clone, Default)]
pub struct RuleDefinition {
    #[serde(flatten)]
    pub own: RuleProperties,
    #[serde(flatten)]
    unknown: Unknown,
}

impl RuleDefinition {
    pub fn of(own: RuleProperties) -> Self {
        Self { own, ..Self::default() }
    }
}

/// What a table names that nothing has: refused, where a table with shared properties cannot refuse it by itself.
pub type Unknown = BTreeMap<String, IgnoredAny>;

fn named<'de, D: Deserializer<'de>>(deserializer: D) -> Result<ValueType, D::Error> {
    let name = String::deserialize(deserializer)?;
    ValueType::named(&name).ok_or_else(|| {
        let known = ValueType::ALL.map(ValueType::name).join(", ");
        D::Error::custom(format!("tipVrednosti „{name}” ne postoji; može biti {known}"))
    })
}

fn yes() -> bool {
    true
}

/// Reads a definition; `picture` gives the bytes of a picture named in it.
pub fn parse(text: &str, picture: impl Fn(&str) -> anyhow::Result<Vec<u8>>) -> anyhow::Result<Definition> {
    let mut definition: Definition = toml::from_str(text)?;
    for one in &definition.attribute_types {
        refuse_unknown(&one.unknown, &format!("attributeTypes.{}", one.own.naziv))?;
    }
    for rule in &definition.pravila_kvaliteta {
        refuse_unknown(&rule.unknown, &format!("pravilaKvaliteta.{}", rule.naziv))?;
    }
    for form in &mut definition.forms {
        for (place, rule) in form.pravila.iter().enumerate() {
            refuse_unknown(&rule.unknown, &format!("forms.{}.pravila.{}", form.sifra_veza, place + 1))?;
        }
        for field in &mut form.polja {
            refuse_unknown(&field.unknown, &format!("forms.{}.{}", form.sifra_veza, field.sifra))?;
            field.own.sifra = code(&field.sifra).map(str::to_owned);
            let Some(image) = &mut field.own.background_image else { continue };
            if is_picture_file(image) {
                let bytes = picture(image).with_context(|| format!("slika „{image}” polja „{}”", field.sifra))?;
                *image = STANDARD.encode(bytes);
            }
        }
    }
    Ok(definition)
}

fn refuse_unknown(unknown: &Unknown, place: &str) -> anyhow::Result<()> {
    match unknown.keys().next() {
        Some(name) => bail!("{place}: nepoznato svojstvo „{name}”"),
        None => Ok(()),
    }
}

fn is_picture_file(text: &str) -> bool {
    let name = text.to_ascii_lowercase();
    [".png", ".jpg", ".jpeg", ".gif", ".webp"].iter().any(|ending| name.ends_with(ending))
}
