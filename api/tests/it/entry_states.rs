//! What a finished, signed or locked entry lets happen, by whichever route it is written.

mod deeds;
mod reporting;
mod table;
mod writing;
