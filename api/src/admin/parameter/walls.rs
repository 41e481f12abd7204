//! Parameters that keep patients of other institutions, and accounts, from whoever comes by: a value that does so less is a dangerous
//! change, and where it opens data of others it needs the right to give rights as well. Asked within the change, after it, of what is in
//! force then: it is one thing whether a value is changed, taken away or brought back.

use domain::{mail_address::AllowedDomains, recipients::DOMAINS_PARAMETER};
use sqlx::PgConnection;

use super::Parameter;
use crate::{
    application,
    auth::Actor,
    confirming,
    crud::Resource,
    error::{Error, Result},
    parameters::{self, Parameters},
    patients::{number_checks, search, taking},
    rights::Right,
};

/// What makes a parameter's value protect less.
#[derive(Clone, Copy)]
enum Weaker {
    /// A smaller number.
    Lower,
    /// A greater number.
    Higher,
    /// A greater number, and most of all none.
    Later,
    /// `true`.
    On,
    /// A domain more, or all of them.
    Wider,
}

struct Wall {
    naziv: &'static str,
    weaker: Weaker,
    /// In force where no parameter says.
    unsaved: i64,
    /// Shows what other institutions keep.
    opens_others: bool,
}

const fn wall(naziv: &'static str, weaker: Weaker, unsaved: i64) -> Wall {
    Wall { naziv, weaker, unsaved, opens_others: false }
}

const WALLS: [Wall; 9] = [
    Wall { opens_others: true, ..wall(search::LEAST_PARAMETER, Weaker::Lower, search::LEAST as i64) },
    Wall { opens_others: true, ..wall(taking::ENTRIES_PARAMETER, Weaker::On, 0) },
    wall(search::SEARCHES_PARAMETER, Weaker::Higher, search::SEARCHES as i64),
    wall(taking::WRONG_PARAMETER, Weaker::Higher, taking::WRONG as i64),
    wall(taking::TAKEN_PARAMETER, Weaker::Higher, taking::TAKEN as i64),
    wall(number_checks::CHECKS_PARAMETER, Weaker::Higher, number_checks::CHECKS as i64),
    wall(application::LOCK_PARAMETER, Weaker::Later, application::DEFAULT_LOCK_MINUTES as i64),
    wall(application::AUTO_SIGN_IN_PARAMETER, Weaker::On, 0),
    wall(DOMAINS_PARAMETER, Weaker::Wider, 0),
];

impl Wall {
    fn is_weaker(&self, before: &Parameters, after: &Parameters) -> bool {
        let number = |parameters: &Parameters| parameters.number(self.naziv, self.unsaved);
        let domains = |parameters: &Parameters| AllowedDomains::of_stored(parameters.text(self.naziv).unwrap_or_default());
        let minutes = |parameters: &Parameters| if number(parameters) == 0 { i64::MAX } else { number(parameters) };
        match self.weaker {
            Weaker::Lower => number(after) < number(before),
            Weaker::Higher => number(after) > number(before),
            Weaker::Later => minutes(after) > minutes(before),
            Weaker::On => after.flag(self.naziv, false) && !before.flag(self.naziv, false),
            Weaker::Wider => domains(after).is_wider_than(&domains(before)),
        }
    }
}

/// Of the parameter `id`, and what was in force before it was changed.
pub async fn watch(tx: &mut PgConnection, actor: &Actor, id: i64, before: &Parameters) -> Result<()> {
    let after = parameters::load(&mut *tx).await?;
    for wall in WALLS.iter().filter(|wall| wall.is_weaker(before, &after)) {
        if wall.opens_others && !actor.prava.holds(Right::Roles) {
            return Err(Error::refused(format!(
                "Ova vrednost parametra „{}” otvara podatke drugih ustanova. Za to vam nedostaje i pravo: „Uloge”.",
                wall.naziv
            )));
        }
        let what = format!("Parametar „{}” dobija vrednost koja slabije štiti pacijente i naloge.", wall.naziv);
        confirming::dangerous(&mut *tx, actor, Parameter::TABLE, id, &what).await?;
    }
    Ok(())
}
