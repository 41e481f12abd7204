//! Two records of one person made one, and two again. The keepers of both agree: where one institution keeps both it is done at once, as it
//! is by who reaches every institution; otherwise it is proposed to the other keeper. What moves, and how it comes back, is the database's
//! (`migrations/functions/merge.sql`).

mod preview;
mod proposals;
mod undoing;

use accounts::{
    auth::Actor,
    rights::{Allowed, Merging, Patients},
};
use axum::{extract::State, http::StatusCode};
use domain::db;
use platform::{
    error::{Error, Result},
    extract::Json,
    reading::fields_of_body,
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sqlx::PgConnection;
use utoipa::ToSchema;

use super::{
    access::{self, PatientAccess},
    agreement::reason,
    confirmations,
    record::{CHANGED, PatientInput, PatientRow},
};

pub fn routes() -> Routes {
    Routes::new().merge(preview::routes()).merge(proposals::routes()).merge(undoing::routes()).routes(routes!(merge))
}

#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
struct MergeRequest {
    /// The record that is left.
    #[serde(rename = "pobednikID")]
    pobednik_id: i64,
    /// The record that goes; its numbers lead to the other one from then on.
    #[serde(rename = "gubitnikID")]
    gubitnik_id: i64,
    /// Fields of the record whose value is taken from the one that goes.
    od_gubitnika: Vec<String>,
    /// Why they are one person, at least ten characters.
    razlog: String,
    /// The versions of both records that were looked at.
    verzija_pobednika: Option<i32>,
    verzija_gubitnika: Option<i32>,
    /// Names of the oddities that a person has confirmed, as a refusal listed them.
    potvrde: Vec<String>,
}

/// Either the merge that was made, or the proposal that now waits for the keeper of the other record.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct MergeAnswer {
    #[serde(rename = "spajanjeID")]
    spajanje_id: Option<i64>,
    #[serde(rename = "predlogID")]
    predlog_id: Option<i64>,
}

/// One of the two records.
struct Side {
    id: i64,
    ustanova_id: i64,
    ustanova: String,
    verzija: i32,
    kreiran: jiff::Timestamp,
    unosa: i64,
    record: PatientInput,
}

/// The record that is left, and the one that goes.
struct RecordPair {
    left: Side,
    gone: Side,
}

impl RecordPair {
    /// Both records, of whom the worker's institution knows each, or who reaches every institution.
    async fn known(db: &mut PgConnection, actor: &Actor, left: i64, gone: i64) -> Result<Self> {
        for id in [left, gone] {
            if !actor.prava.sve_ustanove {
                PatientAccess::to(&mut *db, actor, id).await?;
            }
        }
        Self::load(db, left, gone).await
    }

    async fn load(db: &mut PgConnection, left: i64, gone: i64) -> Result<Self> {
        let left = Side::load(&mut *db, left).await?;
        Ok(Self { left, gone: Side::load(db, gone).await? })
    }

    /// The institution whose agreement is needed; none: this worker may do it alone. Refused where neither record is the own institution's.
    fn to_agree(&self, actor: &Actor) -> Result<Option<(i64, &str)>> {
        let own = actor.ustanova()?;
        let (left, gone) = (self.left.ustanova_id == own, self.gone.ustanova_id == own);
        match (left, gone) {
            (true, true) => Ok(None),
            _ if actor.prava.sve_ustanove => Ok(None),
            (true, false) => Ok(Some((self.gone.ustanova_id, &self.gone.ustanova))),
            (false, true) => Ok(Some((self.left.ustanova_id, &self.left.ustanova))),
            (false, false) => Err(Error::refused("Nijedan od ova dva kartona ne vodi vaša ustanova, pa ne može ni da predloži spajanje.")),
        }
    }

    /// The record as it will be, with the named fields of the one that goes.
    fn chosen(&self, from_gone: &[String]) -> Result<PatientInput> {
        let mut record = as_map(&self.left.record)?;
        let gone = as_map(&self.gone.record)?;
        for field in from_gone {
            match gone.get(field) {
                Some(value) => record.insert(field.clone(), value.clone()),
                None => return Err(Error::invalid("odGubitnika", "Nepoznato polje.")),
            };
        }
        fields_of_body(record)
    }

    /// Fields of the record by their columns, as a proposal has them.
    fn fields_of(&self, columns: &[String]) -> Result<Vec<String>> {
        Ok(as_map(&self.left.record)?.into_iter().map(|(field, _)| field).filter(|field| columns.contains(&column(field))).collect())
    }
}

fn as_map(record: &PatientInput) -> Result<Map<String, Value>> {
    match serde_json::to_value(record).map_err(anyhow::Error::from)? {
        Value::Object(fields) => Ok(fields),
        _ => unreachable!("a struct serialises to an object"),
    }
}

/// `datumRodjenja` as the table has it.
fn column(field: &str) -> String {
    field.chars().fold(String::new(), |mut column, letter| {
        if letter.is_ascii_uppercase() {
            column.push('_');
        }
        column.push(letter.to_ascii_lowercase());
        column
    })
}

