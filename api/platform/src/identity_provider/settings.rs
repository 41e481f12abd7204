//! Which provider there is, by the environment of the api. Without any of its variables there is none; with some of them the program
//! stops and names those that are missing.

use std::{fs, net::IpAddr};

use anyhow::{Context, bail, ensure};
use domain::tls;
use openidconnect::{ClientId, ClientSecret, IssuerUrl};

const NAMES: [&str; 7] =
    ["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET", "OIDC_CLIENT_SECRET_FILE", "OIDC_LABEL", "OIDC_CLAIM", "OIDC_MFA_ACR"];
const DEFAULT_LABEL: &str = "Prijava preko bolnice";
const DEFAULT_CLAIM: &str = "preferred_username";

#[derive(Clone)]
pub struct Settings {
    pub issuer: IssuerUrl,
    pub client_id: ClientId,
    pub client_secret: ClientSecret,
    /// What stands on the button.
    pub label: String,
    /// The claim that holds the worker's user name.
    pub claim: String,
    /// Values of `acr` that mean a second step; `mfa` in `amr` always does.
    pub mfa_acr: Vec<String>,
    /// Certificates of the authorities that alone are believed, in PEM; none: those of the system.
    pub authorities: Option<Vec<u8>>,
}

impl Settings {
    pub fn from_env() -> anyhow::Result<Option<Self>> {
        Self::read(|name| std::env::var(name).ok())
    }

    /// Reads them from anything that has variables. A blank one is none.
    pub fn read(variable: impl Fn(&str) -> Option<String>) -> anyhow::Result<Option<Self>> {
        let variable = |name: &str| variable(name).map(|value| value.trim().to_owned()).filter(|value| !value.is_empty());
        if NAMES.iter().all(|name| variable(name).is_none()) {
            return Ok(None);
        }
        let secret = match (variable("OIDC_CLIENT_SECRET"), variable("OIDC_CLIENT_SECRET_FILE")) {
            (Some(_), Some(_)) => bail!("OIDC_CLIENT_SECRET and OIDC_CLIENT_SECRET_FILE are both set: one of them is enough"),
            (None, Some(file)) => Some(secret_in(&file)?),
            (secret, None) => secret,
        };
        let (Some(issuer), Some(client_id), Some(secret)) = (variable("OIDC_ISSUER"), variable("OIDC_CLIENT_ID"), &secret) else {
            let secret = secret.is_none().then_some("OIDC_CLIENT_SECRET (or OIDC_CLIENT_SECRET_FILE)");
            let missing = ["OIDC_ISSUER", "OIDC_CLIENT_ID"].into_iter().filter(|name| variable(name).is_none()).chain(secret);
            bail!("sign-in by OpenID Connect is set in part; missing: {}", missing.collect::<Vec<_>>().join(", "));
        };
        let (issuer, authorities) = tls::authorities(&issuer).context("OIDC_ISSUER")?;
        let issuer = IssuerUrl::new(issuer).context("OIDC_ISSUER is no address")?;
        ensure!(is_safe(&issuer), "OIDC_ISSUER begins with https://, or names this machine");
        Ok(Some(Self {
            issuer,
            client_id: ClientId::new(client_id),
            client_secret: ClientSecret::new(secret.clone()),
            label: variable("OIDC_LABEL").unwrap_or_else(|| DEFAULT_LABEL.to_owned()),
            claim: variable("OIDC_CLAIM").unwrap_or_else(|| DEFAULT_CLAIM.to_owned()),
            mfa_acr: variable("OIDC_MFA_ACR").map(|list| list.split_whitespace().map(str::to_owned).collect()).unwrap_or_default(),
            authorities,
        }))
    }
}

fn secret_in(file: &str) -> anyhow::Result<String> {
    let secret = fs::read_to_string(file).with_context(|| format!("OIDC_CLIENT_SECRET_FILE: {file} cannot be read"))?;
    let secret = secret.trim();
    ensure!(!secret.is_empty(), "OIDC_CLIENT_SECRET_FILE: {file} is empty");
    Ok(secret.to_owned())
}

