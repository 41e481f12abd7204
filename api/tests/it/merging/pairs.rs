//! Pairs that are likely one person: which are found, by whom they are seen, and that it is remembered who said that they are two.

use accounts::rights::Right;
use serde_json::json;
use sqlx::AssertSqlSafe;

use super::Twice;

async fn look(twice: &Twice) -> i64 {
    twice.number("select find_patient_pairs(500, interval '0')::bigint").await
}

/// A patient of the institution with this name, birth date and JMBG.
async fn patient(twice: &Twice, ime: &str, prezime: &str, born: &str, jmbg: &str, keeper: i64) -> i64 {
    let lbo = twice.number("select 30000000000 + count(*) from patient").await;
    twice
        .number(&format!(
            "with w as (select set_config('app.worker', '1', false))
             insert into patient (ime, prezime, datum_rodjenja, jmbg, lbo, pol_trenutni, kontakt_telefon, ustanova_id)
             select '{ime}', '{prezime}', '{born}', '{jmbg}', '{lbo}', true, '011/1234567', {keeper} from w returning id"
        ))
        .await
}

async fn pairs(twice: &Twice) -> Vec<(i64, i64, String)> {
    sqlx::query_as(AssertSqlSafe("select prvi_id, drugi_id, razlog from patient_pair order by 1, 2".to_owned()))
        .fetch_all(&twice.app.db.owner)
        .await
        .unwrap()
}

#[tokio::test]
async fn names_dates_and_numbers_that_are_nearly_the_same_make_a_pair_and_others_do_not() {
    let twice = Twice::here().await;
    let here = twice.app.ustanova;
    let one = patient(&twice, "Đorđe", "Živković", "1970-05-03", "0305970710014", here).await;
    let swapped = patient(&twice, "Djordje", "Zivkovic", "1970-03-05", "0503970710022", here).await;
    let next_day = patient(&twice, "Đorđe", "Živkovič", "1970-05-04", "0405970710033", here).await;
    let other = patient(&twice, "Milena", "Krstić", "1970-05-03", "0305970715067", here).await;
    let digit = patient(&twice, "Milena", "Petrov", "1970-05-03", "0305970715068", here).await;
    let transposed = patient(&twice, "Milena", "Krstić", "1981-09-09", "0305970751067", here).await;
    let stranger = patient(&twice, "Petar", "Jović", "1970-05-03", "0305970710777", here).await;
    assert!(look(&twice).await > 0);
    assert_eq!(look(&twice).await, 0, "nobody was changed since");
    let found = pairs(&twice).await;
    let reason = |a: i64, b: i64| found.iter().find(|pair| (pair.0, pair.1) == (a.min(b), a.max(b))).map(|pair| pair.2.as_str());
    assert_eq!(reason(one, swapped), Some("datum"));
    assert_eq!(reason(one, next_day), Some("datum"));
    assert_eq!(reason(other, digit), Some("jmbg"));
    assert_eq!(reason(other, transposed), Some("jmbg"));
    for id in [one, swapped, next_day, other, digit, transposed] {
        assert_eq!(reason(stranger, id), None);
    }
}

#[tokio::test]
async fn a_pair_is_worked_off_by_merging_or_by_saying_that_they_are_two() {
    let twice = Twice::here().await;
    let (a, b) = (
        patient(&twice, "Ana", "Ilić", "1970-05-03", "0305970715014", twice.app.ustanova).await,
        patient(&twice, "Ana", "Ilič", "1970-05-03", "0305970715022", twice.app.ustanova).await,
    );
    look(&twice).await;
    let listed = twice.worker.get("/api/patient-pairs").await.json();
    assert_eq!(listed["total"], json!(1), "{listed}");
    assert_eq!((&listed["data"][0]["prvi"]["pacijentID"], &listed["data"][0]["drugi"]["pacijentID"]), (&json!(a), &json!(b)));
    // One of them in an institution that does not know the other: no pair.
    let other = twice.app.worker("druga", &[Right::Merging], twice.app.druga_ustanova).await;
    twice.taken(a, twice.app.druga_ustanova).await;
    assert_eq!(other.get("/api/patient-pairs").await.json()["total"], json!(0));
    other.post("/api/patient-pairs", json!({ "prviID": a, "drugiID": b, "nijeIsta": true })).await.assert_status(404);
    twice.worker.post("/api/patient-pairs", json!({ "prviID": b, "drugiID": a, "nijeIsta": true })).await.assert_status(204);
    assert_eq!(twice.worker.get("/api/patient-pairs").await.json()["total"], json!(0));
    let judged = twice.worker.get("/api/patient-pairs?nijeIsta=true").await.json();
    assert_eq!(judged["data"][0]["rekao"], json!("Test Spaja"));
    // What was said is not found anew when one of them changes.
    twice.owner(&format!("update patient set adresa = 'Nova 1' where id = {a}")).await;
    assert!(look(&twice).await > 0);
    assert_eq!(twice.worker.get("/api/patient-pairs").await.json()["total"], json!(0));
    twice.worker.post("/api/patient-pairs", json!({ "prviID": a, "drugiID": b, "nijeIsta": false })).await.assert_status(204);
    let body = json!({ "pobednikID": a, "gubitnikID": b, "razlog": super::WHY, "potvrde": ["jmbgNeslaganje"] });
    twice.worker.post("/api/patient-merges", body).await.assert_status(201);
    assert_eq!(twice.worker.get("/api/patient-pairs").await.json()["total"], json!(0));
}

#[tokio::test]
async fn a_look_reads_by_index_whatever_there_is() {
    let twice = Twice::here().await;
    twice
        .owner(
            "insert into patient (ime, prezime, datum_rodjenja, jmbg, lbo, pol_trenutni, kontakt_telefon, ustanova_id)
             select 'Ime' || n % 97, 'Prezime' || n, date '1930-01-01' + (n * 7) % 25000, lpad((n * 7919)::text, 13, '0'), lpad((50000000000 + n)::text, 11, '0'),
                    true, '011/1234567', (select min(id) from institution) from generate_series(1, 20000) n",
        )
        .await;
    twice.owner("analyze patient").await;
    // Five hundred are looked up among twenty thousand by indexes: pair by pair it would be ten million comparisons.
    let began = std::time::Instant::now();
    assert_eq!(look(&twice).await, 500);
    assert!(began.elapsed() < std::time::Duration::from_secs(20), "{:?}", began.elapsed());
}
