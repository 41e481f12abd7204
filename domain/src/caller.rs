//! From where a call comes and for which institution it is made: what each row of the log says beside the worker.

tokio::task_local! {
    static CALLER: Caller;
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Caller {
    /// The address of the client; none where a program does something by itself.
    pub adresa: Option<String>,
    pub ustanova_id: Option<i64>,
}

/// What is done within is done for this caller.
pub async fn within<F: Future>(caller: Caller, doing: F) -> F::Output {
    CALLER.scope(caller, doing).await
}

/// For whom something is being done; nobody outside a call.
pub fn current() -> Caller {
    CALLER.try_with(Clone::clone).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_caller_ends_with_the_call() {
        let caller = Caller { adresa: Some("10.0.0.7".to_owned()), ustanova_id: Some(3) };
        assert_eq!(within(caller.clone(), async { current() }).await, caller);
        assert_eq!(current(), Caller::default());
    }
}
