//! Documents close to a fault.

use serde_json::{Value, json};

use super::{documents, lint_value, rules, vectors};

/// The vector of a rule, changed; whether the rule still reports a finding.
fn flagged(rule: &str, change: impl FnOnce(&mut Vec<Value>)) -> bool {
    flagged_by(rule, rule, change)
}

/// Whether a rule reports a finding in the changed vector of another one.
fn flagged_by(rule: &str, of: &str, change: impl FnOnce(&mut Vec<Value>)) -> bool {
    let name = format!("{of}.json");
    let vector = vectors("").into_iter().find(|vector| vector.name == name);
    let mut site = documents(&vector.unwrap().value);
    change(&mut site);
    rules(&lint_value(&Value::Array(site))).contains(&rule)
}

fn conf(site: &mut [Value]) -> &mut Value {
    site[0].pointer_mut("/spec/to/0/default").unwrap()
}

fn cross(site: &mut [Value]) -> &mut Value {
    &mut conf(site)["localityAwareness"]["crossZone"]
}

fn policy(site: &mut [Value]) -> &mut Value {
    &mut site[0]["spec"]["trafficPolicy"]
}

fn setting(site: &mut [Value]) -> &mut Value {
    &mut policy(site)["loadBalancer"]["localityLbSetting"]
}

#[test]
fn hashing_needs_tags_and_other_zones_to_fail() {
    let rule = "kuma-hash-cross-zone-weightless";
    assert!(flagged(rule, |_| {}));
    assert!(flagged(rule, |site| conf(site)["loadBalancer"] =
        json!({"type": "RingHash"})));
    assert!(!flagged(rule, |site| conf(site)["loadBalancer"] =
        json!({"type": "Random"})));
    assert!(!flagged(rule, |site| {
        conf(site)["localityAwareness"]["localZone"]["affinityTags"] = json!([]);
    }));
    assert!(!flagged(rule, |site| cross(site)["failover"] =
        json!([{"to": {"type": "None"}}])));
}

#[test]
fn the_hash_policy_of_the_mesh_applies_to_its_services() {
    let rule = "kuma-hash-cross-zone-weightless";
    let split = |other_mesh: bool| {
        move |site: &mut Vec<Value>| {
            let balancer = conf(site).as_object_mut().unwrap().remove("loadBalancer");
            let mesh = if other_mesh { "other" } else { "default" };
            site[0]["spec"]["to"][0]["targetRef"] = json!({"kind": "MeshService", "name": "shop"});
            site.push(json!({
                "type": "MeshLoadBalancingStrategy", "name": "hash", "mesh": mesh,
                "spec": {"to": [{"targetRef": {"kind": "Mesh"}, "default": {"loadBalancer": balancer}}]},
            }));
        }
    };
    assert!(flagged(rule, split(false)));
    assert!(!flagged(rule, split(true)));
}

/// A policy for the whole mesh.
fn for_the_mesh(name: &str, conf: Value) -> Value {
    json!({
        "type": "MeshLoadBalancingStrategy", "name": name, "mesh": "default",
        "spec": {"to": [{"targetRef": {"kind": "Mesh"}, "default": conf}]},
    })
}

#[test]
fn fields_of_a_block_come_from_several_policies() {
    let rule = "kuma-hash-cross-zone-weightless";
    let split = |of_mesh: bool| {
        move |site: &mut Vec<Value>| {
            site[0]["spec"]["to"][0]["targetRef"] = json!({"kind": "MeshService", "name": "shop"});
            let locality = conf(site)["localityAwareness"].as_object_mut().unwrap();
            let local = locality.remove("localZone").unwrap();
            if of_mesh {
                let conf = json!({"localityAwareness": {"localZone": local}});
                site.push(for_the_mesh("near", conf));
            }
        }
    };
    // The service has crossZone, and the affinity tags of the mesh.
    assert!(flagged(rule, split(true)));
    assert!(!flagged(rule, split(false)));
}

