//! Fields of other forms of the register that a form's formulas name (`$(form.field)`), and what they hold in the patient's entries. As of
//! earlier entries of the form itself, whoever may open the patient may read all of them, so callers check that first; an entry of an
//! institution that reads its own entries only knows no other than that institution's.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde_json::Value;
use sqlx::{PgConnection, types::Json};
use utoipa::ToSchema;

use super::{
    around::OtherEntry,
    form::{Choice, EntryField, EntryForm, formula_field},
    values,
};
use crate::{
    formula::{self, Formula, OtherForm, Previous, form_and_field},
    register::ValueType,
};

/// The codes of other forms' fields that formulas of the form name, `form.field`.
pub fn codes_in(form: &EntryForm) -> BTreeSet<String> {
    let own = form.formulas.iter().flat_map(|field| field.formulas());
    own.chain(form.conditions()).flat_map(Formula::of_other_forms).cloned().collect()
}

/// Those that these texts name; a text that cannot be parsed names none.
pub fn codes_in_texts<'a>(texts: impl IntoIterator<Item = &'a str>) -> BTreeSet<String> {
    let parsed = texts.into_iter().filter_map(|text| formula::parse(text).ok());
    parsed.flat_map(|formula| formula.of_other_forms().cloned().collect::<Vec<_>>()).collect()
}

/// The fields of these codes as they are configured today, by their forms; what there is not is left out. `form`: whose formulas they are,
/// which reads its own fields by their plain codes.
pub async fn fields(db: &mut PgConnection, register: i64, form: i64, codes: &BTreeSet<String>) -> sqlx::Result<Vec<OtherForm>> {
    let (forms, names): (Vec<String>, Vec<String>) =
        codes.iter().filter_map(|code| form_and_field(code)).map(|(form, field)| (form.to_owned(), field.to_owned())).unzip();
    if forms.is_empty() {
        return Ok(Vec::new());
    }
    let rows = sqlx::query!(
        r#"
        select o.id as form, n.forma || '.' || n.sifra as "code!", field_description(f, t) as "polje!: Json<EntryField>",
               coalesce(item_descriptions(f.tip_atributa_id, true), '[]') as "stavke!: Json<Vec<Choice>>",
               (select p.id from form_field p where p.id = f.nadredjeni_atribut_u_tipu_skupa_id and p.ponavlja_se) as section
          from unnest($3::text[], $4::text[]) n (forma, sifra)
          join form o on o.registar_id = $1 and o.sifra_veza = n.forma and o.aktivan and o.id <> $2
          join form_field f on f.tip_skupa_atributa_id = o.id and f.sifra = n.sifra and f.aktivan
          join attribute_type t on t.id = f.tip_atributa_id
         order by o.id, f.id
        "#,
        register,
        form,
        &forms,
        &names
    )
    .fetch_all(db)
    .await?;
    let mut found: BTreeMap<i64, Vec<formula::Field>> = BTreeMap::new();
    for row in rows {
        let field = EntryField { enum_stavke_sve: row.stavke.0, ..row.polje.0 };
        // Its own formulas are no matter of this form.
        let known = formula_field(&EntryField { formula_za_racunanje: None, formula_za_prikaz: None, ..field });
        let Ok(known) = known else { continue };
        let named = formula::Field { sifra: Some(row.code), sekcija: row.section, parent: None, other_form: Some(row.form), ..known };
        found.entry(row.form).or_default().push(named);
    }
    Ok(found.into_iter().map(|(form, fields)| OtherForm { form, fields, entries: Vec::new() }).collect())
}

/// The fields beside the form's own, as a formula is checked among them.
pub async fn beside(db: &mut PgConnection, register: i64, form: i64, codes: &BTreeSet<String>) -> sqlx::Result<Vec<formula::Field>> {
    Ok(fields(db, register, form, codes).await?.into_iter().flat_map(|other| other.fields).collect())
}

/// What formulas with these codes read of a patient, as an entry of `institution` knows it.
pub async fn of_patient(
    db: &mut PgConnection,
    form: &EntryForm,
    codes: &BTreeSet<String>,
    patient: i64,
    institution: Option<i64>,
) -> sqlx::Result<Vec<OtherForm>> {
    let mut others = fields(&mut *db, form.registar_id, form.id, codes).await?;
    if others.is_empty() {
        return Ok(others);
    }
    let forms: Vec<i64> = others.iter().map(|other| other.form).collect();
    let ids: Vec<String> = others.iter().flat_map(|other| &other.fields).map(|field| field.id.to_string()).collect();
    let rows = sqlx::query!(
        r#"select distinct on (tsa_id, datum_unosa) tsa_id, datum_unosa as "datum_unosa: jiff_sqlx::Date",
                  (select coalesce(jsonb_object_agg(v.key, v.value), '{}') from jsonb_each(vrednosti) v where v.key = any ($3)) as "vrednosti!"
             from entry
            where pacijent_id = $1 and tsa_id = any ($2) and aktivan
              and (ustanova_id = $4 or not (select reads_own_entries_only($4, $1)))
            order by tsa_id, datum_unosa, id desc"#,
        patient,
        &forms,
        &ids,
        institution
    )
    .fetch_all(db)
    .await?;
    for row in rows {
        let entry = Previous { examined: row.datum_unosa.to_jiff(), values: values::from_json(&row.vrednosti) };
        others.iter_mut().filter(|other| other.form == row.tsa_id).for_each(|other| other.entries.push(entry.clone()));
    }
    Ok(others)
}

/// What formulas of both of these versions of a form read of a patient.
pub async fn of_versions(
    db: &mut PgConnection,
    (one, other): (&EntryForm, &EntryForm),
    patient: i64,
    institution: i64,
) -> sqlx::Result<Vec<OtherForm>> {
    let codes = codes_in(one).into_iter().chain(codes_in(other)).collect();
    of_patient(db, one, &codes, patient, Some(institution)).await
}

/// Another form as the browser reads it while somebody types: the date of the examination may yet be changed.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OtherFormEntries {
    pub polja: Vec<OtherFormField>,
    /// The last of each day, oldest first, with nothing but these fields.
    pub unosi: Vec<OtherEntry>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OtherFormField {
    pub id: i64,
    /// As formulas name it: the form's code, a dot and the field's.
    pub sifra: String,
    pub tip: ValueType,
    pub stavke: Vec<Choice>,
}

impl From<OtherForm> for OtherFormEntries {
    fn from(other: OtherForm) -> Self {
        let choice = |item: formula::Item| Choice {
            id: item.id,
            naziv: item.name,
            num_vrednost: item.num,
            sifra: item.code,
            aktivan: true,
            ..Choice::default()
        };
        let field = |field: formula::Field| OtherFormField {
            id: field.id,
            sifra: field.sifra.unwrap_or_default(),
            tip: field.tip_vrednosti,
            stavke: field.items.into_iter().map(choice).collect(),
        };
        let entry = |entry: Previous| OtherEntry {
            datum_unosa: entry.examined,
            vrednosti: entry.values.into_iter().map(|(id, value)| (id.to_string(), value)).collect::<serde_json::Map<_, Value>>().into(),
        };
        Self { polja: other.fields.into_iter().map(field).collect(), unosi: other.entries.into_iter().map(entry).collect() }
    }
}

/// For the screen of an entry.
pub async fn shown(db: &mut PgConnection, form: &EntryForm, patient: i64, institution: Option<i64>) -> sqlx::Result<Vec<OtherFormEntries>> {
    let others = of_patient(db, form, &codes_in(form), patient, institution).await?;
    Ok(others.into_iter().map(OtherFormEntries::from).collect())
}