/// Who listens in the clear could sign in as anybody.
fn is_safe(issuer: &IssuerUrl) -> bool {
    let host = issuer.url().host_str().unwrap_or_default();
    let here = host == "localhost" || host.trim_matches(['[', ']']).parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
    issuer.url().scheme() == "https" || (issuer.url().scheme() == "http" && here)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(variables: &[(&str, &str)]) -> anyhow::Result<Option<Settings>> {
        Settings::read(|name| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned()))
    }

    const WHOLE: [(&str, &str); 3] =
        [("OIDC_ISSUER", "https://id.bolnica.rs/realms/a"), ("OIDC_CLIENT_ID", "regix"), ("OIDC_CLIENT_SECRET", "tajna")];

    #[test]
    fn without_a_variable_there_is_no_provider_and_blank_ones_are_none() {
        assert!(read(&[]).unwrap().is_none());
        assert!(read(&[("OIDC_ISSUER", ""), ("OIDC_LABEL", " ")]).unwrap().is_none());
    }

    #[test]
    fn whatever_is_missing_is_named() {
        for (variables, missing) in [
            (vec![WHOLE[0]], "missing: OIDC_CLIENT_ID, OIDC_CLIENT_SECRET (or OIDC_CLIENT_SECRET_FILE)"),
            (vec![WHOLE[1], WHOLE[2]], "missing: OIDC_ISSUER"),
            (vec![("OIDC_LABEL", "Prijava")], "missing: OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET"),
        ] {
            let refusal = read(&variables).err().expect("a refusal").to_string();
            assert!(refusal.contains(missing), "{refusal}");
        }
    }

    #[test]
    fn the_rest_has_defaults_and_the_secret_may_stand_in_a_file() {
        let settings = read(&WHOLE).unwrap().unwrap();
        assert_eq!((settings.label.as_str(), settings.claim.as_str()), ("Prijava preko bolnice", "preferred_username"));
        assert!(settings.mfa_acr.is_empty() && settings.authorities.is_none());

        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(&file, "iz datoteke\n").unwrap();
        let path = file.path().to_str().unwrap();
        let settings = read(&[WHOLE[0], WHOLE[1], ("OIDC_CLIENT_SECRET_FILE", path)]).unwrap().unwrap();
        assert_eq!(settings.client_secret.secret(), "iz datoteke");
        assert!(read(&[WHOLE[0], WHOLE[1], WHOLE[2], ("OIDC_CLIENT_SECRET_FILE", path)]).is_err(), "which of the two?");
        assert!(read(&[WHOLE[0], WHOLE[1], ("OIDC_CLIENT_SECRET_FILE", "/nowhere/secret")]).is_err());
    }

    #[test]
    fn the_address_is_encrypted_or_of_this_machine_and_may_name_its_authorities() {
        for (issuer, good) in [
            ("https://id.bolnica.rs", true),
            ("http://127.0.0.1:9000", true),
            ("http://[::1]:9000", true),
            ("http://localhost", true),
            ("http://id.bolnica.rs", false),
            ("http://127.0.0.1.bolnica.rs", false),
            ("id.bolnica.rs", false),
            ("https://id.bolnica.rs?sslrootcert=/nowhere/ca.pem", false),
        ] {
            assert_eq!(read(&[("OIDC_ISSUER", issuer), WHOLE[1], WHOLE[2]]).is_ok(), good, "{issuer}");
        }
        let file = tempfile::NamedTempFile::new().unwrap();
        let issuer = format!("https://id.bolnica.rs?sslrootcert={}", file.path().display());
        let settings = read(&[("OIDC_ISSUER", &issuer), WHOLE[1], WHOLE[2]]).unwrap().unwrap();
        assert_eq!((settings.issuer.as_str(), settings.authorities), ("https://id.bolnica.rs", Some(Vec::new())));
    }
}
