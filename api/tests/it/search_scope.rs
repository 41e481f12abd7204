//! Random searches in every scope and with every operator, against the plainest reading of what they say, over all entries.

use std::collections::BTreeMap;

use rand::{Rng, SeedableRng, rngs::StdRng};
use serde_json::{Value, json};

use crate::support::{TestApp, TestRegister};

const SCOPES: [&str; 3] = ["najnovijiUnos", "istiUnos", "biloKojiUnos"];

struct Field {
    id: i64,
    form: i64,
    kind: i64,
}

struct Entry {
    id: i64,
    patient: i64,
    form: i64,
    date: String,
    values: BTreeMap<i64, Value>,
}

#[derive(Debug, Clone)]
struct Row {
    field: usize,
    operator: &'static str,
    value: Value,
}

struct World {
    fields: Vec<Field>,
    entries: Vec<Entry>,
    patients: Vec<i64>,
}

/// A second form of the register, with a choice, a number and a text of its own.
async fn second_form(app: &TestApp, register: &TestRegister) -> (i64, Vec<i64>) {
    app.lay_out(&[
        "insert into form (id, registar_id, naziv) select 801, id, 'Kontrola' from register where naziv = 'Probni registar'",
        "insert into form_field (id, tip_skupa_atributa_id, tip_atributa_id, naziv, redosled, sifra, pretrazuje_se)
         select 8000 + t.tip_vrednosti_atributa, 801, t.id, 'k' || f.naziv, f.redosled, f.sifra, true
           from form_field f join attribute_type t on t.id = f.tip_atributa_id where f.sifra in ('izbor', 'broj', 'tekst')",
    ])
    .await;
    assert!(register.form != 801);
    (801, vec![8001, 8002, 8003])
}

impl World {
    async fn new(app: &TestApp, register: &TestRegister, rng: &mut StdRng) -> Self {
        let (second, own) = second_form(app, register).await;
        let mut fields: Vec<Field> = [("izbor", 1), ("broj", 2), ("tekst", 3), ("skup", 4), ("datum", 5)]
            .map(|(code, kind)| Field { id: register.fields[code], form: register.form, kind })
            .into();
        fields.extend(own.into_iter().zip(1..).map(|(id, kind)| Field { id, form: second, kind }));
        let mut world = Self { fields, entries: Vec::new(), patients: Vec::new() };
        for number in 0..70 {
            let patient = app.patient(register, "Ime", &format!("Prezime{number}"), app.ustanova, number + 1).await;
            world.patients.push(patient);
            for _ in 0..rng.random_range(0..5) {
                let form = if rng.random_ratio(2, 3) { register.form } else { second };
                // Two entries of one day are told apart by their order.
                let date = format!("2024-01-{:02}", rng.random_range(1..9));
                let values: BTreeMap<i64, Value> = world
                    .fields
                    .iter()
                    .filter(|field| field.form == form)
                    .filter_map(|field| Some((field.id, stored(field.kind, register, rng)?)))
                    .collect();
                let id = sqlx::query_scalar(
                    "with by as (select set_config('app.worker', '1', true))
                     insert into entry (pacijent_id, registar_id, tsa_id, datum_unosa, ustanova_id, radnik_kreirao_id, vrednosti)
                     select $1, $2, $3, $4::date, $5, 1, $6 from by returning id",
                )
                .bind(patient)
                .bind(register.id)
                .bind(form)
                .bind(&date)
                .bind(app.ustanova)
                .bind(json!(values))
                .fetch_one(&app.db.owner)
                .await
                .unwrap();
                world.entries.push(Entry { id, patient, form, date, values });
            }
        }
        world
    }

    /// The patient's entries of a form, newest first.
    fn of(&self, patient: i64, form: i64) -> Vec<&Entry> {
        let mut entries: Vec<&Entry> = self.entries.iter().filter(|entry| entry.patient == patient && entry.form == form).collect();
        entries.sort_by_key(|entry| std::cmp::Reverse((entry.date.clone(), entry.id)));
        entries
    }

