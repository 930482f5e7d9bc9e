//! Several routes.

use serde_json::json;

use crate::common::{AGGREGATE, TENANTS, WEIGHTED, adopted, module, refused, wasm};

const LAST: &str = "              - match: {prefix: /}\n";

/// The bootstrap with this route before the last one.
fn with_route(text: &str, route: &str) -> String {
    text.replacen(LAST, &format!("              - {route}\n{LAST}"), 1)
}

/// A cluster with one host.
fn with_cluster(text: &str, name: &str) -> String {
    format!(
        "{text}  - name: {name}\n    type: STATIC\n    connect_timeout: 1s\n    load_assignment:\n      cluster_name: {name}\n      \
         endpoints: [{{lb_endpoints: [{{endpoint: {{address: {{socket_address: {{address: 127.0.9.1, port_value: 28090}}}}}}}}]}}]\n"
    )
}

#[test]
fn routes_with_other_clusters_name_them_in_their_metadata() {
    let route = "match: {safe_regex: {regex: '/api/.*'}}\n                route: {cluster: api}\n                metadata: {filter_metadata: {mine: {a: 1}}}";
    let text = with_cluster(&with_route(WEIGHTED, route), "api");
    for options in [wasm(), module()] {
        let (result, config) = adopted(&text, &options);
        // The split stays the target.
        assert_eq!(config["weighted"][0]["cluster"], "shop-blue");
        assert_eq!(config["route_settings"], json!(true));
        assert_eq!(config["clusters"][2]["name"], "api");
        assert!(
            result
                .contains("metadata: {filter_metadata: {mine: {a: 1}, spillgate: {target: api}}}"),
            "{result}"
        );
        // Envoy has chosen the cluster of such a route.
        assert!(result.contains("route: {cluster: api}"), "{result}");
    }
}

#[test]
fn routes_with_other_criteria_name_them_in_their_metadata() {
    let route = "match: {prefix: /a}\n                route: {cluster: shop, metadata_match: {filter_metadata: {envoy.lb: {tenant: a}}}}";
    let (result, config) = adopted(&with_route(TENANTS, route), &module());
    // The header decides over the route, as in Envoy.
    assert_eq!(config["criteria"][0], json!({"route_metadata": true}));
    assert_eq!(
        config["criteria"][2],
        json!({"key": "tenant", "header": "x-tenant"})
    );
    assert!(
        result.contains(
            "metadata: {filter_metadata: {envoy.lb: {tenant: a}}}\n              - match: {prefix: /}"
        ),
        "{result}"
    );
}

#[test]
fn what_routes_cannot_share_is_refused_with_both_places() {
    let split = "match: {prefix: /b}\n                route: {weighted_clusters: {clusters: [{name: shop-blue, weight: 1}, {name: shop-green, weight: 1}]}}";
    let fault = refused(&with_route(WEIGHTED, split), &wasm());
    assert!(
        fault.contains("the filter has one weighted split"),
        "{fault}"
    );
    assert!(fault.contains("routes[1]"), "{fault}");
    let hash = "match: {prefix: /b}\n                route: {cluster: shop-blue, hash_policy: [{header: {header_name: x}}]}";
    let fault = refused(&with_route(WEIGHTED, hash), &wasm());
    assert!(fault.contains("the filter has one hash_policy"), "{fault}");
    let mut options = wasm();
    options.clusters = vec!["shop-green".into()];
    let (result, _) = adopted(&with_route(WEIGHTED, hash), &options);
    assert!(result.contains("FilterConfig"), "{result}");
    options.clusters = vec!["cart".into()];
    let fault = refused(WEIGHTED, &options);
    assert!(
        fault.contains("--cluster: no route leads to this cluster"),
        "{fault}"
    );
}

#[test]
fn a_mirror_of_an_isolated_cluster_is_refused() {
    let mirror = TENANTS.replace(
        "{cluster: shop}",
        "{cluster: shop, request_mirror_policies: [{cluster: shop}]}",
    );
    let fault = refused(&mirror, &wasm());
    assert!(
        fault.contains("request_mirror_policies[0].cluster"),
        "{fault}"
    );
    // The cluster that Envoy belongs to has no hosts.
    let node = format!("node: {{id: a, cluster: shop}}\n{TENANTS}");
    adopted(&node, &wasm());
    adopted(AGGREGATE, &wasm());
}

