//! Entries and their values as rows for COPY: the JSON that an entry holds, and the projection of it.

use std::fmt::Write;

use jiff::{ToSpan, civil::date};

use crate::{
    chance::{rank, throw, unit},
    layout::{Field, Form, Kind, Layout},
};

/// In days since 1970; entries fall between 2010 and autumn 2026.
const FIRST_DAY: i32 = 14_610;
const DAYS: u64 = 6_130;
/// PostgreSQL counts dates from 2000.
const PG_EPOCH: i32 = 10_957;

/// When who comes; in this order entries get their numbers, so that a patient's entries lie scattered, as in life.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Visit {
    pub day: i32,
    pub patient: u32,
    pub turn: u16,
}

impl Visit {
    pub fn of(patient: u32, turn: u16) -> Self {
        let day = FIRST_DAY + i32::try_from(throw(20, u64::from(patient) << 16 | u64::from(turn)) % DAYS).expect("days");
        Self { day, patient, turn }
    }
}

/// Where a patient's entries are written.
pub struct Home {
    pub register: usize,
    pub institution: usize,
}

/// Buffers of four COPY streams.
#[derive(Default)]
pub struct Rows {
    pub entries: Vec<u8>,
    pub numbers: Vec<u8>,
    pub texts: Vec<u8>,
    pub visits: Vec<u8>,
    /// The visits of the patient's day that is being written, by institution.
    of_day: Vec<(Visit, i64, u64)>,
}

impl Rows {
    /// The visit that the entry belongs to: numbered as its first entry. Entries of one patient's day come one after another.
    fn visit_of(&mut self, entry: &Entry, day: &str, doctor: i64) -> u64 {
        let (now, institution) = (entry.visit, entry.institution);
        self.of_day.retain(|(visit, ..)| (visit.day, visit.patient) == (now.day, now.patient));
        if let Some((.., id)) = self.of_day.iter().find(|(_, place, _)| *place == institution) {
            return *id;
        }
        self.of_day.push((now, institution, entry.id));
        let line = format!("{}\t{}\t{}\t{day}\t{institution}\t{doctor}\n", entry.id, now.patient, entry.form.register);
        self.visits.extend_from_slice(line.as_bytes());
        entry.id
    }
}

pub const NUMBERS_HEAD: &[u8] = b"PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0";
pub const NUMBERS_TAIL: &[u8] = &[0xff, 0xff];

/// What one entry is about, while its values are written.
pub struct Entry<'a> {
    pub id: u64,
    pub visit: Visit,
    pub form: &'a Form,
    institution: i64,
    pub active: bool,
}

pub struct Writer<'a> {
    layout: &'a Layout,
    words: Vec<String>,
    days: Vec<String>,
}

impl<'a> Writer<'a> {
    pub fn new(layout: &'a Layout) -> Self {
        let mut words = Vec::new();
        for (place, tail) in ["", "na", "ski", "ost", "anje", "iran"].into_iter().enumerate() {
            for head in ["bol", "žar", "krv", "čvor", "đon", "šum", "grč", "rez", "hod", "san", "puls", "dah", "tok", "vrat", "kuk", "prst"]
            {
                for middle in ["", "ov", "ič", "an", "ul", "ež", "or", "ak"] {
                    words.push(if place == 0 { format!("{head}{middle}") } else { format!("{head}{middle}{tail}") });
                }
            }
        }
        let days = (0..=25_000).map(|day: i64| (date(1970, 1, 1) + day.days()).to_string()).collect();
        Self { layout, words, days }
    }

