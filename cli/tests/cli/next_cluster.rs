//! `pick`: attempts of requests whose later attempts a Spillgate filter sends to the next cluster.

use serde_json::{Value, json};

use crate::run::{scratch, spillgate_with};

const EXTENSIONS: &str = "type.googleapis.com/envoy.extensions";

/// How Envoy runs the filter.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Wasm,
    Native,
}

/// Two clusters of two hosts: 75 % of the first attempts go to `a`.
fn config(form: Form) -> String {
    let module = json!({"name": "spillgate", "do_not_close": true});
    let hosts = |name: &str| {
        let hosts = [1, 2].map(|host| json!({"endpoint": {"address": address(name, host)}}));
        json!({"cluster_name": name, "endpoints": [{"lb_endpoints": hosts}]})
    };
    let balanced = ["a", "b"]
        .map(|name| json!({"name": name, "lb_policy": "RANDOM", "load_assignment": hosts(name)}));
    let filter = json!({
        "clusters": balanced,
        "weighted": [{"cluster": "a", "weight": 75}, {"cluster": "b", "weight": 25}],
        "output": {"candidates": 2, "attempts_per_cluster": 1},
    });
    let text = json!({
        "@type": "type.googleapis.com/google.protobuf.StringValue",
        "value": filter.to_string(),
    });
    let none = |policy: Value| {
        json!({"policies": [{"typed_extension_config": {
            "name": "envoy.load_balancing_policies.override_host",
            "typed_config": {
                "@type": format!("{EXTENSIONS}.load_balancing_policies.override_host.v3.OverrideHost"),
                "override_host_sources": [{"metadata": {"key": "spillgate", "path": [{"key": "host"}]}}],
                "fallback_policy": {"policies": [{"typed_extension_config": policy}]},
            },
        }}]})
    };
    let policy = match form {
        Form::Wasm => json!({
            "name": "envoy.load_balancing_policies.subset",
            "typed_config": {
                "@type": format!("{EXTENSIONS}.load_balancing_policies.subset.v3.Subset"),
                "fallback_policy": "NO_FALLBACK",
                "subset_selectors": [{"keys": ["none"]}],
                "subset_lb_policy": {"policies": [{"typed_extension_config": {
                    "name": "envoy.load_balancing_policies.random",
                    "typed_config": {"@type": format!("{EXTENSIONS}.load_balancing_policies.random.v3.Random")},
                }}]},
            },
        }),
        Form::Native => json!({
            "name": "spillgate",
            "typed_config": {
                "@type": format!("{EXTENSIONS}.load_balancing_policies.dynamic_modules.v3.DynamicModulesLoadBalancerConfig"),
                "dynamic_module_config": module,
                "lb_policy_name": "spillgate",
                "lb_policy_config": {
                    "@type": "type.googleapis.com/google.protobuf.Struct",
                    "value": {"undecided": "refuse"},
                },
            },
        }),
    };
    let plain = |name: &str| {
        json!({
            "name": name, "type": "STATIC", "connect_timeout": "1s",
            "load_balancing_policy": none(policy.clone()),
            "load_assignment": hosts(name),
        })
    };
    let composite = |first: &str, second: &str| {
        json!({
            "name": format!("{first},{second}"), "connect_timeout": "1s", "lb_policy": "CLUSTER_PROVIDED",
            "cluster_type": {
                "name": "envoy.clusters.composite",
                "typed_config": {
                    "@type": format!("{EXTENSIONS}.clusters.composite.v3.ClusterConfig"),
                    "clusters": [{"name": first}, {"name": second}],
                },
            },
        })
    };
    let mut clusters = vec![plain("a"), plain("b")];
    let mut route = json!({"retry_policy": {"retry_on": "connect-failure", "num_retries": 1}});
    let mut filters = Vec::new();
    match form {
        Form::Wasm => {
            clusters.extend([composite("a", "b"), composite("b", "a")]);
            route["cluster_header"] = json!("x-spillgate-cluster");
            filters.push(json!({"name": "spillgate", "typed_config": {
                "@type": format!("{EXTENSIONS}.filters.http.wasm.v3.Wasm"),
                "config": {
                    "vm_config": {
                        "runtime": "envoy.wasm.runtime.v8",
                        "code": {"local": {"filename": "spillgate.wasm"}},
                    },
                    "configuration": text,
                },
            }}));
            filters.push(json!({"name": "envoy.filters.http.header_to_metadata", "typed_config": {
                "@type": format!("{EXTENSIONS}.filters.http.header_to_metadata.v3.Config"),
                "request_rules": [{
                    "header": "x-spillgate-host",
                    "on_header_present": {"metadata_namespace": "spillgate", "key": "host", "type": "STRING"},
                    "remove": true,
                }],
            }}));
        }
        Form::Native => {
            route["retry_policy"]["refresh_cluster_on_retry"] = json!(true);
            route["inline_cluster_specifier_plugin"] = json!({"extension": {
                "name": "spillgate",
                "typed_config": {
                    "@type": format!("{EXTENSIONS}.router.cluster_specifiers.dynamic_modules.v3.DynamicModuleClusterSpecifier"),
                    "dynamic_module_config": module,
                    "specifier_name": "spillgate",
                    "specifier_config": {"@type": "type.googleapis.com/google.protobuf.StringValue", "value": ""},
                },
            }});
            filters.push(json!({"name": "spillgate", "typed_config": {
                "@type": format!("{EXTENSIONS}.filters.http.dynamic_modules.v3.DynamicModuleFilter"),
                "dynamic_module_config": module,
                "filter_name": "spillgate",
                "filter_config": text,
            }}));
        }
    }
    filters.push(
        json!({"name": "envoy.filters.http.router", "typed_config": {
            "@type": format!("{EXTENSIONS}.filters.http.router.v3.Router"),
        }}),
    );
    let routes = json!([{"match": {"prefix": "/"}, "route": route}]);
    let connection_manager = json!({
        "@type": format!("{EXTENSIONS}.filters.network.http_connection_manager.v3.HttpConnectionManager"),
        "stat_prefix": "in",
        "route_config": {"virtual_hosts": [{"name": "all", "domains": ["*"], "routes": routes}]},
        "http_filters": filters,
    });
    let listener = json!({
        "name": "in",
        "address": {"socket_address": {"address": "127.0.0.1", "port_value": 80}},
        "filter_chains": [{"filters": [{
            "name": "envoy.filters.network.http_connection_manager",
            "typed_config": connection_manager,
        }]}],
    });
    json!({"static_resources": {"listeners": [listener], "clusters": clusters}}).to_string()
}

