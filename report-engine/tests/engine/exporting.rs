//! Exports of data: the rows and values that were asked for and no other, nobody to be recognised where that was promised, made once.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::{Cursor, Read},
};

use domain::{
    exports::{self, Count, NewExport, Profile, RowOf, Selection},
    jobs::Queue,
    runs::Cancel,
    testing::left_out,
};
use jiff::civil::Date;
use serde_json::json;
use sqlx::AssertSqlSafe;
use uuid::Uuid;

use crate::world::{World, eventually};

pub type Files = BTreeMap<String, Vec<u8>>;

/// The demo's rheumatology, or a register that a test has made.
pub struct Source {
    pub registar: i64,
    pub form: i64,
}

impl World {
    /// The demo, whose worker may take data out.
    pub async fn to_export() -> (Self, Source) {
        let world = World::of_the_demo().await;
        world
            .run_sql("insert into role_right (uloga_id, aplikativno_pravo_id) select uloga_id, 14 from worker_role where radnik_id = $1")
            .await;
        let (registar, form) = sqlx::query_as(
            "select f.registar_id, f.id from form f join entry e on e.tsa_id = f.id
              where f.naziv = 'Pregled' and e.ustanova_id = $1 group by 1, 2 order by count(*) desc limit 1",
        )
        .bind(world.ustanova)
        .fetch_one(&world.db.owner)
        .await
        .unwrap();
        (world, Source { registar, form })
    }

    /// Runs a statement about the world's worker.
    async fn run_sql(&self, sql: &str) {
        let mut tx = domain::db::begin(&self.db.owner, domain::db::SYSTEM_WORKER).await.unwrap();
        sqlx::query(AssertSqlSafe(sql.to_owned()))
            .bind(self.radnik)
            .execute(&mut *tx)
            .await
            .unwrap_or_else(|error| panic!("{sql}: {error}"));
        tx.commit().await.unwrap();
    }

    pub fn entries(&self, source: &Source, profil: Profile) -> NewExport {
        NewExport {
            run: Uuid::now_v7(),
            radnik_id: self.radnik,
            selection: Selection {
                registar_id: source.registar,
                tsa_id: Some(source.form),
                red: RowOf::Unos,
                datum_od: None,
                datum_do: None,
                ustanove: vec![self.ustanova],
                profil,
                pretraga: None,
                stanja: exports::WantedStates::Svi,
            },
            polja: None,
            xlsx: true,
            razlog: "Studija za proveru".to_owned(),
            count: Count::default(),
        }
    }

    pub async fn ask_export(&self, new: NewExport) -> Uuid {
        let mut tx = self.db.app.begin().await.unwrap();
        let run = exports::insert(&mut tx, &new, None).await.unwrap().expect("an export without a key is always new");
        tx.commit().await.unwrap();
        self.announce(run, Queue::Interactive).await;
        run
    }

    /// What is in the archive of a finished export.
    pub async fn exported(&self, run: Uuid) -> Files {
        let ended = self.end(run).await;
        assert_eq!(ended.status, "succeeded", "{ended:?}");
        let [(format, archive)] = self.files(run).await.try_into().expect("one file");
        assert_eq!(format, "ZIP");
        unpacked(archive)
    }
}

fn unpacked(archive: Vec<u8>) -> Files {
    let mut zip = zip::ZipArchive::new(Cursor::new(archive)).expect("an archive");
    (0..zip.len())
        .map(|index| {
            let mut file = zip.by_index(index).unwrap();
            let mut content = Vec::new();
            file.read_to_end(&mut content).unwrap();
            (file.name().to_owned(), content)
        })
        .collect()
}

pub fn text(files: &Files, name: &str) -> String {
    String::from_utf8(files[name].clone()).unwrap_or_else(|_| panic!("{name} is UTF-8"))
}

