//! Forms of a register that read each other: a formula names a field of another form (`$(form.field)`). What it names goes on fitting it,
//! whichever of the two forms is changed, and no two forms wait for each other on one day
//! (docs/decisions/0146-a-formula-may-read-another-form.md).

use std::collections::{BTreeMap, BTreeSet};

use domain::{
    entry::{
        form::{EntryForm, FormError},
        other_forms,
    },
    formula::{self, Formula},
};
use platform::error::{Error, Result};
use sqlx::PgConnection;

/// The fields of other forms that these texts of a form's formulas name, beside what its stored formulas do.
pub async fn beside<'a>(
    db: &mut PgConnection,
    form: &EntryForm,
    texts: impl IntoIterator<Item = &'a str>,
) -> sqlx::Result<Vec<formula::Field>> {
    let mut codes = other_forms::codes_in(form);
    codes.extend(other_forms::codes_in_texts(texts));
    other_forms::beside(db, form.registar_id, form.id, &codes).await
}

/// The form's own fields, and those of other forms that its formulas and these texts name.
pub async fn all_fields<'a>(
    db: &mut PgConnection,
    form: &EntryForm,
    texts: impl IntoIterator<Item = &'a str>,
) -> sqlx::Result<Vec<formula::Field>> {
    let beside = beside(db, form, texts).await?;
    Ok(form.formulas.iter().cloned().chain(beside).collect())
}

/// What of the register's forms, as they are in this transaction, does not fit what a formula reads of another one, or waits for itself by
/// way of others; in words.
pub async fn broken_reader(tx: &mut PgConnection, register: i64) -> std::result::Result<Option<String>, FormError> {
    let mut readers: BTreeMap<i64, Reader> = BTreeMap::new();
    for id in reading_forms(&mut *tx, register).await? {
        let form = EntryForm::load(&mut *tx, id).await?;
        let fields = all_fields(&mut *tx, &form, []).await?;
        let problem = formula::check_form(&fields).into_iter().next().map(|problem| problem.message);
        if let Some(problem) = problem.or_else(|| form.missed_by_conditions(&fields)) {
            let message = format!(
                "Formular „{}” čita polja drugog formulara, pa se to ne može tako snimiti: {problem} Prvo izmenite tu formulu.",
                form.naziv
            );
            return Ok(Some(message));
        }
        readers.insert(id, Reader::of(&form, &fields));
    }
    Ok(circle(&readers).map(|names| format!("Formulari se istog dana čitaju u krug: {}.", names.join(" → "))))
}

/// Refuses a change of the form after which the register's forms would not fit each other.
pub async fn refuse_broken_readers_of(tx: &mut PgConnection, form: i64) -> Result<()> {
    let register = sqlx::query_scalar!("select registar_id from form where id = $1", form).fetch_one(&mut *tx).await?;
    match broken_reader(tx, register).await? {
        Some(message) => Err(Error::conflict(message)),
        None => Ok(()),
    }
}

/// The active forms of the register of which a formula names a field of another form.
async fn reading_forms(db: &mut PgConnection, register: i64) -> sqlx::Result<Vec<i64>> {
    sqlx::query_scalar!(
        "select r.id from form r
          where r.registar_id = $1 and r.aktivan
            and (exists (select from form_field_read n where n.form_id = r.id and strpos(n.sifra, '.') > 0)
                 or jsonb_path_exists(r.pravila, '$[*].formula.far[*]') or jsonb_path_exists(r.pravila, '$[*].formula.farPrev[*]'))
          order by r.id",
        register
    )
    .fetch_all(db)
    .await
}

/// The forms whose formulas name this field, or any of the form's where none is said; with the formula, in words.
pub async fn readers(db: &mut PgConnection, form: i64, field: Option<&str>) -> Result<Vec<String>> {
    let own = sqlx::query!("select registar_id, sifra_veza from form where id = $1", form).fetch_one(&mut *db).await?;
    let Some(code) = own.sifra_veza else { return Ok(Vec::new()) };
    let is_named = |named: &String| match field {
        Some(field) => *named == format!("{code}.{field}"),
        None => formula::form_and_field(named).is_some_and(|(form, _)| form == code),
    };
    let mut found = Vec::new();
    for id in reading_forms(&mut *db, own.registar_id).await?.into_iter().filter(|id| *id != form) {
        let reader = EntryForm::load(&mut *db, id).await?;
        let reads = |formula: &Formula| formula.of_other_forms().any(is_named);
        for (field, formulas) in
            reader.everything().filter_map(|field| Some((field, reader.formulas.iter().find(|own| own.id == field.id)?)))
        {
            if formulas.formulas().chain(reader.required_if.get(&field.id)).any(reads) {
                found.push(format!("{} (formular {})", field.naziv, reader.naziv));
            }
        }
        let rules = reader.rules.iter().filter(|rule| reads(&rule.formula));
        found.extend(rules.map(|rule| format!("{} (formular {})", rule.own.poruka, reader.naziv)));
    }
    Ok(found)
}

/// A form, and the forms of which its results are made on the same day.
struct Reader {
    naziv: String,
    reads: BTreeSet<i64>,
}

impl Reader {
    fn of(form: &EntryForm, fields: &[formula::Field]) -> Self {
        let named = form.formulas.iter().flat_map(|field| field.formulas()).flat_map(|formula| &formula.far);
        let form_of = |code: &String| fields.iter().find(|field| field.sifra.as_ref() == Some(code))?.other_form;
        Self { naziv: form.naziv.clone(), reads: named.filter_map(form_of).collect() }
    }
}

/// The names of forms on a way from one back to itself.
fn circle(readers: &BTreeMap<i64, Reader>) -> Option<Vec<String>> {
    fn search(at: i64, readers: &BTreeMap<i64, Reader>, way: &mut Vec<i64>, done: &mut BTreeSet<i64>) -> Option<Vec<i64>> {
        if let Some(from) = way.iter().position(|one| *one == at) {
            let mut found = way[from..].to_vec();
            found.push(at);
            return Some(found);
        }
        if !done.insert(at) {
            return None;
        }
        way.push(at);
        for next in readers.get(&at).into_iter().flat_map(|reader| &reader.reads) {
            if let Some(found) = search(*next, readers, way, done) {
                return Some(found);
            }
        }
        way.pop();
        None
    }
    let mut done = BTreeSet::new();
    let found = readers.keys().find_map(|form| search(*form, readers, &mut Vec::new(), &mut done))?;
    Some(found.iter().filter_map(|id| readers.get(id)).map(|reader| format!("„{}”", reader.naziv)).collect())
}
