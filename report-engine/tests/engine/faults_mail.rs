//! Mail servers that refuse, stall and vanish, and senders that die: nobody gets a message twice without need, the others
//! get theirs.

use std::{
    collections::HashSet,
    sync::{Arc, Mutex},
};

use uuid::Uuid;

use crate::world::{Delivery, MailServer, Reply, Report, Stage, World, eventually};

async fn ask(world: &World, to: &[&str]) -> Uuid {
    let mut run = world.new_run(world.report("proba", Report::default()).await);
    run.emails = to.iter().map(|address| (*address).to_owned()).collect();
    world.ask(run).await
}

async fn until(world: &World, run: Uuid, what: &str, settled: impl Fn(&Delivery) -> bool) -> Vec<Delivery> {
    eventually(what, async || {
        let deliveries = world.deliveries(run).await;
        (!deliveries.is_empty() && deliveries.iter().all(&settled)).then_some(deliveries)
    })
    .await
}

fn over(delivery: &Delivery) -> bool {
    matches!(delivery.status.as_str(), "sent" | "failed")
}

#[tokio::test]
async fn one_refused_recipient_of_three_costs_the_others_nothing() {
    let server = MailServer::scripted(|stage, to, _| match (stage, to) {
        (Stage::To, "nema@bolnica.test") => Reply::Say("550 5.1.1 no such user"),
        _ => Reply::Normal,
    });
    let world = World::with_mail(&server).await;
    let _engine = world.engine(&[]);
    let run = ask(&world, &["ana@bolnica.test", "nema@bolnica.test", "vera@bolnica.test"]).await;
    let deliveries = until(&world, run, "all are settled", over).await;
    let states: Vec<_> = deliveries.iter().map(|delivery| (delivery.status.as_str(), delivery.smtp_code, delivery.attempts)).collect();
    assert_eq!(states, [("sent", Some(250), 1), ("failed", Some(550), 1), ("sent", Some(250), 1)]);
    assert!(deliveries[1].smtp_text.as_deref().is_some_and(|text| text.contains("no such user")), "the reason is kept");
    assert_eq!(server.receipts().len(), 2);
}

/// Each of these takes nothing at its first connection and everything afterwards.
#[tokio::test]
#[ignore = "long: waits for a mail server that is silent at each step"]
async fn whatever_happens_before_the_final_dot_is_tried_again_until_it_works() {
    let troubles = [
        (Stage::Greeting, Reply::Say("421 busy")),
        (Stage::Greeting, Reply::Say("554 not now")),
        (Stage::Greeting, Reply::Silence),
        (Stage::Greeting, Reply::Close),
        (Stage::Hello, Reply::Silence),
        (Stage::From, Reply::Say("451 greylisted")),
        (Stage::From, Reply::Silence),
        (Stage::To, Reply::Say("450 mailbox busy")),
        (Stage::To, Reply::Silence),
        (Stage::To, Reply::Close),
        (Stage::Data, Reply::Say("452 no room")),
        (Stage::Data, Reply::Silence),
        (Stage::Dot, Reply::Say("451 local error")),
    ];
    let trouble: Arc<Mutex<Option<(Stage, Reply)>>> = Arc::default();
    let armed = trouble.clone();
    let server = MailServer::scripted(move |stage, _, _| {
        let mut armed = armed.lock().unwrap();
        match armed.take() {
            Some((at, reply)) if at == stage => reply,
            other => {
                *armed = other;
                Reply::Normal
            }
        }
    });
    let world = World::with_mail(&server).await;
    let _engine = world.engine(&[]);
    for (number, (stage, reply)) in troubles.into_iter().enumerate() {
        *trouble.lock().unwrap() = Some((stage, reply.clone()));
        let to = format!("r{number}@bolnica.test");
        let run = ask(&world, &[&to]).await;
        let delivery = until(&world, run, &format!("{stage:?} {reply:?} is overcome"), over).await.remove(0);
        assert_eq!((delivery.status.as_str(), delivery.doubts), ("sent", 0), "{stage:?} {reply:?}: {delivery:?}");
        assert!(delivery.attempts >= 2, "{stage:?} {reply:?} was met: {delivery:?}");
        assert_eq!(server.kept(&to).len(), 1, "{stage:?} {reply:?}");
    }
}

#[tokio::test]
async fn a_refusal_after_the_message_is_final_when_the_server_says_so() {
    let server = MailServer::scripted(|stage, _, _| if stage == Stage::Dot { Reply::Say("552 too large") } else { Reply::Normal });
    let world = World::with_mail(&server).await;
    let _engine = world.engine(&[]);
    let run = ask(&world, &["ana@bolnica.test"]).await;
    let delivery = until(&world, run, "it is settled", over).await.remove(0);
    assert_eq!((delivery.status.as_str(), delivery.smtp_code, delivery.attempts), ("failed", Some(552), 1));
}