pub fn table(files: &Files) -> Vec<Vec<String>> {
    let content = text(files, "podaci.csv");
    let content = content.strip_prefix('\u{FEFF}').expect("a byte order mark");
    let mut reader = csv::ReaderBuilder::new().delimiter(b';').has_headers(false).from_reader(content.as_bytes());
    reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect()
}

pub fn column(table: &[Vec<String>], name: &str) -> usize {
    table[0].iter().position(|head| head == name).unwrap_or_else(|| panic!("no column {name} in {:?}", table[0]))
}

/// Days between the neighbours of each patient's dates.
fn gaps<K: Ord>(visits: impl Iterator<Item = (K, Date)>) -> Vec<Vec<i32>> {
    let mut by_patient: BTreeMap<K, Vec<Date>> = BTreeMap::new();
    for (patient, day) in visits {
        by_patient.entry(patient).or_default().push(day);
    }
    let mut all: Vec<Vec<i32>> = by_patient
        .into_values()
        .map(|mut days| {
            days.sort();
            days.windows(2).map(|pair| pair[1].since(pair[0]).unwrap().get_days()).collect()
        })
        .collect();
    all.sort();
    all
}

#[tokio::test]
async fn without_identity_nobody_is_named_and_the_days_between_visits_are_kept() {
    let (world, source) = World::to_export().await;
    let _engine = world.engine(&[]);
    let files = world.exported(world.ask_export(world.entries(&source, Profile::BezIdentiteta)).await).await;
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    assert_eq!(names, ["PROCITAJ.txt", "podaci.csv", "podaci.xlsx", "redovi.csv", "sifarnik.csv", "stavke.csv", "ucitaj.R", "ucitaj.sps"]);

    // The data hold numbers, dates and the words of options, and no other letter.
    let options: Vec<String> =
        sqlx::query_scalar("select naziv from enum_item union select sifra_veza from enum_item where sifra_veza is not null")
            .fetch_all(&world.db.owner)
            .await
            .unwrap();
    let cells = table(&files).into_iter().skip(1).flatten();
    let words =
        |cell: &String| cell.chars().any(char::is_alphabetic) && !cell.split('|').all(|word| options.iter().any(|option| option == word));
    let others: Vec<String> = cells.filter(words).collect();
    assert_eq!(others, Vec::<String>::new(), "words that are no option's");
    let mut searched: Vec<Vec<u8>> = files.values().cloned().collect();
    searched.extend(unpacked(files["podaci.xlsx"].clone()).into_values());
    let numbers: Vec<String> = sqlx::query_scalar(
        "select unnest(array[jmbg, lbo, kontakt_telefon, coalesce(adresa, jmbg), coalesce(email, jmbg), coalesce(mobilni_telefon, jmbg), prezime || ' ' || ime,
                             ime || ' ' || prezime]) from patient",
    )
    .fetch_all(&world.db.owner)
    .await
    .unwrap();
    assert!(numbers.len() > 500);
    for content in &searched {
        let content = String::from_utf8_lossy(content);
        for number in &numbers {
            assert!(!content.contains(number.as_str()), "{number} is in the archive");
        }
    }

    let table = table(&files);
    let (patient, day, age) = (column(&table, "ispitanik"), column(&table, "datum_pregleda"), column(&table, "starost"));
    assert!(!table[0].iter().any(|head| ["jmbg", "ime", "prezime", "unos_id", "pacijent_id", "datum_rodjenja"].contains(&head.as_str())));
    let visits = table[1..].iter().map(|row| (row[patient].clone(), row[day].parse::<Date>().unwrap()));
    let stored: Vec<(i64, jiff_sqlx::Date)> = sqlx::query_as(
        "select e.pacijent_id, e.datum_unosa from entry e join patient p on p.id = e.pacijent_id and p.aktivan
          where e.aktivan and e.tsa_id = $1 and e.ustanova_id = $2",
    )
    .bind(source.form)
    .bind(world.ustanova)
    .fetch_all(&world.db.owner)
    .await
    .unwrap();
    assert_eq!(table.len() - 1, stored.len());
    let true_days: BTreeSet<Date> = stored.iter().map(|(_, day)| day.to_jiff()).collect();
    let kept = visits.clone().filter(|(_, day)| true_days.contains(day)).count();
    assert!(kept < stored.len() / 2, "{kept} of {} dates are dates of the records", stored.len());
    assert_eq!(gaps(visits), gaps(stored.into_iter().map(|(patient, day)| (patient, day.to_jiff()))));
    assert!(table[1..].iter().all(|row| row[age].is_empty() || row[age].parse::<i32>().unwrap() <= 90));

    // Numbers and dates are drawn anew: two exports cannot be laid side by side.
    let again = world.exported(world.ask_export(world.entries(&source, Profile::BezIdentiteta)).await).await;
    assert_ne!(again["podaci.csv"], files["podaci.csv"]);
    assert_eq!(again["ucitaj.R"], files["ucitaj.R"], "the columns are the same");
}

