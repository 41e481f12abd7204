//! Rows of a file as patients and entries, read cell by cell; nothing here asks the database.

use std::collections::HashMap;

use clinical::{
    entries::{dates::NO_DATE, values::Values},
    patients::{PatientInput, validation},
};
use domain::entry::{self, form::EntryField, units::Typed};
use jiff::civil::Date;
use serde_json::{Value, json};

use super::{
    consent::{self, ConsentCells, ToldConsent},
    mapping::{EntryMapping, Mapping, Source},
    patient,
    problems::{Message, Problems},
    progress::Progress,
    schema::{FormSchema, RegisterSchema, code},
    sheet::{Sheet, SheetRow},
    status::{self, ToldStatus},
    values::{self, CellFault},
};

/// Institutions and workers by the names that a file may call them.
pub struct Directory {
    /// The only one that there is for this file.
    pub only: Option<i64>,
    /// Folded names and codes.
    pub institutions: HashMap<String, i64>,
    pub workers: HashMap<String, i64>,
}

pub struct PatientDraft {
    pub row: usize,
    pub key: String,
    pub institution: i64,
    pub record: PatientInput,
    /// What the file says became of her.
    pub told: ToldStatus,
    /// What it says that she has agreed to, of all her rows.
    pub consents: Vec<ToldConsent>,
}

pub struct EntryDraft<'a> {
    pub row: usize,
    pub key: String,
    /// Place in the list of patients.
    pub patient: usize,
    pub mapping: &'a EntryMapping,
    pub schema: &'a FormSchema,
    pub date: Date,
    pub institution: i64,
    pub responsible: Option<i64>,
    pub values: Values,
    /// What is saved of an entry that is there; of a new one nothing.
    pub before: Values,
    /// What was written of the values in other units, and what was typed before of those that are saved.
    pub typed: Typed,
    pub typed_before: Typed,
    /// Codes of the fields whose cells could not be read; a defect says so already.
    pub unread: Vec<&'a str>,
    /// Lines of the file that the rows of each section come from, in their order.
    pub lines: HashMap<i64, Vec<usize>>,
    /// Lines with a cell of a row that could not be read.
    pub unread_lines: Vec<usize>,
    /// Known once formulas have run over the values.
    pub relevant_filled: bool,
}

/// The line in which a key stood first, and the place of its entry, where it could be read.
struct KeyPlace {
    row: usize,
    place: Option<usize>,
}

/// Of a column of one item, No says nothing: it is written for what nobody was asked, too.
fn has_cell(row: SheetRow<'_>, source: &Source) -> bool {
    let has_tick = |column: &String| row.cell(column).is_some_and(values::is_ticked);
    source.column.as_deref().is_some_and(|column| row.cell(column).is_some()) || source.columns.keys().any(has_tick)
}

#[derive(Default)]
pub struct Drafts<'a> {
    pub patients: Vec<PatientDraft>,
    pub entries: Vec<EntryDraft<'a>>,
    /// Rows times forms whose mapped cells are all blank: they make no entry.
    pub without_entry: usize,
}

/// Reads the rows of one file.
pub struct Reader<'a, 'p> {
    pub mapping: &'a Mapping,
    pub directory: &'a Directory,
    /// The form of each entry mapping, in their order.
    pub forms: Vec<&'a FormSchema>,
    pub today: Date,
    pub problems: &'p mut Problems,
}

impl<'a, 'p> Reader<'a, 'p> {
    pub fn new(
        mapping: &'a Mapping,
        register: &'a RegisterSchema,
        directory: &'a Directory,
        today: Date,
        problems: &'p mut Problems,
    ) -> anyhow::Result<Self> {
        let forms = mapping.entries.iter().map(|entry| register.form(&entry.form)).collect::<anyhow::Result<_>>()?;
        Ok(Self { mapping, directory, forms, today, problems })
    }

