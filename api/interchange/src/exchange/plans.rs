//! Visit plans of a register as a definition has them: by the codes of forms and fields.

use configuration::admin::visit_plan::store;
use platform::error::Result;
use sqlx::PgConnection;

use crate::import::definition::{FormDefinition, PlanDefinition, VisitDefinition};

pub async fn load(db: &mut PgConnection, register: i64, forms: &[FormDefinition]) -> Result<Vec<PlanDefinition>> {
    let form = |id: i64| forms.iter().find(|form| form.id == Some(id));
    let field = |id: i64| {
        let holder = forms.iter().find(|form| form.polja.iter().any(|field| field.id == Some(id)))?;
        let field = holder.polja.iter().find(|field| field.id == Some(id))?;
        Some(format!("{}.{}", holder.sifra_veza, field.sifra))
    };
    let rows = sqlx::query!(
        "select id, sifra, naziv, podrazumevani from visit_plan where registar_id = $1 and aktivan order by podrazumevani desc, sifra, id",
        register
    );
    let mut plans = Vec::new();
    for row in rows.fetch_all(&mut *db).await? {
        let visits = store::items_of(&mut *db, row.id, None).await?.into_iter().map(|item| VisitDefinition {
            sifra: item.sifra,
            naziv: item.naziv,
            sidro: item.sidro,
            sidro_polje: item.sidro_polje_id.and_then(field),
            pomeraj: item.pomeraj,
            jedinica: item.jedinica,
            prozor_pre: item.prozor_pre,
            prozor_posle: item.prozor_posle,
            ceka_dana: item.ceka_dana,
            ponavlja_meseci: item.ponavlja_meseci,
            ponavlja_do_meseci: item.ponavlja_do_meseci,
            formulari: item.formulari.iter().filter_map(|id| Some(form(*id)?.sifra_veza.clone())).collect(),
            uslov: item.uslov,
            uslov_formular: item.uslov_form_id.and_then(|id| Some(form(id)?.sifra_veza.clone())),
        });
        plans.push(PlanDefinition {
            posete: visits.collect(),
            id: Some(row.id),
            sifra: row.sifra,
            naziv: row.naziv,
            podrazumevani: row.podrazumevani,
        });
    }
    Ok(plans)
}
