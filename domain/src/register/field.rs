//! What a form field (atribut u tipu skupa, auts) says of itself, however it is configured: on a screen or by a file.

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    ChartLine, ExportMark, PatientStatus, ValueType,
    example::{self, Example},
    rules,
};
use crate::{picture, refusal::Refusal, report_sql::Statement, text};

/// The most rows of a section that does not say otherwise, as `field_description` has it.
pub const DEFAULT_ROWS: i32 = 50;
/// The most rows of any section.
pub const MOST_ROWS: i32 = 200;
pub const BAD_MOST_ROWS: &str = "Najviše redova je broj od 1 do 200, samo za sekciju koja se ponavlja.";

const FILES_BEGIN_EMPTY: &str = "Polje sa fajlovima nema početnu vrednost: fajlovi pripadaju svom unosu.";
const MAY_BE_ASKED: &str = "Pod uslovom je obavezno samo polje koje se popunjava i nije izborno.";

/// The properties that are the field's own; what it stands in and of which type it is are names in a file and ids on a screen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct FieldProperties {
    #[serde(deserialize_with = "text::required")]
    pub naziv: String,
    #[serde(deserialize_with = "text::optional")]
    pub sifra: Option<String>,
    #[serde(deserialize_with = "text::optional")]
    pub sifra_veza: Option<String>,
    pub relevantni: bool,
    pub opcioni: bool,
    pub inicijalno_poslednja_popunjena_vrednost: bool,
    pub ispisuje_se_labela: bool,
    pub ima_cek_box: bool,
    pub vertikalni_prikaz: bool,
    pub pretrazuje_se: bool,
    pub prikazuje_se: bool,
    /// Whoever fills it in sees beside it what the patient's earlier entries of the form held last.
    pub prikazi_prethodnu: bool,
    pub multiselect: bool,
    pub radio_button: bool,
    /// Of a panel: its fields are the columns of a table, which has as many rows as are typed.
    pub ponavlja_se: bool,
    /// None: 50.
    pub najvise_redova: Option<i32>,
    pub inicijalna_boolean_vrednost: Option<bool>,
    #[serde(deserialize_with = "text::optional")]
    pub inicijalna_string_vrednost: Option<String>,
    /// Of a dot on an image: its diameter.
    #[schema(value_type = Option<f64>)]
    pub inicijalna_brojna_vrednost: Option<Decimal>,
    /// SQL of one column, with `:pacijentID`, `:radnikID`, `:ustanovaID`, `:registarID`, `:datumUnosa`.
    #[serde(deserialize_with = "text::optional")]
    pub upit_inicijalna_vrednost: Option<String>,
    #[serde(deserialize_with = "text::optional")]
    pub formula_za_prikaz: Option<String>,
    #[serde(deserialize_with = "text::optional")]
    pub formula_za_racunanje: Option<String>,
    /// Of the formula that gives its value: what comes of which inputs.
    #[serde(deserialize_with = "example::some")]
    pub primeri: Option<Vec<Example>>,
    /// Where it holds and the field shows, a value is required.
    #[serde(deserialize_with = "text::optional")]
    pub obavezan_ako: Option<String>,
    /// Of a date: the day that is entered is the day on which the patient got this status in the register, or died.
    pub postavlja_status: Option<PatientStatus>,
    #[serde(deserialize_with = "text::optional")]
    pub napomena: Option<String>,
    /// For whoever designs the form: entries, prints and versions never have it.
    #[serde(deserialize_with = "text::optional")]
    pub napomena_dizajnera: Option<String>,
    /// What it is to those who take data out without identity; entries, prints and versions never have it.
    pub oznaka_izvoza: Option<ExportMark>,
    /// Of a panel or tab that was taken from the library: the block and its edition, `nihss@1`.
    #[serde(deserialize_with = "text::optional")]
    pub blok: Option<String>,
    /// HTML; it is cleaned where it is shown.
    #[serde(deserialize_with = "text::optional")]
    pub html_info: Option<String>,
    #[schema(value_type = Option<f64>)]
    pub donja_referentna_brojna_vrednost: Option<Decimal>,
    #[schema(value_type = Option<f64>)]
    pub gornja_referentna_brojna_vrednost: Option<Decimal>,
    /// Base64; in a definition file also the name of a picture beside it.
    #[serde(deserialize_with = "text::optional")]
    pub background_image: Option<String>,
    /// The centre of the dot, in the image's own pixels.
    #[schema(value_type = Option<f64>)]
    pub image_coordinate_x: Option<Decimal>,
    #[schema(value_type = Option<f64>)]
    pub image_coordinate_y: Option<Decimal>,
    pub grafik: Option<Vec<ChartLine>>,
}

