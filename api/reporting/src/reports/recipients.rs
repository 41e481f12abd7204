//! To whom a report is mailed: typed addresses, chosen workers and chosen groups, each checked against what the installation allows.

use domain::{
    mail_address::{domain_of, is_address},
    recipients::{Addressee, ChosenRecipients, Limits},
    text::number_of,
};
use platform::error::{Error, Result};
use sqlx::{PgConnection, PgPool};

/// The field with which a request says that its worker was asked about addresses without an account.
const STRANGERS: &str = "bezNaloga";

/// Checked recipients: as they were chosen, and whom that reaches now.
pub struct Recipients {
    pub chosen: ChosenRecipients,
    pub addressees: Vec<Addressee>,
}

/// Refuses what would reach nobody, or somebody whom the installation does not allow. The first fault is named.
pub async fn check(db: &PgPool, worker: i64, wanted: ChosenRecipients) -> Result<Recipients> {
    let chosen = ChosenRecipients { emails: typed(&wanted.emails)?, radnici: once(wanted.radnici), grupe: once(wanted.grupe) };
    let mut connection = db.acquire().await?;
    refuse_unreachable(&mut connection, worker, &chosen).await?;
    let addressees = chosen.resolve(&mut connection, worker).await?;
    let limits = Limits::load(&mut *connection).await?;
    refuse_foreign_domain(&limits, addressees.iter().map(|addressee| addressee.address.as_str()))?;
    refuse_too_many(&limits, addressees.len())?;
    Ok(Recipients { chosen, addressees })
}

/// A link reaches also who cannot open it. Asked about are all addresses that no colleague has: whether others have accounts is told to nobody.
pub async fn ask_about_strangers(db: &PgPool, worker: i64, addressees: &[Addressee]) -> Result<()> {
    let typed: Vec<&str> = addressees.iter().filter(|one| one.radnik_id.is_none()).map(|one| one.address.as_str()).collect();
    let strangers = sqlx::query_scalar!(
        r#"select e.adresa as "adresa!" from unnest($2::text[]) with ordinality e (adresa, n)
            where not exists (select from worker w where w.aktivan and lower(btrim(w.email)) = lower(e.adresa)
                                 and (w.id = $1 or w.id in (select c.radnik_id from colleagues_of($1) c)))
            order by e.n"#,
        worker,
        &typed as &[&str]
    )
    .fetch_all(db)
    .await?;
    match &strangers[..] {
        [] => Ok(()),
        [one] => {
            Err(Error::invalid(STRANGERS, format!("Adresu „{}” nema niko od vaših kolega, a link otvara samo ko ima nalog.", shown(one))))
        }
        many => {
            let named: Vec<String> = many.iter().take(5).map(|address| format!("„{}”", shown(address))).collect();
            let more = if many.len() > 5 { format!(" i još {}", many.len() - 5) } else { String::new() };
            let named = named.join(", ");
            Err(Error::invalid(STRANGERS, format!("Adrese {named}{more} nema niko od vaših kolega, a link otvara samo ko ima nalog.")))
        }
    }
}

/// A chosen worker without an address, or one who has left, would get nothing unseen; so would a group that is gone. Only colleagues
/// are named.
async fn refuse_unreachable(db: &mut PgConnection, worker: i64, chosen: &ChosenRecipients) -> Result<()> {
    let colleagues = sqlx::query!(
        r#"select w.id, w.ime || ' ' || w.prezime as "naziv!", btrim(coalesce(w.email, '')) as "email!"
             from worker w where w.id = any($2) and w.id in (select c.radnik_id from colleagues_of($1) c)"#,
        worker,
        &chosen.radnici
    )
    .fetch_all(&mut *db)
    .await?;
    if let Some(silent) = colleagues.iter().find(|colleague| !is_address(&colleague.email)) {
        return Err(Error::invalid("emails", format!("{}: u nalogu nema ispravne e-mail adrese. Uklonite ovog primaoca.", silent.naziv)));
    }
    if chosen.radnici.iter().any(|id| colleagues.iter().all(|colleague| colleague.id != *id)) {
        return Err(Error::invalid("emails", "Izabrani radnik više nema nalog ili nije u vašoj ustanovi. Uklonite ga iz primalaca."));
    }
    let groups = sqlx::query_scalar!(
        r#"select count(*) as "groups!" from recipient_group where id = any($2) and aktivan and (ustanova_id is null or works_at($1, ustanova_id))"#,
        worker,
        &chosen.grupe
    )
    .fetch_one(db)
    .await?;
    if usize::try_from(groups).ok() != Some(chosen.grupe.len()) {
        return Err(Error::invalid(
            "emails",
            "Izabrana grupa primalaca više ne postoji ili nije za vašu ustanovu. Uklonite je iz primalaca.",
        ));
    }
    Ok(())
}

