//! The entries of one patient in a form, oldest first, weighed together: a formula that reads the previous entry reads it as it is
//! recomputed. The engine writes what comes of it and the publishing dialog counts it, so that one is what the other said.

use std::collections::{BTreeSet, HashMap};

use jiff::civil::Date;
use sqlx::{PgConnection, types::Json};

use super::{Reason, Verdict, weigh};
use crate::{
    entry::{
        computed::{blank_relevant, compute},
        form::{EntryForm, FormError},
        other_forms,
        stale::EnteredUnits,
        values::{Values, alike, from_json},
    },
    formula::{Field, Formula, FormulaSurroundings, Patient, Previous},
    time,
};

/// Versions that are held at once: of large forms each takes some megabytes.
const MOST_VERSIONS: usize = 32;

/// The newest version, and those that entries keep, read once each: they are never changed.
pub struct Versions {
    pub newest: EntryForm,
    /// Whether signatures end where entries become others; else what is signed stays as it is.
    pub ends_signatures: bool,
    kept: HashMap<i64, EntryForm>,
}

impl Versions {
    pub fn below(newest: EntryForm) -> Self {
        Self { newest, ends_signatures: false, kept: HashMap::new() }
    }

    /// A version that entries keep, beside the newest one.
    pub async fn pair(&mut self, db: &mut PgConnection, version: i64) -> Result<(&EntryForm, &EntryForm), FormError> {
        if !self.kept.contains_key(&version) {
            if self.kept.len() >= MOST_VERSIONS {
                self.kept.clear();
            }
            self.kept.insert(version, EntryForm::of_version(db, version).await?);
        }
        Ok((&self.kept[&version], &self.newest))
    }
}

/// An entry as it is stored.
pub struct CourseEntry {
    pub id: i64,
    pub ustanova: i64,
    pub examined: Date,
    /// The day on which a person saved it last: formulas that ask for today are computed by it.
    pub saved: Date,
    pub values: Values,
    pub version: i64,
    pub entered: EnteredUnits,
    /// Whether its institution knows no entries of others.
    knows_own_only: bool,
    /// Why no recomputation writes it: it is locked, or signed and its signature is not to end.
    pub closed: Option<Reason>,
}

pub struct Course {
    patient: i64,
    about: Patient,
    pub entries: Vec<CourseEntry>,
}

/// The next patients with entries of the form, in the order of their ids, so that a resumed job or a next page knows where to continue.
pub async fn patients_after(db: &mut PgConnection, form: &EntryForm, last: i64, most: i64) -> sqlx::Result<Vec<i64>> {
    sqlx::query_scalar!(
        "select distinct e.pacijent_id from entry e
          where e.registar_id = $1 and e.tsa_id = $2 and e.aktivan and e.pacijent_id > $3 order by 1 limit $4",
        form.registar_id,
        form.id,
        last,
        most
    )
    .fetch_all(db)
    .await
}

