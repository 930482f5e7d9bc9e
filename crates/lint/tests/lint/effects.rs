//! Rules about failures, tables, weights and retries: near misses, and faults in further shapes.

use serde_json::{Value, json};
use spillgate_lint::Severity;

use crate::common::changed::{cluster, endpoint, entries, findings, flagged, routes, severity};
use crate::common::{lint_json, typed, vectors};

#[test]
fn a_ring_needs_one_entry() {
    let ring = |minimum: u64, maximum: u64| {
        move |config: &mut Value| {
            cluster(config)["ring_hash_lb_config"] =
                json!({"minimum_ring_size": minimum, "maximum_ring_size": maximum});
        }
    };
    assert!(flagged("ring-hash-empty", ring(0, 1024)));
    assert!(flagged("ring-hash-empty", ring(0, 0)));
    assert!(!flagged("ring-hash-empty", ring(1, 1)));
    assert!(!flagged("ring-hash-empty", |config| {
        cluster(config)["lb_policy"] = json!("MAGLEV");
    }));
    // The subsets of the cluster have rings of the same size.
    assert!(flagged("ring-hash-empty", |config| {
        cluster(config)["lb_subset_config"] = json!({"fallback_policy": "ANY_ENDPOINT"});
    }));
}

#[test]
fn every_host_needs_a_ring_entry() {
    let ring = |size: u64| {
        move |config: &mut Value| {
            cluster(config)["ring_hash_lb_config"] =
                json!({"minimum_ring_size": size, "maximum_ring_size": size});
        }
    };
    assert!(flagged("ring-hash-small", ring(6)));
    assert!(!flagged("ring-hash-small", ring(7)));
    // Without a maximum, the smallest weight has an entry.
    assert!(!flagged("ring-hash-small", |config| {
        cluster(config)["ring_hash_lb_config"] = json!({"minimum_ring_size": 1});
    }));
    // A heavy host takes the entries of a light one.
    assert!(flagged("ring-hash-small", |config| {
        ring(64)(config);
        entries(config)[0]["lb_endpoints"][0]["load_balancing_weight"] = json!(1000);
    }));
}

#[test]
fn a_table_is_even_with_enough_entries() {
    let rule = "hash-table-uneven";
    let ring = |size: u64| {
        move |config: &mut Value| {
            let cluster = cluster(config);
            cluster.as_object_mut().unwrap().remove("maglev_lb_config");
            cluster["lb_policy"] = json!("RING_HASH");
            cluster["ring_hash_lb_config"] =
                json!({"minimum_ring_size": size, "maximum_ring_size": size});
        }
    };
    assert!(flagged(rule, ring(12)));
    assert!(!flagged(rule, ring(1024)));
    let balanced = |config: &mut Value| {
        ring(12)(config);
        cluster(config)["common_lb_config"] =
            json!({"consistent_hashing_lb_config": {"hash_balance_factor": 125}});
    };
    assert!(!flagged(rule, balanced));
    // Entries of one address are the same, which is another mistake.
    assert!(!flagged(rule, |config| {
        ring(1024)(config);
        entries(config)[0]["lb_endpoints"][1] = entries(config)[0]["lb_endpoints"][0].clone();
    }));
    let maglev = |size: u64| {
        move |config: &mut Value| {
            let cluster = cluster(config);
            cluster
                .as_object_mut()
                .unwrap()
                .remove("ring_hash_lb_config");
            cluster["lb_policy"] = json!("MAGLEV");
            cluster["maglev_lb_config"] = json!({"table_size": size});
        }
    };
    assert!(flagged(rule, maglev(5)));
    assert!(!flagged(rule, maglev(307)));
    // Fewer slots than hosts have their own rule.
    assert!(!flagged(rule, maglev(2)));
    // Weights count: a host with half of the weight gets half of the table.
    assert!(!flagged(rule, |config| {
        maglev(65537)(config);
        entries(config)[0]["lb_endpoints"][0]["load_balancing_weight"] = json!(2);
    }));
}

