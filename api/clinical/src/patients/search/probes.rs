//! What a criterion asks of one patient or one entry, and the set of patients who pass it. Each probe is a correlated scalar that
//! stops at the first hit.

use sqlx::{Postgres, QueryBuilder};

use super::criteria::{EntryScope, Test};

type Builder = QueryBuilder<Postgres>;

/// Whether the patient passes all of the tests, in the entries that `scope` names. They are those of a `whole` group that are not
/// settled yet.
pub fn push_group(q: &mut Builder, group: &[&Test], whole: &[Test], scope: EntryScope, register: i64, patient: &str) {
    if scope == EntryScope::IstiUnos {
        q.push("(select true");
        push_entries(q, register, group[0].form(), patient);
        for test in group {
            q.push(" and ");
            push_in_entry(q, test);
        }
        q.push(" limit 1)");
        return;
    }
    for (index, test) in group.iter().enumerate() {
        q.push(if index == 0 { "" } else { " and " });
        match scope {
            EntryScope::NajnovijiUnos => push_newest(q, test, register, patient),
            _ if has_entry(whole, test.form()) => push_value(q, test, patient),
            _ => push_any(q, test, register, patient),
        }
    }
}

/// Whether the patient's newest entry of the form passes the test.
fn push_newest(q: &mut Builder, test: &Test, register: i64, patient: &str) {
    if let Test::Without(_) = test {
        q.push("(select true from ");
        push_newest_entry(q, register, test.form(), patient);
        q.push(" e where ");
        push_in_entry(q, test);
        q.push(")");
        return;
    }
    q.push("(select true");
    push_matching(q, test);
    q.push(" and v.pacijent_id = ").push(patient).push(" and v.unos_id = (select n.id from ");
    push_newest_entry(q, register, test.form(), "v.pacijent_id");
    q.push(" n) limit 1)");
}

/// Whether one of the patient's entries passes the test; of what must not be so, whether there is an entry and none is.
pub fn push_any(q: &mut Builder, test: &Test, register: i64, patient: &str) {
    if matches!(test, Test::Without(_)) {
        q.push("(select true");
        push_entries(q, register, test.form(), patient);
        q.push(" limit 1) and ");
    }
    push_value(q, test, patient);
}

/// Whether another test of the group asks for a value in an entry of the form: then there is one.
fn has_entry(group: &[Test], form: i64) -> bool {
    group.iter().any(|test| test.form() == form && !matches!(test, Test::Without(_)))
}

/// Whether the patient has a value that passes the test; of what must not be so, whether none is.
fn push_value(q: &mut Builder, test: &Test, patient: &str) {
    let (positive, absent) = sides(test);
    q.push("(select true");
    push_matching(q, positive);
    q.push(" and v.pacijent_id = ").push(patient).push(" limit 1)").push(if absent { " is null" } else { "" });
}

/// The test that values pass, and whether none may.
fn sides(test: &Test) -> (&Test, bool) {
    match test {
        Test::Without(positive) => (positive, true),
        test => (test, false),
    }
}

/// `from entry e where …`: the patient's entries of a form.
pub fn push_entries(q: &mut Builder, register: i64, form: i64, patient: &str) {
    q.push(" from entry e where e.pacijent_id = ").push(patient).push(" and e.registar_id = ").push_bind(register);
    q.push(" and e.tsa_id = ").push_bind(form).push(" and e.aktivan");
}

/// The patient's newest entry of a form, up to today, in brackets.
pub fn push_newest_entry(q: &mut Builder, register: i64, form: i64, patient: &str) {
    q.push("(select e.id, e.pacijent_id, e.datum_unosa, e.vrednosti");
    push_entries(q, register, form, patient);
    q.push(" and e.datum_unosa <= (now() at time zone 'Europe/Belgrade')::date order by e.datum_unosa desc, e.id desc limit 1)");
}

/// Whether the entry `e` passes the test.
pub fn push_in_entry(q: &mut Builder, test: &Test) {
    let (positive, absent) = sides(test);
    q.push("(select true");
    push_matching(q, positive);
    q.push(" and v.pacijent_id = e.pacijent_id and v.unos_id = e.id limit 1)");
    q.push(if absent { " is null" } else { "" });
}

/// The patients who have a value that passes the test, some of them more than once. Where one entry alone counts, those who may.
pub fn push_set(q: &mut Builder, test: &Test, scope: EntryScope) {
    if let Test::Without(positive) = test {
        q.push("(select e.pacijent_id from entry e where e.tsa_id = ").push_bind(test.form()).push(" and e.aktivan");
        if scope == EntryScope::BiloKojiUnos {
            q.push(" and (select true");
            push_matching(q, positive);
            q.push(" and v.pacijent_id = e.pacijent_id limit 1) is null");
        }
    } else {
        q.push("(select v.pacijent_id");
        push_matching(q, test);
    }
    q.push(")");
}

/// `from … where …`: the projected values that pass the test.
pub fn push_matching(q: &mut Builder, test: &Test) {
    match test {
        Test::Number { field, comparison, value, .. } => {
            q.push(" from value_num v where v.polje_id = ").push_bind(field.id);
            q.push(" and v.vrednost ").push(comparison.sql()).push(" ").push_bind(*value);
        }
        Test::Text { field, pattern, negated, .. } => {
            q.push(" from value_text v where v.polje_id = ").push_bind(field.id);
            q.push(if *negated { " and v.vrednost_f not like " } else { " and v.vrednost_f like " }).push_bind(pattern.clone());
        }
        Test::Filled(field) => {
            q.push(if test.is_text() { " from value_text v where v.polje_id = " } else { " from value_num v where v.polje_id = " });
            q.push_bind(field.id);
        }
        Test::Without(_) => unreachable!("a criterion is turned around once"),
    }
}
