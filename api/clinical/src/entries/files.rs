//! Files of an entry: sent while it is typed, taken by its save, and given to whoever may open it.

use accounts::{
    audit::{deed_on_patient, look_at_patient},
    auth::Actor,
};
use axum::{
    body::Body,
    extract::State,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use base64::{Engine, prelude::BASE64_STANDARD};
use domain::{
    artifacts::{ArtifactStore, StoreError},
    attachment::{self, FileKind, MOST_MEGABYTES},
    db,
    entry::{
        files::{self, AttachedFile},
        form::OTHER_FORM,
    },
    parameters::{self, FILE_MEGABYTES},
    register::ValueType,
    shown,
};
use futures::TryStreamExt;
use platform::{
    error::{Error, Result},
    extract::{Json, Path, Query},
    file_name::content_disposition,
    parsers::{Input, TOO_HEAVY},
    result_file::whole,
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use sqlx::PgConnection;
use tempfile::TempDir;
use tokio::io::AsyncWriteExt;
use tokio_util::io::ReaderStream;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::{
    form::{EntryField, EntryForm},
    values::Values,
};
use crate::patients::{PatientAccess, merged};

/// Files of one worker that no save has taken: more are not being typed.
const MOST_WAITING: i64 = 100;
/// The longest side of a picture beside its name.
const SMALL: &str = "160";

const AWAY: &str = "Skladište fajlova trenutno nije dostupno. Pokušajte ponovo za nekoliko minuta.";

/// What stands in a name of a store's folder is seen by no sweep of reports' files.
const FOLDER: &str = ".prilozi";

pub fn routes() -> Routes {
    Routes::new().routes(routes!(send)).routes(routes!(read))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct UploadQuery {
    #[serde(rename = "pacijentID")]
    pacijent_id: i64,
    #[serde(rename = "tsaID")]
    tsa_id: i64,
    #[serde(rename = "poljeID")]
    polje_id: i64,
    naziv: String,
    /// By which description of the form the entry is typed (`obrazac.otisak`); none: today's.
    obrazac: Option<String>,
}

/// A file as an entry names it.
#[derive(Serialize, ToSchema)]
pub struct EntryFile {
    id: i64,
    naziv: String,
    tip: FileKind,
    /// Bytes.
    velicina: i64,
    sha256: String,
}

impl From<AttachedFile> for EntryFile {
    fn from(AttachedFile { id, naziv, tip, velicina, sha256 }: AttachedFile) -> Self {
        Self { id, naziv, tip, velicina, sha256 }
    }
}

/// Keeps a file until a save names it; the body is the file. It is its worker's alone until then.
#[utoipa::path(post, path = "/api/entry-files", params(UploadQuery),
    request_body(content = Vec<u8>, content_type = "application/octet-stream"),
    responses((status = 201, body = EntryFile), (status = 422, description = "Polje i poruka")))]
async fn send(
    State(state): State<AppState>,
    actor: Actor,
    Query(mut sent): Query<UploadQuery>,
    body: Body,
) -> Result<(StatusCode, Json<EntryFile>)> {
    sent.pacijent_id = merged::left(&mut *state.db.acquire().await?, sent.pacijent_id).await?;
    let field = asked_field(&state, &actor, &sent).await?;
    let limits = field.tip_atributa.fajlovi.clone().unwrap_or_default();
    let most = limits.bytes(ceiling(&state).await?);
    let refuse = |why: String| Error::invalid(field.id.to_string(), format!("{}: {why}", field.naziv));
    let draft = received(&state.config.artifacts, body, most).await?.map_err(refuse)?;
    let kind = judged(&state, &draft).await?.map_err(refuse)?;
    if let Some(why) = attachment::refusal(kind, &limits) {
        return Err(refuse(why));
    }
    let file = stored(&state, &actor, (sent.pacijent_id, Some(sent.polje_id)), &sent.naziv, draft, kind).await?;
    Ok((StatusCode::CREATED, Json(file.into())))
}

/// The field for which the file is, of a patient whom the worker may change.
async fn asked_field(state: &AppState, actor: &Actor, sent: &UploadQuery) -> Result<EntryField> {
    let mut db = state.db.acquire().await?;
    PatientAccess::to(&mut db, actor, sent.pacijent_id).await?.require_change()?;
    let form = form_of(&mut db, sent).await?;
    let field = form.fields.into_iter().find(|field| field.id == sent.polje_id && field.tva_num_vrednost == ValueType::File);
    let field = field.ok_or_else(|| Error::invalid(sent.polje_id.to_string(), OTHER_FORM))?;
    refuse_many_waiting(&mut db, actor).await?;
    Ok(field)
}

/// Refuses a worker who has sent many files that nothing has taken yet.
pub(crate) async fn refuse_many_waiting(db: &mut PgConnection, actor: &Actor) -> Result<()> {
    let waiting = sqlx::query_scalar!(
        r#"select count(*) as "n!" from entry_file where unos_id is null and saglasnost_id is null and not uklanja_se and radnik_id = $1"#,
        actor.radnik_id
    );
    match waiting.fetch_one(db).await? {
        MOST_WAITING.. => Err(Error::too_many("Poslali ste previše fajlova koji nisu snimljeni sa unosom. Snimite unose, pa nastavite.")),
        _ => Ok(()),
    }
}

async fn form_of(db: &mut PgConnection, sent: &UploadQuery) -> Result<EntryForm> {
    let version = sqlx::query_scalar!(
        "select id from form_version where form_id = $1 and otisak = $2 order by broj desc limit 1",
        sent.tsa_id,
        sent.obrazac
    );
    match version.fetch_optional(&mut *db).await? {
        Some(version) => Ok(EntryForm::of_version(db, version).await?),
        None => Ok(EntryForm::load(db, sent.tsa_id).await?),
    }
}

/// In megabytes.
pub(crate) async fn ceiling(state: &AppState) -> Result<i32> {
    Ok(parameters::load(&state.db).await?.number(&FILE_MEGABYTES))
}

/// A file that arrived, in a folder of this host that goes with it.
pub(crate) struct ReceivedFile {
    folder: TempDir,
    bytes: i64,
    sha256: Vec<u8>,
}

impl ReceivedFile {
    fn path(&self) -> std::path::PathBuf {
        self.folder.path().join("fajl")
    }
}

/// The body, no longer than it may be; why not, in words. What was cut off on its way is nothing.
pub(crate) async fn received(store: &ArtifactStore, body: Body, most: i64) -> Result<Result<ReceivedFile, String>> {
    let folder = store.drafts().and_then(TempDir::new_in).map_err(|error| {
        tracing::error!(%error, "no place for a file that is sent");
        Error::Unavailable(AWAY.into())
    })?;
    let mut draft = ReceivedFile { folder, bytes: 0, sha256: Vec::new() };
    let mut file = tokio::fs::File::create_new(draft.path()).await.map_err(anyhow::Error::from)?;
    let (mut hash, mut body) = (Sha256::new(), body.into_data_stream());
    while let Some(piece) = body.try_next().await.map_err(|_| Error::malformed("Slanje fajla je prekinuto. Pokušajte ponovo."))? {
        draft.bytes += i64::try_from(piece.len()).map_err(anyhow::Error::from)?;
        // Whoever is answered before the end sees a broken connection, so what is too long is read and let go, up to the longest of all.
        if draft.bytes > i64::from(MOST_MEGABYTES) << 20 {
            return Err(Error::TooLarge);
        }
        if draft.bytes <= most {
            hash.update(&piece);
            file.write_all(&piece).await.map_err(anyhow::Error::from)?;
        }
    }
    if draft.bytes > most {
        return Ok(Err(format!("Fajl je veći od {}, koliko je dozvoljeno.", shown::bytes(most))));
    }
    file.flush().await.map_err(anyhow::Error::from)?;
    draft.sha256 = hash.finalize().to_vec();
    Ok(Ok(draft))
}

pub(crate) async fn judged(state: &AppState, draft: &ReceivedFile) -> Result<Result<FileKind, String>> {
    let file = std::fs::File::open(draft.path()).map_err(anyhow::Error::from)?;
    let judged = state.parsers.read(&["attachment"], Input::File(file)).await?;
    Ok(judged.unwrap_or_else(|| Err(TOO_HEAVY.to_owned())))
}

/// Keeps what was received of a patient, and of a field where it is an entry's. The row comes first: a file in the store that no row names would
/// never be removed.
pub(crate) async fn stored(
    state: &AppState,
    actor: &Actor,
    (patient, field): (i64, Option<i64>),
    called: &str,
    draft: ReceivedFile,
    kind: FileKind,
) -> Result<AttachedFile> {
    let naziv = attachment::name(called, kind);
    let name = Uuid::now_v7().simple().to_string();
    let path = format!("{FOLDER}/{}/{name}.{}", &name[30..], kind.code());
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let id = sqlx::query_scalar!(
        "insert into entry_file (pacijent_id, polje_id, radnik_id, naziv, vrsta, velicina, sha256, putanja)
         values ($1, $2, $3, $4, $5, $6, $7, $8) returning id",
        patient,
        field,
        actor.radnik_id,
        naziv,
        kind.code(),
        draft.bytes,
        draft.sha256,
        path
    )
    .fetch_one(&mut *tx)
    .await?;
    tx.commit().await?;
    state.config.artifacts.keep(Some(&state.db), &draft.path(), &path).await.map_err(|error| {
        tracing::error!(%error, file = id, "a file of an entry was not stored");
        Error::Unavailable(AWAY.into())
    })?;
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let kept = sqlx::query!("update entry_file set sacuvan = true where id = $1 and not uklanja_se", id).execute(&mut *tx).await?;
    tx.commit().await?;
    if kept.rows_affected() == 0 {
        return Err(Error::gone("Fajl je u međuvremenu uklonjen."));
    }
    Ok(AttachedFile { id, naziv, tip: kind, velicina: draft.bytes, sha256: hex::encode(&draft.sha256) })
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ReadQuery {
    /// To be looked at in the browser, where it is a picture or a PDF.
    #[serde(default)]
    prikaz: bool,
    /// Of a picture: as small as it stands beside its name.
    #[serde(default)]
    umanjeno: bool,
}

pub(crate) struct KeptFile {
    pub pacijent_id: i64,
    pub unos_id: Option<i64>,
    pub ustanova_id: Option<i64>,
    pub naziv: String,
    pub vrsta: String,
    pub velicina: i64,
    pub sha256: Vec<u8>,
    pub putanja: String,
}

/// Whoever may open the entry reads its files, those too that were taken out of it since: the history names them.
#[utoipa::path(get, path = "/api/entry-files/{id}", params(("id" = i64, Path), ReadQuery),
    responses((status = 200, content_type = "*/*", body = Vec<u8>), (status = 410, description = "Nije više u skladištu")))]
