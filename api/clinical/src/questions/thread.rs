//! The questions about one entry, each with its thread.

use accounts::{audit::look_at_patient, auth::Actor, rights::Right};
use axum::extract::State;
use jiff::civil::Date;
use platform::{
    error::Result,
    extract::{Json, Path},
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use sqlx::{PgConnection, types::Json as JsonColumn};
use utoipa::ToSchema;

use super::{
    MessageKind, QuestionOrigin, QuestionState,
    held::{AskedEntry, may_answer, may_close},
};

pub fn routes() -> Routes {
    Routes::new().routes(routes!(of_entry))
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct EntryQuestions {
    /// Oldest first; none where the entry is another institution's, whose questions they are.
    upiti: Vec<EntryQuestion>,
    /// Whether the worker may ask.
    pravo_pitanja: bool,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct EntryQuestion {
    id: i64,
    /// None: about the whole entry.
    #[serde(rename = "poljeID")]
    polje_id: Option<i64>,
    polje: Option<String>,
    poreklo: QuestionOrigin,
    stanje: QuestionState,
    postavio: String,
    #[serde(rename = "dodeljenID")]
    dodeljen_id: i64,
    dodeljen: String,
    rok: Option<Date>,
    /// Its day is past, and it is not closed.
    kasni: bool,
    #[schema(value_type = Vec<QuestionMessage>)]
    poruke: JsonColumn<Vec<QuestionMessage>>,
    pravo_odgovora: bool,
    pravo_zatvaranja: bool,
}

#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct QuestionMessage {
    id: i64,
    vrsta: MessageKind,
    tekst: Option<String>,
    stanje: QuestionState,
    radnik: String,
    dodeljen: String,
    rok: Option<Date>,
    vreme: String,
}

/// Questions about an entry, with their threads.
#[utoipa::path(get, path = "/api/entries/{id}/questions", responses((status = 200, body = EntryQuestions)))]
async fn of_entry(State(state): State<AppState>, actor: Actor, Path(id): Path<i64>) -> Result<Json<EntryQuestions>> {
    let mut db = state.db.acquire().await?;
    let entry = AskedEntry::of(&mut db, &actor, id).await?;
    look_at_patient(&mut db, &actor, entry.pacijent_id).await?;
    if !entry.is_own(&actor) {
        return Ok(Json(EntryQuestions { upiti: Vec::new(), pravo_pitanja: false }));
    }
    let pravo_pitanja = actor.prava.holds_any(&[Right::Questions, Right::Monitoring]);
    Ok(Json(EntryQuestions { upiti: threads(&mut db, &actor, id).await?, pravo_pitanja }))
}

async fn threads(db: &mut PgConnection, actor: &Actor, entry: i64) -> sqlx::Result<Vec<EntryQuestion>> {
    let rows = sqlx::query!(
        r#"select q.id, q.polje_id, f.naziv as "polje?", q.poreklo as "poreklo: QuestionOrigin", q.stanje as "stanje: QuestionState",
                  q.radnik_id, a.prezime || ' ' || a.ime as "postavio!", q.dodeljen_id, d.prezime || ' ' || d.ime as "dodeljen!", q.rok,
                  q.stanje <> 'zatvoren' and coalesce(q.rok < today(), false) as "kasni!",
                  (select jsonb_agg(jsonb_build_object('id', m.id, 'vrsta', m.vrsta, 'tekst', m.tekst, 'stanje', m.stanje,
                              'radnik', w.prezime || ' ' || w.ime, 'dodeljen', g.prezime || ' ' || g.ime, 'rok', m.rok,
                              'vreme', to_char(m.vreme at time zone 'Europe/Belgrade', 'YYYY-MM-DD"T"HH24:MI:SS')) order by m.id)
                     from question_message m join worker w on w.id = m.radnik_id join worker g on g.id = m.dodeljen_id
                    where m.upit_id = q.id) as "poruke!: JsonColumn<Vec<QuestionMessage>>"
             from question q join worker a on a.id = q.radnik_id join worker d on d.id = q.dodeljen_id left join form_field f on f.id = q.polje_id
            where q.unos_id = $1 order by q.id"#,
        entry
    )
    .fetch_all(db)
    .await?;
    let question = rows.into_iter().map(|row| EntryQuestion {
        id: row.id,
        polje_id: row.polje_id,
        polje: row.polje,
        poreklo: row.poreklo,
        stanje: row.stanje,
        postavio: row.postavio,
        dodeljen_id: row.dodeljen_id,
        dodeljen: row.dodeljen,
        rok: row.rok.map(jiff_sqlx::Date::to_jiff),
        kasni: row.kasni,
        poruke: row.poruke,
        pravo_odgovora: may_answer(actor, row.radnik_id, row.dodeljen_id),
        pravo_zatvaranja: may_close(actor, row.radnik_id),
    });
    Ok(question.collect())
}
