//! Patients who are likely one person, as the nightly search has found them (`find_patient_pairs`): a list that is worked off, by merging them
//! or by saying that they are two, which is remembered with who said it.

use accounts::{
    audit::{Look, look, told},
    auth::Actor,
    rights::{Allowed, Merging, Patients, Right},
};
use axum::{extract::State, http::StatusCode};
use domain::{db, time};
use jiff::civil::Date;
use platform::{
    error::{Error, Result},
    extract::{Json, Query},
    page::Page,
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use utoipa::{IntoParams, ToSchema};

use super::{access, duplicates::Likeness};

pub fn routes() -> Routes {
    Routes::new().routes(routes!(list)).routes(routes!(judge))
}

/// Most that one list has.
const MOST: i64 = 200;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct PairsQuery {
    /// Those of whom somebody has said that they are two people.
    #[serde(rename = "nijeIsta", default)]
    nije_ista: bool,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct LikelyPair {
    prvi: PairedPatient,
    drugi: PairedPatient,
    razlog: Likeness,
    nadjen: String,
    /// Who has said that they are two, and when.
    rekao: Option<String>,
    receno: Option<String>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PairedPatient {
    #[serde(rename = "pacijentID")]
    pacijent_id: i64,
    ime_prezime: String,
    datum_rodjenja: Date,
    jmbg: String,
    lbo: String,
    ustanova: String,
    unosa: i64,
}

/// Likely pairs of patients whom the worker's institution knows, both of them; of all, where a role reaches every institution.
#[utoipa::path(get, path = "/api/patient-pairs", params(PairsQuery), responses((status = 200, body = Page<LikelyPair>)))]
async fn list(State(state): State<AppState>, actor: Allowed<Merging>, Query(query): Query<PairsQuery>) -> Result<Json<Page<LikelyPair>>> {
    let rows = sqlx::query!(
        r#"
        select q.razlog as "razlog: Likeness", q.nadjen, q.nije_ista_at, w.prezime || ' ' || w.ime as rekao,
               a.id as a_id, a.prezime || ' ' || a.ime as "a_ime!", a.datum_rodjenja as a_rodjen, a.jmbg as a_jmbg, a.lbo as a_lbo, ua.naziv as a_ustanova,
               (select count(*) from entry e where e.pacijent_id = a.id and e.aktivan) as "a_unosa!",
               b.id as b_id, b.prezime || ' ' || b.ime as "b_ime!", b.datum_rodjenja as b_rodjen, b.jmbg as b_jmbg, b.lbo as b_lbo, ub.naziv as b_ustanova,
               (select count(*) from entry e where e.pacijent_id = b.id and e.aktivan) as "b_unosa!"
          from patient_pair q
          join patient a on a.id = q.prvi_id and a.aktivan and a.anonimizovan_at is null
          join patient b on b.id = q.drugi_id and b.aktivan and b.anonimizovan_at is null
          join institution ua on ua.id = a.ustanova_id join institution ub on ub.id = b.ustanova_id
          left join worker w on w.id = q.nije_ista_id
         where (q.nije_ista_at is not null) = $1 and ($2 or knows_patient($3, a.id) and knows_patient($3, b.id))
         order by q.nadjen desc, q.prvi_id, q.drugi_id
         limit $4
        "#,
        query.nije_ista,
        actor.prava.sve_ustanove,
        actor.ustanova_id.unwrap_or_default(),
        MOST
    )
    .fetch_all(&state.db)
    .await?;
    let shown: Vec<i64> = rows.iter().flat_map(|row| [row.a_id, row.b_id]).collect();
    let polja = vec![told("Rezultata", rows.len())];
    let seen = Look { klasa: "patient", akcija: "pregled spiska verovatnih parova", polja, pacijenti: &shown, ..Look::default() };
    look(&state.db, &actor, &seen).await?;
    let data = rows.into_iter().map(|row| LikelyPair {
        prvi: PairedPatient {
            pacijent_id: row.a_id,
            ime_prezime: row.a_ime,
            datum_rodjenja: row.a_rodjen.to_jiff(),
            jmbg: row.a_jmbg,
            lbo: row.a_lbo,
            ustanova: row.a_ustanova,
            unosa: row.a_unosa,
        },
        drugi: PairedPatient {
            pacijent_id: row.b_id,
            ime_prezime: row.b_ime,
            datum_rodjenja: row.b_rodjen.to_jiff(),
            jmbg: row.b_jmbg,
            lbo: row.b_lbo,
            ustanova: row.b_ustanova,
            unosa: row.b_unosa,
        },
        razlog: row.razlog,
        nadjen: time::server_text(row.nadjen.to_jiff()),
        rekao: row.rekao,
        receno: row.nije_ista_at.map(|at| time::server_text(at.to_jiff())),
    });
    Ok(Json(Page::all(data.collect())))
}

/// How many pairs that list has of whom nobody has said that they are two; none for those who merge nobody.
pub async fn count(db: &mut PgConnection, actor: &Actor) -> sqlx::Result<i64> {
    if !actor.prava.holds(Right::Merging) {
        return Ok(0);
    }
    sqlx::query_scalar!(
        r#"select count(*) as "n!"
             from (select from patient_pair q
                     join patient a on a.id = q.prvi_id and a.aktivan and a.anonimizovan_at is null
                     join patient b on b.id = q.drugi_id and b.aktivan and b.anonimizovan_at is null
                    where q.nije_ista_at is null and ($1 or knows_patient($2, a.id) and knows_patient($2, b.id))
                    limit $3) listed"#,
        actor.prava.sve_ustanove,
        actor.ustanova_id.unwrap_or_default(),
        MOST
    )
    .fetch_one(db)
    .await
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PairJudgement {
    #[serde(rename = "prviID")]
    prvi_id: i64,
    #[serde(rename = "drugiID")]
    drugi_id: i64,
    /// They are two people; false takes that back.
    nije_ista: bool,
}

/// Says of a pair that they are two people, or takes it back. A pair whose patients the institution does not know is not there.
#[utoipa::path(post, path = "/api/patient-pairs", request_body = PairJudgement, responses((status = 204)))]
async fn judge(State(state): State<AppState>, actor: Allowed<Merging>, Json(body): Json<PairJudgement>) -> Result<StatusCode> {
    access::require(&actor, Patients::Izmena)?;
    let own = actor.ustanova()?;
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let judged = sqlx::query!(
        "update patient_pair q
            set nije_ista_at = case when $3 then coalesce(q.nije_ista_at, clock_timestamp()) end,
                nije_ista_id = case when $3 then coalesce(q.nije_ista_id, $4) end
          where q.prvi_id = least($1::bigint, $2) and q.drugi_id = greatest($1::bigint, $2)
            and ($5 or knows_patient($6, q.prvi_id) and knows_patient($6, q.drugi_id))",
        body.prvi_id,
        body.drugi_id,
        body.nije_ista,
        actor.radnik_id,
        actor.prava.sve_ustanove,
        own
    );
    if judged.execute(&mut *tx).await?.rows_affected() == 0 {
        return Err(Error::NotFound);
    }
    for id in [body.prvi_id, body.drugi_id] {
        sqlx::query!(
            "insert into audit_log (radnik_id, klasa, akcija, red_id, pacijent_id) values (acting_worker(), 'patient_pair', $2, $1::bigint::text, $1)",
            id,
            if body.nije_ista { "nije ista osoba" } else { "možda ista osoba" }
        )
        .execute(&mut *tx)
        .await?;
    }
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
