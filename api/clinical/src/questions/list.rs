//! Lists of questions: those that wait for the worker, those that she asked, all of the institution; and how many there are.

use accounts::{
    audit::{Look, look, told},
    auth::Actor,
};
use axum::extract::State;
use jiff::civil::Date;
use platform::{
    error::Result,
    extract::{Json, Query},
    page::{PAGE_ROWS, last_of_full},
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use utoipa::{IntoParams, ToSchema};

use super::{QuestionOrigin, QuestionState};

pub fn routes() -> Routes {
    Routes::new().routes(routes!(list)).routes(routes!(counts))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = QuestionList)]
enum QuestionList {
    /// The worker's turn: hers to answer, or answered to her.
    Cekaju,
    /// Asked by the worker.
    Postavljeni,
    /// Of the institution.
    Ustanova,
}

impl QuestionList {
    fn name(self) -> &'static str {
        match self {
            Self::Cekaju => "cekaju",
            Self::Postavljeni => "postavljeni",
            Self::Ustanova => "ustanova",
        }
    }
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
struct ListQuery {
    #[param(inline)]
    spisak: QuestionList,
    /// None: all that are not closed.
    #[param(inline)]
    stanje: Option<QuestionState>,
    #[serde(rename = "registarID")]
    registar_id: Option<i64>,
    #[serde(rename = "tsaID")]
    tsa_id: Option<i64>,
    #[serde(rename = "poljeID")]
    polje_id: Option<i64>,
    /// To whom they are given.
    #[serde(rename = "radnikID")]
    radnik_id: Option<i64>,
    #[serde(rename = "pacijentID")]
    pacijent_id: Option<i64>,
    /// Only those whose day is past.
    #[serde(default)]
    kasni: bool,
    /// The last question of the page before this one.
    #[serde(rename = "posleID")]
    posle_id: Option<i64>,
}

#[derive(Serialize, ToSchema)]
struct QuestionPage {
    /// Newest first.
    data: Vec<ListedQuestion>,
    /// After which question the next page begins; none: this is the last one.
    #[serde(rename = "sledeciID")]
    sledeci_id: Option<i64>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ListedQuestion {
    id: i64,
    #[serde(rename = "unosID")]
    unos_id: i64,
    #[serde(rename = "pacijentID")]
    pacijent_id: i64,
    ime_prezime: String,
    registar: String,
    formular: String,
    datum_unosa: Date,
    polje: Option<String>,
    /// The first message.
    pitanje: String,
    poreklo: QuestionOrigin,
    stanje: QuestionState,
    postavio: String,
    dodeljen: String,
    rok: Option<Date>,
    kasni: bool,
}

/// Questions of the worker's institution.
#[utoipa::path(get, path = "/api/questions", params(ListQuery), responses((status = 200, body = QuestionPage)))]
async fn list(State(state): State<AppState>, actor: Actor, Query(query): Query<ListQuery>) -> Result<Json<QuestionPage>> {
    let mut db = state.db.acquire().await?;
    let data = rows(&mut db, &actor, &query).await?;
    let shown: Vec<i64> = data.iter().map(|question| question.pacijent_id).collect();
    let polja = vec![told("Spisak", query.spisak.name()), told("Rezultata", shown.len())];
    look(&mut *db, &actor, &Look { klasa: "question", akcija: "pregled spiska upita", polja, pacijenti: &shown, ..Look::default() })
        .await?;
    let sledeci_id = last_of_full(&data).map(|last| last.id);
    Ok(Json(QuestionPage { data, sledeci_id }))
}

async fn rows(db: &mut PgConnection, actor: &Actor, query: &ListQuery) -> sqlx::Result<Vec<ListedQuestion>> {
    let rows = sqlx::query!(
        r#"select q.id, q.unos_id, q.pacijent_id, p.prezime || ' ' || p.ime as "ime_prezime!", r.naziv as registar, t.naziv as formular, e.datum_unosa,
                  f.naziv as "polje?", m.tekst as "pitanje!", q.poreklo as "poreklo: QuestionOrigin", q.stanje as "stanje: QuestionState",
                  a.prezime || ' ' || a.ime as "postavio!", d.prezime || ' ' || d.ime as "dodeljen!", q.rok,
                  q.stanje <> 'zatvoren' and coalesce(q.rok < today(), false) as "kasni!"
             from question q
             join entry e on e.id = q.unos_id and e.aktivan join patient p on p.id = q.pacijent_id and p.aktivan
             join register r on r.id = e.registar_id join form t on t.id = e.tsa_id left join form_field f on f.id = q.polje_id
             join worker a on a.id = q.radnik_id join worker d on d.id = q.dodeljen_id
             join lateral (select s.tekst from question_message s where s.upit_id = q.id order by s.id limit 1) m on true
            where q.ustanova_id = $1
              and case $3::text when 'cekaju' then waits_for(q, $2) when 'postavljeni' then q.radnik_id = $2 else true end
              and case when $4::text is null then q.stanje <> 'zatvoren' else q.stanje = $4 end
              and ($5::bigint is null or e.registar_id = $5) and ($6::bigint is null or e.tsa_id = $6)
              and ($7::bigint is null or q.polje_id = $7) and ($8::bigint is null or q.dodeljen_id = $8)
              and (not $9 or q.stanje <> 'zatvoren' and q.rok < today())
              and ($10::bigint is null or q.pacijent_id = $10) and ($11::bigint is null or q.id < $11)
            order by q.id desc limit $12"#,
        actor.ustanova_id,
        actor.radnik_id,
        query.spisak.name(),
        query.stanje as Option<QuestionState>,
        query.registar_id,
        query.tsa_id,
        query.polje_id,
        query.radnik_id,
        query.kasni,
        query.pacijent_id,
        query.posle_id,
        i64::from(PAGE_ROWS)
    )
    .fetch_all(db)
    .await?;
    let question = rows.into_iter().map(|row| ListedQuestion {
        id: row.id,
        unos_id: row.unos_id,
        pacijent_id: row.pacijent_id,
        ime_prezime: row.ime_prezime,
        registar: row.registar,
        formular: row.formular,
        datum_unosa: row.datum_unosa.to_jiff(),
        polje: row.polje,
        pitanje: row.pitanje,
        poreklo: row.poreklo,
        stanje: row.stanje,
        postavio: row.postavio,
        dodeljen: row.dodeljen,
        rok: row.rok.map(jiff_sqlx::Date::to_jiff),
        kasni: row.kasni,
    });
    Ok(question.collect())
}

/// How many questions each list has, none of them closed.
#[derive(Default, Serialize, ToSchema)]
struct QuestionCounts {
    cekaju: i64,
    postavljeni: i64,
    ustanova: i64,
    /// Of the institution, past their day.
    kasni: i64,
}

#[utoipa::path(get, path = "/api/question-counts", responses((status = 200, body = QuestionCounts)))]
async fn counts(State(state): State<AppState>, actor: Actor) -> Result<Json<QuestionCounts>> {
    let counted = sqlx::query_as!(
        QuestionCounts,
        r#"select count(*) filter (where waits_for(q.upit, $2)) as "cekaju!", count(*) filter (where q.radnik_id = $2) as "postavljeni!",
                  count(*) as "ustanova!", count(*) filter (where q.rok < today()) as "kasni!"
             from open_question q where q.ustanova_id = $1"#,
        actor.ustanova_id,
        actor.radnik_id
    );
    Ok(Json(counted.fetch_one(&state.db).await?))
}
