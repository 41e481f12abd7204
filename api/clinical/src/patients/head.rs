//! Who a screen is about: what stands at the head of everything that shows a patient's data.

use jiff::civil::Date;
use serde::Serialize;
use sqlx::PgConnection;
use utoipa::ToSchema;

/// Sent to those only who may see the patient.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PatientHead {
    id: i64,
    ime: String,
    prezime: String,
    datum_rodjenja: Date,
    /// True male, false female.
    pol_trenutni: bool,
    pol_na_rodjenju: Option<bool>,
    jmbg: String,
    /// None: no death is recorded.
    datum_smrti: Option<Date>,
    /// Nobody knows any more who it is; of the birth only the year is left.
    anonimizovan: bool,
}

impl PatientHead {
    pub async fn of(db: &mut PgConnection, patient: i64) -> sqlx::Result<Self> {
        let row = sqlx::query!(
            r#"select id, ime, prezime, datum_rodjenja, pol_trenutni, pol_na_rodjenju, jmbg, anonimizovan_at is not null as "anonimizovan!",
                      death_day(id) as "datum_smrti: jiff_sqlx::Date"
                 from patient where id = $1"#,
            patient
        )
        .fetch_one(db)
        .await?;
        Ok(Self {
            id: row.id,
            ime: row.ime,
            prezime: row.prezime,
            datum_rodjenja: row.datum_rodjenja.to_jiff(),
            pol_trenutni: row.pol_trenutni,
            pol_na_rodjenju: row.pol_na_rodjenju,
            jmbg: row.jmbg,
            datum_smrti: row.datum_smrti.map(|day| day.to_jiff()),
            anonimizovan: row.anonimizovan,
        })
    }
}
