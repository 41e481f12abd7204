//! What is kept only for a time.

use domain::{artifacts::ArtifactStore, testing::S3Server};
use scheduler::retention::{expire, find_pairs, forget_drafts, lay_partitions, purge, remove_entry_files};
use uuid::Uuid;

use crate::support::Yard;

/// A finished run, made and expiring so many days from now, with one file.
async fn finished_run(yard: &Yard, made_days: i32, expires_days: Option<i32>, file: Option<&str>) -> Uuid {
    let id = Uuid::now_v7();
    sqlx::query(
        "insert into report_run (id, izvestaj_id, radnik_id, ustanova_id, formati, status, created_at, finished_at, expires_at)
         values ($1, $2, $3, $4, '{PDF}', 'succeeded', now() + make_interval(days => $5), now(), now() + make_interval(days => $6))",
    )
    .bind(id)
    .bind(yard.report)
    .bind(yard.worker)
    .bind(yard.institution)
    .bind(made_days)
    .bind(expires_days)
    .execute(&yard.db.owner)
    .await
    .unwrap();
    if let Some(path) = file {
        sqlx::query("insert into report_artifact (run_id, format, path, bytes, sha256, rows) values ($1, 'PDF', $2, 3, '', 1)")
            .bind(id)
            .bind(path)
            .execute(&yard.db.owner)
            .await
            .unwrap();
    }
    id
}

#[tokio::test]
async fn files_that_no_entry_names_go_with_their_rows_and_others_stay() {
    let yard = Yard::new().await;
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(folder.path().join(".prilozi/ab")).unwrap();
    for name in ["stari.pdf", "nov.pdf"] {
        std::fs::write(folder.path().join(".prilozi/ab").join(name), "pdf").unwrap();
    }
    let mut tx = domain::db::begin(&yard.db.owner, domain::db::SYSTEM_WORKER).await.unwrap();
    sqlx::raw_sql(
        "insert into register (naziv) values ('Registar');
         insert into form (registar_id, naziv) select id, 'Pregled' from register;
         insert into attribute_type (naziv, tip_vrednosti_atributa) values ('Fajl', 13);
         insert into form_field (tip_skupa_atributa_id, tip_atributa_id, naziv, redosled) select f.id, t.id, 'Nalaz', 1 from form f, attribute_type t;
         insert into patient (ime, prezime, datum_rodjenja, jmbg, lbo, pol_trenutni, kontakt_telefon, ustanova_id)
         select 'Ana', 'Anić', '1980-01-01', '0101980715005', '12345678901', false, '011/1234567', min(id) from institution;
         insert into entry_file (pacijent_id, polje_id, radnik_id, naziv, vrsta, velicina, sha256, putanja, vreme, sacuvan)
         select p.id, f.id, 1, 'a.pdf', 'pdf', 3, '', '.prilozi/ab/' || n.name, now() - n.age, true
           from patient p, form_field f, (values ('stari.pdf', interval '2 days'), ('nov.pdf', interval '2 hours'), ('nestao.pdf', interval '2 days')) n (name, age)",
    )
    .execute(&mut *tx)
    .await
    .unwrap();
    tx.commit().await.unwrap();
    let store = ArtifactStore::folder(folder.path().to_owned());
    assert_eq!(remove_entry_files(&yard.db.app, &store).await.unwrap(), 2);
    assert!(!folder.path().join(".prilozi/ab/stari.pdf").exists());
    assert!(folder.path().join(".prilozi/ab/nov.pdf").exists());
    assert_eq!(yard.count("select count(*) from entry_file").await, 1);
    assert_eq!(remove_entry_files(&yard.db.app, &store).await.unwrap(), 0);
}

