//! The API as its callers see it: every test drives the whole router on a database of its own.

mod administration;
mod blurring;
mod clinical_rights;
mod crud;
mod entities;
mod entries;
mod form_fields;
mod import_data;
mod import_demo;
mod import_register;
mod interleavings;
mod maintenance;
mod migrate;
mod password_change;
mod patients;
mod printing;
mod profile;
mod reports;
mod rights;
mod routes;
mod search;
mod search_sources;
mod shell;
mod sign_in;
mod support;
mod web;
