//! The demo: what is in the database equals an independent reading of the study's file, and a second load changes nothing.

use std::collections::BTreeMap;

use domain::testing::{self, TestDb};
use interchange::{demo, import::progress::Progress};
use jiff::civil::date;

const STUDY: &str = include_str!("../../demo/whas500.csv");

/// One load serves all that looks at it: loading takes seconds.
#[tokio::test]
async fn the_demo_loads_once_and_is_right() {
    let db = testing::database().await;
    let outcome = demo::load(&db.owner, date(2026, 6, 1), &mut Progress::Silent).await.unwrap();
    assert_eq!(outcome, demo::DemoState::Now);
    kardiologija_holds_the_study_to_the_last_value(&db).await;
    patients_fit_their_admission_and_their_numbers(&db).await;
    nothing_lies_in_the_future(&db).await;
    it_shows_what_is_asked_of_patients(&db).await;
    it_shows_what_a_form_can_have(&db).await;
    joints_count_themselves(&db).await;
    indices_of_reumatologija_are_what_their_definitions_say(&db).await;
    haq_is_the_mean_of_its_sections_when_six_are_answered(&db).await;
    every_report_is_offered_with_its_formats_and_options(&db).await;
    a_second_load_changes_nothing(&db).await;
}

/// Count and sum of every column of the study, read without the product's code.
fn study() -> BTreeMap<String, (i64, f64)> {
    let mut lines = STUDY.lines();
    let header: Vec<&str> = lines.next().unwrap().split(',').collect();
    let mut sums = BTreeMap::new();
    for line in lines {
        for (name, cell) in header.iter().zip(line.split(',')) {
            let (count, sum) = sums.entry((*name).to_owned()).or_insert((0, 0.0));
            *count += 1;
            *sum += cell.parse::<f64>().unwrap();
        }
    }
    sums
}

