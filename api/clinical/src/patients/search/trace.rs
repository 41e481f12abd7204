//! What the log keeps of a search and of the file that the browser makes of its results: by what it was asked, how much was found, and
//! the patients who were named. Those who were kept back are counted.

use accounts::{
    audit::{Look, look, told},
    auth::Actor,
};
use axum::{extract::State, http::StatusCode};
use domain::{caller, register::ValueType, time};
use jiff::Timestamp;
use platform::{
    error::{Error, Result},
    extract::Json,
    routes::{Routes, routes},
    state::AppState,
};
use serde::Deserialize;
use serde_json::Value;
use sqlx::{PgExecutor, PgPool};
use utoipa::ToSchema;

use super::{
    SearchRow,
    compile::{JMBG_DIGITS, LBO_DIGITS},
    criteria::{CriterionRow, EntryScope, SearchRequest},
    order::ResultOrder,
};

/// What stands for a whole number of a person: that one was looked for is told, the patient whom it found is named.
const MASK: &str = "•••";
/// Formats that the browser makes.
const FORMATS: [&str; 5] = ["PDF", "XLSX", "XLS", "CSV", "JSON"];

/// What whoever takes out the results of a search too old for it is told.
pub const TOO_OLD: &str = "Rezultati su zastareli. Pretražite ponovo, pa izvezite.";

pub fn routes() -> Routes {
    Routes::new().routes(routes!(export))
}

/// Whom a search has shown.
#[derive(Debug, Default)]
pub struct ShownResults {
    pub pacijenti: Vec<i64>,
    /// Rows without identity.
    pub hidden: usize,
    /// More match than were sent.
    pub more: bool,
}

impl ShownResults {
    pub fn of(rows: &[SearchRow], more: bool) -> Self {
        let mut shown = Self { more, ..Self::default() };
        rows.iter().for_each(|row| shown.add(row));
        shown
    }

    pub fn add(&mut self, row: &SearchRow) {
        match row.pacijent_id {
            Some(id) => self.pacijenti.push(id),
            None => self.hidden += 1,
        }
    }
}

/// Writes the search down, and gives the number under which an export of its results names it.
pub async fn record(db: &PgPool, actor: &Actor, request: &SearchRequest, shown: &ShownResults) -> sqlx::Result<i64> {
    let mut polja = fixed(request);
    if let Some(frame) = &request.unos_uslova {
        let form = sqlx::query_scalar!("select naziv from form where id = $1", frame.tip_unosa_id).fetch_optional(db).await?;
        polja.push(told("U unosu", format!("{} {}", form.unwrap_or_default(), frame.words()).trim()));
    }
    if let Some(pick) = request.unos_uslova.as_ref().and_then(|frame| frame.izbor.as_ref()) {
        polja.extend(rows(db, &pick.uslovi, "Izbor unosa: ").await?);
    }
    polja.extend(rows(db, &request.red_pretrage, "").await?);
    polja.push(told("Rezultata", shown.pacijenti.len() + shown.hidden));
    if shown.hidden > 0 {
        polja.push(told("Bez identiteta", shown.hidden));
    }
    if shown.more {
        polja.push(told("Ima ih još", true));
    }
    let search = Look {
        klasa: "patient_search",
        akcija: "pretraga",
        red_id: Some(request.registar_id.to_string()),
        polja,
        pacijenti: &shown.pacijenti,
        ..Look::default()
    };
    look(db, actor, &search).await
}

fn fixed(request: &SearchRequest) -> Vec<Value> {
    let number = |text: &str, digits: usize| {
        let typed = text.chars().filter(char::is_ascii_digit).count();
        if typed >= digits { MASK.to_owned() } else { text.trim().to_owned() }
    };
    let year = |year: Option<i64>| year.map(|year| year.to_string()).unwrap_or_default();
    let day = |day: Option<jiff::civil::Date>| day.map(time::date_text).unwrap_or_default();
    let sex = match request.pol {
        Some(0) => "ženski",
        Some(1) => "muški",
        _ => "",
    };
    let scope = match request.opseg_uslova {
        Some(EntryScope::NajnovijiUnos) => "najnoviji unos",
        Some(EntryScope::IstiUnos) => "isti unos",
        Some(EntryScope::BiloKojiUnos) => "bilo koji unos",
        None => "",
    };
    [
        ("Ime", request.ime.trim().to_owned()),
        ("Prezime", request.prezime.trim().to_owned()),
        ("Godina rođenja od", year(request.godina_od)),
        ("Godina rođenja do", year(request.godina_do)),
        ("Pol", sex.to_owned()),
        ("Status", request.status.map(|status| status.words().to_owned()).unwrap_or_default()),
        ("JMBG", number(&request.jmbg, JMBG_DIGITS)),
        ("LBO", number(&request.lbo, LBO_DIGITS)),
        ("Stanje unosa", request.stanje_unosa.map(|state| state.words().to_owned()).unwrap_or_default()),
        ("Otvoreno na unosu", request.otvoreno.map(|open| open.words().to_owned()).unwrap_or_default()),
        ("Unos od", day(request.unos_od)),
        ("Unos do", day(request.unos_do)),
        ("Uslovi važe za", if request.red_pretrage.is_empty() { String::new() } else { scope.to_owned() }),
        ("Redosled", request.redosled.map(ResultOrder::words).unwrap_or_default()),
    ]
    .into_iter()
    .filter(|(_, value)| !value.is_empty())
    .map(|(naziv, value)| told(naziv, value))
    .collect()
}

