//! Parameters (B §2.1): switches and numbers that the whole installation shares.

mod walls;

use domain::{
    attachment, exports, imported_file,
    mail_address::AllowedDomains,
    pdf_rows,
    recipients::{DOMAINS_PARAMETER, MOST_ALLOWED, MOST_PARAMETER, most_of},
    register::rules,
    report_wording,
};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use utoipa::ToSchema;

use crate::{
    application, archive,
    auth::Actor,
    confirming,
    crud::{self, NoScope, Resource},
    error::{Error, Result},
    parameters,
    patients::{
        number_checks,
        search::{LEAST_ALLOWED, LEAST_PARAMETER, SEARCHES_ALLOWED, SEARCHES_PARAMETER},
        taking,
    },
    rights::Right,
    text,
};

pub struct Parameter;

#[derive(Default, Serialize, Deserialize, ToSchema)]
#[schema(as = ParameterInput)]
#[serde(rename_all = "camelCase", default)]
pub struct Input {
    #[serde(deserialize_with = "text::required")]
    naziv: String,
    #[serde(deserialize_with = "text::required")]
    vrednost: String,
    #[serde(deserialize_with = "text::optional")]
    opis: Option<String>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = Parameter)]
#[serde(rename_all = "camelCase")]
pub struct Record {
    id: i64,
    naziv: String,
    vrednost: String,
    opis: Option<String>,
    aktivan: bool,
    verzija: i32,
}

impl Resource for Parameter {
    crud::resource!("parameters", table "parameter", scope NoScope, right Right::Parameters);

    crud::selected! {
        select "id, naziv, vrednost, opis, aktivan, verzija",
        from "parameter",
        columns [text "naziv", text "vrednost", text "opis"],
        searched "naziv, vrednost, opis", then "naziv"
    }

    fn validate(input: &Input, _: Date) -> Result<()> {
        let may_be_blank = input.naziv == DOMAINS_PARAMETER;
        crud::required([
            (input.naziv.is_empty(), "naziv", "Niste uneli naziv."),
            (input.vrednost.is_empty() && !may_be_blank, "vrednost", "Niste uneli vrednost."),
        ])?;
        validate_recipients(input)?;
        validate_pdf_rows(input)?;
        validate_bounds(input)?;
        validate_keeping(input)?;
        let refusal =
            report_wording::refusal(&input.naziv, &input.vrednost).or_else(|| application::refusal(&input.naziv, &input.vrednost));
        if let Some(refusal) = refusal {
            return Err(Error::invalid("vrednost", refusal));
        }
        let is_count = |text: &str| rules::RESULT_COUNTS.iter().any(|count| count.to_string() == text);
        let bad_count = input.naziv == "brojRezultataUPretrazi" && !is_count(&input.vrednost);
        crud::required([(bad_count, "vrednost", rules::BAD_RESULT_COUNT)])
    }

    /// The screens save a switch by its name (A §7, create-parameter): a parameter that exists is given the new value.
    async fn insert(tx: &mut PgConnection, actor: &Actor, input: Input) -> Result<i64> {
        let (blurred, before) = (is_blurred(tx).await?, parameters::load(&mut *tx).await?);
        let id = sqlx::query_scalar!(
            "insert into parameter (naziv, vrednost, opis) values ($1, $2, $3)
             on conflict (naziv) where aktivan
             do update set vrednost = excluded.vrednost, opis = coalesce(excluded.opis, parameter.opis)
             returning id",
            input.naziv,
            input.vrednost,
            input.opis
        );
        let id = id.fetch_one(&mut *tx).await?;
        watch_blurring(tx, actor, id, blurred).await?;
        walls::watch(tx, actor, id, &before).await?;
        Ok(id)
    }

    async fn update(tx: &mut PgConnection, actor: &Actor, id: i64, input: Input) -> Result<()> {
        let (blurred, before) = (is_blurred(tx).await?, parameters::load(&mut *tx).await?);
        crud::update_row::<Self>(&mut *tx, id, &input).await?;
        watch_blurring(tx, actor, id, blurred).await?;
        walls::watch(tx, actor, id, &before).await
    }

    async fn remove(tx: &mut PgConnection, actor: &Actor, id: i64) -> Result<()> {
        let before = parameters::load(&mut *tx).await?;
        Self::set_active(&mut *tx, id, false).await?;
        walls::watch(tx, actor, id, &before).await
    }