async fn read(State(state): State<AppState>, actor: Actor, Path(id): Path<i64>, Query(query): Query<ReadQuery>) -> Result<Response> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let found = sqlx::query_as!(
        KeptFile,
        r#"select f.pacijent_id, f.unos_id, e.ustanova_id as "ustanova_id?", f.naziv, f.vrsta, f.velicina, f.sha256, f.putanja
             from entry_file f left join entry e on e.id = f.unos_id
            where f.id = $1 and f.sacuvan and not f.uklanja_se and f.saglasnost_id is null and (f.unos_id is not null or f.radnik_id = $2)"#,
        id,
        actor.radnik_id
    )
    .fetch_optional(&mut *tx)
    .await?;
    let own = actor.ustanova_id.unwrap_or_default();
    let (file, _) = PatientAccess::to_entry(&mut tx, &actor, found, |file| (file.pacijent_id, file.ustanova_id.unwrap_or(own))).await?;
    match file.unos_id {
        // Small pictures come with the entry, whose opening is in the log; nobody opened the file.
        Some(entry) if !query.umanjeno => deed_on_patient(&mut tx, &actor, "entry", "pregled fajla", entry, file.pacijent_id).await?,
        _ => look_at_patient(&mut tx, &actor, file.pacijent_id).await?,
    }
    let response = served(&state, id, file, &query).await?;
    tx.commit().await?;
    Ok(response)
}

