//! A database of one size: made once, kept for the next run, and made anew when the schema or this generator has changed.

use std::{collections::HashMap, str::FromStr, time::Instant};

use anyhow::{Context, ensure};
use domain::{db, schema};
use sqlx::{AssertSqlSafe, ConnectOptions, PgConnection, PgPool, postgres::PgConnectOptions, postgres::PgCopyIn};

use crate::{
    entries::{Home, NUMBERS_HEAD, NUMBERS_TAIL, Rows, Visit, Writer},
    layout::{self, Layout},
    people::{Names, entries_of},
    states, visits,
};

/// Goes up with every change of what is generated.
const GENERATION: u32 = 5;
const TABLES: [&str; 6] = ["patient", "patient_register", "entry", "value_num", "value_text", "planned_visit"];
/// Bytes that are gathered before they go to the server.
const BATCH: usize = 1 << 20;

#[derive(Clone, Copy)]
pub struct Size {
    pub name: &'static str,
    pub patients: u64,
}

/// A filled database, and who signs in to it.
pub struct Store {
    pub owner: PgPool,
    pub layout: Layout,
    pub app_url: String,
    pub report_url: String,
}

impl Store {
    /// Opens the database of this size, making it first where there is none of today's making.
    pub async fn open(cluster_url: &str, size: Size) -> anyhow::Result<Self> {
        let cluster = PgConnectOptions::from_str(cluster_url).context("BENCH_DATABASE_URL is not a PostgreSQL URL")?;
        let password = db::credentials(cluster_url)?.1;
        let name = format!("regix_bench_{}", size.name.to_lowercase());
        let mut admin = cluster.clone().connect().await?;
        let made_of = made_of();
        let found: Option<String> = sqlx::query_scalar(
            "select shobj_description(oid, 'pg_database') from pg_database where datname = $1 and shobj_description(oid, 'pg_database') is not null",
        )
        .bind(&name)
        .fetch_optional(&mut admin)
        .await?;
        let options = cluster.clone().database(&name);
        if found.as_ref() != Some(&made_of) {
            println!("Making {name}: {} patients", size.patients);
            run(&mut admin, format!("drop database if exists {name} with (force)")).await?;
            run(&mut admin, format!("create database {name}")).await?;
            make(&options, size).await?;
            for role in ["regix_app", "regix_report"] {
                run(&mut admin, format!("alter role {role} with login password '{password}'")).await?;
            }
            run(&mut admin, format!("comment on database {name} is '{made_of}'")).await?;
        }
        let owner = PgPool::connect_with(options.clone()).await?;
        let url = |role: &str| options.clone().username(role).password(&password).to_url_lossy().to_string();
        Ok(Self { layout: Layout::read(&owner).await?, app_url: url("regix_app"), report_url: url("regix_report"), owner })
    }
}

/// What a database is made of: the schema, and this generator.
fn made_of() -> String {
    format!("{}-{GENERATION}", &schema::fingerprint()[..16])
}

async fn run(db: &mut PgConnection, statement: String) -> anyhow::Result<()> {
    sqlx::raw_sql(AssertSqlSafe(statement.clone())).execute(db).await.with_context(|| statement)?;
    Ok(())
}

async fn make(options: &PgConnectOptions, size: Size) -> anyhow::Result<()> {
    let started = Instant::now();
    let step = |what: &str| println!("  {:>4} s  {what}", started.elapsed().as_secs());
    let owner = PgPool::connect_with(options.clone()).await?;
    schema::migrate(&mut *owner.acquire().await?).await?;
    sqlx::query("create extension pg_stat_statements").execute(&owner).await?;
    layout::store(&owner).await?;
    let layout = Layout::read(&owner).await?;
    let indexes = drop_indexes(&owner).await?;
    step("patients");
    let homes = patients(options, &layout, size).await?;
    step("entries and their projection");
    entries(options, &layout, &homes).await?;
    step("planned visits");
    visits::fill(&mut loader(options).await?).await?;
    step("states, questions and statuses");
    states::fill(&mut loader(options).await?).await?;
    step("indexes");
    build(options, indexes).await?;
    step("statistics");
    run(&mut *owner.acquire().await?, "analyze".to_owned()).await?;
    step("comparison with what the triggers make, and vacuum");
    prove(&owner).await?;
    step("made");
    Ok(())
}

