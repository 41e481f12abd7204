//! The search of a register's patients (A 2.5): the request read, compiled, run in two phases, and identity kept back where it must be.

pub mod compile;
pub mod criteria;
pub mod entry_frame;
mod matches;
pub mod order;
pub mod own_entry;
mod probes;
pub mod run;
mod setup;
mod similar;
mod small_groups;
mod stream;
mod trace;

use std::collections::{BTreeMap, HashMap};

use accounts::auth::Actor;
use axum::{
    extract::{DefaultBodyLimit, State},
    middleware,
    response::{IntoResponse, Response},
};
use domain::{
    fold::fold_name,
    jmbg,
    parameters::{self, BLURRED, RESULT_COUNTS, RESULTS},
    register::{PatientStatus, ValueType},
    time,
};
use platform::{
    error::{Error, Result},
    extract::Json,
    http,
    routes::{Routes, routes},
    state::AppState,
};
use serde::Serialize;
use sqlx::PgPool;
use utoipa::ToSchema;

use self::{
    compile::{FixedCriteria, JMBG_DIGITS, LBO_DIGITS, Search, Takings},
    criteria::{EntryScope, SearchField, SearchRequest},
    matches::{Match, PatientMatches},
    own_entry::{OwnEntryCriteria, OwnEntryMatch},
    run::{Hit, SearchResult},
    trace::ShownResults,
};
pub use trace::{TOO_OLD, own};

/// Each word is looked for on its own, in both names.
const MOST_NAME_LETTERS: usize = 100;
const MOST_NAME_WORDS: usize = 8;
/// A search of the most rows, each as long as may be, is 30 kB. What is longer is refused by its head, before it is read.
const LONGEST_REQUEST: usize = 64 << 10;
/// "All" ends here, and says so.
const MOST_RESULTS: i64 = 500_000;

pub fn routes() -> Routes {
    Routes::new()
        .routes(routes!(search))
        .merge(trace::routes())
        .layer(DefaultBodyLimit::max(LONGEST_REQUEST))
        .layer(middleware::from_fn_with_state(LONGEST_REQUEST, http::refuse_longer))
        .merge(setup::routes())
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SearchAnswer {
    unosi: Vec<SearchRow>,
    /// More patients match than were sent.
    skraceno: bool,
    /// Fewer than so many patients of other institutions match, perhaps none: they are no rows, and the answer is the same however many.
    manje_od_tudjih: Option<usize>,
    /// Under which number the log has this search; an export of its results names it.
    zapis: i64,
}

/// A patient of the result. Of a patient whom the worker's institution does not know, neither identity nor entry ids are sent.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SearchRow {
    /// The row's key on the screen; the patient's id where it may be known.
    #[serde(rename = "pacijentID")]
    pacijent_id: Option<i64>,
    ime_prezime: Option<String>,
    jmbg: Option<String>,
    lbo: Option<String>,
    identifikacioni_broj: Option<String>,
    #[serde(rename = "prviUnosID")]
    prvi_unos_id: Option<i64>,
    prvi_unos: Option<String>,
    prvi_unos_datum: Option<String>,
    #[serde(rename = "poslednjiUnosID")]
    poslednji_unos_id: Option<i64>,
    poslednji_unos: Option<String>,
    poslednji_unos_datum: Option<String>,
    blur_podataka: bool,
    /// What holds of the patient in the register, and since when; nothing of one whom the institution does not know.
    status: Option<PatientStatus>,
    status_dan: Option<String>,
    /// Found by a name that differs from the one asked for by a typing error.
    slicno: bool,
    /// Which entry and which value each criterion found.
    pogodak: Vec<Match>,
    /// The newest entry that is as it was asked for.
    unos: Option<OwnEntryMatch>,
}

impl SearchRow {
    fn of(hit: Hit, search: &Search, slicno: bool, matches: PatientMatches) -> Self {
        let known = hit.is_known(search);
        let matches = if known { matches } else { PatientMatches::default() };
        // Which entries others have is not told of a patient whose entries they keep to themselves.
        let hit = if known && search.takings.own_only.contains(&hit.pacijent_id) { hit.without_entries() } else { hit };
        let date = |at: Option<jiff_sqlx::Date>| at.map(|at| time::date_text(at.to_jiff()));
        Self {
            pacijent_id: known.then_some(hit.pacijent_id),
            ime_prezime: known.then(|| format!("{} {}", hit.prezime, hit.ime)),
            jmbg: known.then_some(hit.jmbg),
            lbo: known.then_some(hit.lbo),
            identifikacioni_broj: hit.broj_kartona.filter(|_| known),
            prvi_unos_id: hit.prvi_unos_id.filter(|_| known),
            prvi_unos: hit.prvi_unos,
            prvi_unos_datum: date(hit.prvi_unos_datum),
            poslednji_unos_id: hit.poslednji_unos_id.filter(|_| known),
            poslednji_unos: hit.poslednji_unos,
            poslednji_unos_datum: date(hit.poslednji_unos_datum),
            blur_podataka: !known,
            status: hit.status.filter(|_| known),
            status_dan: date(hit.status_dan).filter(|_| known),
            slicno,
            pogodak: matches.pogodak,
            unos: matches.own_entry,
        }
    }
}