fn address(cluster: &str, host: u32) -> Value {
    let network = if cluster == "a" { 1 } else { 2 };
    json!({"socket_address": {"address": format!("10.0.{network}.{host}"), "port_value": 80}})
}

/// The answer to an attempt after those of `tried`.
fn answer(name: &str, form: Form, tried: &[&str]) -> Value {
    answer_of(name, form, tried, |config| config)
}

/// The same after a change of the configuration.
fn answer_of(name: &str, form: Form, tried: &[&str], change: impl Fn(String) -> String) -> Value {
    let requests = scratch(name).join("requests.jsonl");
    let row = json!({"i": 0, "path": "/", "headers": [], "attempt": tried.len(), "tried": tried});
    std::fs::write(&requests, row.to_string()).unwrap();
    let config = change(config(form));
    let arguments = ["pick", "-", requests.to_str().unwrap()];
    let ran = spillgate_with(&arguments, config.as_bytes());
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    serde_json::from_str(&ran.stdout).unwrap()
}

#[test]
fn first_attempts_have_the_hosts_of_the_filter() {
    for (name, form) in [("next_wasm", Form::Wasm), ("next_native", Form::Native)] {
        let answer = answer(name, form, &[]);
        let shares = answer["distribution"].as_array().expect("several hosts");
        let share = |address: &str| {
            let mut found = shares.iter().filter(|one| one["endpoint"] == address);
            found.next().and_then(|one| one["share"].as_f64())
        };
        for (address, expected) in [
            ("10.0.1.1:80", 37.5),
            ("10.0.1.2:80", 37.5),
            ("10.0.2.1:80", 12.5),
            ("10.0.2.2:80", 12.5),
        ] {
            assert_eq!(share(address), Some(expected), "{answer}");
        }
    }
}

