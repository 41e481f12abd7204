//! Setting an installation up, and rules of the database that people must be able to read about.

use std::collections::BTreeSet;

use api::migrate;
use serde_json::json;

use crate::support::TestApp;

#[tokio::test]
async fn an_empty_installation_gets_the_administrator_that_the_environment_names_once() {
    let app = TestApp::new().await;
    migrate::first_administrator(&app.db.owner, "", "").await.expect("nothing to do without a name");
    migrate::first_administrator(&app.db.owner, "glavni", "glavni").await.expect_err("a password that is guessed");
    migrate::first_administrator(&app.db.owner, "glavni", "tanjir-kiša-olovka").await.expect("an administrator");
    migrate::first_administrator(&app.db.owner, "drugi", "druga-lozinka").await.expect("nothing to do any more");

    let answer = app.anonymous().post("/api/login", json!({ "username": "glavni", "password": "tanjir-kiša-olovka" })).await.json();
    let worker = &answer["ulogovaniRadnik"];
    assert_eq!(worker["prava"], json!([1, 2, 3, 4, 5, 6, 7, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 24, 25, 26, 27, 28, 29, 30, 31]));
    assert_eq!(worker["obaveza"], "lozinka", "what stands in a file of the server is changed first");
    assert_eq!(worker["pacijenti"], "izmena", "nobody else could let anybody at patients");
    assert_eq!(worker["ustanovaID"], app.ustanova);
    app.anonymous().post("/api/login", json!({ "username": "drugi", "password": "druga-lozinka" })).await.assert_status(401);
}

/// Rules that no screen can break: set by code, or guarded by a check of the code before the database sees them.
const NOT_FOR_PEOPLE: &[&str] = &[
    "warning_single",
    "quality_rule_vrsta_known",
    "quality_rule_tezina_known",
    "quality_rule_field_of_a_form",
    "quality_rule_whole",
    "patient_status_of_a_field",
    "visit_plan_podrazumevani_one",
    "wall_display_token_hash_size",
    "wall_display_token_hash_key",
    "form_field_obavezan_ako_parsed",
    "form_pravila_array",
    "form_block_sifra_shape",
    "form_block_izdanje_counts",
    "form_block_naziv_required",
    "form_block_tekst_size",
    "attribute_type_druge_jedinice_array",
    "role_pacijenti_known",
    "patient_datum_rodjenja_range",
    "patient_ime_required",
    "patient_jmbg_shape",
    "patient_merged_is_inactive",
    "patient_kontakt_telefon_shape",
    "patient_lbo_shape",
    "patient_mobilni_telefon_shape",
    "patient_prezime_required",
    "consent_text_once",
    "consent_text_svrha_known",
    "patient_consent_svrha_known",
    "patient_status_cause_whole",
    "patient_status_undone_whole",
    "report_tabla_known",
    "report_of_a_board_is_owned",
    "report_of_board",
];

#[tokio::test]
async fn every_named_rule_of_what_people_edit_has_a_message() {
    let app = TestApp::new().await;
    let tables = [
        "institution",
        "worker",
        "role",
        "parameter",
        "sponsor",
        "warning",
        "register",
        "visit_plan",
        "quality_rule",
        "wall_display",
        "form",
        "attribute_type",
        "enum_item",
        "form_field",
        "form_block",
        "recipient_group",
        "report_category",
        "report_type",
        "report",
        "report_parameter",
        "report_parameter_type",
        "patient",
        "patient_status",
        "patient_consent",
        "consent_text",
    ];
    let rules: Vec<String> = sqlx::query_scalar(
        "select conname::text from pg_constraint where contype = 'c' and conrelid::regclass::text = any ($1)
         union
         select indexrelid::regclass::text from pg_index where indisunique and not indisprimary and indrelid::regclass::text = any ($1)",
    )
    .bind(tables.map(String::from))
    .fetch_all(&app.db.owner)
    .await
    .expect("the rules");
    let rules: BTreeSet<&str> = rules.iter().map(String::as_str).collect();
    let known: BTreeSet<&str> = platform::constraints::names().chain(NOT_FOR_PEOPLE.iter().copied()).collect();
    assert_eq!(rules.difference(&known).collect::<Vec<_>>(), Vec::<&&str>::new(), "rules without a message");
    assert_eq!(known.difference(&rules).collect::<Vec<_>>(), Vec::<&&str>::new(), "messages without a rule");
}