/// The typed addresses, in the order given, each once.
fn typed(emails: &[String]) -> Result<Vec<String>> {
    let mut kept: Vec<String> = Vec::new();
    for address in emails.iter().map(|address| address.trim()).filter(|address| !address.is_empty()) {
        if !is_address(address) {
            return Err(Error::invalid("emails", format!("Adresa „{}” nije ispravna.", shown(address))));
        }
        if !kept.iter().any(|other| other.eq_ignore_ascii_case(address)) {
            kept.push(address.to_owned());
        }
    }
    Ok(kept)
}

fn once(mut ids: Vec<i64>) -> Vec<i64> {
    let mut known = std::collections::HashSet::new();
    ids.retain(|id| known.insert(*id));
    ids
}

/// The address and its domain are named, and the domains that are allowed.
pub fn refuse_foreign_domain<'a>(limits: &Limits, addresses: impl IntoIterator<Item = &'a str>) -> Result<()> {
    match addresses.into_iter().find(|address| !limits.domains.admits(address)) {
        None => Ok(()),
        Some(address) => Err(Error::invalid(
            "emails",
            format!(
                "Adresa „{}” je na domenu „{}”, na koji se izveštaji ne šalju. Dozvoljeni domeni: {}.",
                shown(address),
                domain_of(address),
                limits.domains.listed().filter(|listed| !listed.is_empty()).unwrap_or_else(|| "nijedan".to_owned())
            ),
        )),
    }
}

fn refuse_too_many(limits: &Limits, count: usize) -> Result<()> {
    if count <= limits.most {
        return Ok(());
    }
    let most = number_of(i64::try_from(limits.most).unwrap_or(i64::MAX), ["primaoca", "primaoca", "primalaca"]);
    Err(Error::invalid("emails", format!("Izveštaj može da ima najviše {most}, a izabrano ih je {count}.")))
}

/// The address as a message repeats it: a pasted paragraph is cut.
fn shown(address: &str) -> String {
    address.chars().filter(|letter| !letter.is_control()).take(80).collect()
}

#[cfg(test)]
mod tests {
    use domain::mail_address::AllowedDomains;

    use super::*;

    fn list(emails: &[&str]) -> Result<Vec<String>> {
        typed(&emails.iter().map(|email| (*email).to_owned()).collect::<Vec<_>>())
    }

    fn refusal(outcome: Result<()>) -> String {
        let Err(Error::Invalid { field, message }) = outcome else { panic!("it passes") };
        assert_eq!(field.as_deref(), Some("emails"));
        message.into_owned()
    }

    #[test]
    fn repetitions_and_blanks_are_dropped_whatever_their_case() {
        assert_eq!(list(&[" ana@kcs.rs ", "", "ANA@kcs.rs", "mika@nis.ac.rs"]).unwrap(), ["ana@kcs.rs", "mika@nis.ac.rs"]);
        assert_eq!(once(vec![3, 1, 3, 2, 1]), [3, 1, 2]);
    }

    #[test]
    fn the_bad_address_is_named() {
        assert_eq!(
            refusal(list(&["mika@nis.ac.rs", "ana@kcs.rs\r\nBcc: x@y.rs"]).map(drop)),
            "Adresa „ana@kcs.rsBcc: x@y.rs” nije ispravna."
        );
    }

    #[test]
    fn an_address_outside_of_the_allowed_domains_is_named_with_them() {
        let limits = |list: &str| Limits { domains: AllowedDomains::of_stored(list), most: 20 };
        assert!(refuse_foreign_domain(&limits(""), ["ana@gmail.com"]).is_ok());
        assert_eq!(
            refusal(refuse_foreign_domain(&limits("kcs.rs,nis.ac.rs"), ["mika@lab.nis.ac.rs", "ana@gmail.com"])),
            "Adresa „ana@gmail.com” je na domenu „gmail.com”, na koji se izveštaji ne šalju. Dozvoljeni domeni: kcs.rs, nis.ac.rs."
        );
    }

    #[test]
    fn more_recipients_than_the_parameter_allows_are_refused() {
        let limits = Limits { domains: AllowedDomains::default(), most: 20 };
        assert!(refuse_too_many(&limits, 20).is_ok());
        assert_eq!(refusal(refuse_too_many(&limits, 21)), "Izveštaj može da ima najviše 20 primalaca, a izabrano ih je 21.");
    }
}