async fn kardiologija_holds_the_study_to_the_last_value(db: &TestDb) {
    // Sets are summed by the items' numbers: their ids say nothing.
    let stored: Vec<(String, i64, f64)> = sqlx::query_as(
        "select f.sifra, count(*), sum(case t.tip_vrednosti_atributa when 4 then (select i.num_vrednost::float8 from enum_item i where i.id::text = j.val ->> 0)
                                             when 1 then (j.val = 'true')::int::float8 else (j.val #>> '{}')::float8 end)
           from entry e join form o on o.id = e.tsa_id join register r on r.id = o.registar_id and r.sifra = 'kardiologija'
           join form_field f on f.tip_skupa_atributa_id = o.id join attribute_type t on t.id = f.tip_atributa_id
          cross join lateral (select e.vrednosti -> f.id::text as val) j
          where e.aktivan and j.val is not null group by 1",
    )
    .fetch_all(&db.owner)
    .await
    .unwrap();
    let stored: BTreeMap<_, _> = stored.into_iter().map(|(code, count, sum)| (code, (count, sum))).collect();
    let study = study();
    let columns = [
        ("starost", "age"),
        ("puls", "hr"),
        ("sistolni", "sysbp"),
        ("dijastolni", "diasbp"),
        ("bmi", "bmi"),
        ("kvb", "cvd"),
        ("fibrilacija", "afb"),
        ("sok", "sho"),
        ("insuficijencija", "chf"),
        ("avBlok", "av3"),
        ("redInfarkta", "miord"),
        ("tipInfarkta", "mitype"),
        ("trajanjeHospitalizacije", "los"),
        ("pracenjeDana", "lenfol"),
        ("umro", "fstat"),
    ];
    assert_eq!(stored.len(), columns.len(), "{:?}", stored.keys());
    for (code, column) in columns {
        let ((count, sum), (expected_count, expected_sum)) = (stored[code], study[column]);
        assert_eq!(count, expected_count, "{code}");
        assert!((sum - expected_sum).abs() < 1e-6, "{code}: {sum} is not {expected_sum}");
    }
    let women: i64 = sqlx::query_scalar(
        "select count(*) from patient p join patient_register pr on pr.pacijent_id = p.id join register r on r.id = pr.registar_id
          where r.sifra = 'kardiologija' and not p.pol_trenutni and pr.broj_unosa = 1",
    )
    .fetch_one(&db.owner)
    .await
    .unwrap();
    assert_eq!(women as f64, study["gender"].1);
}

async fn patients_fit_their_admission_and_their_numbers(db: &TestDb) {
    let odd: Vec<String> = sqlx::query_scalar(
        "select p.jmbg from patient p join entry e on e.pacijent_id = p.id join form o on o.id = e.tsa_id
           join register r on r.id = o.registar_id and r.sifra = 'kardiologija'
           join form_field f on f.tip_skupa_atributa_id = o.id and f.sifra = 'starost'
          where extract(year from age(e.datum_unosa, p.datum_rodjenja)) <> (e.vrednosti ->> f.id::text)::numeric",
    )
    .fetch_all(&db.owner)
    .await
    .unwrap();
    assert_eq!(odd, Vec::<String>::new());
    let (years, institutions): (i64, i64) = sqlx::query_as(
        "select count(distinct extract(year from datum_unosa)), count(distinct ustanova_id) from entry e
           join register r on r.id = e.registar_id where r.sifra = 'kardiologija'",
    )
    .fetch_one(&db.owner)
    .await
    .unwrap();
    assert_eq!((years, institutions), (8, 3), "2018 to 2025");
}

/// Every visit and every date that one holds, and every follow-up to its last day.
async fn nothing_lies_in_the_future(db: &TestDb) {
    let (visits, dates, ends): (Option<String>, Option<String>, Option<String>) = sqlx::query_as(
        "select max(e.datum_unosa)::text, max(case when t.tip_vrednosti_atributa = 5 then v.value #>> '{}' end),
                max(case when f.sifra = 'pracenjeDana' then e.datum_unosa + (v.value #>> '{}')::float8::int end)::text
           from entry e cross join lateral jsonb_each(e.vrednosti) v
           join form_field f on f.id = v.key::bigint join attribute_type t on t.id = f.tip_atributa_id",
    )
    .fetch_one(&db.owner)
    .await
    .unwrap();
    for last in [visits, dates] {
        assert!(last.as_deref() < Some("2026-06-01"), "{last:?}");
    }
    assert!(ends.as_deref() <= Some("2025-12-31") && ends.as_deref() > Some("2025-06-01"), "{ends:?}");
}

async fn it_shows_what_a_form_can_have(db: &TestDb) {
    type Shown = (i64, i64, i64, i64, i64, i64, i64);
    let shown: Vec<Shown> = sqlx::query_as(
        "select count(*) filter (where f.prikazi_prethodnu), count(*) filter (where f.ponavlja_se), count(*) filter (where f.obavezan_ako is not null),
                count(*) filter (where t.tip_vrednosti_atributa = 13), count(*) filter (where jsonb_array_length(t.druge_jedinice) > 0),
                (select count(*) from form o cross join lateral jsonb_array_elements(o.pravila) p where o.registar_id = r.id and p ->> 'vrsta' = 'greska'),
                (select count(*) from form o cross join lateral jsonb_array_elements(o.pravila) p where o.registar_id = r.id and p ->> 'vrsta' = 'upozorenje')
           from register r join form o on o.registar_id = r.id join form_field f on f.tip_skupa_atributa_id = o.id
           join attribute_type t on t.id = f.tip_atributa_id group by r.id order by r.sifra",
    )
    .fetch_all(&db.owner)
    .await
    .unwrap();
    assert_eq!(shown, [(5, 1, 1, 1, 1, 2, 1), (7, 1, 1, 1, 2, 2, 1)]);
    // A laboratory result or a finding is no box to tick: what was not asked is blank.
    let boxes: Vec<String> = sqlx::query_scalar(
        "select f.sifra from form_field f join attribute_type t on t.id = f.tip_atributa_id
          where t.tip_vrednosti_atributa = 1 and (f.ima_cek_box or not f.radio_button) and f.image_coordinate_x is null and f.sifra !~ '^haq[A-H]Pomoc$'",
    )
    .fetch_all(&db.owner)
    .await
    .unwrap();
    assert_eq!(boxes, [""; 0]);
    let (drugs, visits, typed): (i64, i64, i64) = sqlx::query_as(
        "select sum(jsonb_array_length(v.value)), count(*), count(*) filter (where e.uneto_u is not null)
           from entry e cross join lateral jsonb_each(e.vrednosti) v join form_field f on f.id = v.key::bigint and f.ponavlja_se",
    )
    .fetch_one(&db.owner)
    .await
    .unwrap();
    assert!(visits > 500 && drugs > visits && typed > 400, "{drugs} drugs and {typed} numbers in other units, of {visits} visits");
}

/// A status has causes to choose from, and a consent has a text; whom nobody asked is in research as before.
async fn it_shows_what_is_asked_of_patients(db: &TestDb) {
    let shown: Vec<(i64, i64, i64)> = sqlx::query_as(
        "select cardinality(string_to_array(r.uzroci_statusa, E'\\n'))::bigint, (select count(*) from consent_text t where t.registar_id = r.id and t.broj = 1),
                (select count(*) from patient_register h where h.registar_id = r.id and not h.za_istrazivanje)
           from register r order by r.sifra",
    )
    .fetch_all(&db.owner)
    .await
    .unwrap();
    assert_eq!(shown, [(6, 2, 0), (6, 2, 0)]);
}

async fn indices_of_reumatologija_are_what_their_definitions_say(db: &TestDb) {
    #[derive(sqlx::FromRow)]
    struct Visit {
        tjc28: Option<f64>,
        sjc28: Option<f64>,
        se: Option<f64>,
        crp: Option<f64>,
        gh: Option<f64>,
        ptga: Option<f64>,
        phga: Option<f64>,
        das28se: Option<f64>,
        das28crp: Option<f64>,
        cdai: Option<f64>,
        sdai: Option<f64>,
    }
    let visits: Vec<Visit> = sqlx::query_as(
        "select w.* from entry e join form o on o.id = e.tsa_id and o.sifra_veza = 'pregled'
          cross join lateral (select jsonb_object_agg(f.sifra, v.value) as by_code from jsonb_each(e.vrednosti) v join form_field f on f.id = v.key::bigint) c
          cross join lateral jsonb_to_record(c.by_code) as w(tjc28 float8, sjc28 float8, se float8, crp float8, gh float8, ptga float8, phga float8,
                                                             das28se float8, das28crp float8, cdai float8, sdai float8)",
    )
    .fetch_all(&db.owner)
    .await
    .unwrap();
    assert!(visits.len() > 500, "{} visits", visits.len());
    let mut blank = 0;
    for visit in &visits {
        let all = |parts: &[Option<f64>]| parts.iter().copied().collect::<Option<Vec<f64>>>();
        let joints = all(&[visit.tjc28, visit.sjc28]).map(|j| 0.56 * j[0].sqrt() + 0.28 * j[1].sqrt());
        let das28se = all(&[joints, visit.se, visit.gh]).map(|v| v[0] + 0.70 * v[1].ln() + 0.014 * v[2]);
        let das28crp = all(&[joints, visit.crp, visit.gh]).map(|v| v[0] + 0.36 * (v[1] + 1.0).ln() + 0.014 * v[2] + 0.96);
        let cdai = all(&[visit.tjc28, visit.sjc28, visit.ptga, visit.phga]).map(|v| v.iter().sum::<f64>());
        let sdai = all(&[cdai, visit.crp]).map(|v| v[0] + v[1] / 10.0);
        for (stored, expected) in [(visit.das28se, das28se), (visit.das28crp, das28crp), (visit.cdai, cdai), (visit.sdai, sdai)] {
            blank += usize::from(expected.is_none());
            match (stored, expected) {
                (Some(stored), Some(expected)) => assert!((stored - expected).abs() < 0.005_001, "{stored} is not {expected}"),
                (stored, expected) => assert_eq!(stored, expected),
            }
        }
    }
    assert!(blank > 20, "only {blank} results are blank, so nothing shows that a blank input makes a blank result");
}

/// A count is what is marked on the picture; where the picture was not used, it is what was typed, and no joint has an answer.
async fn joints_count_themselves(db: &TestDb) {
    let visits: Vec<(i64, i64, Option<f64>, Option<f64>)> = sqlx::query_as(
        "select count(*) filter (where f.sifra ~ '^bol[A-Z].*[DL]$' and v.value = 'true'),
                count(*) filter (where f.sifra ~ '^otok[A-Z].*[DL]$' and v.value = 'true'),
                max(case when f.sifra = 'tjc28' then v.value::text::float8 end), max(case when f.sifra = 'sjc28' then v.value::text::float8 end)
           from entry e join form o on o.id = e.tsa_id and o.sifra_veza = 'pregled'
          cross join lateral jsonb_each(e.vrednosti) v join form_field f on f.id = v.key::bigint group by e.id",
    )
    .fetch_all(&db.owner)
    .await
    .unwrap();
    let marked = visits.iter().filter(|(tender, swollen, ..)| tender + swollen > 0).count();
    assert!(marked > 300, "{marked} visits with joints on the pictures");
    for (tender, swollen, tjc28, sjc28) in visits {
        assert!(tjc28.is_some() && sjc28.is_some());
        for (marked, counted) in [(tender, tjc28), (swollen, sjc28)] {
            assert!(marked == 0 || counted == Some(marked as f64), "{marked} marked, {counted:?} counted");
        }
    }
}

async fn haq_is_the_mean_of_its_sections_when_six_are_answered(db: &TestDb) {
    let sections = sqlx::query_as::<_, (i64, Option<f64>, Vec<f64>)>(
        "select e.id, max(v.num) filter (where f.sifra = 'haq'), coalesce(array_agg(v.num) filter (where f.sifra ~ '^haq[A-H]$'), '{}')
           from entry e join form o on o.id = e.tsa_id and o.sifra_veza = 'haqDi'
          cross join lateral (select key::bigint as id, case jsonb_typeof(value) when 'number' then value::float8 end as num from jsonb_each(e.vrednosti)) v
           join form_field f on f.id = v.id group by 1",
    )
    .fetch_all(&db.owner)
    .await
    .unwrap();
    let (mut full, mut seven, mut five) = (0, 0, 0);
    for (id, haq, sections) in sections {
        match sections.len() {
            8 => full += 1,
            7 => seven += 1,
            _ => five += 1,
        }
        let mean = (sections.len() >= 6).then(|| sections.iter().sum::<f64>() / sections.len() as f64);
        match (haq, mean) {
            (Some(haq), Some(mean)) => assert!((haq - mean).abs() < 0.005_001, "entry {id}: {haq} is not {mean}"),
            (haq, mean) => assert_eq!(haq, mean, "entry {id}"),
        }
    }
    assert!(full > 400 && seven > 5 && five > 3, "{full} full, {seven} with seven, {five} with five sections");
}

async fn every_report_is_offered_with_its_formats_and_options(db: &TestDb) {
    let reports: Vec<(String, String, i64, i64)> = sqlx::query_as(
        "select r.jasper_fajl, r.obim, (select count(*) from report_format_link l where l.izvestaj_id = r.id),
                (select count(*) from report_parameter p where p.izvestaj_id = r.id and p.aktivan)
           from report r where r.prikazuje_se and r.aktivan order by 1",
    )
    .fetch_all(&db.owner)
    .await
    .unwrap();
    let of = |name: &str, obim: &str, parameters| (name.to_owned(), obim.to_owned(), 3_i64, parameters);
    let expected = [
        of("aktivnost-bolesti-po-mesecima", "sve", 3),
        of("indikatori-infarkt", "sve", 2),
        of("indikatori-reumatoidni-artritis", "sve", 2),
        of("infarkt-statistika", "ustanova", 2),
        of("ishod-po-polu-i-dobi", "sve", 4),
        of("karton-pacijenta", "ustanova", 1),
        of("kvalitet-podataka", "sve", 4),
        of("lista-pacijenata", "ustanova", 1),
        of("nalazi-pravila", "sve", 4),
        of("popunjenost-unosa", "sve", 3),
        of("posete-po-ustanovama", "sve", 3),
        of("propustene-posete", "ustanova", 3),
        of("reumatoidni-artritis-statistika", "ustanova", 2),
        of("termini-pacijenta", "ustanova", 1),
        of("upiti-po-mesecima", "sve", 4),
    ];
    assert_eq!(reports, expected);

    // The queries run as they do for a worker: under the report role, on a connection with a scope.
    let queries: Vec<(String, String)> =
        sqlx::query_as("select naziv, upit from report_parameter_type where tip_recnika = 4 order by naziv")
            .fetch_all(&db.owner)
            .await
            .unwrap();
    let mut connection = db.report.acquire().await.unwrap();
    let pid: i32 = sqlx::query_scalar("select pg_backend_pid()").fetch_one(&mut *connection).await.unwrap();
    sqlx::query("insert into report_scope (pid, radnik_id, ustanova_id) select $1, 1, id from institution where sifra = 'IRH'")
        .bind(pid)
        .execute(&db.owner)
        .await
        .unwrap();
    for (naziv, query) in queries {
        let options = sqlx::raw_sql(sqlx::AssertSqlSafe(query)).fetch_all(&mut *connection).await.unwrap().len();
        match naziv.as_str() {
            "Ustanove" => assert_eq!(options, 3),
            "Registar" | "Tip infarkta" => assert_eq!(options, 2, "{naziv}"),
            _ => assert!((50..500).contains(&options), "{naziv}: {options}, not those of one institution"),
        }
    }
}

async fn a_second_load_changes_nothing(db: &TestDb) {
    let state = async || {
        sqlx::query_scalar::<_, String>(
            "select format('%s %s %s %s %s', (select count(*) from audit_log), (select count(*) from entry), (select count(*) from patient),
                           (select max(verzija) from entry), (select string_agg(password_hash, ',' order by id) from worker))",
        )
        .fetch_one(&db.owner)
        .await
        .unwrap()
    };
    let before = state().await;
    assert_eq!(demo::load(&db.owner, date(2026, 6, 1), &mut Progress::Silent).await.unwrap(), demo::DemoState::Before);
    assert_eq!(state().await, before);
}

#[tokio::test]
async fn patients_of_others_forbid_the_demo() {
    let other = testing::database().await;
    let mut tx = domain::db::begin(&other.owner, domain::db::SYSTEM_WORKER).await.unwrap();
    sqlx::raw_sql(
        "insert into institution (naziv) values ('Bolnica');
         insert into patient (ime, prezime, datum_rodjenja, jmbg, lbo, pol_trenutni, kontakt_telefon, ustanova_id)
         select 'Ana', 'Anić', '1990-01-01', '0101990710059', '12345678901', true, '011/123456', id from institution",
    )
    .execute(&mut *tx)
    .await
    .unwrap();
    tx.commit().await.unwrap();
    let refused = demo::load(&other.owner, date(2026, 6, 1), &mut Progress::Silent).await.unwrap_err();
    assert!(refused.to_string().contains("nisu iz demoa"), "{refused}");
    let workers: i64 = sqlx::query_scalar("select count(*) from worker where username = 'lekar'").fetch_one(&other.owner).await.unwrap();
    assert_eq!(workers, 0);
}