/// The rows of criteria by the names of their fields and items; `before` stands before each.
async fn rows(db: &PgPool, criteria: &[CriterionRow], before: &str) -> sqlx::Result<Vec<Value>> {
    let asked: Vec<_> = criteria.iter().filter(|row| row.polje_id.is_some()).collect();
    if asked.is_empty() {
        return Ok(Vec::new());
    }
    let fields: Vec<i64> = asked.iter().filter_map(|row| row.polje_id).collect();
    let values: Vec<String> = asked.iter().map(|row| row.vrednost.clone().unwrap_or_default()).collect();
    let named = sqlx::query!(
        r#"
        select f.naziv as "naziv!", case when t.tip_vrednosti_atributa = $3 then coalesce(i.naziv, u.vrednost) else u.vrednost end as "vrednost!"
          from unnest($1::bigint[], $2::text[]) with ordinality u (polje_id, vrednost, red)
          join form_field f on f.id = u.polje_id
          join attribute_type t on t.id = f.tip_atributa_id
          left join enum_item i on i.id::text = u.vrednost
         order by u.red
        "#,
        &fields,
        &values,
        ValueType::Set as _,
    )
    .fetch_all(db)
    .await?;
    let joined = |row: &CriterionRow| if row.veza.as_deref() == Some("ili") { "ili " } else { "" };
    Ok(named
        .into_iter()
        .zip(asked)
        .map(|(name, row)| {
            let said = format!("{}{} {}", joined(row), row.operator.as_deref().unwrap_or_default(), name.vrednost);
            told(&format!("{before}{}", name.naziv), said.trim())
        })
        .collect())
}

#[derive(Deserialize, ToSchema)]
struct SearchExport {
    /// The search, by the number that its answer gave.
    zapis: i64,
    /// PDF, XLSX, XLS, CSV or JSON.
    oblik: String,
}

/// Asked before the browser makes a file of the results of a search: without the row in the log there is no file.
#[utoipa::path(post, path = "/api/search-exports", request_body = SearchExport,
    responses((status = 204), (status = 404, description = "Takve pretrage nema")))]
async fn export(State(state): State<AppState>, actor: Actor, Json(request): Json<SearchExport>) -> Result<StatusCode> {
    if !FORMATS.contains(&request.oblik.as_str()) {
        return Err(Error::invalid("oblik", "Nepoznat oblik fajla."));
    }
    let search = own(&state.db, &actor, request.zapis).await?.ok_or_else(|| Error::missing(TOO_OLD))?;
    // The patients are those whom the server has shown, whatever the browser says.
    sqlx::query_scalar!(
        r#"
        with search as (select red_id, polja from audit_log where vreme_pristupa = $1 and id = $2),
        row as (
            insert into audit_log (radnik_id, ustanova_id, adresa, klasa, akcija, red_id, opis, polja)
            select $3, $4, $5, 'patient_search', 'izvoz rezultata', red_id, $6, polja from search
            returning vreme_pristupa, id),
        shown as (
            insert into audit_log_patient (vreme_pristupa, log_id, pacijent_id)
            select row.vreme_pristupa, row.id, p.pacijent_id
              from row join audit_log_patient p on p.vreme_pristupa = $1 and p.log_id = $2)
        select id as "id!" from row
        "#,
        jiff_sqlx::Timestamp::from(search.vreme) as _,
        search.zapis,
        actor.radnik_id,
        actor.ustanova_id,
        caller::current().adresa,
        request.oblik,
    )
    .fetch_one(&state.db)
    .await?;
    Ok(StatusCode::NO_CONTENT)
}

/// A search of the worker's own in this institution, not older than a day.
pub struct OwnSearch {
    pub zapis: i64,
    pub vreme: Timestamp,
    pub registar_id: i64,
}

pub async fn own(db: impl PgExecutor<'_>, actor: &Actor, zapis: i64) -> sqlx::Result<Option<OwnSearch>> {
    let found = sqlx::query!(
        r#"select vreme_pristupa as "vreme: jiff_sqlx::Timestamp", red_id::bigint as "registar_id!" from audit_log
            where radnik_id = $1 and id = $2 and klasa = 'patient_search' and akcija = 'pretraga' and red_id is not null and ustanova_id is not distinct from $3
              and vreme_pristupa > now() - interval '24 hours'"#,
        actor.radnik_id,
        zapis,
        actor.ustanova_id
    );
    let found = found.fetch_optional(db).await?;
    Ok(found.map(|row| OwnSearch { zapis, vreme: row.vreme.to_jiff(), registar_id: row.registar_id }))
}
