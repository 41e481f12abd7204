//! A record that was merged into another one: its id leads there. Who reads it by address is sent on; an entry that is written of it is
//! written of the one that is left; and what would change the record itself is told.

use accounts::auth::Actor;
use axum::{
    extract::{Request, State},
    http::{HeaderValue, StatusCode, Uri, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use domain::access::knows_patient;
use platform::{
    error::{Error, Result},
    state::AppState,
};
use sqlx::PgConnection;

/// The patient whom an id means today.
pub async fn left(db: &mut PgConnection, patient: i64) -> sqlx::Result<i64> {
    sqlx::query_scalar!(r#"select patient_left($1) as "id!""#, patient).fetch_one(db).await
}

const MERGED: &str = "Ovaj karton je u međuvremenu spojen sa drugim. Otvorite pacijenta ponovo.";

/// Where a call found no patient whose record was merged into one that the worker's institution knows, sends it there: the same call again with
/// the other id. What changes something is not done to a record that nobody has looked at.
pub async fn send_on(State(state): State<AppState>, actor: Actor, request: Request, next: Next) -> Result<Response> {
    let (uri, reads) = (request.uri().clone(), request.method().is_safe());
    let response = next.run(request).await;
    if response.status() != StatusCode::NOT_FOUND {
        return Ok(response);
    }
    let Some(named) = named(&uri) else { return Ok(response) };
    let mut db = state.db.acquire().await?;
    let left = left(&mut db, named).await?;
    if left == named || !knows_patient(&mut db, actor.ustanova_id, left).await? {
        return Ok(response);
    }
    if !reads {
        return Err(Error::conflict(MERGED));
    }
    match HeaderValue::from_str(&with(&uri, named, left)) {
        Ok(place) => Ok((StatusCode::PERMANENT_REDIRECT, [(header::LOCATION, place)]).into_response()),
        Err(_) => Ok(response),
    }
}

const PATH: &str = "/api/patients/";
const QUERY: &str = "pacijentID=";

/// The patient whom an address names, in its path or its query.
fn named(uri: &Uri) -> Option<i64> {
    let in_path = uri.path().strip_prefix(PATH).and_then(|rest| rest.split('/').next()?.parse().ok());
    in_path.or_else(|| uri.query()?.split('&').find_map(|pair| pair.strip_prefix(QUERY)?.parse().ok()))
}

/// The address with another patient.
fn with(uri: &Uri, named: i64, left: i64) -> String {
    let path = match uri.path().strip_prefix(&format!("{PATH}{named}")) {
        Some(rest) => format!("{PATH}{left}{rest}"),
        None => uri.path().to_owned(),
    };
    let query = uri.query().map(|query| {
        let pairs = query.split('&').map(|pair| match pair.strip_prefix(QUERY) {
            Some(id) if id.parse() == Ok(named) => format!("{QUERY}{left}"),
            _ => pair.to_owned(),
        });
        pairs.collect::<Vec<_>>().join("&")
    });
    query.map_or_else(|| path.clone(), |query| format!("{path}?{query}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_led_on_by_its_path_and_its_query_and_by_nothing_else() {
        for (address, on) in [
            ("/api/patients/7", Some("/api/patients/9")),
            ("/api/patients/7/entries?registarID=7", Some("/api/patients/9/entries?registarID=7")),
            ("/api/entry-counts?tsaID=7&pacijentID=7", Some("/api/entry-counts?tsaID=7&pacijentID=9")),
            ("/api/patients/duplicates", None),
            ("/api/entries/7", None),
        ] {
            let uri: Uri = address.parse().unwrap();
            assert_eq!(named(&uri).map(|id| with(&uri, id, 9)).as_deref(), on, "{address}");
        }
    }
}
