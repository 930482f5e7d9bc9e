//! `affinity`: rejected settings, with messages.

use crate::common::builders::{SECRETS, sessions, with};
use serde_json::{Value, json};
use spillgate_config::filter::read;

/// The faults of a configuration without positions.
fn faults(config: &Value) -> Vec<String> {
    let faults = read(&config.to_string()).unwrap_err();
    faults.iter().map(ToString::to_string).collect()
}

/// Rejected settings and their messages.
fn bad() -> Vec<(Value, &'static str)> {
    let cookie = |cookie: Value| sessions(json!({"cookie": cookie}));
    let keys = |keys: Value| sessions(json!({"keys": keys}));
    let key = |secret: &str| keys(json!([{"id": 1, "secret": secret}]));
    let without = |field: &str| {
        let mut config = sessions(json!({}));
        config.as_object_mut().unwrap().remove(field);
        config
    };
    let carried = |carrier: &str, more: Value| {
        let mut config = without("cookie");
        config[carrier] = json!({"name": "x-session"});
        for (name, value) in more.as_object().unwrap() {
            config[name] = value.clone();
        }
        config
    };
    vec![
        (
            json!(5),
            "config/type: affinity: wrong type; expected an object (affinity)",
        ),
        (
            without("cookie"),
            "config/missing: affinity: no token carrier; expected cookie, header or envelope",
        ),
        (
            sessions(json!({"header": {"name": "x-session"}})),
            "config/one-of: affinity.header: cookie and header are mutually exclusive",
        ),
        (
            sessions(json!({"envelope": {"name": "x-session"}})),
            "config/one-of: affinity.envelope: cookie and envelope are mutually exclusive",
        ),
        (
            carried("header", json!({"envelope": {"name": "x-s"}})),
            "config/one-of: affinity.envelope: header and envelope are mutually exclusive",
        ),
        (
            carried("header", json!({"header": {}})),
            "config/missing: affinity.header.name: required field is missing",
        ),
        (
            carried("envelope", json!({"envelope": {"name": "x y"}})),
            "config/header-name: affinity.envelope.name: invalid header name; found \"x y\", expected letters, digits and -",
        ),
        (
            carried("header", json!({"header": {"name": "X-Spillgate-Host"}})),
            "config/header-name: affinity: header has two purposes; found \"x-spillgate-host\", expected different names in output, trace.header, trace.when.header and affinity",
        ),
        (
            carried("header", json!({"header": "x-session"})),
            "config/type: affinity.header: wrong type; found \"x-session\", expected an object (affinity.header or affinity.envelope)",
        ),
        (
            cookie(json!({"name": "a b"})),
            "config/value: affinity.cookie.name: not a token (RFC 9110), or starts with __Host- or __Secure-; found \"a b\"",
        ),
        (
            cookie(json!({"name": ""})),
            "config/value: affinity.cookie.name: not a token (RFC 9110), or starts with __Host- or __Secure-; found \"\"",
        ),
        (
            cookie(json!({"path": "shop"})),
            "config/value: affinity.cookie.path: must start with / and contain neither ; nor control characters; found \"shop\"",
        ),
        (
            cookie(json!({"path": "/a; Domain=example.org"})),
            "config/value: affinity.cookie.path: must start with / and contain neither ; nor control characters; found \"/a; Domain=example.org\"",
        ),
        (
            cookie(json!({"path": "/a\r\nset-cookie: b"})),
            "config/value: affinity.cookie.path: must start with / and contain neither ; nor control characters; found \"/a\\u000d\\u000aset-cookie: b\"",
        ),
        (
            cookie(json!({"ttl": "1.5s"})),
            "config/value: affinity.cookie.ttl: not whole seconds; found \"1.5s\", expected such as \"60s\"",
        ),
        (
            cookie(json!({"ttl": 60})),
            "config/type: affinity.cookie.ttl: wrong type; found 60, expected a duration such as \"0.25s\" or \"250ms\"",
        ),
        (
            cookie(json!({"host_prefix": true, "secure": false})),
            "config/one-of: affinity.cookie.host_prefix: host_prefix requires secure; found true",
        ),
        (
            cookie(json!({"host_prefix": true, "path": "/shop"})),
            "config/one-of: affinity.cookie.host_prefix: host_prefix requires the path /; found true",
        ),
        (
            cookie(json!({"name": "__host-a"})),
            "config/value: affinity.cookie.name: not a token (RFC 9110), or starts with __Host- or __Secure-; found \"__host-a\"",
        ),
        (
            cookie(json!({"name": "__Secure-a"})),
            "config/value: affinity.cookie.name: not a token (RFC 9110), or starts with __Host- or __Secure-; found \"__Secure-a\"",
        ),
        (
            cookie(json!({"same_site": "None", "secure": false})),
            "config/one-of: affinity.cookie.same_site: same_site None requires secure; found \"None\"",
        ),
        (
            cookie(json!({"same_site": "Laxx"})),
            "config/unknown-value: affinity.cookie.same_site: unknown value; found \"Laxx\", expected one of Lax, Strict, None (did you mean Lax?)",
        ),
        (
            cookie(json!({"max_age": "60s"})),
            "config/unknown-field: affinity.cookie.max_age: unknown field in affinity.cookie",
        ),
        (
            without("keys"),
            "config/missing: affinity.keys: no keys; expected at least one key, from spillgate token keygen",
        ),
        (
            keys(json!([])),
            "config/missing: affinity.keys: no keys; expected at least one key, from spillgate token keygen",
        ),
        (
            keys(json!([{"secret": SECRETS[0]}])),
            "config/missing: affinity.keys[0].id: required field is missing",
        ),
        (
            keys(json!([{"id": 1}])),
            "config/missing: affinity.keys[0].secret: required field is missing",
        ),
        (
            keys(json!([{"id": 256, "secret": SECRETS[0]}])),
            "config/value: affinity.keys[0].id: out of range; expected an integer from 0 to 255",
        ),
        (
            keys(json!([{"id": 1, "secret": SECRETS[0]}, {"id": 1, "secret": SECRETS[1]}])),
            "config/key: affinity.keys[1].id: duplicate id, same as affinity.keys[0]; expected a unique id",
        ),
        (
            keys(json!([{"id": 1, "secret": SECRETS[0]}, {"id": 2, "secret": SECRETS[0]}])),
            "config/key: affinity.keys[1].secret: duplicate secret, same as affinity.keys[0]; expected a unique secret",
        ),
        (
            key("AQIDBA=="),
            "config/key: affinity.keys[0].secret: secret has 4 bytes instead of 32; expected 32 random bytes in base64, from spillgate token keygen",
        ),
        (
            key("%%%%"),
            "config/key: affinity.keys[0].secret: secret is not base64; expected 32 random bytes in base64, from spillgate token keygen",
        ),
        (
            key("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="),
            "config/key: affinity.keys[0].secret: all bytes of the secret are equal; expected 32 random bytes in base64, from spillgate token keygen",
        ),
        (
            key("YW4gZXhhbXBsZTsgc3BpbGxnYXRlIHJlZnVzZXMgaXQ="),
            "config/key: affinity.keys[0].secret: secret appears in the documentation; expected your own secret, from spillgate token keygen",
        ),
        (
            key(""),
            "config/value: affinity.keys[0].secret: empty value; expected at least one character",
        ),
        (
            keys(json!([{"id": 1, "secret": 12345}])),
            "config/type: affinity.keys[0].secret: wrong type (put it in quotes); expected a string",
        ),
        (
            keys(json!([SECRETS[0]])),
            "config/type: affinity.keys[0]: wrong type; expected an object (affinity.keys[])",
        ),
        (
            sessions(json!({"scope": ""})),
            "config/value: affinity.scope: empty scope; found \"\", expected authority, or a name",
        ),
        (
            sessions(json!({"max_life": "0s"})),
            "config/value: affinity.max_life: out of range; found \"0s\", expected at least \"1s\"",
        ),
        (
            sessions(json!({"max_life": "1500ms"})),
            "config/value: affinity.max_life: not whole seconds; found \"1500ms\", expected such as \"60s\"",
        ),
        (
            sessions(json!({"epoch": 65536})),
            "config/value: affinity.epoch: out of range; found 65536, expected an integer from 0 to 65535",
        ),
        (
            sessions(json!({"override_host_status": []})),
            "config/value: affinity.override_host_status: no host status keeps a session; found a list of 0, expected at least one of UNKNOWN, HEALTHY, DEGRADED, DRAINING",
        ),
        (
            sessions(json!({"override_host_status": ["HEALTHY", "DRAINIGN"]})),
            "config/unknown-value: affinity.override_host_status[1]: unknown value; found \"DRAINIGN\", expected one of UNKNOWN, HEALTHY, UNHEALTHY, DRAINING, TIMEOUT, DEGRADED (did you mean DRAINING?)",
        ),
        (
            sessions(json!({"on_lost": "refuse"})),
            "config/unknown-value: affinity.on_lost: unknown mode; found \"refuse\", expected rebalance, or {status, retry_after}",
        ),
        (
            sessions(json!({"on_lost": 410})),
            "config/unknown-value: affinity.on_lost: unknown mode; found 410, expected rebalance, or {status, retry_after}",
        ),
        (
            sessions(json!({"on_lost": {}})),
            "config/missing: affinity.on_lost.status: required field is missing",
        ),
        (
            sessions(json!({"on_lost": {"status": 302}})),
            "config/value: affinity.on_lost.status: out of range; found 302, expected an integer from 400 to 599",
        ),
        (
            sessions(json!({"on_lost": {"status": 410, "retry_after": "0.5s"}})),
            "config/value: affinity.on_lost.retry_after: not whole seconds; found \"0.5s\", expected such as \"60s\"",
        ),
        (
            sessions(json!({"fallback": "random"})),
            "config/unknown-value: affinity.fallback: unknown value; found \"random\", expected one of rendezvous, policy",
        ),
        (
            sessions(json!({"max_share": 0})),
            "config/value: affinity.max_share: out of range; found 0, expected an integer from 1 to 100",
        ),
        (
            sessions(json!({"max_share": 101})),
            "config/value: affinity.max_share: out of range; found 101, expected an integer from 1 to 100",
        ),
        (
            sessions(json!({"max_requests_per_token": {"requests": 0, "window": "1s"}})),
            "config/value: affinity.max_requests_per_token.requests: out of range; found 0, expected an integer from 1 to 4294967295",
        ),
        (
            sessions(json!({"max_requests_per_token": {"requests": 9}})),
            "config/missing: affinity.max_requests_per_token.window: required field is missing",
        ),
        (
            sessions(json!({"accept": ["envoy_cookie", "envoy_header"]})),
            "config/unknown-value: affinity.accept[1]: unknown value; found \"envoy_header\", expected one of envoy_cookie, grpc_cookie",
        ),
        (
            carried("header", json!({"accept": ["envoy_haeder"]})),
            "config/unknown-value: affinity.accept[0]: unknown value; found \"envoy_haeder\", expected one of envoy_header (did you mean envoy_header?)",
        ),
        (
            carried("envelope", json!({"accept": ["envoy_header"]})),
            "config/one-of: affinity.accept[0]: accept is not supported with envelope; found \"envoy_header\", expected cookie or header instead of envelope",
        ),
        (
            sessions(json!({"mode": "strict"})),
            "config/unknown-field: affinity.mode: unknown field in affinity",
        ),
    ]
}

