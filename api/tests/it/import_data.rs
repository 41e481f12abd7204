//! `api import data`: every defect named by row and column, all or nothing, and the same file twice without change.

use std::process::Command;

use domain::{
    db,
    testing::{self, TestDb},
};
use interchange::import::{
    data::{self, Failure, Outcome, Request},
    mapping::Mapping,
    progress::Progress,
    schema::RegisterName,
    write::Tally,
};
use jiff::civil::date;

use crate::import_register::{DEFINITION, store};

pub const MAPPING: &str = r#"
[patient]
key = "br"
institution = "ustanova"

[patient.fields]
ime = "ime"
prezime = "prezime"
jmbg = "jmbg"
lbo = "lbo"
kontaktTelefon = "telefon"
polTrenutni = { column = "pol", translate = { "1" = "M", "2" = "Ž" } }

[[entries]]
form = "pregled"
key = ["br", "datum"]
date = "datum"

[entries.fields]
puls = "puls"
pusi = "pusi"
koliko = "koliko"
nalaz = "nalaz"
kontrola = "kontrola"
"#;

const HEADER: &str = "br,ime,prezime,jmbg,lbo,telefon,pol,ustanova,datum,puls,pusi,koliko,nalaz,kontrola\n";
pub const ANA: &str = "1,Ana,Đurić,0101990715000,12345678901,011/1234567,2,Bolnica,2024-05-06,72.5,da,kutiju,Uredan,01.06.2024.\n";
pub const BOJAN: &str = "2,Bojan,Žikić,0202980710000,12345678902,021/123456,1,bol,2024-05-07,80,ne,,secerna bolest,\n";

/// A database with the register, and one institution.
pub async fn database() -> TestDb {
    database_of(DEFINITION).await
}

pub async fn database_of(definition: &str) -> TestDb {
    let db = testing::database().await;
    store(&db, definition, false).await.unwrap();
    let mut tx = db::begin(&db.owner, db::SYSTEM_WORKER).await.unwrap();
    sqlx::query("insert into institution (naziv, sifra) values ('Bolnica', 'BOL')").execute(&mut *tx).await.unwrap();
    tx.commit().await.unwrap();
    db
}

pub async fn import(db: &TestDb, mapping: &str, file: impl AsRef<[u8]>) -> Result<Outcome, Vec<String>> {
    let mapping = Mapping::parse(mapping).unwrap();
    let request = Request {
        register: RegisterName::Code("proba"),
        institution: None,
        mapping: &mapping,
        file: file.as_ref(),
        source: "stari sistem",
        today: date(2026, 6, 1),
    };
    let mut tx = db::begin(&db.owner, db::SYSTEM_WORKER).await.unwrap();
    match data::import(&mut tx, &request, &mut Progress::Silent).await {
        Ok(outcome) => {
            tx.commit().await.unwrap();
            Ok(outcome)
        }
        Err(Failure::Defects(problems)) => Err(problems.defects.iter().map(ToString::to_string).collect()),
        Err(Failure::Other(error)) => panic!("{error:?}"),
    }
}

pub fn file(rows: &[&str]) -> String {
    format!("{HEADER}{}", rows.concat())
}

/// Rows of each table that an import writes.
pub async fn rows(db: &TestDb) -> (i64, i64, i64) {
    sqlx::query_as("select (select count(*) from patient), (select count(*) from entry), (select count(*) from audit_log)")
        .fetch_one(&db.owner)
        .await
        .unwrap()
}

fn created(count: u64) -> Tally {
    Tally { created: count, ..Tally::default() }
}

fn unchanged(count: u64) -> Tally {
    Tally { unchanged: count, ..Tally::default() }
}

