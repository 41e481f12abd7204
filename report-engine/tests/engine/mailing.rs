//! Mail when all is well: who gets what, and what it says.

use crate::world::{MailServer, Report, World, eventually};

fn addresses(count: usize) -> Vec<String> {
    (0..count).map(|number| format!("primalac{number}@bolnica.test")).collect()
}

/// Undoes quoted-printable as far as these tests look into a message.
fn readable(content: &str) -> String {
    let joined = content.replace("=\n", "");
    let mut bytes = Vec::new();
    let mut rest = joined.as_str();
    while let Some(at) = rest.find('=') {
        bytes.extend(&rest.as_bytes()[..at]);
        match rest.get(at + 1..at + 3).and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &rest[at + 3..];
            }
            None => {
                bytes.push(b'=');
                rest = &rest[at + 1..];
            }
        }
    }
    bytes.extend(rest.as_bytes());
    String::from_utf8_lossy(&bytes).into_owned()
}

#[tokio::test]
async fn each_recipient_gets_one_message_of_his_own_with_a_link_and_no_data() {
    let server = MailServer::healthy();
    let world = World::with_mail(&server).await;
    let report = world.report("proba", Report { sql: "select 'tajno' as a", ..Report::default() }).await;
    let engine = world.engine(&[]);
    let mut run = world.new_run(report);
    run.emails = addresses(3);
    run.parametri_opis = serde_json::json!([{ "naziv": "Pacijent", "vrednost": "Pera Perić" }]);
    let run = world.ask(run).await;
    eventually("all are sent", async || {
        let deliveries = world.deliveries(run).await;
        (deliveries.len() == 3 && deliveries.iter().all(|delivery| delivery.status == "sent")).then_some(())
    })
    .await;
    let receipts = server.receipts();
    assert_eq!(receipts.len(), 3);
    for delivery in world.deliveries(run).await {
        let kept = server.kept(&delivery.address);
        assert_eq!(kept.len(), 1);
        assert_eq!(kept[0].message_id(), delivery.message_id);
        assert_eq!((delivery.smtp_code, delivery.attempts), (Some(250), 1));
        let text = readable(&kept[0].content);
        assert!(text.contains(&format!("https://regix.test/izvestaji/{run}")), "{text}");
        assert!(text.contains("Izveštaj proba") && text.contains("Klinika"), "{text}");
        assert!(text.contains("Auto-Submitted: auto-generated"), "machines do not answer it");
        assert!(!text.contains("tajno") && !text.contains("Pera"), "neither data nor parameters leave the house");
        let others = addresses(3).into_iter().filter(|address| *address != delivery.address);
        assert!(others.into_iter().all(|address| !text.contains(&address)), "one recipient does not see another");
    }
    assert!(!engine.log().contains("primalac"), "addresses are not logged");
    assert_eq!(world.count("select count(*) from audit_log where akcija = 'slanje'").await, 3);
}

#[tokio::test]
async fn files_are_attached_where_the_report_allows_it_and_they_fit() {
    let server = MailServer::healthy();
    let world = World::with_mail(&server).await;
    let small = world.report("mali", Report { attach: true, ..Report::default() }).await;
    let big_sql = "select repeat(md5(x::text), 100) as a from generate_series(1, 2600) x";
    let big = world.report("veliki", Report { attach: true, sql: big_sql, ..Report::default() }).await;
    let _engine = world.engine(&[]);
    for (report, to) in [(small, "mali@bolnica.test"), (big, "veliki@bolnica.test")] {
        let mut run = world.new_run(report);
        run.emails = vec![to.to_owned()];
        world.ask(run).await;
    }
    let content = async |to: &str| eventually("the message comes", async || server.kept(to).pop()).await.content;
    let small = content("mali@bolnica.test").await;
    assert!(small.contains("Content-Disposition: attachment") && small.contains("text/csv"), "{small}");
    let big = readable(&content("veliki@bolnica.test").await);
    assert!(!big.contains("text/csv") && big.contains("prevelik"), "8 MB are not attached");
    assert!(big.len() < 100_000);
}

#[tokio::test]
async fn an_empty_result_is_mailed_only_where_the_report_wants_it() {
    let server = MailServer::healthy();
    let world = World::with_mail(&server).await;
    let sql = "select 1 as a where false";
    let quiet = world.report("tih", Report { sql, skip_empty: true, ..Report::default() }).await;
    let telling = world.report("glasan", Report { sql, ..Report::default() }).await;
    let _engine = world.engine(&[]);
    let mut runs = Vec::new();
    for report in [quiet, telling] {
        let mut run = world.new_run(report);
        run.emails = vec![format!("r{report}@bolnica.test")];
        runs.push(world.ask(run).await);
    }
    for run in &runs {
        assert_eq!(world.end(*run).await.status, "succeeded");
    }
    let told = eventually("the message comes", async || server.kept(&format!("r{telling}@bolnica.test")).pop()).await;
    assert!(readable(&told.content).contains("nema podataka"));
    assert_eq!(world.deliveries(runs[0]).await.len(), 0);
}

