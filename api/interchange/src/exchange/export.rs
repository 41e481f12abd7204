//! A register as it is configured today, as a definition: what a file of it says, and what an import is compared with.

use std::collections::{HashMap, HashSet};

use domain::{
    fold::fold,
    register::{FieldProperties, RuleProperties, TypeProperties, ValueType, in_tree_order},
};
use platform::{
    error::{Error, Result},
    rows::{self, Row},
};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;
use sqlx::{PgConnection, types::Json};

use super::{plans, quality_rules};
use crate::import::definition::{AttributeType, Definition, EnumItem, FieldDefinition, FormDefinition, Register, RuleDefinition};

/// Which part of a register.
#[derive(Clone, Copy)]
pub enum Part {
    Whole(i64),
    /// One form, of the register that it stands in.
    Form(i64),
}

/// A form or a register that is not there is an error.
pub async fn load(db: &mut PgConnection, part: Part) -> Result<Definition> {
    let (id, only) = match part {
        Part::Whole(id) => (id, None),
        Part::Form(form) => {
            let holder = sqlx::query_scalar!("select registar_id from form where id = $1 and aktivan", form);
            (holder.fetch_optional(&mut *db).await?.ok_or(Error::NotFound)?, Some(form))
        }
    };
    let forms = forms(&mut *db, id, only).await?;
    let rows = fields(&mut *db, &forms).await?;
    let types = types(&mut *db, &rows.iter().map(|field| field.tip_atributa_id).collect::<Vec<_>>()).await?;
    let marks: HashMap<i64, &str> = types.iter().filter_map(|known| Some((known.id?, known.mark()))).collect();
    let items: HashMap<i64, &str> =
        types.iter().flat_map(|known| &known.stavke).filter_map(|item| Some((item.id?, item.naziv.as_str()))).collect();
    let mut by_form: HashMap<i64, Vec<Place>> = HashMap::new();
    for row in rows {
        by_form.entry(row.tip_skupa_atributa_id).or_default().push(row);
    }
    let mut written = Vec::with_capacity(forms.len());
    for mut form in forms {
        let own = form.id.and_then(|id| by_form.remove(&id)).unwrap_or_default();
        form.polja = in_tree(own, &marks, &items);
        written.push(form);
    }
    let (planovi, pravila_kvaliteta) = match only {
        None => (plans::load(&mut *db, id, &written).await?, quality_rules::load(&mut *db, id, &written).await?),
        // Plans and rules of quality speak of the whole register.
        Some(_) => (Vec::new(), Vec::new()),
    };
    let register = register(db, id, &written).await?;
    let register = only.is_none().then_some(register);
    Ok(Definition { block: None, register, attribute_types: types, forms: written, planovi, pravila_kvaliteta })
}

async fn register(db: &mut PgConnection, id: i64, forms: &[FormDefinition]) -> Result<Register> {
    let row = sqlx::query!(
        "select sifra, naziv, opis, naziv_prvi_unos, prvi_tip_hijerarhije_atributa_id, naziv_podrazumevani_unos,
                podrazumevani_tip_hijerarhije_atributa_id, broj_rezultata_u_pretrazi, prikaz_tekucih_unosa_kod_pretrage, logo_putanja, uzroci_statusa,
                pristanak_registar, pristanak_istrazivanje, pristanak_kontakt, pristanak_razmena
           from register where id = $1 and aktivan",
        id
    )
    .fetch_optional(db)
    .await?
    .ok_or(Error::NotFound)?;
    let named = |id: Option<i64>| forms.iter().find(|form| id.is_some() && form.id == id).map(|form| form.sifra_veza.clone());
    Ok(Register {
        sifra: row.sifra.filter(|sifra| !sifra.starts_with('-')).unwrap_or_else(|| "-".to_owned()),
        naziv: row.naziv,
        opis: row.opis,
        naziv_prvi_unos: row.naziv_prvi_unos,
        prvi_tip_hijerarhije_atributa: named(row.prvi_tip_hijerarhije_atributa_id),
        naziv_podrazumevani_unos: row.naziv_podrazumevani_unos,
        podrazumevani_tip_hijerarhije_atributa: named(row.podrazumevani_tip_hijerarhije_atributa_id),
        broj_rezultata_u_pretrazi: row.broj_rezultata_u_pretrazi,
        prikaz_tekucih_unosa_kod_pretrage: row.prikaz_tekucih_unosa_kod_pretrage,
        logo_putanja: row.logo_putanja,
        uzroci_statusa: row.uzroci_statusa,
        pristanak_registar: row.pristanak_registar,
        pristanak_istrazivanje: row.pristanak_istrazivanje,
        pristanak_kontakt: row.pristanak_kontakt,
        pristanak_razmena: row.pristanak_razmena,
    })
}

/// Without their fields.
async fn forms(db: &mut PgConnection, register: i64, only: Option<i64>) -> Result<Vec<FormDefinition>> {
    let rows = sqlx::query!(
        r#"select id, sifra_veza, naziv, naziv_engleski, moze_se_instancirati, napomena, opis, maksimalan_broj_instanci_po_kontaktu,
                maksimalan_broj_instanci_po_pacijentu, pravila as "pravila: Json<Vec<RuleProperties>>"
           from form where registar_id = $1 and aktivan and ($2::bigint is null or id = $2) order by prikazni_redosled, id"#,
        register,
        only
    )
    .fetch_all(db)
    .await?;
    let mut codes = Codes::default();
    let form = rows.into_iter().map(|row| FormDefinition {
        id: Some(row.id),
        sifra_veza: codes.mark(row.sifra_veza),
        naziv: row.naziv,
        naziv_engleski: row.naziv_engleski,
        moze_se_instancirati: row.moze_se_instancirati,
        napomena: row.napomena,
        opis: row.opis,
        maksimalan_broj_instanci_po_kontaktu: row.maksimalan_broj_instanci_po_kontaktu,
        maksimalan_broj_instanci_po_pacijentu: row.maksimalan_broj_instanci_po_pacijentu,
        polja: Vec::new(),
        pravila: row.pravila.0.into_iter().map(RuleDefinition::of).collect(),
    });
    Ok(form.collect())
}

