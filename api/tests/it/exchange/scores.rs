//! Scores of files that others published, and of scales whose scoring is published: brought in, filled in, and computed as their source
//! computes them. `SOURCES.md` says where each is from; each test counts what of it is carried and what is told.

use std::collections::BTreeMap;

use accounts::rights::Right;
use serde_json::{Value, json};

use super::{Case, foreign::workbook, told};
use crate::support::{TestRegister, Worker};

/// A form that was brought in, with a patient and a doctor.
struct Filled {
    case: Case,
    doctor: Worker,
    register: TestRegister,
    patient: i64,
    report: Value,
    saved: i64,
}

impl Filled {
    /// The form at this place of the file.
    async fn bring(name: &str, bytes: &[u8], form: usize) -> Self {
        let case = Case::new().await;
        let mut sent = Case::sent(name, bytes, None);
        (sent["naziv"], sent["sifra"]) = (json!("Skor"), json!("skor"));
        let report = case.check(&sent).await;
        let (id, forms) = case.bring(&sent).await;
        let register = TestRegister { id, form: forms[form], fields: BTreeMap::new(), items: BTreeMap::new() };
        let doctor = case.app.worker("lekar", &[Right::Reports], case.app.ustanova).await;
        let patient = case.app.patient(&register, "Ana", "Anić", case.app.ustanova, 1).await;
        Self { case, doctor, register, patient, report, saved: 0 }
    }

    async fn field(&self, code: &str) -> i64 {
        let sought = sqlx::query_scalar("select id from form_field where sifra = $1 and tip_skupa_atributa_id = $2 and aktivan");
        let found = sought.bind(code).bind(self.register.form).fetch_optional(&self.case.app.db.owner).await.unwrap();
        found.unwrap_or_else(|| panic!("no field {code}"))
    }

    /// An answer as the screen sends it: a text is the code of an option where the field has options.
    async fn sent(&self, field: i64, answer: &Value) -> Value {
        let Some(code) = answer.as_str() else { return answer.clone() };
        let sought = sqlx::query_scalar(
            "select i.id from form_field f join enum_item i on i.tip_atributa_id = f.tip_atributa_id and i.aktivan
              where f.id = $1 and i.sifra_veza = $2",
        );
        let item: Option<i64> = sought.bind(field).bind(code).fetch_optional(&self.case.app.db.owner).await.unwrap();
        item.map_or_else(|| answer.clone(), |item| json!([item]))
    }

    /// Saves a new entry of these answers by code, rows of a section among them; gives what the form made of it.
    async fn fill(&mut self, answers: Value) -> Saved {
        self.saved += 1;
        let mut values = serde_json::Map::new();
        for (code, answer) in answers.as_object().unwrap() {
            let field = self.field(code).await;
            let value = match answer.as_array() {
                Some(rows) if rows.iter().all(Value::is_object) => self.rows(rows).await,
                _ => self.sent(field, answer).await,
            };
            values.insert(field.to_string(), value);
        }
        let request = json!({ "tsaID": self.register.form, "registarID": self.register.id, "pacijentID": self.patient, "vrednosti": values,
                              "radnikOdgovoran": self.doctor.id, "datumUnosa": format!("2026-03-{:02}", self.saved) });
        Saved(self.doctor.post("/api/entry-values", request).await.assert_status(200).json()["vrednosti"].clone())
    }

    async fn rows(&self, rows: &[Value]) -> Value {
        let mut sent = Vec::new();
        for (at, row) in rows.iter().enumerate() {
            let mut cells = serde_json::Map::new();
            for (code, answer) in row.as_object().unwrap() {
                let field = self.field(code).await;
                cells.insert(field.to_string(), self.sent(field, answer).await);
            }
            sent.push(json!({ "id": at + 1, "v": cells }));
        }
        Value::Array(sent)
    }

