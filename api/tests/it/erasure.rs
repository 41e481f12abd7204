//! An erasure against the catalogue: every column has its rule (docs/erasure.md), every rule is seen at work, and what waits about the
//! patient ends.

use std::collections::{BTreeMap, BTreeSet};

use accounts::rights::Right;
use base64::{Engine, prelude::BASE64_STANDARD};
use domain::{fold::fold, testing};
use serde_json::{Value, json};

use crate::{
    anonymisation::Case,
    reports::{Field, Report, TEXT, merge},
    support::Worker,
};

const RULES: &str = include_str!("../../../docs/erasure.md");

/// What becomes of a column, as the page says it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Rule {
    Cleared,
    Ended,
    WithTheRow,
    Kept,
    Nothing,
}

/// By `table.column`.
fn rules() -> BTreeMap<String, Rule> {
    let mut rules = BTreeMap::new();
    for line in RULES.lines().filter_map(|line| line.strip_prefix("| ")) {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let rule = match cells[2] {
            "cleared" => Rule::Cleared,
            "ended" => Rule::Ended,
            "with the row" => Rule::WithTheRow,
            "kept" => Rule::Kept,
            "nothing" => Rule::Nothing,
            "rule" => continue,
            other => panic!("{other} is no rule: {line}"),
        };
        assert!(rule == Rule::WithTheRow || rule == Rule::Cleared || !cells[3].is_empty(), "why? {line}");
        for column in cells[1].split_whitespace() {
            let place = format!("{}.{column}", cells[0]);
            assert_eq!(rules.insert(place.clone(), rule), None, "{place} has two rules");
        }
    }
    rules
}

#[tokio::test]
async fn every_column_has_a_rule() {
    let db = testing::database().await;
    let columns: Vec<String> = sqlx::query_scalar(
        "select c.relname || '.' || a.attname from pg_class c join pg_attribute a on a.attrelid = c.oid
          where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace and a.attnum > 0 and not a.attisdropped
            and a.atttypid not in ('boolean'::regtype, 'timestamptz'::regtype)
            -- Ids tell nothing without the record.
            and not (a.atttypid in ('bigint'::regtype, 'integer'::regtype, 'smallint'::regtype)
                     and exists (select from pg_constraint k where k.conrelid = c.oid and k.contype in ('p', 'f') and a.attnum = any (k.conkey)))",
    )
    .fetch_all(&db.owner)
    .await
    .unwrap();
    let (there, ruled): (BTreeSet<String>, BTreeSet<String>) = (columns.into_iter().collect(), rules().into_keys().collect());
    let without: Vec<_> = there.difference(&ruled).collect();
    assert!(without.is_empty(), "say in docs/erasure.md what an erasure does with {without:?}");
    let gone: Vec<_> = ruled.difference(&there).collect();
    assert!(gone.is_empty(), "docs/erasure.md speaks of what is not there: {gone:?}");
}

