//! Single settings of the environment. One that is missing stops the program and names itself.

use anyhow::{Context, bail, ensure};

/// The value of `name`, or an error that names it.
pub fn required(name: &str) -> anyhow::Result<String> {
    match std::env::var(name) {
        Ok(value) if !value.trim().is_empty() => Ok(value),
        _ => bail!("the environment does not set {name}"),
    }
}

pub fn optional(name: &str, default: &str) -> String {
    std::env::var(name).ok().filter(|value| !value.trim().is_empty()).unwrap_or_else(|| default.to_owned())
}

/// A number from the environment, or `default` where it is not set.
pub fn number<T: std::str::FromStr>(name: &str, default: T) -> anyhow::Result<T>
where
    T::Err: std::error::Error + Send + Sync + 'static,
{
    match std::env::var(name) {
        Ok(value) if !value.trim().is_empty() => value.trim().parse().with_context(|| format!("{name} is not a number")),
        _ => Ok(default),
    }
}

/// As [`number`], between two bounds: a pace of no seconds, or a thousand jobs at one time, is a slip of the pen and stops the program.
pub fn within<T>(name: &str, default: T, least: T, most: T) -> anyhow::Result<T>
where
    T: std::str::FromStr + PartialOrd + std::fmt::Display,
    T::Err: std::error::Error + Send + Sync + 'static,
{
    let value = number(name, default)?;
    ensure!(least <= value && value <= most, "{name} is {value}: it lies between {least} and {most}");
    Ok(value)
}
