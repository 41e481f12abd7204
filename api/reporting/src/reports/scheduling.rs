//! Keeping a checked order as a schedule, and changing one.

use accounts::auth::Actor;
use domain::{
    db,
    recurrence::{Fire, RuleColumns},
};
use jiff_sqlx::ToSqlx;
use platform::{
    error::{Error, Result},
    run_order::one_order_at_a_time,
    state::AppState,
};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::{
    queue::Order,
    timing::{Timing, first_fire},
    trail::{self, ReportAction, Subject},
};

/// Active schedules of one worker.
const MOST_SCHEDULES: i64 = 100;

/// Keeps the order for the times that it names; gives the schedule's id.
pub async fn create(state: &AppState, order: Order) -> Result<i64> {
    let (stored, fire) = when(state, &order.kada)?;
    let worker = order.session.radnik_id;
    let mut tx = db::begin(&state.db, worker).await?;
    one_order_at_a_time(&mut tx, worker).await?;
    // Whoever deletes the report waits for the schedule, or is waited for.
    let there = sqlx::query_scalar!("select id from report where id = $1 and aktivan for share", order.report.id);
    there.fetch_optional(&mut *tx).await?.ok_or(Error::NotFound)?;
    let Some(id) = insert(&mut tx, &order, &stored, fire).await? else {
        let first = by_key(&mut tx, worker, order.kljuc.unwrap_or_default()).await?;
        return first.ok_or_else(|| anyhow::anyhow!("a key that exists names no schedule").into());
    };
    let active = sqlx::query_scalar!(r#"select count(*) as "n!" from report_schedule where radnik_id = $1 and aktivan"#, worker)
        .fetch_one(&mut *tx)
        .await?;
    if active > MOST_SCHEDULES {
        return Err(Error::too_many(format!("Već imate {MOST_SCHEDULES} zakazanih izveštaja. Obrišite one koji više nisu potrebni.")));
    }
    record(&mut tx, &order, id, ReportAction::Create).await?;
    tx.commit().await?;
    Ok(id)
}

/// What a schedule keeps when it is edited.
pub struct ScheduleScope {
    pub ustanova_id: i64,
    pub registar_id: Option<i64>,
}

impl ScheduleScope {
    /// Of the worker's own schedule, while she belongs to its institution.
    pub async fn load(db: &PgPool, actor: &Actor, id: i64) -> Result<Self> {
        let row = sqlx::query!(
            r#"select s.ustanova_id, s.registar_id, u.naziv as ustanova, works_at($2, s.ustanova_id) as "radi_u_ustanovi!"
                 from report_schedule s join institution u on u.id = s.ustanova_id
                where s.id = $1 and s.radnik_id = $2 and s.aktivan"#,
            id,
            actor.radnik_id
        )
        .fetch_optional(db)
        .await?
        .ok_or(Error::NotFound)?;
        if !row.radi_u_ustanovi {
            let message = format!("Zakazivanje je ustanove „{}”, a vi više niste njen radnik. Možete samo da ga obrišete.", row.ustanova);
            return Err(Error::refused(message));
        }
        Ok(Self { ustanova_id: row.ustanova_id, registar_id: row.registar_id })
    }
}

/// Takes effect at once: a scheduler that is about to fire waits for the row.
pub async fn change(state: &AppState, id: i64, order: Order) -> Result<i64> {
    let (stored, fire) = when(state, &order.kada)?;
    let mut tx = db::begin(&state.db, order.session.radnik_id).await?;
    let of_report = sqlx::query_scalar!(
        "select izvestaj_id from report_schedule where id = $1 and radnik_id = $2 and aktivan for update",
        id,
        order.session.radnik_id
    )
    .fetch_optional(&mut *tx)
    .await?
    .ok_or(Error::NotFound)?;
    if of_report != order.report.id {
        return Err(Error::invalid("siID", "Zakazivanje pripada drugom izveštaju."));
    }
    update(&mut tx, id, &order, &stored, fire).await?;
    record(&mut tx, &order, id, ReportAction::Change).await?;
    tx.commit().await?;
    Ok(id)
}

fn when(state: &AppState, kada: &Timing) -> Result<(RuleColumns, Fire)> {
    let (stored, rule) = kada.rule()?;
    let fire = first_fire(&stored, &rule, state.clock.now())?;
    Ok((stored, fire))
}

pub async fn by_key(connection: &mut PgConnection, worker: i64, kljuc: Uuid) -> sqlx::Result<Option<i64>> {
    sqlx::query_scalar!("select id from report_schedule where radnik_id = $1 and client_key = $2", worker, kljuc)
        .fetch_optional(connection)
        .await
}

/// `None`: the worker has sent this key before.
async fn insert(tx: &mut PgConnection, order: &Order, stored: &RuleColumns, fire: Fire) -> sqlx::Result<Option<i64>> {
    sqlx::query_scalar!(
        "insert into report_schedule (izvestaj_id, radnik_id, ustanova_id, registar_id, client_key, ponavljanje,
             vreme_izvrsavanja_jednostruko, vreme_izvrsavanja_visetruko, vazi_od, vazi_do, period, dan_nedelja, dan_mesec,
             politika_dana, vremenska_zona, parametri, parametri_opis, formati, emails, sledece_izvrsavanje, sledece_lokalno,
             primaoci, grupe)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23)
         on conflict (radnik_id, client_key) do nothing
         returning id",
        order.report.id,
        order.session.radnik_id,
        order.session.ustanova_id,
        order.session.registar_id,
        order.kljuc,
        stored.ponavljanje,
        stored.vreme_izvrsavanja_jednostruko.map(ToSqlx::to_sqlx) as _,
        stored.vreme_izvrsavanja_visetruko.map(ToSqlx::to_sqlx) as _,
        stored.vazi_od.map(ToSqlx::to_sqlx) as _,
        stored.vazi_do.map(ToSqlx::to_sqlx) as _,
        stored.period,
        &stored.dan_nedelja,
        &stored.dan_mesec,
        stored.politika_dana,
        stored.vremenska_zona,
        serde_json::Value::from(order.values.parametri.clone()),
        serde_json::to_value(&order.values.opis).expect("texts are plain JSON"),
        &order.formati,
        &order.primaoci.chosen.emails,
        fire.at.to_sqlx() as _,
        fire.local.to_sqlx() as _,
        &order.primaoci.chosen.radnici,
        &order.primaoci.chosen.grupe,
    )
    .fetch_optional(tx)
    .await
}