#[tokio::test]
async fn cells_become_values_and_formulas_the_rest() {
    let db = database().await;
    let outcome = import(&db, MAPPING, file(&[ANA, BOJAN])).await.unwrap();
    assert_eq!((outcome.patients, outcome.entries, outcome.warnings.len()), (created(2), created(2), 0));
    let stored: Vec<(String, bool, String, bool, serde_json::Value)> = sqlx::query_as(
        "select p.prezime, p.pol_trenutni, e.datum_unosa::text, e.popunjeni_relevantni,
                (select jsonb_object_agg(f.sifra, case when jsonb_typeof(v.value) = 'array'
                                                       then (select to_jsonb(i.naziv) from enum_item i where i.id = (v.value ->> 0)::bigint) else v.value end)
                   from jsonb_each(e.vrednosti) v join form_field f on f.id = v.key::bigint)
           from entry e join patient p on p.id = e.pacijent_id order by p.prezime",
    )
    .fetch_all(&db.owner)
    .await
    .unwrap();
    let ana =
        serde_json::json!({"puls": 72.5, "dvaPulsa": 145, "pusi": true, "koliko": "kutiju", "nalaz": "Uredan", "kontrola": "2024-06-01"});
    let bojan = serde_json::json!({"puls": 80, "dvaPulsa": 160, "pusi": false, "nalaz": "Šećerna bolest"});
    assert_eq!(
        stored,
        [("Đurić".to_owned(), false, "2024-05-06".to_owned(), true, ana), ("Žikić".to_owned(), true, "2024-05-07".to_owned(), true, bojan)]
    );
}

#[tokio::test]
async fn formulas_see_the_entry_before_whether_of_the_file_or_of_the_database() {
    let db =
        database_of(&DEFINITION.replace("2 * $(puls)", "$(puls) - prethodno($(puls)) + age(pacijent.datumRodjenja, datumPregleda) * 1000"))
            .await;
    // In the file the newer one stands first; a third comes between them later.
    let visit = |day: &str, pulse: &str| ANA.replace("2024-05-06", day).replace("72.5", pulse);
    import(&db, MAPPING, file(&[ANA, &visit("2023-12-31", "70")])).await.unwrap();
    import(&db, MAPPING, file(&[&visit("2024-04-15", "71")])).await.unwrap();
    let stored: Vec<(String, Option<f64>)> = sqlx::query_as(
        "select datum_unosa::text, (vrednosti ->> (select id::text from form_field where sifra = 'dvaPulsa'))::float8 from entry order by 1",
    )
    .fetch_all(&db.owner)
    .await
    .unwrap();
    let expected = [("2023-12-31", None), ("2024-04-15", Some(34001.0)), ("2024-05-06", Some(34002.5))];
    assert_eq!(stored, expected.map(|(day, value)| (day.to_owned(), value)));
}

#[tokio::test]
async fn every_defect_is_named_and_nothing_is_written() {
    let db = database().await;
    let before = rows(&db).await;
    let bad = [
        ANA,
        "3,,Žikić,0202980710004,123,0211234,3,Klinika,2024-13-01,abc,možda,,Loš,juče\n",
        "4,Vera,Ilić,0303970715005,12345678903,011/1234567,2,Bolnica,2024-05-07,500,ne,kutiju,Uredan,\n",
        "5,Goran,Simić,0404960710006,12345678904,011/1234567,1,Bolnica,2024-05-07,,da,,,\n",
        "1,Ana,Đurić-Ilić,0101990715000,12345678901,011/1234567,2,Bolnica,2024-05-08,70,ne,,Uredan,\n",
        ",Ana,Đurić,0101990715000,12345678901,011/1234567,2,Bolnica,2024-05-08,70,ne,,Uredan,\n",
        "1,Ana,Đurić,0101990715000,12345678901,011/1234567,2,Bolnica,2024-05-06,71,ne,,Uredan,\n",
        "6,Iva,Đurić,0101990715000,12345678901,011/1234567,2,Bolnica,2024-05-08,70.55,ne,,Uredan,\n",
    ];
    let found = import(&db, MAPPING, file(&bad)).await.unwrap_err();
    let expected = [
        "red 3, kolona „pol”: vrednost „3” nema prevod u mapiranju",
        "red 3, kolona „ime”: Niste uneli ime.",
        "red 3, kolona „jmbg”: Kontrolna cifra u JMBG nije ispravna.",
        "red 3, kolona „lbo”: LBO mora imati 11 cifara.",
        "red 3, kolona „telefon”: Kontakt telefon nije u formatu XXX/XXXXXXYY.",
        "red 3, kolona „ustanova”: nema ustanove sa nazivom ili šifrom „Klinika”",
        "red 4, kolona „koliko”: polje „Koliko puši” je skriveno zbog drugih vrednosti unosa, a ima vrednost",
        "red 4, kolona „puls”: Stavka sa nazivom: Puls nije u opsegu (20) - (300)",
        "red 5, kolona „puls”: Niste uneli stavku sa nazivom: Puls.",
        "red 5, kolona „koliko”: Niste uneli stavku sa nazivom: Koliko puši.",
        "red 6, kolona „br”: podaci pacijenta se razlikuju od podataka istog pacijenta u redu 2",
        "red 7, kolona „br”: ključ pacijenta je prazan",
        "red 8, kolona „br”: isti ključ unosa već stoji u redu 2",
        "red 9, kolona „puls”: „70.55” ima više decimala nego što polje dozvoljava (1)",
        "red 9, kolona „jmbg”: isti JMBG ima drugi pacijent u redu 2",
    ];
    for line in expected {
        assert!(found.iter().any(|defect| defect == line), "{line}\nis not among\n{}", found.join("\n"));
    }
    assert_eq!(rows(&db).await, before);
}

