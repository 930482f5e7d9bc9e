//! Configurations with sessions, and requests with tokens.

use serde_json::{Value, json};
use spillgate_testhost::{Exchange, FilterRequest, TestHost};

use super::{answered, cluster, endpoint};

pub(crate) const A: &str = "10.0.0.1:80";
pub(crate) const B: &str = "10.0.0.2:80";
pub(crate) const C: &str = "10.0.1.1:80";
pub(crate) const TOKEN: &str = "x-session";
/// 32 bytes that no documentation shows.
pub(crate) const OLD: &str = "AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA=";
pub(crate) const NEW: &str = "oaKjpKWmp6ipqqusra6vsLGys7S1tre4ubq7vL2+v8A=";

pub(crate) fn shop(a: Value, b: Value) -> Value {
    let mut shop = cluster("shop", "ROUND_ROBIN", &[vec![a, b], vec![endpoint(C)]]);
    shop["common_lb_config"] = json!({"healthy_panic_threshold": {"value": 0}});
    shop
}

pub(crate) fn sticky(clusters: Value, affinity: Value) -> Value {
    let mut all = json!({
        "header": {"name": TOKEN},
        "keys": [{"id": 1, "secret": OLD}],
    });
    let fields = affinity.as_object().unwrap().clone();
    all.as_object_mut().unwrap().extend(fields);
    json!({"clusters": clusters, "target": "shop", "affinity": all})
}

pub(crate) fn healthy(affinity: Value) -> Value {
    sticky(json!([shop(endpoint(A), endpoint(B))]), affinity)
}

/// One request. The first host of its list responds.
pub(crate) fn request(host: &mut TestHost, token: Option<&str>) -> Exchange {
    let mut request = FilterRequest::get("/");
    if let Some(token) = token {
        request = request.header(TOKEN, token);
    }
    answered(host, request, None)
}

pub(crate) fn token(exchange: &Exchange) -> Option<String> {
    exchange.response_headers.text(TOKEN).map(str::to_owned)
}

pub(crate) fn count(host: &TestHost, name: &str) -> u64 {
    host.metrics().value(name)
}

/// Sessions in a cookie.
pub(crate) fn cookies(fields: Value) -> Value {
    let mut config = healthy(json!({}));
    let affinity = config["affinity"].as_object_mut().unwrap();
    affinity.remove("header");
    affinity.insert("cookie".to_owned(), json!({}));
    affinity.extend(fields.as_object().unwrap().clone());
    config
}

pub(crate) fn set_cookie(exchange: &Exchange) -> Option<(String, String)> {
    let text = exchange.response_headers.text("set-cookie")?;
    let (pair, attributes) = text.split_once("; ").unwrap();
    Some((pair.to_owned(), attributes.to_owned()))
}