#[tokio::test]
async fn the_files_of_an_expired_run_go_and_its_row_stays() {
    let yard = Yard::new().await;
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("ab")).unwrap();
    for name in ["expired.pdf", "kept.pdf"] {
        std::fs::write(folder.path().join("ab").join(name), "pdf").unwrap();
    }
    finished_run(&yard, -31, Some(-1), Some("ab/expired.pdf")).await;
    finished_run(&yard, -31, Some(-1), Some("ab/vanished.pdf")).await;
    finished_run(&yard, -1, Some(29), Some("ab/kept.pdf")).await;

    assert_eq!(expire(&yard.db.app, &ArtifactStore::folder(folder.path().to_owned())).await.unwrap(), 2);
    assert!(!folder.path().join("ab/expired.pdf").exists());
    assert!(folder.path().join("ab/kept.pdf").exists());
    assert_eq!(yard.count("select count(*) from report_artifact").await, 1);
    assert_eq!(yard.count("select count(*) from report_run").await, 3);
    assert_eq!(expire(&yard.db.app, &ArtifactStore::folder(folder.path().to_owned())).await.unwrap(), 0);
}

#[tokio::test]
async fn the_files_of_an_expired_run_go_from_a_bucket_and_wait_while_it_is_away() {
    let (yard, s3, folder) = (Yard::new().await, S3Server::start().await, tempfile::tempdir().unwrap());
    let store = s3.store("izvestaji", folder.path().to_owned());
    for name in ["ab/expired.pdf", "ab/kept.pdf"] {
        let draft = folder.path().join("nacrt.pdf");
        std::fs::write(&draft, "pdf").unwrap();
        store.keep(None, &draft, name).await.unwrap();
    }
    finished_run(&yard, -31, Some(-1), Some("ab/expired.pdf")).await;
    finished_run(&yard, -1, Some(29), Some("ab/kept.pdf")).await;

    s3.stop();
    assert_eq!(expire(&yard.db.app, &store).await.unwrap(), 0, "a row goes after its file");
    s3.run().await;
    assert_eq!(expire(&yard.db.app, &store).await.unwrap(), 1);
    assert_eq!(store.old(std::time::Duration::ZERO).await.unwrap(), ["ab/kept.pdf"]);
    assert_eq!(yard.count("select count(*) from report_artifact").await, 1);
}

#[tokio::test]
async fn a_file_that_cannot_be_removed_keeps_its_row_and_stops_no_other() {
    let yard = Yard::new().await;
    let folder = tempfile::tempdir().unwrap();
    // A folder where a file should be cannot be removed as a file, not even by root.
    std::fs::create_dir_all(folder.path().join("ab/stuck.pdf")).unwrap();
    std::fs::write(folder.path().join("ab/fine.pdf"), "pdf").unwrap();
    let outside = folder.path().parent().unwrap().join(format!("{}.pdf", Uuid::now_v7()));
    std::fs::write(&outside, "not ours").unwrap();
    let leads_out = format!("../{}", outside.file_name().unwrap().to_str().unwrap());

    finished_run(&yard, -31, Some(-1), Some("ab/stuck.pdf")).await;
    finished_run(&yard, -31, Some(-1), Some(&leads_out)).await;
    finished_run(&yard, -31, Some(-1), Some("ab/fine.pdf")).await;
    assert_eq!(expire(&yard.db.app, &ArtifactStore::folder(folder.path().to_owned())).await.unwrap(), 1);
    assert_eq!(yard.count("select count(*) from report_artifact").await, 2);
    assert!(outside.exists(), "a file outside the folder is not ours to remove");
    std::fs::remove_file(outside).unwrap();
}

#[tokio::test]
async fn runs_older_than_four_hundred_days_are_forgotten_with_their_deliveries() {
    let yard = Yard::new().await;
    let old = finished_run(&yard, -401, Some(-371), None).await;
    finished_run(&yard, -399, Some(-369), None).await;
    finished_run(&yard, -401, Some(-371), Some("ab/still-here.pdf")).await;
    sqlx::query("insert into report_delivery (run_id, address, message_id) values ($1, 'a@b.rs', 'x')")
        .bind(old)
        .execute(&yard.db.owner)
        .await
        .unwrap();
    for _ in 0..3 {
        finished_run(&yard, -500, None, None).await;
    }
    let open = finished_run(&yard, -401, None, None).await;
    sqlx::query("update report_run set status = 'queued' where id = $1").bind(open).execute(&yard.db.owner).await.unwrap();

    assert_eq!(purge(&yard.db.app).await.unwrap(), 4);
    assert_eq!(yard.count("select count(*) from report_run").await, 3, "a younger one, one with a file and an open one stay");
    assert_eq!(yard.count("select count(*) from report_delivery").await, 0);
}

