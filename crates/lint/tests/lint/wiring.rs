//! The wiring of the Spillgate filter, close to a fault.

use serde_json::{Value, json};

use crate::common::{lint_json, rules, vectors};
use spillgate_lint::Severity;

const UNREAD: &str = "steered-list-unread";
const BLOCKED: &str = "steered-poll-blocked";
const CLUSTER: &str = "steered-cluster-ignored";
const STATIC: &str = "steered-health-static";
const CRITERIA: &str = "steered-criteria-missing";
const NO_POLICY: &str = "dynamic-module-policy-missing";

const TYPES: &str = "type.googleapis.com/envoy.extensions.";

fn vector(rule: &str) -> Value {
    let vector = vectors().into_iter().rfind(|vector| vector.rule == rule);
    vector.unwrap().json().unwrap()
}

/// The severity of the rule's finding in its vector after a change.
fn severity(rule: &str, change: impl FnOnce(&mut Value)) -> Option<Severity> {
    let mut site = vector(rule);
    change(&mut site);
    let findings = lint_json(&site);
    let mut found = findings.iter().filter(|finding| finding.rule == rule);
    found.next().map(|finding| finding.severity)
}

fn flagged(rule: &str, change: impl FnOnce(&mut Value)) -> bool {
    severity(rule, change).is_some()
}

fn manager(site: &mut Value) -> &mut Value {
    let manager = "/static_resources/listeners/0/filter_chains/0/filters/0/typed_config";
    site.pointer_mut(manager).unwrap()
}

fn route(site: &mut Value) -> &mut Value {
    &mut manager(site)["route_config"]["virtual_hosts"][0]["routes"][0]["route"]
}

/// The configuration of the Wasm filter.
fn filter(site: &mut Value) -> &mut Value {
    let value = "/http_filters/0/typed_config/config/configuration/value";
    manager(site).pointer_mut(value).unwrap()
}

fn add_filter(site: &mut Value, at: usize, filter: Value) {
    let filters = manager(site)["http_filters"].as_array_mut().unwrap();
    filters.insert(at, filter);
}

/// `header_to_metadata` with one rule.
fn moving(header: &str, namespace: &str, key: &str) -> Value {
    json!({"name": "moves", "typed_config": {
        "@type": format!("{TYPES}filters.http.header_to_metadata.v3.Config"),
        "request_rules": [{
            "header": header,
            "on_header_present": {"metadata_namespace": namespace, "key": key},
            "remove": true,
        }],
    }})
}

fn override_host(site: &mut Value) -> &mut Value {
    let policy = "/static_resources/clusters/0/load_balancing_policy/policies/0\
                  /typed_extension_config/typed_config";
    site.pointer_mut(policy).unwrap()
}

#[test]
fn a_list_is_read_if_a_filter_behind_moves_it_to_the_source() {
    let with = |at, header: &'static str, namespace: &'static str, key: &'static str| {
        flagged(UNREAD, move |site| {
            add_filter(site, at, moving(header, namespace, key));
        })
    };
    assert!(!with(1, "x-spillgate-host", "spillgate", "host"));
    assert!(!with(1, "X-Spillgate-Host", "spillgate", "host"));
    // Before the filter, the header is the client's.
    assert!(with(0, "x-spillgate-host", "spillgate", "host"));
    assert!(with(1, "x-other", "spillgate", "host"));
    assert!(with(1, "x-spillgate-host", "spillgate", "hosts"));
    assert!(with(1, "x-spillgate-host", "envoy.lb", "host"));
    assert!(!flagged(UNREAD, |site| {
        filter(site)["output"] = json!({"host_header": "x-other"});
        add_filter(site, 1, moving("x-other", "spillgate", "host"));
    }));
    // The effect of this filter is unknown.
    assert!(!flagged(UNREAD, |site| {
        let typed = format!("{TYPES}filters.http.ext_proc.v3.ExternalProcessor");
        let service = json!({"envoy_grpc": {"cluster_name": "c"}});
        let unknown = json!({"@type": typed, "grpc_service": service});
        add_filter(site, 1, json!({"name": "unknown", "typed_config": unknown}));
    }));
}

#[test]
fn a_header_source_reads_the_list_unless_the_route_removes_it() {
    let header = |site: &mut Value| {
        override_host(site)["override_host_sources"] = json!([{"header": "x-spillgate-host"}]);
    };
    assert!(!flagged(UNREAD, header));
    assert!(flagged(UNREAD, |site| {
        header(site);
        let host = &mut manager(site)["route_config"]["virtual_hosts"][0];
        host["routes"][0]["request_headers_to_remove"] = json!(["x-spillgate-host"]);
    }));
}

