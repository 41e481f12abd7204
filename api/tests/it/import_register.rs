//! `api import register`: a definition is stored as it says, again without change, and never by half.

use domain::{
    db,
    testing::{self, TestDb},
};
use interchange::import::{
    check,
    definition::{self, Definition},
    formulas,
    register::{self, StoredRegister},
};
use platform::rows::Changes;

pub const DEFINITION: &str = r#"
[register]
sifra = "proba"
naziv = "Proba"
prviTipHijerarhijeAtributa = "pregled"

[[attributeTypes]]
naziv = "Segment"
tipVrednosti = "tab"

[[attributeTypes]]
naziv = "Puls"
tipVrednosti = "brojni"
decimaleBrojneVrednosti = 1
donjaGranicaBrojneVrednosti = 20
gornjaGranicaBrojneVrednosti = 300

[[attributeTypes]]
naziv = "Da/Ne"
tipVrednosti = "izborni"

[[attributeTypes]]
naziv = "Tekst"
tipVrednosti = "tekstualni"

[[attributeTypes]]
naziv = "Nalaz"
tipVrednosti = "skupovni"
stavke = [{ naziv = "Uredan", numVrednost = 0 }, { naziv = "Šećerna bolest", numVrednost = 1 }]

[[attributeTypes]]
naziv = "Datum"
tipVrednosti = "datumski"

[[forms]]
sifraVeza = "pregled"
naziv = "Pregled"
maksimalanBrojInstanciPoKontaktu = 1
maksimalanBrojInstanciPoPacijentu = 3
polja = [
    { sifra = "segment", naziv = "Segment", tipAtributa = "Segment" },
    { sifra = "puls", naziv = "Puls", tipAtributa = "Puls", nadredjeni = "segment", opcioni = false, pretrazujeSe = true },
    { sifra = "dvaPulsa", naziv = "Dva pulsa", tipAtributa = "Puls", nadredjeni = "segment", formulaZaRacunanje = "2 * $(puls)" },
    { sifra = "pusi", naziv = "Puši", tipAtributa = "Da/Ne", nadredjeni = "segment" },
    { sifra = "koliko", naziv = "Koliko puši", tipAtributa = "Tekst", nadredjeni = "segment", opcioni = false, formulaZaPrikaz = "$(pusi)" },
    { sifra = "nalaz", naziv = "Nalaz", tipAtributa = "Nalaz", nadredjeni = "segment", relevantni = true },
    { sifra = "kontrola", naziv = "Kontrola", tipAtributa = "Datum", nadredjeni = "segment" },
]
"#;

fn parse(text: &str) -> Definition {
    definition::parse(text, |name| anyhow::bail!("no picture {name}")).unwrap()
}

/// Every defect, formulas' too.
fn defects(text: &str) -> Vec<String> {
    let definition = parse(text);
    let found = check::defects(&definition);
    if found.is_empty() { formulas::compile(&definition).defects } else { found }
}

/// Stores the definition and commits.
pub async fn store(db: &TestDb, text: &str, deactivate_missing: bool) -> anyhow::Result<StoredRegister> {
    let definition = parse(text);
    assert_eq!(check::defects(&definition), Vec::<String>::new());
    let formulas = formulas::compile(&definition);
    assert_eq!(formulas.defects, Vec::<String>::new());
    let mut tx = db::begin(&db.owner, db::SYSTEM_WORKER).await?;
    let stored = register::store(&mut tx, &definition, &formulas, deactivate_missing).await?;
    tx.commit().await?;
    Ok(stored)
}

async fn number(db: &TestDb, query: &'static str) -> i64 {
    sqlx::query_scalar(query).fetch_one(&db.owner).await.unwrap()
}

#[tokio::test]
async fn the_same_file_changes_nothing_and_a_changed_one_updates_by_code() {
    let db = testing::database().await;
    let first = store(&db, DEFINITION, false).await.unwrap();
    assert!(first.changes.created > 10 && first.missing.is_empty(), "{first:?}");
    let log = "select count(*) from audit_log";
    let before = number(&db, log).await;
    let second = store(&db, DEFINITION, false).await.unwrap();
    assert_eq!((second.changes, second.register), (Changes::default(), first.register));
    assert_eq!(number(&db, log).await, before);

    let id = "select id from form_field where sifra = 'puls' and aktivan";
    let field = number(&db, id).await;
    let changed = DEFINITION
        .replace("naziv = \"Puls\", tip", "naziv = \"Puls u miru\", tip")
        .replace("{ naziv = \"Uredan\"", "{ naziv = \"Bez nalaza\"");
    let third = store(&db, &changed, false).await.unwrap();
    assert_eq!(third.changes, Changes { created: 0, updated: 2 });
    assert_eq!(number(&db, id).await, field);
    let name: String = sqlx::query_scalar("select naziv from form_field where id = $1").bind(field).fetch_one(&db.owner).await.unwrap();
    assert_eq!(name, "Puls u miru");
    let parsed = "select count(*) from form_field where formula_za_racunanje_ast -> 'deps' = '[\"puls\"]' or formula_za_prikaz_ast -> 'deps' = '[\"pusi\"]'";
    assert_eq!(number(&db, parsed).await, 2);
}

