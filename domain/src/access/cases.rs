//! People and what they may, for one test in each program: whatever asks, the answer is the same.

use sqlx::{AssertSqlSafe, PgPool};

use super::Right;
use crate::db;

/// A worker of whom something is otherwise than of an ordinary one.
pub struct Case {
    pub who: &'static str,
    /// What is changed, with `:radnik`, `:ustanova`, `:druga`, `:uloga` and `:pravo7` for the ids.
    change: &'static str,
    /// May have reports of the institution made, and open them.
    pub reports: bool,
    /// May read patients of the institution.
    pub patients: bool,
}

const fn case(who: &'static str, change: &'static str, reports: bool, patients: bool) -> Case {
    Case { who, change, reports, patients }
}

pub const CASES: &[Case] = &[
    case("an ordinary worker", "", true, true),
    case(
        "whose home the institution is, without being among its members",
        "delete from worker_institution where radnik_id = :radnik",
        true,
        true,
    ),
    case("a member who is at home elsewhere", "update worker set ustanova_id = :druga where id = :radnik", true, true),
    case(
        "who has left the institution",
        "delete from worker_institution where radnik_id = :radnik; update worker set ustanova_id = :druga where id = :radnik",
        false,
        false,
    ),
    case("of an institution that is gone", "update institution set aktivan = false where id = :ustanova", false, false),
    case("whose account is deleted", "update worker set aktivan = false where id = :radnik", false, false),
    case("whose role is deleted", "update role set aktivan = false where id = :uloga", false, false),
    case("who has no role", "delete from worker_role where radnik_id = :radnik", false, false),
    case(
        "whose role gives the setup of reports",
        "update role_right set aplikativno_pravo_id = :pravo7 where uloga_id = :uloga",
        true,
        true,
    ),
    case("whose role gives another right", "update role_right set aplikativno_pravo_id = :pravo5 where uloga_id = :uloga", false, true),
    case("whose role gives no right", "delete from role_right where uloga_id = :uloga", false, true),
    case("whose role opens patients to read", "update role set pacijenti = 'uvid' where id = :uloga", true, true),
    case("whose role opens no patient", "update role set pacijenti = 'ne' where id = :uloga", true, false),
    case(
        "whose deleted role gave what her role does not",
        "delete from role_right where uloga_id = :uloga; update role set pacijenti = 'ne' where id = :uloga;
         with old as (insert into role (ime, pacijenti, aktivan) values ('Bivša uloga', 'izmena', false) returning id),
              gave as (insert into role_right (uloga_id, aplikativno_pravo_id) select id, :pravo1 from old)
         insert into worker_role (radnik_id, uloga_id) select :radnik, id from old",
        false,
        false,
    ),
];

impl Case {
    /// Makes the worker an ordinary one of the institution, with one role of her own, and then what the case says.
    pub async fn lay_out(&self, owner: &PgPool, worker: i64, institution: i64) -> sqlx::Result<()> {
        let mut tx = db::begin(owner, db::SYSTEM_WORKER).await?;
        let other: i64 = sqlx::query_scalar("insert into institution (naziv) values ('Druga za ' || gen_random_uuid()) returning id")
            .fetch_one(&mut *tx)
            .await?;
        let role: i64 =
            sqlx::query_scalar("insert into role (ime, pacijenti) values ('Uloga ' || gen_random_uuid(), 'izmena') returning id")
                .fetch_one(&mut *tx)
                .await?;
        let ordinary = "update institution set aktivan = true where id = :ustanova;
                        update worker set aktivan = true, ustanova_id = :ustanova where id = :radnik;
                        delete from worker_role where radnik_id = :radnik;
                        delete from worker_institution where radnik_id = :radnik;
                        insert into role_right (uloga_id, aplikativno_pravo_id) values (:uloga, :pravo1);
                        insert into worker_role (radnik_id, uloga_id) values (:radnik, :uloga);
                        insert into worker_institution (radnik_id, ustanova_id) values (:radnik, :ustanova)";
        for text in [ordinary, self.change] {
            let mut text = text.to_owned();
            for (name, id) in [(":radnik", worker), (":ustanova", institution), (":druga", other), (":uloga", role)] {
                text = text.replace(name, &id.to_string());
            }
            for right in Right::ALL.into_iter().rev() {
                let number = right.number();
                let found = format!("(select id from application_right where numericka_vrednost = {number})");
                text = text.replace(&format!(":pravo{number}"), &found);
            }
            sqlx::raw_sql(AssertSqlSafe(text)).execute(&mut *tx).await?;
        }
        tx.commit().await
    }
}
