//! Times that a configuration determines: the near misses of each rule.

use serde_json::{Value, json};

use crate::common::changed::{cluster, endpoint, entries, findings, flagged, routes};

/// Sets fields of the first health check of the first cluster.
fn check(fields: Value) -> impl FnOnce(&mut Value) {
    move |config| set(&mut cluster(config)["health_checks"][0], fields)
}

/// Sets fields of the outlier detection of the first cluster.
fn outliers(fields: Value) -> impl FnOnce(&mut Value) {
    move |config| set(&mut cluster(config)["outlier_detection"], fields)
}

fn set(message: &mut Value, fields: Value) {
    for (name, value) in fields.as_object().unwrap() {
        message[name] = value.clone();
    }
}

/// The effect in the only finding.
fn effect(rule: &str, change: impl FnOnce(&mut Value)) -> String {
    let found = findings(rule, change);
    assert_eq!(found.len(), 1, "{found:#?}");
    found[0].effect.clone()
}

#[test]
fn a_threshold_of_zero_is_never_reached() {
    let rule = "health-check-threshold-zero";
    let of = |unhealthy: u32, healthy: u32| {
        check(json!({"unhealthy_threshold": unhealthy, "healthy_threshold": healthy}))
    };
    assert_eq!(findings(rule, of(0, 0)).len(), 2);
    assert!(effect(rule, of(1, 0)).contains("never becomes healthy again"));
    assert!(!flagged(rule, of(1, 1)));
}

#[test]
fn a_single_result_decides_with_both_thresholds_of_one() {
    let rule = "health-check-single-result";
    assert!(!flagged(rule, check(json!({"unhealthy_threshold": 2}))));
    assert!(!flagged(rule, check(json!({"healthy_threshold": 2}))));
    // A single host has no other one that could take its requests.
    let truncate = |config: &mut Value, hosts: usize| {
        let endpoints = entries(config)[0]["lb_endpoints"].as_array_mut();
        endpoints.unwrap().truncate(hosts);
    };
    assert!(!flagged(rule, |config| truncate(config, 1)));
    assert!(flagged(rule, |config| truncate(config, 2)));
    // The addresses of a name are not known.
    let named = |config: &mut Value| {
        truncate(config, 1);
        cluster(config)["type"] = json!("STRICT_DNS");
        let host = &mut entries(config)[0]["lb_endpoints"][0]["endpoint"];
        host["address"]["socket_address"]["address"] = json!("shop.example");
    };
    assert!(flagged(rule, named));
    assert!(!flagged(rule, |config| {
        named(config);
        cluster(config)["type"] = json!("LOGICAL_DNS");
    }));
}

#[test]
fn a_passing_check_ends_an_ejection() {
    let rule = "outlier-ejection-cut-short";
    let base = |time: &str| outliers(json!({"base_ejection_time": time}));
    assert!(effect(rule, |_| {}).contains("after at most 6s (interval 5s + timeout 1s)"));
    assert!(flagged(rule, base("12s")));
    assert!(!flagged(rule, base("11.999s")));
    // A stated default says nothing about the intention.
    assert!(!flagged(rule, base("30s")));
    let jitter = check(json!({"interval_jitter": "2.001s"}));
    assert!(effect(rule, jitter).contains("at most 8s (interval 5s + interval_jitter 2s"));
    // The check with the shortest interval is the first that passes.
    assert!(
        effect(rule, |config| {
            let checks = cluster(config)["health_checks"].as_array_mut().unwrap();
            let mut more = checks[0].clone();
            more["interval"] = json!("1s");
            checks.push(more);
        })
        .contains("at most 2s")
    );
    let field = "successful_active_health_check_uneject_host";
    for stated in [true, false] {
        assert!(!flagged(rule, outliers(json!({field: stated}))));
    }
    assert!(!flagged(rule, |config| cluster(config)["health_checks"] = json!([])));
    // Nothing is ejected.
    assert!(!flagged(
        rule,
        outliers(json!({"max_ejection_percent": 33}))
    ));
    let unenforced = json!({"enforcing_consecutive_5xx": 0, "enforcing_success_rate": 0});
    assert!(!flagged(rule, outliers(unenforced)));
}

