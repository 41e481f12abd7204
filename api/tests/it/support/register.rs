//! A small register with one form of every value type, patients and entries, for tests of search and entries.

use std::collections::BTreeMap;

use domain::{
    db,
    formula::{self, FormulaKind, Target},
    register::ValueType,
};
use serde_json::{Value, json};

use super::TestApp;

/// The register's ids. Fields are named by code: `izbor` (yes or no, blank until chosen), `broj`, `tekst`, `skup`, `datum`, `zbir` (calculated: broj + 1) and
/// `skriveno` (text, shown while `izbor` holds).
pub struct TestRegister {
    pub id: i64,
    pub form: i64,
    pub fields: BTreeMap<&'static str, i64>,
    /// Items of the set, by name: prva, druga.
    pub items: BTreeMap<&'static str, i64>,
}

impl TestRegister {
    pub fn field(&self, code: &str) -> String {
        self.fields[code].to_string()
    }
}

impl TestApp {
    pub async fn register(&self) -> TestRegister {
        let mut tx = db::begin(&self.db.owner, db::SYSTEM_WORKER).await.expect("a transaction");
        let id: i64 =
            sqlx::query_scalar("insert into register (naziv) values ('Probni registar') returning id").fetch_one(&mut *tx).await.unwrap();
        let form: i64 = sqlx::query_scalar("insert into form (registar_id, naziv) values ($1, 'Pregled') returning id")
            .bind(id)
            .fetch_one(&mut *tx)
            .await
            .unwrap();
        let mut fields = BTreeMap::new();
        let mut items = BTreeMap::new();
        for (order, (code, kind)) in
            [("izbor", 1), ("broj", 2), ("tekst", 3), ("skup", 4), ("datum", 5), ("zbir", 2), ("skriveno", 3)].into_iter().enumerate()
        {
            let attribute: i64 = sqlx::query_scalar(
                "insert into attribute_type (naziv, tip_vrednosti_atributa, donja_granica_brojne_vrednosti, gornja_granica_brojne_vrednosti)
                 values ($1, $2, case when $1 = 'broj' then 0 end, case when $1 = 'broj' then 100 end) returning id",
            )
            .bind(code)
            .bind(kind)
            .fetch_one(&mut *tx)
            .await
            .unwrap();
            if kind == 4 {
                for (name, number) in [("prva", 1), ("druga", 2)] {
                    let item: i64 = sqlx::query_scalar(
                        "insert into enum_item (tip_atributa_id, naziv, num_vrednost, redosled) values ($1, $2, $3, $3) returning id",
                    )
                    .bind(attribute)
                    .bind(name)
                    .bind(number)
                    .fetch_one(&mut *tx)
                    .await
                    .unwrap();
                    items.insert(name, item);
                }
            }
            let field: i64 = sqlx::query_scalar(
                "insert into form_field (tip_skupa_atributa_id, tip_atributa_id, naziv, redosled, sifra, pretrazuje_se, opcioni, relevantni, multiselect, radio_button)
                 values ($1, $2, $3, $4, $3, true, $3 <> 'broj', $3 = 'tekst', true, $3 = 'izbor') returning id",
            )
            .bind(form)
            .bind(attribute)
            .bind(code)
            .bind(order as i32)
            .fetch_one(&mut *tx)
            .await
            .unwrap();
            fields.insert(code, field);
        }
        for (code, column, text) in
            [("zbir", "formula_za_racunanje_ast", "$(broj) + 1"), ("skriveno", "formula_za_prikaz_ast", "$(izbor) = 1")]
        {
            let known: Vec<formula::Field> = fields
                .iter()
                .map(|(code, id)| formula::Field {
                    id: *id,
                    sifra: Some((*code).to_owned()),
                    tip_vrednosti: ValueType::Number,
                    ..Default::default()
                })
                .collect();
            let kind = if code == "zbir" { FormulaKind::Calculation } else { FormulaKind::Display };
            let compiled = formula::compile(text, Target { field: fields[code], kind }, &known).expect("a formula");
            sqlx::query(match column {
                "formula_za_racunanje_ast" => "update form_field set formula_za_racunanje_ast = $2 where id = $1",
                _ => "update form_field set formula_za_prikaz_ast = $2 where id = $1",
            })
            .bind(fields[code])
            .bind(serde_json::to_value(compiled.formula).unwrap())
            .execute(&mut *tx)
            .await
            .unwrap();
        }
        tx.commit().await.expect("committed");
        TestRegister { id, form, fields, items }
    }

    /// A patient that the institution registered. `number` makes JMBG and LBO unique.
    pub async fn patient(&self, register: &TestRegister, ime: &str, prezime: &str, ustanova: i64, number: i64) -> i64 {
        let mut tx = db::begin(&self.db.owner, db::SYSTEM_WORKER).await.expect("a transaction");
        let id: i64 = sqlx::query_scalar(
            "insert into patient (ime, prezime, datum_rodjenja, jmbg, lbo, pol_trenutni, kontakt_telefon, ustanova_id)
             values ($1, $2, make_date(1950 + ($4 % 50)::int, 1, 1), lpad($4::text, 13, '0'), lpad($4::text, 11, '0'), $4 % 2 = 1, '011/1234567', $3)
             returning id",
        )
        .bind(ime)
        .bind(prezime)
        .bind(ustanova)
        .bind(number)
        .fetch_one(&mut *tx)
        .await
        .expect("a patient");
        sqlx::query("select register_patient($1, $2)").bind(id).bind(register.id).execute(&mut *tx).await.expect("registered");
        tx.commit().await.expect("committed");
        id
    }

    /// An entry with values by field code.
    pub async fn entry(&self, register: &TestRegister, patient: i64, ustanova: i64, date: &str, values: Value) -> i64 {
        let mut tx = db::begin(&self.db.owner, db::SYSTEM_WORKER).await.expect("a transaction");
        let values: serde_json::Map<String, Value> =
            values.as_object().expect("values by code").iter().map(|(code, value)| (register.field(code), value.clone())).collect();
        let id: i64 = sqlx::query_scalar(
            "insert into entry (pacijent_id, registar_id, tsa_id, datum_unosa, ustanova_id, vrednosti) values ($1, $2, $3, $4::date, $5, $6) returning id",
        )
        .bind(patient)
        .bind(register.id)
        .bind(register.form)
        .bind(date)
        .bind(ustanova)
        .bind(json!(values))
        .fetch_one(&mut *tx)
        .await
        .expect("an entry");
        tx.commit().await.expect("committed");
        id
    }
}
