//! A form is edited as a draft and published. What is live stays as it is while a draft is prepared; each worker has a draft of the own
//! (docs/decisions/0039-a-form-is-edited-as-a-draft.md).

mod against;
mod check;
pub mod document;
pub mod from_file;
mod from_version;
mod impact;
mod live;
pub mod order;
mod publish;
mod rebase;
mod shape;
mod shared;
mod store;
pub mod wording;

use std::{collections::BTreeMap, path::Path as FilePath};

use accounts::{audit, auth::Actor, rights::Allowed};
use axum::{
    extract::{DefaultBodyLimit, State},
    http::StatusCode,
    response::{IntoResponse, Response},
};
use domain::{
    db,
    entry::{
        difference::Difference,
        form::EntryForm,
        rules::EntryRule,
        version::{self, Publication, publications},
    },
    text,
    time::server_text,
};
use platform::{
    error::{self, Error, ErrorBody, Result},
    extract::{Json, Path},
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use utoipa::ToSchema;

use self::{
    check::{DraftCheck, Fault, ParsedFormulas},
    document::{Document, DraftField},
    live::Live,
    rebase::{Change, Prefers},
    shared::SharedType,
    store::{Origin, StoredDraft},
    wording::{Rename, Wording, renames},
};
use crate::{
    admin::{
        form::Form,
        impact::Before,
        other_forms,
        queries::FirstValues,
        recomputation::{self, SignatureChoice},
        visit_plan,
    },
    crud::WriteAccess,
};

/// Who may configure forms.
type Designer = Allowed<WriteAccess<Form>>;

/// Bytes of a document: a form of thousands of fields, with pictures.
const LONGEST_DOCUMENT: usize = 32 << 20;
/// Changes of others that a refusal names; the rest are on the screen.
const NAMED: usize = 5;
/// Characters of what whoever publishes says.
const LONGEST_NOTE: usize = 1000;

pub fn routes() -> Routes {
    Routes::new()
        .routes(routes!(read, create, save, discard))
        .routes(routes!(changes))
        .routes(routes!(take_over))
        .routes(routes!(publish_draft))
        .merge(impact::routes())
        .merge(shared::routes())
        .layer(DefaultBodyLimit::max(LONGEST_DOCUMENT))
}

/// Where a form stands with its designers.
#[derive(Serialize, ToSchema)]
struct FormDesign {
    /// The worker's own draft, where there is one.
    nacrt: Option<Draft>,
    drugi: Vec<OtherDraft>,
}

#[derive(Serialize, ToSchema)]
struct OtherDraft {
    radnik: String,
    /// Of its last save.
    vreme: String,
}

#[derive(Serialize, ToSchema)]
#[schema(as = FormDraft)]
#[serde(rename_all = "camelCase")]
struct Draft {
    id: i64,
    /// A save must carry it.
    verzija: i32,
    /// The version that it was taken from; none: the form as it was live.
    od_verzije: Option<i32>,
    /// That version, for whoever looks at the draft.
    izvor: Option<DraftSource>,
    dokument: Document,
    #[serde(flatten)]
    stanje: Standing,
    /// Of a draft that was made of a version: what could not become what it was.
    napomene: Vec<String>,
}

/// The version that a draft was taken from.
#[derive(Serialize, ToSchema)]
struct DraftSource {
    broj: i32,
    /// When it was made.
    vreme: String,
    objave: Vec<Publication>,
}

/// What there is to say of a document.
#[derive(Serialize, ToSchema)]
#[schema(as = DraftStanding)]
struct Standing {
    /// It is not published while there are any.
    greske: Vec<Fault>,
    /// These refuse nothing.
    upozorenja: Vec<Fault>,
    /// Parsed formulas by field.
    #[schema(value_type = BTreeMap<String, ParsedFormulas>)]
    formule: BTreeMap<i64, ParsedFormulas>,
    /// Rules whose conditions can be read.
    pravila: Vec<EntryRule>,
    /// Types that are not the draft's to change.
    zajednicki: Vec<SharedType>,
    /// Whether the live form has changed since the draft was taken from it.
    izmenjeno: bool,
}

#[derive(Serialize, ToSchema)]
#[schema(as = SavedDraft)]
struct SavedDraft {
    verzija: i32,
    #[serde(flatten)]
    stanje: Standing,
}

#[utoipa::path(get, path = "/api/forms/{id}/draft", responses((status = 200, body = FormDesign)))]
async fn read(State(state): State<AppState>, actor: Designer, Path(id): Path<i64>) -> Result<Json<FormDesign>> {
    let kept = store::find(&mut *state.db.acquire().await?, id, actor.radnik_id).await?;
    let kept = match kept {
        Some(kept) => Some((queries(&state, &actor, &kept.document, &kept.base).await, kept)),
        None => None,
    };
    let mut db = state.db.acquire().await?;
    let live = Live::load(&mut db, id).await?;
    let nacrt = match kept {
        Some((queries, kept)) => Some(shown(&mut db, id, kept, &live, &queries).await?),
        None => None,
    };
    let drugi = store::of_others(&mut db, id, actor.radnik_id).await?;
    let drugi = drugi.into_iter().map(|(radnik, vreme)| OtherDraft { radnik, vreme: server_text(vreme) }).collect();
    Ok(Json(FormDesign { nacrt, drugi }))
}

#[derive(Deserialize, ToSchema)]
#[schema(as = NewFormDraft)]
struct NewDraft {
    /// Number of a version that the form has had; none: the form as it is live.
    verzija: Option<i32>,
}

#[utoipa::path(post, path = "/api/forms/{id}/draft", request_body = NewDraft,
    responses((status = 201, body = Draft), (status = 409, description = "Već imate nacrt")))]
