//! Mail when all is well: who gets what, and what it says.

use std::process::Command;

use base64::{Engine, engine::general_purpose::STANDARD};
use calamine::{Data, Reader, Xlsx, open_workbook};
use domain::{
    jobs::Queue,
    report_sql::ParameterKind,
    runs::{self, Entry, NewRun},
};
use jiff::civil;

use crate::world::{MailServer, Parameter, Report, World, eventually};

fn addresses(count: usize) -> Vec<String> {
    (0..count).map(|number| format!("primalac{number}@bolnica.test")).collect()
}

/// Undoes quoted-printable as far as these tests look into a message.
pub fn readable(content: &str) -> String {
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

/// The subject as people read it: its words are in base64 of UTF-8 (RFC 2047).
fn subject_of(letter: &str) -> String {
    let head = letter.replace("\n ", " ");
    let subject = head.lines().find_map(|line| line.strip_prefix("Subject: ")).expect("a subject");
    let mut bytes = Vec::new();
    for word in subject.replace("?= =?utf-8?b?", "?==?utf-8?b?").split_inclusive("?=") {
        let (plain, encoded) = word.split_once("=?utf-8?b?").unwrap_or((word, ""));
        bytes.extend(plain.as_bytes());
        bytes.extend(STANDARD.decode(encoded.trim_end_matches("?=")).expect("base64"));
    }
    String::from_utf8(bytes).expect("UTF-8")
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
async fn a_report_is_mailed_in_its_requesters_name_and_replies_go_to_her() {
    let server = MailServer::healthy();
    let world = World::with_mail(&server).await;
    let email = "select set_config('app.worker', '1', false); update worker set email = 'zeljka@bolnica.test' where username = 'lekar'";
    sqlx::raw_sql(email).execute(&world.db.owner).await.unwrap();
    let report = world.report("proba", Report::default()).await;
    let _engine = world.engine(&[]);
    let mut run = world.new_run(report);
    run.emails = addresses(1);
    world.ask(run).await;
    let letter = eventually("the message comes", async || server.kept("primalac0@bolnica.test").pop()).await.content;
    let head = letter.replace("\n ", " ");
    let line = |name: &str| head.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("{name} in {head}")).to_owned();
    // "Željka Đurić putem Regix" and "Željka Đurić" as RFC 2047 writes them.
    assert!(line("From:").contains("=?utf-8?b?") && line("From:").ends_with("<regix@bolnica.test>"), "{}", line("From:"));
    assert!(line("Reply-To:").ends_with("<zeljka@bolnica.test>"), "{}", line("Reply-To:"));
    let text = readable(&letter);
    assert!(text.contains("Izveštaj šalje Željka Đurić putem aplikacije Regix. Odgovor na ovu poruku stiže pošiljaocu."), "{text}");
}

#[tokio::test]
async fn subject_text_and_file_name_are_as_the_installation_words_them() {
    let server = MailServer::healthy();
    let world = World::with_mail(&server).await;
    let report = world.report("proba", Report { attach: true, ..Report::default() }).await;
    let _engine = world.engine(&[]);
    let mailed = async |to: &str, parametri: serde_json::Value| {
        let mut run = world.new_run(report);
        (run.emails, run.parametri) = (vec![to.to_owned()], parametri);
        world.ask(run).await;
        let letter = eventually("the message comes", async || server.kept(to).pop()).await.content;
        (subject_of(&letter), readable(&letter))
    };
    let october = serde_json::json!({ "od": "2026-10-01", "do": "2026-10-31" });
    let (subject, usual) = mailed("prvi@bolnica.test", october.clone()).await;
    assert_eq!(subject, "Regix: Izveštaj proba – oktobar 2026.");
    assert!(usual.contains("Izveštaj „Izveštaj proba” je spreman."), "{usual}");
    assert!(usual.contains("filename=\"izvestaj-proba-2026-10.csv\""), "{usual}");

    let wordings = "select set_config('app.worker', '1', false);
                    update parameter set vrednost = '{izvestaj} / {period} / {posiljalac}' where naziv = 'izvestajNaslovPoruke';
                    update parameter set vrednost = E'Poštovani <svi>,\n{posiljalac} šalje „{izvestaj}” ({period}).' where naziv = 'izvestajTekstPoruke';
                    update parameter set vrednost = '{ustanova}_{izvestaj} {period}' where naziv = 'izvestajImeFajla';
                    update report set naziv = 'Ishod <b>đaka</b> &' where naziv = 'Izveštaj proba'";
    sqlx::raw_sql(wordings).execute(&world.db.owner).await.unwrap();
    let (subject, changed) = mailed("drugi@bolnica.test", october).await;
    assert_eq!(subject, "Ishod <b>đaka</b> & / oktobar 2026. / Željka Đurić");
    assert!(changed.contains("Poštovani <svi>,"), "{changed}");
    assert!(changed.contains("Željka Đurić šalje „Ishod <b>đaka</b> &” (oktobar 2026.)."), "{changed}");
    assert!(
        changed.contains("Poštovani &lt;svi&gt;,<br>Željka Đurić šalje „Ishod &lt;b&gt;đaka&lt;/b&gt; &amp;” (oktobar 2026.)."),
        "{changed}"
    );
    // A longer name goes over the wire in the form of RFC 2231, `filename*0=`.
    assert!(changed.contains("=\"klinika_ishod-b-djaka-b-2026-10.csv\""), "{changed}");
    let (subject, without) = mailed("treci@bolnica.test", serde_json::json!({})).await;
    assert_eq!(subject, "Ishod <b>đaka</b> & / Željka Đurić");
    assert!(without.contains("Željka Đurić šalje „Ishod <b>đaka</b> &”."), "{without}");
}

#[tokio::test]
async fn a_delivery_added_for_one_recipient_mails_that_one_once_more() {
    let server = MailServer::scripted(|stage, to, _| match (stage, to) {
        (crate::world::Stage::To, "primalac1@bolnica.test") => crate::world::Reply::Say("550 no such user"),
        _ => crate::world::Reply::Normal,
    });
    let world = World::with_mail(&server).await;
    let report = world.report("proba", Report::default()).await;
    let _engines = [world.engine(&[]), world.engine(&[])];
    let mut run = world.new_run(report);
    run.emails = addresses(3);
    let run = world.ask(run).await;
    let settled = async |count: usize| {
        eventually("all are settled", async || {
            let deliveries = world.deliveries(run).await;
            let over = deliveries.iter().filter(|delivery| matches!(delivery.status.as_str(), "sent" | "failed")).count();
            (over == count).then_some(())
        })
        .await;
    };
    settled(3).await;
    assert_eq!(server.receipts().len(), 2);
    let again = "insert into report_delivery (run_id, address, message_id, redni_broj) values ($1, $2, '<drugo.p2@bolnica.test>', 2)";
    sqlx::query(again).bind(run).bind("primalac0@bolnica.test").execute(&world.db.owner).await.unwrap();
    settled(4).await;
    let kept: Vec<usize> = (0..3).map(|number| server.kept(&format!("primalac{number}@bolnica.test")).len()).collect();
    assert_eq!(kept, [2, 0, 1]);
    let letters = server.kept("primalac0@bolnica.test");
    assert_ne!(letters[0].message_id(), letters[1].message_id(), "no mail server takes it for a repetition");
}

/// What was allowed when the report was ordered is asked again before each mail.
#[tokio::test]
async fn an_address_whose_domain_was_taken_off_the_list_gets_no_mail_and_the_delivery_says_why() {
    let server = MailServer::healthy();
    let world = World::with_mail(&server).await;
    let report = world.report("proba", Report::default()).await;
    let change = "select set_config('app.worker', '1', false);
                  update parameter set vrednost = 'bolnica.test' where naziv = 'izvestajDomeniPrimalaca';
                  update parameter set vrednost = '3' where naziv = 'izvestajNajvisePrimalaca'";
    let mut run = world.new_run(report);
    run.emails = ["prvi@bolnica.test", "drugi@lab.bolnica.test", "treci@posta.test", "cetvrti@bolnica.test"].map(str::to_owned).to_vec();
    sqlx::raw_sql(change).execute(&world.db.owner).await.unwrap();
    let _engine = world.engine(&[]);
    let run = world.ask(run).await;
    let deliveries = eventually("all are settled", async || {
        let deliveries = world.deliveries(run).await;
        (deliveries.len() == 4 && deliveries.iter().all(|delivery| matches!(delivery.status.as_str(), "sent" | "failed")))
            .then_some(deliveries)
    })
    .await;
    let told: Vec<_> =
        deliveries.iter().map(|one| (one.address.as_str(), one.status.as_str(), one.smtp_text.as_deref().unwrap_or(""))).collect();
    assert_eq!(
        told,
        [
            ("cetvrti@bolnica.test", "failed", "Preko dozvoljenog broja primalaca (3)."),
            ("drugi@lab.bolnica.test", "sent", "kept"),
            ("prvi@bolnica.test", "sent", "kept"),
            ("treci@posta.test", "failed", "Na domen „posta.test” izveštaji se više ne šalju."),
        ]
    );
    assert_eq!(server.receipts().len(), 2, "the refused ones were not even offered");
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
        run.emails = addresses(20);
        runs.push(world.ask(run).await);
    }
    eventually("all are sent", async || {
        (world.count("select count(*) from report_delivery where status = 'sent'").await == 60).then_some(())
    })
    .await;
    let mut ids: Vec<String> = server.receipts().iter().map(|receipt| receipt.message_id().to_owned()).collect();
    assert_eq!(ids.len(), 60);
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 60, "no message came twice");
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