#[tokio::test]
async fn three_engines_send_each_of_many_messages_once() {
    let server = MailServer::healthy();
    let world = World::with_mail(&server).await;
    let report = world.report("proba", Report::default()).await;
    let _engines = [world.engine(&[]), world.engine(&[]), world.engine(&[])];
    let mut runs = Vec::new();
    for _ in 0..3 {
        let mut run = world.new_run(report);
        run.emails = addresses(30);
        runs.push(world.ask(run).await);
    }
    eventually("all are sent", async || {
        (world.count("select count(*) from report_delivery where status = 'sent'").await == 90).then_some(())
    })
    .await;
    let mut ids: Vec<String> = server.receipts().iter().map(|receipt| receipt.message_id().to_owned()).collect();
    assert_eq!(ids.len(), 90);
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 90, "no message came twice");
}

#[tokio::test]
async fn nothing_is_mailed_about_a_run_that_was_deleted_meanwhile() {
    let server =
        MailServer::scripted(|_, _, number| if number == 0 { crate::world::Reply::Say("421 later") } else { crate::world::Reply::Normal });
    let world = World::with_mail(&server).await;
    let report = world.report("proba", Report::default()).await;
    // The second attempt is far enough away for the deletion.
    let _engine = world.engine(&[("ENGINE_MAIL_DELAY_SCALE", "0.03")]);
    let mut run = world.new_run(report);
    run.emails = addresses(1);
    let run = world.ask(run).await;
    eventually("the first attempt is put off", async || {
        let delivery = world.deliveries(run).await.pop()?;
        (delivery.status == "pending" && delivery.attempts == 1).then_some(())
    })
    .await;
    sqlx::query("update report_run set deleted_at = now() where id = $1").bind(run).execute(&world.db.owner).await.unwrap();
    let delivery =
        eventually("the delivery is given up", async || world.deliveries(run).await.pop().filter(|delivery| delivery.status == "failed"))
            .await;
    assert!(delivery.smtp_text.is_some_and(|text| text.contains("obrisan")));
    assert_eq!(server.receipts().len(), 0);
}

#[tokio::test]
async fn the_owner_of_a_schedule_is_told_why_a_fire_made_no_report() {
    let server = MailServer::healthy();
    let world = World::with_mail(&server).await;
    let report = world.report("pokvaren", Report { sql: "select nema_je as a from report.ustanova", ..Report::default() }).await;
    let owner = "select set_config('app.worker', '1', false); update worker set email = 'vlasnik@bolnica.test' where username = 'lekar'";
    sqlx::raw_sql(owner).execute(&world.db.owner).await.unwrap();
    let schedule: i64 = sqlx::query_scalar(
        "insert into report_schedule (izvestaj_id, radnik_id, ustanova_id, ponavljanje, vreme_izvrsavanja_visetruko, period, formati)
         values ($1, $2, $3, 1, '07:00', 0, '{CSV}') returning id",
    )
    .bind(report)
    .bind(world.radnik)
    .bind(world.ustanova)
    .fetch_one(&world.db.owner)
    .await
    .unwrap();
    let fires = "insert into report_run (id, izvestaj_id, radnik_id, ustanova_id, zakazivanje_id, fire_local, queue, formati, emails, status, error_text)
                 select gen_random_uuid(), $1, $2, $3, $4, day + time '07:00', 'scheduled', '{CSV}', '{drugi@bolnica.test}', status,
                        case status when 'skipped_paused' then 'Pauzirano posle 5 neuspelih izvršavanja zaredom.' end
                   from (values (date '2026-03-01', 'missed'), ('2026-03-02', 'missed'), ('2026-03-03', 'skipped_unauthorised'),
                                ('2026-03-04', 'queued'), ('2026-03-05', 'skipped_paused')) f (day, status)";
    sqlx::query(fires).bind(report).bind(world.radnik).bind(world.ustanova).bind(schedule).execute(&world.db.owner).await.unwrap();
    let _engine = world.engine(&[]);
    let kept = eventually("four letters come", async || {
        let kept = server.kept("vlasnik@bolnica.test");
        (kept.len() == 4).then_some(kept)
    })
    .await;
    let letters: Vec<String> = kept.iter().map(|letter| readable(&letter.content)).collect();
    let about = |day: &str| letters.iter().find(|letter| letter.contains(day)).unwrap_or_else(|| panic!("{day}: {letters:?}"));
    assert!(about("01.03.2026. 07:00").contains("je propušten") && about("01.03.2026. 07:00").contains("i još 1 zaredom"));
    assert!(about("03.03.2026. 07:00").contains("je odbijen"));
    let paused = about("05.03.2026. 07:00");
    assert!(paused.contains("je pauziran") && paused.contains("Pauzirano posle 5 neuspelih izvršavanja zaredom."), "{paused}");
    let failed = about("04.03.2026. 07:00");
    assert!(failed.contains("nije uspeo") && failed.contains("Upit izveštaja nije uspeo."), "{failed}");
    assert_eq!(server.kept("drugi@bolnica.test").len(), 0, "recipients are told of reports only");
}