async fn create(
    State(state): State<AppState>,
    actor: Designer,
    Path(id): Path<i64>,
    Json(body): Json<NewDraft>,
) -> Result<(StatusCode, Json<Draft>)> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let live = Live::load(&mut tx, id).await?;
    let (document, origin) = match body.verzija {
        None => (live.document.clone(), Origin::default()),
        Some(broj) => {
            let taken = from_version::document(&mut tx, id, broj, &live).await?;
            (taken.document, Origin { broj: Some(broj), notes: taken.notes })
        }
    };
    store::make(&mut tx, id, actor.radnik_id, &document, &live, &origin).await?;
    let kept = own(&mut tx, id, &actor).await?;
    tx.commit().await?;
    let queries = queries(&state, &actor, &kept.document, &kept.base).await;
    let draft = shown(&mut *state.db.acquire().await?, id, kept, &live, &queries).await?;
    Ok((StatusCode::CREATED, Json(draft)))
}

#[derive(Deserialize, ToSchema)]
#[schema(as = FormDraftSave)]
struct Save {
    /// Of the draft that was changed.
    verzija: i32,
    dokument: Document,
}

/// A draft may be saved with faults.
#[utoipa::path(put, path = "/api/forms/{id}/draft", request_body = Save,
    responses((status = 200, body = SavedDraft), (status = 409, description = "Nacrt je snimljen na drugom mestu")))]
async fn save(State(state): State<AppState>, actor: Designer, Path(id): Path<i64>, Json(body): Json<Save>) -> Result<Json<SavedDraft>> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let kept = store::locked(&mut tx, id, actor.radnik_id, body.verzija).await?;
    let live = Live::load(&mut tx, id).await?;
    let document = with_stored_types(&mut tx, body.dokument, &live).await?;
    let verzija = store::save(&mut tx, kept.id, &document).await?;
    tx.commit().await?;
    let queries = queries(&state, &actor, &document, &kept.base).await;
    let stanje = standing(&mut *state.db.acquire().await?, id, &document, &kept.base, &live, &queries).await?;
    Ok(Json(SavedDraft { verzija, stanje }))
}

#[utoipa::path(delete, path = "/api/forms/{id}/draft", responses((status = 204)))]
async fn discard(State(state): State<AppState>, actor: Designer, Path(id): Path<i64>) -> Result<StatusCode> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    if !store::remove(&mut tx, id, actor.radnik_id).await? {
        return Err(Error::NotFound);
    }
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// What the draft changes, and what others have changed meanwhile.
#[derive(Serialize, ToSchema)]
#[schema(as = DraftChanges)]
struct Changes {
    /// As entries see it.
    razlike: Difference,
    /// Everything, in the administration's own terms.
    moje: Vec<Change>,
    tudje: Vec<Change>,
    /// What both have changed otherwise.
    sukobi: Vec<Change>,
    /// Items and units that entries hold and that the draft writes otherwise: whoever publishes says what they mean.
    preimenovano: Vec<Rename>,
}

