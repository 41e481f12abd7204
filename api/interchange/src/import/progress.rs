//! Progress of a long command: a bar where a person watches a terminal, plain lines where the output is a file or a pipe.

use std::{
    io::IsTerminal,
    sync::{Arc, Mutex},
};

use indicatif::{ProgressBar, ProgressStyle};

/// Plain output says how far it is this many times a step.
const PLAIN_LINES: u64 = 4;

pub enum Progress {
    Bar(ProgressBar),
    Lines {
        name: String,
        total: u64,
        done: u64,
    },
    /// For who looks from elsewhere.
    Told(Arc<Mutex<Far>>),
    Silent,
}

/// How far an import is.
#[derive(Clone, Default, Debug)]
pub struct Far {
    pub step: String,
    pub done: u64,
    pub total: u64,
}

impl Progress {
    /// Begins a step of `total` parts on standard error.
    pub fn begin(&mut self, name: &str, total: usize) {
        let total = total as u64;
        match self {
            Self::Silent => {}
            Self::Told(far) => {
                *far.lock().expect("nobody panics who holds it") = Far { step: name.to_owned(), done: 0, total };
            }
            Self::Lines { .. } if total == 0 => {}
            Self::Bar(bar) => {
                bar.finish_and_clear();
                *bar = ProgressBar::new(total).with_message(name.to_owned());
                bar.set_style(ProgressStyle::with_template("{msg:28} [{bar:40}] {pos}/{len} {eta}").expect("the template is right"));
            }
            Self::Lines { name: current, total: all, done } => {
                (*current, *all, *done) = (name.to_owned(), total, 0);
                eprintln!("{name}: {total}");
            }
        }
    }

    /// One part of the step is done.
    pub fn step(&mut self) {
        self.advance(1);
    }

    pub fn advance(&mut self, parts: usize) {
        match self {
            Self::Silent => {}
            Self::Told(far) => far.lock().expect("nobody panics who holds it").done += parts as u64,
            Self::Bar(bar) => bar.inc(parts as u64),
            Self::Lines { name, total, done } => {
                let before = *done * PLAIN_LINES / (*total).max(1);
                *done += parts as u64;
                let now = *done * PLAIN_LINES / (*total).max(1);
                if now > before && *total >= 1000 {
                    eprintln!("{name}: {done}/{total}");
                }
            }
        }
    }

    pub fn finish(&mut self) {
        if let Self::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}

/// The bar or the lines, as standard error asks for.
pub fn watched() -> Progress {
    if std::io::stderr().is_terminal() {
        Progress::Bar(ProgressBar::hidden())
    } else {
        Progress::Lines { name: String::new(), total: 0, done: 0 }
    }
}
