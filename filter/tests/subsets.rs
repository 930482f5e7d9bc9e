//! Subsets: the criteria of a request, Envoy's own subsets, the subset fallback chain.

use crate::common::*;
use serde_json::{Value, json};
use spillgate_testhost::{FilterRequest, Property, TestHost};

const CANARY: &str = "10.0.0.1:80";
const OLD: &str = "10.0.0.2:80";
const DEV: &str = "10.0.0.3:80";

/// An endpoint with a stage and a version.
fn staged(address: &str, stage: &str, version: &str, healthy: bool) -> Value {
    let mut value = if healthy {
        endpoint(address)
    } else {
        unhealthy(address)
    };
    let metadata = json!({"stage": stage, "version": version});
    value["metadata"] = json!({"filter_metadata": {"envoy.lb": metadata}});
    value
}

/// A canary and an old version in production, and one host of development.
fn shop(canary_is_healthy: bool) -> Value {
    let mut value = plain(
        "ROUND_ROBIN",
        &[vec![
            staged(CANARY, "prod", "2", canary_is_healthy),
            staged(OLD, "prod", "1", true),
            staged(DEV, "dev", "3", true),
        ]],
    );
    value["criteria"] = json!([
        {"key": "stage", "value": "prod"},
        {"key": "version", "header": "x-version"},
    ]);
    value["output"] = json!({"candidates": 1});
    value
}

fn chained(canary_is_healthy: bool, chain: Value) -> Value {
    let mut value = shop(canary_is_healthy);
    value["subset_chain"] = chain;
    value
}

fn both_steps() -> Value {
    json!([{"keys": ["stage", "version"]}, {"keys": ["stage"]}])
}

fn version(version: &str) -> FilterRequest {
    FilterRequest::get("/").header("x-version", version)
}

/// The host of a request; `None` if the response is 503.
fn served(host: &mut TestHost, request: FilterRequest) -> Option<String> {
    let exchange = host.request(request).unwrap();
    let status = exchange.local_response.as_ref().map(|local| local.status);
    assert!(status.is_none() || status == Some(503), "{status:?}");
    exchange
        .request_headers
        .text(HOST_HEADER)
        .map(str::to_owned)
}

#[test]
fn the_first_step_with_enough_healthy_hosts_serves() {
    let mut healthy = serving(&chained(true, both_steps()));
    assert_eq!(served(&mut healthy, version("2")).as_deref(), Some(CANARY));
    let mut unhealthy = serving(&chained(false, both_steps()));
    for _ in 0..5 {
        assert_eq!(served(&mut unhealthy, version("2")).as_deref(), Some(OLD));
    }
    // A step whose keys are not all in the criteria is skipped.
    let mut seen: Vec<_> = (0..2)
        .filter_map(|_| served(&mut healthy, FilterRequest::get("/")))
        .collect();
    seen.sort();
    assert_eq!(seen, [CANARY, OLD]);
}

#[test]
fn a_header_value_that_matches_nothing_is_still_a_criterion() {
    let mut host = serving(&chained(
        true,
        json!([{"keys": ["stage", "version"]}, {"any": true}]),
    ));
    let mut strict = serving(&chained(true, json!([{"keys": ["stage", "version"]}])));
    let copies = |copies: &[&[u8]]| {
        let mut request = FilterRequest::get("/");
        for copy in copies {
            request = request.header("x-version", *copy);
        }
        request
    };
    for unmatched in [
        &[&b"2\xff"[..]][..],
        &[b"\xff"],
        &[b"2", b"1"],
        &[b"2", b""],
        &[b"", b"2"],
        &[b"2", b"2", b"\xff"],
        &[b"2,2"],
    ] {
        assert_eq!(
            served(&mut strict, copies(unmatched)),
            None,
            "{unmatched:?}"
        );
        assert!(
            served(&mut host, copies(unmatched)).is_some(),
            "the last step serves"
        );
    }
    for same in [&[&b"2"[..]][..], &[b"2", b"2"]] {
        assert_eq!(served(&mut strict, copies(same)).as_deref(), Some(CANARY));
    }
}

#[test]
fn if_no_step_serves_there_is_no_host_without_a_last_resort() {
    let only = json!([{"keys": ["stage", "version"]}]);
    assert_eq!(
        served(&mut serving(&chained(false, only)), version("2")),
        None
    );
    let resort = json!([{"keys": ["stage", "version"], "last_resort": true}]);
    assert_eq!(
        served(&mut serving(&chained(false, resort)), version("2")).as_deref(),
        Some(CANARY)
    );
    let any = json!([{"keys": ["stage", "version"]}, {"match": {"stage": "dev"}}]);
    assert_eq!(
        served(&mut serving(&chained(false, any)), version("2")).as_deref(),
        Some(DEV)
    );
}

#[test]
fn minima_are_counts_and_percentages() {
    for (minimum, host) in [
        (json!({"keys": ["stage"], "min_healthy_percent": 50}), OLD),
        (json!({"keys": ["stage"], "min_healthy_percent": 51}), DEV),
        (json!({"keys": ["stage"], "min_healthy_hosts": 2}), DEV),
    ] {
        let versions = json!({"keys": ["stage", "version"]});
        let mut host_of = serving(&chained(
            false,
            json!([versions, minimum, {"match": {"stage": "dev"}}]),
        ));
        assert_eq!(
            served(&mut host_of, FilterRequest::get("/")).as_deref(),
            Some(host),
            "{minimum}"
        );
    }
}

