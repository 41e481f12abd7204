//! Every entity and field of both specifications (A 3, B 3), as a table, against the schema and the API's description.

use std::collections::{BTreeMap, BTreeSet};

use domain::testing;
use serde_json::Value;

/// What is stored: entity, table, its fields in the specification's spelling. A link is a column that ends in `_id`, a
/// password one that ends in `_hash`; `name=column` where the specification calls one thing by two names.
const STORED: &[(&str, &str, &str)] = &[
    ("A Register", "register", "id naziv opis aktivan brojRezultataUPretrazi"),
    ("A Parameter", "parameter", "naziv vrednost opis aktivan"),
    (
        "A Patient",
        "patient",
        "id ime prezime imeRoditelja datumRodjenja jmbg lbo polTrenutni polNaRodjenju adresa brojKartona kontaktTelefon email mobilniTelefon \
         zanimanje strucnaSprema radnoMesto medicinskaNapomena administrativnaNapomena vremeKreiranja vremePoslednjeIzmene aktivan",
    ),
    ("A Patient, archived", "patient_history", "pacijent vremePrestankaVazenja"),
    (
        "A Entry",
        "entry",
        "id tsa datumUnosa datumKreiranja datumIzmene doktorKreirao=radnikKreirao doktorIzmenio=radnikIzmenio radnikOdgovoran popunjeniRelevantni",
    ),
    ("A Entry type", "form", "id naziv mozeSeInstancirati maxInstanci=maksimalanBrojInstanciPoPacijentu"),
    ("A Entry value archive", "value_history", "vremePrestankaVazenja nazivAtributa=polje vrednost vremeKreiranja"),
    ("A Limits of instances", "form", "maksimalanBrojInstanciPoKontaktu maksimalanBrojInstanciPoPacijentu"),
    ("A Enum item", "enum_item", "id naziv numVrednost"),
    ("A Version", "release", "oznaka datumOd datumDo kratakOpis"),
    ("A Version's change", "release_change", "naslov opis napomena tiket"),
    (
        "A Scheduled report",
        "report_schedule",
        "email=emails ponavljanje vremeIzvrsavanjaJednostruko vremeIzvrsavanjaVisetruko vaziOd vaziDo period danNedelja \
         danMesec parameters=parametri",
    ),
    ("A Generated report", "report_run", "giID=id parametri vremeGenerisanja=finishedAt formats=formati"),
    ("B Parameter", "parameter", "naziv vrednost aktivan"),
    (
        "B Worker",
        "worker",
        "id username password ime prezime lbo jmbg ustanova datumRodjenja passwordWS=passwordWs pol adresa email telefon sifra theme aktivan",
    ),
    ("B Worker-role link", "worker_role", "radnik uloga"),
    ("B Worker-institution link", "worker_institution", "radnik ustanova"),
    (
        "B Register",
        "register",
        "id naziv sifra opis nazivPrviUnos prviTipHijerarhijeAtributa nazivPodrazumevaniUnos podrazumevaniTipHijerarhijeAtributa aktivan",
    ),
    (
        "B Form",
        "form",
        "id naziv nazivEngleski prikazniRedosled mozeSeInstancirati sifraVeza napomena opis maksimalanBrojInstanciPoKontaktu \
         maksimalanBrojInstanciPoPacijentu registar aktivan",
    ),
    (
        "B Form field",
        "form_field",
        "id tipAtributa naziv redosled sifra sifraVeza relevantni opcioni inicijalnoPoslednjaPopunjenaVrednost ispisujeSeLabela imaCekBox \
         vertikalniPrikaz pretrazujeSe prikazujeSe multiselect radioButton inicijalnaBooleanVrednost inicijalnaStringVrednost \
         inicijalnaBrojnaVrednost inicijalnaEnumStavka upitInicijalnaVrednost formulaZaPrikaz formulaZaRacunanje napomena \
         donjaReferentnaBrojnaVrednost gornjaReferentnaBrojnaVrednost backgroundImage imageCoordinateX imageCoordinateY \
         nadredjeniAtributUTipuSkupa tipSkupaAtributa htmlInfo",
    ),
    (
        "B Attribute type",
        "attribute_type",
        "id naziv tipVrednostiAtributa napomena decimaleBrojneVrednosti donjaGranicaBrojneVrednosti gornjaGranicaBrojneVrednosti sirina visina \
         jedinica",
    ),
    ("B Value type", "value_type", "numVrednost naziv"),
    ("B Enum item", "enum_item", "id naziv numVrednost opis opcioni redosled sifraVeza tipAtributa aktivan"),
    ("B Role", "role", "id ime opis numerickaVrednost"),
    ("B Application right", "application_right", "id naziv"),
    ("B Sponsor", "sponsor", "id name code displayOrder description note address phone websiteUrl logo"),
    ("B Institution", "institution", "id naziv sifra adresa telefon username password"),
    ("B Report category", "report_category", "naziv numerickaVrednost aktivan"),
    ("B Report type", "report_type", "naziv numerickaVrednost kategorija"),
    ("B Report", "report", "naziv numerickaVrednost jasperFajl prikazujeSe opis tip"),
    ("B Report parameter", "report_parameter", "naziv prikazniRedosled multiSelect opcioni requestNaziv tip"),
    ("B Report parameter type", "report_parameter_type", "naziv sqlNumVrednost upit link logged dictionaryType=tipRecnika"),
    ("B Report-format link", "report_format_link", "izvestaj format"),
    ("B Report format", "report_format", "nazivKratki"),
    ("B Log record", "audit_log", "radnik klasa akcija vremePristupa opis polja"),
];

