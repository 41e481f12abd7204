//! Saving an entry: read, merge with what others saved, compute, check, store; all of it whatever the browser already did.

use std::collections::BTreeMap;

use accounts::auth::Actor;
use axum::{
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use domain::{
    db,
    entry::{around::around, files::most, follow::follow, form_lock, quality, rows, settle::settle, units, version},
    register::ValueType,
    time,
};
use jiff::civil::Date;
use jiff_sqlx::ToSqlx;
use platform::{
    error::{Error, Result},
    extract::Json,
    last_change::{self, Change},
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sqlx::PgConnection;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    count::{self, Limits},
    dates,
    display::{ResponsibleOption, responsible_options},
    existing::{NoRoom, Place},
    files,
    form::{EntryForm, FormError},
    form_version,
    merge::{self, Answers, Clash, MergedAnswers, Part, merge},
    redate::{self, Redating},
    replay::{self, ArrivedSave},
    signature::SignatureInForce,
    stale,
    told_status::{self, TellingEntry},
    values::{self, ComputedEntry, Values, alike},
};
use crate::patients::{PatientAccess, merged};

pub fn routes() -> Routes {
    Routes::new().routes(routes!(save))
}

#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SaveRequest {
    /// None: a new entry.
    #[serde(rename = "unosID")]
    unos_id: Option<i64>,
    #[serde(rename = "tsaID")]
    tsa_id: i64,
    #[serde(rename = "registarID")]
    registar_id: i64,
    #[serde(rename = "pacijentID")]
    pacijent_id: i64,
    /// Values by field id, as the clinician left them.
    #[schema(value_type = Object)]
    vrednosti: BTreeMap<String, Value>,
    radnik_odgovoran: Option<i64>,
    datum_unosa: Option<Date>,
    verzija: Option<i32>,
    /// Values by field id as they were loaded; with `verzija` they tell whose edit is whose.
    #[serde(default)]
    #[schema(value_type = Object)]
    osnova: BTreeMap<String, Value>,
    /// The header's two answers as they were loaded.
    osnova_radnik_odgovoran: Option<i64>,
    osnova_datum_unosa: Option<Date>,
    /// Made by the client once for each save, and sent again with its retries: a save is done once.
    kljuc: Option<Uuid>,
    /// By which description of the form the values were typed (`obrazac.otisak` of what was loaded); none: by the one that the save is
    /// done by.
    obrazac: Option<String>,
    /// What was typed in other units than the fields' own, by field id: `{"broj", "jedinica"}`; of a section by row and column. Each gives
    /// the value that is sent.
    #[serde(default)]
    #[schema(value_type = Object)]
    uneto_u: units::Typed,
    /// First values that nobody has confirmed or changed yet, by field id: they are refused by name. What is sent and not named here was
    /// confirmed by whoever sends it.
    #[serde(default)]
    nepotvrdjeno: Vec<i64>,
    /// Whoever saves was told which marked results the save replaces.
    #[serde(default)]
    potvrdjeni_rezultati: bool,
    /// Whoever saves was told that the entry is signed, and that the signature ends with the save.
    #[serde(default)]
    potvrdjen_kraj_potpisa: bool,
    /// Keys of the worker's drafts that end with this save.
    #[serde(default)]
    nacrti: Vec<String>,
    /// The other forms of the entry's visit go along to its new day and its new doctor, or nothing is saved.
    #[serde(default)]
    cela_poseta: bool,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct SavedEntry {
    #[serde(rename = "snimljenUnosID")]
    snimljen_unos_id: i64,
    verzija: i32,
    /// Values as they are stored now: calculated, merged, hidden ones cleared.
    #[schema(value_type = Object)]
    pub vrednosti: Value,
    datum_unosa: Date,
    radnik_odgovoran: Option<i64>,
    /// Fields whose values were cleared because they are hidden.
    ocisceno: Vec<i64>,
    /// Relevant fields left blank.
    nepopunjeni_relevantni: Vec<i64>,
}

impl SavedEntry {
    fn of(id: i64, version: i32, form: &EntryForm, computed: ComputedEntry, date: Date, doctor: Option<i64>) -> Self {
        Self {
            snimljen_unos_id: id,
            verzija: version,
            vrednosti: values::to_json(&computed.values),
            datum_unosa: date,
            radnik_odgovoran: doctor,
            nepopunjeni_relevantni: values::blank_relevant(form, &computed),
            ocisceno: computed.cleared,
        }
    }
}

/// 409: somebody else answered the same things differently since the entry was loaded.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ClashAnswer {
    message: String,
    field: Option<String>,
    sukobi: Vec<PartClash>,
    /// Who stored what stands there now, and when.
    izmena: Option<Change>,
    /// Everything that does not clash, both people's edits in it: values by field id, `datumUnosa` and `radnikOdgovoran`.
    #[schema(value_type = Object)]
    spojeno: Value,
    /// Everything that is stored now.
    verzija: i32,
    #[schema(value_type = Object)]
    vrednosti: Value,
    datum_unosa: Date,
    radnik_odgovoran: Option<i64>,
    /// Whom the entry may name as responsible now, the stored doctor among them.
    radnici_odgovorni: Vec<ResponsibleOption>,
}