#[test]
fn one_fault_at_a_time() {
    for (of, expected) in bad() {
        assert_eq!(faults(&with("affinity", of.clone())), [expected], "{of}");
    }
}

#[test]
fn sessions_need_an_output_that_chooses_hosts() {
    let mut config = with("affinity", sessions(json!({})));
    config["output"] = json!({"mode": "subset_headers", "subset_headers": {"stage": "x-stage"}});
    let expected = "config/one-of: affinity: affinity requires a mode that chooses hosts; found an object with \"cookie\", expected output.mode override_host or stateful_session";
    assert_eq!(faults(&config), [expected]);
}

#[test]
fn all_faults_at_once() {
    let found = faults(&with(
        "affinity",
        json!({
            "cookie": {"name": "a b", "path": "b", "ttl": "0.1s", "same_site": "Never", "secure": "no"},
            "header": {"name": ":path"},
            "keys": [
                {"id": 300, "secret": SECRETS[0]},
                {"id": 1, "secret": SECRETS[0]},
                {"id": 1, "secret": "short"},
                {"secret": 5},
            ],
            "scope": "", "max_life": "0s", "epoch": -1, "override_host_status": ["FINE", "ILL"],
            "on_lost": {"retry_after": "0.5s"}, "fallback": "none", "max_share": 0,
            "max_requests_per_token": {"window": "0s"},
            "accept": ["nothing"], "more": 1,
        }),
    ));
    let places: Vec<&str> = found
        .iter()
        .map(|fault| fault.split(": ").nth(1).unwrap())
        .collect();
    let mut expected = vec![
        "affinity.cookie.name",
        "affinity.cookie.path",
        "affinity.cookie.same_site",
        "affinity.cookie.secure",
        "affinity.cookie.ttl",
        "affinity.epoch",
        "affinity.fallback",
        "affinity.header",
        "affinity.header.name",
        "affinity.keys[0].id",
        "affinity.keys[2].id",
        "affinity.keys[2].secret",
        "affinity.keys[3].id",
        "affinity.keys[3].secret",
        "affinity.max_life",
        "affinity.max_requests_per_token.requests",
        "affinity.max_requests_per_token.window",
        "affinity.max_share",
        "affinity.more",
        "affinity.on_lost.retry_after",
        "affinity.on_lost.status",
        "affinity.override_host_status[0]",
        "affinity.override_host_status[1]",
        "affinity.scope",
        "affinity.accept[0]",
    ];
    let mut places = places;
    places.sort_unstable();
    expected.sort_unstable();
    assert_eq!(places, expected, "{found:#?}");
}