    pub fn read(mut self, sheet: &Sheet, progress: &mut Progress) -> Drafts<'a> {
        let mut drafts = Drafts::default();
        let mut patients: HashMap<String, usize> = HashMap::new();
        let mut entries: HashMap<String, KeyPlace> = HashMap::new();
        for row in sheet.rows() {
            progress.step();
            let patient = match row.head() {
                // The patient stands in the line of the record, which was read before and told of.
                Some(head) => head.key(self.mapping.patient.key.names()).and_then(|key| patients.get(&key).copied()),
                None => self.patient(row, &mut patients, &mut drafts.patients),
            };
            let Some(patient) = patient else { continue };
            for (mapping, schema) in self.mapping.entries.iter().zip(self.forms.clone()) {
                self.entry(row, patient, mapping, schema, &mut entries, &mut drafts);
            }
        }
        drafts
    }

    /// The place of the row's patient in the list, where it joins when it is new there.
    fn patient(&mut self, row: SheetRow<'_>, known: &mut HashMap<String, usize>, patients: &mut Vec<PatientDraft>) -> Option<usize> {
        let columns = self.mapping.patient.key.names();
        let Some(key) = row.key(columns) else {
            self.problems.defect(row.number, columns.first().map(String::as_str), "ključ pacijenta je prazan");
            return None;
        };
        let record = self.record(row);
        let told = self.told(row, record.datum_rodjenja);
        let consents = self.consents(row, record.datum_rodjenja);
        if let Some(place) = known.get(&key) {
            let first = &mut patients[*place];
            if first.record != record || first.told != told {
                let message = Message::from("podaci pacijenta se razlikuju od podataka istog pacijenta u redu ").hide(first.row);
                self.problems.defect(row.number, columns.first().map(String::as_str), message);
            }
            for (name, message) in consent::join(&mut first.consents, consents) {
                self.problems.defect(row.number, Some(&self.place(&name)), message);
            }
            return Some(*place);
        }
        for (name, message) in validation::oddities(&record) {
            self.problems.warning(row.number, Some(&self.place(name)), message);
        }
        let institution = self.institution(row, &self.mapping.patient.institution)?;
        patients.push(PatientDraft { row: row.number, key: key.clone(), institution, record, told, consents });
        known.insert(key, patients.len() - 1);
        Some(patients.len() - 1)
    }

    fn record(&mut self, row: SheetRow<'_>) -> PatientInput {
        let mut fields = patient::Fields::default();
        let mut unread = vec![];
        for (name, source) in self.mapping.patient.fields.iter().filter(|(name, _)| patient::is_of_record(name)) {
            let filled = match row.text(source) {
                Ok(Some(text)) => fields.fill(name, &text, source, &self.mapping.file),
                Ok(None) => Ok(()),
                Err(message) => Err(message),
            };
            if let Err(message) = filled {
                unread.push(name.as_str());
                self.problems.defect(row.number, Some(column(source, name)), message);
            }
        }
        let record = fields.record();
        for (name, message) in patient::faults(&record, &self.mapping.patient.fields, self.today) {
            if !unread.contains(&name) {
                self.problems.defect(row.number, Some(&self.place(name)), message);
            }
        }
        record
    }

    /// What the row says became of the patient.
    fn told(&mut self, row: SheetRow<'_>, born: Option<Date>) -> ToldStatus {
        let mut told = ToldStatus::default();
        for (name, source) in self.mapping.patient.fields.iter().filter(|(name, _)| status::FIELDS.contains(&name.as_str())) {
            let filled = match row.text(source) {
                Ok(Some(text)) => told.fill(name, &text, source, &self.mapping.file),
                Ok(None) => Ok(()),
                Err(message) => Err(message),
            };
            if let Err(message) = filled {
                self.problems.defect(row.number, Some(column(source, name)), message);
            }
        }
        for (name, message) in told.faults(born, self.today) {
            self.problems.defect(row.number, Some(&self.place(name)), message);
        }
        told
    }

    /// What the row says that the patient has agreed to.
    fn consents(&mut self, row: SheetRow<'_>, born: Option<Date>) -> Vec<ToldConsent> {
        let mut cells = ConsentCells::default();
        for (name, source) in self.mapping.patient.fields.iter().filter(|(name, _)| consent::has_field(name)) {
            let filled = match row.text(source) {
                Ok(Some(text)) => cells.fill(name, &text, source, &self.mapping.file),
                Ok(None) => Ok(()),
                Err(message) => Err(message),
            };
            if let Err(message) = filled {
                self.problems.defect(row.number, Some(column(source, name)), message);
            }
        }
        let (told, faults) = cells.told(row.number, born, self.today);
        for (name, message) in faults {
            self.problems.defect(row.number, Some(&self.place(&name)), message);
        }
        told
    }

    /// Where a patient's field comes from, as messages name it.
    fn place(&self, name: &str) -> String {
        self.mapping.patient.fields.get(name).map_or(name, |source| column(source, name)).to_owned()
    }

    fn entry(
        &mut self,
        row: SheetRow<'_>,
        patient: usize,
        mapping: &'a EntryMapping,
        schema: &'a FormSchema,
        known: &mut HashMap<String, KeyPlace>,
        drafts: &mut Drafts<'a>,
    ) {
        let in_rows = mapping.rows.values().flat_map(|columns| columns.values());
        if !mapping.fields.values().chain(in_rows).any(|source| has_cell(row, source)) {
            drafts.without_entry += 1;
            return;
        }
        // A repeat that is a row has the day, the doctor and the single values in the line of its record.
        let is_row = mapping.rows.values().flat_map(|columns| columns.values()).any(|source| has_cell(row, source));
        let whole = row.head().filter(|_| is_row).unwrap_or(row);
        let (values, typed, unread) = self.values(whole, mapping, schema);
        let date = self.date(whole, mapping, drafts.patients[patient].record.datum_rodjenja);
        let institution = match &mapping.institution {
            Some(source) => self.institution(whole, source),
            None => Some(drafts.patients[patient].institution),
        };
        let responsible = mapping.responsible.as_ref().and_then(|source| self.responsible(whole, source));
        let key_column = mapping.key.names().first().map(String::as_str);
        let Some(key) = whole.key(mapping.key.names()) else {
            return self.problems.defect(row.number, key_column, "ključ unosa je prazan");
        };
        let key = format!("unos:{}:{key}", schema.code());
        if let Some(KeyPlace { row: first, place }) = known.get(&key) {
            let twice = || Message::from("isti ključ unosa već stoji u redu ").hide(first);
            if mapping.rows.is_empty() {
                return self.problems.defect(row.number, key_column, twice());
            }
            let Some(draft) = place.and_then(|place| drafts.entries.get_mut(place)) else { return };
            if draft.patient != patient {
                return self.problems.defect(row.number, key_column, twice());
            }
            let (Some(date), Some(institution)) = (date, institution) else { return };
            if (date, institution, responsible) != (draft.date, draft.institution, draft.responsible) {
                let message = Message::from("datum, ustanova ili lekar se razlikuju od istog unosa u redu ").hide(first);
                return self.problems.defect(row.number, key_column, message);
            }
            let differs = |code: &String| schema.field(code).is_some_and(|field| draft.values.get(&field.id) != values.get(&field.id));
            let other = mapping.fields.iter().find(|(code, _)| unread.is_empty() && draft.unread.is_empty() && differs(code));
            if let Some((code, source)) = other {
                let message = Message::from("vrednost se razlikuje od istog unosa u redu ").hide(first);
                return self.problems.defect(row.number, Some(column(source, code)), message);
            }
            return self.rows(row, draft);
        }
        known.insert(key.clone(), KeyPlace { row: row.number, place: None });
        let (Some(date), Some(institution)) = (date, institution) else { return };
        known.insert(key.clone(), KeyPlace { row: row.number, place: Some(drafts.entries.len()) });
        let mut draft = EntryDraft {
            row: row.number,
            key,
            patient,
            mapping,
            schema,
            date,
            institution,
            responsible,
            values,
            before: Values::new(),
            typed,
            typed_before: Typed::new(),
            unread,
            lines: HashMap::new(),
            unread_lines: vec![],
            relevant_filled: false,
        };
        self.rows(row, &mut draft);
        drafts.entries.push(draft);
    }

    /// The line's rows, one for each section of which it has a cell. Their ids count from 1, so that the same file gives the same rows.
    fn rows(&mut self, row: SheetRow<'_>, draft: &mut EntryDraft<'a>) {
        for (section, columns) in &draft.mapping.rows {
            if !columns.values().any(|source| has_cell(row, source)) {
                continue;
            }
            let section = draft.schema.field(section).expect("the mapping's codes are checked before its rows");
            let (mut cells, mut typed) = (Values::new(), Typed::new());
            for (name, source) in columns {
                let known = section.kolone.iter().find(|known| code(known) == name);
                let known = known.expect("the mapping's codes are checked before its rows");
                match self.cell(row, known, source) {
                    Ok(None) => {}
                    Ok(Some((value, written))) => {
                        cells.insert(known.id, value);
                        typed.extend(written.map(|written| (known.id.to_string(), written)));
                    }
                    Err(fault) => {
                        draft.unread_lines.push(row.number);
                        self.problems.defect(row.number, Some(fault.column.unwrap_or(column(source, name))), fault.message);
                    }
                }
            }
            let lines = draft.lines.entry(section.id).or_default();
            lines.push(row.number);
            let id = i64::try_from(lines.len()).expect("a file has fewer rows");
            if !typed.is_empty() {
                let of_section = draft.typed.entry(section.id.to_string()).or_insert_with(|| json!({}));
                of_section[id.to_string()] = typed.into();
            }
            let added = entry::rows::to_value(&[entry::rows::Row { id, cells }]);
            let all = draft.values.entry(section.id).or_insert_with(|| Value::Array(vec![]));
            if let (Value::Array(all), Some(Value::Array(added))) = (all, added) {
                all.extend(added);
            }
        }
    }

    /// The value of a cell, and how it was written where that is another unit; nothing of a blank one.
    fn cell<'s>(&self, row: SheetRow<'_>, field: &EntryField, source: &'s Source) -> Result<Option<(Value, Option<Value>)>, CellFault<'s>> {
        if !source.columns.is_empty() {
            return Ok(values::of_columns(row, field, source)?.map(|value| (value, None)));
        }
        let Some(text) = row.text(source)? else { return Ok(None) };
        let value = values::value(field, &text, source, &self.mapping.file)?;
        let written = values::written_in(field, &text, source, &self.mapping.file);
        Ok(Some((value, written.map(|written| json!(written)))))
    }

    /// The values that can be read, what was written of them in other units, and the codes of the others.
    fn values(&mut self, row: SheetRow<'_>, mapping: &'a EntryMapping, schema: &FormSchema) -> (Values, Typed, Vec<&'a str>) {
        let (mut values, mut typed, mut unread) = (Values::new(), Typed::new(), vec![]);
        for (code, source) in &mapping.fields {
            let field = schema.field(code).expect("the mapping's codes are checked before its rows");
            match self.cell(row, field, source) {
                Ok(None) => {}
                Ok(Some((value, written))) => {
                    values.insert(field.id, value);
                    typed.extend(written.map(|written| (field.id.to_string(), written)));
                }
                Err(fault) => {
                    unread.push(code.as_str());
                    self.problems.defect(row.number, Some(fault.column.unwrap_or(column(source, code))), fault.message);
                }
            }
        }
        (values, typed, unread)
    }

    fn date(&mut self, row: SheetRow<'_>, mapping: &EntryMapping, born: Option<Date>) -> Option<Date> {
        let place = column(&mapping.date, "date");
        let date = match row.text(&mapping.date) {
            Ok(Some(text)) => values::date(&text, &mapping.date, &self.mapping.file),
            Ok(None) => Err(NO_DATE.into()),
            Err(message) => Err(message),
        };
        let date = date.map_err(|message| self.problems.defect(row.number, Some(place), message)).ok()?;
        if born.is_some_and(|born| date < born) {
            self.problems.defect(row.number, Some(place), "datum pregleda je pre rođenja pacijenta");
        }
        if date > self.today {
            self.problems.defect(row.number, Some(place), "datum pregleda je u budućnosti");
        }
        Some(date)
    }

    fn institution(&mut self, row: SheetRow<'_>, source: &Source) -> Option<i64> {
        if self.directory.only.is_some() {
            return self.directory.only;
        }
        let found = match row.text(source) {
            Ok(Some(name)) => self
                .directory
                .institutions
                .get(&domain::fold::fold(&name))
                .copied()
                .ok_or_else(|| Message::from("nema ustanove sa nazivom ili šifrom „").hide(name).say("”")),
            Ok(None) => Err("ustanova nije uneta".into()),
            Err(message) => Err(message),
        };
        found.map_err(|message| self.problems.defect(row.number, Some(column(source, "institution")), message)).ok()
    }

    fn responsible(&mut self, row: SheetRow<'_>, source: &Source) -> Option<i64> {
        let found = match row.text(source) {
            Ok(Some(name)) => {
                let known = self.directory.workers.get(&name.to_lowercase()).copied();
                known.ok_or_else(|| Message::from("nema radnika „").hide(name).say("”"))
            }
            Ok(None) => return None,
            Err(message) => Err(message),
        };
        found.map_err(|message| self.problems.defect(row.number, Some(column(source, "responsible")), message)).ok()
    }
}

/// The column as messages name it; a constant is named by what it fills.
fn column<'s>(source: &'s Source, filled: &'s str) -> &'s str {
    source.names().next().unwrap_or(filled)
}
