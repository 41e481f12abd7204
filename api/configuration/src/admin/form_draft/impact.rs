//! What a draft would make of what is stored, before it is published: page by page, each as long as a screen waits, so that a form of a
//! hundred thousand entries holds no connection for longer. Entries are named by their number only, and only those that the designer may open:
//! bounds that are moved from draft to draft would tell the values of each.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Instant,
};

use accounts::auth::Actor;
use axum::extract::State;
use clinical::entries::values::wrong_number;
use domain::{
    answer::Answer,
    db,
    entry::{
        difference::{Aspect, Difference},
        files,
        form::{EntryField, EntryForm, FormError},
        recompute::{Course, CourseEntry, Reason, Verdict, Versions, courses, other_results, patients_after},
        settle::other_units,
    },
    register::ValueType,
};
use platform::{
    error::{Error, Result},
    extract::{Json, Path, Query},
    routes::{Routes, routes},
    state::{AppState, Counting},
};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use utoipa::{IntoParams, ToSchema};

use super::{Designer, against, check, live::Live, own, publish, with_stored_types, wording::Wording};
use crate::admin::{impact::Change, other_forms, usage};

/// Entries that a list names at once.
const LISTED: i64 = 200;

pub fn routes() -> Routes {
    Routes::new().routes(routes!(impact)).routes(routes!(entries))
}

#[derive(Deserialize, IntoParams)]
struct From {
    /// Where the page before ended (`sledeci`); none: from the beginning.
    od: Option<i64>,
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(rename_all = "camelCase")]
struct ImpactQuery {
    /// Where the page before ended (`sledeci`); none: from the beginning.
    od: Option<i64>,
    /// Ids of items whose new name is another answer, with commas between them.
    druge_stavke: Option<String>,
    /// Ids of types whose unit is only spelt otherwise, likewise.
    iste_jedinice: Option<String>,
    /// Whether the recomputation ends signatures; else what is signed stays as it is.
    #[serde(default)]
    zavrsi_potpise: bool,
}

impl ImpactQuery {
    fn wording(&self) -> Result<Wording> {
        let ids = |text: &Option<String>| -> Result<Vec<i64>> {
            let ids = text.iter().flat_map(|text| text.split(',')).filter(|id| !id.is_empty()).map(str::parse);
            ids.collect::<std::result::Result<_, _>>().map_err(|_| Error::malformed("Lista oznaka nije ispravna."))
        };
        Ok(Wording { druge_stavke: ids(&self.druge_stavke)?, iste_jedinice: ids(&self.iste_jedinice)? })
    }
}

#[derive(Default, Serialize, ToSchema)]
#[schema(as = DraftImpact)]
#[serde(rename_all = "camelCase")]
struct Page {
    /// Entries of the form that a recomputation looks at: neither deleted ones nor those of deleted or anonymous patients.
    unosa: i64,
    /// Entries that this page has looked at.
    pregledano: i64,
    /// Where the next page goes on; none: that was all.
    sledeci: Option<i64>,
    /// Stored results that the draft's formulas give otherwise, and that are marked where nothing is recomputed.
    rezultati: Vec<TouchedValue>,
    preracunavanje: DraftRecomputation,
    /// Stored values that are outside of bounds, or have too many decimals, and were not by the version of their entry.
    van_granica: Vec<TouchedValue>,
    /// Fields whose stored files are more, larger or of other kinds than they would take, and were not by the version of their entry.
    fajlovi: Vec<TouchedValue>,
    /// Stored values that were entered in another unit.
    jedinice: Vec<TouchedValue>,
    /// Who reads what the draft changes; only with the first page.
    citaoci: Option<Readers>,
}