#[derive(Debug, Serialize, ToSchema)]
struct PartClash {
    /// A field's id, `datumUnosa` or `radnikOdgovoran`.
    polje: String,
    naziv: String,
    #[schema(value_type = Object)]
    moje: Option<Value>,
    #[schema(value_type = Object)]
    njihovo: Option<Value>,
}

pub(super) struct StoredEntry {
    pub id: i64,
    version: i32,
    pub form_version: i64,
    pub values: Values,
    /// What of them was typed in other units.
    pub typed: units::Typed,
    pub date: Date,
    pub doctor: Option<i64>,
    relevant_filled: bool,
    visit: i64,
}

impl StoredEntry {
    /// The answer to a save that was done before.
    fn as_saved(&self, form: &EntryForm, done: &ArrivedSave) -> SavedEntry {
        let hidden = done.cleared.iter().copied().collect();
        let computed = ComputedEntry { values: self.values.clone(), hidden, cleared: done.cleared.clone(), ..ComputedEntry::default() };
        SavedEntry::of(self.id, self.version, form, computed, self.date, self.doctor)
    }
}

#[utoipa::path(post, path = "/api/entry-values", request_body = SaveRequest,
    responses((status = 200, body = SavedEntry), (status = 409, body = ClashAnswer), (status = 422, body = NoRoom)))]
async fn save(State(state): State<AppState>, actor: Actor, Json(mut request): Json<SaveRequest>) -> Result<Response> {
    // Typed of a record that was merged meanwhile, or is at this moment.
    let named = request.pacijent_id;
    request.pacijent_id = merged::left(&mut *state.db.acquire().await?, named).await?;
    match save_once(&state, actor.clone(), request.clone()).await {
        Err(Error::HiddenPatient(hidden)) => {
            request.pacijent_id = merged::left(&mut *state.db.acquire().await?, hidden).await?;
            if request.pacijent_id == hidden { Err(Error::HiddenPatient(hidden)) } else { save_once(&state, actor, request).await }
        }
        done => done,
    }
}