#[test]
fn the_strongest_policy_of_the_mesh_decides() {
    let rule = "kuma-hash-cross-zone-weightless";
    let split = |first: &'static str, second: &'static str| {
        move |site: &mut Vec<Value>| {
            conf(site).as_object_mut().unwrap().remove("loadBalancer");
            site[0]["spec"]["to"][0]["targetRef"] = json!({"kind": "MeshService", "name": "shop"});
            for (name, kind) in [("a", first), ("b", second)] {
                site.push(for_the_mesh(name, json!({"loadBalancer": {"type": kind}})));
            }
        }
    };
    // The alphabetically first name is the strongest.
    assert!(flagged(rule, split("Maglev", "RoundRobin")));
    assert!(!flagged(rule, split("RoundRobin", "Maglev")));
}

#[test]
fn exact_thresholds_are_kept() {
    for (percentage, expected) in [
        (json!(50), false),
        (json!("12.5"), false),
        (json!(100), false),
        (json!(51), true),
        (json!("33.3"), true),
        (json!(33.3), true),
    ] {
        let found = flagged("kuma-threshold-truncated", |site| {
            cross(site)["failoverThreshold"]["percentage"] = percentage.clone();
        });
        assert_eq!(found, expected, "{percentage}");
    }
}

#[test]
fn none_may_end_the_list_of_some_proxies() {
    let rule = "kuma-none-not-last";
    let rules = |list: Value| move |site: &mut Vec<Value>| cross(site)["failover"] = list;
    let none = json!({"from": {"zones": ["zone-1"]}, "to": {"type": "None"}});
    let any = |from: &str| json!({"from": {"zones": [from]}, "to": {"type": "Any"}});
    assert!(!flagged(rule, rules(json!([any("zone-1"), none]))));
    assert!(!flagged(rule, rules(json!([none, any("zone-2")]))));
    assert!(flagged(rule, rules(json!([none, any("zone-1")]))));
    assert!(!flagged(rule, rules(json!([none, none]))));
}

#[test]
fn any_for_other_proxies_takes_no_zone() {
    let rule = "kuma-rule-after-any";
    assert!(!flagged(rule, |site| {
        cross(site)["failover"][0]["from"] = json!({"zones": ["zone-1"]});
    }));
    assert!(!flagged(rule, |site| {
        cross(site)["failover"][0]["to"] = json!({"type": "AnyExcept", "zones": ["zone-2"]});
    }));
    assert!(!flagged("kuma-zone-taken", |site| {
        cross(site)["failover"][1]["to"]["zones"] = json!(["zone-3"]);
    }));
}

#[test]
fn blocks_that_say_something_are_not_empty() {
    let rule = "kuma-empty-block";
    for block in [
        json!({"disabled": true}),
        json!({"localZone": {}}),
        json!({"crossZone": {}}),
    ] {
        assert!(!flagged(rule, |site| conf(site)["localityAwareness"] = block));
    }
    assert!(!flagged("kuma-disabled-with-rules", |site| {
        conf(site)["localityAwareness"]["disabled"] = json!(false);
    }));
}

#[test]
fn zones_and_tags_need_endpoints_to_compare_with() {
    let only_policy = |site: &mut Vec<Value>| site.truncate(1);
    assert!(!flagged("kuma-zone-no-endpoint", only_policy));
    assert!(!flagged("kuma-tag-no-endpoint", only_policy));
    // The Dataplanes of one zone do not show the others.
    assert!(!flagged("kuma-zone-no-endpoint", |site| site.truncate(2)));
    assert!(!flagged("kuma-tag-no-endpoint", |site| {
        site[1]["labels"] = json!({"k8s.io/nod": "n"});
    }));
    assert!(!flagged("kuma-own-zone", |site| {
        cross(site)["failover"][0]["to"]["zones"] = json!(["zone-1", "zone-2"]);
    }));
}