    fn passes(&self, row: &Row, entry: &Entry) -> bool {
        let field = &self.fields[row.field];
        let value = entry.values.get(&field.id);
        let filled = match value {
            None => false,
            Some(Value::String(text)) => !text.is_empty(),
            Some(Value::Array(items)) => !items.is_empty(),
            Some(_) => true,
        };
        let chosen = || match value {
            Some(Value::Array(items)) => items.contains(&row.value),
            value => value == Some(&json!(true)),
        };
        let text = || value.and_then(Value::as_str).unwrap_or_default().to_lowercase();
        let asked = || row.value.as_str().unwrap_or_default().to_lowercase();
        let by = |number: std::cmp::Ordering| match row.operator {
            ">" => number.is_gt(),
            "<" => number.is_lt(),
            ">=" => number.is_ge(),
            "<=" => number.is_le(),
            "=" => number.is_eq(),
            _ => number.is_ne(),
        };
        match (row.operator, field.kind) {
            ("popunjeno", _) => filled,
            ("nijePopunjeno", _) => !filled,
            ("izabrano", _) => chosen(),
            ("nijeIzabrano", _) => !chosen(),
            _ if !filled => false,
            ("sadrzi", _) => text().contains(&asked()),
            ("neSadrzi", _) => !text().contains(&asked()),
            ("pocinje", _) => text().starts_with(&asked()),
            ("zavrsava", _) => text().ends_with(&asked()),
            (_, 2) => by(value.unwrap().as_i64().cmp(&row.value.as_i64())),
            _ => by(text().cmp(&asked())),
        }
    }

    /// The match that each row of the group has, where the patient passes all of them.
    fn group(&self, patient: i64, group: &[Row], scope: &str) -> Option<Vec<Option<&Entry>>> {
        let form = |row: &Row| self.fields[row.field].form;
        if scope == "istiUnos" {
            let entry = self.of(patient, form(&group[0])).into_iter().find(|entry| group.iter().all(|row| self.passes(row, entry)))?;
            return Some(vec![Some(entry); group.len()]);
        }
        group
            .iter()
            .map(|row| {
                let entries = self.of(patient, form(row));
                if scope == "najnovijiUnos" {
                    return entries.first().filter(|entry| self.passes(row, entry)).map(|entry| Some(*entry));
                }
                if ["nijeIzabrano", "nijePopunjeno"].contains(&row.operator) {
                    return (!entries.is_empty() && entries.iter().all(|entry| self.passes(row, entry))).then_some(None);
                }
                entries.into_iter().find(|entry| self.passes(row, entry)).map(Some)
            })
            .collect()
    }

    /// Who passes, and what each criterion found: row, entry, its stored value.
    fn expected(&self, groups: &[Vec<Row>], scope: &str) -> BTreeMap<i64, Vec<(usize, Value, Value)>> {
        let mut found = BTreeMap::new();
        for patient in &self.patients {
            let (mut first, mut matches, mut holds) = (0, Vec::new(), false);
            for group in groups {
                if let Some(entries) = self.group(*patient, group, scope) {
                    holds = true;
                    for (index, entry) in entries.into_iter().enumerate() {
                        let value = entry.and_then(|entry| entry.values.get(&self.fields[group[index].field].id)).cloned();
                        matches.push((first + index, json!(entry.map(|entry| entry.id)), value.unwrap_or_default()));
                    }
                }
                first += group.len();
            }
            if holds {
                found.insert(*patient, matches);
            }
        }
        found
    }

