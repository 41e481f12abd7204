//! What every call stands on: how it is read, answered, described and refused, and how the program serves.

pub mod connections;
pub mod constraints;
pub(crate) mod continuation;
pub(crate) mod deletion;
pub mod error;
pub mod extract;
pub mod health;
pub mod http;
pub mod hub;
pub mod identity_provider;
pub mod known_forms;
pub(crate) mod last_change;
pub mod long_answers;
pub mod openapi;
pub(crate) mod options;
pub mod page;
pub(crate) mod period;
pub(crate) mod places;
pub mod pools;
pub mod proxies;
pub mod rows;
pub(crate) mod shared;
pub mod sockets;
pub mod state;
pub(crate) mod token;
pub(crate) mod web;
