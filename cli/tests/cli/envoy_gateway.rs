//! Inputs in the shape of Envoy Gateway's translator: lists of messages in camelCase, one file for each kind.

use crate::run::{Ran, scratch, spillgate};

/// Runs a command on files with these texts.
fn run(name: &str, command: &[&str], files: &[(&str, &str)]) -> Ran {
    let folder = scratch(name);
    let mut args: Vec<String> = command.iter().map(|arg| (*arg).into()).collect();
    for (file, text) in files {
        let path = folder.join(file);
        std::fs::write(&path, text).unwrap();
        args.push(path.display().to_string());
    }
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    spillgate(&args)
}

/// A cluster of a route, with locality weights.
const CLUSTER: &str = "- commonLbConfig: {}
  edsClusterConfig: {edsConfig: {ads: {}, resourceApiVersion: V3}, serviceName: orders/rule/0}
  loadBalancingPolicy:
    policies:
    - typedExtensionConfig:
        name: envoy.load_balancing_policies.least_request
        typedConfig:
          '@type': type.googleapis.com/envoy.extensions.load_balancing_policies.least_request.v3.LeastRequest
          localityLbConfig: {localityWeightedLbConfig: {}}
  name: orders/rule/0
  type: EDS
";

fn endpoints(localities: &[(&str, &str, &str)]) -> String {
    let mut out = String::from("- clusterName: orders/rule/0\n  endpoints:\n");
    for (region, settings, hosts) in localities {
        out.push_str(&format!(
            "  - locality: {{region: {region}}}\n    {settings}\n"
        ));
        let hosts = hosts.split_whitespace().map(|host| {
            format!(
                "    - {{endpoint: {{address: {{socketAddress: {{address: {host}, portValue: 8080}}}}}}, \
                 loadBalancingWeight: 1}}\n"
            )
        });
        let hosts: String = hosts.collect();
        if !hosts.is_empty() {
            out.push_str("    lbEndpoints:\n");
            out.push_str(&hosts);
        }
    }
    out
}

const LISTENERS: &str = "- address: {socketAddress: {address: 0.0.0.0, portValue: 10080}}
  defaultFilterChain:
    filters:
    - name: envoy.filters.network.http_connection_manager
      typedConfig:
        '@type': type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
        httpFilters:
        - name: envoy.filters.http.router
          typedConfig: {'@type': type.googleapis.com/envoy.extensions.filters.http.router.v3.Router}
        rds: {configSource: {ads: {}, resourceApiVersion: V3}, routeConfigName: web}
        statPrefix: web
  name: web
";

/// A `backendRef` without endpoints is a cluster that does not exist, and its share gets status 500.
#[test]
fn a_backend_without_endpoints_answers_500_for_its_share() {
    let routes = "- name: web
  virtualHosts:
  - domains: ['*']
    name: web/*
    routes:
    - match: {prefix: /}
      name: orders
      route:
        clusterNotFoundResponseCode: INTERNAL_SERVER_ERROR
        weightedClusters:
          clusters:
          - {name: invalid-backend-cluster, weight: 1}
          - {name: orders/rule/0, weight: 3}
";
    let hosts = endpoints(&[("orders/rule/0", "loadBalancingWeight: 1", "10.0.0.1")]);
    let files = [
        ("clusters.yaml", CLUSTER),
        ("endpoints.yaml", &hosts),
        ("listeners.yaml", LISTENERS),
        ("routes.yaml", routes),
    ];
    let ran = run("egw-invalid", &["explain"], &files);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert!(
        ran.stdout.contains("75.00 %  10.0.0.1:8080"),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout.contains("25.00 %  500 (unknown cluster)"),
        "{}",
        ran.stdout
    );
}

/// A `Backend` with `fallback` is a further priority.
#[test]
fn backends_share_by_weight_and_fallbacks_serve_if_the_first_have_no_endpoints() {
    let weighted = endpoints(&[
        (
            "orders/rule/0/backend/0",
            "loadBalancingWeight: 3",
            "10.0.0.1 10.0.0.2",
        ),
        (
            "orders/rule/0/backend/1",
            "loadBalancingWeight: 1",
            "10.0.1.1",
        ),
    ]);
    let shares = |name, hosts: &str| {
        let files = [("clusters.yaml", CLUSTER), ("endpoints.yaml", hosts)];
        let ran = run(name, &["split", "--format", "csv"], &files);
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        let lines = ran.stdout.lines().skip(1);
        let share = |line: &str| {
            line.rsplit(',')
                .next()
                .and_then(|text| text.parse::<f64>().ok())
        };
        lines.filter_map(share).collect::<Vec<f64>>()
    };
    assert_eq!(shares("egw-weights", &weighted), [37.5, 37.5, 25.0]);
    let fallback = endpoints(&[
        ("orders/rule/0/backend/0", "loadBalancingWeight: 1", ""),
        (
            "orders/rule/0/backend/1",
            "loadBalancingWeight: 1\n    priority: 1",
            "10.0.1.1",
        ),
    ]);
    assert_eq!(shares("egw-fallback", &fallback), [100.0]);
}
