//! SQL of the patient search. Its shape is fixed so that its cost is: every test is a correlated probe that stops at the
//! first hit, and the planner can turn none of them into a join. No identifier comes from a request; every value is bound.

use std::collections::BTreeMap;

use domain::register::PatientStatus;
use sqlx::{Postgres, QueryBuilder};

use super::{
    criteria::{EntryScope, Groups, Test, escape_like},
    entry_frame::CheckedFrame,
    order::ResultOrder,
    own_entry::OwnEntryCriteria,
    probes,
};

/// Fixed fields of the search, already checked.
#[derive(Debug, Clone, Default)]
pub struct FixedCriteria {
    /// Words, folded as names.
    pub ime: Vec<String>,
    pub prezime: Vec<String>,
    /// Words that will do for one of those.
    pub similar: BTreeMap<String, Vec<String>>,
    pub godina_od: Option<i16>,
    pub godina_do: Option<i16>,
    pub pol: Option<bool>,
    pub status: Option<PatientStatus>,
    /// Digits; a prefix.
    pub jmbg: String,
    pub lbo: String,
}

impl FixedCriteria {
    /// Whether the fields name a person.
    pub fn names_a_person(&self) -> bool {
        !self.ime.is_empty() || !self.prezime.is_empty() || self.has_number()
    }

    /// Whether a whole JMBG or LBO is given.
    pub fn names_one(&self) -> bool {
        self.jmbg.len() == JMBG_DIGITS || self.lbo.len() == LBO_DIGITS
    }

    /// Whether so many digits of the JMBG or LBO are given that they are few people's, a birth date's at most.
    pub fn names_few(&self) -> bool {
        self.jmbg.len() >= 7 || self.lbo.len() >= 7
    }

    /// Whether an index finds these fields: digits, years, and names with a word of three letters, which have trigrams.
    pub fn is_selective(&self) -> bool {
        let long = |words: &[String]| words.iter().any(|word| word.chars().count() >= 3);
        self.has_number() || self.godina_od.is_some() || self.godina_do.is_some() || long(&self.ime) || long(&self.prezime)
    }

    fn has_number(&self) -> bool {
        !self.jmbg.is_empty() || !self.lbo.is_empty()
    }

    fn push_words(&self, q: &mut Builder, column: &str, words: &[String]) {
        for (index, word) in words.iter().enumerate() {
            q.push(if index == 0 { "" } else { " and " });
            self.push_word(q, column, word);
        }
    }

    /// Whether the name holds the word, or one that will do for it.
    fn push_word(&self, q: &mut Builder, column: &str, word: &str) {
        q.push("(");
        for (index, word) in std::iter::once(word).chain(self.similar.get(word).into_iter().flatten().map(String::as_str)).enumerate() {
            q.push(if index == 0 { "" } else { " or " });
            q.push(column).push(" like ").push_bind(format!("%{}%", escape_like(word)));
        }
        q.push(")");
    }

    pub fn is_empty(&self) -> bool {
        !self.names_a_person() && self.godina_od.is_none() && self.godina_do.is_none() && self.pol.is_none() && self.status.is_none()
    }
}

/// Patients whom the institution took over from another, as they are to one search.
#[derive(Debug, Clone, Default)]
pub struct Takings {
    /// Known without an entry of one's own.
    pub known: Vec<i64>,
    /// Not known, whatever entry one has: a criterion would tell what stands in the entries of others.
    pub hidden: Vec<i64>,
    /// Of their entries only one's own are read.
    pub own_only: Vec<i64>,
}

/// Everything that one search is compiled from.
#[derive(Debug, Clone)]
pub struct Search {
    pub register: i64,
    /// The worker's institution, for telling which patients it knows.
    pub institution: i64,
    pub blur: bool,
    /// So many patients whom the institution does not know are rows; fewer are not.
    pub least_group: usize,
    pub takings: Takings,
    pub scope: EntryScope,
    pub fixed: FixedCriteria,
    pub groups: Groups,
    /// The entry that there must be, and of which the groups speak.
    pub frame: Option<CheckedFrame>,
    /// Only patients whom the institution knows, whatever is asked for.
    pub known_only: bool,
    /// What one entry of the institution's own is.
    pub own_entry: Option<OwnEntryCriteria>,
    /// None: the register's own, the newest entry first.
    pub order: Option<ResultOrder>,
}