    /// What was saved of a field.
    async fn of(&self, saved: &Saved, code: &str) -> Value {
        saved.0[self.field(code).await.to_string()].clone()
    }

    /// The cells of a column.
    async fn column(&self, saved: &Saved, section: &str, code: &str) -> Vec<Value> {
        let (rows, cell) = (self.of(saved, section).await, self.field(code).await.to_string());
        rows.as_array().unwrap().iter().map(|row| row["v"][&cell].clone()).collect()
    }

    /// The code of the option that was computed.
    async fn chosen(&self, saved: &Saved, code: &str) -> Option<String> {
        let item = self.of(saved, code).await[0].as_i64()?;
        sqlx::query_scalar("select sifra_veza from enum_item where id = $1").bind(item).fetch_one(&self.case.app.db.owner).await.unwrap()
    }

    /// Fields, formulas and conditions of the form, and what is told as not carried of expressions.
    async fn counts(&self) -> [i64; 4] {
        let (fields, formulas, conditions): (i64, i64, i64) = sqlx::query_as(
            "select count(*), count(formula_za_racunanje), count(formula_za_prikaz) from form_field where tip_skupa_atributa_id = $1 and aktivan",
        )
        .bind(self.register.form)
        .fetch_one(&self.case.app.db.owner)
        .await
        .unwrap();
        let of_expression = |note: &&String| ["računanje nije", "uslov prikaza nije", "izraz „"].iter().any(|part| note.contains(part));
        [fields, formulas, conditions, told(&self.report, "nemapirano").iter().filter(of_expression).count() as i64]
    }
}

struct Saved(Value);

const BMI: &[u8] = include_bytes!("others/Questionnaire-weight-height-tracking-panel.json");
const HUNGER: &[u8] = include_bytes!("others/Questionnaire-hunger-vital-signs.json");
const FRAMINGHAM: &[u8] = include_bytes!("others/Questionnaire-framingham-hchd-lhc.json");

/// Kilograms and inches, as the file has them, to one decimal.
#[tokio::test]
async fn the_body_mass_index_of_sdc_is_rounded_as_its_expression_says() {
    let mut form = Filled::bring("bmi.json", BMI, 0).await;
    assert_eq!(form.counts().await, [5, 1, 0, 0], "{:#?}", told(&form.report, "nemapirano"));
    for (kg, inches, expected) in [(70.0, 65.0, json!(25.7)), (54.5, 70.0, json!(17.2))] {
        let saved = form.fill(json!({ "_29463_7": kg, "_8302_2": inches })).await;
        assert_eq!(form.of(&saved, "_39156_5").await, expected, "{kg} {inches}");
    }
    let saved = form.fill(json!({ "_29463_7": 70 })).await;
    assert_eq!(form.of(&saved, "_39156_5").await, Value::Null);
}

/// At risk by "often true" or "sometimes true" to either statement (Hager 2010); the result is an option of the questionnaire's own.
#[tokio::test]
async fn the_hunger_vital_sign_is_at_risk_by_either_statement() {
    const OFTEN: &str = "LA28397-0";
    const SOMETIMES: &str = "LA6729-3";
    const NEVER: &str = "LA28398-8";
    let mut form = Filled::bring("hunger.json", HUNGER, 0).await;
    assert_eq!(form.counts().await[1..], [1, 0, 0], "{:#?}", told(&form.report, "nemapirano"));
    for (worried, ran_out, expected) in [
        (Some(OFTEN), Some(NEVER), Some("LA19952-3")),
        (Some(NEVER), Some(SOMETIMES), Some("LA19952-3")),
        (Some(NEVER), Some(NEVER), Some("LA19983-8")),
        (None, Some(OFTEN), Some("LA19952-3")),
        (None, None, None),
    ] {
        let saved = form.fill(json!({ "_88122_7": worried, "_88123_5": ran_out })).await;
        assert_eq!(form.chosen(&saved, "_88124_3").await.as_deref(), expected, "{worried:?} {ran_out:?}");
    }
}

