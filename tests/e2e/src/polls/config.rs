//! An Envoy with a cluster of many hosts, of which two exist.

use anyhow::{Context as _, Result};
use serde_json::{Value, json};

use crate::Workdir;
use crate::config::{admin_cluster, any_host, http_listener, our_filters, override_host, poller};
use spillgate_config::filter::FilterForm;

/// The poll interval.
pub(super) const INTERVAL_MS: u64 = 250;
/// The tick of the workers.
pub(super) const TICK_MS: u64 = 100;

/// The cluster of many hosts.
pub(super) struct Cluster<'a> {
    workdir: &'a Workdir,
    file: String,
    /// The two that exist; all others are unhealthy.
    live: [String; 2],
    count: usize,
}

impl<'a> Cluster<'a> {
    pub(super) fn new(workdir: &'a Workdir, live: [String; 2], count: usize) -> Self {
        Self {
            workdir,
            file: format!("eds-{count}.json"),
            live,
            count,
        }
    }

    /// Gives Envoy the hosts; `failed` is the index of the unhealthy one of the two.
    pub(super) fn write(&self, failed: Option<usize>) -> Result<()> {
        let endpoint = |(host, address): (usize, String)| -> Result<Value> {
            let (ip, port) = address
                .rsplit_once(':')
                .context("an address without a port")?;
            let port: u16 = port.parse()?;
            let healthy = host < self.live.len() && failed != Some(host);
            Ok(json!({
                "endpoint": {"address": {"socket_address": {"address": ip, "port_value": port}}},
                "health_status": if healthy { "HEALTHY" } else { "UNHEALTHY" },
            }))
        };
        let others = (self.live.len()..self.count).map(|host| {
            format!(
                "10.{}.{}.{}:80",
                host / 65_536,
                host / 256 % 256,
                host % 256
            )
        });
        let addresses = self.live.iter().cloned().chain(others);
        let endpoints: Vec<Value> = addresses.enumerate().map(endpoint).collect::<Result<_>>()?;
        let resource = json!({
            "@type": "type.googleapis.com/envoy.config.endpoint.v3.ClusterLoadAssignment",
            "cluster_name": "shop",
            "endpoints": [{"lb_endpoints": endpoints}],
        });
        let text = json!({"version_info": "1", "resources": [resource]}).to_string();
        self.workdir.write(&self.file, &text)?;
        Ok(())
    }

    /// The bootstrap; `steered`: the listener with the filter, which then follows a poller.
    pub(super) fn bootstrap(&self, node: &str, admin: u16, steered: Option<u16>) -> Result<String> {
        let eds = self.workdir.path().join(&self.file);
        let shop = json!({
            "name": "shop", "type": "EDS", "connect_timeout": "1s",
            // Only the filter decides here.
            "common_lb_config": {"healthy_panic_threshold": {"value": 0}},
            "eds_cluster_config": {"eds_config": {
                "resource_api_version": "V3", "path_config_source": {"path": eds}}},
            "load_balancing_policy": override_host(&any_host()),
        });
        let mut bootstrap = json!({
            "node": {"id": node, "cluster": node},
            "admin": {"address": {"socket_address": {"address": "127.0.0.1", "port_value": admin}}},
            "static_resources": {"clusters": [shop, admin_cluster(admin)]},
        });
        if let Some(port) = steered {
            let interval = format!("{INTERVAL_MS}ms");
            let poll = json!({"poll": [
                {"cluster": "admin", "targets": ["shop"], "interval": interval}]});
            bootstrap["bootstrap_extensions"] = json!([poller(&poll)?]);
            bootstrap["static_resources"]["listeners"] = json!([listener(port)?]);
        }
        Ok(bootstrap.to_string())
    }
}

fn listener(port: u16) -> Result<Value> {
    let filters = our_filters(
        FilterForm::Wasm,
        &json!({
            "clusters": [{
                "name": "shop", "lb_policy": "ROUND_ROBIN", "type": "EDS",
                "eds_cluster_config": {"eds_config": {"ads": {}}},
                "common_lb_config": {"healthy_panic_threshold": {"value": 0}}}],
            "target": "shop",
            "output": {"candidates": 1},
            "health": {"source": "admin", "cluster": "admin"},
            "tick": format!("{TICK_MS}ms"),
        }),
    )?;
    let route = json!({"match": {"prefix": "/"}, "route": {"cluster": "shop"}});
    Ok(http_listener("steered", port, &[route], filters))
}
