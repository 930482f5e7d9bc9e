//! The filter's configuration: restrictions that look as if they act.

use crate::common::builders::{cluster, sessions};
use serde_json::{Value, json};
use spillgate_config::filter::{VariableKeys, read, read_native};

/// One cluster with these subsets (null: none), and these fields.
fn shop(subsets: Value, fields: Value) -> Value {
    let mut shop = cluster("shop", "10.0.0.1");
    if !subsets.is_null() {
        shop["lb_subset_config"] = subsets;
    }
    let mut config = json!({"clusters": [shop], "target": "shop"});
    for (name, value) in fields.as_object().unwrap() {
        config[name] = value.clone();
    }
    config
}

/// Subsets with these keys of selectors.
fn any_endpoint(selectors: &[&[&str]]) -> Value {
    let selectors: Vec<Value> = selectors.iter().map(|keys| json!({"keys": keys})).collect();
    json!({"fallback_policy": "ANY_ENDPOINT", "subset_selectors": selectors})
}

/// Subsets whose selectors ignore other keys.
fn redundant(selectors: &[&[&str]]) -> Value {
    let mut subsets = any_endpoint(selectors);
    subsets["@type"] =
        json!("type.googleapis.com/envoy.extensions.load_balancing_policies.subset.v3.Subset");
    subsets["allow_redundant_keys"] = json!(true);
    subsets["subset_lb_policy"] = json!({"policies": [{"typed_extension_config": {"name": "p", "typed_config":
        {"@type": "type.googleapis.com/envoy.extensions.load_balancing_policies.round_robin.v3.RoundRobin"}}}]});
    json!({"policies": [{"typed_extension_config": {"name": "s", "typed_config": subsets}}]})
}

fn typed(policy: Value, criteria: Value) -> Value {
    let mut config = shop(Value::Null, criteria);
    let shop = config["clusters"][0].as_object_mut().unwrap();
    shop.remove("lb_policy");
    shop.remove("common_lb_config");
    shop.insert("load_balancing_policy".into(), policy);
    config
}

fn constant(key: &str, value: &str) -> Value {
    json!({"key": key, "value": value})
}

fn header(key: &str) -> Value {
    json!({"key": key, "header": format!("x-{key}")})
}

fn criteria(criteria: &[Value]) -> Value {
    json!({"criteria": criteria})
}

fn route() -> Value {
    json!({"route_metadata": true})
}

/// Both forms report this first.
#[track_caller]
fn refused(value: &Value, expected: &str) {
    let text = value.to_string();
    for found in [read(&text), read_native(&text, &|_| VariableKeys::NotSet)] {
        let faults = found.expect_err(&text);
        let first = faults.first().unwrap().to_string();
        assert!(first.starts_with(expected), "{value}: {first}");
    }
}

#[track_caller]
fn accepted(value: &Value) {
    let text = value.to_string();
    for found in [read(&text), read_native(&text, &|_| VariableKeys::NotSet)] {
        assert_eq!(found.unwrap().warnings, [], "{value}");
    }
}

#[test]
fn criteria_that_no_selector_can_select_are_refused() {
    let tenant = constant("tenant", "a");
    let nothing = "config/no-effect: criteria: criterion restricts nothing; found \"tenant\"";
    for (subsets, own) in [
        (
            any_endpoint(&[&["tenant", "version"]]),
            vec![tenant.clone()],
        ),
        (
            any_endpoint(&[&["tenant"], &["version"]]),
            vec![tenant.clone(), constant("version", "v1")],
        ),
        (
            any_endpoint(&[&["tenant", "version"]]),
            vec![header("tenant")],
        ),
    ] {
        refused(&shop(subsets, criteria(&own)), nothing);
    }
    refused(
        &typed(redundant(&[&["tenant", "version"]]), criteria(&[tenant])),
        nothing,
    );
}

