//! SQL of the patient search. Its shape is fixed so that its cost is: every test is a correlated probe that stops at the
//! first hit, and the planner can turn none of them into a join. No identifier comes from a request; every value is bound.

use sqlx::{Postgres, QueryBuilder};

use super::criteria::{Groups, Test, escape_like};

/// Fixed fields of the search, already checked.
#[derive(Debug, Clone, Default)]
pub struct Fixed {
    /// Folded words.
    pub ime: Vec<String>,
    pub prezime: Vec<String>,
    pub godina_od: Option<i16>,
    pub godina_do: Option<i16>,
    pub pol: Option<bool>,
    /// Digits; a prefix.
    pub jmbg: String,
    pub lbo: String,
}

impl Fixed {
    /// Whether the fields name a person, and so an index finds them.
    pub fn is_selective(&self) -> bool {
        !self.ime.is_empty() || !self.prezime.is_empty() || !self.jmbg.is_empty() || !self.lbo.is_empty()
    }
}

/// Everything that one search is compiled from.
#[derive(Debug, Clone)]
pub struct Search {
    pub register: i64,
    /// The worker's institution, for telling which patients it knows.
    pub institution: i64,
    pub blur: bool,
    /// Only the patient's newest entry of each form counts.
    pub latest_only: bool,
    pub fixed: Fixed,
    pub groups: Groups,
}

/// Where the candidates come from.
pub enum Source {
    /// The first so many patients in result order.
    Window(i64),
    /// The patients of one small set for each group (indexes into the groups), then probed.
    Drivers(Vec<usize>),
    /// The patients that the fixed fields find by index, then probed.
    Fixed,
    /// The exact sets of all groups, intersected and united.
    Sets,
    /// Every patient of the register.
    All,
}

const ORDER: &str = " order by pr.poslednji_unos_datum desc nulls last, pr.pacijent_id";

type Builder = QueryBuilder<Postgres>;

impl Search {
    /// Whether a blurred row would tell who it is: the request names a person, or tests a text, which may hold a name or a number
    /// and could be guessed letter by letter. Such a search finds only patients that the institution knows.
    fn only_known(&self) -> bool {
        self.blur && (self.fixed.is_selective() || self.groups.iter().flatten().any(Test::is_text))
    }

    /// The rows of the result: at most `limit`, all where it is none.
    pub fn select(&self, source: &Source, limit: Option<i64>) -> Builder {
        let mut q = Builder::new("");
        let probed = match source {
            Source::Sets => {
                q.push("with drv as materialized (select distinct pacijent_id from (");
                self.push_sets(&mut q);
                q.push(") q) ");
                false
            }
            Source::Drivers(drivers) => {
                q.push("with drv as materialized (select distinct pacijent_id from (");
                for (index, (group, driver)) in self.groups.iter().zip(drivers).enumerate() {
                    q.push(if index == 0 { "" } else { " union all " });
                    self.push_set(&mut q, &group[*driver]);
                }
                q.push(") q) ");
                true
            }
            Source::Fixed => {
                q.push("with drv as materialized (select pr.id as pacijent_id from patient pr where pr.aktivan");
                self.push_fixed(&mut q);
                q.push(") ");
                true
            }
            Source::Window(_) | Source::All => true,
        };
        q.push(
            "select hit.*, hit.ustanova_id = own.id or exists (select from entry k where k.pacijent_id = hit.pacijent_id and k.aktivan \
             and k.ustanova_id = own.id) as poznat, ff.naziv as prvi_unos, lf.naziv as poslednji_unos from (select pr.* from (",
        );
        self.push_base(&mut q, source);
        q.push(") pr where pr.aktivan");
        self.push_fixed(&mut q);
        if self.only_known() {
            q.push(" and (pr.ustanova_id = ").push_bind(self.institution);
            q.push(" or (select true from entry k where k.pacijent_id = pr.pacijent_id and k.aktivan and k.ustanova_id = ");
            q.push_bind(self.institution).push(" limit 1))");
        }
        if probed {
            self.push_groups(&mut q);
        }
        q.push(ORDER);
        if let Some(limit) = limit {
            q.push(" limit ").push_bind(limit);
        }
        q.push(") hit cross join (select ").push_bind(self.institution).push("::bigint as id) own");
        q.push(
            " left join entry fe on fe.id = hit.prvi_unos_id left join form ff on ff.id = fe.tsa_id \
             left join entry le on le.id = hit.poslednji_unos_id left join form lf on lf.id = le.tsa_id \
             order by hit.poslednji_unos_datum desc nulls last, hit.pacijent_id",
        );
        q
    }

    /// How many patients one test alone would find, counted no further than `most`.
    pub fn count(&self, test: &Test, most: i64) -> Builder {
        let mut q = Builder::new("select count(*) from (");
        self.push_set(&mut q, test);
        q.push(" limit ").push_bind(most).push(") q");
        q
    }

    /// How many patients the fixed fields alone would find.
    pub fn count_fixed(&self, most: i64) -> Builder {
        let mut q = Builder::new("select count(*) from (select from patient pr where pr.aktivan");
        self.push_fixed(&mut q);
        q.push(" limit ").push_bind(most).push(") q");
        q
    }

