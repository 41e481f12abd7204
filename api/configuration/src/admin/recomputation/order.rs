//! An order as a row, written by who publishes or asks for it later, in the transaction of that.

use accounts::auth::Actor;
use domain::caller;
use platform::error::Result;
use sqlx::PgConnection;

/// None: the form is being recomputed already.
pub async fn order(tx: &mut PgConnection, actor: &Actor, form: i64, version: i64) -> Result<Option<i64>> {
    let asked = sqlx::query_scalar!(
        "insert into recomputation (form_id, form_version_id, radnik_id, ustanova_id, ukupno)
         select $1, $2, $3, $4,
                (select count(*) from entry e join patient p on p.id = e.pacijent_id
                  where e.tsa_id = $1 and e.aktivan and p.aktivan and p.anonimizovan_at is null)
             on conflict (form_id) where status in ('queued', 'running') do nothing
         returning id",
        form,
        version,
        actor.radnik_id,
        actor.ustanova_id
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
         select $1, $2, $3, 'recomputation', $4, r.id::text, 'verzija ' || v.broj
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