pub(crate) async fn served(state: &AppState, id: i64, file: KeptFile, query: &ReadQuery) -> Result<Response> {
    let kind = FileKind::of_code(&file.vrsta).ok_or_else(|| anyhow::anyhow!("a file of an entry is of no kind"))?;
    let opened = state.config.artifacts.open(&file.putanja).await.map_err(|error| match error {
        StoreError::Away(_) => {
            tracing::error!(%error, file = id, "a file of an entry cannot be fetched");
            Error::Unavailable(AWAY.into())
        }
        StoreError::Io(error) => anyhow::Error::from(error).context("a file of an entry cannot be opened").into(),
    })?;
    let Some(opened) = opened else {
        tracing::error!(file = id, "a file of an entry is not in the store");
        return Err(Error::gone("Fajl nije u skladištu. Obratite se administratoru."));
    };
    let (bytes, sha256) = (file.velicina, file.sha256);
    let opened = tokio::task::spawn_blocking(move || whole(opened, bytes, &sha256)).await.map_err(anyhow::Error::from)??;
    if query.umanjeno && matches!(kind, FileKind::Jpeg | FileKind::Png) {
        return small(state, opened).await;
    }
    let (stem, ending) = file.naziv.rsplit_once('.').unwrap_or((&file.naziv, kind.code()));
    let attached = content_disposition(stem, ending);
    let disposition = if query.prikaz && kind != FileKind::Txt { attached.replacen("attachment", "inline", 1) } else { attached };
    let headers = [
        (header::CONTENT_TYPE, kind.content_type().to_owned()),
        (header::CONTENT_LENGTH, bytes.to_string()),
        (header::CONTENT_DISPOSITION, disposition),
        // Nothing in it is run, whatever it is.
        (header::CONTENT_SECURITY_POLICY, "sandbox; default-src 'none'".to_owned()),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff".to_owned()),
        (header::CACHE_CONTROL, "private, no-store".to_owned()),
    ];
    Ok((headers, Body::from_stream(ReaderStream::new(tokio::fs::File::from_std(opened)))).into_response())
}

