//! What may be said of a worker, and by whom what she signs in with is changed.

use accounts::{auth::Actor, confirming, password_rules, reach};
use domain::mail_address::is_address;
use jiff::civil::Date;
use platform::error::{Error, Result};
use sqlx::PgConnection;

use super::Input;

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

/// Letters of other scripts that look like these Latin ones.
const LOOK_ALIKE: (&str, &str) = ("авеѕіјкмнорстухһԛԝԁԍӏαβεικνορτυχγ", "abesijkmhopctyxhqwdglabeikvoptuxy");

/// Who signs in is known by the name alone, in the log and in every list: one that looks like another's is nobody's.
async fn refuse_look_alike(tx: &mut PgConnection, id: Option<i64>, username: &str) -> Result<()> {
    let refuse = |why: &str| Err(Error::invalid("username", format!("Korisničko ime {why}.")));
    if username.chars().any(|letter| letter.is_control() || is_invisible(letter)) {
        return refuse("ima znak koji se ne vidi");
    }
    if is_latin(username) && is_of_another_script(username) {
        return refuse("meša latinicu sa drugim pismom");
    }
    let like = sqlx::query_scalar!(
        "select username from worker
          where aktivan and id is distinct from $1 and lower(username) <> lower($2)
            and translate(lower(username), $3, $4) = translate(lower($2), $3, $4)
          limit 1",
        id,
        username,
        LOOK_ALIKE.0,
        LOOK_ALIKE.1
    );
    match like.fetch_optional(tx).await? {
        Some(other) => refuse(&format!("izgleda isto kao „{other}”, koje već postoji")),
        None => Ok(()),
    }
}

fn is_latin(text: &str) -> bool {
    text.chars().any(|letter| letter.is_alphabetic() && letter <= '\u{24F}')
}

fn is_of_another_script(text: &str) -> bool {
    text.chars().any(|letter| letter.is_alphabetic() && letter > '\u{24F}')
}

/// Marks that join, direct or separate letters.
fn is_invisible(letter: char) -> bool {
    matches!(letter, '\u{AD}' | '\u{61C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2069}' | '\u{FEFF}')
}

/// Of an account that is made.
pub async fn refuse_new(tx: &mut PgConnection, input: &Input) -> Result<()> {
    refuse_look_alike(tx, None, &input.username).await?;
    if input.password.is_empty() {
        return Err(Error::invalid("password", "Niste uneli šifru."));
    }
    password_rules::require("password", &input.password, &[&input.username, &input.ime, &input.prezime])?;
    require_address(input)
}

/// What a worker signs in with, or is written to about that, is changed by who reaches all of her institutions.
pub async fn refuse_way_in(tx: &mut PgConnection, actor: &Actor, id: i64, input: &Input) -> Result<()> {
    let kept = sqlx::query!("select username, email from worker where id = $1", id).fetch_one(&mut *tx).await?;
    if kept.username != input.username {
        refuse_look_alike(&mut *tx, Some(id), &input.username).await?;
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_look_alike_has_its_letter() {
        assert_eq!(LOOK_ALIKE.0.chars().count(), LOOK_ALIKE.1.chars().count());
        assert!(is_latin("ana") && is_of_another_script("аna") && !is_of_another_script("šđčćž") && !is_latin("ана.1"));
        assert!(is_invisible('\u{200B}') && !is_invisible('-'));
    }
}
