//! What a configuration says that `spillgate incident` does not model is named next to the answer.

use std::fs;

use serde_json::{Value, json};

use crate::run::{Ran, scratch, spillgate};

/// Where a setting is.
#[derive(Clone, Copy)]
enum Place {
    Route,
    Retry,
    Manager,
    Cluster,
    Endpoint,
    Thresholds,
    Filter,
}

/// A bootstrap with three hosts in zone a and three in zone b, and a setting at a place.
fn bootstrap(place: Place, setting: &Value) -> Value {
    let with = |at: bool, mut base: Value| {
        if at && let (Some(base), Some(more)) = (base.as_object_mut(), setting.as_object()) {
            base.extend(more.clone());
        }
        base
    };
    let is = |of: Place| place as u8 == of as u8;
    let host = |address: String| {
        let address = json!({"socket_address": {"address": address, "port_value": 80}});
        json!({"endpoint": with(is(Place::Endpoint), json!({"address": address}))})
    };
    let zone = |name: &str, number: u8| {
        let hosts = (1..=3).map(|at| host(format!("10.0.{number}.{at}")));
        json!({"locality": {"zone": name}, "lb_endpoints": hosts.collect::<Vec<_>>()})
    };
    let check = json!({
        "timeout": "1s", "interval": "5s", "unhealthy_threshold": 3, "healthy_threshold": 2,
        "http_health_check": {"path": "/"},
    });
    let cluster = json!({
        "name": "shop",
        "health_checks": [check],
        "circuit_breakers": {"thresholds": [with(is(Place::Thresholds), json!({"max_retries": 1000}))]},
        "load_assignment": {"cluster_name": "shop", "endpoints": [zone("a", 0), zone("b", 1)]},
    });
    let retry = json!({
        "retry_on": "5xx",
        "num_retries": 1,
    });
    let route = json!({"cluster": "shop", "retry_policy": with(is(Place::Retry), retry)});
    let router = json!({
        "name": "router",
        "typed_config": {"@type": "type.googleapis.com/envoy.extensions.filters.http.router.v3.Router"},
    });
    let filters = if is(Place::Filter) {
        json!([setting, router])
    } else {
        json!([router])
    };
    let manager = json!({
        "@type": "type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager",
        "stat_prefix": "web",
        "http_filters": filters,
        "route_config": {"virtual_hosts": [{
            "name": "shop", "domains": ["*"],
            "routes": [{"match": {"prefix": "/"}, "route": with(is(Place::Route), route)}],
        }]},
    });
    let chain =
        json!({"filters": [{"name": "http", "typed_config": with(is(Place::Manager), manager)}]});
    let address = json!({"socket_address": {"address": "127.0.0.1", "port_value": 8080}});
    json!({"static_resources": {
        "listeners": [{"name": "web", "address": address, "filter_chains": [chain]}],
        "clusters": [with(is(Place::Cluster), cluster)],
    }})
}

fn incident(name: &str, config: &Value, args: &[&str]) -> Ran {
    let file = scratch(&format!("incident_limits_{name}")).join("envoy.json");
    fs::write(&file, config.to_string()).unwrap();
    let file = file.display().to_string();
    let ran = spillgate(&[&["incident", &file], args].concat());
    assert!(ran.status < 2, "{}", ran.stderr);
    ran
}

/// The mean number of requests that fail.
fn failed(name: &str, config: &Value, args: &[&str]) -> f64 {
    cluster(name, config, args)["failed"]["mean"]
        .as_f64()
        .unwrap()
}

/// The answer about the cluster.
fn cluster(name: &str, config: &Value, args: &[&str]) -> Value {
    let ran = incident(name, config, &[args, &["--format", "json"]].concat());
    let mut answer: Value = serde_json::from_str(&ran.stdout).unwrap();
    answer["clusters"][0].take()
}

fn typed(kind: &str) -> Value {
    json!({
        "name": kind,
        "typed_config": {"@type": format!("type.googleapis.com/envoy.extensions.filters.http.{kind}")},
    })
}

