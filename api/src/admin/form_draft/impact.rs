//! What a draft would make of what is stored, before it is published: page by page, each as long as a screen waits, so that a form of a
//! hundred thousand entries holds no connection for longer. Entries are named by their number only.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Instant,
};

use axum::extract::State;
use domain::{
    entry::{
        difference::{Aspect, Difference},
        files,
        form::{EntryField, EntryForm},
        values::from_json,
    },
    register::ValueType,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::PgConnection;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use super::{Designer, check, live::Live, own, shape, with_stored_types};
use crate::{
    admin::{impact::Change, usage},
    entries::values::wrong_number,
    error::Result,
    extract::{Json, Path, Query},
    state::{AppState, Counting},
};

/// Entries that a list names at once.
const LISTED: i64 = 200;

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(impact)).routes(routes!(entries))
}

#[derive(Deserialize, IntoParams)]
struct From {
    /// Where the page before ended (`sledeci`); none: from the beginning.
    od: Option<i64>,
}

#[derive(Default, Serialize, ToSchema)]
#[schema(as = DraftImpact)]
#[serde(rename_all = "camelCase")]
struct Page {
    /// Entries of the form.
    unosa: i64,
    /// Entries that this page has looked at.
    pregledano: i64,
    /// Where the next page goes on; none: that was all.
    sledeci: Option<i64>,
    /// Stored results that the draft's formulas give otherwise.
    rezultati: Vec<Touched>,
    /// Stored values that are outside of bounds, or have too many decimals, and did not before.
    van_granica: Vec<Touched>,
    /// Fields whose stored files are more, larger or of other kinds than they would take, and were not before.
    fajlovi: Vec<Touched>,
    /// Stored values that were entered in another unit.
    jedinice: Vec<Touched>,
    /// Who reads what the draft changes; only with the first page.
    citaoci: Option<Readers>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = TouchedValue)]
struct Touched {
    unos: i64,
    /// By its name in the draft.
    polje: String,
}

#[derive(Default, Serialize, ToSchema)]
#[schema(as = DraftReaders)]
struct Readers {
    formule: Vec<Reader>,
    izvestaji: Vec<Reader>,
    /// Of first values and of the parameters of reports.
    upiti: Vec<Reader>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = DraftReader)]
struct Reader {
    naziv: String,
    /// Codes of the changed fields that it reads; the name of one that has none.
    cita: Vec<String>,
}

#[utoipa::path(get, path = "/api/forms/{id}/draft/impact", params(From), responses((status = 200, body = Page)))]
async fn impact(State(state): State<AppState>, actor: Designer, Path(id): Path<i64>, Query(from): Query<From>) -> Result<Json<Page>> {
    let _turn = state.long_answers.turn().await?;
    let mut db = state.db.acquire().await?;
    let kept = own(&mut db, id, &actor).await?;
    let live = Live::load(&mut db, id).await?;
    let before = EntryForm::load(&mut db, id).await?;
    let document = with_stored_types(&mut db, kept.document, &live).await?;
    let after = shape::entry_form(id, &document, &check::check(&document, &live.document), &live)?;
    let unosa =
        sqlx::query_scalar!(r#"select count(*) as "count!" from entry where tsa_id = $1 and aktivan"#, id).fetch_one(&mut *db).await?;
    let mut page = Page { unosa, ..Page::default() };
    if from.od.is_none() {
        page.citaoci = Some(readers(&mut db, &state.config.template_dir, &before, &after).await?);
    }
    Weighing::between(&before, &after, state.counting).page(&mut db, from.od.unwrap_or_default(), &mut page).await?;
    Ok(Json(page))
}

/// The entries of the form, a page of them.
#[derive(Serialize, ToSchema)]
#[schema(as = DraftEntries)]
struct Entries {
    unosi: Vec<i64>,
    /// Where the next page goes on; none: that was all.
    sledeci: Option<i64>,
}

#[utoipa::path(get, path = "/api/forms/{id}/draft/entries", params(From), responses((status = 200, body = Entries)))]
async fn entries(State(state): State<AppState>, actor: Designer, Path(id): Path<i64>, Query(from): Query<From>) -> Result<Json<Entries>> {
    let mut db = state.db.acquire().await?;
    own(&mut db, id, &actor).await?;
    let listed = sqlx::query_scalar!(
        "select id from entry where tsa_id = $1 and aktivan and id > $2 order by id limit $3",
        id,
        from.od.unwrap_or_default(),
        LISTED + 1
    );
    let mut entries = listed.fetch_all(&mut *db).await?;
    let more = i64::try_from(entries.len()).is_ok_and(|found| found > LISTED);
    entries.truncate(usize::try_from(LISTED).unwrap_or_default());
    Ok(Json(Entries { sledeci: entries.last().copied().filter(|_| more), unosi: entries }))
}

struct Weighing<'a> {
    change: Change<'a>,
    results: BTreeSet<i64>,
    units: BTreeSet<i64>,
    /// Fields whose bounds are others, as they were and as they would be.
    bounds: Vec<(&'a EntryField, &'a EntryField)>,
    /// Fields that take other files, as they were and as they would be.
    files: Vec<(&'a EntryField, &'a EntryField)>,
    names: BTreeMap<i64, &'a str>,
    counting: Counting,
}

