//! Texts that the database itself brings stand on screens as any others: one word for one thing (docs/glossary.md).

use domain::testing;

const GLOSSARY: &str = include_str!("../../../docs/glossary.md");

/// What people read of a new installation.
const TEXTS: &str = "select 'parameter ' || naziv, opis from parameter
    union all select 'application_right', naziv from application_right
    union all select 'value_type', naziv from value_type
    union all select 'report_format', naziv from report_format
    union all select 'report_parameter_kind', naziv from report_parameter_kind
    union all select 'release', kratak_opis from release
    union all select 'release_change', concat_ws(' ', naslov, opis, napomena) from release_change
    union all select 'role', concat_ws(' ', ime, opis) from role";

/// Words that are not used, as regular expressions of the server: a stem at the beginning of a word, `*` the rest of a word.
fn unused() -> Vec<String> {
    let (_, section) = GLOSSARY.split_once("## One word for one thing").expect("the section");
    let section = section.split_once("\n## ").map_or(section, |(section, _)| section);
    let cells = section.lines().filter_map(|line| line.strip_prefix("| ")?.split(" | ").nth(2));
    let stems = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2));
    let pattern = |stem: &str| {
        let plain = stem.replace('(', "\\(").replace(')', "\\)");
        let before = if stem.starts_with('*') { "" } else { "(^|[^[:alnum:]_-])" };
        format!("{before}{}", plain.replace('*', "[[:alpha:]]*"))
    };
    stems.map(pattern).collect()
}

#[tokio::test]
async fn texts_of_a_new_database_say_one_word_for_one_thing() {
    let db = testing::database().await;
    let unused = unused();
    assert!(unused.len() > 10, "{unused:?}");
    let found: Vec<(String, String)> =
        sqlx::query_as(sqlx::AssertSqlSafe(format!("select * from ({TEXTS}) t (place, told) where told ~* any ($1) order by 1")))
            .bind(&unused)
            .fetch_all(&db.owner)
            .await
            .unwrap();
    assert_eq!(found, []);
}
