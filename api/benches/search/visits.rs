//! Plans of visits for every patient: one each six months of five years from the first entry. Of the past a tenth was missed, of the last months a
//! third is late, the others are done: by entries that are not there, which no trigger looks for.

use sqlx::PgConnection;

const FILL: &str = "
    insert into visit_plan (registar_id, sifra, naziv, podrazumevani) select id, 'P', 'Plan', true from register order by sifra;
    insert into visit_plan_version (plan_id, broj, radnik_id) select id, 1, 1 from visit_plan order by id;
    insert into visit_plan_item (plan_version_id, redosled, sifra, naziv, sidro, pomeraj, jedinica, prozor_pre, prozor_posle, ceka_dana, ponavlja_meseci,
                                 ponavlja_do_meseci)
    select id, 1, 'K', 'Kontrola', 'ukljucenje', 6, 'mesec', 30, 30, 90, 6, 60 from visit_plan_version order by id;
    insert into patient_plan (pacijent_id, registar_id, plan_id, plan_version_id, ukljucenje, ustanova_id, radnik_id, horizont)
    select r.pacijent_id, r.registar_id, p.id, v.id, r.prvi_unos_datum, k.ustanova_id,
           (select min(w.id) from worker w where w.ustanova_id = k.ustanova_id), today() + 730
      from patient_register r join patient k on k.id = r.pacijent_id and k.aktivan
      join visit_plan p on p.registar_id = r.registar_id join visit_plan_version v on v.plan_id = p.id
     where r.prvi_unos_id is not null;
    insert into planned_visit (patient_plan_id, stavka_id, sifra, red, sidro, cilj, prozor_od, prozor_do, ceka_do, registar_id, ustanova_id, radnik_id,
                               unos_id, unos_dan)
    select o.id, i.id, 'K', n, o.ukljucenje, d.cilj, d.cilj - 30, d.cilj + 30, d.cilj + 120, o.registar_id, o.ustanova_id, o.radnik_id,
           case when d.done then -(o.id * 100 + n) end, case when d.done then d.cilj end
      from patient_plan o join visit_plan_item i on i.plan_version_id = o.plan_version_id
     cross join generate_series(0, 9) n
     cross join lateral (select c.cilj, not (c.cilj > today() - 30 or c.cilj > today() - 150 and (o.id + n) % 3 = 0 or (o.id + n) % 10 = 0) as done
                           from (select day_after(o.ukljucenje, 6 + 6 * n, 'mesec') as cilj) c) d
     where d.cilj <= today() + 730;";

/// On a connection that loads: no trigger dates or links anything.
pub async fn fill(db: &mut PgConnection) -> sqlx::Result<()> {
    sqlx::raw_sql(FILL).execute(db).await?;
    Ok(())
}
