//! The forms that a report can be chosen from, with what their fields hold.

use domain::register::ValueType;
use platform::error::{Error, Result};
use serde::{Deserialize, Serialize};
use sqlx::PgPool;
use utoipa::ToSchema;

/// A register with its forms.
#[derive(Serialize, ToSchema)]
#[schema(as = SimpleReportRegister)]
pub struct Register {
    id: i64,
    naziv: String,
    formulari: Vec<NamedRow>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = SimpleReportNamed)]
pub struct NamedRow {
    pub id: i64,
    pub naziv: String,
}

/// A form with every field of it that holds a value, searchable or not.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = SimpleReportForm)]
#[serde(rename_all = "camelCase")]
pub struct Form {
    pub id: i64,
    #[serde(rename = "registarID")]
    pub registar_id: i64,
    #[serde(skip)]
    pub registar: String,
    #[serde(skip)]
    pub registar_sifra: Option<String>,
    /// By which files know it.
    #[serde(skip)]
    pub sifra: Option<String>,
    pub naziv: String,
    pub polja: Vec<Field>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = SimpleReportField)]
#[serde(rename_all = "camelCase")]
pub struct Field {
    pub id: i64,
    /// By which files know it.
    #[serde(skip)]
    pub sifra: Option<String>,
    /// With the panel around it where the form has the name several times.
    pub naziv: String,
    #[serde(rename = "tipUnosaID")]
    pub tip_unosa_id: i64,
    pub tip_vrednosti: ValueType,
    pub jedinica: Option<String>,
    pub decimale: Option<i16>,
    /// A set of which an entry may hold several items.
    pub multiselect: bool,
    pub stavke: Vec<NamedRow>,
    /// A search has criteria over it.
    #[serde(skip)]
    pub pretrazuje_se: bool,
}

impl Form {
    pub fn field(&self, id: i64) -> Option<&Field> {
        self.polja.iter().find(|field| field.id == id)
    }
}

impl Field {
    /// The name with its unit.
    pub fn head(&self) -> String {
        match self.jedinica.as_deref().map(str::trim).filter(|unit| !unit.is_empty()) {
            Some(unit) => format!("{} ({unit})", self.naziv),
            None => self.naziv.clone(),
        }
    }
}

pub async fn registers(db: &PgPool) -> sqlx::Result<Vec<Register>> {
    // A field in the rows of a section has no value of the entry.
    let rows = sqlx::query!(
        r#"select r.id, r.naziv, g.id as form_id, g.naziv as form
             from register r join form g on g.registar_id = r.id and g.aktivan
            where r.aktivan order by r.naziv collate "sr-Latn-x-icu", r.id, g.prikazni_redosled, g.id"#
    )
    .fetch_all(db)
    .await?;
    let mut registers: Vec<Register> = Vec::new();
    for row in rows {
        if registers.last().is_none_or(|register| register.id != row.id) {
            registers.push(Register { id: row.id, naziv: row.naziv, formulari: Vec::new() });
        }
        registers.last_mut().expect("the register was pushed").formulari.push(NamedRow { id: row.form_id, naziv: row.form });
    }
    Ok(registers)
}

pub async fn find(db: &PgPool, id: i64) -> Result<Form> {
    let form = sqlx::query!(
        "select g.naziv, g.sifra_veza, g.registar_id, r.naziv as registar, r.sifra as registar_sifra from form g join register r on r.id = g.registar_id and r.aktivan
          where g.id = $1 and g.aktivan",
        id
    )
    .fetch_optional(db)
    .await?
    .ok_or(Error::NotFound)?;
    let rows = sqlx::query!(
        r#"select f.id, f.sifra, case when count(*) over (partition by f.naziv) > 1 then concat(f.naziv, ' (' || p.naziv || ')') else f.naziv end as "naziv!",
                  t.tip_vrednosti_atributa as "tip_vrednosti: ValueType", t.jedinica, t.decimale_brojne_vrednosti as decimale, f.multiselect, f.pretrazuje_se,
                  array(select e.id from enum_item e where e.tip_atributa_id = t.id and e.aktivan order by e.redosled, e.id) as "items!: Vec<i64>",
                  array(select e.naziv from enum_item e where e.tip_atributa_id = t.id and e.aktivan order by e.redosled, e.id) as "names!: Vec<String>"
             from form_field f join attribute_type t on t.id = f.tip_atributa_id join form_field_place m on m.polje_id = f.id
             left join form_field p on p.id = f.nadredjeni_atribut_u_tipu_skupa_id
            where f.tip_skupa_atributa_id = $1 and f.aktivan and holds_value(t.tip_vrednosti_atributa)
              and t.tip_vrednosti_atributa <> type_number('fajl')
              and p.ponavlja_se is not true
            order by m.mesto"#,
        id
    )
    .fetch_all(db)
    .await?;
    let polja = rows.into_iter().map(|row| Field {
        id: row.id,
        sifra: row.sifra,
        naziv: row.naziv,
        tip_unosa_id: id,
        tip_vrednosti: row.tip_vrednosti,
        jedinica: row.jedinica,
        decimale: row.decimale,
        multiselect: row.multiselect,
        pretrazuje_se: row.pretrazuje_se,
        stavke: row.items.into_iter().zip(row.names).map(|(id, naziv)| NamedRow { id, naziv }).collect(),
    });
    Ok(Form {
        id,
        registar_id: form.registar_id,
        registar: form.registar,
        registar_sifra: form.registar_sifra,
        sifra: form.sifra_veza,
        naziv: form.naziv,
        polja: polja.collect(),
    })
}
