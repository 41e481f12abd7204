//! Making a patient anonymous on request, for good: what will go and what will stay, and the act. The keeper alone does it, by a right
//! of its own, with the password once more; what goes is decided in the database (`migrations/functions/erasure.sql`).

use accounts::{
    audit::deed_on_patient,
    auth::Actor,
    confirming::dangerous,
    rights::{Allowed, Anonymisation, Patients},
};
use axum::{extract::State, http::StatusCode};
use domain::db;
use platform::{
    error::{Error, Result},
    extract::{Json, Path},
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use utoipa::ToSchema;

use super::{
    access::{self, PatientAccess},
    deleted,
};

/// Characters of a reason.
const SHORTEST_REASON: usize = 10;
const LONGEST_REASON: usize = 500;

pub fn routes() -> Routes {
    Routes::new().routes(routes!(preview, anonymise))
}

/// What will go and what will stay, counted.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct AnonymisationPreview {
    /// What is typed to confirm: `brojKartona`, or `lbo` where the patient has no card.
    potvrda: &'static str,
    /// Why it cannot be done here; none: it can.
    prepreka: Option<String>,
    /// What stays: entries, and their numbers, codes and dates.
    unosa: i64,
    podataka: i64,
    /// What goes: texts of entries, earlier states of the record, earlier texts, drafts.
    tekstova: i64,
    ranijih_stanja: i64,
    ranijih_tekstova: i64,
    nacrta: i64,
    /// Rows of the log that stay without what was typed.
    zapisa_dnevnika: i64,
    /// Files that name the patient and end, and mails that are not sent any more.
    fajlova: i64,
    isporuka: i64,
}

/// The patient as the act asks for it.
struct AnonymisationTarget {
    ustanova_id: i64,
    broj_kartona: Option<String>,
    lbo: String,
    anonymous: bool,
    /// Institutions beside the keeper that hold entries or have taken the patient over.
    others: i64,
}

impl AnonymisationTarget {
    /// Only of a patient whom the worker's institution keeps; one who was deleted is kept as well.
    async fn load(db: &mut PgConnection, actor: &Actor, id: i64) -> Result<Self> {
        access::require(actor, Patients::Izmena)?;
        if deleted::find(&mut *db, actor.ustanova()?, id).await?.is_none() {
            PatientAccess::to(&mut *db, actor, id).await?;
        }
        let kept = sqlx::query_as!(
            Self,
            r#"select ustanova_id, broj_kartona, lbo, anonimizovan_at is not null as "anonymous!",
                      (select count(*) from other_holders($1)) as "others!" from patient where id = $1"#,
            id
        );
        let kept = kept.fetch_one(db).await?;
        if !access::may_anonymise(actor, kept.ustanova_id) {
            return Err(Error::refused("Pacijenta vodi druga ustanova. Samo ona može da ga anonimizuje."));
        }
        if kept.anonymous {
            return Err(Error::conflict("Pacijent je već anonimizovan."));
        }
        Ok(kept)
    }

    fn obstacle(&self, actor: &Actor) -> Option<String> {
        (self.others > 0 && !actor.prava.sve_ustanove).then(|| {
            format!(
                "Podatke o pacijentu imaju i druge ustanove (njih {}). Tada ga anonimizuje samo radnik čija uloga obuhvata sve ustanove.",
                self.others
            )
        })
    }

    /// The number that is typed to confirm, and its name.
    fn number(&self) -> (&'static str, &str) {
        match self.broj_kartona.as_deref().map(str::trim).filter(|number| !number.is_empty()) {
            Some(number) => ("brojKartona", number),
            None => ("lbo", &self.lbo),
        }
    }
}

/// Says beforehand what will go and what will stay.
#[utoipa::path(get, path = "/api/patients/{id}/anonymisation", params(("id" = i64, Path)),
    responses((status = 200, body = AnonymisationPreview), (status = 409, description = "Već je anonimizovan")))]
