//! The API as its callers see it: every test drives the whole router on a database of its own.

mod entries;
mod maintenance;
mod patients;
mod reports;
mod routes;
mod search;
mod support;
