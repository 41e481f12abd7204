//! Whom a report is mailed to: how many and in which domains the installation allows, and whom an order reaches now.

use sqlx::{PgConnection, PgExecutor};
use uuid::Uuid;

use crate::{
    mail_address::{AllowedDomains, is_address},
    parameters,
};

/// What the installation allows.
#[derive(Clone, Debug)]
pub struct Limits {
    pub domains: AllowedDomains,
    pub most: usize,
}

impl Limits {
    pub async fn load(db: impl PgExecutor<'_>) -> sqlx::Result<Self> {
        let parameters = parameters::load(db).await?;
        Ok(Self {
            domains: AllowedDomains::of_stored(parameters.text(&parameters::DOMAINS)),
            most: usize::try_from(parameters.number(&parameters::RECIPIENTS)).unwrap_or_default(),
        })
    }
}

/// One whom a report reaches, and the account that was meant, where one was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Addressee {
    pub address: String,
    pub radnik_id: Option<i64>,
}

/// To whom a report goes: typed addresses, chosen workers and chosen groups.
#[derive(Clone, Debug, Default)]
pub struct ChosenRecipients {
    pub emails: Vec<String>,
    pub radnici: Vec<i64>,
    pub grupe: Vec<i64>,
}

impl ChosenRecipients {
    /// Whom it reaches now, each address once. Workers who left and groups that are gone are not among them.
    pub async fn resolve(&self, db: &mut PgConnection, narucilac: i64) -> sqlx::Result<Vec<Addressee>> {
        let rows = sqlx::query!(
            r#"select adresa as "adresa!", radnik_id from recipients_of($1, $2, $3, $4)"#,
            narucilac,
            &self.emails,
            &self.radnici,
            &self.grupe
        )
        .fetch_all(db)
        .await?;
        let reached = rows.into_iter().map(|row| Addressee { address: row.adresa, radnik_id: row.radnik_id });
        Ok(reached.filter(|addressee| is_address(&addressee.address)).collect())
    }
}

/// Keeps who was meant to read the run.
pub async fn keep(db: &mut PgConnection, run: Uuid, addressees: &[Addressee]) -> sqlx::Result<()> {
    let addresses: Vec<String> = addressees.iter().map(|addressee| addressee.address.clone()).collect();
    let workers: Vec<Option<i64>> = addressees.iter().map(|addressee| addressee.radnik_id).collect();
    sqlx::query!(
        "insert into report_recipient (run_id, adresa, radnik_id, redosled)
         select $1, e.adresa, e.radnik_id, e.n from unnest($2::text[], $3::bigint[]) with ordinality e (adresa, radnik_id, n)",
        run,
        &addresses,
        &workers as &[Option<i64>]
    )
    .execute(db)
    .await?;
    Ok(())
}

pub fn addresses(addressees: &[Addressee]) -> Vec<String> {
    addressees.iter().map(|addressee| addressee.address.clone()).collect()
}
