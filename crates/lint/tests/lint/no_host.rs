//! Routes and clusters without a host for any request.

use serde_json::{Value, json};

use crate::common::changed::{cluster, findings, flagged, routes};

#[test]
fn criteria_without_a_host_are_found_if_nothing_serves_their_requests() {
    let rule = "subset-route-no-host";
    assert_eq!(findings(rule, |_| {}).len(), 1);
    let asked = |values: Value| {
        move |config: &mut Value| {
            routes(config)[0]["route"]["metadata_match"]["filter_metadata"]["envoy.lb"] = values;
        }
    };
    assert!(!flagged(rule, asked(json!({"stage": "prod"}))));
    // No selector has these keys: another rule.
    assert!(!flagged(rule, asked(json!({"version": "prdo"}))));
    assert!(!flagged(rule, |config| {
        cluster(config)["lb_subset_config"]["fallback_policy"] = json!("ANY_ENDPOINT");
    }));
    assert!(!flagged(rule, |config| {
        let selectors = &mut cluster(config)["lb_subset_config"]["subset_selectors"];
        selectors[0]["fallback_policy"] = json!("ANY_ENDPOINT");
    }));
    // A value that only has another type is another rule.
    let typed = |own: Value, asked: Value| {
        move |config: &mut Value| {
            let hosts = &mut cluster(config)["load_assignment"]["endpoints"][0]["lb_endpoints"];
            for host in hosts.as_array_mut().unwrap() {
                host["metadata"]["filter_metadata"]["envoy.lb"]["stage"] = own.clone();
            }
            routes(config)[0]["route"]["metadata_match"]["filter_metadata"]["envoy.lb"]["stage"] =
                asked;
        }
    };
    assert!(!flagged(rule, typed(json!(1), json!("1"))));
    assert!(flagged(rule, typed(json!(["prod"]), json!("prod"))));
    assert!(!flagged(rule, |config| {
        typed(json!(["prod"]), json!("prod"))(config);
        cluster(config)["lb_subset_config"]["list_as_any"] = json!(true);
    }));
    // A filter can set another value.
    assert!(!flagged(rule, |config| {
        let filters =
            "/static_resources/listeners/0/filter_chains/0/filters/0/typed_config/http_filters";
        let filters = config.pointer_mut(filters).unwrap().as_array_mut().unwrap();
        filters.insert(0, json!({
            "name": "h",
            "typed_config": {
                "@type": "type.googleapis.com/envoy.extensions.filters.http.header_to_metadata.v3.Config",
                "request_rules": [{
                    "header": "x-stage",
                    "on_header_present": {"metadata_namespace": "envoy.lb", "key": "stage", "type": "STRING"}
                }]
            }
        }));
    }));
}

/// Envoy 1.40.0: all of 20 requests get 503.
#[test]
fn an_assignment_that_drops_all_requests_is_found() {
    let rule = "drop-overload-all";
    let percent = |numerator: u32, unit: &'static str| {
        move |config: &mut Value| {
            let policy = &mut cluster(config)["load_assignment"]["policy"];
            policy["drop_overloads"][0]["drop_percentage"] =
                json!({"numerator": numerator, "denominator": unit});
        }
    };
    assert!(flagged(rule, |_| {}));
    assert!(flagged(rule, percent(10_000, "TEN_THOUSAND")));
    assert!(!flagged(rule, percent(9_999, "TEN_THOUSAND")));
    assert!(!flagged(rule, |config| {
        let limit =
            json!({"name": "a", "static_layer": {"load_balancing_policy.drop_overload_limit": 99}});
        config["layered_runtime"] = json!({"layers": [limit]});
    }));
    assert!(!flagged(rule, |config| {
        let filters =
            &mut config["static_resources"]["listeners"][0]["filter_chains"][0]["filters"];
        filters[0] = json!({
            "name": "t",
            "typed_config": {
                "@type": "type.googleapis.com/envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy",
                "stat_prefix": "t",
                "cluster": "c"
            }
        });
    }));
}