/// What a recomputation by the draft makes of the entries, to the number.
#[derive(Default, Serialize, ToSchema)]
#[schema(as = DraftRecomputation)]
struct DraftRecomputation {
    /// Results that become others.
    rezultati: Vec<TouchedValue>,
    /// Entries with such a result, or with a result that is blank from then on.
    promenjeno: i64,
    /// Entries that are in the new version afterwards with what they have.
    prevedeno: i64,
    /// Entries that stay as they are.
    ostavljeno: Vec<LeftEntry>,
    /// Signed entries that become others where signatures are to end, whether they are or not.
    potpisa: i64,
}

#[derive(Serialize, ToSchema)]
#[schema(as = DraftLeftEntry)]
struct LeftEntry {
    /// None: one that the designer may not open.
    unos: Option<i64>,
    razlog: Reason,
    /// The field that it is about, by its name in the draft or in the entry's version.
    polje: Option<String>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = TouchedValue)]
struct TouchedValue {
    /// None: of one that the designer may not open.
    unos: Option<i64>,
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

#[utoipa::path(get, path = "/api/forms/{id}/draft/impact", params(ImpactQuery),
    responses((status = 200, body = Page), (status = 422, description = "Ima grešaka")))]
async fn impact(
    State(state): State<AppState>,
    actor: Designer,
    Path(id): Path<i64>,
    Query(asked): Query<ImpactQuery>,
) -> Result<Json<Page>> {
    let _turn = state.long_answers.turn().await?;
    let (before, after) = as_published(&state, &actor, id, &asked.wording()?).await?;
    let mut db = state.db.acquire().await?;
    let unosa = sqlx::query_scalar!(
        r#"select count(*) as "count!" from entry e join patient p on p.id = e.pacijent_id
            where e.tsa_id = $1 and e.aktivan and p.aktivan and p.anonimizovan_at is null"#,
        id
    )
    .fetch_one(&mut *db)
    .await?;
    let mut page = Page { unosa, ..Page::default() };
    if asked.od.is_none() {
        page.citaoci = Some(readers(&mut db, &state.config.template_dir, &before, &after).await?);
    }
    let weighing = Weighing::between(&before, after, state.counting);
    Weighing { ends_signatures: asked.zavrsi_potpise, ..weighing }.page(&mut db, asked.od.unwrap_or_default(), &mut page).await?;
    page.keep_back(&mut db, &actor).await?;
    Ok(Json(page))
}

impl Page {
    /// Entries that the designer may not open stay in the numbers alone.
    async fn keep_back(&mut self, db: &mut PgConnection, actor: &Actor) -> sqlx::Result<()> {
        let touched =
            [&mut self.rezultati, &mut self.preracunavanje.rezultati, &mut self.van_granica, &mut self.fajlovi, &mut self.jedinice];
        let left = self.preracunavanje.ostavljeno.iter_mut().map(|left| &mut left.unos);
        let told: Vec<&mut Option<i64>> = touched.into_iter().flatten().map(|touched| &mut touched.unos).chain(left).collect();
        let entries: Vec<i64> = told.iter().filter_map(|entry| **entry).collect();
        let opened: BTreeSet<i64> = opened(db, actor, &entries).await?.into_iter().collect();
        for entry in told {
            *entry = entry.filter(|id| opened.contains(id));
        }
        Ok(())
    }
}

/// Of these, the entries that the worker may open.
async fn opened(db: &mut PgConnection, actor: &Actor, entries: &[i64]) -> sqlx::Result<Vec<i64>> {
    if !actor.prava.open_patients() || entries.is_empty() {
        return Ok(Vec::new());
    }
    sqlx::query_scalar!(
        "select e.id from entry e
          where e.id = any ($1) and knows_patient($2, e.pacijent_id)
            and (e.ustanova_id = $2 or not reads_own_entries_only($2, e.pacijent_id))",
        entries,
        actor.ustanova_id
    )
    .fetch_all(db)
    .await
}