/// Ten-year risk of a hard coronary event by the Framingham Heart Study, of seventeen variables that say each other: written out for one field
/// it is longer than a formula may be. The doctor sees that she types it.
#[tokio::test]
async fn a_result_whose_variables_are_too_long_when_written_out_is_told_and_typed() {
    let form = Filled::bring("framingham.json", FRAMINGHAM, 0).await;
    let left = told(&form.report, "nemapirano");
    assert_eq!(form.counts().await[1..], [0, 1, 17], "{left:#?}");
    for field in ["riskDecimal", "riskPercentage"] {
        assert!(left.iter().any(|line| line.contains(field) && line.contains("polje se unosi ručno")), "{field}: {left:#?}");
    }
}

/// Severe acute malnutrition as `validmeasures/liberiaS3Mforms` screens for it: the curves of weight for height under which a child is below −3
/// standard deviations, the arm under 11.5 cm, oedema (WHO and UNICEF, 2009). The cells are the file's own.
#[tokio::test]
async fn severe_acute_malnutrition_is_found_by_weight_arm_and_oedema() {
    const BOY: &str = "0.000995821 * ${weight} * ${weight} * ${weight} * ${weight} * ${weight} - 0.041179737 * ${weight} * ${weight} * ${weight} * \
                       ${weight} + 0.622839074 * ${weight} * ${weight} * ${weight} - 4.192765025 * ${weight} * ${weight} + 17.49551065 * ${weight} + 23.63868321";
    const GIRL: &str = "0.000754341 * ${weight} * ${weight} * ${weight} * ${weight} * ${weight} - 0.0299748 * ${weight} * ${weight} * ${weight} * \
                        ${weight} + 0.4284523 * ${weight} * ${weight} * ${weight} - 2.7036671 * ${weight} * ${weight} + 13.0452680 * ${weight} + 27.9253576";
    let survey: &[&[&str]] = &[
        &["type", "name", "label", "constraint", "relevant", "calculation"],
        &["select_one sex", "sex", "Gender of child", "", "", ""],
        &["decimal", "muac1", "Mid-upper arm circumference (MUAC) of child (cm)", "(.>= 5.0 and .<= 20.0) or .= 0", "", ""],
        &["select_one yes_no", "oedema1", "Is there bilateral pitting oedema?", "", "", ""],
        &["decimal", "weight1", "Weight of child (kg)", "(.>= 2 and .<= 54) or .= 0.0", "", ""],
        &["decimal", "height1", "Height of child (cm)", "(.>= 30 and .<= 155) or .= 0.0", "", ""],
        &["select_one check", "oedema_check", "Please confirm with team leader/supervisor.", "", "selected(${oedema1}, '1')", ""],
        &["calculate", "muac", "", "", "${muac1} > 0", "${muac1}"],
        &["calculate", "weight", "", "", "${weight1} > 0", "${weight1}"],
        &["calculate", "height", "", "", "${height1} > 0", "${height1}"],
        &["calculate", "whz_neg3_boy", "", "", "", BOY],
        &["calculate", "whz_neg3_girl", "", "", "", GIRL],
        &[
            "calculate",
            "flag_whz_neg3",
            "",
            "",
            "",
            "if((${sex} = '1' and ${height} > ${whz_neg3_boy}) or (${sex} = '2' and ${height} > ${whz_neg3_girl}), '1', '0')",
        ],
        &["calculate", "sam", "", "", "", "if(${flag_whz_neg3} = '1' or ${muac} < 11.5 or ${oedema_check} = '1', '1', '0')"],
    ];
    let choices: &[&[&str]] = &[
        &["list_name", "name", "label"],
        &["sex", "1", "Male"],
        &["sex", "2", "Female"],
        &["yes_no", "1", "Yes"],
        &["yes_no", "2", "No"],
        &["check", "1", "Yes, confirmed"],
        &["check", "2", "No"],
    ];
    let mut form = Filled::bring("sam.xlsx", &workbook(&[("survey", survey), ("choices", choices)]), 0).await;
    assert_eq!(form.counts().await, [13, 7, 4, 0], "{:#?}", told(&form.report, "nemapirano"));
    // A boy of 5.9 kg is at −3 standard deviations with 66.05 cm.
    let child = |sex: &str, muac: f64, kg: f64, cm: f64| json!({ "sex": sex, "muac1": muac, "oedema1": "2", "weight1": kg, "height1": cm });
    for (answers, expected) in [
        (child("1", 13.0, 5.9, 66.0), ["66.05", "0", "0"]),
        (child("1", 13.0, 5.9, 66.1), ["66.05", "1", "1"]),
        (child("2", 13.0, 5.9, 67.9), ["66.05", "1", "1"]),
        (child("2", 11.4, 9.0, 80.0), ["84.16", "0", "1"]),
        (child("2", 11.5, 9.0, 80.0), ["84.16", "0", "0"]),
    ] {
        let saved = form.fill(answers.clone()).await;
        let plain = |value: Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let found =
            [form.of(&saved, "whz_neg3_boy").await, form.of(&saved, "flag_whz_neg3").await, form.of(&saved, "sam").await].map(plain);
        assert_eq!(found, expected, "{answers}");
    }
}

