//! The filter's configuration: accepted and rejected configurations, with messages.

use std::time::Duration;

use crate::common::builders::{aggregate, cluster, good, schema, with};
use proptest::prelude::*;
use serde_json::{Value, json};
use spillgate_config::filter::{FilterConfig, TargetConfig, VariableKeys, read, read_native};
use spillgate_core::{model::ClusterKind, route::HeaderList};

/// A legal configuration; the schema accepts it too.
fn config(value: &Value) -> FilterConfig {
    crate::common::builders::assert_fits(&schema("filter"), value);
    read(&value.to_string()).unwrap()
}

/// The faults without positions, which depend on the layout of the JSON.
fn faults(value: &Value) -> Vec<String> {
    read(&value.to_string())
        .unwrap_err()
        .iter()
        .map(ToString::to_string)
        .collect()
}

#[test]
fn a_whole_configuration() {
    let config = config(&good());
    assert_eq!(config.model.clusters().len(), 3);
    assert_eq!(config.target, TargetConfig::Always("shop".into()));
    assert_eq!(config.hash_policies.len(), 1);
    assert_eq!(config.output.candidates, 5);
    assert_eq!(config.output.host_header, "x-spillgate-host");
    assert_eq!(config.output.cluster_header, "x-spillgate-cluster");
    assert_eq!(config.reserved_headers, ["x-gateway-destination-endpoint"]);
    assert_eq!(config.tick, Duration::from_millis(250));
    let trace = config.trace.unwrap();
    assert_eq!(trace.header, "x-spillgate-trace");
    assert_eq!(
        (trace.when.header.as_str(), trace.when.value.as_str()),
        ("x-debug", "a trace's secret")
    );
    assert!(trace.steps);
    assert!(!format!("{trace:?}").contains("secret"));
    assert_eq!(config.warnings, []);
}

#[test]
fn defaults() {
    let small = json!({"clusters": [cluster("c", "10.0.0.1")], "target": "c"});
    let config = config(&small);
    assert_eq!(config.tick, Duration::from_millis(100));
    assert_eq!(config.output.candidates, 3);
    assert!(config.trace.is_none());
    assert!(config.hash_policies.is_empty());
}

#[test]
fn targets_by_route() {
    let mut value = with("target", Value::Null);
    value["targets"] = json!([
        {"match": {"path_separated_prefix": "/first"}, "cluster": "shop-primary"},
        {"match": {"prefix": "/"}, "cluster": "shop-secondary"},
    ]);
    let config = config(&value);
    let TargetConfig::FirstMatch(rules) = &config.target else {
        panic!("targets are rules: {:?}", config.target);
    };
    assert_eq!(rules.len(), 2);
    for (path, expected) in [("/first/x", "shop-primary"), ("/firsts", "shop-secondary")] {
        let headers = HeaderList(&[(":path", path)]);
        let rule = rules
            .iter()
            .find(|rule| rule.matches.iter().any(|m| m.matches(&headers)));
        assert_eq!(rule.map(|rule| rule.cluster.as_str()), Some(expected));
    }
}

