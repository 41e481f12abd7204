//! Options of a set are known by code, then by name, by weight only where the mapping says so and each has one: at every door by which data
//! come in.

use serde_json::{Value, json};

use super::Case;
use crate::import_data::{database_of, import};

/// A register as another system has coded it: codes beside weights that are not theirs, and one option without a weight.
const CODED: &str = r#"
[register]
sifra = "proba"
naziv = "Proba"
prviTipHijerarhijeAtributa = "pregled"

[[attributeTypes]]
naziv = "Panel"
tipVrednosti = "panel"

[[attributeTypes]]
naziv = "Da/Ne"
tipVrednosti = "izborni"

[[attributeTypes]]
naziv = "Broj"
tipVrednosti = "brojni"

[[attributeTypes]]
naziv = "Bol"
tipVrednosti = "skupovni"
stavke = [
    { naziv = "Nema", sifraVeza = "1", numVrednost = 0 },
    { naziv = "Blag", sifraVeza = "2", numVrednost = 1 },
    { naziv = "Jak", sifraVeza = "3", numVrednost = 2 },
    { naziv = "Nepoznato", sifraVeza = "NP" },
]

[[attributeTypes]]
naziv = "Znaci"
tipVrednosti = "skupovni"
stavke = [
    { naziv = "Groznica", sifraVeza = "1", numVrednost = 5 },
    { naziv = "Kašalj", sifraVeza = "2", numVrednost = 5 },
    { naziv = "Osip", sifraVeza = "-1" },
]

[[attributeTypes]]
naziv = "Dece"
tipVrednosti = "skupovni"
stavke = [{ naziv = "1", sifraVeza = "0" }, { naziv = "2", sifraVeza = "1" }, { naziv = "više", sifraVeza = "2" }]

[[attributeTypes]]
naziv = "Stepen"
tipVrednosti = "skupovni"
stavke = [{ naziv = "Blago", numVrednost = 1 }, { naziv = "Teško", numVrednost = 2 }]

[[attributeTypes]]
naziv = "Ishod"
tipVrednosti = "skupovni"
stavke = [{ naziv = "Loš", numVrednost = 0 }, { naziv = "Nije rečeno" }]

[[forms]]
sifraVeza = "pregled"
naziv = "Pregled"
polja = [
    { sifra = "bol", naziv = "Jačina bola", tipAtributa = "Bol" },
    { sifra = "znaci", naziv = "Znaci bolesti", tipAtributa = "Znaci", multiselect = true },
    { sifra = "dece", naziv = "Broj dece", tipAtributa = "Dece" },
    { sifra = "stepen", naziv = "Stepen bolesti", tipAtributa = "Stepen" },
    { sifra = "ishod", naziv = "Ishod lečenja", tipAtributa = "Ishod" },
    { sifra = "pusi", naziv = "Puši", tipAtributa = "Da/Ne", inicijalnaBooleanVrednost = true },
    { sifra = "doza", naziv = "Doza", tipAtributa = "Broj", inicijalnaBrojnaVrednost = 10 },
    { sifra = "lekovi", naziv = "Lekovi", tipAtributa = "Panel", ponavljaSe = true },
    { sifra = "podnosi", naziv = "Podnosi", tipAtributa = "Bol", nadredjeni = "lekovi" },
]
"#;

const PATIENTS: &str = "Ime,Prezime,JMBG,LBO,Telefon,Datum pregleda";
const ANA: &str = "Ana,Đurić,0101990715000,12345678901,011/1234567,2024-05-06";
const BOJAN: &str = "Bojan,Žikić,0202980710000,12345678902,021/123456,2024-05-07";

/// A mapping of the command with these fields of the form.
fn mapping(fields: &str) -> String {
    format!(
        r#"
        [file]
        items = ","
        [patient]
        key = "JMBG"
        institution = {{ constant = "Bolnica" }}
        [patient.fields]
        ime = "Ime"
        prezime = "Prezime"
        jmbg = "JMBG"
        lbo = "LBO"
        kontaktTelefon = "Telefon"
        [[entries]]
        form = "pregled"
        key = ["JMBG", "Datum pregleda"]
        date = "Datum pregleda"
        {fields}"#
    )
}

