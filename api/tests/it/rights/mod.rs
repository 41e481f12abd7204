//! Rights over the whole API. `table.rs` has a row for every operation; a new route is refused to everybody, or gets a row there.

mod administering;
mod callers;
mod each_right;
mod one_workers;
mod patients;
mod scene;
mod table;
mod walls;
