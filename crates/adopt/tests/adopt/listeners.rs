//! Which listener is steered.

use spillgate_adopt::{AdoptOptions, EditText, undo};
use spillgate_config::isolation::ListFallback;

use crate::common::{TENANTS, WEIGHTED, adopted, module, refused, wasm};

/// The bootstrap with further listeners.
fn with_listeners(more: &str) -> String {
    WEIGHTED.replace(
        "  clusters:\n  - name: shop-blue",
        &format!("{more}  clusters:\n  - name: shop-blue"),
    )
}

const SECOND: &str = r#"  - address: {socket_address: {address: "::1", port_value: 28099}}
    filter_chains:
    - filters:
      - name: http
        typed_config:
          "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
          stat_prefix: second
          route_config: {virtual_hosts: [{name: all, domains: ["*"], routes: [{match: {prefix: /}, direct_response: {status: 200}}]}]}
          http_filters: [{name: router, typed_config: {"@type": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router}}]
"#;

const TCP: &str = r#"  - name: raw
    address: {socket_address: {address: 127.0.0.1, port_value: 28098}}
    filter_chains:
    - filters:
      - name: envoy.filters.network.tcp_proxy
        typed_config: {"@type": type.googleapis.com/envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy, stat_prefix: raw, cluster: other}
"#;

#[test]
fn several_listeners_need_a_name_or_an_address() {
    let text = with_listeners(SECOND);
    let faults = refused(&text, &wasm());
    assert_eq!(faults.lines().count(), 2, "{faults}");
    assert!(
        faults.contains("choose with --listener; found \"web\""),
        "{faults}"
    );
    assert!(faults.contains("found \"[::1]:28099\""), "{faults}");
    for name in ["web", "127.0.0.1:28081"] {
        let mut options = wasm();
        options.listener = Some(name.into());
        let (result, _) = adopted(&text, &options);
        assert!(result.contains("cluster_header"), "{name}");
    }
    let mut options = wasm();
    options.listener = Some("[::1]:28099".into());
    let fault = refused(&text, &options);
    assert!(fault.contains("no route to a cluster"), "{fault}");
    options.listener = Some("missing".into());
    let fault = refused(&text, &options);
    assert!(
        fault.contains("expected one of \"web\", \"[::1]:28099\""),
        "{fault}"
    );
}

#[test]
fn a_listener_without_http_is_refused_with_its_filters() {
    let text = with_listeners(TCP);
    let mut options = module();
    options.listener = Some("raw".into());
    let fault = refused(&text, &options);
    assert!(
        fault.contains("no HTTP connection manager, so no filter can run here"),
        "{fault}"
    );
    assert!(
        fault.contains("found envoy.filters.network.tcp_proxy"),
        "{fault}"
    );
    // A TCP listener with other clusters does not hinder the only HTTP listener.
    options.listener = None;
    adopted(&text, &options);
    let only = format!("static_resources:\n  listeners:\n{TCP}");
    let fault = refused(&only, &options);
    assert!(fault.starts_with("f.yaml:3:5: "), "{fault}");
}

#[test]
fn listeners_from_a_control_plane_are_named() {
    let dynamic =
        "node: {id: a}\ndynamic_resources:\n  lds_config: {path_config_source: {path: lds.yaml}}\n";
    let fault = refused(dynamic, &wasm());
    assert!(fault.starts_with("f.yaml:3:15: "), "{fault}");
    assert!(fault.contains("listeners come from LDS"), "{fault}");
}

#[test]
fn listeners_are_steered_one_after_another_with_one_poller() {
    let second = SECOND.replace(
        "direct_response: {status: 200}",
        "route: {cluster: shop-green}",
    );
    let first = WEIGHTED.replace(
        "                    - name: shop-green\n                      weight: 10\n",
        "",
    );
    let text = first.replace(
        "  clusters:\n  - name: shop-blue",
        &format!("{second}  clusters:\n  - name: shop-blue"),
    );
    for options in [wasm(), module()] {
        let mut of_web = options.clone();
        of_web.listener = Some("web".into());
        let mut of_second = options.clone();
        of_second.listener = Some("[::1]:28099".into());
        let (one, _) = adopted(&text, &of_web);
        let (both, _) = adopted(&one, &of_second);
        for part in [
            "bootstrap_extensions:",
            "tag_name: spillgate.step",
            "- name: spillgate_admin",
        ] {
            assert!(both.matches(part).count() <= 1, "{part}\n{both}");
        }
        assert_eq!(both.matches("override_host_sources").count(), 2, "{both}");
        if options.form == wasm().form {
            assert!(both.contains("targets: [shop-blue, shop-green]"), "{both}");
        }
        // The way back of one leaves what the other needs.
        let way_back = |text: &str, of: &AdoptOptions| {
            let text = [EditText::new(text.into()).unwrap()];
            undo(&text, of.listener.as_deref())
                .unwrap()
                .unwrap()
                .remove(0)
        };
        let left = way_back(&both, &of_web);
        for part in ["bootstrap_extensions:", "tag_name: spillgate.step"] {
            assert!(left.contains(part), "{part}\n{left}");
        }
        let none = EditText::new(way_back(&left, &of_second)).unwrap();
        let original = EditText::new(text.clone()).unwrap();
        assert_eq!(none.value(), original.value(), "{}", none.text());
        // A cluster that another listener steers has no policy of its own any more.
        let shared = text.replace(
            "route: {cluster: shop-green}",
            "route: {cluster: shop-blue}",
        );
        let (one, _) = adopted(&shared, &of_web);
        let fault = refused(&one, &of_second);
        for part in [
            "another listener steers this cluster already",
            "found route static_resources.listeners[1].filter_chains[0].filters[0].typed_config.route_config",
            ", filter in static_resources.listeners[0].filter_chains[0].filters[0].typed_config,",
        ] {
            assert!(fault.contains(part), "{fault}");
        }
        // An isolated cluster has no hosts for the other listener.
        let mut isolated = of_web.clone();
        isolated.fallback = Some(ListFallback::Isolation);
        let fault = refused(&shared, &isolated);
        let other =
            "static_resources.listeners[1].filter_chains[0].filters[0].typed_config.route_config";
        assert!(fault.contains(other), "{fault}");
        let first =
            "steered in static_resources.listeners[0].filter_chains[0].filters[0].typed_config";
        assert!(fault.contains(first), "{fault}");
        assert!(fault.contains("--fallback availability"), "{fault}");
    }
}

