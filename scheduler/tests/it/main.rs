//! The scheduler on a real PostgreSQL, a real Redis, and as real processes.

mod announcing;
mod digests;
mod firing;
mod many;
mod pausing;
mod processes;
mod question_letters;
mod retention;
mod support;
