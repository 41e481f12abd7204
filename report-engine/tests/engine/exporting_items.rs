//! Items of sets in an export: name, code and weight, each in a column of its own, and the way back by an import.

use std::io::Cursor;

use calamine::{Data, Reader, Xlsx};
use domain::exports::Profile;
use interchange::import::{
    data::{self, Failure, Request},
    definition, formulas,
    mapping::{Mapping, Source},
    progress::Progress,
    proposal, register,
    schema::{RegisterName, RegisterSchema},
};
use jiff::civil::date;
use serde_json::Value;
use sqlx::PgConnection;

use crate::exporting::{self, Source as Exported, table, text};
use crate::world::World;

/// One option without a weight, two of one weight, codes that are numbers, texts, none, and one whose zero would go.
const REGISTER: &str = r#"
[register]
sifra = "stavke"
naziv = "Registar stavki"

[[attributeTypes]]
naziv = "Panel stavki"
tipVrednosti = "panel"

[[attributeTypes]]
naziv = "Bol u stavkama"
tipVrednosti = "skupovni"
stavke = [
    { naziv = "Nema", sifraVeza = "1", numVrednost = 0 },
    { naziv = "Blag", sifraVeza = "2", numVrednost = 1.5 },
    { naziv = "Jak", sifraVeza = "3", numVrednost = 1.5 },
    { naziv = "Nepoznato", sifraVeza = "NP" },
]

[[attributeTypes]]
naziv = "Stadijum u stavkama"
tipVrednosti = "skupovni"
stavke = [{ naziv = "1", sifraVeza = "2" }, { naziv = "2", sifraVeza = "1" }]

[[attributeTypes]]
naziv = "Nalaz u stavkama"
tipVrednosti = "skupovni"
stavke = [{ naziv = "-", numVrednost = 0 }, { naziv = "+", numVrednost = 1 }, { naziv = "++", numVrednost = 2 }]

[[attributeTypes]]
naziv = "Znaci u stavkama"
tipVrednosti = "skupovni"
stavke = [{ naziv = "Groznica", sifraVeza = "01" }, { naziv = "Kašalj", sifraVeza = "02", numVrednost = 4 }]

[[forms]]
sifraVeza = "stavke"
naziv = "Obrazac stavki"
polja = [
    { sifra = "bol", naziv = "Bol", tipAtributa = "Bol u stavkama" },
    { sifra = "stadijum", naziv = "Stadijum", tipAtributa = "Stadijum u stavkama" },
    { sifra = "nalaz", naziv = "Nalaz", tipAtributa = "Nalaz u stavkama" },
    { sifra = "znaci", naziv = "Znaci", tipAtributa = "Znaci u stavkama", multiselect = true },
    { sifra = "lekovi", naziv = "Lekovi", tipAtributa = "Panel stavki", ponavljaSe = true },
    { sifra = "dejstvo", naziv = "Dejstvo", tipAtributa = "Bol u stavkama", nadredjeni = "lekovi" },
]
"#;

const FILE: &str = "Ime;Prezime;JMBG;LBO;Telefon;Datum pregleda;bol;stadijum;nalaz;znaci;dejstvo\n\
    Ana;Stavkić;0101990715000;00345678901;011/1234567;2024-05-06;2;1;-;01|02;3\n\
    Bojan;Stavkić;0202980710000;00345678902;021/123456;2024-05-07;NP;2;++;01;NP\n\
    Ceca;Stavkić;0303970715005;00345678903;021/123456;2024-05-08;;;;;1\n";

const MAPPING: &str = r#"
[patient]
key = "JMBG"
institution = "Telefon"
[patient.fields]
ime = "Ime"
prezime = "Prezime"
jmbg = "JMBG"
lbo = "LBO"
kontaktTelefon = "Telefon"
[[entries]]
form = "stavke"
key = ["JMBG", "Datum pregleda"]
date = "Datum pregleda"
[entries.fields]
bol = "bol"
stadijum = "stadijum"
nalaz = "nalaz"
znaci = "znaci"
[entries.rows.lekovi]
dejstvo = "dejstvo"
"#;

/// Brings the file in as the world's institution.
async fn import(world: &World, tx: &mut PgConnection, mut mapping: Mapping, file: &[u8], source: &str) {
    let institution: String =
        sqlx::query_scalar("select naziv from institution where id = $1").bind(world.ustanova).fetch_one(&mut *tx).await.unwrap();
    mapping.patient.institution = Source::of_constant(&institution);
    mapping.check().unwrap();
    let request =
        Request { register: RegisterName::Code("stavke"), institution: None, mapping: &mapping, file, source, today: date(2026, 6, 1) };
    match data::import(tx, &request, &mut Progress::Silent).await {
        Ok(outcome) => assert_eq!(outcome.entries.created, 3 - outcome.without_entry as u64, "{outcome:?}"),
        Err(Failure::Defects(problems)) => panic!("{:#?}", problems.defects.iter().map(ToString::to_string).collect::<Vec<_>>()),
        Err(Failure::Other(error)) => panic!("{error:?}"),
    }
}

async fn filled(world: &World) -> Exported {
    let mut tx = domain::db::begin(&world.db.owner, domain::db::SYSTEM_WORKER).await.unwrap();
    let definition = definition::parse(REGISTER, |name| anyhow::bail!("no picture {name}")).unwrap();
    register::store(&mut tx, &definition, &formulas::compile(&definition), false).await.unwrap();
    import(world, &mut tx, Mapping::parse(MAPPING).unwrap(), FILE.as_bytes(), "prvi").await;
    let (registar, form) =
        sqlx::query_as("select registar_id, id from form where sifra_veza = 'stavke'").fetch_one(&mut *tx).await.unwrap();
    tx.commit().await.unwrap();
    Exported { registar, form }
}