/// What is computed or only answered: entity, schema of the API, its fields.
const ANSWERED: &[(&str, &str, &str)] = &[
    (
        "A Search parameters",
        "SearchSetup",
        "brojRezultata=brojRezultataUPretrazi odabirDatumaPregledaPreUnosa brojRezultataUPretrazi kriterijumi prikazTekucihUnosaKodPretrage",
    ),
    ("A Search criteria", "Criteria", "ime prezime JMBG LBO godinaOd godinaDo pol"),
    (
        "A Search result row",
        "SearchRow",
        "pacijentID imePrezime jmbg lbo identifikacioniBroj prviUnosID prviUnos prviUnosDatum poslednjiUnosID poslednjiUnos poslednjiUnosDatum \
         blurPodataka",
    ),
    (
        "A Entry",
        "EntryHead",
        "id naziv datumUnosa datumKreiranja datumIzmene doktorKreirao doktorIzmenio radnikOdgovoran popunjeniRelevantni",
    ),
    ("A Entry type", "EntryType", "id naziv mozeSeInstancirati maxInstanci"),
    (
        "A Entry view",
        "EntryView",
        "nazivUnosa pacijent odgovoranZaSadrzaj datumKreiranja radnikKreirao radnikPoslednjiIzmenio kreirano vremePoslednjeIzmene aktivan",
    ),
    (
        "A Entry value archive row",
        "ArchiveRow",
        "vremePrestankaVazenja nazivAtributa nabrojivaVrednost logickaVrednost tekstVrednost brojnaVrednost datumskaVrednost vremeKreiranja \
         vremePoslednjeIzmene",
    ),
    ("A Responsible worker option", "ResponsibleOption", "id imePrezime"),
    (
        "A Attribute in form",
        "EntryField",
        "id sifra naziv redosled tvaNumVrednost formulaZaPrikaz formulaZaRacunanje opciono relevantno prikazujeSe imaCekBox radioButton \
         multiselect vertikalniPrikaz naredjeniAUTS ispisujeSeLabela enumStavkeSve inicijalnaBrojnaVrednost gornjaReferentnaBrojnaVrednost \
         donjaReferentnaBrojnaVrednost backgroundImage imageCoordinateX imageCoordinateY napomena htmlInfo tipAtributa",
    ),
    // An entry's values, initial ones of a new entry too, come together, by field.
    ("A Attribute in form: its value", "Display", "vrednost=vrednosti numVrednost=vrednosti enumStavkeInit=vrednosti"),
    ("A Attribute in form: tipAtributa", "FieldType", "donjaGranicaBrojneVrednosti gornjaGranicaBrojneVrednosti jedinica sirina visina"),
    ("A Enum item", "Choice", "id naziv numVrednost"),
    ("A Latest-entry summary", "LatestEntry", "autsi unosNaziv snimljenUnosID unosID=tsaID mozeSeInstancirati"),
    ("A Chart data", "ChartData", "podaci"),
    // HAQ, DAS28, CDAI, SDAI and the further parameters are the codes that the chart names.
    ("A Chart point", "ChartPoint", "naziv date HAQ=vrednosti DAS28=vrednosti CDAI=vrednosti SDAI=vrednosti"),
    ("A Chart's further lines", "EntryField", "dodatniParametri=grafik"),
    ("A Logged-in worker", "LoggedInWorker", "id username imePrezime ustanovaNaziv theme"),
    ("A Logged-in worker", "WithToken", "token"),
    ("A Version", "Release", "oznaka datumOd datumDo kratakOpis changes=izmene"),
    ("A Report parameter", "ReportParameterField", "id naziv opcioni multiSelect tip"),
    ("A Generated report", "ReportRun", "giID naziv parametri vremeGenerisanja formats"),
    ("B Worker", "Worker", "ustanovaNaziv imePrezime"),
    ("B Form", "Form", "registarID"),
    ("B Attribute type", "AttributeType", "nazivTipaVrednostiAtributa"),
];

