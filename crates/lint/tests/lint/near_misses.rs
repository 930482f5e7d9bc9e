//! Configurations close to a fault, and faults in further shapes.

use serde_json::{Value, json};
use spillgate_config::envoy::Format;

use crate::common::{lint_json, lint_text, rules, vectors};

/// The vector of a rule, changed; whether the rule still reports a finding.
fn flagged(rule: &str, change: impl FnOnce(&mut Value)) -> bool {
    let vector = vectors()
        .into_iter()
        .find(|vector| vector.rule == rule)
        .unwrap();
    let mut config = vector.json().unwrap();
    change(&mut config);
    rules(&lint_json(&config)).contains(&rule)
}

fn cluster(config: &mut Value) -> &mut Value {
    &mut config["static_resources"]["clusters"][0]
}

fn manager(config: &mut Value) -> &mut Value {
    let manager = "/static_resources/listeners/0/filter_chains/0/filters/0/typed_config";
    config.pointer_mut(manager).unwrap()
}

fn route(config: &mut Value) -> &mut Value {
    &mut manager(config)["route_config"]["virtual_hosts"][0]["routes"][0]["route"]
}

#[test]
fn keys_that_filters_add_are_selectable() {
    let rule = "subset-route-keys-not-selectable";
    let change = |key: &'static str| {
        move |config: &mut Value| {
            cluster(config)["lb_subset_config"]["subset_selectors"] =
                json!([{"keys": ["stage", "version", "user"]}]);
            let filters = manager(config)["http_filters"].as_array_mut().unwrap();
            filters.insert(0, json!({
                "name": "h2m",
                "typed_config": {
                    "@type": "type.googleapis.com/envoy.extensions.filters.http.header_to_metadata.v3.Config",
                    "request_rules": [{
                        "header": "x-user",
                        "on_header_present": {"metadata_namespace": "envoy.lb", "key": key},
                    }],
                },
            }));
        }
    };
    assert!(!flagged(rule, change("user")));
    assert!(flagged(rule, change("other")));
}

#[test]
fn redundant_keys_may_be_allowed() {
    assert!(!flagged("subset-route-keys-not-selectable", |config| {
        let typed = crate::common::typed(config).unwrap();
        *config = typed;
        let subset = "/load_balancing_policy/policies/0/typed_extension_config/typed_config";
        let subset = cluster(config).pointer_mut(subset).unwrap();
        subset["allow_redundant_keys"] = json!(true);
    }));
}

#[test]
fn a_number_in_a_header_rule_is_a_number() {
    let rule = "subset-value-type-mismatch";
    let change = |kind: &'static str| {
        move |config: &mut Value| {
            route(config)
                .as_object_mut()
                .unwrap()
                .remove("metadata_match");
            let filters = manager(config)["http_filters"].as_array_mut().unwrap();
            filters.insert(0, json!({
                "name": "h2m",
                "typed_config": {
                    "@type": "type.googleapis.com/envoy.extensions.filters.http.header_to_metadata.v3.Config",
                    "request_rules": [{
                        "header": "x-v",
                        "on_header_present": {"metadata_namespace": "envoy.lb", "key": "v", "type": kind},
                    }],
                },
            }));
        }
    };
    assert!(flagged(rule, change("STRING")));
    assert!(!flagged(rule, change("NUMBER")));
}

#[test]
fn a_split_that_keeps_clients_together_keeps_their_sessions() {
    for rule in ["affinity-weighted-clusters", "hash-weighted-clusters"] {
        assert!(!flagged(rule, |config| {
            route(config)["weighted_clusters"]["header_name"] = json!("x-bucket");
        }));
        assert!(!flagged(rule, |config| {
            route(config)["hash_policy"] = json!([{"header": {"header_name": "x"}}]);
            route(config)["weighted_clusters"]["use_hash_policy"] = json!(true);
        }));
        assert!(!flagged(rule, |config| {
            route(config)["weighted_clusters"]["clusters"][1]["weight"] = json!(0);
        }));
    }
}

#[test]
fn a_route_may_switch_sessions_off() {
    let switched = |message: Value| {
        flagged("affinity-aggregate-ignored", |config| {
            let routes = &mut manager(config)["route_config"]["virtual_hosts"][0]["routes"];
            routes[0]["typed_per_filter_config"] =
                json!({"envoy.filters.http.stateful_session": message});
        })
    };
    let per_route = "type.googleapis.com/envoy.extensions.filters.http.stateful_session.v3.StatefulSessionPerRoute";
    assert!(!switched(json!({"@type": per_route, "disabled": true})));
    let wrapper = "type.googleapis.com/envoy.config.route.v3.FilterConfig";
    assert!(!switched(json!({"@type": wrapper, "disabled": true})));
    let own = json!({"@type": per_route, "stateful_session": {"session_state": {
        "name": "envoy.http.stateful_session.header",
        "typed_config": {
            "@type": "type.googleapis.com/envoy.extensions.http.stateful_session.header.v3.HeaderBasedSessionState",
            "name": "x-session",
        },
    }}});
    assert!(switched(own));
}