#[test]
fn an_unread_list_is_an_error_unless_any_host_may_serve() {
    let open = |site: &mut Value| {
        let round_robin = format!("{TYPES}load_balancing_policies.round_robin.v3.RoundRobin");
        override_host(site)["fallback_policy"] = json!({"policies": [{"typed_extension_config":
            {"name": "r", "typed_config": {"@type": round_robin}}}]});
    };
    assert_eq!(severity(UNREAD, |_| {}), Some(Severity::Error));
    assert_eq!(severity(UNREAD, open), Some(Severity::Error));
    assert_eq!(
        severity(UNREAD, |site| {
            open(site);
            let filter = filter(site).as_object_mut().unwrap();
            filter.retain(|field, _| field != "criteria" && field != "subset_chain");
        }),
        Some(Severity::Warning)
    );
    // Without override_host, Envoy's own policy chooses.
    assert!(flagged(UNREAD, |site| {
        let cluster = &mut site["static_resources"]["clusters"][0];
        cluster
            .as_object_mut()
            .unwrap()
            .remove("load_balancing_policy");
    }));
}

#[test]
fn the_modes_have_readers_of_their_own() {
    let session = |header: &str| {
        let state = format!("{TYPES}http.stateful_session.header.v3.HeaderBasedSessionState");
        json!({"name": "session", "typed_config": {
            "@type": format!("{TYPES}filters.http.stateful_session.v3.StatefulSession"),
            "session_state": {
                "name": "envoy.http.stateful_session.header",
                "typed_config": {"@type": state, "name": header},
            },
        }})
    };
    let sessions = |header: &'static str, at| {
        flagged(UNREAD, move |site| {
            filter(site)["output"] = json!({"mode": "stateful_session"});
            add_filter(site, at, session(header));
        })
    };
    assert!(!sessions("x-spillgate-host", 1));
    assert!(sessions("x-spillgate-host", 0));
    assert!(sessions("x-other", 1));
    let subsets = |key: &'static str| {
        flagged(UNREAD, move |site| {
            filter(site)["output"] =
                json!({"mode": "subset_headers", "subset_headers": {"stage": "x-s"}});
            add_filter(site, 1, moving("x-s", "envoy.lb", key));
        })
    };
    assert!(!subsets("stage"));
    assert!(subsets("other"));
}

#[test]
fn polls_need_the_cluster_and_the_paths_with_their_query() {
    let allowing =
        |allowed: Value| severity(BLOCKED, move |site| site["admin"]["allow_paths"] = allowed);
    assert_eq!(allowing(json!([{"prefix": "/"}])), None);
    assert_eq!(allowing(json!([])), None);
    assert_eq!(
        allowing(json!([{"exact": "/clusters"}, {"prefix": "/config_dump"}])),
        Some(Severity::Error)
    );
    // The metadata of hosts come from /config_dump.
    assert_eq!(
        allowing(json!([{"prefix": "/clusters"}])),
        Some(Severity::Error)
    );
    assert!(!flagged(BLOCKED, |site| {
        site["admin"]["allow_paths"] = json!([{"prefix": "/clusters"}]);
        filter(site)["subset_chain"] = json!([{"any": true}]);
    }));
    // An expression is not compiled here.
    assert_eq!(allowing(json!([{"safe_regex": {"regex": "/stats"}}])), None);
    assert!(flagged(BLOCKED, |site| {
        site["admin"]["allow_paths"] = json!([]);
        filter(site)["health"]["cluster"] = json!("gone");
    }));
    let elsewhere = |site: &mut Value| {
        filter(site)["health"]["cluster"] = json!("gone");
        site["dynamic_resources"] = json!({"cds_config": {"ads": {}}});
    };
    assert!(!flagged(BLOCKED, |site| {
        site["admin"]["allow_paths"] = json!([]);
        elsewhere(site);
    }));
    assert!(flagged(BLOCKED, |site| {
        site.as_object_mut().unwrap().remove("admin");
    }));
}

