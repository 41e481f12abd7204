//! The weekly letter about visits: counts and a link, never a name.

use domain::{
    parameters::{self, APPLICATION},
    time::date_text,
};
use serde::Serialize;

use super::{mailer::Mail, queue::ClaimedDelivery};
use crate::plan::grouped;

/// Beyond it the lists do not count.
const COUNTED: i32 = 1000;

#[derive(Serialize)]
pub struct Digest {
    aplikacija: String,
    ustanova: String,
    /// The Monday of its week.
    nedelja: String,
    kasni: String,
    otvoreno: String,
    link: String,
}

/// `None`: the worker does not want it any more, or opens no patients there.
pub async fn read(mail: &Mail, claimed: &ClaimedDelivery) -> sqlx::Result<Option<Digest>> {
    let row = sqlx::query!(
        r#"select u.naziv as ustanova, d.nedelja as "nedelja: jiff_sqlx::Date", d.kasni, d.otvoreno
             from visit_digest d join institution u on u.id = d.ustanova_id join worker w on w.id = d.radnik_id and w.aktivan
             join worker_start s on s.radnik_id = d.radnik_id and s.nedeljni_pregled
            where d.id = $1 and opens_patients(d.radnik_id) and works_at(d.radnik_id, d.ustanova_id)"#,
        claimed.pregled_id,
    )
    .fetch_optional(&mail.app)
    .await?;
    let Some(row) = row else { return Ok(None) };
    Ok(Some(Digest {
        aplikacija: parameters::load(&mail.app).await?.text(&APPLICATION).to_owned(),
        ustanova: row.ustanova,
        nedelja: date_text(row.nedelja.to_jiff()),
        kasni: counted(row.kasni),
        otvoreno: counted(row.otvoreno),
        link: format!("{}/mojDan", mail.public_url),
    }))
}

fn counted(count: i32) -> String {
    match count {
        more if more > COUNTED => format!("više od {}", grouped(u64::from(COUNTED.unsigned_abs()))),
        count => grouped(u64::from(count.unsigned_abs())),
    }
}
