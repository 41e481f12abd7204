//! Parameters that keep patients of other institutions, and accounts, from whoever comes by: a value that does so less is a dangerous
//! change, and where it opens data of others it needs the right to give rights as well. Asked within the change, after it, of what is in
//! force then: it is one thing whether a value is changed, taken away or brought back.

use accounts::{auth::Actor, confirming, rights::Right};
use domain::{
    mail_address::AllowedDomains,
    parameters::{
        self, AUTO_SIGN_IN, BLURRED, DOMAINS, ENTRIES_OF_TAKEN, Flag, HISTORY_YEARS, LEAST_EXPORT, LEAST_GROUP, LEAST_LOOK_YEARS,
        LOCK_MINUTES, LOG_YEARS, LOOK_YEARS, NUMBER_CHECKS, Number, Parameters, SEARCHES_OF_OTHERS, TAKINGS, WRONG_TAKINGS,
    },
};
use platform::error::{Error, Result};
use sqlx::PgConnection;

use super::Parameter;
use crate::crud::Resource;

/// What makes a parameter's value protect less.
enum Weaker {
    /// A smaller number.
    Lower(&'static Number),
    /// A greater number.
    Higher(&'static Number),
    /// A greater number, and most of all none.
    Later(&'static Number),
    /// A smaller number, and least of all none.
    Sooner(&'static Number),
    /// `true`.
    On(&'static Flag),
    /// `false`, of the one switch that keeps all patients of other institutions back.
    Unblurred,
    /// A domain more, or all of them.
    Wider,
}

use Weaker::{Higher, Later, Lower, On, Sooner, Unblurred, Wider};

/// Those that show what other institutions keep.
const OTHERS: [Weaker; 4] = [Unblurred, Lower(&LEAST_GROUP), Lower(&LEAST_EXPORT), On(&ENTRIES_OF_TAKEN)];
const WALLS: [Weaker; 11] = [
    Higher(&SEARCHES_OF_OTHERS),
    Higher(&WRONG_TAKINGS),
    Higher(&TAKINGS),
    Higher(&NUMBER_CHECKS),
    Later(&LOCK_MINUTES),
    // Who did what is nearer at hand, and by more people, while it is in the database.
    Sooner(&LOG_YEARS),
    Sooner(&HISTORY_YEARS),
    Sooner(&LOOK_YEARS),
    Lower(&LEAST_LOOK_YEARS),
    On(&AUTO_SIGN_IN),
    Wider,
];

impl Weaker {
    fn naziv(&self) -> &'static str {
        match self {
            Lower(number) | Higher(number) | Later(number) | Sooner(number) => number.naziv,
            On(flag) => flag.naziv,
            Unblurred => BLURRED.naziv,
            Wider => DOMAINS.naziv,
        }
    }

    fn is_so(&self, before: &Parameters, after: &Parameters) -> bool {
        let domains = |parameters: &Parameters| AllowedDomains::of_stored(parameters.text(&DOMAINS));
        let endless = |parameters: &Parameters, number| Some(parameters.number(number)).filter(|number| *number > 0).unwrap_or(i32::MAX);
        match self {
            Lower(number) => after.number(number) < before.number(number),
            Higher(number) => after.number(number) > before.number(number),
            Later(number) => endless(after, number) > endless(before, number),
            Sooner(number) => endless(after, number) < endless(before, number),
            On(flag) => after.flag(flag) && !before.flag(flag),
            Unblurred => before.flag(&BLURRED) && !after.flag(&BLURRED),
            Wider => domains(after).is_wider_than(&domains(before)),
        }
    }

    fn opens(&self) -> String {
        match self {
            Unblurred => "Isključivanje ovog parametra otvara pacijente svih ustanova svim radnicima.".to_owned(),
            _ => format!("Ova vrednost parametra „{}” otvara podatke drugih ustanova.", self.naziv()),
        }
    }

    fn warning(&self) -> String {
        match self {
            Unblurred => "Isključuje se skrivanje pacijenata između ustanova: svi radnici vide pacijente svih ustanova.".to_owned(),
            Sooner(number) => format!("Parametar „{}” dobija vrednost zbog koje se zapisi kraće čuvaju u bazi.", number.naziv),
            _ => format!("Parametar „{}” dobija vrednost koja slabije štiti pacijente i naloge.", self.naziv()),
        }
    }
}

/// Of the parameter `id`, and what was in force before it was changed.
pub async fn watch(tx: &mut PgConnection, actor: &Actor, id: i64, before: &Parameters) -> Result<()> {
    let after = parameters::load(&mut *tx).await?;
    let (looks, least) = (after.number(&LOOK_YEARS), after.number(&LEAST_LOOK_YEARS));
    if looks != 0 && looks < least && looks != before.number(&LOOK_YEARS) {
        return Err(Error::invalid(
            "vrednost",
            format!("Po propisu uvidi ostaju u bazi najmanje {least} godina (parametar „{}”).", LEAST_LOOK_YEARS.naziv),
        ));
    }
    let opened = OTHERS.iter().find(|wall| wall.is_so(before, &after));
    if let Some(opened) = opened.filter(|_| !actor.prava.holds(Right::Roles)) {
        return Err(Error::refused(format!("{} Za to vam nedostaje i pravo: „Uloge”.", opened.opens())));
    }
    for wall in OTHERS.iter().chain(&WALLS).filter(|wall| wall.is_so(before, &after)) {
        confirming::dangerous(&mut *tx, actor, Parameter::TABLE, id, &wall.warning()).await?;
    }
    Ok(())
}
