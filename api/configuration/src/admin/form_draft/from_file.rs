//! A draft of a file: the form as the import of it would leave it, read within the transaction that is rolled back. What the import made new
//! has the ids of rows that are none, and gets ids of a draft's own.

use std::collections::{HashMap, HashSet};

use platform::error::{Error, Result};
use sqlx::PgConnection;

use super::{
    document::Document,
    from_version,
    live::{self, Live},
    store::{self, Origin},
};

/// The form before the import.
pub struct Before(Live);

/// The form after it.
pub struct After(Document);

impl Before {
    pub async fn of_form(tx: &mut PgConnection, form: i64) -> Result<Self> {
        Ok(Self(Live::load(tx, form).await?))
    }

    /// Once nothing of the import is there any more.
    pub async fn keep(&self, tx: &mut PgConnection, form: i64, worker: i64, after: After, notes: Vec<String>) -> Result<()> {
        let document = with_own_ids(&mut *tx, after.0, &self.0.document).await?;
        if document == self.0.document {
            return Err(Error::conflict("Fajl ne menja ništa u formularu."));
        }
        store::make(tx, form, worker, &document, &self.0, &Origin { broj: None, notes }).await
    }
}

impl After {
    pub async fn of_form(tx: &mut PgConnection, form: i64) -> Result<Self> {
        Ok(Self(Live::load(tx, form).await?.document))
    }
}

async fn with_own_ids(tx: &mut PgConnection, mut document: Document, before: &Document) -> Result<Document> {
    let fields: Vec<i64> = document.polja.iter().map(|field| field.id).collect();
    let types: Vec<i64> = document.tipovi.iter().map(|known| known.id).collect();
    let items: Vec<i64> = document.stavke.iter().map(|item| item.id).collect();
    let there = from_version::rows_of_fields(&mut *tx, fields.clone()).await?;
    let fields = own_ids(fields, there.into_keys());
    let there = live::types(&mut *tx, &types).await?;
    let types = own_ids(types, there.tipovi.into_iter().map(|known| known.id));
    let there = from_version::rows_of_items(tx, items.clone()).await?;
    let items = own_ids(items, there.into_keys());
    let known = before.pravila.iter().map(|rule| rule.id);
    let rules = own_ids(document.pravila.iter().map(|rule| rule.id).collect(), known);
    let now = |own: &HashMap<i64, i64>, id: i64| own.get(&id).copied().unwrap_or(id);
    for field in &mut document.polja {
        field.id = now(&fields, field.id);
        field.nadredjeni = field.nadredjeni.map(|id| now(&fields, id));
        field.tip_atributa_id = now(&types, field.tip_atributa_id);
        field.inicijalna_stavka = field.inicijalna_stavka.map(|id| now(&items, id));
    }
    document.tipovi.iter_mut().for_each(|known| known.id = now(&types, known.id));
    for item in &mut document.stavke {
        item.id = now(&items, item.id);
        item.tip_atributa_id = now(&types, item.tip_atributa_id);
    }
    document.pravila.iter_mut().for_each(|rule| rule.id = now(&rules, rule.id));
    Ok(document.tidy())
}

/// A negative id for each that is no row.
fn own_ids(ids: Vec<i64>, there: impl Iterator<Item = i64>) -> HashMap<i64, i64> {
    let there: HashSet<i64> = there.collect();
    ids.into_iter().filter(|id| !there.contains(id)).zip(1..).map(|(id, count)| (id, -count)).collect()
}
