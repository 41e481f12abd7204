//! The entries of patients in a register as rules look at them: each with those before it that its institution knows.

use std::collections::BTreeMap;

use jiff::civil::Date;
use sqlx::{PgConnection, types::Json};

use crate::{
    entry::values::{Values, from_json},
    formula::{FormulaSurroundings, OtherForm, Patient, Previous},
    time,
};

pub struct LookedEntry {
    pub id: i64,
    pub form_id: i64,
    pub ustanova_id: i64,
    pub examined: Date,
    /// The day on which a person saved it last.
    pub saved: Date,
    pub values: Values,
    /// Marks on its values, by field.
    pub marks: BTreeMap<i64, String>,
    /// Whether its institution knows no entries of others.
    pub knows_own_only: bool,
}

pub struct PatientCourse {
    pub about: Patient,
    pub died: Option<Date>,
    /// In the order of their days.
    pub entries: Vec<LookedEntry>,
}

/// Neither deleted entries, nor those of deleted or anonymous patients.
pub async fn courses(db: &mut PgConnection, register: i64, patients: &[i64], with_others: bool) -> sqlx::Result<Vec<PatientCourse>> {
    let rows = sqlx::query!(
        r#"select e.id, e.pacijent_id, e.tsa_id, e.ustanova_id, e.datum_unosa as "datum_unosa: jiff_sqlx::Date", e.vrednosti,
                  coalesce(e.datum_izmene, e.datum_kreiranja) as "saved!: jiff_sqlx::Timestamp",
                  p.datum_rodjenja as "datum_rodjenja: jiff_sqlx::Date", p.pol_trenutni, p.pol_na_rodjenju,
                  d.dan as "died?: jiff_sqlx::Date",
                  case when $3 then reads_own_entries_only(e.ustanova_id, e.pacijent_id) else false end as "knows_own_only!",
                  coalesce((select jsonb_object_agg(s.polje_id, s.razlog) from stale_result s where s.unos_id = e.id), '{}')
                      as "marks!: Json<BTreeMap<i64, String>>"
             from patient p join entry e on e.pacijent_id = p.id cross join lateral (select death_day(p.id) as dan offset 0) d
            where p.id = any ($2) and e.registar_id = $1 and e.aktivan and p.aktivan and p.anonimizovan_at is null
            order by e.pacijent_id, e.datum_unosa, e.id"#,
        register,
        patients,
        with_others
    )
    .fetch_all(db)
    .await?;
    let mut found: Vec<(i64, PatientCourse)> = Vec::new();
    for row in rows {
        if found.last().is_none_or(|(patient, _)| *patient != row.pacijent_id) {
            let born = Some(row.datum_rodjenja.to_jiff());
            let about = Patient { born, male: Some(row.pol_trenutni), male_at_birth: row.pol_na_rodjenju };
            found.push((row.pacijent_id, PatientCourse { about, died: row.died.map(jiff_sqlx::Date::to_jiff), entries: Vec::new() }));
        }
        let entry = LookedEntry {
            id: row.id,
            form_id: row.tsa_id,
            ustanova_id: row.ustanova_id,
            examined: row.datum_unosa.to_jiff(),
            saved: row.saved.to_jiff().to_zoned(time::zone()).date(),
            values: from_json(&row.vrednosti),
            marks: row.marks.0,
            knows_own_only: row.knows_own_only,
        };
        found.last_mut().expect("it was just put there").1.entries.push(entry);
    }
    Ok(found.into_iter().map(|(_, course)| course).collect())
}

impl PatientCourse {
    /// Entries of the same form before this one that its institution knows, oldest first.
    pub fn before(&self, at: usize) -> impl DoubleEndedIterator<Item = &LookedEntry> {
        let entry = &self.entries[at];
        self.entries[..at]
            .iter()
            .filter(move |other| other.form_id == entry.form_id && (!entry.knows_own_only || other.ustanova_id == entry.ustanova_id))
    }

    /// What a formula knows around the entry: of each earlier day the entry made last.
    pub fn around(&self, at: usize, today: Date, others: &[OtherForm]) -> FormulaSurroundings {
        let entry = &self.entries[at];
        let mut earlier: Vec<Previous> = Vec::new();
        for other in self.before(at).filter(|other| other.examined < entry.examined) {
            let before = Previous { examined: other.examined, values: other.values.clone() };
            match earlier.last_mut() {
                Some(last) if last.examined == other.examined => *last = before,
                _ => earlier.push(before),
            }
        }
        let previous = earlier.pop();
        let others = others.iter().map(|other| self.of_other(at, other)).collect();
        FormulaSurroundings { today, examined: Some(entry.examined), patient: Some(self.about), previous, earlier, others }
    }

    /// What the entry's institution knows of another form: of each day the entry made last.
    fn of_other(&self, at: usize, other: &OtherForm) -> OtherForm {
        let entry = &self.entries[at];
        let is_known = |one: &&LookedEntry| !entry.knows_own_only || one.ustanova_id == entry.ustanova_id;
        let mut entries: Vec<Previous> = Vec::new();
        for one in self.entries.iter().filter(|one| one.form_id == other.form).filter(is_known) {
            let known = Previous { examined: one.examined, values: one.values.clone() };
            match entries.last_mut() {
                Some(last) if last.examined == one.examined => *last = known,
                _ => entries.push(known),
            }
        }
        OtherForm { entries, ..other.clone() }
    }
}
