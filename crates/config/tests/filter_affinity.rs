//! `affinity`: legal settings.

use std::time::Duration;

use crate::common::builders::{SECRETS, assert_fits, good, schema, sessions, with};
use serde_json::{Value, json};
use spillgate_config::filter::{
    Accepted, AffinityConfig, AffinityFallback, CacheControl, Carrier, CookieConfig, LostSession,
    filter_json, read,
};
use spillgate_core::{
    affinity::UseLimit,
    model::{HealthStatus, OverrideStatuses},
};

/// The affinity that the reader returns for a legal `affinity`; the schema accepts it too.
#[track_caller]
fn affinity(of: Value) -> AffinityConfig {
    let config = with("affinity", of);
    assert_fits(&schema("filter"), &config);
    let read = read(&config.to_string()).unwrap();
    assert_eq!(read.warnings, []);
    read.affinity.unwrap()
}

#[track_caller]
fn cookie(of: Value) -> CookieConfig {
    match affinity(sessions(json!({"cookie": of}))).carrier {
        Carrier::Cookie(cookie) => cookie,
        other => panic!("not a cookie: {other:?}"),
    }
}

#[test]
fn sessions_are_off_by_default() {
    assert!(read(&good().to_string()).unwrap().affinity.is_none());
    let null = with("clusters", good()["clusters"].clone())
        .to_string()
        .replacen('{', "{\"affinity\":null,", 1);
    assert!(read(&null).unwrap().affinity.is_none());
}

#[test]
fn defaults() {
    let short = affinity(json!({"cookie": {}, "keys": [{"id": 2, "secret": SECRETS[0]}]}));
    let Carrier::Cookie(cookie) = &short.carrier else {
        panic!("not a cookie: {:?}", short.carrier);
    };
    assert_eq!(
        cookie.cookie.set("TOKEN"),
        "spillgate=TOKEN; Path=/; Max-Age=3600; HttpOnly; Secure; SameSite=Lax"
    );
    assert_eq!(cookie.ttl, Duration::from_secs(3600));
    assert!(!cookie.post_only);
    assert_eq!(cookie.cache_control, CacheControl::Keep);
    assert_eq!(short.keys.first().id(), 2);
    assert_eq!(short.scope, None);
    assert_eq!(short.max_life, Duration::from_secs(24 * 60 * 60));
    assert_eq!(short.epoch, 0);
    let kept = [
        HealthStatus::Unknown,
        HealthStatus::Healthy,
        HealthStatus::Degraded,
    ];
    for status in HealthStatus::ALL {
        assert_eq!(
            short.statuses.contains(status),
            kept.contains(&status),
            "{status:?}"
        );
    }
    assert_eq!(short.on_lost, LostSession::Rebalance);
    assert_eq!(short.fallback, AffinityFallback::Rendezvous);
    assert_eq!(short.max_share, None);
    assert_eq!(short.max_requests_per_token, None);
    assert_eq!(short.accept, []);
}