/// The chosen items of each patient's entries, one after the other.
async fn stored(world: &World, form: i64) -> Vec<(String, Vec<Value>)> {
    sqlx::query_as(
        "select p.ime, array_agg(e.vrednosti - (select id::text from form_field where sifra = 'lekovi' and tip_skupa_atributa_id = $1) order by e.id)
           from entry e join patient p on p.id = e.pacijent_id where e.tsa_id = $1 group by 1 order by 1",
    )
    .bind(form)
    .fetch_all(&world.db.owner)
    .await
    .unwrap()
}

#[tokio::test]
async fn name_code_and_weight_have_a_column_each_and_come_back_as_the_same_items() {
    let (world, _) = World::to_export().await;
    let source = filled(&world).await;
    let _engine = world.engine(&[]);
    let files = world.exported(world.ask_export(world.entries(&source, Profile::Identitet)).await).await;

    let table = table(&files);
    let first = table[0].iter().position(|head| head == "bol").unwrap();
    let told: Vec<String> = table.iter().map(|row| row[first..].join(";")).collect();
    assert_eq!(
        told,
        [
            "bol;bol_sifra;bol_tezina;stadijum;stadijum_sifra;nalaz;nalaz_tezina;znaci;znaci_sifra;znaci_tezina;znaci_01;znaci_02;ranije",
            "Blag;2;1,5;2;1;'-;0;Groznica|Kašalj;01|02;|4;1;1;",
            "Nepoznato;NP;;1;2;'++;2;Groznica;01\t;;1;0;",
            ";;;;;;;;;;;;",
        ]
    );
    let lines = text(&files, "redovi.csv");
    for line in ["1;lekovi;1;dejstvo;Jak;3;1,5", "2;lekovi;1;dejstvo;Nepoznato;NP;", "3;lekovi;1;dejstvo;Nema;1;0"] {
        assert!(lines.lines().any(|known| known == line), "{line} is missing in\n{lines}");
    }
    let items = text(&files, "stavke.csv");
    for line in ["bol;bol;NP;Nepoznato;;da", "bol;bol;3;Jak;1,5;da", "znaci;znaci_01;01\t;Groznica;;da", "dejstvo;redovi.csv;1;Nema;0;da"] {
        assert!(items.lines().any(|known| known == line), "{line} is missing in\n{items}");
    }
    let codebook = text(&files, "sifarnik.csv");
    for line in
        ["bol_sifra;Bol: šifra;stavka;;1 = Nema | 2 = Blag | 3 = Jak | NP = Nepoznato;;;bol;", "bol_tezina;Bol: težina;broj;;;;;bol;"]
    {
        assert!(codebook.lines().any(|known| known == line), "{line} is missing in\n{codebook}");
    }

    let mut book: Xlsx<_> = calamine::open_workbook_from_rs(Cursor::new(files["podaci.xlsx"].clone())).unwrap();
    let sheet = book.worksheet_range("podaci").unwrap();
    let rows: Vec<&[Data]> = sheet.rows().collect();
    let cells = |row: usize| rows[row][first..first + 3].to_vec();
    assert_eq!(cells(1), [Data::String("Blag".into()), Data::String("2".into()), Data::Float(1.5)]);
    assert_eq!(cells(2), [Data::String("Nepoznato".into()), Data::String("NP".into()), Data::Empty], "no weight is no zero");
    let place = |name: &str| table[0].iter().position(|head| head == name).unwrap();
    let identity = [("jmbg", "0101990715000"), ("lbo", "00345678901")].map(|(name, number)| (&rows[1][place(name)], number));
    assert!(identity.iter().all(|(cell, number)| **cell == Data::String((*number).into())), "zeros stay: {identity:?}");
    assert!(matches!(rows[1][place("datum_pregleda")], Data::DateTime(_)), "a day is a day of the sheet");
    let codes = book.worksheet_range("stavke").unwrap();
    assert!(
        codes
            .rows()
            .any(|row| row.iter().map(ToString::to_string).collect::<Vec<_>>() == ["znaci", "znaci_01", "01", "Groznica", "", "da"])
    );

    let mut tx = domain::db::begin(&world.db.owner, domain::db::SYSTEM_WORKER).await.unwrap();
    let schema = RegisterSchema::load(&mut tx, RegisterName::Code("stavke")).await.unwrap();
    let mut proposed = proposal::of_file(&files["podaci.csv"], &schema).unwrap();
    let columns: Vec<(String, Source)> = proposed.entries[0].fields.clone().into_iter().collect();
    let columns: Vec<(&str, &str)> = columns.iter().map(|(field, source)| (field.as_str(), source.column.as_deref().unwrap())).collect();
    assert_eq!(columns, [("bol", "bol_sifra"), ("nalaz", "nalaz"), ("stadijum", "stadijum_sifra"), ("znaci", "znaci_sifra")]);
    // What an export does not have, the worker says.
    proposed.patient.fields.insert("kontaktTelefon".to_owned(), Source::of_constant("011/1234567"));
    import(&world, &mut tx, proposed, &files["podaci.csv"], "drugi").await;
    tx.commit().await.unwrap();
    for (name, values) in stored(&world, source.form).await {
        assert!(values.len() == if name == "Ceca" { 1 } else { 2 } && values.iter().all(|one| *one == values[0]), "{name}: {values:?}");
    }
    exporting::check_columns(&files);
}
