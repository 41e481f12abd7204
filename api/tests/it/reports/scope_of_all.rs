//! A report over all institutions reads nobody's identity, whatever its SQL is.

use std::{collections::BTreeSet, time::Duration};

use domain::{
    access::Right,
    report_sql::{Binds, ReportSqlError, Scope, Small, Value as Cell},
};

use crate::support::{TestApp, institution};

/// Every column of schema "report", and what a scope of all institutions shows of it. A new column must be judged here.
const SHOWN: &[(&str, &str)] = &[
    ("broj", "tip_unosa_id sifra vrednost datum_unosa ustanova_id"),
    ("fajl", "tip_unosa_id datum_unosa ustanova_id polje_id sifra polje vrsta velicina"),
    (
        "nalaz",
        "registar_id tip_unosa_id datum_unosa ustanova_id radnik_odgovoran_id pravilo_id pravilo vrsta tezina polje_id sifra polje stanje pocetak \
         kraj razlog_kraja",
    ),
    ("pacijent", "pol_trenutni pol_na_rodjenju ustanova_id godina_rodjenja datum_smrti"),
    ("pacijent_registar", "registar_id prvi_unos_datum poslednji_unos_datum broj_unosa status status_dan"),
    (
        "polje",
        "id tip_unosa_id sifra naziv redosled relevantni opcioni pretrazuje_se tip_vrednosti jedinica decimale tip_atributa_id vrsta",
    ),
    ("poseta", "registar_id plan sifra naziv red cilj prozor_od prozor_do ceka_do stanje dan kasni_dana ustanova_id radnik_id"),
    ("radnik", "id ustanova_id"),
    ("registar", "id naziv sifra"),
    ("stavka", "id tip_atributa_id naziv num_vrednost redosled sifra"),
    ("status", "registar_id status dan uzrok_sifra uzrok izvor ponisten vazi ustanova_id zabelezeno"),
    ("tip_unosa", "id registar_id naziv prikazni_redosled"),
    (
        "unos",
        "registar_id tip_unosa_id datum_unosa ustanova_id radnik_odgovoran_id popunjeni_relevantni vrednosti popunjena stanje potpisan zavrsen",
    ),
    (
        "upit",
        "registar_id tip_unosa_id datum_unosa ustanova_id polje_id sifra polje poreklo stanje radnik_id dodeljen_id rok kasni postavljen zatvoren \
         poruka",
    ),
    ("ustanova", "id naziv sifra"),
    (
        "vrednost",
        "registar_id tip_unosa_id datum_unosa ustanova_id polje_id sifra polje redosled tip_vrednosti jedinica tekst broj datum izbor vreme trenutak",
    ),
    (
        "vrednost_reda",
        "registar_id tip_unosa_id datum_unosa ustanova_id sekcija_id sekcija_sifra sekcija red polje_id sifra polje redosled tip_vrednosti \
         jedinica tekst broj datum izbor vreme trenutak",
    ),
    ("zastareo", "tip_unosa_id sifra razlog jedinica polje_id polje"),
];
/// Shown as numbers that mean nothing outside the connection.
const MIXED: &[(&str, &str)] = &[
    ("broj", "pacijent_id unos_id"),
    ("fajl", "pacijent_id unos_id"),
    ("nalaz", "id pacijent_id unos_id"),
    ("pacijent", "id"),
    ("pacijent_registar", "pacijent_id"),
    ("status", "id pacijent_id ispravlja_id"),
    ("poseta", "id pacijent_id unos_id"),
    ("unos", "id pacijent_id poseta_id"),
    ("upit", "id pacijent_id unos_id"),
    ("vrednost", "pacijent_id unos_id"),
    ("vrednost_reda", "pacijent_id unos_id"),
    ("zastareo", "unos_id pacijent_id"),
];
/// Not shown.
const HIDDEN: &[(&str, &str)] = &[
    ("clan_kohorte", "kohorta_id unos_id clan"),
    ("fajl", "naziv"),
    (
        "pacijent",
        "ime prezime ime_prezime ime_roditelja datum_rodjenja jmbg lbo broj_kartona adresa kontakt_telefon mobilni_telefon email zanimanje \
         strucna_sprema radno_mesto medicinska_napomena administrativna_napomena",
    ),
    ("radnik", "ime prezime ime_prezime"),
];

