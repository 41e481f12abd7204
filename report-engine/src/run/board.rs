//! The run of a board: its tiles in order, each as its report's PDF, put together as one file. A tile that could not be made has a page that
//! says why; where none could, the run has failed.

use std::{path::PathBuf, sync::Arc};

use domain::{
    report_sql::Value,
    runs::{self, Failure, Lease, RowsOfRun, Stage},
};

use super::{
    failure::{self, Stop},
    load::{BoardOrder, BoardTile},
    produce::{self, ProducedFiles},
    progress::Progress,
    runner::Runner,
};
use crate::{
    jobs::Stopper,
    plan::{Body, Column, Format, Heading, PageSetup, Plan, TablePlan},
    render::{self, Bundle, Chapter, Limits, RenderedFile, Target},
    store::Draft,
};

const REASON: &str = "razlog";

/// What has been made of the tiles so far.
struct BoardParts {
    chapters: Vec<Chapter>,
    rows: u64,
    truncated: bool,
    names_nobody: bool,
    notices: Vec<String>,
    /// How many tiles are what they should be, and why the first other one is not.
    whole: usize,
    failed: Option<Failure>,
}

pub async fn files(
    runner: &Arc<Runner>,
    lease: Lease,
    board: &BoardOrder,
    draft: &Draft,
    stopper: &Stopper,
    progress: &Progress,
) -> Result<ProducedFiles, Stop> {
    let out = draft.path(Format::Pdf);
    let mut made =
        BoardParts { chapters: Vec::new(), rows: 0, truncated: false, names_nobody: true, notices: Vec::new(), whole: 0, failed: None };
    for (place, tile) in board.tiles.iter().enumerate() {
        progress.stage(Stage::Query);
        let path = out.with_extension(format!("{place}.pdf"));
        let why = match &tile.job {
            Ok(job) => match produce::part(runner, lease, job, path.clone(), stopper, progress).await {
                Ok(part) => {
                    made.whole += 1;
                    made.rows += part.file.rows;
                    made.truncated |= part.file.truncated;
                    made.names_nobody &= part.names_nobody;
                    let new: Vec<String> = job.notices.iter().filter(|notice| !made.notices.contains(notice)).cloned().collect();
                    made.notices.extend(new);
                    None
                }
                // What was stopped from outside says so itself.
                Err(Stop::Failed(failure)) if stopper.why().is_none() => {
                    let text = failure.text.clone();
                    made.failed.get_or_insert(failure);
                    Some(text)
                }
                Err(stop) => return Err(stop),
            },
            Err(why) => Some(why.clone()),
        };
        if let Some(why) = why {
            tell(board, tile, why, path.clone(), stopper).await?;
        }
        made.chapters.push(Chapter { title: tile.naslov.clone(), path });
    }
    if let (0, Some(failure)) = (made.whole, made.failed.take()) {
        return Err(failure.into());
    }
    runs::set_notices(&runner.app, lease, &made.notices).await?;
    runs::set_rows(&runner.app, lease, RowsOfRun { names_nobody: made.names_nobody, is_shared: false }).await?;
    let bundle = Bundle {
        title: format!("{}, {}", board.naziv, board.ustanova),
        author: board.radnik.clone(),
        made: board.generisano,
        chapters: made.chapters,
    };
    let joined = tokio::task::spawn_blocking(move || render::join(&bundle, &out)).await.map_err(|panic| Stop::panicked(&panic))?;
    let (bytes, pages) = joined.map_err(|error| failure::render(&error))?;
    let file = RenderedFile { rows: made.rows, bytes, pages: Some(pages), truncated: made.truncated, missing_glyphs: Vec::new() };
    let files = vec![(Format::Pdf.into(), file)];
    Ok(ProducedFiles { files, rows: made.rows, truncated: made.truncated, note: None })
}

/// A page with the name of the tile and why it has nothing else.
async fn tell(board: &BoardOrder, tile: &BoardTile, why: String, path: PathBuf, stopper: &Stopper) -> Result<(), Stop> {
    let heading = Heading {
        naslov: tile.naslov.clone(),
        podnaslov: None,
        ustanova: board.ustanova.clone(),
        radnik_ime_prezime: board.radnik.clone(),
        generisano: board.generisano,
        parametri: Vec::new(),
        picture: None,
        marks: Vec::new(),
    };
    let table = TablePlan { columns: vec![Column::plain("Nije prikazano", REASON)], ..TablePlan::default() };
    let page = PageSetup { landscape: false, size: 9.0 };
    let plan = Plan { format: Format::Pdf, heading, page, body: Body::Table(Box::new(table)) };
    let target = Target { plan, path, notices: Vec::new(), start: None };
    let token = stopper.token().clone();
    let rendering = tokio::task::spawn_blocking(move || {
        let rows = std::iter::once(Ok(vec![Value::Text(why)]));
        render::render(vec![target], &[REASON.to_owned()], rows, &Limits::default(), &token)
    });
    let outcomes = rendering.await.map_err(|panic| Stop::panicked(&panic))?.map_err(|error| failure::render(&error))?;
    for outcome in outcomes {
        outcome.result.map_err(|error| failure::render(&error))?;
    }
    Ok(())
}
