//! `api import data` of lines of which several are one entry: each is a row of its sections.

use serde_json::{Value, json};

use crate::import_data::{database_of, import};

const REGISTER: &str = r#"
[register]
sifra = "proba"
naziv = "Proba"

[[attributeTypes]]
naziv = "Panel"
tipVrednosti = "panel"
[[attributeTypes]]
naziv = "Broj"
tipVrednosti = "brojni"
decimaleBrojneVrednosti = 0
donjaGranicaBrojneVrednosti = 0
gornjaGranicaBrojneVrednosti = 1000
[[attributeTypes]]
naziv = "Tekst"
tipVrednosti = "tekstualni"

[[forms]]
sifraVeza = "pregled"
naziv = "Pregled"
[[forms.polja]]
sifra = "puls"
naziv = "Puls"
tipAtributa = "Broj"
[[forms.polja]]
sifra = "lekovi"
naziv = "Lekovi"
tipAtributa = "Panel"
ponavljaSe = true
najviseRedova = 3
[[forms.polja]]
sifra = "lek"
naziv = "Lek"
tipAtributa = "Tekst"
nadredjeni = "lekovi"
opcioni = false
[[forms.polja]]
sifra = "doza"
naziv = "Doza"
tipAtributa = "Broj"
nadredjeni = "lekovi"
"#;

const MAPPING: &str = r#"
[patient]
key = "jmbg"
institution = { constant = "Bolnica" }
[patient.fields]
ime = { constant = "Ana" }
prezime = "prezime"
jmbg = "jmbg"
lbo = "lbo"
kontaktTelefon = { constant = "011/1234567" }
[[entries]]
form = "pregled"
key = ["jmbg", "datum"]
date = "datum"
existing = "update"
[entries.fields]
puls = "puls"
[entries.rows.lekovi]
lek = "lek"
doza = "doza"
"#;

/// Lines of two patients; what is left out stands in every line alike.
fn file(lines: &[(u8, &str, &str, &str, &str)]) -> String {
    let people = [("Đurić", "0101990715000", "12345678901"), ("Žikić", "0202980710000", "12345678902")];
    let line = |(who, day, pulse, drug, dose): &(u8, &str, &str, &str, &str)| {
        let (surname, jmbg, lbo) = people[usize::from(*who)];
        format!("{surname},{jmbg},{lbo},{day},{pulse},{drug},{dose}\n")
    };
    format!("prezime,jmbg,lbo,datum,puls,lek,doza\n{}", lines.iter().map(line).collect::<String>())
}

/// The rows of each entry with the codes of their columns, in the order of the entries.
async fn stored(db: &domain::testing::TestDb) -> Vec<Value> {
    let query = "select coalesce((select jsonb_agg((select jsonb_object_agg(f.sifra, c.value) from jsonb_each(r -> 'v') c
                                                      join form_field f on f.id = c.key::bigint) || jsonb_build_object('id', r -> 'id') order by n)
                          from jsonb_array_elements(e.vrednosti -> (select id from form_field where sifra = 'lekovi')::text)
                               with ordinality as w(r, n)), '[]')
                   from entry e join patient p on p.id = e.pacijent_id order by p.prezime_f, e.datum_unosa";
    sqlx::query_scalar(query).fetch_all(&db.owner).await.unwrap()
}

#[tokio::test]
async fn lines_of_one_patient_and_day_are_rows_of_one_entry() {
    let db = database_of(REGISTER).await;
    let lines = [
        (0, "2024-05-06", "72", "Aspirin", "100"),
        (1, "2024-05-06", "80", "", ""),
        (0, "2024-05-06", "72", "Metformin", ""),
        (0, "2024-06-06", "70", "Aspirin", "75"),
    ];
    let outcome = import(&db, MAPPING, file(&lines)).await.unwrap();
    assert_eq!((outcome.patients.created, outcome.entries.created, outcome.rows), (2, 3, 4));
    let expected = [
        json!([{ "id": 1, "lek": "Aspirin", "doza": 100 }, { "id": 2, "lek": "Metformin" }]),
        json!([{ "id": 1, "lek": "Aspirin", "doza": 75 }]),
        json!([]),
    ];
    assert_eq!(stored(&db).await, expected);
    let again = import(&db, MAPPING, file(&lines)).await.unwrap();
    assert_eq!((again.entries.updated, again.entries.unchanged), (0, 3), "the same file writes nothing");
    let fewer = import(&db, MAPPING, file(&lines[1..])).await.unwrap();
    assert_eq!((fewer.entries.updated, fewer.entries.unchanged), (1, 2), "an update has the rows of the file");
    assert_eq!(stored(&db).await[0], json!([{ "id": 1, "lek": "Metformin" }]));
}

