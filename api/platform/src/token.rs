//! Random tokens, and what the database knows them by.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use sha2::{Digest, Sha256};

/// What the database knows a token by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenHash(pub [u8; 32]);

/// A new random token, 256 bits, and its hash. The token itself is only ever in the answer to the sign-in.
pub fn new_token() -> (String, TokenHash) {
    let token = BASE64_URL_SAFE_NO_PAD.encode(rand::random::<[u8; 32]>());
    let hash = hash_token(&token);
    (token, hash)
}

/// A token has 256 random bits, so a plain fast hash keeps it secret.
pub fn hash_token(token: &str) -> TokenHash {
    TokenHash(Sha256::digest(token.as_bytes()).into())
}