#[test]
fn settings_that_decide_over_time_and_are_not_modeled_are_named() {
    let second = json!("2s");
    let protocol = json!({"envoy.extensions.upstreams.http.v3.HttpProtocolOptions": {
        "@type": "type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions",
        "common_http_protocol_options": {"max_stream_duration": "2s"},
        "explicit_http_config": {"http_protocol_options": {}},
    }});
    let cases = [
        (
            Place::Route,
            json!({"idle_timeout": second}),
            "idle_timeout",
        ),
        (
            Place::Route,
            json!({"max_stream_duration": {"max_stream_duration": second}}),
            "max_stream_duration",
        ),
        (
            Place::Route,
            json!({"hedge_policy": {"hedge_on_per_try_timeout": true}}),
            "hedge_policy",
        ),
        (
            Place::Retry,
            json!({"per_try_idle_timeout": second}),
            "per_try_idle_timeout",
        ),
        (
            Place::Retry,
            json!({"retriable_headers": [{"name": "x-again", "present_match": true}]}),
            "retriable_headers",
        ),
        (
            Place::Manager,
            json!({"stream_idle_timeout": second}),
            "stream_idle_timeout",
        ),
        (
            Place::Manager,
            json!({"common_http_protocol_options": {"max_stream_duration": second}}),
            "max_stream_duration",
        ),
        (
            Place::Cluster,
            json!({"typed_extension_protocol_options": protocol}),
            "max_stream_duration",
        ),
        (
            Place::Cluster,
            json!({"close_connections_on_host_health_failure": true}),
            "close_connections_on_host_health_failure",
        ),
        (
            Place::Endpoint,
            json!({"health_check_config": {"disable_active_health_check": true}}),
            "disable_active_health_check",
        ),
        (
            Place::Cluster,
            json!({"circuit_breakers": {"per_host_thresholds": [{"max_connections": 1}]}}),
            "per_host_thresholds",
        ),
        (
            Place::Thresholds,
            json!({"max_connection_pools": 1}),
            "max_connection_pools",
        ),
        (
            Place::Thresholds,
            json!({"retry_budget": {"budget_interval": second}}),
            "budget_interval",
        ),
        (
            Place::Filter,
            typed("admission_control.v3.AdmissionControl"),
            "HTTP filter admission_control",
        ),
        (
            Place::Filter,
            typed("fault.v3.HTTPFault"),
            "HTTP filter fault",
        ),
    ];
    for (number, (place, setting, name)) in cases.into_iter().enumerate() {
        let config = bootstrap(place, &setting);
        let args = ["--timeout", "zone=a@10s..70s"];
        let ran = incident(&format!("named_{number}"), &config, &args);
        let named = format!("can differ: {name} is not modeled; ");
        assert!(ran.stdout.contains(&named), "{setting}: {}", ran.stdout);
        let json = incident(
            &format!("named_{number}_json"),
            &config,
            &[&args[..], &["--format", "json"]].concat(),
        );
        let json: Value = serde_json::from_str(&json.stdout).unwrap();
        let limits = json["limits"].to_string();
        assert!(limits.contains(name), "{setting}: {limits}");
    }
}

#[test]
fn settings_without_an_effect_are_not_named() {
    for (number, (place, setting)) in [
        (Place::Route, json!({"timeout": "0s"})),
        (Place::Route, json!({"max_stream_duration": {}})),
        (Place::Thresholds, json!({"max_requests": 5000})),
        (
            Place::Thresholds,
            json!({"retry_budget": {"budget_interval": "0s"}}),
        ),
        (
            Place::Endpoint,
            json!({"health_check_config": {"port_value": 81}}),
        ),
    ]
    .into_iter()
    .enumerate()
    {
        let config = bootstrap(place, &setting);
        let args = ["--fail", "zone=a@10s..70s"];
        let ran = incident(&format!("silent_{number}"), &config, &args);
        assert!(
            !ran.stdout.contains("can differ"),
            "{setting}: {}",
            ran.stdout
        );
    }
}