#[test]
fn one_fault_at_a_time() {
    let c = |change: Value| {
        let mut cluster = cluster("c", "10.0.0.1");
        for (name, value) in change.as_object().unwrap() {
            cluster[name] = value.clone();
        }
        json!({"clusters": [cluster], "target": "c"})
    };
    let weights = |weights: &[u64]| {
        let endpoints: Vec<Value> = weights
            .iter()
            .map(|weight| json!({"endpoint": {"address": {"socket_address": {"address": "10.0.0.1", "port_value": 1}}}, "load_balancing_weight": weight}))
            .collect();
        c(
            json!({"load_assignment": {"cluster_name": "c", "endpoints": [{"lb_endpoints": endpoints}]}}),
        )
    };
    let missing_member =
        json!({"clusters": [cluster("c", "10.0.0.1"), aggregate("a", &["c", "d"])], "target": "a"});
    let cycle =
        json!({"clusters": [aggregate("a", &["b"]), aggregate("b", &["a"])], "target": "a"});
    let rows: Vec<(Value, &str)> = vec![
        (
            with("target", json!("shp")),
            "config/unknown-cluster: target: unknown cluster; found \"shp\" (did you mean shop?)",
        ),
        (
            with("target", Value::Null),
            "config/missing: target: required field is missing; expected a cluster name, or targets, or weighted",
        ),
        (
            with(
                "targets",
                json!([{"match": {"prefix": "/"}, "cluster": "shop"}]),
            ),
            "config/one-of: targets: target and targets are mutually exclusive",
        ),
        (
            with("tagret", json!("shop")),
            "config/unknown-field: tagret: unknown field in the filter's configuration (did you mean target?)",
        ),
        (
            with("tick", json!("0s")),
            "config/value: tick: out of range; found \"0s\", expected at least \"1ms\"",
        ),
        (
            with("tick", json!(5)),
            "config/type: tick: wrong type; found 5, expected a duration such as \"0.25s\" or \"250ms\"",
        ),
        (
            with("health", json!({"source": "admin"})),
            "config/missing: health.cluster: required field is missing",
        ),
        (
            with("health", json!({"interval": "1s"})),
            "config/one-of: health.interval: requires source: admin; found \"1s\"",
        ),
        (
            with(
                "health",
                json!({"source": "admin", "cluster": "a", "interval": "49ms"}),
            ),
            "config/value: health.interval: out of range; found \"49ms\", expected at least \"50ms\"",
        ),
        (
            with(
                "health",
                json!({"source": "admin", "cluster": "a", "stale_after": "1s"}),
            ),
            "config/value: health.stale_after: stale_after must exceed interval; found \"1s\", expected more than the interval",
        ),
        (
            with("least_request", json!({"source": "admin"})),
            "config/one-of: least_request.source: admin requires health.source: admin; found \"admin\", expected health.source: admin",
        ),
        (
            with("output", json!({"mode": "subset_headers"})),
            "config/one-of: output.subset_headers: mode subset_headers requires a header for each key",
        ),
        (
            with("output", json!({"subset_headers": {"stage": "x-stage"}})),
            "config/one-of: output.subset_headers: requires mode: subset_headers; found an object with \"stage\"",
        ),
        (
            with("criteria", json!([{"key": "stage"}])),
            "config/missing: criteria[0]: criterion without a value; expected {key, value}, {key, header} or {route_metadata: true}",
        ),
        (
            with(
                "criteria",
                json!([{"key": "stage", "value": 1, "header": "x"}]),
            ),
            "config/one-of: criteria[0].header: value and header are mutually exclusive",
        ),
        (
            with("subset_chain", json!([{"min_healthy_hosts": 1}])),
            "config/missing: subset_chain[0]: step without hosts; expected keys, match or any: true",
        ),
        (
            with("subset_chain", json!([{"keys": ["a"], "any": true}])),
            "config/one-of: subset_chain[0].any: keys and any are mutually exclusive",
        ),
        (
            with("subset_chain", json!([{"keys": []}])),
            "config/value: subset_chain[0].keys: step without keys; found a list of 0, expected at least one key",
        ),
        (
            with(
                "subset_chain",
                json!([{"keys": ["a"], "min_healthy_percent": 101}]),
            ),
            "config/value: subset_chain[0].min_healthy_percent: out of range; found 101, expected an integer from 0 to 100",
        ),
        (
            with(
                "subset_chain",
                json!([{"keys": ["a"], "last_resort": true}, {"any": true}]),
            ),
            "config/value: subset_chain[0].last_resort: last_resort is allowed only in the last step; found true",
        ),
        (
            with("weighted", json!([{"cluster": "shop", "weight": 1}])),
            "config/one-of: weighted: target and weighted are mutually exclusive",
        ),
        (
            with("access_log", json!({"percent": 101})),
            "config/value: access_log.percent: out of range; found 101, expected a number from 0 to 100",
        ),
        (
            with("output", json!({"candidates": 0})),
            "config/value: output.candidates: out of range; found 0, expected an integer from 1 to 32",
        ),
        (
            with("output", json!({"host_header": "x y"})),
            "config/header-name: output.host_header: invalid header name; found \"x y\", expected letters, digits and -",
        ),
        (
            with("output", json!({"host_header": "X-Spillgate-Cluster"})),
            "config/header-name: output: header has two purposes; found \"x-spillgate-cluster\", expected different names in output, trace.header, trace.when.header and affinity",
        ),
        (
            with("reserved_headers", json!([":path"])),
            "config/header-name: reserved_headers: invalid header name; found \":path\", expected letters, digits and -",
        ),
        (
            with("trace", json!({})),
            "config/missing: trace.when: trace without a secret; expected {header, value}",
        ),
        (
            with(
                "trace",
                json!({"when": {"header": "x-a", "value": "fifteen letters"}}),
            ),
            "config/value: trace.when.value: secret is too short; expected at least 16 characters",
        ),
        (
            with(
                "trace",
                json!({"header": "x-t", "when": {"header": "X-Spillgate-Host", "value": "0123456789abcdef"}}),
            ),
            "config/header-name: trace: header has two purposes; found \"x-spillgate-host\", expected different names in output, trace.header, trace.when.header and affinity",
        ),
        (
            with(
                "hash_policy",
                json!([{"cookie": {"name": "u", "ttl": "1s"}}]),
            ),
            "config/hash-policy-not-modeled: hash_policy[0].cookie.ttl: a hash policy with ttl is not supported by this version",
        ),
        (
            with("cluster_choice", json!("sticky")),
            "config/unknown-value: cluster_choice: unknown value; found \"sticky\", expected one of random, hash",
        ),
        (
            missing_member,
            "config/unknown-cluster: clusters[1].cluster_type.typed_config.clusters: unknown cluster; Envoy silently skips this member; found \"d\"",
        ),
        (
            cycle,
            "config/aggregate-cycle: clusters[0]: clusters form a cycle: a -> b -> a",
        ),
        (
            c(json!({"load_assignment": {"cluster_name": "c"}})),
            "config/no-endpoints: clusters[0]: cluster \"c\" has no endpoints; its requests get 503",
        ),
        (
            c(json!({"maglev_lb_config": {"table_size": 65536}})),
            "config/table-size: clusters[0].maglev_lb_config.table_size: table_size is not prime; found 65536, expected a prime number, such as 65537",
        ),
        (
            weights(&[0]),
            "config/value: clusters[0].load_assignment.endpoints[0].lb_endpoints[0].load_balancing_weight: out of range; found 0, expected an integer from 1 to 4294967295",
        ),
        (
            weights(&[1 << 32]),
            "config/value: clusters[0].load_assignment.endpoints[0].lb_endpoints[0].load_balancing_weight: out of range; found 4294967296, expected an integer from 1 to 4294967295",
        ),
        (
            weights(&[u64::from(u32::MAX), 1]),
            "config/weight-sum: clusters[0].load_assignment.endpoints: sum of endpoint weights in priority 0 is too large; found 4294967296, expected at most 4294967295",
        ),
        (
            json!({"target": "c", "clusters": []}),
            "config/unknown-cluster: target: unknown cluster; found \"c\"",
        ),
        (
            json!([1]),
            "config/type: wrong type; expected an object (the filter's configuration)",
        ),
    ];
    for (value, expected) in rows {
        assert_eq!(faults(&value), [expected], "{value}");
    }
}