    fn random_row(&self, register: &TestRegister, form: Option<i64>, rng: &mut StdRng) -> Row {
        let field = loop {
            let field = rng.random_range(0..self.fields.len());
            if form.is_none_or(|form| self.fields[field].form == form) {
                break field;
            }
        };
        let kind = self.fields[field].kind;
        let own: &[&str] = match kind {
            1 | 4 => &["izabrano", "nijeIzabrano"],
            3 => &["=", "!=", "sadrzi", "neSadrzi", "pocinje", "zavrsava"],
            _ => &[">", "<", "=", "!=", "<=", ">="],
        };
        let operator = match rng.random_range(0..4) {
            0 => ["popunjeno", "nijePopunjeno"][rng.random_range(0..2)],
            _ => own[rng.random_range(0..own.len())],
        };
        let value = match kind {
            4 => json!(register.items[["prva", "druga"][rng.random_range(0..2)]]),
            3 => json!(["be", "bela", "a", "crna", "na"][rng.random_range(0..5)]),
            5 => json!(format!("2020-01-{:02}", rng.random_range(1..5))),
            _ => json!(rng.random_range(0..5)),
        };
        Row { field, operator, value }
    }
}

/// A value of the kind, or none; some of the blank ones are stored as such.
fn stored(kind: i64, register: &TestRegister, rng: &mut StdRng) -> Option<Value> {
    let (first, second) = (register.items["prva"], register.items["druga"]);
    if rng.random_ratio(1, 3) {
        return None;
    }
    Some(match kind {
        1 => json!(rng.random_bool(0.5)),
        2 => json!(rng.random_range(0..5)),
        3 => json!(["bela", "Crna", "zelena", ""][rng.random_range(0..4)]),
        4 => [json!([first]), json!([second]), json!([first, second]), json!([])][rng.random_range(0..4)].clone(),
        _ => json!(format!("2020-01-{:02}", rng.random_range(1..5))),
    })
}

#[tokio::test]
#[ignore = "long: random searches in every scope"]
async fn random_searches_find_in_every_scope_whom_the_sentence_says_and_show_what_matched() {
    let app = TestApp::new().await;
    let (register, lekar) = (app.register().await, app.lekar().await);
    let mut rng = StdRng::seed_from_u64(12);
    let world = World::new(&app, &register, &mut rng).await;
    let (mut somebody, mut differ) = (0, 0);
    for turn in 0..120 {
        let groups: Vec<Vec<Row>> = (0..rng.random_range(1..3))
            .map(|_| {
                let form = world.fields[rng.random_range(0..world.fields.len())].form;
                (0..rng.random_range(1..4)).map(|_| world.random_row(&register, Some(form), &mut rng)).collect()
            })
            .collect();
        let rows: Vec<Value> = groups
            .iter()
            .flat_map(|group| group.iter().enumerate())
            .map(|(index, row)| {
                let id = world.fields[row.field].id;
                let value = match &row.value {
                    Value::String(text) => text.clone(),
                    other => other.to_string(),
                };
                json!({ "veza": if index == 0 { "ili" } else { "i" }, "poljeID": id, "operator": row.operator, "vrednost": value })
            })
            .collect();
        let mut of_scopes = Vec::new();
        for scope in SCOPES {
            let all = turn % 3 == 0;
            let body = json!({ "registarID": register.id, "redPretrage": rows, "opsegUslova": scope, "sviRezultati": all, "brojRezultatePretrage": 1000 });
            let answer = lekar.post("/api/search", body).await.json();
            let found: BTreeMap<i64, Vec<(usize, Value, Value)>> = answer["unosi"]
                .as_array()
                .unwrap()
                .iter()
                .map(|hit| {
                    let matches = hit["pogodak"].as_array().unwrap().iter();
                    let matches =
                        matches.map(|one| (one["uslov"].as_u64().unwrap() as usize, one["unosID"].clone(), one["vrednost"].clone()));
                    (hit["pacijentID"].as_i64().unwrap(), matches.collect())
                })
                .collect();
            assert_eq!(found, world.expected(&groups, scope), "{scope} {groups:?}");
            somebody += usize::from(!found.is_empty());
            of_scopes.push(found.into_keys().collect::<Vec<_>>());
        }
        differ += usize::from(of_scopes[0] != of_scopes[1] || of_scopes[1] != of_scopes[2]);
    }
    assert!(somebody > 200 && differ > 60, "{somebody} searches find somebody, {differ} differ by scope: the cases prove too little");
}

