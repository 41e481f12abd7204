//! What keeps a blurred row from telling: a small group of patients whom the institution does not know is no rows, and how many searches
//! by values reach such patients is counted and limited, for a worker.
//!
//! A group is told to be small in the same words whether it is empty or not, and only known patients count for the page and for whether
//! there are more: nothing of the answer depends on how many there are, as long as they are few.

use accounts::auth::Actor;
use domain::{
    parameters::{self, LEAST_GROUP, Parameters, SEARCHES_OF_OTHERS},
    time,
};
use platform::{
    error::{Error, Result},
    state::AppState,
};
use sha2::{Digest, Sha256};

use super::{compile::Search, criteria::SearchRequest, run::Hit};

pub fn least(parameters: &Parameters) -> usize {
    usize::try_from(parameters.number(&LEAST_GROUP)).unwrap_or_default()
}

impl Search {
    /// Whether patients whom the institution does not know may be among the hits.
    pub fn reaches_others(&self) -> bool {
        self.blur && !self.only_known()
    }

    /// How many hits more than are wanted are looked up, so that enough are left if a small group is taken out of them.
    pub fn spare(&self) -> i64 {
        if self.reaches_others() { self.least_group as i64 - 1 } else { 0 }
    }

    /// The bound below which the hits hold too few whom the institution does not know; none where they hold enough.
    pub fn fewer_than(&self, hits: &[Hit]) -> Option<usize> {
        let others = hits.iter().filter(|hit| !hit.is_known(self)).take(self.least_group).count();
        (self.reaches_others() && others < self.least_group).then_some(self.least_group)
    }
}

/// Counts a search that narrows patients of other institutions down, and refuses it where the worker has made too many within an hour.
/// The same search again, as on the way back from a patient, is not counted.
pub async fn count(state: &AppState, actor: &Actor, search: &Search, request: &SearchRequest) -> Result<()> {
    if !search.reaches_others() || search.least_group == 1 || (search.groups.is_empty() && search.fixed.is_empty()) {
        return Ok(());
    }
    let most = parameters::load(&state.db).await?.number(&SEARCHES_OF_OTHERS);
    let asked = Sha256::digest(format!("{:?}", (request.registar_id, search.institution, search.scope, &search.fixed, &search.groups)));
    let opens = sqlx::query_scalar!(
        r#"select count_search_of_others($1, $2, $3) as "opens: jiff_sqlx::Timestamp""#,
        actor.radnik_id,
        &asked[..],
        most
    );
    match opens.fetch_one(&state.db).await? {
        None => Ok(()),
        Some(opens) => Err(Error::too_many(format!(
            "U poslednjih sat vremena ste iskoristili sve pretrage po vrednostima koje obuhvataju i pacijente drugih ustanova ({most}). Nova je \
             moguća od {}. Do tada pretražujte po imenu, prezimenu, JMBG ili LBO.",
            opens.to_jiff().to_zoned(time::zone()).strftime("%H:%M")
        ))),
    }
}
