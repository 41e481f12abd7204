//! What a chosen report takes for text and nothing else, and what it refuses in words.

use domain::db;
use serde_json::json;

use super::{asked, choice, condition, number, of, rows};
use crate::{reports::Report, support::TestApp};

const ATTACKS: &[&str] = &[
    "O'Hara",
    "'; drop table patient; --",
    "\\'; select 1; --",
    "\\",
    "%",
    "_",
    "50%_\\",
    "$$ || (select jmbg from pacijent) || $$",
    "$1 :od ::date",
    "{{x}} }} {{#each redovi}}",
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    "/* */ --",
    "\"",
    "E'\\''",
    "(((((((((((((((((((((((((((((((((((((((((((((((((((((",
];

#[tokio::test]
async fn no_typed_text_is_read_as_sql_or_as_a_template() {
    let app = TestApp::new().await;
    let (admin, report) = (app.admin().await, Report::with(&app.db, "ustanova", &[]).await);
    let register = app.register().await;
    let patient = app.patient(&register, "Ana", "Anić", app.ustanova, 1).await;
    for attack in ATTACKS {
        app.entry(&register, patient, app.ustanova, "2026-01-10", json!({ "tekst": attack })).await;
    }
    for attack in ATTACKS {
        for (operator, wanted) in [
            ("=", 1),
            ("sadrzi", ATTACKS.iter().filter(|text| text.contains(attack)).count()),
            ("zavrsava", ATTACKS.iter().filter(|text| text.ends_with(attack)).count()),
        ] {
            let filteri = json!([condition(&register, None, "tekst", operator, attack)]);
            let izbor = choice(&register, json!({ "filteri": filteri, "mere": [{ "mera": "brojUnosa" }] }));
            let found = rows(&app, &admin, &report, &izbor, app.ustanova, [None, None]).await;
            assert_eq!(number(&found[0][0]), Some(wanted as f64), "{operator} {attack}");
        }
    }
    // Names are no safer: those of the form, of a field, of its unit and of an item.
    for attack in ATTACKS {
        let mut tx = db::begin(&app.db.owner, db::SYSTEM_WORKER).await.unwrap();
        for (statement, id) in [
            ("update form set naziv = $2 where id = $1", register.form),
            ("update form_field set naziv = $2 where id = $1", register.fields["broj"]),
            ("update form_field set naziv = $2 || ' set' where id = $1", register.fields["skup"]),
            ("update enum_item set naziv = $2 where id = $1", register.items["prva"]),
            (
                "update attribute_type set jedinica = $2 where id = (select tip_atributa_id from form_field where id = $1)",
                register.fields["broj"],
            ),
        ] {
            sqlx::query(statement).bind(id).bind(attack).execute(&mut *tx).await.unwrap();
        }
        tx.commit().await.unwrap();
        let grupe = json!([{ "po": "polje", "poljeID": register.fields["skup"] }, { "po": "polje", "poljeID": register.fields["broj"] }]);
        let mere = json!([{ "mera": "brojUnosa" }, of(&register, "broj", "srednjaVrednost")]);
        let filteri = json!([condition(&register, None, "skup", "nijeIzabrano", &register.items["prva"].to_string())]);
        let more = json!({ "filteri": filteri, "grupe": grupe, "mere": mere, "grafikon": { "vrsta": "stubici", "mera": 1 } });
        let made = asked(&admin, &report, &choice(&register, more)).await.json();
        assert_eq!(made["provera"]["greske"], json!([]), "{attack}: {made}");
        let upit = made["upit"].as_str().unwrap();
        assert!(!upit.contains(attack) || attack.len() < 3, "no name is in the query: {upit}");
    }
}

