//! An export of data: read in one snapshot, as its worker may, and written row by row into one archive.

use std::{collections::HashSet, path::PathBuf, sync::Arc, time::Duration};

use domain::{
    access,
    entry::form::{EntryField, EntryForm, FormError},
    exports::{self, Export, Key, Profile, Row, TellingDay},
    register::ValueType,
    runs::{Lease, Stage},
    time,
};
use futures::StreamExt;
use jiff::Timestamp;
use sqlx::{Connection, PgConnection, PgPool};
use tokio::sync::mpsc;

use super::{
    failure::{self, Stop},
    produce::ProducedFiles,
    progress::Progress,
    rows::Rows,
    runner::Runner,
    shown::{self, ShownPatients},
};
use crate::{
    export::{self, DataSet, ExportResult, Fault, Sections, Variables},
    failpoint,
    jobs::Stopper,
    render::RenderedFile,
    store::{Draft, FileKind},
};

/// The largest exports take minutes; what takes longer is stuck.
pub const TIME_LIMIT: Duration = Duration::from_secs(3600);

/// Rows that travel together, and how many such may wait for the writer.
const BATCH: usize = 100;
const AHEAD: usize = 4;

/// What the run exports. `None`: it makes something else.
pub async fn of_run(app: &PgPool, lease: Lease) -> sqlx::Result<Option<Export>> {
    exports::of_run(&mut *app.acquire().await?, lease.run).await
}

pub async fn file(
    runner: &Arc<Runner>,
    lease: Lease,
    export: Export,
    draft: &Draft,
    stopper: &Stopper,
    progress: &Progress,
) -> Result<ProducedFiles, Stop> {
    // A connection of its own: one that is stopped in the middle of its rows is of no use to anybody after.
    let mut connection = runner.app.acquire().await?.detach();
    let (id, selection) = (export.id, export.selection.clone());
    let set = tokio::select! {
        set = prepare(&mut connection, lease, export) => set?,
        () = stopper.token().cancelled() => return Err(Stop::Cancelled),
    };
    failpoint::reached_async("query").await;
    progress.stage(Stage::Render);
    let (sender, receiver) = mpsc::channel(AHEAD);
    let path = draft.path(FileKind::Archive);
    let writer = tokio::task::spawn_blocking({
        let (rows, span) = (
            // One that was stopped, or whose reading failed, makes a file that nobody sees.
            Rows::new(receiver, progress.row_counter(), stopper.clone(), || Fault::Cancelled),
            tracing::Span::current(),
        );
        move || span.in_scope(|| write(&set, path, rows))
    });
    // Who is who in the file follows from this alone, and it ends with this function.
    let key: Key = rand::random();
    let shown = ShownPatients::default();
    let read = tokio::select! {
        read = send_rows(&mut connection, &selection, &key, sender, &shown) => read,
        () = stopper.token().cancelled() => Err(Stop::Cancelled),
    };
    let made = writer.await.map_err(|panic| Stop::panicked(&panic))?;
    read?;
    let made = made.map_err(|fault| failure::export(&fault))?;
    if stopper.token().is_cancelled() {
        return Err(Stop::Cancelled);
    }
    if selection.profil == Profile::BezIdentiteta && made.count.pacijenata < exports::least_patients(&runner.app).await? {
        return Err(failure::export_too_small().into());
    }
    let _ = connection.close().await;
    exports::set_count(&runner.app, id, made.count).await?;
    let rows = u64::try_from(made.count.redova).unwrap_or_default();
    shown::record(&runner.app, lease, shown::WorkKind::Export, &shown, rows).await?;
    let rendered = RenderedFile { rows, bytes: made.bytes, pages: None, truncated: false, missing_glyphs: Vec::new() };
    Ok(ProducedFiles { rows, files: vec![(FileKind::Archive, rendered)], truncated: false, note: None })
}