/// Takes away the indexes that are no constraints, and says how to make them again.
async fn drop_indexes(owner: &PgPool) -> anyhow::Result<Vec<String>> {
    let found: Vec<(String, String)> = sqlx::query_as(
        "select i.indexrelid::regclass::text, pg_get_indexdef(i.indexrelid) from pg_index i
          where i.indrelid::regclass::text = any ($1) and not exists (select from pg_constraint c where c.conindid = i.indexrelid)",
    )
    .bind(TABLES)
    .fetch_all(owner)
    .await?;
    let mut db = owner.acquire().await?;
    for (name, _) in &found {
        run(&mut db, format!("drop index {name}")).await?;
    }
    Ok(found.into_iter().map(|(_, definition)| definition).collect())
}

async fn build(options: &PgConnectOptions, mut indexes: Vec<String>) -> anyhow::Result<()> {
    // The dear ones first: trigrams, then values.
    indexes.sort_by_key(|definition| (!definition.contains("value_text USING gin"), !definition.contains("value_num")));
    let queue = std::sync::Arc::new(std::sync::Mutex::new(std::collections::VecDeque::from(indexes)));
    let builder = || {
        let (options, queue) = (options.clone(), queue.clone());
        tokio::spawn(async move {
            let mut db = options.connect().await?;
            run(&mut db, "set maintenance_work_mem = '768MB'".to_owned()).await?;
            loop {
                let next = queue.lock().expect("no builder panics here").pop_front();
                let Some(definition) = next else { return anyhow::Ok(()) };
                run(&mut db, definition).await?;
            }
        })
    };
    let (left, right) = (builder(), builder());
    left.await??;
    right.await??;
    Ok(())
}

/// A connection that loads: without triggers and foreign keys, which `prove` makes up for.
async fn loader(options: &PgConnectOptions) -> anyhow::Result<PgConnection> {
    let mut db = options.connect().await?;
    run(&mut db, "set session_replication_role = replica".to_owned()).await?;
    Ok(db)
}

async fn patients(options: &PgConnectOptions, layout: &Layout, size: Size) -> anyhow::Result<Vec<Home>> {
    let names = Names::new()?;
    let mut db = loader(options).await?;
    let mut copy = db
        .copy_in_raw("copy patient (id, ime, prezime, datum_rodjenja, jmbg, lbo, pol_trenutni, kontakt_telefon, broj_kartona, ustanova_id, aktivan) from stdin")
        .await?;
    let mut homes = Vec::with_capacity(size.patients as usize + 1);
    homes.push(Home { register: 0, institution: 0 }); // Patients count from one.
    let mut rows = Vec::with_capacity(BATCH * 2);
    for number in 1..=size.patients {
        let p = names.patient(number, layout.institutions.len());
        rows.extend_from_slice(
            format!(
                "{number}\t{}\t{}\t{}\t{}\t{}\t{}\t011/{:07}\tK-{number}\t{}\t{}\n",
                p.name, p.surname, p.birth, p.jmbg, p.lbo, p.male, number, layout.institutions[p.institution], p.active
            )
            .as_bytes(),
        );
        homes.push(Home { register: p.register, institution: p.institution });
        send(&mut copy, &mut rows, BATCH).await?;
    }
    send(&mut copy, &mut rows, 0).await?;
    copy.finish().await?;
    run(&mut db, format!("alter table patient alter column id restart with {}", size.patients + 1)).await?;
    Ok(homes)
}

/// Sends the rows once there are so many bytes of them.
async fn send(copy: &mut PgCopyIn<&mut PgConnection>, rows: &mut Vec<u8>, batch: usize) -> anyhow::Result<()> {
    if rows.len() > batch {
        copy.send(rows.as_slice()).await?;
        rows.clear();
    }
    Ok(())
}

/// First and last entry of a patient with day and form, and how many count.
#[derive(Clone, Copy, Default)]
struct Span {
    first: (u64, i32, i64),
    last: (u64, i32, i64),
    count: u32,
}