#[test]
fn a_locality_keeps_its_weight_under_hash_policies() {
    let rule = "hash-locality-health";
    assert_eq!(severity(rule, |_| {}), Severity::Warning);
    let healthy = |config: &mut Value| {
        let host = &mut entries(config)[0]["lb_endpoints"][1];
        host.as_object_mut().unwrap().remove("health_status");
    };
    assert!(!flagged(rule, healthy));
    let checked = |config: &mut Value| {
        healthy(config);
        cluster(config)["outlier_detection"] = json!({"max_ejection_percent": 50});
    };
    assert_eq!(severity(rule, checked), Severity::Info);
    assert!(!flagged(rule, |config| cluster(config)["lb_policy"] =
        json!("ROUND_ROBIN")));
    assert!(!flagged(rule, |config| {
        cluster(config)
            .as_object_mut()
            .unwrap()
            .remove("common_lb_config");
    }));
    // Without a second locality, no other gets the requests.
    assert!(!flagged(rule, |config| {
        entries(config).as_array_mut().unwrap().truncate(1);
    }));
}

#[test]
fn weights_need_localities() {
    let rule = "locality-weight-dropped";
    let name = |at: usize, zone: &'static str| {
        move |config: &mut Value| entries(config)[at]["locality"] = json!({"zone": zone})
    };
    assert!(!flagged(rule, |config| {
        name(0, "a")(config);
        name(1, "b")(config);
    }));
    // An empty locality is one.
    assert!(!flagged(rule, |config| {
        entries(config)[0]["locality"] = json!({});
        name(1, "b")(config);
    }));
    // Weights in proportion to the hosts change nothing.
    assert!(!flagged(rule, |config| {
        entries(config)[0]["load_balancing_weight"] = json!(1);
        entries(config)[1]["load_balancing_weight"] = json!(3);
    }));
    // A single entry gets everything anyway.
    assert!(!flagged(rule, |config| {
        entries(config).as_array_mut().unwrap().truncate(1);
    }));
    assert!(flagged(rule, |config| {
        cluster(config)
            .as_object_mut()
            .unwrap()
            .remove("common_lb_config");
    }));
    let without = |config: &mut Value| name(1, "b")(config);
    let missing = vectors()
        .into_iter()
        .find(|vector| vector.rule == rule)
        .unwrap();
    let mut config = missing.json().unwrap();
    without(&mut config);
    let found = lint_json(&config);
    let error = found
        .iter()
        .find(|finding| finding.rule == "locality-weight-missing")
        .unwrap();
    assert!(error.fix.starts_with("set locality"), "{error:?}");
    assert!(error.path.ends_with("endpoints[0].locality"), "{error:?}");
}

#[test]
fn entries_of_one_locality_are_merged() {
    let rule = "locality-entries-merged";
    assert!(!flagged(rule, |config| entries(config)[0]["locality"] =
        json!({"zone": "b"})));
    assert!(!flagged(rule, |config| entries(config)[0]["priority"] = json!(1)));
    assert!(!flagged(rule, |config| {
        for at in 0..2 {
            let entry = entries(config)[at].as_object_mut().unwrap();
            entry.remove("load_balancing_weight");
        }
    }));
    let found = findings(rule, |_| {});
    assert!(
        found[0]
            .path
            .ends_with("endpoints[0].load_balancing_weight")
    );
    assert!(
        found[0].effect.contains("25 % instead of 30 %"),
        "{found:?}"
    );
}

#[test]
fn ejections_need_a_whole_host() {
    let rule = "outlier-ejects-no-host";
    let outliers =
        |value: Value| move |config: &mut Value| cluster(config)["outlier_detection"] = value;
    assert!(flagged(rule, outliers(json!({}))));
    assert!(flagged(rule, outliers(json!({"max_ejection_percent": 33}))));
    assert!(!flagged(
        rule,
        outliers(json!({"max_ejection_percent": 34}))
    ));
    assert!(flagged(rule, outliers(json!({"max_ejection_percent": 0}))));
    assert!(!flagged(
        rule,
        outliers(json!({"always_eject_one_host": true}))
    ));
    let unenforced = json!({"max_ejection_percent": 50, "enforcing_consecutive_5xx": 0,
        "enforcing_success_rate": 0});
    assert!(flagged(rule, outliers(unenforced)));
    let gateway = json!({"max_ejection_percent": 50, "enforcing_consecutive_5xx": 0,
        "enforcing_success_rate": 0, "enforcing_consecutive_gateway_failure": 100});
    assert!(!flagged(rule, outliers(gateway)));
    let no_row =
        json!({"max_ejection_percent": 50, "consecutive_5xx": 0, "enforcing_success_rate": 0});
    assert!(flagged(rule, outliers(no_row)));
    // Ten percent of ten hosts is one host.
    assert!(!flagged(rule, |config| {
        entries(config)[0]["lb_endpoints"] = (0..10).map(|at| endpoint(28200 + at)).collect();
    }));
    // The hosts behind a name are unknown.
    assert!(!flagged(rule, |config| {
        cluster(config)["type"] = json!("STRICT_DNS");
        for host in entries(config)[0]["lb_endpoints"].as_array_mut().unwrap() {
            host["endpoint"]["address"]["socket_address"]["address"] = json!("shop.example");
        }
    }));
}