#[utoipa::path(get, path = "/api/forms/{id}/draft/changes", responses((status = 200, body = Changes)))]
async fn changes(State(state): State<AppState>, actor: Designer, Path(id): Path<i64>) -> Result<Json<Changes>> {
    let mut db = state.db.acquire().await?;
    let kept = own(&mut db, id, &actor).await?;
    let live = Live::load(&mut db, id).await?;
    let today = EntryForm::load(&mut db, id).await?;
    let document = with_stored_types(&mut db, kept.document, &live).await?;
    let beside = check::beside(&mut db, id, &document).await?;
    let draft = shape::entry_form(id, &document, &check::check(&document, &live.document, beside), &live)?;
    Ok(Json(Changes {
        razlike: Difference::between(&today, &draft),
        moje: rebase::changes(&kept.base, &document)?,
        tudje: rebase::changes(&kept.base, &live.document)?,
        sukobi: rebase::rebase(&kept.base, &document, &live.document, Prefers::Moje)?.clashes,
        preimenovano: renames(&mut db, id, &live.document, &document).await?,
    }))
}

#[derive(Deserialize, ToSchema)]
#[schema(as = FormDraftRebase)]
struct TakeOver {
    verzija: i32,
    /// Whose change stands where both have changed one thing; none: it is refused where there is such a thing.
    sukobi: Option<Prefers>,
}

/// Takes what others have published or changed meanwhile into the draft.
#[utoipa::path(post, path = "/api/forms/{id}/draft/rebase", request_body = TakeOver,
    responses((status = 200, body = Draft), (status = 409, description = "Isto je menjano na dva mesta")))]
async fn take_over(State(state): State<AppState>, actor: Designer, Path(id): Path<i64>, Json(body): Json<TakeOver>) -> Result<Json<Draft>> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let kept = store::locked(&mut tx, id, actor.radnik_id, body.verzija).await?;
    let live = Live::load(&mut tx, id).await?;
    let rebased = rebase::rebase(&kept.base, &kept.document, &live.document, body.sukobi.unwrap_or(Prefers::Moje))?;
    if body.sukobi.is_none() && !rebased.clashes.is_empty() {
        let message = format!("Isto je menjano u nacrtu i u formularu: {}. Izaberite čija izmena ostaje.", named(&rebased.clashes));
        return Err(Error::conflict(message));
    }
    store::rest_on(&mut tx, kept.id, &live, &rebased.document).await?;
    let kept = own(&mut tx, id, &actor).await?;
    tx.commit().await?;
    let queries = queries(&state, &actor, &kept.document, &kept.base).await;
    Ok(Json(shown(&mut *state.db.acquire().await?, id, kept, &live, &queries).await?))
}

#[derive(Deserialize, ToSchema)]
#[schema(as = FormDraftPublish)]
#[serde(rename_all = "camelCase")]
struct Publish {
    verzija: i32,
    /// How many stored results differ after it, as whoever publishes was told.
    potvrdjeno_rezultata: Option<i64>,
    /// Whether stored results are computed anew afterwards; else they stay as they are, and are marked.
    #[serde(default)]
    preracunaj: bool,
    #[serde(flatten)]
    signatures: SignatureChoice,
    #[serde(flatten)]
    wording: Wording,
    /// What whoever publishes says of the version.
    #[serde(default, deserialize_with = "text::optional")]
    napomena: Option<String>,
}

/// 422: the draft has faults, each with its place.
#[derive(Serialize, ToSchema)]
#[schema(as = DraftRefusal)]
#[serde(rename_all = "camelCase")]
struct Refusal {
    #[serde(flatten)]
    error: ErrorBody,
    greske_nacrta: Vec<Fault>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = PublishedForm)]
struct PublishedForm {
    /// Number of the form's version.
    broj: i32,
    /// The recomputation that begins; none where it was not asked for.
    preracunavanje: Option<i64>,
}