#[test]
fn a_filter_chain_is_chosen_by_name_or_number() {
    let start = WEIGHTED.find("    filter_chains:\n").unwrap();
    let end = WEIGHTED.find("  clusters:\n  - name: shop-blue").unwrap();
    let chain = WEIGHTED[start..end]
        .strip_prefix("    filter_chains:\n")
        .unwrap();
    let named = chain.replacen("    - filters:", "    - name: inside\n      filter_chain_match: {server_names: [in.example]}\n      filters:", 1);
    let named = named
        .replace("shop-blue", "other-blue")
        .replace("shop-green", "other-green");
    assert!(named != chain, "{chain}");
    let mut text = WEIGHTED.to_owned();
    text.insert_str(end, &named);
    let mut options = wasm();
    let faults = refused(&text, &options);
    assert!(faults.contains("found \"web/0\""), "{faults}");
    assert!(faults.contains("found \"web/inside\""), "{faults}");
    options.listener = Some("web".into());
    let faults = refused(&text, &options);
    assert!(
        faults.contains("choose with --listener LISTENER/CHAIN"),
        "{faults}"
    );
    options.listener = Some("web/outside".into());
    let fault = refused(&text, &options);
    assert!(fault.contains("expected one of 0, inside"), "{fault}");
    options.listener = Some("web/0".into());
    let (result, _) = adopted(&text, &options);
    assert_eq!(result.matches("cluster_header").count(), 1, "{result}");
    assert!(result.contains("name: other-blue"), "{result}");
}

/// The fallback policy of a steered cluster has no subsets, so another listener would reach all of its hosts.
#[test]
fn subsets_that_another_listener_uses_are_not_taken_away() {
    let start = TENANTS.find("  listeners:\n").unwrap() + "  listeners:\n".len();
    let end = TENANTS.find("  clusters:\n").unwrap();
    let own = &TENANTS[start..end];
    let mut text = TENANTS.to_owned();
    text.insert_str(end, &own.replacen("- name: ", "- name: other-", 1));
    for mut options in [wasm(), module()] {
        for fallback in [ListFallback::Isolation, ListFallback::Availability] {
            options.fallback = Some(fallback);
            let other = TENANTS[start..].lines().next().unwrap();
            let name = other.trim().strip_prefix("- name: ").unwrap();
            options.listener = Some(name.into());
            let fault = refused(&text, &options);
            assert!(
                fault.contains("static_resources.listeners[1]"),
                "{fallback:?}: {fault}"
            );
            assert!(
                fault.contains("steered in static_resources.listeners[0]"),
                "{fallback:?}: {fault}"
            );
        }
    }
}

/// The module's policy knows only the hash policy of its filter.
#[test]
fn a_hash_that_another_listener_uses_is_not_taken_away() {
    let second = |hash: &str| {
        let route = format!("route: {{cluster: shop-blue{hash}}}");
        let second = SECOND.replace("direct_response: {status: 200}", &route);
        with_listeners(&second).replacen("lb_policy: ROUND_ROBIN", "lb_policy: MAGLEV", 1)
    };
    let hashed = second(", hash_policy: [{header: {header_name: x-user}}]");
    let mut options = module();
    options.listener = Some("web".into());
    let fault = refused(&hashed, &options);
    assert!(
        fault.contains(
            "static_resources.listeners[1].filter_chains[0].filters[0].typed_config.route_config"
        ),
        "{fault}"
    );
    assert!(
        fault.contains("hashes by the hash_policy of the filter only"),
        "{fault}"
    );
    assert!(fault.contains("--form wasm"), "{fault}");
    adopted(&second(""), &options);
    let mut options = wasm();
    options.listener = Some("web".into());
    adopted(&hashed, &options);
}
