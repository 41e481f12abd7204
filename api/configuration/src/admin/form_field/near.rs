//! The part of a form that a change of one field concerns: the field, what its formulas read and it stands in, by way of others too, and
//! what reads it. A form of two thousand fields is not read for one of them.

use std::collections::{BTreeMap, BTreeSet};

use domain::{
    entry::{
        form::{Choice, EntryField, EntryForm, FormError},
        rules::EntryRule,
    },
    formula::{self, Formula},
    register::FieldProperties,
};
use serde_json::Value;
use sqlx::{PgConnection, types::Json};

type Result<T> = std::result::Result<T, FormError>;

/// What a field is about to read and to stand in, beside what it does as it is stored.
#[derive(Clone, Default)]
pub struct FieldDependencies {
    pub parent: Option<i64>,
    /// Codes that its formulas name.
    codes: BTreeSet<String>,
}

impl FieldDependencies {
    /// A formula that cannot be parsed names nothing; it is refused with its place by whoever compiles it.
    pub fn of(own: &FieldProperties, parent: Option<i64>) -> Self {
        let texts = [&own.formula_za_racunanje, &own.formula_za_prikaz, &own.obavezan_ako];
        let parsed = texts.into_iter().flatten().filter_map(|text| formula::parse(text).ok());
        Self { parent, codes: parsed.flat_map(|formula| names(&formula)).collect() }
    }
}

/// Which of those that read the field belong to it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Readers {
    /// Those that name it: their names and items must go on fitting.
    Direct,
    /// Those too whose results follow from it by way of others, and what stands in them.
    All,
}

/// The part as it is before a change of the field, and after it.
pub struct FieldPart {
    pub id: i64,
    pub wanted: FieldDependencies,
    pub readers: Readers,
}

impl FieldPart {
    pub async fn load(&self, db: &mut PgConnection, form: i64) -> Result<EntryForm> {
        part(db, form, self.id, &self.wanted, self.readers).await
    }
}

