//! The sessions that the filter took over.

use serde_json::{Map, Value, json};

/// The filter `stateful_session` whose sessions the filter accepts.
pub(super) fn filter(config: &Value) -> Option<Value> {
    let affinity = config.get("affinity")?;
    let accepted = affinity.get("accept")?.as_array()?.first()?.as_str()?;
    let state = match accepted {
        "envoy_cookie" => {
            let own = affinity.get("cookie")?;
            let fields = ["name", "ttl", "path"].into_iter().filter_map(|name| {
                // Without a ttl, the cookie lives as long as the session of the browser.
                let value = own.get(name).filter(|own| *own != "0s")?;
                Some((name.to_owned(), value.clone()))
            });
            let cookie: Map<String, Value> = fields.collect();
            json!({"name": "envoy.http.stateful_session.cookie", "typed_config": {
                "@type": "type.googleapis.com/envoy.extensions.http.stateful_session.cookie.v3.CookieBasedSessionState",
                "cookie": cookie,
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
    let mut config = json!({
        "@type": "type.googleapis.com/envoy.extensions.filters.http.stateful_session.v3.StatefulSession",
        "session_state": state,
    });
    if let (Some(_), Value::Object(fields)) = (affinity.get("on_lost"), &mut config) {
        fields.insert("strict".into(), true.into());
    }
    Some(json!({"name": "envoy.filters.http.stateful_session", "typed_config": config}))
}