/// Each institution has frozen everything.
const WITH_COHORTS: &[&str] = &[
    "insert into cohort (naziv, registar_id, radnik_id, ustanova_id, izbor, zamrznuta, verzije_formulara)
     select 'Kohorta', r.id, 1, i.id, '{}', date '2026-01-01', '{}' from institution i cross join register r",
    "insert into cohort_member (kohorta_id, unos_id, clan) select k.id, e.id, true from cohort k cross join entry e",
];

/// Every entry gets a row of a section that repeats, with a text that says more than it should.
const WITH_ROWS: &[&str] = &[
    "insert into attribute_type (naziv, tip_vrednosti_atributa) values ('sekcija', 8)",
    "insert into form_field (tip_skupa_atributa_id, tip_atributa_id, naziv, redosled, sifra, ponavlja_se)
         select f.id, t.id, 'Terapija', 20, 'terapija', true from form f, attribute_type t where t.naziv = 'sekcija'",
    "insert into form_field (tip_skupa_atributa_id, tip_atributa_id, naziv, redosled, sifra, nadredjeni_atribut_u_tipu_skupa_id)
         select s.tip_skupa_atributa_id, t.id, t.naziv, 21, 'u_redu_' || t.naziv, s.id
           from form_field s, attribute_type t where s.sifra = 'terapija' and t.naziv in ('tekst', 'broj')",
    "update entry e set vrednosti = e.vrednosti || jsonb_build_object(s.id::text, jsonb_build_array(jsonb_build_object('id', 1, 'v',
                jsonb_build_object(t.id::text, 'majka iz Kragujevca, ulica Kragujevac', b.id::text, 7))))
           from form_field s, form_field t, form_field b where s.sifra = 'terapija' and t.sifra = 'u_redu_tekst' and b.sifra = 'u_redu_broj'",
];

/// Every entry gets a file whose name says more than it should.
const WITH_FILES: &[&str] = &[
    "insert into attribute_type (naziv, tip_vrednosti_atributa) values ('prilog', 13)",
    "insert into form_field (tip_skupa_atributa_id, tip_atributa_id, naziv, redosled, sifra)
         select f.id, t.id, 'Nalaz', 30, 'nalaz' from form f, attribute_type t where t.naziv = 'prilog'",
    "update entry e set vrednosti = e.vrednosti || jsonb_build_object(f.id::text, jsonb_build_array(jsonb_build_object(
                'id', 1, 'naziv', 'majka iz Kragujevca.pdf', 'tip', 'pdf', 'velicina', 70, 'sha256', '00')))
           from form_field f where f.sifra = 'nalaz' and f.tip_skupa_atributa_id = e.tsa_id",
];

/// Every entry is a planned visit that has its number.
const WITH_VISITS: &[&str] = &[
    "insert into visit_plan (registar_id, sifra, naziv) select distinct registar_id, 'P', 'Plan' from entry",
    "insert into visit_plan_version (plan_id, broj) select id, 1 from visit_plan",
    "insert into visit_plan_item (plan_version_id, redosled, sifra, naziv, sidro, pomeraj, jedinica, prozor_pre, prozor_posle)
         select id, 1, 'M0', 'Kontrola', 'ukljucenje', 0, 'dan', 0, 0 from visit_plan_version",
    "insert into patient_plan (pacijent_id, registar_id, plan_id, plan_version_id, ukljucenje, ustanova_id)
         select e.pacijent_id, e.registar_id, p.id, v.id, e.datum_unosa, e.ustanova_id
           from entry e join visit_plan p on p.registar_id = e.registar_id join visit_plan_version v on v.plan_id = p.id",
    "delete from planned_visit",
    "insert into planned_visit (id, patient_plan_id, stavka_id, sifra, red, sidro, cilj, prozor_od, prozor_do, ceka_do, unos_id, unos_dan,
                                registar_id, ustanova_id) overriding system value
         select e.id, o.id, i.id, 'M0', 0, e.datum_unosa, e.datum_unosa, e.datum_unosa, e.datum_unosa, e.datum_unosa, e.id, e.datum_unosa,
                e.registar_id, e.ustanova_id
           from entry e join patient_plan o on o.pacijent_id = e.pacijent_id join visit_plan_item i on i.plan_version_id = o.plan_version_id",
];

