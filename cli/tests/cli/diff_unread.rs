//! What a change says about settings that `spillgate diff` does not compare.

use std::fs;

use serde_json::{Value, json};

use crate::diff::{diff, diff_of, web};
use crate::run::{Ran, scratch};

/// A connection manager with two hosts, with a setting at a place.
fn config(place: &str, setting: &Value) -> Value {
    let host = |number: u8| {
        let address =
            json!({"socket_address": {"address": format!("10.0.0.{number}"), "port_value": 80}});
        json!({"endpoint": {"address": address}})
    };
    let mut config = json!({"static_resources": {
        "listeners": [web(&json!({"virtual_hosts": [{
            "name": "shop", "domains": ["*"],
            "routes": [{"match": {"prefix": "/"}, "route": {"cluster": "shop"}}],
        }]}))],
        "clusters": [{
            "name": "shop",
            "load_assignment": {"cluster_name": "shop", "endpoints": [
                {"lb_endpoints": [host(1), host(2)]},
            ]},
        }],
    }});
    let target = config.pointer_mut(place).unwrap().as_object_mut().unwrap();
    target.extend(setting.as_object().unwrap().clone());
    config
}

const RESOURCES: &str = "/static_resources";
const LISTENER: &str = "/static_resources/listeners/0";
const MANAGER: &str = "/static_resources/listeners/0/filter_chains/0/filters/0/typed_config";
const ROUTE: &str = "/static_resources/listeners/0/filter_chains/0/filters/0/typed_config/route_config/virtual_hosts/0/routes/0/route";
const CLUSTER: &str = "/static_resources/clusters/0";
const VIRTUAL_HOST: &str = "/static_resources/listeners/0/filter_chains/0/filters/0/typed_config/route_config/virtual_hosts/0";
const LOCALITY: &str = "/static_resources/clusters/0/load_assignment/endpoints/0";

fn compared(name: &str, sides: [&Value; 2], args: &[&str]) -> Ran {
    diff_of(&format!("diff_unread_{name}"), sides, args)
}

#[test]
fn fields_that_choose_no_host_and_differ_are_named() {
    let plain = config(RESOURCES, &json!({}));
    for (number, (place, setting, named)) in [
        (
            MANAGER,
            json!({"codec_type": "HTTP2"}),
            "codec_type of HttpConnectionManager",
        ),
        (
            MANAGER,
            json!({"http_protocol_options": {"accept_http_10": true}}),
            "http_protocol_options of HttpConnectionManager",
        ),
        (ROUTE, json!({"timeout": "5s"}), "timeout of RouteAction"),
        (
            MANAGER,
            json!({"proxy_status_config": {"set_recommended_response_code": true}}),
            "proxy_status_config of HttpConnectionManager",
        ),
        (
            MANAGER,
            json!({"forward_client_cert_details": "APPEND_FORWARD"}),
            "forward_client_cert_details of HttpConnectionManager",
        ),
        (
            ROUTE,
            json!({"auto_host_rewrite": true}),
            "auto_host_rewrite of RouteAction",
        ),
        (
            VIRTUAL_HOST,
            json!({"include_request_attempt_count": true}),
            "include_request_attempt_count of VirtualHost",
        ),
        (
            CLUSTER,
            json!({"common_lb_config": {"ignore_new_hosts_until_first_hc": true}}),
            "ignore_new_hosts_until_first_hc of Cluster.CommonLbConfig",
        ),
        (
            LOCALITY,
            json!({"metadata": {"filter_metadata": {"envoy.transport_socket_match": {"tls": "1"}}}}),
            "metadata of LocalityLbEndpoints",
        ),
        (
            CLUSTER,
            json!({"connect_timeout": "1s"}),
            "connect_timeout of Cluster",
        ),
        (
            CLUSTER,
            json!({"transport_socket": {"name": "envoy.transport_sockets.raw_buffer"}}),
            "transport_socket of Cluster",
        ),
    ]
    .into_iter()
    .enumerate()
    {
        let changed = config(place, &setting);
        let name = format!("named_{number}");
        let ran = compared(&name, [&plain, &changed], &["--expect", "no new 503"]);
        let text = &ran.stdout;
        let first = "Every request gets the same route and host (proved for 1 cluster and 1 listener); a setting that is not compared differs";
        assert!(text.starts_with(first), "{setting}: {text}");
        assert!(text.contains(named), "{setting}: {text}");
        assert!(text.contains("FAILS no new 503"), "{setting}: {text}");
        let same = compared(&format!("{name}_same"), [&changed, &changed], &[]);
        assert!(
            same.stdout.starts_with("No request differs (proved"),
            "{}",
            same.stdout
        );
    }
}