#[tokio::test]
async fn an_examination_in_the_future_or_before_the_birth_is_refused() {
    let db = database().await;
    let ahead = ANA.replace("2024-05-06", "2026-06-02");
    assert_eq!(import(&db, MAPPING, file(&[&ahead])).await.unwrap_err(), ["red 2, kolona „datum”: datum pregleda je u budućnosti"]);
    let unborn = ANA.replace("2024-05-06", "1989-12-31");
    assert_eq!(
        import(&db, MAPPING, file(&[&unborn])).await.unwrap_err(),
        ["red 2, kolona „datum”: datum pregleda je pre rođenja pacijenta"]
    );
    import(&db, MAPPING, file(&[&ANA.replace("2024-05-06", "2026-06-01")])).await.unwrap();
}

#[tokio::test]
async fn a_file_that_makes_a_patient_younger_than_her_examinations_is_refused() {
    let db = database().await;
    let updating = MAPPING.replace(
        "institution = \"ustanova\"\n\n[patient.fields]",
        "institution = \"ustanova\"\nexisting = \"update\"\n\n[patient.fields]\ndatumRodjenja = \"kontrola\"",
    );
    let born = |birth: &str, examined: &str| ANA.replace("01.06.2024.", birth).replace("2024-05-06", examined);
    import(&db, &updating, file(&[&born("01.01.1990.", "2000-02-03")])).await.unwrap();
    let later = import(&db, &updating, file(&[&born("01.01.2001.", "2024-05-06")])).await.unwrap_err();
    assert!(
        later.contains(&"red 2, kolona „datumRodjenja”: datum rođenja je posle postojećeg pregleda od 03.02.2000.".to_owned()),
        "{later:#?}"
    );
}

#[tokio::test]
async fn a_number_that_may_be_two_is_refused_by_line_and_column_with_both_readings() {
    let db = database().await;
    let before = rows(&db).await;
    let (ana, bojan) = (ANA.replace(",72.5,", ",2.108,"), BOJAN.replace(",80,", ",25.500,"));
    let found = import(&db, MAPPING, file(&[&ana, &bojan])).await.unwrap_err();
    assert_eq!(
        found,
        [
            "red 2, kolona „puls”: „2.108” može da znači 2108 ili 2,108: navedite decimal u delu [file] mapiranja",
            "red 3, kolona „puls”: „25.500” može da znači 25500 ili 25,500: navedite decimal u delu [file] mapiranja",
        ]
    );
    assert_eq!(rows(&db).await, before);
}

#[tokio::test]
async fn a_bad_cell_is_told_once() {
    let db = database().await;
    let row = "3,Vera,Ilić,0303970715000,12345678903,011/1234567,2,Bolnica,2024-05-07,abc,možda,,Loš,juče\n";
    let found = import(&db, MAPPING, file(&[row])).await.unwrap_err();
    let columns: Vec<&str> = found.iter().filter_map(|line| line.split('„').nth(1)?.split('”').next()).collect();
    assert_eq!(columns, ["jmbg", "kontrola", "nalaz", "puls", "pusi"], "{found:#?}");
}

#[tokio::test]
async fn the_same_file_again_changes_nothing() {
    let db = database().await;
    import(&db, MAPPING, file(&[ANA, BOJAN])).await.unwrap();
    let before = rows(&db).await;
    for mapping in [MAPPING.to_owned(), updating()] {
        let again = import(&db, &mapping, file(&[ANA, BOJAN])).await.unwrap();
        assert_eq!((again.patients, again.entries), (unchanged(2), unchanged(2)));
        assert_eq!(rows(&db).await, before);
    }
}

