//! Wherever one comes with a number of a record that is gone, it leads to the one that is left; and lists have it no more.

use accounts::rights::Right;
use serde_json::{Value, json};

use super::Twice;

#[tokio::test]
async fn the_address_and_the_numbers_of_the_record_that_is_gone_lead_to_the_one_that_is_left() {
    let twice = Twice::here().await;
    twice.merged(&[]).await;
    let (left, gone) = (twice.left.id, twice.gone.id);
    let moved = twice.worker.get(&format!("/api/patients/{gone}/entries?registarID={}", twice.register.id)).await;
    assert_eq!(
        moved.assert_status(308).header("location").unwrap(),
        format!("/api/patients/{left}/entries?registarID={}", twice.register.id)
    );
    assert_eq!(
        twice.worker.get(&format!("/api/patients/{gone}")).await.assert_status(308).header("location").unwrap(),
        format!("/api/patients/{left}")
    );
    let jmbg = twice.gone.record["jmbg"].as_str().unwrap();
    for criteria in [json!({ "jmbg": jmbg }), json!({ "lbo": twice.gone.record["lbo"] })] {
        let mut body = criteria;
        body["registarID"] = json!(twice.register.id);
        let found = twice.worker.post("/api/search", body).await.json();
        assert_eq!(found["unosi"].as_array().unwrap().len(), 1, "{found}");
        assert_eq!(found["unosi"][0]["pacijentID"], json!(left));
    }
    for typed in [jmbg, twice.gone.record["lbo"].as_str().unwrap()] {
        let found = twice.worker.post("/api/patient-lookups", json!({ "tekst": typed })).await.json();
        assert_eq!(found["pacijenti"][0]["pacijentID"], json!(left), "{typed}: {found}");
    }
    // By name only the one who is left is there.
    let named = json!({ "registarID": twice.register.id, "prezime": twice.gone.record["prezime"] });
    assert_eq!(twice.worker.post("/api/search", named).await.json()["unosi"], json!([]));
    twice.worker.post("/api/patients", with(&twice.gone.record, "lbo", "12312312312")).await.assert_refusal(
        409,
        Some("jmbg"),
        "Pacijent sa tim JMBG već postoji.",
    );
    let mut other = with(&twice.gone.record, "jmbg", crate::support::record(900)["jmbg"].as_str().unwrap());
    other["potvrde"] = json!(["jmbgNeslaganje", "slicanPacijent"]);
    let asked = twice.worker.post("/api/patients", other).await.refusal(422);
    assert!(asked["potvrde"].to_string().contains("istiLBO"), "{asked}");
    let resembled = twice.worker.post("/api/patients/duplicates", json!({ "jmbg": jmbg })).await.json();
    assert_eq!((&resembled["data"][0]["pacijentID"], &resembled["data"][0]["razlog"]), (&json!(left), &json!("jmbg")));
    assert_eq!(twice.worker.get("/api/deleted-patients").await.json()["data"], json!([]));
    // It is not brought back as one that was deleted.
    twice.worker.patch(&format!("/api/patients/{gone}"), json!({ "aktivan": true })).await.assert_status(409);
}

fn with(record: &Value, field: &str, value: &str) -> Value {
    let mut record = record.clone();
    record[field] = json!(value);
    record
}

#[tokio::test]
async fn another_institution_that_does_not_know_her_is_told_nothing_by_any_of_the_numbers() {
    let twice = Twice::here().await;
    twice.merged(&[]).await;
    let other = twice.app.worker("druga", &[Right::Merging, Right::Log], twice.app.druga_ustanova).await;
    for id in [twice.gone.id, twice.left.id] {
        other.get(&format!("/api/patients/{id}")).await.assert_status(404);
    }
    let body = json!({ "registarID": twice.register.id, "jmbg": twice.gone.record["jmbg"] });
    assert_eq!(other.post("/api/search", body).await.json()["unosi"], json!([]));
    other.get(&format!("/api/patient-merges/preview?pacijentID={}&drugi={}", twice.left.id, twice.gone.id)).await.assert_status(404);
    // Who knows all five of the record that is gone takes the one that is left.
    let mut taking = json!({ "razlog": "Upućen na dalje lečenje", "registarID": twice.register.id });
    for name in ["ime", "prezime", "datumRodjenja", "jmbg", "lbo"] {
        taking[name] = twice.gone.record[name].clone();
    }
    assert_eq!(other.post("/api/patient-takings", taking).await.assert_status(200).json(), json!({ "id": twice.left.id }));
}