async fn update(tx: &mut PgConnection, id: i64, order: &Order, stored: &RuleColumns, fire: Fire) -> sqlx::Result<()> {
    sqlx::query!(
        "update report_schedule
            set ustanova_id = $2, registar_id = $3, ponavljanje = $4, vreme_izvrsavanja_jednostruko = $5,
                vreme_izvrsavanja_visetruko = $6, vazi_od = $7, vazi_do = $8, period = $9, dan_nedelja = $10, dan_mesec = $11,
                politika_dana = $12, vremenska_zona = $13, parametri = $14, parametri_opis = $15, formati = $16, emails = $17,
                sledece_izvrsavanje = case when pauzirano_od is null then $18::timestamptz end,
                sledece_lokalno = case when pauzirano_od is null then $19::timestamp end, neuspesi_od = now(),
                primaoci = $20, grupe = $21
          where id = $1",
        id,
        order.session.ustanova_id,
        order.session.registar_id,
        stored.ponavljanje,
        stored.vreme_izvrsavanja_jednostruko.map(ToSqlx::to_sqlx) as _,
        stored.vreme_izvrsavanja_visetruko.map(ToSqlx::to_sqlx) as _,
        stored.vazi_od.map(ToSqlx::to_sqlx) as _,
        stored.vazi_do.map(ToSqlx::to_sqlx) as _,
        stored.period,
        &stored.dan_nedelja,
        &stored.dan_mesec,
        stored.politika_dana,
        stored.vremenska_zona,
        serde_json::Value::from(order.values.parametri.clone()),
        serde_json::to_value(&order.values.opis).expect("texts are plain JSON"),
        &order.formati,
        &order.primaoci.chosen.emails,
        fire.at.to_sqlx() as _,
        fire.local.to_sqlx() as _,
        &order.primaoci.chosen.radnici,
        &order.primaoci.chosen.grupe,
    )
    .execute(tx)
    .await?;
    Ok(())
}

async fn record(tx: &mut PgConnection, order: &Order, id: i64, deed: ReportAction) -> sqlx::Result<()> {
    let subject = Subject {
        klasa: "report_schedule",
        red_id: id.to_string(),
        izvestaj_id: order.report.id,
        parametri: &order.values.parametri.clone().into(),
        opis: &order.values.opis,
    };
    trail::record(tx, order.session.radnik_id, deed, &subject, None).await
}