/// What is recomputed of these patients: no deleted entries, none of deleted and none of anonymous patients.
pub async fn courses(db: &mut PgConnection, form: &EntryForm, patients: &[i64]) -> sqlx::Result<Vec<Course>> {
    let rows = sqlx::query!(
        r#"select e.id, e.pacijent_id, e.ustanova_id, e.datum_unosa as "datum_unosa: jiff_sqlx::Date", e.vrednosti, e.form_version_id,
                  coalesce(e.datum_izmene, e.datum_kreiranja) as "saved!: jiff_sqlx::Timestamp",
                  p.datum_rodjenja as "datum_rodjenja: jiff_sqlx::Date", p.pol_trenutni, p.pol_na_rodjenju,
                  case when $3 then reads_own_entries_only(e.ustanova_id, e.pacijent_id) else false end as "knows_own_only!",
                  case when exists (select from lock_over(e.id, e.registar_id, e.ustanova_id, e.datum_unosa)) then 'zakljucan'
                       when signature_of_entry(e.id) is not null then 'potpisan' end as "closed: Reason",
                  coalesce((select jsonb_object_agg(m.polje_id, jsonb_build_object('jedinica', m.jedinica, 'znacenje', m.znacenje))
                              from unit_mark m where m.unos_id = e.id), '{}') as "entered!: Json<EnteredUnits>"
             from entry e join patient p on p.id = e.pacijent_id
            where e.tsa_id = $1 and e.pacijent_id = any ($2) and e.aktivan and p.aktivan and p.anonimizovan_at is null
            order by e.pacijent_id, e.datum_unosa, e.id"#,
        form.id,
        patients,
        form.asks_for_previous()
    )
    .fetch_all(db)
    .await?;
    let mut found: Vec<(i64, Course)> = Vec::new();
    for row in rows {
        if found.last().is_none_or(|(patient, _)| *patient != row.pacijent_id) {
            let born = Some(row.datum_rodjenja.to_jiff());
            let about = Patient { born, male: Some(row.pol_trenutni), male_at_birth: row.pol_na_rodjenju };
            found.push((row.pacijent_id, Course { patient: row.pacijent_id, about, entries: Vec::new() }));
        }
        let entry = CourseEntry {
            id: row.id,
            ustanova: row.ustanova_id,
            examined: row.datum_unosa.to_jiff(),
            saved: row.saved.to_jiff().to_zoned(time::zone()).date(),
            values: from_json(&row.vrednosti),
            version: row.form_version_id,
            entered: row.entered.0,
            knows_own_only: row.knows_own_only,
            closed: row.closed,
        };
        found.last_mut().expect("it was just put there").1.entries.push(entry);
    }
    Ok(found.into_iter().map(|(_, course)| course).collect())
}

impl Course {
    /// What becomes of each entry, in their order.
    pub async fn weigh(&self, db: &mut PgConnection, versions: &mut Versions) -> Result<Vec<Verdict>, FormError> {
        let (asks, asks_all) = (versions.newest.asks_for_previous(), versions.newest.asks_for_history());
        let mut verdicts: Vec<Verdict> = Vec::with_capacity(self.entries.len());
        for (at, entry) in self.entries.iter().enumerate() {
            let mut asked = if asks { self.earlier(at) } else { Vec::new() };
            if !asks_all {
                asked.drain(..asked.len().saturating_sub(1));
            }
            let as_recomputed = |before: &usize| Previous {
                examined: self.entries[*before].examined,
                values: match &verdicts[*before] {
                    Verdict::Taken { values, .. } => values.clone(),
                    Verdict::Right | Verdict::Left { .. } => self.entries[*before].values.clone(),
                },
            };
            let mut earlier: Vec<Previous> = asked.iter().map(as_recomputed).collect();
            let previous = earlier.pop();
            let closed = entry.closed.filter(|why| !(versions.ends_signatures && *why == Reason::Potpisan));
            let (kept, newest) = versions.pair(&mut *db, entry.version).await?;
            let others = other_forms::of_versions(&mut *db, (newest, kept), self.patient, entry.ustanova).await?;
            let around = FormulaSurroundings {
                today: entry.saved,
                examined: Some(entry.examined),
                patient: Some(self.about),
                previous,
                earlier,
                others,
            };
            let verdict = weigh(kept, newest, &entry.values, &around, &entry.entered);
            let rests_on_left = asked.iter().any(|before| matches!(verdicts[*before], Verdict::Left { .. }));
            verdicts.push(match verdict {
                Verdict::Taken { .. } | Verdict::Left { .. } if closed.is_some() => {
                    Verdict::Left { reason: closed.unwrap_or(Reason::Zakljucan), field: None }
                }
                Verdict::Taken { .. } if rests_on_left => Verdict::Left { reason: Reason::Prethodni, field: None },
                verdict => verdict,
            });
        }
        Ok(verdicts)
    }