    pub fn entry(&self, id: u64, visit: Visit, home: &Home) -> Entry<'a> {
        let forms = if home.register == 0 { &self.layout.forms[0..2] } else { &self.layout.forms[2..4] };
        let known = self.layout.institutions.len() - 1;
        let place = if throw(21, id) % 100 < 85 { home.institution } else { rank(throw(22, id), known) };
        Entry {
            id,
            visit,
            form: &forms[usize::from(throw(23, id) % 100 >= 65)],
            institution: self.layout.institutions[place],
            active: !throw(24, id).is_multiple_of(100),
        }
    }

    /// Adds the entry and its projection.
    pub fn write(&self, entry: &Entry, rows: &mut Rows) {
        let doctor = self.layout.doctors[self.layout.institutions.iter().position(|id| *id == entry.institution).expect("known")];
        let mut line = String::with_capacity(1024);
        let (id, form, day) = (entry.id, entry.form, &self.days[entry.visit.day as usize]);
        let visit = rows.visit_of(entry, day, doctor);
        write!(
            line,
            "{id}\t{}\t{}\t{}\t{visit}\t{day}\t{}\t{doctor}\t{doctor}\t{day} 12:00:00+00\t{}\t{}\t{}\t{{",
            entry.visit.patient,
            form.register,
            form.id,
            entry.institution,
            id.is_multiple_of(3),
            entry.active,
            form.version
        )
        .expect("a string takes everything");
        let mut first = true;
        for field in &form.fields {
            let subject = id << 10 | field.id as u64;
            if unit(25, subject) >= form.fill {
                continue;
            }
            write!(line, "{}\"{}\":", if first { "" } else { "," }, field.id).expect("a string takes everything");
            first = false;
            self.value(entry, field, subject, &mut line, rows);
        }
        line.push_str("}\n");
        rows.entries.extend_from_slice(line.as_bytes());
    }

    fn value(&self, entry: &Entry, field: &Field, subject: u64, line: &mut String, rows: &mut Rows) {
        let projected = field.searchable && entry.active;
        let mut number = |value: f64| {
            if projected {
                number_row(entry, field, value, &mut rows.numbers);
            }
        };
        let chance = throw(26, subject);
        match field.kind {
            Kind::Choice(probability) => {
                let chosen = unit(26, subject) < probability;
                line.push_str(if chosen { "true" } else { "false" });
                number(f64::from(u8::from(chosen)));
            }
            Kind::Split(parity) => {
                let value = chance % 50 + if u64::from(entry.visit.patient) % 2 == parity { 50 } else { 0 };
                write!(line, "{value}").expect("a string takes everything");
                number(value as f64);
            }
            Kind::Number { mean, spread, log, decimals } => {
                let noise = (unit(26, subject) + unit(27, subject) + unit(28, subject) + unit(29, subject) - 2.0) * 1.73;
                let value = if log { mean * (noise * 0.8).exp() } else { mean + spread * noise };
                let scale = 10_u64.pow(decimals);
                let scaled = (value.max(0.0) * scale as f64).round() as u64;
                match decimals {
                    0 => write!(line, "{scaled}"),
                    _ => write!(line, "{}.{:0width$}", scaled / scale, scaled % scale, width = decimals as usize),
                }
                .expect("a string takes everything");
                number(scaled as f64 / scale as f64);
            }
            Kind::Text => {
                let text = self.text(subject);
                write!(line, "\"{text}\"").expect("a string takes everything");
                if projected {
                    let (patient, id, field) = (entry.visit.patient, entry.id, field.id);
                    rows.texts.extend_from_slice(format!("{patient}\t{id}\t{field}\t{}\n", domain::fold::fold(&text)).as_bytes());
                }
            }
            Kind::Set => {
                let most = rank(chance, field.items.len());
                let items = [Some(most), (chance % 10 < 4).then_some((most + 3) % 8), (chance % 10 < 1).then_some((most + 5) % 8)];
                line.push('[');
                for (place, item) in items.into_iter().flatten().enumerate() {
                    let item = field.items[item];
                    write!(line, "{}{item}", if place == 0 { "" } else { "," }).expect("a string takes everything");
                    number(item as f64);
                }
                line.push(']');
            }
            Kind::Date => {
                let day = 7_305 + chance % 13_000;
                write!(line, "\"{}\"", self.days[day as usize]).expect("a string takes everything");
                number(day as f64);
            }
        }
    }

    /// Three to nine words; one text in 28 tells of a yellow spot, one in 200,000 of something very rare.
    fn text(&self, subject: u64) -> String {
        let mut text = String::new();
        for word in 0..3 + throw(30, subject) % 6 {
            if word > 0 {
                text.push(' ');
            }
            text.push_str(&self.words[rank(throw(31 + word, subject), self.words.len())]);
        }
        if throw(40, subject).is_multiple_of(28) {
            text.push_str(" Žuta mrlja");
        }
        if throw(41, subject).is_multiple_of(200_000) {
            text.push_str(" hemofagocitoza");
        }
        text
    }
}

/// A row of `value_num` in COPY's binary format.
fn number_row(entry: &Entry, field: &Field, value: f64, rows: &mut Vec<u8>) {
    rows.extend_from_slice(&6_i16.to_be_bytes());
    for column in [i64::from(entry.visit.patient).to_be_bytes(), entry.id.to_be_bytes(), value.to_be_bytes()] {
        rows.extend_from_slice(&8_i32.to_be_bytes());
        rows.extend_from_slice(&column);
    }
    rows.extend_from_slice(&4_i32.to_be_bytes());
    rows.extend_from_slice(&(entry.visit.day - PG_EPOCH).to_be_bytes());
    for column in [field.id, entry.institution] {
        rows.extend_from_slice(&8_i32.to_be_bytes());
        rows.extend_from_slice(&column.to_be_bytes());
    }
}