/// Where the candidates come from. Whatever does not make sure of a criterion is probed for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// So many patients in the register's own order, after the first `from`.
    Window { from: i64, width: i64 },
    /// The patients of one small set for each group (indexes into the groups).
    Drivers(Vec<usize>),
    /// The patients that the fixed fields find by index.
    Fixed,
    /// The patients that the institution knows.
    Known,
    /// The patients with an entry of the institution's own that is as it is asked for.
    OwnEntries,
    /// The sets of all groups, intersected and united.
    Sets,
    /// Every patient of the register.
    All,
}

impl Source {
    /// Whether its candidates are found in the table of patients, so that none is fetched once more.
    fn has_patients(&self) -> bool {
        *self == Self::Fixed
    }
}

pub const JMBG_DIGITS: usize = 13;
pub const LBO_DIGITS: usize = 11;
/// What a result needs of the register.
const REGISTERED: &str =
    "w.prvi_unos_id, w.prvi_unos_datum, w.prvi_unos_tsa_id, w.poslednji_unos_id, w.poslednji_unos_tsa_id, w.status, w.status_dan";
/// What a result needs of the patient.
const PATIENT: &str = ", p.ime, p.prezime, p.jmbg, p.lbo, p.broj_kartona, p.ustanova_id";

type Builder = QueryBuilder<Postgres>;

impl Search {
    /// The rows of the result: at most `limit`.
    pub fn select(&self, source: &Source, limit: i64) -> Builder {
        self.statement("", source, limit)
    }

    /// The same rows through a cursor of this name.
    pub fn declare(&self, cursor: &'static str, source: &Source, limit: i64) -> Builder {
        self.statement(&format!("declare {cursor} no scroll cursor for "), source, limit)
    }

    fn statement(&self, head: &str, source: &Source, limit: i64) -> Builder {
        let mut q = Builder::new(head);
        self.push_drv(&mut q, source);
        q.push(
            "select hit.pacijent_id, hit.ime, hit.prezime, hit.jmbg, hit.lbo, hit.broj_kartona, hit.prvi_unos_id, hit.prvi_unos_datum, \
             hit.poslednji_unos_id, hit.poslednji_unos_datum, hit.status, hit.status_dan, ff.naziv as prvi_unos, lf.naziv as poslednji_unos, ",
        );
        q.push(match source {
            // Nobody asks who is known.
            _ if !self.blur => "false",
            // Nobody else is found.
            _ if self.only_known() => "true",
            // The planner may make a set of all whom the institution knows.
            Source::Sets | Source::All => {
                "hit.ustanova_id = own.id \
                 or exists (select from entry k where k.pacijent_id = hit.pacijent_id and k.aktivan and k.ustanova_id = own.id)"
            }
            // With a limit it cannot: each of a few is probed.
            _ => {
                "hit.ustanova_id = own.id or coalesce((select true from entry k where k.pacijent_id = hit.pacijent_id and k.aktivan \
                 and k.ustanova_id = own.id limit 1), false)"
            }
        });
        q.push(" as poznat from (");
        // Who is probed is settled first, in order and behind `offset 0`, which keeps the planner from moving a probe; the
        // patient is fetched for those who are left, until there are enough.
        q.push("select c.*").push(if source.has_patients() { "" } else { PATIENT }).push(" from (");
        self.push_candidates(&mut q, source);
        // By another order all of them are compared, once the patient is there.
        q.push(if self.chosen_order().is_some() { " offset 0) c" } else { " order by 2 desc nulls last, 1 offset 0) c" });
        match source {
            Source::Fixed => {
                q.push(" where true");
                self.push_only_known(&mut q, source, "c");
            }
            // Each is looked up, whatever the digits: a plan that reads all patients would be as long as the register.
            Source::Window { .. } => {
                q.push(" cross join lateral (select * from patient p where p.id = c.pacijent_id and p.aktivan");
                push_digits(&mut q, &self.fixed);
                q.push(" offset 0) p");
            }
            _ => {
                q.push(" join patient p on p.id = c.pacijent_id where p.aktivan");
                push_digits(&mut q, &self.fixed);
                self.push_only_known(&mut q, source, "p");
            }
        }
        self.push_order(&mut q, if source.has_patients() { "c" } else { "p" }, "c");
        q.push(" limit ").push_bind(limit);
        q.push(") hit cross join (select ").push_bind(self.institution).push("::bigint as id) own");
        q.push(" left join form ff on ff.id = hit.prvi_unos_tsa_id left join form lf on lf.id = hit.poslednji_unos_tsa_id");
        self.push_order(&mut q, "hit", "hit");
        q
    }

