//! The ceiling: nobody gives what she does not hold, and nobody changes the role or the account of somebody who holds more. What a
//! worker holds are her rights, what her roles open of patients, and whether they reach every institution.

use domain::{access, locks};
use platform::error::{Error, Result};
use sqlx::PgConnection;

use crate::{
    auth::Actor,
    reach,
    rights::{Patients, Right, Rights},
};

/// Every change of rights begins here.
pub async fn lock(tx: &mut PgConnection) -> sqlx::Result<()> {
    sqlx::query!("select pg_advisory_xact_lock($1)", locks::RIGHTS).execute(tx).await?;
    Ok(())
}

/// Refuses to touch a role that gives more than the actor holds; a deleted one counts as if it stood.
pub async fn over_role(tx: &mut PgConnection, actor: &Actor, role: i64) -> Result<()> {
    lock(tx).await?;
    let given = given_by(tx, role).await?;
    refuse(tx, actor, &given, "Ova uloga daje više nego što vi imate.").await
}

/// What a role gives, or would give if it stood.
pub async fn given_by(tx: &mut PgConnection, role: i64) -> sqlx::Result<Rights> {
    let given = sqlx::query!(
        r#"
        select r.pacijenti as "pacijenti: Patients", r.sve_ustanove, rights_of_role(r.id) as "prava!" from role r where r.id = $1
        "#,
        role
    )
    .fetch_optional(&mut *tx)
    .await?;
    Ok(given.map(|row| Rights::new(&row.prava, row.pacijenti).reaching(row.sve_ustanove)).unwrap_or_default())
}

/// Refuses to change a role that gives more than the actor holds, or that workers out of her reach have.
pub async fn over_changed_role(tx: &mut PgConnection, actor: &Actor, role: i64) -> Result<()> {
    over_role(tx, actor, role).await?;
    reach::require_holders(tx, actor, role).await
}

/// Refuses to touch the account of somebody out of reach, or who holds more than the actor; the own account is never above oneself.
pub async fn over_worker(tx: &mut PgConnection, actor: &Actor, worker: i64) -> Result<()> {
    lock(tx).await?;
    reach::require_worker(tx, actor, worker).await?;
    if worker == actor.radnik_id {
        return Ok(());
    }
    let held = access::rights_of(tx, worker).await?;
    refuse(tx, actor, &held, "Ovaj radnik ima prava koja vi nemate.").await
}

/// Refuses to give a right that the actor does not hold.
pub async fn over_right(tx: &mut PgConnection, actor: &Actor, right: i64) -> Result<()> {
    lock(tx).await?;
    let number = sqlx::query_scalar!("select numericka_vrednost from application_right where id = $1", right);
    let number: Vec<i32> = number.fetch_optional(&mut *tx).await?.into_iter().collect();
    refuse(tx, actor, &Rights::new(&number, Patients::Ne), "Ne možete dati pravo koje nemate.").await
}

/// Refuses to let a role open patients, or reach institutions, further than the actor's own roles do.
pub async fn over_opening(tx: &mut PgConnection, actor: &Actor, opening: &Rights) -> Result<()> {
    lock(tx).await?;
    refuse(tx, actor, opening, "Ne možete dati pravo koje nemate.").await
}

/// What the actor holds is read here and now, not as it stood when the call began.
async fn refuse(tx: &mut PgConnection, actor: &Actor, given: &Rights, what: &str) -> Result<()> {
    let lacked = access::rights_of(tx, actor.radnik_id).await?.lack(given);
    if lacked.is_nothing() {
        return Ok(());
    }
    Err(Error::refused(format!("{what} Nedostaje vam: {}.", names(tx, &lacked).await?)))
}

/// `„Uloge”, „Parametri”`, as the screens call them.
async fn names(db: &mut PgConnection, rights: &Rights) -> sqlx::Result<String> {
    let found = sqlx::query_scalar!(
        "select naziv from application_right where numericka_vrednost = any($1) order by numericka_vrednost",
        &rights.numbers()
    );
    let mut named: Vec<String> = found.fetch_all(db).await?.into_iter().map(|naziv| format!("„{naziv}”")).collect();
    match rights.pacijenti {
        Patients::Ne => {}
        Patients::Uvid => named.push("„Pacijenti: čitanje”".to_owned()),
        Patients::Izmena => named.push("„Pacijenti: izmena”".to_owned()),
    }
    if rights.sve_ustanove {
        named.push("„Administrira radnike svih ustanova”".to_owned());
    }
    Ok(named.join(", "))
}

/// All that workers who may give rights hold between them: what can still be given to anybody.
pub async fn givable(tx: &mut PgConnection) -> Result<Rights> {
    lock(tx).await?;
    let givers = sqlx::query_scalar!(
        r#"
        select distinct w.id
          from worker_role l join worker w on w.id = l.radnik_id
         where holds_any(w.id, array[$1::int])
        "#,
        Right::Roles.number()
    )
    .fetch_all(&mut *tx)
    .await?;
    let mut all = Rights::default();
    for giver in givers {
        all = all.and(&access::rights_of(tx, giver).await?);
    }
    Ok(all)
}

/// Refuses a change after which nobody could give what could be given before it: it would be lost for good. Asked within the change,
/// after it.
pub async fn refuse_last_loss(tx: &mut PgConnection, before: &Rights) -> Result<()> {
    let lost = givable(tx).await?.lack(before).in_order();
    if lost.holds(Right::Roles) {
        return Err(Error::conflict("Ovo je poslednji radnik sa pravom „Uloge”. Prvo ga dajte drugom radniku."));
    }
    if lost.is_nothing() {
        return Ok(());
    }
    let names = names(tx, &lost).await?;
    Err(Error::conflict(format!(
        "Posle ove izmene više niko ne bi mogao da da pravo: {names}. Prvo ga dajte drugom radniku sa pravom „Uloge”."
    )))
}

/// Nobody takes away from oneself the right to give rights: it might be the last one that anybody has. Asked after the change, within it.
pub async fn refuse_own_loss(tx: &mut PgConnection, actor: &Actor) -> Result<()> {
    if !actor.prava.holds(Right::Roles) {
        return Ok(());
    }
    lock(tx).await?;
    if access::rights_of(tx, actor.radnik_id).await?.holds(Right::Roles) {
        Ok(())
    } else {
        Err(Error::conflict("Ne možete sebi oduzeti pravo „Uloge”. To može samo drugi administrator."))
    }
}
