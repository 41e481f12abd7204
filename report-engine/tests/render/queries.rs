//! The shipped queries on a real database: each runs under the report role and gives what its template asks for.
use std::path::PathBuf;
use std::time::Duration;

use domain::report_sql::{Bind, Binds, ReportDb, Scope, Statement, Value as Cell, session_binds};
use domain::testing::{TestDb, database};
use report_engine::plan::{Format, Value};
use report_engine::render::Limits;

use crate::support::{File, context, pdf_text, try_render};

/// Two registers with their forms, forty-one patients of three institutions, and their entries.
const SEED: &str = r#"
select set_config('app.worker', '1', false);
insert into institution (id, naziv, sifra) overriding system value values (101, 'Klinički centar Srbije', 'kcs'),
    (102, 'Institut za reumatologiju', 'ir'), (103, 'Čačak', 'ca');
insert into register (id, naziv, sifra) overriding system value values (201, 'Kardiologija', 'kardiologija'), (202, 'Reumatologija', 'reumatologija');
insert into form (id, registar_id, naziv) overriding system value values (301, 201, 'Hospitalizacija zbog infarkta'), (302, 202, 'Pregled'), (303, 202, 'HAQ-DI');
insert into attribute_type (id, naziv, tip_vrednosti_atributa, decimale_brojne_vrednosti, jedinica) overriding system value values
    (401, 'Broj', 2, 1, 'god'), (402, 'Izbor', 1, null, null), (403, 'Tip', 4, null, null), (404, 'Tekst', 3, null, null),
    (405, 'Indeks', 2, 2, null), (406, 'Datum', 5, null, null);
insert into enum_item (id, tip_atributa_id, naziv, num_vrednost) overriding system value values (501, 403, 'Non-Q', 0), (502, 403, 'Q-talasni', 1);
insert into form_field (id, tip_skupa_atributa_id, tip_atributa_id, naziv, redosled, sifra, relevantni, pretrazuje_se) overriding system value values
    (601, 301, 401, 'Starost', 1, 'starost', true, true), (602, 301, 401, 'Trajanje hospitalizacije', 2, 'trajanjeHospitalizacije', true, true),
    (603, 301, 402, 'Umro', 3, 'umro', true, true), (604, 301, 403, 'Tip infarkta', 4, 'tipInfarkta', false, true),
    (605, 301, 404, 'Nalaz', 5, 'nalaz', false, true), (606, 301, 406, 'Datum kontrole', 6, 'kontrola', false, true),
    (607, 301, 401, 'Trajanje praćenja', 7, 'pracenjeDana', false, true),
    (611, 302, 405, 'DAS28-ESR', 1, 'das28se', true, true), (612, 302, 405, 'DAS28-CRP', 2, 'das28crp', true, true),
    (613, 302, 405, 'CDAI', 3, 'cdai', true, true), (614, 302, 405, 'SDAI', 4, 'sdai', false, true), (615, 303, 405, 'HAQ', 1, 'haq', true, true);
insert into patient (id, ime, prezime, datum_rodjenja, jmbg, lbo, pol_trenutni, kontakt_telefon, ustanova_id) overriding system value
select 1000 + i, 'Živana', (array['Đorđević', 'Čolić', 'Zarić', 'Cvetić'])[1 + i % 4], date '1940-01-01' + i * 97,
       lpad((101930000000 + i)::text, 13, '0'), lpad(i::text, 11, '0'), i % 2 = 0, '011/123456', 101 + i % 3
  from generate_series(0, 40) i;