impl<'a> Weighing<'a> {
    fn between(before: &'a EntryForm, after: &'a EntryForm, counting: Counting) -> Self {
        let change = Change { before, after, marks: false, until: Instant::now() + counting.page };
        let was = before.by_id();
        let results = change.touched_results().into_iter().filter(|id| was.contains_key(id)).collect();
        let units = change.other_units().into_iter().map(|(id, _)| id).collect();
        let numbers = after.fields.iter().filter(|field| field.tva_num_vrednost == ValueType::Number && !field.is_calculated());
        let limits = |field: &EntryField| {
            let of = &field.tip_atributa;
            (of.donja_granica_brojne_vrednosti, of.gornja_granica_brojne_vrednosti, of.decimale_brojne_vrednosti)
        };
        let bounds = numbers.filter_map(|now| Some((*was.get(&now.id)?, now))).filter(|(was, now)| limits(was) != limits(now)).collect();
        let with_files = after.fields.iter().filter(|field| field.tva_num_vrednost == ValueType::File);
        let files = with_files.filter_map(|now| Some((*was.get(&now.id)?, now)));
        let files = files.filter(|(was, now)| was.tip_atributa.fajlovi != now.tip_atributa.fajlovi).collect();
        let names = after.fields.iter().map(|field| (field.id, field.naziv.as_str())).collect();
        Self { change, results, units, bounds, files, names, counting }
    }

    async fn page(&self, db: &mut PgConnection, from: i64, page: &mut Page) -> Result<()> {
        if self.results.is_empty() && self.units.is_empty() && self.bounds.is_empty() && self.files.is_empty() {
            page.pregledano = page.unosa;
            return Ok(());
        }
        let mut from = from;
        loop {
            let entries = sqlx::query!(
                "select id, vrednosti from entry where tsa_id = $1 and aktivan and id > $2 order by id limit $3",
                self.change.after.id,
                from,
                self.counting.chunk
            )
            .fetch_all(&mut *db)
            .await?;
            let Some(last) = entries.last().map(|entry| entry.id) else { return Ok(()) };
            page.pregledano += i64::try_from(entries.len()).unwrap_or_default();
            for entry in &entries {
                self.values(entry.id, &entry.vrednosti, page);
            }
            if !self.results.is_empty() {
                let ids: Vec<i64> = entries.iter().map(|entry| entry.id).collect();
                let (stale, _) = self.change.stale_of(&mut *db, &self.results, &ids).await?;
                page.rezultati.extend(stale.into_iter().map(|(unos, field)| self.touched(unos, field)));
            }
            if Instant::now() >= self.change.until {
                page.sledeci = Some(last);
                return Ok(());
            }
            from = last;
        }
    }