/// The switches of A 3 and B 3.
const PARAMETERS: &str = "prikazPacijentImeRoditelja prikazPacijentPrikazJednogPola prikazPacijentRadnoMesto prikazPacijentStrucnaSprema \
    prikazPacijentZanimanje prikazPacijentAdministrativnaNapomena prikazPacijentMedicinskaNapomena kriterijumGodinaOd kriterijumGodinaDo \
    kriterijumIme kriterijumPrezime kriterijumJMBG kriterijumLBO kriterijumPol odabirDatumaPregledaPreUnosa brojRezultataUPretrazi";

/// `registarID` as `registar_id`.
fn snake(name: &str) -> String {
    let letters: Vec<char> = name.chars().collect();
    let capital = |i: usize| letters.get(i).is_some_and(char::is_ascii_uppercase);
    let mut column = String::new();
    for (i, letter) in letters.iter().enumerate() {
        // A word begins at the first capital of several and, before small letters, at the last: brojUPretrazi.
        if i > 0 && capital(i) && (!capital(i - 1) || (i + 1 < letters.len() && !capital(i + 1))) {
            column.push('_');
        }
        column.push(letter.to_ascii_lowercase());
    }
    column
}

/// The specification's name, and the one it has here.
fn names(fields: &str) -> impl Iterator<Item = (&str, &str)> {
    fields.split_whitespace().map(|field| field.split_once('=').unwrap_or((field, field)))
}

#[tokio::test]
async fn every_stored_field_of_the_specifications_has_its_column() {
    let db = testing::database().await;
    let columns: Vec<(String, String)> =
        sqlx::query_as("select table_name::text, column_name::text from information_schema.columns where table_schema = 'public'")
            .fetch_all(&db.owner)
            .await
            .unwrap();
    let columns: BTreeSet<_> = columns.into_iter().collect();
    let mut missing = vec![];
    for (entity, table, fields) in STORED {
        for (field, own) in names(fields) {
            let column = snake(own);
            let known = ["", "_id", "_hash"].iter().any(|end| columns.contains(&((*table).to_owned(), format!("{column}{end}"))));
            if !known {
                missing.push(format!("{entity}: {field} ({table}.{column})"));
            }
        }
    }
    assert_eq!(missing, Vec::<String>::new());

    let parameters: Vec<String> = sqlx::query_scalar("select naziv from parameter").fetch_all(&db.owner).await.unwrap();
    let absent: Vec<&str> = PARAMETERS.split_whitespace().filter(|name| !parameters.iter().any(|known| known == name)).collect();
    assert_eq!(absent, Vec::<&str>::new());
    let types: Vec<i16> = sqlx::query_scalar("select num_vrednost from value_type order by 1").fetch_all(&db.owner).await.unwrap();
    assert_eq!(types, [1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15]);
}

#[test]
fn every_answered_field_of_the_specifications_is_in_the_apis_description() {
    let document = serde_json::to_value(api::openapi()).unwrap();
    let schemas = document["components"]["schemas"].as_object().unwrap();
    let own = |schema: &Value| -> BTreeSet<String> {
        let parts = schema["allOf"].as_array().cloned().unwrap_or_default();
        std::iter::once(schema)
            .chain(&parts)
            .filter_map(|part| part["properties"].as_object())
            .flat_map(|all| all.keys().cloned())
            .collect()
    };
    let properties: BTreeMap<_, _> = schemas.iter().map(|(name, schema)| (name.as_str(), own(schema))).collect();
    let missing: Vec<String> = ANSWERED
        .iter()
        .flat_map(|(entity, schema, fields)| names(fields).map(move |(field, own)| (entity, schema, field, own)))
        .filter(|(_, schema, _, own)| !properties.get(*schema).is_some_and(|known| known.contains(*own)))
        .map(|(entity, schema, field, own)| format!("{entity}: {field} ({schema}.{own})"))
        .collect();
    assert_eq!(missing, Vec::<String>::new());
}