/// A register with one field of each kind, three entries of two patients, and entries that are none of this institution's business.
pub async fn small_register(world: &World) -> Source {
    let mut tx = domain::db::begin(&world.db.owner, domain::db::SYSTEM_WORKER).await.unwrap();
    sqlx::raw_sql(
        "update parameter set vrednost = '1' where naziv = 'najmanjiIzvozBezIdentiteta';
         insert into register (naziv) values ('Mali registar');
         insert into form (registar_id, naziv) select id, 'Mali obrazac' from register where naziv = 'Mali registar';
         insert into attribute_type (naziv, tip_vrednosti_atributa, jedinica, donja_granica_brojne_vrednosti) values
             ('m panel', 8, null, null), ('m broj', 2, 'mg/l', 0), ('m izbor', 1, null, null), ('m tekst', 3, null, null), ('m jedan', 4, null, null),
             ('m više', 4, null, null), ('m datum', 5, null, null);
         insert into enum_item (tip_atributa_id, naziv, num_vrednost, redosled, aktivan)
         select t.id, i.naziv, i.broj, i.broj, i.naziv <> 'treća' from attribute_type t,
                (values ('prva', 1), ('druga', 2), ('treća', 3)) i (naziv, broj) where t.naziv in ('m jedan', 'm više');
         insert into form_field (tip_skupa_atributa_id, tip_atributa_id, naziv, redosled, sifra, multiselect)
         select f.id, t.id, 'Polje ' || t.naziv, x.place, x.code, t.naziv = 'm više'
           from form f, attribute_type t,
                (values ('m panel', 1, null), ('m broj', 2, 'CRP'), ('m izbor', 3, 'if'), ('m tekst', 4, 'napomena'), ('m jedan', 5, 'stadijum'),
                        ('m više', 6, 'simptom'), ('m datum', 7, 'prijem')) x (kind, place, code)
          where f.naziv = 'Mali obrazac' and t.naziv = x.kind;
         update form_field set nadredjeni_atribut_u_tipu_skupa_id = (select id from form_field where naziv = 'Polje m panel')
          where naziv in ('Polje m broj', 'Polje m izbor')",
    )
    .execute(&mut *tx)
    .await
    .unwrap();
    let (registar, form): (i64, i64) =
        sqlx::query_as("select registar_id, id from form where naziv = 'Mali obrazac'").fetch_one(&mut *tx).await.unwrap();
    let patients: Vec<i64> = sqlx::query_scalar("select id from patient where ustanova_id = $1 and aktivan order by id limit 2")
        .bind(world.ustanova)
        .fetch_all(&mut *tx)
        .await
        .unwrap();
    let other: i64 = sqlx::query_scalar("select id from institution where id <> $1 order by id limit 1")
        .bind(world.ustanova)
        .fetch_one(&mut *tx)
        .await
        .unwrap();
    let field = async |tx: &mut sqlx::PgConnection, code: &str| -> String {
        sqlx::query_scalar::<_, i64>("select id from form_field where tip_skupa_atributa_id = $1 and sifra = $2")
            .bind(form)
            .bind(code)
            .fetch_one(tx)
            .await
            .unwrap()
            .to_string()
    };
    let mut fields = BTreeMap::new();
    for code in ["CRP", "if", "napomena", "stadijum", "simptom", "prijem"] {
        fields.insert(code, field(&mut tx, code).await);
    }
    let mut item = BTreeMap::new();
    for kind in ["m jedan", "m više"] {
        for name in ["prva", "druga", "treća"] {
            let id: i64 = sqlx::query_scalar(
                "select i.id from enum_item i join attribute_type t on t.id = i.tip_atributa_id where t.naziv = $1 and i.naziv = $2",
            )
            .bind(kind)
            .bind(name)
            .fetch_one(&mut *tx)
            .await
            .unwrap();
            item.insert((kind, name), id);
        }
    }
    let rows = [
        (
            patients[0],
            "2026-01-05",
            world.ustanova,
            json!({ &fields["CRP"]: 5.25, &fields["if"]: true, &fields["napomena"]: "=1+1\nred", &fields["stadijum"]: [item[&("m jedan", "druga")]],
                    &fields["simptom"]: [item[&("m više", "prva")], item[&("m više", "treća")]], &fields["prijem"]: "2025-12-24" }),
        ),
        (patients[0], "2026-02-05", world.ustanova, json!({ &fields["if"]: false, &fields["simptom"]: [] })),
        (patients[1], "2025-11-30", world.ustanova, json!({ &fields["CRP"]: 12, &fields["napomena"]: "007" })),
        (patients[1], "2026-03-01", other, json!({ &fields["CRP"]: 99 })),
    ];
    for (patient, day, institution, values) in rows {
        sqlx::query("insert into entry (pacijent_id, registar_id, tsa_id, datum_unosa, ustanova_id, vrednosti) values ($1, $2, $3, $4::date, $5, $6)")
            .bind(patient)
            .bind(registar)
            .bind(form)
            .bind(day)
            .bind(institution)
            .bind(values)
            .execute(&mut *tx)
            .await
            .unwrap();
    }
    tx.commit().await.unwrap();
    Source { registar, form }
}

