//! What a form of another system means stays what it means: groups by path, blanks, kinds of results; proven on random answers.

use serde_json::{Value, json};

use super::{Case, foreign::workbook, told};

const COLUMNS: &[&str] = &["type", "name", "label", "relevant", "calculation", "constraint", "default"];

fn survey(rows: &[&[&str]], choices: &[&[&str]], settings: &[&[&str]]) -> Vec<u8> {
    let rows: Vec<&[&str]> = [COLUMNS].into_iter().chain(rows.iter().copied()).collect();
    let choices: Vec<&[&str]> = [&["list_name", "name", "label"][..]].into_iter().chain(choices.iter().copied()).collect();
    workbook(&[("survey", &rows), ("choices", &choices), ("settings", settings)])
}

const NAMED: &[&[&str]] = &[&["form_title", "form_id"], &["Proba", "proba"]];

/// The report, and the form as a file.
async fn brought(case: &Case, name: &str, bytes: &[u8]) -> (Value, String) {
    let mut sent = Case::sent(name, bytes, None);
    (sent["naziv"], sent["sifra"]) = (json!("Proba"), json!("proba"));
    let report = case.check(&sent).await;
    let (_, forms) = case.bring(&sent).await;
    (report, case.form_file(forms[0]).await)
}

fn holds(file: &str, parts: &[&str]) {
    for part in parts {
        assert!(file.contains(part), "{part}\n{file}");
    }
}

/// What the file says of the field with this code.
fn field<'f>(file: &'f str, code: &str) -> &'f str {
    let from = file.find(&format!("[[forms.polja]]\nsifra = \"{code}\"\n")).unwrap_or_else(|| panic!("{code}\n{file}"));
    file[from..].split("\n\n").next().unwrap()
}

#[tokio::test]
async fn groups_and_fields_of_one_name_are_known_by_their_paths() {
    let case = Case::new().await;
    let bytes = survey(
        &[
            &["begin group", "spolja", "Spolja"],
            &["begin group", "nalaz", "Nalaz"],
            &["integer", "vrednost", "Prva"],
            &["begin group", "nalaz", "Nalaz unutra"],
            &["integer", "vrednost", "Druga"],
            &["text", "uz_drugu", "Uz drugu", "../vrednost > 5"],
            &["end group"],
            &["text", "uz_prvu", "Uz prvu", "current()/../vrednost > 5"],
            &["end group"],
            &["text", "iz_korena", "Iz korena", "/data/spolja/nalaz/nalaz/vrednost = 1"],
            &["text", "nejasno", "Nejasno", "${vrednost} > 5"],
            &["end group"],
        ],
        &[],
        NAMED,
    );
    let (report, file) = brought(&case, "grupe.xlsx", &bytes).await;
    assert_eq!(
        told(&report, "nemapirano"),
        ["survey, red 12, kolona „relevant”: uslov prikaza nije prenet (više polja se zove „vrednost”); polje se prikazuje uvek"]
    );
    for (code, parts) in [
        ("nalaz", ["naziv = \"Nalaz\"", "nadredjeni = \"spolja\""]),
        ("vrednost", ["naziv = \"Prva\"", "nadredjeni = \"nalaz\""]),
        ("nalaz_2", ["naziv = \"Nalaz unutra\"", "nadredjeni = \"nalaz\""]),
        ("vrednost_2", ["naziv = \"Druga\"", "nadredjeni = \"nalaz_2\""]),
        ("uz_drugu", ["formulaZaPrikaz = \"$(vrednost_2) > 5\"", "nadredjeni = \"nalaz_2\""]),
        ("uz_prvu", ["formulaZaPrikaz = \"$(vrednost) > 5\"", "nadredjeni = \"nalaz\""]),
        ("iz_korena", ["formulaZaPrikaz = \"$(vrednost_2) == 1\"", "nadredjeni = \"spolja\""]),
    ] {
        holds(field(&file, code), &parts);
    }
    assert_eq!(report["dokaz"], json!({ "dokazano": 3, "razlicito": 0, "nedokazano": 0, "odgovora": 240 }));
}