#[tokio::test]
async fn what_the_form_or_the_scope_does_not_give_is_refused_in_words() {
    let app = TestApp::new().await;
    let (admin, register) = (app.admin().await, app.register().await);
    let (own, all) = (Report::with(&app.db, "ustanova", &[]).await, Report::with(&app.db, "sve", &[]).await);
    let elsewhere: i64 = sqlx::query_scalar("select max(id) + 1 from form_field").fetch_one(&app.db.owner).await.unwrap();
    let mere = json!([{ "mera": "brojUnosa" }]);
    let gone = json!({ "po": "polje", "poljeID": elsewhere });
    let text_field = register.fields["tekst"];
    let name = "Polje „tekst” je tekstualno, a izveštaj nad svim ustanovama ne prikazuje tekstove.";
    let cases = [
        (&own, json!({ "mere": [] }), "mere", "Izaberite bar jednu meru."),
        (&own, json!({ "mere": [of(&register, "skup", "srednjaVrednost")] }), "mere", "Srednja vrednost se ne računa za polje „skup”."),
        (&own, json!({ "mere": [of(&register, "izbor", "medijana")] }), "mere", "Medijana se ne računa za polje „izbor”."),
        (&own, json!({ "mere": [of(&register, "broj", "udeoDa")] }), "mere", "Udeo odgovora „Da” se ne računa za polje „broj”."),
        (&own, json!({ "mere": [of(&register, "broj", "brojUnosa")] }), "mere", "Ova mera nema polje."),
        (&own, json!({ "mere": [{ "mera": "udeo" }] }), "mere", "Udeo traži bar jedno grupisanje."),
        (&own, json!({ "mere": mere, "grupe": [gone] }), "grupe", "Izabrano polje više nije na ovom formularu. Izaberite drugo."),
        (&own, json!({ "mere": mere, "grupe": [{ "po": "pol" }, { "po": "pol" }] }), "grupe", "Isto grupisanje je izabrano dva puta."),
        (
            &own,
            json!({ "mere": mere, "grupe": [{ "po": "polje", "poljeID": register.fields["datum"] }] }),
            "grupe",
            "Po polju „datum” se ne grupiše.",
        ),
        (&own, json!({ "mere": mere, "grafikon": { "vrsta": "linija", "mera": 0 } }), "grafikon", "Grafikon traži bar jedno grupisanje."),
        (
            &own,
            json!({ "mere": mere, "grupe": [{ "po": "pol" }], "grafikon": { "vrsta": "linija", "mera": 0 } }),
            "grafikon",
            "Linija pokazuje tok: traži grupisanje po mesecu ili godini. Izaberite stubiće.",
        ),
        (
            &own,
            json!({ "mere": mere, "grupe": [{ "po": "pol" }], "grafikon": { "vrsta": "naslagani", "mera": 0 } }),
            "grafikon",
            "Naslagani stubići traže dva grupisanja.",
        ),
        (
            &own,
            json!({ "mere": [{ "mera": "brojPacijenata" }], "grupe": [{ "po": "pol" }], "grafikon": { "vrsta": "pita", "mera": 0 } }),
            "grafikon",
            "Pita i naslagani stubići prikazuju delove celine: izaberite broj ili udeo unosa.",
        ),
        (
            &own,
            json!({ "mere": mere, "grupe": [{ "po": "polje", "poljeID": register.fields["skup"] }], "grafikon": { "vrsta": "pita", "mera": 0 } }),
            "grafikon",
            "Pita i naslagani stubići prikazuju delove celine, a unos sa više izabranih stavki je u više grupa. Izaberite stubiće.",
        ),
        (
            &own,
            json!({ "mere": mere, "filteri": [condition(&register, None, "broj", ">", "2.108")] }),
            "filteri",
            "Uslov 1: „broj”: „2.108” može da znači 2108 ili 2,108. Unesite broj bez tačke za hiljade, sa zarezom za decimale.",
        ),
        (
            &own,
            json!({ "mere": mere, "filteri": [condition(&register, None, "broj", ">", "1) or (1")] }),
            "filteri",
            "Uslov 1: vrednost mora biti broj.",
        ),
        (
            &own,
            json!({ "mere": mere, "filteri": [condition(&register, None, "datum", "=", "2026-01-01'")] }),
            "filteri",
            "Uslov 1: vrednost mora biti datum.",
        ),
        (
            &own,
            json!({ "mere": mere, "filteri": [condition(&register, None, "skup", "izabrano", "999999")] }),
            "filteri",
            "Uslov 1: izabrana stavka nije među stavkama polja „skup”.",
        ),
        (
            &own,
            json!({ "mere": mere, "filteri": [condition(&register, None, "broj", "or", "1")] }),
            "filteri",
            "Operator ne odgovara vrsti izabrane stavke.",
        ),
        (&own, json!({ "mere": mere, "starostOd": -1 }), "starostOd", "Starost se unosi u celim godinama, od 0 do 150."),
        (&own, json!({ "prikaz": "lista", "kolone": [] }), "kolone", "Izaberite bar jednu kolonu."),
        (&own, json!({ "registarID": register.id + 1, "mere": mere }), "tipUnosaID", "Izabrani formular ne pripada izabranom registru."),
        (
            &own,
            json!({ "tipUnosaID": register.form + 1_000, "mere": mere }),
            "tipUnosaID",
            "Izabrani formular više ne postoji. Izaberite drugi.",
        ),
        (
            &all,
            json!({ "prikaz": "lista", "kolone": [{ "kolona": "pacijent" }] }),
            "prikaz",
            "Izveštaj nad svim ustanovama prikazuje samo zbirne podatke: izaberite grupe.",
        ),
        (
            &all,
            json!({ "mere": [of(&register, "broj", "maksimum")] }),
            "mere",
            "Minimum i maksimum su vrednost jednog pacijenta, pa ih izveštaj nad svim ustanovama nema. Izaberite medijanu.",
        ),
        (&all, json!({ "mere": mere, "grupe": [{ "po": "polje", "poljeID": text_field }] }), "grupe", name),
    ];
    for (report, more, field, message) in cases {
        let izbor = choice(&register, more);
        asked(&admin, report, &izbor).await.assert_error(422, Some(field), message);
        let path = format!("/api/reports/{}/simple-definitions", report.id);
        admin.post(&path, json!({ "izbor": izbor, "osnova": 0 })).await.assert_error(422, Some(field), message);
    }
    let unknown = choice(&register, json!({ "mere": mere, "upit": "select 1" }));
    assert_eq!(asked(&admin, &own, &unknown).await.status, 422, "nothing else is listened to");
    // A report that belongs to a register reads that one.
    let izbor = choice(&register, json!({ "mere": mere }));
    for (naziv, status) in [("Drugi registar", 422), ("Probni registar", 200)] {
        let mut tx = db::begin(&app.db.owner, db::SYSTEM_WORKER).await.unwrap();
        sqlx::query("insert into register (naziv) select $1 where not exists (select from register where naziv = $1)")
            .bind(naziv)
            .execute(&mut *tx)
            .await
            .unwrap();
        sqlx::query("update report set registar_id = (select id from register where naziv = $2) where id = $1")
            .bind(own.id)
            .bind(naziv)
            .execute(&mut *tx)
            .await
            .unwrap();
        tx.commit().await.unwrap();
        let answer = asked(&admin, &own, &izbor).await;
        answer.assert_status(status);
        assert!(status == 200 || answer.text().contains("Ovaj izveštaj je vezan za drugi registar."), "{}", answer.text());
    }
}
