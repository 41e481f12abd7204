//! Letters to those for whom questions wait: one a day, however many schedulers there are, and of nothing twice.

use std::sync::Arc;

use scheduler::questions::write_letters;
use sqlx::AssertSqlSafe;

use crate::support::Yard;

/// An entry, its doctor and a monitor, both with addresses.
const ASKED: &[&str] = &[
    "update worker set email = 'ana@kcs.rs' where username = 'lekar'",
    "insert into worker (username, ime, prezime, ustanova_id, email) select 'nadzor', 'Mira', 'Mirić', id, 'mira@kcs.rs' from institution where naziv = 'Klinika'",
    "insert into worker_role (radnik_id, uloga_id) select w.id, r.id from worker w, role r where w.username = 'nadzor' and r.ime = 'Lekar'",
    "update role set pacijenti = 'izmena', moze_biti_odgovoran = true where ime = 'Lekar'",
    "insert into register (naziv) values ('Registar')",
    "insert into form (registar_id, naziv) select id, 'Pregled' from register where naziv = 'Registar'",
    "insert into patient (ime, prezime, datum_rodjenja, jmbg, lbo, pol_trenutni, kontakt_telefon, ustanova_id)
     select 'Zvrkokret', 'Drljača', '1960-01-01', '0101960123456', '12345678901', true, '011/1234567', i.id from institution i where i.naziv = 'Klinika'",
    "insert into entry (pacijent_id, registar_id, tsa_id, datum_unosa, ustanova_id, radnik_odgovoran_id)
     select p.id, r.id, f.id, today() - 100, p.ustanova_id, w.id
       from patient p, register r join form f on f.registar_id = r.id, worker w where r.naziv = 'Registar' and w.username = 'lekar'",
];

/// Messages were sent so long ago that nothing is gathered with them any more.
const AN_HOUR_LATER: &str = "update question_message set vreme = vreme - interval '1 hour'";
const A_DAY_LATER: &str = "update question_letter set dan = dan - 1";

struct Asking {
    yard: Arc<Yard>,
    monitor: i64,
    /// Letters are written from six in the morning: before that there is none to count.
    is_time: bool,
}

impl Asking {
    async fn new() -> Self {
        let yard = Arc::new(Yard::new().await);
        let mut tx = domain::db::begin(&yard.db.owner, 1).await.unwrap();
        for statement in ASKED {
            sqlx::query(*statement).execute(&mut *tx).await.unwrap_or_else(|error| panic!("{statement}: {error}"));
        }
        let monitor = sqlx::query_scalar("select id from worker where username = 'nadzor'").fetch_one(&mut *tx).await.unwrap();
        let is_time = sqlx::query_scalar("select now() at time zone 'Europe/Belgrade' >= today() + time '06:00'").fetch_one(&mut *tx).await;
        tx.commit().await.unwrap();
        Self { yard, monitor, is_time: is_time.unwrap() }
    }

    async fn run(&self, worker: i64, sql: &str) {
        let mut tx = domain::db::begin(&self.yard.db.owner, worker).await.unwrap();
        sqlx::query(AssertSqlSafe(sql.to_owned())).execute(&mut *tx).await.unwrap_or_else(|error| panic!("{sql}: {error}"));
        tx.commit().await.unwrap();
    }

    /// The monitor asks the doctor.
    async fn ask(&self) {
        let ask = "insert into question (unos_id, pacijent_id, ustanova_id, poreklo, dodeljen_id)
                   select e.id, e.pacijent_id, e.ustanova_id, 'nadzor', e.radnik_odgovoran_id from entry e";
        self.run(self.monitor, ask).await;
        let say = "insert into question_message (upit_id, vrsta, tekst, stanje, dodeljen_id)
                   select max(id), 'pitanje', 'Tajanstven puls?', 'otvoren', max(dodeljen_id) from question";
        self.run(self.monitor, say).await;
    }