async fn entries(options: &PgConnectOptions, layout: &Layout, homes: &[Home]) -> anyhow::Result<()> {
    let mut visits = Vec::new();
    for patient in 1..homes.len() {
        let patient = u32::try_from(patient)?;
        visits.extend((0..entries_of(u64::from(patient))).map(|turn| Visit::of(patient, turn)));
    }
    visits.sort_unstable();

    let (mut a, mut b, mut c, mut d) = (loader(options).await?, loader(options).await?, loader(options).await?, loader(options).await?);
    run(&mut b, "begin; truncate value_num".to_owned()).await?; // A table emptied in the transaction is filled without a log.
    run(&mut c, "begin; truncate value_text".to_owned()).await?;
    let mut to_entries = a
        .copy_in_raw(
            "copy entry (id, pacijent_id, registar_id, tsa_id, poseta_id, datum_unosa, ustanova_id, radnik_odgovoran_id, radnik_kreirao_id,
                         datum_kreiranja, popunjeni_relevantni, aktivan, form_version_id, vrednosti) from stdin",
        )
        .await?;
    let mut to_numbers = b
        .copy_in_raw("copy value_num (pacijent_id, unos_id, vrednost, datum_unosa, polje_id, ustanova_id) from stdin (format binary)")
        .await?;
    let mut to_visits =
        d.copy_in_raw("copy visit (id, pacijent_id, registar_id, datum, ustanova_id, radnik_odgovoran_id) from stdin").await?;
    let mut to_texts = c.copy_in_raw("copy value_text (pacijent_id, unos_id, polje_id, vrednost_f) from stdin").await?;
    let mut rows = Rows::default();
    rows.numbers.extend_from_slice(NUMBERS_HEAD);
    let writer = Writer::new(layout);
    let mut spans: HashMap<u32, Span> = HashMap::with_capacity(homes.len());
    for (id, visit) in (1_u64..).zip(&visits) {
        let entry = writer.entry(id, *visit, &homes[visit.patient as usize]);
        writer.write(&entry, &mut rows);
        if entry.active {
            let this = (id, visit.day, entry.form.id);
            let span = spans.entry(visit.patient).or_insert(Span { first: this, ..Span::default() });
            span.last = this;
            span.count += 1;
        }
        send(&mut to_entries, &mut rows.entries, BATCH).await?;
        send(&mut to_numbers, &mut rows.numbers, BATCH).await?;
        send(&mut to_texts, &mut rows.texts, BATCH).await?;
        send(&mut to_visits, &mut rows.visits, BATCH).await?;
    }
    rows.numbers.extend_from_slice(NUMBERS_TAIL);
    send(&mut to_entries, &mut rows.entries, 0).await?;
    send(&mut to_numbers, &mut rows.numbers, 0).await?;
    send(&mut to_texts, &mut rows.texts, 0).await?;
    send(&mut to_visits, &mut rows.visits, 0).await?;
    to_entries.finish().await?;
    to_numbers.finish().await?;
    to_texts.finish().await?;
    to_visits.finish().await?;
    for db in [&mut b, &mut c] {
        run(db, "commit".to_owned()).await?;
    }
    for table in ["entry", "visit"] {
        run(&mut a, format!("alter table {table} alter column id restart with {}", visits.len() + 1)).await?;
    }
    registrations(&mut a, layout, homes, &spans).await
}