#[test]
fn every_field() {
    let all = affinity(json!({
        "cookie": {
            "name": "s.id", "ttl": "90s", "path": "/shop", "secure": false, "same_site": "Strict",
            "host_prefix": false, "http_only": false, "post_only": true, "cache_control": "no_cache",
        },
        "keys": [{"id": 255, "secret": SECRETS[0]}, {"id": 0, "secret": SECRETS[1]}],
        "scope": "shops",
        "max_life": "7200s",
        "epoch": 65535,
        "override_host_status": ["HEALTHY", "DRAINING"],
        "on_lost": {"status": 410, "retry_after": "5s"},
        "fallback": "policy",
        "max_share": 30,
        "max_requests_per_token": {"requests": 500, "window": "60s"},
        "accept": ["grpc_cookie", "envoy_cookie"],
    }));
    let Carrier::Cookie(cookie) = &all.carrier else {
        panic!("not a cookie: {:?}", all.carrier);
    };
    assert_eq!(
        cookie.cookie.set("TOKEN"),
        "s.id=TOKEN; Path=/shop; Max-Age=90; SameSite=Strict"
    );
    assert_eq!(cookie.ttl, Duration::from_secs(90));
    assert!(cookie.post_only);
    assert_eq!(cookie.cache_control, CacheControl::NoCache);
    let ids: Vec<u8> = all.keys.keys().map(|key| key.id()).collect();
    assert_eq!(ids, [255, 0], "the first one seals");
    assert_eq!(all.scope.as_deref(), Some("shops"));
    assert_eq!(all.max_life, Duration::from_secs(7200));
    assert_eq!(all.epoch, 65535);
    let wanted = [HealthStatus::Healthy, HealthStatus::Draining];
    assert_eq!(all.statuses, OverrideStatuses::from_iter(wanted));
    let refusal = LostSession::Refuse {
        status: 410,
        retry_after: Some(5),
    };
    assert_eq!(all.on_lost, refusal);
    assert_eq!(all.fallback, AffinityFallback::Policy);
    assert_eq!(all.max_share, Some(30));
    let limit = UseLimit {
        requests: 500,
        window: 60,
    };
    assert_eq!(all.max_requests_per_token, Some(limit));
    assert_eq!(all.accept, [Accepted::GrpcCookie, Accepted::EnvoyCookie]);
}

#[test]
fn carriers() {
    let of = |carrier: Value| {
        let mut config = sessions(carrier);
        config.as_object_mut().unwrap().remove("cookie");
        affinity(config)
    };
    let header = of(json!({"header": {"name": "X-Session"}, "accept": ["envoy_header"]}));
    assert_eq!(header.carrier, Carrier::Header("x-session".into()));
    assert_eq!(header.accept, [Accepted::EnvoyHeader]);
    let envelope = of(json!({"envelope": {"name": "Mcp-Session-Id"}, "accept": []}));
    assert_eq!(envelope.carrier, Carrier::Envelope("mcp-session-id".into()));
}

#[test]
fn cookies() {
    for (settings, text) in [
        (
            json!({"host_prefix": true}),
            "__Host-spillgate=T; Path=/; Max-Age=3600; HttpOnly; Secure; SameSite=Lax",
        ),
        (
            json!({"ttl": "0s", "same_site": "None"}),
            "spillgate=T; Path=/; HttpOnly; Secure; SameSite=None",
        ),
        (
            json!({"ttl": "60000ms", "http_only": false, "secure": false}),
            "spillgate=T; Path=/; Max-Age=60; SameSite=Lax",
        ),
    ] {
        assert_eq!(cookie(settings).cookie.set("T"), text);
    }
    assert_eq!(cookie(json!({"ttl": "0s"})).ttl, Duration::ZERO);
    let shown = ["keep", "private", "no_cache"]
        .map(|name| cookie(json!({"cache_control": name})).cache_control.value());
    assert_eq!(
        shown,
        [None, Some("private"), Some("no-cache=\"set-cookie\"")]
    );
}

#[test]
fn modes_of_lost_sessions() {
    let on_lost = |value: Value| affinity(sessions(json!({"on_lost": value}))).on_lost;
    assert_eq!(on_lost(json!("rebalance")), LostSession::Rebalance);
    let refused = LostSession::Refuse {
        status: 503,
        retry_after: None,
    };
    assert_eq!(on_lost(json!({"status": 503})), refused);
    let at_once = LostSession::Refuse {
        status: 599,
        retry_after: Some(0),
    };
    assert_eq!(
        on_lost(json!({"status": 599, "retry_after": "0s"})),
        at_once
    );
}

/// Writing either keeps every setting or reports an error.
#[test]
fn sessions_are_not_written() {
    let text = with("affinity", sessions(json!({}))).to_string();
    let faults = filter_json(&read(&text).unwrap()).unwrap_err();
    let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
    let expected =
        "write/secret: affinity: token keys are not kept after reading and cannot be written";
    assert_eq!(faults, [expected]);
    let written = filter_json(&read(&good().to_string()).unwrap()).unwrap();
    assert!(read(&written.text).unwrap().affinity.is_none());
}