    /// Whether a blurred row would tell who it is: the request names a person, or tests a text, which may hold a name or a number
    /// and could be guessed letter by letter. Such a search finds only patients that the institution knows; so does one by the
    /// institution's own entries, which no others have. One by the days of an entry finds nobody else, whatever is blurred.
    pub fn only_known(&self) -> bool {
        self.known_only
            || self.frame.is_some()
            || self.blur && (self.fixed.names_a_person() || self.groups.iter().flatten().any(Test::is_text) || self.own_entry.is_some())
    }

    /// How many patients one test alone would find, counted no further than `most`.
    pub fn count(&self, test: &Test, most: i64) -> Builder {
        let mut q = Builder::new("select count(*) from (");
        probes::push_set(&mut q, test, self.scope);
        q.push(" limit ").push_bind(most).push(") q");
        q
    }

    /// How many patients the fixed fields alone would find.
    pub fn count_fixed(&self, most: i64) -> Builder {
        let mut q = Builder::new("select count(*) from (select from patient p where p.aktivan");
        self.push_fixed(&mut q, "p");
        push_digits(&mut q, &self.fixed);
        q.push(" limit ").push_bind(most).push(") q");
        q
    }

    /// How many patients the institution knows, more or less.
    pub fn count_known(&self, most: i64) -> Builder {
        let mut q = Builder::new("select count(*) from (");
        self.push_known(&mut q, "union all");
        q.push(" limit ").push_bind(most).push(") q");
        q
    }

    /// How many entries of the institution's own are as it is asked for.
    pub fn count_own_entries(&self, criteria: &OwnEntryCriteria, most: i64) -> Builder {
        let mut q = Builder::new("select count(*) from (");
        criteria.push_set(&mut q, self);
        q.push(" limit ").push_bind(most).push(") q");
        q
    }

    fn push_only_known(&self, q: &mut Builder, source: &Source, patient: &str) {
        if !self.only_known() {
            return;
        }
        self.push_not_hidden(q, "c");
        if matches!(source, Source::Known | Source::OwnEntries) {
            return;
        }
        q.push(" and (").push(patient).push(".ustanova_id = ").push_bind(self.institution);
        q.push(" or (select true from entry k where k.pacijent_id = c.pacijent_id and k.aktivan and k.ustanova_id = ");
        q.push_bind(self.institution).push(" limit 1)");
        self.push_taken(q, "c");
        q.push(")");
    }

    /// Or one whom the institution took over. Where it took nobody, the statement is the same as without.
    fn push_taken(&self, q: &mut Builder, of: &str) {
        if !self.takings.known.is_empty() {
            q.push(" or ").push(of).push(".pacijent_id = any (").push_bind(self.takings.known.clone()).push(")");
        }
    }

    fn push_not_hidden(&self, q: &mut Builder, of: &str) {
        if !self.takings.hidden.is_empty() {
            q.push(" and ").push(of).push(".pacijent_id <> all (").push_bind(self.takings.hidden.clone()).push(")");
        }
    }

