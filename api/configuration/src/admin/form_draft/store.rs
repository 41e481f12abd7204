//! Drafts as they are kept: one of a worker and a form, with the number that a save must carry.

use jiff::Timestamp;
use platform::error::{Error, Result};
use sqlx::{PgConnection, types::Json};

use super::{document::Document, live::Live};

pub struct StoredDraft {
    pub id: i64,
    pub document: Document,
    /// The form as it was live when the draft was taken from it.
    pub base: Document,
    pub od_verzije: Option<i32>,
    pub napomene: Vec<String>,
    pub verzija: i32,
}

/// The worker's own.
pub async fn find(db: &mut PgConnection, form: i64, worker: i64) -> Result<Option<StoredDraft>> {
    let kept = sqlx::query!(
        r#"select id, dokument as "dokument: Json<Document>", osnova as "osnova: Json<Document>", od_verzije, napomene, verzija
             from form_draft where form_id = $1 and radnik_id = $2"#,
        form,
        worker
    )
    .fetch_optional(db)
    .await?;
    Ok(kept.map(|row| StoredDraft {
        id: row.id,
        document: row.dokument.0,
        base: row.osnova.0,
        od_verzije: row.od_verzije,
        napomene: row.napomene,
        verzija: row.verzija,
    }))
}

/// The version that a draft is taken from, and what of it could not become what it was.
#[derive(Default)]
pub struct Origin {
    pub broj: Option<i32>,
    pub notes: Vec<String>,
}

/// Locked for a change, which names the number that the draft has.
pub async fn locked(tx: &mut PgConnection, form: i64, worker: i64, verzija: i32) -> Result<StoredDraft> {
    let there = sqlx::query_scalar!("select verzija from form_draft where form_id = $1 and radnik_id = $2 for update", form, worker);
    match there.fetch_optional(&mut *tx).await? {
        None => Err(Error::missing("Nacrt više ne postoji: objavljen je ili odbačen.")),
        Some(now) if now != verzija => Err(Error::conflict("Nacrt je u međuvremenu snimljen na drugom mestu. Učitajte ga ponovo.")),
        Some(_) => find(tx, form, worker).await?.ok_or(Error::NotFound),
    }
}

pub async fn make(tx: &mut PgConnection, form: i64, worker: i64, document: &Document, live: &Live, of: &Origin) -> Result<()> {
    let made = sqlx::query!(
        "insert into form_draft (form_id, radnik_id, dokument, osnova, od_verzije, napomene) values ($1, $2, $3, $4, $5, $6)
             on conflict (form_id, radnik_id) do nothing",
        form,
        worker,
        Json(document) as _,
        Json(&live.document) as _,
        of.broj,
        &of.notes
    )
    .execute(tx)
    .await?;
    if made.rows_affected() == 1 { Ok(()) } else { Err(Error::conflict("Već imate nacrt ovog formulara.")) }
}

pub async fn save(tx: &mut PgConnection, draft: i64, document: &Document) -> Result<i32> {
    let verzija = sqlx::query_scalar!("update form_draft set dokument = $2 where id = $1 returning verzija", draft, Json(document) as _);
    Ok(verzija.fetch_one(tx).await?)
}

/// The draft rests on the form as it is live now.
pub async fn rest_on(tx: &mut PgConnection, draft: i64, live: &Live, document: &Document) -> Result<i32> {
    let verzija = sqlx::query_scalar!(
        "update form_draft set dokument = $2, osnova = $3 where id = $1 returning verzija",
        draft,
        Json(document) as _,
        Json(&live.document) as _
    );
    Ok(verzija.fetch_one(tx).await?)
}

pub async fn remove(tx: &mut PgConnection, form: i64, worker: i64) -> Result<bool> {
    let gone = sqlx::query!("delete from form_draft where form_id = $1 and radnik_id = $2", form, worker).execute(tx).await?;
    Ok(gone.rows_affected() == 1)
}

/// Whose other drafts there are, and when each was last saved.
pub async fn of_others(db: &mut PgConnection, form: i64, worker: i64) -> Result<Vec<(String, Timestamp)>> {
    let others = sqlx::query!(
        r#"select w.prezime || ' ' || w.ime as "radnik!", d.vreme_poslednje_izmene as "vreme: jiff_sqlx::Timestamp"
             from form_draft d join worker w on w.id = d.radnik_id where d.form_id = $1 and d.radnik_id <> $2 order by 2 desc"#,
        form,
        worker
    );
    Ok(others.fetch_all(db).await?.into_iter().map(|row| (row.radnik, row.vreme.to_jiff())).collect())
}
