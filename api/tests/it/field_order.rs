//! One order of a form's fields at every door: that of its tree, whatever their own numbers of order say.

use accounts::rights::Right;
use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::{Value, json};

use crate::support::{TestApp, TestRegister, Worker};

/// As the designer's tree shows them: two fields, a panel with two of which the first has the larger number, a tab with the rest.
const TREE: [&str; 7] = ["skup", "datum", "zbir", "tekst", "broj", "skriveno", "izbor"];

struct Case {
    app: TestApp,
    register: TestRegister,
    mila: Worker,
    doctor: Worker,
    patient: i64,
}

impl Case {
    /// `redosled` alone would say izbor, broj, tekst, skriveno, skup, datum, zbir.
    async fn new() -> Self {
        let app = TestApp::new().await;
        let register = app.register().await;
        let rights = [Right::Registers, Right::ReportSetup, Right::DataExport, Right::DataImport];
        let mila = app.worker("mila", &rights, app.ustanova).await;
        let doctor = app.worker("doktor", &[Right::Reports], app.ustanova).await;
        app.lay_out(&[
            "insert into attribute_type (naziv, tip_vrednosti_atributa) values ('Panel', type_number('panel')), ('Tab', type_number('tab'))",
            "insert into form_field (tip_skupa_atributa_id, tip_atributa_id, naziv, redosled)
             select f.tip_skupa_atributa_id, t.id, t.naziv, case t.naziv when 'Panel' then 70 else 80 end
               from form_field f, attribute_type t where f.sifra = 'broj' and t.naziv in ('Panel', 'Tab')",
            "update form_field f set redosled = n.redosled, nadredjeni_atribut_u_tipu_skupa_id = p.id
               from (values ('izbor', 1, 'Tab'), ('broj', 5, 'Panel'), ('tekst', 6, 'Panel'), ('skriveno', 0, 'Tab'),
                            ('skup', 30, null), ('datum', 40, null), ('zbir', 50, null)) n (sifra, redosled, holder)
               left join form_field p on p.naziv = n.holder
              where f.sifra = n.sifra",
            "update form_field set redosled = 4 where sifra = 'tekst'",
            "update form set sifra_veza = 'pregled'",
            "update register set sifra = 'probni'",
        ])
        .await;
        let patient = app.patient(&register, "Ana", "Anić", app.ustanova, 1).await;
        Self { app, register, mila, doctor, patient }
    }
}

/// The codes of `fields` that are of the tree, in their order; each is named by `name`.
fn order(fields: &Value, name: &str) -> Vec<String> {
    let named = fields.as_array().unwrap_or_else(|| panic!("no list: {fields}")).iter().filter_map(|field| field[name].as_str());
    named.filter(|name| TREE.contains(name)).map(str::to_owned).collect()
}

/// Where the tree's codes first stand in a text.
fn order_in(text: &str, mark: impl Fn(&str) -> String) -> Vec<&'static str> {
    let mut found: Vec<(usize, &str)> = TREE.iter().filter_map(|code| Some((text.find(&mark(code))?, *code))).collect();
    found.sort_unstable();
    found.into_iter().map(|(_, code)| code).collect()
}

#[tokio::test]
async fn lists_of_the_administration_follow_the_tree() {
    let case = Case::new().await;
    let form = case.register.form;
    let get = async |path: String| case.mila.get(&path).await.assert_status(200).json();
    assert_eq!(order(&get(format!("/api/form-fields?tipSkupaAtributa={form}")).await["data"], "sifra"), TREE, "the classic list");
    let draft = case.mila.post(&format!("/api/forms/{form}/draft"), json!({})).await.assert_status(201).json();
    assert_eq!(order(&draft["dokument"]["polja"], "sifra"), TREE, "the designer");
    assert_eq!(order(&get(format!("/api/data-export-options/{form}")).await["polja"], "sifra"), TREE, "the export's chooser");
    assert_eq!(order(&get(format!("/api/simple-report-forms/{form}")).await["polja"], "naziv"), TREE, "the report builder");
    let file = case.mila.get(&format!("/api/forms/{form}/definition")).await.text();
    assert_eq!(order_in(&file, |code| format!("sifra = \"{code}\"")), TREE, "the definition file");
    let fhir = case.mila.get(&format!("/api/forms/{form}/definition?oblik=fhir")).await.text();
    assert_eq!(order_in(&fhir, |code| format!("\"linkId\": \"{code}\"")), TREE, "FHIR: {fhir}");
    let path = format!("/api/form-fields/{}", case.register.fields["izbor"]);
    let verzija = get(path.clone()).await["verzija"].clone();
    let moved = json!({ "verzija": verzija, "nadredjeniAtributUTipuSkupaID": null, "redosled": 35 });
    case.mila.patch(&path, moved).await.assert_status(200);
    let shown = order(&get(format!("/api/form-fields?tipSkupaAtributa={form}")).await["data"], "sifra");
    assert_eq!(shown, ["skup", "izbor", "datum", "zbir", "tekst", "broj", "skriveno"], "a field that was moved");
}

