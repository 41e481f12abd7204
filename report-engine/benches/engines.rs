//! `./dev bench engines`: how many more runs end in the same time with two and with four engines.
//!
//! Of *waiting* runs each sits half a second in the database, as a report does whose query is the work: engines add up. Of *drawing* runs
//! each makes a PDF of 10,000 rows, which keeps a processor busy: engines add up to the processors that there are. The program fails where
//! engines do not add up for the first kind, or take from each other for the second.

use std::process::ExitCode;
use std::time::Instant;

use crate::world::{Report, World, eventually};

#[allow(dead_code, unused_imports, reason = "the tests' world, of which a measurement needs little")]
#[path = "../tests/engine/world/mod.rs"]
mod world;

/// A kind of runs: its query and template, how many there are, and the least that four engines may do of what one does.
struct Kind {
    name: &'static str,
    report: Report<'static>,
    runs: usize,
    format: &'static str,
    least: f64,
}

const ENGINES: [usize; 3] = [1, 2, 4];

fn kinds() -> [Kind; 2] {
    let drawing = "select 'Odeljenje ' || g / 50 as a, 'Adalimumab 40 mg' as b, g as c from generate_series(1, 10000) g";
    let table = r#"{{#report}}{{col "a" head="A"}}{{col "b" head="B"}}{{col "c" head="C" foot="sum"}}{{/report}}"#;
    [
        Kind {
            name: "waiting",
            report: Report { sql: "select pg_sleep(0.5)::text as a", ..Report::default() },
            runs: 64,
            format: "CSV",
            least: 2.5,
        },
        Kind {
            name: "drawing",
            report: Report { sql: drawing, template: table, ..Report::default() },
            runs: 64,
            format: "PDF",
            least: 0.8,
        },
    ]
}

/// Seconds from the first call to the last end.
async fn seconds(kind: &Kind, engines: usize) -> f64 {
    let world = World::new().await;
    let report = Report { sql: kind.report.sql, template: kind.report.template, ..Report::default() };
    let report = world.report("mera", report).await;
    let running: Vec<_> = (0..engines).map(|_| world.engine(&[])).collect();
    let engines_there = format!("select ({engines} = (select count(*) from process where kind = 'report-engine'))::int::bigint");
    eventually("the engines have told that they are there", async || (world.count(&engines_there).await == 1).then_some(())).await;
    let began = Instant::now();
    for _ in 0..kind.runs {
        let mut run = world.new_run(report);
        run.formati = vec![kind.format.to_owned()];
        world.ask(run).await;
    }
    let ended = "select count(*) from report_run where status = 'succeeded'";
    eventually("all runs succeed", async || (world.count(ended).await == kind.runs as i64).then_some(())).await;
    let took = began.elapsed().as_secs_f64();
    drop(running);
    took
}

#[tokio::main]
async fn main() -> ExitCode {
    let mut is_good = true;
    println!("{:<10}{:>9}{:>8}{:>9}{:>12}{:>8}", "runs", "engines", "count", "s", "runs a s", "ratio");
    for kind in kinds() {
        let mut alone = 0.0;
        for engines in ENGINES {
            let took = seconds(&kind, engines).await;
            let rate = kind.runs as f64 / took;
            if engines == 1 {
                alone = rate;
            }
            let ratio = rate / alone;
            println!("{:<10}{engines:>9}{:>8}{took:>9.2}{rate:>12.2}{ratio:>8.2}", kind.name, kind.runs);
            if engines == ENGINES[ENGINES.len() - 1] && ratio < kind.least {
                println!("  {}: {ratio:.2} is less than {}", kind.name, kind.least);
                is_good = false;
            }
        }
    }
    if is_good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
