//! Lists at scale: they are sorted, narrowed down and paged in the database, within what their reader may see.

use accounts::rights::Right;
use serde_json::{Value, json};

use crate::support::{Anonymous, TestApp};

fn url_encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// What stands in a field of the rows of a list, and how many rows there are on all pages.
async fn listed(caller: &Anonymous, path: &str, field: &str) -> (Vec<Value>, i64) {
    let answer = caller.get(path).await.assert_status(200).json();
    let rows = answer["data"].as_array().expect("a list").iter().map(|row| row[field].clone()).collect();
    (rows, answer["total"].as_i64().expect("a total"))
}

async fn found(caller: &Anonymous, filter: &str, text: &str) -> Vec<Value> {
    let (rows, total) = listed(caller, &format!("/api/institutions?filter.{filter}={}", url_encoded(text)), "naziv").await;
    assert_eq!(rows.len() as i64, total, "{filter}={text}");
    rows
}

/// As many workers as a hospital has, whose names end in their numbers.
const WORKERS: &str = "insert into worker (username, ime, prezime, sifra, datum_rodjenja, ustanova_id)
     select 'masa' || n, 'Đorđe', 'Šćepanović ' || lpad(n::text, 5, '0'), 'S-' || n % 7, date '1950-01-01' + n, i.id
       from generate_series(1, 6000) n, institution i where i.naziv = 'Klinika A'";

#[tokio::test]
async fn a_filter_and_the_pages_reach_workers_behind_what_one_answer_holds() {
    let app = TestApp::new().await;
    app.lay_out(&[WORKERS]).await;
    let admin = app.admin().await;

    let last = listed(&admin, "/api/workers?filter.prezime=scepanovic%2006000", "username").await;
    assert_eq!(last, (vec![json!("masa6000")], 1));
    let both = listed(&admin, "/api/workers?filter.prezime=05999&filter.ime=djordje&filter.ustanovaNaziv=klinika%20a", "username").await;
    assert_eq!(both, (vec![json!("masa5999")], 1), "every filter counts");
    assert_eq!(listed(&admin, "/api/workers?filter.prezime=05999&filter.ime=ana", "username").await, (vec![], 0));

    let page = |n: i64| format!("/api/workers?sort=-prezime&filter.username=masa&page={n}&size=50");
    let (first, total) = listed(&admin, &page(0), "username").await;
    assert_eq!((first.len(), total, &first[0]), (50, 6000, &json!("masa6000")));
    let mut seen = first;
    for n in 1..120 {
        seen.extend(listed(&admin, &page(n), "username").await.0);
    }
    let mut distinct: Vec<&str> = seen.iter().map(|name| name.as_str().unwrap()).collect();
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!((seen.len(), distinct.len()), (6000, 6000), "no two pages overlap, and together they hold everybody");

    // Who asks for all of them is told that there are more.
    let all = admin.get("/api/workers?page=0&size=50000000&aktivan=true").await.json();
    assert_eq!((all["data"].as_array().unwrap().len(), &all["total"], &all["skraceno"]), (5000, &json!(6001), &json!(true)));
    let rest = admin.get("/api/workers?page=1&size=50000000").await.json();
    assert_eq!((rest["data"].as_array().unwrap().len(), &rest["skraceno"]), (1001, &Value::Null));
    assert_eq!(admin.get("/api/workers?size=20").await.json()["skraceno"], Value::Null, "no more was asked for");
}

#[tokio::test]
async fn a_page_may_have_one_row_and_none_may_have_fewer() {
    let app = TestApp::new().await;
    let admin = app.admin().await;
    let second = listed(&admin, "/api/institutions?sort=naziv&page=1&size=1", "naziv").await;
    assert_eq!(second, (vec![json!("Klinika B")], 2));
    for query in ["size=0", "page=-1&size=1"] {
        admin.get(&format!("/api/institutions?{query}")).await.assert_status(422);
    }
}

