//! Versions of forms that were shown lately, read and written out once: what a version says never changes, and a long one takes longer to
//! read, understand and write out than all else that the entry screen asks for.

use std::sync::{Arc, Mutex, PoisonError};

use domain::entry::form::{EntryField, EntryForm, VersionHead};
use hashlink::LruCache;
use serde::{Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};
use sqlx::PgConnection;

use crate::error::Result;

/// Bytes of written fields that are kept; what was read of them takes some times as much memory.
const MOST_BYTES: usize = 8 << 20;

/// A form in a version, with its fields as they are answered.
pub struct KnownForm {
    head: VersionHead,
    pub form: EntryForm,
    fields: Box<RawValue>,
}

/// The fields of a form on their way out.
pub enum ShownFields {
    Own(Vec<EntryField>),
    Known(Arc<KnownForm>),
}

impl Serialize for ShownFields {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        match self {
            Self::Own(fields) => fields.serialize(serializer),
            Self::Known(known) => known.fields.serialize(serializer),
        }
    }
}

#[derive(Clone)]
pub struct KnownForms(Arc<Mutex<CachedForms>>);

struct CachedForms {
    by_version: LruCache<i64, Arc<KnownForm>>,
    bytes: usize,
}

impl Default for KnownForms {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(CachedForms { by_version: LruCache::new_unbounded(), bytes: 0 })))
    }
}

impl KnownForms {
    /// The version's form: the one that is kept, where all that the database says beside the version's own words, and the name of these
    /// words, is as it was.
    pub async fn of_version(&self, db: &mut PgConnection, version: i64) -> Result<Arc<KnownForm>> {
        let head = VersionHead::of(db, version).await?;
        if let Some(known) = self.kept(version).filter(|known| known.head == head) {
            return Ok(known);
        }
        let form = head.clone().whole(db).await?;
        let fields = to_raw_value(&form.fields)?;
        let known = Arc::new(KnownForm { head, form, fields });
        self.keep(version, known.clone());
        Ok(known)
    }

    fn kept(&self, version: i64) -> Option<Arc<KnownForm>> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.by_version.get(&version).cloned()
    }

    /// Those that were longest not asked for make room.
    fn keep(&self, version: i64, known: Arc<KnownForm>) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.bytes += known.bytes();
        if let Some(before) = kept.by_version.insert(version, known) {
            kept.bytes -= before.bytes();
        }
        while kept.bytes > MOST_BYTES {
            let Some((_, oldest)) = kept.by_version.remove_lru() else { break };
            kept.bytes -= oldest.bytes();
        }
    }
}

impl KnownForm {
    fn bytes(&self) -> usize {
        self.fields.get().len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quarter() -> Arc<KnownForm> {
        let quotes = 2;
        let fields = to_raw_value(&"x".repeat(MOST_BYTES / 4 - quotes)).unwrap();
        Arc::new(KnownForm { head: VersionHead::default(), form: EntryForm::default(), fields })
    }

    #[test]
    fn the_version_longest_not_asked_for_makes_room() {
        let forms = KnownForms::default();
        (1..=4).for_each(|version| forms.keep(version, quarter()));
        assert!(forms.kept(1).is_some());
        forms.keep(5, quarter());
        // The same one anew takes no more room.
        forms.keep(5, quarter());
        let kept: Vec<i64> = (1..=5).filter(|version| forms.kept(*version).is_some()).collect();
        assert_eq!(kept, [1, 3, 4, 5]);
    }
}