#[tokio::test]
async fn who_looked_at_either_record_is_told_of_the_one_that_is_left() {
    let twice = Twice::here().await;
    twice.worker.get(&format!("/api/patients/{}", twice.gone.id)).await.assert_status(200);
    let before = views(&twice).await;
    twice.merged(&[]).await;
    assert!(views(&twice).await > before);
    let merges = twice.number("select count(*) from audit_log where klasa = 'patient_merge' and akcija = 'spajanje'").await;
    assert_eq!(merges, 2);
    // The log has the merge without a value of anybody's.
    let said: Vec<Value> =
        sqlx::query_scalar("select polja from audit_log where klasa = 'patient_merge'").fetch_all(&twice.app.db.owner).await.unwrap();
    assert!(said.iter().all(|fields| !fields.to_string().contains(twice.gone.record["jmbg"].as_str().unwrap())), "{said:?}");
}

async fn views(twice: &Twice) -> i64 {
    twice.worker.get(&format!("/api/patients/{}/views", twice.left.id)).await.json()["total"].as_i64().unwrap()
}

#[tokio::test]
async fn making_the_one_who_is_left_anonymous_takes_the_other_record_with_her() {
    let twice = Twice::here().await;
    let merge = twice.merged(&["adresa"]).await;
    let admin = twice.app.admin().await;
    let body = json!({ "razlog": "Na zahtev pacijenta", "potvrda": twice.left.record["brojKartona"] });
    admin.post(&format!("/api/patients/{}/anonymisation", twice.left.id), body).await.assert_status(204);
    assert_eq!(twice.number("select count(*) from patient where anonimizovan_at is not null").await, 2);
    assert_eq!(twice.number("select count(*) from patient_alias").await, 0);
    for table in [
        "patient",
        "patient_merge",
        "patient_merge_row",
        "patient_history",
        "patient_register",
        "audit_log",
        "entry",
        "value_history",
        "name_word",
    ] {
        let all: Option<String> = sqlx::query_scalar(sqlx::AssertSqlSafe(format!("select string_agg(t::text, '') from {table} t")))
            .fetch_one(&twice.app.db.owner)
            .await
            .unwrap();
        let all = domain::fold::fold(&all.unwrap_or_default());
        for person in [&twice.left, &twice.gone] {
            for word in &person.identity {
                assert!(!all.contains(&domain::fold::fold(word)), "{table} has {word}");
            }
        }
    }
    admin.post(&format!("/api/patient-merges/{merge}/unmerge"), json!({})).await.assert_status(422);
}

#[tokio::test]
async fn reports_count_one_person_once() {
    let twice = Twice::here().await;
    let counted = async || {
        let mut tx = twice.app.db.owner.begin().await.unwrap();
        sqlx::query("delete from report_scope where pid = pg_backend_pid()").execute(&mut *tx).await.unwrap();
        sqlx::query("insert into report_scope (pid, radnik_id, ustanova_id, identitet) values (pg_backend_pid(), 1, $1, true)")
            .bind(twice.app.ustanova)
            .execute(&mut *tx)
            .await
            .unwrap();
        let rows: (i64, i64) = sqlx::query_as(
            "select (select count(*) from report.pacijent), (select count(*) from report.unos u join report.pacijent p on p.id = u.pacijent_id)",
        )
        .fetch_one(&mut *tx)
        .await
        .unwrap();
        rows
    };
    assert_eq!(counted().await, (2, 2));
    twice.merged(&[]).await;
    assert_eq!(counted().await, (1, 2));
}

#[tokio::test]
async fn a_frozen_cohort_follows_its_patients_into_one_record() {
    let twice = Twice::here().await;
    let owner = twice.app.worker("vlasnica", &[Right::Reports], twice.app.ustanova).await;
    let izbor = json!({ "registarID": twice.register.id, "tipUnosaID": twice.register.form, "unosi": "svi" });
    let made = owner.post("/api/cohorts", json!({ "naziv": "Dva zapisa", "izbor": izbor })).await.json();
    owner.post(&format!("/api/cohorts/{}/freeze", made["id"]), json!({})).await.assert_status(204);
    let members = "select count(*) from cohort_member where clan";
    let people = "select count(distinct e.pacijent_id) from cohort_member m join entry e on e.id = m.unos_id where m.clan";
    assert_eq!((twice.number(members).await, twice.number(people).await), (2, 2));
    twice.merged(&[]).await;
    assert_eq!((twice.number(members).await, twice.number(people).await), (2, 1), "the entries stay, of one patient");
}