#[tokio::test]
async fn the_application_itself_may_not_delete_runs() {
    let yard = Yard::new().await;
    finished_run(&yard, -500, None, None).await;
    let refused = sqlx::query("delete from report_run").execute(&yard.db.app).await.unwrap_err();
    assert!(refused.to_string().contains("permission denied"), "{refused}");
}

#[tokio::test]
async fn new_partitions_are_out_of_the_applications_reach() {
    let yard = Yard::new().await;
    let before = yard.count("select count(*) from pg_inherits where inhparent = 'audit_log'::regclass").await;
    let newest: String = sqlx::query_scalar(
        "select max(inhrelid::regclass::text) from pg_inherits where inhparent = 'audit_log'::regclass and inhrelid::regclass::text ~ '[0-9]$'",
    )
    .fetch_one(&yard.db.owner)
    .await
    .unwrap();
    sqlx::raw_sql(sqlx::AssertSqlSafe(format!("drop table {newest}"))).execute(&yard.db.owner).await.unwrap();
    lay_partitions(&yard.db.app).await.unwrap();
    assert!(yard.count("select count(*) from pg_inherits where inhparent = 'audit_log'::regclass").await >= before);
    let refused = sqlx::raw_sql(sqlx::AssertSqlSafe(format!("delete from {newest}"))).execute(&yard.db.app).await.unwrap_err();
    assert!(refused.to_string().contains("permission denied"), "{refused}");
}

#[tokio::test]
async fn drafts_and_done_saves_are_forgotten_after_30_days() {
    let yard = Yard::new().await;
    let mut tx = domain::db::begin(&yard.db.owner, domain::db::SYSTEM_WORKER).await.unwrap();
    let rows = format!(
        "insert into patient (id, ime, prezime, datum_rodjenja, jmbg, lbo, pol_trenutni, kontakt_telefon, ustanova_id)
         values (700, 'Ana', 'Anić', '1980-01-01', '0101980715005', '12345678901', false, '011/1234567', {institution});
         insert into register (id, naziv) values (700, 'Registar');
         insert into form (id, registar_id, naziv) values (700, 700, 'Formular');
         insert into entry (id, pacijent_id, registar_id, tsa_id, datum_unosa, ustanova_id, vrednosti)
         values (700, 700, 700, 700, '2026-03-05', {institution}, '{{}}');
         insert into entry_draft (radnik_id, kljuc, pacijent_id, sadrzaj, izmenjeno)
         values (1, 'old', 700, '{{}}', now() - interval '31 days'), (1, 'new', 700, '{{}}', now() - interval '29 days');
         insert into entry_save (kljuc, radnik_id, unos_id, verzija, poslato, ocisceno, vreme)
         values (gen_random_uuid(), 1, 700, 1, '{{}}', '{{}}', now() - interval '31 days'),
                (gen_random_uuid(), 1, 700, 2, '{{}}', '{{}}', now() - interval '29 days')",
        institution = yard.institution
    );
    sqlx::raw_sql(sqlx::AssertSqlSafe(rows)).execute(&mut *tx).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(forget_drafts(&yard.db.app).await.unwrap(), 1);
    assert_eq!(yard.count("select count(*) from entry_draft where kljuc = 'new'").await, 1);
    assert_eq!(yard.count("select sum(verzija) from entry_save").await, 2, "the second save is left");
}