/// A schedule of every day at seven, whose owner reads mail.
pub async fn scheduled(world: &World, report: i64, zone: &str) -> i64 {
    let owner = "select set_config('app.worker', '1', false); update worker set email = 'vlasnik@bolnica.test' where username = 'lekar'";
    sqlx::raw_sql(owner).execute(&world.db.owner).await.unwrap();
    sqlx::query_scalar(
        "insert into report_schedule (izvestaj_id, radnik_id, ustanova_id, ponavljanje, vreme_izvrsavanja_visetruko, period, vremenska_zona, formati)
         values ($1, $2, $3, 1, '07:00', 0, $4, '{CSV}') returning id",
    )
    .bind(report)
    .bind(world.radnik)
    .bind(world.ustanova)
    .bind(zone)
    .fetch_one(&world.db.owner)
    .await
    .unwrap()
}

#[tokio::test]
async fn the_owner_of_a_schedule_is_told_why_a_fire_made_no_report() {
    let server = MailServer::healthy();
    let world = World::with_mail(&server).await;
    let report = world.report("pokvaren", Report { sql: "select nema_je as a from report.ustanova", ..Report::default() }).await;
    let schedule = scheduled(&world, report, "America/New_York").await;
    let fires = "insert into report_run (id, izvestaj_id, radnik_id, ustanova_id, zakazivanje_id, fire_local, queue, formati, emails, status, error_text)
                 select gen_random_uuid(), $1, $2, $3, $4, day + time '07:00', 'scheduled', '{CSV}', '{drugi@bolnica.test}', status,
                        case status when 'skipped_paused' then 'Pauzirano posle 5 neuspelih izvršavanja zaredom.'
                                    when 'skipped_ended' then 'Izveštaj „Dnevni” više nije dostupan; zakazano generisanje je završeno.' end
                   from (values (date '2026-03-01', 'missed'), ('2026-03-02', 'missed'), ('2026-03-03', 'skipped_unauthorised'),
                                ('2026-03-04', 'queued'), ('2026-03-05', 'skipped_paused'), (null, 'skipped_ended')) f (day, status)";
    sqlx::query(fires).bind(report).bind(world.radnik).bind(world.ustanova).bind(schedule).execute(&world.db.owner).await.unwrap();
    let _engine = world.engine(&[]);
    let kept = eventually("five letters come", async || {
        let kept = server.kept("vlasnik@bolnica.test");
        (kept.len() == 5).then_some(kept)
    })
    .await;
    let letters: Vec<String> = kept.iter().map(|letter| readable(&letter.content)).collect();
    let about = |day: &str| letters.iter().find(|letter| letter.contains(day)).unwrap_or_else(|| panic!("{day}: {letters:?}"));
    about("Trebalo je da se izvrši: 01.03.2026. 07:00, America/New_York");
    let subjects: Vec<String> = kept.iter().map(|letter| subject_of(&letter.content)).collect();
    assert!(subjects.iter().any(|subject| subject.ends_with("je propušten (01.03.2026. 07:00, America/New_York)")), "{subjects:?}");
    assert!(subjects.iter().any(|subject| subject.ends_with("zakazani izveštaj je završen")), "no moment was planned: {subjects:?}");
    assert!(about("01.03.2026. 07:00").contains("je propušten") && about("01.03.2026. 07:00").contains("i još 1 zaredom"));
    assert!(about("03.03.2026. 07:00").contains("je odbijen"));
    let paused = about("05.03.2026. 07:00");
    assert!(paused.contains("je pauziran") && paused.contains("Pauzirano posle 5 neuspelih izvršavanja zaredom."), "{paused}");
    let ended = about("zakazano generisanje je završeno");
    assert!(ended.contains("je završen") && ended.contains("„Dnevni” više nije dostupan") && !ended.contains("Trebalo je"), "{ended}");
    let failed = about("04.03.2026. 07:00");
    assert!(failed.contains("nije uspeo") && failed.contains("Upit izveštaja nije uspeo."), "{failed}");
}

