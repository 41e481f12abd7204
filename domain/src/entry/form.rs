//! A form with its fields, as the entry screen shows it, as the save checks it and as the print sets it: as it is configured today,
//! or in a version that an entry keeps. Both come from the one description that the database makes (`form_description`).

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    iter,
};

use jiff::Timestamp;
use rust_decimal::{Decimal, prelude::ToPrimitive};
use serde::Deserialize;
use serde_json::Value;
use sqlx::{PgConnection, types::Json};

pub use super::field::{Choice, EntryField, FieldType, Initial, Source};
use super::rules::EntryRule;
use crate::{
    formula::{self, Formula, Item},
    register::in_tree_order,
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

/// What is told of a field that the form does not have now.
pub const OTHER_FORM: &str = "Formular je u međuvremenu izmenjen. Učitajte unos ponovo.";

/// A version of a form that entries keep.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FormVersion {
    pub id: i64,
    pub broj: i32,
    pub napravljena: Timestamp,
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
    /// By field: where it holds, a value is required.
    pub required_if: BTreeMap<i64, Formula>,
    pub rules: Vec<EntryRule>,
    /// None: as it is configured today.
    pub version: Option<FormVersion>,
    /// Names the description: another one as soon as anything in it differs.
    pub otisak: String,
}

/// As `form_description` gives it.
#[derive(Debug, Deserialize)]
struct Description {
    naziv: String,
    polja: Vec<EntryField>,
    /// Items by the id of their attribute type.
    stavke: HashMap<i64, Vec<Choice>>,
    pravila: Vec<EntryRule>,
}

/// What a description says, its parts put together.
struct DescriptionParts {
    naziv: String,
    fields: Vec<EntryField>,
    rules: Vec<EntryRule>,
}

impl Description {
    fn whole(self) -> DescriptionParts {
        let Self { naziv, mut polja, stavke, pravila } = self;
        for field in &mut polja {
            field.enum_stavke_sve = stavke.get(&field.izvor.tip_atributa_id).cloned().unwrap_or_default();
        }
        DescriptionParts { naziv, fields: into_sections(polja), rules: pravila }
    }
}

/// In the order of the form's tree. The fields of sections that repeat stand in their sections, and nowhere among those that hold a value of
/// the entry.
fn into_sections(mut fields: Vec<EntryField>) -> Vec<EntryField> {
    fields.sort_by_key(|field| (field.redosled, field.id));
    let fields = in_tree_order(fields, |field| field.id, |field| field.naredjeni_auts);
    let sections: BTreeSet<i64> = fields.iter().filter(|field| field.is_section()).map(|field| field.id).collect();
    let section_of = |field: &EntryField| field.naredjeni_auts.filter(|id| sections.contains(id));
    let (columns, mut own): (Vec<_>, Vec<_>) = fields.into_iter().partition(|field| section_of(field).is_some());
    for column in columns {
        let section = own.iter_mut().find(|field| Some(field.id) == column.naredjeni_auts);
        if let Some(section) = section {
            section.kolone.push(column);
        }
    }
    own
}

/// What is said of a form in a version beside the version's own words.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VersionHead {
    form: i64,
    registar_id: i64,
    moze_se_instancirati: bool,
    max_instanci: Option<i32>,
    max_po_kontaktu: Option<i32>,
    version: FormVersion,
    otisak: String,
}

impl VersionHead {
    pub async fn of(db: &mut PgConnection, version: i64) -> Result<Self> {
        let row = sqlx::query!(
            r#"select f.id, f.registar_id, f.moze_se_instancirati, f.maksimalan_broj_instanci_po_pacijentu,
                      f.maksimalan_broj_instanci_po_kontaktu, v.broj, v.napravljena as "napravljena: jiff_sqlx::Timestamp", v.otisak
                 from form_version v join form f on f.id = v.form_id where v.id = $1 and f.aktivan"#,
            version
        )
        .fetch_optional(db)
        .await?
        .ok_or(FormError::Missing)?;
        Ok(Self {
            form: row.id,
            registar_id: row.registar_id,
            moze_se_instancirati: row.moze_se_instancirati,
            max_instanci: row.maksimalan_broj_instanci_po_pacijentu,
            max_po_kontaktu: row.maksimalan_broj_instanci_po_kontaktu,
            version: FormVersion { id: version, broj: row.broj, napravljena: row.napravljena.to_jiff() },
            otisak: row.otisak,
        })
    }

