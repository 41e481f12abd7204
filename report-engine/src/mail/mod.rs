//! Mail: one message a recipient, each delivery a row with its own attempts.

mod attachment;
mod delivery;
mod digest;
mod kind;
mod letter;
mod letters;
mod mailer;
mod notice;
mod questions;
mod queue;
mod sender;
mod smtp;
mod state;

pub use mailer::Mail;
