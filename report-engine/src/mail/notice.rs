//! What is told about a fire of a schedule that made no report: to its owner which, why, and what she can do; to those whom the report
//! would have reached that it does not come, and nothing else.

use domain::{
    parameters::{self, APPLICATION},
    runs::RunStatus,
    time::date_time_text,
};
use jiff_sqlx::DateTime;
use serde::Serialize;
use uuid::Uuid;

use super::{mailer::Mail, sender::Requester};

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

/// What those whom the report would have reached are told: that it does not come, and whom to ask. Nothing of the run's cause, parameters or
/// data is in it.
#[derive(Serialize)]
pub struct Absence {
    aplikacija: String,
    naziv: String,
    ustanova: String,
    kada: String,
    razlog: &'static str,
    jos: i64,
    zakazao: String,
    #[serde(skip)]
    pub owner: Requester,
    /// Which of the recipients this one is, from 1.
    #[serde(skip)]
    pub place: Option<i32>,
}

/// Why no report comes, as its recipient reads it.
fn absence(status: RunStatus) -> Option<&'static str> {
    Some(match status {
        RunStatus::Failed => "Izveštaj nije mogao da se napravi.",
        RunStatus::Missed => "U vreme kada je trebalo da se napravi sistem nije radio.",
        RunStatus::SkippedOverlap => "Prethodni izveštaj istog zakazivanja u to vreme još nije bio gotov.",
        RunStatus::SkippedUnauthorised => "Zakazivanje više nije dozvoljeno.",
        RunStatus::SkippedPaused => "Zakazivanje je pauzirano: prethodni izveštaji zaredom nisu uspeli. Dok se ne nastavi, neće stizati.",
        RunStatus::SkippedEnded => "Zakazivanje je završeno i izveštaj više neće stizati.",
        _ => return None,
    })
}

/// What the recipient of this delivery is told of a report that does not come; `None`: the run made one after all, or was deleted.
pub async fn read_absence(mail: &Mail, run: Uuid, address: &str) -> sqlx::Result<Option<Absence>> {
    let row = sqlx::query!(
        r#"select r.status as "status: RunStatus", t.naziv, u.naziv as ustanova, r.fire_local as "fire_local: DateTime",
                  coalesce(r.fire_zone, s.vremenska_zona) as "zona!", w.ime || ' ' || w.prezime as "owner!",
                  case when w.aktivan then w.email end as owner_email, array_position(r.emails, $2) as place,
                  (select count(*) from report_run o
                    where o.zakazivanje_id = r.zakazivanje_id and o.status = r.status and o.created_at = r.created_at and o.id <> r.id) as "jos!"
             from report_run r join report t on t.id = r.izvestaj_id join institution u on u.id = r.ustanova_id
             join report_schedule s on s.id = r.zakazivanje_id join worker w on w.id = r.radnik_id
            where r.id = $1 and r.deleted_at is null"#,
        run,
        address,
    )
    .fetch_optional(&mail.app)
    .await?;
    let Some(row) = row else { return Ok(None) };
    let Some(razlog) = absence(row.status) else { return Ok(None) };
    let owner = Requester { name: row.owner, email: row.owner_email };
    Ok(Some(Absence {
        aplikacija: parameters::load(&mail.app).await?.text(&APPLICATION).to_owned(),
        naziv: row.naziv,
        ustanova: row.ustanova,
        kada: when(row.fire_local, &row.zona),
        razlog,
        jos: row.jos,
        zakazao: owner.shown(),
        owner,
        place: row.place,
    }))
}

/// By the clock of the zone, which it names; blank where a schedule ended while it was paused.
fn when(fire_local: Option<DateTime>, zone: &str) -> String {
    fire_local.map(|at| format!("{}, {zone}", date_time_text(at.to_jiff()))).unwrap_or_default()
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
        kada: when(row.fire_local, &row.zona),
        ishod,
        razlog: row.error_text.unwrap_or_else(|| why.to_owned()),
        savet,
        jos: row.jos,
        link: format!("{}/izvestaji/{run}", mail.public_url),
    }))
}