impl Side {
    async fn load(db: &mut PgConnection, id: i64) -> Result<Self> {
        let row = PatientRow::load(&mut *db, id).await?.ok_or(Error::HiddenPatient(id))?;
        let keeper = sqlx::query!(
            r#"select u.naziv, (select count(*) from entry e where e.pacijent_id = $1 and e.aktivan) as "unosa!" from institution u where u.id = $2"#,
            id,
            row.ustanova_id
        )
        .fetch_one(db)
        .await?;
        Ok(Self {
            id,
            ustanova_id: row.ustanova_id,
            ustanova: keeper.naziv,
            verzija: row.verzija,
            kreiran: row.kreiran,
            unosa: keeper.unosa,
            record: row.record,
        })
    }
}

/// What stands in the way, in words.
async fn obstacles(db: &mut PgConnection, left: i64, gone: i64) -> sqlx::Result<Vec<String>> {
    let rows =
        sqlx::query!(r#"select razlog as "razlog!", broj as "broj!" from merge_obstacles($1, $2)"#, left, gone).fetch_all(db).await?;
    let words = rows.into_iter().map(|row| match row.razlog.as_str() {
        "isti" => "Izabran je dva puta isti karton.".to_owned(),
        "anonimizovan" => "Jedan od pacijenata je anonimizovan.".to_owned(),
        "obrisan" => "Jedan od pacijenata je obrisan. Prvo ga vratite.".to_owned(),
        "spojen" => "Jedan od kartona je već spojen sa drugim.".to_owned(),
        "nacrti" => {
            format!("Za karton koji nestaje čekaju nesnimljeni nacrti unosa (njih {}). Neka ih njihovi autori snime ili odbace.", row.broj)
        }
        "preracunavanje" => "U toku je preračunavanje formulara u kom ima unosa ovih pacijenata. Sačekajte da se završi.".to_owned(),
        "uvoz" => "U toku je uvoz podataka. Sačekajte da se završi.".to_owned(),
        _ => "Čeka se odgovor na ponudu premeštanja jednog od pacijenata.".to_owned(),
    });
    Ok(words.collect())
}

/// Refuses what cannot be merged now.
async fn require_no_obstacle(db: &mut PgConnection, left: i64, gone: i64) -> Result<()> {
    let found = obstacles(db, left, gone).await?;
    if found.is_empty() { Ok(()) } else { Err(Error::conflict(found.join(" "))) }
}

/// Merges two records, or proposes it to the keeper of the other one.
#[utoipa::path(post, path = "/api/patient-merges", request_body = MergeRequest, responses((status = 201, body = MergeAnswer)))]
async fn merge(
    State(state): State<AppState>,
    actor: Allowed<Merging>,
    Json(body): Json<MergeRequest>,
) -> Result<(StatusCode, Json<MergeAnswer>)> {
    access::require(&actor, Patients::Izmena)?;
    let why = reason(&body.razlog)?;
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let two = RecordPair::known(&mut tx, &actor, body.pobednik_id, body.gubitnik_id).await?;
    let asked = two.to_agree(&actor)?;
    let seen = |version: Option<i32>, side: &Side| version.is_none_or(|version| version == side.verzija);
    if !seen(body.verzija_pobednika, &two.left) || !seen(body.verzija_gubitnika, &two.gone) {
        return Err(Error::conflict(CHANGED));
    }
    require_no_obstacle(&mut tx, two.left.id, two.gone.id).await?;
    let answer = match asked {
        Some((other, _)) => {
            let id = proposals::propose(&mut tx, &actor, &two, other, &body.od_gubitnika, why).await?;
            MergeAnswer { spajanje_id: None, predlog_id: Some(id) }
        }
        None => {
            let id = make_one(&mut tx, &two, &body.od_gubitnika, why, &body.potvrde).await?;
            MergeAnswer { spajanje_id: Some(id), predlog_id: None }
        }
    };
    tx.commit().await?;
    Ok((StatusCode::CREATED, Json(answer)))
}

/// Merges the two for good reason, and asks first about what would be odd of the record.
async fn make_one(db: &mut PgConnection, two: &RecordPair, from_gone: &[String], why: &str, potvrde: &[String]) -> Result<i64> {
    let chosen = two.chosen(from_gone)?;
    let asked = confirmations::of_jmbg(&chosen, Some(&two.left.record)).into_iter().collect();
    let confirmed = confirmations::demand(asked, potvrde)?;
    let columns: Vec<String> = from_gone.iter().map(|field| column(field)).collect();
    let id = sqlx::query_scalar!(r#"select merge_patients($1, $2, $3, $4) as "id!""#, two.left.id, two.gone.id, &columns, why)
        .fetch_one(&mut *db)
        .await?;
    confirmations::log(db, &[two.left.id], &confirmed).await?;
    Ok(id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_named_by_its_column() {
        assert_eq!(["ime", "datumRodjenja", "polNaRodjenju"].map(column), ["ime", "datum_rodjenja", "pol_na_rodjenju"]);
    }
}