#[test]
fn logs_and_names_of_statistics_change_no_request() {
    let plain = config(RESOURCES, &json!({}));
    for (number, (place, setting)) in [
        (MANAGER, json!({"stat_prefix": "other"})),
        (CLUSTER, json!({"alt_stat_name": "other"})),
        (ROUTE, json!({"auto_host_rewrite": false})),
        (
            VIRTUAL_HOST,
            json!({"include_request_attempt_count": false}),
        ),
    ]
    .into_iter()
    .enumerate()
    {
        let changed = config(place, &setting);
        let ran = compared(&format!("logs_{number}"), [&plain, &changed], &[]);
        assert!(
            ran.stdout.starts_with("No request differs (proved"),
            "{}",
            ran.stdout
        );
    }
}

/// What listener filters find decides which filter chain serves.
#[test]
fn listener_filters_that_differ_prove_nothing() {
    let inspector = json!({"listener_filters": [{
        "name": "http",
        "typed_config": {"@type": "type.googleapis.com/envoy.extensions.filters.listener.http_inspector.v3.HttpInspector"},
    }]});
    let sides = [config(LISTENER, &inspector), config(RESOURCES, &json!({}))];
    let ran = compared("listener_filters", [&sides[0], &sides[1]], &[]);
    assert!(
        ran.stdout
            .starts_with("Settings that are not modeled differ"),
        "{}",
        ran.stdout
    );
}

/// Envoy 1.40 answers an upgrade that is not configured with 403.
#[test]
fn upgrades_that_differ_prove_nothing() {
    let upgrade = json!({"upgrade_configs": [{"upgrade_type": "websocket"}]});
    let sides = [config(MANAGER, &upgrade), config(RESOURCES, &json!({}))];
    let ran = compared("upgrades", [&sides[0], &sides[1]], &[]);
    ran.assert_output_has("Settings that are not modeled differ");
    ran.assert_output_has("requests with an upgrade can be refused");
    ran.assert_output_has("proved equal: 1 cluster and 0 listeners");
}

/// What a new or removed cluster does to requests is shown as its routes.
#[test]
fn fields_of_clusters_that_one_side_has_do_not_differ() {
    let old = config(CLUSTER, &json!({"connect_timeout": "1s"}));
    let mut new = old.clone();
    let mut other = new.pointer(CLUSTER).unwrap().clone();
    other["name"] = json!("other");
    other["load_assignment"] = json!({"cluster_name": "other"});
    let clusters = new.pointer_mut("/static_resources/clusters").unwrap();
    clusters.as_array_mut().unwrap().push(other);
    let ran = compared("one_sided", [&old, &new], &[]);
    ran.assert_output_has("cluster other: added");
    assert!(!ran.stdout.contains("connect_timeout"), "{}", ran.stdout);
}

/// Requests can name the cluster that is gone.
#[test]
fn clusters_that_headers_name_cannot_be_renamed_without_a_doubt() {
    let mut old = config(ROUTE, &json!({"cluster_header": "x-cluster"}));
    old.pointer_mut(ROUTE)
        .unwrap()
        .as_object_mut()
        .unwrap()
        .remove("cluster");
    let mut new = old.clone();
    *new.pointer_mut("/static_resources/clusters/0/name")
        .unwrap() = json!("store");
    for expected in ["no new 503", "no route change", "moved <= 0%"] {
        let ran = compared("renamed", [&old, &new], &["--expect", expected]);
        assert_eq!(ran.status, 1, "{}", ran.stdout);
        assert!(
            ran.stdout
                .contains("name their cluster in the header x-cluster"),
            "{}",
            ran.stdout
        );
    }
}

/// Chains with the same conditions are the same chain, wherever they are.
#[test]
fn filter_chains_are_compared_by_their_conditions() {
    let mut old = config(RESOURCES, &json!({}));
    let chains = old
        .pointer_mut(&format!("{LISTENER}/filter_chains"))
        .unwrap();
    let chains = chains.as_array_mut().unwrap();
    let mut second = chains[0].clone();
    second["filters"][0]["typed_config"]["route_config"]["virtual_hosts"][0]["name"] =
        json!("second");
    chains[0]["filter_chain_match"] = json!({"destination_port": 1});
    second["filter_chain_match"] = json!({"destination_port": 2});
    second["filters"][0]["typed_config"]["route_config"]["virtual_hosts"][0]["routes"][0]["route"] =
        json!({"cluster": "shop", "prefix_rewrite": "/second"});
    chains.push(second);
    let mut new = old.clone();
    let chains = new
        .pointer_mut(&format!("{LISTENER}/filter_chains"))
        .unwrap();
    chains.as_array_mut().unwrap().reverse();
    let ran = compared("chains", [&old, &new], &["--expect", "no route change"]);
    assert_eq!(ran.status, 0, "{}", ran.stdout);
    assert!(
        ran.stdout.starts_with("No request differs (proved"),
        "{}",
        ran.stdout
    );
}