/// Ana's and Bojan's cells of these columns.
fn file(columns: &str, ana: &str, bojan: &str) -> String {
    format!("{PATIENTS},{columns}\n{ANA},{ana}\n{BOJAN},{bojan}\n")
}

/// What is stored of each entry, by field: the names of the items.
const STORED: &str = "
    select coalesce(jsonb_agg(v.polja order by p.ime), '[]') from entry e join patient p on p.id = e.pacijent_id cross join lateral (
        select coalesce(jsonb_object_agg(f.sifra, coalesce(
                   (select jsonb_agg(i.naziv order by i.id) from enum_item i
                     where jsonb_typeof(e.vrednosti -> f.id::text) = 'array' and e.vrednosti -> f.id::text @> to_jsonb(i.id)),
                   e.vrednosti -> f.id::text)), '{}') as polja
          from form_field f where f.tip_skupa_atributa_id = e.tsa_id and e.vrednosti ? f.id::text) v";

/// What the command makes of the file, and of what it warns.
async fn by_command(fields: &str, file: String) -> Result<(Value, Vec<String>), Vec<String>> {
    let db = database_of(CODED).await;
    let outcome = import(&db, &mapping(fields), file).await?;
    let stored = sqlx::query_scalar(STORED).fetch_one(&db.owner).await.unwrap();
    Ok((stored, outcome.warnings.iter().map(ToString::to_string).collect()))
}

/// Proposed, checked and confirmed on the screen; what is stored and the mapping that was proposed.
async fn by_screen(file: String) -> (Value, Value) {
    let case = Case::of(CODED).await;
    let sent = case.send(&case.worker, file, case.app.ustanova).await.assert_status(201).json();
    let path = format!("/api/data-imports/{}", sent["id"]);
    let shown = case.worker.get(&format!("{path}/mapping")).await.json();
    let checked = case.check(&path).await;
    assert_eq!(checked["ishod"]["gresaka"], 0, "{checked}");
    assert_eq!(case.confirm(&path).await["status"], "done");
    (sqlx::query_scalar(STORED).fetch_one(&case.app.db.owner).await.unwrap(), shown)
}

#[tokio::test]
async fn a_code_is_read_before_a_weight_by_the_command_whatever_the_mapping_says_of_weights() {
    let raw = || file("bol", "2", "NP");
    let right = json!([{ "bol": ["Blag"] }, { "bol": ["Nepoznato"] }]);
    let (stored, warnings) = by_command("[entries.fields]\nbol = \"bol\"", raw()).await.unwrap();
    assert_eq!((&stored, warnings.len()), (&right, 0), "{warnings:?}");
    let (stored, warnings) = by_command("[entries.fields]\nbol = { column = \"bol\", numbers = true }", raw()).await.unwrap();
    assert_eq!(stored, right);
    assert_eq!(warnings, ["bol: stavke se čitaju po šiframa, a ne po težini: stavka „Nepoznato” polja „Jačina bola” nema težinu"]);
}

#[tokio::test]
async fn weights_are_read_only_where_each_option_has_one() {
    let (stored, _) = by_command("[entries.fields]\nstepen = { column = \"s\", numbers = true }", file("s", "1", "2.0")).await.unwrap();
    assert_eq!(stored, json!([{ "stepen": ["Blago"] }, { "stepen": ["Teško"] }]));
    let unsaid = by_command("[entries.fields]\nstepen = \"s\"", file("s", "1", "Teško")).await.unwrap_err();
    assert_eq!(unsaid, ["red 2, kolona „s”: „1” nije među stavkama: Blago, Teško"]);
    let refused = by_command("[entries.fields]\nishod = { column = \"s\", numbers = true }", file("s", "0", "0")).await.unwrap_err();
    let why = "kolona „s” se ne može čitati po težini: stavka „Nije rečeno” polja „Ishod lečenja” nema težinu";
    assert_eq!(refused, [format!("mapiranje entries.pregled: {why}")]);
}