#[test]
fn what_the_filter_rejects_is_shown_where_it_is_written() {
    let cookie = TENANTS.replace(
        "{cluster: shop}",
        "{cluster: shop, hash_policy: [{cookie: {name: c, ttl: 60s}}]}",
    );
    let fault = refused(&cookie, &module());
    assert!(
        fault.contains("routes[0].route.hash_policy[0].cookie.ttl: "),
        "{fault}"
    );
    assert!(fault.starts_with("f.yaml:19:78: "), "{fault}");
    let policy = TENANTS.replace(
        "lb_subset_config:",
        "maglev_lb_config: {table_size: 4}\n    lb_policy: MAGLEV\n    lb_subset_config:",
    );
    let fault = refused(&policy, &module());
    assert!(
        fault.contains("static_resources.clusters[0].maglev_lb_config.table_size: "),
        "{fault}"
    );
}

#[test]
fn a_cookie_that_envoy_sets_is_refused_with_its_place() {
    let action = "                route:\n";
    assert!(WEIGHTED.contains(action), "{WEIGHTED}");
    let policy = "                  hash_policy: [{cookie: {name: user, ttl: 60s}}]\n";
    let text = WEIGHTED.replacen(action, &format!("{action}{policy}"), 1);
    for options in [wasm(), module()] {
        let fault = refused(&text, &options);
        assert!(fault.contains("hash_policy[0].cookie.ttl"), "{fault}");
        assert!(fault.contains("--sessions cookie"), "{fault}");
        adopted(&text.replace(", ttl: 60s", ""), &options);
    }
}

#[test]
fn runtime_values_that_decide_shares_are_errors() {
    for layer in [
        "{upstream.healthy_panic_threshold: 0}",
        "{upstream: {healthy_panic_threshold: 0}}",
    ] {
        let text = format!(
            "{WEIGHTED}layered_runtime: {{layers: [{{name: a, static_layer: {layer}}}]}}\n"
        );
        let fault = refused(&text, &wasm());
        assert!(
            fault.contains("static_layer.upstream")
                && fault
                    .contains("found upstream.healthy_panic_threshold, expected common_lb_config"),
            "{fault}"
        );
    }
    let text = format!(
        "{WEIGHTED}layered_runtime: {{layers: [{{name: a, static_layer: {{overload.global_downstream_max_connections: 5}}}}]}}\n"
    );
    adopted(&text, &wasm());
}

/// Faults of what the filter's configuration is made of are at the values in the file, also inside of lists.
#[test]
fn a_fault_inside_of_a_list_has_its_own_line() {
    for (before, after, at) in [
        ("weight: 10\n", "weight: ninety\n", "clusters[1].weight"),
        ("weight: 90\n", "weight: {a: 1}\n", "clusters[0].weight"),
        // An entry without requests is not in the filter's configuration.
        (
            "- name: shop-blue\n                      weight: 90\n",
            "- name: idle\n                      weight: 0\n                    - name: shop-blue\n                      \
             weight: ninety\n",
            "clusters[1].weight",
        ),
    ] {
        let text = WEIGHTED.replacen(before, after, 1);
        assert_ne!(text, WEIGHTED);
        let value = after.trim_end().rsplit(": ").next().unwrap();
        let line = 1 + text
            .lines()
            .position(|line| line.trim() == after.trim_end().lines().next_back().unwrap().trim())
            .unwrap();
        let fault = refused(&text, &wasm());
        assert!(
            fault.contains(&format!("f.yaml:{line}:31: ")),
            "{value}: {fault}"
        );
        assert!(
            fault.contains(&format!("route.weighted_clusters.{at}: ")),
            "{value}: {fault}"
        );
    }
    let hash = "route: {cluster: shop-blue, hash_policy: [{header: {header_name: a}}, {header: {header_name: 5}}]}";
    let text = with_route(
        WEIGHTED,
        &format!("match: {{prefix: /x}}\n                {hash}"),
    );
    let text = text.replacen("weighted_clusters:", "hash_policy: [{header: {header_name: a}}, {header: {header_name: 5}}]\n                  weighted_clusters:", 1);
    let fault = refused(&text, &wasm());
    assert!(
        fault.contains("route.hash_policy[1].header.header_name: "),
        "{fault}"
    );
}