#[test]
fn weights_up_to_the_maximum_are_allowed() {
    assert!(!flagged("kuma-weight-overflow", |site| {
        let tags = json!([{"key": "a", "weight": 4_294_967_294_u32}]);
        conf(site)["localityAwareness"]["localZone"]["affinityTags"] = tags;
    }));
    assert!(!flagged("kuma-random-ignores-weights", |site| {
        site[3]["availableServices"][0]["instances"] = json!(2);
    }));
}

#[test]
fn a_part_of_a_mesh_does_not_show_its_health_checks() {
    let rule = "kuma-failover-no-health-signal";
    assert!(!flagged(rule, |site| site.truncate(1)));
    assert!(!flagged(rule, |site| {
        site.push(json!({"type": "MeshCircuitBreaker", "name": "breaker", "mesh": "default"}));
    }));
}

#[test]
fn rules_for_all_proxies_leave_no_gap() {
    assert!(!flagged("kuma-priority-gap", |site| {
        cross(site)["failover"].as_array_mut().unwrap().reverse();
        cross(site)["failover"][1] = json!({"to": {"type": "Any"}});
        cross(site)["failover"][0] = json!({"to": {"type": "Only", "zones": ["zone-2"]}});
    }));
}

#[test]
fn distribute_to_several_zones_survives_one() {
    let rule = "istio-distribute-no-failover";
    assert!(!flagged(rule, |site| {
        setting(site)["distribute"][0]["to"] = json!({"eu/a/*": 99, "eu/b/*": 1});
    }));
    assert!(!flagged(
        rule,
        |site| setting(site)["distribute"][0]["to"] = json!({"*": 100})
    ));
    assert!(!flagged(
        rule,
        |site| setting(site)["distribute"][0]["to"] = json!({"eu/*": 100})
    ));
    assert!(!flagged(rule, |site| setting(site)["enabled"] = json!(false)));
}

#[test]
fn outlier_detection_with_a_stated_setting_is_intended() {
    let rule = "istio-outlier-enables-failover";
    for enabled in [true, false] {
        assert!(!flagged(rule, |site| {
            policy(site)["loadBalancer"] = json!({"localityLbSetting": {"enabled": enabled}});
        }));
    }
    assert!(flagged(rule, |site| {
        policy(site)["loadBalancer"] = json!({"simple": "ROUND_ROBIN"});
    }));
    assert!(!flagged(rule, |site| {
        site.push(json!({"localityLbSetting": {"enabled": true}, "rootNamespace": "istio-system"}));
    }));
    assert!(flagged(rule, |site| site
        .push(json!({"rootNamespace": "istio-system"}))));
}

#[test]
fn the_traffic_distribution_of_a_service_states_the_intent() {
    let rule = "istio-outlier-enables-failover";
    let with_service = |distribution: Option<&'static str>| {
        move |site: &mut Vec<Value>| {
            let mut spec = json!({
                "selector": {"app": "shop"}, "ports": [{"port": 80, "targetPort": 8080}],
            });
            if let Some(distribution) = distribution {
                spec["trafficDistribution"] = json!(distribution);
            }
            site.push(json!({"apiVersion": "v1", "kind": "Service",
                "metadata": {"name": "shop", "namespace": "default"}, "spec": spec}));
            for (number, zone) in ["a", "b"].iter().enumerate() {
                site.push(json!({
                    "apiVersion": "v1", "kind": "Pod",
                    "metadata": {"name": format!("shop-{zone}"), "namespace": "default",
                        "labels": {"app": "shop", "istio-locality": format!("eu/{zone}")}},
                    "spec": {"containers": [{"name": "c", "ports": [{"containerPort": 8080}]}]},
                    "status": {"podIP": format!("10.0.0.{number}"), "phase": "Running",
                        "conditions": [{"type": "Ready", "status": "True"}]},
                }));
            }
        }
    };
    assert!(flagged(rule, with_service(None)));
    assert!(!flagged(rule, with_service(Some("PreferClose"))));
}

