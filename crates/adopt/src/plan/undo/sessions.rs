//! The sessions that the filter took over.

use serde_json::{Value, json};

/// The filter `stateful_session` whose sessions the filter accepts.
pub(super) fn filter(config: &Value) -> Option<Value> {
    let affinity = config.get("affinity")?;
    let accepted = affinity.get("accept")?.as_array()?.first()?.as_str()?;
    let state = match accepted {
        "envoy_cookie" => {
            let cookie = affinity.get("cookie")?;
            json!({"name": "envoy.http.stateful_session.cookie", "typed_config": {
                "@type": "type.googleapis.com/envoy.extensions.http.stateful_session.cookie.v3.CookieBasedSessionState",
                "cookie": {"name": cookie.get("name"), "ttl": cookie.get("ttl"), "path": cookie.get("path")},
            }})
        }
        "envoy_header" => {
            json!({"name": "envoy.http.stateful_session.header", "typed_config": {
                "@type": "type.googleapis.com/envoy.extensions.http.stateful_session.header.v3.HeaderBasedSessionState",
                "name": affinity.get("header")?.get("name"),
            }})
        }
        _ => return None,
    };
    Some(
        json!({"name": "envoy.filters.http.stateful_session", "typed_config": {
            "@type": "type.googleapis.com/envoy.extensions.filters.http.stateful_session.v3.StatefulSession",
            "session_state": state,
            "strict": affinity.get("on_lost").is_some(),
        }}),
    )
}