    /// Candidates with the columns that tests and results need; `offset 0` keeps the planner from pushing probes below the join.
    fn push_base(&self, q: &mut Builder, source: &Source) {
        q.push(
            "select r.pacijent_id, r.prvi_unos_id, r.prvi_unos_datum, r.poslednji_unos_id, r.poslednji_unos_datum, p.ime, p.prezime, p.ime_f, \
             p.prezime_f, p.jmbg, p.lbo, p.broj_kartona, p.datum_rodjenja, p.pol_trenutni, p.ustanova_id, p.aktivan from ",
        );
        match source {
            Source::Window(width) => {
                q.push("(select pr.* from patient_register pr where pr.registar_id = ").push_bind(self.register);
                q.push(ORDER).push(" limit ").push_bind(*width).push(") r");
            }
            Source::All => {
                q.push("(select pr.* from patient_register pr where pr.registar_id = ").push_bind(self.register).push(") r");
            }
            Source::Drivers(_) | Source::Fixed | Source::Sets => {
                q.push("drv join patient_register r on r.pacijent_id = drv.pacijent_id and r.registar_id = ").push_bind(self.register);
            }
        }
        q.push(" join patient p on p.id = r.pacijent_id offset 0");
    }

    fn push_fixed(&self, q: &mut Builder) {
        // In the base the patient's key is pacijent_id; the fixed count reads the patient table itself. Both are called pr.
        let fixed = &self.fixed;
        if !fixed.ime.is_empty() && !fixed.prezime.is_empty() {
            q.push(" and ((");
            push_words(q, "pr.ime_f", &fixed.ime);
            q.push(" and ");
            push_words(q, "pr.prezime_f", &fixed.prezime);
            q.push(") or (");
            push_words(q, "pr.prezime_f", &fixed.ime);
            q.push(" and ");
            push_words(q, "pr.ime_f", &fixed.prezime);
            q.push("))");
        } else {
            for (column, words) in [("pr.ime_f", &fixed.ime), ("pr.prezime_f", &fixed.prezime)] {
                match words.len() {
                    0 => {}
                    1 => {
                        q.push(" and ");
                        push_words(q, column, words);
                    }
                    // Several words in one box may be a whole name, in any order.
                    _ => {
                        for word in words {
                            let pattern = format!("%{}%", escape_like(word));
                            q.push(" and (pr.ime_f like ").push_bind(pattern.clone());
                            q.push(" or pr.prezime_f like ").push_bind(pattern).push(")");
                        }
                    }
                }
            }
        }
        for (column, digits) in [(" and pr.jmbg like ", &fixed.jmbg), (" and pr.lbo like ", &fixed.lbo)] {
            if !digits.is_empty() {
                q.push(column).push_bind(format!("{digits}%"));
            }
        }
        if let Some(year) = fixed.godina_od {
            q.push(" and pr.datum_rodjenja >= make_date(").push_bind(i32::from(year)).push(", 1, 1)");
        }
        if let Some(year) = fixed.godina_do {
            q.push(" and pr.datum_rodjenja <= make_date(").push_bind(i32::from(year)).push(", 12, 31)");
        }
        if let Some(male) = fixed.pol {
            q.push(" and pr.pol_trenutni = ").push_bind(male);
        }
    }

    fn push_groups(&self, q: &mut Builder) {
        if self.groups.is_empty() {
            return;
        }
        q.push(" and (");
        for (index, group) in self.groups.iter().enumerate() {
            q.push(if index == 0 { "(" } else { " or (" });
            for (index, test) in group.iter().enumerate() {
                q.push(if index == 0 { "(" } else { " and (" });
                self.push_matching(q, test, "select true", Some("pr.pacijent_id"));
                q.push(" limit 1)");
            }
            q.push(")");
        }
        q.push(")");
    }

    fn push_sets(&self, q: &mut Builder) {
        for (index, group) in self.groups.iter().enumerate() {
            q.push(if index == 0 { "(" } else { " union (" });
            for (index, test) in group.iter().enumerate() {
                q.push(if index == 0 { "" } else { " intersect " });
                self.push_set(q, test);
            }
            q.push(")");
        }
    }

    fn push_set(&self, q: &mut Builder, test: &Test) {
        q.push("(");
        self.push_matching(q, test, "select v.pacijent_id", None);
        q.push(")");
    }

    /// `head from … where …`: the projected values that pass the test, of one patient or of all.
    fn push_matching(&self, q: &mut Builder, test: &Test, head: &str, patient: Option<&str>) {
        let (table, field, form) = match test {
            Test::Number { field, form, .. } | Test::ItemAbsent { field, form, .. } => ("value_num", *field, *form),
            Test::Text { field, form, .. } => ("value_text", *field, *form),
        };
        q.push(head).push(" from ").push(table).push(" v where v.polje_id = ").push_bind(field);
        if let Some(patient) = patient {
            q.push(" and v.pacijent_id = ").push(patient);
        }
        match test {
            Test::Number { comparison, value, .. } => {
                q.push(" and v.vrednost ").push(comparison.sql()).push(" ").push_bind(*value);
            }
            Test::ItemAbsent { item, .. } => {
                q.push(" and (select true from value_num x where x.unos_id = v.unos_id and x.polje_id = v.polje_id and x.vrednost = ");
                q.push_bind(*item).push(" limit 1) is null");
            }
            Test::Text { pattern, negated, .. } => {
                q.push(if *negated { " and v.vrednost_f not like " } else { " and v.vrednost_f like " }).push_bind(pattern.clone());
            }
        }
        if self.latest_only {
            q.push(" and v.unos_id = (select e.id from entry e where e.pacijent_id = v.pacijent_id and e.registar_id = ")
                .push_bind(self.register);
            q.push(" and e.tsa_id = ").push_bind(form);
            q.push(" and e.aktivan order by e.datum_unosa desc, e.id desc limit 1)");
        }
    }
}

fn push_words(q: &mut Builder, column: &str, words: &[String]) {
    for (index, word) in words.iter().enumerate() {
        q.push(if index == 0 { "" } else { " and " }).push(column).push(" like ").push_bind(format!("%{}%", escape_like(word)));
    }
}
