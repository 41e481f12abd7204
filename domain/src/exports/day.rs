//! No true day leaves without identity (decision 0069): a period is of whole years, and a search that asked for a date is not exported so.
//! Asked when an export is ordered, and again when it is made: one that waited may be older than the rule.

use sqlx::PgExecutor;

use super::{Profile, Selection};

const WHOLE_YEARS: &str = "Bez identiteta se bira period celih godina, od 01.01. do 31.12.: po danu bi se saznao pravi datum pregleda.";
const BY_DAY: &str = "Pretraga je tražila datum, pa se njeni pacijenti ne izvoze bez identiteta: po njemu bi se saznao pravi datum.";

/// What of an export's selection would tell a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TellingDay {
    From,
    Until,
    Search,
}

impl TellingDay {
    /// The first such. Two periods that differ by a day would tell whose visit was on it, and with it by how much all of that patient's
    /// dates are moved.
    pub async fn of(db: impl PgExecutor<'_>, selection: &Selection) -> sqlx::Result<Option<Self>> {
        if selection.profil == Profile::Identitet {
            return Ok(None);
        }
        if selection.datum_od.is_some_and(|day| (day.month(), day.day()) != (1, 1)) {
            return Ok(Some(Self::From));
        }
        if selection.datum_do.is_some_and(|day| (day.month(), day.day()) != (12, 31)) {
            return Ok(Some(Self::Until));
        }
        let Some(search) = selection.pretraga else { return Ok(None) };
        let by_day = sqlx::query_scalar!(
            r#"select polja::text ~ '[0-9]{4}-[0-9]{2}-[0-9]{2}' as "by_day!" from audit_log where id = $1 and vreme_pristupa = $2"#,
            search.zapis,
            jiff_sqlx::Timestamp::from(search.vreme) as _
        );
        Ok(by_day.fetch_optional(db).await?.unwrap_or(true).then_some(Self::Search))
    }

    /// The field of the request.
    pub fn field(self) -> &'static str {
        match self {
            Self::From => "od",
            Self::Until => "do",
            Self::Search => "pretraga",
        }
    }

    pub fn text(self) -> &'static str {
        match self {
            Self::From | Self::Until => WHOLE_YEARS,
            Self::Search => BY_DAY,
        }
    }
}