/// A configuration with subsets in both clusters, and these fields.
fn subsets(config: Value, fallback: &str, keys: Value) -> Value {
    let mut with_subsets = config;
    for at in [0, 1] {
        with_subsets["clusters"][at]["lb_subset_config"] =
            json!({"fallback_policy": fallback, "subset_selectors": [{"keys": keys}]});
    }
    with_subsets
}

fn selecting(criteria: Value, chain: Value) -> Value {
    let mut value = with("criteria", criteria);
    value["subset_chain"] = chain;
    value
}

#[test]
fn restrictions_that_can_never_act_are_refused() {
    let tenant = || json!([{"key": "tenant", "header": "x-tenant"}]);
    let route = || json!([{"route_metadata": true}]);
    let in_dev = json!({"filter_metadata": {"envoy.lb": {"stage": "dev"}}});
    let restricts_nothing = |field: &str, key: &str, cluster: &str| {
        format!(
            "config/no-effect: {field}: criterion restricts nothing; found \"{key}\", \
             expected subset_chain, or lb_subset_config for it in cluster {cluster}"
        )
    };
    let by_tenant = |cluster: &str| restricts_nothing("criteria", "tenant", cluster);
    let mut one_cluster = subsets(with("criteria", tenant()), "NO_FALLBACK", json!(["tenant"]));
    one_cluster["clusters"][1]
        .as_object_mut()
        .unwrap()
        .remove("lb_subset_config");
    let mut both = selecting(tenant(), json!([{"keys": ["tenant"]}]));
    both["clusters"][0]["lb_subset_config"] = json!({"subset_selectors": [{"keys": ["tenant"]}]});
    let mut unwritten = with("criteria", tenant());
    unwritten["output"] = json!({"mode": "subset_headers", "subset_headers":
        {"tenant": "x-t", "stage": "x-s"}});
    let mut no_hash = with("hash_policy", Value::Null);
    no_hash["cluster_choice"] = json!("hash");
    for (value, fault) in [
        (with("criteria", tenant()), by_tenant("shop-primary")),
        (
            with("criteria", route()),
            restricts_nothing("criteria", "route_metadata", "shop-primary"),
        ),
        (one_cluster, by_tenant("shop-secondary")),
        (
            with("metadata_match", in_dev),
            restricts_nothing("metadata_match", "stage", "shop-primary"),
        ),
        (
            subsets(with("criteria", tenant()), "ANY_ENDPOINT", json!(["stage"])),
            by_tenant("shop-primary"),
        ),
        (
            selecting(tenant(), json!([{"any": true}])),
            "config/no-effect: criteria: criterion restricts nothing; found \"tenant\", \
             expected a step of subset_chain with this key in keys".to_owned(),
        ),
        (
            selecting(route(), json!([{"match": {"stage": "dev"}}])),
            "config/no-effect: criteria: criterion restricts nothing; found \"route_metadata\", \
             expected a step of subset_chain with this key in keys".to_owned(),
        ),
        (
            selecting(tenant(), json!([{"keys": ["tenant", "stage"]}])),
            "config/no-effect: subset_chain[0]: every request skips the step; found \"stage\", \
             expected a criterion with this key, or {route_metadata: true}".to_owned(),
        ),
        (
            selecting(tenant(), json!([{"any": true}, {"keys": ["tenant"]}])),
            "config/no-effect: subset_chain[1]: an earlier step serves whenever this one would; \
             expected fewer hosts or lower minimums than in the steps before".to_owned(),
        ),
        (
            both,
            "config/no-effect: clusters: lb_subset_config has no effect with subset_chain; \
             found \"shop-primary\", expected one of the two".to_owned(),
        ),
        (
            unwritten,
            "config/no-effect: output: header of a key that is never written; found \"stage\", \
             expected a criterion with this key; with subset_chain, a step with it".to_owned(),
        ),
        (
            no_hash,
            "config/no-effect: cluster_choice: no request has a hash; found \"hash\", \
             expected hash_policy or affinity".to_owned(),
        ),
        (
            with("access_log", json!({"percent": 0.00001})),
            "config/value: access_log.percent: out of range; found 0.00001, expected 0, or at least 0.0001".to_owned(),
        ),
    ] {
        let found = faults(&value);
        assert_eq!(found.first(), Some(&fault), "{found:#?}");
    }
}

