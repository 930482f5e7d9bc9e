//! Findings name metadata, but no values that can be secrets.

use spillgate_config::envoy::{Format, ReadOptions, read_for_lint};
use spillgate_lint::{Finding, lint};

/// A cluster with a subset for each value of the key, which its host has, and a route that requires another value.
fn findings(key: &str, of_host: &str, required: &str) -> Vec<Finding> {
    let text = format!(
        r#"
static_resources:
  clusters:
  - name: shop
    lb_subset_config: {{subset_selectors: [{{keys: [{key}]}}], fallback_policy: DEFAULT_SUBSET, default_subset: {{{key}: {required}}}}}
    load_assignment:
      cluster_name: shop
      endpoints:
      - lb_endpoints:
        - endpoint: {{address: {{socket_address: {{address: 10.0.0.1, port_value: 80}}}}}}
          metadata: {{filter_metadata: {{envoy.lb: {{{key}: {of_host}}}}}}}
  listeners:
  - address: {{socket_address: {{address: 127.0.0.1, port_value: 8080}}}}
    filter_chains:
    - filters:
      - name: hcm
        typed_config:
          "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
          stat_prefix: http
          route_config:
            virtual_hosts:
            - name: all
              domains: ["*"]
              routes:
              - match: {{prefix: /}}
                route: {{cluster: shop, metadata_match: {{filter_metadata: {{envoy.lb: {{{key}: {required}}}}}}}}}
"#
    );
    let config = read_for_lint(&text, Format::Yaml, &ReadOptions::default()).unwrap();
    lint(&config)
}

#[test]
fn metadata_of_a_secret_key_is_described() {
    for (of_host, required) in [
        ("hunter2", "hunter3"),
        ("\"3141592\"", "3141592"),
        ("3141592", "\"3141592\""),
    ] {
        let secret = findings("api_key", of_host, required);
        let public = findings("stage", of_host, required);
        let texts = |findings: &[Finding]| -> Vec<String> {
            let texts = findings.iter();
            texts
                .map(|of| format!("{} {}", of.message(), of.fix))
                .collect()
        };
        let shows = |text: &String| text.contains("hunter") || text.contains("3141592");
        assert_eq!(secret.len(), public.len());
        assert!(texts(&public).iter().any(shows), "{public:#?}");
        assert!(!texts(&secret).iter().any(shows), "{secret:#?}");
    }
}