/// The food consumption score of the World Food Programme (2008): days of eight groups by their weights, 0 to 112; poor up to 21, borderline up
/// to 35. The household's members are a repeat that is counted and summed.
#[tokio::test]
async fn the_food_consumption_score_weighs_days_and_a_repeat_is_counted() {
    const GROUPS: [(&str, &str); 8] = [
        ("staples", "2"),
        ("pulses", "3"),
        ("vegetables", "1"),
        ("fruit", "1"),
        ("meat", "4"),
        ("milk", "4"),
        ("sugar", "0.5"),
        ("oil", "0.5"),
    ];
    let sum = GROUPS.map(|(name, weight)| format!("(${{{name}}} * {weight})")).join(" + ");
    let mut survey: Vec<Vec<&str>> = vec![vec!["type", "name", "label", "constraint", "relevant", "calculation"]];
    survey.extend(GROUPS.iter().map(|(name, _)| vec!["integer", name, name, ". >= 0 and . <= 7", "", ""]));
    survey.push(vec!["calculate", "fcs", "", "", "", sum.as_str()]);
    survey.push(vec!["calculate", "group", "", "", "", "if(${fcs} <= 21, 'poor', if(${fcs} <= 35, 'borderline', 'acceptable'))"]);
    survey.push(vec!["text", "why", "Why", "", "${fcs} <= 35", ""]);
    survey.push(vec!["begin repeat", "member", "Member", "", "", ""]);
    survey.push(vec!["integer", "years", "Years", "", "", ""]);
    survey.push(vec!["calculate", "months", "", "", "", "${years} * 12"]);
    survey.push(vec!["text", "school", "School", "", "${years} >= 6 and ${years} < 18", ""]);
    survey.push(vec!["end repeat", "", "", "", "", ""]);
    survey.push(vec!["calculate", "members", "", "", "", "count(${member})"]);
    survey.push(vec!["calculate", "mean_age", "", "", "", "round(sum(${years}) div count(${member}), 1)"]);
    let rows: Vec<&[&str]> = survey.iter().map(Vec::as_slice).collect();
    let mut form = Filled::bring("fcs.xlsx", &workbook(&[("survey", &rows)]), 0).await;
    assert_eq!(form.counts().await, [17, 5, 2, 0], "{:#?}", told(&form.report, "nemapirano"));
    for (days, score, group) in [
        ([7; 8], 112.0, "acceptable"),
        ([7, 0, 2, 0, 0, 0, 4, 5], 20.5, "poor"),
        ([7, 0, 3, 0, 0, 0, 4, 4], 21.0, "poor"),
        ([7, 2, 4, 1, 0, 0, 7, 7], 32.0, "borderline"),
        ([7, 2, 5, 1, 0, 1, 6, 7], 36.5, "acceptable"),
    ] {
        let answers: serde_json::Map<String, Value> =
            GROUPS.iter().zip(days).map(|((name, _), days)| ((*name).to_owned(), json!(days))).collect();
        let saved = form.fill(Value::Object(answers)).await;
        assert_eq!((form.of(&saved, "fcs").await.as_f64(), form.of(&saved, "group").await), (Some(score), json!(group)), "{days:?}");
    }
    let saved = form.fill(json!({ "member": [{ "years": 41 }, { "years": 9, "school": "OŠ" }, { "years": 3 }] })).await;
    assert_eq!(form.column(&saved, "member", "months").await, [json!(492), json!(108), json!(36)]);
    assert_eq!((form.of(&saved, "members").await, form.of(&saved, "mean_age").await), (json!(3), json!(17.7)));
}

