//! A field of a form as entries see it (`field_description` in `migrations/functions/form.sql`), made of what is configured and led back to it.
//! A description says neither no nor nothing: such a property is read as its default, and one that comes later is not missed in a version
//! of before it.

use rust_decimal::{
    Decimal,
    prelude::{FromPrimitive, ToPrimitive},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::{
    attachment::FileLimits,
    register::{DEFAULT_ROWS, FieldProperties, OtherUnit, TypeProperties, ValueType},
};

/// A field of the form (auts), with the specification's names.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
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
    /// Where it holds and the field shows, a value is required.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub obavezan_ako: Option<Value>,
    #[serde(default)]
    #[schema(required)]
    pub opciono: bool,
    #[serde(default)]
    #[schema(required)]
    pub relevantno: bool,
    #[serde(default)]
    #[schema(required)]
    pub prikazuje_se: bool,
    /// What earlier entries held last is told beside it.
    #[serde(default)]
    pub prikazi_prethodnu: bool,
    #[serde(default)]
    #[schema(required)]
    pub ima_cek_box: bool,
    #[serde(default)]
    #[schema(required)]
    pub radio_button: bool,
    #[serde(default)]
    #[schema(required)]
    pub multiselect: bool,
    #[serde(default)]
    #[schema(required)]
    pub vertikalni_prikaz: bool,
    #[serde(default)]
    #[schema(required)]
    pub ispisuje_se_labela: bool,
    #[serde(default)]
    #[schema(required)]
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
    /// Of a section that repeats: the most rows that it may have. None: it is no such section.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub najvise_redova: Option<i32>,
    /// Of a section that repeats: its fields, which hold no values of their own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(no_recursion)]
    pub kolone: Vec<EntryField>,
    /// Only of a form as it is configured today.
    #[serde(skip)]
    pub initial: Initial,
    #[serde(default, skip_serializing)]
    #[schema(ignore)]
    pub izvor: Source,
}

/// What a field was configured from, for those who compare two versions.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Source {
    pub tip_atributa_id: i64,
    pub formula_za_prikaz: Option<String>,
    pub formula_za_racunanje: Option<String>,
    #[serde(default)]
    pub obavezan_ako: Option<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FieldType {
    pub donja_granica_brojne_vrednosti: Option<f64>,
    pub gornja_granica_brojne_vrednosti: Option<f64>,
    pub decimale_brojne_vrednosti: Option<i16>,
    pub jedinica: Option<String>,
    /// What the unit means, where that is not its text (`meaning`).
    #[serde(default, skip_serializing)]
    #[schema(ignore)]
    pub znacenje_jedinice: Option<String>,
    /// In which a number may be typed too.
    #[serde(default)]
    pub druge_jedinice: Vec<OtherUnit>,
    pub sirina: Option<i32>,
    pub visina: Option<i32>,
    /// Of a field with files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fajlovi: Option<FileLimits>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Choice {
    pub id: i64,
    pub naziv: String,
    /// Its weight, where it has one.
    pub num_vrednost: Option<f64>,
    /// Its code, by which formulas name it. Known of a form as it is configured today, and in a version where a formula names an item of
    /// the set so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sifra: Option<String>,
    /// An item that was retired stays readable where it was chosen.
    #[serde(default)]
    #[schema(required)]
    pub aktivan: bool,
    /// What it means, where that is not what it meant at first (`meaning`).
    #[serde(default, skip_serializing)]
    #[schema(ignore)]
    pub znacenje: Option<String>,
}

/// Where a new entry's first value comes from.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Initial {
    pub last_saved: bool,
    pub choice: Option<bool>,
    pub text: Option<String>,
    pub item: Option<i64>,
    pub query: Option<String>,
}

impl EntryField {
    /// A value of its own kind, or the rows of a section.
    pub fn holds_value(&self) -> bool {
        self.tva_num_vrednost.holds_value() || self.is_section()
    }

    /// Whether it is a section that repeats.
    pub fn is_section(&self) -> bool {
        self.najvise_redova.is_some()
    }

    pub fn is_calculated(&self) -> bool {
        self.formula_za_racunanje.is_some()
    }
}