#[test]
fn ejections_may_reach_panic_mode() {
    let rule = "outlier-ejects-into-panic";
    assert_eq!(severity(rule, |_| {}), Severity::Info);
    let percent = |percent: u32| {
        move |config: &mut Value| {
            cluster(config)["outlier_detection"]["max_ejection_percent"] = json!(percent);
        }
    };
    assert!(!flagged(rule, percent(66)));
    assert!(!flagged(rule, |config| {
        cluster(config)["common_lb_config"] = json!({"healthy_panic_threshold": {"value": 0}});
    }));
    assert!(!flagged(rule, |config| {
        let lower = json!({"priority": 1, "lb_endpoints": [endpoint(28300)]});
        entries(config).as_array_mut().unwrap().push(lower);
    }));
    let single = |config: &mut Value| {
        let hosts = entries(config)[0]["lb_endpoints"].as_array_mut().unwrap();
        hosts.truncate(1);
        percent(100)(config);
    };
    assert_eq!(severity(rule, single), Severity::Warning);
}

#[test]
fn a_member_with_a_signal_hands_over() {
    let rule = "aggregate-no-health-signal";
    let member = |field: &'static str, value: Value| {
        move |config: &mut Value| config["static_resources"]["clusters"][1][field] = value
    };
    let checks = json!([{"timeout": "1s", "interval": "5s", "unhealthy_threshold": 2,
        "healthy_threshold": 1, "tcp_health_check": {}}]);
    assert!(!flagged(rule, member("health_checks", checks)));
    assert!(!flagged(rule, member("outlier_detection", json!({}))));
    assert!(flagged(rule, member("health_checks", json!([]))));
    // The signal of the last member does not help the first.
    assert!(flagged(rule, |config| {
        config["static_resources"]["clusters"][2]["outlier_detection"] = json!({});
    }));
    assert!(!flagged(rule, |config| {
        let members = "/static_resources/clusters/0/cluster_type/typed_config/clusters";
        *config.pointer_mut(members).unwrap() = json!(["primary"]);
    }));
    assert!(!flagged(rule, |config| {
        routes(config)[0]["route"]["retry_policy"] = json!({"retry_on": "5xx", "retry_priority": {
            "name": "p",
            "typed_config": {
                "@type": "type.googleapis.com/envoy.extensions.retry.priority.previous_priorities.v3.PreviousPrioritiesConfig",
                "update_frequency": 1,
            },
        }});
    }));
}

#[test]
fn retries_reach_a_priority_after_every_update() {
    let rule = "retry-priority-unreached";
    let set = |retries: u32, frequency: u32| {
        move |config: &mut Value| {
            let policy = &mut routes(config)[0]["route"]["retry_policy"];
            policy["num_retries"] = json!(retries);
            policy["retry_priority"]["typed_config"]["update_frequency"] = json!(frequency);
        }
    };
    assert!(!flagged(rule, set(4, 2)));
    assert!(flagged(rule, set(3, 2)));
    assert!(!flagged(rule, set(2, 1)));
    assert!(flagged(rule, set(1, 1)));
    assert_eq!(severity(rule, |_| {}), Severity::Warning);
    let checked = |config: &mut Value| {
        cluster(config)["outlier_detection"] = json!({"max_ejection_percent": 100});
    };
    assert_eq!(severity(rule, checked), Severity::Info);
    // Empty priorities need no attempt.
    assert!(!flagged(
        rule,
        |config| entries(config)[2]["lb_endpoints"] = json!([])
    ));
}