    /// The form with what the version says.
    pub async fn whole(self, db: &mut PgConnection) -> Result<EntryForm> {
        let opis = sqlx::query_scalar!(r#"select opis as "opis: Json<Description>" from form_version where id = $1"#, self.version.id);
        let DescriptionParts { naziv, fields, rules } = opis.fetch_one(db).await?.0.whole();
        Ok(EntryForm {
            registar_id: self.registar_id,
            moze_se_instancirati: self.moze_se_instancirati,
            max_instanci: self.max_instanci,
            max_po_kontaktu: self.max_po_kontaktu,
            version: Some(self.version),
            otisak: self.otisak,
            ..EntryForm::of_fields(self.form, naziv, fields, rules)?
        })
    }
}

impl EntryForm {
    /// As it is configured today.
    pub async fn load(db: &mut PgConnection, id: i64) -> Result<Self> {
        let form = sqlx::query!(
            r#"select f.registar_id, f.moze_se_instancirati, f.maksimalan_broj_instanci_po_pacijentu, f.maksimalan_broj_instanci_po_kontaktu,
                      d.opis as "opis!: Json<Description>", form_fingerprint(d.opis) as "otisak!"
                 from form f cross join lateral (select form_description(f.id) as opis offset 0) d
                where f.id = $1 and f.aktivan"#,
            id
        )
        .fetch_optional(&mut *db)
        .await?
        .ok_or(FormError::Missing)?;
        let DescriptionParts { naziv, mut fields, rules } = form.opis.0.whole();
        first_values(&mut *db, id, &mut fields).await?;
        codes_of_items(db, id, &mut fields).await?;
        Ok(Self {
            registar_id: form.registar_id,
            moze_se_instancirati: form.moze_se_instancirati,
            max_instanci: form.maksimalan_broj_instanci_po_pacijentu,
            max_po_kontaktu: form.maksimalan_broj_instanci_po_kontaktu,
            version: None,
            otisak: form.otisak,
            ..Self::of_fields(id, naziv, fields, rules)?
        })
    }

    /// In a version. How many entries it allows is not a matter of versions: today's limits hold.
    pub async fn of_version(db: &mut PgConnection, version: i64) -> Result<Self> {
        VersionHead::of(db, version).await?.whole(db).await
    }

    /// Of fields and rules that need not be stored: a form as it would be.
    pub fn of_fields(id: i64, naziv: String, fields: Vec<EntryField>, rules: Vec<EntryRule>) -> Result<Self> {
        let fields = into_sections(fields);
        let formulas = formula_fields(&fields)?;
        let asked = |field: &EntryField| Some(parsed(field.id, &field.obavezan_ako).transpose()?.map(|formula| (field.id, formula)));
        let required_if = fields.iter().filter_map(asked).collect::<Result<_>>()?;
        Ok(Self { id, naziv, fields, formulas, required_if, rules, ..Self::default() })
    }

    /// Formulas that are no field's value and hide none: where a value is required, and the rules.
    pub fn conditions(&self) -> impl Iterator<Item = &Formula> {
        self.required_if.values().chain(self.rules.iter().map(|rule| &rule.formula))
    }

    /// What a condition of the form names that these fields do not have, in words.
    pub fn missed_by_conditions(&self, fields: &[formula::Field]) -> Option<String> {
        let of_field = self.required_if.iter().find_map(|(id, condition)| {
            let name = self.by_id().get(id).map(|field| field.naziv.clone()).unwrap_or_default();
            Some(format!("Uslov polja „{name}”: {}", formula::missing_for(condition, fields)?))
        });
        let missing = |rule: &EntryRule| Some(format!("Pravilo „{}”: {}", rule.own.poruka, formula::missing_for(&rule.formula, fields)?));
        of_field.or_else(|| self.rules.iter().find_map(missing))
    }