async fn save_once(state: &AppState, actor: Actor, request: SaveRequest) -> Result<Response> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let access = PatientAccess::to(&mut tx, &actor, request.pacijent_id).await?;
    access.require_change()?;
    form_lock::share(&mut tx, request.tsa_id).await?;
    if let Some(id) = request.unos_id.filter(|_| request.cela_poseta) {
        redate::share_forms(&mut tx, id).await?;
    }
    let done = match request.kljuc {
        Some(key) => replay::find(&mut tx, &actor, key).await?,
        None => None,
    };
    let stored = match request.unos_id.or(done.as_ref().map(|done| done.unos_id)) {
        Some(id) => Some(lock(&mut tx, &actor, access, id, (request.pacijent_id, request.tsa_id)).await?),
        None => None,
    };
    let (form, kept) = forms(&mut tx, &request, stored.as_ref()).await?;
    if form.registar_id != request.registar_id {
        return Err(Error::NotFound);
    }
    if request.obrazac.as_ref().is_some_and(|typed_by| *typed_by != form.otisak) {
        return Ok(form_version::refusal(&form));
    }
    let mut read = values::read(&form, &request.vrednosti)?;
    files::known(&mut tx, &actor, &form, request.pacijent_id, stored.as_ref().map(|stored| stored.id), &mut read).await?;
    if let Some((field, message)) = units::refusal(&form, &read, &request.uneto_u) {
        return Err(Error::invalid(field, message));
    }
    let typed = answers(read, request.datum_unosa, request.radnik_odgovoran, &form);
    let done = done.filter(|done| done.is_news_to(request.verzija));
    if let (Some(stored), Some(done)) = (&stored, &done)
        && done.sent == typed
    {
        return Ok(Json(stored.as_saved(&form, done)).into_response());
    }
    let answers = match &stored {
        Some(stored) => {
            let merged = merged_with(stored, &typed, done.as_ref(), &request, &form);
            if !merged.clashes.is_empty() {
                return clash(&mut tx, &actor, &form, stored, merged).await;
            }
            merged.answers
        }
        None => typed.clone(),
    };
    let (mut entered, date, doctor) = parts(answers);
    values::untick(&form.fields, &mut entered);
    let today = state.clock.now().to_zoned(time::zone()).date();
    let around =
        around(&mut tx, &form, request.pacijent_id, actor.ustanova()?, date, stored.as_ref().map(|stored| stored.id), today).await?;
    let mut computed = values::compute(&form, entered, &around);
    let typed_before = stored.as_ref().map(|stored| stored.typed.clone()).unwrap_or_default();
    computed.typed = units::kept(&form, &computed.values, &request.uneto_u, &typed_before);
    values::check(&form, &computed, stored.as_ref().map(|stored| &stored.values))?;
    values::refuse_unconfirmed(&form, &computed, &request.nepotvrdjeno)?;
    values::refuse_broken(&form, &computed, stored.as_ref().map(|stored| (&stored.values, stored.date)), date)?;
    values::refuse_retired(&form, &computed, stored.as_ref().map(|stored| &stored.values))?;
    let date = dates::examined(&mut tx, request.pacijent_id, date, stored.as_ref().map(|stored| stored.date), today).await?;
    let doctor = responsible(&mut tx, &actor, doctor, stored.as_ref().and_then(|stored| stored.doctor)).await?;
    if let Some(stored) = stored.as_ref().filter(|_| !request.potvrdjeni_rezultati)
        && let Some(answer) = stale::rewritten(&mut tx, stored.id, &form, &stored.values, &computed.values).await?
    {
        return Ok((StatusCode::CONFLICT, axum::Json(answer)).into_response());
    }
    if let Some(refusal) = no_room(&mut tx, request.pacijent_id, stored.as_ref(), &form, date).await? {
        let moved = stored.as_ref().map(|stored| stored.id);
        let place = Place { patient: request.pacijent_id, form: form.id, day: date, moved };
        return Ok(NoRoom::at(&mut tx, &actor, access, &place, refusal).await?.into_response());
    }
    let signed = match stored.as_ref().filter(|_| !request.potvrdjen_kraj_potpisa) {
        Some(stored) => SignatureInForce::of(&mut tx, stored.id).await?,
        None => None,
    };
    let saved = match &stored {
        Some(stored) => change(&mut tx, stored, &form, computed, date, doctor).await?,
        None => insert(&mut tx, &actor, &request, &form, computed, date, doctor).await?,
    };
    // Nothing of it is done: the transaction ends here.
    if let Some(signed) = signed.filter(|_| stored.as_ref().is_some_and(|stored| stored.version != saved.verzija)) {
        return Err(signed.asks());
    }
    let before = stored.as_ref().map(|stored| &stored.values);
    let telling = TellingEntry { id: saved.snimljen_unos_id, patient: request.pacijent_id, form: &form, today };
    told_status::tell(&mut tx, &actor, &telling, before, Some(&values::from_json(&saved.vrednosti))).await?;
    files::take(&mut tx, &form, saved.snimljen_unos_id, &values::from_json(&saved.vrednosti)).await?;
    settle(&mut tx, saved.snimljen_unos_id, &form, kept.as_ref(), before, &values::from_json(&saved.vrednosti)).await?;
    if let Some(stored) = stored.as_ref().filter(|_| request.cela_poseta) {
        let others = redate::others_of(&mut tx, stored.visit, stored.id).await?;
        let doctor = (stored.doctor != doctor).then_some(doctor);
        redate::entries(&mut tx, &actor, access, &others, &Redating { patient: request.pacijent_id, date, doctor, today }).await?;
    }
    follow(&mut tx, request.pacijent_id, request.registar_id).await?;
    quality::settle_entry(&mut tx, request.pacijent_id, request.registar_id, today).await?;
    if let Some(key) = request.kljuc {
        let done = ArrivedSave { unos_id: saved.snimljen_unos_id, verzija: saved.verzija, sent: typed, cleared: saved.ocisceno.clone() };
        replay::remember(&mut tx, &actor, key, &done).await?;
    }
    sqlx::query!("delete from entry_draft where radnik_id = $1 and kljuc = any ($2)", actor.radnik_id, &request.nacrti)
        .execute(&mut *tx)
        .await?;
    tx.commit().await?;
    Ok(Json(saved).into_response())
}