/// That part, as a form of nothing else: its fields, their formulas, and the conditions that name the field `id`.
pub async fn part(db: &mut PgConnection, form: i64, id: i64, wanted: &FieldDependencies, readers: Readers) -> Result<EntryForm> {
    let own =
        sqlx::query!(r#"select naziv, registar_id, pravila as "pravila: Json<Vec<EntryRule>>" from form where id = $1 and aktivan"#, form)
            .fetch_optional(&mut *db)
            .await?
            .ok_or(FormError::Missing)?;
    let mut walk = Walk { form, fields: BTreeMap::new(), codes: BTreeSet::new() };
    walk.take(db, &[id], &[]).await?;
    let code = walk.fields.get(&id).and_then(|field| field.sifra.clone());
    let direct = walk.readers_of(db, code.iter()).await?;
    walk.take(db, &direct, &[]).await?;
    if readers == Readers::All {
        walk.follow(db, id).await?;
    }
    let named: BTreeSet<i64> = direct.into_iter().chain([id]).collect();
    let reads = |rule: &EntryRule| code.as_ref().is_some_and(|code| rule.formula.reads(code) || rule.own.polje.as_ref() == Some(code));
    let rules: Vec<EntryRule> = own.pravila.0.into_iter().filter(reads).collect();
    let conditions = rules.iter().flat_map(|rule| names(&rule.formula)).chain(wanted.codes.iter().cloned());
    let (mut codes, mut ids): (Vec<String>, Vec<i64>) = (conditions.collect(), wanted.parent.into_iter().collect());
    // The conditions of others that do not name the field are not asked whether they fit.
    for field in walk.fields.values_mut().filter(|field| !named.contains(&field.id)) {
        (field.obavezan_ako, field.izvor.obavezan_ako) = (None, None);
    }
    loop {
        for field in walk.fields.values() {
            ids.extend(field.naredjeni_auts);
            codes.extend(names_of([&field.formula_za_racunanje, &field.formula_za_prikaz, &field.obavezan_ako]));
        }
        let met = walk.take(db, &ids, &codes).await?;
        if met.is_empty() {
            break;
        }
        for id in met {
            if let Some(field) = walk.fields.get_mut(&id) {
                (field.obavezan_ako, field.izvor.obavezan_ako) = (None, None);
            }
        }
        (codes, ids) = (Vec::new(), Vec::new());
    }
    let fields = walk.fields.into_values().collect();
    Ok(EntryForm { registar_id: own.registar_id, ..EntryForm::of_fields(form, own.naziv, fields, rules)? })
}

/// Who reads the codes of these fields, whatever reads them: formulas of other fields.
async fn readers(db: &mut PgConnection, form: i64, codes: &[String]) -> sqlx::Result<Vec<i64>> {
    sqlx::query_scalar!("select distinct polje_id from form_field_read where form_id = $1 and sifra = any ($2)", form, codes)
        .fetch_all(db)
        .await
}

struct Walk {
    form: i64,
    fields: BTreeMap<i64, EntryField>,
    /// Codes that were asked for, whether there is such a field or not.
    codes: BTreeSet<String>,
}

impl Walk {
    /// Reads the fields with these ids or codes that were not met yet, and gives their ids.
    async fn take(&mut self, db: &mut PgConnection, ids: &[i64], codes: &[String]) -> Result<Vec<i64>> {
        let ids: BTreeSet<i64> = ids.iter().copied().filter(|id| !self.fields.contains_key(id)).collect();
        let known: BTreeSet<&str> = self.fields.values().filter_map(|field| field.sifra.as_deref()).collect();
        let codes: BTreeSet<String> =
            codes.iter().filter(|code| !known.contains(code.as_str()) && !self.codes.contains(*code)).cloned().collect();
        if ids.is_empty() && codes.is_empty() {
            return Ok(Vec::new());
        }
        let found = fields(db, self.form, &ids.into_iter().collect::<Vec<_>>(), &codes.iter().cloned().collect::<Vec<_>>()).await?;
        self.codes.extend(codes);
        let met: Vec<i64> = found.iter().map(|field| field.id).filter(|id| !self.fields.contains_key(id)).collect();
        for field in found {
            self.fields.entry(field.id).or_insert(field);
        }
        Ok(met)
    }

    async fn readers_of(&self, db: &mut PgConnection, codes: impl Iterator<Item = &String>) -> Result<Vec<i64>> {
        let codes: Vec<String> = codes.cloned().collect();
        if codes.is_empty() { Ok(Vec::new()) } else { Ok(readers(db, self.form, &codes).await?) }
    }

    /// All that follows from the field: those that read it or stand in it, and so on.
    async fn follow(&mut self, db: &mut PgConnection, from: i64) -> Result<()> {
        let (mut waiting, mut met) = (vec![from], BTreeSet::from([from]));
        while !waiting.is_empty() {
            let codes: Vec<String> = waiting.iter().filter_map(|id| self.fields.get(id)).filter_map(|field| field.sifra.clone()).collect();
            let mut next = self.readers_of(&mut *db, codes.iter()).await?;
            next.extend(
                sqlx::query_scalar!("select id from form_field where nadredjeni_atribut_u_tipu_skupa_id = any ($1) and aktivan", &waiting)
                    .fetch_all(&mut *db)
                    .await?,
            );
            self.take(&mut *db, &next, &[]).await?;
            next.retain(|id| self.fields.contains_key(id) && met.insert(*id));
            waiting = next;
        }
        Ok(())
    }
}

/// Active fields of the form by id or code, with all items of their types and the codes of those.
async fn fields(db: &mut PgConnection, form: i64, ids: &[i64], codes: &[String]) -> Result<Vec<EntryField>> {
    let rows = sqlx::query!(
        r#"
        select field_description(f, t) as "polje!: Json<EntryField>",
               coalesce(item_descriptions(f.tip_atributa_id, true), '[]') as "stavke!: Json<Vec<Choice>>"
          from (select id from form_field where id = any ($2) and tip_skupa_atributa_id = $1 and aktivan
                union select id from form_field where tip_skupa_atributa_id = $1 and sifra = any ($3) and aktivan) w
          join form_field f on f.id = w.id join attribute_type t on t.id = f.tip_atributa_id
        "#,
        form,
        ids,
        codes
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(|row| EntryField { enum_stavke_sve: row.stavke.0, ..row.polje.0 }).collect())
}

fn names(formula: &Formula) -> Vec<String> {
    formula.deps.iter().chain(&formula.prev).cloned().collect()
}

/// Codes that stored trees name.
fn names_of<const N: usize>(trees: [&Option<Value>; N]) -> Vec<String> {
    let lists = trees.into_iter().flatten().flat_map(|tree| [&tree["deps"], &tree["prev"]]);
    lists.filter_map(Value::as_array).flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}