#[test]
fn a_balancer_with_a_hash_policy_of_its_own_needs_none_on_routes() {
    assert!(!flagged("hash-lb-no-hash-policy", |config| {
        *config = crate::common::typed(config).unwrap();
        let policy = "/load_balancing_policy/policies/0/typed_extension_config/typed_config";
        let policy = cluster(config).pointer_mut(policy).unwrap();
        policy["consistent_hashing_lb_config"] =
            json!({"hash_policy": [{"header": {"header_name": "x"}}]});
    }));
}

#[test]
fn health_signals_let_traffic_move() {
    let rule = "failover-no-health-signal";
    assert!(!flagged(rule, |config| {
        cluster(config)["outlier_detection"] = json!({});
    }));
    assert!(!flagged(rule, |config| {
        cluster(config)["type"] = json!("EDS");
    }));
    assert!(flagged(rule, |config| {
        cluster(config)["health_checks"] = json!([]);
    }));
    assert!(!flagged(rule, |config| {
        route(config)["retry_policy"] = json!({
            "retry_on": "5xx",
            "retry_priority": {
                "name": "envoy.retry_priorities.previous_priorities",
                "typed_config": {
                    "@type": "type.googleapis.com/envoy.extensions.retry.priority.previous_priorities.v3.PreviousPrioritiesConfig",
                    "update_frequency": 1,
                },
            },
        });
    }));
}

#[test]
fn the_cap_on_ejections_is_rounded_down() {
    // 11 hosts, 10 of them in the first priority; its spillover starts with 3.
    let with = |percent: u64| {
        flagged("outlier-cap-prevents-failover", |config| {
            cluster(config)["outlier_detection"] = json!({"max_ejection_percent": percent});
        })
    };
    assert!(with(27));
    // Some requests leave, and the others stay on failed hosts.
    assert!(with(28));
    assert!(with(90));
    assert!(!with(91));
}

#[test]
fn members_may_come_from_a_control_plane() {
    let rule = "aggregate-member-missing";
    assert!(!flagged(rule, |config| {
        config["dynamic_resources"] = json!({"cds_config": {"ads": {}}});
    }));
    // The aggregate alone: its members are elsewhere.
    assert!(!flagged(rule, |config| {
        let aggregate = config["static_resources"]["clusters"][1].clone();
        *config = aggregate;
    }));
}

#[test]
fn a_longer_cycle_is_reported_once() {
    let vector = vectors()
        .into_iter()
        .find(|v| v.rule == "aggregate-cycle")
        .unwrap();
    let mut config = vector.json().unwrap();
    let clusters = config["static_resources"]["clusters"]
        .as_array_mut()
        .unwrap();
    let mut third = clusters[1].clone();
    third["name"] = json!("g3");
    clusters[1]["cluster_type"]["typed_config"]["clusters"] = json!(["g3"]);
    clusters.push(third);
    let findings = lint_json(&config);
    assert_eq!(rules(&findings), ["aggregate-cycle"]);
    assert_eq!(findings.len(), 1);
    assert!(
        findings[0].cause.ends_with("g1 -> g2 -> g3 -> g1"),
        "{}",
        findings[0].cause
    );
}

#[test]
fn eds_keeps_the_first_of_two() {
    let vector = vectors()
        .into_iter()
        .find(|v| v.rule == "endpoint-duplicate")
        .unwrap();
    let mut config = vector.json().unwrap();
    cluster(&mut config)["type"] = json!("EDS");
    let findings = lint_json(&config);
    assert_eq!(rules(&findings), ["endpoint-duplicate"]);
    assert!(
        findings[0].effect.contains("EDS keeps the first"),
        "{}",
        findings[0].effect
    );
}

#[test]
fn figures_are_the_engines() {
    let effect = |rule: &str| {
        let vector = vectors()
            .into_iter()
            .find(|vector| vector.rule == rule)
            .unwrap();
        let findings = lint_json(&vector.json().unwrap());
        let finding = findings.into_iter().find(|finding| finding.rule == rule);
        finding.unwrap().effect
    };
    assert_eq!(
        effect("subset-route-keys-not-selectable"),
        "requests with stage=prod, version=1 get 503 (100 %)"
    );
    assert_eq!(
        effect("locality-weights-unused"),
        "locality \"r/z1\" gets 50 % of priority 0 instead of 90 %"
    );
    assert_eq!(
        effect("maglev-table-small"),
        "0 % of requests go to 2 of 7 hosts"
    );
    assert_eq!(
        effect("outlier-cap-prevents-failover"),
        "priority 0 keeps 100 % of requests; spillover starts with 3 of 10 hosts ejected"
    );
    assert_eq!(
        effect("random-ignores-weights"),
        "127.0.0.1:28101 has weight 3 of 4, but gets 50 % of requests"
    );
}