-- Two hospitalizations for each of the first ten patients; patient 1000 dies in the second one, 1001 long after it.
insert into entry (id, pacijent_id, registar_id, tsa_id, datum_unosa, ustanova_id, popunjeni_relevantni, vrednosti) overriding system value
select 10000 + i, 1000 + i % 10, 201, 301, date '2025-01-10' + i, 101 + i % 3, i < 10,
       jsonb_build_object('601', 55 + i % 10 * 3, '602', 5 + i / 10, '604', jsonb_build_array(501 + i % 2), '605', 'Nalaz "uredan"; čćž', '606', '2025-05-05',
                          '607', case when i = 10 then 6 else 400 end)
       || case when i < 10 then jsonb_build_object('603', false) when i < 12 then jsonb_build_object('603', true) else '{}' end
  from generate_series(0, 19) i;
insert into entry (id, pacijent_id, registar_id, tsa_id, datum_unosa, ustanova_id, popunjeni_relevantni, vrednosti) overriding system value
select 20000 + i, 1010 + i % 30, 202, 302, date '2025-01-15' + (i % 2) * 31, 102, true,
       jsonb_build_object('611', 2 + i % 2, '612', 3, '613', 10, '614', 11)
  from generate_series(0, 59) i;
-- What the queries count is looked at here; what is kept back of few patients, in the tests of the engine.
update parameter set vrednost = '1' where naziv = 'najmanjaTudjaGrupa';
"#;

fn source(name: &str, extension: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("../templates/reports/{name}.{extension}"));
    std::fs::read_to_string(path).expect("a shipped file")
}

async fn seeded() -> TestDb {
    let db = database().await;
    sqlx::raw_sql(SEED).execute(&db.owner).await.expect("the seed fits the schema");
    db
}

struct Answer {
    columns: Vec<String>,
    rows: Vec<Vec<Value>>,
}

async fn ask(db: &TestDb, name: &str, ustanova_id: Option<i64>, given: &[(&str, Bind)]) -> Answer {
    let statement = Statement::scan(&source(name, "sql")).expect("the query scans");
    let mut binds: Binds = session_binds(1, 101, None);
    for optional in ["od", "do", "tipInfarkta", "registar", "pacijent"] {
        binds.insert(optional.to_owned(), Bind::Text(None));
    }
    binds.insert("ustanove".to_owned(), Bind::List(None));
    binds.extend(given.iter().map(|(name, bind)| ((*name).to_owned(), bind.clone())));
    let reports = ReportDb::new(db.app.clone(), &db.report_url, 1).expect("an address");
    let scope = Scope { run: None, radnik_id: db.clinician().await, ustanova_id };
    let mut session = reports.open(scope, "proba", Duration::from_secs(30)).await.expect("a session");
    let columns = session.declare(&statement, &binds, 1000).await.unwrap_or_else(|error| panic!("{name}: {error}"));
    let rows = session.fetch().await.unwrap_or_else(|error| panic!("{name}: {error}"));
    session.close().await;
    Answer { columns, rows: rows.into_iter().map(|row| row.into_iter().map(value).collect()).collect() }
}

fn value(cell: Cell) -> Value {
    match cell {
        Cell::Null => Value::Null,
        Cell::Bool(flag) => Value::Bool(flag),
        Cell::Int(number) => Value::Int(number),
        Cell::Decimal(number) => Value::Decimal(number),
        Cell::Float(number) => Value::Float(number),
        Cell::Text(text) => Value::Text(text),
        Cell::Date(date) => Value::Date(date),
        Cell::DateTime(moment) => Value::DateTime(moment),
    }
}

/// Renders the answer in every format and gives the text of the PDF, with single blanks.
fn shown(name: &str, answer: &Answer) -> String {
    let file = |format: Format| -> File {
        let rows = answer.rows.iter().cloned();
        try_render(&source(name, "hbs"), &context(format), &answer.columns, rows, &Limits::default())
            .unwrap_or_else(|error| panic!("{name} {format}: {error}"))
    };
    file(Format::Xlsx);
    file(Format::Csv);
    let text = pdf_text(&file(Format::Pdf).path);
    text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ") + "\n").collect()
}

fn text(value: &str) -> Bind {
    Bind::Text(Some(value.to_owned()))
}