#[test]
fn restrictions_that_act_for_some_requests_are_accepted() {
    let tenant = || json!([{"key": "tenant", "header": "x-tenant"}]);
    let keys = || json!([{"keys": ["tenant"]}, {"any": true}]);
    let mut session = selecting(
        json!([{"key": "stage", "value": "dev"}, {"key": "tenant", "header": "x-tenant"}]),
        keys(),
    );
    session["affinity"] = crate::common::builders::sessions(json!({}));
    let mut unreached = with("criteria", tenant());
    unreached["clusters"][0]["lb_subset_config"] =
        json!({"subset_selectors": [{"keys": ["tenant"]}]});
    unreached["target"] = json!("shop-primary");
    for value in [
        selecting(tenant(), keys()),
        selecting(json!([{"route_metadata": true}]), keys()),
        selecting(
            tenant(),
            json!([{"any": true, "min_healthy_percent": 50}, {"keys": ["tenant"]}]),
        ),
        // Without a fallback, the requests get 503, which no one overlooks.
        subsets(with("criteria", tenant()), "NO_FALLBACK", json!(["stage"])),
        // A session is bound to all criteria.
        session,
        // No request reaches the cluster without subsets.
        unreached,
    ] {
        assert_eq!(config(&value).warnings, []);
    }
}