#[utoipa::path(post, path = "/api/search", request_body = SearchRequest, responses((status = 200, body = SearchAnswer)))]
async fn search(State(state): State<AppState>, actor: Actor, Json(request): Json<SearchRequest>) -> Result<Response> {
    let PreparedSearch { search, limit } = prepare(&state.db, actor.ustanova_id, &request).await?;
    small_groups::count(&state, &actor, &search, &request).await?;
    let Some(limit) = limit else {
        return stream::all(&state, &actor, &request, search, MOST_RESULTS).await;
    };
    let SearchResult { hits, exact, mut matches, more, fewer_than } = run::find(&state.db, &search, limit).await?;
    let entries: Vec<SearchRow> = hits
        .into_iter()
        .enumerate()
        .map(|(index, hit)| {
            let own = matches.remove(&hit.pacijent_id).unwrap_or_default();
            SearchRow::of(hit, &search, index >= exact, own)
        })
        .collect();
    let zapis = trace::record(&state.db, &actor, &request, &ShownResults::of(&entries, more)).await?;
    Ok(Json(SearchAnswer { unosi: entries, skraceno: more, manje_od_tudjih: fewer_than, zapis }).into_response())
}

/// A request that was checked against its register.
pub struct PreparedSearch {
    pub search: Search,
    /// None: all results.
    pub limit: Option<i64>,
}

/// Reads the request of a worker of `institution` against the register's settings and searchable fields.
pub async fn prepare(db: &PgPool, institution: Option<i64>, request: &SearchRequest) -> Result<PreparedSearch> {
    let register = sqlx::query!(
        "select prikaz_tekucih_unosa_kod_pretrage, broj_rezultata_u_pretrazi from register where id = $1 and aktivan",
        request.registar_id
    )
    .fetch_optional(db)
    .await?
    .ok_or(Error::NotFound)?;
    let parameters = parameters::load(db).await?;
    let usual = register.broj_rezultata_u_pretrazi.unwrap_or_else(|| parameters.number(&RESULTS));
    let count = if request.svi_rezultati { -1 } else { request.broj_rezultate_pretrage.unwrap_or(usual) };
    if !RESULT_COUNTS.contains(&count) {
        return Err(Error::invalid("brojRezultatePretrage", "Broj rezultata može biti 50, 100, 200, 1000 ili svi."));
    }
    let usual_scope = if register.prikaz_tekucih_unosa_kod_pretrage { EntryScope::NajnovijiUnos } else { EntryScope::BiloKojiUnos };
    let scope = request.opseg_uslova.unwrap_or(usual_scope);
    let groups = if request.red_pretrage.is_empty() {
        Vec::new()
    } else {
        criteria::groups(&request.red_pretrage, &fields(db, request.registar_id).await?)?
    };
    if scope == EntryScope::IstiUnos {
        criteria::of_one_form(&groups)?;
    }
    let own_entry =
        OwnEntryCriteria { stanje: request.stanje_unosa, otvoreno: request.otvoreno, od: request.unos_od, do_dana: request.unos_do };
    own_entry.check(institution)?;
    let frame = match request.unos_uslova.clone() {
        Some(frame) => {
            let picked_by = match &frame.izbor {
                Some(pick) if !pick.uslovi.is_empty() => criteria::groups(&pick.uslovi, &fields(db, request.registar_id).await?)?,
                _ => Vec::new(),
            };
            Some(frame.check(scope, &groups, picked_by, institution)?)
        }
        None => None,
    };
    let mut fixed = fixed(request)?;
    lead_on(db, &mut fixed).await?;
    let search = Search {
        register: request.registar_id,
        institution: institution.unwrap_or_default(),
        blur: parameters.flag(&BLURRED),
        least_group: small_groups::least(&parameters),
        takings: takings(db, institution, groups.is_empty() && request.unos_uslova.is_none()).await?,
        scope,
        fixed,
        groups,
        frame,
        known_only: false,
        own_entry: Some(own_entry).filter(|criteria| !criteria.is_empty()),
        order: request.redosled,
    };
    search.refuse_telling_order()?;
    Ok(PreparedSearch { search, limit: (count != -1).then_some(i64::from(count)) })
}

/// A whole number that nobody has any more, but that a record had which was merged into another one, is read as that one's.
async fn lead_on(db: &PgPool, fixed: &mut FixedCriteria) -> sqlx::Result<()> {
    if fixed.jmbg.len() == JMBG_DIGITS {
        let today = sqlx::query_scalar!(
            "select p.jmbg from patient_alias a join patient p on p.id = a.pacijent_id
              where a.broj = $1 and a.vrsta = 'jmbg' and p.anonimizovan_at is null limit 1",
            fixed.jmbg
        );
        fixed.jmbg = today.fetch_optional(db).await?.unwrap_or_else(|| std::mem::take(&mut fixed.jmbg));
    }
    if fixed.lbo.len() == LBO_DIGITS {
        let today = sqlx::query_scalar!(
            "select p.lbo from patient_alias a join patient p on p.id = a.pacijent_id
              where a.broj = $1 and a.vrsta = 'lbo' and p.anonimizovan_at is null
                and not exists (select from patient o where o.lbo = $1 and o.aktivan) limit 1",
            fixed.lbo
        );
        fixed.lbo = today.fetch_optional(db).await?.unwrap_or_else(|| std::mem::take(&mut fixed.lbo));
    }
    Ok(())
}