#[tokio::test]
async fn equal_rows_keep_one_order_over_the_pages() {
    let app = TestApp::new().await;
    app.lay_out(&[WORKERS]).await;
    let admin = app.admin().await;
    let page = async |n: i64, sort: &str| {
        listed(&admin, &format!("/api/workers?sort={sort}&filter.username=masa&filter.sifra=S-3&page={n}&size=400"), "id").await.0
    };
    for sort in ["sifra", "-sifra", "ime", "-ustanovaNaziv"] {
        let mut ids = page(0, sort).await;
        ids.extend(page(1, sort).await);
        ids.extend(page(2, sort).await);
        let mut distinct: Vec<i64> = ids.iter().map(|id| id.as_i64().unwrap()).collect();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!((ids.len(), distinct.len()), (857, 857), "{sort}");
    }
}

#[tokio::test]
async fn a_text_filter_is_found_however_it_is_written_and_its_signs_mean_themselves() {
    let app = TestApp::new().await;
    let admin = app.admin().await;
    let odd = ["Đurđevdan", "Čačak Žiča", "50%", "50_1", "kosa\\crta", "o'Brajen); drop table worker; --", "5001"];
    for naziv in odd {
        admin.post("/api/institutions", json!({ "naziv": naziv })).await.assert_status(201);
    }
    for (typed, name) in [
        ("djurdjevdan", "Đurđevdan"),
        ("ЂУРЂЕВ", "Đurđevdan"),
        ("ČAČAK ž", "Čačak Žiča"),
        ("cacak z", "Čačak Žiča"),
        ("50%", "50%"),
        ("50_", "50_1"),
        ("a\\c", "kosa\\crta"),
        ("'brajen); drop", "o'Brajen); drop table worker; --"),
    ] {
        assert_eq!(found(&admin, "naziv", typed).await, [json!(name)], "{typed}");
    }
    assert_eq!(found(&admin, "naziv", "' or '1'='1").await, Vec::<Value>::new());
    assert_eq!(found(&admin, "naziv", "%%").await, Vec::<Value>::new());
    assert_eq!(
        listed(&admin, "/api/institutions?filter.naziv=%20%20", "naziv").await.1,
        odd.len() as i64 + 2,
        "a blank one asks for nothing"
    );
}

#[tokio::test]
async fn dates_numbers_switches_and_choices_are_found_as_they_are_shown() {
    let app = TestApp::new().await;
    let admin = app.admin().await;
    app.lay_out(&[
        "update worker set datum_rodjenja = '1988-03-07' where username = 'admin'",
        "insert into role (ime, numericka_vrednost, pacijenti, sve_ustanove)
         values ('Čita', 12, 'uvid', false), ('Menja', 120, 'izmena', false), ('Svuda', 7, 'ne', true)",
    ])
    .await;
    for (typed, hits) in [("07.03.1988.", 1), ("03.19", 1), ("1988-03", 0)] {
        assert_eq!(listed(&admin, &format!("/api/workers?filter.datumRodjenja={typed}"), "id").await.1, hits, "{typed}");
    }
    let roles = async |query: &str| listed(&admin, &format!("/api/roles?{query}"), "ime").await.0;
    assert_eq!(roles("filter.numerickaVrednost=12").await, [json!("Čita"), json!("Menja")]);
    assert_eq!(roles("filter.pacijenti=uvid").await, [json!("Čita")]);
    assert_eq!(roles("filter.sveUstanove=true&filter.ime=svuda").await, [json!("Svuda")]);
    assert_eq!(roles("filter.sveUstanove=false&filter.ime=svuda").await, Vec::<Value>::new());
    assert_eq!(
        roles("filter.ime=a&sort=-numerickaVrednost").await[..2],
        [json!("Menja"), json!("Čita")],
        "as numbers, what has none at the end"
    );
}