    async fn fits_again(tx: &mut PgConnection, actor: &Actor, id: i64) -> Result<()> {
        let naziv = sqlx::query_scalar!("select naziv from parameter where id = $1", id).fetch_one(&mut *tx).await?;
        if naziv == "blurPodatakaIzmedjuUstanova" {
            watch_blurring(tx, actor, id, true).await?;
        }
        let before = parameters::load(&mut *tx).await?.without(&naziv);
        walls::watch(tx, actor, id, &before).await
    }
}

/// Whom reports may be mailed to.
fn validate_recipients(input: &Input) -> Result<()> {
    match input.naziv.as_str() {
        DOMAINS_PARAMETER => AllowedDomains::parse(&input.vrednost).map(drop).map_err(|wrong| {
            let wrong: String = wrong.chars().take(80).collect();
            Error::invalid("vrednost", format!("„{wrong}” nije domen. Unesite domene kao „bolnica.rs”, razdvojene zarezom."))
        }),
        MOST_PARAMETER if most_of(&input.vrednost).is_none() => {
            Err(Error::invalid("vrednost", format!("Broj primalaca može biti od 1 do {MOST_ALLOWED}.")))
        }
        _ => Ok(()),
    }
}

/// What bounds a report in PDF.
fn validate_pdf_rows(input: &Input) -> Result<()> {
    if input.naziv != pdf_rows::PARAMETER || pdf_rows::within(&input.vrednost).is_some() {
        return Ok(());
    }
    let most = domain::shown::number(pdf_rows::MOST_ALLOWED as f64);
    Err(Error::invalid("vrednost", format!("Unesite ceo broj od 1 do {most}.")))
}

/// What bounds exports of data, and what is told of patients of other institutions.
fn validate_bounds(input: &Input) -> Result<()> {
    let most = match input.naziv.as_str() {
        exports::MOST_PARAMETER => exports::MOST_ALLOWED,
        exports::KEPT_PARAMETER => exports::KEPT_ALLOWED,
        LEAST_PARAMETER => LEAST_ALLOWED,
        SEARCHES_PARAMETER => SEARCHES_ALLOWED,
        taking::WRONG_PARAMETER | taking::TAKEN_PARAMETER => taking::LIMITS_ALLOWED,
        imported_file::MOST_PARAMETER => imported_file::MOST_ALLOWED,
        attachment::MOST_PARAMETER => attachment::MOST_ALLOWED,
        number_checks::CHECKS_PARAMETER => number_checks::CHECKS_ALLOWED,
        _ => return Ok(()),
    };
    match exports::within(&input.vrednost, most) {
        Some(_) => Ok(()),
        None => Err(Error::invalid("vrednost", format!("Unesite ceo broj od 1 do {}.", domain::shown::number(most as f64)))),
    }
}

/// For how long the log and the histories stay in the database.
fn validate_keeping(input: &Input) -> Result<()> {
    if ![archive::LOG_PARAMETER, archive::HISTORY_PARAMETER].contains(&input.naziv.as_str()) || input.vrednost == "0" {
        return Ok(());
    }
    match input.vrednost.parse::<i64>() {
        Ok(years) if (archive::FEWEST_YEARS..=archive::MOST_YEARS).contains(&years) => Ok(()),
        _ => Err(Error::invalid("vrednost", "Unesite ceo broj godina od 5 do 100, ili 0 da se zapisi uvek čuvaju u bazi.")),
    }
}

/// Whether patients of other institutions are kept back, as every query of patients reads it.
async fn is_blurred(tx: &mut PgConnection) -> sqlx::Result<bool> {
    sqlx::query_scalar!(r#"select patients_are_blurred() as "blurred!""#).fetch_one(tx).await
}

/// Turning the blurring off opens every patient to every institution: that is giving rights, so it needs that right as well, and is
/// a dangerous change. Asked within the change, after it.
async fn watch_blurring(tx: &mut PgConnection, actor: &Actor, id: i64, before: bool) -> Result<()> {
    if !before || is_blurred(tx).await? {
        return Ok(());
    }
    if !actor.prava.holds(Right::Roles) {
        return Err(Error::refused(
            "Isključivanje ovog parametra otvara pacijente svih ustanova svim radnicima. Za to vam nedostaje i pravo: „Uloge”.",
        ));
    }
    let what = "Isključuje se skrivanje pacijenata između ustanova: svi radnici vide pacijente svih ustanova.";
    confirming::dangerous(tx, actor, Parameter::TABLE, id, what).await
}