#[test]
fn a_sweep_ends_an_ejection() {
    let rule = "outlier-ejection-until-sweep";
    let times = |interval: &str, base: &str| {
        outliers(json!({"interval": interval, "base_ejection_time": base}))
    };
    assert!(effect(rule, |_| {}).contains("up to 15s; base_ejection_time is 5s"));
    assert!(effect(rule, times("60s", "10s")).contains("up to 70s"));
    assert!(flagged(rule, times("20s", "10s")));
    assert!(!flagged(rule, times("19.999s", "10s")));
    // A passing check ends it earlier.
    let checked = |uneject: bool| {
        move |config: &mut Value| {
            let check = json!({"timeout": "1s", "interval": "1s", "unhealthy_threshold": 2,
                "healthy_threshold": 2, "tcp_health_check": {}});
            cluster(config)["health_checks"] = json!([check]);
            outliers(json!({"successful_active_health_check_uneject_host": uneject}))(config);
        }
    };
    assert!(!flagged(rule, checked(true)));
    assert!(flagged(rule, checked(false)));
}

#[test]
fn checks_of_a_standby_cluster_wait() {
    let rule = "health-check-standby-slow";
    fn standby(config: &mut Value) -> &mut Value {
        &mut config["static_resources"]["clusters"][2]
    }
    let checked = |fields: Value| {
        move |config: &mut Value| set(&mut standby(config)["health_checks"][0], fields)
    };
    let found = findings(rule, |_| {});
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(found[0].path.starts_with("static_resources.clusters[2]"));
    assert!(found[0].effect.contains("up to 180s instead of 15s"));
    assert!(flagged(rule, checked(json!({"interval": "30s"}))));
    assert!(!flagged(rule, checked(json!({"interval": "30.001s"}))));
    assert!(!flagged(
        rule,
        checked(json!({"no_traffic_interval": "60s"}))
    ));
    assert!(!flagged(
        rule,
        checked(json!({"no_traffic_healthy_interval": "60s"}))
    ));
    // A route of its own, or one on which a header names the cluster, can reach it at any time.
    for action in [
        json!({"cluster": "standby"}),
        json!({"cluster_header": "x-cluster"}),
    ] {
        assert!(!flagged(rule, |config| {
            let route = json!({"match": {"prefix": "/"}, "route": action});
            routes(config).as_array_mut().unwrap().push(route);
        }));
    }
    // The first member has failed hosts, so that the standby cluster has requests.
    assert!(!flagged(rule, |config| {
        let hosts = &mut config["static_resources"]["clusters"][1]["load_assignment"];
        for host in hosts["endpoints"][0]["lb_endpoints"]
            .as_array_mut()
            .unwrap()
        {
            host["health_status"] = json!("UNHEALTHY");
        }
    }));
    // Without an aggregate, nothing is known about requests.
    assert!(!flagged(rule, |config| {
        routes(config)[0]["route"]["cluster"] = json!("primary");
        let clusters = config["static_resources"]["clusters"].as_array_mut();
        clusters.unwrap().remove(0);
    }));
}