/// The shares of the hosts of an answer.
fn shares(answer: &Value) -> Vec<(String, f64)> {
    if let Some(host) = answer["endpoint"].as_str() {
        return vec![(host.to_owned(), 100.0)];
    }
    let shares = answer["distribution"].as_array().expect("several hosts");
    let share = |one: &Value| {
        let host = one["endpoint"].as_str().unwrap();
        (host.to_owned(), one["share"].as_f64().unwrap())
    };
    let mut shares: Vec<(String, f64)> = shares.iter().map(share).collect();
    shares.sort_by(|one, other| one.0.cmp(&other.0));
    shares
}

#[test]
fn attempts_in_the_next_cluster_have_its_hosts() {
    for (name, form) in [("later_wasm", Form::Wasm), ("later_native", Form::Native)] {
        let own = |answer: &Value| {
            let shares = shares(answer);
            shares
                .iter()
                .map(|(host, share)| (host.clone(), share.round()))
                .collect::<Vec<_>>()
        };
        let both = |network: u32| {
            [1, 2]
                .map(|host| (format!("10.0.{network}.{host}:80"), 50.0))
                .to_vec()
        };
        // The first host shows the first cluster.
        assert_eq!(
            own(&answer(name, form, &["10.0.1.1:80"])),
            both(2),
            "{name}"
        );
        assert_eq!(
            own(&answer(name, form, &["10.0.2.2:80"])),
            both(1),
            "{name}"
        );
    }
    // The module goes on in the list; a composite cluster has two members.
    let third = answer(
        "third_native",
        Form::Native,
        &["10.0.1.1:80", "10.0.2.2:80"],
    );
    assert_eq!(shares(&third), [("10.0.2.1:80".to_owned(), 100.0)]);
    let third = answer("third_wasm", Form::Wasm, &["10.0.1.1:80", "10.0.2.2:80"]);
    assert_eq!(third["status"], 503, "{third}");
}

#[test]
fn weights_of_the_next_cluster_are_not_modeled() {
    let answer = answer_of("later_weights", Form::Native, &["10.0.1.1:80"], |config| {
        let old =
            r#"{"endpoint":{"address":{"socket_address":{"address":"10.0.2.1","port_value":80}}}}"#;
        let heavy = old.replace("{\"endpoint\"", "{\"load_balancing_weight\":3,\"endpoint\"");
        let weighted = config.replace(old, &heavy).replace("RANDOM", "ROUND_ROBIN");
        assert!(weighted != config.replace("RANDOM", "ROUND_ROBIN"));
        weighted
    });
    let text = answer.to_string();
    assert!(text.contains("attempts in the next cluster"), "{text}");
    assert!(answer["endpoint"].is_null(), "{text}");
}