/// The draft becomes the live form, whole or not at all, and the newest version.
#[utoipa::path(post, path = "/api/forms/{id}/draft/publish", request_body = Publish,
    responses((status = 200, body = PublishedForm), (status = 409, description = "Formular je u međuvremenu izmenjen"),
        (status = 422, body = Refusal, description = "Ima grešaka")))]
async fn publish_draft(State(state): State<AppState>, actor: Designer, Path(id): Path<i64>, Json(body): Json<Publish>) -> Result<Response> {
    if body.napomena.as_ref().is_some_and(|note| note.chars().count() > LONGEST_NOTE) {
        return Err(Error::invalid("napomena", format!("Napomena može imati najviše {LONGEST_NOTE} znakova.")));
    }
    let ends_signatures = if body.preracunaj { body.signatures.reason(&actor)? } else { None };
    let asked = store::find(&mut *state.db.acquire().await?, id, actor.radnik_id).await?;
    let queries = match asked {
        Some(kept) => queries(&state, &actor, &kept.document, &kept.base).await,
        None => FirstValues::default(),
    };
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    publish::lock(&mut tx, id).await?;
    let before = Before::of_form(&mut tx, id).await?;
    let kept = store::locked(&mut tx, id, actor.radnik_id, body.verzija).await?;
    let live = Live::load(&mut tx, id).await?;
    refuse_moved(&kept, &live)?;
    let document = with_stored_types(&mut tx, kept.document, &live).await?;
    if rebase::changes(&live.document, &document)?.is_empty() {
        return Err(Error::conflict("Nacrt ne menja ništa."));
    }
    let (checked, faults) = examined(&mut tx, id, &document, &live, &queries, Some(&state.config.template_dir)).await?;
    if !faults.is_empty() {
        return Ok(refusal(faults));
    }
    publish::write(&mut tx, id, &document, &checked, &live, &body.wording).await?;
    visit_plan::refuse_broken_conditions(&mut tx, id).await?;
    other_forms::refuse_broken_readers_of(&mut tx, id).await?;
    before.settle(&mut tx, body.potvrdjeno_rezultata).await?;
    let version = version::make(&mut tx, id).await?;
    recomputation::known_to_version(&mut tx, version).await?;
    recomputation::supersede(&mut tx, id, version).await?;
    let recomputation = match body.preracunaj {
        true => recomputation::order(&mut tx, &actor, id, version, ends_signatures).await?,
        false => None,
    };
    let broj = sqlx::query_scalar!("select broj from form_version where id = $1", version).fetch_one(&mut *tx).await?;
    version::note_publication(&mut tx, version, actor.radnik_id, body.napomena.as_deref()).await?;
    store::remove(&mut tx, id, actor.radnik_id).await?;
    audit::published(&mut tx, &actor, "form", id, &format!("verzija {broj}")).await?;
    tx.commit().await?;
    if let Some(asked) = recomputation {
        recomputation::announce(&state, asked);
    }
    Ok(Json(PublishedForm { broj, preracunavanje: recomputation }).into_response())
}

fn refuse_moved(kept: &StoredDraft, live: &Live) -> Result<()> {
    if kept.base == live.document {
        return Ok(());
    }
    let others = rebase::changes(&kept.base, &live.document)?;
    let message = format!("Formular je izmenjen otkad je nacrt napravljen: {}. Preuzmite izmene, pa objavite.", named(&others));
    Err(Error::conflict(message))
}

fn named(changes: &[Change]) -> String {
    let names: Vec<String> = changes.iter().filter(|change| !change.naziv.is_empty()).map(|change| format!("„{}”", change.naziv)).collect();
    match names.len() {
        0 => "redosled".to_owned(),
        count if count > NAMED => format!("{} i još {}", names[..NAMED].join(", "), count - NAMED),
        _ => names.join(", "),
    }
}

/// All of them, each where it is.
fn refusal(faults: Vec<Fault>) -> Response {
    let told = |fault: &Fault| error::Fault {
        field: format!("{}.{}", fault.naziv, fault.svojstvo).into(),
        message: match fault.mesto {
            Some(place) => format!("{}: {} (mesto {place})", fault.naziv, fault.poruka).into(),
            None => format!("{}: {}", fault.naziv, fault.poruka).into(),
        },
    };
    let error = Error::Faults(faults.iter().map(told).collect());
    (error.status(), Json(Refusal { error: error.body(), greske_nacrta: faults })).into_response()
}