async fn preview(State(state): State<AppState>, actor: Allowed<Anonymisation>, Path(id): Path<i64>) -> Result<Json<AnonymisationPreview>> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let kept = AnonymisationTarget::load(&mut tx, &actor, id).await?;
    let counted = sqlx::query!(
        r#"
        with held as (
            select count(distinct e.id) as unosa, count(k.key) filter (where is_anonymous_value(k.value, '{}')) as podataka,
                   count(k.key) filter (where not is_anonymous_value(k.value, '{}')) as tekstova
              from entry e left join lateral jsonb_each(e.vrednosti) k on true where e.pacijent_id = $1),
        runs as (select id from runs_naming($1) id)
        select held.unosa as "unosa!", held.podataka as "podataka!", held.tekstova as "tekstova!",
               (select count(*) from patient_history where pacijent_id = $1) as "stanja!",
               (select count(*) from value_history h where h.unos_id in (select e.id from entry e where e.pacijent_id = $1)
                   and h.vrednost is not null and not is_anonymous_value(h.vrednost, '{}')) as "ranijih!",
               (select count(*) from entry_draft where pacijent_id = $1) as "nacrta!",
               (select count(*) from log_of_patient($1)) as "zapisa!",
               (select count(*) from report_artifact a where a.run_id in (select id from runs))
                   + (select count(*) from entry_file f where f.pacijent_id = $1 and not f.uklanja_se) as "fajlova!",
               (select count(*) from report_delivery d where d.run_id in (select id from runs) and d.status in ('pending', 'sending', 'uncertain'))
                   as "isporuka!"
          from held
        "#,
        id
    )
    .fetch_one(&mut *tx)
    .await?;
    deed_on_patient(&mut tx, &actor, "patient", "pregled pre anonimizacije", id, id).await?;
    tx.commit().await?;
    Ok(Json(AnonymisationPreview {
        potvrda: kept.number().0,
        prepreka: kept.obstacle(&actor),
        unosa: counted.unosa,
        podataka: counted.podataka,
        tekstova: counted.tekstova,
        ranijih_stanja: counted.stanja,
        ranijih_tekstova: counted.ranijih,
        nacrta: counted.nacrta,
        zapisa_dnevnika: counted.zapisa,
        fajlova: counted.fajlova,
        isporuka: counted.isporuka,
    }))
}

#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
struct AnonymisationRequest {
    /// Why, at least ten characters; it says nothing of who the patient is.
    razlog: String,
    /// The number that the preview asks for.
    potvrda: String,
}

/// Makes the patient anonymous. Nothing brings the person back.
#[utoipa::path(post, path = "/api/patients/{id}/anonymisation", params(("id" = i64, Path)), request_body = AnonymisationRequest,
    responses((status = 204), (status = 409, description = "Već je anonimizovan, ili ga imaju i druge ustanove"),
              (status = 428, description = "Traži se lozinka")))]
async fn anonymise(
    State(state): State<AppState>,
    actor: Allowed<Anonymisation>,
    Path(id): Path<i64>,
    Json(body): Json<AnonymisationRequest>,
) -> Result<StatusCode> {
    let razlog = body.razlog.trim();
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let kept = AnonymisationTarget::load(&mut tx, &actor, id).await?;
    if !(SHORTEST_REASON..=LONGEST_REASON).contains(&razlog.chars().count()) {
        return Err(Error::invalid("razlog", "Razlog mora imati od 10 do 500 znakova."));
    }
    if body.potvrda.trim() != kept.number().1 {
        return Err(Error::invalid("potvrda", "Uneti broj nije broj ovog pacijenta."));
    }
    if let Some(obstacle) = kept.obstacle(&actor) {
        return Err(Error::conflict(obstacle));
    }
    dangerous(&mut tx, &actor, "patient", id, "Pacijent se trajno anonimizuje.").await?;
    let files = sqlx::query_scalar!(
        r#"select a.path as "path!" from report_artifact a where a.run_id in (select runs_naming($1))
           union all select f.putanja from entry_file f where f.pacijent_id = $1"#,
        id
    );
    let files = files.fetch_all(&mut *tx).await?;
    sqlx::query!("select anonymise_patient($1, $2, $3) as done", id, razlog, &actor.session.0[..]).fetch_one(&mut *tx).await?;
    tx.commit().await?;
    tracing::info!(pacijent = id, "a patient was made anonymous");
    // Runs that begin from now on are kept as long as any; a failure only makes those of the next minute end early.
    if let Err(error) = sqlx::query!("select erasure_is_over($1) as done", id).fetch_one(&state.db).await {
        tracing::warn!(%error, "the end of an erasure could not be written");
    }
    remove(&state, &files).await;
    Ok(StatusCode::NO_CONTENT)
}

/// The files whose runs have just ended. What cannot be removed now is removed by the scheduler, as every file that has expired.
async fn remove(state: &AppState, files: &[String]) {
    for file in files {
        if let Err(error) = state.config.artifacts.remove(file).await {
            tracing::warn!(cause = %error, "a file of an anonymous patient is left to the scheduler");
        }
    }
}