#[test]
fn a_route_follows_the_cluster_header_or_has_the_only_cluster() {
    assert_eq!(severity(CLUSTER, |_| {}), Some(Severity::Error));
    let action = |action: Value| flagged(CLUSTER, move |site| *route(site) = action);
    assert!(!action(json!({"cluster_header": "x-spillgate-cluster"})));
    assert!(action(json!({"cluster_header": "x-other"})));
    assert!(action(json!({"cluster": "c"})));
    assert!(!flagged(CLUSTER, |site| {
        *route(site) = json!({"cluster": "c"});
        let filter = filter(site).as_object_mut().unwrap();
        filter.remove("weighted");
        filter.insert("target".into(), json!("c"));
    }));
    // The conditions of routes and filter can agree.
    let by_request = |site: &mut Value| {
        let filter = filter(site).as_object_mut().unwrap();
        filter.remove("weighted");
        let targets = json!([{"match": {"prefix": "/"}, "cluster": "c"}, {"match": {"prefix": "/d"}, "cluster": "d"}]);
        filter.insert("targets".into(), targets);
    };
    assert!(flagged(CLUSTER, by_request));
    assert!(!flagged(CLUSTER, |site| {
        by_request(site);
        *route(site) = json!({"cluster": "c"});
    }));
}

#[test]
fn the_share_of_differing_draws_is_exact() {
    let findings = lint_json(&vector(CLUSTER));
    let finding = findings.iter().find(|finding| finding.rule == CLUSTER);
    let effect = &finding.unwrap().effect;
    // 90 % times 10 %, twice.
    assert!(effect.starts_with("18 % of the requests"), "{effect}");
}

#[test]
fn configured_health_is_a_fault_if_envoy_learns_of_failures() {
    assert!(flagged(STATIC, |_| {}));
    let without = |site: &mut Value| {
        let cluster = site["static_resources"]["clusters"][0].as_object_mut();
        cluster.unwrap().remove("health_checks");
    };
    assert!(!flagged(STATIC, without));
    assert!(flagged(STATIC, |site| {
        without(site);
        site["static_resources"]["clusters"][0]["outlier_detection"] =
            json!({"max_ejection_percent": 50});
    }));
    assert!(!flagged(STATIC, |site| {
        filter(site)["health"] = json!({"source": "admin", "cluster": "admin"});
    }));
}

#[test]
fn criteria_of_envoy_need_to_be_criteria_of_the_filter() {
    assert_eq!(severity(CRITERIA, |_| {}), Some(Severity::Error));
    assert!(!flagged(CRITERIA, |site| {
        filter(site)["criteria"] = json!([{"key": "stage", "value": "prod"}]);
    }));
    assert!(!flagged(CRITERIA, |site| {
        filter(site)["criteria"] = json!([{"route_metadata": true}]);
        let host = &mut manager(site)["route_config"]["virtual_hosts"][0];
        host["routes"][0]["metadata"] = json!({"filter_metadata": {"envoy.lb": {"stage": "prod"}}});
    }));
    // No host has the key, so the route selects nothing.
    assert!(!flagged(CRITERIA, |site| {
        route(site)["metadata_match"] = json!({"filter_metadata": {"envoy.lb": {"zone": "a"}}});
    }));
    assert!(flagged(CRITERIA, |site| {
        route(site)
            .as_object_mut()
            .unwrap()
            .remove("metadata_match");
        add_filter(site, 0, moving("x-stage", "envoy.lb", "stage"));
    }));
}

#[test]
fn filter_and_policy_of_the_module_are_one_file() {
    assert_eq!(
        rules(&lint_json(&vector("dynamic-module-status-unlisted"))),
        ["dynamic-module-status-unlisted"]
    );
    let other = vectors()
        .into_iter()
        .find(|vector| vector.name.starts_with("2-dynamic-module-policy-missing"));
    let mut site = other.unwrap().json().unwrap();
    assert_eq!(rules(&lint_json(&site)), [NO_POLICY]);
    let module = "/http_filters/0/typed_config/dynamic_module_config/name";
    *manager(&mut site).pointer_mut(module).unwrap() = json!("spillgate-fedcba9876543210");
    assert!(rules(&lint_json(&site)).is_empty());
}

/// The poller of the filter.
fn poller(site: &mut Value) -> &mut Value {
    &mut site["bootstrap_extensions"][0]["typed_config"]["config"]
}

#[test]
fn a_poller_of_all_workers_polls_every_cluster_in_the_same_virtual_machine() {
    let allowed = |site: &mut Value| site["admin"]["allow_paths"] = json!([]);
    let missing = |site: &mut Value| {
        allowed(site);
        site.as_object_mut().unwrap().remove("bootstrap_extensions");
    };
    assert!(!flagged(BLOCKED, allowed));
    assert_eq!(severity(BLOCKED, missing), Some(Severity::Warning));
    assert!(flagged(BLOCKED, |site| {
        allowed(site);
        poller(site)["vm_config"]["vm_id"] = json!("other");
    }));
    assert!(flagged(BLOCKED, |site| {
        allowed(site);
        poller(site)["configuration"]["value"]["poll"][0]["targets"] = json!(["d"]);
    }));
    assert!(!flagged(BLOCKED, |site| {
        missing(site);
        filter(site)["health"]["poller"] = json!("worker");
    }));
}