    /// What becomes of each entry by the version that it keeps, where results are made of other forms; in their order.
    pub async fn follow(&self, db: &mut PgConnection, versions: &mut Versions) -> Result<Vec<Followed>, FormError> {
        let mut done: Vec<Followed> = Vec::with_capacity(self.entries.len());
        for (at, entry) in self.entries.iter().enumerate() {
            let (kept, _) = versions.pair(&mut *db, entry.version).await?;
            let results = results_of_others(kept);
            if results.is_empty() {
                done.push(Followed::Right);
                continue;
            }
            let mut asked = if kept.asks_for_previous() { self.earlier(at) } else { Vec::new() };
            if !kept.asks_for_history() {
                asked.drain(..asked.len().saturating_sub(1));
            }
            let as_followed = |before: &usize| Previous {
                examined: self.entries[*before].examined,
                values: match &done[*before] {
                    Followed::Changed { values, .. } => values.clone(),
                    Followed::Right | Followed::Closed(_) => self.entries[*before].values.clone(),
                },
            };
            let mut earlier: Vec<Previous> = asked.iter().map(as_followed).collect();
            let previous = earlier.pop();
            let codes = other_forms::codes_in(kept);
            let others = other_forms::of_patient(&mut *db, kept, &codes, self.patient, Some(entry.ustanova)).await?;
            let around = FormulaSurroundings {
                today: entry.saved,
                examined: Some(entry.examined),
                patient: Some(self.about),
                previous,
                earlier,
                others,
            };
            let computed = compute(kept, entry.values.clone(), &around);
            let is_other = |id: &i64| !alike(entry.values.get(id), computed.values.get(id));
            let changed: Vec<i64> = results.into_iter().filter(is_other).collect();
            done.push(if changed.is_empty() {
                Followed::Right
            } else if entry.closed.is_some() || !computed.cleared.is_empty() {
                // What somebody typed is cleared by nobody but a person.
                Followed::Closed(changed)
            } else {
                let mut values = entry.values.clone();
                for id in changed {
                    match computed.values.get(&id) {
                        Some(value) => values.insert(id, value.clone()),
                        None => values.remove(&id),
                    };
                }
                Followed::Changed { values, relevant_filled: blank_relevant(kept, &computed).is_empty() }
            });
        }
        Ok(done)
    }

    /// The entries of earlier days that the entry's institution knows, oldest first; of several on one day the one entered last.
    fn earlier(&self, at: usize) -> Vec<usize> {
        let entry = &self.entries[at];
        let is_known = |before: &CourseEntry| before.ustanova == entry.ustanova || !entry.knows_own_only;
        let mut found: Vec<usize> = Vec::new();
        for (place, before) in self.entries[..at].iter().enumerate() {
            if before.examined >= entry.examined || !is_known(before) {
                continue;
            }
            if found.last().is_some_and(|last| self.entries[*last].examined == before.examined) {
                found.pop();
            }
            found.push(place);
        }
        found
    }
}

/// What follows other forms of an entry.
pub enum Followed {
    Right,
    /// These results would be others, and the entry stays as it is: signed, locked, or what was typed would be cleared.
    Closed(Vec<i64>),
    Changed {
        values: Values,
        relevant_filled: bool,
    },
}

/// Calculated fields that are made of other forms, by way of results and conditions too; of columns their section.
fn results_of_others(form: &EntryForm) -> BTreeSet<i64> {
    let mut met: BTreeSet<i64> = BTreeSet::new();
    let mut codes: BTreeSet<&str> = BTreeSet::new();
    loop {
        let follows = |field: &&Field| {
            let reads = |formula: &Formula| formula.of_other_forms().next().is_some() || codes.iter().any(|code| formula.reads(code));
            !met.contains(&field.id) && (field.parent.is_some_and(|parent| met.contains(&parent)) || field.formulas().any(reads))
        };
        let found: Vec<&Field> = form.formulas.iter().filter(follows).collect();
        if found.is_empty() {
            break;
        }
        met.extend(found.iter().map(|field| field.id));
        codes.extend(found.iter().filter_map(|field| field.sifra.as_deref()));
    }
    let results = form.formulas.iter().filter(|field| met.contains(&field.id) && field.racunanje.is_some());
    results.map(|field| field.sekcija.unwrap_or(field.id)).collect()
}

/// Calculated fields whose stored results become others.
pub fn other_results(newest: &EntryForm, stored: &Values, values: &Values) -> BTreeSet<i64> {
    let calculated = newest.fields.iter().filter(|field| field.has_results()).map(|field| field.id);
    calculated.filter(|id| !alike(stored.get(id), values.get(id))).collect()
}
