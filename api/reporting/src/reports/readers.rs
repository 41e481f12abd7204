//! Who was meant to read a run: whether it was mailed to them, what the server answered, whether they opened it; and sending again to
//! one. Opening is what a signed-in recipient does here: no mail carries anything that tells of its being read.

use accounts::rights::{Allowed, Reports};
use axum::{extract::State, http::StatusCode};
use domain::{db, jobs::MAIL_QUEUE, recipients::Limits, runs::RunStatus, time::server_text};
use platform::{
    error::{Error, Result},
    extract::{Json, Path},
    result_file::expired,
    routes::{Routes, routes},
    state::AppState,
};
use serde::{Deserialize, Serialize};
use sqlx::PgPool;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    access::left_institution,
    recipients::refuse_foreign_domain,
    runs::OwnRun,
    trail::{self, ReportAction},
};

/// Mails of one run to one recipient.
const MOST_SENDINGS: i32 = 5;
/// Minutes in which looks at a run are one opening.
const ONE_OPENING_MINUTES: i32 = 10;

pub fn routes() -> Routes {
    Routes::new().routes(routes!(send_again))
}

/// One whom a run was meant for, as its requester sees her.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RunRecipient {
    adresa: String,
    /// The worker who was chosen, or a colleague whose account has the address; other accounts are not told of before they open it.
    radnik: Option<String>,
    /// pending, sending, sent, failed, uncertain; null: there is no mail yet.
    status: Option<String>,
    /// What came of the mail, in words.
    opis: Option<String>,
    vreme: Option<String>,
    /// How many mails were sent to her, or are to be; the next one is sent after this number.
    redni_broj: i32,
    /// When she was told that no report comes.
    obavesteno: Option<String>,
    /// Whether one may be sent again now.
    moze_ponovo: bool,
    /// When she opened it first, and how often she did. Of who has no account nothing is known.
    otvoreno: Option<String>,
    otvaranja: i32,
    ima_nalog: bool,
}

pub async fn of_runs(db: &PgPool, runs: &[Uuid]) -> Result<Vec<(Uuid, RunRecipient)>> {
    let rows = sqlx::query!(
        r#"select p.run_id, p.adresa, p.prvo_otvaranje, p.otvaranja, p.radnik_id is not null or o.radnik is not null as "ima_nalog!",
                  coalesce(w.ime || ' ' || w.prezime, o.radnik) as radnik, d.status as "status?", d.smtp_code as "smtp_code?",
                  d.smtp_text as "smtp_text?", d.sent_at as "sent_at?", told.sent_at as "told_at?", coalesce(d.redni_broj, 0) as "redni_broj!",
                  r.status = 'succeeded' and coalesce(r.expires_at > now(), false) as "ziv!",
                  coalesce(d.status in ('sent', 'failed') or d.status = 'uncertain' and d.next_attempt_at = 'infinity', false) as "miruje!"
             from report_recipient p
             join report_run r on r.id = p.run_id
             left join worker w on w.id = p.radnik_id
             left join lateral (select a.ime || ' ' || a.prezime as radnik from worker a
                                 where lower(btrim(a.email)) = lower(p.adresa)
                                   and (p.otvaranja > 0 or a.id in (select c.radnik_id from colleagues_of(r.radnik_id) c)) order by a.id limit 1) o on true
             left join lateral (select * from report_delivery d where d.run_id = p.run_id and d.address = p.adresa
                                   and d.message_id not like '%.primalac@regix>' and d.message_id not like '%.vlasnik@regix>'
                                 order by d.redni_broj desc limit 1) d on true
             left join lateral (select max(n.sent_at) as sent_at from report_delivery n
                                 where n.run_id = p.run_id and n.address = p.adresa and n.status = 'sent'
                                   and (n.message_id like '%.primalac@regix>' or n.message_id like '%.vlasnik@regix>')) told on true
            where p.run_id = any($1) order by p.run_id, p.redosled"#,
        runs
    )
    .fetch_all(db)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| {
            let opis = row.status.as_deref().and_then(|status| told(status, row.smtp_code, row.smtp_text.as_deref()));
            let recipient = RunRecipient {
                adresa: row.adresa,
                radnik: row.radnik,
                opis,
                vreme: row.sent_at.map(|at| server_text(at.to_jiff())),
                redni_broj: row.redni_broj,
                obavesteno: row.told_at.map(|at| server_text(at.to_jiff())),
                moze_ponovo: row.ziv && row.miruje && row.redni_broj < MOST_SENDINGS,
                otvoreno: row.prvo_otvaranje.map(|at| server_text(at.to_jiff())),
                otvaranja: row.otvaranja,
                ima_nalog: row.ima_nalog,
                status: row.status,
            };
            (row.run_id, recipient)
        })
        .collect())
}

