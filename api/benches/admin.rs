//! `./dev bench admin`: the calls of the administration with a large hospital's numbers (10,000 workers, 200,000 rows of the log, a form of
//! 2,000 fields), and in the same run with those of a small one: a hundredth of the workers and rows, a twentieth of the fields. It fails
//! where an answer, or the pages that PostgreSQL touches for it, grows by more than its goal. Times are advice on a shared machine.

#[path = "../tests/it/support/mod.rs"]
#[allow(dead_code, unused_imports, reason = "the measurement needs a part of what the tests do")]
mod support;

use std::{process::ExitCode, time::Instant};

use accounts::rights::Right;
use serde_json::{Value, json};

use crate::support::{Anonymous, TestApp, Worker};

const TURNS: usize = 15;
/// A page of a list is a page, however long the list is.
const SAME: f64 = 1.4;
/// Rows that are counted are read, many on a page of the disk: a hundred times as many are far fewer times the pages.
const COUNTED: f64 = 40.0;
/// The log by a worker or by a text reads at worst all rows of the period, for which a small log takes hardly any pages.
const WHOLE_PERIOD: f64 = 250.0;
/// A list of all fields: with twenty times as many of them, so many times the pages at most.
const WHOLE_FORM: f64 = 25.0;
/// Each row of such a list is read by its number, in an index that is one level deeper.
const BY_NUMBER: f64 = 40.0;
/// A field that is made finds its place in the tree, for which the form is read once.
const READING: f64 = 2.0;

struct Size {
    workers: i64,
    rows: i64,
    fields: i64,
}

const SMALL: Size = Size { workers: 100, rows: 2_000, fields: 100 };
const LARGE: Size = Size { workers: 10_000, rows: 200_000, fields: 2_000 };

/// A call, and by how much its answer and its pages may grow.
struct Case {
    name: &'static str,
    path: String,
    bytes: f64,
    pages: f64,
}

#[derive(Clone, Copy)]
struct Cost {
    bytes: usize,
    pages: i64,
    ms: f64,
}

/// A database of one size, and who calls.
struct Store {
    app: TestApp,
    admin: Worker,
    /// Administers the workers of one institution.
    local: Worker,
    form: i64,
    number: i64,
    /// The role that every worker has.
    role: i64,
    size: &'static Size,
}

impl Store {
    async fn new(size: &'static Size) -> Self {
        let app = TestApp::new().await;
        sqlx::query("create extension if not exists pg_stat_statements").execute(&app.db.owner).await.expect("an extension of the cluster");
        let admin = app.worker("admin", &Right::ALL, app.ustanova).await;
        let local = app.worker("lokalni", &[Right::Workers], app.ustanova).await;
        let register = app.register().await;
        let formula = json!({ "tipSkupaAtributa": register.form, "tipAtributaID": type_of(&app, "broj").await, "naziv": "Prva", "redosled": 50,
            "sifra": "prva", "formulaZaRacunanje": "$(broj) + 1" });
        admin.post("/api/form-fields", formula).await.assert_status(201);
        let mut store = Self { number: type_of(&app, "broj").await, form: register.form, role: 0, app, admin, local, size };
        store.fill().await;
        store.role = sqlx::query_scalar("select id from role where ime = 'Svi'").fetch_one(&store.app.db.owner).await.expect("the role");
        store
    }