/// The mapping that writes what has changed.
fn updating() -> String {
    MAPPING
        .replace("key = \"br\"\n", "key = \"br\"\nexisting = \"update\"\n")
        .replace("date = \"datum\"", "existing = \"update\"\ndate = \"datum\"")
}

#[tokio::test]
async fn what_is_there_is_kept_or_updated_as_the_mapping_says() {
    let db = database().await;
    import(&db, MAPPING, file(&[ANA, BOJAN])).await.unwrap();
    // A colleague has written a field that the next mapping does not name.
    let narrower = updating().replace("nalaz = \"nalaz\"\n", "");
    let changed = ANA.replace("011/1234567", "011 765-43-21").replace("72.5", "90").replace("Uredan", "Šećerna bolest");
    let kept = import(&db, MAPPING, file(&[&changed, BOJAN])).await.unwrap();
    assert_eq!((kept.patients, kept.entries), (unchanged(2), unchanged(2)));
    let updated = import(&db, &narrower, file(&[&changed, BOJAN])).await.unwrap();
    let one = Tally { updated: 1, unchanged: 1, ..Tally::default() };
    assert_eq!((updated.patients, updated.entries), (one, one));
    let (phone, both, item): (String, String, String) = sqlx::query_as(
        "select p.kontakt_telefon, e.vrednosti ->> (select id::text from form_field where sifra = 'dvaPulsa'),
                (select naziv from enum_item where id = (e.vrednosti -> (select id::text from form_field where sifra = 'nalaz') ->> 0)::bigint)
           from patient p join entry e on e.pacijent_id = p.id where p.ime = 'Ana'",
    )
    .fetch_one(&db.owner)
    .await
    .unwrap();
    assert_eq!((phone.as_str(), both.as_str(), item.as_str()), ("011/7654321", "180", "Uredan"));

    let mut tx = db::begin(&db.owner, db::SYSTEM_WORKER).await.unwrap();
    sqlx::raw_sql("update entry set aktivan = false; update patient set aktivan = false where ime = 'Bojan'")
        .execute(&mut *tx)
        .await
        .unwrap();
    tx.commit().await.unwrap();
    let deleted = import(&db, &updating(), file(&[ANA, BOJAN])).await.unwrap();
    assert_eq!((deleted.patients.deleted, deleted.entries.deleted, deleted.entries.created), (1, 2, 0));
    assert_eq!(deleted.warnings.len(), 2, "{:?}", deleted.warnings);
}

#[tokio::test]
async fn a_known_number_is_the_same_patient_and_another_birth_date_is_not_believed() {
    let db = database().await;
    import(&db, MAPPING, file(&[ANA])).await.unwrap();
    let elsewhere = MAPPING.replace("key = \"br\"", "key = \"lbo\"").replace("[\"br\", \"datum\"]", "[\"lbo\", \"datum\"]");
    let married = ANA.replace("Đurić", "Ilić").replace("2024-05-06", "2024-07-01");
    let outcome = import(&db, &elsewhere, file(&[&married])).await.unwrap();
    assert_eq!((outcome.patients, outcome.entries), (unchanged(1), created(1)));
    assert!(outcome.warnings[0].to_string().contains("drugo prezime"), "{:?}", outcome.warnings);

    let mapping = MAPPING
        .replace("lbo = \"lbo\"", "lbo = \"lbo\"\ndatumRodjenja = { constant = \"1990-01-02\" }")
        .replace("key = \"br\"", "key = \"telefon\"");
    let refused = import(&db, &mapping, file(&[ANA])).await.unwrap_err();
    assert!(refused[0].contains("ima drugi datum rođenja"), "{refused:?}");
}

