//! Groups of recipients: workers and addresses to which reports are mailed under one name.

mod members;

use accounts::{
    auth::Actor,
    confirming,
    rights::{Access, Right},
};
use configuration::{
    admin::usage::Places,
    crud::{self, Column, List, ListBind, NoScope, Resource},
};
use domain::register::rules;
use jiff::civil::Date;
use platform::{
    error::{Error, Result},
    state::AppState,
};
use sqlx::PgConnection;

pub struct RecipientGroup;

crud::fields! {
    shown as RecipientGroup, sent as RecipientGroupInput;
    text naziv: String,
    /// Whose workers may choose it; none: everybody.
    #[serde(rename = "ustanovaID")]
    explained ustanova_id: Option<i64>,
    shown ustanova_naziv: Option<String>,
    radnici: Vec<i64>,
    /// Names of the workers, in their order.
    shown imena: Vec<String>,
    emails: Vec<String>,
}

impl Resource for RecipientGroup {
    type Input = Input;
    type Record = Record;
    type Scope = NoScope;

    const NAME: &'static str = "recipient-groups";
    const READ: Access = Access::AnyOf(&[Right::ReportSetup]);
    const WRITE: Access = Access::AnyOf(&[Right::ReportSetup]);
    const TABLE: &'static str = "recipient_group";

    const LIST: List = List {
        from: "(select g.*, u.naziv as ustanova_naziv,
                      array_to_string(array(select w.ime || ' ' || w.prezime from unnest(g.radnici) with ordinality m (id, n) join worker w on w.id = m.id
                                             order by m.n) || g.emails, ', ') as imena
                 from recipient_group g left join institution u on u.id = g.ustanova_id)",
        columns: &[Column::text("naziv"), Column::text("ustanova_naziv"), Column::text("imena")],
        searched: "naziv, ustanova_naziv, imena",
        then: "naziv",
        of: None,
        but: Some("administers_recipients($7, ustanova_id)"),
    };

    fn binds(actor: &Actor, _: &NoScope) -> Vec<ListBind> {
        vec![ListBind::Id(Some(actor.radnik_id))]
    }

    async fn fetch(db: &mut PgConnection, actor: &Actor, ids: &[i64]) -> Result<Vec<(i64, Record)>> {
        let rows = sqlx::query_as!(
            Record,
            r#"select g.id, g.naziv, g.ustanova_id, u.naziv as "ustanova_naziv?", g.radnici,
                  array(select w.ime || ' ' || w.prezime from unnest(g.radnici) with ordinality m (id, n) join worker w on w.id = m.id order by m.n) as "imena!",
                  g.emails, g.aktivan, g.verzija
             from recipient_group g left join institution u on u.id = g.ustanova_id
            where g.id = any($1) and administers_recipients($2, g.ustanova_id)"#,
            ids,
            actor.radnik_id
        );
        Ok(rows.fetch_all(db).await?.into_iter().map(|row| (row.id, row)).collect())
    }

    fn validate(input: &Input, _: Date) -> Result<()> {
        crud::required([(input.naziv.is_empty(), "naziv", rules::NO_NAME)])?;
        members::refuse_wrong(&input.radnici, &input.emails)
    }

    async fn insert(tx: &mut PgConnection, actor: &Actor, input: Input) -> Result<i64> {
        require_institution(tx, actor, input.ustanova_id).await?;
        members::refuse_unknown(tx, actor, &input.radnici, &[]).await?;
        crud::insert_row::<Self>(tx, &input).await
    }

    /// Whoever is put into a group gets the reports of every schedule that names it.
    async fn update(tx: &mut PgConnection, actor: &Actor, id: i64, input: Input) -> Result<()> {
        let before = sqlx::query!("select radnici, emails, ustanova_id from recipient_group where id = $1", id).fetch_one(&mut *tx).await?;
        if input.ustanova_id != before.ustanova_id {
            require_institution(tx, actor, input.ustanova_id).await?;
        }
        members::refuse_unknown(tx, actor, &input.radnici, &before.radnici).await?;
        let joins =
            input.radnici.iter().any(|one| !before.radnici.contains(one)) || input.emails.iter().any(|one| !before.emails.contains(one));
        crud::update_row::<Self>(&mut *tx, id, &input).await?;
        if joins && is_scheduled(tx, id).await? {
            confirming::dangerous(tx, actor, Self::TABLE, id, "Grupa kojoj se šalju zakazani izveštaji dobija članove.").await?;
        }
        Ok(())
    }

    async fn remove(tx: &mut PgConnection, actor: &Actor, id: i64) -> Result<()> {
        crud::read::<Self>(tx, actor, id).await?;
        Self::set_active(tx, id, false).await
    }

    async fn usages(tx: &mut PgConnection, actor: &Actor, _: &AppState, id: i64) -> Result<Vec<String>> {
        crud::read::<Self>(&mut *tx, actor, id).await?;
        let schedules = sqlx::query_scalar!(
            r#"select r.naziv || ' (' || w.ime || ' ' || w.prezime || ')' as "place!"
                 from report_schedule s join report r on r.id = s.izvestaj_id join worker w on w.id = s.radnik_id
                where s.aktivan and $1 = any(s.grupe) order by 1"#,
            id
        );
        Ok(Places::default().named("prima zakazani izveštaj ", &schedules.fetch_all(tx).await?).all())
    }
}

async fn require_institution(tx: &mut PgConnection, actor: &Actor, institution: Option<i64>) -> Result<()> {
    let reached = sqlx::query_scalar!(r#"select administers_recipients($1, $2) as "reached!""#, actor.radnik_id, institution);
    match (reached.fetch_one(tx).await?, institution) {
        (true, _) => Ok(()),
        (false, Some(_)) => Err(Error::invalid("ustanovaID", "Ne administrirate izabranu ustanovu.")),
        (false, None) => Err(Error::invalid("ustanovaID", "Izaberite ustanovu. Grupu za sve ustanove pravi administrator svih ustanova.")),
    }
}

async fn is_scheduled(tx: &mut PgConnection, id: i64) -> Result<bool> {
    let named = sqlx::query_scalar!(r#"select exists (select from report_schedule where aktivan and $1 = any(grupe)) as "named!""#, id);
    Ok(named.fetch_one(tx).await?)
}