#[tokio::test]
async fn what_no_column_takes_is_refused_in_words_at_its_parameter() {
    let app = TestApp::new().await;
    let admin = app.admin().await;
    let refused = async |query: &str, field: &str, message: &str| {
        admin.get(&format!("/api/roles?{query}")).await.assert_error(422, Some(field), message);
    };
    refused("sort=passwordHash", "sort", "Po ovoj koloni se ne može sortirati.").await;
    refused("sort=-", "sort", "Po ovoj koloni se ne može sortirati.").await;
    refused("filter.verzija=1", "filter.verzija", "Po ovoj koloni se ne može filtrirati.").await;
    refused("filter.sveUstanove=da", "filter.sveUstanove", "Filter ove kolone je true ili false.").await;
    refused("filter.pacijenti=sve", "filter.pacijenti", "Filter ove kolone nema tu vrednost.").await;
    refused("filter.ime=a%00", "filter.ime", "Filter sadrži nedozvoljen znak.").await;
    refused("filter=a%00", "filter", "Filter sadrži nedozvoljen znak.").await;
    refused("filter.ime=a&filter.ime=b", "filter.ime", "Kolona ima samo jedan filter.").await;
    admin.get("/api/workers?filter.passwordHash=a").await.assert_error(
        422,
        Some("filter.passwordHash"),
        "Po ovoj koloni se ne može filtrirati.",
    );
}

#[tokio::test]
async fn filters_and_counts_stop_at_the_walls_of_who_reads() {
    let app = TestApp::new().await;
    let far = app.worker("daleka", &[Right::Reports], app.druga_ustanova).await;
    app.worker("bliska", &[Right::Reports], app.ustanova).await;
    let local = app.worker("lokalni", &[Right::Workers, Right::Roles], app.ustanova).await;
    let everywhere = app.admin().await;
    for path in ["/api/workers?filter.username=daleka", "/api/workers?filter.ustanovaNaziv=klinika%20b", "/api/workers?filter=daleka"] {
        assert_eq!(listed(&local, path, "id").await, (vec![], 0), "{path}");
        assert_eq!(listed(&everywhere, path, "id").await, (vec![json!(far.id)], 1), "{path}");
    }
    // The institutions' rights to send workers are those of who asks.
    let own = listed(&local, "/api/institutions?filter.administrira=true", "naziv").await;
    assert_eq!(own, (vec![json!("Klinika A")], 1));
    let lekar = app.lekar().await;
    assert_eq!(listed(&lekar, "/api/institutions?filter.administrira=true", "naziv").await.1, 0);
    // What a list does not show to nobody in particular is not found by nobody, nor does it tell of itself by the order.
    app.lay_out(&[
        "insert into sponsor (name, code, display_order, description, phone) values ('Prvi', 'p', 1, 'zlatni', '9'), ('Drugi', 'd', 2, 'bronzani', '1')",
    ])
    .await;
    let stranger = app.anonymous();
    for hidden in ["filter.description=zlatni", "filter.phone=9", "filter=zlatni"] {
        assert_eq!(listed(&stranger, &format!("/api/sponsors?{hidden}"), "name").await.1, 0, "{hidden}");
        assert_eq!(listed(&local, &format!("/api/sponsors?{hidden}"), "name").await.1, 1, "{hidden}");
    }
    for sort in ["description", "-description", "phone"] {
        assert_eq!(listed(&stranger, &format!("/api/sponsors?sort={sort}"), "name").await.0, [json!("Drugi"), json!("Prvi")], "{sort}");
    }
}

#[tokio::test]
async fn the_workers_of_a_role_come_in_pages() {
    let app = TestApp::new().await;
    app.lay_out(&[
        WORKERS,
        "insert into role (ime) values ('Svi')",
        "insert into worker_role (radnik_id, uloga_id) select w.id, r.id from worker w, role r where w.username like 'masa%' and r.ime = 'Svi'",
    ])
    .await;
    let admin = app.admin().await;
    let role = admin.get("/api/roles?filter.ime=Svi").await.json()["data"][0]["id"].clone();
    let of = |query: &str| format!("/api/roles/{role}/workers?{query}");
    let last = listed(&admin, &of("sort=-prezime&size=20"), "prezime").await;
    assert_eq!((last.0.len(), last.1, &last.0[0]), (20, 6000, &json!("Šćepanović 06000")));
    assert_eq!(listed(&admin, &of("filter.prezime=04711&size=20"), "prezime").await, (vec![json!("Šćepanović 04711")], 1));
    assert_eq!(listed(&admin, &of("page=400&size=20"), "prezime").await, (vec![], 6000), "behind the last page");
    admin.get(&of("filter.username=a")).await.assert_error(422, Some("filter.username"), "Po ovoj koloni se ne može filtrirati.");
}