#[tokio::test]
async fn an_lbo_of_a_record_that_was_merged_is_another_patients_still() {
    let db = database().await;
    import(&db, MAPPING, file(&[BOJAN])).await.unwrap();
    let mut tx = db::begin(&db.owner, db::SYSTEM_WORKER).await.unwrap();
    // As a merge leaves it: the number leads to the one that is left.
    sqlx::query(
        "with gone as (insert into patient (ime, prezime, datum_rodjenja, jmbg, lbo, pol_trenutni, kontakt_telefon, ustanova_id, aktivan)
                       select ime, prezime, datum_rodjenja, '0202980710001', '12345678901', pol_trenutni, kontakt_telefon, ustanova_id, false from patient
                       returning id),
              merged as (insert into patient_merge (pobednik_id, gubitnik_id, pobednik_pre, gubitnik_pre, od_gubitnika, registri_pre, registri_gubitnika,
                                                    razlog)
                         select p.id, gone.id, '{}', '{}', '{}', '{}', '{}', 'proba, dva puta upisan' from patient p, gone returning id, pobednik_id)
         insert into patient_alias (pacijent_id, spajanje_id, vrsta, broj) select pobednik_id, id, 'lbo', '12345678901' from merged",
    )
    .execute(&mut *tx)
    .await
    .unwrap();
    tx.commit().await.unwrap();
    let refused = import(&db, MAPPING, file(&[ANA])).await.unwrap_err();
    assert!(refused.len() == 1 && refused[0].contains("isti LBO ima drugi pacijent u bazi"), "{refused:?}");
}

#[tokio::test]
async fn an_lbo_that_another_patient_has_is_refused_by_its_row_unless_the_mapping_confirms_it() {
    let db = database().await;
    let shared = BOJAN.replace("12345678902", "123-456-789 01");
    let refused = import(&db, MAPPING, file(&[ANA, &shared])).await.unwrap_err();
    assert_eq!(refused, ["red 3, kolona „lbo”: isti LBO ima drugi pacijent u redu 2"]);
    import(&db, MAPPING, file(&[ANA])).await.unwrap();
    let refused = import(&db, MAPPING, file(&[&shared])).await.unwrap_err();
    assert_eq!(refused, ["red 2, kolona „lbo”: isti LBO ima drugi pacijent u bazi"]);
    import(&db, MAPPING, file(&[BOJAN])).await.unwrap();
    let refused = import(&db, &updating(), file(&[&shared])).await.unwrap_err();
    assert_eq!(refused, ["red 2, kolona „lbo”: isti LBO ima drugi pacijent u bazi"], "a change of what is there, too");
    import(&db, MAPPING, file(&[&shared])).await.unwrap();

    let confirming = updating().replace("key = \"br\"\n", "key = \"br\"\nshared_lbo = \"confirm\"\n");
    let outcome = import(&db, &confirming, file(&[ANA, &shared])).await.unwrap();
    assert_eq!(outcome.patients.updated, 1);
    let warnings: Vec<String> = outcome.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(warnings, ["red 3, kolona „lbo”: isti LBO ima drugi pacijent u redu 2"]);
    let logged: Vec<(String, String)> =
        sqlx::query_as("select p.ime, l.opis from audit_log l join patient p on p.id = l.pacijent_id where l.akcija = 'potvrda'")
            .fetch_all(&db.owner)
            .await
            .unwrap();
    assert!(matches!(&logged[..], [(name, said)] if name == "Bojan" && said.contains("LBO već ima drugi pacijent")), "{logged:?}");
    // What was confirmed once is not asked of again.
    assert_eq!(import(&db, &updating(), file(&[ANA, &shared])).await.unwrap().patients, unchanged(2));
}

#[tokio::test]
async fn a_field_with_saved_values_keeps_its_kind() {
    let db = database().await;
    let as_text = DEFINITION.replace("naziv = \"Kontrola\", tipAtributa = \"Datum\"", "naziv = \"Kontrola\", tipAtributa = \"Tekst\"");
    assert_ne!(as_text, DEFINITION);
    import(&db, MAPPING, file(&[ANA])).await.unwrap();
    let refused = store(&db, &as_text, false).await.unwrap_err().to_string();
    assert_eq!(refused, "formular „Pregled”: polja kontrola imaju snimljene vrednosti, pa im se tip ne može promeniti");
}