#[test]
fn the_order_of_keys_is_no_difference() {
    let options = json!({"http_protocol_options": {
        "accept_http_10": true, "default_host_for_http_10": "shop",
    }});
    let old = config(MANAGER, &options).to_string();
    let keys = [
        "\"accept_http_10\":true",
        "\"default_host_for_http_10\":\"shop\"",
    ];
    let new = old.replace(&keys.join(","), &[keys[1], keys[0]].join(","));
    assert_ne!(old, new);
    let folder = scratch("diff_unread_keys");
    let files = [("old.json", old), ("new.json", new)].map(|(file, text)| {
        let file = folder.join(file);
        fs::write(&file, text).unwrap();
        file.display().to_string()
    });
    let ran = diff(&[&files[0], &files[1]]);
    assert!(
        ran.stdout.starts_with("No request differs (proved"),
        "{}",
        ran.stdout
    );
}

#[test]
fn retries_that_leave_out_canaries_read_their_mark() {
    let retry = json!({"retry_policy": {
        "retry_on": "5xx",
        "retry_host_predicate": [{
            "name": "canary",
            "typed_config": {"@type": "type.googleapis.com/envoy.extensions.retry.host.omit_canary_hosts.v3.OmitCanaryHostsPredicate"},
        }],
    }});
    let old = config(ROUTE, &retry);
    let mut new = old.clone();
    let host = format!("{CLUSTER}/load_assignment/endpoints/0/lb_endpoints/0");
    new.pointer_mut(&host).unwrap()["metadata"] =
        json!({"filter_metadata": {"envoy.lb": {"canary": true}}});
    let ran = compared("canary", [&old, &new], &[]);
    assert!(
        ran.stdout.starts_with("1 cluster changes"),
        "{}",
        ran.stdout
    );
}

/// One value in two forms.
#[test]
fn forms_of_times_and_numbers_are_no_difference() {
    for (number, (place, old, new, is_same)) in [
        (
            CLUSTER,
            json!({"connect_timeout": "1s"}),
            json!({"connect_timeout": "1.000s"}),
            true,
        ),
        (
            ROUTE,
            json!({"idleTimeout": "0.500s"}),
            json!({"idleTimeout": "0.5s"}),
            true,
        ),
        (
            CLUSTER,
            json!({"connect_timeout": "1s"}),
            json!({"connect_timeout": "1.001s"}),
            false,
        ),
        (
            CLUSTER,
            json!({"max_requests_per_connection": 10}),
            json!({"max_requests_per_connection": 10.0}),
            true,
        ),
        (
            MANAGER,
            json!({"server_name": "1s"}),
            json!({"server_name": "1.0s"}),
            false,
        ),
    ]
    .into_iter()
    .enumerate()
    {
        let sides = (config(place, &old), config(place, &new));
        let ran = compared(&format!("forms_{number}"), [&sides.0, &sides.1], &[]);
        let proved = ran.stdout.starts_with("No request differs (proved");
        assert_eq!(proved, is_same, "{old} {new}\n{}", ran.stdout);
    }
}

/// Metadata and names that only formatters and headers of requests show.
#[test]
fn what_formatters_write_is_compared_if_there_are_any() {
    let with = |(place, setting): &(&str, Value), other: &Value| {
        let mut side = config(place, setting);
        let (place, setting) = (other[0].as_str().unwrap(), &other[1]);
        let target = side.pointer_mut(place).unwrap().as_object_mut().unwrap();
        target.extend(setting.as_object().unwrap().clone());
        side
    };
    let header = |value: &str| {
        let header = json!({"header": {"key": "x-shown", "value": value}});
        (VIRTUAL_HOST, json!({"request_headers_to_add": [header]}))
    };
    let agent = (MANAGER, json!({"add_user_agent": true}));
    let host = "/static_resources/clusters/0/load_assignment/endpoints/0/lb_endpoints/0";
    let metadata = json!({"metadata": {"filter_metadata": {"x": {"y": "z"}}}});
    for (number, (shows, changed, named)) in [
        (
            header("%UPSTREAM_METADATA(x:y)%"),
            json!([host, metadata]),
            "metadata of LbEndpoint",
        ),
        (
            header("%CLUSTER_METADATA(x:y)%"),
            json!([CLUSTER, metadata]),
            "metadata of Cluster",
        ),
        (
            agent,
            json!(["", {"node": {"id": "a", "cluster": "green"}}]),
            "cluster of Node",
        ),
    ]
    .into_iter()
    .enumerate()
    {
        let none = json!([RESOURCES, {}]);
        let (old, new) = (with(&shows, &none), with(&shows, &changed));
        let ran = compared(&format!("shown_{number}"), [&old, &new], &[]);
        assert!(ran.stdout.contains(named), "{named}: {}", ran.stdout);
        let plain = (RESOURCES, json!({}));
        let (old, new) = (with(&plain, &none), with(&plain, &changed));
        let ran = compared(&format!("not_shown_{number}"), [&old, &new], &[]);
        let proved = ran.stdout.starts_with("No request differs (proved");
        assert!(proved, "{named}: {}", ran.stdout);
    }
}