#[tokio::test]
async fn what_clinicians_see_follows_the_tree() {
    let case = Case::new().await;
    let (form, register) = (case.register.form, case.register.id);
    let values = json!({ "izbor": true, "broj": 1, "tekst": "a", "skup": [case.register.items["prva"]], "datum": "2024-05-01", "zbir": 2,
                         "skriveno": "b" });
    let entry = case.app.entry(&case.register, case.patient, case.app.ustanova, "2024-05-01", values).await;
    let get = async |path: String| case.doctor.get(&path).await.assert_status(200).json();
    let fresh = get(format!("/api/entry-display?tsaID={form}&pacijentID={}", case.patient)).await;
    assert_eq!(order(&fresh["autsiArray"], "sifra"), TREE, "a new entry");
    assert_eq!(order(&get(format!("/api/entry-display?haID={entry}")).await["autsiArray"], "sifra"), TREE, "an entry of a version");
    assert_eq!(order(&get(format!("/api/registers/{register}/search-setup")).await["polja"], "naziv"), TREE, "criteria of the search");
    assert_eq!(order(&get(format!("/api/entries/{entry}/items")).await["data"], "naziv"), TREE, "items of the history");
    let ids: Vec<String> = case.register.fields.values().map(i64::to_string).collect();
    let archive = get(format!("/api/entries/{entry}/archive?nizAutsID={}", ids.join(","))).await;
    assert_eq!(order(&archive["data"], "nazivAtributa"), TREE, "values of one moment");
    let mut report = case.app.db.app.acquire().await.unwrap();
    sqlx::query("delete from report_scope where pid = pg_backend_pid()").execute(&mut *report).await.unwrap();
    sqlx::query("insert into report_scope (pid, radnik_id, ustanova_id, identitet) values (pg_backend_pid(), 1, $1, true)")
        .bind(case.app.ustanova)
        .execute(&mut *report)
        .await
        .unwrap();
    for view in ["select sifra from report.polje order by redosled", "select sifra from report.vrednost order by redosled"] {
        let read: Vec<Option<String>> = sqlx::query_scalar(view).fetch_all(&mut *report).await.unwrap();
        let read: Vec<String> = read.into_iter().flatten().collect();
        assert_eq!(read, TREE, "{view}");
    }
}

#[tokio::test]
async fn differences_and_proposals_follow_the_tree_and_no_version_is_made_of_it() {
    let case = Case::new().await;
    let form = case.register.form;
    let path = format!("/api/forms/{form}/draft");
    let otisak = async || -> String {
        sqlx::query_scalar("select form_today_fingerprint($1)").bind(form).fetch_one(&case.app.db.owner).await.unwrap()
    };
    let before = otisak().await;
    let mut draft = case.mila.post(&path, json!({})).await.assert_status(201).json();
    assert_eq!(otisak().await, before);
    for field in draft["dokument"]["polja"].as_array_mut().unwrap() {
        field["opcioni"] = json!(!field["opcioni"].as_bool().unwrap());
    }
    let saved = json!({ "verzija": draft["verzija"], "dokument": draft["dokument"] });
    case.mila.put(&path, saved).await.assert_status(200);
    let changes = case.mila.get(&format!("{path}/changes")).await.assert_status(200).json();
    assert_eq!(order(&changes["razlike"]["izmenjena"], "naziv"), TREE, "before publishing");
    let file = format!("JMBG,Datum pregleda,{}\n{:013},01.05.2024.,1,2,3,prva,01.05.2024.,3,x\n", TREE.join(","), 1);
    let body = json!({ "registarID": case.register.id, "ustanovaID": case.app.ustanova, "fajl": "a.csv", "sadrzaj": BASE64_STANDARD.encode(file) });
    let import = case.mila.post("/api/data-imports", body).await.assert_status(201).json();
    let mapping = case.mila.get(&format!("/api/data-imports/{}/mapping", import["id"])).await.assert_status(200).json();
    let without_results: Vec<&str> = TREE.into_iter().filter(|code| *code != "zbir").collect();
    assert_eq!(order(&mapping["formulari"][0]["polja"], "sifra"), without_results, "the proposal of an import");
}
