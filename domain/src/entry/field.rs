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
    register::{DEFAULT_ROWS, FieldProperties, OtherUnit, PatientStatus, TypeProperties, ValueType},
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
    /// The day that is entered is the day of this status of the patient.
    #[serde(default)]
    pub postavlja_status: Option<PatientStatus>,
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

    /// Whether the server computes what it holds, or something of that: of a section, cells of its rows.
    pub fn has_results(&self) -> bool {
        self.is_calculated() || self.kolone.iter().any(Self::is_calculated)
    }
}

/// Where properties go: to what entries see, or back to what is configured.
trait Direction {
    fn same<T: Clone>(seen: &mut T, own: &mut T);
    /// A number as it is configured is read as a double, and a double as its shortest decimals.
    fn number(seen: &mut Option<f64>, own: &mut Option<Decimal>);
}

struct ToEntries;

impl Direction for ToEntries {
    fn same<T: Clone>(seen: &mut T, own: &mut T) {
        seen.clone_from(own);
    }

    fn number(seen: &mut Option<f64>, own: &mut Option<Decimal>) {
        *seen = own.and_then(|number| number.to_f64());
    }
}

struct ToConfiguration;

impl Direction for ToConfiguration {
    fn same<T: Clone>(seen: &mut T, own: &mut T) {
        own.clone_from(seen);
    }

    fn number(seen: &mut Option<f64>, own: &mut Option<Decimal>) {
        *own = seen.and_then(Decimal::from_f64);
    }
}

impl EntryField {
    /// Every property that entries see as it is configured, once for both directions.
    fn tell<D: Direction>(&mut self, own: &mut FieldProperties) {
        D::same(&mut self.sifra, &mut own.sifra);
        D::same(&mut self.naziv, &mut own.naziv);
        D::same(&mut self.opciono, &mut own.opcioni);
        D::same(&mut self.relevantno, &mut own.relevantni);
        D::same(&mut self.prikazuje_se, &mut own.prikazuje_se);
        D::same(&mut self.prikazi_prethodnu, &mut own.prikazi_prethodnu);
        D::same(&mut self.postavlja_status, &mut own.postavlja_status);
        D::same(&mut self.ima_cek_box, &mut own.ima_cek_box);
        D::same(&mut self.radio_button, &mut own.radio_button);
        D::same(&mut self.multiselect, &mut own.multiselect);
        D::same(&mut self.vertikalni_prikaz, &mut own.vertikalni_prikaz);
        D::same(&mut self.ispisuje_se_labela, &mut own.ispisuje_se_labela);
        D::same(&mut self.background_image, &mut own.background_image);
        D::same(&mut self.napomena, &mut own.napomena);
        D::same(&mut self.html_info, &mut own.html_info);
        D::same(&mut self.izvor.formula_za_prikaz, &mut own.formula_za_prikaz);
        D::same(&mut self.izvor.formula_za_racunanje, &mut own.formula_za_racunanje);
        D::same(&mut self.izvor.obavezan_ako, &mut own.obavezan_ako);
        D::number(&mut self.gornja_referentna_brojna_vrednost, &mut own.gornja_referentna_brojna_vrednost);
        D::number(&mut self.donja_referentna_brojna_vrednost, &mut own.donja_referentna_brojna_vrednost);
        D::number(&mut self.image_coordinate_x, &mut own.image_coordinate_x);
        D::number(&mut self.image_coordinate_y, &mut own.image_coordinate_y);
    }

    /// What entries would see of a field that is configured so; its place, its items and the trees of its formulas are set apart.
    pub fn configured(own: &FieldProperties, tip_atributa_id: i64, kind: ValueType, of_type: &TypeProperties) -> Self {
        let mut seen = Self {
            tva_num_vrednost: kind,
            grafik: own.grafik.as_ref().and_then(|lines| serde_json::to_value(lines).ok()),
            najvise_redova: own.ponavlja_se.then(|| own.najvise_redova.unwrap_or(DEFAULT_ROWS)),
            tip_atributa: FieldType::configured(of_type, kind),
            izvor: Source { tip_atributa_id, ..Source::default() },
            ..Self::default()
        };
        let mut own = own.clone();
        seen.tell::<ToEntries>(&mut own);
        if own.image_coordinate_x.is_some() {
            ToEntries::number(&mut seen.inicijalna_brojna_vrednost, &mut own.inicijalna_brojna_vrednost);
        }
        seen
    }

    /// Configures a field as entries saw it; what they never see stays as it is.
    pub fn restore(&self, own: &mut FieldProperties) {
        let mut seen = self.clone();
        seen.tell::<ToConfiguration>(own);
        if seen.image_coordinate_x.is_some() {
            ToConfiguration::number(&mut seen.inicijalna_brojna_vrednost, &mut own.inicijalna_brojna_vrednost);
        }
        own.ponavlja_se = seen.is_section();
        own.najvise_redova = seen.najvise_redova.filter(|most| *most != DEFAULT_ROWS);
        own.grafik = seen.grafik.and_then(|lines| serde_json::from_value(lines).ok());
    }
}

impl FieldType {
    /// Every property of the type that entries see as it is configured, once for both directions.
    fn tell<D: Direction>(&mut self, own: &mut TypeProperties) {
        D::number(&mut self.donja_granica_brojne_vrednosti, &mut own.donja_granica_brojne_vrednosti);
        D::number(&mut self.gornja_granica_brojne_vrednosti, &mut own.gornja_granica_brojne_vrednosti);
        D::same(&mut self.decimale_brojne_vrednosti, &mut own.decimale_brojne_vrednosti);
        D::same(&mut self.jedinica, &mut own.jedinica);
        D::same(&mut self.druge_jedinice, &mut own.druge_jedinice);
        D::same(&mut self.sirina, &mut own.sirina);
        D::same(&mut self.visina, &mut own.visina);
    }

    pub fn configured(own: &TypeProperties, kind: ValueType) -> Self {
        let mut seen = Self { fajlovi: (kind == ValueType::File).then(|| own.file_limits()), ..Self::default() };
        seen.tell::<ToEntries>(&mut own.clone());
        seen
    }

    pub fn restore(&self, own: &mut TypeProperties) {
        let mut seen = self.clone();
        seen.tell::<ToConfiguration>(own);
        if let Some(FileLimits { vrste_fajlova, najvise_fajlova, najvise_megabajta }) = seen.fajlovi {
            own.vrste_fajlova = vrste_fajlova;
            own.najvise_fajlova = najvise_fajlova;
            own.najvise_megabajta = najvise_megabajta;
        }
    }
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
            ("postavljaStatus", _) => json!("preminuo"),
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
