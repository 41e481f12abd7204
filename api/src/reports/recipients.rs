//! The e-mail list of a request: trimmed, without repetitions, each address one that a mail server can take.

use crate::error::Error;

/// One request mails at most so many people.
const MOST_RECIPIENTS: usize = 20;

/// The addresses to mail, in the order given. The first bad one is named.
pub fn check(emails: &[String]) -> Result<Vec<String>, Error> {
    let mut kept: Vec<String> = Vec::new();
    for address in emails.iter().map(|address| address.trim()).filter(|address| !address.is_empty()) {
        if !is_address(address) {
            return Err(Error::invalid("emails", format!("Adresa „{}” nije ispravna.", shown(address))));
        }
        if !kept.iter().any(|other| other.eq_ignore_ascii_case(address)) {
            kept.push(address.to_owned());
        }
    }
    if kept.len() > MOST_RECIPIENTS {
        return Err(Error::invalid("emails", format!("Najviše {MOST_RECIPIENTS} adresa može da primi izveštaj.")));
    }
    Ok(kept)
}

/// `local@domain.tld` in ASCII, as RFC 5321 bounds it; quoted local parts and bare host names are refused as mistypings.
fn is_address(address: &str) -> bool {
    let Some((local, domain)) = address.rsplit_once('@') else { return false };
    address.len() <= 254 && local.len() <= 64 && local.split('.').all(is_atom) && is_domain(domain)
}

fn is_atom(part: &str) -> bool {
    !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-/=?^_`{|}~".contains(&byte))
}

fn is_domain(domain: &str) -> bool {
    let labels: Vec<&str> = domain.split('.').collect();
    let last_is_a_name = labels.last().is_some_and(|label| label.bytes().any(|byte| byte.is_ascii_alphabetic()));
    labels.len() >= 2 && last_is_a_name && labels.into_iter().all(is_label)
}

fn is_label(label: &str) -> bool {
    (1..=63).contains(&label.len())
        && !label.starts_with('-')
        && !label.ends_with('-')
        && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

/// The address as a message repeats it: a pasted paragraph is cut.
fn shown(address: &str) -> String {
    address.chars().filter(|letter| !letter.is_control()).take(80).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(emails: &[&str]) -> Result<Vec<String>, Error> {
        check(&emails.iter().map(|email| (*email).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn repetitions_and_blanks_are_dropped_whatever_their_case() {
        assert_eq!(list(&[" ana@kcs.rs ", "", "ANA@kcs.rs", "mika@nis.ac.rs"]).unwrap(), ["ana@kcs.rs", "mika@nis.ac.rs"]);
    }

    #[test]
    fn the_bad_address_is_named() {
        for bad in [
            "ana",
            "ana@",
            "@kcs.rs",
            "ana@kcs",
            "ana@kcs..rs",
            "a na@kcs.rs",
            "ana@-kcs.rs",
            ".ana@kcs.rs",
            "ana.@kcs.rs",
            "ana@kcs.rs,mika@kcs.rs",
            "ana@kcs.rs\r\nBcc: x@y.rs",
            "čika@kcs.rs",
            "ana@10.0.0.1",
            "\"ana b\"@kcs.rs",
            "a@b@kcs.rs",
        ] {
            let Err(Error::Invalid { field, message }) = list(&["mika@nis.ac.rs", bad]) else { panic!("{bad} passes") };
            assert_eq!(field.as_deref(), Some("emails"));
            assert!(message.starts_with("Adresa „") && message.ends_with("” nije ispravna."), "{bad}: {message}");
        }
    }

    #[test]
    fn unusual_but_right_addresses_pass() {
        for good in ["o'neil+izvestaji@sub.klinika.co.rs", "a.b_c-d@x1.rs", "sef@xn--e1aybc.xn--90a3ac"] {
            assert_eq!(list(&[good]).unwrap(), [good]);
        }
    }

    #[test]
    fn too_many_recipients_are_refused() {
        let crowd: Vec<String> = (0..21).map(|n| format!("radnik{n}@kcs.rs")).collect();
        assert!(check(&crowd).is_err());
        assert_eq!(check(&crowd[..20]).unwrap().len(), 20);
    }
}
