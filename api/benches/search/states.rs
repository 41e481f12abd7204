//! What people have made of entries and patients: one entry in twenty-five is finished, one in a hundred signed, of one in five hundred somebody asks;
//! one patient in twenty is lost. No rule of quality stands: each save would look by it.

use sqlx::PgConnection;

const FILL: &str = "
    insert into entry_state (unos_id, stanje, radnja, radnik_id)
    select id, 'zavrsen', 'zavrsavanje', 1 from entry where aktivan and id % 25 = 0 order by id;
    insert into entry_state (unos_id, stanje, radnja, znacenje, form_version_id, radnik_id)
    select id, 'potpisan', 'potpis', 'autor', form_version_id, 1 from entry where aktivan and id % 100 = 0 order by id;
    insert into question (unos_id, pacijent_id, ustanova_id, poreklo, radnik_id, stanje, dodeljen_id)
    select id, pacijent_id, ustanova_id, 'kolega', 1, 'otvoren', 1 from entry where aktivan and id % 500 = 0 order by id;
    insert into question_message (upit_id, vrsta, tekst, stanje, dodeljen_id, radnik_id)
    select id, 'pitanje', 'Da li je vrednost tačna?', 'otvoren', 1, 1 from question order by id;
    insert into patient_status (pacijent_id, registar_id, status, dan, izvor, radnik_id, ustanova_id)
    select r.pacijent_id, r.registar_id, 'izgubljen', r.poslednji_unos_datum, 'ustanova', 1, p.ustanova_id
      from patient_register r join patient p on p.id = r.pacijent_id where r.prvi_unos_id is not null and r.pacijent_id % 20 = 0 order by 1, 2;
    update patient_register set status = 'izgubljen', status_dan = poslednji_unos_datum where prvi_unos_id is not null and pacijent_id % 20 = 0;";

/// On a connection that loads: no trigger says what follows from a state.
pub async fn fill(db: &mut PgConnection) -> sqlx::Result<()> {
    sqlx::raw_sql(FILL).execute(db).await?;
    Ok(())
}