#[tokio::test]
async fn with_identity_the_file_holds_every_value_of_the_institution_and_none_of_another() {
    let (world, _) = World::to_export().await;
    let source = small_register(&world).await;
    let _engine = world.engine(&[]);
    let files = world.exported(world.ask_export(world.entries(&source, Profile::Identitet)).await).await;
    let table = table(&files);
    let own = "pacijent_id;jmbg;lbo;broj_kartona;prezime;ime;datum_rodjenja;pol;status;status_dan;ustanova;unos_id;poseta_id;redni_broj;datum_pregleda;starost";
    let sets = "stadijum;stadijum_tezina;simptom;simptom_tezina;simptom_prva;simptom_druga;simptom_treca";
    assert_eq!(table[0].join(";"), format!("{own};crp;if_v;napomena;{sets};prijem;ranije"));
    let values: Vec<String> =
        table[1..].iter().map(|row| row[13..15].iter().chain(&row[16..]).map(String::as_str).collect::<Vec<_>>().join(";")).collect();
    assert_eq!(
        values,
        [
            "1;2026-01-05;5,25;1;'=1+1 red;druga;2;prva|treća;1|3;1;0;1;2025-12-24;",
            "2;2026-02-05;;0;;;;;;;;;;",
            "1;2025-11-30;12;;007\t;;;;;;;;;"
        ],
        "an empty set is no answer; another institution's entry is not here"
    );
    // Whose they are, by a query of its own.
    let expected: Vec<(String, String, String, String, String)> = sqlx::query_as(
        "select p.id::text, p.jmbg || E'\\t', p.prezime, p.ime, p.datum_rodjenja::text from entry e join patient p on p.id = e.pacijent_id
          where e.tsa_id = $1 and e.ustanova_id = $2 order by p.id, e.datum_unosa",
    )
    .bind(source.form)
    .bind(world.ustanova)
    .fetch_all(&world.db.owner)
    .await
    .unwrap();
    let whose: Vec<_> =
        table[1..].iter().map(|row| (row[0].clone(), row[1].clone(), row[4].clone(), row[5].clone(), row[6].clone())).collect();
    assert_eq!(whose, expected);

    let codebook = text(&files, "sifarnik.csv");
    for line in [
        "crp;Polje m broj;broj;mg/l;;0;;CRP;Polje m panel",
        "stadijum;Polje m jedan;stavka;;prva | druga | treća (više se ne bira);;;stadijum;",
        "stadijum_tezina;Polje m jedan: težina;broj;;;;;stadijum;",
        "simptom_treca;Polje m više: treća (više se ne bira);šifra;;0 = Ne | 1 = Da;;;simptom;",
    ] {
        assert!(codebook.contains(line), "{line} is missing in\n{codebook}");
    }
    let items = text(&files, "stavke.csv");
    for line in ["polje;promenljiva;sifra;naziv;tezina;bira_se", "stadijum;stadijum;;treća;3;ne", "simptom;simptom_prva;;prva;1;da"] {
        assert!(items.lines().any(|known| known.trim_start_matches('\u{FEFF}') == line), "{line} is missing in\n{items}");
    }
    let readme = text(&files, "PROCITAJ.txt");
    for told in ["Redova:      3\r\n", "Pacijenata:  2\r\n", "Razlog:      Studija za proveru", "sa identitetom"] {
        assert!(readme.contains(told), "{told} is missing in\n{readme}");
    }
    let checks = "isTRUE(all.equal(as.numeric(podaci$crp), c(5.25, NA, 12))), identical(as.character(podaci$stadijum), c('druga', NA, NA)), \
                  podaci$napomena[1] == '=1+1 red', podaci$napomena[3] == '007', nchar(podaci$jmbg) == 13, \
                  podaci$prijem[1] == as.Date('2025-12-24'), attr(podaci$crp, 'label') == 'Polje m broj'";
    check_scripts(&files, checks);
    assert_eq!(world.count("select count(*) from data_export where redova = 3 and pacijenata = 2").await, 1);

    // Of a patient, the latest entry.
    let mut latest = world.entries(&source, Profile::BezIdentiteta);
    latest.selection.red = RowOf::Pacijent;
    let unnamed = self::table(&world.exported(world.ask_export(latest.clone()).await).await);
    assert!(!unnamed[0].contains(&"napomena".to_owned()), "a text is no part of it");
    (latest.run, latest.selection.profil) = (Uuid::now_v7(), Profile::Identitet);
    latest.selection.datum_do = Some(jiff::civil::date(2026, 1, 31));
    let patients = self::table(&world.exported(world.ask_export(latest).await).await);
    let crp = column(&patients, "crp");
    let found: BTreeSet<&str> = patients[1..].iter().map(|row| row[crp].as_str()).collect();
    assert_eq!((patients.len(), found), (3, BTreeSet::from(["12", "5,25"])), "that of January, since February is left out");

    // The patients of the register, chosen fields of the form.
    let mut register = world.entries(&source, Profile::Identitet);
    (register.selection.tsa_id, register.selection.red) = (None, RowOf::Pacijent);
    let patients = self::table(&world.exported(world.ask_export(register).await).await);
    let entries = column(&patients, "broj_unosa");
    assert_eq!(patients[1..].iter().map(|row| row[entries].as_str()).collect::<Vec<_>>(), ["2", "1"]);
    let mut chosen = world.entries(&source, Profile::Identitet);
    let crp: i64 = sqlx::query_scalar("select id from form_field where sifra = 'CRP' and tip_skupa_atributa_id = $1")
        .bind(source.form)
        .fetch_one(&world.db.owner)
        .await
        .unwrap();
    chosen.polja = Some(vec![crp]);
    let heads = self::table(&world.exported(world.ask_export(chosen).await).await).remove(0).join(";");
    assert_eq!(heads, format!("{own};crp;ranije"));
}

