//! A file comes in: the same code says what will change, and, once that is confirmed, changes it.

use std::time::Duration;

use accounts::{
    auth::Actor,
    rights::{Allowed, Right},
};
use axum::{extract::State, http::StatusCode};
use configuration::{
    admin::{
        form_draft::{
            from_file::{After, Before},
            wording::Wording,
        },
        impact::{ASKED, CONFIRMED},
        queries::FirstValues,
        register::Register,
    },
    crud::WriteAccess,
};
use domain::{db, text};
use platform::{
    error::{self, Error, Result},
    extract::Json,
    routes::{Routes, routes},
    state::AppState,
};
use serde::Deserialize;
use sqlx::{Connection, PgConnection};
use utoipa::ToSchema;

pub use crate::import::register::StoredRegister;

use super::{
    difference::{self, Thing},
    export::{self, Part},
    file, own_types,
    renames::renames_between,
    report::{DraftOfFile, ImportedDefinition, Note, Report},
    source::{self, Source},
};
use crate::import::{
    check,
    definition::{self, Definition, code},
    fingerprint::Fingerprint,
    formulas, known,
    register::{Manner, StorageRefusal, store_in},
};

/// What a draft keeps of what does not map.
const MOST_NOTES: usize = 100;

pub fn routes() -> Routes {
    Routes::new().routes(routes!(examine)).routes(routes!(bring_in)).routes(routes!(open_as_draft))
}

#[derive(Deserialize, ToSchema)]
#[schema(as = DefinitionImport)]
#[serde(rename_all = "camelCase")]
struct DefinitionUpload {
    /// The register that the file goes into; none: a new one.
    #[serde(rename = "registarID")]
    registar_id: Option<i64>,
    /// Of a new register, where the file names none or another name is wanted.
    #[serde(default, deserialize_with = "text::optional")]
    naziv: Option<String>,
    #[serde(default, deserialize_with = "text::optional")]
    sifra: Option<String>,
    /// Its ending says what it is: `toml`, `xlsx` (XLSForm), `csv` (REDCap), `json` (FHIR Questionnaire).
    ime_fajla: String,
    /// Base64.
    sadrzaj: String,
    /// The fingerprint of the report that is confirmed.
    otisak: Option<String>,
    potvrdjeno_rezultata: Option<i64>,
    #[serde(flatten)]
    wording: Wording,
}

/// What the import would do; nothing is stored.
#[utoipa::path(post, path = "/api/definition-checks", request_body = DefinitionUpload, responses((status = 200, body = Report)))]
async fn examine(
    State(state): State<AppState>,
    actor: Allowed<WriteAccess<Register>>,
    Json(sent): Json<DefinitionUpload>,
) -> Result<Json<Report>> {
    let source = read(&state, &actor, &sent).await?;
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let (report, _) = carry_out(&mut tx, &actor, &sent, source, ASKED).await?;
    tx.rollback().await?;
    Ok(Json(report))
}

/// The import that was confirmed: whole or not at all.
#[utoipa::path(post, path = "/api/definition-imports", request_body = DefinitionUpload,
    responses((status = 201, body = ImportedDefinition), (status = 409, description = "Registar je u međuvremenu izmenjen"),
        (status = 422, description = "Ima grešaka")))]
async fn bring_in(
    State(state): State<AppState>,
    actor: Allowed<WriteAccess<Register>>,
    Json(sent): Json<DefinitionUpload>,
) -> Result<(StatusCode, Json<ImportedDefinition>)> {
    let source = read(&state, &actor, &sent).await?;
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let (report, stored) = carry_out(&mut tx, &actor, &sent, source, CONFIRMED).await?;
    hold(&sent, &report)?;
    let Some(stored) = stored else { return Err(Error::Faults(report.greske.into_iter().map(fault).collect())) };
    let told = sent.potvrdjeno_rezultata.is_some_and(|told| told == report.uticaj.rezultata || report.uticaj.najmanje);
    if !told && (report.uticaj.rezultata > 0 || report.uticaj.najmanje) {
        return Err(Error::Differs(report.uticaj));
    }
    tx.commit().await?;
    Ok((StatusCode::CREATED, Json(ImportedDefinition { registar_id: stored.register, formulari: stored.forms })))
}

