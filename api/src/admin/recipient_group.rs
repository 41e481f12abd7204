//! Groups of recipients: workers and addresses to which reports are mailed under one name.

use domain::mail_address::is_address;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use utoipa::ToSchema;

use crate::{
    admin::usage::Places,
    auth::Actor,
    crud::{self, NoScope, Resource},
    error::{Error, Result},
    rights::Right,
    state::AppState,
    text,
};

/// Members of one group.
const MOST_MEMBERS: usize = domain::recipients::MOST_ALLOWED;

pub struct RecipientGroup;

#[derive(Default, Serialize, Deserialize, ToSchema)]
#[schema(as = RecipientGroupInput)]
#[serde(rename_all = "camelCase", default)]
pub struct Input {
    #[serde(deserialize_with = "text::required")]
    naziv: String,
    /// Whose workers may choose it; none: everybody.
    #[serde(rename = "ustanovaID")]
    ustanova_id: Option<i64>,
    radnici: Vec<i64>,
    emails: Vec<String>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = RecipientGroup)]
#[serde(rename_all = "camelCase")]
pub struct Record {
    id: i64,
    naziv: String,
    #[serde(rename = "ustanovaID")]
    ustanova_id: Option<i64>,
    ustanova_naziv: Option<String>,
    radnici: Vec<i64>,
    /// Names of the workers, in their order.
    imena: Vec<String>,
    emails: Vec<String>,
    aktivan: bool,
    verzija: i32,
}

impl Resource for RecipientGroup {
    crud::resource!("recipient-groups", table "recipient_group", scope NoScope, right Right::ReportSetup);
    const SORT: &'static [&'static str] = &["naziv", "ustanova_naziv"];

    crud::selected! {
        columns r#"id, naziv, ustanova_id, ustanova_naziv as "ustanova_naziv?", radnici, imena as "imena!", emails, aktivan, verzija"#,
        from "(select g.*, u.naziv as ustanova_naziv,
                      array(select w.ime || ' ' || w.prezime from unnest(g.radnici) with ordinality m (id, n) join worker w on w.id = m.id order by m.n) as imena
                 from recipient_group g left join institution u on u.id = g.ustanova_id)",
        searched "naziv, ustanova_naziv, array_to_string(imena || emails, ' ')", then "naziv"
    }

    fn validate(input: &Input, _: Date) -> Result<()> {
        crud::required([(input.naziv.is_empty(), "naziv", "Niste uneli naziv.")])?;
        if let Some(bad) = input.emails.iter().find(|address| !is_address(address)) {
            let shown: String = bad.chars().filter(|letter| !letter.is_control()).take(80).collect();
            return Err(Error::invalid("emails", format!("Adresa „{shown}” nije ispravna.")));
        }
        let members = input.emails.len() + input.radnici.len();
        if members == 0 {
            return Err(Error::invalid("emails", "Grupa nema nijednog člana. Izaberite radnike ili upišite adrese."));
        }
        if members > MOST_MEMBERS {
            return Err(Error::invalid("emails", format!("Grupa može da ima najviše {MOST_MEMBERS} članova.")));
        }
        Ok(())
    }

    async fn insert(tx: &mut PgConnection, _: &Actor, input: Input) -> Result<i64> {
        refuse_unknown(tx, &input.radnici).await?;
        crud::insert_row::<Self>(tx, &input).await
    }

    async fn update(tx: &mut PgConnection, _: &Actor, id: i64, input: Input) -> Result<()> {
        refuse_unknown(tx, &input.radnici).await?;
        crud::update_row::<Self>(tx, id, &input).await
    }

    async fn usages(tx: &mut PgConnection, _: &Actor, _: &AppState, id: i64) -> Result<Vec<String>> {
        let schedules = sqlx::query_scalar!(
            r#"select r.naziv || ' (' || w.ime || ' ' || w.prezime || ')' as "place!"
                 from report_schedule s join report r on r.id = s.izvestaj_id join worker w on w.id = s.radnik_id
                where s.aktivan and $1 = any(s.grupe) order by 1"#,
            id
        );
        Ok(Places::default().named("prima zakazani izveštaj ", &schedules.fetch_all(tx).await?).all())
    }
}

/// Members are rows of an array, which no foreign key watches over.
async fn refuse_unknown(tx: &mut PgConnection, radnici: &[i64]) -> Result<()> {
    let known =
        sqlx::query_scalar!(r#"select count(distinct id) as "known!" from worker where id = any($1)"#, radnici).fetch_one(tx).await?;
    let distinct: std::collections::HashSet<_> = radnici.iter().collect();
    if usize::try_from(known).ok() == Some(distinct.len()) { Ok(()) } else { Err(Error::invalid("radnici", "Izabrani radnik ne postoji.")) }
}