#[test]
fn a_client_cannot_lift_a_criterion_with_a_further_header() {
    let (tenant, version) = (constant("tenant", "a"), header("version"));
    let lifted = |keys: &str| {
        format!(
            "config/no-effect: criteria: a request lifts its criteria; found \"{keys}\", expected a \
             selector with exactly these keys, or NO_FALLBACK, in cluster shop"
        )
    };
    for (subsets, own, keys) in [
        (
            any_endpoint(&[&["tenant", "stage"], &["tenant"], &["tenant", "version"]]),
            vec![tenant.clone(), version.clone(), header("stage")],
            "stage, tenant, version",
        ),
        (
            any_endpoint(&[&["tenant", "version"]]),
            vec![tenant.clone(), version.clone()],
            "tenant",
        ),
        (
            any_endpoint(&[&["tenant"], &["version"]]),
            vec![header("tenant"), version.clone()],
            "tenant, version",
        ),
        (
            any_endpoint(&[&["stage"], &["version"]]),
            vec![version.clone(), route()],
            "stage, version",
        ),
        (
            any_endpoint(&[&["tenant", "stage"], &["tenant", "version"]]),
            vec![tenant.clone(), version.clone(), route()],
            "stage, tenant, version",
        ),
    ] {
        refused(&shop(subsets, criteria(&own)), &lifted(keys));
    }
    // The selector with the version does not use the tenant.
    refused(
        &typed(
            redundant(&[&["version"], &["tenant"]]),
            criteria(&[tenant.clone(), version.clone()]),
        ),
        &lifted("tenant, version"),
    );
    // Constants of metadata_match are lifted too.
    refused(
        &shop(
            any_endpoint(&[&["tenant"], &["version"]]),
            json!({"metadata_match": {"filter_metadata": {"envoy.lb": {"tenant": "a"}}},
                "criteria": [version]}),
        ),
        "config/no-effect: criteria: criterion restricts nothing; found \"version\"",
    );
}

#[test]
fn a_selector_for_each_combination_is_accepted() {
    let (tenant, version) = (constant("tenant", "a"), header("version"));
    let both = vec![tenant.clone(), version.clone()];
    let mut refusing = any_endpoint(&[&["tenant"], &["version"]]);
    refusing["fallback_policy"] = json!("NO_FALLBACK");
    let mut listed = any_endpoint(&[&["tenant"], &["version"]]);
    listed["metadata_fallback_policy"] = json!("FALLBACK_LIST");
    for (subsets, own) in [
        (
            any_endpoint(&[&["tenant"], &["tenant", "version"]]),
            both.clone(),
        ),
        (
            any_endpoint(&[&["version", "tenant"], &["tenant"], &["version"]]),
            vec![header("tenant"), version.clone()],
        ),
        // Only with the tenant does a request select a subset.
        (
            any_endpoint(&[&["tenant"], &["tenant", "version"]]),
            vec![header("tenant"), version.clone()],
        ),
        // A header with a default has its key in every request.
        (
            any_endpoint(&[&["tenant"]]),
            vec![constant("tenant", "none"), header("tenant")],
        ),
        (
            any_endpoint(&[&["stage"], &["stage", "version"]]),
            vec![version.clone(), route()],
        ),
        (
            any_endpoint(&[&["stage", "tenant"], &["unused"]]),
            vec![tenant.clone(), route()],
        ),
        // Requests without a selector get 503.
        (refusing, both.clone()),
        // The list has further keys.
        (listed, vec![tenant.clone(), version.clone(), route()]),
    ] {
        accepted(&shop(subsets, criteria(&own)));
    }
    for selectors in [
        &[&["tenant", "version"][..], &["tenant"]][..],
        &[&["tenant"], &["version"]],
    ] {
        accepted(&typed(redundant(selectors), criteria(&both)));
    }
}

#[test]
fn a_step_with_fewer_hosts_after_a_wider_one_is_refused() {
    let own = [constant("tenant", "a"), constant("version", "v2")];
    let chain = |criteria: &[Value], steps: Value| {
        shop(
            Value::Null,
            json!({"criteria": criteria, "subset_chain": steps}),
        )
    };
    let late = "config/no-effect: subset_chain[1]: an earlier step serves whenever this one would";
    for (own, steps) in [
        (
            &own[..],
            json!([{"keys": ["tenant"]}, {"keys": ["tenant", "version"]}]),
        ),
        (
            &[],
            json!([{"match": {"tenant": "a"}}, {"match": {"tenant": "a", "version": "v2"}}]),
        ),
        (
            &own[..1],
            json!([{"match": {"tenant": "a"}}, {"keys": ["tenant"]}]),
        ),
        (
            &own[..1],
            json!([{"keys": ["tenant"]}, {"match": {"tenant": "a"}}]),
        ),
        (
            &own[..1],
            json!([{"any": true}, {"keys": ["tenant"], "last_resort": true}]),
        ),
    ] {
        refused(&chain(own, steps), late);
    }
    let by_header = [header("tenant"), header("version")];
    for (own, steps) in [
        (
            &by_header[..],
            json!([{"keys": ["tenant", "version"]}, {"keys": ["tenant"]}]),
        ),
        (
            &own[..],
            json!([{"keys": ["tenant"], "min_healthy_hosts": 2}, {"keys": ["tenant", "version"]}]),
        ),
        (
            &own[..],
            json!([{"keys": ["tenant"], "min_healthy_percent": 50}, {"keys": ["tenant", "version"]}]),
        ),
        (
            &by_header[..1],
            json!([{"match": {"tenant": "a"}}, {"keys": ["tenant"]}]),
        ),
        (
            &by_header[..1],
            json!([{"keys": ["tenant"]}, {"match": {"tenant": "a"}}]),
        ),
        (
            &own[..1],
            json!([{"match": {"tenant": "b"}}, {"keys": ["tenant"]}]),
        ),
        (
            &by_header[..1],
            json!([{"keys": ["tenant"]}, {"keys": ["tenant"], "last_resort": true}]),
        ),
    ] {
        accepted(&chain(own, steps));
    }
}

