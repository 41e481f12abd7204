//! One schedule, one look.

use domain::{access::cases::CASES, recurrence::RuleColumns};
use jiff::ToSpan;
use scheduler::fire::{FireCounts, tick};

use crate::support::{Yard, at, daily, local, locals, once};

/// 07:00 in Belgrade.
const MORNING: &str = "2026-11-20T06:00:00Z";

#[tokio::test]
async fn a_due_schedule_becomes_a_run_and_waits_for_its_next_time() {
    let yard = Yard::new().await;
    let schedule = yard.schedule(&daily("07:00"), at(MORNING) - 1.hour()).await;
    assert_eq!(tick(&yard.db.app, at(MORNING) - 1.second()).await.unwrap(), FireCounts::default());
    assert_eq!(tick(&yard.db.app, at(MORNING)).await.unwrap(), FireCounts { fired: 1, ..FireCounts::default() });
    assert_eq!(yard.fires(schedule).await, [("2026-11-20 07:00".into(), "queued".into())]);
    assert_eq!(yard.next(schedule).await, (Some(at("2026-11-21T06:00:00Z")), true));
    assert_eq!(tick(&yard.db.app, at(MORNING)).await.unwrap(), FireCounts::default());

    let copied = "select count(*) from report_run r join report_schedule s on s.id = r.zakazivanje_id
                   where r.queue = 'scheduled' and (r.izvestaj_id, r.radnik_id, r.ustanova_id, r.parametri, r.formati, r.emails)
                       = (s.izvestaj_id, s.radnik_id, s.ustanova_id, s.parametri, s.formati, s.emails)";
    assert_eq!(yard.count(copied).await, 1);
}

/// Workers and groups are those of the fire, not of the day when the schedule was made.
#[tokio::test]
async fn a_fire_reaches_whom_the_chosen_workers_and_groups_are_then() {
    let yard = Yard::new().await;
    let schedule = yard.schedule(&daily("07:00"), at(MORNING) - 1.hour()).await;
    yard.administer(
        "with made as (insert into worker (username, ime, prezime, ustanova_id, email)
                       select n, n, 'Test', $1, n || '@kcs.rs' from unnest(array['mika', 'pera', 'zika']) n returning id, username),
              grupa as (insert into recipient_group (naziv, radnici, emails)
                        select 'Kolegijum', array_agg(id) filter (where username = 'pera'), '{sef@kcs.rs,A@B.RS}' from made returning id)
         update report_schedule set grupe = (select array_agg(id) from grupa),
                primaoci = (select array_agg(id order by username) from made where username <> 'pera')",
        yard.institution,
    )
    .await;
    let reached = async || -> Vec<String> {
        sqlx::query_scalar("select emails from report_run order by fire_local desc limit 1").fetch_one(&yard.db.owner).await.unwrap()
    };
    assert_eq!(tick(&yard.db.app, at(MORNING)).await.unwrap().fired, 1);
    assert_eq!(reached().await, ["a@b.rs", "mika@kcs.rs", "zika@kcs.rs", "sef@kcs.rs", "pera@kcs.rs"]);
    assert_eq!(yard.count("select count(*) from report_recipient where radnik_id is not null").await, 3, "who was meant is kept");

    // One has no account any more, one has left, and the group has changed.
    yard.administer("update report_run set status = 'succeeded', finished_at = now() where zakazivanje_id = $1", schedule).await;
    yard.administer("update worker set aktivan = false where username = 'mika' and $1 > 0", schedule).await;
    yard.administer("update worker set ustanova_id = null where username = 'zika' and $1 > 0", schedule).await;
    yard.administer("update recipient_group set emails = '{novi@kcs.rs}' where $1 > 0", schedule).await;
    assert_eq!(tick(&yard.db.app, at(MORNING) + 24.hours()).await.unwrap().fired, 1);
    assert_eq!(reached().await, ["a@b.rs", "novi@kcs.rs", "pera@kcs.rs"]);
}

