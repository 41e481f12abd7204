//! A patient in a register on one page: the last visit, what changed at it, and the newest values of each form.

use jiff::civil::Date;
use serde::Serialize;
use sqlx::PgConnection;
use utoipa::ToSchema;

use super::{
    around::around,
    changes::{self, EntryChanges, since_earlier},
    form::{EntryForm, FormError},
    value_text::value_text,
    values::from_json,
};
use crate::{formula::evaluate_form, time};

/// Of one form no more values are told on the page.
const MOST_VALUES: usize = 30;

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    pub poseta: Option<LastVisit>,
    pub broj_poseta: i64,
    pub broj_unosa: i64,
    pub prva_poseta: Option<Date>,
    /// The newest entry of each form that has one.
    pub obrasci: Vec<FormSummary>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LastVisit {
    pub id: i64,
    pub datum: Date,
    pub ustanova: String,
    pub lekar: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FormSummary {
    #[serde(rename = "tsaID")]
    pub tsa_id: i64,
    #[serde(rename = "unosID")]
    pub unos_id: i64,
    pub naziv: String,
    pub datum: Date,
    /// Whether it was filled in at the last visit.
    pub poslednja_poseta: bool,
    /// Relevant fields of the form, or all where it has none, and no more than the page holds.
    pub vrednosti: Vec<ToldValue>,
    /// So many are filled in.
    pub ukupno: usize,
    #[serde(flatten)]
    pub promene: EntryChanges,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ToldValue {
    pub naziv: String,
    pub tekst: String,
}

/// What `institution`, which knows the patient, may read of her in the register.
pub async fn of(db: &mut PgConnection, patient: i64, register: i64, institution: Option<i64>) -> Result<Summary, FormError> {
    let counts = sqlx::query!(
        r#"select count(distinct e.poseta_id) as "poseta!", count(*) as "unosa!", min(e.datum_unosa) as "prva: jiff_sqlx::Date"
             from entry e join form f on f.id = e.tsa_id and f.aktivan
            where e.pacijent_id = $1 and e.registar_id = $2 and e.aktivan and e.datum_unosa <= today()
              and (e.ustanova_id = $3 or not (select reads_own_entries_only($3, $1)))"#,
        patient,
        register,
        institution
    )
    .fetch_one(&mut *db)
    .await?;
    let newest = sqlx::query!(
        r#"select f.id, f.naziv, e.id as unos_id, e.datum_unosa as "datum_unosa: jiff_sqlx::Date", e.vrednosti, e.form_version_id, e.ustanova_id,
                  e.poseta_id, coalesce(e.datum_izmene, e.datum_kreiranja) as "snimljeno!: jiff_sqlx::Timestamp"
             from form f
            cross join lateral (select * from entry
                                 where pacijent_id = $1 and registar_id = $2 and tsa_id = f.id and aktivan and datum_unosa <= today()
                                   and (ustanova_id = $3 or not (select reads_own_entries_only($3, $1)))
                                 order by datum_unosa desc, id desc limit 1) e
            where f.registar_id = $2 and f.aktivan order by f.prikazni_redosled, f.id"#,
        patient,
        register,
        institution
    )
    .fetch_all(&mut *db)
    .await?;
    let last = newest.iter().max_by_key(|row| (row.datum_unosa.to_jiff(), row.poseta_id)).map(|row| row.poseta_id);
    let poseta = match last {
        Some(id) => Some(last_visit(db, id).await?),
        None => None,
    };
    let mut obrasci = Vec::with_capacity(newest.len());
    for row in newest {
        let form = EntryForm::of_version(db, row.form_version_id).await?;
        let stored = from_json(&row.vrednosti);
        let day = row.datum_unosa.to_jiff();
        // Hidden is what was hidden when the entry was saved, whatever day it is now.
        let saved = row.snimljeno.to_jiff().to_zoned(time::zone()).date();
        let around = around(db, &form, patient, row.ustanova_id, Some(day), Some(row.unos_id), saved).await?;
        let hidden = evaluate_form(&form.formulas, &stored, &around).hidden;
        let promene = since_earlier(db, &form, (&stored, &hidden), (patient, Some(row.ustanova_id)), day, row.unos_id).await?;
        let names = changes::names(&form.fields);
        let filled = form.fields.iter().filter(|field| field.prikazuje_se && field.holds_value());
        let filled = filled.filter_map(|field| {
            let tekst = value_text(field, stored.get(&field.id)?)?;
            Some((field.relevantno, ToldValue { naziv: names[&field.id].clone(), tekst }))
        });
        let filled: Vec<(bool, ToldValue)> = filled.collect();
        let has_relevant = filled.iter().any(|(relevant, _)| *relevant);
        let ukupno = filled.len();
        let told = filled.into_iter().filter(|(relevant, _)| *relevant || !has_relevant).map(|(_, value)| value);
        obrasci.push(FormSummary {
            tsa_id: row.id,
            unos_id: row.unos_id,
            naziv: row.naziv,
            datum: day,
            poslednja_poseta: Some(row.poseta_id) == last,
            vrednosti: told.take(MOST_VALUES).collect(),
            ukupno,
            promene,
        });
    }
    Ok(Summary { poseta, broj_poseta: counts.poseta, broj_unosa: counts.unosa, prva_poseta: counts.prva.map(|day| day.to_jiff()), obrasci })
}

async fn last_visit(db: &mut PgConnection, id: i64) -> sqlx::Result<LastVisit> {
    let row = sqlx::query!(
        r#"select v.datum as "datum: jiff_sqlx::Date", i.naziv as ustanova, w.prezime || ' ' || w.ime as lekar
             from visit v join institution i on i.id = v.ustanova_id left join worker w on w.id = v.radnik_odgovoran_id where v.id = $1"#,
        id
    )
    .fetch_one(db)
    .await?;
    Ok(LastVisit { id, datum: row.datum.to_jiff(), ustanova: row.ustanova, lekar: row.lekar })
}
