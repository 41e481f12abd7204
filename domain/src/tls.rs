//! Encryption on the way to servers. Each URL says for itself what is asked for: `postgres://…?sslmode=verify-full`, `rediss://…`,
//! `smtps://…`; and `sslrootcert=FILE` in its query names the PEM file of the authorities that alone are believed there, as PostgreSQL's
//! URLs do. PostgreSQL's driver reads its own.

use std::{fs, path::PathBuf};

use anyhow::{Context, ensure};
use redis::TlsCertificates;

use crate::db::percent_decoded;

/// A client for `redis://…` or `rediss://…[?sslrootcert=FILE]`; without the file, encrypted connections believe the authorities of the system.
pub fn redis_client(url: &str) -> anyhow::Result<redis::Client> {
    let (address, authorities) = authorities(url)?;
    let Some(root_cert) = authorities else { return Ok(redis::Client::open(address)?) };
    ensure!(address.starts_with("rediss://"), "sslrootcert asks for encryption: the address begins with rediss://");
    Ok(redis::Client::build_with_tls(address, TlsCertificates { client_tls: None, root_cert: Some(root_cert) })?)
}

/// Takes `sslrootcert` out of a URL; gives the rest, and what stands in the file.
pub fn authorities(url: &str) -> anyhow::Result<(String, Option<Vec<u8>>)> {
    let (rest, file) = authorities_file(url)?;
    let pem = file.map(|file| fs::read(&file).with_context(|| format!("sslrootcert: {} cannot be read", file.display()))).transpose()?;
    Ok((rest, pem))
}

/// As [`authorities`], but gives the name of the file.
pub fn authorities_file(url: &str) -> anyhow::Result<(String, Option<PathBuf>)> {
    let Some((address, query)) = url.split_once('?') else { return Ok((url.to_owned(), None)) };
    let (named, others): (Vec<&str>, Vec<&str>) = query.split('&').partition(|part| part.starts_with("sslrootcert="));
    ensure!(named.len() < 2, "sslrootcert stands there more than once");
    let file = named.first().map(|part| percent_decoded(&part["sslrootcert=".len()..])).transpose()?.map(PathBuf::from);
    let mark = if others.is_empty() { "" } else { "?" };
    Ok((format!("{address}{mark}{}", others.join("&")), file))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn the_file_of_authorities_is_taken_out_of_an_address_and_the_rest_stays() {
        let cases = [
            ("rediss://:p@redis/0?sslrootcert=/etc/regix/ca.pem", "rediss://:p@redis/0", Some("/etc/regix/ca.pem")),
            ("smtp://posta?tls=required&sslrootcert=/a%20b.pem", "smtp://posta?tls=required", Some("/a b.pem")),
            ("redis://127.0.0.1?protocol=resp3", "redis://127.0.0.1?protocol=resp3", None),
            ("redis://127.0.0.1", "redis://127.0.0.1", None),
        ];
        for (url, rest, file) in cases {
            assert_eq!(authorities_file(url).unwrap(), (rest.to_owned(), file.map(PathBuf::from)), "{url}");
        }
        assert!(authorities_file("redis://a?sslrootcert=/1&sslrootcert=/2").is_err());
    }

    #[test]
    fn a_file_that_is_not_there_or_an_address_in_the_clear_is_refused() {
        let missing = redis_client("rediss://redis?sslrootcert=/nowhere/ca.pem").unwrap_err();
        assert!(format!("{missing:#}").contains("/nowhere/ca.pem"), "{missing:#}");
        let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
        assert!(redis_client(&format!("redis://redis?sslrootcert={}", here.display())).is_err(), "in the clear");
        assert!(redis_client("redis://127.0.0.1/0").is_ok());
    }
}