/// The dynamic module with sessions that stay on draining hosts.
fn keeping_draining(site: &mut Value) {
    let value = "/http_filters/0/typed_config/filter_config/value";
    let filter = manager(site).pointer_mut(value).unwrap();
    filter["affinity"] = json!({
        "cookie": {},
        "keys": [{"id": 1, "secret": "NY4nxqHmKQ0GyNRf2UlHp+2n2hVC5eXxPL5rX0ap8QU="}],
        "override_host_status": ["HEALTHY", "DRAINING"],
    });
}

#[test]
fn sessions_on_draining_hosts_need_the_bootstrap_extension_of_the_module() {
    let found = |module: Option<&str>| {
        let mut site = vector("dynamic-module-status-unlisted");
        keeping_draining(&mut site);
        if let Some(module) = module {
            site["bootstrap_extensions"] = json!([{"name": "spillgate", "typed_config": {
                "@type": format!("{TYPES}bootstrap.dynamic_modules.v3.DynamicModuleBootstrapExtension"),
                "dynamic_module_config": {"name": module}, "extension_name": "spillgate",
            }}]);
        }
        rules(&lint_json(&site)).contains(&"affinity-draining-moves")
    };
    assert!(found(None));
    assert!(found(Some("spillgate-0123456789abcdef")));
    assert!(!found(Some("spillgate")));
    // Without a bootstrap, nothing is known about its extensions.
    let mut site = vector("dynamic-module-status-unlisted");
    keeping_draining(&mut site);
    let resources = site["static_resources"].take();
    let list = [&resources["listeners"][0], &resources["clusters"][0]];
    assert!(!rules(&lint_json(&json!(list))).contains(&"affinity-draining-moves"));
}

/// A Wasm filter whose second attempts go to the next one of `c` and `d`.
fn leaving(site: &mut Value) {
    filter(site)["output"] = json!({"candidates": 2, "attempts_per_cluster": 1});
    *route(site) = json!({"cluster_header": "x-spillgate-cluster"});
    for (first, next) in [("c", "d"), ("d", "c")] {
        let composite = json!({
            "name": format!("{first},{next}"), "connect_timeout": "1s", "lb_policy": "CLUSTER_PROVIDED",
            "cluster_type": {"name": "envoy.clusters.composite", "typed_config": {
                "@type": format!("{TYPES}clusters.composite.v3.ClusterConfig"),
                "clusters": [{"name": first}, {"name": next}, {"name": next}],
            }},
        });
        clusters(site).push(composite);
    }
}

fn clusters(site: &mut Value) -> &mut Vec<Value> {
    site["static_resources"]["clusters"].as_array_mut().unwrap()
}

/// The members of the last composite cluster.
fn members(site: &mut Value) -> &mut Value {
    let last = clusters(site).last_mut().unwrap();
    &mut last["cluster_type"]["typed_config"]["clusters"]
}

#[test]
fn each_pair_of_clusters_has_a_composite_cluster_for_later_attempts() {
    assert!(!flagged(CLUSTER, leaving));
    assert_eq!(
        severity(CLUSTER, |site| {
            leaving(site);
            clusters(site).pop();
        }),
        Some(Severity::Error)
    );
    // A control plane can deliver it.
    assert!(!flagged(CLUSTER, |site| {
        leaving(site);
        clusters(site).pop();
        site["dynamic_resources"] = json!({"cds_config": {"ads": {}}});
    }));
    for wrong in [
        json!([{"name": "d"}]),
        json!([{"name": "c"}, {"name": "d"}]),
        json!([{"name": "d"}, {"name": "d"}, {"name": "c"}]),
        json!([{"name": "d"}, {"name": "c"}, {"name": "d"}]),
    ] {
        assert!(
            flagged(CLUSTER, |site| {
                leaving(site);
                *members(site) = wrong.clone();
            }),
            "{wrong}"
        );
    }
}

