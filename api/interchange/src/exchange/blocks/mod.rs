//! Blocks: parts of a form that are proven elsewhere, a score with its items, weights, formulas and examples. They come with the product or
//! are a hospital's own; each is a definition file with a heading (docs/decisions/0105-blocks-are-definition-files.md).

mod document;
mod shipped;

use accounts::{auth::Actor, rights::Allowed};
use axum::{extract::State, http::StatusCode, response::Response};
use configuration::{
    admin::{form::Form, form_draft::document::Document},
    crud::WriteAccess,
};
use domain::{db, register::ValueType};
use platform::{
    error::{self, Error, Result},
    extract::{Json, Path, Query},
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use utoipa::{IntoParams, ToSchema};

use super::{
    download::{TOML, attachment},
    file,
    report::Note,
    source,
};
use crate::import::{
    check,
    definition::{self, BlockHeading, Definition, FieldDefinition},
    formulas,
};

/// Whoever may write forms. (The name `Form` in a handler itself would be read as a body.)
type Designer = Allowed<WriteAccess<Form>>;

/// Letters of a block's text, pictures among them.
const LONGEST_TEXT: usize = 4 << 20;

pub fn routes() -> Routes {
    Routes::new().routes(routes!(list, keep)).routes(routes!(content, remove)).routes(routes!(block_file))
}

/// A block in its newest edition.
#[derive(Serialize, ToSchema)]
#[schema(as = BlockRow)]
struct Row {
    sifra: String,
    naziv: String,
    izdanje: i32,
    /// Of medicine.
    oblast: String,
    opis: String,
    izvor: String,
    licenca: String,
    /// What a licence keeps out of the block.
    nedostaje: Option<String>,
    /// It came with the product; any other is the hospital's own.
    isporucen: bool,
}

impl Row {
    fn of(heading: BlockHeading, isporucen: bool) -> Self {
        let BlockHeading { sifra, naziv, izdanje, oblast, opis, izvor, licenca, nedostaje } = heading;
        Self { sifra, naziv, izdanje, oblast, opis, izvor, licenca, nedostaje, isporucen }
    }
}

/// The newest edition of each, by field of medicine and name.
#[utoipa::path(get, path = "/api/blocks", responses((status = 200, body = Vec<Row>)))]
async fn list(State(state): State<AppState>, _: Designer) -> Result<Json<Vec<Row>>> {
    let own = own(&mut *state.db.acquire().await?).await?;
    let row = |isporucen: bool| move |one: Definition| one.block.map(|heading| Row::of(heading, isporucen));
    let mut rows: Vec<Row> = shipped::all()?.into_iter().filter_map(row(true)).collect();
    for mine in own.into_iter().filter_map(row(false)) {
        // Editions come in their order, the newest last.
        rows.retain(|known| known.isporucen || known.sifra != mine.sifra);
        rows.push(mine);
    }
    rows.sort_by(|one, other| (&one.oblast, &one.naziv).cmp(&(&other.oblast, &other.naziv)));
    Ok(Json(rows))
}

#[derive(Deserialize, IntoParams)]
struct Edition {
    /// None: the newest.
    izdanje: Option<i32>,
}

/// A block as the designer puts it into a form.
#[derive(Serialize, ToSchema)]
#[schema(as = Block)]
struct Content {
    blok: BlockHeading,
    dokument: Document,
}

#[utoipa::path(get, path = "/api/blocks/{sifra}", params(Edition), responses((status = 200, body = Content)))]
async fn content(
    State(state): State<AppState>,
    _: Designer,
    Path(sifra): Path<String>,
    Query(edition): Query<Edition>,
) -> Result<Json<Content>> {
    let found = find(&mut *state.db.acquire().await?, &sifra, edition.izdanje).await?;
    let dokument = document::document(&found)?;
    Ok(Json(Content { blok: found.block.ok_or(Error::NotFound)?, dokument }))
}

/// A block as a file, for another hospital.
#[utoipa::path(get, path = "/api/blocks/{sifra}/file", params(Edition), responses((status = 200, body = String, content_type = "application/toml")))]
async fn block_file(
    State(state): State<AppState>,
    _: Designer,
    Path(sifra): Path<String>,
    Query(edition): Query<Edition>,
) -> Result<Response> {
    let found = find(&mut *state.db.acquire().await?, &sifra, edition.izdanje).await?;
    Ok(attachment(&sifra, TOML, file::text(&found)))
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct NewBlock {
    /// Its ending is `toml`.
    ime_fajla: String,
    /// Base64.
    sadrzaj: String,
}

/// A hospital's own block, or a new edition of one.
#[utoipa::path(post, path = "/api/blocks", request_body = NewBlock,
    responses((status = 201, body = BlockHeading), (status = 409, description = "To izdanje već postoji"), (status = 422, description = "Ima grešaka")))]
async fn keep(State(state): State<AppState>, actor: Designer, Json(sent): Json<NewBlock>) -> Result<(StatusCode, Json<BlockHeading>)> {
    if !sent.ime_fajla.to_ascii_lowercase().ends_with(".toml") {
        return Err(Error::invalid("imeFajla", "Blok je fajl .toml."));
    }
    let source = source::read(&state.parsers, &sent.ime_fajla, &sent.sadrzaj).await?;
    refuse(source.faults.into_iter().map(|Note { mesto, poruka, .. }| format!("{mesto}: {poruka}")).collect())?;
    let definition = source.definition;
    let mut found = faults(&definition);
    if found.is_empty() {
        found = check::defects(&definition);
    }
    if found.is_empty() {
        found = formulas::compile(&definition).defects;
    }
    refuse(found)?;
    let text = file::text(&definition);
    if text.len() > LONGEST_TEXT {
        return Err(Error::TooLarge);
    }
    let heading = definition.block.ok_or(Error::NotFound)?;
    store(&state, &actor, &heading, &text).await?;
    Ok((StatusCode::CREATED, Json(heading)))
}

