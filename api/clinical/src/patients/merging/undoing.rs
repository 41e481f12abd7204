//! The merges of a patient, and their undoing: what was moved goes back, and whose the rows since then are is asked.

use accounts::{
    audit::look_at_patient,
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
use serde_json::{Value, json};
use sqlx::PgConnection;
use utoipa::ToSchema;

use super::super::access::{self, PatientAccess};

pub fn routes() -> Routes {
    Routes::new().routes(routes!(list)).routes(routes!(unmerge))
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PatientMerge {
    id: i64,
    /// The record that went, by the name, birth date and JMBG that it had.
    #[serde(rename = "gubitnikID")]
    gubitnik_id: i64,
    gubitnik: String,
    datum_rodjenja: String,
    jmbg: Option<String>,
    razlog: String,
    radnik: String,
    vreme: String,
    premesteno: i64,
    razdvojio: Option<String>,
    razdvojeno: Option<String>,
    /// Whether this worker may undo it now.
    moze: bool,
    /// Rows that came since: whose each is must be said when it is undone.
    noviji: Vec<NewerRow>,
}

#[derive(Serialize, ToSchema)]
struct NewerRow {
    tabela: String,
    #[schema(value_type = Object)]
    kljuc: Value,
    opis: Option<String>,
    vreme: String,
}

/// Merges into the patient, the newest first.
#[utoipa::path(get, path = "/api/patients/{id}/merges", params(("id" = i64, Path)), responses((status = 200, body = Page<PatientMerge>)))]
async fn list(State(state): State<AppState>, actor: Actor, Path(id): Path<i64>) -> Result<Json<Page<PatientMerge>>> {
    let mut db = state.db.acquire().await?;
    PatientAccess::to(&mut db, &actor, id).await?;
    look_at_patient(&mut db, &actor, id).await?;
    let rows = sqlx::query!(
        r#"
        select m.id, m.gubitnik_id, concat_ws(' ', m.gubitnik_pre ->> 'prezime', m.gubitnik_pre ->> 'ime') as "gubitnik!",
               m.gubitnik_pre ->> 'datum_rodjenja' as "rodjen!", m.gubitnik_pre ->> 'jmbg' as jmbg, m.razlog,
               w.prezime || ' ' || w.ime as "radnik!", m.vreme, o.prezime || ' ' || o.ime as razdvojio, m.razdvojeno_at,
               (select count(*) from patient_merge_row r where r.spajanje_id = m.id and r.sa <> r.na) as "premesteno!",
               m.razdvojeno_at is null and p.anonimizovan_at is null
                   and not exists (select from patient_merge n where n.pobednik_id = m.pobednik_id and n.id > m.id and n.razdvojeno_at is null)
                   as "open!",
               ($2 = p.ustanova_id or $2 = g.ustanova_id or $3) as "kept!"
          from patient_merge m join patient p on p.id = m.pobednik_id join patient g on g.id = m.gubitnik_id
          join worker w on w.id = m.radnik_id left join worker o on o.id = m.razdvojio_id
         where m.pobednik_id = $1 order by m.id desc
        "#,
        id,
        actor.ustanova_id.unwrap_or_default(),
        actor.prava.sve_ustanove
    )
    .fetch_all(&mut *db)
    .await?;
    let mut data = Vec::with_capacity(rows.len());
    for row in rows {
        let may = row.open && row.kept && actor.prava.holds(accounts::rights::Right::Merging) && actor.prava.pacijenti == Patients::Izmena;
        data.push(PatientMerge {
            noviji: if may { newer(&mut db, row.id).await? } else { Vec::new() },
            id: row.id,
            gubitnik_id: row.gubitnik_id,
            gubitnik: row.gubitnik,
            datum_rodjenja: row.rodjen,
            jmbg: row.jmbg,
            razlog: row.razlog,
            radnik: row.radnik,
            vreme: time::server_text(row.vreme.to_jiff()),
            premesteno: row.premesteno,
            razdvojio: row.razdvojio,
            razdvojeno: row.razdvojeno_at.map(|at| time::server_text(at.to_jiff())),
            moze: may,
        });
    }
    Ok(Json(Page::all(data)))
}

async fn newer(db: &mut PgConnection, merge: i64) -> sqlx::Result<Vec<NewerRow>> {
    let rows = sqlx::query!(
        r#"select tabela as "tabela!", kljuc as "kljuc!", opis, vreme as "vreme!" from rows_since_merge($1) order by vreme, tabela"#,
        merge
    );
    let rows = rows.fetch_all(db).await?.into_iter().map(|row| NewerRow {
        tabela: row.tabela,
        kljuc: row.kljuc,
        opis: row.opis,
        vreme: time::server_text(row.vreme.to_jiff()),
    });
    Ok(rows.collect())
}

#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
struct UnmergeRequest {
    /// Each row since the merge, with whose it is.
    noviji: Vec<RowOwner>,
}

#[derive(Debug, Deserialize, Serialize, ToSchema)]
struct RowOwner {
    tabela: String,
    #[schema(value_type = Object)]
    kljuc: Value,
    /// It belongs to the record that comes back; otherwise to the one that was left.
    prelazi: bool,
}

/// Undoes a merge. Either of the two keepers may: an error about who somebody is does not wait.
#[utoipa::path(post, path = "/api/patient-merges/{id}/unmerge", params(("id" = i64, Path)), request_body = UnmergeRequest,
    responses((status = 204)))]
async fn unmerge(
    State(state): State<AppState>,
    actor: Allowed<Merging>,
    Path(id): Path<i64>,
    Json(body): Json<UnmergeRequest>,
) -> Result<StatusCode> {
    access::require(&actor, Patients::Izmena)?;
    let own = actor.ustanova()?;
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let found = sqlx::query!(
        "select m.pobednik_id, m.gubitnik_id from patient_merge m join patient p on p.id = m.pobednik_id join patient g on g.id = m.gubitnik_id
          where m.id = $1 and (p.ustanova_id = $2 or g.ustanova_id = $2 or $3)",
        id,
        own,
        actor.prava.sve_ustanove
    );
    let pair = found.fetch_optional(&mut *tx).await?.ok_or(Error::NotFound)?;
    // Nothing newer comes between the question and the undoing.
    sqlx::query!("select lock_patients($1, $2) as locked", pair.pobednik_id, pair.gubitnik_id).fetch_one(&mut *tx).await?;
    let said = |row: &NewerRow| body.noviji.iter().any(|one| one.tabela == row.tabela && one.kljuc == row.kljuc);
    if !newer(&mut tx, id).await?.iter().all(said) {
        return Err(Error::conflict("Od spajanja ima novijih podataka. Za svaki recite kojoj osobi pripada."));
    }
    let over: Vec<Value> =
        body.noviji.iter().filter(|row| row.prelazi).map(|row| json!({ "tabela": row.tabela, "kljuc": row.kljuc })).collect();
    sqlx::query!("select unmerge_patients($1, $2) as undone", id, Value::Array(over)).fetch_one(&mut *tx).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
