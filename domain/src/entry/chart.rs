//! Scores of a patient over time: the lines that a chart field asks for, and their points.

use std::collections::HashMap;

use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::{PgConnection, types::Json};
use utoipa::ToSchema;

use super::form::EntryField;
use crate::register::ChartLine;

/// Values of one entry by field code.
#[derive(Clone, Debug)]
pub struct ChartPoint {
    /// The form's name.
    pub naziv: String,
    pub date: Date,
    pub vrednosti: Value,
    /// The marked ones among them, by code.
    pub zastareli: HashMap<String, PointMark>,
    /// The version of the form in which the values are told.
    pub form_version_id: i64,
}

/// Why a value does not compare with its neighbours, as [`Stale`](super::stale::Stale) says it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PointMark {
    pub razlog: String,
    pub jedinica: Option<String>,
}

/// The specification's own four, where the form names no lines.
const STANDARD: [(&str, &str, &str); 4] =
    [("HAQ", "haq", "#7c3aed"), ("DAS28", "das28se", "#dc2626"), ("CDAI", "cdai", "#2563eb"), ("SDAI", "sdai", "#059669")];

/// The lines of a chart field.
pub fn lines(field: &EntryField) -> Vec<ChartLine> {
    let own: Option<Vec<ChartLine>> = field.grafik.clone().and_then(|lines| serde_json::from_value(lines).ok());
    own.filter(|lines| !lines.is_empty()).unwrap_or_else(|| {
        STANDARD.map(|(oznaka, sifra, boja)| ChartLine { oznaka: oznaka.into(), sifra: sifra.into(), boja: boja.into() }).into()
    })
}

/// Values of fields over the patient's entries in a register, by date: those that `institution` may read.
pub async fn points(
    db: &mut PgConnection,
    patient: i64,
    register: i64,
    codes: &[String],
    institution: Option<i64>,
) -> sqlx::Result<Vec<ChartPoint>> {
    let rows = sqlx::query!(
        r#"
        select g.naziv, e.datum_unosa as "datum_unosa: jiff_sqlx::Date", e.form_version_id,
               jsonb_object_agg(f.sifra, e.vrednosti -> f.id::text) as "vrednosti!",
               coalesce(jsonb_object_agg(f.sifra, jsonb_build_object('razlog', s.razlog, 'jedinica', s.jedinica))
                          filter (where s.unos_id is not null), '{}') as "zastareli!: Json<HashMap<String, PointMark>>"
          from entry e
          join form g on g.id = e.tsa_id
          join form_field f on f.tip_skupa_atributa_id = e.tsa_id and f.sifra = any ($3) and e.vrednosti ? f.id::text
          left join stale_result s on s.unos_id = e.id and s.polje_id = f.id
         where e.pacijent_id = $1 and e.registar_id = $2 and e.aktivan and e.datum_unosa <= today()
           and (e.ustanova_id = $4 or not (select reads_own_entries_only($4, $1)))
         group by e.id, g.naziv, e.datum_unosa, e.form_version_id
         order by e.datum_unosa, e.id
        "#,
        patient,
        register,
        codes,
        institution
    )
    .fetch_all(db)
    .await?;
    let points = rows.into_iter().map(|row| ChartPoint {
        naziv: row.naziv,
        date: row.datum_unosa.to_jiff(),
        vrednosti: row.vrednosti,
        zastareli: row.zastareli.0,
        form_version_id: row.form_version_id,
    });
    Ok(points.collect())
}
