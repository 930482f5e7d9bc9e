//! Valid and invalid configurations in the shipped filter. An invalid one is rejected with one
//! message that has every error, and the previous one keeps serving.

use crate::common::*;
use serde_json::{Value, json};
use spillgate_testhost::GuestLogLevel;

fn good() -> Value {
    plain("MAGLEV", &[healthy(0, 4)])
}

// === accepted ===

#[test]
fn a_configuration_is_accepted_and_counted() {
    let mut host = serving(&good());
    assert_eq!(host.metrics().value("spillgate.config.accepted"), 1);
    assert_eq!(host.metrics().value("spillgate.config.refused"), 0);
    assert_eq!(hosts(&host.request(user("u1")).unwrap()).len(), 3);
}

#[test]
fn numbers_may_arrive_as_doubles() {
    // A Struct has no integers: Envoy passes every number as a double.
    let text = r#"{
        "clusters": [{
            "name": "shop",
            "lb_policy": "MAGLEV",
            "maglev_lb_config": {"table_size": 5003.0},
            "common_lb_config": {"healthy_panic_threshold": {"value": 50.0}},
            "load_assignment": {
                "cluster_name": "shop",
                "policy": {"overprovisioning_factor": 140.0},
                "endpoints": [{"priority": 0.0, "lb_endpoints": [
                    {"load_balancing_weight": 3.0, "endpoint": {"address": {"socket_address":
                        {"address": "10.0.0.1", "port_value": 80.0}}}},
                    {"load_balancing_weight": 3.0e0, "endpoint": {"address": {"socket_address":
                        {"address": "10.0.0.2", "port_value": 8e1}}}}
                ]}]
            }
        }],
        "target": "shop",
        "output": {"candidates": 3.0}
    }"#;
    let mut host = load();
    let configured = host.configure(text.as_bytes()).unwrap();
    assert!(configured.accepted, "{:#?}", configured.logs);
    let exchange = host.request(user("u1")).unwrap();
    let mut listed = hosts(&exchange);
    listed.sort_unstable();
    assert_eq!(listed, ["10.0.0.1:80", "10.0.0.2:80"]);
}

#[test]
fn a_struct_in_protobuf_encoding_is_the_same_configuration() {
    let mut configuration = two_clusters("RING_HASH", healthy(0, 4), healthy(1, 4));
    configuration["clusters"][0]["common_lb_config"] =
        json!({"healthy_panic_threshold": {"value": 33.3}});
    configuration["trace"] = json!({"when": {"header": "x-debug", "value": "caf\u{e9} caf\u{e9} caf\u{e9} caf\u{e9}"}, "steps": true});
    let mut text = serving(&configuration);
    let mut wire = load();
    let configured = wire.configure(&as_struct(&configuration)).unwrap();
    assert!(configured.accepted, "{:#?}", configured.logs);
    for n in 0..50 {
        let request =
            user(&format!("u{n}")).header("x-debug", "caf\u{e9} caf\u{e9} caf\u{e9} caf\u{e9}");
        let expected = text.request(request.clone()).unwrap();
        let exchange = wire.request(request).unwrap();
        assert_eq!(exchange.request_headers, expected.request_headers);
        assert_eq!(exchange.response_headers, expected.response_headers);
        assert!(exchange.response_headers.has(TRACE_HEADER));
    }
}

#[test]
fn a_new_configuration_serves_at_once() {
    let mut host = serving(&good());
    let next = plain("MAGLEV", &[healthy(1, 4)]);
    assert!(host.configure(&bytes(&next)).unwrap().accepted);
    let exchange = host.request(user("u1")).unwrap();
    assert!(hosts(&exchange)[0].starts_with("10.1."), "{exchange:?}");
}

#[test]
fn an_active_request_keeps_the_configuration_it_started_with() {
    let mut first = good();
    first["trace"] =
        json!({"header": "x-first", "when": {"header": "x-debug", "value": "0123456789abcdef"}});
    let mut second = plain("MAGLEV", &[healthy(1, 4)]);
    second["trace"] =
        json!({"header": "x-second", "when": {"header": "x-debug", "value": "0123456789abcdef"}});
    let mut host = serving(&first);
    let in_flight = host
        .begin(user("u1").header("x-debug", "0123456789abcdef"))
        .unwrap();
    assert!(host.reconfigure_in_place(&bytes(&second)).unwrap().accepted);
    let response = spillgate_testhost::FilterResponse::new(200);
    let exchange = host.finish(in_flight, response).unwrap();
    assert!(exchange.response_headers.has("x-first"), "{exchange:?}");
    let exchange = host
        .request(user("u1").header("x-debug", "0123456789abcdef"))
        .unwrap();
    assert!(exchange.response_headers.has("x-second"), "{exchange:?}");
}

