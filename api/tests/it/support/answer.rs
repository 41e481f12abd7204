//! An answer of the API, read to its end.

use axum::{body, http::HeaderMap, http::StatusCode, response::Response};
use serde_json::Value;

pub struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    pub bytes: Vec<u8>,
}

impl Answer {
    pub async fn read(response: Response) -> Self {
        let (status, headers) = (response.status(), response.headers().clone());
        let bytes = body::to_bytes(response.into_body(), usize::MAX).await.expect("the body ends").to_vec();
        Self { status: StatusCode::as_u16(&status), headers, bytes }
    }

    /// The body of a success.
    #[track_caller]
    pub fn json(&self) -> Value {
        assert!((200..300).contains(&self.status), "{} {}", self.status, self.text());
        serde_json::from_slice(&self.bytes).unwrap_or_else(|_| panic!("not JSON: {}", self.text()))
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }

    #[track_caller]
    pub fn assert_status(&self, status: u16) -> &Self {
        assert_eq!(self.status, status, "{}", self.text());
        self
    }

    /// The body of a refusal.
    #[track_caller]
    pub fn refusal(&self, status: u16) -> Value {
        self.assert_status(status);
        serde_json::from_slice(&self.bytes).unwrap_or_else(|_| panic!("not JSON: {}", self.text()))
    }

    /// A refusal: its status, its text, and the field it is about.
    #[track_caller]
    pub fn assert_error(&self, status: u16, field: Option<&str>, message: &str) -> &Self {
        assert_eq!(self.refusal(status), serde_json::json!({ "message": message, "field": field }));
        self
    }

    /// A refusal that tells more than that.
    #[track_caller]
    pub fn assert_refusal(&self, status: u16, field: Option<&str>, message: &str) -> &Self {
        let told = self.refusal(status);
        assert_eq!((&told["message"], &told["field"]), (&serde_json::json!(message), &serde_json::json!(field)));
        self
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// Names of the record's fields, sorted: what a snapshot of its shape pins.
    #[track_caller]
    pub fn keys(&self) -> Vec<String> {
        keys(&self.json())
    }
}

#[track_caller]
pub fn keys(record: &Value) -> Vec<String> {
    let mut keys: Vec<String> = record.as_object().expect("a record").keys().cloned().collect();
    keys.sort();
    keys
}