/// The form by which the values are read: the version that the entry keeps, or the newest one, for a new entry and for one that was
/// taken over to it; then with the one that the entry kept until now.
async fn forms(
    db: &mut PgConnection,
    request: &SaveRequest,
    stored: Option<&StoredEntry>,
) -> Result<(EntryForm, Option<EntryForm>), FormError> {
    let kept = match stored {
        Some(stored) => Some(EntryForm::of_version(db, stored.form_version).await?),
        None => None,
    };
    match kept {
        Some(kept) if request.obrazac.as_ref().is_none_or(|typed_by| *typed_by == kept.otisak) => Ok((kept, None)),
        kept => {
            let newest = version::make(db, request.tsa_id).await?;
            Ok((EntryForm::of_version(db, newest).await?, kept))
        }
    }
}

fn version_of(form: &EntryForm) -> i64 {
    form.version.as_ref().expect("an entry is saved by a version of its form").id
}

/// What a person answers: calculated values are the server's, whoever sent them.
fn answers(values: Values, date: Option<Date>, doctor: Option<i64>, form: &EntryForm) -> Answers {
    let fields = form.by_id();
    let entered = values.into_iter().filter_map(|(id, value)| match fields.get(&id) {
        Some(field) if field.is_calculated() => None,
        Some(field) if field.is_section() => Some((id, rows::typed(field, &value)?)),
        _ => Some((id, value)),
    });
    let date = date.map(|date| (Part::DatumUnosa, json!(date.to_string())));
    let doctor = doctor.map(|id| (Part::RadnikOdgovoran, json!(id)));
    entered.map(|(id, value)| (Part::Polje(id), value)).chain(date).chain(doctor).collect()
}

fn parts(answers: Answers) -> (Values, Option<Date>, Option<i64>) {
    let date = answers.get(&Part::DatumUnosa).and_then(Value::as_str).and_then(|date| date.parse().ok());
    let doctor = answers.get(&Part::RadnikOdgovoran).and_then(Value::as_i64);
    let values = answers.into_iter().filter_map(|(part, value)| match part {
        Part::Polje(id) => Some((id, value)),
        Part::DatumUnosa | Part::RadnikOdgovoran => None,
    });
    (values.collect(), date, doctor)
}

/// What was typed, and what others saved since it was loaded.
fn merged_with(
    stored: &StoredEntry,
    typed: &Answers,
    done: Option<&ArrivedSave>,
    request: &SaveRequest,
    form: &EntryForm,
) -> MergedAnswers {
    let theirs = answers(stored.values.clone(), Some(stored.date), stored.doctor, form);
    let loaded = match done {
        // The answer to the earlier attempt was lost.
        Some(done) => done.base(),
        None if request.verzija == Some(stored.version) => theirs.clone(),
        None => {
            let values = values::from_json(&json!(request.osnova));
            answers(values, request.osnova_datum_unosa, request.osnova_radnik_odgovoran, form)
        }
    };
    // What the form does not ask any more was not taken out by anybody.
    let fields = form.by_id();
    let retired = theirs.iter().filter(|(part, _)| matches!(part, Part::Polje(id) if !fields.contains_key(id)));
    let mut mine = typed.clone();
    mine.extend(retired.map(|(part, value)| (*part, value.clone())));
    for section in form.fields.iter().filter(|field| field.is_section()) {
        if let (Some(typed), Some(kept)) = (mine.get(&Part::Polje(section.id)), theirs.get(&Part::Polje(section.id))) {
            let rows = rows::keep_retired(section, typed, kept);
            mine.insert(Part::Polje(section.id), rows);
        }
    }
    let mut merged = merge(&loaded, &mine, &theirs);
    // More files than the field may have, where each of the two had added some: somebody has to choose.
    for field in form.fields.iter().filter(|field| field.tva_num_vrednost == ValueType::File) {
        let part = Part::Polje(field.id);
        let joined = merged.answers.get(&part).and_then(Value::as_array).map_or(0, Vec::len);
        let (my, their) = (mine.get(&part).cloned(), theirs.get(&part).cloned());
        if joined > most(field) && !alike(my.as_ref(), merged.answers.get(&part)) && !alike(their.as_ref(), merged.answers.get(&part)) {
            merged.answers.remove(&part);
            merged.clashes.push(Clash { part, mine: my, theirs: their });
        }
    }
    merged
}