#[tokio::test]
async fn what_is_not_chosen_is_the_complement_of_what_is_among_those_with_an_entry() {
    let app = TestApp::new().await;
    let (register, lekar) = (app.register().await, app.lekar().await);
    let world = World::new(&app, &register, &mut StdRng::seed_from_u64(5)).await;
    let with_entry = world.patients.iter().filter(|patient| !world.of(**patient, register.form).is_empty()).count();
    assert!(with_entry < world.patients.len());
    for (code, value) in [("izbor", String::new()), ("skup", register.items["prva"].to_string())] {
        for scope in ["najnovijiUnos", "biloKojiUnos"] {
            let mut found = Vec::new();
            for operator in ["izabrano", "nijeIzabrano"] {
                let rows = json!([{ "poljeID": register.fields[code], "operator": operator, "vrednost": value }]);
                let body = json!({ "registarID": register.id, "redPretrage": rows, "opsegUslova": scope, "brojRezultatePretrage": 1000 });
                let answer = lekar.post("/api/search", body).await.json();
                found.extend(answer["unosi"].as_array().unwrap().iter().map(|row| row["pacijentID"].as_i64().unwrap()));
            }
            let together = found.len();
            found.sort_unstable();
            found.dedup();
            assert_eq!((together, found.len()), (with_entry, with_entry), "{code} {scope}");
        }
    }
}

#[tokio::test]
async fn without_a_scope_the_register_decides_and_one_entry_has_one_form() {
    let app = TestApp::new().await;
    let (register, lekar) = (app.register().await, app.lekar().await);
    let (_, own) = second_form(&app, &register).await;
    let patient = app.patient(&register, "Ana", "Anić", app.ustanova, 1).await;
    app.entry(&register, patient, app.ustanova, "2024-01-01", json!({ "broj": 5 })).await;
    app.entry(&register, patient, app.ustanova, "2024-02-01", json!({ "broj": 9 })).await;
    let search = async |rows: Value, scope: Value| {
        lekar.post("/api/search", json!({ "registarID": register.id, "redPretrage": rows, "opsegUslova": scope })).await
    };
    let five = json!([{ "poljeID": register.fields["broj"], "operator": "=", "vrednost": "5" }]);
    let count = async |scope: Value| search(five.clone(), scope).await.json()["unosi"].as_array().unwrap().len();
    assert_eq!(count(Value::Null).await, 1, "any entry");
    app.lay_out(&["update register set prikaz_tekucih_unosa_kod_pretrage = true"]).await;
    assert_eq!(count(Value::Null).await, 0, "the newest entry");
    assert_eq!(count(json!("biloKojiUnos")).await, 1, "the person chose");
    let both = json!([five[0], { "veza": "i", "poljeID": own[1], "operator": "popunjeno" }]);
    search(both.clone(), json!("biloKojiUnos")).await.assert_status(200);
    search(both, json!("istiUnos")).await.assert_error(
        422,
        Some("redPretrage"),
        "Uslovi povezani sa „i” treba da važe u istom unosu, pa moraju biti sa istog formulara. Izaberite druge stavke ili drugi opseg uslova.",
    );
}

#[tokio::test]
async fn a_blurred_row_says_nothing_of_what_matched() {
    let app = TestApp::new().await;
    let (register, lekar) = (app.register().await, app.lekar().await);
    app.lay_out(&["update parameter set vrednost = '1' where naziv = 'najmanjaTudjaGrupa'"]).await;
    let foreign = app.patient(&register, "Tajna", "Osoba", app.druga_ustanova, 7).await;
    app.entry(&register, foreign, app.druga_ustanova, "2024-01-01", json!({ "broj": 77 })).await;
    let rows = json!([{ "poljeID": register.fields["broj"], "operator": ">", "vrednost": "70" }]);
    for all in [false, true] {
        let body = json!({ "registarID": register.id, "redPretrage": rows, "sviRezultati": all });
        let answer = lekar.post("/api/search", body).await;
        let row = &answer.json()["unosi"][0];
        assert_eq!((&row["blurPodataka"], &row["pogodak"]), (&json!(true), &json!([])));
        assert!(!answer.text().contains("77"));
    }
}