/// Asks anew whether the worker may, and reads what the columns are.
async fn prepare(db: &mut PgConnection, lease: Lease, export: Export) -> Result<DataSet, Stop> {
    // The server ends the statement of a connection that was cut, even before its first row.
    sqlx::raw_sql("begin transaction isolation level repeatable read, read only; set local client_connection_check_interval = '1s'")
        .execute(&mut *db)
        .await?;
    sqlx::query!("select set_config('application_name', $1, true)", format!("run:{}", lease.run)).fetch_one(&mut *db).await?;
    let selection = &export.selection;
    if !access::may_export(db, export.radnik_id, &selection.ustanove, selection.profil == Profile::Identitet).await? {
        tracing::warn!(radnik = export.radnik_id, "the worker of an export may not have it any more");
        return Err(failure::export_unauthorised().into());
    }
    if let Some(telling) = TellingDay::of(&mut *db, selection).await? {
        return Err(failure::export_by_day(telling).into());
    }
    let (form, several) = match selection.tsa_id {
        Some(id) => {
            let form = form(db, id).await?;
            let several = several_chosen(db, &form, &selection.ustanove).await?;
            (Some(form), several)
        }
        None => (None, HashSet::new()),
    };
    let most_rows = exports::most_rows(&mut *db).await?;
    let without_consent = exports::without_consent(&mut *db, &export.selection).await?;
    let variables = Variables::of(&export, form.as_ref(), &several);
    let sections = Sections::of(&export, form.as_ref());
    Ok(DataSet { export, variables, sections, made: Timestamp::now().to_zoned(time::zone()).datetime(), most_rows, without_consent })
}

async fn form(db: &mut PgConnection, id: i64) -> Result<EntryForm, Stop> {
    EntryForm::load(db, id).await.map_err(|error| match error {
        FormError::Database(error) => error.into(),
        FormError::Missing => failure::export_gone().into(),
        FormError::Formula { field, cause } => {
            tracing::error!(field, %cause, "a formula of a form cannot be read");
            failure::export_defect().into()
        }
    })
}

/// Fields of which some entry holds more than one item, though the form lets one be chosen today: one column could not say which.
async fn several_chosen(db: &mut PgConnection, form: &EntryForm, institutions: &[i64]) -> sqlx::Result<HashSet<i64>> {
    let single = |field: &&EntryField| field.tva_num_vrednost == ValueType::Set && !field.multiselect;
    let fields: Vec<i64> = form.fields.iter().filter(single).map(|field| field.id).collect();
    if fields.is_empty() {
        return Ok(HashSet::new());
    }
    let found = sqlx::query_scalar!(
        r#"select f.id as "id!" from unnest($1::bigint[]) f (id)
            where exists (select from entry e
                           where e.tsa_id = $2 and e.aktivan and e.ustanova_id = any ($3)
                             and case jsonb_typeof(e.vrednosti -> f.id::text)
                                      when 'array' then jsonb_array_length(e.vrednosti -> f.id::text) > 1 else false end)"#,
        &fields,
        form.id,
        institutions
    )
    .fetch_all(db)
    .await?;
    Ok(found.into_iter().collect())
}

/// Ends well, too, when the writer wants no more: it says why itself.
async fn send_rows(
    db: &mut PgConnection,
    selection: &exports::Selection,
    key: &Key,
    sender: mpsc::Sender<Vec<Row>>,
    shown: &ShownPatients,
) -> Result<(), Stop> {
    let mut batches = exports::rows(db, selection, key).chunks(BATCH);
    while let Some(batch) = batches.next().await {
        let batch = batch.into_iter().collect::<Result<Vec<Row>, sqlx::Error>>()?;
        // Without identity the file tells nobody who is in it, and neither does the log.
        if selection.profil == Profile::Identitet {
            shown.add(batch.iter().map(|row| row.pacijent_id));
        }
        if sender.send(batch).await.is_err() {
            break;
        }
    }
    Ok(())
}

fn write(set: &DataSet, path: PathBuf, rows: Rows<Row, Fault>) -> Result<ExportResult, Fault> {
    export::write(set, &path, rows)
}