async fn own(db: &mut PgConnection, form: i64, actor: &Actor) -> Result<StoredDraft> {
    store::find(db, form, actor.radnik_id).await?.ok_or(Error::NotFound)
}

/// What is wrong with the queries that the draft changes; what stands there already is not held to it. Asked with no connection in hand, and
/// whoever saves is answered though the server of the reports is not.
async fn queries(state: &AppState, actor: &Actor, document: &Document, base: &Document) -> FirstValues {
    let was: BTreeMap<i64, &str> = base.polja.iter().filter_map(|field| Some((field.id, query_of(field)?))).collect();
    let changed = document.polja.iter().filter_map(|field| query_of(field).filter(|now| was.get(&field.id) != Some(now)));
    let changed: Vec<&str> = changed.collect();
    match FirstValues::of(state, actor, changed.iter().copied()).await {
        Ok(found) => found,
        Err(cause) => {
            tracing::warn!(?cause, "the queries of a draft were not planned");
            FirstValues::unknown(changed)
        }
    }
}

fn query_of(field: &DraftField) -> Option<&str> {
    field.own.upit_inicijalna_vrednost.as_deref()
}

async fn shown(db: &mut PgConnection, form: i64, kept: StoredDraft, live: &Live, queries: &FirstValues) -> Result<Draft> {
    let StoredDraft { id, document, base, od_verzije, napomene, verzija, .. } = kept;
    let document = with_stored_types(&mut *db, document, live).await?;
    let stanje = standing(&mut *db, form, &document, &base, live, queries).await?;
    let izvor = match od_verzije {
        Some(broj) => source(db, form, broj).await?,
        None => None,
    };
    Ok(Draft { id, verzija, od_verzije, izvor, dokument: document, stanje, napomene })
}

async fn source(db: &mut PgConnection, form: i64, broj: i32) -> Result<Option<DraftSource>> {
    let version = sqlx::query!(
        r#"select id, napravljena as "napravljena: jiff_sqlx::Timestamp" from form_version where form_id = $1 and broj = $2"#,
        form,
        broj
    );
    let Some(version) = version.fetch_optional(&mut *db).await? else { return Ok(None) };
    let objave = publications(db, &[version.id]).await?.remove(&version.id).unwrap_or_default();
    Ok(Some(DraftSource { broj, vreme: server_text(version.napravljena.to_jiff()), objave }))
}

/// Types that the form does not have yet are as the database has them.
async fn with_stored_types(db: &mut PgConnection, document: Document, live: &Live) -> Result<Document> {
    let mut document = document.tidy();
    let own = live.document.types();
    let chosen: Vec<i64> = document.tipovi.iter().map(|known| known.id).filter(|id| *id > 0 && !own.contains_key(id)).collect();
    if !chosen.is_empty() {
        document.take_types(&live::types(db, &chosen).await?);
    }
    Ok(document)
}

async fn standing(
    db: &mut PgConnection,
    form: i64,
    document: &Document,
    base: &Document,
    live: &Live,
    queries: &FirstValues,
) -> Result<Standing> {
    let (checked, greske) = examined(&mut *db, form, document, live, queries, None).await?;
    Ok(Standing {
        zajednicki: shared::of_document(db, form, document, live).await?,
        greske,
        upozorenja: checked.warnings,
        formule: checked.formulas,
        pravila: checked.rules,
        izmenjeno: *base != live.document,
    })
}

/// All faults, those that only the database and the server of the reports know among them.
async fn examined(
    db: &mut PgConnection,
    form: i64,
    document: &Document,
    live: &Live,
    queries: &FirstValues,
    templates: Option<&FilePath>,
) -> Result<(DraftCheck, Vec<Fault>)> {
    let beside = check::beside(&mut *db, form, document).await?;
    let mut checked = check::check(document, &live.document, beside);
    let mut faults = std::mem::take(&mut checked.faults);
    let wrong = document.polja.iter().filter_map(|field| Some((field, queries.fault(query_of(field))?)));
    faults.extend(wrong.map(|(field, fault)| Fault::of_field(field, "upitInicijalnaVrednost", fault)));
    faults.extend(against::faults(db, form, document, live, templates).await?);
    Ok((checked, faults))
}