#[test]
fn a_retry_leaves_the_step_if_configured() {
    let mut steps = both_steps();
    let list = |steps: &Value| {
        let mut value = chained(true, steps.clone());
        value["output"] = json!({"candidates": 3});
        let mut host = serving(&value);
        let exchange = host.request(version("2")).unwrap();
        let list = hosts(&exchange).into_iter().map(str::to_owned);
        list.collect::<Vec<String>>()
    };
    assert_eq!(list(&steps), [CANARY]);
    steps[0]["retry"] = json!("next_step");
    assert_eq!(list(&steps), [CANARY, OLD]);
}

#[test]
fn decisions_are_counted_by_step() {
    let mut host = serving(&chained(
        false,
        json!([{"keys": ["stage", "version"]}, {"keys": ["stage"]}]),
    ));
    served(&mut host, version("2"));
    served(&mut host, version("1"));
    let counted = |step: u32| {
        host.metrics().value(&format!(
            "spillgate.decisions.cluster.shop.priority.0.step.{step}.reason.chosen"
        ))
    };
    assert_eq!((counted(0), counted(1)), (1, 1));
}

#[test]
fn without_a_chain_envoys_subsets_and_fallbacks_apply() {
    let mut value = shop(true);
    value["clusters"][0]["lb_subset_config"] = json!({
        "fallback_policy": "NO_FALLBACK",
        "subset_selectors": [{"keys": ["stage", "version"]}],
    });
    let mut host = serving(&value);
    assert_eq!(served(&mut host, version("2")).as_deref(), Some(CANARY));
    assert_eq!(served(&mut host, version("9")), None);
    assert_eq!(served(&mut host, FilterRequest::get("/")), None);
}

#[test]
fn the_metadata_of_the_route_are_criteria_and_settings() {
    let mut value = chained(
        true,
        json!([{"keys": ["stage", "weight"]}, {"keys": ["stage"]}]),
    );
    value["criteria"] = json!([{"key": "stage", "value": "prod"}, {"route_metadata": true}]);
    value["route_settings"] = json!(true);
    let other = cluster(
        "other",
        "ROUND_ROBIN",
        &[vec![staged("10.9.9.9:80", "dev", "1", true)]],
    );
    value["clusters"].as_array_mut().unwrap().push(other);
    let mut host = serving(&value);
    // core.v3.Metadata { map<string, Struct> filter_metadata = 1 }
    let metadata = |namespace: &str, values: &Value| {
        let values = as_struct(values);
        let entry = [
            vec![0x0a, namespace.len() as u8],
            namespace.as_bytes().to_vec(),
            vec![0x12, values.len() as u8],
            values,
        ]
        .concat();
        [vec![0x0a, entry.len() as u8], entry].concat()
    };
    let mut on = |parts: &[Vec<u8>]| {
        let path = ["xds", "route_metadata"];
        host.set_property(&path, Property::Value(parts.concat()));
        let exchange = host.request(FilterRequest::get("/")).unwrap();
        let header = |name| exchange.request_headers.text(name).map(str::to_owned);
        (header(HOST_HEADER), header(CLUSTER_HEADER))
    };
    let dev = metadata("envoy.lb", &json!({"stage": "dev"}));
    assert_eq!(on(std::slice::from_ref(&dev)).0.as_deref(), Some(DEV));
    let target = metadata("spillgate", &json!({"target": "other"}));
    let both = on(&[dev.clone(), target]);
    assert_eq!(both, (Some("10.9.9.9:80".into()), Some("other".into())));
    let unknown = metadata("spillgate", &json!({"target": "gone"}));
    assert_eq!(on(&[dev.clone(), unknown]).0.as_deref(), Some(DEV));
    let off = metadata("spillgate", &json!({"disabled": true}));
    assert_eq!(on(&[dev, off]), (None, None));
    // Bytes that are not metadata, and a value without a kind: the criteria are unknown.
    let kindless = [&[0x0a, 5, 0x0a, 1][..], b"v", &[0x12, 0]].concat();
    let kindless = [&[0x0a, 19, 0x0a, 8][..], b"envoy.lb", &[0x12, 7], &kindless].concat();
    for unreadable in [vec![0xff; 40], kindless] {
        assert_eq!(on(&[unreadable]), (None, None));
    }
    assert_eq!(
        on(&[metadata("other", &json!({}))]).1.as_deref(),
        Some("shop")
    );
    assert_eq!(host.metrics().value("spillgate.unknown_target"), 1);
    assert_eq!(host.metrics().value("spillgate.pass_through"), 1);
}

#[test]
fn internal_headers_are_stripped_on_disabled_routes() {
    let mut value = chained(true, both_steps());
    value["route_settings"] = json!(true);
    let mut host = serving(&value);
    let off = as_struct(&json!({"disabled": true}));
    let name = b"spillgate";
    let entry = [
        vec![0x0a, 9],
        name.to_vec(),
        vec![0x12, off.len() as u8],
        off,
    ]
    .concat();
    let bytes = [vec![0x0a, entry.len() as u8], entry].concat();
    host.set_property(&["xds", "route_metadata"], Property::Value(bytes));
    let request = FilterRequest::get("/")
        .header(HOST_HEADER, "6.6.6.6:1")
        .header("X-Spillgate-Cluster", "evil");
    let exchange = host.request(request).unwrap();
    assert_eq!(exchange.request_headers.text(HOST_HEADER), None);
    assert_eq!(exchange.request_headers.text(CLUSTER_HEADER), None);
}
