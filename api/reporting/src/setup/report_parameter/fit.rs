//! Whether a parameter of a report fits: its name, and its default.

use domain::report_sql::{OF_THE_SESSION, ParameterKind};
use platform::error::{Error, Result};
use sqlx::PgConnection;

use super::Input;
use crate::reports::defaults;

/// The server fills these in by itself, so that a parameter called so would never get what is typed for it.
pub fn refuse_servers_name(name: &str) -> Result<()> {
    match OF_THE_SESSION.contains(&name) {
        false => Ok(()),
        true => Err(Error::invalid(
            "requestNaziv",
            format!(
                "Vrednost „{name}” uvek popunjava server, pa se parametar ne može tako zvati. U upitu je :{name} dostupan i bez parametra."
            ),
        )),
    }
}

/// A default that the parameter's type does not take. The type stays as it is until the parameter is saved.
pub async fn refuse_default(tx: &mut PgConnection, input: &Input) -> Result<()> {
    let (Some(tip), Some(podrazumevano)) = (input.tip_id, &input.podrazumevano) else { return Ok(()) };
    let kind =
        sqlx::query_scalar!(r#"select tip_recnika as "kind: ParameterKind" from report_parameter_type where id = $1 for key share"#, tip);
    match kind.fetch_optional(tx).await?.and_then(|kind| defaults::fault(kind, podrazumevano)) {
        Some(message) => Err(Error::invalid("podrazumevano", message)),
        None => Ok(()),
    }
}