#[tokio::test]
async fn an_item_of_another_weight_is_the_same_and_two_may_weigh_the_same() {
    let db = testing::database().await;
    store(&db, DEFINITION, false).await.unwrap();
    let id = "select id from enum_item where naziv = 'Šećerna bolest' and aktivan";
    let item = number(&db, id).await;
    let heavier = DEFINITION.replace("{ naziv = \"Uredan\", numVrednost = 0 }", "{ naziv = \"Uredan\", numVrednost = 1 }");
    let stored = store(&db, &heavier, false).await.unwrap();
    assert_eq!((stored.changes, stored.missing), (Changes { created: 0, updated: 1 }, vec![]));
    assert_eq!((number(&db, id).await, number(&db, "select count(*) from enum_item").await), (item, 2), "no twin");
}

#[tokio::test]
async fn what_is_gone_from_the_file_is_listed_and_goes_only_when_asked() {
    let db = testing::database().await;
    store(&db, DEFINITION, false).await.unwrap();
    let id = "select id from form_field where sifra = 'kontrola'";
    let field = number(&db, id).await;
    let shorter: String = DEFINITION.lines().filter(|line| !line.contains("\"kontrola\"")).map(|line| format!("{line}\n")).collect();
    let active = "select count(*) from form_field where sifra = 'kontrola' and aktivan";

    let listed = store(&db, &shorter, false).await.unwrap();
    assert_eq!(listed.missing, ["polje „Kontrola” formulara „Pregled”"]);
    assert_eq!(number(&db, active).await, 1);
    store(&db, &shorter, true).await.unwrap();
    assert_eq!(number(&db, active).await, 0);
    // Its values are still there under the old id, so it comes back as the same field.
    store(&db, DEFINITION, false).await.unwrap();
    assert_eq!((number(&db, active).await, number(&db, id).await), (1, field));
}

#[tokio::test]
async fn a_type_that_another_register_uses_may_be_named_but_not_changed() {
    let db = testing::database().await;
    store(&db, DEFINITION, false).await.unwrap();
    let other = DEFINITION.replace("\"proba\"", "\"druga\"").replace("naziv = \"Proba\"", "naziv = \"Druga\"");
    store(&db, &other, false).await.unwrap();
    let wider = other.replace("gornjaGranicaBrojneVrednosti = 300", "gornjaGranicaBrojneVrednosti = 400");
    let refused = store(&db, &wider, false).await.unwrap_err().to_string();
    assert!(refused.contains("tip atributa „Puls” koristi i registar „Proba”"), "{refused}");
}

#[test]
fn each_defect_of_a_definition_is_named_with_its_place() {
    let field = |extra: &str| DEFINITION.replace("    { sifra = \"kontrola\"", &format!("    {{ {extra} }},\n    {{ sifra = \"kontrola\""));
    let only = |extra: &str, expected: &str| assert_eq!(defects(&field(extra)), [format!("forms.pregled{expected}")], "{extra}");
    only("sifra = \"x\", naziv = \"X\", tipAtributa = \"Nema\"", ".x: nema tipa atributa „Nema”");
    only("sifra = \"puls\", naziv = \"X\", tipAtributa = \"Puls\"", ": šifra polja „puls” stoji više puta");
    only(
        "sifra = \"1x\", naziv = \"X\", tipAtributa = \"Puls\"",
        ".1x: Šifra sme da sadrži samo slova, cifre i donju crtu i ne sme početi cifrom.",
    );
    only("sifra = \"x\", naziv = \"X\", tipAtributa = \"Puls\", nadredjeni = \"nema\"", ".x: nema nadređenog polja „nema”");
    only(
        "sifra = \"x\", naziv = \"X\", tipAtributa = \"Puls\", nadredjeni = \"puls\"",
        ".x: Nadređeno polje mora biti panel, slika ili tab.",
    );
    only("sifra = \"x\", naziv = \"X\", tipAtributa = \"Segment\", nadredjeni = \"x\"", ".x: polje je nadređeno samo sebi");
    only(
        "sifra = \"x\", naziv = \"X\", tipAtributa = \"Segment\", opcioni = false",
        ".x: Obavezno može biti samo polje koje ima vrednost.",
    );
    only(
        "sifra = \"x\", naziv = \"X\", tipAtributa = \"Puls\", imageCoordinateX = 1, imageCoordinateY = 1",
        ".x: Mesto na slici ima samo polje čije je nadređeno polje slika.",
    );
    only("sifra = \"x\", naziv = \"X\", tipAtributa = \"Nalaz\", inicijalnaEnumStavka = \"Loš\"", ".x: tip „Nalaz” nema stavku „Loš”");
    only(
        "sifra = \"x\", naziv = \"X\", tipAtributa = \"Puls\", formulaZaRacunanje = \"1 + $(nema)\"",
        ".x.formulaZaRacunanje: Nepoznata šifra polja „nema”. (mesto 5)",
    );
    let circle = defects(&field("sifra = \"x\", naziv = \"X\", tipAtributa = \"Puls\", formulaZaRacunanje = \"$(x) + 1\""));
    assert!(circle.len() == 1 && circle[0].contains("u krug: x → x"), "{circle:?}");
    let unknown = definition::parse(&DEFINITION.replace("sifraVeza", "sifraVeze"), |_| Ok(vec![])).unwrap_err();
    assert!(unknown.to_string().contains("sifraVeze"), "{unknown}");
    for (known, misspelt, place) in [
        ("tipAtributa = \"Puls\"", "obavezno = true, tipAtributa = \"Puls\"", "obavezno"),
        ("tipVrednosti", "skala = 1\ntipVrednosti", "skala"),
    ] {
        let unknown = definition::parse(&DEFINITION.replacen(known, misspelt, 1), |_| Ok(vec![])).unwrap_err().to_string();
        assert!(unknown.contains(&format!("nepoznato svojstvo „{place}”")), "{unknown}");
    }
}

