//! A register's definition as a file: register, attribute types with their items, forms, fields. Keys are the
//! specification's own words; things are named by their codes, never by database ids.

use anyhow::Context;
use base64::{Engine, engine::general_purpose::STANDARD};
use domain::register::ValueType;
use rust_decimal::Decimal;
use serde::{Deserialize, Deserializer, Serialize, de::Error as _};

#[derive(Deserialize, Debug)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Definition {
    pub register: Register,
    #[serde(default)]
    pub attribute_types: Vec<AttributeType>,
    #[serde(default)]
    pub forms: Vec<Form>,
}

#[derive(Deserialize, Debug)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Register {
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
}

#[derive(Deserialize, Debug)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AttributeType {
    pub naziv: String,
    #[serde(deserialize_with = "named")]
    pub tip_vrednosti: ValueType,
    pub napomena: Option<String>,
    pub decimale_brojne_vrednosti: Option<i16>,
    pub donja_granica_brojne_vrednosti: Option<Decimal>,
    pub gornja_granica_brojne_vrednosti: Option<Decimal>,
    pub sirina: Option<i32>,
    pub visina: Option<i32>,
    pub jedinica: Option<String>,
    /// Only for sets; in the order in which they are shown.
    #[serde(default)]
    pub stavke: Vec<EnumItem>,
}

#[derive(Deserialize, Debug)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EnumItem {
    pub naziv: String,
    /// Names the item within its type when the file is read again.
    pub num_vrednost: Decimal,
    pub opis: Option<String>,
    #[serde(default = "yes")]
    pub opcioni: bool,
    pub sifra_veza: Option<String>,
}

#[derive(Deserialize, Debug)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Form {
    /// Names the form within its register when the file is read again.
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
    pub polja: Vec<Field>,
}

#[derive(Deserialize, Debug)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Field {
    /// Names the field within its form when the file is read again.
    pub sifra: String,
    pub naziv: String,
    pub tip_atributa: String,
    /// Code of the tab, panel or image that holds the field.
    pub nadredjeni: Option<String>,
    pub sifra_veza: Option<String>,
    #[serde(default)]
    pub relevantni: bool,
    #[serde(default = "yes")]
    pub opcioni: bool,
    #[serde(default)]
    pub inicijalno_poslednja_popunjena_vrednost: bool,
    #[serde(default = "yes")]
    pub ispisuje_se_labela: bool,
    #[serde(default)]
    pub ima_cek_box: bool,
    #[serde(default)]
    pub vertikalni_prikaz: bool,
    #[serde(default)]
    pub pretrazuje_se: bool,
    #[serde(default = "yes")]
    pub prikazuje_se: bool,
    #[serde(default)]
    pub multiselect: bool,
    #[serde(default)]
    pub radio_button: bool,
    pub inicijalna_boolean_vrednost: Option<bool>,
    pub inicijalna_string_vrednost: Option<String>,
    pub inicijalna_brojna_vrednost: Option<Decimal>,
    /// Name of an item of the field's type.
    pub inicijalna_enum_stavka: Option<String>,
    pub upit_inicijalna_vrednost: Option<String>,
    pub formula_za_prikaz: Option<String>,
    pub formula_za_racunanje: Option<String>,
    pub napomena: Option<String>,
    pub html_info: Option<String>,
    pub donja_referentna_brojna_vrednost: Option<Decimal>,
    pub gornja_referentna_brojna_vrednost: Option<Decimal>,
    /// Picture file beside the definition, or base64 of it.
    pub background_image: Option<String>,
    pub image_coordinate_x: Option<Decimal>,
    pub image_coordinate_y: Option<Decimal>,
    /// A chart's lines.
    pub grafik: Option<Vec<ChartLine>>,
}

#[derive(Deserialize, Serialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct ChartLine {
    pub oznaka: String,
    /// Code of a field of this form, or else of the one form of the register that has it.
    pub sifra: String,
    pub boja: String,
}

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
    for form in &mut definition.forms {
        for field in &mut form.polja {
            let Some(image) = &mut field.background_image else { continue };
            if is_picture_file(image) {
                let bytes = picture(image).with_context(|| format!("slika „{image}” polja „{}”", field.sifra))?;
                *image = STANDARD.encode(bytes);
            }
        }
    }
    Ok(definition)
}

fn is_picture_file(text: &str) -> bool {
    let name = text.to_ascii_lowercase();
    [".png", ".jpg", ".jpeg", ".gif", ".webp"].iter().any(|ending| name.ends_with(ending))
}