#[tokio::test]
async fn outcomes_count_each_patient_once_and_every_stay() {
    let db = seeded().await;
    let name = "ishod-po-polu-i-dobi";
    let all = shown(name, &ask(&db, name, None, &[]).await);
    // Twenty stays of 110 days together, ten patients: one died in hospital, two by the end of follow-up.
    assert!(all.contains("Ukupno oba pola 20 10 1 10,0 2 20,0 5,5"), "{all}");
    assert!(all.contains("Ukupno – Muški 10 5 1 20,0 1 20,0 5,5"), "{all}");
    assert!(all.contains("Ukupno – Ženski 10 5 0 0,0 1 20,0 5,5"), "{all}");
    let given = [("od", text("2025-01-20")), ("do", text("2025-12-31")), ("tipInfarkta", text("501"))];
    let some = shown(name, &ask(&db, name, None, &given).await);
    // Only the second stays of the even patients.
    assert!(some.contains("Ukupno oba pola 5 5 1 20,0 1 20,0 6,0"), "{some}");
    let given = [("ustanove", Bind::List(Some(vec!["101".to_owned(), "103".to_owned()])))];
    let some = shown(name, &ask(&db, name, None, &given).await);
    assert!(some.contains("Ukupno oba pola 13 "), "{some}");
}

#[tokio::test]
async fn disease_activity_averages_by_month() {
    let db = seeded().await;
    let name = "aktivnost-bolesti-po-mesecima";
    let all = shown(name, &ask(&db, name, None, &[]).await);
    assert!(all.contains("01.2025. 30 15 2,00 3,00 10,0 11,0\n"), "{all}");
    assert!(all.contains("02.2025. 30 15 3,00 3,00 10,0 11,0\n"), "{all}");
    assert!(all.contains("Ceo period 60 2,50 3,00 10,0 11,0\n"), "{all}");
}

#[tokio::test]
async fn completeness_counts_fields_that_hold_something() {
    let db = seeded().await;
    let name = "popunjenost-unosa";
    let all = shown(name, &ask(&db, name, None, &[("do", text("2025-01-31"))]).await);
    // Twenty stays of three relevant fields, eight without an outcome, and thirty examinations of three.
    assert!(all.contains("Sve ustanove 50 40 80,0 150 142 94,7"), "{all}");
    let first = all.find("Čačak").expect("the institution");
    assert!(all.find("Klinički centar Srbije\n").is_some_and(|second| first < second), "Serbian order: {all}");
}

/// A relevant field of files, which one entry has.
const WITH_FILE: &str = r#"
select set_config('app.worker', '1', false);
insert into attribute_type (id, naziv, tip_vrednosti_atributa) overriding system value values (408, 'Snimak', type_number('fajl'));
insert into form_field (id, tip_skupa_atributa_id, tip_atributa_id, naziv, redosled, sifra, relevantni) overriding system value
values (608, 301, 408, 'Snimak', 8, 'snimak', true);
update entry set vrednosti = vrednosti || '{"608": [{"id": 1, "naziv": "snimak.pdf", "velicina": 1, "tip": "pdf", "sha256": "00"}]}' where id = 10000;
"#;

#[tokio::test]
async fn files_count_as_filled_and_stand_on_the_card_by_their_names() {
    let db = seeded().await;
    sqlx::raw_sql(WITH_FILE).execute(&db.owner).await.expect("the seed fits the schema");
    let name = "popunjenost-unosa";
    let all = shown(name, &ask(&db, name, None, &[("do", text("2025-01-31"))]).await);
    // Each of the twenty stays has one field more, which is filled once.
    assert!(all.contains("Sve ustanove 50 40 80,0 170 143 84,1"), "{all}");
    let name = "karton-pacijenta";
    let card = shown(name, &ask(&db, name, Some(101), &[("pacijent", text("1000"))]).await);
    assert!(card.contains("Snimak snimak.pdf"), "{card}");
}

