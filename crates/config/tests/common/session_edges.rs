//! Session configurations, legal and illegal.

use serde_json::{Value, json};

use super::builders::{SECRETS, sessions};

/// Sessions at the limits of what is legal.
pub(crate) fn edges() -> Vec<(Value, bool)> {
    let cookie = |cookie: Value| sessions(json!({"cookie": cookie}));
    let key = |key: Value| sessions(json!({"keys": [key]}));
    let carried = |carrier: &str, more: Value| {
        let mut config = sessions(more);
        config.as_object_mut().unwrap().remove("cookie");
        config[carrier] = json!({"name": "x-session"});
        config
    };
    let of = |field: &str, value: Value| {
        let mut config = sessions(json!({}));
        config[field] = value;
        config
    };
    vec![
        (json!({}), false),
        (sessions(json!({})), true),
        (json!({"cookie": {}, "keys_from_env": "KEYS"}), true),
        (json!({"cookie": {}, "keys_from_env": ""}), false),
        (json!({"cookie": {}, "keys_from_env": "A=B"}), false),
        (of("keys_from_env", json!("KEYS")), false),
        (json!({"cookie": {}}), false),
        (json!({"keys": [{"id": 1, "secret": SECRETS[0]}]}), false),
        (of("cokie", json!({})), false),
        (of("header", json!({"name": "x-session"})), false),
        (carried("header", json!({})), true),
        (carried("header", json!({"accept": ["envoy_header"]})), true),
        (carried("header", json!({"accept": ["grpc_cookie"]})), false),
        (
            carried("header", json!({"envelope": {"name": "x-s"}})),
            false,
        ),
        (carried("header", json!({"keys": []})), false),
        (carried("envelope", json!({"accept": []})), true),
        (
            carried("envelope", json!({"accept": ["envoy_header"]})),
            false,
        ),
        (of("accept", json!(["envoy_cookie", "grpc_cookie"])), true),
        (of("accept", json!(["envoy_header"])), false),
        (of("accept", json!(["envoy"])), false),
        (cookie(json!({"name": "a b"})), false),
        (cookie(json!({"name": ""})), false),
        (cookie(json!({"ttl": "0s"})), true),
        (cookie(json!({"ttl": "1.000s"})), true),
        (cookie(json!({"ttl": "2000ms"})), true),
        (cookie(json!({"ttl": "0ms"})), true),
        (cookie(json!({"ttl": "1.5s"})), false),
        (cookie(json!({"ttl": "2500ms"})), false),
        (cookie(json!({"ttl": 5})), false),
        (cookie(json!({"path": "/a b"})), true),
        (cookie(json!({"path": "a"})), false),
        (cookie(json!({"path": ""})), false),
        (cookie(json!({"path": "/a;b"})), false),
        (cookie(json!({"path": "/ä"})), false),
        (cookie(json!({"host_prefix": true})), true),
        (
            cookie(json!({"host_prefix": true, "secure": true, "path": "/"})),
            true,
        ),
        (cookie(json!({"host_prefix": true, "secure": false})), false),
        (cookie(json!({"host_prefix": true, "path": "/a"})), false),
        (cookie(json!({"name": "__host-a"})), false),
        (cookie(json!({"name": "__Secur-a", "path": "/a"})), true),
        (cookie(json!({"name": "__secure-a"})), false),
        (cookie(json!({"same_site": "None"})), true),
        (cookie(json!({"same_site": "None", "secure": false})), false),
        (
            cookie(json!({"same_site": "Strict", "secure": false})),
            true,
        ),
        (cookie(json!({"cache_control": "private"})), true),
        (cookie(json!({"cache_control": "public"})), false),
        (key(json!({"id": 0, "secret": SECRETS[1]})), true),
        (
            key(json!({"id": 255, "secret": SECRETS[1].trim_end_matches('=')})),
            true,
        ),
        (key(json!({"id": 256, "secret": SECRETS[1]})), false),
        (key(json!({"id": -1, "secret": SECRETS[1]})), false),
        (key(json!({"secret": SECRETS[1]})), false),
        (key(json!({"id": 1})), false),
        (key(json!({"id": 1, "secret": ""})), false),
        (
            key(json!({"id": 1, "secret": SECRETS[1].replace("hM=", "hN=")})),
            false,
        ),
        (key(json!({"id": 1, "secret": "AQIDBA=="})), false),
        (
            key(json!({"id": 1, "secret": format!("AAAA{}", SECRETS[1])})),
            false,
        ),
        (
            key(json!({"id": 1, "secret": SECRETS[1].replace('/', "_")})),
            false,
        ),
        (key(json!(SECRETS[1])), false),
        (of("scope", json!("shops")), true),
        (of("scope", json!("")), false),
        (of("max_life", json!("1s")), true),
        (of("max_life", json!("1.5s")), false),
        (of("epoch", json!(65535)), true),
        (of("epoch", json!(65536)), false),
        (
            of("override_host_status", json!(["DRAINING", "TIMEOUT"])),
            true,
        ),
        (of("override_host_status", json!([])), false),
        (of("override_host_status", json!(["GOOD"])), false),
        (of("on_lost", json!("rebalance")), true),
        (of("on_lost", json!("refuse")), false),
        (of("on_lost", json!({})), false),
        (of("on_lost", json!({"status": 400})), true),
        (of("on_lost", json!({"status": 399})), false),
        (of("on_lost", json!({"status": 600})), false),
        (
            of("on_lost", json!({"status": 410, "retry_after": "1s"})),
            true,
        ),
        (
            of("on_lost", json!({"status": 410, "retry_after": "1.5s"})),
            false,
        ),
        (of("on_lost", json!({"status": 410, "after": "1s"})), false),
        (of("fallback", json!("policy")), true),
        (of("fallback", json!("none")), false),
        (of("max_share", json!(1)), true),
        (of("max_share", json!(100)), true),
        (of("max_share", json!(0)), false),
        (of("max_share", json!(101)), false),
        (
            of(
                "max_requests_per_token",
                json!({"requests": 1, "window": "1s"}),
            ),
            true,
        ),
        (
            of(
                "max_requests_per_token",
                json!({"requests": 4_294_967_295_u32, "window": "86400s"}),
            ),
            true,
        ),
        (
            of(
                "max_requests_per_token",
                json!({"requests": 0, "window": "1s"}),
            ),
            false,
        ),
        (
            of(
                "max_requests_per_token",
                json!({"requests": 1, "window": "1.5s"}),
            ),
            false,
        ),
        (of("max_requests_per_token", json!({"requests": 1})), false),
        (of("max_requests_per_token", json!({"window": "1s"})), false),
        (of("max_requests_per_token", json!(1)), false),
    ]
}
