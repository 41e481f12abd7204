//! A form as its designer edits it, whole: its fields, their types, the items of those. What is new has a negative id until it is
//! published.

use std::collections::{HashMap, HashSet};

use domain::{
    register::{FieldProperties, RuleProperties, TypeProperties, ValueType, in_tree_order},
    text,
};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = FormDocument)]
#[serde(rename_all = "camelCase", default)]
pub struct Document {
    #[serde(deserialize_with = "text::required")]
    pub naziv: String,
    /// In the order of the screen, within what each of them stands in.
    pub polja: Vec<DraftField>,
    /// All that the fields are of.
    pub tipovi: Vec<DraftType>,
    /// Of those types, each in its order.
    pub stavke: Vec<DraftItem>,
    /// In the order in which they are told.
    pub pravila: Vec<DraftRule>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct DraftField {
    pub id: i64,
    #[serde(rename = "tipAtributaID")]
    pub tip_atributa_id: i64,
    #[serde(rename = "nadredjeniAtributUTipuSkupaID")]
    pub nadredjeni: Option<i64>,
    #[serde(rename = "inicijalnaEnumStavkaID")]
    pub inicijalna_stavka: Option<i64>,
    #[serde(flatten)]
    pub own: FieldProperties,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct DraftType {
    pub id: i64,
    pub tip_vrednosti_atributa: ValueType,
    #[serde(flatten)]
    pub own: TypeProperties,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct DraftItem {
    pub id: i64,
    #[serde(rename = "tipAtributaID")]
    pub tip_atributa_id: i64,
    #[serde(deserialize_with = "text::required")]
    pub naziv: String,
    /// Its weight.
    #[schema(value_type = Option<f64>)]
    pub num_vrednost: Option<Decimal>,
    /// That it has no weight is said, so that a number that was forgotten is asked for.
    pub bez_tezine: bool,
    #[serde(deserialize_with = "text::optional")]
    pub opis: Option<String>,
    pub opcioni: bool,
    #[serde(deserialize_with = "text::optional")]
    pub sifra_veza: Option<String>,
    pub moze_se_izabrati: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct DraftRule {
    pub id: i64,
    #[serde(flatten)]
    pub own: RuleProperties,
}

impl Default for DraftItem {
    fn default() -> Self {
        Self {
            id: 0,
            tip_atributa_id: 0,
            naziv: String::new(),
            num_vrednost: None,
            bez_tezine: false,
            opis: None,
            opcioni: true,
            sifra_veza: None,
            moze_se_izabrati: true,
        }
    }
}

impl DraftField {
    /// As messages call it.
    pub fn called(&self) -> &str {
        self.own.sifra.as_deref().unwrap_or(&self.own.naziv)
    }
}

impl Document {
    pub fn field(&self, id: i64) -> Option<&DraftField> {
        self.polja.iter().find(|field| field.id == id)
    }

    pub fn types(&self) -> HashMap<i64, &DraftType> {
        self.tipovi.iter().map(|known| (known.id, known)).collect()
    }

    /// Items by the id of their type.
    pub fn items(&self) -> HashMap<i64, Vec<&DraftItem>> {
        let mut of: HashMap<i64, Vec<&DraftItem>> = HashMap::new();
        for item in &self.stavke {
            of.entry(item.tip_atributa_id).or_default().push(item);
        }
        of
    }

    /// In the order of its tree, without types that no field is of any more, and their items.
    pub fn tidy(mut self) -> Self {
        self.polja = in_tree_order(self.polja, |field| field.id, |field| field.nadredjeni);
        let used: HashSet<i64> = self.polja.iter().map(|field| field.tip_atributa_id).collect();
        self.tipovi.retain(|known| used.contains(&known.id));
        self.stavke.retain(|item| used.contains(&item.tip_atributa_id));
        self
    }

    /// Takes types, with their items, as the database has them.
    pub fn take_types(&mut self, from: &Self) {
        let taken: HashSet<i64> = from.tipovi.iter().map(|known| known.id).collect();
        self.tipovi.retain(|known| !taken.contains(&known.id));
        self.stavke.retain(|item| !taken.contains(&item.tip_atributa_id));
        self.tipovi.extend_from_slice(&from.tipovi);
        self.stavke.extend_from_slice(&from.stavke);
    }

    /// Whether a type or an item of it is another one in the two.
    pub fn has_type_otherwise(&self, other: &Self, type_id: i64) -> bool {
        let known = |document: &Self| document.tipovi.iter().find(|known| known.id == type_id).cloned();
        let items = |document: &Self| -> Vec<DraftItem> {
            document.stavke.iter().filter(|item| item.tip_atributa_id == type_id).cloned().collect()
        };
        known(self) != known(other) || items(self) != items(other)
    }
}
