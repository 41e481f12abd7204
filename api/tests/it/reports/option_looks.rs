//! Whom the options of a parameter name is taken from what the views gave, as it is of reports: an author who offers one patient's number
//! under another's name hides nobody.

use accounts::rights::Right;
use serde_json::json;

use super::{Field, Report, SET};
use crate::support::{Person, TestApp, TestRegister, Worker};

struct Scene {
    app: TestApp,
    register: TestRegister,
    lekar: Worker,
    ana: Person,
    eva: Person,
}

/// What a row of the log says: how many options, whom they name, and whether that is all who could be.
type LookRow = (i64, Vec<i64>, bool);

impl Scene {
    async fn new() -> Self {
        let app = TestApp::new().await;
        let (register, lekar) = (app.register().await, app.worker("lekar", &[Right::Reports], app.ustanova).await);
        let (ana, eva) = (app.person(&register, app.ustanova, 1).await, app.person(&register, app.ustanova, 2).await);
        Self { app, register, lekar, ana, eva }
    }

    fn surname(person: &Person) -> &str {
        person.record["prezime"].as_str().unwrap()
    }

    async fn report(&self, upit: &str, of_patients: bool) -> Report {
        let field = Field::new(SET, "ko", "Ko").query(upit);
        Report::with(&self.app.db, "ustanova", &[if of_patients { field.of_patients() } else { field }]).await
    }

    async fn ask(&self, report: &Report, filter: &str) -> LookRow {
        let parameter = report.parameter_id(&self.app.db, "ko").await;
        self.lekar.get(&format!("/api/report-parameters/{parameter}/options?filter={filter}")).await.assert_status(200);
        self.told(parameter).await.pop().unwrap()
    }

    async fn told(&self, parameter: i64) -> Vec<LookRow> {
        sqlx::query_as(
            "select (polja #>> '{-1,nova}')::bigint, array(select p from patients_of_log(l.vreme_pristupa, l.id, l.pacijent_id) p order by p),
                    coalesce(opis like 'Ne može se dokazati%', false)
               from audit_log l where akcija = 'izbor vrednosti' and red_id = $1 order by vreme_pristupa, id",
        )
        .bind(parameter.to_string())
        .fetch_all(&self.app.db.owner)
        .await
        .unwrap()
    }
}

#[tokio::test]
async fn a_list_of_patients_names_those_whom_it_shows_and_no_others() {
    let scene = Scene::new().await;
    let (ana, eva) = (scene.ana.id, scene.eva.id);
    for upit in [
        "select id, ime_prezime from pacijent order by ime_prezime, id",
        "select p.id, p.prezime || ' ' || p.ime || ' (' || (select count(*) from pacijent) || ')' from pacijent p order by p.prezime",
    ] {
        let report = scene.report(upit, true).await;
        assert_eq!(scene.ask(&report, "").await, (2, vec![ana, eva], false), "{upit}");
        assert_eq!(scene.ask(&report, Scene::surname(&scene.ana)).await, (1, vec![ana], false), "only whom the filter leaves: {upit}");
        assert_eq!(scene.ask(&report, "nema%20takvog").await, (0, vec![], false), "{upit}");
    }
    let nobody = scene.report("select id, naziv from ustanova", false).await;
    assert_eq!(scene.ask(&nobody, "").await.1, [0_i64; 0]);
}

/// Each left a row that named the one and showed the other.
#[tokio::test]
async fn options_that_show_another_patient_than_they_say_are_recorded_with_everybody() {
    let scene = Scene::new().await;
    let (ana, eva) = (scene.ana.id, scene.eva.id);
    for (upit, of_patients) in [
        (format!("select {ana}, (select ime_prezime from pacijent where id = {eva})"), true),
        (format!("select {ana}, p::text from pacijent p where id = {eva}"), true),
        (format!("select id, string_agg(ime_prezime, ', ') over () from pacijent p where id in ({ana}, {eva}) order by id limit 1"), true),
        (
            format!(
                "select {ana}, 'da' where exists (select from pacijent where id = {eva} and prezime like '%a%' or prezime is not null)"
            ),
            true,
        ),
        (format!("select id::text, ime_prezime from pacijent where id = {eva}"), true),
        ("select ime_prezime from pacijent".to_owned(), false),
        (format!("select ime_prezime, ime_prezime, {ana}::bigint as pacijent_id from pacijent where id = {eva}"), false),
    ] {
        let report = scene.report(&upit, of_patients).await;
        let (_, named, unproven) = scene.ask(&report, "").await;
        assert!(named == [ana, eva] && unproven, "{upit}: {named:?} {unproven}");
    }
}

#[tokio::test]
async fn who_is_written_for_want_of_proof_is_not_written_at_each_letter_that_is_typed() {
    let scene = Scene::new().await;
    let report = scene.report("select ime_prezime from pacijent", false).await;
    assert_eq!(scene.ask(&report, "").await.1, [scene.ana.id, scene.eva.id]);
    assert_eq!(scene.ask(&report, "a").await.1, [0_i64; 0], "the row before has them");
    let third = scene.app.person(&scene.register, scene.app.ustanova, 3).await;
    assert_eq!(scene.ask(&report, "a").await.1, [third.id], "and not whom nobody has written yet");
}

/// Whoever sends a value learns its label: that is a look, too.
#[tokio::test]
async fn a_label_that_comes_back_with_a_run_is_recorded_as_an_option_is() {
    let scene = Scene::new().await;
    let (ana, eva) = (scene.ana.id, scene.eva.id);
    let run = async |report: &Report, value: String| {
        let request = report.request(&scene.lekar, json!({ "ko": value }));
        scene.lekar.post("/api/report-queue", request).await.assert_status(202);
        scene.told(report.parameter_id(&scene.app.db, "ko").await).await
    };
    let honest = scene.report("select id, ime_prezime from pacijent", true).await;
    assert_eq!(run(&honest, eva.to_string()).await, [], "the row of the run says whose number was sent");
    let hidden = scene.report(&format!("select {ana}, (select ime_prezime from pacijent where id = {eva})"), true).await;
    assert_eq!(run(&hidden, ana.to_string()).await, [(1, vec![ana, eva], true)]);
}

#[tokio::test]
async fn options_call_no_function_and_read_no_table_that_reports_do_not() {
    let scene = Scene::new().await;
    for upit in [
        "select 1, query_to_xml('select ime from report.pacijent', true, true, '')::text",
        "select 1, pg_catalog.current_setting('regix.pokazani', true)",
        "select id, username from public.worker",
        "select id, tajna::text from public.report_scope",
        "select 1, length(pg_catalog.repeat('x', 1000000000))::text",
    ] {
        let parameter = scene.report(upit, false).await.parameter_id(&scene.app.db, "ko").await;
        let message = "Parametar „Ko” ne može da ponudi vrednosti: upit nije ispravan.";
        let answer = scene.lekar.get(&format!("/api/report-parameters/{parameter}/options")).await;
        answer.assert_error(422, Some("ko"), message);
    }
}