#[test]
fn subsets_inherit_outlier_detection_and_ports_do_not() {
    let rule = "istio-failover-no-outlier-detection";
    assert!(!flagged(rule, |site| policy(site)["outlierDetection"] = json!({})));
    let subset = |site: &mut Vec<Value>| {
        let moved = policy(site)["loadBalancer"].take();
        *policy(site) = json!({"outlierDetection": {}});
        site[0]["spec"]["subsets"] =
            json!([{"name": "v1", "trafficPolicy": {"loadBalancer": moved}}]);
    };
    assert!(!flagged(rule, subset));
    assert!(flagged(rule, |site| {
        let moved = policy(site)["loadBalancer"].take();
        *policy(site) = json!({
            "outlierDetection": {},
            "portLevelSettings": [{"port": {"number": 80}, "loadBalancer": moved}],
        });
    }));
}

#[test]
fn settings_that_every_port_replaces_are_not_in_force() {
    let with_ports = |replaced: Vec<u16>| {
        move |site: &mut Vec<Value>| {
            let ports = replaced.iter().map(
                |port| json!({"port": {"number": port}, "loadBalancer": {"simple": "ROUND_ROBIN"}}),
            );
            policy(site)["portLevelSettings"] = ports.collect();
            let endpoint =
                |address: &str, locality: &str| json!({"address": address, "locality": locality});
            site.push(json!({
                "apiVersion": "networking.istio.io/v1",
                "kind": "ServiceEntry",
                "metadata": {"name": "shop", "namespace": "default"},
                "spec": {
                    "hosts": ["shop.default.svc.cluster.local"],
                    "resolution": "STATIC",
                    "ports": [{"number": 80, "name": "http", "protocol": "HTTP"}],
                    "endpoints": [endpoint("10.0.0.1", "eu/a"), endpoint("10.0.0.2", "us/b")],
                },
            }));
        }
    };
    for rule in [
        "istio-failover-no-outlier-detection",
        "istio-outlier-enables-failover",
    ] {
        assert!(flagged(rule, with_ports(vec![81])), "{rule}");
        assert!(!flagged(rule, with_ports(vec![80])), "{rule}");
    }
}

#[test]
fn unknown_names_need_endpoints_to_compare_with() {
    for rule in [
        "istio-share-no-endpoint",
        "istio-failover-no-endpoint",
        "istio-label-no-endpoint",
    ] {
        assert!(flagged(rule, |_| {}), "{rule}");
        assert!(!flagged(rule, |site| site.truncate(1)), "{rule}");
        // The endpoints of another service do not count.
        assert!(
            !flagged(rule, |site| site[0]["spec"]["host"] = json!("other")),
            "{rule}"
        );
        assert!(
            flagged(rule, |site| site[0]["spec"]["host"] = json!("shop")),
            "{rule}"
        );
        let wildcard = json!("*.svc.cluster.local");
        assert!(
            flagged(rule, |site| site[0]["spec"]["host"] = wildcard),
            "{rule}"
        );
    }
    assert!(!flagged("istio-random-ignores-weights", |site| {
        site[1]["spec"]["endpoints"][0]["weight"] = json!(1);
    }));
}

#[test]
fn a_rule_needs_services_to_compare_with() {
    let rule = "istio-rule-no-service";
    let host =
        |host: &'static str| move |site: &mut Vec<Value>| site[0]["spec"]["host"] = json!(host);
    assert!(flagged(rule, host("shop.platform.svc.cluster.local")));
    assert!(flagged(rule, host("*.example.com")));
    // Istio completes only names without dots.
    assert!(flagged(rule, host("shop.default")));
    for known in [
        "shop",
        "shop.default.svc.cluster.local",
        "*.default.svc.cluster.local",
        "*",
    ] {
        assert!(!flagged(rule, host(known)), "{known}");
    }
    assert!(!flagged(rule, |site| site.truncate(1)));
    // An endpoint without a service is one of every host.
    assert!(!flagged(rule, |site| {
        site.truncate(1);
        site.push(json!({"address": "10.0.0.1:80", "locality": "eu/a"}));
    }));
}

