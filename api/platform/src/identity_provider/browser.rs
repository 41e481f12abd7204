//! The browser in which a sign-in began: a random secret in a cookie that no script reads. All that the provider must give back, and that
//! nobody else may know, is made of it, so that the database holds none of it.

use axum::http::{HeaderMap, HeaderValue, header};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use openidconnect::{Nonce, PkceCodeVerifier};
use sha2::{Digest, Sha256};

use crate::token::{TokenHash, hash_token, new_token};

/// Each sign-in has a cookie of its own: two tabs do not disturb each other.
const PREFIX: &str = "regix-prijava-";
/// Seconds; as long as a sign-in may take.
const LIFE: i64 = 600;

pub struct Browser {
    secret: String,
}

impl Browser {
    /// In which a sign-in begins now.
    pub fn begin() -> Self {
        Self { secret: new_token().0 }
    }

    /// Those that a request comes from; a browser may have begun several sign-ins.
    pub fn all_of(headers: &HeaderMap) -> Vec<Self> {
        let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok()).flat_map(|list| list.split(';'));
        let own = cookies.filter_map(|cookie| cookie.trim().strip_prefix(PREFIX)?.split_once('='));
        own.map(|(_, secret)| Self { secret: secret.to_owned() }).collect()
    }

    /// What the database knows it by.
    pub fn hash(&self) -> TokenHash {
        hash_token(&self.secret)
    }

    /// What the provider puts into the token that it makes for this sign-in.
    pub fn nonce(&self) -> Nonce {
        Nonce::new(self.derived("nonce"))
    }

    /// What shows the provider that who fetches the token has begun the sign-in (RFC 7636).
    pub fn verifier(&self) -> PkceCodeVerifier {
        PkceCodeVerifier::new(self.derived("pkce"))
    }

    pub fn cookie(&self, secure: bool) -> HeaderValue {
        self.set_cookie(&self.secret, LIFE, secure)
    }

    /// Takes the cookie away again.
    pub fn farewell(&self, secure: bool) -> HeaderValue {
        self.set_cookie("", 0, secure)
    }

    fn set_cookie(&self, value: &str, age: i64, secure: bool) -> HeaderValue {
        let name = hex::encode(&self.hash().0[..8]);
        let secure = if secure { "; Secure" } else { "" };
        let cookie = format!("{PREFIX}{name}={value}; Path=/api; Max-Age={age}; HttpOnly; SameSite=Lax{secure}");
        HeaderValue::try_from(cookie).expect("letters and digits only")
    }

    fn derived(&self, what: &str) -> String {
        BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(format!("{what}\0{}", self.secret)))
    }
}