#[test]
fn route_metadata_for_one_of_two_clusters_is_a_warning() {
    let route = json!([{"route_metadata": true}]);
    let mut value = subsets(with("criteria", route), "NO_FALLBACK", json!(["tenant"]));
    value["clusters"][1]
        .as_object_mut()
        .unwrap()
        .remove("lb_subset_config");
    let warnings = config(&value).warnings;
    let [warning] = warnings.as_slice() else {
        panic!("{warnings:?}");
    };
    assert!(
        warning.to_string().contains("in cluster shop-secondary"),
        "{warning}"
    );
}

#[test]
fn constants_that_the_dynamic_module_cannot_read_are_refused() {
    let list = json!([{"key": "tenant", "value": ["a"]}]);
    let chain = json!([{"keys": ["tenant"]}]);
    let matching = with("subset_chain", json!([{"match": {"tenant": null}}]));
    for (value, path) in [
        (selecting(list, chain), "criteria"),
        (matching, "subset_chain"),
    ] {
        assert!(read(&value.to_string()).is_ok(), "the Wasm form reads them");
        let found = read_native(&value.to_string(), &|_| VariableKeys::NotSet).unwrap_err();
        let fault = found.first().unwrap();
        assert_eq!((fault.code, &*fault.path), ("config/no-effect", path));
    }
}

#[test]
fn cluster_settings_without_inputs_are_refused_by_name() {
    let typed = |name: &str, more: Value| {
        let mut config = json!({"@type": format!("type.googleapis.com/envoy.extensions.load_balancing_policies.{name}")});
        for (name, value) in more.as_object().unwrap() {
            config[name] = value.clone();
        }
        json!({"policies": [{"typed_extension_config": {"name": "p", "typed_config": config}}]})
    };
    let window = json!({"slow_start_config": {"slow_start_window": "60s"}});
    let client_side = "client_side_weighted_round_robin.v3.ClientSideWeightedRoundRobin";
    let of = |policy: Value| json!({"load_balancing_policy": policy});
    for (change, expected) in [
        (
            json!({"lb_policy": "ROUND_ROBIN", "round_robin_lb_config": window}),
            "slow_start_config",
        ),
        (
            of(typed("round_robin.v3.RoundRobin", window.clone())),
            "slow_start_config",
        ),
        (
            of(typed(client_side, json!({}))),
            "policy CLIENT_SIDE_WEIGHTED_ROUND_ROBIN",
        ),
        (
            json!({"type": "ORIGINAL_DST", "lb_policy": "CLUSTER_PROVIDED", "load_assignment": null, "common_lb_config": null}),
            "a cluster of type ORIGINAL_DST",
        ),
    ] {
        let mut value = with("target", json!("shop-primary"));
        let cluster = &mut value["clusters"][0];
        for field in ["lb_policy", "common_lb_config"] {
            cluster.as_object_mut().unwrap().remove(field);
        }
        for (name, value) in change.as_object().unwrap() {
            cluster[name] = value.clone();
        }
        let found = faults(&value);
        assert_eq!(found.len(), 1, "{change}: {found:#?}");
        let expected = format!("{expected} is not supported by this version");
        assert!(found[0].contains(&expected), "{change}: {}", found[0]);
    }
}