/// In every entry something was found and is asked about, with words that say more than they should.
const WITH_FINDINGS: &[&str] = &[
    "insert into quality_rule (registar_id, naziv, vrsta) select distinct registar_id, 'Pravilo', 'istiDan' from entry",
    "insert into quality_finding (id, pravilo_id, unos_id, pacijent_id, ustanova_id, otisak, potvrdjen_at, potvrdio_id, napomena)
         overriding system value select e.id, r.id, e.id, e.pacijent_id, e.ustanova_id, 'x', now(), 1, 'majka iz Kragujevca'
           from entry e join quality_rule r on r.registar_id = e.registar_id",
    "insert into question (id, unos_id, pacijent_id, ustanova_id, poreklo, dodeljen_id)
         overriding system value select e.id, e.id, e.pacijent_id, e.ustanova_id, 'kolega', 1 from entry e",
    "insert into question_message (upit_id, vrsta, tekst, stanje, dodeljen_id) select id, 'pitanje', 'majka iz Kragujevca', 'otvoren', 1 from question",
];

fn columns(judged: &'static [(&'static str, &'static str)]) -> impl Iterator<Item = (&'static str, &'static str)> {
    judged.iter().flat_map(|(view, columns)| columns.split_whitespace().map(move |column| (*view, column)))
}

/// What the views hold, before groups are looked at.
async fn of_any_size() -> TestApp {
    let app = TestApp::new().await;
    app.lay_out(&["update parameter set vrednost = '1' where naziv = 'najmanjaTudjaGrupa'"]).await;
    app
}

async fn run(app: &TestApp, ustanova_id: Option<i64>, sql: &str) -> Result<Small, ReportSqlError> {
    run_of(app, app.db.clinician().await, ustanova_id, sql).await
}

async fn run_of(app: &TestApp, radnik_id: i64, ustanova_id: Option<i64>, sql: &str) -> Result<Small, ReportSqlError> {
    app.state.report_db.small(Scope { run: None, radnik_id, ustanova_id }, sql, &Binds::new(), Duration::from_secs(20), 1_000).await
}

async fn one(app: &TestApp, ustanova_id: Option<i64>, sql: &str) -> Cell {
    let found = run(app, ustanova_id, sql).await.unwrap_or_else(|error| panic!("{sql}: {error}"));
    found.rows[0][0].clone()
}

#[tokio::test]
async fn no_column_of_any_view_tells_who_a_patient_is() {
    let app = of_any_size().await;
    let register = app.register().await;
    let person = app.person(&register, app.ustanova, 3).await;
    app.person(&register, app.druga_ustanova, 4).await;
    app.lay_out(&["update patient set strucna_sprema = 'VII', radno_mesto = 'Kragujevac, pijaca'"]).await;
    app.lay_out(WITH_ROWS).await;
    app.lay_out(WITH_FILES).await;
    app.lay_out(WITH_COHORTS).await;
    app.lay_out(WITH_FINDINGS).await;
    app.lekar().await;

    let there: Vec<(String, String)> =
        sqlx::query_as("select table_name::text, column_name::text from information_schema.columns where table_schema = 'report'")
            .fetch_all(&app.db.owner)
            .await
            .unwrap();
    let there: BTreeSet<(&str, &str)> = there.iter().map(|(view, column)| (view.as_str(), column.as_str())).collect();
    let judged: BTreeSet<(&str, &str)> = columns(SHOWN).chain(columns(MIXED)).chain(columns(HIDDEN)).collect();
    assert_eq!(there, judged, "a column that nobody has judged");

    for (view, column) in columns(HIDDEN) {
        let sql = format!("select count({column}) from report.{view}");
        assert_eq!(one(&app, None, &sql).await, Cell::Int(0), "{view}.{column}");
        assert!(matches!(one(&app, Some(app.ustanova), &sql).await, Cell::Int(1..)), "{view}.{column} is there for the institution");
    }
    for (view, column) in columns(SHOWN).chain(columns(MIXED)) {
        let sql = format!("select coalesce(string_agg({column}::text, ' '), '') from report.{view}");
        let Cell::Text(said) = one(&app, None, &sql).await else { panic!("{view}.{column} as a text") };
        let said = domain::fold::fold(&said);
        for secret in person.identity.iter().chain([&person.record["datumRodjenja"].as_str().unwrap().to_owned()]) {
            assert!(!said.contains(&domain::fold::fold(secret)), "{view}.{column} tells {secret}");
        }
        assert!(!said.contains("kragujevac") && !said.contains("majka"), "{view}.{column}: {said}");
    }
    assert_eq!(one(&app, None, "select string_agg(tekst, ' ') from report.vrednost_reda").await, Cell::Text("7 7".to_owned()));
    assert_eq!(one(&app, None, "select count(*) from report.pacijent").await, Cell::Int(2), "everybody is counted");
    assert_eq!(one(&app, Some(app.ustanova), "select count(*) from report.pacijent").await, Cell::Int(1));
    assert_eq!(one(&app, None, "select min(godina_rodjenja) from report.pacijent").await, Cell::Int(1930));
}