const RULES: &str = r#"
[[forms.pravila]]
uslov = "$(puls) > 200"
poruka = "Proverite puls."
polje = "puls"

[[forms.pravila]]
uslov = "$(pusi) && isblank($(nalaz))"
poruka = "Nalaz pušača nije unet."
vrsta = "upozorenje"
"#;

async fn rules(db: &TestDb) -> Vec<(i64, String, String)> {
    let rules = "select (r ->> 'id')::bigint, r ->> 'uslov', r ->> 'vrsta' from form, jsonb_array_elements(pravila) r";
    sqlx::query_as(rules).fetch_all(&db.owner).await.unwrap()
}

#[tokio::test]
async fn rules_of_a_form_stand_in_its_file_and_keep_their_number() {
    let db = testing::database().await;
    let file = format!("{DEFINITION}{RULES}").replace("relevantni = true }", "relevantni = true, obavezanAko = \"$(puls) > 150\" }");
    store(&db, &file, false).await.unwrap();
    let told = |id, uslov: &str, vrsta: &str| (id, uslov.to_owned(), vrsta.to_owned());
    let second = told(2, "$(pusi) && isblank($(nalaz))", "upozorenje");
    assert_eq!(rules(&db).await, [told(1, "$(puls) > 200", "greska"), second.clone()]);
    let required = "select count(*) from form_field where obavezan_ako = '$(puls) > 150' and obavezan_ako_ast -> 'deps' = '[\"puls\"]'";
    assert_eq!(number(&db, required).await, 1);
    let again = store(&db, &file, false).await.unwrap();
    assert_eq!(again.changes, Changes::default());

    let (first, rest) = RULES.split_at(RULES.rfind("[[").unwrap());
    let turned = format!("{DEFINITION}{rest}{}", first.replace("200", "180"));
    store(&db, &turned, false).await.unwrap();
    assert_eq!(rules(&db).await, [second, told(1, "$(puls) > 180", "greska")], "the same rules in another order, one by its message");
    store(&db, DEFINITION, false).await.unwrap();
    assert_eq!(rules(&db).await, []);
}

#[test]
fn a_rule_that_is_wrong_is_a_defect_with_its_place() {
    let file = |rule: &str| format!("{DEFINITION}\n[[forms.pravila]]\n{rule}");
    assert_eq!(
        defects(&file("uslov = \"$(nema) > 1\"\nporuka = \"a\"")),
        ["forms.pregled.pravila.1.uslov: Nepoznata šifra polja „nema”. (mesto 1)"]
    );
    assert_eq!(
        defects(&file("uslov = \"1\"\npolje = \"segment\"")),
        [
            "forms.pregled.pravila.1: Niste uneli poruku.",
            "forms.pregled.pravila.1: Formular nema polje sa vrednošću čija je šifra „segment”."
        ]
    );
    let unknown = definition::parse(&file("uslov = \"1\"\nporuka = \"a\"\nkada = 1"), |name| anyhow::bail!("no picture {name}"));
    assert_eq!(unknown.unwrap_err().to_string(), "forms.pregled.pravila.1: nepoznato svojstvo „kada”");
}