#[test]
fn circuit_breakers_allow_retries() {
    let rule = "retries-capped";
    let breakers = |value: Value| {
        move |config: &mut Value| {
            cluster(config)["circuit_breakers"] = json!({"thresholds": [value]})
        }
    };
    assert_eq!(severity(rule, |_| {}), Severity::Warning);
    assert_eq!(
        severity(rule, breakers(json!({"max_retries": 2}))),
        Severity::Info
    );
    assert_eq!(
        severity(rule, breakers(json!({"max_requests": 4096}))),
        Severity::Info
    );
    assert!(!flagged(rule, breakers(json!({"max_retries": 3}))));
    assert!(!flagged(
        rule,
        breakers(json!({"max_retries": 0, "retry_budget": {}}))
    ));
    let none =
        json!({"retry_budget": {"budget_percent": {"value": 0.0}, "min_retry_concurrency": 0}});
    assert_eq!(severity(rule, breakers(none)), Severity::Warning);
    assert!(!flagged(rule, |config| {
        cluster(config)
            .as_object_mut()
            .unwrap()
            .remove("circuit_breakers");
    }));
    // The thresholds of the other routing priority do not count.
    assert!(
        !flagged(
            rule,
            breakers(json!({"priority": "HIGH", "max_retries": 0}))
        ) || severity(
            rule,
            breakers(json!({"priority": "HIGH", "max_retries": 0}))
        ) == Severity::Info
    );
    let high = |config: &mut Value| {
        breakers(json!({"priority": "HIGH", "max_retries": 0}))(config);
        routes(config)[0]["route"]["priority"] = json!("HIGH");
    };
    assert_eq!(severity(rule, high), Severity::Warning);
    assert!(!flagged(rule, |config| {
        routes(config)[0]["route"]["retry_policy"]["num_retries"] = json!(0);
    }));
}

#[test]
fn a_cookie_has_one_path_per_cluster() {
    let rule = "affinity-cookie-paths";
    let cookie = |at: usize, field: &'static str, value: Value| {
        move |config: &mut Value| {
            routes(config)[at]["route"]["hash_policy"][0]["cookie"][field] = value;
        }
    };
    assert!(!flagged(rule, cookie(1, "path", json!("/api"))));
    assert!(!flagged(rule, cookie(1, "name", json!("other"))));
    assert!(flagged(rule, cookie(1, "path", json!(""))));
    // Without a ttl, Envoy reads the cookie and generates none.
    assert!(!flagged(rule, |config| {
        let cookie = &mut routes(config)[1]["route"]["hash_policy"][0]["cookie"];
        cookie.as_object_mut().unwrap().remove("ttl");
    }));
    // A cluster that does not hash ignores the cookie.
    assert!(!flagged(rule, |config| cluster(config)["lb_policy"] =
        json!("ROUND_ROBIN")));
    // Another cluster has its own hosts.
    assert!(!flagged(rule, |config| {
        let mut other = cluster(config).clone();
        other["name"] = json!("d");
        config["static_resources"]["clusters"]
            .as_array_mut()
            .unwrap()
            .push(other);
        routes(config)[1]["route"]["cluster"] = json!("d");
    }));
    // Other domains have their own cookies.
    assert!(!flagged(rule, |config| {
        let second = routes(config).as_array_mut().unwrap().pop().unwrap();
        let hosts = config.pointer_mut("/static_resources/listeners/0/filter_chains/0/filters/0/typed_config/route_config/virtual_hosts").unwrap();
        let other = json!({"name": "w", "domains": ["w.example"], "routes": [second]});
        hosts.as_array_mut().unwrap().push(other);
    }));
}

#[test]
fn sessions_of_two_routes_share_a_path() {
    let session = |path: &str| {
        json!({"envoy.filters.http.stateful_session": {
            "@type": "type.googleapis.com/envoy.extensions.filters.http.stateful_session.v3.StatefulSessionPerRoute",
            "stateful_session": {"session_state": {
                "name": "envoy.http.stateful_session.cookie",
                "typed_config": {
                    "@type": "type.googleapis.com/envoy.extensions.http.stateful_session.cookie.v3.CookieBasedSessionState",
                    "cookie": {"name": "s", "path": path, "ttl": "60s"},
                },
            }},
        }})
    };
    let with = |first: &'static str, second: &'static str| {
        move |config: &mut Value| {
            cluster(config)["lb_policy"] = json!("ROUND_ROBIN");
            let filters = config.pointer_mut("/static_resources/listeners/0/filter_chains/0/filters/0/typed_config/http_filters").unwrap();
            filters
                .as_array_mut()
                .unwrap()
                .insert(0, crate::sensible::session("60s"));
            routes(config)[0]["typed_per_filter_config"] = session(first);
            routes(config)[1]["typed_per_filter_config"] = session(second);
        }
    };
    assert!(flagged("affinity-cookie-paths", with("/api", "/app")));
    assert!(!flagged("affinity-cookie-paths", with("/", "/")));
}