#[tokio::test]
async fn values_that_do_not_compare_with_the_others_are_told_of_beside_them() {
    let (world, _) = World::to_export().await;
    let source = small_register(&world).await;
    let _engine = world.engine(&[]);
    let marked = "insert into stale_result (unos_id, polje_id, razlog, jedinica)
                  select e.id, f.id, case f.sifra when 'CRP' then 'jedinica' else 'formula' end, case f.sifra when 'CRP' then 'mg/dl' end
                    from entry e join form_field f on f.tip_skupa_atributa_id = e.tsa_id and f.sifra in ('CRP', 'stadijum', 'simptom')
                   where e.tsa_id = $1 and e.datum_unosa = '2026-01-05'";
    sqlx::query(marked).bind(source.form).execute(&world.db.owner).await.unwrap();
    let files = world.exported(world.ask_export(world.entries(&source, Profile::BezIdentiteta)).await).await;
    let table = table(&files);
    let [told, crp] = ["ranije", "crp"].map(|name| column(&table, name));
    for row in &table[1..] {
        let mut names: Vec<&str> = row[told].split("; ").collect();
        names.sort_unstable();
        let wanted = if row[crp] == "5,25" { vec!["crp (mg/dl)", "simptom", "stadijum"] } else { vec![""] };
        assert_eq!(names, wanted);
    }
    assert!(text(&files, "sifarnik.csv").contains("ranije;Promenljive po ranijoj formuli ili u drugoj jedinici;tekst"));
    check_scripts(
        &files,
        "!('jmbg' %in% names(podaci)), isTRUE(all.equal(sort(as.numeric(podaci$crp)), c(5.25, 12))), 'ranije' %in% names(podaci)",
    );
}