#[test]
fn configurations_that_share_a_vm_do_not_mix() {
    let mut host = load();
    let first = host.add_root(&bytes(&good())).unwrap();
    let second = host
        .add_root(&bytes(&plain("MAGLEV", &[healthy(1, 4)])))
        .unwrap();
    for (root, net) in [
        (first.root, "10.0."),
        (second.root, "10.1."),
        (first.root, "10.0."),
    ] {
        let exchange = host.request_to(root, user("u1")).unwrap();
        assert!(hosts(&exchange)[0].starts_with(net), "{exchange:?}");
    }
}

// === rejected ===

/// Replaces a valid configuration with an invalid one, which is rejected with one message; the
/// valid one keeps serving.
fn rejected_message(configuration: &[u8]) -> String {
    let mut host = serving(&good());
    let before = host.request(user("u1")).unwrap();
    let message = refusal(&mut host, configuration);
    let after = host.request(user("u1")).unwrap();
    assert_eq!(before.request_headers, after.request_headers);

    // The same in the context that serves.
    let in_place = host.reconfigure_in_place(configuration).unwrap();
    assert!(!in_place.accepted);
    assert_eq!(in_place.logs.len(), 1, "{:#?}", in_place.logs);
    assert_eq!(in_place.logs[0].level, GuestLogLevel::Error);
    let after = host.request(user("u1")).unwrap();
    assert_eq!(before.request_headers, after.request_headers);

    assert_eq!(host.metrics().value("spillgate.config.accepted"), 1);
    assert_eq!(host.metrics().value("spillgate.config.refused"), 2);
    message
}

#[track_caller]
fn assert_names(message: &str, words: &[&str]) {
    for word in words {
        assert!(message.contains(word), "no {word:?} in: {message}");
    }
}

#[test]
fn an_unknown_cluster() {
    let mut bad = good();
    bad["target"] = json!("shopp");
    let message = rejected_message(&bytes(&bad));
    assert_names(&message, &["target", "shopp", "1 finding:"]);
}

#[test]
fn an_aggregate_of_unknown_clusters() {
    let mut bad = two_clusters("MAGLEV", healthy(0, 2), healthy(1, 2));
    bad["clusters"][2] = aggregate("shop", &["primary", "gone"]);
    let message = rejected_message(&bytes(&bad));
    assert_names(&message, &["clusters[2]", "gone"]);
}

#[test]
fn a_cycle() {
    let bad = json!({
        "clusters": [aggregate("a", &["b"]), aggregate("b", &["a"])],
        "target": "a",
    });
    let message = rejected_message(&bytes(&bad));
    assert_names(&message, &["a -> b -> a"]);
}

#[test]
fn a_cluster_without_endpoints() {
    let mut without_assignment = good();
    without_assignment["clusters"][0]
        .as_object_mut()
        .unwrap()
        .remove("load_assignment");
    for bad in [plain("MAGLEV", &[]), without_assignment] {
        let message = rejected_message(&bytes(&bad));
        assert_names(&message, &["clusters[0]", "no endpoints", "1 finding:"]);
    }
}

#[test]
fn weights_that_envoy_rejects() {
    for weight in [
        json!(0),
        json!(4_294_967_296_u64),
        json!(-1),
        json!(1.5),
        json!("x"),
    ] {
        let mut bad = good();
        bad["clusters"][0]["load_assignment"]["endpoints"][0]["lb_endpoints"][1]["load_balancing_weight"] =
            weight.clone();
        let message = rejected_message(&bytes(&bad));
        let path = "clusters[0].load_assignment.endpoints[0].lb_endpoints[1].load_balancing_weight";
        assert_names(&message, &[path, "1 finding:"]);
    }
}

