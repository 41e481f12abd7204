//! What the log keeps of a report's life: who asked for it, stopped it, fetched it or deleted it, with the values of
//! those parameters whose type is `logged`, and the patient whom a parameter names. Patients are kept by their ids: who reads
//! the log is told the names of those whom her institution knows.

use platform::number_mask::mask_numbers;
use serde_json::{Value, json};
use sqlx::PgConnection;
use uuid::Uuid;

use super::values::DescribedValue;

/// `link` of a parameter type whose values are patients.
pub const PATIENT_LINK: &str = "pacijent";
/// The key of a logged value that names patients, by their ids.
pub const PATIENTS: &str = "pacijenti";

#[derive(Clone, Copy)]
pub enum ReportAction {
    Create,
    Change,
    Cancel,
    Pause,
    Resume,
    /// Of a schedule, when its report is taken away.
    End,
    Download,
    SendAgain,
    Delete,
}

impl ReportAction {
    fn akcija(self) -> &'static str {
        match self {
            Self::Create => "kreiranje",
            Self::Change => "izmena",
            Self::Cancel => "otkazivanje",
            Self::Pause => "pauziranje",
            Self::Resume => "nastavljanje",
            Self::End => "završavanje",
            Self::Download => "preuzimanje",
            Self::SendAgain => "ponovno slanje",
            Self::Delete => "brisanje",
        }
    }
}

/// A run or a schedule, as the log names it.
pub struct Subject<'a> {
    /// `report_run` or `report_schedule`.
    pub klasa: &'static str,
    pub red_id: String,
    pub izvestaj_id: i64,
    /// Raw values by request name.
    pub parametri: &'a Value,
    /// The same as people read them.
    pub opis: &'a [DescribedValue],
}

/// Writes the row in the caller's transaction; `note` follows the report's name (a format, for one).
pub async fn record(tx: &mut PgConnection, worker: i64, deed: ReportAction, subject: &Subject<'_>, note: Option<&str>) -> sqlx::Result<()> {
    let told = sqlx::query!(
        r#"select p.naziv, p.request_naziv, t.logged, coalesce(t.link = $2, false) as "names_patient!"
             from report_parameter p join report_parameter_type t on t.id = p.tip_id
            where p.izvestaj_id = $1 and (t.logged or t.link = $2) order by p.prikazni_redosled, p.id"#,
        subject.izvestaj_id,
        PATIENT_LINK
    )
    .fetch_all(&mut *tx)
    .await?;
    let patients_in = |request_naziv: &str| subject.parametri.get(request_naziv).map(patients).unwrap_or_default();
    let named: Vec<i64> =
        told.iter().filter(|parameter| parameter.names_patient).flat_map(|parameter| patients_in(&parameter.request_naziv)).collect();
    let patient = if let [only] = named[..] { Some(only) } else { None };
    // A file shows what its run has shown.
    let of_run = matches!(deed, ReportAction::Download).then(|| Uuid::parse_str(&subject.red_id).ok()).flatten();
    let fields: Vec<Value> = told
        .iter()
        .filter(|parameter| parameter.logged)
        .filter_map(|parameter| {
            let value = value_of(subject, &parameter.naziv, &parameter.request_naziv)?;
            let nova = if parameter.names_patient {
                json!({ PATIENTS: patients_in(&parameter.request_naziv) })
            } else {
                mask_numbers(&value).into()
            };
            Some(json!({ "naziv": parameter.naziv, "stara": null, "nova": nova }))
        })
        .collect();
    let row = sqlx::query!(
        r#"
        with row as (
            insert into audit_log (radnik_id, klasa, akcija, red_id, opis, polja, pacijent_id)
            select $1, $2, $3, $4, concat_ws(', ', r.naziv, $6::text), $7, $8 from report r where r.id = $5
            returning vreme_pristupa, id),
        shown as (
            insert into audit_log_patient (vreme_pristupa, log_id, pacijent_id)
            select row.vreme_pristupa, row.id, p.id from row, (select distinct unnest($9::bigint[])) p (id) where $8::bigint is null)
        select vreme_pristupa as "moment!", id as "id!" from row
        "#,
        worker,
        subject.klasa,
        deed.akcija(),
        subject.red_id,
        subject.izvestaj_id,
        note,
        Value::Array(fields),
        patient,
        &named,
    )
    .fetch_optional(&mut *tx)
    .await?;
    if let (Some(row), Some(run)) = (row, of_run) {
        sqlx::query!("select log_patients_of_run($1, $2, $3)", row.moment as _, row.id, run).fetch_one(tx).await?;
    }
    Ok(())
}

/// The patients that a value names: an id, or a list of them.
fn patients(value: &Value) -> Vec<i64> {
    let id = |value: &Value| value.as_i64().or_else(|| value.as_str()?.trim().parse().ok());
    match value {
        Value::Array(values) => values.iter().filter_map(id).collect(),
        one => id(one).into_iter().collect(),
    }
}

/// The readable value where there is one; a hidden parameter has only the raw one.
fn value_of(subject: &Subject<'_>, naziv: &str, request_naziv: &str) -> Option<String> {
    if let Some(described) = subject.opis.iter().find(|described| described.naziv == naziv) {
        return Some(described.vrednost.clone());
    }
    match subject.parametri.get(request_naziv)? {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::patients;

    #[test]
    fn a_value_names_one_patient_or_several_as_numbers_or_as_texts() {
        assert_eq!(patients(&json!(["7", 8, " 9 ", "x", null])), [7, 8, 9]);
        assert_eq!(patients(&json!(7)), [7]);
        assert_eq!(patients(&json!("")), [0_i64; 0]);
    }
}