impl EntryField {
    /// What entries would see of a field that is configured so; its place, its items and the trees of its formulas are set apart.
    pub fn configured(own: &FieldProperties, tip_atributa_id: i64, kind: ValueType, of_type: &TypeProperties) -> Self {
        Self {
            sifra: own.sifra.clone(),
            naziv: own.naziv.clone(),
            tva_num_vrednost: kind,
            opciono: own.opcioni,
            relevantno: own.relevantni,
            prikazuje_se: own.prikazuje_se,
            prikazi_prethodnu: own.prikazi_prethodnu,
            ima_cek_box: own.ima_cek_box,
            radio_button: own.radio_button,
            multiselect: own.multiselect,
            vertikalni_prikaz: own.vertikalni_prikaz,
            ispisuje_se_labela: own.ispisuje_se_labela,
            inicijalna_brojna_vrednost: own.image_coordinate_x.and_then(|_| float(own.inicijalna_brojna_vrednost)),
            gornja_referentna_brojna_vrednost: float(own.gornja_referentna_brojna_vrednost),
            donja_referentna_brojna_vrednost: float(own.donja_referentna_brojna_vrednost),
            background_image: own.background_image.clone(),
            image_coordinate_x: float(own.image_coordinate_x),
            image_coordinate_y: float(own.image_coordinate_y),
            napomena: own.napomena.clone(),
            html_info: own.html_info.clone(),
            grafik: own.grafik.as_ref().and_then(|lines| serde_json::to_value(lines).ok()),
            tip_atributa: FieldType::configured(of_type, kind),
            izvor: Source {
                tip_atributa_id,
                formula_za_prikaz: own.formula_za_prikaz.clone(),
                formula_za_racunanje: own.formula_za_racunanje.clone(),
                obavezan_ako: own.obavezan_ako.clone(),
            },
            najvise_redova: own.ponavlja_se.then(|| own.najvise_redova.unwrap_or(DEFAULT_ROWS)),
            ..Self::default()
        }
    }

    /// Configures a field as entries saw it; what they never see stays as it is.
    pub fn restore(&self, own: &mut FieldProperties) {
        own.naziv = self.naziv.clone();
        own.sifra = self.sifra.clone();
        own.opcioni = self.opciono;
        own.relevantni = self.relevantno;
        own.prikazuje_se = self.prikazuje_se;
        own.prikazi_prethodnu = self.prikazi_prethodnu;
        own.ima_cek_box = self.ima_cek_box;
        own.radio_button = self.radio_button;
        own.multiselect = self.multiselect;
        own.vertikalni_prikaz = self.vertikalni_prikaz;
        own.ispisuje_se_labela = self.ispisuje_se_labela;
        own.ponavlja_se = self.is_section();
        own.najvise_redova = self.najvise_redova.filter(|most| *most != DEFAULT_ROWS);
        own.formula_za_prikaz = self.izvor.formula_za_prikaz.clone();
        own.formula_za_racunanje = self.izvor.formula_za_racunanje.clone();
        own.obavezan_ako = self.izvor.obavezan_ako.clone();
        own.gornja_referentna_brojna_vrednost = decimal(self.gornja_referentna_brojna_vrednost);
        own.donja_referentna_brojna_vrednost = decimal(self.donja_referentna_brojna_vrednost);
        own.background_image = self.background_image.clone();
        own.image_coordinate_x = decimal(self.image_coordinate_x);
        own.image_coordinate_y = decimal(self.image_coordinate_y);
        own.napomena = self.napomena.clone();
        own.html_info = self.html_info.clone();
        own.grafik = self.grafik.clone().and_then(|lines| serde_json::from_value(lines).ok());
        if self.image_coordinate_x.is_some() {
            own.inicijalna_brojna_vrednost = decimal(self.inicijalna_brojna_vrednost);
        }
    }
}

impl FieldType {
    pub fn configured(own: &TypeProperties, kind: ValueType) -> Self {
        Self {
            donja_granica_brojne_vrednosti: float(own.donja_granica_brojne_vrednosti),
            gornja_granica_brojne_vrednosti: float(own.gornja_granica_brojne_vrednosti),
            decimale_brojne_vrednosti: own.decimale_brojne_vrednosti,
            jedinica: own.jedinica.clone(),
            znacenje_jedinice: None,
            druge_jedinice: own.druge_jedinice.clone(),
            sirina: own.sirina,
            visina: own.visina,
            fajlovi: (kind == ValueType::File).then(|| own.file_limits()),
        }
    }

