//! What may be said of a worker, and by whom what she signs in with is changed.

use domain::mail_address::is_address;
use jiff::civil::Date;
use sqlx::PgConnection;

use super::Input;
use crate::{
    auth::Actor,
    confirming,
    error::{Error, Result},
    password_rules, reach,
};

pub fn refuse_wrong(input: &Input, today: Date) -> Result<()> {
    if input.datum_rodjenja.is_some_and(|date| date.to_jiff() > today) {
        return Err(Error::invalid("datumRodjenja", "Datum rođenja ne može biti u budućnosti."));
    }
    let texts = [
        ("ime", "Ime", 100, Some(&input.ime)),
        ("prezime", "Prezime", 100, Some(&input.prezime)),
        ("adresa", "Adresa", 200, input.adresa.as_ref()),
        ("telefon", "Telefon", 50, input.telefon.as_ref()),
    ];
    for (field, label, most, value) in texts {
        if value.is_some_and(|value| value.chars().count() > most) {
            return Err(Error::invalid(field, format!("{label}: najviše {most} znakova.")));
        }
    }
    Ok(())
}

/// Of an account that is made.
pub fn refuse_new(input: &Input) -> Result<()> {
    if input.password.is_empty() {
        return Err(Error::invalid("password", "Niste uneli šifru."));
    }
    password_rules::require("password", &input.password, &[&input.username, &input.ime, &input.prezime])?;
    require_address(input)
}

/// What a worker signs in with, or is written to about that, is changed by who reaches all of her institutions.
pub async fn refuse_way_in(tx: &mut PgConnection, actor: &Actor, id: i64, input: &Input) -> Result<()> {
    let kept = sqlx::query!("select username, email from worker where id = $1", id).fetch_one(&mut *tx).await?;
    let password = input.password_ws.as_ref().is_some_and(|password| !password.is_empty());
    if kept.email != input.email {
        require_address(input)?;
    }
    if password || kept.username != input.username || kept.email != input.email {
        reach::require_all_of(tx, actor, id).await?;
    }
    if password {
        confirming::dangerous(&mut *tx, actor, "worker", id, "Radniku se menja lozinka za veb servise.").await?;
    }
    Ok(())
}

/// Reports are mailed there. One that was taken before they were mailed stays until it is changed.
fn require_address(input: &Input) -> Result<()> {
    match &input.email {
        Some(email) if !is_address(email) => Err(Error::invalid("email", "E-mail adresa nije ispravna.")),
        _ => Ok(()),
    }
}
