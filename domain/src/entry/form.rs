//! A form with its fields, as the entry screen shows it, as the save checks it and as the print sets it.

use std::collections::{BTreeMap, HashMap};

use rust_decimal::{Decimal, prelude::ToPrimitive};
use serde::Serialize;
use serde_json::Value;
use sqlx::PgConnection;
use utoipa::ToSchema;

use crate::{
    formula::{self, Formula, Item},
    register::ValueType,
};

/// Why a form could not be read.
#[derive(Debug, thiserror::Error)]
pub enum FormError {
    #[error("there is no such form")]
    Missing,
    #[error("formula of field {field}: {cause}")]
    Formula { field: i64, cause: serde_json::Error },
    #[error(transparent)]
    Database(#[from] sqlx::Error),
}

type Result<T> = std::result::Result<T, FormError>;

/// A field of the form (auts), with the specification's names.
#[derive(Debug, Clone, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EntryField {
    pub id: i64,
    pub sifra: Option<String>,
    pub naziv: String,
    pub redosled: i32,
    pub tva_num_vrednost: ValueType,
    /// The tab or panel that the field lies in.
    #[serde(rename = "naredjeniAUTS")]
    pub naredjeni_auts: Option<i64>,
    /// The parsed formula, as `domain::formula` describes it.
    #[schema(value_type = Option<Object>)]
    pub formula_za_prikaz: Option<Value>,
    #[schema(value_type = Option<Object>)]
    pub formula_za_racunanje: Option<Value>,
    pub opciono: bool,
    pub relevantno: bool,
    pub prikazuje_se: bool,
    pub ima_cek_box: bool,
    pub radio_button: bool,
    pub multiselect: bool,
    pub vertikalni_prikaz: bool,
    pub ispisuje_se_labela: bool,
    pub enum_stavke_sve: Vec<Choice>,
    pub inicijalna_brojna_vrednost: Option<f64>,
    pub gornja_referentna_brojna_vrednost: Option<f64>,
    pub donja_referentna_brojna_vrednost: Option<f64>,
    pub background_image: Option<String>,
    pub image_coordinate_x: Option<f64>,
    pub image_coordinate_y: Option<f64>,
    pub napomena: Option<String>,
    pub html_info: Option<String>,
    /// A chart's lines: `[{"oznaka", "sifra", "boja"}]`.
    #[schema(value_type = Option<Object>)]
    pub grafik: Option<Value>,
    pub tip_atributa: FieldType,
    #[serde(skip)]
    pub initial: Initial,
}

#[derive(Debug, Clone, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FieldType {
    pub donja_granica_brojne_vrednosti: Option<f64>,
    pub gornja_granica_brojne_vrednosti: Option<f64>,
    pub decimale_brojne_vrednosti: Option<i16>,
    pub jedinica: Option<String>,
    pub sirina: Option<i32>,
    pub visina: Option<i32>,
}

#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Choice {
    pub id: i64,
    pub naziv: String,
    pub num_vrednost: f64,
    /// An item that was retired stays readable where it was chosen.
    pub aktivan: bool,
}

/// Where a new entry's first value comes from.
#[derive(Debug, Clone, Default)]
pub struct Initial {
    pub last_saved: bool,
    pub choice: Option<bool>,
    pub text: Option<String>,
    pub item: Option<i64>,
    pub query: Option<String>,
}

impl EntryField {
    pub fn holds_value(&self) -> bool {
        self.tva_num_vrednost.holds_value()
    }

    pub fn is_calculated(&self) -> bool {
        self.formula_za_racunanje.is_some()
    }
}

#[derive(Default)]
pub struct EntryForm {
    pub id: i64,
    pub naziv: String,
    pub registar_id: i64,
    pub moze_se_instancirati: bool,
    /// The most entries of a patient: in all, and on one day.
    pub max_instanci: Option<i32>,
    pub max_po_kontaktu: Option<i32>,
    pub fields: Vec<EntryField>,
    pub formulas: Vec<formula::Field>,
}

impl EntryForm {
    pub async fn load(db: &mut PgConnection, id: i64) -> Result<Self> {
        let form = sqlx::query!(
            "select id, naziv, registar_id, moze_se_instancirati, maksimalan_broj_instanci_po_pacijentu, maksimalan_broj_instanci_po_kontaktu
               from form where id = $1 and aktivan",
            id
        )
        .fetch_optional(&mut *db)
        .await?
        .ok_or(FormError::Missing)?;
        let fields = fields(db, id).await?;
        let formulas = fields.iter().map(formula_field).collect::<Result<_>>()?;
        Ok(Self {
            id: form.id,
            naziv: form.naziv,
            registar_id: form.registar_id,
            moze_se_instancirati: form.moze_se_instancirati,
            max_instanci: form.maksimalan_broj_instanci_po_pacijentu,
            max_po_kontaktu: form.maksimalan_broj_instanci_po_kontaktu,
            fields,
            formulas,
        })
    }

    /// Whether a formula asks for anything of the previous entry.
    pub fn asks_for_previous(&self) -> bool {
        self.formulas.iter().any(|field| field.formulas().any(Formula::asks_for_previous))
    }

    pub fn by_id(&self) -> BTreeMap<i64, &EntryField> {
        self.fields.iter().map(|field| (field.id, field)).collect()
    }
}

