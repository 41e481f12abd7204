//! Three schedulers, one weekly letter.

use std::sync::Arc;

use scheduler::plans::write_digests;

use crate::support::Yard;

/// A patient whose visit is late, and her doctor who wants the letter.
const AWAITED: &[&str] = &[
    "update worker set email = 'ana@kcs.rs' where username = 'lekar'",
    "update role set pacijenti = 'izmena', moze_biti_odgovoran = true where ime = 'Lekar'",
    "insert into worker_start (radnik_id, pocetna, nedeljni_pregled) select id, 'pacijenti', true from worker where username = 'lekar'",
    "insert into register (naziv) values ('Registar')",
    "insert into form (registar_id, naziv) select id, 'Pregled' from register where naziv = 'Registar'",
    "insert into visit_plan (registar_id, sifra, naziv, podrazumevani) select id, 'P', 'Plan', true from register where naziv = 'Registar'",
    "insert into visit_plan_version (plan_id, broj) select id, 1 from visit_plan",
    "insert into visit_plan_item (plan_version_id, redosled, sifra, naziv, sidro, pomeraj, jedinica, prozor_pre, prozor_posle, ceka_dana)
     select v.id, i.n, 'M' || i.n, 'Kontrola', 'ukljucenje', i.n * 10, 'dan', 0, 0, 60 from visit_plan_version v, (values (0), (9)) i (n)",
    "insert into patient (ime, prezime, datum_rodjenja, jmbg, lbo, pol_trenutni, kontakt_telefon, ustanova_id)
     select 'Zvrkokret', 'Drljača', '1960-01-01', '0101960123456', '12345678901', true, '011/1234567', i.id from institution i where i.naziv = 'Klinika'",
    "insert into entry (pacijent_id, registar_id, tsa_id, datum_unosa, ustanova_id, radnik_odgovoran_id)
     select p.id, r.id, f.id, today() - 100, p.ustanova_id, w.id
       from patient p, register r join form f on f.registar_id = r.id, worker w where r.naziv = 'Registar' and w.username = 'lekar'",
];

#[tokio::test(flavor = "multi_thread", worker_threads = 3)]
async fn three_schedulers_write_one_letter_a_week_and_it_names_nobody() {
    let yard = Arc::new(Yard::new().await);
    let mut tx = domain::db::begin(&yard.db.owner, 1).await.unwrap();
    for statement in AWAITED {
        sqlx::query(*statement).execute(&mut *tx).await.unwrap_or_else(|error| panic!("{statement}: {error}"));
    }
    // Letters are written from six on a Monday: before that there is none to count.
    let is_time: bool =
        sqlx::query_scalar("select now() at time zone 'Europe/Belgrade' >= date_trunc('week', today())::date + time '06:00'")
            .fetch_one(&mut *tx)
            .await
            .unwrap();
    tx.commit().await.unwrap();
    let turns = [(); 3].map(|()| {
        let yard = yard.clone();
        tokio::spawn(async move { write_digests(&yard.db.app).await.unwrap() })
    });
    let mut written = 0;
    for turn in turns {
        written += turn.await.unwrap();
    }
    written += write_digests(&yard.db.app).await.unwrap();
    let expected = i32::from(is_time);
    assert_eq!(written, expected);
    assert_eq!(yard.count("select count(*) from report_delivery where pregled_id is not null").await, i64::from(expected));
    assert_eq!(yard.count("select count(*) from visit_digest where kasni = 1 and otvoreno = 0").await, i64::from(expected));
    assert_eq!(yard.count("select count(*) from report_delivery d where d::text ilike '%drlja%'").await, 0);
}
