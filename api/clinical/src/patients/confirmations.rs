//! What is odd about a patient's record, and saved only when a person says that it is meant, by name; the log keeps who confirmed it.
//! What the record itself shows is asked first. That another patient has the same LBO is told last, and to nobody without a line in
//! the log: from the question one learns that there is such a patient, as one does from a JMBG that is taken, and nothing else.

use platform::error::{Confirmation, Error, Result};
use sqlx::PgConnection;

use super::{record::PatientInput, validation};

/// The birth date or the sex is not the one that the JMBG says.
const JMBG_MISMATCH: &str = "jmbgNeslaganje";

/// Another patient has the same LBO.
const SHARED_LBO: &str = "istiLBO";

/// A patient of a similar name and birth date is there already.
const ALIKE: &str = "slicanPacijent";

/// Names nobody: whoever registers is shown who is alike by another call, and the log has who was told.
pub fn alike() -> Confirmation {
    let text = "Već postoji pacijent sličnog imena, rođen istog ili bliskog datuma. Proverite da li je to ista osoba.";
    Confirmation { oznaka: ALIKE.into(), tekst: text.into() }
}

/// The same words whoever the other one is, and wherever.
pub fn shared_lbo() -> Confirmation {
    Confirmation {
        oznaka: SHARED_LBO.into(),
        tekst: "Uneti LBO već ima drugi pacijent. Proverite broj: dva pacijenta nemaju isti LBO.".into(),
    }
}

/// Asked when the JMBG contradicts the record; and of a change only when it touches what the JMBG says.
pub fn of_jmbg(patient: &PatientInput, before: Option<&PatientInput>) -> Option<Confirmation> {
    let said = |record: &PatientInput| (record.jmbg.clone(), record.datum_rodjenja, record.pol_trenutni);
    if before.is_some_and(|before| said(before) == said(patient)) {
        return None;
    }
    let odd: Vec<&str> = validation::oddities(patient).into_iter().map(|(_, message)| message).collect();
    (!odd.is_empty()).then(|| Confirmation { oznaka: JMBG_MISMATCH.into(), tekst: odd.join(" ").into() })
}

/// Whoever is about to write these LBOs waits for those who write the same, and then sees theirs: of two at once one is asked. Taken
/// before any row is locked, and few locks for many numbers.
pub async fn hold_lbo(db: &mut PgConnection, lbo: &[String]) -> sqlx::Result<()> {
    sqlx::query!(
        "select pg_advisory_xact_lock($1, w.part) as locked
           from (select distinct abs(hashtext(btrim(lbo)) % 256) as part from unnest($2::text[]) u (lbo) order by 1) w",
        LBO_LOCK,
        lbo
    )
    .fetch_all(db)
    .await?;
    Ok(())
}

/// Separates these locks from others.
const LBO_LOCK: i32 = 723_185;

/// Asked of a record as it is written; with the patients who have its LBO.
pub async fn of_lbo(db: &mut PgConnection, patient: i64) -> sqlx::Result<Option<(Confirmation, Vec<i64>)>> {
    let others = sqlx::query_scalar!(
        r#"select o.id as "id!" from patient p cross join lateral holders_of_lbo(p.lbo) o (id) where p.id = $1 and o.id <> p.id order by 1"#,
        patient
    )
    .fetch_all(db)
    .await?;
    Ok((!others.is_empty()).then(|| (shared_lbo(), others)))
}

/// Refuses a save until the person has confirmed each oddity; gives back what was confirmed.
pub fn demand(asked: Vec<Confirmation>, given: &[String]) -> Result<Vec<Confirmation>> {
    if asked.iter().all(|one| given.iter().any(|name| *name == one.oznaka)) { Ok(asked) } else { Err(Error::Unconfirmed(asked)) }
}

/// What the worker of the transaction has confirmed of each of these patients. The sentences name none.
pub async fn log(db: &mut PgConnection, patients: &[i64], confirmed: &[Confirmation]) -> sqlx::Result<()> {
    for one in confirmed {
        sqlx::query!(
            "insert into audit_log (radnik_id, klasa, akcija, red_id, pacijent_id, opis)
             select acting_worker(), 'patient', 'potvrda', id::text, id, $2 from unnest($1::bigint[]) u (id)",
            patients,
            format!("Potvrđeno pre čuvanja: {}", one.tekst),
        )
        .execute(&mut *db)
        .await?;
    }
    Ok(())
}
