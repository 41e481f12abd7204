//! Lists of findings of the institution, each number of *Kvalitet podataka* has its list here.

use accounts::{
    audit::{Look, look, told},
    auth::Actor,
};
use axum::extract::State;
use domain::entry::quality::{QualityKind, Severity};
use jiff::civil::Date;
use jiff_sqlx::ToSqlx;
use platform::{
    error::Result,
    extract::{Json, Query},
    page::{PAGE_ROWS, last_of_full},
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use sqlx::{PgConnection, types::Json as JsonColumn};
use utoipa::{IntoParams, ToSchema};

use super::{ComparedEntry, Confirmation, FindingConfirmation, FindingEnd};

pub fn routes() -> Routes {
    Routes::new().routes(routes!(list)).routes(routes!(counts))
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = FindingState)]
pub enum FindingState {
    /// Neither ended nor confirmed.
    #[default]
    Otvoreni,
    /// Checked, and right.
    Potvrdjeni,
    Zavrseni,
}

impl FindingState {
    fn name(self) -> &'static str {
        match self {
            Self::Otvoreni => "otvoreni",
            Self::Potvrdjeni => "potvrdjeni",
            Self::Zavrseni => "zavrseni",
        }
    }
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
struct FindingQuery {
    #[serde(default)]
    #[param(inline)]
    stanje: FindingState,
    #[serde(rename = "registarID")]
    registar_id: Option<i64>,
    #[serde(rename = "tsaID")]
    tsa_id: Option<i64>,
    #[serde(rename = "poljeID")]
    polje_id: Option<i64>,
    #[serde(rename = "praviloID")]
    pravilo_id: Option<i64>,
    /// The doctor who answers for the entry, else who made it.
    #[serde(rename = "radnikID")]
    radnik_id: Option<i64>,
    #[serde(rename = "pacijentID")]
    pacijent_id: Option<i64>,
    /// Days of entries.
    od: Option<Date>,
    #[serde(rename = "do")]
    do_dana: Option<Date>,
    /// The last finding of the page before this one.
    #[serde(rename = "posleID")]
    posle_id: Option<i64>,
}

