//! What a draft would change is counted before it is published: what becomes another, page by page, to the end of each list.

use std::time::Duration;

use platform::state::{Counting, Parts};
use serde_json::{Value, json};

use super::{Case, body};

#[tokio::test]
async fn results_that_become_others_are_counted_before_and_confirmed_at_publishing() {
    let case = Case::new().await;
    let mut draft = case.begin(&case.mila).await;
    draft.set("zbir", "formulaZaRacunanje", json!("$(broj) + 100"));
    draft.type_of("broj")["gornjaGranicaBrojneVrednosti"] = json!(4);
    draft.type_of("broj")["jedinica"] = json!("mg");
    case.save(&case.mila, &mut draft).await;
    let impact = case.mila.get(&case.path("/impact")).await.assert_status(200).json();
    let touched = |field: &str| json!([{ "unos": case.entry, "polje": field }]);
    assert_eq!((&impact["unosa"], &impact["pregledano"], &impact["sledeci"]), (&json!(1), &json!(1), &Value::Null));
    assert_eq!((&impact["rezultati"], &impact["vanGranica"], &impact["jedinice"]), (&touched("zbir"), &touched("broj"), &touched("broj")));
    assert_eq!(impact["citaoci"]["formule"], json!([{ "naziv": "zbir", "cita": ["broj"] }]));
    let refused = case.publish(&case.mila, &draft).await;
    refused.assert_status(409);
    assert_eq!(body(&refused)["uticaj"]["rezultata"], 2);
    assert_eq!(case.versions().await, 1, "nothing is published yet");
    case.publish_told(&case.mila, &draft, Some(2)).await.assert_status(200);
    let marks: i64 = sqlx::query_scalar("select count(*) from stale_result").fetch_one(&case.app.db.owner).await.unwrap();
    assert_eq!(marks, 2);
    let beyond = case.petar.get(&case.path("/impact")).await;
    beyond.assert_status(404);
}

#[tokio::test]
async fn pages_of_the_impact_together_say_what_one_page_says_and_the_entries_are_listed_to_the_end() {
    let case = Case::new().await;
    let mut entries = vec![case.entry];
    for number in 1..=10 {
        let patient = case.app.patient(&case.register, "Ana", "Anić", case.app.ustanova, number + 1).await;
        let values = json!({ "broj": number, "zbir": number + 1, "skup": [case.register.items["prva"]] });
        entries.push(case.app.entry(&case.register, patient, case.app.ustanova, "2024-05-02", values).await);
    }
    let mut draft = case.begin(&case.mila).await;
    draft.set("zbir", "formulaZaRacunanje", json!("if($(broj) > 3, $(broj) + 100, $(broj) + 1)"));
    draft.type_of("broj")["gornjaGranicaBrojneVrednosti"] = json!(4);
    draft.type_of("broj")["jedinica"] = json!("mg");
    case.save(&case.mila, &mut draft).await;
    let whole = case.mila.get(&case.path("/impact")).await.assert_status(200).json();
    let many = |list: &str| whole[list].as_array().unwrap().len();
    assert_eq!((whole["pregledano"].clone(), many("rezultati"), many("vanGranica"), many("jedinice")), (json!(11), 8, 7, 11));

    let counting_by = |page: Duration| {
        let parts = Parts { counting: Counting { page, chunk: 3 }, ..Parts::clone(&case.app.state) };
        case.app.with_parts(parts).with_token(case.mila.token.clone())
    };
    let by_threes = counting_by(Duration::from_secs(60)).get(&case.path("/impact")).await.assert_status(200).json();
    assert_eq!(by_threes, whole, "one page of many chunks");
    // No time at all: each page ends with its first three patients.
    let paging = counting_by(Duration::ZERO);
    let (mut sum, mut pages, mut from) = (json!({ "pregledano": 0, "rezultati": [], "vanGranica": [], "jedinice": [] }), 0, Value::Null);
    loop {
        let more = if from.is_null() { String::new() } else { format!("?od={from}") };
        let page = paging.get(&format!("{}{more}", case.path("/impact"))).await.assert_status(200).json();
        assert_eq!((&page["unosa"], page["citaoci"].is_null()), (&json!(11), pages > 0), "who reads it is told once");
        sum["pregledano"] = json!(sum["pregledano"].as_i64().unwrap() + page["pregledano"].as_i64().unwrap());
        for list in ["rezultati", "vanGranica", "jedinice"] {
            sum[list].as_array_mut().unwrap().extend(page[list].as_array().unwrap().clone());
        }
        pages += 1;
        from = page["sledeci"].clone();
        if from.is_null() {
            break;
        }
    }
    assert!(pages >= 4, "{pages}");
    for name in ["pregledano", "rezultati", "vanGranica", "jedinice"] {
        assert_eq!(sum[name], whole[name], "{name}: nothing is skipped, and nothing comes twice");
    }

    let listed = case.mila.get(&case.path("/entries")).await.assert_status(200).json();
    assert_eq!(listed, json!({ "unosi": entries, "sledeci": null }));
    case.app
        .lay_out(&["insert into entry (pacijent_id, registar_id, tsa_id, datum_unosa, ustanova_id)
                    select pacijent_id, registar_id, tsa_id, datum_unosa, ustanova_id from entry, generate_series(1, 18)"])
        .await;
    let first = case.mila.get(&case.path("/entries")).await.json();
    let second = case.mila.get(&format!("{}?od={}", case.path("/entries"), first["sledeci"])).await.json();
    let count = |page: &Value| page["unosi"].as_array().unwrap().len();
    assert_eq!((count(&first), count(&second), &second["sledeci"]), (200, 9, &Value::Null));
    assert!(first["unosi"][199].as_i64() < second["unosi"][0].as_i64());
    case.petar.get(&case.path("/entries")).await.assert_status(404);
}

/// Whoever configures forms is told how many; the values of others' patients would be told by bounds that move from draft to draft.
#[tokio::test]
async fn entries_that_the_designer_may_not_open_are_counted_and_not_named() {
    let case = Case::new().await;
    let stranger = case.app.patient(&case.register, "Tuđi", "Pacijent", case.app.druga_ustanova, 77).await;
    let values = json!({ "broj": 9, "zbir": 10, "skup": [case.register.items["prva"]] });
    case.app.entry(&case.register, stranger, case.app.druga_ustanova, "2024-05-02", values).await;
    let mut draft = case.begin(&case.mila).await;
    draft.set("zbir", "formulaZaRacunanje", json!("$(broj) + 100"));
    draft.type_of("broj")["gornjaGranicaBrojneVrednosti"] = json!(4);
    case.save(&case.mila, &mut draft).await;
    let told = async |list: &str| {
        let impact = case.mila.get(&case.path("/impact")).await.assert_status(200).json();
        impact[list].as_array().unwrap().iter().map(|touched| touched["unos"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(told("rezultati").await, [json!(case.entry), Value::Null]);
    assert_eq!(told("vanGranica").await, [json!(case.entry), Value::Null]);
    assert_eq!(case.mila.get(&case.path("/entries")).await.json(), json!({ "unosi": [case.entry], "sledeci": null }));
    case.app.lay_out(&["update role set pacijenti = 'ne'"]).await;
    assert_eq!(told("vanGranica").await, [Value::Null, Value::Null], "whose roles open no patient");
    assert_eq!(case.mila.get(&case.path("/entries")).await.json(), json!({ "unosi": [], "sledeci": null }));
}