#[tokio::test]
async fn a_day_that_moves_is_that_of_the_planned_fire_in_the_zone_of_the_schedule() {
    let yard = Yard::new().await;
    // The last evening of the month in New York is the first day of the next one in Belgrade.
    let evening = RuleColumns { vremenska_zona: "America/New_York".to_owned(), ..daily("22:00") };
    let schedule = yard.schedule(&evening, at("2026-11-30T12:00:00Z")).await;
    yard.administer(
        r#"update report_schedule set parametri = '{"od": {"dan": "pocetak-meseca"}, "opis": "danas"}',
                  parametri_opis = '[{"naziv": "Od", "vrednost": "početak ovog meseca", "dan": "pocetak-meseca"}]' where id = $1"#,
        schedule,
    )
    .await;
    assert_eq!(tick(&yard.db.app, at("2026-12-01T09:00:00Z")).await.unwrap().fired, 1);
    let (values, described): (serde_json::Value, serde_json::Value) =
        sqlx::query_as("select parametri, parametri_opis from report_run").fetch_one(&yard.db.owner).await.unwrap();
    assert_eq!(values, serde_json::json!({ "od": "2026-11-01", "opis": "danas" }));
    assert_eq!(described[0]["vrednost"], "01.11.2026. (početak ovog meseca)");
    assert_eq!(yard.count(r#"select count(*) from report_schedule where parametri -> 'od' ->> 'dan' = 'pocetak-meseca'"#).await, 1);
}

#[tokio::test]
async fn a_fire_keeps_the_zone_in_which_it_was_due_when_its_schedule_moves_to_another_one() {
    let yard = Yard::new().await;
    let morning = RuleColumns { vremenska_zona: "Asia/Kolkata".to_owned(), ..daily("07:00") };
    let schedule = yard.schedule(&morning, at("2026-11-17T12:00:00Z")).await;
    // Two days were slept through.
    assert_eq!(tick(&yard.db.app, at("2026-11-20T01:31:00Z")).await.unwrap(), FireCounts { fired: 1, missed: 2, refused: 0 });
    yard.administer("update report_schedule set vremenska_zona = 'America/New_York' where id = $1", schedule).await;
    let kept: Vec<(String, Option<String>)> =
        sqlx::query_as("select to_char(fire_local, 'DD HH24:MI'), fire_zone from report_run where zakazivanje_id = $1 order by fire_local")
            .bind(schedule)
            .fetch_all(&yard.db.owner)
            .await
            .unwrap();
    let due = |moment: &str| (moment.to_owned(), Some("Asia/Kolkata".to_owned()));
    assert_eq!(kept, [due("18 07:00"), due("19 07:00"), due("20 07:00")]);
}

#[tokio::test]
async fn after_five_days_of_downtime_the_newest_fire_runs_and_four_are_missed() {
    let yard = Yard::new().await;
    let schedule = yard.schedule(&daily("07:00"), at("2026-11-15T12:00:00Z")).await;
    let back = at("2026-11-20T09:30:00Z");
    assert_eq!(tick(&yard.db.app, back).await.unwrap(), FireCounts { fired: 1, missed: 4, refused: 0 });
    let fires = yard.fires(schedule).await;
    assert_eq!(fires.iter().map(|(_, status)| status.as_str()).collect::<Vec<_>>(), ["missed", "missed", "missed", "missed", "queued"]);
    assert_eq!(locals(&fires)[4], "2026-11-20 07:00");
    assert_eq!(yard.next(schedule).await, (Some(at("2026-11-21T06:00:00Z")), true));
}

#[tokio::test]
async fn after_a_restoration_nothing_planned_before_it_becomes_a_run() {
    let yard = Yard::new().await;
    let schedule = yard.schedule(&daily("07:00"), at(MORNING) - 1.hour()).await;
    yard.administer("insert into restoration (vreme, kopija_od) select '2026-11-20T08:00:00Z', now() where $1 > 0", schedule).await;
    assert_eq!(tick(&yard.db.app, at("2026-11-20T08:01:00Z")).await.unwrap(), FireCounts { missed: 1, ..FireCounts::default() });
    assert_eq!(tick(&yard.db.app, at("2026-11-21T06:00:00Z")).await.unwrap(), FireCounts { fired: 1, ..FireCounts::default() });
    let fires = yard.fires(schedule).await;
    assert_eq!(fires.iter().map(|(_, status)| status.as_str()).collect::<Vec<_>>(), ["missed", "queued"]);
}

#[tokio::test]
async fn a_fire_more_than_a_day_old_is_missed() {
    let yard = Yard::new().await;
    let weekly = RuleColumns { period: Some(1), dan_nedelja: vec![2], ..daily("07:00") };
    let schedule = yard.schedule(&weekly, at("2026-11-15T12:00:00Z")).await;
    assert_eq!(tick(&yard.db.app, at("2026-11-17T06:00:01Z")).await.unwrap(), FireCounts { missed: 1, ..FireCounts::default() });
    assert_eq!(yard.fires(schedule).await, [("2026-11-16 07:00".into(), "missed".into())]);
    assert_eq!(yard.next(schedule).await.0, Some(at("2026-11-23T06:00:00Z")));
}

#[tokio::test]
async fn a_single_execution_fires_and_is_over() {
    let yard = Yard::new().await;
    let schedule = yard.schedule(&once("2026-11-20T07:00"), at(MORNING) - 1.hour()).await;
    assert_eq!(tick(&yard.db.app, at(MORNING)).await.unwrap().fired, 1);
    assert_eq!(yard.next(schedule).await, (None, false));
}

#[tokio::test]
async fn a_single_execution_missed_in_downtime_fires_on_return_within_a_day() {
    let yard = Yard::new().await;
    let soon = yard.schedule(&once("2026-11-20T07:00"), at(MORNING) - 1.hour()).await;
    let late = yard.schedule(&once("2026-11-19T06:00"), at(MORNING) - 48.hours()).await;
    assert_eq!(tick(&yard.db.app, at(MORNING) + 23.hours()).await.unwrap(), FireCounts { fired: 1, missed: 1, refused: 0 });
    assert_eq!(yard.fires(soon).await, [("2026-11-20 07:00".into(), "queued".into())]);
    assert_eq!(yard.fires(late).await, [("2026-11-19 06:00".into(), "missed".into())]);
    assert_eq!(yard.next(late).await, (None, false));
}

#[tokio::test]
async fn the_last_day_of_validity_fires_and_ends_the_schedule() {
    let yard = Yard::new().await;
    let until_today = RuleColumns { vazi_do: Some("2026-11-20".parse().unwrap()), ..daily("07:00") };
    let schedule = yard.schedule(&until_today, at(MORNING) - 1.hour()).await;
    assert_eq!(tick(&yard.db.app, at(MORNING)).await.unwrap().fired, 1);
    assert_eq!(yard.next(schedule).await, (None, false));
}

#[tokio::test]
async fn a_fire_inside_the_spring_gap_keeps_its_nominal_time() {
    let yard = Yard::new().await;
    let schedule = yard.schedule(&daily("02:30"), at("2027-03-27T12:00:00Z")).await;
    assert_eq!(tick(&yard.db.app, at("2027-03-28T01:29:59Z")).await.unwrap().fired, 0);
    assert_eq!(tick(&yard.db.app, at("2027-03-28T01:30:00Z")).await.unwrap().fired, 1);
    assert_eq!(locals(&yard.fires(schedule).await), ["2027-03-28 02:30"]);
}

#[tokio::test]
async fn a_fire_that_finds_the_previous_run_open_is_skipped_visibly() {
    let yard = Yard::new().await;
    let schedule = yard.schedule(&daily("07:00"), at(MORNING) - 1.hour()).await;
    tick(&yard.db.app, at(MORNING)).await.unwrap();
    assert_eq!(tick(&yard.db.app, at(MORNING) + 24.hours()).await.unwrap(), FireCounts { refused: 1, ..FireCounts::default() });
    sqlx::query("update report_run set status = 'succeeded', finished_at = now()").execute(&yard.db.owner).await.unwrap();
    assert_eq!(tick(&yard.db.app, at(MORNING) + 48.hours()).await.unwrap().fired, 1);
    let statuses: Vec<_> = yard.fires(schedule).await.into_iter().map(|(_, status)| status).collect();
    assert_eq!(statuses, ["succeeded", "succeeded", "queued"]);
}

fn told(code: &str, text: &str) -> (Option<String>, Option<String>) {
    (Some(code.to_owned()), Some(text.to_owned()))
}

#[tokio::test]
async fn a_schedule_fires_for_whom_the_rule_of_all_programs_lets() {
    for case in CASES {
        let yard = Yard::new().await;
        let schedule = yard.schedule(&daily("07:00"), at(MORNING) - 1.hour()).await;
        case.lay_out(&yard.db.owner, yard.worker, yard.institution).await.unwrap();
        let ticked = tick(&yard.db.app, at(MORNING)).await.unwrap();
        let (expected, status) = if case.reports {
            (FireCounts { fired: 1, ..FireCounts::default() }, "queued")
        } else {
            (FireCounts { refused: 1, ..FireCounts::default() }, "skipped_unauthorised")
        };
        assert_eq!(ticked, expected, "{}", case.who);
        assert_eq!(yard.fires(schedule).await, [("2026-11-20 07:00".into(), status.into())], "{}", case.who);
        assert!(yard.next(schedule).await.1, "{}: the schedule stays, should the right come back", case.who);
        let told = match case.who {
            _ if case.reports => (None, None),
            "whose account is deleted" => told("account_inactive", "Vaš nalog više nije aktivan."),
            "of an institution that is gone" => told("institution_inactive", "Ustanova za koju se izveštaj pravi više nije aktivna."),
            "who has left the institution" => told("not_of_institution", "Više niste radnik ustanove za koju se izveštaj pravi."),
            _ => told("no_right", "Vaš nalog više nema pravo „Izveštaji”."),
        };
        assert_eq!(yard.reason(schedule).await, told, "{}", case.who);
    }
}

#[tokio::test]
async fn a_schedule_of_a_deleted_report_gets_a_refused_row_instead_of_a_run() {
    let yard = Yard::new().await;
    let schedule = yard.schedule(&daily("07:00"), at(MORNING) - 1.hour()).await;
    yard.administer("update report set aktivan = false where id = $1", yard.report).await;
    assert_eq!(tick(&yard.db.app, at(MORNING)).await.unwrap(), FireCounts { refused: 1, ..FireCounts::default() });
    assert_eq!(yard.fires(schedule).await, [("2026-11-20 07:00".into(), "skipped_unauthorised".into())]);
    assert_eq!(yard.reason(schedule).await, told("report_inactive", "Izveštaj je ugašen."));
}

#[tokio::test]
async fn a_deleted_schedule_does_not_fire() {
    let yard = Yard::new().await;
    let schedule = yard.schedule(&daily("07:00"), at(MORNING) - 1.hour()).await;
    yard.administer("update report_schedule set aktivan = false where id = $1", schedule).await;
    assert_eq!(tick(&yard.db.app, at(MORNING)).await.unwrap(), FireCounts::default());
}

#[tokio::test]
async fn a_schedule_that_cannot_be_handled_does_not_stop_the_others() {
    let yard = Yard::new().await;
    let broken = yard.schedule(&daily("06:00"), at(MORNING) - 3.hours()).await;
    let sound = yard.schedule(&daily("07:00"), at(MORNING) - 1.hour()).await;
    let refuse = format!(
        "create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$;
         create trigger refuse before insert on report_run for each row when (new.zakazivanje_id = {broken}) execute function refuse()"
    );
    sqlx::raw_sql(sqlx::AssertSqlSafe(refuse)).execute(&yard.db.owner).await.unwrap();
    assert_eq!(tick(&yard.db.app, at(MORNING)).await.unwrap().fired, 1);
    assert_eq!(yard.fires(sound).await.len(), 1);
    sqlx::raw_sql("drop trigger refuse on report_run").execute(&yard.db.owner).await.unwrap();
    assert_eq!(tick(&yard.db.app, at(MORNING)).await.unwrap().fired, 1);
    assert_eq!(yard.fires(broken).await.len(), 1);
}

#[tokio::test]
async fn an_edit_in_progress_is_waited_for_and_then_obeyed() {
    let yard = Yard::new().await;
    let schedule = yard.schedule(&daily("07:00"), at(MORNING) - 1.hour()).await;
    let mut edit = yard.db.owner.begin().await.unwrap();
    sqlx::query("select 1 from report_schedule where id = $1 for update").bind(schedule).execute(&mut *edit).await.unwrap();
    assert_eq!(tick(&yard.db.app, at(MORNING)).await.unwrap(), FireCounts::default());
    let later = "update report_schedule set vreme_izvrsavanja_visetruko = '09:00', sledece_izvrsavanje = '2026-11-20T08:00Z',
                     sledece_lokalno = '2026-11-20 09:00' where id = $1";
    sqlx::query(later).bind(schedule).execute(&mut *edit).await.unwrap();
    edit.commit().await.unwrap();
    assert_eq!(tick(&yard.db.app, at(MORNING)).await.unwrap(), FireCounts::default());
    assert_eq!(tick(&yard.db.app, at("2026-11-20T08:00:00Z")).await.unwrap().fired, 1);
    assert_eq!(locals(&yard.fires(schedule).await), ["2026-11-20 09:00"]);
}

#[tokio::test]
async fn an_edit_that_races_with_its_fire_is_never_lost() {
    let yard = Yard::new().await;
    let edited = (Some(at("2026-11-21T08:00:00Z")), true);
    for round in 0..40 {
        let due = domain::recurrence::Fire { at: at(MORNING), local: local("2026-11-20T07:00") };
        let schedule = yard.schedule_with_next(&daily("07:00"), due).await;
        let edit = async {
            for _ in 0..round % 8 {
                tokio::task::yield_now().await;
            }
            let mut tx = yard.db.owner.begin().await.unwrap();
            sqlx::query("select 1 from report_schedule where id = $1 for update").bind(schedule).execute(&mut *tx).await.unwrap();
            let change = "update report_schedule set vreme_izvrsavanja_visetruko = '09:00', sledece_izvrsavanje = '2026-11-21T08:00Z',
                              sledece_lokalno = '2026-11-21 09:00' where id = $1";
            sqlx::query(change).bind(schedule).execute(&mut *tx).await.unwrap();
            tx.commit().await.unwrap();
        };
        let (ticked, ()) = tokio::join!(tick(&yard.db.app, at(MORNING)), edit);
        assert_eq!(yard.next(schedule).await, edited, "round {round}");
        assert_eq!(yard.fires(schedule).await.len(), ticked.unwrap().fired, "round {round}");
    }
}