/// Whom a report would have reached learns that it does not come: once a fire, without a cause, a value or a way in, and not where the
/// installation sends nothing.
#[tokio::test]
async fn a_recipient_learns_of_a_report_that_does_not_come_and_nothing_of_what_is_in_it() {
    let server = MailServer::healthy();
    let world = World::with_mail(&server).await;
    let sql = "select nema_je as a from report.ustanova where :ime = 'x'";
    let report = world.report("pokvaren", Report { sql, ..Report::default() }).await;
    world.text_parameter(report, "ime").await;
    let schedule = scheduled(&world, report, "Europe/Belgrade").await;
    let limits = "select set_config('app.worker', '1', false); update parameter set vrednost = 'bolnica.test' where naziv = 'izvestajDomeniPrimalaca'";
    sqlx::raw_sql(limits).execute(&world.db.owner).await.unwrap();
    let fires = "insert into report_run (id, izvestaj_id, radnik_id, ustanova_id, zakazivanje_id, fire_local, queue, formati, emails, parametri, status, error_text)
                 select gen_random_uuid(), $1, $2, $3, $4, day + time '07:00', 'scheduled', '{CSV}',
                        '{primalac@bolnica.test,Vlasnik@bolnica.test,napolju@drugde.test}', '{\"ime\": \"Tajna Vrednost\"}', status,
                        case status when 'skipped_paused' then 'Pauzirano posle 5 neuspelih izvršavanja zaredom.' end
                   from (values (date '2026-03-01', 'missed'), ('2026-03-02', 'missed'), ('2026-03-03', 'skipped_unauthorised'),
                                ('2026-03-04', 'queued'), ('2026-03-05', 'skipped_paused'), (null, 'skipped_ended')) f (day, status)";
    sqlx::query(fires).bind(report).bind(world.radnik).bind(world.ustanova).bind(schedule).execute(&world.db.owner).await.unwrap();
    let failed = sqlx::query_scalar("select id from report_run where status = 'queued'").fetch_one(&world.db.owner).await.unwrap();
    let _engine = world.engine(&[]);
    world.end(failed).await;
    let kept = eventually("five letters come", async || {
        let kept = server.kept("primalac@bolnica.test");
        (kept.len() == 5).then_some(kept)
    })
    .await;
    let letters: Vec<String> = kept.iter().map(|letter| readable(&letter.content)).collect();
    for letter in &letters {
        assert!(letter.contains("koji je trebalo da dobijete, neće stići") && letter.contains("zakazao: Željka Đurić"), "{letter}");
        for private in ["Tajna", "Upit izveštaja", "nema_je", "Pauzirano posle 5", "https://regix.test"] {
            assert!(!letter.contains(private), "{private}: {letter}");
        }
    }
    let about = |text: &str| letters.iter().filter(|letter| letter.contains(text)).count();
    assert_eq!(about("Trebalo je da se napravi: 01.03.2026. 07:00, Europe/Belgrade (i još 1 zaredom)"), 1, "{letters:?}");
    assert_eq!((about("04.03.2026. 07:00"), about("Izveštaj nije mogao da se napravi.")), (1, 1), "{letters:?}");
    assert!(kept[0].content.contains("Reply-To:") && kept[0].content.contains("vlasnik@bolnica.test"), "a reply goes to who scheduled it");
    eventually("the address that is not allowed is refused", async || {
        (world.count("select count(*) from report_delivery where address like 'napolju%' and status = 'failed'").await == 5).then_some(())
    })
    .await;
    assert_eq!(server.kept("napolju@drugde.test").len(), 0);
    assert_eq!(server.kept("Vlasnik@bolnica.test").len(), 0, "who scheduled it has her own letter");
    assert_eq!(server.kept("vlasnik@bolnica.test").len(), 5);
}

