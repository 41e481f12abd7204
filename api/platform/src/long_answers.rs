//! Long answers: made whole before the first byte is sent, so that a client who reads slowly holds no connection of the pool. A
//! worker has few of them under way, so many rows of them within a while, and few at a time are made.

use std::{
    io::{self, SeekFrom},
    sync::Arc,
    time::Duration,
};

use axum::body::{Body, Bytes};
use domain::time;
use jiff::{SignedDuration, Timestamp};
use jiff_sqlx::ToSqlx;
use sqlx::PgPool;
use tokio::{
    fs::File,
    io::{AsyncRead, AsyncReadExt, AsyncSeekExt, AsyncWriteExt},
    sync::{OwnedSemaphorePermit, Semaphore, mpsc},
};
use tokio_stream::wrappers::ReceiverStream;

use crate::{
    error::{Error, Result},
    places::{self, Places},
};

/// Connections that long answers may hold at one time; the pool has several times as many.
const MADE_AT_ONCE: usize = 4;
/// How long one waits for its turn to be made.
const TURN: Duration = Duration::from_secs(10);
/// Answers of one worker, from the call to the last byte.
const OF_A_WORKER: usize = 3;
/// Rows of a worker within a while, from all processes together: all patients of a large register some times over. Who asks for all of them again and again keeps the
/// database busy with what is on her screen already.
const ROWS: usize = 500_000;
const WHILE: SignedDuration = SignedDuration::from_mins(10);
/// What is kept in memory; more goes to a file without a name.
const IN_MEMORY: usize = 1 << 20;
const PIECE: usize = 1 << 16;
/// Pieces on their way to a client who reads slowly, and how long one may wait to be taken.
const PIECES: usize = 4;
const PATIENCE: Duration = Duration::from_secs(30);
/// The answer is kept no longer than this, however slowly the client reads.
const WHOLE: Duration = Duration::from_secs(300);

/// One answer under way; dropped with its last byte, or when its client has gone.
pub type Place = places::Place<i64>;

/// Who has long answers under way, and how many of them are being made.
#[derive(Clone)]
pub struct LongAnswers {
    making: Arc<Semaphore>,
    under_way: Places<i64>,
    rows: usize,
}

impl Default for LongAnswers {
    fn default() -> Self {
        Self::of(ROWS)
    }
}

impl LongAnswers {
    /// With so many rows of a worker within a while.
    pub fn of(rows: usize) -> Self {
        Self { making: Arc::new(Semaphore::new(MADE_AT_ONCE)), under_way: Places::new(OF_A_WORKER), rows }
    }

    /// A place for one more answer of the worker.
    pub async fn place(&self, db: &PgPool, worker: i64, now: Timestamp) -> Result<Place> {
        if let Some(opens) = self.opens(db, worker, now).await? {
            return Err(Error::too_many(format!(
                "U poslednjih {} minuta ste više puta tražili sve rezultate velikog registra. To možete ponovo od {}. Do tada suzite pretragu ili \
                 izaberite manji broj rezultata.",
                WHILE.as_mins(),
                opens.to_zoned(time::zone()).strftime("%H:%M")
            )));
        }
        let refusal = "Vaše prethodne pretrage svih rezultata još traju. Sačekajte da se neka završi, pa pokušajte ponovo.";
        self.under_way.now(worker).ok_or_else(|| Error::too_many(refusal))
    }

    /// The worker is answered with so many rows.
    pub async fn count(&self, db: &PgPool, worker: i64, now: Timestamp, rows: usize) -> Result<()> {
        let rows = i32::try_from(rows).unwrap_or(i32::MAX);
        sqlx::query!(
            "with past as (delete from long_answer where vreme <= $2)
             insert into long_answer (radnik_id, vreme, redova) values ($1, $3, $4)",
            worker,
            (now - WHILE).to_sqlx() as _,
            now.to_sqlx() as _,
            rows
        )
        .execute(db)
        .await?;
        Ok(())
    }

    /// When the worker may ask for one more; none where it is now.
    async fn opens(&self, db: &PgPool, worker: i64, now: Timestamp) -> Result<Option<Timestamp>> {
        // From the newest: the one that fills the measure must be gone first.
        let filling = sqlx::query_scalar!(
            r#"select vreme as "vreme!: jiff_sqlx::Timestamp"
                 from (select id, vreme, sum(redova) over (order by vreme desc, id desc) as zbir
                         from long_answer where radnik_id = $1 and vreme > $2) answers
                where zbir >= $3 order by vreme desc, id desc limit 1"#,
            worker,
            (now - WHILE).to_sqlx() as _,
            i64::try_from(self.rows).unwrap_or(i64::MAX)
        );
        Ok(filling.fetch_optional(db).await?.map(|at| at.to_jiff() + WHILE))
    }

    /// Leave to hold a connection while an answer is made.
    pub async fn turn(&self) -> Result<OwnedSemaphorePermit> {
        match tokio::time::timeout(TURN, self.making.clone().acquire_owned()).await {
            Ok(Ok(permit)) => Ok(permit),
            _ => Err(Error::Busy),
        }
    }
}

/// An answer while it is made: in memory as long as it is small, then in a file that ends with it.
pub enum Spool {
    Memory(Vec<u8>),
    File(File),
}

impl Default for Spool {
    fn default() -> Self {
        Self::Memory(Vec::new())
    }
}

impl Spool {
    pub async fn write(&mut self, piece: &[u8]) -> io::Result<()> {
        match self {
            Self::Memory(kept) if kept.len() + piece.len() <= IN_MEMORY => kept.extend_from_slice(piece),
            Self::Memory(kept) => {
                let mut file = File::from_std(tokio::task::spawn_blocking(tempfile::tempfile).await??);
                file.write_all(kept).await?;
                file.write_all(piece).await?;
                *self = Self::File(file);
            }
            Self::File(file) => file.write_all(piece).await?,
        }
        Ok(())
    }

    /// The body that sends it, at the client's pace within limits.
    pub async fn send(self, place: Place) -> io::Result<Body> {
        let reader: Box<dyn AsyncRead + Send + Unpin> = match self {
            Self::Memory(kept) => Box::new(io::Cursor::new(kept)),
            Self::File(mut file) => {
                file.flush().await?;
                file.seek(SeekFrom::Start(0)).await?;
                Box::new(file)
            }
        };
        let (sender, receiver) = mpsc::channel(PIECES);
        tokio::spawn(async move {
            if tokio::time::timeout(WHOLE, pass_on(reader, &sender)).await.is_err() {
                tracing::warn!("a long answer was not read in time");
            }
            drop(place);
        });
        Ok(Body::from_stream(ReceiverStream::new(receiver)))
    }
}

/// Ends where the client goes away or takes nothing for too long: the answer then breaks off, and nobody takes a part for the whole.
async fn pass_on(mut from: Box<dyn AsyncRead + Send + Unpin>, to: &mpsc::Sender<io::Result<Bytes>>) {
    let mut piece = vec![0; PIECE];
    loop {
        let read = match from.read(&mut piece).await {
            Ok(0) => return,
            Ok(read) => Ok(Bytes::copy_from_slice(&piece[..read])),
            Err(error) => {
                tracing::error!(%error, "a long answer could not be read back");
                Err(error)
            }
        };
        let broken = read.is_err();
        if to.send_timeout(read, PATIENCE).await.is_err() || broken {
            return;
        }
    }
}
