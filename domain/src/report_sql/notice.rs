//! What whoever reads a report over all institutions is told beside its rows (decisions 0069 and 0079): in the heading of PDF and XLSX, in
//! the last line of CSV, on the screen and by mail. It is asked of the report as it is when it runs, whatever it was when the run was made.

use sqlx::PgPool;

use crate::parameters::{self, LEAST_GROUP};

/// One thing that is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    pub naziv: &'static str,
    pub vrednost: String,
}

impl Notice {
    /// Of a report over all institutions.
    pub async fn of_all(db: &PgPool, upit: &str, sablon: &str) -> sqlx::Result<Vec<Self>> {
        let least = parameters::load(db).await?.number(&LEAST_GROUP);
        let groups = (least > 1)
            .then(|| Self { naziv: "Sve ustanove", vrednost: format!("nema grupa sa manje od {least} pacijenata drugih ustanova") });
        let years = leaves_years_untold(upit, sablon)
            .then(|| Self { naziv: "Uzrast", vrednost: "iz godine rođenja se računa po kalendarskoj godini".to_owned() });
        let consents = without_consent(db, i64::from(least)).await?;
        Ok(groups.into_iter().chain(years).chain(consents).collect())
    }

    pub fn sentence(&self) -> String {
        format!("{}: {}.", self.naziv, self.vrednost)
    }
}

/// How many patients are left out because they have not agreed to research; few are told like none, where a register asks for it.
async fn without_consent(db: &PgPool, least: i64) -> sqlx::Result<Option<Notice>> {
    let counted = sqlx::query!(
        r#"select (select count(distinct r.pacijent_id) from patient_register r join patient p on p.id = r.pacijent_id and p.aktivan
                    where not r.za_istrazivanje) as "n!",
                  exists (select from register g where g.aktivan and g.pristanak_istrazivanje) as "asks!""#
    )
    .fetch_one(db)
    .await?;
    let told = if counted.n >= least.max(1) {
        Some(format!("izostavljeno pacijenata koji nisu dali saglasnost za istraživanje: {}", counted.n))
    } else if counted.asks {
        Some(format!("izostavljeno pacijenata koji nisu dali saglasnost za istraživanje: manje od {}", least.max(1)))
    } else {
        None
    };
    Ok(told.map(|vrednost| Notice { naziv: "Saglasnost", vrednost }))
}

/// Over all institutions only years of birth are known, and the difference of two years is not always an age: whether the query reads them
/// and the template does not say so.
pub fn leaves_years_untold(upit: &str, sablon: &str) -> bool {
    upit.contains("godina_rodjenja") && !sablon.contains("kalendarsk")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn years_of_birth_are_told_unless_the_template_says_so() {
        let upit = "select 2026 - p.godina_rodjenja as uzrast from report.pacijent p";
        assert!(leaves_years_untold(upit, r#"{{col "uzrast" head="Uzrast"}}"#));
        assert!(!leaves_years_untold(upit, r#"{{col "uzrast" head="Uzrast po kalendarskoj godini"}}"#));
        assert!(!leaves_years_untold("select count(*) from report.pacijent", ""));
    }
}
