//! The api's own calls, answered by its router within this process.

use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use axum::{
    Router,
    body::{Body, Bytes},
    http::{Request, header},
};
use domain::{artifacts::ArtifactStore, config::Config, db, environment};
use futures::StreamExt;
use jiff::Timestamp;
use platform::state::AppState;
use serde_json::{Value, json};
use sqlx::PgPool;
use tower::ServiceExt;

use crate::{
    chance::throw,
    layout::{Form, Kind},
    store::Store,
};

/// The API as a doctor of one institution calls it.
#[derive(Clone)]
pub struct Caller {
    router: Router,
    token: String,
    doctor: i64,
}

/// What came back of a call whose body was read and thrown away.
pub struct Received {
    pub bytes: usize,
    pub first: Duration,
    pub whole: Duration,
}

impl Caller {
    pub async fn new(store: &Store, institution: usize) -> anyhow::Result<Self> {
        let state = AppState::connect(Config {
            database_url: store.app_url.clone(),
            report_database_url: store.report_url.clone(),
            redis_url: environment::required("TEST_REDIS_URL")?,
            artifacts: ArtifactStore::folder(std::env::temp_dir()),
            template_dir: concat!(env!("CARGO_MANIFEST_DIR"), "/../templates").into(),
            public_url: "http://127.0.0.1".to_owned(),
        })
        .await?;
        let doctor = store.layout.doctors[institution];
        let mut tx = db::begin(&store.owner, db::SYSTEM_WORKER).await?;
        let token = accounts::auth::open_session(&mut tx, doctor, Timestamp::now(), &Default::default()).await?;
        tx.commit().await?;
        Ok(Self { router: api::app(state), token, doctor })
    }

    async fn send(&self, method: &str, path: &str, body: Option<&Value>) -> anyhow::Result<axum::response::Response> {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::AUTHORIZATION, format!("Regix {}", self.token))
            .header(header::CONTENT_TYPE, "application/json")
            .body(body.map_or_else(Body::empty, |body| Body::from(body.to_string())))?;
        Ok(self.router.clone().oneshot(request).await?)
    }

    pub async fn json(&self, method: &str, path: &str, body: Option<&Value>) -> anyhow::Result<Value> {
        let response = self.send(method, path, body).await?;
        let status = response.status();
        let bytes = axum::body::to_bytes(response.into_body(), usize::MAX).await?;
        ensure!(status.is_success(), "{method} {path}: {status} {}", String::from_utf8_lossy(&bytes));
        serde_json::from_slice(&bytes).context("an answer in JSON")
    }

    /// Reads the answer as a client would that keeps nothing of it.
    pub async fn receive(&self, path: &str, body: &Value) -> anyhow::Result<Received> {
        let started = Instant::now();
        let response = self.send("POST", path, Some(body)).await?;
        ensure!(response.status().is_success(), "{path}: {}", response.status());
        let mut stream = response.into_body().into_data_stream();
        let (mut bytes, mut first, mut tail) = (0, None, Bytes::new());
        while let Some(piece) = stream.next().await {
            tail = piece?;
            first.get_or_insert_with(|| started.elapsed());
            bytes += tail.len();
        }
        ensure!(tail.ends_with(b"}"), "the answer ends in its middle");
        Ok(Received { bytes, first: first.context("an empty answer")?, whole: started.elapsed() })
    }

    pub async fn display(&self, entry: i64) -> anyhow::Result<Value> {
        self.json("GET", &format!("/api/entry-display?haID={entry}"), None).await
    }

    /// A new entry of the form with every field filled.
    pub async fn create(&self, form: &Form, patient: i64, chance: u64) -> anyhow::Result<Value> {
        let values: Value =
            form.fields.iter().map(|field| (field.id.to_string(), value(field, chance))).collect::<serde_json::Map<_, _>>().into();
        self.save(json!({ "tsaID": form.id, "registarID": form.register, "pacijentID": patient, "vrednosti": values, "osnova": {} })).await
    }

    /// Loads an entry as the screen does and saves it with the first fields of the form changed.
    pub async fn edit(&self, form: &Form, entry: i64, patient: i64, changed: usize, chance: u64) -> anyhow::Result<Value> {
        let shown = self.display(entry).await?;
        self.edit_shown(form, &shown, entry, patient, changed, chance).await
    }

    pub async fn edit_shown(
        &self,
        form: &Form,
        shown: &Value,
        entry: i64,
        patient: i64,
        changed: usize,
        chance: u64,
    ) -> anyhow::Result<Value> {
        let mut values = shown["vrednosti"].clone();
        for field in form.fields.iter().filter(|field| !matches!(field.kind, Kind::Choice(_))).take(changed) {
            values[field.id.to_string()] = value(field, chance);
        }
        self.save(json!({
            "unosID": entry, "tsaID": form.id, "registarID": form.register, "pacijentID": patient, "vrednosti": values,
            "osnova": shown["vrednosti"], "verzija": shown["tsa"]["verzija"],
        }))
        .await
    }

    async fn save(&self, mut request: Value) -> anyhow::Result<Value> {
        // Long ago, so that no run moves patients to the front for the next one.
        request["datumUnosa"] = json!("2012-05-07");
        request["radnikOdgovoran"] = json!(self.doctor);
        self.json("POST", "/api/entry-values", Some(&request)).await
    }
}

/// A value that fits the field and differs from chance to chance.
fn value(field: &crate::layout::Field, chance: u64) -> Value {
    let throw = throw(60, chance << 16 | field.id as u64);
    match field.kind {
        Kind::Choice(_) => json!(throw.is_multiple_of(2)),
        Kind::Number { .. } | Kind::Split(_) => json!((throw % 9_000) as f64 / 100.0),
        Kind::Text => json!(format!("Nalaz {} uredan, kontrola za {} dana", throw % 1_000, throw % 90)),
        Kind::Set => json!([field.items[(throw % field.items.len() as u64) as usize]]),
        Kind::Date => json!(format!("20{:02}-{:02}-{:02}", throw % 26, throw % 12 + 1, throw % 28 + 1)),
    }
}

/// Patients of the first register whom the institution registered, with an entry of the form that it holds.
pub async fn own_entries(owner: &PgPool, institution: i64, form: i64, most: i64) -> anyhow::Result<Vec<(i64, i64)>> {
    Ok(sqlx::query_as(
        "select e.pacijent_id, e.id from entry e join patient p on p.id = e.pacijent_id and p.aktivan
          where e.tsa_id = $2 and e.ustanova_id = $1 and e.aktivan and e.id % 7 = 3 order by e.datum_unosa, e.id limit $3",
    )
    .bind(institution)
    .bind(form)
    .bind(most)
    .fetch_all(owner)
    .await?)
}