#[test]
fn retries_with_a_hash_repeat_the_host() {
    let rule = "retries-repeat-failed-host";
    let policy = |fields: Value| {
        move |config: &mut Value| {
            set(&mut routes(config)[0]["route"]["retry_policy"], fields);
        }
    };
    assert_eq!(
        effect(rule, |_| {}),
        "if a host of cluster \"c\" refuses connections, all tries of a request go to it, within 75ms; health checks \
         notice that after up to 10s (interval 5s + interval 5s)"
    );
    assert!(flagged(rule, |config| cluster(config)["lb_policy"] =
        json!("RING_HASH")));
    assert!(!flagged(rule, |config| cluster(config)["lb_policy"] =
        json!("RANDOM")));
    assert!(!flagged(rule, |config| {
        routes(config)[0]["route"]
            .as_object_mut()
            .unwrap()
            .remove("hash_policy");
    }));
    // Failed connections are not retried.
    assert!(!flagged(rule, policy(json!({"retry_on": "retriable-4xx"}))));
    assert!(!flagged(rule, policy(json!({"num_retries": 0}))));
    for name in [
        "previous_hosts.v3.PreviousHostsPredicate",
        "custom.v3.Unheard",
    ] {
        let config =
            json!({"@type": format!("type.googleapis.com/envoy.extensions.retry.host.{name}")});
        let predicate = json!([{"name": "p", "typed_config": config}]);
        assert!(!flagged(
            rule,
            policy(json!({"retry_host_predicate": predicate}))
        ));
    }
    // Failed requests eject the host.
    assert!(!flagged(
        rule,
        |config| cluster(config)["outlier_detection"] = json!({})
    ));
    // The retries outlast the health checks: 20 waits of 1 s.
    let slow = |retries: u32| {
        let waits = json!({"base_interval": "1s", "max_interval": "1s"});
        policy(json!({"num_retries": retries, "retry_back_off": waits}))
    };
    assert!(flagged(rule, slow(9)));
    assert!(!flagged(rule, slow(10)));
    // Without health checks, only a control plane could notice.
    let unchecked = |config: &mut Value| cluster(config)["health_checks"] = json!([]);
    assert!(effect(rule, unchecked).ends_with("nothing notices that"));
    assert!(!flagged(rule, |config| {
        unchecked(config);
        cluster(config)["type"] = json!("EDS");
        cluster(config)["eds_cluster_config"] = json!({"eds_config": {"ads": {}}});
    }));
    // One host cannot be avoided.
    assert!(!flagged(
        rule,
        |config| entries(config)[0]["lb_endpoints"] = json!([endpoint(28101)])
    ));
}

#[test]
fn thresholds_need_their_switch() {
    let rule = "outlier-threshold-unused";
    let only =
        |fields: Value| move |config: &mut Value| cluster(config)["outlier_detection"] = fields;
    for (threshold, switch, on) in [
        (
            "consecutive_gateway_failure",
            "enforcing_consecutive_gateway_failure",
            json!(100),
        ),
        (
            "failure_percentage_threshold",
            "enforcing_failure_percentage",
            json!(100),
        ),
        (
            "consecutive_local_origin_failure",
            "split_external_local_origin_errors",
            json!(true),
        ),
    ] {
        assert!(flagged(rule, only(json!({threshold: 3}))), "{threshold}");
        assert!(
            !flagged(rule, only(json!({threshold: 3, switch: on}))),
            "{switch}"
        );
        let off = if on.is_boolean() {
            json!(false)
        } else {
            json!(0)
        };
        assert!(
            !flagged(rule, only(json!({threshold: 3, switch: off}))),
            "{switch}"
        );
        assert!(!flagged(rule, only(json!({threshold: 0}))), "{threshold}");
    }
    // Envoy's defaults say nothing about the intention.
    assert!(!flagged(
        rule,
        only(json!({"consecutive_gateway_failure": 5, "failure_percentage_threshold": 85}))
    ));
    let local = json!({"failure_percentage_threshold": 50, "enforcing_failure_percentage_local_origin": 100,
        "split_external_local_origin_errors": true});
    assert!(!flagged(rule, only(local)));
}

#[test]
fn comparisons_need_hosts() {
    let rule = "outlier-too-few-hosts";
    let only =
        |fields: Value| move |config: &mut Value| cluster(config)["outlier_detection"] = fields;
    assert!(!flagged(
        rule,
        outliers(json!({"failure_percentage_minimum_hosts": 3}))
    ));
    assert!(flagged(
        rule,
        outliers(json!({"failure_percentage_minimum_hosts": 4}))
    ));
    assert!(!flagged(rule, |config| {
        entries(config)[0]["lb_endpoints"] = (0..5).map(|at| endpoint(28200 + at)).collect();
    }));
    assert!(flagged(
        rule,
        only(json!({"success_rate_stdev_factor": 1000}))
    ));
    assert!(!flagged(
        rule,
        only(json!({"success_rate_stdev_factor": 1900}))
    ));
    assert!(!flagged(
        rule,
        only(json!({"success_rate_stdev_factor": 1000, "enforcing_success_rate": 0}))
    ));
    // Failure percentages eject no host by default, and neither do these settings.
    assert!(!flagged(
        rule,
        only(json!({"failure_percentage_request_volume": 10}))
    ));
}