async fn registrations(db: &mut PgConnection, layout: &Layout, homes: &[Home], spans: &HashMap<u32, Span>) -> anyhow::Result<()> {
    run(
        db,
        "create temp table registration as select pacijent_id, registar_id, prvi_unos_id, prvi_unos_datum, prvi_unos_tsa_id, poslednji_unos_id,
                poslednji_unos_datum, poslednji_unos_tsa_id, broj_unosa from patient_register limit 0"
            .to_owned(),
    )
    .await?;
    let mut copy = db.copy_in_raw("copy registration from stdin").await?;
    let mut rows = Vec::with_capacity(BATCH * 2);
    let day = |days: i32| jiff::civil::date(1970, 1, 1) + jiff::Span::new().days(days);
    for (patient, home) in homes.iter().enumerate().skip(1) {
        let register = layout.registers[home.register];
        let line = match spans.get(&u32::try_from(patient)?) {
            None => format!("{patient}\t{register}\t\\N\t\\N\t\\N\t\\N\t\\N\t\\N\t0\n"),
            Some(Span { first, last, count }) => {
                let (from, to) = (day(first.1), day(last.1));
                format!("{patient}\t{register}\t{}\t{from}\t{}\t{}\t{to}\t{}\t{count}\n", first.0, first.2, last.0, last.2)
            }
        };
        rows.extend_from_slice(line.as_bytes());
        send(&mut copy, &mut rows, BATCH).await?;
    }
    send(&mut copy, &mut rows, 0).await?;
    copy.finish().await?;
    run(
        db,
        "insert into patient_register (pacijent_id, registar_id, prvi_unos_id, prvi_unos_datum, prvi_unos_tsa_id, poslednji_unos_id,
                poslednji_unos_datum, poslednji_unos_tsa_id, broj_unosa, ime_f, prezime_f, datum_rodjenja, pol_trenutni)
         select r.*, p.ime_f, p.prezime_f, p.datum_rodjenja, p.pol_trenutni from registration r join patient p on p.id = r.pacijent_id"
            .to_owned(),
    )
    .await?;
    run(
        db,
        "insert into name_word (rec) select distinct word from patient p cross join lateral name_words(p.ime_f, p.prezime_f) word"
            .to_owned(),
    )
    .await
}

/// Takes the entries of 300 patients and of those with the newest entries away and inserts them again through the product's
/// triggers: the projection and the first and last entries must come out as they were loaded. Nothing of it stays.
pub async fn prove(owner: &PgPool) -> anyhow::Result<()> {
    let mut tx = db::begin(owner, db::SYSTEM_WORKER).await?;
    run(
        &mut tx,
        "create temp table proven on commit drop as select id from patient where id % (select greatest(count(*) / 300, 1) from patient) = 0
           or id in (select pacijent_id from entry order by id desc limit 500);
         create temp table kept_entry on commit drop as select * from entry where pacijent_id in (select id from proven);
         create temp table kept_value_num on commit drop as select * from value_num where pacijent_id in (select id from proven);
         create temp table kept_value_text on commit drop as select * from value_text where pacijent_id in (select id from proven);
         create temp table kept_patient_register on commit drop as select * from patient_register where pacijent_id in (select id from proven);
         delete from value_num where pacijent_id in (select id from proven);
         delete from value_text where pacijent_id in (select id from proven);
         delete from patient_register where pacijent_id in (select id from proven);
         delete from planned_visit where patient_plan_id in (select id from patient_plan where pacijent_id in (select id from proven));
         delete from question_message where upit_id in (select id from question where pacijent_id in (select id from proven));
         delete from question where pacijent_id in (select id from proven);
         delete from entry_state where unos_id in (select id from kept_entry);
         delete from entry where pacijent_id in (select id from proven);
         select register_patient(pacijent_id, registar_id) from kept_patient_register;
         insert into entry select * from kept_entry order by md5(id::text)"
            .to_owned(),
    )
    .await?;
    for table in ["value_num", "value_text", "patient_register"] {
        let (loaded, made, apart): (i64, i64, i64) = sqlx::query_as(AssertSqlSafe(format!(
            "with made as (select * from {table} where pacijent_id in (select id from proven))
             select (select count(*) from kept_{table}), (select count(*) from made),
                    (select count(*) from ((table kept_{table} except all table made) union all (table made except all table kept_{table})) q)"
        )))
        .fetch_one(&mut *tx)
        .await?;
        ensure!(loaded > 0 && apart == 0, "{table}: {loaded} rows were loaded, the triggers make {made}, {apart} of them differ");
        println!("         {table}: {loaded} rows as the triggers make them");
    }
    tx.rollback().await?;
    let mut db = owner.acquire().await?;
    for table in TABLES {
        run(&mut db, format!("vacuum (analyze) {table}")).await?; // What was tried and taken back is no part of the measurement.
    }
    Ok(())
}