    fn values(&self, entry: i64, vrednosti: &Value, page: &mut Page) {
        let stored = from_json(vrednosti);
        for (was, now) in &self.bounds {
            let Some(number) = stored.get(&now.id).and_then(Value::as_f64) else { continue };
            if wrong_number(was, number, false).is_none() && wrong_number(now, number, false).is_some() {
                page.van_granica.push(self.touched(entry, now.id));
            }
        }
        for (was, now) in &self.files {
            let Some(held) = stored.get(&now.id) else { continue };
            if files::fault(was, held, None).is_none() && files::fault(now, held, None).is_some() {
                page.fajlovi.push(self.touched(entry, now.id));
            }
        }
        page.jedinice.extend(self.units.iter().filter(|field| stored.contains_key(field)).map(|field| self.touched(entry, *field)));
    }

    fn touched(&self, entry: i64, field: i64) -> Touched {
        Touched { unos: entry, polje: self.names.get(&field).copied().unwrap_or_default().to_owned() }
    }
}

async fn readers(db: &mut PgConnection, templates: &std::path::Path, before: &EntryForm, after: &EntryForm) -> Result<Readers> {
    let changed = changed_fields(before, after);
    let mut found = Readers::default();
    if changed.is_empty() {
        return Ok(found);
    }
    let told = |reads: &dyn Fn(&EntryField) -> bool| {
        let read = changed.iter().filter(|field| reads(field));
        read.map(|field| field.sifra.clone().unwrap_or_else(|| field.naziv.clone())).collect::<Vec<_>>()
    };
    let read_by = |reads: &dyn Fn(&str) -> bool| told(&|field| field.sifra.as_deref().is_some_and(reads));
    for (field, formulas) in after.fields.iter().zip(&after.formulas) {
        let cita = read_by(&|code| field.sifra.as_deref() != Some(code) && formulas.formulas().any(|formula| formula.reads(code)));
        found.formule.push(Reader { naziv: field.naziv.clone(), cita });
    }
    for (id, condition) in &after.required_if {
        let naziv = after.by_id().get(id).map(|field| field.naziv.clone()).unwrap_or_default();
        found.formule.push(Reader { naziv, cita: read_by(&|code| condition.reads(code)) });
    }
    for rule in &after.rules {
        found.formule.push(Reader { naziv: rule.own.poruka.clone(), cita: read_by(&|code| rule.formula.reads(code)) });
    }
    for (naziv, sql) in usage::report_queries(&mut *db, templates).await? {
        let named = |field: &EntryField| field.sifra.as_deref().is_some_and(|code| usage::names(&sql, code));
        let cita = told(&|field| named(field) || usage::reads_field(&sql, field.id));
        found.izvestaji.push(Reader { naziv, cita });
    }
    for (naziv, sql) in usage::other_queries(db).await? {
        let cita = read_by(&|code| usage::names(&sql, code));
        found.upiti.push(Reader { naziv, cita });
    }
    for list in [&mut found.formule, &mut found.izvestaji, &mut found.upiti] {
        list.retain(|reader| !reader.cita.is_empty());
    }
    Ok(found)
}

/// As they are live, fields that are gone, have another code, or mean something else: more than a name or a place.
fn changed_fields<'a>(before: &'a EntryForm, after: &EntryForm) -> Vec<&'a EntryField> {
    let Difference { uklonjena, izmenjena, .. } = Difference::between(before, after);
    let means =
        |aspect: Aspect| !matches!(aspect, Aspect::Naziv | Aspect::Obavezno | Aspect::ObaveznoAko | Aspect::Referentne | Aspect::Izgled);
    let changed = izmenjena.into_iter().filter(|field| field.promene.iter().any(|change| means(change.sta))).map(|field| field.polje);
    let mut ids: BTreeSet<i64> = uklonjena.into_iter().map(|field| field.polje).chain(changed).collect();
    let now: BTreeMap<i64, &EntryField> = after.everything().map(|field| (field.id, field)).collect();
    let renamed = before.everything().filter(|field| now.get(&field.id).is_some_and(|now| now.sifra != field.sifra));
    ids.extend(renamed.map(|field| field.id));
    before.everything().filter(|field| ids.contains(&field.id)).collect()
}
