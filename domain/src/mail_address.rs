//! Mail addresses as a report may be sent to them: what one is, and which domains an installation allows.

/// `local@domain.tld`, as RFC 5321 bounds it; quoted local parts and bare host names are refused as mistypings.
pub fn is_address(address: &str) -> bool {
    ascii_address(address).is_some()
}

/// The address as it goes over the wire: a domain of other letters by its name in ASCII.
pub fn ascii_address(address: &str) -> Option<String> {
    let (local, domain) = address.rsplit_once('@')?;
    let ascii = format!("{local}@{}", ascii_domain(domain)?);
    (ascii.len() <= 254 && local.len() <= 64 && local.split('.').all(is_atom)).then_some(ascii)
}

/// `пример.срб` as `xn--e1afmkfd.xn--90a3ac`. What IDNA would take for other letters is refused: `K` of kelvin is no `k`.
fn ascii_domain(domain: &str) -> Option<String> {
    if domain.is_ascii() {
        return is_domain(domain).then(|| domain.to_owned());
    }
    let ascii = idna::domain_to_ascii_strict(domain).ok()?;
    (shown_domain(&ascii) == domain.to_ascii_lowercase() && is_domain(&ascii)).then_some(ascii)
}

/// As people write it.
fn shown_domain(ascii: &str) -> String {
    idna::domain_to_unicode(ascii).0
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

/// The domain of an address.
pub fn domain_of(address: &str) -> &str {
    address.rsplit_once('@').map_or("", |(_, domain)| domain)
}

/// The domains to which reports may be mailed; a domain allows its subdomains too. A blank list allows every domain.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AllowedDomains(Option<Vec<String>>);

impl AllowedDomains {
    /// Reads `kcs.rs, bolnica.co.rs`; a leading point says nothing more. The first part that is no domain is given back.
    pub fn parse(list: &str) -> Result<Self, &str> {
        let mut domains = Vec::new();
        for part in parts(list) {
            domains.push(ascii_domain(part).ok_or(part)?.to_ascii_lowercase());
        }
        Ok(Self((!list.trim().is_empty()).then_some(domains)))
    }

    /// As [`Self::parse`], where nobody can be told: what is no domain allows nothing.
    pub fn of_stored(list: &str) -> Self {
        let domains = parts(list).filter_map(ascii_domain).map(|domain| domain.to_ascii_lowercase()).collect();
        Self((!list.trim().is_empty()).then_some(domains))
    }

    /// As people read it: `kcs.rs, bolnica.co.rs`; `None`: every domain is allowed.
    pub fn listed(&self) -> Option<String> {
        self.0.as_ref().map(|domains| domains.iter().map(|domain| shown_domain(domain)).collect::<Vec<_>>().join(", "))
    }

    /// Whether it allows an address that the other one does not.
    pub fn is_wider_than(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (_, None) => false,
            (None, Some(_)) => true,
            (Some(domains), Some(_)) => domains.iter().any(|domain| !other.admits(&format!("a@{domain}"))),
        }
    }

    pub fn admits(&self, address: &str) -> bool {
        let Some(allowed) = &self.0 else { return true };
        let Some(domain) = ascii_domain(domain_of(address.trim())).map(|domain| domain.to_ascii_lowercase()) else { return false };
        allowed.iter().any(|allowed| domain.strip_suffix(allowed.as_str()).is_some_and(|before| before.is_empty() || before.ends_with('.')))
    }
}

fn parts(list: &str) -> impl Iterator<Item = &str> {
    list.split(',').map(str::trim).map(|part| part.strip_prefix('.').unwrap_or(part)).filter(|part| !part.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The browser's tests read the same table.
    #[test]
    fn unusual_but_right_addresses_pass_and_mistyped_ones_do_not() {
        let cases: serde_json::Value = serde_json::from_str(include_str!("../address-cases.json")).expect("the table of cases reads");
        let addresses = |which: &str| cases["mailable"][which].as_array().unwrap().iter().map(|address| address.as_str().unwrap());
        assert_eq!(addresses("right").find(|address| !is_address(address)), None);
        assert_eq!(addresses("wrong").find(|address| is_address(address)), None);
    }

    #[test]
    fn a_domain_allows_itself_and_its_subdomains_only() {
        let allowed = AllowedDomains::parse(" KCS.rs, .bolnica.co.rs ").unwrap();
        for address in ["ana@kcs.rs", "ana@KCS.RS", "ana@odeljenje.kcs.rs", "ana@bolnica.co.rs", "ana@a.b.bolnica.co.rs"] {
            assert!(allowed.admits(address), "{address}");
        }
        for address in ["ana@lazni-kcs.rs", "ana@kcs.rs.primer.com", "ana@co.rs", "kcs.rs@primer.com", "ana", ""] {
            assert!(!allowed.admits(address), "{address}");
        }
    }

    #[test]
    fn a_domain_of_other_letters_is_one_by_its_name_in_ascii() {
        assert_eq!(ascii_address("ana@пример.срб").as_deref(), Some("ana@xn--e1afmkfd.xn--90a3ac"));
        assert_eq!(ascii_address("ana@kcs.rs").as_deref(), Some("ana@kcs.rs"));
        let allowed = AllowedDomains::parse("пример.срб").unwrap();
        for address in ["ana@пример.срб", "ana@xn--e1afmkfd.xn--90a3ac", "ana@odeljenje.пример.срб"] {
            assert!(allowed.admits(address), "{address}");
        }
        assert!(!allowed.admits("ana@срб"));
        assert_eq!(allowed.listed().as_deref(), Some("пример.срб"));
    }

    #[test]
    fn a_blank_list_allows_all_and_an_unreadable_one_nothing() {
        assert!(AllowedDomains::parse("  ").unwrap().admits("ana@kcs.rs"));
        assert_eq!(AllowedDomains::parse("kcs.rs, kcs"), Err("kcs"));
        assert!(!AllowedDomains::of_stored("kcs").admits("ana@kcs.rs"));
        assert!(!AllowedDomains::of_stored(" , ").admits("ana@kcs.rs"));
        assert!(AllowedDomains::of_stored("kcs, kcs.rs").admits("ana@kcs.rs"));
    }
}