impl Default for FieldProperties {
    fn default() -> Self {
        Self {
            naziv: String::new(),
            sifra: None,
            sifra_veza: None,
            relevantni: false,
            opcioni: true,
            inicijalno_poslednja_popunjena_vrednost: false,
            ispisuje_se_labela: true,
            ima_cek_box: false,
            vertikalni_prikaz: false,
            pretrazuje_se: false,
            prikazuje_se: true,
            prikazi_prethodnu: false,
            multiselect: false,
            radio_button: false,
            ponavlja_se: false,
            najvise_redova: None,
            inicijalna_boolean_vrednost: None,
            inicijalna_string_vrednost: None,
            inicijalna_brojna_vrednost: None,
            upit_inicijalna_vrednost: None,
            formula_za_prikaz: None,
            formula_za_racunanje: None,
            primeri: None,
            obavezan_ako: None,
            postavlja_status: None,
            napomena: None,
            napomena_dizajnera: None,
            oznaka_izvoza: None,
            blok: None,
            html_info: None,
            donja_referentna_brojna_vrednost: None,
            gornja_referentna_brojna_vrednost: None,
            background_image: None,
            image_coordinate_x: None,
            image_coordinate_y: None,
            grafik: None,
        }
    }
}

const VALUES: &[ValueType] =
    &[ValueType::Choice, ValueType::Number, ValueType::Text, ValueType::Set, ValueType::Date, ValueType::Time, ValueType::Moment];
const VALUES_AND_FILES: &[ValueType] = &[
    ValueType::Choice,
    ValueType::Number,
    ValueType::Text,
    ValueType::Set,
    ValueType::Date,
    ValueType::File,
    ValueType::Time,
    ValueType::Moment,
];
/// Typed or chosen: left blank, they say nothing.
const MAY_BE_BLANK: &[ValueType] =
    &[ValueType::Number, ValueType::Text, ValueType::Set, ValueType::Date, ValueType::File, ValueType::Time, ValueType::Moment];

/// The types of fields that have a property, by its name in the API; one that is not named here is of all. The API's description tells it
/// too, and screens show what it tells. A place on an image, and a diameter, are of what stands on one, whatever its type.
pub const TYPES_WITH: [(&str, &[ValueType]); 26] = [
    ("opcioni", VALUES_AND_FILES),
    ("relevantni", VALUES_AND_FILES),
    ("pretrazujeSe", VALUES_AND_FILES),
    ("vertikalniPrikaz", VALUES_AND_FILES),
    ("prikaziPrethodnu", VALUES),
    ("inicijalnoPoslednjaPopunjenaVrednost", VALUES),
    ("upitInicijalnaVrednost", VALUES),
    ("formulaZaRacunanje", VALUES),
    ("primeri", VALUES),
    ("oznakaIzvoza", VALUES_AND_FILES),
    // A box is always answered: unticked, it says No.
    ("obavezanAko", MAY_BE_BLANK),
    ("postavljaStatus", &[ValueType::Date]),
    ("radioButton", &[ValueType::Choice, ValueType::Set]),
    ("imaCekBox", &[ValueType::Choice, ValueType::Set]),
    ("multiselect", &[ValueType::Set]),
    ("inicijalnaBooleanVrednost", &[ValueType::Choice]),
    ("inicijalnaBrojnaVrednost", &[ValueType::Number]),
    ("inicijalnaStringVrednost", &[ValueType::Text, ValueType::Date, ValueType::Time, ValueType::Moment]),
    ("inicijalnaEnumStavkaID", &[ValueType::Set]),
    ("donjaReferentnaBrojnaVrednost", &[ValueType::Number]),
    ("gornjaReferentnaBrojnaVrednost", &[ValueType::Number]),
    ("ponavljaSe", &[ValueType::Panel]),
    ("blok", &[ValueType::Panel, ValueType::Tab]),
    ("najviseRedova", &[ValueType::Panel]),
    ("backgroundImage", &[ValueType::Image]),
    ("grafik", &[ValueType::Chart]),
];

/// `nihss@1`: a block's code and the number of an edition.
fn is_edition(text: &str) -> bool {
    let of_code = |code: &str| {
        !code.is_empty() && code.bytes().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == b'-')
    };
    text.split_once('@').is_some_and(|(code, edition)| of_code(code) && edition.parse::<i32>().is_ok_and(|edition| edition > 0))
}

