//! The letter about questions: how many wait for the worker in an institution, and a link; nothing of what is asked, and of whom.

use domain::parameters::{self, APPLICATION};
use serde::Serialize;

use super::mailer::Mail;
use crate::plan::grouped;

#[derive(Serialize)]
pub struct WaitingQuestions {
    aplikacija: String,
    ustanova: String,
    /// Hers to answer.
    pitanja: String,
    /// Answered to her, who asked.
    odgovora: String,
    link: String,
}

/// As it is at this moment. `None`: none waits any more, the worker does not want letters, or may not open patients there.
pub async fn read(mail: &Mail, letter: i64) -> sqlx::Result<Option<WaitingQuestions>> {
    let row = sqlx::query!(
        r#"select u.naziv as ustanova, count(*) filter (where o.stanje <> 'odgovoren') as "pitanja!",
                  count(*) filter (where o.stanje = 'odgovoren') as "odgovora!"
             from question_letter l join institution u on u.id = l.ustanova_id join worker w on w.id = l.radnik_id and w.aktivan
             join open_question o on o.ustanova_id = l.ustanova_id and waits_for(o.upit, l.radnik_id)
            where l.id = $1 and may_be_asked(l.radnik_id, l.ustanova_id)
              and not exists (select from worker_start s where s.radnik_id = l.radnik_id and not s.javi_upite)
            group by u.naziv"#,
        letter,
    )
    .fetch_optional(&mail.app)
    .await?;
    let Some(row) = row else { return Ok(None) };
    let counted = |count: i64| grouped(count.unsigned_abs());
    Ok(Some(WaitingQuestions {
        aplikacija: parameters::load(&mail.app).await?.text(&APPLICATION).to_owned(),
        ustanova: row.ustanova,
        pitanja: counted(row.pitanja),
        odgovora: counted(row.odgovora),
        link: format!("{}/mojiUpiti", mail.public_url),
    }))
}
