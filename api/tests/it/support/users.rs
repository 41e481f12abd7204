//! Who calls: nobody, or a worker with a session. Types say what the worker may do.

use std::ops::Deref;

use accounts::{auth, passwords, rights::Right, sessions::Device};
use axum::{
    Router,
    body::Body,
    http::{Request, header},
};
use domain::db;
use serde_json::Value;
use tower::ServiceExt;

use super::{Answer, TestApp};

/// A caller. Without a token it is anonymous.
pub struct Anonymous {
    router: Router,
    token: Option<String>,
    address: Option<String>,
}

impl Anonymous {
    pub fn new(router: Router) -> Self {
        Self { router, token: None, address: None }
    }

    /// The same caller from another address.
    pub fn at_address(mut self, address: &str) -> Self {
        self.address = Some(address.to_owned());
        self
    }

    /// The same caller with a session.
    pub fn with_token(mut self, token: impl Into<String>) -> Self {
        self.token = Some(token.into());
        self
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.call("GET", path, None).await
    }

    pub async fn post(&self, path: &str, body: Value) -> Answer {
        self.call("POST", path, Some(body)).await
    }

    /// Sends a file as it is.
    pub async fn upload(&self, path: &str, body: impl Into<Body>) -> Answer {
        let mut request = Request::builder().method("POST").uri(path).header(header::CONTENT_TYPE, "application/octet-stream");
        if let Some(token) = &self.token {
            request = request.header(header::AUTHORIZATION, format!("Regix {token}"));
        }
        let request = request.body(body.into()).expect("a well-formed request");
        Answer::read(self.router.clone().oneshot(request).await.expect("the router answers")).await
    }

    pub async fn put(&self, path: &str, body: Value) -> Answer {
        self.call("PUT", path, Some(body)).await
    }

    pub async fn patch(&self, path: &str, body: Value) -> Answer {
        self.call("PATCH", path, Some(body)).await
    }

    pub async fn delete(&self, path: &str) -> Answer {
        self.call("DELETE", path, None).await
    }

    pub async fn call(&self, method: &str, path: &str, body: Option<Value>) -> Answer {
        let mut request = Request::builder().method(method).uri(path);
        if let Some(token) = &self.token {
            request = request.header(header::AUTHORIZATION, format!("Regix {token}"));
        }
        if let Some(address) = &self.address {
            request = request.header("x-forwarded-for", address);
        }
        let request = match body {
            Some(body) => request.header(header::CONTENT_TYPE, "application/json").body(Body::from(body.to_string())),
            None => request.body(Body::empty()),
        };
        let request = request.expect("a well-formed request");
        Answer::read(self.router.clone().oneshot(request).await.expect("the router answers")).await
    }
}

/// A worker with a session.
pub struct Worker {
    pub id: i64,
    pub token: String,
    caller: Anonymous,
}

impl Deref for Worker {
    type Target = Anonymous;

    fn deref(&self) -> &Anonymous {
        &self.caller
    }
}

macro_rules! workers {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        pub struct $name(pub Worker);
        impl Deref for $name {
            type Target = Worker;
            fn deref(&self) -> &Worker {
                &self.0
            }
        }
    )*};
}

workers! {
    /// Holds every right.
    Admin
    /// Holds the reports right, no other.
    Lekar
    /// Has a role that opens nothing.
    Sestra
}

impl TestApp {
    pub async fn admin(&self) -> Admin {
        Admin(self.worker("admin", &Right::ALL, self.ustanova).await)
    }

    pub async fn lekar(&self) -> Lekar {
        Lekar(self.worker("lekar", &[Right::Reports], self.ustanova).await)
    }

    pub async fn sestra(&self) -> Sestra {
        Sestra(self.worker("sestra", &[], self.ustanova).await)
    }

    /// The same worker, signed in once more.
    pub async fn another_session(&self, worker: &Worker) -> Anonymous {
        let mut db = self.db.owner.acquire().await.expect("a connection");
        let token = auth::open_session(&mut db, worker.id, self.state.clock.now(), &Device::default()).await.expect("a session");
        self.anonymous().with_token(token)
    }

    /// Makes the worker a member of one more institution.
    pub async fn join(&self, worker: &Worker, ustanova: i64) {
        let mut tx = db::begin(&self.db.owner, db::SYSTEM_WORKER).await.expect("a transaction");
        sqlx::query("insert into worker_institution (radnik_id, ustanova_id) values ($1, $2)")
            .bind(worker.id)
            .bind(ustanova)
            .execute(&mut *tx)
            .await
            .expect("the membership");
        tx.commit().await.expect("committed");
    }

    /// Gives the worker a password to sign in with.
    pub async fn set_password(&self, worker: &Worker, password: &str) {
        let hash = passwords::hash(password.to_owned()).await.expect("a hash");
        let mut tx = db::begin(&self.db.owner, db::SYSTEM_WORKER).await.expect("a transaction");
        sqlx::query("update worker set password_hash = $2 where id = $1")
            .bind(worker.id)
            .bind(hash)
            .execute(&mut *tx)
            .await
            .expect("the password");
        tx.commit().await.expect("committed");
    }

    /// A worker of this institution with a role that gives these rights, signed in. The password is not set: sign-in has
    /// tests of its own.
    pub async fn worker(&self, username: &str, prava: &[Right], ustanova: i64) -> Worker {
        let mut tx = db::begin(&self.db.owner, db::SYSTEM_WORKER).await.expect("a transaction");
        let id: i64 = sqlx::query_scalar(
            "insert into worker (username, ime, prezime, ustanova_id) values ($1, initcap($1), 'Test', $2) returning id",
        )
        .bind(username)
        .bind(ustanova)
        .fetch_one(&mut *tx)
        .await
        .expect("a worker");
        let statements = [
            "insert into role (ime, moze_biti_odgovoran, pacijenti, sve_ustanove) select 'Uloga radnika ' || username, true, 'izmena', $3 from worker where id = $1 and $2 is not null",
            "insert into role_right select r.id, a.id from application_right a, worker w
               join role r on r.ime = 'Uloga radnika ' || w.username where w.id = $1 and a.numericka_vrednost = any ($2) and $3 is not null",
            "insert into worker_role select w.id, r.id from worker w join role r on r.ime = 'Uloga radnika ' || w.username
              where w.id = $1 and $2 is not null and $3 is not null",
            "insert into worker_institution select id, ustanova_id from worker where id = $1 and $2 is not null and $3 is not null",
        ];
        let numbers: Vec<i32> = prava.iter().map(|right| right.number()).collect();
        // Who holds every right administers every institution.
        let everywhere = Right::ALL.iter().all(|right| prava.contains(right));
        for statement in statements {
            sqlx::query(statement).bind(id).bind(&numbers).bind(everywhere).execute(&mut *tx).await.expect("the worker's role");
        }
        let token = auth::open_session(&mut tx, id, self.state.clock.now(), &Device::default()).await.expect("a session");
        // What is dangerous asks for the password: tests of that take this back.
        sqlx::query("update session set potvrdjeno_at = 'infinity' where radnik_id = $1")
            .bind(id)
            .execute(&mut *tx)
            .await
            .expect("confirmed");
        tx.commit().await.expect("committed");
        let caller = self.anonymous().with_token(token.clone());
        Worker { id, token, caller }
    }
}