#[test]
fn the_lists_of_both_clusters_serve_retries() {
    let retries = |count: u32, members_of_last: usize| {
        let mut site = vector(CLUSTER);
        leaving(&mut site);
        filter(&mut site)["criteria"] = json!([{"key": "stage", "header": "x-stage"}]);
        filter(&mut site)["subset_chain"] = json!([{"keys": ["stage"]}]);
        let all = members(&mut site).as_array_mut().unwrap();
        all.resize(members_of_last, json!({"name": "c"}));
        route(&mut site)["retry_policy"] = json!({"retry_on": "5xx", "num_retries": count});
        rules(&lint_json(&site)).contains(&"steered-retries-exceed-list")
    };
    // One attempt in the first cluster, two in the next one.
    assert!(!retries(2, 3));
    assert!(retries(3, 3));
    assert!(retries(2, 2));
    assert!(!retries(1, 2));
}

#[test]
fn later_attempts_of_the_module_need_a_specifier_that_is_asked_again() {
    let found = |change: &dyn Fn(&mut Value)| {
        let mut site = vector("dynamic-module-status-unlisted");
        let value = "/http_filters/0/typed_config/filter_config/value";
        let filter = manager(&mut site).pointer_mut(value).unwrap();
        filter["clusters"] = json!([{"name": "c"}, {"name": "d"}]);
        filter["weighted"] = json!([{"cluster": "c", "weight": 1}, {"cluster": "d", "weight": 1}]);
        filter["output"] = json!({"candidates": 2, "attempts_per_cluster": 1});
        filter.as_object_mut().unwrap().remove("target");
        let mut other = clusters(&mut site)[0].clone();
        other["name"] = json!("d");
        other["load_assignment"]["cluster_name"] = json!("d");
        clusters(&mut site).push(other);
        *route(&mut site) = json!({
            "inline_cluster_specifier_plugin": {"extension": {"name": "s", "typed_config": {
                "@type": format!("{TYPES}router.cluster_specifiers.dynamic_modules.v3.DynamicModuleClusterSpecifier"),
                "dynamic_module_config": {"name": "spillgate"},
            }}},
            "retry_policy": {"retry_on": "5xx", "num_retries": 1, "refresh_cluster_on_retry": true},
        });
        change(&mut site);
        let findings = lint_json(&site);
        let mut found = findings.iter().filter(|finding| finding.rule == CLUSTER);
        found.next().map(|finding| finding.severity)
    };
    assert_eq!(found(&|_| {}), None);
    let not_asked = |site: &mut Value| {
        route(site)["retry_policy"]["refresh_cluster_on_retry"] = json!(false);
    };
    assert_eq!(found(&not_asked), Some(Severity::Warning));
    let without_retries = |site: &mut Value| {
        route(site).as_object_mut().unwrap().remove("retry_policy");
    };
    assert_eq!(found(&without_retries), None);
}

#[test]
fn a_target_is_unreachable_after_one_that_matches_all_of_its_requests() {
    let rest = json!({"prefix": "/"});
    let api = json!({"prefix": "/api"});
    let regex = json!({"safe_regex": {"regex": "/.*"}});
    for (first, second, unreachable) in [
        (&rest, &api, true),
        (&rest, &rest, true),
        (&api, &rest, false),
        // The filter rejects regular expressions.
        (&rest, &regex, false),
    ] {
        let target = |matcher: &Value| json!({"match": matcher, "cluster": "c"});
        let mut site = vector(STATIC);
        let filter = filter(&mut site).as_object_mut().unwrap();
        filter.remove("target");
        filter.insert("targets".into(), json!([target(first), target(second)]));
        let findings = lint_json(&site);
        let mut found = findings
            .iter()
            .filter(|one| one.rule == "route-unreachable");
        let cause = found.next().map(|one| one.cause.as_str());
        let expected = "targets[0] of the Spillgate filter matches every request of targets[1]";
        assert_eq!(cause, unreachable.then_some(expected), "{first}, {second}");
    }
}

#[test]
fn a_target_with_a_fraction_of_nothing_gets_no_request() {
    for (numerator, expected) in [
        (
            0,
            Some("targets[0] of the Spillgate filter has a runtime_fraction of 0"),
        ),
        // The filter rejects this one.
        (50, None),
        (100, None),
    ] {
        let fraction = json!({"default_value": {"numerator": numerator}});
        let mut site = vector(STATIC);
        let filter = filter(&mut site).as_object_mut().unwrap();
        filter.remove("target");
        let first = json!({"prefix": "/a", "runtime_fraction": fraction});
        filter.insert(
            "targets".into(),
            json!([{"match": first, "cluster": "c"}, {"match": {"prefix": "/"}, "cluster": "c"}]),
        );
        let findings = lint_json(&site);
        let mut found = findings.iter();
        let found = found.find(|one| one.rule == "route-unreachable");
        assert_eq!(found.map(|one| one.cause.as_str()), expected, "{numerator}");
    }
}