#[tokio::test]
async fn a_text_that_is_the_code_of_one_option_and_the_name_of_another_is_told() {
    let (stored, warnings) = by_command("[entries.fields]\ndece = \"d\"", file("d", "2", "0")).await.unwrap();
    assert_eq!(stored, json!([{ "dece": ["više"] }, { "dece": ["1"] }]));
    assert_eq!(warnings, ["d: „2” se čita kao šifra stavke „više”, a tako se zove i druga stavka"]);
}

#[tokio::test]
async fn codes_are_proposed_shown_and_stored_on_the_screen() {
    let (stored, shown) = by_screen(file("bol,znaci,stepen", "2,\"1,-1\",1", "NP,2,2")).await;
    assert_eq!(
        stored,
        json!([
            { "bol": ["Blag"], "znaci": ["Groznica", "Osip"], "stepen": ["Blago"] },
            { "bol": ["Nepoznato"], "znaci": ["Kašalj"], "stepen": ["Teško"] },
        ])
    );
    let proposed = &shown["mapiranje"];
    let fields = json!({ "bol": "bol", "znaci": "znaci", "stepen": { "column": "stepen", "numbers": true } });
    assert_eq!((&proposed["entries"][0]["fields"], &proposed["file"]["items"]), (&fields, &json!(",")));
    let cells: Vec<&str> =
        shown["pregled"]["redovi"][0]["celije"].as_array().unwrap().iter().map(|cell| cell["tekst"].as_str().unwrap()).collect();
    assert!(["Blag", "Groznica, Osip", "Blago"].iter().all(|name| cells.contains(name)), "{cells:?}");
    let options = &shown["formulari"][0]["polja"][0];
    assert_eq!((&options["sifra"], &options["vise"]), (&json!("bol"), &json!(false)));
    assert_eq!(options["stavke"][1], json!({ "naziv": "Blag", "sifra": "2", "broj": 1.0, "oznaka": "2" }));
    assert_eq!(options["stavke"][3], json!({ "naziv": "Nepoznato", "sifra": "NP", "broj": null, "oznaka": "NP" }));
}

#[tokio::test]
async fn columns_of_single_options_are_one_set_and_no_tick_is_no_answer() {
    let boxes = file("znaci___1,znaci___2,znaci____1,bol", "1,0,1,", "0,0,0,1");
    let right = json!([{ "znaci": ["Groznica", "Osip"] }, { "bol": ["Nema"] }]);
    let (stored, shown) = by_screen(boxes.clone()).await;
    assert_eq!(stored, right);
    let columns = json!({ "znaci___1": "1", "znaci___2": "2", "znaci____1": "-1" });
    assert_eq!(shown["mapiranje"]["entries"][0]["fields"]["znaci"], json!({ "columns": columns }));
    let fields =
        "[entries.fields]\nbol = \"bol\"\n[entries.fields.znaci.columns]\nznaci___1 = \"1\"\nznaci___2 = \"Kašalj\"\nznaci____1 = \"-1\"";
    assert_eq!(by_command(fields, boxes).await.unwrap().0, right);
    // An instrument that nobody filled in has No in all of its boxes.
    let (stored, _) = by_command(fields, file("znaci___1,znaci___2,znaci____1,bol", "1,,,", "0,0,0,")).await.unwrap();
    assert_eq!(stored, json!([{ "znaci": ["Groznica"] }]));
    let wrong = by_command(fields, file("znaci___1,znaci___2,znaci____1,bol", "1,možda,0,", "0,0,1,")).await.unwrap_err();
    assert_eq!(wrong, ["red 2, kolona „znaci___2”: „možda” nije ni Da ni Ne"]);
    let unknown = fields.replace("\"-1\"", "\"9\"");
    let wrong = by_command(&unknown, file("znaci___1,znaci___2,znaci____1,bol", "1,0,0,", "0,0,1,")).await.unwrap_err();
    assert_eq!(wrong, ["mapiranje entries.pregled: kolona „znaci____1”: polje „Znaci bolesti” nema stavku „9”"]);
}

