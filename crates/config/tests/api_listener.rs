//! Listeners of clients (`api_listener`), such as gRPC.

use spillgate_config::{
    Affects,
    envoy::{Format, ListenerProtocol, ReadOptions, read_with},
};

use crate::common::{assert_found, config};

const MANAGER: &str = "type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager";
const MOBILE: &str = "type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.EnvoyMobileHttpConnectionManager";
const ROUTER: &str = "http_filters: [{name: r, typed_config: {'@type': type.googleapis.com/envoy.extensions.filters.http.router.v3.Router}}]";
const ROUTES: &str = "{name: r, virtual_hosts: [{name: v, domains: ['*'], routes: [\
                      {match: {prefix: /, headers: [{name: x-forwarded-for, present_match: true}]}, \
                      route: {cluster: c}}]}]}";

/// A listener with this message in `api_listener.api_listener`, and the route configuration `r`.
fn client(message: &str) -> String {
    format!("[{{name: svc, api_listener: {{api_listener: {{{message}}}}}}}, {ROUTES}]")
}

/// A connection manager with further settings, whose routes are discovered.
fn manager(settings: &str) -> String {
    format!("'@type': {MANAGER}, rds: {{route_config_name: r}}, {settings}{ROUTER}")
}

#[test]
fn a_client_has_the_routes_that_its_connection_manager_names() {
    let inside = format!("'@type': {MANAGER}, route_config: {ROUTES}, {ROUTER}");
    let of_mobile = format!("rds: {{route_config_name: r}}, {ROUTER}");
    let mobile = format!("'@type': {MOBILE}, config: {{{of_mobile}}}");
    let alone = config(&format!("[{ROUTES}]"));
    for message in [manager(""), inside, mobile] {
        let read = config(&client(&message));
        assert_eq!(read.listeners.len(), 1, "{message}");
        assert_eq!(read.listeners[0].name, "svc");
        assert_eq!(read.listeners[0].protocol, ListenerProtocol::Http);
        let hosts = &read.listeners[0].routes.virtual_hosts;
        assert_eq!(hosts, &alone.listeners[0].routes.virtual_hosts);
        assert_eq!(read.listeners[0].routes.manager, None);
    }
}

#[test]
fn headers_and_settings_that_a_client_may_ignore_are_limits() {
    let limits = |message: &str| -> Vec<String> {
        let options = ReadOptions::default();
        let read = read_with(&client(message), Format::Yaml, &options).unwrap();
        let limits = read.limits();
        limits
            .map(|limit| {
                assert_eq!(limit.affects, Affects::Listener(0));
                limit.message.to_string()
            })
            .collect()
    };
    let header = "whether the client of this api_listener sends the header \"x-forwarded-for\" is \
                  not known";
    assert_eq!(limits(&manager("")), [header]);
    let found = limits(&manager("normalize_path: true, "));
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(
        found
            .iter()
            .any(|effect| effect.contains("Envoy Mobile applies"))
    );
}

#[test]
fn faults_in_a_client_are_reported() {
    for (message, expected) in [
        (
            "'@type': t/envoy.Other".to_owned(),
            "not a connection manager",
        ),
        (format!("'@type': {MANAGER}, rds: 5"), "wrong type"),
        (manager("normalize_path: 5, "), "normalize_path: wrong type"),
        (manager("normalize_paths: true, "), "unknown field"),
        ("rds: {}".to_owned(), "typed message without @type"),
    ] {
        assert_found(&client(&message), expected);
    }
    assert_found("[{name: l, api_listener: 5}]", "wrong type");
}

#[test]
fn routes_are_read_next_to_a_listener_without_filter_chains() {
    let read = config(&format!("[{{name: l, address: {{}}}}, {ROUTES}]"));
    assert_eq!(read.listeners[0].name, "r");
}