/// PHQ-9 (Kroenke 2001) as a survey: nine answers that are numbers, their sum, and its words; each threshold and both ends.
#[tokio::test]
async fn phq_9_of_an_xlsform_has_its_published_thresholds() {
    const QUESTIONS: [&str; 9] = ["q1", "q2", "q3", "q4", "q5", "q6", "q7", "q8", "q9"];
    let sum = QUESTIONS.map(|name| format!("${{{name}}}")).join(" + ");
    let severity = "if(${total} < 5, 'minimal', if(${total} < 10, 'mild', if(${total} < 15, 'moderate', if(${total} < 20, 'moderately severe', 'severe'))))";
    let mut survey: Vec<Vec<&str>> = vec![vec!["type", "name", "label", "relevant", "calculation"]];
    survey.extend(QUESTIONS.iter().map(|name| vec!["select_one often", name, name, "", ""]));
    survey.push(vec!["calculate", "total", "", "", sum.as_str()]);
    survey.push(vec!["calculate", "severity", "", "", severity]);
    survey.push(vec!["note", "ask", "Ask about self-harm", "${q9} > 0", ""]);
    let rows: Vec<&[&str]> = survey.iter().map(Vec::as_slice).collect();
    let choices: &[&[&str]] = &[
        &["list_name", "name", "label"],
        &["often", "0", "Not at all"],
        &["often", "1", "Several days"],
        &["often", "2", "More than half the days"],
        &["often", "3", "Nearly every day"],
    ];
    let mut form = Filled::bring("phq9.xlsx", &workbook(&[("survey", &rows), ("choices", choices)]), 0).await;
    assert_eq!(form.counts().await, [12, 2, 1, 0], "{:#?}", told(&form.report, "nemapirano"));
    for (answers, total, severity) in [
        ([0; 9], 0, "minimal"),
        ([1, 1, 1, 1, 0, 0, 0, 0, 0], 4, "minimal"),
        ([1, 1, 1, 1, 1, 0, 0, 0, 0], 5, "mild"),
        ([2, 2, 2, 1, 1, 1, 1, 0, 0], 10, "moderate"),
        ([2, 2, 3, 3, 2, 1, 1, 1, 0], 15, "moderately severe"),
        ([3, 3, 3, 3, 3, 3, 2, 0, 0], 20, "severe"),
        ([3; 9], 27, "severe"),
    ] {
        let sent: serde_json::Map<String, Value> =
            QUESTIONS.iter().zip(answers).map(|(name, answer)| ((*name).to_owned(), json!(answer.to_string()))).collect();
        let saved = form.fill(Value::Object(sent)).await;
        assert_eq!((form.of(&saved, "total").await, form.of(&saved, "severity").await), (json!(total), json!(severity)), "{answers:?}");
    }
    let saved = form.fill(json!({ "q1": "1" })).await;
    assert_eq!(form.of(&saved, "total").await, Value::Null);
}