/// The worker's own draft of the form that the file speaks of: the form as the import would leave it, and nothing of it is live.
#[utoipa::path(post, path = "/api/definition-drafts", request_body = DefinitionUpload,
    responses((status = 201, body = DraftOfFile), (status = 409, description = "Već imate nacrt, ili je registar u međuvremenu izmenjen"),
        (status = 422, description = "Ima grešaka, ili fajl ne opisuje jedan formular registra")))]
async fn open_as_draft(
    State(state): State<AppState>,
    actor: Allowed<WriteAccess<Register>>,
    Json(sent): Json<DefinitionUpload>,
) -> Result<(StatusCode, Json<DraftOfFile>)> {
    let source = read(&state, &actor, &sent).await?;
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let befores = forms_before(&mut tx, sent.registar_id).await?;
    let mut trial = tx.begin().await?;
    let (report, _) = carry_out(&mut trial, &actor, &sent, source, ASKED).await?;
    if !report.greske.is_empty() {
        return Err(Error::Faults(report.greske.into_iter().map(fault).collect()));
    }
    hold(&sent, &report)?;
    let Some((form, before)) = report.formular_nacrta.and_then(|form| befores.into_iter().find(|(id, _)| *id == form)) else {
        return Err(Error::invalid("imeFajla", "Nacrt se pravi od fajla jednog formulara, koji izabrani registar već ima."));
    };
    let after = After::of_form(&mut trial, form).await?;
    trial.rollback().await?;
    before.keep(&mut tx, form, actor.radnik_id, after, not_in_draft(&report)).await?;
    tx.commit().await?;
    Ok((StatusCode::CREATED, Json(DraftOfFile { formular: form })))
}

/// Refuses what is otherwise than the report that was confirmed.
fn hold(sent: &DefinitionUpload, report: &Report) -> Result<()> {
    let confirmed = Fingerprint::parse(sent.otisak.as_deref().unwrap_or_default());
    match Fingerprint::parse(&report.otisak).difference_from(&confirmed) {
        Some(difference) => Err(Error::conflict(difference)),
        None => Ok(()),
    }
}

/// With what the server says of its queries, asked before the transaction: with no connection in hand.
async fn read(state: &AppState, actor: &Actor, sent: &DefinitionUpload) -> Result<(Source, FirstValues)> {
    let source = source::read(&state.parsers, &sent.ime_fajla, &sent.sadrzaj).await?;
    let queries = FirstValues::of(state, actor, source.definition.queries()).await?;
    Ok((source, queries))
}

async fn forms_before(tx: &mut PgConnection, register: Option<i64>) -> Result<Vec<(i64, Before)>> {
    let Some(register) = register else { return Ok(Vec::new()) };
    let forms = known::forms(&mut *tx, register).await?;
    let mut found = Vec::with_capacity(forms.len());
    for form in forms.into_iter().filter(|form| form.aktivan) {
        found.push((form.id, Before::of_form(&mut *tx, form.id).await?));
    }
    Ok(found)
}

/// What a draft does not hold: the form's own data but for its name and its rules.
fn not_in_draft(report: &Report) -> Vec<String> {
    let is_held = |property: &str| property == "naziv" || property == "redosled" || property.starts_with("pravilo ");
    let own = report.izmene.iter().filter(|change| change.gde == Thing::Formular).flat_map(|change| &change.svojstva);
    let names: Vec<String> = own.filter(|one| !is_held(&one.svojstvo)).map(|one| format!("„{}”", one.svojstvo)).collect();
    let mut notes = Vec::new();
    if !names.is_empty() {
        notes.push(format!("Iz fajla u nacrt ne ulazi: {}. To se menja u podacima formulara.", names.join(", ")));
    }
    notes.extend(report.nemapirano.iter().map(|Note { mesto, poruka, .. }| format!("{mesto}: {poruka}")).take(MOST_NOTES));
    notes
}

fn fault(Note { mesto, poruka, .. }: Note) -> error::Fault {
    error::Fault { message: format!("{mesto}: {poruka}").into(), field: mesto.into() }
}