    /// The set that drives the search, where there is one.
    fn push_drv(&self, q: &mut Builder, source: &Source) {
        match source {
            Source::Window { .. } | Source::Fixed | Source::All => return,
            Source::Sets => {
                q.push("with drv as materialized (select distinct pacijent_id from (");
                for (index, group) in self.groups.iter().enumerate() {
                    q.push(if index == 0 { "(" } else { " union (" });
                    for (index, test) in group.iter().enumerate() {
                        q.push(if index == 0 { "" } else { " intersect " });
                        probes::push_set(q, test, self.scope);
                    }
                    q.push(")");
                }
            }
            Source::Drivers(drivers) => {
                q.push("with drv as materialized (select distinct pacijent_id from (");
                for (index, (group, driver)) in self.groups.iter().zip(drivers).enumerate() {
                    q.push(if index == 0 { "" } else { " union all " });
                    probes::push_set(q, &group[*driver], self.scope);
                }
            }
            Source::Known => {
                q.push("with drv as materialized (select pacijent_id from (");
                self.push_known(q, "union");
            }
            Source::OwnEntries => {
                q.push("with drv as materialized (select distinct pacijent_id from (");
                if let Some(criteria) = &self.own_entry {
                    criteria.push_set(q, self);
                }
            }
        }
        q.push(") q) ");
    }

    fn push_known(&self, q: &mut Builder, link: &str) {
        q.push("(select k.pacijent_id from entry k where k.aktivan and k.ustanova_id = ").push_bind(self.institution);
        q.push(") ").push(link);
        q.push(" (select p.id from patient p where p.ustanova_id = ").push_bind(self.institution).push(")");
        if !self.takings.known.is_empty() {
            q.push(" ").push(link).push(" (select unnest(").push_bind(self.takings.known.clone()).push("::bigint[]))");
        }
    }

    /// Candidates in no order: those of the source's patients who pass the fixed fields, but for digits, and the groups' probes.
    fn push_candidates(&self, q: &mut Builder, source: &Source) {
        q.push("select w.pacijent_id, w.poslednji_unos_datum, ").push(REGISTERED);
        q.push(if source.has_patients() { PATIENT } else { "" }).push(" from ");
        match source {
            Source::Window { from, width } => {
                q.push("(select * from patient_register where registar_id = ").push_bind(self.register);
                // Not bound: a plan for any width would be one for a tenth of the register.
                q.push(" order by poslednji_unos_datum desc nulls last, pacijent_id limit ").push(width);
                q.push(" offset ").push(from).push(") w where true");
                self.push_fixed(q, "w");
                self.push_status(q);
            }
            Source::Fixed => {
                q.push("patient p join patient_register w on w.pacijent_id = p.id and w.registar_id = ").push_bind(self.register);
                q.push(" where p.aktivan");
                self.push_fixed(q, "p");
                push_digits(q, &self.fixed);
                self.push_status(q);
            }
            Source::All => {
                q.push("patient_register w where w.registar_id = ").push_bind(self.register);
                self.push_fixed(q, "w");
                self.push_status(q);
            }
            Source::Drivers(_) | Source::Known | Source::OwnEntries | Source::Sets => {
                q.push("(select pacijent_id from drv");
                if self.fixed.is_empty() {
                    q.push(" where true");
                    self.push_groups(q, source, "drv.pacijent_id");
                }
                // Drivers are few, whatever the planner thinks of them: each is looked up, rather than the whole register read.
                q.push(match source {
                    Source::Sets => " offset 0) d join patient_register w on w.pacijent_id = d.pacijent_id where w.registar_id = ",
                    _ => " offset 0) d cross join lateral (select * from patient_register x where x.pacijent_id = d.pacijent_id and x.registar_id = ",
                });
                q.push_bind(self.register).push(if *source == Source::Sets { "" } else { " offset 0) w where true" });
                if self.fixed.is_empty() {
                    return;
                }
                self.push_fixed(q, "w");
                self.push_status(q);
            }
        }
        self.push_groups(q, source, "w.pacijent_id");
        if self.only_known() && matches!(source, Source::Window { .. }) {
            // The planner puts cheap probes first, and this one before many a group's.
            q.push(" and ((select true from entry k where k.pacijent_id = w.pacijent_id and k.aktivan and k.ustanova_id = ");
            q.push_bind(self.institution).push(" limit 1) or (select p.ustanova_id = ").push_bind(self.institution);
            q.push(" from patient p where p.id = w.pacijent_id)");
            self.push_taken(q, "w");
            q.push(")");
            self.push_not_hidden(q, "w");
        }
    }

