//! Stores the visit plans of a definition: a plan is known by its code, and one whose visits differ gets a new version.

use configuration::admin::visit_plan::{checked, item::PlanItem, store as plan_store};
use platform::{error::Error, rows::Changes};
use sqlx::PgConnection;

use super::{
    definition::{Definition, PlanDefinition, VisitDefinition},
    register::StorageRefusal,
};

/// What was written, and the plans of the register that the file does not name.
pub struct StoredPlans {
    pub changes: Changes,
    pub missing: Vec<String>,
}

/// Written when the forms and fields of the definition are.
pub async fn store(tx: &mut PgConnection, register: i64, definition: &Definition) -> anyhow::Result<StoredPlans> {
    let mut changes = Changes::default();
    let mut named = Vec::new();
    for plan in &definition.planovi {
        let (id, written) = store_plan(&mut *tx, register, plan).await?;
        named.push(id);
        changes += written;
    }
    let missing = sqlx::query_scalar!(
        r#"select 'plan poseta „' || naziv || '”' as "opis!" from visit_plan where registar_id = $1 and aktivan and id <> all ($2) order by 1"#,
        register,
        &named
    );
    Ok(StoredPlans { changes, missing: missing.fetch_all(tx).await? })
}

async fn store_plan(tx: &mut PgConnection, register: i64, plan: &PlanDefinition) -> anyhow::Result<(i64, Changes)> {
    let mut changes = Changes::default();
    let mut items = Vec::with_capacity(plan.posete.len());
    for visit in &plan.posete {
        items.push(item(&mut *tx, register, plan, visit).await?);
    }
    let formulas = checked(&mut *tx, register, &items).await.map_err(|error| refusal(plan, error))?;
    let known = sqlx::query_scalar!(
        "select id from visit_plan where registar_id = $1 and aktivan and fold(sifra) = fold($2) for update",
        register,
        plan.sifra
    );
    let id = match known.fetch_optional(&mut *tx).await? {
        Some(id) => {
            let renamed = sqlx::query!("update visit_plan set naziv = $2 where id = $1 and naziv <> $2", id, plan.naziv);
            changes.updated += renamed.execute(&mut *tx).await?.rows_affected();
            id
        }
        None => {
            changes.created += 1;
            sqlx::query_scalar!(
                "insert into visit_plan (registar_id, sifra, naziv) values ($1, $2, $3) returning id",
                register,
                plan.sifra,
                plan.naziv
            )
            .fetch_one(&mut *tx)
            .await?
        }
    };
    if plan_store::items_of(&mut *tx, id, None).await.map_err(|error| refusal(plan, error))? != items {
        let published = plan_store::publish(&mut *tx, id, (&items, &formulas), None, true).await;
        changes.updated += u64::from(published.map_err(|error| refusal(plan, error))? > 1);
    }
    let is_default = sqlx::query_scalar!("select podrazumevani from visit_plan where id = $1", id).fetch_one(&mut *tx).await?;
    if plan.podrazumevani && !is_default {
        plan_store::make_default(tx, id, register).await.map_err(|error| refusal(plan, error))?;
    }
    Ok((id, changes))
}

/// The visit with ids in the place of codes.
async fn item(tx: &mut PgConnection, register: i64, plan: &PlanDefinition, visit: &VisitDefinition) -> anyhow::Result<PlanItem> {
    let mut formulari = Vec::with_capacity(visit.formulari.len());
    for code in &visit.formulari {
        formulari.push(form(&mut *tx, register, plan, code).await?);
    }
    let uslov_form_id = match &visit.uslov_formular {
        Some(code) => Some(form(&mut *tx, register, plan, code).await?),
        None => None,
    };
    let sidro_polje_id = match &visit.sidro_polje {
        Some(code) => Some(field(tx, register, plan, code).await?),
        None => None,
    };
    Ok(PlanItem {
        sifra: visit.sifra.clone(),
        naziv: visit.naziv.clone(),
        sidro: visit.sidro,
        sidro_polje_id,
        pomeraj: visit.pomeraj,
        jedinica: visit.jedinica,
        prozor_pre: visit.prozor_pre,
        prozor_posle: visit.prozor_posle,
        ceka_dana: visit.ceka_dana,
        ponavlja_meseci: visit.ponavlja_meseci,
        ponavlja_do_meseci: visit.ponavlja_do_meseci,
        formulari,
        uslov: visit.uslov.clone(),
        uslov_form_id,
    })
}

async fn form(tx: &mut PgConnection, register: i64, plan: &PlanDefinition, code: &str) -> anyhow::Result<i64> {
    let id = sqlx::query_scalar!(
        "select id from form where registar_id = $1 and aktivan and sifra_veza = $2 order by id limit 1",
        register,
        code
    );
    let found = id.fetch_optional(tx).await?;
    found.ok_or_else(|| StorageRefusal(format!("plan „{}”: registar nema formular sa šifrom „{code}”", plan.naziv)).into())
}

async fn field(tx: &mut PgConnection, register: i64, plan: &PlanDefinition, code: &str) -> anyhow::Result<i64> {
    let (form, own) = code.split_once('.').unwrap_or((code, ""));
    let id = sqlx::query_scalar!(
        "select f.id from form_field f join form o on o.id = f.tip_skupa_atributa_id
          where o.registar_id = $1 and o.aktivan and f.aktivan and o.sifra_veza = $2 and f.sifra = $3 limit 1",
        register,
        form,
        own
    );
    let found = id.fetch_optional(tx).await?;
    found.ok_or_else(|| StorageRefusal(format!("plan „{}”: registar nema polje „{code}” (formular.polje)", plan.naziv)).into())
}

/// What the administration refuses of the plan, in words; everything else is an error.
fn refusal(plan: &PlanDefinition, error: Error) -> anyhow::Error {
    match error {
        Error::Faults(faults) => {
            let told: Vec<String> = faults.iter().map(|fault| format!("{}: {}", fault.field, fault.message)).collect();
            StorageRefusal(format!("plan „{}”: {}", plan.naziv, told.join("; "))).into()
        }
        Error::Internal(cause) => cause,
        other => anyhow::anyhow!("the plan was not stored: {other:?}"),
    }
}
