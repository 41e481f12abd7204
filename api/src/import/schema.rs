//! A register as the database has it: its forms with their fields, types and items, as an import needs them.

use std::collections::HashMap;

use anyhow::{Context, bail};
use domain::formula::{self, Formula};
use rust_decimal::{Decimal, prelude::ToPrimitive};
use sqlx::{FromRow, PgConnection, types::Json};

pub struct RegisterSchema {
    pub id: i64,
    pub naziv: String,
    pub forms: Vec<FormSchema>,
}

pub struct FormSchema {
    pub id: i64,
    pub naziv: String,
    pub sifra_veza: Option<String>,
    pub maksimalan_broj_instanci_po_kontaktu: Option<i32>,
    pub maksimalan_broj_instanci_po_pacijentu: Option<i32>,
    pub fields: Vec<FieldSchema>,
    /// The same fields as formulas see them.
    pub formula_fields: Vec<formula::Field>,
}

#[derive(FromRow, Clone)]
pub struct FieldSchema {
    pub id: i64,
    pub form_id: i64,
    pub parent_id: Option<i64>,
    pub sifra: Option<String>,
    pub naziv: String,
    /// The specification's value type: 1 choice, 2 number, 3 text, 4 set, 5 date; above 5 no value.
    pub kind: i16,
    pub opcioni: bool,
    pub relevantni: bool,
    pub prikazuje_se: bool,
    pub multiselect: bool,
    pub decimals: Option<i16>,
    pub low: Option<Decimal>,
    pub high: Option<Decimal>,
    /// Has a formula that says when it is shown.
    pub conditional: bool,
    /// Its value comes from a formula.
    pub calculated: bool,
    #[sqlx(skip)]
    pub items: Vec<Item>,
}

#[derive(FromRow, Clone)]
pub struct Item {
    pub id: i64,
    pub type_id: i64,
    pub naziv: String,
    pub num_vrednost: Decimal,
}

impl RegisterSchema {
    /// The active register with the code `sifra`.
    pub async fn load(tx: &mut PgConnection, sifra: &str) -> anyhow::Result<Self> {
        let registers: Vec<(i64, String)> =
            sqlx::query_as("select id, naziv from register where sifra = $1 and aktivan").bind(sifra).fetch_all(&mut *tx).await?;
        let [(id, naziv)] = &registers[..] else {
            bail!("{} aktivan registar sa šifrom „{sifra}”", if registers.is_empty() { "ne postoji" } else { "nije jedini" });
        };
        let mut items: HashMap<i64, Vec<Item>> = HashMap::new();
        for item in sqlx::query_as::<_, Item>(
            "select i.id, i.tip_atributa_id as type_id, i.naziv, i.num_vrednost from enum_item i
              where i.aktivan and exists (select from form_field f join form t on t.id = f.tip_skupa_atributa_id
                                           where f.tip_atributa_id = i.tip_atributa_id and t.registar_id = $1)",
        )
        .bind(id)
        .fetch_all(&mut *tx)
        .await?
        {
            items.entry(item.type_id).or_default().push(item);
        }
        let mut fields: HashMap<i64, (Vec<FieldSchema>, Vec<formula::Field>)> = HashMap::new();
        for Typed { mut field, type_id, prikaz, racunanje } in fields_of(tx, *id).await? {
            field.items = items.get(&type_id).cloned().unwrap_or_default();
            let (known, formulas) = fields.entry(field.form_id).or_default();
            formulas.push(formula_field(&field, prikaz, racunanje));
            known.push(field);
        }
        let forms = sqlx::query_as::<_, (i64, String, Option<String>, Option<i32>, Option<i32>)>(
            "select id, naziv, sifra_veza, maksimalan_broj_instanci_po_kontaktu, maksimalan_broj_instanci_po_pacijentu
               from form where registar_id = $1 and aktivan order by prikazni_redosled, id",
        )
        .bind(id)
        .fetch_all(&mut *tx)
        .await?
        .into_iter()
        .map(|(id, naziv, sifra_veza, contact, patient)| {
            let (fields, formula_fields) = fields.remove(&id).unwrap_or_default();
            FormSchema {
                id,
                naziv,
                sifra_veza,
                maksimalan_broj_instanci_po_kontaktu: contact,
                maksimalan_broj_instanci_po_pacijentu: patient,
                fields,
                formula_fields,
            }
        })
        .collect();
        Ok(Self { id: *id, naziv: naziv.clone(), forms })
    }

    /// The form with this `sifraVeza`, or else with this name.
    pub fn form(&self, name: &str) -> anyhow::Result<&FormSchema> {
        self.forms
            .iter()
            .find(|form| form.sifra_veza.as_deref() == Some(name))
            .or_else(|| self.forms.iter().find(|form| form.naziv == name))
            .with_context(|| format!("registar „{}” nema formular „{name}”", self.naziv))
    }
}

/// A field with what only the loading needs.
#[derive(FromRow)]
struct Typed {
    #[sqlx(flatten)]
    field: FieldSchema,
    type_id: i64,
    prikaz: Option<Json<Formula>>,
    racunanje: Option<Json<Formula>>,
}

async fn fields_of(tx: &mut PgConnection, register_id: i64) -> sqlx::Result<Vec<Typed>> {
    sqlx::query_as(
        "select f.id, f.tip_skupa_atributa_id as form_id, f.nadredjeni_atribut_u_tipu_skupa_id as parent_id, f.sifra, f.naziv,
                t.tip_vrednosti_atributa as kind, f.opcioni, f.relevantni, f.prikazuje_se, f.multiselect,
                t.decimale_brojne_vrednosti as decimals, t.donja_granica_brojne_vrednosti as low, t.gornja_granica_brojne_vrednosti as high,
                f.formula_za_prikaz_ast is not null as conditional, f.formula_za_racunanje_ast is not null as calculated,
                t.id as type_id, f.formula_za_prikaz_ast as prikaz, f.formula_za_racunanje_ast as racunanje
           from form_field f join attribute_type t on t.id = f.tip_atributa_id join form o on o.id = f.tip_skupa_atributa_id
          where o.registar_id = $1 and f.aktivan and o.aktivan
          order by f.redosled, f.id",
    )
    .bind(register_id)
    .fetch_all(tx)
    .await
}

fn formula_field(field: &FieldSchema, prikaz: Option<Json<Formula>>, racunanje: Option<Json<Formula>>) -> formula::Field {
    let item = |item: &Item| formula::Item { id: item.id, num: item.num_vrednost.to_f64().unwrap_or_default(), name: item.naziv.clone() };
    formula::Field {
        id: field.id,
        sifra: field.sifra.clone(),
        parent: field.parent_id,
        tip_vrednosti: field.kind,
        items: field.items.iter().map(item).collect(),
        multiple: field.multiselect,
        donja_granica: field.low.and_then(|bound| bound.to_f64()),
        gornja_granica: field.high.and_then(|bound| bound.to_f64()),
        racunanje: racunanje.map(|formula| formula.0),
        prikaz: prikaz.map(|formula| formula.0),
    }
}

impl FieldSchema {
    /// A tab at the top of the form.
    pub fn is_segment(&self) -> bool {
        self.kind == 11 && self.parent_id.is_none()
    }
}

impl FormSchema {
    pub fn field(&self, sifra: &str) -> Option<&FieldSchema> {
        self.fields.iter().find(|field| field.sifra.as_deref() == Some(sifra))
    }

    /// As keys of imported records name the form.
    pub fn code(&self) -> String {
        self.sifra_veza.clone().unwrap_or_else(|| self.id.to_string())
    }
}