/// What has no code, or one that another thing has too, is named by its place.
#[derive(Default)]
struct Codes {
    met: HashSet<String>,
    without: usize,
}

impl Codes {
    fn mark(&mut self, code: Option<String>) -> String {
        match code.filter(|code| !code.trim().is_empty() && !code.starts_with('-') && self.met.insert(fold(code))) {
            Some(code) => code,
            None => {
                self.without += 1;
                format!("-{}", self.without)
            }
        }
    }
}

/// A field as the database has it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Place {
    id: i64,
    #[serde(rename = "tipSkupaAtributaID")]
    tip_skupa_atributa_id: i64,
    #[serde(rename = "tipAtributaID")]
    tip_atributa_id: i64,
    #[serde(rename = "nadredjeniAtributUTipuSkupaID")]
    nadredjeni: Option<i64>,
    #[serde(rename = "inicijalnaEnumStavkaID")]
    inicijalna_stavka: Option<i64>,
    #[serde(flatten)]
    own: FieldProperties,
}

async fn fields(db: &mut PgConnection, forms: &[FormDefinition]) -> Result<Vec<Place>> {
    let ids: Vec<i64> = forms.iter().filter_map(|form| form.id).collect();
    let rows = sqlx::query_scalar!(
        r#"select to_jsonb(f) - '{formula_za_prikaz_ast,formula_za_racunanje_ast,obavezan_ako_ast}'::text[] as "row!: Json<Row>"
             from form_field f join form_field_place m on m.polje_id = f.id
            where f.tip_skupa_atributa_id = any ($1) and f.aktivan order by m.mesto"#,
        &ids
    );
    records(rows.fetch_all(db).await?)
}

/// Types with their items, by name.
pub async fn types(db: &mut PgConnection, ids: &[i64]) -> Result<Vec<AttributeType>> {
    let rows = sqlx::query!(
        r#"select id, tip_vrednosti_atributa as "kind: ValueType", to_jsonb(t) as "row!: Json<Row>"
             from attribute_type t where id = any ($1) order by naziv collate "C", id"#,
        ids
    )
    .fetch_all(&mut *db)
    .await?;
    let mut items = items(db, ids).await?;
    let mut names: HashMap<String, usize> = HashMap::new();
    let mut types = Vec::with_capacity(rows.len());
    for row in rows {
        let own: TypeProperties = rows::record_of(row.row.0)?;
        let count = names.entry(fold(&own.naziv)).or_default();
        *count += 1;
        let oznaka = (*count > 1).then(|| format!("{} #{count}", own.naziv));
        let stavke = items.remove(&row.id).unwrap_or_default();
        types.push(AttributeType { id: Some(row.id), tip_vrednosti: row.kind, oznaka, stavke, own, ..AttributeType::default() });
    }
    Ok(types)
}

async fn items(db: &mut PgConnection, types: &[i64]) -> Result<HashMap<i64, Vec<EnumItem>>> {
    let rows = sqlx::query!(
        "select id, tip_atributa_id, naziv, num_vrednost, opis, opcioni, sifra_veza, moze_se_izabrati
           from enum_item where tip_atributa_id = any ($1) and aktivan order by redosled, id",
        types
    );
    let mut found: HashMap<i64, Vec<EnumItem>> = HashMap::new();
    for row in rows.fetch_all(db).await? {
        found.entry(row.tip_atributa_id).or_default().push(EnumItem {
            id: Some(row.id),
            naziv: row.naziv,
            num_vrednost: row.num_vrednost,
            opis: row.opis,
            opcioni: row.opcioni,
            sifra_veza: row.sifra_veza,
            moze_se_izabrati: row.moze_se_izabrati,
        });
    }
    Ok(found)
}

/// Each field before those that stand in it.
fn in_tree(fields: Vec<Place>, types: &HashMap<i64, &str>, items: &HashMap<i64, &str>) -> Vec<FieldDefinition> {
    let mut codes = Codes::default();
    let mut marks: HashMap<i64, String> = HashMap::new();
    let written = in_tree_order(fields, |field| field.id, |field| field.nadredjeni).into_iter().map(|field| {
        let mark = codes.mark(field.own.sifra.clone());
        marks.insert(field.id, mark.clone());
        FieldDefinition {
            id: Some(field.id),
            sifra: mark,
            tip_atributa: types.get(&field.tip_atributa_id).copied().unwrap_or_default().to_owned(),
            nadredjeni: field.nadredjeni.and_then(|holder| marks.get(&holder).cloned()),
            inicijalna_enum_stavka: field.inicijalna_stavka.and_then(|item| items.get(&item)).map(|name| (*name).to_owned()),
            own: field.own,
            ..FieldDefinition::default()
        }
    });
    written.collect()
}

fn records<T: DeserializeOwned>(rows: Vec<Json<Row>>) -> Result<Vec<T>> {
    Ok(rows.into_iter().map(|row| serde_json::from_value(Value::Object(named(row.0)))).collect::<serde_json::Result<_>>()?)
}

fn named(row: Row) -> Row {
    row.into_iter().map(|(column, value)| (rows::name_of(&column), value)).collect()
}
