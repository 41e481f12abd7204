//! The id of the call to which belongs what is being done. It goes from the browser to the engine, in logs, rows and traces: `zahtev`.

tokio::task_local! {
    static CALL: String;
}

/// Whether this may be the id of a call: what is sent as one is believed only then, since logs and rows carry it.
pub fn is_valid(text: &str) -> bool {
    (8..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-'))
}

/// What is done within belongs to this call.
pub async fn within<F: Future>(id: String, doing: F) -> F::Output {
    CALL.scope(id, doing).await
}

/// The call to which belongs what is being done.
pub fn current() -> Option<String> {
    CALL.try_with(Clone::clone).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_call_has_one_id_and_strange_ones_are_not_believed() {
        assert_eq!(current(), None);
        assert_eq!(within("zahtev-1".to_owned(), async { current() }).await.as_deref(), Some("zahtev-1"));
        assert!(is_valid("0190f3a2-7c1e-7000-8000-000000000000"));
        let too_long = "a".repeat(65);
        for strange in ["", "kratak", "Pera Perić", "a b c d e f g", "x\"y\"z\"x\"y", too_long.as_str()] {
            assert!(!is_valid(strange), "{strange}");
        }
    }
}