#[test]
fn cluster_settings_that_the_engine_has_are_accepted() {
    let mut value = good();
    let cluster = &mut value["clusters"][0];
    cluster["lb_policy"] = json!("ROUND_ROBIN");
    cluster["common_lb_config"] = json!({"locality_weighted_lb_config": {}});
    cluster["load_assignment"]["policy"] =
        json!({"drop_overloads": [{"category": "a", "drop_percentage": {"numerator": 5}}]});
    let hashing = json!({"hash_policy": [{"header": {"header_name": "x-a"}}]});
    let other = &mut value["clusters"][1];
    for field in ["lb_policy", "common_lb_config"] {
        other.as_object_mut().unwrap().remove(field);
    }
    other["load_balancing_policy"] = json!({"policies": [{"typed_extension_config": {"name": "p", "typed_config": {
        "@type": "type.googleapis.com/envoy.extensions.load_balancing_policies.ring_hash.v3.RingHash",
        "consistent_hashing_lb_config": hashing
    }}}]});
    let config = config(&value);
    assert_eq!(config.warnings, []);
    let ClusterKind::Plain(first) = &config.model.clusters()[0].kind else {
        panic!("not plain");
    };
    assert!(first.locality_lb.is_weighted());
    assert_eq!(first.drop_overload.millionths(), 50_000);
    let ClusterKind::Plain(second) = &config.model.clusters()[1].kind else {
        panic!("not plain");
    };
    assert_eq!(second.hash_policies.len(), 1);
}

#[test]
fn ten_faults_give_ten_diagnostics() {
    let mut value = good();
    value["target"] = json!("nope");
    value["tick"] = json!("soon");
    value["output"]["candidates"] = json!(99);
    value["output"]["mode"] = json!("mirror");
    value["reserved_headers"] = json!(["", 7]);
    value["affinity"] = json!({"cookie": {}, "keys": []});
    value["outptu"] = json!({});
    value["clusters"][0]["maglev_lb_config"] = json!({"table_size": 9});
    value["clusters"][2]["cluster_type"]["typed_config"]["clusters"][1] = json!("gone");
    let found = faults(&value);
    assert_eq!(found.len(), 10, "{found:#?}");
}

#[test]
fn duplicate_keys_are_rejected() {
    let text = good().to_string().replacen(
        "\"tick\":\"250ms\"",
        "\"tick\":\"250ms\",\"tick\":\"1s\"",
        1,
    );
    let faults = read(&text).unwrap_err();
    assert_eq!(faults.len(), 1);
    assert_eq!(faults[0].code, "config/repeated-key");
}

#[test]
fn a_syntax_error_is_placed() {
    let faults = read("{\n  \"clusters\": [").unwrap_err();
    assert_eq!(
        faults[0].render("configuration"),
        "configuration:2:16: config/truncated: unexpected end of input; close the list opened at line 2, column 15"
    );
}

proptest! {
    #[test]
    fn truncated_configurations_are_rejected(cut in 0.0..1.0f64) {
        let text = good().to_string();
        let end = (text.len() as f64 * cut) as usize;
        prop_assert!(read(&text[..end]).is_err());
    }

    #[test]
    fn a_changed_value_never_panics(at in any::<prop::sample::Index>(), with in prop_oneof![Just("null"), Just("[]"), Just("{}"), Just("-1"), Just("1e300"), Just("\"\""), Just("true")]) {
        let text = good().to_string();
        let colons: Vec<usize> = text.match_indices(':').map(|(at, _)| at).collect();
        let at = *at.get(&colons);
        let end = text[at..].find([',', '}']).map_or(text.len(), |end| at + end);
        let _ = read(&format!("{}:{with}{}", &text[..at], &text[end..]));
    }
}
