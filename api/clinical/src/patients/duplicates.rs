//! Patients whom a registration resembles, shown before it is saved.

use accounts::{
    audit::{Look, deed_on_patient, look},
    auth::Actor,
};
use axum::extract::State;
use domain::jmbg;
use jiff::civil::Date;
use jiff_sqlx::ToSqlx;
use platform::{
    error::{Error, Result},
    extract::Json,
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use utoipa::ToSchema;

use super::{
    number_checks,
    record::registering,
    validation::{NAME_LETTERS, too_long},
};

/// Numbers are taken with spaces, dots and dashes.
const NUMBER_LETTERS: usize = 30;

pub fn routes() -> Routes {
    Routes::new().routes(routes!(duplicates))
}

#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
struct SoughtPerson {
    ime: String,
    prezime: String,
    datum_rodjenja: Option<Date>,
    jmbg: String,
    lbo: String,
}

/// A patient of another institution is counted, never named; and only where the JMBG is the same, which the registration itself
/// would tell. Who tried a JMBG of theirs is in the log.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Candidates {
    data: Vec<Candidate>,
    u_drugim_ustanovama: usize,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Candidate {
    #[serde(rename = "pacijentID")]
    pacijent_id: i64,
    ime_prezime: String,
    datum_rodjenja: Date,
    jmbg: String,
    lbo: String,
    razlog: Likeness,
}

/// By what two patients are likely one person: the JMBG (of a pair of records: a digit wrong, or two that changed places), the same LBO, a
/// similar name and the same birth date, or one a day apart or with day and month swapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema, sqlx::Type)]
#[serde(rename_all = "snake_case")]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub(super) enum Likeness {
    Jmbg,
    Lbo,
    Ime,
    Datum,
}

/// A likeness costs as much as its texts are long, for each patient that was born on that day.
fn check_lengths(body: &SoughtPerson) -> Result<()> {
    let texts = [
        ("ime", "Ime", NAME_LETTERS, &body.ime),
        ("prezime", "Prezime", NAME_LETTERS, &body.prezime),
        ("jmbg", "JMBG", NUMBER_LETTERS, &body.jmbg),
        ("lbo", "LBO", NUMBER_LETTERS, &body.lbo),
    ];
    match texts.into_iter().find(|(.., most, text)| text.trim().chars().count() > *most) {
        Some((field, name, most, _)) => Err(Error::invalid(field, too_long(name, most))),
        None => Ok(()),
    }
}

/// Of a record as it is written: other patients whom the institution knows, of a similar name and a birth date that may be the same.
pub(super) async fn alike(db: &mut PgConnection, institution: i64, patient: i64) -> sqlx::Result<Vec<i64>> {
    sqlx::query_scalar!(
        "select p.id
           from patient n
           join patient p on p.datum_rodjenja = any (near_dates(n.datum_rodjenja)) and p.id <> n.id and p.aktivan
                         and names_alike(p.ime_f, p.prezime_f, n.ime_f, n.prezime_f)
          where n.id = $1 and knows_patient($2, p.id)
          order by p.id
          limit 20",
        patient,
        institution
    )
    .fetch_all(db)
    .await
}

/// The same JMBG or LBO, or similar names in either order with the same birth date or one that is easily written for it. Only for those
/// who may register patients.
#[utoipa::path(post, path = "/api/patients/duplicates", request_body = SoughtPerson, responses((status = 200, body = Candidates)))]
async fn duplicates(State(state): State<AppState>, actor: Actor, Json(body): Json<SoughtPerson>) -> Result<Json<Candidates>> {
    let institution = registering(&actor)?;
    check_lengths(&body)?;
    let jmbg = jmbg::plain(&body.jmbg);
    number_checks::count(&state, &actor, [&jmbg]).await?;
    let mut db = state.db.acquire().await?;
    let rows = sqlx::query!(
        r#"
        select p.id, p.prezime || ' ' || p.ime as "ime_prezime!", p.datum_rodjenja, p.jmbg, p.lbo,
               case when s.jmbg then 'jmbg' when s.lbo then 'lbo' when p.datum_rodjenja = $5 then 'ime' else 'datum' end as "razlog!: Likeness",
               k.poznat as "poznat!"
          from patient p
         cross join lateral (select knows_patient($6, p.id) as poznat) k
         cross join lateral (select p.jmbg = $3 or exists (select from patient_alias a where a.broj = $3 and a.vrsta = 'jmbg' and a.pacijent_id = p.id) as jmbg,
                                    p.lbo = $4 or exists (select from patient_alias a where a.broj = $4 and a.vrsta = 'lbo' and a.pacijent_id = p.id) as lbo) s
         where p.aktivan
           and (p.jmbg = $3 or p.lbo = $4
                or p.id in (select a.pacijent_id from patient_alias a where a.broj = $3 and a.vrsta = 'jmbg' or a.broj = $4 and a.vrsta = 'lbo')
                or p.datum_rodjenja = any (near_dates($5)) and names_alike(p.ime_f, p.prezime_f, fold($1::text), fold($2::text)))
           and (k.poznat or s.jmbg)
         order by s.jmbg desc, s.lbo desc, p.datum_rodjenja = $5 desc, p.id
         limit 20
        "#,
        body.ime.trim(),
        body.prezime.trim(),
        jmbg,
        jmbg::plain(&body.lbo),
        body.datum_rodjenja.map(|date| date.to_sqlx()) as _,
        institution,
    )
    .fetch_all(&mut *db)
    .await?;
    let (known, unknown): (Vec<_>, Vec<_>) = rows.into_iter().partition(|row| row.poznat);
    for row in &unknown {
        deed_on_patient(&mut db, &actor, "patient", "provera JMBG", row.id, row.id).await?;
    }
    if !known.is_empty() {
        let patients: Vec<i64> = known.iter().map(|row| row.id).collect();
        let similar = Look { klasa: "patient", akcija: "pregled spiska sličnih", pacijenti: &patients, ..Look::default() };
        look(&mut *db, &actor, &similar).await?;
    }
    Ok(Json(Candidates {
        u_drugim_ustanovama: unknown.len(),
        data: known
            .into_iter()
            .map(|row| Candidate {
                pacijent_id: row.id,
                ime_prezime: row.ime_prezime,
                datum_rodjenja: row.datum_rodjenja.to_jiff(),
                jmbg: row.jmbg,
                lbo: row.lbo,
                razlog: row.razlog,
            })
            .collect(),
    }))
}
