//! What a recipient reads: subject, text and HTML from templates, a link that needs sign-in, files where the report
//! allows them.

use domain::{
    artifacts::StoreError,
    mail_address::domain_of,
    period::Period,
    recipients::Limits,
    report_wording::{About, Wording},
};
use jiff_sqlx::Timestamp;
use lettre::{
    Message,
    message::{
        Mailbox, MessageBuilder, MultiPart, SinglePart,
        header::{ContentType, HeaderName, HeaderValue},
    },
};
use serde::Serialize;
use uuid::Uuid;

use super::{
    attachment, digest,
    letters::{ABSENCE, DIGEST, LetterText, NOTICE, QUESTIONS, REPORT},
    mailer::Mail,
    notice, questions,
    queue::ClaimedDelivery,
    sender::Requester,
};
use crate::plan::{Format, grouped};

/// Bytes of all attachments of one message as they travel, in base64.
const MOST_ATTACHED: f64 = 10.0 * 1024.0 * 1024.0;
const BASE64_GROWTH: f64 = 1.37;

/// Why there is no message to send.
#[derive(Debug)]
pub enum LetterRefusal {
    /// The run was deleted or has expired.
    Gone,
    BadAddress,
    /// The installation does not mail reports there any more; the reason for the requester.
    NotAllowed(String),
    Defect(anyhow::Error),
    /// The database or the store of files does not answer.
    Passing(anyhow::Error),
}

impl From<sqlx::Error> for LetterRefusal {
    fn from(error: sqlx::Error) -> Self {
        LetterRefusal::Passing(error.into())
    }
}

impl From<StoreError> for LetterRefusal {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Away(_) => LetterRefusal::Passing(error.into()),
            StoreError::Io(error) => LetterRefusal::Defect(error.into()),
        }
    }
}

