//! What is measured at one size: searches, loads, saves, the monthly report, "all" results, and searches beside writers.

use std::{
    process::Command,
    sync::Arc,
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
    time::{Duration, Instant},
};

use anyhow::{Context, anyhow, ensure};
use clinical::patients::search::{
    self, PreparedSearch,
    criteria::{EntryScope, SearchRequest},
    run,
};
use domain::{
    db,
    report_sql::{Bind, Binds, ReportDb, Scope},
};
use serde_json::{Value, json};
use sqlx::PgPool;

use crate::{
    calls::{Caller, own_entries},
    cases::{self, Case, Goal},
    measure::{COUNTED, Cost, Floor, WARMING, cost},
    rules,
    store::{Size, Store, prove},
    table::{Line, Table},
};

const REPETITIONS: usize = 15;
const EDITS: usize = 10;
/// The save form is the last of the layout.
const SAVE_FORM: usize = 4;
const WRITERS: u64 = 4;
const WRITING: Duration = Duration::from_secs(6);

/// An entry comes with its visit, its state and whether it is locked.
const LOAD: Goal = Goal { buffers: [16, 16], ratio: [2.0, 2.0], exponent: 0.25 };
const DISPLAY: Goal = Goal { buffers: [120, 120], ratio: [20.0, 20.0], exponent: 0.25 };
/// A save keeps its visit and the plan of the patient, too.
const SAVE: Goal = Goal { buffers: [1_200, 1_200], ratio: [30.0, 30.0], exponent: 0.25 };
/// Who is awaited: a page, its count, and the record of the look at everybody on it.
const AWAITED: Goal = Goal { buffers: [25_000, 25_000], ratio: [200.0, 200.0], exponent: 0.75 };
const REPORT: Goal = Goal { buffers: [500, 5_000], ratio: [200.0, 2_000.0], exponent: 1.05 };
/// All patients whom the institution knows are looked up first: an index entry of each of its entries.
const SCOPED: Goal = Goal { buffers: [1_000, 10_000], ratio: [400.0, 4_000.0], exponent: 1.05 };
const REWRITE: Goal = SAVE;
const SAVE_WAL: i64 = 45_000;
const EDIT_WAL: i64 = 20_000;
const REWRITE_WAL: i64 = 50_000;

const MONTHLY: &str = "select date_trunc('month', b.datum_unosa)::date as mesec, b.ustanova_id, sum(b.vrednost)::numeric as zbir, count(*) as broj,
       array_agg(distinct b.pacijent_id) as grupa_pacijenata
  from report.broj b join report.tip_unosa t on t.id = b.tip_unosa_id join report.registar r on r.id = t.registar_id and r.sifra = 'a'
 where b.sifra = 'n0' and b.tip_unosa_id = :tip::bigint and b.datum_unosa >= :od::date and b.datum_unosa <= :do::date group by 1, 2 order by 1, 2";

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// One size, with what every operation needs.
struct Bench<'a> {
    store: &'a Store,
    app: PgPool,
    place: usize,
    floor: Floor,
    /// To the server and back.
    trip: Duration,
    only: Option<&'a str>,
}

pub async fn measure(store: &Store, size: Size, place: usize, only: Option<&str>, table: &mut Table) -> anyhow::Result<()> {
    let app = db::pool(&store.app_url, "regix-bench", 2).await?;
    let floor = Floor::new(&app, size.patients);
    let trip = floor.trip().await?;
    table.head(size.name, size.patients, trip);
    let bench = Bench { store, app, place, floor, trip, only };
    bench.searches(table).await?;
    bench.loads(table).await?;
    bench.visits(table).await?;
    bench.reports(table).await?;
    bench.saves(table).await?;
    bench.all_results()?;
    bench.writers().await?;
    if bench.wanted("K1") {
        table.rules = Some(rules::measure(store, size.name, table.rules, table).await?);
    }
    bench.app.close().await;
    Ok(())
}