/// What only the database's owner can put where the patient may be named, or what takes long to be made otherwise.
const PLACES: [&str; 29] = [
    "update patient set strucna_sprema = 'zvrkokret prvi nalaz', radno_mesto = 'zvrkokret drugi nalaz' where id = $1",
    "insert into data_import (radnik_id, ustanova_id, registar_id, fajl, sha256, redova, izvor, status, ishod)
     select 1, p.ustanova_id, r.id, p.prezime || ' ' || p.ime || '.csv', '00', 1, p.prezime || ' ' || p.ime, 'done',
            jsonb_build_object('upozorenja', jsonb_build_array(jsonb_build_object('kolona', p.jmbg, 'poruka', 'x', 'broj', 1, 'redovi', '[]'::jsonb)))
       from patient p, register r where p.id = $1 order by r.id limit 1",
    "with i as (insert into data_import (radnik_id, ustanova_id, registar_id, fajl, sha256, redova, izvor)
                select 1, p.ustanova_id, r.id, 'spisak.csv', '00', 1, 'spisak' from patient p, register r where p.id = $1 order by r.id limit 1 returning id)
     insert into data_import_file (uvoz_id, sadrzaj, mapiranje, greske)
     select i.id, convert_to('ime;jmbg' || chr(10) || p.ime || ';' || p.jmbg, 'UTF8'), jsonb_build_object('constant', p.lbo), jsonb_build_array(p.prezime)
       from i, patient p where p.id = $1",
    "insert into import_mapping (registar_id, ustanova_id, naziv, izvor, mapiranje, radnik_id)
     select r.id, p.ustanova_id, p.prezime || ' ' || p.ime, p.prezime || ' ' || p.ime, jsonb_build_object(p.jmbg, p.lbo), 1
       from patient p, register r where p.id = $1 order by r.id limit 1",
    "insert into import_record (izvor, kljuc, pacijent_id) select 'ustanova 1/' || p.prezime || ' ' || p.ime, 'pacijent:1', p.id from patient p where p.id = $1",
    "insert into saved_search (radnik_id, ustanova_id, registar_id, naziv, upit)
     select 1, p.ustanova_id, r.id, p.prezime || ' ' || p.ime, jsonb_build_object('napomena', p.jmbg) from patient p, register r
      where p.id = $1 order by r.id limit 1",
    "insert into data_export (registar_id, red, ustanove, profil, razlog, redova, pacijenata)
     select r.id, 'pacijent', array[p.ustanova_id], 'identitet', 'Spisak za ' || p.ime || ' ' || p.prezime, 1, 1
       from patient p, register r where p.id = $1 order by r.id limit 1",
    "update report_schedule s set parametri = s.parametri || jsonb_build_object('broj', p.jmbg) from patient p where p.id = $1",
    "update report_run r set parametri = r.parametri || jsonb_build_object('broj', p.jmbg), error_text = 'nema ' || p.jmbg, error_detail = jsonb_build_object('vrednost', p.jmbg), ekran_pocetak = jsonb_build_object('linije', p.jmbg) from patient p where p.id = $1",
    "update report_delivery d set smtp_text = '550 <' || p.email || '>' from patient p where p.id = $1",
    "insert into recipient_group (naziv, emails) select 'Porodica ' || p.prezime || ' ' || p.ime, '{}' from patient p where p.id = $1",
    "update mail_server s set answer = '550 ' || p.email from patient p where p.id = $1",
    "insert into report_definition (izvestaj_id, broj, upit, sablon, napomena, radnik_id, izbor)
     select r.id, 99, 'select 1 where ''' || p.jmbg || ''' = ''1''', '{{! ' || p.lbo || ' }}', p.prezime || ' ' || p.ime, 1, jsonb_build_object('vrednost', p.jmbg)
       from report r, patient p where p.id = $1 order by r.id limit 1",
    "insert into cohort (naziv, registar_id, radnik_id, ustanova_id, izbor)
     select 'Kao ' || p.prezime || ' ' || p.ime, r.id, 1, p.ustanova_id, jsonb_build_object('vrednost', p.jmbg)
       from register r, patient p where p.id = $1 order by r.id limit 1",
    "with i as (insert into report (naziv, numericka_vrednost, jasper_fajl, vlasnik_id)
                select p.prezime || ' ' || p.ime, 0, 'analiza', 1 from patient p where p.id = $1 returning id, naziv)
     insert into analysis (naziv, kohorta_id, izvestaj_id, radnik_id, ustanova_id, izbor)
     select i.naziv, k.id, i.id, 1, k.ustanova_id, jsonb_build_object('naziv', i.naziv) from i, cohort k order by k.id desc limit 1",
    "update report_parameter x set podrazumevano = p.jmbg from patient p where p.id = $1",
    "insert into number_check (radnik_id, otisak) select 1, sha256(convert_to(p.jmbg, 'UTF8')) from patient p where p.id = $1",
    "insert into entry_file (pacijent_id, polje_id, radnik_id, naziv, vrsta, velicina, sha256, putanja)
     select p.id, f.id, 1, p.prezime || '.pdf', 'pdf', 1, '\\x00', 'prilozi/00/x.pdf' from patient p, form_field f where p.id = $1 order by f.id limit 1",
    "insert into search_of_others (radnik_id, otisak, vreme) select 1, sha256(convert_to(p.ime, 'UTF8')), now() - interval '2 hours' from patient p where p.id = $1",
    "insert into import_record (izvor, kljuc, pacijent_id) select 'kartoteka', 'pacijent:' || p.lbo, p.id from patient p where p.id = $1",
    "insert into patient (ime, prezime, datum_rodjenja, jmbg, lbo, pol_trenutni, kontakt_telefon, ustanova_id)
     select 'Drugi', 'Čovek', '1980-01-01', '0101980710009', '99999999999', true, '011/9999999', p.ustanova_id from patient p where p.id = $1",
    "insert into patient_transfer (pacijent_id, ustanova_id, za_ustanovu_id, razlog, radnik_id, status, odgovorio_id, odgovoreno_at, razlog_odgovora)
     select p.id, p.ustanova_id, u.id, 'Zvala je ' || p.ime || ' ' || p.prezime, 1, 'odbijen', 1, now(), 'Nije ovde ' || p.ime || ' ' || p.prezime
       from patient p, institution u where p.id = $1 and u.id <> p.ustanova_id order by u.id limit 1",
    "insert into patient_merge_proposal (pobednik_id, gubitnik_id, od_gubitnika, razlog, ustanova_id, za_ustanovu_id, radnik_id, status, odgovorio_id,
                                         odgovoreno_at, razlog_odgovora)
     select p.id, o.id, '{}', 'Isto što i ' || p.ime || ' ' || p.prezime, p.ustanova_id, p.ustanova_id, 1, 'odbijen', 1, now(), 'To nije ' || p.ime || ' ' || p.prezime
       from patient p, patient o where p.id = $1 and o.id <> p.id order by o.id limit 1",
    "with m as (insert into patient_merge (pobednik_id, gubitnik_id, pobednik_pre, gubitnik_pre, pobednik_posle, od_gubitnika, registri_pre, registri_gubitnika,
                                           razlog, radnik_id, razdvojeno_at, razdvojio_id)
                select p.id, o.id, to_jsonb(p), to_jsonb(p), to_jsonb(p), '{}', '{}', '{}', 'Isto što i ' || p.ime || ' ' || p.prezime, 1, now(), 1
                  from patient p, patient o where p.id = $1 and o.id <> p.id order by o.id limit 1 returning id)
     insert into patient_merge_row (spajanje_id, tabela, kolona, kljuc, sa, na)
     select m.id, 'import_record', 'pacijent_id', jsonb_build_object('kljuc', 'pacijent:' || p.lbo), 1, p.id from m, patient p where p.id = $1",
    "insert into patient_alias (pacijent_id, spajanje_id, vrsta, broj) select p.id, m.id, 'jmbg', p.jmbg from patient p join patient_merge m on m.pobednik_id = p.id where p.id = $1",
    "with r as (select registar_id from entry where pacijent_id = $1 order by id limit 1),
          w as (insert into visit_plan (registar_id, sifra, naziv) select registar_id, 'zvrkokret', 'Plan' from r returning id, registar_id),
          v as (insert into visit_plan_version (plan_id, broj) select id, 1 from w returning id),
          i as (insert into visit_plan_item (plan_version_id, redosled, sifra, naziv, sidro, pomeraj, jedinica, prozor_pre, prozor_posle)
                select id, 1, 'M0', 'Kontrola', 'ukljucenje', 0, 'dan', 0, 0 from v returning id),
          o as (insert into patient_plan (pacijent_id, registar_id, plan_id, plan_version_id, ukljucenje, ustanova_id)
                select p.id, w.registar_id, w.id, v.id, '2025-01-31', p.ustanova_id from w, v, patient p where p.id = $1 returning id, registar_id, ustanova_id)
     insert into planned_visit (patient_plan_id, stavka_id, sifra, red, sidro, cilj, prozor_od, prozor_do, ceka_do, registar_id, ustanova_id,
                                otkazana_at, otkazao_id, otkaz_razlog)
     select o.id, i.id, 'M0', 0, '2025-01-31', '2025-01-31', '2025-01-31', '2025-01-31', '2025-01-31', o.registar_id, o.ustanova_id, now(), 1,
            p.prezime || ' ' || p.ime || ' ne dolazi'
       from o, i, patient p where p.id = $1",
    "insert into entry_state (unos_id, stanje, radnja, razlog)
     select e.id, 'uRadu', 'vracanje', 'Zvala je ' || p.ime || ' ' || p.prezime from entry e join patient p on p.id = e.pacijent_id
      where p.id = $1 order by e.id limit 1",
    "with r as (insert into quality_rule (registar_id, naziv, vrsta) select registar_id, 'Sve', 'obavezno' from entry where pacijent_id = $1 order by id limit 1 returning id)
     insert into quality_finding (pravilo_id, unos_id, pacijent_id, ustanova_id, otisak, potvrdjen_at, potvrdio_id, napomena, kraj, razlog_kraja)
     select r.id, e.id, p.id, p.ustanova_id, p.ime || p.prezime, now(), 1, 'Pitana ' || p.ime || ' ' || p.prezime, now(), 'vrednost'
       from r, patient p, entry e where p.id = $1 and e.pacijent_id = p.id order by e.id limit 1",
    "update audit_log l set opis = 'Zvala je ' || p.ime || ' ' || p.prezime from patient p where p.id = $1 and l.pacijent_id = p.id",
];