/// Writes the file within the transaction where it has no faults, and tells what that changed.
async fn carry_out(
    tx: &mut PgConnection,
    actor: &Actor,
    sent: &DefinitionUpload,
    (source, queries): (Source, FirstValues),
    most: Duration,
) -> Result<(Report, Option<StoredRegister>)> {
    let before = match sent.registar_id {
        Some(id) => {
            sqlx::query_scalar!("select id from register where id = $1 and aktivan for update", id).fetch_optional(&mut *tx).await?;
            Some(export::load(&mut *tx, Part::Whole(id)).await?)
        }
        None => None,
    };
    let Source { mut definition, faults, unmapped, warnings, proof, digest } = source;
    let of_one_form = definition.register.is_none() && definition.forms.len() == 1;
    let mut report = Report { greske: faults, nemapirano: unmapped, upozorenja: warnings, dokaz: proof, ..Report::default() };
    if report.greske.is_empty() {
        aim(&mut *tx, sent, before.as_ref(), &mut definition, &mut report).await?;
    }
    let mut stored = None;
    sent.wording.say(&mut *tx).await?;
    if report.greske.is_empty() {
        stored = write(&mut *tx, sent.registar_id, &mut definition, (before.as_ref(), &queries), most, &mut report).await?;
    }
    if let Some(stored) = &stored {
        let after = export::load(tx, Part::Whole(stored.register)).await?;
        report.izmene = difference::between(before.as_ref(), &after);
        report.preimenovano = before.as_ref().map(|before| renames_between(before, &after)).unwrap_or_default();
        report.ostaje = stored.missing.clone();
        report.uticaj = stored.impact.clone();
        let was_there = |id: &&i64| before.iter().flat_map(|before| &before.forms).any(|form| form.id == Some(**id));
        report.formular_nacrta = stored.forms.first().filter(|_| of_one_form).filter(was_there).copied();
    }
    if !actor.prava.holds(Right::QualityRules) && report.izmene.iter().any(|change| change.gde == Thing::PraviloKvaliteta) {
        let message = "Fajl menja pravila kvaliteta, a to može ko ima pravo „Pravila kvaliteta”. Izostavite ih iz fajla.";
        report.greske.push(Note::new("pravilaKvaliteta", message));
        stored = None;
    }
    let stood = before.as_ref().map(file::text).unwrap_or_default();
    let told = serde_json::to_string(&(&report.izmene, &report.ostaje, &report.greske)).map_err(anyhow::Error::from)?;
    report.otisak = Fingerprint::new(digest, stood, told).to_string();
    Ok((report, stored))
}

/// Settles which register the file is about.
async fn aim(
    tx: &mut PgConnection,
    sent: &DefinitionUpload,
    before: Option<&Definition>,
    definition: &mut Definition,
    report: &mut Report,
) -> Result<()> {
    if let Some(now) = before.and_then(|before| before.register.as_ref()) {
        if let Some(own) = &mut definition.register {
            if own.sifra != now.sifra {
                let message =
                    format!("fajl opisuje registar „{}”: njegov naziv i podaci prelaze na izabrani registar, šifra ne", own.sifra);
                report.upozorenja.push(Note::new("register.sifra", message));
            }
            own.sifra = now.sifra.clone();
        }
        return Ok(());
    }
    let own = definition.register.get_or_insert_with(Default::default);
    if let Some(sifra) = &sent.sifra {
        own.sifra = sifra.clone();
    }
    if let Some(naziv) = &sent.naziv {
        own.naziv = naziv.clone();
    }
    if own.sifra.is_empty() || code(&own.sifra).is_none() {
        report.greske.push(Note::new("register.sifra", "Unesite šifru novog registra."));
        own.sifra = "-".to_owned();
    }
    if own.naziv.is_empty() {
        report.greske.push(Note::new("register.naziv", "Unesite naziv novog registra."));
        return Ok(());
    }
    let taken = sqlx::query!(
        r#"select exists (select from register where sifra = $1 and aktivan) as "sifra!",
                  exists (select from register where fold(naziv) = fold($2) and aktivan) as "naziv!""#,
        own.sifra,
        own.naziv
    )
    .fetch_one(tx)
    .await?;
    if taken.sifra {
        let message = "Registar sa tom šifrom već postoji: izaberite ga, ili unesite drugu šifru.";
        report.greske.push(Note::of("register.sifra", message, own.sifra.clone()));
    }
    if taken.naziv {
        report.greske.push(Note::of("register.naziv", "Registar sa tim nazivom već postoji: unesite drugi naziv.", own.naziv.clone()));
    }
    Ok(())
}