/// The form as it is live, and as publishing would leave it: written, read, and taken back, so that its description is the one that a
/// recomputation reads.
async fn as_published(state: &AppState, actor: &Designer, id: i64, wording: &Wording) -> Result<(EntryForm, EntryForm)> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    publish::lock(&mut tx, id).await?;
    let kept = own(&mut tx, id, actor).await?;
    let live = Live::load(&mut tx, id).await?;
    let before = EntryForm::load(&mut tx, id).await?;
    let mut document = with_stored_types(&mut tx, kept.document, &live).await?;
    // What is searched is no part of the description, and the search is not laid out anew for a count.
    for field in &mut document.polja {
        let was = live.document.field(field.id);
        field.own.pretrazuje_se = was.map_or(field.own.pretrazuje_se, |was| was.own.pretrazuje_se);
    }
    let mut checked = check::check(&document, &live.document, check::beside(&mut tx, id, &document).await?);
    let mut faults = std::mem::take(&mut checked.faults);
    faults.extend(against::faults(&mut tx, id, &document, &live, None).await?);
    if let Some(first) = faults.into_iter().next() {
        return Err(Error::invalid(format!("{}.{}", first.naziv, first.svojstvo), format!("{}: {}", first.naziv, first.poruka)));
    }
    publish::write(&mut tx, id, &document, &checked, &live, wording).await?;
    other_forms::refuse_broken_readers_of(&mut tx, id).await?;
    let after = EntryForm::load(&mut tx, id).await?;
    tx.rollback().await?;
    Ok((before, after))
}

/// The entries of the form that the designer may open, a page of them.
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
        "select e.id from entry e
          where e.tsa_id = $1 and e.aktivan and e.id > $2 and $4 and knows_patient($5, e.pacijent_id)
            and (e.ustanova_id = $5 or not reads_own_entries_only($5, e.pacijent_id))
          order by e.id limit $3",
        id,
        from.od.unwrap_or_default(),
        LISTED + 1,
        actor.prava.open_patients(),
        actor.ustanova_id
    );
    let mut entries = listed.fetch_all(&mut *db).await?;
    let more = i64::try_from(entries.len()).is_ok_and(|found| found > LISTED);
    entries.truncate(usize::try_from(LISTED).unwrap_or_default());
    Ok(Json(Entries { sledeci: entries.last().copied().filter(|_| more), unosi: entries }))
}

/// Names of fields by their ids.
type Names = BTreeMap<i64, String>;

struct Weighing<'a> {
    before: &'a EntryForm,
    ends_signatures: bool,
    versions: Versions,
    /// Of the draft's fields.
    names: Names,
    results: BTreeSet<i64>,
    counting: Counting,
    until: Instant,
}

impl<'a> Weighing<'a> {
    fn between(before: &'a EntryForm, after: EntryForm, counting: Counting) -> Self {
        let until = Instant::now() + counting.page;
        let was = before.by_id();
        let touched = Change { before, after: &after, marks: false, until }.touched_results();
        let results = touched.into_iter().filter(|id| was.contains_key(id)).collect();
        let names = after.fields.iter().map(|field| (field.id, field.naziv.clone())).collect();
        Self { before, ends_signatures: false, versions: Versions::below(after), names, results, counting, until }
    }

    /// Patient by patient, as a recomputation goes: an entry reads the one before it as it would be by then.
    async fn page(mut self, db: &mut PgConnection, from: i64, page: &mut Page) -> Result<()> {
        let (begin, mut from) = (from, from);
        loop {
            let patients = patients_after(&mut *db, &self.versions.newest, from, self.counting.chunk).await?;
            let Some(last) = patients.last().copied() else { return Ok(()) };
            if from != begin && Instant::now() >= self.until {
                page.sledeci = Some(from);
                return Ok(());
            }
            let courses = courses(&mut *db, &self.versions.newest, &patients).await?;
            for course in &courses {
                self.course(&mut *db, course, page).await?;
            }
            self.marked(&mut *db, &courses, page).await?;
            from = last;
        }
    }