fn has(own: ValueType, property: &str) -> bool {
    TYPES_WITH.iter().find(|(name, _)| *name == property).is_none_or(|(_, types)| types.contains(&own))
}

impl FieldProperties {
    /// What no field may say, of whatever type it is, in the order in which it is told.
    pub fn refusals(&self) -> Vec<Refusal> {
        let mut found: Vec<Refusal> = rules::unnamed(&self.naziv).into_iter().collect();
        found.extend(self.sifra.as_deref().and_then(rules::bad_code));
        if let (Some(low), Some(high)) = (self.donja_referentna_brojna_vrednost, self.gornja_referentna_brojna_vrednost)
            && low > high
        {
            found.push(Refusal::new("donjaReferentnaBrojnaVrednost", "Donja referentna vrednost ne sme biti veća od gornje."));
        }
        if self.image_coordinate_x.is_some() != self.image_coordinate_y.is_some() {
            found.push(Refusal::new("imageCoordinateX", "Koordinate na slici idu zajedno."));
        }
        if let Some(Err(fault)) = self.upit_inicijalna_vrednost.as_deref().map(Statement::scan) {
            found.push(Refusal::new("upitInicijalnaVrednost", format!("Upit nije ispravan: {}", fault.in_serbian())));
        }
        if self.najvise_redova.is_some_and(|most| !self.ponavlja_se || !(1..=MOST_ROWS).contains(&most)) {
            found.push(Refusal::new("najviseRedova", BAD_MOST_ROWS));
        }
        if self.blok.as_deref().is_some_and(|block| !is_edition(block)) {
            found.push(Refusal::new("blok", "Blok se piše sifra@izdanje, na primer nihss@1."));
        }
        found.extend(self.primeri.as_deref().and_then(Example::refusal));
        found.extend(self.grafik.iter().flatten().find_map(ChartLine::refusal));
        found.extend(self.background_image.as_deref().and_then(|picture| picture::refusal("backgroundImage", picture)));
        found
    }

    /// What a field of this type may not say, standing in one of that type.
    pub fn refusals_of(&self, own: ValueType, parent: Option<ValueType>) -> Vec<Refusal> {
        let mut found = Vec::new();
        let mut refuse = |wrong: bool, property, message| {
            if wrong {
                found.push(Refusal::new(property, message));
            }
        };
        let computed = self.formula_za_racunanje.is_some();
        let asked = self.obavezan_ako.is_some();
        let misplaced = |said: bool, property| said && !has(own, property);
        refuse(misplaced(!self.opcioni, "opcioni"), "opcioni", "Obavezno može biti samo polje koje ima vrednost.");
        let message = if own == ValueType::File { "Polje sa fajlovima se ne računa." } else { "Računa se samo polje koje ima vrednost." };
        refuse(misplaced(computed, "formulaZaRacunanje"), "formulaZaRacunanje", message);
        refuse(self.primeri.is_some() && !computed, "primeri", "Primeri stoje samo uz formulu za računanje.");
        refuse(misplaced(asked, "obavezanAko") || (asked && computed), "obavezanAko", MAY_BE_ASKED);
        refuse(asked && !self.opcioni, "obavezanAko", "Polje je već uvek obavezno.");
        let told = self.postavlja_status.is_some();
        refuse(misplaced(told, "postavljaStatus"), "postavljaStatus", "Status pacijenta postavlja samo datumsko polje.");
        let message = "Status pacijenta ne postavlja polje koje se računa: taj dan unosi čovek.";
        refuse(told && computed, "postavljaStatus", message);
        let message = "Prethodnu vrednost pokazuje samo polje koje ima vrednost, a nije polje sa fajlovima.";
        refuse(misplaced(self.prikazi_prethodnu, "prikaziPrethodnu"), "prikaziPrethodnu", message);
        let picture = self.background_image.is_some();
        refuse(misplaced(picture, "backgroundImage"), "backgroundImage", "Sliku ima samo slikovno polje.");
        refuse(misplaced(self.grafik.is_some(), "grafik"), "grafik", "Linije ima samo grafik.");
        refuse(misplaced(self.blok.is_some(), "blok"), "blok", "Od bloka je samo panel ili tab.");
        refuse(misplaced(self.ponavlja_se, "ponavljaSe"), "ponavljaSe", "Ponavlja se samo panel.");
        refuse(own == ValueType::File && self.has_first_value(), "naziv", FILES_BEGIN_EMPTY);
        let message = "Nadređeno polje mora biti panel, slika ili tab.";
        refuse(parent.is_some_and(|parent| !parent.holds_fields()), "nadredjeniAtributUTipuSkupaID", message);
        let on_picture = self.image_coordinate_x.is_some() || self.image_coordinate_y.is_some();
        let message = "Mesto na slici ima samo polje čije je nadređeno polje slika.";
        refuse(on_picture && parent != Some(ValueType::Image), "imageCoordinateX", message);
        found
    }