/// The entry as it stands, locked until the save ends, of a worker who may change it.
pub(super) async fn lock(
    db: &mut PgConnection,
    actor: &Actor,
    access: PatientAccess,
    id: i64,
    (patient, form): (i64, i64),
) -> Result<StoredEntry> {
    let row = sqlx::query!(
        r#"select verzija, vrednosti, uneto_u, datum_unosa, radnik_odgovoran_id, popunjeni_relevantni, ustanova_id, aktivan, form_version_id,
                  poseta_id, (ustanova_id is not distinct from $4 or not reads_own_entries_only($4, pacijent_id)) as "known!"
             from entry where id = $1 and pacijent_id = $2 and tsa_id = $3 for update"#,
        id,
        patient,
        form,
        actor.ustanova_id
    )
    .fetch_optional(db)
    .await?
    .filter(|row| row.known)
    .ok_or(Error::HiddenPatient(patient))?;
    access.of_entry(actor, row.ustanova_id).require_change()?;
    if !row.aktivan {
        return Err(Error::gone("Unos je u međuvremenu obrisan."));
    }
    Ok(StoredEntry {
        id,
        version: row.verzija,
        form_version: row.form_version_id,
        values: values::from_json(&row.vrednosti),
        typed: row.uneto_u.and_then(|typed| typed.as_object().cloned()).unwrap_or_default(),
        date: row.datum_unosa.to_jiff(),
        doctor: row.radnik_odgovoran_id,
        relevant_filled: row.popunjeni_relevantni,
        visit: row.poseta_id,
    })
}

async fn clash(db: &mut PgConnection, actor: &Actor, form: &EntryForm, stored: &StoredEntry, merged: MergedAnswers) -> Result<Response> {
    let names = form.by_id();
    let name = |part| match part {
        Part::DatumUnosa => "Datum pregleda".to_owned(),
        Part::RadnikOdgovoran => "Ordinirajući lekar odgovoran za kreiranje".to_owned(),
        Part::Polje(id) => names.get(&id).map(|field| field.naziv.clone()).unwrap_or_default(),
    };
    let answer = ClashAnswer {
        message: "Neko je u međuvremenu izmenio ista polja. Izaberite koje vrednosti ostaju.".to_owned(),
        field: merged.clashes.first().map(|clash| clash.part.to_string()),
        izmena: last_change::last(db, "entry", stored.id).await?,
        verzija: stored.version,
        vrednosti: values::to_json(&stored.values),
        datum_unosa: stored.date,
        radnik_odgovoran: stored.doctor,
        radnici_odgovorni: responsible_options(db, actor, stored.doctor).await?,
        spojeno: merge::to_json(&merged.answers),
        sukobi: merged
            .clashes
            .into_iter()
            .map(|clash| PartClash { polje: clash.part.to_string(), naziv: name(clash.part), moje: clash.mine, njihovo: clash.theirs })
            .collect(),
    };
    Ok((StatusCode::CONFLICT, axum::Json(answer)).into_response())
}

/// The doctor who answers for the entry: one of those whom the institution's roles allow to, or whom the entry already names;
/// required where there are any.
pub(super) async fn responsible(db: &mut PgConnection, actor: &Actor, chosen: Option<i64>, saved: Option<i64>) -> Result<Option<i64>> {
    let options = responsible_options(db, actor, saved).await?;
    match chosen {
        Some(id) if options.iter().any(|option| option.id == id) => Ok(Some(id)),
        Some(_) => Err(Error::invalid("radnikOdgovoran", "Izabrani radnik u ovoj ustanovi ne može biti odgovorni lekar.")),
        None if options.is_empty() => Ok(None),
        None => Err(Error::invalid("radnikOdgovoran", "Niste uneli ordinirajućeg lekara koji je odgovoran za kreiranje.")),
    }
}