#[test]
fn criteria_and_metadata_that_nothing_reads_are_refused() {
    let by_tenant = || any_endpoint(&[&["tenant"]]);
    let unread = "config/no-effect: metadata_match: metadata restricts nothing";
    let metadata = |metadata: Value| shop(by_tenant(), json!({"metadata_match": metadata}));
    for ignored in [
        json!({"filter_metadata": {"other": {"tenant": "a"}}}),
        json!({"filter_metadata": {"envoy.lb": {}}}),
        json!({"typed_filter_metadata": {"envoy.lb": {
            "@type": "type.googleapis.com/google.protobuf.Struct", "value": {"tenant": "a"}}}}),
    ] {
        refused(&metadata(ignored), unread);
    }
    accepted(&metadata(
        json!({"filter_metadata": {"envoy.lb": {"tenant": "a"}, "other": {}}}),
    ));

    for own in [
        [header("tenant"), constant("tenant", "b")],
        [constant("tenant", "a"), constant("tenant", "b")],
    ] {
        refused(
            &shop(by_tenant(), criteria(&own)),
            "config/no-effect: criteria: a later constant replaces the criterion; found \"tenant\"",
        );
    }

    let default = json!({"fallback_policy": "DEFAULT_SUBSET", "default_subset": {"tenant": "a"}});
    refused(
        &shop(default.clone(), json!({})),
        "config/no-effect: clusters[0].lb_subset_config.default_subset: without selectors, Envoy has no subsets",
    );
    let mut selecting = default;
    selecting["subset_selectors"] = json!([{"keys": ["tenant"]}]);
    accepted(&shop(selecting, json!({})));
    accepted(&shop(json!({}), json!({})));
}

#[test]
fn header_names_that_cannot_work_are_refused() {
    let of = |fields: Value| shop(Value::Null, fields);
    let own = |header: &str| json!({"criteria": [{"key": "tenant", "header": header}], "subset_chain": [{"keys": ["tenant"]}]});
    let session = |name: &str| {
        let mut affinity = sessions(json!({"header": {"name": name}}));
        affinity.as_object_mut().unwrap().remove("cookie");
        affinity
    };
    for name in [
        "connection",
        "Content-Length",
        "cookie",
        "host",
        "set-cookie",
        "te",
        "transfer-encoding",
    ] {
        for (path, fields) in [
            ("affinity.header.name", json!({"affinity": session(name)})),
            (
                "output.cluster_header",
                json!({"output": {"cluster_header": name}}),
            ),
            ("reserved_headers", json!({"reserved_headers": [name]})),
            (
                "trace.header",
                json!({"trace": {"header": name, "when": {"header": "x-d", "value": "0123456789abcdef"}}}),
            ),
            ("criteria[0].header", own(name)),
        ] {
            let expected = format!("config/header-name: {path}: HTTP itself uses this header");
            refused(&of(fields), &expected);
        }
    }
    let twice = "config/header-name: criteria: header has two purposes";
    refused(&of(own("x-spillgate-host")), twice);
    let mut with_session = own("x-s");
    with_session["affinity"] = session("X-S");
    refused(&of(with_session.clone()), twice);
    with_session["affinity"] = session("x-other");
    accepted(&of(with_session));
    for secret in ["                ", "0123456789abcde ", "0123456789abcde\n"] {
        refused(
            &of(json!({"trace": {"when": {"header": "x-d", "value": secret}}})),
            "config/value: trace.when.value: no header can have this value",
        );
    }
}