#[tokio::test]
async fn every_place_that_may_name_her_did_and_none_does_afterwards() {
    let case = Case::new().await;
    case.live().await;
    for place in PLACES {
        case.owner(place).await;
    }
    let rules = rules();
    let places = |found: &[String]| -> BTreeSet<String> { found.iter().map(|one| one.split(": ").next().unwrap().to_owned()).collect() };
    let before = places(&case.found().await);
    for place in before.iter().filter(|place| !["files.content"].contains(&place.as_str())) {
        assert!(matches!(rules.get(place), Some(Rule::Cleared | Rule::Ended)), "{place} holds something of hers: {:?}", rules.get(place));
    }
    let unseen: Vec<_> =
        rules.iter().filter(|(place, rule)| matches!(rule, Rule::Cleared | Rule::Ended) && !before.contains(*place)).collect();
    assert!(unseen.is_empty(), "no test has put her there: {unseen:?}");
    case.anonymise().await;
    assert_eq!(case.found().await, Vec::<String>::new());
}

/// A file that waits to be brought in, as its worker sent it.
async fn waiting(case: &Case, worker: &Worker, name: &str, file: &[u8]) -> String {
    let body =
        json!({ "registarID": case.register.id, "ustanovaID": case.app.ustanova, "fajl": name, "sadrzaj": BASE64_STANDARD.encode(file) });
    let sent = worker.post("/api/data-imports", body).await.assert_status(201).json();
    format!("/api/data-imports/{}", sent["id"])
}

