//! Hashing of passwords with argon2id, off the threads that answer calls.

use anyhow::anyhow;
use argon2::{
    Argon2, PasswordHasher, PasswordVerifier,
    password_hash::{PasswordHash, SaltString, rand_core::OsRng},
};
use std::sync::OnceLock;

use tokio::sync::Semaphore;

/// One hashing takes 19 MiB and a core for a while: a burst of sign-ins queues up instead of exhausting the machine.
static AT_ONCE: Semaphore = Semaphore::const_new(4);

/// Hashes a password with a salt of its own.
pub async fn hash(password: String) -> anyhow::Result<String> {
    let _permit = AT_ONCE.acquire().await?;
    tokio::task::spawn_blocking(move || hash_now(&password)).await?
}

/// Hashes what may be left out; a blank password is none.
pub async fn hash_if_given(password: Option<String>) -> anyhow::Result<Option<String>> {
    match password.filter(|password| !password.is_empty()) {
        Some(password) => hash(password).await.map(Some),
        None => Ok(None),
    }
}

/// Whether the password is the hashed one. Without a stored hash it takes as long and says no, so that the time of an
/// answer does not tell whether the account exists.
pub async fn verify(password: String, stored: Option<String>) -> anyhow::Result<bool> {
    let _permit = AT_ONCE.acquire().await?;
    tokio::task::spawn_blocking(move || {
        let known = stored.is_some();
        let stored = match stored {
            Some(stored) => stored,
            None => dummy()?.to_owned(),
        };
        let parsed = PasswordHash::new(&stored).map_err(|error| anyhow!("a stored password hash is unreadable: {error}"))?;
        Ok(Argon2::default().verify_password(password.as_bytes(), &parsed).is_ok() && known)
    })
    .await?
}

fn hash_now(password: &str) -> anyhow::Result<String> {
    let salt = SaltString::generate(&mut OsRng);
    let hash =
        Argon2::default().hash_password(password.as_bytes(), &salt).map_err(|error| anyhow!("the password cannot be hashed: {error}"))?;
    Ok(hash.to_string())
}

/// A hash of nobody's password, made once.
fn dummy() -> anyhow::Result<&'static str> {
    static DUMMY: OnceLock<String> = OnceLock::new();
    if let Some(known) = DUMMY.get() {
        return Ok(known);
    }
    let made = hash_now("nobody's password")?;
    Ok(DUMMY.get_or_init(|| made))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn only_the_same_password_verifies_and_no_account_never_does() {
        let stored = hash("šifra 1".to_owned()).await.unwrap();
        assert!(stored.starts_with("$argon2id$"));
        assert!(verify("šifra 1".to_owned(), Some(stored.clone())).await.unwrap());
        assert!(!verify("sifra 1".to_owned(), Some(stored)).await.unwrap());
        assert!(!verify("nobody's password".to_owned(), None).await.unwrap());
    }

    #[test]
    fn two_hashes_of_one_password_differ() {
        assert_ne!(hash_now("a").unwrap(), hash_now("a").unwrap());
    }
}