#[tokio::test]
async fn a_field_keeps_its_kind_for_the_rows_of_a_section_too() {
    let last = "    { sifra = \"kontrola\", naziv = \"Kontrola\", tipAtributa = \"Datum\", nadredjeni = \"segment\" },\n";
    let section = "    { sifra = \"terapija\", naziv = \"Terapija\", tipAtributa = \"Sekcija\", ponavljaSe = true, najviseRedova = 3 },\n    \
                   { sifra = \"doza\", naziv = \"Doza\", tipAtributa = \"Puls\", nadredjeni = \"terapija\" },\n";
    let kind = "[[forms]]";
    let with_section = DEFINITION
        .replace(last, &format!("{last}{section}"))
        .replace(kind, &format!("[[attributeTypes]]\nnaziv = \"Sekcija\"\ntipVrednosti = \"panel\"\n\n{kind}"));
    let db = database_of(&with_section).await;
    import(&db, MAPPING, file(&[ANA])).await.unwrap();
    let rows = "update entry set vrednosti = vrednosti || jsonb_build_object(s.id::text, jsonb_build_array(
                    jsonb_build_object('id', 1, 'v', jsonb_build_object(f.id::text, 100))))
                  from form_field s join form_field f on f.sifra = 'doza' where s.sifra = 'terapija'";
    let mut tx = db::begin(&db.owner, db::SYSTEM_WORKER).await.unwrap();
    sqlx::query(rows).execute(&mut *tx).await.unwrap();
    tx.commit().await.unwrap();
    let as_text = with_section.replace("naziv = \"Doza\", tipAtributa = \"Puls\"", "naziv = \"Doza\", tipAtributa = \"Tekst\"");
    assert_ne!(as_text, with_section);
    let refused = store(&db, &as_text, false).await.unwrap_err().to_string();
    assert_eq!(refused, "formular „Pregled”: polja doza imaju snimljene vrednosti, pa im se tip ne može promeniti");
}

#[tokio::test]
async fn a_blank_cell_of_a_box_is_no_answer_unless_the_mapping_says_what_it_means() {
    let blank = ANA.replace(",da,kutiju,", ",,,");
    let stored = async |mapping: &str| -> Option<bool> {
        let db = database().await;
        import(&db, mapping, file(&[&blank])).await.unwrap();
        let box_of = "select (vrednosti ->> (select id::text from form_field where sifra = 'pusi'))::boolean from entry";
        sqlx::query_scalar(box_of).fetch_one(&db.owner).await.unwrap()
    };
    assert_eq!(stored(MAPPING).await, None);
    assert_eq!(stored(&MAPPING.replace("pusi = \"pusi\"", "pusi = { column = \"pusi\", default = \"ne\" }")).await, Some(false));
}

#[tokio::test]
async fn first_values_are_put_into_no_entry_that_is_brought_in() {
    let constants = DEFINITION
        .replace("naziv = \"Puls\", tipAtributa = \"Puls\"", "naziv = \"Puls\", inicijalnaBrojnaVrednost = 70, tipAtributa = \"Puls\"")
        .replace(
            "naziv = \"Nalaz\", tipAtributa = \"Nalaz\"",
            "naziv = \"Nalaz\", inicijalnaEnumStavka = \"Uredan\", tipAtributa = \"Nalaz\"",
        );
    let db = database_of(&constants).await;
    let first: i64 =
        sqlx::query_scalar("select count(*) from form_field where inicijalna_brojna_vrednost = 70 or inicijalna_enum_stavka_id > 0")
            .fetch_one(&db.owner)
            .await
            .unwrap();
    assert_eq!(first, 2);
    let defects = import(&db, MAPPING, file(&[&ANA.replace(",72.5,", ",,")])).await.unwrap_err();
    assert!(defects.iter().any(|defect| defect.contains("Niste uneli stavku sa nazivom: Puls.")), "{defects:?}");
    import(&db, MAPPING, file(&[&ANA.replace(",Uredan,", ",,")])).await.unwrap();
    let (nalaz, relevant): (bool, bool) =
        sqlx::query_as("select vrednosti ? (select id::text from form_field where sifra = 'nalaz'), popunjeni_relevantni from entry")
            .fetch_one(&db.owner)
            .await
            .unwrap();
    assert_eq!((nalaz, relevant), (false, false), "the blank stays, and stays relevant");
}

/// Entries' results that are marked, by the patient's first name.
async fn marked(db: &TestDb) -> Vec<(String, String)> {
    let rows =
        "select p.ime, s.razlog from stale_result s join entry e on e.id = s.unos_id join patient p on p.id = e.pacijent_id order by 1, 2";
    sqlx::query_as(rows).fetch_all(&db.owner).await.unwrap()
}