/// 50 requests per second to hosts that do not answer wait for 15 s, and 33 until the end of their checks.
#[test]
fn circuit_breakers_refuse_requests_while_others_wait() {
    let args = ["--timeout", "zone=a@10s..70s", "--service-time", "20ms"];
    let refused = |name: &str, thresholds: Value| {
        let config = bootstrap(Place::Thresholds, &thresholds);
        let answer = cluster(name, &config, &args);
        (answer["refused"]["mean"].as_f64().unwrap(), answer)
    };
    assert_eq!(refused("breaker_wide", json!({})).0, 0.0);
    let (few, answer) = refused("breaker_narrow", json!({"max_requests": 100}));
    assert!(few > 500.0, "{few}");
    let text = answer["sentences"].to_string();
    let expected = "of the requests with 503 (UO), also those to hosts that work";
    assert!(text.contains(expected), "{text}");
    let connections = json!({"max_connections": 100, "max_pending_requests": 100});
    let (late, answer) = refused("breaker_connections", connections);
    assert!(late > 100.0 && late < few, "{late} {few}");
    let text = answer["sentences"].to_string();
    assert!(text.contains("those to hosts that answer late"), "{text}");
}

/// A stated time of answers takes the place of what is not known about active requests.
#[test]
fn active_requests_depend_on_the_time_of_answers() {
    let config = bootstrap(
        Place::Thresholds,
        &json!({"max_requests": 20, "max_retries": 2}),
    );
    let args = ["--fail", "host=10.0.0.1:80@10s..70s"];
    let known = |name: &str, more: &[&str]| {
        let answer = cluster(name, &config, &[&args[..], more].concat());
        let doubts = answer["doubts"].to_string();
        (doubts, answer["refused"]["mean"].as_f64().unwrap())
    };
    let (doubts, refused) = known("answers_unknown", &[]);
    for named in [
        "max_requests 20 refuses requests with 503 (UO) if answers take more than about 200 ms",
        "max_retries 2 prevents more of them if answers take long",
    ] {
        assert!(doubts.contains(named), "{doubts}");
    }
    assert_eq!(refused, 0.0);
    let (doubts, refused) = known("answers_slow", &["--service-time", "300ms"]);
    assert!(!doubts.contains("service time"), "{doubts}");
    assert!(refused > 1000.0, "{refused}");
}

/// Answers about one moment do not depend on them.
#[test]
fn answers_about_one_moment_have_no_such_limits() {
    let config = bootstrap(Place::Route, &json!({"idle_timeout": "2s"}));
    let file = scratch("incident_limits_moment").join("envoy.json");
    fs::write(&file, config.to_string()).unwrap();
    let file = file.display().to_string();
    for command in ["split", "what-if"] {
        let ran = spillgate(&[command, &file]);
        assert!(!ran.stdout.contains("idle_timeout"), "{}", ran.stdout);
        assert!(!ran.stderr.contains("idle_timeout"), "{}", ran.stderr);
    }
}

#[test]
fn the_route_decides_the_subset() {
    let mut config = bootstrap(
        Place::Route,
        &json!({"metadata_match": {"filter_metadata": {"envoy.lb": {"v": "1"}}}}),
    );
    let cluster = &mut config["static_resources"]["clusters"][0];
    cluster["lb_subset_config"] = json!({
        "fallback_policy": "NO_FALLBACK",
        "subset_selectors": [{"keys": ["v"]}],
    });
    let hosts = cluster["load_assignment"]["endpoints"][0]["lb_endpoints"].as_array_mut();
    for host in hosts.unwrap() {
        host["metadata"] = json!({"filter_metadata": {"envoy.lb": {"v": "1"}}});
    }
    let args = ["--errors", "host=10.0.0.1:80:100%@10s..70s"];
    // A third of the requests of the subset fail, and a third of their retries.
    let found = failed("subset", &config, &args);
    assert!((found - 6000.0 / 9.0).abs() < 0.1, "{found}");
    let other = [&args[..], &["--criteria", "v=2"]].concat();
    assert_eq!(failed("subset_given", &config, &other), 18_000.0);
}