async fn write(
    tx: &mut PgConnection,
    register: Option<i64>,
    definition: &mut Definition,
    (before, queries): (Option<&Definition>, &FirstValues),
    most: Duration,
    report: &mut Report,
) -> Result<Option<StoredRegister>> {
    leave_unused_types(definition, report);
    let sifra = definition.register.as_ref().or(before.and_then(|before| before.register.as_ref())).map(|own| own.sifra.clone());
    let apart = own_types::set_apart(&mut *tx, register, &sifra.unwrap_or_default(), definition).await?;
    report.upozorenja.extend(apart);
    let elsewhere = before.map(|before| codes_elsewhere(before, definition)).unwrap_or_default();
    let mut defects = check::defects_beside(definition, &elsewhere);
    defects.extend(check::of_queries(definition, queries));
    let formulas = if defects.is_empty() { formulas::compile_beside(definition, before) } else { Default::default() };
    defects.extend(formulas.defects.iter().cloned());
    report.greske.extend(defects.iter().map(|defect| Note::defect(defect)));
    report.upozorenja.extend(formulas.warnings.iter().map(|warning| Note::defect(warning)));
    if !report.greske.is_empty() {
        return Ok(None);
    }
    match store_in(tx, definition, &formulas, &Manner { register, deactivate_missing: false, most }).await {
        Ok(stored) => Ok(Some(stored)),
        Err(error) => {
            report.greske.push(refusal(error)?);
            Ok(None)
        }
    }
}

/// A copy of what is stored is without defects but for rules that came later than it.
pub async fn store_copy(tx: &mut PgConnection, definition: &Definition, register: Option<i64>) -> Result<StoredRegister> {
    // A form may read the others of its register.
    let stored = match register {
        Some(register) => Some(export::load(&mut *tx, Part::Whole(register)).await?),
        None => None,
    };
    let formulas = formulas::compile_beside(definition, stored.as_ref());
    if let Some(first) = formulas.defects.first() {
        return Err(Error::conflict(format!("Ne može se kopirati: {first}")));
    }
    match store_in(tx, definition, &formulas, &Manner { register, deactivate_missing: false, most: CONFIRMED }).await {
        Ok(stored) => Ok(stored),
        Err(error) => Err(Error::conflict(format!("Ne može se kopirati: {}", refusal(error)?.poruka))),
    }
}

/// What the database or the administration refuses, in words; everything else is an error.
fn refusal(error: anyhow::Error) -> Result<Note> {
    if let Some(StorageRefusal(why)) = error.downcast_ref() {
        return Ok(Note::new("", why.clone()));
    }
    let error = match error.downcast::<sqlx::Error>() {
        Ok(error) => Error::from(error),
        Err(other) => Error::Internal(other),
    };
    match error {
        Error::Invalid { field, message } | Error::Conflict { field, message } => Ok(Note::new(field.unwrap_or_default(), message)),
        other => Err(other),
    }
}

fn leave_unused_types(definition: &mut Definition, report: &mut Report) {
    let used: std::collections::HashSet<&str> =
        definition.forms.iter().flat_map(|form| &form.polja).map(|field| field.tip_atributa.as_str()).collect();
    let is_used = |known: &definition::AttributeType| used.contains(known.mark());
    let unused = definition.attribute_types.iter().filter(|known| !is_used(known));
    let told = unused.map(|known| Note::new(format!("attributeTypes.{}", known.mark()), "tip nema nijedno polje i ne uvozi se"));
    report.upozorenja.extend(told);
    let keep: Vec<bool> = definition.attribute_types.iter().map(is_used).collect();
    let mut keep = keep.into_iter();
    definition.attribute_types.retain(|_| keep.next().unwrap_or(true));
}

/// Codes of fields in forms that the file says nothing of.
fn codes_elsewhere(before: &Definition, definition: &Definition) -> Vec<String> {
    let others = before.forms.iter().filter(|form| !definition.forms.iter().any(|own| own.sifra_veza == form.sifra_veza));
    others.flat_map(|form| &form.polja).map(|field| field.sifra.clone()).collect()
}
