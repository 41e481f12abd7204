//! What the owner of a schedule is told about a fire that made no report: which, why, and what she can do.

use domain::{
    parameters::{self, APPLICATION},
    runs::RunStatus,
    time::date_time_text,
};
use jiff_sqlx::DateTime;
use serde::Serialize;
use uuid::Uuid;

use super::mailer::Mail;

#[derive(Serialize)]
pub struct Notice {
    aplikacija: String,
    naziv: String,
    ustanova: String,
    /// By the clock of the zone in which it was due, which it names.
    kada: String,
    ishod: &'static str,
    razlog: String,
    savet: &'static str,
    /// Fires of the same moment that ended so too.
    jos: i64,
    link: String,
}

/// How a fire without a report is told: what became of it, why where the run does not say, and what to do about its cause.
fn words(status: RunStatus, cause: Option<&str>) -> Option<(&'static str, &'static str, &'static str)> {
    Some(match status {
        RunStatus::Failed => (
            "nije uspeo",
            "Generisanje izveštaja nije uspelo.",
            "Proverite parametre zakazivanja. Ako se ponovi, obratite se administratoru.",
        ),
        RunStatus::Missed => (
            "je propušten",
            "U vreme izvršavanja sistem nije radio.",
            "Pokrenite izveštaj sami ako vam treba; sledeće izvršavanje ostaje po rasporedu.",
        ),
        RunStatus::SkippedOverlap => (
            "je preskočen",
            "Prethodno izvršavanje istog zakazivanja još nije bilo završeno.",
            "Suzite period izveštaja ili proredite raspored.",
        ),
        RunStatus::SkippedUnauthorised => (
            "je odbijen",
            "Izvršavanje više nije dozvoljeno.",
            match cause {
                Some("no_right") => "Obratite se administratoru svoje ustanove da vam vrati pravo, ili obrišite zakazivanje.",
                Some("not_of_institution") => {
                    "Zakažite izveštaj za ustanovu u kojoj radite i obrišite ovo zakazivanje, ili se obratite administratoru te ustanove."
                }
                Some("institution_inactive") => "Zakažite izveštaj za drugu ustanovu i obrišite ovo zakazivanje.",
                Some("report_inactive") => "Obratite se administratoru ako vam izveštaj i dalje treba, ili obrišite zakazivanje.",
                _ => "Obratite se administratoru svoje ustanove ili obrišite zakazivanje.",
            },
        ),
        RunStatus::SkippedPaused => (
            "je pauziran",
            "Prethodna izvršavanja zaredom nisu uspela.",
            "Pogledajte zašto nisu uspela, izmenite zakazivanje ako treba, pa ga nastavite na tabu „Zakazani izveštaji”.",
        ),
        RunStatus::SkippedEnded => (
            "je završen",
            "Izveštaj više nije dostupan; zakazano generisanje je završeno.",
            "Više se neće izvršavati. Ako vam izveštaj i dalje treba, obratite se administratoru.",
        ),
        _ => return None,
    })
}

/// `None`: the run is not one to tell its owner about, or was deleted.
pub async fn read(mail: &Mail, run: Uuid) -> sqlx::Result<Option<Notice>> {
    let row = sqlx::query!(
        r#"select r.status as "status: RunStatus", r.error_code, r.error_text, t.naziv, u.naziv as ustanova, r.fire_local as "fire_local: DateTime",
                  coalesce(r.fire_zone, s.vremenska_zona) as "zona!",
                  (select count(*) from report_run o
                    where o.zakazivanje_id = r.zakazivanje_id and o.status = r.status and o.created_at = r.created_at and o.id <> r.id) as "jos!"
             from report_run r join report t on t.id = r.izvestaj_id join institution u on u.id = r.ustanova_id
             join report_schedule s on s.id = r.zakazivanje_id
            where r.id = $1 and r.deleted_at is null"#,
        run,
    )
    .fetch_optional(&mail.app)
    .await?;
    let Some(row) = row else { return Ok(None) };
    let Some((ishod, why, savet)) = words(row.status, row.error_code.as_deref()) else { return Ok(None) };
    Ok(Some(Notice {
        aplikacija: parameters::load(&mail.app).await?.text(&APPLICATION).to_owned(),
        naziv: row.naziv,
        ustanova: row.ustanova,
        kada: row.fire_local.map(|at| format!("{}, {}", date_time_text(at.to_jiff()), row.zona)).unwrap_or_default(),
        ishod,
        razlog: row.error_text.unwrap_or_else(|| why.to_owned()),
        savet,
        jos: row.jos,
        link: format!("{}/izvestaji/{run}", mail.public_url),
    }))
}