#[tokio::test]
async fn the_owner_of_a_schedule_is_told_the_hour_by_the_zone_in_which_a_fire_was_due() {
    let server = MailServer::healthy();
    let world = World::with_mail(&server).await;
    let report = world.report("pokvaren", Report { sql: "select nema_je as a from report.ustanova", ..Report::default() }).await;
    let schedule = scheduled(&world, report, "America/New_York").await;
    let mut connection = world.db.app.acquire().await.unwrap();
    for (day, entry) in [(4, Entry::Queued), (5, Entry::Missed), (6, Entry::SkippedOverlap), (7, Entry::SkippedUnauthorised)] {
        let run = NewRun { queue: Queue::Scheduled, ..world.new_run(report) };
        let due = civil::date(2026, 3, day).at(7, 0, 0, 0);
        runs::insert_fire(&mut connection, &run, schedule, due, entry).await.unwrap().expect("a new moment");
    }
    // One of before fires had a zone of their own.
    let old = NewRun { queue: Queue::Scheduled, ..world.new_run(report) };
    let due = civil::date(2026, 3, 3).at(7, 0, 0, 0);
    runs::insert_fire(&mut connection, &old, schedule, due, Entry::Queued).await.unwrap();
    sqlx::query("update report_run set fire_zone = null where id = $1").bind(old.id).execute(&world.db.owner).await.unwrap();
    sqlx::query("update report_schedule set vremenska_zona = 'Asia/Tokyo' where id = $1")
        .bind(schedule)
        .execute(&world.db.owner)
        .await
        .unwrap();

    let _engine = world.engine(&[]);
    let kept = eventually("five letters come", async || {
        let kept = server.kept("vlasnik@bolnica.test");
        (kept.len() == 5).then_some(kept)
    })
    .await;
    let mut told: Vec<String> = kept
        .iter()
        .map(|letter| {
            let text = readable(&letter.content);
            let line = text.lines().find(|line| line.starts_with("Trebalo je da se izvrši: ")).expect("the moment").trim();
            format!("{line} | {}", subject_of(&letter.content))
        })
        .collect();
    told.sort();
    let line = |day: u8, outcome: &str, zone: &str| {
        format!(
            "Trebalo je da se izvrši: 0{day}.03.2026. 07:00, {zone} | Izveštaj pokvaren: zakazani izveštaj {outcome} (0{day}.03.2026. 07:00, {zone})"
        )
    };
    assert_eq!(
        told,
        [
            line(3, "nije uspeo", "Asia/Tokyo"),
            line(4, "nije uspeo", "America/New_York"),
            line(5, "je propušten", "America/New_York"),
            line(6, "je preskočen", "America/New_York"),
            line(7, "je odbijen", "America/New_York"),
        ]
    );
}

