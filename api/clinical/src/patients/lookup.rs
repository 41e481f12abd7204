//! One field over all registers: a name, a JMBG, an LBO or the number of a card finds patients whom the institution knows. What is typed
//! travels in the body: addresses stand in logs.

use accounts::{
    audit::{Look, look, told},
    auth::Actor,
};
use axum::extract::State;
use domain::{fold::fold_name, jmbg};
use jiff::civil::Date;
use platform::{
    error::{Error, Result},
    extract::Json,
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use sqlx::{PgConnection, types};
use utoipa::ToSchema;

/// So many are told; more are told to be there.
const MOST: usize = 50;
const LEAST_LETTERS: usize = 3;
const LONGEST: usize = 100;
const MOST_WORDS: usize = 6;
/// What stands in the log for a whole number of a person.
const MASK: &str = "•••";
const WHOLE_NUMBER: usize = 11;

pub fn routes() -> Routes {
    Routes::new().routes(routes!(lookup))
}

#[derive(Deserialize, ToSchema)]
struct LookupRequest {
    /// Words of a name in any order, the beginning of a JMBG or LBO, or the number of a card.
    tekst: String,
}

#[derive(Serialize, ToSchema)]
struct LookupAnswer {
    pacijenti: Vec<KnownPatient>,
    /// More are found than are told.
    skraceno: bool,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct KnownPatient {
    #[serde(rename = "pacijentID")]
    pacijent_id: i64,
    ime_prezime: String,
    jmbg: String,
    lbo: String,
    broj_kartona: Option<String>,
    datum_rodjenja: Date,
    registri: Vec<RegisterName>,
}

#[derive(Debug, Serialize, Deserialize, ToSchema)]
struct RegisterName {
    id: i64,
    naziv: String,
}

#[utoipa::path(post, path = "/api/patient-lookups", request_body = LookupRequest, responses((status = 200, body = LookupAnswer)))]
async fn lookup(State(state): State<AppState>, actor: Actor, Json(request): Json<LookupRequest>) -> Result<Json<LookupAnswer>> {
    let typed = request.tekst.trim();
    if typed.chars().count() > LONGEST {
        return Err(Error::invalid("tekst", "Tekst pretrage je predugačak."));
    }
    if typed.chars().filter(|letter| letter.is_alphanumeric()).count() < LEAST_LETTERS {
        return Err(Error::invalid("tekst", "Unesite bar tri slova ili cifre."));
    }
    let mut tx = state.db.begin().await?;
    sqlx::query("set local statement_timeout = '5s'").execute(&mut *tx).await?;
    let mut found = find(&mut tx, typed, actor.ustanova_id).await?;
    let skraceno = found.len() > MOST;
    found.truncate(MOST);
    let pacijenti = of(&mut tx, &found).await?;
    let polja = vec![told("Traženo", in_log(typed)), told("Rezultata", found.len())];
    look(&mut *tx, &actor, &Look { klasa: "patient_search", akcija: "pretraga", polja, pacijenti: &found, ..Look::default() }).await?;
    tx.commit().await?;
    Ok(Json(LookupAnswer { pacijenti, skraceno }))
}

fn in_log(typed: &str) -> String {
    if typed.chars().filter(char::is_ascii_digit).count() >= WHOLE_NUMBER { MASK.to_owned() } else { typed.to_owned() }
}

/// Ids of known patients, one more than are told.
async fn find(db: &mut PgConnection, typed: &str, institution: Option<i64>) -> Result<Vec<i64>> {
    let digits = jmbg::plain(typed);
    let most = MOST as i64 + 1;
    if digits.bytes().any(|byte| byte.is_ascii_digit()) {
        return Ok(by_number(db, &digits, typed, institution, most).await?);
    }
    let mut words: Vec<String> = typed.split_whitespace().map(fold_name).collect();
    if words.len() > MOST_WORDS {
        return Err(Error::invalid("tekst", format!("Pretraga sme da ima najviše {MOST_WORDS} reči.")));
    }
    // The longest one drives the index, the others are asked of what it finds.
    words.sort_by_key(|word| std::cmp::Reverse(word.len()));
    let patterns: Vec<String> = words.iter().map(|word| format!("%{}%", word.replace(['%', '_', '\\'], ""))).collect();
    Ok(by_name(db, &patterns, institution, most).await?)
}

async fn by_number(db: &mut PgConnection, digits: &str, card: &str, institution: Option<i64>, most: i64) -> sqlx::Result<Vec<i64>> {
    sqlx::query_scalar!(
        r#"select p.id
             from (select distinct patient_left(n.id) as id
                     from (select id from patient where $1 ~ '^\d+$' and jmbg like $1 || '%'
                           union select id from patient where $1 ~ '^\d+$' and lbo like $1 || '%'
                           union select id from patient where upper(broj_kartona) = upper($2)
                           union select pacijent_id from patient_alias where broj in ($1, $2)) n) found
             join patient p on p.id = found.id and p.aktivan
            where p.ustanova_id = $3 or not (select patients_are_blurred())
               or exists (select from entry e where e.pacijent_id = p.id and e.aktivan and e.ustanova_id = $3)
               or exists (select from patient l where l.spojen_u_id = p.id and l.ustanova_id = $3)
               or exists (select from patient_taking t where t.ustanova_id = $3 and t.pacijent_id = p.id and t.okoncano_at is null)
            limit $4"#,
        digits,
        card,
        institution,
        most
    )
    .fetch_all(db)
    .await
}

async fn by_name(db: &mut PgConnection, patterns: &[String], institution: Option<i64>, most: i64) -> sqlx::Result<Vec<i64>> {
    sqlx::query_scalar!(
        r#"select p.id from patient p
            where p.aktivan and (replace(p.ime_f, 'dj', 'd') like $1 or replace(p.prezime_f, 'dj', 'd') like $1)
              and not exists (select from unnest($2::text[]) w (word)
                               where replace(p.ime_f, 'dj', 'd') not like w.word and replace(p.prezime_f, 'dj', 'd') not like w.word)
              and (p.ustanova_id = $3 or not (select patients_are_blurred())
                or exists (select from entry e where e.pacijent_id = p.id and e.aktivan and e.ustanova_id = $3)
                or exists (select from patient l where l.spojen_u_id = p.id and l.ustanova_id = $3)
                or exists (select from patient_taking t where t.ustanova_id = $3 and t.pacijent_id = p.id and t.okoncano_at is null))
            limit $4"#,
        patterns.first().map(String::as_str),
        patterns,
        institution,
        most
    )
    .fetch_all(db)
    .await
}

async fn of(db: &mut PgConnection, ids: &[i64]) -> sqlx::Result<Vec<KnownPatient>> {
    let rows = sqlx::query!(
        r#"select p.id, p.ime, p.prezime, p.jmbg, p.lbo, p.broj_kartona, p.datum_rodjenja,
                  coalesce((select jsonb_agg(jsonb_build_object('id', r.id, 'naziv', r.naziv) order by r.naziv, r.id)
                              from patient_register pr join register r on r.id = pr.registar_id and r.aktivan
                             where pr.pacijent_id = p.id), '[]') as "registri!: types::Json<Vec<RegisterName>>"
             from patient p where p.id = any ($1) order by p.prezime_f, p.ime_f, p.id"#,
        ids
    )
    .fetch_all(db)
    .await?;
    let patients = rows.into_iter().map(|row| KnownPatient {
        pacijent_id: row.id,
        ime_prezime: format!("{} {}", row.prezime, row.ime),
        jmbg: row.jmbg,
        lbo: row.lbo,
        broj_kartona: row.broj_kartona,
        datum_rodjenja: row.datum_rodjenja.to_jiff(),
        registri: row.registri.0,
    });
    Ok(patients.collect())
}