#[tokio::test]
async fn the_list_of_patients_is_scoped_and_shows_newest_values() {
    let db = seeded().await;
    let name = "lista-pacijenata";
    // A later visit of patient 1003 that tells the age only.
    let later = r#"select set_config('app.worker', '1', false);
        insert into entry (pacijent_id, registar_id, tsa_id, datum_unosa, ustanova_id, popunjeni_relevantni, vrednosti)
        values (1003, 201, 301, '2025-03-01', 101, false, '{"601": 64}')"#;
    sqlx::raw_sql(later).execute(&db.owner).await.expect("an entry");
    let all = ask(&db, name, Some(101), &[("registar", text("201"))]).await;
    // The first institution's own four patients, and those whom it has treated.
    assert_eq!(all.rows.len(), 7);
    let text = shown(name, &all);
    assert!(text.contains("Ukupno pacijenata: 7"), "{text}");
    for newest in [
        "20.01.2025.: Starost 55 god; Trajanje hospitalizacije 6 god",
        "01.03.2025.: Starost 64 god | 23.01.2025.: Trajanje hospitalizacije 6 god",
    ] {
        let newest = Value::Text(newest.to_owned());
        assert!(all.rows.iter().any(|row| row.last() == Some(&newest)), "{newest:?} in {:?}", all.rows);
    }
    let scoped = ask(&db, name, Some(103), &[]).await;
    assert!(scoped.rows.len() < 40 && !scoped.rows.is_empty());
}

#[tokio::test]
async fn numbers_in_a_text_of_a_query_are_written_as_everywhere() {
    let db = database().await;
    let cases: serde_json::Value = serde_json::from_str(include_str!("../../../domain/value-cases.json")).unwrap();
    for case in cases["numbers"].as_array().unwrap() {
        let number = case[0].as_f64().unwrap();
        let written: String =
            sqlx::query_scalar("select report.tekst_broja($1::text::numeric)").bind(number.to_string()).fetch_one(&db.owner).await.unwrap();
        assert_eq!(written, case[1].as_str().unwrap());
    }
}

#[tokio::test]
async fn a_card_holds_every_value_and_is_closed_to_strangers() {
    let db = seeded().await;
    sqlx::raw_sql(
        "select set_config('app.worker', '1', false);
         update entry set vrednosti = vrednosti || '{\"601\": 55.125, \"602\": 2108.5}' where id = 10000",
    )
    .execute(&db.owner)
    .await
    .unwrap();
    let name = "karton-pacijenta";
    let given = [("pacijent", text("1000"))];
    let card = shown(name, &ask(&db, name, Some(101), &given).await);
    for wanted in [
        "Đorđević Živana",
        "Kardiologija",
        "Starost 55,125 god",
        "Trajanje hospitalizacije 2.108,5 god",
        "Umro Da",
        "Tip infarkta Non-Q",
        "Nalaz Nalaz \"uredan\"; čćž",
        "Datum kontrole 05.05.2025.",
    ] {
        assert!(card.contains(wanted), "{wanted} in {card}");
    }
    let without_entries = shown(name, &ask(&db, name, Some(102), &[("pacijent", text("1040"))]).await);
    assert!(without_entries.contains("Pacijent nema unosa."), "{without_entries}");
    assert!(!ask(&db, name, Some(101), &given).await.rows.is_empty(), "the institution that registered the patient");
    assert!(ask(&db, name, Some(103), &given).await.rows.is_empty(), "an institution that does not know the patient");
    assert!(ask(&db, name, None, &given).await.rows.is_empty(), "a scope of all institutions knows nobody by a number");
    let unknown = shown(name, &ask(&db, name, Some(101), &[("pacijent", text("5"))]).await);
    assert!(unknown.contains("Pacijent nije pronađen"), "{unknown}");
}