/// The projects `simple` and `decimal-dot` of REDCapR, with what REDCap itself has stored of them (`data.csv` beside each).
#[tokio::test]
async fn body_mass_indices_are_those_that_redcap_has_stored() {
    let mut health = Filled::bring("simple.csv", include_bytes!("others/simple_dictionary.csv"), 1).await;
    assert_eq!(health.counts().await[1..], [1, 0, 0], "{:#?}", told(&health.report, "nemapirano"));
    for (height, weight, bmi) in [(7.0, 1.0, 204.1), (6.0, 1.0, 277.8), (180.0, 80.0, 24.7), (165.0, 54.0, 19.8), (193.04, 104.0, 27.9)] {
        let saved = health.fill(json!({ "height": height, "weight": weight })).await;
        assert_eq!(health.of(&saved, "bmi").await, json!(bmi), "{height} {weight}");
    }
    let mut metres = Filled::bring("decimal.csv", include_bytes!("others/decimal_dot_dictionary.csv"), 0).await;
    assert_eq!(metres.counts().await[1..], [1, 0, 0], "{:#?}", told(&metres.report, "nemapirano"));
    for (height, weight, bmi) in [(1.54, 52.3, 22.1), (1.84, 92.3, 27.3), (1.95, 123.4, 32.5), (1.61, 45.9, 17.7)] {
        let saved = metres.fill(json!({ "height": height, "weight": weight })).await;
        assert_eq!(metres.of(&saved, "bmi").await, json!(bmi), "{height} {weight}");
    }
}

/// CHA2DS2-VASc (Lip 2010) and the Glasgow coma scale (Teasdale 1974), said in the ways of REDCap's users: `sum`, `if` in `if`, ages by
/// `datediff`, codes of options that are numbers.
#[tokio::test]
async fn scores_of_a_dictionary_have_their_published_sums() {
    let yes_no = |name: &str| format!("{name},rizik,,yesno,{name},,,,,,,,\n");
    let mut dictionary = "Variable / Field Name,Form Name,Section Header,Field Type,Field Label,\"Choices, Calculations, OR Slider Labels\",Field Note,\
                          Text Validation Type OR Show Slider Number,Text Validation Min,Text Validation Max,Identifier?,Branching Logic (Show field only if...),\
                          Required Field?\nrecord_id,rizik,,text,Record,,,,,,,,\nrodjen,rizik,,text,Rođen,,,date_ymd,,,,,\nvizita,rizik,,text,Vizita,,,date_ymd,,,,,\n\
                          pol,rizik,,radio,Pol,\"1, Muški | 2, Ženski\",,,,,,,\n"
        .to_owned();
    for name in ["chf", "hta", "dm", "tia", "vask"] {
        dictionary += &yes_no(name);
    }
    dictionary += "starost,rizik,,calc,Starost,\"rounddown(datediff([rodjen],[vizita],'y'),0)\",,,,,,,\n";
    dictionary += "zbir,rizik,,calc,CHA2DS2-VASc,\"sum([chf],[hta],[dm],[tia]*2,[vask],if([starost]>=75,2,if([starost]>=65,1,0)),if([pol]='2',1,0))\",,,,,,,\n";
    dictionary += "lek,rizik,,text,Antikoagulans,,,,,,,\"[zbir] >= 2 and [pol] = '1' or [zbir] >= 3\",\n";
    for (name, most) in [("oci", 4), ("govor", 5), ("pokret", 6)] {
        let options = (1..=most).map(|code| format!("{code}, Odgovor {code}")).collect::<Vec<_>>().join(" | ");
        dictionary += &format!("{name},rizik,,radio,{name},\"{options}\",,,,,,,\n");
    }
    dictionary += "gks,rizik,,calc,GKS,[oci]+[govor]+[pokret],,,,,,,\n";
    let mut form = Filled::bring("rizik.csv", dictionary.as_bytes(), 0).await;
    assert_eq!(form.counts().await, [16, 3, 1, 0], "{:#?}", told(&form.report, "nemapirano"));
    let person = |born: &str, sex: &str, yes: &[&str]| {
        let mut answers = json!({ "rodjen": born, "vizita": "2026-03-01", "pol": sex });
        for name in ["chf", "hta", "dm", "tia", "vask"] {
            answers[name] = json!(yes.contains(&name));
        }
        answers
    };
    for (answers, sum) in [
        (person("1970-01-01", "1", &[]), 0),
        (person("1970-01-01", "2", &[]), 1),
        (person("1960-01-01", "1", &["hta"]), 2),
        (person("1950-01-01", "2", &["hta", "dm"]), 5),
        (person("1948-01-01", "2", &["chf", "hta", "dm", "tia", "vask"]), 9),
    ] {
        let saved = form.fill(answers.clone()).await;
        assert_eq!(form.of(&saved, "zbir").await, json!(sum), "{answers}");
    }
    for (eyes, words, moves, sum) in [("1", "1", "1", json!(3)), ("4", "5", "6", json!(15)), ("2", "3", "5", json!(10))] {
        let saved = form.fill(json!({ "oci": eyes, "govor": words, "pokret": moves })).await;
        assert_eq!(form.of(&saved, "gks").await, sum);
    }
    let saved = form.fill(json!({ "oci": "4", "govor": "5" })).await;
    assert_eq!(form.of(&saved, "gks").await, Value::Null);
}

