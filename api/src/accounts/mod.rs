//! Who signs in, with which password and for how long, and what she may then.

pub(crate) mod application_rights;
pub mod audit;
pub mod auth;
pub(crate) mod ceiling;
pub(crate) mod confirming;
pub mod duty;
pub mod oidc;
pub(crate) mod password_change;
pub(crate) mod password_rules;
pub mod passwords;
pub(crate) mod reach;
pub mod rights;
pub(crate) mod second_factor;
pub mod sessions;
pub(crate) mod sign_in;
pub(crate) mod throttle;