#[tokio::test]
async fn a_definition_that_makes_stored_results_others_is_brought_in_once_their_number_is_said() {
    let db = database().await;
    import(&db, MAPPING, file(&[ANA, BOJAN])).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("registar.toml");
    std::fs::write(&path, DEFINITION.replace("\"2 * $(puls)\"", "\"if($(puls) > 75, 3 * $(puls), 2 * $(puls))\"")).unwrap();
    let run = |extra: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_api"));
        command.args(["import", "register"]).arg(&path).args(extra);
        let output = command.env("OWNER_DATABASE_URL", &db.owner_url).output().unwrap();
        (output.status.success(), String::from_utf8([output.stdout, output.stderr].concat()).unwrap())
    };
    let said = "Izmena menja značenje snimljenog: 2 unosa, 1 snimljeni rezultat se razlikuje.";
    for extra in [&[][..], &["--confirm-results", "2"]] {
        let (ok, output) = run(extra);
        assert!(
            !ok && output.contains(said) && output.contains("--confirm-results 1") && output.contains("ništa nije upisano"),
            "{output}"
        );
        assert!(!output.contains("izmenjenih"), "{output}");
    }
    let (ok, output) = run(&["--dry-run"]);
    assert!(ok && output.contains(said) && output.contains("Proba: ništa nije upisano."), "{output}");
    assert_eq!(marked(&db).await, []);
    let (ok, output) = run(&["--confirm-results", "1"]);
    assert!(ok && output.contains("izmenjenih 1"), "{output}");
    assert_eq!(marked(&db).await, [("Bojan".to_owned(), "formula".to_owned())]);
    let (ok, output) = run(&[]);
    assert!(ok && output.contains("novih 0, izmenjenih 0") && !output.contains("značenje"), "{output}");
}

#[tokio::test]
async fn a_definition_counts_what_its_units_and_what_comes_back_make_others() {
    let db = database().await;
    import(&db, MAPPING, file(&[ANA, BOJAN])).await.unwrap();
    let result = store(&db, &DEFINITION.replace("tipVrednosti = \"brojni\"", "tipVrednosti = \"brojni\"\njedinica = \"1/min\""), false)
        .await
        .unwrap();
    assert_eq!(result.impact.rezultata, 4, "two numbers and two results");
    assert_eq!(store(&db, DEFINITION, false).await.unwrap().impact.rezultata, 0, "back in their own unit");
    assert_eq!(marked(&db).await, []);

    let shorter: String = DEFINITION.lines().filter(|line| !line.contains("\"dvaPulsa\"")).map(|line| format!("{line}\n")).collect();
    assert_eq!(store(&db, &shorter, true).await.unwrap().impact.rezultata, 0);
    let mut tx = db::begin(&db.owner, db::SYSTEM_WORKER).await.unwrap();
    sqlx::query("update entry set vrednosti = vrednosti || jsonb_build_object((select id::text from form_field where sifra = 'puls'), 90) where datum_unosa = '2024-05-06'")
        .execute(&mut *tx)
        .await
        .unwrap();
    tx.commit().await.unwrap();
    assert_eq!(store(&db, DEFINITION, false).await.unwrap().impact.rezultata, 1);
    assert_eq!(marked(&db).await, [("Ana".to_owned(), "formula".to_owned())]);
}

#[tokio::test]
async fn limits_count_what_is_there_together_with_the_file() {
    let db = database().await;
    let on = |day: &str| ANA.replace("2024-05-06", day);
    import(&db, MAPPING, file(&[ANA, &on("2024-05-07")])).await.unwrap();
    import(&db, MAPPING, file(&[&on("2024-05-08")])).await.unwrap();
    let refused = import(&db, MAPPING, file(&[&on("2024-05-09")])).await.unwrap_err();
    assert_eq!(refused, ["red 2: „Pregled”: Nije moguće kreirati unos jer premašuje maksimalan broj mogućih kreiranih po pacijentu 3"]);
    let other_key = MAPPING.replace("key = [\"br\", \"datum\"]", "key = [\"br\", \"puls\"]");
    let same_day = import(&db, &other_key, file(&[BOJAN, &BOJAN.replace(",80,", ",81,")])).await.unwrap_err();
    assert_eq!(same_day, ["red 3: „Pregled”: Za taj dan već postoji unos."]);
}