async fn store(state: &AppState, actor: &Actor, heading: &BlockHeading, text: &str) -> Result<()> {
    let is_shipped = shipped::all()?.iter().any(|one| one.block.as_ref().is_some_and(|known| known.sifra == heading.sifra));
    if is_shipped {
        return Err(Error::conflict("Blok sa tom šifrom dolazi sa programom: izaberite drugu šifru."));
    }
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let known =
        sqlx::query_scalar!("select max(izdanje) from form_block where sifra = $1 and aktivan", heading.sifra).fetch_one(&mut *tx).await?;
    if let Some(newest) = known.filter(|newest| *newest >= heading.izdanje) {
        return Err(Error::conflict(format!("Blok „{}” već ima izdanje {newest}: povećajte izdanje u fajlu.", heading.naziv)));
    }
    sqlx::query!(
        "insert into form_block (sifra, izdanje, naziv, tekst) values ($1, $2, $3, $4)",
        heading.sifra,
        heading.izdanje,
        heading.naziv,
        text
    )
    .execute(&mut *tx)
    .await?;
    tx.commit().await?;
    Ok(())
}

/// A hospital's own block leaves the library with all of its editions; forms keep what they took of it.
#[utoipa::path(delete, path = "/api/blocks/{sifra}", responses((status = 204)))]
async fn remove(State(state): State<AppState>, actor: Designer, Path(sifra): Path<String>) -> Result<StatusCode> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let gone = sqlx::query!("update form_block set aktivan = false where sifra = $1 and aktivan", sifra).execute(&mut *tx).await?;
    if gone.rows_affected() == 0 {
        return Err(Error::NotFound);
    }
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Own blocks, each edition after the one before it.
async fn own(db: &mut PgConnection) -> Result<Vec<Definition>> {
    let texts = sqlx::query_scalar!("select tekst from form_block where aktivan order by sifra, izdanje").fetch_all(db).await?;
    texts.iter().map(|text| parse(text)).collect()
}

async fn find(db: &mut PgConnection, sifra: &str, edition: Option<i32>) -> Result<Definition> {
    let shipped = shipped::all()?.into_iter().find(|one| one.block.as_ref().is_some_and(|known| known.sifra == sifra));
    if let Some(found) = shipped {
        let is_asked = found.block.as_ref().is_some_and(|known| edition.is_none_or(|edition| edition == known.izdanje));
        return if is_asked { Ok(found) } else { Err(Error::NotFound) };
    }
    let text = sqlx::query_scalar!(
        "select tekst from form_block where sifra = $1 and aktivan and ($2::int is null or izdanje = $2) order by izdanje desc limit 1",
        sifra,
        edition
    )
    .fetch_optional(db)
    .await?;
    parse(&text.ok_or(Error::NotFound)?)
}

/// A text that was checked when it was kept.
fn parse(text: &str) -> Result<Definition> {
    Ok(definition::parse(text, |name| anyhow::bail!("a block that is kept names no file: {name}"))?)
}

fn refuse(found: Vec<String>) -> Result<()> {
    if found.is_empty() {
        return Ok(());
    }
    Err(Error::Faults(found.into_iter().map(|message| error::Fault { field: "sadrzaj".into(), message: message.into() }).collect()))
}

/// The field in which all others of the block stand.
fn root_of(definition: &Definition) -> Option<&FieldDefinition> {
    let mut roots = definition.forms.first()?.polja.iter().filter(|field| field.nadredjeni.is_none());
    roots.next().filter(|_| roots.next().is_none())
}

/// What keeps a definition from being a block.
fn faults(definition: &Definition) -> Vec<String> {
    let mut found = Vec::new();
    let mut say = |wrong: bool, message: &str| found.extend(wrong.then(|| message.to_owned()));
    let Some(block) = &definition.block else { return vec!["[block]: fajl nema zaglavlje bloka".to_owned()] };
    let is_code = block.sifra.bytes().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == b'-');
    say(
        !is_code || !block.sifra.starts_with(|first: char| first.is_ascii_lowercase()),
        "block.sifra: mala slova, cifre i crtica, od slova",
    );
    say(block.izdanje < 1, "block.izdanje: broj od 1");
    for (name, text) in
        [("naziv", &block.naziv), ("oblast", &block.oblast), ("opis", &block.opis), ("izvor", &block.izvor), ("licenca", &block.licenca)]
    {
        say(text.trim().is_empty(), &format!("block.{name}: nije upisano"));
    }
    say(definition.register.is_some(), "register: blok nema registar");
    say(definition.forms.len() != 1, "forms: blok ima jedan formular");
    say(definition.queries().next().is_some(), "forms.polja: blok nema upite za početnu vrednost");
    let holder = root_of(definition).and_then(|root| definition.attribute_types.iter().find(|known| known.mark() == root.tip_atributa));
    let holds = holder.is_some_and(|known| matches!(known.tip_vrednosti, ValueType::Panel | ValueType::Tab));
    say(!holds, "forms.polja: sva polja bloka stoje u jednom, koje je panel ili tab");
    found
}
