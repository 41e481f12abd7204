//! What of a form's fields leaves without identity.

use std::collections::HashSet;

use sqlx::PgExecutor;

use crate::register::{ExportMark, UnnamedOutput, ValueType};

/// A field as an export without identity has it.
#[derive(Debug, Clone)]
pub struct UnnamedField {
    pub id: i64,
    pub naziv: String,
    pub unnamed: UnnamedOutput,
    /// Nobody has marked it: its name looks so.
    pub guessed: bool,
}

/// The fields of a form that do not leave as they are.
#[derive(Debug, Clone, Default)]
pub struct UnnamedFields(Vec<UnnamedField>);

impl UnnamedFields {
    pub async fn of(db: impl PgExecutor<'_>, form: i64) -> sqlx::Result<Self> {
        let rows = sqlx::query!(
            r#"select f.id, f.naziv, f.sifra, f.oznaka_izvoza as "mark: ExportMark", t.tip_vrednosti_atributa as "kind: ValueType"
                 from form_field f join attribute_type t on t.id = f.tip_atributa_id
                where f.tip_skupa_atributa_id = $1 and f.aktivan order by f.id"#,
            form
        )
        .fetch_all(db)
        .await?;
        let fields = rows.into_iter().map(|row| {
            let (unnamed, guessed) = ExportMark::of(row.kind, row.mark, &row.naziv, row.sifra.as_deref());
            UnnamedField { id: row.id, naziv: row.naziv, unnamed, guessed }
        });
        Ok(Self(fields.filter(|field| field.unnamed != UnnamedOutput::Izlazi || field.guessed).collect()))
    }

    pub fn get(&self, field: i64) -> Option<&UnnamedField> {
        self.0.iter().find(|one| one.id == field)
    }

    pub fn is_left_out(&self, field: i64) -> bool {
        self.get(field).is_some_and(|field| field.unnamed == UnnamedOutput::IzostavljaSe)
    }

    pub fn is_capped(&self, field: i64) -> bool {
        self.get(field).is_some_and(|field| field.unnamed == UnnamedOutput::OgranicavaSe)
    }

    /// Those that nobody has marked, of the fields that are asked for.
    pub fn guessed(&self, chosen: Option<&[i64]>) -> Vec<&UnnamedField> {
        let chosen: Option<HashSet<i64>> = chosen.map(|chosen| chosen.iter().copied().collect());
        self.0.iter().filter(|field| field.guessed && chosen.as_ref().is_none_or(|chosen| chosen.contains(&field.id))).collect()
    }
}
