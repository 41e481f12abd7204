//! What stands beside a field while an entry is filled in: the value that the patient's earlier entries of the form held last, with its
//! day. What it reads is bounded by the walls that formulas over the previous entry know (`around`), and told in the words and the unit
//! of the version by which it was entered.

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::Date;
use jiff_sqlx::ToSqlx;
use serde::Serialize;
use sqlx::{PgConnection, types::Json};
use utoipa::ToSchema;

use super::{
    form::{EntryField, EntryForm},
    meaning::same_unit,
    value_text::value_text,
};
use crate::{answer::Answer, register::ValueType};

/// Of so many earlier entries a field's last value is looked for.
const MOST_ENTRIES: usize = 50;
/// Where no field asks for it, no more than about so many values are read: of a very large form only the newest entries.
const MOST_VALUES: usize = 10_000;

#[derive(Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PreviousValue {
    pub polje: i64,
    /// The day of the entry that holds it.
    pub datum: Date,
    /// In the words of that entry's version, with the unit in which it was entered.
    pub tekst: String,
    /// A number in the field's own unit, for the difference from what is typed; none where it was entered in another one.
    pub broj: Option<f64>,
    /// Whether it was entered in another unit than the field has.
    pub druga_jedinica: bool,
}

/// Fields beside which a previous value is told: those that are seen.
fn told(form: &EntryForm) -> impl Iterator<Item = &EntryField> {
    form.fields.iter().filter(|field| field.prikazuje_se && field.tva_num_vrednost.holds_value())
}

/// Of `entry` (none: a new one) that is examined on `examined`: for each field the value of the newest earlier entry that has one. `institution` is the entry's; whoever asks knows the patient already.
pub async fn values(
    db: &mut PgConnection,
    form: &EntryForm,
    patient: i64,
    institution: Option<i64>,
    examined: Date,
    entry: Option<i64>,
) -> sqlx::Result<Vec<PreviousValue>> {
    let fields: BTreeMap<i64, &EntryField> = told(form).map(|field| (field.id, field)).collect();
    if fields.is_empty() {
        return Ok(Vec::new());
    }
    let is_asked_for = fields.values().any(|field| field.prikazi_prethodnu);
    let entries = if is_asked_for { MOST_ENTRIES } else { (MOST_VALUES / fields.len()).clamp(1, MOST_ENTRIES) };
    let keys: Vec<String> = fields.keys().map(i64::to_string).collect();
    let found = sqlx::query!(
        r#"
        with earlier as materialized (
            select id, datum_unosa, vrednosti, form_version_id from entry
             where pacijent_id = $1 and tsa_id = $2 and aktivan and datum_unosa < $3 and id is distinct from $4
               and (ustanova_id = $5 or not (select reads_own_entries_only($5, $1)))
             order by datum_unosa desc, id desc limit $7)
        select distinct on (v.key) v.key::bigint as "polje!", v.value as "vrednost!", e.datum_unosa as "datum_unosa: jiff_sqlx::Date",
               e.form_version_id, m.otisak, s.unos_id is not null as "marked!", s.jedinica as "jedinica?", s.znacenje as "znacenje?"
          from earlier e
          cross join lateral jsonb_each(e.vrednosti) v
          join form_version m on m.id = e.form_version_id
          left join unit_mark s on s.unos_id = e.id and s.polje_id = v.key::bigint
         where v.key = any ($6) and v.value <> 'null'
         order by v.key, e.datum_unosa desc, e.id desc
        "#,
        patient,
        form.id,
        examined.to_sqlx() as _,
        entry,
        institution,
        &keys,
        entries as i64
    )
    .fetch_all(&mut *db)
    .await?;
    let other = found.iter().filter(|row| row.otisak != form.otisak);
    let (versions, ids): (BTreeSet<i64>, BTreeSet<i64>) = other.map(|row| (row.form_version_id, row.polje)).unzip();
    let were = fields_of(db, &versions, &ids).await?;
    let told = found.into_iter().filter_map(|row| {
        let now = *fields.get(&row.polje)?;
        let was = were.get(&(row.form_version_id, row.polje));
        let mut entered = was.unwrap_or(now).clone();
        // It was entered before its entry was taken over to the version that it has, in the unit of that time.
        if row.marked {
            entered.tip_atributa.jedinica = row.jedinica;
            entered.tip_atributa.znacenje_jedinice = row.znacenje;
        }
        let is_number = now.tva_num_vrednost == ValueType::Number;
        let druga_jedinica = is_number && !same_unit(&entered, now);
        Some(PreviousValue {
            polje: row.polje,
            datum: row.datum_unosa.to_jiff(),
            tekst: value_text(&entered, &row.vrednost)?,
            broj: Answer::number(entered.tva_num_vrednost, &row.vrednost).filter(|_| is_number && !druga_jedinica),
            druga_jedinica,
        })
    });
    Ok(told.collect())
}

/// These fields as these versions have them, with their items: of a large form nothing else of its description is read.
async fn fields_of(db: &mut PgConnection, versions: &BTreeSet<i64>, ids: &BTreeSet<i64>) -> sqlx::Result<BTreeMap<(i64, i64), EntryField>> {
    if versions.is_empty() {
        return Ok(BTreeMap::new());
    }
    let rows = sqlx::query!(
        r#"select v.id, p.polje as "polje!: Json<EntryField>",
                  coalesce(v.opis -> 'stavke' -> (p.polje #>> '{izvor,tipAtributaId}'), '[]') as "stavke!: Json<Vec<super::form::Choice>>"
             from form_version v cross join lateral jsonb_array_elements(v.opis -> 'polja') p (polje)
            where v.id = any ($1) and (p.polje -> 'id')::bigint = any ($2)"#,
        &versions.iter().copied().collect::<Vec<_>>(),
        &ids.iter().copied().collect::<Vec<_>>()
    )
    .fetch_all(db)
    .await?;
    let fields = rows.into_iter().map(|row| {
        let mut field = row.polje.0;
        field.enum_stavke_sve = row.stavke.0;
        ((row.id, field.id), field)
    });
    Ok(fields.collect())
}
