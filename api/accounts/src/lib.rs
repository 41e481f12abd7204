//! Who signs in, with which password and for how long, and what she may then.

pub mod application_rights;
pub mod audit;
pub mod auth;
pub mod ceiling;
pub mod confirming;
pub mod duty;
pub mod oidc;
pub mod password_change;
pub mod password_rules;
pub mod passwords;
pub mod reach;
pub mod rights;
pub mod second_factor;
pub mod sessions;
pub mod sign_in;
pub(crate) mod throttle;