#[derive(Serialize, ToSchema)]
struct FindingPage {
    /// Newest first.
    data: Vec<ListedFinding>,
    /// After which finding the next page begins; none: this is the last one.
    #[serde(rename = "sledeciID")]
    sledeci_id: Option<i64>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ListedFinding {
    id: i64,
    #[serde(rename = "unosID")]
    unos_id: i64,
    #[serde(rename = "pacijentID")]
    pacijent_id: i64,
    ime_prezime: String,
    registar: String,
    formular: String,
    datum_unosa: Date,
    #[serde(rename = "poljeID")]
    polje_id: Option<i64>,
    polje: Option<String>,
    pravilo: String,
    vrsta: QualityKind,
    tezina: Severity,
    poruka: Option<String>,
    odgovoran: String,
    pocetak: String,
    kraj: Option<String>,
    razlog_kraja: Option<FindingEnd>,
    #[schema(value_type = Option<FindingConfirmation>)]
    potvrda: Confirmation,
    #[schema(value_type = Option<ComparedEntry>)]
    drugi_unos: Option<JsonColumn<ComparedEntry>>,
}

/// Findings in entries of the worker's institution.
#[utoipa::path(get, path = "/api/findings", params(FindingQuery), responses((status = 200, body = FindingPage)))]
async fn list(State(state): State<AppState>, actor: Actor, Query(query): Query<FindingQuery>) -> Result<Json<FindingPage>> {
    let mut db = state.db.acquire().await?;
    let data = rows(&mut db, &actor, &query).await?;
    let shown: Vec<i64> = data.iter().map(|finding| finding.pacijent_id).collect();
    let polja = vec![told("Nalazi", query.stanje.name()), told("Rezultata", shown.len())];
    look(&mut *db, &actor, &Look { klasa: "quality_finding", akcija: "pregled nalaza", polja, pacijenti: &shown, ..Look::default() })
        .await?;
    let sledeci_id = last_of_full(&data).map(|last| last.id);
    Ok(Json(FindingPage { data, sledeci_id }))
}

/// How many findings of the institution each list has that nobody has worked through.
#[derive(Serialize, ToSchema)]
struct FindingCounts {
    /// Neither ended nor confirmed.
    otvoreni: i64,
    /// Of these, those in entries that the worker answers for.
    moji: i64,
    potvrdjeni: i64,
}

#[utoipa::path(get, path = "/api/finding-counts", responses((status = 200, body = FindingCounts)))]
async fn counts(State(state): State<AppState>, actor: Actor) -> Result<Json<FindingCounts>> {
    let counted = sqlx::query_as!(
        FindingCounts,
        r#"select count(*) filter (where n.potvrdjen_at is null) as "otvoreni!",
                  count(*) filter (where n.potvrdjen_at is null and coalesce(e.radnik_odgovoran_id, e.radnik_kreirao_id) = $2) as "moji!",
                  count(*) filter (where n.potvrdjen_at is not null) as "potvrdjeni!"
             from quality_finding n join quality_rule r on r.id = n.pravilo_id and r.aktivan
             join entry e on e.id = n.unos_id and e.aktivan join patient p on p.id = n.pacijent_id and p.aktivan
            where n.ustanova_id = $1 and n.kraj is null"#,
        actor.ustanova_id,
        actor.radnik_id
    );
    Ok(Json(counted.fetch_one(&state.db).await?))
}

async fn rows(db: &mut PgConnection, actor: &Actor, query: &FindingQuery) -> sqlx::Result<Vec<ListedFinding>> {
    let rows = sqlx::query!(
        r#"select n.id, n.unos_id, n.pacijent_id, p.prezime || ' ' || p.ime as "ime_prezime!", g.naziv as registar, t.naziv as formular, e.datum_unosa,
                  n.polje_id, f.naziv as "polje?", r.naziv as pravilo, r.vrsta as "vrsta: QualityKind", r.tezina as "tezina: Severity", r.poruka,
                  d.prezime || ' ' || d.ime as "odgovoran!",
                  to_char(n.pocetak at time zone 'Europe/Belgrade', 'YYYY-MM-DD"T"HH24:MI:SS') as "pocetak!",
                  to_char(n.kraj at time zone 'Europe/Belgrade', 'YYYY-MM-DD"T"HH24:MI:SS') as kraj,
                  n.razlog_kraja as "razlog_kraja: FindingEnd",
                  case when n.potvrdjen_at is not null then jsonb_build_object('radnik', w.prezime || ' ' || w.ime, 'napomena', n.napomena,
                      'vreme', to_char(n.potvrdjen_at at time zone 'Europe/Belgrade', 'YYYY-MM-DD"T"HH24:MI:SS')) end
                      as "potvrda: JsonColumn<FindingConfirmation>",
                  case when o.id is not null then jsonb_build_object('unosID', o.id, 'datum', o.datum_unosa) end
                      as "drugi_unos: JsonColumn<ComparedEntry>"
             from quality_finding n join quality_rule r on r.id = n.pravilo_id
             join entry e on e.id = n.unos_id and e.aktivan join patient p on p.id = n.pacijent_id and p.aktivan
             join register g on g.id = e.registar_id join form t on t.id = e.tsa_id left join form_field f on f.id = n.polje_id
             join worker d on d.id = coalesce(e.radnik_odgovoran_id, e.radnik_kreirao_id)
             left join worker w on w.id = n.potvrdio_id left join entry o on o.id = n.drugi_unos_id and o.aktivan
            where n.ustanova_id = $1
              and case $2::text when 'otvoreni' then n.id in (select o.id from open_finding o where o.ustanova_id = $1)
                                when 'potvrdjeni' then n.kraj is null and n.potvrdjen_at is not null and r.aktivan else n.kraj is not null end
              and ($3::bigint is null or e.registar_id = $3) and ($4::bigint is null or e.tsa_id = $4)
              and ($5::bigint is null or n.polje_id = $5) and ($6::bigint is null or n.pravilo_id = $6)
              and ($7::bigint is null or coalesce(e.radnik_odgovoran_id, e.radnik_kreirao_id) = $7)
              and ($8::date is null or e.datum_unosa >= $8) and ($9::date is null or e.datum_unosa <= $9)
              and ($10::bigint is null or n.pacijent_id = $10) and ($11::bigint is null or n.id < $11)
            order by n.id desc limit $12"#,
        actor.ustanova_id,
        query.stanje.name(),
        query.registar_id,
        query.tsa_id,
        query.polje_id,
        query.pravilo_id,
        query.radnik_id,
        query.od.map(ToSqlx::to_sqlx) as _,
        query.do_dana.map(ToSqlx::to_sqlx) as _,
        query.pacijent_id,
        query.posle_id,
        i64::from(PAGE_ROWS)
    )
    .fetch_all(db)
    .await?;
    let finding = rows.into_iter().map(|row| ListedFinding {
        id: row.id,
        unos_id: row.unos_id,
        pacijent_id: row.pacijent_id,
        ime_prezime: row.ime_prezime,
        registar: row.registar,
        formular: row.formular,
        datum_unosa: row.datum_unosa.to_jiff(),
        polje_id: row.polje_id,
        polje: row.polje,
        pravilo: row.pravilo,
        vrsta: row.vrsta,
        tezina: row.tezina,
        poruka: row.poruka,
        odgovoran: row.odgovoran,
        pocetak: row.pocetak,
        kraj: row.kraj,
        razlog_kraja: row.razlog_kraja,
        potvrda: row.potvrda,
        drugi_unos: row.drugi_unos,
    });
    Ok(finding.collect())
}
