//! Wherever a search takes its candidates from, it finds the same patients in the same order; and it goes on beyond the first ones.

use std::{collections::HashMap, time::Duration};

use clinical::patients::search::{
    compile::{FixedCriteria, Search, Source, Takings},
    criteria::{self, CriterionRow, EntryScope, Groups, SearchField},
    entry_frame::{CheckedFrame, EntryFrame, EntryPick, PickedEntry},
    order::{OrderColumn, ResultOrder},
};
use domain::{
    db,
    register::ValueType,
    report_sql::{Binds, Scope, Value as Cell},
};
use futures::future;
use rand::{Rng, SeedableRng, rngs::StdRng};
use serde_json::{Value, json};
use sqlx::Row;

use crate::{
    reports::eventually,
    support::{TestApp, TestRegister},
};

/// 2,100 patients of whom every third has two entries. The younger the entry, the higher the patient's number.
async fn many(app: &TestApp) -> (TestRegister, Vec<i64>) {
    let register = app.register().await;
    let mut tx = db::begin(&app.db.owner, db::SYSTEM_WORKER).await.unwrap();
    let patients: Vec<i64> = sqlx::query_scalar(
        "insert into patient (ime, prezime, datum_rodjenja, jmbg, lbo, pol_trenutni, kontakt_telefon, ustanova_id, aktivan)
         select case when n % 7 = 0 then 'Žarko' else 'Ana' end, 'Prezime' || n, make_date(1940 + n % 60, 1, 1), lpad(n::text, 13, '0'),
                lpad(n::text, 11, '0'), n % 2 = 1, '011/1234567', case when n % 5 = 0 then $2 else $1 end, n % 50 <> 0
           from generate_series(1, 2100) n returning id",
    )
    .bind(app.ustanova)
    .bind(app.druga_ustanova)
    .fetch_all(&mut *tx)
    .await
    .unwrap();
    sqlx::query("select register_patient(id, $2) from unnest($1::bigint[]) id")
        .bind(&patients)
        .bind(register.id)
        .execute(&mut *tx)
        .await
        .unwrap();
    sqlx::query(
        "insert into entry (pacijent_id, registar_id, tsa_id, datum_unosa, ustanova_id, vrednosti)
         select p.id, $1, $2, date '2010-01-01' + (row_number() over (order by p.id))::int + visit * 3000, p.ustanova_id,
                jsonb_build_object($3, (p.id * 7 + visit) % 100, $4, p.id % 2 = visit, $5, case when p.id % 11 = 0 then 'Žuta mrlja' else 'bela' end,
                                   $6, to_jsonb(array[case when p.id % 4 = 0 then $7 else $8 end]))
           from patient p cross join generate_series(0, 1) visit where p.id = any ($9) and p.id % 3 = 0",
    )
    .bind(register.id)
    .bind(register.form)
    .bind(register.field("broj"))
    .bind(register.field("izbor"))
    .bind(register.field("tekst"))
    .bind(register.field("skup"))
    .bind(register.items["prva"])
    .bind(register.items["druga"])
    .bind(&patients)
    .execute(&mut *tx)
    .await
    .unwrap();
    tx.commit().await.unwrap();
    (register, patients)
}

fn groups(register: &TestRegister, rows: &[(&str, &str, &str, String)]) -> Groups {
    let types =
        HashMap::from([("izbor", ValueType::Choice), ("broj", ValueType::Number), ("tekst", ValueType::Text), ("skup", ValueType::Set)]);
    let fields: HashMap<i64, SearchField> = types
        .iter()
        .map(|(code, value_type)| {
            let id = register.fields[code];
            (id, SearchField { id, form_id: register.form, value_type: *value_type })
        })
        .collect();
    let rows: Vec<CriterionRow> = rows
        .iter()
        .map(|(link, code, operator, value)| CriterionRow {
            veza: Some((*link).to_owned()),
            polje_id: Some(register.fields[code]),
            operator: Some((*operator).to_owned()),
            vrednost: Some(value.clone()),
            ..CriterionRow::default()
        })
        .collect();
    criteria::groups(&rows, &fields).unwrap()
}