/// R reads the data where it is installed, and finds what `checks` says of them, and so does PSPP; where they are not, the scripts name every
/// column.
fn check_scripts(files: &Files, checks: &str) {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in files {
        std::fs::write(folder.path().join(name), content).unwrap();
    }
    let run = |program: &str, arguments: &[&str]| {
        let ran = std::process::Command::new(program).args(arguments).current_dir(folder.path()).env("LC_ALL", "C.UTF-8").output();
        let Ok(output) = ran else {
            left_out(&format!("loading an export by {program}"), "it is not on this machine");
            return None;
        };
        let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{program}: {said}");
        Some(said)
    };
    run("Rscript", &["-e", &format!("source('ucitaj.R'); stopifnot(nrow(podaci) == 3, {checks})")]);
    let spss = String::from_utf8(files["ucitaj.sps"].clone()).unwrap();
    std::fs::write(folder.path().join("proba.sps"), format!("{spss}LIST crp stadijum prijem.\nDESCRIPTIVES crp.\n")).unwrap();
    if let Some(said) = run("pspp", &["proba.sps"]) {
        assert!(said.contains("5,25") && said.contains("8,6") && !said.contains("error"), "{said}");
    }
    check_columns(files);
}

/// Both scripts name every column once, and end what they begin.
pub fn check_columns(files: &Files) {
    let r = text(files, "ucitaj.R");
    let spss = text(files, "ucitaj.sps");
    for name in &table(files)[0] {
        assert_eq!(r.lines().filter(|line| line.starts_with(&format!("podaci${name} <- "))).count(), 1, "{name} in R");
        assert!(spss.contains(&format!("\n  {name} ")) && spss.contains(&format!("VARIABLE LABELS {name} '")), "{name} in SPSS");
    }
    assert_eq!(r.matches('(').count(), r.matches(')').count());
    assert!(spss.lines().filter(|line| line.starts_with("VARIABLE LABELS")).all(|line| line.ends_with("'.")), "each command ends");
}