    async fn written(&self) -> i32 {
        write_letters(&self.yard.db.app).await.unwrap()
    }

    async fn addresses(&self) -> Vec<String> {
        let sql = "select address from report_delivery where upiti_id is not null order by id";
        sqlx::query_scalar(sql).fetch_all(&self.yard.db.owner).await.unwrap()
    }

    /// How many there are to expect at this hour.
    fn due(&self, letters: i32) -> i32 {
        if self.is_time { letters } else { 0 }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 3)]
async fn three_schedulers_write_one_letter_a_day_of_what_nobody_was_told() {
    let asking = Asking::new().await;
    let doctor = asking.yard.worker;
    asking.ask().await;
    assert_eq!(asking.written().await, 0, "what is asked at one sitting is gathered");
    asking.run(1, AN_HOUR_LATER).await;
    let turns = [(); 3].map(|()| {
        let yard = asking.yard.clone();
        tokio::spawn(async move { write_letters(&yard.db.app).await.unwrap() })
    });
    let mut written = 0;
    for turn in turns {
        written += turn.await.unwrap();
    }
    assert_eq!((written, asking.written().await), (asking.due(1), 0));

    asking.ask().await;
    asking.run(1, AN_HOUR_LATER).await;
    assert_eq!(asking.written().await, 0, "one a day");
    asking.run(1, A_DAY_LATER).await;
    assert_eq!((asking.written().await, asking.written().await), (asking.due(1), 0), "of what came after the first one");
    asking.run(1, A_DAY_LATER).await;
    assert_eq!(asking.written().await, 0, "nothing is told of twice");

    let answer = "insert into question_message (upit_id, vrsta, tekst, stanje, dodeljen_id)
                  select min(id), 'odgovor', 'Tačno je.', 'otvoren', min(dodeljen_id) from question";
    asking.run(doctor, answer).await;
    asking.run(1, AN_HOUR_LATER).await;
    assert_eq!(asking.written().await, asking.due(1), "who asked is told of the answer, and who answered is not");
    if asking.is_time {
        assert_eq!(asking.addresses().await, ["ana@kcs.rs", "ana@kcs.rs", "mira@kcs.rs"]);
    }
    let named = "select count(*) from report_delivery d left join question_letter l on l.id = d.upiti_id
                  where d::text || l::text ~* 'drlja|zvrk|puls|pregled'";
    assert_eq!(asking.yard.count(named).await, 0);
}

#[tokio::test]
async fn no_letter_goes_to_whoever_may_not_or_does_not_want_it() {
    let asking = Asking::new().await;
    asking.ask().await;
    asking.run(1, AN_HOUR_LATER).await;
    for (off, on) in [
        (
            "insert into worker_start (radnik_id, javi_upite) select id, false from worker where username = 'lekar'",
            "update worker_start set javi_upite = true",
        ),
        (
            "update role set pacijenti = 'ne', moze_biti_odgovoran = false",
            "update role set pacijenti = 'izmena', moze_biti_odgovoran = true",
        ),
        ("update worker set email = null where username = 'lekar'", "update worker set email = 'ana@kcs.rs' where username = 'lekar'"),
        ("update worker set aktivan = false where username = 'lekar'", "update worker set aktivan = true where username = 'lekar'"),
        ("update entry set aktivan = false", "update entry set aktivan = true"),
    ] {
        asking.run(1, off).await;
        assert_eq!(asking.written().await, 0, "{off}");
        asking.run(1, on).await;
    }
    assert_eq!(asking.written().await, asking.due(1), "what was not told of is told of when it may be");
    let close =
        "insert into question_message (upit_id, vrsta, stanje, dodeljen_id) select id, 'zatvaranje', 'otvoren', dodeljen_id from question";
    asking.run(asking.monitor, close).await;
    asking.run(1, AN_HOUR_LATER).await;
    asking.run(1, A_DAY_LATER).await;
    assert_eq!(asking.written().await, 0, "nobody waits for a closed question");
}