#[test]
fn a_table_size_that_is_not_prime() {
    let mut bad = good();
    bad["clusters"][0]["maglev_lb_config"] = json!({"table_size": 65536});
    let message = rejected_message(&bytes(&bad));
    assert_names(
        &message,
        &["clusters[0].maglev_lb_config.table_size", "65536", "prime"],
    );
}

#[test]
fn ten_errors_in_one_message() {
    let mut bad = two_clusters("MAGLEV", healthy(0, 4), healthy(1, 4));
    let lb_endpoints = |bad: &mut Value, cluster: usize| {
        bad["clusters"][cluster]["load_assignment"]["endpoints"][0]["lb_endpoints"].take()
    };
    let mut first = lb_endpoints(&mut bad, 0);
    first[0]["load_balancing_weight"] = json!(0);
    first[1]["load_balancing_weight"] = json!(4_294_967_296_u64);
    first[2]["endpoint"]["address"]["socket_address"]["port_value"] = json!(70_000);
    bad["clusters"][0]["load_assignment"]["endpoints"][0]["lb_endpoints"] = first;
    bad["clusters"][0]["maglev_lb_config"] = json!({"table_size": 10});
    bad["clusters"][0]["common_lb_config"] = json!({"healthy_panic_threshold": {"value": "x"}});
    let mut second = lb_endpoints(&mut bad, 1);
    second[0]["health_status"] = json!("FINE");
    bad["clusters"][1]["load_assignment"]["endpoints"][0]["lb_endpoints"] = second;
    bad["clusters"][1]["lb_policy"] = json!("FASTEST");
    bad["clusters"][2] = aggregate("shop", &["primary", "gone"]);
    bad["target"] = json!("shopp");
    bad["output"] = json!({"candidates": 0});
    let message = rejected_message(&bytes(&bad));
    assert_names(
        &message,
        &[
            "clusters[0].load_assignment.endpoints[0].lb_endpoints[0].load_balancing_weight",
            "clusters[0].load_assignment.endpoints[0].lb_endpoints[1].load_balancing_weight",
            "clusters[0].load_assignment.endpoints[0].lb_endpoints[2].endpoint.address.socket_address.port_value",
            "clusters[0].maglev_lb_config.table_size",
            "clusters[0].common_lb_config.healthy_panic_threshold",
            "clusters[1].load_assignment.endpoints[0].lb_endpoints[0].health_status",
            "clusters[1].lb_policy",
            "gone",
            "shopp",
            "output.candidates",
            "10 findings:",
        ],
    );
}

#[test]
fn errors_in_a_struct_have_paths_and_no_positions() {
    let mut bad = good();
    bad["target"] = json!("shopp");
    bad["output"] = json!({"candidates": 1.5});
    let message = rejected_message(&as_struct(&bad));
    assert_names(
        &message,
        &[
            "2 findings:",
            "configuration: config/",
            "target",
            "output.candidates",
        ],
    );
    assert!(!message.contains("configuration:1"), "{message}");
}

#[test]
fn an_unknown_field_is_reported_with_its_path() {
    let mut bad = good();
    bad["output"] = json!({"canddates": 3});
    bad["retries"] = json!(3);
    let message = rejected_message(&bytes(&bad));
    assert_names(
        &message,
        &["output.canddates", "candidates", "retries", "2 findings:"],
    );
}

#[test]
fn truncated_text() {
    let text = bytes(&good());
    let message = rejected_message(&text[..text.len() / 2]);
    assert_names(&message, &["1 finding:", "1:"]);
}

#[test]
fn every_truncated_configuration_is_rejected_without_a_trap() {
    let mut host = serving(&good());
    let text = bytes(&good());
    for end in (0..text.len()).step_by(7) {
        refusal(&mut host, &text[..end]);
    }
    let wire = as_struct(&good());
    for end in (0..wire.len()).step_by(7) {
        refusal(&mut host, &wire[..end]);
    }
    assert_eq!(hosts(&host.request(user("u1")).unwrap()).len(), 3);
}

#[test]
fn empty_and_unreadable_configurations() {
    for bad in [&b""[..], b"\xff\xfe", b"null", b"[]", b"3", b"{}"] {
        rejected_message(bad);
    }
}

#[test]
fn an_invalid_first_configuration() {
    let mut host = load();
    let message = refusal(&mut host, b"{}");
    assert_names(&message, &["clusters", "target"]);
    assert_eq!(host.metrics().value("spillgate.config.refused"), 1);
}