impl From<anyhow::Error> for LetterRefusal {
    fn from(error: anyhow::Error) -> Self {
        LetterRefusal::Defect(error)
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Page {
    /// The subject, and the lines that the mail begins with.
    naslov: String,
    uvod: Vec<String>,
    aplikacija: String,
    naziv: String,
    /// `oktobar 2026.`, where the report has one.
    period: Option<String>,
    ustanova: String,
    generisano: String,
    istice: Option<String>,
    redova: String,
    prazan: bool,
    skraceno: bool,
    napomena: Option<String>,
    /// What the files say beside their rows.
    napomene: Vec<String>,
    link: String,
    prilozi: bool,
    /// A report may be attached but is too large for it.
    prevelik: bool,
    datoteke: Vec<FileLine>,
    parametri: Vec<ParameterLine>,
    /// Who asked for it, and whether she can be answered.
    posiljalac: String,
    odgovor: bool,
}

#[derive(Serialize)]
struct FileLine {
    format: String,
    velicina: String,
}

#[derive(Serialize, serde::Deserialize)]
struct ParameterLine {
    naziv: String,
    vrednost: String,
}

/// Writes the message of one delivery, as it goes over the wire.
pub async fn write(mail: &Mail, claimed: &ClaimedDelivery) -> Result<Vec<u8>, LetterRefusal> {
    let to = claimed.to().ok_or(LetterRefusal::BadAddress)?;
    let Some(run_id) = claimed.run_id else {
        refuse_not_allowed(&Limits::load(&mail.app).await?, &claimed.address, None)?;
        let composed = match claimed.upiti_id {
            Some(letter) => {
                let waiting = questions::read(mail, letter).await?.ok_or(LetterRefusal::Gone)?;
                mail.letters.compose(QUESTIONS, &waiting)?
            }
            None => mail.letters.compose(DIGEST, &digest::read(mail, claimed).await?.ok_or(LetterRefusal::Gone)?)?,
        };
        let message = message(mail.from.clone(), None, Mailbox::new(None, to), &claimed.message_id, composed, Vec::new());
        return Ok(message.map_err(anyhow::Error::from)?.formatted());
    };
    if claimed.tells_absence() {
        let absence = notice::read_absence(mail, run_id, &claimed.address).await?.ok_or(LetterRefusal::Gone)?;
        refuse_not_allowed(&Limits::load(&mail.app).await?, &claimed.address, absence.place)?;
        let composed = mail.letters.compose(ABSENCE, &absence)?;
        let reply_to = absence.owner.reply_to();
        let message = message(mail.from.clone(), reply_to, Mailbox::new(None, to), &claimed.message_id, composed, Vec::new());
        return Ok(message.map_err(anyhow::Error::from)?.formatted());
    }
    if let Some(notice) = notice::read(mail, run_id).await? {
        let composed = mail.letters.compose(NOTICE, &notice)?;
        let message = message(mail.from.clone(), None, Mailbox::new(None, to), &claimed.message_id, composed, Vec::new());
        return Ok(message.map_err(anyhow::Error::from)?.formatted());
    }
    let run = read(mail, claimed).await?.ok_or(LetterRefusal::Gone)?;
    refuse_not_allowed(&Limits::load(&mail.app).await?, &claimed.address, run.place)?;
    let files = read_files(mail, run_id).await?;
    let wording = Wording::load(&mail.app).await?;
    let attached =
        if run.prilog_u_mejlu && fits(&files) { Some(load_files(mail, &wording.file_name(&run.about()), &files).await?) } else { None };
    let page = page(mail, &wording, run_id, &run, &files, attached.is_some());
    let composed = mail.letters.compose(REPORT, &page)?;
    let (from, reply_to) = (run.requester().from(&mail.from, wording.aplikacija()), run.requester().reply_to());
    let message = message(from, reply_to, Mailbox::new(None, to), &claimed.message_id, composed, attached.unwrap_or_default());
    Ok(message.map_err(anyhow::Error::from)?.formatted())
}

struct Run {
    naziv: String,
    ustanova: String,
    parametri: serde_json::Value,
    parametri_opis: serde_json::Value,
    prilog_u_mejlu: bool,
    truncated: bool,
    error_text: Option<String>,
    napomene: Vec<String>,
    rows_done: Option<i64>,
    zakazan: bool,
    finished_at: Option<Timestamp>,
    expires_at: Option<Timestamp>,
    /// Which of the recipients this one is, from 1.
    place: Option<i32>,
    posiljalac: String,
    posiljalac_email: Option<String>,
}

impl Run {
    fn requester(&self) -> Requester {
        Requester { name: self.posiljalac.clone(), email: self.posiljalac_email.clone() }
    }

    fn about(&self) -> About<'_> {
        About {
            izvestaj: &self.naziv,
            period: Period::of_values(&self.parametri),
            ustanova: &self.ustanova,
            posiljalac: &self.posiljalac,
            zakazan: self.zakazan,
            made: self.finished_at.map(Timestamp::to_jiff),
        }
    }
}

/// `None` when nothing is left to tell about.
async fn read(mail: &Mail, claimed: &ClaimedDelivery) -> sqlx::Result<Option<Run>> {
    sqlx::query_as!(
        Run,
        r#"select t.naziv, u.naziv as ustanova, r.parametri, r.parametri_opis,
                  -- A board is attached where nobody can be named in it; what its reports may leave the house with is theirs to say.
                  (t.prilog_u_mejlu or t.tabla is not null and r.bez_imena is true) as "prilog_u_mejlu!", r.truncated, r.error_text, r.napomene, r.rows_done,
                  r.zakazivanje_id is not null as "zakazan!", r.finished_at as "finished_at: Timestamp", r.expires_at as "expires_at: Timestamp",
                  array_position(r.emails, $2) as place, w.ime || ' ' || w.prezime as "posiljalac!",
                  case when w.aktivan then w.email end as posiljalac_email
             from report_run r
             join report t on t.id = r.izvestaj_id
             join institution u on u.id = r.ustanova_id
             join worker w on w.id = r.radnik_id
            where r.id = $1 and r.status = 'succeeded' and r.deleted_at is null and (r.expires_at is null or r.expires_at > now())"#,
        claimed.run_id,
        claimed.address,
    )
    .fetch_optional(&mail.app)
    .await
}

/// What was allowed when the report was ordered may not be any more, and a group may have grown since.
fn refuse_not_allowed(limits: &Limits, address: &str, place: Option<i32>) -> Result<(), LetterRefusal> {
    if !limits.domains.admits(address) {
        return Err(LetterRefusal::NotAllowed(format!("Na domen „{}” izveštaji se više ne šalju.", domain_of(address.trim()))));
    }
    if place.and_then(|place| usize::try_from(place).ok()).is_some_and(|place| place > limits.most) {
        return Err(LetterRefusal::NotAllowed(format!("Preko dozvoljenog broja primalaca ({}).", limits.most)));
    }
    Ok(())
}

struct StoredFile {
    format: String,
    path: String,
    bytes: i64,
}

async fn read_files(mail: &Mail, run: Uuid) -> sqlx::Result<Vec<StoredFile>> {
    sqlx::query_as!(
        StoredFile,
        "select a.format, a.path, a.bytes from report_artifact a left join report_format f on f.naziv_kratki = a.format
          where a.run_id = $1 and a.format <> 'EKRAN' order by f.id, a.format",
        run,
    )
    .fetch_all(&mail.app)
    .await
}

fn fits(files: &[StoredFile]) -> bool {
    files.iter().map(|file| file.bytes as f64 * BASE64_GROWTH).sum::<f64>() <= MOST_ATTACHED
}

async fn load_files(mail: &Mail, naziv: &str, files: &[StoredFile]) -> Result<Vec<SinglePart>, LetterRefusal> {
    let mut parts = Vec::new();
    for file in files {
        let format: Format = file.format.parse().map_err(anyhow::Error::from)?;
        let content = mail.store.read(&file.path).await?;
        let name = format!("{naziv}.{}", format.extension());
        parts.push(attachment::part(&name, content, ContentType::parse(format.content_type()).map_err(anyhow::Error::from)?));
    }
    Ok(parts)
}

fn page(mail: &Mail, wording: &Wording, id: Uuid, run: &Run, files: &[StoredFile], attached: bool) -> Page {
    let local = |at: Timestamp| at.to_jiff().to_zoned(domain::time::zone()).datetime();
    let rows = run.rows_done.and_then(|rows| u64::try_from(rows).ok()).unwrap_or_default();
    // What was asked for may name a patient: it leaves the house only where the report itself may.
    let parametri = if run.prilog_u_mejlu { serde_json::from_value(run.parametri_opis.clone()).unwrap_or_default() } else { Vec::new() };
    Page {
        naslov: wording.subject(&run.about()),
        uvod: wording.text(&run.about()),
        aplikacija: wording.aplikacija().to_owned(),
        naziv: run.naziv.clone(),
        period: Period::of_values(&run.parametri).map(Period::words),
        ustanova: run.ustanova.clone(),
        generisano: run.finished_at.map(|at| domain::time::date_time_text(local(at))).unwrap_or_default(),
        istice: run.expires_at.map(|at| domain::time::date_text(local(at).date())),
        redova: grouped(rows),
        prazan: rows == 0,
        skraceno: run.truncated,
        napomena: run.error_text.clone(),
        napomene: run.napomene.clone(),
        link: format!("{}/izvestaji/{id}", mail.public_url),
        prilozi: attached,
        prevelik: run.prilog_u_mejlu && !attached,
        datoteke: files.iter().map(|file| FileLine { format: file.format.clone(), velicina: size(file.bytes) }).collect(),
        parametri,
        posiljalac: run.requester().shown(),
        odgovor: run.requester().reply_to().is_some(),
    }
}

fn size(bytes: i64) -> String {
    let decimal = |number: f64| format!("{number:.1}").replace('.', ",");
    match bytes {
        0..1024 => format!("{bytes} B"),
        1024..1_048_576 => format!("{} KB", decimal(bytes as f64 / 1024.0)),
        _ => format!("{} MB", decimal(bytes as f64 / 1_048_576.0)),
    }
}

fn message(
    from: Mailbox,
    reply_to: Option<Mailbox>,
    to: Mailbox,
    message_id: &str,
    composed: LetterText,
    attached: Vec<SinglePart>,
) -> Result<Message, lettre::error::Error> {
    let builder = Message::builder()
        .from(from)
        .to(to)
        .subject(composed.subject)
        .message_id(Some(message_id.to_owned()))
        .date_now()
        // RFC 3834: out-of-office replies stay out.
        .raw_header(HeaderValue::new(HeaderName::new_from_ascii_str("Auto-Submitted"), "auto-generated".to_owned()));
    let builder = reply_to.into_iter().fold(builder, MessageBuilder::reply_to);
    let body = MultiPart::alternative_plain_html(composed.text, composed.html);
    if attached.is_empty() {
        return builder.multipart(body);
    }
    let whole = attached.into_iter().fold(MultiPart::mixed().multipart(body), MultiPart::singlepart);
    builder.multipart(whole)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::mail::letters::Letters;

    fn letters() -> Letters {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../templates/email");
        Letters::load(&folder).expect("the shipped letters compile")
    }

    fn ordinary() -> Page {
        Page {
            naslov: "Regix: Ishod po polu & dobi".to_owned(),
            uvod: ["Poštovani <svi>,", "", "stiže „Ishod po polu & dobi”."].map(str::to_owned).to_vec(),
            aplikacija: "Regix".to_owned(),
            naziv: "Ishod po polu & dobi".to_owned(),
            period: None,
            ustanova: "Klinički centar Srbije".to_owned(),
            generisano: "21.11.2026. 08:00".to_owned(),
            istice: Some("21.12.2026.".to_owned()),
            redova: "1.204".to_owned(),
            prazan: false,
            skraceno: false,
            napomena: None,
            napomene: Vec::new(),
            link: "https://regix.rs/izvestaji/1".to_owned(),
            prilozi: false,
            prevelik: false,
            datoteke: vec![FileLine { format: "PDF".to_owned(), velicina: "1,2 MB".to_owned() }],
            parametri: Vec::new(),
            posiljalac: "Ana Anić".to_owned(),
            odgovor: false,
        }
    }

    #[test]
    fn the_letter_leads_to_the_run_and_escapes_html_only_in_html() {
        let composed = letters().compose(REPORT, &ordinary()).unwrap();
        assert_eq!(composed.subject, "Regix: Ishod po polu & dobi");
        assert!(composed.text.contains("https://regix.rs/izvestaji/1"), "{}", composed.text);
        assert!(composed.text.starts_with("Poštovani <svi>,\n\nstiže „Ishod po polu & dobi”.\n\nUstanova:"), "{}", composed.text);
        assert!(composed.html.contains("Poštovani &lt;svi&gt;,<br><br>stiže „Ishod po polu &amp; dobi”."), "{}", composed.html);
        assert!(composed.html.contains("href=\"https://regix.rs/izvestaji/1\""), "{}", composed.html);
        for body in [&composed.text, &composed.html] {
            assert!(body.contains("21.12.2026."), "it says until when");
            assert!(!body.contains("skraćen"), "nothing was cut");
        }
    }

    #[test]
    fn the_period_stands_in_both_texts() {
        let composed = letters().compose(REPORT, &Page { period: Some("oktobar 2026.".to_owned()), ..ordinary() }).unwrap();
        assert!(composed.text.contains("oktobar 2026.") && composed.html.contains("oktobar 2026."));
    }

    #[test]
    fn what_the_reader_must_know_is_said_in_text_and_html() {
        let cut = Page { skraceno: true, prevelik: true, napomena: Some("PDF nije napravljen.".to_owned()), ..ordinary() };
        let empty = Page { prazan: true, ..ordinary() };
        let letters = letters();
        let (cut, empty) = (letters.compose(REPORT, &cut).unwrap(), letters.compose(REPORT, &empty).unwrap());
        for body in [cut.text, cut.html] {
            assert!(body.contains("skraćen") && body.contains("PDF nije napravljen.") && body.contains("prevelik"), "{body}");
        }
        for body in [empty.text, empty.html] {
            assert!(body.contains("nema podataka"), "{body}");
        }
    }

    #[test]
    fn sizes_read_as_people_write_them() {
        assert_eq!([size(900), size(1536), size(2_621_440)], ["900 B", "1,5 KB", "2,5 MB"]);
    }
}