#[tokio::test]
async fn a_blank_answer_means_what_it_means_in_the_source() {
    let case = Case::new().await;
    let bytes = survey(
        &[
            &["integer", "starost", "Starost"],
            &["text", "ime", "Ime"],
            &["text", "a", "A", "${starost} != 5"],
            &["text", "b", "B", "not(${starost} > 5)"],
            &["text", "c", "C", "${ime} != 'x'"],
            &["calculate", "odrasli", "Odrasli", "", "if(${starost} >= 18, 1, 0)"],
            &["decimal", "masa", "Masa"],
            &["calculate", "ceo", "Ceo", "", "int(${masa})"],
            &["calculate", "manji", "Manji", "", "min(${starost}, ${masa})"],
            &["calculate", "odnos", "Odnos", "", "${masa} div ${starost}"],
            &["integer", "manje", "Manje", "", "", ". < ${starost}"],
        ],
        &[],
        NAMED,
    );
    let (report, file) = brought(&case, "prazno.xlsx", &bytes).await;
    assert_eq!(told(&report, "nemapirano"), [""; 0]);
    holds(
        &file,
        &[
            "formulaZaPrikaz = \"isblank($(starost)) or $(starost) != 5\"",
            "formulaZaPrikaz = \"!(!isblank($(starost)) and $(starost) > 5)\"",
            "formulaZaPrikaz = \"isblank($(ime)) or $(ime) != \\\"x\\\"\"",
            "formulaZaRacunanje = \"if(!isblank($(starost)) and $(starost) >= 18, 1, 0)\"",
            "formulaZaRacunanje = \"if($(masa) < 0, ceil($(masa)), floor($(masa)))\"",
            "formulaZaRacunanje = \"if(isblank($(starost)) or isblank($(masa)), null, min($(starost), $(masa)))\"",
            "formulaZaRacunanje = \"if($(starost) == 0, null, $(masa) / $(starost))\"",
            "uslov = \"!isblank($(manje)) and !(!isblank($(starost)) and $(manje) < $(starost))\"",
        ],
    );
    assert_eq!(report["dokaz"]["dokazano"], 8);
}

#[tokio::test]
async fn blanks_and_sums_of_redcap_are_those_of_its_pages() {
    let case = Case::new().await;
    let header = super::foreign::DICTIONARY.lines().next().unwrap();
    let rows = "starost,proba,,text,Starost,,,integer,0,120,,,,,,,,\n\
        b1,proba,,radio,Bol 1,\"0, Nema | 1, Blag | 2, Jak | UNK, Ne zna se\",,,,,,,,,,,,\n\
        b2,proba,,radio,Bol 2,\"0, Nema | 1, Blag | 2, Jak | UNK, Ne zna se\",,,,,,,,,,,,\n\
        zbir,proba,,calc,Zbir,\"sum([b1],[b2])\",,,,,,,,,,,,\n\
        veci,proba,,calc,Veći,\"max([b1],[b2])\",,,,,,,,,,,,\n\
        razlika,proba,,text,Razlika,,,,,,,[starost] <> 5,,,,,,\n\
        pusac,proba,,yesno,Pušač,,,,,,,,,,,,,\n\
        nula,proba,,text,Nula,,,,,,,[pusac] = 0,,,,,,\n\
        bol,proba,,text,Jačina x<y and y>z,,0-10,number,0,10,,,,,,,,@HIDDEN\n\
        masa,proba,,text,Masa,,kg,number,,,,,,,,,,\n";
    let (report, file) = brought(&case, "prazno.csv", format!("{header}\n{rows}").as_bytes()).await;
    assert_eq!(told(&report, "nemapirano"), ["red 10, kolona „Field Annotation”: oznake radnji (@…) se ne prenose"]);
    let remarks = told(&report, "upozorenja");
    assert_eq!(remarks[0], "red 9, kolona „Branching Logic”: prazan odgovor REDCap ovde računa kao 0, pa je tako i preneto");
    assert!(remarks[1..].iter().all(|remark| remark.contains("„Ne zna se”") && remark.contains("nema težinu")), "{remarks:?}");
    holds(
        &file,
        &[
            "formulaZaRacunanje = \"if(count($!(b1), $!(b2)) == 0, null, if(isblank($!(b1)), 0, $!(b1)) + if(isblank($!(b2)), 0, $!(b2)))\"",
            "formulaZaRacunanje = \"max($!(b1), $!(b2))\"",
            "formulaZaPrikaz = \"isblank($(starost)) or $(starost) != 5\"",
            "formulaZaPrikaz = \"!selected($(pusac), true)\"",
            "naziv = \"Izbor: Nema / Blag / Jak / Ne zna se\"",
            "naziv = \"Jačina x<y and y>z\"",
            "jedinica = \"kg\"",
        ],
    );
    assert_eq!(file.matches("naziv = \"Izbor: ").count(), 1, "two lists alike are one type\n{file}");
    holds(field(&file, "bol"), &["napomena = \"0-10\"", "napomenaDizajnera = \"oznake radnji (@…) se ne prenose: @HIDDEN\""]);
    assert_eq!(report["dokaz"]["dokazano"], 4);
}

