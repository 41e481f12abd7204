//! A register as the database has it: its forms, as the entry screen loads them, by the codes that files call them.

use anyhow::{Context, bail};
use domain::entry::form::{EntryField, EntryForm};
use sqlx::PgConnection;

/// How a register is told.
#[derive(Clone, Copy)]
pub enum RegisterName<'a> {
    /// By its `sifra`.
    Code(&'a str),
    Id(i64),
}

/// How a mapping names a field: by its code, or by its name where it has none.
pub fn code(field: &EntryField) -> &str {
    field.sifra.as_deref().filter(|code| !code.is_empty()).unwrap_or(&field.naziv)
}

pub struct RegisterSchema {
    pub id: i64,
    pub naziv: String,
    pub forms: Vec<FormSchema>,
}

pub struct FormSchema {
    pub form: EntryForm,
    pub sifra_veza: Option<String>,
    pub maksimalan_broj_instanci_po_kontaktu: Option<i32>,
}

impl RegisterSchema {
    /// The active register that is meant.
    pub async fn load(tx: &mut PgConnection, which: RegisterName<'_>) -> anyhow::Result<Self> {
        let (sifra, id) = match which {
            RegisterName::Code(sifra) => (Some(sifra), None),
            RegisterName::Id(id) => (None, Some(id)),
        };
        let registers = sqlx::query!("select id, naziv from register where aktivan and (sifra = $1 or id = $2)", sifra, id);
        let registers = registers.fetch_all(&mut *tx).await?;
        let [register] = &registers[..] else {
            let named = sifra.map(|sifra| format!(" sa šifrom „{sifra}”")).unwrap_or_default();
            bail!("{} aktivan registar{named}", if registers.is_empty() { "ne postoji" } else { "nije jedini" });
        };
        let rows = sqlx::query!(
            "select id, sifra_veza, maksimalan_broj_instanci_po_kontaktu from form
              where registar_id = $1 and aktivan order by prikazni_redosled, id",
            register.id
        )
        .fetch_all(&mut *tx)
        .await?;
        let mut forms = vec![];
        for row in rows {
            let form = EntryForm::load(tx, row.id).await.with_context(|| format!("form {}", row.id))?;
            let maksimalan_broj_instanci_po_kontaktu = row.maksimalan_broj_instanci_po_kontaktu;
            forms.push(FormSchema { form, sifra_veza: row.sifra_veza, maksimalan_broj_instanci_po_kontaktu });
        }
        Ok(Self { id: register.id, naziv: register.naziv.clone(), forms })
    }

    /// The form with this `sifraVeza`, or else with this name.
    pub fn form(&self, name: &str) -> anyhow::Result<&FormSchema> {
        self.forms
            .iter()
            .find(|known| known.sifra_veza.as_deref() == Some(name))
            .or_else(|| self.forms.iter().find(|known| known.form.naziv == name))
            .with_context(|| format!("registar „{}” nema formular „{name}”", self.naziv))
    }
}

impl FormSchema {
    pub fn field(&self, name: &str) -> Option<&EntryField> {
        self.form
            .fields
            .iter()
            .find(|field| field.holds_value() && code(field) == name)
            .or_else(|| self.form.fields.iter().find(|field| code(field) == name))
    }

    /// Whether the code is of a field in a section that repeats.
    pub fn is_column(&self, sifra: &str) -> bool {
        self.form.fields.iter().flat_map(|field| &field.kolone).any(|column| column.sifra.as_deref() == Some(sifra))
    }

    /// As keys of imported records name the form.
    pub fn code(&self) -> String {
        self.sifra_veza.clone().unwrap_or_else(|| self.form.id.to_string())
    }
}
