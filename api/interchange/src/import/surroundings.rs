//! What the formulas of imported entries know besides the entries' own values: the patients, and the entries before, of the
//! same file and of the database.

use std::collections::{BTreeMap, BTreeSet, HashMap, hash_map::Entry};

use domain::{
    entry::{other_forms, values},
    formula::{FormulaSurroundings, OtherForm, Patient, Previous},
};
use jiff::civil::Date;
use sqlx::PgConnection;

use super::{
    data::Request,
    drafts::{Drafts, EntryDraft},
    mapping::Existing,
    matching::{DraftFate, DraftMatch},
};

/// A stored entry of a form whose formulas ask for the previous one.
struct StoredEntry {
    id: i64,
    date: Date,
    values: serde_json::Value,
}

/// An earlier entry of a patient.
enum Before<'a> {
    Stored(&'a serde_json::Value),
    InFile(&'a values::Values),
}

impl Before<'_> {
    fn values(self) -> values::Values {
        match self {
            Self::Stored(stored) => values::from_json(stored),
            Self::InFile(values) => values.clone(),
        }
    }
}

pub struct Surroundings {
    today: Date,
    /// By place in the list of patients.
    patients: Vec<Option<Patient>>,
    /// By patient's place and form, oldest first.
    stored: HashMap<(usize, i64), Vec<StoredEntry>>,
    /// Drafts that are settled already, likewise.
    settled: HashMap<(usize, i64), Vec<(Date, values::Values)>>,
    /// By form: the fields of other forms that its formulas name.
    others: HashMap<i64, Vec<OtherForm>>,
    /// Forms whose entries formulas ask for.
    asked: BTreeSet<i64>,
}

impl Surroundings {
    /// `rewritten`: stored entries that this import writes anew; what they were counts no more.
    pub async fn load(
        tx: &mut PgConnection,
        request: &Request<'_>,
        drafts: &Drafts<'_>,
        matches: &[DraftMatch],
        rewritten: &BTreeSet<i64>,
    ) -> sqlx::Result<Self> {
        let (update, today) = (request.mapping.patient.existing, request.today);
        let places: HashMap<i64, usize> = matches
            .iter()
            .enumerate()
            .filter_map(|(place, known)| match known.fate {
                DraftFate::Existing(id) => Some((id, place)),
                _ => None,
            })
            .collect();
        let ids: Vec<i64> = places.keys().copied().collect();
        let mut patients: Vec<Option<Patient>> = drafts.patients.iter().map(|_| None).collect();
        let rows = sqlx::query!("select id, datum_rodjenja, pol_trenutni, pol_na_rodjenju from patient where id = any ($1)", &ids);
        for row in rows.fetch_all(&mut *tx).await? {
            let stored =
                Patient { born: Some(row.datum_rodjenja.to_jiff()), male: Some(row.pol_trenutni), male_at_birth: row.pol_na_rodjenju };
            patients[places[&row.id]] = Some(stored);
        }
        for ((patient, draft), known) in patients.iter_mut().zip(&drafts.patients).zip(matches) {
            if matches!(known.fate, DraftFate::Existing(_)) && update != Existing::Update {
                continue;
            }
            let (stored, record) = (*patient, &draft.record);
            let born = record.datum_rodjenja.or(stored.and_then(|stored| stored.born));
            let male = record.pol_trenutni.or(stored.and_then(|stored| stored.male));
            let male_at_birth = record.pol_na_rodjenju.or(stored.and_then(|stored| stored.male_at_birth));
            *patient = born.zip(male).map(|(born, male)| Patient { born: Some(born), male: Some(male), male_at_birth });
        }
        let mut others: HashMap<i64, Vec<OtherForm>> = HashMap::new();
        for draft in &drafts.entries {
            let form = &draft.schema.form;
            if let Entry::Vacant(unknown) = others.entry(form.id) {
                let named = other_forms::fields(&mut *tx, form.registar_id, form.id, &other_forms::codes_in(form)).await?;
                unknown.insert(named);
            }
        }
        let of_others = others.values().flatten().map(|other| other.form);
        let asked: BTreeSet<i64> = asking(drafts).map(|draft| draft.schema.form.id).chain(of_others).collect();
        let forms: Vec<i64> = asked.iter().copied().collect();
        let rewritten: Vec<i64> = rewritten.iter().copied().collect();
        let mut stored: HashMap<(usize, i64), Vec<StoredEntry>> = HashMap::new();
        let rows = sqlx::query!(
            "select id, pacijent_id, tsa_id, datum_unosa, vrednosti from entry
              where pacijent_id = any ($1) and tsa_id = any ($2) and aktivan and id <> all ($3)
                and ($4::bigint is null or ustanova_id = $4 or not reads_own_entries_only($4, pacijent_id)) order by datum_unosa, id",
            &ids,
            &forms,
            &rewritten,
            request.institution
        );
        for row in rows.fetch_all(tx).await? {
            let entry = StoredEntry { id: row.id, date: row.datum_unosa.to_jiff(), values: row.vrednosti };
            stored.entry((places[&row.pacijent_id], row.tsa_id)).or_default().push(entry);
        }
        Ok(Self { today, patients, stored, settled: HashMap::new(), others, asked })
    }