#[test]
fn scalars_are_reported_only_if_compared() {
    let vector = vectors()
        .into_iter()
        .find(|v| v.rule == "yaml-scalar-surprise")
        .unwrap();
    let found = |text: &str| {
        let findings = lint_text(text, Format::Yaml);
        let found = findings.iter().filter(|f| f.rule == "yaml-scalar-surprise");
        found
            .map(|finding| finding.cause.clone())
            .collect::<Vec<_>>()
    };
    for (written, read) in [
        ("no", "the Boolean false"),
        ("on", "the Boolean true"),
        ("017", "the number 15"),
        ("0x1F", "the number 31"),
        ("1.5", "the string \"1.5\""),
        ("1e3", "the string \"1e3\""),
        ("3000000000", "the string \"3000000000\""),
    ] {
        let text = vector
            .text
            .replace("country: no", &format!("country: {written}"));
        let cause = format!("country: Envoy reads {written} as {read}");
        assert_eq!(found(&text), [cause.clone(), cause], "{written}");
    }
    for written in [
        "\"no\"", "'1.5'", "false", "True", "15", "-3", "v1.5", "1.2.3", "oFF",
    ] {
        let text = vector
            .text
            .replace("country: no", &format!("country: {written}"));
        assert_eq!(found(&text), [""; 0], "{written}");
    }
    let elsewhere = vector.text.replace("keys: [country]", "keys: [region]");
    assert_eq!(found(&elsewhere), [""; 0]);
}

/// Fractions, each with the clusters of its route; without clusters, the route has one.
fn fractions(routes: &[(u32, &[u32])]) -> impl FnOnce(&mut Value) {
    let routes: Vec<Value> = routes
        .iter()
        .map(|(numerator, weights)| {
            let clusters = weights
                .iter()
                .map(|weight| json!({"name": "a", "weight": weight}));
            let route = match weights {
                [] => json!({"cluster": "a"}),
                _ => json!({"weighted_clusters": {"clusters": clusters.collect::<Vec<_>>()}}),
            };
            let fraction = json!({"default_value": {"numerator": numerator}});
            json!({"match": {"prefix": "/", "runtime_fraction": fraction}, "route": route})
        })
        .collect();
    move |config| manager(config)["route_config"]["virtual_hosts"][0]["routes"] = routes.into()
}

#[test]
fn fractions_and_weights_are_compared_with_one_number() {
    let rule = "route-unreachable";
    for (routes, unreachable) in [
        (&[(50, &[][..]), (51, &[])][..], false),
        (&[(50, &[]), (50, &[])], true),
        (&[(50, &[]), (10, &[]), (100, &[])], true),
        (&[(30, &[]), (60, &[]), (100, &[])], false),
        (&[(60, &[]), (100, &[60, 40])], true),
        (&[(60, &[]), (100, &[61, 39])], false),
        // The remainders of 2 and of 100 agree only in their parity.
        (&[(50, &[]), (100, &[1, 1])], false),
        (&[(30, &[40, 60])], true),
        (&[(50, &[40, 60])], false),
        (&[(100, &[1, 99])], false),
    ] {
        assert_eq!(flagged(rule, fractions(routes)), unreachable, "{routes:?}");
    }
    // The second route also gets requests that do not match the first one.
    let change = |config: &mut Value| {
        fractions(&[(50, &[]), (50, &[])])(config);
        let routes = &mut manager(config)["route_config"]["virtual_hosts"][0]["routes"];
        routes[0]["match"]["prefix"] = "/api".into();
    };
    assert!(!flagged(rule, change));
}

#[test]
fn a_route_is_unreachable_after_one_that_matches_all_of_its_requests() {
    let exact = |value: &str| json!({"name": "x-a", "string_match": {"exact": value}});
    let only = |value: &str| json!({"prefix": "/", "headers": [exact(value)]});
    for (first, second, unreachable) in [
        (json!({"prefix": "/"}), json!({"prefix": "/api"}), true),
        (json!({"prefix": "/api"}), json!({"prefix": "/"}), false),
        (json!({"prefix": "/api"}), json!({"path": "/api/v1"}), true),
        (json!({"path": "/api"}), json!({"prefix": "/api"}), false),
        (json!({"prefix": "/"}), only("1"), true),
        (only("1"), json!({"prefix": "/"}), false),
        (only("1"), only("2"), false),
        (only("1"), only("1"), true),
        (
            json!({"prefix": "/", "grpc": {}}),
            json!({"prefix": "/"}),
            false,
        ),
        (
            json!({"prefix": "/"}),
            json!({"connect_matcher": {}}),
            false,
        ),
        (json!({"prefix": "/"}), json!({"path": "*"}), false),
        (
            json!({"prefix": "/API", "case_sensitive": false}),
            json!({"prefix": "/api"}),
            false,
        ),
    ] {
        let route = |matcher: &Value| json!({"match": matcher, "route": {"cluster": "a"}});
        let routes = json!([route(&first), route(&second)]);
        let change = |config: &mut Value| {
            manager(config)["route_config"]["virtual_hosts"][0]["routes"] = routes;
        };
        let found = flagged("route-unreachable", change);
        assert_eq!(found, unreachable, "{first} before {second}");
    }
}
