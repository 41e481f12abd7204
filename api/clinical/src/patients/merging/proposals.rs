//! Merges that the keeper of one record proposes to the keeper of the other: listed for both, accepted, declined with a reason, withdrawn.

use accounts::{
    audit::{Look, look, told},
    auth::Actor,
    rights::{Allowed, Merging, Patients},
};
use axum::{extract::State, http::StatusCode};
use domain::{db, time};
use platform::{
    error::{Error, Result},
    extract::{Json, Path},
    page::Page,
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use utoipa::ToSchema;

use super::{
    super::{
        access,
        agreement::{AgreementStatus, Declining, MERGES, Party},
    },
    MergeAnswer, RecordPair, column, make_one, require_no_obstacle,
};

pub fn routes() -> Routes {
    Routes::new().routes(routes!(list)).routes(routes!(accept)).routes(routes!(decline)).routes(routes!(withdraw))
}

/// Most that one list has.
const MOST: i64 = 500;

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct MergeProposal {
    id: i64,
    /// Asked of the own institution; otherwise the own institution asks.
    primljen: bool,
    #[serde(rename = "pobednikID")]
    pobednik_id: i64,
    pobednik: String,
    #[serde(rename = "gubitnikID")]
    gubitnik_id: i64,
    gubitnik: String,
    /// The other institution.
    ustanova: String,
    radnik: String,
    razlog: String,
    vreme: String,
    status: AgreementStatus,
    odgovorio: Option<String>,
    odgovoreno: Option<String>,
    razlog_odgovora: Option<String>,
}

#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
struct Consent {
    /// Names of the oddities that a person has confirmed, as a refusal listed them.
    potvrde: Vec<String>,
}

/// Writes a proposal to the keeper of the other record.
pub async fn propose(db: &mut PgConnection, actor: &Actor, two: &RecordPair, other: i64, from_gone: &[String], why: &str) -> Result<i64> {
    two.chosen(from_gone)?;
    let columns: Vec<String> = from_gone.iter().map(|field| column(field)).collect();
    let id = sqlx::query_scalar!(
        "insert into patient_merge_proposal (pobednik_id, gubitnik_id, od_gubitnika, razlog, ustanova_id, za_ustanovu_id)
         values ($1, $2, $3, $4, $5, $6) on conflict do nothing returning id",
        two.left.id,
        two.gone.id,
        &columns,
        why,
        actor.ustanova()?,
        other
    );
    id.fetch_optional(db).await?.ok_or_else(|| Error::conflict("Spajanje ova dva kartona je već predloženo i čeka odgovor."))
}

/// Refuses whoever looks at a pair by a proposal that is not of that pair, or not to the own institution.
pub async fn require_of_pair(db: &mut PgConnection, actor: &Actor, id: i64, left: i64, gone: i64) -> Result<()> {
    let found = sqlx::query_scalar!(
        "select id from patient_merge_proposal
          where id = $1 and pobednik_id = $2 and gubitnik_id = $3 and za_ustanovu_id = $4 and status = 'ceka'",
        id,
        left,
        gone,
        actor.ustanova_id
    );
    found.fetch_optional(db).await?.map(drop).ok_or(Error::NotFound)
}

/// Proposals to the worker's institution and by it, those that wait first.
#[utoipa::path(get, path = "/api/patient-merge-proposals", responses((status = 200, body = Page<MergeProposal>)))]
async fn list(State(state): State<AppState>, actor: Allowed<Merging>) -> Result<Json<Page<MergeProposal>>> {
    let rows = sqlx::query!(
        r#"
        select q.id, q.za_ustanovu_id = $1 as "primljen!", q.pobednik_id, l.prezime || ' ' || l.ime as "pobednik!", q.gubitnik_id,
               g.prezime || ' ' || g.ime as "gubitnik!", u.naziv as ustanova, w.prezime || ' ' || w.ime as "radnik!", q.razlog, q.vreme,
               q.status as "status: AgreementStatus",
               o.prezime || ' ' || o.ime as odgovorio, q.odgovoreno_at, q.razlog_odgovora, count(*) over () as "total!"
          from patient_merge_proposal q
          join patient l on l.id = q.pobednik_id join patient g on g.id = q.gubitnik_id
          join institution u on u.id = case when q.za_ustanovu_id = $1 then q.ustanova_id else q.za_ustanovu_id end
          join worker w on w.id = q.radnik_id left join worker o on o.id = q.odgovorio_id
         where q.za_ustanovu_id = $1 or q.ustanova_id = $1
         order by q.status = 'ceka' desc, q.vreme desc, q.id desc
         limit $2
        "#,
        actor.ustanova_id,
        MOST
    )
    .fetch_all(&state.db)
    .await?;
    let shown: Vec<i64> = rows.iter().flat_map(|row| [row.pobednik_id, row.gubitnik_id]).collect();
    let polja = vec![told("Rezultata", rows.len())];
    let seen = Look { klasa: "patient", akcija: "pregled spiska predloga spajanja", polja, pacijenti: &shown, ..Look::default() };
    look(&state.db, &actor, &seen).await?;
    let total = rows.first().map_or(0, |row| row.total);
    let data = rows.into_iter().map(|row| MergeProposal {
        id: row.id,
        primljen: row.primljen,
        pobednik_id: row.pobednik_id,
        pobednik: row.pobednik,
        gubitnik_id: row.gubitnik_id,
        gubitnik: row.gubitnik,
        ustanova: row.ustanova,
        radnik: row.radnik,
        razlog: row.razlog,
        vreme: time::server_text(row.vreme.to_jiff()),
        status: row.status,
        odgovorio: row.odgovorio,
        odgovoreno: row.odgovoreno_at.map(|at| time::server_text(at.to_jiff())),
        razlog_odgovora: row.razlog_odgovora,
    });
    Ok(Json(Page::of(data.collect(), total)))
}

/// The other keeper agrees: the two are merged as it was proposed.
#[utoipa::path(post, path = "/api/patient-merge-proposals/{id}/accept", params(("id" = i64, Path)), request_body = Consent,
    responses((status = 200, body = MergeAnswer)))]