fn utf16(text: &str) -> Vec<u8> {
    "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
}

#[tokio::test]
async fn imports_that_may_bring_her_back_end_and_say_so_and_others_wait_on() {
    let case = Case::new().await;
    let importer = case.app.worker("uvoznica", &[Right::DataImport], case.app.ustanova).await;
    let (name, surname, jmbg) = (case.detail("ime"), case.detail("prezime"), case.detail("jmbg"));
    let file = |row: &str| format!("Ime;Prezime;JMBG\n{row}\n");
    let of_her = [
        ("by number", file(&format!("Neko;Drugi;{jmbg}")).into_bytes()),
        ("by a number without its zero", file(&format!("Neko;Drugi;{}", jmbg.trim_start_matches('0'))).into_bytes()),
        ("by name, in capitals", file(&format!("{};{};", name.to_uppercase(), surname.to_uppercase())).into_bytes()),
        ("by name, as a dative", file(&format!("Neko;Drugi {surname}u;")).into_bytes()),
        ("in letters that are not read here", utf16(&file("Neko;Drugi;"))),
    ];
    let mut imports = Vec::new();
    for (what, content) in &of_her {
        imports.push((*what, waiting(&case, &importer, "spisak.csv", content).await));
    }
    imports.push(("by the name of the file", waiting(&case, &importer, &format!("{surname}.csv"), file("A;B;").as_bytes()).await));
    let other = waiting(&case, &importer, "spisak.csv", file("Milunka;Milunović;0101990715000").as_bytes()).await;
    case.anonymise().await;
    for (what, path) in &imports {
        let import = importer.get(path).await.assert_status(200).json();
        assert_eq!((&import["status"], &import["prekid"]), (&json!("left"), &json!("anonimizacija")), "{what}: {import}");
        assert!(!fold(&import.to_string()).contains(&fold(&surname)), "{what}: {import}");
        importer.get(&format!("{path}/mapping")).await.assert_status(410);
        importer.post(&format!("{path}/check"), json!({})).await.assert_status(409);
    }
    assert_eq!(importer.get(&other).await.json()["status"], "open");
    let told: Value =
        sqlx::query_scalar("select polja from audit_log where akcija = 'anonimizacija'").fetch_one(&case.app.db.owner).await.unwrap();
    let ended = told.as_array().unwrap().iter().find(|field| field["naziv"] == "Okončanih uvoza").unwrap();
    assert_eq!(ended["nova"], imports.len());
}