/// Two attempts of 10 s do not fit into 15 s: the second one ends with the request.
#[test]
fn the_timeout_of_a_request_includes_its_retries() {
    for (timeout, expected) in [("15s", 6000.0 / 4.0), ("60s", 6000.0 / 16.0)] {
        let mut config = bootstrap(
            Place::Route,
            &json!({
                "timeout": timeout,
                "retry_policy": {"retry_on": "5xx", "num_retries": 3, "per_try_timeout": "10s"},
            }),
        );
        config["static_resources"]["clusters"][0]["health_checks"][0]["interval"] = json!("600s");
        let args = ["--timeout", "zone=a@10s..70s"];
        let found = failed(&format!("timeout_{timeout}"), &config, &args);
        assert!((found - expected).abs() < 1.0, "{timeout}: {found}");
    }
}

/// Requests of 10 s time out after 15 s, among those that the host answers again.
#[test]
fn turns_decide_whether_waiting_requests_eject_a_host_that_works_again() {
    for (policy, span, known) in [
        ("ROUND_ROBIN", "10s..20s", false),
        ("RANDOM", "10s..20s", true),
        ("ROUND_ROBIN", "10s..30s", true),
    ] {
        let setting = json!({
            "lb_policy": policy,
            "health_checks": [],
            "outlier_detection": {"max_ejection_percent": 50},
        });
        let config = bootstrap(Place::Cluster, &setting);
        let event = format!("host=10.0.0.1:80@{span}");
        let ran = incident("recovered", &config, &["--timeout", &event]);
        let doubt = "requests that wait when a host of shop works again time out among those";
        assert_eq!(!ran.stdout.contains(doubt), known, "{}", ran.stdout);
    }
}

#[test]
fn retriable_status_codes_are_those_of_the_policy() {
    for (codes, expected) in [(json!([500]), 1500.0), (json!([503]), 3000.0)] {
        let mut config = bootstrap(
            Place::Route,
            &json!({"retry_policy": {
                "retry_on": "retriable-status-codes",
                "retriable_status_codes": codes,
                "num_retries": 1,
            }}),
        );
        config["static_resources"]["clusters"][0]["health_checks"][0]["interval"] = json!("600s");
        let args = ["--errors", "zone=a:100%@10s..70s"];
        let found = failed(&format!("codes_{expected}"), &config, &args);
        assert!((found - expected).abs() < 0.1, "{codes}: {found}");
    }
}

/// Round robin chooses the next host after a tried one: of three failing hosts in a row, two are followed by another
/// failing one.
#[test]
fn hosts_that_retries_avoid_are_followed_one_by_one() {
    let predicate = json!({
        "name": "envoy.retry_host_predicates.previous_hosts",
        "typed_config": {"@type": "type.googleapis.com/envoy.extensions.retry.host.previous_hosts.v3.PreviousHostsPredicate"},
    });
    for (policy, expected) in [("ROUND_ROBIN", 3000.0 * 4.0 / 9.0), ("RANDOM", 1250.0)] {
        let mut config = bootstrap(Place::Retry, &json!({"retry_host_predicate": [predicate]}));
        let cluster = &mut config["static_resources"]["clusters"][0];
        cluster["lb_policy"] = json!(policy);
        cluster["health_checks"][0]["interval"] = json!("600s");
        let args = ["--fail", "zone=a@10s..70s"];
        let found = failed(&format!("previous_{policy}"), &config, &args);
        assert!((found - expected).abs() < 0.1, "{policy}: {found}");
    }
}

