//! Encryption on the way to servers. Each URL says for itself what is asked for: `postgres://…?sslmode=verify-full`, `rediss://…`,
//! `smtps://…`; and `sslrootcert=FILE` in its query names the PEM file of the authorities that alone are believed there, as PostgreSQL's
//! URLs do. PostgreSQL's driver reads its own.

use std::{fs, path::PathBuf};

use anyhow::{Context, ensure};
use redis::TlsCertificates;

use crate::{db::percent_decoded, environment};

/// The address of Redis that the environment names; one that cannot be used is refused in words that name the setting.
pub fn required(setting: &str) -> anyhow::Result<String> {
    let url = environment::required(setting)?;
    redis_client(&url).with_context(|| setting.to_owned())?;
    Ok(url)
}

/// A client for `redis://…` or `rediss://…[?sslrootcert=FILE]`; without the file, encrypted connections believe the authorities of the system.
pub fn redis_client(url: &str) -> anyhow::Result<redis::Client> {
    let scheme = url.split_once("://").map_or("", |(scheme, _)| scheme);
    ensure!(
        !scheme.contains("sentinel"),
        "it names a Sentinel, whose addresses are not taken: give one address that leads to the Redis in charge, or a Redis alone, since it \
         carries wake-ups only and what it loses is found ten seconds later"
    );
    ensure!(["redis", "rediss"].contains(&scheme), "it is no address of Redis (redis://:password@host:6379/0, or rediss://…)");
    ensure!(!url.split('?').next().is_some_and(|place| place.contains(',')), "it names several servers: give the address of one Redis");
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

    #[test]
    fn an_address_of_another_kind_is_refused_in_words() {
        for (url, word) in [
            ("redis-sentinel://a:26379/regix/0", "Sentinel"),
            ("redis+sentinel://a:26379", "Sentinel"),
            ("redis://a:6379,b:6379/0", "several"),
            ("127.0.0.1:6379", "no address"),
            ("http://127.0.0.1:6379", "no address"),
        ] {
            let refusal = format!("{:#}", redis_client(url).expect_err(url));
            assert!(refusal.contains(word), "{url}: {refusal}");
        }
    }
}