/// Of the institution's own patients, by a worker whose roles open none: administering reports opens nobody.
#[tokio::test]
async fn whose_roles_open_no_patient_is_told_of_no_identity_by_a_report() {
    let app = TestApp::new().await;
    let register = app.register().await;
    let person = app.person(&register, app.ustanova, 3).await;
    app.lay_out(&["update patient set strucna_sprema = 'VII', radno_mesto = 'Kragujevac, pijaca'"]).await;
    let designer = app.worker("dizajner", &[Right::Reports, Right::ReportSetup], app.ustanova).await;
    let clinician = app.db.clinician().await;
    app.lay_out(&["update role set pacijenti = 'ne' where ime = 'Uloga radnika dizajner'"]).await;
    let asked = async |radnik: i64, sql: &str| run_of(&app, radnik, Some(app.ustanova), sql).await;

    for column in columns(HIDDEN).filter(|(view, _)| *view == "pacijent").map(|(_, column)| column) {
        for sql in [
            format!("select {column}::text from report.pacijent"),
            format!("select count(*) from report.pacijent where {column} is not null"),
            format!("select p.id from report.pacijent p order by p.{column}"),
        ] {
            let found = asked(designer.id, &sql).await;
            assert!(matches!(found, Err(ReportSqlError::NoIdentity(_))), "{sql}: {found:?}");
            asked(clinician, &sql).await.unwrap_or_else(|error| panic!("{sql}: {error}"));
        }
    }
    for sql in ["select * from report.pacijent", "select p::text from report.pacijent p", "select to_jsonb(p) from report.pacijent p"] {
        assert!(matches!(asked(designer.id, sql).await, Err(ReportSqlError::NoIdentity(_))), "{sql}");
    }
    for sql in ["select jmbg from report_inside.pacijent_ustanove", "select ime from public.patient", "reset role", "set role regix_report"]
    {
        let found = asked(designer.id, sql).await;
        assert!(matches!(found, Err(ReportSqlError::Refused(_) | ReportSqlError::Scan(_))), "{sql}: {found:?}");
    }

    for (view, column) in columns(SHOWN).chain(columns(MIXED)) {
        let sql = format!("select coalesce(string_agg({column}::text, ' '), '') from report.{view}");
        let found = asked(designer.id, &sql).await.unwrap_or_else(|error| panic!("{sql}: {error}"));
        let Cell::Text(said) = &found.rows[0][0] else { panic!("{view}.{column} as a text") };
        let said = domain::fold::fold(said);
        for secret in person.identity.iter().chain([&person.record["datumRodjenja"].as_str().unwrap().to_owned()]) {
            assert!(!said.contains(&domain::fold::fold(secret)), "{view}.{column} tells {secret}");
        }
        assert!(!said.contains("kragujevac") && !said.contains("majka"), "{view}.{column}: {said}");
    }
    let counted = "select count(*) from report.pacijent p join report.unos u on u.pacijent_id = p.id join report.broj b on b.unos_id = u.id where b.sifra = 'broj'";
    assert_eq!(asked(designer.id, counted).await.unwrap().rows[0][0], Cell::Int(1), "statistics stay");

    // A role that opens patients, given later, opens them at the next question.
    app.lay_out(&["update role set pacijenti = 'uvid' where ime = 'Uloga radnika dizajner'"]).await;
    asked(designer.id, "select ime_prezime from report.pacijent").await.expect("patients are open now");
}

