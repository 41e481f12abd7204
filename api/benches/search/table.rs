//! The printed table: a line an operation and size, with its goal, and how its pages grow from the small size to the large.

use std::{collections::BTreeMap, time::Duration};

use crate::{cases::Goal, measure::Cost, rules::RunCost};

#[derive(Default)]
pub struct Table {
    small: BTreeMap<String, i64>,
    over: Vec<String>,
    slow: Vec<String>,
    pub rules: Option<RunCost>,
}

/// One measured operation.
pub struct Line<'a> {
    pub name: &'a str,
    pub what: &'a str,
    /// The place of its size: 0 small, 1 large.
    pub size: usize,
    pub cost: Cost,
    pub goal: Option<Goal>,
    /// Most bytes of log.
    pub wal: Option<i64>,
    /// Rows found, or what else there is to say.
    pub note: String,
}

impl Table {
    pub fn head(&self, size: &str, patients: u64, trip: Duration) {
        println!("\n{size}: {patients} patients; to the server and back takes {:.2} ms", trip.as_secs_f64() * 1e3);
        println!("{:<45}{:>9}{:>9}{:>9} {:<6}{:>8}{:>7}{:>7}  rows", "", "buffers", "goal", "WAL kB", "", "ms", "x PK", "goal");
    }

    /// Prints the line and remembers what is over its goal.
    pub fn line(&mut self, line: &Line) {
        let Line { name, what, size, cost, goal, wal, note } = line;
        let (buffers, written) = (cost.pages.buffers, cost.pages.wal);
        let over = goal.is_some_and(|goal| buffers > goal.buffers[*size]) || wal.is_some_and(|most| written > most);
        if over {
            self.over.push(format!("{name} ({}): {buffers} buffers, {} kB of log", ["S", "L"][*size], written / 1_000));
        }
        let ratio = cost.median.as_secs_f64() / cost.floor.as_secs_f64();
        let slow = goal.filter(|goal| ratio > goal.ratio[*size]);
        if let Some(goal) = slow {
            self.slow.push(format!("{name} ({}): {ratio:.1} times a fetch, goal {}", ["S", "L"][*size], goal.ratio[*size]));
        }
        let verdict = if over { "OVER" } else { "ok" };
        println!(
            "{name:<5}{what:<40}{buffers:>9}{:>9}{:>9.1} {:<6}{:>8.1}{ratio:>7.1}{:>7} {:<4} {note}",
            goal.map_or(String::new(), |goal| goal.buffers[*size].to_string()),
            written as f64 / 1e3,
            if goal.is_some() || wal.is_some() { verdict } else { "" },
            cost.median.as_secs_f64() * 1e3,
            goal.map_or(String::new(), |goal| goal.ratio[*size].to_string()),
            if slow.is_some() { "slow" } else { "" },
        );
        if *size == 0 {
            self.small.insert((*name).to_owned(), buffers);
        } else if let (Some(small), Some(goal)) = (self.small.get(*name), goal) {
            let exponent = (buffers as f64 / (*small).max(1) as f64).log10();
            // What costs no more than the small size may cost needs no bound of its growth.
            let over = exponent > goal.exponent && buffers > goal.buffers[0];
            println!(
                "{:<45}{:>9} growth exponent, goal {:.2}{}",
                "",
                format!("{exponent:.2}"),
                goal.exponent,
                if over { "  OVER" } else { "" }
            );
            if over {
                self.over.push(format!("{name}: pages grow with exponent {exponent:.2}"));
            }
        }
    }

    /// Remembers a goal of pages, memory or an end that was not met.
    pub fn over(&mut self, what: String) {
        self.over.push(what);
    }

    /// Remembers a goal of time that was not met.
    pub fn slow(&mut self, what: String) {
        self.slow.push(what);
    }

    /// Says what is over its goal; true where no pages are. Times are not judged on a machine that others use too.
    pub fn close(self) -> bool {
        println!();
        for over in &self.over {
            println!("over its goal: {over}");
        }
        for slow in &self.slow {
            println!("slower than its goal: {slow}");
        }
        match (self.over.is_empty(), self.slow.is_empty()) {
            (true, true) => println!("Every goal is met."),
            (true, false) => println!("Every goal of pages and their growth is met, not every one of time."),
            _ => {}
        }
        self.over.is_empty()
    }
}
