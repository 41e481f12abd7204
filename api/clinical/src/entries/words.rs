//! The words of an entry's history: what its fields, units and items were called in the versions of the form that the entry had.

use std::collections::{HashMap, hash_map::Entry::Vacant};

use domain::entry::form::{EntryField, EntryForm};
use jiff::Timestamp;
use serde_json::Value;
use sqlx::PgConnection;

use super::list::tell_apart;

/// The versions of an entry, oldest first.
pub struct Words {
    versions: Vec<Version>,
    fields: HashMap<i64, Vec<EntryField>>,
}

pub struct Version {
    id: i64,
    pub broj: i32,
    pub napravljena: Timestamp,
    /// Until when the entry had it, and who took the entry to the next one; none: it has it now.
    pub until: Option<Timestamp>,
    pub radnik: Option<String>,
    /// Whether it was a recomputation that took it there.
    pub preracunato: bool,
}

impl Words {
    pub async fn of(db: &mut PgConnection, entry: i64) -> sqlx::Result<Self> {
        let rows = sqlx::query!(
            r#"select v.id as "id!", v.broj as "broj!", v.napravljena as "napravljena!: jiff_sqlx::Timestamp",
                      h.until as "until?: jiff_sqlx::Timestamp", w.prezime || ' ' || w.ime as radnik,
                      exists (select from recomputation_entry r where r.unos_id = $1 and r.vreme = h.until) as "preracunato!"
                 from (select form_version_id, vreme_prestanka_vazenja as until, radnik_id, id from entry_version_history where unos_id = $1
                       union all select form_version_id, null, null, null from entry where id = $1) h
                 join form_version v on v.id = h.form_version_id
                 left join worker w on w.id = h.radnik_id
                order by h.until nulls last, h.id"#,
            entry
        )
        .fetch_all(&mut *db)
        .await?;
        let versions: Vec<Version> = rows
            .into_iter()
            .map(|row| Version {
                id: row.id,
                broj: row.broj,
                napravljena: row.napravljena.to_jiff(),
                until: row.until.map(|at| at.to_jiff()),
                radnik: row.radnik,
                preracunato: row.preracunato,
            })
            .collect();
        let mut fields = HashMap::new();
        for version in &versions {
            if let Vacant(place) = fields.entry(version.id) {
                let mut own = EntryForm::fields_of(db, version.id).await?;
                tell_apart(&mut own);
                place.insert(own);
            }
        }
        Ok(Self { versions, fields })
    }

    pub fn versions(&self) -> &[Version] {
        &self.versions
    }

    /// When the first version was made: an entry that is older had other words until then.
    pub fn first_made(&self) -> Option<Timestamp> {
        self.versions.first().map(|version| version.napravljena)
    }

    /// The fields that hold values, of the present version first, each once.
    pub fn fields(&self) -> Vec<&EntryField> {
        let mut found: Vec<&EntryField> = Vec::new();
        for version in self.versions.iter().rev() {
            for field in self.fields[&version.id].iter().filter(|field| field.holds_value()) {
                if !found.iter().any(|known| known.id == field.id) {
                    found.push(field);
                }
            }
        }
        found
    }

    /// The field as the entry's version of that moment had it.
    pub fn field(&self, id: i64, moment: Timestamp) -> Option<&EntryField> {
        let version = self.versions.iter().find(|version| version.until.is_none_or(|until| until > moment))?;
        self.fields[&version.id].iter().find(|field| field.id == id)
    }

    /// Chosen items by their names, in the order of the version. `then` are names from before the first version, `today` those of items
    /// that the version does not have.
    pub fn items(&self, field: i64, moment: Timestamp, chosen: &Value, then: &Value, today: &Value) -> Option<String> {
        let known = self.field(field, moment).map_or(&[][..], |field| &field.enum_stavke_sve);
        let mut chosen: Vec<i64> = chosen.as_array()?.iter().filter_map(Value::as_i64).collect();
        chosen.sort_by_key(|id| known.iter().position(|item| item.id == *id).unwrap_or(usize::MAX));
        let named = |id: &i64| {
            let told = |names: &Value| names.get(id.to_string()).and_then(Value::as_str).map(str::to_owned);
            told(then).or_else(|| Some(known.iter().find(|item| item.id == *id)?.naziv.clone())).or_else(|| told(today))
        };
        let names: Vec<String> = chosen.iter().filter_map(named).collect();
        (!names.is_empty()).then(|| names.join(", "))
    }
}
