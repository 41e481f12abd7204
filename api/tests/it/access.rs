//! Who may, at the doors of the API, by the table that the engine and the scheduler are held to as well; and the SQL that spells a rule
//! out for the planner, held to the function that tells it.

use std::collections::BTreeSet;

use domain::{
    access::cases::CASES,
    parameters::{self, BLURRED, LOCK_MINUTES},
    register::ValueType,
    schema,
};
use serde_json::json;

use crate::{
    reports::{Report, succeed},
    support::TestApp,
};

#[tokio::test]
async fn reports_and_patients_open_for_whom_the_rule_of_all_programs_lets() {
    let app = TestApp::new().await;
    let report = Report::plain(&app.db).await;
    let register = app.register().await;
    let patient = app.patient(&register, "Ana", "Anić", app.ustanova, 1).await;
    let worker = app.worker("radnik", &accounts::rights::Right::ALL, app.ustanova).await;
    let run = report.run(&worker).await;
    succeed(&app, run, b"pol;broj\n").await;
    for case in CASES {
        case.lay_out(&app.db.owner, worker.id, app.ustanova).await.expect("the case");
        // Whoever may work there does so now; whoever may not stays where she is.
        worker.patch(&format!("/api/workers/{}", worker.id), json!({ "ustanovaID": app.ustanova })).await;
        let opens = async |path: String| worker.get(&path).await.status == 200;
        assert_eq!(opens(format!("/api/report-runs/{run}")).await, case.reports, "reports: {}", case.who);
        assert_eq!(opens(format!("/api/patients/{patient}")).await, case.patients, "patients: {}", case.who);
    }
}

#[tokio::test]
async fn search_and_report_views_know_the_patients_that_the_rule_knows() {
    let app = TestApp::new().await;
    let register = app.register().await;
    let own = app.patient(&register, "Ana", "Anić", app.ustanova, 1).await;
    let shared = app.patient(&register, "Bora", "Borić", app.druga_ustanova, 2).await;
    app.entry(&register, shared, app.ustanova, "2025-03-01", json!({})).await;
    let lost = app.patient(&register, "Ceca", "Cecić", app.druga_ustanova, 3).await;
    app.entry(&register, lost, app.ustanova, "2025-03-01", json!({})).await;
    let foreign = app.patient(&register, "Dana", "Danić", app.druga_ustanova, 4).await;
    app.lay_out(&["update entry set aktivan = false where pacijent_id = (select id from patient where prezime = 'Cecić')"]).await;
    let lekar = app.lekar().await;

    for blurred in [true, false] {
        if !blurred {
            app.lay_out(&["update parameter set vrednost = 'false' where naziv = 'blurPodatakaIzmedjuUstanova'"]).await;
        }
        let known: Vec<i64> = sqlx::query_scalar("select id from patient where knows_patient($1, id) order by id")
            .bind(app.ustanova)
            .fetch_all(&app.db.owner)
            .await
            .unwrap();
        assert_eq!(known, if blurred { vec![own, shared] } else { vec![own, shared, lost, foreign] });

        let found = lekar.post("/api/search", json!({ "registarID": register.id, "brojRezultatePretrage": 50 })).await.json();
        let found: BTreeSet<i64> = found["unosi"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|row| row["blurPodataka"] == false)
            .filter_map(|row| row["pacijentID"].as_i64())
            .collect();
        assert!(found.is_subset(&known.iter().copied().collect()), "the search names {found:?}, known are {known:?}");
        assert!(found.contains(&own) && found.contains(&shared), "{found:?}");
    }

    let mut report = app.db.app.acquire().await.unwrap();
    sqlx::query("insert into report_scope (pid, radnik_id, ustanova_id) values (pg_backend_pid(), 1, $1)")
        .bind(app.ustanova)
        .execute(&mut *report)
        .await
        .unwrap();
    let seen: Vec<i64> = sqlx::query_scalar("select id from report.pacijent order by id").fetch_all(&mut *report).await.unwrap();
    assert_eq!(seen, [own, shared], "a report sees what its institution knows, whatever is blurred on the screen");
}

#[tokio::test]
async fn the_database_reads_a_parameter_as_the_programs_do() {
    let app = TestApp::new().await;
    for saved in ["15", " 20 ", "+7", "007", "480", "481", "0", "-1", "99999999999", "pet", ""] {
        let mut tx = domain::db::begin(&app.db.owner, domain::db::SYSTEM_WORKER).await.unwrap();
        let set = "update parameter set vrednost = $1 where naziv = $2";
        for naziv in [LOCK_MINUTES.naziv, BLURRED.naziv] {
            sqlx::query(set).bind(saved).bind(naziv).execute(&mut *tx).await.unwrap();
        }
        let read = "select extract(epoch from now() - idle_since(now()))::int / 60, patients_are_blurred()";
        let (minutes, blurred): (i32, bool) = sqlx::query_as(read).fetch_one(&mut *tx).await.unwrap();
        let parameters = parameters::load(&mut *tx).await.unwrap();
        let held = parameters.number(&LOCK_MINUTES);
        assert_eq!(minutes, if held == 0 { 480 } else { held + 5 }, "{saved}");
        assert_eq!(blurred, parameters.flag(&BLURRED), "{saved}");
    }
}

