//! How sessions are configured: in our filter, and in Envoy's own.

use serde_json::{Value, json};

/// The cookie of our sessions.
pub const COOKIE: &str = "spillgate";

/// `affinity` of our filter with these keys, the first of which seals.
#[must_use]
pub fn sticky(keys: &[(u8, &str)]) -> Value {
    let keys = keys.iter();
    let keys: Vec<Value> = keys
        .map(|(id, secret)| json!({"id": id, "secret": secret}))
        .collect();
    json!({"cookie": {"name": COOKIE}, "keys": keys})
}

/// Envoy's own sessions, in a cookie.
#[must_use]
pub fn native_sessions(cookie: &str) -> Value {
    json!({
        "name": "envoy.filters.http.stateful_session",
        "typed_config": {
            "@type": "type.googleapis.com/envoy.extensions.filters.http.stateful_session.v3.StatefulSession",
            "session_state": {
                "name": "envoy.http.stateful_session.cookie",
                "typed_config": {
                    "@type": "type.googleapis.com/envoy.extensions.http.stateful_session.cookie.v3.CookieBasedSessionState",
                    "cookie": {"name": cookie, "path": "/"},
                },
            },
        },
    })
}