#[tokio::test]
async fn a_row_that_came_before_its_partition_moves_into_it_and_keeps_nobody_from_theirs() {
    let yard = Yard::new().await;
    let owner = &yard.db.owner;
    let count = async |sql: String| sqlx::query_scalar::<_, i64>(sqlx::AssertSqlSafe(sql)).fetch_one(owner).await.unwrap();
    for (table, columns, values) in [
        ("audit_log", "vreme_pristupa, klasa, akcija", "'proba', 'proba'"),
        ("audit_log_patient", "vreme_pristupa, log_id, pacijent_id", "1, 1"),
        ("value_history", "vreme_prestanka_vazenja, pacijent_id, unos_id, polje_id, vreme_kreiranja, radnik_id", "1, 1, 1, now(), 1"),
    ] {
        // The last month that is laid, one that is long over, and one that is far ahead.
        for moment in
            ["date_trunc('month', now()) + interval '12 months 5 days'", "timestamptz '2019-03-31 23:30 UTC'", "now() + interval '5 years'"]
        {
            let part = format!("to_char({moment}, '\"{table}_\"YYYY_MM')");
            let name: String = sqlx::query_scalar(sqlx::AssertSqlSafe(format!("select {part}"))).fetch_one(owner).await.unwrap();
            let sql = format!("drop table if exists {name}; insert into {table} ({columns}) values ({moment}, {values})");
            sqlx::raw_sql(sqlx::AssertSqlSafe(sql)).execute(owner).await.unwrap();
        }
        assert_eq!(count(format!("select count(*) from {table}_default")).await, 3);
    }
    lay_partitions(&yard.db.app).await.unwrap();
    for table in ["audit_log", "audit_log_patient", "value_history"] {
        assert_eq!(count(format!("select count(*) from {table}_default")).await, 1, "{table}: its month is years away");
        assert_eq!(count(format!("select count(*) from {table}_2019_03")).await, 1, "{table}");
        let told = format!(
            "select zatecenih + 10 * meseci_unapred from (select zatecenih, meseci_unapred::bigint from partitions_ahead() where tabela = '{table}') t"
        );
        assert_eq!(count(told).await, 121, "{table}");
        let all =
            format!("select count(*) from {table} where tableoid = '{table}_2019_03'::regclass or tableoid = '{table}_default'::regclass");
        assert_eq!(count(all).await, 2, "{table}: they are of the table still");
        let refused = sqlx::raw_sql(sqlx::AssertSqlSafe(format!("delete from {table}_2019_03"))).execute(&yard.db.app).await.unwrap_err();
        assert!(refused.to_string().contains("permission denied"), "{refused}");
    }
    lay_partitions(&yard.db.app).await.unwrap();
    // A row with the month of another lands where it belongs.
    sqlx::raw_sql("insert into audit_log (vreme_pristupa, klasa, akcija) values (timestamptz '2019-03-01 00:00 UTC', 'proba', 'proba')")
        .execute(owner)
        .await
        .unwrap();
    assert_eq!(yard.count("select count(*) from audit_log_2019_03").await, 2);
}

#[tokio::test]
async fn likely_pairs_are_looked_for_among_those_who_changed_and_once() {
    let yard = Yard::new().await;
    let mut tx = domain::db::begin(&yard.db.owner, domain::db::SYSTEM_WORKER).await.unwrap();
    sqlx::raw_sql(
        "insert into patient (ime, prezime, datum_rodjenja, jmbg, lbo, pol_trenutni, kontakt_telefon, ustanova_id)
         select v.ime, 'Anić', v.rodjen::date, v.jmbg, v.lbo, false, '011/1234567', u.id
           from (select min(id) as id from institution) u,
                (values ('Ana', '1980-01-02', '0201980715005', '12345678901'), ('Anna', '1980-02-01', '0102980715007', '12345678902'),
                        ('Petra', '1980-01-02', '0201980715013', '12345678903')) v (ime, rodjen, jmbg, lbo)",
    )
    .execute(&mut *tx)
    .await
    .unwrap();
    tx.commit().await.unwrap();
    assert_eq!(find_pairs(&yard.db.app, 3600.0).await.unwrap(), 0, "what has just changed waits");
    assert_eq!(find_pairs(&yard.db.app, 0.0).await.unwrap(), 3);
    assert_eq!(find_pairs(&yard.db.app, 0.0).await.unwrap(), 0);
    let found: Vec<String> = sqlx::query_scalar("select razlog from patient_pair").fetch_all(&yard.db.owner).await.unwrap();
    assert_eq!(found, ["datum"]);
}