    async fn fill(&self) {
        let mut tx = domain::db::begin(&self.app.db.owner, domain::db::SYSTEM_WORKER).await.expect("a transaction");
        let Size { workers, rows, fields } = self.size;
        for (statement, many) in [
            ("insert into institution (naziv, sifra, adresa) select 'Bolnica ' || n, 'b' || n, 'Ulica ' || n from generate_series(1, $1 / 50) n", workers),
            ("insert into worker (username, ime, prezime, datum_rodjenja, sifra, adresa, ustanova_id)
              select 'masa' || n, (array['Đorđe', 'Ana', 'Željka', 'Čedomir'])[1 + n % 4], 'Šćepanović ' || lpad(n::text, 5, '0'),
                     date '1950-01-01' + n::int % 18000, 'S' || n, 'Ulica ' || n % 300, i.id
                from generate_series(1, $1) n join institution i on i.naziv = 'Bolnica ' || 1 + n % ($1 / 50)", workers),
            ("insert into worker_institution (radnik_id, ustanova_id) select id, ustanova_id from worker where username like 'masa%' and $1 > 0", workers),
            ("insert into role (ime) select 'Svi' where $1 > 0", workers),
            ("insert into worker_role (radnik_id, uloga_id) select w.id, r.id from worker w, role r where w.username like 'masa%' and r.ime = 'Svi' and $1 > 0", workers),
            ("insert into audit_log (vreme_pristupa, radnik_id, klasa, akcija, red_id, opis, ustanova_id, adresa)
              select now() - n * interval '1 second', w.id, (array['worker', 'entry', 'patient', 'institution'])[1 + n % 4], 'izmena', w.id::text,
                     'Opis ' || n || '.', w.ustanova_id, '10.0.' || n % 200 || '.1'
                from generate_series(1, $1) n join worker w on w.username = 'masa' || 1 + n % 100", rows),
            ("insert into form_field (tip_skupa_atributa_id, tip_atributa_id, naziv, redosled, sifra, formula_za_racunanje, formula_za_racunanje_ast)
              select f.tip_skupa_atributa_id, f.tip_atributa_id, 'Polje ' || n || '.', 100 + n, 'f' || n, case when n % 10 = 0 then f.formula_za_racunanje end,
                     case when n % 10 = 0 then f.formula_za_racunanje_ast end
                from form_field f, generate_series(1, $1 - 9) n where f.sifra = 'prva'", fields),
        ] {
            sqlx::query(statement).bind(many).execute(&mut *tx).await.unwrap_or_else(|error| panic!("{statement}: {error}"));
        }
        tx.commit().await.expect("committed");
        sqlx::query("vacuum analyze").execute(&self.app.db.owner).await.expect("statistics");
    }

    fn cases(&self) -> Vec<(Case, &Anonymous)> {
        let (admin, local): (&Anonymous, &Anonymous) = (&self.admin, &self.local);
        let last = self.size.workers / 20 - 1;
        let name = self.size.workers;
        let fields = format!("/api/form-fields?tipSkupaAtributa={}", self.form);
        let case = |name, path: String, bytes, pages| (Case { name, path, bytes, pages }, admin);
        vec![
            case("workers: first page", "/api/workers?page=0&size=20".to_owned(), SAME, COUNTED),
            case("workers: last page by institution", format!("/api/workers?page={last}&size=20&sort=-ustanovaNaziv"), SAME, COUNTED),
            case("workers: the last by surname", format!("/api/workers?size=20&filter.prezime={name:05}"), SAME, COUNTED),
            case("workers: nobody", "/api/workers?size=20&filter.ime=xyz".to_owned(), SAME, COUNTED),
            (Case { name: "workers: within one institution", path: "/api/workers?size=20".to_owned(), bytes: SAME, pages: COUNTED }, local),
            case("workers of a role", format!("/api/roles/{}/workers?size=20", self.role), SAME, COUNTED),
            case("institutions to choose from", "/api/institutions?size=50&filter=bolnica".to_owned(), 40.0, COUNTED),
            case("roles", "/api/roles?size=20".to_owned(), SAME, SAME),
            case("log: workers to choose from", format!("/api/log/search-data?size=50&filter={name:05}"), SAME, COUNTED),
            case("log: newest", "/api/log?datumOd=2020-01-01".to_owned(), SAME, 3.0),
            case("log: of a worker", format!("/api/log?datumOd=2020-01-01&radniciArray={}", self.local.id), SAME, WHOLE_PERIOD),
            case("log: one description", "/api/log?datumOd=2020-01-01&filter.opis=Opis%201999.".to_owned(), SAME, WHOLE_PERIOD),
            case("log: no such description", "/api/log?datumOd=2020-01-01&filter.opis=xyz".to_owned(), SAME, WHOLE_PERIOD),
            case("fields of a form: a page", format!("{fields}&page=0&size=15"), SAME, WHOLE_FORM),
            case("fields of a form: one by name", format!("{fields}&size=15&filter.naziv=Polje%2090."), SAME, WHOLE_FORM),
            case("fields of a form: all", fields, 25.0, BY_NUMBER),
        ]
    }

    /// What a call costs: the size of its answer, pages of all its statements, and the median time.
    async fn cost(&self, caller: &Anonymous, method: &str, path: &str, body: impl Fn(usize) -> Option<Value>) -> Cost {
        // The pool's connections keep their plans after a few uses.
        for turn in 0..TURNS {
            caller.call(method, path, body(turn)).await;
        }
        // What earlier calls have left behind is gone on both sides, whenever the database would have come to it by itself.
        sqlx::query("vacuum analyze").execute(&self.app.db.owner).await.expect("tidied");
        let (mut times, mut pages, mut bytes) = (Vec::new(), Vec::new(), 0);
        for turn in 0..TURNS {
            sqlx::query("select pg_stat_statements_reset()").execute(&self.app.db.owner).await.expect("counted anew");
            let begin = Instant::now();
            let answer = caller.call(method, path, body(TURNS + turn)).await;
            times.push(begin.elapsed().as_secs_f64() * 1000.0);
            assert!((200..300).contains(&answer.status), "{path}: {} {}", answer.status, answer.text());
            bytes = answer.bytes.len();
            pages.push(self.touched().await);
        }
        times.sort_by(f64::total_cmp);
        pages.sort_unstable();
        Cost { bytes, pages: pages[TURNS / 2], ms: times[TURNS / 2] }
    }

    async fn touched(&self) -> i64 {
        sqlx::query_scalar(
            "select coalesce(sum(shared_blks_hit + shared_blks_read), 0)::bigint from pg_stat_statements
              where dbid = (select oid from pg_database where datname = current_database()) and userid = 'regix_app'::regrole",
        )
        .fetch_one(&self.app.db.owner)
        .await
        .expect("counted")
    }

    /// Saves of further fields, one after another, and of one that is there.
    async fn saves(&self) -> [(&'static str, Cost); 2] {
        let field = |turn: usize, what: &str| {
            json!({ "tipSkupaAtributa": self.form, "tipAtributaID": self.number, "naziv": format!("Novo {what} {turn}"), "redosled": 9000 + turn,
                    "sifra": format!("{what}{turn}"), "formulaZaRacunanje": "$(broj) + 2" })
        };
        let made = self.cost(&self.admin, "POST", "/api/form-fields", |turn| Some(field(turn, "novo"))).await;
        let one = self.admin.post("/api/form-fields", field(0, "menjano")).await.json();
        let path = format!("/api/form-fields/{}", one["id"]);
        let changed = self.cost(&self.admin, "PATCH", &path, |turn| Some(json!({ "napomena": format!("Napomena {turn}") }))).await;
        [("a field: made", made), ("a field: changed", changed)]
    }
}

async fn type_of(app: &TestApp, naziv: &str) -> i64 {
    let found = sqlx::query_scalar("select id from attribute_type where naziv = $1").bind(naziv).fetch_one(&app.db.owner);
    found.await.expect("a type of the register")
}

/// Prints a row of the table, and tells whether it keeps its goals.
fn row(name: &str, small: Cost, large: Cost, goals: (f64, f64)) -> bool {
    let bytes = large.bytes as f64 / small.bytes as f64;
    let pages = large.pages as f64 / small.pages.max(1) as f64;
    let kept = bytes <= goals.0 && pages <= goals.1;
    println!(
        "| {name} | {} | {} | {bytes:.1} | {} | {} | {} | {pages:.1} | {} | {:.1} | {:.1} | {:.1} |{}",
        small.bytes,
        large.bytes,
        goals.0,
        small.pages,
        large.pages,
        goals.1,
        small.ms,
        large.ms,
        large.ms / small.ms,
        if kept { "" } else { " NOT KEPT" }
    );
    kept
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let (small, large) = (Store::new(&SMALL).await, Store::new(&LARGE).await);
    println!("| call | bytes S | bytes L | ratio | goal | pages S | pages L | ratio | goal | ms S | ms L | ratio |");
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|");
    let mut kept = true;
    for ((of_small, caller_of_small), (of_large, caller)) in small.cases().into_iter().zip(large.cases()) {
        let none = |_| None;
        let costs = (small.cost(caller_of_small, "GET", &of_small.path, none).await, large.cost(caller, "GET", &of_large.path, none).await);
        kept &= row(of_large.name, costs.0, costs.1, (of_large.bytes, of_large.pages));
    }
    for ((name, of_small), (_, of_large)) in small.saves().await.into_iter().zip(large.saves().await) {
        kept &= row(name, of_small, of_large, (SAME, READING));
    }
    if kept { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