#[tokio::test]
async fn the_owner_of_a_refused_fire_is_told_its_one_cause_and_what_to_do_about_it() {
    let server = MailServer::healthy();
    let world = World::with_mail(&server).await;
    let report = world.report("odbijen", Report::default()).await;
    let schedule = scheduled(&world, report, "Europe/Belgrade").await;
    let causes = [
        ("no_right", "Vaš nalog više nema pravo „Izveštaji”.", "da vam vrati pravo"),
        ("not_of_institution", "Više niste radnik ustanove za koju se izveštaj pravi.", "Zakažite izveštaj za ustanovu u kojoj radite"),
        ("institution_inactive", "Ustanova za koju se izveštaj pravi više nije aktivna.", "Zakažite izveštaj za drugu ustanovu"),
        ("report_inactive", "Izveštaj je ugašen.", "ako vam izveštaj i dalje treba"),
    ];
    for (day, (code, text, _)) in (1..).zip(causes) {
        let fire = "insert into report_run (id, izvestaj_id, radnik_id, ustanova_id, zakazivanje_id, fire_local, queue, formati, status, error_code, error_text)
                    values (gen_random_uuid(), $1, $2, $3, $4, date '2026-03-01' + $5 + time '07:00', 'scheduled', '{CSV}', 'skipped_unauthorised', $6, $7)";
        let mut tx = world.db.owner.begin().await.unwrap();
        // One look at the schedules is told of in one letter: each of these is of a look of its own.
        let fire = sqlx::query(fire).bind(report).bind(world.radnik).bind(world.ustanova).bind(schedule).bind(day).bind(code).bind(text);
        fire.execute(&mut *tx).await.unwrap();
        tx.commit().await.unwrap();
    }
    let _engine = world.engine(&[]);
    let kept = eventually("four letters come", async || {
        let kept = server.kept("vlasnik@bolnica.test");
        (kept.len() == 4).then_some(kept)
    })
    .await;
    // Letters break their lines where they please.
    let letters: Vec<String> =
        kept.iter().map(|letter| readable(&letter.content).split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    for (_, text, advice) in causes {
        let [letter] = letters.iter().filter(|letter| letter.contains(text)).collect::<Vec<_>>()[..] else {
            panic!("one letter says {text}: {letters:?}")
        };
        assert!(letter.contains(advice), "{letter}");
        assert!(causes.iter().all(|(_, other, _)| *other == text || !letter.contains(other)), "{letter}");
    }
}

/// From the schedule that names its days by the day of asking to everything that its readers see: the data, the heading of each file,
/// the mail and the names of what is attached.
#[tokio::test]
async fn the_relative_days_of_a_schedule_are_read_as_dates_in_data_headings_subject_and_names() {
    let server = MailServer::healthy();
    let world = World::with_mail(&server).await;
    let sql = "select to_char(:od::date, 'YYYY-MM-DD') || ' do ' || to_char(:do::date, 'YYYY-MM-DD') as a";
    let report = world.report("mesecni", Report { sql, attach: true, ..Report::default() }).await;
    for request in ["od", "do"] {
        let kind = ParameterKind::Date;
        world.parameter(report, Parameter { kind, request, upit: None, multi: false, fixed: None, logged: false }).await;
    }
    let schedule = scheduled(&world, report, "Europe/Belgrade").await;
    // Due on the first of November by the clock of the zone, which is October still by the clock of the servers.
    let plan = r#"update report_schedule set formati = '{CSV,PDF,XLSX}', emails = '{citalac@bolnica.test}', vreme_izvrsavanja_visetruko = '00:30',
                      parametri = '{"od": {"dan": "pocetak-proslog-meseca"}, "do": {"dan": "kraj-proslog-meseca"}}',
                      parametri_opis = '[{"naziv": "Od dana", "vrednost": "", "dan": "pocetak-proslog-meseca"},
                                         {"naziv": "Do dana", "vrednost": "", "dan": "kraj-proslog-meseca"}]',
                      sledece_izvrsavanje = '2026-10-31T23:30:00Z', sledece_lokalno = '2026-11-01 00:30' where id = $1"#;
    let mut tx = domain::db::begin(&world.db.owner, world.radnik).await.unwrap();
    sqlx::query(plan).bind(schedule).execute(&mut *tx).await.unwrap();
    tx.commit().await.unwrap();
    let ticked = scheduler::fire::tick(&world.db.app, "2026-10-31T23:30:01Z".parse().unwrap()).await.unwrap();
    assert_eq!((ticked.fired, ticked.missed, ticked.refused), (1, 0, 0));
    let run = sqlx::query_scalar("select id from report_run where zakazivanje_id = $1").bind(schedule).fetch_one(&world.db.owner);
    let run = run.await.unwrap();
    let _engine = world.engine(&[]);
    let ended = world.end(run).await;
    assert_eq!(ended.status, "succeeded", "{ended:?}");

    let lines = ["Od dana: 01.10.2026. (početak prošlog meseca)", "Do dana: 31.10.2026. (kraj prošlog meseca)"];
    for (format, content) in world.files(run).await {
        let path = world.folder.path().join(format!("procitano.{}", format.to_lowercase()));
        std::fs::write(&path, &content).unwrap();
        let text = match format.as_str() {
            "CSV" => {
                assert!(String::from_utf8(content).unwrap().contains("2026-10-01 do 2026-10-31"));
                continue;
            }
            "PDF" => {
                let shown = Command::new("pdftotext").arg("-layout").arg(&path).arg("-").output().expect("pdftotext");
                String::from_utf8(shown.stdout).unwrap()
            }
            _ => {
                let mut book: Xlsx<_> = open_workbook(&path).expect("a workbook");
                let cells = book.worksheet_range("Izveštaj").expect("the sheet");
                cells.rows().flatten().filter(|cell| **cell != Data::Empty).map(|cell| format!("{cell}\n")).collect()
            }
        };
        let words: Vec<String> = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
        for line in lines {
            assert!(words.iter().any(|found| found.contains(line)), "{line} in the {format}: {words:?}");
        }
    }
    let letter = eventually("the message comes", async || server.kept("citalac@bolnica.test").pop()).await.content;
    assert_eq!(subject_of(&letter), "Regix: Izveštaj mesecni – oktobar 2026.");
    let text = readable(&letter);
    for ending in ["csv", "pdf", "xlsx"] {
        assert!(text.contains(&format!("filename=\"izvestaj-mesecni-2026-10.{ending}\"")), "{ending}: {text}");
    }
}