    /// The fields of a version, of a form too that is switched off.
    pub async fn fields_of(db: &mut PgConnection, version: i64) -> sqlx::Result<Vec<EntryField>> {
        let opis = sqlx::query_scalar!(r#"select opis as "opis: Json<Description>" from form_version where id = $1"#, version);
        Ok(opis.fetch_one(db).await?.0.whole().fields)
    }

    /// Whether a formula asks for anything of the previous entry.
    pub fn asks_for_previous(&self) -> bool {
        let of_fields = self.formulas.iter().flat_map(|field| field.formulas());
        of_fields.chain(self.conditions()).any(Formula::asks_for_previous)
    }

    /// Whether a formula asks for more earlier entries than the previous one.
    pub fn asks_for_history(&self) -> bool {
        let of_fields = self.formulas.iter().flat_map(|field| field.formulas());
        of_fields.chain(self.conditions()).any(Formula::asks_for_history)
    }

    /// All fields, the columns of sections that repeat among them.
    pub fn everything(&self) -> impl Iterator<Item = &EntryField> {
        self.fields.iter().flat_map(|field| iter::once(field).chain(&field.kolone))
    }

    pub fn by_id(&self) -> BTreeMap<i64, &EntryField> {
        self.fields.iter().map(|field| (field.id, field)).collect()
    }
}

/// What only a new entry asks is no part of the description.
async fn first_values(db: &mut PgConnection, form: i64, fields: &mut [EntryField]) -> Result<()> {
    let rows = sqlx::query!(
        "select id, inicijalno_poslednja_popunjena_vrednost, inicijalna_boolean_vrednost, inicijalna_string_vrednost,
                inicijalna_brojna_vrednost, inicijalna_enum_stavka_id, upit_inicijalna_vrednost
           from form_field where tip_skupa_atributa_id = $1 and aktivan",
        form
    )
    .fetch_all(db)
    .await?;
    let mut rows: HashMap<i64, _> = rows.into_iter().map(|row| (row.id, row)).collect();
    for field in fields {
        let Some(row) = rows.remove(&field.id) else { continue };
        field.inicijalna_brojna_vrednost = row.inicijalna_brojna_vrednost.map(float);
        field.initial = Initial {
            last_saved: row.inicijalno_poslednja_popunjena_vrednost,
            choice: row.inicijalna_boolean_vrednost,
            text: row.inicijalna_string_vrednost,
            item: row.inicijalna_enum_stavka_id,
            query: row.upit_inicijalna_vrednost,
        };
    }
    Ok(())
}

/// All of them, as whoever names an item by its code asks for; a version has those that its formulas name.
async fn codes_of_items(db: &mut PgConnection, form: i64, fields: &mut [EntryField]) -> Result<()> {
    let rows = sqlx::query!(
        r#"select id, sifra_veza as "sifra!" from enum_item where sifra_veza is not null
            and tip_atributa_id in (select tip_atributa_id from form_field where tip_skupa_atributa_id = $1 and aktivan)"#,
        form
    )
    .fetch_all(db)
    .await?;
    let codes: HashMap<i64, String> = rows.into_iter().map(|row| (row.id, row.sifra)).collect();
    let fill = |items: &mut [Choice]| items.iter_mut().for_each(|item| item.sifra = codes.get(&item.id).cloned());
    for field in fields {
        fill(&mut field.enum_stavke_sve);
        field.kolone.iter_mut().for_each(|column| fill(&mut column.enum_stavke_sve));
    }
    Ok(())
}

fn float(number: Decimal) -> f64 {
    number.to_f64().expect("a decimal of the database is a double's size")
}

/// Of the columns of sections formulas know where they lie.
fn formula_fields(fields: &[EntryField]) -> Result<Vec<formula::Field>> {
    let own = fields.iter().map(formula_field);
    let columns = fields
        .iter()
        .flat_map(|section| section.kolone.iter().map(|column| Ok(formula::Field { sekcija: Some(section.id), ..formula_field(column)? })));
    own.chain(columns).collect()
}

/// A stored tree of the field.
fn parsed(field: i64, tree: &Option<Value>) -> Result<Option<Formula>> {
    tree.clone().map(|tree| serde_json::from_value(tree).map_err(|cause| FormError::Formula { field, cause })).transpose()
}

fn item(choice: &Choice) -> Item {
    Item { id: choice.id, num: choice.num_vrednost, name: choice.naziv.clone(), code: choice.sifra.clone() }
}

pub(super) fn formula_field(field: &EntryField) -> Result<formula::Field> {
    Ok(formula::Field {
        id: field.id,
        sifra: field.sifra.clone(),
        parent: field.naredjeni_auts,
        tip_vrednosti: field.tva_num_vrednost,
        items: field.enum_stavke_sve.iter().map(item).collect(),
        multiple: field.multiselect,
        donja_granica: field.tip_atributa.donja_granica_brojne_vrednosti,
        gornja_granica: field.tip_atributa.gornja_granica_brojne_vrednosti,
        racunanje: parsed(field.id, &field.formula_za_racunanje)?,
        prikaz: parsed(field.id, &field.formula_za_prikaz)?,
        sekcija: None,
        other_form: None,
    })
}