#[test]
fn a_rule_without_a_target_has_no_other_finding() {
    for name in ["istio-rule-no-service.json", "istio-rule-no-proxy.json"] {
        let vector = vectors("")
            .into_iter()
            .find(|vector| vector.name == name)
            .unwrap();
        let rule = vector.rule.as_str();
        assert_eq!(rules(&lint_value(&vector.value)), [rule]);
    }
}

#[test]
fn a_rule_is_used_by_proxies_of_its_own_namespace() {
    let rule = "istio-rule-no-proxy";
    assert!(flagged(rule, |_| {}));
    let client = |namespace: &'static str| {
        move |site: &mut Vec<Value>| {
            site.push(json!({"name": "c", "namespace": namespace, "locality": "eu/a"}));
        }
    };
    assert!(!flagged(rule, client("platform")));
    assert!(flagged(rule, client("clients")));
    for namespace in ["default", "istio-system"] {
        assert!(!flagged(rule, |site| {
            site[0]["metadata"]["namespace"] = json!(namespace);
        }));
        assert!(flagged(rule, |site| {
            site[0]["metadata"]["namespace"] = json!(namespace);
            site[0]["spec"]["exportTo"] = json!(["platform"]);
        }));
    }
    // The clients may be elsewhere.
    assert!(!flagged(rule, |site| site.truncate(2)));
    // A rule for another host applies instead.
    assert!(!flagged(rule, |site| {
        let mut own = site[0].clone();
        own["metadata"]["namespace"] = json!("default");
        site[0]["metadata"]["namespace"] = json!("default");
        site[0]["spec"]["host"] = json!("*.svc.cluster.local");
        site.push(own);
    }));
}

#[test]
fn a_rule_of_a_host_replaces_the_distribute_of_the_mesh() {
    let rule = "istio-distribute-unlocated";
    let own = |setting: Value| {
        move |site: &mut Vec<Value>| {
            let policy = json!({"loadBalancer": {"localityLbSetting": setting}});
            site.push(json!({
                "apiVersion": "networking.istio.io/v1", "kind": "DestinationRule",
                "metadata": {"name": "bank", "namespace": "default"},
                "spec": {"host": "bank.example", "trafficPolicy": policy},
            }));
        }
    };
    assert!(flagged(rule, |_| {}));
    assert!(!flagged(rule, own(json!({"enabled": false}))));
    // No service is left for the setting of the mesh.
    let other = "istio-distribute-no-failover";
    let to_one_zone = |site: &mut Vec<Value>| {
        site[0]["localityLbSetting"]["distribute"] = json!([{"from": "eu/*", "to": {"eu/a": 100}}]);
        own(json!({"enabled": false}))(site);
    };
    assert!(!flagged_by(other, rule, to_one_zone));
    assert!(!flagged(rule, |site| {
        site[0]["localityLbSetting"]["distribute"] = json!([{"from": "eu/*", "to": {"*": 100}}]);
    }));
    assert!(!flagged(rule, |site| site[1]["spec"]["resolution"] = json!("NONE")));
}

#[test]
fn a_node_that_the_input_lacks_has_an_unknown_locality() {
    let with = |node: bool| {
        move |site: &mut Vec<Value>| {
            let service = json!({"apiVersion": "v1", "kind": "Service",
                "metadata": {"name": "shop", "namespace": "default"},
                "spec": {"selector": {"app": "shop"}, "ports": [{"port": 80}]}});
            site[1] = service;
            site.push(json!({"apiVersion": "v1", "kind": "Pod",
                "metadata": {"name": "shop-1", "namespace": "default", "labels": {"app": "shop"}},
                "spec": {"nodeName": "n1"}, "status": {"podIP": "10.0.0.1"}}));
            if node {
                site.push(json!({"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n1"}}));
            }
        }
    };
    assert!(flagged("istio-distribute-unlocated", with(true)));
    assert!(!flagged("istio-distribute-unlocated", with(false)));
}