/// A question to the world's worker, an answer to hers, and letters of two days about them.
const ASKED: &str = "update worker set email = 'zeljka@bolnica.test' where username = 'lekar';
    insert into register (naziv) values ('Registar bolesti');
    insert into form (registar_id, naziv) select id, 'Pregled zglobova' from register where naziv = 'Registar bolesti';
    insert into entry (pacijent_id, registar_id, tsa_id, datum_unosa, ustanova_id, radnik_odgovoran_id)
    select p.id, r.id, f.id, today() - 100, p.ustanova_id, w.id
      from patient p, register r join form f on f.registar_id = r.id, worker w where w.username = 'lekar';
    insert into question (unos_id, pacijent_id, ustanova_id, poreklo, dodeljen_id)
    select e.id, e.pacijent_id, e.ustanova_id, 'nadzor', e.radnik_odgovoran_id from entry e;
    insert into question (unos_id, pacijent_id, ustanova_id, poreklo, dodeljen_id, radnik_id)
    select e.id, e.pacijent_id, e.ustanova_id, 'kolega', 1, e.radnik_odgovoran_id from entry e, generate_series(1, 2);
    insert into question_message (upit_id, vrsta, tekst, stanje, dodeljen_id) select id, 'pitanje', 'Tajanstven puls?', 'otvoren', dodeljen_id from question;
    insert into question_message (upit_id, vrsta, tekst, stanje, dodeljen_id) select id, 'odgovor', 'Tačno je.', 'otvoren', 1 from question where poreklo = 'kolega'";