    /// The places of entries in the order in which formulas may run over them: each after those before it in time, and of one day after
    /// those that it reads. No two forms read each other on one day.
    pub fn in_order(&self, drafts: &Drafts<'_>) -> Vec<usize> {
        let mut order: Vec<usize> = (0..drafts.entries.len()).collect();
        order.sort_by_key(|&place| (drafts.entries[place].date, self.depth(drafts.entries[place].schema.form.id, 0)));
        order
    }

    /// How long the longest chain of forms is that the form reads.
    fn depth(&self, form: i64, so_far: usize) -> usize {
        // Circles are refused; as many forms as there are is the end in any case.
        if so_far > self.others.len() {
            return 0;
        }
        let read = self.others.get(&form).into_iter().flatten();
        read.map(|other| 1 + self.depth(other.form, so_far + 1)).max().unwrap_or(0)
    }

    pub fn of(&self, draft: &EntryDraft<'_>, own: Option<i64>) -> FormulaSurroundings {
        let key = (draft.patient, draft.schema.form.id);
        // The last of each day; what the file brings comes after what is stored.
        let mut by_day: BTreeMap<Date, Before<'_>> = BTreeMap::new();
        let stored = self.stored.get(&key).into_iter().flatten().filter(|entry| entry.date < draft.date && Some(entry.id) != own);
        by_day.extend(stored.map(|entry| (entry.date, Before::Stored(&entry.values))));
        let in_file = self.settled.get(&key).into_iter().flatten().filter(|(date, _)| *date < draft.date);
        by_day.extend(in_file.map(|(date, values)| (*date, Before::InFile(values))));
        let asked = if draft.schema.form.asks_for_history() { by_day.len() } else { 1 };
        let newest = by_day.into_iter().rev().take(asked).map(|(date, before)| Previous { examined: date, values: before.values() });
        let mut earlier: Vec<Previous> = newest.collect();
        earlier.reverse();
        let previous = earlier.pop();
        let others = self.others.get(&draft.schema.form.id).into_iter().flatten();
        FormulaSurroundings {
            today: self.today,
            examined: Some(draft.date),
            patient: self.patients[draft.patient],
            previous,
            earlier,
            others: others.map(|other| self.of_other(draft.patient, other)).collect(),
        }
    }

    /// The patient's entries of another form, stored ones and those of the file that are settled.
    fn of_other(&self, patient: usize, other: &OtherForm) -> OtherForm {
        let key = (patient, other.form);
        let mut by_day: BTreeMap<Date, Before<'_>> = BTreeMap::new();
        by_day.extend(self.stored.get(&key).into_iter().flatten().map(|entry| (entry.date, Before::Stored(&entry.values))));
        by_day.extend(self.settled.get(&key).into_iter().flatten().map(|(date, values)| (*date, Before::InFile(values))));
        let entries = by_day.into_iter().map(|(date, before)| Previous { examined: date, values: before.values() }).collect();
        OtherForm { entries, ..other.clone() }
    }

    /// The draft's values are final: later ones may ask for them.
    pub fn settled(&mut self, draft: &EntryDraft<'_>) {
        if self.asked.contains(&draft.schema.form.id) {
            self.settled.entry((draft.patient, draft.schema.form.id)).or_default().push((draft.date, draft.values.clone()));
        }
    }
}

fn asking<'a, 'b>(drafts: &'a Drafts<'b>) -> impl Iterator<Item = &'a EntryDraft<'b>> {
    drafts.entries.iter().filter(|draft| draft.schema.form.asks_for_previous())
}