#[tokio::test]
async fn what_is_wrong_with_a_row_is_told_by_its_line_and_nothing_is_written() {
    let db = database_of(REGISTER).await;
    let lines = [
        (0, "2024-05-06", "72", "Aspirin", "100"),
        (0, "2024-05-06", "73", "Metformin", "1"),
        (0, "2024-05-06", "72", "", "5"),
        (0, "2024-05-06", "72", "Bisoprolol", "puno"),
        (0, "2024-05-06", "72", "Enalapril", "1001"),
    ];
    let faults = import(&db, MAPPING, file(&lines)).await.unwrap_err();
    assert_eq!(
        faults,
        [
            "red 2, kolona „lekovi”: Sekcija „Lekovi” može imati najviše 3 redova.",
            "red 3, kolona „puls”: vrednost se razlikuje od istog unosa u redu 2",
            "red 4, kolona „lekovi”: Lekovi, 2. red: Niste uneli stavku sa nazivom: Lek.",
            "red 5, kolona „doza”: „puno” nije broj",
            "red 6, kolona „lekovi”: Lekovi, 4. red: Doza nije u opsegu (0) - (1.000)",
        ]
    );
    assert_eq!(stored(&db).await, [Value::Null; 0]);
    let single = MAPPING.replace("[entries.rows.lekovi]\nlek = \"lek\"\ndoza = \"doza\"\n", "");
    let faults = import(&db, &single, file(&lines[..2])).await.unwrap_err();
    assert_eq!(faults, ["red 3, kolona „jmbg”: isti ključ unosa već stoji u redu 2"]);
}

#[tokio::test]
async fn a_mapping_names_sections_and_columns_that_there_are() {
    let db = database_of(REGISTER).await;
    let lines = file(&[(0, "2024-05-06", "72", "Aspirin", "100")]);
    for (from, to, fault) in [
        ("puls = \"puls\"", "doza = \"doza\"", "„doza” je u sekciji koja se ponavlja: kolone sekcije se mapiraju u delu rows"),
        ("rows.lekovi", "rows.puls", "formular „Pregled” nema sekciju koja se ponavlja „puls”"),
        ("lek = \"lek\"\ndoza", "lek = \"lek\"\npuls", "sekcija „Lekovi” nema kolonu „puls”"),
        ("lek = \"lek\"\n", "", "obavezna kolona „Lek” sekcije „Lekovi” (šifra „lek”) nije mapirana"),
    ] {
        let faults = import(&db, &MAPPING.replace(from, to), &lines).await.unwrap_err();
        assert_eq!(faults, [format!("mapiranje entries.pregled: {fault}")]);
    }
}

#[tokio::test]
async fn repeats_of_redcap_are_rows_of_the_entry_of_their_record() {
    let db = database_of(REGISTER).await;
    let mapping = MAPPING.replace("key = \"jmbg\"", "key = \"record_id\"").replace("key = [\"jmbg\", \"datum\"]", "key = \"record_id\"");
    let file = "record_id,redcap_repeat_instrument,redcap_repeat_instance,prezime,jmbg,lbo,datum,puls,lek,doza\n\
                1,,,Đurić,0101990715000,12345678901,2024-05-06,72,,\n\
                1,lekovi,1,,,,,,Aspirin,100\n\
                1,lekovi,2,,,,,,Metformin,\n\
                2,,,Žikić,0202980710000,12345678902,2024-05-07,,,\n\
                2,lekovi,1,,,,,,Enalapril,5\n";
    let outcome = import(&db, &mapping, file.to_owned()).await.unwrap();
    assert_eq!((outcome.patients.created, outcome.entries.created, outcome.rows), (2, 2, 5));
    let expected = [
        json!([{ "id": 1, "lek": "Aspirin", "doza": 100 }, { "id": 2, "lek": "Metformin" }]),
        json!([{ "id": 1, "lek": "Enalapril", "doza": 5 }]),
    ];
    assert_eq!(stored(&db).await, expected);
    let again = import(&db, &mapping, file.to_owned()).await.unwrap();
    assert_eq!((again.entries.updated, again.entries.unchanged), (0, 2), "the same file writes nothing");
    let wrong = file.replace("Metformin,", "Metformin,puno");
    assert_eq!(import(&db, &mapping, wrong).await.unwrap_err(), ["red 4, kolona „doza”: „puno” nije broj"]);
}
