//! A run of ten quality rules over every patient of a register, by an engine as it is: what a patient costs at its beginning and at its end,
//! what memory the engine takes, how the site's calls fare meanwhile, and how soon a run that is cancelled stops.

use std::{
    path::PathBuf,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use anyhow::{Context, ensure};
use domain::{db, environment};
use serde_json::json;
use sqlx::PgPool;

use crate::{
    calls::{Caller, own_entries},
    operations::{median, resident},
    store::Store,
    table::Table,
};

const RULES: &str = "
    insert into quality_rule (registar_id, form_id, naziv, vrsta, polje_id, drugo_polje_id, donja_granica, gornja_granica, razlika, dana, formula)
    select f.registar_id, f.id, 'Pravilo ' || r.broj, r.vrsta, a.id, b.id, r.donja, r.gornja, r.razlika, r.dana, r.formula
      from form f
     cross join (values (1, 'relevantno', null, null, null, null, null, null, null),
                        (2, 'granice', 'n0', null, null, 8, null, null, null), (3, 'granice', 'n6', null, 15, null, null, null, null),
                        (4, 'skok', 'n0', null, null, null, 5, 400, null), (5, 'jedinica', 'n6', null, null, null, null, null, null),
                        (6, 'posleDanas', null, null, null, null, null, null, null), (7, 'preRodjenja', null, null, null, null, null, null, null),
                        (8, 'istiDan', null, null, null, null, null, null, null),
                        (9, 'formula', 'n0', null, null, null, null, null, '$(n0) - $(n6) > 1'),
                        (10, 'formula', 'n0', null, null, null, null, null, '$(n0) > 2 * prethodno($(n0))'))
           r (broj, vrsta, polje, drugo, donja, gornja, razlika, dana, formula)
      left join form_field a on a.tip_skupa_atributa_id = f.id and a.sifra = r.polje
      left join form_field b on b.tip_skupa_atributa_id = f.id and b.sifra = r.drugo
     where f.id = $1";
/// What a run has left, and the rules.
const CLEANING: [&str; 5] = [
    "set local session_replication_role = replica",
    "delete from quality_finding",
    "delete from quality_due",
    "delete from quality_run",
    "delete from quality_rule",
];
/// Calls are made so long beside a run.
const BESIDE: Duration = Duration::from_secs(8);
/// More memory than at the small size, in MiB.
const GROWTH: f64 = 16.0;
const CANCELLED: Duration = Duration::from_secs(1);
/// Pages of a patient at the end of a run, as a ratio to those at its beginning; and at the large size, to those at the small one.
const LINEAR: f64 = 1.25;

/// What the large size is compared with.
#[derive(Clone, Copy)]
pub struct RunCost {
    pages: f64,
    memory: f64,
}

struct Engine {
    child: Child,
    _folder: tempfile::TempDir,
}

impl Engine {
    /// The program that was built beside this one.
    fn start(store: &Store) -> anyhow::Result<Self> {
        let program: PathBuf = std::env::current_exe()?.ancestors().nth(2).context("a folder of programs")?.join("report-engine");
        ensure!(program.exists(), "{} is not built", program.display());
        let folder = tempfile::tempdir()?;
        let child = Command::new(program)
            .env_clear()
            .envs([
                ("DATABASE_URL", store.app_url.clone()),
                ("REPORT_DATABASE_URL", store.report_url.clone()),
                ("REDIS_URL", environment::required("TEST_REDIS_URL")?),
                ("SMTP_URL", "smtp://127.0.0.1:9".to_owned()),
                ("MAIL_FROM", "Regix <regix@bolnica.test>".to_owned()),
                ("PUBLIC_URL", "https://regix.test".to_owned()),
                ("ARTIFACT_DIR", folder.path().display().to_string()),
                ("TEMPLATE_DIR", concat!(env!("CARGO_MANIFEST_DIR"), "/../templates").to_owned()),
                ("RUST_LOG", "warn".to_owned()),
            ])
            .stdout(Stdio::null())
            .spawn()?;
        Ok(Self { child, _folder: folder })
    }

    fn peak_memory(&self) -> anyhow::Result<f64> {
        resident(self.child.id(), "VmHWM")
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// How far a run is.
struct Stage {
    at: Instant,
    patients: i64,
    pages: i64,
}

async fn execute(owner: &PgPool, statements: &[&'static str]) -> anyhow::Result<()> {
    let mut tx = db::begin(owner, db::SYSTEM_WORKER).await?;
    for statement in statements {
        sqlx::query(*statement).execute(&mut *tx).await.context(*statement)?;
    }
    Ok(tx.commit().await?)
}

async fn order(owner: &PgPool, register: i64) -> anyhow::Result<i64> {
    let mut tx = db::begin(owner, db::SYSTEM_WORKER).await?;
    let run = sqlx::query_scalar("select order_quality_run($1)").bind(register).fetch_one(&mut *tx).await?;
    tx.commit().await?;
    Ok(run)
}

/// Waits until the run has looked at so many patients, or has ended.
async fn until(owner: &PgPool, run: i64, many: i64) -> anyhow::Result<Stage> {
    loop {
        let (patients, status): (i64, String) =
            sqlx::query_as("select pregledano, status from quality_run where id = $1").bind(run).fetch_one(owner).await?;
        ensure!(["queued", "running", "done"].contains(&status.as_str()), "the run is {status}");
        if patients >= many || status == "done" {
            let pages = sqlx::query_scalar(
                "select coalesce(sum(shared_blks_hit + shared_blks_read), 0)::bigint from pg_stat_statements
                  where dbid = (select oid from pg_database where datname = current_database()) and userid = 'regix_app'::regrole",
            )
            .fetch_one(owner)
            .await?;
            return Ok(Stage { at: Instant::now(), patients, pages });
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Pages of a patient between two moments.
fn pages(from: &Stage, to: &Stage) -> f64 {
    (to.pages - from.pages) as f64 / (to.patients - from.patients).max(1) as f64
}

/// The site's calls for so long: an entry opened, the newest patients searched for, an entry saved. Gives the median of each.
async fn calls(store: &Store, caller: &Caller, lasting: Duration, seed: u64) -> anyhow::Result<[Duration; 3]> {
    let form = &store.layout.forms[0];
    let entries = own_entries(&store.owner, store.layout.institutions[0], form.id, 200).await?;
    let search = json!({ "registarID": store.layout.registers[0], "redPretrage": [] });
    let (started, mut times) = (Instant::now(), [Vec::new(), Vec::new(), Vec::new()]);
    for turn in seed.. {
        if started.elapsed() > lasting {
            break;
        }
        let (patient, entry) = entries[turn as usize % entries.len()];
        let at = Instant::now();
        caller.display(entry).await?;
        times[0].push(at.elapsed());
        let at = Instant::now();
        caller.receive("/api/search", &search).await?;
        times[1].push(at.elapsed());
        let at = Instant::now();
        caller.create(&store.layout.forms[4], patient, turn).await?;
        times[2].push(at.elapsed());
    }
    Ok(times.map(median))
}

/// Measures two runs: one alone from its beginning to its end, and one with calls beside it that is cancelled.
pub async fn measure(store: &Store, size: &str, before: Option<RunCost>, table: &mut Table) -> anyhow::Result<RunCost> {
    let owner = &store.owner;
    let caller = Caller::new(store, 0).await?;
    let register = store.layout.registers[0];
    execute(owner, &CLEANING).await?;
    let alone = calls(store, &caller, BESIDE, u64::from(std::process::id()) << 20).await?;
    let mut tx = db::begin(owner, db::SYSTEM_WORKER).await?;
    sqlx::query(RULES).bind(store.layout.forms[0].id).execute(&mut *tx).await?;
    tx.commit().await?;
    execute(owner, &["delete from quality_due"]).await?;

    let engine = Engine::start(store)?;
    sqlx::query("select pg_stat_statements_reset()").execute(owner).await?;
    let run = order(owner, register).await?;
    let many: i64 = sqlx::query_scalar("select ukupno from quality_run where id = $1").bind(run).fetch_one(owner).await?;
    let began = until(owner, run, 1).await?;
    let first = until(owner, run, many / 4).await?;
    let third = until(owner, run, many * 3 / 4).await?;
    let ended = until(owner, run, many).await?;
    let memory = engine.peak_memory()?;
    let (entries, findings): (i64, i64) =
        sqlx::query_as("select unosa, novih from quality_run where id = $1").bind(run).fetch_one(owner).await?;
    while sqlx::query_scalar::<_, bool>("select status <> 'done' from quality_run where id = $1").bind(run).fetch_one(owner).await? {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }

    let run = order(owner, register).await?;
    until(owner, run, 1).await?;
    let beside = calls(store, &caller, BESIDE, u64::from(std::process::id()) << 22).await?;
    let went_on =
        sqlx::query_scalar::<_, bool>("select status = 'running' from quality_run where id = $1").bind(run).fetch_one(owner).await?;
    let mut cancel = None;
    if went_on {
        let mut tx = db::begin(owner, db::SYSTEM_WORKER).await?;
        sqlx::query("update quality_run set cancel_requested_at = clock_timestamp() where id = $1").bind(run).execute(&mut *tx).await?;
        tx.commit().await?;
        let asked = Instant::now();
        while sqlx::query_scalar::<_, bool>("select status = 'running' from quality_run where id = $1").bind(run).fetch_one(owner).await? {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        cancel = Some(asked.elapsed());
    }
    drop(engine);
    execute(owner, &CLEANING).await?;
    sqlx::query("vacuum (analyze) quality_finding").execute(owner).await?;

    let (start, end) = (pages(&began, &first), pages(&third, &ended));
    let whole = RunCost { pages: pages(&began, &ended), memory };
    let seconds = ended.at.duration_since(began.at).as_secs_f64();
    println!(
        "K1   ten rules over {many} patients, {entries} entries, {findings} findings: {seconds:.1} s; pages a patient {:.1}, of the first quarter \
         {start:.1} and of the last {end:.1}; memory of the engine {memory:.0} MiB",
        whole.pages
    );
    let ratio = |place: usize| beside[place].as_secs_f64() / alone[place].as_secs_f64();
    let stopped = cancel
        .map_or("the run had ended before it was cancelled".to_owned(), |after| format!("cancelled after {:.2} s", after.as_secs_f64()));
    println!(
        "K2   beside it an entry is opened in {:.2} times its time, patients are found in {:.2}, an entry is saved in {:.2}; {stopped}",
        ratio(0),
        ratio(1),
        ratio(2)
    );
    if end > start * LINEAR {
        table.over(format!("K1 ({size}): a patient of the last quarter takes {end:.1} pages, of the first {start:.1}"));
    }
    if let Some(before) = before.filter(|before| whole.pages > before.pages * LINEAR) {
        table.over(format!("K1 ({size}): a patient takes {:.1} pages, at the small size {:.1}", whole.pages, before.pages));
    }
    if let Some(before) = before.filter(|before| memory > before.memory + GROWTH) {
        table.over(format!("K1 ({size}): the engine takes {memory:.0} MiB, at the small size {:.0}", before.memory));
    }
    if let Some(after) = cancel.filter(|after| *after > CANCELLED) {
        table.over(format!("K2 ({size}): a run goes on for {:.2} s after it was cancelled", after.as_secs_f64()));
    }
    for (place, what) in ["an entry is opened", "patients are found", "an entry is saved"].into_iter().enumerate() {
        if ratio(place) > 2.0 {
            table.slow(format!("K2 ({size}): {what} in {:.2} times its time beside a run", ratio(place)));
        }
    }
    Ok(whole)
}