/// The server has taken the message and says nothing, or hangs up: nobody can know. It is repeated once, as the same message.
#[tokio::test]
async fn silence_after_the_final_dot_is_a_doubt_and_repeated_once() {
    let troubled = Mutex::new(HashSet::new());
    let server = MailServer::scripted(move |stage, to, _| {
        if stage != Stage::Dot || !troubled.lock().unwrap().insert(to.to_owned()) {
            return Reply::Normal;
        }
        if to.starts_with("tih") { Reply::Silence } else { Reply::Close }
    });
    let world = World::with_mail(&server).await;
    let _engine = world.engine(&[("ENGINE_SMTP_TIMEOUT_SECONDS", "1")]);
    let run = ask(&world, &["prekid@bolnica.test", "tih@bolnica.test"]).await;
    let deliveries = until(&world, run, "the repetitions are through", over).await;
    for delivery in deliveries {
        assert_eq!((delivery.status.as_str(), delivery.doubts), ("sent", 1), "{delivery:?}");
        let kept = server.kept(&delivery.address);
        assert_eq!(kept.len(), 2, "{delivery:?}");
        assert_eq!(kept[0].message_id(), kept[1].message_id(), "a mail system can tell the repetition");
    }
}

#[tokio::test]
async fn a_second_doubt_stays_a_doubt_and_nothing_more_is_sent() {
    let server = MailServer::scripted(|stage, _, _| if stage == Stage::Dot { Reply::Close } else { Reply::Normal });
    let world = World::with_mail(&server).await;
    let _engine = world.engine(&[]);
    let run = ask(&world, &["ana@bolnica.test"]).await;
    until(&world, run, "the second doubt is recorded", |delivery| delivery.doubts == 2).await;
    let waiting = "select count(*) from report_delivery where status = 'uncertain' and next_attempt_at = 'infinity'";
    assert_eq!(world.count(waiting).await, 1, "it is due never again");
    assert_eq!(server.receipts().len(), 2);
}

/// The sender dies after the server has said 250 and before that is written.
#[tokio::test]
async fn a_sender_killed_after_the_message_went_out_costs_at_most_one_repetition() {
    let server = MailServer::healthy();
    let world = World::with_mail(&server).await;
    let first = world.engine(&[("ENGINE_FAILPOINT", "mail-sent"), ("ENGINE_SMTP_TIMEOUT_SECONDS", "0.5")]);
    let run = ask(&world, &["ana@bolnica.test"]).await;
    first.says("failpoint mail-sent reached").await;
    first.kill();
    assert_eq!(server.kept("ana@bolnica.test").len(), 1);
    let _second = world.engine(&[]);
    let delivery = until(&world, run, "it is settled", over).await.remove(0);
    assert_eq!((delivery.status.as_str(), delivery.doubts), ("sent", 1), "{delivery:?}");
    let kept = server.kept("ana@bolnica.test");
    assert_eq!(kept.len(), 2);
    assert_eq!(kept[0].message_id(), kept[1].message_id());
}

/// The sender dies when the server is ready for the message: whether it went out is not known to the next one.
#[tokio::test]
async fn a_sender_killed_before_anything_went_out_loses_no_message() {
    let server = MailServer::healthy();
    let world = World::with_mail(&server).await;
    let first = world.engine(&[("ENGINE_FAILPOINT", "mail-data"), ("ENGINE_SMTP_TIMEOUT_SECONDS", "0.5")]);
    let run = ask(&world, &["ana@bolnica.test"]).await;
    first.says("failpoint mail-data reached").await;
    first.kill();
    assert_eq!(server.receipts().len(), 0);
    let _second = world.engine(&[]);
    let delivery = until(&world, run, "it is settled", over).await.remove(0);
    assert_eq!(delivery.status, "sent");
    assert_eq!(server.kept("ana@bolnica.test").len(), 1);
}

#[tokio::test]
async fn a_server_that_never_answers_is_given_up_after_a_day_of_attempts() {
    let world = World::new().await;
    // Nobody listens there; the schedule of a day passes in a moment.
    let _engine = world.engine(&[("ENGINE_MAIL_DELAY_SCALE", "0.000001"), ("ENGINE_POLL_SECONDS", "0.05")]);
    let run = ask(&world, &["ana@bolnica.test"]).await;
    let delivery = until(&world, run, "it is given up", over).await.remove(0);
    assert_eq!((delivery.status.as_str(), delivery.attempts, delivery.smtp_code), ("failed", 10, None), "{delivery:?}");
    assert!(delivery.smtp_text.is_some_and(|text| text.contains("prekinuta")));
}

/// Where encryption is demanded, a server without it gets nothing at all.
#[tokio::test]
async fn nothing_is_said_in_the_clear_where_encryption_is_required() {
    let server = MailServer::healthy();
    let world = World::with_mail(&server).await;
    let _engine = world.engine(&[("SMTP_URL", &format!("{}?tls=required", server.url())), ("ENGINE_MAIL_DELAY_SCALE", "0.000001")]);
    let run = ask(&world, &["ana@bolnica.test"]).await;
    let delivery = until(&world, run, "it is given up", over).await.remove(0);
    assert_eq!((delivery.status.as_str(), delivery.smtp_code), ("failed", None), "{delivery:?}");
    assert_eq!(server.receipts().len(), 0);
}
