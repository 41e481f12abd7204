//! `api import data` of columns that are written in another unit than their field's.

use domain::testing::TestDb;
use interchange::import::mapping::Mapping;
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
naziv = "Holesterol"
tipVrednosti = "brojni"
jedinica = "mmol/L"
decimaleBrojneVrednosti = 2
donjaGranicaBrojneVrednosti = 0
gornjaGranicaBrojneVrednosti = 20
drugeJedinice = [{ jedinica = "mg/dL", cinilac = 0.02586 }]

[[forms]]
sifraVeza = "pregled"
naziv = "Pregled"
polja = [
    { sifra = "ukupni", naziv = "Ukupni", tipAtributa = "Holesterol" },
    { sifra = "ranije", naziv = "Ranije", tipAtributa = "Panel", ponavljaSe = true },
    { sifra = "ldl", naziv = "LDL", tipAtributa = "Holesterol", nadredjeni = "ranije" },
]
"#;

const MAPPING: &str = r#"
[patient]
key = "jmbg"
institution = { constant = "Bolnica" }
[patient.fields]
ime = { constant = "Ana" }
prezime = { constant = "Đurić" }
jmbg = "jmbg"
lbo = { constant = "12345678901" }
kontaktTelefon = { constant = "011/1234567" }
[[entries]]
form = "pregled"
key = ["jmbg", "datum"]
date = "datum"
existing = "update"
[entries.fields]
ukupni = { column = "ukupni", unit = "mg/dL" }
[entries.rows.ranije]
ldl = { column = "ldl", unit = "mg/dL" }
"#;

fn file(lines: &[(&str, &str)]) -> String {
    let line = |(all, ldl): &(&str, &str)| format!("0101990715000,2024-05-06,{all},{ldl}\n");
    format!("jmbg,datum,ukupni,ldl\n{}", lines.iter().map(line).collect::<String>())
}

/// With codes instead of the ids of fields and columns. Between the two stand rows, which keep theirs.
fn named(value: Value, codes: &[(i64, String)], depth: usize) -> Value {
    let code = |id: String| codes.iter().find(|(known, _)| known.to_string() == id).map_or_else(|| id.clone(), |(_, code)| code.clone());
    match value {
        Value::Object(parts) => {
            let key = |id| if depth.is_multiple_of(2) { code(id) } else { id };
            parts.into_iter().map(|(id, part)| (key(id), named(part, codes, depth + 1))).collect()
        }
        Value::Array(parts) => parts.into_iter().map(|part| named(part, codes, depth)).collect(),
        plain => plain,
    }
}

/// The entry's values and what is remembered of how they were written.
async fn stored(db: &TestDb) -> (Value, Value) {
    let (values, typed): (String, Option<String>) =
        sqlx::query_as("select vrednosti::text, uneto_u::text from entry").fetch_one(&db.owner).await.unwrap();
    let codes: Vec<(i64, String)> = sqlx::query_as("select id, sifra from form_field").fetch_all(&db.owner).await.unwrap();
    let read = |text: String| named(serde_json::from_str(&text).unwrap(), &codes, 0);
    (read(values), typed.map_or(Value::Null, read))
}

#[tokio::test]
async fn numbers_are_stored_in_the_fields_own_unit_and_as_they_were_written() {
    let db = database_of(REGISTER).await;
    let outcome = import(&db, MAPPING, file(&[("200", "130"), ("200", "")])).await.unwrap();
    let told: Vec<String> = outcome.warnings.iter().map(ToString::to_string).collect();
    let converted = "brojevi su u mg/dL i upisuju se u mmol/L";
    assert_eq!(told, [format!("ukupni: {converted}"), format!("ldl: {converted}")]);
    let written = |broj: i32| json!({ "broj": f64::from(broj), "jedinica": "mg/dL" });
    let (values, typed) = stored(&db).await;
    assert_eq!(values, json!({ "ukupni": 5.17, "ranije": [{ "id": 1, "v": { "ldl": 3.36 } }] }));
    assert_eq!((&typed["ukupni"], &typed["ranije"]["1"]["ldl"]), (&written(200), &written(130)), "{typed}");

    let again = import(&db, MAPPING, file(&[("200", "130")])).await.unwrap();
    assert_eq!((again.entries.updated, again.entries.unchanged), (0, 1), "the same numbers write nothing");

    let own = MAPPING.replace("{ column = \"ukupni\", unit = \"mg/dL\" }", "{ column = \"ukupni\", unit = \"mmol/L\" }");
    import(&db, &own, file(&[("5.2", "130")])).await.unwrap();
    let (values, typed) = stored(&db).await;
    assert_eq!((&values["ukupni"], &typed["ukupni"]), (&json!(5.2), &Value::Null), "what was written before is of another number");
    assert_eq!(typed["ranije"]["1"]["ldl"], written(130));
}

#[tokio::test]
async fn bounds_are_those_of_the_own_unit_and_a_unit_is_one_of_the_field() {
    let db = database_of(REGISTER).await;
    let faults = import(&db, MAPPING, file(&[("1000", "")])).await.unwrap_err();
    assert_eq!(faults, ["red 2, kolona „ukupni”: Stavka sa nazivom: Ukupni nije u opsegu (0) - (20)"]);
    let unknown = MAPPING.replace("unit = \"mg/dL\"", "unit = \"g/L\"");
    let faults = import(&db, &unknown, file(&[("1", "1")])).await.unwrap_err();
    let place = "mapiranje entries.pregled";
    assert_eq!(faults, [format!("{place}: polje „Ukupni” nema jedinicu „g/L”"), format!("{place}: polje „LDL” nema jedinicu „g/L”")]);
    let of_a_patient = MAPPING.replace("jmbg = \"jmbg\"", "jmbg = { column = \"jmbg\", unit = \"kg\" }");
    assert_eq!(Mapping::parse(&of_a_patient).unwrap_err().to_string(), "jedinicu ima samo kolona brojnog polja formulara");
}