/// With few requests for a worker, each retry takes the turn of a request that would not fail.
#[test]
fn retries_that_take_turns_of_other_requests_are_named() {
    let named = "up to 50 %, not 33 %";
    let args = [
        "--errors",
        "host=10.0.0.1:80:100%@10s..70s",
        "--errors",
        "host=10.0.0.2:80:100%@20s..70s",
    ];
    for (policy, retry_on, expected) in [
        ("ROUND_ROBIN", "5xx", true),
        ("RANDOM", "5xx", false),
        ("ROUND_ROBIN", "connect-failure", false),
    ] {
        let policies = json!({"retry_policy": {"retry_on": retry_on, "num_retries": 1}});
        let mut config = bootstrap(Place::Route, &policies);
        config["static_resources"]["clusters"][0]["lb_policy"] = json!(policy);
        let answer = cluster(&format!("turns_{policy}_{retry_on}"), &config, &args);
        let doubts = answer["doubts"].to_string();
        assert_eq!(
            doubts.contains(named),
            expected,
            "{policy} {retry_on}: {doubts}"
        );
    }
}

/// The connection suffices, unless bytes are expected.
#[test]
fn checks_of_connections_do_not_notice_hosts_that_do_not_answer() {
    for (check, noticed) in [
        (json!({}), false),
        (json!({"receive": [{"text": "00"}]}), true),
    ] {
        let mut config = bootstrap(Place::Route, &json!({}));
        config["static_resources"]["clusters"][0]["health_checks"] = json!([{
            "timeout": "1s", "interval": "5s", "unhealthy_threshold": 3, "healthy_threshold": 2,
            "tcp_health_check": check,
        }]);
        let args = ["--timeout", "zone=a@10s..70s"];
        let answer = cluster(&format!("tcp_{noticed}"), &config, &args);
        let not_noticed = answer["not_noticed"].as_u64();
        assert_eq!(not_noticed, Some(if noticed { 0 } else { 3 }), "{check}");
    }
}

/// `split`, `what-if` and `fleet` answer for requests without criteria, and say so if routes have some.
#[test]
fn answers_without_criteria_name_those_of_routes() {
    let mut config = bootstrap(
        Place::Route,
        &json!({"metadata_match": {"filter_metadata": {"envoy.lb": {"v": "1"}}}}),
    );
    let file = scratch("incident_limits_criteria").join("envoy.json");
    let run = |config: &Value, args: &[&str]| {
        fs::write(&file, config.to_string()).unwrap();
        let file = file.display().to_string();
        let (command, further) = args.split_first().unwrap();
        spillgate(&[&[command, file.as_str()], further].concat()).stderr
    };
    let named = "routes to shop choose a subset (v=1): --criteria v=1 answers for their requests";
    let commands: [&[&str]; 3] = [
        &["split"],
        &["what-if", "--lose", "zone=a:1"],
        &["fleet", "--callers", "a=1", "--rps", "10"],
    ];
    for command in commands {
        // A cluster without subsets ignores criteria.
        assert!(!run(&config, command).contains("choose a subset"));
    }
    config["static_resources"]["clusters"][0]["lb_subset_config"] =
        json!({"fallback_policy": "NO_FALLBACK", "subset_selectors": [{"keys": ["v"]}]});
    for command in commands {
        let found = run(&config, command);
        assert!(found.contains(named), "{command:?}: {found}");
        let stated = [command, &["--criteria", "v=1"]].concat();
        assert!(!run(&config, &stated).contains("choose a subset"));
    }
}

/// A hash chooses the same host again, unless the retry avoids it.
#[test]
fn retries_of_requests_with_a_hash_go_to_the_same_host() {
    let failed = |name: &str, predicates: Value| {
        let mut config = bootstrap(Place::Route, &json!({}));
        config["static_resources"]["clusters"][0]["lb_policy"] = json!("RING_HASH");
        let route = "/static_resources/listeners/0/filter_chains/0/filters/0/typed_config/route_config/virtual_hosts/0/routes/0/route";
        let route = config.pointer_mut(route).unwrap();
        route["hash_policy"] = json!([{"header": {"header_name": "x-user"}}]);
        route["retry_policy"] = json!({
            "retry_on": "connect-failure", "num_retries": 2, "retry_host_predicate": predicates,
        });
        let args = ["--fail", "host=10.0.0.1:80@10s..70s", "--until", "30s"];
        let answer = cluster(name, &config, &args);
        let part = |key: &str| answer[key]["mean"].as_f64().unwrap();
        (part("failed"), part("retried"))
    };
    let (same, retried) = failed("hash_same", json!([]));
    assert!(same > 50.0, "{same}");
    assert!(
        (retried - 2.0 * same).abs() < 1e-6 * retried,
        "{same} {retried}"
    );
    let previous = json!([{"name": "p", "typed_config": {
        "@type": "type.googleapis.com/envoy.extensions.retry.host.previous_hosts.v3.PreviousHostsPredicate",
    }}]);
    let (other, _) = failed("hash_other", previous);
    assert!(other < 1.0, "{other}");
}

