//! Configurations with routes, and their comparison.

use std::collections::BTreeMap;

use spillgate_config::{
    envoy::{EnvoyConfig, Format, ReadOptions, read_with},
    re2,
};
use spillgate_diff::{DiffReport, DiffSide, diff};

/// These clusters, and a virtual host with these domains and routes; all in YAML.
pub(super) fn config(clusters: &str, domains: &str, routes: &str) -> EnvoyConfig {
    let text = format!(
        r#"
static_resources:
  clusters: [{clusters}]
  listeners:
  - name: http
    address: {{socket_address: {{address: 127.0.0.1, port_value: 80}}}}
    filter_chains:
    - filters:
      - name: envoy.filters.network.http_connection_manager
        typed_config:
          "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
          stat_prefix: http
          route_config:
            virtual_hosts:
            - name: shop
              domains: [{domains}]
              routes: [{routes}]
"#
    );
    let options = ReadOptions {
        regex: Some(re2::compile),
        ..ReadOptions::default()
    };
    read_with(&text, Format::Yaml, &options).unwrap()
}

/// What differs.
pub(super) fn compare(old: &EnvoyConfig, new: &EnvoyConfig) -> DiffReport {
    let unknown = BTreeMap::new();
    let [old, new] = [old, new].map(|config| DiffSide {
        model: &config.model,
        listeners: &config.listeners,
        unknown: &unknown,
        resolved: None,
    });
    diff(&old, &new)
}