#[tokio::test]
async fn an_export_is_made_for_whom_may_have_it_when_it_is_made() {
    let (world, source) = World::to_export().await;
    let _engine = world.engine(&[]);
    let mut foreign = world.entries(&source, Profile::BezIdentiteta);
    foreign.selection.ustanove = sqlx::query_scalar("select id from institution u where not works_at($1, id)")
        .bind(world.radnik)
        .fetch_all(&world.db.owner)
        .await
        .unwrap();
    assert!(!foreign.selection.ustanove.is_empty());
    let ended = world.end(world.ask_export(foreign).await).await;
    assert_eq!((ended.status.as_str(), ended.error_code.as_deref()), ("failed", Some("unauthorised")), "another institution: {ended:?}");

    world.run_sql("update role set pacijenti = 'ne' where id in (select uloga_id from worker_role where radnik_id = $1)").await;
    let ended = world.end(world.ask_export(world.entries(&source, Profile::Identitet)).await).await;
    assert_eq!((ended.status.as_str(), ended.error_code.as_deref()), ("failed", Some("unauthorised")), "patients are closed: {ended:?}");
    world.exported(world.ask_export(world.entries(&source, Profile::BezIdentiteta)).await).await;

    world
        .run_sql("delete from role_right where aplikativno_pravo_id = 14 and uloga_id in (select uloga_id from worker_role where radnik_id = $1)")
        .await;
    let ended = world.end(world.ask_export(world.entries(&source, Profile::BezIdentiteta)).await).await;
    assert_eq!((ended.status.as_str(), ended.error_code.as_deref()), ("failed", Some("unauthorised")), "the right is gone: {ended:?}");
}

#[tokio::test]
async fn more_rows_than_allowed_are_refused_and_never_cut() {
    let (world, source) = World::to_export().await;
    world.run_sql("update parameter set vrednost = '3' where naziv = 'izvozNajviseRedova' and $1 > 0").await;
    let _engine = world.engine(&[]);
    let ended = world.end(world.ask_export(world.entries(&source, Profile::BezIdentiteta)).await).await;
    assert_eq!((ended.status.as_str(), ended.error_code.as_deref()), ("failed", Some("too_many_rows")), "{ended:?}");
    assert_eq!(ended.error_text.as_deref(), Some("Izvoz ima više od 3 redova, koliko je dozvoljeno. Suzite period ili ustanove."));
    assert_eq!(world.published().len(), 0);
}

#[tokio::test]
async fn a_cancelled_export_leaves_neither_a_file_nor_a_statement() {
    let (world, source) = World::to_export().await;
    let _engine = world.engine(&[]);
    let mut lock = world.db.owner.begin().await.unwrap();
    sqlx::query("lock table patient in access exclusive mode").execute(&mut *lock).await.unwrap();
    let run = world.ask_export(world.entries(&source, Profile::BezIdentiteta)).await;
    eventually("the statement waits", async || (world.backends(run).await == 1).then_some(())).await;
    assert_eq!(world.cancel(run).await, Cancel::Asked);
    assert_eq!(world.end(run).await.status, "cancelled");
    eventually("the statement is gone", async || (world.backends(run).await == 0).then_some(())).await;
    lock.rollback().await.unwrap();
    assert_eq!(world.published().len(), 0);
}

#[tokio::test]
async fn an_export_is_made_once_although_its_engine_is_killed() {
    let (world, source) = World::to_export().await;
    let first = world.engine(&[("ENGINE_FAILPOINT", "render"), ("ENGINE_LEASE_SECONDS", "3")]);
    let run = world.ask_export(world.entries(&source, Profile::BezIdentiteta)).await;
    first.says("failpoint render reached").await;
    first.kill();
    assert_eq!(world.published().len(), 0, "nothing can be fetched of an export that is not over");
    let _second = world.engine(&[]);
    world.exported(run).await;
    let ended = world.row(run).await;
    assert_eq!((ended.fence, ended.crash_count, world.published().len()), (2, 1, 1), "{ended:?}");
    let days: i32 =
        sqlx::query_scalar("select round(extract(epoch from expires_at - finished_at) / 86400)::int from report_run where id = $1")
            .bind(run)
            .fetch_one(&world.db.owner)
            .await
            .unwrap();
    assert_eq!(days, 7, "kept as long as its parameter says");
}