#[tokio::test]
async fn every_source_finds_the_same_patients_in_the_same_order() {
    let app = TestApp::new().await;
    let (register, _) = many(&app).await;
    let row = |link, code, operator, value: &dyn ToString| (link, code, operator, value.to_string());
    let first = register.items["prva"];
    let criteria = [
        groups(&register, &[]),
        groups(&register, &[row("", "broj", ">", &60)]),
        groups(&register, &[row("", "broj", ">", &30), row("i", "izbor", "izabrano", &1)]),
        groups(&register, &[row("", "tekst", "sadrzi", &"mrlja"), row("ili", "broj", "=", &7), row("i", "skup", "nijeIzabrano", &first)]),
    ];
    let named = FixedCriteria { ime: vec!["zar".into()], ..FixedCriteria::default() };
    let old = FixedCriteria { godina_do: Some(1950), pol: Some(true), ..FixedCriteria::default() };
    let numbered = FixedCriteria { prezime: vec!["prez".into()], jmbg: "0000000001".into(), ..FixedCriteria::default() };
    let (mut compared, mut found_by_pick) = (0, 0);
    for groups in &criteria {
        for fixed in [&FixedCriteria::default(), &named, &old, &numbered] {
            let framed =
                EntryFrame { tip_unosa_id: register.form, od: Some(jiff::civil::date(2012, 1, 1)), do_dana: None, svoj: true, izbor: None };
            let pick = EntryPick { koji: PickedEntry::Prvi, od: None, do_dana: None, svoj: false, uslovi: Vec::new() };
            let picked = EntryFrame { izbor: Some(pick), ..framed.clone() };
            let [framed, picked] = [framed, picked].map(|frame| Some(CheckedFrame { frame, picked_by: criteria[1].clone() }));
            for (scope, frame) in [
                (EntryScope::BiloKojiUnos, None),
                (EntryScope::NajnovijiUnos, None),
                (EntryScope::IstiUnos, None),
                (EntryScope::IstiUnos, framed),
                (EntryScope::IstiUnos, picked),
            ] {
                let search = Search {
                    register: register.id,
                    institution: app.ustanova,
                    blur: true,
                    least_group: 1,
                    takings: Takings::default(),
                    scope,
                    fixed: fixed.clone(),
                    groups: groups.clone(),
                    frame,
                    known_only: false,
                    own_entry: None,
                    order: None,
                };
                let mut sources = vec![Source::Window { from: 0, width: 10_000 }];
                if search.only_known() {
                    sources.push(Source::Known);
                }
                if search.fixed.is_selective() {
                    sources.push(Source::Fixed);
                }
                if !groups.is_empty() {
                    sources.push(Source::Sets);
                    sources.push(Source::Drivers(vec![0; groups.len()]));
                    sources.push(Source::Drivers(groups.iter().map(|group| group.len() - 1).collect()));
                }
                let expected = found(&app, &search, &Source::All).await;
                // Few have a first entry that meets all three: some of these cases find nobody.
                let picks = search.frame.as_ref().is_some_and(|frame| frame.frame.izbor.is_some());
                assert!(picks || !expected.is_empty(), "{search:?} finds nobody: the case proves nothing");
                found_by_pick += usize::from(picks && !expected.is_empty());
                for source in sources {
                    assert_eq!(found(&app, &search, &source).await, expected, "{source:?} of {search:?}");
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 80 && found_by_pick > 5, "{compared} {found_by_pick}");
}

#[tokio::test]
async fn whatever_column_orders_them_every_source_finds_the_same_patients_in_that_order() {
    let app = TestApp::new().await;
    let (register, _) = many(&app).await;
    let columns = [
        (OrderColumn::ImePrezime, "p.prezime collate \"sr-Latn-x-icu\" $ nulls last, p.ime collate \"sr-Latn-x-icu\" $"),
        (OrderColumn::Jmbg, "p.jmbg $"),
        (OrderColumn::Lbo, "p.lbo $"),
        (OrderColumn::IdentifikacioniBroj, "p.broj_kartona $"),
        (OrderColumn::PrviUnos, "w.prvi_unos_datum $"),
        (OrderColumn::PoslednjiUnos, "w.poslednji_unos_datum $"),
    ];
    let rows = |link, code, operator, value: &str| (link, code, operator, value.to_owned());
    let groups = groups(&register, &[rows("", "broj", ">", "30"), rows("ili", "izbor", "izabrano", "1")]);
    for (po, oracle) in columns {
        for opadajuce in [false, true] {
            let search = Search {
                register: register.id,
                institution: app.ustanova,
                blur: true,
                least_group: 1,
                takings: Takings::default(),
                scope: EntryScope::BiloKojiUnos,
                fixed: FixedCriteria { ime: vec!["ana".into()], ..FixedCriteria::default() },
                groups: groups.clone(),
                frame: None,
                known_only: false,
                own_entry: None,
                order: Some(ResultOrder { po, opadajuce }),
            };
            let expected = found(&app, &search, &Source::All).await;
            let sorted: Vec<i64> = sqlx::query_scalar(sqlx::AssertSqlSafe(format!(
                "select p.id from patient p join patient_register w on w.pacijent_id = p.id where p.id = any ($1) order by {} nulls last, p.id",
                oracle.replace('$', if opadajuce { "desc" } else { "asc" })
            )))
            .bind(&expected)
            .fetch_all(&app.db.owner)
            .await
            .unwrap();
            assert!(expected.len() > 100, "{po:?} orders few: it proves nothing");
            assert_eq!(expected, sorted, "{po:?} {opadajuce}");
            let sources =
                [Source::Window { from: 0, width: 10_000 }, Source::Known, Source::Fixed, Source::Sets, Source::Drivers(vec![0, 0])];
            for source in sources {
                assert_eq!(found(&app, &search, &source).await, expected, "{source:?} by {po:?}");
            }
            // Fewer are the first of them.
            let few = search.select(&Source::Sets, 7).build().fetch_all(&app.db.app).await.unwrap();
            assert_eq!(few.iter().map(|row| row.get::<i64, _>("pacijent_id")).collect::<Vec<_>>(), expected[..7], "{po:?}");
        }
    }
}

#[tokio::test]
async fn a_chosen_order_holds_of_all_who_match_and_tells_nothing_of_others() {
    let app = TestApp::new().await;
    let ((register, _), lekar) = (many(&app).await, app.lekar().await);
    let search = async |more: Value| {
        let mut body = json!({ "registarID": register.id, "brojRezultatePretrage": 50 });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        lekar.post("/api/search", body).await
    };
    let jmbgs = |answer: &Value| -> Vec<String> {
        answer["unosi"].as_array().unwrap().iter().filter_map(|row| row["jmbg"].as_str().map(str::to_owned)).collect()
    };
    // The page is the first of all who match, whichever of them were entered last.
    let by_number = |more: bool| json!({ "ime": "Ana", "redosled": { "po": "jmbg", "opadajuce": more } });
    let first = search(by_number(false)).await.json();
    assert_eq!((jmbgs(&first)[0].as_str(), &first["skraceno"]), ("0000000000001", &json!(true)));
    let last = search(by_number(true)).await.json();
    assert_eq!(jmbgs(&last)[0], "0000000002099");
    // All results stand in the same order.
    let mut all = by_number(false);
    all["sviRezultati"] = json!(true);
    assert_eq!(jmbgs(&search(all).await.json())[..50], jmbgs(&first)[..]);
    let by_entry = search(json!({ "redosled": { "po": "prviUnos" } })).await.json();
    let days: Vec<String> =
        by_entry["unosi"].as_array().unwrap().iter().map(|row| row["prviUnosDatum"].as_str().unwrap().to_owned()).collect();
    assert!(days.is_sorted_by_key(|day| day.split('.').rev().map(str::to_owned).collect::<Vec<_>>()), "{days:?}");

    // Among patients of others no column that names somebody orders anything.
    for column in ["imePrezime", "jmbg", "lbo", "identifikacioniBroj"] {
        let refused = search(json!({ "redosled": { "po": column } })).await.refusal(422);
        assert_eq!(refused["field"], "redosled", "{column}: {refused}");
    }
    let log: String = sqlx::query_scalar("select polja::text from audit_log where klasa = 'patient_search' order by id limit 1")
        .fetch_one(&app.db.owner)
        .await
        .unwrap();
    assert!(log.contains("Redosled") && log.contains("JMBG"), "{log}");
}

async fn found(app: &TestApp, search: &Search, source: &Source) -> Vec<i64> {
    let rows = search.select(source, 10_000).build().fetch_all(&app.db.app).await.unwrap();
    rows.iter().map(|row| row.get("pacijent_id")).collect()
}

#[tokio::test]
async fn a_search_goes_on_beyond_the_first_patients_and_sends_all_whole() {
    let app = TestApp::new().await;
    let ((register, patients), lekar) = (many(&app).await, app.lekar().await);
    let search = async |more: Value| {
        let mut body = json!({ "registarID": register.id });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        lekar.post("/api/search", body).await.json()
    };
    let ids =
        |answer: &Value| -> Vec<i64> { answer["unosi"].as_array().unwrap().iter().filter_map(|row| row["pacijentID"].as_i64()).collect() };
    // One patient in a hundred of those with entries, and none of them among the first 500.
    let oldest: Vec<i64> = patients.iter().copied().filter(|id| id % 3 == 0 && id % 11 == 0 && id % 50 != 0).take(6).collect();
    let rare = json!([{ "poljeID": register.fields["tekst"], "operator": "sadrzi", "vrednost": "mrlja" }]);
    let answer = search(json!({ "redPretrage": rare, "brojRezultatePretrage": 1000 })).await;
    let hits = ids(&answer);
    assert!(
        oldest.iter().filter(|id| (*id - patients[0] + 1) % 5 != 0 && (*id - patients[0] + 1) % 50 != 0).all(|id| hits.contains(id)),
        "{hits:?}"
    );
    assert!(hits.is_sorted_by(|a, b| a > b), "the newest entry first");

    // 1,000 come in several windows, each patient once, and the rest is told of.
    let thousand = search(json!({ "brojRezultatePretrage": 1000, "pol": -1 })).await;
    assert_eq!((thousand["unosi"].as_array().unwrap().len(), &thousand["skraceno"]), (1000, &json!(true)));
    // All 2,058 active patients come, more than one piece of the answer, in the order of the short search.
    let all = search(json!({ "sviRezultati": true })).await;
    assert_eq!((all["unosi"].as_array().unwrap().len(), &all["skraceno"]), (2058, &json!(false)));
    assert_eq!(all["unosi"].as_array().unwrap()[..1000], thousand["unosi"].as_array().unwrap()[..]);
}

const OTHER: [&str; 2] =
    ["insert into register (id, naziv) values (701, 'Drugi')", "insert into form (id, registar_id, naziv) values (701, 701, 'Pregled')"];
/// The first entry of the patients in the other register.
const ENTRY: &str = "insert into entry (pacijent_id, registar_id, tsa_id, datum_unosa, ustanova_id) \
                     select id, 701, 701, '2024-01-01', ustanova_id from patient";

/// Who is found by the fixed fields in the order of the register, and by way of the patients' own record.
async fn by(app: &TestApp, register: i64, fixed: &FixedCriteria) -> [Vec<i64>; 2] {
    let search = Search {
        register,
        institution: app.ustanova,
        blur: true,
        least_group: 1,
        takings: Takings::default(),
        scope: EntryScope::BiloKojiUnos,
        fixed: fixed.clone(),
        groups: Vec::new(),
        frame: None,
        known_only: false,
        own_entry: None,
        order: None,
    };
    [found(app, &search, &Source::Window { from: 0, width: 100 }).await, found(app, &search, &Source::Fixed).await]
}

#[tokio::test]
async fn a_patient_is_found_in_each_register_by_what_the_record_says_today() {
    let app = TestApp::new().await;
    app.lay_out(&OTHER).await;
    let register = app.register().await;
    let patient = app.patient(&register, "Ana", "Anić", app.ustanova, 2).await;
    app.lay_out(&[ENTRY]).await;
    let before = FixedCriteria {
        prezime: vec!["anic".into()],
        godina_od: Some(1952),
        godina_do: Some(1952),
        pol: Some(false),
        ..FixedCriteria::default()
    };
    let after = FixedCriteria {
        prezime: vec!["zikic".into()],
        godina_od: Some(1961),
        godina_do: Some(1961),
        pol: Some(true),
        ..FixedCriteria::default()
    };
    for register in [register.id, 701] {
        assert_eq!(
            [by(&app, register, &before).await, by(&app, register, &after).await],
            [[vec![patient], vec![patient]], [vec![], vec![]]]
        );
    }
    app.lay_out(&["update patient set prezime = 'Žikić', datum_rodjenja = '1961-05-05', pol_trenutni = true"]).await;
    for register in [register.id, 701] {
        assert_eq!(
            [by(&app, register, &before).await, by(&app, register, &after).await],
            [[vec![], vec![]], [vec![patient], vec![patient]]]
        );
    }
}

#[tokio::test]
async fn a_patient_renamed_while_a_register_takes_the_first_entry_is_found_there_by_the_new_name() {
    let app = TestApp::new().await;
    app.lay_out(&OTHER).await;
    let patient = app.patient(&app.register().await, "Ana", "Anić", app.ustanova, 2).await;
    let mut renaming = db::begin(&app.db.owner, db::SYSTEM_WORKER).await.unwrap();
    sqlx::query("update patient set prezime = 'Žikić'").execute(&mut *renaming).await.unwrap();
    let renamed = async {
        eventually("the entry waits for the name", async || {
            let waiting: i64 =
                sqlx::query_scalar("select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'")
                    .fetch_one(&app.db.owner)
                    .await
                    .unwrap();
            (waiting == 1).then_some(())
        })
        .await;
        renaming.commit().await.unwrap();
    };
    tokio::join!(app.lay_out(&[ENTRY]), renamed);
    let named = |prezime: &str| FixedCriteria { prezime: vec![prezime.into()], ..FixedCriteria::default() };
    assert_eq!(by(&app, 701, &named("zikic")).await, [[patient], [patient]]);
    assert_eq!(by(&app, 701, &named("anic")).await, [[], [] as [i64; 0]]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_first_and_last_entry_are_those_of_the_dates_whatever_writers_add_move_and_delete_at_one_time() {
    let app = TestApp::new().await;
    let register = app.register().await;
    let patient = app.patient(&register, "Ana", "Anić", app.ustanova, 1).await;
    let writer = async |seed: u64, changes: bool| {
        let mut rng = StdRng::seed_from_u64(seed);
        for turn in 0..20 {
            let mut tx = db::begin(&app.db.owner, db::SYSTEM_WORKER).await.unwrap();
            let entry: i64 = sqlx::query_scalar(
                "insert into entry (pacijent_id, registar_id, tsa_id, datum_unosa, ustanova_id, aktivan)
                 values ($1, $2, $3, date '2020-01-01' + $4::int, $5, $6) returning id",
            )
            .bind(patient)
            .bind(register.id)
            .bind(register.form)
            .bind(if seed.is_multiple_of(2) { turn } else { -turn } + rng.random_range(0..3))
            .bind(app.ustanova)
            .bind(rng.random_ratio(9, 10))
            .fetch_one(&mut *tx)
            .await
            .unwrap();
            let change = match rng.random_range(0..4) {
                0 if changes => "update entry set datum_unosa = datum_unosa + 9 where id = $1",
                1 if changes => "update entry set aktivan = not aktivan where id = $1",
                _ => "select $1",
            };
            sqlx::query(change).bind(entry).execute(&mut *tx).await.unwrap();
            tx.commit().await.unwrap();
        }
    };
    for changes in [false, true] {
        future::join_all((0..6).map(|seed| writer(seed, changes))).await;
        let [kept, counted] = [
            "select broj_unosa::bigint, prvi_unos_id, prvi_unos_datum::text, poslednji_unos_id, poslednji_unos_datum::text
               from patient_register where pacijent_id = $1",
            "with e as (select * from entry where pacijent_id = $1 and aktivan),
                  f as (select * from e order by datum_unosa, id limit 1), l as (select * from e order by datum_unosa desc, id desc limit 1)
             select (select count(*) from e), f.id, f.datum_unosa::text, l.id, l.datum_unosa::text from f, l",
        ]
        .map(|sql| sqlx::query_as::<_, (i64, i64, String, i64, String)>(sql).bind(patient).fetch_one(&app.db.owner));
        assert_eq!(kept.await.unwrap(), counted.await.unwrap());
    }
}

#[tokio::test]
async fn values_of_a_deleted_patient_leave_the_reports() {
    let app = TestApp::new().await;
    let register = app.register().await;
    let patient = app.patient(&register, "Ana", "Anić", app.ustanova, 1).await;
    app.entry(&register, patient, app.druga_ustanova, "2024-01-01", json!({ "broj": 5 })).await;
    app.lay_out(&["update parameter set vrednost = '1' where naziv = 'najmanjaTudjaGrupa'"]).await;
    let values = async |ustanova_id: Option<i64>| {
        let scope = Scope { run: None, radnik_id: app.db.clinician().await, ustanova_id };
        let sql = "select count(*) from report.broj where sifra = 'broj'";
        let found = app.state.report_db.small(scope, sql, &Binds::new(), Duration::from_secs(5), 10).await.unwrap();
        match &found.rows[0][0] {
            Cell::Int(count) => *count,
            other => panic!("a count, not {other:?}"),
        }
    };
    let stranger = crate::support::institution(&app.db, "Klinika C").await;
    let seen = [values(None).await, values(Some(app.ustanova)).await, values(Some(app.druga_ustanova)).await, values(Some(stranger)).await];
    assert_eq!(seen, [1, 1, 1, 0], "all, the patient's institution, the entry's, one that knows neither");
    app.lay_out(&["update patient set aktivan = false"]).await;
    assert_eq!([values(None).await, values(Some(app.ustanova)).await, values(Some(app.druga_ustanova)).await], [0, 0, 0]);
}