#[tokio::test]
async fn an_import_under_way_meanwhile_stores_nothing() {
    let case = Case::new().await;
    let importer = case.app.worker("uvoznica", &[Right::DataImport], case.app.ustanova).await;
    let file = format!("Ime;Prezime;JMBG\n{};{};{}\n", case.detail("ime"), case.detail("prezime"), case.detail("jmbg"));
    let path = waiting(&case, &importer, "spisak.csv", file.as_bytes()).await;
    case.app
        .lay_out(&[
            "update data_import set status = 'importing', fence = 5, lease_until = now() + interval '1 hour', ishod = '{\"gresaka\": 0}'",
        ])
        .await;
    case.anonymise().await;
    let left: (String, i64, i64) = sqlx::query_as("select status, fence, (select count(*) from data_import_file) from data_import")
        .fetch_one(&case.app.db.owner)
        .await
        .unwrap();
    assert_eq!(left, ("left".to_owned(), 6, 0), "whoever carries out the fifth attempt finds no row to end");
    let import: Value = importer.get(&path).await.json();
    assert_eq!(import["prekid"], "anonimizacija");
}

/// A name that others bear is hers beside the other one: in what somebody typed for a report that is about nobody, and in what one was made of.
#[tokio::test]
async fn both_her_names_go_where_others_bear_each_of_them() {
    let case = Case::new().await;
    for namesake in [
        "insert into patient (ime, prezime, datum_rodjenja, jmbg, lbo, pol_trenutni, kontakt_telefon, ustanova_id)
         select p.ime, 'Drugačić', '1970-01-01', '0101970710006', '12345678902', true, '011/123456', p.ustanova_id from patient p where p.id = $1",
        "insert into patient (ime, prezime, datum_rodjenja, jmbg, lbo, pol_trenutni, kontakt_telefon, ustanova_id)
         select 'Drugačija', p.prezime, '1971-01-01', '0101971710001', '12345678903', true, '011/123456', p.ustanova_id from patient p where p.id = $1",
    ] {
        case.owner(namesake).await;
    }
    let report = Report::with(&case.app.db, "sve", &[Field::new(TEXT, "rec", "Reč")]).await;
    let (both, one) = (format!("Zvala je {} {}", case.detail("ime"), case.detail("prezime")), format!("Zvala je {}", case.detail("ime")));
    for said in [&both, &one] {
        let parameters = json!({ "rec": said });
        case.colleague.post("/api/report-queue", report.request(&case.colleague, parameters.clone())).await.assert_status(202);
        let mut weekly = report.weekly(&case.colleague);
        merge(&mut weekly, json!({ "parametri": parameters }));
        case.colleague.post("/api/report-queue", weekly).await.assert_status(202);
    }
    case.owner(
        "insert into report_definition (izvestaj_id, broj, upit, sablon, radnik_id, izbor)
         select r.id, 1, 'select 1', '{{#report}}{{/report}}', 1, jsonb_build_object('vrednost', p.prezime || ' ' || p.ime) from report r, patient p where p.id = $1",
    )
    .await;
    let texts = "select parametri::text || parametri_opis::text from report_run where not parametri = '{}'
                 union all select parametri::text || parametri_opis::text from report_schedule union all select izbor::text from report_definition";
    let left = async || sqlx::query_scalar::<_, String>(texts).fetch_all(&case.app.db.owner).await.unwrap();
    let naming =
        |texts: &[String]| texts.iter().filter(|text| text.contains(&case.detail("ime")) && text.contains(&case.detail("prezime"))).count();
    assert_eq!(naming(&left().await), 3, "a run, a schedule, a version");
    case.anonymise().await;
    let texts = left().await;
    assert_eq!(naming(&texts), 0, "{texts:?}");
    assert_eq!(texts.iter().filter(|text| text.contains(&one)).count(), 2, "one name alone is as well another's: {texts:?}");
}
