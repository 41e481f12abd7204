//! What a check has shown, as sums of three parts: the data, the configuration that they meet, and what would become of them. Whoever
//! confirms it sends it back, and what is then found otherwise is not stored: it is a new check.

use std::fmt;

use clinical::entries::values;
use domain::entry::units;
use serde::Serialize;
use sha2::{Digest, Sha256};
use sqlx::PgConnection;

use super::{
    data::Request,
    drafts::Drafts,
    matching::{DraftMatch, Matches},
    problems::Problem,
    write::Tally,
};

/// So many hexadecimal digits tell two states apart; nobody gains by making two alike.
const DIGITS: usize = 16;

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Fingerprint {
    data: String,
    configuration: String,
    outcome: String,
}

impl Fingerprint {
    pub fn new(data: impl AsRef<[u8]>, configuration: impl AsRef<[u8]>, outcome: impl AsRef<[u8]>) -> Self {
        let sum = |part: &[u8]| hex::encode(Sha256::digest(part))[..DIGITS].to_owned();
        Self { data: sum(data.as_ref()), configuration: sum(configuration.as_ref()), outcome: sum(outcome.as_ref()) }
    }

    /// Of a text that somebody sends; what is none differs from every other in all parts.
    pub fn parse(text: &str) -> Self {
        let mut parts = text.trim().splitn(3, '-').map(str::to_owned);
        let mut next = || parts.next().unwrap_or_default();
        Self { data: next(), configuration: next(), outcome: next() }
    }

    /// What was found otherwise than `shown`, in words; none where all is as it was.
    pub fn difference_from(&self, shown: &Self) -> Option<String> {
        let parts = [
            (self.data != shown.data, "fajl ili način na koji se čita"),
            (self.configuration != shown.configuration, "podešavanja registra, formulara ili stavki"),
            (self.outcome != shown.outcome, "ono što bi bilo upisano"),
        ];
        let changed: Vec<&str> = parts.into_iter().filter_map(|(differs, what)| differs.then_some(what)).collect();
        (!changed.is_empty())
            .then(|| format!("Od provere se promenilo: {}. Ništa nije upisano. Pogledajte novu proveru, pa potvrdite.", changed.join("; ")))
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}-{}", self.data, self.configuration, self.outcome)
    }
}

/// All that a register is configured by: a change of any of it is another text.
pub async fn configuration(tx: &mut PgConnection, register: i64) -> sqlx::Result<String> {
    sqlx::query_scalar!(
        r#"with forms as (select * from form where registar_id = $1),
                fields as (select x.* from form_field x join forms f on f.id = x.tip_skupa_atributa_id),
                types as (select * from attribute_type t where t.id in (select tip_atributa_id from fields))
           select encode(sha256(convert_to(coalesce(string_agg(p.row, e'\n' order by p.row), ''), 'UTF8')), 'hex') as "sum!"
             from (select 'register ' || to_jsonb(r)::text as row from register r where r.id = $1
                   union all select 'form ' || to_jsonb(f)::text from forms f
                   union all select 'field ' || to_jsonb(x)::text from fields x
                   union all select 'type ' || to_jsonb(t)::text from types t
                   union all select 'item ' || to_jsonb(i)::text from enum_item i where i.tip_atributa_id in (select id from types)) p"#,
        register
    )
    .fetch_one(tx)
    .await
}

/// The file and all that says how it is read.
pub fn data(request: &Request<'_>, register: i64) -> serde_json::Result<String> {
    let file = hex::encode(Sha256::digest(request.file));
    // By way of a value, whose keys are in order.
    let mapping = serde_json::to_value(request.mapping)?;
    serde_json::to_string(&(file, mapping, request.source, register, request.institution))
}

/// What becomes of each record, and with which values.
pub fn outcome(
    drafts: &Drafts<'_>,
    matches: &Matches,
    (patients, entries): (Tally, Tally),
    warnings: &[Problem],
) -> serde_json::Result<Vec<u8>> {
    let mut told = Sha256::new();
    let mut tell = |part: &dyn fmt::Debug| told.update(format!("{part:?}\n"));
    tell(&(patients, entries, drafts.without_entry));
    let fate = |known: &DraftMatch| format!("{:?} {} {}", known.fate, known.recorded, known.shares_lbo);
    for (draft, known) in drafts.patients.iter().zip(&matches.patients) {
        tell(&(&draft.key, draft.institution, text(&draft.record)?, &draft.told, &draft.consents, fate(known)));
    }
    for (draft, known) in drafts.entries.iter().zip(&matches.entries) {
        let values = (text(&values::to_json(&draft.values))?, text(&units::column(&draft.typed))?);
        tell(&(&draft.key, draft.patient, draft.schema.form.id, draft.date, draft.institution, draft.responsible, values, fate(known)));
    }
    for warning in warnings {
        tell(warning);
    }
    Ok(told.finalize().to_vec())
}

fn text(part: &impl Serialize) -> serde_json::Result<String> {
    serde_json::to_value(part).map(|value| value.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_changed_is_said_and_what_is_alike_is_not() {
        let shown = Fingerprint::new("a", "b", "c");
        assert_eq!(Fingerprint::parse(&shown.to_string()), shown);
        assert_eq!(shown.difference_from(&shown), None);
        let said = Fingerprint::new("a", "x", "c").difference_from(&shown).unwrap();
        assert!(said.contains("podešavanja registra") && !said.contains("fajl ili") && said.contains("Ništa nije upisano."), "{said}");
        let said = shown.difference_from(&Fingerprint::parse("nije otisak")).unwrap();
        assert!(said.contains("fajl ili način") && said.contains("ono što bi bilo upisano"), "{said}");
    }
}
