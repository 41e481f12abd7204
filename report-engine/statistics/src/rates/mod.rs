//! Rates, their standardisation, and how they vary between places and months.
pub mod control;
pub mod funnel;
pub mod incidence;
pub mod standardised;