#[tokio::test]
async fn ids_join_within_a_run_and_mean_nothing_outside_it() {
    let app = of_any_size().await;
    let register = app.register().await;
    let person = app.person(&register, app.ustanova, 3).await;
    app.lay_out(WITH_ROWS).await;
    app.lay_out(WITH_FILES).await;
    sqlx::query("insert into stale_result (unos_id, polje_id, razlog) values ($1, $2, 'formula')")
        .bind(person.entry)
        .bind(register.fields["broj"])
        .execute(&app.db.owner)
        .await
        .unwrap();
    // A row that stands for itself: each of its ids is one that is asked about.
    let status = "insert into patient_status (id, pacijent_id, status, dan, izvor, ispravlja_id, ustanova_id) overriding system value
                  select e.id, e.pacijent_id, 'preminuo', '2026-11-01', 'potvrda', e.id, e.ustanova_id from entry e";
    app.lay_out(&["alter table patient_status disable trigger patient_status_fits", status]).await;
    app.lay_out(WITH_VISITS).await;
    app.lay_out(WITH_FINDINGS).await;
    let joined = "select count(*) from report.pacijent p join report.unos u on u.pacijent_id = p.id
                    join report.broj b on b.unos_id = u.id and b.pacijent_id = p.id join report.pacijent_registar r on r.pacijent_id = p.id
                   where b.sifra = 'broj'";
    assert_eq!(one(&app, None, joined).await, Cell::Int(1));
    assert_eq!(one(&app, Some(app.ustanova), joined).await, Cell::Int(1));
    for (view, column) in columns(MIXED) {
        let sql = format!("select {column} from report.{view}");
        let real = if column.starts_with("pacijent") || view == "pacijent" { person.id } else { person.entry };
        assert_eq!(one(&app, Some(app.ustanova), &sql).await, Cell::Int(real), "{view}.{column}");
        let (first, second) = (one(&app, None, &sql).await, one(&app, None, &sql).await);
        assert!(first != Cell::Int(real) && first != second, "{view}.{column}: {first:?} {second:?}");
    }
}

#[tokio::test]
async fn what_lies_behind_the_views_is_closed_to_reports() {
    let app = of_any_size().await;
    let register = app.register().await;
    app.person(&register, app.ustanova, 3).await;
    for sql in [
        "select jmbg from report_inside.pacijent_ustanove",
        "select * from report_inside.unos_svih",
        "select tajna from public.report_scope",
        "select ime from public.patient",
        "select ime from public.worker",
        "select * from public.audit_log",
        "select most_common_vals::text from pg_stats where tablename = 'patient' and 1 / 0 = 1 union all select ime from public.patient",
    ] {
        for scope in [None, Some(app.ustanova)] {
            let found = run(&app, scope, sql).await;
            assert!(matches!(found, Err(ReportSqlError::Refused(_))), "{sql}: {found:?}");
        }
    }
    // Conditions that would tell a value by failing on it are asked only of what the scope shows.
    let stranger = institution(&app.db, "Klinika C").await;
    let leak = "select count(*) from report.pacijent where 1 / (case when jmbg is not null then 0 else 1 end) = 1";
    for scope in [None, Some(stranger)] {
        assert_eq!(one(&app, scope, leak).await, Cell::Int(i64::from(scope.is_none())));
    }
}

#[tokio::test]
async fn functions_that_no_report_needs_are_not_its_to_call() {
    let app = TestApp::new().await;
    for sql in [
        "select pg_notify('regix_otkazi', 'x')",
        "select pg_advisory_lock(7)",
        "select pg_try_advisory_xact_lock(7)",
        "select pg_cancel_backend(pid) from pg_stat_activity",
        "select pg_terminate_backend(pid) from pg_stat_activity",
        "select set_config('statement_timeout', '0', false)",
        "select lo_from_bytea(0, 'x')",
        "select pg_logical_emit_message(false, 'a', 'b')",
    ] {
        let found = run(&app, Some(app.ustanova), sql).await;
        assert!(matches!(&found, Err(ReportSqlError::Refused(said)) if said.code == "42501"), "{sql}: {found:?}");
    }
}