/// A group of FHIR that repeats: in each row the dose of a day and a question that shows by its row, and their sum in the form.
#[tokio::test]
async fn a_group_that_repeats_in_fhir_computes_in_each_row() {
    let number = |link: &str| json!({ "linkId": link, "text": link, "type": "decimal" });
    let computes = |link: &str, text: &str| {
        json!({ "linkId": link, "text": link, "type": "decimal", "readOnly": true, "extension": [{
            "url": "http://hl7.org/fhir/uv/sdc/StructureDefinition/sdc-questionnaire-calculatedExpression",
            "valueExpression": { "language": "text/fhirpath", "expression": text } }] })
    };
    let variable = |name: &str| {
        json!({ "url": "http://hl7.org/fhir/StructureDefinition/variable",
            "valueExpression": { "name": name, "language": "text/fhirpath", "expression": format!("item.where(linkId='{name}').answer.value") } })
    };
    let questionnaire = json!({ "resourceType": "Questionnaire", "name": "terapija", "title": "Terapija", "status": "active", "item": [
        { "linkId": "lek", "type": "group", "text": "Lek", "repeats": true, "extension": [variable("doza"), variable("puta")], "item": [
            number("doza"), number("puta"), computes("dnevno", "%doza * %puta"),
            { "linkId": "razlog", "type": "string", "text": "Razlog", "enableWhen": [{ "question": "doza", "operator": ">", "answerDecimal": 100 }] } ] },
        computes("ukupno", "%resource.item.where(linkId='lek').item.where(linkId='dnevno').answer.value.sum()") ] });
    let mut form = Filled::bring("terapija.json", questionnaire.to_string().as_bytes(), 0).await;
    assert_eq!(form.counts().await, [6, 2, 1, 0], "{:#?}", told(&form.report, "nemapirano"));
    let saved =
        form.fill(json!({ "lek": [{ "doza": 50, "puta": 2 }, { "doza": 7.5 }, { "doza": 200, "puta": 1, "razlog": "bol" }] })).await;
    assert_eq!(form.column(&saved, "lek", "dnevno").await, [json!(100), Value::Null, json!(200)]);
    assert_eq!(form.of(&saved, "ukupno").await, json!(300));
}
