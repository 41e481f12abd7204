//! The form as it is live, as a document, and what else drafts ask the database of fields, types and items.

use std::collections::HashMap;

use platform::{
    error::{Error, Result},
    rows::{self, Row},
};
use serde::de::DeserializeOwned;
use sqlx::{PgConnection, types::Json};

use super::document::{Document, DraftRule};

/// The form as it is configured today.
pub struct Live {
    pub document: Document,
    /// `redosled` of its fields and of the items of its types.
    pub fields: HashMap<i64, i32>,
    pub items: HashMap<i64, i32>,
}

impl Live {
    pub async fn load(db: &mut PgConnection, form: i64) -> Result<Self> {
        let own = sqlx::query!(r#"select naziv, pravila as "pravila: Json<Vec<DraftRule>>" from form where id = $1 and aktivan"#, form)
            .fetch_optional(&mut *db)
            .await?
            .ok_or(Error::NotFound)?;
        let fields = sqlx::query!(
            r#"select f.id, f.redosled, f.tip_atributa_id,
                      to_jsonb(f) - '{formula_za_prikaz_ast,formula_za_racunanje_ast,obavezan_ako_ast}'::text[] as "row!: Json<Row>"
                 from form_field f join form_field_place m on m.polje_id = f.id
                where f.tip_skupa_atributa_id = $1 and f.aktivan order by m.mesto"#,
            form
        )
        .fetch_all(&mut *db)
        .await?;
        let type_ids: Vec<i64> = fields.iter().map(|field| field.tip_atributa_id).collect();
        let mut document = types(&mut *db, &type_ids).await?;
        let items = orders_of_items(db, &type_ids).await?;
        document.naziv = own.naziv;
        document.pravila = own.pravila.0;
        let orders = fields.iter().map(|field| (field.id, field.redosled)).collect();
        document.polja = records(fields.into_iter().map(|field| field.row))?;
        Ok(Self { document: document.tidy(), fields: orders, items })
    }
}

/// A document of nothing but these types with their items.
pub async fn types(db: &mut PgConnection, ids: &[i64]) -> Result<Document> {
    let types =
        sqlx::query_scalar!(r#"select to_jsonb(t) as "row!: Json<Row>" from attribute_type t where t.id = any ($1) order by t.id"#, ids);
    let tipovi = records(types.fetch_all(&mut *db).await?)?;
    let items = sqlx::query_scalar!(
        r#"select to_jsonb(i) || jsonb_build_object('bez_tezine', i.num_vrednost is null) as "row!: Json<Row>"
             from enum_item i where i.tip_atributa_id = any ($1) and i.aktivan
            order by i.tip_atributa_id, i.redosled, i.id"#,
        ids
    );
    let stavke = records(items.fetch_all(db).await?)?;
    Ok(Document { tipovi, stavke, ..Document::default() })
}

async fn orders_of_items(db: &mut PgConnection, types: &[i64]) -> Result<HashMap<i64, i32>> {
    let items = sqlx::query!("select id, redosled from enum_item where tip_atributa_id = any ($1) and aktivan", types);
    Ok(items.fetch_all(db).await?.into_iter().map(|item| (item.id, item.redosled)).collect())
}

/// Types that fields of other forms are of, with the names of those forms: they are not a draft's to change.
pub async fn shared_types(db: &mut PgConnection, form: i64, types: &[i64]) -> Result<HashMap<i64, Vec<String>>> {
    let shared = sqlx::query!(
        r#"select tip_atributa_id as "tip!", array_agg(distinct formular order by formular) as "forms!: Vec<String>" from type_uses($1)
            where form_id <> $2 group by 1"#,
        types,
        form
    );
    Ok(shared.fetch_all(db).await?.into_iter().map(|row| (row.tip, row.forms)).collect())
}

pub fn records<T: DeserializeOwned>(rows: impl IntoIterator<Item = Json<Row>>) -> Result<Vec<T>> {
    Ok(rows.into_iter().map(|row| rows::record_of(row.0)).collect::<serde_json::Result<_>>()?)
}
