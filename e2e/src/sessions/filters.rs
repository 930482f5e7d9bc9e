//! How sessions are configured: in our filter, and in Envoy's own.

use anyhow::Result;
use serde_json::{Value, json};

use crate::config::{host_list_to_metadata, wasm};
use crate::{Need, needed};

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

/// Our filter, and the one that moves the host list where no host sees it.
///
/// # Errors
/// When `SPILLGATE_FILTER_WASM` is not set.
pub fn our_filters(configuration: &Value) -> Result<Vec<Value>> {
    let module = needed(Need::FilterWasm)?;
    let text = configuration.to_string();
    Ok(vec![
        json!({
            "name": "spillgate",
            "typed_config": wasm(&module, "spillgate", "FAIL_RELOAD", &text),
        }),
        host_list_to_metadata(),
    ])
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