#[tokio::test]
async fn a_result_is_of_the_kind_that_its_calculation_gives() {
    let case = Case::new().await;
    let bytes = survey(
        &[
            &["integer", "starost", "Starost"],
            &["select_one pol", "pol", "Pol"],
            &["select_one obrnuto", "obrnuto", "Obrnuto"],
            &["calculate", "grupa", "Grupa", "", "if(${starost} >= 18, 'odrasli', 'deca')"],
            &["calculate", "isto", "Isto", "", "${pol}"],
            &["text", "uz_pol", "Uz pol", "${isto} = 'm'"],
            &["calculate", "odrasli", "Odrasli", "", "${starost} > 18"],
            &["text", "uz_odrasle", "Uz odrasle", "${odrasli} = 'true'"],
            &["date", "od", "Od"],
            &["calculate", "do", "Do", "", "date(${od} + 28)"],
            &["calculate", "odnos", "Odnos", "", "round(${starost} div 1000, 4)"],
            &["text", "uz_nulu", "Uz nulu", "${obrnuto} = '0'"],
        ],
        &[&["pol", "m", "Muški"], &["pol", "z", "Ženski"], &["obrnuto", "0", "Da"], &["obrnuto", "1", "Ne"]],
        NAMED,
    );
    let (report, file) = brought(&case, "vrste.xlsx", &bytes).await;
    assert_eq!(told(&report, "nemapirano"), [""; 0]);
    assert_eq!(
        told(&report, "upozorenja"),
        ["survey, red 12, kolona „calculation”: rezultat se čuva sa dve decimale, a u izvoru ih ima više"]
    );
    for (code, parts) in [
        ("grupa", ["tipAtributa = \"Tekst (jedan red)\"", "\\\"odrasli\\\", \\\"deca\\\")\""]),
        ("isto", ["tipAtributa = \"Tekst (jedan red)\"", "selected($(pol), \\\"m\\\"), \\\"m\\\""]),
        ("uz_pol", ["formulaZaPrikaz = \"$(isto) == \\\"m\\\"\"", ""]),
        ("odrasli", ["tipAtributa = \"Da/Ne\"", "!isblank($(starost)) and $(starost) > 18"]),
        ("uz_odrasle", ["formulaZaPrikaz = \"selected($(odrasli), true)\"", ""]),
        ("do", ["tipAtributa = \"Datum\"", "formulaZaRacunanje = \"$(od) + 28\""]),
        ("obrnuto", ["tipAtributa = \"Izbor obrnuto\"", ""]),
        ("uz_nulu", ["formulaZaPrikaz = \"selected($(obrnuto), \\\"0\\\")\"", ""]),
    ] {
        holds(field(&file, code), &parts);
    }
}

#[tokio::test]
async fn what_gives_another_value_is_told_before_anything_is_stored_and_stays_with_the_designer() {
    let case = Case::new().await;
    let bytes = survey(
        &[
            &["text", "dan", "Dan rečima"],
            &["date", "od", "Od", "", "", ". >= ${dan}"],
            &["text", "sifra", "Šifra", "pulldata('a', 'b', 'c', ${dan}) = 'x'"],
        ],
        &[],
        NAMED,
    );
    let (report, file) = brought(&case, "razlike.xlsx", &bytes).await;
    let lost = told(&report, "nemapirano");
    assert!(
        lost.len() == 2 && lost[0].contains("za odgovore „Dan rečima”") && lost[0].contains("izvor odbija, a prevod prihvata"),
        "{lost:?}"
    );
    assert_eq!(report["dokaz"], json!({ "dokazano": 0, "razlicito": 1, "nedokazano": 0, "odgovora": 240 }));
    assert!(!file.contains("pravila"), "{file}");
    holds(field(&file, "od"), &["napomenaDizajnera = \"Nije preneto (ograničenje): . >= ${dan}\""]);
    holds(field(&file, "sifra"), &["napomenaDizajnera = \"Nije preneto (uslov prikaza): pulldata("]);
    let told = case.number("select count(*) from form_field where napomena is not null").await;
    assert_eq!(told, 0, "nobody who fills the form in reads it");
    let seen = case.number("select count(*) from form f where form_description(f.id)::text like '%Nije preneto%'").await;
    assert_eq!(seen, 0, "nor does a version of the form hold it");
}

#[tokio::test]
async fn words_are_those_of_the_forms_own_language_and_what_nobody_read_is_told() {
    let case = Case::new().await;
    let rows: &[&[&str]] = &[
        &["type", "name", "label::Arabic (ar)", "label::English (en)", "constraint", "body::intent"],
        &["begin group", "group_ab1cd23", "", "", "", ""],
        &["text", "a", "ا", "First", "", "x"],
        &["note", "n", "ن", "Note", ". = 'x'", ""],
        &["end group", "", "", "", "", ""],
    ];
    let settings: &[&[&str]] = &[&["form_title", "form_id", "default_language", "version"], &["Upitnik", "proba", "English (en)", "7"]];
    let (report, file) = brought(&case, "jezik.xlsx", &workbook(&[("survey", rows), ("settings", settings)])).await;
    holds(&file, &["naziv = \"First\"", "naziv = \"Upitnik\""]);
    let lost = told(&report, "nemapirano");
    for told in [
        "survey, red 3, kolona „label::arabic (ar)”: drugi jezik se ne prenosi (prvi put ovde)",
        "survey, red 3, kolona „body::intent”: kolona se ne prenosi (prvi put ovde)",
        "settings, red 2, kolona „version”: kolona se ne prenosi (prvi put ovde)",
    ] {
        assert!(lost.iter().any(|one| one == told), "{told}\n{lost:?}");
    }
    assert!(lost.iter().any(|one| one.starts_with("survey, red 4, kolona „constraint”")), "{lost:?}");
}