    /// Names, years of birth and sex, as the patient has them and each of the patient's registers.
    fn push_fixed(&self, q: &mut Builder, of: &str) {
        let fixed = &self.fixed;
        let [ime, prezime] = ["ime_f", "prezime_f"].map(|column| format!("replace({of}.{column}, 'dj', 'd')"));
        if !fixed.ime.is_empty() && !fixed.prezime.is_empty() {
            q.push(" and ((");
            fixed.push_words(q, &ime, &fixed.ime);
            q.push(" and ");
            fixed.push_words(q, &prezime, &fixed.prezime);
            q.push(") or (");
            fixed.push_words(q, &prezime, &fixed.ime);
            q.push(" and ");
            fixed.push_words(q, &ime, &fixed.prezime);
            q.push("))");
        } else {
            for (column, words) in [(&ime, &fixed.ime), (&prezime, &fixed.prezime)] {
                match words.len() {
                    0 => {}
                    1 => {
                        q.push(" and ");
                        fixed.push_words(q, column, words);
                    }
                    // Several words in one box may be a whole name, in any order.
                    _ => {
                        for word in words {
                            q.push(" and (");
                            fixed.push_word(q, &ime, word);
                            q.push(" or ");
                            fixed.push_word(q, &prezime, word);
                            q.push(")");
                        }
                    }
                }
            }
        }
        if let Some(year) = fixed.godina_od {
            q.push(" and ").push(of).push(".datum_rodjenja >= make_date(").push_bind(i32::from(year)).push(", 1, 1)");
        }
        if let Some(year) = fixed.godina_do {
            q.push(" and ").push(of).push(".datum_rodjenja <= make_date(").push_bind(i32::from(year)).push(", 12, 31)");
        }
        if let Some(male) = fixed.pol {
            q.push(" and ").push(of).push(".pol_trenutni = ").push_bind(male);
        }
    }

    /// What holds in the register: no patient has it apart from one.
    fn push_status(&self, q: &mut Builder) {
        if let Some(status) = self.fixed.status {
            q.push(" and w.status = ").push_bind(status.name());
        }
    }

    /// The tests that the source does not make sure of.
    fn push_groups(&self, q: &mut Builder, source: &Source, patient: &str) {
        if let Some(criteria) = self.own_entry.as_ref().filter(|_| *source != Source::OwnEntries) {
            q.push(" and ");
            criteria.push_probe(q, self, patient);
        }
        if let Some(frame) = &self.frame {
            let groups: Vec<&[Test]> = if self.groups.is_empty() { vec![&[]] } else { self.groups.iter().map(Vec::as_slice).collect() };
            for (index, group) in groups.into_iter().enumerate() {
                q.push(if index == 0 { " and (" } else { " or " });
                frame.push_probe(q, group, self.register, self.institution, patient);
            }
            q.push(")");
            return;
        }
        // A set holds all patients with such a value; in which entry it is is asked of each.
        let settled = |index: usize| match source {
            _ if self.scope != EntryScope::BiloKojiUnos => false,
            Source::Sets => true,
            Source::Drivers(drivers) => self.groups.len() == 1 && drivers[0] == index,
            _ => false,
        };
        let open: Vec<Vec<&Test>> = self
            .groups
            .iter()
            .map(|group| group.iter().enumerate().filter(|(index, _)| !settled(*index)).map(|(_, test)| test).collect())
            .collect();
        if open.iter().any(Vec::is_empty) || open.is_empty() {
            return;
        }
        for (index, (open, whole)) in open.iter().zip(&self.groups).enumerate() {
            q.push(if index == 0 { " and ((" } else { " or (" });
            probes::push_group(q, open, whole, self.scope, self.register, patient);
            q.push(")");
        }
        q.push(")");
    }
}

/// JMBG and LBO of the patient `p`, or how they begin.
fn push_digits(q: &mut Builder, fixed: &FixedCriteria) {
    for (column, digits, whole) in [(" and p.jmbg", &fixed.jmbg, JMBG_DIGITS), (" and p.lbo", &fixed.lbo, LBO_DIGITS)] {
        if digits.len() == whole {
            q.push(column).push(" = ").push_bind(digits.clone());
        } else if !digits.is_empty() {
            q.push(column).push(" like ").push_bind(format!("{digits}%"));
        }
    }
}