async fn accept(
    State(state): State<AppState>,
    actor: Allowed<Merging>,
    Path(id): Path<i64>,
    Json(body): Json<Consent>,
) -> Result<Json<MergeAnswer>> {
    access::require(&actor, Patients::Izmena)?;
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    MERGES.lock_waiting(&mut tx, &actor, id, Party::Asked).await?;
    let proposal = sqlx::query!(
        "select pobednik_id, gubitnik_id, od_gubitnika, razlog, ustanova_id, za_ustanovu_id from patient_merge_proposal where id = $1",
        id
    );
    let proposal = proposal.fetch_one(&mut *tx).await?;
    require_no_obstacle(&mut tx, proposal.pobednik_id, proposal.gubitnik_id).await?;
    let two = RecordPair::load(&mut tx, proposal.pobednik_id, proposal.gubitnik_id).await?;
    let mut keepers = [two.left.ustanova_id, two.gone.ustanova_id];
    let mut agreed = [proposal.ustanova_id, proposal.za_ustanovu_id];
    keepers.sort_unstable();
    agreed.sort_unstable();
    if keepers != agreed {
        return Err(Error::conflict("Jednog od pacijenata u međuvremenu vodi druga ustanova. Predlog više ne važi; odbijte ga."));
    }
    let fields = two.fields_of(&proposal.od_gubitnika)?;
    let merge = make_one(&mut tx, &two, &fields, &proposal.razlog, &body.potvrde).await?;
    sqlx::query!(
        "update patient_merge_proposal set status = 'prihvacen', odgovorio_id = $2, odgovoreno_at = clock_timestamp(), spajanje_id = $3
          where id = $1",
        id,
        actor.radnik_id,
        merge
    )
    .execute(&mut *tx)
    .await?;
    tx.commit().await?;
    Ok(Json(MergeAnswer { spajanje_id: Some(merge), predlog_id: Some(id) }))
}

/// The other keeper does not agree, and says why.
#[utoipa::path(post, path = "/api/patient-merge-proposals/{id}/decline", params(("id" = i64, Path)), request_body = Declining,
    responses((status = 204)))]
async fn decline(
    State(state): State<AppState>,
    actor: Allowed<Merging>,
    Path(id): Path<i64>,
    Json(body): Json<Declining>,
) -> Result<StatusCode> {
    MERGES.decline(&state, &actor, id, &body).await
}

/// Whoever proposed takes it back.
#[utoipa::path(post, path = "/api/patient-merge-proposals/{id}/withdraw", params(("id" = i64, Path)), responses((status = 204)))]
async fn withdraw(State(state): State<AppState>, actor: Allowed<Merging>, Path(id): Path<i64>) -> Result<StatusCode> {
    MERGES.withdraw(&state, &actor, id).await
}