/// One entry with a searchable field and one of each kind that is not; a blank one and an empty list hold no value.
const NOT_SEARCHABLE: &str = r#"
select set_config('app.worker', '1', false);
insert into form (id, registar_id, naziv) overriding system value values (304, 201, 'Svih vrsta');
insert into attribute_type (id, naziv, tip_vrednosti_atributa) overriding system value values (407, 'Crtež', type_number('slikovni'));
insert into form_field (id, tip_skupa_atributa_id, tip_atributa_id, naziv, redosled, sifra, relevantni, pretrazuje_se) overriding system value values
    (640, 304, 401, 'Traženi broj', 0, 'trazen', false, true), (641, 304, 401, 'Broj', 1, 'broj', false, false),
    (642, 304, 402, 'Izbor', 2, 'izbor', false, false), (643, 304, 402, 'Drugi izbor', 3, 'drugi', false, false),
    (644, 304, 403, 'Skup', 4, 'skup', false, false), (645, 304, 404, 'Tekst', 5, 'tekst', false, false),
    (646, 304, 406, 'Datum', 6, 'datum', false, false), (647, 304, 407, 'Crtež', 7, 'crtez', false, false),
    (648, 304, 404, 'Prazno', 8, 'prazno', false, false), (649, 304, 403, 'Prazan skup', 9, 'prazanSkup', false, false);
insert into entry (id, pacijent_id, registar_id, tsa_id, datum_unosa, ustanova_id, popunjeni_relevantni, vrednosti) overriding system value
values (30000, 1000, 201, 304, '2025-03-01', 101, true, '{"640": 7, "641": 12.50, "642": true, "643": false, "644": [502, 501],
    "645": "Đak; \"prvak\"", "646": "2025-02-28", "647": "data:image/png;base64,iVBORw0KGgo=", "648": "", "649": []}');
"#;

#[tokio::test]
async fn fields_that_are_not_searched_stand_in_the_view_of_all_values_by_their_kinds_and_not_in_that_of_numbers() {
    let db = seeded().await;
    sqlx::raw_sql(NOT_SEARCHABLE).execute(&db.owner).await.expect("the seed fits the schema");
    let reports = ReportDb::new(db.app.clone(), &db.report_url, 1).expect("an address");
    let read = async |sql: &str| -> Vec<Vec<String>> {
        let scope = Scope { run: None, radnik_id: db.clinician().await, ustanova_id: Some(101) };
        let mut session = reports.open(scope, "proba", Duration::from_secs(30)).await.expect("a session");
        let statement = Statement::scan(sql).expect("the query scans");
        session.declare(&statement, &session_binds(1, 101, None), 1000).await.expect("the query runs");
        let rows = session.fetch().await.expect("rows");
        session.close().await;
        let cell = |cell: Cell| if let Cell::Text(text) = cell { text } else { format!("{cell:?}") };
        rows.into_iter().map(|row| row.into_iter().map(cell).collect()).collect()
    };
    let values = "select sifra, coalesce(tekst, '-'), coalesce(broj::text, '-'), coalesce(datum::text, '-'), coalesce(izbor::text, '-')
                    from report.vrednost where unos_id = 30000 order by redosled";
    assert_eq!(
        read(values).await,
        [
            ["trazen", "7", "7", "-", "-"],
            ["broj", "12,5", "12.50", "-", "-"],
            ["izbor", "Da", "-", "-", "true"],
            ["drugi", "Ne", "-", "-", "false"],
            ["skup", "Non-Q, Q-talasni", "-", "-", "-"],
            ["tekst", "Đak; \"prvak\"", "-", "-", "-"],
            ["datum", "28.02.2025.", "-", "2025-02-28", "-"],
            ["crtez", "slika", "-", "-", "-"],
        ]
    );
    assert_eq!(read("select sifra, vrednost::float8::text from report.broj where unos_id = 30000").await, [["trazen", "7"]]);
}
