//! What a template knows before any row is read.
use jiff::civil::DateTime;
use serde_json::{Map, Value as Json, json};

use crate::plan::Format;

#[derive(Clone, Debug)]
pub struct Context {
    /// The report's name in the catalogue.
    pub naziv: String,
    /// What was asked for, as label and text, in the order of the form.
    pub parametri: Vec<(String, String)>,
    pub ustanova: String,
    pub radnik_ime_prezime: String,
    /// Local time of the report.
    pub generisano: DateTime,
    pub format: Format,
    /// Further values for the template, under `extra`.
    pub extra: Json,
}

impl Context {
    pub fn to_map(&self) -> Map<String, Json> {
        let parametri = self.parametri.iter().map(|(naziv, vrednost)| json!({ "naziv": naziv, "vrednost": vrednost }));
        let values = [
            ("naziv", json!(self.naziv)),
            ("parametri", parametri.collect()),
            ("ustanova", json!(self.ustanova)),
            ("radnik", json!(self.radnik_ime_prezime)),
            ("generisano", json!(self.generisano.to_string())),
            ("format", json!(self.format.told())),
            ("extra", self.extra.clone()),
        ];
        values.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }
}