    /// Results that are marked where nothing is recomputed, as publishing counts them.
    async fn marked(&self, db: &mut PgConnection, courses: &[Course], page: &mut Page) -> Result<()> {
        if self.results.is_empty() {
            return Ok(());
        }
        let ids: Vec<i64> = courses.iter().flat_map(|course| &course.entries).map(|entry| entry.id).collect();
        let newest = &self.versions.newest;
        let change = Change { before: self.before, after: newest, marks: false, until: self.until };
        let (stale, _) = change.stale_of(db, &self.results, &ids).await?;
        page.rezultati.extend(stale.into_iter().map(|(unos, field)| touched(&self.names, unos, field)));
        Ok(())
    }

    async fn course(&mut self, db: &mut PgConnection, course: &Course, page: &mut Page) -> std::result::Result<(), FormError> {
        self.versions.ends_signatures = self.ends_signatures;
        let verdicts = course.weigh(&mut *db, &mut self.versions).await?;
        if course.entries.iter().any(is_signed) {
            self.versions.ends_signatures = true;
            let ended = course.weigh(&mut *db, &mut self.versions).await?.into_iter().zip(&course.entries);
            let ended = ended.filter(|(verdict, entry)| is_signed(entry) && matches!(verdict, Verdict::Taken { .. })).count();
            page.preracunavanje.potpisa += i64::try_from(ended).unwrap_or(i64::MAX);
        }
        for (entry, verdict) in course.entries.iter().zip(verdicts) {
            page.pregledano += 1;
            let (kept, newest) = self.versions.pair(&mut *db, entry.version).await?;
            tell((kept, newest), &self.names, entry, verdict, &mut page.preracunavanje);
            otherwise((kept, newest), &self.names, entry, page);
        }
        Ok(())
    }
}

fn is_signed(entry: &CourseEntry) -> bool {
    entry.closed == Some(Reason::Potpisan)
}

fn tell((kept, newest): (&EntryForm, &EntryForm), names: &Names, entry: &CourseEntry, verdict: Verdict, told: &mut DraftRecomputation) {
    match verdict {
        Verdict::Right => {}
        Verdict::Taken { values, .. } if values == entry.values => told.prevedeno += 1,
        Verdict::Taken { values, .. } => {
            told.promenjeno += 1;
            let others = other_results(newest, &entry.values, &values);
            told.rezultati.extend(others.into_iter().map(|field| touched(names, entry.id, field)));
        }
        Verdict::Left { reason, field } => {
            let named = |form: &EntryForm, id: i64| form.everything().find(|field| field.id == id).map(|field| field.naziv.clone());
            let polje = field.and_then(|id| named(newest, id).or_else(|| named(kept, id)));
            told.ostavljeno.push(LeftEntry { unos: Some(entry.id), razlog: reason, polje });
        }
    }
}

/// What of an entry was right by its own version and is not by the newest one, and numbers in another unit.
fn otherwise((kept, newest): (&EntryForm, &EntryForm), names: &Names, entry: &CourseEntry, page: &mut Page) {
    let was = kept.by_id();
    for now in newest.fields.iter().filter(|field| !field.is_calculated()) {
        let (Some(was), Some(held)) = (was.get(&now.id), entry.values.get(&now.id)) else { continue };
        if let Some(number) = Answer::number(now.tva_num_vrednost, held) {
            if wrong_number(was, number, false).is_none() && wrong_number(now, number, false).is_some() {
                page.van_granica.push(touched(names, entry.id, now.id));
            }
        } else if now.tva_num_vrednost == ValueType::File
            && files::fault(was, held, None).is_none()
            && files::fault(now, held, None).is_some()
        {
            page.fajlovi.push(touched(names, entry.id, now.id));
        }
    }
    let other = other_units(kept, newest, &entry.values, &entry.entered);
    page.jedinice.extend(other.map(|(field, _)| touched(names, entry.id, field)));
}

fn touched(names: &Names, entry: i64, field: i64) -> TouchedValue {
    TouchedValue { unos: Some(entry), polje: names.get(&field).cloned().unwrap_or_default() }
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