const LETTER: &str = "with letter as (insert into question_letter (radnik_id, ustanova_id, dan)
        select $1, $2, today() - (select count(*) from question_letter)::int returning id)
    insert into report_delivery (upiti_id, address, message_id) select id, 'zeljka@bolnica.test', '<upiti.' || id || '@regix>' from letter
    returning upiti_id";

#[tokio::test]
async fn a_letter_about_questions_counts_them_and_says_nothing_of_them() {
    let server = MailServer::healthy();
    let world = World::with_mail(&server).await;
    world.patient("0101990715018").await;
    let write = async |sql: &'static str| {
        let mut tx = domain::db::begin(&world.db.owner, domain::db::SYSTEM_WORKER).await.unwrap();
        sqlx::raw_sql(sql).execute(&mut *tx).await.unwrap();
        tx.commit().await.unwrap();
    };
    write(ASKED).await;
    let letter =
        async || -> i64 { sqlx::query_scalar(LETTER).bind(world.radnik).bind(world.ustanova).fetch_one(&world.db.owner).await.unwrap() };
    let ended = async |letter: i64| {
        eventually("the letter ends", async || {
            let status: String = sqlx::query_scalar("select status from report_delivery where upiti_id = $1")
                .bind(letter)
                .fetch_one(&world.db.owner)
                .await
                .unwrap();
            ["sent", "failed"].contains(&status.as_str()).then_some(status)
        })
        .await
    };
    let first = letter().await;
    let engine = world.engine(&[]);
    assert_eq!(ended(first).await, "sent");
    let content = server.kept("zeljka@bolnica.test").pop().expect("the letter").content;
    assert_eq!(subject_of(&content), "Regix: čekaju vas upiti (Klinika)");
    let text = readable(&content);
    for said in
        ["https://regix.test/mojiUpiti", "Treba da odgovorite: 1", "Odgovoreno na vaša pitanja: 2", "Auto-Submitted: auto-generated"]
    {
        assert!(text.contains(said), "{said} in {text}");
    }
    for kept in ["Ana", "Anić", "0101990715018", "puls", "zglobova", "Registar bolesti"] {
        assert!(!text.contains(kept), "{kept} in {text}");
    }
    let log = "select count(*) from audit_log where klasa = 'question_letter' and akcija = 'slanje e-maila o upitima'";
    assert_eq!(world.count(log).await, 1);

    // What holds when it is sent decides: whoever wants none any more, or opens no patients, or has nothing waiting gets none.
    for (off, on) in [
        ("insert into worker_start (radnik_id, javi_upite) select id, false from worker", "update worker_start set javi_upite = true"),
        ("update role set pacijenti = 'ne'", "update role set pacijenti = 'uvid'"),
        ("update worker set aktivan = false where username = 'lekar'", "update worker set aktivan = true where username = 'lekar'"),
        ("update entry set aktivan = false", "update entry set aktivan = true"),
    ] {
        write(off).await;
        assert_eq!(ended(letter().await).await, "failed", "{off}");
        write(on).await;
    }
    assert_eq!(server.kept("zeljka@bolnica.test").len(), 1);
    assert!(!engine.log().contains("zeljka"), "addresses are not logged");
}