impl Bench<'_> {
    fn wanted(&self, name: &str) -> bool {
        self.only.is_none_or(|only| name.starts_with(only))
    }

    fn line(&self, table: &mut Table, (name, what): (&str, &str), cost: Cost, goal: Goal, wal: Option<i64>, note: impl ToString) {
        let line = Line { name, what, size: self.place, cost, goal: Some(goal), wal, note: note.to_string() };
        table.line(&line);
    }

    /// A part of a call as if its statements were sent alone.
    fn sent(&self, part: Cost) -> Cost {
        Cost { median: part.median + self.trip * part.pages.statements as u32, ..part }
    }

    async fn searches(&self, table: &mut Table) -> anyhow::Result<()> {
        let jmbg: String = sqlx::query_scalar(
            "select p.jmbg from patient p join patient_register r on r.pacijent_id = p.id and r.registar_id = $1
              where p.aktivan and p.ustanova_id = $2 order by p.id offset 1000 limit 1",
        )
        .bind(self.store.layout.registers[0])
        .bind(self.store.layout.institutions[0])
        .fetch_one(&self.store.owner)
        .await?;
        for case in cases::all(&self.store.layout, &jmbg) {
            if self.wanted(case.name) {
                let (rows, whole, statement) =
                    cost(&self.store.owner, &self.floor, REPETITIONS, "select hit.%", || self.search(&case)).await.context(case.name)?;
                if case.name.starts_with('J') {
                    let note = format!("{rows}; the whole search {} in {:.1} ms", whole.pages.buffers, ms(whole.median));
                    self.line(table, (case.name, case.what), self.sent(statement), case.goal, None, note);
                    self.people(table, &case).await?;
                } else {
                    self.line(table, (case.name, case.what), whole, case.goal, None, rows);
                }
            }
        }
        Ok(())
    }

    /// The people alone whom the digits of a search find, whatever their registers.
    async fn people(&self, table: &mut Table, case: &Case) -> anyhow::Result<()> {
        let prepared = self.prepared(case).await?;
        let (found, _, count) = cost(&self.store.owner, &self.floor, REPETITIONS, "select count(*) from (select from patient%", || async {
            Ok(prepared.search.count_fixed(1_000).build_query_scalar::<i64>().fetch_one(&self.app).await?)
        })
        .await?;
        let what = format!("{}: the people alone", case.what);
        self.line(table, (&format!("{}p", case.name), &what), self.sent(count), cases::LOOK_UP, None, found);
        Ok(())
    }

    /// The search as the call makes it, without HTTP; gives the number of rows.
    async fn search(&self, case: &Case) -> anyhow::Result<String> {
        let prepared = self.prepared(case).await?;
        let found =
            run::find(&self.app, &prepared.search, prepared.limit.context("a limit")?).await.map_err(|error| anyhow!("{error:?}"))?;
        Ok(format!("{}{}", found.hits.len(), if found.more { "+" } else { "" }))
    }

    async fn prepared(&self, case: &Case) -> anyhow::Result<PreparedSearch> {
        let mut request = case.request.clone();
        request["registarID"] = json!(self.store.layout.registers[0]);
        let request: SearchRequest = serde_json::from_value(request)?;
        let ustanova = self.store.layout.institutions[case.institution];
        let mut prepared = search::prepare(&self.app, Some(ustanova), &request).await.map_err(|error| anyhow!("{error:?}"))?;
        prepared.search.scope = if case.latest_only { EntryScope::NajnovijiUnos } else { EntryScope::BiloKojiUnos };
        prepared.search.blur &= !case.open;
        Ok(prepared)
    }

    async fn loads(&self, table: &mut Table) -> anyhow::Result<()> {
        if !self.wanted("E1") {
            return Ok(());
        }
        let caller = Caller::new(self.store, 0).await?;
        let (form, ustanova) = (&self.store.layout.forms[0], self.store.layout.institutions[0]);
        let entries = own_entries(&self.store.owner, ustanova, form.id, 200).await?;
        let turn = AtomicU64::new(0);
        let next = || entries[turn.fetch_add(1, Ordering::Relaxed) as usize % entries.len()];
        let (_, shown, load) =
            cost(&self.store.owner, &self.floor, 20, "%from entry e join worker c%", || caller.display(next().1)).await?;
        self.line(table, ("E1", "entry load: its statement"), self.sent(load), LOAD, None, "");
        self.line(table, ("E2", "entry load: the whole call"), shown, DISPLAY, None, format!("{} statements", shown.pages.statements));
        let (_, record, _) = cost(&self.store.owner, &self.floor, 20, "%", || {
            let path = format!("/api/patients/{}", next().0);
            let caller = &caller;
            async move { caller.json("GET", &path, None).await }
        })
        .await?;
        self.line(table, ("E3", "patient load: the whole call"), record, DISPLAY, None, "");
        Ok(())
    }

    /// Of the institution and of its doctor: the first page, one far behind it, the counts, the calendar.
    async fn visits(&self, table: &mut Table) -> anyhow::Result<()> {
        if self.only.is_some_and(|only| !only.starts_with('V')) {
            return Ok(());
        }
        let caller = Caller::new(self.store, 0).await?;
        let doctor = self.store.layout.doctors[0];
        let mut far = "/api/planned-visits?vrsta=kasni".to_owned();
        for _ in 0..15 {
            let page = caller.json("GET", &far, None).await?;
            let Some(next) = page["sledece"].as_object() else { break };
            far = format!("/api/planned-visits?vrsta=kasni&posleDan={}&posleID={}", next["dan"].as_str().unwrap_or_default(), next["id"]);
        }
        for (name, what, path) in [
            ("V1", "who is late: the first page", "/api/planned-visits?vrsta=kasni".to_owned()),
            ("V2", "who is late: a page far behind", far),
            ("V3", "who is late: a doctor's", format!("/api/planned-visits?vrsta=kasni&radnikID={doctor}")),
            ("V4", "whose window is open", "/api/planned-visits?vrsta=otvorene".to_owned()),
            ("V5", "my day", "/api/my-day".to_owned()),
        ] {
            if self.wanted(name) {
                let (answer, whole, _) = cost(&self.store.owner, &self.floor, REPETITIONS, "%", || {
                    let (caller, path) = (&caller, path.as_str());
                    async move { caller.json("GET", path, None).await }
                })
                .await?;
                self.line(table, (name, what), whole, AWAITED, None, answer["ukupno"].as_i64().unwrap_or_default());
            }
        }
        Ok(())
    }

    async fn reports(&self, table: &mut Table) -> anyhow::Result<()> {
        let reports = ReportDb::new(self.app.clone(), &self.store.report_url, 2)?;
        let binds = Binds::from([
            ("tip".to_owned(), Bind::Text(Some(self.store.layout.forms[0].id.to_string()))),
            ("od".to_owned(), Bind::Text(Some("2025-10-01".to_owned()))),
            ("do".to_owned(), Bind::Text(Some("2026-09-30".to_owned()))),
        ]);
        for (name, what, ustanova_id, goal) in [
            ("R1", "monthly report, 12 months, all", None, REPORT),
            ("R2", "monthly report, scope of an institution", Some(self.store.layout.institutions[1]), SCOPED),
        ] {
            if self.wanted(name) {
                let scope = Scope { run: None, radnik_id: self.store.layout.doctors[0], ustanova_id };
                let (rows, cost, fetches) = cost(&self.store.owner, &self.floor, 3, "fetch forward%", || async {
                    Ok(reports.small(scope, MONTHLY, &binds, Duration::from_secs(120), 1_000).await?.rows.len())
                })
                .await?;
                // The cursor's fetches; a report's connection is new, and planning on it reads the catalogue.
                let whole = format!("{rows}; the whole call {} in {:.1} ms", cost.pages.buffers, ms(cost.median));
                self.line(table, (name, what), self.sent(fetches), goal, None, whole);
            }
        }
        Ok(())
    }

    async fn saves(&self, table: &mut Table) -> anyhow::Result<()> {
        if !self.wanted("S1") {
            return Ok(());
        }
        let caller = Caller::new(self.store, 0).await?;
        let form = &self.store.layout.forms[SAVE_FORM];
        let ustanova = self.store.layout.institutions[0];
        let patients = own_entries(&self.store.owner, ustanova, self.store.layout.forms[0].id, 400).await?;
        let chance = AtomicU64::new(u64::from(std::process::id()) << 20);
        let next = || chance.fetch_add(1, Ordering::Relaxed);
        let patient = |chance: u64| patients[chance as usize % patients.len()].0;
        let (made, new, insert) = cost(&self.store.owner, &self.floor, 20, "insert into entry (%", || {
            let chance = next();
            caller.create(form, patient(chance), chance)
        })
        .await?;
        let whole = format!("the whole call {} in {} statements and {:.1} ms", new.pages.buffers, new.pages.statements, ms(new.median));
        self.line(table, ("S1", "save 60 values, new"), self.sent(insert), SAVE, Some(SAVE_WAL), whole);
        ensure!(made["verzija"] == 1, "a new entry has version 1: {made}");
        for (name, what, changed, goal, wal) in
            [("S2", "save, 6 values changed", 6, SAVE, EDIT_WAL), ("S3", "save, 44 values changed", 44, REWRITE, REWRITE_WAL)]
        {
            let mut prepared = Vec::new();
            for _ in 0..EDITS + COUNTED + WARMING {
                let chance = next();
                let made = caller.create(form, patient(chance), chance).await?;
                let entry = made["snimljenUnosID"].as_i64().context("an id")?;
                prepared.push((entry, patient(chance), caller.display(entry).await?));
            }
            let turn = AtomicU64::new(0);
            let (_, edited, update) = cost(&self.store.owner, &self.floor, EDITS, "update entry %", || {
                let (entry, patient, shown) = &prepared[turn.fetch_add(1, Ordering::Relaxed) as usize];
                caller.edit_shown(form, shown, *entry, *patient, changed, next())
            })
            .await?;
            let whole = format!("the whole call {} in {:.1} ms", edited.pages.buffers, ms(edited.median));
            self.line(table, (name, what), self.sent(update), goal, Some(wal), whole);
        }
        Ok(())
    }

    /// Runs the "all" search in a process of its own, so that its memory is its own.
    fn all_results(&self) -> anyhow::Result<()> {
        if self.wanted("A1") {
            let program = std::env::current_exe()?;
            let done = Command::new(program).args(["--all-of", &self.place.to_string()]).status()?;
            ensure!(done.success(), "the search of all results failed");
        }
        Ok(())
    }

    /// Searches alone, then beside writers who also meet on the same patients; then what they wrote is compared with what the
    /// triggers make of it anew.
    async fn writers(&self) -> anyhow::Result<()> {
        if !self.wanted("W1") {
            return Ok(());
        }
        let cases = cases::all(&self.store.layout, "0101990710006");
        let searched: Vec<&Case> = cases.iter().filter(|case| ["Q2", "Q3", "Q6", "Q9"].contains(&case.name)).collect();
        let alone = self.searched(&searched).await?;
        let (done, saves) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
        let patients = own_entries(&self.store.owner, self.store.layout.institutions[0], self.store.layout.forms[0].id, 200).await?;
        let mut writers = Vec::new();
        for writer in 0..WRITERS {
            let (caller, form) = (Caller::new(self.store, 0).await?, self.store.layout.forms[SAVE_FORM].clone());
            let (done, saves, patients) = (done.clone(), saves.clone(), patients.clone());
            writers.push(tokio::spawn(async move {
                let mut chance = u64::from(std::process::id()) << 24 | writer << 20;
                while !done.load(Ordering::Relaxed) {
                    chance += 1;
                    // Every second save meets the other writers' on the same few patients.
                    let place = if chance.is_multiple_of(2) { chance % 3 } else { chance % patients.len() as u64 };
                    let patient = patients[place as usize].0;
                    let made = caller.create(&form, patient, chance).await?;
                    let entry = made["snimljenUnosID"].as_i64().context("an id")?;
                    caller.edit(&form, entry, patient, 6, chance + 1).await?;
                    saves.fetch_add(2, Ordering::Relaxed);
                }
                anyhow::Ok(())
            }));
        }
        let started = Instant::now();
        let mut beside = Vec::new();
        while started.elapsed() < WRITING {
            beside.extend(self.searched(&searched).await?);
        }
        let rate = saves.load(Ordering::Relaxed) as f64 / started.elapsed().as_secs_f64();
        done.store(true, Ordering::Relaxed);
        for writer in writers {
            writer.await??;
        }
        let (before, after) = (median(alone), median(beside));
        println!(
            "W1   {WRITERS} writers, {rate:.0} saves a second; a search takes {:.1} ms in the median, alone {:.1} ms",
            after.as_secs_f64() * 1e3,
            before.as_secs_f64() * 1e3
        );
        prove(&self.store.owner).await
    }

    async fn searched(&self, cases: &[&Case]) -> anyhow::Result<Vec<Duration>> {
        let mut times = Vec::new();
        for case in cases {
            let started = Instant::now();
            self.search(case).await?;
            times.push(started.elapsed());
        }
        Ok(times)
    }
}