#[tokio::test]
async fn rows_of_a_section_and_several_options_in_a_cell_are_read_by_code() {
    let fields = "[entries.fields]\nznaci = \"z\"\n[entries.rows.lekovi]\npodnosi = \"p\"";
    let (stored, _) = by_command(fields, file("z,p", "\"2,1\",3", "1,NP")).await.unwrap();
    assert_eq!((&stored[0]["znaci"], &stored[1]["znaci"]), (&json!(["Groznica", "Kašalj"]), &json!(["Groznica"])));
    let items = "select string_agg(i.naziv, ' ' order by p.ime) from entry e join patient p on p.id = e.pacijent_id
                   join form_field s on s.sifra = 'lekovi' join form_field f on f.sifra = 'podnosi'
                   join enum_item i on e.vrednosti -> s.id::text -> 0 -> 'v' -> f.id::text @> to_jsonb(i.id)";
    let db = database_of(CODED).await;
    import(&db, &mapping(fields), file("z,p", "\"2,1\",3", "1,NP")).await.unwrap();
    let stored: Option<String> = sqlx::query_scalar(items).fetch_one(&db.owner).await.unwrap();
    assert_eq!(stored.as_deref(), Some("Jak Nepoznato"));
}

#[tokio::test]
async fn a_faulty_row_names_the_options_and_is_mended_by_a_code() {
    let case = Case::of(CODED).await;
    let sent = case.send(&case.worker, file("bol", "7", "3"), case.app.ustanova).await.assert_status(201).json();
    let path = format!("/api/data-imports/{}", sent["id"]);
    let found = case.check(&path).await["ishod"].clone();
    assert_eq!(found["greske"][0]["poruka"], "„…” nije među stavkama: 1 = Nema, 2 = Blag, 3 = Jak, NP = Nepoznato", "{found}");
    let rows = case.worker.get(&format!("{path}/faulty-rows")).await.text();
    assert!(rows.contains("bol: „7” nije među stavkama: 1 = Nema, 2 = Blag, 3 = Jak, NP = Nepoznato"), "{rows}");
    let sent = case.send(&case.worker, rows.replace(";7;", ";3;"), case.app.ustanova).await.assert_status(201).json();
    let again = format!("/api/data-imports/{}", sent["id"]);
    assert_eq!(case.check(&again).await["ishod"]["gresaka"], 0);
    assert_eq!(case.confirm(&again).await["status"], "done");
    let stored: Value = sqlx::query_scalar(STORED).fetch_one(&case.app.db.owner).await.unwrap();
    assert_eq!(stored, json!([{ "bol": ["Jak"] }]));
}

#[tokio::test]
async fn a_blank_cell_is_not_entered_and_no_first_value_takes_its_place() {
    let blank = file("bol,znaci,dece,pusi,doza,stepen", ",,,,,1", ",,,ne,0,");
    let right = json!([{ "stepen": ["Blago"] }, { "pusi": false, "doza": 0 }]);
    assert_eq!(by_screen(blank.clone()).await.0, right);
    let fields = "[entries.fields]\nbol = \"bol\"\nznaci = \"znaci\"\ndece = \"dece\"\npusi = \"pusi\"\ndoza = \"doza\"\n\
                  stepen = { column = \"stepen\", numbers = true }";
    assert_eq!(by_command(fields, blank).await.unwrap().0, right);
}

#[tokio::test]
async fn a_mapping_of_single_options_goes_out_as_the_commands_file() {
    let case = Case::of(CODED).await;
    let sent = case.send(&case.worker, file("znaci___1,znaci___2", "1,0", "0,1"), case.app.ustanova).await.assert_status(201).json();
    let path = format!("/api/data-imports/{}", sent["id"]);
    let text = case.worker.get(&format!("{path}/mapping-file")).await.text();
    let read = interchange::import::mapping::Mapping::parse(&text).unwrap_or_else(|error| panic!("{error:#}\n{text}"));
    let shown = case.worker.get(&format!("{path}/mapping")).await.json();
    assert_eq!(serde_json::to_value(&read).unwrap(), shown["mapiranje"], "{text}");
    let mut both = shown["mapiranje"].clone();
    both["entries"][0]["fields"]["znaci"]["column"] = json!("znaci___1");
    let refused = case.worker.put(&format!("{path}/mapping"), json!({ "mapiranje": both, "izvor": "x" })).await;
    assert!(
        refused.refusal(422)["message"].as_str().unwrap().contains("navodi se ili column, ili columns, ili constant"),
        "{}",
        refused.text()
    );
}
