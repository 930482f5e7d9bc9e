//! The facts for lint agree with the model.

use spillgate_config::envoy::{EnvoyConfig, Format, ReadOptions, read_for_lint};

fn read(text: &str) -> EnvoyConfig {
    read_for_lint(text, Format::Yaml, &ReadOptions::default()).unwrap()
}

#[test]
fn a_port_in_quotes_is_that_of_the_model() {
    let config = read(
        "
name: shop
load_assignment:
  cluster_name: shop
  endpoints:
  - lb_endpoints:
    - endpoint: {address: {socket_address: {address: 10.0.0.1, port_value: '80'}}}
",
    );
    let modeled = &config.model.clusters()[0].priorities()[0].endpoints[0];
    let found = &config.facts.clusters[0].localities[0].endpoints[0];
    assert_eq!(found.address, "10.0.0.1:80");
    assert_eq!(found.address, modeled.address);
}

#[test]
fn a_typed_retry_policy_is_not_used() {
    let config = read(
        "
name: r
virtual_hosts:
- name: v
  domains: ['*']
  routes:
  - match: {prefix: /}
    route:
      cluster: c
      retry_policy_typed_config:
        '@type': type.googleapis.com/envoy.config.route.v3.RetryPolicy
        retry_on: 5xx
        num_retries: 4
",
    );
    let facts = config.listeners[0].facts.as_ref().unwrap();
    assert!(facts.routes[0].retries.is_none());
    assert_eq!(config.warnings[0].code, "config/no-effect");
}

#[test]
fn facts_of_routes_have_the_numbers_of_the_model() {
    // Without a compiler for its pattern, the first route is not in the model.
    let config = read(
        "
name: r
virtual_hosts:
- name: v
  domains: ['*']
  routes:
  - match: {safe_regex: {regex: /a+}}
    route: {cluster: a}
  - match: {prefix: /b}
    route: {cluster: b}
",
    );
    let listener = &config.listeners[0];
    let facts = listener.facts.as_ref().unwrap();
    let routes = &listener.routes.virtual_hosts[0].routes;
    for route in routes {
        let place = &facts.routes[route.id].place;
        assert_eq!(place.position, listener.marks[route.id].route);
    }
    assert_eq!(facts.routes.len(), listener.marks.len());
}