#[test]
fn removed_hosts_leave_at_once_if_asked_to() {
    let rule = "health-checks-keep-removed-hosts";
    let set = |field: &'static str, value: Value| {
        move |config: &mut Value| cluster(config)[field] = value
    };
    assert!(!flagged(
        rule,
        set("ignore_health_on_host_removal", json!(true))
    ));
    assert!(flagged(
        rule,
        set("ignore_health_on_host_removal", json!(false))
    ));
    assert!(!flagged(rule, set("health_checks", json!([]))));
    let kind = |kind: &'static str| {
        move |config: &mut Value| {
            let hosts = entries(config)[0]["lb_endpoints"].as_array_mut().unwrap();
            hosts.truncate(1);
            let cluster = cluster(config);
            cluster
                .as_object_mut()
                .unwrap()
                .remove("eds_cluster_config");
            cluster["type"] = json!(kind);
        }
    };
    assert!(!flagged(rule, kind("STATIC")));
    assert!(flagged(rule, kind("STRICT_DNS")));
    assert!(!flagged(rule, kind("LOGICAL_DNS")));
    let dns = |single: bool| {
        move |config: &mut Value| {
            let hosts = entries(config)[0]["lb_endpoints"].as_array_mut().unwrap();
            hosts.truncate(1);
            let cluster = cluster(config).as_object_mut().unwrap();
            cluster.remove("eds_cluster_config");
            cluster.remove("type");
            let dns = json!({
                "@type": "type.googleapis.com/envoy.extensions.clusters.dns.v3.DnsCluster",
                "all_addresses_in_single_endpoint": single,
            });
            cluster.insert(
                "cluster_type".into(),
                json!({"name": "envoy.clusters.dns", "typed_config": dns}),
            );
        }
    };
    assert!(flagged(rule, dns(false)));
    assert!(!flagged(rule, dns(true)));
}

#[test]
fn a_selector_without_hosts_has_the_severity_of_its_fallback() {
    let rule = "subset-selector-no-host";
    let subsets = |value: Value| {
        move |config: &mut Value| {
            let hosts = &mut entries(config)[0]["lb_endpoints"];
            hosts[0]["metadata"] = json!({"filter_metadata": {"envoy.lb": {"tag": "v1"}}});
            cluster(config)["lb_subset_config"] = value;
        }
    };
    let selector = |fallback: Value| {
        let mut selector = json!({"keys": ["canary", "tag"]});
        selector
            .as_object_mut()
            .unwrap()
            .extend(fallback.as_object().unwrap().clone());
        json!({
            "fallback_policy": "NO_FALLBACK",
            "default_subset": {"tag": "v1"},
            "subset_selectors": [selector, {"keys": ["tag"], "fallback_policy": "NO_FALLBACK"}],
        })
    };
    for (fallback, expected) in [
        (json!({}), Severity::Error),
        (json!({"fallback_policy": "NO_FALLBACK"}), Severity::Error),
        (json!({"fallback_policy": "ANY_ENDPOINT"}), Severity::Info),
        (json!({"fallback_policy": "DEFAULT_SUBSET"}), Severity::Info),
        (
            json!({"fallback_policy": "KEYS_SUBSET", "fallback_keys_subset": ["tag"]}),
            Severity::Info,
        ),
        // No host has the key that is left, and nothing else applies.
        (
            json!({"fallback_policy": "KEYS_SUBSET", "fallback_keys_subset": ["canary"]}),
            Severity::Error,
        ),
    ] {
        let change = subsets(selector(fallback.clone()));
        assert_eq!(severity(rule, change), expected, "{fallback}");
        let typed_form = |config: &mut Value| {
            subsets(selector(fallback.clone()))(config);
            *config = typed(config).unwrap();
        };
        assert_eq!(severity(rule, typed_form), expected, "typed {fallback}");
    }
    let any =
        json!({"fallback_policy": "ANY_ENDPOINT", "subset_selectors": [{"keys": ["canary"]}]});
    assert_eq!(severity(rule, subsets(any)), Severity::Info);
    // A misspelled key: requests go where the author excluded them.
    let typo = json!({"fallback_policy": "ANY_ENDPOINT", "subset_selectors": [{"keys": ["tags"]}]});
    assert_eq!(severity(rule, subsets(typo)), Severity::Error);
}