    fn has_first_value(&self) -> bool {
        self.inicijalno_poslednja_popunjena_vrednost
            || self.inicijalna_boolean_vrednost.is_some()
            || self.inicijalna_string_vrednost.is_some()
            || self.inicijalna_brojna_vrednost.is_some()
            || self.upit_inicijalna_vrednost.is_some()
    }

    /// What a field of this type may not say, standing in a section that repeats: it is a column, and every row has a value of it.
    pub fn refusals_in_rows(&self, own: ValueType) -> Vec<Refusal> {
        let none = |wrong: bool, property, message| wrong.then(|| Refusal::new(property, message));
        [
            none(
                !own.holds_value() || own == ValueType::File,
                "nadredjeniAtributUTipuSkupaID",
                "U sekciji koja se ponavlja stoje samo polja koja imaju vrednost: izborna, brojna, tekstualna, skupovna i datumska.",
            ),
            none(self.obavezan_ako.is_some(), "obavezanAko", "Polje u sekciji koja se ponavlja nije obavezno pod uslovom."),
            none(
                self.prikazi_prethodnu,
                "prikaziPrethodnu",
                "Polje u sekciji koja se ponavlja ne pokazuje prethodnu vrednost: redovi dva unosa nisu isti redovi.",
            ),
            none(
                self.postavlja_status.is_some(),
                "postavljaStatus",
                "Polje u sekciji koja se ponavlja ne postavlja status pacijenta: redova može biti više, a status je jedan.",
            ),
            none(self.relevantni, "relevantni", "Polje u sekciji koja se ponavlja ne može biti relevantno."),
            none(self.has_first_value(), "nadredjeniAtributUTipuSkupaID", "Polje u sekciji koja se ponavlja nema početnu vrednost."),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(properties: serde_json::Value) -> FieldProperties {
        serde_json::from_value(properties).unwrap()
    }

    #[test]
    fn each_refusal_names_its_property() {
        let named = |properties| field(properties).refusals().into_iter().map(|refusal| refusal.property).collect::<Vec<_>>();
        let line = |boja: &str| serde_json::json!({ "naziv": "a", "grafik": [{ "oznaka": "CRP", "sifra": "crp", "boja": boja }] });
        assert_eq!(named(serde_json::json!({ "naziv": "a" })), [""; 0]);
        assert_eq!(named(serde_json::json!({ "naziv": " " })), ["naziv"]);
        assert_eq!(named(serde_json::json!({ "naziv": "a", "sifra": "1x" })), ["sifra"]);
        for block in ["nihss", "nihss@0", "@1", "NIHSS@1", "nihss@x"] {
            assert_eq!(named(serde_json::json!({ "naziv": "a", "blok": block })), ["blok"], "{block}");
        }
        let bounds = serde_json::json!({ "naziv": "a", "donjaReferentnaBrojnaVrednost": 2, "gornjaReferentnaBrojnaVrednost": 1, "imageCoordinateX": 1 });
        assert_eq!(named(bounds), ["donjaReferentnaBrojnaVrednost", "imageCoordinateX"]);
        let one_value = serde_json::json!({ "naziv": "a", "donjaReferentnaBrojnaVrednost": 2, "gornjaReferentnaBrojnaVrednost": 2 });
        assert_eq!(named(one_value), [""; 0]);
        assert_eq!(named(serde_json::json!({ "naziv": "a", "upitInicijalnaVrednost": "select 'a" })), ["upitInicijalnaVrednost"]);
        assert_eq!([named(line("#12ab9F")), named(line("#12ab9")), named(line("crvena"))], [vec![], vec!["grafik"], vec!["grafik"]]);
        let nameless = |oznaka: &str, sifra: &str| serde_json::json!({ "naziv": "a", "grafik": [{ "oznaka": oznaka, "sifra": sifra, "boja": "#12ab9F" }] });
        assert_eq!([named(nameless(" ", "crp")), named(nameless("CRP", " "))], [["grafik"], ["grafik"]]);
        assert_eq!(named(serde_json::json!({ "naziv": "a", "backgroundImage": "tekst" })), ["backgroundImage"]);
    }

    #[test]
    fn only_a_panel_repeats_and_what_stands_in_it_is_plain() {
        use ValueType::{Number, Panel};
        let named = |found: Vec<Refusal>| found.into_iter().map(|refusal| refusal.property).collect::<Vec<_>>();
        let repeating = |most: i32| field(serde_json::json!({ "naziv": "a", "ponavljaSe": true, "najviseRedova": most }));
        assert_eq!([named(repeating(200).refusals()), named(repeating(201).refusals())], [vec![], vec!["najviseRedova"]]);
        assert_eq!(named(field(serde_json::json!({ "naziv": "a", "najviseRedova": 5 })).refusals()), ["najviseRedova"]);
        assert_eq!(
            [named(repeating(5).refusals_of(Panel, None)), named(repeating(5).refusals_of(Number, None))],
            [vec![], vec!["ponavljaSe"]]
        );
        let plain = field(serde_json::json!({ "naziv": "a", "opcioni": false, "pretrazujeSe": true }));
        assert_eq!(named(plain.refusals_in_rows(Number)), [""; 0]);
        assert_eq!(named(plain.refusals_in_rows(Panel)), ["nadredjeniAtributUTipuSkupaID"]);
        let much = field(
            serde_json::json!({ "formulaZaRacunanje": "1", "formulaZaPrikaz": "1", "relevantni": true, "inicijalnaBrojnaVrednost": 1,
                                "prikaziPrethodnu": true }),
        );
        assert_eq!(named(much.refusals_in_rows(Number)), ["prikaziPrethodnu", "relevantni", "nadredjeniAtributUTipuSkupaID"]);
    }

    #[test]
    fn what_only_one_type_has_is_refused_of_another() {
        use ValueType::{Chart, Choice, Image, Number, Panel};
        let dot = field(serde_json::json!({ "imageCoordinateX": 1, "imageCoordinateY": 1 }));
        let of = |field: &FieldProperties, own, parent| {
            field.refusals_of(own, parent).into_iter().map(|refusal| refusal.property).collect::<Vec<_>>()
        };
        assert_eq!(of(&dot, Choice, Some(Image)), [""; 0]);
        assert_eq!(of(&dot, Choice, Some(Panel)), ["imageCoordinateX"]);
        let half = field(serde_json::json!({ "imageCoordinateY": 1 }));
        assert_eq!(of(&half, Choice, Some(Panel)), ["imageCoordinateX"]);
        assert_eq!(of(&dot, Choice, Some(Number)), ["nadredjeniAtributUTipuSkupaID", "imageCoordinateX"]);
        let much = field(
            serde_json::json!({ "opcioni": false, "formulaZaRacunanje": "1", "backgroundImage": "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==", "grafik": [] }),
        );
        assert_eq!(of(&much, Number, None), ["backgroundImage", "grafik"]);
        assert_eq!(of(&much, Image, None), ["opcioni", "formulaZaRacunanje", "grafik"]);
        assert_eq!(of(&much, Chart, None), ["opcioni", "formulaZaRacunanje", "backgroundImage"]);
    }

    /// One that is misspelled in the table would be of all types.
    #[test]
    fn the_table_of_types_names_properties_that_there_are() {
        let properties = serde_json::to_value(FieldProperties::default()).unwrap();
        let of_a_screen = "inicijalnaEnumStavkaID";
        let unknown = TYPES_WITH.iter().map(|(name, _)| *name).filter(|name| *name != of_a_screen && properties.get(name).is_none());
        assert_eq!(unknown.collect::<Vec<_>>(), [""; 0]);
    }

    #[test]
    fn what_the_table_does_not_give_to_a_type_is_refused_of_it() {
        for (property, value) in [
            ("opcioni", serde_json::json!(false)),
            ("formulaZaRacunanje", serde_json::json!("1")),
            ("obavezanAko", serde_json::json!("1 = 1")),
            ("prikaziPrethodnu", serde_json::json!(true)),
            ("postavljaStatus", serde_json::json!("preminuo")),
            ("backgroundImage", serde_json::json!("a")),
            ("grafik", serde_json::json!([])),
            ("ponavljaSe", serde_json::json!(true)),
            ("blok", serde_json::json!("nihss@1")),
        ] {
            let (_, types) = TYPES_WITH.iter().find(|(name, _)| *name == property).unwrap();
            let own = field(serde_json::json!({ property: value }));
            for one in ValueType::ALL {
                let refused = own.refusals_of(one, None).iter().any(|refusal| refusal.property == property);
                assert_eq!(refused, !types.contains(&one), "{property} of {}", one.name());
            }
        }
    }
}