/// What a mail server's answer means, with the answer itself; nothing where all went well.
fn told(status: &str, code: Option<i32>, text: Option<&str>) -> Option<String> {
    let text = text.map(str::trim).filter(|text| !text.is_empty());
    let meaning = match (status, code) {
        ("sent", _) => return None,
        (_, Some(550 | 551 | 553)) => "Primalac sa tom adresom ne postoji ili ne prima poštu",
        (_, Some(552 | 452)) => "Sanduče primaoca je puno",
        (_, Some(554)) => "Server primaoca je odbio poruku",
        (_, Some(530 | 534 | 535)) => "E-mail server ne prihvata prijavu aplikacije",
        (_, Some(400..=499)) => "Server trenutno ne prima poruku, pokušaće se ponovo",
        (_, Some(500..=599)) => "E-mail server je odbio poruku",
        _ => return text.map(str::to_owned),
    };
    Some(text.map_or_else(|| format!("{meaning}."), |text| format!("{meaning}. Odgovor servera: {text}")))
}

/// Notes that a recipient has the run before her.
pub async fn opened(db: &PgPool, worker: i64, run: Uuid) -> Result<()> {
    sqlx::query!(
        "update report_recipient p
            set prvo_otvaranje = coalesce(p.prvo_otvaranje, now()), poslednje_otvaranje = now(),
                otvaranja = p.otvaranja + 1
           from worker w, report_run r
          where p.run_id = $1 and r.id = p.run_id and w.id = $2 and r.radnik_id <> w.id
            and (p.radnik_id = w.id or lower(p.adresa) = lower(btrim(w.email)))
            and (p.poslednje_otvaranje is null or p.poslednje_otvaranje < now() - make_interval(mins => $3))",
        run,
        worker,
        ONE_OPENING_MINUTES
    )
    .execute(db)
    .await?;
    Ok(())
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SendAgain {
    adresa: String,
    /// The number of the mail that the requester has seen: pressed twice, one is sent.
    redni_broj: i32,
}

/// Mails the run once more to one of its recipients.
#[utoipa::path(post, path = "/api/report-runs/{id}/send", tag = "izvestaji", params(("id" = Uuid, Path)), request_body = SendAgain,
    responses((status = 202), (status = 409, description = "Slanje još traje"), (status = 410, description = "Istekao"),
        (status = 422, description = "Polje i poruka"), (status = 429, description = "Poslato previše puta")))]