async fn small(state: &AppState, opened: std::fs::File) -> Result<Response> {
    let jpeg: Option<Option<String>> = state.parsers.read(&["photo", SMALL], Input::File(opened)).await?;
    let jpeg = jpeg.flatten().ok_or_else(|| anyhow::anyhow!("a picture of an entry cannot be decoded any more"))?;
    let jpeg = BASE64_STANDARD.decode(jpeg).map_err(anyhow::Error::from)?;
    let headers = [(header::CONTENT_TYPE, "image/jpeg"), (header::CACHE_CONTROL, "private, no-store")];
    Ok((headers, Body::from(jpeg)).into_response())
}

/// Puts what is known of the files in the place of what was sent of them. A file is the entry's own, one that it had among them, or was
/// sent by this worker for this patient and field and taken by no save; another is refused with its name.
pub async fn known(
    db: &mut PgConnection,
    actor: &Actor,
    form: &EntryForm,
    patient: i64,
    entry: Option<i64>,
    values: &mut Values,
) -> Result<()> {
    for field in form.fields.iter().filter(|field| field.tva_num_vrednost == ValueType::File) {
        let Some(sent) = values.get(&field.id) else { continue };
        let named = named(sent);
        let ids: Vec<i64> = named.iter().map(|(id, _)| *id).collect();
        let rows = sqlx::query!(
            "select id, naziv, vrsta, velicina, sha256 from entry_file
              where id = any ($1) and polje_id = $2 and pacijent_id = $3 and sacuvan and not uklanja_se
                and (unos_id = $4 or unos_id is null and radnik_id = $5)
              order by id for update",
            &ids,
            field.id,
            patient,
            entry,
            actor.radnik_id
        )
        .fetch_all(&mut *db)
        .await?;
        let mut found = Vec::new();
        for (id, naziv) in &named {
            let row = rows.iter().find(|row| row.id == *id);
            let file = row.and_then(|row| {
                let (naziv, tip) = (row.naziv.clone(), FileKind::of_code(&row.vrsta)?);
                Some(AttachedFile { id: row.id, naziv, tip, velicina: row.velicina, sha256: hex::encode(&row.sha256) })
            });
            found.push(file.ok_or_else(|| {
                Error::invalid(
                    field.id.to_string(),
                    format!("{}: fajl „{naziv}” više nije dostupan. Uklonite ga i priložite ponovo.", field.naziv),
                )
            })?);
        }
        match files::to_value(&found) {
            Some(value) => values.insert(field.id, value),
            None => values.remove(&field.id),
        };
    }
    Ok(())
}

/// Ids with the names that were sent beside them.
fn named(sent: &Value) -> Vec<(i64, String)> {
    let file = |file: &Value| Some((file.get("id")?.as_i64()?, file.get("naziv").and_then(Value::as_str).unwrap_or("?").to_owned()));
    sent.as_array().into_iter().flatten().filter_map(file).collect()
}

/// The files that an entry names are the entry's from now on.
pub async fn take(db: &mut PgConnection, form: &EntryForm, entry: i64, values: &Values) -> sqlx::Result<()> {
    let fields = form.fields.iter().filter(|field| field.tva_num_vrednost == ValueType::File);
    let ids: Vec<i64> = fields.flat_map(|field| files::of(values.get(&field.id))).map(|file| file.id).collect();
    if !ids.is_empty() {
        sqlx::query!("update entry_file set unos_id = $1 where id = any ($2) and unos_id is null", entry, &ids).execute(db).await?;
    }
    Ok(())
}
