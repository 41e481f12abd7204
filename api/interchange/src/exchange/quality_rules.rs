//! Rules of quality of a register as a definition has them: by the codes of forms and fields.

use domain::entry::quality::{QualityKind, Severity};
use platform::error::Result;
use sqlx::PgConnection;

use crate::import::definition::{FormDefinition, QualityRuleDefinition, Unknown};

/// Those of a form or a field that is no longer in use find nothing, and stay behind.
pub async fn load(db: &mut PgConnection, register: i64, forms: &[FormDefinition]) -> Result<Vec<QualityRuleDefinition>> {
    let rows = sqlx::query!(
        r#"select id, form_id, naziv, poruka, vrsta as "vrsta: QualityKind", tezina as "tezina: Severity", polje_id, drugo_polje_id, donja_granica,
                  gornja_granica, razlika, dana, formula
             from quality_rule where registar_id = $1 and aktivan order by naziv collate "C", id"#,
        register
    );
    let mut rules = Vec::new();
    for row in rows.fetch_all(db).await? {
        let form = row.form_id.and_then(|id| forms.iter().find(|form| form.id == Some(id)));
        let code = |id: Option<i64>| {
            let field = form?.polja.iter().find(|field| id.is_some() && field.id == id)?;
            Some(field.sifra.clone())
        };
        let (polje, drugo_polje) = (code(row.polje_id), code(row.drugo_polje_id));
        let names_what_is_gone = row.form_id.is_some() && form.is_none()
            || row.polje_id.is_some() && polje.is_none()
            || row.drugo_polje_id.is_some() && drugo_polje.is_none();
        if names_what_is_gone {
            continue;
        }
        rules.push(QualityRuleDefinition {
            id: Some(row.id),
            naziv: row.naziv,
            formular: form.map(|form| form.sifra_veza.clone()),
            vrsta: row.vrsta.name().to_owned(),
            tezina: row.tezina.name().to_owned(),
            poruka: row.poruka,
            polje,
            drugo_polje,
            donja_granica: row.donja_granica,
            gornja_granica: row.gornja_granica,
            razlika: row.razlika,
            dana: row.dana,
            formula: row.formula,
            unknown: Unknown::default(),
        });
    }
    Ok(rules)
}