    pub fn restore(&self, own: &mut TypeProperties) {
        own.donja_granica_brojne_vrednosti = decimal(self.donja_granica_brojne_vrednosti);
        own.gornja_granica_brojne_vrednosti = decimal(self.gornja_granica_brojne_vrednosti);
        own.decimale_brojne_vrednosti = self.decimale_brojne_vrednosti;
        own.jedinica = self.jedinica.clone();
        own.druge_jedinice = self.druge_jedinice.clone();
        own.sirina = self.sirina;
        own.visina = self.visina;
        if let Some(FileLimits { vrste_fajlova, najvise_fajlova, najvise_megabajta }) = self.fajlovi.clone() {
            own.vrste_fajlova = vrste_fajlova;
            own.najvise_fajlova = najvise_fajlova;
            own.najvise_megabajta = najvise_megabajta;
        }
    }
}

/// A number as it is configured is read as a double, and a double as its shortest decimals.
fn float(number: Option<Decimal>) -> Option<f64> {
    number.and_then(|number| number.to_f64())
}

fn decimal(number: Option<f64>) -> Option<Decimal> {
    number.and_then(Decimal::from_f64)
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, json};

    use super::*;

    /// What the administration asks and entries never see.
    const UNSEEN: [&str; 11] = [
        "sifraVeza",
        "pretrazujeSe",
        "inicijalnoPoslednjaPopunjenaVrednost",
        "inicijalnaBooleanVrednost",
        "inicijalnaStringVrednost",
        "inicijalnaBrojnaVrednost",
        "upitInicijalnaVrednost",
        "primeri",
        "napomenaDizajnera",
        "oznakaIzvoza",
        "blok",
    ];

    fn fields(own: &FieldProperties) -> Map<String, Value> {
        let Ok(Value::Object(fields)) = serde_json::to_value(own) else { panic!("properties are an object") };
        fields
    }

    fn seen(own: &FieldProperties) -> EntryField {
        EntryField::configured(own, 7, ValueType::Number, &TypeProperties::default())
    }

    /// Each property with something else than what it begins with; a section says how many rows it may have.
    fn with(name: &str, default: &Value) -> FieldProperties {
        let value = match (name, default) {
            ("grafik", _) => json!([{ "oznaka": "CRP", "sifra": "crp", "boja": "#12ab9f" }]),
            ("primeri", _) => json!([{}]),
            ("najviseRedova", _) => json!(7),
            (_, Value::Bool(default)) => json!(!default),
            _ if name.contains("Brojna") || name.contains("Coordinate") => json!(2.5),
            ("inicijalnaBooleanVrednost", _) => json!(true),
            ("oznakaIzvoza", _) => json!("identitet"),
            _ => json!("nešto"),
        };
        let mut all = fields(&FieldProperties::default());
        all.insert(name.to_owned(), value);
        if name == "najviseRedova" {
            all.insert("ponavljaSe".to_owned(), json!(true));
        }
        serde_json::from_value(Value::Object(all)).unwrap()
    }

    #[test]
    fn what_entries_see_of_a_property_configures_it_again() {
        for (name, default) in fields(&FieldProperties::default()) {
            let own = with(&name, &default);
            let is_seen = seen(&own) != seen(&FieldProperties::default());
            assert_eq!(is_seen, !UNSEEN.contains(&name.as_str()), "{name}");
            let mut restored = FieldProperties::default();
            seen(&own).restore(&mut restored);
            assert_eq!(restored == own, is_seen, "{name}");
        }
    }

    #[test]
    fn what_entries_see_of_a_type_configures_it_again() {
        let all = json!({
            "decimaleBrojneVrednosti": 1, "donjaGranicaBrojneVrednosti": 1.5, "gornjaGranicaBrojneVrednosti": 20, "sirina": 200, "visina": 40,
            "jedinica": "mmol/L", "drugeJedinice": [{ "jedinica": "mg/dL", "cinilac": 0.02586, "pomeraj": 0 }],
            "vrsteFajlova": ["pdf"], "najviseFajlova": 2, "najviseMegabajta": 7,
        });
        let of_files: TypeProperties = serde_json::from_value(all).unwrap();
        let no_files = TypeProperties { vrste_fajlova: None, najvise_fajlova: None, najvise_megabajta: None, ..of_files.clone() };
        for (kind, expected) in [(ValueType::File, &of_files), (ValueType::Number, &no_files)] {
            let mut restored = TypeProperties::default();
            FieldType::configured(&of_files, kind).restore(&mut restored);
            assert_eq!(&restored, expected, "{kind:?}");
        }
    }
}
