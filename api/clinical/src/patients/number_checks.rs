//! How many JMBG and LBO a worker may ask about within an hour. Whoever registers a patient is told that the JMBG is taken, and that somebody
//! has the LBO: without a bound, all numbers of a day of birth would be tried. Each is counted once, whoever has it and whoever has not, so
//! that the refusal tells nothing either.

use accounts::auth::Actor;
use domain::{
    parameters::{self, NUMBER_CHECKS},
    time,
};
use platform::{
    error::{Error, Result},
    state::AppState,
};
use sha2::{Digest, Sha256};

/// Counts what the worker is about to be told of, or refuses it. Blank ones are nobody's.
pub async fn count(state: &AppState, actor: &Actor, numbers: impl IntoIterator<Item = &String>) -> Result<()> {
    let asked: Vec<Vec<u8>> =
        numbers.into_iter().filter(|number| !number.trim().is_empty()).map(|number| Sha256::digest(number).to_vec()).collect();
    if asked.is_empty() {
        return Ok(());
    }
    let most = parameters::load(&state.db).await?.number(&NUMBER_CHECKS);
    let opens =
        sqlx::query_scalar!(r#"select count_number_checks($1, $2, $3) as "opens: jiff_sqlx::Timestamp""#, actor.radnik_id, &asked, most);
    match opens.fetch_one(&state.db).await? {
        None => Ok(()),
        Some(opens) => Err(Error::too_many(format!(
            "U poslednjih sat vremena ste uneli najviše različitih JMBG i LBO koliko je dozvoljeno ({most}). Sledeći možete od {}.",
            opens.to_jiff().to_zoned(time::zone()).strftime("%H:%M")
        ))),
    }
}

/// The same of a record that is changed: what it has already is not asked about, where the worker's institution knows it.
pub async fn count_changed(state: &AppState, actor: &Actor, patient: i64, numbers: &[String]) -> Result<()> {
    if numbers.is_empty() {
        return Ok(());
    }
    let new = sqlx::query_scalar!(
        r#"select n as "n!" from unnest($2::text[]) n
            where not exists (select from patient p where p.id = $1 and n in (p.jmbg, p.lbo) and knows_patient($3, p.id))"#,
        patient,
        numbers,
        actor.ustanova_id
    );
    count(state, actor, &new.fetch_all(&state.db).await?).await
}