#[tokio::test]
async fn an_old_encoding_a_semicolon_and_a_decimal_comma_are_read() {
    let db = database().await;
    let text = file(&[ANA]).replace(',', ";").replace("72.5", "72,5");
    let (bytes, _, lost) = encoding_rs::WINDOWS_1250.encode(&text);
    assert!(!lost);
    let mapping = format!("[file]\ndecimal = \",\"\n{MAPPING}");
    import(&db, &mapping, &bytes).await.unwrap();
    let surname: String = sqlx::query_scalar("select prezime from patient").fetch_one(&db.owner).await.unwrap();
    assert_eq!(surname, "Đurić");
}

#[tokio::test]
async fn a_mapping_that_does_not_fit_is_refused_before_any_row() {
    let db = database().await;
    let mapping = MAPPING
        .replace("puls = \"puls\"", "dvaPulsa = \"puls\"\nnema = \"puls\"\nsegment = \"puls\"")
        .replace("lbo = \"lbo\"", "visina = \"lbo\"")
        .replace("kontrola = \"kontrola\"", "kontrola = \"pregled\"");
    let found = import(&db, &mapping, file(&["redovi,se,ne,čitaju\n"])).await.unwrap_err();
    let expected = [
        "red 2: broj kolona je 4, a u zaglavlju 14",
        "mapiranje entries.pregled.fields.kontrola: fajl nema kolonu „pregled”",
        "mapiranje patient.fields: pacijent nema polje „visina”",
        "mapiranje patient.fields: obavezno polje „lbo” nije mapirano",
        "mapiranje entries.pregled: polje „dvaPulsa” se računa, pa se ne uvozi",
        "mapiranje entries.pregled: formular „Pregled” nema polje „nema”",
        "mapiranje entries.pregled: polje „segment” nema vrednost",
        "mapiranje entries.pregled: obavezno polje „Puls” (šifra „puls”) nije mapirano",
    ];
    assert_eq!(found, expected);
}

#[tokio::test]
async fn the_command_tries_without_writing_and_then_writes() {
    let db = database().await;
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("mapiranje.toml"), MAPPING).unwrap();
    std::fs::write(path("podaci.csv"), file(&[ANA, BOJAN])).unwrap();
    std::fs::write(path("losi.csv"), file(&[ANA, &BOJAN.replace("bol", "xyz")])).unwrap();
    let run = |name: &str, extra: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_api"));
        command.args(["import", "data", "--register", "proba", "--mapping"]).arg(path("mapiranje.toml")).arg(path(name)).args(extra);
        let output = command.env("OWNER_DATABASE_URL", &db.owner_url).output().unwrap();
        (output.status.success(), String::from_utf8(output.stdout).unwrap())
    };
    let before = rows(&db).await;
    let (ok, said) = run("losi.csv", &[]);
    assert!(!ok && said.contains("red 3, kolona „ustanova”: nema ustanove sa nazivom ili šifrom „xyz”"), "{said}");
    let (ok, said) = run("podaci.csv", &["--dry-run"]);
    assert!(ok && said.contains("pacijenata novih 2") && said.contains("Proba: ništa nije upisano."), "{said}");
    assert_eq!(rows(&db).await, before);
    let (ok, said) = run("podaci.csv", &[]);
    assert!(ok && said.contains("unosa novih 2"), "{said}");
    let (ok, said) = run("podaci.csv", &[]);
    assert!(ok && said.contains("unosa novih 0, izmenjenih 0, nepromenjenih 2"), "{said}");
    let (ok, _) = run("podaci.csv", &["--worker", "niko"]);
    assert!(!ok);
}

#[tokio::test]
async fn a_row_that_breaks_an_error_rule_is_a_defect_and_one_that_breaks_a_warning_is_not() {
    let rules = r#"
[[forms.pravila]]
uslov = "$(puls) > 75 && $(pusi) = 0"
poruka = "Puls nepušača je previsok."
polje = "puls"

[[forms.pravila]]
uslov = "$(puls) > 70"
poruka = "Visok puls."
vrsta = "upozorenje"
"#;
    let db = database_of(&format!("{DEFINITION}{rules}")).await;
    let refused = import(&db, MAPPING, format!("{HEADER}{ANA}{BOJAN}")).await.unwrap_err();
    assert_eq!(refused, ["red 3, kolona „puls”: Puls: Puls nepušača je previsok."]);
    import(&db, MAPPING, format!("{HEADER}{ANA}")).await.unwrap();
}