/// MiB by which an engine may grow from an export of a thousand rows to one of twenty thousand.
const GROWTH: f64 = 24.0;
const FIELDS: i64 = 50;

/// Entries of one form with fifty numbers each, past the triggers, which have no part in reading, but for that of the visit.
pub async fn many_entries(world: &World, entries: i64) -> Source {
    let mut connection = world.db.owner.acquire().await.unwrap();
    let past = "set session_replication_role = replica; alter table entry enable always trigger entry_visit";
    sqlx::raw_sql(past).execute(&mut *connection).await.unwrap();
    let (registar, form): (i64, i64) =
        sqlx::query_as("insert into form (registar_id, naziv) select min(id), $1 from register returning registar_id, id")
            .bind(format!("Obrazac od {entries}"))
            .fetch_one(&mut *connection)
            .await
            .unwrap();
    for (sql, most) in [
        (
            "with t as (insert into attribute_type (naziv, tip_vrednosti_atributa) values ('broj obrasca ' || $1, 2) returning id)
             insert into form_field (tip_skupa_atributa_id, tip_atributa_id, naziv, redosled, sifra)
             select $1, t.id, 'Broj ' || n, n, 'b' || n from t, generate_series(1, $2) n where $3 > 0",
            FIELDS,
        ),
        (
            "with v as materialized (select make_form_version($1) as id)
             insert into entry (pacijent_id, registar_id, tsa_id, form_version_id, datum_unosa, ustanova_id, radnik_kreirao_id, vrednosti)
             select p.id, f.registar_id, f.id, v.id, date '2020-01-01' + (n % 2000)::int, $3, 1,
                    (select jsonb_object_agg(q.id::text, q.redosled + n / 100.0) from form_field q where q.tip_skupa_atributa_id = f.id)
               from generate_series(1, $2) n, form f, v, lateral (select id from patient where aktivan order by id offset n % 97 limit 1) p
              where f.id = $1",
            entries,
        ),
    ] {
        sqlx::query(sql).bind(form).bind(most).bind(world.ustanova).execute(&mut *connection).await.unwrap();
    }
    sqlx::raw_sql("reset session_replication_role; alter table entry enable trigger entry_visit").execute(&mut *connection).await.unwrap();
    Source { registar, form }
}

#[tokio::test]
#[ignore = "long: a million values"]
async fn a_million_values_take_no_more_memory_than_fifty_thousand() {
    let (world, _) = World::to_export().await;
    let (few, many) = (many_entries(&world, 1_000).await, many_entries(&world, 20_000).await);
    let engine = world.engine(&[]);
    let files = world.exported(world.ask_export(world.entries(&few, Profile::BezIdentiteta)).await).await;
    assert_eq!(table(&files).len(), 1_001);
    let before = engine.peak_memory();
    let began = std::time::Instant::now();
    let run = world.ask_export(world.entries(&many, Profile::BezIdentiteta)).await;
    let files = world.exported(run).await;
    let after = engine.peak_memory();
    eprintln!("1,000,000 values: {:.1} s, {before:.1} MiB before, {after:.1} MiB after", began.elapsed().as_secs_f64());
    let table = table(&files);
    // Last, what is said of marks.
    let values =
        table[1..].iter().map(|row| row[row.len() - 1 - FIELDS as usize..].iter().filter(|value| !value.is_empty()).count()).sum::<usize>();
    assert_eq!(values, 1_000_000);
    assert!(after - before < GROWTH, "the engine grew from {before:.1} to {after:.1} MiB");
}