/// Envoy 1.40 refused 395 of 500 requests to connections that each answer once in a second, and failed all whose answers
/// took longer than the timeout.
#[test]
fn long_answers_take_connections_and_time_out() {
    let load = [
        "--errors",
        "host=10.0.0.1:80:1%@0s..9s",
        "--until",
        "10s",
        "--rps",
        "50",
    ];
    let failed_of = |name: &str, place: Place, setting: Value, time: &str| {
        let args = [&load[..], &["--service-time", time]].concat();
        failed(name, &bootstrap(place, &setting), &args)
    };
    let limits = json!({"max_connections": 10, "max_pending_requests": 5});
    let refused = failed_of("long_connections", Place::Thresholds, limits, "1s");
    assert!((refused - 395.0).abs() < 20.0, "{refused}");
    let late = failed_of(
        "long_timeout",
        Place::Route,
        json!({"timeout": "0.5s"}),
        "1s",
    );
    assert!(late > 495.0, "{late}");
    for setting in ["max_requests", "max_pending_requests"] {
        let name = format!("zero_{setting}");
        let refused = failed_of(&name, Place::Thresholds, json!({setting: 0}), "1ms");
        assert!(refused > 495.0, "{setting} {refused}");
    }
}

#[test]
fn misspelled_settings_of_health_are_errors() {
    let config = |field: &str, wrong: &str| {
        let mut config = bootstrap(Place::Route, &json!({}));
        let cluster = &mut config["static_resources"]["clusters"][0];
        match field {
            "outlier_detection" => cluster[field] = json!({wrong: 5}),
            _ => cluster[field][0][wrong] = json!("1s"),
        }
        config
    };
    for (field, wrong) in [
        ("outlier_detection", "consecutive_5x"),
        ("health_checks", "unhealty_interval"),
    ] {
        let args = ["--fail", "zone=a@10s..70s"];
        let file = scratch(&format!("incident_limits_misspelled_{field}")).join("envoy.json");
        fs::write(&file, config(field, wrong).to_string()).unwrap();
        let ran = spillgate(&[&["incident", &*file.display().to_string()], &args[..]].concat());
        assert_eq!(ran.status, 2, "{}", ran.stdout);
        assert!(ran.stderr.contains(wrong), "{}", ran.stderr);
    }
}

/// The answer has the route whose requests fail first.
#[test]
fn the_shortest_timeout_of_several_routes_counts() {
    let mut config = bootstrap(Place::Route, &json!({"timeout": "10s"}));
    let routes = "/static_resources/listeners/0/filter_chains/0/filters/0/typed_config/route_config/virtual_hosts/0/routes";
    let routes = config.pointer_mut(routes).unwrap().as_array_mut().unwrap();
    let mut second = routes[0].clone();
    second["route"]["timeout"] = json!("1s");
    second["match"] = json!({"prefix": "/quick"});
    routes.push(second);
    let args = ["--slow", "zone=a:2s@10s..70s", "--expect", "failed <= 0.1%"];
    let ran = incident("several_timeouts", &config, &args);
    assert_eq!(ran.status, 1, "{}", ran.stdout);
    assert!(
        ran.stdout.contains("with the shortest timeout"),
        "{}",
        ran.stdout
    );
}
