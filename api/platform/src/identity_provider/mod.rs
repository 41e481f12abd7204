//! The OpenID Provider of a hospital: its settings, what is asked of it, and the browser that it is asked for.

mod browser;
mod provider;
mod settings;

pub use browser::Browser;
pub use provider::{Failure, Identity, Provider};
pub use settings::Settings;