async fn send_again(
    State(state): State<AppState>,
    actor: Allowed<Reports>,
    Path(id): Path<Uuid>,
    Json(request): Json<SendAgain>,
) -> Result<StatusCode> {
    let mut tx = db::begin(&state.db, actor.radnik_id).await?;
    let run = OwnRun::lock(&mut tx, actor.radnik_id, id).await?;
    let now = sqlx::query!(
        r#"select coalesce(r.expires_at <= now(), false) as "istekao!", works_at($2, r.ustanova_id) as "radi_u_ustanovi!", u.naziv as ustanova
             from report_run r join institution u on u.id = r.ustanova_id where r.id = $1"#,
        id,
        actor.radnik_id
    )
    .fetch_one(&mut *tx)
    .await?;
    if !now.radi_u_ustanovi {
        return Err(left_institution(&now.ustanova));
    }
    if run.status != RunStatus::Succeeded {
        return Err(Error::conflict("Izveštaj nije napravljen, pa nema šta da se pošalje."));
    }
    if now.istekao {
        return Err(expired());
    }
    let last = sqlx::query!(
        r#"select d.address, d.message_id, d.redni_broj,
                  d.status in ('sent', 'failed') or d.status = 'uncertain' and d.next_attempt_at = 'infinity' as "miruje!"
             from report_delivery d join report_recipient p on p.run_id = d.run_id and p.adresa = d.address
            where d.run_id = $1 and d.address = $2 and d.message_id not like '%.primalac@regix>' and d.message_id not like '%.vlasnik@regix>'
            order by d.redni_broj desc limit 1"#,
        id,
        request.adresa
    )
    .fetch_optional(&mut *tx)
    .await?
    .ok_or_else(|| Error::invalid("adresa", "Ovaj izveštaj nije poslat na tu adresu."))?;
    if last.redni_broj > request.redni_broj {
        // The same press of the button, told twice.
        return Ok(StatusCode::ACCEPTED);
    }
    if !last.miruje {
        return Err(Error::conflict("Slanje na ovu adresu još traje. Sačekajte da se završi."));
    }
    if last.redni_broj >= MOST_SENDINGS {
        return Err(Error::too_many(format!("Na ovu adresu je izveštaj već poslat {MOST_SENDINGS} puta.")));
    }
    refuse_foreign_domain(&Limits::load(&mut *tx).await?, [last.address.as_str()])?;
    let next = last.redni_broj + 1;
    let delivery = sqlx::query_scalar!(
        "insert into report_delivery (run_id, address, message_id, redni_broj) values ($1, $2, $3, $4) returning id",
        id,
        last.address,
        numbered(&last.message_id, next),
        next
    )
    .fetch_one(&mut *tx)
    .await?;
    trail::record(&mut tx, actor.radnik_id, ReportAction::SendAgain, &run.subject(id), None).await?;
    tx.commit().await?;
    if let Err(error) = state.dispatcher.push(delivery, MAIL_QUEUE).await {
        tracing::warn!(run = %id, delivery, cause = %error, "no engine was told of a delivery; the poll will find it");
    }
    Ok(StatusCode::ACCEPTED)
}

/// A Message-ID of its own: a mail server would take the same one for a repetition, and drop it.
fn numbered(message_id: &str, number: i32) -> String {
    let (local, domain) = message_id.trim_matches(['<', '>']).split_once('@').unwrap_or((message_id, "regix"));
    let first = match local.rsplit_once(".p") {
        Some((first, digits)) if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) => first,
        _ => local,
    };
    format!("<{first}.p{number}@{domain}>")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_sending_has_a_message_id_of_its_own() {
        let first = "<01a2.9f8e7d6c5b4a3f2e@bolnica.rs>";
        let second = numbered(first, 2);
        assert_eq!(second, "<01a2.9f8e7d6c5b4a3f2e.p2@bolnica.rs>");
        assert_eq!(numbered(&second, 3), "<01a2.9f8e7d6c5b4a3f2e.p3@bolnica.rs>");
    }

    #[test]
    fn a_servers_answer_is_told_in_plain_words_with_the_answer() {
        assert_eq!(told("sent", Some(250), Some("kept")), None);
        assert_eq!(
            told("failed", Some(550), Some("no such user")).unwrap(),
            "Primalac sa tom adresom ne postoji ili ne prima poštu. Odgovor servera: no such user"
        );
        assert_eq!(told("pending", Some(451), None).unwrap(), "Server trenutno ne prima poruku, pokušaće se ponovo.");
        assert_eq!(told("failed", None, Some("Adresa nije ispravna.")).unwrap(), "Adresa nije ispravna.");
    }
}