/// Whom the institution took over; `plain` where no value is asked for. What it reads of them is `reads_own_entries_only`, asked of all at once.
async fn takings(db: &PgPool, institution: Option<i64>, plain: bool) -> sqlx::Result<Takings> {
    let rows = sqlx::query!(
        r#"select t.pacijent_id as "pacijent_id!", t.okoncano_at is null as "holds!", o.pacijent_id is not null as "own_only!"
             from patient_taking t left join own_entries_only o on o.ustanova_id = t.ustanova_id and o.pacijent_id = t.pacijent_id
                                         and patients_are_blurred()
            where t.ustanova_id = $1"#,
        institution
    )
    .fetch_all(db)
    .await?;
    // And whom it kept before the record was merged into one that another institution keeps.
    let merged = sqlx::query_scalar!(
        r#"select distinct p.id as "id!" from patient l join patient p on p.id = l.spojen_u_id and p.ustanova_id <> l.ustanova_id
            where l.ustanova_id = $1"#,
        institution
    );
    let mut takings = Takings { known: merged.fetch_all(db).await?, ..Takings::default() };
    for row in rows {
        if row.own_only {
            takings.own_only.push(row.pacijent_id);
        }
        if row.own_only && !plain {
            takings.hidden.push(row.pacijent_id);
        } else if row.holds {
            takings.known.push(row.pacijent_id);
        }
    }
    Ok(takings)
}

/// The register's searchable fields by id.
async fn fields(db: &PgPool, register: i64) -> Result<HashMap<i64, SearchField>> {
    let rows = sqlx::query!(
        r#"select f.id, f.tip_skupa_atributa_id, t.tip_vrednosti_atributa as "tip_vrednosti_atributa: ValueType"
           from form_field f join form g on g.id = f.tip_skupa_atributa_id and g.aktivan join attribute_type t on t.id = f.tip_atributa_id
          where g.registar_id = $1 and f.aktivan and f.pretrazuje_se and holds_value(t.tip_vrednosti_atributa)"#,
        register
    )
    .fetch_all(db)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| {
            (row.id, SearchField { id: row.id, form_id: row.tip_skupa_atributa_id, value_type: searched_as(row.tip_vrednosti_atributa) })
        })
        .collect())
}

/// Files are found by their names, as texts are by what is in them.
fn searched_as(value_type: ValueType) -> ValueType {
    match value_type {
        ValueType::File => ValueType::Text,
        other => other,
    }
}

fn fixed(request: &SearchRequest) -> Result<FixedCriteria> {
    let words = |text: &str, field: &'static str, name: &str| {
        let words: Vec<String> = criteria::bounded(text, MOST_NAME_LETTERS, field, name)?.split_whitespace().map(fold_name).collect();
        if words.len() > MOST_NAME_WORDS {
            return Err(Error::invalid(field, format!("{name} u pretrazi sme da ima najviše {MOST_NAME_WORDS} reči.")));
        }
        Ok(words)
    };
    let digits = |text: &str, most: usize, field: &'static str, message: &'static str| {
        let text = jmbg::plain(text);
        if text.len() <= most && text.bytes().all(|byte| byte.is_ascii_digit()) { Ok(text) } else { Err(Error::invalid(field, message)) }
    };
    let year = |year: Option<i64>, field: &'static str, message: &'static str| match year {
        Some(year) if !(1800..=2100).contains(&year) => Err(Error::invalid(field, message)),
        year => Ok(year.map(|year| year as i16)),
    };
    let godina_od = year(request.godina_od, "godinaOd", "Godina rođenja „od” mora biti između 1800. i 2100.")?;
    let godina_do = year(request.godina_do, "godinaDo", "Godina rođenja „do” mora biti između 1800. i 2100.")?;
    if let (Some(from), Some(to)) = (godina_od, godina_do)
        && from > to
    {
        return Err(Error::invalid("godinaDo", "Godina rođenja „do” ne sme biti pre godine „od”."));
    }
    Ok(FixedCriteria {
        ime: words(&request.ime, "ime", "Ime")?,
        prezime: words(&request.prezime, "prezime", "Prezime")?,
        similar: BTreeMap::new(),
        godina_od,
        godina_do,
        pol: match request.pol {
            None | Some(-1) => None,
            Some(0) => Some(false),
            Some(1) => Some(true),
            Some(_) => return Err(Error::invalid("pol", "Nepoznat pol.")),
        },
        status: request.status,
        jmbg: digits(&request.jmbg, JMBG_DIGITS, "jmbg", "JMBG u pretrazi sme da sadrži samo cifre, najviše 13.")?,
        lbo: digits(&request.lbo, LBO_DIGITS, "lbo", "LBO u pretrazi sme da sadrži samo cifre, najviše 11.")?,
    })
}
