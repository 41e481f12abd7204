//! A line of a chart field, as the administration, a definition file and the drawing know it.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::refusal::Refusal;

/// A line of a chart, by the code of the field whose values it joins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = FormFieldLine)]
#[serde(deny_unknown_fields)]
pub struct ChartLine {
    pub oznaka: String,
    pub sifra: String,
    /// `#rrggbb`.
    pub boja: String,
}

impl ChartLine {
    pub(super) fn refusal(&self) -> Option<Refusal> {
        let Self { oznaka, sifra, boja } = self;
        if oznaka.trim().is_empty() || sifra.trim().is_empty() {
            return Some(Refusal::new("grafik", "Svaka linija mora imati oznaku i šifru polja."));
        }
        let digits = boja.strip_prefix('#');
        let is_colour = digits.is_some_and(|hex| hex.len() == 6 && hex.bytes().all(|digit| digit.is_ascii_hexdigit()));
        (!is_colour).then(|| Refusal::new("grafik", format!("Boja linije „{oznaka}” nije ispravna.")))
    }
}