/// Stores the answers in the entry. Nothing is written where nothing changes.
pub(super) async fn change(
    db: &mut PgConnection,
    stored: &StoredEntry,
    form: &EntryForm,
    computed: ComputedEntry,
    date: Date,
    doctor: Option<i64>,
) -> Result<SavedEntry> {
    let relevant_filled = values::blank_relevant(form, &computed).is_empty();
    let unchanged = stored.values.len() == computed.values.len()
        && computed.values.iter().all(|(id, value)| alike(stored.values.get(id), Some(value)))
        && (stored.date, stored.doctor, stored.relevant_filled) == (date, doctor, relevant_filled)
        && stored.form_version == version_of(form)
        && stored.typed == computed.typed;
    let verzija = if unchanged {
        stored.version
    } else {
        sqlx::query_scalar!(
            "update entry set vrednosti = $2, datum_unosa = $3, radnik_odgovoran_id = $4, popunjeni_relevantni = $5,
                    form_version_id = $6, uneto_u = $7
              where id = $1 returning verzija",
            stored.id,
            values::to_json(&computed.values),
            date.to_sqlx() as _,
            doctor,
            relevant_filled,
            version_of(form),
            units::column(&computed.typed),
        )
        .fetch_one(db)
        .await?
    };
    Ok(SavedEntry::of(stored.id, verzija, form, computed, date, doctor))
}

async fn insert(
    db: &mut PgConnection,
    actor: &Actor,
    request: &SaveRequest,
    form: &EntryForm,
    computed: ComputedEntry,
    date: Date,
    doctor: Option<i64>,
) -> Result<SavedEntry> {
    let row = sqlx::query!(
        "insert into entry (pacijent_id, registar_id, tsa_id, datum_unosa, ustanova_id, radnik_odgovoran_id, popunjeni_relevantni, vrednosti,
                            form_version_id, uneto_u)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning id, verzija",
        request.pacijent_id,
        form.registar_id,
        form.id,
        date.to_sqlx() as _,
        actor.ustanova()?,
        doctor,
        values::blank_relevant(form, &computed).is_empty(),
        values::to_json(&computed.values),
        version_of(form),
        units::column(&computed.typed),
    )
    .fetch_one(db)
    .await?;
    Ok(SavedEntry::of(row.id, row.verzija, form, computed, date, doctor))
}

/// What keeps a new entry from being made, or this one from another day.
pub(super) async fn no_room(
    db: &mut PgConnection,
    patient: i64,
    stored: Option<&StoredEntry>,
    form: &EntryForm,
    date: Date,
) -> sqlx::Result<Option<count::Refusal>> {
    match stored {
        Some(stored) if stored.date == date => Ok(None),
        Some(stored) => limits(db, patient, form).await?.refusal_on(db, patient, date, Some(stored.id)).await,
        None => limits(db, patient, form).await?.refusal(db, patient, Some(date)).await,
    }
}

/// Refuses to bring an entry back where others have taken its place; the form itself may be closed to new ones.
pub(super) async fn may_return(db: &mut PgConnection, patient: i64, form: &EntryForm, date: Date) -> Result<()> {
    let limits = Limits { may_instance: true, ..limits(db, patient, form).await? };
    limits.refusal(db, patient, Some(date)).await?.map_or(Ok(()), |(_, message)| Err(Error::conflict(message)))
}

/// The form's limits. Where there are any the patient's row is locked, so that two at once are counted one after the other.
async fn limits(db: &mut PgConnection, patient: i64, form: &EntryForm) -> sqlx::Result<Limits> {
    let limits =
        Limits { form: form.id, may_instance: form.moze_se_instancirati, in_all: form.max_instanci, at_a_contact: form.max_po_kontaktu };
    if limits.in_all.or(limits.at_a_contact).is_some() {
        sqlx::query!("select id from patient where id = $1 for update", patient).fetch_one(db).await?;
    }
    Ok(limits)
}