/// Names of functions, procedures, views and triggers that the files define, each in one place.
fn defined() -> Vec<(String, &'static str)> {
    let mut names = Vec::new();
    for (file, sql) in schema::DEFINITIONS {
        for line in sql.lines().filter_map(|line| line.strip_prefix("create ")) {
            let line = line.strip_prefix("or replace ").unwrap_or(line);
            let (kind, rest) = line.split_once(' ').expect("a kind and a name");
            let name = rest.split([' ', '(']).next().expect("a name").trim_start_matches("report.").trim_start_matches("report_inside.");
            names.push((format!("{kind} {name}").replace("procedure", "function"), *file));
        }
    }
    names
}

#[tokio::test]
async fn every_function_view_and_trigger_of_the_database_is_defined_in_one_place() {
    let app = TestApp::new().await;
    let names = defined();
    let set: BTreeSet<&str> = names.iter().map(|(name, _)| name.as_str()).collect();
    let twice: Vec<&String> =
        names.iter().map(|(name, _)| name).filter(|name| names.iter().filter(|(other, _)| other == *name).count() > 1).collect();
    // Reports call the fold of "public" under a name of their own; and the server's two paddings have two signatures each.
    let [lpad, rpad, fold] = ["lpad", "rpad", "fold"].map(|name| format!("function {name}"));
    assert_eq!(twice, [&lpad, &lpad, &rpad, &rpad, &fold, &fold]);
    let live: Vec<String> = sqlx::query_scalar(
        "select 'function ' || p.proname from pg_proc p
          where p.pronamespace::regnamespace::text in ('public', 'report', 'report_inside') and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
         union
         select 'view ' || c.relname from pg_class c where c.relkind = 'v' and c.relnamespace::regnamespace::text in ('public', 'report', 'report_inside')
            and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
         union
         -- Those that procedure audited() gives to its tables are told by its calls.
         select 'trigger ' || t.tgname from pg_trigger t join pg_class c on c.oid = t.tgrelid
          where not t.tgisinternal and not c.relispartition and t.tgname not in (c.relname || '_audit', c.relname || '_touch')
         order by 1",
    )
    .fetch_all(&app.db.owner)
    .await
    .unwrap();
    let live: BTreeSet<&str> = live.iter().map(String::as_str).collect();
    let set: BTreeSet<&str> = set.into_iter().filter(|name| !BY_HAND.contains(name)).collect();
    assert_eq!(live, set, "left: the database, right: migrations/functions");
}

/// As procedure audited() gives them, of tables that do not want all of it.
const BY_HAND: [&str; 8] = [
    "trigger quality_finding_audit",
    "trigger report_schedule_touch",
    "trigger form_draft_audit",
    "trigger form_draft_touch",
    "trigger wall_display_audit",
    "trigger visit_plan_version_audit",
    "trigger patient_plan_audit",
    "trigger patient_plan_touch",
];

#[tokio::test]
async fn the_database_and_the_programs_name_and_number_value_types_alike() {
    let app = TestApp::new().await;
    let rows: Vec<(i16, String, i16, bool)> = sqlx::query_as(
        // The database's are for people, and of one word but for the last.
        "select v.num_vrednost, word, type_number(word), holds_value(v.num_vrednost)
           from value_type v, replace(lower(v.naziv), ' i ', '') word order by 1",
    )
    .fetch_all(&app.db.owner)
    .await
    .unwrap();
    let known: Vec<(i16, String, i16, bool)> =
        ValueType::ALL.map(|known| (known.number(), known.name().to_owned(), known.number(), known.holds_value())).into();
    assert_eq!(rows, known);
    let register = app.register().await;
    let types = "insert into attribute_type (naziv, tip_vrednosti_atributa) select 'Vrsta ' || num_vrednost, num_vrednost from value_type";
    let fields = "insert into form_field (tip_skupa_atributa_id, tip_atributa_id, naziv, redosled)
                  select f.id, t.id, t.naziv, 100 from form f, attribute_type t where t.naziv like 'Vrsta %'";
    app.lay_out(&[types, fields]).await;
    let told = "select p.tip_vrednosti, p.vrsta from report.polje p where p.tip_unosa_id = $1 and p.naziv like 'Vrsta %' order by 1";
    let told: Vec<(i16, Option<String>)> = sqlx::query_as(told).bind(register.form).fetch_all(&app.db.owner).await.unwrap();
    let holding = ValueType::ALL.map(|known| (known.number(), known.holds_value().then(|| known.name().to_owned())));
    assert_eq!(told, holding, "reports name what holds a value");
    let unknown = sqlx::query("select type_number('brojčani')").execute(&app.db.owner).await;
    assert!(unknown.is_err(), "a misspelt type would be an empty answer");
}

#[tokio::test]
async fn a_change_made_by_hand_is_undone_when_definitions_are_applied_anew() {
    let app = TestApp::new().await;
    let mut db = app.db.owner.acquire().await.unwrap();
    assert!(!schema::migrate(&mut db).await.expect("nothing to do"), "the same definitions are not applied again");
    sqlx::raw_sql(
        "create or replace function works_at(radnik bigint, ustanova bigint) returns boolean language sql stable as 'select true';
         update applied_definitions set sha256 = 'an earlier version'; grant delete on patient to regix_app",
    )
    .execute(&mut *db)
    .await
    .unwrap();
    assert!(schema::migrate(&mut db).await.expect("the definitions"), "other definitions are applied");
    let (works, deletes): (bool, bool) =
        sqlx::query_as("select works_at(-1, -1), has_table_privilege('regix_app', 'patient', 'delete')").fetch_one(&mut *db).await.unwrap();
    assert_eq!((works, deletes), (false, false));
}