#[tokio::test]
async fn choices_of_workers_are_searched_and_tell_how_many_there_are() {
    let app = TestApp::new().await;
    app.lay_out(&[WORKERS]).await;
    let admin = app.worker("sluzbenik", &Right::ALL, app.ustanova).await;
    for (path, list, total) in [
        ("/api/log/search-data", "radnici", "radnikaUkupno"),
        ("/api/log/workers", "data", "total"),
        ("/api/looks/workers", "data", "total"),
    ] {
        let first = admin.get(&format!("{path}?size=50")).await.assert_status(200).json();
        assert_eq!(first[list].as_array().unwrap().len(), 50, "{path}");
        assert!(first[total].as_i64().unwrap() > 6000, "{path}");
        let last = admin.get(&format!("{path}?size=50&filter=djordje%2006000")).await.json();
        assert_eq!(
            (&last[total], &last[list][0]["label"]),
            (&json!(1), &json!("Šćepanović 06000 Đorđe")),
            "{path}: the words in any order"
        );
        assert_eq!(admin.get(&format!("{path}?filter=%25")).await.json()[total], 0, "{path}");
        let whole = admin.get(path).await.json();
        assert_eq!(whole[list].as_array().unwrap().len() as i64, whole[total].as_i64().unwrap(), "{path}: who asks for no size gets all");
        admin.get(&format!("{path}?filter=%00")).await.assert_error(422, Some("filter"), "Filter sadrži nedozvoljen znak.");
    }
}

#[tokio::test]
async fn columns_of_the_log_are_searched_behind_its_first_page_and_not_through_what_is_kept_back() {
    let app = TestApp::new().await;
    app.lay_out(&[
        "insert into audit_log (vreme_pristupa, klasa, akcija, opis, polja, ustanova_id, adresa)
         select now() - n * interval '1 second', 'institution', 'izmena', 'opis broj ' || n, '[]', null, '10.0.0.' || n % 200 from generate_series(1, 1000) n",
        "insert into audit_log (vreme_pristupa, klasa, akcija, opis, polja, ustanova_id)
         select now(), 'access_log', 'pregled', 'otkucano Petrović', '[]', id from institution where naziv = 'Klinika B'",
    ])
    .await;
    let admin = app.admin().await;
    let log = async |query: &str| {
        let answer = admin.get(&format!("/api/log?datumOd=2020-01-01&{query}")).await.assert_status(200).json();
        answer["data"].as_array().unwrap().iter().map(|row| row["opis"].as_str().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(log("filter.opis=BROJ%20987").await, ["opis broj 987"]);
    assert_eq!(log("filter.opis=broj%2098&filter.mesto=10.0.0.187").await, ["opis broj 987"]);
    assert_eq!(log("filter.opis=broj%20_").await, Vec::<String>::new(), "its signs mean themselves");
    assert_eq!(log("filter.radnik=admin&klaseArray=institution").await, Vec::<String>::new());
    assert_eq!(log("filter.opis=petrovic").await, Vec::<String>::new(), "typed at another institution");
    let other = app.worker("druga", &Right::ALL, app.druga_ustanova).await;
    let own = other.get("/api/log?datumOd=2020-01-01&filter.opis=petrovic").await.json();
    assert_eq!(own["data"].as_array().unwrap().len(), 1, "{own}");
    admin.get("/api/log?datumOd=2020-01-01&filter.zapis=x").await.assert_error(
        422,
        Some("filter.zapis"),
        "Po ovoj koloni se ne može filtrirati.",
    );
}
