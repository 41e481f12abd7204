//! Plans as rows: one is published in versions, each written whole.

use domain::formula::Formula;
use platform::{
    error::Result,
    rows::{self, Row},
};
use serde_json::Value;
use sqlx::{PgConnection, types::Json};

use super::item::{PlanItem, columns};

/// Publishes a version; gives its number.
pub async fn publish(
    tx: &mut PgConnection,
    plan: i64,
    (items, formulas): (&[PlanItem], &[Option<Formula>]),
    napomena: Option<&str>,
    za_postojece: bool,
) -> Result<i32> {
    let version = sqlx::query!(
        "insert into visit_plan_version (plan_id, broj, napomena, za_postojece)
         select $1::bigint, coalesce(max(broj), 0) + 1, $2::text, $3::boolean from visit_plan_version where plan_id = $1 returning id, broj",
        plan,
        napomena,
        za_postojece,
    )
    .fetch_one(&mut *tx)
    .await?;
    let mut wanted = Vec::with_capacity(items.len());
    for (place, (item, formula)) in items.iter().zip(formulas).enumerate() {
        wanted.push(Value::Object(columns(item, place, formula.as_ref())?));
    }
    sqlx::query!(
        "insert into visit_plan_item (plan_version_id, redosled, sifra, naziv, sidro, sidro_polje_id, pomeraj, jedinica, prozor_pre, prozor_posle,
                                      ceka_dana, ponavlja_meseci, ponavlja_do_meseci, formulari, uslov, uslov_ast, uslov_form_id)
         select $1::bigint, p.redosled, p.sifra, p.naziv, p.sidro, p.sidro_polje_id, p.pomeraj, p.jedinica, p.prozor_pre, p.prozor_posle,
                p.ceka_dana, p.ponavlja_meseci, p.ponavlja_do_meseci, p.formulari, p.uslov, p.uslov_ast, p.uslov_form_id
           from jsonb_populate_recordset(null::visit_plan_item, $2) p order by p.redosled",
        version.id,
        Value::Array(wanted),
    )
    .execute(tx)
    .await?;
    Ok(version.broj)
}

/// The visits of a version; of the newest where none is named.
pub async fn items_of(db: &mut PgConnection, plan: i64, broj: Option<i32>) -> Result<Vec<PlanItem>> {
    let stored = sqlx::query_scalar!(
        r#"select to_jsonb(i) - '{id,plan_version_id,redosled,uslov_ast}'::text[] as "row!: Json<Row>"
             from visit_plan_item i
            where i.plan_version_id = (select v.id from visit_plan_version v
                                        where v.plan_id = $1 and ($2::int is null or v.broj = $2) order by v.broj desc limit 1)
            order by i.redosled"#,
        plan,
        broj,
    )
    .fetch_all(db)
    .await?;
    let items = stored.into_iter().map(|row| rows::record_of(row.0));
    Ok(items.collect::<serde_json::Result<_>>().map_err(anyhow::Error::from)?)
}

/// Makes the plan the one that patients of its register get by themselves; those who are there get it by the scheduler.
pub async fn make_default(tx: &mut PgConnection, plan: i64, register: i64) -> Result<()> {
    sqlx::query!("update visit_plan set podrazumevani = false where registar_id = $1 and id <> $2 and podrazumevani", register, plan)
        .execute(&mut *tx)
        .await?;
    sqlx::query!("update visit_plan set podrazumevani = true where id = $1 and not podrazumevani", plan).execute(&mut *tx).await?;
    sqlx::query!("insert into visit_plan_assignment (plan_id) values ($1) on conflict (plan_id) do update set do_pacijenta = 0", plan)
        .execute(tx)
        .await?;
    Ok(())
}
