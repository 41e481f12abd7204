//! The print of a patient's dates: the visits that are awaited within a year, to take home.

use domain::{
    access,
    time::{self, date_text},
};
use sqlx::PgConnection;

use super::{
    failure::{self, Stop},
    logo,
    print::{Asker, row},
};
use crate::render::entry::{EntryDocument, EntryPart};

/// Days ahead that are told.
const AHEAD: i32 = 400;

/// Of the patient and the register of an entry that the asker may read.
pub async fn document(db: &mut PgConnection, asker: &Asker, entry: i64) -> Result<EntryDocument, Stop> {
    let row = row(db, entry).await?.ok_or_else(failure::print_gone)?;
    if !access::knows_entry(&mut *db, Some(asker.ustanova_id), row.pacijent_id, row.ustanova_id).await? {
        return Err(failure::print_unauthorised().into());
    }
    let visits = visits(&mut *db, row.pacijent_id, row.registar_id).await?;
    let today = row.now.to_jiff().to_zoned(time::zone());
    let name = format!("{} {}", row.prezime, row.ime);
    Ok(EntryDocument {
        naslov: format!("Termini kontrola – {name}, {}", date_text(today.date())),
        obrazac: "Termini kontrola".to_owned(),
        podaci: vec![[("Pacijent", name), ("Datum rođenja", date_text(row.datum_rodjenja.to_jiff()))]],
        parts: vec![visits],
        marks: logo::of(&mut *db, asker.ustanova_id).await?.marks(),
        radnik: asker.radnik.clone(),
        generisano: today.datetime(),
        registar: row.registar,
        ustanova: row.ustanova,
    })
}

async fn visits(db: &mut PgConnection, patient: i64, register: i64) -> sqlx::Result<EntryPart> {
    let rows = sqlx::query!(
        r#"select i.naziv, v.cilj as "cilj: jiff_sqlx::Date", v.prozor_od as "prozor_od: jiff_sqlx::Date", v.prozor_do as "prozor_do: jiff_sqlx::Date",
                  u.naziv as ustanova, w.prezime || ' ' || w.ime as lekar
             from patient_plan o join planned_visit v on v.patient_plan_id = o.id join visit_plan_item i on i.id = v.stavka_id
             join institution u on u.id = v.ustanova_id left join worker w on w.id = v.radnik_id
            where o.pacijent_id = $1 and o.registar_id = $2 and visit_state(v, today()) in ('buduca', 'otvorena', 'kasni') and v.cilj <= today() + $3::int
            order by v.cilj, v.id"#,
        patient,
        register,
        AHEAD
    )
    .fetch_all(db)
    .await?;
    let heads = ["Termin", "Kontrola", "Možete doći", "Ustanova i lekar"].map(str::to_owned).to_vec();
    let lines = rows.into_iter().map(|row| {
        let window = format!("od {} do {}", date_text(row.prozor_od.to_jiff()), date_text(row.prozor_do.to_jiff()));
        let place = [Some(row.ustanova), row.lekar].into_iter().flatten().collect::<Vec<_>>().join(", ");
        vec![date_text(row.cilj.to_jiff()), row.naziv, window, place]
    });
    Ok(EntryPart::Table { heads, rows: lines.collect() })
}