async fn fields(db: &mut PgConnection, form: i64) -> Result<Vec<EntryField>> {
    let mut items: HashMap<i64, Vec<Choice>> = HashMap::new();
    let rows = sqlx::query!(
        r#"select e.id, e.tip_atributa_id, e.naziv, e.num_vrednost, e.aktivan and e.moze_se_izabrati as "aktivan!" from enum_item e
          where e.tip_atributa_id in (select tip_atributa_id from form_field where tip_skupa_atributa_id = $1 and aktivan)
          order by e.redosled, e.id"#,
        form
    )
    .fetch_all(&mut *db)
    .await?;
    for row in rows {
        items.entry(row.tip_atributa_id).or_default().push(Choice {
            id: row.id,
            naziv: row.naziv,
            num_vrednost: float(row.num_vrednost),
            aktivan: row.aktivan,
        });
    }
    let rows = sqlx::query!(
        r#"
        select f.id, f.sifra, f.naziv, f.redosled, t.tip_vrednosti_atributa as "tip_vrednosti_atributa: ValueType", f.nadredjeni_atribut_u_tipu_skupa_id, f.formula_za_prikaz_ast,
               f.formula_za_racunanje_ast, f.opcioni, f.relevantni, f.prikazuje_se, f.ima_cek_box, f.radio_button, f.multiselect,
               f.vertikalni_prikaz, f.ispisuje_se_labela, f.inicijalna_brojna_vrednost, f.gornja_referentna_brojna_vrednost,
               f.donja_referentna_brojna_vrednost, f.background_image, f.image_coordinate_x, f.image_coordinate_y, f.napomena, f.html_info,
               f.grafik, t.donja_granica_brojne_vrednosti, t.gornja_granica_brojne_vrednosti, t.decimale_brojne_vrednosti, t.jedinica,
               t.sirina, t.visina, f.inicijalno_poslednja_popunjena_vrednost, f.inicijalna_boolean_vrednost, f.inicijalna_string_vrednost,
               f.inicijalna_enum_stavka_id, f.upit_inicijalna_vrednost, f.tip_atributa_id
          from form_field f join attribute_type t on t.id = f.tip_atributa_id
         where f.tip_skupa_atributa_id = $1 and f.aktivan
         order by f.redosled, f.id
        "#,
        form
    )
    .fetch_all(db)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| EntryField {
            id: row.id,
            sifra: row.sifra,
            naziv: row.naziv,
            redosled: row.redosled,
            tva_num_vrednost: row.tip_vrednosti_atributa,
            naredjeni_auts: row.nadredjeni_atribut_u_tipu_skupa_id,
            formula_za_prikaz: row.formula_za_prikaz_ast,
            formula_za_racunanje: row.formula_za_racunanje_ast,
            opciono: row.opcioni,
            relevantno: row.relevantni,
            prikazuje_se: row.prikazuje_se,
            ima_cek_box: row.ima_cek_box,
            radio_button: row.radio_button,
            multiselect: row.multiselect,
            vertikalni_prikaz: row.vertikalni_prikaz,
            ispisuje_se_labela: row.ispisuje_se_labela,
            enum_stavke_sve: items.get(&row.tip_atributa_id).cloned().unwrap_or_default(),
            inicijalna_brojna_vrednost: row.inicijalna_brojna_vrednost.map(float),
            gornja_referentna_brojna_vrednost: row.gornja_referentna_brojna_vrednost.map(float),
            donja_referentna_brojna_vrednost: row.donja_referentna_brojna_vrednost.map(float),
            background_image: row.background_image,
            image_coordinate_x: row.image_coordinate_x.map(float),
            image_coordinate_y: row.image_coordinate_y.map(float),
            napomena: row.napomena,
            html_info: row.html_info,
            grafik: row.grafik,
            tip_atributa: FieldType {
                donja_granica_brojne_vrednosti: row.donja_granica_brojne_vrednosti.map(float),
                gornja_granica_brojne_vrednosti: row.gornja_granica_brojne_vrednosti.map(float),
                decimale_brojne_vrednosti: row.decimale_brojne_vrednosti,
                jedinica: row.jedinica,
                sirina: row.sirina,
                visina: row.visina,
            },
            initial: Initial {
                last_saved: row.inicijalno_poslednja_popunjena_vrednost,
                choice: row.inicijalna_boolean_vrednost,
                text: row.inicijalna_string_vrednost,
                item: row.inicijalna_enum_stavka_id,
                query: row.upit_inicijalna_vrednost,
            },
        })
        .collect())
}

fn float(number: Decimal) -> f64 {
    number.to_f64().expect("a decimal of the database is a double's size")
}

fn formula_field(field: &EntryField) -> Result<formula::Field> {
    let parsed = |tree: &Option<Value>| -> Result<Option<Formula>> {
        tree.clone().map(|tree| serde_json::from_value(tree).map_err(|cause| FormError::Formula { field: field.id, cause })).transpose()
    };
    Ok(formula::Field {
        id: field.id,
        sifra: field.sifra.clone(),
        parent: field.naredjeni_auts,
        tip_vrednosti: field.tva_num_vrednost,
        items: field.enum_stavke_sve.iter().map(|item| Item { id: item.id, num: item.num_vrednost, name: item.naziv.clone() }).collect(),
        multiple: field.multiselect,
        donja_granica: field.tip_atributa.donja_granica_brojne_vrednosti,
        gornja_granica: field.tip_atributa.gornja_granica_brojne_vrednosti,
        racunanje: parsed(&field.formula_za_racunanje)?,
        prikaz: parsed(&field.formula_za_prikaz)?,
    })
}
