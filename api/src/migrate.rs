//! `api migrate`: the schema, the roles' passwords, and the first administrator of an empty installation.

use accounts::{password_rules, passwords};
use anyhow::{Context, ensure};
use domain::{db, environment, locks, schema};
use sqlx::{AssertSqlSafe, PgPool};

pub async fn run() -> anyhow::Result<()> {
    let owner = db::pool(&db::required("OWNER_DATABASE_URL")?, "regix-migrate", 2).await.context("the database does not answer")?;
    let changed = schema::migrate(&mut *owner.acquire().await?).await?;
    tracing::info!(newest = schema::newest(), changed, "the schema is up to date");
    for (url, role) in [("DATABASE_URL", "regix_app"), ("REPORT_DATABASE_URL", "regix_report")] {
        let (user, password) = db::credentials(&db::required(url)?).with_context(|| format!("{url} is incomplete"))?;
        ensure!(user == role, "{url} must sign in as {role}");
        let_sign_in(&owner, role, &password).await?;
    }
    first_administrator(&owner, &environment::optional("REGIX_ADMIN_USERNAME", ""), &environment::optional("REGIX_ADMIN_PASSWORD", ""))
        .await
}

async fn let_sign_in(owner: &PgPool, role: &str, password: &str) -> anyhow::Result<()> {
    let mut tx = owner.begin().await?;
    sqlx::query!("select pg_advisory_xact_lock($1)", locks::ROLES).execute(&mut *tx).await?;
    let statement =
        sqlx::query_scalar!(r#"select format('alter role %I with login password %L', $1::text, $2::text) as "statement!""#, role, password)
            .fetch_one(&mut *tx)
            .await?;
    sqlx::raw_sql(AssertSqlSafe(statement)).execute(&mut *tx).await.with_context(|| format!("{role} cannot be given its password"))?;
    tx.commit().await?;
    Ok(())
}

/// Without any worker nobody could sign in to make one: so makes the one the environment names, with every right.
pub async fn first_administrator(owner: &PgPool, username: &str, password: &str) -> anyhow::Result<()> {
    let mut tx = db::begin(owner, db::SYSTEM_WORKER).await?;
    let workers = sqlx::query_scalar!(r#"select count(*) as "n!" from worker where aktivan and id <> $1"#, db::SYSTEM_WORKER)
        .fetch_one(&mut *tx)
        .await?;
    if workers > 0 {
        return Ok(());
    }
    if username.is_empty() || password.is_empty() {
        tracing::warn!("there is no worker yet: set REGIX_ADMIN_USERNAME and REGIX_ADMIN_PASSWORD, and migrate again");
        return Ok(());
    }
    ensure!(
        password_rules::require("REGIX_ADMIN_PASSWORD", password, &[username]).is_ok(),
        "REGIX_ADMIN_PASSWORD is easily guessed: it takes ten characters or more that stand in no list of passwords"
    );
    let institution =
        match sqlx::query_scalar!("select id from institution where aktivan order by id limit 1").fetch_optional(&mut *tx).await? {
            Some(known) => known,
            None => sqlx::query_scalar!("insert into institution (naziv) values ('Ustanova') returning id").fetch_one(&mut *tx).await?,
        };
    let role = match sqlx::query_scalar!("select id from role where aktivan and ime = 'Administrator'").fetch_optional(&mut *tx).await? {
        Some(known) => known,
        None => {
            sqlx::query_scalar!("insert into role (ime, opis, sve_ustanove) values ('Administrator', 'Sva prava', true) returning id")
                .fetch_one(&mut *tx)
                .await?
        }
    };
    // Nobody gives what she does not hold: the first one must hold all of it.
    sqlx::query!("update role set pacijenti = 'izmena' where id = $1", role).execute(&mut *tx).await?;
    sqlx::query!(
        "insert into role_right (uloga_id, aplikativno_pravo_id) select $1, id from application_right on conflict do nothing",
        role
    )
    .execute(&mut *tx)
    .await?;
    let worker = sqlx::query_scalar!(
        "insert into worker (username, password_hash, ime, prezime, ustanova_id, mora_promeniti_lozinku)
         values ($1, $2, 'Administrator', 'sistema', $3, true) returning id",
        username,
        passwords::hash(password.to_owned()).await?,
        institution
    )
    .fetch_one(&mut *tx)
    .await?;
    sqlx::query!("insert into worker_role (radnik_id, uloga_id) values ($1, $2)", worker, role).execute(&mut *tx).await?;
    sqlx::query!("insert into worker_institution (radnik_id, ustanova_id) values ($1, $2)", worker, institution).execute(&mut *tx).await?;
    tx.commit().await?;
    tracing::info!(radnik = worker, "the first administrator is set up");
    Ok(())
}
