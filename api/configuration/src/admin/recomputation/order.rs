//! An order as a row, written by who publishes or asks for it later, in the transaction of that.

use accounts::{auth::Actor, rights::Right};
use domain::caller;
use platform::error::{Error, Result};
use serde::Deserialize;
use sqlx::PgConnection;
use utoipa::ToSchema;

const SHORTEST_REASON: usize = 3;
const LONGEST_REASON: usize = 500;

/// Whether signatures end where a recomputation makes something else of an entry. Else what is signed stays as it is.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct SignatureChoice {
    zavrsi_potpise: bool,
    /// Why they end: those who signed read it.
    razlog_potpisa: String,
}

impl SignatureChoice {
    /// Why they end; none where they do not. It is for those who may lock and unlock entries.
    pub fn reason(&self, actor: &Actor) -> Result<Option<&str>> {
        if !self.zavrsi_potpise {
            return Ok(None);
        }
        if !actor.prava.holds(Right::EntryLocking) {
            return Err(Error::refused(
                "Potpise preračunavanjem okončava samo ko ima pravo „Zaključavanje unosa”. Izaberite da potpisani unosi ostanu kakvi jesu.",
            ));
        }
        let reason = self.razlog_potpisa.trim();
        if !(SHORTEST_REASON..=LONGEST_REASON).contains(&reason.chars().count()) {
            return Err(Error::invalid("razlogPotpisa", "Napišite zašto potpisi prestaju da važe, od 3 do 500 znakova."));
        }
        Ok(Some(reason))
    }
}

/// None: the form is being recomputed already. `ends_signatures`: why they end.
pub async fn order(tx: &mut PgConnection, actor: &Actor, form: i64, version: i64, ends_signatures: Option<&str>) -> Result<Option<i64>> {
    let asked = sqlx::query_scalar!(
        "insert into recomputation (form_id, form_version_id, radnik_id, ustanova_id, razlog_potpisa, ukupno)
         select $1, $2, $3, $4, $5,
                (select count(*) from entry e join patient p on p.id = e.pacijent_id
                  where e.tsa_id = $1 and e.aktivan and p.aktivan and p.anonimizovan_at is null)
             on conflict (form_id) where status in ('queued', 'running') do nothing
         returning id",
        form,
        version,
        actor.radnik_id,
        actor.ustanova_id,
        ends_signatures
    );
    let Some(id) = asked.fetch_optional(&mut *tx).await? else { return Ok(None) };
    log(tx, actor, id, "kreiranje").await?;
    Ok(Some(id))
}

/// What was to be recomputed by an earlier version of the form ends where it stands.
pub async fn supersede(tx: &mut PgConnection, form: i64, version: i64) -> Result<()> {
    sqlx::query!(
        "update recomputation set status = 'superseded', lease_until = null, vreme_zavrsetka = clock_timestamp()
          where form_id = $1 and status in ('queued', 'running') and form_version_id <> $2",
        form,
        version
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// A version that is made with the marks of its own change knows of them: they are settled once an entry is taken over to it. The
/// version bears the moment at which its transaction began.
pub async fn known_to_version(tx: &mut PgConnection, version: i64) -> Result<()> {
    sqlx::query!(
        "update stale_result s set vreme = v.napravljena
           from form_version v join entry e on e.tsa_id = v.form_id and e.form_version_id <> v.id
          where v.id = $1 and s.unos_id = e.id and s.vreme > v.napravljena",
        version
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// What it changes is logged with the entries; how far it has come is not.
pub async fn log(tx: &mut PgConnection, actor: &Actor, id: i64, akcija: &str) -> Result<()> {
    sqlx::query!(
        "insert into audit_log (radnik_id, ustanova_id, adresa, klasa, akcija, red_id, opis)
         select $1, $2, $3, 'recomputation', $4, r.id::text, 'verzija ' || v.broj || case when r.razlog_potpisa is null then '' else ', okončava potpise' end
           from recomputation r join form_version v on v.id = r.form_version_id where r.id = $5",
        actor.radnik_id,
        actor.ustanova_id,
        caller::current().adresa,
        akcija,
        id
    )
    .execute(tx)
    .await?;
    Ok(())
}
