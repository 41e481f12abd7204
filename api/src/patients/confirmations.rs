//! What is odd about a patient's record, and saved only when a person says that it is meant: all of it is asked at once, by name, and
//! the log keeps who confirmed it. A new kind is a name, a sentence, and a line where a record is saved.

use sqlx::PgConnection;

use super::{record::PatientInput, validation};
use crate::{
    auth::Actor,
    error::{Confirmation, Error, Result},
};

/// The birth date or the sex is not the one that the JMBG says.
const JMBG_MISMATCH: &str = "jmbgNeslaganje";

/// Asked when the JMBG contradicts the record; and of a change only when it touches what the JMBG says.
pub fn of_jmbg(patient: &PatientInput, before: Option<&PatientInput>) -> Option<Confirmation> {
    let said = |record: &PatientInput| (record.jmbg.clone(), record.datum_rodjenja, record.pol_trenutni);
    if before.is_some_and(|before| said(before) == said(patient)) {
        return None;
    }
    let odd: Vec<&str> = validation::oddities(patient).into_iter().map(|(_, message)| message).collect();
    (!odd.is_empty()).then(|| Confirmation { oznaka: JMBG_MISMATCH.into(), tekst: odd.join(" ").into() })
}

/// Refuses a save until the person has confirmed each oddity; gives back what was confirmed.
pub fn demand(asked: Vec<Confirmation>, given: &[String]) -> Result<Vec<Confirmation>> {
    if asked.iter().all(|one| given.iter().any(|name| *name == one.oznaka)) { Ok(asked) } else { Err(Error::Unconfirmed(asked)) }
}

/// Who confirmed what of whom. The sentences name no patient.
pub async fn log(db: &mut PgConnection, actor: &Actor, pacijent: i64, confirmed: &[Confirmation]) -> sqlx::Result<()> {
    for one in confirmed {
        sqlx::query!(
            "insert into audit_log (radnik_id, klasa, akcija, red_id, pacijent_id, opis)
             values ($1, 'patient', 'potvrda', $2::bigint::text, $2, $3)",
            actor.radnik_id,
            pacijent,
            format!("Potvrđeno pre čuvanja: {}", one.tekst),
        )
        .execute(&mut *db)
        .await?;
    }
    Ok(())
}
