//! The statements of a lease, with what is a table's own put in. Time is the database's clock, never a process's.

/// What the row answers to a holder's heartbeat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heartbeat {
    Held,
    /// Still held, and asked to stop.
    Cancel,
    /// The lease has lapsed and the job is no longer this holder's.
    Lost,
}

/// Makes `claim(db, id, …, lease_seconds)` and `claim_next(db, queue, …, lease_seconds)`: a row that is due and nobody's gets a new fence
/// and a lease. `$2` is the lease in seconds, what a kind adds begins at `$3`; `$1` of `among` and `in_queue` is the queue's name. `among`
/// may join the rows, called `job`, with what their order asks for; `due` within it stands for that condition.
#[macro_export]
macro_rules! job_claim {
    (
        $table:literal, id: $id:ty, due: $due:literal, among: ($among:literal $(due $among_rest:literal)*), in_queue: $in_queue:literal,
        order: $order:literal,
        begin: $begin:literal, returning: $returning:literal as $claimed:ty, with: ($($more:ident: $type:ty),*)
    ) => {
        /// Takes the job, if it is due and nobody's.
        pub async fn claim(db: &sqlx::PgPool, id: $id, $($more: $type,)* lease_seconds: f64) -> sqlx::Result<Option<$claimed>> {
            sqlx::query_as!(
                $claimed,
                "update " + $table + " set fence = fence + 1, lease_until = clock_timestamp() + make_interval(secs => $2), " + $begin
                    + " where id = $1 and " + $due + " returning " + $returning,
                id,
                lease_seconds
                $(, $more)*
            )
            .fetch_optional(db)
            .await
        }

        /// Takes the job of the queue whose turn it is.
        pub async fn claim_next(
            db: impl sqlx::PgExecutor<'_>,
            queue: &str,
            $($more: $type,)*
            lease_seconds: f64,
        ) -> sqlx::Result<Option<$claimed>> {
            sqlx::query_as!(
                $claimed,
                "update " + $table + " set fence = fence + 1, lease_until = clock_timestamp() + make_interval(secs => $2), " + $begin
                    + " where id = (select job.id from " + $table + " job " + $among $(+ $due + $among_rest)* + " where " + $in_queue
                    + " and " + $due + " order by " + $order + " limit 1 for update of job skip locked) returning " + $returning,
                queue,
                lease_seconds
                $(, $more)*
            )
            .fetch_optional(db)
            .await
        }
    };
}

/// A write of the holder: nothing happens unless the row still carries this fence and its lease was not taken back. Values begin at `$3`.
/// Gives whether the row was written; with `returning`, the value of that expression. `and` is one more condition.
#[macro_export]
macro_rules! job_held {
    ($table:literal, $status:literal, $db:expr, $id:expr, $fence:expr, returning: $returning:literal, $($set:literal)+ $(, $value:expr)*) => {
        sqlx::query_scalar!(
            "update " + $table + " set " $(+ $set)+ + " where id = $1 and fence = $2 and status = '" + $status + "' returning " + $returning,
            $id,
            $fence
            $(, $value)*
        )
        .fetch_optional($db)
        .await
    };
    ($table:literal, $status:literal, $db:expr, $id:expr, $fence:expr, and: $condition:literal, $($set:literal)+ $(, $value:expr)*) => {
        sqlx::query!(
            "update " + $table + " set " $(+ $set)+ + " where id = $1 and fence = $2 and status = '" + $status + "' and " + $condition,
            $id,
            $fence
            $(, $value)*
        )
        .execute($db)
        .await
        .map(|done| done.rows_affected() == 1)
    };
    ($table:literal, $status:literal, $db:expr, $id:expr, $fence:expr, $($set:literal)+ $(, $value:expr)*) => {
        $crate::job_held!($table, $status, $db, $id, $fence, and: "true", $($set)+ $(, $value)*)
    };
}

/// Takes back every row whose lease has lapsed: its holder is dead, or is taken for dead. Values begin at `$1`.
#[macro_export]
macro_rules! job_sweep {
    ($table:literal, $status:literal, $db:expr, returning: $returning:literal as $swept:ty, $($set:literal)+ $(, $value:expr)*) => {
        sqlx::query_as!(
            $swept,
            "update " + $table + " set " $(+ $set)+ + " where id in (select id from " + $table + " where status = '" + $status
                + "' and lease_until < clock_timestamp() for update skip locked) returning " + $returning
            $(, $value)*
        )
        .fetch_all($db)
        .await
    };
}