pub fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// Asks for all results through HTTP and prints what it took in time and memory of this process.
pub async fn all_alone(store: &Store) -> anyhow::Result<()> {
    let caller = Caller::new(store, 0).await?;
    let register = store.layout.registers[0];
    let field = store.layout.forms[0].field("c2").id;
    let ask = |rows: Value, all: bool| json!({ "registarID": register, "redPretrage": rows, "sviRezultati": all });
    caller.receive("/api/search", &ask(json!([]), false)).await?;
    for (name, what, rows) in [
        ("A1", "all patients", json!([])),
        ("A2", "all with a common choice", json!([{ "poljeID": field, "operator": "izabrano", "vrednost": "1" }])),
    ] {
        std::fs::write("/proc/self/clear_refs", "5").context("the peak of the memory is set back")?;
        let before = resident(std::process::id(), "VmRSS")?;
        let got = caller.receive("/api/search", &ask(rows, true)).await?;
        println!(
            "{name:<5}{what:<40}{:>9.1} MB in {:.1} s, the first byte after {:.1} s; memory grows by {:.0} MiB",
            got.bytes as f64 / 1e6,
            got.whole.as_secs_f64(),
            got.first.as_secs_f64(),
            resident(std::process::id(), "VmHWM")? - before
        );
    }
    Ok(())
}

/// A line of a process's memory, in MiB.
pub fn resident(process: u32, line: &str) -> anyhow::Result<f64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status"))?;
    let kilobytes = status.lines().find_map(|text| text.strip_prefix(line)?.strip_prefix(':')?.trim().strip_suffix(" kB"));
    Ok(kilobytes.context("the process knows its memory")?.trim().parse::<f64>()? / 1024.0)
}