#[test]
fn entries_for_all_localities_leave_no_proxy_out() {
    let rule = "istio-distribute-no-entry";
    let from = |from: &'static str| {
        move |site: &mut Vec<Value>| setting(site)["distribute"][0]["from"] = json!(from)
    };
    assert!(flagged(rule, from("eu/*")));
    assert!(!flagged(rule, from("*")));
    // A single locality gets everything anyway.
    assert!(!flagged(rule, |site| {
        site[1]["spec"]["endpoints"] = json!([{"address": "10.0.0.1", "locality": "us/a"}]);
    }));
    let rule = "istio-from-no-proxy";
    assert!(!flagged(rule, |site| site
        .push(json!({"name": "edge", "locality": "asia/a"}))));
    assert!(!flagged(rule, |site| site.truncate(1)));
}

#[test]
fn a_cap_matters_if_a_priority_cannot_be_emptied() {
    let rule = "istio-outlier-cap-prevents-failover";
    let limit = |limit: Value| {
        move |site: &mut Vec<Value>| policy(site)["outlierDetection"]["maxEjectionPercent"] = limit
    };
    for (percent, expected) in [(0, true), (20, true), (49, true), (50, false), (100, false)] {
        assert_eq!(flagged(rule, limit(json!(percent))), expected, "{percent}");
    }
    let without = |site: &mut Vec<Value>| {
        let detection = &mut policy(site)["outlierDetection"];
        detection
            .as_object_mut()
            .unwrap()
            .remove("maxEjectionPercent");
    };
    assert!(flagged(rule, without));
    // Nothing asks for failover.
    assert!(!flagged(rule, |site| {
        without(site);
        *policy(site) = json!({"outlierDetection": {}});
    }));
    assert!(!flagged(rule, |site| setting(site)["enabled"] = json!(false)));
    assert!(!flagged(rule, |site| {
        *setting(site) = json!({"distribute": [{"from": "*", "to": {"eu/*": 50, "us/*": 50}}]});
    }));
    assert!(!flagged(rule, |site| {
        policy(site)["outlierDetection"]["consecutive5xxErrors"] = json!(0);
    }));
    let one_locality = |site: &mut Vec<Value>| {
        for endpoint in site[1]["spec"]["endpoints"].as_array_mut().unwrap() {
            endpoint["locality"] = json!("eu/a");
        }
    };
    assert!(!flagged(rule, one_locality));
}

#[test]
fn a_policy_for_a_service_needs_services_of_its_kind() {
    let rule = "kuma-target-no-destination";
    let target =
        |target: Value| move |site: &mut Vec<Value>| site[0]["spec"]["to"][0]["targetRef"] = target;
    assert!(!flagged(
        rule,
        target(json!({"kind": "MeshService", "name": "shop"}))
    ));
    assert!(!flagged(
        rule,
        target(json!({"kind": "MeshMultiZoneService", "name": "shpo"}))
    ));
    assert!(!flagged(rule, target(json!({"kind": "Mesh"}))));
    assert!(!flagged(rule, |site| site.truncate(1)));
}

#[test]
fn the_effects_of_mesh_rules_have_figures() {
    let effect = |name: &str| {
        let vector = vectors("")
            .into_iter()
            .find(|vector| vector.name == name)
            .unwrap();
        let findings = lint_value(&vector.value).into_iter();
        let mut own = findings.filter(|found| found.finding.rule == vector.rule);
        own.next().unwrap().finding.effect
    };
    for (name, expected) in [
        (
            "istio-outlier-cap-prevents-failover.json",
            "if all 5 hosts of priority 0 fail, 84 % of requests from \"eu/a\" stay on failed hosts",
        ),
        (
            "istio-distribute-no-entry.json",
            "they use all localities and never fail over: for \"shop.default.svc.cluster.local\", 33.3 % to \
             \"eu/a\", 33.3 % to \"eu/b\", 33.3 % to \"us/a\"",
        ),
        (
            "istio-distribute-unlocated.json",
            "requests from \"eu/*\" to \"bank.example\" get 503",
        ),
    ] {
        assert_eq!(effect(name), expected);
    }
}