/// The configuration with a third cluster, and these weights.
fn split_in_three(config: &str, weights: [u32; 3]) -> String {
    let third = |cluster: &Value| -> Value {
        let text = cluster.to_string().replace("\"a\"", "\"c\"");
        serde_json::from_str(&text.replace("10.0.1.", "10.0.3.")).unwrap()
    };
    let mut site: Value = serde_json::from_str(config).unwrap();
    let add = |list: &mut Value| {
        let list = list.as_array_mut().unwrap();
        list.push(third(&list[0]));
    };
    add(&mut site["static_resources"]["clusters"]);
    let filter = "/static_resources/listeners/0/filter_chains/0/filters/0/typed_config/http_filters/0/typed_config\
                  /filter_config/value";
    let text = site.pointer_mut(filter).unwrap();
    let mut own: Value = serde_json::from_str(text.as_str().unwrap()).unwrap();
    add(&mut own["clusters"]);
    let weighted = ["a", "b", "c"].into_iter().zip(weights);
    let weighted = weighted.map(|(cluster, weight)| json!({"cluster": cluster, "weight": weight}));
    own["weighted"] = weighted.collect();
    *text = own.to_string().into();
    site.to_string()
}

/// Which cluster comes next does not depend on the draw.
#[test]
fn the_next_cluster_of_three_is_the_first_other_one() {
    for weights in [[98, 1, 1], [1, 98, 1], [1, 1, 98]] {
        for (first, next) in [
            ("10.0.1.1:80", "10.0.2."),
            ("10.0.2.1:80", "10.0.1."),
            ("10.0.3.1:80", "10.0.1."),
        ] {
            let answer = answer_of("three", Form::Native, &[first], |config| {
                split_in_three(&config, weights)
            });
            let shares = shares(&answer);
            let all = shares.iter().all(|(host, _)| host.starts_with(next));
            assert!(all && shares.len() == 2, "{weights:?} {first}: {answer}");
        }
    }
}

/// A kept session without a key of its own: the host is certain, the draw of the cluster is not.
#[test]
fn a_kept_session_has_its_host_and_an_unknown_next_cluster_of_several() {
    let keys = json!([{"id": 1, "secret": "qPYLD0UFDNfVijqzBXVgjBMheuY8tnZyT4TUVMiP4DY="}]);
    let folder = scratch("kept_next");
    let file = folder.join("keys.json");
    std::fs::write(&file, keys.to_string()).unwrap();
    let cluster = ["token", "mint", "--scope", "shop.example", "--cluster", "a"];
    let host = ["--host", "10.0.1.1:80", "--keys", file.to_str().unwrap()];
    let minted = spillgate_with(&[&cluster[..], &host].concat(), b"");
    assert_eq!(minted.status, 0, "{}", minted.stderr);
    let sessions = json!({
        "cookie": {"name": "sid"}, "keys": keys, "fallback": "policy",
    });
    let with_sessions = |config: String| {
        let output = r#"\"output\":"#;
        let written = sessions.to_string().replace('"', "\\\"");
        config.replace(output, &format!("\\\"affinity\\\":{written},{output}"))
    };
    let answer = |weights: [u32; 3], tried: &[&str]| -> Value {
        let requests = folder.join("requests.jsonl");
        let cookie = format!("sid={}", minted.stdout.trim());
        let row = json!({"i": 0, "path": "/", "host": "shop.example", "headers": [["cookie", cookie]],
            "attempt": tried.len(), "tried": tried});
        std::fs::write(&requests, row.to_string()).unwrap();
        let config = split_in_three(&with_sessions(config(Form::Native)), weights);
        let ran = spillgate_with(
            &["pick", "-", requests.to_str().unwrap()],
            config.as_bytes(),
        );
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
        serde_json::from_str(&ran.stdout).unwrap()
    };
    let first = answer([50, 30, 20], &[]);
    assert_eq!(shares(&first), [("10.0.1.1:80".to_owned(), 100.0)]);
    // The draw decides whether b or c is next, with 80 and 20 %.
    let next = answer([50, 30, 20], &["10.0.1.1:80"]);
    assert!(
        next.to_string()
            .contains("a kept session in a split of three or more clusters"),
        "{next}"
    );
    // Without weight, no request can have c.
    let next = answer([50, 50, 0], &["10.0.1.1:80"]);
    assert!(
        shares(&next)
            .iter()
            .all(|(host, _)| host.starts_with("10.0.2.")),
        "{next}"
    );
}
